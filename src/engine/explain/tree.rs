//! The tree that a search explored, as far as it is wanted.

use serde::Serialize;
use strum::IntoStaticStr;

use crate::engine::{
    audit::Claim,
    core::game::is_default,
    game::{Game, Score, Side, Window},
    search::{Algorithm, Event, EventKind, Frame, MoveTreatment, ProbeOutcome, Search, Watcher},
    table::Bound,
};

/// How much of a tree is kept.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// From the root.
    pub(crate) plies: u32,
    pub(crate) nodes: usize,
}

impl Extent {
    const ALL: Self = Self { plies: u32::MAX, nodes: usize::MAX };
}

/// What became of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Fate {
    /// Its moves are being searched; of a tree that grows this is `Inner` until it is told.
    UnderWay,
    /// Its moves were searched.
    #[default]
    Inner,
    /// The heuristic or a learned value.
    Leaf,
    /// Beyond the horizon the side to move kept the static value.
    StandPat,
    /// The game is over.
    Terminal,
    /// The cache answered.
    Hit,
    /// It is still to be searched.
    ToCome,
    /// It was never looked at, for a sibling cut it off.
    Spared,
}

/// A node of it, or moves of one parent that nobody has searched.
#[derive(Clone, Debug, Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a field of the reply")]
pub struct NodeExplained {
    /// The parent's index; `None` for the root.
    pub parent: Option<usize>,
    /// Distance from the root.
    pub ply: u32,
    /// Remaining depth.
    pub(crate) depth: u8,
    /// The event that entered it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<u64>,
    /// The move that leads here, or several that were not searched.
    pub(crate) moves: Vec<String>,
    /// The positions after them.
    pub states: Vec<String>,
    pub(crate) side: Side,
    /// What became of it.
    pub kind: Fate,
    /// The window that it was searched with, for its side to move; of a node under way, the window in force.
    #[serde(flatten)]
    pub window: Window,
    /// The value for the side that made the move; for the root, and in pictures, for the side to move.
    pub value: Option<Score>,
    /// `exact`, `lower` or `upper`.
    pub bound: Option<&'static str>,
    /// Whether it is its parent's best move so far.
    pub(crate) best: bool,
    /// The best reply, or the one that caused a cutoff.
    pub(crate) reply: Option<String>,
    /// The move that cut it off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cutoff: Option<CutBy>,
    /// Nodes visited in it, in all searches of it in this iteration.
    pub(crate) nodes: u64,
    /// Nodes of its first search, if it was re-searched; its children are those of the second.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) earlier: u64,
    /// How selective search treats the move: `null`, `reduced` or `extended`.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) treatment: MoveTreatment,
    /// Whether it was re-searched.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) again: bool,
    /// Whether it was searched with a zero window.
    #[serde(rename = "scouts", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_scout: bool,
    /// Whether a cache entry was found whose depth or bound does not suffice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) invalid: bool,
}

/// A move that spared a node its other moves.
#[derive(Clone, Debug, Serialize)]
pub struct CutBy {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) value: Score,
    pub(crate) beta: Score,
}

/// A node of the tree as it grows, and what it takes to put it into words.
#[derive(Clone, Debug)]
pub struct Branch<G: Game> {
    /// Everything but moves, positions and value.
    pub(crate) node: NodeExplained,
    /// The move that leads here, or all that a cutoff saved.
    pub(crate) moves: Vec<G::Move>,
    /// `None` where nothing was searched.
    pub(crate) position: Option<G::Position>,
    /// The value for the side to move.
    pub(crate) claim: Option<Claim>,
    /// The best of its moves so far, or the one that cut off the others.
    reply: Option<G::Move>,
    /// States visited before it was entered last.
    entered: u64,
    /// Whether its moves are kept after it is left.
    open: bool,
}

impl<G: Game> Branch<G> {
    /// A node that was asked for this window.
    fn new(parent: Option<usize>, ply: u32, window: Window) -> Self {
        Self {
            node: NodeExplained { parent, ply, window, ..NodeExplained::default() },
            moves: Vec::new(),
            position: None,
            claim: None,
            reply: None,
            entered: 0,
            open: true,
        }
    }

