//! Standard input and output, for files named `-`.

use std::{
    cell::Cell,
    fs::File,
    io::{self, ErrorKind, Read as _, Seek as _},
    os::fd::AsFd as _,
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use super::{FileAccess, Polled, io_fault, words};
use crate::engine::game::Fault;

/// The greatest length in bytes of a document on standard input.
const LONGEST: u64 = 1 << 30;

/// A copy of standard input, once it has been read; or the fault if standard input is reserved.
static INPUT: OnceLock<Result<File, Fault>> = OnceLock::new();

/// The flag that stops the running command and any wait for standard input.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Whether the full screen is drawn on standard output.
static SCREEN: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether the running command has written a document to standard output.
    static WROTE: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn is_input(path: &Path) -> bool {
    path == Path::new("-")
}

pub(crate) fn is_output(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// Reserves standard input for commands: from now on, reading a document from `-` fails.
pub fn reserve_input() {
    INPUT.get_or_init(|| {
        Err(Fault::new("cannot read `-`: the commands are read from standard input")
            .hint("give the name of a file, or the commands with -c"))
    });
}

/// Sets the flag that ends a wait for standard input.
pub fn set_stop_flag(stop: Arc<AtomicBool>) {
    STOP.get_or_init(|| stop);
}

/// Reserves standard output for the screen: from now on, writing a document to `-` fails.
pub fn reserve_output() {
    SCREEN.store(true, Relaxed);
}

/// All of standard input, as a file that is read from its start after each call.
pub(super) fn input() -> Result<File, Fault> {
    let refused = |error: &io::Error| io_fault(Path::new("-"), FileAccess::Read, error);
    let held = INPUT.get_or_init(|| copy_input().map_err(|error| refused(&error)));
    let file = held.as_ref().map_err(Clone::clone)?;
    let rewound = file.try_clone().and_then(|mut file| {
        file.rewind()?;
        Ok(file)
    });
    rewound.map_err(|error| refused(&error))
}

/// Standard input as it arrives, after which `-` cannot be read; or the copy, if a command has read all of standard input.
pub(super) fn take_input() -> Result<File, Fault> {
    let refused = |error: &io::Error| io_fault(Path::new("-"), FileAccess::Read, error);
    if INPUT.get().is_some() {
        return input();
    }
    let taken = Fault::new("cannot read `-`: a trace has been read from standard input");
    let file = io::stdin().as_fd().try_clone_to_owned().map_err(|error| refused(&error))?;
    INPUT.get_or_init(|| Err(taken.hint("write the trace to a file to open it again")));
    Ok(File::from(file))
}

/// Copies standard input to an unnamed temporary file.
fn copy_input() -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    let input = Polled { source: io::stdin().lock(), stop: STOP.get().map(|stop| &**stop) };
    let read = io::copy(&mut input.take(LONGEST + 1), &mut file)?;
    if read > LONGEST {
        let mib = LONGEST >> 20;
        return Err(io::Error::other(format!("it is longer than {mib} MiB")));
    }
    Ok(file)
}

pub(super) fn write(document: &mut File) -> Result<(), Fault> {
    if SCREEN.load(Relaxed) {
        return Err(Fault::new("cannot write `-`: standard output is the screen")
            .hint("give the name of a file"));
    }
    WROTE.set(true);
    let mut out = io::stdout().lock();
    let written = document
        .rewind()
        .and_then(|()| io::copy(document, &mut out))
        .and_then(|_| io::Write::flush(&mut out));
    match written {
        // A closed pipe is no fault: the program that reads it, such as `head`, may have ended.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Fault::new(format!(
            "cannot write standard output: {}",
            words::system_message(&error)
        ))
        .hint("give the name of a file")),
        _ => Ok(()),
    }
}

/// Whether a document has been written to standard output since the last call, in place of the command's reply.
pub(crate) fn wrote_output() -> bool {
    WROTE.replace(false)
}
