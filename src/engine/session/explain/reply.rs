//! Replies of `explain` as sentences.

use std::fmt::Display;

use serde::Serialize;

use super::event::{EVERY_VALUE, sought};
use crate::{
    engine::{
        audit::Flaw,
        explain::{Evidence, Provenance},
        game::{MoveText, Score, Side, Window, quotient},
        search::{HEURISTICS, Heuristic, Shows},
        session::{
            cache::EntryReport,
            reply::{Reply, nth_line},
            search::RootMoveReport,
            timelines,
        },
        table::Bound,
    },
    text::{
        TextTable, blank, count, counted, layout, lines,
        number::{self, worth as score},
        or_dash, or_empty, words,
    },
};

pub use crate::engine::{
    audit::Verdict,
    explain::{
        BoundSource, CutoffExplained, EndExplained, MoveEvidence, MoveExplained, OrderExplained,
        OrderedMove, PlyExplained, Reasons, SetBy,
    },
};

/// The reply of `explain value`: why the root has its value.
#[derive(Clone, Debug, Serialize)]
pub struct ValueExplained {
    /// The root's value that the search found, for the side to move.
    pub value: Score,
    /// The best moves, all of the same value.
    pub best: Vec<MoveText>,
    /// All root moves with their values, the best first.
    pub moves: Vec<RootMoveReport>,
    /// The search's own best line, whose values may come from its cache.
    #[serde(skip)]
    pub pv: Vec<MoveText>,
    /// The plain search's values along the line of the first best move, ply by ply.
    #[serde(flatten)]
    pub reasons: Reasons,
}

impl Reply for ValueExplained {
    fn text(&self) -> String {
        let side = self.reasons.side;
        let worth = number::worth(self.value);
        let (best, rest): (Vec<_>, Vec<_>) =
            self.moves.iter().partition(|mv| self.best.contains(&mv.mv));
        let verb = if best.len() == 1 { "is" } else { "are" };
        let intro = format!(
            "{side} is to move, and {} were searched {} deep. Best {verb} {}, worth {worth} to {side}.",
            counted(self.moves.len() as u64, "move", "moves"),
            counted(u64::from(self.reasons.depth), "ply", "plies"),
            some(&self.best, LISTED),
        );
        let line = &self.reasons.line;
        let is_same = self.pv.starts_with(line) || line.starts_with(&self.pv);
        let other = (!is_same).then(|| {
            format!(
                "The search's own line is {}, with values from the cache{}.",
                words(&self.pv),
                if self.reasons.contradiction.is_none() {
                    "; that of a plain search follows"
                } else {
                    ""
                },
            )
        });
        reasons([intro, next_best(&rest, self.value), or_empty(other)], &self.reasons)
    }

    fn position(&self) -> Option<&str> {
        Some(&self.reasons.state)
    }

    fn line(&self) -> String {
        nth_line(&self.text(), EXPLANATION)
    }
}

/// The reply of `explain move`: why a root move was chosen or not.
#[derive(Clone, Debug, Serialize)]
pub struct MoveChoice {
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub(crate) mv: MoveText,
    /// The value of the move that the search found, for the side to move at the root.
    pub value: Score,
    /// `upper` or `lower` if the value is only a bound; `None` if it is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bound: Option<&'static str>,
    /// Whether the move is one of the best moves, which `best` lists.
    pub is_best: bool,
    pub(crate) best: Vec<MoveText>,
    /// The value of the best moves, for the side to move at the root.
    pub best_value: Score,
    /// The plain search's values along the line after the move, ply by ply.
    #[serde(flatten)]
    pub reasons: Reasons,
}

