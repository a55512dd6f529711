//! Our own format; `sessions/caches.md` describes it byte by byte.

use super::{
    CacheHeader,
    findings::{CountingWriter, DamagedPlace, Findings, Watch},
    header::FileHeader,
    record::{field_bytes, fixed, put_fields, read_fields},
};
use crate::engine::{
    files::FileFailure,
    game::{Fault, Game, Key as _, Keyed},
    memo::{Entries, Entry, Policy},
};

/// The first bytes of a file. A byte above 0x7F and both kinds of line end make a transfer in text mode show at once.
pub(super) const MAGIC: [u8; 8] = *b"\x89PLY\r\n\x1a\n";
/// The version of the layout that this program writes and reads.
const VERSION: u32 = 1;
/// Records in every block but the last.
const BLOCK: usize = 64 * 1024;
/// The longest header a reader takes: a damaged length must not ask for gigabytes.
const MAX_HEADER: usize = 1 << 20;
/// Magic, version and length before the header.
const HEAD: usize = 16;
/// As much as a header can take from the beginning of a file.
pub(super) const LONGEST_HEAD: usize = HEAD + MAX_HEADER + 4;
/// What a block begins with.
const BLOCK_MARK: [u8; 4] = *b"BLCK";
/// What the end mark begins with.
const END_MARK: [u8; 4] = *b"DONE";
/// Mark, number and count before a block's records.
const BLOCK_HEAD: usize = 12;
/// The end mark: mark, number of blocks, number of records, check sum.
pub(super) const END: usize = 20;

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(fixed(bytes, at))
}

/// Whether the last four bytes are the CRC-32 of all before.
fn sum_holds(bytes: &[u8]) -> bool {
    bytes
        .split_last_chunk::<4>()
        .is_some_and(|(body, sum)| crc32fast::hash(body) == u32::from_le_bytes(*sum))
}

/// Writes a whole file.
pub(super) fn write<G: Game>(
    entries: &dyn Entries<G::Key>,
    out: &mut CountingWriter<'_>,
    header: &CacheHeader,
    watch: &mut Watch,
) -> Result<(), FileFailure> {
    let record_bytes = G::Key::BYTES + field_bytes(header.policy);
    let total = entries.len() as u64;
    out.put_with_sum(&mut head::<G>(header, record_bytes, total)?)?;
    let mut left = entries.iter();
    let mut block = Vec::with_capacity(BLOCK_HEAD + BLOCK * record_bytes + 4);
    let mut number = 0_u32;
    for first in (0..entries.len()).step_by(BLOCK) {
        watch.tick(first as u64, total)?;
        let count = BLOCK.min(entries.len() - first);
        block.clear();
        block.extend(BLOCK_MARK);
        block.extend(number.to_le_bytes());
        block.extend((count as u32).to_le_bytes());
        for (at, entry) in left.by_ref().take(count) {
            at.key.write(&mut block);
            put_fields(header.policy, at.depth, &entry, &mut block).map_err(Fault::new)?;
        }
        if block.len() != BLOCK_HEAD + count * record_bytes {
            return Err(Fault::new(format!("{} has keys of unequal lengths", G::NAME)).into());
        }
        out.put_with_sum(&mut block)?;
        number += 1;
    }
    watch.tick(total, total)?;
    let mut end = END_MARK.to_vec();
    end.extend(number.to_le_bytes());
    end.extend(total.to_le_bytes());
    out.put_with_sum(&mut end)
}

