//! The board: a widget that draws it, and a state machine that makes moves from keys and clicks.
//!
//! ```text
//! key, click -> BoardInput (cursor, move being entered) -> BoardAction: a command line, a redraw, nothing
//! BoardReport + BoardInput -> BoardScene -> Canvas -> BoardWidget
//! ```
//!
//! Widget and state machine work for every game, because the [`BoardReport`] contains points, lines and legal moves.

mod input;

use ratatui::{
    prelude::*,
    widgets::{Block, Clear, Paragraph},
};

use crate::{
    engine::session::{
        position::BoardReport,
        reply::{Board, BoardPoint, MoveText, PieceKind, Score, Side, piece_sign},
        review::{for_white, shown_percent},
        search::{RootMoveReport, Run},
    },
    picture::{Background, BoardCell, BoardScene, Canvas, NumberedMove, Role, Spacing},
    text::{cut, number, or_empty, packed, style::style, width, words},
    tui::look::Theme,
};

pub use self::input::{BoardAction, BoardClick, BoardInput, PROMOTION, TYPED, first_letters, keys};

/// Draws a board at the top of the area, as large as possible; if the area is too small, only the position's notation. Below,
/// as far as there is room, are the signs' meanings and the stones in hand or captured pieces.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct BoardWidget<'a> {
    /// The position to draw, with its legal moves.
    pub report: &'a BoardReport,
    /// The cursor and the move being entered; `None` if no moves can be entered on this board.
    pub input: Option<&'a BoardInput>,
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// The move that led to the position, if the board itself does not contain the last move.
    pub last: Option<&'a MoveText>,
    /// The result of a search from this position.
    pub found: Option<&'a Run>,
    /// The value for White that a review found here; the list of moves shows it as a number.
    pub reviewed: Option<Score>,
    /// The best move in the position, for positions from which no search began.
    pub best: Option<&'a MoveText>,
    /// A reply on the board that causes a cutoff.
    pub refutation: Option<Refutation<'a>>,
    /// Whether to mark the best moves (a hint) instead of the best line.
    pub hinted: bool,
    /// The theme: colours and characters.
    pub look: &'a Theme,
    /// Whether the row below the area is a frame, which takes the file letters if there is no other room.
    pub framed: bool,
    /// Whether to list the captured pieces below the board.
    pub material: bool,
}

/// A reply that causes a cutoff.
#[derive(Clone, Copy, Debug)]
pub struct Refutation<'a> {
    /// The reply that causes the cutoff.
    pub reply: &'a MoveText,
    /// The side that plays the reply.
    pub by: Side,
    /// The move that the reply refutes; `None` if only an entry's bound makes the reply good enough.
    pub of: Option<&'a MoveText>,
}

const HINTS: usize = 3;
/// The number of moves of the best line that get a number on the board.
const LINE: usize = 4;

/// The characters of a bar: 0 to 8 eighths filled from below. The first is shaded and the last has an edge, to be visible.
const EIGHTHS: [char; 9] = ['░', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '▉'];

