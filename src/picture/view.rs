use crate::engine::report::{Board, BoardKind, BoardView};

/// How a board is looked at. The position itself stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    exchanged: bool,
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

    /// Shows the outer ring in place of the inner one.
    pub fn exchange(&mut self, board: &Board) {
        if board.views.contains(&BoardView::Exchange) {
            self.exchanged = !self.exchanged;
        }
    }

    /// Columns and rows as seen.
    pub fn size(self, board: &Board) -> (usize, usize) {
        let (width, height) = (board.files.len(), board.ranks.len());
        if self.is_upright() {
            (width, height)
        } else {
            (height, width)
        }
    }

    /// Where a place of the lattice is seen.
    pub fn place(self, board: &Board, (x, y): (u8, u8)) -> (usize, usize) {
        let (mut width, mut height) = (board.files.len(), board.ranks.len());
        let mut place = (usize::from(x), usize::from(y));
        if self.exchanged {
            place = exchange(place, (width, height));
        }
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
            let (across, down) = if self.is_upright() {
                (file, rank)
            } else {
                (rank, file)
            };
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

/// Moves a point of concentric rings from the outermost ring to the innermost and back, along its line to the centre.
fn exchange((x, y): (usize, usize), (width, height): (usize, usize)) -> (usize, usize) {
    // Twice the distance from the centre, so that it is whole.
    let distance = |at: usize, size: usize| (2 * at).abs_diff(size - 1);
    let ring = distance(x, width).max(distance(y, height));
    if ring == 0 {
        return (x, y);
    }
    let other = (width + 1).saturating_sub(ring);
    let moved = |at: usize, size: usize| {
        let moved = distance(at, size) * other / ring;
        let last = size - 1;
        if 2 * at < last {
            last.saturating_sub(moved) / 2
        } else {
            (last + moved).min(2 * last) / 2
        }
    };
    (moved(x, width), moved(y, height))
}
