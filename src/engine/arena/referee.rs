//! The referee: watches a match position by position and says when and how it ends.

use rustc_hash::FxHashMap;

use super::{DrawRules, Ending, Outcome};
use crate::engine::game::{Game, KeyScheme, Score, Side, Stride};

/// Counts what the draw rules go by.
#[derive(Clone, Debug)]
pub struct Referee<G: Game> {
    rules: DrawRules,
    seen: FxHashMap<G::Key, u32>,
    logged: u32,
    quiet: u32,
    repeated: bool,
}

impl<G: Game> Referee<G> {
    /// A referee of a match that begins in this position.
    pub fn new(game: &G, rules: DrawRules, start: &G::Position) -> Self {
        let mut referee = Self {
            rules,
            seen: FxHashMap::default(),
            logged: 0,
            quiet: 0,
            repeated: false,
        };
        referee.log(game, start);
        referee
    }

    /// A move has been made.
    pub fn see(&mut self, game: &G, before: &G::Position, after: &G::Position) {
        match game.stride(before, after, self.rules.judging()) {
            Stride::Uncounted => {}
            Stride::Progress => self.quiet = 0,
            Stride::Quiet => self.quiet += 1,
        }
        self.log(game, after);
    }

    fn log(&mut self, game: &G, position: &G::Position) {
        self.logged += 1;
        let key = if self.rules.any_side && game.side(position) == Side::Black {
            game.key(&game.pass(position), KeyScheme::Plain)
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
    ) -> Option<Outcome> {
        let won = || by_rules(game, position, history);
        if self.rules.draws_first {
            self.drawn().or_else(won)
        } else {
            won().or_else(|| self.drawn())
        }
    }

    fn drawn(&self) -> Option<Outcome> {
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
        Some(Outcome {
            winner: None,
            ending,
        })
    }
}

/// The end of a game by its own rules.
fn by_rules<G: Game>(game: &G, position: &G::Position, history: &G::History) -> Option<Outcome> {
    let value = game.terminal(position, history)?;
    let side = game.side(position);
    let winner = match value.order(Score::ZERO) {
        std::cmp::Ordering::Greater => Some(side),
        std::cmp::Ordering::Less => Some(side.other()),
        std::cmp::Ordering::Equal => None,
    };
    Some(Outcome {
        winner,
        ending: Ending::Rules(game.verdict(position, history).to_owned()),
    })
}
