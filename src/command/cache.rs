//! Commands that inspect and change the cache.

use std::str::FromStr;

use strum::VariantNames as _;

use crate::{
    command::{
        Args, Culprit, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, changes, lexer,
        search, shows, suggest,
    },
    engine::{
        cachefile::LoadOptions,
        session::{cache::Sort, comparing::Comparison},
        table::Field,
    },
};

/// The values of `--sort` in `cache list`.
pub const CACHE_ORDERS: &[&str] = Sort::VARIANTS;

const MANUAL: &str = r#"
** cache stats, cache
  shows the statistics of the cache
  Entries and memory, entries by depth and by bound, and the probes of the last search.
** cache list, cache ls
  lists entries
  - [FILTER…]  rest @filter  a condition, such as depth>=3 and value<0 and stones=9
  - --where  @filter  a condition, such as depth>=3 and value<0 and stones=9
  - --limit  count  number of entries to show (default: 20); 0 only counts them
  - --offset  count  number of entries to skip first
  - --around  @key  the page of this entry, in place of --offset; without effect if the entry is not listed
  - --depth  0..255  only entries of this depth
  - --sort  one of  the order
    table: in the order in which they were first stored
    key: by key
    depth: deepest first
    value: highest first
    uses: most used first; `search set uses=on` counts them
  A condition compares depth, value, alpha, beta, uses, truth and distance (of the endgame tables in use), bound (exact, lower, upper), key (its
  beginning), state (a position or here, under any kind of key), and in morris stones, own, other, hand, own_hand, other_hand, mills, other_mills, where
  own is the side to move. It can have `and`, `or`, `not`, parentheses and + - * /. Comparisons with a field that an entry lacks are false.
  > cache list  > cache list depth>=2 and value<0 and stones=9 --sort value --limit 5  > cache list bound=exact --limit 100 --offset 100
** cache histogram
  shows entries by depth, by bound and by value
  - [FILTER…], --where  see cache list
  - --buckets  1..1000  ranges of values (default: 10)
  - --depth  see cache list
  Conditions are those of `cache list`.
  > cache histogram  > cache histogram stones=6 --buckets 5
** cache find
  lists the entries of a position, at every depth
  - [STATE…]  rest text  a position (default: the current one)
  Finds them under any kind of key, also if symmetric positions share one.
  > cache find  > cache find ww.wb.../b.b.w.bw/........ w 0 0
** cache get
  shows an entry with its position
  - --writer  also shows which event wrote it, and how often it was used
  - KEY…  rest @key  KEY:DEPTH, here:DEPTH for the current position, or "STATE:DEPTH"
  A key is 14 hex digits, then `:` and the remaining depth if the policy keeps one. Leave out the depth if only one is stored. If symmetric positions
  share an entry, the key of any of them finds it.
  > cache get 99000000000000:2  > cache get here:2  > cache get --writer here:2
cache set
  writes an entry, or changes its fields
  - KEY  see rwatch
  - FIELD=…  @field  value=, alpha=, beta= (interval), bound=, depth=, best= (bound)
    value: such as -0.5
    alpha: the lower end of the window
    beta: the upper end of the window
    bound: exact, lower or upper
    depth: the remaining depth searched
    best: a move, or none
  Other fields stay as they are. A new entry needs a value, and gets the full window. Values are for the side to move in the position of the key; in chess, `-80` and `-0.8` are the same.
  A value written as the cache shows the stored one, perhaps rounded (`+0.048`), keeps the stored one with all its digits. One more digit (`+0.0480`)
  replaces it.
  The entry is stored under exactly this key. `best=` takes a move of the position or `none`; searches use it if their order has `best`.
  > cache set 99000000000000:2 value=0.25 alpha=-1 beta=1  > cache set here:1 value=0.5
cache remove, cache rm
  removes an entry, or all that match a condition
  - [KEY…]  rest @key  KEY:DEPTH, here:DEPTH for the current position, or "STATE:DEPTH"
  - --where  see cache list
  Conditions are those of `cache list`, in quotes.
  > cache remove 99000000000000:2  > cache remove --where "depth=0 and value<0"
cache clear
  removes every entry
cache clean
  shrinks the cache to its size by removing the shallowest entries
  - --max-size  count  number of entries to keep (default: the setting max_size)
  In seed fidelity as seed 000 does: whole depths are removed, depths 0 and 1 together, even if nothing is left (defect D4). Otherwise no more entries
  are removed than necessary.
  > cache clean  > cache clean --max-size 1000
