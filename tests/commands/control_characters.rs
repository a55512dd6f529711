//! Control characters in files and user input are shown and never reach the terminal.

use std::{fs, process::Command};

use plyscope::{
    command::{Outcome, Shell},
    text::controls_terminal,
    view::{self, Colour},
};
use proptest::prelude::*;
use tempfile::TempDir;

#[path = "../common/cases.rs"]
mod cases;

/// Sequences that write to the clipboard, clear the screen, ring, hide text or reverse its direction.
const PIECES: [&str; 20] = [
    "a",
    "weiß",
    "中",
    "👩‍💻",
    "]52;c;eA==",
    "[2J",
    "[8m",
    "\x1b",
    "\x07",
    "\x08",
    "\r",
    "\0",
    "\x7f",
    "\u{9b}",
    "\u{9d}",
    "\u{85}",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{2028}",
];

/// Lines with `@` in place of the text: as a name, as a value, in file names and where nothing parses it.
const LINES: [&str; 27] = [
    "echo \"@\"",
    "echo @",
    "@",
    "help @",
    "mark \"@\"",
    "mark",
    "goto \"@\"",
    "goto \"@ \"",
    "alias n@ = echo \"@\"",
    "alias",
    "n@",
    "weights define \"@\"",
    "weights list",
    "weights use \"@ \"",
    "player define \"@\" depth=1",
    "player list",
    "player define q depth=1",
    "match run \"@\" q --games 2",
    "print \"@\"",
    "display \"@\"",
    "search set depth=\"@\"",
    "search set \"@\"=1",
    "play \"@\"",
    "position set \"@\"",
    "cache load \"no/@\"",
    "session load \"no/@\"",
    "source \"no/@\"",
];

/// A text without the program's own styles.
fn unstyled(text: &str) -> String {
    let styles = ["\x1b[1;38;5;208m", "\x1b[1;38;5;75m", "\x1b[0m"];
    let strip = |text: String, style: &str| text.replace(style, "");
    styles.into_iter().fold(text.to_owned(), strip)
}

#[track_caller]
fn assert_seen(what: &str, text: &str) {
    assert!(!unstyled(text).contains(controls_terminal), "{what:?} is answered with {text:?}");
}

/// A reply in every form in which it may be printed.
fn printed(line: &str, outcome: &Outcome) {
    match outcome {
        Ok(response) => {
            assert_seen(line, &view::response(response));
            let json = view::json_reply(response);
            assert_seen(line, &json);
            let read: serde_json::Value = serde_json::from_str(&json).unwrap();
            assert_eq!(read, serde_json::to_value(response).unwrap());
        }
        Err(failure) => {
            assert_seen(line, &view::failure(failure, Colour::On));
            assert_seen(line, &view::failure(failure, Colour::Off));
            assert_seen(line, &view::failure_as(failure, true, Colour::Off));
        }
    }
}

proptest! {
    #![proptest_config(cases::cases(24))]

    #[test]
    fn control_characters_never_reach_the_terminal(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 1..6),
        chess: bool,
    ) {
        let hostile = pieces.concat();
        let mut shell = Shell::default();
        shell.run_line(if chess { "game chess" } else { "game morris" });
        shell.run_line("step 3");
        for line in LINES {
            let line = line.replace('@', &hostile);
            for outcome in shell.run_line(&line) {
                printed(&line, &outcome);
            }
        }
    }
}

#[test]
fn hidden_characters_in_a_text_are_visible() {
    let mut shell = Shell::default();
    let outcome = shell.run_line("echo \"a\x1b[2J\u{202e}b\"").remove(0).unwrap();
    assert_eq!(view::response(&outcome), r"a\u{1b}[2J\u{202e}b");
    let failure = shell.run_line("\x1b中 x").remove(0).unwrap_err();
    let text = view::failure(&failure, Colour::Off);
    // The carets are below the text as it is shown.
    assert!(text.contains("\n    \\u{1b}中 x\n    ^^^^^^^^"), "{text}");
}

/// Output and errors of the real program in a temporary folder.
fn streams(home: &TempDir, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(arguments)
        .current_dir(home.path())
        .env("XDG_CONFIG_HOME", home.path().join("\x1b[2J"))
        .output()
        .unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn nothing_that_the_program_prints_controls_the_terminal() {
    const HOSTILE: &str = "a\x1b]52;c;eA==\x07\x1b[2J\u{9b}\u{202e}b";
    let home = tempfile::tempdir().unwrap();
    let script = format!("{HOSTILE}.ply");
    let lines = format!(
        "echo '{HOSTILE}'\nalias {HOSTILE} = echo\nalias\npgn load game.pgn\n'{HOSTILE}'\n"
    );
    fs::write(home.path().join(&script), &lines).unwrap();
    let header = format!(
        "[White \"{HOSTILE}\"]\n[Result \"{HOSTILE}\"]\n\n1. e4 {{{HOSTILE}}} {HOSTILE} *\n"
    );
    fs::write(home.path().join("game.pgn"), header).unwrap();
    for game in ["morris", "chess"] {
        let source = format!("game {game}; source '{script}'; position show; '{HOSTILE}");
        for flags in [&["--echo"][..], &["--echo", "--json"]] {
            let run = |arguments: &[&str]| {
                let arguments = [flags, &["--keep-going"], arguments].concat();
                assert_seen(&format!("{arguments:?}"), &streams(&home, &arguments));
            };
            run(&["-c", &source]);
            run(&["-c", source.trim_end_matches(&format!("; '{HOSTILE}"))]);
            run(&["run", &script, "no such file\x1b[2J"]);
        }
    }
    for arguments in [&["--health"][..], &["run"], &[HOSTILE], &["--config", HOSTILE]] {
        assert_seen(&format!("{arguments:?}"), &streams(&home, arguments));
    }
}
