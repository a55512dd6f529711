//! The tree pane: the nodes on the search stack, their children, and the children of opened nodes.

mod icicle;

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, VecDeque},
};

use super::stack;

use ratatui::prelude::*;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    engine::session::{
        explain::{NodeOutcome, TreeExplained},
        reply::{MoveText, Reply},
        search::{FrameReport, Run, StopReport, Where},
        timelines::TimelineList,
    },
    text::{
        fold,
        number::{percent, score, short},
        or_empty, packed, words,
    },
    tui::{
        data::{BoardOf, TreeSpot},
        keymap::TreePaneAction,
        pane::{
            Areas, Binding, ListCursor, Pane, PaneAction, Places, Query, ScreenState, cut,
            cut_words, draw_head, line, own, run, wrapped,
        },
        sheet::{Content, Sheet},
    },
};

/// The milliseconds of replay in each look-up; keys are handled between look-ups.
const SLICE: u64 = 5;
/// The icicle shows the children of nodes with at least this percentage of all nodes; smaller nodes are about a column wide.
const SHARE: u64 = 1;
/// The least width of the pane, in columns, at which bars are long and values are shown in full.
const WIDE: usize = 55;
/// The columns that remarks take after a bar, or after a bar and a true value.
const REMARKS: usize = 24;
const WITH_TRUTH: usize = 36;
/// The columns of the shortest remarks, such as `  ◀ here`, after a bar, and of the gaps before it.
const HERE: usize = 10;
/// The least and the greatest length of a bar, in columns.
const BARS: [usize; 2] = [4, 40];
/// The greatest number of columns by which the names' column stays wider than the longest name.
const KEPT: usize = 8;
/// The width in columns of a percentage with the space before it.
const PERCENT: usize = 7;
/// The heading of the percentages, if there is room.
const NODES: &str = "nodes, % of parent";
/// The heading of the percentages where there is little room.
const BRIEF_NODES: &str = "% of parent";
/// The number of complete trees that are kept.
const KNOWN: usize = 4;
/// The message while the nodes of an icicle are counted.
const COUNTING: &str = "the icicle is drawn once the nodes are counted";
/// The height of the lines is a multiple of this, in rows.
const STEP: usize = 16;
/// The rows of an icicle's root, and those below the icicle.
const BESIDE_PLIES: usize = 5;

/// The line-drawing characters and signs before a row's text.
const LINES: [char; 6] = [' ', '│', '├', '└', '▾', '▸'];

/// What a row stands for: a node or a group of moves. Unlike an index, a path stays valid after each replay.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Path {
    /// The moves that lead from the root to the node; for a group of moves, those to the group's parent.
    line: Vec<MoveText>,
    /// For a group of moves, how all of them ended; for a node, `None`.
    group: Option<&'static str>,
}

#[derive(Debug, Default)]
pub struct TreePane {
    cursor: ListCursor,
    /// The tree of the last complete replay; while a search runs, a tree with only the nodes on the stack.
    tree: Option<TreeExplained>,
    /// The trees counted last: if the search comes back to the event of one of them, it is shown without being counted again.
    known: VecDeque<(TreePlace, TreeExplained)>,
    rows: Vec<TreeRow>,
    /// The row that was chosen; `None`: the cursor is on the row of the selected frame.
    chosen: Option<Path>,
    /// The rows that the user has opened or closed. By default, nodes on the stack are open.
    opened: BTreeMap<Path, bool>,
    /// The search's root position, to notice a new search.
    root: String,
    shape: Shape,
    /// The node that fills the width of the icicle; `None`: the root.
    inside: Option<Path>,
    /// The nodes of the icicle, as last drawn.
    slabs: RefCell<Vec<icicle::Slab>>,
    /// The width of the pane and the longest name in it since the last search, so that columns do not move with every step.
    longest: Cell<(usize, usize)>,
}

/// The way in which the tree is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shape {
    /// One line for each node.
    #[default]
    Lines,
    /// An icicle, in which nodes are as wide as their share of the search.
    Icicle,
    /// An icicle with the differences in nodes from the search that `tree base` stored.
    Difference,
}

/// What a tree belongs to: the timeline, the event, and the query that returned the tree.
type TreePlace = (Option<String>, Option<u64>, Query);

#[derive(Debug)]
struct TreeRow {
    path: Path,
    node: usize,
    /// The lines of the tree that are drawn before the row's text.
    lead: String,
    /// Whether the node's children are shown; `None` if it has no children.
    open: Option<bool>,
    frame: Option<usize>,
    /// Whether a trace has a finding in the node or in its subtree.
    is_wrong: bool,
}