    /// Moves of a node that are not searched.
    pub fn unsearched(parent: usize, ply: u32, moves: &[G::Move], asked: Window) -> Self {
        let mut branch = Self::new(Some(parent), ply, asked);
        branch.node.kind = Fate::Spared;
        Self { moves: moves.to_vec(), ..branch }
    }

    /// States visited in it so far, while it is under way.
    pub fn nodes_so_far(&self, search: &Search<G>) -> u64 {
        self.node.nodes + search.counters.nodes - self.entered
    }

    /// It in words, among all nodes of its tree. Its value is told as its parent sees it.
    pub fn told(&self, game: &G, tree: &[Self]) -> NodeExplained {
        let parent = self.node.parent.map(|parent| &tree[parent]);
        let before = parent.and_then(|parent| parent.position.as_ref());
        let name = |at: Option<&G::Position>, mv: G::Move| {
            at.map_or_else(String::new, |at| game.format_move(at, mv))
        };
        let after = self.moves.iter().filter_map(|mv| Some(game.apply(before?, *mv)));
        let positions: Vec<_> = match &self.position {
            Some(position) => vec![position.clone()],
            None => after.collect(),
        };
        let claim = self.claim.map(|Claim { bound, value }| match before {
            Some(_) => (value.parent(game), bound.negated().name()),
            None => (value, bound.name()),
        });
        let reply = self.reply.map(|mv| name(self.position.as_ref(), mv));
        let cutoff = self.node.cutoff.clone().zip(reply.clone());
        NodeExplained {
            moves: self.moves.iter().map(|mv| name(before, *mv)).collect(),
            side: positions.first().map_or(Side::White, |position| game.side(position)),
            states: positions.iter().map(|position| game.format_position(position)).collect(),
            value: claim.map(|(value, _)| value),
            bound: claim.map(|(_, bound)| bound),
            cutoff: cutoff.map(|(cut, mv)| CutBy { mv, ..cut }),
            reply,
            ..self.node.clone()
        }
    }
}

/// Grows the tree of the last iteration.
#[derive(Debug)]
pub struct Grower<G: Game> {
    game: G,
    extent: Extent,
    algorithm: Algorithm,
    /// Lines of moves whose nodes keep their children once they are left; all do where nothing is said.
    pub(super) open: Option<Vec<Vec<String>>>,
    /// The first iteration whose tree is wanted.
    pub(super) from: u8,
    /// For each ply the node under way there; none where it is not kept.
    way: Vec<Option<usize>>,
    pub(crate) branches: Vec<Branch<G>>,
    /// Plies from the root of the iteration.
    pub(crate) depth: u8,
    /// Nodes within the wanted plies for which there was no room.
    pub(crate) omitted: u64,
}

impl<G: Game> Grower<G> {
    /// Before the first event of a search.
    pub fn new(game: G, algorithm: Algorithm, extent: Extent) -> Self {
        Self {
            game,
            extent,
            algorithm,
            open: None,
            from: 0,
            way: Vec::new(),
            branches: Vec::new(),
            depth: 0,
            omitted: 0,
        }
    }

    /// The same where the nodes on these lines and on that under way have all their children, from an iteration on.
    pub fn along(game: G, algorithm: Algorithm, lines: Vec<Vec<String>>, from: u8) -> Self {
        Self { open: Some(lines), from, ..Self::new(game, algorithm, Extent::ALL) }
    }

    /// The nodes from the root to the one that a search under way stands at.
    pub fn way(&self, search: &Search<G>) -> &[Option<usize>] {
        &self.way[..self.way.len().min(search.frames().len())]
    }

    /// Whether a move leads from a node along one of the lines that keep their children.
    fn is_open(&self, node: usize, mv: G::Move) -> bool {
        let Some(lines) = &self.open else {
            return true;
        };
        let branch = &self.branches[node];
        let Some(position) = branch.position.as_ref().filter(|_| branch.open) else {
            return false;
        };
        let above = self.way[1..=branch.node.ply as usize].iter().flatten();
        let mut path: Vec<_> = above.map(|place| self.named(*place)).collect();
        path.push(self.game.format_move(position, mv));
        lines.iter().any(|line| line.starts_with(&path))
    }

