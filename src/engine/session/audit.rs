//! Audits: what the cache and the search say, held against the plain search.

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
        audit::{Beside, Decisions, Effort, Plain, Verdict, judge},
        explain::{Provenance, writers},
        game::{Fault, Game, Keyed, Result, Score, Side},
        progress::Unit,
        random::splitmix,
        recording::Running,
        search::{
            Context, Event, EventKind, Mode, Plan, RunLimits, Search, Selective, Stop, Watcher,
        },
        searcher::Searcher,
        settings::Settings,
        table::{AnyTable, Policy},
        workers::interrupted,
    },
    text::{TextTable, count, counted, headline, layout, lines, number, or_empty},
};

pub use crate::engine::audit::{Decided, Departure, Flaw, WrongDecision};

/// Which entries to audit, and how many of the wrong ones to list.
#[derive(Clone, Copy, Debug)]
pub struct AuditOptions {
    /// So many of them, chosen by the settings' seed.
    pub sample: Option<usize>,
    /// Those of this remaining depth.
    pub depth: Option<u8>,
    /// Those that have answered in the search under way.
    pub answered: bool,
    /// Wrong entries to list at most.
    pub limit: usize,
}

impl Default for AuditOptions {
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

impl<G: Game> Session<G> {
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
        Plain::new(&context, &self.run.searcher.table, effort)
    }

