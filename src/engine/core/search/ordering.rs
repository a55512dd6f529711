//! The order of children.

use serde::{Deserialize, Serialize};

use super::{Context, Frame, Hints, Order, recall::collides, slot};
use crate::engine::core::{
    game::{Key as _, KeyScheme, Rules, Score},
    memo::Memo,
};

/// Room for the sort, kept between nodes so that it is not asked for each time. Nothing in it is needed later.
#[derive(Debug)]
pub struct Scratch<M> {
    promises: Vec<Promise>,
    moves: Vec<M>,
}

impl<M> Clone for Scratch<M> {
    /// An empty one: checkpoints need not carry what is written anew at the next node.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<M> Default for Scratch<M> {
    fn default() -> Self {
        Self { promises: Vec::new(), moves: Vec::new() }
    }
}

/// What a move promises, packed into one number so that one comparison sorts; more comes earlier. From the top: captures
/// (16 bits), value (64), killer (2), history (24), and the place in the game's order (22), which makes each another; a value
/// from the memo stands above captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Promise(u128);

const HISTORY_BITS: u32 = 24;
const PLACE_BITS: u32 = 22;
/// Where what stands above killers begins.
const TOP: u32 = 2 + HISTORY_BITS + PLACE_BITS;
const LAST_PLACE: u32 = (1 << PLACE_BITS) - 1;

impl Promise {
    #[inline]
    fn at(self, place: u32) -> Self {
        Self(self.0 | u128::from(LAST_PLACE - place))
    }

    #[inline]
    fn place(self) -> usize {
        (LAST_PLACE - (self.0 as u32 & LAST_PLACE)) as usize
    }
}

/// What tells the order of a node's moves.
pub(super) struct Sorter<'a, G: Rules, M> {
    pub context: &'a Context<'a, G>,
    pub memo: &'a M,
    pub frame: &'a Frame<G>,
    pub ply: usize,
    pub history: &'a G::History,
    pub cutoffs: &'a CutoffTable<G::Move>,
}

impl<G: Rules, M: Memo<G::Key>> Sorter<'_, G, M> {
    /// Sorts the moves, best first for the mover; equal ones stay in the game's order, or in the scattered one that stands
    /// for the seeds' sets.
    #[inline]
    pub fn sort(&self, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) {
        let mode = &self.context.mode;
        let sorts = mode.algorithm.has_windows() && (2..LAST_PLACE as usize).contains(&moves.len());
        // To look at a few leaves more costs less than to put them in order.
        let leaves = self.frame.depth == 1 && !mode.quiescence && mode.order != Order::Seed;
        if !sorts || leaves {
            return;
        }
        match mode.order {
            Order::By(hints) => self.by_hints(hints, moves, scratch),
            Order::Seed if !G::LISTS_SETS => {}
            Order::Seed => self.as_seed(moves, scratch),
        }
    }

    #[inline]
    fn by_hints(&self, hints: Hints, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) {
        let Self { context, frame, cutoffs, ply, .. } = *self;
        let Context { game, evaluator, mode } = *context;
        let position = &frame.position;
        let recalls = hints.memo && M::ACTIVE;
        // The iteration before has left something of the children, of leaves only where these are kept.
        let earlier =
            frame.depth.checked_sub(2).filter(|left| recalls && (*left > 0 || mode.leaves));
        let static_value = |mv| -game.evaluate(evaluator, &game.apply(position, mv));
        let unknown = if G::URGENT { Score::NEG_INFINITY } else { Score::ZERO };
        let value = |mv| {
            let known = earlier.and_then(|depth| self.recall(&game.apply(position, mv), depth));
            match known {
                Some(value) => -value,
                None if hints.standing => static_value(mv),
                None => unknown,
            }
        };
        let captures = hints.captures || (hints.memo && G::URGENT);
        let (over_value, under_value) = (TOP + 64, TOP);
        let (over_captures, under_captures) = (TOP + 16, TOP);
        let (value_at, captures_at) = if earlier.is_some() {
            (over_captures, under_captures)
        } else {
            (under_value, over_value)
        };
        let killers = if hints.killers { cutoffs.killers(ply) } else { [None; 2] };
        by(moves, scratch, |mv| {
            let mut promise = killer_rank(killers, mv) << (HISTORY_BITS + PLACE_BITS);
            if earlier.is_some() || hints.standing {
                promise |= u128::from(rank(value(mv))) << value_at;
            }
            if captures {
                promise |= u128::from(game.urgency(position, mv)) << captures_at;
            }
            if hints.history {
                let count = cutoffs.count(game.history_place(position, mv));
                promise |= u128::from(count.min((1 << HISTORY_BITS) - 1)) << PLACE_BITS;
            }
            Promise(promise)
        });
    }

    /// As seed 002, with its defect D1. The seeds walk through Python sets, in an order that has nothing to do with the
    /// board. A systematic order would give counters that theirs never shows, so here equal moves go by the CRC-32 of the
    /// child's key: as arbitrary, but the same everywhere.
    fn as_seed(&self, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) {
        let Self { context, frame, .. } = *self;
        let game = context.game;
        let mut key = Vec::with_capacity(16);
        by(moves, scratch, |mv| {
            let child = game.apply(&frame.position, mv);
            key.clear();
            game.key(&child, KeyScheme::Plain).write(&mut key);
            let passed = || self.recall(&game.pass(&child), frame.depth - 1);
            let known = if M::ACTIVE { passed() } else { None };
            let scattered = u128::from(!crc32fast::hash(&key)) << PLACE_BITS;
            Promise(u128::from(rank(known.unwrap_or(Score::ZERO))) << 64 | scattered)
        });
    }

    /// What the memo knows of a position.
    #[inline]
    fn recall(&self, position: &G::Position, depth: u8) -> Option<Score> {
        let Self { context, memo, history, .. } = *self;
        let slot = slot(context, position, history, depth);
        if collides(context, memo, position, slot, depth) { None } else { memo.recall(slot, depth) }
    }
}

