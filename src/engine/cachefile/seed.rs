//! The seeds' cache files (000 and 001): records without header, count or checksum. A record is the state key of seven bytes
//! and the same fields as in the native format.

use rustc_hash::FxHashMap;

use super::{
    Convention, Format,
    findings::{DamagedPlace, Findings, Monitor},
    record::{bytes_at, field_bytes, put_fields, read_fields},
};
use crate::engine::{
    game::{Fault, Game, Keyed, Result, Side},
    table::{Entries, Entry, EntrySink, Policy},
};

/// The number of records between two calls of the monitor.
const CHUNK: usize = 16 * 1024;

/// The length of a state key in bytes.
const KEY: usize = 7;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub format: Format,
    pub policy: Policy,
}

/// The formats of the seeds' files: seed 000's, then seed 001's.
pub(super) static LAYOUTS: [Layout; 2] = [
    Layout { format: Format::SeedSearch, policy: Policy::Interval },
    Layout { format: Format::SeedRote, policy: Policy::Rote },
];

impl Layout {
    pub(super) fn bytes(&self) -> usize {
        KEY + field_bytes(self.policy)
    }

    /// Bytes that identify a record: the state key and, if the policy's keys have one, the depth.
    fn identity_bytes(&self) -> usize {
        KEY + usize::from(self.policy.keys_depth())
    }

    fn decode<G: Game>(&self, game: &G, record: &[u8]) -> Result<(Keyed<G::Key>, Entry), String> {
        if record.len() < self.bytes() {
            let part = if record.len() < self.identity_bytes() { "key" } else { "value" };
            let (got, whole) = (record.len(), self.bytes());
            return Err(format!("the file ends within it, in its {part}: {got} of {whole} bytes"));
        }
        let files = game
            .seed_files()
            .ok_or_else(|| format!("the seeds' cache files are for morris, not for {}", G::NAME))?;
        let key = files.parse_seed_key(bytes_at(record, 0)).map_err(|fault| fault.to_string())?;
        let (at, entry) = read_fields(self.policy, key, &record[KEY..])?;
        match infinite_field(&entry) {
            Some(what) => Err(format!("{what}, not a finite number")),
            None => Ok((at, entry)),
        }
    }

    fn encode<G: Game>(
        &self,
        game: &G,
        convention: Convention,
        (at, entry): (Keyed<G::Key>, Entry),
        record: &mut Vec<u8>,
    ) -> Result<()> {
        let format = self.format;
        let files = game.seed_files().ok_or_else(|| {
            Fault::new(format!(
                "{} positions have no place in a {format} file: the seeds' cache files are for morris",
                G::NAME,
            ))
            .hint("use --format native")
        })?;
        let (key, side) = files.seed_key(at.key);
        let entry = match side {
            Side::White => entry,
            Side::Black => convention.convert(entry),
        };
        record.extend(key);
        let written = match infinite_field(&entry) {
            Some(what) => Err(what),
            None => put_fields(self.policy, at.depth, &entry, record),
        };
        written.map_err(|reason| {
            let (key, depth) = (game.format_key(at.key), at.depth);
            Fault::new(format!(
                "the entry {key}:{depth} does not fit a {format} file: {reason}"
            ))
            .hint("the seeds' formats have finite numbers only: use --format native, or remove the entry")
        })
    }
}

/// The first infinite or undefined number of an entry, in words; `None` if all numbers are finite.
fn infinite_field(entry: &Entry) -> Option<String> {
    let [alpha, beta] = [entry.window.map(|w| w.alpha), entry.window.map(|w| w.beta)];
    let mut scores = [("value", Some(entry.value)), ("alpha", alpha), ("beta", beta)].into_iter();
    scores.find_map(|(name, score)| {
        let score = score.filter(|score| !score.get().is_finite())?;
        Some(format!("its {name} is {score}"))
    })
}

/// Reads all records of a file and passes each to `visit`.
pub(super) fn read<G: Game>(
    game: &G,
    layout: &Layout,
    file: &[u8],
    monitor: &mut Monitor,
    findings: &mut Findings,
    visit: &mut EntrySink<'_, G::Key>,
) -> Result<()> {
    for (number, record) in file.chunks(layout.bytes()).enumerate() {
        let offset = (number * layout.bytes()) as u64;
        if number % CHUNK == 0 {
            monitor.tick(offset, file.len() as u64)?;
        }
        findings.add_record(layout.decode(game, record), visit, |reason| DamagedPlace {
            place: format!("{} record {}", layout.format, number + 1),
            offset,
            reason,
        })?;
    }
    Ok(())
}

/// All entries in their order, as bytes. A later entry with the same key in the file replaces the first one in its place, as
/// in the seeds' dictionaries.
///
/// The entry of a position with black to move is stored under the key of its colour-swapped twin, as by seed 000's `write`;
/// [`Convention::convert`] converts its values.
pub(super) fn write<G: Game>(
    game: &G,
    entries: &dyn Entries<G::Key>,
    layout: &Layout,
    convention: Convention,
    monitor: &mut Monitor,
) -> Result<Vec<u8>> {
    let total = entries.len() as u64;
    let black = |at: Keyed<G::Key>| {
        game.seed_files().is_some_and(|files| files.seed_key(at.key).1 == Side::Black)
    };
    // Only with black to move can two entries have the same key in the file.
    let twins = entries.iter().any(|(at, _)| black(at));
    let mut places: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
    let mut file = Vec::with_capacity(entries.len() * layout.bytes());
    for (done, entry) in entries.iter().enumerate() {
        if done % CHUNK == 0 {
            monitor.tick(done as u64, total)?;
        }
        let end = file.len();
        layout.encode(game, convention, entry, &mut file)?;
        if twins {
            let identity = file[end..end + layout.identity_bytes()].to_vec();
            let place = *places.entry(identity).or_insert(end);
            if place < end {
                file.copy_within(end.., place);
                file.truncate(end);
            }
        }
    }
    monitor.tick(total, total)?;
    Ok(file)
}
