//! Playing strength from the results of matches: Elo, normalised Elo, likelihood of superiority (LOS), and a sequential
//! probability ratio test (SPRT).
//!
//! The unit is a *pair*: two games from one opening with colours exchanged. The score of the first player in a pair, 0 to 4
//! half points, is counted in five classes (the *pentanomial* model). The two games are not independent: counted one by one,
//! lopsided openings would make the intervals too wide. The formulas are those of
//! [fastchess](https://github.com/Disservin/fastchess) and [fishtest](https://github.com/official-stockfish/fishtest), after
//! Michel Van den Bergh, *Comments on Normalized Elo* and *Maximum likelihood estimation for multinomials*. As in fishtest,
//! empty classes count a thousandth of a pair, and scores are clamped to 0.001 and 0.999, so that all numbers are finite
//! when one side has won every game.

use std::f64::consts::FRAC_1_SQRT_2;

use serde::{Deserialize, Serialize};

use crate::engine::game::Fault;

/// Half the width of a 95 % interval in standard deviations: the 97.5 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Normalised Elo of one standard deviation per game: 800 / ln 10, so that it equals Elo for even players and few draws.
pub const NELO: f64 = 800.0 / std::f64::consts::LN_10;

/// The weight of an empty class, in pairs (regularisation, as in fishtest).
const EMPTY_CLASS: f64 = 1e-3;

/// Scores are clamped to this distance from 0 and 1, as in fishtest.
const CERTAIN: f64 = 1e-3;

/// The numbers of pairs of games by the first player's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// The numbers of pairs with 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// The number of different pairs. A pair with the same moves as another adds no information.
    pub distinct: u64,
}

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval, for `value ± error`.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The number of different pairs needed for the normal approximation of [`Strength`]: the usual rule of thumb.
pub const FEW: u64 = 30;

/// The strength of the first player against the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The number of different pairs, see [`Pairs::distinct`].
    pub distinct: u64,
    /// Whether there are at least [`FEW`] pairs, with more than one score, so that the variance could be measured.
    pub measured: bool,
    /// The first player's points per game, 0 to 1, before regularisation.
    pub score: f64,
    /// The difference in Elo: 400·log₁₀(score / (1 − score)).
    pub elo: Estimate,
    /// The difference in normalised Elo: (score − ½) in standard deviations of a game, times [`NELO`].
    pub normalised: Estimate,
    /// The likelihood of superiority (LOS): that the first player is the stronger one, 0 to 1.
    pub superiority: f64,
}

impl Strength {
    /// The expected score with its 95 % interval. If the variance could not be measured, the interval is Wilson's with
    /// continuity correction, for the largest variance possible: too wide rather than too narrow.
    pub fn expected_score(&self) -> Estimate {
        if self.measured {
            let [low, high] = [self.elo.low, self.elo.high].map(expected_score);
            return Estimate { value: self.score, low, high };
        }
        let (size, score) = (self.distinct.max(1) as f64, self.score);
        // The upper end is one minus the lower end for the other player's score.
        let low = |score: f64| {
            let square = Z95 * Z95;
            let spread = square - 2.0 - 1.0 / size + 4.0 * score * (size * (1.0 - score) + 1.0);
            let end = 2.0 * size * score + square - 1.0 - Z95 * spread.max(0.0).sqrt();
            if score > 0.0 { (end / (2.0 * (size + square))).clamp(0.0, score) } else { 0.0 }
        };
        let (low, high) = (low(score), 1.0 - low(1.0 - score));
        Estimate { value: score, low, high }
    }

    /// The difference in Elo with its 95 % interval. An end is infinite if its score is clamped.
    pub fn elo_interval(&self) -> Estimate {
        let Estimate { value, low, high } = self.expected_score();
        Estimate { value: unbounded_elo(value), low: unbounded_elo(low), high: unbounded_elo(high) }
    }

    /// The likelihood of superiority (LOS), 0 to 1. An unmeasured variance is taken to be the largest possible.
    pub fn likelihood(&self) -> f64 {
        if self.measured {
            return self.superiority;
        }
        let size = self.distinct.max(1) as f64;
        let deviations = (self.score - 0.5) * 2.0 * size.sqrt();
        libm::erfc(-deviations * FRAC_1_SQRT_2) / 2.0
    }

    /// The expected score in percent, with its interval.
    pub fn percentage(&self) -> Estimate {
        let Estimate { value, low, high } = self.expected_score();
        Estimate { value: value * 100.0, low: low * 100.0, high: high * 100.0 }
    }
}