cache save
  writes the cache to a file
  - FILE  file  the file
  - --format  one of  the format (default: native for writing, detected for reading)
    seed-search: seed 000: 32-byte records
    seed-rote: seed 001: 15-byte records
    native: the format of this program, with header and checksums
  - --convention  one of  the sign of black's values in a seed's file (default: seed)
    seed: negated, as seed 000 writes them
    relative: for the side to move
  The old file stays until the new one is complete. seed-search is for memo=interval, seed-rote for memo=rote, native for every policy.
  > cache save opening.plycache  > cache save test.cache --format seed-search
cache load
  adds the entries of a file to the cache
  - FILE  see cache save
  - --format, --convention  see cache save
  - --salvage  read the undamaged part of a damaged file
  A file that is damaged, of another game, or whose weights or rules are not those in force is refused, and nothing is changed. An entry of the file
  replaces one with the same key. An empty file is refused, unless --format says that it is a seed's. --salvage leaves out damaged blocks and records;
  `cache save` then writes an undamaged file of the rest.
  > cache load opening.plycache  > cache load broken.plycache --salvage  > cache load test.cache --format seed-search --convention seed
* cache check, cache info
  describes a cache file and checks every block or record of it
  - FILE  see cache save
  - --format  see cache save
  Shows the header of a native file and its differences from the session. Reports every block with a wrong checksum and every record that cannot be
  read; a script fails then. It does not check the values: `audit` searches the entries of the cache again.
  > cache check opening.plycache
cache diff
  compares two cache files
  - A  file  the first file
  - B  file  the second file
  - --limit  count  examples of each kind (default: 5)
  - --convention  see cache save
  Counts the entries only in the first file, only in the second, equal and different, with examples, and shows differences of the headers. The formats
  may differ.
  > cache diff one.plycache two.plycache --limit 20
* key, cache key
  decodes a key, or shows the key of a position
  - [KEY…]  rest @key  a key or a position (default: the current position)
  Shows the position of the key, and the key that symmetric searches use for it.
  > key  > key 99000000000000
* memo compare, memos
  searches the position, or many positions, with every memo policy, in both fidelities
  - --depth, --suite, --random, --random-seed, --limit  see search compare
  Each search has an empty cache of its own; the session's stays as it is. Values that differ from that of memo=none in sound fidelity are marked.
  Algorithm, symmetry and keys are those of the settings. The times show whether a cache saves more than it costs. `search compare` compares any
  settings.
  > memo compare --depth 3  > memo compare --suite standard --depth 2
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Cache",
    manual: MANUAL,
    lists: &[
        LiveList::explained("key", entries),
        LiveList::new("field", |_| {
            Field::ALL.iter().map(|field| field.name().to_owned()).collect()
        }),
        LiveList::new("filter", |shell| {
            shell.session().filter_names().into_iter().map(str::to_owned).collect()
        }),
    ],
    run: &[
        shows("cache stats", |shell, _| Ok(boxed(shell.session().cache_stats()))),
        shows("cache list", list),
        shows("cache histogram", |shell, args| {
            let buckets = args.count("buckets")?.unwrap_or(10);
            filtered(args, |conditions| {
                shell.session().cache_histogram(conditions, buckets).map(boxed)
            })
        }),
        shows("cache find", |shell, args| {
            let condition = format!("state=\"{}\"", args.text("STATE").unwrap_or("here"));
            let found = shell.session().cache_list(&[&condition], Sort::Depth, 0..usize::MAX);
            let found = found.map_err(|fault| {
                by_condition(shell, args.text("STATE"), Fault { at: None, ..fault }, listing)
            });
            args.reply("STATE", found)
        }),
        shows("cache get", |shell, args| {
            let key = args.required("KEY")?;
            let got = shell.session().cache_get(key);
            let mut got = got.map_err(|fault| {
                args.blame("KEY", by_condition(shell, Some(key), fault, listing))
            })?;
            if args.has("writer") && got.entry.is_some() {
                got.writer = shell.session_mut().writer(key)?;
                if got.writer.is_none() {
                    let note =
                        "no event of the recorded search wrote it: it is older, or was edited";
                    got.notes.push(note.to_owned());
                }
            }
            Ok(boxed(got))
        }),
        changes("cache set", |shell, args| {
            args.reply("KEY", shell.session_mut().cache_set(args.required("KEY")?, &args.pairs()))
        }),
        changes("cache remove", remove),
        changes("cache clear", |shell, _| Ok(boxed(shell.session_mut().cache_clear()))),
        changes("cache clean", |shell, args| {
            Ok(boxed(shell.session_mut().cache_clean(args.count("max-size")?)))
        }),
        shows("cache save", |shell, args| {
            let (format, convention) = (choice(args, "format"), choice(args, "convention"));
            args.reply("FILE", shell.session().cache_save(args.file("FILE")?, format, convention))
        }),
        changes("cache load", |shell, args| {
            let (format, convention) = (choice(args, "format"), choice(args, "convention"));
            let options = LoadOptions { format, convention, salvage: args.has("salvage") };
            args.reply("FILE", shell.session_mut().cache_load(args.file("FILE")?, options))
        }),
        shows("cache check", |shell, args| {
            let checked = shell.session().cache_check(args.file("FILE")?, choice(args, "format"));
            args.reply("FILE", checked)
        }),
        shows("cache diff", |shell, args| {
            let both = [args.file("A")?, args.file("B")?];
            let limit = args.count("limit")?.unwrap_or(5);
            shell.session().cache_diff(both, choice(args, "convention"), limit).map(boxed)
        }),
        shows("key", |shell, args| args.reply("KEY", shell.session().key(args.text("KEY")))),
        shows("memo compare", |shell, args| search::compare(shell, args, Comparison::Memos)),
    ],
};

