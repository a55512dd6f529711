//! Replies of commands: plain data that serde writes as JSON, with a text for people.
//!
//! Field names are the JSON interface: a published field keeps its name and meaning. Texts have at most 80 columns and no
//! colour.

use std::{any::Any, fmt::Debug};

use serde::Serialize;
use serde_json::{Map, Value, json};

pub use crate::engine::arena::{Standings, standings::LiveGame};
pub use crate::engine::game::{
    Board, BoardKind, BoardMove, BoardPoint, Fault, LastMove, MoveText, Outcome, PieceKind, Score,
    Side, Term, Window, piece_sign,
};
pub use crate::engine::search::{EventKind, ProbeOutcome, Stop};
pub use crate::engine::statistics::{Estimate, FEW, Sprt, SprtVerdict, Strength};

/// The reply of one command.
pub trait Reply: erased_serde::Serialize + Any + Debug + Send + Sync {
    /// The text for people, without a newline at the end; empty if there is nothing to print.
    fn text(&self) -> String;

    /// The reply in one line, for the log of the full screen.
    fn line(&self) -> String {
        nth_line(&self.text(), 0)
    }

    /// A defect in the file or data that the command read, such as damage: scripts then end with status 1, although the
    /// command itself succeeded.
    fn fault(&self) -> Option<Fault> {
        None
    }

    /// The times in milliseconds and their ratios. The first one is the time that the command took, if the text contains it.
    fn times(&mut self) -> Vec<&mut Option<f64>> {
        Vec::new()
    }

    /// Removes times and other values that differ from run to run.
    fn forget_times(&mut self) {
        self.times().into_iter().for_each(|time| *time = None);
    }

    /// The charts of this reply.
    fn plots(&self) -> Vec<super::plot::Plot> {
        Vec::new()
    }

    /// The rows of the reply's table, as JSON objects. `None`: the rows are the list with the most columns in the reply.
    fn table_rows(&self) -> Option<Value> {
        None
    }
}

erased_serde::serialize_trait_object!(Reply);

/// The line of a text with this number, or the last one; `…` follows if the text has other lines.
pub(super) fn nth_line(text: &str, number: usize) -> String {
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let line = lines.get(number).or(lines.last()).map_or("", |line| line.trim());
    if lines.len() > 1 { format!("{line} …") } else { line.to_owned() }
}

/// The `number` of the last line for [`nth_line`].
pub(super) const LAST: usize = usize::MAX;

/// The reply of a command, or why it failed.
pub type Replied = Result<Box<dyn Reply>, Fault>;

/// A reply as command handlers return it.
pub fn boxed(reply: impl Reply) -> Box<dyn Reply> {
    Box::new(reply)
}

/// A reply of one sentence; its only JSON field is `message`.
pub fn message(text: impl Into<String>) -> Box<dyn Reply> {
    let text = text.into();
    let fields = json!({"message": text});
    boxed(PlainReply::new(text, fields))
}

impl dyn Reply {
    /// Whether the reply has this type.
    pub fn is<R: Reply>(&self) -> bool {
        (self as &dyn Any).is::<R>()
    }

    /// The reply as this type, if it has it.
    pub fn downcast_ref<R: Reply>(&self) -> Option<&R> {
        (self as &dyn Any).downcast_ref()
    }

    /// The reply as this type for changes, if it has it.
    pub fn downcast_mut<R: Reply>(&mut self) -> Option<&mut R> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// A reply without a type of its own: a text and JSON fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlainReply {
    #[serde(skip)]
    pub(super) text: String,
    /// The JSON fields.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
    /// Whether `expect` skips this reply and tests the one before it, as with the replies of `echo` and `expect`.
    #[serde(skip)]
    pub is_remark: bool,
    /// Whether the reply is the result of a check, which is printed even with `--quiet`.
    #[serde(skip)]
    pub is_check: bool,
    /// See [`Reply::fault`].
    #[serde(skip)]
    pub wrong: Option<Fault>,
}

impl PlainReply {
    /// A text with the fields of a JSON object.
    pub fn new(text: impl Into<String>, fields: Value) -> Self {
        let fields = if let Value::Object(fields) = fields { fields } else { Map::new() };
        Self { text: text.into(), fields, is_remark: false, is_check: false, wrong: None }
    }

    /// A reply that `expect` skips.
    pub fn remark(text: impl Into<String>, fields: Value) -> Self {
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
