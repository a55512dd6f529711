//! Pictures: boards and screens as text and SVG; charts as SVG; search trees as icicles, Graphviz graphs and outlines.
//!
//! ```text
//! BoardReport -> BoardScene (stones, marks) -> Canvas (characters with roles) -> text, full screen
//!                                           -> SVG
//! ```
//!
//! The full screen and text pictures draw boards with the same [`Canvas`].

mod board_svg;
mod canvas;
mod icicle;
mod pieces;
pub mod plot;
mod scene;
mod screen_svg;
pub mod tree;

use std::fmt::{Display, Write as _};

use ratatui::{buffer::Buffer, style::Color, text::Span};

use crate::{
    engine::session::{position::BoardReport, reply::Reply},
    text::fold,
};

pub use self::{
    board_svg::board_svg,
    canvas::{Background, BoardCell, Canvas, Paint, Role, Spacing},
    icicle::icicle,
    pieces::{PieceCell, QUADRANTS, SIZES as PIECE_SIZES, piece},
    scene::{BoardScene, NumberedMove},
};

pub(crate) use self::{
    scene::BoardMark,
    screen_svg::{Shot, screen_svg},
};

/// A board as text, with coordinates, stones in hand, last move and a description of the position.
pub fn board_text(report: &BoardReport, ascii: bool) -> String {
    let scene = BoardScene::new(report, false);
    let mut lines = Canvas::draw(&scene, Spacing::usual(report.board.kind), Paint::Plain).lines();
    lines.extend(scene.legend().map(|legend| format!("  {legend}")));
    lines.push(format!("  {}", scene.caption()));
    let text = lines.join("\n");
    if ascii { fold(&text) } else { text }
}

impl Reply for BoardReport {
    fn text(&self) -> String {
        board_text(self, false)
    }
}

/// The colour of White's pieces on coloured squares: white of the colour cube, since users may redefine the first 16 colours.
pub const WHITE_INK: Color = Color::Indexed(231);
/// The colour of Black's pieces on coloured squares: black of the colour cube.
pub const BLACK_INK: Color = Color::Indexed(16);

/// A screen as text, without trailing blanks. Pieces that differ only by colour get other characters: White's chess pieces are
/// outlined, Black's stones are shaded.
pub fn screen_text(screen: &Buffer) -> String {
    let mut text = String::new();
    for row in screen.content.chunks(usize::from(screen.area.width).max(1)) {
        let mut line = String::new();
        let mut at = 0;
        while let Some(cell) = row.get(at) {
            let symbol = cell.symbol();
            let piece = symbol.chars().next().filter(|_| cell.fg == WHITE_INK);
            match piece.filter(|sign| ('\u{265a}'..='\u{265f}').contains(sign)) {
                None if symbol == " " && cell.bg == BLACK_INK => line.push('░'),
                None if symbol == "█" && cell.fg == BLACK_INK => line.push('░'),
                Some(filled) => {
                    line.extend(char::from_u32(filled as u32 - 6));
                    line.push('\u{fe0e}');
                }
                None => line.push_str(symbol),
            }
            // A wide character also takes the next cell, which is skipped.
            at += Span::raw(cell.symbol()).width().max(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn rect(
    svg: &mut String,
    class: &str,
    (x, y): (impl Display, impl Display),
    (width, height): (impl Display, impl Display),
) {
    let place = format!(r#"x="{x}" y="{y}" width="{width}" height="{height}""#);
    let _ = writeln!(svg, r#"<rect class="{class}" {place}/>"#);
}

fn write(svg: &mut String, class: &str, (x, y): (impl Display, impl Display), text: &str) {
    let text = escape(text);
    let _ = writeln!(svg, r#"<text class="{class}" x="{x}" y="{y}">{text}</text>"#);
}

/// Escapes a text for XML; characters that XML forbids become blanks.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            sign if sign.is_control() || matches!(sign, '\u{fffe}' | '\u{ffff}') => {
                escaped.push(' ');
            }
            sign => escaped.push(sign),
        }
    }
    escaped
}
