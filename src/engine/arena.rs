//! The arena: matches and tournaments between players.
//!
//! ```text
//! player      who plays: name, settings, weights, cache file, as one line of text
//! draws       when a match is drawn, and the referee that counts
//! bout        one game from an opening to its end -> record: the game in words
//! spec        a tournament as a document -> plan: players, openings, games
//! tournament  plays the games of a plan on several threads; journal keeps it on disk and checks what it reads
//! standings   what games add up to; `statistics` say what that means
//! games       the games at hand, files of games, logs of the seeds' rounds
//! ```
//!
//! Nothing here knows commands, nor reads caches: whoever seats the players brings theirs along.
//! A game depends on nothing but what it is given (players with their tables, opening, rules, a number for the random
//! choices): it is the same on every machine, whatever runs beside it. Limits in milliseconds are the exception.

mod bout;
mod draws;
mod games;
mod journal;
mod player;
mod record;
mod spec;
pub mod standings;
mod tournament;

pub use bout::{Bout, Chosen, Opening, Played, choose, opponents, play, random_openings};
pub use draws::{DRAW_RULES, DrawRules, Referee};
pub use games::{GameLog, GamesAtHand, read_log};
pub use journal::TournamentJournal;
pub use player::Player;
pub use record::{Cost, Ending, Fixture, GameRecord, MatchOutcome};
pub use spec::{TournamentPlan, TournamentSpec};
pub use standings::Standings;
pub use tournament::{Ended, LookOn, Memories, Tournament};
