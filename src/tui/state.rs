//! The shared state of the screen, without terminal and shell: requests to the terminal are effects, command lines wait
//! in a queue, replies are in [`Data`].

use std::{
    collections::{BTreeMap, VecDeque},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crossterm::event::KeyEvent;

use crate::{
    engine::{
        progress::Operation,
        session::{
            breakpoints::BreakpointList,
            cache::CacheEdit,
            guests::Followed,
            position::{BoardReport, PositionReport},
            quiz::QuizReport,
            reply::{MoveText, Reply, Side},
            search::{FrameReport, StopReport},
            timelines::TimelineList,
            trace::OpenTrace,
        },
    },
    picture::Pitch,
    repl::helper::Offers,
    text::number::count,
    tui::{
        curves::SearchCurves,
        data::{BoardOf, Data},
        keymap::{KeyPlace, Keymap},
        layout::{self, Areas, Arrangement, FULL_SIZE, Name, PaneSlot, Plan},
        log::{Log, LogLine},
        look::Theme,
        pty::Emulator,
        sheet::Sheet,
    },
};

/// A request to the terminal or the line editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send a key to the line editor.
    Key(KeyEvent),
    /// Paste text into the line editor.
    Paste(String),
    /// Replace the line being typed.
    Type(String),
    /// Replace this many characters before the cursor in the line editor.
    Insert(usize, String),
    /// Interrupt the running command.
    Interrupt,
    /// Suspend the process until the shell continues it.
    Suspend,
    /// Copy text to the clipboard.
    Copy(String),
    /// Switch mouse reporting on or off.
    Mouse(bool),
    /// Redraw everything.
    Redraw,
    /// Leave the program.
    Leave,
}

/// A queued line.
#[derive(Clone, Debug)]
pub struct Job {
    /// The command line, or key names.
    pub line: String,
    /// The origin of the line.
    pub by: By,
}

/// A running command.
#[derive(Clone, Debug)]
pub struct Busy {
    /// The statement.
    pub command: String,
    /// The seconds that the command has run, once it is shown as running.
    pub seconds: Option<u64>,
    /// The progress of the command, if it reports any.
    pub operation: Option<Operation>,
}

impl Busy {
    /// The statement, with its numbers in groups of digits.
    pub fn words(&self) -> String {
        let word = |word: &str| word.parse().map_or_else(|_| word.to_owned(), count);
        self.command.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }
}

/// The origin of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The user in the command pane, where the reply is printed.
    Typing,
    /// A key; the reply is logged.
    Key,
    /// A cursor on a frame, or the mouse on the time line: a command still queued is dropped when the cursor or mouse moves on.
    Cursor,
    /// A row of a sheet, which stays open.
    Sheet,
    /// A demo that presses keys; the line has their names.
    Demo,
}

/// The most steps that wait while one runs.
const WAITING_STEPS: usize = 8;
/// The command lines of keys for single steps.
pub const STEPS: [&str; 6] = ["step", "next", "finish", "back", "back next", "back finish"];

/// An overlay in front of the panes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The help sheet: the filter text, and the index of the first line shown.
    Help(String, usize),
    /// The question whether to leave without saving.
    Leave,
    /// The question whether to run a command line, and its effect.
    Sure(String, String),
    /// A card, and the line chosen on it.
    Card(Card, usize),
    /// A step of the demo, and whether keys are handled (not while filming).
    Demo(usize, bool),
}

/// A card with a few choices, in front of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub enum Card {
    /// Ways to begin.
    Start,
    /// The engine's levels.
    Level,
    /// The sides that the engine can play.
    Side,
}

/// A paragraph of a demo's script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DemoStep {
    /// Lines of text.
    pub words: Vec<String>,
    /// The pane brought to the front.
    pub pane: Option<String>,
    /// The lines that the step runs, in order.
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

/// The state of a hint on the board of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hint {
    /// The last search was not for a hint.
    #[default]
    None,
    /// The best moves are shown.
    Shown,
    /// Another command has run since: nothing of the search is shown on the board.
    Over,
    /// The last search considered the offer of a draw: nothing of it is shown, because that would be a hint.
    Offer,
}