impl Reply for MoveChoice {
    fn text(&self) -> String {
        let (MoveChoice { mv, value, .. }, side) = (self, self.reasons.side);
        let worth = format!("{} to {side}", number::worth(*value));
        let others: Vec<_> = self.best.iter().filter(|best| *best != mv).cloned().collect();
        let best = some(&others, EXAMPLES);
        let best_worth = number::worth(self.best_value);
        let verdict = match (self.is_best, others.len()) {
            (true, 0) => format!("the best move: it is worth {worth}"),
            (true, 1) => format!("one of the best moves: it is worth {worth}, as is {best}"),
            (true, _) => format!("one of the best moves: it is worth {worth}, as are {best}"),
            _ if self.bound.is_some() => {
                format!(
                    "worth at most {worth}, and {best} {best_worth}: its exact value was not searched"
                )
            }
            _ if *value == self.best_value => {
                format!("worth {worth}, as much as {best}, but it wins later or loses sooner")
            }
            _ => format!("worth {worth}, and {best} {best_worth}{}", more(*value, self.best_value)),
        };
        let depth = counted(u64::from(self.reasons.depth), "ply", "plies");
        let verdict = format!("Searched {depth} deep, {mv} is {verdict}.");
        let refuted = self.reasons.plies.first().and_then(|ply| ply.best.as_ref());
        let answers = if self.is_best { "'s best answer is" } else { " answers" };
        let refuted = or_empty(refuted.map(|reply| format!("{}{answers} {reply}.", side.other())));
        reasons([verdict, refuted], &self.reasons)
    }

    fn position(&self) -> Option<&str> {
        Some(&self.reasons.state)
    }

    fn line(&self) -> String {
        nth_line(&self.text(), EXPLANATION)
    }
}

/// By how much `best` exceeds `value`, as a clause; empty if either value is the end of a game.
fn more(value: Score, best: Score) -> String {
    let has_end = [value, best].into_iter().any(number::is_end);
    let more = number::difference(best.get() - value.get());
    if has_end { String::new() } else { format!(": that is {} more", more.trim_start_matches('+')) }
}

impl Reply for CutoffExplained {
    fn text(&self) -> String {
        let CutoffExplained { side, spared, .. } = self;
        let beta = number::with_mate(number::beta(self.beta));
        let worth = or_dash(self.value.map(score));
        let reached = match (self.by, &self.mv) {
            (Some("entry"), _) => format!("The cache returns {worth}"),
            (Some("pass"), _) => format!("To pass is worth {worth}"),
            (Some("stand-pat"), _) => format!("To stand pat is worth {worth}"),
            (_, Some(mv)) => format!("{mv} is worth {worth}"),
            _ => "No move has raised the value yet".to_owned(),
        };
        let left = counted(spared.len() as u64, "move", "moves");
        let verdict = if self.cut {
            let some = some(spared, EXAMPLES);
            let left = format!(", and {left} ({some}) are not searched");
            let left = if spared.is_empty() { "" } else { &left };
            format!("{reached} to {side}, which reaches β {beta}: the node is cut off{left}.")
        } else if beta == "+∞" {
            format!("The node is not cut off, and no value would: β is +∞. {reached}.")
        } else if self.expanded {
            format!(
                "The node is not cut off. {reached}; a value of {beta} or more would cut it off and spare {left}.",
            )
        } else {
            format!(
                "The node is not cut off. It has no list of moves that a value of {beta} or more would spare.",
            )
        };
        let origin = origin("β", &self.source, self.ply);
        let to_move = format!("{side} is to move.");
        lines([self.state.clone(), paragraph(&lead(self.ply), [to_move, verdict, origin])])
    }

    fn position(&self) -> Option<&str> {
        Some(&self.state)
    }

    fn line(&self) -> String {
        nth_line(&self.text(), EXPLANATION)
    }
}

/// Where α and β at the node of ply `node` come from: a sentence each, or one if both have been set there for one reason.
pub(super) fn origins(sources: &[BoundSource; 2], node: u32) -> Vec<String> {
    if sources.iter().all(|source| source.by == SetBy::Search) {
        return vec!["The window is the one that the search began with.".to_owned()];
    }
    let [alpha, beta] = sources;
    let is_shared = matches!(alpha.by, SetBy::Hand | SetBy::Program | SetBy::Wider);
    if is_shared && (&alpha.by, alpha.ply) == (&beta.by, beta.ply) {
        return vec![origin("α and β", alpha, node).replacen(" was set", " were set", 1)];
    }
    ["α", "β"].iter().zip(sources).map(|(bound, source)| origin(bound, source, node)).collect()
}

