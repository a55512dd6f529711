//! Reading and writing files: writes are atomic, faults name the path and the remedy.
//!
//! - Documents (games, caches, sessions, suites, tournaments, configuration, pictures, tables) are regular files, or `-` for
//!   standard input and output. Pipes and devices are refused at once, without waiting for them.
//! - Scripts are text from files and streams of any kind, up to [`LONGEST_SCRIPT`] bytes.

mod standard;
mod words;

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, BufWriter, ErrorKind, Read, Write},
    os::{
        fd::AsFd,
        unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown},
    },
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{FlockOperation, OFlags, flock},
    io::Errno,
};
use tempfile::NamedTempFile;

pub use self::standard::{reserve_input, reserve_output, set_stop_flag};
pub(crate) use self::{
    standard::{is_input, is_output, wrote_output},
    words::{from_ron, ron_message, to_ron},
};
use super::{game::Fault, suggest};

/// The size of file buffers in bytes.
const BUFFER: usize = 256 * 1024;

/// The greatest length in bytes of a script, and of one statement on standard input.
pub const LONGEST_SCRIPT: usize = 16 << 20;

/// How long to wait for input before the interrupt flag is read again.
const POLL_TIMEOUT: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Why writing a file failed.
#[derive(Debug)]
pub enum FileFailure {
    /// An error of the system, to which the caller adds the path.
    Io(io::Error),
    /// A fault in the content, which cannot be written.
    Fault(Fault),
}

impl From<io::Error> for FileFailure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Fault> for FileFailure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Writes a file atomically; `-` is standard output.
///
/// `write` gets a buffered temporary file in the target's folder. Afterwards the temporary file is synced to disk and renamed
/// over the target. Owner and permissions of the old file are kept as far as the system allows; links are followed, even
/// dangling ones. On failure the old file is unchanged and the temporary file is removed; one left by a killed process is
/// removed by the next write to the same target.
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
    write: impl FnOnce(&mut dyn Write) -> Result<T, FileFailure>,
) -> Result<T, Fault> {
    let refused = |error: io::Error| io_fault(path, FileAccess::Write, &error);
    let failed = |failure| match failure {
        FileFailure::Io(error) => refused(error),
        FileFailure::Fault(fault) => fault,
    };
    if is_output(path) {
        let mut held = tempfile::tempfile().map_err(refused)?;
        let result = write_buffered(&held, write).map_err(failed)?;
        standard::write(&mut held)?;
        return Ok(result);
    }
    let (target, old) = target(path)?;
    let temporary = create_temporary(&target, old.as_ref()).map_err(refused)?;
    let result = write_buffered(temporary.as_file(), write).map_err(failed)?;
    install(temporary, &target, old.as_ref()).map_err(refused)?;
    Ok(result)
}

/// Writes a text file atomically, as [`write_atomically`] does.
pub fn write_text(path: &Path, text: &str) -> Result<(), Fault> {
    write_bytes(path, text.as_bytes())
}

/// Writes a file atomically, as [`write_atomically`] does.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    write_atomically(path, |out| Ok(out.write_all(bytes)?))
}

/// The first of the names `PREFIX1.EXTENSION`, `PREFIX2.EXTENSION` … that no file in the current directory has.
pub fn unused_name(prefix: &str, extension: &str) -> String {
    let name = |number: usize| format!("{prefix}{number}.{extension}");
    let mut number = 1;
    while Path::new(&name(number)).exists() {
        number += 1;
    }
    name(number)
}

/// Opens an existing file for appending, with an exclusive lock.
pub fn append(path: &Path) -> Result<File, Fault> {
    let file = open_nonblocking(path, OpenOptions::new().append(true), FileAccess::Write)?;
    check_regular(path, FileAccess::Write, file.metadata())?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => {
            Err(Fault::new(format!("another process is writing to `{}`", path.display()))
                .about_word(path.display())
                .hint("wait until that process ends, or give another file"))
        }
        // Some file systems have no locks; there, users must not append from two processes at once.
        _ => Ok(file),
    }
}

