//! When a match is a draw, as in the seeds' matches, counted right or with their miscounts; and the referee that counts.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Ending, MatchOutcome};
use crate::engine::game::{DrawClock, Fault, Game, KeyScheme, Side};

/// When a match that the rules of the game do not end is drawn. `None`: never for this reason.
///
/// The default is the seeds' for games whose own rules know no draws, and nothing for those whose rules do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRules {
    /// Positions in the log, the first included.
    pub max_turns: Option<u32>,
    /// Times that a position has occurred.
    pub occurrences: Option<u32>,
    /// Moves without a mill.
    pub no_mill: Option<u32>,
    /// Whether all is counted as the seeds do (defect D10): after a turn the mills of the side to move are looked at; the
    /// last placement counts as a move without a mill; draws go before wins; positions are the same whoever is to move.
    #[serde(alias = "wrong_mills")] // what older documents call it
    pub as_seed: bool,
}

/// The names of the rules, as they are set and shown.
pub const DRAW_RULES: [&str; 4] = ["max_turns", "occurrences", "no_mill", "counting"];

impl DrawRules {
    /// No match is drawn but by the rules of the game.
    pub const NONE: Self =
        Self { max_turns: None, occurrences: None, no_mill: None, as_seed: false };

    /// The limits of the seeds' matches, counted right.
    pub const SOUND: Self =
        Self { max_turns: Some(250), occurrences: Some(5), no_mill: Some(30), as_seed: false };

    /// The seeds' matches with their miscounts.
    pub const SEED: Self = Self { as_seed: true, ..Self::SOUND };

    /// The rules of a game's matches where nothing else is said.
    pub const fn usual<G: Game>() -> Self {
        match (G::USES_HISTORY, G::COUNTS_MILLS) {
            (true, _) => Self::NONE,
            (false, true) => Self::SOUND,
            (false, false) => Self { no_mill: None, ..Self::SOUND },
        }
    }

    /// The names of the rules that mean something in a game.
    pub const fn names<G: Game>() -> &'static [&'static str] {
        if G::COUNTS_MILLS { &DRAW_RULES } else { DRAW_RULES.split_at(2).0 }
    }

    /// Sets one rule by name.
    pub fn set<G: Game>(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let known = Self::names::<G>();
        if DRAW_RULES.contains(&name) && !known.contains(&name) {
            return Err(Fault::new(format!("{} has no draw rule `{name}`", G::NAME))
                .about_word(name)
                .hint(format!("it has {}", known.join(", "))));
        }
        let cannot = |remedy| {
            Fault::new(format!("{name} cannot be `{value}`")).about_word(value).hint(remedy)
        };
        let limit = || match (value, value.parse()) {
            ("off", _) => Ok(None),
            (_, Ok(number @ 1..)) => Ok(Some(number)),
            _ => Err(cannot("it is a number above 0, or off")),
        };
        match (name, value) {
            ("max_turns", _) => self.max_turns = limit()?,
            ("occurrences", _) => self.occurrences = limit()?,
            ("no_mill", _) => self.no_mill = limit()?,
            ("counting", "seed" | "sound") => self.as_seed = value == "seed",
            ("counting", _) => return Err(cannot("it is sound or seed")),
            _ => {
                return Err(Fault::new(format!("no draw rule `{name}`"))
                    .about_word(name)
                    .hint(format!("there is {}", known.join(", "))));
            }
        }
        Ok(())
    }

    /// Checks that every match ends some time.
    pub fn check<G: Game>(&self) -> Result<(), Fault> {
        let endless = (self.max_turns, self.occurrences, self.no_mill) == (None, None, None);
        if endless && !G::USES_HISTORY {
            return Err(Fault::new("with every draw rule off a match may never end").hint(
                if G::COUNTS_MILLS {
                    "set max_turns, occurrences or no_mill"
                } else {
                    "set max_turns or occurrences"
                },
            ));
        }
        Ok(())
    }

    /// Every rule of a game's with its value in words.
    pub fn list<G: Game>(&self) -> Vec<(String, String)> {
        let limit =
            |limit: Option<u32>| limit.map_or_else(|| "off".to_owned(), |most| most.to_string());
        let limits = [self.max_turns, self.occurrences, self.no_mill].map(limit);
        let counting = if self.as_seed { "seed" } else { "sound" };
        let values = limits.into_iter().chain([counting.to_owned()]);
        Self::names::<G>().iter().map(|name| (*name).to_owned()).zip(values).collect()
    }
}

/// Watches a match position by position and says when and how it ends.
#[derive(Clone, Debug)]
pub struct Referee<G: Game> {
    rules: DrawRules,
    seen: FxHashMap<G::Key, u32>,
    logged: u32,
    /// Moves since the last mill.
    quiet: u32,
    repeated: bool,
}

impl<G: Game> Referee<G> {
    /// A referee of a match that begins in this position.
    pub fn new(game: &G, rules: DrawRules, start: &G::Position) -> Self {
        let mut referee =
            Self { rules, seen: FxHashMap::default(), logged: 0, quiet: 0, repeated: false };
        referee.log(game, start);
        referee
    }

    /// A move has been made.
    pub fn see(&mut self, game: &G, before: &G::Position, after: &G::Position) {
        match game.draw_clock(before, after, self.rules.as_seed) {
            DrawClock::Hold => {}
            DrawClock::Reset => self.quiet = 0,
            DrawClock::Advance => self.quiet += 1,
        }
        self.log(game, after);
    }

    fn log(&mut self, game: &G, position: &G::Position) {
        self.logged += 1;
        let key = if self.rules.as_seed && game.side(position) == Side::Black {
            game.key(&game.opponent_to_move(position), KeyScheme::Plain)
        } else {
            game.key(position, KeyScheme::Plain)
        };
        let times = self.seen.entry(key).or_default();
        *times += 1;
        self.repeated = self.rules.occurrences.is_some_and(|most| *times >= most);
    }

    /// How the match ends in the position seen last; `None` where it goes on.
    pub fn verdict(
        &self,
        game: &G,
        position: &G::Position,
        history: &G::History,
    ) -> Option<MatchOutcome> {
        let by_rules = || {
            game.terminal(position, history)?;
            let winner = game.status(position, history).winner;
            let ending = Ending::Rules(game.termination(position, history).to_owned());
            Some(MatchOutcome { winner, ending })
        };
        if self.rules.as_seed {
            self.drawn().or_else(by_rules)
        } else {
            by_rules().or_else(|| self.drawn())
        }
    }

    fn drawn(&self) -> Option<MatchOutcome> {
        let reached = |limit: Option<u32>, count| limit.is_some_and(|limit| count >= limit);
        let ending = if reached(self.rules.max_turns, self.logged) {
            Ending::MaxTurns
        } else if self.repeated {
            Ending::Occurrences
        } else if reached(self.rules.no_mill, self.quiet) {
            Ending::NoMill
        } else {
            return None;
        };
        Some(MatchOutcome { winner: None, ending })
    }
}
