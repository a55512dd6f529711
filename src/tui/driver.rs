//! Connects shell and screen: runs queued lines, looks up what the panes show, and passes replies to the screen.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    command::{Failure, Kind, Outcome, Param, Response, Shell, SourceOrigin},
    engine::session::{
        cache::CacheEdit,
        explain::EventExplained,
        game_file::ListedGames,
        guests::BackgroundAnalysis,
        playing::PlayedReport,
        position::PositionReport,
        quiz::QuizReport,
        reply::Stop,
        saving::SessionReport,
        search::{Run, StopReport},
        tuning::WeightsReport,
    },
    interrupt::Interrupt,
    text::{layout::on_page, or_empty},
    tui::{
        app::{App, changes_work},
        data::{BoardOf, Query},
        layout::BottomSlot,
        lines::wrapped_in,
        log::LogLine,
        sheet::{self, Content, Sheet, fitted_lines},
        state::{Busy, By, EngineSides, Hint, Job, Losing, Overlay, STEPS, events_of_step},
    },
    view::{self, Colour},
};

/// The length of a search slice, which is the longest time that a key waits.
pub const SLICE: Duration = Duration::from_millis(4);
/// The interval between look-ups while a search runs.
const LOOKUP: Duration = Duration::from_millis(60);
/// The time before the screen shows a replay backwards; a short replay would only flicker.
const STILL: Duration = Duration::from_millis(400);
/// The commands that begin a search.
const SEARCHES: [&str; 4] = ["search run", "engine play", "engine hint", "game draw"];

/// What the event loop does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Run the next statement.
    Statement,
    /// Run the search for a slice of time.
    Search,
    /// Wait for a message, because there is nothing to run.
    Idle,
}

/// Where a reply goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplyPlace {
    /// To the command pane, in full.
    Text,
    /// To the command pane, as one line; a pane shows the rest.
    Line,
    /// To a sheet; the command pane has one line.
    Sheet,
}

/// The shell, the screen, and the line that is being run.
#[derive(Debug)]
pub struct Driver {
    /// The shell that runs the queued lines.
    pub shell: Shell,
    /// The screen that shows the replies.
    pub app: App,
    /// The flag that interrupts the shell's command.
    pub interrupt: Interrupt,
    job: Option<Job>,
    statement: String,
    /// The texts to print in the command pane.
    pub printed: Vec<String>,
    /// The error that was printed last.
    failed: Option<Box<Failure>>,
    looked_up: Option<Instant>,
    /// When the running statement has begun.
    began: Instant,
}

impl Driver {
    /// A driver whose searches run in slices.
    pub fn new(mut shell: Shell, app: App) -> Self {
        shell.engine.set_slice(Some(SLICE));
        shell.interactive = true;
        Self {
            interrupt: Interrupt::new(shell.interrupt()),
            shell,
            app,
            job: None,
            statement: String::new(),
            printed: Vec::new(),
            failed: None,
            looked_up: None,
            began: Instant::now(),
        }
    }

    /// What the event loop does next. After a line is done, the next queued line is loaded; an interrupt clears the queue.
    pub fn step(&mut self) -> Step {
        if self.shell.is_searching() {
            return Step::Search;
        }
        if self.job.is_some() && self.interrupt.stop_requested() {
            self.shell.abandon();
            // The command for which this one was stopped stays in the queue.
            self.app.state.queue.retain(|job| job.by == By::Jump);
        }
        loop {
            if let Some(upcoming) = self.shell.upcoming() {
                let upcoming = upcoming.trim().to_owned();
                if let Some(question) = self.loss(&upcoming) {
                    self.shell.abandon();
                    self.app.state.overlay = Some(question);
                    continue;
                }
                self.begin(upcoming);
                return Step::Statement;
            }
            self.interrupt.end();
            self.job = self.app.state.queue.pop_front();
            let Some(job) = &self.job else { return Step::Idle };
            if job.by == By::Demo {
                self.app.press(&job.line);
                continue;
            }
            self.interrupt.begin();
            self.app.state.sheet.take_if(|sheet| sheet.is_failure());
            // Statements that are left from an earlier line must not run with this one.
            self.shell.abandon();
            let line = self.at_event(job);
            if let Err(failure) = self.shell.load(SourceOrigin::Typed, &line) {
                self.finish(&Err(failure));
            }
        }
    }

