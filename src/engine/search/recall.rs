//! What the machine asks of the memo and tells it.

#![expect(
    clippy::inline_always,
    reason = "the phases are one loop body: apart, each would look again for what the one before had at hand"
)]

use super::{Algorithm, Context, EventKind, Outcome, Phase, Search};
use crate::engine::{
    game::{Game, Score, Side, Window},
    memo::{Memo, Probe, Slot},
};

impl<G: Game> Search<G> {
    #[inline(always)]
    pub(super) fn enter<M: Memo<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut M,
    ) -> EventKind {
        let Some(frame) = self.frames.last_mut() else {
            return self.finish();
        };
        let slot = slot(context, &frame.position, &self.history, frame.depth);
        frame.slot = Some(slot);
        match memo.probe(slot, frame.depth, frame.window) {
            Probe::Answer(value) => {
                frame.outcome = Outcome::Hit;
                self.counters.hits += 1;
                memo.touch(slot, frame.depth);
                self.value = value;
                self.phase = Phase::Leave;
                EventKind::Hit
            }
            Probe::Search { window, found } => {
                frame.window = window;
                if context.mode.algorithm == Algorithm::AlphaBeta {
                    frame.best = window.alpha;
                }
                self.phase = Phase::Visit;
                frame.outcome = if found {
                    Outcome::Invalid
                } else {
                    Outcome::Miss
                };
                if found {
                    memo.touch(slot, frame.depth);
                    EventKind::Invalid
                } else {
                    EventKind::Miss
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn store<M: Memo<G::Key>>(
        &mut self,
        context: &Context<'_, G>,
        memo: &mut M,
    ) -> EventKind {
        let Some(frame) = self.frames.last() else {
            return self.finish();
        };
        match frame.outcome {
            Outcome::Invalid => self.counters.invalid += 1,
            _ => self.counters.misses += 1,
        }
        if G::HISTORIC && frame.rests_on_past {
            self.phase = Phase::Leave;
            return EventKind::Skip;
        }
        self.counters.stores += 1;
        let window = match context.mode.algorithm {
            Algorithm::AlphaBeta => frame.window,
            Algorithm::Minimax => Window::INFINITE,
        };
        let (position, depth, value) = (&frame.position, frame.depth, self.value);
        let before = memo.evictions();
        match frame.slot {
            Some(slot) if !context.mode.write_orbit => memo.store(slot, depth, window, value),
            _ => remember(
                context,
                memo,
                (position, &self.history),
                depth,
                window,
                value,
            ),
        }
        let evicted = memo.evictions() - before;
        self.counters.evictions += evicted;
        self.phase = if evicted > 0 {
            Phase::Evict
        } else {
            Phase::Leave
        };
        EventKind::Store
    }
}

/// The slot of a position under the mode in force.
#[inline]
pub(in crate::engine) fn slot<G: Game>(
    context: &Context<'_, G>,
    position: &G::Position,
    history: &G::History,
    depth: u8,
) -> Slot<G::Key> {
    let Context { game, mode, .. } = context;
    let negated = mode.negate_black && game.side(position) == Side::Black;
    Slot {
        key: game.node_key(position, history, mode.scheme, depth),
        negated,
    }
}

/// Stores a value for a position, or for its whole orbit where the mode says so.
pub(in crate::engine) fn remember<G: Game, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &mut M,
    (position, history): (&G::Position, &G::History),
    depth: u8,
    window: Window,
    value: Score,
) {
    if context.mode.write_orbit {
        for twin in context.game.orbit(position) {
            memo.store(slot(context, &twin, history, depth), depth, window, value);
        }
    } else {
        memo.store(
            slot(context, position, history, depth),
            depth,
            window,
            value,
        );
    }
}
