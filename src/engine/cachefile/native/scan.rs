use std::{
    fs::File,
    io::{Seek, SeekFrom},
};

use super::{
    BLOCK, BLOCK_HEAD, BLOCK_MARK, END, END_MARK, codec::Codec, sum_holds, u32_at, u64_at,
};
use crate::engine::cachefile::stream::{Trouble, Watch, read_up_to};

/// Bytes looked through at a time for the mark of a block.
const WINDOW: usize = 1 << 20;

/// What comes next in a file that may be damaged.
#[derive(Debug)]
pub(in crate::engine::cachefile) enum Finding<'a> {
    /// A block whose check sum holds.
    Block {
        /// Its number, from 0.
        number: u32,
        /// Where it begins.
        offset: u64,
        /// Its records, one after the other.
        records: &'a [u8],
    },
    /// Bytes that are no sound block.
    Damage {
        /// The block that should be there.
        number: u32,
        /// Where they begin.
        offset: u64,
        /// How many they are.
        bytes: u64,
        /// What is wrong with them.
        reason: &'static str,
    },
    /// The end of the file; how many blocks and records its end mark speaks of, if it has a sound one.
    End(Option<(u32, u64)>),
}

/// Goes through a file from block to block, and over damage to the next sound one; holds one block.
pub(in crate::engine::cachefile) struct Scanner {
    file: File,
    length: u64,
    codec: Codec,
    at: u64,
    number: u32,
    block: Vec<u8>,
}

/// What is found at one place.
enum Found {
    Block,
    End(u32, u64),
    Nothing(&'static str),
}

impl Scanner {
    /// Begins at an offset: where the header ends, or 0 where nobody knows.
    pub(in crate::engine::cachefile) fn new(
        file: File,
        length: u64,
        codec: Codec,
        at: u64,
    ) -> Self {
        Self {
            file,
            length,
            codec,
            at,
            number: 0,
            block: Vec::new(),
        }
    }

    /// What comes next. After [`Finding::End`] nothing does.
    pub(in crate::engine::cachefile) fn next(
        &mut self,
        watch: &mut Watch,
    ) -> Result<Finding<'_>, Trouble> {
        watch.tick(self.at, self.length)?;
        if self.at >= self.length {
            return Ok(Finding::End(None));
        }
        match self.look(self.at)? {
            Found::Block => {
                let (number, offset) = (u32_at(&self.block, 4), self.at);
                self.at += self.block.len() as u64;
                self.number = number.wrapping_add(1);
                let records = &self.block[BLOCK_HEAD..self.block.len() - 4];
                Ok(Finding::Block {
                    number,
                    offset,
                    records,
                })
            }
            Found::End(blocks, records) if self.at + END as u64 == self.length => {
                self.at = self.length;
                Ok(Finding::End(Some((blocks, records))))
            }
            Found::End(..) => self.damage("bytes follow the end mark", watch),
            Found::Nothing(reason) => self.damage(reason, watch),
        }
    }

    /// Steps over what is no sound block.
    fn damage(&mut self, reason: &'static str, watch: &mut Watch) -> Result<Finding<'_>, Trouble> {
        let offset = self.at;
        let whole = (BLOCK_HEAD + BLOCK * self.codec.record_bytes() + 4) as u64;
        let next = match self.look(offset + whole)? {
            Found::Block | Found::End(..) => offset + whole,
            Found::Nothing(_) => self.search(offset + 1, watch)?,
        };
        let number = self.number;
        self.number = number.wrapping_add(1);
        self.at = next;
        Ok(Finding::Damage {
            number,
            offset,
            bytes: next - offset,
            reason,
        })
    }

    /// The next place with a sound block or the end mark; the file's length where there is none.
    fn search(&mut self, from: u64, watch: &mut Watch) -> Result<u64, Trouble> {
        let mut window = vec![0; WINDOW + 3];
        let mut start = from;
        while start < self.length {
            watch.tick(start, self.length)?;
            self.file.seek(SeekFrom::Start(start))?;
            let got = read_up_to(&mut self.file, &mut window)?;
            let marks = window[..got].windows(4).enumerate();
            let marks: Vec<usize> = marks
                .filter(|(_, four)| *four == BLOCK_MARK || *four == END_MARK)
                .map(|(place, _)| place)
                .collect();
            for place in marks {
                if !matches!(self.look(start + place as u64)?, Found::Nothing(_)) {
                    return Ok(start + place as u64);
                }
            }
            start += WINDOW as u64;
        }
        Ok(self.length)
    }

    /// What is at a place; a sound block is left in `self.block`.
    fn look(&mut self, at: u64) -> Result<Found, Trouble> {
        const CUT: &str = "the file ends within it";
        self.block.clear();
        if at >= self.length {
            return Ok(Found::Nothing(CUT));
        }
        self.file.seek(SeekFrom::Start(at))?;
        if !self.fill(BLOCK_HEAD)? {
            return Ok(Found::Nothing(CUT));
        }
        if self.block.starts_with(&END_MARK) {
            return self.look_at_end();
        }
        let count = u32_at(&self.block, 8) as usize;
        if !self.block.starts_with(&BLOCK_MARK) || count == 0 || count > BLOCK {
            return Ok(Found::Nothing("its first bytes are wrong"));
        }
        if !self.fill(BLOCK_HEAD + count * self.codec.record_bytes() + 4)? {
            return Ok(Found::Nothing(CUT));
        }
        if !sum_holds(&self.block) {
            return Ok(Found::Nothing("its check sum is wrong"));
        }
        Ok(Found::Block)
    }

    fn look_at_end(&mut self) -> Result<Found, Trouble> {
        if self.fill(END)? && sum_holds(&self.block) {
            return Ok(Found::End(u32_at(&self.block, 4), u64_at(&self.block, 8)));
        }
        Ok(Found::Nothing("it is an end mark with a wrong check sum"))
    }

    /// Reads on until the block holds `length` bytes; whether the file has that many.
    fn fill(&mut self, length: usize) -> Result<bool, Trouble> {
        let had = self.block.len();
        self.block.resize(length, 0);
        let got = read_up_to(&mut self.file, &mut self.block[had..])?;
        Ok(had + got == length)
    }
}
