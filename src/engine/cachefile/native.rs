//! Our own format; `sessions/caches.md` describes it byte by byte.

use std::io::{Read, Seek, SeekFrom};

use super::{
    CacheHeader,
    header::FileHeader,
    stream::{DamagedPlace, Findings, ReadError, SummingWriter, Watch, read_up_to},
};
use crate::engine::{
    files::FileFailure,
    game::{Fault, Game, Key as _, Keyed, Score, Window},
    memo::{Bound, Entries, Entry, Policy},
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
/// What a block begins with.
const BLOCK_MARK: [u8; 4] = *b"BLCK";
/// What the end mark begins with.
const END_MARK: [u8; 4] = *b"DONE";
/// Mark, number and count before a block's records.
const BLOCK_HEAD: usize = 12;
/// The end mark: mark, number of blocks, number of records, check sum.
const END: usize = 20;
/// Bytes read at a time.
const CHUNK: usize = 1 << 20;

/// A little-endian number in a fixed place. Places are constants of the layout, so a slice too short is a mistake of ours
/// and reads as zeros.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(fixed(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(fixed(bytes, at))
}

pub(super) fn fixed<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
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

/// How the records of one policy and one length of key are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Codec {
    policy: Policy,
    key_bytes: usize,
}

impl Codec {
    /// The layout; `None` for the policy that keeps no entries and for keys of more than 255 bytes.
    fn new(policy: Policy, key_bytes: usize) -> Option<Self> {
        let possible = policy != Policy::None && key_bytes <= 255;
        possible.then_some(Self { policy, key_bytes })
    }

    /// Bytes of a record, key included.
    const fn record_bytes(self) -> usize {
        let fields = match self.policy {
            Policy::Interval => 1 + 3 * 8,
            Policy::Exact => 1 + 8,
            Policy::Bound => 1 + 1 + 8,
            Policy::Rote | Policy::None => 8,
        };
        self.key_bytes + fields
    }

    /// Appends a record.
    fn encode<G: Game>(
        self,
        _: &G,
        at: Keyed<G::Key>,
        entry: &Entry,
        block: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let lacks = || format!("an entry lacks a field of the memo policy `{}`", self.policy);
        let start = block.len();
        at.key.write(block);
        match self.policy {
            Policy::Rote | Policy::None => {}
            Policy::Exact | Policy::Interval => block.push(at.depth),
            Policy::Bound => {
                let fields = entry.bound.zip(entry.depth);
                let (bound, depth) = fields.ok_or_else(|| Fault::new(lacks()))?;
                block.extend_from_slice(&[depth, bound as u8]);
            }
        }
        put(entry.value, block);
        if self.policy == Policy::Interval {
            let window = entry.window.ok_or_else(|| Fault::new(lacks()))?;
            put(window.alpha, block);
            put(window.beta, block);
        }
        if block.len() - start == self.record_bytes() {
            Ok(())
        } else {
            Err(Fault::new(format!("{} has keys of unequal lengths", G::NAME)))
        }
    }

    /// Reads a record of exactly [`Self::record_bytes`] bytes.
    fn decode<G: Game>(self, _: &G, record: &[u8]) -> Result<(Keyed<G::Key>, Entry), String> {
        let (key, fields) = record.split_at(self.key_bytes);
        let key = G::Key::read(key).map_err(|fault| fault.to_string())?;
        let keyed = |depth| Keyed { key, depth };
        let entry = |value, window, bound, depth| Entry { value, window, bound, depth };
        Ok(match self.policy {
            Policy::Rote | Policy::None => {
                (keyed(0), entry(score(fields, 0, "value")?, None, None, None))
            }
            Policy::Exact => {
                let value = score(fields, 1, "value")?;
                let (bound, depth) = (Some(Bound::Exact), fields[0]);
                (keyed(depth), entry(value, None, bound, Some(depth)))
            }
            Policy::Interval => {
                let value = score(fields, 1, "value")?;
                let window =
                    Window { alpha: score(fields, 9, "alpha")?, beta: score(fields, 17, "beta")? };
                let (bound, depth) = (Some(Bound::of(value, window)), fields[0]);
                (keyed(depth), entry(value, Some(window), bound, Some(depth)))
            }
            Policy::Bound => {
                let value = score(fields, 2, "value")?;
                let bound = unflag(fields[1])?;
                (keyed(0), entry(value, None, Some(bound), Some(fields[0])))
            }
        })
    }
}

fn put(score: Score, block: &mut Vec<u8>) {
    block.extend_from_slice(&score.get().to_le_bytes());
}

