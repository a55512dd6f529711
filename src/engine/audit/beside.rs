use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{Claim, Halted, Judged, Plain};
use crate::engine::{
    game::{Game, KeyScheme, Score, Window},
    memo::Bound,
    search::{Algorithm, Event, EventKind, Outcome, Search, Watcher},
};

/// Where a memoized search was told something that the plain search of the same node and window contradicts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Departure {
    /// The window the node was asked for.
    #[serde(flatten)]
    pub asked: Window,
    /// What the memoized search took for its value.
    #[serde(flatten)]
    pub claim: Claim,
    /// The true value.
    pub true_value: Score,
}

impl Departure {
    /// Whether the value with its sign turned would have been right.
    pub fn is_turned(&self) -> bool {
        Claim::of(-self.claim.value, self.asked).allows(self.true_value)
    }
}

/// Runs beside a memoized search and stops it at the first departure.
///
/// A node whose children are right is right itself, unless the memo had the window changed. So it is enough to look at
/// answers, at leaves that may differ, and at values found under a changed window.
#[derive(Debug)]
pub struct Beside<'a, G: Game> {
    /// The plain search.
    pub plain: Plain<'a, G>,
    algorithm: Algorithm,
    /// Whether a leaf's value can be another one than the plain search's.
    leaves: bool,
    /// Answers found right.
    right: FxHashSet<(G::Key, u8, u64, Bound)>,
    /// Values held against the plain search.
    pub checked: u64,
    found: Option<Departure>,
    halted: Option<Halted>,
}

impl<'a, G: Game> Beside<'a, G> {
    /// Beside a search by this algorithm. `leaves` tells whether a leaf's value can be another one than the plain search's.
    pub fn new(plain: Plain<'a, G>, algorithm: Algorithm, leaves: bool) -> Self {
        Self {
            plain,
            algorithm,
            leaves,
            right: FxHashSet::default(),
            checked: 0,
            found: None,
            halted: None,
        }
    }

    /// What stopped the search: a departure, the user, or neither.
    pub fn outcome(&self) -> Judged<Option<Departure>> {
        self.halted.map_or(Ok(self.found), Err)
    }

    fn look(&mut self, event: &Event, search: &Search<G>) -> Judged<()> {
        // A node beyond the horizon has fewer plies left than its depth of 0 tells.
        let Some(frame) = search.frames().last().filter(|frame| frame.beyond.is_none()) else {
            return Ok(());
        };
        let asked = match event.kind {
            EventKind::Hit => frame.window,
            EventKind::Leaf if self.leaves => frame.window,
            EventKind::Store | EventKind::Skip if frame.outcome == Outcome::Invalid => {
                search.asked(self.plain.context.game, self.algorithm)
            }
            _ => return Ok(()),
        };
        let claim = Claim::of(search.found(), asked);
        self.checked += 1;
        // Where what was played before matters, a verdict holds for one node only.
        let pathless = size_of::<G::History>() == 0;
        let key = || self.plain.context.game.key(&frame.position, KeyScheme::Canonical);
        let known = || (key(), frame.depth, claim.value.get().to_bits(), claim.bound);
        let known = pathless.then(known);
        if known.is_some_and(|known| self.right.contains(&known)) {
            return Ok(());
        }
        let here = (&frame.position, search.history());
        if let Some(true_value) = claim.refute(&mut self.plain, here, frame.depth)? {
            self.found = Some(Departure { asked, claim, true_value });
            return Ok(());
        }
        self.right.extend(known);
        Ok(())
    }
}

impl<G: Game> Watcher<Search<G>> for Beside<'_, G> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        matches!(kind, EventKind::Hit | EventKind::Leaf | EventKind::Store | EventKind::Skip)
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        if let Err(halted) = self.look(event, search) {
            self.halted = Some(halted);
        }
        self.halted.is_some() || self.found.is_some()
    }
}
