use super::{Answer, Back, Desk, Rewinding, Travel};
use crate::engine::{
    debugger::Figure,
    game::{Fault, Game, Score, Window},
    reply::{DiffReport, FrameReport, StopReport, TimelineList, WriterReport},
    timeline::Edit,
};

impl<G: Game> Desk<G> {
    fn moved(&mut self, travel: Travel) -> Answer<StopReport> {
        let halt = self.pump(self.slice);
        self.report_stop(travel, halt.map(|(_, halt, events)| (halt, events)))
    }

    /// The timeline at hand and the one it branched off, or that which was left last.
    fn usual_pair(&self) -> Answer<(String, String)> {
        let now = self.timelines.now.as_ref();
        let last = self.timelines.others.last();
        let parent = now.and_then(|now| now.parent.as_ref());
        let parent = parent.filter(|(name, _)| self.timelines.other(name).is_some());
        let other = parent.map(|(name, _)| name).or(last.map(|last| &last.name));
        match (other, now) {
            (Some(other), Some(now)) => Ok((other.clone(), now.name.clone())),
            _ => Err(Fault::new("there are no two timelines to compare")
                .hint("search twice, or `fork` and change something")),
        }
    }
}

impl<G: Game> Rewinding for Desk<G> {
    fn go_to_named(&mut self, name: &str) -> Answer<StopReport> {
        self.go_to_mark(name)?;
        self.moved(Travel::Goto(0))
    }

    fn last(&mut self, what: &str, ply: Option<u32>) -> Answer<StopReport> {
        let figure = if what == "value" { "best" } else { what };
        if let Some(figure) = Figure::called(figure) {
            self.last_change(figure, ply)?;
        } else {
            let at = self.placed(what)?.at;
            self.last_write(at, what)?;
        }
        self.moved(Travel::Back(Back::Last))
    }

    fn mark(&mut self, name: &str) -> Answer<TimelineList> {
        super::tuning::check_name("mark", name)?;
        self.set_mark(name)
    }

    fn unmark(&mut self, name: &str) -> Answer<TimelineList> {
        self.forget_mark(name)
    }

    fn timelines(&self) -> TimelineList {
        self.list_timelines()
    }

    fn survey(&mut self) -> TimelineList {
        self.settle_edits();
        self.list_timelines()
    }

    fn fork(&mut self, name: Option<&str>) -> Answer<TimelineList> {
        self.fork_here(name)?;
        Ok(self.list_timelines())
    }

    fn use_timeline(&mut self, name: &str) -> Answer<StopReport> {
        self.enter_timeline(name, None)?;
        self.moved(Travel::Goto(0))
    }

    fn remove_timeline(&mut self, name: &str) -> Answer<TimelineList> {
        self.forget_timeline(name)
    }

    fn diff(&mut self, names: Option<(&str, &str)>) -> Answer<DiffReport> {
        self.settle_edits();
        if let Some((a, b)) = names {
            return self.compare_timelines(a, b);
        }
        let (a, b) = self.usual_pair()?;
        self.compare_timelines(&a, &b)
    }

    fn set_window(&mut self, alpha: Option<Score>, beta: Option<Score>) -> Answer<FrameReport> {
        let running = self.under_way()?;
        let Some(frame) = running.search.frames().last() else {
            return Err(
                Fault::new("the search is at its root, whose window is the full one")
                    .hint("`step` goes into the tree"),
            );
        };
        let open = frame.open();
        let (alpha, beta) = (alpha.unwrap_or(open.alpha), beta.unwrap_or(open.beta));
        let window = Window::new(alpha, beta).ok_or_else(|| {
            Fault::new(format!(
                "the window {alpha} to {beta} is empty: alpha must be below beta"
            ))
        })?;
        self.edit_search(Edit::Window(window));
        self.select_frame(None)
    }

    fn writer(&mut self, key: &str) -> Answer<Option<WriterReport>> {
        let at = self.placed(key)?.at;
        self.writer_of(at)
    }
}
