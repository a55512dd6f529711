//! Keys as 64-bit hashes: Zobrist hashing (A. L. Zobrist, 1970) with numbers that are linearly independent.
//!
//! Every stone on every point, and every bit of the hands' byte, has a random number; the hash of a key is the exclusive
//! or of those of its bits. As usual a move changes the hash by the numbers of what it changes. Because no number is the
//! exclusive or of others, different keys always have different hashes, and a hash gives back its key.
//!
//! Searches work a hash out from the seven bytes of its key and keep none from move to move: the key is always that of the
//! least of sixteen images seen by the side to move, so after a move nearly every bit of it stands elsewhere.

/// One number for each bit of the 56 of a key; eight more complete the basis.
const NUMBERS: [u64; 64] = basis().0;
/// Which bits of a key have numbers that make up each bit of a hash.
const SOURCES: [u64; 64] = basis().1;

static NUMBERS_OF_BYTES: [[u64; 256]; 8] = by_bytes(&NUMBERS);
static SOURCES_OF_BYTES: [[u64; 256]; 8] = by_bytes(&SOURCES);

/// The hash of a key's 56 bits.
#[inline]
pub(super) fn hash(bits: u64) -> u64 {
    combined(&NUMBERS_OF_BYTES, bits)
}

/// The 56 bits of the key that has a hash, if any has.
#[inline]
pub(super) fn unhash(hash: u64) -> Option<u64> {
    let bits = combined(&SOURCES_OF_BYTES, hash);
    (bits >> 56 == 0).then_some(bits)
}

#[inline]
fn combined(tables: &[[u64; 256]; 8], bits: u64) -> u64 {
    let bytes = bits.to_le_bytes();
    let parts = tables.iter().zip(bytes);
    parts.fold(0, |sum, (table, byte)| sum ^ table[byte as usize])
}

/// Random numbers that are linearly independent, and the inverse of the matrix they form.
const fn basis() -> ([u64; 64], [u64; 64]) {
    let mut state = 0x004D_6F72_7269_7321;
    loop {
        let mut numbers = [0; 64];
        let mut at = 0;
        while at < 64 {
            let (number, next) = split_mix(state);
            numbers[at] = number;
            state = next;
            at += 1;
        }
        if let Some(inverse) = inverse(numbers) {
            return (numbers, inverse);
        }
    }
}

/// Steele, Lea and Flood's `SplitMix64`: a number, and the next state.
const fn split_mix(state: u64) -> (u64, u64) {
    let next = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (next ^ next >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ z >> 31, next)
}

/// The inverse of a matrix over GF(2), row by row, by Gauss and Jordan's elimination; none where it is singular.
const fn inverse(mut rows: [u64; 64]) -> Option<[u64; 64]> {
    let mut inverse = [0; 64];
    let mut row = 0;
    while row < 64 {
        inverse[row] = 1 << row;
        row += 1;
    }
    let mut column = 0;
    while column < 64 {
        let mut pivot = column;
        while pivot < 64 && rows[pivot] >> column & 1 == 0 {
            pivot += 1;
        }
        if pivot == 64 {
            return None;
        }
        rows.swap(column, pivot);
        inverse.swap(column, pivot);
        let mut other = 0;
        while other < 64 {
            if other != column && rows[other] >> column & 1 == 1 {
                rows[other] ^= rows[column];
                inverse[other] ^= inverse[column];
            }
            other += 1;
        }
        column += 1;
    }
    Some(inverse)
}

/// For each byte of a number and each of its values the rows of its bits together.
const fn by_bytes(rows: &[u64; 64]) -> [[u64; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 8 {
        let mut value: usize = 1;
        while value < 256 {
            let lowest = value.trailing_zeros() as usize;
            tables[byte][value] = tables[byte][value & (value - 1)] ^ rows[8 * byte + lowest];
            value += 1;
        }
        byte += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{
        game::{Game, Key as _, KeyScheme},
        morris::{Key, Morris, Position},
    };

    /// The numbers of the bits that changed, one by one.
    fn change(before: Key, after: Key) -> u64 {
        let changed = before.bits() ^ after.bits();
        let bits = (0..56).filter(|bit| changed >> bit & 1 == 1);
        bits.fold(0, |sum, bit| sum ^ NUMBERS[bit])
    }

    fn walk(morris: Morris, position: &Position, depth: u32, nodes: &mut u64) {
        *nodes += 1;
        let mut moves = Vec::new();
        morris.list_moves(position, &(), &mut moves);
        for scheme in [KeyScheme::Plain, KeyScheme::Colour, KeyScheme::Canonical] {
            let key = morris.key(position, scheme);
            assert_eq!(unhash(key.word()), Some(key.bits()));
            assert_eq!(Key::from_word(key.word()), Some(key));
            for twin in position.orbit() {
                let same = morris.key(&twin, KeyScheme::Canonical).word();
                assert_eq!(same, morris.key(position, KeyScheme::Canonical).word());
            }
            for &mv in &moves {
                let child = morris.key(&morris.apply(position, mv), scheme);
                let updated = key.word() ^ change(key, child);
                assert_eq!(updated, child.word());
            }
        }
        if depth > 0 {
            for mv in moves {
                walk(morris, &morris.apply(position, mv), depth - 1, nodes);
            }
        }
    }

    #[test]
    fn hashes_follow_moves_at_every_node() {
        let morris = Morris::default();
        let mut nodes = 0;
        walk(morris, &morris.start(), 2, &mut nodes);
        for state in morris.bench_positions() {
            walk(morris, &state.parse().expect("a state"), 1, &mut nodes);
        }
        assert!(nodes > 600, "{nodes}");
    }

    #[test]
    fn a_hash_that_no_key_has_is_told() {
        let stray = NUMBERS[60];
        assert_eq!(unhash(stray), None);
        assert_eq!(unhash(0), Some(0));
        assert_eq!(hash(1 << 55), NUMBERS[55]);
    }
}
