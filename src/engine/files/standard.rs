//! Standard input and output where a file's name is `-`.

use std::{
    cell::Cell,
    fs::File,
    io::{self, ErrorKind, Read, Seek, StdinLock},
    os::fd::AsFd as _,
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};

use super::{Doing, GLANCE, explain, words};
use crate::engine::game::Fault;

/// The most bytes of a document on standard input.
const LONGEST: u64 = 1 << 30;

/// What standard input held, once it was asked for; a fault where something else reads it.
static INPUT: OnceLock<Result<File, Fault>> = OnceLock::new();

/// Set when the running command is to stop: waiting for standard input ends then.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Whether standard output is the screen.
static SCREEN: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether the command that runs has written to standard output.
    static TAKEN: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn is_input(path: &Path) -> bool {
    path == Path::new("-")
}

pub(crate) fn is_output(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// Keeps standard input for commands: no document is read from it any more.
pub fn keep_input() {
    INPUT.get_or_init(|| {
        Err(Fault::new("cannot read `-`: standard input is where the commands come from")
            .hint("give the name of a file, or the commands with -c"))
    });
}

/// Has the flag that stops commands end waiting for standard input too.
pub fn heed(stop: Arc<AtomicBool>) {
    STOP.get_or_init(|| stop);
}

/// Keeps standard output for the screen: no document is written to it any more.
pub fn keep_output() {
    SCREEN.store(true, Relaxed);
}

/// What standard input holds, from its beginning, however often it is asked for.
pub(super) fn input() -> Result<File, Fault> {
    let refused = |error: &io::Error| explain(Path::new("-"), Doing::Read, error);
    let held = INPUT.get_or_init(|| hold().map_err(|error| refused(&error)));
    let file = held.as_ref().map_err(Clone::clone)?;
    let rewound = file.try_clone().and_then(|mut file| {
        file.rewind()?;
        Ok(file)
    });
    rewound.map_err(|error| refused(&error))
}

/// Standard input itself, as it comes; nothing else can be read from it afterwards. Where it was read before, what it held.
pub(super) fn take_input() -> Result<File, Fault> {
    let refused = |error: &io::Error| explain(Path::new("-"), Doing::Read, error);
    if INPUT.get().is_some() {
        return input();
    }
    let taken = Fault::new("cannot read `-`: a trace has been read from standard input");
    let file = io::stdin().as_fd().try_clone_to_owned().map_err(|error| refused(&error))?;
    INPUT.get_or_init(|| Err(taken.hint("write the trace to a file to open it again")));
    Ok(File::from(file))
}

/// Standard input, read when there is something: a read that waits would hear of no signal.
struct Waiting<'a>(StdinLock<'a>);

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if STOP.get().is_some_and(|stop| stop.load(Relaxed)) {
                return Err(io::Error::other("interrupted"));
            }
            let waiting = &mut [PollFd::new(&self.0, PollFlags::IN)];
            if !matches!(poll(waiting, Some(&GLANCE)), Ok(0) | Err(Errno::INTR)) {
                return self.0.read(buffer);
            }
        }
    }
}

/// Reads standard input into a file without a name.
fn hold() -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    let read = io::copy(&mut Waiting(io::stdin().lock()).take(LONGEST + 1), &mut file)?;
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
    TAKEN.set(true);
    let mut out = io::stdout().lock();
    let written = document
        .rewind()
        .and_then(|()| io::copy(document, &mut out))
        .and_then(|_| io::Write::flush(&mut out));
    match written {
        // Whoever reads it may have seen enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Fault::new(format!("cannot write standard output: {}", words::of_system(&error)))
                .hint("give the name of a file"))
        }
        _ => Ok(()),
    }
}

/// Whether a document has gone to standard output since this was last asked: it stands in place of the command's reply.
pub(crate) fn took_output() -> bool {
    TAKEN.replace(false)
}
