//! Checks of a search by its trace, with or without the rules of its game.

use std::{collections::BTreeMap, fmt::Display, mem};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Serialize, Serializer};

use super::{
    FindingGroup, Rulebook, TraceEvent, TraceHeader, TraceKind, TraceLegality, TraceMates,
    TraceTable, TraceView,
    group::{Fact, FindingTally, NEGATED, diagnosis},
    node::{
        Above, MARK, Node, NodeKind, NodeResult, Relation, Returned, Span, StoredEntry, is_zero,
        marked, marked_window, names_a_move, position_part, score,
    },
    race::Races,
    rulebook::{Entered, hash},
};
use crate::{
    engine::table::Bound,
    text::{number, style::Scale},
};

/// The names of the checks, each with what it reports, and with the usual cause of its findings and what to look at.
#[rustfmt::skip] // one check a line: it is read as a table
pub const CHECKS: [(&str, &str, &str); 16] = [
    ("nesting", "nodes left but not entered, or entered but not left", "a node is left without `out`: look for an early `return`, or `longjmp` without `stop`"),
    ("hit-differs", "an entry differs from what was stored", "an entry comes back changed: look at its packing (16 bits?), and at sign and ply of values"),
    ("key-clash", "one key for two positions", "the key leaves a part of the position out: look at castling, en passant and the side to move"),
    ("key-split", "one position with two keys", "the key has more than the position: look for a stale en-passant square; `--history` if keys include the past"),
    ("value-parent", "a value that is not the best of the moves' values", "a node returns a value that no move has: look where values are negated and the best is kept; pruned moves need `skip`"),
    ("window-child", "a window that is not inside the parent's, negated", "a child's window is not its parent's, negated: look at the recursive call (-β, -α) and at mate-distance pruning"),
    ("bound-side", "a stored bound that contradicts value and window", "lower and upper bounds are exchanged: look where the bound is chosen, and at the sign for Black"),
    ("depth-short", "an entry used for, or stored with, a greater depth than searched", "an entry is stored with more depth than was searched: look at reductions of the node itself"),
    ("hit-window", "an entry used that leaves the window open", "a bound inside the window replaces a search: look at the probe: `lower` needs value ≥ β, `upper` value ≤ α"),
    ("cut-wrong", "a cutoff inside the window, or none where one was due", "the search cuts off below β: look whether α stands in the place of β"),
    ("mate-shift", "a mate whose distance does not fit its ply", "a mate does not count its ply: look at the value of the mated side"),
    ("eval-differs", "one position with two static values", "the static value has more than the position: look at what make and unmake update; a learned correction is a second `eval`"),
    ("pv-wrong", "a reported line that is illegal or was not searched", "a line has moves of another iteration or of a stopped search: look where the line is put together"),
    ("put-after-stop", "an entry stored after the search was stopped", "values of an aborted search are stored: look for the test of the stop before the store"),
    ("move-illegal", "a move that is illegal by the rules", "an illegal move is searched: look at the generator, at hash moves of other positions, and at the null move"),
    ("landmark", "a landmark of a packed trace that its events contradict", "the file was changed after it was packed: pack it again"),
];

/// An error in the search, found by a check.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Finding {
    /// The name of the check, such as `hit-differs`.
    pub check: &'static str,
    /// The number of the event, from 0 after the header.
    pub event: u64,
    /// The event that the finding contradicts, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<u64>,
    /// The thread, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<u64>,
    /// The distance of the node from the root, in plies.
    pub ply: u64,
    /// The key of the node, if the trace has it.
    pub key: Option<String>,
    /// The error as a sentence. JSON has the numbers of the trace; [`Finding::words`] writes them for people.
    #[serde(serialize_with = "without_marks")]
    pub text: String,
    /// What the trace has, and what it should agree with, if the error is a difference.
    #[serde(skip)]
    pub sides: Option<[String; 2]>,
    /// Properties that other findings may share.
    #[serde(skip)]
    pub(super) facts: Vec<Fact>,
}

impl Finding {
    /// The error as a sentence, with exact values as the session writes them: `#3`, `+0.35`.
    pub fn words(&self) -> String {
        number::with_mate(written(&self.text, number::exact))
    }

    /// Text and sides with rounded numbers on the scale of the session, unless that hides the difference.
    pub fn brief(&self) -> (String, Option<[String; 2]>) {
        let both = |write: fn(&str) -> String| {
            self.sides.as_ref().map(|it| it.each_ref().map(|side| write(side)))
        };
        let rounded = |text: &str| number::round_decimals(&written(text, number::score));
        match both(rounded) {
            Some([has, due]) if has == due => {
                (self.words(), both(|side| written(side, number::exact)))
            }
            brief => (number::with_mate(rounded(&self.text)), brief),
        }
    }
}

fn without_marks<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text.replace(MARK, ""))
}

/// The text of a finding with its values written by `write`, and its windows in words.
fn written(text: &str, write: fn(f64) -> String) -> String {
    let pieces = text.split(MARK).enumerate().map(|(at, piece)| {
        let ends = piece.trim_matches(['[', ']']).split(", ").filter(|_| at % 2 == 1);
        let values: Vec<_> =
            ends.filter_map(|end| end.parse().ok()).map(|it| score(it).get() + 0.0).collect();
        match *values {
            [value] => write(value),
            [alpha, beta] => number::window_text(number::window([alpha, beta], write)),
            _ => piece.to_owned(),
        }
    });
    pieces.collect()
}

/// The result of checking a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TraceFindings {
    /// The number of events checked.
    pub events: u64,
    /// The number of nodes entered.
    pub nodes: u64,
    /// The findings in the order of the events, a limited number of each check.
    pub findings: Vec<Finding>,
    /// The number of findings of each check, including those not listed.
    pub counts: BTreeMap<&'static str, u64>,
    /// The properties that all findings of a check share.
    pub groups: Vec<FindingGroup>,
    /// The usual cause of most findings, with their number and what to look at; `None` if no cause has more than half of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<String>,
    /// Whether mates count from the root or from the node. `None`: no mate, or neither header nor values decide it.
    pub mates: Option<TraceMates>,
    /// The header's mate threshold and the greatest value of the trace, if the latter is lower by one percent at most: the
    /// header probably states the greatest value of a mate instead of the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near_mate: Option<[f64; 2]>,
    /// The scale of the values, once the whole trace is checked.
    #[serde(skip)]
    pub scale: Scale,
    #[serde(skip)]
    tallies: BTreeMap<&'static str, FindingTally>,
}

