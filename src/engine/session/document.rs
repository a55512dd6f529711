//! The format of session files: one RON document that people can read and edit, followed by the cache if the cache is large
//! ([`Document`](crate::engine::cachefile::Document)).

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

/// The version number of the session file format; other versions are refused.
pub const VERSION: u32 = 1;

/// The RON document of a session file. A large cache is not part of the document but follows it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSession {
    pub(super) version: u32,
    pub(super) game: String,
    pub(super) rules: BTreeMap<String, String>,
    /// The line of positions through which `undo` and `redo` go.
    pub(super) line: Vec<LinePosition>,
    /// The index of the current position in `line`.
    pub(super) at: usize,
    pub(super) weights: Weights,
    pub(super) weight_sets: BTreeMap<String, Weights>,
    /// The named players, each written as for `player define`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) players: Vec<String>,
    pub(super) settings: Settings,
    /// The endgame tables in use; `None`: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tables: Option<SavedTables>,
    pub(super) aliases: BTreeMap<String, String>,
    pub(super) breakpoints: Vec<SavedBreakpoint>,
    pub(super) next_breakpoint: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) displays: Displays,
    pub(super) cache: SavedCache,
    /// The state of the replacement strategy: without it, a search continued from the file would evict other entries.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) replacement_state: ReplacementState,
    /// The score of the quiz; `None` while the quiz is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quiz: Option<SavedQuiz>,
    /// A [`SavedSearch`] as raw RON: its type depends on the game, and the checksum covers its text.
    pub(super) search: Option<Box<RawValue>>,
    /// CRC-32 of the rules and of the text of `search`; detects edits by hand.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) search_crc32: u32,
}

/// The score of the quiz. An open question can be recreated from the search's current event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedQuiz {
    /// Number of questions answered so far.
    pub(super) asked: u64,
    /// Number of questions answered correctly.
    pub(super) right: u64,
    /// Whether a question awaits its answer.
    pub(super) open: bool,
}

/// Which endgame tables the session uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTables {
    /// The path of the tables' folder; `None`: the folder in the user's data directory.
    pub(super) folder: Option<String>,
    /// A checksum over the headers of all tables, to detect other tables.
    pub(super) digest: u32,
}

/// A position of the line of play, with the move that led to it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinePosition {
    pub(super) state: String,
    /// The move that led to the position; `None` if the position was set up.
    pub(super) played: Option<String>,
    /// The name of the player who chose the move; `None` if unknown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) by: Option<String>,
    /// How the players ended the game in this position; `None` if they did not.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) end: Option<GameEnd>,
    /// Tags and date of the game that begins in this position; empty unless the position was set up.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) game: GameHead,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) notes: Notes,
    /// The variations that replace the move, as in PGN.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) variations: Vec<String>,
    /// The number of variations that rank before the move; 0: the move comes first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) rank: usize,
}

/// Where in a session file the cache is.
#[derive(Debug, Serialize, Deserialize)]
pub enum SavedCache {
    /// The document contains the cache, entry by entry.
    Inline(Vec<SavedEntry>),
    /// The cache follows the document, in the native format of cache files.
    Below,
}

/// A cache entry, with the fields that its memo policy stores.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedEntry {
    /// The key, as commands write it; ends in `:DEPTH` if the memo policy keeps one entry per depth.
    pub(super) key: String,
    pub(super) value: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) window: Option<(Score, Score)>,
    /// Bound and depth in plies; only with the memo policy `bound`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bound: Option<(Bound, u8)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) best: Option<HashMove>,
    /// The position, if the table stores positions and the key does not determine the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<String>,
}

/// The current search and the recording.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedSearch<G: Game> {
    /// The current search; `None` if it was dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) running: Option<SavedRunning<G>>,
    /// The timelines; `None` if there are none that a session file can hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recording: Option<SavedRecording<G>>,
}

/// The current search: its state, weights, time used and selected frame.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedRunning<G: Game> {
    pub(super) weights: Weights,
    /// Time searched so far, in milliseconds.
    pub(super) ms: f64,
    /// The time limit of each command in milliseconds; `None`: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time_ms: Option<u64>,
    /// The ply of the frame selected by `frame`, `up` or `down`; `None`: the current node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) selected: Option<usize>,
    pub(super) machine: Search<G>,
}

/// The recording: timelines, bookmarks and stops.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedRecording<G: Game> {
    /// Whether the last timeline belongs to the current search.
    pub(super) last_is_current: bool,
    /// The start states of the timelines. A branch shares the start state of its parent.
    pub(super) origins: Vec<SavedOrigin<G>>,
    /// The timelines, oldest first, the current one last.
    pub(super) timelines: Vec<SavedTimeline>,
    /// Bookmarks by name: the timeline, and the number of events before the bookmark.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) bookmarks: BTreeMap<String, (String, u64)>,
    /// Stops at breakpoints: name of the timeline, event, number of the breakpoint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) stops: Vec<(String, u64, u32)>,
}

impl<G: Game> SavedSearch<G> {
    /// Whether the search of any timeline used endgame tables.
    pub(super) fn uses_tables(&self) -> bool {
        let mut origins = self.recording.iter().flat_map(|recording| &recording.origins);
        origins.any(|origin| origin.settings.tables != TableUse::Off)
    }
}

impl<G: Game> SavedRecording<G> {
    /// The number of events before the timeline of the current search begins; `None` if that timeline is not saved.
    pub(super) fn current_start(&self) -> Option<u64> {
        let current = self.timelines.last().filter(|_| self.last_is_current)?;
        Some(self.origins.get(current.origin)?.start.events())
    }
}

/// The state from which a recorded search started: rules, weights, settings, stack and cache.
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

/// One run of a search, with the edits made to it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTimeline {
    pub(super) name: String,
    /// The start state, as an index into [`SavedRecording::origins`].
    pub(super) origin: usize,
    /// The number of events at which the user left the timeline, to which `timeline use` returns.
    pub(super) at: u64,
    /// The greatest number of events that the search reached on the timeline.
    pub(super) reached: u64,
    /// The depth in plies of each iteration, and the event at which it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) iterations: Vec<(u8, u64)>,
    /// The number of events at which time or an interrupt ended the search; `None` otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended: Option<u64>,
    /// The parent timeline, and the number of events before the branch; `None` for an original run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<(String, u64)>,
    /// The edits: number of events before the edit, an identifier that branches share, and the change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) edits: Vec<(u64, u64, SavedEdit)>,
}

/// A change that the user made in the middle of a search.
#[derive(Debug, Serialize, Deserialize)]
pub enum SavedEdit {
    Entry(SavedEntry),
    /// The key of an entry that the user removed.
    Removed(String),
    /// All entries of the cache after the user replaced the whole cache.
    Cache(Vec<SavedEntry>),
    Weights(Weights),
    Budget(Option<u64>),
    /// α and β of the window that the user set at the current node.
    Window(Score, Score),
}

/// Reads the name of the game from a session file. Fails for other versions of the format.
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

    /// Reads the saved search. Fails if its text or the rules were edited by hand: an edited stack cannot be checked, and every
    /// later value would depend on it.
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
