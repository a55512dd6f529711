//! The tree that the search explores: its line, and every child of the nodes on it and of those that somebody has opened.

use std::collections::BTreeSet;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Position, Rect},
    text::Line,
};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    engine::reply::{
        Fate, FrameReport, NodeExplained, Reply, Run, StopReport, TreeExplained, Where,
    },
    text::number::{percent, score, short, window},
    tui::{
        data::{BoardOf, TreeSpot},
        keymap::{Binding, own},
        layout::{Areas, PaneSlot},
        log::LogLine,
        pane::{Pane, STYLE, Scroll, Tag, cut, wrapped},
        state::ScreenState,
    },
};

static TAG: Tag = Tag { name: "tree", keys: "3", about: "the search tree", place: PaneSlot::Top };

/// A replay may take so many milliseconds each time the tree is asked for: keys are answered in between.
const SLICE: u64 = 5;
/// From so many columns on bars are long and scores have all their decimals.
const WIDE: usize = 56;

/// The moves that lead to a row; of several moves in one, with the sign of what has become of them in the end.
type Path = Vec<String>;

/// The tree.
#[derive(Debug, Default)]
pub struct TreePane {
    scroll: Scroll,
    /// The row under the cursor; the selected frame's where none is.
    cursor: Option<Path>,
    /// What has been opened that is closed by itself.
    opened: BTreeSet<Path>,
    /// What has been closed that is open by itself: nodes under way.
    closed: BTreeSet<Path>,
    /// The root of the search that this belongs to.
    root: String,
    /// The last tree that was replayed to its end.
    known: Option<TreeExplained>,
    /// Commands on their way that select the frame under the cursor.
    selecting: usize,
    /// What the cursor went on to before such a command came back.
    went_on: Option<TreeSpot>,
}

/// A row: a node, several moves that nobody has searched, or one of those.
#[derive(Clone, Debug)]
struct TreeRow {
    path: Path,
    /// Its place in the tree.
    node: usize,
    /// Which of several moves it is.
    nth: Option<usize>,
    /// What is drawn before it.
    lead: String,
    /// Whether what is below it is shown, where there is anything.
    open: Option<bool>,
    /// Whether it is open by itself.
    by_itself: bool,
    /// The frame of the stack that it is.
    frame: Option<usize>,
}

