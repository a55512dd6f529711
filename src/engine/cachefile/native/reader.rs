use std::io::{Read, Seek, SeekFrom};

use super::{
    BLOCK, BLOCK_HEAD, BLOCK_MARK, END, END_MARK, MAGIC, MAX_HEADER, VERSION, codec::Codec,
    sum_holds, u32_at, u64_at,
};
use crate::engine::{
    cachefile::{
        header::FileHeader,
        stream::{Damage, Trouble, Watch, read_up_to},
    },
    game::{Fault, Game, Keyed},
    memo::Entry,
};

/// Reads a file block by block; holds one block.
pub(in crate::engine::cachefile) struct Reader<R> {
    source: R,
    offset: u64,
    header: FileHeader,
    codec: Codec,
    block: Vec<u8>,
    blocks: u32,
    entries: u64,
}

impl<R: Read> Reader<R> {
    /// Reads and checks the header.
    pub(in crate::engine::cachefile) fn open(mut source: R) -> Result<Self, Trouble> {
        let mut head = vec![0; 16];
        let got = read_up_to(&mut source, &mut head)?;
        check_start(&head[..got])?;
        let length = u32_at(&head, 12) as usize;
        if length > MAX_HEADER {
            let reason = format!("the header at byte 16 claims {length} bytes: it is damaged");
            return Err(damage(reason).into());
        }
        head.resize(16 + length + 4, 0);
        let got = 16 + read_up_to(&mut source, &mut head[16..])?;
        if got < head.len() {
            let reason = format!(
                "the file ends within its header: {got} of {} bytes",
                head.len()
            );
            return Err(damage(reason).into());
        }
        if !sum_holds(&head) {
            let reason = "the header at byte 0 is damaged: its check sum is wrong".to_owned();
            return Err(damage(reason).into());
        }
        let header = parse(&head[16..16 + length])?;
        let codec = codec(&header)?;
        Ok(Self {
            source,
            offset: head.len() as u64,
            header,
            codec,
            block: Vec::new(),
            blocks: 0,
            entries: 0,
        })
    }

    /// The header.
    pub(in crate::engine::cachefile) const fn header(&self) -> &FileHeader {
        &self.header
    }

    /// Where the blocks begin, until they are read.
    pub(in crate::engine::cachefile) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes of a record, key included.
    pub(in crate::engine::cachefile) const fn record_bytes(&self) -> usize {
        self.codec.record_bytes()
    }

    /// Reads all records. `total` is the file's length, for progress.
    pub(in crate::engine::cachefile) fn read<G: Game>(
        &mut self,
        game: &G,
        total: u64,
        watch: &mut Watch,
        visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Fault>,
    ) -> Result<(), Trouble> {
        loop {
            watch.tick(self.offset, total)?;
            let start = self.offset;
            if !self.next_block()? {
                return Ok(());
            }
            let records = &self.block[BLOCK_HEAD..self.block.len() - 4];
            for (index, record) in records.chunks_exact(self.codec.record_bytes()).enumerate() {
                let spoilt = |reason: String| {
                    let offset = start + (BLOCK_HEAD + index * record.len()) as u64;
                    let block = self.blocks;
                    damage(format!(
                        "record {} of block {block} at byte {offset}: {reason}",
                        index + 1
                    ))
                };
                let (at, entry) = self.codec.decode(game, record).map_err(spoilt)?;
                visit(at, entry)?;
            }
        }
    }

    /// Reads and checks one block; `false` at the end of a whole file.
    fn next_block(&mut self) -> Result<bool, Trouble> {
        self.block.clear();
        self.fill(BLOCK_HEAD)?;
        if self.block.starts_with(&END_MARK) {
            self.fill(END)?;
            self.check_end()?;
            return Ok(false);
        }
        let count = u32_at(&self.block, 8) as usize;
        let number = u32_at(&self.block, 4);
        let marked = self.block.starts_with(&BLOCK_MARK) && number == self.blocks;
        if !marked || count == 0 || count > BLOCK {
            return Err(self.spoilt("its first bytes are wrong").into());
        }
        self.fill(BLOCK_HEAD + count * self.codec.record_bytes() + 4)?;
        if !sum_holds(&self.block) {
            return Err(self.spoilt("its check sum is wrong").into());
        }
        self.offset += self.block.len() as u64;
        self.blocks += 1;
        self.entries += count as u64;
        Ok(true)
    }

    /// Reads on until the block holds `length` bytes.
    fn fill(&mut self, length: usize) -> Result<(), Trouble> {
        let had = self.block.len();
        self.block.resize(length, 0);
        let got = had + read_up_to(&mut self.source, &mut self.block[had..])?;
        if got == length {
            return Ok(());
        }
        let (number, offset, end) = (self.blocks + 1, self.offset, self.offset + got as u64);
        let reason = if got == 0 {
            format!("the file ends at byte {end}, before its end mark")
        } else {
            format!(
                "the file ends at byte {end}, within block {number} or the end mark at byte {offset}"
            )
        };
        Err(self.cut(reason).into())
    }

