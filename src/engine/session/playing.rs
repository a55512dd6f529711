//! The engine as a player: its moves, hints and replies to offered draws, searched with settings and a cache for play.
//!
//! In seed fidelity the session's own searcher plays. Otherwise another one takes its place as soon as the engine searches for
//! play, until that search is dropped: what the user sees of a search is that of the search under way, and the session's own
//! settings and cache stay as they are.

use serde::Serialize;

use super::{
    Pair, PlayedPosition, Purpose, Session,
    game_head::engine_name,
    position::{PositionCommands as _, PositionReport},
    reply::{Replied, Reply, boxed},
    search::{Run, changed},
};

use crate::{
    engine::{
        game::{Game, MoveText, Result, Score},
        random::{fingerprint, index_of, splitmix},
        search::{Fidelity, Stop},
        searcher::Searcher,
        settings::{Budget, Settings},
    },
    text::{layout, lines, number},
};

/// The searcher for play and that of the session, of which one is in force.
#[derive(Debug)]
pub(crate) struct OtherSearcher<G: Game> {
    /// The one that is not in force.
    searcher: Searcher<G>,
    /// Whether the one for play is in force.
    plays: bool,
}

/// The engine as a player.
pub trait PlayCommands {
    /// Searches with the settings for play, and plays one of the best moves; the setting `random` chooses among equal ones.
    /// `limits` are settings that hold for this search only. `level` names the player.
    fn play_best(&mut self, limits: &[Pair<'_>], level: Option<u8>) -> Replied;
    /// Searches every root move with the settings for play to its exact value, recorded as other searches are.
    fn hint(&mut self, limits: &[Pair<'_>]) -> Result<Run>;
}

impl<G: Game> PlayCommands for Session<G> {
    fn play_best(&mut self, limits: &[Pair<'_>], level: Option<u8>) -> Replied {
        self.check_going_on()?;
        self.begin(limits, Purpose::Play(level))?;
        match self.pump(self.slice) {
            Some(_) => self.play_found(level),
            None => Ok(boxed(self.report_run(self.run.under_way()?))),
        }
    }

    fn hint(&mut self, limits: &[Pair<'_>]) -> Result<Run> {
        let record = if self.usual().settings.record { "on" } else { "off" };
        let whole = [("root", "all"), ("record", record)];
        let limits: Vec<_> = whole.iter().chain(limits).copied().collect();
        self.begin(&limits, Purpose::Hint)?;
        self.pump(self.slice);
        self.report_watched_run()
    }
}

impl<G: Game> Session<G> {
    /// The session's own searcher, also while that for play is in force.
    pub(super) fn usual(&self) -> &Searcher<G> {
        match &self.other {
            Some(other) if other.plays => &other.searcher,
            _ => &self.run.searcher,
        }
    }

    /// The settings for play, [`Settings::for_play`], with every setting that was changed from its default. `None` if the settings
    /// in force are those for play: in seed fidelity, and if they exclude some of those.
    pub(super) fn play_settings(&self) -> Option<Settings> {
        let usual = &self.usual().settings;
        let default = Settings::default();
        let changes = usual.differences(&default);
        let changes: Vec<_> = changes.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let play = Settings::for_play::<G>();
        // Without a quiescence search many moves are equal, and the engine chooses among them.
        let root = if G::HAS_QUIESCENCE { play.root } else { default.root };
        let base = Settings { budget: Budget::Auto, root, ..play };
        let settings = changed(base, &changes).ok()?;
        (usual.fidelity == Fidelity::Sound && settings.check_for::<G>().is_ok()).then_some(settings)
    }

    /// Puts the searcher for play in force. It keeps its cache from move to move, until settings, rules, weights or endgame tables
    /// change.
    pub(super) fn enter_play(&mut self) -> Result<()> {
        self.leave_play();
        let Some(settings) = self.play_settings() else {
            return Ok(());
        };
        let Searcher { game, weights, .. } = &self.run.searcher;
        let is_same = |kept: &Searcher<G>| {
            kept.settings == settings
                && kept.weights == *weights
                && kept.game.rules() == game.rules()
                && kept.game.tables_digest() == game.tables_digest()
        };
        let kept = self.other.take().map(|other| other.searcher).filter(is_same);
        let searcher = kept.map_or_else(|| Searcher::new(game, &settings, weights), Ok)?;
        self.discard_search("");
        let searcher = std::mem::replace(&mut self.run.searcher, searcher);
        self.other = Some(OtherSearcher { searcher, plays: true });
        Ok(())
    }

    /// Puts the session's own searcher in force again, and drops the search for play. Returns a note if that was not over.
    pub(super) fn leave_play(&mut self) -> Option<String> {
        let plays = self.other.as_ref().is_some_and(|other| other.plays);
        plays.then(|| self.discard_search("it was the engine's"))?
    }

    /// Changes the searcher, after a search for play was dropped.
    pub(super) fn restore_usual(&mut self) {
        if let Some(other) = self.other.as_mut().filter(|other| other.plays) {
            std::mem::swap(&mut other.searcher, &mut self.run.searcher);
            other.plays = false;
        }
    }

    /// Plays one of the best moves, unless the user or a breakpoint stopped the search.
    pub(super) fn play_found(&mut self, level: Option<u8>) -> Replied {
        let run = self.report_run(self.run.under_way()?);
        let stopped = matches!(run.stopped, Some(Stop::Interrupt | Stop::Breakpoint(_)));
        if stopped || run.best.is_empty() {
            return Ok(unplayed(run, stopped));
        }
        let played = run.best[index_of(self.choice(), run.best.len())].clone();
        // No note: the engine's own search ends with its move.
        self.discard_search("");
        let position = self.play(played.plain())?;
        self.now.by = Some(engine_name(level));
        Ok(boxed(PlayedReport {
            played,
            best: run.best,
            value: run.value,
            depth: run.depth,
            nodes: run.nodes,
            ms: run.ms,
            position,
        }))
    }

    /// The number that chooses among equal moves. The same random seed and position always choose the same one.
    fn choice(&self) -> u64 {
        let PlayedPosition { position, .. } = &self.now;
        let state = self.game().format_position(position);
        splitmix(splitmix(self.settings().seed) ^ fingerprint(&state))
    }
}

/// A search's report with the reason why nothing was played.
fn unplayed(mut run: Run, stopped: bool) -> Box<dyn Reply> {
    let why = if stopped {
        "nothing was played: the search was stopped; `play` the move you like, or `continue`"
    } else {
        "nothing was played: no move was searched before the search was over"
    };
    run.notes.push(why.to_owned());
    boxed(run)
}

/// A move the engine chose and played.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedReport {
    pub(crate) played: MoveText,
    pub(crate) best: Vec<MoveText>,
    /// For the side that moved.
    pub(crate) value: Option<Score>,
    /// The last complete iteration, in plies from the root.
    pub(crate) depth: u8,
    pub(crate) nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    #[serde(flatten)]
    pub(crate) position: PositionReport,
}

impl Reply for PlayedReport {
    fn text(&self) -> String {
        let others = match self.best.len() {
            0 | 1 => String::new(),
            equals => format!(", one of {equals} equals"),
        };
        let value = self.value.map(|value| format!("value {}", number::score(value)));
        let played = layout::headline([
            format!("played {}{others}", self.played),
            value.unwrap_or_default(),
            format!("depth {}", self.depth),
            format!("nodes {}", number::count(self.nodes)),
        ]);
        lines([played, self.position.text()])
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }
}
