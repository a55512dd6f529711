//! Completions of a line, and the kind of each of its parts.

use plyscope::{
    command::{
        Completions,
        highlight::{Highlight, highlights},
    },
    engine::session::cache::CacheEdit,
};
use proptest::prelude::*;

use crate::toy;

fn completions() -> Completions {
    let mut shell = toy::shell();
    shell.set_alias("cow", "back 1".to_owned());
    shell.completions()
}

fn offered(line: &str) -> Vec<String> {
    let (start, candidates) = completions().complete(line);
    candidates
        .into_iter()
        .map(|candidate| format!("{}{}", &line[..start], candidate.replacement))
        .collect()
}

#[test]
fn command_names_are_read_word_by_word() {
    assert_eq!(offered("cac"), ["cache "]);
    assert_eq!(offered("back 1; co"), ["back 1; cow "]);
    assert_eq!(offered("cache s"), ["cache set ", "cache stats "]);
    assert!(offered("").len() > 5);
}

/// Of the files, `open` is offered those that it opens, each with its kind.
#[test]
fn open_is_offered_what_it_opens() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("a.pgn", "[Event \"?\"]\n\n1. e4 *\n"),
        ("b.jsonl", "{\"plytrace\":1}\n"),
        ("c.ply", "search run\n"),
        ("d.png", "\u{1}"),
        ("e.md", "words\n"),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let begin = format!("{}/", folder.path().display());
    let found = completions_of_shell().complete(&format!("open {begin}")).1;
    let found: Vec<_> = found.iter().map(|it| (it.display.as_str(), &*it.help)).collect();
    let opened = [("a.pgn", "games in PGN"), ("b.jsonl", "a trace"), ("c.ply", "a script")];
    assert_eq!(found, opened);
    assert_eq!(completions_of_shell().complete(&format!("source {begin}")).1.len(), files.len());
}

/// While a trace is open, only commands that work on it are offered.
#[test]
fn a_trace_is_offered_its_own_commands() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl").display().to_string();
    let mut shell = plyscope::command::Shell::default();
    shell.look_up(&format!("trace record '{file}' --depth 1")).unwrap();
    let settings = |shell: &plyscope::command::Shell| shell.completions().complete("search set ").1;
    assert!(!settings(&shell).is_empty());
    shell.look_up(&format!("trace open '{file}'")).unwrap();
    assert!(settings(&shell).is_empty());
    assert!(!shell.completions().complete("trace ").1.is_empty());
}

fn completions_of_shell() -> Completions {
    plyscope::command::Shell::default().completions()
}

#[test]
fn completion_offers_arguments_by_kind() {
    assert_eq!(offered("cache get 9"), ["cache get 99:0 "]);
    assert_eq!(offered("ca g "), ["ca g 99:0 ", "ca g aa:1 "]);
    assert_eq!(offered("cache set 99:0 b"), ["cache set 99:0 bound="]);
    assert_eq!(offered("cache set 99:0 d"), ["cache set 99:0 depth="]);
    assert_eq!(offered("cache set 99:0 bound=e"), ["cache set 99:0 bound=exact"]);
    assert_eq!(offered("back --o"), ["back --over "]);
    assert_eq!(offered("back --over --"), ["back --over --json ", "back --over --limit "]);
    assert_eq!(offered("help cache g"), ["help cache get "]);
    assert_eq!(offered("expect cache st"), ["expect cache stats "]);
    assert_eq!(offered("expect error cache st"), ["expect error cache stats "]);
    assert_eq!(offered("alias x = cache st"), ["alias x = cache stats "]);
    assert_eq!(offered("nonsense "), Vec::<String>::new());
}

#[test]
fn files_are_quoted_where_they_must_be() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a b"), "").unwrap();
    std::fs::create_dir(folder.path().join("ab")).unwrap();
    std::fs::write(folder.path().join(".hidden"), "").unwrap();
    let line = format!("source {}/", folder.path().display());
    let path = folder.path().display();
    assert_eq!(offered(&line), [format!("source '{path}/a b' "), format!("source {path}/ab/")]);
}

/// Hidden files are offered once their dot is typed, in any folder; the dot of `./` does not count.
#[test]
fn hidden_files_are_offered_once_their_dot_is_typed() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().display().to_string();
    for name in ["seen", ".hidden"] {
        std::fs::write(home.path().join(name), "").unwrap();
        std::fs::create_dir(home.path().join(format!("{name}.d"))).unwrap();
    }
    let names = |typed: &str| {
        let completions = plyscope::command::Shell::default().completions();
        let line = format!("source {folder}/{typed}");
        let (_, candidates) = completions.complete(&line);
        let mut names: Vec<_> =
            candidates.into_iter().map(|candidate| candidate.display.clone()).collect();
        names.sort();
        names
    };
    assert_eq!(names(""), ["seen", "seen.d/"]);
    assert_eq!(names("./"), ["seen", "seen.d/"]);
    assert_eq!(names("seen.d/../"), ["seen", "seen.d/"]);
    assert_eq!(names("."), [".hidden", ".hidden.d/"]);
    assert_eq!(names("./."), [".hidden", ".hidden.d/"]);
    assert_eq!(names("./.h"), [".hidden", ".hidden.d/"]);
}

