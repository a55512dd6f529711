//! The tree as an icicle: one row for each ply, each node as wide as its share of its parent's nodes.

use std::{cmp::Ordering, ops::Range};

use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use super::TreeRow;
use crate::{
    engine::session::explain::{NodeEnd, NodeExplained, TreeExplained},
    text::{
        number::{count, short},
        pad,
    },
    tui::look::Theme,
};

/// The least width, in columns, at which a node shows its value or, in a comparison, its difference in nodes.
const WITH_VALUE: usize = 16;
/// The number of parts into which a column is divided.
const PARTS: u64 = 1024;

/// A node in the icicle, and the columns that it fills.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    /// The index of the node among the rows of the tree.
    pub row: usize,
    pub ply: usize,
    from: usize,
    width: usize,
}

impl Slab {
    pub const fn columns(&self) -> Range<usize> {
        self.from..self.from + self.width
    }
}

/// The searched nodes that are at least a column wide, and all nodes on the search stack, parents before children. The node
/// `inside` and those above it fill the width; all other nodes that are included are below `inside`.
pub fn slabs(tree: &TreeExplained, rows: &[TreeRow], inside: usize, width: usize) -> Vec<Slab> {
    let mut slabs: Vec<Slab> = Vec::new();
    let above = |node: &usize| tree.nodes.get(*node).and_then(|node| node.parent);
    let chain: Vec<_> = std::iter::successors(Some(inside), above).collect();
    // For each node: its place, its width, and the width that its children have used so far, in parts of a column.
    let mut spans = vec![None::<(u64, u64, u64)>; tree.nodes.len()];
    for (row, TreeRow { node, frame, .. }) in rows.iter().enumerate() {
        let found = &tree.nodes[*node];
        let (from, wide, ply) = match found.parent {
            _ if chain.contains(node) => (0, width as u64 * PARTS, found.ply as usize),
            Some(parent) if parent == inside || !chain.contains(&parent) => {
                let (Some((left, whole, used)), Some((part, of))) =
                    (spans[parent], tree.share(*node))
                else {
                    continue;
                };
                let least = if frame.is_some() { PARTS.min(whole) } else { 0 };
                let wide = (whole * part / of.max(1)).max(least);
                let used = used.min(whole - least);
                spans[parent] = Some((left, whole, used + wide));
                let above = slabs.iter().find(|slab| rows[slab.row].node == parent);
                let Some(above) = above else { continue };
                (left + used, wide, above.ply + 1)
            }
            _ => continue,
        };
        spans[*node] = Some((from, wide, 0));
        let column = |parts: u64| ((parts + PARTS / 2) / PARTS) as usize;
        let (first, end) = (column(from), column(from + wide));
        if end > first {
            if let Some(before) = slabs.iter_mut().rfind(|slab| slab.ply == ply) {
                before.width = before.width.min(first.saturating_sub(before.from));
            }
            slabs.push(Slab { row, ply, from: first, width: end.min(width) - first });
        }
    }
    slabs.retain(|slab| slab.width > 0);
    slabs
}

/// The difference in nodes from the search that `tree base` stored, with its sign; `None` without a stored search.
pub fn difference(node: &NodeExplained) -> Option<String> {
    let base = node.base?;
    Some(match node.nodes.cmp(&base) {
        Ordering::Greater => format!("+{} nodes", count(node.nodes - base)),
        Ordering::Less => format!("−{} nodes", count(base - node.nodes)),
        Ordering::Equal => "as many nodes".to_owned(),
    })
}

/// The meaning of the letters; in a comparison, of the signs.
pub fn legend(is_difference: bool) -> String {
    if is_difference {
        return "+ more nodes than in the base, − fewer, = as many".to_owned();
    }
    let ends = NodeEnd::LEGEND.iter().filter(|end| **end != NodeEnd::LeftOut);
    let words: Vec<_> = ends.map(|end| format!("{} {}", end.letter(), end.words())).collect();
    words.join("  ")
}

/// The lines of the icicle, `each` lines for each ply, with text in the first of them. A letter and a colour show how a node
/// ended; in a comparison, a sign and a colour show whether the node has more nodes than in the other search.
pub fn lines(
    tree: &TreeExplained,
    rows: &[TreeRow],
    slabs: &[Slab],
    at: usize,
    is_difference: bool,
    each: usize,
    look: &Theme,
) -> Vec<Line<'static>> {
    let plies = slabs.iter().map(|slab| slab.ply + 1).max().unwrap_or(0);
    let line = |ply: usize, is_first: bool| {
        let (mut line, mut before) = (Line::default(), None);
        for slab in slabs.iter().filter(|slab| slab.ply == ply) {
            let place = rows[slab.row].node;
            let node = &tree.nodes[place];
            let (sign, style) = if is_difference {
                comparison_sign(node, look)
            } else {
                let end = tree.end(place);
                (end.letter(), colour(end, look))
            };
            let style =
                if slab.row == at { look.title } else { style }.add_modifier(Modifier::REVERSED);
            let value = match slab.width {
                ..WITH_VALUE => String::new(),
                _ if is_difference => difference(node).unwrap_or_default(),
                _ => node.worth(|value| short(value, 6)),
            };
            let gap = slab.from.saturating_sub(line.width());
            line.push_span(Span::raw(" ".repeat(gap)));
            let room = slab.width.min((slab.from + slab.width).saturating_sub(line.width()));
            let name = format!("▏{sign} {}", node.name());
            // A node of one column has a letter, or the edge line `▏` if the node to its left has the same letter.
            let narrow = if before == Some((sign, slab.from)) { '▏' } else { sign };
            before = Some((sign, slab.from + slab.width)).filter(|_| slab.width == 1);
            let texts = [format!("{name} {value}"), name, format!("▏{sign}"), narrow.to_string()];
            let text = texts.iter().find(|text| text.trim_end().width() <= room);
            let edge = text.and_then(|text| text.get(..'▏'.len_utf8())).filter(|it| *it == "▏");
            let text = if is_first { text.map(String::as_str) } else { edge };
            line.push_span(Span::styled(pad(text.unwrap_or_default().trim_end(), room), style));
        }
        line
    };
    (0..plies * each).map(|row| line(row / each, row % each == 0)).collect()
}

fn colour(end: NodeEnd, look: &Theme) -> Style {
    match end {
        NodeEnd::UnderWay => look.accent,
        NodeEnd::Cut => look.white,
        NodeEnd::Searched | NodeEnd::Reduced => look.black,
        _ => look.quiet,
    }
}

fn comparison_sign(node: &NodeExplained, look: &Theme) -> (char, Style) {
    match node.base.map(|base| node.nodes.cmp(&base)) {
        Some(Ordering::Greater) => ('+', look.white),
        Some(Ordering::Less) => ('−', look.black),
        _ => ('=', look.quiet),
    }
}
