//! A small command table with the built-in commands, and a reply with fields of every kind.

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

/// Replies with the parsed command; `reply` with fields of every kind; the key 0 does not exist.
fn run(_: &mut Shell, args: &Args<'_>) -> Replied {
    let name = args.spec().name;
    if name == "cache get" && args.required("KEY")? == "0" {
        return Err(args.blame("KEY", Fault::new("no such entry")));
    }
    Ok(if name == "reply" { boxed(Sample(sample())) } else { message(name) })
}

/// A reply with a field of each kind.
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

pub fn table() -> &'static CommandTable {
    static TABLE: LazyLock<CommandTable> = LazyLock::new(|| {
        let general = FAMILIES.iter().filter(|family| family.title == "General").cloned();
        let families = manual::families(DEFINITIONS).into_iter().chain(general);
        CommandTable { families: families.collect::<Vec<_>>().leak() }
    });
    &TABLE
}

pub fn shell() -> Shell {
    Shell::with_table(Engine::default(), table())
}
