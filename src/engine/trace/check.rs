//! What is wrong with a search, told by its trace alone.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{
    Rulebook, TraceEvent, TraceHeader, TraceKind, TraceTable, TraceView,
    node::{Left, Node, NodeKind, Relation, Returned, StoredEntry},
    rulebook::{Entered, hash},
};
use crate::engine::table::Bound;

/// The checks, each with what it finds.
pub const CHECKS: [(&str, &str); 14] = [
    ("nesting", "nodes left but not entered, or entered but not left"),
    ("hit-differs", "an entry came back other than it was stored"),
    ("key-clash", "one key for two positions"),
    ("key-split", "one position with two keys"),
    ("value-parent", "a value that is not the best of the moves' values"),
    ("window-child", "a window that is not inside its parent's, turned"),
    ("bound-side", "a bound that value and window contradict was stored"),
    ("depth-short", "an entry of smaller depth than the node's answered"),
    ("hit-window", "an entry answered that leaves the window open"),
    ("cut-wrong", "cut off inside the window, or not where it was due"),
    ("mate-shift", "a mate came up with its distance unchanged"),
    ("put-after-stop", "an entry was stored after the search was stopped"),
    ("move-illegal", "a move that the rules do not know"),
    ("landmark", "a landmark of a packed trace that its events contradict"),
];

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The check that found it.
    pub check: &'static str,
    /// The event, counted from 0 after the header.
    pub event: u64,
    /// Plies of the node from the root.
    pub ply: u64,
    /// The node's key.
    pub key: Option<String>,
    /// What is wrong, in words.
    pub text: String,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TraceFindings {
    /// Events of the trace.
    pub events: u64,
    /// Nodes entered.
    pub nodes: u64,
    /// What is wrong, in the order of the events.
    pub findings: Vec<Finding>,
    /// How often, by check.
    pub counts: BTreeMap<&'static str, u64>,
}

impl TraceFindings {
    /// Takes a finding, of which so many are listed.
    fn add(&mut self, finding: Finding, limit: u64) {
        let count = self.counts.entry(finding.check).or_default();
        *count += 1;
        if *count <= limit {
            self.findings.push(finding);
        }
    }

    /// Takes those of a check that are wrong only where the whole trace says so.
    fn confirm(&mut self, doubts: Self, limit: u64) {
        for (check, more) in doubts.counts {
            let count = self.counts.entry(check).or_default();
            let room = limit.saturating_sub(*count) as usize;
            *count += more;
            let findings = doubts.findings.iter().filter(|finding| finding.check == check);
            self.findings.extend(findings.take(room).cloned());
        }
    }
}

/// How mates are counted, as far as the trace shows it.
#[derive(Debug, Default)]
struct MateCount {
    /// The value of a mate on the board and its ply.
    first: Option<(f64, usize)>,
    /// Another one at another ply has the same value: distances count from the node.
    from_node: bool,
    /// Another one is as much smaller as it is farther from the root: distances count from the root.
    from_root: bool,
    /// Neither is true of another one.
    mixed: bool,
}

impl MateCount {
    fn note(&mut self, value: f64, ply: usize) {
        let value = value.abs();
        let Some((known, at)) = self.first else {
            self.first = Some((value, ply));
            return;
        };
        let rooted = known + at as f64 == value + ply as f64;
        match (known == value, at == ply) {
            (true, true) => {}
            (true, false) => self.from_node = true,
            (false, false) if rooted => self.from_root = true,
            _ => self.mixed = true,
        }
    }
}

/// Checks a trace event by event. A correct search has no findings.
#[derive(Debug, Default)]
pub struct Checker {
    header: TraceHeader,
    rules: Option<Box<dyn Rulebook>>,
    /// Whether a position may have several keys, because its past is in them.
    history: bool,
    /// Findings of a check to list at most.
    limit: u64,
    found: TraceFindings,
    event: u64,
    open: Vec<Node>,
    stopped: bool,
    /// Entries by the hash of their keys.
    table: FxHashMap<u64, StoredEntry>,
    /// Positions by key, and keys by position.
    positions: FxHashMap<u64, u64>,
    keys: FxHashMap<u64, u64>,
    mates: MateCount,
    /// Mates that a parent took over unchanged.
    unshifted: TraceFindings,
    /// Mates that came back from the table unchanged at another ply.
    unmoved: TraceFindings,
    /// Moves searched although a cutoff was due: right where the search never cuts.
    overrun: TraceFindings,
    cuts: bool,
}

