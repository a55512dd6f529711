use crate::engine::{
    debugger::{Change, TracedEvent},
    game::{Game, Keyed},
    memo::Entry,
    reply::{ChangeReport, EventReport, Seen, TraceLine, TraceReport, WatchReport},
    workbench::Desk,
};

impl<G: Game> Desk<G> {
    /// What the last run has shown on its way, and the displays.
    pub(in crate::engine::workbench) fn seen(&self) -> Seen {
        let sightings = &self.run.debugger.sightings;
        let trace = (!sightings.lines.is_empty()).then(|| TraceReport {
            lines: sightings.lines.iter().map(|traced| self.trace_line(traced)).collect(),
            omitted: sightings.omitted,
        });
        Seen {
            watch: self.run.debugger.sightings.change.map(|change| self.report_change(change)),
            trace,
            displays: self.displayed(),
        }
    }

    fn trace_line(&self, traced: &TracedEvent<G>) -> TraceLine {
        let game = &self.run.searcher.game;
        let words = |(from, mv): &(G::Position, G::Move)| game.format_move(from, *mv);
        TraceLine {
            breakpoint: traced.breakpoint,
            event: EventReport::new(
                game,
                &traced.event,
                &traced.position,
                traced.mv.as_ref().map(words),
            ),
        }
    }

    fn report_change(&self, change: Change<G::Key>) -> WatchReport {
        match change {
            Change::Value { figure, ply, before, now } => WatchReport {
                what: format!("{} at ply {ply}", figure.name()),
                access: "change",
                change: ChangeReport::Value { previous: before, now },
            },
            Change::Entry { at, written, before, now } => WatchReport {
                what: self.keyed_text(at),
                access: if written { "write" } else { "read" },
                change: self.report_entries(at, before, now),
            },
        }
    }

    fn report_entries(
        &self,
        at: Keyed<G::Key>,
        before: Option<Entry>,
        now: Option<Entry>,
    ) -> ChangeReport {
        let report = |entry| Box::new(self.report_entry((at, entry)));
        ChangeReport::Entry { previous: before.map(report), entry: now.map(report) }
    }
}
