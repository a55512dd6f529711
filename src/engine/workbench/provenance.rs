//! Where cache entries come from: the recording is run again and watched.

use rustc_hash::FxHashMap;

use super::{Answer, Desk};
use crate::engine::{
    game::{Game, Keyed},
    reply::WriterReport,
    timeline::{Provenance, Witness},
};

/// Writers by the entries they wrote.
pub(super) type Writers<G> = FxHashMap<Keyed<<G as Game>::Key>, Provenance<<G as Game>::Move>>;

impl<G: Game> Desk<G> {
    /// Who wrote these entries, as far as the search under way did, and how often they have answered since. The search
    /// stands afterwards where it stood.
    pub(super) fn writers(&mut self, entries: &[Keyed<G::Key>]) -> Answer<Writers<G>> {
        self.settle_edits();
        self.recorded()?;
        let here = self.events_so_far();
        let marks = entries
            .iter()
            .filter_map(|at| self.memo.entries().last_written(*at));
        let Some(mark) = marks.min() else {
            return Ok(FxHashMap::default());
        };
        let checkpoints = self.timelines.recorder.checkpoints();
        let place = checkpoints.partition_point(|checkpoint| checkpoint.mark <= mark);
        self.restore(place.saturating_sub(1));
        let Some(running) = &self.running else {
            return Ok(FxHashMap::default());
        };
        let game = self.game.clone();
        let keyed = self.settings.memo.keys_depth();
        let mode = running.mode;
        let mut witness = Witness::new(&game, mode, keyed, entries.iter().copied());
        self.rerun(here, &mut witness);
        Ok(witness.testimony())
    }

    /// Runs the search on to a moment of its timeline under a watcher that never stops it.
    fn rerun(&mut self, target: u64, witness: &mut Witness<'_, G>) {
        loop {
            let before = self.events_so_far();
            self.run_on(target, None, witness);
            let now = self.events_so_far();
            if now >= target || now == before {
                return;
            }
        }
    }

    /// Who wrote one entry, in words and numbers.
    pub(super) fn writer_of(&mut self, at: Keyed<G::Key>) -> Answer<Option<WriterReport>> {
        let mut writers = self.writers(&[at])?;
        Ok(writers
            .remove(&at)
            .map(|writer| self.report_writer(&writer)))
    }

    /// A provenance as a report.
    pub(super) fn report_writer(&self, writer: &Provenance<G::Move>) -> WriterReport {
        let root = self.running.as_ref().map(|running| running.search.root());
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
