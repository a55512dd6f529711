//! The real table, and a small one that stands for what other families bring.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::{
    Args, CommandTable, Completions, Family, Kind, LiveList, Param, Shell, Shows, Spec, args,
    choice, complete, general, lexer,
};
use crate::engine::{
    game::Fault,
    reply::{Echo, Replied, boxed, message},
};

static KEYS: LiveList =
    LiveList { name: "key", list: |_| vec!["99:0".to_owned(), "aa:1".to_owned()] };

static FAMILIES: &[Family] = &[
    Family {
        title: "Cache",
        commands: &[
            spec("cache get", &["cg"], &[Param::word("KEY", Kind::Live(&KEYS), "")]),
            spec(
                "cache set",
                &[],
                &[
                    Param::word("KEY", Kind::Live(&KEYS), ""),
                    Param::pair(
                        "bound",
                        Kind::Choice(&[choice("exact", ""), choice("lower", "")]),
                        "",
                    ),
                ],
            ),
            spec("cache stats", &[], &[]),
            spec(
                "back",
                &[],
                &[
                    Param::word("N", Kind::Count, "").optional(),
                    Param::switch("over", ""),
                    Param::flag("limit", Kind::Count, ""),
                ],
            ),
            spec("back next", &[], &[]),
        ],
    },
    general::FAMILY,
];

const fn spec(
    name: &'static str,
    aliases: &'static [&'static str],
    params: &'static [Param],
) -> Spec {
    Spec {
        name,
        aliases,
        params,
        summary: "a test's command",
        details: "",
        examples: &[],
        run: Shows(run),
    }
}

/// Answers with the command as it was understood; the key 0 does not exist.
fn run(_: &mut Shell, args: &Args<'_>) -> Replied {
    let name = args.spec().name;
    if name == "cache get" && args.required("KEY")? == "0" {
        return Err(args.blame("KEY", Fault::new("no such entry")));
    }
    Ok(message(name))
}

/// The small table.
pub(super) fn table() -> &'static CommandTable {
    static TABLE: LazyLock<CommandTable> = LazyLock::new(|| CommandTable::new(FAMILIES));
    &TABLE
}

#[test]
fn no_two_commands_share_a_name() {
    let mut seen = HashSet::new();
    for (name, _) in super::table().names() {
        assert!(seen.insert(name), "{name} is there once");
    }
}

#[test]
fn names_are_plain_lower_case_words() {
    for (name, _) in super::table().names() {
        let plain = |word: &str| {
            !word.is_empty()
                && !word.contains(|c: char| c.is_uppercase() || "'\"#;()[]{}=\\".contains(c))
        };
        assert!(name.split(' ').all(plain), "{name}");
    }
}

#[test]
fn every_command_explains_itself() {
    for spec in super::table().specs() {
        let name = spec.name;
        assert!(!spec.summary.is_empty() && !spec.summary.ends_with('.'), "{name}: summary");
        assert!(!spec.examples.is_empty(), "{name}: examples");
        for param in spec.params {
            assert!(!param.help.is_empty(), "{name}: help for {}", param.name);
        }
        assert!(
            spec.details.is_empty() || spec.details.ends_with('.'),
            "{name}: details are sentences"
        );
    }
}

#[test]
fn parameters_can_be_told_apart() {
    for spec in super::table().specs() {
        let names: HashSet<_> = spec.params.iter().map(|param| param.name).collect();
        assert_eq!(names.len(), spec.params.len(), "{}", spec.name);
        let positional: Vec<_> = spec.params.iter().filter(|param| param.is_positional()).collect();
        let words = positional.iter().take_while(|param| param.form == super::Form::Word).count();
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
fn examples_are_understood() {
    for spec in super::table().specs() {
        for example in spec.examples {
            let lexed = lexer::next_statement(example, 0).unwrap();
            assert_eq!(lexed.problem, None, "{example}");
            let words = &lexed.statement.words;
            let texts: Vec<&str> = words.iter().map(|word| &*word.text).collect();
            let (found, length) = super::table().exact(&texts).unwrap();
            assert_eq!(found.name, spec.name, "{example}");
            args::Args::parse(spec, example, &words[length..], lexed.statement.span.end)
                .unwrap_or_else(|fault| panic!("{example}: {fault}"));
        }
    }
}

#[test]
fn the_markdown_table_has_every_command() {
    let markdown = super::markdown(super::table());
    for spec in super::table().specs() {
        assert!(markdown.contains(&format!("| `{}", spec.name)), "{}", spec.name);
    }
}

#[test]
fn completion_of_any_beginning_of_any_example_is_possible() {
    let completions: Completions = complete::Completions::default();
    for example in super::table().specs().flat_map(|spec| spec.examples) {
        for (at, _) in example.char_indices() {
            let (start, _) = completions.complete(&example[..at]);
            assert!(example.is_char_boundary(start) && start <= at);
            completions.usage_hint(&example[..at]);
        }
    }
}

/// The words that may follow these ones, by the table.
fn next_words(before: &[&str]) -> BTreeSet<&'static str> {
    let names = super::table().names();
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
    let first = next_words(&[]);
    assert_eq!(offered(""), first.iter().map(ToString::to_string).collect());
    for word in first {
        let (next, found) = (next_words(&[word]), offered(&format!("{word} ")));
        assert!(next.iter().all(|next| found.contains(*next)), "{word}: {found:?}");
        // What is a command itself may offer arguments too.
        if super::table().exact(&[word]).is_none() {
            assert_eq!(found.len(), next.len(), "{word}: {found:?}");
        }
    }
}

#[test]
fn commands_say_whether_there_is_something_to_save() {
    let changes = |line| crate::command::table().changes(line);
    assert!(changes("play a1") && changes(": s 5") && changes("break ply=2") && changes("mark a"));
    assert!(!changes("break") && !changes("where") && !changes("board"));
}

#[test]
fn replies_of_a_test_are_plain() {
    let reply = boxed(Echo { echo: "x".to_owned() });
    assert_eq!(serde_json::to_string(&reply).unwrap(), r#"{"echo":"x"}"#);
}
