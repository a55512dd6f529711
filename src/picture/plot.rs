//! Charts as SVG, and the tick marks of all charts.

use std::fmt::Write as _;

use crate::{
    engine::session::plot::{Plot, Series},
    picture::{escape, rect, write},
};

/// The drawing area of a chart and its margins, in pixels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 56.0;

/// The approximate number of ticks on an axis.
const TICKS: usize = 6;

/// The number of line styles, which are `k0` to `k3` in the style sheet.
const KINDS: usize = 4;

/// The fraction of each place on the x axis that bars cover.
const SHARE: f64 = 0.7;

/// The style sheet has no CSS variables, which some viewers lack; dark rules override light ones.
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

/// Charts one above the other in a standalone SVG document. Lines differ by colour and by dashes.
pub fn svg(plots: &[Plot]) -> String {
    let (width, each) = (LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM);
    let height = each * plots.len() as f64;
    let title = plots.first().map_or("", |plot| plot.title.as_str());
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">
<title id="title">{}</title>
{STYLE}<rect class="paper" width="{width}" height="{height}"/>
"#,
        escape(title)
    );
    for (place, plot) in plots.iter().enumerate() {
        let top = place as f64 * each + TOP;
        let _ = writeln!(svg, r#"<g transform="translate({LEFT} {top})">"#);
        ChartPen::new(plot, &mut svg).draw(plot);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

struct ChartPen<'a> {
    svg: &'a mut String,
    x: [f64; 2],
    y: [f64; 2],
}

impl<'a> ChartPen<'a> {
    fn new(plot: &Plot, svg: &'a mut String) -> Self {
        let x = match plot.places.len() {
            0 => plot.extent(0),
            places => [-0.5, places as f64 - 0.5],
        };
        let y = axis(plot.extent(1), TICKS).0;
        Self { svg, x, y }
    }

    fn at(&self, [x, y]: [f64; 2]) -> (f64, f64) {
        let share = |at: f64, [least, most]: [f64; 2]| (at - least) / (most - least);
        (round(share(x, self.x) * WIDTH), round(HEIGHT - share(y, self.y) * HEIGHT))
    }

    fn text(&mut self, class: &str, at: (f64, f64), text: &str) {
        write(self.svg, class, at, text);
    }

    fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.svg, r#"<path class="{class}" d="{path}"/>"#);
    }

    fn draw(&mut self, plot: &Plot) {
        for tick in axis(plot.extent(1), TICKS).1 {
            let y = self.at([0.0, tick]).1;
            self.path("grid", &format!("M0 {y}H{WIDTH}"));
            self.text("dim end", (-8.0, y + 4.0), &tick.to_string());
        }
        let within = |tick: &f64| (self.x[0]..=self.x[1]).contains(tick);
        let numbers = axis(self.x, TICKS).1.into_iter().filter(within);
        let labels: Vec<(f64, String)> = if plot.places.is_empty() {
            numbers.map(|tick| (tick, tick.to_string())).collect()
        } else {
            (0..).map(f64::from).zip(plot.places.iter().cloned()).collect()
        };
        for (x, label) in labels {
            let x = self.at([x, 0.0]).0;
            self.text("dim middle", (x, HEIGHT + 18.0), &label);
        }
        self.path("axis", &format!("M0 0V{HEIGHT}H{WIDTH}"));
        self.text("middle", (WIDTH / 2.0, HEIGHT + 40.0), &plot.x);
        self.text("", (16.0 - LEFT, -10.0), &plot.y);
        self.text("title", (16.0 - LEFT, -34.0), &plot.title);
        if plot.series.len() > 1 {
            self.legend(&plot.series);
        }
        for (place, series) in plot.series.iter().enumerate() {
            if plot.places.is_empty() {
                self.line(series, place % KINDS);
            } else {
                self.bars(series, place, plot.series.len() as f64);
            }
        }
    }

    fn legend(&mut self, series: &[Series]) {
        let mut x = WIDTH;
        for (place, series) in series.iter().enumerate().rev() {
            // The text is placed by its approximate width.
            x -= 7.0 * series.name.chars().count() as f64 + 44.0;
            self.path(&format!("line k{}", place % KINDS), &format!("M{x} -14h24"));
            self.text("", (x + 30.0, -10.0), &series.name);
        }
    }

    fn line(&mut self, series: &Series, kind: usize) {
        let points = series.points.iter().map(|&point| {
            let (x, y) = self.at(point);
            format!("{x} {y}")
        });
        let path = format!("M{}", points.collect::<Vec<_>>().join("L"));
        if !series.points.is_empty() {
            self.path(&format!("line k{kind}"), &path);
        }
    }

    fn bars(&mut self, series: &Series, place: usize, count: f64) {
        let wide = round(WIDTH / (self.x[1] - self.x[0]) * SHARE / count);
        for &[x, y] in &series.points {
            let ((middle, zero), (_, top)) = (self.at([x, 0.0]), self.at([x, y]));
            let left = round(middle + (place as f64 - count / 2.0) * wide);
            let (from, high) = (zero.min(top), round((zero - top).abs()));
            rect(self.svg, &format!("f{}", place % KINDS), (left, from), (wide, high));
        }
    }
}

fn round(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}

/// The greatest number of ticks on an axis.
const MAX_TICKS: u32 = 1000;

/// The bounds of an axis that contains an interval, and about `about` ticks, whose distance is 1, 2 or 5 times a power of ten.
pub fn axis([least, most]: [f64; 2], about: usize) -> ([f64; 2], Vec<f64>) {
    let rough = (most - least) / about.max(1) as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let factors = [1.0, 2.0, 5.0].into_iter();
    let factor = factors.clone().find(|factor| factor * power >= rough * 0.999);
    let step = factor.unwrap_or(10.0) * power;
    let (low, high) = ((least / step + 1e-9).floor(), (most / step - 1e-9).ceil());
    // The condition is also false if a number is NaN.
    if !(rough > 0.0 && step > 0.0 && high - low < f64::from(MAX_TICKS)) {
        return ([least, most], vec![least, most]);
    }
    // Dividing gives the double nearest to the decimal; multiplying by 0.1 would not.
    let tick = |nth: f64| {
        if step < 1.0 { nth / (1.0 / step).round() } else { nth * step }
    };
    let steps = (0..=MAX_TICKS).map(f64::from);
    let ticks = steps.map(|nth| low + nth).take_while(|nth| *nth <= high);
    ([tick(low), tick(high)], ticks.map(tick).collect())
}
