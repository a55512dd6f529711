//! The tree that a search explored, as far as it is wanted.

use serde::Serialize;
use strum::IntoStaticStr;

use crate::engine::{
    audit::Claim,
    game::{Game, Score, Window},
    memo::Bound,
    search::{Algorithm, Event, EventKind, Frame, Outcome, Search, Treatment, Watcher},
};

/// How much of a tree is kept.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Plies from the root.
    pub plies: u32,
    /// Nodes.
    pub nodes: usize,
}

impl Extent {
    const ALL: Self = Self { plies: u32::MAX, nodes: usize::MAX };
}

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Fate {
    /// Its moves are being searched; of a tree that grows this is `Inner` until it is told.
    UnderWay,
    /// Its moves were searched.
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

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct Branch<G: Game> {
    /// Its parent's place in the list; none for the root.
    pub parent: Option<usize>,
    /// Distance from the root.
    pub ply: u32,
    /// The moves that lead here: one, or all that a cutoff spared.
    pub moves: Vec<G::Move>,
    /// The position; none where nothing was searched.
    pub position: Option<G::Position>,
    /// Remaining depth.
    pub depth: u8,
    /// The event that entered it last.
    pub event: Option<u64>,
    /// The window it was asked for.
    pub asked: Window,
    /// What it is worth to the side to move, once that is known.
    pub claim: Option<Claim>,
    /// What became of it.
    pub fate: Fate,
    /// Where one of its moves cut off the others: the value that did, and the β that it reached.
    pub cutoff: Option<(Score, Score)>,
    /// The best of its moves so far, or the one that cut off the others.
    pub reply: Option<G::Move>,
    /// Whether it is its parent's best.
    pub best: bool,
    /// Whether the memo had an entry that could not answer.
    pub invalid: bool,
    /// How selective search treats its move, whether that is searched again, and whether with a zero window.
    pub treated: (Treatment, bool, bool),
    /// States visited in it, once it is left; where it was searched again, each time together.
    pub nodes: u64,
    /// Those visited when it was searched the first time, of which nothing else is kept.
    pub earlier: u64,
    /// States visited before it was entered last.
    entered: u64,
    /// Whether its moves are kept after it is left.
    open: bool,
}

impl<G: Game> Branch<G> {
    /// Moves of a node that are not searched.
    pub fn unsearched(parent: usize, ply: u32, moves: &[G::Move]) -> Self {
        let moves = moves.to_vec();
        Self { moves, fate: Fate::Spared, ..Self::new(Some(parent), ply, Window::INFINITE) }
    }

    /// States visited in it so far, while it is under way.
    pub fn nodes_so_far(&self, search: &Search<G>) -> u64 {
        self.nodes + search.counters.nodes - self.entered
    }

    /// A node of which nothing is known yet.
    fn new(parent: Option<usize>, ply: u32, asked: Window) -> Self {
        Self {
            parent,
            ply,
            moves: Vec::new(),
            position: None,
            depth: 0,
            event: None,
            asked,
            claim: None,
            fate: Fate::Inner,
            cutoff: None,
            reply: None,
            best: false,
            invalid: false,
            treated: (Treatment::Full, false, false),
            nodes: 0,
            earlier: 0,
            entered: 0,
            open: true,
        }
    }
}

/// Grows the tree of the last iteration.
#[derive(Debug)]
pub struct Grower<G: Game> {
    game: G,
    extent: Extent,
    algorithm: Algorithm,
    /// Lines of moves whose nodes keep their children; of other nodes only those under way have them. All have where nothing
    /// is said.
    open: Option<Vec<Vec<String>>>,
    /// The first iteration whose tree is wanted.
    from: u8,
    /// For each ply the node under way there; none where it is not kept.
    way: Vec<Option<usize>>,
    /// The nodes.
    pub branches: Vec<Branch<G>>,
    /// Plies from the root of the iteration.
    pub depth: u8,
    /// Nodes within the plies wanted that were not kept.
    pub omitted: u64,
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

    /// The same for a tree in which the line under way has all its nodes' children, and so have the nodes on these lines,
    /// from an iteration on.
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
        let above = self.way[1..=branch.ply as usize].iter().flatten();
        let mut path: Vec<_> = above.map(|place| self.named(*place)).collect();
        path.push(self.game.format_move(position, mv));
        lines.iter().any(|line| line.starts_with(&path))
    }

    /// The move that leads to a node.
    fn named(&self, place: usize) -> String {
        let branch = &self.branches[place];
        let before = branch.parent.and_then(|parent| self.branches[parent].position.as_ref());
        let name = before.zip(branch.moves.first()).map(|(at, mv)| self.game.format_move(at, *mv));
        name.unwrap_or_default()
    }

    /// Gives up the node of a move that is searched again: how many states that took.
    fn begin_again(&mut self, parent: usize) -> u64 {
        let first = self.branches.iter().rposition(|branch| branch.parent == Some(parent));
        first.map_or(0, |place| {
            let nodes = self.branches[place].nodes;
            self.branches.truncate(place);
            nodes
        })
    }

    /// A search or an iteration begins: the tree of the one before is given up.
    fn plant(&mut self, event: &Event, search: &Search<G>) {
        self.branches.clear();
        self.depth = event.depth;
        self.omitted = 0;
        self.branches.push(Branch {
            position: Some(search.root().clone()),
            depth: event.depth,
            event: Some(event.index),
            entered: visited_before(event, search),
            ..Branch::new(None, 0, search.full_window())
        });
        self.way = vec![Some(0)];
    }

    /// Keeps a node if there is room.
    fn add(&mut self, ply: u32, branch: impl FnOnce(usize) -> Branch<G>) -> Option<usize> {
        if ply > self.extent.plies {
            return None;
        }
        let parent = self.at(ply.checked_sub(1)?);
        let room = self.branches.len() < self.extent.nodes;
        let Some(parent) = parent.filter(|_| room) else {
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
        let treated =
            |parent: &Frame<G>| (parent.treatment, parent.again, parent.scouts(self.algorithm));
        let treated = parent.map_or((Treatment::Full, false, false), treated);
        let open = above.zip(mv).is_some_and(|(above, mv)| self.is_open(above, mv));
        let place = self.add(ply, |parent| Branch {
            moves: mv.into_iter().collect(),
            position: Some(frame.position.clone()),
            depth: event.depth,
            event: Some(event.index),
            treated,
            nodes: earlier,
            earlier,
            entered: visited_before(event, search),
            open,
            ..Branch::new(Some(parent), ply, frame.window)
        });
        self.way.resize(ply as usize, None);
        self.way.push(place);
    }

    /// A node's value is known. What became of a node whose moves were searched, or not even they, is known already.
    fn settle(&mut self, ply: u32, value: Score, fate: Fate) {
        let Some(place) = self.at(ply) else {
            return;
        };
        let branch = &mut self.branches[place];
        if fate != Fate::Inner {
            branch.fate = fate;
        }
        let mut claim = Claim::of(value, branch.asked);
        if matches!(branch.fate, Fate::Leaf | Fate::Terminal) {
            claim.bound = Bound::Exact;
        }
        branch.claim = Some(claim);
    }

    /// A value has come back to a node.
    fn come_back(&mut self, event: &Event, search: &Search<G>) {
        let (ply, Some(value)) = (event.ply, event.value) else {
            return;
        };
        if G::TOLD && event.kind == EventKind::Cutoff {
            // The value came back by an event of its own.
            if let Some(place) = self.at(ply) {
                self.branches[place].cutoff = Some((value, event.window.beta));
            }
            return;
        }
        self.settle(ply + 1, value.child(&self.game), Fate::Inner);
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
            for branch in self.branches.iter_mut().filter(|branch| branch.parent == Some(place)) {
                branch.best = false;
            }
            if let Some(child) = child {
                self.branches[child].best = true;
            }
        }
        if ply == 0 {
            self.branches[0].claim =
                Some(Claim { bound: Bound::Exact, value: event.window.alpha.max(value) });
        }
        if let (EventKind::Cutoff, Some(frame)) = (event.kind, search.frames().last()) {
            if let Some(place) = self.at(ply) {
                self.branches[place].cutoff = Some((value, event.window.beta));
            }
            self.spare(ply, frame, &search.moves_of(frame)[frame.entered()..]);
        }
    }

    /// A node is left: what was visited in it is known, and its moves are given up where nobody asked for them.
    fn leave(&mut self, place: usize, search: &Search<G>) {
        let branch = &mut self.branches[place];
        branch.nodes = branch.nodes_so_far(search);
        if !branch.open {
            self.branches.truncate(place + 1);
        }
    }

    /// These moves of a node are not searched.
    fn spare(&mut self, ply: u32, frame: &Frame<G>, spared: &[G::Move]) {
        if spared.is_empty() {
            return;
        }
        let asked = frame.asks(&self.game, self.algorithm);
        self.add(ply + 1, |parent| Branch { asked, ..Branch::unsearched(parent, ply + 1, spared) });
    }
}

/// States visited before the node at hand, which a search that is told counts as soon as it is entered.
fn visited_before<G: Game>(event: &Event, search: &Search<G>) -> u64 {
    search.counters.nodes - u64::from(G::TOLD && event.kind == EventKind::Descend)
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
            (EventKind::Hit, Some(value)) => self.settle(event.ply, value, Fate::Hit),
            (EventKind::Leaf, Some(value)) => self.settle(event.ply, value, Fate::Leaf),
            (EventKind::StandPat, Some(value)) => self.settle(event.ply, value, Fate::StandPat),
            (EventKind::Leave, Some(value)) => self.settle(event.ply, value, Fate::Inner),
            (EventKind::Terminal, Some(value)) => self.settle(event.ply, value, Fate::Terminal),
            (EventKind::Invalid, _) => {
                let frame = search.frames().last();
                let invalid = frame.is_some_and(|frame| frame.outcome == Outcome::Invalid);
                if let Some(place) = self.at(event.ply) {
                    self.branches[place].invalid = invalid;
                }
            }
            (EventKind::Prune, _) => {
                if let Some((frame, mv)) = search
                    .frames()
                    .last()
                    .and_then(|frame| Some((frame, search.current_move(frame)?)))
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
