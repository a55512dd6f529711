use std::{fs, io::Read, path::Path};

use crate::engine::{
    files,
    game::{Fault, Game},
};

use super::{Document, write};

/// Writes a session document to a file, which at every moment holds the old session or the new one.
pub fn save<G: Game>(path: &Path, document: &Document<G>) -> Result<(), Fault> {
    let text = write(document)?;
    files::write_atomically(path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Gives a finished cache file the name under which a session will mention it.
pub fn settle(draft: &Path, path: &Path) -> Result<(), Fault> {
    fs::rename(draft, path).map_err(|error| {
        Fault::new(format!(
            "`{}` cannot become `{}`: {error}",
            draft.display(),
            path.display()
        ))
        .hint("the session was not saved")
    })
}

/// Length and CRC-32 of a whole file.
pub fn fingerprint(path: &Path) -> Result<(u64, u32), Fault> {
    let (mut file, bytes) = files::open(path)?;
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((bytes, hasher.finalize())),
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) => {
                return Err(Fault::new(format!(
                    "`{}` cannot be read: {error}",
                    path.display()
                )));
            }
        }
    }
}
