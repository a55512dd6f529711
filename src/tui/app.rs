//! The screen's state. It knows no terminal and no shell: events come in, effects go out, so tests can drive it.

use std::{path::PathBuf, sync::Arc};

use ratatui::{buffer::Buffer, layout::Rect};

use super::{
    board::BoardInput,
    changes,
    data::{Data, Wanted},
    keymap::Keymap,
    layout::{self, Areas},
    log::{Line, Log},
    look::Look,
    panes::{arena::Arena, chart::Charted},
    seen::Seen,
    table::CacheTable,
};
use crate::{
    command::Outcome,
    engine::progress::Live,
    engine::report::{FrameReport, Report},
};
use crossterm::event::KeyEvent;

/// A part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pane {
    /// The position.
    Board,
    /// The search stack.
    Stack,
    /// The tree searched so far.
    Tree,
    /// The cache table.
    Cache,
    /// What was run and what came of it.
    Log,
    /// The heuristic by terms.
    Eval,
    /// The command line.
    Command,
    /// Counts and rates.
    Counters,
    /// The chart of the last answer that has one.
    Chart,
    /// A tournament.
    Arena,
}

impl Pane {
    /// In the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Board,
        Self::Stack,
        Self::Tree,
        Self::Cache,
        Self::Log,
        Self::Eval,
        Self::Command,
        Self::Counters,
        Self::Chart,
        Self::Arena,
    ];

    /// The digit that leads to it.
    pub const fn number(self) -> usize {
        (self as usize + 1) % 10
    }

    /// Its name in its frame.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Board => "Board",
            Self::Stack => "Stack",
            Self::Tree => "Tree",
            Self::Cache => "Cache",
            Self::Log => "Log",
            Self::Eval => "Eval",
            Self::Command => "Command",
            Self::Counters => "Counters",
            Self::Chart => "Chart",
            Self::Arena => "Arena",
        }
    }
}

/// What the event loop is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Run a command line.
    Run(String),
    /// Give a key to the line editor.
    Key(KeyEvent),
    /// Paste into the line editor.
    Paste(String),
    /// Replace what has been typed there.
    Type(String),
    /// Look back in the command pane, by lines.
    Scroll(isize),
    /// Look an entry up.
    Entry(String),
    /// Look everything up again.
    Refresh,
    /// Stop what runs.
    Interrupt,
    /// Stop the process until the shell wakes it up.
    Suspend,
    /// Put a text on the clipboard.
    Copy(String),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Draw everything anew.
    Redraw,
    /// Leave.
    Leave,
}

/// Something in front of the panes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Keys and commands that match a filter, from a line on.
    Help {
        /// What is typed.
        filter: String,
        /// The first line shown.
        from: usize,
    },
    /// Which entries the cache table shows.
    Filter(String),
    /// Whether to leave although something is not saved.
    Leave,
}

/// Whose board is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// The position's.
    #[default]
    Position,
    /// The selected frame's.
    Frame,
    /// The selected cache entry's.
    Entry,
}

/// Everything the screen shows, and what it wants done.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct App {
    /// What was drawn last.
    pub screen: Buffer,
    /// Colours and characters.
    pub look: Look,
    /// What keys do.
    pub keymap: Keymap,
    /// Whose keys they are.
    pub focus: Pane,
    /// The tab in front.
    pub tab: Pane,
    /// The focused pane is alone.
    pub zoomed: bool,
    /// What is in front.
    pub overlay: Option<Overlay>,
    /// The answers shown.
    pub data: Data,
    /// The last answer that has a chart.
    pub charted: Option<Charted>,
    /// The tournament that is played or was shown last.
    pub arena: Arena,
    /// What was run.
    pub log: Log,
    /// The cache table's cursor, order and filter.
    pub table: CacheTable,
    /// Whose board is shown.
    pub shown: Shown,
    /// The cursor on it, and the move under way.
    pub board: BoardInput,
    /// Values that came back while stepping.
    pub seen: Seen,
    /// How far each pane is scrolled.
    pub scrolled: [usize; Pane::ALL.len()],
    /// Why the search stands, where somebody stopped it.
    pub halted: Option<String>,
    /// A search is running.
    pub searching: bool,
    /// The command that a worker runs, or how far it is, and for how many seconds already.
    pub busy: Option<(String, u64)>,
    /// Commands that wait.
    pub waiting: usize,
    /// A word about the last key.
    pub status: Option<(Line, String)>,
    /// The session's file.
    pub file: Option<PathBuf>,
    /// There is something to save.
    pub unsaved: bool,
    /// The mouse is ours.
    pub mouse: bool,
    /// The screen's size.
    pub size: (u16, u16),
    /// What is to be done; see [`App::take_effects`].
    pub effects: Vec<Effect>,
}

