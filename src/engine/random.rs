//! Pseudo-random numbers without state, the same on every machine.

/// A random number from a seed by `SplitMix64` (Steele, Lea and Flood 2014).
pub const fn splitmix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// A random number from several numbers in order, such as seed, game and ply.
///
/// ```
/// use plyscope::engine::random::splitmix_all;
/// assert_eq!(splitmix_all(&[1, 2, 3]), splitmix_all(&[1, 2, 3]));
/// assert_ne!(splitmix_all(&[1, 2, 3]), splitmix_all(&[1, 3, 2]));
/// ```
pub fn splitmix_all(seeds: &[u64]) -> u64 {
    seeds.iter().fold(0, |hash, &seed| splitmix(hash.rotate_left(5) ^ splitmix(seed)))
}

/// The Fowler–Noll–Vo hash (FNV-1a, 64 bits) of a text.
pub fn fingerprint(text: &str) -> u64 {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    text.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// An index below `len`, computed from a random number; 0 if `len` is 0.
pub const fn index_of(number: u64, len: usize) -> usize {
    if len == 0 { 0 } else { (number % len as u64) as usize }
}
