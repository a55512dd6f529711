use std::ops::Neg;

use super::SearchRules;
use serde::{Deserialize, Serialize};

/// A search value: an IEEE double that is never NaN. Infinities stand for "no bound".
///
/// `-0.0` equals `0.0` but keeps its bits, as in the files of the seed programs.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct Score(f64);

impl Score {
    /// −∞: no lower bound.
    pub const NEG_INFINITY: Self = Self(f64::NEG_INFINITY);
    /// +∞: no upper bound.
    pub const INFINITY: Self = Self(f64::INFINITY);
    /// The value of a balanced position.
    pub const ZERO: Self = Self(0.0);
    /// The value of a won game, in games whose values lie within ±1.
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

    /// A score from a computation that cannot give NaN. Release builds turn a NaN into 0: it would corrupt every comparison.
    pub(crate) const fn from_finite(value: f64) -> Self {
        debug_assert!(!value.is_nan(), "a search value is never NaN");
        if value.is_nan() { Self::ZERO } else { Self(value) }
    }

    /// The score as a double.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The greater of two scores; the first if they are equal, as Python's `max` (seed 002) returns it.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// The lesser of two scores; the first if they are equal.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The next greater score, one step of the double: the two scores are the ends of a zero window.
    #[must_use]
    #[inline]
    pub fn above(self) -> Self {
        Self(self.0.next_up())
    }

    /// The next smaller score, one step of the double.
    #[must_use]
    #[inline]
    pub fn below(self) -> Self {
        Self(self.0.next_down())
    }

    /// The value for the parent: negated, and with a mate one ply further away.
    #[must_use]
    #[inline]
    pub fn parent<G: SearchRules>(self, game: &G) -> Self {
        -game.delay_mate(self)
    }

    /// The value for a child: the inverse of [`Score::parent`].
    #[must_use]
    #[inline]
    pub fn child<G: SearchRules>(self, game: &G) -> Self {
        -game.hasten_mate(self)
    }

    /// A total order, in which -0 and 0 are equal.
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

/// A search window: values above `alpha` and below `beta` are exact.
///
/// Only the methods of this type swap and negate α and β.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// α: a value at or below it fails low.
    pub alpha: Score,
    /// β: a value at or above it fails high.
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
    /// The window from −∞ to +∞, which contains every score.
    pub const INFINITE: Self = Self { alpha: Score::NEG_INFINITY, beta: Score::INFINITY };

    /// A window; `None` unless `alpha < beta`.
    pub fn new(alpha: Score, beta: Score) -> Option<Self> {
        (alpha < beta).then_some(Self { alpha, beta })
    }

    /// This window; `other` if this one is empty, as after a cutoff.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::new(self.alpha, self.beta).unwrap_or(other)
    }

    /// The window with which the children of the node are searched.
    #[must_use]
    #[inline]
    pub fn child<G: SearchRules>(self, game: &G) -> Self {
        Self { alpha: self.beta.child(game), beta: self.alpha.child(game) }
    }

    /// This window for the other side, at the same node; for the children see [`Window::child`].
    #[must_use]
    pub fn negate(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether a value is at or below α: an upper bound only.
    pub fn fails_low(self, value: Score) -> bool {
        value <= self.alpha
    }

    /// Whether a value is at or above β: a lower bound only.
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

    /// The smallest window that contains this window and `other`.
    #[must_use]
    pub fn widen(self, other: Self) -> Self {
        Self { alpha: self.alpha.min(other.alpha), beta: self.beta.max(other.beta) }
    }
}
