//! A searcher: game, settings, weights and table, which is everything that a search of a position depends on.
//!
//! A searcher shares nothing with others. Its results depend only on itself and the arguments, so they are the same on every
//! machine and with any number of threads, unless a time in milliseconds limits the search.

mod limits;
mod result;

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use crate::engine::{
    core::{
        game::{
            Fault, History, NodePlace, Result, Rules, Score, SearchRules, TableUse, Weights, Window,
        },
        search::{
            Context, Counters, Limits, Mode, NoWatcher, Plan, RootMove, Search, Stop, store_value,
        },
        settings::Settings,
        table::{AnyTable, CleanStep},
    },
    random,
};

pub use limits::RunLimits;
pub use result::{ResultBasis, RootResult};

/// A game, the settings of its searches, the weights of its evaluation and a transposition table.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use plyscope::engine::{game::Rules, morris::Morris, searcher::Searcher, settings::Settings};
/// let game = Morris::default();
/// let settings = Settings { depth: Some(3), ..Settings::default() };
/// let mut searcher = Searcher::new(&game, &settings, &game.default_weights())?;
/// let decision = searcher.choose((&game.start(), &()), 7, &AtomicBool::new(false))?;
/// assert!(decision.is_some_and(|decision| decision.best.contains(&decision.mv)));
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Searcher<G: SearchRules> {
    /// The game, configured by the settings.
    pub game: G,
    /// The settings of the searches of this searcher.
    pub settings: Settings,
    /// The weights of the evaluation, by name.
    pub weights: Weights,
    /// The transposition table, which later searches reuse.
    pub table: AnyTable<G::Key>,
}

/// The best moves of a position, and the move chosen.
#[derive(Clone, Debug)]
pub struct Decision<G: SearchRules> {
    /// The chosen move, one of `best`.
    pub mv: G::Move,
    /// The moves with the best value; all moves if time ran out before any move was searched.
    pub best: Vec<G::Move>,
    /// Every move with its value and variation, in the game's order.
    pub moves: Vec<RootMove<G>>,
    /// The best value for the side to move; `None` if no move was searched.
    pub value: Option<Score>,
    /// Depth of the last complete iteration in plies from the root; 0 without one.
    pub depth: u8,
    /// The counters of the search: nodes, probes and cutoffs.
    pub counters: Counters,
    /// Wall time of the search in milliseconds.
    pub ms: f64,
}

/// A position to search, with the history of the game before.
pub type Root<'a, G> = (&'a <G as Rules>::Position, &'a <G as Rules>::History);

impl<G: SearchRules> Searcher<G> {
    /// A searcher with an empty table.
    /// Errors: settings or weights that the game cannot use.
    pub fn new(game: &G, settings: &Settings, weights: &Weights) -> Result<Self> {
        settings.check_for::<G>()?;
        game.evaluator(weights, &game.start())?;
        let mut game = game.clone();
        game.configure(settings.configure());
        Ok(Self {
            game,
            table: settings.new_table(),
            weights: weights.clone(),
            settings: settings.clone(),
        })
    }

    /// A searcher with default settings and weights.
    pub fn usual(game: G) -> Self {
        let settings = Settings::default();
        Self { weights: game.default_weights(), table: settings.new_table(), settings, game }
    }

    /// The settings in the form that the search reads at every node.
    pub fn mode(&self) -> Mode {
        self.settings.mode()
    }

    /// Replaces the table by a clone of `table`, or by an empty one.
    pub fn reset(&mut self, table: Option<&AnyTable<G::Key>>) {
        self.table = table.cloned().unwrap_or_else(|| AnyTable::new(self.settings.memo()));
        self.settings.set_up(&mut self.table);
    }

    /// The evaluation function for searches from a position.
    /// Errors: weights that the game cannot use.
    pub fn evaluator(&self, position: &G::Position) -> Result<G::Evaluator> {
        self.game.evaluator(&self.weights, position)
    }

