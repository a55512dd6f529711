//! The searcher for play, which takes the place of the session's own while the engine searches for a move, a hint or its reply to
//! an offered draw. What the user sees of a search is that of the search under way; the session's own settings and cache stay as
//! they are. In seed fidelity the session's own searcher plays.

use super::Session;

use crate::engine::{
    game::{Game, Result, Weights},
    search::Fidelity,
    searcher::Searcher,
    settings::{Budget, Settings},
};

/// The searcher for play and that of the session, of which one is in force.
#[derive(Debug)]
pub(crate) struct OtherSearcher<G: Game> {
    /// The one that is not in force.
    searcher: Searcher<G>,
    /// Whether the one for play is in force.
    plays: bool,
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
        let settings = base.changed(&changes).ok()?;
        (usual.fidelity == Fidelity::Sound && settings.check_for::<G>().is_ok()).then_some(settings)
    }

    /// The weights for play: those in force if they were changed from the default, else the game's own.
    pub(super) fn play_weights(&self) -> Weights {
        let Searcher { game, weights, .. } = self.usual();
        if *weights == game.default_weights() { game.weights_for_play() } else { weights.clone() }
    }

    /// Puts the searcher for play in force. It keeps its cache from move to move, until settings, rules, weights or endgame tables
    /// change.
    pub(super) fn enter_play(&mut self) -> Result<()> {
        self.leave_play();
        let Some(settings) = self.play_settings() else {
            return Ok(());
        };
        let weights = self.play_weights();
        let game = &self.run.searcher.game;
        let is_same = |kept: &Searcher<G>| {
            kept.settings == settings
                && kept.weights == weights
                && kept.game.rules() == game.rules()
                && kept.game.tables_digest() == game.tables_digest()
        };
        let kept = self.other.take().map(|other| other.searcher).filter(is_same);
        let searcher = kept.map_or_else(|| Searcher::new(game, &settings, &weights), Ok)?;
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
}
