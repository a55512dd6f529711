//! A table's file: header, index of the blocks, and values packed in blocks.
//!
//! A file has one subtable for each side to move (a DTZ table, or one whose sides have like pieces: one in all) and, with
//! pawns, for each file of the leading pawn. All numbers are little-endian except the codes in blocks. In this order:
//!
//! - magic (4 bytes); flags (1 byte): 1 for two sides to move, 2 for pawns
//! - for each file of the leading pawn: ranks of the leading group, and of the other side's pawns if both sides have some; then
//!   the pieces. The low half of a byte is for the first side to move, the high half for the second. Padded to an even place.
//! - for each subtable: flags (1 byte). If they have 128, one byte more is the value of all positions. Otherwise: block length
//!   and span as powers of two, number of padding entries in the list of blocks (1 byte each), number of blocks (4 bytes), the
//!   longest and the shortest code (1 byte each), the first symbol for each length of a code (2 bytes each), number of symbols
//!   (2 bytes), symbols (3 bytes each), padded to an even number of symbols. A symbol is a pair of symbols (12 bits each), or
//!   a value if the second one is 0xfff.
//! - in a DTZ table, for each subtable with flag 2, four lists by WDL of what a stored value stands for: the length, then the
//!   values, of 1 byte, or of 2 bytes at even places if there is flag 16; padded to an even place
//! - for each subtable, for each span of positions: the block (4 bytes) of the position in the middle of the span and its place
//!   there (2 bytes)
//! - for each subtable, for each block: number of its positions less 1 (2 bytes)
//! - for each subtable, at a multiple of 64 bytes: the blocks
//! - a checksum of 16 bytes

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use cozy_chess::{Board, Color};

use super::{
    SyzygyError, Wdl,
    index::{Layout, Material},
    packed::Packed,
    source::{Reader, Result, SyzygyFile},
};

/// The length of the checksum after the blocks, in bytes.
const CHECKSUM: u64 = 16;

/// The values that a table holds: outcomes (WDL) or distances (DTZ).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Wdl,
    Dtz,
}

impl Kind {
    pub(super) const ALL: [Self; 2] = [Self::Wdl, Self::Dtz];

    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Self::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// A cache of the blocks of a file, by their offsets: each slot holds at most one block.
type BlockCache = Mutex<[Option<(u64, Arc<[u8]>)>; 64]>;

/// Flags of a subtable. All but the last occur in DTZ tables only.
mod flag {
    pub(super) const SECOND_TO_MOVE: u8 = 1;
    pub(super) const MAPPED: u8 = 2;
    pub(super) const WINS_IN_PLIES: u8 = 4;
    pub(super) const LOSSES_IN_PLIES: u8 = 8;
    pub(super) const WIDE: u8 = 16;
    pub(super) const CONSTANT: u8 = 128;
}

/// A table, with everything but its blocks in memory.
#[derive(Debug)]
pub(super) struct SyzygyTable {
    source: SyzygyFile,
    material: Material,
    /// The subtables by the file of the leading pawn, then by the side to move.
    subtables: Vec<Subtable>,
    /// The number of sides to move: 1 or 2.
    sides: usize,
    cache: BlockCache,
}

impl SyzygyTable {
    /// Opens a file and checks its header.
    pub(super) fn open(path: &Path, kind: Kind, material: Material) -> Result<Self> {
        let source = SyzygyFile::open(path)?;
        let length = source.length;
        if length % 64 != CHECKSUM {
            return Err(source.fail(format!("the length of {length} bytes is not that of a table")));
        }
        let mut reader = Reader::new(&source);
        let [magic @ .., flags] = reader.array::<5>()?;
        if magic != kind.magic() {
            return Err(source.fail(format!("not a .{} file", kind.extension())));
        }
        let foreign = || source.fail("a table of other pieces");
        let both_sides = kind == Kind::Wdl && !material.is_symmetric();
        let [pawns, other_pawns] = material.pawns().map(|pawns| pawns > 0);
        if (flags & 2 > 0) != pawns || kind == Kind::Wdl && (flags & 1 > 0) != both_sides {
            return Err(foreign());
        }
        let sides = 1 + usize::from(both_sides);

        let mut layouts = Vec::new();
        for file in 0..if pawns { 4 } else { 1 } {
            let orders = reader.bytes(1 + u64::from(other_pawns))?;
            let codes = reader.bytes(material.pieces() as u64)?;
            for shift in [0, 4].into_iter().take(sides) {
                let half = |bytes: &[u8]| bytes.iter().map(|byte| byte >> shift & 15).collect();
                let (codes, orders): (Vec<_>, Vec<_>) = (half(&codes), half(&orders));
                layouts.push(Layout::new(&material, &codes, &orders, file).ok_or_else(foreign)?);
            }
        }
        reader.align(2);
        let subtables = layouts.into_iter().map(|layout| Subtable::read(&mut reader, kind, layout));
        let mut subtables = subtables.collect::<Result<Vec<_>>>()?;
        if kind == Kind::Dtz {
            for subtable in &mut subtables {
                subtable.meanings = read_meanings(&mut reader, subtable.flags)?;
            }
            reader.align(2);
        }
        for Subtable { layout, packed, .. } in &mut subtables {
            packed.spans = reader.bytes(packed.spans_of(layout.size).saturating_mul(6))?;
        }
        for Subtable { packed, .. } in &mut subtables {
            packed.lengths = reader.shorts(packed.listed)?;
        }
        for Subtable { packed, .. } in &mut subtables {
            reader.align(64);
            packed.start = reader.at;
            reader.at += packed.blocks << packed.block_bits;
        }
        if reader.at + CHECKSUM > length {
            return Err(source.fail("the file is cut off, or its header is damaged"));
        }
        Ok(Self { source, material, subtables, sides, cache: Mutex::new([const { None }; 64]) })
    }