fn entries(shell: &Shell) -> Vec<(String, String)> {
    shell.session().some_entries(200)
}

pub(super) fn keys(shell: &Shell) -> impl Iterator<Item = String> {
    entries(shell).into_iter().map(|(key, _)| key)
}

/// The fault for a text that is neither key nor position. For a condition, the hint is a command that takes conditions.
fn by_condition(
    shell: &Shell,
    text: Option<&str>,
    fault: Fault,
    write: fn(&str) -> String,
) -> Fault {
    let is_condition = |text: &&str| shell.session().cache_list(&[text], Sort::Depth, 0..0).is_ok();
    match text.filter(is_condition) {
        Some(text) => Fault { at: None, ..fault }.hint(suggest::these(&[&write(text)])),
        None => fault,
    }
}

fn listing(condition: &str) -> String {
    format!("cache list {condition}")
}

fn remove(shell: &mut Shell, args: &Args<'_>) -> Replied {
    match (args.text("KEY"), args.text("where")) {
        (Some(key), None) => {
            let removed = shell.session_mut().cache_remove(key);
            let write = |text: &str| format!("cache remove --where {}", lexer::quoted(text));
            let removed = removed.map_err(|fault| by_condition(shell, Some(key), fault, write));
            args.reply("KEY", removed)
        }
        (None, Some(condition)) => {
            args.reply("where", shell.session_mut().cache_remove_where(&[condition]))
        }
        (Some(_), Some(_)) => Err(Fault::new("give a key or a condition, not both")
            .hint("`key=99 and …` makes a key part of a condition")
            .about("where")),
        (None, None) => Err(Fault::new("which entry?")
            .hint("give the key of the entry, or --where and a condition in quotes")),
    }
}

fn list(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let sort = args.text("sort").and_then(|name| name.parse().ok()).unwrap_or_default();
    let limit: usize = args.count("limit")?.unwrap_or(20);
    let (offset, session) = (args.count("offset")?.unwrap_or(0), shell.session());
    filtered(args, |conditions| {
        let place = args.text("around").map(|key| session.cache_place(conditions, sort, key));
        let offset = place.transpose()?.flatten().map_or(offset, |at| at.saturating_sub(limit / 2));
        session.cache_list(conditions, sort, offset..offset.saturating_add(limit)).map(boxed)
    })
}

fn filtered(args: &Args<'_>, run: impl FnOnce(&[&str]) -> Replied) -> Replied {
    let mut names = vec!["FILTER", "where", "depth"];
    names.retain(|name| args.has(name));
    let texts = names.iter().filter_map(|&name| {
        let text = args.text(name)?;
        Some(if name == "depth" { format!("depth={text}") } else { text.to_owned() })
    });
    let texts: Vec<_> = texts.collect();
    let conditions: Vec<_> = texts.iter().map(String::as_str).collect();
    run(&conditions).map_err(|fault| {
        let Some(Culprit::Nth(nth)) = fault.culprit else {
            return fault;
        };
        match names.get(nth) {
            Some(name @ (&"FILTER" | &"where")) => args.blame(name, fault),
            Some(name) => args.blame(name, Fault { at: None, ..fault }),
            None => fault,
        }
    })
}

fn choice<T: FromStr>(args: &Args<'_>, flag: &str) -> Option<T> {
    args.text(flag)?.parse().ok()
}
