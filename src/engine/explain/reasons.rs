//! Why a move is worth what it is: the plain search of the nodes along its line, told move by move.

use serde::Serialize;

use crate::engine::{
    audit::{Claim, Halted, Plain, Remaining},
    game::{Game, History, Score, Side, Term, Weights, Window},
    memo::Bound,
    search::{Event, EventKind, RootMove, Search, Watcher},
    searcher::Root,
};

/// What the plain search says along a line of moves.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Reasons {
    /// The line from the root.
    pub line: Vec<String>,
    /// Ply by ply, from the first node after the root.
    pub plies: Vec<PlyExplained>,
    /// Where the line ends; nothing where the explanation ends earlier.
    pub end: Option<EndExplained>,
    /// What the plain search finds for the line's first move, for the side to move at the root.
    pub plain_value: Option<Score>,
    /// States the plain search visited.
    pub nodes: u64,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// A node of the line.
#[derive(Clone, Debug, Serialize)]
pub struct PlyExplained {
    /// Distance from the root.
    pub ply: u32,
    /// The move that led here.
    pub after: String,
    /// The position.
    pub state: String,
    /// The side to move.
    pub side: Side,
    /// Remaining depth.
    pub depth: u8,
    /// Beyond the horizon, the static value that the side to move may keep instead of making a forcing move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stand_pat: Option<Score>,
    /// Lower bound of the window.
    pub alpha: Score,
    /// Upper bound of the window.
    pub beta: Score,
    /// The value for the side to move.
    pub value: Score,
    /// `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// The best move.
    pub best: Option<String>,
    /// The moves that were searched, in that order.
    pub moves: Vec<MoveExplained>,
    /// The moves that a cutoff spared.
    pub spared: Vec<String>,
}

/// A move of a node. Values are for the side that makes it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveExplained {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth.
    pub value: Score,
    /// `exact`, or only a bound: `lower` or `upper`.
    pub bound: &'static str,
    /// Lower bound of the window when it was searched.
    pub alpha: Score,
    /// Upper bound of that window.
    pub beta: Score,
    /// The answer that refutes it, or its best answer.
    pub reply: Option<String>,
    /// Whether it was better than the moves before it.
    pub raised: bool,
}

/// The end of a line.
#[derive(Clone, Debug, Serialize)]
pub struct EndExplained {
    /// Distance from the root.
    pub ply: u32,
    /// The position.
    pub state: String,
    /// The side to move.
    pub side: Side,
    /// Its value for that side.
    pub value: Score,
    /// What that is worth to the side to move at the root, counted from there.
    pub root_value: Score,
    /// `over`, `learned`, `heuristic` or `stand-pat`: what gives the value.
    pub by: &'static str,
    /// The position in words.
    pub words: String,
    /// The heuristic by terms, where that gives the value.
    pub terms: Vec<Term>,
}

impl MoveExplained {
    /// A move of the root with the value that the search has for it.
    pub fn of_root<G: Game>(
        game: &G,
        root: &G::Position,
        root_move: &RootMove<G>,
        full: Window,
    ) -> Self {
        let next = game.apply(root, root_move.mv);
        Self {
            mv: game.format_move(root, root_move.mv),
            value: root_move.value.unwrap_or(full.alpha),
            bound: root_move.bound.name(),
            alpha: full.alpha,
            beta: full.beta,
            reply: root_move.line.get(1).map(|&mv| game.format_move(&next, mv)),
            raised: false,
        }
    }
}

impl Reasons {
    /// The plain search's reasons for a root move's value. `depth` counts plies from the root; `full` is the search's full
    /// window.
    pub fn of<G: Game>(
        plain: &mut Plain<'_, G>,
        weights: &Weights,
        (root, history): Root<'_, G>,
        (first, depth): (&RootMove<G>, u8),
        full: Window,
    ) -> Self {
        let inside = first.value.is_some_and(|value| full.holds(value));
        let walker = Walker {
            game: plain.context().game,
            weights,
            position: root.clone(),
            history: history.clone(),
            remaining: Remaining::within(depth),
            // At the full window's edges no move exceeds the lower bound, and there would be no line.
            window: if inside { full } else { Window::INFINITE },
            ply: 0,
        };
        let mut reasons = Self::default();
        let halted = reasons.walk(plain, walker, first.mv).err();
        reasons.nodes = plain.nodes();
        reasons.notes.extend(halted.map(|halted| match (halted, plain.limit()) {
            (Halted::Effort, Some(nodes)) => {
                format!("the rest would take more than {nodes} states: --nodes allows for more")
            }
            _ => "interrupted".to_owned(),
        }));
        let claim = first.value.map(|value| Claim { bound: first.bound, value });
        if reasons.plain_value.zip(claim).is_some_and(|(plain, claim)| !claim.allows(plain)) {
            reasons.notes.push(
                "the search and the plain search do not agree on this move: `audit run` finds where they part"
                    .to_owned(),
            );
        }
        reasons
    }

