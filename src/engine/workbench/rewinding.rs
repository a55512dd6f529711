use super::{Answer, Back, Desk, Travel};
use crate::engine::{
    debugger::Figure,
    game::{Fault, Game, Keyed, Score, Window},
    recording::{Edit, Provenance},
    reply::{DiffReport, FrameReport, StopReport, TimelineList, WriterReport},
};

impl<G: Game> Desk<G> {
    /// Who wrote one entry, in words and numbers.
    pub(super) fn writer_of(&mut self, at: Keyed<G::Key>) -> Answer<Option<WriterReport>> {
        let mut writers = self.run.writers(&[at])?;
        Ok(writers.remove(&at).map(|writer| self.report_writer(&writer)))
    }

    /// A provenance as a report.
    pub(super) fn report_writer(&self, writer: &Provenance<G::Move>) -> WriterReport {
        let root = self.run.running.as_ref().map(|running| running.search.root());
        WriterReport {
            event: writer.event,
            line: root.map_or(Vec::new(), |root| self.line(root, &writer.line)),
            alpha: writer.window.alpha,
            beta: writer.window.beta,
            value: writer.value,
            answered: writer.answered,
        }
    }
}

/// Going back, and timelines.
pub trait Rewinding {
    /// To a named moment.
    fn go_to_named(&mut self, name: &str) -> Answer<StopReport>;
    /// To the event that last wrote a cache entry, by its key, or that changed `alpha`, `beta`, `best` or `value` of the
    /// frame at a ply, the selected one where none is given.
    fn last(&mut self, what: &str, ply: Option<u32>) -> Answer<StopReport>;
    /// Names the moment at hand.
    fn mark(&mut self, name: &str) -> Answer<TimelineList>;
    /// Forgets a name.
    fn unmark(&mut self, name: &str) -> Answer<TimelineList>;
    /// The timelines as they were last seen to.
    fn timelines(&self) -> TimelineList;
    /// The timelines, an edit just made by hand included.
    fn survey(&mut self) -> TimelineList;
    /// Branches off a timeline here.
    fn fork(&mut self, name: Option<&str>) -> Answer<TimelineList>;
    /// Goes to another timeline, to where it was left.
    fn use_timeline(&mut self, name: &str) -> Answer<StopReport>;
    /// Forgets a timeline that is not at hand.
    fn remove_timeline(&mut self, name: &str) -> Answer<TimelineList>;
    /// Compares two timelines; the one at hand with the one it branched off where none is named.
    fn diff(&mut self, names: Option<(&str, &str)>) -> Answer<DiffReport>;
    /// Puts another window in force at the node at hand.
    fn set_window(&mut self, alpha: Option<Score>, beta: Option<Score>) -> Answer<FrameReport>;
    /// Who wrote a cache entry, as far as the recorded search did.
    fn writer(&mut self, key: &str) -> Answer<Option<WriterReport>>;
}

impl<G: Game> Rewinding for Desk<G> {
    fn go_to_named(&mut self, name: &str) -> Answer<StopReport> {
        self.run.go_to_mark(name)?;
        self.show_root();
        self.moved(Travel::Goto(0))
    }

    fn last(&mut self, what: &str, ply: Option<u32>) -> Answer<StopReport> {
        let figure = if what == "value" { "best" } else { what };
        if let Some(figure) = Figure::called(figure) {
            self.run.last_change(figure, ply)?;
        } else {
            let at = self.placed(what)?.at;
            self.run.last_write(at, what)?;
        }
        self.moved(Travel::Back(Back::Last))
    }

    fn mark(&mut self, name: &str) -> Answer<TimelineList> {
        super::tuning::check_name("mark", name)?;
        self.run.set_mark(name)?;
        Ok(self.list_timelines())
    }

    fn unmark(&mut self, name: &str) -> Answer<TimelineList> {
        self.run.forget_mark(name)?;
        Ok(self.list_timelines())
    }

    fn timelines(&self) -> TimelineList {
        self.list_timelines()
    }

    fn survey(&mut self) -> TimelineList {
        self.run.settle_edits();
        self.list_timelines()
    }

    fn fork(&mut self, name: Option<&str>) -> Answer<TimelineList> {
        if let Some(name) = name {
            super::tuning::check_name("timeline", name)?;
        }
        self.run.fork_here(name)?;
        Ok(self.list_timelines())
    }

    fn use_timeline(&mut self, name: &str) -> Answer<StopReport> {
        self.run.enter_timeline(name, None)?;
        self.show_root();
        self.moved(Travel::Goto(0))
    }

    fn remove_timeline(&mut self, name: &str) -> Answer<TimelineList> {
        self.run.forget_timeline(name)?;
        Ok(self.list_timelines())
    }

    fn diff(&mut self, names: Option<(&str, &str)>) -> Answer<DiffReport> {
        self.run.settle_edits();
        if let Some((a, b)) = names {
            return self.compare_timelines(a, b);
        }
        let (a, b) = self.run.usual_pair()?;
        self.compare_timelines(&a, &b)
    }

    fn set_window(&mut self, alpha: Option<Score>, beta: Option<Score>) -> Answer<FrameReport> {
        let running = self.run.under_way()?;
        let frame = running.search.frames().last().filter(|_| running.search.takes_window());
        let frame = frame.ok_or_else(|| {
            Fault::new("the search is at its root, whose window is the full one")
                .hint("`step` goes into the tree")
        })?;
        let open = frame.open();
        let (alpha, beta) = (alpha.unwrap_or(open.alpha), beta.unwrap_or(open.beta));
        let window = Window::new(alpha, beta).ok_or_else(|| {
            Fault::new(format!("the window {alpha} to {beta} is empty: alpha must be below beta"))
        })?;
        self.run.edit_search(Edit::Window(window));
        self.select_frame(None)
    }

    fn writer(&mut self, key: &str) -> Answer<Option<WriterReport>> {
        let at = self.placed(key)?.at;
        self.writer_of(at)
    }
}
