//! The order of children.

use super::{Algorithm, Context, Frame, Order, slot};
use crate::engine::{
    game::{Game, KeyScheme, Score},
    memo::Memo,
};

/// Room for the sort, kept between nodes.
#[derive(Clone, Debug)]
pub struct Scratch<M> {
    worths: Vec<(Score, u32)>,
    scattered: Vec<(u32, u32)>,
    key: Vec<u8>,
    moves: Vec<M>,
}

impl<M> Default for Scratch<M> {
    fn default() -> Self {
        Self {
            worths: Vec::new(),
            scattered: Vec::new(),
            key: Vec::new(),
            moves: Vec::new(),
        }
    }
}

/// Sorts a node's moves, best first for the mover; equal ones stay in the game's order, or in the scattered one that
/// stands for the seeds' sets.
#[inline]
pub fn sort<G: Game, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &M,
    frame: &Frame<G>,
    moves: &mut [G::Move],
    scratch: &mut Scratch<G::Move>,
) {
    let mode = &context.mode;
    if mode.algorithm == Algorithm::Minimax || moves.len() < 2 {
        return;
    }
    let Context {
        game, evaluator, ..
    } = context;
    match mode.order {
        Order::None => {}
        Order::Memo if !M::ACTIVE || frame.depth < 2 => {}
        Order::Memo => by(moves, scratch, |mv| {
            let child = game.apply(&frame.position, mv);
            memo.recall(slot(context, &child), frame.depth - 2)
                .map(|value| -value)
        }),
        Order::Seed => {
            scatter(*game, frame, moves, scratch);
            if M::ACTIVE {
                by(moves, scratch, |mv| {
                    let child = game.pass(&game.apply(&frame.position, mv));
                    memo.recall(slot(context, &child), frame.depth - 1)
                });
            }
        }
        Order::Static => by(moves, scratch, |mv| {
            let child = game.apply(&frame.position, mv);
            Some(-game.evaluate(evaluator, &child))
        }),
    }
}

/// Stable sort by descending worth; what is not known counts 0, as in seed 002.
#[inline]
fn by<M: Copy>(
    moves: &mut [M],
    scratch: &mut Scratch<M>,
    mut worth: impl FnMut(M) -> Option<Score>,
) {
    let mut known = false;
    scratch.worths.clear();
    scratch
        .worths
        .extend(moves.iter().zip(0..).map(|(&mv, place)| {
            let value = worth(mv);
            known |= value.is_some();
            (value.unwrap_or(Score::ZERO), place)
        }));
    if known {
        scratch.worths.sort_by(|a, b| b.0.order(a.0));
        permute(
            moves,
            &mut scratch.moves,
            scratch.worths.iter().map(|&(_, place)| place),
        );
    }
}

/// The seeds walk through Python sets, in an order that has nothing to do with the board. A systematic order would give
/// counters that theirs never shows, so `seed` fidelity goes by the CRC-32 of the child's key: as arbitrary, but the
/// same everywhere.
#[inline]
fn scatter<G: Game>(
    game: &G,
    frame: &Frame<G>,
    moves: &mut [G::Move],
    scratch: &mut Scratch<G::Move>,
) {
    let Scratch {
        scattered,
        key,
        moves: copy,
        ..
    } = scratch;
    scattered.clear();
    scattered.extend(moves.iter().zip(0..).map(|(&mv, place)| {
        let child = game.apply(&frame.position, mv);
        key.clear();
        game.write_key(game.key(&child, KeyScheme::Plain), key);
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
