//! A board as characters, each with a role and a background.

use crate::{
    engine::session::reply::{BoardKind, Side, piece_sign},
    picture::{BoardMark, BoardScene, NumberedMove, pieces, scene::Stroke},
};

/// The role of a character on a board; a theme gives each role a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// An empty character, which shows only its background.
    #[default]
    Blank,
    /// The name of a file or rank.
    Label,
    /// A line of the board or an empty point.
    Line,
    /// The board itself, at the lower edge of a stone or piece.
    Ground(Background),
    /// A stone, or a line that is part of a closed mill.
    Stone(Side),
    /// The cursor, the chosen stone, a target, or the number of a move.
    Hint,
    /// A stone that can be captured.
    Capturable,
}

/// The background of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// Outside of the board.
    #[default]
    Paper,
    /// The board, if stones stand on lines.
    Wood,
    /// A light square of a chess board.
    Light,
    /// A dark square of a chess board.
    Dark,
    /// A light square that the last move left or entered.
    LightMoved,
    /// A dark square that the last move left or entered.
    DarkMoved,
    /// The square of a king in check, or of the king that has lost.
    Check,
    /// The square of the piece being moved.
    Chosen,
    /// The origin or target of the first marked move: the best move of a hint or line, or a refutation.
    Hinted,
    /// The square that the cursor is on.
    Cursor,
    /// The sign of a hint.
    Sign,
    /// The background of a stone of this side.
    Stone(Side),
}

/// The number of colours with which a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// None: squares, sides and marks differ by their characters.
    Plain,
    /// None but reverse video: pieces are characters on small plates, because a plate merges with a square of its colour.
    Reverse,
    /// At most eight: pieces are characters on plates.
    Few,
    /// Many: every background contrasts with black and with white.
    Full,
}

/// The distances between the points of a board, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing {
    /// The distance from file to file, in characters.
    pub x: usize,
    /// The distance from rank to rank, in characters.
    pub y: usize,
    /// How far a board or square extends around a point, in characters: `left`, `right`, `above` and `below` it.
    left: usize,
    right: usize,
    above: usize,
    below: usize,
    /// The width of a stone in characters, an odd number.
    coin: usize,
    /// Whether block characters are drawn, chess pieces over several characters.
    drawn: bool,
}

const LABEL: usize = 1;

impl Spacing {
    const fn lines(x: usize, y: usize, margin: (usize, usize), coin: usize) -> Self {
        let ((left, above), drawn) = (margin, false);
        Self { x, y, left, right: left, above, below: above, coin, drawn }
    }

    const fn squares(x: usize, y: usize) -> Self {
        let (left, right) = ((x - 1) / 2, x / 2);
        Self { x, y, left, right, above: y / 2, below: (y - 1) / 2, coin: 1, drawn: false }
    }

    /// All distances for a kind of board, the largest first. `drawn`: stones and chess pieces are drawn with block characters.
    pub fn all(kind: BoardKind, drawn: bool) -> Vec<Self> {
        const LINES: [Spacing; 7] = [
            Spacing::lines(12, 6, (6, 3), 11),
            Spacing::lines(10, 5, (4, 2), 7),
            Spacing::lines(8, 4, (4, 2), 7),
            Spacing::lines(6, 3, (3, 1), 5),
            Spacing::lines(4, 2, (2, 1), 3),
            Spacing::lines(4, 2, (2, 0), 3),
            Spacing::lines(2, 1, (1, 0), 1),
        ];
        match (kind, drawn) {
            (BoardKind::Lines, true) => LINES.into(),
            (BoardKind::Lines, false) => LINES.map(|it| Self::lines(it.x, it.y, (1, 0), 1)).into(),
            (BoardKind::Squares, _) => {
                let sizes = pieces::SIZES.into_iter().chain([(3, 1), (2, 1)]);
                sizes.map(|(x, y)| Self { drawn, ..Self::squares(x, y) }).collect()
            }
        }
    }

    /// The distances for a board in a text.
    pub const fn usual(kind: BoardKind) -> Self {
        match kind {
            BoardKind::Lines => Self::lines(4, 2, (1, 0), 1),
            BoardKind::Squares => Self::squares(3, 1),
        }
    }

    /// The largest distances between points at which the board fits into `width` by `height` characters.
    pub fn fitting(
        scene: &BoardScene<'_>,
        drawn: bool,
        width: usize,
        height: usize,
    ) -> Option<Self> {
        Self::all(scene.report.board.kind, drawn).into_iter().find(|spacing| {
            let (wide, high) = spacing.size(scene.size());
            wide <= width && high <= height
        })
    }

