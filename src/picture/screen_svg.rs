//! Screens as SVG: one screen as a picture, several as an animation.

use std::{collections::BTreeMap, fmt::Write as _};

use ratatui::{buffer::Cell, prelude::*};

use super::{escape, rect};

/// The width and the height of a cell, in pixels.
const CELL: (f64, f64) = (8.5, 17.0);
const MARGIN: f64 = 8.0;
/// The distance from the top of a cell to the text's baseline, in pixels.
const BASE: f64 = 13.0;

/// A screen of the animation, and how long it is shown.
#[derive(Clone, Debug)]
pub struct Shot {
    pub screen: Buffer,
    pub seconds: f64,
}

/// The appearance of a cell: foreground, background, bold and underlined.
type Look = (Color, Color, Modifier);

/// Screens of one size in a standalone SVG document; several are shown one after the other in a loop. The terminal's default
/// colours have a light and a dark appearance. Viewers without animation show the last screen.
pub fn screen_svg(shots: &[Shot], title: &str) -> String {
    let Some(area) = shots.first().map(|shot| shot.screen.area) else {
        return String::new();
    };
    let (width, height) = (f64::from(area.width), f64::from(area.height));
    let (width, height) = (width * CELL.0 + 2.0 * MARGIN, height * CELL.1 + 2.0 * MARGIN);
    let mut drawing = Drawing { svg: String::new(), looks: Vec::new(), paper: paper(shots) };
    let rows = rows(shots);
    for ((from, to), rows) in &rows {
        let is_last = *to == shots.len();
        let hidden = if is_last { "" } else { r#" visibility="hidden""# };
        let _ = writeln!(drawing.svg, r#"<g class="f{from}-{to}"{hidden}>"#);
        for (y, row) in rows {
            drawing.row(*y, row);
        }
        drawing.svg.push_str("</g>\n");
    }
    let style = drawing.style() + &movement(shots, rows.keys());
    let title = escape(title);
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" role="img" aria-labelledby="title">
<title id="title">{title}</title>
<style>
{style}</style>
<rect class="paper" width="100%" height="100%" rx="6"/>
{}</svg>
"#,
        drawing.svg
    )
}

/// The index of the first screen that shows a row, and the index after the last one.
type Span = (usize, usize);

/// The rows of all screens by span: a row that is the same on consecutive screens is drawn once.
fn rows(shots: &[Shot]) -> BTreeMap<Span, Vec<(usize, &[Cell])>> {
    let mut rows = BTreeMap::<Span, Vec<_>>::new();
    let height = shots.first().map_or(0, |shot| shot.screen.area.height);
    for y in 0..usize::from(height) {
        let mut from = 0;
        for to in 1..=shots.len() {
            let row = row(&shots[from], y);
            if shots.get(to).is_none_or(|next| self::row(next, y) != row) {
                rows.entry((from, to)).or_default().push((y, row));
                from = to;
            }
        }
    }
    rows
}

fn row(shot: &Shot, y: usize) -> &[Cell] {
    let width = usize::from(shot.screen.area.width);
    &shot.screen.content[y * width..(y + 1) * width]
}

fn look(cell: &Cell) -> Look {
    let is_reversed = cell.modifier.contains(Modifier::REVERSED);
    // In reversed cells of the terminal's default colours, white stands for the background and black for the text.
    let (ink, paper) = match (is_reversed, cell.bg, cell.fg) {
        (false, bg, fg) => (fg, bg),
        (true, Color::Reset, Color::Reset) => (Color::White, Color::Black),
        (true, Color::Reset, fg) => (Color::White, fg),
        (true, bg, Color::Reset) => (bg, Color::Black),
        (true, bg, fg) => (bg, fg),
    };
    (ink, paper, cell.modifier & (Modifier::BOLD | Modifier::UNDERLINED))
}

fn paper(shots: &[Shot]) -> Color {
    let mut counts = Vec::<(Color, usize)>::new();
    for cell in shots.iter().flat_map(|shot| &shot.screen.content) {
        match counts.iter_mut().find(|(paper, _)| *paper == cell.bg) {
            Some((_, count)) => *count += 1,
            None => counts.push((cell.bg, 1)),
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map_or(Color::Reset, |(paper, _)| paper)
}

struct Drawing {
    svg: String,
    /// The appearances of cells in use; the index of each is the number of its CSS class.
    looks: Vec<Look>,
    paper: Color,
}

impl Drawing {
    /// Draws a row. Adjacent cells of one appearance become one text, stretched to its width whatever the viewer's font.
    fn row(&mut self, y: usize, row: &[Cell]) {
        let top = (y as f64).mul_add(CELL.1, MARGIN);
        let mut at = 0;
        while let Some(first) = row.get(at) {
            let look = look(first);
            let like = row[at..].iter().take_while(|cell| self::look(cell) == look).count();
            let class = self.class(look);
            if look.1 != self.paper {
                let size = (like as f64 * CELL.0, CELL.1);
                rect(&mut self.svg, &format!("p{class}"), (left(at), top), size);
            }
            let text: String = row[at..at + like].iter().map(Cell::symbol).collect();
            self.words(class, (at, top + BASE), &text);
            at += like;
        }
    }

    fn class(&mut self, look: Look) -> usize {
        self.looks.iter().position(|known| *known == look).unwrap_or_else(|| {
            self.looks.push(look);
            self.looks.len() - 1
        })
    }

    fn words(&mut self, class: usize, (mut column, y): (usize, f64), text: &str) {
        for part in text.split_inclusive("  ") {
            let shown = part.trim();
            let before = part.chars().take_while(|sign| *sign == ' ').count();
            if !shown.is_empty() {
                let (x, width) = (left(column + before), shown.chars().count() as f64 * CELL.0);
                let shown = escape(shown);
                let _ = writeln!(
                    self.svg,
                    r#"<text class="i{class}" x="{x}" y="{y}" textLength="{width}">{shown}</text>"#
                );
            }
            column += part.chars().count();
        }
    }

    fn style(&self) -> String {
        let font = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
        let mut style = format!(
            "text {{ font: 14px {font}; white-space: pre; }} rect {{ shape-rendering: crispEdges; }}\n{}",
            self.colours(false)
        );
        for (class, (_, _, modifier)) in self.looks.iter().enumerate() {
            if modifier.contains(Modifier::BOLD) {
                let _ = writeln!(style, ".i{class} {{ font-weight: bold; }}");
            }
            if modifier.contains(Modifier::UNDERLINED) {
                let _ = writeln!(style, ".i{class} {{ text-decoration: underline; }}");
            }
        }
        let dark = self.colours(true);
        if dark != self.colours(false) {
            let _ = writeln!(style, "@media (prefers-color-scheme: dark) {{\n{dark}}}");
        }
        style
    }

    fn colours(&self, dark: bool) -> String {
        let mut rules = format!(".paper {{ fill: {}; }}\n", hex(self.paper, false, dark));
        for (class, (ink, paper, _)) in self.looks.iter().enumerate() {
            let (ink, paper) = (hex(*ink, true, dark), hex(*paper, false, dark));
            let _ = writeln!(rules, ".i{class} {{ fill: {ink}; }} .p{class} {{ fill: {paper}; }}");
        }
        rules
    }
}

fn left(column: usize) -> f64 {
    (column as f64).mul_add(CELL.0, MARGIN)
}

/// An indexed colour as a hexadecimal CSS colour; the default colours depend on the appearance, light or dark.
fn hex(colour: Color, is_ink: bool, dark: bool) -> String {
    let (red, green, blue) = match colour {
        Color::Indexed(index @ 232..) => {
            let grey = 8 + (index - 232) * 10;
            (grey, grey, grey)
        }
        Color::Indexed(index @ 16..) => {
            let level = |part: u8| if part == 0 { 0 } else { 55 + part * 40 };
            let index = index - 16;
            (level(index / 36), level(index / 6 % 6), level(index % 6))
        }
        Color::Rgb(red, green, blue) => (red, green, blue),
        Color::White => return hex(Color::Reset, false, dark),
        Color::Black => return hex(Color::Reset, true, dark),
        _ if is_ink == dark => (228, 228, 228),
        _ => (28, 28, 28),
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The CSS animations that show each group of rows during its span.
fn movement<'a>(shots: &[Shot], spans: impl Iterator<Item = &'a Span>) -> String {
    let all: f64 = shots.iter().map(|shot| shot.seconds).sum();
    let until = |shot: usize| -> f64 {
        100.0 * shots[..shot].iter().map(|shot| shot.seconds).sum::<f64>() / all
    };
    let mut style = String::new();
    for &(from, to) in spans.filter(|&&span| span != (0, shots.len())) {
        let (on, off) = (until(from), until(to));
        let _ = writeln!(
            style,
            ".f{from}-{to} {{ animation: k{from}-{to} {all:.1}s steps(1, end) infinite; }}\n\
             @keyframes k{from}-{to} {{ 0% {{ visibility: {}; }} {on:.3}% {{ visibility: visible; }} {off:.3}% {{ visibility: hidden; }} }}",
            if from == 0 { "visible" } else { "hidden" },
        );
    }
    if !style.is_empty() {
        style.push_str(
            "@media (prefers-reduced-motion: reduce) { g { animation: none !important; } }\n",
        );
    }
    style
}
