//! What the results of matches say about strength: Elo, normalised Elo, likelihood of superiority, and a sequential test.
//!
//! Everything rests on *pairs*: two games from one opening, colours swapped. What the first player scores in a pair, in half
//! points from 0 to 4, is counted in five classes (the *pentanomial* model), because the two games are not independent:
//! taken one by one they would make intervals too wide where openings are lopsided. The formulas are those of
//! [fastchess](https://github.com/Disservin/fastchess) and [fishtest](https://github.com/official-stockfish/fishtest), after
//! Michel Van den Bergh, *Comments on Normalized Elo* and *Maximum likelihood estimation for multinomials*. As fishtest
//! does, empty classes count a thousandth of a pair and scores stay within 0.001 and 0.999, so that all is finite where one
//! side has won every game.
//!
//! Functions here are pure: counts in, numbers out.

mod normal;
mod sprt;

use serde::{Deserialize, Serialize};

pub use normal::cumulative;
pub use sprt::{Model, Sprt, SprtState, Verdict};

/// The 97.5 % quantile of the normal distribution: half the width of a 95 % interval in standard deviations.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Normalised Elo for one standard deviation a game: 800 / ln 10, so that it equals Elo where draws are rare and players even.
pub const NELO: f64 = 800.0 / std::f64::consts::LN_10;

/// What an empty class counts, in pairs.
const REGULAR: f64 = 1e-3;

/// Scores beyond this from 0 or 1 are as good as certain.
const CERTAIN: f64 = 1e-3;

/// Pairs of games by what the first player scored in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// How many of them are different from each other: a pair that was played before says nothing new.
    pub distinct: u64,
}

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number itself.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: what is written behind ±.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// What pairs say about the first player against the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// Points a game, 0 to 1, before regularisation.
    pub score: f64,
    /// The difference in Elo: 400·log₁₀(score / (1 − score)).
    pub elo: Estimate,
    /// The difference in normalised Elo: (score − ½) in standard deviations of a game, times [`NELO`].
    pub normalised: Estimate,
    /// The likelihood that the first player is the stronger one, 0 to 1.
    pub superiority: f64,
    /// The share of pairs in which both scored the same, 0 to 1.
    pub even_pairs: f64,
}

impl Pairs {
    /// Pairs that are all different.
    pub fn of(counts: [u64; 5]) -> Self {
        Self {
            counts,
            distinct: counts.iter().sum(),
        }
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds a pair in which the first player scored so many half points. `new`: it was not played before.
    pub fn add(&mut self, half_points: usize, new: bool) {
        if let Some(count) = self.counts.get_mut(half_points) {
            *count += 1;
            self.distinct += u64::from(new);
        }
    }

    /// The same pairs from the second player's side.
    #[must_use]
    pub fn turned(mut self) -> Self {
        self.counts.reverse();
        self
    }

    /// Adds other pairs.
    pub fn extend(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.distinct += other.distinct;
    }

    /// The classes' weights: as many pairs as are different, in the proportions of all, with no class empty.
    fn weights(&self) -> [f64; 5] {
        let total = self.total().max(1) as f64;
        let scale = self.distinct as f64 / total;
        self.counts.map(|count| {
            if count == 0 {
                REGULAR
            } else {
                count as f64 * scale
            }
        })
    }

    /// What they say; nothing where there are none.
    pub fn strength(&self) -> Option<Strength> {
        let total = self.total();
        if total == 0 {
            return None;
        }
        let points = |(half, &count): (usize, &u64)| half as f64 * count as f64;
        let score = self.counts.iter().enumerate().map(points).sum::<f64>() / (4 * total) as f64;
        let sample = Sample::new(self.weights());
        let spread = (sample.variance / sample.size).sqrt();
        let interval = |map: &dyn Fn(f64) -> f64| Estimate {
            value: map(sample.mean),
            low: map(sample.mean - Z95 * spread),
            high: map(sample.mean + Z95 * spread),
        };
        // Two games a pair: the deviation of a game is √2 that of a pair's mean.
        let deviation = (2.0 * sample.variance).sqrt();
        Some(Strength {
            score,
            elo: interval(&elo),
            normalised: interval(&|score| (score - 0.5) / deviation * NELO),
            superiority: cumulative((sample.mean - 0.5) / spread),
            even_pairs: self.counts[2] as f64 / total as f64,
        })
    }
}

/// The difference in Elo that a score is expected with.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(CERTAIN, 1.0 - CERTAIN);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score that a difference in Elo lets expect.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// A discrete distribution over the scores 0, ¼, ½, ¾ and 1 of a pair.
#[derive(Clone, Copy, Debug)]
struct Sample {
    size: f64,
    shares: [f64; 5],
    mean: f64,
    variance: f64,
}

/// The score of each class.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Sample {
    fn new(weights: [f64; 5]) -> Self {
        let size: f64 = weights.iter().sum();
        let shares = weights.map(|weight| weight / size);
        let (mean, variance) = moments(&shares);
        Self {
            size,
            shares,
            mean,
            variance,
        }
    }
}

/// Mean and variance of a distribution over [`SCORES`].
fn moments(shares: &[f64; 5]) -> (f64, f64) {
    let over = |of: &dyn Fn(f64) -> f64| -> f64 {
        SCORES
            .iter()
            .zip(shares)
            .map(|(&score, share)| share * of(score))
            .sum()
    };
    let mean = over(&|score| score);
    (mean, over(&|score| (score - mean).powi(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_finite_at_both_ends() {
        for counts in [
            [0, 0, 0, 0, 1],
            [0, 0, 0, 0, 50_000],
            [7, 0, 0, 0, 0],
            [0, 0, 9, 0, 0],
        ] {
            let strength = Pairs::of(counts).strength().unwrap();
            let numbers = [
                strength.score,
                strength.elo.value,
                strength.elo.low,
                strength.elo.high,
                strength.normalised.value,
                strength.normalised.low,
                strength.normalised.high,
                strength.superiority,
            ];
            assert!(
                numbers.iter().all(|number| number.is_finite()),
                "{counts:?} {numbers:?}"
            );
            assert!(
                strength.elo.low <= strength.elo.value && strength.elo.value <= strength.elo.high
            );
        }
        assert_eq!(Pairs::default().strength(), None);
    }

    #[test]
    fn turning_the_pairs_turns_the_sign() {
        let pairs = Pairs::of([34, 54, 63, 64, 75]);
        let (one, other) = (
            pairs.strength().unwrap(),
            pairs.turned().strength().unwrap(),
        );
        assert!((one.elo.value + other.elo.value).abs() < 1e-9);
        assert!((one.superiority + other.superiority - 1.0).abs() < 1e-12);
        assert!((expected(elo(0.7)) - 0.7).abs() < 1e-12);
    }

    #[test]
    fn repeated_pairs_widen_the_interval_and_leave_the_value() {
        let once = Pairs::of([10, 20, 40, 20, 20]);
        let doubled = Pairs {
            counts: once.counts.map(|count| 2 * count),
            distinct: once.distinct,
        };
        assert_eq!(once.strength(), doubled.strength());
    }
}
