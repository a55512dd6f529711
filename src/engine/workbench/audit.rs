//! Audits: what the cache and the search say, held against the plain search.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use rustc_hash::FxHashSet;

use super::{Answer, Desk, Pair, Running, cache::Stored, search::drive};
use crate::engine::{
    audit::{Beside, Decisions, Departure, Effort, Plain, Verdict, judge},
    explain::writers,
    game::{Fault, Game, Keyed, Score},
    memo::{AnyMemo, Policy},
    progress::Unit,
    random::splitmix,
    reply::{
        AuditReport, AuditRunReport, Census, DepartureReport, EventKind, Flaw, FlawReport,
        SelectiveReport,
    },
    search::{Context, Event, Leash, Mode, Plan, Search, Selective, Stop, Watcher},
    searcher::Searcher,
    settings::Settings,
    workers::interrupted,
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

/// The entries that have answered a search; `true` where the policy's keys hold the depth.
struct Answered<K>(bool, FxHashSet<Keyed<K>>);

impl<G: Game> Watcher<Search<G>> for Answered<G::Key> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        kind == EventKind::Hit
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let slot = search.frames().last().and_then(|frame| frame.slot);
        if let (EventKind::Hit, Some(slot)) = (event.kind, slot) {
            self.1.insert(Keyed { key: slot.key, depth: if self.0 { event.depth } else { 0 } });
        }
        false
    }
}

