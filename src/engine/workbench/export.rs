//! What a search did, for documents: its tree and its events.

use super::{Answer, Desk};
use crate::engine::{
    explain::{Branch, Extent, Fate, Grower},
    game::{Fault, Game, Side},
    reply::{EventLine, EventReport, LogReport, TreeNode, TreeReport},
    search::{Event, Search, Watcher},
};

/// So many events are written at most: more is no document.
const MOST_EVENTS: u64 = 100_000;

impl<G: Game> Desk<G> {
    fn grow(&mut self, plies: u32, nodes: usize) -> Answer<TreeReport> {
        let running = self.run.under_way()?;
        let extent = Extent { plies, nodes };
        let mut grower =
            Grower::new(self.run.searcher.game.clone(), running.mode.algorithm, extent);
        self.run.run_again(&mut grower)?;
        if grower.branches.is_empty() {
            return Err(Fault::new("the search has not begun an iteration: there is no tree")
                .hint("`search run` or `step 100` goes on"));
        }
        let branches = &grower.branches;
        let node = |branch: &Branch<G>| {
            let parent = branch.parent.and_then(|parent| branches.get(parent));
            self.tree_node(branch, parent)
        };
        Ok(TreeReport {
            depth: grower.depth,
            nodes: branches.iter().map(node).collect(),
            omitted: grower.omitted,
        })
    }

    fn tree_node(&self, branch: &Branch<G>, parent: Option<&Branch<G>>) -> TreeNode {
        let before = parent.and_then(|parent| parent.position.as_ref());
        let name = |mv: &G::Move| {
            before.map_or(String::new(), |at| self.run.searcher.game.format_move(at, *mv))
        };
        let own = branch.position.as_ref().map(|position| self.run.searcher.game.side(position));
        let other = before.map(|position| self.run.searcher.game.side(position).other());
        TreeNode {
            parent: branch.parent,
            ply: branch.ply,
            moves: branch.moves.iter().map(name).collect(),
            state: branch
                .position
                .as_ref()
                .map(|position| self.run.searcher.game.format_position(position)),
            side: own.or(other).unwrap_or(Side::White),
            alpha: branch.asked.alpha,
            beta: branch.asked.beta,
            value: branch.claim.map(|claim| claim.value),
            bound: branch.claim.map(|claim| claim.bound.name()),
            kind: branch.fate.name(),
            cut: branch.cut,
            best: branch.best,
            invalid: branch.invalid,
        }
    }

    fn write_log(&mut self, first: u64, last: Option<u64>) -> Answer<LogReport> {
        let total = self.run.under_way()?.search.events();
        let last = last.unwrap_or(u64::MAX).min(total.saturating_sub(1));
        if total == 0 || first > last {
            return Err(Fault::new(format!(
                "there are no events from {first} to {last}: {total} have happened"
            )));
        }
        if last - first >= MOST_EVENTS {
            return Err(Fault::new(format!(
                "{} events are too many for a document",
                last - first + 1
            ))
            .hint(format!("--events A..B names {MOST_EVENTS} at most")));
        }
        let mut scribe = EventScribe {
            game: self.run.searcher.game.clone(),
            wanted: (first, last),
            lines: Vec::new(),
        };
        self.run.run_again(&mut scribe)?;
        let running = self.run.under_way()?;
        let settings = self.run.searcher.settings.list();
        Ok(LogReport {
            state: self.run.searcher.game.format_position(running.search.root()),
            weights: self.run.searcher.weights.to_string(),
            settings: settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            events: scribe.lines,
            total,
        })
    }
}

/// Writes events down.
struct EventScribe<G: Game> {
    game: G,
    wanted: (u64, u64),
    lines: Vec<EventLine>,
}

impl<G: Game> EventScribe<G> {
    /// The moves to the node of an event; where a value came back, to the parent that it came back to.
    fn line(&self, ply: u32, search: &Search<G>) -> Vec<String> {
        let above = search.frames().iter().take(ply as usize);
        let made = above.filter_map(|frame| Some((frame, search.current_move(frame)?)));
        made.map(|(frame, mv)| self.game.format_move(&frame.position, mv)).collect()
    }
}

impl<G: Game> Watcher<Search<G>> for EventScribe<G> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let (first, last) = self.wanted;
        if (first..=last).contains(&event.index) {
            // The move a value came back from is shown with it.
            let line = self.line(event.ply + u32::from(event.kind.came_back()), search);
            let position = search.frames().last().map_or(search.root(), |frame| &frame.position);
            let event = EventReport::new(&self.game, event, position, line.last().cloned());
            self.lines.push(EventLine { event, line });
        }
        false
    }
}

impl Fate {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inner => "inner",
            Self::Leaf => "leaf",
            Self::StandPat => "stand-pat",
            Self::Terminal => "terminal",
            Self::Hit => "hit",
            Self::Spared => "spared",
        }
    }
}

/// What a search did, for documents: the recorded search is run again on a copy.
pub trait Exporting {
    /// The tree of the last iteration, so many plies and nodes of it.
    fn tree(&mut self, plies: u32, nodes: usize) -> Answer<TreeReport>;
    /// The events from one to another, or to the last.
    fn log(&mut self, first: u64, last: Option<u64>) -> Answer<LogReport>;
}

impl<G: Game> Exporting for Desk<G> {
    fn tree(&mut self, plies: u32, nodes: usize) -> Answer<TreeReport> {
        self.grow(plies, nodes)
    }

    fn log(&mut self, first: u64, last: Option<u64>) -> Answer<LogReport> {
        self.write_log(first, last)
    }
}
