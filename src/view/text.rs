//! Reports as text for people: at most 80 columns, no colour, nothing that is not asked for.

mod audit;
mod board;
mod breakpoints;
mod cache;
mod cachefiles;
mod debug;
mod duel;
mod explain;
mod files;
mod general;
mod layout;
mod matches;
mod memos;
pub mod number;
mod position;
mod progress;
mod quiz;
mod search;
mod style;
mod table;
mod timeline;
mod tournament;
mod training;
mod tuning;
mod visible;
mod weighing;

pub use debug::worth;
pub use progress::progress;
pub use style::Style;
pub use visible::{stand_in, steers, visible, visible_json};

use crate::engine::report::Report;

/// A report as text, without the last newline; empty where there is nothing to say.
pub fn render(report: &Report) -> String {
    render_with(report, Style::default())
}

/// A report as text in a style.
pub fn render_with(report: &Report, style: Style) -> String {
    style.fold(text_of(report, style))
}

fn text_of(report: &Report, style: Style) -> String {
    match report {
        Report::Message(message) => message.message.clone(),
        Report::Echo(echo) => echo.echo.clone(),
        Report::Quit(_) | Report::Sourced(_) => String::new(),
        Report::Version(version) => general::version(version),
        Report::Aliases(aliases) => general::aliases(aliases),
        Report::Expectation(expectation) => general::expectation(expectation),
        Report::Help(help) => general::help(help),
        Report::Position(report) => position::position(report, style),
        Report::GameFile(report) => position::game_file(report, style),
        Report::Moves(report) => position::moves(report, style),
        Report::Symmetries(report) => position::symmetries(report),
        Report::Perft(report) => position::perft(report),
        Report::Eval(report) => position::eval(report, style),
        Report::Rules(report) => tuning::rules(report),
        Report::Weights(report) => tuning::weights(report),
        Report::WeightSets(report) => tuning::weight_sets(report),
        Report::Suite(report) => weighing::suite(report),
        Report::WeightTable(report) => weighing::table(report, style),
        Report::TrainingMatch(report) => training::contest(report, style),
        Report::Training(report) => training::training(report, style),
        Report::Settings(report) => tuning::settings(report),
        Report::Value(report) => search::value(report, style),
        Report::Run(report) => search::run(report, style),
        Report::Bench(report) => search::bench(report),
        Report::Stop(report) => debug::stop(report, style),
        Report::Timelines(report) => timeline::list(report, style),
        Report::Diff(report) => timeline::diff(report, style),
        Report::Where(report) => debug::stack(report, style),
        Report::Frame(report) => debug::frame(report, style),
        Report::Breakpoints(report) => breakpoints::list(report),
        Report::Displays(report) => breakpoints::displays(report),
        Report::CacheStats(report) => cache::stats(report, style),
        Report::CacheList(report) => cache::list(report, style),
        Report::CacheEdit(report) => cache::edit(report, style),
        Report::Key(report) => cache::key(report, style),
        Report::CacheFile(report) => files::cache_file(report),
        Report::CacheCleaned(report) => cache::cleaned(report),
        Report::Audit(report) => audit::entries(report, style),
        Report::AuditRun(report) => audit::run(report, style),
        Report::ValueExplained(report) => explain::value(report, style),
        Report::MoveChoice(report) => explain::choice(report, style),
        Report::CutoffExplained(report) => explain::cutoff(report, style),
        Report::EntryExplained(report) => explain::entry(report, style),
        Report::Quiz(report) => quiz::quiz(report, style),
        Report::Exported(report) => files::exported(report),
        Report::CacheCount(report) => cache::matches(report),
        Report::Histogram(report) => cache::histogram(report, style),
        Report::MemoComparison(report) => memos::comparison(report, style),
        Report::CacheFileInfo(report) => cachefiles::info(report),
        Report::CacheCheck(report) => cachefiles::check(report),
        Report::CacheMerge(report) => cachefiles::merge(report, style),
        Report::CacheDiff(report) => cachefiles::diff(report, style),
        Report::Players(report) => matches::players(report),
        Report::Tournament(report) => tournament::tournament(report, style),
        Report::Games(report) => matches::games(report, style),
        Report::Game(report) => matches::game(report),
        Report::OpenedGame(report) => matches::opened(report, style),
        Report::ArenaFile(report) => matches::file(report),
        Report::Session(report) => files::session(report),
        Report::Printed(report) => debug::printed(report),
        Report::Board(report) => board::board(report),
        Report::Picture(report) => board::picture(report),
        Report::Played(report) => board::played(report),
    }
}
