//! Timelines: going back, bookmarks, branches, comparing two timelines, and saving recorded searches.

use std::{
    fmt::Display,
    sync::Arc,
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::{Value, json};

use super::{
    PlayedPosition, Purpose, Session,
    cache::{CacheCounters, Writers},
    document::{SavedEdit, SavedEntry, SavedOrigin, SavedRecording, SavedTimeline},
    entry_text::EntryText,
    event::{EventReport, event_text},
    reply::{PlainReply, Reply, nth_line},
    search::{FrameReport, SearchCommands as _, StopReport},
};

use crate::{
    engine::{
        debugger::{Debugger, Difference, FrameValue, RecordedEvent},
        explain::{WriterReplay, replay},
        game::{Fault, Game, Keyed, MoveText, Result, Score, TableUse, TraceAccess, Window},
        progress::Unit,
        recording::{
            Backward, Bookmark, Edit, Edited, Origin, Recording, Resume, Running, SMALL_TABLE,
            Timeline,
        },
        search::{NoWatcher, Stop},
        suggest::check_name,
        table::AnyTable,
    },
    text::{
        TextTable, flow, layout, lines,
        number::{self, count},
        or_empty, words,
    },
};

pub use crate::engine::{debugger::BreakpointHit, explain::Provenance};

/// Commands that go back in the recording, set bookmarks, and manage timelines.
pub trait TimelineCommands {
    /// Goes to a bookmark. `start` and `end` are the ends of the recording, unless bookmarks have these names.
    fn go_to_named(&mut self, name: &str) -> Result<StopReport>;
    /// Goes back to the event that last wrote a cache entry, given by its key, or that last changed `alpha`, `beta`, `best` or
    /// `value` of the frame at `ply` (default: the selected frame's ply).
    fn last(&mut self, what: &str, ply: Option<u32>) -> Result<StopReport>;
    /// Sets a bookmark at the current event; `goto` returns to it.
    fn mark(&mut self, name: &str) -> Result<TimelineList>;
    /// Removes a bookmark. Fails if there is none of that name.
    fn unmark(&mut self, name: &str) -> Result<TimelineList>;
    /// Lists the timelines. Edits since the last stop are not yet part of them.
    fn timelines(&self) -> TimelineList;
    /// Records the edits since the last stop, which may begin a branch, and lists the timelines.
    fn committed_timelines(&mut self) -> TimelineList;
    /// Begins a branch of the current timeline at the current event. Fails if the name is taken.
    fn fork(&mut self, name: Option<&str>) -> Result<TimelineList>;
    /// Switches to another timeline, at the event where the user left it.
    fn use_timeline(&mut self, name: &str) -> Result<StopReport>;
    /// Removes a timeline. Fails for the current one.
    fn remove_timeline(&mut self, name: &str) -> Result<TimelineList>;
    /// Compares two timelines (default: the current one and its parent): the first difference, and the results.
    fn diff(&mut self, names: Option<(&str, &str)>) -> Result<PlainReply>;
    /// Changes α, β or both at the current node. Fails at the root, or if the window would be empty.
    fn set_window(&mut self, alpha: Option<Score>, beta: Option<Score>) -> Result<FrameReport>;
    /// The event that last wrote a cache entry; `None` if the recorded search did not write it.
    fn writer(&mut self, key: &str) -> Result<Option<Provenance>>;
    /// The writers of cache entries, by key; `None` if the recorded search is not replayed within `ms` milliseconds: the next call
    /// continues. Fails without a recorded search.
    fn writers(&mut self, keys: &[&str], ms: u64) -> Result<Option<Writers>>;
    /// Whether a jump in a trace has left the table incomplete, because the events in between were not followed.
    fn lacks_entries(&self) -> bool;
    /// Follows the trace up to the current event, so that the table is complete. Fails on an interrupt.
    fn read_table(&mut self) -> Result<()>;
}

impl<G: Game> TimelineCommands for Session<G> {
    fn go_to_named(&mut self, name: &str) -> Result<StopReport> {
        let is_marked = self.run.bookmarks.contains_key(name);
        match name {
            "start" if !is_marked => {
                return self.resume(Resume::Back(Backward::Step(u64::MAX)));
            }
            "end" if !is_marked => {
                let read = self.game().trace().map_or(0, |trace| trace.outline().0);
                let reached = self.run.timeline()?.reached.max(self.run.events()).max(read);
                return self.resume(Resume::Goto(reached.saturating_sub(1)));
            }
            _ => {}
        }
        let bookmark =
            self.run.bookmarks.get(name).cloned().ok_or_else(|| self.no_bookmark(name))?;
        self.run.seek_bookmark(bookmark)?;
        self.show_root();
        self.moved(Resume::Goto(0))
    }

    fn last(&mut self, what: &str, ply: Option<u32>) -> Result<StopReport> {
        let figure = if what == "value" { "best" } else { what };
        if let Some(figure) = FrameValue::by_name(figure) {
            self.run.last_change(figure, ply)?;
        } else {
            let at = self.find_entry_place(what)?.at;
            self.run.last_write(at, what)?;
        }
        self.moved(Resume::Back(Backward::Last))
    }

    fn mark(&mut self, name: &str) -> Result<TimelineList> {
        check_name("mark", name)?;
        let bookmark = self.run.current_place()?;
        self.run.bookmarks.insert(name.to_owned(), bookmark);
        Ok(TimelineList { marked: Some(name.to_owned()), ..self.timelines() })
    }

    fn unmark(&mut self, name: &str) -> Result<TimelineList> {
        match self.run.bookmarks.remove(name) {
            Some(_) => Ok(self.timelines()),
            None => Err(self.no_bookmark(name)),
        }
    }

    fn timelines(&self) -> TimelineList {
        let current_events = self.run.events();
        let hits = &self.run.debugger.hits;
        let (read, begun) = self.game().trace().map(TraceAccess::outline).unwrap_or_default();
        let iteration = |&(depth, event): &(u8, u64)| IterationReport { depth, event };
        let report = |timeline: &Timeline<G>, current: bool| TimelineReport {
            name: timeline.name.clone(),
            current,
            begins: timeline.origin.start.events(),
            events: if current { current_events } else { timeline.at },
            reached: timeline.reached.max(if current { current_events } else { 0 }).max(read),
            parent: timeline.parent.as_ref().map(|(name, _)| name.clone()),
            branched: timeline.parent.as_ref().map(|(_, at)| at.saturating_sub(1)),
            state: self.game().format_position(timeline.origin.start.root()),
            iterations: longer(&timeline.iterations, &begun).iter().map(iteration).collect(),
            stops: hits.iter().filter(|hit| hit.timeline == timeline.name).cloned().collect(),
            edits: timeline.edits.iter().map(|edited| self.edit_text(edited)).collect(),
        };
        let others = self.run.others.iter().map(|other| report(other, false));
        let bookmarks = self.run.bookmarks.iter().map(|(name, bookmark)| BookmarkReport {
            name: name.clone(),
            timeline: bookmark.timeline.clone(),
            event: bookmark.events.saturating_sub(1),
        });
        TimelineList {
            timelines: others.chain(self.run.now.iter().map(|now| report(now, true))).collect(),
            bookmarks: bookmarks.collect(),
            marked: None,
            bytes: self.run.recorded_bytes(),
        }
    }

    fn committed_timelines(&mut self) -> TimelineList {
        self.run.commit_edits();
        self.timelines()
    }

    fn fork(&mut self, name: Option<&str>) -> Result<TimelineList> {
        if let Some(name) = name {
            check_name("timeline", name)?;
        }
        self.run.fork_here(name)?;
        Ok(self.timelines())
    }

    fn use_timeline(&mut self, name: &str) -> Result<StopReport> {
        self.run.enter_timeline(name, None)?;
        self.show_root();
        self.moved(Resume::Goto(0))
    }

    fn remove_timeline(&mut self, name: &str) -> Result<TimelineList> {
        self.run.forget_timeline(name)?;
        self.run.debugger.hits.retain(|hit| hit.timeline != name);
        Ok(self.timelines())
    }

    fn diff(&mut self, names: Option<(&str, &str)>) -> Result<PlainReply> {
        self.run.commit_edits();
        let wanted = names.map(|(a, b)| (a.to_owned(), b.to_owned()));
        let (a, b) = wanted.map_or_else(|| self.usual_pair(), Ok)?;
        let (a, b) = self.run.two_timelines(&a, &b)?;
        let (mut one, mut two) = (self.replaying(&a)?, self.replaying(&b)?);
        let reached = a.reached + b.reached;
        let parted = self.watching("replaying", Unit::Events, 0, |watch| {
            let parted =
                one.first_difference(&mut two, &mut |done| (watch.progress)(done, reached))?;
            let mut others = two.events();
            for run in [&mut one, &mut two] {
                replay(run, u64::MAX, &mut NoWatcher, |here| {
                    (watch.progress)(others + here, reached);
                    true
                })?;
                others = run.events();
            }
            Ok(parted)
        })?;
        let parting = match parted {
            None => None,
            Some(Difference { same, events: [one, two] }) => {
                Some((same, [self.event_at(&a, one)?, self.event_at(&b, two)?]))
            }
        };
        let recorded = [a.reached, b.reached];
        let edits = [self.edits_without(&a, &b), self.edits_without(&b, &a)].concat();
        let ((a, a_moves), (b, b_moves)) = (timeline_result(&one)?, timeline_result(&two)?);
        Ok(timeline_diff(parting, [a, b], recorded, edits, &pair_moves(a_moves, b_moves)))
    }

    fn set_window(&mut self, alpha: Option<Score>, beta: Option<Score>) -> Result<FrameReport> {
        let running = self.run.under_way()?;
        let frame = running.search.frames().last().filter(|_| running.search.can_set_window());
        let frame = frame.ok_or_else(|| {
            Fault::new("the search is at its root, whose window is the full one")
                .hint("`step` enters a node below the root")
        })?;
        let open = frame.current_window();
        let (alpha, beta) = (alpha.unwrap_or(open.alpha), beta.unwrap_or(open.beta));
        if Window::new(alpha, beta).is_none() {
            return Err(Fault::new(format!(
                "the window {alpha} to {beta} is empty: alpha must be below beta"
            )));
        }
        // A changed α would discard the best move, so α stays as it is if only β is given.
        let alpha = if alpha == open.alpha { frame.window.alpha } else { alpha };
        self.run.edit_search(Edit::Window(Window { alpha, beta }));
        self.frame(None)
    }

    fn writer(&mut self, key: &str) -> Result<Option<Provenance>> {
        let at = self.find_entry_place(key)?.at;
        Ok(self.provenance(&[at])?.remove(&at))
    }

    fn writers(&mut self, keys: &[&str], ms: u64) -> Result<Option<Writers>> {
        let deadline = Instant::now() + Duration::from_millis(ms);
        let places = keys.iter().map(|key| Ok(self.find_entry_place(key)?.at));
        let places: Vec<_> = places.collect::<Result<_>>()?;
        self.run.commit_edits();
        let (now, events) = (self.run.timeline()?.clone(), self.run.events());
        let known = self.writers.take().filter(|known| known.is_for(&now, &places));
        let known = known.map_or_else(|| WriterReplay::new(&mut self.run, &places), Ok)?;
        let replay = self.writers.insert(known);
        if !replay.follow(now, events, || Instant::now() < deadline)? {
            return Ok(None);
        }
        let written = |(key, at): (&&str, Keyed<G::Key>)| {
            let writer = self.writers.as_ref()?.writer(at, events)?.clone();
            let position = self.read_position(&writer.state).ok();
            let entry = self.report_entry_of((at, self.entries().get(at)?), position.as_ref());
            Some(((*key).to_owned(), (writer, entry)))
        };
        Ok(Some(keys.iter().zip(places).filter_map(written).collect()))
    }

    fn lacks_entries(&self) -> bool {
        self.run.jumped
    }

    fn read_table(&mut self) -> Result<()> {
        if !self.lacks_entries() {
            return Ok(());
        }
        self.run.complete_table()?;
        self.purpose = Purpose::Resume(Resume::Goto(0));
        match self.pump(None) {
            Some((Stop::Interrupt, _)) => {
                let event = self.run.events().saturating_sub(1);
                Err(Fault::new(format!("interrupted at event {event}, while the cache was read"))
                    .hint("`goto` moves to other events without reading the cache"))
            }
            _ => Ok(()),
        }
    }
}

/// The longer of two lists of iterations: the reader of a trace may be ahead of the debugger.
fn longer<'a, T>(one: &'a [T], other: &'a [T]) -> &'a [T] {
    if one.len() < other.len() { other } else { one }
}

impl<G: Game> Session<G> {
    fn no_bookmark(&self, name: &str) -> Fault {
        let names: Vec<_> = self.run.bookmarks.keys().map(String::as_str).collect();
        if name.bytes().all(|sign| sign.is_ascii_digit()) {
            return Fault::new(format!("no search has an event {name}")).about_word(name);
        }
        let fault = Fault::new(format!("no mark is called `{name}`")).about_word(name);
        if name.starts_with('-') && name[1..].parse::<u64>().is_ok() {
            fault.hint("events count from 0; `back N` goes back by N events")
        } else if names.is_empty() {
            fault.hint("`mark NAME` marks the current event")
        } else {
            fault.hint(format!("there are {}", names.join(", ")))
        }
    }

    /// The names of two timelines to compare: the parent of the current one (or the one left last), and the current one.
    fn usual_pair(&self) -> Result<(String, String)> {
        let (now, others) = (self.run.now.as_ref(), &self.run.others);
        let parent = now.and_then(|now| now.parent.as_ref());
        let parent = parent.and_then(|(name, _)| others.iter().find(|other| other.name == *name));
        match (parent.or(others.last()), now) {
            (Some(other), Some(now)) => Ok((other.name.clone(), now.name.clone())),
            _ => Err(Fault::new("there are not two timelines to compare")
                .hint("search twice, or `fork` and change something")),
        }
    }

    /// The edits of a timeline that another one lacks, each as a line of text.
    fn edits_without(&self, one: &Timeline<G>, other: &Timeline<G>) -> Vec<String> {
        let texts =
            |it: &Timeline<G>| -> Vec<_> { it.edits.iter().map(|it| self.edit_text(it)).collect() };
        let others = texts(other);
        let own = texts(one).into_iter().filter(|edit| !others.contains(edit));
        own.map(|edit| format!("edited in {}: {edit}", one.name)).collect()
    }

    fn edit_text(&self, Edited { after, edit, .. }: &Edited<G>) -> String {
        let text = match edit {
            Edit::Entry(at, Some(entry)) => {
                format!("entry {} = {}", self.keyed_text(*at), number::score(entry.value))
            }
            Edit::Entry(at, None) => format!("entry {} removed", self.keyed_text(*at)),
            Edit::Table(table) => format!("the cache, now of {} entries", table.entries().len()),
            Edit::Weights(weights) => format!("weights {weights}"),
            Edit::Budget(Some(states)) => format!("budget {}", number::count(*states)),
            Edit::Budget(None) => "budget off".into(),
            Edit::Window(window) => {
                let [alpha, beta] = number::window(*window, number::score);
                format!("window [{alpha}, {beta}]")
            }
        };
        format!("{text} after event {}", count(after.saturating_sub(1)))
    }

    /// Makes the root of the search the current position. Does nothing if root and current position are equal.
    fn show_root(&mut self) {
        let running = self.run.running.as_ref();
        let Some(running) = running.filter(|it| *it.search.root() != self.now.position) else {
            return;
        };
        let history = running.search.history_at(0);
        let root = PlayedPosition::set(running.search.root().clone());
        let root = PlayedPosition { history, ..root };
        self.advance(root);
    }

    fn replaying(&self, timeline: &Timeline<G>) -> Result<Recording<G, Debugger<G>>> {
        Recording::replaying(timeline.clone(), &self.run.interrupt)
    }

    /// The event at which one of two timelines first differs from the other, as a reply.
    fn event_at(
        &self,
        timeline: &Timeline<G>,
        taped: Option<RecordedEvent<G::Move>>,
    ) -> Result<Option<EventReport>> {
        let Some(taped) = taped else { return Ok(None) };
        let mut run = self.replaying(timeline)?;
        run.rerun(taped.event.index + 1, &mut NoWatcher);
        Ok(run.under_way()?.report_event(&timeline.origin.game))
    }

    /// The timelines that a session file can hold: those with small caches only, at the start and in the edits. If the current
    /// timeline has a large cache, a timeline that begins at the current event is saved instead.
    pub(super) fn saved_recording(&self) -> Option<SavedRecording<G>> {
        let mut saved = SavedTimelines {
            origins: Vec::new(),
            known: Vec::new(),
            timelines: Vec::new(),
            tables: self.game().tables_digest(),
        };
        for timeline in &self.run.others {
            saved.add(timeline, timeline.at, timeline.reached);
        }
        let (events, current) = (self.run.events(), self.own_timeline());
        let from_here = || self.own_search().and_then(|_| self.run.timeline_from_here());
        let last_is_current = current
            .is_some_and(|now| saved.add(now, events, now.reached.max(events)))
            || from_here().is_some_and(|now| saved.add(&now, events, events));
        let SavedTimelines { origins, timelines, .. } = saved;
        let has = |name: &str, events: u64| {
            let timeline = timelines.iter().find(|timeline| timeline.name == name);
            timeline.is_some_and(|it| origins[it.origin].start.events() <= events)
        };
        let bookmarks = self.run.bookmarks.iter().filter(|(_, at)| has(&at.timeline, at.events));
        let bookmarks =
            bookmarks.map(|(name, at)| (name.clone(), (at.timeline.clone(), at.events))).collect();
        let hits = self.run.debugger.hits.iter().filter(|hit| has(&hit.timeline, hit.event));
        let stops = hits.map(|hit| (hit.timeline.clone(), hit.event, hit.id)).collect();
        let saved = SavedRecording { last_is_current, origins, timelines, bookmarks, stops };
        (!saved.timelines.is_empty()).then_some(saved)
    }

    /// Replaces search and recording by those of a session file.
    pub(super) fn restore_recording(
        &mut self,
        running: Option<Running<G>>,
        saved: Option<SavedRecording<G>>,
    ) -> Result<()> {
        let Some(saved) = saved else {
            self.run.restore_recording(running, None, Vec::new());
            return Ok(());
        };
        let origins = saved.origins.into_iter().map(|origin| self.origin_of(origin));
        let origins = origins.collect::<Result<Vec<_>>>()?;
        let timelines = saved.timelines.into_iter().map(|saved| timeline_of(saved, &origins));
        let mut timelines = timelines.collect::<Result<Vec<_>>>()?;
        let now = if saved.last_is_current { timelines.pop() } else { None };
        self.run.restore_recording(running, now, timelines);
        let bookmark = |(name, (timeline, events))| (name, Bookmark { timeline, events });
        self.run.bookmarks = saved.bookmarks.into_iter().map(bookmark).collect();
        let hit = |(timeline, event, id)| BreakpointHit { timeline, event, id };
        self.run.debugger.hits = saved.stops.into_iter().map(hit).collect();
        Ok(())
    }

    fn origin_of(&self, saved: SavedOrigin<G>) -> Result<Arc<Origin<G>>> {
        let mut game = self.game().clone();
        for (name, value) in &saved.rules {
            game.set_rule(name, value)?;
        }
        game.configure(saved.settings.configure());
        let mut table = saved.settings.new_table();
        EntryText::new(&game, &saved.settings).fill(&mut table, &saved.cache)?;
        table.entries_mut().set_replacement_state(&saved.replacement_state)?;
        let SavedOrigin { weights, settings, start, .. } = saved;
        let table = Some(Arc::new(table));
        Ok(Arc::new(Origin { game, weights, settings, start, table }))
    }
}

/// Collects the timelines that a session file can hold.
struct SavedTimelines<G: Game> {
    origins: Vec<SavedOrigin<G>>,
    /// The starts of timelines from which `origins` was made, in the order of `origins`.
    known: Vec<Arc<Origin<G>>>,
    timelines: Vec<SavedTimeline>,
    /// The checksum of the endgame tables in use; `None` without tables.
    tables: Option<u32>,
}

impl<G: Game> SavedTimelines<G> {
    /// Adds a timeline that the user left after `at` events; its search reached `reached`. Returns whether a file can hold it.
    fn add(&mut self, timeline: &Timeline<G>, at: u64, reached: u64) -> bool {
        let Some(edits) = saved_edits(timeline) else { return false };
        let shared = self.known.iter().position(|known| Arc::ptr_eq(known, &timeline.origin));
        let Some(origin) = shared.or_else(|| self.add_origin(&timeline.origin)) else {
            return false;
        };
        self.timelines.push(SavedTimeline {
            name: timeline.name.clone(),
            origin,
            at,
            reached,
            iterations: timeline.iterations.clone(),
            ended: timeline.ended,
            parent: timeline.parent.clone(),
            edits,
        });
        true
    }

    fn add_origin(&mut self, origin: &Arc<Origin<G>>) -> Option<usize> {
        self.origins.push(saved_origin(origin, self.tables)?);
        self.known.push(Arc::clone(origin));
        Some(self.known.len() - 1)
    }
}

/// Root moves with their values; `None` if a move has not been searched.
type MoveValues = Vec<(MoveText, Option<Score>)>;

/// The result and the root moves of a timeline that has been replayed to its end.
fn timeline_result<G: Game>(
    run: &Recording<G, Debugger<G>>,
) -> Result<(TimelineResult, MoveValues)> {
    let timeline = run.timeline()?;
    let search = &run.under_way()?.search;
    let game = &run.searcher.game;
    let (root, complete) = (search.root(), search.complete());
    let format = |mv: G::Move| game.move_text(root, mv);
    let moves = complete.map_or(search.root_moves(), |complete| &complete.moves);
    let side = TimelineResult {
        timeline: timeline.name.clone(),
        state: game.format_position(root),
        weights: timeline.origin.weights.to_string(),
        value: search.value(),
        depth: complete.map_or(0, |complete| complete.depth),
        events: run.events(),
        nodes: search.counters.nodes,
        cutoffs: search.counters.cutoffs,
        cache: CacheCounters::new(&search.counters, run.searcher.table.entries().len()),
        best: search.best_moves().iter().map(|root| format(root.mv)).collect(),
    };
    Ok((side, moves.iter().map(|root| (format(root.mv), root.value)).collect()))
}

/// The root moves of two timelines, each with its two values; moves whose values differ come first.
fn pair_moves(a: MoveValues, b: MoveValues) -> Vec<MovePair> {
    let mut pairs: Vec<_> = a.into_iter().map(|(mv, a)| (mv, [a, None])).collect();
    for (mv, b) in b {
        match pairs.iter_mut().find(|(known, _)| *known == mv) {
            Some((_, values)) => values[1] = b,
            None => pairs.push((mv, [None, b])),
        }
    }
    pairs.sort_by_key(|(_, [a, b])| a == b);
    pairs
}

/// A timeline's start for a session file; `None` unless its cache is small, and its search used no endgame tables or those in
/// use now.
fn saved_origin<G: Game>(origin: &Origin<G>, tables: Option<u32>) -> Option<SavedOrigin<G>> {
    if origin.settings.tables != TableUse::Off && origin.game.tables_digest() != tables {
        return None;
    }
    let table = origin.table.as_ref()?;
    Some(SavedOrigin {
        rules: origin.game.rules().into_iter().map(|rule| (rule.name, rule.value)).collect(),
        weights: origin.weights.clone(),
        settings: origin.settings.clone(),
        start: origin.start.clone(),
        cache: small_cache(origin, table)?,
        replacement_state: table.entries().replacement_state(),
    })
}

fn small_cache<G: Game>(origin: &Origin<G>, table: &AnyTable<G::Key>) -> Option<Vec<SavedEntry>> {
    let small = table.entries().len() <= SMALL_TABLE;
    small.then(|| EntryText::new(&origin.game, &origin.settings).all(table))
}

/// A timeline's edits for a session file; `None` if one of them replaced the cache by a large one.
fn saved_edits<G: Game>(timeline: &Timeline<G>) -> Option<Vec<(u64, u64, SavedEdit)>> {
    let origin = &timeline.origin;
    let entry_text = EntryText::new(&origin.game, &origin.settings);
    let saved = |Edited { after, id, edit }: &Edited<G>| {
        let saved = match edit {
            Edit::Entry(at, Some(entry)) => SavedEdit::Entry(entry_text.entry(*at, entry)),
            Edit::Entry(at, None) => SavedEdit::Removed(entry_text.name(*at)),
            Edit::Table(table) => SavedEdit::Cache(small_cache(origin, table)?),
            Edit::Weights(weights) => SavedEdit::Weights(weights.clone()),
            Edit::Budget(budget) => SavedEdit::Budget(*budget),
            Edit::Window(window) => SavedEdit::Window(window.alpha, window.beta),
        };
        Some((*after, *id, saved))
    };
    timeline.edits.iter().map(saved).collect()
}

fn timeline_of<G: Game>(saved: SavedTimeline, origins: &[Arc<Origin<G>>]) -> Result<Timeline<G>> {
    let origin = origins.get(saved.origin);
    let origin =
        origin.ok_or_else(|| Fault::new(format!("there is no origin {}", saved.origin)))?;
    let entry_text = EntryText::new(&origin.game, &origin.settings);
    let edits = saved.edits.into_iter().map(|(after, id, edit)| {
        let edit = match edit {
            SavedEdit::Entry(saved) => {
                let (at, entry) = entry_text.read(&saved)?;
                Edit::Entry(at, Some(entry))
            }
            SavedEdit::Removed(key) => Edit::Entry(entry_text.place(&key)?, None),
            SavedEdit::Cache(entries) => {
                let mut table = origin.settings.new_table();
                entry_text.fill(&mut table, &entries)?;
                Edit::Table(Arc::new(table))
            }
            SavedEdit::Weights(weights) => Edit::Weights(weights),
            SavedEdit::Budget(budget) => Edit::Budget(budget),
            SavedEdit::Window(alpha, beta) => Edit::Window(Window { alpha, beta }),
        };
        Ok(Edited { after, id, edit })
    });
    Ok(Timeline {
        name: saved.name,
        edits: edits.collect::<Result<_>>()?,
        at: saved.at,
        reached: saved.reached,
        iterations: saved.iterations,
        ended: saved.ended,
        parent: saved.parent,
        origin: Arc::clone(origin),
    })
}

/// The reply of `timeline`, `fork` and `mark`: timelines and bookmarks.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineList {
    /// The timelines, oldest first, the current one last.
    pub timelines: Vec<TimelineReport>,
    /// The bookmarks in the order of their names.
    #[serde(rename = "marks")]
    pub bookmarks: Vec<BookmarkReport>,
    /// The name of the bookmark that the command has set.
    #[serde(skip)]
    marked: Option<String>,
    /// Memory of the current recording in bytes.
    pub bytes: usize,
}

