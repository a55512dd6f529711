//! Comparison of two traces. Both are read side by side. Where they differ, both are read ahead, in turn and up to a limit,
//! until both have entered the same node: the same moves from the root, and the same fields. The comparison continues there,
//! or else at the next iteration.

use std::{
    collections::{BTreeMap, VecDeque},
    hash::{Hash, Hasher as _},
    io::BufRead,
};

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHasher};
use serde::Serialize;

use super::{TraceEvent, TraceKind, TraceReader};
use crate::engine::game::{Fault, Result};

/// The most events, and the most bytes of their texts, by which each trace is read ahead.
const AHEAD: usize = 1 << 15;
const AHEAD_BYTES: usize = 1 << 24;

/// The most searches, and kinds of nodes, that are counted separately; further ones count as the last.
const MAX_SEARCHES: usize = 1_000;
const MAX_KINDS: usize = 100;

/// A place at which two traces differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceParting {
    /// The number of the event in the first trace, from 0 after the header.
    pub(crate) event: u64,
    /// The number of the event in the second trace.
    pub(crate) second_event: u64,
    /// The difference: the name of a field or kind of event.
    pub(crate) cause: &'static str,
    /// The event in the first trace, as a line of the file; `None` if that trace has ended.
    pub(crate) first: Option<String>,
    pub(crate) second: Option<String>,
    /// The moves to the node of the event in the first trace.
    pub(crate) first_line: Vec<String>,
    pub(crate) second_line: Vec<String>,
    /// The events from which both traces are the same again; `None` if there are none.
    pub(crate) met: Option<[u64; 2]>,
}

/// The numbers of events of one kind in two traces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceTotals {
    pub(crate) event: &'static str,
    pub(crate) first: u64,
    pub(crate) second: u64,
}

/// The numbers of nodes of one depth and kind in two traces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceNodes {
    pub(crate) depth: i64,
    pub(crate) kind: String,
    pub(crate) first: u64,
    pub(crate) second: u64,
}

/// Two searches of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TraceSearches {
    pub(crate) position: Option<String>,
    /// The first difference: its event in the first trace, and its cause.
    pub(crate) event: Option<u64>,
    pub(crate) cause: Option<&'static str>,
    /// The number of nodes in the first trace; `second` is that in the second.
    pub(crate) first: u64,
    pub(crate) second: u64,
}

/// The result of comparing two traces.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TraceDifferences {
    /// The first differences, as many as were requested.
    pub(crate) partings: Vec<TraceParting>,
    /// The number of differences by cause.
    pub(crate) causes: BTreeMap<&'static str, u64>,
    pub(crate) totals: Vec<TraceTotals>,
    pub(crate) nodes: Vec<TraceNodes>,
    /// The searches, each of which begins with a `root` event; empty if there is only one.
    pub(crate) searches: Vec<TraceSearches>,
}

/// The fields and events that are compared.
#[derive(Debug, Default)]
pub struct DiffRules {
    fields: Vec<&'static str>,
    kinds: Vec<TraceKind>,
    thread: f64,
}