impl Pane for TreePane {
    fn tag(&self) -> &'static Tag {
        &TAG
    }

    fn wants(&self, state: &ScreenState) -> Vec<String> {
        let tree = (!state.searching && !state.data.frames().is_empty()).then(|| self.statement());
        ["where", "search result"].map(str::to_owned).into_iter().chain(tree).collect()
    }

    fn title(&self, state: &ScreenState) -> String {
        match state.data.get::<TreeExplained>() {
            Some(tree) if tree.replayed < tree.events => {
                let share = percent(tree.replayed, tree.events);
                format!("replaying {}", share.unwrap_or_default())
            }
            _ => String::new(),
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let (lines, cursor) = self.text(state, room.width as usize);
        // Something of what stands below the cursor is seen too.
        let end = (cursor.end + room.height as usize / 4).min(lines.len());
        // In a tab, where the frame has no room for the title, that stands below.
        let title = Some(self.title(state)).filter(|title| !title.is_empty());
        let below = title.filter(|_| !state.areas().tabs.is_empty());
        let rows = Constraint::Length(below.is_some().into());
        let [room, last] = Layout::vertical([Constraint::Fill(1), rows]).areas(room);
        self.scroll.show(cursor.start..end, room.height as usize);
        self.scroll.draw(frame, lines, room);
        let below = below.unwrap_or_default();
        frame.render_widget(Line::styled(cut(&below, last.width.into()), state.look.quiet), last);
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.scroll)
    }

    fn scroll(&mut self, state: &mut ScreenState, by: isize) {
        let Some(rows) = self.tree(state).map(|tree| self.rows(&tree, state)) else {
            return;
        };
        let to = self.at(&rows, state).saturating_add_signed(by);
        if let Some(row) = rows.get(to.min(rows.len().saturating_sub(1))) {
            self.select(state, row);
        }
    }

    fn click(&mut self, state: &mut ScreenState, room: Rect, at: Position) {
        let Some(rows) = self.tree(state).map(|tree| self.rows(&tree, state)) else {
            return;
        };
        let line = self.scroll.first() + usize::from(at.y - room.y);
        let (_, cursor) = self.text(state, room.width as usize);
        let here = self.at(&rows, state);
        let to = if line < cursor.start { line } else { (line + 1).saturating_sub(cursor.len()) };
        if cursor.contains(&line) {
            self.act(state, "tree-open");
        } else if let Some(row) = rows.get(to.max(if line < cursor.start { 0 } else { here + 1 })) {
            self.select(state, row);
        }
    }

    fn bindings(&self) -> Vec<Binding> {
        [
            own("tree-open", "enter right l", "shows what is below the node, and goes there"),
            own("tree-close", "left h", "hides what is below the node, or goes to its parent"),
        ]
        .map(|row| row.of(TAG.name))
        .into()
    }

    fn act(&mut self, state: &mut ScreenState, action: &str) {
        let Some(rows) = self.tree(state).map(|tree| self.rows(&tree, state)) else {
            return state.say(LogLine::Note, "no search is under way");
        };
        let at = self.at(&rows, state);
        let Some(row) = rows.get(at) else {
            return;
        };
        let below = rows.get(at + 1).filter(|below| below.path.starts_with(parent(&row.path)));
        match (action, row.open) {
            ("tree-open", Some(false)) | ("tree-close", Some(true)) => {
                self.cursor = Some(row.path.clone());
                let toggled = if row.by_itself { &mut self.closed } else { &mut self.opened };
                if !toggled.remove(&row.path) {
                    toggled.insert(row.path.clone());
                }
            }
            ("tree-open", Some(true)) if below.is_some() => self.scroll(state, 1),
            ("tree-open", _) => state.say(LogLine::Note, "nothing is below this node"),
            _ => match rows[..at].iter().rposition(|above| {
                row.path.starts_with(parent(&above.path)) && above.path.len() < row.path.len()
            }) {
                Some(above) => self.select(state, &rows[above].clone()),
                None => state.say(LogLine::Note, "this is the root: there is nothing above it"),
            },
        }
    }

    fn footer(&self, state: &ScreenState) -> Option<&'static [(&'static str, &'static str)]> {
        (!state.is_busy()).then_some(&[
            ("help", "help"),
            ("next-pane", "pane"),
            ("tree-open", "open"),
            ("tree-close", "close"),
            ("position", "the game"),
            ("step", "step"),
            ("over", "over"),
            ("back", "back"),
            ("zoom", "zoom"),
            ("quit", "quit"),
        ])
    }

    fn hear(&mut self, reply: Option<&dyn Reply>) -> bool {
        let Some(reply) = reply else {
            return false;
        };
        if reply.is::<FrameReport>() && self.selecting > 0 {
            self.selecting -= 1;
        } else if reply.is::<FrameReport>() || reply.is::<StopReport>() || reply.is::<Run>() {
            (self.cursor, self.went_on, self.selecting) = (None, None, 0);
        }
        false
    }

    fn looked_up(&mut self, state: &mut ScreenState) {
        let root = state.data.frames().first().map_or("", |root| &root.state);
        if root != self.root {
            *self = Self { root: root.to_owned(), ..Self::default() };
        }
        let tree = state.data.get::<TreeExplained>();
        if let Some(tree) = tree.filter(|tree| tree.replayed == tree.events) {
            self.known = Some(tree.clone());
        }
        if self.selecting == 0
            && let Some(spot) = self.went_on.take()
        {
            state.shown = BoardOf::Node(spot);
        }
    }
}

impl TreePane {
    /// What is asked for: the tree with the children of what has been opened.
    fn statement(&self) -> String {
        let lines =
            self.opened.iter().filter(|path| path.last().is_some_and(|last| !is_sign(last)));
        let lines: Vec<_> = lines.map(|path| path.join(" ")).collect();
        format!("explain tree {} --ms {SLICE}", lines.join(", "))
    }