impl TraceFindings {
    fn add(&mut self, finding: Finding, limit: u64) {
        let count = self.counts.entry(finding.check).or_default();
        *count += 1;
        self.tallies.entry(finding.check).or_default().add(&finding);
        if *count <= limit {
            self.findings.push(finding);
        }
    }

    /// Adds the properties that the findings of each check share.
    pub(super) fn grouped(self) -> Self {
        let groups = self.tallies.iter().filter_map(|(check, tally)| tally.group(check));
        Self { groups: groups.collect(), diagnosis: diagnosis(&self.tallies), ..self }
    }

    /// Adds findings that only the whole trace could confirm.
    fn confirm(&mut self, suspected: Self, limit: u64) {
        for (check, more) in suspected.counts {
            let count = self.counts.entry(check).or_default();
            let room = limit.saturating_sub(*count) as usize;
            *count += more;
            let findings = suspected.findings.iter().filter(|finding| finding.check == check);
            self.findings.extend(findings.take(room).cloned());
        }
        for (check, more) in suspected.tallies {
            self.tallies.entry(check).or_default().merge(more);
        }
    }
}

/// A mate: value, ply and event.
type Mate = (f64, usize, u64);

/// The node from which the search counts mate distances, concluded from the values of mates on the board.
#[derive(Debug, Default)]
pub(super) struct MateDistances {
    first: Option<Mate>,
    /// Whether a mate at another ply has the same value: distances count from the node.
    from_node: bool,
    /// Whether a mate one ply farther from the root is worth one less: distances count from the root.
    from_root: bool,
    /// Whether a mate agrees with neither way of counting its distance, from the root or from the node.
    mixed: bool,
}

impl MateDistances {
    /// Adds a mate. Returns the first mate, and whether the new one agrees with distances from the root, and from the node.
    pub(super) fn add(&mut self, value: f64, ply: usize, event: u64) -> (Mate, [bool; 2]) {
        let value = value.abs();
        let known = *self.first.get_or_insert((value, ply, event));
        let (first, first_ply, _) = known;
        let rooted = first + first_ply as f64 == value + ply as f64;
        match (first == value, first_ply == ply) {
            (true, true) => {}
            (true, false) => self.from_node = true,
            (false, false) if rooted => self.from_root = true,
            _ => self.mixed = true,
        }
        (known, [rooted, first == value])
    }

    fn found(&self, stated: Option<TraceMates>) -> Option<TraceMates> {
        stated.or(match (self.from_root, self.from_node, self.mixed) {
            (true, false, false) => Some(TraceMates::Root),
            (false, true, false) => Some(TraceMates::Node),
            _ => None,
        })
    }

    /// The value of a mate on the board, and from where mates count.
    pub(super) fn value(&self, stated: Option<TraceMates>) -> Option<(f64, TraceMates)> {
        let ((value, ply, _), counts) = self.first.zip(self.found(stated))?;
        Some((if counts == TraceMates::Root { value + ply as f64 } else { value }, counts))
    }

    /// The scale of a trace's values, and from where mates count; `first`: the window of the first node.
    pub(super) fn scale(
        &self,
        header: &TraceHeader,
        first: Option<Span>,
    ) -> (Scale, Option<TraceMates>) {
        let full = first.filter(|(alpha, beta)| *alpha == -beta);
        let greatest = full.map_or(f64::INFINITY, |(_, beta)| beta.abs());
        let (mate, counts) = self.value(header.mates).unzip();
        let threshold = header.mate.filter(|_| mate.is_some()).unwrap_or(f64::INFINITY);
        (Scale::Bounded { mate, threshold, greatest }, counts)
    }
}

/// The state of the check for one thread of the search.
#[derive(Debug, Default)]
struct CheckedThread {
    rules: Option<Box<dyn Rulebook>>,
    open: Vec<Node>,
    stopped: bool,
    /// The root moves that returned in the iteration, those that returned after the stop, and the first move reported last.
    root_moves: Vec<Box<str>>,
    aborted_moves: Vec<Box<str>>,
    reported: Option<Box<str>>,
}

/// The most threads that are distinguished; further ones count as the last.
const MAX_THREADS: usize = 1 << 10;

/// Checks a trace event by event. The trace of a correct search has no findings.
#[derive(Debug, Default)]
pub struct Checker {
    header: TraceHeader,
    /// The thread whose event is checked, its number, and the states of the others by their numbers.
    at: CheckedThread,
    thread: usize,
    parked: Vec<CheckedThread>,
    /// Whether keys include the history of the game, so that a position may have several.
    history: bool,
    /// The number of findings of each check to list.
    limit: u64,
    pub(super) found: TraceFindings,
    event: u64,
    /// Whether the trace names moves, so that a node without one is the parent's position again.
    names_moves: bool,
    /// The entries by the hash of their keys, and the hashes of those that were replaced under the same key: a table with
    /// several slots for a key may still hold them.
    table: FxHashMap<u64, StoredEntry>,
    replaced: FxHashSet<u64>,
    /// By the hash of a key, its position and the first event that had the key; `keys_by_position`: the other way round.
    positions_by_key: FxHashMap<u64, (u64, u64)>,
    keys_by_position: FxHashMap<u64, (u64, u64)>,
    /// Static values by the hash of key and side to move, each with its event.
    evals: FxHashMap<u64, (f64, u64)>,
    races: Races,
    mates: MateDistances,
    /// The window of the first node.
    first_window: Option<Span>,
    /// The greatest absolute value of a node.
    greatest: f64,
    /// Mates that a parent returned unchanged, or an entry changed: errors if distances count from the node.
    wrong_from_node: TraceFindings,
    /// Mates from the table that do not fit the ply: errors if distances count from the root.
    wrong_from_root: TraceFindings,
    /// Moves searched although a cutoff was due: errors unless the search never cuts off (minimax).
    overrun: TraceFindings,
    cuts: bool,
}

