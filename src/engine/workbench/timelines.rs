//! Timelines and marks, as commands see them.

use super::{Desk, Moment};
use crate::engine::{
    game::Game,
    recording::{Running, Timeline},
    reply::{MarkReport, TimelineList, TimelineReport},
};

impl<G: Game> Desk<G> {
    /// Where the search stands in the recording.
    pub(super) fn list_timelines(&self) -> TimelineList {
        let events = |running: &Running<G>| running.search.events();
        let here = self.run.running.as_ref().map_or(0, events);
        let report = |timeline: &Timeline<G>, current: bool| TimelineReport {
            name: timeline.name.clone(),
            current,
            begins: timeline.origin.start.events(),
            events: if current { here } else { timeline.at },
            reached: timeline.reached.max(if current { here } else { 0 }),
            parent: timeline.parent.as_ref().map(|(name, _)| name.clone()),
            branched: timeline.parent.as_ref().map(|(_, at)| at.saturating_sub(1)),
            state: self.run.searcher.game.format_position(timeline.origin.start.root()),
            edits: timeline
                .edits
                .iter()
                .map(|edited| {
                    let words = edited.edit.words(|at| self.keyed_text(at));
                    format!("after event {}: {words}", edited.after.saturating_sub(1))
                })
                .collect(),
        };
        let others = self.run.others.iter().map(|other| report(other, false));
        let now = self.run.now.iter().map(|now| report(now, true));
        TimelineList {
            timelines: others.chain(now).collect(),
            marks: self.list_marks(),
            bytes: self.run.recorded_bytes(),
        }
    }

    fn list_marks(&self) -> Vec<MarkReport> {
        let marks = self.run.marks.iter();
        let marks = marks.map(|(name, mark)| MarkReport {
            name: name.clone(),
            timeline: mark.timeline.clone(),
            event: mark.events.saturating_sub(1),
        });
        marks.collect()
    }

    /// The root of the search as the position at hand, where it is another one.
    pub(super) fn show_root(&mut self) {
        let Some(running) = &self.run.running else {
            return;
        };
        let root = running.search.root();
        if *root == self.now.position {
            return;
        }
        let history = running.search.history_at(0);
        let moment = Moment { history, ..Moment::set(root.clone()) };
        self.past.push(std::mem::replace(&mut self.now, moment));
        self.future.clear();
    }
}
