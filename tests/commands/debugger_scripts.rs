//! Command lists of breakpoints: in scripts, from standard input and typed.

use std::{
    collections::BTreeSet,
    io::Write as _,
    process::{Command, Stdio},
};

use serde_json::Value;

use plyscope::{
    command::{Outcome, Shell},
    engine::session::breakpoints::BreakpointList,
    view,
};

const SETUP: &str =
    "position set ..b..wwb/.bwwbwb./b..w..w. b 2 3; search set depth=3 memo=interval";

/// Runs a line and returns its printed replies.
fn run(shell: &mut Shell, line: &str) -> Vec<String> {
    let text = |outcome: Outcome| match outcome {
        Ok(response) => view::response(&response),
        Err(failure) => format!("error: {} {:?}", failure.fault, failure.trail),
    };
    shell.run_line(line).into_iter().map(text).collect()
}

fn shell() -> Shell {
    let mut shell = Shell::default();
    run(&mut shell, SETUP);
    shell
}

/// Whole numbers are in centipawns, but values are shown in pawns.
#[test]
fn a_whole_number_for_a_value_is_explained_in_chess() {
    for game in ["chess", "morris"] {
        let mut shell = Shell::default();
        run(&mut shell, &format!("game {game}; search run --depth 2"));
        for line in [
            "cache set here value=N",
            "cache list --where \"value < N and depth < 99\"",
            "break if value > N",
        ] {
            for (value, noted) in [("12", true), ("12.0", false)] {
                let text = run(&mut shell, &line.replace('N', value)).concat();
                let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let note = "note: 12 is +0.12 pawns; 12.0 is 12 pawns";
                assert_eq!(words.contains(note), noted && game == "chess", "{game}: {text}");
                assert!(!words.contains("99 is in"), "{game}: {text}");
            }
        }
    }
}

#[test]
fn commands_run_when_their_breakpoint_stops() {
    let mut shell = shell();
    run(&mut shell, "break kind=cutoff; commands 1 \"print ply; echo 'x; y'\"");
    let replies = run(&mut shell, "continue; echo after");
    assert_eq!(replies.len(), 4, "{replies:?}");
    assert!(replies[0].contains("breakpoint 1, after"), "{replies:?}");
    assert!(replies[1].starts_with("ply"), "{replies:?}");
    assert_eq!(replies[2..], ["x; y", "after"]);
    // `search result` reports the stop, but does not stop.
    assert_eq!(run(&mut shell, "search result").len(), 1);
    // `search run` stops there as well.
    assert_eq!(run(&mut shell, "search run").len(), 3);
    assert_eq!(run(&mut shell, "commands 1 ''; continue").len(), 2);
}

#[test]
fn silent_breakpoints_still_reply_in_json() {
    let mut shell = shell();
    let replies = run(&mut shell, "break kind=cutoff\ncommands\nsilent\nend\ncontinue");
    assert_eq!(replies.last().map(String::as_str), Some(""));
    let replies = run(&mut shell, "continue --json");
    assert!(replies[0].contains("\"breakpoint\":1"), "{replies:?}");
}

#[test]
fn command_lists_that_resume_do_not_nest() {
    let mut shell = shell();
    run(&mut shell, "break kind=leaf; commands 1 'silent; continue; echo never'");
    let replies = run(&mut shell, "continue");
    // Each stop runs the list from its beginning. The end of the search is no stop, so that the last list continues
    // after it.
    assert!(replies.len() > 100);
    let printed: Vec<_> = replies.iter().filter(|response| !response.is_empty()).collect();
    assert_eq!(printed.len(), 2, "{printed:?}");
    assert!(printed[0].contains("done: the depth asked for is complete"));
    assert_eq!(printed[1], "never");
}

#[test]
fn a_temporary_breakpoint_runs_its_commands_once() {
    let mut shell = shell();
    run(&mut shell, "tbreak kind=cutoff; commands 1 'echo once'");
    assert_eq!(run(&mut shell, "continue")[1], "once");
    assert_eq!(run(&mut shell, "continue").len(), 1);
}