/// The sides that the engine plays by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::IntoStaticStr)]
#[expect(missing_docs, reason = "each is said by its name")]
pub enum EngineSides {
    White,
    Black,
    #[strum(serialize = "both sides")]
    Both,
    #[default]
    #[strum(serialize = "no side")]
    None,
}

impl EngineSides {
    /// All of them, in the order of the card.
    pub const ALL: [Self; 4] = [Self::White, Self::Black, Self::Both, Self::None];

    /// Whether the engine plays this side.
    pub fn plays(self, side: Side) -> bool {
        self == Self::Both || self == Self::from(side)
    }

    /// The side left to the user, if it is one.
    pub fn left(self) -> Option<Side> {
        let left = |side: &Side| self == Self::from(side.other());
        Side::ALL.into_iter().find(left)
    }

    /// The sides in words.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl From<Side> for EngineSides {
    fn from(side: Side) -> Self {
        if side == Side::White { Self::White } else { Self::Black }
    }
}

/// The shared state.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct ScreenState {
    /// Columns and rows.
    pub size: (u16, u16),
    /// Colours and characters.
    pub look: Theme,
    /// The key map.
    pub keymap: Keymap,
    /// All panes with their slots, in the order of Tab.
    pub places: Vec<(Name, PaneSlot)>,
    /// The focused pane.
    pub focus: Name,
    /// The pane that was focused before the command pane.
    pub came_from: Name,
    /// Whether a key has begun the line being typed: the focus goes back once the line has run.
    pub returns: bool,
    /// The front tab.
    pub tab: Name,
    /// Whether the focused pane fills the screen.
    pub zoomed: bool,
    /// The arrangement for the current state, and the one that the user has chosen to keep.
    pub arranged: Arrangement,
    /// The arrangement chosen by the user.
    pub kept: Option<Arrangement>,
    /// The rows that each pane can fill, with its frame.
    pub needs: BTreeMap<Name, u16>,
    /// Rows that the user has added to panes, or taken from them.
    pub grown: BTreeMap<Name, i16>,
    /// The overlay, if any.
    pub overlay: Option<Overlay>,
    /// The sheet, if any.
    pub sheet: Option<Sheet>,
    /// Completions of the line being typed, and the chosen one.
    pub offers: Option<(Offers, Option<usize>)>,
    /// The message in the footer, until the next key.
    pub status: Option<(LogLine, String)>,
    /// The replies shown.
    pub data: Data,
    /// The root moves of the recording by the events that enter them, as far as they are known.
    pub root_moves: BTreeMap<u64, MoveText>,
    /// Curves of the last search.
    pub curves: SearchCurves,
    /// Whether the replies are out of date.
    pub stale: bool,
    /// The owner of the position on the board.
    pub shown: BoardOf,
    /// The board of a running match or tournament.
    pub live: Option<BoardReport>,
    /// The log.
    pub log: Log,
    /// The line editor's terminal.
    pub emulator: Arc<Mutex<Emulator>>,
    /// Lines to run, the next first.
    pub queue: VecDeque<Job>,
    /// Whether a search is running.
    pub searching: bool,
    /// The running command.
    pub busy: Option<Busy>,
    /// The hint that the last search was asked for.
    pub hint: Hint,
    /// Whether a key was refused because a command is running.
    pub refused: bool,
    /// Whether the running command is a single step: further steps by keys are queued.
    pub stepping: bool,
    /// The sides that the engine plays by itself.
    pub engine: EngineSides,
    /// Whether the last change of the position was a move by the user.
    pub moved: bool,
    /// The engine's level, if one was chosen.
    pub level: Option<u64>,
    /// The external engine that plays for the engine's side.
    pub opponent: Option<String>,
    /// The session's file.
    pub file: Option<PathBuf>,
    /// Whether there are unsaved changes.
    pub unsaved: bool,
    /// Whether the mouse is reported to the program.
    pub mouse: bool,
    /// Requests to the terminal, in order.
    pub effects: Vec<Effect>,
}

