use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;

use super::{Name, Scene, outline::Outline};
use crate::engine::{
    expression::Facts,
    game::{Game, Key, KeyScheme},
};

/// A first look at an event, for several breakpoints at once: it rules out most events at little cost, and what it lets
/// pass need not hold. Limits that there are not are no numbers, which no comparison holds for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glance {
    /// Positions that somebody asks for pass, whatever the numbers are.
    pub sifted: bool,
    /// Remaining depths that pass, as in an outline.
    pub depths: u64,
    pub name: Name,
    /// Numbers up to this pass.
    pub below: f64,
    /// Numbers from this on pass.
    pub above: f64,
    /// This number passes.
    pub equal: f64,
}

impl Glance {
    /// Lets everything pass, or every position that is asked for.
    pub const fn open(sifted: bool) -> Self {
        Self {
            sifted,
            depths: u64::MAX,
            name: Name::Ply,
            below: f64::NAN,
            above: f64::NEG_INFINITY,
            equal: f64::NAN,
        }
    }

    /// Adds it to those from `start` on, together with one that asks for the same.
    pub fn add(self, glances: &mut Vec<Self>, start: usize) {
        let fits = |other: &&mut Self| {
            self.sifted == other.sifted
                && self.name == other.name
                && (self.equal.is_nan() || other.equal.is_nan() || self.equal == other.equal)
        };
        let Some(other) = glances[start..].iter_mut().find(fits) else {
            return glances.push(self);
        };
        other.depths |= self.depths;
        // The least and the greatest of two pass over what is no number.
        other.below = other.below.max(self.below);
        other.above = other.above.min(self.above);
        if other.equal.is_nan() {
            other.equal = self.equal;
        }
    }

    /// Whether an event passes.
    #[expect(clippy::inline_always, reason = "it is what most events get")]
    #[inline(always)]
    pub fn lets_pass<G: Game>(&self, scene: &Scene<'_, G>, sieve: &Sieve) -> bool {
        if self.depths & Outline::only(scene.event.depth.into()) == 0 {
            return false;
        }
        if self.sifted {
            let key = scene.game.key(scene.position(), KeyScheme::Colour);
            return sieve.lets_pass(hash_of(key));
        }
        scene.number(self.name).is_some_and(|number| {
            number >= self.above || number <= self.below || number == self.equal
        })
    }
}

/// The positions that any breakpoint is about, as a Bloom filter of one hash: it lets pass all of them, and of others
/// one in some hundred.
#[derive(Clone, Debug)]
pub(super) struct Sieve([u64; 64]);

impl Default for Sieve {
    fn default() -> Self {
        Self([0; 64])
    }
}

impl Sieve {
    /// Lets a position pass from now on.
    pub fn admit(&mut self, hash: u64) {
        let (word, bit) = Self::place(hash);
        self.0[word] |= bit;
    }

    #[inline]
    fn lets_pass(&self, hash: u64) -> bool {
        let (word, bit) = Self::place(hash);
        self.0[word] & bit != 0
    }

    /// The lower bits of a hash are the well mixed ones.
    #[inline]
    const fn place(hash: u64) -> (usize, u64) {
        ((hash & 63) as usize, 1 << (hash >> 6 & 63))
    }
}

/// The same number for equal keys, under [`KeyScheme::Colour`].
#[inline]
pub(super) fn hash_of<K: Key>(key: K) -> u64 {
    FxBuildHasher.hash_one(key)
}
