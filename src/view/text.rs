//! Reports as text for people.

mod board;
mod general;

use crate::engine::report::Report;

/// A report as text, without the last newline; empty where there is nothing to say.
pub fn render(report: &Report) -> String {
    match report {
        Report::Message(message) => message.message.clone(),
        Report::Echo(echo) => echo.echo.clone(),
        Report::Quit(_) | Report::Sourced(_) => String::new(),
        Report::Version(version) => general::version(version),
        Report::Aliases(aliases) => general::aliases(aliases),
        Report::Expectation(expectation) => general::expectation(expectation),
        Report::Help(help) => general::help(help),
        Report::Board(board) => board::board(board),
        Report::Picture(picture) => board::picture(picture),
        Report::Played(played) => board::played(played),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}
