//! Saving sessions to files, and restoring them.

use std::path::Path;

use serde::Serialize;

use super::{
    Aliases, PlayedPosition, Session,
    document::{
        LinePosition, SavedCache, SavedRecording, SavedRunning, SavedSearch, SavedSession,
        SavedTables, VERSION,
    },
    entry_text::EntryText,
    game_head::GameHead,
    game_tags::GameTagCommands,
    reply::Reply,
    tournament::TournamentCommands,
    tuning::TuningCommands,
};

use crate::{
    engine::{
        arena::Player,
        cachefile::{self, CACHE_MARKER, CacheHeader, Document},
        files,
        game::{Fault, Game, Result, TableUse, Weights, pgn},
        progress::Unit,
        recording::{Running, SMALL_TABLE},
        searcher::Searcher,
        settings::Settings,
        table::ReplacementState,
    },
    text::{count, counted, layout, lines, wrap},
};

const WITHOUT_CACHE: &str = "restore the file, and edit it with an editor that keeps bytes as they are; \
     `cache: Inline([])` in it loads the rest of the session";

/// Commands that save and restore sessions.
pub trait SavingCommands {
    /// Saves the session to a file, except a search for play. `times`: also search times, which vary between runs.
    fn save_session(&self, path: &Path, aliases: &Aliases, times: bool) -> Result<SessionReport>;
    /// Restores a saved session into this one, which must be new; after an error this session is unusable. The caller must not
    /// run the commands that come with the saved session before the user trusts them.
    fn restore(&mut self, session: Document, path: &Path) -> Result<(Aliases, SessionReport)>;
}

impl<G: Game> SavingCommands for Session<G> {
    fn save_session(&self, path: &Path, aliases: &Aliases, times: bool) -> Result<SessionReport> {
        let (document, notes) = self.document(aliases, times)?;
        let text = files::to_ron(&document)?;
        let Searcher { game, table, .. } = self.usual();
        let header = CacheHeader::of(self.usual());
        let below = self.has_large_cache().then_some((game, table.entries(), &header));
        self.watching("saving", Unit::Entries, 0, |watch| {
            cachefile::write_document(path, &text, below, watch)
        })?;
        let mut restored = self.summary(aliases);
        restored.extend(notes);
        let file = path.display().to_string();
        let paused = self.is_paused();
        Ok(SessionReport { file, action: "saved", restored, lost: None, paused, carried: None })
    }

    fn restore(&mut self, session: Document, path: &Path) -> Result<(Aliases, SessionReport)> {
        let mut document: SavedSession = files::from_ron(&session.text)?;
        let mut search = document.search();
        let commands = commands(&document);
        let rules: Vec<_> =
            document.rules.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.set_rules(&rules)?;
        self.restore_line(&document.line, document.at)?;
        let lost = self.restore_tables(&mut document, &mut search);
        self.restore_names(&document)?;
        self.restore_settings(document.settings)?;
        for saved in document.breakpoints {
            let name = format!("breakpoint {}", saved.id);
            self.restore_breakpoint(saved).map_err(|fault| fault.within(name))?;
        }
        self.restore_displays(document.displays)?;
        let breakpoints = &self.run.debugger.breakpoints;
        let free = breakpoints.iter().map(|point| point.saved.id.saturating_add(1)).max();
        self.next_breakpoint = document.next_breakpoint.max(free.unwrap_or(1));
        self.restore_cache(document.cache, session, path)?;
        let entries = self.run.searcher.table.entries_mut();
        let restored = entries.set_replacement_state(&document.replacement_state);
        restored.map_err(|fault| fault.within("replacement_state"))?;
        // The search is restored after the rules: a mistyped rule should give a fault about the rule, not the checksum.
        if let Some(saved) = search? {
            self.restore_search(saved)?;
        }
        if let Some(saved) = document.quiz {
            self.restore_quiz(saved);
        }
        let report = SessionReport {
            file: path.display().to_string(),
            action: "loaded",
            restored: self.summary(&document.aliases),
            lost,
            paused: self.is_paused(),
            carried: Some(CarriedCommands { commands, ..CarriedCommands::default() }),
        };
        Ok((document.aliases, report))
    }
}

