//! Two runs side by side, to where they part.

use super::Debugger;
use crate::engine::{
    game::{Answer, Fault, Game},
    recording::Recording,
    search::{Event, EventKind, Search, Stop, Watcher},
};

/// Events compared at a time.
const STRETCH: u64 = 1 << 12;

/// An event with the move that was entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taped<M> {
    pub event: Event,
    /// The move that leads to the node, where the event enters one.
    pub entered: Option<M>,
}

/// Takes down every event.
impl<G: Game> Watcher<Search<G>> for Vec<Taped<G::Move>> {
    fn see(&mut self, event: &Event, search: &Search<G>) -> bool {
        let parent = search.frames().iter().rev().nth(1);
        let entered = parent
            .filter(|_| event.kind == EventKind::Descend)
            .and_then(|parent| search.current_move(parent));
        self.push(Taped { event: *event, entered });
        false
    }
}

/// Where two runs part.
#[derive(Clone, Debug)]
pub struct Parted<M> {
    /// So many events were the same.
    pub same: u64,
    /// The first event of each run that differs; nothing of one that was over.
    pub events: [Option<Taped<M>>; 2],
}

impl<G: Game> Recording<G, Debugger<G>> {
    /// Goes on with two recordings side by side until they part or are over; `told` hears of the events of both together.
    /// Errors: where it is interrupted.
    pub fn part_ways(
        &mut self,
        other: &mut Self,
        told: &mut dyn FnMut(u64),
    ) -> Answer<Option<Parted<G::Move>>> {
        let mut tapes = [Vec::new(), Vec::new()];
        let mut same = 0;
        loop {
            let began = (self.events(), other.events());
            told(began.0 + began.1);
            let until = (began.0.max(began.1) / STRETCH + 1) * STRETCH;
            for (rerun, events) in [&mut *self, &mut *other].into_iter().zip(&mut tapes) {
                events.clear();
                if rerun.rerun(until, events) == Stop::Interrupt {
                    return Err(Fault::new("the comparison was interrupted"));
                }
            }
            let [first, second] = &tapes;
            let equal = first.iter().zip(second).take_while(|(a, b)| a == b).count();
            same += equal as u64;
            if equal < first.len() || equal < second.len() {
                return Ok(Some(Parted {
                    same,
                    events: [first.get(equal).copied(), second.get(equal).copied()],
                }));
            }
            if began == (self.events(), other.events()) {
                return Ok(None);
            }
        }
    }
}
