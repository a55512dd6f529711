//! Keys: a position in seven bytes, as in the seeds' cache files (seed 000). The least of all symmetric ones is canonical.

use std::{fmt, ops::Range, str::FromStr};

use super::{
    PointSet, Position, Setup,
    position::{Places, STONES},
};
use crate::engine::game::{self, Fault, KeyScheme, Result, Side, Word};

/// The key of a position in a cache.
///
/// Seven bytes: the hands, one decimal digit each, then the mover's and the opponent's stones, three bytes each, inner ring
/// first. That is the seeds' key, always as if white were to move. A plain key of a position with black to move differs in
/// the first byte, whose value no two decimal digits make; its text ends in `b`.
///
/// ```
/// use plyscope::engine::morris::{Key, Position};
/// let key: Key = "5500050000001B".parse()?;
/// assert_eq!(key.to_string(), "5500050000001b");
/// assert_eq!(key.position().to_string(), "bb.bb.../w.w...../........ w 5 5");
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u64);

/// The bits of the stones in a key; the bits of the hands are above.
const BOARD: u64 = (1 << 48) - 1;

impl Key {
    /// The key of a position under a key scheme.
    #[inline]
    pub fn of(position: &Position, scheme: KeyScheme) -> Self {
        let (own, other) = (position.side.index(), position.side.other().index());
        let board = BoardBits::new(position.stones[own], position.stones[other]);
        let (mine, theirs) = (position.hand[own], position.hand[other]);
        match scheme {
            KeyScheme::Plain if position.side == Side::Black => {
                Self::pack(black_code(mine, theirs), board)
            }
            KeyScheme::Plain | KeyScheme::Colour => Self::pack(mine << 4 | theirs, board),
            KeyScheme::Canonical => Self::pack(mine << 4 | theirs, board.canonical()),
        }
    }

    #[inline]
    const fn pack(hands: u8, board: BoardBits) -> Self {
        Self((hands as u64) << 48 | board.0)
    }

    /// The key with these seven bytes, which need not be valid.
    #[inline]
    const fn of_bytes([hands, board @ ..]: [u8; 7]) -> Self {
        let [b5, b4, b3, b2, b1, b0] = board;
        Self::pack(hands, BoardBits(u64::from_be_bytes([0, 0, b5, b4, b3, b2, b1, b0])))
    }

    /// The seven bytes as a number.
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    const fn board(self) -> BoardBits {
        BoardBits(self.0 & BOARD)
    }

    /// The first byte: the hands and the side to move.
    const fn code(self) -> u8 {
        (self.0 >> 48) as u8
    }

    /// The position of the key, with White to move unless the key is a plain one with Black to move.
    pub fn position(self) -> Position {
        let as_white =
            Position { stones: self.board().stones(), hand: self.hands(), side: Side::White };
        if self.is_black() { as_white.swap_colours() } else { as_white }
    }

    /// Whether this is a plain key with black to move.
    pub const fn is_black(self) -> bool {
        !is_hands(self.code())
    }

    const fn hands(self) -> [u8; 2] {
        let code = self.code();
        if is_hands(code) { [code >> 4, code & 15] } else { hands_of_code(code) }
    }

    /// The seeds' key: seven bytes as if white were to move.
    pub const fn seed_bytes(self) -> [u8; 7] {
        let [mine, theirs] = self.hands();
        Self::pack(mine << 4 | theirs, self.board()).bytes()
    }

    /// Reads a key of a seed's cache file, with white to move. Fails if the bytes are no position.
    #[inline]
    pub fn from_seed_bytes(bytes: [u8; 7]) -> Result<Self> {
        let key = Self::of_bytes(bytes);
        if !key.is_black() && key.is_position() {
            return Ok(key);
        }
        fault_in(bytes).map_or(Ok(key), Err)
    }

    /// The seven bytes as stored in memory and in the native cache format.
    #[inline]
    pub const fn bytes(self) -> [u8; 7] {
        let [_, bytes @ ..] = self.0.to_be_bytes();
        bytes
    }

