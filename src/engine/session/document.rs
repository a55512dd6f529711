//! Session files: everything a user was doing, as one RON document that people can read and mend. Where the cache is
//! large it stands [below](crate::engine::cachefile::Divided).

use std::collections::BTreeMap;

use ron::value::RawValue;
use serde::{Deserialize, Serialize};

use crate::engine::{
    core::game::is_default,
    debugger::{Displays, SavedBreakpoint},
    files,
    game::{Fault, Game, Score, Weights},
    search::Search,
    settings::Settings,
    table::ReplacementState,
};

/// The version of the documents this program writes, and the newest it reads.
pub const VERSION: u32 = 5;

/// What is said of a search that an older version saved, without a check sum or from a machine that worked otherwise.
pub const OLD_SEARCH: &str = "the search under way was saved by an older version and is left out: `search run` searches again, \
     with the cache as it was";

/// The part of a session that must be read before anything else can be.
#[derive(Debug, Deserialize)]
pub struct Preamble {
    pub(in crate::engine) version: u32,
    pub(in crate::engine) game: String,
}

/// A whole session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSession {
    pub(in crate::engine) version: u32,
    pub(in crate::engine) game: String,
    pub(in crate::engine) rules: BTreeMap<String, String>,
    /// The positions that `undo` and `redo` walk through.
    pub(in crate::engine) line: Vec<LinePosition>,
    /// Which of them is at hand.
    pub(in crate::engine) at: usize,
    pub(in crate::engine) weights: Weights,
    pub(in crate::engine) weight_sets: BTreeMap<String, Weights>,
    /// The players that have names, each as its line of text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::engine) players: Vec<String>,
    pub(in crate::engine) settings: Settings,
    pub(in crate::engine) aliases: BTreeMap<String, String>,
    pub(in crate::engine) breakpoints: Vec<SavedBreakpoint>,
    pub(in crate::engine) next_breakpoint: u32,
    /// The expressions that are shown after every stop.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::engine) displays: Displays,
    pub(in crate::engine) cache: SavedCache,
    /// Where it stands beside its entries: what it takes to go on as it would have.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::engine) replacement_state: ReplacementState,
    /// The quiz, where it is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) quiz: Option<SavedQuiz>,
    /// The search under way: a [`SavedSearch`].
    pub(in crate::engine) search: Option<Box<RawValue>>,
    /// The CRC-32 of that search's text with the rules before it: see [`SavedSession::search`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::engine) search_crc32: u32,
}

/// A quiz: its score, and whether a question is open. The question itself follows from where the search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedQuiz {
    pub(in crate::engine) asked: u64,
    /// How many of them rightly.
    pub(in crate::engine) right: u64,
    /// Whether one waits for its answer.
    pub(in crate::engine) open: bool,
}

/// A position and the move that led to it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinePosition {
    /// The position in the game's notation.
    pub(in crate::engine) state: String,
    /// The move; none if the position was set.
    pub(in crate::engine) played: Option<String>,
}

/// The cache in a session.
#[derive(Debug, Serialize, Deserialize)]
pub enum SavedCache {
    /// In the document itself.
    Inline(Vec<SavedEntry>),
    /// After the document.
    Below,
    /// In a file beside it, as sessions were once written: it is named, and no longer read.
    File(CacheReference),
}

/// The cache file beside an old session.
#[derive(Debug, Serialize, Deserialize)]
pub struct CacheReference {
    /// Its name, in the session's folder.
    pub(in crate::engine) name: String,
}

/// A cache entry in a session, with the fields its policy has.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedEntry {
    /// The key with its depth, as commands write it.
    pub(in crate::engine) key: String,
    pub(in crate::engine) value: Score,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) window: Option<(Score, Score)>,
    /// The bound, and the depth it holds for, where these are not in the key or the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) bound: Option<(crate::engine::table::Bound, u8)>,
    /// What marks the best move, where searches go by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) best: Option<crate::engine::table::HashMove>,
    /// The position it was written for, where that is kept and the key does not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) state: Option<String>,
}

/// The search under way, and what was recorded of it and of earlier ones.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedSearch<G: Game> {
    /// None where the last one was dropped.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) running: Option<SavedRunning<G>>,
    /// How they can be walked back, where they were recorded and their beginnings are not too large to keep.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) recording: Option<SavedRecording<G>>,
}

/// The search under way.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedRunning<G: Game> {
    /// The weights it runs with.
    pub(in crate::engine) weights: Weights,
    pub(in crate::engine) ms: f64,
    /// Milliseconds it may go on for each time it is told to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) time_ms: Option<u64>,
    /// The ply of the selected frame, where it is not the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) selected: Option<usize>,
    pub(in crate::engine) machine: Search<G>,
}