impl Pane for TreePane {
    fn title(&self, state: &ScreenState) -> String {
        let depth = self.tree.as_ref().map(|tree| tree.depth).filter(|depth| *depth > 0);
        let now = state.data.get::<Where>().map(|stack| stack.iteration);
        let root = self.tree.as_ref().and_then(|tree| tree.nodes.first());
        let is_open = || root.is_some_and(|root| root.kind == NodeOutcome::UnderWay);
        let complete = match () {
            () if replayed(state).is_some() => "",
            () if depth < now => ", complete",
            () if state.is_search_over() && is_open() => ", not completed",
            () => "",
        };
        let replay = or_empty(replayed(state).map(|share| format!(", replaying {share}")));
        let against = if self.shape == Shape::Difference { ", against the base" } else { "" };
        let more = format!("{complete}{against}{replay}");
        let more = if more.is_empty() { ", values for the parent" } else { &more };
        or_empty(depth.map(|depth| format!("depth {depth}{more}")))
    }

    fn wants(&self, state: &ScreenState) -> Vec<Query> {
        let tree = (!state.searching && !state.data.frames().is_empty()).then(|| self.query());
        [Query::Stack, Query::SearchResult].into_iter().chain(tree).collect()
    }

    fn is_wide(&self) -> bool {
        self.shape != Shape::Lines
    }

    fn rows_needed(&self, _: &ScreenState, _: u16) -> usize {
        // At the start of an iteration, nothing but the root can be drawn.
        if self.is_wide() && self.rows.len() > 1 {
            let plies = self.rows.iter().map(|row| row.path.line.len()).max().unwrap_or(0);
            return plies * icicle::HIGHEST + BESIDE_PLIES;
        }
        // The tree grows with the search. Its height is rounded up, so that the panes seldom move.
        (self.rows.len() + 2).next_multiple_of(STEP)
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        if let Some(tree) = self.tree.as_ref().filter(|_| self.is_icicle()) {
            return self.draw_icicle(frame, tree, state, room);
        }
        let (heading, lines) = self.text(state, room);
        let room = draw_head(frame, line(heading, room.width).style(state.look.head), room);
        let is_chosen = |(row, _): &(usize, Line<'_>)| *row == self.at(state);
        let first = lines.iter().position(is_chosen).unwrap_or(0);
        let end = lines.iter().rposition(is_chosen).unwrap_or(0) + 1;
        self.cursor.draw_lines(frame, room, lines.len(), first..end, |at| {
            let (row, line) = &lines[at];
            (line.clone(), Some(*row).filter(|row| *row < self.rows.len()))
        });
    }

    fn cursor(&self) -> Option<&ListCursor> {
        Some(&self.cursor)
    }

    fn places(&self, _: &ScreenState) -> Places {
        if !self.is_icicle() {
            return Places::All(self.rows.len());
        }
        // Nodes narrower than half a column are not drawn, except the selected one and those on the search stack.
        let slabs = self.slabs.borrow();
        Places::Beside(slabs.iter().filter(|slab| !slab.is_rest).map(|slab| slab.row).collect())
    }

    fn on_cursor(&mut self, state: &mut ScreenState, row: usize) {
        self.select(state, row);
    }

    /// In place of an entry of the cache pane, the board shows the selected node.
    fn on_focus(&mut self, state: &mut ScreenState) {
        if matches!(state.shown, BoardOf::Entry(_)) {
            self.select(state, self.at(state));
        }
    }

    #[rustfmt::skip] // one action a line: it is read as a table
    fn bindings(&self) -> Vec<Binding> {
        vec![
            own(TreePaneAction::TreeOpen, "enter right l", "opens the node; if open, selects its first child; in an icicle, goes into the node"),
            own(TreePaneAction::TreeClose, "left h backspace", "closes the node; if closed, selects its parent; in an icicle, goes out of the node"),
            own(TreePaneAction::TreeShape, "t", "switches between lines, an icicle of the whole search, and the icicle against the search of `tree base`"),
            own(TreePaneAction::TreeWhy, "w", "explains the selected node"),
            run("tree-writer", "g", "last {}", "goes back to the event that wrote the cache entry of the selected node"),
        ]
    }

    fn act(&mut self, state: &mut ScreenState, action: PaneAction) {
        let PaneAction::Tree(action) = action else { return };
        match action {
            TreePaneAction::TreeOpen if self.is_icicle() => self.zoom_in(state),
            TreePaneAction::TreeClose if self.is_icicle() => self.go_outside(state),
            TreePaneAction::TreeOpen => self.set_open(state, true),
            TreePaneAction::TreeClose => self.set_open(state, false),
            TreePaneAction::TreeShape => self.next_shape(state),
            TreePaneAction::TreeWhy => self.explain(state),
        }
    }

    fn selected(&self, state: &ScreenState) -> Option<String> {
        let row = self.rows.get(self.at(state))?;
        let frame = row.frame.and_then(|frame| state.data.frames().get(frame));
        let node = self.tree.as_ref().and_then(|tree| tree.nodes.get(row.node));
        match (frame, node.map(|node| node.states.as_slice())) {
            (Some(frame), _) => Some(frame.key.clone()),
            (None, Some([position])) if !state.is_trace() => Some(format!("\"{position}\"")),
            _ => None,
        }
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        match self.shape {
            _ if self.rows.is_empty() => "",
            Shape::Lines => {
                "tree-open+tree-close:open tree-why:why tree-shape:icicle position:game"
            }
            Shape::Icicle if self.is_compared() => {
                "tree-open+tree-close:node tree-why:why tree-shape:difference position:game"
            }
            _ => "tree-open+tree-close:node tree-why:why tree-shape:lines position:game",
        }
    }

    fn on_reply(&mut self, reply: Option<&dyn Reply>) -> bool {
        let moves = |reply: &dyn Reply| {
            reply.is::<FrameReport>() || reply.is::<StopReport>() || reply.is::<Run>()
        };
        if reply.is_some_and(moves) {
            self.chosen = None;
        }
        false
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        let root = state.data.frames().first().map_or("", |root| &root.state);
        if root != self.root {
            let shape = self.shape;
            *self = Self { root: root.to_owned(), shape, ..Self::default() };
        }
        let finished = state.data.get::<TreeExplained>().filter(|it| it.replayed == it.events);
        let is_coming = !state.searching && state.data.fault(&self.query()).is_none();
        let timeline = state.data.get::<TimelineList>().and_then(TimelineList::current);
        let event = state.data.event().map(|event| event.index);
        let place = (timeline.map(|now| now.name.clone()), event, self.query());
        let known = self.known.iter().find(|(known, _)| *known == place).filter(|_| is_coming);
        if let Some(finished) = finished.filter(|_| !state.searching) {
            let tree = finished.clone().with_single_moves();
            self.known.retain(|(known, _)| *known != place);
            self.known.push_front((place, tree.clone()));
            self.known.truncate(KNOWN);
            self.tree = Some(tree);
        } else if let Some((_, known)) = known {
            self.tree = Some(known.clone());
        } else if self.tree.as_ref().is_none_or(|tree| tree.events == 0) || !is_coming {
            let stack = state.data.get::<Where>().filter(|stack| !stack.frames.is_empty());
            self.tree = stack.map(TreeExplained::of_stack);
        }
        self.list(state);
        if self.is_icicle() {
            state.status.take_if(|(_, text)| text == COUNTING);
        }
    }
}

impl TreePane {
    /// Whether an icicle is drawn: before the nodes are counted, the tree is drawn as lines.
    fn is_icicle(&self) -> bool {
        self.shape != Shape::Lines && self.tree.as_ref().is_some_and(|tree| tree.events > 0)
    }

