//! Checks of a search by its trace, with or without the rules of its game.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{
    Rulebook, TraceEvent, TraceHeader, TraceKind, TraceTable, TraceView,
    node::{Node, NodeKind, NodeResult, Relation, Returned, Span, StoredEntry},
    rulebook::{Entered, hash},
};
use crate::engine::table::Bound;

/// The names of the checks, each with what it reports.
pub const CHECKS: [(&str, &str); 14] = [
    ("nesting", "nodes left but not entered, or entered but not left"),
    ("hit-differs", "an entry differs from what was stored"),
    ("key-clash", "one key for two positions"),
    ("key-split", "one position with two keys"),
    ("value-parent", "a value that is not the best of the moves' values"),
    ("window-child", "a window that is not inside the parent's, negated"),
    ("bound-side", "a stored bound that contradicts value and window"),
    ("depth-short", "an entry used for a node of greater depth"),
    ("hit-window", "an entry used that leaves the window open"),
    ("cut-wrong", "a cutoff inside the window, or none where one was due"),
    ("mate-shift", "a mate returned with its distance unchanged"),
    ("put-after-stop", "an entry stored after the search was stopped"),
    ("move-illegal", "a move that is illegal by the rules"),
    ("landmark", "a landmark of a packed trace that its events contradict"),
];

/// An error of the search that a check has found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The name of the check.
    pub check: &'static str,
    /// The number of the event, from 0 after the header.
    pub event: u64,
    /// Plies of the node from the root.
    pub ply: u64,
    /// The node's key.
    pub key: Option<String>,
    /// The error in words.
    pub text: String,
}

/// The result of checking a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TraceFindings {
    /// The number of events.
    pub events: u64,
    /// The number of nodes entered.
    pub nodes: u64,
    /// The findings in the order of the events, a limited number of each check.
    pub findings: Vec<Finding>,
    /// The number of all findings of each check.
    pub counts: BTreeMap<&'static str, u64>,
}

impl TraceFindings {
    fn add(&mut self, finding: Finding, limit: u64) {
        let count = self.counts.entry(finding.check).or_default();
        *count += 1;
        if *count <= limit {
            self.findings.push(finding);
        }
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
    }
}

/// From where the search counts mate distances, as far as the values of mates on the board show it.
#[derive(Debug, Default)]
struct MateDistances {
    /// The value and the ply of the first mate.
    first: Option<(f64, usize)>,
    /// Whether a mate at another ply has the same value: distances count from the node.
    from_node: bool,
    /// Whether a mate one ply farther from the root is worth one less: distances count from the root.
    from_root: bool,
    /// Whether a mate fits neither.
    mixed: bool,
}

impl MateDistances {
    fn add(&mut self, value: f64, ply: usize) {
        let value = value.abs();
        let Some((first, first_ply)) = self.first else {
            self.first = Some((value, ply));
            return;
        };
        let rooted = first + first_ply as f64 == value + ply as f64;
        match (first == value, first_ply == ply) {
            (true, true) => {}
            (true, false) => self.from_node = true,
            (false, false) if rooted => self.from_root = true,
            _ => self.mixed = true,
        }
    }
}

/// Checks a trace event by event. The trace of a correct search has no findings.
#[derive(Debug, Default)]
pub struct Checker {
    header: TraceHeader,
    rules: Option<Box<dyn Rulebook>>,
    /// Whether keys include the history of the game, so that a position may have several.
    history: bool,
    /// The number of findings of each check to list.
    limit: u64,
    found: TraceFindings,
    event: u64,
    open: Vec<Node>,
    stopped: bool,
    /// The entries by the hash of their keys.
    table: FxHashMap<u64, StoredEntry>,
    positions_by_key: FxHashMap<u64, u64>,
    keys_by_position: FxHashMap<u64, u64>,
    mates: MateDistances,
    /// Mates that a parent returned unchanged: errors if distances count from the node.
    unshifted: TraceFindings,
    /// Mates from the table, unchanged at another ply: errors if distances count from the root.
    unshifted_hits: TraceFindings,
    /// Moves searched although a cutoff was due: errors unless the search never cuts off (minimax).
    overrun: TraceFindings,
    cuts: bool,
}

