//! Which stones a mill may take (seeds 000 to 002).

use super::{
    Point, PointSet,
    lines::{Lines, PointPair},
};

/// The stones of the side that is to lose one or two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Captures {
    stones: PointSet,
    /// Those outside mills.
    free: PointSet,
}

impl Captures {
    /// `filled`: the points whose line is filled by these stones, as [`Lines::any`] has them.
    #[inline]
    pub(super) fn new(stones: PointSet, filled: PointSet) -> Self {
        Self { stones, free: stones - filled }
    }

    /// The stones one capture may take: those outside mills or, where all are in mills, any.
    #[inline]
    pub(super) fn ones(self) -> PointSet {
        if self.free.is_empty() { self.stones } else { self.free }
    }

    /// The stones a second capture may take after this one.
    pub(super) fn after(self, taken: Point) -> PointSet {
        let stones = self.stones - taken.into();
        let lines = Lines::of(PointPair::new(stones, PointSet::EMPTY));
        Self::new(stones, lines.any().low()).ones()
    }

    /// Each pair of stones two captures may take in some order, lesser point first, in ascending order.
    pub(super) fn pairs(self, mut take: impl FnMut(Point, Point)) {
        for one in self.stones {
            for other in self.partners(one) {
                take(one, other);
            }
        }
    }

    /// The points after `one` that two captures may take together with it.
    fn partners(self, one: Point) -> PointSet {
        let later = self.stones.after(one);
        if self.free.has_two() {
            // Taking a stone outside mills breaks no mill, so both come from outside.
            let free = self.free.contains(one);
            return if free { self.free & later } else { PointSet::EMPTY };
        }
        let firsts = self.ones();
        let after_one = if firsts.contains(one) { self.after(one) } else { PointSet::EMPTY };
        let before_one =
            (firsts & later).into_iter().filter(|&first| self.after(first).contains(one)).collect();
        (after_one & later) | before_one
    }

    pub(super) fn count_pairs(self) -> usize {
        if self.free.has_two() {
            let free = self.free.len();
            return free * (free - 1) / 2;
        }
        self.stones.into_iter().map(|one| self.partners(one).len()).sum()
    }
}
