//! A search tree as an icicle: one row for each ply, each node as wide as its share of all nodes.

use std::fmt::Write as _;

use crate::{
    engine::session::explain::{NodeEnd, Slice},
    picture::{escape, rect, write},
    text::number::{count, counted, percent},
};

const WIDTH: f64 = 1200.0;
const ROW: f64 = 22.0;
const MARGIN: f64 = 12.0;
const TOP: f64 = 40.0;
/// The least widths in pixels: of a node that is drawn, of a node with a letter, and of the moves left out.
const LEAST: f64 = 2.0;
const WITH_LETTER: f64 = 12.0;
const LEFT_OUT: f64 = 11.0;
/// The approximate width of a character, in pixels.
const SIGN: f64 = 6.9;
/// A node count that differs by at least this fraction of the whole search gets the stronger colour.
const GREAT: f64 = 0.02;

/// The style sheet has no CSS variables, which some viewers lack; dark rules override light ones. Letters and signs repeat the
/// information of the colours.
const STYLE: &str = "<style>
text { font: 12px ui-monospace, monospace; fill: #1c1c1c; } .title { font-weight: bold; } .dim { fill: #5f5f5f; } .paper { fill: #ffffff; }
rect { stroke: #ffffff; stroke-width: 1; }
.S { fill: #c6dbf2; } .C { fill: #ffd7af; } .H { fill: #d7f0d0; } .R { fill: #eed4f7; } .Q { fill: #e4e4e4; } .L { fill: #f2f2f2; }
.E { fill: #f7cfcf; } .W { fill: #fff2a8; } .X { fill: #ffffff; stroke: #5f5f5f; stroke-dasharray: 2 2; }
.m2 { fill: #ffb87a; } .m1 { fill: #ffe3c9; } .s { fill: #ececec; } .f1 { fill: #d6e7fb; } .f2 { fill: #9cc7f5; }
.g { fill: #ffffff; stroke: #0058af; stroke-dasharray: 3 2; }
@media (prefers-color-scheme: dark) {
text { fill: #e4e4e4; } .dim { fill: #9e9e9e; } .paper { fill: #1c1c1c; } rect { stroke: #1c1c1c; }
.S { fill: #16385e; } .C { fill: #6b3a06; } .H { fill: #1f4a14; } .R { fill: #4f2160; } .Q { fill: #444444; } .L { fill: #303030; }
.E { fill: #6b1f1f; } .W { fill: #5c5200; } .X { fill: #1c1c1c; stroke: #9e9e9e; }
.m2 { fill: #8a4a06; } .m1 { fill: #4a3018; } .s { fill: #383838; } .f1 { fill: #1d3147; } .f2 { fill: #0f4a86; }
.g { fill: #1c1c1c; stroke: #5fafff; }
}
</style>
";

/// The icicle as a standalone SVG document. If the slices also have the node counts of another search, colours and signs show
/// where this search visited more or fewer nodes, and widths are by the sum of both searches.
pub fn icicle(root: &Slice, title: &str) -> String {
    let mut pen =
        Pen { whole: weight(root).max(1) as f64, total: root, svg: String::new(), rows: 0 };
    pen.draw(root, (0.0, WIDTH), 0, "");
    let height = TOP + pen.rows as f64 * ROW + 2.0 * ROW + MARGIN;
    let width = WIDTH + 2.0 * MARGIN;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">
<title id="title">{}</title>
{STYLE}<rect class="paper" width="{width}" height="{height}"/>
"#,
        escape(title)
    );
    write(&mut svg, "title", (MARGIN, 24.0), &format!("{title}: {}", sum(root)));
    svg.push_str(&pen.svg);
    legend(&mut svg, root.base.is_some(), TOP + pen.rows as f64 * ROW + ROW);
    svg.push_str("</svg>\n");
    svg
}

fn sum(root: &Slice) -> String {
    match root.base {
        None => counted(root.nodes, "node", "nodes"),
        Some(base) => {
            let change = signed_difference(root.nodes, base);
            format!("{} nodes, {} in the base: {change}", count(root.nodes), count(base))
        }
    }
}

/// The difference of two node counts, with its sign.
fn signed_difference(now: u64, base: u64) -> String {
    match now.cmp(&base) {
        std::cmp::Ordering::Greater => format!("+{}", count(now - base)),
        std::cmp::Ordering::Less => format!("−{}", count(base - now)),
        std::cmp::Ordering::Equal => "=".to_owned(),
    }
}

fn weight(slice: &Slice) -> u64 {
    slice.nodes.saturating_add(slice.base.unwrap_or(0))
}

struct Pen<'a> {
    whole: f64,
    total: &'a Slice,
    svg: String,
    rows: usize,
}

impl Pen<'_> {
    fn draw(&mut self, slice: &Slice, (from, width): (f64, f64), ply: usize, above: &str) {
        if width < LEAST {
            return;
        }
        self.rows = self.rows.max(ply + 1);
        let line = format!("{above} {}", slice.name).trim().to_owned();
        let (class, sign) = self.class(slice);
        let (x, y) = (MARGIN + from, TOP + ply as f64 * ROW);
        let _ = writeln!(self.svg, "<g><title>{}</title>", escape(&self.about(slice, &line)));
        let (x, wide) = (round(x), round(width));
        rect(&mut self.svg, class, (x, y), (wide, ROW - 1.0));
        if width >= WITH_LETTER {
            let mut text = format!("{sign} {}", slice.name);
            let more = match slice.base {
                Some(base) => signed_difference(slice.nodes, base),
                None => percent(slice.nodes, self.total.nodes).unwrap_or_default(),
            };
            if slice.end != NodeEnd::LeftOut && fits(text.chars().count() + more.len() + 1, width) {
                let _ = write!(text, " {more}");
            }
            if !fits(text.chars().count(), width) {
                text = sign.to_string();
            }
            write(&mut self.svg, "", (round(x + 3.0), y + 15.0), &text);
        }
        self.svg.push_str("</g>\n");
        let inside = if ply == 0 { String::new() } else { line };
        let left_out = |child: &&Slice| child.end == NodeEnd::LeftOut;
        let out: Vec<_> = slice.children.iter().filter(left_out).collect();
        // Moves that were left out have no nodes; a place at the end is reserved for them.
        let reserved = if out.is_empty() || width < 2.0 * LEFT_OUT { 0.0 } else { LEFT_OUT };
        let below: u64 = slice.children.iter().map(weight).sum();
        let whole = weight(slice).max(below).max(1) as f64;
        let mut at = from;
        for child in slice.children.iter().filter(|child| child.end != NodeEnd::LeftOut) {
            let share = weight(child) as f64 / whole;
            let wide = share * (width - reserved);
            self.draw(child, (at, wide), ply + 1, &inside);
            at += wide;
        }
        if reserved > 0.0 {
            self.left_out(&out, from + width - reserved, ply + 1, &inside);
        }
    }

    fn left_out(&mut self, out: &[&Slice], from: f64, ply: usize, above: &str) {
        self.rows = self.rows.max(ply + 1);
        let names: Vec<_> = out.iter().map(|slice| slice.name.as_str()).collect();
        let title = format!("{above}: left out: {}", names.join(", "));
        let y = TOP + ply as f64 * ROW;
        let x = round(MARGIN + from);
        let title = escape(title.trim_start_matches([':', ' ']));
        let _ = writeln!(self.svg, "<g><title>{title}</title>");
        rect(&mut self.svg, "X", (x + 1.0, y), (LEFT_OUT - 2.0, ROW - 1.0));
        write(&mut self.svg, "", (x + 2.0, y + 15.0), "X");
        self.svg.push_str("</g>\n");
    }

    /// The class of a slice in the style sheet, and the sign that its label begins with.
    fn class(&self, slice: &Slice) -> (&'static str, char) {
        let Some(base) = slice.base else {
            let class = match slice.end {
                NodeEnd::Searched => "S",
                NodeEnd::Cut => "C",
                NodeEnd::Hit => "H",
                NodeEnd::Reduced => "R",
                NodeEnd::Quiescence => "Q",
                NodeEnd::Leaf => "L",
                NodeEnd::GameOver => "E",
                NodeEnd::UnderWay => "W",
                NodeEnd::LeftOut | NodeEnd::Missing => "X",
            };
            return (class, slice.end.letter());
        };
        let great = slice.nodes.abs_diff(base) as f64 >= GREAT * self.whole;
        match (slice.nodes.cmp(&base), great) {
            _ if slice.end == NodeEnd::Missing => ("g", '−'),
            (std::cmp::Ordering::Greater, true) => ("m2", '+'),
            (std::cmp::Ordering::Greater, false) => ("m1", '+'),
            (std::cmp::Ordering::Less, true) => ("f2", '−'),
            (std::cmp::Ordering::Less, false) => ("f1", '−'),
            (std::cmp::Ordering::Equal, _) => ("s", '='),
        }
    }

    fn about(&self, slice: &Slice, line: &str) -> String {
        let share = percent(slice.nodes, self.total.nodes).unwrap_or_default();
        let value =
            if slice.value.is_empty() { String::new() } else { format!(", {}", slice.value) };
        let base = slice.base.map_or_else(String::new, |base| {
            format!(", {} in the base: {}", count(base), signed_difference(slice.nodes, base))
        });
        let (nodes, end) = (counted(slice.nodes, "node", "nodes"), slice.end.words());
        format!("{line}: {nodes}, {share}, {end}{value}{base}")
    }
}

fn fits(signs: usize, width: f64) -> bool {
    signs as f64 * SIGN + 5.0 <= width
}

/// Rounds to a tenth of a pixel, which keeps the file small.
fn round(at: f64) -> f64 {
    (at * 10.0).round() / 10.0
}

fn legend(svg: &mut String, is_comparison: bool, y: f64) {
    let ends = NodeEnd::LEGEND.map(|end| (end.letter(), end.words()));
    let signs = [('+', "more nodes than in the base"), ('−', "fewer"), ('=', "as many")];
    let rows: &[(char, &str)] = if is_comparison { &signs } else { &ends };
    let words: Vec<_> = rows.iter().map(|(sign, words)| format!("{sign} {words}")).collect();
    let more = if is_comparison {
        "widths: the nodes of both searches; dashed: in the base only"
    } else {
        "widths: the share of the nodes"
    };
    let text = format!("{}   ({more})", words.join("   "));
    write(svg, "dim", (MARGIN, y), &text);
}