impl Pairs {
    /// The number of pairs, including those with the same moves as another.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds a pair in which the first player scored `half_points` half points. `new`: no earlier pair has the same moves.
    pub fn add(&mut self, half_points: usize, new: bool) {
        if let Some(count) = self.counts.get_mut(half_points) {
            *count += 1;
            self.distinct += u64::from(new);
        }
    }

    /// The same pairs from the second player's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.counts.reverse();
        self
    }

    /// Adds the counts of other pairs.
    pub fn extend(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.distinct += other.distinct;
    }

    /// The weights of the classes: in the proportions of all pairs, with the number of different pairs as their sum.
    fn weights(&self) -> [f64; 5] {
        let scale = self.distinct as f64 / self.total().max(1) as f64;
        self.counts.map(|count| if count == 0 { EMPTY_CLASS } else { count as f64 * scale })
    }

    /// The strength of the first player; `None` without pairs.
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
        // A pair's score is the mean of two games, so a game has √2 times its deviation.
        let deviation = (2.0 * sample.variance).sqrt();
        Some(Strength {
            distinct: self.distinct,
            measured: self.distinct >= FEW && self.counts.iter().filter(|it| **it > 0).count() > 1,
            score,
            elo: interval(&elo),
            normalised: interval(&|score| (score - 0.5) / deviation * NELO),
            // The normal distribution function at (mean − ½) / spread.
            superiority: libm::erfc((0.5 - sample.mean) / spread * FRAC_1_SQRT_2) / 2.0,
        })
    }
}

/// The difference in Elo for an expected score, which is clamped to 0.001 … 0.999.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(CERTAIN, 1.0 - CERTAIN);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The difference in Elo, infinite for a score that is clamped.
fn unbounded_elo(score: f64) -> f64 {
    // A clamped score that was converted to Elo and back has rounding errors.
    const CUT: f64 = CERTAIN + 1e-9;
    if score <= CUT {
        f64::NEG_INFINITY
    } else if score >= 1.0 - CUT {
        f64::INFINITY
    } else {
        elo(score)
    }
}

/// The expected score, 0 to 1, for a difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
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

const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Sample {
    fn new(weights: [f64; 5]) -> Self {
        let size: f64 = weights.iter().sum();
        let shares = weights.map(|weight| weight / size);
        let (mean, variance) = moments(&shares);
        Self { size, shares, mean, variance }
    }
}

/// Mean and variance of a distribution over [`SCORES`].
fn moments(shares: &[f64; 5]) -> (f64, f64) {
    let over = |of: &dyn Fn(f64) -> f64| -> f64 {
        SCORES.iter().zip(shares).map(|(&score, share)| share * of(score)).sum()
    };
    let mean = over(&|score| score);
    (mean, over(&|score| (score - mean).powi(2)))
}

/// The kind of Elo in which the hypotheses of a test are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalised Elo, in standard deviations of a game (see [`NELO`]).
    #[default]
    Normalized,
    /// Logistic Elo, as in rating lists.
    Logistic,
}

/// A sequential test (SPRT) of two hypotheses about the strength of one player against another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The Elo difference under H0, in the unit of `model`.
    pub elo0: f64,
    /// The Elo difference under H1, in the unit of `model`; above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 although H0 is true, above 0.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The probability of accepting H0 although H1 is true, above 0. The sum with `alpha` is below 1.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// Whether `elo0` and `elo1` are in logistic or normalized Elo.
    #[serde(default)]
    pub model: SprtModel,
}

const fn five_percent() -> f64 {
    0.05
}

/// The verdict of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SprtVerdict {
    /// H0 is accepted: the difference is `elo0` rather than `elo1`.
    H0,
    /// H1 is accepted: the difference is `elo1` rather than `elo0`.
    H1,
    /// Neither hypothesis is accepted: more pairs are needed.
    Open,
}

/// The state of a sequential test after some pairs of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio of H1 to H0.
    pub llr: f64,
    /// H0 is accepted if `llr` is at this value or below.
    pub lower: f64,
    /// H1 is accepted if `llr` is at this value or above.
    pub upper: f64,
    /// Whether H0 or H1 is accepted, or more pairs are needed.
    pub verdict: SprtVerdict,
}