impl Checker {
    /// A checker for a trace with this header. With `history`, the keys of the program include the history of the game.
    /// At most `limit` findings of each check are listed.
    pub fn new(
        header: &TraceHeader,
        mut rules: Option<Box<dyn Rulebook>>,
        history: bool,
        limit: u64,
    ) -> Self {
        if let Some(rules) = &mut rules {
            rules.begin(header.root.as_deref());
        }
        let at = CheckedThread { rules, ..CheckedThread::default() };
        Self { header: header.clone(), at, history, limit, ..Self::default() }
    }

    /// Checks the next event, and adds what it finds to the findings.
    pub fn check(&mut self, event: &TraceEvent<'_>) {
        self.go_to_thread(event.thread());
        while let Some(finding) = self.races.next_old(self.event) {
            self.found.add(finding, self.limit);
        }
        match event.e {
            TraceKind::Root => self.begin_search(event.p.as_deref()),
            TraceKind::Iter => {
                self.close_all("an iteration begins");
                self.at.stopped = false;
                self.at.root_moves.clear();
            }
            TraceKind::In => self.enter(event),
            TraceKind::Out => self.leave(event.v.unwrap_or_default()),
            TraceKind::Stop => self.at.stopped = true,
            TraceKind::Drop => {
                self.table.remove(&hash(event.k.as_deref().unwrap_or_default()));
            }
            TraceKind::Pv => self.report_line(event),
            TraceKind::Note => {}
            kind if self.at.open.is_empty() => {
                self.report("nesting", format!("`{}` outside any node", kind.name()));
            }
            TraceKind::Hit => self.hit(event),
            TraceKind::Put => self.put(event),
            TraceKind::Cut => self.cut(event),
            TraceKind::Eval => self.evaluate(event),
            TraceKind::Skip => self.change_node(|node| node.skipped = true),
            TraceKind::Reduce => {
                let reduction = event.m.as_deref().map(Box::from).zip(event.n);
                self.change_node(|node| node.reduction = reduction);
            }
            TraceKind::Window => {
                let window = event.a.zip(event.b).unwrap_or_default();
                self.change_node(|node| node.change_window(node.window_here(window)));
            }
            TraceKind::Miss | TraceKind::Extend => {}
        }
        self.event += 1;
    }

    /// Makes `thread` the thread whose events are checked.
    fn go_to_thread(&mut self, thread: usize) {
        let thread = thread.min(MAX_THREADS);
        if thread == self.thread {
            return;
        }
        while self.parked.len() <= thread.max(self.thread) {
            let rules = self.at.rules.as_ref().map(|rules| rules.fresh());
            self.parked.push(CheckedThread { rules, ..CheckedThread::default() });
        }
        mem::swap(&mut self.at, &mut self.parked[self.thread]);
        mem::swap(&mut self.at, &mut self.parked[thread]);
        self.thread = thread;
    }

    /// Calls `each` with every thread as the current one.
    fn for_all_threads(&mut self, mut each: impl FnMut(&mut Self)) {
        let current = self.thread;
        for thread in 0..self.parked.len().max(1) {
            self.go_to_thread(thread);
            each(self);
        }
        self.go_to_thread(current);
    }

    fn begin_search(&mut self, position: Option<&str>) {
        self.for_all_threads(|checker| {
            checker.close_all("a new search begins");
            checker.at.stopped = false;
            if let Some(rules) = &mut checker.at.rules {
                rules.begin(position.or(checker.header.root.as_deref()));
            }
        });
    }

    /// Adds the [wrong landmarks](super::wrong_landmarks) of a packed trace to the findings.
    pub fn add_wrong_landmarks(&mut self, wrong: &[u64]) {
        for events in wrong {
            let text = format!("its state of the search after {events} events is wrong");
            let event = events.saturating_sub(1);
            let finding = Finding { check: "landmark", event, text, ..Finding::default() };
            self.found.add(finding, self.limit);
        }
    }

    /// All findings. `complete`: the trace was read to its end, so that nodes still open are errors.
    pub fn finish(mut self, complete: bool) -> TraceFindings {
        if complete {
            self.for_all_threads(|checker| checker.close_all("the trace ends"));
        }
        while let Some(finding) = self.races.pop() {
            self.found.add(finding, self.limit);
        }
        let mates = self.mates.found(self.header.mates);
        let (scale, _) = self.mates.scale(&self.header, self.first_window);
        match mates {
            Some(TraceMates::Node) => self.found.confirm(self.wrong_from_node, self.limit),
            Some(TraceMates::Root) => self.found.confirm(self.wrong_from_root, self.limit),
            None => {}
        }
        if self.cuts {
            self.found.confirm(self.overrun, self.limit);
        }
        self.found.findings.sort_by_key(|finding| finding.event);
        let mates = if self.mates.first.is_some() { mates } else { None };
        let greatest = self.greatest;
        let is_near = |mate: &f64| (mate * 0.99..*mate).contains(&greatest);
        let near_mate = self.header.mate.filter(is_near).map(|mate| [mate, greatest]);
        TraceFindings { events: self.event, mates, near_mate, scale, ..self.found.grouped() }
    }

    fn change_node(&mut self, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.at.open.last_mut() {
            change(node);
        }
    }

    /// Closes all nodes, and reports those that are open although the search was not stopped.
    fn close_all(&mut self, when: &str) {
        let nodes = self.at.open.iter().filter(|node| !node.partial).count();
        if nodes > 0 && !self.at.stopped {
            self.report("nesting", format!("{when}, and {nodes} open nodes were not left"));
        }
        for _ in self.at.open.drain(..) {
            if let Some(rules) = &mut self.at.rules {
                rules.leave();
            }
        }
    }

