//! The tree as an icicle: one row for each ply, each node as wide as its share of its parent's nodes.

use std::{cmp::Ordering, ops::Range};

use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use super::TreeRow;
use crate::{
    engine::session::explain::{NodeEnd, NodeExplained, TreeExplained},
    text::{
        number::{count, short},
        or_empty,
    },
    tui::look::Theme,
};

/// The number of parts into which a column is divided.
const PARTS: u64 = 1024;
/// Siblings that ended alike and are at most this wide, in columns, are drawn as one cell if there is no room for the move of one.
const NARROW: usize = 8;
/// The sign of a block that stands for all nodes below a node, each of which is too small to be drawn.
const REST: char = '…';
/// The greatest height of a node, in rows.
const HIGHEST: usize = 9;

/// A node in the icicle, and the columns that it fills.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    /// The index of the node among the rows of the tree.
    pub row: usize,
    pub ply: usize,
    /// Whether this is a block for all nodes below the row's node, each of which is too small to be drawn.
    pub is_rest: bool,
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
            let width = end.min(width) - first;
            slabs.push(Slab { row, ply, is_rest: false, from: first, width });
        }
    }
    slabs.retain(|slab| slab.width > 0);
    let mut has_children = vec![false; tree.nodes.len()];
    for parent in rows.iter().filter_map(|row| tree.nodes[row.node].parent) {
        has_children[parent] = true;
    }
    let is_closed = |slab: &&Slab| {
        let node = rows[slab.row].node;
        tree.nodes[node].nodes > 1 && !has_children[node]
    };
    let below = |slab: &Slab| Slab { ply: slab.ply + 1, is_rest: true, ..*slab };
    let rest: Vec<_> = slabs.iter().filter(is_closed).map(below).collect();
    slabs.extend(rest);
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

/// The first row of each ply, and the number of rows. A node that fills the width has one row; other plies share the height.
pub fn starts(slabs: &[Slab], inside: usize, height: usize) -> Vec<usize> {
    let plies = slabs.iter().map(|slab| slab.ply + 1).max().unwrap_or(0);
    let solid = plies.min(inside + 1);
    let shared = (plies - solid).max(1);
    let rows = height.saturating_sub(solid).clamp(shared, shared * HIGHEST);
    (0..=plies).map(|ply| ply.min(solid) + ply.saturating_sub(solid) * rows / shared).collect()
}

/// The legend: the letters of the ends in `shown`, or the signs of a comparison, each in the colour of its nodes. A legend that
/// does not fit in one line has shorter words, because its lines reduce the height of the icicle.
pub fn legend(
    shown: &[NodeEnd],
    is_difference: bool,
    columns: usize,
    look: &Theme,
) -> Vec<Line<'static>> {
    let orders = [
        (Ordering::Greater, "more nodes than in the base"),
        (Ordering::Less, "fewer"),
        (Ordering::Equal, "as many"),
    ];
    let ends = NodeEnd::LEGEND.into_iter().chain([NodeEnd::UnderWay]);
    let ends = ends.filter(|end| shown.contains(end));
    let part = |(sign, style): (char, Style), words: &str, gap: &str| {
        let sign = Span::styled(format!("{gap}{sign}{gap}"), look.toned(style)[0]);
        vec![sign, Span::styled(format!(" {words}{gap} "), look.quiet)]
    };
    let letter = |end: NodeEnd| (end.letter(), colour(end, look));
    let parts: Vec<_> = if is_difference {
        orders.map(|(order, words)| part(comparison_sign(order, look), words, " ")).into()
    } else {
        ends.clone().map(|end| part(letter(end), end.words(), " ")).collect()
    };
    let rest = vec![Span::styled("… smaller nodes  ", look.quiet)];
    // Each part ends with two blanks, each brief one with one; at the end of a line they need no room.
    let lines = in_lines(parts.into_iter().chain([rest]), columns + 2);
    if is_difference || lines.len() == 1 {
        return lines;
    }
    // A block of smaller nodes shows how many they are, so the legend can do without it.
    in_lines(ends.map(|end| part(letter(end), brief(end), "")), columns + 1)
}

/// How the search of a node ended, in as few words as possible.
const fn brief(end: NodeEnd) -> &'static str {
    match end {
        NodeEnd::GameOver => "end",
        NodeEnd::Hit => "hit",
        end => end.words(),
    }
}

/// The parts of a legend in lines, none broken.
fn in_lines(parts: impl Iterator<Item = Vec<Span<'static>>>, columns: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for part in parts {
        let wide: usize = part.iter().map(Span::width).sum();
        match lines.last_mut() {
            Some(line) if line.width() + wide <= columns => line.extend(part),
            _ => lines.push(Line::from(part)),
        }
    }
    lines
}

