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
}

impl Board {
    /// The board as text, for a terminal without a full screen.
    pub fn draw(&self) -> String {
        let (across, down) = match self.kind {
            BoardKind::Lines => (4, 2),
            BoardKind::Squares => (2, 1),
        };
        let place =
            |point: &BoardPoint| (usize::from(point.x) * across, usize::from(point.y) * down);
        let width = (self.files.len() - 1) * across + 1;
        let mut canvas = vec![vec![" ".to_owned(); width]; (self.ranks.len() - 1) * down + 1];
        for line in &self.lines {
            let ends =
                [line.first(), line.last()].map(|end| end.map(|at| place(&self.points[*at])));
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

/// The sign of a side's piece, which is given by its English letter. Where colours tell the sides apart both are filled.
pub fn piece_sign(letter: char, side: Side, painted: bool) -> char {
    let signs =
        if side == Side::Black || painted { "♚♛♜♝♞♟" } else { "♔♕♖♗♘♙" };
    let known = "KQRBNP".chars().zip(signs.chars()).find(|(known, _)| *known == letter);
    known.map_or(letter, |(_, sign)| sign)
}

/// What stands for a stone, a piece or an empty place. The glyphs of pieces have a text-style selector, so that they are not
/// drawn as emoji.
fn sign(stone: Option<Side>, piece: Option<char>) -> String {
    match (stone, piece) {
        (None, _) => "·".to_owned(),
        (Some(Side::White), None) => "●".to_owned(),
        (Some(Side::Black), None) => "○".to_owned(),
        (Some(side), Some(piece)) => match piece_sign(piece, side, false) {
            glyph if glyph == piece => piece.into(),
            glyph => format!("{glyph}\u{FE0E}"),
        },
    }
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

impl LastMove {
    /// The part of a point in a move from, to and over these points.
    pub fn part<P: Copy + PartialEq>(at: P, from: Option<P>, to: P, taken: bool) -> Option<Self> {
        match () {
            () if to == at => Some(Self::To),
            () if from == Some(at) => Some(Self::From),
            () => taken.then_some(Self::Taken),
        }
    }
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