    /// A search that has not begun, with its evaluation function. `plan` receives the full window.
    /// Errors: weights that the game cannot use.
    pub fn search(
        &self,
        (position, history): Root<'_, G>,
        plan: impl FnOnce(Window) -> Plan,
        budget: Option<u64>,
    ) -> Result<(Search<G>, G::Evaluator)> {
        let evaluator = self.evaluator(position)?;
        let context = Context { game: &self.game, evaluator: &evaluator, mode: self.mode() };
        let most_plies = self.game.max_plies_left(position).map_or(u8::MAX, |plies| plies.max(1));
        let plan = match plan(self.game.full_window(&evaluator)) {
            Plan::Best(limits) => Plan::Best(Limits {
                first: limits.first.min(most_plies),
                last: limits.last.min(most_plies),
                ..limits
            }),
            plan @ Plan::Value { .. } => plan,
        };
        let mut search = Search::new(&context, plan, position.clone(), history.clone(), budget);
        let is_restricted = self.settings.tables == TableUse::Root && matches!(plan, Plan::Best(_));
        if is_restricted && let Some(best) = self.best_by_tables((position, history)) {
            search.restrict_root(|mv| best.contains(&mv));
        }
        Ok((search, evaluator))
    }

    /// The best moves by the endgame tables: the shortest wins, else all draws, else the longest losses. `None` unless the
    /// tables have the values of all moves.
    pub fn best_by_tables(&self, (position, history): Root<'_, G>) -> Option<Vec<G::Move>> {
        let game = &self.game;
        let (moves, mut after) = (game.legal_moves(position, history), history.clone());
        after.push(position);
        let value = |&mv: &G::Move| {
            let child = game.apply(position, mv);
            let place = NodePlace { ply: 0, depth: 0 };
            let over = game.terminal(&child, &after).map(|over| game.score_terminal(over, place));
            Some(over.or_else(|| game.table_value_of_move(&child))?.parent(game))
        };
        let values = moves.iter().map(value).collect::<Option<Vec<_>>>()?;
        let best = values.iter().copied().reduce(Score::max)?;
        let moves = moves.into_iter().zip(values).filter(|(_, value)| *value == best);
        Some(moves.map(|(mv, _)| mv).collect())
    }

    /// Updates the table after a decision: a rote table stores the root's value (seed 001), and a table that is cleaned
    /// between moves is cleaned (seed 000). Returns the steps of cleaning.
    pub fn learn(&mut self, search: &Search<G>, evaluator: &G::Evaluator) -> Vec<CleanStep> {
        if let (Some(value), AnyTable::Rote(table)) = (search.value(), &mut self.table) {
            let context = Context { game: &self.game, evaluator, mode: self.settings.mode() };
            let root = (search.root(), &search.history_at(0));
            store_value(&context, table, root, 0, Window::INFINITE, value);
        }
        self.table.entries_mut().tidy()
    }

    /// Searches for the best moves within the limits of the settings, chooses one by the random `number` and
    /// [learns](Searcher::learn). `None` if interrupted.
    /// Errors: a position without moves, weights that the game cannot use.
    pub fn choose(
        &mut self,
        (position, history): Root<'_, G>,
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Decision<G>>> {
        let start = Instant::now();
        let limits = self.settings.limits();
        let budget = self.settings.budget();
        let (mut search, evaluator) =
            self.search((position, history), |_| Plan::Best(limits), budget)?;
        let time = self.settings.time_ms.map(Duration::from_millis);
        let limits = RunLimits::new(interrupt, time.map(|time| start + time));
        let mode = self.mode();
        let context = Context { game: &self.game, evaluator: &evaluator, mode };
        if search.drive(&context, &mut self.table, &mut NoWatcher, &limits) == Stop::Interrupt {
            return Ok(None);
        }
        self.learn(&search, &evaluator);
        let result = search.root_result(&mode);
        let mut best: Vec<_> = result.best.iter().map(|root| root.mv).collect();
        if best.is_empty() {
            best = result.moves.iter().map(|root| root.mv).collect();
        }
        let mv = best.get(random::index_of(number, best.len())).copied();
        let mv = mv.ok_or_else(|| Fault::new("the game is over: there is no move to choose"))?;
        let value = result.value.filter(|_| result.basis != ResultBasis::Over);
        Ok(Some(Decision {
            mv,
            best,
            moves: result.moves.to_vec(),
            value,
            depth: search.complete().map_or(0, |complete| complete.depth),
            counters: search.counters,
            ms: start.elapsed().as_secs_f64() * 1e3,
        }))
    }
}