impl Checker {
    /// A checker for a trace with this header. With `history`, the keys of the program include the history of the game.
    /// Of each check, `limit` findings are listed.
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
    pub fn check(&mut self, event: &TraceEvent<'_>) {
        match event.e {
            TraceKind::Root => {
                self.close_all("a new search begins");
                self.stopped = false;
                if let Some(rules) = &mut self.rules {
                    rules.begin(event.p.as_deref().or(self.header.root.as_deref()));
                }
            }
            TraceKind::Iter => {
                self.close_all("an iteration begins");
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
                self.change_node(|node| node.eval = event.v.map(|value| node.value_here(value)));
            }
            TraceKind::Skip => self.change_node(|node| node.skipped = true),
            TraceKind::Miss => {}
        }
        self.event += 1;
    }

    /// Adds the [wrong landmarks](super::wrong_landmarks) of a packed trace to the findings.
    pub fn add_wrong_landmarks(&mut self, wrong: &[u64]) {
        for events in wrong {
            let text = format!("its state of the search after {events} events is wrong");
            let event = events.saturating_sub(1);
            let finding = Finding { check: "landmark", event, ply: 0, key: None, text };
            self.found.add(finding, self.limit);
        }
    }

    /// All findings. `complete`: the trace was read to its end, so that nodes still open are errors.
    pub fn finish(mut self, complete: bool) -> TraceFindings {
        if complete {
            self.close_all("the trace ends");
        }
        let MateDistances { from_node, from_root, mixed, .. } = self.mates;
        if from_node && !from_root && !mixed {
            self.found.confirm(self.unshifted, self.limit);
        }
        if from_root && !from_node && !mixed {
            self.found.confirm(self.unshifted_hits, self.limit);
        }
        if self.cuts {
            self.found.confirm(self.overrun, self.limit);
        }
        self.found.findings.sort_by_key(|finding| finding.event);
        TraceFindings { events: self.event, ..self.found }
    }

    fn change_node(&mut self, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.open.last_mut() {
            change(node);
        }
    }

