use crate::engine::{game::Game, reply::DisplayReport, workbench::Desk};

impl<G: Game> Desk<G> {
    /// The displays with their values now: nothing where no search is under way.
    pub(super) fn displayed(&self) -> Vec<DisplayReport> {
        let shown = self.displays.shown.iter();
        shown
            .map(|(id, text)| DisplayReport {
                id: *id,
                expression: text.clone(),
                value: self.print_one(text).unwrap_or_default(),
            })
            .collect()
    }
}