    /// The tree of this moment: as the replay has it, or what the stack alone tells of it.
    fn tree(&self, state: &ScreenState) -> Option<TreeExplained> {
        let stack = state.data.get::<Where>().filter(|stack| !stack.frames.is_empty())?;
        let run = state.data.get::<Run>();
        let whole = state.data.get::<TreeExplained>().filter(|tree| tree.replayed == tree.events);
        let events = run.map_or(0, |run| run.events);
        let known = whole.or(self.known.as_ref()).filter(|tree| tree.events == events);
        Some(known.filter(|_| !state.searching).cloned().unwrap_or_else(|| sketch(stack, run)))
    }

    fn rows(&self, tree: &TreeExplained, state: &ScreenState) -> Vec<TreeRow> {
        let above = state.data.frames().split_last().map_or(&[][..], |(_, above)| above);
        let way = above.iter().map(|frame| frame.mv.clone().unwrap_or_default()).collect();
        let mut rows = TreeRows { pane: self, tree, way, rows: Vec::new() };
        if !tree.nodes.is_empty() {
            rows.node(0, (String::new(), String::new()));
        }
        rows.rows
    }

    /// The row under the cursor.
    fn at(&self, rows: &[TreeRow], state: &ScreenState) -> usize {
        let selected = state.data.get::<Where>().map(|stack| stack.selected);
        let cursor = self.cursor.as_ref();
        let cursor = cursor.and_then(|path| rows.iter().position(|row| row.path == *path));
        let frame = || rows.iter().rposition(|row| row.frame.is_some() && row.frame <= selected);
        cursor.or_else(frame).unwrap_or(0)
    }

    /// Puts the cursor on a row; the board follows.
    fn select(&mut self, state: &mut ScreenState, row: &TreeRow) {
        self.cursor = Some(row.path.clone());
        self.went_on = None;
        if let Some(frame) = row.frame.filter(|_| !state.is_busy()) {
            self.selecting += 1;
            return state.run(format!("frame {frame}"));
        }
        let tree = self.tree(state);
        let Some(node) = tree.as_ref().map(|tree| &tree.nodes[row.node]) else {
            return;
        };
        let several = node.moves.len() > 1 && row.nth.is_none();
        if let Some(position) = node.states.get(row.nth.unwrap_or(0)).filter(|_| !several) {
            let spot = TreeSpot {
                line: row.path.clone(),
                state: position.clone(),
                reply: node.reply.clone(),
                refuted: node.cutoff.is_some(),
            };
            self.went_on = (self.selecting > 0).then(|| spot.clone());
            state.shown = BoardOf::Node(spot);
        }
    }

    /// The rows as lines, that under the cursor as many as it takes, and which these are.
    fn text(
        &self,
        state: &ScreenState,
        width: usize,
    ) -> (Vec<Line<'static>>, std::ops::Range<usize>) {
        let Some(tree) = self.tree(state) else {
            return (vec![Line::raw("No search is under way.")], 0..1);
        };
        let rows = self.rows(&tree, state);
        let at = self.at(&rows, state);
        let last = rows.iter().rposition(|row| row.frame.is_some());
        let names: Vec<_> = rows.iter().map(|row| name(&tree, row)).collect();
        let in_columns = |row: &TreeRow| row.frame.is_none() && tree.nodes[row.node].is_searched();
        let widths = rows.iter().zip(&names).filter(|(row, _)| in_columns(row));
        let column = widths.map(|(_, name)| name.width()).max().unwrap_or(0).min(width / 2);
        let mut lines = Vec::new();
        let mut cursor = 0..1;
        for (place, (row, name)) in rows.iter().zip(names).enumerate() {
            let text = told(&tree, row, (&name, column), width, last == Some(place));
            let begin = lines.len();
            if place == at {
                let (first, rest) = folded(&text, width);
                let lead = format!("{}│   ", below(&row.lead));
                let room = width.saturating_sub(lead.width());
                let rest = if rest.is_empty() { Vec::new() } else { wrapped(&rest, room) };
                let texts =
                    std::iter::once(first).chain(rest.iter().map(|text| lead.clone() + text));
                lines.extend(texts.map(|text| Line::styled(text, state.look.selected)));
                cursor = begin..lines.len();
                continue;
            }
            let look = &state.look;
            let style = match tree.nodes[row.node].kind {
                Fate::UnderWay => look.accent,
                Fate::Spared => look.warning,
                Fate::ToCome => look.quiet,
                _ => look.text,
            };
            lines.push(Line::styled(cut(&text, width), style));
        }
        if let Some(fault) = state.data.fault(&self.statement()) {
            let texts = wrapped(fault, width).into_iter();
            lines.extend(texts.map(|text| Line::styled(text, state.look.quiet)));
        }
        (lines, cursor)
    }
}

