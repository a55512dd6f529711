//! Shows the progress of a long operation on the terminal.

use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

use rustix::termios;

use crate::engine::progress::{Operation, Progress};

const PERIOD: Duration = Duration::from_millis(200);

/// Width of the bar in columns.
const BAR: usize = 16;
/// Terminals with fewer columns show the words only.
const ROOMY: usize = 78;

/// A progress line on standard error, shown while an operation takes more than a second.
#[derive(Debug, Default)]
pub struct Ticker {
    /// The progress on the line, if there is one. Locked while the line is written or removed.
    shown: Arc<Mutex<Option<Operation>>>,
    stopped: Arc<AtomicBool>,
}

impl Ticker {
    /// Starts a thread that updates the line. Nothing is shown if standard error is no terminal.
    pub fn start(progress: Arc<Progress>) -> Self {
        let ticker = Self::default();
        if !io::stderr().is_terminal() {
            return ticker;
        }
        let (shown, stopped) = (Arc::clone(&ticker.shown), Arc::clone(&ticker.stopped));
        // If the thread cannot be started, only the line is missing.
        let _ = thread::Builder::new().name("progress".to_owned()).spawn(move || {
            while !stopped.load(SeqCst) {
                thread::sleep(PERIOD);
                let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
                let size = termios::tcgetwinsize(io::stderr());
                // The last column stays free: a full line would wrap.
                let columns = size.map_or(80, |size| usize::from(size.ws_col)).max(2) - 1;
                let bar = |operation: &Operation| operation.bar(BAR).filter(|_| columns > ROOMY);
                let line = |operation: Operation| {
                    let bar = bar(&operation).map_or_else(String::new, |bar| format!("{bar}  "));
                    Some((bar.clone() + &operation.line(columns - bar.len())?, operation))
                };
                if let Some((line, operation)) = progress.operation().and_then(line) {
                    *shown = Some(operation);
                    let _ = write!(io::stderr(), "\r{line}\x1b[K");
                }
            }
        });
        ticker
    }

    /// Removes the line, so that a reply can be printed. Returns the last progress shown.
    pub fn clear(&self) -> Option<Operation> {
        let operation = self.shown.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let _ = write!(io::stderr(), "\r\x1b[K");
        Some(operation)
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stopped.store(true, SeqCst);
        self.clear();
    }
}