    /// The question before a statement that was typed alone loses something: a file of another session, or work that is not saved.
    /// As in a script, several statements in a line run without questions.
    fn loss(&mut self, statement: &str) -> Option<Overlay> {
        let (job, state) = (self.job.as_ref()?, &self.app.state);
        let is_alone = job.line.trim() == statement || job.line.trim_start().starts_with("open ");
        if !is_alone || job.by != By::Typing {
            return None;
        }
        let is_other = |file: &PathBuf| state.file.as_ref() != Some(file) && file.exists();
        if let Some(file) = self.shell.upcoming_output().filter(is_other) {
            let effect = format!("overwrites {}", file.display());
            return Some(Overlay::Sure(statement.to_owned(), effect));
        }
        let drops = state.unsaved && self.shell.upcoming_replaces();
        drops.then(|| Overlay::Unsaved(Losing::Line(statement.to_owned())))
    }

    /// A job's line; in that of a key, with the number of the current event in place of `{event}`.
    fn at_event(&self, Job { line, by }: &Job) -> String {
        if *by != By::Key || !line.contains("{event}") {
            return line.clone();
        }
        let stack = self.shell.session().stack().ok();
        let event = stack.and_then(|stack| stack.event).map(|event| event.index.to_string());
        line.replace("{event}", event.as_deref().unwrap_or("start"))
    }

    fn begin(&mut self, statement: String) {
        let kind = if self.by() == By::Typing { LogLine::Typed } else { LogLine::Key };
        self.app.state.log.add(kind, statement.clone());
        // After an unreadable answer or a mistyped command, the question of the quiz stays on the sheet.
        let command = self.shell.upcoming_command();
        let command = command.map(|spec| spec.name);
        if self.by() != By::Sheet && command.is_some_and(|name| name != "quiz answer") {
            self.app.state.sheet = None;
        }
        self.app.state.busy =
            Some(Busy { command: statement.clone(), seconds: None, operation: None });
        let (by, state) = (self.by(), &mut self.app.state);
        let is_step = STEPS.contains(&&*statement) || events_of_step(&statement).is_some();
        (state.refused, state.stepping) = (false, is_step);
        state.moving = command == Some("engine play");
        state.seeks = command == Some("last");
        state.still = state.seeks || command.is_some_and(|name| name.starts_with("back"));
        // A jump in place of another one began where that did.
        let goes_on = by == By::Jump && state.jumping && state.began_at.is_some();
        if !goes_on {
            state.began_at = state.data.event().map(|event| event.index);
        }
        state.jumping = by == By::Jump;
        if let Some(command) = command.filter(|command| SEARCHES.contains(command)) {
            // After a hint, the board marks the best moves instead of the best line.
            state.hint = match command {
                "engine hint" => Hint::Shown,
                "game draw" => Hint::Offer,
                _ => Hint::None,
            };
            // The results of a search are shown on the game's board.
            state.shown = BoardOf::Position;
            state.curves.clear();
        }
        (self.statement, self.began) = (statement, Instant::now());
    }

    /// Looks up what follows a running search, unless the screen still shows the event where a way back began. While the writer
    /// of an entry is sought, only header and time line follow: the panes would flicker through events that nobody asked for.
    fn follow_search(&mut self) {
        let state = &mut self.app.state;
        state.still &= self.began.elapsed() < STILL;
        if state.still {
            return;
        }
        if state.seeks {
            state.data.look_up_again(&mut self.shell, &[Query::SearchResult, Query::Timelines]);
            self.looked_up = Some(Instant::now());
        } else {
            self.look_up(false);
        }
    }

    /// Whether the statement to run is a move of an engine that plays both sides.
    pub fn plays_itself(&self) -> bool {
        let is_move = self.shell.upcoming_command().is_some_and(|spec| spec.name == "engine play");
        is_move && self.by() == By::Key && self.app.state.engine == EngineSides::Both
    }

    fn by(&self) -> By {
        self.job.as_ref().map_or(By::Key, |job| job.by)
    }

    /// Called when a statement has returned; a search that it has begun may still be running.
    pub fn ran(&mut self, outcome: Option<&Outcome>) {
        self.app.command_returned();
        self.app.state.searching = self.shell.is_searching();
        match outcome {
            Some(Ok(_)) if self.app.state.searching => self.follow_search(),
            Some(outcome) => self.finish(outcome),
            None => {}
        }
    }

    /// Continues the search for a slice of time.
    pub fn search(&mut self, slice: Duration) {
        let reply = self.shell.advance_search(slice);
        self.app.state.searching = self.shell.is_searching();
        if let Some(reply) = reply {
            self.finish(&Ok(reply));
            // The result is drawn before the slow queries about a large cache or tree are answered.
            self.look_up(false);
        } else if !self.app.state.searching {
            self.app.state.stale = true;
        } else if self.looked_up.is_none_or(|at| at.elapsed() >= LOOKUP) {
            self.follow_search();
        }
    }

