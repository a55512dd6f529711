//! Audits: cache entries and searches compared with the plain search (no table, no pruning, no reductions).

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{
    Pair, Session,
    cache::{self, Census, EntryReport, Stored},
    event::{self, EventReport},
    reply::Reply,
    search::{drive, time},
    timelines,
};

use crate::{
    engine::{
        audit::{Effort, Plain, SearchChecker, SelectiveChecker, Verdict, check_entry},
        explain::{Provenance, writers},
        game::{Fault, Game, Keyed, MoveText, Result, Score, Side},
        progress::Unit,
        random::splitmix,
        recording::Running,
        search::{Context, Event, EventKind, Mode, Plan, Search, Selective, Stop, Watcher},
        searcher::{RunLimits, Searcher},
        settings::Settings,
        table::AnyTable,
        workers::interrupted,
    },
    text::{TextTable, count, counted, headline, layout, lines, number, or_empty, words},
};

pub use crate::engine::audit::{DecisionCheck, Discrepancy, Flaw, WrongDecision};

/// Collects the entries that cause hits in a search.
struct HitEntries<K> {
    keys_depth: bool,
    entries: FxHashSet<Keyed<K>>,
}

impl<G: Game> Watcher<Search<G>> for HitEntries<G::Key> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        kind == EventKind::Hit
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let slot = search.frames().last().and_then(|frame| frame.slot);
        if let (EventKind::Hit, Some(slot)) = (event.kind, slot) {
            let depth = if self.keys_depth { event.depth } else { 0 };
            self.entries.insert(Keyed { key: slot.key, depth });
        }
        false
    }
}

