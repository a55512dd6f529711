use std::{fmt, ops::Neg};

use super::Rules;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

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
    pub fn parent<G: Rules>(self, game: &G) -> Self {
        -game.further(self)
    }

    /// [`Score::parent`] taken back: a value of the parent as the child sees it.
    #[must_use]
    #[inline]
    pub fn child<G: Rules>(self, game: &G) -> Self {
        -game.nearer(self)
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

impl fmt::Display for Score {
    /// The shortest decimal that reads back as the same double.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::str::FromStr for Score {
    type Err = super::Fault;

    /// Reads a decimal number, `inf` or `-inf`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = || {
            super::Fault::new(format!("`{text}` is not a score"))
                .hint("write a number such as 0.25, inf or -inf; NaN is not a score")
        };
        let score = text.parse().ok().and_then(Self::new).ok_or_else(fault)?;
        if score.0.is_infinite() && text.bytes().any(|byte| byte.is_ascii_digit()) {
            let message = format!("`{text}` is too large for a score");
            let hint = format!("write inf, or a number up to {:e}", f64::MAX);
            return Err(super::Fault::new(message).hint(hint));
        }
        Ok(score)
    }
}

impl Serialize for Score {
    /// A number; infinities as the strings `inf` and `-inf`, which JSON numbers cannot say.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Score;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"inf\" or \"-inf\"")
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Score, E> {
                Score::new(value).ok_or_else(|| E::custom("NaN is not a score"))
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Score, E> {
                Ok(Score::from_finite(value as f64))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Score, E> {
                Ok(Score::from_finite(value as f64))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Score, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
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
    pub fn child<G: Rules>(self, game: &G) -> Self {
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

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.alpha, self.beta)
    }
}
