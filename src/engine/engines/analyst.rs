//! An engine that analyses in the background: a thread searches each position until it gets the next one.

use std::{
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread::{self, JoinHandle},
};

use super::{Found, Guest};
use crate::engine::game::{Fault, Result};

/// The result of a background analysis so far.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The position as a UCI command `position`; empty before the first position.
    pub position: String,
    /// The lines of play found so far, the best first.
    pub lines: Vec<Found>,
    /// The fault with which the engine ended, if it has ended.
    pub fault: Option<Fault>,
}

/// An engine that analyses in the background. Its process ends when the value is dropped.
#[derive(Debug)]
pub struct Analyst {
    /// The name of the engine, as the user gave it.
    pub name: String,
    /// The name of the game that the engine plays.
    pub game: &'static str,
    found: Arc<Mutex<Analysis>>,
    /// The last position sent to the thread; `None`: no position to analyse.
    sent: Option<String>,
    positions: Option<Sender<Option<String>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Analyst {
    /// Starts the engine in a thread of its own, in `MultiPV` mode with `lines` lines (up to [`MOST_LINES`]).
    /// Errors: a thread that cannot be started. Faults of the engine are in [`Analysis::fault`].
    pub fn start(mut guest: Guest, game: &'static str, lines: usize) -> io::Result<Self> {
        let name = guest.name.clone();
        let (positions, receiver) = mpsc::channel();
        let (found, stop) = (Arc::<Mutex<Analysis>>::default(), Arc::<AtomicBool>::default());
        let (shared, flag) = (Arc::clone(&found), Arc::clone(&stop));
        let work = move || {
            let followed = guest
                .prepare(game, &flag)
                .and_then(|()| guest.send(&format!("setoption name MultiPV value {lines}")))
                .and_then(|()| follow(&mut guest, &receiver, &flag, &shared));
            if let Err(fault) = followed {
                lock_analysis(&shared).fault = Some(fault);
            }
        };
        let thread = thread::Builder::new().spawn(work)?;
        let (positions, thread) = (Some(positions), Some(thread));
        Ok(Self { name, game, found, sent: None, positions, stop, thread })
    }

    /// Sets the position to analyse; `None` stops. A search of the same position goes on.
    pub fn set_position(&mut self, position: Option<String>) {
        if self.sent != position {
            self.sent.clone_from(&position);
            // If the thread has ended, sending fails, and `found` already has the fault.
            let _ = self.positions.as_ref().map(|sender| sender.send(position));
        }
    }

    /// The analysis of the position set last; empty until the engine has begun to search that position.
    pub fn found(&self) -> Analysis {
        let found = lock_analysis(&self.found).clone();
        match &self.sent {
            Some(sent) if *sent == found.position => found,
            _ => Analysis { fault: found.fault, ..Analysis::default() },
        }
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.positions = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock_analysis(found: &Mutex<Analysis>) -> MutexGuard<'_, Analysis> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Searches each position that the channel delivers, until the channel is closed.
fn follow(
    guest: &mut Guest,
    positions: &Receiver<Option<String>>,
    stop: &AtomicBool,
    shared: &Mutex<Analysis>,
) -> Result<()> {
    while let Ok(mut newest) = positions.recv() {
        while let Some(position) = newest.take() {
            *lock_analysis(shared) = Analysis { position: position.clone(), ..Analysis::default() };
            let until = || positions.try_iter().last();
            let read = |line: &str| read(&mut lock_analysis(shared).lines, line);
            let Some(next) = guest.search_until(&position, stop, until, read)? else {
                return Ok(());
            };
            newest = next;
        }
    }
    Ok(())
}

/// Reads a line that an engine prints in `MultiPV` mode.
fn read(lines: &mut Vec<Found>, text: &str) {
    let mut words = text.split_whitespace().skip_while(|word| *word != "multipv").skip(1);
    let place = words.next().and_then(|word| word.parse::<usize>().ok()).unwrap_or(1);
    if !(1..=MOST_LINES).contains(&place) || !text.contains(" pv ") {
        return;
    }
    if lines.len() < place {
        lines.resize(place, Found::default());
    }
    lines[place - 1].read_info(text);
}

/// The greatest number of lines of play in one analysis.
pub const MOST_LINES: usize = 10;