    fn walk<G: Game>(
        &mut self,
        plain: &mut Plain<'_, G>,
        mut walker: Walker<'_, G>,
        first: G::Move,
    ) -> Result<(), Halted> {
        let mut next = Some((first, walker.window));
        while let Some((mv, window)) = next {
            let name = walker.game.format_move(&walker.position, mv);
            walker.make(mv, window);
            self.line.push(name.clone());
            let here = (&walker.position, &walker.history);
            let over = walker.game.terminal(here.0, here.1).is_some();
            if !over && plain.goes_on(walker.remaining) {
                let account = Account::of(plain, here, walker.remaining, walker.window)?;
                self.plain_value.get_or_insert(walker.at_root(account.claim.value));
                next = account.best().map(|best| (best.mv, best.window));
                let beyond = walker.remaining.depth == 0;
                if !beyond || !account.tried.is_empty() {
                    self.plies.push(walker.ply(plain, name, &account));
                }
                if !beyond || next.is_some() {
                    continue;
                }
            }
            // The line ends here, by the rules, the horizon or a static value that is kept.
            let end = walker.end(plain);
            self.plain_value.get_or_insert(end.root_value);
            self.end = Some(end);
            return Ok(());
        }
        Ok(())
    }
}

/// A node on the way along a line.
struct Walker<'a, G: Game> {
    game: &'a G,
    weights: &'a Weights,
    position: G::Position,
    history: G::History,
    remaining: Remaining,
    window: Window,
    ply: u32,
}

impl<G: Game> Walker<'_, G> {
    /// Makes a move that was tried under a window.
    fn make(&mut self, mv: G::Move, window: Window) {
        self.history.push(&self.position);
        self.position = self.game.apply(&self.position, mv);
        self.window = window.child(self.game);
        self.remaining = self.remaining.child();
        self.ply += 1;
    }

    /// A value of the side to move here, for the side to move at the root.
    fn at_root(&self, value: Score) -> Score {
        (0..self.ply).fold(value, |value, _| value.parent(self.game))
    }

    fn ply(&self, plain: &Plain<'_, G>, after: String, account: &Account<G>) -> PlyExplained {
        let Self { game, position, .. } = self;
        let name = |mv: G::Move| game.format_move(position, mv);
        let depth = self.remaining.depth;
        let tried = |tried: &Tried<G>| {
            let next = game.apply(position, tried.mv);
            MoveExplained {
                mv: name(tried.mv),
                value: tried.claim.value,
                bound: tried.claim.bound.name(),
                alpha: tried.window.alpha,
                beta: tried.window.beta,
                reply: tried.reply.map(|mv| game.format_move(&next, mv)),
                raised: tried.raised,
            }
        };
        PlyExplained {
            ply: self.ply,
            after,
            state: game.format_position(position),
            side: game.side(position),
            depth,
            stand_pat: (depth == 0).then(|| plain.leaf(position, &self.history)),
            alpha: self.window.alpha,
            beta: self.window.beta,
            value: account.claim.value,
            bound: account.claim.bound.name(),
            best: account.best().map(|best| name(best.mv)),
            moves: account.tried.iter().map(tried).collect(),
            spared: account.spared.iter().map(|&mv| name(mv)).collect(),
        }
    }

    fn end(&self, plain: &Plain<'_, G>) -> EndExplained {
        let Self { game, position, history, .. } = self;
        let over = game.terminal(position, history).is_some();
        let by = match plain.learned(position, history) {
            _ if over => "over",
            Some(_) => "learned",
            None if plain.goes_on(self.remaining) => "stand-pat",
            None => "heuristic",
        };
        let value = plain.leaf(position, history);
        let terms = match by {
            "heuristic" | "stand-pat" => game.terms(self.weights, position),
            _ => Vec::new(),
        };
        EndExplained {
            ply: self.ply,
            state: game.format_position(position),
            side: game.side(position),
            value,
            root_value: self.at_root(value),
            by,
            words: game.situation(position, history).words,
            terms,
        }
    }
}