    /// Draws the icicle and, below it, the selected node in words and the meaning of the letters.
    fn draw_icicle(
        &self,
        frame: &mut Frame<'_>,
        tree: &TreeExplained,
        state: &ScreenState,
        room: Rect,
    ) {
        let row = self.rows.iter().find(|row| Some(&row.path) == self.inside.as_ref());
        let inside = row.map_or(0, |row| row.node);
        // The selected node is always drawn, so it need not be among the nodes drawn last.
        let at = self.cursor.row().min(self.rows.len().saturating_sub(1));
        let is_difference = self.shape == Shape::Difference;
        let sign = |node| icicle::sign(tree, node, is_difference, &state.look).0;
        let chosen = (inside, at);
        self.slabs.replace(icicle::slabs(tree, &self.rows, chosen, room.width.into(), sign));
        let slabs = self.slabs.borrow();
        let selected = self.rows.get(at).map(|row| self.in_words(tree, row, state));
        let facts = selected.map_or_else(Vec::new, |text| facts(&text, room.width.into()));
        let mut below: Vec<_> = facts.into_iter().map(Line::raw).collect();
        if slabs.len() == 1 {
            let text = "Nothing below it has been visited yet.";
            below.push(line(text, room.width).style(state.look.quiet));
        }
        let ends: Vec<_> = slabs.iter().map(|slab| tree.end(self.rows[slab.row].node)).collect();
        let columns = room.width.into();
        let legend = icicle::legend(&ends, &slabs, is_difference, columns, &state.look);
        let height = room.height.saturating_sub((below.len() + legend.len()) as u16);
        let solid = tree.nodes.get(inside).map_or(0, |node| node.ply as usize);
        let starts = icicle::starts(&slabs, solid, height.into());
        let drawing =
            icicle::Drawing { tree, rows: &self.rows, at, is_difference, look: &state.look };
        let lines = drawing.lines(&slabs, &starts);
        let spare = usize::from(height).saturating_sub(lines.len());
        below.extend(self.siblings(tree, at, (room.width.into(), spare), state));
        below.extend(legend);
        let [above, rest] =
            Layout::vertical([Constraint::Length(lines.len() as u16), Constraint::Fill(1)])
                .areas(room);
        let chosen = slabs.iter().find(|slab| slab.row == at).map_or(0, |slab| slab.ply);
        let chosen = starts.get(chosen..=chosen + 1).map_or(0..1, |rows| rows[0]..rows[1]);
        let parts = |ply: usize| slabs.iter().filter(move |slab| slab.ply == ply);
        self.cursor.draw_parts(frame, above, lines.len(), chosen, |row| {
            let ply = starts.partition_point(|start| *start <= row) - 1;
            let parts = parts(ply).map(|slab| (slab.columns(), slab.row));
            (lines[row].clone(), parts.collect())
        });
        frame.render_widget(Text::from(below), rest);
    }

