//! The evaluation bar beside a board: light from below as far as White is ahead, dark from above.

use ratatui::{buffer::Buffer, layout::Rect};

use crate::{
    engine::reply::{BoardReport, Score, Side},
    picture::{BoardCell, Ground, Role},
    tui::look::Theme,
};

/// The signs of a row whose lower eighths are light. A dark one is shaded, so that it is seen on a black screen too.
const EIGHTHS: [char; 9] = ['░', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// A balance of so much fills 88 % of the bar: 4 pawns where values are hundredths of one, else a third of a won game.
const HUNDREDTHS: f64 = 400.0;
const OF_A_GAME: f64 = 1.0 / 3.0;

/// White's part of the bar when a position has this value for White, from 0 to 1.
pub(super) fn share(report: &BoardReport, value: Score) -> f64 {
    let has_pieces = report.board.points.iter().any(|point| point.piece.is_some());
    let scale = if has_pieces { HUNDREDTHS } else { OF_A_GAME };
    (value.get() / scale).tanh().midpoint(1.0)
}

/// Fills a column of the screen, of which White has this share.
pub(super) fn draw(share: f64, column: Rect, look: &Theme, buffer: &mut Buffer) {
    let filled = share * f64::from(column.height);
    for (row, at) in column.rows().rev().enumerate() {
        let middle = |eighth: u8| row as f64 + (f64::from(eighth) + 0.5) / 8.0;
        let light = (0..8).filter(|eighth| middle(*eighth) < filled).count();
        let (sign, role) = (EIGHTHS[light], Role::Stone(Side::White));
        let cell = BoardCell { sign, role, ground: Ground::Stone(Side::Black) };
        if let Some(target) = buffer.cell_mut(at.as_position()) {
            target.set_char(cell.sign).set_style(look.board(cell));
        }
    }
}
