//! What all parts of the screen know and change. No terminal, no shell: what a terminal is to do goes out as effects, what
//! a shell is to do waits in a queue, and its answers come in as [`Data`].

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crossterm::event::KeyEvent;

use crate::{
    engine::{
        progress::Stand,
        session::{
            breakpoints::BreakpointList,
            cache::CacheEdit,
            position::{BoardReport, PositionReport},
            quiz::QuizReport,
            reply::{Reply, Side},
            search::{FrameReport, StopReport},
            timelines::TimelineList,
        },
    },
    repl::helper::Offers,
    tui::{
        curves::SearchCurves,
        data::{BoardOf, Data},
        keymap::{KeyPlace, Keymap},
        layout::{self, Areas, Name, PaneSlot},
        log::{Log, LogLine},
        look::Theme,
        pty::Emulator,
        sheet::Sheet,
    },
};

/// What the terminal or the line editor is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Give a key to the line editor.
    Key(KeyEvent),
    /// Paste into the line editor.
    Paste(String),
    /// Replace what has been typed there.
    Type(String),
    /// Replace so many letters before the cursor there.
    Insert(usize, String),
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

/// A line to be run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The line.
    pub line: String,
    /// Who asked for it.
    pub by: By,
}

/// A command that is run.
#[derive(Clone, Debug)]
pub struct Busy {
    /// The command.
    pub command: String,
    /// For how many seconds already, once it takes long.
    pub seconds: Option<u64>,
    /// How far it is, where it tells.
    pub stand: Option<Stand>,
}

/// Who asked for a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A person, in the command pane: the answer appears there.
    Typing,
    /// A key: the answer appears in the log.
    Key,
    /// The cursor of the tree, which selects the frame under it. As a key; dropped once the cursor has moved on.
    Cursor,
    /// A demo that presses keys: the line has their names.
    Demo,
}

/// Something in front of the panes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Keys and commands that match what is typed, from a line on.
    Help(String, usize),
    /// Whether to leave although something is not saved.
    Leave,
    /// Whether to run a command line that loses something; then what it does, in words.
    Sure(String, String),
    /// A step of the demo, and whether somebody has keys: in a film nobody has.
    Demo(usize, bool),
}

/// A paragraph: the words that are shown, the pane that comes to the front, the commands that are run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DemoStep {
    /// Lines of text.
    pub words: Vec<String>,
    /// A pane's name.
    pub pane: Option<String>,
    /// What the step runs, in order.
    pub lines: Vec<DemoLine>,
}

/// A line that a demo runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DemoLine {
    /// A command line.
    Command(String),
    /// Names of keys to press, separated by blanks.
    Keys(String),
}

impl DemoStep {
    /// The command lines.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| match line {
            DemoLine::Command(line) => Some(line.as_str()),
            DemoLine::Keys(_) => None,
        })
    }
}

/// The state.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct ScreenState {
    /// The screen's size.
    pub size: (u16, u16),
    /// Colours and characters.
    pub look: Theme,
    /// What keys do.
    pub keymap: Keymap,
    /// Where panes belong, in the order in which they are gone through.
    pub places: Vec<(Name, PaneSlot)>,
    /// Whose keys they are.
    pub focus: Name,
    /// Whose they were before the command pane got them.
    pub came_from: Name,
    /// The tab in front.
    pub tab: Name,
    /// The focused pane is alone.
    pub zoomed: bool,
    /// What is in front.
    pub overlay: Option<Overlay>,
    /// A long answer, over the panes at the side.
    pub sheet: Option<Sheet>,
    /// Ways to go on with the line in the command pane, and which of them is chosen.
    pub offers: Option<(Offers, Option<usize>)>,
    /// A word about the last key.
    pub status: Option<(LogLine, String)>,
    /// The answers shown.
    pub data: Data,
    /// How the search that ran last went.
    pub curves: SearchCurves,
    /// The answers are out of date.
    pub stale: bool,
    /// Whose board is shown.
    pub shown: BoardOf,
    /// The board of a game that is being played by others.
    pub live: Option<BoardReport>,
    /// What was run.
    pub log: Log,
    /// What the line editor shows.
    pub emulator: Arc<Mutex<Emulator>>,
    /// Lines that wait.
    pub queue: VecDeque<Job>,
    /// A search is running.
    pub searching: bool,
    /// The command that is run.
    pub busy: Option<Busy>,
    /// The last search was asked for a hint.
    pub hinted: bool,
    /// The side that the engine plays by itself.
    pub engine: Option<Side>,
    /// The last thing done to the position was a move that a person made.
    pub moved: bool,
    /// How well, where that was chosen.
    pub level: Option<u64>,
    /// The session's file.
    pub file: Option<PathBuf>,
    /// There is something to save.
    pub unsaved: bool,
    /// The mouse is ours.
    pub mouse: bool,
    /// What the terminal is to do, in order.
    pub effects: Vec<Effect>,
}

