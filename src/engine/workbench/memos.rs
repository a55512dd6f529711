use std::sync::Arc;

use super::{Answer, Desk};
use crate::engine::{
    game::{Fault, Game, Score},
    memo::{AnyMemo, Policy},
    progress::Unit,
    report::{MemoComparison, MemoPosition, MemoRow},
    search::{Fidelity, Plan},
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
                let position = self.game.parse_position(state);
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
        let value = rows
            .first()
            .and_then(|row| row.value)
            .unwrap_or(Score::ZERO);
        for row in &mut rows {
            row.differing = u64::from(row.value != Some(value));
        }
        Ok(MemoPosition {
            state: self.game.format_position(position),
            value,
            rows,
        })
    }

    fn memo_row(
        &self,
        position: &G::Position,
        depth: u8,
        memo: Policy,
        fidelity: Fidelity,
    ) -> Answer<MemoRow> {
        let mut settings = Settings {
            memo,
            time_ms: None,
            ..self.settings.clone()
        };
        settings.set("fidelity", fidelity.name())?;
        let mut desk = Self::new(self.game.clone(), Arc::clone(&self.interrupt));
        desk.memo = AnyMemo::with(memo, settings.hashes());
        desk.settings = settings;
        desk.configure_memo();
        desk.weights = self.weights.clone();
        desk.now.position = position.clone();
        let plan = |window| Plan::Value { depth, window };
        let mut running = desk.prepare(plan, None)?;
        desk.run_through(&mut running);
        let value = running.search.value();
        let value = value.ok_or_else(|| Fault::new("the comparison was interrupted"))?;
        let counters = running.search.search().counters;
        Ok(MemoRow {
            memo: memo.name(),
            fidelity: fidelity.name(),
            value: Some(value),
            differing: 0,
            nodes: counters.nodes,
            hits: counters.hits,
            invalid: counters.invalid,
            misses: counters.misses,
            stores: counters.stores,
            cutoffs: counters.cutoffs,
            entries: desk.memo.entries().len() as u64,
            bytes: desk.memo.entries().bytes() as u64,
            ms: running.ms,
        })
    }
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
        self.ms += row.ms;
    }
}
