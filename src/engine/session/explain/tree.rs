//! The search tree as far as it has been opened: on the stack and along chosen lines of moves.

use serde::Serialize;

use crate::{
    engine::{
        core::game::is_default,
        debugger::Debugger,
        explain::{Branch, TreeReplay, search_order},
        game::{Fault, Game, MoveText, Result, Score, Window},
        recording::Running,
        search::{EventKind, MoveTreatment},
        session::{
            Session,
            reply::Reply,
            search::{FrameReport, Where},
        },
    },
    text::{TextTable, count, headline, layout, lines, number, or_empty, words},
};

pub use crate::engine::explain::{CutBy, NodeExplained, NodeOutcome};

/// The reply of `explain tree`: the nodes of the current iteration on the stack and on chosen lines, with their children.
#[derive(Clone, Debug, Serialize)]
pub struct TreeExplained {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// Number of events that the replay has reached.
    pub replayed: u64,
    /// Number of events of the search; the tree is out of date while `replayed` is smaller.
    pub events: u64,
    /// The nodes, root first, parents before their children, siblings in search order.
    pub nodes: Vec<NodeExplained>,
    /// Number of nodes left out of a picture for lack of room.
    #[serde(skip_serializing_if = "is_default")]
    pub omitted: u64,
}

impl<G: Game> Session<G> {
    /// The tree of a replay, with the moves still to come. The last move of each of `lines` gets a node of its own.
    pub(super) fn report_tree(
        &self,
        tree: &TreeReplay<G, Debugger<G>>,
        lines: &[Vec<MoveText>],
        share: Option<u64>,
        events: u64,
    ) -> TreeExplained {
        let (game, branches) = (self.game(), &tree.builder.branches);
        let (depth, replayed) = (tree.builder.depth, tree.replay.events());
        let mut report = TreeExplained { depth, replayed, events, nodes: Vec::new(), omitted: 0 };
        let running = tree.replay.running.as_ref();
        // The tree can have many nodes, so only the root's children are shown until the replay is complete.
        if let Some(running) = running.filter(|_| replayed == events) {
            let shown = tree.builder.shown(&running.search, share);
            let nodes = branches.iter().zip(&shown).map(|(branch, is_shown)| {
                if *is_shown { branch.explained(game, branches) } else { branch.node.clone() }
            });
            report.nodes = nodes.collect();
            self.report_stack(&mut report, tree, running);
            report.keep(&shown);
        } else {
            let above = branches.iter().filter(|branch| branch.node.ply < 2);
            report.nodes = above.map(|branch| branch.explained(game, branches)).collect();
        }
        for line in lines {
            report.single_out(line);
        }
        report
    }

    /// Completes the nodes on the stack: their node counts so far, their windows, and a node for the moves still to come.
    fn report_stack(
        &self,
        report: &mut TreeExplained,
        tree: &TreeReplay<G, Debugger<G>>,
        running: &Running<G>,
    ) {
        let (game, branches) = (self.game(), &tree.builder.branches);
        let (search, table) = (&running.search, &tree.replay.searcher.table);
        // In a trace the root stays on the stack after the search has left it.
        let is_over =
            search.is_over() || search.last_kind() == EventKind::Leave && search.ply() == 0;
        let stack = tree.builder.stack(search).iter().zip(search.frames()).enumerate();
        for (ply, (place, frame)) in stack {
            let Some(place) = *place else { continue };
            let (branch, node) = (&branches[place], &mut report.nodes[place]);
            node.nodes = branch.nodes_so_far(search);
            node.window = frame.current_window().or(frame.window);
            if node.kind == NodeOutcome::Inner && !is_over {
                node.kind = NodeOutcome::UnderWay;
            }
            let moves = search_order(&running.context(game), search, table, ply);
            // The moves entered last may not have a node yet, so they count as still to come.
            let entered = moves[..frame.entered()].iter().rev().take_while(|mv| {
                let mut tried = branches.iter().filter(|child| child.node.parent == Some(place));
                !tried.any(|child| child.moves.contains(mv))
            });
            let to_come = &moves[frame.entered() - entered.count()..];
            if branch.node.cutoff.is_none() && !to_come.is_empty() {
                let ply = branch.node.ply + 1;
                let to_come = Branch::unsearched(place, ply, to_come, Window::INFINITE);
                let node = to_come.explained(game, branches);
                report.nodes.push(NodeExplained { kind: NodeOutcome::Pending, ..node });
            }
        }
    }
}

