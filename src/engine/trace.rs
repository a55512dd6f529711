//! Plytrace: the events of a search, of any program, as JSON Lines.
//!
//! The first line of a trace is its [`TraceHeader`], each other line one [`TraceEvent`]. Any program can write a trace with a
//! few lines of its own, or with one of the [emitters](emitter). [`TraceReader`] reads a trace line by line, so that files
//! larger than memory work. [`Checker`] finds errors of the search without the rules of its game, [`Differ`] the places where
//! two traces differ. [`TraceWriter`] writes our own searches as traces.

mod binary;
mod check;
mod diff;
mod game;
mod group;
mod landmark;
mod node;
mod pack;
mod quick;
mod race;
mod read;
mod rulebook;
mod scan;
mod source;
mod write;

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use strum::{EnumString, IntoStaticStr, VariantArray};

pub use binary::piped_trace;
pub use check::{CHECKS, Checker, Finding, TraceFindings};
pub use diff::{DiffRules, Differ, TraceDifferences, TraceNodes, TraceParting, TraceSearches};
pub use game::TraceGame;
use game::TracedKey;
pub use group::{CAUSES, FindingGroup};
pub use landmark::{LANDMARK_SPACING, pack, wrong_landmarks};
pub(in crate::engine) use node::is_zero;
pub use pack::{TraceInput, trace_input};
pub use read::TraceReader;
pub use rulebook::{Entered, GameRulebook, Rulebook};
pub use scan::TraceProgress;
pub use write::TraceWriter;

use super::{core::game::is_default, table::Bound};

/// The first line of a trace: the search that was traced, and the conventions of its numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "a JSON object")]
pub struct TraceHeader {
    /// The version of the format: 1.
    pub plytrace: u32,
    /// The name of the game, such as `chess`. Without a name, positions and moves are compared, but not checked by rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The position searched, in the game's notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The program traced, with its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The side from whose point of view values and windows are.
    pub view: TraceView,
    /// The absolute value from which a score counts as a mate or win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<f64>,
    /// Whether the transposition table was empty at the beginning.
    pub table: TraceTable,
    /// Whether values may lie outside the window (fail-soft, the default).
    #[serde(default = "yes")]
    pub soft: bool,
    /// Whether mates count from the root or from the node; `None`: unknown, to be concluded from the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mates: Option<TraceMates>,
    /// Whether the program searches legal or pseudo-legal moves.
    #[serde(skip_serializing_if = "is_default")]
    pub legal: TraceLegality,
    /// Rows and columns of the board of a game that Plyscope does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<[u8; 2]>,
    /// The number of threads. Each has its own stack; the table is common.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
}

const fn yes() -> bool {
    true
}

/// The side from whose point of view the values and windows of a trace are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TraceView {
    /// Values are for the side to move at the node (negamax).
    #[default]
    Side,
    /// Values are for White, at every node (minimax).
    First,
}

/// The transposition table before the first event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TraceTable {
    /// The table has no entries before the first event.
    #[default]
    Empty,
    /// The table has entries whose `put` is not in the trace.
    Warm,
    /// Some `put` events are missing, anywhere in the trace, so that entries cannot be compared.
    Part,
}

/// The node from which a program counts the distance of a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum TraceMates {
    /// Mates count from the root: a value does not change on the way up.
    Root,
    /// Mates count from the node: a value changes by one with every ply.
    Node,
}

/// The moves that a program searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TraceLegality {
    /// The program searches legal moves only.
    #[default]
    Strict,
    /// The program also searches moves that leave the king to be captured.
    Pseudo,
}

/// The kind of an event in a trace. Binary traces number the kinds in this order, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum TraceKind {
    /// A new search begins, of the root position.
    Root,
    /// An iteration begins at the root.
    Iter,
    /// The search enters a node.
    In,
    /// The table has an entry for the node.
    Hit,
    /// The table has no entry for the node.
    Miss,
    /// The program evaluates the node statically.
    Eval,
    /// A move is pruned without a search.
    Skip,
    /// The next move is searched with reduced depth.
    Reduce,
    /// The next move is searched with greater depth.
    Extend,
    /// The node changes its own window.
    Window,
    /// The program reports a line of moves.
    Pv,
    /// An entry is stored in the table.
    Put,
    /// An entry is removed or replaced.
    Drop,
    /// A move causes a cutoff.
    Cut,
    /// The search leaves the node and returns its value.
    Out,
    /// The search is stopped from outside, by a clock for example.
    Stop,
    /// A remark, or a kind of event that the format does not define.
    #[default]
    #[serde(other)]
    Note,
}

impl TraceKind {
    /// The name in the field `e` of a trace.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

const FIELDS: [&str; 15] =
    ["e", "a", "b", "d", "v", "n", "th", "t", "m", "k", "p", "s", "r", "u", "open"];

/// One event with the fields that the format defines. `sessions/trace-format.md` lists the fields of each kind of event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceEvent<'a> {
    /// The kind of the event, such as `in` or `put`.
    pub e: TraceKind,
    /// α, the lower end of a window.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub a: Option<f64>,
    /// β, the upper end of a window.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub b: Option<f64>,
    /// Remaining depth of the node or of the entry, in plies.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub d: Option<f64>,
    /// The value of a node, an entry or an evaluation, from the point of view stated in the header.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub v: Option<f64>,
    /// Plies by which a move is reduced or extended.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    #[serde(deserialize_with = "if_fits")]
    pub n: Option<f64>,
    /// The number of the thread, from 0.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    #[serde(deserialize_with = "if_fits")]
    pub th: Option<f64>,
    /// The kind of a node or of a bound, in one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t: Option<Cow<'a, str>>,
    /// A move, in the program's notation; of `pv`, several with blanks in between.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "words")]
    pub m: Option<Cow<'a, str>>,
    /// A key, in the program's notation; of `pv`, several with blanks in between.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "words")]
    pub k: Option<Cow<'a, str>>,
    /// A position, in the notation of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<Cow<'a, str>>,
    /// The side to move, `w` or `b`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s: Option<Cow<'a, str>>,
    /// A reason in words, such as why a move was pruned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r: Option<Cow<'a, str>>,
    /// Whether the entry replaced searching the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub u: Option<bool>,
    /// Whether the node was entered before the part of the search that the trace contains.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "if_fits")]
    pub open: Option<bool>,
    /// Whether the line may have fields that the format does not define.
    #[serde(skip)]
    pub more: bool,
}

