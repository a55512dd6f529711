//! The outcomes of all tables that a placing phase can reach, in memory.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use super::{
    Store, Subspace, TableKind,
    board::Stones,
    index::{Index, index_count, index_memory},
    value_of,
};
use crate::engine::{
    game::{Outcome, Result},
    workers::{self, interrupted},
};

/// The outcomes of each subspace, four in a byte, with the numbering of its positions.
pub(super) struct Outcomes(BTreeMap<Subspace, (Index, Vec<u8>)>);

/// The memory of the outcomes of all subspaces with at most these stones, in bytes.
pub(super) fn outcomes_memory(most: [u32; 2]) -> u64 {
    let memory = |subspace: Subspace| {
        index_count(subspace.own, subspace.other).div_ceil(4) + index_memory(subspace.own)
    };
    Subspace::pairs_up_to(most).flatten().map(memory).sum()
}

impl Outcomes {
    /// Loads the tables of all subspaces with at most these stones.
    /// Errors: a table that is missing or cannot be used, an interrupt.
    pub(super) fn load(
        store: &Store,
        most: [u32; 2],
        threads: usize,
        interrupt: &AtomicBool,
    ) -> Result<Self> {
        let wanted: Vec<_> = Subspace::pairs_up_to(most).flatten().collect();
        let load = |subspace: &Subspace, stop: &AtomicBool| {
            let table = store.needed(*subspace)?;
            let bytes = table.file.header.values.div_ceil(4);
            let mut values = Vec::with_capacity(bytes as usize);
            for block in 0..table.file.blocks() {
                if stop.load(Relaxed) {
                    return Err(interrupted());
                }
                values.extend(table.file.read_packed(block)?);
            }
            Ok((Index::new(subspace.own, subspace.other), values))
        };
        let loaded = workers::map(&wanted, threads, interrupt, load, &mut |_| {})?;
        Ok(Self(wanted.into_iter().zip(loaded.ok_or_else(interrupted)?).collect()))
    }

    /// The outcome for the side to move; `None` where a side has fewer than three stones.
    pub(super) fn get(&self, stones: Stones) -> Option<Outcome> {
        let (index, values) = self.0.get(&Subspace::of(stones)?)?;
        let at = index.of(stones);
        let code = values[at / 4] >> (at % 4 * 2) & 3;
        Some(value_of(code, TableKind::Wdl).outcome)
    }
}
