//! The outcomes of all tables that a placing phase leads to, in memory.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{
    LEAST, MOST, Store, Subspace,
    board::Stones,
    index::{Index, index_count, index_memory},
};
use crate::engine::{
    game::{Outcome, Result},
    workers::{self, interrupted},
};

/// The side length of the array of tables.
const SIDE: usize = MOST as usize + 1;

/// Tables by the stones of the side to move and of the opponent, four values in a byte.
pub(super) struct Outcomes(Vec<Option<(Index, Vec<u8>)>>);

/// The subspaces in which the sides have at most so many stones.
fn subspaces([own, other]: [u32; 2]) -> impl Iterator<Item = Subspace> {
    let (most, fewest) = (own.max(other), own.min(other));
    (LEAST..=most).flat_map(move |own| {
        (LEAST..=fewest.min(own)).flat_map(move |other| Subspace { own, other }.pair())
    })
}

/// The memory of the outcomes in bytes.
pub(super) fn outcomes_memory(most: [u32; 2]) -> u64 {
    let memory = |subspace: Subspace| {
        index_count(subspace.own, subspace.other).div_ceil(4) + index_memory(subspace.own)
    };
    subspaces(most).map(memory).sum()
}

impl Outcomes {
    /// Loads the tables. `progress` gets the number of those loaded.
    /// Errors: a table that is missing or cannot be used, an interrupt.
    pub(super) fn load(
        store: &Store,
        most: [u32; 2],
        (threads, interrupt): (usize, &AtomicBool),
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self> {
        let wanted: Vec<_> = subspaces(most).collect();
        let load = |subspace: &Subspace, stop: &AtomicBool| {
            let table = store.needed(*subspace)?;
            let mut values = Vec::new();
            for block in 0..table.file.blocks() {
                if stop.load(Relaxed) {
                    return Err(interrupted());
                }
                values.extend(table.file.read_packed(block)?);
            }
            Ok((Index::new(subspace.own, subspace.other), values))
        };
        let loaded = workers::map(&wanted, threads, interrupt, load, progress)?;
        let mut outcomes = Self((0..SIDE * SIDE).map(|_| None).collect());
        for (subspace, table) in wanted.iter().zip(loaded.ok_or_else(interrupted)?) {
            outcomes.0[place(*subspace)] = Some(table);
        }
        Ok(outcomes)
    }

    /// The outcome for the side to move; `None` where a side has fewer than three stones.
    pub(super) fn get(&self, stones: Stones) -> Option<Outcome> {
        let (index, values) = self.0[place(Subspace::of(stones)?)].as_ref()?;
        let at = index.of(stones);
        Some(match values[at / 4] >> (at % 4 * 2) & 3 {
            0 => Outcome::Draw,
            1 => Outcome::Loss,
            _ => Outcome::Win,
        })
    }
}

fn place(Subspace { own, other }: Subspace) -> usize {
    own as usize * SIDE + other as usize
}
