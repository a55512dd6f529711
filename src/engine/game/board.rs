//! A board that front ends can draw and enter moves on.

use serde::Serialize;

use super::{Game, Side, TrueValue};

/// The squares that a move leaves and enters, each as column and row from the top left, counted from 0. No square to leave: the
/// piece comes from the hand.
pub type MoveSquares = (Option<[u8; 2]>, [u8; 2]);

/// A kind of piece, for lists of captured pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceKind {
    /// The letter of the piece, in upper case.
    pub letter: char,
    /// The number of pieces of this kind that a side begins with.
    pub full: usize,
    /// The value of the piece in pawns.
    pub worth: usize,
}

/// A board described so that a front end can draw it and enter moves without knowing the game.
///
/// Points are identified by their index in `points`. Columns count from the left, rows from the top, both from 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Board {
    /// Whether pieces stand on points or on squares.
    pub kind: BoardKind,
    /// The names of the columns, from the left.
    pub files: Vec<String>,
    /// The names of the rows, from the top.
    pub ranks: Vec<String>,
    /// All points or squares of the board.
    pub points: Vec<BoardPoint>,
    /// The lines as point indices, each from end to end. A line filled by one side is a closed mill.
    pub lines: Vec<Vec<usize>>,
    /// Stones yet to be placed, white's first, in games that have them.
    pub hands: Option<[u32; 2]>,
    /// The legal moves, each with the points that it touches.
    pub moves: Vec<BoardMove>,
    /// The point of the king that is in check, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<usize>,
    /// The kinds of pieces that lists of captured pieces show, in the order of the lists.
    #[serde(skip)]
    pub pieces: &'static [PieceKind],
}

impl Board {
    /// The board made of [`Notation::squares`](super::Notation::squares).
    pub(in crate::engine) fn of_squares<G: Game>(
        game: &G,
        position: &G::Position,
        history: &G::History,
        last: Option<G::Move>,
    ) -> Option<Self> {
        let rows = game.squares(position);
        let columns = rows.iter().map(Vec::len).max().filter(|columns| *columns > 0)?;
        let last = last.and_then(|mv| game.move_squares(position, mv));
        let mut points = Vec::new();
        for (y, (row, rank)) in (0..=u8::MAX).zip(rows.iter().zip((1..=rows.len()).rev())) {
            for (x, piece) in (0..=u8::MAX).zip(row) {
                points.push(BoardPoint {
                    name: format!("{}{rank}", column_name(x)),
                    x,
                    y,
                    stone: piece.map(|(side, _)| side),
                    piece: piece.map(|(_, letter)| letter),
                    in_mill: false,
                    last: last.and_then(|(from, to)| LastMove::part([x, y], from, to, false)),
                });
            }
        }
        let legal = game.legal_moves(position, history);
        let at = |square: [u8; 2]| points.iter().position(|point| [point.x, point.y] == square);
        let plan = |mv: G::Move| {
            let (from, to) = game.move_squares(position, mv)?;
            Some(BoardMove {
                mv: game.format_move(position, mv),
                from: from.and_then(at),
                to: at(to)?,
                captures: Vec::new(),
                any_order: false,
                promotion: None,
                truth: None,
            })
        };
        let moves = legal.into_iter().filter_map(plan).collect();
        Some(Self::new(BoardKind::Squares, [columns, rows.len()], points, moves))
    }

    /// A board with files a, b, c … and ranks from 1 at the bottom, without lines, hands, check and kinds of pieces.
    pub(in crate::engine) fn new(
        kind: BoardKind,
        [columns, rows]: [usize; 2],
        points: Vec<BoardPoint>,
        moves: Vec<BoardMove>,
    ) -> Self {
        let files = (0..=u8::MAX).take(columns).map(|x| column_name(x).to_string()).collect();
        let ranks = (1..=rows).rev().map(|rank| rank.to_string()).collect();
        let (lines, hands, check, pieces) = Default::default();
        Self { kind, files, ranks, points, lines, hands, moves, check, pieces }
    }

