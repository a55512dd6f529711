//! The tree as an icicle: a row for each ply, nodes as wide as their share of their parent's nodes.

use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use super::TreeRow;
use crate::{
    engine::session::explain::{Fate, TreeExplained},
    text::{number::short, pad},
    tui::{look::Theme, pane::cut},
};

/// Columns from which a node has its value.
const WITH_VALUE: usize = 16;
/// Parts of a column.
const PARTS: u64 = 1024;

/// A node on the icicle.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    /// Its index among the rows of the tree.
    pub row: usize,
    pub ply: usize,
    from: usize,
    width: usize,
}

impl Slab {
    pub const fn holds(&self, column: usize, ply: usize) -> bool {
        self.ply == ply && column >= self.from && column < self.from + self.width
    }
}

/// The searched nodes that are at least a column wide, parents before children.
pub fn slabs(tree: &TreeExplained, rows: &[TreeRow], width: usize) -> Vec<Slab> {
    let mut slabs: Vec<Slab> = Vec::new();
    // Place and width of a node, and the width that its children have used, in parts of a column.
    let mut spans = vec![None::<(u64, u64, u64)>; tree.nodes.len()];
    for (row, TreeRow { node, .. }) in rows.iter().enumerate() {
        let found = &tree.nodes[*node];
        let (from, wide, ply) = match found.parent {
            None => (0, width as u64 * PARTS, 0),
            Some(parent) => {
                let (Some((left, whole, used)), Some((part, of))) =
                    (spans[parent], tree.share(*node))
                else {
                    continue;
                };
                let wide = whole * part / of.max(1);
                spans[parent] = Some((left, whole, used + wide));
                let above = slabs.iter().find(|slab| rows[slab.row].node == parent);
                let Some(above) = above else { continue };
                (left + used, wide, above.ply + 1)
            }
        };
        spans[*node] = Some((from, wide, 0));
        let column = |parts: u64| ((parts + PARTS / 2) / PARTS) as usize;
        let (first, end) = (column(from), column(from + wide));
        if end > first {
            slabs.push(Slab { row, ply, from: first, width: end.min(width) - first });
        }
    }
    slabs
}

/// A line for each ply. What became of a node is told by a sign and by its colour.
pub fn lines(
    tree: &TreeExplained,
    rows: &[TreeRow],
    slabs: &[Slab],
    at: usize,
    look: &Theme,
) -> Vec<Line<'static>> {
    let plies = slabs.iter().map(|slab| slab.ply + 1).max().unwrap_or(0);
    let line = |ply: usize| {
        let mut line = Line::default();
        for slab in slabs.iter().filter(|slab| slab.ply == ply) {
            let node = &tree.nodes[rows[slab.row].node];
            let style = match node.kind {
                _ if slab.row == at => look.selected,
                Fate::UnderWay => look.accent.add_modifier(Modifier::REVERSED),
                _ if node.cutoff.is_some() => look.white.add_modifier(Modifier::REVERSED),
                Fate::Inner => look.black.add_modifier(Modifier::REVERSED),
                _ => look.quiet.add_modifier(Modifier::REVERSED),
            };
            let sign = if node.cutoff.is_some() { "✂" } else { super::sign(node) };
            let value = if slab.width < WITH_VALUE {
                String::new()
            } else {
                node.worth(|value| short(value, 6))
            };
            let text = format!("▏{sign}{} {value}", node.name());
            let gap = slab.from.saturating_sub(line.width());
            line.push_span(Span::raw(" ".repeat(gap)));
            let room = slab.width.min((slab.from + slab.width).saturating_sub(line.width()));
            let text = if room > 3 { cut(&text, room) } else { text.chars().take(room).collect() };
            line.push_span(Span::styled(pad(&text, room.max(text.width())), style));
        }
        line
    };
    (0..plies).map(line).collect()
}
