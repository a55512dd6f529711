//! Explanations: why the root has its value, why a move was not chosen, what a cache entry does.

mod event;
mod reply;
mod slices;
mod tree;

use std::time::{Duration, Instant};

use super::{
    Session,
    reply::{Replied, boxed},
    search::Run,
};

use crate::engine::{
    audit::{Halted, check_entry},
    debugger::Debugger,
    explain::{Branch, End, TreeBuilder, TreeReplay, Windows},
    game::{Fault, Game, History as _, Keyed, Result, Side, move_in},
    progress::Unit,
    recording::Running,
    search::{Iteration, RootMove},
    table::{Entry, Field, FieldSource, Probe, Reuse, SearchTable as _, Slot, with_table},
    workers::interrupted,
};
pub use event::EventExplained;
pub use reply::*;
pub use slices::{NodeEnd, Slice};
pub use tree::*;

/// The most replays of a search that are kept for trees.
// Each replay has a transposition table of its own.
const MOST_TREES: usize = 2;

impl<G: Game> Session<G> {
    /// The fault that the game is over, if it is; otherwise the given fault.
    fn unless_over(&self, fault: Fault) -> Fault {
        self.check_going_on().err().unwrap_or(fault)
    }

    /// The current search and its last complete iteration. Fails if none is complete.
    fn explainable(&self) -> Result<(&Running<G>, &Iteration<G>)> {
        let running = self.run.under_way()?;
        let complete = running.search.complete().ok_or_else(|| {
            let fault = "the search has not completed an iteration: there is no value to explain";
            self.unless_over(Fault::new(fault).hint("`until iteration` or `continue` goes on"))
        })?;
        Ok((running, complete))
    }

    /// Why a root move has its value at this depth, found by a plain search of at most `nodes` nodes.
    fn reasons(&self, running: &Running<G>, first: &RootMove<G>, depth: u8, nodes: u64) -> Reasons {
        let root = (running.search.root(), &self.now.history);
        let full = running.search.full_window();
        let mut plain = self.plain(&running.evaluator, self.settings().mode(), Some(nodes));
        self.watching("explaining", Unit::Nodes, 0, |_| {
            Reasons::of(&mut plain, &self.run.searcher.weights, root, first, depth, full)
        })
    }

    /// Whether an entry is right, by a plain search of at most `most` nodes; and the nodes visited.
    fn verdict(
        &self,
        position: Option<G::Position>,
        at: Keyed<G::Key>,
        entry: Entry,
        most: u64,
    ) -> Result<(Verdict, u64)> {
        if G::IS_TRACE {
            let reason = "only the program that wrote it can search its position again";
            return Ok((Verdict::Unchecked { reason }, 0));
        }
        let evaluator = self.evaluator()?;
        let mut plain = self.plain(&evaluator, self.settings().mode(), Some(most));
        let verdict = self.watching("explaining", Unit::Nodes, 0, |_| {
            check_entry(&mut plain, &self.run.searcher.table, (position, at, entry))
        });
        let verdict = verdict.unwrap_or_else(|halted| Verdict::Unchecked {
            reason: match halted {
                Halted::Interrupted => "the search for its true value was interrupted",
                Halted::Effort => {
                    "its true value takes more nodes than a check visits (`--budget`)"
                }
            },
        });
        Ok((verdict, plain.nodes()))
    }

