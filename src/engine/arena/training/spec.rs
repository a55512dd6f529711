use serde::{Deserialize, Serialize};

use crate::engine::{
    arena::{DrawRules, Shard},
    game::{Fault, Game, Weights},
    memo::Policy,
    settings::{Keys, Settings},
};

/// What a training depends on: the same spec leads to the same table, on every machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingSpec {
    /// The game's name.
    pub game: String,
    /// Its rules, by name.
    pub rules: Vec<(String, String)>,
    /// The heuristic's weights.
    pub weights: Weights,
    /// How positions are searched: with the policy `rote`, to a fixed depth.
    pub settings: Settings,
    /// When games are drawn.
    pub draws: DrawRules,
    /// Games over all shards.
    pub games: u64,
    /// Games between two saves, and in a block of the statistics.
    pub save_interval: u64,
    /// What random choices start from.
    pub seed: u64,
    /// Which of the games are played here: of `N` shards the `I`-th has the games whose number, from 0, leaves `I` − 1.
    pub shard: Shard,
}

impl TrainingSpec {
    /// Settings for a training: those given, with a table of learned values and a fixed depth in plies from the root. In
    /// `seed` fidelity keys are those of seed 001, always as white to move.
    #[must_use]
    pub fn settings(settings: &Settings, depth: u8) -> Settings {
        Settings {
            memo: Policy::Rote,
            keys: Keys::Colour,
            depth: Some(depth),
            deepening: false,
            time_ms: None,
            ..settings.clone()
        }
    }

    /// The game with the rules and the conduct of the training.
    pub(super) fn game_for<G: Game>(&self, game: &G) -> Result<G, Fault> {
        let wrong = |what: String| Fault::new(what).hint("give a document that `train run` wrote");
        if self.game != G::NAME {
            return Err(Fault::new(format!(
                "the training is of {}, and the game here is {}",
                self.game,
                G::NAME
            ))
            .hint(format!("`game {}` changes the game", self.game)));
        }
        if self.save_interval == 0 || !self.shard.is_sound() || self.settings.depth.is_none() {
            return Err(wrong(
                "the training's games, shard or depth are impossible".to_owned(),
            ));
        }
        if self.settings.memo != Policy::Rote {
            return Err(wrong(format!(
                "the memo of a training is rote, not {}",
                self.settings.memo
            )));
        }
        self.settings.check_for::<G>()?;
        self.draws.check::<G>()?;
        let mut game = game.original();
        for (name, value) in &self.rules {
            game.set_rule(name, value)?;
        }
        game.conduct(self.settings.conduct());
        game.evaluator(&self.weights, &game.start())?;
        Ok(game)
    }

    /// How many games this shard has.
    pub(super) fn own_games(&self) -> u64 {
        let (part, of) = (self.shard.part as u64, self.shard.of as u64);
        (self.games + of).saturating_sub(part) / of
    }

    /// The number, over all shards, of this shard's so-many-th game.
    pub(super) const fn number_of(&self, nth: u64) -> u64 {
        nth * self.shard.of as u64 + self.shard.part as u64 - 1
    }

    /// Games in a block of the statistics.
    pub(super) const fn block(&self) -> u64 {
        self.save_interval
    }
}