impl Checker {
    /// Nothing is checked yet.
    pub fn new(
        header: &TraceHeader,
        mut rules: Option<Box<dyn Rulebook>>,
        history: bool,
        limit: u64,
    ) -> Self {
        if let Some(rules) = &mut rules {
            rules.begin(header.root.as_deref());
        }
        Self { header: header.clone(), rules, history, limit, ..Self::default() }
    }

    /// Checks the next event.
    pub fn see(&mut self, event: &TraceEvent<'_>) {
        match event.e {
            TraceKind::Root => {
                self.none_open("a new search begins");
                self.stopped = false;
                if let Some(rules) = &mut self.rules {
                    rules.begin(event.p.as_deref().or(self.header.root.as_deref()));
                }
            }
            TraceKind::Iter => {
                self.none_open("an iteration begins");
                self.stopped = false;
            }
            TraceKind::In => self.enter(event),
            TraceKind::Out => self.leave(event.v.unwrap_or_default()),
            TraceKind::Stop => self.stopped = true,
            TraceKind::Drop => {
                self.table.remove(&hash(event.k.as_deref().unwrap_or_default()));
            }
            TraceKind::Note => {}
            kind if self.open.is_empty() => {
                self.report("nesting", format!("`{}` outside any node", kind.name()));
            }
            TraceKind::Hit => self.hit(event),
            TraceKind::Put => self.put(event),
            TraceKind::Cut => self.cut(event),
            TraceKind::Eval => {
                self.at_top(|node| node.eval = event.v.map(|value| node.turned(value)));
            }
            TraceKind::Skip => self.at_top(|node| node.skipped = true),
            TraceKind::Miss => {}
        }
        self.event += 1;
    }

    /// Takes the [wrong landmarks](super::wrong_landmarks) of a packed trace.
    pub fn see_landmarks(&mut self, wrong: &[u64]) {
        for event in wrong {
            let text = format!("what it says of the search after {event} events is not so");
            let finding = Finding {
                check: "landmark",
                event: event.saturating_sub(1),
                ply: 0,
                key: None,
                text,
            };
            self.found.add(finding, self.limit);
        }
    }

    /// What was found, once the trace is over; `whole` says that it was read to its end.
    pub fn finish(mut self, whole: bool) -> TraceFindings {
        if whole {
            self.none_open("the trace ends");
        }
        let MateCount { from_node, from_root, mixed, .. } = self.mates;
        if from_node && !from_root && !mixed {
            self.found.confirm(self.unshifted, self.limit);
        }
        if from_root && !from_node && !mixed {
            self.found.confirm(self.unmoved, self.limit);
        }
        if self.cuts {
            self.found.confirm(self.overrun, self.limit);
        }
        self.found.findings.sort_by_key(|finding| finding.event);
        TraceFindings { events: self.event, ..self.found }
    }

    fn at_top(&mut self, does: impl FnOnce(&mut Node)) {
        if let Some(node) = self.open.last_mut() {
            does(node);
        }
    }

    /// All nodes are left by now.
    fn none_open(&mut self, when: &str) {
        if !self.open.is_empty() && !self.stopped {
            let nodes = self.open.len();
            self.report("nesting", format!("{when}, and {nodes} open nodes were not left"));
        }
        for _ in self.open.drain(..) {
            if let Some(rules) = &mut self.rules {
                rules.leave();
            }
        }
    }

    fn enter(&mut self, event: &TraceEvent<'_>) {
        if self.open.is_empty() {
            self.stopped = false;
        }
        self.found.nodes += 1;
        let key = event.k.as_deref().map(|key| (hash(key), Box::from(key)));
        let relation = self.relation(event, key.as_ref().map(|(key, _)| *key));
        let entered = self.follow(event, relation);
        let black = self.side(event, relation, entered.black);
        let minimizes = self.header.view == TraceView::First && black == Some(true);
        let (alpha, beta) = (event.a.unwrap_or_default(), event.b.unwrap_or_default());
        let asked = if minimizes { (-beta, -alpha) } else { (alpha, beta) };
        let node = Node {
            relation,
            kind: NodeKind::called(event.t.as_deref()),
            mv: event.m.as_deref().map(Box::from),
            key,
            depth: event.d.unwrap_or_default(),
            minimizes,
            black,
            asked,
            searched: asked,
            ..Node::default()
        };
        if !self.stopped {
            self.compare_with_parent(&node);
        }
        self.open.push(node);
        if entered.illegal {
            let mv = event.m.as_deref().unwrap_or_default();
            self.report("move-illegal", format!("{mv} is no move here"));
        }
        self.compare_keys(event, entered);
    }

