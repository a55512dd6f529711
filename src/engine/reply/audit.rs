//! Audits: wrong entries, and where a search departs from the plain one.

use serde::Serialize;

use super::{
    Census, EntryReport, EventKind, EventReport, Provenance, Reply, Score, Side, Stop, cache,
    event, search::time, timeline,
};
pub use crate::engine::audit::{Decided, Departure, Flaw, WrongDecision};
use crate::text::{TextTable, count, counted, headline, layout, lines, number, told};

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
        lines([verdict, headline(looked), time, told(selective)])
    }

    fn forget_times(&mut self) {
        self.ms = None;
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
            .left("first wrong one", |decision| told(decision.first.as_ref().map(contradicted)));
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
    told(report.interrupted.then_some(rest))
}

fn flaws(report: &AuditReport) -> String {
    let table = TextTable::of(&report.flaws)
        .left("key", |flaw| &flaw.key)
        .point("stored", |FlawReport { flaw: Flaw { claim, .. }, .. }| {
            bounded(claim.bound.name(), &number::score(claim.value))
        })
        .point("true", |wrong| number::score(wrong.flaw.true_value))
        .point("off by", |flaw| number::score(flaw.amount))
        .left("read by", |flaw| told(Some(flaw.flaw.read_by).filter(|_| report.read_twice)))
        .left("state", |flaw| flaw.state.clone());
    let more = report.wrong - report.flaws.len();
    let more = (more > 0).then(|| layout::and_more(more));
    let writers = report.flaws.iter().filter_map(|flaw| {
        let writer = timeline::writer(flaw.writer.as_ref()?);
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
    let line = timeline::after(&departure.line);
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
