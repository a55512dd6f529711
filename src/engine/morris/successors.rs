//! The move generator, the legal captures, and the end of the game (seeds 000 to 002).
//!
//! The seeds list successor *states* as a set; each of those states is one [`Move`] here.

use super::{
    DoubleMill, Flying, Morris, Move, Point, PointSet, Position,
    lines::{Lines, PointPair, slides},
};
use crate::engine::game::Score;

/// How the side to move may move its stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum MovePhase {
    /// A stone from the hand goes to any empty point.
    Placing,
    /// A stone slides to an empty neighbour.
    Moving,
    /// One of the last three stones jumps to any empty point.
    Flying,
}

/// The sets of points that generating the moves of a position needs.
pub(super) struct MoveGenerator {
    pub(super) own: PointSet,
    pub(super) empty: PointSet,
    pub(super) lines: Lines,
    pub(super) captures: Captures,
    double_mill: DoubleMill,
}

/// The destinations of one stone, by the number of captures that follow.
#[derive(Clone, Copy)]
struct Targets {
    none: PointSet,
    one: PointSet,
    two: PointSet,
}

impl Morris {
    /// How the side to move can move its stones.
    #[inline]
    pub fn move_phase(self, position: &Position) -> MovePhase {
        let own = position.side.index();
        if position.hand[own] > 0 {
            MovePhase::Placing
        } else if position.stones[own].has_four() || self.flying == Flying::Off {
            MovePhase::Moving
        } else {
            MovePhase::Flying
        }
    }

    /// Appends every move, ordered by origin, destination and captures, even where a side has lost by having too few stones.
    pub fn generate_moves(self, position: &Position, moves: &mut Vec<Move>) {
        let generator = self.generator(position);
        match self.move_phase(position) {
            MovePhase::Placing => {
                let targets = generator.targets(generator.lines, generator.empty);
                generator.list(targets, Move::placing, moves);
            }
            MovePhase::Moving => generator.list_each(Point::neighbours, moves),
            MovePhase::Flying => generator.list_each(|_| PointSet::BOARD, moves),
        }
    }

    /// The number of moves that [`generate_moves`](Self::generate_moves) appends, without listing them.
    #[inline]
    pub fn count_moves(self, position: &Position) -> u64 {
        let generator = self.generator(position);
        match self.move_phase(position) {
            MovePhase::Placing => {
                generator.count(generator.targets(generator.lines, generator.empty))
            }
            MovePhase::Moving => generator.count_slides(),
            MovePhase::Flying => generator
                .own
                .into_iter()
                .map(|from| {
                    generator
                        .count(generator.targets(generator.lines_without(from), generator.empty))
                })
                .sum(),
        }
    }

    /// The value of a finished game for the side to move, `None` if the game goes on: lost if that side has too few stones,
    /// else won if the opponent has, else lost if there is no legal move.
    #[inline]
    pub fn outcome(self, position: &Position) -> Option<Score> {
        outcome_by_stones(position).or_else(|| (!self.can_move(position)).then_some(-Score::ONE))
    }

    /// Whether there is a move. A step that closes more mills than the opponent has stones on the board is illegal, which is
    /// not tested here: nine stones do not suffice for a position where every step is of that kind.
    #[inline]
    fn can_move(self, position: &Position) -> bool {
        let own = position.stones[position.side.index()];
        match self.move_phase(position) {
            MovePhase::Placing => true,
            MovePhase::Moving => !(own.neighbours() & position.empty()).is_empty(),
            MovePhase::Flying => !own.is_empty(),
        }
    }

    #[inline]
    pub(super) fn generator(self, position: &Position) -> MoveGenerator {
        let own = position.stones[position.side.index()];
        let other = position.stones[position.side.other().index()];
        let lines = Lines::of(PointPair::new(own, other));
        MoveGenerator {
            own,
            empty: !(own | other),
            lines,
            captures: Captures::new(other, lines.any().high()),
            double_mill: self.double_mill,
        }
    }

    /// Counts the leaves `depth` plies below a position; below a finished game there are none. `moves` is scratch space.
    pub(super) fn count_leaves(
        self,
        position: &Position,
        depth: u32,
        moves: &mut Vec<Move>,
    ) -> u64 {
        if depth == 0 {
            return 1;
        }
        if outcome_by_stones(position).is_some() {
            return 0;
        }
        if depth == 1 {
            return self.count_moves(position);
        }
        let start = moves.len();
        self.generate_moves(position, moves);
        let mut leaves = 0;
        for index in start..moves.len() {
            let child = position.after(moves[index]);
            leaves += self.count_leaves(&child, depth - 1, moves);
        }
        moves.truncate(start);
        leaves
    }
}

/// The value for the side to move where a side has too few stones; `None` otherwise.
#[inline]
pub(super) fn outcome_by_stones(position: &Position) -> Option<Score> {
    if position.lacks_stones(position.side) {
        Some(-Score::ONE)
    } else if position.lacks_stones(position.side.other()) {
        Some(Score::ONE)
    } else {
        None
    }
}

