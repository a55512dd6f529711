//! The tree that a search explores, built from its events.

use serde::Serialize;
use strum::IntoStaticStr;

use crate::engine::{
    audit::BoundedValue,
    core::game::is_default,
    game::{FieldValue, Game, MoveText, Score, Side, TrueValue, Truth, Window},
    search::{Algorithm, Event, EventKind, Frame, MoveTreatment, ProbeOutcome, Search, Watcher},
    table::Bound,
};

/// What happened to a node of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum NodeOutcome {
    /// The moves are being searched. While the tree is built, such a node is `Inner`.
    UnderWay,
    /// The moves of the node were searched.
    #[default]
    Inner,
    /// The value is a static or a learned one.
    Leaf,
    /// In quiescence, the side to move stood pat.
    StandPat,
    /// The game is over at the node.
    Terminal,
    /// The value is the true one, from endgame tables.
    Tables,
    /// The value came from the cache.
    Hit,
    /// The node is still to be searched.
    #[serde(rename = "to-come")]
    #[strum(serialize = "to-come")]
    Pending,
    /// The node was not searched, because of a cutoff or futility.
    #[serde(rename = "spared")]
    #[strum(serialize = "spared")]
    NotSearched,
}

/// A node of a tree, or a group of unsearched moves of one node.
#[derive(Clone, Debug, Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a field of the reply")]
pub struct NodeExplained {
    /// The index of the parent in the tree; `None` for the root.
    pub parent: Option<usize>,
    /// The distance of the node from the root, in plies.
    pub ply: u32,
    /// Remaining depth at the node, in plies.
    pub depth: u8,
    /// The event that last entered the node; `None` if it was not entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
    /// The move that leads to the node, or several that were not searched.
    pub moves: Vec<MoveText>,
    /// The positions after `moves`, in the game's notation.
    pub states: Vec<String>,
    /// The side to move at the node.
    pub side: Side,
    /// What happened to the node: how it got its value, or why it has none.
    pub kind: NodeOutcome,
    /// The window that the node was searched with, for its side to move; of a node being searched, the current window.
    #[serde(flatten)]
    pub window: Window,
    /// The value for the side that made the move; for the root, and in pictures, for the side to move.
    pub value: Option<Score>,
    /// Whether `value` is `exact`, or a `lower` or `upper` bound.
    pub bound: Option<&'static str>,
    /// The true value, for the same side as `value`.
    #[serde(flatten)]
    pub truth: Option<Truth>,
    /// Whether the move is its parent's best so far.
    pub best: bool,
    /// The best reply to the move, or the reply that caused a cutoff.
    pub reply: Option<MoveText>,
    /// The move that cut the node off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cutoff: Option<CutBy>,
    /// Nodes visited in the subtree, in all searches of the node in this iteration.
    pub nodes: u64,
    /// Nodes of the first search, if the node was re-searched; the children are those of the second.
    #[serde(skip_serializing_if = "is_default")]
    pub earlier: u64,
    /// Nodes visited in the subtree by the search that `tree base` kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<u64>,
    /// How selective search treats the move: `null`, `reduced` or `extended`.
    #[serde(skip_serializing_if = "is_default")]
    pub treatment: MoveTreatment,
    /// Whether the node was searched again in this iteration.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// Whether the node was searched with a zero window.
    #[serde(rename = "scouts", skip_serializing_if = "std::ops::Not::not")]
    pub is_scout: bool,
    /// Whether a cache entry was found whose depth or bound does not suffice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub invalid: bool,
    /// In traces: why the node was not searched, as the program states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A move that caused a cutoff.
#[derive(Clone, Debug, Serialize)]
pub struct CutBy {
    /// The move, in the game's notation.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: MoveText,
    /// The value of the move, which reached β.
    pub value: Score,
    /// The β that the value reached.
    pub beta: Score,
}

/// A node of the tree while it is built.
#[derive(Clone, Debug)]
pub struct Branch<G: Game> {
    /// The node as it is reported, except moves, positions and value.
    pub(crate) node: NodeExplained,
    /// The move that leads to the node, or all moves that a cutoff saved.
    pub(crate) moves: Vec<G::Move>,
    /// The position of the node; `None` for moves that were not searched.
    pub(crate) position: Option<G::Position>,
    /// The value for the side to move.
    pub(crate) claim: Option<BoundedValue>,
    /// The best move so far, or the move that caused a cutoff.
    reply: Option<G::Move>,
    /// Nodes visited before the node was last entered.
    nodes_before: u64,
    /// Whether the children are kept after the node is left.
    keeps_children: bool,
}

impl<G: Game> Branch<G> {
    fn new(parent: Option<usize>, ply: u32, window: Window) -> Self {
        Self {
            node: NodeExplained { parent, ply, window, ..NodeExplained::default() },
            moves: Vec::new(),
            position: None,
            claim: None,
            reply: None,
            nodes_before: 0,
            keeps_children: true,
        }
    }

