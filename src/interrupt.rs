//! Ctrl-C: stops the command that runs, and does something else where none does.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::SeqCst},
};

/// The process's answer to SIGINT, SIGTERM and SIGHUP.
#[derive(Debug)]
pub struct Interrupt(Arc<State>);

#[derive(Debug, Default)]
struct State {
    busy: AtomicBool,
    pressed: AtomicBool,
}

/// A signal that stops no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    /// No command is running.
    Idle,
    /// The running command has been asked to stop before.
    Repeated,
}

impl Interrupt {
    /// Signals set `stop` while a command runs; others go to `unused`, in a thread of its own.
    pub fn install(stop: Arc<AtomicBool>, unused: impl Fn(Unused) + Send + 'static) -> Self {
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        // Without a handler Ctrl-C ends the process, which is what is left to do then.
        let _ = ctrlc::set_handler(move || {
            if !shared.busy.load(SeqCst) {
                unused(Unused::Idle);
            } else if shared.pressed.swap(true, SeqCst) {
                unused(Unused::Repeated);
            } else {
                stop.store(true, SeqCst);
            }
        });
        Self(state)
    }

    /// Runs a command that a signal asks to stop.
    pub fn during<T>(&self, command: impl FnOnce() -> T) -> T {
        self.0.pressed.store(false, SeqCst);
        self.0.busy.store(true, SeqCst);
        let result = command();
        self.0.busy.store(false, SeqCst);
        result
    }

    /// Whether the last command was asked to stop.
    pub fn pressed(&self) -> bool {
        self.0.pressed.load(SeqCst)
    }
}
