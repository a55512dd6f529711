//! The index of a position in its table.
//!
//! The board is turned so that the leading pieces are in a corner: the kings, three pieces that are the only ones of their
//! kind, or the pawns of one side, which choose one of four subtables by their file. The other pieces follow in groups of
//! like pieces. A group's number is that of a combination of squares; the index is the weighted sum of these numbers.

use cozy_chess::{Board, Color, Piece};

/// The greatest number of pieces of a table.
const MAX_PIECES: usize = 7;

/// The numbers of placements of three leading pieces, by how many of them, from the first on, stand on the diagonal a1-h8.
const THREE: [u64; 4] = [6 * 63 * 62, 4 * 28 * 62, 4 * 7 * 28, 4 * 7 * 6];

/// The number of placements of two leading kings.
const KINGS: u64 = 462;

/// Binomial coefficients: `BINOMIAL[k][n]` is the number of ways to choose `k` of `n` squares.
const BINOMIAL: [[u64; 64]; MAX_PIECES] = {
    let mut table = [[0; 64]; MAX_PIECES];
    table[0] = [1; 64];
    let mut cell = 64;
    while cell < MAX_PIECES * 64 {
        let (k, n) = (cell / 64, cell % 64);
        table[k][n] = if n == 0 { 0 } else { table[k - 1][n - 1] + table[k][n - 1] };
        cell += 1;
    }
    table
};

/// Numbers of two kings by the first one's [`triangle`] and the second one's square. Pairs on the diagonal come last.
static KING_PAIRS: [[u16; 64]; 10] = {
    const SQUARES: [usize; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];
    let mut table = [[0; 64]; 10];
    let mut count = 0;
    let mut cell = 0;
    while cell < 2 * 640 {
        let (last, first, second) = (cell >= 640, cell / 64 % 10, cell % 64);
        let files = (SQUARES[first] % 8).abs_diff(second % 8);
        let ranks = (SQUARES[first] / 8).abs_diff(second / 8);
        let above = first >= 6 && second % 8 < second / 8;
        let on_diagonal = first >= 6 && second % 8 == second / 8;
        if (files > 1 || ranks > 1) && !above && on_diagonal == last {
            table[first][second] = count;
            count += 1;
        }
        cell += 1;
    }
    table
};

/// Number of pieces by side (0: before the `v` of the table's name) and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Material([[u8; Piece::NUM]; 2]);

impl Material {
    /// Reads a table's name, such as `KRPvKR`.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (first, second) = name.split_once('v')?;
        let mut material = Self([[0; Piece::NUM]; 2]);
        for (side, counts) in [first, second].into_iter().zip(&mut material.0) {
            let ordered = side.chars().is_sorted_by_key(|letter| "KQRBNP".find(letter));
            if side.matches('K').count() != 1 || side.len() >= MAX_PIECES || !ordered {
                return None;
            }
            for letter in side.chars() {
                counts["PNBRQK".find(letter)?] += 1;
            }
        }
        (3..=MAX_PIECES).contains(&material.pieces()).then_some(material)
    }

    /// The material on a board; the pieces of `first` come before the `v` in the table's name.
    pub(super) fn of(board: &Board, first: Color) -> Self {
        let count = |color, piece| board.colored_pieces(color, piece).len() as u8;
        Self([first, !first].map(|color| Piece::ALL.map(|piece| count(color, piece))))
    }

    pub(super) fn pieces(&self) -> usize {
        self.0.iter().flatten().map(|count| usize::from(*count)).sum()
    }

    pub(super) fn is_symmetric(&self) -> bool {
        self.0[0] == self.0[1]
    }

    /// The number of leading pawns (of the side that has fewer, but at least one), and the number of the other side's pawns.
    pub(super) fn pawns(&self) -> [usize; 2] {
        let side = self.lead_side();
        [side, 1 - side].map(|side| self.0[side][Piece::Pawn as usize].into())
    }

    fn lead_side(&self) -> usize {
        let [first, second] = self.0.map(|counts| counts[Piece::Pawn as usize]);
        usize::from(second > 0 && (first == 0 || first > second))
    }

    /// The subtable of a position: the file of the leading pawn, counted from the edge; 0 without pawns.
    pub(super) fn pawn_file(&self, board: &Board, first: Color) -> usize {
        let color = if self.lead_side() == 0 { first } else { !first };
        let pawns = board.colored_pieces(color, Piece::Pawn).into_iter();
        pawns.map(|pawn| pawn_order(pawn as usize ^ flip(first)) / 12).min().unwrap_or(0)
    }
}