    fn check_end(&mut self) -> Result<(), Trouble> {
        let blocks = u32_at(&self.block, 4);
        let entries = u64_at(&self.block, 8);
        if !sum_holds(&self.block) {
            return Err(self
                .spoilt("it is an end mark with a wrong check sum")
                .into());
        }
        let promised = self.header.entries.unwrap_or(entries);
        if blocks != self.blocks || entries != self.entries || promised != entries {
            let reason = format!(
                "the file holds {} records in {} blocks but speaks of {entries} in {blocks}",
                self.entries, self.blocks
            );
            return Err(self.cut(reason).into());
        }
        let end = self.offset + END as u64;
        if read_up_to(&mut self.source, &mut [0])? > 0 {
            let reason = format!("bytes follow the end mark, from byte {end}");
            return Err(self.cut(reason).into());
        }
        Ok(())
    }

    fn spoilt(&self, reason: &str) -> Damage {
        let (number, offset) = (self.blocks + 1, self.offset);
        self.cut(format!(
            "block {number} at byte {offset} is damaged: {reason}"
        ))
    }

    fn cut(&self, reason: String) -> Damage {
        let whole = self.entries;
        Damage {
            reason,
            hint: format!(
                "`cache repair` recovers what is sound, {whole} records before this place among it"
            ),
            of_another_version: false,
        }
    }
}

fn damage(reason: String) -> Damage {
    Damage {
        reason,
        hint: "take the file from its source again, or see what `cache repair` recovers".to_owned(),
        of_another_version: false,
    }
}

/// Checks magic and version in the first 16 bytes, or as many as there are.
fn check_start(head: &[u8]) -> Result<(), Trouble> {
    let magic = &head[..head.len().min(MAGIC.len())];
    if !MAGIC.starts_with(magic) {
        let reason = if magic.starts_with(&MAGIC[..4]) {
            "the first bytes are damaged as a transfer in text mode does it"
        } else {
            "it is no native cache file: its first bytes are others"
        };
        return Err(damage(reason.to_owned()).into());
    }
    let version = u32_at(head, 8);
    if head.len() >= 12 && version != VERSION {
        let what = format!("the file has version {version} of the native cache format");
        let hint = format!("this program reads version {VERSION}: use the one that wrote it");
        return Err(Damage {
            reason: what,
            hint,
            of_another_version: true,
        }
        .into());
    }
    if head.len() < 16 {
        let reason = format!(
            "the file ends after {} bytes, within its header",
            head.len()
        );
        return Err(damage(reason).into());
    }
    Ok(())
}

/// Whether a file's header holds its check sum, of whatever version it is.
pub(in crate::engine::cachefile) fn header_is_whole(
    mut source: impl Read,
) -> Result<bool, Trouble> {
    let mut head = vec![0; 16];
    let got = read_up_to(&mut source, &mut head)?;
    let length = u32_at(&head, 12) as usize;
    if got < head.len() || length > MAX_HEADER {
        return Ok(false);
    }
    head.resize(16 + length + 4, 0);
    let got = 16 + read_up_to(&mut source, &mut head[16..])?;
    Ok(got == head.len() && sum_holds(&head))
}

fn parse(json: &[u8]) -> Result<FileHeader, Trouble> {
    serde_json::from_slice(json)
        .map_err(|error| damage(format!("the header at byte 16 cannot be read: {error}")).into())
}

/// The layout of the records, if it is the one this version has for the policy.
fn codec(header: &FileHeader) -> Result<Codec, Trouble> {
    let policy = header.header.policy;
    Codec::new(policy, header.key_bytes)
        .filter(|codec| codec.record_bytes() == header.record_bytes)
        .ok_or_else(|| {
            let bytes = header.record_bytes;
            let reason = format!("the header at byte 16: no `{policy}` record has {bytes} bytes");
            damage(reason).into()
        })
}

/// The number of records by the end mark, without reading the blocks; `None` where the file does not end with one.
pub(in crate::engine::cachefile) fn counted(
    source: &mut (impl Read + Seek),
    length: u64,
) -> Result<Option<u64>, Trouble> {
    let Some(start) = length.checked_sub(END as u64) else {
        return Ok(None);
    };
    source.seek(SeekFrom::Start(start))?;
    let mut end = [0; END];
    let got = read_up_to(source, &mut end)?;
    let whole = got == END && end.starts_with(&END_MARK) && sum_holds(&end);
    Ok(whole.then(|| u64_at(&end, 8)))
}