    /// The board as text, with its coordinates.
    pub fn draw(&self) -> String {
        let (across, down) = match self.kind {
            BoardKind::Lines => (4, 2),
            BoardKind::Squares => (2, 1),
        };
        let place = |at: &BoardPoint| (usize::from(at.x) * across, usize::from(at.y) * down);
        let width = (self.files.len() - 1) * across + 1;
        let mut canvas = vec![vec![" ".to_owned(); width]; (self.ranks.len() - 1) * down + 1];
        for line in &self.lines {
            let ends = [line.first(), line.last()].map(|end| Some(place(&self.points[*end?])));
            let [Some((x0, y0)), Some((x1, y1))] = ends else { continue };
            let stroke = if y0 == y1 { "─" } else { "│" };
            for row in &mut canvas[y0.min(y1)..=y0.max(y1)] {
                row[x0.min(x1)..=x0.max(x1)].fill(stroke.to_owned());
            }
        }
        for point in &self.points {
            let (x, y) = place(point);
            canvas[y][x] = sign(point.stone, point.piece);
        }
        let labels = (0..).zip(canvas).map(|(y, row)| {
            let label = if y % down == 0 { &self.ranks[y / down] } else { " " };
            format!("{label} {}", row.concat()).trim_end().to_owned()
        });
        let mut lines: Vec<_> = labels.collect();
        lines.push(format!("  {}", self.files.join(&" ".repeat(across - 1))));
        if let Some(hands) = self.hands {
            let hand = |side: Side| {
                let stone = sign(Some(side), None);
                format!("{stone} {side}, {} in hand", hands[side.index()])
            };
            lines.push(format!("  {}\n", Side::ALL.map(hand).join("   ")));
        }
        lines.join("\n")
    }
}

/// The letter of a column, counted from 0; `?` after z.
fn column_name(x: u8) -> char {
    if x < 26 { char::from(b'a' + x) } else { '?' }
}

/// The Unicode figurine of a piece given by its English letter, or the letter itself for any other piece. `painted`: filled
/// figurines for both sides, which the caller distinguishes by colour.
pub fn piece_sign(letter: char, side: Side) -> char {
    let signs = if side == Side::Black { "♚♛♜♝♞♟" } else { "♔♕♖♗♘♙" };
    let known = "KQRBNP".chars().zip(signs.chars()).find(|(known, _)| *known == letter);
    known.map_or(letter, |(_, sign)| sign)
}

/// The text for a stone, a piece or an empty point. Figurines have a text-style selector, so that they are not drawn as emoji.
fn sign(stone: Option<Side>, piece: Option<char>) -> String {
    match (stone, piece) {
        (None, _) => "·".to_owned(),
        (Some(Side::White), None) => "●".to_owned(),
        (Some(Side::Black), None) => "○".to_owned(),
        (Some(side), Some(piece)) => match piece_sign(piece, side) {
            glyph if glyph == piece => piece.into(),
            glyph => format!("{glyph}\u{FE0E}"),
        },
    }
}

/// The geometry of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardKind {
    /// A board of points where lines meet, as in morris.
    Lines,
    /// A board of adjacent squares, as in chess.
    Squares,
}

/// A point or square of a board, and what stands on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardPoint {
    /// The name of the point, such as `d6`.
    pub name: String,
    /// The column, counted from 0 at the left.
    pub x: u8,
    /// The row, counted from 0 at the top.
    pub y: u8,
    /// The owner of the stone or piece on the point; `None` if it is empty.
    pub stone: Option<Side>,
    /// The letter of the piece, in games with several kinds of pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<char>,
    /// Whether the stone on the point is in a mill.
    pub in_mill: bool,
    /// The role of the point in the last move; `None` if the move did not touch it.
    pub last: Option<LastMove>,
}

/// The role of a point in the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LastMove {
    /// The moved piece left this point.
    From,
    /// The moved piece came to this point.
    To,
    /// A piece on this point was captured.
    Taken,
}

impl LastMove {
    /// The role of the point `at` in a move from `from` to `to`; `taken`: the stone on `at` was captured.
    pub fn part<P: Copy + PartialEq>(at: P, from: Option<P>, to: P, taken: bool) -> Option<Self> {
        match () {
            () if to == at => Some(Self::To),
            () if from == Some(at) => Some(Self::From),
            () => taken.then_some(Self::Taken),
        }
    }
}

/// A legal move, with the points that it touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardMove {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The point that the piece leaves; `None` if it comes from the hand.
    pub from: Option<usize>,
    /// The point that the piece enters.
    pub to: usize,
    /// The points of the captured stones, in an order that is legal.
    pub captures: Vec<usize>,
    /// Whether the captures are legal in any order.
    pub any_order: bool,
    /// The piece that a pawn promotes to, as an upper-case letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<char>,
    /// The true value of the move for the side that moves, if an endgame table has it.
    #[serde(flatten)]
    pub truth: Option<TrueValue>,
}
