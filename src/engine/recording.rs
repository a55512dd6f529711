//! A recording: a search that can be put back to any of its events, as rr does with a program.
//!
//! A search is deterministic, so a [`Timeline`] needs only the start of the search and the user's edits. For the current
//! timeline a [`Recorder`] keeps checkpoints of the search and the table keeps an undo journal, so that every event is a
//! restored checkpoint and a short replay away.
//!
//! ```text
//! start      a Running (search and evaluation) on a new Timeline             run
//! resume     forwards to a StopAt, to an event, or backwards                 run, back
//! pump       continues the run for a slice of time, and says why it ended    run
//! edit       applied and recorded; the timeline branches                     edits, timelines
//! replay     the same events again under a watcher, or in a copy             back, replay
//! keyframe   a state far from every checkpoint                              keyframes
//! aside      a later state of the search, while it is at an earlier one      aside
//! ```

mod aside;
mod back;
mod edits;
mod keyframes;
mod recorder;
mod replay;
mod run;
mod stops;
mod timeline;
mod timelines;

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use self::{aside::Aside, back::PendingRun, keyframes::Keyframe};

use crate::engine::{
    core::{
        game::{Fault, Keyed, Remedy, Result, SearchRules},
        search::{Context, Counters, Mode, Search, Stop},
        table::CleanStep,
    },
    searcher::Searcher,
};

pub use self::{
    back::Backward,
    edits::Edit,
    recorder::{Checkpoint, MOST_CHECKPOINTS, Recorder},
    run::Resume,
    stops::{StopAt, StopConditions},
    timeline::{Edited, Origin, Timeline},
    timelines::Bookmark,
};

/// The most entries of a table at the start of a search that a session file holds, so that the timeline can be replayed.
pub const SMALL_TABLE: usize = 1_000;

/// A search in progress, with its evaluation function, its time and the selected frame.
#[derive(Clone, Debug)]
pub struct Running<G: SearchRules> {
    /// The state of the search after its last event.
    pub search: Search<G>,
    /// The evaluation function of the search.
    pub evaluator: G::Evaluator,
    /// The settings of the search, in the form that it reads at every node.
    pub mode: Mode,
    /// Time of the search so far in milliseconds.
    pub ms: f64,
    /// Limit of each run in milliseconds, counted from the time at which the search is resumed.
    pub time_ms: Option<u64>,
    /// Why the search stopped; `None` while it runs.
    pub halt: Option<Stop>,
    /// The ply of the selected frame; `None` for the current node.
    pub selected: Option<usize>,
}

/// A run that has not ended yet, kept between slices of time.
struct Pending<G: SearchRules> {
    run: PendingRun<G>,
    deadline: Option<Instant>,
    /// The number of events when the run began.
    from: u64,
    /// The frame that was selected when the run began: it stays selected if the run ends where it began.
    selected: Option<usize>,
    /// The numbers of events and of iterations that the timeline had reached when the run began.
    reached: (u64, usize),
}

impl<G: SearchRules> std::fmt::Debug for Pending<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending").field("from", &self.from).finish_non_exhaustive()
    }
}

/// A searcher with the search under way, its timelines, checkpoints and edits.
#[derive(Debug)]
pub struct Recording<G: SearchRules, D> {
    /// The game, settings, weights and table of the search.
    pub searcher: Searcher<G>,
    /// The search under way; `None` without one.
    pub running: Option<Running<G>>,
    /// The conditions that stop a run, such as breakpoints.
    pub debugger: D,
    /// The counters of the last search.
    pub counters: Counters,
    /// The steps of the last cleaning of the table, which happens after a decision.
    pub cleaned: Vec<CleanStep>,
    /// The flag that another thread or a signal sets to stop a run.
    pub interrupt: Arc<AtomicBool>,
    /// The current timeline; `None` if the search is not recorded.
    pub now: Option<Timeline<G>>,
    /// The other timelines, oldest first.
    pub others: Vec<Timeline<G>>,
    /// The bookmarks of all timelines, by name.
    pub bookmarks: BTreeMap<String, Bookmark>,
    /// Notes to the user, for the next reply.
    pub notes: Vec<String>,
    /// The user's entries that the search has overwritten since it was resumed: key, and number of events at the edit.
    pub overwritten: Vec<(Keyed<G::Key>, u64)>,
    recorder: Recorder<G>,
    /// States between the beginning of the recording and its checkpoints, oldest first.
    keyframes: Vec<Keyframe<G>>,
    /// A later state of the search, while the search is at an earlier one.
    aside: Option<Aside<G>>,
    pending: Option<Pending<G>>,
    /// Whether the search has jumped to a landmark of a trace: the table then lacks the entries stored before.
    pub jumped: bool,
    next_edit: u64,
}