#[test]
fn a_temporary_breakpoint_is_removed_going_back_too() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        run(
            &mut shell,
            &format!("game {game}; step 3000; tbreak kind=cutoff; commands 1 'echo once'"),
        );
        assert_eq!(run(&mut shell, "back continue")[1], "once", "{game}");
        assert_eq!(run(&mut shell, "break"), ["no breakpoints"], "{game}");
        let back = run(&mut shell, "back continue");
        assert!(back.len() == 1 && back[0].contains("the recording begins here"), "{back:?}");
    }
}

#[test]
fn lists_may_hold_lists() {
    let mut shell = shell();
    run(&mut shell, "break kind=cutoff; tbreak kind=raise");
    run(&mut shell, "commands 2\ncommands 1\necho inner\nend\necho outer\nend");
    let Ok(response) = shell.run_line("info breakpoints").pop().unwrap() else {
        panic!("a list");
    };
    let Some(list) = response.reply.downcast_ref::<BreakpointList>() else {
        panic!("breakpoints");
    };
    assert_eq!(list.breakpoints[1].commands, ["commands 1\necho inner\nend", "echo outer"]);
    assert_eq!(run(&mut shell, "continue").last().map(String::as_str), Some("outer"));
    assert_eq!(run(&mut shell, "continue").last().map(String::as_str), Some("inner"));
}

#[test]
fn a_failure_in_a_command_list_names_its_breakpoint() {
    let mut shell = shell();
    run(&mut shell, "break kind=cutoff; commands 1 'frame 99; echo never'");
    let replies = run(&mut shell, "continue; echo never");
    assert_eq!(replies.len(), 2, "{replies:?}");
    assert!(replies[1].contains("no frame 99"), "{replies:?}");
    assert!(replies[1].contains("in the commands of breakpoint 1: frame 99"), "{replies:?}");
}

#[test]
fn a_comparison_without_if_is_told_where_it_belongs() {
    for game in ["morris", "chess"] {
        let mut shell = shell();
        let error = run(&mut shell, &format!("game {game}; break kind=cutoff depth>=2")).pop();
        assert!(error.unwrap().contains("comparisons follow `if`: `if depth>=2`"), "{game}");
        let found = run(&mut shell, "break kind=cutoff if depth>=2; info breakpoints").pop();
        assert!(found.unwrap().contains("depth>=2"), "{game}");
    }
}

#[test]
fn mistakes_are_found_when_the_list_is_given() {
    let mut shell = shell();
    run(&mut shell, "break kind=cutoff");
    let error = |line: &str, shell: &mut Shell| run(shell, line).pop().unwrap();
    assert!(error("commands 1 'wehre'", &mut shell).contains("did you mean `where`"));
    assert!(error("commands 9\nwhere\nend", &mut shell).contains("no breakpoint 9"));
    assert!(error("commands 1\nwhere", &mut shell).contains("never ended by `end`"));
    assert!(error("end", &mut shell).contains("no list of commands to end"));
    assert!(error("silent", &mut shell).contains("start of a breakpoint's list of commands"));
    assert!(error("tracepoint kind=hit; commands 2 where", &mut shell).contains("never stops"));
    let listed = run(&mut shell, "info breakpoints").pop().unwrap();
    assert!(!listed.contains('>'), "{listed}");
}

#[test]
fn faults_point_into_the_expression() {
    let mut shell = shell();
    for (line, culprit) in [
        ("break ply=2 if alhpa > 0", "alhpa"),
        ("catch cutoff if value > hti", "hti"),
        ("watch best 1 if vlue > 0", "vlue"),
        ("rwatch here:1 if memo == ht", "ht"),
        ("print beta - alhpa", "alhpa"),
        ("display alhpa", "alhpa"),
        ("break d6", "d6"),
        ("catch cutof", "cutof"),
        ("break ply=2 kind=cutof", "cutof"),
    ] {
        let failure = shell.run_line(line).pop().unwrap().unwrap_err();
        let at = failure.fault.at.clone().unwrap_or_else(|| panic!("{line}: {failure:?}"));
        assert_eq!(&line[at], culprit, "{line}: {failure:?}");
        assert!(failure.fault.hint.is_some(), "{line}");
    }
    run(&mut shell, "break ply=1");
    let failure = shell.run_line("condition 1 alpha >").pop().unwrap().unwrap_err();
    assert!(failure.fault.message.contains("missing at the end"));
}

