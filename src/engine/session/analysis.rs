//! A game and its searches under the control of another program: a position with moves from it, a search in slices of time,
//! its progress and its best line.

use std::time::Duration;

use super::{Pair, PlayedPosition, Purpose, Session, search::stop_of};

use crate::engine::{
    game::{Game, MoveText, Result, Score},
    search::Stop,
    settings::{SETTINGS, Setting, Settings},
};

/// The most entries for which the cache reserves memory before a search.
// Growing a table of this size takes longer than a move at 20 ms.
const MOST_RESERVED: usize = 1 << 23;

pub use crate::engine::settings::SettingKind;

/// A search setting with its value.
#[derive(Clone, Debug)]
pub struct SettingOption {
    /// The name.
    pub name: &'static str,
    /// The kind of the value.
    pub kind: SettingKind,
    /// The possible words, if the kind has any.
    pub choices: Vec<&'static str>,
    /// The value in force.
    pub value: String,
}

/// How far the search under way is.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchProgress {
    /// Depth of the last complete iteration; 0 without one.
    pub depth: u8,
    /// The greatest ply so far that has a principal variation of its own.
    pub greatest_ply: usize,
    /// Nodes visited.
    pub nodes: u64,
    /// How full the cache is, in thousandths.
    pub full: usize,
}

/// The best line that the search under way has found.
#[derive(Clone, Debug)]
pub struct BestLine {
    /// The value of the root for the side to move; `None` if no move has been searched.
    pub value: Option<Score>,
    /// The plies after which the game is won or lost, where that is proven and values hold no distance.
    pub ends_in: Option<u8>,
    /// The principal variation, the best move first.
    pub moves: Vec<MoveText>,
}

/// A game and its searches under the control of another program.
pub trait AnalysisCommands {
    /// Every search setting with its value in force.
    fn setting_options(&self) -> Vec<SettingOption>;
    /// Switches to the settings and weights for play, see [`Settings::for_play`].
    fn use_play_settings(&mut self);
    /// Switches to the default settings or to those for play, each with its weights unless the weights were changed. Limits of
    /// a search and the random seed stay. Returns the other changes.
    fn use_preset(&mut self, for_play: bool) -> Vec<String>;
    /// Sets up a position (default: the start) and plays moves from there; nothing can be undone. Moves may follow a draw that
    /// a player could claim. After an error the game is as it was.
    fn set_up(&mut self, position: Option<&str>, moves: &[&str]) -> Result<()>;
    /// Whether a text is a legal move, in a notation of the game.
    fn reads_move(&self, text: &str) -> bool;
    /// Starts a search for the best move, among the moves `only` if there are any; `limits` are settings that hold for this
    /// search only. [`AnalysisCommands::analyse`] runs it.
    fn begin_analysis(&mut self, limits: &[Pair<'_>], only: &[&str]) -> Result<()>;
    /// Runs the search for at most `slice`. Returns why the search ended, once it has.
    fn analyse(&mut self, slice: Duration) -> Option<Stop>;
    /// How far the search under way is.
    fn search_progress(&self) -> SearchProgress;
    /// The best line of the search under way, or the first legal move; without moves if the game is over.
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
        // Weights that were changed stay.
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
            let moves = self.pv_of(running, best);
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
    /// A position that the history makes a draw, as if the game began there. A client that has not claimed the draw plays on.
    fn without_history(&self, played: PlayedPosition<G>) -> PlayedPosition<G> {
        let game = self.game();
        let now = PlayedPosition::<G>::set(played.position);
        if !G::STATE_IS_FEN || !game.depends_on_history(&now.position, &now.history) {
            return now;
        }
        // The halfmove clock is in the position.
        let fen = game.format_position(&now.position);
        let fields: Vec<_> =
            fen.split(' ').zip(0..).map(|(field, at)| if at == 4 { "0" } else { field }).collect();
        let restarted = game.parse_position(&fields.join(" "));
        restarted.map_or(now, PlayedPosition::set)
    }
}
