//! Suites with tasks: EPD, `suite run` and `foreach`.

use std::{fs, path::PathBuf};

use plyscope::{
    command::{Outcome, Shell},
    engine::session::{comparing::SuiteRun, reply::Reply},
    view,
};
use tempfile::TempDir;

use crate::{answer, failure};

/// A back-rank mate in one, a mate in two with a quiet first move, and a position with a move to avoid.
const CHESS: &str = "\
# mates
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"back rank\"; c0 \"one; move\";
k7/8/2K5/8/8/8/8/7R w - - hmvc 3; fmvn 40; dm 2; id \"two moves\"; # rook

4k3/8/8/8/8/8/3q4/R3K3 w Q - am Kf1; id \"take it\";
8/8/8/4k3/8/8/4K1P1/8 w - - acd 4; c1 \"nothing to find\";
";

const MORRIS: &str = "\
ww....../b.b...../........ w 4 5 bm g7xb6 g7xf6; id \"mill\";
ww....../bb....../........ w 4 5 am f6; c0 \"close it\";
";

fn file(folder: &TempDir, text: &str) -> PathBuf {
    let file = folder.path().join("suite.epd");
    fs::write(&file, text).unwrap();
    file
}

fn shell(game: &str) -> Shell {
    let mut shell = Shell::default();
    answer(&mut shell, &format!("game {game}"));
    shell
}

fn run(shell: &mut Shell, line: &str) -> SuiteRun {
    answer(shell, line).downcast_ref().cloned().unwrap()
}

#[test]
fn a_suite_counts_the_positions_that_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, CHESS).display().to_string();
    let mut shell = shell("chess");
    let report = run(&mut shell, &format!("suite run {file} --depth 1"));
    let solved: Vec<_> = report.entries.iter().map(|entry| entry.found[0].solved).collect();
    assert_eq!(solved, [Some(true), Some(false), Some(true), None]);
    assert_eq!((report.variants[0].solved, report.variants[0].tasks), (2, 3));
    let report = run(&mut shell, &format!("suite run {file} --depth 3"));
    assert_eq!(report.entries[1].found[0].solved, Some(true));
    let [first, second, ..] = &report.entries[..] else { panic!("{report:?}") };
    assert_eq!((first.at.id.as_deref(), first.at.line), (Some("back rank"), Some(2)));
    assert_eq!(first.at.words(), "one; move");
    assert_eq!(second.at.state, "k7/8/2K5/8/8/8/8/7R w - - 3 40");
    assert_eq!((second.dm, second.at.words()), (Some(2), "rook"));
    assert_eq!(report.entries[3].at.words(), "nothing to find");
}

#[test]
fn variants_stand_side_by_side_and_do_not_depend_on_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, CHESS).display().to_string();
    let line = format!("suite run {file} --depth 3 current \"algorithm=pvs memo=none\" play");
    let mut shell = shell("chess");
    shell.times = false;
    let one = run(&mut shell, &line);
    assert_eq!(one.variants.len(), 3);
    assert_eq!(one.variants[2].name, "play");
    for (place, words) in [(0, ""), (1, "algorithm=pvs memo=none")] {
        for entry in &one.entries {
            answer(&mut shell, &format!("position set {}; cache clear", entry.at.state));
            let single =
                format!("search set fidelity=sound root=best {words}; search run --depth 3");
            let reply = serde_json::to_value(&*answer(&mut shell, &single)).unwrap();
            assert_eq!(reply["nodes"], entry.found[place].nodes, "{} {words}", entry.at.state);
        }
        answer(&mut shell, "search set algorithm=alphabeta memo=auto root=all");
    }
    let text = |shell: &mut Shell, line: &str| view::text(&run(shell, line));
    let mut fresh = self::shell("chess");
    fresh.times = false;
    assert_eq!(text(&mut fresh, &line), text(&mut fresh, &format!("{line} --workers 3")));
}

#[test]
fn morris_has_the_same_operations() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, MORRIS).display().to_string();
    let mut shell = shell("morris");
    let report = run(&mut shell, &format!("suite run {file} --depth 2"));
    assert_eq!(report.variants[0].tasks, 2);
    let text = fs::read_to_string(&file).unwrap().replace("bm g7", "bm x9");
    fs::write(&file, text).unwrap();
    let report = run(&mut shell, &format!("suite run {file} --depth 1"));
    assert_eq!(report.wrong.len(), 1);
    assert!(report.wrong[0].message.contains(":1:"), "{report:?}");
}

