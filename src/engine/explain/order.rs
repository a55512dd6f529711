//! Why the moves of a node are searched in the order they are.

use serde::Serialize;

use crate::engine::{
    game::{Fault, Game, Side},
    memo::AnyMemo,
    search::{Context, MoveHints, Search},
};

/// The moves of a node in the order they are searched, with the hints that place them.
#[derive(Clone, Debug, Serialize)]
pub struct OrderExplained {
    /// Distance from the root.
    pub ply: u32,
    /// The position.
    pub state: String,
    /// The side to move.
    pub side: Side,
    /// The order in force, as `search set order=` has it.
    pub order: String,
    /// What places the moves: `hints`, `iteration` (the values of the root's moves in the iteration before) or `game`: the
    /// order in which the game lists them.
    pub by: &'static str,
    /// The moves, the first one first.
    pub moves: Vec<OrderedMove>,
}

/// A move and what places it.
#[derive(Clone, Debug, Serialize)]
pub struct OrderedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its place, from 1.
    pub place: u64,
    /// What each hint in force says of it now.
    pub hints: MoveHints,
    /// The hint that puts it before the next move; `game` where they are equal to all hints, `changed` where what the hints
    /// say has changed since they were sorted.
    pub by: Option<&'static str>,
    /// What it captures and the like, where the game takes it for urgent.
    pub does: Option<String>,
}

impl OrderExplained {
    /// The order at a ply of the stack, or at the nearest node above it that has its moves already.
    ///
    /// # Errors
    /// There is no such node.
    pub fn of<G: Game>(
        context: &Context<'_, G>,
        (search, memo): (&Search<G>, &AnyMemo<G::Key>),
        ply: usize,
    ) -> Result<Self, Fault> {
        let frames = search.frames();
        let ply = (0..=ply).rev().find(|&ply| frames[ply].children() > 0).ok_or_else(|| {
            Fault::new("no node of the stack has its moves yet").hint("`step` goes on")
        })?;
        let (game, frame) = (context.game, &frames[ply]);
        let best_moves = ply == 0 && !search.root_moves().is_empty();
        let hints = if best_moves { None } else { search.hints_at(context, memo, ply) };
        let by = match &hints {
            Some(_) => "hints",
            None if best_moves && !frame.whole => "iteration",
            None => "game",
        };
        let moves = search.moves_of(frame).iter().zip(1_u64..);
        let mut hints = hints.into_iter().flatten();
        let moves = moves.map(|(&mv, place)| {
            let (hints, by) = hints.next().unwrap_or_default();
            let does = hints.captures.map(|_| game.describe_capture(&frame.position, mv));
            OrderedMove { mv: game.format_move(&frame.position, mv), place, hints, by, does }
        });
        let moves = moves.collect();
        Ok(Self {
            ply: ply as u32,
            state: game.format_position(&frame.position),
            side: game.side(&frame.position),
            order: context.mode.order.to_string(),
            by,
            moves,
        })
    }
}
