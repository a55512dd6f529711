//! Failures as text and as JSON.

use std::ffi::OsStr;

use unicode_width::UnicodeWidthStr;

use plyscope::{
    command::{Failure, FailureKind, Fault, Shell, SourcePlace},
    text::layout::on_page,
    view::{Colour, failure, failure_as},
};

fn failed(file: Option<&str>, width: usize) -> Failure {
    Failure {
        fault: Fault::new("no such entry").hint("look it up"),
        kind: FailureKind::Command,
        command: Some("cache get"),
        place: Some(SourcePlace {
            file: file.map(str::to_owned),
            line: 3,
            column: 5,
            source: "get\tö 99".to_owned(),
            width,
        }),
        trail: vec!["sourced at a.ply:1:1".to_owned()],
    }
}

#[test]
fn colours_need_a_terminal_and_no_color_unset() {
    assert_eq!(Colour::choose(true, None), Colour::On);
    assert_eq!(Colour::choose(true, Some(OsStr::new(""))), Colour::On);
    for value in ["0", "1", "no"] {
        assert_eq!(Colour::choose(true, Some(OsStr::new(value))), Colour::Off);
    }
    assert_eq!(Colour::choose(false, None), Colour::Off);
    assert!(failure(&failed(None, 1), Colour::On).contains("\x1b["));
}

#[test]
fn a_failure_in_a_file_as_text() {
    let text = failure(&failed(Some("b.ply"), 2), Colour::Off);
    assert_eq!(
        text,
        "b.ply:3:5: error: no such entry\n    get\tö 99\n       \t^^\nsourced at a.ply:1:1\nhelp: look it up"
    );
}

/// A quoted line is cut around the fault, so that it fits the page and the carets are below the fault.
#[test]
fn a_long_line_is_cut_around_its_fault() {
    let words: Vec<_> = (100..200).map(|word| format!("w{word}中")).collect();
    let source = words.join(" ");
    for (nth, word) in words.iter().enumerate() {
        let place = SourcePlace {
            file: None,
            line: 1,
            column: nth * 6 + 1,
            source: source.clone(),
            width: 5,
        };
        let failed = Failure { place: Some(place), ..failed(None, 5) };
        for columns in [24, 40, 80] {
            let text = on_page(columns, || failure(&failed, Colour::Off));
            let mut lines = text.lines().skip(1);
            let (line, carets) = (lines.next().unwrap(), lines.next().unwrap());
            assert!(line.width() <= columns && carets.ends_with(" ^^^^^^"), "{text}");
            let before = line.split_once(word).unwrap().0;
            assert_eq!(before.width(), carets.width() - 6, "{text}");
            assert_eq!(line.ends_with('…'), !line.ends_with("w199中"), "{text}");
        }
    }
    let place = SourcePlace { file: None, line: 1, column: 9, source, width: 300 };
    let failed = Failure { place: Some(place), ..failed(None, 5) };
    let text = on_page(40, || failure(&failed, Colour::Off));
    assert!(text.lines().take(3).all(|line| line.width() <= 40), "{text}");
}

#[test]
fn a_failure_in_a_typed_line_as_text() {
    let text = failure(&failed(None, 0), Colour::Off);
    assert_eq!(text, "error: no such entry\nsourced at a.ply:1:1\nhelp: look it up");
}

#[test]
fn a_failure_as_json() {
    let text = failure_as(&failed(Some("b.ply"), 1), true, Colour::Off);
    assert_eq!(
        text,
        r#"{"error":{"message":"no such entry","file":"b.ply","line":3,"column":5,"hint":"look it up"}}"#
    );
}

/// The core says what is missing; commands say how to get it.
#[test]
fn remedies_of_the_core_are_given_as_commands() {
    for (line, help) in [
        ("where", "`step` or `search run` starts one"),
        ("search set record=off; step; back", "`search set record=on`, then `search run` or"),
        ("search run --budget 9; step", "after `search set budget=N`, `continue` goes on"),
        ("step; timeline use x", "`timeline` lists the timelines"),
        ("step; fork x; fork x", "`timeline` lists the timelines"),
        (
            "search set memo=none; cache set here value=0",
            "`search set memo=interval` chooses a policy",
        ),
    ] {
        for game in ["morris", "chess"] {
            let mut shell = Shell::default();
            shell.run_line(&format!("game {game}"));
            let failed = shell.run_line(line).pop().unwrap().unwrap_err();
            let text = failure(&failed, Colour::Off);
            assert!(text.contains(&format!("\nhelp: {help}")), "{game} {line}: {text}");
        }
    }
}