    /// A group of moves that are not searched.
    pub fn unsearched(parent: usize, ply: u32, moves: &[G::Move], window: Window) -> Self {
        let mut branch = Self::new(Some(parent), ply, window);
        branch.node.kind = NodeOutcome::NotSearched;
        Self { moves: moves.to_vec(), ..branch }
    }

    /// Nodes visited in the subtree so far, while the node is being searched.
    pub fn nodes_so_far(&self, search: &Search<G>) -> u64 {
        self.node.nodes + search.counters.nodes - self.nodes_before
    }

    /// The node for a reply, with its value for the parent's side to move. `tree` is the list of all nodes.
    pub fn explained(&self, game: &G, tree: &[Self]) -> NodeExplained {
        let parent = self.node.parent.map(|parent| &tree[parent]);
        let before = parent.and_then(|parent| parent.position.as_ref());
        let name = |before: Option<&G::Position>, mv: G::Move| {
            before.map_or_else(MoveText::default, |before| game.move_text(before, mv))
        };
        let after = self.moves.iter().filter_map(|mv| Some(game.apply(before?, *mv)));
        let positions: Vec<_> = match &self.position {
            Some(position) => vec![position.clone()],
            None => after.collect(),
        };
        let claim = self.claim.map(|BoundedValue { bound, value }| match before {
            Some(_) => (value.parent(game), bound.negated()),
            None => (value, bound),
        });
        let truth = self.position.as_ref().and_then(|position| game.truth(position));
        let truth = if before.is_some() { truth.map(TrueValue::parent) } else { truth };
        let reply = self.reply.map(|mv| name(self.position.as_ref(), mv));
        let cutoff = self.node.cutoff.clone().zip(reply.clone());
        NodeExplained {
            moves: self.moves.iter().map(|mv| name(before, *mv)).collect(),
            side: positions.first().map_or(Side::White, |position| game.side(position)),
            states: positions.iter().map(|position| game.format_position(position)).collect(),
            value: claim.map(|(value, _)| value),
            bound: claim.map(|(_, bound)| bound.name()),
            truth: Truth::beside(truth, claim),
            cutoff: cutoff.map(|(cut, mv)| CutBy { mv, ..cut }),
            reply,
            ..self.node.clone()
        }
    }
}

/// Builds the tree of the last iteration from the events of the search.
#[derive(Clone, Debug)]
pub struct TreeBuilder<G: Game> {
    game: G,
    most_plies: u32,
    most_nodes: usize,
    algorithm: Algorithm,
    /// Lines of moves whose nodes keep their children after they are left; `None`: all nodes do.
    pub(super) open: Option<Vec<Vec<G::Move>>>,
    /// The first iteration whose tree is built.
    pub(super) from: u8,
    /// The nodes on the search stack by ply; `None` where a node is not kept.
    stack: Vec<Option<usize>>,
    pub(crate) branches: Vec<Branch<G>>,
    /// The depth of the iteration, in plies from the root.
    pub(crate) depth: u8,
    /// The number of nodes that were left out because the tree was full.
    pub(crate) omitted: u64,
}

impl<G: Game> TreeBuilder<G> {
    /// A builder to watch a search from its first event on.
    pub fn new(game: G, algorithm: Algorithm, most_plies: u32, most_nodes: usize) -> Self {
        Self {
            game,
            most_plies,
            most_nodes,
            algorithm,
            open: None,
            from: 0,
            stack: Vec::new(),
            branches: Vec::new(),
            depth: 0,
            omitted: 0,
        }
    }

    /// A builder that, from iteration `from` on, keeps the children of nodes on these lines and on the stack, and of nodes
    /// with at least one percent of the nodes of the first line.
    pub fn along(game: G, algorithm: Algorithm, lines: Vec<Vec<G::Move>>, from: u8) -> Self {
        let all = Self::new(game, algorithm, u32::MAX, usize::MAX);
        Self { open: Some(lines), from, ..all }
    }

    /// The nodes on the search stack, from the root.
    pub fn stack(&self, search: &Search<G>) -> &[Option<usize>] {
        &self.stack[..self.stack.len().min(search.frames().len())]
    }

