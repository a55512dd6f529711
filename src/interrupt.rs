//! Signals, and the flag that stops a running command.

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

const HANDLED: [i32; 5] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ];

/// How long a command has to stop, and a terminal to take the output that restores it, before the process ends anyway.
const GRACE: Duration = Duration::from_millis(400);
/// How long a front end has to save its work.
const SAVING: Duration = Duration::from_secs(5);

/// Whether a command is running, and whether it was interrupted. Clones of this value share the state.
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
    stop_requested: bool,
    /// Whether a signal is ending the process, so that no command may begin or return.
    ending: bool,
}

/// Why Ctrl-C stops no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NothingToStop {
    /// No command is running.
    Idle,
    /// The running command has already been interrupted.
    Repeated,
}

/// How a front end reacts to signals. The signal thread calls these functions.
pub trait Front: Send + Sync + 'static {
    /// The numbers of further signals that [`Front::take`] handles.
    const MORE: &'static [i32] = &[];

    /// Restores the terminal before the process ends.
    fn leave(&self) {}

    /// Whether SIGINT ends the process if there is no command for it to stop.
    fn ends_on(&self, reason: NothingToStop) -> bool;

    /// Whether the front end saves its work on this signal and then ends the process itself.
    fn saves(&self, _signal: i32) -> bool {
        false
    }

    /// Handles one of the signals in [`Front::MORE`].
    fn take(&self, _signal: i32) {}
}

impl Interrupt {
    /// An interrupt that sets the flag `stop`, which commands poll.
    pub fn new(stop: Arc<AtomicBool>) -> Self {
        Self(Arc::new(Owner { stop, state: Mutex::default(), changed: Condvar::new() }))
    }

    /// Marks the beginning of a command and clears the flag. Never returns if a signal is ending the process.
    pub fn begin(&self) {
        let mut state = self.unless_ending(self.state());
        (state.busy, state.stop_requested) = (true, false);
        self.0.stop.store(false, SeqCst);
    }

    /// Marks the end of a command and clears the flag, so that look-ups for the screen are not stopped. Never returns if a
    /// signal is ending the process.
    pub fn end(&self) {
        let mut state = self.state();
        state.busy = false;
        self.0.changed.notify_all();
        let _state = self.unless_ending(state);
        self.0.stop.store(false, SeqCst);
    }

    /// Interrupts the running command. Errors: no command is running, or it has already been interrupted.
    pub fn request_stop(&self) -> Result<(), NothingToStop> {
        let mut state = self.state();
        match (state.busy, state.stop_requested) {
            (false, _) => Err(NothingToStop::Idle),
            (true, true) => Err(NothingToStop::Repeated),
            (true, false) => {
                state.stop_requested = true;
                self.0.stop.store(true, SeqCst);
                Ok(())
            }
        }
    }

    /// Whether the running command, or else the last one, has been interrupted.
    pub fn stop_requested(&self) -> bool {
        self.state().stop_requested
    }

    /// Starts the thread that handles signals.
    pub fn handle_signals<F: Front>(&self, front: F) {
        let ignored = ignored();
        let wanted = HANDLED.into_iter().chain(F::MORE.iter().copied());
        let handled = wanted.filter(|signal| ignored >> (signal - 1) & 1 == 0);
        // If the handlers cannot be installed, signals have their default effects.
        let Ok(mut signals) = Signals::new(handled) else {
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
                if self.request_stop().is_err_and(|reason| front.ends_on(reason)) {
                    self.end_process(signal, front);
                }
            }
            SIGTERM | SIGHUP => self.end_process(signal, front),
            SIGQUIT => {
                restore_terminal(front);
                let _ = low_level::emulate_default_handler(signal);
            }
            // With this signal handled, a write beyond the file-size limit fails, and the command reports the error.
            SIGXFSZ => {}
            other => front.take(other),
        }
    }

    /// Gives the front end time to save its work, and the running command time to stop; then restores the terminal and exits
    /// with the status that shells expect.
    fn end_process(&self, signal: i32, front: &Arc<impl Front>) -> ! {
        if front.saves(signal) {
            thread::sleep(SAVING);
        }
        let mut state = self.state();
        (state.stop_requested, state.ending) = (true, true);
        self.0.stop.store(true, SeqCst);
        let waited = self.0.changed.wait_timeout_while(state, GRACE, |state| state.busy);
        drop(waited);
        restore_terminal(front);
        process::exit(128 + signal);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks for ever if a signal is ending the process.
    fn unless_ending<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        while state.ending {
            let woken = self.0.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        state
    }
}

/// Restores the terminal; gives up if the terminal takes no output.
fn restore_terminal(front: &Arc<impl Front>) {
    let front = Arc::clone(front);
    let (done, restored) = mpsc::channel();
    let spawned = thread::Builder::new().spawn(move || {
        front.leave();
        let _ = done.send(());
    });
    if spawned.is_ok() {
        let _ = restored.recv_timeout(GRACE);
    }
}

/// The signals ignored from the start of the process, as under `nohup`: one bit each, bit 0 for signal 1.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap_or_default())
}
