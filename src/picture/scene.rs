//! What is to be seen on a board, and from which side.

use crate::engine::session::{
    position::BoardReport,
    reply::{BoardKind, BoardPoint, LastMove, Side},
};

/// What is to be seen on a board: its report, with stones and marks as they are shown just now.
#[derive(Clone, Debug)]
pub struct BoardScene<'a> {
    /// The board.
    pub report: &'a BoardReport,
    /// It is seen from the other side.
    pub flipped: bool,
    /// The stones by point.
    pub stones: Vec<Option<Side>>,
    /// The marks by point.
    pub marks: Vec<BoardMark>,
    /// The point with the cursor.
    pub cursor: Option<usize>,
    /// The stones in hand, white's first.
    pub hands: Option<[u32; 2]>,
    /// Moves that have a sign where they go: those to choose from, the best first, a line of moves, what refutes a move.
    pub numbers: Vec<NumberedMove>,
}

/// A move with a number, or with `!` where it refutes the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedMove {
    pub point: usize,
    pub sign: char,
    /// Whose it is in a line; nothing where it is one to choose from.
    pub by: Option<Side>,
}

/// What is special about a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardMark {
    #[default]
    Plain,
    /// The last move went there.
    Last,
    /// The last move came from there; on squares only, for elsewhere the line tells.
    Left,
    /// The king there is in check.
    Check,
    /// The stone that is being moved.
    Chosen,
    /// A legal move goes there.
    Target,
    Capturable,
}

/// A piece of a line between neighbouring points, as seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stroke {
    pub(super) from: (usize, usize),
    pub(super) to: (usize, usize),
    /// It belongs to a closed mill of this side's.
    pub(super) mill: Option<Side>,
}

impl<'a> BoardScene<'a> {
    /// A position as it is, without a cursor.
    pub fn new(report: &'a BoardReport, flipped: bool) -> Self {
        let points = &report.board.points;
        let board = &report.board;
        let mark = |(place, point): (usize, &BoardPoint)| match point.last {
            _ if board.check == Some(place) => BoardMark::Check,
            Some(LastMove::To) => BoardMark::Last,
            Some(LastMove::From) if board.kind == BoardKind::Squares => BoardMark::Left,
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

    /// Where a point is seen.
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

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.report.board.files.len(), self.report.board.ranks.len())
    }

    /// The names along the bottom and, from the top, along the left.
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

    /// Whose stone is on a point.
    pub fn stone(&self, point: usize) -> Option<Side> {
        self.stones.get(point).copied().flatten()
    }

    /// What is special about a point.
    pub fn mark(&self, point: usize) -> BoardMark {
        self.marks.get(point).copied().unwrap_or_default()
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

    /// Which stones are whose, and how many are in hand; nothing where the game has no hands.
    pub fn legend(&self) -> Option<String> {
        let [white, black] = self.hands?;
        Some(format!("● White, {white} in hand   ○ Black, {black} in hand"))
    }

    /// The position in words, with the last move.
    pub fn caption(&self) -> String {
        match &self.report.last_move {
            Some(mv) => format!("{}; last move {mv}", self.report.words),
            None => self.report.words.clone(),
        }
    }
}