impl Default for App {
    fn default() -> Self {
        Self {
            screen: Buffer::default(),
            look: Look::default(),
            keymap: Keymap::default(),
            focus: Pane::Command,
            tab: Pane::Stack,
            zoomed: false,
            overlay: None,
            data: Data::default(),
            charted: None,
            arena: Arena::default(),
            log: Log::default(),
            table: CacheTable::default(),
            shown: Shown::default(),
            board: BoardInput::default(),
            seen: Seen::default(),
            scrolled: [0; Pane::ALL.len()],
            halted: None,
            searching: false,
            busy: None,
            waiting: 0,
            status: None,
            file: None,
            unsaved: false,
            mouse: true,
            size: (80, 24),
            effects: Vec::new(),
        }
    }
}

impl App {
    /// What is to be done, in order; each is returned once.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Where everything is.
    pub fn areas(&self) -> Areas {
        let screen = Rect::new(0, 0, self.size.0, self.size.1);
        layout::areas(screen, self.tab, self.zoomed.then_some(self.focus))
    }

    /// What is to be looked up for what is seen; all of it, or what a running search changes.
    pub fn wanted(&self, all: bool) -> Wanted {
        let areas = self.areas();
        let rows = if self.searching { 100 } else { 1000 };
        Wanted {
            all,
            shown: self.shown,
            cache: areas.of(Pane::Cache).map(|_| self.table.statement(rows)),
            eval: areas.of(Pane::Eval).is_some(),
        }
    }

    /// A word about the last key.
    pub fn say(&mut self, kind: Line, text: impl Into<String>) {
        self.status = Some((kind, text.into()));
    }

    /// Keeps what a command has answered.
    pub fn replied(&mut self, command: &str, by_key: bool, outcome: &Outcome) {
        self.log.outcome(outcome);
        match outcome {
            Ok(reply) => self.note_reply(command, &reply.report),
            Err(failure) if by_key => self.say(Line::Failure, failure.fault.message.clone()),
            Err(_) => {}
        }
        self.scrolled[Pane::Log as usize] = 0;
    }

    fn note_reply(&mut self, command: &str, report: &Report) {
        self.unsaved |= changes::is_changing(command);
        if let Report::Stop(stop) = report {
            stop.event.iter().for_each(|event| self.seen.note(event));
        }
        self.note_halt(report);
        if let Some(charted) = Charted::of(report) {
            self.charted = Some(charted);
            self.scrolled[Pane::Chart as usize] = 0;
            self.bring_forward(Pane::Chart);
        }
        match report {
            Report::Stop(_) | Report::Frame(_) => self.shown = Shown::Frame,
            Report::Position(_) => self.shown = Shown::Position,
            Report::Tournament(report) => {
                self.arena.show(Arc::new((**report).clone()));
                self.bring_forward(Pane::Arena);
            }
            Report::CacheEdit(edit) => {
                self.shown = Shown::Entry;
                self.data.entry = Some((**edit).clone());
            }
            Report::Session(session) => {
                self.file = Some(session.file.clone().into());
                self.unsaved = false;
                self.say(Line::Note, format!("{} {}", session.action, session.file));
            }
            Report::Quit(_) => self.leave(),
            _ => {}
        }
    }

    /// Puts a tab in front; the keys go on to whoever has them, unless that is what it hides.
    pub(super) fn bring_forward(&mut self, pane: Pane) {
        self.tab = pane;
        if !self.zoomed && self.areas().of(self.focus).is_none() {
            self.focus = pane;
        }
    }

    /// Shows what a worker tells of games under way; `before` is what was known when it began.
    pub(super) fn watch_games(&mut self, live: &Live, before: &Live) {
        let watched = self.arena.is_watched();
        if self.arena.look_at(live, before) && !watched {
            self.bring_forward(Pane::Arena);
        }
    }

    fn note_halt(&mut self, report: &Report) {
        let (stopped, breakpoint) = match report {
            Report::Stop(stop) => (stop.stopped.as_str(), stop.breakpoint),
            Report::Run(run) => (
                run.stopped.as_ref().map_or("", |stop| stop.name()),
                run.breakpoint,
            ),
            _ => return,
        };
        self.halted = match (stopped, breakpoint) {
            (_, Some(id)) => Some(format!("BREAKPOINT {id}")),
            ("interrupt", None) => Some("INTERRUPTED".to_owned()),
            _ => None,
        };
    }

    /// Leaves, or asks first.
    pub fn leave(&mut self) {
        if self.unsaved {
            self.overlay = Some(Overlay::Leave);
        } else {
            self.effects.push(Effect::Leave);
        }
    }

    /// The selected frame.
    pub fn frame(&self) -> Option<&FrameReport> {
        let stack = self.data.stack.as_ref()?;
        stack.frames.get(stack.selected)
    }

    /// The position whose board is shown, as text and as cache key.
    pub fn position_and_key(&self) -> Option<(String, String)> {
        match self.shown {
            Shown::Frame => self
                .frame()
                .map(|frame| (frame.state.clone(), frame.key.clone())),
            Shown::Entry => {
                let entry = self.data.entry.as_ref()?.entry.as_ref()?;
                Some((entry.state.clone().unwrap_or_default(), entry.key.clone()))
            }
            Shown::Position => None,
        }
        .or_else(|| {
            let position = self.data.position.as_ref()?;
            Some((position.state.clone(), position.key.clone()))
        })
    }
}
