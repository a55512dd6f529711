//! Node counts of a search by line of moves: for icicle charts and flame graphs, and to compare two searches.

use std::{collections::BTreeMap, fmt::Write as _};

use super::tree::{NodeExplained, NodeOutcome, TreeExplained};
use crate::{
    engine::{
        game::{Fault, MoveText, Result},
        search::MoveTreatment,
    },
    text::number,
};

/// How the search of a node ended; decides the node's colour and letter in icicle charts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeEnd {
    /// All moves of the node were searched.
    #[default]
    Searched,
    /// A cutoff ended the search of the node.
    Cut,
    /// The value came from the cache or from endgame tables.
    Hit,
    /// The node was searched to a reduced depth or after a null move.
    Reduced,
    /// The node belongs to the quiescence search.
    Quiescence,
    /// The node is at the horizon, and its value is the static evaluation.
    Leaf,
    /// The game is over in the node's position.
    GameOver,
    /// The node is on the stack: its moves are still being searched.
    UnderWay,
    /// The move was not searched, or not yet.
    LeftOut,
    /// Only the other search of a comparison visited the node.
    Missing,
}

impl NodeEnd {
    /// The variants that the legend of an icicle chart explains.
    pub const LEGEND: [Self; 8] = [
        Self::Searched,
        Self::Cut,
        Self::Hit,
        Self::Reduced,
        Self::Quiescence,
        Self::Leaf,
        Self::GameOver,
        Self::LeftOut,
    ];

    /// The letter that shows in a chart without colours how the search of a node ended.
    pub const fn letter(self) -> char {
        self.sign().0
    }

    /// How the search of a node ended, in one to four words, for legends and tooltips.
    pub const fn words(self) -> &'static str {
        self.sign().1
    }

    const fn sign(self) -> (char, &'static str) {
        match self {
            Self::Searched => ('S', "searched"),
            Self::Cut => ('C', "cut off"),
            Self::Hit => ('H', "cache hit"),
            Self::Reduced => ('R', "reduced"),
            Self::Quiescence => ('Q', "quiescence"),
            Self::Leaf => ('L', "leaf"),
            Self::GameOver => ('E', "end of the game"),
            Self::UnderWay => ('›', "under way"),
            Self::LeftOut => ('X', "left out"),
            Self::Missing => ('−', "in the other search only"),
        }
    }
}

/// A line of moves with the nodes visited below it: one block of an icicle chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slice {
    /// The move that leads to the node, in SAN or the game's notation; `root` for the root.
    pub name: String,
    /// How the search of the node ended; of several visits, the last.
    pub end: NodeEnd,
    /// Nodes visited in the subtree, the node included; 0 for moves that were not searched.
    pub nodes: u64,
    /// Nodes visited in the subtree by the other search of a comparison; `None` without a comparison.
    pub base: Option<u64>,
    /// The value for the side to move, after `=`, `≥` or `≤`; empty if unknown.
    pub value: String,
    /// The slices after each move, in search order.
    pub children: Vec<Slice>,
}

const ROOT: &str = "root";

