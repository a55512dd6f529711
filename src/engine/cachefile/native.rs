//! The native format; `sessions/caches.md` describes it byte by byte.

use std::io::Write;

use super::{
    CacheHeader,
    findings::{DamagedPlace, Findings, Monitor},
    header::FileHeader,
    record::{bytes_at, field_bytes, put_fields, read_fields},
};
use crate::engine::{
    files::{FileFailure, checked, u32_at},
    game::{Fault, Game, Key as _, Result},
    table::{Entries, EntrySink},
};

/// The first bytes of a file, as in PNG: a byte above 0x7F and both kinds of line end reveal a transfer in text mode.
pub(super) const MAGIC: [u8; 8] = *b"\x89PLY\r\n\x1a\n";
const VERSION: u32 = 1;
/// The number of records in every block but the last.
const BLOCK: usize = 64 * 1024;
/// The longest header in bytes: a damaged length must not allocate gigabytes.
const MAX_HEADER: usize = 1 << 20;
/// The number of bytes before the header: magic, version, length of the header.
const HEAD: usize = 16;
const BLOCK_MARK: [u8; 4] = *b"BLCK";
const END_MARK: [u8; 4] = *b"DONE";
/// The number of bytes of a block before its records: `BLCK`, number of the block, number of records.
const BLOCK_HEAD: usize = 12;
/// The number of bytes at the end of a file: `DONE`, number of blocks, number of records, checksum.
const END: usize = 20;

/// Writes a whole file. Returns its length in bytes.
pub(super) fn write<G: Game>(
    entries: &dyn Entries<G::Key>,
    out: &mut dyn Write,
    header: &CacheHeader,
    monitor: &mut Monitor,
) -> Result<u64, FileFailure> {
    let record_bytes = G::Key::BYTES + field_bytes(header.policy);
    let total = entries.len() as u64;
    let mut written = 0;
    let mut put_with_sum = |bytes: &mut Vec<u8>| {
        bytes.extend(crc32fast::hash(bytes).to_le_bytes());
        written += bytes.len() as u64;
        out.write_all(bytes)
    };
    put_with_sum(&mut head::<G>(header, record_bytes, total)?)?;
    let mut remaining = entries.iter();
    let mut block = Vec::with_capacity(BLOCK_HEAD + BLOCK * record_bytes + 4);
    let mut number = 0_u32;
    for first in (0..entries.len()).step_by(BLOCK) {
        monitor.tick(first as u64, total)?;
        let count = BLOCK.min(entries.len() - first);
        block.clear();
        block.extend(BLOCK_MARK);
        block.extend(number.to_le_bytes());
        block.extend((count as u32).to_le_bytes());
        for (at, entry) in remaining.by_ref().take(count) {
            at.key.write(&mut block);
            put_fields(header.policy, at.depth, &entry, &mut block).map_err(Fault::new)?;
        }
        if block.len() != BLOCK_HEAD + count * record_bytes {
            return Err(Fault::new(format!("{} has keys of unequal lengths", G::NAME)).into());
        }
        put_with_sum(&mut block)?;
        number += 1;
    }
    monitor.tick(total, total)?;
    let mut end = END_MARK.to_vec();
    end.extend(number.to_le_bytes());
    end.extend(total.to_le_bytes());
    put_with_sum(&mut end)?;
    Ok(written)
}

fn head<G: Game>(header: &CacheHeader, record_bytes: usize, entries: u64) -> Result<Vec<u8>> {
    let file = FileHeader {
        writer: concat!("plyscope ", env!("CARGO_PKG_VERSION")).to_owned(),
        header: header.clone(),
        key_bytes: G::Key::BYTES,
        record_bytes,
        entries,
    };
    let json = serde_json::to_vec(&file)
        .map_err(|error| Fault::new(format!("the cache header cannot be written: {error}")))?;
    if json.len() > MAX_HEADER {
        return Err(Fault::new("the header is longer than a megabyte"));
    }
    let mut head = MAGIC.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend((json.len() as u32).to_le_bytes());
    head.extend(json);
    Ok(head)
}