/// Where α or β (`bound`) at the node of ply `node` comes from, as a sentence.
fn origin(bound: &str, BoundSource { ply, side, value, by }: &BoundSource, node: u32) -> String {
    let value = if bound == "α" { number::alpha(*value) } else { number::beta(*value) };
    let there = if *ply == node { "this node".to_owned() } else { format!("ply {ply}") };
    match by {
        SetBy::Search => format!("{bound} is that of the window the search began with."),
        SetBy::Aspiration => format!(
            "{bound} is that of the root's aspiration window: with a value beyond it, the root is searched again.",
        ),
        SetBy::Pass => format!(
            "{bound} is that of this pass of MTD(f), which tests on which side of its zero window the root's value lies.",
        ),
        SetBy::Move { mv } => format!(
            "{bound} comes from {there}: there {side} has {mv} already, worth {value} to {side}.",
        ),
        SetBy::StandPat => {
            format!("{bound} comes from {there}: there {side} may stand pat at {value}.")
        }
        SetBy::ZeroWindow => format!(
            "{bound} comes from the zero window of {there}, which tests only whether the move there is better for {side} than its best so far.",
        ),
        SetBy::NullWindow => format!(
            "{bound} comes from the null move of {there}, which tests only whether {side} still reaches its β after it.",
        ),
        SetBy::Entry if value.ends_with('∞') => format!("{bound} is {value}."),
        SetBy::Entry => {
            format!("{bound} comes from the cache entry found at {there}, which set it to {value}.")
        }
        SetBy::Hand => format!("{bound} was set by hand at {there}."),
        SetBy::Program => format!(
            "{bound} was set at {there} by the program itself, as mate distance pruning, an entry or a draw within reach may.",
        ),
        SetBy::Wider => format!(
            "{bound} was set at {there} by the program itself, outside its parent's window: a root move or a search again with a wider window, or a bug. Pruning only narrows a window.",
        ),
    }
}

impl Reply for OrderExplained {
    fn text(&self) -> String {
        let side = self.side;
        let rule = match self.by {
            "hints" if self.moves.iter().all(|mv| mv.by.is_none_or(|by| by == "game")) => {
                format!("The order {} does not tell its moves apart.", self.order)
            }
            "hints" => format!("Its moves are ordered by {}.", self.order),
            "iteration" => {
                "The root's moves are ordered by their values in the iteration before.".to_owned()
            }
            _ => "Its moves are in the game's own order.".to_owned(),
        };
        let mut groups = self.moves.split_inclusive(|mv| mv.by != Some("game"));
        let reasons = ["first", "next"].into_iter().filter_map(|place| {
            let group = groups.next().filter(|_| self.by == "hints")?;
            order_reason_text(group, place)
        });
        let reasons: Vec<_> = reasons.collect();
        let to_move = [format!("{side} is to move."), rule];
        lines([
            self.state.clone(),
            paragraph(&lead(self.ply), to_move.into_iter().chain(reasons)),
            ordered(&self.moves),
        ])
    }

    fn line(&self) -> String {
        nth_line(&self.text(), EXPLANATION)
    }
}