impl MoveGenerator {
    /// The lines of the own stones without the stone on `from`, which is about to move.
    #[inline]
    pub(super) fn lines_without(&self, from: Point) -> Lines {
        Lines::of(PointPair::new(self.own - from.into(), PointSet::EMPTY))
    }

    /// The number of captures after a stone is put on `to`, given the lines of the other own stones.
    pub(super) fn captures_due(&self, lines: Lines, to: Point) -> usize {
        let targets = self.targets(lines, to.into());
        2 * targets.two.len() + targets.one.len()
    }

    #[inline]
    fn targets(&self, lines: Lines, reach: PointSet) -> Targets {
        let (first, second) = (lines.first.low(), lines.second.low());
        let two = match self.double_mill {
            DoubleMill::Two => first & second & reach,
            DoubleMill::One => PointSet::EMPTY,
        };
        let some = (first | second) & reach;
        Targets { none: reach - some, one: some - two, two }
    }

    /// Appends the moves of each own stone, to the empty points that `reach` returns for it.
    #[inline]
    fn list_each(&self, reach: impl Fn(Point) -> PointSet, moves: &mut Vec<Move>) {
        let closing = self.lines.any().low();
        for from in self.own {
            let reach = reach(from) & self.empty;
            // Lifting the stone only opens lines: a point that closes no mill with the stone in place closes none without it.
            let targets = if (reach & closing).is_empty() {
                Targets { none: reach, one: PointSet::EMPTY, two: PointSet::EMPTY }
            } else {
                self.targets(self.lines_without(from), reach)
            };
            self.list(targets, |to| Move::moving(from, to), moves);
        }
    }

    #[inline]
    fn list(&self, targets: Targets, make: impl Fn(Point) -> Move, moves: &mut Vec<Move>) {
        if (targets.one | targets.two).is_empty() {
            moves.extend(targets.none.into_iter().map(make));
            return;
        }
        for to in targets.none | targets.one | targets.two {
            let mv = make(to);
            if targets.none.contains(to) {
                moves.push(mv);
            } else if targets.one.contains(to) {
                moves.extend(self.captures.ones().into_iter().map(|taken| mv.taking(taken)));
            } else {
                self.captures.pairs(|one, other| moves.push(mv.taking_two(one, other)));
            }
        }
    }

    #[inline]
    fn count(&self, targets: Targets) -> u64 {
        let quiet = targets.none.len();
        let one =
            if targets.one.is_empty() { 0 } else { targets.one.len() * self.captures.ones().len() };
        let two = if targets.two.is_empty() {
            0
        } else {
            targets.two.len() * self.captures.count_pairs()
        };
        (quiet + one + two) as u64
    }

    /// Counts the slides of all stones in parallel, one direction after the other.
    #[inline]
    fn count_slides(&self) -> u64 {
        let [ahead, back, out, into] = slides(self.own).map(|reach| reach & self.empty);
        let [clockwise, anticlockwise, crossing] = self.lines.after_slides();
        let closing = PointPair::new(ahead & clockwise, back & anticlockwise);
        let crossing = PointPair::new(out & crossing, into & crossing);
        let total = |pair: PointPair| pair.counts().into_iter().sum::<usize>();
        let steps = total(PointPair::new(ahead, back)) + total(PointPair::new(out, into));
        let closing = total(closing) + total(crossing);
        if closing == 0 {
            return steps as u64;
        }
        (steps - closing + closing * self.captures.ones().len()) as u64
    }
}

/// The opponent's stones, of which a move captures one or two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Captures {
    stones: PointSet,
    /// The opponent's stones outside mills.
    free: PointSet,
}

impl Captures {
    /// The captures among these stones. `filled`: [`Lines::any`] of these stones.
    #[inline]
    pub(super) fn new(stones: PointSet, filled: PointSet) -> Self {
        Self { stones, free: stones - filled }
    }

    /// The stones that one capture may take: those outside mills; if all are in mills, any of them.
    #[inline]
    pub(super) fn ones(self) -> PointSet {
        if self.free.is_empty() { self.stones } else { self.free }
    }

    /// The stones that a second capture may take after the capture of `taken`.
    pub(super) fn after(self, taken: Point) -> PointSet {
        let stones = self.stones - taken.into();
        let lines = Lines::of(PointPair::new(stones, PointSet::EMPTY));
        Self::new(stones, lines.any().low()).ones()
    }

    /// Calls `take` with each pair of stones that two captures may take in some order: lower point first, in ascending order.
    pub(super) fn pairs(self, mut take: impl FnMut(Point, Point)) {
        for one in self.stones {
            for other in self.partners(one) {
                take(one, other);
            }
        }
    }

    /// The stones with a higher index than `one` that two captures may take together with `one`.
    fn partners(self, one: Point) -> PointSet {
        let later = self.stones.after(one);
        if self.free.has_two() {
            // The capture of a stone outside mills opens no mill, so both captures are outside mills.
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