    /// Whether the line that ends with this move of the node is the beginning of one of the lines in `open`.
    fn is_open(&self, node: usize, mv: G::Move) -> bool {
        let Some(lines) = &self.open else { return true };
        let branch = &self.branches[node];
        if !branch.keeps_children {
            return false;
        }
        let above = self.stack[1..=branch.node.ply as usize].iter().flatten();
        let mut path: Vec<_> = above.filter_map(|at| self.branches[*at].moves.first()).collect();
        path.push(&mv);
        lines.iter().any(|line| line.iter().take(path.len()).eq(path.iter().copied()))
    }

    /// The first of the lines in `open`; the root's without lines.
    fn first_line(&self) -> &[G::Move] {
        self.open.as_ref().and_then(|lines| lines.first()).map_or(&[][..], Vec::as_slice)
    }

    /// Whether a node that is left has enough nodes so far for its children to be kept. The node's share can only shrink later.
    fn is_large(&self, node: usize, search: &Search<G>) -> bool {
        let line = self.first_line();
        let Some(first) = self.at(line.len() as u32) else { return false };
        let above = self.stack[1..=line.len()].iter().flatten();
        let is_below = above.filter_map(|at| self.branches[*at].moves.first()).eq(line);
        let whole = self.branches[first].nodes_so_far(search);
        is_below && 100 * self.branches[node].node.nodes >= whole
    }

    /// For each node, whether its parent is on the stack, on an open line, or has at least the percentage `share` of the nodes
    /// of the first line, and all above do too.
    pub fn shown(&self, search: &Search<G>, share: Option<u64>) -> Vec<bool> {
        let stack = self.stack(search);
        let is_child = |branch: &Branch<G>, parent, mv| {
            branch.node.parent == Some(parent) && branch.moves.as_slice() == [mv]
        };
        let child = |parent, mv: &G::Move| {
            self.branches.iter().position(|branch| is_child(branch, parent, *mv))
        };
        let nodes = |place: usize| match &self.branches[place] {
            branch if stack.contains(&Some(place)) => branch.nodes_so_far(search),
            branch => branch.node.nodes,
        };
        let first = self.first_line().iter().try_fold(0, child);
        let first = first.filter(|first| *first < self.branches.len());
        let least = share.map(|share| share * first.map_or(0, nodes));
        let is_open = |place: usize| {
            let is_large = least.is_some_and(|least| 100 * nodes(place) >= least);
            self.branches[place].keeps_children || is_large || stack.contains(&Some(place))
        };
        let mut shown = Vec::with_capacity(self.branches.len());
        for branch in &self.branches {
            shown.push(branch.node.parent.is_none_or(|parent| shown[parent] && is_open(parent)));
        }
        shown
    }

    /// Removes the last child of a node, because it is re-searched; returns the nodes of its first search.
    fn begin_again(&mut self, parent: usize) -> u64 {
        let last = self.branches.iter().rposition(|branch| branch.node.parent == Some(parent));
        let from = last.unwrap_or(self.branches.len());
        self.branches.drain(from..).next().map_or(0, |branch| branch.node.nodes)
    }

    /// Starts the tree of a new search, iteration or pass.
    fn begin(&mut self, event: &Event, search: &Search<G>) {
        self.branches.clear();
        self.depth = event.depth;
        self.omitted = 0;
        let mut root = Branch::new(None, 0, search.full_window());
        (root.node.depth, root.node.event) = (event.depth, Some(event.index));
        root.position = Some(search.root().clone());
        root.nodes_before = nodes_before(event, search);
        self.branches.push(root);
        self.stack = vec![Some(0)];
    }

    /// Adds a node as a child of the last one kept on the stack, if there is room. Without room, `branch` is not called.
    fn add(&mut self, ply: u32, branch: impl FnOnce(usize) -> Branch<G>) -> Option<usize> {
        if ply > self.most_plies {
            return None;
        }
        let has_room = self.branches.len() < self.most_nodes;
        let Some(parent) = self.at(ply.checked_sub(1)?).filter(|_| has_room) else {
            self.omitted += 1;
            return None;
        };
        self.branches.push(branch(parent));
        Some(self.branches.len() - 1)
    }

    fn at(&self, ply: u32) -> Option<usize> {
        self.stack.get(ply as usize).copied().flatten()
    }