/// Adds the file's name to a fault in its text and, if the fault has a place, line and column.
pub fn in_file(path: &Path, text: &str, fault: Fault) -> Fault {
    let place = fault.at.as_ref().map_or(String::new(), |at| {
        let (line, column) = position(text, at.start);
        format!(":{line}:{column}")
    });
    Fault { message: format!("{}{place}: {}", path.display(), fault.message), at: None, ..fault }
}

/// The line and the column, in characters, of a byte of the text; both from 1.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let column = before.chars().rev().take_while(|sign| *sign != '\n').count() + 1;
    (before.matches('\n').count() + 1, column)
}

/// Reads a document as bytes.
pub fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    let (mut file, _) = open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| io_fault(path, FileAccess::Read, &error))?;
    Ok(bytes)
}

/// The number at an offset, little-endian; 0 if the bytes end before.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..).and_then(<[u8]>::first_chunk);
    four.map_or(0, |four| u32::from_le_bytes(*four))
}

/// The bytes before the CRC-32 at the end, if the checksum matches.
pub(crate) fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (body, sum) = bytes.split_last_chunk()?;
    (crc32fast::hash(body) == u32::from_le_bytes(*sum)).then_some(body)
}

/// Reads a document of UTF-8 text.
pub fn read_text(path: &Path) -> Result<String, Fault> {
    as_text(path, read(path)?)
}

fn as_text(path: &Path, bytes: Vec<u8>) -> Result<String, Fault> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Fault::word(path.display(), format!("is not a text file: byte {at} is not UTF-8"))
            .hint("save the file as UTF-8")
    })
}

/// Reads a script of at most [`LONGEST_SCRIPT`] bytes from a file or a stream. `interrupt` stops the wait for a stream.
pub fn read_script(path: &Path, interrupt: &AtomicBool) -> Result<String, Fault> {
    let source = Polled { source: open_any(path)?, stop: Some(interrupt) };
    let mut bytes = Vec::new();
    let read = source.take(LONGEST_SCRIPT as u64 + 1).read_to_end(&mut bytes);
    if interrupt.load(Ordering::Relaxed) {
        return Err(Fault::new(format!("interrupted: `{}` was not read", path.display())));
    }
    read.map_err(|error| io_fault(path, FileAccess::Read, &error))?;
    if bytes.len() > LONGEST_SCRIPT {
        return Err(too_long(&path.display().to_string()));
    }
    as_text(path, bytes)
}

/// A reader that waits for input in steps of [`POLL_TIMEOUT`], so that `stop` can end the wait with an error.
struct Polled<'a, R> {
    source: R,
    stop: Option<&'a AtomicBool>,
}

impl<R: Read + AsFd> Read for Polled<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(io::Error::other("interrupted"));
            }
            // Poll before reading: a read of a pipe that has no writer yet would return end of file. A signal ends the poll
            // too, and may have set `stop`.
            let waiting = &mut [PollFd::new(&self.source, PollFlags::IN)];
            if matches!(poll(waiting, Some(&POLL_TIMEOUT)), Ok(0) | Err(Errno::INTR)) {
                continue;
            }
            match self.source.read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// A reader of a pipe that returns bytes as they arrive. `stop` ends the wait for more bytes.
pub(crate) fn polled(pipe: File, stop: &AtomicBool) -> impl Read + '_ {
    Polled { source: pipe, stop: Some(stop) }
}

/// The fault of a script or statement longer than [`LONGEST_SCRIPT`].
pub fn too_long(shown: &str) -> Fault {
    let mib = LONGEST_SCRIPT >> 20;
    Fault::word(shown, format!("is longer than {mib} MiB"))
        .hint("split the file, or check that it is a script")
}

/// Opens a document for reading, and returns its length in bytes.
pub fn open(path: &Path) -> Result<(File, u64), Fault> {
    let file = open_any(path)?;
    let found = check_regular(path, FileAccess::Read, file.metadata())?;
    Ok((file, found.len()))
}

#[derive(Debug)]
pub(crate) enum Stream {
    Document(File),
    /// A pipe or socket that another program writes to.
    Pipe(File),
}