impl<G: Game> Session<G> {
    fn is_paused(&self) -> bool {
        self.own_search().is_some_and(|running| !running.search.is_over())
    }

    /// The session as a document, and notes on timelines that are left out or shortened.
    fn document(&self, aliases: &Aliases, times: bool) -> Result<(SavedSession, Vec<String>)> {
        let Searcher { game, settings, weights, table } = self.usual();
        let points = self.run.debugger.breakpoints.iter();
        let mut document = SavedSession {
            version: VERSION,
            game: G::NAME.into(),
            rules: game.rules().into_iter().map(|rule| (rule.name, rule.value)).collect(),
            line: self.line_positions(times),
            at: self.past.len(),
            weights: weights.clone(),
            weight_sets: self.sets.clone(),
            players: self.players(),
            settings: settings.clone(),
            tables: game
                .tables_digest()
                .map(|digest| SavedTables { folder: self.tables.folder(), digest }),
            aliases: aliases.clone(),
            breakpoints: points.map(|point| point.saved.clone()).collect(),
            next_breakpoint: self.next_breakpoint,
            displays: self.displays.clone(),
            cache: if self.has_large_cache() {
                SavedCache::Below
            } else {
                SavedCache::Inline(EntryText::new(game, settings).all(table))
            },
            replacement_state: table.entries().replacement_state(),
            quiz: self.saved_quiz(),
            search: None,
            search_crc32: 0,
        };
        let running = self.own_search().map(|running| SavedRunning {
            weights: weights.clone(),
            ms: if times { running.ms } else { 0.0 },
            time_ms: running.time_ms,
            selected: running.selected.filter(|ply| *ply < running.search.ply() as usize),
            machine: running.search.clone(),
        });
        let recording = self.saved_recording();
        let notes = self.timelines_cut_short(recording.as_ref());
        if running.is_some() || recording.is_some() {
            document.set_search(&SavedSearch { running, recording })?;
        }
        Ok((document, notes))
    }

    fn timelines_cut_short(&self, saved: Option<&SavedRecording<G>>) -> Vec<String> {
        const WHY: &str = "the cache at its start, or one loaded during it, is too large, or it used other endgame tables";
        let timelines = saved.map_or(0, |saved| saved.timelines.len());
        let left_out = self.timeline_count().saturating_sub(timelines) as u64;
        let left_out = (left_out > 0).then(|| {
            let timelines = counted(left_out, "timeline is", "timelines are");
            format!("{timelines} left out: {WHY}")
        });
        let current = self.own_timeline().zip(saved.and_then(SavedRecording::current_start));
        let shortened = current.filter(|(now, start)| *start > now.origin.start.events());
        let shortened = shortened.map(|(now, start)| {
            format!("timeline {} begins at event {start} in it: {WHY}", now.name)
        });
        left_out.into_iter().chain(shortened).collect()
    }

    fn timeline_count(&self) -> usize {
        self.own_timeline().iter().len() + self.run.others.len()
    }

    fn line_positions(&self, dated: bool) -> Vec<LinePosition> {
        let game = self.game();
        let mut before: Option<&PlayedPosition<G>> = None;
        let mut line = Vec::new();
        for played in self.past.iter().chain([&self.now]).chain(self.future.iter().rev()) {
            let mv = played.mv.zip(before);
            line.push(LinePosition {
                state: game.format_position(&played.position),
                played: mv.map(|(mv, before)| game.format_move(&before.position, mv)),
                by: played.by.clone(),
                end: played.end.clone(),
                game: GameHead {
                    date: played.head.date.clone().filter(|_| dated),
                    ..played.head.clone()
                },
                notes: played.notes.clone(),
                variations: before.map_or_else(Vec::new, |before| {
                    let number = game.move_number(&before.position).unwrap_or(1);
                    let text = |line| pgn::moves_text(game, &before.position, line, number);
                    played.others.iter().map(|line| text(line)).collect()
                }),
                rank: played.rank,
            });
            before = Some(played);
        }
        line
    }

