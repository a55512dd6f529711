use crate::engine::core::{game::SearchRules, search::Search, table::AnyTable};

/// Events from one checkpoint to the next, at first: a few milliseconds of search.
const SPACING: u64 = 1 << 15;

/// So many checkpoints are kept; then every other one is given up and the spacing doubles.
pub const MOST_CHECKPOINTS: usize = 1 << 10;

/// A moment that a search can be put back to at once. Edits made at that very moment come after it.
#[derive(Clone, Debug)]
pub struct Checkpoint<G: SearchRules> {
    /// The machine.
    pub search: Search<G>,
    /// Milliseconds run so far.
    pub ms: f64,
    /// The mark in the cache's journal.
    pub mark: u64,
}

impl<G: SearchRules> Checkpoint<G> {
    /// Events so far.
    pub fn events(&self) -> u64 {
        self.search.events()
    }
}

/// The checkpoints of the search under way, oldest first, within a budget of memory.
#[derive(Clone, Debug)]
pub struct Recorder<G: SearchRules> {
    checkpoints: Vec<Checkpoint<G>>,
    /// Events from one to the next.
    pub spacing: u64,
}

impl<G: SearchRules> Default for Recorder<G> {
    fn default() -> Self {
        Self { checkpoints: Vec::new(), spacing: SPACING }
    }
}

impl<G: SearchRules> Recorder<G> {
    /// Starts to record here.
    pub fn begin(search: &Search<G>, ms: f64, table: &mut AnyTable<G::Key>) -> Self {
        table.entries_mut().record(true);
        let first = Checkpoint { search: search.clone(), ms, mark: 0 };
        Self { checkpoints: vec![first], spacing: SPACING }
    }

    /// The checkpoints.
    pub fn checkpoints(&self) -> &[Checkpoint<G>] {
        &self.checkpoints
    }

    /// The first event number that can be gone back to directly.
    pub fn base(&self) -> u64 {
        self.checkpoints.first().map_or(0, Checkpoint::events)
    }

    /// After how many events the next checkpoint is due.
    pub fn due(&self) -> u64 {
        self.checkpoints.last().map_or(u64::MAX, |last| last.events() + self.spacing)
    }

    /// Keeps a checkpoint here if one is due. Says whether history was given up for want of memory.
    pub fn keep(
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

    /// Gives up every other checkpoint; the oldest and the newest stay.
    fn thin(&mut self, table: &mut AnyTable<G::Key>) {
        self.spacing *= 2;
        let last = self.checkpoints.len() - 1;
        let mut place = 0;
        self.checkpoints.retain(|checkpoint| {
            let stays = place % 2 == 0 || place == last;
            if !stays {
                table.entries_mut().unmark(checkpoint.mark);
            }
            place += 1;
            stays
        });
    }

    /// Gives up the older half of history until what is kept fits.
    fn shrink(&mut self, table: &mut AnyTable<G::Key>, budget: usize) -> bool {
        let mut gave_up = false;
        while self.bytes(table) > budget && self.checkpoints.len() > 1 {
            let half = self.checkpoints.len() / 2;
            self.checkpoints.drain(..half);
            table.entries_mut().forget(self.checkpoints[0].mark);
            gave_up = true;
        }
        gave_up
    }

    /// Memory for checkpoints and for what was written over in the cache, in bytes.
    pub fn bytes(&self, table: &AnyTable<G::Key>) -> usize {
        let one = self.checkpoints.last().map_or(0, |last| last.search.bytes());
        self.checkpoints.len() * one + table.entries().recorded_bytes()
    }

    /// The last checkpoint at or before a moment.
    pub fn before(&self, events: u64) -> Option<usize> {
        let later = self.checkpoints.partition_point(|checkpoint| checkpoint.events() <= events);
        later.checked_sub(1)
    }

    /// Goes back to a checkpoint: the later ones are given up, the cache is as it was.
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
