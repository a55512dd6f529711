//! What readers and writers of all formats share: interrupts and damage.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

use serde::Serialize;

use crate::engine::{
    game::{Fault, Keyed, Result},
    table::{Entry, EntrySink},
    workers::interrupted,
};

/// What a long operation on a file answers to while it runs: asked and told once a block.
pub struct Watch<'a> {
    /// Set by someone else to stop the operation; it ends with a fault and changes nothing.
    pub interrupt: &'a AtomicBool,
    /// Told (done, of how many): entries when saving, bytes when loading.
    pub progress: &'a mut dyn FnMut(u64, u64),
}

impl Watch<'_> {
    /// Tells how far the operation is. Fails where it is to stop.
    pub(in crate::engine) fn tick(&mut self, done: u64, total: u64) -> Result<()> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
        (self.progress)(done, total);
        Ok(())
    }
}

/// Does something long that nobody watches and nobody stops.
pub fn quietly<T>(work: impl FnOnce(&mut Watch) -> T) -> T {
    work(&mut Watch { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} })
}

/// A damaged place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DamagedPlace {
    /// Its name, such as `block 3`, `record 7` or `the header`; blocks and records count from 1.
    pub place: String,
    /// Where it begins in the file.
    pub offset: u64,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for DamagedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.place, self.offset, self.reason)
    }
}

/// What reading a file to its end has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// What to do about damage; nothing where it is noted and stepped over. Else reading ends at the first damaged place.
    pub(super) remedy: Option<&'static str>,
    /// Sound records.
    pub records: u64,
    /// Sound blocks, where the format has blocks.
    pub blocks: Option<u64>,
    /// Damaged places, the first ones.
    pub damage: Vec<DamagedPlace>,
    /// How many there are.
    pub damaged: u64,
}

/// Damaged places that are named; more are counted.
const NAMED: usize = 20;

impl Findings {
    /// Notes a damaged place, which is a fault unless damage is stepped over.
    pub(super) fn note(&mut self, place: DamagedPlace) -> Result<()> {
        let fault = self.remedy.map(|remedy| Fault::new(place.to_string()).hint(remedy));
        self.damaged += 1;
        if self.damage.len() < NAMED {
            self.damage.push(place);
        }
        fault.map_or(Ok(()), Err)
    }

    /// Hands a sound record to `visit`, or notes where the damaged one is.
    pub(super) fn take<K>(
        &mut self,
        found: Result<(Keyed<K>, Entry), String>,
        visit: &mut EntrySink<'_, K>,
        place: impl FnOnce(String) -> DamagedPlace,
    ) -> Result<()> {
        match found {
            Ok((at, entry)) => {
                self.records += 1;
                visit(at, entry)
            }
            Err(reason) => self.note(place(reason)),
        }
    }
}