#[test]
fn standard_input_waits_for_the_end_of_a_list() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let script =
        format!("{SETUP}\nbreak kind=cutoff\ncommands 1\nsilent\necho stopped\nend\ncontinue\n");
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().last(), Some("stopped"), "{printed}");
}

/// The verdict on an answer to the first question of a quiz, or the fault of an answer that cannot be read.
fn quiz_verdict(seed: u64, answer: &str) -> Result<Value, String> {
    let mut shell = Shell::default();
    run(
        &mut shell,
        &format!("search set depth=4 random={seed}; play d6 f4 d2; step 500; quiz next"),
    );
    let outcome = shell.run_line(answer).pop().unwrap();
    let response = outcome.map_err(|failure| failure.fault.to_string())?;
    Ok(serde_json::to_value(&*response.reply).unwrap()["verdict"].take())
}

/// A window without bounds is right however its bounds are written.
#[test]
fn an_infinite_window_is_a_right_answer_to_the_quiz() {
    for game in ["morris", "chess"] {
        for answer in ["-inf inf", "−∞ +∞", "-∞ ∞"] {
            let mut shell = Shell::default();
            run(&mut shell, &format!("game {game}; search set depth=2; step"));
            run(&mut shell, "until iteration; quiz on");
            let reply = |shell: &mut Shell, line: &str| {
                let response = shell.run_line(line).pop().unwrap().unwrap();
                serde_json::to_value(&*response.reply).unwrap()
            };
            // The first node of the second ply has the window of the root.
            let mut question = || reply(&mut shell, "step")["question"].take();
            let asked = (0..9).map(|_| question()).find(|question| !question.is_null());
            assert_eq!(asked.unwrap()["ask"], "window", "{game}");
            let quiz = reply(&mut shell, &format!("quiz answer {answer}"));
            assert_eq!(quiz["verdict"]["right"], true, "{game} {answer}: {quiz}");
        }
    }
}

/// Near the end of a search, the quiz asks about one of the events that are left.
#[test]
fn the_quiz_asks_about_the_last_events() {
    for game in ["morris", "chess"] {
        for seed in 0..8 {
            let mut shell = Shell::default();
            run(&mut shell, &format!("game {game}; search set depth=2 random={seed}; search run"));
            run(&mut shell, "back 6; quiz next");
            let score = shell.run_line("quiz").pop().unwrap().unwrap();
            let quiz = serde_json::to_value(&*score.reply).unwrap();
            assert!(!quiz["question"].is_null() && quiz["over"] == false, "{game} {seed}: {quiz}");
        }
    }
}

#[test]
fn quiz_answers_are_read_as_people_write_them() {
    let mut kinds_of_questions = BTreeSet::new();
    for seed in 0..24 {
        let verdict = quiz_verdict(seed, "quiz pass").unwrap();
        let right = |answer: &str| {
            quiz_verdict(seed, &format!("quiz answer {answer}")).unwrap()["right"] == true
        };
        let unread = |answer: &str| quiz_verdict(seed, &format!("quiz answer {answer}")).is_err();
        let score = |score: &Value| match score.as_f64() {
            Some(score) => format!("{score:.4}"),
            None => score.as_str().unwrap().to_owned(),
        };
        let expected: Vec<_> = verdict["expected"].as_array().unwrap().iter().map(score).collect();
        match expected.as_slice() {
            [] => {
                let cut = verdict["cutoff"] == true;
                assert!(right("yes") == cut && right("no") != cut && unread("perhaps"));
            }
            [value] => {
                assert!(right(value) && !right("7.5") && unread(&format!("{value} 1")));
            }
            [low, high, ..] => {
                for text in
                    [format!("{low} {high}"), format!("{low}, {high}"), format!("{low} to {high}")]
                {
                    assert!(right(&text), "{text}");
                }
                assert!(!right("7.5 8") && unread(low) && unread("high"));
            }
        }
        kinds_of_questions.insert(verdict["question"]["ask"].as_str().unwrap().to_owned());
    }
    assert_eq!(kinds_of_questions.len(), 3, "{kinds_of_questions:?}");
}
