//! What the machine is compared with: plain negamax, the arbiter of values, and the machine's own search written as
//! a recursion that tells the same events.

use plyscope::engine::{
    game::{Game, History, KeyScheme, Score, Side, Window},
    memo::{Memo, Probe, Slot},
    search::{Algorithm, Context, Counters, Event, EventKind, Limits, Order, Search, Stop},
};

/// The value by its definition: the end of the game first, then the heuristic at depth 0, else the best child.
pub fn negamax<G: Game>(
    game: &G,
    evaluator: &G::Evaluator,
    position: &G::Position,
    history: &mut G::History,
    depth: u8,
) -> Score {
    if depth == 0 {
        let over = game.terminal(position, history);
        return over.unwrap_or_else(|| game.evaluate(evaluator, position));
    }
    let mut moves = Vec::new();
    if let Some(value) = game.expand(position, history, &mut moves) {
        return value;
    }
    history.push(position);
    let mut best = Score::NEG_INFINITY;
    for mv in moves {
        let child = game.apply(position, mv);
        best = best.max(negamax(game, evaluator, &child, history, depth - 1).parent(game));
    }
    history.pop();
    best
}

/// The same, but at depth 0 the mover may go on with forcing moves for so many plies.
pub fn restless<G: Game>(
    game: &G,
    evaluator: &G::Evaluator,
    position: &G::Position,
    history: &mut G::History,
    (depth, left): (u8, u8),
) -> Score {
    if let Some(value) = game.terminal(position, history) {
        return value;
    }
    let mut moves = Vec::new();
    let mut best = Score::NEG_INFINITY;
    let below = if depth > 0 {
        game.expand(position, history, &mut moves);
        (depth - 1, left)
    } else {
        best = game.evaluate(evaluator, position);
        if left > 0 {
            game.forcing(position, history, &mut moves);
        }
        (0, left.saturating_sub(1))
    };
    history.push(position);
    for mv in moves {
        let child = game.apply(position, mv);
        best = best.max(restless(game, evaluator, &child, history, below).parent(game));
    }
    history.pop();
    best
}

/// Is told every event.
pub trait Trace {
    /// Whether it wants to know.
    const ACTIVE: bool = true;

    fn tell(&mut self, event: Event);
}

impl Trace for Vec<Event> {
    fn tell(&mut self, event: Event) {
        self.push(event);
    }
}

/// Wants to know nothing.
pub struct Silent;

impl Trace for Silent {
    const ACTIVE: bool = false;

    fn tell(&mut self, _: Event) {}
}

/// The budget of states is used up.
#[derive(Debug, PartialEq)]
pub struct OutOfBudget;

/// A root move with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Root<G: Game> {
    pub mv: G::Move,
    pub value: Option<Score>,
    pub line: Vec<G::Move>,
    pub decided: Option<u8>,
}

/// What a search for the best moves found: the last complete iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<G: Game> {
    pub depth: u8,
    pub moves: Vec<Root<G>>,
    pub stop: Stop,
}

/// One node's place and window as an event tells them.
#[derive(Clone, Copy)]
struct Node {
    ply: u32,
    depth: u8,
    window: Window,
    best: Score,
}

/// Alpha-beta and minimax as a recursive function.
pub struct Recursion<'a, G: Game, M, T> {
    context: Context<'a, G>,
    memo: &'a mut M,
    pub trace: T,
    history: G::History,
    budget: Option<u64>,
    pub counters: Counters,
    pub events: u64,
    moves: Vec<G::Move>,
    lines: Vec<Vec<G::Move>>,
    worths: Vec<(Score, G::Move)>,
}

impl<'a, G: Game, M: Memo<G::Key>, T: Trace> Recursion<'a, G, M, T> {
    pub fn new(
        context: &Context<'a, G>,
        memo: &'a mut M,
        trace: T,
        history: G::History,
        budget: Option<u64>,
    ) -> Self {
        let &Context {
            game,
            evaluator,
            mode,
        } = context;
        Self {
            context: Context {
                game,
                evaluator,
                mode,
            },
            memo,
            trace,
            history,
            budget,
            counters: Counters::default(),
            events: 0,
            moves: Vec::new(),
            lines: Vec::new(),
            worths: Vec::new(),
        }
    }

