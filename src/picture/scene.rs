//! A board as shown: stones, marks and orientation.

use crate::engine::session::{
    position::BoardReport,
    reply::{BoardKind, BoardPoint, LastMove, Outcome, Side},
};

/// A board as shown, possibly with stones and marks that differ from the position.
#[derive(Clone, Debug)]
pub struct BoardScene<'a> {
    /// The position that the board belongs to.
    pub report: &'a BoardReport,
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// The stone on each point.
    pub stones: Vec<Option<Side>>,
    /// The mark on each point.
    pub marks: Vec<BoardMark>,
    /// The point under the cursor, if there is one.
    pub cursor: Option<usize>,
    /// The numbers of stones in hand, White's first; `None` if the game has no hands.
    pub hands: Option<[u32; 2]>,
    /// The signs at origins and targets of moves: best line, hints, refutation.
    pub numbers: Vec<NumberedMove>,
}

/// One end of a marked move: a digit for its place in the best line, `*`, `=` or `~` for a hint, `!` for a refutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedMove {
    /// The point at this end of the move.
    pub point: usize,
    /// The sign that marks the point.
    pub sign: char,
    /// The side that plays the move; `None` for alternative moves of one side.
    pub by: Option<Side>,
}

/// How a point is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardMark {
    #[default]
    Plain,
    /// The target of the last move.
    MovedTo,
    /// The origin of the last move; only on boards of squares.
    MovedFrom,
    /// The square of a king in check.
    Check,
    /// The king, or a stone, of the side that has lost the game.
    Lost,
    /// The stone or piece being moved.
    Chosen,
    /// The target of a legal move.
    Target,
    /// The target of a legal move with this true value.
    Known(Outcome),
    Capturable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stroke {
    pub(super) from: (usize, usize),
    pub(super) to: (usize, usize),
    /// The owner of the mill that the line belongs to; `None`: no closed mill.
    pub(super) mill: Option<Side>,
}

impl<'a> BoardScene<'a> {
    /// The board of a position, without a cursor.
    pub fn new(report: &'a BoardReport, flipped: bool) -> Self {
        let points = &report.board.points;
        let board = &report.board;
        let is_lost = |BoardPoint { stone, piece, .. }: &BoardPoint| {
            stone.is_some() && *stone == report.lost && matches!(piece, None | Some('K'))
        };
        let mark = |(place, point): (usize, &BoardPoint)| match point.last {
            _ if is_lost(point) => BoardMark::Lost,
            _ if board.check == Some(place) => BoardMark::Check,
            Some(LastMove::To) => BoardMark::MovedTo,
            Some(LastMove::From) if board.kind == BoardKind::Squares => BoardMark::MovedFrom,
            _ => BoardMark::Plain,
        };
        Self {
            report,
            flipped,
            stones: points.iter().map(|point| point.stone).collect(),
            marks: points.iter().enumerate().map(mark).collect(),
            cursor: None,
            hands: report.board.hands,
            numbers: Vec::new(),
        }
    }

    /// Marks origin and target of the last move, except on points with a more important mark.
    pub fn mark_last(&mut self, from: Option<usize>, to: usize) {
        let on_squares = self.report.board.kind == BoardKind::Squares;
        let from = from.filter(|_| on_squares).map(|from| (from, BoardMark::MovedFrom));
        for (point, mark) in from.into_iter().chain([(to, BoardMark::MovedTo)]) {
            if let Some(plain) = self.marks.get_mut(point).filter(|it| **it == BoardMark::Plain) {
                *plain = mark;
            }
        }
    }

    /// The column and row of a point, with the board turned if `flipped`.
    pub fn place(&self, point: usize) -> (usize, usize) {
        let at = self.report.board.points.get(point);
        let (x, y) = at.map_or((0, 0), |at| (usize::from(at.x), usize::from(at.y)));
        let (columns, rows) = self.size();
        if self.flipped {
            (columns.saturating_sub(1 + x), rows.saturating_sub(1 + y))
        } else {
            (x, y)
        }
    }

    /// The numbers of columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.report.board.files.len(), self.report.board.ranks.len())
    }

    /// The labels along the bottom, from the left, and along the left side, from the top.
    pub fn labels(&self) -> (Vec<&'a str>, Vec<&'a str>) {
        let seen = |names: &'a [String]| {
            let mut names: Vec<_> = names.iter().map(String::as_str).collect();
            if self.flipped {
                names.reverse();
            }
            names
        };
        (seen(&self.report.board.files), seen(&self.report.board.ranks))
    }

    /// The stone on a point as shown, if there is one.
    pub fn stone(&self, point: usize) -> Option<Side> {
        self.stones.get(point).copied().flatten()
    }

    /// The mark on a point.
    pub fn mark(&self, point: usize) -> BoardMark {
        self.marks.get(point).copied().unwrap_or_default()
    }

    /// Whether a point is an end of the first of the moves with signs.
    pub(super) fn is_best(&self, point: usize) -> bool {
        let first = self.numbers.first().map(|it| it.sign);
        self.numbers.iter().any(|it| it.point == point && Some(it.sign) == first)
    }

    pub(super) fn strokes(&self) -> impl Iterator<Item = Stroke> {
        self.report.board.lines.iter().flat_map(move |line| {
            let owner = line.first().and_then(|&first| self.stone(first));
            let holds = |side: &Side| line.iter().all(|&point| self.stone(point) == Some(*side));
            let mill = owner.filter(holds);
            line.windows(2).map(move |ends| Stroke {
                from: self.place(ends[0]),
                to: self.place(ends[1]),
                mill,
            })
        })
    }

    /// A legend with the signs of both sides' stones and the stones in hand; `None` if the game has no hands.
    pub fn legend(&self) -> Option<String> {
        let [white, black] = self.hands?;
        Some(format!("● White, {white} in hand   ○ Black, {black} in hand"))
    }

    /// The position in words, and the last move.
    pub fn caption(&self) -> String {
        match &self.report.last_move {
            Some(mv) => format!("{}; last move {mv}", self.report.words),
            None => self.report.words.clone(),
        }
    }
}
