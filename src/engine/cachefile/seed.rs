//! The records of the seeds' cache files (000 and 001): no header, no count, no check sum.

use std::io::{Read, Write};

use rustc_hash::FxHashMap;

use super::{
    Convention, Format,
    stream::{Damage, Tally, Trouble, Watch, read_up_to},
};
use crate::engine::{
    files::Failure,
    game::{Fault, Game, Keyed, Score, Side, Window},
    memo::{Bound, Entries, Entry, Policy},
};

/// Records handled between two looks at the watch.
const CHUNK: usize = 16 * 1024;

/// A record's bytes, the unused ones zero.
pub(super) type Record = [u8; 32];

/// One of the two kinds of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Seed 000: state key (7 bytes), limit (1), value, alpha and beta (little-endian doubles).
    Search,
    /// Seed 001: state key (7 bytes), value.
    Rote,
}

impl Layout {
    pub(super) const fn bytes(self) -> usize {
        match self {
            Self::Search => 32,
            Self::Rote => 15,
        }
    }

    pub(super) const fn policy(self) -> Policy {
        match self {
            Self::Search => Policy::Interval,
            Self::Rote => Policy::Rote,
        }
    }

    pub(super) const fn format(self) -> Format {
        match self {
            Self::Search => Format::SeedSearch,
            Self::Rote => Format::SeedRote,
        }
    }

    /// Bytes by which a record is found: the state key and, where there is one, the limit.
    pub(super) const fn key_bytes(self) -> usize {
        self.values()
    }

    /// Where the doubles begin.
    const fn values(self) -> usize {
        match self {
            Self::Search => 8,
            Self::Rote => 7,
        }
    }

    fn decode<G: Game>(self, game: &G, record: &[u8]) -> Result<(Keyed<G::Key>, Entry), String> {
        let mut key = [0; 7];
        key.copy_from_slice(&record[..7]);
        let key = game
            .parse_seed_key(key)
            .map_err(|fault| fault.to_string())?;
        let value = self.score(record, 0, "value")?;
        Ok(match self {
            Self::Rote => (Keyed { key, depth: 0 }, plain(value)),
            Self::Search => {
                let (alpha, beta) = (
                    self.score(record, 1, "alpha")?,
                    self.score(record, 2, "beta")?,
                );
                let (window, depth) = (Window { alpha, beta }, record[7]);
                (Keyed { key, depth }, windowed(value, window, depth))
            }
        })
    }

    fn score(self, record: &[u8], index: usize, name: &str) -> Result<Score, String> {
        let start = self.values() + 8 * index;
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&record[start..start + 8]);
        let value = f64::from_le_bytes(bytes);
        Score::new(value)
            .filter(|_| value.is_finite())
            .ok_or_else(|| format!("its {name} is {value}, not a finite number"))
    }

    fn encode(self, key: [u8; 7], depth: u8, entry: &Entry) -> Result<Record, String> {
        let mut record = [0; 32];
        record[..7].copy_from_slice(&key);
        let mut put = |index: usize, name: &str, score: Score| {
            if !score.get().is_finite() {
                return Err(format!("its {name} is {score}"));
            }
            let start = self.values() + 8 * index;
            record[start..start + 8].copy_from_slice(&score.get().to_le_bytes());
            Ok(())
        };
        put(0, "value", entry.value)?;
        if self == Self::Search {
            let window = entry.window.ok_or("it has no window")?;
            put(1, "alpha", window.alpha)?;
            put(2, "beta", window.beta)?;
            record[7] = depth;
        }
        Ok(record)
    }
}

const fn plain(value: Score) -> Entry {
    Entry {
        value,
        window: None,
        bound: None,
        depth: None,
    }
}

fn windowed(value: Score, window: Window, depth: u8) -> Entry {
    Entry {
        value,
        window: Some(window),
        bound: Some(Bound::of(value, window)),
        depth: Some(depth),
    }
}

/// Reads records to the end of `source` and hands each to `visit`. `total` is the file's length, for progress.
pub(super) fn read<G: Game>(
    game: &G,
    layout: Layout,
    source: &mut dyn Read,
    total: u64,
    watch: &mut Watch,
    visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Fault>,
) -> Result<(), Trouble> {
    each(layout, source, total, watch, |offset, record| {
        if record.len() < layout.bytes() {
            return Err(cut_off(layout, offset, record.len()).into());
        }
        let (at, entry) = layout
            .decode(game, record)
            .map_err(|reason| spoilt(layout, offset, &reason))?;
        Ok(visit(at, entry)?)
    })
}

