use std::path::Path;

use super::{Answer, Desk, scribe::key_text};
use crate::{
    engine::{
        cachefile::{
            self, CacheHeader, Convention, Format, LoadOptions, Loaded, Saved, Watch, same_bits,
            side_by_side, unlike,
        },
        game::Game,
        progress::Unit,
        reply::{CacheFile, EntryReport, PlainReply, cache_check, cache_diff},
    },
    text::counted,
};

impl<G: Game> Desk<G> {
    /// Does what may take long, of which so much is done: Ctrl-C stops it, and whoever wants to know sees how far it is.
    pub(super) fn watching<T>(
        &self,
        what: &'static str,
        (unit, before): (Unit, u64),
        work: impl FnOnce(&mut Watch) -> T,
    ) -> T {
        self.progress.begin(what, unit, before);
        let result = work(&mut Watch {
            interrupt: &self.run.interrupt,
            progress: &mut |done, total| self.progress.tell(done, total),
        });
        self.progress.end();
        result
    }

    /// Puts what a file held into the cache, if it is right here and there is room.
    pub(super) fn adopt(&mut self, path: &Path, loaded: Loaded<G::Key>) -> Answer<CacheFile> {
        let mut notes = loaded.notes.clone();
        if loaded.findings.damaged > 0 {
            let places = counted(loaded.findings.damaged, "damaged place", "damaged places");
            notes.push(format!("{places} left out: `cache check` names them"));
        }
        notes.extend(loaded.check(&self.run.searcher)?);
        notes.extend(self.adopt_policy(loaded.policy)?);
        let (format, convention) = (loaded.format.to_string(), loaded.convention.to_string());
        let (bytes, merged) = (loaded.bytes, loaded.duplicates);
        let entries = loaded.memo.entries().len() as u64;
        notes.extend(loaded.give_to(&mut self.run.searcher)?);
        Ok(CacheFile {
            file: text(path),
            action: "loaded",
            saved: Saved { entries, bytes, merged, notes },
            format,
            convention: Some(convention),
            total: self.entries().len() as u64,
        })
    }

    pub(super) fn read_file(
        &self,
        doing: &'static str,
        path: &Path,
        options: LoadOptions,
    ) -> Answer<Loaded<G::Key>> {
        let load = |watch: &mut Watch| cachefile::load(self.game(), path, options, watch);
        self.watching(doing, (Unit::Bytes, 0), load)
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

door!(
    /// The cache to a file and back, and cache files by themselves.
    pub trait CacheFiling {}

    /// Writes the cache to a file.
    fn cache_save(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile> {
        let format = format.unwrap_or(Format::Native);
        let own = CacheHeader::of(&self.run.searcher);
        let convention = format.convention(own.convention, convention)?;
        let header = CacheHeader { convention, ..own };
        let saved = self.watching("saving", (Unit::Entries, 0), |watch| {
            cachefile::save(self.game(), self.entries(), path, format, &header, watch)
        })?;
        Ok(CacheFile {
            file: text(path),
            action: "saved",
            saved,
            format: format.to_string(),
            convention: Some(convention.to_string()),
            total: self.entries().len() as u64,
        })
    }

    /// Adds the entries of a file to the cache.
    fn cache_load(&mut self, path: &Path, options: LoadOptions) -> Answer<CacheFile> {
        let loaded = self.read_file("loading", path, options)?;
        self.adopt(path, loaded)
    }

    /// Describes a file and reads it to its end, damage or not.
    fn cache_check(&self, path: &Path, format: Option<Format>) -> Answer<PlainReply> {
        let options = LoadOptions { format, convention: None, salvage: true };
        let loaded = self.read_file("checking", path, options)?;
        let (mut header, mut differences) = (Vec::new(), Vec::new());
        if let Some(stated) = &loaded.header {
            differences = stated.differences_to(&self.run.searcher);
            header = stated.stated();
            header.retain(|(name, _)| !name.starts_with("weight "));
            header.push(("weights".to_owned(), stated.weights.to_string()));
        }
        Ok(cache_check(&text(path), &loaded, &header, &differences))
    }

    /// Compares two files; of each kind of difference `limit` examples are shown.
    fn cache_diff(
        &self,
        paths: [&Path; 2],
        convention: Option<Convention>,
        limit: usize,
    ) -> Answer<PlainReply> {
        let options = LoadOptions { convention, ..LoadOptions::default() };
        let [first, second] = paths.map(|path| self.read_file("comparing", path, options));
        let files = [first?, second?];
        let differences = unlike(&files)?;
        let [first, second] = &files;
        let [mut only_first, mut only_second, mut same, mut differing] = [0; 4];
        let (mut single, mut both) = ([Vec::new(), Vec::new()], Vec::new());
        for (at, one, other) in side_by_side(first.memo.entries(), second.memo.entries()) {
            // The policy of the files need not be the one in force.
            let key = key_text(self.game(), first.policy, at);
            let told = |entry| EntryReport { key: key.clone(), ..self.report_entry((at, entry)) };
            match (one, other) {
                (Some(one), Some(other)) if same_bits(&one, &other) => same += 1,
                (Some(one), Some(other)) => {
                    differing += 1;
                    both.extend((both.len() < limit).then(|| [told(one), told(other)]));
                }
                (Some(one), None) => {
                    only_first += 1;
                    single[0].extend((single[0].len() < limit).then(|| told(one)));
                }
                (None, other) => {
                    only_second += 1;
                    let room = single[1].len() < limit;
                    single[1].extend(other.filter(|_| room).map(told));
                }
            }
        }
        let counts = [only_first, only_second, same, differing];
        Ok(cache_diff(&paths.map(text), counts, (single, &both), &differences))
    }
);
