//! Commands that look into the cache and change it.

use super::{Args, Choice, Family, Kind, Live, Param, Shell, Spec, choice};
use crate::engine::{
    cachefile::{Convention, Format},
    game::Fault,
    report::Report,
    workbench::{Filter, Sort},
};

/// The cache.
pub(super) const FAMILY: Family = Family {
    title: "Cache",
    commands: &[
        STATS, LIST, FIND, GET, SET, REMOVE, CLEAR, CLEAN, SAVE, LOAD, KEY,
    ],
};

/// Keys offered by completion.
const OFFERED: usize = 200;

pub(super) static KEYS: Live = Live {
    name: "key",
    list: |shell| shell.engine.bench().complete_keys("", OFFERED),
};

static FIELDS: Live = Live {
    name: "field",
    list: |_| {
        crate::engine::workbench::FIELDS
            .iter()
            .map(|name| (*name).to_owned())
            .collect()
    },
};

const FORMATS: &[Choice] = &[
    choice("seed-search", "seed 000: 32-byte records"),
    choice("seed-rote", "seed 001: 15-byte records"),
    choice("native", "our own, with header and checksums"),
];

const CONVENTIONS: &[Choice] = &[
    choice(
        "seed",
        "black's values turned in sign, as seed 000 writes them",
    ),
    choice("relative", "for the side to move"),
];

const BOUNDS: &[Choice] = &[
    choice("exact", "the value itself"),
    choice("lower", "at least this"),
    choice("upper", "at most this"),
];

const SORTS: &[Choice] = &[
    choice("insertion", "as first stored"),
    choice("key", "by key"),
    choice("depth", "deepest first"),
    choice("value", "highest first"),
];

pub(super) const KEY_HELP: &str =
    "KEY:DEPTH, here:DEPTH for the position at hand, or \"STATE:DEPTH\"";

const STATS: Spec = Spec {
    name: "cache stats",
    aliases: &["cache"],
    params: &[],
    summary: "shows the cache in numbers",
    details: "Entries and memory, entries by depth and by bound, and what the last search asked of it.",
    examples: &["cache stats"],
    run: |shell, _| Ok(Report::CacheStats(shell.engine.bench().cache_stats())),
};

const LIST: Spec = Spec {
    name: "cache list",
    aliases: &["cache ls"],
    params: &[
        Param::flag(
            "limit",
            Kind::Count,
            "how many to show; 20 where none is given",
        ),
        Param::flag("depth", Kind::Range(0, 255), "only those of this depth"),
        Param::flag("bound", Kind::Choice(BOUNDS), "only those of this kind"),
        Param::flag("key", Kind::Text, "only those whose key begins so"),
        Param::flag("sort", Kind::Choice(SORTS), "the order"),
    ],
    summary: "lists entries",
    details: "",
    examples: &[
        "cache list",
        "cache list --depth 2 --sort value --limit 5",
        "cache list --bound exact",
    ],
    run: list,
};

fn list(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let filter = Filter {
        depth: args.count("depth")?,
        bound: args.text("bound"),
        prefix: args.text("key"),
        position: None,
    };
    let sort = args.text("sort").and_then(Sort::called).unwrap_or_default();
    let limit = args.count("limit")?.unwrap_or(20);
    shell
        .engine
        .bench()
        .cache_list(&filter, sort, limit)
        .map(Report::CacheList)
}

const FIND: Spec = Spec {
    name: "cache find",
    aliases: &[],
    params: &[Param::rest(
        "STATE",
        Kind::Text,
        "a position; the one at hand where none is given",
    )
    .optional()],
    summary: "lists the entries of a position, at every depth",
    details: "Finds them under whichever key they stand, also where symmetric positions share one.",
    examples: &["cache find", "cache find ww.wb.../b.b.w.bw/........ w 0 0"],
    run: |shell, args| {
        let position = args.text("STATE").unwrap_or("here");
        let filter = Filter {
            position: Some(position),
            ..Filter::default()
        };
        let found = shell
            .engine
            .bench()
            .cache_list(&filter, Sort::Depth, usize::MAX);
        found
            .map(Report::CacheList)
            .map_err(|fault| args.blame("STATE", fault))
    },
};

