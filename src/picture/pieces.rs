//! Drawings of the chess pieces, for squares of two rows and more.
//!
//! Each line of a drawing has a row of all sizes. Each character is a quarter of a cell: `#` the body in the colour of its
//! side, `x` a detail in the colour of the other side, `.` the square. A cell can have only two colours, so no two by two
//! characters contain all three.

/// The sizes of a square with a drawing, in columns and rows.
pub const SIZES: [(usize, usize); 5] = [(12, 6), (10, 5), (8, 4), (6, 3), (4, 2)];

/// The letter of the drawing of a lying king.
pub const LYING_KING: char = '+';

/// The characters for the 16 combinations of quadrants: add 1 for upper left, 2 upper right, 4 lower left, 8 lower right.
pub const QUADRANTS: [char; 16] =
    [' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'];

/// A terminal cell of a drawn piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceCell {
    /// A block character in the colour of the piece's side.
    pub sign: char,
    /// Whether the character's background is a detail of the piece, in the colour of the other side; otherwise it is the square.
    pub is_detail: bool,
}

/// The rows of a piece's drawing for a square of this size; `None` if there is no drawing.
pub fn piece(letter: char, square: (usize, usize)) -> Option<Vec<Vec<PieceCell>>> {
    let at = SIZES.iter().position(|known| *known == square)?;
    let drawing = DRAWINGS.lines().skip_while(|line| !line.starts_with(letter)).skip(1);
    let rows = drawing.map_while(|line| line.split_whitespace().nth(SIZES.len() - 1 - at));
    let rows: Vec<_> = rows.filter(|row| *row != "-").map(str::as_bytes).collect();
    let cell = |pair: &[&[u8]], x: usize| {
        let tones = [pair[0][x], pair[0][x + 1], pair[1][x], pair[1][x + 1]];
        let body = tones.iter().zip(0..).filter(|(tone, _)| **tone == b'#');
        let sign = QUADRANTS[body.map(|(_, bit)| 1 << bit).sum::<usize>()];
        PieceCell { sign, is_detail: tones.contains(&b'x') }
    };
    let cells = |pair: &[&[u8]]| (0..square.0).map(|x| cell(pair, 2 * x)).collect();
    (!rows.is_empty()).then(|| rows.chunks_exact(2).map(cells).collect())
}

/// The drawings, each after its letter. Sizes from left to right: the reverse of [`SIZES`]; `-`: below a drawing.
const DRAWINGS: &str = include_str!("pieces.txt");
