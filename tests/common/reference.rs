//! References for the search: plain negamax, which defines values, and the same search written as a recursion that
//! emits the same events.

use std::cmp::Reverse;

use plyscope::engine::{
    game::{Game, History, Key as _, KeyScheme, NodePlace, Score, SearchRules, Side, Window},
    search::{
        Algorithm, Context, Counters, Event, EventKind, Heuristic, Heuristics, Limits, Order, Plan,
        Search, Stop,
    },
    table::{AnyTable, HashMove, Probe, SearchTable, Slot},
};

use super::running::{bits, record, with_table};

/// The value by definition: a finished game's value, the heuristic at depth 0, else the best child.
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

/// Negamax with a quiescence search of at most `quiescence_depth` plies at depth 0.
pub fn negamax_with_quiescence<G: Game>(
    game: &G,
    evaluator: &G::Evaluator,
    position: &G::Position,
    history: &mut G::History,
    (depth, quiescence_depth): (u8, u8),
) -> Score {
    if let Some(value) = game.terminal(position, history) {
        return value;
    }
    let mut moves = Vec::new();
    let mut best = Score::NEG_INFINITY;
    let below = if depth > 0 {
        game.expand(position, history, &mut moves);
        (depth - 1, quiescence_depth)
    } else {
        best = game.evaluate(evaluator, position);
        if quiescence_depth > 0 {
            game.quiescence_moves(position, false, Score::NEG_INFINITY, &mut moves);
        }
        (0, quiescence_depth.saturating_sub(1))
    };
    history.push(position);
    for mv in moves {
        let child = game.apply(position, mv);
        best =
            best.max(negamax_with_quiescence(game, evaluator, &child, history, below).parent(game));
    }
    history.pop();
    best
}

/// Receives every event of a [`Recursion`].
pub trait EventSink {
    /// Whether events are wanted; if not, none is built.
    const ACTIVE: bool = true;

    fn push(&mut self, event: Event);
}

impl EventSink for Vec<Event> {
    fn push(&mut self, event: Event) {
        self.push(event);
    }
}

pub struct NoEvents;

impl EventSink for NoEvents {
    const ACTIVE: bool = false;

    fn push(&mut self, _: Event) {}
}

/// The node budget is used up.
#[derive(Debug, PartialEq)]
pub struct OutOfBudget;

/// A root move with its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Root<G: Game> {
    pub mv: G::Move,
    pub value: Option<Score>,
    pub line: Vec<G::Move>,
    pub decided: Option<u8>,
}

/// The result of a search for the best moves: its last complete iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<G: Game> {
    pub depth: u8,
    pub moves: Vec<Root<G>>,
    pub stop: Stop,
}

/// A node of the search tree.
#[derive(Clone, Copy)]
struct Node {
    ply: u32,
    depth: u8,
    window: Window,
    best: Score,
    /// Fail-soft: the greatest value that did not exceed α.
    low: Score,
    /// Plies of quiescence search left; none above the horizon.
    quiescence_depth: Option<u8>,
    depends_on_history: bool,
    /// Whether the move to this node was a null move.
    passed: bool,
}

/// Plies of quiescence search below the horizon.
const MAX_QUIESCENCE_DEPTH: u8 = 4;

/// Minimax, alpha-beta, PVS and MTD(f) as a recursive function.
pub struct Recursion<'a, G: Game, M, T> {
    context: Context<'a, G>,
    table: &'a mut M,
    pub sink: T,
    history: G::History,
    budget: Option<u64>,
    pub counters: Counters,
    pub events: u64,
    moves: Vec<G::Move>,
    lines: Vec<Vec<G::Move>>,
    sort_keys: Vec<(Score, G::Move)>,
    /// The depth of the current iteration.
    root_depth: u8,
    /// Killer moves: the two latest quiet moves at each ply that caused a cutoff, the latest first.
    killers: std::collections::BTreeMap<u32, Vec<G::Move>>,
    /// History heuristic: the sum of depth² over the cutoffs of a kind of move.
    cutoffs: std::collections::BTreeMap<usize, u32>,
}

impl<'a, G: Game, M: SearchTable<G::Key>, T: EventSink> Recursion<'a, G, M, T> {
    pub fn new(
        context: &Context<'a, G>,
        table: &'a mut M,
        sink: T,
        history: G::History,
        budget: Option<u64>,
    ) -> Self {
        let &Context { game, evaluator, mode } = context;
        Self {
            context: Context { game, evaluator, mode },
            table,
            sink,
            history,
            budget,
            counters: Counters::default(),
            events: 0,
            moves: Vec::new(),
            lines: Vec::new(),
            sort_keys: Vec::new(),
            root_depth: 0,
            killers: std::collections::BTreeMap::new(),
            cutoffs: std::collections::BTreeMap::new(),
        }
    }

