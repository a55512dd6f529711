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

/// What a search did, for documents: the recorded search is run again on a copy.
pub trait Exporting {
    /// The tree of the last iteration, so many plies and nodes of it.
    fn tree(&mut self, plies: u32, nodes: usize) -> Answer<TreeReport>;
    /// The events from one to another, or to the last.
    fn log(&mut self, first: u64, last: Option<u64>) -> Answer<LogReport>;
}

impl<G: Game> Exporting for Desk<G> {
    fn tree(&mut self, plies: u32, nodes: usize) -> Answer<TreeReport> {
        let algorithm = self.run.under_way()?.mode.algorithm;
        let mut grower = Grower::new(self.game().clone(), algorithm, Extent { plies, nodes });
        self.run_again(&mut grower)?;
        let branches = &grower.branches;
        if branches.is_empty() {
            return Err(Fault::new("the search has not begun an iteration: there is no tree")
                .hint("`search run` or `step 100` goes on"));
        }
        let node = |branch: &Branch<G>| {
            let parent = branch.parent.and_then(|parent| branches.get(parent));
            tree_node(self.game(), branch, parent)
        };
        Ok(TreeReport {
            depth: grower.depth,
            nodes: branches.iter().map(node).collect(),
            omitted: grower.omitted,
        })
    }

    fn log(&mut self, first: u64, last: Option<u64>) -> Answer<LogReport> {
        let total = self.run.under_way()?.search.events();
        let last = last.unwrap_or(u64::MAX).min(total.saturating_sub(1));
        if total == 0 || first > last {
            let what = format!("there are no events from {first} to {last}: {total} have happened");
            return Err(Fault::new(what));
        }
        let wanted = last - first + 1;
        if wanted > MOST_EVENTS {
            return Err(Fault::new(format!("{wanted} events are too many for a document"))
                .hint(format!("--events A..B names {MOST_EVENTS} at most")));
        }
        let mut scribe =
            EventScribe { game: self.game().clone(), wanted: (first, last), lines: Vec::new() };
        self.run_again(&mut scribe)?;
        let searcher = &self.run.searcher;
        let settings = searcher.settings.list().into_iter();
        Ok(LogReport {
            state: searcher.game.format_position(self.run.under_way()?.search.root()),
            weights: searcher.weights.to_string(),
            settings: settings.map(|(name, value)| (name.to_owned(), value)).collect(),
            events: scribe.lines,
            total,
        })
    }
}

fn tree_node<G: Game>(game: &G, branch: &Branch<G>, parent: Option<&Branch<G>>) -> TreeNode {
    let position = branch.position.as_ref();
    let before = parent.and_then(|parent| parent.position.as_ref());
    let name = |mv: &G::Move| before.map_or(String::new(), |at| game.format_move(at, *mv));
    let other = before.map(|position| game.side(position).other());
    TreeNode {
        parent: branch.parent,
        ply: branch.ply,
        moves: branch.moves.iter().map(name).collect(),
        state: position.map(|position| game.format_position(position)),
        side: position.map(|position| game.side(position)).or(other).unwrap_or(Side::White),
        alpha: branch.asked.alpha,
        beta: branch.asked.beta,
        value: branch.claim.map(|claim| claim.value),
        bound: branch.claim.map(|claim| claim.bound.name()),
        kind: branch.fate.name(),
        cut: branch.cutoff.is_some(),
        best: branch.best,
        invalid: branch.invalid,
    }
}

/// Writes events down.
struct EventScribe<G: Game> {
    game: G,
    wanted: (u64, u64),
    lines: Vec<EventLine>,
}

impl<G: Game> Watcher<Search<G>> for EventScribe<G> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let (first, last) = self.wanted;
        if (first..=last).contains(&event.index) {
            // The moves to the node, and the one with which it happened there.
            let plies = event.ply + u32::from(event.kind.has_move());
            let made = search.frames().iter().take(plies as usize).filter_map(|frame| {
                Some(self.game.format_move(&frame.position, search.current_move(frame)?))
            });
            let line: Vec<_> = made.collect();
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