    fn enter(&mut self, event: &TraceEvent<'_>) {
        let partial = event.open == Some(true);
        if self.at.open.is_empty() {
            self.at.stopped = false;
            if partial {
                // Entries stored before this part of the search are unknown.
                self.table.clear();
                self.replaced.clear();
            }
        }
        self.found.nodes += u64::from(!partial);
        let key = event.k.as_deref().map(|key| (hash(key), Box::from(key)));
        let relation = self.relation(event);
        let entered = self.follow(event, relation);
        let black_to_move = self.black_to_move(event, relation, entered.black_to_move);
        let minimizes = self.header.view == TraceView::First && black_to_move == Some(true);
        let (alpha, beta) = (event.a.unwrap_or_default(), event.b.unwrap_or_default());
        self.first_window.get_or_insert((alpha, beta));
        let above =
            self.at.open.last().map(|parent| parent.ply + usize::from(relation != Relation::Inner));
        let node = Node {
            relation,
            kind: NodeKind::by_name(event.t.as_deref()),
            event: self.event,
            ply: above.unwrap_or_default(),
            partial,
            mv: event.m.as_deref().map(Box::from),
            key,
            depth: event.d.unwrap_or_default(),
            minimizes,
            black_to_move,
            window: if minimizes { (-beta, -alpha) } else { (alpha, beta) },
            illegal: entered.illegal,
            ..Node::default()
        };
        if !self.at.stopped && !partial {
            self.compare_with_parent(&node);
        }
        let same_side = relation == Relation::Null
            && event.s.is_some()
            && self.at.open.last().is_some_and(|parent| parent.black_to_move == black_to_move);
        self.at.open.push(node);
        let mv = event.m.as_deref().unwrap_or("null move");
        if entered.illegal && self.header.legal == TraceLegality::Strict {
            self.report("move-illegal", format!("the move {mv} is illegal"));
        }
        let by_rules = entered.black_to_move.filter(|_| event.p.is_none());
        if same_side
            || by_rules.is_some_and(|black| event.black_to_move().is_some_and(|s| s != black))
        {
            let side = if black_to_move == Some(true) { "Black" } else { "White" };
            self.report("move-illegal", format!("after the {mv} {side} is not to move"));
        }
        if relation != Relation::Inner || event.p.is_some() {
            self.compare_keys(event, entered);
        }
    }

    fn relation(&mut self, event: &TraceEvent<'_>) -> Relation {
        let above = self.at.open.last().map(|parent| {
            let keys = event.k.as_deref().zip(parent.key.as_ref());
            let same_key = keys.map(|(key, (_, own))| position_part(key) == position_part(own));
            Above { kind: parent.kind, same_key, names_moves: self.names_moves }
        });
        let relation = Relation::of(event, above);
        self.names_moves |= names_a_move(self.event, event);
        relation
    }

    fn follow(&mut self, event: &TraceEvent<'_>, relation: Relation) -> Entered {
        let position = event.p.as_deref();
        let by_text = position.map(hash);
        match &mut self.at.rules {
            Some(rules) => relation.follow(rules.as_mut(), event.m.as_deref(), position),
            None => Entered { exact: by_text, class: by_text, ..Entered::default() },
        }
    }

    /// Whether Black is to move, according to the event, the rules, or the parent. At a root, White is to move if values are
    /// from White's point of view.
    fn black_to_move(
        &self,
        event: &TraceEvent<'_>,
        relation: Relation,
        by_rules: Option<bool>,
    ) -> Option<bool> {
        let by_parent = || match self.at.open.last() {
            Some(parent) => {
                parent.black_to_move.map(|black| black == (relation == Relation::Inner))
            }
            None => (self.header.view == TraceView::First).then_some(false),
        };
        event.black_to_move().or(by_rules).or_else(by_parent)
    }

    fn compare_with_parent(&mut self, node: &Node) {
        self.cuts |= self.narrows(node);
        let Some(parent) = self.at.open.last().filter(|_| node.relation != Relation::Inner) else {
            return;
        };
        let research = node.kind == NodeKind::Research
            || parent.returned.last().is_some_and(|last| last.mv.is_some() && last.mv == node.mv);
        let (_, beta) = parent.widest();
        let reaches_beta = |best: &&Returned| best.value - self.slack(best.value) >= beta;
        let best = parent.best_returned().filter(reaches_beta);
        let (outside, other) = (self.outside(parent, node, research), Some(parent.event));
        let is_next = node.relation == Relation::Move && !research;
        if let Some(best) = best.filter(|_| is_next && !parent.overrun && !parent.partial) {
            let value = format!("a move is searched after {}", marked(best.value));
            let beta = format!("β {}", marked(beta));
            let text = differing(value, ", which is at or above ", beta);
            let finding = Finding { other: Some(best.event), ..self.finding("cut-wrong", text) };
            self.overrun.add(finding, self.limit);
            self.change_node(|parent| parent.overrun = true);
        }
        if let Some(text) = outside {
            self.report_with("window-child", text, other);
        }
    }

    /// The error text for a window that is not inside the parent's.
    fn outside(&self, parent: &Node, node: &Node, research: bool) -> Option<ErrorText> {
        let (low, high) = parent.child_values(node, node.window);
        let (alpha, beta) = parent.widest();
        let is_wrong = if node.relation == Relation::Null {
            // A null move is searched with any zero window that touches the parent's.
            low > beta + self.slack(beta) || high < alpha - self.slack(alpha)
        } else {
            let below = low < alpha - self.slack(alpha);
            // PVS in whole numbers searches [α, α + 1] also where the parent's window is narrower than 1.
            let is_zero_window = high - low <= 1.0 && low < beta;
            below || high > beta + self.slack(beta) && !is_zero_window
        };
        let is_free = matches!(node.kind, NodeKind::Other | NodeKind::Trial);
        let cause = match node.window == parent.window && node.window != (low, high) {
            true => ": passed on without turning α and β",
            false if research => ": a re-search",
            false => "",
        };
        (is_wrong && !is_free).then(|| {
            let words = ", from the parent's side, is not inside the parent's ";
            differing(marked_window((low, high)), words, marked_window((alpha, beta)) + cause)
        })
    }

