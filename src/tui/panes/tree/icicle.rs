//! The tree as an icicle: one row for each ply, each node as wide as its share of its parent's nodes.

use std::{cmp::Ordering, mem, ops::Range};

use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use super::TreeRow;
use crate::{
    engine::session::explain::{NodeEnd, NodeExplained, TreeExplained},
    text::{
        number::{count, counted, short},
        or_empty,
    },
    tui::look::Theme,
};

/// The number of parts into which a column is divided.
const PARTS: u64 = 1024;
/// The least width, in columns, of nodes whose children are drawn; those on the search stack are drawn in any case.
const LEAST: u64 = 6;
/// The sign of a block that stands for all nodes below a node, each of which is too small to be drawn.
const REST: char = '…';
/// The greatest height of a node, in rows.
pub const HIGHEST: usize = 9;
/// The greatest width, in columns, of a node without a line below it.
const DASH: usize = 3;

/// A node in the icicle, and the columns that it fills.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    /// The index of the node among the rows of the tree.
    pub row: usize,
    pub ply: usize,
    /// Whether this is a block for all nodes below the row's node and its group, each of which is too small to be drawn.
    pub is_rest: bool,
    /// The number of the slab's group, which is drawn as one cell: siblings that ended alike, without room for their moves.
    group: usize,
    /// How many nodes the slab stands for: 1, or also those of its group after it that have no column; of a rest, all nodes.
    count: u64,
    from: usize,
    width: usize,
}

impl Slab {
    pub const fn columns(&self) -> Range<usize> {
        self.from..self.from + self.width
    }
}

/// The slabs of the searched nodes that are at least a column wide, of those on the search stack and of the selected node, parents
/// before children. The node `inside` and those above it fill the width; all others are below `inside`. Each node is as wide as its
/// share, but the best move and the nodes on the search stack are at least as wide as their text. Of siblings, those with room for
/// their moves come first, in the order of the search, then the smaller ones in groups, and last the one that is being searched.
/// `at`: the selected row. `sign`: the sign of a node.
pub fn slabs(
    tree: &TreeExplained,
    rows: &[TreeRow],
    (inside, at): (usize, usize),
    width: usize,
    sign: impl Fn(usize) -> char,
) -> Vec<Slab> {
    let above = |node: &usize| tree.nodes.get(*node).and_then(|node| node.parent);
    let line = |node: usize| std::iter::successors(Some(node), above).collect::<Vec<_>>();
    let mut below = vec![Vec::new(); tree.nodes.len()];
    for (row, TreeRow { node, .. }) in rows.iter().enumerate() {
        if let Some(parent) = tree.nodes[*node].parent {
            below[parent].push(row);
        }
    }
    let selected = rows.get(at).map_or_else(Vec::new, |row| line(row.node));
    // Each node on the stack fills its parent if that is narrow, so all have the width that the longest text needs.
    let stack = rows.iter().filter(|row| row.frame.is_some());
    let longest = stack.map(|row| tree.nodes[row.node].name().width()).max().unwrap_or(0);
    let mut places = Places {
        tree,
        rows,
        width,
        below,
        selected,
        on_stack: (longest as u64 + 3) * PARTS,
        sign,
        groups: 0,
        uncounted: 0,
        slabs: Vec::new(),
    };
    let whole = (0, width as u64 * PARTS);
    for node in line(inside).into_iter().rev() {
        if let Some(row) = rows.iter().position(|row| row.node == node) {
            places.add((row, tree.nodes[node].ply as usize), false, 1, whole);
        }
    }
    let ply = tree.nodes.get(inside).map_or(0, |node| node.ply as usize);
    places.add_below(&[(inside, whole.1)], ply + 1, whole);
    places.slabs.retain(|slab| slab.width > 0);
    places.slabs
}

/// The nodes of an icicle as they get their columns.
struct Places<'a, S> {
    tree: &'a TreeExplained,
    rows: &'a [TreeRow],
    width: usize,
    /// For each node, the rows of its children.
    below: Vec<Vec<usize>>,
    /// The selected node and those above it.
    selected: Vec<usize>,
    /// The least width of the nodes on the search stack where there is room for it.
    on_stack: u64,
    sign: S,
    groups: usize,
    /// How many nodes of the group had no column before its first slab.
    uncounted: u64,
    slabs: Vec<Slab>,
}

/// A node that gets its columns, in parts of a column.
#[derive(Clone, Copy)]
struct Child {
    row: usize,
    wide: u64,
    least: u64,
    /// Its place among its siblings; if it is small, together with others of its sign.
    order: (usize, char),
}

impl Child {
    const NAMED: (usize, char) = (0, ' ');
    const UNDER_WAY: (usize, char) = (2, ' ');

