//! The searcher for play. While the engine searches for a move, for a hint or for its reply to a draw offer, this searcher
//! replaces the session's own, whose settings and cache stay unchanged. Commands then show settings and cache of the search for
//! play. In seed fidelity the session's own searcher plays.

use super::{Session, tuning::same_entries};

use crate::engine::{
    game::{Game, Result, Weights},
    recording::{Running, Timeline},
    search::Fidelity,
    searcher::Searcher,
    settings::{Budget, Settings},
};

/// The inactive searcher: the one for play or, during a search for play, the session's own.
#[derive(Debug)]
pub(crate) struct OtherSearcher<G: Game> {
    searcher: Searcher<G>,
    /// Whether the active searcher is the one for play.
    plays: bool,
}

impl<G: Game> Session<G> {
    /// The session's own searcher, active or not.
    pub(super) fn usual(&self) -> &Searcher<G> {
        let other = self.other.as_ref().filter(|other| other.plays);
        other.map_or(&self.run.searcher, |it| &it.searcher)
    }

    /// The current search, unless it is a search for play.
    pub(super) fn own_search(&self) -> Option<&Running<G>> {
        self.run.running.as_ref().filter(|_| !self.plays())
    }

    /// The current timeline, unless it belongs to a search for play.
    pub(super) fn own_timeline(&self) -> Option<&Timeline<G>> {
        self.run.now.as_ref().filter(|_| !self.plays())
    }

    pub(super) fn plays(&self) -> bool {
        self.other.as_ref().is_some_and(|other| other.plays)
    }

    /// The settings for play: [`Settings::for_play`] with every setting that the user changed from its default. `None` if the
    /// engine plays with the session's own settings: in seed fidelity, or if the changes contradict the settings for play.
    pub(super) fn play_settings(&self) -> Option<Settings> {
        let usual = &self.usual().settings;
        let default = Settings::default();
        let changes = usual.differences(&default);
        let changes: Vec<_> = changes.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let play = Settings::for_play::<G>();
        // Without a quiescence search many moves have equal values, and the engine chooses at random among them.
        let root = if G::HAS_QUIESCENCE { play.root } else { default.root };
        let base = Settings { budget: Budget::Auto, root, ..play };
        let settings = base.changed(&changes).ok()?;
        (usual.fidelity == Fidelity::Sound && settings.check_for::<G>().is_ok()).then_some(settings)
    }

    /// The weights for play: those in force if the user changed them, otherwise the game's weights for play.
    pub(super) fn play_weights(&self) -> Weights {
        let Searcher { game, weights, .. } = self.usual();
        if *weights == game.default_weights() { game.weights_for_play() } else { weights.clone() }
    }

    /// Activates the searcher for play, whose cache is kept while its entries are valid for the settings, rules, weights and endgame tables.
    pub(super) fn enter_play(&mut self) -> Result<()> {
        self.leave_play();
        let Some(settings) = self.play_settings() else {
            return Ok(());
        };
        let weights = self.play_weights();
        let game = &self.run.searcher.game;
        let is_valid = |kept: &Searcher<G>| {
            same_entries(&kept.settings, &settings)
                && kept.weights == weights
                && kept.game.rules() == game.rules()
                && kept.game.tables_digest() == game.tables_digest()
        };
        let kept = self.other.take().map(|other| other.searcher).filter(is_valid);
        let mut searcher = kept.map_or_else(|| Searcher::new(game, &settings, &weights), Ok)?;
        searcher.settings = settings;
        self.discard_search("");
        let searcher = std::mem::replace(&mut self.run.searcher, searcher);
        self.other = Some(OtherSearcher { searcher, plays: true });
        self.configure_table();
        Ok(())
    }

    /// Activates the session's own searcher again and drops the search for play. Returns a note if that search was unfinished.
    pub(super) fn leave_play(&mut self) -> Option<String> {
        self.plays().then(|| self.discard_search("it was the engine's"))?
    }

    /// Activates the session's own searcher after a search for play was dropped.
    pub(super) fn restore_usual(&mut self) {
        if let Some(other) = self.other.as_mut().filter(|other| other.plays) {
            std::mem::swap(&mut other.searcher, &mut self.run.searcher);
            other.plays = false;
        }
    }
}
