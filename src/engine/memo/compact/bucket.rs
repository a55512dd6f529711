//! Six entries in one cache line, so that a look-up waits for memory once.

use crate::engine::memo::Bound;

/// Entries in a bucket.
pub(super) const WIDTH: usize = 6;
/// Leading bits of a hash that are the same in a whole segment. What they leave free in a word holds depth and bound.
pub(super) const IMPLIED: u32 = 10;

/// What is remembered under a hash; the value by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content {
    pub(super) bound: Bound,
    pub(super) depth: u8,
    pub(super) number: u32,
}

/// A hash without its leading bits, then the bound, then the depth; and the lower half of the value's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) word: u64,
    pub(super) number: u16,
}

impl Slot {
    /// Behind all others: no bound has the number 3.
    pub(super) const FREE: Self = Self {
        word: u64::MAX,
        number: 0,
    };

    #[inline]
    pub(super) const fn new(hash: u64, content: Content) -> Self {
        let bound = match content.bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        Self {
            word: floor(hash) | bound << 8 | content.depth as u64,
            number: content.number as u16,
        }
    }

    #[inline]
    pub(super) const fn is_free(self) -> bool {
        self.word == u64::MAX
    }

    /// The content, to which the higher half of the number is handed in.
    #[inline]
    pub(super) const fn content(self, high: u16) -> Content {
        Content {
            bound: match self.word >> 8 & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            depth: self.word as u8,
            number: (high as u32) << 16 | self.number as u32,
        }
    }
}

/// The least word of a hash.
#[inline]
pub(super) const fn floor(hash: u64) -> u64 {
    hash << IMPLIED
}

/// Slots in the order of their words, the free ones behind.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Bucket {
    words: [u64; WIDTH],
    numbers: [u16; WIDTH],
}

impl Bucket {
    pub(super) const FREE: Self = Self {
        words: [Slot::FREE.word; WIDTH],
        numbers: [Slot::FREE.number; WIDTH],
    };

    /// How many words are less than one. Counting takes no branch that could be guessed wrong.
    #[inline]
    pub(super) fn rank(&self, word: u64) -> usize {
        let less = |other: &u64| usize::from(*other < word);
        self.words.iter().map(less).sum()
    }

    #[inline]
    pub(super) fn slot(&self, at: usize) -> Slot {
        Slot {
            word: self.words[at],
            number: self.numbers[at],
        }
    }

    #[inline]
    pub(super) fn set(&mut self, at: usize, slot: Slot) {
        self.words[at] = slot.word;
        self.numbers[at] = slot.number;
    }

    /// The slots that are taken.
    #[inline]
    pub(super) fn taken(&self) -> usize {
        self.rank(Slot::FREE.word)
    }

    /// Copies a slot over another one or leaves it, by masks: a branch would be guessed wrong every other time.
    #[inline]
    fn copy_if(&mut self, moves: bool, from: usize, to: usize) {
        let from = self.slot(from);
        let (word, number) = (
            u64::from(moves).wrapping_neg(),
            u16::from(moves).wrapping_neg(),
        );
        self.words[to] = from.word & word | self.words[to] & !word;
        self.numbers[to] = from.number & number | self.numbers[to] & !number;
    }

    /// Puts a slot in; those behind it move up, and the last one falls out.
    #[inline]
    pub(super) fn push_in(&mut self, at: usize, slot: Slot) -> Slot {
        let out = self.slot(WIDTH - 1);
        for to in (1..WIDTH).rev() {
            self.copy_if(to > at, to - 1, to);
        }
        self.set(at, slot);
        out
    }

    /// Takes a slot out; those behind it move down, and another one comes last.
    #[inline]
    pub(super) fn take_out(&mut self, at: usize, last: Slot) {
        for to in 0..WIDTH - 1 {
            self.copy_if(to >= at, to + 1, to);
        }
        self.set(WIDTH - 1, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(hash: u64) -> Slot {
        let content = Content {
            bound: Bound::Lower,
            depth: 7,
            number: hash as u32,
        };
        Slot::new(hash, content)
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!(size_of::<Bucket>(), 64);
        assert_eq!(align_of::<Bucket>(), 64);
    }

    #[test]
    fn what_is_packed_comes_back_and_is_never_free() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for depth in [0, 1, 255] {
                let content = Content {
                    bound,
                    depth,
                    number: 0xFEDC_BA98,
                };
                for hash in [0, 1, u64::MAX >> IMPLIED, u64::MAX] {
                    let slot = Slot::new(hash, content);
                    assert!(!slot.is_free());
                    assert_eq!(slot.content(0xFEDC), content);
                    assert_eq!(slot.word >> IMPLIED << IMPLIED, floor(hash));
                }
            }
        }
        assert!(Slot::FREE.is_free());
    }

    #[test]
    fn slots_move_up_and_down() {
        let mut bucket = Bucket::FREE;
        for hash in [30, 10, 50, 20, 60, 40] {
            let at = bucket.rank(floor(hash));
            assert!(bucket.push_in(at, slot(hash)).is_free());
        }
        assert_eq!(bucket.taken(), WIDTH);
        for (at, hash) in [10, 20, 30, 40, 50, 60].into_iter().enumerate() {
            assert_eq!(bucket.slot(at), slot(hash));
        }
        assert_eq!(bucket.push_in(2, slot(25)), slot(60));
        bucket.take_out(0, slot(70));
        for (at, hash) in [20, 25, 30, 40, 50, 70].into_iter().enumerate() {
            assert_eq!(bucket.slot(at), slot(hash));
        }
        bucket.take_out(5, Slot::FREE);
        assert_eq!(bucket.taken(), 5);
    }
}