fn score(fields: &[u8], at: usize, name: &str) -> Result<Score, String> {
    Score::new(f64::from_le_bytes(fixed(fields, at))).ok_or_else(|| format!("its {name} is NaN"))
}

/// Kinds of bound by the byte that stands for them in a file, which is their number in [`Bound`].
const FLAGS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

fn unflag(byte: u8) -> Result<Bound, String> {
    let bound = FLAGS.get(usize::from(byte)).copied();
    bound.ok_or_else(|| format!("{byte} is no kind of bound"))
}

/// Writes a whole file.
pub(super) fn write<G: Game>(
    game: &G,
    entries: &dyn Entries<G::Key>,
    out: &mut SummingWriter<'_>,
    header: &CacheHeader,
    watch: &mut Watch,
) -> Result<(), FileFailure> {
    let codec = Codec::new(header.policy, G::Key::BYTES).ok_or_else(|| {
        Fault::new(format!("the memo policy `{}` keeps no entries to save", header.policy))
    })?;
    let total = entries.len() as u64;
    out.put_with_sum(&mut head(header, codec, G::Key::BYTES, total)?)?;
    let mut left = entries.iter();
    let mut block = Vec::with_capacity(BLOCK_HEAD + BLOCK * codec.record_bytes() + 4);
    let mut number = 0_u32;
    for first in (0..entries.len()).step_by(BLOCK) {
        watch.tick(first as u64, total)?;
        let count = BLOCK.min(entries.len() - first);
        block.clear();
        block.extend_from_slice(&BLOCK_MARK);
        block.extend_from_slice(&number.to_le_bytes());
        block.extend_from_slice(&(count as u32).to_le_bytes());
        for (at, entry) in left.by_ref().take(count) {
            codec.encode(game, at, &entry, &mut block)?;
        }
        out.put_with_sum(&mut block)?;
        number += 1;
    }
    watch.tick(total, total)?;
    let mut end = END_MARK.to_vec();
    end.extend_from_slice(&number.to_le_bytes());
    end.extend_from_slice(&total.to_le_bytes());
    out.put_with_sum(&mut end)
}

