//! Session files: one RON document that people can read and edit, followed by the cache
//! ([`Document`](crate::engine::cachefile::Document)) if that is large.

use std::collections::BTreeMap;

use ron::value::RawValue;
use serde::{Deserialize, Serialize};

use super::game_head::{GameEnd, GameHead};
use crate::engine::{
    core::game::is_default,
    debugger::{Displays, SavedBreakpoint},
    files,
    game::{Fault, Game, Notes, Score, TableUse, Weights},
    search::Search,
    settings::Settings,
    table::{Bound, HashMove, ReplacementState},
};

/// The format of session files.
pub const VERSION: u32 = 1;

/// A session file, except for a large cache, which follows the document.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSession {
    pub(super) version: u32,
    pub(super) game: String,
    pub(super) rules: BTreeMap<String, String>,
    /// The positions that `undo` and `redo` walk through.
    pub(super) line: Vec<LinePosition>,
    /// The index of the current position in `line`.
    pub(super) at: usize,
    pub(super) weights: Weights,
    pub(super) weight_sets: BTreeMap<String, Weights>,
    /// The players, each as `player define` takes it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) players: Vec<String>,
    pub(super) settings: Settings,
    /// `None`: no tables are in use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tables: Option<SavedTables>,
    pub(super) aliases: BTreeMap<String, String>,
    pub(super) breakpoints: Vec<SavedBreakpoint>,
    pub(super) next_breakpoint: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) displays: Displays,
    pub(super) cache: SavedCache,
    /// Which entries are replaced next: without this, a search continued from the file would replace others than the original.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) replacement_state: ReplacementState,
    /// The quiz; `None` while it is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quiz: Option<SavedQuiz>,
    /// A [`SavedSearch`], as raw text: its type depends on the game, and the checksum covers the text.
    pub(super) search: Option<Box<RawValue>>,
    /// CRC-32 of the rules and the text of `search`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) search_crc32: u32,
}

/// The quiz. An open question follows from the search's current event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedQuiz {
    /// Questions asked so far.
    pub(super) asked: u64,
    /// Right answers.
    pub(super) right: u64,
    /// Whether a question is open.
    pub(super) open: bool,
}

/// The endgame tables in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTables {
    /// The folder; `None`: the one in the user's data directory.
    pub(super) folder: Option<String>,
    /// A checksum of the headers of all tables.
    pub(super) digest: u32,
}

/// A position and the move that led to it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinePosition {
    pub(super) state: String,
    /// `None` if the position was set.
    pub(super) played: Option<String>,
    /// The player who chose the move.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) by: Option<String>,
    /// How the players ended the game here.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) end: Option<GameEnd>,
    /// The game that begins here, if the position was set.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) game: GameHead,
    /// Comments and annotations of the move.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) notes: Notes,
    /// The variations in place of the move, as in PGN.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) variations: Vec<String>,
    /// How many of these variations come before the move.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) rank: usize,
}

/// The place of the cache in a session file.
#[derive(Debug, Serialize, Deserialize)]
pub enum SavedCache {
    /// The cache is in the document.
    Inline(Vec<SavedEntry>),
    /// The cache follows the document.
    Below,
}

/// A cache entry, with the fields that its policy has.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedEntry {
    /// The key with its depth, as commands write it.
    pub(super) key: String,
    pub(super) value: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) window: Option<(Score, Score)>,
    /// Bound and depth of an entry of the policy `bound`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bound: Option<(Bound, u8)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) best: Option<HashMove>,
    /// The position, if the table stores positions and the key does not determine it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<String>,
}

/// The search under way and the recording.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedSearch<G: Game> {
    /// `None` if the last search was dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) running: Option<SavedRunning<G>>,
    /// The timelines that began with a small cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recording: Option<SavedRecording<G>>,
}

/// The search under way.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedRunning<G: Game> {
    pub(super) weights: Weights,
    /// Time searched so far in milliseconds.
    pub(super) ms: f64,
    /// The limit of each command's search time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time_ms: Option<u64>,
    /// The ply of the selected frame, if one is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) selected: Option<usize>,
    pub(super) machine: Search<G>,
}

