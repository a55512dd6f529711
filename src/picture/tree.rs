//! A search tree as a drawing: for Graphviz, and as SVG.

use std::{collections::BTreeSet, fmt::Write as _};

use super::cells::escape;
use crate::engine::report::{Score, TreeNode, TreeReport};

/// Rows of the SVG are so far apart, columns as wide.
const ROW: usize = 22;
const COLUMN: usize = 250;
const MARGIN: usize = 24;
const LEGEND: usize = 60;

/// Moves named where a cutoff spared several.
const SPARED_NAMED: usize = 4;

/// What is said of a node: its moves and value, and in brackets its window and what became of it.
fn label(node: &TreeNode) -> [String; 2] {
    let moves = match node.moves.as_slice() {
        [] => "root".to_owned(),
        moves if node.kind == "spared" => {
            let named = moves[..moves.len().min(SPARED_NAMED)].join(" ");
            let more = if moves.len() > SPARED_NAMED {
                " …"
            } else {
                ""
            };
            return [format!("{} cut off", moves.len()), format!("{named}{more}")];
        }
        moves => moves.join(" "),
    };
    let bound = match node.bound {
        Some("lower") => "≥ ",
        Some("upper") => "≤ ",
        _ => "",
    };
    let value = node.value.map_or_else(
        || "not known".to_owned(),
        |value| format!("{bound}{}", short(value)),
    );
    let mut facts = vec![format!("[{}, {}]", short(node.alpha), short(node.beta))];
    facts.extend((node.kind != "inner").then(|| node.kind.to_owned()));
    facts.extend(node.invalid.then(|| "entry did not fit".to_owned()));
    facts.extend(node.cut.then(|| "cutoff".to_owned()));
    [
        format!("{moves}  {} {value}", node.side.letter()),
        facts.join(" "),
    ]
}

/// A value as far as it can be read beside others: signed, to four decimals.
fn short(score: Score) -> String {
    const DECIMALS: f64 = 1e4;
    let value = score.get();
    match value {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        0.0 => "0".to_owned(),
        _ if value.abs() * DECIMALS < 1.0 => format!("{value:+.0e}"),
        _ => format!("{:+}", (value * DECIMALS).round() / DECIMALS),
    }
}

/// The tree in the DOT language of Graphviz.
pub fn dot(tree: &TreeReport) -> String {
    let mut dot = String::from(
        "digraph search {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n  edge [arrowhead=none];\n",
    );
    for (place, node) in tree.nodes.iter().enumerate() {
        let [first, second] = label(node).map(|line| quoted(&line));
        let style = match node.kind {
            "spared" => ", style=dotted, fontcolor=gray40, color=gray40",
            "hit" => ", style=dashed",
            "leaf" | "stand-pat" | "terminal" => ", style=rounded",
            _ => "",
        };
        let cut = if node.cut { ", peripheries=2" } else { "" };
        let best = if node.best { ", penwidth=2" } else { "" };
        let _ = writeln!(
            dot,
            "  n{place} [label=\"{first}\\n{second}\"{style}{cut}{best}];"
        );
    }
    for (place, node) in tree.nodes.iter().enumerate() {
        let Some(parent) = node.parent else {
            continue;
        };
        let style = match (node.kind, node.best) {
            ("spared", _) => " [style=dotted, color=gray40]",
            (_, true) => " [penwidth=2]",
            _ => "",
        };
        let _ = writeln!(dot, "  n{parent} -> n{place}{style};");
    }
    if tree.omitted > 0 {
        let _ = writeln!(dot, "  label=\"{} more nodes\";", tree.omitted);
    }
    dot.push_str("}\n");
    dot
}

/// A text within quotes of the DOT language.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The tree as a standalone SVG document: plies from left to right, a row for each node without children.
pub fn svg(tree: &TreeReport) -> String {
    let rows = rows(tree);
    let parents: BTreeSet<_> = tree.nodes.iter().filter_map(|node| node.parent).collect();
    let childless = tree.nodes.len() - parents.len();
    let plies = tree.nodes.iter().map(|node| node.ply).max().unwrap_or(0) as usize;
    let width = (plies + 1).max(2) * COLUMN + 2 * MARGIN;
    let height = childless * ROW + 2 * MARGIN + LEGEND;
    let mut svg = String::new();
    let title = format!("Search tree, iteration of depth {}", tree.depth);
    let _ = writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">"#
    );
    let _ = writeln!(svg, r#"<title id="title">{}</title>"#, escape(&title));
    svg.push_str(STYLE);
    let _ = writeln!(
        svg,
        r#"<rect class="paper" width="{width}" height="{height}"/>"#
    );
    legend(&mut svg, &title, tree.omitted);
    let at = |place: usize| {
        let node = &tree.nodes[place];
        let x = MARGIN + node.ply as usize * COLUMN;
        (
            x as f64,
            (MARGIN + LEGEND) as f64 + rows[place] * ROW as f64,
        )
    };
    for (place, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            edge(&mut svg, node, at(parent), at(place));
        }
    }
    for (place, node) in tree.nodes.iter().enumerate() {
        draw(&mut svg, node, at(place));
    }
    svg.push_str("</svg>\n");
    svg
}

