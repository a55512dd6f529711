//! A board as characters, each with its role.

use crate::{
    engine::session::reply::{BoardKind, Side, piece_sign},
    picture::{BoardMark, BoardScene, NumberedMove, scene::Stroke},
};

/// What a character on a board is; themes give each role a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    #[default]
    Blank,
    /// File and rank names.
    Label,
    /// Lines and empty points.
    Line,
    /// A stone, or a line of a closed mill.
    Stone(Side),
    /// Cursor, chosen stone, targets, numbered moves.
    Hint,
    /// A stone that can be captured.
    Capturable,
}

/// The background of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// Outside the board.
    #[default]
    Paper,
    /// A board of lines.
    Wood,
    /// A light square.
    Light,
    /// A dark square.
    Dark,
    /// A light square of the last move.
    LightMoved,
    /// A dark square of the last move.
    DarkMoved,
    /// The square of a king in check.
    Check,
    /// The square of the piece being moved.
    Chosen,
    /// The square with the cursor.
    Cursor,
    /// A stone.
    Stone(Side),
}

/// Spacing of a board's points, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pitch {
    /// Between files.
    pub x: usize,
    /// Between ranks.
    pub y: usize,
    across: usize,
    above: usize,
    below: usize,
    /// Width of a stone; odd.
    coin: usize,
}

const LABEL: usize = 1;

impl Pitch {
    const fn lines(x: usize, y: usize, margin: (usize, usize), coin: usize) -> Self {
        Self { x, y, across: margin.0, above: margin.1, below: margin.1, coin }
    }

    const fn squares(x: usize, y: usize) -> Self {
        Self { x, y, across: x / 2, above: y / 2, below: (y - 1) / 2, coin: 1 }
    }

    /// The spacings of a kind of board, largest first. Without paint, stones are one character wide.
    pub fn all(kind: BoardKind, painted: bool) -> Vec<Self> {
        const LINES: [Pitch; 6] = [
            Pitch::lines(12, 6, (5, 3), 9),
            Pitch::lines(10, 5, (4, 2), 7),
            Pitch::lines(8, 4, (4, 2), 7),
            Pitch::lines(6, 3, (3, 1), 5),
            Pitch::lines(4, 2, (2, 0), 3),
            Pitch::lines(2, 1, (1, 0), 1),
        ];
        match (kind, painted) {
            (BoardKind::Lines, true) => LINES.into(),
            (BoardKind::Lines, false) => LINES.map(|it| Self::lines(it.x, it.y, (1, 0), 1)).into(),
            (BoardKind::Squares, _) => (1..=5).rev().map(|y| Self::squares(2 * y + 1, y)).collect(),
        }
    }

    /// The spacing of a board in a text.
    pub const fn usual(kind: BoardKind) -> Self {
        match kind {
            BoardKind::Lines => Self::lines(4, 2, (1, 0), 1),
            BoardKind::Squares => Self::squares(3, 1),
        }
    }

    /// The largest spacing with which the board fits.
    pub fn fitting(
        scene: &BoardScene<'_>,
        painted: bool,
        width: usize,
        height: usize,
    ) -> Option<Self> {
        Self::all(scene.report.board.kind, painted).into_iter().find(|pitch| {
            let (wide, high) = pitch.size(scene.size());
            wide <= width && high <= height
        })
    }

    /// Columns and rows of the whole board with labels.
    pub const fn size(self, (columns, rows): (usize, usize)) -> (usize, usize) {
        let width = LABEL + 2 * self.across + columns.saturating_sub(1) * self.x + 1;
        let height = self.above + self.below + rows.saturating_sub(1) * self.y + 1 + 1;
        (width, height)
    }

    /// The cell of a point.
    pub const fn spot(self, (column, row): (usize, usize)) -> (usize, usize) {
        (LABEL + self.across + column * self.x, self.above + row * self.y)
    }
}

/// A character of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardCell {
    /// The character.
    pub sign: char,
    /// Its role.
    pub role: Role,
    /// Its background.
    pub ground: Ground,
}

const EMPTY: BoardCell = BoardCell { sign: ' ', role: Role::Blank, ground: Ground::Paper };

/// A board in characters.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    cells: Vec<BoardCell>,
    pitch: Pitch,
    painted: bool,
}

