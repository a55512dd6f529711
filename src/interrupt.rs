//! Signals. One object owns the flag that stops a command: it alone clears it, when the next command begins.

use std::{
    fs, process,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ},
    iterator::Signals,
    low_level,
};

/// What every front end heeds.
const HEEDED: [i32; 5] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ];

/// So long a command has to stop by itself, and a terminal to take what gives it back; then the process ends without.
const GRACE: Duration = Duration::from_millis(400);

/// Whether a command runs, and whether it has been asked to stop. Clones are the same.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<Owner>);

#[derive(Debug)]
struct Owner {
    stop: Arc<AtomicBool>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    busy: bool,
    pressed: bool,
    /// A signal ends the process: nothing more begins, nothing goes on.
    ending: bool,
}

/// A Ctrl-C that stops no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    /// No command is running.
    Idle,
    /// The running command has been asked to stop before.
    Repeated,
}

/// What a front end does about signals. Everything here is called from a thread of the signals' own.
pub trait Front: Send + Sync + 'static {
    /// Signals besides those that every front end heeds; they go to [`Front::take`].
    const MORE: &'static [i32] = &[];

    /// Puts the terminal back, for the end of the process.
    fn leave(&self) {}

    /// Whether a SIGINT that stops no command ends the process.
    fn ends_on(&self, unused: Unused) -> bool;

    /// Takes a signal that no other front end heeds.
    fn take(&self, _signal: i32) {}
}

impl Interrupt {
    /// The owner of the flag `stop`, which commands poll.
    pub fn new(stop: Arc<AtomicBool>) -> Self {
        Self(Arc::new(Owner { stop, state: Mutex::default(), changed: Condvar::new() }))
    }

    /// A command begins: what was pressed before does not concern it. Does not return where a signal ends the process.
    pub fn begin(&self) {
        let mut state = self.unless_ending(self.state());
        (state.busy, state.pressed) = (true, false);
        self.0.stop.store(false, SeqCst);
    }

    /// The command has come back. Does not return where a signal ends the process.
    pub fn end(&self) {
        let mut state = self.state();
        state.busy = false;
        self.0.changed.notify_all();
        drop(self.unless_ending(state));
    }

    /// Asks the running command to stop, which it needs to be only once.
    pub fn press(&self) -> Result<(), Unused> {
        let mut state = self.state();
        match (state.busy, state.pressed) {
            (false, _) => Err(Unused::Idle),
            (true, true) => Err(Unused::Repeated),
            (true, false) => {
                state.pressed = true;
                self.0.stop.store(true, SeqCst);
                Ok(())
            }
        }
    }

    /// Whether the running command, or the last one, was asked to stop.
    pub fn pressed(&self) -> bool {
        self.state().pressed
    }

    /// Heeds the signals of the process from now on.
    pub fn heed<F: Front>(&self, front: F) {
        let ignored = ignored();
        let heeded = HEEDED.into_iter().chain(F::MORE.iter().copied());
        let heeded = heeded.filter(|signal| ignored >> (signal - 1) & 1 == 0);
        // Without a handler a signal does what it does to any program.
        let Ok(mut signals) = Signals::new(heeded) else {
            return;
        };
        let (owner, front) = (self.clone(), Arc::new(front));
        let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                owner.signal(signal, &front);
            }
        });
    }

    fn signal(&self, signal: i32, front: &Arc<impl Front>) {
        match signal {
            SIGINT => {
                if self.press().is_err_and(|unused| front.ends_on(unused)) {
                    self.end_process(signal, front);
                }
            }
            SIGTERM | SIGHUP => self.end_process(signal, front),
            SIGQUIT => {
                give_back(front);
                let _ = low_level::emulate_default_handler(signal);
            }
            // What is written beyond the limit fails, and its command says so.
            SIGXFSZ => {}
            other => front.take(other),
        }
    }

    /// Gives the running command time to stop, puts the terminal back, and exits as shells expect it of a signal.
    fn end_process(&self, signal: i32, front: &Arc<impl Front>) -> ! {
        let mut state = self.state();
        (state.pressed, state.ending) = (true, true);
        self.0.stop.store(true, SeqCst);
        let waited = self.0.changed.wait_timeout_while(state, GRACE, |state| state.busy);
        drop(waited);
        give_back(front);
        process::exit(128 + signal);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end of the process where a signal has asked for it.
    fn unless_ending<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        while state.ending {
            let woken = self.0.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        state
    }
}

/// Puts the terminal back, but does not wait for one that takes nothing.
fn give_back(front: &Arc<impl Front>) {
    let front = Arc::clone(front);
    let (done, given_back) = mpsc::channel();
    let spawned = thread::Builder::new().spawn(move || {
        front.leave();
        let _ = done.send(());
    });
    if spawned.is_ok() {
        let _ = given_back.recv_timeout(GRACE);
    }
}

/// The signals that whoever started the process wants ignored, as `nohup` does: a bit each, the first for signal 1.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap_or_default())
}