    /// What a probe from the selected frame does with an entry; without a search, a probe with the full window.
    fn probe_explained(&self, at: Keyed<G::Key>, entry: &Entry) -> Option<ProbeExplained> {
        let searcher = &self.run.searcher;
        let (game, mode) = (&searcher.game, searcher.mode());
        let (ply, depth, window, side, same_key, used) = if let Ok(running) = self.run.under_way() {
            let ply = running.selected_ply();
            let frame = running.search.frames().get(ply)?;
            let history = running.search.history_at(ply);
            let key = game.node_key(&frame.position, &history, running.mode.scheme, frame.depth);
            let side = Some(game.side(&frame.position));
            let used = frame.uses_table(&mode);
            (Some(ply as u32), frame.depth, frame.window, side, key == at.key, used)
        } else {
            let side = self.position_of(at).map(|position| game.side(&position));
            let full = game.full_window(&self.evaluator().ok()?);
            let depth = entry.depth.unwrap_or(0);
            (None, depth, full, side, true, depth > 0 || mode.leaves)
        };
        let slot = Slot { key: at.key, negated: mode.negate_black && side == Some(Side::Black) };
        let learned = || with_table!(&searcher.table, table => table.leaf_value(slot));
        let has_leaf = depth == 0 && !(G::HAS_QUIESCENCE && mode.quiescence);
        let found = searcher.table.probe(slot, depth, window).filter(|_| used);
        let (outcome, value, changed) = match found {
            None if has_leaf && let Some(value) = learned() => ("answer", Some(value), None),
            None => ("unasked", None, None),
            Some(Probe::Hit(value)) => ("answer", Some(value), None),
            Some(Probe::Search { window, found: true }) => ("search", None, Some(window.into())),
            Some(Probe::Search { .. }) => ("miss", None, None),
        };
        Some(ProbeExplained { ply, same_key, depth, window, outcome, value, changed })
    }

    /// Reads a line of moves from the root of the current search. Null moves are allowed.
    fn read_line(&self, line: &str) -> Result<Vec<G::Move>> {
        let game = self.game();
        let mut position = self.run.under_way()?.search.root().clone();
        let mut history = self.now.history.clone();
        let mut moves = Vec::new();
        for word in line.split_whitespace().filter_map(move_in) {
            let pass = game.null_move(&position);
            let pass = pass.filter(|pass| game.is_move(&position, *pass, word));
            let mv = pass.map_or_else(|| game.read_move(&position, &history, word), Ok)?;
            moves.push(mv);
            history.push(&position);
            position = game.apply(&position, mv);
        }
        Ok(moves)
    }
}

/// Commands that explain searches and cache entries, and change nothing.
pub trait ExplainCommands {
    /// Explains the last event; after the end of the search, the root's value.
    fn explain_last(&self, nodes: u64) -> Replied;
    /// Explains the root's value by a plain search of at most `nodes` nodes.
    fn explain_value(&self, nodes: u64) -> Result<ValueExplained>;
    /// Explains why a root move was chosen or not, by a plain search of at most `nodes` nodes.
    fn explain_move(&self, text: &str, nodes: u64) -> Result<MoveChoice>;
    /// How the selected node of a trace treated a move; `None` unless a trace is open.
    fn explain_traced_move(&self, text: &str) -> Option<Replied>;
    /// Explains why the selected frame is cut off, or what value would cut it off.
    fn explain_cutoff(&self) -> Result<CutoffExplained>;
    /// Explains the order in which the moves of the selected frame are searched.
    fn explain_order(&self) -> Result<OrderExplained>;
    /// Explains a cache entry: its meaning, whether its value is true, and what a probe from the selected frame does with it.
    fn explain_entry(&mut self, key: &str, nodes: u64) -> Result<EntryExplained>;
    /// The tree of the current iteration. Shown are the children of the nodes on the stack and on `lines` (lines of moves,
    /// separated by commas); with `share`, also those of nodes with at least that percentage of the nodes below the first line.
    /// After `ms` milliseconds the replay pauses; the next call continues it.
    fn explain_tree(
        &mut self,
        lines: &str,
        share: Option<u64>,
        ms: Option<u64>,
    ) -> Result<TreeExplained>;
    /// The tree of the last iteration for a picture, at most `plies` deep and with at most `nodes` nodes.
    fn tree(&mut self, plies: u32, nodes: usize) -> Result<TreeExplained>;
}