    pub(super) fn fail(&self, reason: &str) -> SyzygyError {
        self.source.fail(reason)
    }

    /// The stored value for the side to move. `first` is the side whose pieces come before the `v` in the table's name.
    pub(super) fn wdl(&self, board: &Board, first: Color) -> Result<Wdl> {
        let side = usize::from(board.side_to_move() != first);
        let subtable = self.subtable(board, first, side);
        let value = self.value(subtable, board, first)?;
        let wdl = Wdl::ALL.get(usize::from(value)).copied();
        wdl.ok_or_else(|| self.source.fail(format!("a value of {value}")))
    }

    /// The stored plies to the next capture or pawn move, less 1, at this value. `None` if stored for the other side only.
    pub(super) fn dtz(&self, board: &Board, first: Color, wdl: Wdl) -> Result<Option<i32>> {
        let subtable = self.subtable(board, first, 0);
        let second = subtable.flags & flag::SECOND_TO_MOVE > 0;
        if !self.material.is_symmetric() && second != (board.side_to_move() != first) {
            return Ok(None);
        }
        let (list, in_plies) = match wdl {
            Wdl::Win => (0, flag::WINS_IN_PLIES),
            Wdl::Loss => (1, flag::LOSSES_IN_PLIES),
            Wdl::CursedWin | Wdl::Draw => (2, 0),
            Wdl::BlessedLoss => (3, 0),
        };
        let mut value = self.value(subtable, board, first)?;
        if let Some(list) = subtable.meanings.get(list) {
            let meaning = list.get(usize::from(value)).copied();
            value = meaning.ok_or_else(|| self.source.fail(format!("a value of {value}")))?;
        }
        let unit = if subtable.flags & in_plies > 0 { 1 } else { 2 };
        Ok(Some(i32::from(value) * unit))
    }

    fn subtable(&self, board: &Board, first: Color, side: usize) -> &Subtable {
        &self.subtables[self.material.pawn_file(board, first) * self.sides + side]
    }

    fn value(&self, subtable: &Subtable, board: &Board, first: Color) -> Result<u16> {
        let Subtable { layout, constant: None, packed, .. } = subtable else {
            return Ok(subtable.constant.unwrap_or_default());
        };
        let damaged = || self.source.fail("the blocks or their list are damaged");
        let (block, place) = packed.find(layout.index(board, first)).ok_or_else(damaged)?;
        let length = 1 << packed.block_bits;
        let block = self.block(packed.start + block * length, length)?;
        packed.unpack(&block, place).ok_or_else(damaged)
    }

    /// A block, with 8 zeros after its bytes.
    fn block(&self, at: u64, length: u64) -> Result<Arc<[u8]>> {
        let mut slots = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = (at / length) as usize % slots.len();
        if let Some((_, block)) = slots[slot].as_ref().filter(|(start, _)| *start == at) {
            return Ok(Arc::clone(block));
        }
        let block: Arc<[u8]> = self.source.read(at, length, 8)?.into();
        slots[slot] = Some((at, Arc::clone(&block)));
        Ok(block)
    }
}

/// The meanings of the values of a DTZ table, in four lists: for wins, losses, cursed wins and blessed losses. With an
/// empty list, stored values are their own meanings.
fn read_meanings(reader: &mut Reader, flags: u8) -> Result<Vec<Vec<u16>>> {
    let mut lists = Vec::new();
    while flags & flag::MAPPED > 0 && lists.len() < 4 {
        lists.push(if flags & flag::WIDE > 0 {
            reader.align(2);
            let count = u16::from_le_bytes(reader.array()?);
            reader.shorts(count.into())?
        } else {
            let [count] = reader.array()?;
            reader.bytes(count.into())?.into_iter().map(u16::from).collect()
        });
    }
    Ok(lists)
}

#[derive(Debug)]
struct Subtable {
    layout: Layout,
    flags: u8,
    /// The value of all positions; `None` if values are packed.
    constant: Option<u16>,
    packed: Packed,
    meanings: Vec<Vec<u16>>,
}

impl Subtable {
    /// Reads the header of a subtable's values.
    fn read(reader: &mut Reader, kind: Kind, layout: Layout) -> Result<Self> {
        let [flags, value] = reader.array()?;
        let (constant, packed) = if flags & flag::CONSTANT > 0 {
            (Some(if kind == Kind::Wdl { value.into() } else { 0 }), Packed::default())
        } else {
            (None, Packed::read(reader, value)?)
        };
        Ok(Self { layout, flags, constant, packed, meanings: Vec::new() })
    }
}