impl<G: SearchRules, D: StopConditions<G>> Recording<G, D> {
    /// A recording without a search.
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
            keyframes: Vec::new(),
            aside: None,
            pending: None,
            jumped: false,
            next_edit: 0,
            overwritten: Vec::new(),
        }
    }

    /// The search under way, to read its state.
    /// Errors: no search is under way.
    pub fn under_way(&self) -> Result<&Running<G>> {
        let none = || Fault::new("no search is under way").needs(Remedy::Search);
        self.running.as_ref().ok_or_else(none)
    }

    /// The number of events of the search under way; 0 without one.
    pub fn events(&self) -> u64 {
        self.running.as_ref().map_or(0, |running| running.search.events())
    }

    /// Whether a run waits for [`Recording::pump`].
    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Ends the search under way; its timeline is kept among the others.
    pub fn drop_search(&mut self) -> Option<Running<G>> {
        self.pending = None;
        self.leave_timeline();
        self.running.take()
    }

    /// Memory of the recording in bytes.
    pub fn recorded_bytes(&self) -> usize {
        let aside = self.aside.as_ref().map_or(0, Aside::bytes);
        self.recorder.bytes(&self.searcher.table) + self.keyframe_bytes() + aside
    }

    /// Restores a search, its timeline and other timelines from a session. A search without a timeline is recorded from now on.
    pub fn restore_recording(
        &mut self,
        running: Option<Running<G>>,
        now: Option<Timeline<G>>,
        others: Vec<Timeline<G>>,
    ) {
        let edits = others.iter().chain(&now).flat_map(|timeline| &timeline.edits);
        self.next_edit = edits.map(|edited| edited.id + 1).max().unwrap_or(0);
        self.others = others;
        if let (Some(running), Some(now)) = (&running, now) {
            self.recorder = Recorder::begin(&running.search, running.ms, &mut self.searcher.table);
            self.now = Some(now);
        }
        self.running = running;
        if self.searcher.settings.record {
            self.record_from_here();
        }
    }

    /// The memory limit of the recording in bytes.
    fn budget(&self) -> usize {
        self.searcher.settings.record_mib.saturating_mul(1 << 20)
    }
}

impl<G: SearchRules> Running<G> {
    /// A search that has not begun.
    pub fn new((search, evaluator): (Search<G>, G::Evaluator), mode: Mode) -> Self {
        Self { search, evaluator, mode, ms: 0.0, time_ms: None, halt: None, selected: None }
    }

    /// What the search needs for its next event: game, evaluation function and settings.
    pub fn context<'a>(&'a self, game: &'a G) -> Context<'a, G> {
        Context { game, evaluator: &self.evaluator, mode: self.mode }
    }

    /// The ply of the selected frame; without a selection, of the current node.
    pub fn selected_ply(&self) -> usize {
        let last = self.search.ply() as usize;
        self.selected.unwrap_or(last).min(last)
    }

    /// The current move at a ply; `None` if there is no such ply, or before its first move.
    pub fn move_at(&self, ply: u32) -> Option<G::Move> {
        let frame = self.search.frames().get(ply as usize)?;
        self.search.current_move(frame)
    }
}