/// A row and what is shown below it.
struct TreeRows<'a> {
    pane: &'a TreePane,
    tree: &'a TreeExplained,
    /// The moves from the root to the node at hand.
    way: Vec<String>,
    rows: Vec<TreeRow>,
}

impl TreeRows<'_> {
    /// A node with what stands before it, and before what is below it.
    fn node(&mut self, node: usize, (lead, inner): (String, String)) {
        let found = &self.tree.nodes[node];
        let mut path = self.tree.line(node);
        if found.moves.len() > 1 {
            path.push(sign(found).to_owned());
        }
        let is_under_way = found.kind == Fate::UnderWay || node == 0;
        let is_frame = found.is_searched() && self.way.starts_with(&path);
        let frame = is_frame.then_some(path.len());
        let has_more = is_under_way || found.kind == Fate::Inner || found.moves.len() > 1;
        let is_open = if is_under_way {
            !self.pane.closed.contains(&path)
        } else {
            self.pane.opened.contains(&path)
        };
        let row = TreeRow {
            path: path.clone(),
            node,
            nth: None,
            lead,
            open: has_more.then_some(is_open),
            by_itself: is_under_way,
            frame,
        };
        self.rows.push(row.clone());
        if !has_more || !is_open {
            return;
        }
        let children: Vec<_> = self.tree.children(node).collect();
        for (place, child) in children.iter().enumerate() {
            self.node(*child, leads(&inner, place + 1 == children.len()));
        }
        if found.moves.len() > 1 {
            path.pop();
            for (nth, mv) in found.moves.iter().enumerate() {
                let (lead, _) = leads(&inner, nth + 1 == found.moves.len());
                let path = path.iter().chain([mv]).cloned().collect();
                self.rows.push(TreeRow { path, nth: Some(nth), lead, open: None, ..row.clone() });
            }
        }
    }
}

/// What stands before a child, and before what is below that.
fn leads(inner: &str, is_last: bool) -> (String, String) {
    let (branch, on) = if is_last { ("└", " ") } else { ("├", "│") };
    (format!("{inner}{branch}"), format!("{inner}{on} "))
}

/// What stands before the further lines of a row.
fn below(lead: &str) -> String {
    lead.replace('├', "│").replace('└', " ")
}

/// The path of what a row hangs on; several moves in one hang on no move of their own.
fn parent(path: &[String]) -> &[String] {
    match path.split_last() {
        Some((last, above)) if is_sign(last) => above,
        _ => path,
    }
}

/// The sign of what has become of a node. What is under way has another one than what can be opened.
fn sign(node: &NodeExplained) -> &'static str {
    if node.kind == Fate::UnderWay { "›" } else { node.mark(STYLE) }
}

fn is_sign(word: &str) -> bool {
    word == STYLE.cut() || word == STYLE.to_come()
}

/// A row up to its value.
fn name(tree: &TreeExplained, row: &TreeRow) -> String {
    let node = &tree.nodes[row.node];
    let open = match row.open {
        Some(true) => "▾",
        Some(false) => "▸",
        None => " ",
    };
    let name = row.nth.map_or_else(|| node.name(), |nth| node.moves[nth].clone());
    format!("{}{open}{} {name}", row.lead, sign(node))
}

