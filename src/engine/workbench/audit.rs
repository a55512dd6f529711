//! Audits: what the cache and the search say, held against the plain search.

use std::{
    collections::BTreeMap,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use rustc_hash::FxHashSet;

use super::{Answer, Desk, Pair, Running, search::drive};
use crate::engine::{
    audit::{
        Answered, Beside, Decisions, Departure, Effort, Flaw, Halted, Plain, Unchecked, Verdict,
        judge,
    },
    explain::writers,
    game::{Fault, Game, Keyed, Score},
    memo::{AnyMemo, Entry, Policy},
    progress::Unit,
    random::splitmix,
    reply::{
        AuditReport, AuditRunReport, Census, DepartureReport, EventKind, FlawReport,
        SelectiveReport,
    },
    search::{Context, Leash, Plan, Search, Selective, Stop, Watcher},
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

impl<G: Game> Desk<G> {
    /// The entries that have answered in the search under way.
    fn answered(&mut self) -> Answer<FxHashSet<Keyed<G::Key>>> {
        let mut answered = Answered::new(self.settings().memo().keys_depth());
        self.run_again(&mut answered)?;
        Ok(answered.entries)
    }

    /// The entries to audit: all that match, or a sample of them in which every choice is equally likely (Knuth's
    /// Algorithm S, TAOCP 3.4.2).
    fn chosen(
        &self,
        wish: &AuditWish,
        answered: Option<&FxHashSet<Keyed<G::Key>>>,
    ) -> impl ExactSizeIterator<Item = (Keyed<G::Key>, Entry)> {
        let wished = |(at, entry): &(Keyed<G::Key>, Entry)| {
            wish.depth.is_none_or(|depth| entry.depth == Some(depth))
                && answered.is_none_or(|answered| answered.contains(at))
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
        entries.into_iter()
    }

    /// What is found, and the keys of the flaws that are listed.
    fn audit_entries(
        &self,
        wish: &AuditWish,
        answered: Option<&FxHashSet<Keyed<G::Key>>>,
    ) -> Answer<(AuditReport, Vec<Keyed<G::Key>>)> {
        let start = Instant::now();
        let evaluator = self.evaluator()?;
        let Searcher { game, settings, memo, .. } = &self.run.searcher;
        let context = Context { game, evaluator: &evaluator, mode: settings.mode() };
        let effort = Effort { interrupt: &self.run.interrupt, nodes: None, progress: None };
        let mut plain = Plain::new(&context, memo, effort);
        let entries = self.chosen(wish, answered);
        let mut report = AuditReport {
            policy: settings.memo().name(),
            entries: memo.entries().len(),
            chosen: entries.len(),
            read_twice: context.mode.negate_black,
            notes: self.audit_notes(),
            ..AuditReport::default()
        };
        let flawed = self.judge_all(&mut plain, (entries, wish.limit), &mut report);
        report.checked = report.right + report.wrong;
        report.nodes = plain.nodes();
        report.ms = Some(start.elapsed().as_secs_f64() * 1e3);
        Ok((report, flawed))
    }

    /// Judges entry after entry until the user stops it; the keys of the flaws that are listed.
    fn judge_all(
        &self,
        plain: &mut Plain<'_, G>,
        (entries, listed): (impl Iterator<Item = (Keyed<G::Key>, Entry)>, usize),
        report: &mut AuditReport,
    ) -> Vec<Keyed<G::Key>> {
        let memo = &self.run.searcher.memo;
        let (mut unchecked, mut flawed) = (BTreeMap::<_, usize>::new(), Vec::new());
        self.progress.begin("auditing", Unit::Entries, 0);
        for ((at, entry), done) in entries.zip(0..) {
            self.progress.tell(done, report.chosen as u64);
            match judge(plain, memo, (at, entry)) {
                Ok(Verdict::Right) => report.right += 1,
                Ok(Verdict::Ignored) => report.ignored += 1,
                Ok(Verdict::Unchecked(why)) => *unchecked.entry(why).or_default() += 1,
                Ok(Verdict::Wrong(flaw)) => {
                    report.count(flaw.cause(entry.depth));
                    if flawed.len() < listed {
                        report.flaws.push(self.report_flaw((at, entry), flaw));
                        flawed.push(at);
                    }
                }
                Err(_) => report.interrupted = true,
            }
            report.interrupted |= self.run.interrupt.load(Ordering::Relaxed);
            if report.interrupted {
                break;
            }
        }
        self.progress.end();
        let census =
            |(why, entries): (Unchecked, usize)| Census { of: why.words().into(), entries };
        report.unchecked = unchecked.into_iter().map(census).collect();
        flawed
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

    fn report_flaw(&self, (at, entry): (Keyed<G::Key>, Entry), flaw: Flaw) -> FlawReport {
        let Flaw { claim, truth, .. } = flaw;
        let state = self.position_of(at);
        FlawReport {
            key: self.keyed_text(at),
            state: state.map_or(String::new(), |state| self.game().format_position(&state)),
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

    fn audit_search(&self, settings: &Settings, fresh: bool) -> Answer<AuditRunReport> {
        let Searcher { game, settings: own, memo: table, .. } = &self.run.searcher;
        let (mut running, mut memo) = self.begin_beside(settings, fresh)?;
        let start = Instant::now();
        let evaluator = running.evaluator.clone();
        let context = Context { game, evaluator: &evaluator, mode: running.mode };
        let effort = Effort { interrupt: &self.run.interrupt, nodes: None, progress: None };
        let plain = Plain::new(&context, table, effort);
        let leaves = running.mode.leaf_before_end || own.memo() == Policy::Rote;
        let mut beside = Beside::new(plain, running.mode.algorithm, leaves);
        let deadline = settings.time_ms.map(|ms| start + Duration::from_millis(ms));
        let mut leash = Leash::new(&self.run.interrupt, deadline);
        let (told, table) = (("auditing", &*self.progress), (game, &mut memo));
        let halt =
            drive::<_, dyn Watcher<Search<G>>>(told, &mut running, table, &mut beside, &mut leash);
        let (departure, halted) = match beside.outcome() {
            Ok(departure) => (departure, None),
            Err(Halted::Interrupted | Halted::Effort) => (None, Some(Stop::Interrupt)),
        };
        let timed = matches!(halt, Stop::Interrupt | Stop::Time).then_some(halt);
        let search = &running.search;
        Ok(AuditRunReport {
            departure: departure
                .and_then(|departure| self.report_departure(&running, &memo, departure)),
            events: search.events(),
            checked: beside.checked(),
            nodes: search.counters.nodes,
            selective: None,
            plain_nodes: beside.nodes(),
            depth: search.complete().map_or(0, |complete| complete.depth),
            stopped: halted.or(timed).or_else(|| search.stopped()),
            ms: Some(start.elapsed().as_secs_f64() * 1e3),
        })
    }

    /// What the selective search decides, each decision held against the plain search, and what the full search finds.
    fn audit_selective(&self, settings: &Settings, fresh: bool) -> Answer<SelectiveReport> {
        let Searcher { game, memo: table, weights, .. } = &self.run.searcher;
        let (mut running, mut memo) = self.begin_beside(settings, fresh)?;
        let evaluator = running.evaluator.clone();
        let context = Context { game, evaluator: &evaluator, mode: running.mode };
        let effort = Effort { interrupt: &self.run.interrupt, nodes: None, progress: None };
        let mut decisions = Decisions::new(Plain::new(&context, table, effort));
        let mut leash = Leash::new(&self.run.interrupt, None);
        let (told, table) = (("judging", &*self.progress), (game, &mut memo));
        drive::<_, dyn Watcher<Search<G>>>(told, &mut running, table, &mut decisions, &mut leash);
        let (decided, plain_nodes) = decisions.outcome().map_err(|_| interrupted())?;
        let exact = Settings { selective: Selective::default(), ..settings.clone() };
        let mut exact = Searcher::new(game, &exact, weights)?;
        let root = (&self.now.position, &self.now.history);
        let full = exact.choose(root, 0, &self.run.interrupt)?.ok_or_else(interrupted)?;
        let words = |mv: G::Move| game.format_move(&self.now.position, mv);
        let of_kind = decided.into_iter().filter(|decided| decided.taken > 0);
        Ok(SelectiveReport {
            decisions: of_kind.collect(),
            value: running.search.value(),
            best: running.search.best_moves().into_iter().map(|root| words(root.mv)).collect(),
            nodes: running.search.counters.nodes,
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
        let Departure { asked, claim, truth } = departure;
        let frame = running.search.frames().last()?;
        Some(DepartureReport {
            line: line.collect(),
            side: self.game().side(&frame.position),
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
        let depth = if self.settings().memo().keys_depth() { frame.depth } else { 0 };
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

/// The cache and the search held against the plain search. Neither is changed.
pub trait Auditing {
    /// Searches positions of cache entries anew, without the cache, and lists the entries that are wrong.
    fn audit(&mut self, wish: &AuditWish) -> Answer<AuditReport>;
    /// Searches as `run` would and finds the first event at which the plain search contradicts it.
    fn audit_run(&self, limits: &[Pair<'_>], fresh: bool) -> Answer<AuditRunReport>;
}

impl<G: Game> Auditing for Desk<G> {
    fn audit(&mut self, wish: &AuditWish) -> Answer<AuditReport> {
        let answered = wish.answered.then(|| self.answered()).transpose()?;
        let (mut report, flawed) = self.audit_entries(wish, answered.as_ref())?;
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

    fn audit_run(&self, limits: &[Pair<'_>], fresh: bool) -> Answer<AuditRunReport> {
        let settings = self.limited(limits)?;
        let mut report = self.audit_search(&settings, fresh)?;
        if settings.selective.is_on() && report.stopped != Some(Stop::Interrupt) {
            report.selective = Some(self.audit_selective(&settings, fresh)?);
        }
        Ok(report)
    }
}