impl TreeExplained {
    /// Returns the tree. Fails if the tree has no node, because the search has not begun an iteration.
    pub(super) fn not_empty(self) -> Result<Self> {
        if self.nodes.is_empty() {
            return Err(Fault::new("the search has not begun an iteration: there is no tree")
                .hint("`step 100` goes on"));
        }
        Ok(self)
    }

    /// The indices of the children of the node with this index.
    pub fn children(&self, place: usize) -> impl Iterator<Item = usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(move |(_, node)| node.parent == Some(place)).map(|(child, _)| child)
    }

    /// The moves from the root to the node with this index; for a group of unsearched moves, to its parent.
    pub fn line(&self, place: usize) -> Vec<MoveText> {
        let node = &self.nodes[place];
        let mut line = node.parent.map_or_else(Vec::new, |parent| self.line(parent));
        line.extend(node.moves.first().filter(|_| node.moves.len() == 1).cloned());
        line
    }

    /// The nodes visited in a node's subtree and in its parent's; `None` for the root and for unsearched moves.
    pub fn share(&self, place: usize) -> Option<(u64, u64)> {
        let node = self.nodes.get(place).filter(|node| node.is_searched())?;
        let parent = &self.nodes[node.parent?];
        Some((node.nodes, parent.nodes - parent.earlier))
    }

    /// Remarks on a node: how it ended, its best reply, how it was searched; with `brief` only one, in a word or two.
    pub fn note(&self, place: usize, brief: bool) -> String {
        let node = &self.nodes[place];
        if node.kind == NodeOutcome::NotSearched {
            return format!("not searched: {}", self.spared_for(place, brief));
        }
        let word = |long, short| if brief { short } else { long };
        let kind = match node.kind {
            NodeOutcome::Leaf => "eval",
            NodeOutcome::StandPat => word("stands pat", "pat"),
            NodeOutcome::Terminal => word("game over", "over"),
            NodeOutcome::Tables => word("from endgame tables", "tables"),
            NodeOutcome::Hit => word("from the cache", "cache"),
            NodeOutcome::UnderWay => "under way",
            NodeOutcome::Pending => "to come",
            NodeOutcome::Inner | NodeOutcome::NotSearched => "",
        };
        let reply = node.reply_text(Some("reply").filter(|_| !brief));
        let is_alone = kind.is_empty() && reply.is_empty();
        let best = if node.best && (is_alone || !brief) { "best" } else { "" };
        let how = how(node.treatment, node.again, node.is_scout).filter(|_| !brief || is_alone);
        let all = [Some(best), Some(kind), Some(&*reply), how].into_iter().flatten();
        all.filter(|remark| !remark.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Why the moves of a node were not searched, as a clause; with `brief` without the values.
    pub fn spared_for(&self, place: usize, brief: bool) -> String {
        if let Some(reason) = &self.nodes[place].reason {
            return reason.clone();
        }
        let parent = self.nodes[place].parent.map(|parent| (parent, &self.nodes[parent]));
        let cut = parent.and_then(|(parent, node)| {
            let cut = node.cutoff.as_ref()?;
            let by = self.children(parent).find(|child| self.nodes[*child].is(&cut.mv))?;
            (by < place).then_some(cut)
        });
        cut.map_or_else(
            || "quiet, and the static value is too far below α".to_owned(),
            |CutBy { mv, value, beta }| {
                let [value, beta] = [value, beta].map(|value| number::score(*value));
                if brief {
                    format!("after {mv} ≥ β")
                } else {
                    format!("after {mv} = {value} ≥ β {beta}")
                }
            },
        )
    }

    /// The stack as a tree: its nodes, and the root's other moves with their values in the current iteration.
    pub fn of_stack(stack: &Where) -> Self {
        let (frames, values) = (&stack.frames, &stack.root_values);
        let under_way = |place: usize, parent| NodeExplained {
            parent,
            ply: frames[place].ply,
            side: frames[place].side,
            depth: frames[place].depth,
            moves: frames[..place].last().and_then(|above| above.mv.clone()).into_iter().collect(),
            states: vec![frames[place].state.clone()],
            kind: NodeOutcome::UnderWay,
            window: frames[place].open,
            reply: frames[place].best_move.clone(),
            cutoff: cut_by(&frames[place]),
            ..NodeExplained::default()
        };
        let mut nodes = Vec::new();
        if let Some(root) = frames.first() {
            nodes.push(under_way(0, None));
            let known = values.moves.iter().filter(|(mv, ..)| Some(mv) != root.mv.as_ref());
            nodes.extend(known.map(|(mv, value, bound)| NodeExplained {
                moves: vec![mv.clone()],
                parent: Some(0),
                ply: root.ply + 1,
                side: root.side.other(),
                value: Some(*value),
                bound: *bound,
                best: root.best_move.as_ref() == Some(mv),
                ..NodeExplained::default()
            }));
        }
        for place in 1..frames.len() {
            let above = if place == 1 { 0 } else { nodes.len() - 1 };
            nodes.push(under_way(place, Some(above)));
        }
        Self { depth: values.depth, replayed: 0, events: 0, nodes, omitted: 0 }
    }

    /// The tree in which every group of unsearched moves has one child per move.
    #[must_use]
    pub fn with_single_moves(mut self) -> Self {
        for place in 0..self.nodes.len() {
            let group = self.nodes[place].clone();
            let each = group.moves.iter().zip(&group.states).filter(|_| group.moves.len() > 1);
            self.nodes.extend(each.map(|(mv, state)| NodeExplained {
                parent: Some(place),
                moves: vec![mv.clone()],
                states: vec![state.clone()],
                ..group.clone()
            }));
        }
        self
    }

    /// A node in sentences, one per line. A remark on a group of moves applies to each of them.
    pub fn in_words(&self, place: usize) -> String {
        let (node, line) = (&self.nodes[place], self.line(place));
        let [alpha, beta] = node.window_text();
        let group = node.parent.filter(|parent| self.nodes[*parent].moves.len() > 1);
        let remark = match node.kind {
            NodeOutcome::Leaf => "No depth is left: the static value is the value.".to_owned(),
            NodeOutcome::StandPat => {
                "Quiescence stands pat: the static value reaches β, so no capture is searched."
                    .to_owned()
            }
            NodeOutcome::Terminal => "The game is over here.".to_owned(),
            NodeOutcome::Hit => "A cache entry answers, so nothing is searched.".to_owned(),
            NodeOutcome::Pending => {
                let moves = if node.moves.len() > 1 { "these moves" } else { "this move" };
                format!("To come: the search has not reached {moves} yet.")
            }
            _ => self.note(group.unwrap_or(place), false),
        };
        let whose = if node.parent.is_some() { "the parent" } else { "the side to move" };
        let value = || format!("Value {}, for {whose}", node.worth(number::score));
        let facts = [
            (!line.is_empty()).then(|| format!("Moves: {}", words(&line))),
            (node.moves.len() > 1).then(|| format!("These moves: {}", words(&node.moves))),
            node.value.map(|_| value()),
            node.is_searched().then(|| format!("Depth {}, window [{alpha}, {beta}]", node.depth)),
            Some(remark).filter(|remark| !remark.is_empty()),
            node.event.map(|event| format!("Entered at event {}", count(event))),
        ];
        facts.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    /// Removes the nodes that `shown` leaves out, with all below them; nodes beyond its end are kept.
    fn keep(&mut self, shown: &[bool]) {
        let mut places = Vec::with_capacity(self.nodes.len());
        let mut kept = Vec::new();
        for (place, mut node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            places.push(kept.len());
            if shown.get(place) != Some(&false) {
                node.parent = node.parent.map(|parent| places[parent]);
                kept.push(node);
            }
        }
        self.nodes = kept;
    }

    /// Takes the last move of a line out of its group of unsearched moves and gives it a node of its own.
    fn single_out(&mut self, line: &[MoveText]) {
        let Some((last, above)) = line.split_last() else { return };
        let is_parent = |node: &usize| self.nodes[*node].is_searched() && self.line(*node) == above;
        let Some(parent) = (0..self.nodes.len()).find(is_parent) else { return };
        for node in 0..self.nodes.len() {
            let group = &mut self.nodes[node];
            if group.parent == Some(parent)
                && group.moves.len() > 1
                && let Some(at) = group.moves.iter().position(|mv| mv == last)
            {
                let single = NodeExplained {
                    moves: vec![group.moves.remove(at)],
                    states: vec![group.states.remove(at)],
                    ..group.clone()
                };
                self.nodes.push(single);
            }
        }
    }

    /// Adds a node and its descendants to `rows`, in the order of the text.
    fn rows(&self, place: usize, rows: &mut Vec<usize>) {
        rows.push(place);
        for child in self.children(place) {
            self.rows(child, rows);
        }
    }
}

impl NodeExplained {
    /// α and β as text, like the value for the side that made the move; of the root, for its side to move.
    pub fn window_text(&self) -> [String; 2] {
        let Window { alpha, beta } = self.window;
        let of_mover =
            if self.ply == 0 { self.window } else { Window { alpha: -beta, beta: -alpha } };
        number::window(of_mover, number::score)
    }

    /// The best reply, or `✂` and the move that cut off, after `label`; without a label only the move. Empty if unknown.
    pub fn reply_text(&self, label: Option<&str>) -> String {
        match (&self.cutoff, &self.reply, label) {
            (Some(cut), _, Some(_)) => format!("✂ by {}", cut.mv),
            (Some(cut), _, None) => format!("✂ {}", cut.mv),
            (None, Some(reply), Some(label)) => format!("{label} {reply}"),
            (None, Some(reply), None) => reply.to_string(),
            (None, None, _) => String::new(),
        }
    }

    /// Whether the node stands for this single move, not for a group of moves.
    pub fn is(&self, mv: &MoveText) -> bool {
        matches!(self.moves.as_slice(), [only] if only == mv)
    }

    /// Whether the node was searched, or is being searched.
    pub fn is_searched(&self) -> bool {
        !matches!(self.kind, NodeOutcome::Pending | NodeOutcome::NotSearched)
    }

    /// The node's move; for a group of unsearched moves, their number; `root` for the root.
    pub fn name(&self) -> String {
        match (self.moves.as_slice(), self.kind) {
            ([], _) => "root".to_owned(),
            ([only], _) => only.to_string(),
            (several, NodeOutcome::NotSearched) => format!("{} not searched", several.len()),
            (several, _) => format!("{} to come", several.len()),
        }
    }

    /// The symbol for the state of the node: `▸` being searched, `·` to come, `✂` not searched, `★` the best move so far, `✓` any other searched move.
    pub const fn mark(&self) -> &'static str {
        match self.kind {
            NodeOutcome::UnderWay => "▸",
            NodeOutcome::Pending => "·",
            NodeOutcome::NotSearched => "✂",
            _ if self.best => "★",
            _ => "✓",
        }
    }

    /// The node's value after `=`, `≥` or `≤`; empty if unknown.
    pub fn worth(&self, write: impl Fn(Score) -> String) -> String {
        let sign = match self.bound {
            Some(bound @ ("lower" | "upper")) => number::bound(bound),
            _ => "=",
        };
        or_empty(self.value.map(|value| format!("{sign} {}", write(value))))
    }
}

impl Reply for TreeExplained {
    fn text(&self) -> String {
        let mut rows = Vec::new();
        self.rows(0, &mut rows);
        let node = |row: &usize| &self.nodes[*row];
        let table = TextTable::of(rows)
            .left("  move", |row| {
                let indent = layout::blank(2 * node(row).ply as usize);
                format!("{} {indent}{}", node(row).mark(), node(row).name())
            })
            .left("value", |row| node(row).worth(number::score))
            .left("truth", |row| or_empty(node(row).truth))
            .right("nodes", |row| or_empty(node(row).is_searched().then(|| count(node(row).nodes))))
            .right("", |row| {
                or_empty(self.share(*row).and_then(|(part, whole)| number::percent(part, whole)))
            })
            .right("base", |row| or_empty(node(row).base.map(count)))
            .left("", |row| match node(row) {
                several if several.moves.len() > 1 => match &several.reason {
                    Some(reason) => format!("not searched: {reason}: {}", words(&several.moves)),
                    None => words(&several.moves),
                },
                _ => self.note(*row, false),
            });
        let [done, all] = [self.replayed, self.events].map(count);
        let replayed =
            (self.replayed < self.events).then(|| format!("replayed {done} of {all} events"));
        let values = "values are for the side that moves".to_owned();
        lines([
            headline([format!("iteration {}", self.depth), or_empty(replayed), values]),
            table.render(),
        ])
    }
}

/// How a move is searched, in a word or two; `None` for the full depth and the open window.
pub const fn how(treatment: MoveTreatment, again: bool, is_scout: bool) -> Option<&'static str> {
    match (treatment, again, is_scout) {
        (MoveTreatment::Null, ..) => Some("null move"),
        (MoveTreatment::Reduced, ..) => Some("reduced"),
        (MoveTreatment::Extended, ..) => Some("extended"),
        (_, true, _) => Some("again"),
        (.., true) => Some("zero window"),
        _ => None,
    }
}

/// The move, value and β of a frame's cutoff; `None` without a cutoff.
fn cut_by(frame: &FrameReport) -> Option<CutBy> {
    let (value, beta) = (frame.best?, frame.window.beta);
    let mv = frame.best_move.clone()?;
    (value >= beta).then_some(CutBy { mv, value, beta })
}
