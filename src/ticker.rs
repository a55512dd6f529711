//! A progress line for long operations, at the terminal.

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

/// The width of the progress bar in columns.
const BAR: usize = 16;
/// On terminals with at most this many columns, the line has no bar.
const ROOMY: usize = 78;

/// A progress line on standard error, shown while an operation takes longer than a second.
#[derive(Debug, Default)]
pub struct Ticker {
    /// The progress in the line, if the line is shown. Locked while the line is being written or removed.
    shown: Arc<Mutex<Option<Operation>>>,
    stopped: Arc<AtomicBool>,
}

impl Ticker {
    /// Starts a thread that updates the line. Without a terminal on standard error, nothing is shown.
    pub fn start(progress: Arc<Progress>) -> Self {
        let ticker = Self::default();
        if !io::stderr().is_terminal() {
            return ticker;
        }
        let (shown, stopped) = (Arc::clone(&ticker.shown), Arc::clone(&ticker.stopped));
        // If the thread cannot be started, only the progress line is missing.
        let _ = thread::Builder::new().name("progress".to_owned()).spawn(move || {
            while !stopped.load(SeqCst) {
                thread::sleep(PERIOD);
                let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
                let size = termios::tcgetwinsize(io::stderr());
                // The last column stays free, because a full line would wrap.
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

    /// Removes the line, so that a reply can be printed. Returns the last progress shown, if any.
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
