use super::{BoardMark, BoardScene, scene::Stroke};
use crate::engine::reply::{BoardKind, Side};

/// What a character on a board stands for; a theme gives each role its style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Nothing.
    #[default]
    Blank,
    /// A line between points.
    Line,
    /// A line of a closed mill of White's.
    WhiteMill,
    /// A line of a closed mill of Black's.
    BlackMill,
    /// The name of a column or row.
    Label,
    /// An empty point.
    Empty,
    /// A stone of White's.
    White,
    /// A stone of Black's.
    Black,
    /// A stone of White's that was moved last.
    WhiteLast,
    /// A stone of Black's that was moved last.
    BlackLast,
    /// The brackets of the cursor.
    Cursor,
    /// The brackets of the stone being moved.
    Chosen,
    /// A point that a move can go to.
    Target,
    /// A stone that can be taken.
    Capturable,
}

impl Role {
    /// A stone.
    pub const fn stone(side: Side, last: bool) -> Self {
        match (side, last) {
            (Side::White, false) => Self::White,
            (Side::White, true) => Self::WhiteLast,
            (Side::Black, false) => Self::Black,
            (Side::Black, true) => Self::BlackLast,
        }
    }

    const fn line(mill: Option<Side>) -> Self {
        match mill {
            None => Self::Line,
            Some(Side::White) => Self::WhiteMill,
            Some(Side::Black) => Self::BlackMill,
        }
    }
}

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
    const SQUARES: [Self; 3] =
        [Self::new(7, 3, false), Self::new(5, 2, false), Self::new(3, 1, false)];

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
    const fn reach(self) -> usize {
        self.margin().0
    }
}

/// A board in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    cells: Vec<(char, Role)>,
}

/// The characters a board is drawn with.
struct Signs {
    stones: [char; 2],
    last: [char; 2],
    empty: char,
    across: char,
    down: char,
    mill_across: char,
    mill_down: char,
    coins: [[&'static str; 3]; 2],
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
};

impl Canvas {
    /// Draws a scene.
    pub fn draw(scene: &BoardScene<'_>, pitch: Pitch, ascii: bool) -> Self {
        let (width, height) = pitch.size(scene.size());
        let mut canvas = Self { width, cells: vec![(' ', Role::Blank); width * height] };
        let mut pen =
            Pen { canvas: &mut canvas, signs: if ascii { &ASCII } else { &UNICODE }, pitch, ascii };
        pen.labels(scene);
        for stroke in scene.strokes() {
            pen.stroke(stroke);
        }
        for point in 0..scene.report.board.points.len() {
            pen.point(scene, point);
        }
        canvas
    }

    /// Characters in a row.
    pub const fn width(&self) -> usize {
        self.width
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
}

struct Pen<'a> {
    canvas: &'a mut Canvas,
    signs: &'a Signs,
    pitch: Pitch,
    ascii: bool,
}

impl Pen<'_> {
    fn labels(&mut self, scene: &BoardScene<'_>) {
        let (below, beside) = scene.view.labels(&scene.report.board);
        let bottom = self.pitch.size(scene.size()).1 - 1;
        for (column, name) in below.iter().enumerate() {
            let (x, _) = self.pitch.spot((column, 0));
            self.label((x, bottom), name);
        }
        for (row, name) in beside.iter().enumerate() {
            let (_, y) = self.pitch.spot((0, row));
            self.label((0, y), name);
        }
    }

    fn label(&mut self, at: (usize, usize), name: &str) {
        if let Some(sign) = name.chars().next() {
            self.canvas.put(at, sign, Role::Label);
        }
    }

    fn stroke(&mut self, stroke: Stroke) {
        let ((x0, y0), (x1, y1)) = (self.pitch.spot(stroke.from), self.pitch.spot(stroke.to));
        let role = Role::line(stroke.mill);
        let sign = match (y0 == y1, stroke.mill.is_some()) {
            (true, false) => self.signs.across,
            (true, true) => self.signs.mill_across,
            (false, false) => self.signs.down,
            (false, true) => self.signs.mill_down,
        };
        for y in y0.min(y1)..=y0.max(y1) {
            for x in x0.min(x1)..=x0.max(x1) {
                self.canvas.put((x, y), sign, role);
            }
        }
    }

    fn point(&mut self, scene: &BoardScene<'_>, point: usize) {
        let at = self.pitch.spot(scene.place(point));
        let (stone, mark) = (scene.stone(point), scene.mark(point));
        let piece = scene.report.board.points[point].piece;
        let squares = scene.report.board.kind == BoardKind::Squares;
        let (column, row) = scene.place(point);
        match stone {
            Some(side) => self.stone(at, side, mark, piece),
            None if mark == BoardMark::Target => self.canvas.put(at, '+', Role::Target),
            // The squares are told apart by a dot on the dark ones: the lower left one is dark.
            None if squares && (column + row).is_multiple_of(2) => {}
            None => self.canvas.put(at, self.signs.empty, Role::Empty),
        }
        let is_last = match mark {
            BoardMark::Last => squares || self.ascii && stone.is_some(),
            mark => mark == BoardMark::Left,
        };
        if scene.cursor == Some(point) {
            self.brackets(at, ['[', ']'], Role::Cursor);
        } else if mark == BoardMark::Chosen {
            self.brackets(at, ['(', ')'], Role::Chosen);
        } else if mark == BoardMark::Check {
            self.brackets(at, ['!', '!'], Role::Chosen);
        } else if mark == BoardMark::Capturable && squares {
            self.brackets(at, ['x', 'x'], Role::Target);
        } else if is_last {
            self.brackets(at, ['<', '>'], Role::Label);
        }
    }

    fn stone(&mut self, at: (usize, usize), side: Side, mark: BoardMark, piece: Option<char>) {
        let last = mark == BoardMark::Last;
        if self.pitch.coins && piece.is_none() {
            self.coin(at, side, last);
        }
        let sign = match (piece, last) {
            (Some(piece), _) => self.piece(piece, side),
            (None, true) => self.signs.last[side.index()],
            (None, false) => self.signs.stones[side.index()],
        };
        if mark == BoardMark::Capturable && piece.is_none() {
            self.canvas.put(at, 'x', Role::Capturable);
        } else if !self.pitch.coins || last || piece.is_some() || self.ascii {
            self.canvas.put(at, sign, Role::stone(side, last));
        }
    }

    /// A piece's sign: a letter, capital for White, or a glyph, outlined for White and filled for Black.
    fn piece(&self, letter: char, side: Side) -> char {
        if self.ascii {
            return match side {
                Side::White => letter,
                Side::Black => letter.to_ascii_lowercase(),
            };
        }
        let glyphs = match side {
            Side::White => ['♔', '♕', '♖', '♗', '♘', '♙'],
            Side::Black => ['♚', '♛', '♜', '♝', '♞', '♟'],
        };
        let place = "KQRBNP".find(letter);
        place.map_or(letter, |place| glyphs[place])
    }

    /// Five by three characters around a point.
    fn coin(&mut self, (x, y): (usize, usize), side: Side, last: bool) {
        let role = Role::stone(side, last);
        for (dy, row) in self.signs.coins[side.index()].iter().enumerate() {
            for (dx, sign) in row.chars().enumerate() {
                self.canvas.put((x + dx - 2, y + dy - 1), sign, role);
            }
        }
    }

    fn brackets(&mut self, (x, y): (usize, usize), [left, right]: [char; 2], role: Role) {
        let reach = self.pitch.reach();
        self.canvas.put((x - reach, y), left, role);
        self.canvas.put((x + reach, y), right, role);
    }
}