    /// The value of a position under a window.
    pub fn value(
        &mut self,
        root: &G::Position,
        window: Window,
        depth: u8,
    ) -> Result<Score, OutOfBudget> {
        let value = self.node(root, window, depth, 0)?;
        let full = self.context.game.full_window(self.context.evaluator);
        self.tell_root(EventKind::Finish, depth, full, Some(value));
        Ok(value)
    }

    /// The best line of the last search for a value.
    pub fn line(&self) -> &[G::Move] {
        self.lines.first().map_or(&[], Vec::as_slice)
    }

    /// The best moves by iterative deepening, every root move with the full window.
    pub fn best_moves(&mut self, root: &G::Position, limits: Limits) -> Found<G> {
        let full = self.context.game.full_window(self.context.evaluator);
        let mut legal = Vec::new();
        self.context.game.expand(root, &self.history, &mut legal);
        self.history.push(root);
        let fresh = |mv| Root {
            mv,
            value: None,
            line: Vec::new(),
            decided: None,
        };
        let mut found = Found {
            depth: 0,
            moves: legal.into_iter().map(fresh).collect(),
            stop: Stop::Exhausted,
        };
        loop {
            if let Some(stop) = verdict(&found, limits, full) {
                let value = best(&found.moves);
                let alpha = value.unwrap_or(full.alpha);
                self.tell_root(
                    EventKind::Finish,
                    found.depth,
                    Window { alpha, ..full },
                    value,
                );
                return Found { stop, ..found };
            }
            let depth = if found.depth == 0 {
                limits.first
            } else {
                found.depth + 1
            };
            match self.iteration(root, full, depth, &found.moves) {
                Ok(moves) => {
                    found = Found {
                        depth,
                        moves,
                        ..found
                    }
                }
                Err(OutOfBudget) => {
                    return Found {
                        stop: Stop::Budget,
                        ..found
                    };
                }
            }
        }
    }

    fn iteration(
        &mut self,
        root: &G::Position,
        full: Window,
        depth: u8,
        before: &[Root<G>],
    ) -> Result<Vec<Root<G>>, OutOfBudget> {
        self.tell_root(EventKind::Iteration, depth, full, None);
        let mut moves: Vec<Root<G>> = Vec::new();
        for old in before {
            let child = self.context.game.apply(root, old.mv);
            let value = -self.node(&child, full.negate(), depth - 1, 1)?;
            let kind = if best(&moves).is_none_or(|best| value > best) {
                EventKind::Raise
            } else {
                EventKind::Return
            };
            let proven = value == full.alpha || value == full.beta;
            moves.push(Root {
                mv: old.mv,
                value: Some(value),
                line: [&[old.mv], self.lines[1].as_slice()].concat(),
                decided: old.decided.or(proven.then_some(depth)),
            });
            let alpha = best(&moves).unwrap_or(full.alpha);
            self.tell_root(kind, depth, Window { alpha, ..full }, Some(value));
        }
        Ok(moves)
    }

    fn node(
        &mut self,
        position: &G::Position,
        asked: Window,
        depth: u8,
        ply: u32,
    ) -> Result<Score, OutOfBudget> {
        let mode = self.context.mode;
        let game = self.context.game;
        let minimax = mode.algorithm == Algorithm::Minimax;
        let start = |window: Window| {
            if minimax {
                Score::NEG_INFINITY
            } else {
                window.alpha
            }
        };
        let mut node = Node {
            ply,
            depth,
            window: asked,
            best: start(asked),
        };
        match self.lines.get_mut(ply as usize) {
            Some(line) => line.clear(),
            None => self.lines.resize_with(ply as usize + 1, Vec::new),
        }
        self.tell(EventKind::Descend, node, None);
        let mut present = false;
        let mut slot = None;
        if M::ACTIVE {
            let at = self.slot(position);
            slot = Some(at);
            match self.memo.probe(at, depth, asked) {
                Probe::Answer(value) => {
                    self.counters.hits += 1;
                    self.tell(EventKind::Hit, node, Some(value));
                    return Ok(value);
                }
                Probe::Search { window, found } => {
                    present = found;
                    node.window = window;
                    node.best = start(window);
                    let kind = if found {
                        EventKind::Invalid
                    } else {
                        EventKind::Miss
                    };
                    self.tell(kind, node, None);
                }
            }
        }
        if self.out_of_budget() {
            self.tell(EventKind::Budget, node, None);
            return Err(OutOfBudget);
        }
        let first = self.moves.len();
        let value = if depth == 0 {
            self.leaf(position, node)
        } else if let Some(value) = game.expand(position, &self.history, &mut self.moves) {
            self.tell(EventKind::Terminal, node, Some(value));
            value
        } else {
            self.sort(position, depth, first);
            self.tell(EventKind::Expand, node, None);
            self.children(position, &mut node, first)?
        };
        if let Some(slot) = slot {
            self.counters.stores += 1;
            if present {
                self.counters.invalid += 1;
            } else {
                self.counters.misses += 1;
            }
            let window = if minimax {
                Window::INFINITE
            } else {
                node.window
            };
            if mode.write_orbit {
                for twin in game.orbit(position) {
                    self.memo.store(self.slot(&twin), depth, window, value);
                }
            } else {
                self.memo.store(slot, depth, window, value);
            }
            self.tell(EventKind::Store, node, Some(value));
        }
        self.moves.truncate(first);
        Ok(value)
    }