    /// Whether a node has a narrower window than its parent, as only a search with cutoffs has.
    fn narrows(&self, node: &Node) -> bool {
        self.at.open.last().is_some_and(|parent| {
            let (low, high) = parent.child_values(node, node.window);
            let (alpha, beta) = parent.window;
            low > alpha + self.slack(alpha) || high < beta - self.slack(beta)
        })
    }

    /// How much a value may change from child to parent: by one for a mate, else not at all.
    fn slack(&self, value: f64) -> f64 {
        if self.is_mate(value) { 1.0 } else { 0.0 }
    }

    /// Whether a value is a mate, or one below the smallest mate value (the value of a mate one ply farther).
    fn is_mate(&self, value: f64) -> bool {
        self.header.mate.is_some_and(|mate| value.abs() >= mate - 1.0)
    }

    fn leave(&mut self, value: f64) {
        let Some(value) = self.at.open.last().map(|node| node.value_here(value)) else {
            return self.report("nesting", "a node is left that was not entered".to_owned());
        };
        if !self.at.stopped {
            self.check_value(value);
        }
        let Some(node) = self.at.open.pop() else {
            return;
        };
        if let Some(rules) = &mut self.at.rules {
            rules.leave();
        }
        for (key, event) in &node.puts {
            // Another thread may have stored another entry.
            if let Some(stored) = self.table.get_mut(key).filter(|stored| stored.event == *event) {
                let result = NodeResult { value, ply: node.ply, event: stored.event };
                // The entry holds the value that the node returned, or the same mate counted from the node.
                let rooted = value + node.ply as f64 * value.signum();
                let same = stored.value == value || stored.value == rooted;
                stored.stored_by = (same && !node.is_window_end(value)).then_some(result);
            }
        }
        let (event, stopped) = (self.event, self.at.stopped);
        let is_root_move = self.at.open.len() == 1;
        if let Some(mv) = node.mv.clone().filter(|_| is_root_move) {
            let moves = if stopped { &mut self.at.aborted_moves } else { &mut self.at.root_moves };
            moves.push(mv);
        }
        if let Some(parent) = self.at.open.last_mut().filter(|_| !stopped) {
            let (value, _) = parent.child_values(&node, (value, value));
            // With a window that an entry has widened, the value of a zero window is exact.
            let window = parent.child_values(&node, node.widest());
            if node.relation == Relation::Null {
                parent.null_value = Some(value);
            }
            if node.relation == Relation::Move && node.kind != NodeKind::Trial && !node.illegal {
                let Node { mv, key, kind, depth, .. } = node;
                let reduction = parent.reduction.take();
                let reduced = reduction.filter(|(reduced, _)| mv.as_ref() == Some(reduced));
                parent.add_returned(Returned {
                    mv,
                    key: key.map(|(hash, _)| hash),
                    kind,
                    value,
                    window,
                    depth,
                    reduced: reduced.map_or(0.0, |(_, plies)| plies),
                    event,
                    perhaps_replaced: false,
                });
            } else {
                parent.others.push(value);
            }
        }
    }

    /// Compares the value of the current node with those of its moves.
    fn check_value(&mut self, value: f64) {
        let Some(node) = self.at.open.last().filter(|node| !node.partial) else {
            return;
        };
        if !node.is_window_end(value) {
            self.greatest = self.greatest.max(value.abs());
            if self.header.mate.is_some_and(|mate| value.abs() >= mate) {
                self.check_mate(value);
            }
        }
        let last = self.at.open.last();
        let Some((node, best)) = last.and_then(|node| Some((node, node.best_returned()?))) else {
            return;
        };
        let exact = self.header.mates == Some(TraceMates::Root);
        let is_close = |possible: f64| {
            let slack = self.slack(possible.abs().max(value.abs()));
            possible == value || !exact && (possible - value).abs() <= slack
        };
        let bests = node.possible_bests().into_iter().flatten();
        let is_possible = bests.flat_map(|best| node.possible_values(best)).any(is_close)
            || node.is_sound_bound(value, best.value)
            || node.skipped && value >= best.value
            || node.hit.is_some();
        let other = Some(best.event);
        if !is_possible {
            let values = [value, best.value];
            let text = differing_values(values, " was returned, the best of its moves is ");
            let finding = self.finding_of("value-parent", text, values);
            self.found.add(Finding { other, ..finding }, self.limit);
        } else if best.value == value
            && let Some(text) = missing_research(node, best)
        {
            self.report_with("value-parent", text, other);
        }
    }

    /// Records whether the mate that the current node returns fits distances counted from the root, from the node, or both.
    fn check_mate(&mut self, value: f64) {
        let Some(node) = self.at.open.last() else {
            return;
        };
        let stored = node.hit.and_then(|(_, stored)| stored);
        let stored = stored.filter(|at| self.is_mate(at.value) && at.value * value > 0.0);
        if let Some(stored) = stored {
            self.check_stored_mate(value, node.ply, stored);
        } else if node.returned.is_empty() {
            self.check_mated(value);
        } else {
            self.check_mate_of_move(value);
        }
    }

    /// Checks the mate value of an entry, returned at a ply.
    fn check_stored_mate(&mut self, value: f64, ply: usize, stored: NodeResult) {
        let NodeResult { value: known, ply: stored_ply, event: other } = stored;
        let moved = known - value.signum() * (ply as f64 - stored_ply as f64);
        let finding = |expected: f64| {
            let stored = marked(known);
            let words = format!(
                " is the mate from the cache; stored as {stored} at ply {stored_ply}, it is "
            );
            let text =
                differing(format!("{} at ply {ply}", marked(value)), &words, marked(expected));
            Finding { other: Some(other), ..self.finding("mate-shift", text) }
        };
        let (rooted, same) = (finding(moved), finding(known));
        if value != moved {
            self.wrong_from_root.add(rooted, self.limit);
        }
        if value != known {
            self.wrong_from_node.add(same, self.limit);
        }
    }