impl TimelineList {
    /// The current timeline; `None` if no search is recorded.
    pub fn current(&self) -> Option<&TimelineReport> {
        self.timelines.iter().find(|timeline| timeline.current)
    }

    /// The last event that a timeline shares with the current one; `None` if they belong to different searches.
    pub fn fork_event(&self, name: &str) -> Option<u64> {
        let called = |name: &str| self.timelines.iter().find(|timeline| timeline.name == name);
        let lineage = |name: &str| {
            let mut lineage = vec![(name.to_owned(), u64::MAX)];
            while let Some((name, until)) = lineage.last()
                && let Some(timeline) = called(name)
                && let (Some(parent), Some(after)) = (&timeline.parent, timeline.branched)
                && lineage.len() <= self.timelines.len()
            {
                lineage.push((parent.clone(), after.min(*until)));
            }
            lineage
        };
        let own = lineage(&self.current()?.name);
        lineage(name).iter().find_map(|(ancestor, until)| {
            let (_, shared) = own.iter().find(|(known, _)| known == ancestor)?;
            Some(*shared.min(until))
        })
    }
}

impl Reply for TimelineList {
    fn text(&self) -> String {
        if self.timelines.is_empty() {
            return "no search was recorded yet".to_owned();
        }
        let table = TextTable::of(&self.timelines)
            .left("  timeline", |timeline| {
                let mark = if timeline.current { "▸" } else { " " };
                format!("{mark} {}", timeline.name)
            })
            .right("at event", |timeline| last_event(timeline.events))
            .right("of", |timeline| last_event(timeline.reached))
            .left("root", |timeline| &timeline.state);
        let branches = self.timelines.iter().filter_map(branch);
        let bookmarks = self.bookmarks.iter().map(BookmarkReport::text);
        let memory = format!("recording: {}", number::bytes(self.bytes as u64));
        lines([table.render()].into_iter().chain(branches).chain(bookmarks).chain([memory]))
    }

