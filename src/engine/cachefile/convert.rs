use std::path::Path;

use super::{
    CacheHeader, Convention, Format, LoadOptions, Loaded, Saved, check_policy, load, save,
    stream::Watch,
};
use crate::engine::game::{Fault, Game, Key, KeyScheme};

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
    let loaded = load_as_stated(game, path, options, watch)?;
    check_policy(format, loaded.policy)?;
    let convention = convention_of(&loaded, format, options.convention)?;
    let header = CacheHeader {
        convention,
        ..loaded.header_or(here)
    };
    let mut saved = save(game, loaded.memo.entries(), out, format, &header, watch)?;
    match (loaded.header.is_some(), format) {
        (false, Format::Native) => saved.notes.insert(
            0,
            format!(
                "the seed's file states neither weights nor rules: the new one has those of the session, weights {}",
                here.weights
            ),
        ),
        (true, Format::SeedSearch | Format::SeedRote) => saved.notes.insert(
            0,
            "the new file states neither weights nor rules: who loads it must know them".to_owned(),
        ),
        _ => {}
    }
    Ok((saved, convention))
}

/// Copies what is sound of a file that may be damaged into a new one of the same format; the findings of what was loaded
/// name what is lost. Where a native file's header is damaged, `here`, what holds in the session, takes its place.
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
) -> Result<(Saved, Loaded<G::Key>), Fault> {
    let options = LoadOptions {
        format,
        convention: None,
        policy: here.policy,
        salvage: true,
    };
    let loaded = load(game, path, options, watch)?;
    let (entries, header) = (loaded.memo.entries(), loaded.header_or(here));
    let saved = save(game, entries, out, loaded.format, &header, watch)?;
    Ok((saved, loaded))
}

/// Loads a file; where a convention was asked for and the file turns out to be native, in the one it states.
fn load_as_stated<G: Game>(
    game: &G,
    path: &Path,
    options: LoadOptions,
    watch: &mut Watch,
) -> Result<Loaded<G::Key>, Fault> {
    let unasked = LoadOptions {
        convention: None,
        ..options
    };
    let mut loaded = load(game, path, unasked, watch)?;
    if loaded.header.is_none() {
        loaded.convention = options.convention.unwrap_or(loaded.convention);
    }
    Ok(loaded)
}

/// How the new file takes values of black.
fn convention_of<K: Key>(
    loaded: &Loaded<K>,
    format: Format,
    asked: Option<Convention>,
) -> Result<Convention, Fault> {
    let own = loaded.convention;
    if loaded.header.is_none() {
        return Ok(own);
    }
    match (format, loaded.keys, asked) {
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