impl ScreenState {
    /// Whether an external engine analyses the position.
    pub fn is_followed(&self) -> bool {
        self.data.get::<Followed>().is_some_and(|followed| followed.engine.is_some())
    }

    /// The layout.
    pub fn areas(&self) -> Areas {
        let is_bottom =
            |(name, slot): &(Name, PaneSlot)| *name == self.focus && *slot == PaneSlot::Bottom;
        let is_typing = self.places.iter().any(is_bottom);
        self.areas_with(is_typing || matches!(self.overlay, Some(Overlay::Demo(..))))
    }

    /// The layout with the bottom pane open or closed.
    pub fn areas_with(&self, open: bool) -> Areas {
        let now = self.data.get::<TimelineList>().and_then(TimelineList::current);
        layout::areas(&Plan {
            size: self.size,
            arrangement: self.arrangement(),
            panes: &self.places,
            tab: self.tab,
            alone: self.zoomed.then_some(self.focus),
            // A hint is about the game: on a low screen, the board gets the row.
            recorded: now.is_some_and(|now| now.reached > now.begins)
                && !(self.hint != Hint::None && self.size.1 < FULL_SIZE.1),
            open,
            covers_side: !matches!(self.overlay, Some(Overlay::Demo(..))),
            boards: self.board_sizes(),
            needs: &self.needs,
            grown: &self.grown,
        })
    }

    /// The arrangement in force: one that has a place for the focused pane.
    pub fn arrangement(&self) -> Arrangement {
        let slot = self.places.iter().find(|(name, _)| *name == self.focus).map(|(_, slot)| *slot);
        let shows = |arrangement: &Arrangement| slot.is_none_or(|slot| arrangement.shows(slot));
        let wanted = self.kept.unwrap_or(self.arranged);
        let all = [wanted, Arrangement::Debug, Arrangement::Play];
        all.into_iter().find(shows).unwrap_or(wanted)
    }

    /// Columns and rows of the board shown, the largest first.
    fn board_sizes(&self) -> Vec<(u16, u16)> {
        let is_entry = matches!(self.shown, BoardOf::Entry(_));
        let before = self.data.last_board.as_ref().filter(|_| is_entry);
        let board = self.live.as_ref().or(self.data.board.as_ref()).or(before);
        let board = board.map(|report| &report.board);
        let Some(board) = board.filter(|board| !board.points.is_empty()) else {
            return Vec::new();
        };
        let pitches = Pitch::all(board.kind, self.look.is_painted(), !self.look.ascii);
        let size = |pitch: Pitch| {
            let (wide, high) = pitch.size((board.files.len(), board.ranks.len()));
            (wide as u16, high as u16)
        };
        pitches.into_iter().map(size).collect()
    }

    /// The line editor's terminal. Nothing may be written to it while the lock is held.
    pub fn emulator(&self) -> MutexGuard<'_, Emulator> {
        self.emulator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a message in the footer.
    pub fn say(&mut self, text: impl Into<String>) {
        self.status = Some((LogLine::Note, text.into()));
    }

    /// Shows a failure in the footer.
    pub fn blame(&mut self, text: impl Into<String>) {
        self.status = Some((LogLine::Failure, text.into()));
    }

    /// Shows the board that a reply is about.
    pub fn show_board_of(&mut self, reply: &dyn Reply) {
        if reply.is::<StopReport>() || reply.is::<QuizReport>() {
            self.hint = Hint::None;
            self.shown = BoardOf::Frame;
        } else if let Some(edit) = reply.downcast_ref::<CacheEdit>() {
            if edit.entry.is_none() && edit.previous.is_none() {
                return self.say("no entry for this position");
            }
            self.shown = BoardOf::Entry(edit.key.clone());
            self.data.entry = Some(edit.clone());
        } else if reply.is::<FrameReport>() {
            self.shown = BoardOf::Frame;
        } else if reply.is::<PositionReport>() {
            self.shown = BoardOf::Position;
        }
    }

