//! Syzygy endgame tables: the value of positions with few pieces under the fifty-move rule.
//!
//! A WDL table may hold too low a value where a capture is best, and a DTZ table any value where a capture or pawn move is
//! best, whichever packs better; neither allows for en passant. So a probe searches captures first, and DTZ pawn moves too.
//! A DTZ table has one side to move: for the other one the probe searches one ply. The algorithm is Ronald de Man's.

mod file;
mod index;
mod packed;
mod source;

use std::{
    collections::{BTreeMap, HashMap},
    error::Error,
    fmt, fs, io,
    ops::Neg,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use cozy_chess::{Board, Color, Move, Piece, Rank, Square, get_king_moves};

use file::{Kind, SyzygyTable};
use index::Material;

/// The value of a position for the side to move, for a halfmove clock of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// The side to move loses, but the fifty-move rule gives a draw.
    BlessedLoss,
    /// The game is drawn.
    Draw,
    /// The side to move wins, but the fifty-move rule gives a draw.
    CursedWin,
    /// The side to move wins.
    Win,
}

impl Wdl {
    const ALL: [Self; 5] = [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// The DTZ value if the best move is a capture or a pawn move.
    const fn dtz_of_zeroing(self) -> i32 {
        [-1, -101, 0, 101, 1][self as usize]
    }
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        Self::ALL[4 - self as usize]
    }
}

/// The error of a table file that cannot be read or is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyzygyError {
    /// The path of the table file.
    pub file: PathBuf,
    /// What is wrong with the file, in words.
    pub reason: String,
}

impl SyzygyError {
    fn new(file: &Path, reason: impl Into<String>) -> Self {
        Self { file: file.to_owned(), reason: reason.into() }
    }
}

impl fmt::Display for SyzygyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.reason)
    }
}

impl Error for SyzygyError {}

/// The result of a probe. The error is `None` if no table covers the position.
type Probe<T> = Result<T, Option<SyzygyError>>;

/// A table file, opened by the first probe.
#[derive(Debug)]
struct LazyTable {
    path: PathBuf,
    length: u64,
    table: OnceLock<Result<SyzygyTable, SyzygyError>>,
}

/// The tables of one material, such as `KRPvKR`.
#[derive(Debug)]
struct Entry {
    name: String,
    material: Material,
    /// The WDL and the DTZ table, by [`Kind`]; `None` if the file is missing.
    tables: [Option<LazyTable>; 2],
}

/// Syzygy tables of a folder (<https://www.chessprogramming.org/Syzygy_Bases>).
#[derive(Debug)]
pub struct Syzygy {
    /// The tables of each material, sorted by name.
    entries: Vec<Entry>,
    by_material: HashMap<Material, usize>,
    most_pieces: u32,
}

