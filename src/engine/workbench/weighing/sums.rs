//! What opinions on many positions add up to.

use std::time::Instant;

use super::{Column, Named};
use crate::engine::{
    game::Game,
    report::{Agreement, PhaseCount, SuiteHead, SuiteSet},
    weighing::{Suite, agreement},
};

/// Every two of the sets, in order.
pub(super) fn pairs_of(sets: &[Named]) -> Vec<(&Named, &Named)> {
    let pairs = sets.iter().enumerate().flat_map(|(place, first)| {
        let others = sets[place + 1..].iter();
        others.map(move |second| (first, second))
    });
    pairs.collect()
}

/// How far two sets agree on the positions at the places that count.
pub(super) fn side_by_side<G: Game>(
    first: &Column<G>,
    second: &Column<G>,
    counts: impl Fn(usize) -> bool,
) -> Agreement {
    let both = first.iter().zip(second).enumerate();
    let counted = both.filter(|(place, _)| counts(*place));
    agreement(counted.map(|(place, (one, two))| (place as u64 + 1, one, two)))
}

pub(super) fn head<G: Game>(suite: &Suite<G>) -> SuiteHead {
    let mut phases: Vec<PhaseCount> = Vec::new();
    for posed in &suite.positions {
        match phases.iter_mut().find(|known| known.phase == posed.phase) {
            Some(known) => known.positions += 1,
            None => phases.push(PhaseCount {
                phase: posed.phase.to_owned(),
                positions: 1,
            }),
        }
    }
    SuiteHead {
        suite: suite.name.clone(),
        positions: suite.positions.len() as u64,
        phases,
        notes: suite.notes.clone(),
    }
}

pub(super) fn mean_value<G: Game>(column: &Column<G>) -> f64 {
    let sum: f64 = column.iter().map(|opinion| opinion.value.get()).sum();
    sum / column.len().max(1) as f64
}

pub(super) fn nodes<G: Game>(column: &Column<G>) -> u64 {
    column.iter().map(|opinion| opinion.nodes).sum()
}

pub(super) fn suite_set<G: Game>((name, weights): &Named, column: &Column<G>) -> SuiteSet {
    SuiteSet {
        name: name.clone(),
        weights: weights
            .iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        mean_value: mean_value(column),
        nodes: nodes(column),
    }
}

pub(super) fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
