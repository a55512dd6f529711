//! Search trees in documents: as Graphviz graphs and as outlines.

use std::fmt::Write as _;

use crate::{
    engine::session::explain::{NodeExplained, NodeOutcome, TreeExplained},
    text::{number::score, words},
};

/// The greatest number of moves named in a group that a cutoff skipped.
const SPARED_NAMED: usize = 4;

fn label(node: &NodeExplained) -> [String; 2] {
    let moves = match node.moves.as_slice() {
        [] => "root".to_owned(),
        moves if node.kind == NodeOutcome::NotSearched => {
            let named = words(&moves[..moves.len().min(SPARED_NAMED)]);
            let more = if moves.len() > SPARED_NAMED { " …" } else { "" };
            return [format!("{} cut off", moves.len()), format!("{named}{more}")];
        }
        moves => words(moves),
    };
    let value = node.value.map_or("not known".to_owned(), |_| node.worth(score));
    let [alpha, beta] = node.window_text();
    let mut facts = vec![format!("[{alpha}, {beta}]")];
    facts.extend((node.kind != NodeOutcome::Inner).then(|| <&str>::from(node.kind).to_owned()));
    facts.extend(node.invalid.then(|| "entry did not fit".to_owned()));
    facts.extend(node.cutoff.is_some().then(|| "cutoff".to_owned()));
    [format!("{moves}  {} {value}", node.side.letter()), facts.join(" ")]
}

/// The tree as a graph in Graphviz's DOT language.
pub fn dot(tree: &TreeExplained) -> String {
    let mut dot = String::from(
        "digraph search {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n  edge [arrowhead=none];\n",
    );
    for (place, node) in tree.nodes.iter().enumerate() {
        let [first, second] = label(node).map(|line| quoted(&line));
        let style = match node.kind {
            NodeOutcome::NotSearched => ", style=dotted, fontcolor=gray40, color=gray40",
            NodeOutcome::Hit => ", style=dashed",
            NodeOutcome::Leaf
            | NodeOutcome::StandPat
            | NodeOutcome::Terminal
            | NodeOutcome::Tables => ", style=rounded",
            _ => "",
        };
        let cut = if node.cutoff.is_some() { ", peripheries=2" } else { "" };
        let best = if node.best { ", penwidth=2" } else { "" };
        let _ = writeln!(dot, "  n{place} [label=\"{first}\\n{second}\"{style}{cut}{best}];");
    }
    for (place, node) in tree.nodes.iter().enumerate() {
        let Some(parent) = node.parent else {
            continue;
        };
        let style = match (node.kind, node.best) {
            (NodeOutcome::NotSearched, _) => " [style=dotted, color=gray40]",
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

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The tree as an outline: one line for each node, indented by ply.
pub fn outline(tree: &TreeExplained) -> String {
    let mut text = format!("search tree, iteration of depth {}\n", tree.depth);
    for node in &tree.nodes {
        let indent = "  ".repeat(node.ply as usize);
        let best = if node.best { "* " } else { "" };
        let _ = writeln!(text, "{indent}{best}{}", label(node).join("  "));
    }
    if tree.omitted > 0 {
        let _ = writeln!(text, "{} more nodes", tree.omitted);
    }
    text
}
