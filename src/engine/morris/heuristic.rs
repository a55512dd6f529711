//! The heuristic evaluation: the weighted sum of stones, stones in hand, mills and possible mills (seed 002), and of mobility,
//! whose weight is 0 by default.

use super::{
    Position,
    lines::{Lines, PointPair},
};
use crate::engine::game::{Fault, Result, Score, Side, Term, Weights, Window};

/// The names of the weights, in the order of the counts.
const NAMES: [&str; 5] = ["stones", "stash", "mills", "possible_mills", "mobility"];
/// The greatest mobility: nine stones can reach at most the other 15 points.
const MOST_MOBILITY: f64 = 15.0;
/// A power of two above every count: there are at most 9 stones and 16 lines.
const COUNTS: usize = 32;
/// Above this sum, rounding makes the `+ 1` of the divisor ineffective, and values can exceed 1.
const EXACT: f64 = 1_125_899_906_842_624.0; // 2^50

/// The heuristic with one set of weights. Operations are in the seeds' order, so that every double equals the seeds'.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// The products of every weight with every possible count.
    products: [[f64; COUNTS]; 5],
    /// Whether the weight of mobility is not 0; otherwise mobility is not counted.
    has_mobility: bool,
    pub(super) divisor: f64,
    window: Window,
}

/// The counts of both sides, White first, for each weight.
type Counts = [[usize; 2]; 5];

pub(super) fn default_weights() -> Weights {
    let defaults = [1.0, 1.0, 4.0, 2.0, 0.0];
    Weights::new(NAMES.into_iter().zip(defaults))
}

/// The weights with which the engine plays, unless the user has changed them.
// The best of twelve sets in games of 20,000 nodes a move. `sessions/weights.md` has the command of such a match.
pub(super) fn weights_for_play() -> Weights {
    Weights::new(NAMES.into_iter().zip([10.0, 10.0, 0.0, 2.0, 1.0]))
}

impl Evaluator {
    /// The heuristic with these weights. Fails if the divisor, the greatest sum plus one, is 0 (D12), or if sums overflow.
    pub fn new(weights: &Weights) -> Result<Self> {
        let values = NAMES.map(|name| weights.get(name));
        let [stones, stash, mills, possible, mobility] = values;
        let larger = if stash > stones { stash } else { stones };
        let maximum = 9.0 * larger + 4.0 * mills + 8.0 * possible + MOST_MOBILITY * mobility;
        let divisor = maximum + 1.0;
        if divisor == 0.0 {
            let what = "the divisor 9*max(stones, stash) + 4*mills + 8*possible_mills + 15*mobility + 1 zero";
            let message = format!("the weights {weights} make {what}");
            return Err(Fault::new(message).hint("change one of the weights"));
        }
        let greatest = values.map(f64::abs).iter().sum::<f64>() * COUNTS as f64;
        if !(2.0 * greatest / divisor).is_finite() || !divisor.is_finite() {
            return Err(Fault::new("weights as large as these overflow a double")
                .hint("only their proportions matter much: divide them all by the same number"));
        }
        let bounded = values.iter().all(|&weight| weight >= 0.0) && maximum < EXACT;
        Ok(Self {
            products: values.map(|weight| std::array::from_fn(|count| weight * count as f64)),
            has_mobility: mobility != 0.0,
            divisor,
            window: if bounded { UNIT } else { Window::INFINITE },
        })
    }

    /// The value for the side to move; from -1 to 1 if no weight is negative.
    #[inline]
    pub fn value(&self, position: &Position) -> Score {
        let counts = count(position, self.has_mobility);
        let balance = self.sum(&counts, 0) - self.sum(&counts, 1);
        let white = Score::from_finite(balance / self.divisor);
        if position.side == Side::White { white } else { -white }
    }

    #[inline]
    fn sum(&self, counts: &Counts, side: usize) -> f64 {
        // The sum begins with +0.0, because a sum of the seeds' integers is never -0.0.
        let mut sum = 0.0;
        for (products, count) in self.products.iter().zip(counts) {
            sum += products[count[side] % COUNTS];
        }
        sum
    }

    /// The full window of the values: -1 to 1 if no weight is negative, else infinite.
    pub const fn window(&self) -> Window {
        self.window
    }
}

const UNIT: Window = Window { alpha: Score::from_finite(-1.0), beta: Score::ONE };

/// The number of empty points next to stones, for White and for Black.
#[inline]
fn mobility(position: &Position) -> [usize; 2] {
    let [white, black] = position.stones.map(|stones| stones.neighbours() & position.empty());
    PointPair::new(white, black).counts()
}

#[inline]
fn count(position: &Position, has_mobility: bool) -> Counts {
    let [white, black] = position.stones;
    let stones = PointPair::new(white, black);
    let empty = position.empty();
    let empty = PointPair::new(empty, empty);
    let lines = Lines::of(stones);
    // A possible mill: one of the two lines through an empty point lacks only the stone on that point.
    let [one, other] = lines.each_within(empty).map(PointPair::counts);
    [
        stones.counts(),
        position.hand.map(usize::from),
        lines.mills(stones).counts(),
        [one[0] + other[0], one[1] + other[1]],
        if has_mobility { mobility(position) } else { [0, 0] },
    ]
}

pub(super) fn terms(weights: &Weights, position: &Position) -> Vec<Term> {
    let term = |(name, [white, black]): (&str, [usize; 2])| Term {
        name: name.to_owned(),
        white: white as f64,
        black: black as f64,
        weight: weights.get(name),
    };
    NAMES.into_iter().zip(count(position, true)).map(term).collect()
}
