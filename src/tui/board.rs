//! The board: a widget that draws it, and a state machine that takes keys and makes moves of them.
//!
//! ```text
//! key, click -> BoardInput (cursor, move or setup under way) -> BoardAction: a command line, a redraw, nothing
//! BoardReport + BoardInput -> BoardScene -> Canvas -> BoardWidget
//! ```
//!
//! Nothing here knows a game: points, lines and legal moves come with the [`BoardReport`].

mod entry;
mod input;
mod setup;

pub use input::{BoardAction, BoardClick, BoardInput};
use ratatui::{
    buffer::{Buffer, Cell},
    layout::{Constraint, Margin, Rect},
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
    /// The board.
    pub report: &'a BoardReport,
    /// The cursor, and the move or the setup under way; without it the position is only looked at.
    pub input: Option<&'a BoardInput>,
    /// From which side.
    pub view: View,
    /// Colours and characters.
    pub look: &'a Theme,
}

impl<'a> BoardWidget<'a> {
    fn scene(&self) -> BoardScene<'a> {
        match self.input {
            Some(input) => input.scene(self.report),
            None => BoardScene::new(self.report, self.view),
        }
    }

    /// What a click into a cell of the screen means, if the cell belongs to the board.
    pub fn hit(&self, area: Rect, column: u16, row: u16) -> Option<BoardClick> {
        let scene = self.scene();
        let (pitch, drawn) = fit(&scene, area)?;
        let letters = self.promotions();
        if !letters.is_empty() {
            let inside = popup(letters.len(), area).inner(Margin::new(1, 1));
            let line = inside.rows().position(|line| line.contains((column, row).into()))?;
            return letters.get(line).copied().map(BoardClick::Piece);
        }
        if !drawn.contains((column, row).into()) {
            return None;
        }
        let (x, y) = (usize::from(column - drawn.x), usize::from(row - drawn.y));
        let distance = |point: &usize| {
            let (px, py) = pitch.spot(scene.place(*point));
            // A character is twice as high as wide.
            px.abs_diff(x).pow(2) + (2 * py.abs_diff(y)).pow(2)
        };
        let points = 0..self.report.board.points.len();
        points.min_by_key(distance).map(BoardClick::Point)
    }

    fn draw(
        &self,
        scene: &BoardScene<'_>,
        pitch: Pitch,
        drawn: Rect,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let canvas = Canvas::draw(scene, pitch, self.look.ascii);
        for (cells, row) in canvas.rows().zip(drawn.rows()) {
            for ((sign, role), at) in cells.iter().zip(row.columns()) {
                if let Some(cell) = buffer.cell_mut(at) {
                    set_sign(cell, *sign);
                    cell.set_style(self.look.board(*role));
                }
            }
        }
        let below = drawn.bottom() + u16::from(drawn.bottom() + 1 < area.bottom());
        if let Some(legend) = scene.legend(self.look.ascii, usize::from(area.width))
            && below < area.bottom()
        {
            let row = Rect { y: below, height: 1, ..area };
            Line::styled(legend, self.look.text).centered().render(row, buffer);
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
        let lines: Vec<_> =
            letters.iter().map(|letter| Line::raw(promotion_words(*letter))).collect();
        Clear.render(popup, buffer);
        let block = Block::bordered().border_style(self.look.accent);
        Paragraph::new(lines).style(self.look.text).block(block).render(popup, buffer);
    }
}

/// The pitch with which a board fits into an area, and where in the area it is drawn.
fn fit(scene: &BoardScene<'_>, area: Rect) -> Option<(Pitch, Rect)> {
    let pitch = Pitch::fitting(scene, usize::from(area.width), usize::from(area.height))?;
    let (wide, high) = pitch.size(scene.size());
    let (wide, high) = (wide as u16, high as u16);
    let (x, y) = (area.x + (area.width - wide) / 2, area.y + (area.height - high) / 2);
    Some((pitch, Rect::new(x, y, wide, high)))
}

impl Widget for BoardWidget<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        buffer.set_style(area, self.look.text);
        let scene = self.scene();
        match fit(&scene, area) {
            Some((pitch, drawn)) => self.draw(&scene, pitch, drawn, area, buffer),
            None if !area.is_empty() => {
                let line = area.y + area.height / 2;
                let width = usize::from(area.width);
                buffer.set_stringn(area.x, line, &self.report.state, width, self.look.text);
            }
            None => {}
        }
    }
}

/// Where so many pieces to choose from are listed.
fn popup(lines: usize, area: Rect) -> Rect {
    area.centered(Constraint::Length(16), Constraint::Length(lines as u16 + 2))
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