/// Reads the header of a file; also returns the offset of the first block.
pub(super) fn header(file: &[u8], findings: &mut Findings) -> Result<(FileHeader, usize)> {
    let mut damaged = |reason: String| {
        findings.damaged += 1;
        let place = DamagedPlace { place: "the header".to_owned(), offset: 0, reason };
        Err(Fault::new(place.to_string()).hint(findings.remedy.unwrap_or(UNKNOWN)))
    };
    if !MAGIC.starts_with(&file[..file.len().min(MAGIC.len())]) {
        let text_mode = file.starts_with(&MAGIC[..4]);
        return damaged(if text_mode {
            "its first bytes are damaged, as by a transfer in text mode".to_owned()
        } else {
            "its first bytes are not those of a native cache file".to_owned()
        });
    }
    let (version, length) = (u32_at(file, 8), u32_at(file, 12) as usize);
    let whole = HEAD + length.min(MAX_HEADER) + 4;
    let sound = length <= MAX_HEADER && file.get(..whole).and_then(checked).is_some();
    if sound && version != VERSION {
        return Err(Fault::new(format!(
            "the file has version {version} of the native cache format, and this program reads version {VERSION}"
        ))
        .hint("use the program that wrote the file"));
    }
    if file.len() < whole {
        return damaged(format!("the file ends within it, at byte {}", file.len()));
    }
    if !sound {
        return damaged("its checksum is wrong".to_owned());
    }
    let header: FileHeader = match serde_json::from_slice(&file[HEAD..HEAD + length]) {
        Ok(header) => header,
        Err(error) => return damaged(format!("it cannot be read: {error}")),
    };
    let (policy, bytes) = (header.header.policy, header.record_bytes);
    if !policy.has_entries() || bytes != header.key_bytes + field_bytes(policy) {
        return damaged(format!("no `{policy}` record has {bytes} bytes"));
    }
    Ok((header, whole))
}

/// The hint of a damaged header when damage is skipped.
const UNKNOWN: &str = "without the header, nothing states what the values depend on: take the file from its source again";

/// The numbers of blocks and records that the end mark states, if the file ends with a valid one.
fn end_mark(file: &[u8]) -> Option<(u32, u64)> {
    let end = checked(&file[file.len().checked_sub(END)?..])?;
    end.starts_with(&END_MARK).then(|| (u32_at(end, 4), u64::from_le_bytes(bytes_at(end, 8))))
}

/// Passes every record to `visit`; `start` is the offset of the first block. All blocks but the last have the same length, so
/// that a block is found whatever damage precedes it.
pub(super) fn read<G: Game>(
    file: &[u8],
    stated: &FileHeader,
    start: usize,
    monitor: &mut Monitor,
    findings: &mut Findings,
    visit: &mut EntrySink<'_, G::Key>,
) -> Result<()> {
    let (policy, size) = (stated.header.policy, stated.record_bytes);
    let mut sound = 0;
    let places = (start..file.len().saturating_sub(END)).step_by(BLOCK_HEAD + BLOCK * size + 4);
    for (number, at) in (0..).zip(places) {
        monitor.tick(at as u64, file.len() as u64)?;
        match records(file, at, number, size) {
            Ok(records) => {
                let offset = at + BLOCK_HEAD;
                for (index, record) in records.chunks_exact(size).enumerate() {
                    let found = G::Key::read(&record[..stated.key_bytes])
                        .map_err(|fault| fault.to_string())
                        .and_then(|key| read_fields(policy, key, &record[stated.key_bytes..]));
                    findings.add_record(found, visit, |reason| DamagedPlace {
                        place: format!("record {} of block {}", index + 1, number + 1),
                        offset: (offset + index * size) as u64,
                        reason,
                    })?;
                }
                sound += 1;
            }
            Err(reason) => findings.add_damage(DamagedPlace {
                place: format!("block {}", number + 1),
                offset: at as u64,
                reason,
            })?,
        }
    }
    monitor.tick(file.len() as u64, file.len() as u64)?;
    findings.blocks = Some(sound.into());
    check_end(file, stated.entries, sound, findings)
}

/// Compares the end mark with the records and blocks found.
fn check_end(file: &[u8], stated: u64, sound: u32, findings: &mut Findings) -> Result<()> {
    let found = findings.records;
    let reason = match end_mark(file) {
        None => "the end mark is missing".to_owned(),
        // The end mark counts damaged blocks too, so the counts cannot agree.
        Some(_) if findings.damaged > 0 => return Ok(()),
        Some((blocks, records)) if (blocks, records, stated) == (sound, found, found) => {
            return Ok(());
        }
        Some((blocks, records)) => format!(
            "the file holds {found} records in {sound} blocks; its header says {stated} records, its end mark {records} in {blocks}"
        ),
    };
    let offset = file.len() as u64;
    findings.add_damage(DamagedPlace { place: "the end".to_owned(), offset, reason })
}

/// The bytes of the records of the block at `at`, or the damage.
fn records(file: &[u8], at: usize, number: u32, size: usize) -> Result<&[u8], String> {
    let bytes = &file[at..];
    let count = u32_at(bytes, 8) as usize;
    let begins = bytes.starts_with(&BLOCK_MARK) && u32_at(bytes, 4) == number;
    if !(begins && (1..=BLOCK).contains(&count)) {
        return Err("its first bytes are wrong".to_owned());
    }
    let block = bytes
        .get(..BLOCK_HEAD + count * size + 4)
        .ok_or_else(|| format!("the file ends within it, at byte {}", file.len()))?;
    checked(block).map(|body| &body[BLOCK_HEAD..]).ok_or_else(|| "its checksum is wrong".to_owned())
}