/// The numbering of the positions of a subtable.
#[derive(Debug)]
pub(super) struct Layout {
    /// The kinds of pieces in the order of their squares, each with its side in the table's name (0: before the `v`).
    kinds: Vec<(usize, Piece)>,
    /// The number of pieces and weight of each group: the leading group, the other side's pawns, groups of like pieces.
    groups: Vec<(usize, u64)>,
    /// The number of leading pawns, and the number of the other side's pawns.
    pawns: [usize; 2],
    /// The number of positions that the subtable covers.
    pub(super) size: u64,
}

impl Layout {
    /// Reads the layout from a header: `codes` are the pieces (1 to 6: P, N, B, R, Q, K; 8 more for the second side); `orders`
    /// are the ranks of the leading group and of the other side's pawns in the order of the weights. `file` is that of the
    /// leading pawn. `None` if the header does not suit the material.
    pub(super) fn new(
        material: &Material,
        codes: &[u8],
        orders: &[u8],
        file: usize,
    ) -> Option<Self> {
        let mut kinds: Vec<(usize, Piece)> = Vec::new();
        let mut groups: Vec<(usize, u64)> = Vec::new();
        for run in codes.chunk_by(|code, next| code == next) {
            let piece = Piece::try_index(usize::from(run[0] & 7).checked_sub(1)?)?;
            let kind = (usize::from(run[0] >> 3), piece);
            let expected = usize::from(material.0.get(kind.0)?[piece as usize]);
            if run.len() != expected || kinds.contains(&kind) {
                return None;
            }
            kinds.push(kind);
            groups.push((run.len(), 0));
        }
        let (pawns, lead_side) = (material.pawns(), material.lead_side());
        let leaders = match pawns {
            [0, _] if material.0.iter().flatten().filter(|count| **count == 1).count() == 2 => 2,
            [0, _] => 3,
            [_, others] => {
                let pawns = [(lead_side, Piece::Pawn), (1 - lead_side, Piece::Pawn)];
                let pawns = if others == 0 { &pawns[..1] } else { &pawns };
                kinds.starts_with(pawns).then_some(1)?
            }
        };
        let lead = groups.get(..leaders)?.iter().map(|(pieces, _)| pieces).sum();
        if pawns[0] == 0 && lead != leaders {
            return None;
        }
        groups.splice(..leaders, [(lead, 0)]);

        // The weight of a group is the product of the sizes of the groups before it in the order.
        let mut rest = orders.len()..groups.len();
        let mut free = 64 - groups.get(..orders.len())?.iter().map(|group| group.0).sum::<usize>();
        let mut size = 1_u64;
        for rank in 0..groups.len() {
            let ordered = orders.iter().position(|order| usize::from(*order) == rank);
            let at = ordered.or_else(|| rest.next())?;
            let pieces = groups[at].0;
            groups[at].1 = size;
            size = size.checked_mul(match (at, pawns[0], lead) {
                (0, 0, 2) => KINGS,
                (0, 0, _) => THREE.iter().sum(),
                (0, _, _) => leading_pawns(lead, file * 6..file * 6 + 6),
                (1, _, _) if orders.len() == 2 => BINOMIAL[pieces][48 - lead],
                _ => {
                    free -= pieces;
                    BINOMIAL[pieces][free + pieces]
                }
            })?;
        }
        Some(Self { kinds, groups, pawns, size })
    }