const GET: Spec = Spec {
    name: "cache get",
    aliases: &[],
    params: &[
        Param::switch(
            "writer",
            "also which event wrote it, and how often it answered",
        ),
        Param::rest("KEY", Kind::Live(&KEYS), KEY_HELP),
    ],
    summary: "shows an entry with its position",
    details: "A key is 14 hex digits, then `:` and the remaining depth where the policy keeps one. The depth may be left out where only one is stored. \
              Where symmetric positions share an entry, the key of any of them finds it.",
    examples: &[
        "cache get 99000000000000:2",
        "cache get here:2",
        "cache get --writer here:2",
    ],
    run: |shell, args| {
        let key = args.required("KEY")?;
        let got = shell.engine.bench().cache_get(key);
        let mut got = got.map_err(|fault| args.blame("KEY", fault))?;
        if args.has("writer") && got.entry.is_some() {
            got.writer = shell.engine.bench_mut().writer(key)?;
            if got.writer.is_none() {
                got.notes
                    .push("no event of the recorded search wrote it".into());
            }
        }
        Ok(edit(got))
    },
};

fn edit(edit: crate::engine::report::CacheEdit) -> Report {
    Report::CacheEdit(Box::new(edit))
}

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
    run: |shell, args| {
        let fields: Vec<_> = args.pairs().map(|pair| (pair.key, pair.value)).collect();
        let set = shell
            .engine
            .bench_mut()
            .cache_set(args.required("KEY")?, &fields);
        set.map(edit)
            .map_err(|fault| args.blame_pair_or("KEY", fault))
    },
};

const REMOVE: Spec = Spec {
    name: "cache remove",
    aliases: &["cache rm"],
    params: &[Param::rest("KEY", Kind::Live(&KEYS), KEY_HELP)],
    summary: "removes an entry",
    details: "",
    examples: &["cache remove 99000000000000:2"],
    run: |shell, args| {
        let removed = shell.engine.bench_mut().cache_remove(args.required("KEY")?);
        removed.map(edit).map_err(|fault| args.blame("KEY", fault))
    },
};

const CLEAR: Spec = Spec {
    name: "cache clear",
    aliases: &[],
    params: &[],
    summary: "removes every entry",
    details: "",
    examples: &["cache clear"],
    run: |shell, _| Ok(Report::CacheCleaned(shell.engine.bench_mut().cache_clear())),
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
    run: |shell, args| {
        let max_size = args.count("max-size")?;
        Ok(Report::CacheCleaned(
            shell.engine.bench_mut().cache_clean(max_size),
        ))
    },
};

const SAVE: Spec = Spec {
    name: "cache save",
    aliases: &[],
    params: &[
        Param::word("FILE", Kind::File, "the file"),
        Param::flag(
            "format",
            Kind::Choice(FORMATS),
            "native where none is given",
        ),
        Param::flag(
            "convention",
            Kind::Choice(CONVENTIONS),
            "how a seed's file takes values of black",
        ),
    ],
    summary: "writes the cache to a file",
    details: "The old file stays until the new one is complete. seed-search holds entries of memo=interval, seed-rote those of memo=rote, native those \
              of every policy.",
    examples: &[
        "cache save opening.plycache",
        "cache save test.cache --format seed-search",
    ],
    run: |shell, args| {
        let (path, format, convention) = file(args)?;
        let saved = shell.engine.bench().cache_save(&path, format, convention);
        saved
            .map(Report::CacheFile)
            .map_err(|fault| args.blame("FILE", fault))
    },
};

const LOAD: Spec = Spec {
    name: "cache load",
    aliases: &[],
    params: &[
        Param::word("FILE", Kind::File, "the file"),
        Param::flag(
            "format",
            Kind::Choice(FORMATS),
            "found out where none is given",
        ),
        Param::flag(
            "convention",
            Kind::Choice(CONVENTIONS),
            "how a seed's file takes values of black; seed where none is given",
        ),
    ],
    summary: "adds the entries of a file to the cache",
    details: "A file that is damaged, of another game, or whose weights or rules are not those in force is refused, and nothing is changed. An entry \
              of the file replaces one of the same key.",
    examples: &[
        "cache load opening.plycache",
        "cache load test.cache --format seed-search --convention seed",
    ],
    run: |shell, args| {
        let (path, format, convention) = file(args)?;
        let loaded = shell
            .engine
            .bench_mut()
            .cache_load(&path, format, convention);
        loaded
            .map(Report::CacheFile)
            .map_err(|fault| args.blame("FILE", fault))
    },
};

type FileArgs = (std::path::PathBuf, Option<Format>, Option<Convention>);

fn file(args: &Args<'_>) -> Result<FileArgs, Fault> {
    let path = args.required("FILE")?.into();
    let format = args.text("format").map(str::parse).transpose()?;
    let convention = args.text("convention").map(str::parse).transpose()?;
    Ok((path, format, convention))
}

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
    run: |shell, args| {
        let key = shell.engine.bench().key(args.text("KEY"));
        key.map(|key| Report::Key(Box::new(key)))
            .map_err(|fault| args.blame("KEY", fault))
    },
};
