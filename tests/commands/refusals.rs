//! Refusals with place and remedy, and replies that do not depend on spelling.

use std::{fs, process::Command};

use plyscope::command::Shell;
use serde_json::Value;

fn plyscope() -> Command {
    Command::new(env!("CARGO_BIN_EXE_plyscope"))
}

/// Whether the commands succeeded, and their output.
fn run(commands: &str) -> (bool, String) {
    let done = plyscope().args(["--no-times", "-c", commands]).output().unwrap();
    let said = [done.stdout, done.stderr].concat();
    (done.status.success(), String::from_utf8(said).unwrap())
}

fn last_json(commands: &str) -> Value {
    let done = plyscope().args(["--json", "--no-times", "-c", commands]).output().unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    serde_json::from_str(said.lines().last().unwrap()).unwrap()
}

fn refused(commands: &str, parts: &[&str]) {
    let (went_well, said) = run(commands);
    assert!(!went_well, "{commands}: {said}");
    for part in parts {
        assert!(said.contains(part), "{commands}: no {part} in {said}");
    }
}

#[test]
fn numbers_that_can_never_be_are_refused_with_the_range() {
    for game in ["morris", "chess"] {
        for figure in ["alpha", "beta", "best"] {
            let watch = format!("game {game}; watch {figure} 999");
            refused(&watch, &["no search reaches ply 999", "from 0 to 540"]);
        }
        refused(&format!("game {game}; break ply=541"), &["from 0 to 540"]);
        assert!(run(&format!("game {game}; watch best 540; break ply=540")).0);
    }
    let range = ["record_mib", "from 0 to 1048576"];
    refused("search set record_mib=99999999999", &range);
    refused("search set record_mib=1048577", &range);
    refused("search set record_mib=-1", &range);
    assert!(run("search set record_mib=1048576; search set record_mib=0").0);
}

#[test]
fn the_version_is_json_with_the_json_flag() {
    let expected = last_json("version");
    for flags in [["--version", "--json"], ["--json", "-V"]] {
        let done = plyscope().args(flags).output().unwrap();
        assert!(done.status.success(), "{flags:?}");
        assert_eq!(serde_json::from_slice::<Value>(&done.stdout).unwrap(), expected, "{flags:?}");
    }
    let plain = plyscope().arg("--version").output().unwrap();
    assert!(plain.stdout.starts_with(b"plyscope "));
}

#[test]
fn a_session_that_cannot_be_read_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.ron");
    let load = format!("session load '{}'", file.display());
    let saved = folder.path().join("right.ron");
    assert!(run(&format!("play d6; session save '{}'", saved.display())).0);
    let right = fs::read_to_string(&saved).unwrap();
    let mut wrong: Vec<String> =
        ["((((", "(", "[", "{", "(a", "(version: x", "(version: 1e", "(\"", "'", "()("]
            .map(str::to_owned)
            .into();
    // A character of every kind in place of each character of the document.
    for (at, sign) in right.char_indices().filter(|(_, sign)| "([{:,\"".contains(*sign)).take(60) {
        for other in ["(", "]", "%", "1"] {
            wrong.push(format!("{}{other}{}", &right[..at], &right[at + sign.len_utf8()..]));
        }
    }
    for text in wrong {
        fs::write(&file, &text).unwrap();
        let Err(failure) = Shell::default().run_line(&load).pop().unwrap() else {
            continue;
        };
        let said = failure.fault.to_string();
        for word in ["identifier", "here belongs", "Expected", "Unexpected", "struct", "Option"] {
            assert!(!said.contains(word), "{text}: {said}");
        }
        if said.contains("correct that place") {
            assert!(said.contains("line ") && said.contains("column "), "{text}: {said}");
        }
    }
    fs::write(&file, "((((").unwrap();
    refused(&load, &["line 1, column 2", "a name belongs here"]);
}

