//! Audits: what the cache and the search say, held against the plain search.

use std::{
    collections::BTreeMap,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use rustc_hash::FxHashSet;

use super::{Answer, Auditing, Desk, Pair, Running};
use crate::engine::{
    audit::{Answered, Beside, Departure, Effort, Flaw, Halted, Plain, Unchecked, Verdict, judge},
    game::{Fault, Game, Keyed, Score},
    memo::{AnyMemo, Entry, Policy},
    progress::Unit,
    random::splitmix,
    reply::{AuditReport, AuditRunReport, Census, DepartureReport, EventKind, FlawReport},
    search::{Context, Leash, Plan, Search, Stop, Watcher},
};

/// Which entries to audit, and how many of the wrong ones to list.
#[derive(Clone, Copy, Debug)]
pub struct AuditWish {
    /// So many of them, chosen by the settings' seed.
    pub sample: Option<usize>,
    /// Those of this remaining depth.
    pub depth: Option<u8>,
    /// Those that have answered in the search under way.
    pub answered: bool,
    /// Wrong entries to list at most.
    pub limit: usize,
}

impl Default for AuditWish {
    fn default() -> Self {
        Self { sample: None, depth: None, answered: false, limit: 20 }
    }
}

/// Of `among` things in a row, `wanted` ones, each choice as likely as any other: Knuth's Algorithm S (TAOCP 3.4.2).
#[derive(Clone, Copy, Debug)]
struct Sampling {
    wanted: u64,
    among: u64,
    seed: u64,
}

impl Sampling {
    /// Whether the next thing is chosen.
    fn next(&mut self) -> bool {
        self.seed = splitmix(self.seed);
        let chosen = self.wanted > 0 && self.seed % self.among.max(1) < self.wanted;
        self.among = self.among.saturating_sub(1);
        self.wanted -= u64::from(chosen);
        chosen
    }
}

/// What an audit has found so far.
#[derive(Debug)]
struct Found<K> {
    report_limit: usize,
    right: usize,
    wrong: usize,
    negated: usize,
    over: usize,
    ignored: usize,
    unchecked: BTreeMap<Unchecked, usize>,
    flaws: Vec<FlawReport>,
    flawed: Vec<Keyed<K>>,
}

impl<G: Game> Desk<G> {
    /// An audit with the writers of the entries that are wrong.
    fn audit_with_writers(&mut self, wish: &AuditWish) -> Answer<AuditReport> {
        let answered = wish.answered.then(|| self.answered()).transpose()?;
        let (mut report, flawed) = self.audit_entries(wish, answered.as_ref())?;
        if flawed.is_empty() || report.interrupted {
            return Ok(report);
        }
        // Without a recorded search nobody knows who wrote them.
        let Ok(writers) = self.run.writers(&flawed) else {
            return Ok(report);
        };
        for (flaw, at) in report.flaws.iter_mut().zip(&flawed) {
            flaw.writer = writers.get(at).map(|writer| self.report_writer(writer));
        }
        Ok(report)
    }

    /// The entries that have answered in the search under way.
    fn answered(&mut self) -> Answer<FxHashSet<Keyed<G::Key>>> {
        let mut answered = Answered::new(self.run.searcher.settings.memo.keys_depth());
        self.run.run_again(&mut answered)?;
        Ok(answered.entries)
    }

    fn audit_entries(
        &self,
        wish: &AuditWish,
        answered: Option<&FxHashSet<Keyed<G::Key>>>,
    ) -> Answer<(AuditReport, Vec<Keyed<G::Key>>)> {
        let start = Instant::now();
        let evaluator = self.evaluator()?;
        let context = Context {
            game: &self.run.searcher.game,
            evaluator: &evaluator,
            mode: self.run.searcher.settings.mode(),
        };
        let effort = Effort { interrupt: &self.run.interrupt, nodes: None };
        let mut plain = Plain::new(&context, &self.run.searcher.memo, effort);
        let wished = |(at, entry): &(Keyed<G::Key>, Entry)| {
            wish.depth.is_none_or(|depth| entry.depth == Some(depth))
                && answered.is_none_or(|answered| answered.contains(at))
        };
        let entries = || self.run.searcher.memo.entries().iter().filter(wished);
        let among = entries().count();
        let chosen = wish.sample.unwrap_or(among).min(among);
        let mut sampling = Sampling {
            wanted: chosen as u64,
            among: among as u64,
            seed: self.run.searcher.settings.seed,
        };
        let mut found = Found::new(wish.limit);
        let mut interrupted = false;
        self.progress.begin("auditing", Unit::Entries);
        for ((at, entry), done) in entries().filter(|_| sampling.next()).zip(0..) {
            self.progress.tell(done, chosen as u64);
            match judge(&mut plain, &self.run.searcher.memo, (at, entry)) {
                Ok(verdict) => found.add(at, verdict, |flaw| self.report_flaw((at, entry), flaw)),
                Err(_) => interrupted = true,
            }
            if interrupted || self.run.interrupt.load(Ordering::Relaxed) {
                interrupted = true;
                break;
            }
        }
        self.progress.end();
        let (report, flawed) = found.report();
        let report = AuditReport {
            policy: self.run.searcher.settings.memo.name(),
            entries: self.run.searcher.memo.entries().len(),
            chosen,
            nodes: plain.nodes(),
            ms: Some(start.elapsed().as_secs_f64() * 1e3),
            interrupted,
            read_twice: context.mode.negate_black,
            notes: self.audit_notes(),
            ..report
        };
        Ok((report, flawed))
    }

    /// What a reader of an audit should know.
    fn audit_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.run.searcher.settings.memo == Policy::None {
            notes.push("the memo policy `none` keeps no entries".to_owned());
        }
        if self.run.searcher.settings.mode().negate_black {
            notes.push(
                "black's values stand with the sign turned (defect D2), so each entry is held against what White and what Black reads there"
                    .to_owned(),
            );
        }
        notes
    }

    fn report_flaw(&self, (at, entry): (Keyed<G::Key>, Entry), flaw: Flaw) -> FlawReport {
        let Flaw { claim, truth, .. } = flaw;
        let state = self.position_of(at);
        FlawReport {
            key: self.keyed_text(at),
            state: state
                .map_or(String::new(), |state| self.run.searcher.game.format_position(&state)),
            depth: entry.depth,
            read_by: flaw.reader,
            value: claim.value,
            bound: claim.bound.name(),
            true_value: truth,
            amount: Score::from_finite(claim.value.get() - truth.get()),
            cause: flaw.cause(entry.depth),
            writer: None,
        }
    }

    fn audit_search(&self, limits: &[Pair<'_>], fresh: bool) -> Answer<AuditRunReport> {
        let settings = self.limited(limits)?;
        let reach = settings.limits();
        let mut running = self.prepare(|_| Plan::Best(reach), settings.budget())?;
        let mut memo = if fresh {
            self.run.searcher.settings.new_memo()
        } else {
            self.run.searcher.memo.clone()
        };
        let start = Instant::now();
        let evaluator = running.evaluator.clone();
        let context =
            Context { game: &self.run.searcher.game, evaluator: &evaluator, mode: running.mode };
        let effort = Effort { interrupt: &self.run.interrupt, nodes: None };
        let plain = Plain::new(&context, &self.run.searcher.memo, effort);
        let leaves =
            running.mode.leaf_before_end || self.run.searcher.settings.memo == Policy::Rote;
        let mut beside = Beside::new(plain, running.mode.algorithm, leaves);
        let deadline = settings.time_ms.map(|ms| start + Duration::from_millis(ms));
        let leash = Leash::new(&self.run.interrupt, deadline);
        let halt = running.drive::<dyn Watcher<Search<G>>>(
            &self.run.searcher.game,
            &mut memo,
            &mut beside,
            &leash,
        );
        let stopped = match (halt, beside.outcome()) {
            (_, Err(Halted::Interrupted | Halted::Effort)) | (Stop::Interrupt, _) => {
                Some(Stop::Interrupt)
            }
            (Stop::Time, _) => Some(Stop::Time),
            _ => running.search.stopped(),
        };
        let departure = beside.outcome().ok().flatten();
        let search = &running.search;
        Ok(AuditRunReport {
            departure: departure
                .and_then(|departure| self.report_departure(&running, &memo, departure)),
            events: search.events(),
            checked: beside.checked(),
            nodes: search.counters.nodes,
            plain_nodes: beside.nodes(),
            depth: running.search.complete().map_or(0, |complete| complete.depth),
            stopped,
            ms: Some(start.elapsed().as_secs_f64() * 1e3),
        })
    }

    fn report_departure(
        &self,
        running: &Running<G>,
        memo: &AnyMemo<G::Key>,
        departure: Departure,
    ) -> Option<DepartureReport> {
        let event = running.report_event(&self.run.searcher.game)?;
        let line =
            (0..event.ply).filter_map(|ply| running.move_text_at(&self.run.searcher.game, ply));
        let entry = (event.kind == EventKind::Hit).then(|| self.read_at(running, memo));
        let entry = entry.flatten();
        let Departure { asked, claim, truth } = departure;
        let frame = running.search.frames().last()?;
        Some(DepartureReport {
            line: line.collect(),
            side: self.run.searcher.game.side(&frame.position),
            window: [frame.window.alpha, frame.window.beta],
            alpha: asked.alpha,
            beta: asked.beta,
            value: claim.value,
            bound: claim.bound.name(),
            true_value: truth,
            cause: self.cause(running, departure, entry),
            entry: entry.map(|stored| self.report_entry(stored)),
            event,
        })
    }

    /// The entry that was looked up at the node at hand.
    fn read_at(
        &self,
        running: &Running<G>,
        memo: &AnyMemo<G::Key>,
    ) -> Option<(Keyed<G::Key>, Entry)> {
        let frame = running.search.frames().last()?;
        let depth = if self.run.searcher.settings.memo.keys_depth() { frame.depth } else { 0 };
        let at = Keyed { key: frame.slot()?.key, depth };
        Some((at, memo.entries().get(at)?))
    }

    /// Why the search departs, as far as it can be seen.
    fn cause(
        &self,
        running: &Running<G>,
        departure: Departure,
        entry: Option<(Keyed<G::Key>, Entry)>,
    ) -> &'static str {
        let search = &running.search;
        let event = search.describe();
        let Some(frame) = search.frames().last() else {
            return "entry";
        };
        match (event.kind, entry) {
            (EventKind::Leaf, _) => {
                let over = self.run.searcher.game.terminal(&frame.position, search.history());
                if over.is_some() { "leaf" } else { "zero" }
            }
            (EventKind::Hit, Some(_)) if running.mode.negate_black && departure.is_turned() => {
                "sign"
            }
            (EventKind::Hit, Some((_, entry))) if entry.depth != Some(frame.depth) => "depth",
            (EventKind::Hit, Some((at, entry)))
                if self.run.searcher.memo.entries().get(at) == Some(entry) =>
            {
                "before"
            }
            (EventKind::Store | EventKind::Skip, _) => "window",
            _ => "entry",
        }
    }
}

