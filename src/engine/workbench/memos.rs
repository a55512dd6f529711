//! All memo policies compared on the same positions.

use std::{hash::BuildHasher, hint::black_box, path::Path, time::Instant};

use rustc_hash::FxBuildHasher;

use super::{Answer, Desk};
use crate::engine::{
    files,
    game::{Fault, Game, Key},
    memo::{AnyMemo, Policy},
    progress::Unit,
    reply::{CacheCounters, MemoComparison, MemoPosition, MemoRow},
    search::Fidelity,
    searcher::Searcher,
    settings::Settings,
};

const FIDELITIES: [Fidelity; 2] = [Fidelity::Sound, Fidelity::Seed];

/// Comparing memo policies.
pub trait MemoComparing {
    /// Searches the given positions and those in a file (the position at hand if there are none) under every memo policy
    /// in both fidelities, each search with an empty cache of its own. The depth defaults to the setting, then to 3. Faults
    /// in the file are `about` "file".
    fn compare_memos(
        &self,
        states: &[String],
        file: Option<&Path>,
        depth: Option<u8>,
    ) -> Answer<MemoComparison>;
}

impl<G: Game> MemoComparing for Desk<G> {
    fn compare_memos(
        &self,
        states: &[String],
        file: Option<&Path>,
        depth: Option<u8>,
    ) -> Answer<MemoComparison> {
        let depth = depth.or(self.settings().depth).unwrap_or(3);
        let read = |state: &String| self.read_position(state);
        let mut roots = states.iter().map(read).collect::<Answer<Vec<_>>>()?;
        if let Some(path) = file {
            roots.extend(self.read_positions(path).map_err(|fault| fault.about("file"))?);
        }
        if roots.is_empty() {
            roots.push(self.now.position.clone());
        }
        let total = (roots.len() * Policy::ALL.len() * FIDELITIES.len()) as u64;
        let mut done = 0;
        let positions = self.watching("comparing", Unit::Searches, |watch| {
            let mut compared = Vec::new();
            for root in &roots {
                let mut rows = Vec::new();
                for fidelity in FIDELITIES {
                    for memo in Policy::ALL {
                        rows.push(self.memo_row(root, depth, memo, fidelity)?);
                        done += 1;
                        watch.tick(done, total)?;
                    }
                }
                compared.push(MemoPosition::new(self.game().format_position(root), rows));
            }
            Ok(compared)
        })?;
        Ok(MemoComparison::new(depth, positions))
    }
}

impl<G: Game> Desk<G> {
    /// The positions of a file, one a line; `#` begins a comment.
    fn read_positions(&self, path: &Path) -> Answer<Vec<G::Position>> {
        let text = files::read_text(path)?;
        let mut positions = Vec::new();
        for (nth, line) in text.lines().enumerate() {
            let state = line.split('#').next().unwrap_or_default().trim();
            if !state.is_empty() {
                let position = self.read_position(state).map_err(|fault| Fault {
                    at: None,
                    ..fault.within(format!("{}:{}", path.display(), nth + 1))
                });
                positions.push(position?);
            }
        }
        if positions.is_empty() {
            return Err(Fault::new(format!("`{}` holds no positions", path.display()))
                .hint("write one position a line"));
        }
        Ok(positions)
    }

    /// Searches a position under a policy and a fidelity; everything else is as in the settings.
    fn memo_row(
        &self,
        root: &G::Position,
        depth: u8,
        memo: Policy,
        fidelity: Fidelity,
    ) -> Answer<MemoRow> {
        let mut settings = Settings { memo: Some(memo), time_ms: None, ..self.settings().clone() };
        settings.set("fidelity", fidelity.name())?;
        let mut searcher = Searcher::new(self.game(), &settings, &self.run.searcher.weights)?;
        let root = (root, &G::History::default());
        let found = searcher.value(root, depth, None, &self.run.interrupt)?;
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
}

/// Estimates how long the table takes for so many look-ups and stores, in milliseconds: looks up and rewrites a sample of
/// its entries in random order and scales the time.
fn table_ms<K: Key>(memo: &mut AnyMemo<K>, probes: u64, stores: u64) -> f64 {
    const SAMPLE: usize = 1 << 15;
    /// Accesses that are timed at least, so that the clock resolves them.
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
            // An entry that the table gave is never refused.
            let _ = black_box(memo.entries_mut().set(*at, *entry));
        }
    });
    probe * probes as f64 + store * stores as f64
}
