//! Records: a key, then the fields of the policy. The formats differ only in the keys.

use crate::engine::{
    game::{Keyed, Score, Window},
    table::{Bound, Entry, HashMove, Policy},
};

/// Bytes of a record after its key.
pub(super) const fn field_bytes(policy: Policy) -> usize {
    match policy {
        // Depth, value, alpha, beta.
        Policy::Interval => 1 + 3 * 8,
        // Depth, value.
        Policy::Exact => 1 + 8,
        // Depth, bound in two bits with the hash move above, value.
        Policy::Bound => 1 + 1 + 8,
        Policy::Rote | Policy::None => 8,
    }
}

/// Appends the fields of an entry. `depth` is that of its key; doubles are little-endian.
pub(super) fn put_fields(
    policy: Policy,
    depth: u8,
    entry: &Entry,
    record: &mut Vec<u8>,
) -> Result<(), String> {
    let lacks = || format!("it lacks a field of the memo policy `{policy}`");
    match policy {
        Policy::Rote | Policy::None => {}
        Policy::Exact | Policy::Interval => record.push(depth),
        Policy::Bound => {
            let (bound, depth) = entry.bound.zip(entry.depth).ok_or_else(lacks)?;
            let best = entry.best.map_or(0, HashMove::number);
            record.extend([depth, best << 2 | bound as u8]);
        }
    }
    record.extend(entry.value.get().to_le_bytes());
    if policy == Policy::Interval {
        let window = entry.window.ok_or_else(lacks)?;
        record.extend(window.alpha.get().to_le_bytes());
        record.extend(window.beta.get().to_le_bytes());
    }
    Ok(())
}

/// Reads [`field_bytes`] bytes.
pub(super) fn read_fields<K>(
    policy: Policy,
    key: K,
    fields: &[u8],
) -> Result<(Keyed<K>, Entry), String> {
    let score = |at: usize, name: &str| {
        let score = Score::new(f64::from_le_bytes(fixed(fields, at)));
        score.ok_or_else(|| format!("its {name} is NaN"))
    };
    let (mut at, depth) = (Keyed { key, depth: 0 }, fields[0]);
    let entry = match policy {
        Policy::Rote | Policy::None => Entry { value: score(0, "value")?, ..Entry::default() },
        Policy::Exact => {
            let (value, bound) = (score(1, "value")?, Some(Bound::Exact));
            Entry { value, bound, depth: Some(depth), ..Entry::default() }
        }
        Policy::Interval => {
            let value = score(1, "value")?;
            let window = Window { alpha: score(9, "alpha")?, beta: score(17, "beta")? };
            let bound = Some(Bound::of(value, window));
            Entry { value, window: Some(window), bound, depth: Some(depth), best: None }
        }
        Policy::Bound => {
            let bound = [Bound::Exact, Bound::Lower, Bound::Upper].get(usize::from(fields[1] & 3));
            let bound = bound.ok_or_else(|| format!("{} is no kind of bound", fields[1]))?;
            let value = score(2, "value")?;
            let (bound, depth) = (Some(*bound), Some(depth));
            Entry { value, window: None, bound, depth, best: HashMove::new(fields[1] >> 2) }
        }
    };
    if policy.keys_depth() {
        at.depth = depth;
    }
    Ok((at, entry))
}

/// `N` bytes at an offset; zeros if they are missing, which callers have excluded.
pub(super) fn fixed<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}
