//! A board in characters, each with what it stands for.

use super::{BoardMark, BoardScene, scene::Stroke};
use crate::engine::reply::{BoardKind, Side};

/// What a character on a board stands for; a theme gives each role its style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    #[default]
    Blank,
    /// The board itself: lines, empty points, the names of columns and rows, and where the last move went.
    Line,
    /// A stone of this side's, or a line of its closed mill.
    Stone(Side),
    /// The cursor, the stone being moved, and where it can go.
    Hint,
    /// A stone that can be taken.
    Capturable,
}

/// How far apart points are drawn, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pitch {
    /// Between columns.
    pub x: usize,
    /// Between rows.
    pub y: usize,
}

/// The width of the row names.
const LABEL: usize = 1;

impl Pitch {
    /// Those of a kind of board, the largest first.
    pub const fn all(kind: BoardKind) -> &'static [Self] {
        const LINES: [Pitch; 6] = [
            Pitch { x: 12, y: 6 },
            Pitch { x: 10, y: 5 },
            Pitch { x: 8, y: 4 },
            Pitch { x: 6, y: 3 },
            Pitch { x: 4, y: 2 },
            Pitch { x: 2, y: 1 },
        ];
        const SQUARES: [Pitch; 3] =
            [Pitch { x: 7, y: 3 }, Pitch { x: 5, y: 2 }, Pitch { x: 3, y: 1 }];
        match kind {
            BoardKind::Lines => &LINES,
            BoardKind::Squares => &SQUARES,
        }
    }

    /// The usual one for a kind of board.
    pub const fn usual(kind: BoardKind) -> Self {
        match kind {
            BoardKind::Lines => Self { x: 4, y: 2 },
            BoardKind::Squares => Self { x: 3, y: 1 },
        }
    }

    /// The largest with which a board fits into so many columns and rows.
    pub fn fitting(scene: &BoardScene<'_>, width: usize, height: usize) -> Option<Self> {
        Self::all(scene.report.board.kind).iter().copied().find(|pitch| {
            let (wide, high) = pitch.size(scene.size());
            wide <= width && high <= height
        })
    }

    /// Whether there is room to draw stones as coins of several characters.
    const fn has_coins(self) -> bool {
        self.x >= 8
    }

    /// Room between the outermost points and the names, for brackets and coins.
    const fn margin(self) -> (usize, usize) {
        if self.has_coins() { (3, 1) } else { (1, 0) }
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
}

/// A board in characters.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    cells: Vec<(char, Role)>,
    pitch: Pitch,
    ascii: bool,
    signs: &'static Signs,
}