    /// The size of the board with labels, in columns and rows of characters.
    pub const fn size(self, (columns, rows): (usize, usize)) -> (usize, usize) {
        let width = LABEL + self.left + self.right + columns.saturating_sub(1) * self.x + 1;
        let height = self.above + self.below + rows.saturating_sub(1) * self.y + 1 + 1;
        (width, height)
    }

    /// The column and row of the character at the centre of a point.
    pub const fn spot(self, (column, row): (usize, usize)) -> (usize, usize) {
        (LABEL + self.left + column * self.x, self.above + row * self.y)
    }
}

/// A character of a drawn board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardCell {
    /// The character to draw.
    pub sign: char,
    /// The role, which gives the character its colour.
    pub role: Role,
    /// The background on which the character stands.
    pub background: Background,
}

const EMPTY: BoardCell = BoardCell { sign: ' ', role: Role::Blank, background: Background::Paper };

/// A board drawn with characters.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    cells: Vec<BoardCell>,
    spacing: Spacing,
    paint: Paint,
}

impl Canvas {
    /// Draws a scene.
    pub fn draw(scene: &BoardScene<'_>, spacing: Spacing, paint: Paint) -> Self {
        let (width, height) = spacing.size(scene.size());
        let cells = vec![EMPTY; width * height];
        let mut canvas = Self { width, cells, spacing, paint };
        canvas.paint_backgrounds(scene, height - 1);
        canvas.labels(scene, height - 1);
        scene.strokes().for_each(|stroke| canvas.stroke(stroke));
        (0..scene.report.board.points.len()).for_each(|point| canvas.point(scene, point));
        for place in 0..scene.numbers.len() {
            canvas.number(scene, place);
        }
        canvas
    }

    /// Writes the sign of a move at its origin or target, beside a piece or other signs there. `&` replaces signs without room.
    fn number(&mut self, scene: &BoardScene<'_>, place: usize) {
        let NumberedMove { point, sign, by } = scene.numbers[place];
        let (x, y) = self.spacing.spot(scene.place(point));
        let here = |numbers: &[NumberedMove]| numbers.iter().filter(|it| it.point == point).count();
        let (before, all) = (here(&scene.numbers[..place]), here(&scene.numbers));
        let Spacing { left, right, above, coin, .. } = self.spacing;
        let squares = scene.report.board.kind == BoardKind::Squares;
        let (left, right) = if squares { (left, right) } else { (1, 1) };
        // The only sign at a round stone is drawn in the stone's middle, unless another mark is there.
        let is_free = !matches!(scene.mark(point), BoardMark::MovedTo | BoardMark::Capturable);
        let in_middle = !squares && coin > 1 && all == 1 && is_free;
        // In squares of two rows and more, a sign stands above a piece's letter. In a drawing, it is in an upper corner, or beside
        // the piece if the corners have marks.
        let is_drawn = self.is_drawn();
        let has_marks = matches!(scene.mark(point), BoardMark::MovedFrom | BoardMark::MovedTo);
        let is_above =
            squares && above > 0 && scene.stone(point).is_some() && !(is_drawn && has_marks);
        // Several signs are set apart, because two digits side by side would read as one number, also of neighbouring squares.
        let far = if left > 2 { left - 1 } else { left };
        let columns = match (scene.stone(point), left) {
            (Some(_), _) if in_middle => vec![x],
            (Some(_), 0) => vec![x + right],
            (Some(_), _) if is_above && !is_drawn => vec![x, x + right, x - far],
            (Some(_), _) => vec![x + right, x - far],
            (None, _) if all == 1 => vec![x],
            (None, 0) => vec![x, x + right],
            (None, _) => vec![x - far, x + right, x],
        };
        // In the smallest squares, several signs would cover the drawn piece: the list of moves names the others.
        if is_drawn && before > 0 && self.spacing.y == 2 && scene.stone(point).is_some() {
            return;
        }
        let last = columns.len() - 1;
        let sign = if before >= last && all > columns.len() { '&' } else { sign };
        let at = (columns[before.min(last)], if is_above { y - above } else { y });
        // A sign gets its own background, so that it is legible on every square and stone.
        let (role, background) = match by {
            _ if self.paint == Paint::Plain => {
                (by.map_or(Role::Hint, Role::Stone), Background::Paper)
            }
            Some(side) => (Role::Stone(side.other()), Background::Stone(side)),
            None => (Role::Hint, Background::Sign),
        };
        let shown = BoardCell { sign, role, background };
        if let Some(cell) = self.cell(at) {
            *cell = shown;
        }
        // Where there is room, the background extends to both sides, but not into other squares, nor as wide as a stone.
        let is_large = self.spacing.x >= if squares { 8 } else { 6 } && self.paint == Paint::Full;
        for column in [at.0 - 1, at.0 + 1].into_iter().filter(|_| is_large) {
            let is_inside = (x - left..=x + right).contains(&column);
            let beside = self.cell((column, at.1)).filter(|_| is_inside);
            if let Some(cell) = beside.filter(|cell| matches!(cell.role, Role::Blank | Role::Line))
            {
                *cell = BoardCell { sign: ' ', ..shown };
            }
        }
    }