    /// Checks the value of a node without moves: every mated node must have the same distance.
    fn check_mated(&mut self, value: f64) {
        let Some(node) = self.at.open.last() else {
            return;
        };
        let inner = node.relation == Relation::Inner && node.kind != NodeKind::Quiescence;
        let is_own = node.hit.is_none()
            && node.others.is_empty()
            && !node.skipped
            && !inner
            && node.eval != Some(value);
        if !is_own || value >= 0.0 {
            return;
        }
        let ply = node.ply;
        let ((first, first_ply, other), [rooted, same]) = self.mates.add(value, ply, self.event);
        let [here, there] = [(value, ply), (-first, first_ply)]
            .map(|(value, ply)| format!("{} at ply {ply}", marked(value)));
        let text = differing(here, " is the value of the mated side, and it was ", there);
        let finding = Finding { other: Some(other), ..self.finding("mate-shift", text) };
        if !rooted && self.header.mates == Some(TraceMates::Root) {
            self.wrong_from_root.add(finding, self.limit);
        } else if !same && self.header.mates == Some(TraceMates::Node) {
            self.wrong_from_node.add(finding, self.limit);
        }
    }

    /// Checks a mate value that a move returned.
    fn check_mate_of_move(&mut self, value: f64) {
        let Some(node) = self.at.open.last() else {
            return;
        };
        let same = node.returned.iter().find(|returned| returned.value == value);
        let shifted = node.returned.iter().any(|returned| {
            returned.value != value
                && (returned.value - value).abs() <= 1.0
                && self.is_mate(returned.value)
        });
        let is_own = !shifted && node.hit.is_none() && !node.others.contains(&value);
        if let Some(same) = same.filter(|_| is_own) {
            let text = format!("the mate {} is as far away as after the move", marked(value));
            let finding = Finding { other: Some(same.event), ..self.finding("mate-shift", text) };
            self.wrong_from_node.add(finding, self.limit);
        }
    }

    /// Compares a static value with earlier ones of the position.
    fn evaluate(&mut self, event: &TraceEvent<'_>) {
        let Some((node, value)) = self.at.open.last().zip(event.v) else {
            return;
        };
        let value = node.value_here(value);
        let key = node.key.as_ref().map(|(_, key)| hash((position_part(key), node.black_to_move)));
        // A fail-hard search may have clamped the value.
        let is_clamped = !self.header.soft && node.is_window_end(value);
        let first = node.eval.is_none();
        self.change_node(|node| node.others.extend(node.eval.replace(value)));
        // A program may add a learned correction to the static value: then the second value is the corrected one.
        if let Some(key) = key.filter(|_| first && !self.history && !is_clamped) {
            let (known, other) = *self.evals.entry(key).or_insert((value, self.event));
            if known != value {
                let values = [value, known];
                let text = differing_values(values, " is the static value, and before it was ");
                let finding = self.finding_of("eval-differs", text, values);
                self.found.add(Finding { other: Some(other), ..finding }, self.limit);
            }
        }
    }

    /// Checks a line of moves that the program reports.
    fn report_line(&mut self, event: &TraceEvent<'_>) {
        let line = event.m.as_deref().unwrap_or_default();
        let mut moves = line.split_whitespace();
        let rules = self.at.rules.as_ref().filter(|_| self.header.legal == TraceLegality::Strict);
        let illegal = rules.and_then(|rules| rules.first_illegal(&mut moves.clone()));
        let mut keys = event.k.as_deref().unwrap_or_default().split_whitespace();
        let is_known = |key: &str| self.positions_by_key.contains_key(&hash(position_part(key)));
        let unknown = keys.find(|key| !is_known(key)).map(str::to_owned);
        let first = moves.next();
        let has = |list: &[Box<str>], mv: &str| list.iter().any(|known| **known == *mv);
        let was_aborted = first.is_some_and(|mv| {
            has(&self.at.aborted_moves, mv)
                && !has(&self.at.root_moves, mv)
                && self.at.reported.as_deref().is_some_and(|reported| reported != mv)
        });
        let text = match (illegal, unknown) {
            (Some(place), _) => {
                let mv = line.split_whitespace().nth(place).unwrap_or_default();
                Some(format!("move {} of the line {line} is illegal: {mv}", place + 1))
            }
            (None, Some(key)) => Some(format!("key {key} of the line {line} was not searched")),
            (None, None) => {
                was_aborted.then(|| format!("the search of the first move of {line} was stopped"))
            }
        };
        self.at.reported = first.map(Box::from);
        self.at.aborted_moves.clear();
        if let Some(text) = text {
            self.report("pv-wrong", text);
        }
    }

    /// The entry of a `hit` or `put` at the current node, and the hash of its key.
    fn entry_of(&self, event: &TraceEvent<'_>) -> Option<(StoredEntry, Option<u64>)> {
        let node = self.at.open.last()?;
        let bound = event.bound()?;
        let bound = if node.minimizes { bound.negated() } else { bound };
        let key = event.k.as_deref().map(hash).or(node.key.as_ref().map(|(key, _)| *key));
        let (value, depth) = (node.value_here(event.v?), event.d?);
        Some((StoredEntry { value, bound, depth, event: self.event, stored_by: None }, key))
    }

    fn hit(&mut self, event: &TraceEvent<'_>) {
        let Some((entry, key)) = self.entry_of(event) else {
            return;
        };
        let mut stored = key.and_then(|key| self.table.get(&key).copied());
        if let Some((key, text)) = key.and_then(|key| Some((key, self.differs(entry, stored)?))) {
            if !self.replaced.contains(&self.entry_hash(key, entry)) {
                self.report_entry(key, entry, stored, text);
            }
            stored = None;
        }
        let used = event.u == Some(true);
        if used && !self.is_mate(entry.value) {
            let node = self.at.open.last();
            for (check, text) in node.map_or_else(Vec::new, |node| check_hit(node, entry)) {
                self.report(check, text);
            }
        }
        self.change_node(|node| {
            if used {
                node.hit = Some((entry.value, stored.and_then(|stored| stored.stored_by)));
            } else {
                // Engines may use the value of an entry as static value.
                node.others.push(entry.value);
                node.narrow(entry.value, entry.bound, event.a.zip(event.b));
            }
        });
    }