    #[inline]
    const fn is_position(self) -> bool {
        let [white, black] = self.board().stones();
        let [own, other] = self.hands();
        let most = STONES as u32;
        white.bits() & black.bits() == 0
            && own as u32 + white.bits().count_ones() <= most
            && other as u32 + black.bits().count_ones() <= most
    }

    /// The plain key with black to move. The stones and hands of mover and opponent stay the same.
    #[must_use]
    pub const fn for_black(self) -> Self {
        let [mine, theirs] = self.hands();
        Self::pack(black_code(mine, theirs), self.board())
    }
}

/// The fault of seven bytes that are no position, placed by hex digit: a hand above nine, two stones on a point, too many stones.
fn fault_in(bytes: [u8; 7]) -> Option<Fault> {
    let [hands, w2, w1, w0, b2, b1, b0] = bytes;
    let stones =
        |inner, middle, outer| PointSet::from_bits(u32::from_be_bytes([0, inner, middle, outer]));
    let setup = Setup {
        stones: [stones(w2, w1, w0), stones(b2, b1, b0)],
        hand: [u32::from(hands >> 4), u32::from(hands & 15)],
        side: Side::White,
    };
    let places = Places { hand: [Some(0..1), Some(1..2)], stones: [Some(2..8), Some(8..14)] };
    Fault::merge(setup.faults_at(&places))
}

/// Whether a byte holds two hands, one decimal digit each, as 100 of the 256 values do.
const fn is_hands(byte: u8) -> bool {
    byte >> 4 <= 9 && byte & 15 <= 9
}

/// The first byte of a key with black to move: a byte that is no pair of hands, `a0` to `ff`, then `0a` to `0d`.
#[inline]
const fn black_code(mine: u8, theirs: u8) -> u8 {
    let index = mine * 10 + theirs;
    if index < 96 { 0xA0 + index } else { index - 86 }
}

/// The hands of a byte made by [`black_code`]; for any other byte, hands that no position has.
const fn hands_of_code(byte: u8) -> [u8; 2] {
    let index = match byte {
        0xA0.. => byte - 0xA0,
        0x0A..0x0E => byte + 86,
        _ => return [15, 15],
    };
    [index / 10, index % 10]
}

/// A key in seven bytes instead of eight: the low 32, middle 16 and high 8 bits.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct Stored(u32, u16, u8);

impl From<Key> for Stored {
    #[inline]
    fn from(key: Key) -> Self {
        Self(key.0 as u32, (key.0 >> 32) as u16, (key.0 >> 48) as u8)
    }
}

impl From<Stored> for Key {
    #[inline]
    fn from(Stored(low, middle, high): Stored) -> Self {
        Self(u64::from(high) << 48 | u64::from(middle) << 32 | u64::from(low))
    }
}

impl game::Key for Key {
    type Stored = Stored;

    const BYTES: usize = 7;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.bytes());
    }

    #[inline]
    fn read(bytes: &[u8]) -> Result<Self> {
        let length = || Fault::new(format!("a key has 7 bytes, not {}", bytes.len()));
        let key = Self::of_bytes(bytes.try_into().map_err(|_| length())?);
        // Most keys are valid, and caches have millions of them: the fast test comes before the list of faults.
        if key.is_position() {
            return Ok(key);
        }
        fault_in(key.seed_bytes()).map_or(Ok(key), Err)
    }
}

impl fmt::Display for Key {
    /// Fourteen hex digits, and `b` for a plain key with black to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.seed_bytes() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(if self.is_black() { "b" } else { "" })
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

impl FromStr for Key {
    type Err = Fault;

