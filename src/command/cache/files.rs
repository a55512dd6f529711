//! Commands about cache files.

use std::path::PathBuf;

use super::super::{Args, Choice, Kind, Param, Spec, choice};
use crate::engine::{
    cachefile::{Convention, Format},
    game::Fault,
    report::{CacheFileMade, Report},
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

const THE_FILE: Param = Param::word("FILE", Kind::File, "the file");
const FIRST_FILE: Param = Param::word("A", Kind::File, "the first file");
const SECOND_FILE: Param = Param::word("B", Kind::File, "the second file");
const ANY_FORMAT: Param = Param::flag(
    "format",
    Kind::Choice(FORMATS),
    "its format; found out where none is given",
);
const SEED_CONVENTION: Param = Param::flag(
    "convention",
    Kind::Choice(CONVENTIONS),
    "how seed files take values of black; seed where none is given",
);

pub(super) const SAVE: Spec = Spec {
    name: "cache save",
    aliases: &[],
    params: &[
        THE_FILE,
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
        let (path, format) = (path(args, "FILE")?, format(args, "format")?);
        let bench = shell.engine.bench();
        let saved = bench.cache_save(&path, format, convention(args)?);
        saved
            .map(Report::CacheFile)
            .map_err(|fault| args.blame("FILE", fault))
    },
};

pub(super) const LOAD: Spec = Spec {
    name: "cache load",
    aliases: &[],
    params: &[THE_FILE, ANY_FORMAT, SEED_CONVENTION],
    summary: "adds the entries of a file to the cache",
    details: "A file that is damaged, of another game, or whose weights or rules are not those in force is refused, and nothing is changed. An entry \
              of the file replaces one of the same key. A file without a single byte is refused, unless --format says that it is a seed's.",
    examples: &[
        "cache load opening.plycache",
        "cache load test.cache --format seed-search --convention seed",
    ],
    run: |shell, args| {
        let (path, format) = (path(args, "FILE")?, format(args, "format")?);
        let bench = shell.engine.bench_mut();
        let loaded = bench.cache_load(&path, format, convention(args)?);
        loaded
            .map(Report::CacheFile)
            .map_err(|fault| args.blame("FILE", fault))
    },
};

pub(super) const INFO: Spec = Spec {
    name: "cache info",
    aliases: &[],
    params: &[THE_FILE],
    summary: "describes a cache file without loading it",
    details: "Shows what a native file states of itself, how many entries it holds, whether it is complete, and what differs from the session. A \
              seed's file states nothing: its length tells which formats are possible.",
    examples: &["cache info opening.plycache"],
    run: |shell, args| {
        let info = shell.engine.bench().cache_info(&path(args, "FILE")?);
        info.map(Report::CacheFileInfo)
            .map_err(|fault| args.blame("FILE", fault))
    },
};

/// Entries that `cache check` searches again where nothing else is said.
const SAMPLE: usize = 200;

pub(super) const CHECK: Spec = Spec {
    name: "cache check",
    aliases: &[],
    params: &[
        THE_FILE,
        Param::flag(
            "sample",
            Kind::Count,
            "entries to search again; 200 where none is given",
        ),
        ANY_FORMAT,
    ],
    summary: "checks a cache file: every block, and some entries by searching them again",
    details: "Names every damaged block or record. A sample of the entries is searched again without a cache, under the weights and rules the file \
              states, or under the session's. For a seed's file this shows which convention its values follow. Entries that take too long are passed over. \
              A script fails at a file that is not sound.",
    examples: &[
        "cache check opening.plycache",
        "cache check test.cache --sample 1000",
    ],
    run: |shell, args| {
        let sample = args.count("sample")?.unwrap_or(SAMPLE);
        let (file, format) = (path(args, "FILE")?, format(args, "format")?);
        let checked = shell.engine.bench().cache_check(&file, format, sample);
        checked
            .map(|check| Report::CacheCheck(Box::new(check)))
            .map_err(|fault| args.blame("FILE", fault))
    },
};

pub(super) const REPAIR: Spec = Spec {
    name: "cache repair",
    aliases: &[],
    params: &[
        Param::word("FILE", Kind::File, "the damaged file"),
        Param::word("OUT", Kind::File, "the new file"),
        ANY_FORMAT,
    ],
    summary: "copies what is sound of a damaged cache file into a new one",
    details: "A block whose check sum is wrong, or a seed's record that cannot be read, is named and left out. Where a native file's header is damaged, \
              the new one gets what holds in the session.",
    examples: &["cache repair broken.plycache mended.plycache"],
    run: |shell, args| {
        let (file, out) = (path(args, "FILE")?, path(args, "OUT")?);
        let format = format(args, "format")?;
        let made = shell.engine.bench().cache_repair(&file, &out, format);
        made.map(made_report)
            .map_err(|fault| args.blame("FILE", fault))
    },
};

pub(super) const CONVERT: Spec = Spec {
    name: "cache convert",
    aliases: &[],
    params: &[
        Param::word("IN", Kind::File, "the file to read"),
        Param::word("OUT", Kind::File, "the file to write"),
        Param {
            required: true,
            ..Param::flag("format", Kind::Choice(FORMATS), "the new file's format")
        },
        Param::flag(
            "from",
            Kind::Choice(FORMATS),
            "the old file's format; found out where none is given",
        ),
        SEED_CONVENTION,
    ],
    summary: "rewrites a cache file in another format",
    details: "The convention is that of the seeds' side. A seed's file states no weights and rules: a native one made from it gets those of the session. \
              The session's cache stays as it is.",
    examples: &[
        "cache convert test.cache test.plycache --format native --convention seed",
        "cache convert opening.plycache opening.cache --format seed-search",
    ],
    run: |shell, args| {
        let (file, out) = (path(args, "IN")?, path(args, "OUT")?);
        let format: Format = args.required("format")?.parse()?;
        let from = self::format(args, "from")?;
        let convention = convention(args)?;
        let bench = shell.engine.bench();
        let made = bench.cache_convert(&file, &out, format, from, convention);
        made.map(made_report)
            .map_err(|fault| args.blame("IN", fault))
    },
};

pub(super) const MERGE: Spec = Spec {
    name: "cache merge",
    aliases: &[],
    params: &[
        FIRST_FILE,
        SECOND_FILE,
        Param::word("OUT", Kind::File, "the new file, in the first one's format"),
        SEED_CONVENTION,
    ],
    summary: "merges two cache files into one",
    details: "Of two entries under one key the deeper counts; at equal depth the one that says more: an exact value before a bound, the wider window, \
              the tighter bound; else the first file's. Entries that contradict each other are counted, and the first file's is taken. Files of \
              different weights, rules or settings are refused.",
    examples: &["cache merge one.plycache two.plycache both.plycache"],
    run: |shell, args| {
        let (first, second) = (path(args, "A")?, path(args, "B")?);
        let out = path(args, "OUT")?;
        let convention = convention(args)?;
        let bench = shell.engine.bench();
        bench
            .cache_merge([&first, &second], &out, convention)
            .map(made_report)
    },
};

/// Examples of each kind that `cache diff` shows where nothing else is said.
const EXAMPLES: usize = 5;

pub(super) const DIFF: Spec = Spec {
    name: "cache diff",
    aliases: &[],
    params: &[
        FIRST_FILE,
        SECOND_FILE,
        Param::flag(
            "limit",
            Kind::Count,
            "examples of each kind; 5 where none is given",
        ),
        SEED_CONVENTION,
    ],
    summary: "compares two cache files",
    details: "Counts what is only in the first, only in the second, the same and different, with examples, and says what the files state differently. \
              Their formats may differ.",
    examples: &["cache diff one.plycache two.plycache --limit 20"],
    run: |shell, args| {
        let (first, second) = (path(args, "A")?, path(args, "B")?);
        let limit = args.count("limit")?.unwrap_or(EXAMPLES);
        let convention = convention(args)?;
        let bench = shell.engine.bench();
        bench
            .cache_diff([&first, &second], convention, limit)
            .map(|diff| Report::CacheDiff(Box::new(diff)))
    },
};

fn made_report(made: CacheFileMade) -> Report {
    Report::CacheFileMade(Box::new(made))
}

fn path(args: &Args<'_>, name: &str) -> Result<PathBuf, Fault> {
    args.required(name).map(PathBuf::from)
}

fn format(args: &Args<'_>, name: &str) -> Result<Option<Format>, Fault> {
    args.text(name).map(str::parse).transpose()
}

fn convention(args: &Args<'_>) -> Result<Option<Convention>, Fault> {
    args.text("convention").map(str::parse).transpose()
}
