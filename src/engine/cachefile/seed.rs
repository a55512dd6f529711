//! The records of the seeds' cache files (000 and 001): no header, no count, no check sum.

use std::io::Read;

use rustc_hash::FxHashMap;

use super::{
    Convention, Format,
    native::fixed,
    stream::{DamagedPlace, Findings, ReadError, SummingWriter, Watch, read_up_to},
};
use crate::engine::{
    files::FileFailure,
    game::{Fault, Game, Keyed, Score, Side, Window},
    memo::{Bound, Entries, Entry, Policy},
};

/// Records handled between two looks at the watch.
const CHUNK: usize = 16 * 1024;

/// A record's bytes, the unused ones zero.
type Bytes = [u8; 32];

/// How the records of one of the two formats are laid out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub format: Format,
    /// The policy whose entries they are.
    pub policy: Policy,
    /// Bytes of a record.
    pub bytes: usize,
    /// Bytes before the doubles: what a record is found by.
    head: usize,
}

/// Seed 000: state key (7 bytes), limit (1), value, alpha and beta (little-endian doubles). Seed 001: state key, value.
pub(super) static LAYOUTS: [Layout; 2] = [
    Layout { format: Format::SeedSearch, policy: Policy::Interval, bytes: 32, head: 8 },
    Layout { format: Format::SeedRote, policy: Policy::Rote, bytes: 15, head: 7 },
];

impl Layout {
    fn has_window(&self) -> bool {
        self.policy == Policy::Interval
    }

    fn decode<G: Game>(&self, game: &G, record: &[u8]) -> Result<(Keyed<G::Key>, Entry), String> {
        let mut key = [0; 7];
        key.copy_from_slice(&record[..7]);
        let key = game.parse_seed_key(key).map_err(|fault| fault.to_string())?;
        let mut entry = Entry {
            value: self.score(record, 0, "value")?,
            window: None,
            bound: None,
            depth: None,
        };
        let mut at = Keyed { key, depth: 0 };
        if self.has_window() {
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

    fn score(&self, record: &[u8], index: usize, name: &str) -> Result<Score, String> {
        let value = f64::from_le_bytes(fixed(record, self.head + 8 * index));
        Score::new(value)
            .filter(|_| value.is_finite())
            .ok_or_else(|| format!("its {name} is {value}, not a finite number"))
    }

    fn encode(&self, key: [u8; 7], depth: u8, entry: &Entry) -> Result<Bytes, String> {
        let mut record = [0; 32];
        record[..7].copy_from_slice(&key);
        let mut put = |index: usize, name: &str, score: Score| {
            if !score.get().is_finite() {
                return Err(format!("its {name} is {score}"));
            }
            let start = self.head + 8 * index;
            record[start..start + 8].copy_from_slice(&score.get().to_le_bytes());
            Ok(())
        };
        put(0, "value", entry.value)?;
        if self.has_window() {
            let window = entry.window.ok_or("it has no window")?;
            put(1, "alpha", window.alpha)?;
            put(2, "beta", window.beta)?;
            record[7] = depth;
        }
        Ok(record)
    }

    /// A record that the file ends within.
    fn cut_short(&self, got: usize) -> String {
        let part = if got < self.head { "key" } else { "value" };
        let whole = self.bytes;
        format!("the file ends within it, in its {part}: {got} of {whole} bytes")
    }
}

/// Reads records to the end of `source` and hands each to `visit`. `total` is the file's length.
pub(super) fn read<G: Game>(
    game: &G,
    layout: &Layout,
    (source, total): (&mut dyn Read, u64),
    watch: &mut Watch,
    findings: &mut Findings,
    visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Fault>,
) -> Result<(), ReadError> {
    findings.promised = Some(total.div_ceil(layout.bytes as u64));
    let mut buffer = vec![0; CHUNK * layout.bytes];
    let mut offset = 0;
    loop {
        watch.tick(offset, total)?;
        let filled = read_up_to(source, &mut buffer)?;
        for record in buffer[..filled].chunks(layout.bytes) {
            let decoded = if record.len() < layout.bytes {
                Err(layout.cut_short(record.len()))
            } else {
                layout.decode(game, record)
            };
            match decoded {
                Ok((at, entry)) => {
                    visit(at, entry)?;
                    findings.records += 1;
                }
                Err(reason) => findings.note(DamagedPlace {
                    place: format!("{} record {}", layout.format, offset / layout.bytes as u64 + 1),
                    offset,
                    bytes: record.len() as u64,
                    reason,
                })?,
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
    out: &mut SummingWriter<'_>,
    (layout, convention): (&Layout, Convention),
    watch: &mut Watch,
) -> Result<(u64, u64), FileFailure> {
    let total = entries.len() as u64;
    let black = |at: Keyed<G::Key>| matches!(game.seed_key(at.key), Some((_, Side::Black)));
    let twins = entries.iter().any(|(at, _)| black(at));
    let mut places: FxHashMap<Bytes, usize> = FxHashMap::default();
    let mut file = Vec::with_capacity(entries.len() * layout.bytes);
    for (done, (at, entry)) in entries.iter().enumerate() {
        if done % CHUNK == 0 {
            watch.tick(done as u64, total)?;
        }
        let record = encode(game, layout, convention, at, entry)?;
        let record = &record[..layout.bytes];
        if twins {
            let mut key = [0; 32];
            key[..layout.head].copy_from_slice(&record[..layout.head]);
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
    let written = (file.len() / layout.bytes) as u64;
    Ok((written, total - written))
}

/// An entry as a record of the file; see [`write`].
fn encode<G: Game>(
    game: &G,
    layout: &Layout,
    convention: Convention,
    at: Keyed<G::Key>,
    entry: Entry,
) -> Result<Bytes, Fault> {
    let format = layout.format;
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