    /// Queues a line.
    pub fn submit(&mut self, line: impl Into<String>, by: By) {
        let line = line.into();
        if !line.trim().is_empty() {
            self.queue.push_back(Job { line, by });
        }
    }

    /// Queues the command line of a key, unless a command is running. While a step runs, a few more steps are queued.
    pub fn run(&mut self, line: impl Into<String>) {
        let line = line.into();
        let is_next = self.stepping && STEPS.contains(&&*line) && self.queue.len() < WAITING_STEPS;
        if !self.is_busy() || is_next {
            self.submit(line, By::Key);
        } else {
            self.refused = true;
        }
    }

    /// Asks whether to run the command line of a key, which has an effect that is not easily taken back or takes time. While a
    /// command is running, the key is refused as by [`Self::run`].
    pub fn ask(&mut self, line: impl Into<String>, effect: impl Into<String>) {
        if self.is_busy() {
            self.run(line);
        } else {
            self.overlay = Some(Overlay::Sure(line.into(), effect.into()));
        }
    }

    /// Why a key was refused, as long as the reason holds.
    pub fn refusal(&self) -> Option<String> {
        let is_refused = self.refused && self.is_busy();
        is_refused.then(|| format!("a command is running: {} stops it", self.key("interrupt")))
    }

    /// Selects a frame. Selections still queued from earlier rows of the cursor are dropped.
    pub fn select_frame(&mut self, frame: Option<usize>) {
        self.queue.retain(|job| job.by != By::Cursor);
        if let Some(frame) = frame.filter(|_| !self.is_busy()) {
            self.submit(format!("frame {frame}"), By::Cursor);
        }
    }

    /// Sets a breakpoint at the position of a cache key, or deletes it.
    pub fn toggle_breakpoint_at(&mut self, key: &str) {
        // The key's depth is not part of the position.
        self.toggle_breakpoint(&format!("key={}", key.split(':').next().unwrap_or(key)));
    }

    /// Sets a breakpoint with a condition, or deletes it.
    pub fn toggle_breakpoint(&mut self, condition: &str) {
        let list = self.data.get::<BreakpointList>();
        let mut known = list.into_iter().flat_map(|list| &list.breakpoints);
        let line = match known.find(|point| point.condition == condition) {
            Some(point) => format!("delete {}", point.id),
            None => format!("break {condition}"),
        };
        self.run(line);
    }

    /// The open trace, once it is being read.
    pub fn trace(&self) -> Option<&OpenTrace> {
        self.data.get()
    }

    /// Whether a trace of another program is loaded.
    pub fn is_trace(&self) -> bool {
        self.data.get::<PositionReport>().is_some_and(|position| position.game == "trace")
    }

    /// Whether a command or a search is running.
    pub fn is_busy(&self) -> bool {
        self.searching || self.busy.is_some()
    }

    /// The first key of an action outside of the command pane; empty if the action has none.
    pub fn key(&self, action: &str) -> String {
        let (pane, trace) = (self.focus, self.is_trace());
        let place = KeyPlace { pane, typing: false, scrolls: false, letters: "", trace };
        let key = self.keymap.key(action, place);
        key.unwrap_or_default()
    }

    /// The owner of the position on the board, in words.
    pub fn board_owner(&self) -> String {
        match (&self.shown, self.data.frame()) {
            (BoardOf::Frame, Some(frame)) => format!("frame {}", frame.ply),
            (BoardOf::Entry(key), _) => format!("entry {key}"),
            (BoardOf::Node(spot), _) => format!("after {}", crate::text::words(&spot.line)),
            _ if self.is_trace() => "root".to_owned(),
            _ => "game".to_owned(),
        }
    }

    /// The position shown on the board.
    pub fn position(&self) -> Option<&str> {
        let game = self.data.get::<PositionReport>().map(|position| position.state.as_str());
        let is_entry = matches!(self.shown, BoardOf::Entry(_));
        self.data.state_of(&self.shown).or(game.filter(|_| !is_entry))
    }

    /// The cache key of the position shown, if known.
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
