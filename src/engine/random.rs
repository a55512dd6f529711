//! Random choices that are the same on every machine: numbers made of seeds, with no state in between.

/// Steele, Lea and Flood's `SplitMix64`: a number from a seed, as good as random.
pub const fn splitmix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// The number that belongs to a path of numbers, such as seed, game and ply: other paths have other numbers.
///
/// ```
/// use plyscope::engine::random::mixed;
/// assert_eq!(mixed(&[1, 2, 3]), mixed(&[1, 2, 3]));
/// assert_ne!(mixed(&[1, 2, 3]), mixed(&[1, 3, 2]));
/// ```
pub fn mixed(path: &[u64]) -> u64 {
    path.iter().fold(0, |mixed, &part| splitmix(mixed.rotate_left(5) ^ splitmix(part)))
}

/// The Fowler–Noll–Vo hash (FNV-1a, 64 bits) of a text, the same on every machine.
pub fn fingerprint(text: &str) -> u64 {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    text.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// The number of one of `things` things, by a random number; 0 where there are none.
pub const fn one_of(number: u64, things: usize) -> usize {
    if things == 0 { 0 } else { (number % things as u64) as usize }
}