impl<'a> BoardWidget<'a> {
    fn scene(&self) -> BoardScene<'a> {
        let mut scene = match self.input {
            Some(input) => input.scene(self.report),
            None => BoardScene::new(self.report, self.flipped),
        };
        let board = &self.report.board;
        if let Some((from, to)) = self.last.and_then(|mv| ends(board, mv)) {
            scene.mark_last(from, to);
        }
        let side = self.report.side;
        let sides = [side, side.other()].into_iter().cycle();
        let line = self.line().iter().zip('1'..).zip(sides);
        let line = line.map(|((mv, digit), by)| (mv, digit, Some(by)));
        let hints = self.hints().map(|(rank, hint)| (&hint.mv, rank, None));
        let refutation = self.refutation.map(|found| (found.reply, '!', Some(found.by)));
        for (mv, sign, by) in hints.chain(line).chain(refutation) {
            let Some((from, point)) = ends(board, mv) else {
                break;
            };
            let both = from.into_iter().chain([point]);
            scene.numbers.extend(both.map(|point| NumberedMove { point, sign, by }));
        }
        scene
    }

    /// The moves that a hint marks, each with its rank.
    fn hints(&self) -> impl Iterator<Item = (char, &'a RootMoveReport)> {
        let moves = self.found.filter(|_| self.hinted).map_or(&[][..], |run| &run.moves);
        ranked(moves).filter(|(rank, _)| *rank != ' ')
    }

    /// The first moves of the best line; empty while a hint is shown or a move is being entered.
    fn line(&self) -> &'a [MoveText] {
        let is_idle = self.input.is_none_or(BoardInput::is_idle);
        let moves = match self.found {
            None => self.best.map_or(&[][..], std::slice::from_ref),
            Some(run) if is_idle && !self.hinted => &run.pv,
            Some(_) => &[],
        };
        &moves[..moves.len().min(LINE)]
    }

    /// The point or piece that a click on a screen cell chooses; `None` outside the board.
    pub fn hit(&self, area: Rect, column: u16, row: u16) -> Option<BoardClick> {
        let scene = self.scene();
        let (spacing, drawn) = self.fit(&scene, area)?;
        let letters = self.promotions();
        if !letters.is_empty() {
            let inside = popup(area).inner(Margin::new(1, 1));
            let line = inside.rows().position(|line| line.contains((column, row).into()))?;
            return letters.get(line).copied().map(BoardClick::Piece);
        }
        if !drawn.contains((column, row).into()) {
            return None;
        }
        let (x, y) = (usize::from(column - drawn.x), usize::from(row - drawn.y));
        let distance = |point: &usize| {
            let (px, py) = spacing.spot(scene.place(*point));
            // A character is twice as high as wide.
            px.abs_diff(x).pow(2) + (2 * py.abs_diff(y)).pow(2)
        };
        let points = 0..self.report.board.points.len();
        points.min_by_key(distance).map(BoardClick::Point)
    }

    /// The spacing and the area of the board, which may overlap the frame below.
    fn fit(&self, scene: &BoardScene<'_>, area: Rect) -> Option<(Spacing, Rect)> {
        let height = area.height + u16::from(self.framed);
        let (_, drawn) = self.look.paint(self.report.board.kind);
        let spacing = Spacing::fitting(scene, drawn, area.width.into(), height.into())?;
        let (wide, high) = spacing.size(scene.size());
        let (wide, high) = (wide as u16, high as u16);
        let x = area.x + (area.width - wide) / 2;
        // The text below the board needs six rows; with more room, a blank row is left above the board.
        let y = area.y + u16::from(area.height > high + 6);
        Some((spacing, Rect::new(x, y, wide, high)))
    }

    fn value_for_white(&self) -> Option<Score> {
        Some(for_white(self.report.side, self.found?.value?))
    }

    fn draw_bar(&self, drawn: Rect, area: Rect, buffer: &mut Buffer) {
        let value = self.value_for_white().or(self.reviewed);
        let Some(value) = value.filter(|_| area.right() > drawn.right()) else { return };
        // The row with the file letters is not part of the bar.
        let height = drawn.height.saturating_sub(1);
        let gap = u16::from(area.right() > drawn.right() + 1);
        let column = Rect { x: drawn.right() + gap, width: 1, height, ..drawn };
        let filled = share_of_white(value) * f64::from(column.height);
        for (row, at) in column.rows().rev().enumerate() {
            let middle = |eighth: u8| row as f64 + (f64::from(eighth) + 0.5) / 8.0;
            let light = (0..8).filter(|eighth| middle(*eighth) < filled).count();
            if let Some(target) = buffer.cell_mut(at.as_position()) {
                target.set_char(EIGHTHS[light]).set_style(self.look.value_bar());
            }
        }
    }

    fn draw(
        &self,
        scene: &BoardScene<'_>,
        (spacing, drawn): (Spacing, Rect),
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let (paint, _) = self.look.paint(self.report.board.kind);
        let canvas = Canvas::draw(scene, spacing, paint);
        for (cells, row) in canvas.rows().zip(drawn.rows()) {
            for (nth, (board, at)) in cells.iter().zip(row.columns()).enumerate() {
                // A letter on the frame has a blank on each side.
                let beside = &cells[nth.saturating_sub(1)..cells.len().min(nth + 2)];
                let is_frame = at.y >= area.bottom() && beside.iter().all(|it| it.sign == ' ');
                if let Some(cell) = buffer.cell_mut(at).filter(|_| !is_frame) {
                    cell.set_symbol(&text_sign(board.sign));
                    cell.set_style(self.look.board(*board));
                }
            }
        }
        self.draw_bar(drawn, area, buffer);
        // If there is room, a blank row separates the text from the board.
        let rows = area.bottom().saturating_sub(drawn.bottom());
        let gap = u16::from(rows > 4);
        let below = Rect { y: drawn.bottom() + gap, height: rows - gap, ..area };
        let below = below.inner(Margin::new(1, 0));
        let lines = self.below(scene, below.width, below.height);
        for (line, row) in lines.iter().zip(below.rows()) {
            line.render(row, buffer);
        }
        self.draw_promotions(area, buffer);
    }

    /// The value and the moves marked on the board, if there is no row for them below the board.
    pub fn summary(&self, area: Rect) -> Option<String> {
        let scene = self.scene();
        let (_, drawn) = self.fit(&scene, area)?;
        let gone = self.material.then(|| material(self.report, self.look, area.width.into()));
        let gone = gone.flatten().map(|line| line.to_string());
        let found: Vec<_> = self.findings("").chain(gone).collect();
        (drawn.bottom() >= area.bottom() && !found.is_empty()).then(|| found.join("  "))
    }

    /// The value for White after `name`, the best moves or best line, and the refutation, which explain the signs on the board.
    fn findings(&self, name: &str) -> impl Iterator<Item = String> {
        let hints = ('1'..='9').filter_map(|rank| {
            let moves = self.hints().filter(|(own, _)| *own == rank);
            let moves: Vec<_> = moves.map(|(_, hint)| &hint.mv).collect();
            let name = if rank == '1' { "hint: " } else { "" };
            match moves.len() {
                0 => None,
                many if many > HINTS => Some(format!("{name}{rank} = {many} equal moves")),
                _ => Some(format!("{name}{rank} {}", words(&moves))),
            }
        });
        let found = self.found.filter(|run| !self.hinted && run.depth > 0);
        let depth = found.map(|run| format!(" (depth {})", run.depth));
        let value = |value| format!("{name}White {}{}", number::score(value), or_empty(depth));
        let line = (1..).zip(self.line()).map(|(place, mv)| format!("{place} {mv}"));
        let refuted = |Refutation { reply, of, .. }| match of {
            Some(of) => format!("! {reply} cuts off {of}"),
            None => format!("! {reply} causes a cutoff"),
        };
        let value = self.value_for_white().map(value);
        hints.chain(value).chain(line).chain(self.refutation.map(refuted))
    }

    /// The text below the board in at most `height` rows.
    fn below(&self, scene: &BoardScene<'_>, width: u16, height: u16) -> Vec<Line<'static>> {
        let (width, height) = (usize::from(width), usize::from(height));
        let text = |text: String| Line::styled(cut(&text, width), self.look.text);
        // The value is named if that takes no further row and is not cut.
        let [plain, named] = ["", "search: "].map(|name| packed(self.findings(name), width));
        let is_cut = named.iter().any(|line| self::width(line) > width);
        let findings = if is_cut || named.len() > plain.len() { plain } else { named };
        let mut lines: Vec<_> = findings.into_iter().map(text).collect();
        match scene.hands {
            Some(hands) => {
                let points = &self.report.board.points;
                let count = |side| points.iter().filter(|it| it.stone == Some(side)).count() as u32;
                let stones = ("stones", Side::ALL.map(count));
                let (what, [white, black]) =
                    if hands == [0, 0] { stones } else { ("in hand", hands) };
                let named = format!("{what}: White {white}, Black {black}");
                let short = || format!("{what}: {white}, {black}");
                lines.push(text(if named.len() <= width { named } else { short() }));
            }
            None if self.material => lines.extend(material(self.report, self.look, width)),
            None => {}
        }
        lines.truncate(height);
        lines
    }

    /// The pieces that a pawn can promote to; empty if no promotion is being chosen.
    fn promotions(&self) -> Vec<char> {
        self.input.map_or(Vec::new(), |input| input.promotions(self.report))
    }

    fn draw_promotions(&self, area: Rect, buffer: &mut Buffer) {
        if self.promotions().is_empty() {
            return;
        }
        let popup = popup(area).intersection(buffer.area);
        let lines: Vec<_> =
            PROMOTION.keys.iter().map(|(key, piece)| Line::raw(format!("{key} {piece}"))).collect();
        Clear.render(popup, buffer);
        let block =
            Block::bordered().border_style(self.look.accent).title(format!(" {} ", PROMOTION.name));
        Paragraph::new(lines).style(self.look.text).block(block).render(popup, buffer);
    }
}

