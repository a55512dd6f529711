//! Tournaments as documents: players, number of games, openings and rules.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DrawRules, Fixture, Opening, Player, random_openings};
use crate::engine::{
    files,
    game::{Fault, Game},
    random,
    statistics::Sprt,
};

/// The version of the format of tournament documents.
pub const VERSION: u32 = 1;

/// The greatest number of games of a pair, which limits the effect of a typing error.
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
    /// The version of the document format, `VERSION`.
    #[serde(default = "version")]
    pub version: u32,
    /// The name of the game, such as `chess`.
    pub game: String,
    /// The rules of the game that are not at their defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, String>,
    /// The players as text: see [`Player`].
    pub players: Vec<String>,
    /// The number of games that every ordered pair of players plays.
    #[serde(default = "one")]
    pub games: usize,
    /// Whether the player named first has the first move in all games of a pair, as in the seeds' rounds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first_is_white: bool,
    /// The number of random moves that begin a game. The n-th games of all pairs have the same opening.
    #[serde(default)]
    pub openings: usize,
    /// The first position; by default the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The random seed for openings and for choices among equal moves.
    #[serde(default)]
    pub seed: u64,
    /// The draw rules that are not at the game's defaults, by their names in [`DRAW_RULES`](super::DRAW_RULES).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub draws: BTreeMap<String, String>,
    /// An SPRT that ends a tournament of two players once it is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

const fn version() -> u32 {
    VERSION
}

const fn one() -> usize {
    1
}

/// A tournament ready to be played: the checked document, and the games that follow from it.
#[derive(Clone, Debug)]
pub struct TournamentPlan<G: Game> {
    /// The document that the plan was made from.
    pub spec: TournamentSpec,
    /// The game with its rules.
    pub game: G,
    /// The players, in the order of their numbers.
    pub players: Vec<Player>,
    /// All draw rules, including those at their defaults.
    pub rules: DrawRules,
    /// The opening of each round.
    pub openings: Vec<Opening<G>>,
    /// The games, in the order of their numbers.
    pub fixtures: Vec<Fixture>,
}

impl TournamentSpec {
    /// The same tournament, for these players and the rules that `game` has now.
    #[must_use]
    pub fn with_players<G: Game>(self, game: &G, players: Vec<String>) -> Self {
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

    /// Reads a tournament from a RON document.
    /// Errors: a document that is not a tournament, by line and column.
    pub fn read(text: &str) -> Result<Self, Fault> {
        files::from_ron(text)
    }

    /// The tournament as a RON document.
    /// Errors: values that cannot be written as RON.
    pub fn write(&self) -> Result<String, Fault> {
        files::to_ron(self)
    }

    /// Checks the document and lists the games to be played.
    /// Errors: one fault that lists all errors, each with its field.
    pub fn plan<G: Game>(&self, game: &G) -> Result<TournamentPlan<G>, Fault> {
        let mut faults = Vec::new();
        let mut report = |field: &str, fault: Fault| {
            faults.push(Fault { at: None, ..fault.within(field) });
        };
        let mut game = game.with_default_rules();
        if self.version != VERSION {
            let fault = Fault::new(format!("{} is unknown", self.version));
            report("version", fault.hint(format!("this program reads version {VERSION}")));
        }
        if self.game != G::NAME {
            let fault = Fault::new(format!("the tournament is of {}, not {}", self.game, G::NAME));
            report("game", fault.hint(format!("choose {0} first: `game {0}`", self.game)));
        }
        for (name, value) in &self.rules {
            game.set_rule(name, value)
                .unwrap_or_else(|fault| report(&format!("rules.{name}"), fault));
        }
        let players = self.read_players(&game, &mut report);
        let rules = self.read_draws::<G>(&mut report);
        if !(1..=MOST_GAMES).contains(&self.games) {
            let fault = Fault::new(format!("{} is out of bounds", self.games));
            report("games", fault.hint(format!("give a number from 1 to {MOST_GAMES}")));
        }
        if let Some(test) = &self.sprt {
            test.check().unwrap_or_else(|fault| report("sprt", fault));
            if players.len() != 2 || self.first_is_white {
                let fault = Fault::new("this tournament cannot be decided by an SPRT");
                report("sprt", fault.hint("the test needs two players, each with both colours"));
            }
        }
        let start = match self.start.as_ref().map(|text| game.parse_position(text)) {
            None => game.start(),
            Some(Ok(start)) => start,
            Some(Err(fault)) => {
                report("start", fault);
                game.start()
            }
        };
        if let Some(fault) = Fault::merge(faults) {
            return Err(fault);
        }
        Ok(TournamentPlan {
            fixtures: self.fixtures(players.len()),
            openings: self.choose_openings(&game, start)?,
            spec: self.clone(),
            game,
            players,
            rules,
        })
    }

    fn read_players<G: Game>(&self, game: &G, report: &mut impl FnMut(&str, Fault)) -> Vec<Player> {
        let mut players: Vec<Player> = Vec::new();
        for (at, line) in self.players.iter().enumerate() {
            let place = format!("players[{at}]");
            match Player::read_with_faults(game, line) {
                Ok(player) if players.iter().any(|other| other.name == player.name) => {
                    let fault = Fault::new(format!("another player is called {}", player.name));
                    report(&place, fault.hint("give every player a name of its own"));
                }
                Ok(player) => players.push(player),
                Err(faults) => faults.into_iter().for_each(|fault| report(&place, fault)),
            }
        }
        if self.players.len() < 2 {
            let is_empty = self.players.is_empty();
            let few = if is_empty { "there are no players" } else { "there is only one player" };
            report("players", Fault::new(few).hint("a tournament needs at least two players"));
        }
        players
    }

    fn read_draws<G: Game>(&self, report: &mut impl FnMut(&str, Fault)) -> DrawRules {
        let mut rules = DrawRules::usual::<G>();
        for (name, value) in &self.draws {
            rules
                .set::<G>(name, value)
                .unwrap_or_else(|fault| report(&format!("draws.{name}"), fault));
        }
        rules.check::<G>().unwrap_or_else(|fault| report("draws", fault));
        rules
    }

    fn choose_openings<G: Game>(
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

    fn fixtures(&self, players: usize) -> Vec<Fixture> {
        let pairs = (0..players).flat_map(|one| (one + 1..players).map(move |other| (one, other)));
        let pairs: Vec<_> = pairs
            .flat_map(|(one, other)| [(one, other), (other, one)])
            .filter(|(white, black)| !self.first_is_white || white < black)
            .collect();
        // The games are ordered by round, so that all pairs have played about the same number if a tournament is stopped early.
        let of_round = |round| {
            let fixture = move |&(white, black)| Fixture { white, black, round };
            pairs.iter().map(fixture)
        };
        (0..self.games).flat_map(of_round).collect()
    }
}

impl<G: Game> TournamentPlan<G> {
    /// The random seed of a game, which does not depend on the other players of the tournament.
    pub fn seed_of(&self, fixture: &Fixture) -> u64 {
        let Fixture { white, black, round } = *fixture;
        random::splitmix_all(&[self.spec.seed, white as u64, black as u64, round as u64])
    }
}
