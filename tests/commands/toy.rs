//! A small table of commands, with those that every table has, and a reply to look into.

use std::sync::LazyLock;

use plyscope::{
    command::{
        Args, CommandTable, FAMILIES, Family, Fault, Handler::Shows, Kind, LiveList, Param, Shell,
        Spec, choice,
    },
    engine::{
        Engine,
        reply::{Replied, Reply, boxed, message},
    },
    text::Style,
};
use serde::Serialize;
use serde_json::{Value, json};

static KEYS: LiveList =
    LiveList { name: "key", list: |_| vec!["99:0".to_owned(), "aa:1".to_owned()] };

static OWN: &[Spec] = &[
    spec("cache get", &["cg"], &[Param::word("KEY", Kind::Live(&KEYS), "")]),
    spec(
        "cache set",
        &[],
        &[
            Param::word("KEY", Kind::Live(&KEYS), ""),
            Param::pair("bound", Kind::Choice(&[choice("exact", ""), choice("lower", "")]), ""),
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
    spec("reply", &[], &[]),
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

/// Answers with the command as it was understood, `reply` with something of each kind; the key 0 does not exist.
fn run(_: &mut Shell, args: &Args<'_>) -> Replied {
    let name = args.spec().name;
    if name == "cache get" && args.required("KEY")? == "0" {
        return Err(args.blame("KEY", Fault::new("no such entry")));
    }
    Ok(if name == "reply" { boxed(Sample(sample())) } else { message(name) })
}

/// Something of each kind.
fn sample() -> Value {
    json!({
        "value": 0.5, "nodes": 12, "best": ["d6", "a1"], "winner": null, "done": true, "key": "99000000000000",
        "alpha": "-inf", "zero": -0.0, "cache": {"hits": 3}, "moves": [{"move": "d6", "value": 1.0}],
    })
}

#[derive(Debug, Serialize)]
struct Sample(Value);

impl Reply for Sample {
    fn text(&self, _: Style) -> String {
        self.0.to_string()
    }
}

/// The small table, with the program's commands that belong to no game.
pub fn table() -> &'static CommandTable {
    static TABLE: LazyLock<CommandTable> = LazyLock::new(|| {
        let general = FAMILIES.iter().filter(|family| family.title == "General");
        let families =
            general.map(|family| Family { title: family.title, commands: family.commands });
        let own = Family { title: "Cache", commands: OWN };
        CommandTable::new(std::iter::once(own).chain(families).collect::<Vec<_>>().leak())
    });
    &TABLE
}

/// A shell that has the small table.
pub fn shell() -> Shell {
    Shell::with_table(Engine::default(), table())
}
