use super::Kinds;
use crate::engine::{
    game::{Game, Key, Keyed, Score, Window},
    memo::{Policy, Slot},
    search::{EventKind, Scene, Search},
};

/// What is done to a watched entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
pub enum Access {
    /// It is written.
    #[strum(serialize = "watch")]
    Write,
    /// A node asks for it.
    #[strum(serialize = "rwatch")]
    Read,
    /// Either.
    #[strum(serialize = "awatch")]
    Any,
}

impl Access {
    /// The command that watches for it.
    pub fn command(self) -> &'static str {
        self.into()
    }

    /// The events that may be it. Leaves ask a memo of the policy `rote` only; a node that orders its moves by the
    /// values of its children reads them in passing, which is no event.
    pub(super) const fn kinds(self) -> Kinds {
        const WRITES: Kinds = Kinds::of(&[EventKind::Store]);
        const READS: Kinds =
            Kinds::of(&[EventKind::Hit, EventKind::Invalid, EventKind::Miss, EventKind::Leaf]);
        match self {
            Self::Write => WRITES,
            Self::Read => READS,
            Self::Any => WRITES.or(READS),
        }
    }
}

/// Watches a cache entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryWatch<K> {
    pub key: K,
    /// Its depth, where the key has one.
    pub depth: Option<u8>,
    pub access: Access,
}

impl<K: Key> EntryWatch<K> {
    /// Where the entry stands under a policy.
    pub fn place(&self, policy: Policy) -> Keyed<K> {
        Keyed { key: self.key, depth: self.depth.filter(|_| policy.keys_depth()).unwrap_or(0) }
    }

    /// Whether an event reads or writes the entry, as `kinds` has it.
    pub fn holds<G: Game<Key = K>>(&self, scene: &Scene<'_, G>) -> bool {
        if self.depth.is_some_and(|depth| scene.event.depth != depth) {
            return false;
        }
        let (frame, mode) = (scene.frame(), scene.mode);
        let key_of = |position| scene.game.key(position, mode.scheme);
        match scene.event.kind {
            EventKind::Store if mode.write_orbit => {
                scene.game.orbit(&frame.position).iter().any(|twin| key_of(twin) == self.key)
            }
            EventKind::Leaf if scene.policy != Policy::Rote => false,
            _ => {
                let asked = frame.slot().map(|Slot { key, .. }| key);
                asked.unwrap_or_else(|| key_of(&frame.position)) == self.key
            }
        }
    }
}

/// A value of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Figure {
    /// α in force.
    Alpha,
    /// β.
    Beta,
    /// The best value so far.
    Best,
}

impl Figure {
    /// The name in commands and reports.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// A figure by its name.
    pub fn called(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    const fn of(self, window: Window, best: Option<Score>) -> Option<Score> {
        match self {
            Self::Alpha => Some(window.alpha),
            Self::Beta => Some(window.beta),
            Self::Best => best,
        }
    }
}

/// Watches a value of whichever frame is at a ply. Another node's frame there begins anew: that is no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueWatch {
    pub figure: Figure,
    pub ply: u32,
}

impl ValueWatch {
    /// The events at which the value may change or begin anew.
    pub(super) const TOLD: Kinds = Kinds::of(&[
        EventKind::Iteration,
        EventKind::Pass,
        EventKind::Descend,
        EventKind::Invalid,
        EventKind::Raise,
        EventKind::Cutoff,
    ]);

    pub(super) const fn kinds(self) -> Kinds {
        match self.figure {
            Figure::Beta => Kinds::of(&[EventKind::Invalid]),
            Figure::Alpha => Kinds::of(&[EventKind::Invalid, EventKind::Raise, EventKind::Cutoff]),
            Figure::Best => Kinds::of(&[EventKind::Raise, EventKind::Cutoff]),
        }
    }

    /// Whether an event has changed the value.
    pub fn holds<G: Game>(self, scene: &Scene<'_, G>) -> bool {
        let event = scene.event;
        if event.ply != self.ply {
            return false;
        }
        match event.kind {
            EventKind::Invalid => {
                self.figure.of(event.window, None) != self.figure.of(scene.asked(), None)
            }
            // The first move at the root is its best so far, even where it is worth no more than α was.
            _ if self.figure == Figure::Alpha => event.raises() && !scene.frame().keeps_alpha(),
            _ => event.raises(),
        }
    }

    /// The value where a search stands.
    pub(super) fn now<G: Game>(self, search: &Search<G>) -> Option<Score> {
        let frame = search.frames().get(self.ply as usize)?;
        let best = frame.choice().map(|_| frame.best);
        self.figure.of(frame.open(), best)
    }
}
