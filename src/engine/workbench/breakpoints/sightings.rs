use crate::engine::{
    debugger::{Change, Commands, Line, Outcome},
    game::{Game, Keyed},
    memo::Entry,
    reply::{ChangeReport, Seen, TraceLine, TraceReport, WatchReport},
    workbench::{Desk, Running},
};

/// What watchpoints and traces have seen on one run.
#[derive(Clone, Debug)]
pub struct Sightings<G: Game> {
    /// The line of moves that `advance` goes along.
    pub line: Option<Line<G>>,
    /// The first lines of traces.
    pub lines: Vec<TraceLine>,
    /// The commands of temporary breakpoints that have just done their work.
    pub spent: Vec<(u32, Commands)>,
    /// How many more lines there were.
    omitted: u64,
    change: Option<Change<G::Key>>,
}

impl<G: Game> Default for Sightings<G> {
    fn default() -> Self {
        Self {
            line: None,
            lines: Vec::new(),
            spent: Vec::new(),
            omitted: 0,
            change: None,
        }
    }
}

impl<G: Game> Sightings<G> {
    /// Nothing has been seen: a run begins.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.spent.clear();
        self.omitted = 0;
        self.change = None;
    }

    /// Takes over what a slice of the run leaves behind.
    pub fn take(&mut self, outcome: &Outcome<G::Key>) {
        self.omitted += outcome.omitted;
        self.change = outcome.change.or(self.change);
    }
}

impl<G: Game> Running<G> {
    /// A line for each trace whose conditions hold at the last event.
    pub(in crate::engine::workbench) fn trace_lines(
        &self,
        game: &G,
        traces: &[u32],
    ) -> impl Iterator<Item = TraceLine> {
        let event = if traces.is_empty() {
            None
        } else {
            self.report_event(game)
        };
        traces.iter().filter_map(move |&breakpoint| {
            Some(TraceLine {
                breakpoint,
                event: event.clone()?,
            })
        })
    }
}

impl<G: Game> Desk<G> {
    /// What the last run has shown on its way, and the displays.
    pub(in crate::engine::workbench) fn seen(&self) -> Seen {
        let Sightings { lines, omitted, .. } = &self.sightings;
        let trace = (!lines.is_empty()).then(|| TraceReport {
            lines: lines.clone(),
            omitted: *omitted,
        });
        Seen {
            watch: self
                .sightings
                .change
                .map(|change| self.report_change(change)),
            trace,
            displays: self.displayed(),
        }
    }

    fn report_change(&self, change: Change<G::Key>) -> WatchReport {
        match change {
            Change::Value {
                figure,
                ply,
                before,
                now,
            } => WatchReport {
                what: format!("{} at ply {ply}", figure.name()),
                access: "change",
                change: ChangeReport::Value {
                    previous: before,
                    now,
                },
            },
            Change::Entry {
                at,
                written,
                before,
                now,
            } => WatchReport {
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
        ChangeReport::Entry {
            previous: before.map(report),
            entry: now.map(report),
        }
    }
}
