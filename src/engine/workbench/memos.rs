use std::{hash::BuildHasher, hint::black_box, time::Instant};

use rustc_hash::FxBuildHasher;

use super::{Answer, Desk};
use crate::engine::{
    game::{Fault, Game, Key, Score},
    memo::{AnyMemo, Policy},
    progress::Unit,
    reply::{MemoComparison, MemoPosition, MemoRow},
    search::Fidelity,
    searcher::Searcher,
    settings::Settings,
};

const FIDELITIES: [Fidelity; 2] = [Fidelity::Sound, Fidelity::Seed];

impl<G: Game> Desk<G> {
    /// Searches positions under every policy, each time with a cache of its own; the desk's own is untouched.
    pub(super) fn memos_compared(&self, states: &[&str], depth: u8) -> Answer<MemoComparison> {
        let positions = if states.is_empty() {
            vec![self.now.position.clone()]
        } else {
            let read = |(nth, state): (usize, &&str)| {
                let position = self.read_position(state);
                position.map_err(|fault| fault.about(&nth.to_string()))
            };
            states.iter().enumerate().map(read).collect::<Answer<_>>()?
        };
        let searches = (positions.len() * Policy::ALL.len() * FIDELITIES.len()) as u64;
        let mut done = 0;
        let positions = self.watching("comparing", Unit::Searches, |watch| {
            let compare = |position: &G::Position| {
                self.position_compared(position, depth, &mut || {
                    done += 1;
                    watch.tick(done, searches)
                })
            };
            positions.iter().map(compare).collect::<Answer<Vec<_>>>()
        })?;
        let totals = totals(&positions);
        Ok(MemoComparison {
            depth,
            agree: totals.iter().all(|row| row.differing == 0),
            positions,
            totals,
        })
    }

    fn position_compared(
        &self,
        position: &G::Position,
        depth: u8,
        tick: &mut dyn FnMut() -> Answer<()>,
    ) -> Answer<MemoPosition> {
        let mut rows = Vec::new();
        for fidelity in FIDELITIES {
            for memo in Policy::ALL {
                rows.push(self.memo_row(position, depth, memo, fidelity)?);
                tick()?;
            }
        }
        let value = rows.first().and_then(|row| row.value).unwrap_or(Score::ZERO);
        for row in &mut rows {
            row.differing = u64::from(row.value != Some(value));
        }
        Ok(MemoPosition { state: self.run.searcher.game.format_position(position), value, rows })
    }

    fn memo_row(
        &self,
        position: &G::Position,
        depth: u8,
        memo: Policy,
        fidelity: Fidelity,
    ) -> Answer<MemoRow> {
        let mut settings = Settings { memo, time_ms: None, ..self.run.searcher.settings.clone() };
        settings.set("fidelity", fidelity.name())?;
        let Searcher { game, weights, .. } = &self.run.searcher;
        let mut searcher = Searcher::new(game, &settings, weights)?;
        let root = (position, &G::History::default());
        let found = searcher.value(root, depth, None, &self.run.interrupt)?;
        let found = found.ok_or_else(|| Fault::new("the comparison was interrupted"))?;
        let counters = found.counters;
        let (entries, bytes) = (searcher.memo.entries().len(), searcher.memo.entries().bytes());
        let probes = counters.hits + counters.invalid + counters.misses;
        let asked = !matches!(memo, Policy::None | Policy::Rote);
        Ok(MemoRow {
            memo: memo.name(),
            fidelity: fidelity.name(),
            value: Some(found.value),
            differing: 0,
            nodes: counters.nodes,
            hits: counters.hits,
            invalid: counters.invalid,
            misses: counters.misses,
            stores: counters.stores,
            cutoffs: counters.cutoffs,
            entries: entries as u64,
            bytes: bytes as u64,
            ms: Some(found.ms),
            table_ms: asked.then(|| table_ms(&mut searcher.memo, probes, counters.stores)),
        })
    }
}

fn sum(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    Some(one? + other?)
}

/// How long a table takes for so many look-ups and stores: entries of it are looked up and written over as they are, in an
/// order that has nothing to do with theirs.
fn table_ms<K: Key>(memo: &mut AnyMemo<K>, probes: u64, stores: u64) -> f64 {
    const SAMPLE: usize = 1 << 15;
    /// Passes over so few entries that a clock would not see them.
    const LEAST: usize = 1 << 13;
    let among = memo.entries().len();
    let mut entries: Vec<_> =
        memo.entries().iter().step_by(among.div_ceil(SAMPLE).max(1)).collect();
    if entries.is_empty() {
        return 0.0;
    }
    entries.sort_by_key(|(at, _)| FxBuildHasher.hash_one(at));
    let passes = LEAST.div_ceil(entries.len());
    let times = (passes * entries.len()) as f64;
    let each = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..passes).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e3 / times
    };
    let probe = each(&mut || {
        for (at, _) in &entries {
            black_box(memo.entries().get(*at));
        }
    });
    let store = each(&mut || {
        for (at, entry) in &entries {
            // The table's own entry: it is not refused.
            let _ = black_box(memo.entries_mut().set(*at, *entry));
        }
    });
    probe * probes as f64 + store * stores as f64
}

/// The rows of all positions, policy by policy.
fn totals(positions: &[MemoPosition]) -> Vec<MemoRow> {
    let mut totals: Vec<MemoRow> = Vec::new();
    for position in positions {
        for (place, row) in position.rows.iter().enumerate() {
            match totals.get_mut(place) {
                Some(total) => total.add(row),
                None => totals.push(row.clone()),
            }
        }
    }
    totals
}

impl MemoRow {
    fn add(&mut self, row: &Self) {
        self.value = None;
        self.differing += row.differing;
        self.nodes += row.nodes;
        self.hits += row.hits;
        self.invalid += row.invalid;
        self.misses += row.misses;
        self.stores += row.stores;
        self.cutoffs += row.cutoffs;
        self.entries += row.entries;
        self.bytes += row.bytes;
        self.ms = sum(self.ms, row.ms);
        self.table_ms = sum(self.table_ms, row.table_ms);
    }
}