    /// The node of a row of the icicle, after the moves that lead to it: in a deep icicle, their nodes are too narrow for names.
    fn in_words(&self, tree: &TreeExplained, row: &TreeRow, state: &ScreenState) -> String {
        let is_here =
            self.rows.iter().rfind(|row| row.frame.is_some()).is_some_and(|it| it.node == row.node);
        let name = row.name(tree, 0);
        let name = name.trim_start_matches(LINES).split_once(' ').map_or("", |(_, name)| name);
        let node = &tree.nodes[row.node];
        let above = node.parent.map(|parent| words(&tree.line(parent)) + " ");
        let above = or_empty(above).trim_start().to_owned();
        let columns = Columns::new(0, WIDE, false, true);
        let columns = Columns { bar: 0, asks: state.asks(), ..columns };
        let text = row.line(tree, &format!("▸ {above}{name}"), &columns, is_here).join("  ");
        let more = icicle::difference(node).filter(|_| self.shape == Shape::Difference);
        let text = format!("{text}  {}", or_empty(more));
        if state.look.ascii { fold(&text) } else { text }
    }

    /// A row and its siblings as lines below a heading, or the children of the root: as many of them as `height` rows show.
    fn siblings(
        &self,
        tree: &TreeExplained,
        at: usize,
        (width, height): (usize, usize),
        state: &ScreenState,
    ) -> Vec<Line<'static>> {
        let look = &state.look;
        let node = self.rows.get(at).map_or(0, |row| row.node);
        let parent = tree.nodes[node].parent.or(Some(0));
        let rows = self.rows.iter().filter(|row| tree.nodes[row.node].parent == parent);
        let rows: Vec<_> = rows.collect();
        let name = |row: &TreeRow| row.name(tree, usize::MAX);
        let longest = rows.iter().map(|row| name(row).width()).max().unwrap_or(0);
        let columns = Columns::new(longest, width, false, true);
        let columns = Columns { greatest: greatest_share(tree, rows.iter().copied()), ..columns };
        let heading = line(columns.heading(state, false), width as u16).style(look.head);
        let lines = rows.iter().map(|row| {
            let text = cut_words(&row.line(tree, &name(row), &columns, false).join("  "), width);
            let styles = (look.text, icicle::colour(tree.end(row.node), look), look.quiet);
            if row.node == node {
                return Line::styled(text, look.selected);
            }
            in_parts(&text, &row.parts(&name(row), &columns, usize::MAX, styles), look.text)
        });
        // If there are too many, the selected one is in the middle.
        let shown = height.saturating_sub(1);
        let chosen = rows.iter().position(|row| row.node == node).unwrap_or(0);
        let first = chosen.saturating_sub(shown / 2).min(rows.len().saturating_sub(shown));
        let lines = lines.skip(first).take(shown);
        if rows.len() < 2 || shown < 2 {
            return Vec::new();
        }
        [heading].into_iter().chain(lines).collect()
    }

    /// Whether the nodes can be compared with those of the search that `tree base` stored.
    fn is_compared(&self) -> bool {
        self.tree.iter().flat_map(|tree| &tree.nodes).any(|it| it.base.is_some())
    }

    /// Changes to the next form of the tree: lines, icicle, or comparison if `tree base` has stored a search.
    fn next_shape(&mut self, state: &mut ScreenState) {
        let is_compared = self.is_compared();
        if self.shape == Shape::Lines && state.at_start().is_some() {
            return state.say("no node has been visited yet: the icicle is drawn after a step");
        }
        self.shape = match self.shape {
            Shape::Lines => Shape::Icicle,
            Shape::Icicle if is_compared => Shape::Difference,
            _ => Shape::Lines,
        };
        self.list(state);
        if self.shape == Shape::Icicle && !self.is_icicle() {
            state.say(COUNTING);
        } else if self.shape == Shape::Icicle && !is_compared {
            let words = "`tree base` keeps them to compare";
            state.say(format!("widths are shares of nodes, or fit names; {words}"));
        }
    }

    /// Makes the selected node fill the width of the icicle.
    fn zoom_in(&mut self, state: &mut ScreenState) {
        let parent =
            |row: &TreeRow| self.tree.as_ref().and_then(|tree| tree.nodes[row.node].parent);
        let at = self.at(state);
        let below = self.rows.get(at + 1).and_then(parent);
        match self.rows.get(at).filter(|row| Some(row.node) == below) {
            Some(row) if self.inside.as_ref() == Some(&row.path) => {
                state.say(format!(
                    "this node fills the width: {} goes out",
                    state.key("tree-close")
                ));
            }
            Some(row) => self.inside = Some(row.path.clone()),
            None => state.say("the tree shows no children of this node"),
        }
    }

    /// Makes the parent of the widest node fill the width of the icicle, and selects the parent.
    fn go_outside(&mut self, state: &mut ScreenState) {
        let Some(Path { mut line, .. }) = self.inside.take() else {
            return state.say("the root fills the width");
        };
        line.pop();
        let is_parent = |row: &TreeRow| row.path.line == line && row.path.group.is_none();
        if let Some(at) = self.rows.iter().position(is_parent) {
            self.inside = Some(self.rows[at].path.clone()).filter(|path| !path.line.is_empty());
            self.select(state, at);
        }
    }