/// Reads what can be read: sound records go to `visit`, the others to `spoilt`, with their offset and what is wrong.
pub(super) fn salvage<G: Game>(
    game: &G,
    layout: Layout,
    source: &mut dyn Read,
    total: u64,
    watch: &mut Watch,
    visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Trouble>,
    spoilt: &mut dyn FnMut(u64, usize, String),
) -> Result<(), Trouble> {
    each(layout, source, total, watch, |offset, record| {
        let decoded = if record.len() < layout.bytes() {
            Err("the file ends within it".to_owned())
        } else {
            layout.decode(game, record)
        };
        match decoded {
            Ok((at, entry)) => visit(at, entry),
            Err(reason) => {
                spoilt(offset, record.len(), reason);
                Ok(())
            }
        }
    })
}

/// How many bytes of a file belong to records that read well, damage or not: how much it looks like this layout.
pub(super) fn sound_bytes<G: Game>(
    game: &G,
    layout: Layout,
    source: &mut dyn Read,
    watch: &mut Watch,
) -> Result<u64, Trouble> {
    let mut sound = 0;
    let count = &mut |_, _| {
        sound += layout.bytes() as u64;
        Ok(())
    };
    salvage(game, layout, source, 0, watch, count, &mut |_, _, _| {})?;
    Ok(sound)
}

/// Hands every record to `visit`, with its offset; the last one may be cut off.
fn each(
    layout: Layout,
    source: &mut dyn Read,
    total: u64,
    watch: &mut Watch,
    mut visit: impl FnMut(u64, &[u8]) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut buffer = vec![0; CHUNK * layout.bytes()];
    let mut offset = 0;
    loop {
        watch.tick(offset, total)?;
        let filled = read_up_to(source, &mut buffer)?;
        for record in buffer[..filled].chunks(layout.bytes()) {
            visit(offset, record)?;
            offset += record.len() as u64;
        }
        if filled < buffer.len() {
            return Ok(());
        }
    }
}

fn place(layout: Layout, offset: u64) -> String {
    format!(
        "record {} at byte {offset}",
        offset / layout.bytes() as u64 + 1
    )
}

fn remedy(layout: Layout, offset: u64) -> String {
    match offset / layout.bytes() as u64 {
        0 => "take the file from its source again".to_owned(),
        whole => format!(
            "take the file from its source again, or let `cache repair` recover what is sound, the {whole} \
             record{} before among it",
            if whole == 1 { "" } else { "s" }
        ),
    }
}

fn spoilt(layout: Layout, offset: u64, reason: &str) -> Damage {
    Damage {
        reason: format!(
            "{} is no {} record: {reason}",
            place(layout, offset),
            layout.format()
        ),
        hint: remedy(layout, offset),
        of_another_version: false,
    }
}

fn cut_off(layout: Layout, offset: u64, rest: usize) -> Damage {
    let part = if rest < layout.values() {
        "key"
    } else {
        "value"
    };
    let reason = format!(
        "the file ends within {}, in its {part}: {rest} of {} bytes",
        place(layout, offset),
        layout.bytes()
    );
    Damage {
        reason,
        hint: remedy(layout, offset),
        of_another_version: false,
    }
}

/// What came of writing.
pub(super) struct Written {
    pub entries: u64,
    /// Entries that another one replaced because both have the same key in the file.
    pub merged: u64,
    pub bytes: u64,
    pub crc32: u32,
}

/// Writes all entries in their order.
///
/// An entry of a position with black to move goes under the colour-swapped key, as seed 000's `write` does it: turned in
/// sign under [`Convention::Seed`], as it is under [`Convention::Relative`].
pub(super) fn write<G: Game>(
    game: &G,
    entries: &dyn Entries<G::Key>,
    out: &mut dyn Write,
    layout: Layout,
    convention: Convention,
    watch: &mut Watch,
) -> Result<Written, Failure> {
    let records = entries
        .iter()
        .map(|(at, entry)| encode(game, layout, convention, at, entry));
    let total = entries.len() as u64;
    let black = |at: Keyed<G::Key>| matches!(game.seed_key(at.key), Some((_, Side::Black)));
    if entries.iter().any(|(at, _)| black(at)) {
        let (records, merged) = gather(layout, records)?;
        let records = records.into_iter().map(Ok);
        put_all(layout, records, out, total, merged, watch)
    } else {
        put_all(layout, records, out, total, 0, watch)
    }
}