    fn is_alike(&self, other: &Self) -> bool {
        self.order == other.order && ![Self::NAMED, Self::UNDER_WAY].contains(&self.order)
    }
}

impl<S: Fn(usize) -> char> Places<'_, S> {
    /// Adds a node in these columns, in parts from the left edge: the first, and how many. Without a column, it counts for a slab
    /// beside it in its group.
    fn add(
        &mut self,
        (row, ply): (usize, usize),
        is_rest: bool,
        count: u64,
        (from, wide): (u64, u64),
    ) {
        let column = |parts: u64| ((parts + PARTS / 2) / PARTS) as usize;
        let (first, end) = (column(from), column(from + wide).min(self.width));
        let group = self.groups;
        let before = self.slabs.iter_mut().rfind(|slab| slab.ply == ply);
        if end <= first {
            match before.filter(|before| before.group == group) {
                Some(before) => before.count += count,
                None => self.uncounted += count,
            }
            return;
        }
        if let Some(before) = before {
            before.width = before.width.min(first.saturating_sub(before.from));
        }
        let (width, count) = (end - first, count + mem::take(&mut self.uncounted));
        let from = first;
        self.slabs.push(Slab { row, ply, is_rest, group, count, from, width });
    }

    fn begin_group(&mut self) {
        (self.groups, self.uncounted) = (self.groups + 1, 0);
    }

    /// Adds the children of nodes that share these columns, each with its parts of them, and the nodes below the children.
    fn add_below(&mut self, parents: &[(usize, u64)], ply: usize, (from, whole): (u64, u64)) {
        let (nodes, mut used) = (&self.tree.nodes, 0);
        // Only of a single node, the best move has a cell of its own.
        let is_single = parents.len() == 1;
        let below = |parent: &(usize, u64)| self.children(*parent, whole, is_single);
        let mut children: Vec<_> = parents.iter().flat_map(below).collect();
        if whole < LEAST * PARTS && children.iter().all(|child| child.least == 0) {
            children.clear();
        }
        children.sort_by_key(|child| child.order);
        for alike in children.chunk_by(Child::is_alike) {
            self.begin_group();
            // Nodes that are kept move those before them aside.
            let least = alike.iter().map(|child| child.least).max().unwrap_or(0);
            let begin = used.min(whole - least);
            used = begin;
            for Child { row, wide, least, .. } in alike {
                used = used.min(whole - least);
                self.add((*row, ply), false, 1, (from + used, *wide));
                used += wide;
            }
            let alike: Vec<_> = alike.iter().map(|it| (self.rows[it.row].node, it.wide)).collect();
            if used >= begin + PARTS / 2 {
                self.add_below(&alike, ply + 1, (from + begin, used - begin));
            }
        }
        self.begin_group();
        let listed: u64 = children.iter().map(|child| nodes[self.rows[child.row].node].nodes).sum();
        let below = |node: &NodeExplained| node.nodes.saturating_sub(node.earlier + 1);
        let below: u64 = parents.iter().map(|(node, _)| below(&nodes[*node])).sum();
        let row = self.rows.iter().position(|row| row.node == parents[0].0);
        if let Some(row) = row.filter(|_| below > listed) {
            let place = (from + used, whole.saturating_sub(used));
            self.add((row, ply), true, below - listed, place);
        }
    }

    fn children(&self, (parent, whole): (usize, u64), room: u64, is_single: bool) -> Vec<Child> {
        let node = |row: usize| &self.tree.nodes[self.rows[row].node];
        let share = |row: usize| {
            let (part, of) = self.tree.share(self.rows[row].node)?;
            Some(whole * part / of.max(1))
        };
        let room_for_name = |row: usize| match self.rows[row].frame {
            Some(_) if room <= self.on_stack + PARTS => room,
            Some(_) => self.on_stack.min(room / 2),
            None if is_single && node(row).best => room_for_text(node(row), room),
            None => 0,
        };
        let rows = self.below[parent].iter().copied();
        let rows = rows.filter_map(|row| Some((row, share(row)?, room_for_name(row))));
        let rows: Vec<_> = rows.collect();
        // What some nodes take for their text, their siblings lose in proportion.
        let widened = || rows.iter().filter(|(_, share, text)| share < text);
        let taken: u64 = widened().map(|(.., text)| text).sum();
        let own: u64 = widened().map(|(_, share, _)| share).sum();
        let [left, others] = [taken, own].map(|parts| whole.saturating_sub(parts));
        let child = |(row, share, text): (usize, u64, u64)| {
            let TreeRow { node: at, frame, .. } = &self.rows[row];
            // A selected node that became wide enough for its name would change its place while the cursor moves.
            let selected = if self.selected.contains(at) { PARTS.min(room) } else { 0 };
            let least = text.max(selected);
            let wide = (share * left / others.max(1)).max(least);
            let has_room = (wide / PARTS) as usize > node(row).name().width();
            let order = match frame {
                Some(_) => Child::UNDER_WAY,
                None if has_room => Child::NAMED,
                None => (1, (self.sign)(*at)),
            };
            Child { row, wide, least, order }
        };
        rows.into_iter().map(child).collect()
    }
}

