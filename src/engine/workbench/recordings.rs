//! Recorded searches in session files.

use super::{Answer, Desk};
use crate::engine::{
    game::{Fault, Game, Window},
    session::{SavedEdit, SavedRecording},
    timeline::{Edit, Edited, Origin, Recorder, Start, Timeline},
    workbench::timelines::Mark,
};

impl<G: Game> Desk<G> {
    /// The recording of the search under way, where a session file can hold it: without whole caches.
    pub(super) fn saved_recording(&self) -> Option<SavedRecording<G>> {
        let now = self.timelines.now.as_ref()?;
        if !matches!(now.origin.memo(), Some(Start::Empty)) {
            return None;
        }
        let here = self.events_so_far();
        let known = now.edits.iter().filter(|edited| edited.after <= here);
        let edits = known.map(|edited| Some((edited.after, self.saved_edit(&edited.edit)?)));
        let marks = self.timelines.marks.iter();
        let marks = marks.filter(|(_, mark)| mark.timeline == now.name && mark.events <= here);
        Some(SavedRecording {
            timeline: now.name.clone(),
            weights: now.origin.weights.clone(),
            start: now.origin.start.clone(),
            edits: edits.collect::<Option<_>>()?,
            marks: marks
                .map(|(name, mark)| (name.clone(), mark.events))
                .collect(),
        })
    }

    fn saved_edit(&self, edit: &Edit<G>) -> Option<SavedEdit> {
        Some(match edit {
            Edit::Entry(at, Some(entry)) => SavedEdit::Entry(self.saved_entry(*at, entry)),
            Edit::Entry(at, None) => SavedEdit::Removed(self.keyed_text(*at)),
            Edit::Cache(_) => return None,
            Edit::Weights(weights) => SavedEdit::Weights(weights.clone()),
            Edit::Budget(budget) => SavedEdit::Budget(*budget),
            Edit::Window(window) => SavedEdit::Window(window.alpha, window.beta),
        })
    }

    /// Records the search that a session has brought back; with what it saved of the recording, from its beginning.
    pub(super) fn restore_recording(&mut self, saved: Option<SavedRecording<G>>) -> Answer<()> {
        let timeline = saved.map(|saved| self.timeline_of(saved)).transpose()?;
        let Some(running) = self.running.take().filter(|_| self.settings.record) else {
            return Ok(());
        };
        match timeline {
            None => self.record(&running),
            Some(timeline) => {
                self.timelines.recorder =
                    Recorder::begin(&running.search, running.ms, &mut self.memo);
                self.timelines.now = Some(timeline);
            }
        }
        self.running = Some(running);
        Ok(())
    }

    fn timeline_of(&mut self, saved: SavedRecording<G>) -> Answer<Timeline<G>> {
        saved.start.check(&self.game)?;
        let root = self.running.as_ref().map(|running| running.search.root());
        if root != Some(saved.start.root()) {
            return Err(
                Fault::new("the saved recording is of a search from another position")
                    .hint("remove it (`recording`) to load the rest of the session"),
            );
        }
        let here = self.events_so_far();
        let weights = self.checked_weights(&saved.weights)?;
        let origin = Origin::new(
            self.game.clone(),
            weights,
            self.settings.clone(),
            saved.start,
        );
        origin.set_memo(Start::Empty);
        let mut timeline = Timeline::new(saved.timeline.clone(), origin);
        for (id, (after, edit)) in (0..).zip(saved.edits) {
            let edit = self.edit_of(edit)?;
            timeline.edits.push(Edited { after, id, edit });
        }
        self.timelines.next_edit = timeline.edits.len() as u64;
        timeline.reached = here;
        timeline.at = here;
        self.timelines.marks = saved
            .marks
            .into_iter()
            .filter(|(_, events)| *events <= here)
            .map(|(name, events)| {
                let timeline = saved.timeline.clone();
                (name, Mark { timeline, events })
            })
            .collect();
        Ok(timeline)
    }

    fn edit_of(&self, saved: SavedEdit) -> Answer<Edit<G>> {
        Ok(match saved {
            SavedEdit::Entry(saved) => {
                let (at, entry) = self.entry_of(&saved)?;
                Edit::Entry(at, Some(entry))
            }
            SavedEdit::Removed(key) => Edit::Entry(self.placed(&key)?.at, None),
            SavedEdit::Weights(weights) => Edit::Weights(self.checked_weights(&weights)?),
            SavedEdit::Budget(budget) => Edit::Budget(budget),
            SavedEdit::Window(alpha, beta) => {
                let window = Window::new(alpha, beta);
                Edit::Window(window.ok_or_else(|| {
                    Fault::new(format!(
                        "the window {alpha} to {beta} of the recording is empty"
                    ))
                })?)
            }
        })
    }
}
