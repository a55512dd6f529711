//! What operations return: plain data, rendered at the edge as text, JSON or widgets.
//!
//! Field names are the machine interface; a field, once named, keeps its name and meaning.

mod arena;
mod audit;
mod board;
mod cache;
mod cachefiles;
mod debug;
mod explain;
mod export;
mod memos;
mod plot;
mod position;
mod quiz;
mod search;
mod timeline;
mod training;
mod weighing;

mod general;

pub use general::{
    Aliases, Echo, Expectation, Help, HelpChoice, HelpFamily, HelpLine, HelpParam, Overview, Page,
    Quit, Sourced, Version,
};
use serde::Serialize;

pub use arena::{ArenaFile, GameReport, GamesReport, OpenedGame, PlayersReport};
pub use audit::{AuditReport, AuditRunReport, DepartureReport, FlawReport};
pub use board::{BoardReport, PictureReport, PlayedReport};
pub use cache::{
    CacheCleaned, CacheCount, CacheEdit, CacheFile, CacheList, CacheStats, Census, EntryReport,
    Histogram, KeyReport, OrbitReport, ValueBucket,
};
pub use cachefiles::{
    CacheCheck, CacheDiff, CacheFileInfo, CacheMerge, DamagedPlace, EntryPair, Salvaged,
};
pub use debug::{
    BreakpointList, BreakpointReport, ChangeReport, DisplayList, DisplayReport, EventReport,
    FrameReport, Printed, Seen, StopReport, TraceLine, TraceReport, WatchReport, Where,
};
pub use explain::{
    CutoffExplained, EndExplained, EntryExplained, MoveChoice, MoveExplained, PlyExplained,
    ProbeExplained, Reasons, Rival, ValueExplained,
};
pub use export::{Exported, LogLine, LogReport, TreeNode, TreeReport};
pub use memos::{MemoComparison, MemoPosition, MemoRow};
pub use plot::{Plot, Series};
pub use position::{
    Eval, GameFile, MoveReport, Moves, Perft, PerftMove, PositionReport, RulesReport,
    SymmetriesReport,
};
pub use quiz::{QuestionReport, QuizReport, QuizVerdict};
pub use search::{
    Bench, BenchCase, CacheCounters, RootMoveReport, Run, SettingsReport, Value, WeightSets,
    WeightsReport,
};
pub use training::{TrainingMatch, TrainingReport};
pub use weighing::{SuiteEntry, SuiteReport};

pub use timeline::{
    DiffReport, DivergenceReport, MarkReport, MovePair, RunSide, TimelineList, TimelineReport,
    WriterReport,
};

pub use super::arena::{
    Duel, Standings,
    standings::{EndingCount, LiveGame, MeanCost, PairStanding, PlayerStanding, SprtStanding},
    statistics::{Estimate, Sprt, SprtState, SprtVerdict, Strength},
    training::TrainingBlock,
};
pub use super::game::{
    Board, BoardKind, BoardMove, BoardPoint, BoardView, Fault, LastMove, Rule, Score, Side, Term,
};
pub use super::search::{EventKind, Outcome, Stop};
pub use super::weighing::{
    Agreement, Disagreement, PhaseCount, Preference, Prospect, SetChoice, SuiteHead, TermGain,
    WeighedSet, WeighedVariant, WeightTable,
};