/// Plain rules, for viewers that know no variables; the dark appearance overrides the light one.
const STYLE: &str = "<style>
text { font: 12px sans-serif; fill: #1c1c1c; } .dim { fill: #5f5f5f; } .small { font-size: 9px; } .paper { fill: #ffffff; }
path { fill: none; stroke: #5f5f5f; } .best { stroke: #1c1c1c; stroke-width: 2.5; } .spared { stroke-dasharray: 2 3; }
circle { fill: #ffffff; stroke: #1c1c1c; stroke-width: 1.5; } circle.hit { stroke: #0058af; stroke-dasharray: 3 2; }
circle.leaf, circle.terminal { fill: #1c1c1c; } circle.spared { stroke: #5f5f5f; stroke-dasharray: 1 2; }
circle.cut { stroke: #944800; stroke-width: 3; }
@media (prefers-color-scheme: dark) {
text { fill: #e4e4e4; } .dim { fill: #9e9e9e; } .paper { fill: #1c1c1c; } path { stroke: #9e9e9e; } .best { stroke: #e4e4e4; }
circle { fill: #1c1c1c; stroke: #e4e4e4; } circle.hit { stroke: #5fafff; } circle.leaf, circle.terminal { fill: #e4e4e4; }
circle.spared { stroke: #9e9e9e; } circle.cut { stroke: #ffaf5f; }
}
</style>
";

fn legend(svg: &mut String, title: &str, omitted: u64) {
    let more = if omitted > 0 {
        format!("; {omitted} nodes are left out")
    } else {
        String::new()
    };
    let _ = writeln!(
        svg,
        r#"<text x="{MARGIN}" y="{MARGIN}">{}{more}</text>"#,
        escape(title)
    );
    let lines = [
        "Each node: move, side to move (w or b), its value for that side, [window].",
        "Thick lines lead to the best move, dotted ones to moves that a cutoff spared.",
    ];
    for (line, y) in lines.into_iter().zip([MARGIN + 18, MARGIN + 34]) {
        let _ = writeln!(
            svg,
            r#"<text class="dim" x="{MARGIN}" y="{y}">{line}</text>"#
        );
    }
}

fn edge(svg: &mut String, node: &TreeNode, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let class = match (node.kind, node.best) {
        ("spared", _) => "spared",
        (_, true) => "best",
        _ => "plain",
    };
    let from = x2 - 40.0;
    let _ = writeln!(
        svg,
        r#"<path class="{class}" d="M{x1} {y1}H{from}C{} {y1} {} {y2} {x2} {y2}"/>"#,
        x2 - 20.0,
        x2 - 20.0
    );
}

fn draw(svg: &mut String, node: &TreeNode, (x, y): (f64, f64)) {
    let cut = if node.cut { " cut" } else { "" };
    let _ = writeln!(
        svg,
        r#"<circle class="{}{cut}" cx="{x}" cy="{y}" r="4"/>"#,
        node.kind
    );
    let [first, second] = label(node);
    let (left, above, below) = (x + 8.0, y - 3.0, y + 8.0);
    let dim = if node.kind == "spared" {
        " class=\"dim\""
    } else {
        ""
    };
    let _ = writeln!(
        svg,
        r#"<text{dim} x="{left}" y="{above}">{}</text>"#,
        escape(&first)
    );
    let _ = writeln!(
        svg,
        r#"<text class="dim small" x="{left}" y="{below}">{}</text>"#,
        escape(&second)
    );
}

/// The row of each node: one for each node without children in order, a parent halfway between its first and last child.
fn rows(tree: &TreeReport) -> Vec<f64> {
    let mut spans: Vec<Option<(f64, f64)>> = vec![None; tree.nodes.len()];
    let mut has_children = vec![false; tree.nodes.len()];
    for parent in tree.nodes.iter().filter_map(|node| node.parent) {
        has_children[parent] = true;
    }
    let mut next = 0.0;
    for place in 0..tree.nodes.len() {
        if !has_children[place] {
            spans[place] = Some((next, next));
            next += 1.0;
        }
    }
    let middle =
        |span: Option<(f64, f64)>| span.map_or(0.0, |(first, last)| f64::midpoint(first, last));
    for place in (1..tree.nodes.len()).rev() {
        let row = middle(spans[place]);
        if let Some(parent) = tree.nodes[place].parent {
            let span = spans[parent].get_or_insert((row, row));
            *span = (span.0.min(row), span.1.max(row));
        }
    }
    spans.into_iter().map(middle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::report::Side;

    fn node(parent: Option<usize>, ply: u32, kind: &'static str) -> TreeNode {
        TreeNode {
            parent,
            ply,
            moves: vec!["a\"1\\<".to_owned(); usize::from(ply > 0)],
            state: None,
            side: Side::White,
            alpha: Score::NEG_INFINITY,
            beta: Score::ONE,
            value: Some(Score::ZERO),
            bound: Some("upper"),
            kind,
            cut: ply == 1,
            best: ply == 1,
            invalid: false,
        }
    }

    fn tree() -> TreeReport {
        TreeReport {
            depth: 3,
            nodes: vec![
                node(None, 0, "inner"),
                node(Some(0), 1, "inner"),
                node(Some(1), 2, "leaf"),
                node(Some(1), 2, "hit"),
                node(Some(0), 1, "spared"),
            ],
            omitted: 7,
        }
    }

    #[test]
    fn nothing_breaks_out_of_its_quotes() {
        let dot = dot(&tree());
        assert!(dot.contains(r#"label="a\"1\\<  w ≤ 0\n[-∞, +1]"#), "{dot}");
        assert!(dot.contains("n1 -> n3") && dot.contains("7 more nodes"));
        assert_eq!(dot.matches("peripheries=2").count(), 2);
        let svg = svg(&tree());
        assert!(
            svg.contains("a&quot;1\\&lt;") && svg.contains("1 cut off"),
            "{svg}"
        );
        assert_eq!(svg.matches("<circle").count(), 5);
        assert_eq!(svg.matches("<path").count(), 4);
    }

    #[test]
    fn rows_do_not_collide() {
        assert_eq!(rows(&tree()), [1.25, 0.5, 0.0, 1.0, 2.0]);
    }
}