impl<G: Game> ExplainCommands for Session<G> {
    fn explain_last(&self, nodes: u64) -> Replied {
        let running = self.run.under_way()?;
        let search = &running.search;
        if search.is_over() && !G::IS_TRACE {
            return self.explain_value(nodes).map(boxed);
        }
        let before = || {
            Fault::new("nothing has happened yet: the search is before its first event")
                .hint("`step` runs one event")
        };
        let event = running.report_event(self.game()).ok_or_else(before)?;
        let algorithm = running.mode.algorithm;
        let windows = Windows { game: self.game(), search, algorithm };
        let ply = search.ply() as usize;
        let sources = [End::Alpha, End::Beta].map(|end| windows.open_source(ply, end));
        let origins = || origins(&sources, ply as u32);
        Ok(boxed(EventExplained {
            event,
            why: self.why(running).ok_or_else(before)?,
            origins: algorithm.has_windows().then(origins).unwrap_or_default(),
        }))
    }

    fn explain_value(&self, nodes: u64) -> Result<ValueExplained> {
        let (running, complete) = self.explainable()?;
        let chosen = running.search.best_moves();
        let Run { value, best, moves, pv, .. } = self.report_run(running);
        let (Some(value), Some(first)) = (value, chosen.first()) else {
            return Err(Fault::new("the search has found no value to explain"));
        };
        Ok(ValueExplained {
            value,
            best,
            moves,
            pv,
            reasons: self.reasons(running, first, complete.depth, nodes),
        })
    }

    fn explain_traced_move(&self, text: &str) -> Option<Replied> {
        self.treatments_of(text).map(|treatments| treatments.map(boxed))
    }

    fn explain_move(&self, text: &str, nodes: u64) -> Result<MoveChoice> {
        let (running, complete) = self.explainable()?;
        let (game, root) = (self.game(), running.search.root());
        let wanted = game.read_move(root, &self.now.history, text)?;
        let found = complete.moves.iter().find(|root| root.mv == wanted);
        let Run { value, best, .. } = self.report_run(running);
        let (Some(found), Some(best_value)) = (found, value) else {
            return Err(Fault::new(format!("{text} has not been searched")));
        };
        let mv = game.move_text(root, wanted);
        Ok(MoveChoice {
            value: found.value.unwrap_or(running.search.full_window().alpha),
            bound: found.known_bound(),
            is_best: best.contains(&mv),
            mv,
            best,
            best_value,
            reasons: self.reasons(running, found, complete.depth, nodes),
        })
    }

    fn explain_cutoff(&self) -> Result<CutoffExplained> {
        let running = self.run.under_way()?;
        let ply = running.selected_ply();
        if running.search.frames()[ply].exact_moves {
            return Err(Fault::new("in a search for the best moves, the root is never cut off")
                .hint("`catch cutoff` and `continue` lead to a cutoff, `frame N` selects another node"));
        }
        Ok(CutoffExplained::of(self.game(), &running.search, running.mode.algorithm, ply))
    }

    fn explain_order(&self) -> Result<OrderExplained> {
        let running = self.run.under_way()?;
        let ply = running.selected_ply();
        let context = running.context(self.game());
        OrderExplained::of(&context, &running.search, &self.run.searcher.table, ply)
    }

    fn explain_entry(&mut self, key: &str, nodes: u64) -> Result<EntryExplained> {
        let place = self.find_entry_place(key)?;
        let at = place.at;
        let entry = self.entries().get(at).ok_or_else(|| self.absent(&place))?;
        // The event that wrote the entry is found by a replay of the search, so it is unknown if the search is not recorded.
        let writer = match self.provenance(&[at]) {
            Err(fault) if fault == interrupted() => return Err(fault),
            found => found.ok().and_then(|mut found| found.remove(&at)),
        };
        let mut report = self.report_entry((at, entry));
        report.state = report.state.or_else(|| Some(writer.as_ref()?.state.clone()));
        let written = || self.read_position(report.state.as_ref()?).ok();
        let position = self.position_of(at).or_else(written);
        let (verdict, nodes) = self.verdict(position, at, entry, nodes)?;
        Ok(EntryExplained {
            key: self.keyed_text(at),
            entry: report,
            verdict,
            writer,
            serves: match self.settings().memo().source(Field::Depth) {
                _ if G::IS_TRACE => "unknown",
                None => "leaf",
                Some(_) if entry.depth == Some(0) && !self.settings().mode().leaves => "none",
                Some(FieldSource::Record) if self.settings().reuse() == Reuse::Deeper => "deeper",
                Some(_) => "equal",
            },
            probe: self.probe_explained(at, &entry).filter(|_| !G::IS_TRACE),
            nodes,
        })
    }