/// A number for each score, in the order of the scores.
#[inline]
fn rank(score: Score) -> u64 {
    const SIGN: u64 = 1 << 63;
    // Zeros of either sign are one score.
    let bits = (score.get() + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

#[inline]
fn killer_rank<M: PartialEq>([first, second]: [Option<M>; 2], mv: M) -> u128 {
    let mv = Some(mv);
    if mv == first { 2 } else { u128::from(mv == second) }
}

/// What cutoffs have taught: moves that did well elsewhere are tried early.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CutoffTable<M> {
    /// By ply, the last one first.
    killers: Vec<[Option<M>; 2]>,
    /// By the place that the game gives a move.
    history: Vec<u32>,
}

impl<M> Default for CutoffTable<M> {
    fn default() -> Self {
        Self { killers: Vec::new(), history: Vec::new() }
    }
}

impl<M: Copy + PartialEq> CutoffTable<M> {
    /// Nothing yet.
    pub(super) fn is_empty(&self) -> bool {
        self.killers.is_empty() && self.history.is_empty()
    }

    /// Memory beside itself, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.killers.as_slice()) + size_of_val(self.history.as_slice())
    }

    fn count(&self, place: usize) -> u32 {
        self.history.get(place).copied().unwrap_or(0)
    }

    fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers.get(ply).copied().unwrap_or([None; 2])
    }

    /// A move has cut a node off. What captures is tried early anyway.
    #[cold]
    pub(super) fn learn<G: Rules<Move = M>>(
        &mut self,
        game: &G,
        ply: usize,
        node: &Frame<G>,
        mv: M,
    ) {
        if game.urgency(&node.position, mv) > 0 {
            return;
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            (*first, *second) = (Some(mv), *first);
        }
        let place = game.history_place(&node.position, mv);
        if self.history.len() <= place {
            self.history.resize(place + 1, 0);
        }
        let depth = u32::from(node.depth);
        self.history[place] = self.history[place].saturating_add(depth * depth);
    }
}

/// Puts moves into the order of what they promise.
#[inline]
fn by<M: Copy>(moves: &mut [M], scratch: &mut Scratch<M>, mut promise: impl FnMut(M) -> Promise) {
    let Scratch { promises, moves: copy } = scratch;
    promises.clear();
    promises.extend(moves.iter().zip(0..).map(|(&mv, place)| promise(mv).at(place)));
    promises.sort_unstable_by(|a, b| b.cmp(a));
    copy.clear();
    copy.extend_from_slice(moves);
    for (slot, promise) in moves.iter_mut().zip(promises) {
        *slot = copy[promise.place()];
    }
}
