use super::Opinion;
use crate::engine::{game::Game, report::Agreement};

/// Compares the opinions of two weight sets on the same positions, which have these numbers.
pub fn agreement<'o, G: Game>(
    opinions: impl IntoIterator<Item = (u64, &'o Opinion<G>, &'o Opinion<G>)>,
) -> Agreement {
    let mut sum = Agreement::default();
    let mut differences = 0.0;
    for (number, first, second) in opinions {
        sum.positions += 1;
        sum.same += u64::from(first.best == second.best);
        sum.shared += u64::from(share(first, second));
        let difference = (first.value.get() - second.value.get()).abs();
        differences += difference;
        if sum.widest.is_none() || difference > sum.max_difference {
            sum.max_difference = difference;
            sum.widest = Some(number);
        }
        sum.cost_of_first += cost(first, second);
        sum.cost_of_second += cost(second, first);
    }
    let positions = sum.positions.max(1) as f64;
    sum.mean_difference = differences / positions;
    sum.cost_of_first /= positions;
    sum.cost_of_second /= positions;
    sum
}

/// Whether some move is best for both.
pub fn share<G: Game>(first: &Opinion<G>, second: &Opinion<G>) -> bool {
    let mut both = first.best.iter().zip(&second.best);
    both.any(|(first, second)| *first && *second)
}

/// What the choice of one, any of its best moves being as likely, loses in the eyes of the other.
fn cost<G: Game>(chooser: &Opinion<G>, judge: &Opinion<G>) -> f64 {
    let chosen = judge.moves.iter().zip(&chooser.best);
    let losses = chosen
        .filter(|(_, best)| **best)
        .map(|((_, value), _)| judge.value.get() - value.get());
    let count = chooser.best.iter().filter(|best| **best).count();
    losses.sum::<f64>() / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{game::Score, morris::Morris};

    fn opinion(values: [f64; 3]) -> Opinion<Morris> {
        let game = Morris::default();
        let mut moves = Vec::new();
        game.expand(&game.start(), &(), &mut moves);
        let best = values.iter().copied().fold(f64::MIN, f64::max);
        Opinion {
            value: Score::new(best).unwrap(),
            static_value: Score::ZERO,
            moves: moves
                .into_iter()
                .zip(values.map(|value| Score::new(value).unwrap()))
                .collect(),
            best: values.map(|value| value == best).to_vec(),
            decided: false,
            nodes: 1,
        }
    }

    #[test]
    fn agreement_in_numbers() {
        let pairs = [
            (opinion([1.0, 0.0, 0.0]), opinion([0.5, 0.25, 0.0])),
            (opinion([1.0, 1.0, 0.0]), opinion([0.5, 0.0, 0.25])),
            (opinion([0.0, 0.0, 0.75]), opinion([0.5, 0.0, 0.0])),
        ];
        let numbered = pairs.iter().zip(1..).map(|((a, b), n)| (n, a, b));
        let found = agreement(numbered);
        assert_eq!((found.positions, found.same, found.shared), (3, 1, 2));
        // |1 - 0.5|, |1 - 0.5|, |0.75 - 0.5|
        assert_eq!(found.mean_difference, 1.25 / 3.0);
        assert_eq!((found.max_difference, found.widest), (0.5, Some(1)));
        // 0, half of 0.5, 0.5
        assert_eq!(found.cost_of_first, 0.75 / 3.0);
        // 0, 0, 0.75
        assert_eq!(found.cost_of_second, 0.75 / 3.0);
    }
}
