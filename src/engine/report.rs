//! What operations return: plain data, rendered at the edge as text, JSON or widgets.

use serde::Serialize;

/// The answer to one command.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// A sentence: something was done and there is nothing more to show.
    Message(Message),
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
