//! Distances and mutual zugzwangs of a table, and random positions of it.

use std::ops::Range;

use super::{
    Store, Subspace, TableKind,
    file::BLOCK,
    probe::position_of,
    solve::{Table, Work},
    value_of,
};
use crate::engine::{
    cachefile::Monitor,
    game::{Game, Outcome, Result, TrueValue},
    random::splitmix_all,
    workers::{self, interrupted},
};

/// A position in which having to move is a disadvantage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zugzwang {
    /// The position, as its index in the table.
    pub index: u32,
    /// The value for the side to move.
    pub moving: TrueValue,
    /// The value for the side to move if the opponent moved instead.
    pub waiting: TrueValue,
}

/// The distribution of distances, and the mutual zugzwangs.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Wins and losses by their plies; positions equal by symmetry all count.
    pub by_plies: Vec<[u64; 2]>,
    /// Positions in which both sides would rather not move: each side has a better value if the other one moves.
    pub zugzwangs: u64,
    /// Zugzwangs in which whoever moves loses.
    pub both_lose: u64,
    /// The mutual zugzwangs with the least indices; of those equal by symmetry, only the first.
    pub listed: Vec<Zugzwang>,
}

impl Statistics {
    fn add(&mut self, orbit: u32, [moving, waiting]: [TrueValue; 2], index: usize, most: usize) {
        let orbit = u64::from(orbit);
        if let Some(plies) = moving.plies {
            let place = plies as usize;
            self.by_plies.resize(self.by_plies.len().max(place + 1), [0; 2]);
            self.by_plies[place][usize::from(moving.outcome == Outcome::Loss)] += orbit;
        }
        if moving.sign() >= waiting.sign() {
            return;
        }
        self.zugzwangs += orbit;
        let both_lose = moving.outcome == Outcome::Loss && waiting.outcome == Outcome::Win;
        self.both_lose += if both_lose { orbit } else { 0 };
        if self.listed.len() < most {
            self.listed.push(Zugzwang { index: index as u32, moving, waiting });
        }
    }

    fn merge(&mut self, more: Self, most: usize) {
        self.by_plies.resize(self.by_plies.len().max(more.by_plies.len()), [0; 2]);
        for (sum, [wins, losses]) in self.by_plies.iter_mut().zip(more.by_plies) {
            *sum = [sum[0] + wins, sum[1] + losses];
        }
        self.zugzwangs += more.zugzwangs;
        self.both_lose += more.both_lose;
        let room = most.saturating_sub(self.listed.len());
        self.listed.extend(more.listed.into_iter().take(room));
    }
}

/// Counts distances and mutual zugzwangs of a table, and lists at most `most` of the zugzwangs.
/// Errors: a file that cannot be used, a table that is missing, an interrupt.
pub fn statistics(
    store: &Store,
    subspace: Subspace,
    most: usize,
    threads: usize,
    monitor: &mut Monitor<'_>,
) -> Result<Statistics> {
    let work = Work { threads, interrupt: monitor.interrupt };
    let kind = store.header(subspace)?.kind;
    let table = store.load(subspace, work)?;
    let mirror = (subspace.mirror() != subspace).then(|| store.load(subspace.mirror(), work));
    let mirror = mirror.transpose()?;
    let other = mirror.as_ref().unwrap_or(&table);
    let starts: Vec<_> = (0..table.len()).step_by(BLOCK).collect();
    let job = |&start: &usize, _: &_| {
        Ok(part(&table, other, start..table.len().min(start + BLOCK), kind, most))
    };
    let parts = workers::map(&starts, threads, monitor.interrupt, job, &mut |blocks| {
        (monitor.progress)(blocks, starts.len() as u64);
    })?;
    let mut statistics = Statistics::default();
    for part in parts.ok_or_else(interrupted)? {
        statistics.merge(part, most);
    }
    Ok(statistics)
}

fn part(
    table: &Table,
    mirror: &Table,
    range: Range<usize>,
    kind: TableKind,
    most: usize,
) -> Statistics {
    let mut statistics = Statistics::default();
    table.index.each_in(range, |index, stones| {
        let orbit = table.index.orbit(index, stones);
        if orbit > 0 {
            let moving = value_of(table.code_at(index), kind);
            // The value with the opponent to move, negated so that it is for the same side as `moving`.
            let waiting = value_of(mirror.code(stones.swapped()), kind).negated();
            statistics.add(orbit, [moving, waiting], index, most);
        }
    });
    statistics
}

/// Up to `number` random positions of a table with values that `keep` accepts (all, if it has no more), White to move.
/// Errors: a file that cannot be used.
pub fn sample<G: Game>(
    game: &G,
    store: &Store,
    subspace: Subspace,
    number: usize,
    seed: u64,
    keep: impl Fn(TrueValue) -> bool,
) -> Result<Vec<G::Position>> {
    // Random positions to try for each position wanted: few tables have less than one usable position in twenty.
    const TRIES: usize = 20;
    let table = store.needed(subspace)?;
    let length = table.file.header.values as usize;
    let tries = if number >= length { length } else { number.saturating_mul(TRIES) };
    let seeds = [seed, subspace.own.into(), subspace.other.into()];
    let mut positions = Vec::new();
    for nth in 0..tries {
        let random = splitmix_all(&[seeds[0], seeds[1], seeds[2], nth as u64]);
        let index = if number >= length { nth } else { (random % length as u64) as usize };
        if keep(value_of(table.file.code(index)?, table.file.header.kind)) {
            positions.push(position_of(game, table.index.stones(index))?);
            if positions.len() == number {
                break;
            }
        }
    }
    Ok(positions)
}