#[test]
fn wrong_lines_are_told_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, &CHESS.replace("4k3/8/8/8/8/8/3q4", "4k3/9/8/8/8/8/3q4"))
        .display()
        .to_string();
    let mut shell = shell("chess");
    let report = run(&mut shell, &format!("suite run {file} --depth 1"));
    assert_eq!((report.entries.len(), report.wrong.len(), report.wrong[0].line), (3, 1, 5));
    assert!(report.wrong[0].message.starts_with(&format!("{file}:5:5: ")), "{report:?}");
    assert!(report.fault().is_some());
    let before = serde_json::to_value(&*answer(&mut shell, "position show")).unwrap();
    let strict = failure(&mut shell, &format!("foreach {file} {{ play e4 }}"));
    assert!(strict.fault.message.contains(&format!("{file}:5:5: ")), "{:?}", strict.fault);
    assert_eq!(serde_json::to_value(&*answer(&mut shell, "position show")).unwrap(), before);
    for (wrong, what) in [("dm 0;", "number of moves"), ("bm Zz9;", "Zz9"), ("am Ke9;", "Ke9")] {
        let line = format!("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - {wrong}\n");
        fs::write(&file, line).unwrap();
        let fault = failure(&mut shell, &format!("suite run {file}")).fault;
        assert!(fault.message.contains(":1:") && fault.to_string().contains(what), "{fault}");
    }
    fs::write(&file, "nonsense\n".repeat(9)).unwrap();
    let fault = failure(&mut shell, &format!("suite run {file}")).fault;
    assert!(fault.message.contains("and 4 more"), "{fault}");
}

fn texts(outcomes: &[Outcome]) -> Vec<String> {
    let text = |outcome: &Outcome| match outcome {
        Ok(response) => view::text(&*response.reply),
        Err(failure) => failure.fault.message.clone(),
    };
    outcomes.iter().map(text).collect()
}

#[test]
fn foreach_runs_commands_at_every_position_and_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, CHESS).display().to_string();
    let mut shell = shell("chess");
    answer(&mut shell, "play e4");
    let outcomes =
        shell.run_line(&format!("foreach {file} {{\n  echo here # why\n  moves\n}}; echo end"));
    let texts = texts(&outcomes);
    assert_eq!(outcomes.len(), 1 + 4 * 3 + 1, "{texts:?}");
    assert_eq!(texts[1], format!("1 of 4  {file}:2  back rank"));
    assert_eq!((texts[2].as_str(), texts.last().unwrap().as_str()), ("here", "end"));
    let position = serde_json::to_value(&*answer(&mut shell, "position show")).unwrap();
    assert_eq!((&position["last_san"], &position["undo"]), (&"e4".into(), &1.into()));
}

#[test]
fn an_error_in_foreach_names_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, CHESS).display().to_string();
    let mut shell = shell("chess");
    let line = format!("foreach {file} {{ play Ra8; echo played }}; echo never");
    let outcomes = shell.run_line(&line);
    let last = outcomes.last().unwrap().as_ref().unwrap_err();
    assert!(last.fault.message.starts_with(&format!("{file}:3: ")), "{:?}", last.fault);
    assert!(last.trail[0].contains("play Ra8"), "{:?}", last.trail);
    assert_eq!(outcomes.len(), 6, "{outcomes:?}");
    // The position of the error stays on the board.
    let position = serde_json::to_value(&*answer(&mut shell, "position show")).unwrap();
    assert_eq!(position["state"], "k7/8/2K5/8/8/8/8/7R w - - 3 40");
    let unknown = failure(&mut shell, &format!("foreach {file} {{ position show; plau e4 }}"));
    assert!(unknown.fault.message.contains("plau"), "{:?}", unknown.fault);
    let unclosed = failure(&mut shell, &format!("foreach {file} {{ position show"));
    assert!(unclosed.fault.message.contains("never closed"), "{:?}", unclosed.fault);
    let nested = failure(&mut shell, &format!("expect error \"x\" foreach {file} {{ moves }}"));
    assert!(nested.fault.message.contains("cannot be done here"), "{:?}", nested.fault);
}

#[test]
fn foreach_goes_back_from_wherever_its_commands_went() {
    for (game, moves) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        let mut shell = shell(game);
        answer(&mut shell, moves);
        let position = |shell: &mut Shell| {
            let position = serde_json::to_value(&*answer(shell, "position show")).unwrap();
            (position["state"].clone(), position["undo"].clone())
        };
        let before = position(&mut shell);
        for commands in ["undo 2", "undo 3", "position start", "undo; redo"] {
            shell.run_line(&format!("foreach tactics {{ {commands} }}"));
            assert_eq!(position(&mut shell), before, "{game}: {commands}");
        }
    }
}