    fn line(&self) -> String {
        let marked = |it: &&BookmarkReport| Some(&it.name) == self.marked.as_ref();
        match (self.bookmarks.iter().find(marked), self.current()) {
            (Some(bookmark), _) => bookmark.text(),
            (None, Some(current)) => {
                let number = number::counted(self.timelines.len() as u64, "timeline", "timelines");
                let marks = number::counted(self.bookmarks.len() as u64, "mark", "marks");
                let at = last_event(current.events);
                format!("{number}, {marks}, on {} at event {at}", current.name)
            }
            (None, None) => nth_line(&self.text(), 0),
        }
    }
}

/// A timeline: one run of a search, with the edits made to it.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineReport {
    /// The name by which commands refer to the timeline.
    pub name: String,
    /// Whether the current event is on this timeline.
    pub current: bool,
    /// Number of events that the search had run when the recording began.
    pub(crate) begins: u64,
    /// Number of events before the current moment; for other timelines, before the moment at which the user left them.
    pub events: u64,
    /// Greatest number of events that the search has reached on this timeline.
    pub reached: u64,
    /// The timeline from which this one branched; `None` for an original run.
    pub(crate) parent: Option<String>,
    /// The last event before the branch; `None` for an original run.
    pub branched: Option<u64>,
    /// The position at the root of the search, in the game's notation.
    pub(crate) state: String,
    /// The edits that the user made on this timeline, each as a phrase.
    pub(crate) edits: Vec<String>,
    /// The iterations that the search has begun, in order.
    pub iterations: Vec<IterationReport>,
    /// The stops at breakpoints on this timeline.
    pub stops: Vec<BreakpointHit>,
}

