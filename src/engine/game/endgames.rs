use super::{Game, Side};

/// Endgames that retrograde analysis solves, for a game that has them: positions of stones on the 24 points of the morris
/// board, none in hand.
pub trait Endgames<G: Game> {
    /// The stones of the side to move and those of the opponent, bit `n` for the point of index `n`. `None` while a side has
    /// stones in hand.
    fn stones(&self, position: &G::Position) -> Option<[u32; 2]>;

    /// The position with these stones, in the same order, none in hand. `None` if it cannot be played.
    fn position(&self, stones: [u32; 2], side: Side) -> Option<G::Position>;

    /// Whether a side with three stones may jump.
    fn flies(&self) -> bool;
}