/// A move of a node as the plain search met it. Values are for the side that makes it.
#[derive(Clone, Debug, PartialEq)]
struct Tried<G: Game> {
    /// The move.
    mv: G::Move,
    /// The window in force when it was tried.
    window: Window,
    /// What it is worth.
    claim: Claim,
    /// The answer that shows it: the one that refutes it, or the best.
    reply: Option<G::Move>,
    /// Whether it was better than the moves before it.
    raised: bool,
}

/// A node and its moves in the order in which they were searched.
#[derive(Clone, Debug)]
struct Account<G: Game> {
    /// What the node is worth to the side to move, in its window.
    claim: Claim,
    /// The moves that were searched.
    tried: Vec<Tried<G>>,
    /// The moves that a cutoff spared.
    spared: Vec<G::Move>,
}

impl<G: Game> Account<G> {
    /// The move that gave the node its value; none where no move exceeded the window's lower bound.
    fn best(&self) -> Option<&Tried<G>> {
        self.tried.iter().rev().find(|tried| tried.raised)
    }

    /// Searches a node that is not a leaf, and keeps what became of each.
    fn of(
        plain: &mut Plain<'_, G>,
        node: (&G::Position, &G::History),
        remaining: Remaining,
        window: Window,
    ) -> Result<Self, Halted> {
        let mut witness = AccountWatcher { tried: Vec::new(), spared: Vec::new() };
        let value = plain.watched(node, remaining, window, &mut witness)?;
        Ok(Self { claim: Claim::of(value, window), tried: witness.tried, spared: witness.spared })
    }
}

/// Notes what happens at the first node and to its children.
struct AccountWatcher<G: Game> {
    tried: Vec<Tried<G>>,
    spared: Vec<G::Move>,
}

impl<G: Game> AccountWatcher<G> {
    fn enter(&mut self, search: &Search<G>) {
        let first = search.frames().first();
        let Some((frame, mv)) = first.and_then(|frame| Some((frame, search.current_move(frame)?)))
        else {
            return;
        };
        self.tried.push(Tried {
            mv,
            window: frame.open(),
            claim: Claim { bound: Bound::Upper, value: Score::ZERO },
            reply: None,
            raised: false,
        });
    }

    fn come_back(&mut self, event: &Event, search: &Search<G>) {
        let (Some(tried), Some(value)) = (self.tried.last_mut(), event.value) else {
            return;
        };
        let known = tried.claim.bound == Bound::Exact;
        tried.claim = Claim::of(value, tried.window);
        if known {
            tried.claim.bound = Bound::Exact;
        }
        tried.raised = value > tried.window.alpha;
        if tried.raised {
            tried.reply = search.line().get(1).copied();
        }
        if let (EventKind::Cutoff, Some(frame)) = (event.kind, search.frames().first()) {
            self.spared = search.moves_of(frame)[frame.entered()..].to_vec();
        }
    }
}

impl<G: Game> Watcher<Search<G>> for AccountWatcher<G> {
    fn wants(&self, _: EventKind, ply: u32) -> bool {
        ply <= 1
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        match (event.kind, event.ply) {
            (EventKind::Descend, 1) => self.enter(search),
            (EventKind::Leaf | EventKind::Terminal, 1) => {
                if let Some(tried) = self.tried.last_mut() {
                    tried.claim.bound = Bound::Exact;
                }
            }
            (EventKind::Cutoff, 1) => {
                let frame = search.frames().last();
                let reply = frame.and_then(|frame| search.current_move(frame));
                if let Some(tried) = self.tried.last_mut() {
                    tried.reply = reply;
                }
            }
            (EventKind::Return | EventKind::Raise | EventKind::Cutoff, 0) => {
                self.come_back(event, search);
            }
            _ => {}
        }
        false
    }
}