    fn relation(&self, event: &TraceEvent<'_>, key: Option<u64>) -> Relation {
        let above = self.open.last().map(|parent| {
            let same_key = key.is_some() && key == parent.key.as_ref().map(|(key, _)| *key);
            (parent.kind, same_key || parent.returned.iter().any(|returned| returned.mv.is_some()))
        });
        Relation::of(event, above)
    }

    fn follow(&mut self, event: &TraceEvent<'_>, relation: Relation) -> Entered {
        let position = event.p.as_deref();
        let told = position.map(hash);
        match &mut self.rules {
            Some(rules) => relation.follow(rules.as_mut(), event.m.as_deref(), position),
            None => Entered { exact: told, class: told, ..Entered::default() },
        }
    }

    /// Whether black is to move: as the event says, as the rules say, or the other side than above. A player who is told
    /// to be the first is to move at a root that says nothing.
    fn side(
        &self,
        event: &TraceEvent<'_>,
        relation: Relation,
        by_rules: Option<bool>,
    ) -> Option<bool> {
        let turned = |above: bool| if relation == Relation::Inner { above } else { !above };
        let above = || match self.open.last() {
            Some(parent) => parent.black.map(turned),
            None => (self.header.view == TraceView::First).then_some(false),
        };
        event.is_black().or(by_rules).or_else(above)
    }

    fn compare_with_parent(&mut self, node: &Node) {
        self.cuts |= self.narrows(node);
        let Some(parent) = self.open.last().filter(|_| node.relation == Relation::Move) else {
            return;
        };
        let again = node.kind == NodeKind::Again
            || parent.returned.last().is_some_and(|last| last.mv.is_some() && last.mv == node.mv);
        let beta = parent.asked.1.max(parent.searched.1);
        let looks = !again && !parent.overrun && !parent.loose;
        if let Some(best) = parent.best().filter(|best| looks && *best - self.slack(*best) >= beta)
        {
            let text = format!("a move is searched after {best}, which is at or above β {beta}");
            let finding = self.finding("cut-wrong", text);
            self.overrun.add(finding, self.limit);
            self.at_top(|parent| parent.overrun = true);
        }
        if let Some(text) = self.open.last().and_then(|parent| self.outside(parent, node)) {
            self.report("window-child", text);
        }
    }

    /// Why a node's window does not fit into its parent's.
    fn outside(&self, parent: &Node, node: &Node) -> Option<String> {
        if parent.loose || node.kind == NodeKind::Other {
            return None;
        }
        let (low, high) = parent.turned_from(node, node.asked);
        let alpha = parent.asked.0.min(parent.searched.0);
        let beta = parent.asked.1.max(parent.searched.1);
        let below = low < alpha - self.slack(alpha);
        // A zero window is as wide as the smallest step of values that are whole numbers, whatever they are here.
        let narrow = high - low <= 1.0 && low < beta;
        let above = high > beta + self.slack(beta) && !narrow;
        (below || above).then(|| {
            format!("its window is [{low}, {high}] seen from above, where it is [{alpha}, {beta}]")
        })
    }

    /// Whether a node is searched with a narrower window than its parent: a search that does so cuts off.
    fn narrows(&self, node: &Node) -> bool {
        self.open.last().is_some_and(|parent| {
            let ((low, high), (alpha, beta)) = (parent.turned_from(node, node.asked), parent.asked);
            low > alpha + self.slack(alpha) || high < beta - self.slack(beta)
        })
    }

    /// How much values may move by where mates count their distance.
    fn slack(&self, value: f64) -> f64 {
        if self.is_mate(value) { 1.0 } else { 0.0 }
    }

    /// Whether a value tells of a mate, or is next to those that do.
    fn is_mate(&self, value: f64) -> bool {
        self.header.mate.is_some_and(|mate| value.abs() >= mate - 1.0)
    }