    /// Opens or closes the selected node. If the node is already open, selects its first child; if already closed, its parent.
    fn set_open(&mut self, state: &mut ScreenState, open: bool) {
        let at = self.at(state);
        let (Some(row), Some(tree)) = (self.rows.get(at), &self.tree) else {
            return state.say("no search is under way");
        };
        if row.open == Some(!open) {
            self.chosen = Some(row.path.clone());
            self.opened.insert(row.path.clone(), open);
            return self.list(state);
        }
        let parent = |row: &TreeRow| tree.nodes[row.node].parent;
        let target = if open {
            self.rows.get(at + 1).filter(|below| parent(below) == Some(row.node)).map(|_| at + 1)
        } else {
            self.rows.iter().position(|above| Some(above.node) == parent(row))
        };
        match target {
            Some(target) => self.select(state, target),
            None if open => state.say("the tree shows no children of this node"),
            None => state.say("this is the root: it has no parent"),
        }
    }

    /// Explains the selected row's node: a frame as the stack pane does, a root move by the result, any other node by the tree.
    fn explain(&self, state: &mut ScreenState) {
        let (Some(row), Some(tree)) = (self.rows.get(self.at(state)), &self.tree) else {
            return state.say("no search is under way");
        };
        // Without a complete iteration, moves have no values to compare.
        let has_result = state.data.get::<Run>().is_some_and(|run| run.depth > 0);
        match (row.frame, row.path.line.as_slice()) {
            (Some(ply), _) => stack::explain(state, ply),
            (None, [mv]) if row.path.group.is_none() && has_result && !state.is_trace() => {
                state.run(format!("explain move {}", mv.plain()));
            }
            _ => {
                let title = format!("why {}", row.name(tree, 0).trim_start_matches(LINES));
                let text = tree.in_words(row.node);
                state.sheet = Some(Sheet::new(&title, Content::Words(text), state.look.ascii));
            }
        }
    }

    fn query(&self) -> Query {
        if self.shape != Shape::Lines {
            let line = self.inside.as_ref().map_or_else(String::new, |path| plain(&path.line));
            return Query::Tree(format!("{line} --share {SHARE} --time {SLICE}"));
        }
        let nodes = self.opened.iter().filter(|(path, open)| **open && path.group.is_none());
        // The reply always has the root's children, so the query leaves out the root.
        let lines = nodes.map(|(path, _)| plain(&path.line)).filter(|line| !line.is_empty());
        let lines: Vec<_> = lines.collect();
        Query::Tree(format!("{} --time {SLICE}", lines.join(", ")))
    }

    fn list(&mut self, state: &ScreenState) {
        self.rows.clear();
        let Some(tree) = &self.tree else { return };
        // The current move of the last frame has no frame of its own yet.
        let frames = state.data.frames().split_last().map_or(&[][..], |(_, above)| above);
        let line: Vec<_> =
            frames.iter().map(|frame| frame.mv.clone().unwrap_or_default()).collect();
        // After a step, an icicle that would not show the current node shows all.
        let follows = |path: &Path| self.chosen.is_some() || line.starts_with(&path.line);
        self.inside = self.inside.take().filter(follows);
        let is_icicle = self.is_icicle();
        let mut below = vec![Vec::new(); tree.nodes.len()];
        let listed = tree.nodes.iter().enumerate().filter(|(_, it)| !is_icicle || it.is_searched());
        for (node, parent) in listed.filter_map(|(node, it)| Some((node, it.parent?))) {
            below[parent].push(node);
        }
        let mut coming = vec![(0, String::new(), String::new())];
        while let Some((node, lead, inner)) = coming.pop() {
            let found = &tree.nodes[node];
            let group = (found.moves.len() > 1).then(|| found.kind.into());
            let path = Path { line: tree.line(node), group };
            let is_under_way = found.kind == NodeOutcome::UnderWay || node == 0;
            let may_open = is_under_way || path.group.is_some() || found.kind == NodeOutcome::Inner;
            let by_user = || self.opened.get(&path).copied().unwrap_or(is_under_way);
            let open = may_open.then(|| is_icicle || by_user());
            if open == Some(true) {
                let children = &below[node];
                coming.extend(children.iter().rev().map(|child| {
                    let is_last = Some(child) == children.last();
                    let (branch, on) = if is_last { ("└", " ") } else { ("├", "│") };
                    (*child, format!("{inner}{branch}"), format!("{inner}{on}"))
                }));
            }
            let is_frame = found.is_searched() && line.starts_with(&path.line);
            let frame = is_frame.then_some(path.line.len());
            let is_wrong = is_wrong(state, tree, node);
            self.rows.push(TreeRow { path, node, lead, open, frame, is_wrong });
        }
        let selected = state.data.get::<Where>().map(|stack| stack.selected);
        let is_chosen = |row: &TreeRow| Some(&row.path) == self.chosen.as_ref();
        let is_selected = |row: &TreeRow| row.frame.is_some() && row.frame <= selected;
        let chosen = self.rows.iter().position(is_chosen);
        let at = chosen.or_else(|| self.rows.iter().rposition(is_selected)).unwrap_or(0);
        if at != self.at(state) {
            self.cursor.select(at);
        }
    }