    /// The move that leads to a node.
    fn named(&self, place: usize) -> String {
        let branch = &self.branches[place];
        let before = branch.node.parent.and_then(|parent| self.branches[parent].position.as_ref());
        let name = before.zip(branch.moves.first()).map(|(at, mv)| self.game.format_move(at, *mv));
        name.unwrap_or_default()
    }

    /// Gives up the node of a move that is searched again: how many states that took.
    fn begin_again(&mut self, parent: usize) -> u64 {
        let first = self.branches.iter().rposition(|branch| branch.node.parent == Some(parent));
        first.map_or(0, |place| {
            let nodes = self.branches[place].node.nodes;
            self.branches.truncate(place);
            nodes
        })
    }

    /// A search or an iteration begins: the tree of the one before is given up.
    fn plant(&mut self, event: &Event, search: &Search<G>) {
        self.branches.clear();
        self.depth = event.depth;
        self.omitted = 0;
        let mut root = Branch::new(None, 0, search.full_window());
        (root.node.depth, root.node.event) = (event.depth, Some(event.index));
        root.position = Some(search.root().clone());
        root.entered = visited_before(event, search);
        self.branches.push(root);
        self.way = vec![Some(0)];
    }

    /// Keeps a node, below the one that is under way above it, if there is room: only then it is made.
    fn add(&mut self, ply: u32, branch: impl FnOnce(usize) -> Branch<G>) -> Option<usize> {
        if ply > self.extent.plies {
            return None;
        }
        let has_room = self.branches.len() < self.extent.nodes;
        let Some(parent) = self.at(ply.checked_sub(1)?).filter(|_| has_room) else {
            self.omitted += 1;
            return None;
        };
        self.branches.push(branch(parent));
        Some(self.branches.len() - 1)
    }

    fn at(&self, ply: u32) -> Option<usize> {
        self.way.get(ply as usize).copied().flatten()
    }

    fn descend(&mut self, event: &Event, search: &Search<G>) {
        let Some(frame) = search.frames().last() else {
            return;
        };
        let parent = search.frames().iter().rev().nth(1);
        let mv = parent.and_then(|parent| search.current_move(parent));
        let ply = event.ply;
        let above = self.at(ply - 1);
        let again = self.open.is_some() && parent.is_some_and(|parent| parent.again);
        let earlier = above.filter(|_| again).map_or(0, |above| self.begin_again(above));
        let open = above.zip(mv).is_some_and(|(above, mv)| self.is_open(above, mv));
        let algorithm = self.algorithm;
        let place = self.add(ply, |above| {
            let mut branch = Branch::new(Some(above), ply, frame.window);
            if let Some(parent) = parent {
                branch.node.treatment = parent.treatment;
                branch.node.again = parent.again;
                branch.node.is_scout = parent.is_scout(algorithm);
            }
            (branch.node.depth, branch.node.event) = (event.depth, Some(event.index));
            (branch.node.nodes, branch.node.earlier) = (earlier, earlier);
            branch.moves.extend(mv);
            branch.position = Some(frame.position.clone());
            (branch.entered, branch.open) = (visited_before(event, search), open);
            branch
        });
        self.way.resize(ply as usize, None);
        self.way.push(place);
    }

    /// A node's value is known. What became of a node whose moves were searched, or not even they, is known already.
    fn set_value(&mut self, ply: u32, value: Score, fate: Fate) {
        let Some(place) = self.at(ply) else {
            return;
        };
        let Branch { node, claim, .. } = &mut self.branches[place];
        if fate != Fate::Inner {
            node.kind = fate;
        }
        let mut found = Claim::of(value, node.window);
        if matches!(node.kind, Fate::Leaf | Fate::Terminal) {
            found.bound = Bound::Exact;
        }
        *claim = Some(found);
    }