/// The timelines of a session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedRecording<G: Game> {
    /// Whether the last of them is that of the search under way.
    pub(in crate::engine) at_hand: bool,
    /// How they began; those that branched off others share it.
    pub(in crate::engine) origins: Vec<SavedOrigin<G>>,
    /// Those left behind, oldest first, then the one at hand.
    pub(in crate::engine) timelines: Vec<SavedTimeline>,
    /// Named moments: on which timeline, after how many events.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(in crate::engine) bookmarks: BTreeMap<String, (String, u64)>,
    /// Where breakpoints have stopped them: on which timeline, at which event, and the breakpoint's number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::engine) stops: Vec<(String, u64, u32)>,
}

/// How a search began.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedOrigin<G: Game> {
    pub(in crate::engine) rules: BTreeMap<String, String>,
    pub(in crate::engine) weights: Weights,
    pub(in crate::engine) settings: Settings,
    pub(in crate::engine) start: Search<G>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::engine) cache: Vec<SavedEntry>,
    /// Where the cache stood beside its entries.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::engine) replacement_state: ReplacementState,
}

/// A run of a search, with what was changed on its way.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTimeline {
    pub(in crate::engine) name: String,
    /// Which of the origins is its own, from 0.
    pub(in crate::engine) origin: usize,
    /// Where it stood when it was left: after so many events.
    pub(in crate::engine) at: u64,
    /// The farthest it went.
    pub(in crate::engine) reached: u64,
    /// Its iterations: plies from the root, and the event that began each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::engine) iterations: Vec<(u8, u64)>,
    /// After how many events it ran out of time or was interrupted, where it did not go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) ended: Option<u64>,
    /// The timeline it branched off, and after how many events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::engine) parent: Option<(String, u64)>,
    /// What was changed on the way: after how many events, and a number that timelines sharing the change know it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::engine) edits: Vec<(u64, u64, SavedEdit)>,
}

/// Something that was changed by hand in the middle of a search.
#[derive(Debug, Serialize, Deserialize)]
pub enum SavedEdit {
    /// A cache entry was written.
    Entry(SavedEntry),
    /// A cache entry was removed: its key.
    Removed(String),
    /// The cache as a whole was changed: as it was afterwards.
    Cache(Vec<SavedEntry>),
    /// Other weights.
    Weights(Weights),
    /// Another budget.
    Budget(Option<u64>),
    /// Another window: α and β.
    Window(Score, Score),
}

/// Reads the preamble, and refuses documents of other versions.
pub fn preamble(text: &str) -> Result<Preamble, Fault> {
    let preamble: Preamble = files::from_ron(text)?;
    if !(1..=VERSION).contains(&preamble.version) {
        return Err(Fault::new(format!(
            "session version {} is unknown: this program reads versions 1 to {VERSION}",
            preamble.version
        ))
        .hint("save it again with the program that wrote it, or use a newer plyscope"));
    }
    Ok(preamble)
}

/// Reads a document whose [`preamble`] is good, and says what of it could not be taken over.
pub fn read(text: &str) -> Result<(SavedSession, Option<&'static str>), Fault> {
    let mut document: SavedSession = files::from_ron(text)?;
    if document.version == VERSION {
        return Ok((document, None));
    }
    // A question of the quiz is about the search's next event.
    document.quiz = None;
    let note = document.search.take().map(|_| OLD_SEARCH);
    Ok((document, note))
}

impl SavedSession {
    /// Takes over a search under way.
    pub fn set_search<G: Game>(&mut self, search: &SavedSearch<G>) -> Result<(), Fault> {
        let text = files::to_ron(search)?.trim_end().replace('\n', "\n    ");
        self.search_crc32 = self.sum_of(&text);
        let raw = RawValue::from_boxed_ron(text.into());
        let unwritable = |error| Fault::new(format!("the search cannot be written: {error}"));
        self.search = Some(raw.map_err(unwritable)?);
        Ok(())
    }

    /// The search under way. It goes on from every number and move in it, in ways that nobody can check afterwards, so it
    /// is taken as it was saved or not at all.
    pub fn search<G: Game>(&self) -> Result<Option<SavedSearch<G>>, Fault> {
        let Some(search) = &self.search else {
            return Ok(None);
        };
        if self.sum_of(search.get_ron().trim()) != self.search_crc32 {
            return Err(Fault::new("the search under way, or the rules, were changed by hand")
                .hint("remove it (`search: None`) to load the rest of the session"));
        }
        files::from_ron(search.get_ron()).map(Some).map_err(|fault| fault.within("search"))
    }

    fn sum_of(&self, search: &str) -> u32 {
        crc32fast::hash(format!("{:?}{search}", self.rules).as_bytes())
    }
}
