//! Commands that look through the cache.

use super::super::{Args, Choice, Kind, LiveList, Param, Shell, Shows, Spec, choice};
use crate::engine::{
    game::Fault,
    reply::{Replied, boxed},
    workbench::{Filter, Page, Sort},
};

const BOUNDS: &[Choice] = &[
    choice("exact", "the value itself"),
    choice("lower", "at least this"),
    choice("upper", "at most this"),
];

/// The orders of `cache list`.
pub const SORTS: &[Choice] = &[
    choice("table", "as they stand in it: as first stored"),
    choice("key", "by key"),
    choice("depth", "deepest first"),
    choice("value", "highest first"),
    choice("uses", "most used first; `search set uses=on` counts them"),
];

static NAMES: LiveList = LiveList {
    name: "filter",
    list: |shell| {
        let names = shell.engine.bench().filter_names();
        names.into_iter().map(str::to_owned).collect()
    },
};

const FILTER_HELP: &str = "a condition, such as depth>=3 and value<0 and stones=9";
const FILTER: Param = Param::rest("FILTER", Kind::Live(&NAMES), FILTER_HELP).optional();
pub(super) const WHERE: Param = Param::flag("where", Kind::Live(&NAMES), FILTER_HELP);
const DEPTH: Param = Param::flag("depth", Kind::Range(0, 255), "only those of this depth");
const BOUND: Param = Param::flag("bound", Kind::Choice(BOUNDS), "only those of this kind");
const KEY: Param = Param::flag("key", Kind::Text, "only those whose key begins so");

const CONDITIONS: &str = "A condition compares depth, value, alpha, beta, uses, bound (exact, lower, upper), key (how it begins), state, and numbers of \
     the position: in morris stones, own, other, hand, own_hand, other_hand, mills, other_mills, where own is the side to move. \
     `and`, `or`, `not`, parentheses and + - * / work as usual; an entry without a field passes no comparison with it.";

/// Entries that `cache list` shows where nothing else is said.
const SHOWN: usize = 20;

pub(super) const LIST: Spec = Spec {
    name: "cache list",
    aliases: &["cache ls"],
    params: &[
        FILTER,
        WHERE,
        Param::flag("limit", Kind::Count, "how many to show; 20 where none is given"),
        Param::flag("offset", Kind::Count, "how many to pass over first"),
        DEPTH,
        BOUND,
        KEY,
        Param::flag("sort", Kind::Choice(SORTS), "the order"),
    ],
    summary: "lists entries",
    details: CONDITIONS,
    examples: &[
        "cache list",
        "cache list depth>=2 and value<0 and stones=9 --sort value --limit 5",
        "cache list --bound exact --limit 100 --offset 100",
    ],
    run: Shows(list),
};

fn list(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let sort = args.text("sort").and_then(|name| name.parse().ok()).unwrap_or_default();
    let page = Page {
        offset: args.count("offset")?.unwrap_or(0),
        limit: args.count("limit")?.unwrap_or(SHOWN),
    };
    filtered(args, |filter| shell.engine.bench().cache_list(filter, sort, page).map(boxed))
}

/// Does something with the conditions that the arguments give.
fn filtered(args: &Args<'_>, run: impl FnOnce(&Filter<'_>) -> Replied) -> Replied {
    let mut names = vec!["FILTER", "where", "depth", "bound", "key"];
    names.retain(|name| args.has(name));
    let texts = names.iter().filter_map(|&name| {
        let text = args.text(name)?;
        Some(match name {
            "key" => format!("key=\"{text}\""),
            "depth" | "bound" => format!("{name}={text}"),
            _ => text.to_owned(),
        })
    });
    let texts: Vec<_> = texts.collect();
    let conditions: Vec<_> = texts.iter().map(String::as_str).collect();
    run(&Filter { conditions: &conditions, ..Filter::default() }).map_err(|fault| {
        let nth: Option<usize> = fault.about.as_deref().and_then(|nth| nth.parse().ok());
        match nth.and_then(|nth| names.get(nth)) {
            Some(name @ (&"FILTER" | &"where")) => args.blame(name, fault),
            Some(name) => args.blame(name, Fault { at: None, ..fault }),
            None => fault,
        }
    })
}

pub(super) const COUNT: Spec = Spec {
    name: "cache count",
    aliases: &[],
    params: &[FILTER, WHERE, DEPTH, BOUND, KEY],
    summary: "counts the entries that match",
    details: CONDITIONS,
    examples: &["cache count depth=0 and value<0", "cache count --bound lower"],
    run: Shows(|shell, args| {
        filtered(args, |filter| shell.engine.bench().cache_count(filter).map(boxed))
    }),
};

/// Ranges of values that `cache histogram` shows where nothing else is said.
const BUCKETS: usize = 10;

pub(super) const HISTOGRAM: Spec = Spec {
    name: "cache histogram",
    aliases: &[],
    params: &[
        FILTER,
        WHERE,
        Param::flag("buckets", Kind::Range(1, 1000), "ranges of values; 10 where none is given"),
        DEPTH,
        BOUND,
        KEY,
    ],
    summary: "shows entries by depth, by bound and by value, and the share of their orbits",
    details: "The share of the orbit tells how many of the positions that symmetry makes equal are stored; of more than 10000 entries it is \
              estimated from 10000. Conditions are those of `cache list`.",
    examples: &["cache histogram", "cache histogram stones=6 --buckets 5"],
    run: Shows(|shell, args| {
        let buckets = args.count("buckets")?.unwrap_or(BUCKETS);
        filtered(args, |filter| shell.engine.bench().cache_histogram(filter, buckets).map(boxed))
    }),
};

pub(super) const FIND: Spec = Spec {
    name: "cache find",
    aliases: &[],
    params: &[Param::rest("STATE", Kind::Text, "a position; the one at hand where none is given")
        .optional()],
    summary: "lists the entries of a position, at every depth",
    details: "Finds them under whichever key they stand, also where symmetric positions share one.",
    examples: &["cache find", "cache find ww.wb.../b.b.w.bw/........ w 0 0"],
    run: Shows(|shell, args| {
        let position = args.text("STATE").unwrap_or("here");
        let filter = Filter { position: Some(position), ..Filter::default() };
        args.reply("STATE", shell.engine.bench().cache_list(&filter, Sort::Depth, Page::ALL))
    }),
};