/// An iteration of the search, and the event at which it began.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct IterationReport {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// The number of the event that begins the iteration.
    pub event: u64,
}

/// A bookmark: a named moment of a timeline.
#[derive(Clone, Debug, Serialize)]
pub struct BookmarkReport {
    pub(crate) name: String,
    pub(crate) timeline: String,
    /// The number of the last event before the bookmark.
    pub event: u64,
}

impl BookmarkReport {
    fn text(&self) -> String {
        let event = number::count(self.event);
        format!("mark {}: event {event} of timeline {}", self.name, self.timeline)
    }
}

/// The result of one timeline, to be compared with the result of another timeline.
#[derive(Clone, Debug, Serialize)]
struct TimelineResult {
    timeline: String,
    /// The position at the root of the search.
    state: String,
    weights: String,
    value: Option<Score>,
    /// Depth of the last complete iteration in plies.
    depth: u8,
    events: u64,
    nodes: u64,
    cutoffs: u64,
    #[serde(flatten)]
    cache: CacheCounters,
    best: Vec<MoveText>,
}

/// A root move with its values in the first and in the second timeline.
type MovePair = (MoveText, [Option<Score>; 2]);

/// The number of the last of `events` events, which count from 0; `-` if there are none.
fn last_event(events: u64) -> String {
    events.checked_sub(1).map_or("-".into(), number::count)
}

