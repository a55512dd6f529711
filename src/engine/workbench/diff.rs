//! Two timelines side by side: where they part, and what came of each.

use std::sync::atomic::AtomicBool;

use super::{Answer, Desk, Running};
use crate::engine::{
    game::{Fault, Game, Score},
    memo::{AnyMemo, Edits},
    reply::{DiffReport, DivergenceReport, EventReport, RunSide},
    search::{Leash, RootMove, Search, Stop, Unwatched, Watcher},
    timeline::{Start, Tape, Taped, Timeline},
};

/// Events compared at a time.
const STRETCH: u64 = 1 << 12;

/// A timeline run again beside another, on a machine and a cache of its own.
struct Rerun<'a, G: Game> {
    timeline: &'a Timeline<G>,
    running: Running<G>,
    memo: AnyMemo<G::Key>,
}

impl<G: Game> Rerun<'_, G> {
    fn events(&self) -> u64 {
        self.running.search.events()
    }

    fn make_edits(&mut self) {
        let events = self.events();
        let edits: Vec<_> = self.timeline.edits_at(events).cloned().collect();
        for edit in edits {
            let game = &self.timeline.origin.game;
            self.running.make_edit(game, &mut self.memo, edit);
        }
    }

    /// Runs on to a moment, or to the end; why it stands.
    fn run<W: Watcher<Search<G>>>(
        &mut self,
        until: u64,
        watcher: &mut W,
        interrupt: &AtomicBool,
    ) -> Stop {
        loop {
            let before = self.events();
            let leash = Leash {
                interrupt,
                deadline: None,
                slice_end: None,
                until: until.min(self.timeline.next_edit(before)),
            };
            let game = &self.timeline.origin.game;
            let halt = self.running.drive(game, &mut self.memo, watcher, &leash);
            if self.events() > before {
                self.make_edits();
            }
            match halt {
                Stop::Limit if self.events() < until => {}
                stop if stop.is_own() && self.running.search.stopped().is_none() => {}
                stop => return stop,
            }
        }
    }
}

/// Where two runs part.
struct Parted<M> {
    /// So many events were the same.
    same: u64,
    /// The first event of each run that differs; nothing of one that was over.
    events: [Option<Taped<M>>; 2],
}

/// Runs two timelines side by side until they part or are over.
fn part_ways<'a, G: Game>(
    one: &mut Rerun<'a, G>,
    two: &mut Rerun<'a, G>,
    interrupt: &AtomicBool,
) -> Answer<Option<Parted<G::Move>>> {
    let mut tapes = [Vec::new(), Vec::new()];
    let mut same = 0;
    loop {
        let began = (one.events(), two.events());
        let until = (began.0.max(began.1) / STRETCH + 1) * STRETCH;
        for (rerun, events) in [&mut *one, &mut *two].into_iter().zip(&mut tapes) {
            events.clear();
            if rerun.run(until, &mut Tape { events }, interrupt) == Stop::Interrupt {
                return Err(Fault::new("the comparison was interrupted"));
            }
        }
        let [first, second] = &tapes;
        let equal = first.iter().zip(second).take_while(|(a, b)| a == b).count();
        same += equal as u64;
        if equal < first.len() || equal < second.len() {
            return Ok(Some(Parted {
                same,
                events: [first.get(equal).copied(), second.get(equal).copied()],
            }));
        }
        if began == (one.events(), two.events()) {
            return Ok(None);
        }
    }
}

impl<G: Game> Desk<G> {
    /// Runs two timelines again, finds the first event at which they part, and what each comes to.
    pub(super) fn compare_timelines(&mut self, a: &str, b: &str) -> Answer<DiffReport> {
        self.settle_edits();
        self.put_down_start();
        let (a, b) = (self.timeline_named(a)?, self.timeline_named(b)?);
        let (mut one, mut two) = (Self::rerun_of(&a)?, Self::rerun_of(&b)?);
        let parted = part_ways(&mut one, &mut two, &self.interrupt)?;
        let divergence = match parted {
            None => None,
            Some(Parted {
                same,
                events: [one, two],
            }) => Some(DivergenceReport {
                same,
                a: self.event_side(&a, one)?,
                b: self.event_side(&b, two)?,
            }),
        };
        for rerun in [&mut one, &mut two] {
            if rerun.run(u64::MAX, &mut Unwatched, &self.interrupt) == Stop::Interrupt {
                return Err(Fault::new("the comparison was interrupted"));
            }
        }
        Ok(DiffReport {
            divergence,
            a: Self::run_side(&one),
            b: Self::run_side(&two),
            moves: Vec::new(),
        }
        .with_moves())
    }

