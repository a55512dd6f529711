//! Cache files by themselves: the cache in memory has no part in this.

use std::path::Path;

use super::{Answer, CacheFiling, Desk, cache::scheme_name};
use crate::engine::{
    cachefile::{
        self, CacheHeader, Contents, Convention, Filed, FiledTwice, Findings, Format, LoadOptions,
    },
    game::Game,
    memo::Policy,
    progress::Unit,
    report::{
        CacheCheck, CacheDiff, CacheFileInfo, CacheFileMade, EntryPair, EntryReport, Lost,
        MergeReport,
    },
};

/// Examples of each kind that reports show.
const EXAMPLES: usize = 5;

impl<G: Game> Desk<G> {
    fn options(&self, format: Option<Format>, convention: Option<Convention>) -> LoadOptions {
        LoadOptions {
            format,
            convention,
            policy: self.settings.memo,
            salvage: false,
        }
    }

    /// An entry of a file of some policy, which need not be the one in force.
    pub(super) fn filed(&self, (at, entry): Filed<G::Key>, policy: Policy) -> EntryReport {
        let key = self.game.format_key(at.key);
        EntryReport {
            key: if policy.keys_depth() {
                format!("{key}:{}", at.depth)
            } else {
                key
            },
            ..self.report_entry((at, entry))
        }
    }

    fn pairs(&self, pairs: Vec<FiledTwice<G::Key>>, policy: Policy) -> Vec<EntryPair> {
        let pair = |(first, second)| EntryPair {
            first: self.filed(first, policy),
            second: self.filed(second, policy),
        };
        pairs.into_iter().map(pair).collect()
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn stated(header: &CacheHeader, writer: String) -> Vec<(String, String)> {
    let prefixed = |what: &'static str, pairs: &[(String, String)]| {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (format!("{what} {name}"), value.clone()))
            .collect::<Vec<_>>()
    };
    let mut lines = vec![
        ("game".to_owned(), header.game.clone()),
        ("memo".to_owned(), header.policy.name().to_owned()),
        ("keys".to_owned(), scheme_name(header.keys).to_owned()),
        ("convention".to_owned(), header.convention.name().to_owned()),
        ("fidelity".to_owned(), header.fidelity.name().to_owned()),
        ("weights".to_owned(), header.weights.to_string()),
    ];
    lines.extend(prefixed("rule", &header.rules));
    lines.extend(prefixed("setting", &header.settings));
    lines.push(("writer".to_owned(), writer));
    lines
}

fn lost(findings: Findings) -> Lost {
    let promised = findings.promised;
    Lost {
        records: promised.map(|promised| promised.saturating_sub(findings.records)),
        damage: findings.damage,
        damaged: findings.damaged,
    }
}

impl<G: Game> CacheFiling for Desk<G> {
    fn cache_info(&self, path: &Path) -> Answer<CacheFileInfo> {
        let info = cachefile::info(path)?;
        let mut report = CacheFileInfo {
            file: text(path),
            format: None,
            bytes: info.bytes,
            entries: None,
            complete: None,
            header: Vec::new(),
            possible: Vec::new(),
            differences: Vec::new(),
        };
        match info.contents {
            Contents::Native {
                header,
                writer,
                entries,
                complete,
            } => {
                report.format = Some(Format::Native.name().to_owned());
                report.entries = entries;
                report.complete = Some(complete);
                report.differences = header.differences(&self.header_like(&header));
                report.header = stated(&header, writer);
            }
            Contents::Seed(possible) => {
                if let [(format, entries)] = possible.as_slice() {
                    report.format = Some(format.name().to_owned());
                    report.entries = Some(*entries);
                }
                report.possible = possible
                    .into_iter()
                    .map(|(format, entries)| (format.name().to_owned(), entries))
                    .collect();
            }
        }
        Ok(report)
    }