#[test]
fn the_usage_hint_shows_the_remaining_arguments() {
    let hint = |line| completions().usage_hint(line);
    assert_eq!(hint("cache get "), Some("KEY".to_owned()));
    assert_eq!(hint("cache get 99:0 "), None);
    assert_eq!(hint("back "), Some("[N] [--over] [--limit N]".to_owned()));
    assert_eq!(hint("back 3 --over "), Some("[--limit N]".to_owned()));
    assert_eq!(hint("cache"), None);
}

fn highlighted(line: &str) -> Vec<(&str, Highlight)> {
    let completions = toy::shell().completions();
    highlights(line, &completions)
        .into_iter()
        .map(|(span, highlight)| (&line[span], highlight))
        .collect()
}

#[test]
fn a_lines_parts_have_their_kinds() {
    let line = "cache get 99:0 --json; frobnicate # no\nback 3 'x'";
    assert_eq!(
        highlighted(line),
        [
            ("cache", Highlight::Command),
            ("get", Highlight::Command),
            ("--json", Highlight::Flag),
            ("frobnicate", Highlight::Unknown),
            ("# no", Highlight::Comment),
            ("back", Highlight::Command),
            ("3", Highlight::Number),
            ("'x'", Highlight::Quoted),
        ]
    );
    assert_eq!(highlighted("# all"), [("# all", Highlight::Comment)]);
}

/// Keys are offered with their entries in words.
#[test]
fn keys_have_their_entries_as_help() {
    for game in ["chess", "morris"] {
        let mut shell = plyscope::command::Shell::default();
        for line in [&*format!("game {game}"), "search run --depth 2"] {
            shell.look_up(line).unwrap();
        }
        let offered = shell.completions().complete("cache get ").1;
        assert!(offered.len() > 3, "{offered:?}");
        for offer in offered.iter().take(4) {
            let stored: CacheEdit =
                shell.look_up_as(&format!("cache get {}", offer.display)).unwrap();
            let details = stored.entry.unwrap().details();
            assert!(details.starts_with(&*offer.help), "{game}: {offer:?}: {details}");
            assert!(offer.help.ends_with(" exact at depth 1"), "{game}: {offer:?}");
        }
    }
}

#[test]
fn the_beginning_of_a_command_is_not_marked_unknown() {
    assert_eq!(highlighted("cache s"), []);
    assert_eq!(highlighted("cache "), []);
    assert_eq!(highlighted("cache x"), [("cache", Highlight::Unknown), ("x", Highlight::Unknown)]);
    assert_eq!(highlighted("cache s "), [("cache", Highlight::Unknown), ("s", Highlight::Unknown)]);
}

/// Each first word has a description: the summary of its command, or the commands that it begins. Abbreviations are offered once a
/// letter is typed.
#[test]
fn every_first_word_is_offered_with_a_description() {
    let completions = plyscope::command::Shell::default().completions();
    let offered = completions.complete("").1;
    let help = |word: &str| offered.iter().find(|it| it.display == word).map(|it| &*it.help);
    assert!(offered.iter().all(|offer| !offer.help.is_empty()), "{offered:?}");
    assert!(help("search").unwrap().starts_with("commands: "), "{:?}", help("search"));
    assert_eq!(help("play"), Some("plays moves"));
    assert_eq!((help("b"), help("bt")), (None, None));
    let with_letter = completions.complete("b").1;
    assert!(with_letter.iter().any(|offer| offer.display == "bt"), "{with_letter:?}");
}

/// An empty line offers first what is useful where the search is.
#[test]
fn commands_that_fit_the_state_come_first() {
    for game in ["chess", "morris"] {
        let mut shell = plyscope::command::Shell::default();
        shell.look_up(&format!("game {game}")).unwrap();
        for (line, first) in [
            ("position show", ["play", "hint", "search", "step"].as_slice()),
            ("until cutoff", &["where", "explain", "back"]),
            ("search run --depth 3", &["explain", "back"]),
        ] {
            shell.look_up(line).unwrap();
            let completions = shell.completions();
            let found = completions.complete("").1;
            let names: Vec<_> = found.iter().map(|it| it.display.as_str()).collect();
            assert_eq!(&names[..first.len()], first, "{game}: {line}");
            assert!(names[first.len()..].is_sorted(), "{game}: {line}: {names:?}");
            assert!(completions.complete("s").1.is_sorted_by_key(|it| &it.display));
        }
    }
}

