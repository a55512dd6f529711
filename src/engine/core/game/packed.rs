/// A position in a few bytes, kept beside a key so that two positions under one key can be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// All that belongs to a key: positions that may share an entry have the same.
    pub identity: [u8; 34],
    /// What makes the position whole again but belongs to no key, such as a clock.
    pub rest: [u8; 6],
}

impl Packed {
    /// Stands for a position that nobody has told; no game packs one so.
    pub const UNKNOWN: Self = Self { identity: [0xFF; 34], rest: [0; 6] };

    /// A position of so few bytes.
    pub fn new(identity: &[u8]) -> Option<Self> {
        let mut packed = Self { identity: [0; 34], rest: [0; 6] };
        packed.identity.get_mut(..identity.len())?.copy_from_slice(identity);
        Some(packed)
    }

    /// Whether a position is told.
    pub fn is_known(&self) -> bool {
        *self != Self::UNKNOWN
    }

    /// Whether both are told and differ in what belongs to a key.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.is_known() && other.is_known() && self.identity != other.identity
    }
}
