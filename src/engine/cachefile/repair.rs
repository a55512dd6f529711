use std::path::Path;

use super::{
    CacheHeader, Format, Saved,
    sink::Sink,
    stream::{Trouble, Watch},
    survey::{Patient, Survey},
};
use crate::engine::{
    files::{Failure, write_atomically},
    game::{Fault, Game, KeyScheme},
};

/// Copies what is sound of a file that may be damaged into a new one of the same format.
///
/// A damaged block (native) or record (seed formats) is left out and named in the survey. Where a native file's header
/// is damaged, `here`, what holds in the session, takes its place.
///
/// # Errors
/// A file in which nothing is sound, one of another game or version, what the system refuses, and an interrupt; then
/// `out` is as it was.
pub fn repair<G: Game>(
    game: &G,
    path: &Path,
    out: &Path,
    format: Option<Format>,
    here: &CacheHeader,
    watch: &mut Watch,
) -> Result<(Saved, Survey), Fault> {
    let patient = Patient::open(game, path, format, watch)?;
    let header = patient.header.clone().unwrap_or_else(|| CacheHeader {
        policy: patient.policy,
        keys: if patient.format == Format::Native {
            here.keys
        } else {
            KeyScheme::Colour
        },
        ..here.clone()
    });
    write_atomically(out, |file| {
        let mut sink = Sink::start::<G>(file, patient.format, &header, None)?;
        let surveyed = patient.survey(watch, &mut |at, entry| {
            sink.push(game, at, entry).map_err(|failure| match failure {
                Failure::Io(error) => Trouble::Refused(error),
                Failure::Fault(fault) => Trouble::Fault(fault),
            })
        });
        let survey = surveyed.map_err(|trouble| match trouble {
            Trouble::Refused(error) => Failure::Io(error),
            trouble => Failure::Fault(trouble.fault(path)),
        })?;
        let written = sink.finish()?;
        Ok((written.saved(patient.format, Vec::new()), survey))
    })
}

/// Reads a file that may be damaged to its end and says what is sound; `sample` of its entries, evenly chosen, go with it.
///
/// # Errors
/// As [`repair`].
pub fn survey<G: Game>(
    game: &G,
    path: &Path,
    format: Option<Format>,
    sample: &mut super::Sample<G::Key>,
    watch: &mut Watch,
) -> Result<Survey, Fault> {
    let patient = Patient::open(game, path, format, watch)?;
    patient
        .survey(watch, &mut |at, entry| {
            sample.offer(at, entry);
            Ok(())
        })
        .map_err(|trouble| trouble.fault(path))
}
