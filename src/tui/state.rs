//! The state that all parts of the screen share, without terminal and shell: requests to the terminal are effects, command
//! lines wait in a queue, and replies are in [`Data`].

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
            explain::{EntryExplained, EventExplained},
            guests::BackgroundAnalysis,
            position::{BoardReport, PositionReport},
            quiz::QuizReport,
            reply::{MoveText, Reply, Side, Stop},
            search::{FrameReport, Run, StopReport},
            timelines::{TimelineList, TimelineReport},
            trace::OpenTrace,
        },
    },
    picture::Spacing,
    repl::helper::Offers,
    text::number::count,
    tui::{
        curves::SearchCurves,
        data::{BoardOf, Data},
        keymap::{KeyPlace, Keymap},
        layout::{self, Areas, Arrangement, BottomSlot, Name, PaneSlot, Plan},
        lines::wrapped,
        list::LEAST_KEY,
        log::{Log, LogLine},
        look::Theme,
        pty::Emulator,
        sheet::Sheet,
    },
};

/// A request to the terminal or the line editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Sends a key to the line editor.
    Key(KeyEvent),
    /// Pastes a text into the line editor.
    Paste(String),
    /// Replaces the line being typed by this text.
    Type(String),
    /// Replaces this number of characters before the line editor's cursor by a text.
    Insert(usize, String),
    /// Interrupts the running command.
    Interrupt,
    /// Suspends the process until the shell continues it.
    Suspend,
    /// Copies a text to the clipboard.
    Copy(String),
    /// Switches mouse reporting on or off.
    Mouse(bool),
    /// Redraws the whole screen.
    Redraw,
    /// Leaves the program.
    Leave,
}

/// A line that waits in the queue.
#[derive(Clone, Debug)]
pub struct Job {
    /// The command line; for a demo that presses keys, their names.
    pub line: String,
    /// Where the line comes from.
    pub by: By,
}

/// The command that is running.
#[derive(Clone, Debug)]
pub struct Busy {
    /// The statement that is being executed.
    pub command: String,
    /// The running time of the command in whole seconds; `None` until the screen shows the command as running.
    pub seconds: Option<u64>,
    /// The progress of the command, if the command reports any.
    pub operation: Option<Operation>,
}

impl Busy {
    /// The statement, with the digits of its numbers in groups, but not those of keys.
    pub fn words(&self) -> String {
        let number = |word: &str| word.parse().ok().filter(|_| word.len() < LEAST_KEY);
        let word = |word: &str| number(word).map_or_else(|| word.to_owned(), count);
        self.command.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }
}

/// Where a command comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The user typed the command in the command pane, where the reply is printed.
    Typing,
    /// The user pressed a key; the reply goes to the log.
    Key,
    /// The cursor moved to a frame. The next movement drops a command that still waits.
    Cursor,
    /// A key or the mouse chose an event, or takes back a move. The command takes the place of the one that is running.
    Jump,
    /// The user chose a row of a sheet, or the reply on a sheet leads to a position. The sheet stays open.
    Sheet,
    /// A demo presses keys; the line contains their names.
    Demo,
}

/// What the screen shows of the quiz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuizShown {
    /// The number of right answers.
    pub right: u64,
    /// The number of all answers.
    pub asked: u64,
    /// The event that the open question is about.
    pub question: Option<u64>,
}

/// The greatest number of step commands that wait while a step is running.
const WAITING_STEPS: usize = 8;
/// The command lines of the keys for single steps.
pub const STEPS: [&str; 6] = ["step", "next", "finish", "back", "back next", "back finish"];

/// Whether the command line of a key begins a search or moves within one.
fn searches(line: &str) -> bool {
    const WORDS: [&str; 8] = ["step", "back", "continue", "goto", "last", "search", "hint", "quiz"];
    STEPS.contains(&line) || WORDS.iter().any(|word| line.starts_with(word))
}