/// The pieces captured since the start position, and the lead in pawns. If `room` columns are too few, pieces are counted.
pub fn material(report: &BoardReport, look: &Theme, room: usize) -> Option<Line<'static>> {
    let Board { points, pieces, .. } = &report.board;
    let has = |side: Side, kind: &PieceKind| {
        let is =
            |point: &&BoardPoint| point.stone == Some(side) && point.piece == Some(kind.letter);
        points.iter().filter(is).count()
    };
    let worth = |side: Side| pieces.iter().map(|kind| kind.worth * has(side, kind)).sum::<usize>();
    let gone = |side: Side, counts: bool| {
        let all = pieces.iter().map(|kind| {
            let sign = text_sign(piece_sign(kind.letter, side));
            match kind.full.saturating_sub(has(side, kind)) {
                several @ 2.. if counts => format!("{sign}×{several}"),
                count => sign.repeat(count),
            }
        });
        all.filter(|_| report.from_start).collect::<String>()
    };
    let text = |counts| Side::ALL.map(|side| gone(side, counts));
    let lead = Side::ALL.into_iter().find_map(|side| {
        let lead = worth(side).checked_sub(worth(side.other())).filter(|lead| *lead > 0)?;
        Some(format!("{side} +{lead}"))
    });
    let used = width(&text(false).concat()) + "taken:  ".len();
    let fits = used + lead.as_ref().map_or(0, |lead| lead.len() + 1) <= room;
    let mut line = Line::default();
    for (side, taken) in Side::ALL.into_iter().zip(text(!fits)).filter(|(_, it)| !it.is_empty()) {
        let head = if line.spans.is_empty() { "taken: " } else { " " };
        // As on the board, White's pieces are light and Black's are dark.
        let background = if look.is_painted() { Background::Light } else { Background::Paper };
        let (role, sign) = (Role::Stone(side), piece_sign('P', side));
        let painted = look.board(BoardCell { sign, role, background });
        line.extend([Span::styled(head, look.text), Span::styled(taken, painted)]);
    }
    if let Some(lead) = lead {
        let name = "material: ";
        let name = if name.len() + lead.len() > room { "" } else { name };
        let before = if line.spans.is_empty() { name } else { " " };
        line.push_span(Span::styled(format!("{before}{lead}"), look.text));
    }
    (!line.spans.is_empty()).then_some(line)
}

