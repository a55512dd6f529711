//! The plain search, the reference for every value.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::{
    game::{Game, Key, Keyed, NodePlace, Score, Window},
    progress::Progress,
    search::{
        Algorithm, Context, Heuristic, Heuristics, Mode, NoWatcher, Order, Plan, Search, Stop,
        Watcher, quiescence_depth_below, slot,
    },
    searcher::Root,
    table::{AnyTable, Probe, Record, Rote, SearchTable, Slot},
};

// Events between two reads of the interrupt flag, which take some milliseconds.
const SLICE: u64 = 1 << 14;

/// The limits of plain searching: the interrupt and a number of nodes.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    pub(crate) interrupt: &'a AtomicBool,
    /// The most nodes to visit; `None`: no limit.
    pub(crate) nodes: Option<u64>,
    /// Reports the visited nodes; `None` if the caller reports something else.
    pub(crate) progress: Option<&'a Progress>,
}

/// Why a plain search stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halted {
    Interrupted,
    /// The search would take more nodes than allowed.
    Effort,
}

/// A result of the plain search, or why it stopped early.
pub type PlainResult<T> = Result<T, Halted>;

/// How many plies below a node are searched, before the horizon and in quiescence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// Plies from the node to the horizon; 0 in quiescence.
    pub(crate) depth: u8,
    pub(crate) quiescence_depth: Option<u8>,
}

impl Remaining {
    /// A remaining depth of `depth` plies, outside of quiescence search.
    pub const fn within(depth: u8) -> Self {
        Self { depth, quiescence_depth: None }
    }

    /// The remaining depth of the node's children.
    #[must_use]
    pub fn child(self, mode: &Mode) -> Self {
        match self.depth.checked_sub(1) {
            Some(depth) => Self::within(depth),
            None => Self {
                depth: 0,
                quiescence_depth: Some(quiescence_depth_below(self.quiescence_depth, mode)),
            },
        }
    }
}

/// The search machine without a table and with every defect repaired. The values that a rote table has learned still replace
/// the static value, as they do in the search that is checked.
#[derive(Debug)]
pub struct Plain<'a, G: Game> {
    pub(crate) context: Context<'a, G>,
    learned: Learned<'a, G::Key>,
    pub(crate) effort: Effort<'a>,
    nodes: u64,
}

impl<'a, G: Game> Plain<'a, G> {
    /// A plain search to compare with searches in this context and with this table.
    pub fn new(context: &Context<'a, G>, table: &'a AnyTable<G::Key>, effort: Effort<'a>) -> Self {
        let mode = Mode {
            algorithm: Algorithm::AlphaBeta,
            write_orbit: false,
            order: Order::By(Heuristics::NONE.with(Heuristic::StaticEval, true)),
            leaf_before_end: false,
            budget_short_by_one: false,
            selective: None,
            ..context.mode
        };
        let learned = if let AnyTable::Rote(rote) = table { Some(rote) } else { None };
        Self { context: Context { mode, ..*context }, learned: Learned(learned), effort, nodes: 0 }
    }

    /// The number of nodes visited so far, in all plain searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the moves of a node are searched (if the game is not over).
    pub fn has_moves(&self, remaining: Remaining) -> bool {
        let quiescence = G::HAS_QUIESCENCE && self.context.mode.quiescence;
        remaining.depth > 0 || (quiescence && remaining.quiescence_depth != Some(0))
    }

    /// The value of a node, searched with a window.
    pub fn value(&mut self, node: Root<'_, G>, depth: u8, window: Window) -> PlainResult<Score> {
        self.watched(node, Remaining::within(depth), window, &mut NoWatcher)
    }

    /// As [`Plain::value`], with a watcher, which cannot stop the search.
    pub fn watched<W: Watcher<Search<G>>>(
        &mut self,
        (position, history): Root<'_, G>,
        Remaining { depth, quiescence_depth }: Remaining,
        window: Window,
        watcher: &mut W,
    ) -> PlainResult<Score> {
        let budget = self.effort.nodes.map(|nodes| nodes.saturating_sub(self.nodes));
        let plan = Plan::Value { depth, window };
        let (root, history) = (position.clone(), history.clone());
        let mut search = Search::new(&self.context, plan, root, history, budget);
        if let Some(depth) = quiescence_depth {
            search = search.with_quiescence_depth(depth);
        }
        let result = loop {
            let mut fuel = SLICE;
            let stop = search.run(&self.context, &mut self.learned, watcher, &mut fuel);
            match (stop, search.value()) {
                (_, Some(value)) => break Ok(value),
                (Stop::Budget, _) => break Err(Halted::Effort),
                _ if self.effort.interrupt.load(Ordering::Relaxed) => {
                    break Err(Halted::Interrupted);
                }
                _ => {}
            }
            if let Some(progress) = self.effort.progress {
                let done = self.nodes + search.counters.nodes;
                progress.update(done, self.effort.nodes.unwrap_or(0));
            }
        };
        self.nodes += search.counters.nodes;
        result
    }

    /// The value of a position at depth 0: the game's end, the true value, the learned value, or the static value.
    pub fn leaf(&self, position: &G::Position, history: &G::History) -> Score {
        let Context { game, evaluator, mode } = self.context;
        game.terminal(position, history)
            .map(|value| {
                let place = NodePlace { ply: 0, depth: 0 };
                if mode.tables { game.score_terminal(value, place) } else { value }
            })
            .or_else(|| self.known(position))
            .or_else(|| self.learned(position, history))
            .unwrap_or_else(|| game.evaluate(evaluator, position))
    }

    /// The true value that replaces searching a position (`tables=leaf`).
    pub fn known(&self, position: &G::Position) -> Option<Score> {
        self.context.game.known_value(position).filter(|_| self.context.mode.tables)
    }

    /// The value that a rote table has learned of a position.
    pub fn learned(&self, position: &G::Position, history: &G::History) -> Option<Score> {
        self.learned.leaf_value(slot(&self.context, position, history, 0))
    }
}

/// The values that a rote table has learned, including those that are 0.
#[derive(Clone, Copy, Debug)]
struct Learned<'a, K: Key>(Option<&'a Rote<K>>);

impl<K: Key> SearchTable<K> for Learned<'_, K> {
    const ACTIVE: bool = false;
    const HAS_LEAF_VALUES: bool = true;

    fn probe(&self, _: Slot<K>, _: u8, window: Window) -> Probe {
        Probe::Search { window, found: false }
    }

    fn store(&mut self, _: Slot<K>, _: u8, _: Window, _: Score) {}

    fn leaf_value(&self, slot: Slot<K>) -> Option<Score> {
        let at = Keyed { key: slot.key, depth: 0 };
        let value = self.0?.get(at)?.entry(0).value;
        Some(if slot.negated { -value } else { value })
    }

    fn stored_value(&self, _: Slot<K>, _: u8) -> Option<Score> {
        None
    }
}