impl Canvas {
    /// Draws a scene.
    pub fn draw(scene: &BoardScene<'_>, pitch: Pitch, painted: bool) -> Self {
        let (width, height) = pitch.size(scene.size());
        let cells = vec![EMPTY; width * height];
        let mut canvas = Self { width, cells, pitch, painted };
        canvas.grounds(scene, height - 1);
        canvas.labels(scene, height - 1);
        scene.strokes().for_each(|stroke| canvas.stroke(stroke));
        (0..scene.report.board.points.len()).for_each(|point| canvas.point(scene, point));
        for place in 0..scene.numbers.len() {
            canvas.number(scene, place);
        }
        canvas
    }

    /// Writes a move's number on its target, or beside a piece or earlier numbers there. Omitted if there is no room.
    fn number(&mut self, scene: &BoardScene<'_>, place: usize) {
        let NumberedMove { point, sign, by } = scene.numbers[place];
        let (x, y) = self.pitch.spot(scene.place(point));
        let before = scene.numbers[..place].iter().filter(|before| before.point == point).count();
        let taken = before + usize::from(scene.stone(point).is_some());
        let reach = taken.div_ceil(2);
        if reach > self.pitch.x / 2 {
            return;
        }
        let at = (if taken % 2 == 1 { x + reach } else { x - reach }, y);
        self.put(at, sign, by.map_or(Role::Hint, Role::Stone));
        // White's number would be invisible on a white stone.
        if let Some(cell) = self.cell(at)
            && matches!(cell.ground, Ground::Stone(_))
        {
            cell.ground = Ground::Wood;
        }
    }

