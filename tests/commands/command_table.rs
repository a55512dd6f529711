//! The command table: properties of every command, and how commands are found.

use std::collections::{BTreeSet, HashSet};

use crate::toy;
use plyscope::{
    command::{
        Args, CommandSpec, Completions, DEFINITIONS, FAMILIES, Form, Shell, lexer, markdown, table,
    },
    engine::session::reply::{PlainReply, boxed},
};

#[test]
fn no_two_commands_share_a_name() {
    let mut seen = HashSet::new();
    for (name, _) in table().names() {
        assert!(seen.insert(name), "{name} is there once");
    }
}

#[test]
fn manuals_and_handlers_have_the_same_commands() {
    for (chapter, family) in DEFINITIONS.iter().zip(FAMILIES.iter()) {
        let listed: BTreeSet<_> = family.commands.iter().map(|spec| spec.name).collect();
        let run: BTreeSet<_> = chapter.run.iter().map(|(name, ..)| *name).collect();
        assert_eq!(listed, run, "{}", chapter.title);
    }
}

#[test]
fn kinds_of_parameters_are_spelled_right() {
    let lists = DEFINITIONS.iter().flat_map(|chapter| chapter.lists);
    let lists: Vec<_> = lists.map(|list| format!("@{}", list.name)).collect();
    let distinct: HashSet<_> = lists.iter().collect();
    assert_eq!(distinct.len(), lists.len(), "lists have names of their own");
    let lines = DEFINITIONS.iter().flat_map(|chapter| chapter.manual.lines());
    for line in lines.filter_map(|line| line.strip_prefix("  - ")) {
        let columns: Vec<_> = line.splitn(3, "  ").collect();
        if let [spelling, other] = *columns {
            if let Some(other) = other.strip_prefix("see ") {
                let spec = table().specs().find(|spec| spec.name == other);
                let spec = spec.unwrap_or_else(|| panic!("{line}"));
                let mut named =
                    spelling.split(", ").map(|name| name.trim_matches(['[', ']', '-', '=', '…']));
                assert!(named.all(|name| spec.params.iter().any(|it| it.name == name)), "{line}");
            }
            continue;
        }
        let kind = columns[1].trim_start_matches("many ").trim_start_matches("rest ");
        let kind = kind.trim_start_matches("verbatim ");
        let known = ["count", "score", "text", "file", "command", "line", "one of"].contains(&kind);
        assert!(known || kind.contains("..") || lists.iter().any(|list| list == kind), "{line}");
    }
}

#[test]
fn names_are_plain_lower_case_words() {
    for (name, _) in table().names() {
        let plain = |word: &str| {
            !word.is_empty()
                && !word.contains(|c: char| c.is_uppercase() || "'\"#;()[]{}=\\".contains(c))
        };
        assert!(name.split(' ').all(plain), "{name}");
    }
}

#[test]
fn every_command_explains_itself() {
    for spec in table().specs() {
        let name = spec.name;
        assert!(!spec.summary.is_empty() && !spec.summary.ends_with('.'), "{name}: summary");
        assert!(!spec.examples.is_empty(), "{name}: examples");
        for param in &spec.params {
            assert!(!param.help.is_empty(), "{name}: help for {}", param.name);
        }
        assert!(
            spec.details.is_empty() || spec.details.ends_with('.'),
            "{name}: details are sentences"
        );
    }
}

#[test]
fn the_parameters_of_a_command_have_distinct_names() {
    for spec in table().specs() {
        let names: HashSet<_> = spec.params.iter().map(|param| param.name).collect();
        assert_eq!(names.len(), spec.params.len(), "{}", spec.name);
        let positional: Vec<_> = spec.params.iter().filter(|param| param.is_positional()).collect();
        let words = positional.iter().take_while(|param| param.form == Form::Word).count();
        assert!(positional.len() - words <= 1, "{}: only the last one takes many words", spec.name);
        let optional = positional.iter().skip_while(|param| param.required);
        assert!(
            optional.clone().all(|param| !param.required),
            "{}: optional words last",
            spec.name
        );
    }
}

#[test]
fn examples_in_help_can_be_parsed() {
    for spec in table().specs() {
        for example in &spec.examples {
            let lexed = lexer::next_statement(example, 0).unwrap();
            assert_eq!(lexed.problem, None, "{example}");
            let words = &lexed.words;
            let texts: Vec<&str> = words.iter().map(|word| &*word.text).collect();
            let (found, length) = table().exact(&texts).unwrap();
            assert_eq!(found.name, spec.name, "{example}");
            Args::parse(spec, example, &words[length..], lexed.span.end)
                .unwrap_or_else(|fault| panic!("{example}: {fault}"));
        }
    }
}

#[test]
fn the_markdown_table_has_every_command() {
    let markdown = markdown(table());
    for spec in table().specs() {
        assert!(markdown.contains(&format!("| `{}", spec.name)), "{}", spec.name);
    }
}