    fn descend(&mut self, event: &Event, search: &Search<G>) {
        let Some(frame) = search.frames().last() else { return };
        let parent = search.frames().iter().rev().nth(1);
        let mv = parent.and_then(|parent| search.current_move(parent));
        let ply = event.ply;
        let parent_place = self.at(ply - 1);
        let is_research = self.open.is_some() && parent.is_some_and(|parent| parent.research);
        let earlier = parent_place.filter(|_| is_research);
        let earlier = earlier.map_or(0, |place| self.begin_again(place));
        let keeps_children =
            parent_place.zip(mv).is_some_and(|(place, mv)| self.is_open(place, mv));
        let algorithm = self.algorithm;
        let place = self.add(ply, |above| {
            let mut branch = Branch::new(Some(above), ply, frame.window);
            if let Some(parent) = parent {
                branch.node.treatment = parent.treatment;
                branch.node.again = parent.research;
                branch.node.is_scout = parent.is_scout(algorithm);
            }
            (branch.node.depth, branch.node.event) = (event.depth, Some(event.index));
            // `nodes_so_far` adds the nodes of this search to those of the first, so that `nodes` covers both.
            (branch.node.nodes, branch.node.earlier) = (earlier, earlier);
            branch.moves.extend(mv);
            branch.position = Some(frame.position.clone());
            branch.nodes_before = nodes_before(event, search);
            branch.keeps_children = keeps_children;
            branch
        });
        self.stack.resize(ply as usize, None);
        self.stack.push(place);
    }

    /// Sets a node's value, and its outcome except `Inner`, which must not overwrite a known outcome.
    fn set_value(&mut self, ply: u32, value: Score, outcome: NodeOutcome) {
        let Some(place) = self.at(ply) else { return };
        let Branch { node, claim, .. } = &mut self.branches[place];
        if outcome != NodeOutcome::Inner {
            node.kind = outcome;
        }
        let mut found = BoundedValue::of(value, node.window);
        if matches!(node.kind, NodeOutcome::Leaf | NodeOutcome::Terminal | NodeOutcome::Tables) {
            found.bound = Bound::Exact;
        }
        *claim = Some(found);
    }

    /// Handles a value that a child has returned to its parent.
    fn come_back(&mut self, event: &Event, search: &Search<G>) {
        let (ply, Some(value)) = (event.ply, event.value) else { return };
        if G::IS_TRACE && event.kind == EventKind::Cutoff {
            // In a trace, a separate event has returned the value.
            self.cut_off(ply, value, event.window.beta);
            return;
        }
        // Nodes below the child may have been removed when the child's children were left.
        self.stack.truncate(ply as usize + 2);
        self.set_value(ply + 1, value.child(&self.game), NodeOutcome::Inner);
        let child = self.at(ply + 1);
        if let Some(place) = child {
            self.leave(place, search);
        }
        if let (Some(place), Some(child)) = (self.at(ply), child)
            && (event.raises() || event.kind == EventKind::Cutoff)
        {
            self.branches[place].reply = self.branches[child].moves.first().copied();
        }
        if G::IS_TRACE && !event.raises() {
            self.follow_best(ply, search);
        }
        if let (Some(place), true) = (self.at(ply), event.raises()) {
            // `branches` is in search order, so the children of a node on the stack come after the node.
            for (at, Branch { node, .. }) in self.branches.iter_mut().enumerate().skip(place) {
                if node.parent == Some(place) {
                    node.best = Some(at) == child;
                }
            }
        }
        if ply == 0 {
            self.branches[0].claim =
                Some(BoundedValue { bound: Bound::Exact, value: event.window.alpha.max(value) });
        }
        if let (EventKind::Cutoff, Some(frame)) = (event.kind, search.frames().last()) {
            self.cut_off(ply, value, event.window.beta);
            self.spare(ply, frame, &search.moves_of(frame)[frame.entered()..]);
        }
    }

    /// In a trace, another move may become the best one again, when a re-search returned less than the first search.
    fn follow_best(&mut self, ply: u32, search: &Search<G>) {
        let (Some(place), Some(frame)) = (self.at(ply), search.frames().last()) else { return };
        let best = frame.best_move();
        if self.branches[place].reply == best {
            return;
        }
        self.branches[place].reply = best;
        let is_child = |branch: &Branch<G>| branch.node.parent == Some(place);
        let best = self.branches.iter().rposition(|branch| {
            is_child(branch) && best.is_some() && branch.moves.first() == best.as_ref()
        });
        for (at, branch) in self.branches.iter_mut().enumerate().skip(place) {
            if branch.node.parent == Some(place) {
                branch.node.best = Some(at) == best;
            }
        }
    }

