//! Searches at full speed and event by event, and the stack on which they stand.

mod reply;
mod stops;

use std::time::{Duration, Instant};

use super::{
    Pair, Purpose, Session, bench,
    breakpoints::Seen,
    cache::CacheCounters,
    event::EventReport,
    reply::{Reply, boxed},
};

use crate::engine::{
    debugger::BreakpointHit,
    explain::{End, Windows, search_order},
    game::{Fault, Game, History, Keyed, Result, Score, Window},
    progress::{Progress, Unit},
    recording::{Back, Resume, Running},
    search::{
        Event, Frame, Plan, ResultBasis, RootMove, RunLimits, Search, Stop, Unwatched, Watcher,
    },
    searcher::Searcher,
    settings::{MAX_DEPTH, Settings},
    table::{AnyTable, Bound},
};
pub use reply::*;
pub use stops::*;

/// Between two words about how far a search is.
const GLIMPSE: Duration = Duration::from_millis(200);

/// Searching at full speed and event by event.
pub trait SearchCommands {
    /// The value of the position at a depth; the full window where none is given.
    fn value(&mut self, depth: u8, alpha: Option<Score>, beta: Option<Score>) -> Result<Value>;
    /// The settings in force.
    fn in_force(&self) -> &Settings;
    /// The best moves, by a new search with the settings in force, and with these limits in place of theirs.
    fn run(&mut self, limits: &[Pair<'_>]) -> Result<Run>;
    /// Goes on with the search under way, or starts one.
    fn resume(&mut self, resume: Resume) -> Result<StopReport>;
    /// Goes on for a slice of time with what `run` or `resume` began; the report once that is done.
    fn advance(&mut self, slice: Duration) -> Option<Box<dyn Reply>>;
    /// Whether `run` or `resume` has begun something that `advance` is to go on with.
    fn is_running(&self) -> bool;
    /// With a slice, `run` and `resume` come back after it at the latest, and `advance` goes on; without, they run through.
    fn set_slice(&mut self, slice: Option<Duration>);
    /// Forgets the search under way.
    fn drop_search(&mut self) -> bool;
    /// The search stack.
    fn stack(&self) -> Result<Where>;
    /// Selects a frame by its ply, or shows the selected one.
    fn frame(&mut self, ply: Option<usize>) -> Result<FrameReport>;
    /// The result so far of the search under way.
    fn result(&self) -> Result<Run>;
    /// Runs the fixed bench and counts its nodes.
    fn bench(&self) -> Result<Bench>;
}

impl<G: Game> SearchCommands for Session<G> {
    fn value(&mut self, depth: u8, alpha: Option<Score>, beta: Option<Score>) -> Result<Value> {
        let mut asked = Window::INFINITE;
        let plan = |full: Window| {
            asked = Window { alpha: alpha.unwrap_or(full.alpha), beta: beta.unwrap_or(full.beta) };
            Plan::Value { depth, window: asked }
        };
        let mut running = self.prepare(plan, None)?;
        if Window::new(asked.alpha, asked.beta).is_none() {
            let what = format!("the window {asked} is empty: alpha must be below beta");
            let fault = Fault::new(what).about("alpha");
            return Err(fault.hint("give --alpha and --beta with alpha < beta, or neither"));
        }
        let mut limits = RunLimits::new(&self.run.interrupt, running.deadline());
        let Searcher { game, table, .. } = &mut self.run.searcher;
        let told = ("searching", &*self.progress);
        running.halt = Some(drive(told, &mut running, (game, table), &mut Unwatched, &mut limits));
        table.entries_mut().note_table_edit();
        self.run.counters = running.search.counters;
        let value = running.search.value();
        Ok(Value {
            value,
            depth,
            window: asked,
            bound: value.map(|value| known_as(value, asked, running.search.full_window()).name()),
            nodes: running.search.counters.nodes,
            cache: CacheCounters::new(&running.search.counters, self.entries().len()),
            pv: self.line(&self.now.position, running.search.line()),
            ms: Some(running.ms),
            stopped: stop_of(&running).filter(|_| value.is_none()),
        })
    }

    fn in_force(&self) -> &Settings {
        self.settings()
    }

    fn run(&mut self, limits: &[Pair<'_>]) -> Result<Run> {
        self.begin(limits, Purpose::Run)?;
        self.pump(self.slice);
        self.report_watched_run()
    }

    fn resume(&mut self, resume: Resume) -> Result<StopReport> {
        let under_way = self.run.running.is_some();
        match resume {
            Resume::Back(way) => self.run.reverse(way)?,
            Resume::Goto(index) if under_way => self.run.seek(index)?,
            _ if under_way => self.run.resume_to(resume)?,
            _ => {
                let settings = self.settings();
                let limits = settings.limits();
                let running = self.prepare(|_| Plan::Best(limits), settings.budget())?;
                self.run.start(running, resume);
            }
        }
        self.moved(resume)
    }

    fn advance(&mut self, slice: Duration) -> Option<Box<dyn Reply>> {
        let (halt, events) = self.pump(Some(slice))?;
        let report = match self.purpose {
            Purpose::Run => self.report_watched_run().map(boxed),
            Purpose::Play => self.play_found(),
            Purpose::Resume(resume) => self.report_stop(resume, Some((halt, events))).map(boxed),
        };
        report.ok()
    }

    fn is_running(&self) -> bool {
        self.run.is_pending()
    }

    fn set_slice(&mut self, slice: Option<Duration>) {
        self.slice = slice;
    }

    fn drop_search(&mut self) -> bool {
        self.run.drop_search().is_some()
    }

    fn stack(&self) -> Result<Where> {
        let running = self.run.under_way()?;
        Ok(Where {
            frames: self.frames(running),
            selected: running.selected_ply(),
            event: running.report_event(self.game()),
            iteration: running.search.depth(),
            nodes: running.search.counters.nodes,
            pv: self.line(running.search.root(), running.search.line()),
        })
    }

    fn frame(&mut self, ply: Option<usize>) -> Result<FrameReport> {
        let running = self.run.under_way()?;
        let mut frames = self.frames(running);
        let last = frames.len() - 1;
        let ply = ply.or(running.selected).unwrap_or(last);
        if ply > last {
            return Err(Fault::new(format!("no frame {ply}: the stack goes from 0 to {last}"))
                .hint("`where` shows it"));
        }
        if let Some(running) = &mut self.run.running {
            running.selected = Some(ply);
        }
        Ok(frames.swap_remove(ply))
    }

    fn result(&self) -> Result<Run> {
        let running = self.run.under_way()?;
        // The commands of a breakpoint follow a stop at it, and no look at the result.
        let stopped = stop_of(running).filter(|stop| !matches!(stop, Stop::Breakpoint(_)));
        let stopped = stopped.or(running.search.stopped());
        Ok(Run { stopped, ..self.report_run(running) })
    }

    fn bench(&self) -> Result<Bench> {
        self.watching("measuring", (Unit::Searches, 0), |watch| bench::bench(self.game(), watch))
    }
}

impl<G: Game> Session<G> {
    /// Puts a search for the best moves under way, with these limits in place of the settings' own.
    pub(super) fn begin(&mut self, limits: &[Pair<'_>], purpose: Purpose) -> Result<()> {
        let settings = self.limited(limits)?;
        let (reach, budget) = (settings.limits(), settings.budget());
        let running =
            Running { time_ms: settings.time_ms, ..self.prepare(|_| Plan::Best(reach), budget)? };
        let usual = std::mem::replace(&mut self.run.searcher.settings, settings);
        self.purpose = purpose;
        self.run.start(running, Resume::Continue);
        self.run.searcher.settings = usual;
        Ok(())
    }

    pub(super) fn prepare(
        &self,
        plan: impl FnOnce(Window) -> Plan,
        budget: Option<u64>,
    ) -> Result<Running<G>> {
        self.run.prepare((&self.now.position, &self.now.history), plan, budget)
    }

    pub(super) fn limited(&self, limits: &[Pair<'_>]) -> Result<Settings> {
        let mut settings = self.settings().clone();
        for (name, value) in limits {
            settings.set(name, value).map_err(|fault| fault.about(name))?;
        }
        Ok(settings)
    }

    pub(super) fn line(&self, from: &G::Position, moves: &[G::Move]) -> Vec<String> {
        let mut position = from.clone();
        let words = moves.iter().map(|&mv| {
            let words = self.game().format_move(&position, mv);
            position = self.game().apply(&position, mv);
            words
        });
        words.collect()
    }

    /// The line of a root move, in words. Where the memo cut it short it goes on along entries that have exactly its value.
    fn line_of(&self, running: &Running<G>, chosen: &RootMove<G>) -> Vec<String> {
        let (searcher, search) = (&self.run.searcher, &running.search);
        let (game, mode) = (&searcher.game, searcher.settings.mode());
        let mut line = chosen.line.clone();
        let known =
            chosen.value.filter(|_| !mode.negate_black && searcher.settings.memo().keys_depth());
        let Some(mut value) = known else {
            return self.line(search.root(), &line);
        };
        let (mut position, mut history) = (search.root().clone(), self.now.history.clone());
        for &mv in &line {
            history.push(&position);
            position = game.apply(&position, mv);
            value = value.child(game);
        }
        let depth = search.complete().map_or(search.depth(), |complete| complete.depth);
        for left in (0..depth.saturating_sub(line.len() as u8)).rev() {
            let mut moves = Vec::new();
            game.expand(&position, &history, &mut moves);
            history.push(&position);
            let leads_on = |&mv: &G::Move| {
                let child = game.apply(&position, mv);
                let at =
                    Keyed { key: game.node_key(&child, &history, mode.scheme, left), depth: left };
                let entry = searcher.table.entries().get(at);
                let entry = entry.filter(|_| self.may_answer(at, &child))?;
                let exact = entry.bound == Some(Bound::Exact) || !search.full_window().holds(value);
                let same = entry.value.parent(game) == value;
                (same && exact).then_some((mv, child, entry.value))
            };
            let Some((mv, child, found)) = moves.iter().find_map(leads_on) else {
                break;
            };
            (position, value) = (child, found);
            line.push(mv);
        }
        self.line(search.root(), &line)
    }

    pub(super) fn report_run(&self, running: &Running<G>) -> Run {
        let (game, search) = (self.game(), &running.search);
        let root = search.root();
        let known = search.root_result(&running.mode);
        let words = |chosen: &RootMove<G>| game.format_move(root, chosen.mv);
        let state = |chosen: &&RootMove<G>| game.format_position(&game.apply(root, chosen.mv));
        let mut moves: Vec<_> = known.moves.iter().collect();
        let value_of = |chosen: &RootMove<G>| chosen.value.unwrap_or(Score::NEG_INFINITY);
        moves.sort_by(|a, b| value_of(b).order(value_of(a)));
        let report = |chosen: &RootMove<G>| RootMoveReport {
            mv: words(chosen),
            value: chosen.value,
            bound: chosen.known_bound(),
            pv: self.line_of(running, chosen),
        };
        let basis = known.basis;
        let mut notes = Vec::from_iter(caution(basis).filter(|_| !G::IS_TRACE).map(str::to_owned));
        if search.is_over() {
            // What was cleaned when the decision was made, in the words of seed 000.
            notes.extend(self.run.cleaned.iter().map(|step| step.words(true)));
        }
        // Of another program's search there is the best line so far and no more.
        let told = || if G::IS_TRACE { self.line(root, search.line()) } else { Vec::new() };
        let pv = known.best.first().map_or_else(told, |chosen| self.line_of(running, chosen));
        let best = known.best.iter().map(|chosen| words(chosen));
        let best = best.chain(pv.first().filter(|_| G::IS_TRACE).cloned()).collect();
        Run {
            value: match known.basis {
                ResultBasis::Over => game.terminal(root, &self.now.history),
                _ => known.value,
            },
            best,
            best_states: known.best.iter().map(state).collect(),
            depth: search.complete().map_or(0, |complete| complete.depth),
            nodes: search.counters.nodes,
            stopped: stop_of(running),
            last_depth: last_depth(search.plan()).filter(|_| !G::IS_TRACE),
            budget: search.budget,
            moves: moves.into_iter().map(report).collect(),
            cache: CacheCounters::new(&running.search.counters, self.entries().len()),
            pv,
            ms: Some(running.ms),
            events: search.events(),
            breakpoint: breakpoint_of(running),
            timeline: self.run.name_if_branched(),
            notes,
            seen: Seen::default(),
        }
    }

    /// The result of a run, with what was watched on its way.
    fn report_watched_run(&self) -> Result<Run> {
        Ok(Run { seen: self.seen(), ..self.report_run(self.run.under_way()?) })
    }

    /// Has the search under way go on for a slice of time, or to its goal, and takes down where a breakpoint has stopped it.
    pub(super) fn pump(&mut self, slice: Option<Duration>) -> Option<(Stop, u64)> {
        let halted = match slice {
            Some(_) => self.run.pump(slice),
            None => self.pump_to_goal(),
        };
        if let (Some((Stop::Breakpoint(id), _)), Some(timeline)) = (halted, self.run.name()) {
            let event = self.run.events().saturating_sub(1);
            self.run.debugger.note_hit(BreakpointHit { timeline, event, id });
        }
        if halted.is_some() {
            for (at, after) in std::mem::take(&mut self.run.overwritten) {
                let (key, event) = (self.keyed_text(at), after.saturating_sub(1));
                self.run.notes.push(format!(
                    "the search has written over the entry {key} that was set by hand after event {event}"
                ));
            }
        }
        halted
    }

    /// To the goal of the search under way, while whoever wants to know sees how far it is.
    fn pump_to_goal(&mut self) -> Option<(Stop, u64)> {
        // Where it is in the recording says more of a way back.
        let back = matches!(self.purpose, Purpose::Resume(Resume::Back(_)));
        let (doing, unit, before) = if back {
            ("going back", Unit::Events, self.run.events())
        } else {
            ("searching", Unit::Nodes, self.run.counters.nodes)
        };
        self.progress.begin(doing, unit, before);
        let mut halted = None;
        while halted.is_none() && self.run.is_pending() {
            halted = self.run.pump(Some(GLIMPSE));
            if let Some(Running { search, .. }) = &self.run.running {
                let nodes = (search.counters.nodes, search.budget.unwrap_or(0));
                let (done, total) = if back { (search.events(), 0) } else { nodes };
                self.progress.update(done, total);
                self.progress.set_note(format!("depth {}", search.depth()));
            }
        }
        self.progress.end();
        halted
    }

    /// Moves the search as far as a slice of time lets it, and says where it stands.
    pub(super) fn moved(&mut self, resume: Resume) -> Result<StopReport> {
        self.purpose = Purpose::Resume(resume);
        let halted = self.pump(self.slice);
        self.report_stop(resume, halted)
    }

    /// Where a step has led; `halted` is nothing while it is still under way.
    fn report_stop(&self, resume: Resume, halted: Option<(Stop, u64)>) -> Result<StopReport> {
        let running = self.run.under_way()?;
        let stopped = match halted {
            None => "running",
            Some((halt @ (Stop::Start | Stop::End), _)) => halt.name(),
            Some(_) => stop_of(running).map_or(resume.name(), Stop::name),
        };
        let done = running.search.is_over();
        let finished = done || running.search.stopped().is_some();
        let mut notes = self.run.notes.clone();
        let told = self.game().trace().map(|trace| trace.why_ended().filter(|_| done));
        notes.extend(told.unwrap_or_else(|| beyond_the_end(halted, done)));
        if let Resume::Goto(index) = resume {
            notes.extend(self.run.ended_before(index));
            let unread = "the table is read once a `cache` command asks for it";
            notes.extend(self.run.jumped.then(|| unread.to_owned()));
        }
        Ok(StopReport {
            event: running.report_event(self.game()),
            stopped: stopped.into(),
            done,
            breakpoint: breakpoint_of(running),
            events: halted.map_or(0, |(_, events)| events),
            result: (finished && !G::IS_TRACE).then(|| Box::new(self.report_run(running))),
            timeline: self.run.name(),
            notes,
            seen: self.seen(),
        })
    }

    /// The stack from the root.
    fn frames(&self, running: &Running<G>) -> Vec<FrameReport> {
        let frames = running.search.frames().iter().enumerate();
        frames.map(|(ply, frame)| self.report_frame(running, frame, ply)).collect()
    }

    fn report_frame(&self, running: &Running<G>, frame: &Frame<G>, ply: usize) -> FrameReport {
        let (game, search) = (self.game(), &running.search);
        let (position, depth) = (&frame.position, frame.depth);
        let history = search.history_at(ply);
        let key = game.node_key(position, &history, running.mode.scheme, depth);
        let words = |mv: G::Move| game.format_move(position, mv);
        let table = &self.run.searcher.table;
        let moves = search_order(&running.context(game), (search, table), ply);
        let windows = Windows { game, search, algorithm: running.mode.algorithm };
        FrameReport {
            ply: ply as u32,
            depth,
            state: game.format_position(position),
            mv: search.current_move(frame).map(words),
            side: game.side(position),
            window: frame.current_window(),
            sources: [End::Alpha, End::Beta].map(|end| windows.open_source(ply, end)),
            best: frame.best_move().map(|_| frame.best),
            best_move: frame.best_move().map(words),
            child: frame.entered(),
            children: frame.children(),
            again: frame.research,
            treatment: frame.treatment,
            is_scout: ply < search.ply() as usize && frame.is_scout(running.mode.algorithm),
            memo: frame.outcome,
            key: self.keyed_text(Keyed { key, depth }),
            moves: moves.into_iter().map(words).collect(),
            board: game.draw(position),
        }
    }
}

/// Runs a search until it halts, while whoever wants to know sees what is done and how far it is.
pub(super) fn drive<G: Game, W: Watcher<Search<G>> + ?Sized>(
    (doing, progress): (&'static str, &Progress),
    running: &mut Running<G>,
    (game, table): (&G, &mut AnyTable<G::Key>),
    watcher: &mut W,
    limits: &mut RunLimits<'_>,
) -> Stop {
    progress.begin(doing, Unit::Nodes, 0);
    let halt = loop {
        limits.slice_end = Instant::now().checked_add(GLIMPSE);
        let halt = running.drive(game, table, watcher, limits);
        let Search { counters, budget, .. } = &running.search;
        progress.update(counters.nodes, budget.unwrap_or(0));
        if halt != Stop::Slice {
            break halt;
        }
    };
    progress.end();
    halt
}

fn last_depth(plan: Plan) -> Option<u8> {
    let last = match plan {
        Plan::Value { depth, .. } => depth,
        Plan::Best(limits) => limits.last,
    };
    (last < MAX_DEPTH).then_some(last)
}

/// What a person should know who wants to go on where a search is over.
fn beyond_the_end(halted: Option<(Stop, u64)>, done: bool) -> Option<String> {
    match halted? {
        (Stop::End, _) => {
            Some("here the search was out of time or interrupted: `continue` searches on".into())
        }
        (stop, 0) if stop.is_own() && done => Some(
            "the search was over already: `back` walks through it, `search run` starts another, and so does `step` after `search drop`"
                .into(),
        ),
        _ => None,
    }
}

/// What a value found under a window says: at the edge of the full window, beyond which nothing is, it is exact.
fn known_as(value: Score, asked: Window, full: Window) -> Bound {
    match Bound::of(value, asked) {
        Bound::Lower if value == full.beta => Bound::Exact,
        Bound::Upper if value == full.alpha => Bound::Exact,
        bound => bound,
    }
}

/// What a person should know of a result that rests on this.
fn caution(basis: ResultBasis) -> Option<&'static str> {
    match basis {
        ResultBasis::Iteration => None,
        ResultBasis::Over => Some("the game is over: there is no move to choose"),
        ResultBasis::Tie => Some("no iteration is complete, so all moves tie at 0 (defect D7)"),
        ResultBasis::Part => {
            Some("no iteration is complete: the best of the moves looked at so far")
        }
    }
}

/// Why a search stands still, where more than a step has ended.
fn stop_of<G: Game>(running: &Running<G>) -> Option<Stop> {
    match running.halt {
        Some(Stop::Breakpoint(_) | Stop::Time | Stop::Interrupt) => running.halt,
        _ => running.search.stopped(),
    }
}

const fn breakpoint_of<G: Game>(running: &Running<G>) -> Option<u32> {
    match running.halt {
        Some(Stop::Breakpoint(id)) => Some(id),
        _ => None,
    }
}

impl<G: Game> Running<G> {
    /// The last event; none before the first.
    pub(super) fn report_event(&self, game: &G) -> Option<EventReport> {
        let search = &self.search;
        if search.events() == 0 {
            return None;
        }
        let event = search.describe();
        let at = event.ply.wrapping_sub(u32::from(!event.kind.has_move()));
        let position = &search.frames().last()?.position;
        Some(EventReport::new(game, &event, position, self.move_text_at(game, at)))
    }

    pub(super) fn move_text_at(&self, game: &G, ply: u32) -> Option<String> {
        let frame = self.search.frames().get(ply as usize)?;
        Some(game.format_move(&frame.position, self.move_at(ply)?))
    }
}

impl EventReport {
    /// An event at a position, after or from a move.
    pub(super) fn new<G: Game>(
        game: &G,
        event: &Event,
        position: &G::Position,
        mv: Option<String>,
    ) -> Self {
        Self {
            index: event.index,
            kind: event.kind,
            ply: event.ply,
            depth: event.depth,
            state: game.format_position(position),
            mv,
            window: event.window,
            value: event.value,
            trace_line: game.trace().and_then(|trace| trace.line(event.index)),
        }
    }
}

impl Resume {
    /// Why the search stands after going so far.
    const fn name(self) -> &'static str {
        match self {
            Self::Step(_) => "step",
            Self::Next => "next",
            Self::Finish => "finish",
            Self::Until(_) => "until",
            Self::Goto(_) => "goto",
            Self::Continue => "continue",
            Self::Advance => "advance",
            Self::Back(Back::Step(_)) => "back",
            Self::Back(Back::Next) => "back next",
            Self::Back(Back::Finish) => "back finish",
            Self::Back(Back::Until(_)) => "back until",
            Self::Back(Back::Continue) => "back continue",
            Self::Back(Back::Last) => "last",
        }
    }
}
