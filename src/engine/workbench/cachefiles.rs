use std::path::Path;

use super::{Answer, Desk};
use crate::engine::{
    cachefile::{self, CacheHeader, Convention, Format, LoadOptions, Loaded, Watch},
    game::{Fault, Game, KeyScheme, Weights},
    memo::AnyMemo,
    progress::Unit,
    report::CacheFile,
    search::Mode,
    settings::Settings,
};

/// The convention of the values that searches leave in a cache.
const fn convention(mode: &Mode) -> Convention {
    if mode.negate_black {
        Convention::Seed
    } else {
        Convention::Relative
    }
}

impl<G: Game> Desk<G> {
    /// The convention in which the cache in memory is kept.
    fn convention(&self) -> Convention {
        convention(&self.settings.mode())
    }

    /// What the values in the cache depend on.
    pub(super) fn header(&self) -> CacheHeader {
        Self::header_of(&self.game, &self.settings, &self.weights)
    }

    /// What values depend on that are found with these settings and weights.
    pub(super) fn header_of(game: &G, settings: &Settings, weights: &Weights) -> CacheHeader {
        let mode = settings.mode();
        let mut header = CacheHeader::new(game, settings.memo, mode.scheme, weights);
        header.convention = convention(&mode);
        header.fidelity = settings.fidelity;
        if mode.leaf_before_end {
            header
                .settings
                .push(("leaf".into(), "before the end of the game".into()));
        }
        header
    }

    /// How a file takes the values of black: ours as the cache has them, a seed's as the seeds do unless told otherwise.
    fn convention_for(&self, format: Format, asked: Option<Convention>) -> Answer<Convention> {
        let own = self.convention();
        match (format, asked) {
            (Format::SeedSearch | Format::SeedRote, asked) => Ok(asked.unwrap_or(Convention::Seed)),
            (Format::Native, None) => Ok(own),
            (Format::Native, Some(asked)) if asked == own => Ok(own),
            (Format::Native, Some(asked)) => Err(Fault::new(format!(
                "a native file has the values as the cache has them: {own}, not {asked}"
            ))
            .hint("leave --convention out")),
        }
    }

    /// Does what may take long: Ctrl-C stops it, and whoever wants to know sees how far it is.
    pub(super) fn watching<T>(
        &self,
        what: &'static str,
        unit: Unit,
        work: impl FnOnce(&mut Watch) -> T,
    ) -> T {
        self.progress.begin(what, unit);
        let result = work(&mut Watch {
            interrupt: &self.interrupt,
            progress: &mut |done, total| self.progress.tell(done, total),
        });
        self.progress.end();
        result
    }

