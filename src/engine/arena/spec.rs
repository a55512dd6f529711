//! Tournaments as documents: who plays whom, how often, from where, by which rules.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DrawRules, Fixture, Opening, Player, random_openings};
use crate::engine::{
    files,
    game::{Fault, Game},
    random,
    statistics::Sprt,
};

/// The version of the documents that this program writes and reads.
pub const VERSION: u32 = 1;

/// Games of a pairing at most: a bound against slips of the keyboard.
const MOST_GAMES: usize = 1_000_000;

/// A tournament as a RON document that people write.
///
/// ```
/// use plyscope::engine::arena::TournamentSpec;
/// let spec = TournamentSpec::read(r#"(
///     game: "morris",
///     players: ["wide: budget=5000", "deep: depth=6 mills=3"],
///     games: 4,
///     openings: 2,
/// )"#)?;
/// assert_eq!(spec.plan(&plyscope::engine::morris::Morris::default())?.fixtures.len(), 8);
/// # Ok::<(), plyscope::engine::game::Fault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentSpec {
    /// [`VERSION`].
    #[serde(default = "version")]
    pub version: u32,
    /// The game's name.
    pub game: String,
    /// Rules of the game that are not at their default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, String>,
    /// The players, each as its line of text: see [`Player`].
    pub players: Vec<String>,
    /// Games of every ordered pair.
    #[serde(default = "one")]
    pub games: usize,
    /// Whether of two players only the one that is named first has the first move: a round of the seeds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first_is_white: bool,
    /// Random moves that begin a game. The n-th games of all pairs begin alike.
    #[serde(default)]
    pub openings: usize,
    /// The position from which games begin; the game's own where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Decides among equal moves and makes the openings.
    #[serde(default)]
    pub seed: u64,
    /// Draw rules that are not at the game's usual, by the names of [`DRAW_RULES`](super::DRAW_RULES).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub draws: BTreeMap<String, String>,
    /// A test that ends a tournament of two players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

const fn version() -> u32 {
    VERSION
}

const fn one() -> usize {
    1
}

/// A tournament that can be played: its document, checked and worked out.
#[derive(Clone, Debug)]
pub struct TournamentPlan<G: Game> {
    /// The document.
    pub spec: TournamentSpec,
    /// The game with its rules.
    pub game: G,
    /// The players.
    pub players: Vec<Player>,
    /// When matches are drawn.
    pub rules: DrawRules,
    /// The openings, one a round.
    pub openings: Vec<Opening<G>>,
    /// The games by number.
    pub fixtures: Vec<Fixture>,
}

impl TournamentSpec {
    /// The same for these players, by the rules in force.
    #[must_use]
    pub fn by_rules_of<G: Game>(self, game: &G, players: Vec<String>) -> Self {
        let rules = game.rules().into_iter().zip(game.with_default_rules().rules());
        let rules = rules.filter(|(rule, usual)| rule.value != usual.value);
        Self {
            version: VERSION,
            game: G::NAME.to_owned(),
            rules: rules.map(|(rule, _)| (rule.name, rule.value)).collect(),
            players,
            ..self
        }
    }

    /// Reads a document.
    pub fn read(text: &str) -> Result<Self, Fault> {
        files::from_ron(text)
    }

    /// Writes it as a document.
    pub fn write(&self) -> Result<String, Fault> {
        files::to_ron(self)
    }

