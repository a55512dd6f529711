//! Between the shell and the screen's state: which statement is next, what is looked up, and who hears of an answer.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    command::{self, Failure, Outcome, Response, Shell, SourceOrigin},
    engine::session::{quiz::QuizReport, search::Run},
    interrupt::Interrupt,
    tui::{
        app::App,
        data::BoardOf,
        log::LogLine,
        sheet::{self, Sheet},
        state::{Busy, By, Job},
    },
    view::{self, Colour},
};

/// How long a search has the machine before keys are looked at.
pub const SLICE: Duration = Duration::from_millis(4);
/// How often what a running search changes is looked up.
const LOOKUP: Duration = Duration::from_millis(60);

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A statement.
    Statement,
    /// A slice of the search.
    Search,
    /// Nothing: wait for somebody.
    Idle,
}

/// The shell, the screen's state, and the line at hand.
#[derive(Debug)]
pub struct Driver {
    /// Runs what waits in the state.
    pub shell: Shell,
    /// Shows what comes of it.
    pub app: App,
    /// Stops what is run.
    pub interrupt: Interrupt,
    job: Option<Job>,
    statement: String,
    /// What is to appear in the command pane.
    pub printed: Vec<String>,
    looked_up: Option<Instant>,
}

impl Driver {
    /// Over a shell; searches run in slices from now on.
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
            looked_up: None,
        }
    }

    /// What is to be done next; loads the next line when the last is done, or forgets what waits after an interrupt.
    pub fn step(&mut self) -> Step {
        if self.shell.is_searching() {
            return Step::Search;
        }
        if self.job.is_some() && self.interrupt.pressed() {
            self.shell.abandon();
            self.app.state.queue.clear();
        }
        loop {
            if let Some(upcoming) = self.shell.upcoming() {
                let upcoming = upcoming.trim().to_owned();
                self.begin(upcoming);
                return Step::Statement;
            }
            self.interrupt.end();
            self.job = self.app.state.queue.pop_front();
            let Some(job) = &self.job else {
                return Step::Idle;
            };
            if job.by == By::Demo {
                self.app.press(&job.line);
                continue;
            }
            self.interrupt.begin();
            // The line before is done, and called nothing that comes now.
            self.shell.abandon();
            if let Err(failure) = self.shell.load(SourceOrigin::Typed, &job.line) {
                self.answered(&Err(failure));
            }
        }
    }

    fn begin(&mut self, statement: String) {
        let kind = if self.by() == By::Typing { LogLine::Typed } else { LogLine::Key };
        self.app.state.log.add(kind, statement.clone());
        self.app.state.sheet = None;
        self.app.state.busy =
            Some(Busy { command: statement.clone(), seconds: None, operation: None });
        if begins_search(&statement) {
            self.app.state.hinted = statement.starts_with("hint");
            // What is found is shown on the game's board.
            self.app.state.shown = BoardOf::Position;
            self.app.state.curves.clear();
        }
        self.statement = statement;
    }

    fn by(&self) -> By {
        self.job.as_ref().map_or(By::Key, |job| job.by)
    }

    /// A statement has come back; a search that it began may go on.
    pub fn ran(&mut self, outcome: Option<&Outcome>) {
        self.app.rest();
        self.app.state.searching = self.shell.is_searching();
        match outcome {
            Some(Ok(_)) if self.app.state.searching => self.look_up(false),
            Some(outcome) => self.answered(outcome),
            None => {}
        }
    }

    /// Lets the search run for a slice.
    pub fn search(&mut self, slice: Duration) {
        let reply = self.shell.advance_search(slice);
        self.app.state.searching = self.shell.is_searching();
        if let Some(reply) = reply {
            self.answered(&Ok(reply));
        } else if !self.app.state.searching {
            self.app.state.stale = true;
        } else if self.looked_up.is_none_or(|at| at.elapsed() >= LOOKUP) {
            self.look_up(false);
        }
    }

    fn answered(&mut self, outcome: &Outcome) {
        let by = self.by();
        let is_shown = self.app.replied(&self.statement, by, outcome);
        let look = &self.app.state.look;
        let text = match outcome {
            Ok(response) => self.told(response, is_shown),
            Err(failure) => self.blamed(failure, look.colour),
        };
        if by == By::Typing {
            self.printed.push(text);
        }
        let is_free = self.app.state.status.is_none() && self.app.state.overlay.is_none();
        if let (Ok(response), true) = (outcome, is_free)
            && let Some(tip) = self.shell.tip(response)
        {
            self.app.state.status = Some((LogLine::Reply, tip));
        }
        if outcome.is_err() {
            self.shell.abandon();
        }
    }

    /// What went wrong, as it appears in the command pane: where there is little room without the line that was typed.
    fn blamed(&self, failure: &Failure, colour: Colour) -> String {
        let text = view::failure_as(failure, self.shell.json, colour);
        let is_said = |line: &&str| !line.starts_with("    ");
        let fits = text.lines().count() <= self.room();
        if fits { text } else { text.lines().filter(is_said).collect::<Vec<_>>().join("\n") }
    }

    /// The lines that the command pane has for an answer, with the prompt below.
    fn room(&self) -> usize {
        let area = self.app.state.areas().of(self.app.command());
        area.map_or(0, |area| usize::from(area.height.saturating_sub(3)))
    }

    /// An answer as it appears in the command pane: of a long one a line, the rest on a sheet unless a pane shows it.
    fn told(&mut self, response: &Response, is_shown: bool) -> String {
        let text = view::response(response);
        let room = self.room();
        let is_asked = self.by() == By::Typing && !command::table().changes(&self.statement);
        let state = &mut self.app.state;
        // What the panes show needs a line only; a hint is on the board.
        let is_hint = state.hinted && response.reply.is::<Run>();
        let is_seen = !is_asked && (is_hint || sheet::is_seen_elsewhere(&*response.reply));
        let is_short = text.lines().count() <= room.max(3);
        // Nobody looks for the answer to a key in the command pane; a quiz is read and answered over several commands. What a
        // demo runs is told in its own words.
        let by_key =
            state.overlay.is_none() && self.job.as_ref().is_some_and(|it| it.by == By::Key);
        let stays = response.reply.is::<QuizReport>() || by_key && text.contains('\n');
        if is_shown || is_short && !is_seen && !stays || response.json || response.silent {
            return text;
        }
        if !is_seen {
            state.sheet = Some(Sheet::of(&self.statement, Arc::clone(&response.reply)));
        }
        let line = view::line(&*response.reply);
        if is_hint {
            state.say(&line);
        }
        line
    }

    /// Looks up what the panes show: all of it, or what is missing and what a running search changes.
    pub fn look_up(&mut self, all: bool) {
        let (wants, state) = (self.app.wants(), &mut self.app.state);
        state.data.refresh(&mut self.shell, &wants, &state.shown, all);
        self.looked_up(all);
    }

    /// What the panes show has been looked up. The board may have to follow them.
    pub fn looked_up(&mut self, all: bool) {
        self.app.state.stale &= !all;
        self.app.looked_up();
        self.looked_up = Some(Instant::now());
        let state = &mut self.app.state;
        state.data.look_at_board(&mut self.shell, &state.shown, false);
    }

    /// Runs everything that waits, without a terminal: what tests do.
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

/// Whether a command line begins a search.
fn begins_search(statement: &str) -> bool {
    let words: Vec<_> = statement.split_whitespace().collect();
    let known = command::table().exact(&words);
    known.is_some_and(|(spec, _)| ["search run", "engine play"].contains(&spec.name))
}
