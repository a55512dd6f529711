//! Box drawing and block characters as shapes.

use std::fmt::Write as _;

use super::{HEIGHT, Rgb, WIDTH};

/// Lines from the middle of a cell: left, right, up, down; 0 none, 1 light, 2 heavy.
type Arms = [u8; 4];

const LINES: [(char, Arms); 28] = [
    ('─', [1, 1, 0, 0]),
    ('━', [2, 2, 0, 0]),
    ('│', [0, 0, 1, 1]),
    ('┃', [0, 0, 2, 2]),
    ('┌', [0, 1, 0, 1]),
    ('┐', [1, 0, 0, 1]),
    ('└', [0, 1, 1, 0]),
    ('┘', [1, 0, 1, 0]),
    ('╭', [0, 1, 0, 1]),
    ('╮', [1, 0, 0, 1]),
    ('╰', [0, 1, 1, 0]),
    ('╯', [1, 0, 1, 0]),
    ('├', [0, 1, 1, 1]),
    ('┤', [1, 0, 1, 1]),
    ('┬', [1, 1, 0, 1]),
    ('┴', [1, 1, 1, 0]),
    ('┼', [1, 1, 1, 1]),
    ('┏', [0, 2, 0, 2]),
    ('┓', [2, 0, 0, 2]),
    ('┗', [0, 2, 2, 0]),
    ('┛', [2, 0, 2, 0]),
    ('┣', [0, 2, 2, 2]),
    ('┫', [2, 0, 2, 2]),
    ('┳', [2, 2, 0, 2]),
    ('┻', [2, 2, 2, 0]),
    ('╋', [2, 2, 2, 2]),
    ('╴', [1, 0, 0, 0]),
    ('╶', [0, 1, 0, 0]),
];

/// Quarters of a cell that are filled: upper left, upper right, lower left, lower right.
const BLOCKS: [(char, [bool; 4]); 9] = [
    ('█', [true, true, true, true]),
    ('▀', [true, true, false, false]),
    ('▄', [false, false, true, true]),
    ('▌', [true, false, true, false]),
    ('▐', [false, true, false, true]),
    ('▘', [true, false, false, false]),
    ('▝', [false, true, false, false]),
    ('▖', [false, false, true, false]),
    ('▗', [false, false, false, true]),
];

/// Whether several of these in a row are one line or one bar.
pub(super) fn is_across(symbol: &str) -> bool {
    matches!(symbol, "─" | "━" | "█" | "▀" | "▄" | "░" | "▒" | "▓")
}

/// Draws a run of equal characters `across` units wide; false where they are no shapes.
pub(super) fn draw(svg: &mut String, text: &str, at: (f64, f64), across: f64, ink: Rgb) -> bool {
    let Some(sign) = text.chars().next() else {
        return false;
    };
    if let Some((_, arms)) = LINES.iter().find(|(line, _)| *line == sign) {
        lines(svg, *arms, at, across, ink);
    } else if let Some((_, quarters)) = BLOCKS.iter().find(|(block, _)| *block == sign) {
        blocks(svg, *quarters, at, across, ink);
    } else if let Some(shade) = "░▒▓".chars().position(|shade| shade == sign) {
        let opacity = 0.25 * (shade + 1) as f64;
        rect(svg, at, (across, HEIGHT), ink, opacity);
    } else {
        return false;
    }
    true
}

fn lines(svg: &mut String, arms: Arms, (x, y): (f64, f64), across: f64, ink: Rgb) {
    let (middle, centre) = (x + WIDTH / 2.0, y + HEIGHT / 2.0);
    let ends = [
        (x, centre),
        (x + across, centre),
        (middle, y),
        (middle, y + HEIGHT),
    ];
    for heavy in [1, 2] {
        let mut path = String::new();
        for ((ex, ey), _) in ends.iter().zip(arms).filter(|(_, arm)| *arm == heavy) {
            let _ = write!(path, "M{middle:.1} {centre:.1}L{ex:.1} {ey:.1}");
        }
        if !path.is_empty() {
            let width = if heavy == 1 { 1.2 } else { 3.0 };
            let _ = writeln!(
                svg,
                r#"<path d="{path}" stroke="{}" stroke-width="{width}" stroke-linecap="round"/>"#,
                ink.hex()
            );
        }
    }
}

fn blocks(svg: &mut String, quarters: [bool; 4], (x, y): (f64, f64), across: f64, ink: Rgb) {
    let (width, height) = (across / 2.0, HEIGHT / 2.0);
    match quarters {
        [true, true, true, true] => rect(svg, (x, y), (across, HEIGHT), ink, 1.0),
        [true, true, false, false] => rect(svg, (x, y), (across, height), ink, 1.0),
        [false, false, true, true] => rect(svg, (x, y + height), (across, height), ink, 1.0),
        [true, false, true, false] => rect(svg, (x, y), (width, HEIGHT), ink, 1.0),
        [false, true, false, true] => rect(svg, (x + width, y), (width, HEIGHT), ink, 1.0),
        _ => {
            for (quarter, _) in quarters.iter().enumerate().filter(|(_, filled)| **filled) {
                let (right, low) = (quarter % 2, quarter / 2);
                let corner = (x + right as f64 * width, y + low as f64 * height);
                rect(svg, corner, (width, height), ink, 1.0);
            }
        }
    }
}

fn rect(svg: &mut String, (x, y): (f64, f64), (width, height): (f64, f64), ink: Rgb, opacity: f64) {
    let opacity = if opacity < 1.0 {
        format!(r#" opacity="{opacity}""#)
    } else {
        String::new()
    };
    let _ = writeln!(
        svg,
        r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{}"{opacity} shape-rendering="crispEdges"/>"#,
        ink.hex()
    );
}
