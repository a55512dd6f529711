//! Pictures: a board or a whole screen as characters, as text and as SVG.
//!
//! ```text
//! BoardReport + View -> Scene (who stands where, what is marked) -> Canvas (characters with roles) -> text, screen
//!                                                                -> SVG
//! ```
//!
//! The board on the screen and the one in a picture are the same [`Canvas`], so they cannot differ.

mod board_svg;
mod canvas;
pub mod cells;
mod ink;
mod pitch;
pub mod plot;
mod scene;
pub mod tree;
mod view;

pub use board_svg::board_svg;
pub use canvas::{Canvas, Role};
pub use ink::{Ink, Palette, Rgb};
pub use pitch::Pitch;
pub use scene::{Mark, Scene};
pub use view::View;

use ratatui::buffer::Buffer;

use crate::engine::report::BoardReport;

/// What a screen shows, cell by cell.
#[derive(Clone, Debug)]
pub struct Screen {
    /// The cells as they were drawn.
    pub cells: Buffer,
    /// The colours of cells that have none of their own.
    pub palette: Palette,
}

/// A board as text: the board with its coordinates, stones in hand, the last move and the words about the position.
/// `ascii` keeps to bytes below 0x80.
pub fn board_text(report: &BoardReport, view: View, ascii: bool) -> String {
    let scene = Scene::new(report, view);
    let mut lines: Vec<String> =
        Canvas::draw(&scene, Pitch::usual(report.board.kind), ascii).lines();
    lines.extend(
        scene
            .legend(ascii, usize::MAX)
            .map(|legend| format!("  {legend}")),
    );
    lines.push(format!("  {}", scene.caption()));
    lines.join("\n")
}

#[cfg(test)]
mod tests;