fn branch(timeline: &TimelineReport) -> Option<String> {
    let parent = timeline.parent.as_ref()?;
    let after = number::count(timeline.branched.unwrap_or(0));
    let head = format!("timeline {}: off {parent} after event {after}", timeline.name);
    Some([vec![head], timeline.edits.clone()].concat().join("\n  "))
}

/// A line of moves as `after LINE`; without moves `at the root`.
pub fn after<T: Display>(line: &[T]) -> String {
    if line.is_empty() { "at the root".to_owned() } else { format!("after {}", words(line)) }
}

pub(super) fn writer(report: &Provenance) -> String {
    let [alpha, beta] = number::window(report.window, number::score);
    let hits = match report.hits {
        0 => "no hits since".to_owned(),
        hits => format!("{} since", number::counted(hits, "hit", "hits")),
    };
    let edited = |after: u64| {
        format!("edited by hand after event {}; before that ", number::count(after - 1))
    };
    let edited = or_empty(report.edited.map(edited));
    let pieces = [
        format!("{edited}written by event {}", number::count(report.event)),
        after(&report.line),
        format!("window {alpha} to {beta}"),
        format!("value {}", number::score(report.value)),
        hits,
    ];
    flow("", pieces)
}

/// Compares two timelines: the first difference (events before it, and the next event of each), results and root moves. `recorded`:
/// the numbers of events that were recorded before both were run to their ends. `edits`: those that only one of them has.
fn timeline_diff(
    parting: Option<(u64, [Option<EventReport>; 2])>,
    runs: [TimelineResult; 2],
    recorded: [u64; 2],
    edits: Vec<String>,
    moves: &[MovePair],
) -> PlainReply {
    let parted = match &parting {
        None if edits.is_empty() => "the same events from beginning to end".to_owned(),
        None => "the same events from beginning to end: no edit had an effect".to_owned(),
        Some((same, events)) => parted(*same, events, &runs),
    };
    let is_longer = recorded.iter().zip(&runs).any(|(recorded, run)| *recorded < run.events);
    let [one, other] = recorded.map(number::count);
    let run_on = format!("each was run to its end: {one} and {other} events had been recorded");
    let run_on = or_empty(is_longer.then_some(run_on));
    let parts = [parted, run_on, sides(&runs), differing(moves, &runs)];
    let parts = edits.into_iter().chain(parts);
    let text = lines(parts.filter(|part| !part.is_empty()));
    let divergence = parting.map(|(same, [a, b])| json!({"same": same, "a": a, "b": b}));
    let [a, b] = runs;
    let moves = moves.iter().map(|(mv, [a, b])| json!({"move": mv, "a": a, "b": b}));
    let moves = moves.collect::<Value>();
    PlainReply::new(text, json!({"divergence": divergence, "a": a, "b": b, "moves": moves}))
}

