//! Recorded searches in session files: replayed from its beginning, a timeline comes to every event again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::SavedEntry;
use crate::engine::{
    game::{Game, Score, Weights},
    search::Search,
    settings::Settings,
};

/// The timelines of a session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedRecording<G: Game> {
    /// The name of the one at hand.
    pub at_hand: String,
    /// How they began; those that branched off others share it.
    pub origins: Vec<SavedOrigin<G>>,
    /// Those left behind, oldest first, then the one at hand.
    pub timelines: Vec<SavedTimeline>,
    /// Named moments: on which timeline, after how many events.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, (String, u64)>,
}

/// How a search began.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct SavedOrigin<G: Game> {
    /// The rules.
    pub rules: BTreeMap<String, String>,
    /// The weights.
    pub weights: Weights,
    /// The settings.
    pub settings: Settings,
    /// The machine.
    pub start: Search<G>,
    /// The cache.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cache: Vec<SavedEntry>,
}

/// A run of a search, with what was changed on its way.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTimeline {
    /// Its name.
    pub name: String,
    /// Which of the origins is its own, from 0.
    pub origin: usize,
    /// Where it stood when it was left: after so many events.
    pub at: u64,
    /// The farthest it went.
    pub reached: u64,
    /// Its iterations: plies from the root, and the event that began each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<(u8, u64)>,
    /// After how many events it ran out of time or was interrupted, where it did not go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<u64>,
    /// The timeline it branched off, and after how many events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<(String, u64)>,
    /// What was changed on the way: after how many events, and a number that timelines sharing the change know it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<(u64, u64, SavedEdit)>,
}

/// Something that was changed by hand in the middle of a search.
#[derive(Debug, Serialize, Deserialize)]
pub enum SavedEdit {
    /// A cache entry was written.
    Entry(SavedEntry),
    /// A cache entry was removed: its key.
    Removed(String),
    /// Other weights.
    Weights(Weights),
    /// Another budget.
    Budget(Option<u64>),
    /// Another window: α and β.
    Window(Score, Score),
}