    /// Closes all nodes, and reports those that are open although the search was not stopped.
    fn close_all(&mut self, when: &str) {
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
        let black_to_move = self.black_to_move(event, relation, entered.black_to_move);
        let minimizes = self.header.view == TraceView::First && black_to_move == Some(true);
        let (alpha, beta) = (event.a.unwrap_or_default(), event.b.unwrap_or_default());
        let window = if minimizes { (-beta, -alpha) } else { (alpha, beta) };
        let node = Node {
            relation,
            kind: NodeKind::called(event.t.as_deref()),
            mv: event.m.as_deref().map(Box::from),
            key,
            depth: event.d.unwrap_or_default(),
            minimizes,
            black_to_move,
            window,
            searched: window,
            ..Node::default()
        };
        if !self.stopped {
            self.compare_with_parent(&node);
        }
        self.open.push(node);
        if entered.illegal {
            let mv = event.m.as_deref().unwrap_or_default();
            self.report("move-illegal", format!("the move {mv} is illegal"));
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
        let by_text = position.map(hash);
        match &mut self.rules {
            Some(rules) => relation.follow(rules.as_mut(), event.m.as_deref(), position),
            None => Entered { exact: by_text, class: by_text, ..Entered::default() },
        }
    }

    /// Whether Black is to move: by the event, by the rules, or by the parent's side. At a root, White is to move if values
    /// are from White's point of view.
    fn black_to_move(
        &self,
        event: &TraceEvent<'_>,
        relation: Relation,
        by_rules: Option<bool>,
    ) -> Option<bool> {
        let by_parent = || match self.open.last() {
            Some(parent) => {
                parent.black_to_move.map(|black| black == (relation == Relation::Inner))
            }
            None => (self.header.view == TraceView::First).then_some(false),
        };
        event.black_to_move().or(by_rules).or_else(by_parent)
    }

    fn compare_with_parent(&mut self, node: &Node) {
        self.cuts |= self.narrows(node);
        let Some(parent) = self.open.last().filter(|_| node.relation == Relation::Move) else {
            return;
        };
        let research = node.kind == NodeKind::Research
            || parent.returned.last().is_some_and(|last| last.mv.is_some() && last.mv == node.mv);
        let beta = parent.window.1.max(parent.searched.1);
        let applies = !research && !parent.overrun && !parent.window_unknown;
        let reaches_beta = |best: &f64| *best - self.slack(*best) >= beta;
        if let Some(best) = parent.best().filter(|best| applies && reaches_beta(best)) {
            let text = format!("a move is searched after {best}, which is at or above β {beta}");
            let finding = self.finding("cut-wrong", text);
            self.overrun.add(finding, self.limit);
            self.change_node(|parent| parent.overrun = true);
        }
        if let Some(text) = self.open.last().and_then(|parent| self.outside(parent, node)) {
            self.report("window-child", text);
        }
    }

    /// Reports a window that is not inside the parent's.
    fn outside(&self, parent: &Node, node: &Node) -> Option<String> {
        if parent.window_unknown || node.kind == NodeKind::Other {
            return None;
        }
        let (low, high) = parent.child_values(node, node.window);
        let alpha = parent.window.0.min(parent.searched.0);
        let beta = parent.window.1.max(parent.searched.1);
        let below = low < alpha - self.slack(alpha);
        // PVS in whole numbers searches [α, α + 1] also where the parent's window is narrower than 1.
        let is_zero_window = high - low <= 1.0 && low < beta;
        let above = high > beta + self.slack(beta) && !is_zero_window;
        (below || above).then(|| {
            format!("its window, from its parent's side, is [{low}, {high}]; the parent's is [{alpha}, {beta}]")
        })
    }

    /// Whether a node has a narrower window than its parent, as only a search with cutoffs has.
    fn narrows(&self, node: &Node) -> bool {
        self.open.last().is_some_and(|parent| {
            let (low, high) = parent.child_values(node, node.window);
            let (alpha, beta) = parent.window;
            low > alpha + self.slack(alpha) || high < beta - self.slack(beta)
        })
    }

    /// How much a value may change from child to parent: by one ply, if it is a mate's.
    fn slack(&self, value: f64) -> f64 {
        if self.is_mate(value) { 1.0 } else { 0.0 }
    }

    /// Whether a value is that of a mate, or one below the smallest of these (which a mate one ply farther would have).
    fn is_mate(&self, value: f64) -> bool {
        self.header.mate.is_some_and(|mate| value.abs() >= mate - 1.0)
    }

    fn leave(&mut self, value: f64) {
        let Some(value) = self.open.last().map(|node| node.value_here(value)) else {
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
                stored.stored_by =
                    (!node.is_window_end(value)).then_some(NodeResult { value, ply });
            }
        }
        let stopped = self.stopped;
        if let Some(parent) = self.open.last_mut().filter(|_| !stopped) {
            let (value, _) = parent.child_values(&node, (value, value));
            if node.relation == Relation::Move {
                let Node { mv, key, kind, .. } = node;
                let key = key.map(|(hash, _)| hash);
                parent.add_returned(Returned { mv, key, kind, value, perhaps_replaced: false });
            } else {
                parent.others.push(value);
            }
        }
    }

