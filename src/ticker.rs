//! Shows on the terminal how far a long operation is.

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

/// Between two looks at how far it is.
const PERIOD: Duration = Duration::from_millis(200);

/// So wide is the bar, and terminals of fewer columns have room for the words only.
const BAR: usize = 16;
const ROOMY: usize = 78;

/// A line on standard error that comes with operations of more than a second and goes with them.
#[derive(Debug, Default)]
pub struct Ticker {
    /// What the line says while it is there; held while it is written or taken away.
    shown: Arc<Mutex<Option<Operation>>>,
    stopped: Arc<AtomicBool>,
}

impl Ticker {
    /// Watches from now on; where standard error is no terminal, it shows nothing.
    pub fn start(progress: Arc<Progress>) -> Self {
        let ticker = Self::default();
        if !io::stderr().is_terminal() {
            return ticker;
        }
        let (shown, stopped) = (Arc::clone(&ticker.shown), Arc::clone(&ticker.stopped));
        // Without a thread nothing is shown, which harms nobody.
        let _ = thread::Builder::new().name("progress".to_owned()).spawn(move || {
            while !stopped.load(SeqCst) {
                thread::sleep(PERIOD);
                let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
                let size = termios::tcgetwinsize(io::stderr());
                // The last column stays free: a full line would begin the next.
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

    /// Takes the line away, so that an answer can be printed; what it said last, if it was there.
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