impl Syzygy {
    /// Lists the `.rtbw` and `.rtbz` files of a folder by their names; other files are ignored. A file is opened and its header
    /// checked when it is first probed.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let mut entries = BTreeMap::new();
        for file in fs::read_dir(folder)? {
            let file = file?;
            let file_name = file.file_name();
            let Some((name, extension)) = file_name.to_str().and_then(|it| it.split_once('.'))
            else {
                continue;
            };
            let kind = Kind::ALL.into_iter().find(|kind| kind.extension() == extension);
            let Some((kind, material)) = kind.zip(Material::parse(name)) else { continue };
            // a file that is not there (a link to nothing) is an error when it is probed
            let length = fs::metadata(file.path()).map_or(0, |metadata| metadata.len());
            let entry = entries.entry(name.to_owned());
            let new = || Entry { name: name.to_owned(), material, tables: [None, None] };
            entry.or_insert_with(new).tables[kind as usize] =
                Some(LazyTable { path: file.path(), length, table: OnceLock::new() });
        }
        let entries: Vec<_> = entries.into_values().collect();
        let by_material = entries.iter().enumerate().map(|(at, entry)| (entry.material, at));
        let mut syzygy = Self { by_material: by_material.collect(), most_pieces: 0, entries };
        syzygy.most_pieces =
            syzygy.probed().map(|entry| entry.material.pieces() as u32).max().unwrap_or(0);
        Ok(syzygy)
    }

    /// The greatest number of pieces of a table, kings included; 0 without tables.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// The names of the tables, such as `KRPvKR`, sorted. A `.rtbz` file without its `.rtbw` file is not used.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.probed().map(|entry| &*entry.name)
    }

    fn probed(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.tables[Kind::Wdl as usize].is_some())
    }

    /// Checksum of the names and lengths of the files.
    pub fn digest(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        for entry in &self.entries {
            for (kind, table) in Kind::ALL.iter().zip(&entry.tables) {
                if let Some(table) = table {
                    let line = format!("{}.{} {}\n", entry.name, kind.extension(), table.length);
                    sum.update(line.as_bytes());
                }
            }
        }
        sum.finalize()
    }

    /// The value for the side to move when the halfmove clock is 0. `None` if no table covers the position: too many pieces,
    /// castling rights, or a file is absent (also that of the position after a capture).
    pub fn wdl(&self, board: &Board) -> Result<Option<Wdl>, SyzygyError> {
        let wdl = self.covered(board).and_then(|()| self.search(board));
        wdl.map(|(wdl, _)| Some(wdl)).or_else(|error| error.map_or(Ok(None), Err))
    }

    /// Plies to the next capture or pawn move (or to mate) under best play, when the halfmove clock is 0: positive if the side
    /// to move wins, negative if it loses, 0 for a draw. More than 100: drawn by the fifty-move rule; 100 is added if the next
    /// such move only reaches a cursed win or a blessed loss. -1 if the side to move is mated. Most tables are rounded: the
    /// true number may be greater by 1. `None` as for [`Syzygy::wdl`].
    pub fn dtz(&self, board: &Board) -> Result<Option<i32>, SyzygyError> {
        let dtz = self.covered(board).and_then(|()| self.search_dtz(board));
        dtz.map(Some).or_else(|error| error.map_or(Ok(None), Err))
    }

    fn covered(&self, board: &Board) -> Probe<()> {
        let castling = Color::ALL.into_iter().any(|color| {
            let rights = board.castle_rights(color);
            rights.short.is_some() || rights.long.is_some()
        });
        // a board with adjacent kings can be built, and taking a king is then a capture
        let adjacent = get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
        let few = board.occupied().len() <= self.most_pieces;
        if few && !castling && !adjacent { Ok(()) } else { Err(None) }
    }

    /// The table for a position, opened if needed, and the side whose pieces come before the `v` in its name.
    fn table(&self, board: &Board, kind: Kind) -> Probe<(&SyzygyTable, Color)> {
        for first in [Color::White, Color::Black] {
            let Some(at) = self.by_material.get(&Material::of(board, first)) else { continue };
            let Entry { material, tables, .. } = &self.entries[*at];
            let lazy = tables[kind as usize].as_ref().ok_or(None)?;
            let table = lazy.table.get_or_init(|| SyzygyTable::open(&lazy.path, kind, *material));
            let first = if material.is_symmetric() { board.side_to_move() } else { first };
            return Ok((table.as_ref().map_err(Clone::clone)?, first));
        }
        Err(None)
    }

    fn stored_wdl(&self, board: &Board) -> Probe<Wdl> {
        if board.occupied().len() == 2 {
            return Ok(Wdl::Draw);
        }
        let (table, first) = self.table(board, Kind::Wdl)?;
        Ok(table.wdl(board, first)?)
    }

    /// The value of a position without en passant: the best of its captures and the stored one, exact inside the window.
    fn search_captures(&self, board: &Board, mut alpha: Wdl, beta: Wdl) -> Probe<Wdl> {
        for play in captures(board) {
            let value = -self.search_captures(&after(board, play), -beta, -alpha)?;
            if value >= beta {
                return Ok(value);
            }
            alpha = alpha.max(value);
        }
        Ok(alpha.max(self.stored_wdl(board)?))
    }

    /// The WDL value, and whether it is from a winning capture (also cursed) or en passant: then the DTZ table is not probed.
    fn search(&self, board: &Board) -> Probe<(Wdl, bool)> {
        let en_passant_square = en_passant_square(board);
        let is_en_passant = |play: &Move| {
            Some(play.to) == en_passant_square && board.piece_on(play.from) == Some(Piece::Pawn)
        };
        let (mut best, mut best_en_passant) = (None, None);
        for play in captures(board) {
            let beta = best.map_or(Wdl::Win, Neg::neg);
            let value = -self.search_captures(&after(board, play), Wdl::Loss, beta)?;
            if value == Wdl::Win {
                return Ok((value, true));
            }
            let best = if is_en_passant(&play) { &mut best_en_passant } else { &mut best };
            *best = (*best).max(Some(value));
        }
        let stored = self.stored_wdl(board)?;
        if let Some(value) = best_en_passant.filter(|value| best.is_none_or(|best| *value > best)) {
            // WDL tables ignore en passant: a stored draw may be a stalemate in which en passant is the only legal move.
            let stalemate = || {
                board.checkers().is_empty() && moves(board, |_, _| true).iter().all(is_en_passant)
            };
            if value > stored || stored == Wdl::Draw && stalemate() {
                return Ok((value, true));
            }
        }
        match best.max(best_en_passant) {
            Some(value) if value >= stored => Ok((value, value > Wdl::Draw)),
            _ => Ok((stored, false)),
        }
    }

    fn search_dtz(&self, board: &Board) -> Probe<i32> {
        let (wdl, zeroing) = self.search(board)?;
        if wdl == Wdl::Draw || zeroing {
            return Ok(wdl.dtz_of_zeroing());
        }
        let won = wdl > Wdl::Draw;
        for play in moves(board, |piece, _| won && piece == Piece::Pawn) {
            if -self.search(&after(board, play))?.0 == wdl {
                return Ok(wdl.dtz_of_zeroing());
            }
        }
        let (table, first) = self.table(board, Kind::Dtz)?;
        if let Some(plies) = table.dtz(board, first, wdl)? {
            return Ok(wdl.dtz_of_zeroing() + if won { plies } else { -plies });
        }
        // The table has only the other side to move. A lost position starts with the value of losing by a capture or pawn move.
        let mut best = if won { i32::MAX } else { wdl.dtz_of_zeroing() };
        for play in moves(board, |piece, to| piece != Piece::Pawn && !board.occupied().has(to)) {
            let child = after(board, play);
            let value = -self.search_dtz(&child)?;
            if value == 1 && is_mate(&child) {
                best = 1;
            } else if !won {
                best = best.min(value - 1);
            } else if value > 0 {
                best = best.min(value + 1);
            }
        }
        if best == i32::MAX {
            return Err(table.fail("no move keeps the win that the WDL table holds").into());
        }
        Ok(best)
    }
}

fn after(board: &Board, play: Move) -> Board {
    let mut after = board.clone();
    after.play_unchecked(play);
    after
}

fn is_mate(board: &Board) -> bool {
    !board.checkers().is_empty() && !board.generate_moves(|_| true)
}

/// The legal moves whose piece and destination `wanted` accepts.
fn moves(board: &Board, wanted: impl Fn(Piece, Square) -> bool) -> Vec<Move> {
    let mut found = Vec::new();
    board.generate_moves(|moves| {
        found.extend(moves.into_iter().filter(|play| wanted(moves.piece, play.to)));
        false
    });
    found
}

fn en_passant_square(board: &Board) -> Option<Square> {
    Some(Square::new(board.en_passant()?, Rank::Sixth.relative_to(board.side_to_move())))
}

fn captures(board: &Board) -> Vec<Move> {
    let (victims, en_passant) = (board.colors(!board.side_to_move()), en_passant_square(board));
    moves(board, |piece, to| victims.has(to) || piece == Piece::Pawn && en_passant == Some(to))
}
