//! Draw rules of matches, as in the reference implementation with or without its miscounts, and the referee for them.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Ending, MatchOutcome};
use crate::engine::game::{DrawClock, Fault, Game, KeyScheme, Side};

/// The limits at which a match is drawn although the game's own rules let it go on. `None`: no such limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRules {
    /// The number of positions in a game, the first included, after which the game is drawn.
    pub max_turns: Option<u32>,
    /// The number of occurrences of one position after which the game is drawn.
    pub occurrences: Option<u32>,
    /// The number of moves without a new mill after which the game is drawn.
    pub no_mill: Option<u32>,
    /// Whether to count as the seeds do (defect D10): after a turn, the mills of the side to move are checked; the last
    /// placement counts as a move without a mill; draws take precedence over wins; a position is the same whichever side
    /// is to move.
    pub as_seed: bool,
}

/// The names of the rules in commands, documents and replies.
pub const DRAW_RULES: [&str; 4] = ["max_turns", "occurrences", "no_mill", "counting"];

impl DrawRules {
    /// No limits: only the game's own rules end a match.
    pub const NONE: Self =
        Self { max_turns: None, occurrences: None, no_mill: None, as_seed: false };

    /// The limits of the seeds' matches, counted correctly.
    pub const SOUND: Self =
        Self { max_turns: Some(250), occurrences: Some(5), no_mill: Some(30), as_seed: false };

    /// The limits of the seeds' matches, counted with the seeds' errors.
    pub const SEED: Self = Self { as_seed: true, ..Self::SOUND };

    /// The default: no limits for games with a history, whose own rules have draws; else the limits of the seeds' matches.
    pub const fn usual<G: Game>() -> Self {
        match (G::USES_HISTORY, G::COUNTS_MILLS) {
            (true, _) => Self::NONE,
            (false, true) => Self::SOUND,
            (false, false) => Self { no_mill: None, ..Self::SOUND },
        }
    }

    /// The names of the draw rules that apply to the game.
    pub const fn names<G: Game>() -> &'static [&'static str] {
        if G::COUNTS_MILLS { &DRAW_RULES } else { DRAW_RULES.split_at(2).0 }
    }

    /// Sets a draw rule by its name.
    /// Errors: a name that the game does not have, and a value that is no number above 0, `off`, `seed` or `sound`.
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
                    .hint(format!("the draw rules are {}", known.join(", "))));
            }
        }
        Ok(())
    }

    /// Checks that every match must end.
    /// Errors: no limit at all, for a game whose own rules have no draws.
    pub fn check<G: Game>(&self) -> Result<(), Fault> {
        let endless = (self.max_turns, self.occurrences, self.no_mill) == (None, None, None);
        if endless && !G::USES_HISTORY {
            let limits =
                if G::COUNTS_MILLS { ", occurrences or no_mill" } else { " or occurrences" };
            return Err(Fault::new("with every draw rule off a match may never end")
                .hint(format!("set max_turns{limits}")));
        }
        Ok(())
    }

    /// The draw rules that apply to the game, each with its value as text.
    pub fn list<G: Game>(&self) -> Vec<(String, String)> {
        let limit =
            |limit: Option<u32>| limit.map_or_else(|| "off".to_owned(), |limit| limit.to_string());
        let limits = [self.max_turns, self.occurrences, self.no_mill].map(limit);
        let counting = if self.as_seed { "seed" } else { "sound" };
        let values = limits.into_iter().chain([counting.to_owned()]);
        Self::names::<G>().iter().map(|name| (*name).to_owned()).zip(values).collect()
    }
}

/// Counts the positions of a match and decides when and how it ends.
#[derive(Clone, Debug)]
pub struct Referee<G: Game> {
    rules: DrawRules,
    occurrences: FxHashMap<G::Key, u32>,
    positions: u32,
    moves_without_mill: u32,
    repeated: bool,
}

impl<G: Game> Referee<G> {
    /// A referee for a match from this position.
    pub fn new(game: &G, rules: DrawRules, start: &G::Position) -> Self {
        let (occurrences, repeated) = Default::default();
        let mut referee =
            Self { rules, occurrences, positions: 0, moves_without_mill: 0, repeated };
        referee.count(game, start);
        referee
    }

    /// Counts the move that leads from `before` to `after`.
    pub fn count_move(&mut self, game: &G, before: &G::Position, after: &G::Position) {
        match game.draw_clock(before, after, self.rules.as_seed) {
            DrawClock::Hold => {}
            DrawClock::Reset => self.moves_without_mill = 0,
            DrawClock::Advance => self.moves_without_mill += 1,
        }
        self.count(game, after);
    }

    fn count(&mut self, game: &G, position: &G::Position) {
        self.positions += 1;
        let key = if self.rules.as_seed && game.side(position) == Side::Black {
            game.key(&game.opponent_to_move(position), KeyScheme::Plain)
        } else {
            game.key(position, KeyScheme::Plain)
        };
        let occurrences = self.occurrences.entry(key).or_default();
        *occurrences += 1;
        self.repeated = self.rules.occurrences.is_some_and(|limit| *occurrences >= limit);
    }

    /// The outcome of a match that has reached `position`; `None` if the match goes on.
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
        let ending = if reached(self.rules.max_turns, self.positions) {
            Ending::MaxTurns
        } else if self.repeated {
            Ending::Occurrences
        } else if reached(self.rules.no_mill, self.moves_without_mill) {
            Ending::NoMill
        } else {
            return None;
        };
        Some(MatchOutcome { winner: None, ending })
    }
}
