use serde::Serialize;

use super::Side;

/// A board as a front end needs it to draw it and to enter moves on it, without knowing the game.
///
/// Points are known by their index in `points`. Columns count from the left, rows from the top, both from 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Board {
    /// Points on lines, or squares.
    pub kind: BoardKind,
    /// The names of the columns.
    pub files: Vec<String>,
    /// The names of the rows, from the top.
    pub ranks: Vec<String>,
    /// The points or squares.
    pub points: Vec<BoardPoint>,
    /// The lines, each from one end to the other. One that a side fills is a closed mill.
    pub lines: Vec<Vec<usize>>,
    /// Stones yet to be placed, white's first, where the game has such.
    pub hands: Option<[u32; 2]>,
    /// The legal moves by the points they touch.
    pub moves: Vec<BoardMove>,
    /// The king in check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<usize>,
    /// How the board may be looked at.
    pub views: Vec<BoardView>,
    /// How a position set up by hand is written: `?` stands for each point in order (`w`, `b` or `.`), `S` for the
    /// side to move, `W` and `B` for the stones in hand.
    pub setup: Option<String>,
}

/// What a board is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardKind {
    /// Points where lines meet.
    Lines,
    /// Squares side by side.
    Squares,
}

/// A way to look at a board that leaves the position as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardView {
    /// Mirrored, or on squares from the other side.
    Flip,
    /// Turned by a quarter.
    Turn,
    /// The outer ring in place of the inner one.
    Exchange,
}

/// A point or a square.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardPoint {
    /// Its name, such as `d6`.
    pub name: String,
    /// Its column.
    pub x: u8,
    /// Its row.
    pub y: u8,
    /// Whose stone is on it.
    pub stone: Option<Side>,
    /// What piece that is, where there are several kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<char>,
    /// Whether that stone is in a closed mill.
    pub in_mill: bool,
    /// Its part in the last move.
    pub last: Option<LastMove>,
}

/// A point's part in the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LastMove {
    /// The stone came from there.
    From,
    /// The stone went there.
    To,
    /// A stone was taken there.
    Taken,
}

/// A legal move by the points it touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardMove {
    /// Its notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Where the stone comes from; nothing where it comes from the hand.
    pub from: Option<usize>,
    /// Where it goes.
    pub to: usize,
    /// The stones it takes, in an order in which they can be taken.
    pub captures: Vec<usize>,
    /// Whether they can be taken in any other order as well.
    pub any_order: bool,
    /// What the piece becomes: a capital letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<char>,
}