    /// Reports an entry that differs from the one stored. With threads, the entry may have been read before it was stored.
    fn report_entry(
        &mut self,
        key: u64,
        entry: StoredEntry,
        stored: Option<StoredEntry>,
        text: ErrorText,
    ) {
        let values = [entry.value, stored.map_or(f64::NAN, |stored| stored.value)];
        let finding = self.finding_of("hit-differs", text, values);
        let mut finding = Finding { other: stored.map(|stored| stored.event), ..finding };
        let mut due = Some(finding.clone());
        if !self.parked.is_empty() {
            if let Some([first, second]) = self.races.torn(key, entry) {
                let torn = format!("torn, a mixture of what events {first} and {second} stored");
                finding.text = [&finding.text, torn.as_str()].join(": ");
                finding.other = Some(first);
            }
            due = self.races.add(key, self.entry_hash(key, entry), finding);
        }
        if let Some(finding) = due {
            self.found.add(finding, self.limit);
        }
    }

    /// A hash of an entry, equal for all mates of one side.
    fn entry_hash(&self, key: u64, StoredEntry { value, bound, depth, .. }: StoredEntry) -> u64 {
        let value = if self.is_mate(value) { value.signum() * f64::INFINITY } else { value };
        hash((key, (value + 0.0).to_bits(), bound.name(), depth.to_bits()))
    }

    /// How an entry differs from the one stored, in words. Mates may differ: a search may adjust their distance to the ply.
    fn differs(&self, entry: StoredEntry, stored: Option<StoredEntry>) -> Option<ErrorText> {
        match stored {
            _ if self.header.table == TraceTable::Part => None,
            Some(stored) => {
                let mates = self.is_mate(entry.value) && self.is_mate(stored.value);
                let same = stored.value == entry.value || mates && stored.value * entry.value > 0.0;
                let same = same && stored.bound == entry.bound && stored.depth == entry.depth;
                let StoredEntry { value, bound, depth, .. } = entry;
                let words = " came back, stored was ";
                (!same).then(|| match (stored.bound == bound, stored.depth == depth) {
                    (true, true) => {
                        let values = [value, stored.value];
                        let ErrorText { text, sides } = differing_values(values, words);
                        let text = format!("{text} ({} depth {depth})", bound.name());
                        ErrorText { text, sides }
                    }
                    _ => differing(entry, words, stored),
                })
            }
            None => (self.header.table == TraceTable::Empty)
                .then(|| differing(entry, " came back, and stored was ", "nothing")),
        }
    }

    fn put(&mut self, event: &TraceEvent<'_>) {
        let Some((entry, key)) = self.entry_of(event) else {
            return;
        };
        if self.at.stopped {
            self.report("put-after-stop", format!("{entry} was stored"));
        } else if let Some(node) = self.at.open.last()
            && (event.k.is_none() || node.has_position_of(event.k.as_deref()))
        {
            let other = self.repeated_ancestor(node);
            let text = |event| format!("{entry} was stored; the position repeats event {event}");
            let repeated = other.map(|event| ("bound-side", text(event).into()));
            let wrong = if self.is_mate(entry.value) { None } else { wrong_entry(node, entry) };
            if let Some((check, text)) = repeated.or(wrong) {
                self.report_with(check, text, other);
            }
        }
        if let Some(key) = key {
            if let Some(before) = self.table.insert(key, entry) {
                let before = self.entry_hash(key, before);
                self.replaced.insert(before);
            }
            let event = self.event;
            self.change_node(|node| node.puts.push((key, event)));
            if !self.parked.is_empty() {
                self.races.store(key, entry, self.entry_hash(key, entry));
            }
        }
    }

    /// The event that entered an ancestor with the same position, if this node's value can only be that of a repetition.
    fn repeated_ancestor(&self, node: &Node) -> Option<u64> {
        let is_searched = !node.returned.is_empty() || !node.others.is_empty();
        if is_searched || node.skipped || node.eval.is_some() || node.hit.is_some() {
            return None;
        }
        let above = self.at.open.iter().rev().find(|above| {
            above.ply + 2 <= node.ply
                && above.has_position_of(node.key.as_ref().map(|(_, key)| &**key))
        });
        above.map(|above| above.event)
    }

    fn cut(&mut self, event: &TraceEvent<'_>) {
        self.cuts = true;
        let Some(node) = self.at.open.last().filter(|_| !self.at.stopped) else {
            return;
        };
        let stated = event.v.map(|value| node.value_here(value));
        let highest = node.highest_value().filter(|_| !node.skipped);
        let beta = node.windows().map(|(_, beta)| beta).fold(f64::INFINITY, f64::min);
        // Mate-distance pruning and entries of mates may have changed β to a value that is not in the trace.
        let is_sure = |value: &f64| !self.is_mate(*value) || !node.window_unknown && *value < 0.0;
        let is_inside = |value: &f64| is_sure(value) && *value < beta - self.slack(*value);
        let by_move = event.m.as_deref().and_then(|mv| node.returned_by(mv));
        let by_null = node.null_value.filter(|_| event.m.is_none() && node.returned.is_empty());
        let known = by_move.map(|returned| returned.value).or(by_null);
        let other = by_move.map(|returned| returned.event);
        if let Some(value) = stated.or(highest).filter(is_inside) {
            let value = format!("cut off at {}", marked(value));
            let text = differing(value, ", and ", format!("β is {}", marked(beta)));
            self.report_with("cut-wrong", text, other);
        } else if let Some(value) =
            known.filter(is_inside).filter(|_| by_move.is_some() || stated.is_some())
        {
            let value = format!("cut off, and the move returned {}", marked(value));
            let text = differing(value, ", below ", format!("β {}", marked(beta)));
            self.report_with("cut-wrong", text, other);
        }
    }