    /// A value has come back to a node.
    fn come_back(&mut self, event: &Event, search: &Search<G>) {
        let (ply, Some(value)) = (event.ply, event.value) else {
            return;
        };
        if G::IS_TRACE && event.kind == EventKind::Cutoff {
            // The value came back by an event of its own.
            self.cut_off(ply, value, event.window.beta);
            return;
        }
        self.set_value(ply + 1, value.child(&self.game), Fate::Inner);
        let child = self.at(ply + 1);
        if let Some(place) = child {
            self.leave(place, search);
        }
        if let (Some(place), Some(child)) = (self.at(ply), child)
            && (event.raises() || event.kind == EventKind::Cutoff)
        {
            self.branches[place].reply = self.branches[child].moves.first().copied();
        }
        if let (Some(place), true) = (self.at(ply), event.raises()) {
            for (at, Branch { node, .. }) in self.branches.iter_mut().enumerate() {
                if node.parent == Some(place) {
                    node.best = Some(at) == child;
                }
            }
        }
        if ply == 0 {
            self.branches[0].claim =
                Some(Claim { bound: Bound::Exact, value: event.window.alpha.max(value) });
        }
        if let (EventKind::Cutoff, Some(frame)) = (event.kind, search.frames().last()) {
            self.cut_off(ply, value, event.window.beta);
            self.spare(ply, frame, &search.moves_of(frame)[frame.entered()..]);
        }
    }

    /// A value reaches the β of a node. The move that has it is told later.
    fn cut_off(&mut self, ply: u32, value: Score, beta: Score) {
        if let Some(place) = self.at(ply) {
            self.branches[place].node.cutoff = Some(CutBy { mv: String::new(), value, beta });
        }
    }

    /// A node is left: what was visited in it is known, and its moves are given up where nobody asked for them.
    fn leave(&mut self, place: usize, search: &Search<G>) {
        let branch = &mut self.branches[place];
        branch.node.nodes = branch.nodes_so_far(search);
        if !branch.open {
            self.branches.truncate(place + 1);
        }
    }

    /// These moves of a node are not searched.
    fn spare(&mut self, ply: u32, frame: &Frame<G>, spared: &[G::Move]) {
        if spared.is_empty() {
            return;
        }
        let asked = frame.child_window(&self.game, self.algorithm);
        self.add(ply + 1, |above| Branch::unsearched(above, ply + 1, spared, asked));
    }
}

/// States visited before the node at hand, which a search that is told counts as soon as it is entered.
fn visited_before<G: Game>(event: &Event, search: &Search<G>) -> u64 {
    search.counters.nodes - u64::from(G::IS_TRACE && event.kind == EventKind::Descend)
}

impl<G: Game> Watcher<Search<G>> for Grower<G> {
    fn wants(&self, kind: EventKind, ply: u32) -> bool {
        let begins = matches!(kind, EventKind::Iteration | EventKind::Pass) || ply == 0;
        ply <= self.extent.plies && (begins || self.depth >= self.from)
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        match (event.kind, event.value) {
            (EventKind::Iteration | EventKind::Pass, _) => self.plant(event, search),
            // The root of a search for a value alone is entered as any other node is.
            (EventKind::Descend, _) if event.ply == 0 => self.plant(event, search),
            _ if self.branches.is_empty() || self.depth < self.from => {}
            (EventKind::Descend, _) => self.descend(event, search),
            (EventKind::Hit, Some(value)) => self.set_value(event.ply, value, Fate::Hit),
            (EventKind::Leaf, Some(value)) => self.set_value(event.ply, value, Fate::Leaf),
            (EventKind::StandPat, Some(value)) => self.set_value(event.ply, value, Fate::StandPat),
            (EventKind::Leave, Some(value)) => self.set_value(event.ply, value, Fate::Inner),
            (EventKind::Terminal, Some(value)) => self.set_value(event.ply, value, Fate::Terminal),
            (EventKind::Invalid, _) => {
                let frame = search.frames().last();
                let invalid = frame.is_some_and(|frame| frame.outcome == ProbeOutcome::Invalid);
                if let Some(place) = self.at(event.ply) {
                    self.branches[place].node.invalid = invalid;
                }
            }
            (EventKind::Prune, _) => {
                let last = search.frames().last();
                if let Some((frame, mv)) = last.and_then(|it| Some((it, search.current_move(it)?)))
                {
                    self.spare(event.ply, frame, &[mv]);
                }
            }
            (kind, _) if kind.came_back() => self.come_back(event, search),
            _ => {}
        }
        false
    }
}
