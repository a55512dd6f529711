//! The games at hand: listed, shown, taken to the board.

use super::reports::report_game;
use crate::engine::{
    game::{Fault, Game},
    report::{GameReport, GamesReport, OpenedGame},
    workbench::{Answer, Desk, Positions},
};

impl<G: Game> Desk<G> {
    pub(super) fn list_games(&self, first: usize, limit: usize) -> Answer<GamesReport> {
        let hall = self.hall()?;
        let mut listed = hall.lines().filter(|line| line.game + 1 >= first);
        let games = listed
            .by_ref()
            .take(limit)
            .map(|line| report_game(hall, line, false))
            .collect();
        Ok(GamesReport {
            games,
            more: listed.count(),
        })
    }

    pub(super) fn show_game(&self, number: usize) -> Answer<GameReport> {
        let line = self.line_numbered(number)?;
        Ok(report_game(self.hall()?, line, true))
    }

    /// Takes a game to the board.
    pub(super) fn take_up_game(&mut self, number: usize, ply: usize) -> Answer<OpenedGame> {
        let game = self.show_game(number)?;
        let record = self.record_numbered(number)?;
        if ply > record.moves.len() {
            return Err(Fault::new(format!(
                "game {number} has {} moves, so none is number {ply}",
                record.moves.len()
            ))
            .hint(format!("give 0 to {}", record.moves.len())));
        }
        self.game.admits(&record.opening.start)?;
        self.set_up_game(record.opening.start, &record.moves, ply)?;
        Ok(OpenedGame {
            game,
            ply,
            position: self.position(),
        })
    }
}
