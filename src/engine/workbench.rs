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
mod cacheedit;
mod cachefiles;
mod desk;
mod diff;
mod entryfilter;
mod explain;
mod export;
mod histogram;
mod keys;
mod memos;
mod play;
mod position;
mod quiz;
mod recordings;
mod rewinding;
mod saving;
mod scribe;
mod search;
mod stack;
mod timelines;
mod top;
mod training;
mod tuning;
mod weighing;

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use super::{
    arena::DuelWish,
    cachefile::{Convention, Format},
    debugger::{Action, Commands},
    game::{Fault, Score},
    progress::Progress,
    reply::{
        AuditReport, AuditRunReport, Bench, BoardReport, BreakpointList, BreakpointReport,
        CacheCheck, CacheCleaned, CacheCount, CacheDiff, CacheEdit, CacheFile, CacheFileInfo,
        CacheList, CacheMerge, CacheStats, CutoffExplained, DiffReport, DisplayList,
        EntryExplained, Eval, FrameReport, Histogram, KeyReport, LogReport, MemoComparison,
        MoveChoice, Moves, Perft, PositionReport, Printed, QuizReport, Replied, Reply, RulesReport,
        Run, SessionReport, SettingsReport, StopReport, SuiteReport, SymmetriesReport,
        TimelineList, TrainingMatch, TrainingReport, TreeReport, Value, ValueExplained, WeightSets,
        WeightsReport, Where, WriterReport,
    },
    session::Opened,
    weighing::{SuiteSource, WeightTable},
};

pub use super::debugger::{CONDITIONS, NAMES, event_kind};
pub(crate) use super::recording::Running;
pub use super::recording::{Back, Travel};
pub use arena::{Arena, RunWish};
pub use audit::AuditWish;
pub use breakpoints::{PRINTED, Wish};
pub use browse::{Filter, Page, Sort};
pub use cacheedit::FIELDS;
pub use desk::Desk;
pub(crate) use desk::{Moment, Purpose};
pub use training::TrainingWish;
pub use weighing::{Variants, WeighWish};

pub use super::game::Answer;

/// `name=value`.
pub type Pair<'a> = (&'a str, &'a str);

/// Positions: setting, playing, looking.
pub trait Positions {
    /// The position at hand.
    fn position(&self) -> PositionReport;
    /// Sets a position from any notation of the game.
    fn set_position(&mut self, text: &str) -> Answer<PositionReport>;
    /// Back to the start of a game.
    fn start(&mut self) -> PositionReport;
    /// Plays legal moves one after the other, from the selected frame's position where a frame is selected. All are played
    /// or none: an error comes with the place of the move that cannot be.
    fn play_all(&mut self, moves: &[&str]) -> Result<PositionReport, (usize, Fault)>;
    /// Plays a legal move.
    fn play(&mut self, text: &str) -> Answer<PositionReport> {
        self.play_all(&[text]).map_err(|(_, fault)| fault)
    }
    /// Takes back the last change of position.
    fn undo(&mut self) -> Answer<PositionReport>;
    /// Brings back what `undo` took.
    fn redo(&mut self) -> Answer<PositionReport>;
    /// Writes what was played since a position was set, in the game's file format; how many moves that are. Refuses to
    /// replace a file that holds more.
    fn save_game(&self, path: &Path) -> Answer<usize>;
    /// Takes over a file's first game, at its first position with all its moves to redo, and how many those are. The notes
    /// say what of the file is left out.
    fn load_game(&mut self, path: &Path) -> Answer<(PositionReport, usize)>;
    /// The legal moves.
    fn moves(&self) -> Moves;
    /// The symmetric positions.
    fn symmetries(&self) -> SymmetriesReport;
    /// Lines of play of `depth` plies. Stops with a fault when interrupted.
    fn perft(&self, depth: u32) -> Answer<Perft>;
}