    /// Records that a value has reached β of a node; `explained` fills in the move.
    fn cut_off(&mut self, ply: u32, value: Score, beta: Score) {
        if let Some(place) = self.at(ply) {
            self.branches[place].node.cutoff = Some(CutBy { mv: MoveText::default(), value, beta });
        }
    }

    /// Handles a node that is left: counts its nodes, and drops its children unless they are to be kept.
    fn leave(&mut self, place: usize, search: &Search<G>) {
        let branch = &mut self.branches[place];
        branch.node.nodes = branch.nodes_so_far(search);
        if !branch.keeps_children && !self.is_large(place, search) {
            self.branches.truncate(place + 1);
        }
    }

    /// Adds a group of moves of a node that are not searched.
    fn spare(&mut self, ply: u32, frame: &Frame<G>, spared: &[G::Move]) {
        if spared.is_empty() {
            return;
        }
        let window = frame.child_window(&self.game, self.algorithm);
        self.add(ply + 1, |above| Branch::unsearched(above, ply + 1, spared, window));
    }

    /// Adds a move that a traced program skipped. Moves skipped one after another for the same reason are one group.
    fn skip(&mut self, event: &Event, mv: G::Move) {
        let trace = self.game.trace();
        let at_event = |name| trace?.field_at(trace?.field(name, false)?, event.index);
        let reason = match at_event("r") {
            Some(FieldValue::Text(reason)) => Some(reason),
            _ => None,
        };
        let Some(parent) = self.at(event.ply) else { return };
        if let Some(last) = self.branches.last_mut().filter(|last| {
            let same = last.node.parent == Some(parent) && last.node.reason == reason;
            same && last.node.kind == NodeOutcome::NotSearched
        }) {
            last.moves.push(mv);
            return;
        }
        let ply = event.ply + 1;
        let place = self.add(ply, |above| Branch::unsearched(above, ply, &[mv], Window::INFINITE));
        if let Some(place) = place {
            self.branches[place].node.reason = reason;
        }
    }
}

/// Nodes visited before the current one; a trace counts a node as soon as it is entered.
fn nodes_before<G: Game>(event: &Event, search: &Search<G>) -> u64 {
    search.counters.nodes - u64::from(G::IS_TRACE && event.kind == EventKind::Descend)
}

impl<G: Game> Watcher<Search<G>> for TreeBuilder<G> {
    fn wants(&self, kind: EventKind, ply: u32) -> bool {
        let begins = matches!(kind, EventKind::Iteration | EventKind::Pass) || ply == 0;
        ply <= self.most_plies && (begins || self.depth >= self.from)
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let ply = event.ply;
        match (event.kind, event.value) {
            (EventKind::Iteration | EventKind::Pass, _) => self.begin(event, search),
            // In a search for a value alone, the root is entered like any other node.
            (EventKind::Descend, _) if event.ply == 0 => self.begin(event, search),
            _ if self.branches.is_empty() || self.depth < self.from => {}
            (EventKind::Descend, _) => self.descend(event, search),
            (EventKind::Hit, Some(value)) => self.set_value(ply, value, NodeOutcome::Hit),
            (EventKind::Leaf, Some(value)) => self.set_value(ply, value, NodeOutcome::Leaf),
            (EventKind::StandPat, Some(value)) => self.set_value(ply, value, NodeOutcome::StandPat),
            (EventKind::Leave, Some(value)) => self.set_value(ply, value, NodeOutcome::Inner),
            (EventKind::Terminal, Some(value)) => self.set_value(ply, value, NodeOutcome::Terminal),
            (EventKind::Tables, Some(value)) => self.set_value(ply, value, NodeOutcome::Tables),
            (EventKind::Invalid, _) => {
                let frame = search.frames().last();
                let invalid = frame.is_some_and(|frame| frame.outcome == ProbeOutcome::Invalid);
                if let Some(place) = self.at(event.ply) {
                    self.branches[place].node.invalid = invalid;
                }
            }
            (EventKind::Prune, _) => {
                let last = search.frames().last();
                match last.and_then(|it| Some((it, search.current_move(it)?))) {
                    Some((_, mv)) if G::IS_TRACE => self.skip(event, mv),
                    Some((frame, mv)) => self.spare(event.ply, frame, &[mv]),
                    None => {}
                }
            }
            (kind, _) if kind.came_back() => self.come_back(event, search),
            _ => {}
        }
        false
    }
}
