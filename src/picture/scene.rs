//! What is to be seen on a board, and from which side.

use crate::engine::reply::{Board, BoardKind, BoardPoint, BoardReport, BoardView, LastMove, Side};

/// How a board is looked at. The position itself stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    quarters: u8,
    mirrored: bool,
}

impl View {
    /// Mirrors what is seen, left and right; a board of squares is seen from its other side instead.
    pub fn flip(&mut self, board: &Board) {
        if !board.views.contains(&BoardView::Flip) {
            return;
        }
        match board.kind {
            BoardKind::Lines => self.mirrored = !self.mirrored,
            BoardKind::Squares => self.quarters = (self.quarters + 2) % 4,
        }
    }

    /// Turns what is seen by a quarter, clockwise.
    pub fn turn(&mut self, board: &Board) {
        if board.views.contains(&BoardView::Turn) {
            // Seen in a mirror, clockwise is the other way round.
            let quarter = if self.mirrored { 3 } else { 1 };
            self.quarters = (self.quarters + quarter) % 4;
        }
    }

    /// Columns and rows as seen.
    pub fn size(self, board: &Board) -> (usize, usize) {
        let (width, height) = (board.files.len(), board.ranks.len());
        if self.is_upright() { (width, height) } else { (height, width) }
    }

    /// Where a place of the lattice is seen.
    pub fn place(self, board: &Board, (x, y): (u8, u8)) -> (usize, usize) {
        let (mut width, mut height) = (board.files.len(), board.ranks.len());
        let mut place = (usize::from(x), usize::from(y));
        for _ in 0..self.quarters {
            place = (height - 1 - place.1.min(height - 1), place.0);
            (width, height) = (height, width);
        }
        if self.mirrored {
            place.0 = width - 1 - place.0.min(width - 1);
        }
        place
    }

    /// The names along the bottom and, from the top, along the left.
    pub fn labels(self, board: &Board) -> (Vec<&str>, Vec<&str>) {
        let (width, height) = self.size(board);
        let (mut below, mut beside) = (vec![""; width], vec![""; height]);
        for point in &board.points {
            let (column, row) = self.place(board, (point.x, point.y));
            let file = board.files.get(usize::from(point.x));
            let rank = board.ranks.get(usize::from(point.y));
            let (across, down) = if self.is_upright() { (file, rank) } else { (rank, file) };
            for (labels, at, name) in [(&mut below, column, across), (&mut beside, row, down)] {
                if let (Some(label), Some(name)) = (labels.get_mut(at), name) {
                    *label = name;
                }
            }
        }
        (below, beside)
    }

    const fn is_upright(self) -> bool {
        self.quarters.is_multiple_of(2)
    }
}

/// What is to be seen on a board: its report, with stones and marks as they are shown just now.
#[derive(Clone, Debug)]
pub struct BoardScene<'a> {
    /// The board.
    pub report: &'a BoardReport,
    /// How it is looked at.
    pub view: View,
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
    /// Where it goes.
    pub point: usize,
    /// The number.
    pub sign: char,
    /// Whose it is in a line; nothing where it is one to choose from.
    pub by: Option<Side>,
}

/// What is special about a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardMark {
    /// Nothing.
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
    /// The stone there can be taken.
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
    pub fn new(report: &'a BoardReport, view: View) -> Self {
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
            view,
            stones: points.iter().map(|point| point.stone).collect(),
            marks: points.iter().enumerate().map(mark).collect(),
            cursor: None,
            hands: report.board.hands,
            numbers: Vec::new(),
        }
    }

    /// Where a point is seen.
    pub fn place(&self, point: usize) -> (usize, usize) {
        let board = &self.report.board;
        let at = board.points.get(point).map_or((0, 0), |at| (at.x, at.y));
        self.view.place(board, at)
    }

    /// Columns and rows as seen.
    pub fn size(&self) -> (usize, usize) {
        self.view.size(&self.report.board)
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
            let mill = self.filled_by(line);
            line.windows(2).map(move |ends| Stroke {
                from: self.place(ends[0]),
                to: self.place(ends[1]),
                mill,
            })
        })
    }

    fn filled_by(&self, line: &[usize]) -> Option<Side> {
        let side = self.stone(*line.first()?)?;
        line.iter().all(|&point| self.stone(point) == Some(side)).then_some(side)
    }

    /// Which stones are whose, and how many are in hand; nothing where the game has no hands.
    pub fn legend(&self, ascii: bool) -> Option<String> {
        let [white, black] = self.hands?;
        let [w, b] = if ascii { ["W", "B"] } else { ["●", "○"] };
        Some(format!("{w} White, {white} in hand   {b} Black, {black} in hand"))
    }

    /// The position in words, with the last move.
    pub fn caption(&self) -> String {
        match &self.report.last_move {
            Some(mv) => format!("{}; last move {mv}", self.report.words),
            None => self.report.words.clone(),
        }
    }
}