/// Opens a document, a named pipe, or `-` for standard input as it arrives.
pub(crate) fn stream(path: &Path) -> Result<Stream, Fault> {
    let file = if standard::is_input(path) {
        standard::take_input()?
    } else {
        open_nonblocking(path, OpenOptions::new().read(true), FileAccess::Read)?
    };
    let kind = file.metadata().map(|found| found.file_type());
    if kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket()) {
        return Ok(Stream::Pipe(file));
    }
    check_regular(path, FileAccess::Read, file.metadata())?;
    Ok(Stream::Document(file))
}

/// Opens a file of any kind; `-` is all of standard input.
fn open_any(path: &Path) -> Result<File, Fault> {
    if standard::is_input(path) {
        return standard::input();
    }
    open_nonblocking(path, OpenOptions::new().read(true), FileAccess::Read)
}

/// Opens a file without waiting for the other end of a pipe.
fn open_nonblocking(
    path: &Path,
    options: &mut OpenOptions,
    access: FileAccess,
) -> Result<File, Fault> {
    options
        .custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed())
        .open(path)
        .map_err(|error| io_fault(path, access, &error))
}

/// A system error as a fault that names the path and the remedy.
pub(crate) fn io_fault(path: &Path, access: FileAccess, error: &io::Error) -> Fault {
    let (reason, hint) = match error.kind() {
        ErrorKind::NotFound => missing(path, access),
        ErrorKind::PermissionDenied => (
            "permission denied".to_owned(),
            "check the permissions of the file and of its directory",
        ),
        ErrorKind::ReadOnlyFilesystem => {
            ("the file system is read-only".to_owned(), "choose a path elsewhere")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => (
            format!("no room on the disk ({})", words::system_message(error)),
            "free some space or choose a path elsewhere; an old file is unchanged",
        ),
        ErrorKind::IsADirectory => ("it is a directory".to_owned(), "give the name of a file"),
        ErrorKind::NotADirectory => {
            ("a part of the path is a file, not a directory".to_owned(), "check the path")
        }
        ErrorKind::InvalidFilename => (
            format!("the system refuses the name ({})", words::system_message(error)),
            "choose a shorter or simpler name",
        ),
        _ => (words::system_message(error), "try again, or choose a path elsewhere"),
    };
    let near = if error.kind() == ErrorKind::NotFound { similar(path) } else { None };
    Fault::new(format!("cannot {access} `{}`: {reason}", path.display()))
        .about_word(path.display())
        .hint(near.unwrap_or_else(|| hint.to_owned()))
}

/// The hint "did you mean …?" with files of the same directory; `None` if no name is similar.
fn similar(path: &Path) -> Option<String> {
    let files = fs::read_dir(folder(path)).ok()?.flatten();
    let names: Vec<_> = files.filter_map(|file| file.file_name().into_string().ok()).collect();
    let name = path.file_name()?.to_str()?;
    let near = suggest::similar(name, names.iter().map(String::as_str)).into_iter();
    let paths: Vec<_> = near.map(|name| path.with_file_name(name).display().to_string()).collect();
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    (!paths.is_empty()).then(|| suggest::these(&paths))
}

#[derive(Clone, Copy, Debug, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum FileAccess {
    Read,
    Write,
}

fn missing(path: &Path, access: FileAccess) -> (String, &'static str) {
    let folder = folder(path);
    if path.as_os_str().is_empty() {
        ("the path is empty".to_owned(), "give the name of a file")
    } else if folder.is_dir() {
        ("there is no such file".to_owned(), "check the name")
    } else {
        let hint = match access {
            FileAccess::Read => "check the path",
            FileAccess::Write => "create the directory first, or check the path",
        };
        (format!("there is no directory `{}`", folder.display()), hint)
    }
}

pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The metadata of a regular file; a fault for anything else.
fn check_regular(
    path: &Path,
    access: FileAccess,
    found: io::Result<Metadata>,
) -> Result<Metadata, Fault> {
    let found = found.map_err(|error| io_fault(path, access, &error))?;
    if found.is_dir() {
        return Err(io_fault(path, access, &ErrorKind::IsADirectory.into()));
    }
    if !found.is_file() {
        let what = format!("cannot {access} `{}`: it is not a regular file", path.display());
        return Err(Fault::new(what).about_word(path.display()).hint(match access {
            FileAccess::Read => "give the name of a file on a disk, or `-` for standard input",
            FileAccess::Write => "give the name of a file on a disk, or `-` for standard output",
        }));
    }
    Ok(found)
}

