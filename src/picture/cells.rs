//! Any screenful of terminal cells as text and as SVG.

mod shapes;

use std::fmt::Write as _;

use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier},
    text::Span,
};

use super::{Palette, Rgb};

/// A cell in SVG units: the advance and line height of a monospaced face of 14.
const WIDTH: f64 = 8.4;
const HEIGHT: f64 = 18.0;
const BASELINE: f64 = 13.5;
const MARGIN: f64 = 8.0;

/// Paper and ink where the palette leaves them to the terminal.
const PAPER: Rgb = Rgb(0, 0, 0);
const INK: Rgb = Rgb(228, 228, 228);

/// What is on the screen as text, without blanks at the ends of lines.
pub fn text_of_cells(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in rows(buffer) {
        let mut line = String::new();
        let mut at = 0;
        while let Some(cell) = row.get(at) {
            line.push_str(cell.symbol());
            // A wide character covers the cell after it.
            at += Span::raw(cell.symbol()).width().max(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// What is on the screen as a standalone SVG document, with the palette's colours for what has none of its own.
///
/// Lines and blocks are drawn as shapes, so that they meet whatever the reader's font is.
pub fn svg_of_cells(buffer: &Buffer, palette: &Palette, title: &str) -> String {
    let width = f64::from(buffer.area.width) * WIDTH + 2.0 * MARGIN;
    let height = f64::from(buffer.area.height) * HEIGHT + 2.0 * MARGIN;
    let paper = palette.background.or(PAPER).hex();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\" \
         xml:space=\"preserve\" aria-labelledby=\"title\">\n<title id=\"title\">{}</title>\n<style>text {{ font: 14px ui-monospace, Menlo, \
         Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; }}</style>\n\
         <rect width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\" fill=\"{paper}\"/>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\">\n",
        escape(title)
    );
    for (y, row) in rows(buffer).enumerate() {
        let looks: Vec<Look> = row.iter().map(|cell| Look::of(cell, palette)).collect();
        backgrounds(&mut svg, y, &looks);
        for (start, end) in runs(row, &looks) {
            foreground(&mut svg, (start, y), &row[start..end], looks[start]);
        }
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn rows(buffer: &Buffer) -> impl Iterator<Item = &[Cell]> {
    buffer.content.chunks(usize::from(buffer.area.width).max(1))
}

/// How a cell looks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    ink: Rgb,
    /// Nothing where it is the paper.
    ground: Option<Rgb>,
    modifier: Modifier,
}

impl Look {
    fn of(cell: &Cell, palette: &Palette) -> Self {
        let paper = palette.background.or(PAPER);
        let mut ink = colour(cell.fg).unwrap_or(palette.text.or(INK));
        let mut ground = colour(cell.bg);
        if cell.modifier.contains(Modifier::REVERSED) {
            let behind = ground.unwrap_or(paper);
            ground = Some(ink);
            ink = behind;
        }
        Self {
            ink,
            ground: ground.filter(|ground| *ground != paper),
            modifier: cell.modifier,
        }
    }

    /// As attributes of a text.
    fn attributes(self) -> String {
        let mut attributes = format!("fill=\"{}\"", self.ink.hex());
        let has = |modifier| self.modifier.contains(modifier);
        for (modifier, attribute) in [
            (Modifier::BOLD, " font-weight=\"bold\""),
            (Modifier::ITALIC, " font-style=\"italic\""),
            (Modifier::UNDERLINED, " text-decoration=\"underline\""),
            (Modifier::DIM, " opacity=\"0.7\""),
        ] {
            if has(modifier) {
                attributes.push_str(attribute);
            }
        }
        attributes
    }
}

fn colour(colour: Color) -> Option<Rgb> {
    let index = match colour {
        Color::Reset => return None,
        Color::Rgb(red, green, blue) => return Some(Rgb(red, green, blue)),
        Color::Indexed(index) => index,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    Some(Rgb::of_index(index))
}

fn backgrounds(svg: &mut String, y: usize, looks: &[Look]) {
    let mut start = 0;
    for run in looks.chunk_by(|one, other| one.ground == other.ground) {
        if let Some(ground) = run[0].ground {
            let _ = writeln!(
                svg,
                r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{HEIGHT}" fill="{}"/>"#,
                start as f64 * WIDTH,
                y as f64 * HEIGHT,
                run.len() as f64 * WIDTH,
                ground.hex()
            );
        }
        start += run.len();
    }
}

/// Neighbouring cells that can be drawn together: words of ASCII in one look, repeated lines, single cells else.
fn runs(row: &[Cell], looks: &[Look]) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < row.len() {
        let together = |at: usize| {
            let (one, other) = (row[start].symbol(), row[at].symbol());
            looks[at] == looks[start]
                && (one.is_ascii() && other.is_ascii() || one == other && shapes::is_across(one))
        };
        let end = (start + 1..row.len())
            .find(|&at| !together(at))
            .unwrap_or(row.len());
        runs.push((start, end));
        start = end;
    }
    runs
}

fn foreground(svg: &mut String, (x, y): (usize, usize), cells: &[Cell], look: Look) {
    let text: String = cells.iter().map(Cell::symbol).collect();
    let underlined = look.modifier.contains(Modifier::UNDERLINED);
    if text.trim().is_empty() && !underlined || look.modifier.contains(Modifier::HIDDEN) {
        return;
    }
    let (left, top) = (x as f64 * WIDTH, y as f64 * HEIGHT);
    let across = cells.len() as f64 * WIDTH;
    if shapes::draw(svg, &text, (left, top), across, look.ink) {
        return;
    }
    let blanks = text.len() - text.trim_start().len();
    let (indent, text) = if underlined || !text.is_ascii() {
        (0.0, text.as_str())
    } else {
        (blanks as f64 * WIDTH, text.trim())
    };
    let long = if text.is_ascii() && text.len() > 1 {
        format!(r#" textLength="{:.1}""#, text.len() as f64 * WIDTH)
    } else {
        String::new()
    };
    let _ = writeln!(
        svg,
        r#"<text x="{:.1}" y="{:.1}"{long} {}>{}</text>"#,
        left + indent,
        top + BASELINE,
        look.attributes(),
        escape(text)
    );
}

/// Text as XML has it; what XML cannot hold becomes a blank.
pub(super) fn escape(text: &str) -> String {
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