    fn leave(&mut self, value: f64) {
        let Some(value) = self.open.last().map(|node| node.turned(value)) else {
            return self.report("nesting", "a node is left that was not entered".to_owned());
        };
        if !self.stopped {
            self.check_value(value);
        }
        let Some(node) = self.open.pop() else {
            return;
        };
        if let Some(rules) = &mut self.rules {
            rules.leave();
        }
        let ply = self.open.len();
        for key in &node.puts {
            if let Some(stored) = self.table.get_mut(key) {
                stored.left = (!node.is_bound(value)).then_some(Left { value, ply });
            }
        }
        let stopped = self.stopped;
        if let Some(parent) = self.open.last_mut().filter(|_| !stopped) {
            let (seen, _) = parent.turned_from(&node, (value, value));
            match node.relation {
                Relation::Move => parent.returns(Returned::from(&node, seen)),
                Relation::Null | Relation::Inner => parent.others.push(seen),
            }
        }
    }

    /// The value of the node at hand, held against what came back from its moves.
    fn check_value(&mut self, value: f64) {
        let Some(node) = self.open.last() else {
            return;
        };
        let ply = self.open.len() - 1;
        let mate = self.header.mate.is_some_and(|mate| value.abs() >= mate);
        if let (Some((_, Bound::Exact, Some(left))), true) = (node.answer, mate)
            && left.value == value
            && left.ply != ply
            && !node.is_bound(value)
        {
            let text = format!("the mate {value} was left at ply {} with the same value", left.ply);
            let finding = self.finding("mate-shift", text);
            self.unmoved.add(finding, self.limit);
        }
        let Some(best) = node.best() else {
            let own = node.answer.is_none() && node.others.is_empty() && node.eval != Some(value);
            if mate && own && !node.is_bound(value) {
                self.mates.note(value, ply);
            }
            return;
        };
        let close = |worth: f64| {
            worth == value || (worth - value).abs() <= self.slack(worth.abs().max(value.abs()))
        };
        let bests = node.bests().into_iter().flatten();
        let fits = bests.flat_map(|best| node.worths(best)).any(close)
            || node.skipped && value >= best
            || node.answer.is_some();
        // Its moves have the same distances as the node itself.
        let kept = mate && node.returned.iter().any(|returned| returned.value == value);
        let shifted = node.returned.iter().any(|returned| {
            returned.value != value
                && (returned.value - value).abs() <= 1.0
                && self.is_mate(returned.value)
        });
        if kept && !shifted && !node.is_bound(value) && node.answer.is_none() {
            let finding =
                self.finding("mate-shift", format!("the mate {value} is as far as after the move"));
            self.unshifted.add(finding, self.limit);
        }
        if !fits {
            let text = format!("it is left with {value}, the best of its moves is {best}");
            self.report("value-parent", text);
        }
    }

    /// The entry that an event at the node at hand tells of, and the hash of its key.
    fn told(&self, event: &TraceEvent<'_>) -> Option<(StoredEntry, Option<u64>)> {
        let node = self.open.last()?;
        let bound = event.bound()?;
        let bound = if node.minimizes { bound.negated() } else { bound };
        let key = event.k.as_deref().map(hash).or(node.key.as_ref().map(|(key, _)| *key));
        let value = node.turned(event.v?);
        Some((StoredEntry { value, bound, depth: event.d?, left: None }, key))
    }

    fn hit(&mut self, event: &TraceEvent<'_>) {
        let Some((told, key)) = self.told(event) else {
            return;
        };
        let stored = key.and_then(|key| self.table.get(&key).copied());
        self.report_all(key.and_then(|_| self.differs(told, stored)));
        let answers = event.u == Some(true);
        if answers && !self.is_mate(told.value) {
            self.report_all(self.open.last().map_or_else(Vec::new, |node| unfit(node, told)));
        }
        let left = stored.and_then(|stored| stored.left);
        let window = event.a.zip(event.b);
        self.at_top(|node| node.heard((told.value, told.bound), window, answers, left));
    }

    /// An entry that came back is as it was stored. Mates may count from elsewhere now.
    fn differs(&self, told: StoredEntry, stored: Option<StoredEntry>) -> Option<Wrong> {
        let text = match stored {
            Some(stored) => {
                let mates = self.is_mate(told.value) && self.is_mate(stored.value);
                let same = stored.value == told.value || mates && stored.value * told.value > 0.0;
                if same && stored.bound == told.bound && stored.depth == told.depth {
                    return None;
                }
                format!("{told} came back, stored was {stored}")
            }
            None if self.header.table == TraceTable::Empty => {
                format!("{told} came back, and nothing was stored")
            }
            None => return None,
        };
        Some(("hit-differs", text))
    }