/// An entry as a record of the file; see [`write`].
pub(super) fn encode<G: Game>(
    game: &G,
    layout: Layout,
    convention: Convention,
    at: Keyed<G::Key>,
    entry: Entry,
) -> Result<Record, Fault> {
    let (key, side) = game
        .seed_key(at.key)
        .ok_or_else(|| no_seed_keys::<G>(layout))?;
    let entry = match side {
        Side::White => entry,
        Side::Black => convention.turn(entry),
    };
    let refused = |reason: String| unfit(layout, &game.format_key(at.key), at.depth, &reason);
    layout.encode(key, at.depth, &entry).map_err(refused)
}

/// One record for each key of the file: the later wins and keeps the first one's place, as in the seeds' dictionaries.
fn gather(
    layout: Layout,
    records: impl Iterator<Item = Result<Record, Fault>>,
) -> Result<(Vec<Record>, u64), Fault> {
    let mut places: FxHashMap<[u8; 8], usize> = FxHashMap::default();
    let mut kept: Vec<Record> = Vec::new();
    let mut merged = 0;
    for record in records {
        let record = record?;
        let mut key = [0; 8];
        key[..layout.key_bytes()].copy_from_slice(&record[..layout.key_bytes()]);
        let place = *places.entry(key).or_insert(kept.len());
        if let Some(earlier) = kept.get_mut(place) {
            *earlier = record;
            merged += 1;
        } else {
            kept.push(record);
        }
    }
    Ok((kept, merged))
}

fn put_all(
    layout: Layout,
    records: impl Iterator<Item = Result<Record, Fault>>,
    out: &mut dyn Write,
    total: u64,
    merged: u64,
    watch: &mut Watch,
) -> Result<Written, Failure> {
    let mut writer = Writer::new(out, layout);
    watch.tick(0, total)?;
    for record in records {
        writer.push(&record?)?;
        if writer.starts_chunk() {
            watch.tick(writer.entries, total)?;
        }
    }
    watch.tick(writer.entries, total)?;
    Ok(Written {
        merged,
        ..writer.finish()?
    })
}

/// Writes records one after the other; holds a chunk of them.
pub(super) struct Writer<'a> {
    layout: Layout,
    out: Tally<'a>,
    chunk: Vec<u8>,
    entries: u64,
}

impl<'a> Writer<'a> {
    pub(super) fn new(out: &'a mut dyn Write, layout: Layout) -> Self {
        Self {
            layout,
            out: Tally::new(out),
            chunk: Vec::with_capacity(CHUNK * layout.bytes()),
            entries: 0,
        }
    }

    pub(super) const fn layout(&self) -> Layout {
        self.layout
    }

    fn starts_chunk(&self) -> bool {
        self.chunk.is_empty()
    }

    /// Appends a record's bytes.
    pub(super) fn push(&mut self, record: &[u8]) -> Result<(), Failure> {
        self.chunk.extend_from_slice(&record[..self.layout.bytes()]);
        self.entries += 1;
        if self.chunk.len() == CHUNK * self.layout.bytes() {
            self.out.put(&self.chunk)?;
            self.chunk.clear();
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Written, Failure> {
        self.out.put(&self.chunk)?;
        let (bytes, crc32) = self.out.finish();
        Ok(Written {
            entries: self.entries,
            merged: 0,
            bytes,
            crc32,
        })
    }
}

fn no_seed_keys<G: Game>(layout: Layout) -> Fault {
    Fault::new(format!(
        "{} positions have no place in a {} file: the seeds' cache files are for morris",
        G::NAME,
        layout.format()
    ))
    .hint("use --format native")
}

fn unfit(layout: Layout, key: &str, depth: u8, reason: &str) -> Fault {
    Fault::new(format!(
        "the entry {key}:{depth} does not fit a {} file: {reason}",
        layout.format()
    ))
    .hint("the seeds' programs know finite numbers only: use --format native, or remove the entry")
}