/// Magic, version and header.
fn head<G: Game>(
    header: &CacheHeader,
    record_bytes: usize,
    entries: u64,
) -> Result<Vec<u8>, Fault> {
    let file = FileHeader {
        writer: concat!("plyscope ", env!("CARGO_PKG_VERSION")).to_owned(),
        header: header.clone(),
        key_bytes: G::Key::BYTES,
        record_bytes,
        entries: Some(entries),
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

/// Reads the header at the beginning of a file; how many bytes it has, or what is damaged in it.
///
/// # Errors
/// A sound header of another version.
pub(super) fn header(file: &[u8]) -> Result<Result<(FileHeader, usize), String>, Fault> {
    if !MAGIC.starts_with(&file[..file.len().min(MAGIC.len())]) {
        return Ok(Err(if file.starts_with(&MAGIC[..4]) {
            "its first bytes are damaged as a transfer in text mode does it".to_owned()
        } else {
            "it is no native cache file: its first bytes are others".to_owned()
        }));
    }
    if file.len() < HEAD {
        return Ok(Err(format!("the file ends within it, at byte {}", file.len())));
    }
    let (version, length) = (u32_at(file, 8), u32_at(file, 12) as usize);
    let whole = HEAD + length.min(MAX_HEADER) + 4;
    let sound = length <= MAX_HEADER && file.get(..whole).is_some_and(sum_holds);
    if version != VERSION {
        let what = format!(
            "version {version} of the native cache format, and this program reads version {VERSION}"
        );
        return if sound {
            Err(Fault::new(format!("the file has {what}")).hint("use the program that wrote it"))
        } else {
            Ok(Err(format!("it says {what}")))
        };
    }
    Ok(if length > MAX_HEADER {
        Err(format!("it claims {length} bytes"))
    } else if file.len() < whole {
        Err(format!("the file ends within it, at byte {} of {whole}", file.len()))
    } else if sound {
        serde_json::from_slice(&file[HEAD..HEAD + length])
            .map_err(|error| format!("it cannot be read: {error}"))
            .and_then(|header| FileHeader::check(header).map(|header| (header, whole)))
    } else {
        Err("its check sum is wrong".to_owned())
    })
}

impl FileHeader {
    /// Records that no policy has are damage too.
    fn check(self) -> Result<Self, String> {
        let (policy, bytes) = (self.header.policy, self.record_bytes);
        let of_key = bytes.checked_sub(field_bytes(policy));
        if policy == Policy::None || of_key != Some(self.key_bytes) {
            return Err(format!("no `{policy}` record has {bytes} bytes"));
        }
        Ok(self)
    }
}

/// The number of records that the last bytes of a file tell; `None` where they are no end mark.
pub(super) fn counted(file: &[u8]) -> Option<u64> {
    let end = &file[file.len().checked_sub(END)?..];
    (end.starts_with(&END_MARK) && sum_holds(end)).then(|| u64::from_le_bytes(fixed(end, 8)))
}

/// What stands at a place in a file.
enum Here {
    /// A block whose check sum holds: its number and length.
    Block(u32, usize),
    /// An end mark whose check sum holds: the blocks and records it speaks of.
    End(u32, u64),
    /// The end of the file.
    Nothing,
    /// Neither: what is wrong.
    Damaged(String),
}

/// Goes through a file from block to block, and over damage to the next sound one.
pub(super) struct BlockReader<'a> {
    file: &'a [u8],
    at: usize,
    policy: Policy,
    key_bytes: usize,
}

impl<'a> BlockReader<'a> {
    /// Behind a header of `start` bytes.
    pub(super) const fn new<G: Game>(file: &'a [u8], start: usize, policy: Policy) -> Self {
        Self { file, at: start, policy, key_bytes: G::Key::BYTES }
    }

    /// Where the header is damaged: stands at the first sound block, which tells the policy of its records by its length.
    pub(super) fn after_damage<G: Game>(
        file: &'a [u8],
        reason: String,
        findings: &mut Findings,
    ) -> Result<Self, Fault> {
        let mut reader = Self::new::<G>(file, 0, Policy::None);
        while reader.seek_mark() {
            for policy in Policy::ALL.into_iter().filter(|policy| *policy != Policy::None) {
                reader.policy = policy;
                if let Here::Block(..) = reader.look() {
                    findings.note(damaged_header(reader.at as u64, reason))?;
                    return Ok(reader);
                }
            }
            reader.at += 1;
        }
        findings.salvage = false;
        findings.note(damaged_header(0, format!("{reason}; no block is sound either")))?;
        Ok(reader)
    }

    /// The policy whose records it reads.
    pub(super) const fn policy(&self) -> Policy {
        self.policy
    }

    const fn record_bytes(&self) -> usize {
        self.key_bytes + field_bytes(self.policy)
    }

    /// Reads all records; `promised` is the number that the header states.
    pub(super) fn read<G: Game>(
        &mut self,
        promised: Option<u64>,
        watch: &mut Watch,
        findings: &mut Findings,
        visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        findings.promised = promised;
        // The block that should come next, and the sound ones so far.
        let (mut next, mut blocks) = (0_u32, 0_u32);
        loop {
            watch.tick(self.at as u64, self.file.len() as u64)?;
            findings.blocks = Some(u64::from(blocks));
            let reason = match self.look() {
                Here::Block(number, length) if number == next || findings.salvage => {
                    self.block::<G>(number, length, findings, visit)?;
                    self.at += length;
                    (next, blocks) = (number.wrapping_add(1), blocks + 1);
                    continue;
                }
                Here::End(of, records) if self.at + END == self.file.len() => {
                    let counts = (of, records) == (blocks, findings.records)
                        && promised.is_none_or(|promised| promised == records);
                    findings.promised = Some(records);
                    // Damage before it has been noted; without any, the numbers are to be right.
                    if !counts && findings.damaged == 0 {
                        let found = findings.records;
                        findings.note(self.at_end(format!(
                            "the file holds {found} records in {blocks} blocks but speaks of {records} in {of}"
                        )))?;
                    }
                    return Ok(());
                }
                Here::Nothing => {
                    let lost = findings.damage.last();
                    // Damage up to the end of the file has been noted: the end mark was in it.
                    if lost.is_none_or(|lost| lost.offset + lost.bytes < self.at as u64) {
                        findings.note(self.at_end("the end mark is missing".to_owned()))?;
                    }
                    return Ok(());
                }
                Here::Block(..) => "its first bytes are wrong".to_owned(),
                Here::End(..) => "bytes follow the end mark".to_owned(),
                Here::Damaged(reason) => reason,
            };
            let damaged = self.step_over(next, reason, findings.salvage);
            findings.note(damaged)?;
            next = next.wrapping_add(1);
        }
    }

    /// What is wrong at the end of the file only.
    fn at_end(&self, reason: String) -> DamagedPlace {
        DamagedPlace { place: "the end".to_owned(), offset: self.at as u64, bytes: 0, reason }
    }

    /// Steps over what is no sound block to the next one, to a sound end mark or to the end of the file, if asked to.
    fn step_over(&mut self, number: u32, reason: String, go_on: bool) -> DamagedPlace {
        let start = self.at;
        if go_on {
            self.at += 1;
            while self.seek_mark() && matches!(self.look(), Here::Damaged(_)) {
                self.at += 1;
            }
        }
        let bytes = self.at - start;
        let place = if bytes <= END && self.at == self.file.len() {
            "the end mark".to_owned()
        } else {
            format!("block {}", u64::from(number) + 1)
        };
        DamagedPlace { place, offset: start as u64, bytes: bytes as u64, reason }
    }

    /// Hands the records of a block to `visit`.
    fn block<G: Game>(
        &self,
        number: u32,
        length: usize,
        findings: &mut Findings,
        visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let size = self.record_bytes();
        let records = &self.file[self.at + BLOCK_HEAD..self.at + length - 4];
        for (index, record) in records.chunks_exact(size).enumerate() {
            let (key, fields) = record.split_at(self.key_bytes);
            let key = G::Key::read(key).map_err(|fault| fault.to_string());
            match key.and_then(|key| read_fields(self.policy, key, fields)) {
                Ok((at, entry)) => {
                    visit(at, entry)?;
                    findings.records += 1;
                }
                Err(reason) => findings.note(DamagedPlace {
                    place: format!("record {} of block {}", index + 1, u64::from(number) + 1),
                    offset: (self.at + BLOCK_HEAD + index * size) as u64,
                    bytes: size as u64,
                    reason,
                })?,
            }
        }
        Ok(())
    }

    /// Goes on to the next place that begins as a block or the end mark does, or to the end; whether there is one.
    fn seek_mark(&mut self) -> bool {
        let mut rest = self.file[self.at..].windows(4);
        let mark = rest.position(|four| four == BLOCK_MARK || four == END_MARK);
        self.at = mark.map_or(self.file.len(), |mark| self.at + mark);
        mark.is_some()
    }

    /// What stands here.
    fn look(&self) -> Here {
        let rest = &self.file[self.at..];
        if rest.is_empty() {
            return Here::Nothing;
        }
        let (number, count) = (u32_at(rest, 4), u32_at(rest, 8) as usize);
        let is_end = rest.starts_with(&END_MARK);
        let is_block = rest.starts_with(&BLOCK_MARK) && (1..=BLOCK).contains(&count);
        let length = match (is_end, is_block) {
            (true, _) => END,
            (_, true) => BLOCK_HEAD + count * self.record_bytes() + 4,
            _ if rest.len() < BLOCK_HEAD => BLOCK_HEAD,
            _ => return Here::Damaged("its first bytes are wrong".to_owned()),
        };
        match rest.get(..length) {
            None => Here::Damaged(format!("the file ends within it, at byte {}", self.file.len())),
            Some(bytes) if !sum_holds(bytes) => Here::Damaged(if is_end {
                "it is an end mark with a wrong check sum".to_owned()
            } else {
                "its check sum is wrong".to_owned()
            }),
            Some(bytes) if is_end => Here::End(number, u64::from_le_bytes(fixed(bytes, 8))),
            Some(_) => Here::Block(number, length),
        }
    }
}

/// A damaged header, of which `bytes` bytes are lost.
pub(super) fn damaged_header(bytes: u64, reason: String) -> DamagedPlace {
    DamagedPlace { place: "the header".to_owned(), offset: 0, bytes, reason }
}