impl Slice {
    /// The slices of a tree. Nodes with the same line of moves, such as a move and its re-search, become one slice.
    pub fn of(tree: &TreeExplained) -> Self {
        let mut children = vec![Vec::new(); tree.nodes.len()];
        for (place, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(place);
            }
        }
        Self::joined(tree, &children, ROOT.to_owned(), &[0])
    }

    /// One slice for several nodes with the same line of moves.
    fn joined(
        tree: &TreeExplained,
        children: &[Vec<usize>],
        name: String,
        nodes: &[usize],
    ) -> Self {
        let mut names: Vec<(String, Vec<usize>)> = Vec::new();
        for child in nodes.iter().flat_map(|node| &children[*node]) {
            let name = name_of(&tree.nodes[*child]);
            match names.iter_mut().find(|(known, _)| *known == name) {
                Some((_, list)) => list.push(*child),
                None => names.push((name, vec![*child])),
            }
        }
        let last = nodes.last().copied().unwrap_or(0);
        let below = |(name, nodes): (String, Vec<_>)| Self::joined(tree, children, name, &nodes);
        Self {
            name,
            end: tree.end(last),
            nodes: nodes.iter().map(|node| tree.nodes[*node].nodes).sum(),
            base: None,
            value: tree.nodes[last].worth(number::score),
            children: names.into_iter().map(below).collect(),
        }
    }

    /// The slice at the end of a line of moves that begins at this slice; `None` if no such slice exists.
    pub fn find<'a>(&self, line: impl IntoIterator<Item = &'a str>) -> Option<&Self> {
        line.into_iter()
            .try_fold(self, |slice, name| slice.children.iter().find(|child| child.name == name))
    }

    /// Adds the node counts of another search. Moves that only the other search visited become slices without nodes.
    pub fn compare(&mut self, base: &Self) {
        self.base = Some(base.nodes);
        for child in &mut self.children {
            child.compare(base.find([child.name.as_str()]).unwrap_or(&Self::default()));
        }
        for below in &base.children {
            if self.find([below.name.as_str()]).is_none() {
                self.children.push(below.missing());
            }
        }
    }

    fn missing(&self) -> Self {
        Self {
            name: self.name.clone(),
            end: NodeEnd::Missing,
            base: Some(self.nodes),
            children: self.children.iter().map(Self::missing).collect(),
            ..Self::default()
        }
    }

    /// The collapsed form that flame graph tools read: one line per node with its moves, separated by semicolons, and the
    /// number of nodes visited, those of its children excluded.
    pub fn folded(&self) -> String {
        let mut text = String::new();
        self.fold("", &mut text);
        text
    }

    fn fold(&self, above: &str, text: &mut String) {
        let sign = |sign: char| if sign == ';' || sign.is_control() { '_' } else { sign };
        let name: String = self.name.chars().map(sign).collect();
        let path = if above.is_empty() { name } else { format!("{above};{name}") };
        let below: u64 = self.children.iter().map(|child| child.nodes).sum();
        let own = self.nodes.saturating_sub(below);
        if own > 0 {
            let _ = writeln!(text, "{path} {own}");
        }
        for child in &self.children {
            child.fold(&path, text);
        }
    }

    /// Reads the collapsed form, as written by [`Self::folded`] or another program.
    /// Fails if a line has no count at its end, if the lines have different roots, or if there is no line.
    pub fn read_folded(text: &str) -> Result<Self> {
        let mut rows: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
        let mut order = Vec::new();
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            let row = line.trim_end().rsplit_once(' ');
            let row = row.and_then(|(path, count)| Some((path, count.parse::<u64>().ok()?)));
            let Some((path, count)) = row else {
                return Err(Fault::new(format!("line {number} has no count at its end"))
                    .hint("a line is `root;e4;e5 123`, as `export tree FILE.folded` writes it"));
            };
            let path: Vec<_> = path.split(';').collect();
            if path.len() > MOST_PLIES {
                return Err(Fault::new(format!("line {number} is deeper than {MOST_PLIES} plies")));
            }
            let sum = rows.entry(path.clone()).or_insert_with(|| {
                order.push(path);
                0
            });
            *sum = sum.saturating_add(count);
        }
        let Some(first) = order.first().map(|path| path[0]) else {
            return Err(Fault::new("the file has no line of moves"));
        };
        if order.iter().any(|path| path[0] != first) {
            return Err(Fault::new(format!("some lines do not begin with `{first}`")));
        }
        let mut root = Self { name: first.to_owned(), ..Self::default() };
        for path in &order {
            root.add(&path[1..], rows[path]);
        }
        Ok(root)
    }

    /// Adds nodes to the slice at the end of a path, and to every slice on the path.
    fn add(&mut self, path: &[&str], count: u64) {
        self.nodes = self.nodes.saturating_add(count);
        let Some((first, rest)) = path.split_first() else { return };
        let place = self.children.iter().position(|child| child.name == *first);
        let place = place.unwrap_or_else(|| {
            self.children.push(Self { name: (*first).to_owned(), ..Self::default() });
            self.children.len() - 1
        });
        self.children[place].add(rest, count);
    }
}

/// The greatest depth of a folded line in plies, because slices are walked by recursion.
const MOST_PLIES: usize = 1000;

fn name_of(node: &NodeExplained) -> String {
    match node.moves.as_slice() {
        [only] => only.standard().to_owned(),
        _ => node.name(),
    }
}

impl TreeExplained {
    /// How the search of the node with this index ended.
    pub fn end(&self, place: usize) -> NodeEnd {
        let node = &self.nodes[place];
        let is_quiet = node.parent.is_some_and(|parent| self.nodes[parent].depth == 0);
        match node.kind {
            NodeOutcome::UnderWay => NodeEnd::UnderWay,
            NodeOutcome::NotSearched | NodeOutcome::Pending => NodeEnd::LeftOut,
            NodeOutcome::Hit | NodeOutcome::Tables => NodeEnd::Hit,
            NodeOutcome::Terminal => NodeEnd::GameOver,
            // A stand-pat cutoff with depth left is reverse futility pruning.
            NodeOutcome::StandPat if node.depth > 0 => NodeEnd::Cut,
            NodeOutcome::StandPat => NodeEnd::Quiescence,
            _ if is_quiet => NodeEnd::Quiescence,
            NodeOutcome::Leaf => NodeEnd::Leaf,
            NodeOutcome::Inner
                if matches!(node.treatment, MoveTreatment::Reduced | MoveTreatment::Null) =>
            {
                NodeEnd::Reduced
            }
            NodeOutcome::Inner if node.cutoff.is_some() => NodeEnd::Cut,
            NodeOutcome::Inner => NodeEnd::Searched,
        }
    }

    /// Adds the node counts of another search to every searched node of the tree, except below a node that was searched again: the
    /// tree has the children of the second search only, `base` those of both.
    pub fn compare(&mut self, base: &Slice) {
        for place in 0..self.nodes.len() {
            let above = |at: &usize| self.nodes[*at].parent;
            let is_once =
                std::iter::successors(above(&place), above).all(|at| self.nodes[at].earlier == 0);
            let line = self.line(place);
            let found = base.find(line.iter().map(MoveText::standard)).map_or(0, |it| it.nodes);
            let node = &mut self.nodes[place];
            node.base = (node.is_searched() && is_once).then_some(found);
        }
    }
}