/// The lines of the icicle. A letter and a colour show how a node ended; in a comparison, a sign and a colour show whether the
/// node has more nodes than in the other search. Narrow siblings that are alike are one cell with their number. `at`: the selected
/// row.
pub fn lines(
    tree: &TreeExplained,
    rows: &[TreeRow],
    slabs: &[Slab],
    at: usize,
    is_difference: bool,
    starts: &[usize],
    look: &Theme,
) -> Vec<Line<'static>> {
    let class = |slab: &Slab| {
        if slab.is_rest {
            return (REST, look.quiet);
        }
        let (place, node) = (rows[slab.row].node, &tree.nodes[rows[slab.row].node]);
        let order = node.nodes.cmp(&node.base.unwrap_or(node.nodes));
        let end = tree.end(place);
        if is_difference { comparison_sign(order, look) } else { (end.letter(), colour(end, look)) }
    };
    let value = |node: &NodeExplained| {
        let value = || node.worth(|value| short(value, 6));
        if is_difference { or_empty(difference(node)) } else { value() }
    };
    let is_narrow = |slab: &Slab| {
        let row = &rows[slab.row];
        // The best move and those on the stack have cells of their own.
        let is_known = slab.row == at || row.frame.is_some() || tree.nodes[row.node].best;
        slab.width <= NARROW && !is_known
    };
    let lacks_name = |slab: &Slab| slab.width <= tree.nodes[rows[slab.row].node].name().width();
    let parent = |slab: &Slab| tree.nodes[rows[slab.row].node].parent;
    let shares_cell = |one: &&Slab, next: &&Slab| {
        let is_beside = parent(one) == parent(next) && one.columns().end == next.from;
        let is_alike = class(one) == class(next) && is_beside;
        let lacks_name = || lacks_name(one) || lacks_name(next);
        is_alike && (one.is_rest || is_narrow(one) && is_narrow(next) && lacks_name())
    };
    let line = |(ply, nth, most): (usize, usize, usize)| {
        let mut line = Line::default();
        let mut slabs: Vec<_> = slabs.iter().filter(|slab| slab.ply == ply).collect();
        slabs.sort_by_key(|slab| slab.from);
        for alike in slabs.chunk_by(shares_cell) {
            let (slab, end) = (alike[0], alike[alike.len() - 1].columns().end);
            let (sign, style) = class(slab);
            let gap = slab.from.saturating_sub(line.width());
            line.push_span(Span::raw(" ".repeat(gap)));
            let room = end.saturating_sub(slab.from.max(line.width()));
            let nodes: Vec<_> = alike.iter().map(|it| &tree.nodes[rows[it.row].node]).collect();
            let texts = match nodes.as_slice() {
                nodes if slab.is_rest => {
                    let below = nodes.iter().map(|node| node.nodes - 1).sum();
                    // The colour alone shows such a block if its number has no room.
                    let texts = texts(sign, &count(below), "nodes", (room, most));
                    let has_number = texts.iter().any(|text| text.ends_with(char::is_alphanumeric));
                    if has_number { texts } else { Vec::new() }
                }
                [node] => texts(sign, &node.name(), &value(node), (room, most)),
                nodes => texts(sign, &format!("{} moves", nodes.len()), "", (room, most)),
            };
            // Without colours, a node one column wide has its letter in the first row instead of its left edge.
            let has_edge = nth > 0 || room > 1 || look.is_painted();
            let edge = if has_edge { "▏" } else { &sign.to_string() };
            let text = texts.get(nth).map_or(edge, |text| text.trim_end());
            let [style, between] = look.toned(style);
            if slab.row == at && !slab.is_rest {
                line.push_span(selected(text, (room, nth), style, look));
            } else {
                let blank = fill(sign, look).repeat(room.saturating_sub(text.width()));
                line.extend(edged(&(text.to_owned() + &blank), style, between));
            }
        }
        line
    };
    let heights = starts.windows(2).map(|pair| pair[1] - pair[0]).enumerate();
    heights.flat_map(|(ply, most)| (0..most).map(move |nth| (ply, nth, most))).map(line).collect()
}

/// Row `nth` of the selected node: in reversed colours or, on screens with few colours, hatched.
fn selected(text: &str, (width, nth): (usize, usize), style: Style, look: &Theme) -> Span<'static> {
    let rest: String = text.chars().skip(1).collect();
    let fill = if look.is_painted() { " " } else { "▒" };
    let edge = match nth {
        0 => "▸",
        _ if look.is_painted() => " ",
        _ => "▏",
    };
    let text = format!("{edge}{rest}");
    let blank = width.saturating_sub(text.width());
    Span::styled(text + &fill.repeat(blank), look.toned_selection(style))
}

/// The character that fills a node with this letter: a blank on screens with colours, where the colour shows how the node ended.
fn fill(letter: char, look: &Theme) -> &'static str {
    match letter {
        _ if look.white.fg != look.black.fg => " ",
        'C' => "-",
        'H' | 'R' => ".",
        _ => " ",
    }
}

/// A text whose left edge has a style of its own.
fn edged(text: &str, style: Style, edge: Style) -> [Span<'static>; 2] {
    let inside = text.trim_start_matches('▏');
    let left = &text[..text.len() - inside.len()];
    [Span::styled(left.to_owned(), edge), Span::styled(inside.to_owned(), style)]
}

/// The lines of text in a node: sign, name and value as far as there is room, at last the name or the sign alone; none in a
/// node of one column.
fn texts(sign: char, name: &str, value: &str, (columns, rows): (usize, usize)) -> Vec<String> {
    let first = format!("▏{sign}");
    let texts = [
        vec![format!("▏{sign} {name} {value}")],
        vec![format!("▏{sign} {name}"), format!("▏{value}")],
        vec![format!("▏{sign} {name}")],
        vec![first.clone(), format!("▏{name}")],
        vec![format!("▏{name}")],
        vec![first],
    ];
    let fits = |texts: &Vec<String>| {
        texts.len() <= rows && texts.iter().all(|text| text.trim_end().width() <= columns)
    };
    texts.into_iter().find(fits).unwrap_or_default()
}

/// The colour of the nodes that ended in this way.
pub fn colour(end: NodeEnd, look: &Theme) -> Style {
    match end {
        NodeEnd::UnderWay => look.accent,
        NodeEnd::Cut => look.white,
        NodeEnd::Searched => look.black,
        NodeEnd::Reduced => look.reduced,
        NodeEnd::Hit => look.text,
        _ => look.quiet,
    }
}

fn comparison_sign(order: Ordering, look: &Theme) -> (char, Style) {
    match order {
        Ordering::Greater => ('+', look.white),
        Ordering::Less => ('−', look.black),
        Ordering::Equal => ('=', look.quiet),
    }
}
