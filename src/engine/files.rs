//! Files: written whole or not at all, and faults that name the path and the remedy.
//!
//! What is read and written here is one of two kinds:
//!
//! - Documents (games, caches, sessions, suites, tournaments, configuration, pictures, tables) are regular files, or `-`: standard
//!   input where they are read, standard output where they are written. Anything else (a pipe, a device) is refused and
//!   never waited for.
//! - Scripts are read from whatever has text, streams too, up to [`LONGEST_SCRIPT`] bytes.

mod standard;
mod words;

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, BufWriter, ErrorKind, Read, Write},
    os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{FlockOperation, OFlags, flock},
    io::Errno,
};
use tempfile::NamedTempFile;

pub use self::standard::{heed, keep_input, keep_output};
pub(crate) use self::{
    standard::{is_output, took_output},
    words::{from_ron, of_ron, to_ron},
};
use super::game::Fault;

/// Bytes gathered before they go to the system.
const BUFFER: usize = 256 * 1024;

/// The most bytes of a script, or of one statement that arrives on standard input.
pub const LONGEST_SCRIPT: usize = 16 << 20;

/// How long a script's stream is waited for between two looks whether the user wants it to stop.
const GLANCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Why writing stopped: the system refused, or the content cannot be written.
#[derive(Debug)]
pub enum FileFailure {
    /// The system refused; the path is added where it is known.
    Io(io::Error),
    /// The content cannot be written, in words.
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

/// Writes a file whole or not at all; `-` is standard output.
///
/// `write` gets a buffered temporary file beside the target. When it is done, the temporary file is flushed to the disk
/// and renamed over the target, whose owner and permissions it keeps as far as the system lets it; a link is followed, even
/// to a file that is not there yet. On any failure the old file is as it was and the temporary file is gone; one that a
/// killed process left behind goes with the next writing of the same target.
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
    let refused = |error: io::Error| explain(path, Doing::Write, &error);
    let failed = |failure| match failure {
        FileFailure::Io(error) => refused(error),
        FileFailure::Fault(fault) => fault,
    };
    if is_output(path) {
        let mut held = tempfile::tempfile().map_err(refused)?;
        let result = fill(&held, write).map_err(failed)?;
        standard::write(&mut held)?;
        return Ok(result);
    }
    let (target, old) = target(path)?;
    let temporary = create(&target, old.as_ref()).map_err(refused)?;
    let result = fill(temporary.as_file(), write).map_err(failed)?;
    install(temporary, &target, old.as_ref()).map_err(refused)?;
    Ok(result)
}

/// Writes a text file whole or not at all, as [`write_atomically`] does.
pub fn write_text(path: &Path, text: &str) -> Result<(), Fault> {
    write_atomically(path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Opens a file that is there to add to its end, for this process alone.
pub fn append(path: &Path) -> Result<File, Fault> {
    let file = open_at_once(path, OpenOptions::new().append(true), Doing::Write)?;
    regular(path, Doing::Write, file.metadata())?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => {
            Err(Fault::new(format!("another process is writing to `{}`", path.display()))
                .about_word(path.display())
                .hint("wait for it, or give a file of its own"))
        }
        // Some file systems know no locks; there the user takes care.
        _ => Ok(file),
    }
}

/// A fault in a file's text, with the file's name and the line and column where it is known.
pub fn in_file(path: &Path, text: &str, fault: Fault) -> Fault {
    let place = fault.at.as_ref().map_or(String::new(), |at| {
        let (line, column) = position(text, at.start);
        format!(":{line}:{column}")
    });
    Fault { message: format!("{}{place}: {}", path.display(), fault.message), at: None, ..fault }
}

/// The line and column of a byte, both counted from 1, columns in characters.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let column = before.chars().rev().take_while(|sign| *sign != '\n').count() + 1;
    (before.matches('\n').count() + 1, column)
}

/// Reads a document whole.
pub fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    let (mut file, _) = open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| explain(path, Doing::Read, &error))?;
    Ok(bytes)
}

/// Reads a document of text whole.
pub fn read_text(path: &Path) -> Result<String, Fault> {
    as_text(path, read(path)?)
}

fn as_text(path: &Path, bytes: Vec<u8>) -> Result<String, Fault> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Fault::new(format!("`{}` is not a text file: byte {at} is not UTF-8", path.display()))
            .about_word(path.display())
            .hint("save it as UTF-8")
    })
}