/// The width that a node's sign, name and value need, or else sign and name, in parts of a column (see [`PARTS`]). 0 if neither is
/// less than a quarter of `room`, the width of the node and its siblings.
fn room_for_text(node: &NodeExplained, room: u64) -> u64 {
    let (name, value) = (node.name().width(), node.worth(|value| short(value, 6)).width());
    let texts = [value.max(name + 2), name + 2].map(|columns| (columns as u64 + 1) * PARTS);
    texts.into_iter().find(|text| room > 4 * text).unwrap_or(0)
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

/// The first row of each ply, and the number of rows. A node that fills the width has one row, as has a ply without room for text;
/// the others share the height.
pub fn starts(slabs: &[Slab], inside: usize, height: usize) -> Vec<usize> {
    let plies = slabs.iter().map(|slab| slab.ply + 1).max().unwrap_or(0);
    let has_text = |ply: usize| slabs.iter().any(|slab| slab.ply == ply && slab.width > 2);
    let shared: Vec<_> = (0..plies).map(|ply| ply > inside && has_text(ply)).collect();
    let count = shared.iter().filter(|is_shared| **is_shared).count();
    let rows = height.saturating_sub(plies - count).clamp(count, count * HIGHEST);
    let start = |ply: usize| {
        let before = shared[..ply].iter().filter(|is_shared| **is_shared).count();
        ply - before + (before * rows).checked_div(count).unwrap_or(0)
    };
    (0..=plies).map(start).collect()
}

/// The legend: the letters of the ends in `shown`, or the signs of a comparison, each in the colour of its nodes. A legend that
/// does not fit in one line has shorter words, because its lines reduce the height of the icicle.
pub fn legend(
    shown: &[NodeEnd],
    slabs: &[Slab],
    is_difference: bool,
    columns: usize,
    look: &Theme,
) -> Vec<Line<'static>> {
    let has_rest = slabs.iter().any(|slab| slab.is_rest);
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
    let rest = |words: &str, gap: &str| has_rest.then(|| part((REST, look.quiet), words, gap));
    // Each part ends with two blanks, each brief one with one; at the end of a line they need no room.
    let lines = in_lines(parts.into_iter().chain(rest("smaller nodes", " ")), columns + 2);
    if is_difference || lines.len() == 1 {
        return lines;
    }
    let parts = ends.map(|end| part(letter(end), brief(end), ""));
    in_lines(parts.chain(rest("rest", "")), columns + 1)
}

/// How the search of a node ended, in as few words as possible.
const fn brief(end: NodeEnd) -> &'static str {
    match end {
        NodeEnd::GameOver => "end",
        NodeEnd::Hit => "hit",
        NodeEnd::UnderWay => "now",
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

/// An icicle on the screen. A letter and a colour show how a node ended; in a comparison, a sign and a colour show whether the node
/// has more nodes than in the other search. A group is one cell with the number of its moves.
pub struct Drawing<'a> {
    pub tree: &'a TreeExplained,
    pub rows: &'a [TreeRow],
    /// The selected row.
    pub at: usize,
    pub is_difference: bool,
    pub look: &'a Theme,
}