/// The number of events that a command line steps forwards or backwards; `None` for other command lines.
pub fn events_of_step(line: &str) -> Option<usize> {
    let (command, events) = line.split_once(' ').unwrap_or((line, "1"));
    events.parse().ok().filter(|_| ["step", "back"].contains(&command))
}

/// What loses work that is not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Losing {
    /// Leaving the program.
    Leaving,
    /// Running a command line.
    Line(String),
}

impl Losing {
    /// The keys that answer the question whether to lose the work, each with its effect.
    pub const fn answers(&self) -> [(&'static str, &'static str); 3] {
        match self {
            Self::Leaving => [("y", "leave without saving"), ("s", "save"), ("n", "stay")],
            Self::Line(_) => [("y", "yes"), ("s", "save first"), ("n", "no")],
        }
    }
}

/// Something in front of the panes that takes the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The help: the text of the filter, and the index of the first line shown.
    Help(String, usize),
    /// The question whether to lose work that is not saved.
    Unsaved(Losing),
    /// The question whether to run a command line, and the effect of that line.
    Sure(String, String),
    /// A card, and the index of the line chosen on it.
    Card(Card, usize),
    /// A step of the demo by index, and whether keys are handled; they are not while filming.
    Demo(usize, bool),
}

/// A card with a few choices, in front of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub enum Card {
    /// The start card, with ways to begin.
    Start,
    /// The card with the engine's levels.
    Level,
    /// The card with the sides that the engine can play.
    Side,
}

/// A step of a demo: a paragraph of its script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DemoStep {
    /// The lines of text that the step shows.
    pub words: Vec<String>,
    /// The name of the pane that the step brings to the front.
    pub pane: Option<String>,
    /// The lines that the step runs, in this order.
    pub lines: Vec<DemoLine>,
}

/// A line that a demo runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DemoLine {
    /// A command line to run.
    Command(String),
    /// The names of keys to press, separated by blanks.
    Keys(String),
}

impl DemoStep {
    /// The text of the step as a paragraph, with lines of at most `columns` columns.
    pub fn text(&self, columns: u16) -> Vec<String> {
        wrapped(&self.words.join(" "), columns.into())
    }

    /// The command lines among [`Self::lines`].
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| match line {
            DemoLine::Command(line) => Some(line.as_str()),
            DemoLine::Keys(_) => None,
        })
    }
}

/// Whether the game's board shows the result of a search as a hint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hint {
    /// No hint was requested, so the best line of the last search is shown.
    #[default]
    None,
    /// The last search was for a hint, so the best moves are shown.
    Shown,
    /// Another command has run since, so nothing of the search is shown on the board.
    Over,
    /// The last search considered a draw offer. Its result is not shown, because it would be a hint.
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
    /// All values, in the order of the card of sides.
    pub const ALL: [Self; 4] = [Self::White, Self::Black, Self::Both, Self::None];

    /// Whether the engine plays `side` by itself.
    pub fn plays(self, side: Side) -> bool {
        self == Self::Both || self == Self::from(side)
    }

    /// The one side left to the user; `None` if the engine plays both sides or none.
    pub fn left(self) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self == Self::from(side.other()))
    }

    /// The sides in words, such as `both sides`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl From<Side> for EngineSides {
    fn from(side: Side) -> Self {
        if side == Side::White { Self::White } else { Self::Black }
    }
}