/// Reads a script of at most [`LONGEST_SCRIPT`] bytes, from a stream too; `interrupt` ends the waiting for one.
pub fn read_script(path: &Path, interrupt: &AtomicBool) -> Result<String, Fault> {
    let refused = |error: io::Error| explain(path, Doing::Read, &error);
    let mut file = source(path)?;
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; BUFFER]);
    while bytes.len() <= LONGEST_SCRIPT {
        if interrupt.load(Ordering::Relaxed) {
            return Err(Fault::new(format!("interrupted: `{}` was not read", path.display())));
        }
        // A pipe without a writer yet reads as one at its end, so nothing is read before there is something.
        let waiting = &mut [PollFd::new(&file, PollFlags::IN)];
        // Nor after a signal, of which `interrupt` says whether it ends the waiting.
        if matches!(poll(waiting, Some(&GLANCE)), Ok(0) | Err(Errno::INTR)) {
            continue;
        }
        match file.read(&mut buffer) {
            Ok(0) => return as_text(path, bytes),
            Ok(more) => bytes.extend_from_slice(&buffer[..more]),
            Err(error)
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(error) => return Err(refused(error)),
        }
    }
    Err(too_long(&path.display().to_string()))
}

/// A script, or a statement of one, that goes on beyond [`LONGEST_SCRIPT`].
pub fn too_long(shown: &str) -> Fault {
    let mib = LONGEST_SCRIPT >> 20;
    Fault::new(format!("`{shown}` is longer than {mib} MiB"))
        .about_word(shown)
        .hint("divide it, or check that it is a script")
}

/// Opens a document for reading, with its length in bytes.
pub fn open(path: &Path) -> Result<(File, u64), Fault> {
    let file = source(path)?;
    let found = regular(path, Doing::Read, file.metadata())?;
    Ok((file, found.len()))
}

/// What can be read from its beginning on.
#[derive(Debug)]
pub(crate) enum Stream {
    SavedSession(File),
    /// What another program is writing.
    Pipe(File),
}

/// Opens a document, or a stream that another program writes: a pipe with a name, or `-` for standard input.
pub(crate) fn stream(path: &Path) -> Result<Stream, Fault> {
    let file = if standard::is_input(path) {
        standard::take_input()?
    } else {
        open_at_once(path, OpenOptions::new().read(true), Doing::Read)?
    };
    let kind = file.metadata().map(|found| found.file_type());
    if kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket()) {
        return Ok(Stream::Pipe(file));
    }
    regular(path, Doing::Read, file.metadata())?;
    Ok(Stream::SavedSession(file))
}

/// What is read under a name; of standard input what it held.
fn source(path: &Path) -> Result<File, Fault> {
    if standard::is_input(path) {
        return standard::input();
    }
    open_at_once(path, OpenOptions::new().read(true), Doing::Read)
}

/// Opens whatever has the name, without waiting for whoever is at a pipe's other end.
fn open_at_once(path: &Path, options: &mut OpenOptions, doing: Doing) -> Result<File, Fault> {
    options
        .custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed())
        .open(path)
        .map_err(|error| explain(path, doing, &error))
}