    /// Compares the value of the current node with those of its moves.
    fn check_value(&mut self, value: f64) {
        let Some(node) = self.open.last() else {
            return;
        };
        let ply = self.open.len() - 1;
        let mate = self.header.mate.is_some_and(|mate| value.abs() >= mate);
        if let (Some((_, Bound::Exact, Some(stored_by))), true) = (node.hit, mate)
            && stored_by.value == value
            && stored_by.ply != ply
            && !node.is_window_end(value)
        {
            let text = format!("the mate {value} had the same value at ply {}", stored_by.ply);
            let finding = self.finding("mate-shift", text);
            self.unshifted_hits.add(finding, self.limit);
        }
        let Some(best) = node.best() else {
            let own = node.hit.is_none() && node.others.is_empty() && node.eval != Some(value);
            if mate && own && !node.is_window_end(value) {
                self.mates.add(value, ply);
            }
            return;
        };
        let is_close = |possible: f64| {
            let slack = self.slack(possible.abs().max(value.abs()));
            possible == value || (possible - value).abs() <= slack
        };
        let bests = node.possible_bests().into_iter().flatten();
        let is_possible = bests.flat_map(|best| node.possible_values(best)).any(is_close)
            || node.skipped && value >= best
            || node.hit.is_some();
        let same = mate && node.returned.iter().any(|returned| returned.value == value);
        let shifted = node.returned.iter().any(|returned| {
            returned.value != value
                && (returned.value - value).abs() <= 1.0
                && self.is_mate(returned.value)
        });
        if same && !shifted && !node.is_window_end(value) && node.hit.is_none() {
            let text = format!("the mate {value} is as far away as after the move");
            let finding = self.finding("mate-shift", text);
            self.unshifted.add(finding, self.limit);
        }
        if !is_possible {
            let text = format!("the node returns {value}, the best of its moves is {best}");
            self.report("value-parent", text);
        }
    }

    /// The entry of a `hit` or `put` at the current node, and the hash of its key.
    fn entry_of(&self, event: &TraceEvent<'_>) -> Option<(StoredEntry, Option<u64>)> {
        let node = self.open.last()?;
        let bound = event.bound()?;
        let bound = if node.minimizes { bound.negated() } else { bound };
        let key = event.k.as_deref().map(hash).or(node.key.as_ref().map(|(key, _)| *key));
        let value = node.value_here(event.v?);
        Some((StoredEntry { value, bound, depth: event.d?, stored_by: None }, key))
    }

    fn hit(&mut self, event: &TraceEvent<'_>) {
        let Some((entry, key)) = self.entry_of(event) else {
            return;
        };
        let stored = key.and_then(|key| self.table.get(&key).copied());
        self.report_all(key.and_then(|_| self.differs(entry, stored)));
        let used = event.u == Some(true);
        if used && !self.is_mate(entry.value) {
            self.report_all(self.open.last().map_or_else(Vec::new, |node| unfit(node, entry)));
        }
        self.change_node(|node| {
            if used {
                let stored_by = stored.and_then(|stored| stored.stored_by);
                node.hit = Some((entry.value, entry.bound, stored_by));
            } else {
                node.narrow(entry.value, entry.bound, event.a.zip(event.b));
            }
        });
    }

    /// Reports an entry that is not as it was stored. Mates may differ: a search may adjust their distance to the ply.
    fn differs(&self, entry: StoredEntry, stored: Option<StoredEntry>) -> Option<Report> {
        let text = match stored {
            Some(stored) => {
                let mates = self.is_mate(entry.value) && self.is_mate(stored.value);
                let same = stored.value == entry.value || mates && stored.value * entry.value > 0.0;
                if same && stored.bound == entry.bound && stored.depth == entry.depth {
                    return None;
                }
                format!("{entry} came back, stored was {stored}")
            }
            None if self.header.table == TraceTable::Empty => {
                format!("{entry} came back, and nothing was stored")
            }
            None => return None,
        };
        Some(("hit-differs", text))
    }