/// The state of the screen, shared by all panes.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct ScreenState {
    /// The size of the terminal in columns and rows.
    pub size: (u16, u16),
    /// The theme: colours and characters.
    pub look: Theme,
    /// The keys and their actions.
    pub keymap: Keymap,
    /// All panes with their slots, in the order of Tab.
    pub places: Vec<(Name, PaneSlot)>,
    /// The pane that has the focus.
    pub focus: Name,
    /// The pane that had the focus before the command pane.
    pub came_from: Name,
    /// Whether the line being typed has text.
    pub has_text: bool,
    /// Whether a key has begun the line being typed, so that the focus goes back after the line has run.
    pub returns: bool,
    /// `None` while the quiz is off.
    pub quiz: Option<QuizShown>,
    /// The tab that is in front.
    pub tab: Name,
    /// Whether the focused pane fills the screen.
    pub zoomed: bool,
    /// Whether the command pane fills the screen while it is open.
    pub is_command_zoomed: bool,
    /// The arrangement that suits the current state of game and search.
    pub arranged: Arrangement,
    /// The arrangement that the user has chosen to keep; `None`: it follows the search.
    pub kept: Option<Arrangement>,
    /// The number of rows that each pane can fill, including its frame.
    pub needs: BTreeMap<Name, u16>,
    /// The panes that take the width of both columns while they are in front.
    pub wide: Vec<Name>,
    /// The number of rows that the user has added to each pane; negative if removed.
    pub grown: BTreeMap<Name, i16>,
    /// What is in front of the panes, if anything.
    pub overlay: Option<Overlay>,
    /// The steps of the running demo; empty if no demo runs.
    pub demo: Vec<DemoStep>,
    /// The open sheet, if there is one.
    pub sheet: Option<Sheet>,
    /// The completions of the line being typed, and the index of the chosen one.
    pub offers: Option<(Offers, Option<usize>)>,
    /// Whether the first of the next completions is selected, so that Enter takes it.
    pub offers_first: bool,
    /// The message in the footer, which stays until the next key.
    pub status: Option<(LogLine, String)>,
    /// The replies that the panes show.
    pub data: Data,
    /// The root moves of the recording that are known so far, by the events that enter them.
    pub root_moves: BTreeMap<u64, MoveText>,
    /// The curves of the last search.
    pub curves: SearchCurves,
    /// Whether the replies that are shown are out of date.
    pub stale: bool,
    /// What the position on the board belongs to.
    pub shown: BoardOf,
    /// The board of a game in a running match or tournament.
    pub live: Option<BoardReport>,
    /// The log of commands and results.
    pub log: Log,
    /// The terminal of the line editor.
    pub emulator: Arc<Mutex<Emulator>>,
    /// The lines that wait to be run, in order.
    pub queue: VecDeque<Job>,
    /// Whether a search is running.
    pub searching: bool,
    /// The running command, if there is one.
    pub busy: Option<Busy>,
    /// Whether the last search was for a hint or a draw offer.
    pub hint: Hint,
    /// Whether a key was refused because a command is running.
    pub refused: bool,
    /// Whether the running command is a single step, so that further steps by keys are queued.
    pub stepping: bool,
    /// Whether the running command is a move of the engine.
    pub moving: bool,
    /// The event at which the running command began. During a replay, the screen shows other events.
    pub began_at: Option<u64>,
    /// Whether the screen still shows the event where the running command began: at the beginning of a replay backwards.
    pub still: bool,
    /// Whether the running command looks for the event that wrote an entry.
    pub seeks: bool,
    /// Whether the line being run has statements that have not begun.
    pub has_more: bool,
    /// Whether the running command is a jump, which the next jump stops.
    pub jumping: bool,
    /// The sides that the engine plays by itself.
    pub engine: EngineSides,
    /// Whether the last change of the position was a move by the user.
    pub moved: bool,
    /// The engine's level from 1 to 8, if one was chosen.
    pub level: Option<u64>,
    /// The name of the external engine that plays the engine's side, if there is one.
    pub opponent: Option<String>,
    /// The file that contains the session or game, if there is one.
    pub file: Option<PathBuf>,
    /// Whether there are unsaved changes.
    pub unsaved: bool,
    /// Whether the terminal reports the mouse to the program.
    pub mouse: bool,
    /// The requests to the terminal that wait, in order.
    pub effects: Vec<Effect>,
}

impl ScreenState {
    /// Whether an external engine analyses the game's position in the background.
    pub fn is_followed(&self) -> bool {
        self.data.get::<BackgroundAnalysis>().is_some_and(|followed| followed.engine.is_some())
    }