    fn finish(&mut self, outcome: &Outcome) {
        let by = self.by();
        // If a later jump has stopped this one, its reply is not shown.
        if by == By::Jump && self.app.state.queue.iter().any(|job| job.by == By::Jump) {
            return;
        }
        self.app.state.jumping = false;
        if self.app.state.hint == Hint::Shown && outcome.as_ref().is_ok_and(changes_work) {
            self.app.state.hint = Hint::Over;
        }
        let begun_by_key = by == By::Typing && self.app.state.returns;
        let is_shown = self.app.replied(by, outcome);
        if let (Err(failure), true, Some(job)) = (outcome, begun_by_key, &self.job) {
            let end = job.line.len();
            let fault = failure.fault.at.clone().unwrap_or(end..end);
            self.app.type_again(&job.line, fault);
        }
        let text = match outcome {
            Ok(response) => self.reply_text(response, is_shown),
            Err(failure) if by == By::Typing => self.failure_text(failure),
            Err(_) => String::new(),
        };
        if by == By::Typing {
            self.printed.push(text);
        } else if let Ok(response) = outcome
            && response.reply.is::<PlayedReport>()
            && self.app.state.focus == self.app.command()
        {
            // The engine's move answers the one typed above it.
            self.printed.push(view::line(&*response.reply));
        }
        let is_free = self.app.state.status.is_none() && self.app.state.overlay.is_none();
        // Tips name commands; after a key, the key bar has the next keys.
        if let (Ok(response), true) = (outcome, is_free && by == By::Typing)
            && let Some(tip) = self.shell.tip(response)
        {
            self.app.state.status = Some((LogLine::Reply, tip));
        }
        if outcome.is_err() {
            if by == By::Typing && self.shell.upcoming().is_some() {
                self.app.state.say("what follows it in the line was not run; Up recalls it all");
            }
            self.shell.abandon();
        }
    }

    /// The text of a failure for the command pane; if it is too long, a sheet has it.
    fn failure_text(&mut self, failure: &Failure) -> String {
        let columns = self.reply_area().0;
        let text = on_page(columns, || view::failure_as(failure, self.shell.json, Colour::Off));
        if self.has_room_for(&text) {
            self.failed = Some(Box::new(failure.clone()));
            return text;
        }
        self.app.show_failure(failure);
        String::new()
    }

    /// Whether the command pane has room for an error; it needs none while it is closed.
    fn has_room_for(&self, text: &str) -> bool {
        let (columns, rows) = self.reply_area();
        self.app.state.focus != self.app.command()
            || fitted_lines(text, columns).len() <= rows.max(1)
            || self.app.state.open_command_pane() == BottomSlot::Zoomed
    }

    /// The texts to print. A sheet has the last error if the command pane has become lower, as a look-up can make it.
    pub fn take_printed(&mut self) -> Vec<String> {
        let mut printed = std::mem::take(&mut self.printed);
        if let Some(failure) = self.failed.take()
            && let Some(last) = printed.last_mut()
            && !self.has_room_for(last)
        {
            last.clear();
            self.app.show_failure(&failure);
        }
        printed
    }

    /// The columns of the command pane, and its rows above the prompt.
    fn reply_area(&self) -> (usize, usize) {
        let (columns, rows) = self.app.editor_size();
        (columns.into(), usize::from(rows - 1))
    }

    /// The text of a reply for the command pane: of a long reply one line, ending with `…`; a pane or a sheet shows the rest.
    fn reply_text(&mut self, response: &Response, is_shown: bool) -> String {
        let text = view::response(response);
        let (columns, rows) = self.reply_area();
        let is_open = self.app.state.focus == self.app.command();
        // A demo has the same sheets on every screen.
        let most = match self.app.state.overlay {
            Some(_) => 3,
            None if is_open => rows.max(1),
            None => rows.max(3),
        };
        // A zoomed command pane shows replies as a terminal does, however long.
        let is_zoomed = is_open && self.app.state.open_command_pane() == BottomSlot::Zoomed;
        let is_short = is_zoomed || fitted_lines(&text, columns.max(1)).len() <= most;
        let place = self.reply_place(response, &text, is_shown, is_short);
        if place == ReplyPlace::Text {
            return text;
        }
        let mut line = view::line(&*response.reply);
        if self.is_hint(response) {
            self.app.state.say(&line);
        }
        if place == ReplyPlace::Sheet {
            self.show_on_sheet(response, &line);
            line += " …";
        }
        let lines = fitted_lines(&line, columns.max(1));
        let is_cut = lines.len() > most;
        let is_typed = self.by() == By::Typing;
        let stop = response.reply.downcast_ref::<StopReport>().filter(|_| is_cut && is_typed);
        if let Some(note) = stop.and_then(|stop| stop.notes.first()) {
            self.app.state.say(note.as_str());
        }
        // The first row of the reply stays in sight.
        if is_cut { wrapped_in(&line, columns, most) } else { lines }.join("\n")
    }

