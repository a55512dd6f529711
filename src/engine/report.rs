//! What operations return: plain data, rendered at the edge as text, JSON or widgets.

mod general;

pub use general::{
    Aliases, Echo, Expectation, Help, HelpChoice, HelpFamily, HelpLine, HelpParam, Overview, Page,
    Quit, Sourced, Version,
};
use serde::Serialize;

/// The answer to one command.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Report {
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

/// A sentence.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    /// The sentence.
    pub message: String,
}

impl Report {
    /// A sentence.
    pub fn message(text: impl Into<String>) -> Self {
        Self::Message(Message {
            message: text.into(),
        })
    }
}
