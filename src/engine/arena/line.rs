//! Games as lines of a file: what was played, in words, with the players by number.

use serde::{Deserialize, Serialize};

use super::{Cost, Ending, Fixture, GameRecord, Opening, Outcome};
use crate::engine::game::{Fault, Game, History, Side};

/// A game of a tournament or a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// Its number, from 0.
    pub game: usize,
    /// The player with the first move, by number.
    pub white: usize,
    /// The other one.
    pub black: usize,
    /// Which game of the pairing it is, from 0.
    pub round: usize,
    /// The first position, where it is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// How many of the moves the players found on the board.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub opening: usize,
    /// The moves.
    pub moves: String,
    /// Who has won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why it ended.
    pub ending: Ending,
    /// What the players' choices took, white's first.
    pub cost: [Cost; 2],
    /// Milliseconds that the players took, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<[f64; 2]>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl GameLine {
    /// The line of a game that was played.
    pub fn of<G: Game>(game: &G, number: usize, fixture: Fixture, record: &GameRecord<G>) -> Self {
        let (start, mut cost) = (&record.opening.start, record.cost);
        let ms = cost.map(|cost| cost.ms);
        for cost in &mut cost {
            cost.ms = 0.0;
        }
        Self {
            game: number,
            white: fixture.white,
            black: fixture.black,
            round: fixture.round,
            start: (*start != game.start()).then(|| game.format_position(start)),
            opening: record.opening.moves.len(),
            moves: record.moves_text(game),
            winner: record.outcome.winner,
            ending: record.outcome.ending.clone(),
            cost,
            ms: (ms != [0.0; 2]).then_some(ms),
        }
    }

    /// The same without what a clock has to do with.
    #[must_use]
    pub fn timeless(&self) -> Self {
        Self {
            ms: None,
            ..self.clone()
        }
    }

    /// The players' numbers and the round.
    pub const fn fixture(&self) -> Fixture {
        Fixture {
            white: self.white,
            black: self.black,
            round: self.round,
        }
    }

    /// White's score in half points.
    pub const fn half_points(&self) -> usize {
        match self.winner {
            Some(Side::White) => 2,
            Some(Side::Black) => 0,
            None => 1,
        }
    }

    /// Moves that were played, those of the opening included.
    pub fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The game, played through once more.
    ///
    /// # Errors
    /// Positions and moves that the game does not know, with the number of the move.
    pub fn record<G: Game>(&self, game: &G) -> Result<GameRecord<G>, Fault> {
        let fault = |what: String, fault: Fault| Fault {
            message: format!("game {}, {what}: {}", self.game + 1, fault.message),
            at: None,
            ..fault
        };
        let start = match &self.start {
            None => game.start(),
            Some(text) => game
                .parse_position(text)
                .map_err(|bad| fault("first position".into(), bad))?,
        };
        let (mut position, mut history) = (start.clone(), G::History::default());
        let mut moves = Vec::new();
        for (ply, text) in self.moves.split_whitespace().enumerate() {
            let mv = game
                .parse_move(&position, &history, text)
                .map_err(|bad| fault(format!("move {} `{text}`", ply + 1), bad))?;
            history.push(&position);
            position = game.apply(&position, mv);
            moves.push(mv);
        }
        if self.opening > moves.len() {
            let bad = Fault::new(format!("{} moves of an opening", self.opening));
            return Err(fault(format!("with {} moves", moves.len()), bad));
        }
        let opening = Opening {
            start,
            moves: moves[..self.opening].to_vec(),
        };
        Ok(GameRecord {
            opening,
            moves,
            outcome: Outcome {
                winner: self.winner,
                ending: self.ending.clone(),
            },
            cost: self.cost,
        })
    }
}

impl<G: Game> GameRecord<G> {
    /// The moves in words, blanks between them.
    pub fn moves_text(&self, game: &G) -> String {
        let mut position = self.opening.start.clone();
        let mut words = Vec::with_capacity(self.moves.len());
        for &mv in &self.moves {
            words.push(game.format_move(&position, mv));
            position = game.apply(&position, mv);
        }
        words.join(" ")
    }
}
