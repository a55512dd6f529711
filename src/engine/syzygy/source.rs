//! The bytes of a file, read at an offset or one part after the other.

use std::{
    fs::File,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use super::SyzygyError;

pub(super) type Result<T> = std::result::Result<T, SyzygyError>;

/// An open table file.
#[derive(Debug)]
pub(super) struct SyzygyFile {
    path: PathBuf,
    file: File,
    pub(super) length: u64,
}

impl SyzygyFile {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (length, file) = file.map_err(|error| SyzygyError::new(path, error.to_string()))?;
        Ok(Self { path: path.to_owned(), file, length })
    }

    pub(super) fn fail(&self, reason: impl Into<String>) -> SyzygyError {
        SyzygyError::new(&self.path, reason)
    }

    /// Reads `count` bytes from offset `at`, and appends `padding` zeros.
    pub(super) fn read(&self, at: u64, count: u64, padding: usize) -> Result<Vec<u8>> {
        if at.checked_add(count).is_none_or(|end| end > self.length) {
            return Err(self.fail("the file is cut off, or its header is damaged"));
        }
        let mut bytes = vec![0; count as usize + padding];
        let wanted = &mut bytes[..count as usize];
        self.file.read_exact_at(wanted, at).map_err(|error| self.fail(error.to_string()))?;
        Ok(bytes)
    }
}

/// Reads the parts of a file in order, from its start.
pub(super) struct Reader<'a> {
    pub(super) source: &'a SyzygyFile,
    pub(super) at: u64,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a SyzygyFile) -> Self {
        Self { source, at: 0 }
    }

    pub(super) fn bytes(&mut self, count: u64) -> Result<Vec<u8>> {
        let bytes = self.source.read(self.at, count, 0)?;
        self.at += count;
        Ok(bytes)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes(N as u64)?);
        Ok(array)
    }

    pub(super) fn shorts(&mut self, count: u64) -> Result<Vec<u16>> {
        let bytes = self.bytes(2 * count)?;
        Ok(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    }

    pub(super) fn align(&mut self, multiple: u64) {
        self.at = self.at.next_multiple_of(multiple);
    }
}