/// The moves of a search result whose values are known, the best first, each with its rank, which equal moves share: a blank for all
/// but the best, the first three, and those equal to the third unless they would be too many.
pub fn ranked(moves: &[RootMoveReport]) -> impl Iterator<Item = (char, &RootMoveReport)> {
    let is_known = |found: &&RootMoveReport| found.value.is_some() && found.bound.is_none();
    let known = moves.iter().take_while(is_known).count();
    let equals = moves[..known].chunk_by(|one, next| one.value == next.value);
    let mut end = 0;
    equals.zip('1'..).flat_map(move |(equal, rank)| {
        let begin = end;
        end += equal.len();
        let is_ranked = begin == 0 || begin < HINTS && end <= 2 * HINTS;
        let rank = if is_ranked { rank } else { ' ' };
        equal.iter().map(move |found| (rank, found))
    })
}

/// The origin (`None` if the piece comes from the hand) and target of a move. If the move is not legal in the position, because
/// it comes later in a line, they are the last two points in its text before any captures.
fn ends(board: &Board, mv: &MoveText) -> Option<(Option<usize>, usize)> {
    let mv = mv.plain();
    if let Some(legal) = board.moves.iter().find(|legal| legal.mv == mv) {
        return Some((legal.from, legal.to));
    }
    let (going, _) = mv.split_once('x').filter(|(going, _)| going.len() > 1).unwrap_or((mv, ""));
    let points = board.points.iter().enumerate();
    let named = points.filter_map(|(place, point)| Some((going.rfind(&point.name)?, place)));
    let mut named: Vec<_> = named.collect();
    named.sort_unstable();
    let (_, to) = named.pop()?;
    Some((named.pop().map(|(_, from)| from), to))
}

impl Widget for BoardWidget<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        buffer.set_style(area, self.look.text);
        let scene = self.scene();
        match self.fit(&scene, area) {
            Some(fit) => self.draw(&scene, fit, area, buffer),
            None if !area.is_empty() => {
                let line = area.y + area.height / 2;
                let width = usize::from(area.width);
                buffer.set_stringn(area.x, line, &self.report.state, width, self.look.text);
            }
            None => {}
        }
    }
}

fn popup(area: Rect) -> Rect {
    area.centered(Constraint::Length(16), Constraint::Length(PROMOTION.keys.len() as u16 + 2))
}

/// A character with the selector for text style, without which some terminals show chess pieces as emoji.
fn text_sign(sign: char) -> String {
    let piece = ('\u{2654}'..='\u{265F}').contains(&sign);
    if piece { format!("{sign}\u{FE0E}") } else { sign.to_string() }
}

/// White's winning chances from 0 to 1, as reviews compute them: a half for equal positions.
pub fn share_of_white(value: Score) -> f64 {
    shown_percent(style().scale, value) / 100.0
}
