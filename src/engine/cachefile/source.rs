use std::{fs::File, io::Read, path::Path};

use super::{
    CacheHeader, Convention, Format, LoadOptions,
    detect::{detect, lookalike},
    native::Reader,
    seed::{self, Layout},
    stream::{Damage, Trouble, Watch},
};
use crate::engine::{
    files,
    game::{Fault, Game, KeyScheme, Keyed},
    memo::{Entry, Policy},
};

/// What is known of a cache file before its records are read.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The file's format.
    pub format: Format,
    /// The entries' memo policy.
    pub policy: Policy,
    /// Which positions share a key; [`KeyScheme::Colour`] for the seeds' files.
    pub keys: KeyScheme,
    /// The values' convention: what a native file states, or what was asked for.
    pub convention: Convention,
    /// What a native file says of itself.
    pub header: Option<CacheHeader>,
    /// Records, where the file says so or its length tells.
    pub entries: Option<u64>,
    /// Length of the file.
    pub bytes: u64,
}

/// A cache file opened to be read once, record by record; holds one block.
pub(super) struct Source<'a, G> {
    game: &'a G,
    path: &'a Path,
    /// Whether the user named the format.
    named: bool,
    pub stated: Stated,
    records: Records,
}

enum Records {
    Seed(File, Layout),
    Native(Box<Reader<File>>),
}

impl<'a, G: Game> Source<'a, G> {
    /// Opens a file, finds out its format where it is not given, and checks that it is one for this game.
    pub fn open(
        game: &'a G,
        path: &'a Path,
        options: LoadOptions,
        watch: &Watch,
    ) -> Result<Self, Fault> {
        let format = match options.format {
            Some(format) => format,
            None => detect(game, path, options.policy, watch.interrupt)?,
        };
        let (file, bytes) = files::open(path)?;
        let opened = match format.layout() {
            Some(layout) => Ok(open_seed(file, bytes, layout, options)),
            None => open_native::<G, _>(file, bytes, options.convention)
                .map(|(stated, reader)| (stated, Records::Native(Box::new(reader)))),
        };
        let named = options.format == Some(format);
        let (stated, records) =
            opened.map_err(|trouble| fault(game, path, named.then_some(format), trouble, watch))?;
        Ok(Self {
            game,
            path,
            named,
            stated,
            records,
        })
    }

    /// Records that the file has room for: what it promises, if that is possible.
    pub fn room(&self) -> u64 {
        let record = match &self.records {
            Records::Seed(_, layout) => layout.bytes(),
            Records::Native(reader) => reader.record_bytes(),
        };
        let most = self.stated.bytes / record as u64;
        self.stated.entries.unwrap_or(most).min(most)
    }

    /// Hands every record to `visit`, in the file's order.
    pub fn read(
        &mut self,
        watch: &mut Watch,
        visit: &mut dyn FnMut(Keyed<G::Key>, Entry) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let (game, bytes) = (self.game, self.stated.bytes);
        let read = match &mut self.records {
            Records::Seed(file, layout) => seed::read(game, *layout, file, bytes, watch, visit),
            Records::Native(reader) => reader.read(game, bytes, watch, visit),
        };
        let given = self.named.then_some(self.stated.format);
        read.map_err(|trouble| fault(game, self.path, given, trouble, watch))
    }
}

/// Damage in a file whose format the user gave: perhaps it is another.
fn fault<G: Game>(
    game: &G,
    path: &Path,
    given: Option<Format>,
    trouble: Trouble,
    watch: &Watch,
) -> Fault {
    match (trouble, given) {
        (Trouble::Damage(damage), Some(given)) => misread(game, path, given, damage, watch),
        (trouble, _) => trouble.fault(path),
    }
}

fn misread<G: Game>(game: &G, path: &Path, given: Format, damage: Damage, watch: &Watch) -> Fault {
    match lookalike(game, path, given, watch.interrupt) {
        Ok(None) => damage.fault(path),
        Ok(Some(other)) => damage.fault(path).hint(format!(
            "this looks like a {other} file: use --format {other}"
        )),
        Err(fault) => fault,
    }
}

fn open_seed(file: File, bytes: u64, layout: Layout, options: LoadOptions) -> (Stated, Records) {
    let stated = Stated {
        format: layout.format(),
        policy: layout.policy(),
        keys: KeyScheme::Colour,
        convention: options.convention.unwrap_or(Convention::Seed),
        header: None,
        entries: Some(bytes / layout.bytes() as u64),
        bytes,
    };
    (stated, Records::Seed(file, layout))
}

/// Reads the header of a native cache, and checks that it is one for this game.
pub(super) fn open_native<G: Game, R: Read>(
    source: R,
    bytes: u64,
    asked: Option<Convention>,
) -> Result<(Stated, Reader<R>), Trouble> {
    let reader = Reader::open(source)?;
    let header = reader.header().header.clone();
    fits::<G>(&header, reader.header().key_bytes, asked)?;
    let stated = Stated {
        format: Format::Native,
        policy: header.policy,
        keys: header.keys,
        convention: header.convention,
        entries: reader.header().entries,
        header: Some(header),
        bytes,
    };
    Ok((stated, reader))
}

/// Whether a whole native file is one for this game, read in the convention it states.
pub(super) fn fits<G: Game>(
    header: &CacheHeader,
    key_bytes: usize,
    asked: Option<Convention>,
) -> Result<(), Fault> {
    if header.game != G::NAME {
        let what = format!(
            "the file is a cache for {}, not for {}",
            header.game,
            G::NAME
        );
        return Err(Fault::new(what).hint(format!("set up its game first: `game {}`", header.game)));
    }
    if key_bytes != G::KEY_BYTES {
        let what = format!(
            "the file's keys have {key_bytes} bytes, those of {} {}",
            G::NAME,
            G::KEY_BYTES
        );
        return Err(Fault::new(what).hint("use the version of the program that wrote it"));
    }
    match asked {
        Some(asked) if asked != header.convention => {
            let what = format!(
                "the file states the convention `{}`, not `{asked}`",
                header.convention
            );
            Err(Fault::new(what).hint("leave --convention out: a native file says it itself"))
        }
        _ => Ok(()),
    }
}
