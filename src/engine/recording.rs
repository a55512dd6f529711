//! A recording: a search under way with everything it takes to be at any of its events again.
//!
//! A search is deterministic, so a [`Timeline`] is how it began and the edits made on the way. The one at hand is recorded
//! besides, as rr records a program: a [`Recorder`] keeps checkpoints of the machine, the table keeps a journal of what was
//! written over, and so any event is one short replay away. Nothing here knows a command or a report.
//!
//! ```text
//! begin -> Running (machine + heuristic) on a Timeline          run
//!     go_on: ahead to a goal | replay to an event | hunt back   run, back
//!     pump: a slice of that; Stop says why it stands            run
//!     edit: made, noted, and the timeline branches              edits, timelines
//!     rerun: the same events again under a watcher              back, compare
//! ```

mod back;
mod beside;
mod edits;
mod recorder;
mod run;
mod stops;
mod timeline;
mod timelines;

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use self::back::PendingRun;

use crate::engine::core::{
    game::{Fault, Keyed, Remedy, Result, SearchRules},
    search::{Context, Counters, Mode, Search, Stop},
    searcher::Searcher,
    table::CleanStep,
};

pub use self::{
    back::Back,
    edits::Edit,
    recorder::{Checkpoint, MOST_CHECKPOINTS, Recorder},
    run::Resume,
    stops::{StopAt, Stops},
    timeline::{Edited, Origin, Start, Timeline},
    timelines::Bookmark,
};

/// A table of no more entries than this is put down when a search begins on it, so that a session file can hold it.
pub const SMALL_TABLE: usize = 1_000;

/// A search under way with what it started from.
#[derive(Clone, Debug)]
pub struct Running<G: SearchRules> {
    /// The machine.
    pub search: Search<G>,
    /// The heuristic.
    pub evaluator: G::Evaluator,
    /// How it searches.
    pub mode: Mode,
    /// Milliseconds run so far.
    pub ms: f64,
    /// Milliseconds it may go on for each time it is told to.
    pub time_ms: Option<u64>,
    /// Why it stands still since it was last told to go on.
    pub halt: Option<Stop>,
    /// The frame that is selected, by its ply; the last one where none is.
    pub selected: Option<usize>,
}

/// A move of a search that is not over yet, kept from slice to slice.
struct Underway<G: SearchRules> {
    run: PendingRun<G>,
    deadline: Option<Instant>,
    /// Events when it began.
    before: u64,
}

impl<G: SearchRules> std::fmt::Debug for Underway<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending").field("before", &self.before).finish_non_exhaustive()
    }
}

/// A searcher, the search it has under way, and where that went and can go again.
#[derive(Debug)]
pub struct Recording<G: SearchRules, D> {
    /// Game, settings, weights and table.
    pub searcher: Searcher<G>,
    /// The search under way.
    pub running: Option<Running<G>>,
    /// What stops it.
    pub debugger: D,
    /// What the last search asked of the table.
    pub counters: Counters,
    /// What was cleaned from the table when the last decision was made.
    pub cleaned: Vec<CleanStep>,
    /// Set by somebody else to stop what runs.
    pub interrupt: Arc<AtomicBool>,
    /// The timeline at hand; none where the search under way is not recorded.
    pub now: Option<Timeline<G>>,
    /// Those left behind, oldest first.
    pub others: Vec<Timeline<G>>,
    /// Moments that have names.
    pub bookmarks: BTreeMap<String, Bookmark>,
    /// What a reader of the next report should know.
    pub notes: Vec<String>,
    /// Entries set by hand that the search has written over since it was last told to go on: their keys, and after how many
    /// events each was set.
    pub overwritten: Vec<(Keyed<G::Key>, u64)>,
    recorder: Recorder<G>,
    pending: Option<Underway<G>>,
    /// The search was put where it stands: the table lacks what it stored before.
    pub jumped: bool,
    next_edit: u64,
}

impl<G: SearchRules, D: Stops<G>> Recording<G, D> {
    /// Nothing is under way.
    pub fn new(searcher: Searcher<G>, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            searcher,
            running: None,
            debugger: D::default(),
            counters: Counters::default(),
            cleaned: Vec::new(),
            interrupt,
            now: None,
            others: Vec::new(),
            bookmarks: BTreeMap::new(),
            notes: Vec::new(),
            recorder: Recorder::default(),
            pending: None,
            jumped: false,
            next_edit: 0,
            overwritten: Vec::new(),
        }
    }

    /// The search under way.
    pub fn under_way(&self) -> Result<&Running<G>> {
        let none = || Fault::new("no search is under way").needs(Remedy::Search);
        self.running.as_ref().ok_or_else(none)
    }

    /// Events of the search under way.
    pub fn events(&self) -> u64 {
        self.running.as_ref().map_or(0, |running| running.search.events())
    }

    /// The search under way is to go on with [`Recording::pump`].
    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Forgets the search under way; its timeline is left behind.
    pub fn drop_search(&mut self) -> Option<Running<G>> {
        self.pending = None;
        self.leave_timeline();
        self.running.take()
    }

    /// Memory that the recording takes, in bytes.
    pub fn recorded_bytes(&self) -> usize {
        self.recorder.bytes(&self.searcher.table)
    }

    /// Takes over a search that was brought back with its timeline, and those that were left behind. One without a timeline
    /// is recorded from here on.
    pub fn restore_recording(
        &mut self,
        running: Option<Running<G>>,
        now: Option<Timeline<G>>,
        others: Vec<Timeline<G>>,
    ) {
        let edits = others.iter().chain(&now).flat_map(|timeline| &timeline.edits);
        self.next_edit = edits.map(|edited| edited.id + 1).max().unwrap_or(0);
        self.others = others;
        match (&running, now) {
            (Some(running), Some(now)) => {
                self.recorder =
                    Recorder::begin(&running.search, running.ms, &mut self.searcher.table);
                self.now = Some(now);
            }
            (Some(running), None) if self.searcher.settings.record => self.record(running),
            _ => {}
        }
        self.running = running;
    }

    /// Memory for walking back, in bytes.
    fn budget(&self) -> usize {
        self.searcher.settings.record_mib.saturating_mul(1 << 20)
    }
}

impl<G: SearchRules> Running<G> {
    /// A search that has not begun.
    pub fn new((search, evaluator): (Search<G>, G::Evaluator), mode: Mode) -> Self {
        Self { search, evaluator, mode, ms: 0.0, time_ms: None, halt: None, selected: None }
    }

    /// What it searches in.
    pub fn context<'a>(&'a self, game: &'a G) -> Context<'a, G> {
        Context { game, evaluator: &self.evaluator, mode: self.mode }
    }

    /// The ply of the selected frame.
    pub fn selected_ply(&self) -> usize {
        let last = self.search.ply() as usize;
        self.selected.unwrap_or(last).min(last)
    }

    /// The move under way at a ply.
    pub fn move_at(&self, ply: u32) -> Option<G::Move> {
        let frame = self.search.frames().get(ply as usize)?;
        self.search.current_move(frame)
    }
}
