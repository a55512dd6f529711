//! Every memo policy on the same positions.

use std::{hash::BuildHasher, hint::black_box, sync::atomic::AtomicBool, time::Instant};

use rustc_hash::FxBuildHasher;

use super::{Answer, Desk};
use crate::engine::{
    game::{Fault, Game, Key},
    memo::{AnyMemo, Policy},
    progress::Unit,
    reply::{CacheCounters, MemoComparison, MemoPosition, MemoRow},
    search::Fidelity,
    searcher::Searcher,
    settings::Settings,
};

const FIDELITIES: [Fidelity; 2] = [Fidelity::Sound, Fidelity::Seed];

/// Memo policies side by side.
pub trait MemoComparing {
    /// Searches positions, or the one at hand, under every memo policy in both fidelities, each time with a cache of its
    /// own. A fault is about the number of the position, from 0, that cannot be read.
    fn compare_memos(&self, states: &[&str], depth: u8) -> Answer<MemoComparison>;
}

impl<G: Game> MemoComparing for Desk<G> {
    fn compare_memos(&self, states: &[&str], depth: u8) -> Answer<MemoComparison> {
        let read = |(nth, state): (usize, &&str)| {
            self.read_position(state).map_err(|fault| fault.about(&nth.to_string()))
        };
        let mut roots = states.iter().enumerate().map(read).collect::<Answer<Vec<_>>>()?;
        if roots.is_empty() {
            roots.push(self.now.position.clone());
        }
        let searches = (roots.len() * Policy::ALL.len() * FIDELITIES.len()) as u64;
        let mut done = 0;
        let positions = self.watching("comparing", Unit::Searches, |watch| {
            let mut compared = Vec::new();
            for root in &roots {
                let mut rows = Vec::new();
                for fidelity in FIDELITIES {
                    for memo in Policy::ALL {
                        let (searcher, interrupt) = (&self.run.searcher, &self.run.interrupt);
                        rows.push(memo_row(searcher, root, depth, (memo, fidelity), interrupt)?);
                        done += 1;
                        watch.tick(done, searches)?;
                    }
                }
                compared.push(MemoPosition::new(self.game().format_position(root), rows));
            }
            Ok(compared)
        })?;
        Ok(MemoComparison::new(depth, positions))
    }
}

/// Searches a position under a policy and a fidelity and with everything else as a searcher has it.
fn memo_row<G: Game>(
    searcher: &Searcher<G>,
    root: &G::Position,
    depth: u8,
    (memo, fidelity): (Policy, Fidelity),
    interrupt: &AtomicBool,
) -> Answer<MemoRow> {
    let mut settings = Settings { memo, time_ms: None, ..searcher.settings.clone() };
    settings.set("fidelity", fidelity.name())?;
    let mut searcher = Searcher::new(&searcher.game, &settings, &searcher.weights)?;
    let found = searcher.value((root, &G::History::default()), depth, None, interrupt)?;
    let found = found.ok_or_else(|| Fault::new("the comparison was interrupted"))?;
    let cache = CacheCounters::new(&found.counters, searcher.memo.entries().len());
    let bytes = searcher.memo.entries().bytes() as u64;
    let asked = !matches!(memo, Policy::None | Policy::Rote);
    Ok(MemoRow {
        memo: memo.name(),
        fidelity: fidelity.name(),
        value: Some(found.value),
        differing: 0,
        nodes: found.counters.nodes,
        cutoffs: found.counters.cutoffs,
        cache,
        bytes,
        ms: Some(found.ms),
        table_ms: asked.then(|| table_ms(&mut searcher.memo, cache.probes(), cache.stores)),
    })
}

/// How long a table takes for so many look-ups and stores: entries of it are looked up and written over as they are, in an
/// order that has nothing to do with theirs.
fn table_ms<K: Key>(memo: &mut AnyMemo<K>, probes: u64, stores: u64) -> f64 {
    const SAMPLE: usize = 1 << 15;
    /// Passes over so few entries that a clock would not see them.
    const LEAST: usize = 1 << 13;
    let step = memo.entries().len().div_ceil(SAMPLE).max(1);
    let mut entries: Vec<_> = memo.entries().iter().step_by(step).collect();
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