    /// Where a reply goes. `is_shown`: a pane has come to the front to show it; `is_short`: the command pane has room for all of it.
    fn reply_place(
        &self,
        response: &Response,
        text: &str,
        is_shown: bool,
        is_short: bool,
    ) -> ReplyPlace {
        let (reply, by, state) = (&*response.reply, self.by(), &self.app.state);
        // A sheet about a loaded session would cover the panes that show the session.
        let is_asked = by == By::Typing && !response.changed() && !reply.is::<SessionReport>();
        let is_move = state.moving && reply.is::<Run>();
        // Weights that a key puts in force are in the evaluation pane.
        let is_seen = self.is_hint(response)
            || is_move
            || sheet::is_seen_elsewhere(reply)
            || by == By::Key && reply.is::<WeightsReport>();
        let has_quiz =
            |it: &QuizReport| it.question.is_some() || it.verdict.is_some() || it.asked > 0;
        let is_quiz = reply.downcast_ref::<QuizReport>().is_some_and(has_quiz);
        // A demo shows its own text.
        let by_key = state.overlay.is_none() && !matches!(by, By::Typing | By::Demo);
        match () {
            () if response.json || response.silent => ReplyPlace::Text,
            // The last rows of an entry with its board would say nothing by themselves.
            () if is_shown && !is_short && reply.is::<CacheEdit>() => ReplyPlace::Line,
            () if is_shown => ReplyPlace::Text,
            () if is_seen && !is_asked => ReplyPlace::Line,
            // A reply of several lines to a key goes to a sheet, as does a quiz.
            () if is_quiz || by_key && text.contains('\n') || !is_short => ReplyPlace::Sheet,
            () => ReplyPlace::Text,
        }
    }

    /// Whether the reply is that of a hint, which the board shows.
    fn is_hint(&self, response: &Response) -> bool {
        self.app.state.hint == Hint::Shown && response.reply.is::<Run>()
    }

    /// Shows a reply on a sheet. The result of a search begun by a key is a message instead if the sheet would cover the focused list.
    fn show_on_sheet(&mut self, response: &Response, line: &str) {
        let quiz = response.reply.downcast_ref::<QuizReport>();
        let is_question = quiz.is_some_and(|quiz| quiz.question.is_some());
        let origins = self.origins_beside_stack(response);
        let title = match response.command {
            _ if is_question => "question".to_owned(),
            // The statement names a cutoff also where the answer is that there is none, and a move in the notation of programs.
            "explain cutoff" | "explain move" if self.by() != By::Typing => "why".to_owned(),
            _ if self.by() != By::Typing => self.statement.replacen("explain", "why", 1),
            _ => self.statement.clone(),
        };
        let content =
            origins.map_or_else(|| Content::Reply(Arc::clone(&response.reply)), Content::Origin);
        let mut sheet = Sheet::new(&title, content, self.app.state.look.ascii);
        if let Some(run) = response.reply.downcast_ref::<Run>() {
            sheet.note = self.search_note(run);
            let is_free = self.by() == By::Key && self.app.state.status.is_none();
            if is_free && run.ends_in_capture {
                let hint = self.app.state.key_to("hint", "looks beyond it");
                let hint = or_empty(hint.map(|hint| format!("; {hint}")));
                self.app.state.say(format!("the best line ends in a capture{hint}"));
            }
        }
        // A list that a key has opened is there to choose from.
        sheet.is_active = self.by() == By::Key && response.reply.is::<ListedGames>();
        self.app.state.sheet = Some(sheet);
        let in_list = self.app.focused().is_some_and(|pane| pane.pane.cursor().is_some());
        let is_search = self.by() == By::Key && response.reply.is::<Run>();
        if is_search && in_list && self.app.is_covered() {
            self.app.state.sheet = None;
            self.app.state.status.get_or_insert_with(|| (LogLine::Note, line.to_owned()));
        }
    }