    fn put(&mut self, event: &TraceEvent<'_>) {
        let Some((entry, key)) = self.entry_of(event) else {
            return;
        };
        if self.stopped {
            self.report("put-after-stop", format!("{entry} was stored"));
        } else if !self.is_mate(entry.value) {
            let node = self.open.last();
            self.report_all(node.and_then(|node| wrong_bound(node, entry, event.k.as_deref())));
        }
        if let Some(key) = key {
            self.table.insert(key, entry);
            self.change_node(|node| node.puts.push(key));
        }
    }

    fn cut(&mut self, event: &TraceEvent<'_>) {
        self.cuts = true;
        let Some(node) = self.open.last().filter(|node| !node.skipped && !self.stopped) else {
            return;
        };
        let value = event.v.map(|value| node.value_here(value)).or_else(|| node.highest_value());
        let beta = node.window.1;
        let lowest_beta = beta.min(node.searched.1);
        // The distance of a mate from the table may have been adjusted before the window was narrowed to it.
        let is_sure = |value: &f64| !node.window_unknown || !self.is_mate(*value);
        let is_inside = |value: &f64| *value < lowest_beta - self.slack(*value);
        if let Some(value) = value.filter(is_sure).filter(is_inside) {
            self.report("cut-wrong", format!("cut off at {value}, and β is {beta}"));
        }
    }

    /// Reports a key of two positions, and a position of two keys.
    fn compare_keys(&mut self, event: &TraceEvent<'_>, entered: Entered) {
        let Some(key) = event.k.as_deref().map(|key| hash(position_part(key))) else {
            return;
        };
        if let Some(class) = entered.class
            && *self.positions_by_key.entry(key).or_insert(class) != class
        {
            self.report("key-clash", "another position had this key".to_owned());
        }
        if let Some(exact) = entered.exact.filter(|_| !self.history)
            && *self.keys_by_position.entry(exact).or_insert(key) != key
        {
            self.report("key-split", "the position had another key".to_owned());
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

    fn report_all(&mut self, reports: impl IntoIterator<Item = Report>) {
        for (check, text) in reports {
            self.report(check, text);
        }
    }
}

/// The name of the check, and the error in words.
type Report = (&'static str, String);

/// Reports an entry that does not suffice to replace searching the node.
fn unfit(node: &Node, entry: StoredEntry) -> Vec<Report> {
    let (alpha, beta) = node.window;
    let mut reports = Vec::new();
    if entry.depth < node.depth && node.kind != NodeKind::Quiescence {
        reports.push(("depth-short", format!("{entry} was used for depth {}", node.depth)));
    }
    let leaves_open = match entry.bound {
        Bound::Exact => false,
        Bound::Lower => entry.value < beta,
        Bound::Upper => entry.value > alpha,
    };
    if leaves_open {
        let text = format!("{entry} was used, the window is [{alpha}, {beta}]");
        reports.push(("hit-window", text));
    }
    reports
}

/// Reports an entry of the node whose bound contradicts the window.
fn wrong_bound(node: &Node, entry: StoredEntry, key: Option<&str>) -> Option<Report> {
    let own = node.key.as_ref().map(|(_, key)| position_part(key));
    if key.is_some() && key.map(position_part) != own {
        return None;
    }
    let is_possible = |(alpha, beta): Span| match entry.bound {
        // A value that is not of a move (a mate, a leaf) is exact under any window.
        Bound::Exact => node.returned.is_empty() || (alpha < entry.value && entry.value < beta),
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value <= alpha,
    };
    let (alpha, beta) = node.window;
    let text = || format!("{entry} was stored, the window is [{alpha}, {beta}]");
    (!is_possible(node.window) && !is_possible(node.searched)).then(|| ("bound-side", text()))
}

/// The part of a key that names the position. A part after `@` distinguishes entries of one position, for example by depth.
fn position_part(key: &str) -> &str {
    key.split_once('@').map_or(key, |(position, _)| position)
}
