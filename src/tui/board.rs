//! The board: a widget that draws it, and a state machine that takes keys and makes moves of them.
//!
//! ```text
//! key, click -> BoardInput (cursor, move or setup under way) -> BoardAction: a command line, a redraw, nothing
//! BoardReport + BoardInput -> Scene -> Canvas -> BoardWidget
//! ```
//!
//! Nothing here knows a game: points, lines and legal moves come with the [`BoardReport`].

mod arrows;
mod entry;
mod input;
mod setup;

pub use input::{BoardAction, BoardInput, BoardKey};
use ratatui::{buffer::Buffer, layout::Rect, widgets::Widget};

use super::theme::Theme;
use crate::{
    engine::report::BoardReport,
    picture::{Canvas, Pitch, Scene, View},
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
        Self {
            report,
            input: None,
            theme,
            ascii: false,
        }
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

    fn scene(&self) -> Scene<'a> {
        match self.input {
            Some(input) => input.scene(self.report),
            None => Scene::new(self.report, View::default()),
        }
    }

    /// What a click into a cell of the screen means: the nearest point, if the cell belongs to the board.
    pub fn hit(&self, area: Rect, column: u16, row: u16) -> Option<BoardKey> {
        let scene = self.scene();
        let (pitch, drawn) = fit(&scene, area)?;
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
        Some(BoardKey::Click {
            x: points[nearest].x,
            y: points[nearest].y,
        })
    }
}

/// The pitch with which a board fits into an area, and where in the area it is drawn.
fn fit(scene: &Scene<'_>, area: Rect) -> Option<(Pitch, Rect)> {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let pitch = Pitch::fitting(scene.size(), width, height)?;
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
    fn draw(&self, scene: &Scene<'_>, pitch: Pitch, drawn: Rect, area: Rect, buffer: &mut Buffer) {
        let canvas = Canvas::draw(scene, pitch, self.ascii);
        for (y, row) in canvas.rows().enumerate() {
            for (x, (sign, role)) in row.iter().enumerate() {
                let at = (drawn.x + x as u16, drawn.y + y as u16);
                if let Some(cell) = buffer.cell_mut(at) {
                    cell.set_char(*sign).set_style(self.theme.board(*role));
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
    }
}