    /// The value of a position, searched with a window.
    pub fn value(
        &mut self,
        root: &G::Position,
        window: Window,
        depth: u8,
    ) -> Result<Score, OutOfBudget> {
        self.root_depth = depth;
        if self.context.mode.algorithm == Algorithm::Mtdf {
            return self.mtdf(root, window, depth);
        }
        let mut node = self.enter(window, depth, 0);
        self.emit(EventKind::Descend, node, None);
        let value = self.search(root, &mut node)?;
        self.emit(EventKind::Finish, node, Some(value));
        Ok(value)
    }

    /// MTD(f) (Plaat): zero-window searches until lower and upper bound meet, with 0 as the first guess.
    fn mtdf(
        &mut self,
        root: &G::Position,
        window: Window,
        depth: u8,
    ) -> Result<Score, OutOfBudget> {
        let Window { alpha: mut lower, beta: mut upper } = window;
        let mut value = Score::ZERO;
        let mut kind = EventKind::Descend;
        loop {
            let beta = if value <= lower { lower.above() } else { value.min(upper) };
            let mut node = self.enter(Window { alpha: beta.below(), beta }, depth, 0);
            self.emit(kind, node, None);
            value = self.search(root, &mut node)?;
            if node.window.holds(value) {
                (lower, upper) = (value, value);
            } else if node.window.fails_high(value) {
                lower = value;
            } else {
                upper = value;
            }
            if lower >= upper {
                self.emit(EventKind::Finish, node, Some(value));
                return Ok(value);
            }
            kind = EventKind::Pass;
        }
    }

    /// The principal variation of the last search for a value.
    pub fn line(&self) -> &[G::Move] {
        self.lines.first().map_or(&[], Vec::as_slice)
    }