impl ScreenState {
    /// Where everything is.
    pub fn areas(&self) -> Areas {
        let alone = self.zoomed.then_some(self.focus);
        let now = self.data.get::<TimelineList>().and_then(TimelineList::current);
        let is_recorded = now.is_some_and(|now| now.reached > now.begins);
        layout::areas(self.size, &self.places, (self.tab, alone), is_recorded)
    }

    /// What the line editor shows; nothing may be written to its terminal while this is held.
    pub fn emulator(&self) -> MutexGuard<'_, Emulator> {
        self.emulator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A word about the last key.
    pub fn say(&mut self, text: impl Into<String>) {
        self.status = Some((LogLine::Note, text.into()));
    }

    /// Why the last key has failed.
    pub fn blame(&mut self, text: impl Into<String>) {
        self.status = Some((LogLine::Failure, text.into()));
    }

    /// Takes note of whose board a reply is about.
    pub fn note(&mut self, reply: &dyn Reply) {
        if reply.is::<StopReport>() || reply.is::<QuizReport>() {
            self.hinted = false;
            self.shown = BoardOf::Frame;
        } else if let Some(edit) = reply.downcast_ref::<CacheEdit>() {
            self.shown = BoardOf::Entry(edit.key.clone());
            self.data.entry = Some(edit.clone());
        } else if reply.is::<FrameReport>() {
            self.shown = BoardOf::Frame;
        } else if reply.is::<PositionReport>() {
            self.shown = BoardOf::Position;
        }
    }

    /// Has a line run as soon as nothing else runs.
    pub fn submit(&mut self, line: impl Into<String>, by: By) {
        let line = line.into();
        if !line.trim().is_empty() {
            self.queue.push_back(Job { line, by });
        }
    }

    /// Runs a command line that a key stands for, unless another one is running.
    pub fn run(&mut self, line: impl Into<String>) {
        if self.is_busy() {
            let stop = self.key("interrupt");
            self.say(format!("a command is running: {stop} stops it"));
        } else {
            self.submit(line, By::Key);
        }
    }

    /// Sets a breakpoint at the position of a cache key, or removes the one that is there.
    pub fn toggle_breakpoint_at(&mut self, key: &str) {
        // The depth is no part of the position.
        self.toggle_breakpoint(&format!("key={}", key.split(':').next().unwrap_or(key)));
    }

    /// Sets a breakpoint with a condition, or removes the one that is there.
    pub fn toggle_breakpoint(&mut self, condition: &str) {
        let list = self.data.get::<BreakpointList>();
        let mut known = list.into_iter().flat_map(|list| &list.breakpoints);
        let line = match known.find(|point| point.condition == condition) {
            Some(point) => format!("delete {}", point.id),
            None => format!("break {condition}"),
        };
        self.run(line);
    }

    /// Whether the search of another program is on the workbench.
    pub fn is_trace(&self) -> bool {
        self.data.get::<PositionReport>().is_some_and(|position| position.game == "trace")
    }

    /// Whether a command or a search is running.
    pub fn is_busy(&self) -> bool {
        self.searching || self.busy.is_some()
    }

    /// The first key of an action outside of the command pane.
    pub fn key(&self, action: &str) -> String {
        let place = KeyPlace { pane: self.focus, typing: false, scrolls: false };
        let key = self.keymap.key(action, place);
        key.unwrap_or_default()
    }

    /// Whose position the board shows. All that speaks of a position says it so.
    pub fn whose(&self) -> String {
        match (&self.shown, self.data.frame()) {
            (BoardOf::Frame, Some(frame)) => format!("frame {}", frame.ply),
            (BoardOf::Entry(key), _) => format!("entry {key}"),
            (BoardOf::Node(spot), _) => format!("after {}", spot.line.join(" ")),
            _ => "game".to_owned(),
        }
    }

    /// Whose position the board shows where that is not the selected frame's; nothing without a search.
    pub fn aside(&self) -> String {
        let is_frame = self.shown == BoardOf::Frame || self.data.frame().is_none();
        if is_frame { String::new() } else { format!("the board shows: {}", self.whose()) }
    }

    /// The position whose board is shown.
    pub fn position(&self) -> Option<&str> {
        let game = self.data.get::<PositionReport>().map(|position| position.state.as_str());
        self.data.state_of(&self.shown).or(game)
    }

    /// Its cache key, where that is known.
    pub fn position_key(&self) -> Option<&str> {
        match &self.shown {
            BoardOf::Frame => self.data.frame().map(|frame| frame.key.as_str()),
            BoardOf::Entry(key) => Some(key),
            BoardOf::Node(_) => None,
            BoardOf::Position => {
                self.data.get::<PositionReport>().map(|position| position.key.as_str())
            }
        }
    }
}
