use std::path::Path;

use super::{Aliases, Answer, Arena, Desk, Moment, Running, Saving, Tuning, scribe::Scribe};
use crate::engine::{
    arena::Player,
    cachefile::Format,
    files,
    game::{Fault, Game, History, Weights},
    report::SessionReport,
    session::{
        self, CacheReference, Document, INLINE_ENTRIES, SavedCache, SavedSearch, Station, VERSION,
    },
    settings::retired,
};

impl<G: Game> Desk<G> {
    fn document(&self, aliases: &Aliases, cache: SavedCache) -> Document<G> {
        let stations = self
            .past
            .iter()
            .chain([&self.now])
            .chain(self.future.iter().rev());
        Document {
            version: VERSION,
            game: G::NAME.into(),
            rules: self
                .game
                .rules()
                .into_iter()
                .map(|rule| (rule.name, rule.value))
                .collect(),
            line: self.stations(stations),
            at: self.past.len(),
            weights: self.weights.clone(),
            weight_sets: self.sets.clone(),
            players: self.players().players,
            settings: self.settings.clone(),
            aliases: aliases.clone(),
            breakpoints: self
                .breakpoints
                .iter()
                .map(|point| self.saved_breakpoint(point))
                .collect(),
            next_breakpoint: self.next_breakpoint,
            displays: self.displays.clone(),
            cache,
            footing: self.memo.entries().footing(),
            quiz: self.saved_quiz(),
            search: self.running.as_ref().map(|running| SavedSearch {
                weights: self.weights.clone(),
                ms: running.ms,
                machine: running.search.clone(),
                recording: self.saved_recording(),
            }),
        }
    }

    fn stations<'a>(&'a self, moments: impl Iterator<Item = &'a Moment<G>>) -> Vec<Station> {
        let mut before: Option<&G::Position> = None;
        let mut stations = Vec::new();
        for moment in moments {
            let played = moment
                .mv
                .zip(before)
                .map(|(mv, before)| self.game.format_move(before, mv));
            stations.push(Station {
                state: self.game.format_position(&moment.position),
                played,
            });
            before = Some(&moment.position);
        }
        stations
    }

    fn inline_cache(&self) -> SavedCache {
        SavedCache::Inline(self.scribe().all(&self.memo))
    }

    /// Writes a large cache beside the session, under a name of its own: the session that names it comes after it, so
    /// that at every moment a session on disk finds the cache it was saved with.
    fn saved_cache(&self, path: &Path) -> Answer<SavedCache> {
        if self.memo.entries().len() <= INLINE_ENTRIES {
            return Ok(self.inline_cache());
        }
        let stem = stem(path);
        let draft = path.with_file_name(format!("{stem}.plycache.new"));
        let (saved, _) = self.write_cache_file(&draft, Format::Native, None)?;
        let name = format!("{stem}-{:08x}.plycache", saved.crc32);
        files::rename(&draft, &path.with_file_name(&name))?;
        Ok(SavedCache::File(CacheReference {
            name,
            bytes: saved.bytes,
            crc32: saved.crc32,
            entries: saved.entries as usize,
        }))
    }
}

impl<G: Game> Saving for Desk<G> {
    fn save_session(&self, path: &Path, aliases: &Aliases) -> Answer<SessionReport> {
        let before = referenced(path);
        let cache = self.saved_cache(path)?;
        let reference = match &cache {
            SavedCache::Inline(_) => None,
            SavedCache::File(reference) => Some(reference.clone()),
        };
        let restored = self.contents(aliases);
        let written = session::write(&self.document(aliases, cache))
            .and_then(|text| files::write_text(path, &text));
        let new = reference.as_ref().map(|reference| &reference.name);
        // Of the two sessions' caches nothing names one any more: the old one or, after a failure, the new one.
        let (kept, left_over) = if written.is_ok() {
            (new, before.as_ref())
        } else {
            (before.as_ref(), new)
        };
        if let Some(name) = left_over.filter(|name| Some(*name) != kept && belongs(path, name)) {
            files::remove_quietly(&path.with_file_name(name));
        }
        written?;
        Ok(SessionReport {
            file: path.display().to_string(),
            action: "saved",
            cache_file: reference.map(|reference| reference.name),
            restored,
        })
    }