/// A row: its name, and as far as there is room value, bar, share and what else is to be known.
fn told(
    tree: &TreeExplained,
    row: &TreeRow,
    (name, column): (&str, usize),
    width: usize,
    is_here: bool,
) -> String {
    let node = &tree.nodes[row.node];
    if node.moves.len() > 1 && row.nth.is_none() {
        let spared = if node.kind == Fate::Spared {
            tree.spared_for(row.node, STYLE)
        } else {
            String::new()
        };
        return format!("{name} {spared}").trim_end().to_owned() + ": " + &node.moves.join(" ");
    }
    let share = tree.share(row.node);
    let percent = share.and_then(|(part, whole)| percent(part, whole)).unwrap_or_default();
    if row.frame.is_some() {
        let [alpha, beta] = window([node.alpha, node.beta], score, STYLE);
        let facts = [
            percent,
            if is_here { "◀ here".to_owned() } else { String::new() },
            node.worth(|value| score(value, STYLE), STYLE),
            format!("d{} [{alpha}, {beta}]", node.depth),
            node.answer("best", STYLE),
        ];
        let facts = facts.into_iter().filter(|fact| !fact.is_empty());
        return format!("{name}  {}", facts.collect::<Vec<_>>().join("  "));
    }
    let known = tree.note(row.node, STYLE);
    if !node.is_searched() {
        return format!("{name} {known}");
    }
    let (cells, room, decimals) = if width >= WIDE { (12, 10, 10) } else { (4, 8, 6) };
    let value = node.worth(|value| short(value, decimals, STYLE), STYLE);
    let bar = share.map_or(0, |(part, whole)| (part * cells as u64).div_ceil(whole.max(1)));
    let bar = "▇".repeat(bar as usize);
    format!("{name:<column$} {value:<room$} {bar:<cells$} {percent:>6}  {known}")
}

/// A text cut between facts, or else between words, where a line of so many columns ends, and the rest.
fn folded(text: &str, width: usize) -> (String, String) {
    if text.width() <= width {
        return (text.to_owned(), String::new());
    }
    let ends = |gap: &str| {
        let ends = text.match_indices(gap).map(|(at, _)| at);
        ends.filter(|at| (width / 2..=width).contains(&text[..*at].width())).last()
    };
    let at = ends("  ").or_else(|| ends(" ")).unwrap_or(0);
    (text[..at].to_owned(), text[at..].trim().to_owned())
}

/// What the stack alone tells of the tree: the values of the root's moves, and of other nodes' what has been searched.
fn sketch(stack: &Where, run: Option<&Run>) -> TreeExplained {
    let mut nodes: Vec<NodeExplained> = Vec::new();
    let (mut parent, mut unsearched) = (None, Vec::new());
    let frames = &stack.frames;
    for (place, frame) in frames.iter().enumerate() {
        let node = NodeExplained::unknown(parent, frame.ply, frame.side);
        let above = frame.ply.checked_sub(1).and_then(|above| frames.get(above as usize));
        nodes.push(NodeExplained {
            depth: frame.depth,
            moves: above.and_then(|above| above.mv.clone()).into_iter().collect(),
            states: vec![frame.state.clone()],
            kind: Fate::UnderWay,
            alpha: frame.alpha,
            beta: frame.beta,
            reply: frame.best_move.clone(),
            ..node
        });
        let here = Some(nodes.len() - 1);
        let child = |moves: Vec<String>, kind| NodeExplained {
            moves,
            kind,
            ..NodeExplained::unknown(here, frame.ply + 1, frame.side.other())
        };
        let entered = frame.child.min(frame.moves.len());
        let under_way = usize::from(frame.mv.is_some() && place + 1 < frames.len());
        for mv in &frame.moves[..entered.saturating_sub(under_way)] {
            let moves = run.filter(|_| frame.ply == 0).map_or(&[][..], |run| &run.moves);
            let value = moves.iter().find(|known| known.mv == *mv).and_then(|known| known.value);
            let best = frame.best_move.as_ref() == Some(mv);
            nodes.push(NodeExplained { value, best, ..child(vec![mv.clone()], Fate::Inner) });
        }
        let rest = child(
            frame.moves[entered..].to_vec(),
            if frame.is_cut() { Fate::Spared } else { Fate::ToCome },
        );
        unsearched.extend((!rest.moves.is_empty()).then_some(rest));
        parent = here;
    }
    nodes.extend(unsearched);
    TreeExplained { depth: stack.iteration, replayed: 0, events: 0, nodes, omitted: 0 }
}
