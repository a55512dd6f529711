//! The order of children.

use super::{Algorithm, Context, Frame, Order, slot};
use crate::engine::{
    game::{Game, Score},
    memo::Memo,
};

/// Room for the sort, kept between nodes.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Vec<(Score, u32)>);

/// Sorts a node's moves, best first for the mover; equal ones stay in the game's order.
#[inline]
pub fn sort<G: Game, M: Memo<G::Key>>(
    context: &Context<'_, G>,
    memo: &M,
    frame: &Frame<G>,
    moves: &mut [G::Move],
    scratch: &mut Scratch,
) {
    let mode = &context.mode;
    if mode.algorithm == Algorithm::Minimax || moves.len() < 2 {
        return;
    }
    match mode.order {
        Order::None => {}
        Order::Memo if !M::ACTIVE || frame.depth < 2 => {}
        Order::Seed if !M::ACTIVE => {}
        Order::Memo => by(moves, scratch, |mv| {
            let child = context.game.apply(&frame.position, mv);
            memo.recall(slot(context, &child), frame.depth - 2)
                .map(|value| -value)
        }),
        Order::Seed => by(moves, scratch, |mv| {
            let child = context.game.pass(&context.game.apply(&frame.position, mv));
            memo.recall(slot(context, &child), frame.depth - 1)
        }),
        Order::Static => by(moves, scratch, |mv| {
            let child = context.game.apply(&frame.position, mv);
            Some(-context.game.evaluate(context.evaluator, &child))
        }),
    }
}

/// Stable sort by descending worth; what is not known counts 0, as in seed 002.
#[inline]
fn by<T: Copy>(moves: &mut [T], scratch: &mut Scratch, mut worth: impl FnMut(T) -> Option<Score>) {
    let mut known = false;
    scratch.0.clear();
    scratch.0.extend(moves.iter().zip(0..).map(|(&mv, place)| {
        let value = worth(mv);
        known |= value.is_some();
        (value.unwrap_or(Score::ZERO), place)
    }));
    if !known {
        return;
    }
    scratch.0.sort_by(|a, b| b.0.order(a.0));
    let original = moves.to_vec();
    for (slot, &(_, from)) in moves.iter_mut().zip(&scratch.0) {
        *slot = original[from as usize];
    }
}