    fn restore(&mut self, text: &str, path: &Path) -> Answer<(Aliases, SessionReport)> {
        let document: Document<G> = session::read(text)?;
        let rules: Vec<_> = document
            .rules
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        self.set_rules(&rules)?;
        self.restore_line(&document.line, document.at)?;
        self.weights = self.checked_weights(&document.weights)?;
        for (name, weights) in &document.weight_sets {
            let weights = self
                .checked_weights(weights)
                .map_err(|fault| named(&format!("weight set {name}"), fault))?;
            self.sets.insert(name.clone(), weights);
        }
        for line in &document.players {
            let player =
                Player::read_for(&self.game, line).map_err(|fault| named("players", fault))?;
            self.players.insert(player.name.clone(), player);
        }
        document
            .settings
            .check_for::<G>()
            .map_err(|fault| named("settings", fault))?;
        self.settings = document.settings;
        let retired = self.settings.hash.take().and_then(|_| retired("hash"));
        self.memo = self.settings.new_memo();
        self.configure_memo();
        for saved in document.breakpoints {
            self.restore_breakpoint(saved)?;
        }
        self.restore_displays(document.displays)?;
        self.next_breakpoint = document.next_breakpoint.max(
            self.breakpoints
                .iter()
                .map(|point| point.id.saturating_add(1))
                .max()
                .unwrap_or(1),
        );
        let cache_file = self.restore_cache(document.cache, path)?;
        let standing = self.memo.entries_mut().set_footing(&document.footing);
        standing.map_err(|fault| named("footing", fault))?;
        if let Some(saved) = document.search {
            self.restore_search(saved)?;
        }
        if let Some(saved) = document.quiz {
            self.restore_quiz(saved);
        }
        let report = SessionReport {
            file: path.display().to_string(),
            action: "loaded",
            cache_file,
            restored: self
                .contents(&document.aliases)
                .into_iter()
                .chain(retired)
                .collect(),
        };
        Ok((document.aliases, report))
    }
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map_or("session".into(), |stem| stem.to_string_lossy().into_owned())
}

/// Whether a cache file's name is one that this session gave it: a copied session names another's, an edited one anything.
fn belongs(path: &Path, name: &str) -> bool {
    let number = name
        .strip_prefix(&format!("{}-", stem(path)))
        .and_then(|rest| rest.strip_suffix(".plycache"));
    number.is_some_and(|number| number.len() == 8 && u32::from_str_radix(number, 16).is_ok())
}

/// The cache file that the session on disk names, if there is a session and it names one.
fn referenced(path: &Path) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Mention {
        cache: MentionedCache,
    }
    #[derive(serde::Deserialize)]
    enum MentionedCache {
        Inline(serde::de::IgnoredAny),
        File(CacheReference),
    }
    let text = std::fs::read_to_string(path).ok()?;
    match ron::from_str::<Mention>(&text).ok()?.cache {
        MentionedCache::Inline(_) => None,
        MentionedCache::File(reference) => Some(reference.name),
    }
}

pub(super) fn named(what: &str, fault: Fault) -> Fault {
    Fault {
        message: format!("{what}: {}", fault.message),
        ..fault
    }
}

impl<G: Game> Desk<G> {
    /// What a session of this desk holds, in words.
    fn contents(&self, aliases: &Aliases) -> Vec<String> {
        let mut words = vec![format!(
            "position {}",
            self.game.format_position(&self.now.position)
        )];
        let mut count = |number: usize, one: &str, many: &str| match number {
            0 => {}
            1 => words.push(format!("1 {one}")),
            _ => words.push(format!("{number} {many}")),
        };
        count(self.past.len(), "position to undo", "positions to undo");
        count(self.sets.len(), "weight set", "weight sets");
        count(self.players.len(), "player", "players");
        count(self.breakpoints.len(), "breakpoint", "breakpoints");
        count(aliases.len(), "alias", "aliases");
        count(self.memo.entries().len(), "cache entry", "cache entries");
        if let Some(running) = &self.running {
            let events = running.search.search().events();
            words.push(if running.search.is_over() {
                format!("a finished search of {events} events")
            } else {
                format!("a search paused after {events} events")
            });
        }
        words
    }

