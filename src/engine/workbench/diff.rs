//! Two timelines side by side: where they part, and what came of each.

use super::{Answer, Desk};
use crate::engine::{
    debugger::Debugger,
    game::{Fault, Game, Score},
    recording::{Parted, Recording, Taped, Timeline},
    reply::{CacheCounters, DiffReport, DivergenceReport, EventReport, RunSide},
    search::{RootMove, Stop, Unwatched},
};

impl<G: Game> Desk<G> {
    /// Runs two timelines again, finds the first event at which they part, and what each comes to.
    pub(super) fn compare_timelines(&mut self, a: &str, b: &str) -> Answer<DiffReport> {
        let (a, b) = self.run.two_timelines(a, b)?;
        let replay = |timeline: &Timeline<G>| {
            Recording::<G, Debugger<G>>::replaying(timeline.clone(), &self.run.interrupt)
        };
        let (mut one, mut two) = (replay(&a)?, replay(&b)?);
        let divergence = match one.part_ways(&mut two)? {
            None => None,
            Some(Parted { same, events: [one, two] }) => Some(DivergenceReport {
                same,
                a: self.event_side(&a, one)?,
                b: self.event_side(&b, two)?,
            }),
        };
        for run in [&mut one, &mut two] {
            if run.rerun(u64::MAX, &mut Unwatched) == Stop::Interrupt {
                return Err(Fault::new("the comparison was interrupted"));
            }
        }
        Ok(DiffReport {
            divergence,
            a: Self::run_side(&one)?,
            b: Self::run_side(&two)?,
            moves: Vec::new(),
        }
        .with_moves())
    }

    /// One side of the first difference: the event, and where in the tree it happened.
    fn event_side(
        &self,
        timeline: &Timeline<G>,
        taped: Option<Taped<G::Move>>,
    ) -> Answer<Option<EventReport>> {
        let Some(taped) = taped else {
            return Ok(None);
        };
        let mut run: Recording<G, Debugger<G>> =
            Recording::replaying(timeline.clone(), &self.run.interrupt)?;
        run.rerun(taped.event.index + 1, &mut Unwatched);
        Ok(run.under_way()?.report_event(&timeline.origin.game))
    }

    fn run_side(run: &Recording<G, Debugger<G>>) -> Answer<RunSide> {
        let timeline = run.recorded()?;
        let search = &run.under_way()?.search;
        let counters = search.counters;
        let game = &run.searcher.game;
        let root = search.root();
        let known: &[RootMove<G>] =
            search.complete().map_or(search.root_moves(), |complete| &complete.moves);
        let words = |mv: G::Move| game.format_move(root, mv);
        let best = search.best_moves();
        Ok(RunSide {
            timeline: timeline.name.clone(),
            state: game.format_position(root),
            weights: timeline.origin.weights.to_string(),
            value: search.value(),
            depth: search.complete().map_or(0, |complete| complete.depth),
            events: run.events(),
            nodes: counters.nodes,
            cutoffs: counters.cutoffs,
            cache: CacheCounters::new(&counters, run.searcher.memo.entries().len()),
            best: best.iter().map(|root| words(root.mv)).collect(),
            values: known
                .iter()
                .map(|root| (words(root.mv), root.value))
                .collect::<Vec<(String, Option<Score>)>>(),
        })
    }
}
