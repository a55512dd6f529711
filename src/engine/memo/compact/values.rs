use hashbrown::HashTable;

use super::scattered;
use crate::engine::game::Score;

/// Every value that occurs, each once, bit for bit: searches meet few, however many entries they write.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    known: Vec<Score>,
    numbers: HashTable<u32>,
    /// The number that was last asked for under each hash's leading bits, looked at first: nearly always right, and so a
    /// branch that is guessed right. Four times as many as values, up to a bound; none until a value is known.
    recent: Box<[u32]>,
    /// Bits of a hash that do not choose among them.
    shift: u32,
}

/// Recent numbers at most: they are to stay in the processor's nearest cache.
const RECENT: usize = 1 << 12;

#[inline]
fn hash(value: Score) -> u64 {
    // Values of few digits differ only in leading bits: they go into all others here.
    let scattered = scattered(bits(value));
    scattered ^ scattered >> 32
}

const fn bits(value: Score) -> u64 {
    value.get().to_bits()
}

impl Values {
    #[inline]
    pub(super) fn at(&self, number: u32) -> Score {
        self.known[number as usize]
    }

    /// The number of a value.
    #[inline]
    pub(super) fn number(&mut self, value: Score) -> u32 {
        let hash = hash(value);
        if let Some(&number) = self.recent.get((hash >> self.shift) as usize)
            && bits(self.at(number)) == bits(value)
        {
            return number;
        }
        self.sought(value, hash)
    }

    #[cold]
    fn sought(&mut self, value: Score, hash: u64) -> u32 {
        let same = |&number: &u32| bits(self.known[number as usize]) == bits(value);
        let number = self.numbers.find(hash, same).copied();
        let number = number.unwrap_or_else(|| self.add(value, hash));
        self.recent[(hash >> self.shift) as usize] = number;
        number
    }

    fn add(&mut self, value: Score, hash: u64) -> u32 {
        let number = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        self.known.push(value);
        let known = &self.known;
        let rehash = |&number: &u32| self::hash(known[number as usize]);
        self.numbers.insert_unique(hash, number, rehash);
        let recent = (4 * self.known.len()).next_power_of_two().min(RECENT);
        if recent > self.recent.len() {
            self.recent = vec![0; recent].into_boxed_slice();
            self.shift = u64::BITS - recent.ilog2();
        }
        number
    }

    pub(super) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<Score>()
            + self.numbers.allocation_size()
            + size_of_val(&*self.recent)
    }
}