    /// The entries to audit: all that match, or a fair sample of them (Knuth's Algorithm S, TAOCP 3.4.2).
    fn chosen(&mut self, wish: &AuditOptions) -> Result<Vec<Stored<G>>> {
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
        let (mut unchecked, mut flawed) = (BTreeMap::<_, usize>::new(), Vec::new());
        self.watching("auditing", (Unit::Entries, 0), |watch| {
            for ((at, entry), done) in entries.into_iter().zip(0..) {
                let goes_on = watch.tick(done, report.chosen as u64).is_ok();
                let verdict = goes_on.then(|| judge(&mut plain, table, (at, entry)).ok()).flatten();
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
    ) -> Result<(Running<G>, AnyTable<G::Key>)> {
        if self.game().terminal(&self.now.position, &self.now.history).is_some() {
            return Err(Fault::new("the game is over: there is nothing to search")
                .hint("`undo` takes a move back, `position start` begins a new game"));
        }
        let reach = settings.limits();
        let running = self.prepare(|_| Plan::Best(reach), settings.budget())?;
        let Searcher { settings, table, .. } = &self.run.searcher;
        Ok((running, if fresh { settings.new_table() } else { table.clone() }))
    }

    /// Runs a search as `run` would, as far as these settings say, on a table of its own under a watcher.
    fn run_watched(
        &self,
        what: &'static str,
        (settings, fresh): (&Settings, bool),
        deadline: Option<Instant>,
        watcher: &mut dyn Watcher<Search<G>>,
    ) -> Result<(Running<G>, AnyTable<G::Key>, Stop)> {
        let (mut running, mut table) = self.begin_beside(settings, fresh)?;
        let mut limits = RunLimits::new(&self.run.interrupt, deadline);
        let around = (self.game(), &mut table);
        let halt = drive((what, &self.progress), &mut running, around, watcher, &mut limits);
        Ok((running, table, halt))
    }

    fn audit_search(&self, settings: &Settings, fresh: bool) -> Result<AuditRunReport> {
        let start = Instant::now();
        let (own, evaluator) = (self.settings(), self.evaluator()?);
        let mode = own.mode();
        let leaves = mode.leaf_before_end || own.memo() == Policy::Rote;
        let plain = self.plain(&evaluator, mode, None);
        let mut beside = Beside::new(plain, mode.algorithm, leaves);
        let deadline = settings.time_ms.map(|ms| start + Duration::from_millis(ms));
        let (running, table, halt) =
            self.run_watched("auditing", (settings, fresh), deadline, &mut beside)?;
        let (departure, halted) = match beside.outcome() {
            Ok(departure) => (departure, None),
            Err(_) => (None, Some(Stop::Interrupt)),
        };
        let timed = matches!(halt, Stop::Interrupt | Stop::Time).then_some(halt);
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

    /// What the selective search decides, each decision held against the plain search, and what the full search finds.
    fn audit_selective(&self, settings: &Settings, fresh: bool) -> Result<SelectiveReport> {
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
        table: &AnyTable<G::Key>,
        departure: Departure,
    ) -> Option<DepartureReport> {
        let event = running.report_event(self.game())?;
        let line = (0..event.ply).filter_map(|ply| running.move_text_at(self.game(), ply));
        let entry = (event.kind == EventKind::Hit).then(|| self.read_at(running, table));
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
    fn read_at(&self, running: &Running<G>, table: &AnyTable<G::Key>) -> Option<Stored<G>> {
        let frame = running.search.frames().last()?;
        let depth = if self.settings().memo().keys_depth() { frame.depth } else { 0 };
        let at = Keyed { key: frame.slot?.key, depth };
        Some((at, table.entries().get(at)?))
    }

    /// Why the search departs, as far as it can be seen.
    fn cause(
        &self,
        running: &Running<G>,
        departure: Departure,
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
                if running.mode.negate_black && departure.is_turned() {
                    "sign"
                } else if entry.depth != Some(frame.depth) {
                    "depth"
                } else if table.entries().get(at) == Some(entry) {
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
pub trait AuditCommands {
    /// Searches positions of cache entries anew, without the cache, and lists the entries that are wrong.
    fn audit(&mut self, wish: &AuditOptions) -> Result<AuditReport>;
    /// Searches as `run` would and finds the first event at which the plain search contradicts it.
    fn audit_run(&self, limits: &[Pair<'_>], fresh: bool) -> Result<AuditRunReport>;
}

impl<G: Game> AuditCommands for Session<G> {
    fn audit(&mut self, wish: &AuditOptions) -> Result<AuditReport> {
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

    fn audit_run(&self, limits: &[Pair<'_>], fresh: bool) -> Result<AuditRunReport> {
        let settings = self.limited(limits)?;
        let mut report = self.audit_search(&settings, fresh)?;
        if settings.selective.is_on() && report.stopped != Some(Stop::Interrupt) {
            report.selective = Some(self.audit_selective(&settings, fresh)?);
        }
        Ok(report)
    }
}

/// Cache entries held against the plain search.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AuditReport {
    /// The memo policy.
    pub policy: &'static str,
    /// Entries in the cache.
    pub entries: usize,
    /// Entries that were to be looked at.
    pub chosen: usize,
    /// Entries that were held against a search.
    pub checked: usize,
    /// Of these, those that are right.
    pub right: usize,
    /// Of these, those that are wrong.
    pub wrong: usize,
    /// Of the wrong ones, those whose value is the true one with the sign turned.
    pub negated: usize,
    /// Of the wrong ones, those of depth 0 where the game is over.
    pub over: usize,
    /// Entries that no search uses: a learned 0 that counts as unknown.
    pub ignored: usize,
    /// Entries that could not be checked, by reason.
    pub unchecked: Vec<Census>,
    /// Wrong entries, in the order in which they stand in the cache.
    pub flaws: Vec<FlawReport>,
    /// States the plain search visited.
    pub nodes: u64,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Whether each entry was read by both sides: where black's entries stand with the sign turned.
    pub read_twice: bool,
    /// Whether the user stopped it before all chosen entries were looked at.
    pub interrupted: bool,
    /// What a reader should know.
    pub notes: Vec<String>,
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

    fn forget_times(&mut self) {
        self.ms = None;
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }
}

/// A wrong entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlawReport {
    /// Its key, with the depth where the policy has one.
    pub key: String,
    /// The position the key stands for.
    pub state: String,
    /// Remaining depth.
    pub depth: Option<u8>,
    /// What is wrong with it.
    #[serde(flatten)]
    pub flaw: Flaw,
    /// How much the value is too high.
    pub amount: Score,
    /// Who wrote it, where the recorded search did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<Provenance>,
}

/// A search held against the plain search.
#[derive(Clone, Debug, Serialize)]
pub struct AuditRunReport {
    /// The first departure; nothing where there is none.
    pub departure: Option<DepartureReport>,
    /// Events of the search that were looked at.
    pub events: u64,
    /// Values that were held against the plain search.
    pub checked: u64,
    /// States the search visited.
    pub nodes: u64,
    /// States the plain search visited.
    pub plain_nodes: u64,
    /// The last complete iteration: plies from the root.
    pub depth: u8,
    /// Why the search ended, where it came to an end.
    pub stopped: Option<Stop>,
    /// What a selective search decided, and what that costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selective: Option<SelectiveReport>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl Reply for AuditRunReport {
    fn text(&self) -> String {
        let looked = [
            counted(self.events, "event", "events"),
            format!("{} held against the plain search", counted(self.checked, "value", "values")),
            format!("nodes {}", count(self.nodes)),
            format!("plain nodes {}", count(self.plain_nodes)),
        ];
        let verdict = match (&self.departure, self.stopped) {
            (Some(departure), _) => departed(departure),
            (None, Some(stop)) => format!(
                "no departure to depth {} ({}): every value is the plain search's",
                self.depth,
                stop.name()
            ),
            (None, None) => String::new(),
        };
        let selective = self.selective.as_ref().map(SelectiveReport::text);
        let time = time(self.nodes + self.plain_nodes, self.ms, None);
        lines([verdict, headline(looked), time, or_empty(selective)])
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }
}

/// What a selective search decides without a full search, held against one.
#[derive(Clone, Debug, Serialize)]
pub struct SelectiveReport {
    /// By setting, those that decided anything.
    pub decisions: Vec<Decided>,
    /// The value of the position.
    pub value: Option<Score>,
    /// The best moves.
    pub best: Vec<String>,
    /// States the selective search visited.
    pub nodes: u64,
    /// The value that the full search to the same depth finds.
    pub full_value: Option<Score>,
    /// The best moves that it finds.
    pub full_best: Vec<String>,
    /// States it visited, with an empty cache.
    pub full_nodes: u64,
    /// States visited to judge the decisions.
    pub plain_nodes: u64,
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
        let found = |value: Option<Score>, best: &[String], nodes| {
            let value = number::score_or_none(value);
            format!("{value} by {} in {}", best.join(" "), counted(nodes, "node", "nodes"))
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
    let [value, truth] = [claim.value, *true_value].map(number::score);
    let claim = bounded(claim.bound.name(), &value);
    format!("{}: not {claim} but {truth}", line.join(" "))
}

/// Where a search is told something that the plain search of the same node and window contradicts.
#[derive(Clone, Debug, Serialize)]
pub struct DepartureReport {
    /// The event.
    pub event: EventReport,
    /// The moves that lead to the node.
    pub line: Vec<String>,
    /// The side to move there.
    pub side: Side,
    /// What it is told and what is true.
    #[serde(flatten)]
    pub found: Departure,
    /// The window that was searched: the one asked for, or as the memo had changed it.
    pub window: [Score; 2],
    /// `sign`, `zero`, `leaf`, `depth`, `window`, `before`, `selective` or `entry`.
    pub cause: &'static str,
    /// The entry that answered, as it stands.
    pub entry: Option<EntryReport>,
}

fn kinds(report: &AuditReport) -> String {
    let kinds = [
        (report.negated, "of the wrong values would be right with the sign turned (defect D2)"),
        (report.over, "of them stand for a finished game at depth 0 (defect D5)"),
    ];
    let kinds = kinds.into_iter().filter(|(entries, _)| *entries > 0);
    lines(kinds.map(|(entries, what)| format!("{} {what}", count(entries as u64))))
}

fn unchecked(report: &AuditReport) -> String {
    let unknown = "no search uses: a learned 0 counts as unknown (defect D3)".to_owned();
    let reasons = report.unchecked.iter();
    let reasons = reasons.map(|census| (census.entries, format!("not checked: {}", census.of)));
    let all = std::iter::once((report.ignored, unknown)).chain(reasons);
    let all = all.filter(|(entries, _)| *entries > 0);
    lines(all.map(|(entries, what)| format!("{} {what}", cache::entries(entries))))
}

fn stopped(report: &AuditReport) -> String {
    let unchecked: usize = report.unchecked.iter().map(|census| census.entries).sum();
    let rest = report.chosen.saturating_sub(report.checked + report.ignored + unchecked);
    let rest = format!("interrupted: {} not looked at", cache::entries(rest));
    or_empty(report.interrupted.then_some(rest))
}

fn flaws(report: &AuditReport) -> String {
    let table = TextTable::of(&report.flaws)
        .left("key", |flaw| &flaw.key)
        .point("stored", |FlawReport { flaw: Flaw { claim, .. }, .. }| {
            bounded(claim.bound.name(), &number::score(claim.value))
        })
        .point("true", |wrong| number::score(wrong.flaw.true_value))
        .point("off by", |flaw| number::score(flaw.amount))
        .left("read by", |flaw| or_empty(Some(flaw.flaw.read_by).filter(|_| report.read_twice)))
        .left("state", |flaw| flaw.state.clone());
    let more = report.wrong - report.flaws.len();
    let more = (more > 0).then(|| layout::and_more(more));
    let writers = report.flaws.iter().filter_map(|flaw| {
        let writer = timelines::writer(flaw.writer.as_ref()?);
        Some(format!("{}\n  {}", flaw.key, writer.replace('\n', "\n  ")))
    });
    lines([table.render(), more.unwrap_or_default()].into_iter().chain(writers))
}

/// A value with what it says of the true one.
pub(super) fn bounded(bound: &str, value: &str) -> String {
    match number::bound(bound) {
        "" => value.to_owned(),
        sign => format!("{sign} {value}"),
    }
}

fn departed(departure: &DepartureReport) -> String {
    let line = timelines::after(&departure.line);
    let Departure { asked, claim, true_value } = departure.found;
    let [alpha, beta] = number::window(asked, number::score);
    let truth = number::score(true_value);
    let side = departure.side;
    let what = match departure.event.kind {
        EventKind::Hit => "the cache answers",
        EventKind::Leaf => "the leaf is worth",
        _ => "the search finds",
    };
    let value = bounded(claim.bound.name(), &number::exact(claim.value));
    let text = format!(
        "{line}, {side} to move, window {alpha} to {beta}: {what} {value}; the plain search of that node, {} deep, finds {truth}.",
        counted(u64::from(departure.event.depth), "ply", "plies")
    );
    lines([
        "the search departs from the plain one:".to_owned(),
        format!("  {}", event::event_text(&departure.event)),
        format!("  {}", departure.event.state),
        layout::wrap("", &text),
        layout::wrap("", &why(departure)),
    ])
}

fn why(departure: &DepartureReport) -> String {
    match departure.cause {
        "sign" => "Black's entries stand with the sign turned, and the side that wrote this one is not the side that reads it (defect D2).".to_owned(),
        "zero" => "The cache has learned 0 for it, which the look-up takes for unknown; the heuristic stood in (defect D3).".to_owned(),
        "leaf" => "The game is over there, but depth 0 gives the heuristic without looking (defect D5).".to_owned(),
        "depth" => {
            let depth = departure.entry.as_ref().and_then(|entry| entry.depth);
            let depth = depth.map_or_else(|| "—".to_owned(), |depth| depth.to_string());
            let asked = departure.event.depth;
            format!("The entry was searched to depth {depth}, and depth {asked} was asked (defect D13).")
        }
        "window" => {
            let [alpha, beta] = departure.window.map(number::score);
            format!("An entry had changed the window to {alpha} to {beta} before the search, and what it promised does not hold at this depth (defect D14).")
        }
        "selective" => "Selective search has left something out below it, or gone deeper: its values are not the full search's.".to_owned(),
        "before" => "The entry was in the cache before this run: it was computed with other weights or rules (defect D9), loaded or edited.".to_owned(),
        _ => "The entry itself is wrong; `explain entry` tells what it claims.".to_owned(),
    }
}
