//! The proofs of a search of the placing phase: for each position the least and the greatest value still possible.
//!
//! A proof is one word, from the top: four bits that grow with the nodes searched for it, two bits each for the upper and the
//! lower bound, and the 56 bits of [`Endgames::canonical_bits`](super::super::game::Endgames::canonical_bits). Threads share
//! the table without locks; a word is read and written at once.

use std::{
    path::Path,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::engine::{
    files,
    game::{Fault, Outcome, Result},
    random::splitmix,
};

/// Loss, draw and win as 0, 1 and 2.
pub(super) type Rank = u8;
pub(super) const DRAW: Rank = 1;
pub(super) const WIN: Rank = 2;

/// The rank of an outcome: 0 for a loss, 1 for a draw, 2 for a win.
pub(super) fn rank(outcome: Outcome) -> Rank {
    match outcome {
        Outcome::Loss => 0,
        Outcome::Draw => DRAW,
        Outcome::Win => WIN,
    }
}

/// The outcome of a rank: 0 is a loss, 1 a draw, 2 a win.
pub(super) fn outcome(rank: Rank) -> Outcome {
    [Outcome::Loss, Outcome::Draw, Outcome::Win][usize::from(rank.min(WIN))]
}

/// The least and the greatest outcome that a position can still have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: Rank,
    pub(super) upper: Rank,
}

impl Bounds {
    pub(super) const UNKNOWN: Self = Self { lower: 0, upper: WIN };

    pub(super) fn exact(rank: Rank) -> Self {
        Self { lower: rank, upper: rank }
    }

    /// The greater of two lower bounds and the lesser of two upper bounds.
    fn and(self, more: Self) -> Self {
        Self { lower: self.lower.max(more.lower), upper: self.upper.min(more.upper) }
    }
}

const POSITION: u64 = (1 << 56) - 1;
/// The number of proofs in each bucket of the hash table.
const WAYS: usize = 4;
const MAGIC: [u8; 8] = *b"\x89PLP\r\n\x1a\n";

/// The proofs in memory.
pub(super) struct Proofs(Vec<AtomicU64>);

/// A proof as a word; `nodes` is the number of nodes it took.
fn word(position: u64, bounds: Bounds, nodes: u64) -> u64 {
    let size = u64::from(nodes.max(1).ilog2() / 2).min(15);
    size << 60 | u64::from(WIN - bounds.upper) << 58 | u64::from(bounds.lower) << 56 | position
}

fn bounds(word: u64) -> Bounds {
    Bounds { lower: (word >> 56 & 3) as Rank, upper: WIN - (word >> 58 & 3) as Rank }
}

impl Proofs {
    /// An empty table of at most this number of bytes. Errors: too little memory.
    pub(super) fn new(bytes: u64) -> Result<Self> {
        let length = 1_usize << (bytes / 8).max(WAYS as u64).ilog2();
        let mut words = Vec::new();
        words.try_reserve_exact(length).map_err(|_| {
            Fault::new(format!("not enough memory for {bytes} bytes of proofs"))
                .hint("give a smaller --memory")
        })?;
        words.resize_with(length, AtomicU64::default);
        Ok(Self(words))
    }

    fn bucket(&self, position: u64) -> &[AtomicU64] {
        let first = splitmix(position) as usize & (self.0.len() - 1) & !(WAYS - 1);
        &self.0[first..first + WAYS]
    }

    pub(super) fn get(&self, position: u64) -> Bounds {
        let words = self.bucket(position).iter().map(|way| way.load(Relaxed));
        words
            .map_while(|word| (word != 0).then_some(word))
            .find(|word| word & POSITION == position)
            .map_or(Bounds::UNKNOWN, bounds)
    }

    /// Stores a proof that took `nodes` nodes; it replaces the proof in the bucket that took the fewest.
    pub(super) fn put(&self, position: u64, found: Bounds, nodes: u64) {
        let ways = self.bucket(position);
        let old = |way: &&AtomicU64| way.load(Relaxed) & POSITION == position;
        let known = ways.iter().find(old);
        let found = known.map_or(found, |way| found.and(bounds(way.load(Relaxed))));
        let least = || ways.iter().min_by_key(|way| way.load(Relaxed) >> 60);
        if let Some(way) = known.or_else(least) {
            way.store(word(position, found, nodes), Relaxed);
        }
    }

    /// Writes at most `most` proofs, those that took the most nodes.
    pub(super) fn save(&self, path: &Path, most: usize) -> Result<()> {
        let size = |word: u64| (word >> 60) as usize;
        let mut counts = [0; 16];
        let words = || self.0.iter().map(|word| word.load(Relaxed)).filter(|&word| word != 0);
        words().for_each(|word| counts[size(word)] += 1);
        let mut sum = 0;
        let fits = |count: &&usize| {
            sum += **count;
            sum <= most
        };
        let kept = 16 - counts.iter().rev().take_while(fits).count();
        let kept: Vec<u8> =
            words().filter(|&word| size(word) >= kept).flat_map(u64::to_le_bytes).collect();
        files::write_atomically(path, |out| {
            out.write_all(&MAGIC)?;
            out.write_all(&crc32fast::hash(&kept).to_le_bytes())?;
            Ok(out.write_all(&kept)?)
        })
    }

    /// Adds the proofs of a file. Errors: a file that cannot be read, is damaged or holds no proofs.
    pub(super) fn load(&self, path: &Path) -> Result<()> {
        let bytes = files::read(path)?;
        let damaged = || {
            Fault::word(path.display(), "is damaged, or is not a file of proofs")
                .hint("remove the file to start again from the beginning")
        };
        let (magic, rest) = bytes.split_first_chunk().ok_or_else(damaged)?;
        let (sum, words) = rest.split_first_chunk().ok_or_else(damaged)?;
        let (words, odd) = words.as_chunks();
        let sound = *magic == MAGIC
            && odd.is_empty()
            && crc32fast::hash(words.as_flattened()) == u32::from_le_bytes(*sum);
        if !sound {
            return Err(damaged());
        }
        for word in words.iter().map(|word| u64::from_le_bytes(*word)) {
            self.put(word & POSITION, bounds(word), 1 << (word >> 60 << 1));
        }
        Ok(())
    }
}
