//! Our own format; [the module above](super) documents it byte by byte.

mod codec;
mod reader;
mod scan;
mod writer;

pub(super) use codec::Codec;
pub(super) use reader::{Reader, counted, header_is_whole};
pub(super) use scan::{Finding, Scanner};
pub(super) use writer::{Writer, write};

/// The first bytes of a file. A byte above 0x7F and both kinds of line end make a transfer in text mode show at once.
pub(super) const MAGIC: [u8; 8] = *b"\x89PLY\r\n\x1a\n";
/// The version of the layout that this program writes and reads.
pub(super) const VERSION: u32 = 1;
/// Records in every block but the last.
pub(super) const BLOCK: usize = 64 * 1024;
/// The longest header a reader takes: a damaged length must not ask for gigabytes.
pub(super) const MAX_HEADER: usize = 1 << 20;
/// What a block begins with.
const BLOCK_MARK: [u8; 4] = *b"BLCK";
/// What the end mark begins with.
const END_MARK: [u8; 4] = *b"DONE";
/// Mark, number and count before a block's records.
const BLOCK_HEAD: usize = 12;
/// The end mark: mark, number of blocks, number of records, check sum.
const END: usize = 20;
/// Its length, for those who look for it.
pub(super) const END_BYTES: u64 = END as u64;

/// A little-endian number in a fixed place. Places are constants of the layout, so a slice too short is a mistake of ours
/// and reads as zeros.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(fixed(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(fixed(bytes, at))
}

fn fixed<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut copy = [0; N];
    if let Some(bytes) = bytes.get(at..at + N) {
        copy.copy_from_slice(bytes);
    }
    copy
}

/// Whether the last four bytes are the CRC-32 of all before.
fn sum_holds(bytes: &[u8]) -> bool {
    bytes
        .split_last_chunk::<4>()
        .is_some_and(|(body, sum)| crc32fast::hash(body) == u32::from_le_bytes(*sum))
}
