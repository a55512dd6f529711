//! Plytrace: what the search of any program did, as JSON Lines.
//!
//! The first line of a trace is its [`TraceHeader`], each other line one [`TraceEvent`]. Any program can write it with a few
//! lines of its own, or with one of the [emitters](emitter). [`TraceReader`] reads it line by line, so that files larger
//! than memory work; [`Checker`] finds what is wrong with the search without knowing the game; [`Differ`] finds where two
//! runs part; [`TraceWriter`] writes our own searches in the same form.

mod check;
mod diff;
mod game;
mod landmark;
mod node;
mod pack;
mod quick;
mod read;
mod rulebook;
mod source;
mod write;

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};
use strum::{EnumString, IntoStaticStr};

pub use check::{CHECKS, Checker, Finding, TraceFindings};
pub use diff::{Differ, TraceParting, TraceTotals};
pub use game::TraceGame;
pub use landmark::{LANDMARK_SPACING, pack, wrong_landmarks};
pub use pack::{TraceInput, trace_input};
pub use read::TraceReader;
pub use rulebook::{Entered, Following, Rulebook};
pub use write::TraceWriter;

use super::table::Bound;

/// The first line of a trace: how the rest is to be read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceHeader {
    /// The version of the format: 1.
    pub plytrace: u32,
    /// The game, where its rules are to be known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The first position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The program traced, with its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Whose values and windows they are.
    pub view: TraceView,
    /// The absolute value from which a score counts as a mate or win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<f64>,
    /// What the table held before.
    pub table: TraceTable,
    /// Whether values may lie outside the window (fail-soft), as they may where nothing is said.
    #[serde(default = "yes")]
    pub soft: bool,
}

const fn yes() -> bool {
    true
}

/// Whose values and windows are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TraceView {
    /// Those of the side to move at the node (negamax).
    #[default]
    Side,
    /// Those of the player who is first or white, at every node (minimax).
    First,
}

/// What the table held before the first event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TraceTable {
    /// Nothing.
    #[default]
    Empty,
    /// Entries that the trace does not tell of.
    Warm,
}

/// What happened.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum TraceKind {
    /// A new search begins.
    Root,
    /// An iteration begins at the root.
    Iter,
    /// A node is entered.
    In,
    /// The table had an entry.
    Hit,
    /// The table had none.
    Miss,
    /// The node's static value.
    Eval,
    /// A move was not searched.
    Skip,
    /// An entry was stored.
    Put,
    /// An entry was removed or replaced.
    Drop,
    /// The node is cut off.
    Cut,
    /// The node is left.
    Out,
    /// The search is told to stop.
    Stop,
    /// A remark, or an event of the program's own.
    #[default]
    #[serde(other)]
    Note,
}

impl TraceKind {
    /// The name in a trace.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

const FIELDS: [&str; 12] = ["e", "a", "b", "d", "v", "t", "m", "k", "p", "s", "r", "u"];

/// One event, with the fields that the format knows. Which event has which, and what they mean, is in
/// `sessions/attach.md`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TraceEvent<'a> {
    /// What happened.
    pub e: TraceKind,
    /// α.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "briefly")]
    pub a: Option<f64>,
    /// β.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "briefly")]
    pub b: Option<f64>,
    /// Remaining depth.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "briefly")]
    pub d: Option<f64>,
    /// A value.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "briefly")]
    pub v: Option<f64>,
    /// The kind of node, or of a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t: Option<Cow<'a, str>>,
    /// A move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m: Option<Cow<'a, str>>,
    /// A key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<Cow<'a, str>>,
    /// A position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<Cow<'a, str>>,
    /// The side to move, `w` or `b`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s: Option<Cow<'a, str>>,
    /// A reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r: Option<Cow<'a, str>>,
    /// Whether an entry answered for its node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub u: Option<bool>,
    /// Whether there may be fields that only the program traced knows.
    #[serde(skip)]
    pub more: bool,
}

/// Writes whole numbers without a decimal point.
#[expect(clippy::ref_option, reason = "serde hands a reference")]
fn briefly<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = (1_u64 << 53) as f64;
    match *number {
        Some(number) if number.fract() == 0.0 && number.abs() < EXACT => {
            serializer.serialize_i64(number as i64)
        }
        number => number.serialize(serializer),
    }
}

impl TraceEvent<'_> {
    /// An event of a kind, with nothing else said.
    pub fn of(e: TraceKind) -> Self {
        Self { e, ..Self::default() }
    }

    /// Whether black is to move, where that is told.
    fn is_black(&self) -> Option<bool> {
        self.s.as_deref().map(|side| side.starts_with(['b', 'B']))
    }

    /// What an entry says of its value.
    pub fn bound(&self) -> Option<Bound> {
        self.t.as_deref()?.parse().ok()
    }

    /// The first field that an event of its kind must have and that is not there.
    fn lacks(&self) -> Option<&'static str> {
        use TraceKind::{Drop, Eval, Hit, In, Iter, Out, Put};
        match self.e {
            In if self.a.is_none() => Some("a"),
            In if self.b.is_none() => Some("b"),
            Hit | Put | Eval | Out if self.v.is_none() => Some("v"),
            Hit | Put if self.bound().is_none() => Some("t"),
            In | Hit | Put | Iter if self.d.is_none() => Some("d"),
            Drop if self.k.is_none() => Some("k"),
            _ => None,
        }
    }
}

/// The files that write traces, to put into a program of one's own: the language, the file's name and its text.
pub const LANGUAGES: [(&str, &str, &str); 5] = [
    ("c", "plytrace.h", include_str!("trace/emitters/plytrace.h")),
    ("cpp", "plytrace.h", include_str!("trace/emitters/plytrace.h")),
    ("python", "plytrace.py", include_str!("trace/emitters/plytrace.py")),
    ("rust", "plytrace.rs", include_str!("trace/emitters/plytrace.rs.txt")),
    ("java", "Plytrace.java", include_str!("trace/emitters/Plytrace.java")),
];

/// The name and the text of the file for a language.
pub fn emitter(language: &str) -> Option<(&'static str, &'static str)> {
    LANGUAGES.iter().find(|(name, ..)| *name == language).map(|(_, file, text)| (*file, *text))
}
