//! Which format a file has, and which it looks like when it is given as another.

use std::{path::Path, sync::atomic::AtomicBool};

use super::{
    Format, native,
    seed::{self, Layout},
    stream::{Damage, Trouble, Watch, read_up_to},
};
use crate::engine::{
    files,
    game::{Fault, Game},
    memo::Policy,
};

/// Finds out a file's format: ours by its first bytes, the seeds' by whether all of the file reads as their records.
///
/// An empty file is a seeds' file without records, a rote one if that is the policy in force.
pub(super) fn detect<G: Game>(
    game: &G,
    path: &Path,
    in_force: Policy,
    interrupt: &AtomicBool,
) -> Result<Format, Fault> {
    if looks_native(path)? {
        return Ok(Format::Native);
    }
    let (_, length) = files::open(path)?;
    if length == 0 {
        return Ok(match in_force {
            Policy::Rote => Format::SeedRote,
            _ => Format::SeedSearch,
        });
    }
    let search = scan(game, path, Layout::Search, interrupt)?;
    let rote = scan(game, path, Layout::Rote, interrupt)?;
    match (search, rote) {
        (None, Some(_)) => Ok(Format::SeedSearch),
        (Some(_), None) => Ok(Format::SeedRote),
        (None, None) => Err(ambiguous(path, length)),
        (Some(search), Some(rote)) => {
            let sound = |layout| sound_bytes(game, path, layout, interrupt);
            let (as_search, as_rote) = (sound(Layout::Search)?, sound(Layout::Rote)?);
            let more_rote = as_rote > as_search;
            let (damage, layout) = if more_rote {
                (rote, Layout::Rote)
            } else {
                (search, Layout::Search)
            };
            let what = match as_search.max(as_rote) {
                0 => "it does not look like a cache file",
                _ => "the file is damaged",
            };
            let reason = format!("{what}: read as {}, {}", layout.format(), damage.reason);
            Err(Damage { reason, ..damage }.fault(path))
        }
    }
}

/// The format a file reads as, other than the one it was given as.
pub(super) fn lookalike<G: Game>(
    game: &G,
    path: &Path,
    given: Format,
    interrupt: &AtomicBool,
) -> Result<Option<Format>, Fault> {
    if given != Format::Native && looks_native(path)? {
        return Ok(Some(Format::Native));
    }
    if files::open(path)?.1 == 0 {
        return Ok(None);
    }
    for layout in [Layout::Search, Layout::Rote] {
        if layout.format() != given && scan(game, path, layout, interrupt)?.is_none() {
            return Ok(Some(layout.format()));
        }
    }
    Ok(None)
}

/// Whether a file begins as ours do; half of the first bytes are enough, so that damage there is reported as damage.
pub(super) fn looks_native(path: &Path) -> Result<bool, Fault> {
    let (mut file, _) = files::open(path)?;
    let mut head = [0; native::MAGIC.len()];
    let trouble = |error| Trouble::from(error).fault(path);
    let got = read_up_to(&mut file, &mut head).map_err(trouble)?;
    let same = head[..got]
        .iter()
        .zip(native::MAGIC)
        .filter(|(byte, magic)| *byte == magic);
    let same = same.count();
    Ok(same >= native::MAGIC.len() / 2 || got > 0 && same == got)
}

/// Reads a file as one of the seeds' formats without keeping anything: the first damage, if any.
fn scan<G: Game>(
    game: &G,
    path: &Path,
    layout: Layout,
    interrupt: &AtomicBool,
) -> Result<Option<Damage>, Fault> {
    let (mut file, length) = files::open(path)?;
    let watch = &mut Watch {
        interrupt,
        progress: &mut |_, _| {},
    };
    match seed::read(game, layout, &mut file, length, watch, &mut |_, _| Ok(())) {
        Ok(()) => Ok(None),
        Err(Trouble::Damage(damage)) => Ok(Some(damage)),
        Err(trouble) => Err(trouble.fault(path)),
    }
}

fn sound_bytes<G: Game>(
    game: &G,
    path: &Path,
    layout: Layout,
    interrupt: &AtomicBool,
) -> Result<u64, Fault> {
    let (mut file, _) = files::open(path)?;
    seed::sound_bytes(
        game,
        layout,
        &mut file,
        &mut Watch {
            interrupt,
            progress: &mut |_, _| {},
        },
    )
    .map_err(|trouble| trouble.fault(path))
}

fn ambiguous(path: &Path, length: u64) -> Fault {
    let records = |layout: Layout| length / layout.bytes() as u64;
    Fault::new(format!(
        "`{}` can be read as {} seed-search records and as {} seed-rote records",
        path.display(),
        records(Layout::Search),
        records(Layout::Rote)
    ))
    .hint("say which it is: --format seed-search or --format seed-rote")
}
