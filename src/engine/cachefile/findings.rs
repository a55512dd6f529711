//! Interrupts, progress reports and damage, shared by the readers and writers of all formats.

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

/// The interrupt flag and the progress of a long operation.
pub struct Monitor<'a> {
    /// The flag that stops the operation, which then fails and changes nothing.
    pub interrupt: &'a AtomicBool,
    /// Called once for each block with (done, total): entries when saving, bytes when loading.
    pub progress: &'a mut dyn FnMut(u64, u64),
}

impl Monitor<'_> {
    /// Reports progress. Fails if the operation was interrupted.
    pub(in crate::engine) fn tick(&mut self, done: u64, total: u64) -> Result<()> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
        (self.progress)(done, total);
        Ok(())
    }
}

/// Runs `work` with a monitor that never interrupts it and reports nothing.
pub fn unmonitored<T>(work: impl FnOnce(&mut Monitor) -> T) -> T {
    work(&mut Monitor { interrupt: &AtomicBool::new(false), progress: &mut |_, _| {} })
}

/// A damaged place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DamagedPlace {
    /// The place, such as `block 3`, `record 7` or `the header`; blocks and records count from 1.
    pub place: String,
    /// The offset of the damaged place in the file, in bytes.
    pub offset: u64,
    /// What is damaged, in words.
    pub reason: String,
}

impl fmt::Display for DamagedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.place, self.offset, self.reason)
    }
}

/// The sound and damaged parts of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The hint of the fault at the first damaged place; `None` to skip damaged places and read on.
    pub(super) remedy: Option<&'static str>,
    /// The number of sound records.
    pub records: u64,
    /// The number of sound blocks; `None` in formats without blocks.
    pub blocks: Option<u64>,
    /// The first `LISTED` damaged places.
    pub damage: Vec<DamagedPlace>,
    /// The number of damaged places, including those not listed.
    pub damaged: u64,
}

/// The greatest number of damaged places that are listed; further ones are only counted.
const LISTED: usize = 20;

impl Findings {
    /// Adds a damaged place to the findings. Fails unless damage is skipped.
    pub(super) fn add_damage(&mut self, place: DamagedPlace) -> Result<()> {
        let fault = self.remedy.map(|remedy| Fault::new(place.to_string()).hint(remedy));
        self.damaged += 1;
        if self.damage.len() < LISTED {
            self.damage.push(place);
        }
        fault.map_or(Ok(()), Err)
    }

    /// Passes a sound record to `visit`, or adds a damaged one to the findings.
    pub(super) fn add_record<K>(
        &mut self,
        record: Result<(Keyed<K>, Entry), String>,
        visit: &mut EntrySink<'_, K>,
        place: impl FnOnce(String) -> DamagedPlace,
    ) -> Result<()> {
        match record {
            Ok((at, entry)) => {
                self.records += 1;
                visit(at, entry)
            }
            Err(reason) => self.add_damage(place(reason)),
        }
    }
}
