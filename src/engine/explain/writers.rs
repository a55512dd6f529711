//! The event that wrote a cache entry, and the hits on the entry since.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::replay;
use crate::engine::{
    audit::line_through,
    game::{Game, Keyed, MoveText, Result, Score, Window},
    recording::{Recording, StopConditions, Timeline},
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

/// Records the stores of some entries in order, and for each store the number of hits before the next store of its entry.
#[derive(Debug)]
struct StoreWatcher<G: Game> {
    game: G,
    mode: Mode,
    keyed_depth: bool,
    entries: FxHashMap<Keyed<G::Key>, Vec<Provenance>>,
}

impl<G: Game> StoreWatcher<G> {
    fn new<D: StopConditions<G>>(recording: &Recording<G, D>, entries: &[Keyed<G::Key>]) -> Self {
        let (Searcher { game, settings, .. }, running) = (&recording.searcher, &recording.running);
        Self {
            game: game.clone(),
            mode: running.as_ref().map_or_else(|| settings.mode(), |running| running.mode),
            keyed_depth: settings.memo().keys_depth(),
            entries: entries.iter().map(|at| (*at, Vec::new())).collect(),
        }
    }

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
            if let Some(stores) = self.entries.get_mut(&at) {
                stores.push(Provenance {
                    event: event.index,
                    line: line_through(&self.game, search, above),
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

impl<G: Game> Watcher<Search<G>> for StoreWatcher<G> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        matches!(kind, EventKind::Store | EventKind::Hit)
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        match (event.kind, search.frames().last()) {
            (EventKind::Store, Some(frame)) => self.record_store(event, frame, search),
            (EventKind::Hit, Some(frame)) => {
                let at = self.at(&frame.position, search, event.depth);
                if let Some(entry) = self.entries.get_mut(&at).and_then(|stores| stores.last_mut())
                {
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
    let mut watcher = StoreWatcher::new(recording, entries);
    if recording.rerun_writers(entries, &mut watcher)? == Stop::Interrupt {
        return Err(interrupted());
    }
    let edits = recording.edits_in_force();
    let found = watcher.entries.into_iter().filter_map(|(at, mut stores)| {
        let found = stores.pop()?;
        let edited = edits.iter().find(|edit| edit.0 == at && edit.1 > found.event);
        Some((at, Provenance { edited: edited.map(|edit| edit.1), ..found }))
    });
    Ok(found.collect())
}

/// A copy of the recorded search, replayed to find the stores of some entries. Kept between commands, so that only new events are
/// replayed.
#[derive(Debug)]
pub struct WriterReplay<G: Game, D> {
    replay: Recording<G, D>,
    watcher: StoreWatcher<G>,
}

impl<G: Game, D: StopConditions<G>> WriterReplay<G, D> {
    /// A replay at the beginning of the current timeline. Errors: as [`Recording::replay_copy`].
    pub fn new(recording: &mut Recording<G, D>, entries: &[Keyed<G::Key>]) -> Result<Self> {
        let watcher = StoreWatcher::new(recording, entries);
        Ok(Self { replay: recording.replay_copy()?, watcher })
    }

    /// Whether the events replayed so far are events of a timeline, and the stores of these entries are recorded.
    pub fn is_for(&self, timeline: &Timeline<G>, entries: &[Keyed<G::Key>]) -> bool {
        let now = self.replay.now.as_ref();
        now.is_some_and(|now| {
            Arc::ptr_eq(&now.origin, &timeline.origin)
                && now.shared(timeline) > self.replay.events()
                && entries.iter().all(|at| self.watcher.entries.contains_key(at))
        })
    }

    /// Replays a timeline up to `events` events or its end, as long as `goes_on` returns true. Returns whether the replay is complete.
    /// Errors: an interrupt.
    pub fn follow(
        &mut self,
        timeline: Timeline<G>,
        events: u64,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<bool> {
        self.replay.now = Some(timeline);
        let before = self.replay.events();
        if before < events {
            replay(&mut self.replay, events, &mut self.watcher, |_| goes_on())?;
        }
        let here = self.replay.events();
        Ok(here >= events || here == before)
    }

    /// The last store of an entry among the first `events` events.
    pub fn writer(&self, at: Keyed<G::Key>, events: u64) -> Option<&Provenance> {
        let stores = self.watcher.entries.get(&at)?;
        stores.iter().rfind(|store| store.event < events)
    }
}
