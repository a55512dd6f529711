//! Drawings of the chess pieces, for squares of two rows and more.
//!
//! Each line of a drawing has a row of all sizes. Each character is a quarter of a cell: `#` the body in the colour of its
//! side, `x` a detail in the colour of the other side, `.` the square. A cell can have only two colours, so no two by two
//! characters contain all three. A cell of `a` contains the letter of the piece, because two or three rows are too few to know
//! it by its shape; those of three rows stand half a cell aside, so that the letter is in their middle.

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
    /// The block character: the body, in the colour of its side; on the body, the letter of the piece.
    pub sign: char,
    /// What the background shows.
    pub behind: Behind,
}

/// What the background of a cell of a drawn piece shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// The square.
    Square,
    /// A detail, in the colour of the other side.
    Detail,
    /// The body; the letter on it has the colour of the other side.
    Body,
}

/// The rows of a piece's drawing for a square of this size; `None` if there is no drawing.
pub fn piece(letter: char, square: (usize, usize)) -> Option<Vec<Vec<PieceCell>>> {
    let at = SIZES.iter().position(|known| *known == square)?;
    let drawing = DRAWINGS.lines().skip_while(|line| !line.starts_with(letter)).skip(1);
    let rows = drawing.map_while(|line| line.split_whitespace().nth(SIZES.len() - 1 - at));
    let rows: Vec<_> = rows.filter(|row| *row != "-").map(str::as_bytes).collect();
    let cell = |pair: &[&[u8]], x: usize| {
        let tones = [pair[0][x], pair[0][x + 1], pair[1][x], pair[1][x + 1]];
        if tones.contains(&b'a') {
            return PieceCell { sign: letter, behind: Behind::Body };
        }
        let body = tones.iter().zip(0..).filter(|(tone, _)| **tone == b'#');
        let sign = QUADRANTS[body.map(|(_, bit)| 1 << bit).sum::<usize>()];
        let behind = if tones.contains(&b'x') { Behind::Detail } else { Behind::Square };
        PieceCell { sign, behind }
    };
    let cells = |pair: &[&[u8]]| (0..square.0).map(|x| cell(pair, 2 * x)).collect();
    (!rows.is_empty()).then(|| rows.chunks_exact(2).map(cells).collect())
}

/// The drawings, each after its letter. Sizes from left to right: the reverse of [`SIZES`]; `-`: below a drawing.
const DRAWINGS: &str = include_str!("pieces.txt");
