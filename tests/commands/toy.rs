//! A small table of commands, with those that every table has, and a reply to look into.

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Value, json};

use plyscope::{
    command::{
        Args, CommandTable, FAMILIES, FamilyDefinition, Fault, LiveList, Shell, manual, shows,
    },
    engine::{
        Engine,
        session::reply::{Replied, Reply, boxed, message},
    },
};

static DEFINITIONS: &[FamilyDefinition] = &[FamilyDefinition {
    title: "Cache",
    manual: "
cache get, cg
  a test's command
  - KEY  @key  help
cache set
  a test's command
  - KEY  @key  help
  - BOUND=…  @bound  help
cache stats
  a test's command
back
  a test's command
  - [N]  count  help
  - --over  help
  - --limit  count  help
back next
  a test's command
reply
  a test's command
",
    lists: &[
        LiveList::new("key", |_| vec!["99:0".to_owned(), "aa:1".to_owned()]),
        LiveList::new("bound", |_| vec!["bound=exact".to_owned(), "depth".to_owned()]),
    ],
    run: &[
        shows("cache get", run),
        shows("cache set", run),
        shows("cache stats", run),
        shows("back", run),
        shows("back next", run),
        shows("reply", run),
    ],
}];

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
    fn text(&self) -> String {
        self.0.to_string()
    }
}

/// The small table, with the program's commands that belong to no game.
pub fn table() -> &'static CommandTable {
    static TABLE: LazyLock<CommandTable> = LazyLock::new(|| {
        let general = FAMILIES.iter().filter(|family| family.title == "General").cloned();
        let families = manual::families(DEFINITIONS).into_iter().chain(general);
        CommandTable { families: families.collect::<Vec<_>>().leak() }
    });
    &TABLE
}

/// A shell that has the small table.
pub fn shell() -> Shell {
    Shell::with_table(Engine::default(), table())
}