    /// Reads hex digits in either case.
    fn from_str(text: &str) -> Result<Self> {
        let (word, length) = (Word::whole(text), text.chars().count());
        let black = length == 15 && text.ends_with(['b', 'B']);
        let wrong = |(index, (letter, at)): (usize, (char, Range<usize>))| {
            let message = format!("digit {} is `{letter}`, not one of 0-9 a-f", index + 1);
            (!letter.is_ascii_hexdigit()).then(|| Fault::new(message).at(at))
        };
        let mut faults: Vec<_> = word.letters().enumerate().filter_map(wrong).collect();
        if length != 14 + usize::from(black) {
            faults.push(word.fault(
                format!("a key has 14 hex digits, this has {length}"),
                "write one such as 99000000000000, with `b` after it for black to move",
            ));
        }
        if let Some(fault) = Fault::merge(faults) {
            return Err(fault);
        }
        let [_, bytes @ ..] =
            u64::from_str_radix(&text[..14], 16).unwrap_or_default().to_be_bytes();
        let key = Self::from_seed_bytes(bytes)?;
        Ok(if black { key.for_black() } else { key })
    }
}

/// The stones of both sides, three bytes each: the low six bytes of a [`Key`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BoardBits(u64);

const OUTER_AND_INNER: u64 = 0x0000_FF00_00FF;

impl BoardBits {
    #[inline]
    const fn new(first: PointSet, second: PointSet) -> Self {
        Self((first.bits() as u64) << 24 | second.bits() as u64)
    }

    const fn stones(self) -> [PointSet; 2] {
        [PointSet::from_bits((self.0 >> 24) as u32), PointSet::from_bits(self.0 as u32)]
    }

    const fn quarter(self) -> Self {
        Self((self.0 & 0x3F3F_3F3F_3F3F) << 2 | self.0 >> 6 & 0x0303_0303_0303)
    }

    const fn half(self) -> Self {
        Self((self.0 & 0x0F0F_0F0F_0F0F) << 4 | self.0 >> 4 & 0x0F0F_0F0F_0F0F)
    }

    /// The reflection that maps cell `c` to cell `-c`, along the diagonal through cells 0 and 4.
    const fn mirror(self) -> Self {
        let x = self.0;
        let x = (x & 0x5555_5555_5555) << 1 | x >> 1 & 0x5555_5555_5555;
        let x = (x & 0x3333_3333_3333) << 2 | x >> 2 & 0x3333_3333_3333;
        let x = (x & 0x0F0F_0F0F_0F0F) << 4 | x >> 4 & 0x0F0F_0F0F_0F0F;
        // Reversing the bits of a byte maps cell c to 7 - c; rotating the byte by one then maps it to 8 - c.
        Self((x & 0x7F7F_7F7F_7F7F) << 1 | x >> 7 & 0x0101_0101_0101)
    }

    const fn swap_rings(self) -> Self {
        let middle = self.0 & 0x00FF_0000_FF00;
        Self(middle | (self.0 & OUTER_AND_INNER) << 16 | self.0 >> 16 & OUTER_AND_INNER)
    }

    /// The images under the sixteen symmetries of the board, the identity first: four rotations, times the reflection, times
    /// the exchange of the outer ring with the inner one (seed 002).
    #[inline]
    const fn images(self) -> [[Self; 4]; 4] {
        let swapped = self.swap_rings();
        [
            self.rotations(),
            self.mirror().rotations(),
            swapped.rotations(),
            swapped.mirror().rotations(),
        ]
    }

    #[inline]
    const fn rotations(self) -> [Self; 4] {
        let quarter = self.quarter();
        [self, quarter, self.half(), quarter.half()]
    }

    #[inline]
    fn canonical(self) -> Self {
        self.images().into_iter().flatten().fold(self, Self::min)
    }
}

impl Position {
    /// The positions equal to this one by symmetry, each once, the position itself first: up to sixteen.
    pub fn orbit(&self) -> Vec<Self> {
        let mut orbit = Vec::with_capacity(16);
        for image in BoardBits::new(self.stones[0], self.stones[1]).images().into_iter().flatten() {
            let image = Self { stones: image.stones(), ..*self };
            if !orbit.contains(&image) {
                orbit.push(image);
            }
        }
        orbit
    }
}
