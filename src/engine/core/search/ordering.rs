//! The order of children.

use super::{Context, Frame, Order, recall::collides, slot};
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

/// Sorts a node's moves, best first for the mover; equal ones stay in the game's order, or in the scattered one that
/// stands for the seeds' sets.
#[inline]
pub fn sort<G: Rules, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &M,
    frame: &Frame<G>,
    history: &G::History,
    moves: &mut [G::Move],
    scratch: &mut Scratch<G::Move>,
) {
    let mode = &context.mode;
    if !mode.algorithm.has_windows() || moves.len() < 2 {
        return;
    }
    let Context { game, evaluator, .. } = context;
    match mode.order {
        Order::None => {}
        Order::Captures if !G::URGENT => {}
        Order::Captures => by_urgency(*game, frame, moves, scratch),
        Order::Memo => {
            if G::URGENT {
                by_urgency(*game, frame, moves, scratch);
            }
            if M::ACTIVE && frame.depth >= 2 {
                by_memo(context, memo, frame, history, moves, scratch);
            }
        }
        Order::Seed if !G::LISTS_SETS => {}
        Order::Seed => {
            scatter(*game, frame, moves, scratch);
            if M::ACTIVE {
                by(moves, scratch, Score::ZERO, |mv| {
                    let child = game.pass(&game.apply(&frame.position, mv));
                    let depth = frame.depth - 1;
                    recall(context, memo, &child, history, depth)
                });
            }
        }
        Order::Static => by(moves, scratch, Score::ZERO, |mv| {
            let child = game.apply(&frame.position, mv);
            Some(-game.evaluate(evaluator, &child))
        }),
    }
}

/// By what the memo knows of the children from the iteration before. What it does not know counts 0, as in seed 002, or
/// comes last where moves had an order before.
#[inline]
fn by_memo<G: Rules, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &M,
    frame: &Frame<G>,
    history: &G::History,
    moves: &mut [G::Move],
    scratch: &mut Scratch<G::Move>,
) {
    let game = context.game;
    let unknown = if G::URGENT { Score::NEG_INFINITY } else { Score::ZERO };
    let depth = frame.depth - 2;
    by(moves, scratch, unknown, |mv| {
        let child = game.apply(&frame.position, mv);
        recall(context, memo, &child, history, depth).map(|value| -value)
    });
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