    /// Every child from the move at `first` on, until one is too good.
    #[inline]
    fn children(
        &mut self,
        position: &G::Position,
        node: &mut Node,
        first: usize,
    ) -> Result<Score, OutOfBudget> {
        let game = self.context.game;
        let minimax = self.context.mode.algorithm == Algorithm::Minimax;
        let ply = node.ply;
        self.history.push(position);
        for next in first..self.moves.len() {
            let mv = self.moves[next];
            let child = game.apply(position, mv);
            let window = if minimax {
                node.window
            } else {
                Window {
                    alpha: node.best,
                    ..node.window
                }
            };
            let value = -self.node(&child, window.negate(), node.depth - 1, ply + 1)?;
            let mut kind = EventKind::Return;
            let before = *node;
            if value > node.best {
                kind = EventKind::Raise;
                node.best = value;
                let (above, below) = self.lines.split_at_mut(ply as usize + 1);
                let line = &mut above[ply as usize];
                line.clear();
                line.push(mv);
                line.extend_from_slice(&below[0]);
            }
            let cut = !minimax && node.best >= node.window.beta;
            if cut {
                kind = EventKind::Cutoff;
                self.counters.cutoffs += 1;
            }
            self.tell(kind, if cut { before } else { *node }, Some(value));
            if cut {
                break;
            }
        }
        self.history.pop();
        Ok(node.best)
    }

    fn leaf(&mut self, position: &G::Position, node: Node) -> Score {
        let Context {
            game,
            evaluator,
            mode,
        } = self.context;
        let over = if mode.leaf_before_end {
            None
        } else {
            game.terminal(position, &self.history)
        };
        if let Some(value) = over {
            self.tell(EventKind::Terminal, node, over);
            return value;
        }
        self.counters.leaves += 1;
        let learned = if M::LEAVES {
            self.memo.leaf(self.slot(position))
        } else {
            None
        };
        let value = learned.unwrap_or_else(|| game.evaluate(evaluator, position));
        self.tell(EventKind::Leaf, node, Some(value));
        value
    }

    /// The seed counts a state and then sees that it was one too many; `sound` counts only what it visits.
    fn out_of_budget(&mut self) -> bool {
        let seed = self.context.mode.budget_short_by_one;
        let limit = self.budget.unwrap_or(u64::MAX);
        if !seed && self.counters.nodes >= limit {
            return true;
        }
        self.counters.nodes += 1;
        seed && self.counters.nodes >= limit
    }

    fn slot(&self, position: &G::Position) -> Slot<G::Key> {
        let Context { game, mode, .. } = self.context;
        Slot {
            key: game.key(position, mode.scheme),
            negated: mode.negate_black && game.side(position) == Side::Black,
        }
    }