/// Why a group of equally ranked moves is searched before the next group, as a sentence; `None` for the last group.
fn order_reason_text(group: &[OrderedMove], place: &str) -> Option<String> {
    let last = group.last()?;
    let (verb, subject, object) =
        if group.len() == 1 { ("comes", "it", "it") } else { ("come", "they", "them") };
    let is_last = last.hints.of(Heuristic::Killers) == Some(Evidence::Rank(1));
    let but_one = if is_last { "" } else { " but one" };
    let why = match (last.by?, &last.does) {
        ("memo", _) => match last.hints.value(Heuristic::Memo) {
            Some(value) => format!(
                "the iteration before left {} for {object} in the cache (memo)",
                score(value)
            ),
            None => {
                format!("the cache has no value for {object}, and a bad one for the next (memo)")
            }
        },
        ("etc", _) => "the cache has a value after it that causes a cutoff (etc)".to_owned(),
        ("best", _) => format!("the entry of the node has {object} as hash move (best)"),
        ("captures", Some(does)) if group.len() == 1 => format!("it {does} (captures)"),
        ("captures", _) => format!("{subject} capture (captures)"),
        ("killers", _) => {
            format!("it was the last move{but_one} to cut off a node at this ply (killers)")
        }
        ("history", _) => format!("moves like {object} have cut off more nodes (history)"),
        ("static", _) => {
            let value = or_dash(last.hints.value(Heuristic::StaticEval).map(score));
            format!("the static value is {value} (static)")
        }
        ("pass", _) => "it is a null move, which is tried before all others".to_owned(),
        _ => "the evidence for the moves has changed since".to_owned(),
    };
    let names: Vec<_> = group.iter().map(|mv| mv.mv.clone()).collect();
    Some(format!("{} {verb} {place}: {why}.", some(&names, EXAMPLES)))
}

/// A table of the first moves, with a column for the evidence of each ordering heuristic, unless that column is empty.
fn ordered(moves: &[OrderedMove]) -> String {
    const SHOWN: usize = 12;
    let silent = |mv: &OrderedMove| mv.hints == MoveEvidence::default();
    if moves.iter().all(silent) {
        let names: Vec<_> = moves.iter().map(|mv| &mv.mv).collect();
        return layout::wrap("moves ", &words(&names));
    }
    let shown = layout::shown(moves.len(), SHOWN);
    let table = TextTable::of(&moves[..shown]).right("", |mv| mv.place).left("move", |mv| &mv.mv);
    let table = HEURISTICS.iter().fold(table, |table, info| {
        let cell = |mv: &&OrderedMove| match (mv.hints.of(info.heuristic), info.shows) {
            (None, _) => String::new(),
            (Some(_), Shows::Word(word)) => word.to_owned(),
            (Some(_), Shows::Capture) => or_empty(mv.does.clone()),
            (Some(Evidence::Value(value)), _) => number::score(value),
            (Some(Evidence::Count(number)), _) => count(number.into()),
            (Some(Evidence::Rank(rank)), _) => rank.to_string(),
            (Some(Evidence::Yes), _) => "yes".to_owned(),
        };
        match info.shows {
            Shows::Word(_) | Shows::Capture => table.left(info.column, cell),
            Shows::Count => table.right(info.column, cell),
            Shows::Value => table.point(info.column, cell),
        }
    });
    let more = moves.len() - shown;
    lines([table.render(), layout::and_more(more)])
}

/// The reply of `explain entry`: a cache entry, whether the plain search confirms it, and its effect on a probe.
#[derive(Clone, Debug, Serialize)]
pub struct EntryExplained {
    pub(crate) key: String,
    /// The entry with its value as stored.
    pub entry: EntryReport,
    /// Whether the plain search confirms the entry.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The event that wrote the entry; `None` if the recorded search did not write it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) writer: Option<Provenance>,
    /// What the entry can replace: searches to an `equal` depth, to its own or a smaller depth (`deeper`), the evaluation at a
    /// `leaf`, or nothing, because leaves are not probed (`none`); `unknown` in a trace.
    pub serves: &'static str,
    /// What a probe from the selected frame returns; `None` if that cannot be determined.
    pub probe: Option<ProbeExplained>,
    /// Nodes visited by the plain search.
    pub(crate) nodes: u64,
}

impl Reply for EntryExplained {
    fn text(&self) -> String {
        let state = self.entry.state.clone().unwrap_or_default();
        lines([
            format!("{}  {state}", self.key),
            paragraph("", [claim(self), replaceable_searches_text(self)]),
            paragraph("", [verdict_text(self.verdict)]),
            or_empty(self.writer.as_ref().map(timelines::writer)),
            or_empty(self.probe.as_ref().map(|found| paragraph("", [probe(found, self)]))),
        ])
    }

    fn position(&self) -> Option<&str> {
        self.entry.state.as_deref()
    }

    fn line(&self) -> String {
        nth_line(&self.text(), EXPLANATION)
    }
}