/// The characters a board is drawn with; of two, the first is White's.
#[derive(Debug)]
struct Signs {
    stones: [char; 2],
    last: [char; 2],
    empty: char,
    across: char,
    down: char,
    mill_across: char,
    mill_down: char,
    coins: [[&'static str; 3]; 2],
    /// King, queen, rook, bishop, knight, pawn.
    pieces: [&'static str; 2],
}

const UNICODE: Signs = Signs {
    stones: ['●', '○'],
    last: ['◉', '◎'],
    empty: '·',
    across: '─',
    down: '│',
    mill_across: '━',
    mill_down: '┃',
    coins: [["╭───╮", "│███│", "╰───╯"], ["╭───╮", "│   │", "╰───╯"]],
    pieces: ["♔♕♖♗♘♙", "♚♛♜♝♞♟"],
};

const ASCII: Signs = Signs {
    stones: ['W', 'B'],
    last: ['W', 'B'],
    empty: '.',
    across: '-',
    down: '|',
    mill_across: '=',
    mill_down: '#',
    coins: [[".---.", "|WWW|", "'---'"], [".---.", "| B |", "'---'"]],
    pieces: ["KQRBNP", "kqrbnp"],
};

impl Canvas {
    /// Draws a scene.
    pub fn draw(scene: &BoardScene<'_>, pitch: Pitch, ascii: bool) -> Self {
        let (width, height) = pitch.size(scene.size());
        let cells = vec![(' ', Role::Blank); width * height];
        let signs = if ascii { &ASCII } else { &UNICODE };
        let mut canvas = Self { width, cells, pitch, ascii, signs };
        canvas.labels(scene, height - 1);
        scene.strokes().for_each(|stroke| canvas.stroke(stroke));
        (0..scene.report.board.points.len()).for_each(|point| canvas.point(scene, point));
        canvas
    }

    /// The rows from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[(char, Role)]> {
        self.cells.chunks(self.width.max(1))
    }

    /// The rows as text, without blanks at their ends.
    pub fn lines(&self) -> Vec<String> {
        let text = |row: &[(char, Role)]| row.iter().map(|(sign, _)| sign).collect::<String>();
        self.rows().map(|row| text(row).trim_end().to_owned()).collect()
    }

    fn put(&mut self, (x, y): (usize, usize), sign: char, role: Role) {
        if x < self.width
            && let Some(cell) = self.cells.get_mut(y * self.width + x)
        {
            *cell = (sign, role);
        }
    }

    fn labels(&mut self, scene: &BoardScene<'_>, bottom: usize) {
        let (below, beside) = scene.view.labels(&scene.report.board);
        let below = below.iter().enumerate().map(|(column, name)| {
            let (x, _) = self.pitch.spot((column, 0));
            ((x, bottom), name)
        });
        let beside = beside.iter().enumerate().map(|(row, name)| {
            let (_, y) = self.pitch.spot((0, row));
            ((0, y), name)
        });
        let labels: Vec<_> = below.chain(beside).collect();
        for (at, name) in labels {
            self.put(at, name.chars().next().unwrap_or(' '), Role::Line);
        }
    }

    fn stroke(&mut self, Stroke { from, to, mill }: Stroke) {
        let ((x0, y0), (x1, y1)) = (self.pitch.spot(from), self.pitch.spot(to));
        let sign = match (y0 == y1, mill) {
            (true, None) => self.signs.across,
            (true, Some(_)) => self.signs.mill_across,
            (false, None) => self.signs.down,
            (false, Some(_)) => self.signs.mill_down,
        };
        for y in y0.min(y1)..=y0.max(y1) {
            for x in x0.min(x1)..=x0.max(x1) {
                self.put((x, y), sign, mill.map_or(Role::Line, Role::Stone));
            }
        }
    }

    fn point(&mut self, scene: &BoardScene<'_>, point: usize) {
        let (column, row) = scene.place(point);
        let at = self.pitch.spot((column, row));
        let (stone, mark) = (scene.stone(point), scene.mark(point));
        let squares = scene.report.board.kind == BoardKind::Squares;
        match stone {
            Some(side) => self.stone(at, side, mark, scene.report.board.points[point].piece),
            None if mark == BoardMark::Target => self.put(at, '+', Role::Hint),
            // The squares are told apart by a dot on the dark ones: the lower left one is dark.
            None if squares && (column + row).is_multiple_of(2) => {}
            None => self.put(at, self.signs.empty, Role::Line),
        }
        let brackets = match mark {
            _ if scene.cursor == Some(point) => ('[', ']', Role::Hint),
            BoardMark::Chosen => ('(', ')', Role::Hint),
            BoardMark::Check => ('!', '!', Role::Hint),
            BoardMark::Capturable if squares => ('x', 'x', Role::Hint),
            BoardMark::Left => ('<', '>', Role::Line),
            BoardMark::Last if squares || self.ascii && stone.is_some() => ('<', '>', Role::Line),
            _ => return,
        };
        let (left, right, role) = brackets;
        let (reach, _) = self.pitch.margin();
        self.put((at.0 - reach, at.1), left, role);
        self.put((at.0 + reach, at.1), right, role);
    }

    fn stone(&mut self, at: (usize, usize), side: Side, mark: BoardMark, piece: Option<char>) {
        if let Some(letter) = piece {
            let place = "KQRBNP".find(letter);
            let sign = place.and_then(|place| self.signs.pieces[side.index()].chars().nth(place));
            return self.put(at, sign.unwrap_or(letter), Role::Stone(side));
        }
        if self.pitch.has_coins() {
            self.coin(at, side);
        }
        let last = mark == BoardMark::Last;
        let signs = if last { self.signs.last } else { self.signs.stones };
        if mark == BoardMark::Capturable {
            self.put(at, 'x', Role::Capturable);
        } else if !self.pitch.has_coins() || last || self.ascii {
            self.put(at, signs[side.index()], Role::Stone(side));
        }
    }

    /// Five by three characters around a point.
    fn coin(&mut self, (x, y): (usize, usize), side: Side) {
        for (dy, row) in self.signs.coins[side.index()].iter().enumerate() {
            for (dx, sign) in row.chars().enumerate() {
                self.put((x + dx - 2, y + dy - 1), sign, Role::Stone(side));
            }
        }
    }
}
