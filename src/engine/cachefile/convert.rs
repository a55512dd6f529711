use std::path::Path;

use super::{
    CacheHeader, Convention, Format, LoadOptions, Saved, check_policy,
    native::Codec,
    seed,
    settle::{Group, Grouping},
    sink::Sink,
    source::{Source, Stated},
    stream::Watch,
};
use crate::engine::{
    files::{self, Failure, write_atomically},
    game::{Fault, Game, KeyScheme},
};

/// Rewrites a cache file in a format. `here` is what holds in the session: it goes into the header where a seed's file
/// states nothing. The convention asked for is that of the seeds' side: how such a file takes values of black. Returned
/// is also the new file's.
///
/// # Errors
/// What the format cannot hold, a convention that cannot be changed because the keys do not say which values are black's,
/// damage, what the system refuses, and an interrupt; then `out` is as it was.
pub fn convert<G: Game>(
    game: &G,
    path: &Path,
    out: &Path,
    format: Format,
    options: LoadOptions,
    here: &CacheHeader,
    watch: &mut Watch,
) -> Result<(Saved, Convention), Fault> {
    let asked = options.convention;
    let mut source = open(game, path, options, watch)?;
    let stated = source.stated.clone();
    check_policy(format, stated.policy)?;
    let convention = convention_of(&stated, format, asked)?;
    let header = CacheHeader {
        convention,
        ..stated.header_or(here)
    };
    let notes = notes(&stated, format, here);
    let saved = write_atomically(out, |file| {
        let twins = format != Format::Native && stated.keys == KeyScheme::Plain;
        if twins {
            let folder = files::folder(out);
            return merge_twins(game, &mut source, folder, file, format, &header, watch);
        }
        let promised = stated.header.as_ref().and(stated.entries);
        let mut sink = Sink::start::<G>(file, format, &header, promised)?;
        let mut failed = None;
        let read = source.read(watch, &mut |at, entry| {
            sink.push(game, at, entry)
                .map_err(|failure| noted(failure, &mut failed))
        });
        read.map_err(|fault| failed.take().unwrap_or(Failure::Fault(fault)))?;
        Ok(sink.finish()?.saved(format, Vec::new()))
    })?;
    let merged = (saved.merged > 0).then(|| {
        format!(
            "entries under the key of a later one, their colour-swapped twin: {}; the later one is in the file",
            saved.merged
        )
    });
    let saved = Saved {
        notes: notes.into_iter().chain(merged).collect(),
        ..saved
    };
    Ok((saved, convention))
}

/// Opens a file; where a convention was asked for and the file turns out to be native, without it.
fn open<'a, G: Game>(
    game: &'a G,
    path: &'a Path,
    options: LoadOptions,
    watch: &Watch,
) -> Result<Source<'a, G>, Fault> {
    let unasked = LoadOptions {
        convention: None,
        ..options
    };
    let source = Source::open(game, path, unasked, watch)?;
    if source.stated.header.is_some() || options.convention.is_none() {
        return Ok(source);
    }
    let format = Some(source.stated.format);
    Source::open(game, path, LoadOptions { format, ..options }, watch)
}

/// A failure to write, kept aside while reading comes back with a fault.
pub(super) fn noted(failure: Failure, kept: &mut Option<Failure>) -> Fault {
    match failure {
        Failure::Fault(fault) => fault,
        Failure::Io(error) => {
            *kept = Some(Failure::Io(error));
            Fault::new("writing failed")
        }
    }
}

/// How the new file takes values of black.
fn convention_of(
    stated: &Stated,
    format: Format,
    asked: Option<Convention>,
) -> Result<Convention, Fault> {
    let own = stated.convention;
    if stated.header.is_none() {
        return Ok(own);
    }
    match (format, stated.keys, asked) {
        (Format::SeedSearch | Format::SeedRote, KeyScheme::Plain, asked) => {
            Ok(asked.unwrap_or(Convention::Seed))
        }
        (_, _, Some(asked)) if asked != own => Err(Fault::new(format!(
            "the file's values follow the convention `{own}`, and nothing says which of them are black's to make it `{asked}`"
        ))
        .hint("leave --convention out")),
        _ => Ok(own),
    }
}

impl Stated {
    /// What the values depend on: as the file says, or else as it is in the session.
    pub(super) fn header_or(&self, here: &CacheHeader) -> CacheHeader {
        self.header.clone().unwrap_or_else(|| CacheHeader {
            policy: self.policy,
            keys: self.keys,
            convention: self.convention,
            ..here.clone()
        })
    }
}

fn notes(stated: &Stated, format: Format, here: &CacheHeader) -> Vec<String> {
    match (stated.header.is_some(), format) {
        (false, Format::Native) => vec![format!(
            "the seed's file states neither weights nor rules: the new one has those of the session, weights {}",
            here.weights
        )],
        (true, Format::SeedSearch | Format::SeedRote) => vec![
            "the new file states neither weights nor rules: who loads it must know them".to_owned(),
        ],
        _ => Vec::new(),
    }
}

/// Writes plain keys into a seed format, where a position and its colour-swapped twin share a key and the later counts.
fn merge_twins<G: Game>(
    game: &G,
    source: &mut Source<'_, G>,
    folder: &Path,
    file: &mut dyn std::io::Write,
    format: Format,
    header: &CacheHeader,
    watch: &mut Watch,
) -> Result<Saved, Failure> {
    let Some(layout) = format.layout() else {
        return Err(Fault::new("only the seeds' formats merge twins").into());
    };
    let mut grouping = Grouping::new(folder, layout.key_bytes(), layout.bytes());
    source.read(watch, &mut |at, entry| {
        let record = seed::encode(game, layout, header.convention, at, entry)?;
        grouping.push(&record[..layout.bytes()])
    })?;
    let read = grouping.len();
    let settled = grouping.settle(u64::MAX, watch, &mut |group: &Group| {
        let [last, _] = group.of.clone();
        Ok(last.unwrap_or_default())
    })?;
    let merged = read - settled.len();
    let mut writer = seed::Writer::new(file, layout);
    settled.each(&mut |record| writer.push(record))?;
    let saved = writer.finish()?.saved(format, Vec::new());
    Ok(Saved { merged, ..saved })
}

/// The codec for the native records of a file's policy.
pub(super) fn codec<G: Game>(stated: &Stated) -> Result<Codec, Fault> {
    Codec::new(stated.policy, G::KEY_BYTES).ok_or_else(|| {
        Fault::new(format!(
            "the memo policy `{}` keeps no entries",
            stated.policy
        ))
        .hint("take the file from its source again")
    })
}
