//! Tips on what to do next.

use plyscope::command::{Outcome, Shell};

/// An interactive shell.
fn interactive() -> Shell {
    let mut shell = Shell::default();
    (shell.interactive, shell.tips) = (true, true);
    shell
}

/// The tip after the last of these statements.
fn tip(shell: &mut Shell, line: &str) -> Option<String> {
    let last: Outcome = shell.run_line(line).pop().unwrap();
    shell.tip(&last.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault)))
}

#[test]
fn the_commands_of_a_tip_work() {
    let seed = "search set fidelity=seed keys=colour symmetry=off; position set";
    let written = format!("{seed} ww.wb.../b.b.w.bw/........ w 0 0; search run --depth 3");
    let swapped = "position set bb.bw.../w.w.b.wb/........ b 0 0; audit run --depth 3";
    for (line, begins) in [
        ("step 10", "step 100, where"),
        ("step 10; back 10", "step 100"),
        ("until cutoff", "where, explain cutoff"),
        ("break kind=cutoff; continue", "where, explain cutoff"),
        ("break kind=cutoff; search run", "where, explain cutoff"),
        ("break ply=2; continue", "where, explain order"),
        ("step 20; watch best 0; continue", "where, continue"),
        ("until hit", "cache get"),
        ("until leaf", "eval"),
        ("search run --depth 3", "explain value"),
        ("search run", "explain value"),
        ("search set depth=2; continue", "explain value"),
        (&format!("{written}; audit"), "explain entry"),
        (&format!("{written}; search drop; {swapped}"), "advance"),
    ] {
        for game in ["morris", "chess"] {
            if game == "chess" && line.contains("seed") {
                continue;
            }
            let mut shell = interactive();
            shell.look_up(&format!("game {game}")).unwrap();
            let tip_shown =
                tip(&mut shell, line).unwrap_or_else(|| panic!("{game}: {line}: no tip"));
            let next = tip_shown.strip_prefix("next: ").unwrap();
            assert!(next.starts_with(begins), "{line}: {next}");
            try_all(&mut shell, line, next);
        }
    }
}

/// Runs the commands of a tip.
fn try_all(shell: &mut Shell, line: &str, next: &str) {
    for command in next.split(", ") {
        if let Err(fault) = shell.look_up(command) {
            panic!("{line}: {command}: {fault}");
        }
    }
}

#[test]
fn tips_on_a_trace_are_for_traces() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let file = file.path().display();
    let record = format!("search set memo=interval; trace record '{file}' --depth 3");
    for (line, next) in [
        ("until leaf", "where, finish"),
        ("break ply=2; continue", "where, continue"),
        ("until hit", "cache get --writer frame, last frame, finish"),
        ("until cutoff", "where, explain cutoff, back finish"),
        ("continue", "explain tree, cache list, back continue"),
    ] {
        let mut shell = interactive();
        shell.run_line(&format!("{record}; trace open '{file}'"));
        assert_eq!(tip(&mut shell, line), Some(format!("next: {next}")), "{line}");
        try_all(&mut shell, line, next);
    }
}

#[test]
fn a_tip_is_shown_three_times_and_never_twice_in_a_row() {
    let mut shell = interactive();
    let steps = (0..100).filter(|_| tip(&mut shell, "step").is_some()).count();
    assert!(steps <= 12, "{steps}");
    let mut shell = interactive();
    assert!(tip(&mut shell, "until cutoff").is_some() && tip(&mut shell, "until cutoff").is_none());
    let shown = (0..9).filter_map(|_| {
        tip(&mut shell, "back 1");
        tip(&mut shell, "until cutoff")
    });
    assert_eq!(shown.count(), 2);
}

#[test]
fn tips_are_for_persons_who_want_them() {
    let until = |shell: &mut Shell| tip(shell, "until cutoff");
    let mut shell = interactive();
    shell.interactive = false;
    assert_eq!(until(&mut shell), None);
    (shell.interactive, shell.json) = (true, true);
    assert_eq!(until(&mut shell), None);
    shell.json = false;
    shell.look_up("tips off").unwrap();
    assert_eq!(until(&mut shell), None);
    shell.look_up("tips on").unwrap();
    assert!(until(&mut shell).is_some());
}