#[test]
fn completion_of_any_beginning_of_any_example_is_possible() {
    let completions: Completions = Completions::default();
    for example in table().specs().flat_map(|spec| &spec.examples) {
        for (at, _) in example.char_indices() {
            let (start, _) = completions.complete(&example[..at]);
            assert!(example.is_char_boundary(start) && start <= at);
            completions.usage_hint(&example[..at]);
        }
    }
}

/// The words that may follow these, by the table.
fn next_words(before: &[&str]) -> BTreeSet<&'static str> {
    let names = table().names();
    let words = names.map(|(name, _)| name.split(' ').collect::<Vec<_>>());
    let following = words.filter(|words| words.starts_with(before));
    following.filter_map(|words| words.get(before.len()).copied()).collect()
}

#[test]
fn completion_offers_every_command_and_nothing_else() {
    let completions = Completions::default();
    let offered = |line: &str| -> BTreeSet<String> {
        let (_, candidates) = completions.complete(line);
        candidates.into_iter().map(|candidate| candidate.display).collect()
    };
    // Abbreviations of at most two letters are offered once a letter is typed.
    let is_abbreviation = |word: &&&str| {
        let is_name = |(name, spec): (&str, &CommandSpec)| name == **word && name != spec.name;
        word.len() <= 2 && table().names().any(is_name)
    };
    let first = next_words(&[]);
    let whole = first.iter().filter(|word| !is_abbreviation(word));
    assert_eq!(offered(""), whole.map(ToString::to_string).collect());
    for short in first.iter().filter(is_abbreviation) {
        assert!(offered(short).contains(*short), "{short}");
    }
    for word in first {
        let (next, found) = (next_words(&[word]), offered(&format!("{word} ")));
        assert!(next.iter().all(|next| found.contains(*next)), "{word}: {found:?}");
        // A word that is a command may have arguments as completions too.
        if table().exact(&[word]).is_none() {
            assert_eq!(found.len(), next.len(), "{word}: {found:?}");
        }
    }
}

#[test]
fn commands_say_whether_there_is_something_to_save() {
    let mut shell = Shell::default();
    let mut changes = |line| shell.run_line(line).pop().unwrap().unwrap().changed();
    assert!(changes("play a1") && changes(": s 5") && changes("break ply=2") && changes("mark a"));
    assert!(!changes("break") && !changes("where") && !changes("board") && !changes("game"));
    assert!(!changes("break --json") && changes("game chess"));
}

#[test]
fn replies_of_a_test_are_plain() {
    let reply = boxed(PlainReply::new("x", serde_json::json!({"echo": "x"})));
    assert_eq!(serde_json::to_string(&reply).unwrap(), r#"{"echo":"x"}"#);
}

fn exact(line: &str) -> Option<(&'static str, usize)> {
    let words: Vec<_> = line.split(' ').collect();
    toy::table().exact(&words).map(|(spec, length)| (spec.name, length))
}

fn abbreviated(line: &str) -> Result<Option<&'static str>, String> {
    let words: Vec<_> = line.split(' ').collect();
    let found = toy::table().abbreviated(&words).map_err(|fault| fault.to_string())?;
    Ok(found.map(|(spec, _)| spec.name))
}

fn unknown(line: &str) -> String {
    let words: Vec<_> = line.split(' ').collect();
    toy::table().unknown(&words).to_string()
}

#[test]
fn the_longest_name_wins() {
    assert_eq!(exact("cache get 99:0"), Some(("cache get", 2)));
    assert_eq!(exact("cg 99:0"), Some(("cache get", 1)));
    assert_eq!(exact("back 3"), Some(("back", 1)));
    assert_eq!(exact("back next"), Some(("back next", 2)));
    assert_eq!(exact("cache"), None);
}

#[test]
fn abbreviations_must_be_unique() {
    assert_eq!(abbreviated("ca g 99:0"), Ok(Some("cache get")));
    assert_eq!(abbreviated("bac 3"), Ok(Some("back")));
    assert_eq!(abbreviated("zzz"), Ok(None));
    assert!(abbreviated("cache s").unwrap_err().contains("`cache set` or `cache stats`"));
}

#[test]
fn unknown_words_are_answered_with_what_was_meant() {
    assert_eq!(unknown("cache gett 9"), "`cache` has no command `gett`; did you mean `get`?");
    assert!(unknown("cache").contains("`cache` needs a second word; cache get|set|stats"));
    assert!(unknown("cahce get").contains("did you mean `cache get`"));
    assert!(unknown("get cache").contains("did you mean `cache get`?"));
    assert!(unknown("bakc").contains("did you mean `back`?"));
    assert!(unknown("frobnicate").contains("`help` lists the commands"));
}