    /// The rows from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[BoardCell]> {
        self.cells.chunks(self.width.max(1))
    }

    /// The rows as text, without trailing blanks.
    pub fn lines(&self) -> Vec<String> {
        let text = |row: &[BoardCell]| row.iter().map(|cell| cell.sign).collect::<String>();
        self.rows().map(|row| text(row).trim_end().to_owned()).collect()
    }

    fn cell(&mut self, (x, y): (usize, usize)) -> Option<&mut BoardCell> {
        let at = (x < self.width).then_some(y * self.width + x)?;
        self.cells.get_mut(at)
    }

    fn put(&mut self, at: (usize, usize), sign: char, role: Role) {
        if let Some(cell) = self.cell(at) {
            (cell.sign, cell.role) = (sign, role);
        }
    }

    fn lay(&mut self, from: (usize, usize), (wide, high): (usize, usize), ground: Ground) {
        for y in from.1..from.1 + high {
            for x in from.0..from.0 + wide {
                if let Some(cell) = self.cell((x, y)) {
                    cell.ground = ground;
                }
            }
        }
    }

    fn grounds(&mut self, scene: &BoardScene<'_>, bottom: usize) {
        if scene.report.board.kind == BoardKind::Lines {
            return self.lay((LABEL, 0), (self.width - LABEL, bottom), Ground::Wood);
        }
        let pitch = self.pitch;
        for point in 0..scene.report.board.points.len() {
            let place = scene.place(point);
            let (x, y) = pitch.spot(place);
            let corner = (x - pitch.across, y - pitch.above);
            self.lay(corner, (pitch.x, pitch.y), square(scene, point, is_light(place)));
        }
    }

    fn labels(&mut self, scene: &BoardScene<'_>, bottom: usize) {
        let (below, beside) = scene.labels();
        let first = |name: &str| name.chars().next().unwrap_or(' ');
        for (column, name) in below.iter().enumerate() {
            self.put((self.pitch.spot((column, 0)).0, bottom), first(name), Role::Label);
        }
        for (row, name) in beside.iter().enumerate() {
            self.put((0, self.pitch.spot((0, row)).1), first(name), Role::Label);
        }
    }

    fn stroke(&mut self, Stroke { from, to, mill }: Stroke) {
        let ((x0, y0), (x1, y1)) = (self.pitch.spot(from), self.pitch.spot(to));
        let sign = match (y0 == y1, mill) {
            (true, None) => '─',
            (true, Some(_)) => '━',
            (false, None) => '│',
            (false, Some(_)) => '┃',
        };
        for y in y0.min(y1)..=y0.max(y1) {
            for x in x0.min(x1)..=x0.max(x1) {
                self.put((x, y), sign, mill.map_or(Role::Line, Role::Stone));
            }
        }
    }

    fn point(&mut self, scene: &BoardScene<'_>, point: usize) {
        let place = scene.place(point);
        let at = self.pitch.spot(place);
        let (stone, mark) = (scene.stone(point), scene.mark(point));
        let squares = scene.report.board.kind == BoardKind::Squares;
        match stone {
            Some(side) => self.stone(at, side, mark, scene.report.board.points[point].piece),
            None if mark == BoardMark::Target => self.put(at, '+', Role::Hint),
            // Without paint, dark squares have a dot.
            None if squares && (self.painted || is_light(place)) => {}
            None => self.put(at, if self.painted { '•' } else { '·' }, Role::Line),
        }
        let brackets = match mark {
            _ if scene.cursor == Some(point) => ('[', ']', Role::Hint),
            BoardMark::Chosen => ('(', ')', Role::Hint),
            BoardMark::Check => ('!', '!', Role::Hint),
            BoardMark::Capturable if squares => ('x', 'x', Role::Hint),
            // The background shows these marks.
            _ if squares && self.painted => return,
            BoardMark::MovedFrom => ('<', '>', Role::Line),
            BoardMark::MovedTo if squares => ('<', '>', Role::Line),
            _ => return,
        };
        let (left, right, role) = brackets;
        let reach = match (squares, stone) {
            (true, _) => 1.max(self.pitch.x / 4),
            (false, Some(_)) => self.pitch.coin / 2 + 1,
            (false, None) => 1.max(self.pitch.coin / 2),
        };
        self.put((at.0 - reach, at.1), left, role);
        self.put((at.0 + reach, at.1), right, role);
    }

    fn stone(&mut self, at: (usize, usize), side: Side, mark: BoardMark, piece: Option<char>) {
        if let Some(letter) = piece {
            return self.put(at, piece_sign(letter, side, self.painted), Role::Stone(side));
        }
        let coined = self.pitch.coin > 1;
        if coined {
            self.disc(at, side);
        }
        let last = mark == BoardMark::MovedTo;
        let sign = match (last, side) {
            (true, _) if self.painted => '◆',
            (true, Side::White) => '◉',
            (true, Side::Black) => '◎',
            (false, Side::White) => '●',
            (false, Side::Black) => '○',
        };
        if mark == BoardMark::Capturable {
            self.put(at, 'x', Role::Capturable);
        } else if last || !coined {
            let role = if coined { side.other() } else { side };
            self.put(at, sign, Role::Stone(role));
        }
    }

    /// Draws a round stone with half blocks, because a cell is twice as high as wide. White's is filled; as text,
    /// Black's is hollow.
    fn disc(&mut self, (x, y): (usize, usize), side: Side) {
        let radius = self.pitch.coin as f64 / 2.0;
        let reach = self.pitch.coin / 2;
        // Slightly flattened, so that lines between stones stay visible.
        let high = (self.pitch.coin - 1) as f64 / 2.0;
        let inside = |dx: f64, dy: f64| (dx / radius).powi(2) + (dy / high.max(1.0)).powi(2) <= 1.0;
        for row in 0..=2 * reach {
            for column in 0..=2 * reach {
                let (dx, dy) = (column as f64 - reach as f64, row as f64 - reach as f64);
                let halves = [inside(dx, 2.0 * dy - 0.5), inside(dx, 2.0 * dy + 0.5)];
                let at = (x + column - reach, (y + row).wrapping_sub(reach));
                let (sign, ground) = match halves {
                    [false, false] => continue,
                    [true, true] if reach == 1 && dx < 0.0 => ('▐', None),
                    [true, true] if reach == 1 && dx > 0.0 => ('▌', None),
                    [true, true] if side == Side::White => ('█', Some(Ground::Stone(side))),
                    [true, true] => (' ', Some(Ground::Stone(side))),
                    [true, false] => ('▀', None),
                    [false, true] => ('▄', None),
                };
                self.put(at, sign, Role::Stone(side));
                if let (Some(ground), Some(cell)) = (ground, self.cell(at)) {
                    cell.ground = ground;
                }
            }
        }
    }
}

/// The lower left square is dark, whichever side is at the bottom.
const fn is_light((column, row): (usize, usize)) -> bool {
    (column + row).is_multiple_of(2)
}

fn square(scene: &BoardScene<'_>, point: usize, light: bool) -> Ground {
    match (scene.mark(point), light) {
        _ if scene.cursor == Some(point) => Ground::Cursor,
        (BoardMark::Chosen, _) => Ground::Chosen,
        (BoardMark::Check, _) => Ground::Check,
        (BoardMark::MovedTo | BoardMark::MovedFrom, true) => Ground::LightMoved,
        (BoardMark::MovedTo | BoardMark::MovedFrom, false) => Ground::DarkMoved,
        (_, true) => Ground::Light,
        (_, false) => Ground::Dark,
    }
}
