//! The board as bits: bit `n` is the point of index `n`. Moves, mills and symmetries.

/// The number of points of the board.
pub(super) const POINTS: u32 = 24;
/// The set of all points.
pub(super) const BOARD: u32 = 0xFF_FFFF;
/// The number of symmetries: four turns, with or without a mirror, with or without the outer and the inner ring exchanged.
pub(super) const SYMMETRIES: usize = 16;

/// The stones of a position with empty hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stones {
    /// The stones of the side to move, as a set of points.
    pub(super) own: u32,
    /// The stones of the opponent, as a set of points.
    pub(super) other: u32,
}

impl Stones {
    /// The same position with the other side to move.
    pub(super) const fn swapped(self) -> Self {
        Self { own: self.other, other: self.own }
    }
}

/// For each point, the set of the points beside it.
const NEIGHBOURS: [u32; POINTS as usize] = {
    let mut sets = [0; POINTS as usize];
    let mut point = 0;
    while point < sets.len() {
        let (ring, cell) = (point / 8, point % 8);
        sets[point] = 1 << (ring * 8 + (cell + 1) % 8) | 1 << (ring * 8 + (cell + 7) % 8);
        if cell % 2 == 1 {
            if ring > 0 {
                sets[point] |= 1 << (point - 8);
            }
            if ring < 2 {
                sets[point] |= 1 << (point + 8);
            }
        }
        point += 1;
    }
    sets
};

/// For each point, the other two points of each of its two lines.
const LINES: [[u32; 2]; POINTS as usize] = {
    const fn at(ring: usize, cell: usize) -> u32 {
        1 << (ring % 3 * 8 + cell % 8)
    }
    let mut lines = [[0; 2]; POINTS as usize];
    let mut point = 0;
    while point < lines.len() {
        let (ring, cell) = (point / 8, point % 8);
        lines[point] = if cell % 2 == 1 {
            [at(ring, cell + 1) | at(ring, cell + 7), at(ring + 1, cell) | at(ring + 2, cell)]
        } else {
            [at(ring, cell + 1) | at(ring, cell + 2), at(ring, cell + 7) | at(ring, cell + 6)]
        };
        point += 1;
    }
    lines
};

/// For each symmetry, the image of each possible byte of a set of points.
static IMAGES: [[[u32; 256]; 3]; SYMMETRIES] = {
    let mut images = [[[0; 256]; 3]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut ring = 0;
        while ring < 3 {
            let mut bits = 1;
            while bits < 256_usize {
                let cell = bits.trailing_zeros() as usize;
                let rest = images[symmetry][ring][bits & (bits - 1)];
                images[symmetry][ring][bits] = rest | 1 << image_of(symmetry, ring, cell);
                bits += 1;
            }
            ring += 1;
        }
        symmetry += 1;
    }
    images
};

/// The point to which a symmetry maps the point at `ring` and `cell`; symmetry 0 is the identity.
const fn image_of(symmetry: usize, ring: usize, cell: usize) -> usize {
    let mirrored = if symmetry & 4 == 0 { cell } else { 8 - cell };
    let ring = if symmetry & 8 == 0 { ring } else { 2 - ring };
    ring * 8 + (mirrored + symmetry % 4 * 2) % 8
}

/// The image of a set under a symmetry.
#[inline]
pub(super) fn image(symmetry: usize, set: u32) -> u32 {
    let [outer, middle, inner] = &IMAGES[symmetry];
    outer[(set & 0xFF) as usize]
        | middle[(set >> 8 & 0xFF) as usize]
        | inner[(set >> 16 & 0xFF) as usize]
}

/// The points of a set, the lowest index first.
#[inline]
pub(super) fn points(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let point = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            point
        })
    })
}

/// Whether a stone on the point completes a mill together with `stones`.
#[inline]
fn closes(stones: u32, point: u32) -> bool {
    let [one, other] = LINES[point as usize];
    stones & one == one || stones & other == other
}

/// The stones that a capture may take: those outside mills or, where all are in mills, any.
#[inline]
fn capturable(stones: u32) -> u32 {
    let free = points(stones)
        .filter(|&point| !closes(stones, point))
        .fold(0, |set, point| set | 1 << point);
    if free == 0 { stones } else { free }
}

/// The points that a stone on `from` reaches.
#[inline]
fn reach(stones: u32, from: u32, flying: bool) -> u32 {
    if flying && stones.count_ones() <= 3 { BOARD } else { NEIGHBOURS[from as usize] }
}

impl Stones {
    /// The empty points at which a stone of the side to move would close a mill, and those at which one of the opponent would.
    pub(super) fn threats(self) -> [u32; 2] {
        let closed = |stones| points(self.empty()).filter(move |&point| closes(stones, point));
        [self.own, self.other].map(|stones| closed(stones).map(|_| 1).sum())
    }

    /// The empty points beside stones of the side to move, and those beside stones of the opponent.
    pub(super) fn freedoms(self) -> [u32; 2] {
        let beside = |stones| points(stones).fold(0, |set, point| set | NEIGHBOURS[point as usize]);
        [self.own, self.other].map(|stones| (beside(stones) & self.empty()).count_ones())
    }

    fn empty(self) -> u32 {
        BOARD & !(self.own | self.other)
    }

    /// Calls `quiet` with each position after a move without a capture, opponent to move. Returns `false` once `quiet` does.
    #[inline]
    pub(super) fn quiet_moves(self, flying: bool, mut quiet: impl FnMut(Self) -> bool) -> bool {
        points(self.own).all(|from| {
            let rest = self.own & !(1 << from);
            points(reach(self.own, from, flying) & self.empty())
                .filter(|&to| !closes(rest, to))
                .all(|to| quiet(Self { own: self.other, other: rest | 1 << to }))
        })
    }

    /// The position after the move without a capture that has this number, from 0.
    #[inline]
    pub(super) fn quiet_move(self, flying: bool, number: usize) -> Option<Self> {
        let (mut left, mut found) = (number, None);
        self.quiet_moves(flying, |after| {
            found = (left == 0).then_some(after);
            left = left.wrapping_sub(1);
            found.is_none()
        });
        found
    }

    /// Calls `capture` with each position after a move with a capture, the opponent to move. Returns whether there is a move
    /// without a capture.
    ///
    /// Without stones in hand no move closes two mills: the second line through a slide's destination contains the point that
    /// the stone leaves, and three stones fill one line only. So `double_mill` makes no difference.
    #[inline]
    pub(super) fn captures(self, flying: bool, mut capture: impl FnMut(Self)) -> bool {
        let (mut has_quiet, mut targets) = (false, 0);
        for from in points(self.own) {
            let rest = self.own & !(1 << from);
            for to in points(reach(self.own, from, flying) & self.empty()) {
                if !closes(rest, to) {
                    has_quiet = true;
                    continue;
                }
                if targets == 0 {
                    targets = capturable(self.other);
                }
                for taken in points(targets) {
                    capture(Self { own: self.other & !(1 << taken), other: rest | 1 << to });
                }
            }
        }
        has_quiet
    }

    /// Calls `visit` with each position from which a move without a capture leads to this one.
    #[inline]
    pub(super) fn quiet_predecessors(self, flying: bool, mut visit: impl FnMut(Self)) {
        for to in points(self.other) {
            let rest = self.other & !(1 << to);
            // A stone that completes a mill has captured: its last move was not quiet.
            if !closes(rest, to) {
                for from in points(reach(self.other, to, flying) & self.empty()) {
                    visit(Self { own: rest | 1 << from, other: self.own });
                }
            }
        }
    }
}