/// Reads a field if it has the type that the format defines; in other events, a program may use the name for its own data.
fn if_fits<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    input: D,
) -> Result<Option<T>, D::Error> {
    let value = serde_json::Value::deserialize(input)?;
    Ok(T::deserialize(value).ok())
}

/// Reads a text, or a list of texts as one text with blanks in between.
fn words<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Cow<'static, str>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Words {
        One(String),
        List(Vec<String>),
    }
    let words: Option<Words> = Deserialize::deserialize(input)?;
    Ok(words.map(|words| match words {
        Words::One(word) => word.into(),
        Words::List(list) => list.join(" ").into(),
    }))
}

#[expect(clippy::ref_option, reason = "the signature is serde's")]
fn number<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = (1_u64 << 53) as f64;
    match *number {
        // Whole numbers are written without a decimal point.
        Some(number) if number.fract() == 0.0 && number.abs() < EXACT => {
            serializer.serialize_i64(number as i64)
        }
        number => number.serialize(serializer),
    }
}

impl TraceEvent<'_> {
    /// An event of this kind without fields.
    pub fn of(e: TraceKind) -> Self {
        Self { e, ..Self::default() }
    }

    /// The remaining depth: in whole plies, from 0 to 255.
    #[expect(clippy::cast_sign_loss, reason = "the number is clamped to 0 and more")]
    pub(super) fn depth(&self) -> u8 {
        self.d.unwrap_or_default().clamp(0.0, 255.0) as u8
    }

    /// The number of the thread: 0 if the event has none.
    #[expect(clippy::cast_sign_loss, reason = "the number is clamped to 0 and more")]
    fn thread(&self) -> usize {
        self.th.unwrap_or_default().clamp(0.0, f64::from(u16::MAX)) as usize
    }

    /// The event with its own copies of the texts.
    fn into_owned(self) -> TraceEvent<'static> {
        fn owned(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
            text.map(|text| text.into_owned().into())
        }
        let Self { e, a, b, d, v, n, th, u, open, more, .. } = self;
        TraceEvent {
            t: owned(self.t),
            m: owned(self.m),
            k: owned(self.k),
            p: owned(self.p),
            s: owned(self.s),
            r: owned(self.r),
            ..TraceEvent { e, a, b, d, v, n, th, u, open, more, ..TraceEvent::default() }
        }
    }

    fn black_to_move(&self) -> Option<bool> {
        self.s.as_deref().map(|side| side.starts_with(['b', 'B']))
    }

    /// Whether the value of an entry is exact or a bound; `None` if `t` is missing or means something else.
    pub fn bound(&self) -> Option<Bound> {
        self.t.as_deref()?.parse().ok()
    }

    /// The first field that this kind of event must have and that is missing.
    fn missing_field(&self) -> Option<&'static str> {
        use TraceKind::{Drop, Eval, Extend, Hit, In, Iter, Out, Put, Pv, Reduce, Window};
        match self.e {
            In | Window if self.a.is_none() => Some("a"),
            In | Window if self.b.is_none() => Some("b"),
            Reduce | Extend if self.n.is_none() => Some("n"),
            Reduce | Extend | Pv if self.m.is_none() => Some("m"),
            Hit | Put | Eval | Out if self.v.is_none() => Some("v"),
            Hit | Put if self.bound().is_none() => Some("t"),
            In | Hit | Put | Iter if self.d.is_none() => Some("d"),
            Drop if self.k.is_none() => Some("k"),
            _ => None,
        }
    }
}

/// The emitters, files to copy into an engine: the language, the file's name and its text.
pub const LANGUAGES: [(&str, &str, &str); 8] = [
    ("c", "plytrace.h", include_str!("trace/emitters/plytrace.h")),
    ("cpp", "plytrace.h", include_str!("trace/emitters/plytrace.h")),
    ("python", "plytrace.py", include_str!("trace/emitters/plytrace.py")),
    ("rust", "plytrace.rs", include_str!("trace/emitters/plytrace.rs.txt")),
    ("java", "Plytrace.java", include_str!("trace/emitters/Plytrace.java")),
    ("javascript", "plytrace.js", include_str!("trace/emitters/plytrace.js")),
    ("go", "plytrace.go", include_str!("trace/emitters/plytrace.go")),
    ("csharp", "Plytrace.cs", include_str!("trace/emitters/Plytrace.cs")),
];

/// The file name and the text of a language's emitter; `None` for other languages.
pub fn emitter(language: &str) -> Option<(&'static str, &'static str)> {
    LANGUAGES.iter().find(|(name, ..)| *name == language).map(|(_, file, text)| (*file, *text))
}
