//! The arena: matches and tournaments between players.
//!
//! ```text
//! player      name, settings, weights and cache file, as one line of text
//! contestant  a player in one game: our own searcher, or an external engine
//! draws       the draw rules, and the referee that applies them
//! play        one game from an opening to its end -> record: the game as text
//! spec        a tournament as a document -> plan: players, openings, games
//! tournament  plays the games of a plan on several threads; journal: a tournament as a file
//! standings   the results of games, with Elo and intervals from `statistics`
//! parts       the parts of a tournament that several machines played, as one
//! games       the current games, files of games, logs of the seeds' rounds
//! ```
//!
//! A game depends only on its players with their tables, the opening, the draw rules and a random seed, so it is the same on
//! every machine and with any number of threads, unless a time limits them. The caller reads cache files.

mod contestant;
mod draws;
mod games;
mod journal;
mod parts;
mod play;
mod player;
mod record;
mod spec;
pub mod standings;
mod tournament;

pub use draws::{DRAW_RULES, DrawRules, Referee};
pub use games::{CurrentGames, GameLog, read_log};
pub use journal::TournamentJournal;
pub use parts::TournamentPart;
pub use play::{Choice, Chosen, GameSetup, Opening, Played, choose, play, random_openings};
pub use player::Player;
pub use record::{Cost, Ending, Fixture, GameRecord, MatchOutcome};
pub use spec::{TournamentPlan, TournamentSpec};
pub use standings::Standings;
pub use tournament::{InitialTables, OnGameEnd, OnMove, Tournament};

/// The number of a player in a list, to whose end an unknown player is added.
fn number_of(players: &mut Vec<String>, player: &str) -> usize {
    players.iter().position(|known| known == player).unwrap_or_else(|| {
        players.push(player.to_owned());
        players.len() - 1
    })
}
