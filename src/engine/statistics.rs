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

use std::f64::consts::FRAC_1_SQRT_2;

use serde::{Deserialize, Serialize};

use crate::engine::game::Fault;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// Different pairs below which the normal approximation of [`Strength`] says more than is known.
pub const FEW: u64 = 30;

/// What pairs say about the first player against the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// Different pairs behind it.
    pub distinct: u64,
    /// Whether they are enough, and different enough in their results, for a variance to be measured: at least [`FEW`].
    pub measured: bool,
    /// Points a game, 0 to 1, before regularisation.
    pub score: f64,
    /// The difference in Elo: 400·log₁₀(score / (1 − score)).
    pub elo: Estimate,
    /// The difference in normalised Elo: (score − ½) in standard deviations of a game, times [`NELO`].
    pub normalised: Estimate,
    /// The likelihood that the first player is the stronger one, 0 to 1.
    pub superiority: f64,
}

impl Strength {
    /// The expected score with its 95 % interval. Where no variance was measured it is Wilson's interval, corrected for continuity,
    /// with the largest variance that results between 0 and 1 can have: too wide rather than too narrow, also where every pair ended alike.
    pub fn expected_score(&self) -> Estimate {
        if self.measured {
            let [low, high] = [self.elo.low, self.elo.high].map(expected);
            return Estimate { value: self.score, low, high };
        }
        let (size, score) = (self.distinct.max(1) as f64, self.score);
        // The lower end for a score; the upper one is that of the other player's.
        let low = |score: f64| {
            let square = Z95 * Z95;
            let spread = square - 2.0 - 1.0 / size + 4.0 * score * (size * (1.0 - score) + 1.0);
            let end = 2.0 * size * score + square - 1.0 - Z95 * spread.max(0.0).sqrt();
            if score > 0.0 { (end / (2.0 * (size + square))).clamp(0.0, score) } else { 0.0 }
        };
        let (low, high) = (low(score), 1.0 - low(1.0 - score));
        Estimate { value: score, low, high }
    }

    /// The difference in Elo with its 95 % interval; an end is infinite where nothing bounds it.
    pub fn elo_interval(&self) -> Estimate {
        let Estimate { value, low, high } = self.expected_score();
        Estimate { value: unbounded_elo(value), low: unbounded_elo(low), high: unbounded_elo(high) }
    }

    /// The likelihood of superiority. Where no variance was measured it is that of a score so far from ½ under
    /// the largest.
    pub fn likelihood(&self) -> f64 {
        if self.measured {
            return self.superiority;
        }
        let size = self.distinct.max(1) as f64;
        let deviations = (self.score - 0.5) * 2.0 * size.sqrt();
        libm::erfc(-deviations * FRAC_1_SQRT_2) / 2.0
    }

    /// The percentage of the points, with its error band.
    pub fn percentage(&self) -> Estimate {
        let Estimate { value, low, high } = self.expected_score();
        Estimate { value: value * 100.0, low: low * 100.0, high: high * 100.0 }
    }
}

impl Pairs {
    /// How many there are.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds a pair in which the first player scored `half_points` half points. `new`: it was not played before.
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
        let scale = self.distinct as f64 / self.total().max(1) as f64;
        self.counts.map(|count| if count == 0 { REGULAR } else { count as f64 * scale })
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
            distinct: self.distinct,
            measured: self.distinct >= FEW && self.counts.iter().filter(|it| **it > 0).count() > 1,
            score,
            elo: interval(&elo),
            normalised: interval(&|score| (score - 0.5) / deviation * NELO),
            // The probability that a normal variable is on this side of its mean.
            superiority: libm::erfc((0.5 - sample.mean) / spread * FRAC_1_SQRT_2) / 2.0,
        })
    }
}