    fn select(&mut self, state: &mut ScreenState, at: usize) {
        let (Some(row), Some(tree)) = (self.rows.get(at), &self.tree) else { return };
        self.chosen = Some(row.path.clone());
        self.cursor.select(at);
        let node = &tree.nodes[row.node];
        state.select_frame(row.frame);
        if let ([position], true) = (node.states.as_slice(), row.frame.is_none() || state.is_busy())
        {
            state.shown = BoardOf::Node(TreeSpot {
                line: row.path.line.clone(),
                state: position.clone(),
                reply: node.reply.clone(),
                refuted: node.cutoff.is_some(),
            });
        }
    }

    /// The headings, and the lines of the tree, each with the index of its row. The selected row is wrapped; so are the frames, or all
    /// rows, if there is room. Other rows are cut.
    fn text(&self, state: &ScreenState, room: Rect) -> (String, Vec<(usize, Line<'static>)>) {
        let width = usize::from(room.width);
        let Some(tree) = &self.tree else {
            let lines = wrapped(&state.no_search(), width).into_iter();
            return (String::new(), lines.map(|text| (0, Line::raw(text))).collect());
        };
        let look = &state.look;
        // Deep in the tree, the columns of the first plies are left out.
        let deepest = self.rows.iter().map(|row| row.lead.chars().count()).max().unwrap_or(0);
        let hidden = deepest.saturating_sub((width / 5).max(4));
        let names: Vec<_> = self.rows.iter().map(|row| row.name(tree, hidden)).collect();
        let searched = |row: &TreeRow| tree.nodes[row.node].is_searched();
        let widths = self.rows.iter().zip(&names).filter(|(row, _)| searched(row));
        let longest = widths.map(|(_, name)| name.width()).max().unwrap_or(0);
        // Columns stay where they are while names become a little shorter, so that steps do not move them.
        let is_kept = |(wide, before): &(usize, usize)| *wide == width && *before <= longest + KEPT;
        let before = Some(self.longest.get()).filter(is_kept);
        let longest = longest.max(before.map_or(0, |(_, longest)| longest));
        self.longest.set((width, longest));
        let has_truth = tree.nodes.iter().any(|node| node.truth.is_some());
        let columns = Columns::new(longest, width, has_truth, tree.events > 0);
        let greatest = greatest_share(tree, self.rows.iter());
        let columns = Columns { asks: state.asks(), greatest, ..columns };
        let (at, here) = (self.at(state), self.rows.iter().rposition(|row| row.frame.is_some()));
        let rows = self.rows.iter().zip(&names).enumerate().map(|(place, (row, name))| {
            let [text, rest] = row.line(tree, name, &columns, here == Some(place));
            let rest = if look.ascii { fold(&rest) } else { rest };
            let whole = row.wrapped(&text, &rest, width, hidden);
            (place, row, name, cut_words(&format!("{text}  {rest}"), width), whole)
        });
        let rows: Vec<_> = rows.collect();
        let height = usize::from(room.height);
        let needed = |is_whole: &dyn Fn(&TreeRow) -> bool| -> usize {
            rows.iter().map(|(_, row, .., whole)| if is_whole(row) { whole.len() } else { 1 }).sum()
        };
        let [frames, all] = [needed(&|row| row.frame.is_some()), needed(&|_| true)];
        let is_whole = |row: &TreeRow| all < height || frames < height && row.frame.is_some();
        let mut lines = Vec::new();
        for (place, row, name, short, whole) in rows {
            let style = match tree.nodes[row.node].kind {
                _ if place == at => look.selected,
                NodeOutcome::UnderWay => look.accent,
                NodeOutcome::NotSearched | NodeOutcome::Pending => look.quiet,
                _ => look.text,
            };
            let styles = (style, icicle::colour(tree.end(row.node), look), look.quiet);
            let has_bar = tree.share(row.node).is_some();
            let is_plain = place == at || !searched(row) || !has_bar;
            let parts =
                if is_plain { Vec::new() } else { row.parts(name, &columns, hidden, styles) };
            let texts = if place == at || is_whole(row) { whole } else { vec![short] };
            let texts =
                texts.into_iter().zip(std::iter::once(parts).chain(std::iter::repeat(Vec::new())));
            lines.extend(texts.map(|(text, parts)| (place, in_parts(&text, &parts, style))));
        }
        let fault = || state.data.fault(&self.query()).map(str::to_owned);
        let more = state.at_start().or_else(fault);
        let more = more.map_or(Vec::new(), |text| wrapped(&text, width)).into_iter();
        lines.extend(more.map(|text| (self.rows.len(), Line::styled(text, look.quiet))));
        (columns.heading(state, hidden > 0), lines)
    }
}

/// The widths of the columns of the tree's rows.
struct Columns {
    width: usize,
    name: usize,
    value: usize,
    bar: usize,
    percent: usize,
    /// The greatest share of a parent's nodes, which has a full bar.
    greatest: f64,
    /// Whether the value of the current node is hidden, since a question about it is open.
    asks: bool,
}

impl Columns {
    /// Before the nodes are counted and in a very narrow pane, there are no bars and percentages.
    fn new(longest: usize, width: usize, has_truth: bool, is_counted: bool) -> Self {
        let name = longest.min(width / 2);
        let value = if width >= WIDE { 12 } else { 10 };
        let rest = width.saturating_sub(name + value + PERCENT);
        // Beside long names the bar is shorter or left out, as in a narrow pane that shows true values.
        let [least, most] = BARS;
        let bar = match rest.saturating_sub(if has_truth { WITH_TRUTH } else { REMARKS }) {
            bar if bar > least => bar.min(most),
            _ if rest >= least + HERE && !has_truth => least,
            _ => 0,
        };
        let has_room = name + value + PERCENT + 2 <= width;
        let [bar, percent] = if is_counted && has_room { [bar, PERCENT] } else { [0; 2] };
        Self { width, name, value, bar, percent, greatest: 1.0, asks: false }
    }

