//! Positions of a subspace as numbers without large gaps.
//!
//! The stones of the side to move are replaced by the least of their sixteen images; these sets are numbered (the *class*). The
//! opponent's stones, under the same symmetry, are numbered among the combinations of the remaining points.
//! Index = class × combinations + combination. Where a symmetry leaves the class unchanged, a position has several
//! indices (4 % of a table of five stones a side), which all have the same value.

use std::ops::Range;

use super::board::{POINTS, SYMMETRIES, Stones, image, points};

/// `BINOMIAL[n][k]` is the number of ways to choose `k` of `n` points.
const BINOMIAL: [[u32; 10]; 25] = {
    let mut table = [[0; 10]; 25];
    let mut n = 0;
    while n < 25 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 10 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

fn binomial(n: u32, k: u32) -> u32 {
    BINOMIAL[n as usize][k as usize]
}

/// Numbers the sets of `size` points in colexicographic order. A rank has two summands, one for each half of the board.
#[derive(Debug)]
struct Ranks {
    size: u32,
    low: Vec<u32>,
    high: Vec<u32>,
}

const HALF: u32 = 12;

impl Ranks {
    fn new(size: u32) -> Self {
        let part = |set: u32, shift: u32, before: u32| {
            let terms = points(set).zip(before + 1..);
            terms.map(|(point, nth)| binomial(point + shift, nth)).sum()
        };
        let fits = |set: &u32| set.count_ones() <= size;
        let high = |set: u32| if fits(&set) { part(set, HALF, size - set.count_ones()) } else { 0 };
        let low = |set: u32| if fits(&set) { part(set, 0, 0) } else { 0 };
        Self {
            size,
            low: (0..1 << HALF).map(low).collect(),
            high: (0..1 << HALF).map(high).collect(),
        }
    }

    #[inline]
    fn rank(&self, set: u32) -> u32 {
        self.low[(set & 0xFFF) as usize] + self.high[(set >> HALF & 0xFFF) as usize]
    }

    fn set(&self, mut rank: u32) -> u32 {
        let (mut set, mut point) = (0, POINTS);
        for nth in (1..=self.size).rev() {
            point -= 1;
            while binomial(point, nth) > rank {
                point -= 1;
            }
            rank -= binomial(point, nth);
            set |= 1 << point;
        }
        set
    }
}

/// The next set of the same size in colexicographic order (Gosper's hack).
fn next_set(set: u32) -> u32 {
    let lowest = set & set.wrapping_neg();
    let carried = set + lowest;
    carried | ((set ^ carried) / lowest) >> 2
}

/// The number of classes of sets of 0 to 9 points (Burnside's lemma).
const CLASSES: [u32; 10] = [1, 4, 30, 158, 757, 2830, 8774, 22_188, 46_879, 82_880];

/// The number of indices of a subspace.
pub(super) fn index_count(own: u32, other: u32) -> u64 {
    u64::from(CLASSES[own as usize]) * u64::from(binomial(POINTS - own, other))
}

/// Memory of an [`Index`] in bytes, without its small parts.
pub(super) fn index_memory(own: u32) -> u64 {
    u64::from(binomial(POINTS, own)) * 4 + u64::from(CLASSES[own as usize]) * 6
}

/// The numbering of the positions of a subspace.
#[derive(Debug)]
pub(super) struct Index {
    own: Ranks,
    other: Ranks,
    /// By the rank of a set of own stones: its class and, in the lowest four bits, a symmetry to the least set of the class.
    classes: Vec<u32>,
    /// For each class, its least set of points, as bits.
    least: Vec<u32>,
    /// For each class, the symmetries that leave its least set unchanged, as bits.
    fixing: Vec<u16>,
    /// The number of combinations of the opponent's stones.
    combinations: u32,
}

impl Index {
    pub(super) fn new(own: u32, other: u32) -> Self {
        let ranks = Ranks::new(own);
        let (mut classes, mut least, mut fixing) = (Vec::new(), Vec::new(), Vec::new());
        let mut set = (1 << own) - 1;
        for _ in 0..binomial(POINTS, own) {
            let images: [u32; SYMMETRIES] = std::array::from_fn(|symmetry| image(symmetry, set));
            let smallest = images.iter().copied().min().unwrap_or(set);
            let symmetry = images.iter().position(|&image| image == smallest).unwrap_or(0);
            // The rank grows with the set, so the least set of a class comes first.
            let class = if smallest == set {
                let fixed = (0..SYMMETRIES).filter(|&symmetry| images[symmetry] == set);
                fixing.push(fixed.fold(0, |bits, symmetry| bits | 1 << symmetry));
                least.push(set);
                least.len() as u32 - 1
            } else {
                classes[ranks.rank(smallest) as usize] >> 4
            };
            classes.push(class << 4 | symmetry as u32);
            set = next_set(set);
        }
        let combinations = binomial(POINTS - own, other);
        Self { own: ranks, other: Ranks::new(other), classes, least, fixing, combinations }
    }

    /// The number of indices in the numbering.
    pub(super) fn len(&self) -> u32 {
        self.least.len() as u32 * self.combinations
    }

    /// The class of the own stones, and the opponent's stones under the symmetry that maps the own ones to the least set.
    #[inline]
    fn normal(&self, stones: Stones) -> (usize, u32) {
        let packed = self.classes[self.own.rank(stones.own) as usize];
        ((packed >> 4) as usize, image((packed & 15) as usize, stones.other))
    }

    #[inline]
    fn at(&self, class: usize, other: u32) -> usize {
        let combination = self.other.rank(compress(other, self.least[class]));
        class * self.combinations as usize + combination as usize
    }

    /// One of the indices of a position.
    #[inline]
    pub(super) fn of(&self, stones: Stones) -> usize {
        let (class, other) = self.normal(stones);
        self.at(class, other)
    }

    /// Calls `visit` with every index of a position.
    #[inline]
    pub(super) fn each_of(&self, stones: Stones, mut visit: impl FnMut(usize)) {
        let (class, other) = self.normal(stones);
        if self.fixing[class] == 1 {
            return visit(self.at(class, other));
        }
        points(self.fixing[class].into())
            .for_each(|symmetry| visit(self.at(class, image(symmetry as usize, other))));
    }

    /// The position that an index stands for.
    pub(super) fn stones(&self, index: usize) -> Stones {
        let (class, combination) =
            (index as u32 / self.combinations, index as u32 % self.combinations);
        let own = self.least[class as usize];
        Stones { own, other: expand(self.other.set(combination), own) }
    }

    /// Calls `visit` with every index of a range and its position.
    pub(super) fn each_in(&self, range: Range<usize>, mut visit: impl FnMut(usize, Stones)) {
        let mut index = range.start;
        while index < range.end {
            let class = index as u32 / self.combinations;
            let end = range.end.min((class as usize + 1) * self.combinations as usize);
            let own = self.least[class as usize];
            let mut other = self.other.set(index as u32 % self.combinations);
            for index in index..end {
                visit(index, Stones { own, other: expand(other, own) });
                other = next_set(other);
            }
            index = end;
        }
    }

    /// The number of positions that symmetry makes equal to this one, itself included, if the index is the first of the
    /// position's indices; else 0.
    pub(super) fn orbit(&self, index: usize, stones: Stones) -> u32 {
        let fixing = self.fixing[index / self.combinations as usize];
        if fixing == 1 {
            return SYMMETRIES as u32;
        }
        let (mut unchanged, mut is_first) = (0, true);
        for symmetry in points(fixing.into()) {
            let other = image(symmetry as usize, stones.other);
            unchanged += u32::from(other == stones.other);
            is_first &= other >= stones.other;
        }
        if is_first { SYMMETRIES as u32 / unchanged } else { 0 }
    }
}

/// Removes the points of `gaps` from the numbering of a set that contains none of them.
#[inline]
fn compress(mut set: u32, mut gaps: u32) -> u32 {
    while gaps != 0 {
        let gap = gaps.ilog2();
        let below = (1 << gap) - 1;
        set = set & below | set >> 1 & !below;
        gaps &= below;
    }
    set
}

/// The inverse of [`compress`].
#[inline]
fn expand(mut set: u32, gaps: u32) -> u32 {
    for gap in points(gaps) {
        let below = (1 << gap) - 1;
        set = set & below | (set & !below) << 1;
    }
    set
}
