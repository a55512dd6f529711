//! Failures as people and programs read them.

use std::ffi::OsStr;

use plyscope::{
    command::{Failure, FailureKind, Fault, SourcePlace},
    view::{Colour, failure, told},
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
fn colours_need_a_terminal_and_nobodys_refusal() {
    assert_eq!(Colour::choose(true, None), Colour::On);
    assert_eq!(Colour::choose(true, Some(OsStr::new(""))), Colour::On);
    for value in ["0", "1", "no"] {
        assert_eq!(Colour::choose(true, Some(OsStr::new(value))), Colour::Off);
    }
    assert_eq!(Colour::choose(false, None), Colour::Off);
    assert!(failure(&failed(None, 1), Colour::On).contains("\x1b["));
}

#[test]
fn a_failure_in_a_file() {
    let text = failure(&failed(Some("b.ply"), 2), Colour::Off);
    assert_eq!(
        text,
        "b.ply:3:5: error: no such entry\n    get\tö 99\n       \t^^\nsourced at a.ply:1:1\nhelp: look it up"
    );
}

#[test]
fn a_failure_in_a_typed_line() {
    let text = failure(&failed(None, 0), Colour::Off);
    assert_eq!(text, "error: no such entry\nsourced at a.ply:1:1\nhelp: look it up");
}

#[test]
fn a_failure_for_programs() {
    let text = told(&failed(Some("b.ply"), 1), true, Colour::Off);
    assert_eq!(
        text,
        r#"{"error":{"message":"no such entry","file":"b.ply","line":3,"column":5,"hint":"look it up"}}"#
    );
}