    /// The headings. While nodes have not been counted, the reason is in place of the last heading. `has_plies`: whether
    /// some moves have the number of their ply in place of the lines that lead to them.
    fn heading(&self, state: &ScreenState, has_plies: bool) -> String {
        let (name, value, share) = (self.name, self.value - 2, self.bar + self.percent + 2);
        let nodes = match replayed(state) {
            _ if state.searching && share > NODES.len() => "nodes are counted after a stop".into(),
            _ if state.searching => "nodes after a stop".into(),
            Some(counted) if share > NODES.len() => format!("nodes: {counted} counted"),
            Some(counted) => format!("{counted} so far"),
            None if share > NODES.len() => NODES.to_owned(),
            None => BRIEF_NODES.to_owned(),
        };
        let has_room = name + value + 2 + nodes.width() <= self.width;
        let nodes = if has_room { nodes } else { String::new() };
        let first = if has_plies { "ply move" } else { " move" };
        format!("{first:name$} {:value$} {nodes:>share$}", "  value")
    }

    /// A bar for a part of the parent's nodes, drawn in eighths of a column.
    fn bar(&self, share: (u64, u64)) -> String {
        let part = (ratio(share) / self.greatest).clamp(0.0, 1.0);
        let eighths = (part * (8 * self.bar) as f64).ceil() as isize;
        let eighths = eighths.unsigned_abs();
        let last = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        "█".repeat(eighths / 8) + last
    }
}

fn greatest_share<'a>(tree: &TreeExplained, rows: impl Iterator<Item = &'a TreeRow>) -> f64 {
    rows.filter_map(|row| tree.share(row.node)).map(ratio).fold(0.0, f64::max)
}

fn ratio((part, whole): (u64, u64)) -> f64 {
    part as f64 / whole.max(1) as f64
}

impl TreeRow {
    /// The lines from the row's parent, without the first `hidden` columns; the number of the ply if no line is left.
    fn lead(&self, hidden: usize) -> String {
        let shown: String = self.lead.chars().skip(hidden).collect();
        let ply = self.path.line.len() + usize::from(self.path.group.is_some());
        if shown.is_empty() && ply > 0 { ply.to_string() } else { shown }
    }

    fn name(&self, tree: &TreeExplained, hidden: usize) -> String {
        let node = &tree.nodes[self.node];
        let open = self.open.map_or(" ", |open| if open { "▾" } else { "▸" });
        let sign = if node.kind == NodeOutcome::UnderWay { "›" } else { node.mark() };
        let wrong = if self.is_wrong { " ✗" } else { "" };
        format!("{}{open}{sign} {}{wrong}", self.lead(hidden), node.name())
    }

    /// The parts of the row's line as [`in_parts`] takes them: the sign and the bar have the colour of the node in an icicle.
    fn parts(
        &self,
        name: &str,
        columns: &Columns,
        hidden: usize,
        (style, end, quiet): (Style, Style, Style),
    ) -> Vec<(usize, Style)> {
        let lead = self.lead(hidden).chars().count() + 1;
        let bar = name.width().max(columns.name) + columns.value + 2;
        vec![(lead, quiet), (lead + 1, end), (bar, style), (bar + columns.bar, end)]
    }