#[test]
fn suggestions_name_what_was_meant() {
    for (line, hint) in [
        ("search set dept=3", "did you mean `depth`?"),
        ("search set memo=bond", "did you mean `bound`?"),
        ("search set depth=x", "give a whole number from 1 to 255, or off"),
        ("weights sweep", "did you mean `weights compare --sweep`?"),
        ("weights rm mine", "did you mean `weights remove`?"),
        ("cache delete", "did you mean `cache remove` or `cache clear`?"),
        ("session open a.ron", "did you mean `session load`?"),
        ("search quit", "did you mean `quit`?"),
        ("cache find value<-0.5", "did you mean `cache list value<-0.5`?"),
        ("cache get value<-0.5", "did you mean `cache list value<-0.5`?"),
        ("cache remove value<0", "did you mean `cache remove --where \"value<0\"`?"),
        ("dump cache", "did you mean `cache save`?"),
        ("plot", "did you mean `picture chart`?"),
        ("resgn", "resign`?"),
        ("takebck", "did you mean `takeback`?"),
        ("depth=4", "did you mean `search set depth=…`?"),
        ("sweep mills", "did you mean `weights compare --sweep`?"),
        ("weights frobnicate", "weights set|show|define|use|list|remove|compare|tune|suite"),
        ("hint hint", "usage: engine hint"),
        ("set depth 5", "did you mean `depth=5`?"),
        ("cache set here depth", "usage: cache set KEY FIELD=VALUE…"),
        ("search set", "`search show` lists what can be set"),
    ] {
        refused(line, &[hint]);
    }
}

#[test]
fn a_command_as_argument_of_the_program_is_shown_how_to_run() {
    for (words, hint) in [
        (&["search", "run"][..], "`plyscope -c 'search run'`"),
        (&["play", "d6"], "`plyscope -c 'play d6'`"),
        (&["search run"], "`plyscope -c 'search run'`"),
        (
            &["--json", "search", "run", "--depth", "3"],
            "`plyscope --json -c 'search run --depth 3'`",
        ),
        (&["break", "if", "alpha > 0"], "`plyscope -c 'break if \"alpha > 0\"'`"),
        (&["echo", "it's"], "`plyscope -c 'echo \"it'\\''s\"'`"),
        (&["version"], "`plyscope --version` or `plyscope -c version`"),
        (&["help", "search"], "`plyscope -c 'help search'`"),
        (&["run", "--depth", "3"], "`plyscope -c 'run --depth 3'`"),
    ] {
        let done = plyscope().args(words).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(hint) && said.lines().count() == 1, "{words:?}: {said}");
    }
    let done = plyscope().arg("run").output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.contains("Usage: plyscope run <FILE>"), "`run` is a subcommand too: {said}");
}

#[test]
fn zsh_completes_within_quotes() {
    let offered = |word: &str| {
        let mut program = plyscope();
        program.env("PLYSCOPE_COMPLETE", "zsh").env("_CLAP_COMPLETE_INDEX", "2");
        let done = program.env("_CLAP_IFS", "\n").args(["--", "plyscope", "-c", word]).output();
        String::from_utf8(done.unwrap().stdout).unwrap()
    };
    // zsh passes a word as typed, and matches completions against the text within the quotes.
    let bare = offered("cache s");
    assert!(bare.lines().any(|line| line.starts_with("cache stats:")), "{bare}");
    for quoted in ["'cache s", "\"cache s", "'cache s'", "\"cache s\""] {
        assert_eq!(offered(quoted), bare, "{quoted}");
    }
    assert_eq!(offered("'game chess; play e"), offered("game chess; play e"));
}

#[test]
fn a_move_after_the_end_is_refused_because_the_game_is_over() {
    let mated = "game chess; play f3 e5 g4 Qh4#";
    let ended = "position set ww....../......../bbb..... b 0 0";
    let chess = ["the game is over: White is mated", "`undo` takes a move back"];
    for mv in ["a3", "e4", "Qxe8", "O-O", "e2e4", "nonsense"] {
        refused(&format!("{mated}; play {mv}"), &chess);
        refused(&format!("{mated}; step; explain move {mv}"), &["over"]);
    }
    for mv in ["a1", "d6-d7", "a7xb6", "zz"] {
        refused(
            &format!("{ended}; play {mv}"),
            &["the game is over: ", "`undo` takes a move back"],
        );
    }
    refused(&format!("{mated}; engine play"), &chess);
    refused(&format!("{mated}; break line=a3"), &chess);
    let too_long = "game chess; play f3 e5 g4; break line=\"Qh4# a3\"";
    refused(too_long, &["move 2 of the line: the game is over: White is mated"]);
    refused("game chess; play f3 e5 g4 Qh4# a3", &chess);
}

