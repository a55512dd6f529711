//! The event that wrote a cache entry, and the hits on the entry since.

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::engine::{
    audit::line_through,
    game::{Game, Keyed, MoveText, Result, Score, SearchRules, Window},
    recording::{Recording, StopConditions},
    search::{Event, EventKind, Frame, Mode, Search, Stop, Watcher},
    searcher::Searcher,
    workers::interrupted,
};

/// Where a cache entry comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Provenance {
    /// The event that last wrote the entry, from 0.
    pub event: u64,
    /// The moves from the root to the node that wrote the entry.
    pub line: Vec<MoveText>,
    /// The position of the entry: the node's, or a symmetric one.
    #[serde(skip)]
    pub state: String,
    #[serde(flatten)]
    pub(crate) window: Window,
    /// The value stored, for the side to move at the node.
    pub value: Score,
    /// The number of hits on the entry since it was last written.
    pub hits: u64,
    /// The number of events before the user edited the entry; `None` if the entry is as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited: Option<u64>,
}

/// Records the last store and the hits of some entries.
struct StoreWatcher<'a, G: SearchRules> {
    game: &'a G,
    mode: Mode,
    keyed_depth: bool,
    entries: FxHashMap<Keyed<G::Key>, Option<Provenance>>,
}

impl<G: Game> StoreWatcher<'_, G> {
    fn at(&self, position: &G::Position, search: &Search<G>, depth: u8) -> Keyed<G::Key> {
        Keyed {
            key: self.game.node_key(position, search.history(), self.mode.scheme, depth),
            depth: if self.keyed_depth { depth } else { 0 },
        }
    }

    fn record_store(&mut self, event: &Event, frame: &Frame<G>, search: &Search<G>) {
        let twins = self.mode.write_orbit.then(|| self.game.orbit(&frame.position));
        let above = &search.frames()[..search.frames().len() - 1];
        for position in twins.unwrap_or_else(|| vec![frame.position.clone()]) {
            let at = self.at(&position, search, event.depth);
            if let Some(entry) = self.entries.get_mut(&at) {
                *entry = Some(Provenance {
                    event: event.index,
                    line: line_through(self.game, search, above),
                    state: self.game.format_position(&position),
                    window: frame.window,
                    value: event.value.unwrap_or(Score::ZERO),
                    hits: 0,
                    edited: None,
                });
            }
        }
    }
}

impl<G: Game> Watcher<Search<G>> for StoreWatcher<'_, G> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        matches!(kind, EventKind::Store | EventKind::Hit)
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        match (event.kind, search.frames().last()) {
            (EventKind::Store, Some(frame)) => self.record_store(event, frame, search),
            (EventKind::Hit, Some(frame)) => {
                let at = self.at(&frame.position, search, event.depth);
                if let Some(Some(entry)) = self.entries.get_mut(&at) {
                    entry.hits += 1;
                }
            }
            _ => {}
        }
        false
    }
}

/// The provenance of the given entries, without those that the recorded search did not write. The search stays where it was.
pub fn writers<G: Game, D: StopConditions<G>>(
    recording: &mut Recording<G, D>,
    entries: &[Keyed<G::Key>],
) -> Result<FxHashMap<Keyed<G::Key>, Provenance>> {
    let Searcher { game, settings, .. } = &recording.searcher;
    let (game, keyed_depth) = (&game.clone(), settings.memo().keys_depth());
    let mode = recording.running.as_ref().map_or_else(|| settings.mode(), |running| running.mode);
    let none_written = entries.iter().map(|at| (*at, None)).collect();
    let mut watcher = StoreWatcher { game, mode, keyed_depth, entries: none_written };
    if recording.rerun_writers(entries, &mut watcher)? == Stop::Interrupt {
        return Err(interrupted());
    }
    let edits = recording.edits_in_force();
    let found = watcher.entries.into_iter().filter_map(|(at, found)| {
        let found = found?;
        let edited = edits.iter().find(|edit| edit.0 == at && edit.1 > found.event);
        Some((at, Provenance { edited: edited.map(|edit| edit.1), ..found }))
    });
    Ok(found.collect())
}
