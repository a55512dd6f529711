//! Probing and storing in the transposition table.

use super::{Context, EventKind, Phase, ProbeOutcome, Search, WindowChange, top};
use crate::engine::core::{
    game::{KeyScheme, Packed, Score, SearchRules, Side, Window},
    table::{HashMove, Probe, SearchTable, Slot},
};

impl<G: SearchRules> Search<G> {
    #[inline(always)]
    pub(super) fn enter<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        table: &mut M,
    ) -> EventKind {
        let frame = top(&mut self.frames);
        let slot = slot(context, &frame.position, &self.history, frame.depth);
        frame.slot = Some(slot);
        let probe = if collides(context, table, &frame.position, slot, frame.depth) {
            self.counters.collisions += 1;
            Probe::miss(frame.window)
        } else {
            table.probe(slot, frame.depth, frame.window)
        };
        match probe {
            // hash cutoff
            Probe::Hit(value) => {
                frame.outcome = ProbeOutcome::Hit;
                self.counters.hits += 1;
                table.count_use(slot, frame.depth);
                self.value = value;
                self.phase = Phase::Leave;
                EventKind::Hit
            }
            Probe::Search { window, found } => {
                if found && window != frame.window {
                    frame.changed = Some(WindowChange::Entry);
                }
                frame.window = window;
                if context.mode.algorithm.has_windows() {
                    frame.best = window.alpha;
                }
                self.phase = Phase::Visit;
                frame.outcome = if found { ProbeOutcome::Invalid } else { ProbeOutcome::Miss };
                if found {
                    table.count_use(slot, frame.depth);
                    EventKind::Invalid
                } else {
                    EventKind::Miss
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn store<M: SearchTable<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        table: &mut M,
    ) -> EventKind {
        let frame = top(&mut self.frames);
        let found = u64::from(frame.outcome == ProbeOutcome::Invalid);
        self.counters.invalid += found;
        self.counters.misses += 1 - found;
        self.counters.changed_window += u64::from(frame.changed == Some(WindowChange::Entry));
        // Graph-history interaction: with `history=skip`, a repetition may be no draw after other moves, so it is not stored.
        if G::USES_HISTORY && frame.depends_on_history {
            self.phase = Phase::Leave;
            return EventKind::Skip;
        }
        self.counters.stores += 1;
        let has_windows = context.mode.algorithm.has_windows();
        let window = if has_windows { frame.window } else { Window::INFINITE };
        let (position, depth, value) = (&frame.position, frame.depth, self.value);
        let keeps_hash_move = M::HAS_HASH_MOVE && context.mode.keeps_hash_move(depth);
        // A node that fails low has no best move: the hash move of an earlier search is kept.
        let hash_move = keeps_hash_move.then(|| match frame.best_move {
            Some(mv) => Some(hash_move_of(context.game, context.mode.scheme, position, mv)),
            None => table.hash_move(slot(context, position, &self.history, depth), depth),
        });
        let evictions = table.evictions();
        match frame.slot {
            Some(slot) if !context.mode.write_orbit => {
                set_position(context, table, position);
                table.store(slot, depth, window, value);
            }
            _ => store_value(context, table, (position, &self.history), depth, window, value),
        }
        if let Some(best) = hash_move.flatten() {
            table.set_hash_move(slot(context, position, &self.history, depth), depth, best);
        }
        let evicted = table.evictions() - evictions;
        self.counters.evictions += evicted;
        self.phase = if evicted > 0 { Phase::Evict } else { Phase::Leave };
        EventKind::Store
    }
}

/// The table slot of a position: its key, and whether values are stored with the opposite sign.
#[inline]
pub(in crate::engine) fn slot<G: SearchRules>(
    context: &Context<'_, G>,
    position: &G::Position,
    history: &G::History,
    depth: u8,
) -> Slot<G::Key> {
    let Context { game, mode, .. } = context;
    let negated = mode.negate_black && game.side(position) == Side::Black;
    Slot { key: game.node_key(position, history, mode.scheme, depth), negated }
}

/// The form in which an entry stores a move: a number made from the key of the position after the move.
pub(in crate::engine) fn hash_move_of<G: SearchRules>(
    game: &G,
    scheme: KeyScheme,
    position: &G::Position,
    mv: G::Move,
) -> HashMove {
    HashMove::of(game.key(&game.apply(position, mv), scheme))
}

/// Whether a table with `verify=on` has an entry of another position with this key.
#[inline]
pub(super) fn collides<G: SearchRules, M: SearchTable<G::Key>>(
    context: &Context<'_, G>,
    table: &M,
    position: &G::Position,
    slot: Slot<G::Key>,
    depth: u8,
) -> bool {
    let state = || context.game.pack(position, context.mode.scheme);
    table.verifies() && state().is_some_and(|state| table.holds_other_position(slot, depth, &state))
}

/// Passes the position to a table with `verify=on`, before a store, so that it can detect key collisions.
#[inline]
fn set_position<G: SearchRules, M: SearchTable<G::Key>>(
    context: &Context<'_, G>,
    table: &mut M,
    position: &G::Position,
) {
    if table.verifies() {
        let state = context.game.pack(position, context.mode.scheme);
        table.set_position(state.unwrap_or(Packed::UNKNOWN));
    }
}

/// The learned value of a position (policy `rote`), if the table has one.
pub(super) fn leaf_value<G: SearchRules, M: SearchTable<G::Key>>(
    context: &Context<'_, G>,
    table: &M,
    position: &G::Position,
    history: &G::History,
) -> Option<Score> {
    let slot = slot(context, position, history, 0);
    if collides(context, table, position, slot, 0) { None } else { table.leaf_value(slot) }
}

/// Stores a value for a position, or for all positions symmetric to it.
pub(in crate::engine) fn store_value<G: SearchRules, M: SearchTable<G::Key>>(
    context: &Context<'_, G>,
    table: &mut M,
    (position, history): (&G::Position, &G::History),
    depth: u8,
    window: Window,
    value: Score,
) {
    if !context.mode.write_orbit {
        set_position(context, table, position);
        table.store(slot(context, position, history, depth), depth, window, value);
        return;
    }
    for twin in context.game.orbit(position) {
        set_position(context, table, &twin);
        table.store(slot(context, &twin, history, depth), depth, window, value);
    }
}
