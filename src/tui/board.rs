//! The board: a widget that draws it, and a state machine that takes keys and makes moves of them.
//!
//! ```text
//! key, click -> BoardInput (cursor, move or setup under way) -> BoardAction: a command line, a redraw, nothing
//! BoardReport + BoardInput -> BoardScene -> Canvas -> BoardWidget
//! ```
//!
//! Nothing here knows a game: points, lines and legal moves come with the [`BoardReport`].

mod arrows;
mod entry;
mod input;
mod setup;

pub use input::{BoardAction, BoardInput, BoardKey};
use ratatui::{
    buffer::{Buffer, Cell},
    layout::{Margin, Rect},
    symbols::border,
    text::Line,
    widgets::{Block, Clear, Paragraph, Widget},
};

use super::look::Theme;
use crate::{
    engine::reply::BoardReport,
    picture::{BoardScene, Canvas, Pitch, View},
};

/// Draws a board as large as the area allows, or where it is too small the position's notation on one line.
///
/// The stones in hand are written below where there is a line to spare.
#[derive(Clone, Copy, Debug)]
pub struct BoardWidget<'a> {
    report: &'a BoardReport,
    input: Option<&'a BoardInput>,
    theme: &'a Theme,
    ascii: bool,
}

impl<'a> BoardWidget<'a> {
    /// A position as it is, without a cursor.
    pub const fn new(report: &'a BoardReport, theme: &'a Theme) -> Self {
        Self { report, input: None, theme, ascii: false }
    }

    /// With the cursor, and the move or the setup under way.
    #[must_use]
    pub const fn input(mut self, input: &'a BoardInput) -> Self {
        self.input = Some(input);
        self
    }

    /// With bytes below 0x80 only.
    #[must_use]
    pub const fn ascii(mut self, ascii: bool) -> Self {
        self.ascii = ascii;
        self
    }

    fn scene(&self) -> BoardScene<'a> {
        match self.input {
            Some(input) => input.scene(self.report),
            None => BoardScene::new(self.report, View::default()),
        }
    }

    /// What a click into a cell of the screen means: the nearest point, if the cell belongs to the board.
    pub fn hit(&self, area: Rect, column: u16, row: u16) -> Option<BoardKey> {
        let scene = self.scene();
        let (pitch, drawn) = fit(&scene, area)?;
        let letters = self.promotions();
        if !letters.is_empty() {
            let popup = popup(letters.len(), area);
            let inside = popup.inner(Margin::new(1, 1)).contains((column, row).into());
            let line = usize::from(row.checked_sub(popup.y + 1)?);
            return letters.get(line).filter(|_| inside).map(|letter| BoardKey::Char(*letter));
        }
        if !drawn.contains((column, row).into()) {
            return None;
        }
        let (x, y) = (usize::from(column - drawn.x), usize::from(row - drawn.y));
        let points = &self.report.board.points;
        let distance = |point: &usize| {
            let (px, py) = pitch.spot(scene.place(*point));
            // A character is twice as high as wide.
            px.abs_diff(x).pow(2) + (2 * py.abs_diff(y)).pow(2)
        };
        let nearest = (0..points.len()).min_by_key(distance)?;
        Some(BoardKey::Click { x: points[nearest].x, y: points[nearest].y })
    }
}

/// The pitch with which a board fits into an area, and where in the area it is drawn.
fn fit(scene: &BoardScene<'_>, area: Rect) -> Option<(Pitch, Rect)> {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let kind = scene.report.board.kind;
    let pitch = Pitch::fitting(kind, scene.size(), width, height)?;
    let (wide, high) = pitch.size(scene.size());
    let spare = |free: usize| free as u16 / 2;
    let drawn = Rect {
        x: area.x + spare(width - wide),
        y: area.y + spare(height - high),
        width: wide as u16,
        height: high as u16,
    };
    Some((pitch, drawn))
}

impl Widget for BoardWidget<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        buffer.set_style(area, self.theme.text);
        let scene = self.scene();
        match fit(&scene, area) {
            Some((pitch, drawn)) => self.draw(&scene, pitch, drawn, area, buffer),
            None if !area.is_empty() => {
                let line = area.y + area.height / 2;
                let width = usize::from(area.width);
                buffer.set_stringn(area.x, line, &self.report.state, width, self.theme.text);
            }
            None => {}
        }
    }
}

impl BoardWidget<'_> {
    fn draw(
        &self,
        scene: &BoardScene<'_>,
        pitch: Pitch,
        drawn: Rect,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let canvas = Canvas::draw(scene, pitch, self.ascii);
        for (y, row) in canvas.rows().enumerate() {
            for (x, (sign, role)) in row.iter().enumerate() {
                let at = (drawn.x + x as u16, drawn.y + y as u16);
                if let Some(cell) = buffer.cell_mut(at) {
                    set_sign(cell, *sign);
                    cell.set_style(self.theme.board(*role));
                }
            }
        }
        let below = drawn.bottom() + u16::from(drawn.bottom() + 1 < area.bottom());
        if let Some(legend) = scene.legend(self.ascii, usize::from(area.width))
            && below < area.bottom()
        {
            let long = legend.chars().count() as u16;
            let left = area.x + (area.width - long) / 2;
            buffer.set_stringn(left, below, legend, usize::from(long), self.theme.text);
        }
        self.draw_promotions(area, buffer);
    }

    /// The letters of the pieces that a pawn may become, while that is the question.
    fn promotions(&self) -> Vec<char> {
        self.input.map_or(Vec::new(), |input| input.promotions(self.report))
    }

    fn draw_promotions(&self, area: Rect, buffer: &mut Buffer) {
        let letters = self.promotions();
        if letters.is_empty() {
            return;
        }
        let popup = popup(letters.len(), area).intersection(buffer.area);
        let border = if self.ascii { ASCII_BORDER } else { border::PLAIN };
        let lines: Vec<_> =
            letters.iter().map(|letter| Line::raw(promotion_words(*letter))).collect();
        Clear.render(popup, buffer);
        let block = Block::bordered().border_set(border).border_style(self.theme.focus);
        Paragraph::new(lines).style(self.theme.text).block(block).render(popup, buffer);
    }
}

const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Where so many pieces to choose from are listed.
fn popup(lines: usize, area: Rect) -> Rect {
    let (width, height) = (16.min(area.width), (lines as u16 + 2).min(area.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

fn promotion_words(letter: char) -> String {
    let name = match letter {
        'Q' => "queen, Enter",
        'R' => "rook",
        'B' => "bishop",
        'N' => "knight",
        _ => "",
    };
    format!("{} {name}", letter.to_ascii_lowercase())
}

/// Chess pieces are asked for as text, for some terminals would show them as emoji.
fn set_sign(cell: &mut Cell, sign: char) {
    if ('\u{2654}'..='\u{265F}').contains(&sign) {
        cell.set_symbol(&format!("{sign}\u{FE0E}"));
    } else {
        cell.set_char(sign);
    }
}
