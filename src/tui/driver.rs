//! Between the shell and the screen's state: which statement is next, and who hears of its answer.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use super::{
    app::{App, Effect, Shown},
    log::Line,
};
use crate::{
    command::{Origin, Outcome, Reply, Shell},
    interrupt::Interrupt,
    view::{self, Colour},
};

/// How long a search has the machine before keys are looked at.
pub const SLICE: Duration = Duration::from_millis(4);
/// How often what a running search changes is looked up.
const LOOKUP: Duration = Duration::from_millis(60);

/// Who asked for a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A person, in the command pane: the answer appears there.
    Typing,
    /// A key: the answer appears in the log.
    Key,
}

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

/// A line that was typed or that a key stands for.
#[derive(Clone, Debug)]
struct Job {
    line: String,
    by: By,
    /// The statement at hand.
    statement: String,
}

/// The shell, the state, and the lines to be run.
#[derive(Debug)]
pub struct Driver {
    /// Runs them.
    pub shell: Shell,
    /// Shows what comes of it.
    pub app: App,
    /// Stops what it runs.
    pub interrupt: Interrupt,
    waiting: VecDeque<Job>,
    job: Option<Job>,
    printed: Vec<String>,
    looked_up: Option<Instant>,
    /// Everything is to be looked up again.
    pub stale: bool,
}

impl Driver {
    /// Over a shell; searches run in slices from now on.
    pub fn new(mut shell: Shell, app: App) -> Self {
        shell.set_slice(Some(SLICE));
        shell.set_interactive(true);
        Self {
            interrupt: Interrupt::new(shell.interrupt()),
            shell,
            app,
            waiting: VecDeque::new(),
            job: None,
            printed: Vec::new(),
            looked_up: None,
            stale: true,
        }
    }

    /// Has a line run as soon as nothing else runs.
    pub fn submit(&mut self, line: &str, by: By) {
        if !line.trim().is_empty() {
            self.waiting.push_back(Job {
                line: line.to_owned(),
                by,
                statement: String::new(),
            });
        }
        self.app.waiting = self.waiting.len();
    }

    /// What is to be done next; loads the next line when the last is done. After an interrupt nothing is left of what
    /// waited.
    pub fn step(&mut self) -> Step {
        if self.shell.is_searching() {
            return Step::Search;
        }
        if self.job.is_some() && self.interrupt.pressed() {
            self.shell.abandon();
            self.waiting.clear();
        }
        loop {
            if let Some(upcoming) = self.shell.upcoming() {
                let upcoming = upcoming.trim().to_owned();
                self.begin(upcoming);
                return Step::Statement;
            }
            self.interrupt.end();
            self.job = self.waiting.pop_front();
            self.app.waiting = self.waiting.len();
            let Some(job) = &self.job else {
                return Step::Idle;
            };
            self.interrupt.begin();
            if let Err(failure) = self.shell.load(Origin::Typed, &job.line) {
                self.answered(&Err(failure));
            }
        }
    }

    fn begin(&mut self, statement: String) {
        let Some(job) = &mut self.job else {
            return;
        };
        let kind = match job.by {
            By::Typing => Line::Typed,
            By::Key => Line::Key,
        };
        self.app.log.add(kind, statement.clone());
        self.app.busy = Some((statement.clone(), 0));
        job.statement = statement;
    }

    /// A statement has come back; a search that it began may go on.
    pub fn ran(&mut self, outcome: Option<&Outcome>) {
        self.app.busy = None;
        self.app.arena.rest();
        self.app.searching = self.shell.is_searching();
        match outcome {
            Some(Ok(_)) if self.app.searching => self.look_up(false),
            Some(outcome) => self.answered(outcome),
            None => {}
        }
    }

    /// Lets the search run for a slice.
    pub fn search(&mut self, slice: Duration) {
        let reply = self.shell.advance_search(slice);
        self.app.searching = self.shell.is_searching();
        if let Some(reply) = reply {
            self.answered(&Ok(reply));
        } else if !self.app.searching {
            self.stale = true;
        } else if self.looked_up.is_none_or(|at| at.elapsed() >= LOOKUP) {
            self.look_up(false);
        }
    }

    fn answered(&mut self, outcome: &Outcome) {
        let job = self.job.clone();
        let by_key = job.as_ref().is_none_or(|job| job.by == By::Key);
        let statement = job.map(|job| job.statement).unwrap_or_default();
        self.app.replied(&statement, by_key, outcome);
        self.stale = true;
        if !by_key {
            self.printed.push(text(
                outcome,
                &self.shell,
                self.app.look.colour(),
                self.app.look.ascii,
            ));
        }
        if outcome.is_err() {
            self.shell.abandon();
        }
    }

    /// What is to appear in the command pane.
    pub fn take_printed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.printed)
    }

    /// Looks up what the panes show: all of it, or what a running search changes.
    pub fn look_up(&mut self, all: bool) {
        let wanted = self.app.wanted(all);
        self.app.data.refresh(&mut self.shell, &wanted);
        if std::mem::take(&mut self.app.table.moved) && self.app.shown == Shown::Entry {
            let entry = self.app.data.entry_at(self.app.table.selected);
            if let Some(key) = entry.map(|entry| entry.key.clone()) {
                self.app.data.look_at_entry(&mut self.shell, &key);
            }
        }
        if let Some(board) = self
            .app
            .data
            .board
            .as_ref()
            .filter(|_| self.app.shown == Shown::Position)
        {
            self.app.board.settle(board);
        }
        self.looked_up = Some(Instant::now());
        self.stale &= !all;
    }

    /// Does what needs nothing but the shell; gives the other effects back.
    pub fn effects(&mut self) -> Vec<Effect> {
        let mut others = Vec::new();
        for effect in self.app.take_effects() {
            match effect {
                Effect::Run(line) => self.submit(&line, By::Key),
                Effect::Interrupt => drop(self.interrupt.press()),
                Effect::Refresh => self.stale = true,
                Effect::Entry(key) => self.app.data.look_at_entry(&mut self.shell, &key),
                other => others.push(other),
            }
        }
        others
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
    }
}

/// An answer as it appears in the command pane.
fn text(outcome: &Outcome, shell: &Shell, colour: Colour, ascii: bool) -> String {
    match outcome {
        Ok(Reply {
            json: false,
            silent: true,
            ..
        }) => String::new(),
        Ok(Reply {
            report,
            json: false,
            ..
        }) => view::text::render_with(report, view::text::Style { ascii }),
        Ok(reply) => view::reply(reply),
        Err(failure) if shell.json() => view::json::failure(failure),
        Err(failure) => view::failure(failure, colour),
    }
}
