use super::native::fixed;
use crate::engine::{
    game::{Fault, Game, Keyed, Score, Window},
    memo::{Bound, Entry, Policy},
};

/// How the records of one policy and one length of key are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Codec {
    policy: Policy,
    key_bytes: usize,
}

impl Codec {
    /// The layout; `None` for the policy that keeps no entries and for keys of more than 255 bytes.
    pub(super) fn new(policy: Policy, key_bytes: usize) -> Option<Self> {
        let possible = policy != Policy::None && key_bytes <= 255;
        possible.then_some(Self { policy, key_bytes })
    }

    /// Bytes of a record, key included.
    pub(super) const fn record_bytes(self) -> usize {
        let fields = match self.policy {
            Policy::Interval => 1 + 3 * 8,
            Policy::Exact => 1 + 8,
            Policy::Bound => 1 + 1 + 8,
            Policy::Rote | Policy::None => 8,
        };
        self.key_bytes + fields
    }

    /// Appends a record.
    pub(super) fn encode<G: Game>(
        self,
        game: &G,
        at: Keyed<G::Key>,
        entry: &Entry,
        block: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let lacks = || {
            format!(
                "an entry lacks a field of the memo policy `{}`",
                self.policy
            )
        };
        let start = block.len();
        game.write_key(at.key, block);
        match self.policy {
            Policy::Rote | Policy::None => {}
            Policy::Exact | Policy::Interval => block.push(at.depth),
            Policy::Bound => {
                let fields = entry.bound.zip(entry.depth);
                let (bound, depth) = fields.ok_or_else(|| Fault::new(lacks()))?;
                block.extend_from_slice(&[depth, flag(bound)]);
            }
        }
        put(entry.value, block);
        if self.policy == Policy::Interval {
            let window = entry.window.ok_or_else(|| Fault::new(lacks()))?;
            put(window.alpha, block);
            put(window.beta, block);
        }
        if block.len() - start == self.record_bytes() {
            Ok(())
        } else {
            Err(Fault::new(format!(
                "{} has keys of unequal lengths",
                G::NAME
            )))
        }
    }

    /// Reads a record of exactly [`Self::record_bytes`] bytes.
    pub(super) fn decode<G: Game>(
        self,
        game: &G,
        record: &[u8],
    ) -> Result<(Keyed<G::Key>, Entry), String> {
        let (key, fields) = record.split_at(self.key_bytes);
        let key = game.read_key(key).map_err(|fault| fault.to_string())?;
        let keyed = |depth| Keyed { key, depth };
        let entry = |value, window, bound, depth| Entry {
            value,
            window,
            bound,
            depth,
        };
        Ok(match self.policy {
            Policy::Rote | Policy::None => (
                keyed(0),
                entry(score(fields, 0, "value")?, None, None, None),
            ),
            Policy::Exact => {
                let value = score(fields, 1, "value")?;
                let (bound, depth) = (Some(Bound::Exact), fields[0]);
                (keyed(depth), entry(value, None, bound, Some(depth)))
            }
            Policy::Interval => {
                let value = score(fields, 1, "value")?;
                let window = Window {
                    alpha: score(fields, 9, "alpha")?,
                    beta: score(fields, 17, "beta")?,
                };
                let (bound, depth) = (Some(Bound::of(value, window)), fields[0]);
                (keyed(depth), entry(value, Some(window), bound, Some(depth)))
            }
            Policy::Bound => {
                let value = score(fields, 2, "value")?;
                let bound = unflag(fields[1])?;
                (keyed(0), entry(value, None, Some(bound), Some(fields[0])))
            }
        })
    }
}

fn put(score: Score, block: &mut Vec<u8>) {
    block.extend_from_slice(&score.get().to_le_bytes());
}

fn score(fields: &[u8], at: usize, name: &str) -> Result<Score, String> {
    Score::new(f64::from_le_bytes(fixed(fields, at))).ok_or_else(|| format!("its {name} is NaN"))
}

const fn flag(bound: Bound) -> u8 {
    match bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    }
}

fn unflag(byte: u8) -> Result<Bound, String> {
    [Bound::Exact, Bound::Lower, Bound::Upper]
        .into_iter()
        .find(|&bound| flag(bound) == byte)
        .ok_or_else(|| format!("{byte} is no kind of bound"))
}