impl<G: Game> Session<G> {
    /// A plain search with this evaluator. If `nodes` limits the search, progress is reported towards the limit.
    pub(super) fn plain<'a>(
        &'a self,
        evaluator: &'a G::Evaluator,
        mode: Mode,
        nodes: Option<u64>,
    ) -> Plain<'a, G> {
        let context = Context { game: self.game(), evaluator, mode };
        let progress = nodes.map(|_| &*self.progress);
        let effort = Effort { interrupt: &self.run.interrupt, nodes, progress };
        Plain::new(&context, &self.run.searcher.table, effort)
    }

    /// The entries to audit: all that match the scope, or a uniform sample of them (Knuth's Algorithm S, TAOCP 3.4.2).
    pub(super) fn sampled_entries(&mut self, scope: AuditScope) -> Result<Vec<Stored<G>>> {
        let AuditScope { sample, depth, hits_only, .. } = scope;
        let keys_depth = self.settings().memo().keys_depth();
        let mut hits = HitEntries { keys_depth, entries: FxHashSet::default() };
        if hits_only {
            self.run_again(&mut hits)?;
        }
        let matches = |(at, entry): &Stored<G>| {
            depth.is_none_or(|depth| entry.depth == Some(depth))
                && (!hits_only || hits.entries.contains(at))
        };
        let mut entries: Vec<_> = self.entries().iter().filter(matches).collect();
        let mut remaining = entries.len() as u64;
        let mut wanted = sample.map_or(remaining, |sample| remaining.min(sample as u64));
        let mut number = self.settings().seed;
        entries.retain(|_| {
            number = splitmix(number);
            let chosen = wanted > 0 && number % remaining < wanted;
            remaining -= 1;
            wanted -= u64::from(chosen);
            chosen
        });
        Ok(entries)
    }

    /// Checks the entries until an interrupt. Returns the report and the keys of the wrong entries listed in it.
    fn judge_all(
        &self,
        entries: Vec<Stored<G>>,
        limit: usize,
    ) -> Result<(AuditReport, Vec<Keyed<G::Key>>)> {
        let start = Instant::now();
        let (settings, table) = (self.settings(), &self.run.searcher.table);
        let evaluator = self.evaluator()?;
        let mut plain = self.plain(&evaluator, settings.mode(), None);
        let mut report = AuditReport {
            policy: settings.memo().name(),
            entries: table.entries().len(),
            chosen: entries.len(),
            read_twice: settings.mode().negate_black,
            notes: self.audit_notes(),
            ..AuditReport::default()
        };
        let mut unchecked = BTreeMap::<_, usize>::new();
        let mut listed = Vec::new();
        self.watching("auditing", Unit::Entries, 0, |watch| {
            for ((at, entry), done) in entries.into_iter().zip(0..) {
                let ticked = watch.tick(done, report.chosen as u64);
                let Some(Ok(verdict)) = ticked
                    .ok()
                    .map(|()| check_entry(&mut plain, table, (self.position_of(at), at, entry)))
                else {
                    report.interrupted = true;
                    break;
                };
                match verdict {
                    Verdict::Right => report.right += 1,
                    Verdict::Ignored => report.ignored += 1,
                    Verdict::Unchecked { reason } => *unchecked.entry(reason).or_default() += 1,
                    Verdict::Wrong(flaw) => {
                        report.wrong += 1;
                        report.negated += usize::from(flaw.cause == Some("negated"));
                        report.over += usize::from(flaw.cause == Some("over"));
                        if listed.len() < limit {
                            report.flaws.push(self.flaw_report((at, entry), flaw));
                            listed.push(at);
                        }
                    }
                }
            }
        });
        let census = |(why, entries): (&str, usize)| Census { of: why.to_owned(), entries };
        report.unchecked = unchecked.into_iter().map(census).collect();
        report.checked = report.right + report.wrong;
        report.nodes = plain.nodes();
        report.ms = Some(start.elapsed().as_secs_f64() * 1e3);
        Ok((report, listed))
    }

    fn flaw_report(&self, (at, entry): Stored<G>, flaw: Flaw) -> FlawReport {
        let state = self.position_of(at).map(|position| self.game().format_position(&position));
        FlawReport {
            key: self.keyed_text(at),
            state: or_empty(state),
            depth: entry.depth,
            amount: Score::from_finite(flaw.claim.value.get() - flaw.true_value.get()),
            flaw,
            writer: None,
        }
    }

    fn audit_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.settings().memo().has_entries() {
            notes.push("the memo policy `none` keeps no entries".to_owned());
        }
        if self.settings().mode().negate_black {
            notes.push(
                "Black's values are stored negated (defect D2), so each entry is checked as White and as Black reads it"
                    .to_owned(),
            );
        }
        notes
    }

    /// A search as `search run` would begin it, with its table: a copy of the cache or, if `fresh`, an empty one.
    pub(super) fn begin_on_copy(
        &self,
        settings: &Settings,
        fresh: bool,
    ) -> Result<(Running<G>, AnyTable<G::Key>)> {
        if self.game().terminal(&self.now.position, &self.now.history).is_some() {
            return Err(Fault::new("the game is over: there is nothing to search")
                .hint("`undo` takes a move back, `position start` begins a new game"));
        }
        let limits = settings.limits();
        let running = self.prepare(|_| Plan::Best(limits), settings.budget())?;
        let Searcher { settings, table, .. } = &self.run.searcher;
        Ok((running, if fresh { settings.new_table() } else { table.clone() }))
    }

    /// Runs the search that [`Self::begin_on_copy`] prepares, until it ends, the deadline passes or the watcher stops it.
    fn run_on_copy(
        &self,
        what: &'static str,
        settings: &Settings,
        fresh: bool,
        deadline: Option<Instant>,
        watcher: &mut dyn Watcher<Search<G>>,
    ) -> Result<(Running<G>, AnyTable<G::Key>, Stop)> {
        let (mut running, mut table) = self.begin_on_copy(settings, fresh)?;
        let mut limits = RunLimits::new(&self.run.interrupt, deadline);
        let (game, progress) = (self.game(), &*self.progress);
        let stop = drive(what, progress, &mut running, game, &mut table, watcher, &mut limits);
        Ok((running, table, stop))
    }

    fn audit_search(&self, settings: &Settings, fresh: bool) -> Result<AuditRunReport> {
        let start = Instant::now();
        let (own, evaluator) = (self.settings(), self.evaluator()?);
        let mode = own.mode();
        let leaves = mode.leaf_before_end || own.memo().has_leaf_values();
        let plain = self.plain(&evaluator, mode, None);
        let mut beside = SearchChecker::new(plain, mode.algorithm, leaves);
        let deadline = settings.time_ms.map(|ms| start + Duration::from_millis(ms));
        let (running, table, stop) =
            self.run_on_copy("auditing", settings, fresh, deadline, &mut beside)?;
        let (departure, halted) = match beside.outcome() {
            Ok(departure) => (departure, None),
            Err(_) => (None, Some(Stop::Interrupt)),
        };
        let timed = matches!(stop, Stop::Interrupt | Stop::Time).then_some(stop);
        let search = &running.search;
        Ok(AuditRunReport {
            departure: departure.and_then(|found| self.report_departure(&running, &table, found)),
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

    /// Compares each decision of the selective search with the plain search, and its result with that of the full search.
    fn audit_selective(&self, settings: &Settings, fresh: bool) -> Result<SelectiveReport> {
        let evaluator = self.evaluator()?;
        let plain = self.plain(&evaluator, self.settings().mode(), None);
        let mut decisions = SelectiveChecker::new(plain);
        let (running, ..) = self.run_on_copy("judging", settings, fresh, None, &mut decisions)?;
        let (decided, plain_nodes) = decisions.outcome().map_err(|_| interrupted())?;
        let exact = Settings { selective: Selective::default(), ..settings.clone() };
        let mut exact = Searcher::new(self.game(), &exact, &self.run.searcher.weights)?;
        let root = (&self.now.position, &self.now.history);
        let full = exact.choose(root, 0, &self.run.interrupt)?.ok_or_else(interrupted)?;
        let words = |mv: G::Move| self.game().move_text(&self.now.position, mv);
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
        table: &AnyTable<G::Key>,
        departure: Discrepancy,
    ) -> Option<DepartureReport> {
        let event = running.report_event(self.game())?;
        let line = (0..event.ply).filter_map(|ply| running.move_text_at(self.game(), ply));
        let is_hit = event.kind == EventKind::Hit;
        let entry = is_hit.then(|| self.probed_entry(running, table)).flatten();
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

    /// The entry that the probe at the current node found.
    fn probed_entry(&self, running: &Running<G>, table: &AnyTable<G::Key>) -> Option<Stored<G>> {
        let frame = running.search.frames().last()?;
        let depth = if self.settings().memo().keys_depth() { frame.depth } else { 0 };
        let at = Keyed { key: frame.slot?.key, depth };
        Some((at, table.entries().get(at)?))
    }

    /// The cause of a difference from the plain search, as in [`DepartureReport::cause`].
    fn cause(
        &self,
        running: &Running<G>,
        departure: Discrepancy,
        entry: Option<Stored<G>>,
    ) -> &'static str {
        let Searcher { game, table, .. } = &self.run.searcher;
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
                if running.mode.negate_black && departure.is_negated() {
                    "sign"
                } else if entry.depth != Some(frame.depth) {
                    "depth"
                } else if table.entries().get(at) == Some(entry) {
                    "before"
                } else {
                    running.mode.selective.as_ref().map_or("entry", |_| "selective")
                }
            }
            _ if running.mode.selective.is_some() => "selective",
            (EventKind::Store | EventKind::Skip, _) => "window",
            _ => "entry",
        }
    }
}