    fn has_large_cache(&self) -> bool {
        self.usual().table.entries().len() > SMALL_TABLE
    }

    /// Opens the endgame tables of a saved session. If the tables have changed, searches, cache and quiz,
    /// which depend on the tables, are not restored. Returns a note on the loss.
    fn restore_tables(
        &mut self,
        document: &mut SavedSession,
        search: &mut Result<Option<SavedSearch<G>>>,
    ) -> Option<String> {
        let saved = document.tables.take();
        let digest = saved.as_ref().map(|tables| tables.digest);
        if let Some(SavedTables { folder, .. }) = saved {
            self.tables.folder = folder.map(Into::into);
            self.refresh_tables();
        }
        let has_used = matches!(search, Ok(Some(search)) if search.uses_tables());
        let uses = document.settings.tables != TableUse::Off;
        if digest == self.game().tables_digest() || !(uses || has_used) {
            return None;
        }
        document.settings.tables = TableUse::Off;
        document.cache = SavedCache::Inline(Vec::new());
        document.replacement_state = ReplacementState::default();
        (document.quiz, *search) = (None, Ok(None));
        let folder = self.tables.folder().unwrap_or_else(|| "the data folder".to_owned());
        Some(format!(
            "without searches and cache, and with tables=off: the endgame tables that they used are not in {folder}"
        ))
    }

    /// Restores weights, named weight sets and named players.
    fn restore_names(&mut self, document: &SavedSession) -> Result<()> {
        self.run.searcher.weights = self.checked_weights(&document.weights)?;
        for (name, weights) in &document.weight_sets {
            let weights = self
                .checked_weights(weights)
                .map_err(|fault| fault.within(format!("weight set {name}")))?;
            self.sets.insert(name.clone(), weights);
        }
        for line in &document.players {
            let player = Player::read(self.game(), line).map_err(|it| it.within("players"))?;
            self.players.insert(player.name.clone(), player);
        }
        Ok(())
    }

    /// Restores the settings and creates an empty cache of their memo policy.
    fn restore_settings(&mut self, settings: Settings) -> Result<()> {
        settings.check_saved::<G>().map_err(|fault| fault.within("settings"))?;
        self.run.searcher.table = settings.new_table();
        self.run.searcher.settings = settings;
        self.configure_table();
        Ok(())
    }

    /// What the session contains, each item as a phrase.
    fn summary(&self, aliases: &Aliases) -> Vec<String> {
        let game = self.game();
        let mut words = vec![format!("position {}", game.format_position(&self.now.position))];
        words.extend(self.tags(false).line());
        let mut count = |number: usize, one: &str, many: &str| {
            words.extend((number > 0).then(|| counted(number as u64, one, many)));
        };
        count(self.past.len(), "position to undo", "positions to undo");
        count(self.sets.len(), "weight set", "weight sets");
        count(self.players.len(), "player", "players");
        count(self.run.debugger.breakpoints.len(), "breakpoint", "breakpoints");
        count(aliases.len(), "alias", "aliases");
        count(self.timeline_count(), "timeline", "timelines");
        count(self.run.bookmarks.len(), "mark", "marks");
        count(self.usual().table.entries().len(), "cache entry", "cache entries");
        if let Some(running) = self.own_search() {
            let events = counted(running.search.events(), "event", "events");
            words.push(if running.search.is_over() {
                format!("a finished search of {events}")
            } else {
                format!("a search paused after {events}")
            });
        }
        words
    }