    fn put(&mut self, event: &TraceEvent<'_>) {
        let Some((told, key)) = self.told(event) else {
            return;
        };
        if self.stopped {
            self.report("put-after-stop", format!("{told} was stored"));
        } else if !self.is_mate(told.value) {
            let node = self.open.last();
            self.report_all(node.and_then(|node| misjudged(node, told, event.k.as_deref())));
        }
        if let Some(key) = key {
            self.table.insert(key, told);
            self.at_top(|node| node.puts.push(key));
        }
    }

    fn cut(&mut self, event: &TraceEvent<'_>) {
        self.cuts = true;
        let Some(node) = self.open.last().filter(|node| !node.skipped && !self.stopped) else {
            return;
        };
        let value = event.v.map(|value| node.turned(value)).or_else(|| node.highest());
        let asked = node.asked.1;
        let earliest = asked.min(node.searched.1);
        // The table's mates may count from elsewhere than the node's.
        let known = |value: &f64| !node.loose || !self.is_mate(*value);
        let inside = |value: &f64| *value < earliest - self.slack(*value);
        if let Some(value) = value.filter(known).filter(inside) {
            self.report("cut-wrong", format!("cut off at {value}, and β is {asked}"));
        }
    }

    /// One key has one position, and one position one key.
    fn compare_keys(&mut self, event: &TraceEvent<'_>, entered: Entered) {
        let Some(key) = event.k.as_deref().map(|key| hash(position_part(key))) else {
            return;
        };
        if let Some(class) = entered.class
            && *self.positions.entry(key).or_insert(class) != class
        {
            self.report("key-clash", "another position has had this key".to_owned());
        }
        if let Some(exact) = entered.exact.filter(|_| !self.history)
            && *self.keys.entry(exact).or_insert(key) != key
        {
            self.report("key-split", "the position has had another key".to_owned());
        }
    }

    fn finding(&self, check: &'static str, text: String) -> Finding {
        let key = self.open.last().and_then(|node| node.key.as_ref());
        Finding {
            check,
            event: self.event,
            ply: self.open.len().saturating_sub(1) as u64,
            key: key.map(|(_, key)| key.to_string()),
            text,
        }
    }

    fn report(&mut self, check: &'static str, text: String) {
        let finding = self.finding(check, text);
        self.found.add(finding, self.limit);
    }

    fn report_all(&mut self, wrong: impl IntoIterator<Item = Wrong>) {
        for (check, text) in wrong {
            self.report(check, text);
        }
    }
}

/// The check that found something, and what that is.
type Wrong = (&'static str, String);

/// Why an entry cannot answer for a node.
fn unfit(node: &Node, told: StoredEntry) -> Vec<Wrong> {
    let (alpha, beta) = node.asked;
    let shallow = told.depth < node.depth && node.kind != NodeKind::Quiet;
    let shallow =
        shallow.then(|| ("depth-short", format!("{told} answered for depth {}", node.depth)));
    let open = match told.bound {
        Bound::Exact => false,
        Bound::Lower => told.value < beta,
        Bound::Upper => told.value > alpha,
    };
    let text = || format!("{told} answered, the window is [{alpha}, {beta}]");
    shallow.into_iter().chain(open.then(|| ("hit-window", text()))).collect()
}

/// Why an entry cannot be what the node at hand has found. A value that comes from no move is exact under any window.
fn misjudged(node: &Node, told: StoredEntry, key: Option<&str>) -> Option<Wrong> {
    let own = node.key.as_ref().map(|(_, key)| position_part(key));
    if key.is_some() && key.map(position_part) != own {
        return None;
    }
    let fits = |(alpha, beta): (f64, f64)| match told.bound {
        Bound::Exact => node.returned.is_empty() || (alpha < told.value && told.value < beta),
        Bound::Lower => told.value >= beta,
        Bound::Upper => told.value <= alpha,
    };
    let (alpha, beta) = node.asked;
    let text = || format!("{told} was stored, the window is [{alpha}, {beta}]");
    (!fits(node.asked) && !fits(node.searched)).then(|| ("bound-side", text()))
}

/// The part of a key that names the position: what follows `@` tells its entries apart, such as one for each depth.
pub(super) fn position_part(key: &str) -> &str {
    key.split_once('@').map_or(key, |(position, _)| position)
}
