//! The records of the seeds' cache files (000 and 001): no header, no count, no check sum.

use std::io::Read;

use rustc_hash::FxHashMap;

use super::{
    Convention, Format,
    stream::{DamagedPlace, Findings, Tally, Trouble, Watch, read_up_to},
};
use crate::engine::{
    files::Failure,
    game::{Fault, Game, Keyed, Score, Side, Window},
    memo::{Bound, Entries, Entry, Policy},
};

/// Records handled between two looks at the watch.
const CHUNK: usize = 16 * 1024;

/// A record's bytes, the unused ones zero.
type Bytes = [u8; 32];

/// One of the two kinds of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Seed 000: state key (7 bytes), limit (1), value, alpha and beta (little-endian doubles).
    Search,
    /// Seed 001: state key (7 bytes), value.
    Rote,
}

impl Layout {
    pub(super) const BOTH: [Self; 2] = [Self::Search, Self::Rote];

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

    /// Where the doubles begin: before them stands what a record is found by.
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
        let mut entry = Entry {
            value: self.score(record, 0, "value")?,
            window: None,
            bound: None,
            depth: None,
        };
        let mut at = Keyed { key, depth: 0 };
        if self == Self::Search {
            let window = Window {
                alpha: self.score(record, 1, "alpha")?,
                beta: self.score(record, 2, "beta")?,
            };
            at.depth = record[7];
            entry.window = Some(window);
            entry.bound = Some(Bound::of(entry.value, window));
            entry.depth = Some(at.depth);
        }
        Ok((at, entry))
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

    fn encode(self, key: [u8; 7], depth: u8, entry: &Entry) -> Result<Bytes, String> {
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

    /// A record that cannot be read.
    fn note(
        self,
        findings: &mut Findings,
        (offset, got): (u64, usize),
        reason: String,
    ) -> Result<(), Trouble> {
        let number = offset / self.bytes() as u64 + 1;
        let place = DamagedPlace {
            number,
            offset,
            bytes: got as u64,
            reason,
        };
        findings.note(place, |place| {
            let name = format!("record {number} at byte {offset}");
            let reason = &place.reason;
            if got == self.bytes() {
                return format!("{name} is no {} record: {reason}", self.format());
            }
            let part = if got < self.values() { "key" } else { "value" };
            let whole = self.bytes();
            format!("the file ends within {name}, in its {part}: {got} of {whole} bytes")
        })
    }
}

/// Reads records to the end of `source` and hands each to `visit`. `total` is the file's length.
pub(super) fn read<G: Game>(
    game: &G,
    layout: Layout,
    (source, total): (&mut dyn Read, u64),
    watch: &mut Watch,
    findings: &mut Findings,
    visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Fault>,
) -> Result<(), Trouble> {
    findings.promised = Some(total.div_ceil(layout.bytes() as u64));
    let mut buffer = vec![0; CHUNK * layout.bytes()];
    let mut offset = 0;
    loop {
        watch.tick(offset, total)?;
        let filled = read_up_to(source, &mut buffer)?;
        for record in buffer[..filled].chunks(layout.bytes()) {
            let decoded = if record.len() < layout.bytes() {
                Err("the file ends within it".to_owned())
            } else {
                layout.decode(game, record)
            };
            match decoded {
                Ok((at, entry)) => {
                    visit(at, entry)?;
                    findings.records += 1;
                }
                Err(reason) => layout.note(findings, (offset, record.len()), reason)?,
            }
            offset += record.len() as u64;
        }
        if filled < buffer.len() {
            return Ok(());
        }
    }
}

/// Writes all entries in their order; says how many there are in the file, and how many are not because a later one has
/// the same key there: it stands at the first one's place, as in the seeds' dictionaries.
///
/// An entry of a position with black to move goes under the colour-swapped key, as seed 000's `write` does it: turned in
/// sign under [`Convention::Seed`], as it is under [`Convention::Relative`].
pub(super) fn write<G: Game>(
    game: &G,
    entries: &dyn Entries<G::Key>,
    out: &mut Tally<'_>,
    (layout, convention): (Layout, Convention),
    watch: &mut Watch,
) -> Result<(u64, u64), Failure> {
    let total = entries.len() as u64;
    let black = |at: Keyed<G::Key>| matches!(game.seed_key(at.key), Some((_, Side::Black)));
    let twins = entries.iter().any(|(at, _)| black(at));
    let mut places: FxHashMap<Bytes, usize> = FxHashMap::default();
    let mut file = Vec::with_capacity(entries.len() * layout.bytes());
    for (done, (at, entry)) in entries.iter().enumerate() {
        if done % CHUNK == 0 {
            watch.tick(done as u64, total)?;
        }
        let record = encode(game, layout, convention, at, entry)?;
        let record = &record[..layout.bytes()];
        if twins {
            let mut key = [0; 32];
            key[..layout.values()].copy_from_slice(&record[..layout.values()]);
            let place = *places.entry(key).or_insert(file.len());
            if place < file.len() {
                file[place..place + record.len()].copy_from_slice(record);
                continue;
            }
        }
        file.extend_from_slice(record);
    }
    watch.tick(total, total)?;
    out.put(&file)?;
    let written = (file.len() / layout.bytes()) as u64;
    Ok((written, total - written))
}

/// An entry as a record of the file; see [`write`].
fn encode<G: Game>(
    game: &G,
    layout: Layout,
    convention: Convention,
    at: Keyed<G::Key>,
    entry: Entry,
) -> Result<Bytes, Fault> {
    let format = layout.format();
    let (key, side) = game.seed_key(at.key).ok_or_else(|| {
        Fault::new(format!(
            "{} positions have no place in a {format} file: the seeds' cache files are for morris",
            G::NAME,
        ))
        .hint("use --format native")
    })?;
    let entry = match side {
        Side::White => entry,
        Side::Black => convention.turn(entry),
    };
    layout.encode(key, at.depth, &entry).map_err(|reason| {
        let (key, depth) = (game.format_key(at.key), at.depth);
        Fault::new(format!(
            "the entry {key}:{depth} does not fit a {format} file: {reason}"
        ))
        .hint("the seeds' programs know finite numbers only: use --format native, or remove the entry")
    })
}
