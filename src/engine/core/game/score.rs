use std::ops::Neg;

use super::SearchRules;
use serde::{Deserialize, Serialize};

/// A search value: an IEEE double that is never NaN. Infinities stand for "no bound".
///
/// `-0.0` equals `0.0` but keeps its bits, as the reference programs' files do.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct Score(f64);

impl Score {
    /// No bound below.
    pub const NEG_INFINITY: Self = Self(f64::NEG_INFINITY);
    /// No bound above.
    pub const INFINITY: Self = Self(f64::INFINITY);
    /// The value of a balanced position.
    pub const ZERO: Self = Self(0.0);
    /// The utility of a won game where utilities are ±1.
    pub const ONE: Self = Self(1.0);

    /// A score, or `None` for NaN.
    ///
    /// ```
    /// use plyscope::engine::game::Score;
    /// assert_eq!(Score::new(0.5).map(Score::get), Some(0.5));
    /// assert_eq!(Score::new(f64::NAN), None);
    /// ```
    pub const fn new(value: f64) -> Option<Self> {
        if value.is_nan() { None } else { Some(Self(value)) }
    }

    /// A score from a computation that cannot give NaN; were it to, zero stands in so that no NaN ever enters a search.
    pub(crate) const fn from_finite(value: f64) -> Self {
        debug_assert!(!value.is_nan(), "a search value is never NaN");
        if value.is_nan() { Self::ZERO } else { Self(value) }
    }

    /// The double.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The greater of two scores; the first where they are equal, as Python's `max` (seed 002) has it.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// The lesser of two scores; the first where they are equal.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The least score above it: between the two there is none, so they are the ends of a zero window.
    #[must_use]
    #[inline]
    pub fn above(self) -> Self {
        Self(self.0.next_up())
    }

    /// The greatest score below it.
    #[must_use]
    #[inline]
    pub fn below(self) -> Self {
        Self(self.0.next_down())
    }

    /// A node's value as its parent sees it: with the sign turned and, where values tell how far off a mate is, one ply
    /// further from it.
    #[must_use]
    #[inline]
    pub fn parent<G: SearchRules>(self, game: &G) -> Self {
        -game.delay_mate(self)
    }

    /// [`Score::parent`] taken back: a value of the parent as the child sees it.
    #[must_use]
    #[inline]
    pub fn child<G: SearchRules>(self, game: &G) -> Self {
        -game.hasten_mate(self)
    }

    /// A total order in which equal scores are equal, zeros of either sign included.
    pub fn order(self, other: Self) -> std::cmp::Ordering {
        self.partial_cmp(&other).unwrap_or(std::cmp::Ordering::Equal)
    }
}

impl From<Score> for f64 {
    fn from(score: Score) -> Self {
        score.0
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// The values a search can still tell apart: those above `alpha` and below `beta`.
///
/// Owns the arithmetic of bounds, so that nobody swaps and negates α and β by hand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// The lower bound: values at or below it are all "too low".
    pub alpha: Score,
    /// The upper bound: values at or above it are all "too high".
    pub beta: Score,
}

impl Default for Window {
    fn default() -> Self {
        Self::INFINITE
    }
}

impl From<Window> for [Score; 2] {
    fn from(window: Window) -> Self {
        [window.alpha, window.beta]
    }
}

impl Window {
    /// Every score.
    pub const INFINITE: Self = Self { alpha: Score::NEG_INFINITY, beta: Score::INFINITY };

    /// A window for a search, or `None` unless `alpha < beta`.
    pub fn new(alpha: Score, beta: Score) -> Option<Self> {
        (alpha < beta).then_some(Self { alpha, beta })
    }

    /// A node's window as its children see it.
    #[must_use]
    #[inline]
    pub fn child<G: SearchRules>(self, game: &G) -> Self {
        Self { alpha: self.beta.child(game), beta: self.alpha.child(game) }
    }

    /// The same node's window from the other side's point of view. Its children see [`Window::child`].
    #[must_use]
    pub fn negate(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether a value is at or below the window: an upper bound only.
    pub fn fails_low(self, value: Score) -> bool {
        value <= self.alpha
    }

    /// Whether a value is at or above the window: a lower bound only.
    pub fn fails_high(self, value: Score) -> bool {
        value >= self.beta
    }

    /// Whether a value is inside the window, and so exact.
    pub fn holds(self, value: Score) -> bool {
        !self.fails_low(value) && !self.fails_high(value)
    }

    /// Whether all of `inner` lies within this window.
    pub fn contains(self, inner: Self) -> bool {
        self.alpha <= inner.alpha && inner.beta <= self.beta
    }

    /// The least window that contains both.
    #[must_use]
    pub fn widen(self, other: Self) -> Self {
        Self { alpha: self.alpha.min(other.alpha), beta: self.beta.max(other.beta) }
    }
}
