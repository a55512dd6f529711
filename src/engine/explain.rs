//! Why a value is what it is: the plain search of a node, told move by move.

mod tree;

pub use tree::{Branch, Extent, Fate, Grower};

use super::{
    audit::{Claim, Halted, Plain, Remaining},
    game::{Game, Score, Window},
    memo::Bound,
    search::{Event, EventKind, Search, Watcher},
};

/// A move of a node as the plain search met it. Values are for the side that makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// The window in force when it was tried.
    pub window: Window,
    /// What it is worth.
    pub claim: Claim,
    /// The answer that shows it: the one that refutes it, or the best.
    pub reply: Option<G::Move>,
    /// Whether it was better than the moves before it.
    pub raised: bool,
}

/// A node and its moves in the order in which they were searched.
#[derive(Clone, Debug)]
pub struct Account<G: Game> {
    /// What the node is worth to the side to move, in its window.
    pub claim: Claim,
    /// The moves that were searched.
    pub tried: Vec<Tried<G>>,
    /// The moves that a cutoff spared.
    pub spared: Vec<G::Move>,
}

impl<G: Game> Account<G> {
    /// The move that gave the node its value; none where no move exceeded the window's lower bound.
    pub fn best(&self) -> Option<&Tried<G>> {
        self.tried.iter().rev().find(|tried| tried.raised)
    }

    /// Searches a node that is not a leaf, and keeps what became of each.
    ///
    /// # Errors
    /// Where the search was stopped.
    pub fn of(
        plain: &mut Plain<'_, G>,
        node: (&G::Position, &G::History),
        remaining: Remaining,
        window: Window,
    ) -> Result<Self, Halted> {
        let mut witness = AccountWatcher { tried: Vec::new(), spared: Vec::new() };
        let value = plain.watched(node, remaining, window, &mut witness)?;
        Ok(Self { claim: Claim::of(value, window), tried: witness.tried, spared: witness.spared })
    }
}

/// Notes what happens at the first node and to its children.
struct AccountWatcher<G: Game> {
    tried: Vec<Tried<G>>,
    spared: Vec<G::Move>,
}

impl<G: Game> AccountWatcher<G> {
    fn enter(&mut self, search: &Search<G>) {
        let first = search.frames().first();
        let Some((frame, mv)) = first.and_then(|frame| Some((frame, search.current_move(frame)?)))
        else {
            return;
        };
        self.tried.push(Tried {
            mv,
            window: frame.open(),
            claim: Claim { bound: Bound::Upper, value: Score::ZERO },
            reply: None,
            raised: false,
        });
    }

    fn come_back(&mut self, event: &Event, search: &Search<G>) {
        let (Some(tried), Some(value)) = (self.tried.last_mut(), event.value) else {
            return;
        };
        let known = tried.claim.bound == Bound::Exact;
        tried.claim = Claim::of(value, tried.window);
        if known {
            tried.claim.bound = Bound::Exact;
        }
        tried.raised = value > tried.window.alpha;
        if tried.raised {
            tried.reply = search.line().get(1).copied();
        }
        if let (EventKind::Cutoff, Some(frame)) = (event.kind, search.frames().first()) {
            self.spared = search.moves_of(frame)[frame.entered()..].to_vec();
        }
    }
}

impl<G: Game> Watcher<Search<G>> for AccountWatcher<G> {
    fn wants(&self, _: EventKind, ply: u32) -> bool {
        ply <= 1
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        match (event.kind, event.ply) {
            (EventKind::Descend, 1) => self.enter(search),
            (EventKind::Leaf | EventKind::Terminal, 1) => {
                if let Some(tried) = self.tried.last_mut() {
                    tried.claim.bound = Bound::Exact;
                }
            }
            (EventKind::Cutoff, 1) => {
                let frame = search.frames().last();
                let reply = frame.and_then(|frame| search.current_move(frame));
                if let Some(tried) = self.tried.last_mut() {
                    tried.reply = reply;
                }
            }
            (EventKind::Return | EventKind::Raise | EventKind::Cutoff, 0) => {
                self.come_back(event, search);
            }
            _ => {}
        }
        false
    }
}