/// What a probe from a frame of the stack does with a cache entry.
#[derive(Clone, Debug, Serialize)]
pub struct ProbeExplained {
    /// The ply of the frame; `None`: there is no search, and the probe has the full window.
    pub(crate) ply: Option<u32>,
    /// Whether the entry's key is that of the frame's position.
    pub(crate) same_key: bool,
    pub(crate) depth: u8,
    #[serde(flatten)]
    pub(crate) window: Window,
    /// `answer` (replaces the search), `search` (depth or bound does not suffice), `miss`, or `unasked` (no probe here).
    pub outcome: &'static str,
    /// The value that the probe returns for the side to move; `None` unless it replaces the search.
    pub value: Option<Score>,
    /// The window with which the node is searched after the probe; `None` unless the node is searched with the entry found.
    #[serde(rename = "window")]
    pub(crate) changed: Option<[Score; 2]>,
}

/// For [`nth_line`]: the index of the explanation, which follows the position.
const EXPLANATION: usize = 1;

/// The most moves that a sentence names as examples.
const EXAMPLES: usize = 3;

/// The most moves that a sentence lists in full.
const LISTED: usize = 8;

/// The sentences that are not empty, wrapped as one paragraph.
fn paragraph(lead: &str, sentences: impl IntoIterator<Item = String>) -> String {
    let text: Vec<_> = sentences.into_iter().filter(|text| !text.is_empty()).collect();
    layout::wrap(lead, &text.join(" "))
}

/// Names as an enumeration: `a`, `a and b`, `a, b and c`.
fn listed(names: &[impl Display]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} and {last}", enumerated(first)),
    }
}

