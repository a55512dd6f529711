use std::{collections::BTreeMap, io::BufRead};

use serde::Serialize;

use super::{TraceEvent, TraceKind, TraceReader};
use crate::engine::game::Result;

/// Where two runs part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceParting {
    /// The first event that differs, counted from 0 after the headers.
    pub event: u64,
    /// It in the first trace as a line of the file; none where that has ended.
    pub first: Option<String>,
    /// It in the second trace.
    pub second: Option<String>,
    /// The moves to the node where that happened in the first trace.
    pub first_line: Vec<String>,
    /// The same in the second trace.
    pub second_line: Vec<String>,
}

/// How many events of a kind there are in two traces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceTotals {
    /// The kind of event.
    pub event: &'static str,
    /// In the first trace.
    pub first: u64,
    /// In the second trace.
    pub second: u64,
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
    /// Compares the next events; whether there was one.
    /// Errors: what cannot be read of either.
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
        for (place, event) in
            events.iter().enumerate().filter_map(|(place, event)| Some((place, event.as_ref()?)))
        {
            self.totals.entry(event.e.name()).or_default()[place] += 1;
            if self.parting.is_none() {
                follow(&mut self.lines[place], event);
            }
        }
        self.event += 1;
        Ok(events.iter().any(Option::is_some))
    }

    /// Where they part, and what there is in each.
    pub fn finish(self) -> (Option<TraceParting>, Vec<TraceTotals>) {
        let totals = self.totals.into_iter();
        let totals = totals.map(|(event, [first, second])| TraceTotals { event, first, second });
        (self.parting, totals.collect())
    }
}

/// Keeps the moves to the node at hand.
fn follow(line: &mut Vec<String>, event: &TraceEvent<'_>) {
    match event.e {
        TraceKind::In => line.push(event.m.as_deref().unwrap_or("-").to_owned()),
        TraceKind::Out => drop(line.pop()),
        TraceKind::Root | TraceKind::Iter => line.clear(),
        _ => {}
    }
}