    fn explain_tree(
        &mut self,
        lines: &str,
        share: Option<u64>,
        ms: Option<u64>,
    ) -> Result<TreeExplained> {
        let deadline = ms.map(|ms| Instant::now() + Duration::from_millis(ms));
        let lines = lines.split(',').filter(|line| !line.trim().is_empty());
        let lines: Vec<_> = lines.map(|line| self.read_line(line)).collect::<Result<_>>()?;
        self.run.commit_edits();
        let (now, running) = (self.run.timeline()?.clone(), self.run.under_way()?);
        let (algorithm, iteration) = (running.mode.algorithm, running.search.depth());
        let events = running.search.events();
        let begin = running.search.iterations.last().map_or(0, |(_, event)| *event);
        self.trees.retain(|tree| tree.is_of(&now));
        let nearest =
            |tree: &TreeReplay<G, Debugger<G>>| tree.nearest((&now, events), iteration, &lines);
        let places = self.trees.iter().enumerate().map(|(at, tree)| (nearest(tree), at));
        let known = places.filter(|(events, _)| events.is_some()).max();
        let known = known.and_then(|(from, at)| {
            let mut tree = self.trees.remove(at);
            tree.go_back(from?, &self.run).then_some(tree)
        });
        let mut tree = if let Some(tree) = known {
            tree
        } else {
            let game = self.game().clone();
            let builder = TreeBuilder::along(game, algorithm, lines.clone(), iteration);
            let mut replay = self.run.replay_copy()?;
            replay.take_keyframe(&self.run, begin);
            TreeReplay { replay, builder, kept: Vec::new() }
        };
        let before = tree.replay.events();
        tree.replay.now = Some(now);
        self.watching("replaying", Unit::Events, before, |watch| {
            tree.build(events, |done| {
                (watch.progress)(done, events);
                deadline.is_none_or(|deadline| Instant::now() < deadline)
            })
        })?;
        if tree.replay.events() == before && before < events {
            return Err(Fault::new(format!(
                "the recording cannot be replayed beyond event {before}"
            )));
        }
        let root = self.run.under_way()?.search.root();
        let lines: Vec<_> = lines.iter().map(|line| self.format_line(root, line)).collect();
        let report = self.report_tree(&tree, &lines, share, events);
        self.trees.drain(..(self.trees.len() + 1).saturating_sub(MOST_TREES));
        self.trees.push(tree);
        if report.replayed < events {
            return Ok(report);
        }
        report.not_empty().map_err(|fault| self.unless_over(fault))
    }

    fn tree(&mut self, plies: u32, nodes: usize) -> Result<TreeExplained> {
        let algorithm = self.run.under_way()?.mode.algorithm;
        let mut builder = TreeBuilder::new(self.game().clone(), algorithm, plies, nodes);
        self.run_again(&mut builder)?;
        let events = self.run.events();
        // A node's count is complete only when the search leaves it, so nodes on the stack get their count so far.
        let search = &self.run.under_way()?.search;
        let on_stack: Vec<_> = builder.stack(search).iter().copied().flatten().collect();
        let TreeBuilder { mut branches, depth, omitted, .. } = builder;
        for place in on_stack {
            branches[place].node.nodes = branches[place].nodes_so_far(search);
        }
        let node = |branch: &Branch<G>| {
            // A picture shows the value beside the window, so value and window must be for the side to move.
            let (value, bound) =
                branch.claim.map(|claim| (claim.value, claim.bound.name())).unzip();
            NodeExplained { value, bound, ..branch.explained(self.game(), &branches) }
        };
        let nodes = branches.iter().map(node).collect();
        TreeExplained { depth, replayed: events, events, nodes, omitted }.not_empty()
    }
}
