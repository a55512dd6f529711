//! Replies of commands: plain data that serde writes as JSON, and a text for people.
//!
//! Field names are the JSON interface: published fields keep name and meaning. Texts have at most 80 columns and no colours.

use std::{any::Any, fmt::Debug};

use serde::Serialize;
use serde_json::{Map, Value, json};

pub use crate::engine::arena::{Standings, standings::LiveGame};
pub use crate::engine::game::{
    Board, BoardKind, BoardMove, BoardPoint, Fault, LastMove, MoveText, Outcome, PieceKind, Score,
    Side, Term, Window, piece_sign, quotient,
};
pub use crate::engine::search::{EventKind, ProbeOutcome, Stop};
pub use crate::engine::statistics::{Estimate, FEW, Sprt, SprtVerdict, Strength};

/// The reply of a command: serialised as JSON, or shown as text.
pub trait Reply: erased_serde::Serialize + Any + Debug + Send + Sync {
    /// The text for people, without a newline at the end; empty if there is nothing to print.
    fn text(&self) -> String;

    /// The reply on one line, for the log of the full screen.
    fn line(&self) -> String {
        nth_line(&self.text(), 0)
    }

    /// The position, in the game's notation, that the text is about and contains; a screen with a board leaves it out. `None`:
    /// the text has no such position.
    fn position(&self) -> Option<&str> {
        None
    }

    /// A defect that the command found in its file or data, such as damage. Scripts then end with status 1.
    fn fault(&self) -> Option<Fault> {
        None
    }

    /// Whether the command found everything as it was to be, and so changed nothing.
    fn is_without_effect(&self) -> bool {
        false
    }

    /// The fields with times in milliseconds or ratios of times; first the command's own time, if the text shows it.
    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        Vec::new()
    }

    /// Clears times and other values that differ from run to run, for reproducible output.
    fn forget_times(&mut self) {
        self.times_mut().into_iter().for_each(|time| *time = None);
    }

    /// The charts of the reply, for `picture chart`; empty for most replies.
    fn plots(&self) -> Vec<super::plot::Plot> {
        Vec::new()
    }

    /// The table for CSV, as JSON objects. `None`: the list in the reply that has the most columns.
    fn table_rows(&self) -> Option<Value> {
        None
    }
}

erased_serde::serialize_trait_object!(Reply);

/// The line of a text with this index, from 0, or the last line; blank lines do not count.
pub(super) fn nth_line(text: &str, number: usize) -> String {
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.get(number).or(lines.last()).map_or_else(String::new, |line| (*line).to_owned())
}

/// For [`nth_line`]: the index of the last line.
pub(super) const LAST: usize = usize::MAX;

/// The reply of a command, or the fault that stopped it.
pub type Replied = Result<Box<dyn Reply>, Fault>;

/// Boxes a reply for a command handler to return.
pub fn boxed(reply: impl Reply) -> Box<dyn Reply> {
    Box::new(reply)
}

/// A reply of one sentence, in JSON the field `message`.
pub fn message(text: impl Into<String>) -> Box<dyn Reply> {
    let text = text.into();
    let fields = json!({"message": text});
    boxed(PlainReply::new(text, fields))
}

impl dyn Reply {
    /// Whether the reply is of type `R`.
    pub fn is<R: Reply>(&self) -> bool {
        (self as &dyn Any).is::<R>()
    }

    /// The reply as type `R`; `None` if it is of another type.
    pub fn downcast_ref<R: Reply>(&self) -> Option<&R> {
        (self as &dyn Any).downcast_ref()
    }

    /// The reply as type `R`, for changes; `None` if it is of another type.
    pub fn downcast_mut<R: Reply>(&mut self) -> Option<&mut R> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// A reply without a type of its own: a text and the fields of a JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlainReply {
    #[serde(skip)]
    pub(super) text: String,
    /// The fields of the JSON object.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
    /// Whether `expect` ignores this reply and tests the one before, as for replies of `echo` and `expect`.
    #[serde(skip)]
    pub is_remark: bool,
    /// Whether the reply is the result of a check, which `--quiet` does not suppress.
    #[serde(skip)]
    pub is_check: bool,
    /// A defect that the command found, as in [`Reply::fault`].
    #[serde(skip)]
    pub wrong: Option<Fault>,
}

impl PlainReply {
    /// A reply with this text and the fields of a JSON object; other JSON values count as no fields.
    pub fn new(text: impl Into<String>, fields: Value) -> Self {
        let fields = if let Value::Object(fields) = fields { fields } else { Map::new() };
        Self { text: text.into(), fields, is_remark: false, is_check: false, wrong: None }
    }

    /// A reply with text and fields that `expect` ignores.
    pub fn not_compared(text: impl Into<String>, fields: Value) -> Self {
        Self { is_remark: true, ..Self::new(text, fields) }
    }
}

impl Reply for PlainReply {
    fn text(&self) -> String {
        self.text.clone()
    }

    fn fault(&self) -> Option<Fault> {
        self.wrong.clone()
    }
}