/// Which cache entries to audit.
#[derive(Clone, Copy, Debug)]
pub struct AuditScope {
    /// The number of entries to sample, drawn with the random seed of the settings; `None`: all entries.
    pub sample: Option<usize>,
    /// Audit only entries of this remaining depth; `None`: of every depth.
    pub depth: Option<u8>,
    /// Audit only entries that caused hits in the current search.
    pub hits_only: bool,
    /// The most wrong entries to list; all of them are counted.
    pub limit: usize,
}

impl AuditScope {
    /// The whole cache, with at most `limit` wrong entries listed.
    pub const fn all(limit: usize) -> Self {
        Self { sample: None, depth: None, hits_only: false, limit }
    }
}

/// Audits of the cache and of the search; cache and search stay unchanged.
pub trait AuditCommands {
    /// Checks cache entries by plain searches of their positions, and lists the wrong entries.
    fn audit(&mut self, scope: AuditScope) -> Result<AuditReport>;
    /// Searches as `search run` would, and finds the first event whose value differs from that of the plain search.
    fn audit_run(&self, limits: &[Pair<'_>], fresh: bool) -> Result<AuditRunReport>;
}

impl<G: Game> AuditCommands for Session<G> {
    fn audit(&mut self, scope: AuditScope) -> Result<AuditReport> {
        let entries = self.sampled_entries(scope)?;
        let (mut report, listed) = self.judge_all(entries, scope.limit)?;
        if listed.is_empty() || report.interrupted {
            return Ok(report);
        }
        // Without a recorded search, the events that wrote the entries are unknown; the audit is complete without them.
        if let Ok(mut writers) = writers(&mut self.run, &listed) {
            for (flaw, at) in report.flaws.iter_mut().zip(&listed) {
                flaw.writer = writers.remove(at);
            }
        }
        Ok(report)
    }

    fn audit_run(&self, limits: &[Pair<'_>], fresh: bool) -> Result<AuditRunReport> {
        let settings = self.settings_with(limits)?;
        let mut report = self.audit_search(&settings, fresh)?;
        if settings.selective.is_on() && report.stopped != Some(Stop::Interrupt) {
            report.selective = Some(self.audit_selective(&settings, fresh)?);
        }
        Ok(report)
    }
}

/// The result of `audit`: how many cache entries the plain search confirms or contradicts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AuditReport {
    pub(crate) policy: &'static str,
    /// Number of entries in the cache.
    pub entries: usize,
    /// Number of entries to audit: all that match the scope, or the sample.
    pub chosen: usize,
    /// Number of entries checked: `right` plus `wrong`.
    pub checked: usize,
    /// Number of entries that the plain search confirms.
    pub right: usize,
    /// Number of entries that the plain search contradicts.
    pub wrong: usize,
    /// Number of wrong entries that would be right with the opposite sign (defect D2).
    pub negated: usize,
    /// Number of wrong entries of depth 0 in whose position the game is over (defect D5).
    pub over: usize,
    /// Number of entries that no search uses, because a learned value of 0 counts as unknown (defect D3).
    pub ignored: usize,
    /// Numbers of entries that could not be checked, by reason.
    pub unchecked: Vec<Census>,
    /// The wrong entries in the order of the table, up to the limit of the scope.
    pub flaws: Vec<FlawReport>,
    /// Nodes visited by the plain search.
    pub nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    /// Whether each entry was checked for both sides to move, because Black's values are stored negated (defect D2).
    pub read_twice: bool,
    /// Whether an interrupt ended the audit early.
    pub interrupted: bool,
    pub(crate) notes: Vec<String>,
}

impl Reply for AuditReport {
    fn text(&self) -> String {
        let checked =
            format!("{} of {} checked", count(self.checked as u64), cache::entries(self.entries));
        let pieces = [
            checked,
            format!("{} right", count(self.right as u64)),
            format!("{} wrong", count(self.wrong as u64)),
        ];
        lines([
            headline(pieces),
            unchecked(self),
            kinds(self),
            flaws(self),
            time(self.nodes, self.ms, None),
            stopped(self),
            layout::notes(&self.notes),
        ])
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}

/// A cache entry that the plain search contradicts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlawReport {
    /// The key; ends in `:DEPTH` if the memo policy keeps one entry per depth.
    pub key: String,
    /// The position in the game's notation; empty if unknown.
    pub state: String,
    pub(crate) depth: Option<u8>,
    /// The value that a probe returns, the true value, and a likely cause of the error.
    #[serde(flatten)]
    pub flaw: Flaw,
    /// The stored value minus the true value.
    pub amount: Score,
    /// The event that wrote the entry; `None` if the current search did not write it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<Provenance>,
}

/// The result of `audit run`: a search compared event by event with the plain search.
#[derive(Clone, Debug, Serialize)]
pub struct AuditRunReport {
    /// The first event whose value differs from that of the plain search; `None`: all values agree.
    pub departure: Option<DepartureReport>,
    /// Number of events of the audited search.
    pub events: u64,
    /// Number of values compared with the plain search.
    pub checked: u64,
    /// Nodes visited by the audited search.
    pub nodes: u64,
    /// Nodes visited by the plain search.
    pub(crate) plain_nodes: u64,
    /// Depth of the last complete iteration in plies; 0 before the first.
    pub depth: u8,
    /// Why the search ended; `None` if it was stopped at the first differing value.
    pub stopped: Option<Stop>,
    /// The audit of the selective search; `None` if the selective settings are off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selective: Option<SelectiveReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
}

impl Reply for AuditRunReport {
    fn text(&self) -> String {
        let counts = [
            counted(self.events, "event", "events"),
            format!("{} checked by the plain search", counted(self.checked, "value", "values")),
            format!("nodes {}", count(self.nodes)),
            format!("plain nodes {}", count(self.plain_nodes)),
        ];
        let verdict = match (&self.departure, self.stopped) {
            (Some(departure), _) => departed(departure),
            (None, Some(stop @ (Stop::Interrupt | Stop::Budget | Stop::Time))) => format!(
                "stopped after depth {} ({}): up to there, the plain search finds the same values",
                self.depth,
                stop.name()
            ),
            (None, Some(stop)) => format!(
                "no departure to depth {} ({}): the plain search finds the same values",
                self.depth,
                stop.name()
            ),
            (None, None) => String::new(),
        };
        let selective = self.selective.as_ref().map(SelectiveReport::text);
        let time = time(self.nodes + self.plain_nodes, self.ms, None);
        lines([verdict, headline(counts), time, or_empty(selective)])
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}

/// The decisions of a selective search compared with the plain search, and its result with that of the full search.
#[derive(Clone, Debug, Serialize)]
pub struct SelectiveReport {
    /// The decisions by setting, such as `lmr`; settings that never pruned, reduced or extended are left out.
    pub decisions: Vec<DecisionCheck>,
    /// The root's value that the selective search finds, for the side to move.
    pub value: Option<Score>,
    pub(crate) best: Vec<MoveText>,
    pub(crate) nodes: u64,
    /// The root's value that the full search to the same depth finds, for the side to move.
    pub full_value: Option<Score>,
    pub(crate) full_best: Vec<MoveText>,
    /// Nodes visited by the full search, which starts with an empty cache.
    pub(crate) full_nodes: u64,
    /// Nodes visited by the plain searches that checked the decisions.
    pub(crate) plain_nodes: u64,
}

impl SelectiveReport {
    fn text(&self) -> String {
        let table = TextTable::of(&self.decisions)
            .left("selective", |decision| decision.setting)
            .right("decisions", |decision| count(decision.taken))
            .right("wrong", |decision| count(decision.wrong))
            .left("first wrong one", |decision| {
                or_empty(decision.first.as_ref().map(contradicted))
            });
        let found = |value: Option<Score>, best: &[MoveText], nodes| {
            let value = number::score_or_none(value);
            format!("{value} by {} in {}", words(best), counted(nodes, "node", "nodes"))
        };
        let outcome = format!(
            "It finds {}; the full search finds {}.",
            found(self.value, &self.best, self.nodes),
            found(self.full_value, &self.full_best, self.full_nodes)
        );
        lines([table.render(), layout::wrap("", &outcome)])
    }
}

fn contradicted(wrong: &WrongDecision) -> String {
    let WrongDecision { line, claim, true_value, .. } = wrong;
    let [value, truth] = number::distinct([claim.value, *true_value]);
    format!("{}: not {} but {truth}", words(line), number::bounded(claim.bound.name(), &value))
}

/// An event whose value differs from that of the plain search of the same node and window.
#[derive(Clone, Debug, Serialize)]
pub struct DepartureReport {
    /// The event at which the values differ.
    pub event: EventReport,
    /// The moves from the root to the node.
    pub line: Vec<MoveText>,
    pub(crate) side: Side,
    /// The value that the search used, and the value of the plain search.
    #[serde(flatten)]
    pub found: Discrepancy,
    /// The window of the node; a cache entry may have changed it before the search.
    pub window: [Score; 2],
    /// The likely cause: `sign`, `zero`, `leaf`, `depth`, `window`, `before`, `selective` or `entry`.
    pub cause: &'static str,
    /// The cache entry that replaced the search of the node; `None` if the node was searched.
    pub entry: Option<EntryReport>,
}

fn kinds(report: &AuditReport) -> String {
    let kinds = [
        (report.negated, "of the wrong values are right when negated (defect D2)"),
        (report.over, "of them are of depth 0 although the game is over (defect D5)"),
    ];
    let kinds = kinds.into_iter().filter(|(entries, _)| *entries > 0);
    lines(kinds.map(|(entries, what)| format!("{} {what}", count(entries as u64))))
}

fn unchecked(report: &AuditReport) -> String {
    let unknown = "never used: a learned 0 counts as unknown (defect D3)".to_owned();
    let reasons = report.unchecked.iter();
    let reasons = reasons.map(|census| (census.entries, format!("not checked: {}", census.of)));
    let all = std::iter::once((report.ignored, unknown)).chain(reasons);
    let all = all.filter(|(entries, _)| *entries > 0);
    lines(all.map(|(entries, what)| format!("{} {what}", cache::entries(entries))))
}

fn stopped(report: &AuditReport) -> String {
    let unchecked: usize = report.unchecked.iter().map(|census| census.entries).sum();
    let rest = report.chosen.saturating_sub(report.checked + report.ignored + unchecked);
    let rest = format!("interrupted: {} not checked", cache::entries(rest));
    or_empty(report.interrupted.then_some(rest))
}

fn flaws(report: &AuditReport) -> String {
    let table = TextTable::of(&report.flaws)
        .left("key", |flaw| &flaw.key)
        .point("stored", |FlawReport { flaw: Flaw { claim, .. }, .. }| {
            number::bounded(claim.bound.name(), &number::score(claim.value))
        })
        .point("true", |wrong| number::score(wrong.flaw.true_value))
        .point("off by", |flaw| number::difference(flaw.amount))
        .left("read by", |flaw| or_empty(Some(flaw.flaw.read_by).filter(|_| report.read_twice)))
        .left("state", |flaw| flaw.state.clone());
    let omitted = report.wrong - report.flaws.len();
    let writers = report.flaws.iter().filter_map(|flaw| {
        let writer = timelines::writer(flaw.writer.as_ref()?);
        Some(format!("{}\n  {}", flaw.key, writer.replace('\n', "\n  ")))
    });
    lines([table.render(), layout::and_more(omitted)].into_iter().chain(writers))
}

fn departed(departure: &DepartureReport) -> String {
    let line = timelines::after(&departure.line);
    let Discrepancy { searched_window, claim, true_value } = departure.found;
    let window = number::window_words(searched_window);
    let [value, truth] = number::distinct([claim.value, true_value]);
    let side = departure.side;
    let what = match departure.event.kind {
        EventKind::Hit => "the cache returns",
        EventKind::Leaf => "the leaf's value is",
        _ => "the search finds",
    };
    let value = number::bounded(claim.bound.name(), &value);
    let text = format!(
        "{line}, {side} to move, {window}: {what} {value}; the plain search of that node, {} deep, finds {truth}.",
        counted(u64::from(departure.event.depth), "ply", "plies")
    );
    lines([
        "the search departs from the plain search:".to_owned(),
        format!("  {}", event::event_text(&departure.event)),
        format!("  {}", departure.event.state),
        layout::wrap("", &text),
        layout::wrap("", &why(departure)),
    ])
}

fn why(departure: &DepartureReport) -> String {
    match departure.cause {
        "sign" => "Black's values are stored negated, and the side that wrote this entry is not the side that reads it (defect D2).".to_owned(),
        "zero" => "The learned value is 0, which a probe takes for unknown, so the heuristic was used (defect D3).".to_owned(),
        "leaf" => "The game is over here, but at depth 0 the heuristic is used without a test for that (defect D5).".to_owned(),
        "depth" => {
            let depth = departure.entry.as_ref().and_then(|entry| entry.depth);
            let depth = depth.map_or_else(|| "—".to_owned(), |depth| depth.to_string());
            let needed = departure.event.depth;
            format!("The entry was searched to depth {depth}, but depth {needed} is needed (defect D13).")
        }
        "window" => {
            let window = number::window_words(departure.window);
            format!("Before the search an entry changed the window to the {window}; its bound does not hold at this depth (defect D14).")
        }
        "selective" => "Selective search pruned, reduced or extended moves below this node, so its values are not those of the full search.".to_owned(),
        "before" => "The entry was in the cache before this run: it was computed with other weights or rules (defect D9), loaded or edited.".to_owned(),
        _ => "The entry itself is wrong; `explain entry` shows what it claims.".to_owned(),
    }
}
