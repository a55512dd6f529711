//! Random sequences of commands: a session that is saved, loaded and saved again is the same file, and restores
//! everything.

use std::fs;

use crate::common::{cases::cases, folder::in_memory};
use plyscope::{
    command::Shell,
    engine::session::{reply::Stop, search::Run},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Commands for both games; those that do not fit are refused and change nothing.
const COMMANDS: [&str; 41] = [
    "step 40",
    "step 300",
    "back 25",
    "continue",
    "goto 10",
    "goto 120",
    "goto k",
    "mark k",
    "mark early",
    "fork",
    "timeline use 1",
    "timeline use 2",
    "timeline remove 1",
    "unmark k",
    "search drop",
    "search run --depth 2",
    "search run --budget 60",
    "search set budget=4000",
    "search set budget=90",
    "search set record=off",
    "search set record=on",
    "search set depth=3",
    "search set max_size=40",
    "search set max_size=200 replace=use",
    "search set memo=bound",
    "search set memo=exact",
    "search set algorithm=mtdf",
    "up",
    "down",
    "frame 0",
    "break kind=cutoff ply=1",
    "watch best",
    "tbreak ply=2",
    "delete 1",
    "cache set here value=0.5",
    "cache clear",
    "cache remove here",
    "window -0.5 0.5",
    "undo",
    "position start",
    "quiz on",
];

fn run(shell: &mut Shell, line: &str) {
    for answer in shell.run_line(line) {
        // Refusals are expected.
        drop(answer);
    }
}

/// The replies about search, timelines and table, without lines about memory and the last search. The list of timelines is
/// compared unless one of them was left out of the file.
fn replies(shell: &mut Shell, left_out: bool) -> Vec<String> {
    // The line about the last search may be wrapped.
    const OWN: [&str; 6] =
        ["recording: ", "last search: ", " stores ", "evictions ", " entries ", " entry "];
    let mut text = |line: &str| match shell.run_line(line).pop() {
        Some(Ok(answer)) => answer.reply.text(),
        Some(Err(failure)) => failure.fault.to_string(),
        None => String::new(),
    };
    let mut lines = Vec::new();
    let commands =
        ["where", "frame", "cache stats", "search result", "info breakpoints", "position show"];
    for line in commands.into_iter().chain((!left_out).then_some("timeline")) {
        lines.extend(text(line).lines().map(str::to_owned));
    }
    lines.retain(|line| !OWN.iter().any(|own| line.contains(own)));
    lines
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_session_loaded_and_saved_again_is_the_same_file(
        game in select(vec!["morris", "chess"]),
        commands in vec(select(COMMANDS.to_vec()), 1..14),
    ) {
        let folder = in_memory();
        let [first, second] = ["first.ron", "second.ron"].map(|name| folder.path().join(name));
        let mut shell = Shell::default();
        shell.times = false;
        run(&mut shell, &format!("game {game}"));
        run(&mut shell, if game == "morris" { "play d6 f4 d2 b4" } else { "play e4 e5 Nf3" });
        for command in commands {
            run(&mut shell, command);
        }
        let saved = shell.run_line(&format!("session save {}", first.display())).pop();
        let saved = saved.unwrap().map(|saved| saved.reply.text());
        let saved = saved.map_err(|failure| TestCaseError::fail(failure.fault.to_string()))?;
        // A note says that a timeline is left out because a cache of it is too large for the file.
        let words: Vec<_> = saved.split_whitespace().collect();
        let left_out = words.join(" ").contains("the cache at its start, or one loaded during it");
        let mut again = Shell::default();
        again.times = false;
        run(&mut again, &format!("session load {}", first.display()));
        prop_assert_eq!(replies(&mut again, left_out), replies(&mut shell, left_out));
        run(&mut again, &format!("session save {}", second.display()));
        let [first, second] = [first, second].map(|path| fs::read(path).unwrap());
        prop_assert!(first == second, "{} is not {}",
            String::from_utf8_lossy(&first), String::from_utf8_lossy(&second));
        // Both go back to the same events.
        for line in ["back 7", "goto 5", "goto k", "step 9"].iter().filter(|_| !left_out) {
            run(&mut shell, line);
            run(&mut again, line);
            prop_assert_eq!(replies(&mut again, left_out), replies(&mut shell, left_out), "{}", line);
        }
    }
}

#[test]
fn a_mark_before_an_edit_at_the_last_moment_of_a_file_has_no_edit() {
    let folder = in_memory();
    for game in ["morris", "chess"] {
        let file = folder.path().join(format!("{game}.ron"));
        let (mut shell, mut again) = (Shell::default(), Shell::default());
        for line in [
            &format!("game {game}"),
            "search set budget=90 record=off",
            "search run --depth 3",
            "search set record=on",
            "mark k",
            "search set budget=4000",
            &format!("session save {}", file.display()),
            "goto k",
        ] {
            run(&mut shell, line);
        }
        run(&mut again, &format!("session load {}", file.display()));
        run(&mut again, "goto k");
        for shell in [&mut shell, &mut again] {
            let result = shell.look_up_as::<Run>("search result").unwrap();
            assert_eq!(result.stopped, Some(Stop::Budget), "{game}");
        }
    }
}