impl<K> Found<K> {
    fn new(report_limit: usize) -> Self {
        Self {
            report_limit,
            right: 0,
            wrong: 0,
            negated: 0,
            over: 0,
            ignored: 0,
            unchecked: BTreeMap::new(),
            flaws: Vec::new(),
            flawed: Vec::new(),
        }
    }

    fn add(&mut self, at: Keyed<K>, verdict: Verdict, report: impl FnOnce(Flaw) -> FlawReport) {
        match verdict {
            Verdict::Right => self.right += 1,
            Verdict::Ignored => self.ignored += 1,
            Verdict::Unchecked(why) => *self.unchecked.entry(why).or_default() += 1,
            Verdict::Wrong(flaw) => {
                let report = report(flaw);
                self.wrong += 1;
                self.negated += usize::from(report.cause == Some("negated"));
                self.over += usize::from(report.cause == Some("over"));
                if self.flaws.len() < self.report_limit {
                    self.flaws.push(report);
                    self.flawed.push(at);
                }
            }
        }
    }

    fn report(self) -> (AuditReport, Vec<Keyed<K>>) {
        let unchecked = self
            .unchecked
            .into_iter()
            .map(|(why, entries)| Census { of: why.words().to_owned(), entries });
        let report = AuditReport {
            policy: "",
            entries: 0,
            chosen: 0,
            checked: self.right + self.wrong,
            right: self.right,
            wrong: self.wrong,
            negated: self.negated,
            over: self.over,
            ignored: self.ignored,
            unchecked: unchecked.collect(),
            flaws: self.flaws,
            nodes: 0,
            ms: None,
            interrupted: false,
            read_twice: false,
            notes: Vec::new(),
        };
        (report, self.flawed)
    }
}

impl Flaw {
    /// What the value itself says about how it came about.
    pub(super) fn cause(&self, depth: Option<u8>) -> Option<&'static str> {
        if self.claim.value == -self.truth {
            Some("negated")
        } else if self.over && depth == Some(0) {
            Some("over")
        } else {
            None
        }
    }
}

impl<G: Game> Auditing for Desk<G> {
    fn audit(&mut self, wish: &AuditWish) -> Answer<AuditReport> {
        self.audit_with_writers(wish)
    }

    fn audit_run(&self, limits: &[Pair<'_>], fresh: bool) -> Answer<AuditRunReport> {
        if self.run.searcher.game.terminal(&self.now.position, &self.now.history).is_some() {
            return Err(Fault::new("the game is over: there is nothing to search")
                .hint("`undo` takes a move back, `position start` begins a new game"));
        }
        self.audit_search(limits, fresh)
    }
}