/// Rules, weights and settings.
pub trait Tuning {
    /// The rules in force.
    fn rules(&self) -> RulesReport;
    /// Changes rules; all of them or none.
    fn set_rules(&mut self, rules: &[Pair<'_>]) -> Answer<RulesReport>;
    /// The weights in force.
    fn weights(&self) -> WeightsReport;
    /// Changes weights; all of them or none.
    fn set_weights(&mut self, weights: &[Pair<'_>]) -> Answer<WeightsReport>;
    /// The heuristic of the position by terms.
    fn eval(&self) -> Answer<Eval>;
    /// The named weight sets.
    fn weight_sets(&self) -> WeightSets;
    /// Names a weight set: the weights in force with these changes.
    fn define_weights(&mut self, name: &str, weights: &[Pair<'_>]) -> Answer<WeightsReport>;
    /// Puts a named set in force.
    fn use_weights(&mut self, name: &str) -> Answer<WeightsReport>;
    /// Forgets a named set.
    fn remove_weights(&mut self, name: &str) -> Answer<()>;
    /// How searches run.
    fn settings(&self, all: bool) -> SettingsReport;
    /// Changes settings; all of them or none.
    fn set_settings(&mut self, settings: &[Pair<'_>]) -> Answer<SettingsReport>;
}

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

/// Searching at full speed and event by event.
pub trait Searching {
    /// The value of the position at a depth; the full window where none is given.
    fn value(&mut self, depth: u8, alpha: Option<Score>, beta: Option<Score>) -> Answer<Value>;
    /// The remaining depth that the settings name.
    fn depth_setting(&self) -> Option<u8>;
    /// The best moves, by a new search with the settings in force, and with these limits in place of theirs.
    fn run(&mut self, limits: &[Pair<'_>]) -> Answer<Run>;
    /// Goes on with the search under way, or starts one.
    fn travel(&mut self, travel: Travel) -> Answer<StopReport>;
    /// Goes on for a slice of time with what `run` or `travel` began; the report once that is done.
    fn advance(&mut self, slice: Duration) -> Option<Box<dyn Reply>>;
    /// Whether `run` or `travel` has begun something that `advance` is to go on with.
    fn is_running(&self) -> bool;
    /// With a slice, `run` and `travel` come back after it at the latest, and `advance` goes on; without, they run through.
    fn set_slice(&mut self, slice: Option<Duration>);
    /// Forgets the search under way.
    fn drop_search(&mut self) -> bool;
    /// The search stack.
    fn stack(&self) -> Answer<Where>;
    /// Selects a frame by its ply, or shows the selected one.
    fn frame(&mut self, ply: Option<usize>) -> Answer<FrameReport>;
    /// The result so far of the search under way.
    fn result(&self) -> Answer<Run>;
    /// Runs the fixed bench and counts its nodes.
    fn bench(&self) -> Answer<Bench>;
}

/// Breakpoints, watchpoints, traces and displays.
pub trait Watching {
    /// Sets a breakpoint on places: each condition must hold.
    fn add_breakpoint(
        &mut self,
        conditions: &[Pair<'_>],
        temporary: bool,
    ) -> Answer<BreakpointReport> {
        let action = if temporary { Action::Once } else { Action::Stop };
        self.watch_for(&Wish::Place { conditions, action }, None)
    }
    /// Sets a breakpoint, watchpoint or trace, with a condition besides.
    fn watch_for(&mut self, wish: &Wish<'_>, condition: Option<&str>) -> Answer<BreakpointReport>;
    /// All of them.
    fn breakpoints(&self) -> BreakpointList;
    /// Removes one, or all.
    fn remove_breakpoint(&mut self, id: Option<u32>) -> Answer<BreakpointList>;
    /// Switches one on or off.
    fn enable_breakpoint(&mut self, id: u32, enabled: bool) -> Answer<BreakpointList>;
    /// Gives one another condition, or none.
    fn condition_breakpoint(&mut self, id: u32, condition: Option<&str>) -> Answer<BreakpointList>;
    /// Has one ignored so many times.
    fn ignore_breakpoint(&mut self, id: u32, times: u64) -> Answer<BreakpointList>;
    /// Gives one the command lines to run when it stops.
    fn command_breakpoint(&mut self, id: u32, commands: Vec<String>) -> Answer<BreakpointList>;
    /// The commands to run now that this one has stopped a search.
    fn commands_of(&self, id: u32) -> Commands;
    /// Lets all commands that came with a session run; says of which breakpoints.
    fn trust_commands(&mut self) -> Vec<u32>;
    /// Goes on with the search under way, or starts one, to the node that a line of moves leads to.
    fn advance_to(&mut self, line: &str) -> Answer<StopReport>;
    /// What names, or else an expression over them, are worth at the selected frame; everything where nothing is given.
    fn print(&self, text: &str) -> Answer<Printed>;
    /// Shows an expression after every stop from now on.
    fn add_display(&mut self, text: &str) -> Answer<DisplayList>;
    /// The expressions shown, with their values now.
    fn displays(&self) -> DisplayList;
    /// Shows one no more, or none.
    fn remove_display(&mut self, id: Option<u32>) -> Answer<DisplayList>;
}

/// Going back, and timelines.
pub trait Rewinding {
    /// To a named moment.
    fn go_to_named(&mut self, name: &str) -> Answer<StopReport>;
    /// To the event that last wrote a cache entry, by its key, or that changed `alpha`, `beta`, `best` or `value` of the
    /// frame at a ply, the selected one where none is given.
    fn last(&mut self, what: &str, ply: Option<u32>) -> Answer<StopReport>;
    /// Names the moment at hand.
    fn mark(&mut self, name: &str) -> Answer<TimelineList>;
    /// Forgets a name.
    fn unmark(&mut self, name: &str) -> Answer<TimelineList>;
    /// The timelines as they were last seen to.
    fn timelines(&self) -> TimelineList;
    /// The timelines, an edit just made by hand included.
    fn survey(&mut self) -> TimelineList;
    /// Branches off a timeline here.
    fn fork(&mut self, name: Option<&str>) -> Answer<TimelineList>;
    /// Goes to another timeline, to where it was left.
    fn use_timeline(&mut self, name: &str) -> Answer<StopReport>;
    /// Forgets a timeline that is not at hand.
    fn remove_timeline(&mut self, name: &str) -> Answer<TimelineList>;
    /// Compares two timelines; the one at hand with the one it branched off where none is named.
    fn diff(&mut self, names: Option<(&str, &str)>) -> Answer<DiffReport>;
    /// Puts another window in force at the node at hand.
    fn set_window(&mut self, alpha: Option<Score>, beta: Option<Score>) -> Answer<FrameReport>;
    /// Who wrote a cache entry, as far as the recorded search did.
    fn writer(&mut self, key: &str) -> Answer<Option<WriterReport>>;
}

/// Playing: the board to enter moves on, and the engine as an opponent.
pub trait Playing {
    /// The board of the position at hand, or of another one, for front ends that draw it themselves.
    fn board(&self, state: Option<&str>) -> Answer<BoardReport>;
    /// Searches as `run` does and plays one of the best moves; which of several, the settings' seed decides.
    fn play_best(&mut self, limits: &[Pair<'_>]) -> Replied;
}

/// The cache by key.
pub trait Caching {
    /// The cache in numbers.
    fn cache_stats(&self) -> CacheStats;
    /// Entries that pass a filter.
    fn cache_list(&self, filter: &Filter<'_>, sort: Sort, page: Page) -> Answer<CacheList>;
    /// How many entries pass a filter.
    fn cache_count(&self, filter: &Filter<'_>) -> Answer<CacheCount>;
    /// The entries that pass a filter by depth, by bound and by value in so many buckets.
    fn cache_histogram(&self, filter: &Filter<'_>, buckets: usize) -> Answer<Histogram>;
    /// Removes the entries that pass a filter.
    fn cache_remove_where(&mut self, filter: &Filter<'_>) -> Answer<CacheCleaned>;
    /// The names that conditions over entries may use.
    fn filter_names(&self) -> Vec<&'static str>;
    /// One entry.
    fn cache_get(&self, key: &str) -> Answer<CacheEdit>;
    /// Writes an entry: the fields given, the others as they were.
    fn cache_set(&mut self, key: &str, fields: &[Pair<'_>]) -> Answer<CacheEdit>;
    /// Removes an entry.
    fn cache_remove(&mut self, key: &str) -> Answer<CacheEdit>;
    /// Removes every entry.
    fn cache_clear(&mut self) -> CacheCleaned;
    /// Makes the cache fit its size.
    fn cache_clean(&mut self, max_size: Option<usize>) -> CacheCleaned;
    /// A key, or the position's, taken apart.
    fn key(&self, text: Option<&str>) -> Answer<KeyReport>;
    /// Writes the cache to a file.
    fn cache_save(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile>;
    /// Adds the entries of a file to the cache.
    fn cache_load(
        &mut self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile>;
    /// Searches positions, or the one at hand, under every memo policy in both fidelities. A fault is about the number of
    /// the position, from 0, that cannot be read.
    fn compare_memos(&self, states: &[&str], depth: u8) -> Answer<MemoComparison>;
    /// Keys for completion: those in the cache that begin so.
    fn complete_keys(&self, prefix: &str, limit: usize) -> Vec<String>;
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

/// A quiz about what the search does next.
pub trait Quizzing {
    /// Has single steps asked about, or not.
    fn quiz_switch(&mut self, on: bool) -> QuizReport;
    /// Goes on to an event worth a question, and asks.
    fn quiz_next(&mut self) -> Answer<QuizReport>;
    /// Answers the open question, or passes it, and makes the step.
    fn quiz_answer(&mut self, answer: Option<&str>) -> Answer<QuizReport>;
    /// The open question and the score.
    fn quiz_score(&self) -> QuizReport;
    /// The question to be answered before a single step, if there is one.
    fn quiz_before_step(&mut self) -> Option<QuizReport>;
}

/// What a search did, for documents: the recorded search is run again on a copy.
pub trait Exporting {
    /// The tree of the last iteration, so many plies and nodes of it.
    fn tree(&mut self, plies: u32, nodes: usize) -> Answer<TreeReport>;
    /// The events from one to another, or to the last.
    fn log(&mut self, first: u64, last: Option<u64>) -> Answer<LogReport>;
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
    + Playing
    + Tuning
    + Weighing
    + Learning
    + Searching
    + Watching
    + Rewinding
    + Caching
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
