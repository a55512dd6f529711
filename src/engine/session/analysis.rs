//! The interface for programs that drive the engine, such as a UCI front end: set up a position with moves, search in slices of
//! time, read progress and best line.

use std::time::Duration;

use super::{Pair, PlayedPosition, Purpose, Session, search::stop_of};

use crate::engine::{
    game::{Game, MoveText, Result, Score},
    search::Stop,
    settings::{SETTINGS, Setting, Settings},
};

/// The most entries for which the cache reserves memory before a search.
/// Growing a table of this size takes longer than a move at 20 ms per move.
const MOST_RESERVED: usize = 1 << 23;

pub use crate::engine::settings::SettingKind;

/// A search setting with its type, its choices and its value in force.
#[derive(Clone, Debug)]
pub struct SettingOption {
    /// The setting's name, as `search set` takes it.
    pub name: &'static str,
    /// The type of value that the setting takes, such as a switch or a number.
    pub kind: SettingKind,
    /// The words that the setting accepts; empty for numbers and switches.
    pub choices: Vec<&'static str>,
    /// The value in force, as `search set` takes it.
    pub value: String,
}

/// How far the current search has got.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchProgress {
    /// Depth of the last complete iteration in plies; 0 before the first.
    pub depth: u8,
    /// The greatest ply so far with a principal variation of its own: `seldepth` in UCI.
    pub greatest_ply: usize,
    /// Nodes visited so far.
    pub nodes: u64,
    /// How full the cache is, in permille of its greatest size: `hashfull` in UCI.
    pub full: usize,
}

/// The principal variation of the current search, with its value.
#[derive(Clone, Debug)]
pub struct BestLine {
    /// The root's value for the side to move; `None` if no root move has been searched.
    pub value: Option<Score>,
    /// Plies to the end of the game, if a win or loss is proven and values do not contain the distance.
    pub ends_in: Option<u8>,
    /// The principal variation, the best move first.
    pub moves: Vec<MoveText>,
}