    /// The places of all panes on the screen.
    pub fn areas(&self) -> Areas {
        self.areas_with(match self.overlay {
            // A title and the longest step have room, so that the panes keep their places.
            Some(Overlay::Demo(..)) => {
                let rows = self.demo.iter().map(|step| step.text(self.size.0).len() as u16);
                BottomSlot::Text(1 + rows.max().unwrap_or(0))
            }
            _ if self.slot(self.focus) == Some(PaneSlot::Bottom) => self.open_command_pane(),
            _ => BottomSlot::Closed,
        })
    }

    /// What is at the bottom of the screen while the command pane is open.
    pub fn open_command_pane(&self) -> BottomSlot {
        // A sheet needs the place of the other panes.
        let is_zoomed = self.is_command_zoomed && self.sheet.is_none();
        if is_zoomed { BottomSlot::Zoomed } else { BottomSlot::Open }
    }

    /// The places of all panes, with this at the bottom.
    pub fn areas_with(&self, bottom: BottomSlot) -> Areas {
        let is_open = matches!(bottom, BottomSlot::Open | BottomSlot::Zoomed);
        let focus = if is_open { self.came_from } else { self.focus };
        layout::areas(&Plan {
            size: self.size,
            arrangement: self.arrangement(),
            panes: &self.places,
            tab: self.tab,
            focus,
            alone: self.zoomed.then_some(focus),
            recorded: self.recording().is_some(),
            bottom,
            boards: self.board_sizes(),
            needs: &self.needs,
            wide: &self.wide,
            grown: &self.grown,
        })
    }

    /// All timelines and the current one; `None` if no search is recorded, or a search for a hint, which is about the game.
    pub fn recording(&self) -> Option<(&TimelineList, &TimelineReport)> {
        let list = self.data.get::<TimelineList>().filter(|_| self.hint == Hint::None)?;
        Some((list, list.current().filter(|now| now.reached > now.begins)?))
    }

    /// The slot of a pane.
    pub fn slot(&self, pane: Name) -> Option<PaneSlot> {
        self.places.iter().find(|(name, _)| *name == pane).map(|(_, slot)| *slot)
    }

    /// The arrangement that is drawn, which has a place for the focused pane.
    pub fn arrangement(&self) -> Arrangement {
        let slot = self.slot(self.focus);
        let shows = |arrangement: &Arrangement| slot.is_none_or(|slot| arrangement.shows(slot));
        // The panes of games and their searches have nothing to show of a trace.
        let wanted = self.kept.filter(|_| !self.is_trace()).unwrap_or(self.arranged);
        let all = [wanted, Arrangement::Debug, Arrangement::Play];
        all.into_iter().find(shows).unwrap_or(wanted)
    }

    /// The possible sizes of the board shown in columns and rows, the largest first.
    fn board_sizes(&self) -> Vec<(u16, u16)> {
        let is_entry = matches!(self.shown, BoardOf::Entry(_));
        let before = self.data.last_board.as_ref().filter(|_| is_entry);
        let board = self.live.as_ref().or(self.data.board.as_ref()).or(before);
        let board = board.map(|report| &report.board);
        let Some(board) = board.filter(|board| !board.points.is_empty()) else {
            return Vec::new();
        };
        let spacings = Spacing::all(board.kind, self.look.paint(board.kind).1);
        let size = |spacing: Spacing| {
            let (wide, high) = spacing.size((board.files.len(), board.ranks.len()));
            (wide as u16, high as u16)
        };
        spacings.into_iter().map(size).collect()
    }

    /// Locks the line editor's terminal. While the lock is held, nothing may be written to that terminal.
    pub fn emulator(&self) -> MutexGuard<'_, Emulator> {
        self.emulator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a message in the footer, until the next key.
    pub fn say(&mut self, text: impl Into<String>) {
        self.status = Some((LogLine::Note, text.into()));
    }

