//! Files: written whole or not at all, and faults that name the path and the remedy.

mod temporary;

use std::{
    fs::{self, File, Permissions},
    io::{self, BufWriter, ErrorKind, Read, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::game::Fault;

/// Bytes gathered before they go to the system.
const BUFFER: usize = 256 * 1024;

/// Why writing stopped: the system refused, or the content cannot be written.
#[derive(Debug)]
pub enum Failure {
    /// The system refused; the path is added where it is known.
    Io(io::Error),
    /// The content cannot be written, in words.
    Fault(Fault),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Writes a file whole or not at all.
///
/// `write` gets a buffered temporary file beside the target. When it is done, the temporary file is flushed to the disk
/// and renamed over the target, whose permissions it keeps; a link is followed. On any failure the old file is as it was
/// and the temporary file is gone; one that a killed process left behind goes with the next writing of the same target.
///
/// # Errors
/// What `write` refuses, and whatever the system refuses: no such directory, a directory or a write-protected file in
/// the way, permission denied, disk full.
///
/// ```
/// use plyscope::engine::files::{read, write_atomically};
/// let path = std::env::temp_dir().join("plyscope-files-doc.txt");
/// write_atomically(&path, |out| Ok(out.write_all(b"whole")?))?;
/// assert_eq!(read(&path)?, b"whole");
/// # std::fs::remove_file(&path).ok();
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
pub fn write_atomically<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Fault> {
    let (target, permissions) = target(path)?;
    let refused = |error: io::Error| explain(path, Doing::Write, &error);
    let temporary = temporary::create(folder(&target), &target).map_err(refused)?;
    let result = fill(&temporary, write).map_err(|failure| match failure {
        Failure::Io(error) => refused(error),
        Failure::Fault(fault) => fault,
    })?;
    install(temporary, &target, permissions).map_err(refused)?;
    Ok(result)
}

/// Writes a text file whole or not at all, as [`write_atomically`] does.
///
/// # Errors
/// As [`write_atomically`].
pub fn write_text(path: &Path, text: &str) -> Result<(), Fault> {
    write_atomically(path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Opens a file that is there to add to its end, for this process alone.
///
/// # Errors
/// Whatever the system refuses, and a file that another process has open in this way.
pub fn append(path: &Path) -> Result<File, Fault> {
    let refused = |error: io::Error| explain(path, Doing::Write, &error);
    let file = fs::OpenOptions::new()
        .append(true)
        .open(path)
        .map_err(refused)?;
    let held = rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    match held {
        Err(rustix::io::Errno::WOULDBLOCK) => Err(Fault::new(format!(
            "another process is writing to `{}`",
            path.display()
        ))
        .hint("wait for it, or give a file of its own")),
        // Some file systems know no locks; there the user takes care.
        _ => Ok(file),
    }
}

/// Gives a file another name on the same disk; a file of that name is replaced.
///
/// # Errors
/// Whatever the system refuses.
pub fn rename(from: &Path, to: &Path) -> Result<(), Fault> {
    fs::rename(from, to).map_err(|error| explain(to, Doing::Write, &error))
}

/// Removes a file that is no longer needed; one that cannot be removed stays.
pub fn remove_quietly(path: &Path) {
    fs::remove_file(path).ok();
}

/// The length of a file in bytes and the CRC-32 of its content.
///
/// # Errors
/// As [`open`].
pub fn fingerprint(path: &Path) -> Result<(u64, u32), Fault> {
    let (mut file, _) = open(path)?;
    let mut buffer = vec![0; BUFFER];
    let (mut length, mut sum) = (0, crc32fast::Hasher::new());
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((length, sum.finalize())),
            Ok(more) => {
                length += more as u64;
                sum.update(&buffer[..more]);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(explain(path, Doing::Read, &error)),
        }
    }
}

/// A fault in a file's text, with the file's name and the line and column where it is known.
pub fn in_file(path: &Path, text: &str, fault: Fault) -> Fault {
    let place = fault.at.as_ref().map_or(String::new(), |at| {
        let before = text.get(..at.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before
            .chars()
            .rev()
            .take_while(|sign| *sign != '\n')
            .count()
            + 1;
        format!(":{line}:{column}")
    });
    Fault {
        message: format!("{}{place}: {}", path.display(), fault.message),
        at: None,
        ..fault
    }
}

/// Reads a file whole.
///
/// # Errors
/// Whatever the system refuses, with the path and the remedy.
pub fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    fs::read(path).map_err(|error| explain(path, Doing::Read, &error))
}

/// Reads a text file whole.
///
/// # Errors
/// As [`read`], and a file that is not UTF-8, with the place of the first byte that is not.
pub fn read_text(path: &Path) -> Result<String, Fault> {
    String::from_utf8(read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Fault::new(format!(
            "`{}` is not a text file: byte {at} is not UTF-8",
            path.display()
        ))
        .hint("save it as UTF-8")
    })
}

/// Opens a regular file for reading, with its length in bytes.
///
/// # Errors
/// As [`read`], and anything that is not a regular file.
pub fn open(path: &Path) -> Result<(File, u64), Fault> {
    let refused = |error: io::Error| explain(path, Doing::Read, &error);
    let found = fs::metadata(path).map_err(refused)?;
    regular(path, Doing::Read, &found)?;
    let file = File::open(path).map_err(refused)?;
    Ok((file, found.len()))
}

/// What the system refused, as a fault that names the path and the remedy.
pub(crate) fn explain(path: &Path, doing: Doing, error: &io::Error) -> Fault {
    let (reason, hint) = match error.kind() {
        ErrorKind::NotFound => missing(path),
        ErrorKind::PermissionDenied => (
            "permission denied".to_owned(),
            "check the permissions of the file and of its directory",
        ),
        ErrorKind::ReadOnlyFilesystem => (
            "the file system is read-only".to_owned(),
            "choose a path elsewhere",
        ),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => (
            format!("no room on the disk ({error})"),
            "free some space or choose a path elsewhere; an old file is unchanged",
        ),
        ErrorKind::IsADirectory => ("it is a directory".to_owned(), "give the name of a file"),
        ErrorKind::NotADirectory => (
            "a part of the path is a file, not a directory".to_owned(),
            "check the path",
        ),
        ErrorKind::InvalidFilename => (
            format!("the name is not possible here ({error})"),
            "choose a shorter or simpler name",
        ),
        _ => (error.to_string(), "try again, or choose a path elsewhere"),
    };
    Fault::new(format!(
        "cannot {} `{}`: {reason}",
        doing.verb(),
        path.display()
    ))
    .hint(hint)
}

/// What was attempted with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// Reading it.
    Read,
    /// Writing it.
    Write,
}

impl Doing {
    const fn verb(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

fn missing(path: &Path) -> (String, &'static str) {
    let folder = folder(path);
    if path.as_os_str().is_empty() {
        ("the path is empty".to_owned(), "give the name of a file")
    } else if folder.is_dir() {
        ("there is no such file".to_owned(), "check the name")
    } else {
        (
            format!("there is no directory `{}`", folder.display()),
            "create the directory first, or check the path",
        )
    }
}

/// The folder a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn regular(path: &Path, doing: Doing, found: &fs::Metadata) -> Result<(), Fault> {
    if found.is_dir() {
        return Err(explain(path, doing, &ErrorKind::IsADirectory.into()));
    }
    if !found.is_file() {
        let what = format!(
            "cannot {} `{}`: it is not a regular file",
            doing.verb(),
            path.display()
        );
        return Err(Fault::new(what).hint("give the name of a file on a disk"));
    }
    Ok(())
}

/// Where the file really is, links followed, and the permissions to keep.
fn target(path: &Path) -> Result<(PathBuf, Option<Permissions>), Fault> {
    let refused = |error: io::Error| explain(path, Doing::Write, &error);
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound && path.file_name().is_some() => {
            return Ok((path.to_owned(), None));
        }
        Err(error) => return Err(refused(error)),
    };
    regular(path, Doing::Write, &found)?;
    if found.permissions().readonly() {
        let what = format!("cannot write `{}`: it is write-protected", path.display());
        return Err(Fault::new(what).hint("give it write permission, or choose another name"));
    }
    let real = fs::canonicalize(path).map_err(refused)?;
    Ok((real, Some(found.permissions())))
}

fn fill<T>(
    temporary: &NamedTempFile,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut out = BufWriter::with_capacity(BUFFER, temporary.as_file());
    let result = write(&mut out)?;
    out.flush()?;
    Ok(result)
}

fn install(
    temporary: NamedTempFile,
    target: &Path,
    permissions: Option<Permissions>,
) -> io::Result<()> {
    if let Some(permissions) = permissions {
        temporary.as_file().set_permissions(permissions)?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(target).map_err(|refused| refused.error)?;
    // The new file is in place. Whether its directory can be flushed is up to the file system; not all of them can.
    #[cfg(unix)]
    File::open(folder(target))
        .and_then(|folder| folder.sync_all())
        .ok();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_path_and_remedy() {
        for (kind, words) in [
            (ErrorKind::NotFound, "there is no such file"),
            (ErrorKind::PermissionDenied, "permission denied"),
            (ErrorKind::StorageFull, "no room"),
            (ErrorKind::ReadOnlyFilesystem, "read-only"),
            (ErrorKind::NotADirectory, "a part of the path"),
            (ErrorKind::IsADirectory, "directory"),
        ] {
            let fault = explain(Path::new("some.cache"), Doing::Write, &kind.into());
            assert!(
                fault.message.starts_with("cannot write `some.cache`: "),
                "{fault}"
            );
            assert!(fault.message.contains(words), "{fault}");
            assert!(fault.hint.is_some(), "{fault}");
        }
    }

    #[test]
    fn a_missing_directory_is_named() {
        let path = Path::new("no/such/place/some.cache");
        let fault = write_atomically(path, |_| Ok(())).expect_err("no directory");
        assert!(fault.message.contains("`no/such/place`"), "{fault}");
        assert!(read(path).is_err_and(|fault| fault.message.contains("`no/such/place`")));
        assert!(read(Path::new("")).is_err_and(|fault| fault.message.contains("empty")));
        assert!(write_atomically(Path::new(""), |_| Ok(())).is_err());
        assert!(write_atomically(Path::new(".."), |_| Ok(())).is_err());
    }

    #[test]
    fn text_that_is_not_utf8_is_refused_with_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("latin");
        fs::write(&path, b"abc\xff").expect("written");
        assert!(read_text(&path).is_err_and(|fault| fault.message.contains("byte 3")));
    }

    #[test]
    #[cfg(unix)]
    fn permissions_and_links_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").expect("written");
        fs::set_permissions(&real, Permissions::from_mode(0o640)).expect("set");
        symlink(&real, &link).expect("linked");
        write_atomically(&link, |out| Ok(out.write_all(b"new")?)).expect("written");
        assert_eq!(read(&real).expect("read"), b"new");
        let mode = fs::metadata(&real).expect("found").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).expect("found").is_symlink());

        fs::set_permissions(&real, Permissions::from_mode(0o440)).expect("set");
        let fault = write_atomically(&real, |_| Ok(())).expect_err("protected");
        assert!(fault.message.contains("write-protected"), "{fault}");
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "old").expect("written");
        let failed: Result<(), Fault> = write_atomically(&path, |out| {
            out.write_all(b"half")?;
            Err(Fault::new("enough").into())
        });
        assert_eq!(failed.expect_err("refused").message, "enough");
        assert_eq!(read(&path).expect("read"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
        let fault = open(folder.path()).expect_err("a directory");
        assert!(fault.message.contains("it is a directory"), "{fault}");
    }
}
