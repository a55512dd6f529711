use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::engine::game::Score;

/// Every value that occurs, each once, bit for bit: searches meet few, however many entries they write.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    known: Vec<Score>,
    numbers: HashTable<u32>,
}

#[inline]
fn hash(value: Score) -> u64 {
    FxBuildHasher.hash_one(value.get().to_bits())
}

const fn bits(value: Score) -> u64 {
    value.get().to_bits()
}

impl Values {
    #[inline]
    pub(super) fn at(&self, number: u32) -> Score {
        self.known[number as usize]
    }

    /// The number of a value that is known.
    #[inline]
    pub(super) fn find(&self, value: Score) -> Option<u32> {
        let same = |&number: &u32| bits(self.known[number as usize]) == bits(value);
        self.numbers.find(hash(value), same).copied()
    }

    /// Bytes that it takes once it knows another value.
    pub(super) fn bytes_with_another(&self) -> usize {
        let grows = self.known.len() == self.known.capacity()
            || self.numbers.len() == self.numbers.capacity();
        // Both at most double.
        if grows {
            self.bytes().max(MIN_BYTES) * 2
        } else {
            self.bytes()
        }
    }

    /// Makes a value known that is not; its number.
    pub(super) fn add(&mut self, value: Score) -> u32 {
        let number = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        self.known.push(value);
        let known = &self.known;
        self.numbers
            .insert_unique(hash(value), number, |&number| hash(known[number as usize]));
        number
    }

    pub(super) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<Score>() + self.numbers.allocation_size()
    }
}

/// What the first values take at most.
const MIN_BYTES: usize = 64;