fn enumerated(names: &[impl Display]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The first names of a list, followed by the number of the others: `a, b and 3 others`.
fn some(names: &[impl Display], most: usize) -> String {
    let shown = layout::shown(names.len(), most);
    if shown == names.len() {
        return listed(names);
    }
    let rest = counted((names.len() - shown) as u64, "other", "others");
    format!("{} and {rest}", enumerated(&names[..shown]))
}

/// The values of the moves that were not chosen, as sentences.
fn next_best(rest: &[&RootMoveReport], best: Score) -> String {
    let Some((first, value)) = rest.first().and_then(|first| Some((first, first.value?))) else {
        return String::new();
    };
    let equal = rest.iter().filter(|mv| mv.value == first.value && mv.bound == first.bound);
    let names: Vec<_> = equal.map(|mv| mv.mv.clone()).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    let moves = some(&names, EXAMPLES);
    if first.bound.is_some() {
        let others = if names.len() == rest.len() { "" } else { ", the others at most less" };
        return format!("{moves} {verb} worth at most {}{others}.", score(value));
    }
    if value == best {
        return format!("{moves} {verb} worth as much, but not as soon or as late.");
    }
    let least = rest.last().and_then(|mv| mv.value).filter(|least| *least < value);
    let down = or_empty(least.map(|least| format!(" The least is worth {}.", score(least))));
    format!("Next best {verb} {moves}, worth {}.{down}", score(value))
}

/// The position, sentences about the root, and the reasons ply by ply.
fn reasons(root: impl IntoIterator<Item = String>, report: &Reasons) -> String {
    let plies = report.plies.iter().map(ply);
    let end = report.end.as_ref().map(|end| self::end(end, report.side));
    let line = (!report.line.is_empty()).then(|| layout::wrap("line ", &words(&report.line)));
    let effort = format!("by a plain search of {} nodes", count(report.nodes));
    let notes = layout::notes(&report.notes);
    let root = paragraph("", root.into_iter().chain(report.contradiction.clone()));
    let head = [report.state.clone(), root, or_empty(line)].into_iter();
    lines(head.chain(plies).chain(end).chain([notes, effort]))
}

fn lead(ply: u32) -> String {
    format!("ply {ply}{}", blank(2))
}

fn ply(report: &PlyExplained) -> String {
    let PlyExplained { side, after, .. } = report;
    let remaining = match report.stand_pat.map(score) {
        Some(value) => format!("Beyond the horizon {side} may stand pat at {value}"),
        None => format!("{} to go", counted(u64::from(report.depth), "ply", "plies")),
    };
    let value = score(report.claim.value);
    let verdict = match (&report.best, report.claim.bound) {
        (Some(best), Bound::Exact) => format!("{side} plays {best}: worth {value} to {side}."),
        (Some(best), _) => format!(
            "{side} has {best}: worth at least {value} to {side}, more than the side before would allow."
        ),
        (None, _) => {
            let alpha = number::alpha_words(report.window);
            let than = report.stand_pat.map_or(&*alpha, |_| "to stand pat");
            format!("{side} has nothing that is worth more than {than}.")
        }
    };
    let lead = lead(report.ply);
    let first = layout::wrap(&lead, &format!("After {after} {verdict}"));
    // In a search with a full window, most plies have a window without bounds, so the text leaves that out.
    let room = match sought(report.window).as_str() {
        EVERY_VALUE => format!("{remaining}."),
        sought => format!("{remaining}; {sought}"),
    };
    let more = [raising(report), refuted(report), spared(report), room];
    let more = more.map(|text| layout::flow(&blank(lead.len()), [text]));
    lines([first].into_iter().chain(more))
}

/// The moves that raised α before the best one did, as a sentence.
fn raising(report: &PlyExplained) -> String {
    let passed = report.moves.iter().filter(|mv| mv.raised && Some(&mv.mv) != report.best.as_ref());
    let passed: Vec<_> =
        passed.map(|mv| format!("{} ({})", mv.mv, score(mv.claim.value))).collect();
    or_empty(
        (!passed.is_empty())
            .then(|| format!("Searched before, with less: {}.", some(&passed, LISTED))),
    )
}

/// The moves that did not raise α, with their refutations, as a sentence.
fn refuted(report: &PlyExplained) -> String {
    let other = report.side.other();
    let worse: Vec<_> = report.moves.iter().filter(|mv| !mv.raised).collect();
    let Some(most) = worse.iter().map(|mv| mv.claim.value).reduce(Score::max) else {
        return String::new();
    };
    let one = |mv: &&MoveExplained| {
        let value = number::bounded(mv.claim.bound.name(), &score(mv.claim.value));
        let why = or_empty(mv.reply.as_ref().map(|reply| format!(", because of {reply}")));
        format!("{} ({value}{why})", mv.mv)
    };
    if let [only] = worse.as_slice() {
        return format!("The only other move is no better: {}.", one(only));
    }
    let (shown, most) = (layout::shown(worse.len(), EXAMPLES), score(most));
    let examples: Vec<_> = worse[..shown].iter().map(one).collect();
    let such = if shown == worse.len() { "" } else { "such as " };
    let is_answered = worse.iter().any(|mv| mv.reply.is_some());
    let answered = or_empty(is_answered.then(|| format!(", for {other} has an answer")));
    let (others, examples) = (worse.len(), listed(&examples));
    format!("{others} other moves are worth {most} at most{answered}: {such}{examples}.")
}

fn spared(report: &PlyExplained) -> String {
    match report.spared.len() {
        0 => String::new(),
        1 => format!("{} was cut off, so it was not searched.", report.spared[0]),
        more => format!("{more} moves were cut off, so they were not searched."),
    }
}

fn end(report: &EndExplained, root: Side) -> String {
    let value = quotient(&report.terms, report.divisor, report.root_value);
    let worth = format!("{value} to {root}");
    let words = report.words.trim_end_matches('.');
    let text = match report.by {
        "over" => format!("{words}. That is worth {worth}."),
        "tables" => format!("The endgame tables have the true value. That is worth {worth}."),
        "learned" => format!("The search ends here; the learned value is worth {worth}."),
        "stand-pat" => format!(
            "Nothing that forces is worth more: {} stands pat ({words}); the evaluation is {worth}.",
            report.side
        ),
        _ => format!("The search ends here ({words}); the evaluation is {worth}."),
    };
    let terms = report.terms.iter().filter_map(|term| {
        let difference = term.weight * (term.white - term.black);
        let [white, black, weight] = [term.white, term.black, term.weight].map(number::digits);
        let (name, worth) = (&term.name, number::difference(difference));
        let counts = format!("{name} {white} against {black} times {weight}: {worth} for White");
        (difference != 0.0).then_some(counts)
    });
    lines([paragraph(&lead(report.ply), [text]), layout::flow("       ", terms)])
}

fn claim(report: &EntryExplained) -> String {
    let entry = &report.entry;
    let value = score(entry.value);
    let plies = entry.depth.map(|depth| counted(u64::from(depth), "ply", "plies"));
    let depth = or_empty(plies.map(|plies| format!(", searched {plies} deep,")));
    let how = match entry.bound {
        Some("lower") => "at least",
        Some("upper") => "at most",
        _ => "exactly",
    };
    let window = entry.window.map(number::window_words);
    let window = or_empty(window.map(|it| format!(" It was found with the {it}.")));
    format!(
        "The entry says: this position{depth} is worth {how} {value} to the side to move.{window}"
    )
}

/// The searches that the entry can replace, as a sentence.
fn replaceable_searches_text(report: &EntryExplained) -> String {
    let entry = &report.entry;
    let depth = or_empty(entry.depth);
    let what = match report.serves {
        "unknown" => return String::new(),
        "leaf" if report.verdict == Verdict::Ignored => return String::new(),
        "leaf" => "the heuristic at a leaf".to_owned(),
        "none" => return "It replaces nothing: leaves are not probed (`leaves=off`).".to_owned(),
        "deeper" => format!("a search to depth {depth} or less (`reuse=deeper`)"),
        _ => format!("a search to exactly depth {depth}"),
    };
    let value = score(entry.value);
    let window = match (entry.window, entry.bound) {
        (Some(_), _) => "with a window within that one".to_owned(),
        (_, Some("lower")) => format!("with a window whose β is {value} or less"),
        (_, Some("upper")) => format!("with a window whose α is {value} or more"),
        _ => "whatever the window".to_owned(),
    };
    format!("It replaces {what}, {window}.")
}

fn verdict_text(verdict: Verdict) -> String {
    match verdict {
        Verdict::Right => "That is true: the plain search agrees.".to_owned(),
        Verdict::Ignored => "No search uses it: a learned 0 counts as unknown (defect D3).".into(),
        Verdict::Wrong(Flaw { read_by, claim, true_value, cause }) => {
            let values = number::distinct([claim.value, true_value]);
            let [read, truth] = values.map(number::with_mate);
            let cause = match cause {
                Some("negated") => " The sign is turned (defect D2).",
                Some("over") => " The game is over there (defect D5).",
                _ => "",
            };
            format!(
                "That is wrong: {read_by} reads {read}, and the plain search finds {truth}.{cause}"
            )
        }
        Verdict::Unchecked { reason } => format!("It was not checked: {reason}."),
    }
}

fn probe(probe: &ProbeExplained, report: &EntryExplained) -> String {
    let window = number::window_words(probe.window);
    let how = format!("depth {} and the {window}", probe.depth);
    let who = match (probe.ply, probe.same_key) {
        (None, _) => format!("With {how}, a probe"),
        (Some(ply), true) => format!("Frame {ply} probes this very entry. With {how}, the probe"),
        (Some(ply), false) => {
            format!(
                "Frame {ply} is at another position. With the {how} of its own first probe, a probe of this entry"
            )
        }
    };
    let does = match probe.outcome {
        "answer" => format!("returns {}", or_dash(probe.value.map(score))),
        "search" => {
            let changed = probe.changed.map(number::window_words).filter(|new| *new != window);
            let changed = changed.map(|new| format!(" with the changed {new}"));
            format!("cannot use the value, so a search follows{}", or_empty(changed))
        }
        "miss" => "does not find it, because it is stored under another depth".to_owned(),
        _ if report.serves == "leaf" => {
            "is not made: this policy is probed at leaves only".to_owned()
        }
        _ => "is not made: such a node is not probed".to_owned(),
    };
    format!("{who} {does}.")
}