    /// Shows a failure in the footer, until the next key.
    pub fn blame(&mut self, text: impl Into<String>) {
        self.status = Some((LogLine::Failure, text.into()));
    }

    /// Whether a question of the quiz about the next event is open, also if its sheet is closed.
    pub fn asks(&self) -> bool {
        let question = self.quiz.as_ref().and_then(|quiz| quiz.question);
        question.is_some() && question == self.data.get::<Run>().map(|run| run.events)
    }

    /// Shows the board of the position that a reply is about.
    pub fn show_board_of(&mut self, reply: &dyn Reply) {
        let run = reply.downcast_ref::<Run>();
        let is_hit = run.is_some_and(|run| run.breakpoint.is_some());
        if is_hit || reply.is::<StopReport>() || reply.is::<QuizReport>() {
            self.hint = Hint::None;
            self.shown = BoardOf::Frame;
        } else if let Some(edit) = reply.downcast_ref::<CacheEdit>() {
            if edit.entry.is_none() && edit.previous.is_none() {
                return self.say("the cache has no entry for this position");
            }
            self.shown = BoardOf::Entry(edit.key.clone());
            self.data.look_at(edit.clone());
        } else if let Some(explained) = reply.downcast_ref::<EntryExplained>() {
            let known = self.data.entry.as_mut().filter(|known| known.key == explained.key);
            if let Some(known) = known.filter(|_| explained.writer.is_some()) {
                known.writer.clone_from(&explained.writer);
            }
            self.shown = BoardOf::Entry(explained.key.clone());
        } else if reply.is::<FrameReport>() || reply.is::<EventExplained>() {
            self.shown = BoardOf::Frame;
        } else if reply.is::<PositionReport>() {
            self.shown = BoardOf::Position;
        }
    }

    /// Queues a line to be run.
    pub fn submit(&mut self, line: impl Into<String>, by: By) {
        let line = line.into();
        if !line.trim().is_empty() {
            self.queue.push_back(Job { line, by });
        }
    }

    /// Queues the command line of a key, unless a command is running. During a step or a jump, which are short, a few lines are queued.
    pub fn run(&mut self, line: impl Into<String>) {
        let line = line.into();
        let has_room = self.queue.len() < WAITING_STEPS;
        let is_free = !self.is_busy() || (self.jumping || self.stepping) && has_room;
        let is_step = STEPS.contains(&&*line) && (self.stepping || is_free);
        let is_next = is_step && has_room;
        let waiting = self.queue.back_mut().map(|job| &mut job.line).filter(|_| is_next);
        if let Some(before) = waiting.filter(|before| before.starts_with(&*line))
            && let Some(events) = events_of_step(before)
        {
            // Going back once by several events replays the search only once.
            *before = format!("{line} {}", events + 1);
        } else if is_next || !is_step && (is_free || self.plays_itself() && !searches(&line)) {
            self.submit(line, By::Key);
        } else {
            self.refused = true;
        }
    }

    /// Queues a jump in place of one that waits or is running, unless another command is running.
    pub fn jump(&mut self, line: impl Into<String>) {
        if self.is_busy() && !self.jumping {
            return self.run(line);
        }
        self.effects.extend(self.is_busy().then_some(Effect::Interrupt));
        self.queue.retain(|job| job.by != By::Jump);
        self.submit(line, By::Jump);
    }

    /// Runs the command line of a key. A search for the engine's move is stopped first.
    pub fn run_now(&mut self, line: impl Into<String>) {
        if self.moving && self.is_busy() {
            self.effects.push(Effect::Interrupt);
            self.submit(line, By::Jump);
        } else {
            self.run(line);
        }
    }

    /// Asks the user whether to run the command line of a key, because its effect cannot easily be undone. While a command is
    /// running, except the search for the engine's move, the key is refused, as by [`Self::run`].
    pub fn ask(&mut self, line: impl Into<String>, effect: impl Into<String>) {
        if self.is_busy() && !self.moving {
            self.run(line);
        } else {
            self.overlay = Some(Overlay::Sure(line.into(), effect.into()));
        }
    }