/// The difference in Elo that a score is expected with.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(CERTAIN, 1.0 - CERTAIN);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The same, infinite where a side is expected to score (nearly) everything.
fn unbounded_elo(score: f64) -> f64 {
    // Ends that were cut off there and came back from Elo are not exact.
    const CUT: f64 = CERTAIN + 1e-9;
    if score <= CUT {
        f64::NEG_INFINITY
    } else if score >= 1.0 - CUT {
        f64::INFINITY
    } else {
        elo(score)
    }
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

/// In what the hypotheses are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalised Elo.
    #[default]
    Normalized,
    /// Elo.
    Logistic,
}

/// A test of two hypotheses about the strength of one player against another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 where H0 holds, above 0.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The probability of accepting H0 where H1 holds, above 0; with `alpha` less than 1.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// In what the differences are told.
    #[serde(default)]
    pub model: SprtModel,
}

const fn five_percent() -> f64 {
    0.05
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SprtVerdict {
    /// The difference is `elo0` rather than `elo1`.
    H0,
    /// The difference is `elo1` rather than `elo0`.
    H1,
    /// More pairs are needed.
    Open,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio of H1 to H0.
    pub llr: f64,
    /// At or below this H0 is accepted.
    pub lower: f64,
    /// At or above this H1 is accepted.
    pub upper: f64,
    /// What the test says.
    pub verdict: SprtVerdict,
}

impl Sprt {
    /// Checks that it is a test.
    pub fn check(&self) -> Result<(), Fault> {
        let Self { elo0, elo1, alpha, beta, .. } = *self;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(Fault::new(format!("the test has elo0={elo0} and elo1={elo1}"))
                .hint("both are numbers, and elo0 is below elo1"));
        }
        let is_probability = |p: f64| p > 0.0 && p < 1.0;
        if !(is_probability(alpha) && is_probability(beta) && alpha + beta < 1.0) {
            return Err(Fault::new(format!("the test has alpha={alpha} and beta={beta}"))
                .hint("both are above 0, and together below 1"));
        }
        Ok(())
    }

    /// How the test stands after these pairs.
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
            // *Maximum likelihood estimation for multinomials*, proposition 1.1.
            SprtModel::Logistic => Some(tilted(sample, SCORES.map(|score| score - expected(elo)))),
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

    /// *Comments on Normalized Elo*, section 4.2: for hypotheses too far from what was seen to be solved.
    fn approximate(&self, sample: &Sample) -> f64 {
        let deviation = (2.0 * sample.variance).sqrt();
        let seen = (sample.mean - 0.5) / deviation;
        let off = |elo: f64| 1.0 + (seen - elo / NELO).powi(2);
        sample.size * (off(self.elo0) / off(self.elo1)).ln()
    }
}

/// The likeliest distribution whose mean is `deviations` of its standard deviations above ½: *Comments on Normalized Elo*, section
/// 4.1. The constraint is not linear, so it is solved again and again along its tangent at the last solution.
/// Nothing where that does not lead to a solution.
fn with_deviations(sample: &Sample, deviations: f64) -> Option<[f64; 5]> {
    const ROUNDS: usize = 100;
    const CLOSE: f64 = 1e-12;
    const HELD: f64 = 1e-6;
    let mut shares = [0.2; 5];
    for _ in 0..ROUNDS {
        let (mean, variance) = moments(&shares);
        let sigma = variance.sqrt();
        let tangent = SCORES.map(|score| {
            let away = (score - mean) / sigma;
            score - 0.5 - deviations * sigma * (1.0 + away * away) / 2.0
        });
        let next = tilted(sample, tangent);
        let most = shares.iter().zip(next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        shares = next;
        if most < CLOSE {
            break;
        }
    }
    let (mean, variance) = moments(&shares);
    let held = (mean - 0.5 - deviations * variance.sqrt()).abs() < HELD;
    (held && shares.iter().all(|&share| share > 0.0)).then_some(shares)
}

/// What was seen, each share divided by 1 + θ·a, with the θ for which Σ share·a / (1 + θ·a) = 0.
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

/// The root of a function that falls from +∞ to −∞ between its poles −1/max(a) and −1/min(a), halved down to the last digit.
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