    /// The best moves by iterative deepening, each root move with the full window.
    pub fn best_moves(&mut self, root: &G::Position, limits: Limits) -> Found<G> {
        let game = self.context.game;
        let full = game.full_window(self.context.evaluator);
        let mut legal = Vec::new();
        game.expand(root, &self.history, &mut legal);
        self.history.push(root);
        let fresh = |mv| Root { mv, value: None, line: Vec::new(), decided: None };
        let mut found = Found {
            depth: 0,
            moves: legal.into_iter().map(fresh).collect(),
            stop: Stop::Exhausted,
        };
        loop {
            if let Some(stop) = stop_reason(game, &found, limits, full) {
                let value = best(&found.moves);
                self.emit_root(EventKind::Finish, found.depth, full, (value, value));
                return Found { stop, ..found };
            }
            let depth = if found.depth == 0 { limits.first } else { found.depth + 1 };
            match self.iteration(root, full, depth, &found.moves) {
                Ok(moves) => found = Found { depth, moves, ..found },
                Err(OutOfBudget) => {
                    return Found { stop: Stop::Budget, ..found };
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
        let game = self.context.game;
        self.root_depth = depth;
        self.emit_root(EventKind::Iteration, depth, full, (None, None));
        let mut moves: Vec<Root<G>> = Vec::new();
        for old in before {
            let child = game.apply(root, old.mv);
            let mut below = depth - 1;
            if self.context.mode.selective.is_some_and(|on| on.extend) && game.in_check(&child) {
                self.emit_root(EventKind::Extend, depth, full, (best(&moves), None));
                below = depth;
            }
            let mut node = self.enter(full.child(game), below, 1);
            self.emit(EventKind::Descend, node, None);
            let value = self.search(&child, &mut node)?.parent(game);
            let kind = if best(&moves).is_none_or(|best| value > best) {
                EventKind::Raise
            } else {
                EventKind::Return
            };
            let proven = game.is_won(value, full) || game.is_won(-value, full.negate());
            moves.push(Root {
                mv: old.mv,
                value: Some(value),
                line: [&[old.mv], self.lines[1].as_slice()].concat(),
                decided: old.decided.or(proven.then_some(depth)),
            });
            self.emit_root(kind, depth, full, (best(&moves), Some(value)));
        }
        Ok(moves)
    }

    fn is_minimax(&self) -> bool {
        self.context.mode.algorithm == Algorithm::Minimax
    }

    /// The best value before the first move. Minimax has none: it accepts any value.
    fn initial_best(&self, window: Window) -> Score {
        if self.is_minimax() { Score::NEG_INFINITY } else { window.alpha }
    }

    fn enter(&self, window: Window, depth: u8, ply: u32) -> Node {
        let (best, low) = (self.initial_best(window), Score::NEG_INFINITY);
        let (quiescence_depth, depends_on_history, passed) = (None, false, false);
        Node { ply, depth, window, best, low, quiescence_depth, depends_on_history, passed }
    }

    fn search(&mut self, position: &G::Position, node: &mut Node) -> Result<Score, OutOfBudget> {
        let ply = node.ply as usize;
        match self.lines.get_mut(ply) {
            Some(line) => line.clear(),
            None => self.lines.resize_with(ply + 1, Vec::new),
        }
        let leaf = node.depth == 0 && !self.context.mode.leaves;
        let probes = M::ACTIVE && node.quiescence_depth.is_none() && !leaf;
        // Whether there is an entry that does not suffice, and whether it changed the window.
        let mut present = None;
        if probes {
            let slot = self.slot(position, node.depth);
            match self.table.probe(slot, node.depth, node.window) {
                Probe::Hit(value) => {
                    self.table.count_use(slot, node.depth);
                    self.counters.hits += 1;
                    self.emit(EventKind::Hit, *node, Some(value));
                    return Ok(value);
                }
                Probe::Search { window, found } => {
                    present = found.then_some(window != node.window);
                    node.window = window;
                    node.best = self.initial_best(window);
                    let kind = if found {
                        self.table.count_use(slot, node.depth);
                        EventKind::Invalid
                    } else {
                        EventKind::Miss
                    };
                    self.emit(kind, *node, None);
                }
            }
        }
        if self.out_of_budget() {
            self.emit(EventKind::Budget, *node, None);
            return Err(OutOfBudget);
        }
        let first = self.moves.len();
        let value = self.visit(position, node, first)?;
        self.moves.truncate(first);
        if probes {
            self.store(position, node, present, value);
        }
        Ok(value)
    }

    fn visit(
        &mut self,
        position: &G::Position,
        node: &mut Node,
        first: usize,
    ) -> Result<Score, OutOfBudget> {
        let game = self.context.game;
        if let Some(value) = self.known(position, node) {
            return Ok(value);
        }
        if node.depth == 0 {
            let is_quiescence = G::HAS_QUIESCENCE
                && self.context.mode.quiescence
                && node.quiescence_depth != Some(0);
            return if is_quiescence {
                self.quiescence(position, node, first)
            } else {
                Ok(self.leaf(position, node))
            };
        }
        if let Some(value) = game.expand(position, &self.history, &mut self.moves) {
            return Ok(self.game_over(position, node, value));
        }
        if let Some(static_eval) = self.static_eval(position, node)
            && self.is_far_above(node, static_eval)
        {
            self.emit(EventKind::StandPat, *node, Some(static_eval));
            return Ok(static_eval);
        }
        self.emit(EventKind::Expand, *node, None);
        self.children(position, node, first)
    }

    /// Quiescence search: stand pat, or a forcing move.
    fn quiescence(
        &mut self,
        position: &G::Position,
        node: &mut Node,
        first: usize,
    ) -> Result<Score, OutOfBudget> {
        let game = self.context.game;
        if let Some(value) = game.terminal(position, &self.history) {
            return Ok(self.game_over(position, node, value));
        }
        self.counters.leaves += 1;
        let stand_pat = game.evaluate(self.context.evaluator, position);
        node.low = stand_pat;
        node.best = node.best.max(stand_pat);
        if self.is_minimax() || stand_pat < node.window.beta {
            // Delta pruning.
            let margin = self.context.mode.selective.and_then(|on| on.futility);
            let least = |margin: Score| node.best.get() - stand_pat.get() - margin.get();
            let gain = margin.and_then(|margin| Score::new(least(margin)));
            let gain = gain.unwrap_or(Score::NEG_INFINITY);
            game.quiescence_moves(position, self.context.mode.see, gain, &mut self.moves);
        }
        if self.moves.len() == first {
            let worth = self.node_value(node);
            self.emit(EventKind::StandPat, *node, Some(worth));
            return Ok(worth);
        }
        self.emit(EventKind::Captures, *node, Some(stand_pat));
        self.children(position, node, first)
    }

    /// Searches the children from `first` on, until one fails high.
    #[inline]
    fn children(
        &mut self,
        position: &G::Position,
        node: &mut Node,
        first: usize,
    ) -> Result<Score, OutOfBudget> {
        let game = self.context.game;
        let minimax = self.is_minimax();
        let most = if self.context.mode.see { 30 } else { MAX_QUIESCENCE_DEPTH };
        let quiescence_depth = (node.depth == 0).then(|| node.quiescence_depth.unwrap_or(most) - 1);
        let selective = self.context.mode.selective.unwrap_or_default();
        self.history.push(position);
        let static_eval = self.static_eval(position, node);
        if let Some(value) = self.null_move(position, node, static_eval)? {
            return Ok(value);
        }
        let sorted = self.sort(position, node, first);
        for next in first..self.moves.len() {
            if next == sorted {
                self.sort_from(position, node, next, None);
            }
            let mv = self.moves[next];
            let parent = position.clone();
            let position = game.apply(position, mv);
            let mut below = node.depth.saturating_sub(1);
            let mut reduced = false;
            if node.depth > 0 && game.in_check(&position) {
                // Check extension.
                if selective.extend && node.ply < 2 * u32::from(self.root_depth) {
                    self.emit(EventKind::Extend, *node, None);
                    below = node.depth;
                }
            } else if let Some(static_eval) = static_eval
                && game.capture_score(&parent, mv) == 0
            {
                if self.is_futile(node, static_eval) {
                    continue;
                }
                // Late move reductions.
                let reduction = selective.lmr.map_or(0, |lmr| {
                    let grown = (next - first + 1).ilog2() * node.depth.max(1).ilog2() / 4;
                    let is_open = node.window.beta > node.window.alpha.above();
                    let plies = u32::from(lmr) + grown;
                    (plies.saturating_sub(is_open.into()) as u8).min(node.depth.saturating_sub(2))
                });
                if next - first >= 3 && node.depth >= 3 && reduction > 0 {
                    self.emit(EventKind::Reduce, *node, None);
                    below = below.saturating_sub(reduction);
                    reduced = true;
                }
            }
            let alpha = if minimax { node.window.alpha } else { node.best };
            let open = Window { alpha, ..node.window };
            let zero = Window { beta: alpha.above(), ..open };
            let pvs = self.context.mode.algorithm == Algorithm::Pvs;
            let mut is_scout = pvs && node.depth >= 2 && next > first && zero.beta < open.beta;
            let (child, value) = loop {
                let window = if is_scout { zero } else { open };
                let mut child = Node {
                    quiescence_depth,
                    ..self.enter(window.child(game), below, node.ply + 1)
                };
                self.emit(EventKind::Descend, child, None);
                let found = self.search(&position, &mut child)?;
                let value = found.parent(game);
                node.depends_on_history |= child.depends_on_history;
                // If the table has widened the child's window, that window may hold the value: no re-search then.
                let doubtful = is_scout && open.holds(value) && !child.window.holds(found);
                let better = reduced && value > node.best;
                if !doubtful && !better {
                    break (child, value);
                }
                if better {
                    below = node.depth - 1;
                    reduced = false;
                }
                self.emit(EventKind::Research, *node, Some(value));
                is_scout = false;
            };
            let mut kind = EventKind::Return;
            let before = *node;
            if value > node.best {
                kind = EventKind::Raise;
                node.best = value;
                let (above, below) = self.lines.split_at_mut(child.ply as usize);
                let line = &mut above[node.ply as usize];
                line.clear();
                line.push(mv);
                line.extend_from_slice(&below[0]);
            } else {
                node.low = node.low.max(value);
            }
            let cut = !minimax && node.best >= node.window.beta;
            if cut {
                kind = EventKind::Cutoff;
                self.counters.cutoffs += 1;
                self.update_killers_and_history(&parent, node, mv);
            }
            self.emit(kind, if cut { before } else { *node }, Some(value));
            if cut {
                break;
            }
        }
        self.history.pop();
        Ok(self.node_value(node))
    }

    /// Reverse futility pruning: whether the static evaluation is so far above β that the node fails high.
    fn is_far_above(&self, node: &Node, static_eval: Score) -> bool {
        let Context { game, evaluator, mode } = self.context;
        let Window { alpha, beta } = node.window;
        let margin = mode.selective.and_then(|on| on.futility).filter(|_| node.depth <= 6);
        margin.is_some_and(|margin| {
            static_eval.get() - margin.get() * f64::from(node.depth) >= beta.get()
                && beta <= alpha.above()
                && !game.is_won(beta, game.full_window(evaluator))
        })
    }

    /// Whether a move is ordered as a capture.
    fn capture_score(&self, position: &G::Position, mv: G::Move) -> u16 {
        let Context { game, mode, .. } = self.context;
        if mode.see && game.loses_material(position, mv) {
            return 0;
        }
        game.capture_score(position, mv)
    }

    /// Futility pruning: whether a quiet move cannot exceed the best value so far.
    fn is_futile(&mut self, node: &mut Node, static_eval: Score) -> bool {
        let Context { game, evaluator, mode } = self.context;
        let margin = mode.selective.and_then(|on| on.futility).filter(|_| node.depth <= 6);
        let optimistic = margin.and_then(|margin| {
            Score::new(static_eval.get() + margin.get() * f64::from(node.depth))
        });
        let full = game.full_window(evaluator);
        let Some(optimistic) =
            optimistic.filter(|value| *value <= node.best && !game.is_won(-node.best, full))
        else {
            return false;
        };
        node.low = node.low.max(optimistic);
        self.emit(EventKind::Prune, *node, None);
        true
    }

    /// The static evaluation of a node at which selective search may prune.
    fn static_eval(&self, position: &G::Position, node: &Node) -> Option<Score> {
        let Context { game, evaluator, mode } = self.context;
        let inner = node.ply > 0 && node.depth > 0 && !game.in_check(position);
        (inner && mode.selective.is_some_and(|on| on.prunes()))
            .then(|| game.evaluate(evaluator, position))
    }

    /// Null-move pruning: the value of a node that fails high even after passing.
    fn null_move(
        &mut self,
        position: &G::Position,
        node: &mut Node,
        static_eval: Option<Score>,
    ) -> Result<Option<Score>, OutOfBudget> {
        let game = self.context.game;
        let (full, beta) = (game.full_window(self.context.evaluator), node.window.beta);
        let reduction = self
            .context
            .mode
            .selective
            .and_then(|on| on.null)
            .filter(|reduction| node.depth > *reduction);
        let promising = static_eval.is_some_and(|static_eval| static_eval >= beta);
        let (Some(reduction), true) =
            (reduction, promising && !node.passed && !game.is_won(beta, full))
        else {
            return Ok(None);
        };
        let Some(pass) = game.null_move(position) else {
            return Ok(None);
        };
        self.emit(EventKind::Null, *node, None);
        let window = Window { alpha: beta.below(), beta };
        let below = node.depth - 1 - reduction;
        let mut child =
            Node { passed: true, ..self.enter(window.child(game), below, node.ply + 1) };
        self.emit(EventKind::Descend, child, None);
        let value = self.search(&game.apply(position, pass), &mut child)?.parent(game);
        node.depends_on_history |= child.depends_on_history;
        if value < beta {
            self.emit(EventKind::Return, *node, Some(value));
            return Ok(None);
        }
        self.counters.cutoffs += 1;
        self.emit(EventKind::Cutoff, *node, Some(value));
        self.history.pop();
        node.best = if game.is_won(value, full) { beta } else { value };
        Ok(Some(node.best))
    }

    fn update_killers_and_history(&mut self, position: &G::Position, node: &Node, mv: G::Move) {
        let game = self.context.game;
        if game.capture_score(position, mv) > 0 {
            return;
        }
        let killers = self.killers.entry(node.ply).or_default();
        if killers.first() != Some(&mv) {
            killers.insert(0, mv);
            killers.truncate(2);
        }
        let kind = self.cutoffs.entry(game.history_index(position, mv)).or_default();
        *kind += u32::from(node.depth) * u32::from(node.depth);
    }

    /// The node's value. If no move exceeds α, fail-soft returns the best of their values.
    fn node_value(&self, node: &Node) -> Score {
        let failed_low = node.best == node.window.alpha && node.low > Score::NEG_INFINITY;
        if self.context.mode.fail_soft && failed_low { node.low } else { node.best }
    }

    /// The value of a finished game at this node, corrected for the distance to mate where the game has that.
    fn game_over(&mut self, position: &G::Position, node: &mut Node, value: Score) -> Score {
        let game = self.context.game;
        node.depends_on_history = self.context.mode.skip_history_dependent
            && game.depends_on_history(position, &self.history);
        let place = NodePlace { ply: node.ply, depth: node.depth };
        let value = game.score_terminal(value, place);
        self.emit(EventKind::Terminal, *node, Some(value));
        value
    }

    /// The true value of endgame tables (`tables=leaf`).
    fn known(&mut self, position: &G::Position, node: &Node) -> Option<Score> {
        let Context { game, mode, .. } = self.context;
        let value = game.known_value(position).filter(|_| mode.tables)?;
        self.emit(EventKind::Tables, *node, Some(value));
        Some(value)
    }

    fn leaf(&mut self, position: &G::Position, node: &mut Node) -> Score {
        let Context { game, evaluator, mode } = self.context;
        let before_end = mode.leaf_before_end && G::REFERENCE_HAS_SETS;
        let ended = (!before_end).then(|| game.terminal(position, &self.history));
        if let Some(value) = ended.flatten() {
            return self.game_over(position, node, value);
        }
        self.counters.leaves += 1;
        let learned =
            if M::HAS_LEAF_VALUES { self.table.leaf_value(self.slot(position, 0)) } else { None };
        let value = learned.unwrap_or_else(|| game.evaluate(evaluator, position));
        self.emit(EventKind::Leaf, *node, Some(value));
        value
    }

    fn store(&mut self, position: &G::Position, node: &Node, present: Option<bool>, value: Score) {
        if let Some(changed) = present {
            self.counters.invalid += 1;
            self.counters.changed_window += u64::from(changed);
        } else {
            self.counters.misses += 1;
        }
        if node.depends_on_history {
            self.emit(EventKind::Skip, *node, Some(value));
            return;
        }
        self.counters.stores += 1;
        let window = if self.is_minimax() { Window::INFINITE } else { node.window };
        let before = self.table.evictions();
        let slot = self.slot(position, node.depth);
        // A node that fails low keeps the best move of an earlier search.
        let best = self.lines[node.ply as usize].first().map(|mv| self.hash_move_of(position, *mv));
        let best = best.or_else(|| self.table.hash_move(slot, node.depth));
        if self.context.mode.write_orbit {
            for symmetric in self.context.game.orbit(position) {
                let slot = self.slot(&symmetric, node.depth);
                self.table.store(slot, node.depth, window, value);
            }
        } else {
            self.table.store(slot, node.depth, window, value);
        }
        if let Some(best) = best.filter(|_| self.context.mode.keeps_hash_move(node.depth)) {
            self.table.set_hash_move(slot, node.depth, best);
        }
        self.emit(EventKind::Store, *node, Some(value));
        let evicted = self.table.evictions() - before;
        self.counters.evictions += evicted;
        if evicted > 0 {
            self.emit(EventKind::Eviction, *node, None);
        }
    }

    /// The move as it is stored in its position's entry.
    fn hash_move_of(&self, position: &G::Position, mv: G::Move) -> HashMove {
        let Context { game, mode, .. } = self.context;
        HashMove::of(game.key(&game.apply(position, mv), mode.scheme))
    }

    /// The seeds count a node before they compare it with the budget, so that they visit one less; `sound` counts only
    /// the nodes it visits.
    fn out_of_budget(&mut self) -> bool {
        let seed = self.context.mode.budget_short_by_one;
        let limit = self.budget.unwrap_or(u64::MAX);
        if !seed && self.counters.nodes >= limit {
            return true;
        }
        self.counters.nodes += 1;
        seed && self.counters.nodes >= limit
    }

    fn slot(&self, position: &G::Position, depth: u8) -> Slot<G::Key> {
        let Context { game, mode, .. } = self.context;
        Slot {
            key: game.node_key(position, &self.history, mode.scheme, depth),
            negated: mode.negate_black && game.side(position) == Side::Black,
        }
    }

    /// Sorts the moves from `first` on, with captures or killers only these first, because the rest may never be
    /// needed. Returns the place where the unsorted rest begins.
    fn sort(&mut self, position: &G::Position, node: &Node, first: usize) -> usize {
        let Node { depth, ply, .. } = *node;
        let Context { game, mode, .. } = self.context;
        let hints = mode.heuristics(game, position, depth).unwrap_or(Heuristics::NONE);
        let leaves = depth == 1 && !mode.quiescence;
        let captures =
            hints.has(Heuristic::Captures) || (hints.has(Heuristic::Memo) && G::SCORES_CAPTURES);
        let killers = self.killers.get(&ply).filter(|_| hints.has(Heuristic::Killers));
        if !self.is_minimax()
            && !leaves
            && let Some(place) = (first..self.moves.len())
                .find(|&place| self.is_known_cutoff(hints, position, node, place))
        {
            self.moves[first..=place].rotate_right(1);
            return first + 1;
        }
        let best = self.stored_hash_move(hints, position, node);
        let is_urgent = |mv: &G::Move| {
            best.is_some_and(|best| self.hash_move_of(position, *mv) == best)
                || (captures && self.capture_score(position, *mv) > 0)
                || killers.is_some_and(|killers| killers.contains(mv))
        };
        let all = self.is_minimax() || leaves || self.uses_child_values(hints, depth);
        let (urgent, others): (Vec<_>, Vec<_>) =
            self.moves[first..].iter().copied().partition(|mv| all || is_urgent(mv));
        if urgent.is_empty() {
            self.sort_from(position, node, first, best);
            return self.moves.len();
        }
        self.moves.truncate(first);
        self.moves.extend(urgent);
        self.sort_from(position, node, first, best);
        let sorted = self.moves.len();
        self.moves.extend(others);
        sorted
    }

    /// ETC: whether the table's entry of the child causes a cutoff.
    fn is_known_cutoff(
        &self,
        hints: Heuristics,
        position: &G::Position,
        node: &Node,
        at: usize,
    ) -> bool {
        let Context { game, .. } = self.context;
        if !hints.has(Heuristic::Etc)
            || !M::ACTIVE
            || node.depth <= u8::from(!self.context.mode.leaves)
        {
            return false;
        }
        let child = game.apply(position, self.moves[at]);
        let window = Window { alpha: node.best, ..node.window }.child(game);
        match self.table.probe(self.slot(&child, node.depth - 1), node.depth - 1, window) {
            Probe::Hit(value) => value.parent(game) >= node.window.beta,
            Probe::Search { .. } => false,
        }
    }

    fn stored_hash_move(
        &self,
        hints: Heuristics,
        position: &G::Position,
        node: &Node,
    ) -> Option<HashMove> {
        let probes =
            node.quiescence_depth.is_none() && (node.depth > 0 || self.context.mode.leaves);
        if !probes || !hints.has(Heuristic::HashMove) {
            return None;
        }
        // The history already holds this position, as its children need it; this node's key is without it.
        let mut before = self.history.clone();
        before.pop();
        let Context { game, mode, .. } = self.context;
        let key = game.node_key(position, &before, mode.scheme, node.depth);
        self.table.hash_move(Slot { key, ..self.slot(position, node.depth) }, node.depth)
    }

    fn uses_child_values(&self, hints: Heuristics, depth: u8) -> bool {
        hints.has(Heuristic::Memo)
            && M::ACTIVE
            && depth >= if self.context.mode.leaves { 2 } else { 3 }
    }

    fn sort_from(
        &mut self,
        position: &G::Position,
        node: &Node,
        first: usize,
        best: Option<HashMove>,
    ) {
        let Node { depth, ply, .. } = *node;
        let Context { game, evaluator, mode } = self.context;
        if self.is_minimax() {
            return;
        }
        let hints = match mode.heuristics(game, position, depth) {
            None if !G::REFERENCE_HAS_SETS => return,
            None => return self.sort_as_seed(position, depth, first),
            // Children at depth 0 are searched in the order of move generation.
            Some(_) if depth == 1 && !mode.quiescence => return,
            Some(hints) => hints,
        };
        let static_eval = |mv| -game.evaluate(evaluator, &game.apply(position, mv));
        let probes = self.uses_child_values(hints, depth);
        if hints.has(Heuristic::History) {
            let cutoffs =
                |this: &Self, mv| this.cutoffs.get(&game.history_index(position, mv)).copied();
            self.sort_by(first, |this, mv| {
                Score::new(cutoffs(this, mv).unwrap_or(0).into()).unwrap()
            });
        }
        if hints.has(Heuristic::StaticEval) && !probes {
            self.sort_by(first, |_, mv| static_eval(mv));
        }
        if hints.has(Heuristic::Killers)
            && let Some(killers) = self.killers.get(&ply)
        {
            let rank = |mv: &G::Move| killers.iter().position(|killer| killer == mv).unwrap_or(2);
            self.moves[first..].sort_by_key(rank);
        }
        if hints.has(Heuristic::Captures) || (hints.has(Heuristic::Memo) && G::SCORES_CAPTURES) {
            let mut moves = self.moves.split_off(first);
            moves.sort_by_key(|mv| Reverse(self.capture_score(position, *mv)));
            self.moves.extend(moves);
        }
        if let Some(best) = best {
            let mut moves = self.moves.split_off(first);
            moves.sort_by_key(|mv| self.hash_move_of(position, *mv) != best);
            self.moves.extend(moves);
        }
        if probes {
            // Children without an entry come last if captures have sorted the moves before.
            let unknown = if G::SCORES_CAPTURES { Score::NEG_INFINITY } else { Score::ZERO };
            self.sort_by(first, |this, mv| {
                let child = game.apply(position, mv);
                let value = this.table.stored_value(this.slot(&child, depth - 2), depth - 2);
                let unknown =
                    || if hints.has(Heuristic::StaticEval) { static_eval(mv) } else { unknown };
                value.map_or_else(unknown, |value| -value)
            });
        }
    }

    fn sort_as_seed(&mut self, position: &G::Position, depth: u8, first: usize) {
        let game = self.context.game;
        self.moves[first..].sort_by_cached_key(|&mv| {
            let mut bytes = Vec::new();
            let child = game.apply(position, mv);
            game.key(&child, KeyScheme::Plain).write(&mut bytes);
            crc32fast::hash(&bytes)
        });
        if M::ACTIVE {
            self.sort_by(first, |this, mv| {
                let mine = game.opponent_to_move(&game.apply(position, mv));
                let value = this.table.stored_value(this.slot(&mine, depth - 1), depth - 1);
                value.unwrap_or(Score::ZERO)
            });
        }
    }

    /// Sorts stably, the greatest key first.
    fn sort_by(&mut self, first: usize, sort_key: impl Fn(&Self, G::Move) -> Score) {
        let mut sort_keys = std::mem::take(&mut self.sort_keys);
        sort_keys.clear();
        sort_keys.extend(self.moves[first..].iter().map(|&mv| (sort_key(self, mv), mv)));
        sort_keys.sort_by(|a, b| b.0.order(a.0));
        for (slot, &(_, mv)) in self.moves[first..].iter_mut().zip(&sort_keys) {
            *slot = mv;
        }
        self.sort_keys = sort_keys;
    }

    #[inline]
    fn emit(&mut self, kind: EventKind, node: Node, value: Option<Score>) {
        let index = self.events;
        self.events += 1;
        if T::ACTIVE {
            let Node { ply, depth, window: Window { beta, .. }, best: alpha, .. } = node;
            self.sink.push(Event {
                index,
                kind,
                ply,
                depth,
                window: Window { alpha, beta },
                value,
            });
        }
    }

    /// Emits an event at the root of a search for the best moves, with the best value so far and the event's value.
    fn emit_root(
        &mut self,
        kind: EventKind,
        depth: u8,
        full: Window,
        (best, value): (Option<Score>, Option<Score>),
    ) {
        let node = Node { best: best.unwrap_or(full.alpha), ..self.enter(full, depth, 0) };
        self.emit(kind, node, value);
    }
}

/// Runs a plan by the search and by the recursion, each with its own table, and asserts that events, counters, results
/// and entries are equal. Returns the events.
pub fn compare<G: Game>(
    context: &Context<'_, G>,
    plan: Plan,
    (root, history): (&G::Position, &G::History),
    budget: Option<u64>,
    [ours, theirs]: &mut [AnyTable<G::Key>; 2],
) -> Vec<Event> {
    let mut search = Search::new(context, plan, root.clone(), history.clone(), budget);
    let events = with_table!(&mut *ours, table => record(context, table, &mut search));
    with_table!(&mut *theirs, table => {
        let mut recursion = Recursion::new(context, table, Vec::new(), history.clone(), budget);
        match plan {
            Plan::Value { depth, window } => {
                let value = recursion.value(root, window, depth).ok();
                assert_eq!(search.value(), value);
                assert!(value.is_none() || search.line() == recursion.line());
            }
            Plan::Best(limits) => same_result(&search, &recursion.best_moves(root, limits)),
        }
        // Two long lists in a failure message cannot be read: show the first event that differs.
        let differ = events.iter().zip(&recursion.sink).find(|(a, b)| a != b);
        assert_eq!(differ, None, "machine and recursion");
        assert_eq!(events.len(), recursion.sink.len());
        assert_eq!(search.counters, recursion.counters);
    });
    let (ours, theirs) = (bits(ours.entries()), bits(theirs.entries()));
    let differ = ours.iter().zip(&theirs).find(|(a, b)| a != b);
    assert_eq!(differ, None, "entries of machine and recursion");
    assert_eq!(ours.len(), theirs.len());
    events
}

fn same_result<G: Game>(search: &Search<G>, found: &Found<G>) {
    assert_eq!(search.stopped(), Some(found.stop));
    let Some(complete) = search.complete() else {
        assert_eq!(found.depth, 0);
        return;
    };
    assert_eq!(complete.depth, found.depth);
    let ours = complete.moves.iter().map(|root| (root.mv, root.value, &root.line, root.decided));
    let theirs = found.moves.iter().map(|root| (root.mv, root.value, &root.line, root.decided));
    assert_eq!(ours.collect::<Vec<_>>(), theirs.collect::<Vec<_>>());
}

fn best<G: Game>(moves: &[Root<G>]) -> Option<Score> {
    moves.iter().filter_map(|root| root.value).reduce(Score::max)
}

/// Why deepening ends; nothing if another iteration follows.
fn stop_reason<G: Game>(game: &G, found: &Found<G>, limits: Limits, full: Window) -> Option<Stop> {
    if found.moves.is_empty() {
        return Some(Stop::Exhausted);
    }
    if found.depth == 0 {
        return None;
    }
    if found.depth >= limits.last {
        return Some(Stop::Depth);
    }
    let won = |root: &Root<G>| root.value.is_some_and(|value| game.is_won(value, full));
    let won = found.moves.iter().any(won);
    let settled =
        found.moves.len() == 1 || won || found.moves.iter().all(|root| root.decided.is_some());
    (limits.stop_when_decided && settled).then_some(Stop::Exhausted)
}

/// Asserts that a principal variation (of a search without a table) is complete, as long as the search is deep or up to
/// the end of the game, and that its last position has the value found.
pub fn check_line<G: Game>(context: &Context<'_, G>, search: &Search<G>) {
    let value = search.value().unwrap();
    if search.full_window().holds(value) {
        let line = (search.line(), search.depth());
        let end = line_value(context, search.root(), &mut search.history_at(0), line);
        assert_eq!(end, value, "{:?} from {:?}", line.0, search.root());
    }
}

/// The value at the end of a line, from the view of the side that moves first.
fn line_value<G: Game>(
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
    line_value(context, &next, history, (rest, depth - 1)).parent(game)
}