/// The path to write to, after following links, and the metadata of the old file.
fn target(path: &Path) -> Result<(PathBuf, Option<Metadata>), Fault> {
    let found = fs::metadata(path);
    if found.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound)
        && path.file_name().is_some()
    {
        return Ok((follow_links(path), None));
    }
    let old = check_regular(path, FileAccess::Write, found)?;
    if old.permissions().readonly() {
        let what = format!("cannot write `{}`: it is write-protected", path.display());
        return Err(Fault::new(what)
            .about_word(path.display())
            .hint("make the file writable, or choose another name"));
    }
    Ok((follow_links(path), Some(old)))
}

/// The greatest number of links to follow, as in Linux.
const MAX_LINKS: usize = 40;

/// The target of a chain of links, even if it does not exist.
fn follow_links(path: &Path) -> PathBuf {
    let mut at = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&at) {
            Ok(to) => at = folder(&at).join(to),
            Err(_) => break,
        }
    }
    at
}

fn write_buffered<T>(
    file: &File,
    write: impl FnOnce(&mut dyn Write) -> Result<T, FileFailure>,
) -> Result<T, FileFailure> {
    let mut out = BufWriter::with_capacity(BUFFER, file);
    let result = write(&mut out)?;
    out.flush()?;
    Ok(result)
}

fn install(temporary: NamedTempFile, target: &Path, old: Option<&Metadata>) -> io::Result<()> {
    let file = temporary.as_file();
    if let Some(old) = old {
        // Only root can change the owner; a member of the group can at least keep the group.
        if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
            fchown(file, None, Some(old.gid())).ok();
        }
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    temporary.persist(target).map_err(|refused| refused.error)?;
    // The new file is in place. Not all file systems can sync a directory, so a failure is ignored.
    File::open(folder(target)).and_then(|folder| folder.sync_all()).ok();
    Ok(())
}

/// The suffix of temporary files.
const SUFFIX: &str = ".plyscope-tmp";

/// If a target's name is longer, a checksum names its temporary files, because file names have at most 255 bytes.
const LONGEST_NAME: usize = 150;

/// A temporary file in the target's folder, readable by no more users than the old file. The lock on the file is held while it
/// is open; a temporary file without a lock was left by a killed process.
fn create_temporary(target: &Path, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let folder = folder(target);
    let prefix = temporary_prefix(target);
    remove_abandoned(folder, &prefix);
    // A new file gets the usual mode, subject to umask, not the 0600 of temporary files.
    let mode = old.map_or(0o666, |old| old.permissions().mode() & 0o666);
    loop {
        let file = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(SUFFIX)
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)?;
        // Some file systems have no locks: there, [`remove_abandoned`] removes nothing.
        flock(file.as_file(), FlockOperation::LockExclusive).ok();
        // Another process may have removed the file before it was locked.
        if file.as_file().metadata()?.nlink() > 0 {
            return Ok(file);
        }
    }
}

/// The prefix of all temporary files for a target: `.NAME.`
fn temporary_prefix(target: &Path) -> OsString {
    let name = target.file_name().unwrap_or(OsStr::new("file"));
    let mut prefix = OsString::from(".");
    if name.len() <= LONGEST_NAME {
        prefix.push(name);
    } else {
        prefix.push(format!("{:08x}", crc32fast::hash(name.as_encoded_bytes())));
    }
    prefix.push(".");
    prefix
}

/// Removes the temporary files of killed processes. A file that cannot be opened or removed stays, which does no harm.
fn remove_abandoned(folder: &Path, prefix: &OsStr) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name();
        let name = name.as_encoded_bytes();
        let matches =
            name.starts_with(prefix.as_encoded_bytes()) && name.ends_with(SUFFIX.as_bytes());
        let Some(found) = matches.then(|| File::open(file.path()).ok()).flatten() else {
            continue;
        };
        // The lock is held until the file is removed: a process that has just created the file waits for the lock, finds the
        // file unlinked and creates another. Without the lock, its rename would fail.
        if flock(&found, FlockOperation::NonBlockingLockExclusive).is_ok() {
            fs::remove_file(file.path()).ok();
        }
        drop(found);
    }
}