    fn restore_line(&mut self, line: &[LinePosition], at: usize) -> Result<()> {
        if at >= line.len() {
            return Err(Fault::new(format!(
                "`at` is {at}, but the session's line has {} positions",
                line.len()
            ))
            .hint("set `at` to the place of the current position, from 0"));
        }
        let mut positions: Vec<PlayedPosition<G>> = Vec::new();
        for (index, saved) in line.iter().enumerate() {
            let played = self
                .played_position(positions.last(), saved)
                .map_err(|fault| fault.within(format!("position {index} of the line")))?;
            positions.push(played);
        }
        self.future = positions.split_off(at + 1).into_iter().rev().collect();
        if let Some(now) = positions.pop() {
            self.now = now;
        }
        self.past = positions;
        Ok(())
    }

    fn played_position(
        &self,
        before: Option<&PlayedPosition<G>>,
        saved: &LinePosition,
    ) -> Result<PlayedPosition<G>> {
        let game = self.game();
        let position = game.parse_position(&saved.state)?;
        let others = saved.variations.iter().filter_map(|text| {
            let before = before?;
            Some(pgn::read_moves(game, (&before.position, &before.history), text))
        });
        let others =
            others.collect::<Result<Vec<_>>>().map_err(|fault| fault.within("variations"))?;
        let rank = saved.rank.min(others.len());
        let (notes, by) = (saved.notes.clone(), saved.by.clone());
        let Some(text) = &saved.played else {
            let head = saved.game.clone();
            return Ok(PlayedPosition {
                end: saved.end.clone(),
                head,
                notes,
                others,
                rank,
                ..PlayedPosition::set(position)
            });
        };
        let before = before.ok_or_else(|| {
            Fault::new(format!("no position comes before the move {text}"))
                .hint("write `played: None`")
        })?;
        let mv = game.parse_move(&before.position, &before.history, text)?;
        let end = saved.end.clone();
        let next = PlayedPosition { by, end, notes, others, rank, ..before.after(game, mv) };
        if next.position != position {
            return Err(Fault::new(format!("the move {text} does not lead to {}", saved.state)));
        }
        Ok(next)
    }

    /// A copy of `weights` in the game's order. Fails if a weight is unknown, missing, given twice or out of range.
    pub(super) fn checked_weights(&self, weights: &Weights) -> Result<Weights> {
        let game = self.game();
        let mut known = game.default_weights();
        for (name, value) in weights.iter() {
            known.set(name, value)?;
        }
        let times = |name: &str| weights.iter().filter(|(given, _)| *given == name).count();
        if let Some((name, _)) = known.iter().find(|(name, _)| times(name) != 1) {
            let message = format!("weight {name} is given {} times, not once", times(name));
            return Err(Fault::new(message).hint(format!("give each of {known} once")));
        }
        game.evaluator(&known, &self.now.position)?;
        Ok(known)
    }

    fn restore_cache(&mut self, saved: SavedCache, session: Document, path: &Path) -> Result<()> {
        match saved {
            SavedCache::Inline(entries) => {
                let Searcher { game, settings, table, .. } = &mut self.run.searcher;
                EntryText::new(&*game, settings).fill(table, &entries)
            }
            SavedCache::Below => self.read_cache_below(session, path),
        }
    }

    fn read_cache_below(&mut self, session: Document, path: &Path) -> Result<()> {
        let cache = session.cache.ok_or_else(|| {
            Fault::new(format!("the cache is missing: it must follow the line `{CACHE_MARKER}`"))
                .hint(WITHOUT_CACHE)
        })?;
        let place = format!("the cache after line {}", session.text.lines().count() + 1);
        let loaded = self.watching("loading", Unit::Bytes, 0, |watch| {
            cachefile::load_embedded::<G>(&cache, &place, WITHOUT_CACHE, watch)
        })?;
        self.adopt(path, loaded).map(|_| ())
    }

    fn restore_search(&mut self, saved: SavedSearch<G>) -> Result<()> {
        let running = saved.running.map(|running| self.running_of(running)).transpose()?;
        if let Some(running) = &running {
            self.run.counters = running.search.counters;
        }
        self.restore_recording(running, saved.recording)
    }

