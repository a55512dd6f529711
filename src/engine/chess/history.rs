//! The line of positions before the current one: repetitions, and the part of the history that a value depends on.

use serde::{Deserialize, Serialize};

use super::Position;
use crate::engine::game::History;

/// An earlier position of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Passed {
    hash: u64,
    /// How often the position has occurred in the line, this occurrence included.
    times: u8,
    /// The greatest number of occurrences of any position since the last capture or pawn move.
    most: u8,
}

/// The line of positions that led to the current one, which is not included.
///
/// ```
/// use plyscope::engine::{chess::{Chess, PlayedLine}, game::{Game, History, Rules}};
/// let chess = Chess::default();
/// let (mut position, mut line) = (chess.start(), PlayedLine::default());
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     let mv = chess.parse_move(&position, &line, text)?;
///     line.push(&position);
///     position = chess.apply(&position, mv);
/// }
/// assert_eq!(line.occurrences(&position), 1);
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedLine {
    passed: Vec<Passed>,
}

impl History<Position> for PlayedLine {
    #[inline]
    fn push(&mut self, position: &Position) {
        let times = self.occurrences(position).saturating_add(1);
        let most = match self.passed.last() {
            Some(last) if position.clock() > 0 => last.most.max(times),
            _ => times,
        };
        self.passed.push(Passed { hash: position.hash(), times, most });
    }

    #[inline]
    fn pop(&mut self) {
        self.passed.pop();
    }
}

impl PlayedLine {
    /// The positions since the last capture or pawn move, latest first, with their distance in plies.
    #[inline]
    fn reversible(&self, position: &Position) -> impl Iterator<Item = (usize, &Passed)> {
        let reach = usize::from(position.clock());
        self.passed.iter().rev().take(reach).zip(1..).map(|(passed, plies)| (plies, passed))
    }

    /// The number of earlier occurrences, in this line, of the position that follows the line.
    #[inline]
    pub fn occurrences(&self, position: &Position) -> u8 {
        // The shortest repetition takes four plies.
        if position.clock() < 4 {
            return 0;
        }
        let hash = position.hash();
        let same = |(plies, passed): &(usize, &Passed)| plies % 2 == 0 && passed.hash == hash;
        let latest = self.reversible(position).find(same);
        latest.map_or(0, |(_, passed)| passed.times)
    }

    pub(super) fn len(&self) -> usize {
        self.passed.len()
    }

    /// A digest of the earlier positions that can lead to a draw by the `fatal`-th occurrence within `depth` plies; 0 if there
    /// are none, so that positions reached by different lines share their entries.
    ///
    /// A position that has occurred `n` times needs `fatal - n` more occurrences, each at least four plies after the last. The
    /// first of them is at least two plies away with the same side to move, one ply with the other side, and four plies for the
    /// current position itself.
    #[inline]
    pub(super) fn digest(&self, position: &Position, depth: u16, fatal: u8) -> u32 {
        let most = match self.passed.last() {
            Some(last) if position.clock() > 0 => last.most,
            _ => return 0,
        };
        let plies_to_draw =
            |times: u8| 4 * u16::from(fatal.saturating_sub(1).saturating_sub(times));
        if plies_to_draw(most) > depth {
            return 0;
        }
        let hash = position.hash();
        let matters = |(plies, passed): &(usize, &Passed)| {
            let first = match plies % 2 {
                _ if passed.hash == hash => 0,
                0 => 2,
                _ => 1,
            };
            first + plies_to_draw(passed.times) <= depth
        };
        let sum = self
            .reversible(position)
            .filter(matters)
            .fold(0_u64, |sum, (_, passed)| sum.wrapping_add(mixed(passed)));
        if sum == 0 {
            return 0;
        }
        // The value 0 is reserved for "no history".
        ((sum >> 32) as u32 ^ sum as u32).max(1)
    }
}

/// Hash and number of occurrences, mixed by the finalizer of `MurmurHash3`.
fn mixed(passed: &Passed) -> u64 {
    let mut bits = passed.hash ^ u64::from(passed.times).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    bits = (bits ^ bits >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    bits ^ bits >> 33
}