/// The answer to one command.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// The position at hand.
    Position(Box<PositionReport>),
    /// A game saved or loaded.
    GameFile(Box<GameFile>),
    /// The board to draw and to enter moves on.
    Board(Box<BoardReport>),
    /// A picture of it.
    Picture(PictureReport),
    /// A move the engine played.
    Played(Box<PlayedReport>),
    /// Its moves.
    Moves(Moves),
    /// Its symmetric twins.
    Symmetries(SymmetriesReport),
    /// Counts of lines of play.
    Perft(Perft),
    /// The heuristic by terms.
    Eval(Eval),
    /// The rules in force.
    Rules(RulesReport),
    /// The weights in force.
    Weights(WeightsReport),
    /// The named weight sets.
    WeightSets(WeightSets),
    /// A suite of positions.
    Suite(Box<SuiteReport>),
    /// Variants of the weights against a base.
    WeightTable(Box<WeightTable>),
    /// A rote training.
    Training(Box<TrainingReport>),
    /// Trained against untrained.
    TrainingMatch(Box<TrainingMatch>),
    /// How searches run.
    Settings(SettingsReport),
    /// The value of one position.
    Value(Value),
    /// The best moves.
    Run(Box<Run>),
    /// Where a stepped search stands.
    Stop(Box<StopReport>),
    /// The timelines.
    Timelines(TimelineList),
    /// Two timelines side by side.
    Diff(Box<DiffReport>),
    /// The search stack.
    Where(Where),
    /// One frame of it.
    Frame(Box<FrameReport>),
    /// Values by name.
    Printed(Printed),
    /// The breakpoints.
    Breakpoints(BreakpointList),
    /// Displays with their values.
    Displays(DisplayList),
    /// The cache in numbers.
    CacheStats(CacheStats),
    /// Cache entries.
    CacheList(CacheList),
    /// One cache entry, read or changed.
    CacheEdit(Box<CacheEdit>),
    /// A key taken apart.
    Key(Box<KeyReport>),
    /// A cache file read or written.
    CacheFile(CacheFile),
    /// A cache made smaller.
    CacheCleaned(CacheCleaned),
    /// Cache entries held against the plain search.
    Audit(Box<AuditReport>),
    /// A search held against the plain search.
    AuditRun(Box<AuditRunReport>),
    /// Why the root has its value.
    ValueExplained(Box<ValueExplained>),
    /// Why a move was or was not chosen.
    MoveChoice(Box<MoveChoice>),
    /// Why a node is cut off.
    CutoffExplained(Box<CutoffExplained>),
    /// What a cache entry is good for.
    EntryExplained(Box<EntryExplained>),
    /// How a quiz stands.
    Quiz(Box<QuizReport>),
    /// A file that was written.
    Exported(Exported),
    /// How many cache entries match.
    CacheCount(CacheCount),
    /// Cache entries by what they hold.
    Histogram(Histogram),
    /// Memo policies side by side.
    MemoComparison(Box<MemoComparison>),
    /// A cache file described.
    CacheFileInfo(CacheFileInfo),
    /// A cache file checked.
    CacheCheck(Box<CacheCheck>),
    /// A cache file made from others.
    CacheMerge(Box<CacheMerge>),
    /// Cache files compared.
    CacheDiff(Box<CacheDiff>),
    /// The players that have names.
    Players(PlayersReport),
    /// How a tournament or a round of matches stands.
    Tournament(Box<Standings>),
    /// Games.
    Games(GamesReport),
    /// One game.
    Game(Box<GameReport>),
    /// A game that the workbench has taken over.
    OpenedGame(Box<OpenedGame>),
    /// A file of games or results.
    ArenaFile(ArenaFile),
    /// A session saved or loaded.
    Session(SessionReport),
    /// The fingerprint.
    Bench(Bench),
    /// A sentence: something was done and there is nothing more to show.
    Message(Message),
    /// Text passed through.
    Echo(Echo),
    /// The end was asked for.
    Quit(Quit),
    /// A script begins.
    Sourced(Sourced),
    /// Which program this is.
    Version(Version),
    /// The user's own commands.
    Aliases(Aliases),
    /// An expectation that held.
    Expectation(Expectation),
    /// What commands there are and how they work.
    Help(Help),
}

/// A session saved or loaded.
#[derive(Clone, Debug, Serialize)]
pub struct SessionReport {
    /// Its path.
    pub file: String,
    /// `saved` or `loaded`.
    pub action: &'static str,
    /// What was saved or restored, in words.
    pub restored: Vec<String>,
    /// The commands that came with a session loaded.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub carried: Option<CarriedCommands>,
}

/// Commands that came with a session, and whether they run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CarriedCommands {
    /// Those of breakpoints, then the aliases.
    pub commands: Vec<CommandList>,
    /// Whether they run as they are; otherwise `trust` lets them.
    pub trusted: bool,
    /// Why no folder is trusted, where the configuration cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Commands of a breakpoint or an alias.
#[derive(Clone, Debug, Serialize)]
pub struct CommandList {
    /// Whose they are: `breakpoint 1`, `alias n`.
    pub of: String,
    /// Their lines.
    pub commands: Vec<String>,
}

/// A sentence.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    /// The sentence.
    pub message: String,
}

impl Report {
    /// The charts that show it.
    pub fn plots(&self) -> Vec<Plot> {
        match self {
            Self::WeightTable(report) => report.plots(),
            Self::Training(report) => report.plots(),
            _ => Vec::new(),
        }
    }

    /// Leaves out what differs from run to run: times and rates.
    pub fn forget_times(&mut self) {
        match self {
            Self::Perft(report) => report.ms = None,
            Self::Value(report) => report.ms = None,
            Self::Run(report) => report.ms = None,
            Self::Stop(report) => report.result.iter_mut().for_each(|run| run.ms = None),
            Self::Played(report) => report.ms = None,
            Self::Bench(report) => report.forget_times(),
            Self::Audit(report) => report.ms = None,
            Self::AuditRun(report) => report.ms = None,
            Self::MemoComparison(report) => report.forget_times(),
            Self::WeightTable(report) => report.ms = None,
            Self::Training(report) => report.ms = None,
            Self::TrainingMatch(report) => report.ms = None,
            Self::Tournament(report) => report.forget_times(),
            _ => {}
        }
    }

    /// A sentence.
    pub fn message(text: impl Into<String>) -> Self {
        Self::Message(Message {
            message: text.into(),
        })
    }
}