/// The timelines of a session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedRecording<G: Game> {
    /// Whether the last timeline is that of the search under way.
    pub(super) at_hand: bool,
    /// The starts of the timelines. A branch shares that of its parent.
    pub(super) origins: Vec<SavedOrigin<G>>,
    /// The timelines, oldest first, the current one last.
    pub(super) timelines: Vec<SavedTimeline>,
    /// Each bookmark's timeline and its number of events.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) bookmarks: BTreeMap<String, (String, u64)>,
    /// Stops at breakpoints: timeline, event, number of the breakpoint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) stops: Vec<(String, u64, u32)>,
}

impl<G: Game> SavedSearch<G> {
    /// Whether a timeline's search used endgame tables.
    pub(super) fn uses_tables(&self) -> bool {
        let mut origins = self.recording.iter().flat_map(|recording| &recording.origins);
        origins.any(|origin| origin.settings.tables != TableUse::Off)
    }
}

impl<G: Game> SavedRecording<G> {
    /// The number of events at which the timeline of the search under way begins.
    pub(super) fn current_start(&self) -> Option<u64> {
        let current = self.timelines.last().filter(|_| self.at_hand)?;
        Some(self.origins.get(current.origin)?.start.events())
    }
}

/// The state that a recorded search started from.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedOrigin<G: Game> {
    pub(super) rules: BTreeMap<String, String>,
    pub(super) weights: Weights,
    pub(super) settings: Settings,
    pub(super) start: Search<G>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) cache: Vec<SavedEntry>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) replacement_state: ReplacementState,
}

/// One run of a search, with its edits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTimeline {
    pub(super) name: String,
    /// The timeline's origin, as an index into the recording's.
    pub(super) origin: usize,
    /// The number of events at which the user left the timeline.
    pub(super) at: u64,
    /// The number of events at the farthest point of the timeline.
    pub(super) reached: u64,
    /// Each iteration's depth in plies and its first event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) iterations: Vec<(u8, u64)>,
    /// The number of events at which time or an interrupt ended the timeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended: Option<u64>,
    /// The timeline from which this one branched, and the number of events there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<(String, u64)>,
    /// The edits, each with the number of events before it and its own number, which branches share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) edits: Vec<(u64, u64, SavedEdit)>,
}

/// A user's edit in the middle of a search.
#[derive(Debug, Serialize, Deserialize)]
pub enum SavedEdit {
    Entry(SavedEntry),
    /// The key of an entry that was removed.
    Removed(String),
    /// All entries after a change of the whole cache.
    Cache(Vec<SavedEntry>),
    Weights(Weights),
    Budget(Option<u64>),
    /// α and β.
    Window(Score, Score),
}

/// Reads the game of a session file. Refuses files of another version.
pub fn game(text: &str) -> Result<String, Fault> {
    #[derive(Deserialize)]
    struct Preamble {
        version: u32,
        game: String,
    }
    let Preamble { version, game } = files::from_ron(text)?;
    if version != VERSION {
        let what = format!("session version {version} is unknown: this program reads {VERSION}");
        return Err(Fault::new(what).hint("load it with the plyscope that saved it"));
    }
    Ok(game)
}

impl SavedSession {
    pub fn set_search<G: Game>(&mut self, search: &SavedSearch<G>) -> Result<(), Fault> {
        let text = files::to_ron(search)?.trim_end().replace('\n', "\n    ");
        self.search_crc32 = self.checksum(&text);
        let raw = RawValue::from_boxed_ron(text.into());
        let unwritable = |error| Fault::new(format!("the search cannot be written: {error}"));
        self.search = Some(raw.map_err(unwritable)?);
        Ok(())
    }

    /// Reads the search under way. It is refused if its text or the rules were edited: an edited stack cannot be checked, and
    /// every later value would depend on it.
    pub fn search<G: Game>(&self) -> Result<Option<SavedSearch<G>>, Fault> {
        let Some(search) = &self.search else {
            return Ok(None);
        };
        if self.checksum(search.get_ron().trim()) != self.search_crc32 {
            return Err(Fault::new("the search under way, or the rules, were changed by hand")
                .hint("remove it (`search: None`) to load the rest of the session"));
        }
        files::from_ron(search.get_ron()).map(Some).map_err(|fault| fault.within("search"))
    }

    fn checksum(&self, search: &str) -> u32 {
        crc32fast::hash(format!("{:?}{search}", self.rules).as_bytes())
    }
}