    /// The index of a position; `first` is the side whose pieces come before the `v` in the table's name.
    pub(super) fn index(&self, board: &Board, first: Color) -> u64 {
        let mut squares = [0; MAX_PIECES];
        let placed = self.kinds.iter().flat_map(|(side, piece)| {
            board.colored_pieces(if *side == 0 { first } else { !first }, *piece)
        });
        let mut count = 0;
        for (slot, square) in squares.iter_mut().zip(placed) {
            *slot = square as usize ^ flip(first);
            count += 1;
        }
        let squares = &mut squares[..count];
        let (mut done, weight) = self.groups[0];
        let lead = if self.pawns[0] > 0 { lead_with_pawns } else { lead_with_pieces };
        let mut index = lead(squares, done) * weight;
        for (at, (pieces, weight)) in self.groups.iter().enumerate().skip(1) {
            let below = if at == 1 && self.pawns[1] > 0 { 8 } else { 0 };
            let (before, rest) = squares.split_at_mut(done);
            let like = &mut rest[..*pieces];
            like.sort_unstable();
            for (k, square) in (1..).zip(like) {
                let taken = before.iter().filter(|other| **other < *square).count();
                index += BINOMIAL[k][*square - taken - below] * weight;
            }
            done += pieces;
        }
        index
    }
}

/// The number to XOR with a square's index so that pawns of the side before the `v` in the table's name move up the board.
fn flip(first: Color) -> usize {
    if first == Color::White { 0 } else { 56 }
}

/// The order of pawns, 0 to 47: from the edge files inwards, from the second rank up, the left one of a pair first.
fn pawn_order(square: usize) -> usize {
    let (file, rank) = (square % 8, square / 8);
    12 * file.min(7 - file) + 2 * (rank - 1) + file / 4
}

/// The number of placements of like pawns whose first pawn is on the left square of one of these pairs in [`pawn_order`].
fn leading_pawns(pawns: usize, pairs: std::ops::Range<usize>) -> u64 {
    pairs.map(|pair| BINOMIAL[pawns - 1][47 - 2 * pair]).sum()
}

fn lead_with_pawns(squares: &mut [usize], lead: usize) -> u64 {
    let first = squares[..lead].iter().min_by_key(|square| pawn_order(**square));
    if first.is_some_and(|square| square % 8 > 3) {
        turn(squares, |square| square ^ 7);
    }
    squares[..lead].sort_unstable_by_key(|square| pawn_order(*square));
    let pair = pawn_order(squares[0]) / 2;
    let others = (1..lead).map(|at| BINOMIAL[lead - at][47 - pawn_order(squares[at])]);
    leading_pawns(lead, pair / 6 * 6..pair) + others.sum::<u64>()
}

fn turn(squares: &mut [usize], turned: impl Fn(usize) -> usize) {
    for square in squares {
        *square = turned(*square);
    }
}

/// The number of a square below the diagonal of a board of `width` files, counted rank by rank.
fn below_diagonal(square: usize, width: usize) -> usize {
    let (file, rank) = (square % 8, square / 8);
    rank * (2 * width - 1 - rank) / 2 + file - rank - 1
}

/// The number, 0 to 9, of a square of the triangle a1-d1-d4; the squares of the diagonal a1-d4 come last.
fn triangle(square: usize) -> usize {
    if square.is_multiple_of(9) { 6 + square / 9 } else { below_diagonal(square, 4) }
}

fn lead_with_pieces(squares: &mut [usize], lead: usize) -> u64 {
    let to_corner = squares[0] / 4 % 2 * 7 + squares[0] / 32 * 56;
    turn(squares, |square| square ^ to_corner);
    let first_off = squares[..lead].iter().position(|square| square % 9 > 0);
    if first_off.is_some_and(|at| squares[at] % 8 < squares[at] / 8) {
        turn(squares, |square| square % 8 * 8 + square / 8);
    }
    if lead == 2 {
        return KING_PAIRS[triangle(squares[0])][squares[1]].into();
    }
    let (a, b, c) = (squares[0], squares[1], squares[2]);
    let b_skips = usize::from(b > a);
    let c_skips = usize::from(c > a) + usize::from(c > b);
    let number = match first_off {
        Some(0) => (triangle(a) * 63 + b - b_skips) * 62 + c - c_skips,
        Some(1) => (a / 8 * 28 + below_diagonal(b, 8)) * 62 + c - c_skips,
        Some(_) => (a / 8 * 7 + b / 8 - b_skips) * 28 + below_diagonal(c, 8),
        None => (a / 8 * 7 + b / 8 - b_skips) * 6 + c / 8 - c_skips,
    };
    THREE[..first_off.unwrap_or(3)].iter().sum::<u64>() + number as u64
}
