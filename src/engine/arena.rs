//! The arena: matches and tournaments between players.
//!
//! ```text
//! player      who plays: name, settings, weights, cache policy, as one line of text
//! contender   a player at the board: game, evaluator and memo of its own
//! drawrules   when a match is drawn; referee applies them
//! play        one game from an opening to its end -> record, and as words -> line
//! spec        a tournament as a document -> plan: players, openings, schedule
//! tournament  plays the units of a schedule in a pool of workers; journal keeps its state on disk, replay doubts what it reads
//! tally       what games add up to; statistics say what that means
//! roundlog    games as text, as the seeds have them
//! training    self-play over a rote table
//! ```
//!
//! Nothing here knows commands, nor reads caches: whoever seats the players brings theirs along.
//! A game is a function of what it is given (players with their memos, opening, rules, a number for the random choices):
//! the same on every machine, whatever runs beside it. Limits in milliseconds are the exception.

mod contender;
mod drawrules;
mod journal;
mod line;
mod openings;
mod play;
mod player;
mod pool;
mod record;
mod referee;
mod replay;
pub mod roundlog;
mod schedule;
mod spec;
pub mod statistics;
mod tally;
mod tournament;
pub mod training;
mod unit;

pub use contender::{Choice, Contender};
pub use drawrules::{DRAW_RULES, DrawRule, DrawRules};
pub use journal::{Head, Journal, State};
pub use line::GameLine;
pub use openings::random_openings;
pub use play::{Bout, Opening, Players, play};
pub use player::{CachePolicy, Player};
pub use pool::{Finish, Worker, processors, work};
pub use record::{Cost, Ending, GameRecord, Outcome};
pub use referee::Referee;
pub use schedule::{Fixture, Schedule, Shard};
pub use spec::{Plan, Spec, VERSION};
pub use tally::{Score, Share, Tally};
pub use tournament::{Ended, Glimpse, Manner, Memories, Tournament, Watch};