#[test]
fn going_to_a_place_stops_nowhere_else() {
    for game in ["morris", "chess"] {
        let begin = format!(
            "game {game}; search set depth=4; step; break kind=cutoff; tracepoint kind=leaf"
        );
        let there = last_json(&format!("{begin}; goto 2000"));
        assert_eq!(there["event"]["index"], 2000, "{game}: {there}");
        assert!(there["trace"].is_null(), "{game}: nothing is shown of the way");
        let hits = last_json(&format!("{begin}; goto 2000; info breakpoints"));
        assert_eq!(
            hits["breakpoints"][0]["hits"], 0,
            "{game}: what lies on the way is not counted"
        );
        // Forwards, backwards and forwards again reach the same event.
        let again = last_json(&format!("{begin}; goto 2000; goto 10; goto 2000"));
        assert_eq!(again["event"], there["event"], "{game}");
        let returned = last_json(&format!("{begin}; goto 1500; mark here; goto 3; goto here"));
        assert_eq!(returned["event"]["index"], 1500, "{game}");
        // `step` and `continue` still stop at breakpoints.
        for resume in ["step 2000", "continue"] {
            let stopped = last_json(&format!("{begin}; {resume}"));
            assert_eq!(stopped["event"]["kind"], "cutoff", "{game} {resume}: {stopped}");
        }
    }
}

#[test]
fn a_comparison_notes_equal_variants() {
    for game in ["morris", "chess"] {
        let equal = run(&format!("game {game}; search compare current root=best --depth 2")).1;
        assert!(equal.contains("`current` is run with root=best"), "{game}: {equal}");
        let others = run(&format!("game {game}; search compare current order=none --depth 2")).1;
        assert!(!others.contains("note:"), "{game}: {others}");
    }
}

#[test]
fn draw_rules_are_those_of_the_game() {
    let played = |game: &str| {
        last_json(&format!("game {game}; match run \"a: depth=1\" \"b: depth=1\""))["draws"].clone()
    };
    let names = |draws: &Value| draws.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&played("morris")), ["max_turns", "occurrences", "no_mill", "counting"]);
    assert_eq!(names(&played("chess")), ["max_turns", "occurrences"]);
    let bare = run("game chess; match run \"a: depth=1\" \"b: depth=1\"").1;
    assert!(!bare.lines().any(|line| line.trim_end() == "draws"), "none is in force: {bare}");
    let draws = "game chess; match run \"a: depth=1\" \"b: depth=1\" --draws no_mill=3";
    refused(draws, &["chess has no draw rule `no_mill`", "max_turns"]);
}

#[test]
fn few_games_are_reported_as_too_few() {
    let shown = |games: u32| {
        run(&format!("match run \"a: depth=1\" \"b: depth=3\" --games {games} --swap --openings 4"))
            .1
    };
    let few = shown(3);
    assert!(few.contains("too few to be sure of"), "{few}");
    for wrong in ["±", "100.0 %  +", "LOS 100.0", " 100.0 %\n"] {
        assert!(!few.contains(wrong), "{wrong}: {few}");
    }
    let many = shown(40);
    assert!(!many.contains("too few to be sure"), "{many}");
}

#[test]
fn a_word_too_many_names_the_command_that_takes_it() {
    for game in ["chess", "morris"] {
        for line in ["new", "position start"] {
            let hint = format!("did you mean `game {game}`?");
            refused(&format!("{line} {game}"), &["`position start` cannot take", &hint]);
        }
    }
    refused("new nothing", &["usage: position start"]);
}