fn parted(same: u64, events: &[Option<EventReport>; 2], runs: &[TimelineResult; 2]) -> String {
    let same = match same {
        0 => "they differ from the first event".to_owned(),
        same => format!("the first {} are the same", number::counted(same, "event", "events")),
    };
    let side = |(run, event): (&TimelineResult, &Option<EventReport>)| match event {
        None => format!("{}: over", run.timeline),
        Some(event) => format!("{}: {}\n   {}", run.timeline, event_text(event), event.state),
    };
    lines(std::iter::once(same).chain(runs.iter().zip(events).map(side)))
}

fn sides([first, second]: &[TimelineResult; 2]) -> String {
    let rows = |side: &TimelineResult| {
        [
            ("value", number::score_or_none(side.value)),
            ("depth", side.depth.to_string()),
            ("events", number::count(side.events)),
            ("nodes", number::count(side.nodes)),
            ("hits", number::count(side.cache.hits)),
            ("invalid", number::count(side.cache.invalid)),
            ("misses", number::count(side.cache.misses)),
            ("stores", number::count(side.cache.stores)),
            ("cutoffs", number::count(side.cutoffs)),
            ("entries", number::count(side.cache.entries as u64)),
        ]
    };
    let table = TextTable::of(rows(first).into_iter().zip(rows(second)))
        .left("", |((name, _), _)| *name)
        .right(&first.timeline, |((_, a), _)| a.clone())
        .right(&second.timeline, |(_, (_, b))| b.clone());
    let best = |side: &TimelineResult| {
        layout::wrap(&format!("best in {}: ", side.timeline), &words(&side.best))
    };
    lines([table.render(), best(first), best(second)])
}

fn differing(moves: &[MovePair], [first, second]: &[TimelineResult; 2]) -> String {
    let table = TextTable::of(moves.iter().filter(|(_, [a, b])| a != b))
        .left("move", |(mv, _)| mv)
        .point(&first.timeline, |(_, [a, _])| number::score_or_none(*a))
        .point(&second.timeline, |(_, [_, b])| number::score_or_none(*b));
    match table.render() {
        same if same.is_empty() => "every root move has the same value".to_owned(),
        differing => differing,
    }
}
