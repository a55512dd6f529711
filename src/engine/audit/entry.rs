use super::{Claim, Halted, Plain};
use crate::engine::{
    game::{Game, Key, Keyed, Place, Score, Side},
    memo::{AnyMemo, Bound, Entry},
};

/// What an entry is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Whoever reads it is told the truth.
    Right,
    /// Somebody who reads it is told something false.
    Wrong(Flaw),
    /// No search ever uses it: a learned 0 that counts as unknown (defect D3).
    Ignored,
    /// Nothing can be said.
    Unchecked(Unchecked),
}

/// What is wrong with an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flaw {
    /// The side to move for which it is read: black's entries may be turned in sign (defect D2).
    pub reader: Side,
    /// What that side reads.
    pub claim: Claim,
    /// The true value for that side.
    pub truth: Score,
    /// Whether the game is over in its position.
    pub over: bool,
}

impl Flaw {
    /// What the value itself says about how it came about: `negated` or `over`.
    pub fn cause(&self, depth: Option<u8>) -> Option<&'static str> {
        if self.claim.value == -self.truth {
            Some("negated")
        } else if self.over && depth == Some(0) {
            Some("over")
        } else {
            None
        }
    }
}

/// Why an entry was not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unchecked {
    /// The key does not tell the position.
    NoPosition,
    /// The key says that something of what lay before the position matters, and not what.
    NoPast,
    /// The entry does not tell the depth of the search it was learned from.
    NoDepth,
}

impl Unchecked {
    /// The reason in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoPosition => {
                "the key does not tell the position; `search set verify=on` keeps it"
            }
            Self::NoPast => "what lay before the position matters and is not known",
            Self::NoDepth => "a learned value does not tell the depth it was learned at",
        }
    }
}

/// Holds an entry against the plain search. `memo` is the one it stands in.
///
/// # Errors
/// Where the plain search was stopped.
pub fn judge<G: Game>(
    plain: &mut Plain<'_, G>,
    memo: &AnyMemo<G::Key>,
    (at, entry): (Keyed<G::Key>, Entry),
) -> Result<Verdict, Halted> {
    let game = plain.context().game;
    let Some(position) = memo.position(game, at) else {
        return Ok(Verdict::Unchecked(Unchecked::NoPosition));
    };
    if game.recalls_past(at.key) {
        return Ok(Verdict::Unchecked(Unchecked::NoPast));
    }
    let place = Place { ply: 0, depth: entry.depth.unwrap_or(0) };
    let over =
        game.terminal(&position, &G::History::default()).map(|value| game.settle(value, place));
    let (depth, told) = match (entry.depth, over) {
        (Some(depth), _) => (depth, entry.bound.unwrap_or(Bound::Exact)),
        (None, _) if is_ignored(memo, &entry) => return Ok(Verdict::Ignored),
        (None, Some(_)) => (0, Bound::Exact),
        (None, None) => return Ok(Verdict::Unchecked(Unchecked::NoDepth)),
    };
    let own = game.side(&position);
    for (reader, entry) in readings(plain, own, entry) {
        let claim = Claim { bound: entry.bound.unwrap_or(told), value: entry.value };
        let here = (&position, &G::History::default());
        let truth = match over {
            Some(value) => (!claim.allows(value)).then_some(value),
            None => claim.refute(plain, here, depth)?,
        };
        if let Some(truth) = truth {
            return Ok(Verdict::Wrong(Flaw { reader, claim, truth, over: over.is_some() }));
        }
    }
    Ok(Verdict::Right)
}

/// Whether a search takes a learned value for none.
fn is_ignored<K: Key>(memo: &AnyMemo<K>, entry: &Entry) -> bool {
    match memo {
        AnyMemo::Rote(rote) => rote.reuse.0 && entry.value == Score::ZERO,
        _ => false,
    }
}

/// An entry as the side to move in its position reads it and, where signs are turned for black, as the other side does
/// in the colour-swapped position, whose true value is the same.
fn readings<G: Game>(
    plain: &Plain<'_, G>,
    own: Side,
    entry: Entry,
) -> impl Iterator<Item = (Side, Entry)> + use<G> {
    let turned = plain.context().mode.negate_black;
    let sides = [Some(own), turned.then(|| own.other())];
    let as_read = move |side: Side| match side {
        Side::Black if turned => (side, entry.negated()),
        Side::White | Side::Black => (side, entry),
    };
    sides.into_iter().flatten().map(as_read)
}