impl Drawing<'_> {
    /// The lines of an icicle whose plies begin in the rows `starts`.
    pub fn lines(&self, slabs: &[Slab], starts: &[usize]) -> Vec<Line<'static>> {
        let heights = starts.windows(2).map(|pair| pair[1] - pair[0]).enumerate();
        let line = |(ply, nth, most): (usize, usize, usize)| {
            let mut slabs: Vec<_> = slabs.iter().filter(|slab| slab.ply == ply).collect();
            slabs.sort_by_key(|slab| slab.from);
            self.line(&slabs, nth, most)
        };
        let rows = |(ply, most)| (0..most).map(move |nth| (ply, nth, most));
        heights.flat_map(rows).map(line).collect()
    }

    /// Row `nth` of the `most` rows of a ply.
    fn line(&self, slabs: &[&Slab], nth: usize, most: usize) -> Line<'static> {
        let mut line = Line::default();
        let shares_cell = |one: &&Slab, next: &&Slab| {
            one.group == next.group && ![one.row, next.row].contains(&self.at)
        };
        for alike in slabs.chunk_by(shares_cell) {
            let (slab, end) = (alike[0], alike[alike.len() - 1].columns().end);
            let gap = slab.from.saturating_sub(line.width());
            line.push_span(Span::raw(" ".repeat(gap)));
            let room = end.saturating_sub(slab.from.max(line.width()));
            let number = alike.iter().map(|slab| slab.count).sum();
            line.extend(self.cell(slab, number, nth, (room, most)));
        }
        line
    }

    /// Row `nth` of the cell of `number` nodes.
    fn cell(
        &self,
        slab: &Slab,
        number: u64,
        nth: usize,
        (room, most): (usize, usize),
    ) -> Vec<Span<'static>> {
        let look = self.look;
        let (sign, style) = self.class(slab);
        // Without colours, a node one column wide has its letter in the first row instead of its left edge.
        let has_edge = nth > 0 || room > 1 || look.is_painted();
        let edge = if has_edge { "▏" } else { &sign.to_string() };
        let texts = self.texts(slab, number, (room, most));
        let text = texts.get(nth).map_or(edge, |text| text.trim_end());
        let [style, between] = look.toned(style);
        let is_best = !slab.is_rest && number == 1 && self.node(slab).best;
        let style = if is_best { style.add_modifier(Modifier::BOLD) } else { style };
        // Below its text, the selected node keeps its colour, if there are colours.
        let has_text = nth < texts.len().max(1) || !look.is_painted();
        if slab.row == self.at && !slab.is_rest && has_text {
            return vec![selected(text, (room, nth), style, look)];
        }
        // A line below a node separates it from its children. The left edge has its character already, so it is underlined. Narrow
        // nodes have no line, because it would be a dash.
        let is_last = nth + 1 == most && room > DASH && look.is_painted();
        let (blank, blank_style, edge) = if is_last {
            ("▁", between, between.underlined())
        } else {
            (fill(sign, look), style, between)
        };
        let blank = blank.repeat(room.saturating_sub(text.width()));
        let mut spans = edged(text, style, edge).to_vec();
        spans.push(Span::styled(blank, blank_style));
        spans
    }

    fn node(&self, slab: &Slab) -> &NodeExplained {
        &self.tree.nodes[self.rows[slab.row].node]
    }

    fn class(&self, slab: &Slab) -> (char, Style) {
        if slab.is_rest {
            return (REST, self.look.quiet);
        }
        sign(self.tree, self.rows[slab.row].node, self.is_difference, self.look)
    }

    fn texts(&self, slab: &Slab, number: u64, room: (usize, usize)) -> Vec<String> {
        let sign = self.class(slab).0;
        if slab.is_rest {
            let what = if number == 1 { "node" } else { "nodes" };
            let whole = numbered(sign, &count(number), what, room);
            return whole.unwrap_or_else(|| texts(sign, "", "", room));
        }
        if number == 1 || slab.row == self.at {
            let node = self.node(slab);
            let value = || node.worth(|value| short(value, 6));
            let value = if self.is_difference { or_empty(difference(node)) } else { value() };
            let mut texts = texts(sign, &node.name(), &value, room);
            let nodes = format!("▏{}", counted(node.nodes, "node", "nodes"));
            if node.nodes > 1 && !texts.is_empty() && texts.len() < room.1 && nodes.width() < room.0
            {
                texts.push(nodes);
            }
            return texts;
        }
        let whole = numbered(sign, &number.to_string(), "moves", room);
        whole.unwrap_or_else(|| texts(sign, &format!("×{number}"), "", room))
    }
}

/// The lines with a number and what it counts, if there is room for both.
fn numbered(sign: char, number: &str, what: &str, room: (usize, usize)) -> Option<Vec<String>> {
    let texts = texts(sign, number, what, room);
    let is_whole = texts.iter().any(|text| text.trim_end().ends_with(what));
    is_whole.then_some(texts)
}

/// Row `nth` of the selected node if it has text: in reversed colours or, on screens with few colours, hatched.
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

/// The sign of a node, and its colour: of how its search ended or, in a comparison, of whether it has more nodes than in the base.
pub fn sign(
    tree: &TreeExplained,
    place: usize,
    is_difference: bool,
    look: &Theme,
) -> (char, Style) {
    let (node, end) = (&tree.nodes[place], tree.end(place));
    let order = node.nodes.cmp(&node.base.unwrap_or(node.nodes));
    if is_difference { comparison_sign(order, look) } else { (end.letter(), colour(end, look)) }
}

fn comparison_sign(order: Ordering, look: &Theme) -> (char, Style) {
    match order {
        Ordering::Greater => ('+', look.white),
        Ordering::Less => ('−', look.black),
        Ordering::Equal => ('=', look.quiet),
    }
}