impl DiffRules {
    /// Compares the events of one thread. `ignored` names the fields and kinds of events to leave out.
    /// Errors: a name that the format does not have.
    pub fn new(ignored: &str, thread: u32) -> Result<Self> {
        let mut rules = Self { thread: thread.into(), ..Self::default() };
        for name in ignored.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let event = TraceEvent::default();
            let field = parts(&event).iter().map(|(field, _)| *field).find(|field| *field == name);
            let kind: Option<TraceKind> = name.parse().ok();
            if field.is_none() && kind.is_none() {
                let fault = Fault::new(format!("the format has no field or event `{name}`"));
                let hint = "give the name of a field or event, such as k, eval or put";
                return Err(fault.about_word(name).hint(hint));
            }
            rules.fields.extend(field);
            rules.kinds.extend(kind);
        }
        Ok(rules)
    }

    fn counts(&self, event: &TraceEvent<'_>) -> bool {
        let of_thread = event.e == TraceKind::Root || event.th.unwrap_or_default() == self.thread;
        of_thread && !self.kinds.contains(&event.e)
    }

    /// Whether the event on a line is certainly one to compare, found without parsing the line.
    fn counts_surely(&self, line: &[u8]) -> bool {
        self.kinds.is_empty() && self.thread == 0.0 && memmem::find(line, b"\"th\"").is_none()
    }

    fn parts<'a>(
        &self,
        event: &'a TraceEvent<'_>,
    ) -> impl Iterator<Item = (&'static str, Part<'a>)> {
        parts(event).into_iter().filter(|(name, _)| !self.fields.contains(name))
    }

    fn is_same(&self, one: &TraceEvent<'_>, two: &TraceEvent<'_>) -> bool {
        one == two || one.e == two.e && self.parts(one).eq(self.parts(two))
    }

    /// The cause of a difference between two events that are not the same; `end` if one trace has ended.
    fn cause(&self, one: Option<&TraceEvent<'_>>, two: Option<&TraceEvent<'_>>) -> &'static str {
        let (Some(one), Some(two)) = (one, two) else {
            return "end";
        };
        let order = BY_IMPORTANCE.iter().find(|(kind, _)| [one.e, two.e].contains(kind));
        if one.e != two.e {
            return order.map_or("number of moves", |(_, cause)| cause);
        }
        let others = self.parts(two);
        let different = self.parts(one).zip(others).filter(|(one, two)| one != two);
        let mut different = different.map(|((name, _), _)| name);
        match one.e {
            TraceKind::In => match different.next() {
                Some("m") => "order of moves",
                Some("a" | "b") => "window",
                Some("d") => "depth",
                Some("t") => "kind of node",
                Some("k") => "key",
                _ => "position",
            },
            TraceKind::Out if different.all(|name| name == "m") => "best move",
            TraceKind::Out => "value",
            _ => order.map_or("", |(_, cause)| cause),
        }
    }
}

/// The difference to report if only one of two events has one of these kinds; the first kind in the list decides.
const BY_IMPORTANCE: [(TraceKind, &str); 15] = [
    (TraceKind::Root, "position"),
    (TraceKind::Iter, "iteration"),
    (TraceKind::Stop, "stop"),
    (TraceKind::Hit, "table answer"),
    (TraceKind::Miss, "table answer"),
    (TraceKind::Eval, "static value"),
    (TraceKind::Cut, "cutoff"),
    (TraceKind::Skip, "pruning"),
    (TraceKind::Reduce, "reduction"),
    (TraceKind::Extend, "extension"),
    (TraceKind::Window, "window"),
    (TraceKind::Put, "stored entry"),
    (TraceKind::Drop, "removed entry"),
    (TraceKind::Pv, "reported line"),
    (TraceKind::Note, "remark"),
];

/// The value of a field.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Part<'a> {
    Number(Option<u64>),
    Text(Option<&'a str>),
    Truth(Option<bool>),
}

/// The fields of an event except kind and thread. The first that differs names the difference.
fn parts<'a>(event: &'a TraceEvent<'_>) -> [(&'static str, Part<'a>); 13] {
    // 0 and -0 are the same number.
    let number = |value: Option<f64>| Part::Number(value.map(|value| (value + 0.0).to_bits()));
    let TraceEvent { m, t, k, p, s, r, .. } = event;
    [
        ("m", Part::Text(m.as_deref())),
        ("a", number(event.a)),
        ("b", number(event.b)),
        ("d", number(event.d)),
        ("t", Part::Text(t.as_deref())),
        ("v", number(event.v)),
        ("n", number(event.n)),
        ("r", Part::Text(r.as_deref())),
        ("u", Part::Truth(event.u)),
        ("k", Part::Text(k.as_deref())),
        ("p", Part::Text(p.as_deref())),
        ("s", Part::Text(s.as_deref())),
        ("open", Part::Truth(event.open)),
    ]
}

/// The place of an event in its search.
#[derive(Clone, Debug, Default)]
struct SearchPlace {
    /// The numbers of `root` and of `iter` events so far.
    begun: [u64; 2],
    /// A hash of the moves to each open node.
    path: Vec<u64>,
}