    /// Checks everything and works out what is to be played; one fault lists all that is wrong, each with its place.
    pub fn plan<G: Game>(&self, game: &G) -> Result<TournamentPlan<G>, Fault> {
        let mut faults = Vec::new();
        let mut keep = |place: &str, fault: Fault| {
            faults.push(Fault { at: None, ..fault.within(place) });
        };
        let mut game = game.with_default_rules();
        if self.version != VERSION {
            let fault = Fault::new(format!("{} is unknown", self.version));
            keep("version", fault.hint(format!("this program reads version {VERSION}")));
        }
        if self.game != G::NAME {
            let fault = Fault::new(format!("the tournament is of {}, not {}", self.game, G::NAME));
            keep("game", fault.hint(format!("`game {}` first", self.game)));
        }
        for (name, value) in &self.rules {
            game.set_rule(name, value)
                .unwrap_or_else(|fault| keep(&format!("rules.{name}"), fault));
        }
        let players = self.read_players(&game, &mut keep);
        let rules = self.read_draws::<G>(&mut keep);
        if !(1..=MOST_GAMES).contains(&self.games) {
            let fault = Fault::new(format!("{} games cannot be played", self.games));
            keep("games", fault.hint(format!("give 1 to {MOST_GAMES}")));
        }
        if let Some(test) = &self.sprt {
            test.check().unwrap_or_else(|fault| keep("sprt", fault));
            if players.len() != 2 || self.first_is_white {
                let fault = Fault::new("there is nothing to be tested");
                keep("sprt", fault.hint("a test compares two players with both colours"));
            }
        }
        let start = self.read_start(&game).unwrap_or_else(|fault| {
            keep("start", fault);
            game.start()
        });
        if let Some(fault) = Fault::merge(faults) {
            return Err(fault);
        }
        Ok(TournamentPlan {
            fixtures: self.fixtures(players.len()),
            openings: self.work_out_openings(&game, start)?,
            spec: self.clone(),
            game,
            players,
            rules,
        })
    }

    fn read_start<G: Game>(&self, game: &G) -> Result<G::Position, Fault> {
        let Some(text) = &self.start else {
            return Ok(game.start());
        };
        game.parse_position(text)
    }

    fn read_players<G: Game>(&self, game: &G, keep: &mut impl FnMut(&str, Fault)) -> Vec<Player> {
        let mut players: Vec<Player> = Vec::new();
        for (at, line) in self.players.iter().enumerate() {
            let place = format!("players[{at}]");
            match Player::read_whole(game, line) {
                Ok(player) if players.iter().any(|other| other.name == player.name) => {
                    let fault = Fault::new(format!("a second player is called {}", player.name));
                    keep(&place, fault.hint("give every player a name of its own"));
                }
                Ok(player) => players.push(player),
                Err(faults) => faults.into_iter().for_each(|fault| keep(&place, fault)),
            }
        }
        if self.players.len() < 2 {
            let few = if self.players.is_empty() { "there are none" } else { "there is only one" };
            keep("players", Fault::new(few).hint("a tournament needs two at least"));
        }
        players
    }

    fn read_draws<G: Game>(&self, keep: &mut impl FnMut(&str, Fault)) -> DrawRules {
        let mut rules = DrawRules::usual::<G>();
        for (name, value) in &self.draws {
            rules
                .set::<G>(name, value)
                .unwrap_or_else(|fault| keep(&format!("draws.{name}"), fault));
        }
        rules.check::<G>().unwrap_or_else(|fault| keep("draws", fault));
        rules
    }

    fn work_out_openings<G: Game>(
        &self,
        game: &G,
        start: G::Position,
    ) -> Result<Vec<Opening<G>>, Fault> {
        if self.openings == 0 {
            let moves = Vec::new();
            return Ok(vec![Opening { start, moves }; self.games]);
        }
        let seed = random::splitmix_all(&[self.seed, self.openings as u64]);
        random_openings(game, &start, self.openings, self.games, seed)
            .map_err(|fault| fault.within("openings"))
    }

    /// Every ordered pair of players, `games` games each, or only those with the lower number first. Games go round by
    /// round: a tournament that is stopped early has played all pairings about as often.
    fn fixtures(&self, players: usize) -> Vec<Fixture> {
        let pairs = (0..players).flat_map(|one| (one + 1..players).map(move |other| (one, other)));
        let pairs: Vec<_> = pairs
            .flat_map(|(one, other)| [(one, other), (other, one)])
            .filter(|(white, black)| !self.first_is_white || white < black)
            .collect();
        let of_round = |round| {
            let fixture = move |&(white, black)| Fixture { white, black, round };
            pairs.iter().map(fixture)
        };
        (0..self.games).flat_map(of_round).collect()
    }
}

impl<G: Game> TournamentPlan<G> {
    /// What decides among equal moves in a game; it does not depend on who else takes part.
    pub fn seed_of(&self, fixture: &Fixture) -> u64 {
        let Fixture { white, black, round } = *fixture;
        random::splitmix_all(&[self.spec.seed, white as u64, black as u64, round as u64])
    }
}
