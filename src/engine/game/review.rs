//! Winning chances, accuracy, and inaccuracies, mistakes and blunders, as lichess computes them.
//!
//! The formulas of chances and accuracy are published on <https://lichess.org/page/accuracy>; the limits of inaccuracy,
//! mistake and blunder and the mean of a game's accuracies are those of its source code.

use serde::Serialize;
use strum::IntoStaticStr;

use super::{Score, Side};
use crate::text::style::Scale;

/// The value, in centipawns, above which winning chances no longer grow.
const GREATEST: f64 = 1000.0;

/// Centipawns per unit of value where a win is worth 1: a stone more in morris (10/122 by the weights for play) is worth a pawn.
const UNIT: f64 = 1220.0;

/// A value in centipawns, from -[`GREATEST`] to [`GREATEST`].
fn centipawns(scale: Scale, value: Score) -> f64 {
    let value = value.get();
    let raw = match scale {
        _ if scale.end(value).is_some() => GREATEST.copysign(value),
        Scale::Centipawns { .. } => value,
        Scale::Unit | Scale::Distances { .. } => value * UNIT,
        Scale::Plain | Scale::Bounded { .. } => value * 100.0,
    };
    raw.clamp(-GREATEST, GREATEST)
}

/// Converts a value for a side into a value for White.
pub fn for_white(side: Side, value: Score) -> Score {
    if side == Side::White { value } else { -value }
}

/// The winning chances in percent, for the side that the value is for.
pub fn win_percent(scale: Scale, value: Score) -> f64 {
    let centipawns = centipawns(scale, value);
    50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * centipawns).exp()) - 1.0)
}

/// [`win_percent`] for texts and graphs: 100 or 0 once the game is decided, by a mate at any distance.
pub fn shown_percent(scale: Scale, value: Score) -> f64 {
    if scale.end(value.get()).is_some() {
        return 50.0 + 50.0 * value.get().signum();
    }
    win_percent(scale, value)
}

/// The accuracy of a move in percent, by the winning chances that it loses, in percentage points. Like lichess's code, this adds
/// 1 to the published formula, because analysis is never perfect.
pub fn move_accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.043_54 * loss).exp() - 3.1669 + 1.0).clamp(0.0, 100.0)
}

/// A move that loses winning chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Judgement {
    /// `?!`: a loss of at least five percentage points of winning chances.
    Inaccuracy,
    /// `?`: a loss of at least ten percentage points.
    Mistake,
    /// `??`: a loss of at least fifteen percentage points.
    Blunder,
}

impl Judgement {
    /// All judgements, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The judgement of a loss of winning chances in percentage points; `None` for a small loss.
    pub fn of(loss: f64) -> Option<Self> {
        match loss {
            15.0.. => Some(Self::Blunder),
            10.0.. => Some(Self::Mistake),
            5.0.. => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// The numeric annotation glyph for this judgement in PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

/// The accuracy of each side in a game, in percent: the mean of its moves' accuracies, weighted by how much the chances swing
/// around them, averaged with the harmonic mean. `chances`: White's before each move and at the end; `losses`: the winning chances
/// that each move loses. `None`: no moves.
pub fn game_accuracy(first: Side, chances: &[f64], losses: &[f64]) -> [Option<f64>; 2] {
    let window = (losses.len() / 10).clamp(2, 8).min(chances.len());
    let mut sums = [(0.0, 0.0, 0.0, 0.0); 2];
    for (at, loss) in losses.iter().enumerate() {
        let begin = (at + 2).saturating_sub(window);
        let weight = deviation(&chances[begin..(begin + window).min(chances.len())]);
        let side = if at % 2 == 0 { first } else { first.other() };
        let accuracy = move_accuracy(*loss);
        let sum = &mut sums[side.index()];
        sum.0 += accuracy * weight;
        sum.1 += weight;
        // A move of accuracy 0 would make the harmonic mean 0.
        sum.2 += 1.0 / accuracy.max(1.0);
        sum.3 += 1.0;
    }
    sums.map(|(weighted, weights, inverse, count)| {
        (count > 0.0).then(|| f64::midpoint(weighted / weights, count / inverse))
    })
}

/// The standard deviation of `values`, limited to the range from 0.5 to 12.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    variance.sqrt().clamp(0.5, 12.0)
}
