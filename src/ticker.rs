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

use crate::engine::progress::Progress;

/// Between two looks at how far it is.
const PERIOD: Duration = Duration::from_millis(200);

/// A line on standard error that comes with operations of more than a second and goes with them.
#[derive(Debug, Default)]
pub struct Ticker {
    /// Whether the line is there; held while it is written or taken away.
    shown: Arc<Mutex<bool>>,
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
                let line = progress.stand().and_then(|stand| stand.line(columns));
                if let Some(line) = line {
                    *shown = true;
                    let _ = write!(io::stderr(), "\r{line}\x1b[K");
                }
            }
        });
        ticker
    }

    /// Takes the line away, so that an answer can be printed.
    pub fn clear(&self) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut *shown) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stopped.store(true, SeqCst);
        self.clear();
    }
}