    /// The explanation of an event without its meaning, which the stack has. `None` if the stack is not in sight, and for an event with
    /// a finding, whose meaning is what the key asks for.
    fn origins_beside_stack(&self, response: &Response) -> Option<String> {
        let state = &self.app.state;
        let is_beside = self.by() != By::Typing && state.areas().of("stack").is_some();
        let explained = response.reply.downcast_ref::<EventExplained>().filter(|_| is_beside)?;
        let event = explained.event.index;
        let mut findings = state.trace().into_iter().flat_map(|trace| &trace.found.findings);
        let is_shown = !explained.origins.is_empty() && findings.all(|it| it.event != event);
        is_shown.then(|| format!("{}\n{}", explained.event.line(), explained.origins.join("\n")))
    }

    /// What a result of a search does not say by itself: that the review judges otherwise, that a hint may differ, the iteration
    /// that its limit broke off, and that the value of the line may be wrong because its end was not searched.
    fn search_note(&self, run: &Run) -> String {
        let is_broken_off =
            matches!(run.stopped, Some(Stop::Budget | Stop::Time | Stop::Interrupt));
        let hint = self.app.state.key("hint");
        let weights = self
            .weights_and_those_of_hints()
            .map(|(own, play)| {
                format!(
                    "Weights `{own}`; hints ({hint}) and reviews use `{play}`, as a search does after `weights use {play}`. "
                )
            });
        let depth = is_broken_off.then(|| format!("Depth {} was not completed. ", run.depth + 1));
        let leaf = run.ends_in_capture.then_some(
            "The line ends in a capture: without `quiescence=on`, no search looks beyond it.",
        );
        let position = self.app.state.data.get::<PositionReport>();
        let mistake = position.and_then(PositionReport::mistake);
        let mistake = mistake.filter(|(mv, _)| run.best.first() == Some(*mv));
        let review =
            mistake.map(|(mv, mark)| format!("The review marks {mv} with `{}`. ", mark.signs));
        or_empty(review) + &or_empty(weights) + &or_empty(depth) + leaf.unwrap_or_default()
    }

    /// The names of the weights in force and of those of hints, if they differ.
    fn weights_and_those_of_hints(&self) -> Option<(String, String)> {
        let session = self.shell.session();
        let (now, sets) = (session.weights().weights, session.weight_sets());
        let own = sets.sets.into_iter().find(|set| set.weights == now)?.name?;
        sets.play.filter(|play| *play != own).map(|play| (own, play))
    }

    /// Whether the next statement may draw screens: `picture screen`, `picture film`, or a command that runs another one.
    pub fn draws_screen(&self) -> bool {
        let nests = |param: &Param| matches!(param.kind, Kind::CommandLine);
        self.shell.upcoming_command().is_some_and(|spec| {
            ["picture screen", "picture film"].contains(&spec.name) || spec.params.iter().any(nests)
        })
    }

    /// Looks up all queries; with `all` false, only those without a reply and those that follow a running search.
    pub fn look_up(&mut self, all: bool) {
        let (wants, state) = (self.app.wants(), &mut self.app.state);
        state.data.refresh(&mut self.shell, &wants, &state.shown, all);
        self.looked_up(all);
    }

    /// Looks up the lines of the engine that follows the game. Returns whether there are new ones.
    pub fn look_at_analyst(&mut self) -> bool {
        let found = self.shell.look_up_as::<BackgroundAnalysis>(Query::Analyst.into());
        let Ok(found) = found else { return false };
        let data = &mut self.app.state.data;
        let is_new = data.get() != Some(&found);
        data.put(Query::Analyst, found);
        is_new
    }

    /// Called after a look-up. The panes may have chosen another board.
    pub fn looked_up(&mut self, all: bool) {
        self.app.state.stale &= !all;
        self.app.state.has_more = self.shell.upcoming().is_some();
        self.app.looked_up();
        self.looked_up = Some(Instant::now());
        let state = &mut self.app.state;
        state.data.look_at_board(&mut self.shell, &state.shown, false);
    }

    /// Runs everything that is queued, without a terminal; for tests.
    pub fn settle(&mut self) {
        loop {
            match self.step() {
                Step::Statement => {
                    let outcome = self.shell.advance();
                    self.ran(outcome.as_ref());
                }
                Step::Search => self.search(SLICE),
                Step::Idle => break,
            }
        }
        self.look_up(true);
        while self.app.is_stale() {
            self.look_up(false);
        }
    }
}