impl SearchPlace {
    fn follow(&mut self, event: &TraceEvent<'_>) {
        match event.e {
            TraceKind::In => {
                let mut hasher = FxHasher::default();
                (self.path.last(), event.m.as_deref()).hash(&mut hasher);
                self.path.push(hasher.finish());
            }
            TraceKind::Out => drop(self.path.pop()),
            TraceKind::Root => (self.begun, self.path) = ([self.begun[0] + 1, 0], Vec::new()),
            TraceKind::Iter => {
                self.begun[1] += 1;
                self.path.clear();
            }
            _ => {}
        }
    }

    /// A hash of place and fields of the last event, if the comparison with another trace can continue after it.
    fn signature(&self, event: &TraceEvent<'_>, rules: &DiffRules) -> Option<u64> {
        if !matches!(event.e, TraceKind::In | TraceKind::Iter | TraceKind::Root) {
            return None;
        }
        let mut hasher = FxHasher::default();
        (self.begun, self.path.last(), event.e.name()).hash(&mut hasher);
        rules.parts(event).for_each(|part| part.hash(&mut hasher));
        Some(hasher.finish())
    }
}

/// One of the two traces.
#[derive(Debug, Default)]
struct DiffSide {
    /// The number of the next event, ignored ones included.
    next: u64,
    place: SearchPlace,
    line: Vec<String>,
    /// Events that were read but not compared, each with its number.
    ahead: VecDeque<(u64, TraceEvent<'static>)>,
    bytes: usize,
}

impl DiffSide {
    /// Reads the next event that is compared, not ignored, into `ahead`; false at the end of the trace.
    fn read_ahead<R: BufRead>(
        &mut self,
        reader: &mut TraceReader<R>,
        rules: &DiffRules,
    ) -> Result<bool> {
        while let Some(event) = reader.next_event()? {
            self.next += 1;
            if rules.counts(&event) {
                let event = event.into_owned();
                self.bytes += bytes(&event);
                self.ahead.push_back((self.next - 1, event));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Advances `reader` to the next event that is not ignored, if none was read ahead; false at the end of the trace.
    fn find<R: BufRead>(&mut self, reader: &mut TraceReader<R>, rules: &DiffRules) -> Result<bool> {
        if !self.ahead.is_empty() {
            return Ok(true);
        }
        while reader.next_line()? {
            self.next += 1;
            if rules.counts_surely(reader.line()) || rules.counts(&reader.event()?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn pop(&mut self) -> Option<(u64, TraceEvent<'static>)> {
        let popped = self.ahead.pop_front()?;
        self.bytes -= bytes(&popped.1);
        Some(popped)
    }
}

fn bytes(event: &TraceEvent<'_>) -> usize {
    let TraceEvent { m, t, k, p, s, r, .. } = event;
    [m, t, k, p, s, r].into_iter().flatten().map(|text| text.len()).sum()
}

/// Compares two traces event by event.
#[derive(Debug, Default)]
pub struct Differ {
    rules: DiffRules,
    limit: u64,
    sides: [DiffSide; 2],
    found: TraceDifferences,
    totals: BTreeMap<&'static str, [u64; 2]>,
    nodes: BTreeMap<i64, BTreeMap<String, [u64; 2]>>,
}

/// Two traces that are being read.
type Readers<'a, R> = [&'a mut TraceReader<R>; 2];

impl Differ {
    /// A comparison that lists the first `limit` differences, at least one.
    pub fn new(rules: DiffRules, limit: u64) -> Self {
        Self { rules, limit: limit.max(1), ..Self::default() }
    }

    /// Compares the next events; returns false if both traces have ended.
    /// Errors: a line of either that is not an event.
    pub fn advance<R: BufRead>(&mut self, mut readers: Readers<'_, R>) -> Result<bool> {
        let mut there = [false; 2];
        for (place, reader) in readers.iter_mut().enumerate() {
            there[place] = self.sides[place].find(reader, &self.rules)?;
        }
        let popped = self.sides.each_mut().map(DiffSide::pop);
        let mut events = [None, None];
        for (place, popped) in popped.into_iter().enumerate().filter(|(place, _)| there[*place]) {
            let current =
                || readers[place].event().map(|event| (self.sides[place].next - 1, event));
            events[place] = Some(popped.map_or_else(current, Ok)?);
        }
        let [one, two] =
            [&events[0], &events[1]].map(|event| event.as_ref().map(|(_, event)| event));
        let is_same = match (one, two) {
            (Some(one), Some(two)) => self.rules.is_same(one, two),
            (one, two) => one.is_none() && two.is_none(),
        };
        if is_same {
            for (place, event) in events.iter().enumerate() {
                if let Some((_, event)) = event {
                    self.follow(place, event);
                }
            }
        } else {
            self.part(&events);
            // The events at which the traces differ are the first of those read ahead.
            for (side, event) in self.sides.iter_mut().zip(events) {
                if let Some((number, event)) = event {
                    side.bytes += bytes(&event);
                    side.ahead.push_front((number, event.into_owned()));
                }
            }
            let met = self.common_node(&mut readers)?;
            let listed = self.found.causes.values().sum::<u64>() <= self.limit;
            if let Some(parting) = self.found.partings.last_mut().filter(|_| listed) {
                parting.met = met;
            }
        }
        Ok(there != [false; 2])
    }

    /// Ends the comparison and returns all differences.
    pub fn finish(self) -> TraceDifferences {
        let totals = self.totals.into_iter();
        let totals = totals.map(|(event, [first, second])| TraceTotals { event, first, second });
        let nodes = self.nodes.into_iter().rev().flat_map(|(depth, kinds)| {
            let kinds = kinds.into_iter();
            kinds.map(move |(kind, [first, second])| TraceNodes { depth, kind, first, second })
        });
        let mut found = self.found;
        if found.searches.len() == 1 {
            found.searches.clear();
        }
        TraceDifferences { totals: totals.collect(), nodes: nodes.collect(), ..found }
    }

    /// Records that the traces differ at these events.
    fn part(&mut self, events: &[Option<(u64, TraceEvent<'_>)>; 2]) {
        let event_of = |place: usize| events[place].as_ref().map(|(_, event)| event);
        let number = |place: usize| {
            events[place].as_ref().map_or(self.sides[place].next, |(number, _)| *number)
        };
        let shown = |place: usize| serde_json::to_string(event_of(place)?).ok();
        let cause = self.rules.cause(event_of(0), event_of(1));
        if (self.found.partings.len() as u64) < self.limit {
            let [first_line, second_line] = self.sides.each_ref().map(|side| side.line.clone());
            self.found.partings.push(TraceParting {
                event: number(0),
                second_event: number(1),
                cause,
                first: shown(0),
                second: shown(1),
                first_line,
                second_line,
                met: None,
            });
        }
        *self.found.causes.entry(cause).or_default() += 1;
        let number = number(0);
        if let Some(search) = self.search(0).filter(|search| search.event.is_none()) {
            (search.event, search.cause) = (Some(number), Some(cause));
        }
    }

    /// Reads both traces ahead up to a node that both enter, or else up to the next iteration of both. Returns the numbers of
    /// these events, if there are any.
    fn common_node<R: BufRead>(
        &mut self,
        readers: &mut Readers<'_, R>,
    ) -> Result<Option<[u64; 2]>> {
        let mut places = self.sides.each_ref().map(|side| side.place.clone());
        let mut known: [FxHashMap<u64, usize>; 2] = Default::default();
        for at in 0..AHEAD {
            let mut ended = 0;
            for here in 0..2 {
                let side = &mut self.sides[here];
                let full = side.bytes > AHEAD_BYTES;
                if at >= side.ahead.len()
                    && (full || !side.read_ahead(readers[here], &self.rules)?)
                {
                    ended += 1;
                }
                let Some((_, event)) = side.ahead.get(at) else { continue };
                places[here].follow(event);
                let Some(signature) = places[here].signature(event, &self.rules) else { continue };
                known[here].entry(signature).or_insert(at);
                if let Some(there) = known[1 - here].get(&signature).copied() {
                    self.skip(here, at);
                    self.skip(1 - here, there);
                    return Ok(self.next_numbers());
                }
            }
            if ended == 2 {
                break;
            }
        }
        self.go_to_iteration(readers)
    }

    /// The numbers of the next events, if both were read ahead.
    fn next_numbers(&self) -> Option<[u64; 2]> {
        let [first, second] =
            self.sides.each_ref().map(|side| side.ahead.front().map(|(number, _)| *number));
        first.zip(second).map(|(first, second)| [first, second])
    }

    fn skip(&mut self, place: usize, events: usize) {
        for _ in 0..events {
            if let Some((_, event)) = self.sides[place].pop() {
                self.follow(place, &event);
            }
        }
    }

    /// Continues at the next iteration or search that both traces begin.
    fn go_to_iteration<R: BufRead>(
        &mut self,
        readers: &mut Readers<'_, R>,
    ) -> Result<Option<[u64; 2]>> {
        // The events at which the traces differ may be iterations themselves.
        (0..2).for_each(|place| self.skip(place, 1));
        let mut begun = [self.next_iteration(0, readers)?, self.next_iteration(1, readers)?];
        while begun[0] != begun[1] {
            // The end of a trace counts as later than all iterations.
            let behind = usize::from(
                begun[1].is_some_and(|second| begun[0].is_none_or(|first| second < first)),
            );
            self.skip(behind, 1);
            begun[behind] = self.next_iteration(behind, readers)?;
        }
        Ok(self.next_numbers())
    }

    /// Advances to the next iteration or search of a trace; `None` at its end.
    fn next_iteration<R: BufRead>(
        &mut self,
        place: usize,
        readers: &mut Readers<'_, R>,
    ) -> Result<Option<[u64; 2]>> {
        loop {
            let side = &mut self.sides[place];
            if side.ahead.is_empty() && !side.read_ahead(readers[place], &self.rules)? {
                return Ok(None);
            }
            let mut after = SearchPlace { begun: side.place.begun, path: Vec::new() };
            if let Some((_, event)) = side.ahead.front() {
                after.follow(event);
            }
            if after.begun != side.place.begun {
                return Ok(Some(after.begun));
            }
            self.skip(place, 1);
        }
    }

    /// Adds an event to the totals of a trace, and updates the place that the trace has reached in its search.
    fn follow(&mut self, place: usize, event: &TraceEvent<'_>) {
        self.totals.entry(event.e.name()).or_default()[place] += 1;
        let side = &mut self.sides[place];
        side.place.follow(event);
        match event.e {
            TraceKind::In => {
                side.line.push(event.m.as_deref().unwrap_or("-").to_owned());
                self.count_node(place, event);
            }
            TraceKind::Out => drop(side.line.pop()),
            TraceKind::Root => {
                side.line.clear();
                let position = event.p.as_deref().map(str::to_owned);
                let searches = &mut self.found.searches;
                if side.place.begun[0] > searches.len() as u64 && searches.len() < MAX_SEARCHES {
                    searches.push(TraceSearches { position, ..TraceSearches::default() });
                }
            }
            TraceKind::Iter => side.line.clear(),
            _ => {}
        }
    }

    fn count_node(&mut self, place: usize, event: &TraceEvent<'_>) {
        let depth = event.d.unwrap_or_default().clamp(-100.0, 1_000.0) as i64;
        let kind = event.t.as_deref().unwrap_or_default();
        let kinds = self.nodes.entry(depth).or_default();
        let kind = if kinds.len() < MAX_KINDS { kind } else { "other" };
        match kinds.get_mut(kind) {
            Some(nodes) => nodes[place] += 1,
            None => kinds.entry(kind.to_owned()).or_default()[place] += 1,
        }
        if let Some(search) = self.search(place) {
            let nodes = if place == 0 { &mut search.first } else { &mut search.second };
            *nodes += 1;
        }
    }

    /// The search that a trace is in; `None` before the first `root` event.
    fn search(&mut self, place: usize) -> Option<&mut TraceSearches> {
        let number = self.sides[place].place.begun[0].min(self.found.searches.len() as u64);
        self.found.searches.get_mut((number as usize).checked_sub(1)?)
    }
}