proptest! {
    #[test]
    fn highlights_never_overlap(line in "[a1'\"\\\\(){};:# \n=-]{0,30}|\\PC{0,20}") {
        let completions = Completions::default();
        let mut last = 0;
        for (span, _) in highlights(&line, &completions) {
            prop_assert!(span.start >= last && line.get(span.clone()).is_some());
            last = span.end;
        }
    }
}

#[test]
fn conditions_are_offered_with_their_meanings() {
    let (_, found) = plyscope::command::Shell::default().completions().complete("break d");
    let depth = found.iter().find(|candidate| candidate.display == "depth=").unwrap();
    assert_eq!(depth.help, "remaining depth in plies");
}

#[test]
fn settings_are_offered_with_their_meanings_and_hints_name_their_values() {
    let completions = plyscope::command::Shell::default().completions();
    for line in ["search set d", "search set deepening=", "search set algorithm="] {
        let (_, found) = completions.complete(line);
        assert!(found.len() > 1 && found.iter().all(|it| !it.help.is_empty()), "{line} {found:?}");
    }
    // The settings that every summary shows come first, in its order.
    let (_, found) = completions.complete("search set ");
    let first: Vec<_> = found.iter().take(5).map(|offer| offer.display.as_str()).collect();
    assert_eq!(first, ["fidelity=", "algorithm=", "order=", "depth=", "budget="]);
    // A number is typed: its only word is not completed in its place.
    assert!(completions.complete("search set depth=").1.is_empty());
    let hint = completions.usage_hint("search set depth=");
    assert_eq!(hint.as_deref(), Some(" a whole number from 1 to 255, or off"));
    let hint = completions.usage_hint("break depth=");
    assert_eq!(hint.as_deref(), Some(" remaining depth in plies"));
    let hint = completions.usage_hint("search run --depth ").unwrap();
    assert!(hint.starts_with("1 to 255: ") && !hint.contains("--budget"), "{hint}");
    let hint = completions.usage_hint("cache set here value=");
    assert_eq!(hint.as_deref(), Some(" such as -0.5"));
    assert_eq!(completions.usage_hint("cache set here value=5"), None);
    let mut shell = plyscope::command::Shell::default();
    shell.look_up("game chess").unwrap();
    let hint = shell.completions().usage_hint("cache set here value=5");
    assert_eq!(hint.as_deref(), Some("  5 is +0.05 pawns; 5.0 is 5 pawns"));
    assert_eq!(completions.usage_hint("cache set here much="), None);
}

/// Names of conditions come before their values, which are offered after `=`; each has its meaning.
#[test]
fn kinds_of_events_are_offered_after_the_names_of_conditions_with_their_meanings() {
    let completions = plyscope::command::Shell::default().completions();
    let complete = |line: &str| completions.complete(line).1;
    for line in ["break ", "tbreak ", "tracepoint ", "catch cutoff "] {
        let found = complete(line);
        let names: Vec<_> = found.iter().map(|offer| offer.display.as_str()).collect();
        let conditions =
            ["class=", "depth=", "fails=", "key=", "kind=", "line=", "ply=", "position=", "if"];
        assert_eq!(names, conditions, "{line}");
        assert!(found.iter().all(|offer| !offer.help.is_empty()), "{line} {found:?}");
    }
    for line in ["break kind=", "tracepoint kind=", "catch ", "until ", "break fails="] {
        let found = complete(line);
        assert!(line == "break fails=" || found.len() > 20, "{line} {found:?}");
        for offer in found {
            assert!(!offer.help.is_empty() && !offer.help.contains('\n'), "{line} {offer:?}");
            assert!(!offer.display.ends_with('='), "{line} {offer:?}");
        }
    }
    let cutoff = complete("break kind=cut").remove(0);
    assert_eq!(
        (cutoff.display.as_str(), &*cutoff.help),
        ("kind=cutoff", "a child's value reaches β, so the node's other moves are not searched")
    );
}

/// A command that opens files of one kind completes only those.
#[test]
fn files_are_offered_to_the_commands_that_open_them() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.jsonl", "{\"plytrace\":1}\n"),
        ("b.pgn", "[Event \"?\"]\n\n1. e4 *\n"),
        ("c.ron", "(game: \"chess\")"),
        ("d.txt", "nothing"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let completions = plyscope::command::Shell::default().completions();
    for (command, due) in [
        ("open", &["a.jsonl", "b.pgn", "c.ron"][..]),
        ("trace open", &["a.jsonl"]),
        ("pgn load", &["b.pgn"]),
        ("session load", &["c.ron"]),
        ("cache load", &["a.jsonl", "b.pgn", "c.ron", "d.txt"]),
    ] {
        let (_, found) = completions.complete(&format!("{command} {}/", folder.path().display()));
        let names: Vec<_> = found.iter().map(|it| it.display.trim()).collect();
        assert_eq!(names, due, "{command}");
    }
}
