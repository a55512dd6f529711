//! Running searches, at full speed or event by event, and showing the search stack.

mod reply;

use std::time::{Duration, Instant};

use super::{
    Pair, Purpose, Session,
    bench::{self, Bench},
    cache::CacheCounters,
    event::EventReport,
    reply::{Reply, boxed},
    stop_details::StopDetails,
};

use crate::engine::{
    debugger::BreakpointHit,
    explain::{End, Windows, search_order},
    game::{Fault, Game, History, Keyed, MoveText, Result, Score, TrueValue, Truth, Window},
    progress::{Progress, Unit},
    recording::{Backward, Resume, Running},
    search::{Event, EventKind, Fidelity, Frame, NoWatcher, Plan, RootMove, Search, Stop, Watcher},
    searcher::{ResultBasis, RunLimits, Searcher},
    settings::{MAX_DEPTH, Settings},
    table::{AnyTable, Bound, Reuse},
};
use crate::text::{number, or_empty};
pub use reply::*;

// Five reports a second are enough for a progress display, and their cost is not measurable.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// Commands that run, step, continue and show searches.
pub trait SearchCommands {
    /// Searches the current position to `depth` plies with the window `alpha` to `beta` (default: the full window).
    fn value(&mut self, depth: u8, alpha: Option<Score>, beta: Option<Score>) -> Result<Value>;
    /// The settings in force; during a search for play, the settings of that search.
    fn in_force(&self) -> &Settings;
    /// Starts a search for the best moves, and runs it to its next stop. `limits` are settings for this search only.
    fn run(&mut self, limits: &[Pair<'_>]) -> Result<Run>;
    /// Continues the current search, or starts one, until the stop that `resume` describes; may also go back.
    fn resume(&mut self, resume: Resume) -> Result<StopReport>;
    /// Continues a run that a time slice interrupted, for at most `slice`. Returns its reply; `None` while it is unfinished.
    fn advance(&mut self, slice: Duration) -> Option<Box<dyn Reply>>;
    /// Whether a run was interrupted by its time slice, so that [`Self::advance`] must continue it.
    fn is_running(&self) -> bool;
    /// Limits the time that `run` and `resume` take before they return unfinished; `None`: they return at the next stop only.
    fn set_slice(&mut self, slice: Option<Duration>);
    /// Drops the current search. Returns what has become of it in a sentence; `None` if there was none.
    fn drop_search(&mut self) -> Option<String>;
    /// Describes the search stack. Fails if there is no search.
    fn stack(&self) -> Result<Where>;
    /// Selects the frame at a ply (default: the selected one, otherwise the deepest) and describes it.
    fn frame(&mut self, ply: Option<usize>) -> Result<FrameReport>;
    /// The current result of the search, finished or not. Fails if there is no search.
    fn result(&self) -> Result<Run>;
    /// Runs the bench: fixed searches whose total node count is compared between builds.
    fn bench(&self) -> Result<Bench>;
}

impl<G: Game> SearchCommands for Session<G> {
    fn value(&mut self, depth: u8, alpha: Option<Score>, beta: Option<Score>) -> Result<Value> {
        let mut window = Window::INFINITE;
        let plan = |full: Window| {
            window = Window { alpha: alpha.unwrap_or(full.alpha), beta: beta.unwrap_or(full.beta) };
            Plan::Value { depth, window }
        };
        let mut running = self.prepare(plan, None)?;
        if Window::new(window.alpha, window.beta).is_none() {
            return Err(Fault::new(format!(
                "the window {window} is empty: alpha must be below beta"
            ))
            .about("alpha")
            .hint("give --alpha and --beta with alpha < beta, or neither"));
        }
        let mut limits = RunLimits::new(&self.run.interrupt, running.deadline());
        let Searcher { game, table, .. } = &mut self.run.searcher;
        let (progress, watcher) = (&*self.progress, &mut NoWatcher);
        running.halt =
            Some(drive("searching", progress, &mut running, game, table, watcher, &mut limits));
        table.entries_mut().note_table_edit();
        self.run.counters = running.search.counters;
        let value = running.search.value();
        Ok(Value {
            value,
            depth,
            window,
            bound: value.map(|value| bound_of(value, window, running.search.full_window()).name()),
            nodes: running.search.counters.nodes,
            cache: CacheCounters::new(&running.search.counters, self.entries().len()),
            pv: self.format_line(&self.now.position, running.search.line()),
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
        let is_over = self.is_over();
        match resume {
            Resume::Back(back) => self.run.reverse(back)?,
            Resume::Goto(index) if under_way => self.run.seek(index)?,
            // After a hint, the user's own search begins.
            _ if under_way && !(is_over && self.plays()) => self.run.resume_to(resume)?,
            _ => {
                self.leave_play();
                let plan = Plan::Best(self.settings().limits());
                let running = self.prepare(|_| plan, self.settings().budget())?;
                self.run.start(running, resume);
            }
        }
        self.moved(resume)
    }

    fn advance(&mut self, slice: Duration) -> Option<Box<dyn Reply>> {
        let (halt, events) = self.pump(Some(slice))?;
        let report = match self.purpose {
            Purpose::Run | Purpose::Hint => self.report_watched_run().map(boxed),
            Purpose::Play(level) => self.play_found(level),
            Purpose::Offer(by) => self.reply_to_offer(by),
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

    fn drop_search(&mut self) -> Option<String> {
        let (running, back) = self.end_search();
        running.map(|_| format!("the search is dropped{back}"))
    }

    fn stack(&self) -> Result<Where> {
        let running = self.run.under_way()?;
        Ok(Where {
            frames: self.frames(running),
            selected: running.selected_ply(),
            event: running.report_event(self.game()),
            why: self.why(running),
            iteration: running.search.depth(),
            root_values: self.root_values(running),
            nodes: running.search.counters.nodes,
            pv: self.format_line(running.search.root(), running.search.line()),
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
        // A stop at a breakpoint is not reported, or else the breakpoint's commands would run a second time.
        let stopped = stop_of(running).filter(|stop| !matches!(stop, Stop::Breakpoint(_)));
        let stopped = stopped.or(running.search.stopped());
        Ok(Run { stopped, ..self.report_run(running) })
    }

    fn bench(&self) -> Result<Bench> {
        self.watching("measuring", Unit::Searches, 0, |watch| bench::bench(self.game(), watch))
    }
}

/// Whether a line ends in a capture, which has an `x` in the notation of both games.
fn ends_in_capture(line: &[MoveText]) -> bool {
    line.last().is_some_and(|mv| mv.san().unwrap_or(mv.plain()).contains('x'))
}

impl<G: Game> Session<G> {
    /// Prepares a search for the best moves; `limits` override settings for this search only.
    pub(super) fn begin(&mut self, limits: &[Pair<'_>], purpose: Purpose) -> Result<()> {
        // Limits are checked first: a limit that cannot be read must not change anything.
        self.settings_with(limits)?;
        match purpose {
            Purpose::Play(_) | Purpose::Offer(_) => self.enter_play()?,
            Purpose::Hint => {
                self.enter_play()?;
                // A hint has the same answer whatever was asked before, and agrees with the review.
                if self.plays() {
                    self.run.searcher.reset(None);
                }
            }
            Purpose::Run | Purpose::Resume(_) => drop(self.leave_play()),
        }
        let settings = self.settings_with(limits)?;
        let (plan, budget, time_ms) =
            (Plan::Best(settings.limits()), settings.budget(), settings.time_ms);
        // The changed settings hold for this search and its timeline; afterwards the user's settings return.
        let usual = std::mem::replace(&mut self.run.searcher.settings, settings);
        let running = self.prepare(|_| plan, budget);
        // A hint is an answer to a player, so breakpoints do not stop it.
        let resume =
            if purpose == Purpose::Hint { Resume::Goto(u64::MAX) } else { Resume::Continue };
        let started = running.map(|running| {
            self.purpose = purpose;
            self.run.start(Running { time_ms, ..running }, resume);
        });
        self.run.searcher.settings = usual;
        started
    }

    pub(super) fn prepare(
        &self,
        plan: impl FnOnce(Window) -> Plan,
        budget: Option<u64>,
    ) -> Result<Running<G>> {
        self.run.prepare((&self.now.position, &self.now.history), plan, budget)
    }

    /// A copy of the settings in force, with `changes` made to it.
    pub(super) fn settings_with(&self, changes: &[Pair<'_>]) -> Result<Settings> {
        self.settings().clone().changed(changes)
    }

    pub(super) fn format_line(&self, from: &G::Position, moves: &[G::Move]) -> Vec<MoveText> {
        let mut position = from.clone();
        let format = |&mv: &G::Move| {
            let text = self.game().move_text(&position, mv);
            position = self.game().apply(&position, mv);
            text
        };
        moves.iter().map(format).collect()
    }

    /// The line that the search has found for one of the root's `moves`. If the move's position is that of another root move (in morris, by
    /// symmetry) and its search was replaced by the entry of that move, the line is that of the other move, with the moves that
    /// lead to the same keys.
    fn root_line(
        &self,
        running: &Running<G>,
        moves: &[RootMove<G>],
        root_move: &RootMove<G>,
    ) -> Vec<G::Move> {
        let (game, scheme) = (&self.run.searcher.game, running.mode.scheme);
        let after = |position: &G::Position, mv| {
            let position = game.apply(position, mv);
            (game.key(&position, scheme), position)
        };
        let (root, mut line) = (running.search.root(), root_move.line.clone());
        if line.len() != 1 {
            return line;
        }
        let (key, mut position) = after(root, root_move.mv);
        let is_same = |it: &&RootMove<G>| {
            it.line.len() > 1 && it.value == root_move.value && after(root, it.mv).0 == key
        };
        let Some(other) = moves.iter().find(is_same) else { return line };
        let mut theirs = after(root, other.mv).1;
        for &mv in &other.line[1..] {
            let (key, next) = after(&theirs, mv);
            let moves = game.legal_moves(&position, &<_>::default());
            let same = moves.into_iter().find(|&mv| after(&position, mv).0 == key);
            let Some(same) = same else { break };
            line.push(same);
            (position, theirs) = (after(&position, same).1, next);
        }
        line
    }

    /// The principal variation of one of the root's `moves`. If a cache hit cut it short, exact entries with the same value extend it.
    pub(super) fn pv_of(
        &self,
        running: &Running<G>,
        moves: &[RootMove<G>],
        root_move: &RootMove<G>,
    ) -> Vec<MoveText> {
        let (searcher, search) = (&self.run.searcher, &running.search);
        let (game, mode) = (&searcher.game, searcher.settings.mode());
        let mut line = self.root_line(running, moves, root_move);
        // If keys lack the depth, or Black's values are stored negated (D2), an equal value proves nothing about the line.
        let comparable = !mode.negate_black && searcher.settings.memo().keys_depth();
        let Some(mut value) = root_move.value.filter(|_| comparable) else {
            return self.format_line(search.root(), &line);
        };
        let (mut position, mut history) = (search.root().clone(), self.now.history.clone());
        for &mv in &line {
            history.push(&position);
            position = game.apply(&position, mv);
            value = value.child(game);
        }
        let depth = search.complete().map_or(search.depth(), |complete| complete.depth);
        for depth in (0..depth.saturating_sub(line.len() as u8)).rev() {
            let moves = game.legal_moves(&position, &history);
            history.push(&position);
            let continues = |&mv: &G::Move| {
                let child = game.apply(&position, mv);
                let at = Keyed { key: game.node_key(&child, &history, mode.scheme, depth), depth };
                let entry = searcher.table.entries().get(at);
                let entry = entry.filter(|_| self.may_belong_to(at, &child))?;
                let exact = entry.bound == Some(Bound::Exact) || !search.full_window().holds(value);
                let same = entry.value.parent(game) == value;
                (same && exact).then_some((mv, child, entry.value))
            };
            let Some((mv, child, found)) = moves.iter().find_map(continues) else { break };
            (position, value) = (child, found);
            line.push(mv);
        }
        self.format_line(search.root(), &line)
    }

    /// The root moves with values in the current iteration; before its first node, in the last complete iteration.
    fn root_values(&self, running: &Running<G>) -> RootValues {
        let search = &running.search;
        let (depth, moves) = (search.depth(), search.root_moves());
        let has_begun = search.ply() > 0 || moves.iter().any(|it| it.value.is_some());
        let complete = search.complete().filter(|_| !has_begun);
        let (depth, moves) = complete.map_or((depth, moves), |it| (it.depth, &it.moves));
        let name = |it: &RootMove<G>| self.game().move_text(search.root(), it.mv);
        let known = moves.iter().filter_map(|it| Some((name(it), it.value?, it.known_bound())));
        RootValues { depth, moves: known.collect() }
    }

    pub(super) fn report_run(&self, running: &Running<G>) -> Run {
        let (game, search) = (self.game(), &running.search);
        let root = search.root();
        let known = search.root_result(&running.mode);
        let state = |best: &&RootMove<G>| game.format_position(&game.apply(root, best.mv));
        let mut moves: Vec<_> = known.moves.iter().collect();
        let value_of = |root_move: &RootMove<G>| root_move.value.unwrap_or(Score::NEG_INFINITY);
        moves.sort_by(|a, b| value_of(b).order(value_of(a)));
        let report = |root_move| self.report_root_move(running, known.moves, root_move);
        let warning = result_warning(known.basis).filter(|_| !G::IS_TRACE);
        let mut notes = Vec::from_iter(warning.map(str::to_owned));
        notes.extend(self.table_fault());
        if search.is_over() {
            // Seed 000 cleans its cache after the decision and prints the steps; the notes use its words.
            notes.extend(self.run.cleaned.iter().map(|step| step.words(true)));
        }
        // A trace has a principal variation, but no root moves.
        let traced = || if G::IS_TRACE { self.format_line(root, search.line()) } else { vec![] };
        let pv =
            known.best.first().map_or_else(traced, |best| self.pv_of(running, known.moves, best));
        let best = known.best.iter().map(|best| game.move_text(root, best.mv));
        let best = best.chain(pv.first().filter(|_| G::IS_TRACE).cloned()).collect();
        // The time of an earlier event is not recorded; that of a trace is the time of reading, not of the search.
        let is_earlier = self.run.now.as_ref().is_some_and(|now| now.reached > search.events());
        Run {
            value: match known.basis {
                ResultBasis::Over => game.terminal(root, &self.now.history),
                _ => known.value,
            },
            ends_in: known.best.first().and_then(|best| self.distance(best)),
            best,
            best_states: known.best.iter().map(state).collect(),
            depth: search.complete().map_or(0, |complete| complete.depth),
            nodes: search.counters.nodes,
            stopped: stop_of(running),
            last_depth: last_depth(search.plan()).filter(|_| !G::IS_TRACE),
            budget: search.budget,
            time_ms: running.time_ms,
            side: game.side(root),
            moves: moves.into_iter().map(report).collect(),
            cache: CacheCounters::new(&search.counters, self.entries().len()),
            ends_in_capture: !running.mode.quiescence && ends_in_capture(&pv),
            pv,
            ms: (!is_earlier && !G::IS_TRACE).then_some(running.ms),
            events: search.events(),
            breakpoint: breakpoint_of(running),
            timeline: self.run.name_if_branched(),
            notes,
            seen: StopDetails::default(),
        }
    }

    fn report_root_move(
        &self,
        running: &Running<G>,
        moves: &[RootMove<G>],
        root_move: &RootMove<G>,
    ) -> RootMoveReport {
        let (game, root) = (self.game(), running.search.root());
        let truth = game.truth(&game.apply(root, root_move.mv)).map(TrueValue::parent);
        let value = root_move.value.map(|value| (value, root_move.bound));
        RootMoveReport {
            mv: game.move_text(root, root_move.mv),
            value: root_move.value,
            bound: root_move.known_bound(),
            ends_in: self.distance(root_move),
            truth: Truth::beside(truth, value),
            pv: self.pv_of(running, moves, root_move),
        }
    }

    /// Plies until a root move wins or loses, for games whose values contain no distance: the depth of the first iteration that
    /// proves the result. `None` if unproven, or if entries of greater depth may replace a search.
    pub(super) fn distance(&self, root_move: &RootMove<G>) -> Option<u8> {
        let settings = self.settings();
        let is_exact = settings.reuse() == Reuse::Exact && settings.fidelity == Fidelity::Sound;
        let in_value = self.game().mate_threshold().is_some();
        root_move.decided.filter(|_| is_exact && !in_value)
    }

    /// The current result of the search, with changes at watchpoints, tracepoint lines and displays.
    pub(super) fn report_watched_run(&self) -> Result<Run> {
        Ok(Run { seen: self.stop_details(), ..self.report_run(self.run.under_way()?) })
    }

    /// Runs the current search to its next stop, for at most `slice`; hits of breakpoints are recorded. Returns the stop and
    /// the number of events run; `None` if the time slice ended first.
    pub(super) fn pump(&mut self, slice: Option<Duration>) -> Option<(Stop, u64)> {
        let halted = match slice {
            Some(_) => self.run.pump(slice),
            None => self.pump_through(),
        };
        if let (Some((Stop::Breakpoint(id), _)), Some(timeline)) = (halted, self.run.name()) {
            let event = self.run.events().saturating_sub(1);
            let forwards = !matches!(self.purpose, Purpose::Resume(Resume::Back(_)));
            self.run.debugger.note_hit(BreakpointHit { timeline, event, id }, forwards.into());
        }
        if halted.is_some() {
            for (at, after) in std::mem::take(&mut self.run.overwritten) {
                let (key, set) = (self.keyed_text(at), number::count(after.saturating_sub(1)));
                let found = self.provenance(&[at]).unwrap_or_default();
                let event =
                    found.get(&at).map(|it| format!(" (event {})", number::count(it.event)));
                self.run.notes.push(format!(
                    "the search has written over the entry {key} that was set by hand after event {set}{}",
                    or_empty(event)
                ));
            }
        }
        halted
    }

    /// Runs the current search to its next stop, and reports its progress meanwhile.
    fn pump_through(&mut self) -> Option<(Stop, u64)> {
        // Going back replays from a checkpoint and counts nodes again, so the event number measures the progress.
        let back = matches!(self.purpose, Purpose::Resume(Resume::Back(_)));
        let (doing, unit, before) = if back {
            ("going back", Unit::Events, self.run.events())
        } else {
            ("searching", Unit::Nodes, self.run.counters.nodes)
        };
        self.progress.begin(doing, unit, before);
        let mut halted = None;
        while halted.is_none() && self.run.is_pending() {
            halted = self.run.pump(Some(PROGRESS_INTERVAL));
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

    /// Runs the search, after `resume` was prepared, for at most a time slice, and describes where it stopped.
    pub(super) fn moved(&mut self, resume: Resume) -> Result<StopReport> {
        self.purpose = Purpose::Resume(resume);
        let halted = self.pump(self.slice);
        self.report_stop(resume, halted)
    }

    /// Describes where the search stopped; `halted` is `None` if the time slice ended first.
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
        let end_of_trace = self.game().trace().map(|trace| trace.why_ended().filter(|_| done));
        notes.extend(end_of_trace.unwrap_or_else(|| note_at_end(halted, done)));
        if let Resume::Goto(index) = resume {
            let ended = self.run.ended_before(index).filter(|_| halted.is_some_and(|it| it.1 == 0));
            if let Some(why) = ended {
                return Err(Fault::new(why).hint("`goto end` goes there").about("EVENT"));
            }
            notes.splice(0..0, self.run.ended_before(index));
            let unread = "the cache is read by the first `cache` command";
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
            why: self.why(running),
            notes,
            seen: self.stop_details(),
        })
    }

    fn frames(&self, running: &Running<G>) -> Vec<FrameReport> {
        let frames = running.search.frames().iter().enumerate();
        frames.map(|(ply, frame)| self.report_frame(running, frame, ply)).collect()
    }

    fn report_frame(&self, running: &Running<G>, frame: &Frame<G>, ply: usize) -> FrameReport {
        let (game, search) = (self.game(), &running.search);
        let (position, depth) = (&frame.position, frame.depth);
        let history = search.history_at(ply);
        let key = game.node_key(position, &history, running.mode.scheme, depth);
        let format = |mv: G::Move| game.move_text(position, mv);
        let table = &self.run.searcher.table;
        let moves = search_order(&running.context(game), search, table, ply);
        let windows = Windows { game, search, algorithm: running.mode.algorithm };
        let traced = game.trace().map(|it| it.place_of_last(position, search.moves_of(frame)));
        let best = frame.best_move().map(|_| frame.best);
        let [child, children] = traced.unwrap_or([frame.entered(), frame.children()]);
        // At a cutoff, the best value has reached β, so the window is that before the cutoff.
        let is_last = search.events() > 0 && search.ply() as usize == ply;
        let event = is_last.then(|| search.describe());
        let cutoff = event.filter(|event| event.kind == EventKind::Cutoff);
        let window = cutoff.map_or(frame.current_window(), |event| event.window);
        FrameReport {
            ply: ply as u32,
            depth,
            state: game.format_position(position),
            mv: search.current_move(frame).map(format),
            side: game.side(position),
            window: frame.current_window(),
            open: window.or(frame.window),
            sources: [End::Alpha, End::Beta].map(|end| windows.open_source(ply, end)),
            best,
            truth: Truth::beside(game.truth(position), best.map(|best| (best, Bound::Exact))),
            best_move: frame.best_move().map(format),
            child,
            children,
            again: frame.research,
            treatment: frame.treatment,
            is_scout: ply < search.ply() as usize && frame.is_scout(running.mode.algorithm),
            memo: frame.outcome,
            key: self.keyed_text(Keyed { key, depth }),
            moves: moves.into_iter().map(format).collect(),
            board: game.draw(position),
            entered: game.trace().and_then(|trace| trace.entered_at(position)),
        }
    }
}

/// Runs a search until it stops, and reports the nodes visited as progress.
pub(super) fn drive<G: Game, W: Watcher<Search<G>> + ?Sized>(
    doing: &'static str,
    progress: &Progress,
    running: &mut Running<G>,
    game: &G,
    table: &mut AnyTable<G::Key>,
    watcher: &mut W,
    limits: &mut RunLimits<'_>,
) -> Stop {
    progress.begin(doing, Unit::Nodes, 0);
    let halt = loop {
        limits.slice_end = Instant::now().checked_add(PROGRESS_INTERVAL);
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

/// A note on what the user can do at the end of a search or of its recording.
fn note_at_end(halted: Option<(Stop, u64)>, done: bool) -> Option<String> {
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

/// The bound of a value found with a window. At the edge of the full window it is exact, as no value lies beyond.
fn bound_of(value: Score, window: Window, full: Window) -> Bound {
    match Bound::of(value, window) {
        Bound::Lower if value == full.beta => Bound::Exact,
        Bound::Upper if value == full.alpha => Bound::Exact,
        bound => bound,
    }
}

fn result_warning(basis: ResultBasis) -> Option<&'static str> {
    match basis {
        ResultBasis::Iteration => None,
        ResultBasis::Deeper => {
            Some("best move and value are those of the next depth, as far as searched")
        }
        ResultBasis::Over => Some("the game is over: there is no move to choose"),
        ResultBasis::Tie => Some("no iteration is complete, so all moves tie at 0 (defect D7)"),
        ResultBasis::Part => Some("no iteration is complete: the best of the moves so far"),
    }
}

/// Why the search stopped; `None` after a step that simply ended.
pub(super) fn stop_of<G: Game>(running: &Running<G>) -> Option<Stop> {
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
    /// The last event; `None` before the first event.
    pub(super) fn report_event(&self, game: &G) -> Option<EventReport> {
        let search = &self.search;
        if search.events() == 0 {
            return None;
        }
        let (event, node) = (search.describe(), search.frames().last()?);
        let at = event.ply.wrapping_sub(u32::from(!event.kind.has_move()));
        let node = (&node.position, node.window);
        Some(self.event_report(game, &event, node, self.move_from(at)))
    }

    /// The current move at a ply, with the position before it.
    fn move_from(&self, ply: u32) -> Option<(&G::Position, G::Move)> {
        Some((&self.search.frames().get(ply as usize)?.position, self.move_at(ply)?))
    }

    pub(super) fn move_text_at(&self, game: &G, ply: u32) -> Option<MoveText> {
        self.move_from(ply).map(|(from, mv)| game.move_text(from, mv))
    }

    /// An event as a reply: at a node, with the window that the node was entered with. `mv` is the move that the event concerns
    /// or, without one, the move that led to the node, with the position before it.
    pub(super) fn event_report(
        &self,
        game: &G,
        event: &Event,
        node: (&G::Position, Window),
        mv: Option<(&G::Position, G::Move)>,
    ) -> EventReport {
        let line = game.trace().and_then(|trace| trace.line(event.index));
        let Event { window, .. } = *event;
        EventReport {
            index: event.index,
            kind: event.kind,
            ply: event.ply,
            depth: event.depth,
            state: game.format_position(node.0),
            mv: mv.map(|(from, mv)| game.move_text(from, mv)),
            window,
            open: window.or(node.1),
            value: event.value,
            bound: self.bound_of(game, event, node, mv),
            line_number: line.as_ref().map(|(number, _)| *number),
            trace_line: line.map(|(_, line)| line),
        }
    }

    /// Whether the value that a move returned, or that is stored, is only a bound: `lower` or `upper`. The value of a leaf or of
    /// a finished game is exact under any window.
    fn bound_of(
        &self,
        game: &G,
        event: &Event,
        (position, window): (&G::Position, Window),
        mv: Option<(&G::Position, G::Move)>,
    ) -> Option<&'static str> {
        let Event { kind, ply, depth, value, .. } = *event;
        let (bound, leaf_depth) = match kind {
            EventKind::Cutoff | EventKind::Research => (Bound::Lower, 1),
            EventKind::Return if !G::IS_TRACE || value <= Some(event.window.alpha) => {
                (Bound::Upper, 1)
            }
            EventKind::Store if !G::IS_TRACE => (Bound::of(value?, window), 0),
            _ => return None,
        };
        let position = match mv {
            Some((from, mv)) if leaf_depth > 0 => game.apply(from, mv),
            _ => position.clone(),
        };
        let mode = &self.mode;
        let is_exact = bound == Bound::Exact
            || !mode.algorithm.has_windows()
            || ply == 0 && self.search.frames()[0].exact_moves
            || depth == leaf_depth && !(G::HAS_QUIESCENCE && mode.quiescence)
            || !G::IS_TRACE && game.terminal(&position, &G::History::default()).is_some();
        (!is_exact).then(|| bound.name())
    }
}

impl Resume {
    /// The name of the command, as in the field `stopped` of a [`StopReport`].
    const fn name(self) -> &'static str {
        match self {
            Self::Step(_) => "step",
            Self::Next => "next",
            Self::Finish => "finish",
            Self::Until(_) => "until",
            Self::Goto(_) => "goto",
            Self::Continue => "continue",
            Self::Advance => "advance",
            Self::Back(Backward::Step(_)) => "back",
            Self::Back(Backward::Next) => "back next",
            Self::Back(Backward::Finish) => "back finish",
            Self::Back(Backward::Until(_)) => "back until",
            Self::Back(Backward::Continue) => "back continue",
            Self::Back(Backward::Last) => "last",
        }
    }
}
