//! Charts as SVG.

use std::fmt::Write as _;

use super::cells::escape;
use crate::engine::report::{Plot, Series};

/// The drawing area of a chart and the room around it, in pixels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 56.0;

/// Marks along an axis, about.
const MARKS: usize = 6;

/// Kinds of lines before they repeat; the style sheet has one of each number.
const KINDS: usize = 4;

/// Charts below each other as one standalone SVG document. Lines differ by colour, dashes and marks.
pub fn svg(plots: &[Plot]) -> String {
    let width = LEFT + WIDTH + RIGHT;
    let each = TOP + HEIGHT + BOTTOM;
    let height = each * plots.len() as f64;
    let mut svg = String::new();
    let title = plots.first().map_or("", |plot| plot.title.as_str());
    let _ = writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">"#
    );
    let _ = writeln!(svg, r#"<title id="title">{}</title>"#, escape(title));
    svg.push_str(STYLE);
    let _ = writeln!(
        svg,
        r#"<rect class="paper" width="{width}" height="{height}"/>"#
    );
    for (place, plot) in plots.iter().enumerate() {
        let _ = writeln!(
            svg,
            r#"<g transform="translate({LEFT} {})">"#,
            place as f64 * each + TOP
        );
        Chart::new(plot).draw(&mut svg);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Plain rules, for viewers that know no variables; the dark appearance overrides the light one.
const STYLE: &str = "<style>
text { font: 12px sans-serif; fill: #1c1c1c; } .title { font-weight: bold; } .dim { fill: #5f5f5f; } .paper { fill: #ffffff; }
.end { text-anchor: end; } .middle { text-anchor: middle; } path { fill: none; } .axis { stroke: #5f5f5f; } .grid { stroke: #dadada; }
.line { stroke-width: 2; } .k0 { stroke: #0058af; } .k1 { stroke: #944800; stroke-dasharray: 7 3; } .k2 { stroke: #8f008f; stroke-dasharray: 2 3; }
.k3 { stroke: #1c1c1c; stroke-dasharray: 9 3 2 3; } .f0 { fill: #0058af; } .f1 { fill: #944800; } .f2 { fill: #8f008f; } .f3 { fill: #1c1c1c; }
@media (prefers-color-scheme: dark) {
text { fill: #e4e4e4; } .dim { fill: #9e9e9e; } .paper { fill: #1c1c1c; } .axis { stroke: #9e9e9e; } .grid { stroke: #3a3a3a; }
.k0 { stroke: #5fafff; } .k1 { stroke: #ffaf5f; } .k2 { stroke: #d787ff; } .k3 { stroke: #e4e4e4; }
.f0 { fill: #5fafff; } .f1 { fill: #ffaf5f; } .f2 { fill: #d787ff; } .f3 { fill: #e4e4e4; }
}
</style>
";

/// A chart with its scales worked out.
struct Chart<'a> {
    plot: &'a Plot,
    x: [f64; 2],
    y: [f64; 2],
    marks: Vec<f64>,
}

impl<'a> Chart<'a> {
    fn new(plot: &'a Plot) -> Self {
        let x = if plot.places.is_empty() {
            plot.extent(0)
        } else {
            [-0.5, plot.places.len() as f64 - 0.5]
        };
        let (y, marks) = axis(plot.extent(1), MARKS);
        Self { plot, x, y, marks }
    }

    fn at_x(&self, x: f64) -> f64 {
        round((x - self.x[0]) / (self.x[1] - self.x[0]) * WIDTH)
    }

    fn at_y(&self, y: f64) -> f64 {
        round(HEIGHT - (y - self.y[0]) / (self.y[1] - self.y[0]) * HEIGHT)
    }

    fn draw(&self, svg: &mut String) {
        self.axes(svg);
        self.legend(svg);
        for (place, series) in self.plot.series.iter().enumerate() {
            if self.plot.places.is_empty() {
                self.line(svg, series, place);
            } else {
                self.bars(svg, series, place);
            }
        }
    }

    fn axes(&self, svg: &mut String) {
        for &mark in &self.marks {
            let y = self.at_y(mark);
            let _ = writeln!(svg, r#"<path class="grid" d="M0 {y}H{WIDTH}"/>"#);
            let _ = writeln!(
                svg,
                r#"<text class="dim end" x="-8" y="{}">{mark}</text>"#,
                y + 4.0
            );
        }
        let names = self.plot.places.iter().enumerate();
        let names: Vec<_> = names
            .map(|(place, name)| (place as f64, escape(name)))
            .collect();
        let marks = ticks(self.x, MARKS).into_iter();
        let numbers = marks.map(|mark| (mark, mark.to_string()));
        let labels = if names.is_empty() {
            numbers.collect()
        } else {
            names
        };
        for (x, label) in labels {
            let x = self.at_x(x);
            let _ = writeln!(
                svg,
                r#"<text class="dim middle" x="{x}" y="{}">{label}</text>"#,
                HEIGHT + 18.0
            );
        }
        let _ = writeln!(svg, r#"<path class="axis" d="M0 0V{HEIGHT}H{WIDTH}"/>"#);
        let _ = writeln!(
            svg,
            r#"<text class="middle" x="{}" y="{}">{}</text>"#,
            WIDTH / 2.0,
            HEIGHT + 40.0,
            escape(&self.plot.x)
        );
        let _ = writeln!(
            svg,
            r#"<text x="{}" y="-10">{}</text>"#,
            16.0 - LEFT,
            escape(&self.plot.y)
        );
    }

    /// The title, and behind it what each kind of line is where there are several.
    fn legend(&self, svg: &mut String) {
        let _ = writeln!(
            svg,
            r#"<text class="title" x="{}" y="-34">{}</text>"#,
            16.0 - LEFT,
            escape(&self.plot.title)
        );
        if self.plot.series.len() < 2 {
            return;
        }
        let mut x = WIDTH;
        for (place, series) in self.plot.series.iter().enumerate().rev() {
            let kind = place % KINDS;
            // About as wide as the text will be.
            x -= 7.0 * series.name.chars().count() as f64 + 44.0;
            let _ = writeln!(
                svg,
                r#"<path class="line k{kind}" d="M{x} -14h24"/>{}<text x="{}" y="-10">{}</text>"#,
                mark(kind, x + 12.0, -14.0),
                x + 30.0,
                escape(&series.name)
            );
        }
    }

    fn line(&self, svg: &mut String, series: &Series, place: usize) {
        let kind = place % KINDS;
        let at = |[x, y]: &[f64; 2]| (self.at_x(*x), self.at_y(*y));
        let path = series.points.iter().enumerate().map(|(nth, point)| {
            let (x, y) = at(point);
            format!("{}{x} {y}", if nth == 0 { 'M' } else { 'L' })
        });
        let path: String = path.collect();
        let _ = writeln!(svg, r#"<path class="line k{kind}" d="{path}"/>"#);
        /// More marks than this hide the line.
        const MARKED: usize = 100;
        for point in series
            .points
            .iter()
            .filter(|_| series.points.len() <= MARKED)
        {
            let (x, y) = at(point);
            let _ = writeln!(svg, "{}", mark(kind, x, y));
        }
    }

    fn bars(&self, svg: &mut String, series: &Series, place: usize) {
        /// Of the room of a place, how much its bars take.
        const SHARE: f64 = 0.7;
        let count = self.plot.series.len() as f64;
        let wide = WIDTH / (self.x[1] - self.x[0]) * SHARE / count;
        for [x, y] in &series.points {
            let left = round(self.at_x(*x) + (place as f64 - count / 2.0) * wide);
            let (from, to) = (self.at_y(0.0), self.at_y(*y));
            let _ = writeln!(
                svg,
                r#"<rect class="f{}" x="{left}" y="{}" width="{}" height="{}"/>"#,
                place % KINDS,
                from.min(to),
                round(wide),
                round((from - to).abs())
            );
        }
    }
}

/// A mark on a line: a circle, a square, a diamond, a triangle.
fn mark(kind: usize, x: f64, y: f64) -> String {
    let path = match kind {
        0 => return format!(r#"<circle class="f0" cx="{x}" cy="{y}" r="3.5"/>"#),
        1 => "m-3 -3h6v6h-6z",
        2 => "m0 -4l4 4l-4 4l-4 -4z",
        _ => "m0 -4l4 7h-8z",
    };
    format!(r#"<path class="f{kind}" d="M{x} {y}{path}"/>"#)
}

/// Coordinates to a tenth of a pixel.
fn round(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}

/// Round numbers that span an interval, about so many: 1, 2 or 5 times a power of ten apart. Those that an axis with
/// room for the interval alone can show are the ones inside.
pub fn ticks([least, most]: [f64; 2], about: usize) -> Vec<f64> {
    let rough = (most - least) / about.max(1) as f64;
    if !rough.is_finite() || rough <= 0.0 {
        return vec![least];
    }
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * power >= rough * 0.999);
    let step = factor.unwrap_or(10.0) * power;
    let first = (least / step - 1e-9).ceil() as i64;
    let last = (most / step + 1e-9).floor() as i64;
    // A multiple of a tenth is not the nearest double to its decimals: dividing is.
    let tick = |nth: i64| {
        if step < 1.0 {
            nth as f64 / (1.0 / step).round()
        } else {
            nth as f64 * step
        }
    };
    (first..=last).map(tick).collect()
}

/// The bounds of an axis that has room for an interval, and its marks: round numbers, evenly spread, bounds included.
pub fn axis([least, most]: [f64; 2], about: usize) -> ([f64; 2], Vec<f64>) {
    let marks = ticks([least, most], about);
    let step = match marks.as_slice() {
        [first, second, ..] => second - first,
        _ => most - least,
    };
    if !step.is_finite() || step <= 0.0 {
        return ([least, most], vec![least, most]);
    }
    let down = (least / step + 1e-9).floor() * step;
    let up = (most / step - 1e-9).ceil() * step;
    let count = ((up - down) / step).round() as u32;
    let mark = |nth: u32| round_to(down + f64::from(nth) * step, step);
    let marks: Vec<_> = (0..=count).map(mark).collect();
    ([down, up], marks)
}

/// A multiple of a step without the noise behind its last decimal.
fn round_to(number: f64, step: f64) -> f64 {
    if step < 1.0 {
        let parts = (10.0 / step).round();
        (number * parts).round() / parts
    } else {
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(ticks([0.0, 3.0], 6), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
        assert_eq!(ticks([0.0, 0.3], 3), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(ticks([-130.0, 260.0], 4), [-100.0, 0.0, 100.0, 200.0]);
        assert_eq!(ticks([5.0, 5.0], 4), [5.0]);
    }

    #[test]
    fn axes_hold_their_intervals_between_even_marks() {
        assert_eq!(
            axis([60.7, 100.0], 3),
            ([60.0, 100.0], vec![60.0, 80.0, 100.0])
        );
        assert_eq!(axis([-0.56, 0.36], 4).1, [-0.6, -0.4, -0.2, 0.0, 0.2, 0.4]);
        for (least, most) in [(0.0, 1.0), (-3.0, 8.5), (0.001, 0.0042), (5e4, 9e5)] {
            for about in 1..8 {
                let ([down, up], marks) = axis([least, most], about);
                assert!(down <= least + 1e-9 && up >= most - 1e-9, "{down} {up}");
                assert!(marks.len() > 1 && marks.len() <= 3 * about + 3, "{marks:?}");
            }
        }
    }

    #[test]
    fn charts_are_whole_and_nothing_breaks_out_of_its_quotes() {
        let lines = Plot::new("a < b", "x & y", "%")
            .with("first", [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)])
            .with("second", [(0.0, 2.0), (2.0, -2.0)]);
        let bars = Plot {
            places: vec!["one".to_owned(), "<two>".to_owned()],
            ..Plot::new("bars", "term", "%")
        };
        let bars = bars.with("only", [(0.0, 40.0), (1.0, 100.0)]);
        let svg = svg(&[lines, bars, Plot::new("empty", "x", "y")]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert!(svg.contains("a &lt; b") && svg.contains("&lt;two&gt;"));
        assert_eq!(svg.matches("<rect class=\"f0\"").count(), 2);
        assert!(svg.contains("M0 104L320 0L640 52"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
