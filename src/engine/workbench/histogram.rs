//! Entries counted: by depth, by bound, by value and by orbit.

use super::{
    Answer, Desk,
    browse::{Counts, Filter, census},
    cache::Stored,
};
use crate::engine::{
    game::{Game, KeyScheme, Keyed, Score},
    reply::{Histogram, OrbitReport, ValueBucket},
};

impl<G: Game> Desk<G> {
    pub(super) fn histogram_of(&self, filter: &Filter<'_>, buckets: usize) -> Answer<Histogram> {
        let sieve = self.sieve(filter)?;
        let mut counts = Counts::default();
        let mut places = Vec::new();
        let mut values = Values::default();
        for (place, (at, entry)) in self.run.searcher.memo.entries().iter().enumerate() {
            if sieve.passes(place, at, &entry) {
                places.push(place as u32);
                values.see(entry.value);
                counts.see(&entry);
            }
        }
        let found = places.iter().filter_map(|&place| {
            let stored = self.run.searcher.memo.entries().nth(place as usize);
            stored.map(|(_, entry)| entry.value)
        });
        Ok(Histogram {
            matching: places.len(),
            total: self.run.searcher.memo.entries().len(),
            by_depth: census(counts.by_depth),
            by_bound: census(counts.by_bound),
            by_value: values.buckets(buckets, found),
            orbit: self.orbits(&places),
        })
    }

    /// How much of the orbits of some entries is stored. Nothing where keys stand for no positions.
    fn orbits(&self, places: &[u32]) -> Option<OrbitReport> {
        /// So many are looked at, evenly chosen.
        const LOOKED_AT: usize = 10_000;
        let step = places.len().div_ceil(LOOKED_AT).max(1);
        let mut tally = Orbits::default();
        for &place in places.iter().step_by(step) {
            let stored = self.run.searcher.memo.entries().nth(place as usize)?;
            let (size, present) = self.orbit_of(stored)?;
            tally.add(size, present);
        }
        tally.report(places.len())
    }

    /// How many positions symmetry makes equal to an entry's, and how many of them are stored at its depth.
    fn orbit_of(&self, (at, _): Stored<G>) -> Option<(usize, usize)> {
        let position = self.position_of(at)?;
        let scheme = if self.run.searcher.game.key(&position, KeyScheme::Plain) == at.key {
            KeyScheme::Plain
        } else {
            KeyScheme::Colour
        };
        let orbit = self.run.searcher.game.orbit(&position);
        let entries = self.run.searcher.memo.entries();
        let stored = orbit.iter().filter(|twin| {
            let key = self.run.searcher.game.key(twin, scheme);
            entries.get(Keyed { key, ..at }).is_some()
        });
        Some((orbit.len(), stored.count().max(1)))
    }
}

/// The range of values seen.
#[derive(Default)]
struct Values {
    range: Option<(f64, f64)>,
}

impl Values {
    fn see(&mut self, value: Score) {
        let value = value.get();
        if value.is_finite() {
            let (low, high) = self.range.unwrap_or((value, value));
            self.range = Some((low.min(value), high.max(value)));
        }
    }

    /// Counts values in buckets of equal width, infinite ones apart.
    fn buckets(&self, count: usize, values: impl Iterator<Item = Score>) -> Vec<ValueBucket> {
        let (low, high) = self.range.unwrap_or((0.0, 0.0));
        let count = if low < high { count.max(1) } else { 1 };
        let width = (high - low) / count as f64;
        let edge = |place: usize| {
            let edge = low + width * place as f64;
            Score::from_finite(if place == count { high } else { edge })
        };
        let mut counts = vec![0; count];
        let (mut least, mut most) = (0, 0);
        for value in values {
            let value = value.get();
            if value == f64::NEG_INFINITY {
                least += 1;
            } else if value == f64::INFINITY {
                most += 1;
            } else {
                let place = ((value - low) / width).floor();
                let place = if place.is_finite() { place } else { 0.0 };
                counts[whole(place).min(count - 1)] += 1;
            }
        }
        let bucket = |from, to, entries| ValueBucket { from, to, entries };
        let finite = counts
            .into_iter()
            .enumerate()
            .map(|(place, entries)| bucket(edge(place), edge(place + 1), entries))
            .filter(|_| self.range.is_some());
        let below = bucket(Score::NEG_INFINITY, Score::NEG_INFINITY, least);
        let above = bucket(Score::INFINITY, Score::INFINITY, most);
        std::iter::once(below)
            .filter(|bucket| bucket.entries > 0)
            .chain(finite)
            .chain(Some(above).filter(|bucket| bucket.entries > 0))
            .collect()
    }
}

/// The whole number nearest to one that is not negative.
#[expect(clippy::cast_sign_loss, reason = "what is below 0 counts as 0")]
fn whole(number: f64) -> usize {
    number.round() as usize
}

/// Orbits seen through their entries: an orbit of which several are stored is met as often.
#[derive(Default)]
struct Orbits {
    looked_at: usize,
    /// Orbits, each weighed by one over its stored positions.
    distinct: f64,
    /// Their positions, weighed so.
    positions: f64,
}

impl Orbits {
    fn add(&mut self, size: usize, present: usize) {
        self.looked_at += 1;
        self.distinct += 1.0 / present as f64;
        self.positions += size as f64 / present as f64;
    }

    fn report(&self, entries: usize) -> Option<OrbitReport> {
        let looked_at = self.looked_at as f64;
        (self.looked_at > 0).then(|| OrbitReport {
            looked_at: self.looked_at,
            orbits: whole(self.distinct / looked_at * entries as f64),
            mean_size: self.positions / self.distinct,
            share: looked_at / self.positions,
        })
    }
}
