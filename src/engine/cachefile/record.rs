//! Records: a key, then the fields of the policy. The formats differ only in the keys.

use crate::engine::{
    game::{Keyed, Score, Window},
    table::{Bound, Entry, Field, FieldSource, HashMove, Policy},
};

/// The number of bytes of a record after its key.
pub(super) fn field_bytes(policy: Policy) -> usize {
    stored(policy).map(bytes).sum()
}

/// The fields of a policy that files contain, in order.
fn stored(policy: Policy) -> impl Iterator<Item = Field> {
    let fields = policy.fields().iter().filter(|(_, source)| *source != FieldSource::Derived);
    fields.map(|(field, _)| *field)
}

/// The length of a field in bytes: 8 for a double. The hash move is in the bound's byte, above its two bits.
const fn bytes(field: Field) -> usize {
    match field {
        Field::Value | Field::Alpha | Field::Beta => 8,
        Field::Depth | Field::Bound => 1,
        Field::Best => 0,
    }
}

/// Appends the fields of an entry; `depth` is the depth in the entry's key.
pub(super) fn put_fields(
    policy: Policy,
    depth: u8,
    entry: &Entry,
    record: &mut Vec<u8>,
) -> Result<(), String> {
    let lacks = || format!("it lacks a field of the memo policy `{policy}`");
    let depth = if policy.keys_depth() { Some(depth) } else { entry.depth };
    for field in stored(policy) {
        let score = match field {
            Field::Depth => {
                record.push(depth.ok_or_else(lacks)?);
                continue;
            }
            Field::Bound => {
                let best = entry.best.map_or(0, HashMove::number);
                record.push(best << 2 | entry.bound.ok_or_else(lacks)? as u8);
                continue;
            }
            Field::Best => continue,
            Field::Value => entry.value,
            Field::Alpha => entry.window.ok_or_else(lacks)?.alpha,
            Field::Beta => entry.window.ok_or_else(lacks)?.beta,
        };
        record.extend(score.get().to_le_bytes());
    }
    Ok(())
}

/// Reads the fields of a record, which have [`field_bytes`] bytes.
pub(super) fn read_fields<K>(
    policy: Policy,
    key: K,
    fields: &[u8],
) -> Result<(Keyed<K>, Entry), String> {
    let (mut entry, mut window, mut at) = (Entry::default(), Window::INFINITE, 0);
    for field in stored(policy) {
        let name = field.name();
        let score = || {
            let score = Score::new(f64::from_le_bytes(bytes_at(fields, at)));
            score.ok_or_else(|| format!("its {name} is NaN"))
        };
        match field {
            Field::Depth => entry.depth = Some(fields[at]),
            Field::Bound => {
                let bounds = [Bound::Exact, Bound::Lower, Bound::Upper];
                let bound = bounds.get(usize::from(fields[at] & 3));
                entry.bound =
                    Some(*bound.ok_or_else(|| format!("{} is not a kind of bound", fields[at]))?);
                entry.best = HashMove::new(fields[at] >> 2);
            }
            Field::Best => {}
            Field::Value => entry.value = score()?,
            Field::Alpha => window.alpha = score()?,
            Field::Beta => {
                window.beta = score()?;
                entry.window = Some(window);
            }
        }
        at += bytes(field);
    }
    let depth = entry.depth.filter(|_| policy.keys_depth()).unwrap_or(0);
    let entry = policy.complete(&entry, depth).map_err(|fault| fault.to_string())?;
    Ok((Keyed { key, depth }, entry))
}

/// `N` bytes at an offset, or zeros if the bytes end before; callers have checked the length.
pub(super) fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}