    /// What the panes of a search say without one.
    pub fn no_search(&self) -> String {
        let [step, run] = ["step", "run"].map(|action| self.key(action));
        format!(
            "No search is under way. {step} starts one and stops at its first event, {run} runs it."
        )
    }

    /// Why the last key was refused; `None` once the reason no longer holds.
    pub fn refusal(&self) -> Option<String> {
        let what = if self.moving { "the engine is to move" } else { "a command is running" };
        (self.refused && self.is_busy())
            .then(|| format!("{what}: {} stops it", self.key("interrupt")))
    }

    /// Whether the engine searches a move of a game against itself, and no command waits for its end.
    fn plays_itself(&self) -> bool {
        self.moving && self.engine == EngineSides::Both && self.queue.is_empty()
    }

    /// Selects a frame. Selections that are still queued, for rows that the cursor has left, are dropped.
    pub fn select_frame(&mut self, frame: Option<usize>) {
        self.queue.retain(|job| job.by != By::Cursor);
        if let Some(frame) = frame.filter(|_| !self.is_busy()) {
            self.submit(format!("frame {frame}"), By::Cursor);
        }
    }

    /// Sets a breakpoint with this condition, or deletes the breakpoint that has the condition.
    pub fn toggle_breakpoint(&mut self, condition: &str) {
        let list = self.data.get::<BreakpointList>();
        let mut known = list.into_iter().flat_map(|list| &list.breakpoints);
        let line = match known.find(|point| point.condition == condition) {
            Some(point) => format!("delete {}", point.id),
            None => format!("break {condition}"),
        };
        self.run(line);
    }

    /// The open trace, once its first events have been read.
    pub fn trace(&self) -> Option<&OpenTrace> {
        self.data.get()
    }

    /// Whether a trace of another program is open.
    pub fn is_trace(&self) -> bool {
        self.data.get::<PositionReport>().is_some_and(|position| position.game == "trace")
    }

    /// Whether a search of this program has completed an iteration, so that its value can be explained.
    pub fn has_value(&self) -> bool {
        !self.is_trace() && self.data.get::<Run>().is_some_and(|run| run.depth > 0)
    }

    /// Whether the game is over in its current position.
    pub fn is_game_over(&self) -> bool {
        self.data.get::<PositionReport>().is_some_and(|position| position.finished)
    }

    /// Whether the engine's side is to move but the engine waits, because moves follow: the user is going through the game.
    pub fn engine_waits(&self) -> bool {
        let position = self.data.get::<PositionReport>();
        let waits = |it: &PositionReport| it.redo > 0 && !it.finished && self.engine.plays(it.side);
        position.is_some_and(waits) && !self.is_busy() && self.queue.is_empty()
    }

    /// Whether there is neither a move nor a search.
    pub fn is_untouched(&self) -> bool {
        let has_moves = |it: &PositionReport| it.undo + it.redo > 0;
        let has_moves = self.data.get::<PositionReport>().is_none_or(has_moves);
        !has_moves && self.data.get::<Run>().is_none()
    }

    /// Whether a game against the engine is being played: there, a move after a takeback goes on with the game. In a game that was
    /// reviewed or loaded from a file, it begins a variation.
    pub fn is_engine_game(&self) -> bool {
        let position = self.data.get::<PositionReport>();
        self.engine != EngineSides::None && !position.is_some_and(PositionReport::is_studied)
    }

    /// Whether the last moves played are a variation of a game that the user goes through.
    pub fn is_in_variation(&self) -> bool {
        let position = self.data.get::<PositionReport>();
        position.is_some_and(|it| it.replaced_move.is_some()) && !self.is_engine_game()
    }