    fn running_of(&self, saved: SavedRunning<G>) -> Result<Running<G>> {
        let weights = self
            .checked_weights(&saved.weights)
            .map_err(|fault| fault.within("the search's weights"))?;
        if weights != self.run.searcher.weights {
            return Err(Fault::new(format!(
                "the search under way runs with {weights}, the session with {}",
                self.run.searcher.weights
            ))
            .hint("make them equal, or remove the search (`search: None`)"));
        }
        let evaluator = self.game().evaluator(&weights, saved.machine.root())?;
        Ok(Running {
            ms: saved.ms,
            time_ms: saved.time_ms,
            selected: saved.selected,
            ..Running::new((saved.machine, evaluator), self.run.searcher.mode())
        })
    }
}

/// The commands of a session's breakpoints, then those of its aliases.
fn commands(document: &SavedSession) -> Vec<CommandList> {
    let with_commands = document.breakpoints.iter().filter(|point| !point.commands.is_empty());
    let of_breakpoints = with_commands.map(|point| CommandList {
        of: format!("breakpoint {}", point.id),
        commands: point.commands.clone(),
    });
    let of_aliases = document.aliases.iter().map(|(name, body)| CommandList {
        of: format!("alias {name}"),
        commands: vec![body.clone()],
    });
    of_breakpoints.chain(of_aliases).collect()
}

/// The reply of `session save` and `session load`.
#[derive(Clone, Debug, Serialize)]
pub struct SessionReport {
    /// The path of the session file, as the user gave it.
    pub file: String,
    /// What the command did with the file: `saved` or `loaded`.
    pub action: &'static str,
    /// What was saved or restored, each item as a phrase.
    pub restored: Vec<String>,
    /// What could not be restored, and why; `None` if everything was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// Whether the session's search is paused before its end.
    pub paused: bool,
    /// The commands that came with a loaded session; `None` after saving.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub carried: Option<CarriedCommands>,
}

impl SessionReport {
    /// Whether the user must see the report: commands came with the session, or something could not be restored.
    pub fn has_news(&self) -> bool {
        self.lost.is_some() || self.carried.as_ref().is_some_and(|it| !it.commands.is_empty())
    }
}

impl Reply for SessionReport {
    fn text(&self) -> String {
        let way = if self.action == "saved" { "to" } else { "from" };
        let title = format!("session {} {way} {}", self.action, self.file);
        let restored = self.restored.iter().chain(&self.lost).map(|what| wrap("  ", what));
        let carried = self.carried.as_ref().map(carried);
        lines(std::iter::once(title).chain(restored).chain(carried))
    }
}

/// The commands that came with a loaded session, and whether they may run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CarriedCommands {
    /// The commands of breakpoints, then of aliases.
    pub commands: Vec<CommandList>,
    /// Whether the commands may run at once, because the user trusts the folder; otherwise they wait for `trust`.
    pub trusted: bool,
    /// Why the list of trusted folders could not be read; empty if it could.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The commands of one breakpoint or alias that came with a session.
#[derive(Clone, Debug, Serialize)]
pub struct CommandList {
    /// The owner of the commands, such as `breakpoint 1` or `alias n`.
    pub(crate) of: String,
    pub(crate) commands: Vec<String>,
}

// Every command is shown in full on its own line, because users must read commands before they trust them.
fn carried(carried: &CarriedCommands) -> String {
    let shown = carried.commands.iter().flat_map(|list| {
        let commands = list.commands.iter().flat_map(|command| command.lines());
        let commands = commands.map(|command| wrap("    > ", command));
        std::iter::once(format!("  {}", list.of)).chain(commands)
    });
    let whether = match (carried.commands.len(), carried.trusted) {
        (0, _) => return String::new(),
        (_, true) => "run, as the folder is trusted",
        (_, false) => "do not run before `trust`",
    };
    let number = count(carried.commands.len() as u64);
    let head = format!("commands that came with it ({number}) {whether}:");
    let notes = layout::notes(&carried.notes);
    lines(std::iter::once(head).chain(shown).chain([notes]))
}