/// Magic, version and header.
fn head(
    header: &CacheHeader,
    codec: Codec,
    key_bytes: usize,
    entries: u64,
) -> Result<Vec<u8>, Fault> {
    let file = FileHeader {
        writer: concat!("plyscope ", env!("CARGO_PKG_VERSION")).to_owned(),
        header: header.clone(),
        key_bytes,
        record_bytes: codec.record_bytes(),
        entries: Some(entries),
    };
    let json = serde_json::to_vec(&file)
        .map_err(|error| Fault::new(format!("the cache header cannot be written: {error}")))?;
    let length = u32::try_from(json.len()).ok().filter(|_| json.len() <= MAX_HEADER);
    let length = length.ok_or_else(|| Fault::new("the header is longer than a megabyte"))?;
    let mut head = MAGIC.to_vec();
    head.extend_from_slice(&VERSION.to_le_bytes());
    head.extend_from_slice(&length.to_le_bytes());
    head.extend_from_slice(&json);
    Ok(head)
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
pub(super) struct BlockReader<R> {
    source: R,
    /// What was read and not passed yet, from `start` on.
    buffer: Vec<u8>,
    start: usize,
    /// Where in the file that is.
    offset: u64,
    /// How records are laid out, once a sound header or block tells.
    codec: Option<Codec>,
}

impl<R: Read> BlockReader<R> {
    /// At the beginning of a file.
    pub(super) const fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), start: 0, offset: 0, codec: None }
    }

    /// The next so many bytes, or as many as there are.
    fn peek(&mut self, length: usize) -> Result<&[u8], ReadError> {
        if self.buffer.len() - self.start < length {
            self.buffer.drain(..self.start);
            self.start = 0;
            let more = length.max(CHUNK) - self.buffer.len();
            let mut more = self.source.by_ref().take(more as u64);
            more.read_to_end(&mut self.buffer)?;
        }
        let end = self.buffer.len().min(self.start + length);
        Ok(&self.buffer[self.start..end])
    }

    /// Goes on by so many bytes, which were peeked at.
    fn pass(&mut self, length: usize) {
        self.start += length;
        self.offset += length as u64;
    }

    /// Reads and checks the header, and goes on to what follows it; stays where it is if it is damaged.
    pub(super) fn header(&mut self) -> Result<FileHeader, ReadError> {
        let head = self.peek(HEAD)?;
        let (magic, version) = (&head[..head.len().min(MAGIC.len())], u32_at(head, 8));
        if !MAGIC.starts_with(magic) {
            return Err(bad_header(if magic.starts_with(&MAGIC[..4]) {
                "its first bytes are damaged as a transfer in text mode does it"
            } else {
                "it is no native cache file: its first bytes are others"
            }));
        }
        let (got, length) = (head.len(), u32_at(head, 12) as usize);
        if got < HEAD {
            return Err(bad_header(format!("the file ends within it, at byte {got}")));
        }
        let whole = HEAD + length.min(MAX_HEADER) + 4;
        let head = self.peek(whole)?;
        let got = head.len();
        let sound = length <= MAX_HEADER && got == whole && sum_holds(head);
        if version != VERSION {
            return Err(other_version(version, sound));
        }
        if length > MAX_HEADER {
            return Err(bad_header(format!("it claims {length} bytes")));
        }
        if got < whole {
            return Err(bad_header(format!("the file ends within it, at byte {got} of {whole}")));
        }
        if !sound {
            return Err(bad_header("its check sum is wrong"));
        }
        let header: FileHeader = serde_json::from_slice(&head[HEAD..HEAD + length])
            .map_err(|error| bad_header(format!("it cannot be read: {error}")))?;
        let (policy, bytes) = (header.header.policy, header.record_bytes);
        let codec = Codec::new(policy, header.key_bytes);
        self.codec = codec.filter(|codec| codec.record_bytes() == bytes);
        if self.codec.is_none() {
            return Err(bad_header(format!("no `{policy}` record has {bytes} bytes")));
        }
        self.pass(whole);
        Ok(header)
    }

    /// Where the header is damaged: goes on to the first sound block, which tells the policy of its records by its length.
    pub(super) fn policy_of_blocks<G: Game>(
        &mut self,
        header: DamagedPlace,
        findings: &mut Findings,
    ) -> Result<Policy, ReadError> {
        let codec = |&policy| Some((policy, Codec::new(policy, G::Key::BYTES)?));
        let codecs: Vec<_> = Policy::ALL.iter().filter_map(codec).collect();
        while self.seek_mark()? {
            for &(policy, codec) in &codecs {
                self.codec = Some(codec);
                if let Here::Block(..) = self.look()? {
                    let bytes = self.offset;
                    findings.note(DamagedPlace { bytes, ..header })?;
                    return Ok(policy);
                }
            }
            self.pass(1);
        }
        let reason = format!("{}; no block is sound either", header.reason);
        Err(ReadError::Damage(DamagedPlace { reason, ..header }))
    }

    /// Reads all records. `total` is the file's length, `promised` the number of records that its header tells.
    pub(super) fn read<G: Game>(
        &mut self,
        game: &G,
        (total, promised): (u64, Option<u64>),
        watch: &mut Watch,
        findings: &mut Findings,
        visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Fault>,
    ) -> Result<(), ReadError> {
        findings.promised = promised;
        // The block that should come next, and the sound ones so far.
        let (mut next, mut blocks) = (0_u32, 0_u32);
        loop {
            watch.tick(self.offset, total)?;
            findings.blocks = Some(u64::from(blocks));
            let reason = match self.look()? {
                Here::Block(number, length) if number == next || findings.salvage => {
                    self.block(game, number, length, findings, visit)?;
                    self.pass(length);
                    (next, blocks) = (number.wrapping_add(1), blocks + 1);
                    continue;
                }
                Here::End(of, records) if self.peek(END + 1)?.len() == END => {
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
                    if lost.is_none_or(|lost| lost.offset + lost.bytes < self.offset) {
                        findings.note(self.at_end("the end mark is missing".to_owned()))?;
                    }
                    return Ok(());
                }
                Here::Block(..) => "its first bytes are wrong".to_owned(),
                Here::End(..) => "bytes follow the end mark".to_owned(),
                Here::Damaged(reason) => reason,
            };
            let damaged = self.step_over(next, reason, findings.salvage)?;
            findings.note(damaged)?;
            next = next.wrapping_add(1);
        }
    }

    /// What is wrong at the end of the file only.
    fn at_end(&self, reason: String) -> DamagedPlace {
        DamagedPlace { place: "the end".to_owned(), offset: self.offset, bytes: 0, reason }
    }

    /// Steps over what is no sound block to the next one, to a sound end mark or to the end of the file, if asked to.
    fn step_over(
        &mut self,
        number: u32,
        reason: String,
        go_on: bool,
    ) -> Result<DamagedPlace, ReadError> {
        let offset = self.offset;
        if go_on {
            self.pass(1);
            while self.seek_mark()? && matches!(self.look()?, Here::Damaged(_)) {
                self.pass(1);
            }
        }
        let bytes = self.offset - offset;
        let is_end = bytes <= END as u64 && self.peek(1)?.is_empty();
        let place = if is_end {
            "the end mark".to_owned()
        } else {
            format!("block {}", u64::from(number) + 1)
        };
        Ok(DamagedPlace { place, offset, bytes, reason })
    }

    /// Hands the records of a block to `visit`.
    fn block<G: Game>(
        &self,
        game: &G,
        number: u32,
        length: usize,
        findings: &mut Findings,
        visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Fault>,
    ) -> Result<(), ReadError> {
        let Some(codec) = self.codec else {
            return Ok(());
        };
        let records = &self.buffer[self.start + BLOCK_HEAD..self.start + length - 4];
        for (index, record) in records.chunks_exact(codec.record_bytes()).enumerate() {
            match codec.decode(game, record) {
                Ok((at, entry)) => {
                    visit(at, entry)?;
                    findings.records += 1;
                }
                Err(reason) => findings.note(DamagedPlace {
                    place: format!("record {} of block {}", index + 1, u64::from(number) + 1),
                    offset: (BLOCK_HEAD + index * codec.record_bytes()) as u64 + self.offset,
                    bytes: codec.record_bytes() as u64,
                    reason,
                })?,
            }
        }
        Ok(())
    }

    /// Goes on to the next place that begins as a block or the end mark does; whether there is one.
    fn seek_mark(&mut self) -> Result<bool, ReadError> {
        loop {
            let window = self.peek(CHUNK)?;
            let mark = window.windows(4).position(|four| four == BLOCK_MARK || four == END_MARK);
            if let Some(place) = mark {
                self.pass(place);
                return Ok(true);
            }
            // The last three bytes may be the first ones of a mark.
            let passed = window.len().saturating_sub(3);
            if window.len() < CHUNK {
                let rest = window.len();
                self.pass(rest);
                return Ok(false);
            }
            self.pass(passed);
        }
    }

    /// What stands here.
    fn look(&mut self) -> Result<Here, ReadError> {
        let record = self.codec.map_or(0, Codec::record_bytes);
        let head = self.peek(BLOCK_HEAD)?;
        if head.is_empty() {
            return Ok(Here::Nothing);
        }
        let (number, count) = (u32_at(head, 4), u32_at(head, 8) as usize);
        let is_end = head.starts_with(&END_MARK);
        let is_block = head.starts_with(&BLOCK_MARK) && (1..=BLOCK).contains(&count);
        let length = match (is_end, is_block) {
            (true, _) => END,
            (_, true) => BLOCK_HEAD + count * record + 4,
            _ if head.len() < BLOCK_HEAD => BLOCK_HEAD,
            _ => return Ok(Here::Damaged("its first bytes are wrong".to_owned())),
        };
        let bytes = self.peek(length)?;
        if bytes.len() < length {
            let end = bytes.len() as u64 + self.offset;
            return Ok(Here::Damaged(format!("the file ends within it, at byte {end}")));
        }
        Ok(match (sum_holds(bytes), is_end) {
            (true, true) => Here::End(number, u64_at(bytes, 8)),
            (true, false) => Here::Block(number, length),
            (false, true) => Here::Damaged("it is an end mark with a wrong check sum".to_owned()),
            (false, false) => Here::Damaged("its check sum is wrong".to_owned()),
        })
    }
}

fn bad_header(reason: impl Into<String>) -> ReadError {
    ReadError::Damage(DamagedPlace {
        place: "the header".to_owned(),
        offset: 0,
        bytes: 0,
        reason: reason.into(),
    })
}

/// A file of another version: no damage, if its header is sound.
fn other_version(version: u32, sound: bool) -> ReadError {
    let what = format!(
        "version {version} of the native cache format, and this program reads version {VERSION}"
    );
    if sound {
        let hint = "use the program that wrote it";
        ReadError::Fault(Fault::new(format!("the file has {what}")).hint(hint))
    } else {
        bad_header(format!("it says {what}"))
    }
}

/// The number of records by the end mark, without reading the blocks; `None` where the file does not end with one.
pub(super) fn counted(
    source: &mut (impl Read + Seek),
    length: u64,
) -> Result<Option<u64>, ReadError> {
    let Some(start) = length.checked_sub(END as u64) else {
        return Ok(None);
    };
    source.seek(SeekFrom::Start(start))?;
    let mut end = [0; END];
    let got = read_up_to(source, &mut end)?;
    let whole = got == END && end.starts_with(&END_MARK) && sum_holds(&end);
    Ok(whole.then(|| u64_at(&end, 8)))
}