    /// Whether a search, other than one for a hint, is paused before its end.
    pub fn is_search_paused(&self) -> bool {
        let has_frames = !self.data.frames().is_empty() && !self.is_trace();
        has_frames && self.hint == Hint::None && !self.searching && !self.is_search_over()
    }

    /// Whether the search has ended, so that no step forwards is possible; false for a hint, whose steps the screen does not show.
    pub fn is_search_over(&self) -> bool {
        let stopped = self.data.get::<Run>().and_then(|run| run.stopped);
        let is_over = stopped.is_some_and(|why| why != Stop::Interrupt);
        self.hint == Hint::None && (is_over || self.is_at_end_of_trace())
    }

    /// Whether the last event of a trace that has been read whole is the current one.
    pub fn is_at_end_of_trace(&self) -> bool {
        let run = self.data.get::<Run>();
        let read = self.data.get::<TimelineList>().and_then(TimelineList::current);
        let is_last = run.zip(read).is_some_and(|(run, read)| run.events == read.reached);
        is_last && self.trace().is_some_and(|trace| trace.done)
    }

    /// Whether a command or a search is running.
    pub fn is_busy(&self) -> bool {
        self.searching || self.busy.is_some()
    }

    /// The first key of an action outside of the command pane; empty if the action has no key.
    pub fn key(&self, action: &str) -> String {
        self.keymap.key(action, self.key_place()).unwrap_or_default()
    }

    /// A text with the names of keys in place of the command lines that the keys run.
    pub fn with_keys(&self, text: &str) -> String {
        self.keymap.in_place_of_lines(text, self.key_place())
    }

    fn key_place(&self) -> KeyPlace {
        let (pane, trace) = (self.focus, self.is_trace());
        KeyPlace { pane, typing: false, scrolls: false, letters: "", trace }
    }

    /// The first key of an action and the effect of the key; `None` if the action has no key here, as when the pane uses the key.
    pub fn key_to(&self, action: &str, effect: &str) -> Option<String> {
        Some(self.key(action)).filter(|key| !key.is_empty()).map(|key| format!("{key} {effect}"))
    }

    /// The command line that goes to the current event; `None` before the first event.
    pub fn event_line(&self) -> Option<String> {
        self.data.event().map(|event| format!("goto {}", event.index))
    }

    /// At the start of a recording, the keys that go on; elsewhere `None`.
    pub fn at_start(&self) -> Option<String> {
        self.recording()?;
        self.data.get::<Run>().filter(|run| run.events == 0)?;
        let keys = [("step", "steps"), ("end", "goes to the end")];
        let keys = keys.into_iter().filter_map(|(action, effect)| self.key_to(action, effect));
        Some(format!("before the first event: {}", keys.collect::<Vec<_>>().join(", ")))
    }

    /// What the position on the board belongs to, in words.
    pub fn board_owner(&self) -> String {
        match (&self.shown, self.data.frame()) {
            (BoardOf::Frame, Some(frame)) => format!("frame {}", frame.ply),
            (BoardOf::Entry(key), _) => format!("entry {key}"),
            (BoardOf::Node(spot), _) => format!("after {}", crate::text::words(&spot.line)),
            _ if self.is_trace() => "root".to_owned(),
            _ => "game".to_owned(),
        }
    }

    /// The position that is shown on the board, in the game's notation.
    pub fn position(&self) -> Option<&str> {
        let game = self.data.get::<PositionReport>().map(|position| position.state.as_str());
        let is_entry = matches!(self.shown, BoardOf::Entry(_));
        self.data.state_of(&self.shown).or(game.filter(|_| !is_entry))
    }

    /// The cache key of the position that is shown, if it is known.
    pub fn position_key(&self) -> Option<&str> {
        match &self.shown {
            BoardOf::Frame => self.data.frame().map(|frame| frame.key.as_str()),
            BoardOf::Entry(key) => Some(key),
            BoardOf::Node(_) => None,
            BoardOf::Position => self.data.get().map(|it: &PositionReport| it.key.as_str()),
        }
    }
}