    fn sort(&mut self, position: &G::Position, depth: u8, first: usize) {
        let Context {
            game,
            evaluator,
            mode,
        } = self.context;
        if mode.algorithm == Algorithm::Minimax {
            return;
        }
        match mode.order {
            // No game that is compared event by event tells moves apart before a search.
            Order::None | Order::Captures => {}
            Order::Memo => {
                if M::ACTIVE && depth >= 2 {
                    self.sort_by(first, |this, mv| {
                        let child = game.apply(position, mv);
                        let value = this.memo.recall(this.slot(&child), depth - 2);
                        value.map_or(Score::ZERO, |value| -value)
                    });
                }
            }
            Order::Seed => {
                self.moves[first..].sort_by_cached_key(|&mv| {
                    let mut bytes = Vec::new();
                    let child = game.apply(position, mv);
                    game.write_key(game.key(&child, KeyScheme::Plain), &mut bytes);
                    crc32fast::hash(&bytes)
                });
                if M::ACTIVE {
                    self.sort_by(first, |this, mv| {
                        let mine = game.pass(&game.apply(position, mv));
                        let value = this.memo.recall(this.slot(&mine), depth - 1);
                        value.unwrap_or(Score::ZERO)
                    });
                }
            }
            Order::Static => self.sort_by(first, |_, mv| {
                -game.evaluate(evaluator, &game.apply(position, mv))
            }),
        }
    }

    /// Stable, best first.
    fn sort_by(&mut self, first: usize, worth: impl Fn(&Self, G::Move) -> Score) {
        let mut worths = std::mem::take(&mut self.worths);
        worths.clear();
        worths.extend(self.moves[first..].iter().map(|&mv| (worth(self, mv), mv)));
        worths.sort_by(|a, b| b.0.order(a.0));
        for (slot, &(_, mv)) in self.moves[first..].iter_mut().zip(&worths) {
            *slot = mv;
        }
        self.worths = worths;
    }

    #[inline]
    fn tell(&mut self, kind: EventKind, node: Node, value: Option<Score>) {
        let index = self.events;
        self.events += 1;
        if T::ACTIVE {
            let Node {
                ply,
                depth,
                window: Window { beta, .. },
                best: alpha,
            } = node;
            self.trace.tell(Event {
                index,
                kind,
                ply,
                depth,
                window: Window { alpha, beta },
                value,
            });
        }
    }

    fn tell_root(&mut self, kind: EventKind, depth: u8, window: Window, value: Option<Score>) {
        let best = window.alpha;
        let node = Node {
            ply: 0,
            depth,
            window,
            best,
        };
        self.tell(kind, node, value);
    }
}

fn best<G: Game>(moves: &[Root<G>]) -> Option<Score> {
    moves
        .iter()
        .filter_map(|root| root.value)
        .reduce(Score::max)
}

/// Why no iteration is to follow.
fn verdict<G: Game>(found: &Found<G>, limits: Limits, full: Window) -> Option<Stop> {
    if found.moves.is_empty() {
        return Some(Stop::Exhausted);
    }
    if found.depth == 0 {
        return None;
    }
    if found.depth >= limits.last {
        return Some(Stop::Depth);
    }
    let won = found.moves.iter().any(|root| root.value == Some(full.beta));
    let settled =
        found.moves.len() == 1 || won || found.moves.iter().all(|root| root.decided.is_some());
    (limits.stop_when_decided && settled).then_some(Stop::Exhausted)
}

/// The principal variation of a search for a value, without a memo, is whole: as long as the search is deep, or to the end of
/// the game; and what stands at its end is the value found.
pub fn check_line<G: Game>(context: &Context<'_, G>, search: &Search<G>) {
    let value = search.value().unwrap();
    if search.full_window().holds(value) {
        let line = (search.line(), search.depth());
        let end = worth(context, search.root(), &mut search.history_at(0), line);
        assert_eq!(end, value, "{:?} from {:?}", line.0, search.root());
    }
}

/// What a whole line of moves leads to, as its first side sees it.
fn worth<G: Game>(
    context: &Context<'_, G>,
    position: &G::Position,
    history: &mut G::History,
    (line, depth): (&[G::Move], u8),
) -> Score {
    let game = context.game;
    let Some((&mv, rest)) = line.split_first() else {
        let over = game.terminal(position, history);
        assert!(over.is_some() || depth == 0, "{depth} plies are missing");
        return over.unwrap_or_else(|| game.evaluate(context.evaluator, position));
    };
    let mut moves = Vec::new();
    let over = game.expand(position, history, &mut moves);
    assert!(over.is_none() && moves.contains(&mv), "{mv:?} is no move");
    history.push(position);
    let next = game.apply(position, mv);
    worth(context, &next, history, (rest, depth - 1)).parent(game)
}