impl Sprt {
    /// Checks hypotheses and probabilities.
    /// Errors: `elo0` not below `elo1`, and probabilities out of range.
    pub fn check(&self) -> Result<(), Fault> {
        let Self { elo0, elo1, alpha, beta, .. } = *self;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(Fault::new(format!("the test has elo0={elo0} and elo1={elo1}"))
                .hint("give finite numbers with elo0 below elo1"));
        }
        let is_probability = |p: f64| p > 0.0 && p < 1.0;
        if !(is_probability(alpha) && is_probability(beta) && alpha + beta < 1.0) {
            return Err(Fault::new(format!("the test has alpha={alpha} and beta={beta}"))
                .hint("give alpha and beta above 0, with a sum below 1"));
        }
        Ok(())
    }

    /// The state of the test after these pairs.
    pub fn state(&self, pairs: &Pairs) -> SprtState {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = if pairs.total() == 0 { 0.0 } else { self.llr(&Sample::new(pairs.weights())) };
        let verdict = if llr >= upper {
            SprtVerdict::H1
        } else if llr <= lower {
            SprtVerdict::H0
        } else {
            SprtVerdict::Open
        };
        SprtState { llr, lower, upper, verdict }
    }

    fn llr(&self, sample: &Sample) -> f64 {
        let likeliest = |elo: f64| match self.model {
            // The formula is proposition 1.1 of *Maximum likelihood estimation for multinomials*.
            SprtModel::Logistic => Some(tilted(sample, SCORES.map(|it| it - expected_score(elo)))),
            SprtModel::Normalized => with_deviations(sample, std::f64::consts::SQRT_2 * elo / NELO),
        };
        let (Some(null), Some(alternative)) = (likeliest(self.elo0), likeliest(self.elo1)) else {
            return self.approximate(sample);
        };
        let ratio: f64 = (0..5)
            .map(|class| sample.shares[class] * (alternative[class] / null[class]).ln())
            .sum();
        sample.size * ratio
    }

    /// An approximation of the ratio if [`with_deviations`] does not converge (*Comments on Normalized Elo*, section 4.2).
    fn approximate(&self, sample: &Sample) -> f64 {
        let deviation = (2.0 * sample.variance).sqrt();
        let observed = (sample.mean - 0.5) / deviation;
        let misfit = |elo: f64| 1.0 + (observed - elo / NELO).powi(2);
        sample.size * (misfit(self.elo0) / misfit(self.elo1)).ln()
    }
}

/// The likeliest distribution whose mean is `deviations` of its standard deviations above ½ (*Comments on Normalized Elo*,
/// section 4.1). The constraint is not linear, so each round solves for its tangent at the last solution. `None` if the
/// rounds do not converge.
fn with_deviations(sample: &Sample, deviations: f64) -> Option<[f64; 5]> {
    const ROUNDS: usize = 100;
    const CLOSE: f64 = 1e-12;
    const TOLERANCE: f64 = 1e-6;
    let mut shares = [0.2; 5];
    for _ in 0..ROUNDS {
        let (mean, variance) = moments(&shares);
        let sigma = variance.sqrt();
        let tangent = SCORES.map(|score| {
            let distance = (score - mean) / sigma;
            score - 0.5 - deviations * sigma * (1.0 + distance * distance) / 2.0
        });
        let next = tilted(sample, tangent);
        let change = shares.iter().zip(next).map(|(old, new)| (old - new).abs());
        let largest_change = change.fold(0.0, f64::max);
        shares = next;
        if largest_change < CLOSE {
            break;
        }
    }
    let (mean, variance) = moments(&shares);
    let converged = (mean - 0.5 - deviations * variance.sqrt()).abs() < TOLERANCE;
    (converged && shares.iter().all(|&share| share > 0.0)).then_some(shares)
}

/// The observed shares, each divided by 1 + θ·a, with the θ for which Σ share·a / (1 + θ·a) = 0.
fn tilted(sample: &Sample, a: [f64; 5]) -> [f64; 5] {
    let slope = |theta: f64| {
        sample.shares.iter().zip(a).map(|(share, a)| share * a / (1.0 + theta * a)).sum()
    };
    let theta = root(slope, &a);
    let mut shares = sample.shares;
    for (share, a) in shares.iter_mut().zip(a) {
        *share /= 1.0 + theta * a;
    }
    shares
}

/// The root of a function that falls from +∞ to −∞ between its poles −1/max(a) and −1/min(a), by bisection to the last digit.
fn root(f: impl Fn(f64) -> f64, a: &[f64; 5]) -> f64 {
    const HALVINGS: usize = 200;
    let least = a.iter().copied().fold(f64::INFINITY, f64::min);
    let most = a.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}