    /// The timeline at hand must be replayable beside another: puts down the cache it began with.
    fn put_down_start(&mut self) {
        let Some(now) = &self.timelines.now else {
            return;
        };
        if now.origin.memo().is_some() {
            return;
        }
        let here = self.events_so_far();
        let begin = now.origin.start.events();
        if self.timelines.recorder.base() != begin
            || self.memo.entries().bytes() > self.history_budget() / 4
        {
            return;
        }
        self.restore(0);
        let start = self.memo.clone();
        if let Some(now) = &self.timelines.now {
            now.origin.set_memo(Start::Kept(std::sync::Arc::new(start)));
        }
        self.replay(here, (None, None));
        if self.memo.entries_mut().take_edits() != Edits::default() {
            self.memo.entries_mut().edited_whole();
        }
    }

    /// Runs the search under way again up to where it stands, on a copy, under a watcher that never stops it.
    pub(super) fn run_again<W: Watcher<Search<G>>>(&mut self, watcher: &mut W) -> Answer<()> {
        self.settle_edits();
        self.recorded()?;
        self.put_down_start();
        let timeline = self.recorded()?.clone();
        let mut rerun = Self::rerun_of(&timeline)?;
        match rerun.run(self.events_so_far(), watcher, &self.interrupt) {
            Stop::Interrupt => Err(Fault::new("interrupted: nothing was written or changed")),
            _ => Ok(()),
        }
    }

    fn timeline_named(&self, name: &str) -> Answer<Timeline<G>> {
        match &self.timelines.now {
            Some(now) if now.name == name => Ok(now.clone()),
            _ => self
                .timeline_called(name)
                .map(|place| self.timelines.others[place].clone()),
        }
    }

    fn rerun_of(timeline: &Timeline<G>) -> Answer<Rerun<'_, G>> {
        let origin = &timeline.origin;
        let memo = Self::start_memo(timeline)?;
        let evaluator = origin
            .game
            .evaluator(&origin.weights, origin.start.root())?;
        let running = Running {
            search: origin.start.clone(),
            evaluator,
            mode: origin.settings.mode(),
            ms: 0.0,
            time_ms: None,
            breakpoint: None,
            selected: None,
        };
        let mut rerun = Rerun {
            timeline,
            running,
            memo,
        };
        rerun.make_edits();
        Ok(rerun)
    }

    /// One side of the first difference: the event, and where in the tree it happened.
    fn event_side(
        &self,
        timeline: &Timeline<G>,
        taped: Option<Taped<G::Move>>,
    ) -> Answer<Option<EventReport>> {
        let Some(taped) = taped else {
            return Ok(None);
        };
        let mut rerun = Self::rerun_of(timeline)?;
        rerun.run(taped.event.index + 1, &mut Unwatched, &self.interrupt);
        Ok(rerun.running.report_event(&timeline.origin.game))
    }

    fn run_side(rerun: &Rerun<'_, G>) -> RunSide {
        let search = &rerun.running.search;
        let counters = search.counters;
        let game = &rerun.timeline.origin.game;
        let root = search.root();
        let known: &[RootMove<G>] = search
            .complete()
            .map_or(search.root_moves(), |complete| &complete.moves);
        let words = |mv: G::Move| game.format_move(root, mv);
        let best = search.best_moves();
        RunSide {
            timeline: rerun.timeline.name.clone(),
            state: game.format_position(root),
            weights: rerun.timeline.origin.weights.to_string(),
            value: search.value(),
            depth: search.complete().map_or(0, |complete| complete.depth),
            events: rerun.events(),
            nodes: counters.nodes,
            hits: counters.hits,
            invalid: counters.invalid,
            misses: counters.misses,
            stores: counters.stores,
            cutoffs: counters.cutoffs,
            entries: rerun.memo.entries().len(),
            best: best.iter().map(|root| words(root.mv)).collect(),
            values: known
                .iter()
                .map(|root| (words(root.mv), root.value))
                .collect::<Vec<(String, Option<Score>)>>(),
        }
    }
}