    /// The rows of characters, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[BoardCell]> {
        self.cells.chunks(self.width.max(1))
    }

    /// The rows as text, without trailing blanks or colours.
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

    fn fill(&mut self, from: (usize, usize), (wide, high): (usize, usize), background: Background) {
        for y in from.1..from.1 + high {
            for x in from.0..from.0 + wide {
                if let Some(cell) = self.cell((x, y)) {
                    cell.background = background;
                }
            }
        }
    }

    fn paint_backgrounds(&mut self, scene: &BoardScene<'_>, bottom: usize) {
        if scene.report.board.kind == BoardKind::Lines {
            return self.fill((LABEL, 0), (self.width - LABEL, bottom), Background::Wood);
        }
        let spacing = self.spacing;
        for point in 0..scene.report.board.points.len() {
            let place = scene.place(point);
            let (x, y) = spacing.spot(place);
            let corner = (x - spacing.left, y - spacing.above);
            self.fill(corner, (spacing.x, spacing.y), square(scene, point, is_light(place)));
        }
    }

    fn labels(&mut self, scene: &BoardScene<'_>, bottom: usize) {
        let (below, beside) = scene.labels();
        let first = |name: &str| name.chars().next().unwrap_or(' ');
        for (column, name) in below.iter().enumerate() {
            self.put((self.spacing.spot((column, 0)).0, bottom), first(name), Role::Label);
        }
        for (row, name) in beside.iter().enumerate() {
            self.put((0, self.spacing.spot((0, row)).1), first(name), Role::Label);
        }
    }

    fn stroke(&mut self, Stroke { from, to, mill }: Stroke) {
        let ((x0, y0), (x1, y1)) = (self.spacing.spot(from), self.spacing.spot(to));
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
        let at = self.spacing.spot(place);
        let (stone, mark) = (scene.stone(point), scene.mark(point));
        let squares = scene.report.board.kind == BoardKind::Squares;
        match stone {
            Some(side) => self.stone(at, side, mark, scene.report.board.points[point].piece),
            None if mark == BoardMark::Target => self.put(at, '+', Role::Hint),
            None if let BoardMark::Known(outcome) = mark => {
                self.put(at, outcome.letter(), Role::Hint);
            }
            // Without coloured backgrounds, a dot marks a dark square.
            None if squares && (self.paint != Paint::Plain || is_light(place)) => {}
            None => self.put(at, if self.paint == Paint::Full { '•' } else { '·' }, Role::Line),
        }
        // In the smallest squares, signs would cover the drawn piece. The square is tinted, and the list of moves names the move.
        let is_small = squares && self.is_drawn() && self.spacing.y == 2;
        let sides = match mark {
            _ if scene.cursor == Some(point) => ("[]", Role::Hint),
            BoardMark::Chosen => ("()", Role::Hint),
            BoardMark::Check => ("!!", Role::Hint),
            BoardMark::Lost if squares || self.spacing.coin == 1 => ("##", Role::Hint),
            BoardMark::Capturable if squares => ("xx", Role::Hint),
            BoardMark::MovedTo if is_small => return,
            BoardMark::MovedFrom => ("<>", Role::Line),
            BoardMark::MovedTo if squares => ("<>", Role::Line),
            _ => return,
        };
        let background = squares.then(|| square(scene, point, is_light(place)));
        self.brackets(at, sides, background, stone.is_some());
    }

    /// Writes a mark on both sides of a point; in squares of two rows and more, in the upper corners, beside the piece.
    fn brackets(
        &mut self,
        (x, y): (usize, usize),
        (signs, role): (&str, Role),
        square: Option<Background>,
        taken: bool,
    ) {
        let Spacing { left, right, above, coin, .. } = self.spacing;
        let in_corners = square.is_some() && above > 0 && self.paint != Paint::Plain;
        let (left, right) = match (square, taken) {
            _ if in_corners => (left, right),
            // On squares two columns wide, there is room only for the sign to the right of the piece.
            (Some(_), _) => (left.min(1), 1),
            (None, true) => (coin / 2 + 1, coin / 2 + 1),
            (None, false) => (1.max(coin / 2), 1.max(coin / 2)),
        };
        let y = if in_corners { y - above } else { y };
        let ends = [x - left, x + right].into_iter().zip(signs.chars());
        for (x, sign) in ends.filter(|(end, _)| *end != x) {
            self.put((x, y), sign, role);
            if let (Some(background), Some(cell)) = (square, self.cell((x, y))) {
                cell.background = background;
            }
        }
    }

    /// Whether pieces are drawn over several characters. With few colours, none would contrast with all squares.
    fn is_drawn(&self) -> bool {
        let Spacing { x, y, drawn, .. } = self.spacing;
        drawn && self.paint == Paint::Full && pieces::SIZES.contains(&(x, y))
    }

    /// Draws a piece if there is room. The king that has lost is drawn lying.
    fn piece(&mut self, (x, y): (usize, usize), side: Side, letter: char, mark: BoardMark) {
        let Spacing { left, above, x: wide, y: high, .. } = self.spacing;
        let shape = if mark == BoardMark::Lost { pieces::LYING_KING } else { letter };
        let drawing = self.is_drawn().then(|| pieces::piece(shape, (wide, high)));
        let Some(rows) = drawing.flatten() else { return self.name((x, y), side, letter) };
        for (row, cells) in (y - above..).zip(&rows) {
            for (column, piece) in (x - left..).zip(cells) {
                if let Some(cell) = self.cell((column, row)) {
                    if piece.is_detail {
                        cell.background = Background::Stone(side.other());
                    }
                    (cell.sign, cell.role) = (piece.sign, Role::Stone(side));
                }
            }
        }
    }

    /// Writes the figurine of a piece and, if there is room, its letter, except for pawns. With few colours, both stand on a plate
    /// in the colour of the piece's side.
    fn name(&mut self, (x, y): (usize, usize), side: Side, letter: char) {
        let Spacing { x: wide, y: high, drawn, .. } = self.spacing;
        let is_full = self.paint == Paint::Full;
        let has_plate = matches!(self.paint, Paint::Few | Paint::Reverse);
        let has_room = drawn && wide > 4;
        let has_letter = has_room && letter != 'P';
        // Of a filled character, more has the colour of the side than of an outlined one.
        let shape = if is_full { Side::Black } else { side };
        let name = [piece_sign(letter, shape), letter];
        let name = &name[..=usize::from(has_letter)];
        for (x, sign) in (x..).zip(name) {
            self.put((x, y), *sign, Role::Stone(if has_plate { side.other() } else { side }));
        }
        if has_plate {
            let least = usize::from(wide > 3);
            let (edge, reach) = match self.paint {
                Paint::Few => {
                    ((wide / 2).saturating_sub(2).max(least), (high / 2).saturating_sub(1))
                }
                _ => (least, 0),
            };
            let plate = (1 + usize::from(has_room) + 2 * edge, 1 + 2 * reach);
            self.fill((x - edge, y - reach), plate, Background::Stone(side));
        }
    }

    fn stone(&mut self, at: (usize, usize), side: Side, mark: BoardMark, piece: Option<char>) {
        if let Some(letter) = piece {
            return self.piece(at, side, letter, mark);
        }
        let coined = self.spacing.coin > 1;
        if coined {
            self.disc(at, side);
        }
        let last = mark == BoardMark::MovedTo;
        let sign = match (last, side) {
            (true, _) if self.paint == Paint::Full => '◆',
            (true, Side::White) => '◉',
            (true, Side::Black) => '◎',
            (false, Side::White) => '●',
            (false, Side::Black) => '○',
        };
        if mark == BoardMark::Capturable {
            self.put(at, 'x', Role::Capturable);
        } else if mark == BoardMark::Lost && coined {
            // The stones of the side that has lost are crossed out by a bar.
            let reach = self.spacing.coin / 4;
            (at.0 - reach..=at.0 + reach).for_each(|x| self.put((x, at.1), '#', Role::Capturable));
        } else if last || !coined {
            let role = if coined { side.other() } else { side };
            self.put(at, sign, Role::Stone(role));
        }
    }

    /// Draws a round stone: its upper and lower edges in eighths of cells, its corners in quarters.
    fn disc(&mut self, (x, y): (usize, usize), side: Side) {
        let reach = self.spacing.coin / 2;
        let places = (0..=2 * reach).flat_map(|row| (0..=2 * reach).map(move |at| (at, row)));
        for (column, row) in places {
            // On a board without margin, a stone may reach beyond the canvas.
            let at = (x + column).checked_sub(reach).zip((y + row).checked_sub(reach));
            let cell = at.and_then(|at| self.cell(at));
            let cell = cell.filter(|cell| cell.background != Background::Paper);
            if let (Some(cell), Some((sign, is_ground))) = (cell, disc_part(column, row, reach)) {
                let (role, background) = if is_ground {
                    (Role::Ground(cell.background), Background::Stone(side))
                } else {
                    (Role::Stone(side), cell.background)
                };
                *cell = BoardCell { sign, role, background };
            }
        }
    }
}