/// Commands for programs that drive the engine, such as a UCI front end.
pub trait AnalysisCommands {
    /// Lists every search setting with its type, its choices and its value in force.
    fn setting_options(&self) -> Vec<SettingOption>;
    /// Switches to the settings and weights for play, see [`Settings::for_play`].
    fn use_play_settings(&mut self);
    /// Switches to the default settings, or with `for_play` to those for play. The weights are switched too, unless the user
    /// has changed them. Search limits and random seed stay. Returns notes on other changes.
    fn use_preset(&mut self, for_play: bool) -> Vec<String>;
    /// Sets up a position (default: the start position) and plays moves from there; `undo` cannot go back. Play may continue
    /// after a draw that a player could claim. After an error the game is unchanged.
    fn set_up(&mut self, position: Option<&str>, moves: &[&str]) -> Result<()>;
    /// Whether a text is a legal move in the current position, in any notation of the game.
    fn reads_move(&self, text: &str) -> bool;
    /// Prepares a search for the best move, restricted to the root moves `only` unless the list is empty. `limits` are settings
    /// for this search only. Call [`AnalysisCommands::analyse`] to run it.
    fn begin_analysis(&mut self, limits: &[Pair<'_>], only: &[&str]) -> Result<()>;
    /// Runs the search for at most `slice`. Returns why the search ended, or `None` while it is unfinished.
    fn analyse(&mut self, slice: Duration) -> Option<Stop>;
    /// Depth, nodes and cache use of the current search; zeros without a search.
    fn search_progress(&self) -> SearchProgress;
    /// The best line so far; before any result the first legal move; no moves if the game is over.
    fn best_line(&self) -> BestLine;
}

impl<G: Game> AnalysisCommands for Session<G> {
    fn setting_options(&self) -> Vec<SettingOption> {
        let values = self.usual().settings.list();
        let option = |(setting, (name, value)): (&Setting, _)| {
            let choices = (setting.choices)();
            SettingOption { name, kind: setting.kind, choices, value }
        };
        SETTINGS.iter().zip(values).map(option).collect()
    }

    fn use_play_settings(&mut self) {
        self.apply_settings(Settings::for_play::<G>());
        self.put_in_force(self.game().weights_for_play());
    }

    fn use_preset(&mut self, for_play: bool) -> Vec<String> {
        let left = self.leave_play();
        let preset = if for_play { Settings::for_play::<G>() } else { Settings::default() };
        let Settings { depth, budget, time_ms, seed, .. } = self.usual().settings;
        let changed = self.apply_settings(Settings { depth, budget, time_ms, seed, ..preset });
        let game = self.game();
        let (plain, play) = (game.default_weights(), game.weights_for_play());
        let (before, after) = if for_play { (plain, play) } else { (play, plain) };
        // Weights that the user has changed are not replaced.
        let weights = (self.run.searcher.weights == before).then(|| self.put_in_force(after).notes);
        left.into_iter().chain(changed).chain(weights.into_iter().flatten()).collect()
    }

    fn set_up(&mut self, position: Option<&str>, moves: &[&str]) -> Result<()> {
        let start =
            position.map_or_else(|| Ok(self.game().start()), |text| self.read_position(text))?;
        let mut now = PlayedPosition::<G>::set(start);
        for text in moves {
            let mv = self.game().parse_move(&now.position, &now.history, text)?;
            now = now.after(self.game(), mv);
        }
        if self.game().depends_on_history(&now.position, &now.history) {
            now = self.without_history(now);
        }
        self.discard_search("");
        self.past.clear();
        self.future.clear();
        self.now = now;
        Ok(())
    }

    fn reads_move(&self, text: &str) -> bool {
        self.game().parse_move(&self.now.position, &self.now.history, text).is_ok()
    }

    fn begin_analysis(&mut self, limits: &[Pair<'_>], only: &[&str]) -> Result<()> {
        let PlayedPosition { position, history, .. } = &self.now;
        let only = only.iter().map(|text| self.game().parse_move(position, history, text));
        let only: Vec<_> = only.collect::<Result<_>>()?;
        let entries = self.entries_mut();
        entries.reserve(entries.limit().min(MOST_RESERVED).saturating_sub(entries.len()));
        self.begin(limits, Purpose::Run)?;
        if let Some(running) = self.run.running.as_mut().filter(|_| !only.is_empty()) {
            running.search.restrict_root(|mv| only.contains(&mv));
        }
        Ok(())
    }

    fn analyse(&mut self, slice: Duration) -> Option<Stop> {
        if !self.run.is_pending() {
            return Some(self.run.running.as_ref().and_then(stop_of).unwrap_or(Stop::Exhausted));
        }
        self.pump(Some(slice)).map(|(stop, _)| stop)
    }

    fn search_progress(&self) -> SearchProgress {
        let Some(running) = &self.run.running else {
            return SearchProgress::default();
        };
        let (search, entries) = (&running.search, self.entries());
        SearchProgress {
            depth: search.complete().map_or(0, |complete| complete.depth),
            greatest_ply: search.greatest_ply(),
            nodes: search.counters.nodes,
            full: entries.len().saturating_mul(1000) / entries.limit().max(1),
        }
    }

    fn best_line(&self) -> BestLine {
        let found = self.run.running.as_ref().and_then(|running| {
            let known = running.search.root_result(&running.mode);
            let best = *known.best.first()?;
            let moves = self.pv_of(running, known.moves, best);
            Some(BestLine { value: known.value, ends_in: self.distance(best), moves })
        });
        found.unwrap_or_else(|| {
            let mut moves = Vec::new();
            self.game().list_moves(&self.now.position, &self.now.history, &mut moves);
            moves.truncate(1);
            let moves = self.format_line(&self.now.position, &moves);
            BestLine { value: None, ends_in: None, moves }
        })
    }
}

impl<G: Game> Session<G> {
    /// Drops the history if it makes the position a draw, because a client that has not claimed the draw plays on.
    fn without_history(&self, played: PlayedPosition<G>) -> PlayedPosition<G> {
        let game = self.game();
        let now = PlayedPosition::<G>::set(played.position);
        if !G::STATE_IS_FEN || !game.depends_on_history(&now.position, &now.history) {
            return now;
        }
        // A high halfmove clock, a field of the FEN, makes the position a draw too, so the field is set to 0.
        let fen = game.format_position(&now.position);
        let fields: Vec<_> =
            fen.split(' ').zip(0..).map(|(field, at)| if at == 4 { "0" } else { field }).collect();
        let restarted = game.parse_position(&fields.join(" "));
        restarted.map_or(now, PlayedPosition::set)
    }
}
