//! The line editor's hints and colours while a line is typed.

use std::sync::{Arc, Mutex};

use plyscope::{
    command::Completions,
    repl::helper::{Helper, InlineHint, awaits_more},
    view::Colour,
};
use rustyline::{
    Context,
    completion::{Candidate, Completer as _},
    highlight::Highlighter as _,
    hint::Hinter as _,
    history::{DefaultHistory, History as _},
};

fn helper(colour: Colour) -> Helper {
    Helper::new(Arc::default(), colour)
}

#[test]
fn colours_change_no_character() {
    let line = "echo 'x' 3 --json; nonsense # no";
    let painted = helper(Colour::On).highlight(line, 0).into_owned();
    assert!(painted.contains("\x1b[4;38;5;208mnonsense\x1b[0m"));
    let mut plain = String::new();
    for piece in painted.split('\x1b') {
        plain.push_str(
            piece.strip_prefix('[').map_or(piece, |piece| &piece[piece.find('m').unwrap() + 1..]),
        );
    }
    assert_eq!(plain, line);
    assert_eq!(helper(Colour::Off).highlight(line, 0), line);
}

#[test]
fn hints_come_from_the_history_or_the_command_table() {
    let mut history = DefaultHistory::new();
    history.add("echo hello").unwrap();
    let context = Context::new(&history);
    let hint = |line: &str| helper(Colour::Off).hint(line, line.len(), &context);
    assert_eq!(hint("echo h"), Some(InlineHint::PastLines("ello".to_owned())));
    assert_eq!(hint("source "), Some(InlineHint::Usage("FILE".to_owned())));
    assert_eq!(hint("source "), hint("source "));
    assert_eq!(hint("nonsense "), None);
    // A line that has failed is not suggested.
    let mut completions = Completions::default();
    completions.failed.push("echo hello".to_owned());
    let hint =
        Helper::new(Arc::new(Mutex::new(completions)), Colour::Off).hint("echo h", 6, &context);
    assert_ne!(hint, Some(InlineHint::PastLines("ello".to_owned())));
}

#[test]
fn an_open_quote_is_shown_until_an_empty_line() {
    let history = DefaultHistory::new();
    let context = Context::new(&history);
    let hint = |line: &str| helper(Colour::Off).hint(line, line.len(), &context);
    let waits = awaits_more;
    for (open, what) in [
        ("echo 'a", "this quote is never closed"),
        ("print (1", "this `(` is never closed"),
        ("commands 1", "these commands are never ended by `end`"),
    ] {
        assert!(waits(open));
        let Some(InlineHint::Usage(said)) = hint(&format!("{open}\n")) else {
            panic!("{open}");
        };
        assert!(said.contains(what) && said.contains("Enter gives up"), "{said}");
        assert!(waits(&format!("{open}\nmore")));
        assert!(!waits(&format!("{open}\nmore\n")));
        assert!(!waits(&format!("{open}\n")));
    }
    assert!(!waits("echo 'a\nb'"));
}

#[test]
fn completion_replaces_the_word_under_the_cursor() {
    let history = DefaultHistory::new();
    let (start, offers) =
        helper(Colour::Off).complete("echo; unal x", 10, &Context::new(&history)).unwrap();
    let replacements: Vec<_> = offers.iter().map(Candidate::replacement).collect();
    assert_eq!((start, replacements), (6, vec!["unalias "]));
}
