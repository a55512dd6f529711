//! The engine: the only door to the domain.

pub mod cachefile;
pub mod files;
pub mod game;
pub mod memo;
pub mod morris;
pub mod report;
pub mod search;

use std::sync::{Arc, atomic::AtomicBool};

/// Everything behind the commands.
#[derive(Debug, Default)]
pub struct Engine {
    interrupt: Arc<AtomicBool>,
}

impl Engine {
    /// Set by a front end (Ctrl-C) to stop a running search; the search clears it when it starts.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }
}
