use crate::engine::report::BoardKind;

/// How far apart points are drawn, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pitch {
    /// Between columns.
    pub x: usize,
    /// Between rows.
    pub y: usize,
    /// Stones are drawn as coins of several characters.
    pub coins: bool,
}

/// The width of the row names.
const LABEL: usize = 1;

impl Pitch {
    /// The usual one.
    pub const COMPACT: Self = Self::new(4, 2, false);

    /// All of them, the largest first.
    pub const ALL: [Self; 6] = [
        Self::new(12, 6, true),
        Self::new(10, 5, true),
        Self::new(8, 4, true),
        Self::new(6, 3, false),
        Self::COMPACT,
        Self::new(2, 1, false),
    ];

    /// For squares: cells of seven by three, five by two and three by one characters.
    const SQUARES: [Self; 3] = [
        Self::new(7, 3, false),
        Self::new(5, 2, false),
        Self::new(3, 1, false),
    ];

    /// The usual one for a kind of board.
    pub const fn usual(kind: BoardKind) -> Self {
        match kind {
            BoardKind::Lines => Self::COMPACT,
            BoardKind::Squares => Self::new(3, 1, false),
        }
    }

    const fn new(x: usize, y: usize, coins: bool) -> Self {
        Self { x, y, coins }
    }

    /// The largest with which a board of so many columns and rows fits.
    pub fn fitting(
        kind: BoardKind,
        board: (usize, usize),
        width: usize,
        height: usize,
    ) -> Option<Self> {
        let pitches = match kind {
            BoardKind::Lines => &Self::ALL[..],
            BoardKind::Squares => &Self::SQUARES[..],
        };
        pitches.iter().copied().find(|pitch| {
            let (wide, high) = pitch.size(board);
            wide <= width && high <= height
        })
    }

    /// Room between the outermost points and the names, for brackets and coins.
    const fn margin(self) -> (usize, usize) {
        if self.coins { (3, 1) } else { (1, 0) }
    }

    /// Columns and rows of characters that a board takes, names included.
    pub const fn size(self, (columns, rows): (usize, usize)) -> (usize, usize) {
        let (across, down) = self.margin();
        let width = LABEL + 2 * across + columns.saturating_sub(1) * self.x + 1;
        let height = 2 * down + rows.saturating_sub(1) * self.y + 1 + 1;
        (width, height)
    }

    /// Where a place of the lattice is drawn.
    pub const fn spot(self, (column, row): (usize, usize)) -> (usize, usize) {
        let (across, down) = self.margin();
        (LABEL + across + column * self.x, down + row * self.y)
    }

    /// The brackets of a cursor are so far from the point.
    pub(super) const fn reach(self) -> usize {
        self.margin().0
    }
}
