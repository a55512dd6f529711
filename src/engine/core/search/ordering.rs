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
    worths: Vec<(Score, u32)>,
    scattered: Vec<(u32, u32)>,
    urgent: Vec<(i32, u32)>,
    key: Vec<u8>,
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
        Self {
            worths: Vec::new(),
            scattered: Vec::new(),
            urgent: Vec::new(),
            key: Vec::new(),
            moves: Vec::new(),
        }
    }
}

/// The moves of a node that are to be put in order, and what may tell how.
pub(super) struct Unsorted<'a, G: Rules, M> {
    pub context: &'a Context<'a, G>,
    pub memo: &'a M,
    pub frame: &'a Frame<G>,
    pub ply: usize,
    pub history: &'a G::History,
    pub cutoffs: &'a CutoffTable<G::Move>,
    pub moves: &'a mut [G::Move],
    pub scratch: &'a mut Scratch<G::Move>,
}

impl<G: Rules, M: Memo<G::Key>> Unsorted<'_, G, M> {
    /// Sorts the moves, best first for the mover; equal ones stay in the game's order, or in the scattered one that stands
    /// for the seeds' sets.
    #[inline]
    pub fn sort(mut self) {
        let mode = &self.context.mode;
        if !mode.algorithm.has_windows() || self.moves.len() < 2 {
            return;
        }
        match mode.order {
            Order::By(hints) => self.by_hints(hints),
            Order::Seed if !G::LISTS_SETS => {}
            Order::Seed => self.as_seed(),
        }
    }

    /// One stable sort after the other, the strongest hint last.
    #[inline]
    fn by_hints(&mut self, hints: Hints) {
        let by_memo = hints.memo && M::ACTIVE && self.frame.depth >= 2;
        let Context { game, evaluator, .. } = *self.context;
        let frame = self.frame;
        let standing = |mv| -game.evaluate(evaluator, &game.apply(&frame.position, mv));
        if hints.standing && !by_memo {
            by(self.moves, self.scratch, Score::ZERO, |mv| Some(standing(mv)));
        }
        if hints.history {
            let cutoffs = self.cutoffs;
            by(self.moves, self.scratch, Score::ZERO, |mv| {
                cutoffs.worth(game.history_place(&frame.position, mv))
            });
        }
        if hints.killers {
            self.cutoffs.killers_first(self.ply, self.moves);
        }
        if hints.captures || (hints.memo && G::URGENT) {
            by_urgency(game, frame, self.moves, self.scratch);
        }
        if by_memo {
            self.by_memo(|mv| hints.standing.then(|| standing(mv)));
        }
    }

    /// By what the memo knows of the children from the iteration before, or else by what `otherwise` says. What is not known
    /// at all counts 0, as in seed 002, or comes last where moves had an order before.
    #[inline]
    fn by_memo(&mut self, otherwise: impl Fn(G::Move) -> Option<Score>) {
        let Self { context, memo, frame, history, .. } = *self;
        let unknown = if G::URGENT { Score::NEG_INFINITY } else { Score::ZERO };
        let depth = frame.depth - 2;
        by(self.moves, self.scratch, unknown, |mv| {
            let child = context.game.apply(&frame.position, mv);
            let known = recall(context, memo, &child, history, depth).map(|value| -value);
            known.or_else(|| otherwise(mv))
        });
    }

    /// As seed 002, with its defect D1.
    fn as_seed(&mut self) {
        let Self { context, memo, frame, history, .. } = *self;
        let game = context.game;
        scatter(game, frame, self.moves, self.scratch);
        if M::ACTIVE {
            by(self.moves, self.scratch, Score::ZERO, |mv| {
                let child = game.pass(&game.apply(&frame.position, mv));
                recall(context, memo, &child, history, frame.depth - 1)
            });
        }
    }
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

    fn worth(&self, place: usize) -> Option<Score> {
        let cutoffs = self.history.get(place).filter(|cutoffs| **cutoffs > 0)?;
        Some(Score::from_finite(f64::from(*cutoffs)))
    }

    fn killers_first(&self, ply: usize, moves: &mut [M]) {
        let killers = self.killers.get(ply).into_iter().flatten();
        for killer in killers.rev().flatten() {
            if let Some(place) = moves.iter().position(|mv| mv == killer) {
                moves[..=place].rotate_right(1);
            }
        }
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

/// What the memo knows of a position.
#[inline]
fn recall<G: Rules, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &M,
    position: &G::Position,
    history: &G::History,
    depth: u8,
) -> Option<Score> {
    let slot = slot(context, position, history, depth);
    if collides(context, memo, position, slot, depth) { None } else { memo.recall(slot, depth) }
}