    fn cache_check(
        &self,
        path: &Path,
        format: Option<Format>,
        sample: usize,
    ) -> Answer<CacheCheck> {
        let options = LoadOptions {
            salvage: true,
            ..self.options(format, None)
        };
        let loaded = self.watching("checking", Unit::Bytes, |watch| {
            cachefile::load(&self.game, path, options, watch)
        })?;
        let (sample, mut notes) = self.search_again(&loaded, sample)?;
        if loaded.format == Format::Native && loaded.header.is_none() {
            notes.push(
                "the header is damaged: the session's weights and rules were taken in its place"
                    .to_owned(),
            );
        }
        // Under the convention `seed` a turned value is what the file promises.
        let relative = loaded
            .header
            .as_ref()
            .is_some_and(|header| header.convention == Convention::Relative);
        let wrong = sample.neither + if relative { sample.turned } else { 0 };
        Ok(CacheCheck {
            file: text(path),
            format: loaded.format.name().to_owned(),
            policy: loaded.policy.name().to_owned(),
            bytes: loaded.bytes,
            sound: loaded.findings.damaged == 0 && wrong == 0,
            entries: loaded.findings.records,
            blocks: loaded.findings.blocks,
            damage: loaded.findings.damage,
            damaged: loaded.findings.damaged,
            sample,
            notes,
        })
    }

    fn cache_repair(
        &self,
        path: &Path,
        out: &Path,
        format: Option<Format>,
    ) -> Answer<CacheFileMade> {
        let here = self.header();
        let (saved, loaded) = self.watching("repairing", Unit::Bytes, |watch| {
            cachefile::repair(&self.game, path, out, format, &here, watch)
        })?;
        let mut notes = Vec::new();
        if saved.format == Format::Native && loaded.header.is_none() {
            notes.push(format!(
                "the header is damaged: the new one has what holds in the session, weights {}, keys {}, convention {}",
                here.weights,
                scheme_name(here.keys),
                here.convention
            ));
        }
        Ok(CacheFileMade {
            action: "repaired",
            from: vec![text(path)],
            file: text(out),
            format: saved.format.name().to_owned(),
            convention: loaded.header_or(&here).convention.name().to_owned(),
            entries: saved.entries,
            bytes: saved.bytes,
            lost: Some(lost(loaded.findings)),
            merge: None,
            notes,
        })
    }

    fn cache_convert(
        &self,
        path: &Path,
        out: &Path,
        format: Format,
        from: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFileMade> {
        let options = self.options(from, convention);
        let here = self.header();
        let (saved, convention) = self.watching("converting", Unit::Bytes, |watch| {
            cachefile::convert(&self.game, path, out, format, options, &here, watch)
        })?;
        Ok(CacheFileMade {
            action: "converted",
            from: vec![text(path)],
            file: text(out),
            format: saved.format.name().to_owned(),
            convention: convention.name().to_owned(),
            entries: saved.entries,
            bytes: saved.bytes,
            lost: None,
            merge: None,
            notes: saved.notes,
        })
    }

    fn cache_merge(
        &self,
        paths: [&Path; 2],
        out: &Path,
        convention: Option<Convention>,
    ) -> Answer<CacheFileMade> {
        let options = self.options(None, convention);
        let here = self.header();
        let merged = self.watching("merging", Unit::Bytes, |watch| {
            cachefile::merge(&self.game, paths, out, options, &here, EXAMPLES, watch)
        })?;
        let policy = merged.header.policy;
        let merge = MergeReport {
            counts: merged.counts,
            examples: self.pairs(merged.examples, policy),
        };
        Ok(CacheFileMade {
            action: "merged",
            from: paths.map(text).to_vec(),
            file: text(out),
            format: merged.saved.format.name().to_owned(),
            convention: merged.header.convention.name().to_owned(),
            entries: merged.saved.entries,
            bytes: merged.saved.bytes,
            lost: None,
            merge: Some(merge),
            notes: merged.saved.notes,
        })
    }

    fn cache_diff(
        &self,
        paths: [&Path; 2],
        convention: Option<Convention>,
        limit: usize,
    ) -> Answer<CacheDiff> {
        let options = self.options(None, convention);
        let found = self.watching("comparing", Unit::Bytes, |watch| {
            cachefile::diff(&self.game, paths, options, limit, watch)
        })?;
        let policy = found.policy;
        let list = |examples: Vec<Filed<G::Key>>| {
            let examples = examples.into_iter();
            examples.map(|filed| self.filed(filed, policy)).collect()
        };
        Ok(CacheDiff {
            files: paths.map(text),
            counts: found.counts,
            first_examples: list(found.first_examples),
            second_examples: list(found.second_examples),
            examples: self.pairs(found.examples, policy),
            differences: found.differences,
        })
    }
}
