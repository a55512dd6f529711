use std::time::Duration;

use super::{Answer, Desk, Pair, Purpose, Running, Travel};
use crate::engine::{
    game::{Fault, Game, History, Keyed, Score, Window},
    memo::Bound,
    reply::{
        Bench, CacheCounters, FrameReport, Reply, RootMoveReport, Run, Seen, StopReport, Value,
        Where, boxed,
    },
    search::{Basis, Plan, RootMove, Stop},
    settings::Settings,
};

impl<G: Game> Desk<G> {
    /// Puts a search for the best moves under way, with these limits in place of the settings' own.
    pub(super) fn begin(&mut self, limits: &[Pair<'_>], purpose: Purpose) -> Answer<()> {
        let settings = self.limited(limits)?;
        let (reach, budget) = (settings.limits(), settings.budget());
        let running =
            Running { time_ms: settings.time_ms, ..self.prepare(|_| Plan::Best(reach), budget)? };
        let usual = std::mem::replace(&mut self.run.searcher.settings, settings);
        self.purpose = purpose;
        self.run.launch(running, Travel::Continue);
        self.run.searcher.settings = usual;
        Ok(())
    }

    /// A search from the position at hand that has not begun.
    pub(super) fn prepare(
        &self,
        plan: impl FnOnce(Window) -> Plan,
        budget: Option<u64>,
    ) -> Answer<Running<G>> {
        let root = (&self.now.position, &self.now.history);
        self.run.prepare(root, plan, budget)
    }

    /// The settings with these limits in place of their own.
    pub(super) fn limited(&self, limits: &[Pair<'_>]) -> Answer<Settings> {
        let mut settings = self.run.searcher.settings.clone();
        for (name, value) in limits {
            settings.set(name, value).map_err(|fault| fault.about(name))?;
        }
        Ok(settings)
    }

    /// A line of moves from a position, in words.
    pub(super) fn line(&self, from: &G::Position, moves: &[G::Move]) -> Vec<String> {
        let mut position = from.clone();
        let mut words = Vec::with_capacity(moves.len());
        for &mv in moves {
            words.push(self.run.searcher.game.format_move(&position, mv));
            position = self.run.searcher.game.apply(&position, mv);
        }
        words
    }

    /// Goes on with a line that the memo cut short, along entries that have exactly the line's value.
    fn prolonged(
        &self,
        root: &G::Position,
        line: &[G::Move],
        depth: u8,
        value: Option<Score>,
        full: Window,
    ) -> Vec<G::Move> {
        let mut line = line.to_vec();
        let mode = self.run.searcher.settings.mode();
        let (Some(mut value), false, true) =
            (value, mode.negate_black, self.run.searcher.settings.memo.keys_depth())
        else {
            return line;
        };
        let (mut position, mut history) = (root.clone(), self.now.history.clone());
        for &mv in &line {
            history.push(&position);
            position = self.run.searcher.game.apply(&position, mv);
            value = value.child(&self.run.searcher.game);
        }
        for left in (0..depth.saturating_sub(line.len() as u8)).rev() {
            let mut moves = Vec::new();
            self.run.searcher.game.expand(&position, &history, &mut moves);
            history.push(&position);
            let leads_on = |mv: &G::Move| {
                let child = self.run.searcher.game.apply(&position, *mv);
                let key = self.run.searcher.game.node_key(&child, &history, mode.scheme, left);
                let at = Keyed { key, depth: left };
                let entry = self.run.searcher.memo.entries().get(at);
                let entry = entry.filter(|_| self.may_answer(at, &child))?;
                let exact = entry.bound == Some(Bound::Exact) || !full.holds(value);
                (entry.value.parent(&self.run.searcher.game) == value && exact)
                    .then_some((*mv, entry.value))
            };
            let Some((mv, entry)) = moves.iter().find_map(leads_on) else {
                break;
            };
            position = self.run.searcher.game.apply(&position, mv);
            value = entry;
            line.push(mv);
        }
        line
    }

    /// The result as far as it is known.
    pub(super) fn report_run(&self, running: &Running<G>, halt: Option<Stop>) -> Run {
        let search = &running.search;
        let root = search.root();
        let known = search.known(&running.mode);
        let value = if known.basis == Basis::Over {
            self.run.searcher.game.terminal(root, &self.now.history)
        } else {
            known.value
        };
        let state = |chosen: &&RootMove<G>| {
            self.run.searcher.game.format_position(&self.run.searcher.game.apply(root, chosen.mv))
        };
        let mut moves = known.moves.to_vec();
        moves.sort_by(|a, b| {
            b.value.unwrap_or(Score::NEG_INFINITY).order(a.value.unwrap_or(Score::NEG_INFINITY))
        });
        let depth = search.complete().map_or(search.depth(), |complete| complete.depth);
        let line_of = |root_move: &RootMove<G>| {
            self.prolonged(root, &root_move.line, depth, root_move.value, search.full_window())
        };
        let report = |root_move: &RootMove<G>| RootMoveReport {
            mv: self.run.searcher.game.format_move(root, root_move.mv),
            value: root_move.value,
            bound: Some(root_move.bound.name())
                .filter(|_| root_move.bound != Bound::Exact && root_move.value.is_some()),
            pv: self.line(root, &line_of(root_move)),
        };
        Run {
            value,
            best: known
                .best
                .iter()
                .map(|chosen| self.run.searcher.game.format_move(root, chosen.mv))
                .collect(),
            best_states: known.best.iter().map(state).collect(),
            depth: search.complete().map_or(0, |complete| complete.depth),
            nodes: search.counters.nodes,
            stopped: stop_of(running, halt),
            moves: moves.iter().map(report).collect(),
            cache: CacheCounters::new(&running.search.counters, self.entries().len()),
            pv: known.best.first().map_or(Vec::new(), |chosen| self.line(root, &line_of(chosen))),
            ms: Some(running.ms),
            events: search.events(),
            breakpoint: running.breakpoint,
            timeline: self.run.one_of_several(),
            notes: caution(known.basis)
                .map(str::to_owned)
                .into_iter()
                .chain(self.tidying(running))
                .collect(),
            seen: Seen::default(),
        }
    }

    /// What was cleaned when the decision was made, in the words of seed 000.
    fn tidying(&self, running: &Running<G>) -> impl Iterator<Item = String> {
        let steps = running.search.is_over().then_some(&self.run.tidied);
        steps.into_iter().flatten().map(|step| step.words(true))
    }

    /// Goes on with the search under way, or with a new one where none is.
    fn take_up(&mut self, travel: Travel) -> Answer<()> {
        if self.run.running.is_some() {
            return self.run.take_up(travel);
        }
        let settings = &self.run.searcher.settings;
        let limits = settings.limits();
        let running = self.prepare(|_| Plan::Best(limits), settings.budget())?;
        self.run.launch(running, travel);
        Ok(())
    }

    /// Moves the search as far as a slice of time lets it, and says where it stands.
    pub(super) fn moved(&mut self, travel: Travel) -> Answer<StopReport> {
        self.purpose = Purpose::Travel(travel);
        let halted = self.run.pump(self.slice);
        self.report_stop(travel, halted)
    }

    /// Where a step has led; `halted` is nothing while it is still under way.
    pub(super) fn report_stop(
        &self,
        travel: Travel,
        halted: Option<(Stop, u64)>,
    ) -> Answer<StopReport> {
        let running = self.run.under_way()?;
        let stopped = match halted {
            None => "running",
            Some((Stop::Start, _)) => "start",
            Some((Stop::End, _)) => "end",
            Some((halt, _)) => stop_of(running, Some(halt)).map_or(travel.name(), Stop::name),
        };
        let done = running.search.is_over();
        let finished = done || running.search.stopped().is_some();
        let mut notes = self.run.notes.clone();
        notes.extend(beyond_the_end(halted, done));
        if let Travel::Goto(index) = travel {
            notes.extend(self.run.no_such_event(index));
        }
        Ok(StopReport {
            event: self.report_event(running),
            stopped: stopped.into(),
            done,
            breakpoint: running.breakpoint,
            events: halted.map_or(0, |(_, events)| events),
            result: finished.then(|| Box::new(self.report_run(running, None))),
            timeline: self.run.name(),
            notes,
            seen: self.seen(),
        })
    }

    /// The result of a run, with what was watched on its way.
    pub(super) fn report_watched_run(&self, running: &Running<G>, halt: Option<Stop>) -> Run {
        Run { seen: self.seen(), ..self.report_run(running, halt) }
    }
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
fn caution(basis: Basis) -> Option<&'static str> {
    match basis {
        Basis::Iteration => None,
        Basis::Over => Some("the game is over: there is no move to choose"),
        Basis::Tie => Some("no iteration is complete, so all moves tie at 0 (defect D7)"),
        Basis::Part => Some("no iteration is complete: the best of the moves looked at so far"),
    }
}

fn stop_of<G: Game>(running: &Running<G>, halt: Option<Stop>) -> Option<Stop> {
    match halt {
        Some(Stop::Breakpoint(_) | Stop::Time | Stop::Interrupt) => halt,
        _ => running.search.stopped(),
    }
}

/// Searching at full speed and event by event.
pub trait Searching {
    /// The value of the position at a depth; the full window where none is given.
    fn value(&mut self, depth: u8, alpha: Option<Score>, beta: Option<Score>) -> Answer<Value>;
    /// The remaining depth that the settings name.
    fn depth_setting(&self) -> Option<u8>;
    /// The best moves, by a new search with the settings in force, and with these limits in place of theirs.
    fn run(&mut self, limits: &[Pair<'_>]) -> Answer<Run>;
    /// Goes on with the search under way, or starts one.
    fn travel(&mut self, travel: Travel) -> Answer<StopReport>;
    /// Goes on for a slice of time with what `run` or `travel` began; the report once that is done.
    fn advance(&mut self, slice: Duration) -> Option<Box<dyn Reply>>;
    /// Whether `run` or `travel` has begun something that `advance` is to go on with.
    fn is_running(&self) -> bool;
    /// With a slice, `run` and `travel` come back after it at the latest, and `advance` goes on; without, they run through.
    fn set_slice(&mut self, slice: Option<Duration>);
    /// Forgets the search under way.
    fn drop_search(&mut self) -> bool;
    /// The search stack.
    fn stack(&self) -> Answer<Where>;
    /// Selects a frame by its ply, or shows the selected one.
    fn frame(&mut self, ply: Option<usize>) -> Answer<FrameReport>;
    /// The result so far of the search under way.
    fn result(&self) -> Answer<Run>;
    /// Runs the fixed bench and counts its nodes.
    fn bench(&self) -> Answer<Bench>;
}

impl<G: Game> Searching for Desk<G> {
    fn value(&mut self, depth: u8, alpha: Option<Score>, beta: Option<Score>) -> Answer<Value> {
        let mut asked = Window::INFINITE;
        let plan = |full: Window| {
            asked = Window { alpha: alpha.unwrap_or(full.alpha), beta: beta.unwrap_or(full.beta) };
            Plan::Value { depth, window: asked }
        };
        let mut running = self.prepare(plan, None)?;
        if Window::new(asked.alpha, asked.beta).is_none() {
            return Err(Fault::new(format!(
                "the window {asked} is empty: alpha must be below beta"
            ))
            .hint("give --alpha and --beta with alpha < beta, or neither")
            .about("alpha"));
        }
        let halt = self.run.run_through(&mut running);
        let value = running.search.value();
        Ok(Value {
            value,
            depth,
            alpha: asked.alpha,
            beta: asked.beta,
            bound: value.map(|value| known_as(value, asked, running.search.full_window()).name()),
            nodes: running.search.counters.nodes,
            cache: CacheCounters::new(&running.search.counters, self.entries().len()),
            pv: self.line(&self.now.position, running.search.line()),
            ms: Some(running.ms),
            stopped: stop_of(&running, Some(halt)).filter(|_| value.is_none()),
        })
    }

    fn depth_setting(&self) -> Option<u8> {
        self.run.searcher.settings.depth
    }

    fn run(&mut self, limits: &[Pair<'_>]) -> Answer<Run> {
        self.begin(limits, Purpose::Run)?;
        let halt = self.run.pump(self.slice).map(|(halt, _)| halt);
        Ok(self.report_watched_run(self.run.under_way()?, halt))
    }

    fn travel(&mut self, travel: Travel) -> Answer<StopReport> {
        match travel {
            Travel::Back(way) => self.run.walk_back(way)?,
            Travel::Goto(index) if self.run.running.is_some() => self.run.go_to(index)?,
            _ => self.take_up(travel)?,
        }
        self.moved(travel)
    }

    fn advance(&mut self, slice: Duration) -> Option<Box<dyn Reply>> {
        let (halt, events) = self.run.pump(Some(slice))?;
        let report = match self.purpose {
            Purpose::Run => self
                .run
                .under_way()
                .map(|running| boxed(self.report_watched_run(running, Some(halt)))),
            Purpose::Play => self.play_found(halt),
            Purpose::Travel(travel) => self.report_stop(travel, Some((halt, events))).map(boxed),
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

    fn stack(&self) -> Answer<Where> {
        self.report_stack()
    }

    fn frame(&mut self, ply: Option<usize>) -> Answer<FrameReport> {
        self.select_frame(ply)
    }

    fn result(&self) -> Answer<Run> {
        Ok(self.report_run(self.run.under_way()?, None))
    }

    fn bench(&self) -> Answer<Bench> {
        super::bench::bench(&self.run.searcher.game, &self.run.interrupt)
    }
}
