use std::collections::BTreeMap;

use serde::Serialize;

use super::Entries;
use crate::engine::game::Key;

/// One pass of cleaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CleanStep {
    /// Entries of this depth and below went.
    pub depth: u8,
    /// How many went.
    pub deleted: usize,
    /// How many are left.
    pub left: usize,
}

/// Makes a cache fit `max_size` entries by dropping the shallowest.
///
/// With `seed` as seed 000's `clean` does it (defect D4): whole depths go, depths 0 and 1 together, even if nothing is
/// left. Without, no more goes than must: the shallowest first, among equals the oldest.
pub fn clean<K: Key>(entries: &mut dyn Entries<K>, max_size: usize, seed: bool) -> Vec<CleanStep> {
    if seed {
        drop_whole_depths(entries, max_size)
    } else {
        drop_shallowest(entries, max_size)
    }
}

fn drop_whole_depths<K: Key>(entries: &mut dyn Entries<K>, max_size: usize) -> Vec<CleanStep> {
    let mut counts = [0; 256];
    entries.scan(|_, _, entry| counts[usize::from(entry.depth.unwrap_or(0))] += 1);
    let steps = whole_depths(&counts, max_size);
    if let Some(last) = steps.last() {
        entries.retain(&mut |_, entry| entry.depth.unwrap_or(0) > last.depth);
    }
    steps
}

/// The passes of seed 000's `clean` over so many entries of each depth.
pub(super) fn whole_depths(counts: &[usize; 256], max_size: usize) -> Vec<CleanStep> {
    let mut steps = Vec::new();
    let mut left: usize = counts.iter().sum();
    let mut depth = 0;
    while left > max_size && depth < u8::MAX {
        depth += 1;
        let above = counts[usize::from(depth) + 1..].iter().sum();
        steps.push(CleanStep {
            depth,
            deleted: left - above,
            left: above,
        });
        left = above;
    }
    steps
}

fn drop_shallowest<K: Key>(entries: &mut dyn Entries<K>, max_size: usize) -> Vec<CleanStep> {
    let mut excess = entries.len().saturating_sub(max_size);
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    entries.scan(|_, _, entry| *counts.entry(entry.depth.unwrap_or(0)).or_default() += 1);
    let mut quota: BTreeMap<u8, usize> = BTreeMap::new();
    let mut left = entries.len();
    let mut steps = Vec::new();
    for (depth, count) in counts {
        let deleted = count.min(excess);
        if deleted == 0 {
            break;
        }
        excess -= deleted;
        left -= deleted;
        quota.insert(depth, deleted);
        steps.push(CleanStep {
            depth,
            deleted,
            left,
        });
    }
    if !quota.is_empty() {
        entries.retain(
            &mut |_, entry| match quota.get_mut(&entry.depth.unwrap_or(0)) {
                Some(more) if *more > 0 => {
                    *more -= 1;
                    false
                }
                _ => true,
            },
        );
    }
    steps
}