    /// The row's text up to its last column, and the remarks that follow.
    fn line(
        &self,
        tree: &TreeExplained,
        name: &str,
        columns: &Columns,
        is_here: bool,
    ) -> [String; 2] {
        let node = &tree.nodes[self.node];
        if node.moves.len() > 1 {
            let is_spared = node.kind == NodeOutcome::NotSearched;
            let why = if is_spared { tree.spared_for(self.node, true) } else { String::new() };
            return [format!("{name} {why}").trim_end().to_owned() + ":", words(&node.moves)];
        }
        // A note on a group of moves applies to each move in the group.
        let several = node.parent.filter(|parent| tree.nodes[*parent].moves.len() > 1);
        let remark = |is_brief| tree.note(several.unwrap_or(self.node), is_brief);
        if !node.is_searched() {
            return [name.to_owned(), remark(false)];
        }
        let is_wide = columns.width >= WIDE;
        let value = match node.worth(|value| if is_wide { score(value) } else { short(value, 6) }) {
            _ if is_here && columns.asks => "?".to_owned(),
            value if value.is_empty() => value,
            // The side that made the move is the one that the value is for.
            value => {
                let side = tree.nodes[node.parent.unwrap_or(self.node)].side;
                format!("{} {value}", side.letter())
            }
        };
        let share = tree.share(self.node);
        let bar = or_empty(share.map(|share| columns.bar(share)));
        let percent = share.filter(|_| columns.percent > 0);
        let percent = or_empty(percent.and_then(|(part, whole)| self::percent(part, whole)));
        let Columns { name: first, value: second, bar: third, percent: last, .. } = *columns;
        let here = match is_here {
            true if columns.asks => "  ◀ asked",
            true => "  ◀ here",
            false => "",
        };
        let text = format!("{name:first$} {value:second$} {bar:third$}{percent:>last$}{here}");
        let truth = or_empty(node.truth.map(|truth| format!("{truth}  ")));
        let rest = |is_brief: bool| {
            if self.frame.is_none() {
                return truth.clone() + &remark(is_brief);
            }
            let [alpha, beta] = node.window_text();
            let reply = node.reply_text(Some("best").filter(|_| !is_brief));
            format!("{truth}[{alpha}, {beta}]  depth {}  {reply}", node.depth)
        };
        let fits = is_wide && text.width() + 2 + rest(false).width() <= columns.width;
        let rest = rest(!fits);
        // Without a bar, the remarks may begin in its place.
        let is_cut = bar.is_empty() && text.width() + 2 + rest.width() > columns.width;
        [if is_cut { text.trim_end().to_owned() } else { text }, rest]
    }

    /// The lines of a row. Remarks that do not fit beside its columns are in lines below, broken between two remarks if possible.
    fn wrapped(&self, text: &str, rest: &str, width: usize, hidden: usize) -> Vec<String> {
        if text.width() + 2 + rest.width() <= width {
            return vec![format!("{text}  {rest}")];
        }
        let below = if self.open == Some(true) { "│" } else { " " };
        let lead = format!("{} {below}  ", self.lead(hidden).replace('├', "│"));
        let lead = lead.replace(|sign: char| sign == '└' || sign.is_ascii_digit(), " ");
        let lines = facts(rest, width.saturating_sub(lead.width()));
        let below = lines.into_iter().map(|text| format!("{lead}{text}"));
        std::iter::once(cut(text, width)).chain(below).collect()
    }
}

/// A line of moves for a command: a trace knows its moves only as its program wrote them.
fn plain(line: &[MoveText]) -> String {
    words(&line.iter().map(MoveText::plain).collect::<Vec<_>>())
}

/// The share of the search that has been replayed to count nodes; `None` if all of it has.
fn replayed(state: &ScreenState) -> Option<String> {
    let replay = state.data.get::<TreeExplained>().filter(|it| it.replayed < it.events)?;
    percent(replay.replayed, replay.events)
}

/// A line in several styles: each of the `parts` up to a column, the rest in `style`.
fn in_parts(text: &str, parts: &[(usize, Style)], style: Style) -> Line<'static> {
    let mut signs = text.chars();
    let mut begin = 0;
    let mut spans = Vec::new();
    for (end, style) in parts {
        let part: String = signs.by_ref().take(end - begin).collect();
        spans.push(Span::styled(part, *style));
        begin = *end;
    }
    spans.push(Span::styled(signs.collect::<String>(), style));
    Line::from(spans).style(style)
}

/// Breaks a text into lines of `columns` columns, between its parts, which two spaces separate.
fn facts(text: &str, columns: usize) -> Vec<String> {
    packed(text.trim().split("  ").flat_map(|fact| wrapped(fact, columns)), columns)
}

/// Whether a trace has a finding in a node or in its subtree.
fn is_wrong(state: &ScreenState, tree: &TreeExplained, node: usize) -> bool {
    let (Some(trace), Some(begin)) = (state.trace(), tree.nodes[node].event) else { return false };
    let mut end = None;
    let mut above = Some(node);
    // A node ends where its next sibling begins; the last sibling ends where the parent ends.
    while let (Some(place), None) = (above, end) {
        above = tree.nodes[place].parent;
        let later = above.into_iter().flat_map(|parent| tree.children(parent));
        let begins = later.filter_map(|sibling| tree.nodes[sibling].event);
        end = begins.filter(|event| *event > begin).min();
    }
    let end = end.or(state.data.event().map(|here| here.index + 1)).unwrap_or(begin);
    trace.found.findings.iter().any(|finding| (begin..end).contains(&finding.event))
}