/// Stable sort by what moves promise; those that promise nothing stay behind the others.
#[inline]
fn by_urgency<G: Rules>(
    game: &G,
    frame: &Frame<G>,
    moves: &mut [G::Move],
    scratch: &mut Scratch<G::Move>,
) {
    let urgent = &mut scratch.urgent;
    urgent.clear();
    urgent.extend(moves.iter().zip(0..).filter_map(|(&mv, place)| {
        let urgency = game.urgency(&frame.position, mv);
        (urgency > 0).then_some((-urgency, place))
    }));
    if urgent.is_empty() {
        return;
    }
    urgent.sort_unstable();
    let copy = &mut scratch.moves;
    copy.clear();
    copy.extend(urgent.iter().map(|&(_, place)| moves[place as usize]));
    // From the end, the moves that promise nothing close up behind.
    urgent.sort_unstable_by_key(|&(_, place)| place);
    let mut free = moves.len();
    for place in (0..moves.len()).rev() {
        match urgent.last() {
            Some(&(_, known)) if known as usize == place => {
                urgent.pop();
            }
            _ => {
                free -= 1;
                moves[free] = moves[place];
            }
        }
    }
    moves[..copy.len()].copy_from_slice(copy);
}

/// Stable sort by descending worth.
#[inline]
fn by<M: Copy>(
    moves: &mut [M],
    scratch: &mut Scratch<M>,
    unknown: Score,
    mut worth: impl FnMut(M) -> Option<Score>,
) {
    let mut known = false;
    scratch.worths.clear();
    scratch.worths.extend(moves.iter().zip(0..).map(|(&mv, place)| {
        let value = worth(mv);
        known |= value.is_some();
        (value.unwrap_or(unknown), place)
    }));
    if known {
        scratch.worths.sort_by(|a, b| b.0.order(a.0));
        permute(moves, &mut scratch.moves, scratch.worths.iter().map(|&(_, place)| place));
    }
}

/// The seeds walk through Python sets, in an order that has nothing to do with the board. A systematic order would give
/// counters that theirs never shows, so `seed` fidelity goes by the CRC-32 of the child's key: as arbitrary, but the
/// same everywhere.
#[inline]
fn scatter<G: Rules>(
    game: &G,
    frame: &Frame<G>,
    moves: &mut [G::Move],
    scratch: &mut Scratch<G::Move>,
) {
    let Scratch { scattered, key, moves: copy, .. } = scratch;
    scattered.clear();
    scattered.extend(moves.iter().zip(0..).map(|(&mv, place)| {
        let child = game.apply(&frame.position, mv);
        key.clear();
        game.key(&child, KeyScheme::Plain).write(key);
        (crc32fast::hash(key), place)
    }));
    scattered.sort_unstable();
    permute(moves, copy, scattered.iter().map(|&(_, place)| place));
}

fn permute<M: Copy>(moves: &mut [M], copy: &mut Vec<M>, places: impl Iterator<Item = u32>) {
    copy.clear();
    copy.extend_from_slice(moves);
    for (slot, from) in moves.iter_mut().zip(places) {
        *slot = copy[from as usize];
    }
}