    /// Reports a key that two positions share, and a position with two keys.
    fn compare_keys(&mut self, event: &TraceEvent<'_>, entered: Entered) {
        let Some(key) = event.k.as_deref().map(|key| hash(position_part(key))) else {
            return;
        };
        let now = self.event;
        let class = entered.class.unwrap_or_default();
        let (known, first) = *self.positions_by_key.entry(key).or_insert((class, now));
        if known != class && known != 0 && class != 0 {
            self.report_with("key-clash", "another position had this key".to_owned(), Some(first));
        }
        if let Some(exact) = entered.exact.filter(|_| !self.history) {
            let (known, first) = *self.keys_by_position.entry(exact).or_insert((key, now));
            if known != key {
                let text = "the position had another key".to_owned();
                self.report_with("key-split", text, Some(first));
            }
        }
    }

    fn finding(&self, check: &'static str, text: impl Into<ErrorText>) -> Finding {
        let ErrorText { text, sides } = text.into();
        let node = self.at.open.last();
        Finding {
            check,
            event: self.event,
            other: None,
            thread: (!self.parked.is_empty()).then_some(self.thread as u64),
            ply: node.map_or(0, |node| node.ply as u64),
            key: node.and_then(|node| node.key.as_ref()).map(|(_, key)| key.to_string()),
            text,
            sides,
            facts: node.map_or_else(Vec::new, Node::facts),
        }
    }

    /// A finding about an unexpected value.
    fn finding_of(&self, check: &'static str, text: ErrorText, [value, due]: [f64; 2]) -> Finding {
        let mut finding = self.finding(check, text);
        if value == -due && value != 0.0 {
            finding.facts.push((NEGATED, "yes".to_owned()));
        }
        finding
    }

    fn report(&mut self, check: &'static str, text: impl Into<ErrorText>) {
        self.report_with(check, text, None);
    }

    /// Reports an error of the current event; `other` is the event that the current one contradicts.
    fn report_with(&mut self, check: &'static str, text: impl Into<ErrorText>, other: Option<u64>) {
        let finding = Finding { other, ..self.finding(check, text) };
        self.found.add(finding, self.limit);
    }
}

/// The text of an error that a check has found, with values [marked]. `sides`: if two things differ, that of the trace and
/// the one it is checked against.
#[derive(Debug)]
struct ErrorText {
    text: String,
    sides: Option<[String; 2]>,
}

impl From<String> for ErrorText {
    fn from(text: String) -> Self {
        Self { text, sides: None }
    }
}

/// A difference, with the words between its sides.
fn differing(left: impl Display, words: &str, right: impl Display) -> ErrorText {
    let sides = [left.to_string(), right.to_string()];
    ErrorText { text: sides.join(words), sides: Some(sides) }
}

fn differing_values(values: [f64; 2], words: &str) -> ErrorText {
    let [left, right] = values.map(marked);
    differing(left, words, right)
}

/// The name of the check, and the error.
type Report = (&'static str, ErrorText);

/// Reports an entry that does not suffice to replace searching the node.
fn check_hit(node: &Node, entry: StoredEntry) -> Vec<Report> {
    let (alpha, beta) = node.window;
    let is_short = entry.depth < node.depth && node.kind != NodeKind::Quiescence;
    let leaves_open = match entry.bound {
        Bound::Exact => false,
        Bound::Lower => entry.value < beta,
        Bound::Upper => entry.value > alpha,
    };
    let depth = || format!("depth {}", node.depth);
    let short = || ("depth-short", differing(entry, " was used for ", depth()));
    let window = || marked_window(node.window);
    let open = || ("hit-window", differing(entry, " was used, leaving open the ", window()));
    [is_short.then(short), leaves_open.then(open)].into_iter().flatten().collect()
}

/// Reports an entry whose bound contradicts the node's window, or whose depth exceeds the depth searched.
fn wrong_entry(node: &Node, entry: StoredEntry) -> Option<Report> {
    let quiet = node.kind == NodeKind::Quiescence || node.depth <= 0.0;
    let is_possible = |(alpha, beta): Span| match entry.bound {
        // A value that does not come from a move (a mate, a leaf) is exact under any window.
        Bound::Exact => node.returned.is_empty() || (alpha < entry.value && entry.value < beta),
        // Quiescence often stores an exact value as a bound. That bound is correct.
        Bound::Lower => entry.value >= beta || quiet && entry.value > alpha,
        Bound::Upper => entry.value <= alpha || quiet && entry.value < beta,
    };
    if !node.windows().any(is_possible) {
        let (proven, why) = match entry.value {
            value if value >= node.window.1 => ("is lower", "≥ β"),
            value if value <= node.window.0 => ("is upper", "≤ α"),
            _ => ("is exact", "between α and β"),
        };
        let due = format!("{proven}: {} {why}", marked(entry.value));
        let error = differing(entry, " was stored; the bound ", due);
        let text = match proven {
            "is lower" => format!("{} {}", error.text, marked(node.window.1)),
            _ => format!("{} of the {}", error.text, marked_window(node.window)),
        };
        return Some(("bound-side", ErrorText { text, ..error }));
    }
    let deepest = node.returned.iter().map(|returned| returned.depth + 1.0).reduce(f64::max)?;
    let deepest = deepest.max(node.depth);
    let too_deep = !quiet && entry.depth > deepest;
    let due = format!("depth {deepest}");
    too_deep.then(|| ("depth-short", differing(entry, " was stored, searched was ", due)))
}

/// Reports a value that raised α in a reduced search or a zero window, after which the move was not searched again.
fn missing_research(node: &Node, best: &Returned) -> Option<String> {
    let (alpha, beta) = node.widest();
    // NegaScout does not search again above leaves, whose values are exact.
    let is_unclear = best.mv.is_none() || matches!(best.kind, NodeKind::Other | NodeKind::Research);
    if is_unclear || best.value <= best.window.0 || best.depth <= 1.0 {
        return None;
    }
    // If an entry has lowered β, a value that reaches this β is a cutoff.
    let inside =
        best.value < beta.min(node.searched().1) && !is_zero((alpha, beta)) && is_zero(best.window);
    let how = match best.reduced {
        plies if plies > 0.0 => format!("reduced by {plies}"),
        _ if inside => "with a zero window".to_owned(),
        _ => return None,
    };
    let mv = best.mv.as_deref().unwrap_or_default();
    Some(format!("{mv} raised α to {}, searched {how} and not again", marked(best.value)))
}