/// What the system refused, as a fault that names the path and the remedy.
pub(crate) fn explain(path: &Path, doing: Doing, error: &io::Error) -> Fault {
    let (reason, hint) = match error.kind() {
        ErrorKind::NotFound => missing(path),
        ErrorKind::PermissionDenied => (
            "permission denied".to_owned(),
            "check the permissions of the file and of its directory",
        ),
        ErrorKind::ReadOnlyFilesystem => {
            ("the file system is read-only".to_owned(), "choose a path elsewhere")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => (
            format!("no room on the disk ({})", words::of_system(error)),
            "free some space or choose a path elsewhere; an old file is unchanged",
        ),
        ErrorKind::IsADirectory => ("it is a directory".to_owned(), "give the name of a file"),
        ErrorKind::NotADirectory => {
            ("a part of the path is a file, not a directory".to_owned(), "check the path")
        }
        ErrorKind::InvalidFilename => (
            format!("the name is not possible here ({})", words::of_system(error)),
            "choose a shorter or simpler name",
        ),
        _ => (words::of_system(error), "try again, or choose a path elsewhere"),
    };
    Fault::new(format!("cannot {doing} `{}`: {reason}", path.display()))
        .about_word(path.display())
        .hint(hint)
}

#[derive(Clone, Copy, Debug, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Doing {
    Read,
    Write,
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

pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// What is known of a file, if it is a regular one.
fn regular(path: &Path, doing: Doing, found: io::Result<Metadata>) -> Result<Metadata, Fault> {
    let found = found.map_err(|error| explain(path, doing, &error))?;
    if found.is_dir() {
        return Err(explain(path, doing, &ErrorKind::IsADirectory.into()));
    }
    if !found.is_file() {
        let what = format!("cannot {doing} `{}`: it is not a regular file", path.display());
        return Err(Fault::new(what).about_word(path.display()).hint(match doing {
            Doing::Read => "give the name of a file on a disk, or `-` for standard input",
            Doing::Write => "give the name of a file on a disk, or `-` for standard output",
        }));
    }
    Ok(found)
}

/// Where the file really is or will be, links followed, and what is there.
fn target(path: &Path) -> Result<(PathBuf, Option<Metadata>), Fault> {
    let found = fs::metadata(path);
    if found.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound)
        && path.file_name().is_some()
    {
        return Ok((follow(path), None));
    }
    let old = regular(path, Doing::Write, found)?;
    if old.permissions().readonly() {
        let what = format!("cannot write `{}`: it is write-protected", path.display());
        return Err(Fault::new(what)
            .about_word(path.display())
            .hint("give it write permission, or choose another name"));
    }
    Ok((follow(path), Some(old)))
}

/// Links one after the other that the system follows.
const LINKS: usize = 40;

/// Where a chain of links ends, whether or not something is there.
fn follow(path: &Path) -> PathBuf {
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&at) {
            Ok(to) => at = folder(&at).join(to),
            Err(_) => break,
        }
    }
    at
}

fn fill<T>(
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
        // Only the superuser can give a file away; a member of the group can at least keep that.
        if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
            fchown(file, None, Some(old.gid())).ok();
        }
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    temporary.persist(target).map_err(|refused| refused.error)?;
    // The new file is in place. Whether its directory can be flushed is up to the file system; not all of them can.
    File::open(folder(target)).and_then(|folder| folder.sync_all()).ok();
    Ok(())
}

/// How the names of temporary files end.
const SUFFIX: &str = ".plyscope-tmp";

/// Names of targets longer than this many bytes are shortened to a check sum: a name has 255 at most.
const LONGEST_NAME: usize = 150;

/// A temporary file for a target, in its folder, which nobody may read who may not read the old one. It is locked as long
/// as it is open: without a lock it is one that a killed process has left behind.
fn create(target: &Path, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let folder = folder(target);
    let prefix = prefix_for(target);
    sweep(folder, &prefix);
    // What a new file gets anywhere else: the process's mask decides, not the care due to secrets.
    let mode = old.map_or(0o666, |old| old.permissions().mode() & 0o666);
    loop {
        let file = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(SUFFIX)
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)?;
        // Some file systems know no locks; nothing is swept there.
        flock(file.as_file(), FlockOperation::LockExclusive).ok();
        // Another process may have swept it before the lock.
        if file.as_file().metadata()?.nlink() > 0 {
            return Ok(file);
        }
    }
}

/// How the names of all temporary files for a target begin: `.NAME.`
fn prefix_for(target: &Path) -> OsString {
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

/// Removes what killed processes have left behind. What cannot be read or removed stays: it is in nobody's way.
fn sweep(folder: &Path, prefix: &OsStr) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name();
        let name = name.as_encoded_bytes();
        let is_ours =
            name.starts_with(prefix.as_encoded_bytes()) && name.ends_with(SUFFIX.as_bytes());
        let Some(left) = is_ours.then(|| File::open(file.path()).ok()).flatten() else {
            continue;
        };
        // The lock is held until the name is gone: a process that has just created the file waits for the lock, finds the file
        // without a name and takes another. Without this it would fail when it renames the file.
        if flock(&left, FlockOperation::NonBlockingLockExclusive).is_ok() {
            fs::remove_file(file.path()).ok();
        }
        drop(left);
    }
}
