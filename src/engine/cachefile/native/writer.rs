use std::{io::Write, ops::ControlFlow};

use super::{BLOCK, BLOCK_HEAD, BLOCK_MARK, END_MARK, MAGIC, MAX_HEADER, VERSION, codec::Codec};
use crate::engine::{
    cachefile::{
        header::{CacheHeader, FileHeader},
        seed::Written,
        stream::{Tally, Watch},
    },
    files::Failure,
    game::{Fault, Game, Keyed},
    memo::{Entries, Entry},
};

/// Writes a whole file.
pub(in crate::engine::cachefile) fn write<G: Game>(
    game: &G,
    entries: &dyn Entries<G::Key>,
    out: &mut dyn Write,
    header: &CacheHeader,
    watch: &mut Watch,
) -> Result<Written, Failure> {
    let total = entries.len() as u64;
    let mut writer = Writer::start::<G>(out, header, Some(total))?;
    let mut put = |at, entry: &Entry| {
        if writer.starts_block() {
            watch.tick(writer.entries, total)?;
        }
        writer.push(game, at, entry)
    };
    let mut outcome = Ok(());
    let _ = entries.try_scan(&mut |_, at, entry| match put(at, entry) {
        Ok(()) => ControlFlow::Continue(()),
        failed => {
            outcome = failed;
            ControlFlow::Break(())
        }
    });
    outcome?;
    watch.tick(writer.entries, total)?;
    writer.finish()
}

/// Writes a file record by record; holds one block.
pub(in crate::engine::cachefile) struct Writer<'a> {
    out: Tally<'a>,
    codec: Codec,
    block: Vec<u8>,
    in_block: usize,
    blocks: u32,
    entries: u64,
    promised: Option<u64>,
}

impl<'a> Writer<'a> {
    /// Writes the header. `entries` is the number of records to come, if it is known.
    pub(in crate::engine::cachefile) fn start<G: Game>(
        out: &'a mut dyn Write,
        header: &CacheHeader,
        entries: Option<u64>,
    ) -> Result<Self, Failure> {
        let codec = Codec::new(header.policy, G::KEY_BYTES).ok_or_else(|| {
            Fault::new(format!(
                "the memo policy `{}` keeps no entries to save",
                header.policy
            ))
        })?;
        let mut out = Tally::new(out);
        out.put_with_sum(&mut head(header, codec, G::KEY_BYTES, entries)?)?;
        Ok(Self {
            out,
            codec,
            block: Vec::with_capacity(BLOCK_HEAD + BLOCK * codec.record_bytes() + 4),
            in_block: 0,
            blocks: 0,
            entries: 0,
            promised: entries,
        })
    }

    const fn starts_block(&self) -> bool {
        self.in_block == 0
    }

    /// Writes an entry.
    pub(in crate::engine::cachefile) fn push<G: Game>(
        &mut self,
        game: &G,
        at: Keyed<G::Key>,
        entry: &Entry,
    ) -> Result<(), Failure> {
        if self.in_block == 0 {
            self.block.clear();
            self.block.extend_from_slice(&BLOCK_MARK);
            self.block.extend_from_slice(&self.blocks.to_le_bytes());
            self.block.extend_from_slice(&[0; 4]);
        }
        self.codec.encode(game, at, entry, &mut self.block)?;
        self.in_block += 1;
        self.entries += 1;
        if self.in_block == BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let count = (self.in_block as u32).to_le_bytes();
        self.block[BLOCK_HEAD - 4..BLOCK_HEAD].copy_from_slice(&count);
        self.out.put_with_sum(&mut self.block)?;
        self.in_block = 0;
        self.blocks += 1;
        Ok(())
    }

    /// Writes what is left and the end mark.
    pub(in crate::engine::cachefile) fn finish(mut self) -> Result<Written, Failure> {
        if self.in_block > 0 {
            self.flush()?;
        }
        if self
            .promised
            .is_some_and(|promised| promised != self.entries)
        {
            return Err(Fault::new("the cache changed while it was saved").into());
        }
        let mut end = END_MARK.to_vec();
        end.extend_from_slice(&self.blocks.to_le_bytes());
        end.extend_from_slice(&self.entries.to_le_bytes());
        self.out.put_with_sum(&mut end)?;
        let (bytes, crc32) = self.out.finish();
        Ok(Written {
            entries: self.entries,
            merged: 0,
            bytes,
            crc32,
        })
    }
}

/// Magic, version and header.
fn head(
    header: &CacheHeader,
    codec: Codec,
    key_bytes: usize,
    entries: Option<u64>,
) -> Result<Vec<u8>, Fault> {
    let json = FileHeader {
        writer: concat!("plyscope ", env!("CARGO_PKG_VERSION")).to_owned(),
        header: header.clone(),
        key_bytes,
        record_bytes: codec.record_bytes(),
        entries,
    }
    .to_json()?;
    let length = u32::try_from(json.len())
        .ok()
        .filter(|_| json.len() <= MAX_HEADER);
    let length = length.ok_or_else(|| Fault::new("the header is longer than a megabyte"))?;
    let mut head = MAGIC.to_vec();
    head.extend_from_slice(&VERSION.to_le_bytes());
    head.extend_from_slice(&length.to_le_bytes());
    head.extend_from_slice(&json);
    Ok(head)
}