impl<G: Game> Desk<G> {
    /// The arbiter for searches with this evaluator, which may visit so many states and then tells how many it has.
    pub(super) fn plain<'a>(
        &'a self,
        evaluator: &'a G::Evaluator,
        mode: Mode,
        nodes: Option<u64>,
    ) -> Plain<'a, G> {
        let context = Context { game: self.game(), evaluator, mode };
        let progress = nodes.map(|_| &*self.progress);
        let effort = Effort { interrupt: &self.run.interrupt, nodes, progress };
        Plain::new(&context, &self.run.searcher.memo, effort)
    }

    /// The entries to audit: all that match, or a fair sample of them (Knuth's Algorithm S, TAOCP 3.4.2).
    fn chosen(&mut self, wish: &AuditWish) -> Answer<Vec<Stored<G>>> {
        let mut answered = Answered(self.settings().memo().keys_depth(), FxHashSet::default());
        if wish.answered {
            self.run_again(&mut answered)?;
        }
        let wished = |(at, entry): &Stored<G>| {
            wish.depth.is_none_or(|depth| entry.depth == Some(depth))
                && (!wish.answered || answered.1.contains(at))
        };
        let mut entries: Vec<_> = self.entries().iter().filter(wished).collect();
        let mut among = entries.len() as u64;
        let mut wanted = wish.sample.map_or(among, |sample| among.min(sample as u64));
        let mut number = self.settings().seed;
        entries.retain(|_| {
            number = splitmix(number);
            let chosen = wanted > 0 && number % among < wanted;
            among -= 1;
            wanted -= u64::from(chosen);
            chosen
        });
        Ok(entries)
    }

    /// Judges entry after entry until the user stops it: what is found, and the keys of the flaws that are listed.
    fn judge_all(
        &self,
        entries: Vec<Stored<G>>,
        listed: usize,
    ) -> Answer<(AuditReport, Vec<Keyed<G::Key>>)> {
        let start = Instant::now();
        let (settings, memo) = (self.settings(), &self.run.searcher.memo);
        let evaluator = self.evaluator()?;
        let mut plain = self.plain(&evaluator, settings.mode(), None);
        let mut report = AuditReport {
            policy: settings.memo().name(),
            entries: memo.entries().len(),
            chosen: entries.len(),
            read_twice: settings.mode().negate_black,
            notes: self.audit_notes(),
            ..AuditReport::default()
        };
        let (mut unchecked, mut flawed) = (BTreeMap::<_, usize>::new(), Vec::new());
        self.watching("auditing", (Unit::Entries, 0), |watch| {
            for ((at, entry), done) in entries.into_iter().zip(0..) {
                let goes_on = watch.tick(done, report.chosen as u64).is_ok();
                let verdict = goes_on.then(|| judge(&mut plain, memo, (at, entry)).ok()).flatten();
                match verdict {
                    Some(Verdict::Right) => report.right += 1,
                    Some(Verdict::Ignored) => report.ignored += 1,
                    Some(Verdict::Unchecked { reason }) => {
                        *unchecked.entry(reason).or_default() += 1;
                    }
                    Some(Verdict::Wrong(flaw)) => {
                        report.wrong += 1;
                        report.negated += usize::from(flaw.cause == Some("negated"));
                        report.over += usize::from(flaw.cause == Some("over"));
                        if flawed.len() < listed {
                            report.flaws.push(self.flaw_report((at, entry), flaw));
                            flawed.push(at);
                        }
                    }
                    None => {
                        report.interrupted = true;
                        break;
                    }
                }
            }
        });
        let census = |(why, entries): (&str, usize)| Census { of: why.to_owned(), entries };
        report.unchecked = unchecked.into_iter().map(census).collect();
        report.checked = report.right + report.wrong;
        report.nodes = plain.nodes();
        report.ms = Some(start.elapsed().as_secs_f64() * 1e3);
        Ok((report, flawed))
    }

    /// What is wrong with an entry, and of which position it is.
    fn flaw_report(&self, (at, entry): Stored<G>, flaw: Flaw) -> FlawReport {
        let state = self.position_of(at).map(|position| self.game().format_position(&position));
        FlawReport {
            key: self.keyed_text(at),
            state: state.unwrap_or_default(),
            depth: entry.depth,
            amount: Score::from_finite(flaw.claim.value.get() - flaw.true_value.get()),
            flaw,
            writer: None,
        }
    }

    /// What a reader of an audit should know.
    fn audit_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.settings().memo() == Policy::None {
            notes.push("the memo policy `none` keeps no entries".to_owned());
        }
        if self.settings().mode().negate_black {
            notes.push(
                "black's values stand with the sign turned (defect D2), so each entry is held against what White and what Black reads there"
                    .to_owned(),
            );
        }
        notes
    }

    /// A search as `run` would begin it, and the cache that it is given: a copy of the one at hand, or an empty one.
    pub(super) fn begin_beside(
        &self,
        settings: &Settings,
        fresh: bool,
    ) -> Answer<(Running<G>, AnyMemo<G::Key>)> {
        if self.game().terminal(&self.now.position, &self.now.history).is_some() {
            return Err(Fault::new("the game is over: there is nothing to search")
                .hint("`undo` takes a move back, `position start` begins a new game"));
        }
        let reach = settings.limits();
        let running = self.prepare(|_| Plan::Best(reach), settings.budget())?;
        let Searcher { settings, memo, .. } = &self.run.searcher;
        Ok((running, if fresh { settings.new_memo() } else { memo.clone() }))
    }

    /// Runs a search as `run` would, as far as these settings say, on a table of its own under a watcher.
    fn run_watched(
        &self,
        what: &'static str,
        (settings, fresh): (&Settings, bool),
        deadline: Option<Instant>,
        watcher: &mut dyn Watcher<Search<G>>,
    ) -> Answer<(Running<G>, AnyMemo<G::Key>, Stop)> {
        let (mut running, mut memo) = self.begin_beside(settings, fresh)?;
        let mut leash = Leash::new(&self.run.interrupt, deadline);
        let table = (self.game(), &mut memo);
        let halt = drive((what, &self.progress), &mut running, table, watcher, &mut leash);
        Ok((running, memo, halt))
    }

    fn audit_search(&self, settings: &Settings, fresh: bool) -> Answer<AuditRunReport> {
        let start = Instant::now();
        let (own, evaluator) = (self.settings(), self.evaluator()?);
        let mode = own.mode();
        let leaves = mode.leaf_before_end || own.memo() == Policy::Rote;
        let plain = self.plain(&evaluator, mode, None);
        let mut beside = Beside::new(plain, mode.algorithm, leaves);
        let deadline = settings.time_ms.map(|ms| start + Duration::from_millis(ms));
        let (running, memo, halt) =
            self.run_watched("auditing", (settings, fresh), deadline, &mut beside)?;
        let (departure, halted) = match beside.outcome() {
            Ok(departure) => (departure, None),
            Err(_) => (None, Some(Stop::Interrupt)),
        };
        let timed = matches!(halt, Stop::Interrupt | Stop::Time).then_some(halt);
        let search = &running.search;
        Ok(AuditRunReport {
            departure: departure.and_then(|found| self.report_departure(&running, &memo, found)),
            events: search.events(),
            checked: beside.checked,
            nodes: search.counters.nodes,
            selective: None,
            plain_nodes: beside.plain.nodes(),
            depth: search.complete().map_or(0, |complete| complete.depth),
            stopped: halted.or(timed).or_else(|| search.stopped()),
            ms: Some(start.elapsed().as_secs_f64() * 1e3),
        })
    }

    /// What the selective search decides, each decision held against the plain search, and what the full search finds.
    fn audit_selective(&self, settings: &Settings, fresh: bool) -> Answer<SelectiveReport> {
        let evaluator = self.evaluator()?;
        let plain = self.plain(&evaluator, self.settings().mode(), None);
        let mut decisions = Decisions::new(plain);
        let (running, ..) = self.run_watched("judging", (settings, fresh), None, &mut decisions)?;
        let (decided, plain_nodes) = decisions.outcome().map_err(|_| interrupted())?;
        let exact = Settings { selective: Selective::default(), ..settings.clone() };
        let mut exact = Searcher::new(self.game(), &exact, &self.run.searcher.weights)?;
        let root = (&self.now.position, &self.now.history);
        let full = exact.choose(root, 0, &self.run.interrupt)?.ok_or_else(interrupted)?;
        let words = |mv: G::Move| self.game().format_move(&self.now.position, mv);
        let search = &running.search;
        Ok(SelectiveReport {
            decisions: decided.into_iter().filter(|decided| decided.taken > 0).collect(),
            value: search.value(),
            best: search.best_moves().into_iter().map(|root| words(root.mv)).collect(),
            nodes: search.counters.nodes,
            full_value: full.value,
            full_best: full.best.into_iter().map(words).collect(),
            full_nodes: full.counters.nodes,
            plain_nodes,
        })
    }

    fn report_departure(
        &self,
        running: &Running<G>,
        memo: &AnyMemo<G::Key>,
        departure: Departure,
    ) -> Option<DepartureReport> {
        let event = running.report_event(self.game())?;
        let line = (0..event.ply).filter_map(|ply| running.move_text_at(self.game(), ply));
        let entry = (event.kind == EventKind::Hit).then(|| self.read_at(running, memo));
        let entry = entry.flatten();
        let frame = running.search.frames().last()?;
        Some(DepartureReport {
            line: line.collect(),
            side: self.game().side(&frame.position),
            window: frame.window.into(),
            found: departure,
            cause: self.cause(running, departure, entry),
            entry: entry.map(|stored| self.report_entry(stored)),
            event,
        })
    }

    /// The entry that was looked up at the node at hand.
    fn read_at(&self, running: &Running<G>, memo: &AnyMemo<G::Key>) -> Option<Stored<G>> {
        let frame = running.search.frames().last()?;
        let depth = if self.settings().memo().keys_depth() { frame.depth } else { 0 };
        let at = Keyed { key: frame.slot?.key, depth };
        Some((at, memo.entries().get(at)?))
    }

    /// Why the search departs, as far as it can be seen.
    fn cause(
        &self,
        running: &Running<G>,
        departure: Departure,
        entry: Option<Stored<G>>,
    ) -> &'static str {
        let Searcher { game, memo, .. } = &self.run.searcher;
        let search = &running.search;
        let Some(frame) = search.frames().last() else {
            return "entry";
        };
        match (search.describe().kind, entry) {
            (EventKind::Leaf, _) => {
                let over = game.terminal(&frame.position, search.history());
                if over.is_some() { "leaf" } else { "zero" }
            }
            (EventKind::Hit, Some((at, entry))) => {
                if running.mode.negate_black && departure.is_turned() {
                    "sign"
                } else if entry.depth != Some(frame.depth) {
                    "depth"
                } else if memo.entries().get(at) == Some(entry) {
                    "before"
                } else if running.mode.selective.is_some() {
                    "selective"
                } else {
                    "entry"
                }
            }
            _ if running.mode.selective.is_some() => "selective",
            (EventKind::Store | EventKind::Skip, _) => "window",
            _ => "entry",
        }
    }
}

door!(
    /// The cache and the search held against the plain search. Neither is changed.
    pub trait Auditing {}

    /// Searches positions of cache entries anew, without the cache, and lists the entries that are wrong.
    fn audit(&mut self, wish: &AuditWish) -> Answer<AuditReport> {
        let entries = self.chosen(wish)?;
        let (mut report, flawed) = self.judge_all(entries, wish.limit)?;
        if flawed.is_empty() || report.interrupted {
            return Ok(report);
        }
        // Without a recorded search nobody knows who wrote them.
        if let Ok(mut writers) = writers(&mut self.run, &flawed) {
            for (flaw, at) in report.flaws.iter_mut().zip(&flawed) {
                flaw.writer = writers.remove(at);
            }
        }
        Ok(report)
    }

    /// Searches as `run` would and finds the first event at which the plain search contradicts it.
    fn audit_run(&self, limits: &[Pair<'_>], fresh: bool) -> Answer<AuditRunReport> {
        let settings = self.limited(limits)?;
        let mut report = self.audit_search(&settings, fresh)?;
        if settings.selective.is_on() && report.stopped != Some(Stop::Interrupt) {
            report.selective = Some(self.audit_selective(&settings, fresh)?);
        }
        Ok(report)
    }
);
