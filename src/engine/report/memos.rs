//! Memo policies side by side.

use serde::Serialize;

use super::Score;

/// Every memo policy in both fidelities on the same positions, each with a cache of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoComparison {
    /// The remaining depth of each search.
    pub depth: u8,
    /// The positions, each with its searches.
    pub positions: Vec<MemoPosition>,
    /// Each policy over all positions.
    pub totals: Vec<MemoRow>,
    /// Whether every search found the value that the search without memo in `sound` fidelity finds.
    pub agree: bool,
}

impl MemoComparison {
    /// Leaves out the times.
    pub fn forget_times(&mut self) {
        let rows = self
            .positions
            .iter_mut()
            .flat_map(|position| &mut position.rows);
        for row in rows.chain(&mut self.totals) {
            (row.ms, row.table_ms) = (None, None);
        }
    }
}

/// One position's searches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoPosition {
    /// The position.
    pub state: String,
    /// What the search without memo in `sound` fidelity finds.
    pub value: Score,
    /// A search for each policy and fidelity.
    pub rows: Vec<MemoRow>,
}

/// One search, or all searches under one policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoRow {
    /// The memo policy.
    pub memo: &'static str,
    /// The fidelity.
    pub fidelity: &'static str,
    /// The value, for the side to move; none for several positions.
    pub value: Option<Score>,
    /// In how many positions it is not the one that the search without memo in `sound` fidelity finds.
    pub differing: u64,
    /// States visited.
    pub nodes: u64,
    /// Probes answered.
    pub hits: u64,
    /// Searches in spite of an entry.
    pub invalid: u64,
    /// Searches without an entry.
    pub misses: u64,
    /// Values stored.
    pub stores: u64,
    /// Cutoffs at β.
    pub cutoffs: u64,
    /// Entries at the end.
    pub entries: u64,
    /// Memory of the entries in bytes.
    pub bytes: u64,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// How many of them the table takes, by the time of as many look-ups and stores in it as the search left it, in no
    /// order; nothing where no node asks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_ms: Option<f64>,
}
