//! The workbench: one object for a game, its position, settings, cache and search, whatever the game is.
//!
//! [`Workbench`] is what the commands see; [`Desk`] implements it once for every [`Game`]. Dynamic dispatch happens once
//! a command, never at a node.

mod arena;
mod audit;
mod bench;
mod breakpoints;
mod browse;
mod cache;
mod cachefiles;
mod desk;
mod explain;
mod export;
mod memos;
mod position;
mod quiz;
mod saving;
mod scribe;
mod search;
mod timelines;
mod training;
mod tuning;
mod weighing;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use super::{
    arena::DuelWish,
    cachefile::{Convention, Format},
    progress::Progress,
    reply::{
        AuditReport, AuditRunReport, CacheCheck, CacheDiff, CacheFileInfo, CacheMerge,
        CutoffExplained, EntryExplained, MoveChoice, SessionReport, SuiteReport, TrainingMatch,
        TrainingReport, ValueExplained,
    },
    session::Opened,
    weighing::{SuiteSource, WeightTable},
};

pub use super::debugger::{CONDITIONS, NAMES, event_kind};
pub(crate) use super::recording::Running;
pub use super::recording::{Back, Travel};
pub use arena::{Arena, RunWish};
pub use audit::AuditWish;
pub use breakpoints::Watching;
pub use breakpoints::{PRINTED, Wish};
pub use browse::{Browsing, Filter, Page, Sort};
pub use cache::{Caching, FIELDS};
pub use desk::Desk;
pub(crate) use desk::{Moment, Purpose};
pub use export::Exporting;
pub use memos::MemoComparing;
pub use position::Positions;
pub use quiz::Quizzing;
pub use search::Searching;
pub use timelines::Rewinding;
pub use training::TrainingWish;
pub use tuning::Tuning;
pub use weighing::{Variants, WeighWish};

pub use super::game::Answer;

/// `name=value`.
pub type Pair<'a> = (&'a str, &'a str);

/// Weight sets against each other. Cache and search under way are not touched.
pub trait Weighing {
    /// The positions of a suite.
    fn suite(&self, source: SuiteSource<'_>) -> Answer<SuiteReport>;
    /// Holds variants of the weights against a base. Faults of a set are about its number, from 0.
    fn weigh(&self, variants: Variants<'_>, wish: &WeighWish<'_>) -> Answer<WeightTable>;
    /// The seed that random choices start from where a command names none.
    fn seed(&self) -> u64;
}

/// Rote training: tables of learned values in files of their own. The session's cache is not touched.
pub trait Learning {
    /// Begins a training and plays its games; Ctrl-C stops it after a game. It is saved at the beginning, at its
    /// intervals and at the end.
    fn train(&self, wish: &TrainingWish<'_>) -> Answer<TrainingReport>;
    /// Goes on with a training; with `games`, to so many over all its shards.
    fn resume_training(&self, file: &Path, games: Option<u64>) -> Answer<TrainingReport>;
    /// What is known of a training.
    fn show_training(&self, file: &Path) -> Answer<TrainingReport>;
    /// Lets the trained player and one with the same search and no table play.
    fn match_training(&self, file: &Path, wish: &DuelWish) -> Answer<TrainingMatch>;
    /// Puts the tables of all shards of a training together.
    fn merge_trainings(&self, files: &[&Path], out: &Path) -> Answer<TrainingReport>;
}

/// The cache and the search held against the plain search. Neither is changed.
pub trait Auditing {
    /// Searches positions of cache entries anew, without the cache, and lists the entries that are wrong.
    fn audit(&mut self, wish: &AuditWish) -> Answer<AuditReport>;
    /// Searches as `run` would and finds the first event at which the plain search contradicts it.
    fn audit_run(&self, limits: &[Pair<'_>], fresh: bool) -> Answer<AuditRunReport>;
}

/// Explanations. Nothing is changed.
pub trait Explaining {
    /// Why the root has its value; the plain search may visit so many states.
    fn explain_value(&self, nodes: u64) -> Answer<ValueExplained>;
    /// Why a root move is not chosen, or why it is.
    fn explain_move(&self, text: &str, nodes: u64) -> Answer<MoveChoice>;
    /// Why the selected frame is cut off, or what it would take.
    fn explain_cutoff(&self) -> Answer<CutoffExplained>;
    /// What an entry claims, whether it is true, and what a probe does with it.
    fn explain_entry(&mut self, key: &str, nodes: u64) -> Answer<EntryExplained>;
}

/// Cache files by themselves: nothing of the session changes.
pub trait CacheFiling {
    /// Describes a file by its first and last bytes.
    fn cache_info(&self, path: &Path) -> Answer<CacheFileInfo>;
    /// Reads a file to its end, damage or not; `salvage` names a new file for what is sound.
    fn cache_check(
        &self,
        path: &Path,
        format: Option<Format>,
        salvage: Option<&Path>,
    ) -> Answer<CacheCheck>;
    /// Merges two files; the convention is that of seed files.
    fn cache_merge(
        &self,
        paths: [&Path; 2],
        out: &Path,
        convention: Option<Convention>,
    ) -> Answer<CacheMerge>;
    /// Compares two files; of each kind of difference `limit` examples are shown.
    fn cache_diff(
        &self,
        paths: [&Path; 2],
        convention: Option<Convention>,
        limit: usize,
    ) -> Answer<CacheDiff>;
}

/// Sessions.
pub trait Saving {
    /// Writes the session to a file.
    fn save_session(&self, path: &Path, aliases: &Aliases) -> Answer<SessionReport>;
    /// Takes over everything a session holds; its commands are not to be run until they are trusted. On a fault the
    /// workbench is not to be used: restore a new one.
    fn restore(&mut self, session: Opened, path: &Path) -> Answer<(Aliases, SessionReport)>;
}

/// The user's own command words and what they stand for.
pub type Aliases = BTreeMap<String, String>;

/// All of it for one game.
pub trait Workbench:
    Positions
    + Tuning
    + Weighing
    + Learning
    + Searching
    + Watching
    + Rewinding
    + Caching
    + Browsing
    + MemoComparing
    + Auditing
    + Explaining
    + Quizzing
    + Exporting
    + CacheFiling
    + Arena
    + Saving
    + Send
{
    /// The game's name.
    fn game(&self) -> &'static str;
    /// Another workbench of the same game, with everything at its default.
    fn fresh(&self) -> Box<dyn Workbench>;
    /// Where long operations say how far they are.
    fn set_progress(&mut self, progress: Arc<Progress>);
}