    pub(super) fn save_cache_file(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile> {
        let format = format.unwrap_or(Format::Native);
        let convention = self.convention_for(format, convention)?;
        let header = CacheHeader {
            convention,
            ..self.header()
        };
        let saved = self.watching("saving", Unit::Entries, |watch| {
            let entries = self.memo.entries();
            cachefile::save(&self.game, entries, path, format, &header, watch)
        })?;
        Ok(CacheFile {
            file: path.display().to_string(),
            action: "saved",
            entries: saved.entries as usize,
            bytes: saved.bytes,
            format: format.name().into(),
            skipped: saved.merged as usize,
            convention: Some(convention.name().into()),
            total: self.memo.entries().len(),
            notes: saved.notes,
        })
    }

    pub(super) fn load_cache_file(
        &mut self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile> {
        let loaded = self.read_cache_file(path, format, convention)?;
        if loaded.bytes == 0 && format.is_none() {
            return Err(Fault::new(format!("`{}` is empty", path.display())).hint(
                "--format seed-search or --format seed-rote reads it as a seed's cache without entries",
            ));
        }
        self.adopt(path, loaded)
    }

    /// Puts what a file held into the cache, if it is right here and there is room.
    pub(super) fn adopt(&mut self, path: &Path, loaded: Loaded<G::Key>) -> Answer<CacheFile> {
        let mut notes = loaded.notes.clone();
        notes.extend(self.check_header(&loaded)?);
        self.check_room(&loaded)?;
        notes.extend(self.adopt_policy(loaded.policy)?);
        notes.extend(self.cautions(&loaded));
        let report = CacheFile {
            file: path.display().to_string(),
            action: "loaded",
            entries: loaded.memo.entries().len(),
            bytes: loaded.bytes,
            format: loaded.format.name().into(),
            skipped: loaded.duplicates as usize,
            convention: Some(loaded.convention.name().into()),
            total: 0,
            notes,
        };
        let evicted = self.take_over(loaded)?;
        let mut report = CacheFile {
            total: self.memo.entries().len(),
            ..report
        };
        if evicted > 0 {
            report.notes.push(format!(
                "{evicted} entries gave way: the cache takes {} at most",
                self.settings.max_size
            ));
        }
        Ok(report)
    }

    fn read_cache_file(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<Loaded<G::Key>> {
        let options = LoadOptions {
            format,
            convention,
            policy: self.settings.memo,
            salvage: false,
        };
        self.watching("loading", Unit::Bytes, |watch| {
            cachefile::load(&self.game, path, options, watch)
        })
    }

    /// Whether the bound on the cache leaves room for a file.
    fn check_room(&self, loaded: &Loaded<G::Key>) -> Answer<()> {
        let mut probe = AnyMemo::<G::Key>::new(loaded.policy);
        probe.entries_mut().set_room(self.settings.room());
        let (entries, limit) = (loaded.memo.entries().len(), probe.entries().limit());
        if entries <= limit {
            return Ok(());
        }
        Err(Fault::new(format!(
            "the file has {entries} entries, and max_size={} leaves room for {limit}",
            self.settings.max_size
        ))
        .hint(format!(
            "`search set max_size={entries}` or more, or max_size=off"
        )))
    }

    /// Adds the entries of a file; into an empty cache the file's own table is moved. How many others gave way to them.
    fn take_over(&mut self, loaded: Loaded<G::Key>) -> Answer<u64> {
        if self.memo.entries().is_empty() {
            self.memo = loaded.memo;
            self.configure_memo();
            return Ok(0);
        }
        let before = self.memo.entries().evictions();
        self.memo.entries_mut().reserve(loaded.memo.entries().len());
        for (at, entry) in loaded.entries() {
            self.memo.entries_mut().set(at, entry)?;
        }
        Ok(self.memo.entries().evictions() - before)
    }

    /// Whether the values of a native file are those a search here would find (defects D9 and D11).
    fn check_header(&self, loaded: &Loaded<G::Key>) -> Answer<Vec<String>> {
        let Some(header) = &loaded.header else {
            return Ok(Vec::new());
        };
        let differences = header.differences(&self.header_like(header));
        if differences.is_empty() || self.settings.as_seed(self.settings.switches.stale) {
            return Ok(differences
                .into_iter()
                .map(|difference| format!("kept although {difference}"))
                .collect());
        }
        Err(Fault::new(format!("the file's values would be wrong here: {}", differences.join("; ")))
            .hint("set the weights, rules or settings of the file first; `search set stale=seed` loads it all the same"))
    }

    /// What holds here, but for what a file may have otherwise: its policy, which is put in force with it, and canonical
    /// keys, which are colour-normalised ones too.
    pub(super) fn header_like(&self, file: &CacheHeader) -> CacheHeader {
        let mut here = self.header();
        here.policy = file.policy;
        let normalised = |scheme| scheme != KeyScheme::Plain;
        if normalised(here.keys) && normalised(file.keys) {
            here.keys = file.keys;
        }
        here
    }

    /// What a reader of a seed's file should know before searching with it.
    fn cautions(&self, loaded: &Loaded<G::Key>) -> Vec<String> {
        let mut notes = Vec::new();
        let mode = self.settings.mode();
        if loaded.memo.entries().is_empty() {
            return notes;
        }
        if loaded.convention != self.convention() {
            notes.push(format!(
                "searches here take values under the convention `{}`: those that were found for black will have the wrong sign (defect D2)",
                self.convention()
            ));
        }
        if mode.scheme == KeyScheme::Plain && loaded.format != Format::Native {
            notes.push("a seed's file has every position as white to move: with keys=plain the entries serve white only".into());
        }
        if mode.scheme == KeyScheme::Canonical {
            let canonical = |key| {
                self.game
                    .decode(key)
                    .is_none_or(|position| self.game.key(&position, mode.scheme) == key)
            };
            let others = loaded
                .entries()
                .filter(|(at, _)| !canonical(at.key))
                .count();
            if others > 0 {
                notes.push(format!(
                    "{others} entries stand under keys that searches with symmetry=on do not look under; they serve with symmetry=off"
                ));
            }
        }
        notes
    }
}
