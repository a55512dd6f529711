//! Who wrote an entry of the cache, and how often it has answered since.

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::engine::{
    game::{Answer, Game, Keyed, Rules, Score, Window},
    recording::{Recording, Stops},
    search::{Event, EventKind, Frame, Mode, Search, Watcher},
    searcher::Searcher,
};

/// Where a cache entry comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Provenance {
    /// The event that last wrote it, from 0.
    pub event: u64,
    /// The moves from the root to the node that wrote it.
    pub line: Vec<String>,
    /// The window the node was searched under.
    #[serde(flatten)]
    pub window: Window,
    /// The value stored, for the side to move at the node.
    pub value: Score,
    /// How often it has answered since.
    pub answered: u64,
}

/// Sees who writes and who uses some entries.
#[derive(Debug)]
pub struct Witness<'a, G: Rules> {
    game: &'a G,
    mode: Mode,
    keyed_depth: bool,
    entries: FxHashMap<Keyed<G::Key>, Option<Provenance>>,
}

impl<'a, G: Game> Witness<'a, G> {
    /// Looks at these entries.
    pub fn new(
        game: &'a G,
        mode: Mode,
        keyed_depth: bool,
        entries: impl IntoIterator<Item = Keyed<G::Key>>,
    ) -> Self {
        Self {
            game,
            mode,
            keyed_depth,
            entries: entries.into_iter().map(|at| (at, None)).collect(),
        }
    }

    /// What was seen of each entry that was written.
    pub fn testimony(self) -> FxHashMap<Keyed<G::Key>, Provenance> {
        let seen = self.entries.into_iter();
        seen.filter_map(|(at, seen)| Some((at, seen?))).collect()
    }

    fn at(&self, position: &G::Position, search: &Search<G>, depth: u8) -> Keyed<G::Key> {
        Keyed {
            key: self.game.node_key(position, search.history(), self.mode.scheme, depth),
            depth: if self.keyed_depth { depth } else { 0 },
        }
    }

    fn line(&self, search: &Search<G>) -> Vec<String> {
        let frames = search.frames();
        let above = &frames[..frames.len() - 1];
        let named = above.iter().filter_map(|frame| {
            Some(self.game.format_move(&frame.position, search.current_move(frame)?))
        });
        named.collect()
    }

    fn written(&mut self, event: &Event, frame: &Frame<G>, search: &Search<G>) {
        let twins = if self.mode.write_orbit {
            self.game.orbit(&frame.position)
        } else {
            vec![frame.position.clone()]
        };
        for twin in twins {
            let at = self.at(&twin, search, event.depth);
            if self.entries.contains_key(&at) {
                let provenance = Provenance {
                    event: event.index,
                    line: self.line(search),
                    window: frame.window,
                    value: event.value.unwrap_or(Score::ZERO),
                    answered: 0,
                };
                self.entries.insert(at, Some(provenance));
            }
        }
    }
}

impl<G: Game> Watcher<Search<G>> for Witness<'_, G> {
    fn wants(&self, kind: EventKind, _: u32) -> bool {
        matches!(kind, EventKind::Store | EventKind::Hit)
    }

    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        match (event.kind, search.frames().last()) {
            (EventKind::Store, Some(frame)) => self.written(event, frame, search),
            (EventKind::Hit, Some(frame)) => {
                let at = self.at(&frame.position, search, event.depth);
                if let Some(Some(seen)) = self.entries.get_mut(&at) {
                    seen.answered += 1;
                }
            }
            _ => {}
        }
        false
    }
}

/// Writers by the entries they wrote.
pub type Writers<G> = FxHashMap<Keyed<<G as Rules>::Key>, Provenance>;

/// Who wrote these entries, as far as the search under way did, and how often they have answered since. The search stands
/// afterwards where it stood.
///
/// # Errors
/// Where the search is not recorded.
pub fn writers<G: Game, D: Stops<G>>(
    recording: &mut Recording<G, D>,
    entries: &[Keyed<G::Key>],
) -> Answer<Writers<G>> {
    let Searcher { game, settings, .. } = &recording.searcher;
    let (game, keyed) = (game.clone(), settings.memo().keys_depth());
    let running = recording.running.as_ref();
    let mode = running.map_or_else(|| settings.mode(), |running| running.mode);
    let mut witness = Witness::new(&game, mode, keyed, entries.iter().copied());
    recording.rerun_writing(entries, &mut witness)?;
    Ok(witness.testimony())
}