/// The block character for a part of a round stone; `None` outside of the stone. The flag: whether the character is drawn in the
/// colour of the board, on the stone. `reach`: the number of columns, and of rows, on each side of the stone's middle.
fn disc_part(column: usize, row: usize, reach: usize) -> Option<(char, bool)> {
    const LOWER: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    // A small stone has a row and a half, with its middle above the line, because a higher one would touch its neighbours.
    // The background fills the middle, so that the sign of the last move can be drawn there.
    const SMALL: [[char; 3]; 2] = [['▗', '▄', '▖'], ['▜', ' ', '▛']];
    if reach == 1 {
        return SMALL.get(row).map(|signs| (signs[column], signs[column] == ' '));
    }
    // Lengths are in eighths of a cell's height. A cell is four wide, and each of its halves two. Stones end with a cell, where
    // lines begin; those five columns wide nearly so, because higher ones would touch their neighbours.
    let wide = (4 * reach + 2) as f64;
    let high = if reach == 2 { 11.0 } else { (4 * reach) as f64 };
    let across = 4.0 * column.abs_diff(reach) as f64;
    // How many eighths of a half are inside, beginning at the side of the stone's middle.
    let inside = |half: f64| {
        let height = high * (1.0 - ((across + half) / wide).powi(2)).max(0.0).sqrt();
        let begin = 8 * row.abs_diff(reach);
        (0..8).filter(|eighth| (begin + eighth) as f64 - 3.5 < height).count()
    };
    let (near, far) = (inside(-1.0), inside(1.0));
    let mean = (near + far).div_ceil(2);
    if near.abs_diff(far) <= 2 {
        let is_ground = row > reach || mean == 8;
        let sign = LOWER[if is_ground { 8 - mean } else { mean }];
        return (mean > 0).then_some((sign, is_ground));
    }
    let halves = [(near, column < reach), (far, column > reach)];
    let quarters = halves.map(|(filled, is_right)| {
        let inner = usize::from(is_right) + if row < reach { 2 } else { 0 };
        usize::from(filled > 1) << inner | usize::from(filled > 5) << (inner ^ 2)
    });
    Some((pieces::QUADRANTS[quarters[0] | quarters[1]], false))
}

/// Whether a square is light: the lower left square is dark, whichever side is at the bottom.
const fn is_light((column, row): (usize, usize)) -> bool {
    (column + row).is_multiple_of(2)
}

fn square(scene: &BoardScene<'_>, point: usize, light: bool) -> Background {
    match (scene.mark(point), light) {
        _ if scene.cursor == Some(point) => Background::Cursor,
        (BoardMark::Chosen, _) => Background::Chosen,
        (BoardMark::Check | BoardMark::Lost, _) => Background::Check,
        _ if scene.is_best(point) => Background::Hinted,
        (BoardMark::MovedTo | BoardMark::MovedFrom, true) => Background::LightMoved,
        (BoardMark::MovedTo | BoardMark::MovedFrom, false) => Background::DarkMoved,
        (_, true) => Background::Light,
        (_, false) => Background::Dark,
    }
}
