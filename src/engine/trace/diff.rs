use std::{collections::BTreeMap, io::BufRead};

use serde::Serialize;

use super::{TraceEvent, TraceKind, TraceReader};
use crate::engine::game::Result;

/// The first difference of two traces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceParting {
    /// The number of the event, from 0 after the headers.
    pub(crate) event: u64,
    /// The event in the first trace, as a line of the file; `None` if that trace has ended.
    pub(crate) first: Option<String>,
    pub(crate) second: Option<String>,
    /// The moves to the node of the event in the first trace.
    pub(crate) first_line: Vec<String>,
    pub(crate) second_line: Vec<String>,
}

/// The numbers of events of one kind in two traces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceTotals {
    pub(crate) event: &'static str,
    pub(crate) first: u64,
    pub(crate) second: u64,
}

/// Compares two traces event by event.
#[derive(Debug, Default)]
pub struct Differ {
    lines: [Vec<String>; 2],
    totals: BTreeMap<&'static str, [u64; 2]>,
    event: u64,
    parting: Option<TraceParting>,
}

impl Differ {
    /// Compares the next events; false if both traces have ended.
    /// Errors: a line of either that is not an event.
    pub fn advance<R: BufRead>(&mut self, traces: [&mut TraceReader<R>; 2]) -> Result<bool> {
        let [first, second] = traces;
        let events = [first.next_event()?, second.next_event()?];
        if self.parting.is_none() && events[0] != events[1] {
            let shown =
                |event: &Option<TraceEvent<'_>>| serde_json::to_string(event.as_ref()?).ok();
            let [first_line, second_line] = self.lines.clone();
            self.parting = Some(TraceParting {
                event: self.event,
                first: shown(&events[0]),
                second: shown(&events[1]),
                first_line,
                second_line,
            });
        }
        for (place, event) in events.iter().enumerate() {
            let Some(event) = event else { continue };
            self.totals.entry(event.e.name()).or_default()[place] += 1;
            if self.parting.is_none() {
                follow(&mut self.lines[place], event);
            }
        }
        self.event += 1;
        Ok(events.iter().any(Option::is_some))
    }

    /// The first difference, if any, and the totals of all kinds of events.
    pub fn finish(self) -> (Option<TraceParting>, Vec<TraceTotals>) {
        let totals = self.totals.into_iter();
        let totals = totals.map(|(event, [first, second])| TraceTotals { event, first, second });
        (self.parting, totals.collect())
    }
}

fn follow(line: &mut Vec<String>, event: &TraceEvent<'_>) {
    match event.e {
        TraceKind::In => line.push(event.m.as_deref().unwrap_or("-").to_owned()),
        TraceKind::Out => drop(line.pop()),
        TraceKind::Root | TraceKind::Iter => line.clear(),
        _ => {}
    }
}
