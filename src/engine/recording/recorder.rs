use crate::engine::core::{game::SearchRules, search::Search, table::AnyTable};

/// The number of events from one checkpoint to the next, at first.
// A few milliseconds of search: going back feels immediate, and saving a checkpoint costs little by comparison.
const SPACING: u64 = 1 << 15;

/// The most checkpoints. When there are more, every other one is dropped and the spacing doubles.
// A thousand stacks take a few megabytes, and a replay from the nearest one is at most a few thousandths of the search.
pub const MOST_CHECKPOINTS: usize = 1 << 10;

/// A saved state of a search. Edits at the same event are not included.
#[derive(Clone, Debug)]
pub struct Checkpoint<G: SearchRules> {
    /// A copy of the search.
    pub search: Search<G>,
    /// Time of the search so far in milliseconds.
    pub ms: f64,
    /// The mark in the table's journal, to which the table is rewound.
    pub mark: u64,
}

impl<G: SearchRules> Checkpoint<G> {
    /// The number of events at which the checkpoint was saved.
    pub fn events(&self) -> u64 {
        self.search.events()
    }
}

/// The checkpoints of the search under way, oldest first, within a limit of memory.
#[derive(Clone, Debug)]
pub struct Recorder<G: SearchRules> {
    checkpoints: Vec<Checkpoint<G>>,
    /// The number of events from one checkpoint to the next.
    pub spacing: u64,
}

impl<G: SearchRules> Default for Recorder<G> {
    fn default() -> Self {
        Self { checkpoints: Vec::new(), spacing: SPACING }
    }
}

impl<G: SearchRules> Recorder<G> {
    /// Starts recording: saves the first checkpoint and starts the journal of the table.
    pub fn begin(search: &Search<G>, ms: f64, table: &mut AnyTable<G::Key>) -> Self {
        table.entries_mut().record(true);
        let first = Checkpoint { search: search.clone(), ms, mark: 0 };
        Self { checkpoints: vec![first], spacing: SPACING }
    }

    /// The checkpoints, oldest first.
    pub fn checkpoints(&self) -> &[Checkpoint<G>] {
        &self.checkpoints
    }

    /// The number of events at the first checkpoint.
    pub fn base(&self) -> u64 {
        self.checkpoints.first().map_or(0, Checkpoint::events)
    }

    /// The number of events at which the next checkpoint is due.
    pub fn due(&self) -> u64 {
        self.checkpoints.last().map_or(u64::MAX, |last| last.events() + self.spacing)
    }

    /// Saves a checkpoint if one is due. Returns whether earlier checkpoints were dropped for lack of memory.
    pub fn save_if_due(
        &mut self,
        search: &Search<G>,
        ms: f64,
        table: &mut AnyTable<G::Key>,
        budget: usize,
    ) -> bool {
        if search.events() < self.due() {
            return false;
        }
        let mark = table.entries_mut().mark();
        self.checkpoints.push(Checkpoint { search: search.clone(), ms, mark });
        if self.checkpoints.len() > MOST_CHECKPOINTS {
            self.thin(table);
        }
        self.shrink(table, budget)
    }

    /// Drops every other checkpoint, but not the oldest and the newest.
    fn thin(&mut self, table: &mut AnyTable<G::Key>) {
        self.spacing *= 2;
        let last = self.checkpoints.len() - 1;
        let mut place = 0;
        self.checkpoints.retain(|checkpoint| {
            let is_kept = place % 2 == 0 || place == last;
            if !is_kept {
                table.entries_mut().unmark(checkpoint.mark);
            }
            place += 1;
            is_kept
        });
    }

    /// Drops the older half of the checkpoints until the rest fits. Returns whether any was dropped.
    pub fn shrink(&mut self, table: &mut AnyTable<G::Key>, budget: usize) -> bool {
        let mut has_dropped = false;
        while self.bytes(table) > budget && self.checkpoints.len() > 1 {
            let half = self.checkpoints.len() / 2;
            self.checkpoints.drain(..half);
            table.entries_mut().forget(self.checkpoints[0].mark);
            has_dropped = true;
        }
        has_dropped
    }

    /// Memory of checkpoints and journal in bytes.
    pub fn bytes(&self, table: &AnyTable<G::Key>) -> usize {
        let one = self.checkpoints.last().map_or(0, |last| last.search.bytes());
        self.checkpoints.len() * one + table.entries().journal_bytes()
    }

    /// The index of the last checkpoint at or before a number of events.
    pub fn checkpoint_before(&self, events: u64) -> Option<usize> {
        let later = self.checkpoints.partition_point(|checkpoint| checkpoint.events() <= events);
        later.checked_sub(1)
    }

    /// Restores the table at a checkpoint, and drops the later checkpoints.
    pub fn restore(
        &mut self,
        place: usize,
        table: &mut AnyTable<G::Key>,
    ) -> Option<&Checkpoint<G>> {
        self.checkpoints.truncate(place + 1);
        let checkpoint = self.checkpoints.get(place)?;
        table.entries_mut().rewind(checkpoint.mark);
        Some(checkpoint)
    }
}
