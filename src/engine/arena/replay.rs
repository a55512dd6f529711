//! Games read from a file: they are believed when their moves, played once more, say the same.

use std::{str::SplitWhitespace, sync::atomic::AtomicBool};

use super::{Bout, Choice, GameLine, Plan, Players, play};
use crate::engine::{
    game::{Fault, Game, Side},
    search::Counters,
};

impl<G: Game> Plan<G> {
    /// Holds a game against the schedule, the opening and the rules.
    ///
    /// # Errors
    /// What does not fit, in words.
    pub fn check(&self, line: &GameLine) -> Result<(), String> {
        let known = self.schedule.games().get(line.game);
        let opening = self.openings.get(line.round);
        let (true, Some(opening)) = (known == Some(&line.fixture()), opening) else {
            return Err("it is not one of this tournament".to_owned());
        };
        let bout = Bout {
            game: &self.game,
            rules: self.rules,
            opening,
            seed: 0,
        };
        let mut words = line.moves.split_whitespace();
        words.by_ref().take(opening.moves.len()).for_each(drop);
        let mut script = Script {
            game: &self.game,
            words,
        };
        let record = play(&bout, &mut script, &AtomicBool::new(false))
            .map_err(|fault| format!("its moves cannot be played: {}", fault.message))?
            .ok_or("its moves stop before the end of the game")?;
        let replayed = GameLine::of(&self.game, line.game, line.fixture(), &record);
        if (&replayed.winner, &replayed.ending) != (&line.winner, &line.ending) {
            return Err(format!(
                "it is recorded as {}, but its moves lead to {}",
                line.result(),
                replayed.result()
            ));
        }
        let choices = |line: &GameLine| line.cost.map(|cost| cost.moves);
        let same = replayed.moves == line.moves
            && replayed.opening == line.opening
            && replayed.start == line.start
            && choices(&replayed) == choices(line);
        same.then_some(())
            .ok_or_else(|| "its moves are not those of a game of this tournament".to_owned())
    }
}

impl GameLine {
    /// Who has won and why, in words.
    fn result(&self) -> String {
        let winner = match self.winner {
            Some(Side::White) => "a win of White",
            Some(Side::Black) => "a win of Black",
            None => "a draw",
        };
        format!("{winner} ({})", self.ending)
    }
}

/// Both players, with the moves that were recorded.
struct Script<'a, G: Game> {
    game: &'a G,
    words: SplitWhitespace<'a>,
}

impl<G: Game> Players<G> for Script<'_, G> {
    fn choose(
        &mut self,
        _side: Side,
        (position, history): (&G::Position, &G::History),
        _number: u64,
        _interrupt: &AtomicBool,
    ) -> Result<Option<Choice<G>>, Fault> {
        let Some(word) = self.words.next() else {
            return Ok(None);
        };
        Ok(Some(Choice {
            mv: self.game.parse_move(position, history, word)?,
            best: Vec::new(),
            value: None,
            depth: 0,
            counters: Counters::default(),
            ms: 0.0,
        }))
    }
}
