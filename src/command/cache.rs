//! Commands that look into the cache and change it.

mod browse;
mod files;

pub use browse::SORTS as CACHE_ORDERS;

use super::{Args, Changes, Family, Kind, LiveList, Param, Shell, Shows, Spec, search};
use crate::engine::{
    game::Fault,
    reply::{Replied, boxed},
    workbench::Filter,
};

/// The cache.
pub(super) const FAMILY: Family = Family {
    title: "Cache",
    commands: &[
        STATS,
        browse::LIST,
        browse::COUNT,
        browse::HISTOGRAM,
        browse::FIND,
        GET,
        SET,
        REMOVE,
        CLEAR,
        CLEAN,
        files::SAVE,
        files::LOAD,
        files::CHECK,
        files::MERGE,
        files::DIFF,
        KEY,
        search::comparing::MEMOS,
    ],
};

/// Keys offered by completion.
const OFFERED: usize = 200;

pub(super) static KEYS: LiveList =
    LiveList { name: "key", list: |shell| shell.engine.bench().some_keys(OFFERED) };

static FIELDS: LiveList = LiveList {
    name: "field",
    list: |_| crate::engine::workbench::FIELDS.iter().map(|name| (*name).to_owned()).collect(),
};

pub(super) const KEY_HELP: &str =
    "KEY:DEPTH, here:DEPTH for the position at hand, or \"STATE:DEPTH\"";

const STATS: Spec = Spec {
    name: "cache stats",
    aliases: &["cache"],
    params: &[],
    summary: "shows the cache in numbers",
    details: "Entries and memory, entries by depth and by bound, and what the last search asked of it.",
    examples: &["cache stats"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().cache_stats()))),
};

const GET: Spec = Spec {
    name: "cache get",
    aliases: &[],
    params: &[
        Param::switch("writer", "also which event wrote it, and how often it answered"),
        Param::rest("KEY", Kind::Live(&KEYS), KEY_HELP),
    ],
    summary: "shows an entry with its position",
    details: "A key is 14 hex digits, then `:` and the remaining depth where the policy keeps one. The depth may be left out where only one is stored. \
              Where symmetric positions share an entry, the key of any of them finds it.",
    examples: &["cache get 99000000000000:2", "cache get here:2", "cache get --writer here:2"],
    run: Shows(|shell, args| {
        let key = args.required("KEY")?;
        let got = shell.engine.bench().cache_get(key);
        let mut got = got.map_err(|fault| args.blame("KEY", fault))?;
        if args.has("writer") && got.entry.is_some() {
            got.writer = shell.engine.bench_mut().writer(key)?;
            if got.writer.is_none() {
                got.notes
                    .push("no event of the recorded search wrote it: it was there before, or was edited by hand".into());
            }
        }
        Ok(boxed(got))
    }),
};

const SET: Spec = Spec {
    name: "cache set",
    aliases: &[],
    params: &[
        Param::word("KEY", Kind::Live(&KEYS), KEY_HELP),
        Param::any_pair(
            "FIELD",
            &FIELDS,
            "value=, alpha=, beta= (interval), bound=, depth= (bound)",
        ),
    ],
    summary: "writes an entry, or changes fields of one",
    details: "Fields not given stay as they are; a new entry needs a value, and gets the full window. Values are for the side to move in the position \
              that the key stands for. The entry stands under the very key given.",
    examples: &[
        "cache set 99000000000000:2 value=0.25 alpha=-1 beta=1",
        "cache set here:1 value=0.5",
    ],
    run: Changes(|shell, args| {
        let fields: Vec<_> = args.pairs().map(|pair| (pair.key, pair.value)).collect();
        let set = shell.engine.bench_mut().cache_set(args.required("KEY")?, &fields);
        set.map(boxed).map_err(|fault| args.blame_pair_or("KEY", fault))
    }),
};

const REMOVE: Spec = Spec {
    name: "cache remove",
    aliases: &["cache rm"],
    params: &[Param::rest("KEY", Kind::Live(&KEYS), KEY_HELP).optional(), browse::WHERE],
    summary: "removes an entry, or all that match a condition",
    details: "Conditions are those of `cache list`; they stand in quotes.",
    examples: &["cache remove 99000000000000:2", "cache remove --where \"depth=0 and value<0\""],
    run: Changes(remove),
};

fn remove(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let bench = shell.engine.bench_mut();
    match (args.text("KEY"), args.text("where")) {
        (Some(key), None) => args.reply("KEY", bench.cache_remove(key)),
        (None, Some(condition)) => {
            let filter = Filter { conditions: &[condition], ..Filter::default() };
            args.reply("where", bench.cache_remove_where(&filter))
        }
        (Some(_), Some(_)) => Err(Fault::new("give a key or a condition, not both")
            .hint("`key=99 and …` makes a key part of a condition")
            .about("where")),
        (None, None) => {
            Err(Fault::new("which entry?")
                .hint("give its key, or --where and a condition in quotes"))
        }
    }
}

const CLEAR: Spec = Spec {
    name: "cache clear",
    aliases: &[],
    params: &[],
    summary: "removes every entry",
    details: "",
    examples: &["cache clear"],
    run: Changes(|shell, _| Ok(boxed(shell.engine.bench_mut().cache_clear()))),
};

const CLEAN: Spec = Spec {
    name: "cache clean",
    aliases: &[],
    params: &[Param::flag(
        "max-size",
        Kind::Count,
        "entries to leave; the setting max_size where none is given",
    )],
    summary: "makes the cache fit its size by dropping the shallowest entries",
    details: "In seed fidelity as seed 000 cleans: whole depths go, depths 0 and 1 together, even if nothing is left (defect D4). Else no more goes \
              than must.",
    examples: &["cache clean", "cache clean --max-size 1000"],
    run: Changes(|shell, args| {
        let max_size = args.count("max-size")?;
        Ok(boxed(shell.engine.bench_mut().cache_clean(max_size)))
    }),
};

const KEY: Spec = Spec {
    name: "key",
    aliases: &["cache key"],
    params: &[Param::rest(
        "KEY",
        Kind::Live(&KEYS),
        "a key or a position; the position at hand where none is given",
    )
    .optional()],
    summary: "takes a key apart, or makes one",
    details: "Shows the position that the key stands for, and the key that symmetric searches use for it.",
    examples: &["key", "key 99000000000000"],
    run: Shows(|shell, args| args.reply("KEY", shell.engine.bench().key(args.text("KEY")))),
};
