//! What commands answer: plain data, each with its text for people in the same file.
//!
//! Field names are the machine interface; a field, once named, keeps its name and meaning. Texts have at most 80 columns,
//! no colour, and nothing that is not asked for.

use std::{any::Any, fmt::Debug};

use serde::Serialize;
use serde_json::{Map, Value as Json};

pub use crate::engine::arena::{
    Standings,
    standings::{EndingCount, LiveGame, MeanCost, PairStanding, PlayerStanding, SprtStanding},
};
pub use crate::engine::game::{
    Board, BoardKind, BoardMove, BoardPoint, Fault, LastMove, PieceKind, Rule, Score, Side, Term,
    Window, piece_sign,
};
pub use crate::engine::search::{EventKind, ProbeOutcome, Stop};
pub use crate::engine::statistics::{Estimate, FEW, Sprt, SprtState, SprtVerdict, Strength};
pub use crate::engine::suite::{PhaseCount, SuiteHead};
pub use crate::engine::training::TrainingBlock;

/// The answer to one command.
pub trait Reply: erased_serde::Serialize + Any + Debug + Send + Sync {
    /// It in words, without the last newline; empty where there is nothing to say.
    fn text(&self) -> String;

    /// It in one line, for a log.
    fn line(&self) -> String {
        nth_line(&self.text(), 0)
    }

    /// What is wrong with that which was looked at; the command itself did what it should.
    fn fault(&self) -> Option<Fault> {
        None
    }

    /// Leaves out what differs from run to run: times and rates.
    fn forget_times(&mut self) {}

    /// Whether the text has the time that the command took.
    fn has_times(&self) -> bool {
        false
    }

    /// The charts that show it.
    fn plots(&self) -> Vec<super::plot::Plot> {
        Vec::new()
    }
}

erased_serde::serialize_trait_object!(Reply);

/// A line of a text, for a log: the one with this number, or the last. It says so where there are more.
pub(super) fn nth_line(text: &str, number: usize) -> String {
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let line = lines.get(number).or(lines.last()).map_or("", |line| line.trim());
    if lines.len() > 1 { format!("{line} …") } else { line.to_owned() }
}

/// Behind a text's last line.
pub(super) const LAST: usize = usize::MAX;

/// What a command answers, or why it cannot do what it was asked.
pub type Replied = Result<Box<dyn Reply>, Fault>;

/// A reply as handlers return it.
pub fn boxed(reply: impl Reply) -> Box<dyn Reply> {
    Box::new(reply)
}

/// The answer that is a sentence: something was done and there is nothing more to show.
pub fn message(text: impl Into<String>) -> Box<dyn Reply> {
    let text = text.into();
    let fields = serde_json::json!({"message": text});
    boxed(PlainReply::new(text, fields))
}

impl dyn Reply {
    /// Whether it is a reply of this kind.
    pub fn is<R: Reply>(&self) -> bool {
        (self as &dyn Any).is::<R>()
    }

    /// It as a reply of this kind.
    pub fn downcast_ref<R: Reply>(&self) -> Option<&R> {
        (self as &dyn Any).downcast_ref()
    }

    /// It as a reply of this kind, to be changed.
    pub fn downcast_mut<R: Reply>(&mut self) -> Option<&mut R> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// A text, with the fields that programs see.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlainReply {
    #[serde(skip)]
    pub(super) text: String,
    /// The fields.
    #[serde(flatten)]
    pub fields: Map<String, Json>,
    /// It is about other replies, and queries go on to look into those.
    #[serde(skip)]
    pub is_remark: bool,
    /// What is wrong with that which was looked at.
    #[serde(skip)]
    pub wrong: Option<Fault>,
}

impl PlainReply {
    /// A text with the fields of a JSON object.
    pub fn new(text: impl Into<String>, fields: Json) -> Self {
        let fields = if let Json::Object(fields) = fields { fields } else { Map::new() };
        Self { text: text.into(), fields, is_remark: false, wrong: None }
    }

    /// The same as a remark about other replies.
    pub fn remark(text: impl Into<String>, fields: Json) -> Self {
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
