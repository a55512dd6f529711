use serde::Serialize;

use super::{Game, Side};

/// The squares of a move, each as column and row: where the piece comes from, nothing where it comes from beside the board,
/// and where it goes.
pub type MoveSquares = (Option<[u8; 2]>, [u8; 2]);

/// A kind of piece, where it matters how many of them are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceKind {
    /// Its letter.
    pub letter: char,
    /// How many of them a side begins with.
    pub full: usize,
    /// What one is worth in pawns.
    pub worth: usize,
}

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
    /// The kinds of pieces that are counted, in the order in which they are listed.
    #[serde(skip)]
    pub pieces: &'static [PieceKind],
}

impl Board {
    /// The board of a game's squares; nothing where it has none. Columns are named a, b, c …, rows from 1 at the bottom.
    pub(super) fn of_squares<G: Game>(
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
                let part = last.and_then(|(from, to)| match [x, y] {
                    at if at == to => Some(LastMove::To),
                    at => (from == Some(at)).then_some(LastMove::From),
                });
                points.push(BoardPoint {
                    name: format!("{}{rank}", column_name(x)),
                    x,
                    y,
                    stone: piece.map(|(side, _)| side),
                    piece: piece.map(|(_, letter)| letter),
                    in_mill: false,
                    last: part,
                });
            }
        }
        let mut legal = Vec::new();
        if game.terminal(position, history).is_none() {
            game.expand(position, history, &mut legal);
        }
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
            })
        };
        let moves = legal.into_iter().filter_map(plan).collect();
        Some(Self {
            kind: BoardKind::Squares,
            files: (0..=u8::MAX).take(columns).map(|x| column_name(x).to_string()).collect(),
            ranks: (1..=rows.len()).rev().map(|rank| rank.to_string()).collect(),
            points,
            lines: Vec::new(),
            hands: None,
            moves,
            check: None,
            pieces: &[],
        })
    }

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

/// The letter of a column, from the left; those beyond z have none of their own.
fn column_name(x: u8) -> char {
    if x < 26 { char::from(b'a' + x) } else { '?' }
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
