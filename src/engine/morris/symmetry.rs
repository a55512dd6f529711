//! The sixteen symmetries of the board: four rotations, the reflection, and the outer ring exchanged with the inner
//! one (seed 002).

use super::{PointSet, Position};

/// One position's stones in one word, three bytes a side: the low half of a [`Key`](super::Key).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BoardBits(pub(super) u64);

const OUTER_AND_INNER: u64 = 0x0000_FF00_00FF;

impl BoardBits {
    #[inline]
    pub(super) const fn new(first: PointSet, second: PointSet) -> Self {
        Self((first.bits() as u64) << 24 | second.bits() as u64)
    }

    pub(super) const fn stones(self) -> [PointSet; 2] {
        [PointSet::from_bits((self.0 >> 24) as u32), PointSet::from_bits(self.0 as u32)]
    }

    /// A quarter turn clockwise.
    const fn quarter(self) -> Self {
        Self((self.0 & 0x3F3F_3F3F_3F3F) << 2 | self.0 >> 6 & 0x0303_0303_0303)
    }

    const fn half(self) -> Self {
        Self((self.0 & 0x0F0F_0F0F_0F0F) << 4 | self.0 >> 4 & 0x0F0F_0F0F_0F0F)
    }

    /// Cell `c` becomes cell `-c`: the diagonal through cells 0 and 4 stays.
    const fn mirror(self) -> Self {
        let x = self.0;
        let x = (x & 0x5555_5555_5555) << 1 | x >> 1 & 0x5555_5555_5555;
        let x = (x & 0x3333_3333_3333) << 2 | x >> 2 & 0x3333_3333_3333;
        let x = (x & 0x0F0F_0F0F_0F0F) << 4 | x >> 4 & 0x0F0F_0F0F_0F0F;
        // Reversed bits are cells 7 - c; one step on makes them 8 - c.
        Self((x & 0x7F7F_7F7F_7F7F) << 1 | x >> 7 & 0x0101_0101_0101)
    }

    const fn inside_out(self) -> Self {
        let middle = self.0 & 0x00FF_0000_FF00;
        Self(middle | (self.0 & OUTER_AND_INNER) << 16 | self.0 >> 16 & OUTER_AND_INNER)
    }

    /// All sixteen images, the board itself first.
    #[inline]
    pub(super) const fn images(self) -> [[Self; 4]; 4] {
        let swapped = self.inside_out();
        [self.turned(), self.mirror().turned(), swapped.turned(), swapped.mirror().turned()]
    }

    #[inline]
    const fn turned(self) -> [Self; 4] {
        let quarter = self.quarter();
        [self, quarter, self.half(), quarter.half()]
    }

    /// The least image.
    #[inline]
    pub(super) fn canonical(self) -> Self {
        self.images().into_iter().flatten().fold(self, Self::min)
    }
}

impl Position {
    /// The positions symmetry makes equal to this one, each once, the position itself first: up to sixteen.
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
