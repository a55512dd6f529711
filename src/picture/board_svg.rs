//! A board as SVG.

use std::fmt::Write as _;

use crate::{
    engine::session::{
        position::BoardReport,
        reply::{BoardKind, Side, piece_sign},
    },
    picture::{BoardMark, BoardScene, escape, rect, write},
};

/// The distance between neighbouring points, and the margin of the board, in pixels.
const UNIT: usize = 60;
const MARGIN: usize = 52;
const CAPTION: usize = 70;

/// The style sheet has no CSS variables, which some viewers lack; dark rules override light ones. Strokes and dots repeat the
/// information of the colours.
const STYLE: &str = "<style>
text { font: 18px ui-sans-serif, system-ui, sans-serif; text-anchor: middle; }
.square { fill-opacity: .25; } .line { stroke-width: 3; stroke-linecap: round; } .mill { stroke-width: 9; stroke-linecap: round; }
.stone { stroke-width: 2.5; } .stone.white { fill: #ffffff; } .stone.black { fill: #000000; } .last { fill: none; stroke-width: 4; }
.last.white { stroke: #8f008f; } .last.black { stroke: #d787ff; } .piece { font-size: 46px; stroke-width: 1; paint-order: stroke; }
.moved { fill: none; stroke-width: 3; } .check { fill: none; stroke-width: 3; stroke-dasharray: 6 4; }
.paper { fill: #ffffff; } text { fill: #1c1c1c; } .label, .empty, .square { fill: #5f5f5f; } .line { stroke: #5f5f5f; }
.moved, .check { stroke: #8f008f; } .mill.white { stroke: #944800; } .mill.black { stroke: #0058af; } .stone { stroke: #1c1c1c; }
@media (prefers-color-scheme: dark) {
.paper { fill: #1c1c1c; } text { fill: #e4e4e4; } .label, .empty, .square { fill: #9e9e9e; } .line { stroke: #9e9e9e; }
.moved, .check { stroke: #d787ff; } .mill.white { stroke: #ffaf5f; } .mill.black { stroke: #5fafff; } .stone { stroke: #bebebe; }
}
.piece.white { fill: #ffffff; stroke: #000000; } .piece.black { fill: #000000; stroke: #ffffff; }
</style>
";

/// A board as a standalone SVG document with a light and a dark appearance.
pub fn board_svg(report: &BoardReport) -> String {
    let scene = BoardScene::new(report, false);
    let (columns, rows) = scene.size();
    let width = columns.saturating_sub(1) * UNIT + 2 * MARGIN;
    let height = rows.saturating_sub(1) * UNIT + 2 * MARGIN + CAPTION;
    let title = escape(&format!("{}: {}", report.game, scene.caption()));
    let desc = escape(&description(&scene));
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title desc">
<title id="title">{title}</title>
<desc id="desc">{desc}</desc>
{STYLE}<rect class="paper" width="{width}" height="{height}"/>
"#
    );
    squares(&mut svg, &scene);
    strokes(&mut svg, &scene);
    labels(&mut svg, &scene);
    for point in 0..report.board.points.len() {
        spot(&mut svg, &scene, point);
    }
    caption(&mut svg, &scene, height - CAPTION + 10);
    svg.push_str("</svg>\n");
    svg
}

/// The position in words, for screen readers.
fn description(scene: &BoardScene<'_>) -> String {
    let of = |side: Side| {
        let points = scene.report.board.points.iter().enumerate();
        let names: Vec<_> = points
            .filter(|(point, _)| scene.stone(*point) == Some(side))
            .map(|(_, point)| point.name.as_str())
            .collect();
        let names = if names.is_empty() { "no stone".to_owned() } else { names.join(" ") };
        format!("{side}: {names}.")
    };
    let sides = Side::ALL.map(of).join(" ");
    format!("{sides} {}", scene.report.state)
}

const fn at((column, row): (usize, usize)) -> (usize, usize) {
    (MARGIN + column * UNIT, MARGIN + row * UNIT)
}

fn squares(svg: &mut String, scene: &BoardScene<'_>) {
    if scene.report.board.kind != BoardKind::Squares {
        return;
    }
    for point in 0..scene.report.board.points.len() {
        let place = scene.place(point);
        marked(svg, scene, point);
        if (place.0 + place.1) % 2 == 1 {
            let (x, y) = at(place);
            rect(svg, "square", (x - UNIT / 2, y - UNIT / 2), (UNIT, UNIT));
        }
    }
}

/// Draws the lines. Mills are drawn last, on top of the thin lines.
fn strokes(svg: &mut String, scene: &BoardScene<'_>) {
    for heavy in [false, true] {
        for stroke in scene.strokes().filter(|stroke| stroke.mill.is_some() == heavy) {
            let ((x1, y1), (x2, y2)) = (at(stroke.from), at(stroke.to));
            let class =
                stroke.mill.map_or("line".to_owned(), |side| format!("mill {}", class(side)));
            let _ =
                writeln!(svg, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
        }
    }
}

fn class(side: Side) -> String {
    side.name().to_lowercase()
}

fn labels(svg: &mut String, scene: &BoardScene<'_>) {
    let (below, beside) = scene.labels();
    let bottom = at((0, beside.len().saturating_sub(1))).1 + 42;
    for (column, name) in below.iter().enumerate() {
        write(svg, "label", (at((column, 0)).0, bottom), name);
    }
    for (row, name) in beside.iter().enumerate() {
        write(svg, "label", (16, at((0, row)).1 + 6), name);
    }
}

fn spot(svg: &mut String, scene: &BoardScene<'_>, point: usize) {
    let (x, y) = at(scene.place(point));
    let Some(side) = scene.stone(point) else {
        if scene.report.board.kind == BoardKind::Lines {
            let _ = writeln!(svg, r#"<circle class="empty" cx="{x}" cy="{y}" r="5"/>"#);
        }
        return;
    };
    let (class, is_lost) = (class(side), scene.mark(point) == BoardMark::Lost);
    if let Some(piece) = scene.report.board.points[point].piece {
        // A filled glyph with an outline, so that the sides can be told apart without colours.
        let (sign, base) = (piece_sign(piece, Side::Black), y + 16);
        let lying =
            if is_lost { format!(r#" transform="rotate(90 {x} {y})""#) } else { String::new() };
        let place = format!(r#"class="piece {class}" x="{x}" y="{base}"{lying}"#);
        let _ = writeln!(svg, "<text {place}>{sign}&#xFE0E;</text>");
        return;
    }
    let _ = writeln!(svg, r#"<circle class="stone {class}" cx="{x}" cy="{y}" r="21"/>"#);
    if scene.mark(point) == BoardMark::MovedTo {
        let _ = writeln!(svg, r#"<circle class="last {class}" cx="{x}" cy="{y}" r="10"/>"#);
    }
    if is_lost {
        let _ = writeln!(svg, r#"<circle class="check" cx="{x}" cy="{y}" r="26"/>"#);
    }
}

fn marked(svg: &mut String, scene: &BoardScene<'_>, point: usize) {
    let class = match scene.mark(point) {
        BoardMark::MovedTo | BoardMark::MovedFrom => "moved",
        BoardMark::Check | BoardMark::Lost => "check",
        _ => return,
    };
    let (x, y) = at(scene.place(point));
    let (half, side) = (UNIT / 2 - 3, UNIT - 6);
    rect(svg, class, (x - half, y - half), (side, side));
}

fn caption(svg: &mut String, scene: &BoardScene<'_>, top: usize) {
    let middle = at((scene.size().0.saturating_sub(1), 0)).0.midpoint(MARGIN);
    let last = scene.report.last_move.as_ref();
    let words = [Some(scene.report.words.clone()), last.map(|mv| format!("last move {mv}"))];
    for (line, words) in words.iter().flatten().enumerate() {
        let y = top + 12 + 26 * line;
        let _ = writeln!(svg, r#"<text x="{middle}" y="{y}">{}</text>"#, escape(words));
    }
}
