use serde::Serialize;

use super::Entries;
use crate::engine::core::game::Key;

/// One pass of cleaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CleanStep {
    /// Entries of this depth and, as seed 000 has it, below went.
    pub depth: u8,
    /// How many went.
    pub deleted: usize,
    /// How many are left.
    pub left: usize,
}

/// What has to go so that entries fit a bound.
pub(super) struct Quota {
    /// The passes, the shallowest depth first.
    pub steps: Vec<CleanStep>,
    /// How many of each depth go.
    pub gone: [usize; 256],
}

impl Quota {
    /// From the depths of all entries. As seed 000's `clean` has it (defect D4) whole depths go, depths 0 and 1 together,
    /// even if nothing is left; else no more than must.
    pub fn new(depths: impl Iterator<Item = u8>, most: usize, whole: bool) -> Self {
        let mut counts = [0; 256];
        depths.for_each(|depth| counts[usize::from(depth)] += 1);
        let mut left: usize = counts.iter().sum();
        let (mut steps, mut gone) = (Vec::new(), [0; 256]);
        let first = usize::from(whole);
        for depth in first..256 {
            if left <= most {
                break;
            }
            let below = if whole && depth == 1 { 0 } else { depth };
            for of in below..=depth {
                gone[of] = counts[of].min(if whole { usize::MAX } else { left - most });
            }
            let deleted = gone[below..=depth].iter().sum();
            left -= deleted;
            if whole || deleted > 0 {
                steps.push(CleanStep { depth: depth as u8, deleted, left });
            }
        }
        Self { steps, gone }
    }
}

/// Makes a cache fit `max_size` entries by dropping the shallowest.
///
/// With `seed` as seed 000's `clean` does it (defect D4): whole depths go, depths 0 and 1 together, even if nothing is
/// left. Without, no more goes than must: the shallowest first, among equals the oldest.
pub fn clean<K: Key>(entries: &mut dyn Entries<K>, max_size: usize, seed: bool) -> Vec<CleanStep> {
    let depths = entries.iter().map(|(_, entry)| entry.depth.unwrap_or(0));
    let Quota { steps, mut gone } = Quota::new(depths, max_size, seed);
    if !steps.is_empty() {
        entries.retain(&mut |_, entry| {
            let left = &mut gone[usize::from(entry.depth.unwrap_or(0))];
            let goes = *left > 0;
            *left -= usize::from(goes);
            !goes
        });
    }
    steps
}
