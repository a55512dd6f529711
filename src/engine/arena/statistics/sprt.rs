//! The generalised sequential probability ratio test over pairs of games.

use serde::{Deserialize, Serialize};

use super::{NELO, Pairs, SCORES, Sample, expected, moments};
use crate::engine::game::Fault;

/// In what the hypotheses are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
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
    pub model: Model,
}

const fn five_percent() -> f64 {
    0.05
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
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
    pub verdict: Verdict,
}

impl Sprt {
    /// Checks that it is a test.
    ///
    /// # Errors
    /// Hypotheses in the wrong order and probabilities that are none.
    pub fn check(&self) -> Result<(), Fault> {
        let Self {
            elo0,
            elo1,
            alpha,
            beta,
            ..
        } = *self;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(
                Fault::new(format!("the test has elo0={elo0} and elo1={elo1}"))
                    .hint("both are numbers, and elo0 is below elo1"),
            );
        }
        let is_probability = |p: f64| p > 0.0 && p < 1.0;
        if !(is_probability(alpha) && is_probability(beta) && alpha + beta < 1.0) {
            return Err(
                Fault::new(format!("the test has alpha={alpha} and beta={beta}"))
                    .hint("both are above 0, and together below 1"),
            );
        }
        Ok(())
    }

    /// How the test stands after these pairs.
    pub fn state(&self, pairs: &Pairs) -> SprtState {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = if pairs.total() == 0 {
            0.0
        } else {
            self.llr(&Sample::new(pairs.weights()))
        };
        let verdict = if llr >= upper {
            Verdict::H1
        } else if llr <= lower {
            Verdict::H0
        } else {
            Verdict::Open
        };
        SprtState {
            llr,
            lower,
            upper,
            verdict,
        }
    }

    fn llr(&self, sample: &Sample) -> f64 {
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => Some(with_mean(sample, expected(elo))),
            Model::Normalized => with_deviations(sample, std::f64::consts::SQRT_2 * elo / NELO),
        };
        let (Some(null), Some(alternative)) = (likeliest(self.elo0), likeliest(self.elo1)) else {
            return self.approximate(sample);
        };
        let ratio: f64 = (0..5)
            .map(|class| sample.shares[class] * (alternative[class] / null[class]).ln())
            .sum();
        sample.size * ratio
    }

    /// *Comments on Normalized Elo*, section 4.2: for hypotheses so far from what was seen that there is no likeliest
    /// distribution to be found.
    fn approximate(&self, sample: &Sample) -> f64 {
        let deviation = (2.0 * sample.variance).sqrt();
        let seen = (sample.mean - 0.5) / deviation;
        let off = |elo: f64| 1.0 + (seen - elo / NELO).powi(2);
        sample.size * (off(self.elo0) / off(self.elo1)).ln()
    }
}

/// The likeliest distribution whose mean is `mean`, given what was seen: Van den Bergh, *Maximum likelihood estimation for
/// multinomials*, proposition 1.1.
fn with_mean(sample: &Sample, mean: f64) -> [f64; 5] {
    tilted(sample, SCORES.map(|score| score - mean))
}

/// The likeliest distribution whose mean is so many of its standard deviations above ½: *Comments on Normalized Elo*, section
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
        let change = shares.iter().zip(next).map(|(old, new)| (old - new).abs());
        let most = change.fold(0.0, f64::max);
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
    let theta = root(
        |theta| {
            let terms = sample.shares.iter().zip(a);
            terms.map(|(share, a)| share * a / (1.0 + theta * a)).sum()
        },
        &a,
    );
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_ends_at_its_bounds() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalized,
        };
        let state = |counts| test.state(&Pairs::of(counts)).verdict;
        assert_eq!(state([0; 5]), Verdict::Open);
        assert_eq!(state([0, 0, 0, 0, 100]), Verdict::H1);
        assert_eq!(state([100, 0, 0, 0, 0]), Verdict::H0);
        assert_eq!(state([10, 20, 40, 21, 10]), Verdict::Open);
    }

    #[test]
    fn hypotheses_far_from_what_was_seen_have_a_ratio_too() {
        for (elo0, elo1) in [(0.0, 900.0), (-5000.0, 5000.0), (800.0, 900.0)] {
            for model in [Model::Normalized, Model::Logistic] {
                let test = Sprt {
                    elo0,
                    elo1,
                    alpha: 0.05,
                    beta: 0.05,
                    model,
                };
                for counts in [
                    [0, 1, 2, 0, 0],
                    [9, 0, 0, 0, 0],
                    [0, 0, 0, 0, 9],
                    [1, 1, 1, 1, 1],
                ] {
                    let state = test.state(&Pairs::of(counts));
                    assert!(state.llr.is_finite(), "{test:?} {counts:?} {state:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_test_is_refused() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Logistic,
        };
        assert!(test.check().is_ok());
        for wrong in [
            Sprt { elo1: 0.0, ..test },
            Sprt {
                elo0: f64::NAN,
                ..test
            },
            Sprt { alpha: 0.0, ..test },
            Sprt {
                alpha: 0.6,
                beta: 0.5,
                ..test
            },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