    fn restore_line(&mut self, line: &[Station], at: usize) -> Answer<()> {
        if at >= line.len() {
            return Err(Fault::new(format!(
                "`at` is {at}, but the session's line has {} positions",
                line.len()
            ))
            .hint("set `at` to the place of the position at hand, from 0"));
        }
        let mut moments: Vec<Moment<G>> = Vec::new();
        for (place, station) in line.iter().enumerate() {
            let moment = self
                .moment(moments.last(), station)
                .map_err(|fault| named(&format!("position {place} of the line"), fault))?;
            moments.push(moment);
        }
        self.future = moments.split_off(at + 1).into_iter().rev().collect();
        if let Some(now) = moments.pop() {
            self.now = now;
        }
        self.past = moments;
        Ok(())
    }

    fn moment(&self, before: Option<&Moment<G>>, station: &Station) -> Answer<Moment<G>> {
        let position = self.game.parse_position(&station.state)?;
        self.game.admits(&position)?;
        let Some(text) = &station.played else {
            return Ok(Moment {
                position,
                history: G::History::default(),
                mv: None,
            });
        };
        let before = before.ok_or_else(|| {
            Fault::new(format!("no position is before it to play {text} from"))
                .hint("write `played: None`")
        })?;
        let mv = self
            .game
            .parse_move(&before.position, &before.history, text)?;
        if self.game.apply(&before.position, mv) != position {
            return Err(Fault::new(format!(
                "the move {text} does not lead to {}",
                station.state
            )));
        }
        let mut history = before.history.clone();
        history.push(&before.position);
        Ok(Moment {
            position,
            history,
            mv: Some(mv),
        })
    }

    /// The weights in the game's order. Refuses them unless each is there once.
    pub(super) fn checked_weights(&self, weights: &Weights) -> Answer<Weights> {
        let mut known = self.game.default_weights();
        for (name, value) in weights.iter() {
            known.set(name, value)?;
        }
        let times = |name: &str| weights.iter().filter(|(given, _)| *given == name).count();
        let wrong = known.iter().find(|(name, _)| times(name) != 1);
        if let Some((name, _)) = wrong {
            let message = format!("weight {name} is given {} times, not once", times(name));
            return Err(Fault::new(message).hint(format!("give all of {known}")));
        }
        self.game.evaluator(&known, &self.now.position)?;
        Ok(known)
    }

    fn restore_cache(&mut self, cache: SavedCache, path: &Path) -> Answer<Option<String>> {
        match cache {
            SavedCache::Inline(entries) => {
                let scribe = Scribe::new(&self.game, &self.settings);
                scribe.fill(&mut self.memo, &entries)?;
                Ok(None)
            }
            SavedCache::File(reference) => {
                if Path::new(&reference.name).file_name() != Some(reference.name.as_ref()) {
                    let message =
                        format!("the cache file `{}` is not a plain name", reference.name);
                    return Err(Fault::new(message).hint("it lies in the session's folder"));
                }
                let file = path.with_file_name(&reference.name);
                let (bytes, crc32) = files::fingerprint(&file)?;
                if (bytes, crc32) != (reference.bytes, reference.crc32) {
                    return Err(Fault::new(format!(
                        "the session's cache file {} is not the one it was saved with: {bytes} bytes with CRC-32 {crc32:08x} instead of {} bytes with {:08x}",
                        file.display(),
                        reference.bytes,
                        reference.crc32
                    ))
                    .hint("restore that file, or put `cache: Inline([])` into the session to load the rest"));
                }
                self.load_cache_file(&file, Some(Format::Native), None)?;
                Ok(Some(reference.name))
            }
        }
    }

    fn restore_search(&mut self, saved: SavedSearch<G>) -> Answer<()> {
        let weights = self
            .checked_weights(&saved.weights)
            .map_err(|fault| named("the search's weights", fault))?;
        if weights != self.weights {
            return Err(Fault::new(format!(
                "the search under way runs with {weights}, the session with {}",
                self.weights
            ))
            .hint("make them equal, or remove the search (`search: None`)"));
        }
        saved.machine.check(&self.game)?;
        let evaluator = self.game.evaluator(&weights, saved.machine.root())?;
        if saved.machine.full_window() != self.full_window(&evaluator) {
            return Err(Fault::new(
                "the saved search is inconsistent: its full window is not that of the weights",
            )
            .hint("remove it (`search: None`) to load the rest of the session"));
        }
        self.counters = saved.machine.search().counters;
        self.running = Some(Running {
            search: saved.machine,
            evaluator,
            mode: self.settings.mode(),
            ms: saved.ms,
            breakpoint: None,
            selected: None,
        });
        self.restore_recording(saved.recording)
    }
}
