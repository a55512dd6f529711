//! Commands about cache files.

use std::path::Path;

use super::super::{Args, Changes, Choice, Kind, Param, Shows, Spec, choice};
use crate::engine::{
    cachefile::{Convention, Format},
    game::Fault,
    reply::boxed,
};

const FORMATS: &[Choice] = &[
    choice("seed-search", "seed 000: 32-byte records"),
    choice("seed-rote", "seed 001: 15-byte records"),
    choice("native", "our own, with header and checksums"),
];

const CONVENTIONS: &[Choice] = &[
    choice("seed", "black's values turned in sign, as seed 000 writes them"),
    choice("relative", "for the side to move"),
];

const THE_FILE: Param = Param::word("FILE", Kind::File, "the file");
const FIRST_FILE: Param = Param::word("A", Kind::File, "the first file");
const SECOND_FILE: Param = Param::word("B", Kind::File, "the second file");
const ANY_FORMAT: Param =
    Param::flag("format", Kind::Choice(FORMATS), "its format; found out where none is given");
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
        Param::flag("format", Kind::Choice(FORMATS), "native where none is given"),
        Param::flag(
            "convention",
            Kind::Choice(CONVENTIONS),
            "how a seed's file takes values of black",
        ),
    ],
    summary: "writes the cache to a file",
    details: "The old file stays until the new one is complete. seed-search holds entries of memo=interval, seed-rote those of memo=rote, native those \
              of every policy.",
    examples: &["cache save opening.plycache", "cache save test.cache --format seed-search"],
    run: Shows(|shell, args| {
        let (path, format, convention) = (path(args, "FILE")?, format(args)?, convention(args)?);
        args.reply("FILE", shell.engine.bench().cache_save(path, format, convention))
    }),
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
    run: Changes(|shell, args| {
        let (path, format, convention) = (path(args, "FILE")?, format(args)?, convention(args)?);
        args.reply("FILE", shell.engine.bench_mut().cache_load(path, format, convention))
    }),
};

pub(super) const CHECK: Spec = Spec {
    name: "cache check",
    aliases: &["cache info"],
    params: &[
        THE_FILE,
        Param::flag("salvage", Kind::File, "a new file for what is sound"),
        ANY_FORMAT,
    ],
    summary: "describes a cache file, checks every block or record of it, and copies what is sound",
    details: "Shows what a native file states of itself and what differs from the session; names every block whose check sum is wrong and every record \
              that cannot be read; a script fails there. With --salvage what is sound goes into a new file of the same format. Whether the \
              entries are right is another question: `audit` searches those of the cache again.",
    examples: &[
        "cache check opening.plycache",
        "cache check broken.plycache --salvage mended.plycache",
    ],
    run: Shows(|shell, args| {
        let (path, format) = (path(args, "FILE")?, format(args)?);
        let salvage = args.text("salvage").map(Path::new);
        args.reply("FILE", shell.engine.bench().cache_check(path, format, salvage))
    }),
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
    details: "Of two entries under one key the deeper counts; at equal depth an exact value before a bound, else the first file's: `cache diff` shows \
              those that differ. Files of different weights, rules or settings are refused.",
    examples: &["cache merge one.plycache two.plycache both.plycache"],
    run: Shows(|shell, args| {
        let (both, out) = ([path(args, "A")?, path(args, "B")?], path(args, "OUT")?);
        shell.engine.bench().cache_merge(both, out, convention(args)?).map(boxed)
    }),
};

/// Examples of each kind that `cache diff` shows where nothing else is said.
const EXAMPLES: usize = 5;

pub(super) const DIFF: Spec = Spec {
    name: "cache diff",
    aliases: &[],
    params: &[
        FIRST_FILE,
        SECOND_FILE,
        Param::flag("limit", Kind::Count, "examples of each kind; 5 where none is given"),
        SEED_CONVENTION,
    ],
    summary: "compares two cache files",
    details: "Counts what is only in the first, only in the second, the same and different, with examples, and says what the files state differently. \
              Their formats may differ.",
    examples: &["cache diff one.plycache two.plycache --limit 20"],
    run: Shows(|shell, args| {
        let both = [path(args, "A")?, path(args, "B")?];
        let limit = args.count("limit")?.unwrap_or(EXAMPLES);
        shell.engine.bench().cache_diff(both, convention(args)?, limit).map(boxed)
    }),
};

fn path<'a>(args: &'a Args<'_>, name: &str) -> Result<&'a Path, Fault> {
    args.required(name).map(Path::new)
}

fn format(args: &Args<'_>) -> Result<Option<Format>, Fault> {
    args.text("format").map(str::parse).transpose()
}

fn convention(args: &Args<'_>) -> Result<Option<Convention>, Fault> {
    args.text("convention").map(str::parse).transpose()
}
