//! What the panes show, asked of the shell as any command would be.

use std::time::{Duration, Instant};

use super::news::BoardOf;
use crate::{
    command::Shell,
    engine::reply::{
        BoardReport, BreakpointList, CacheEdit, CacheList, CacheStats, DisplayList, EntryReport,
        Eval, FrameReport, PositionReport, Run, SettingsReport, WeightSets, Where,
    },
};

/// Something that a pane shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Want {
    /// The position at hand.
    Position,
    /// The search stack.
    Stack,
    /// What the search has found.
    Run,
    /// Expressions that are shown while stepping.
    Displays,
    /// How searches run.
    Settings,
    /// Breakpoints.
    Breakpoints,
    /// The heuristic, under the weights in force and under every named set.
    Eval,
    /// The board of what is shown.
    Board(BoardOf),
    /// The cache in numbers.
    CacheStats,
    /// The part of the cache that a statement lists.
    Cache(String),
}

impl Want {
    /// Whether only commands change it, not a search under way.
    fn is_steady(&self) -> bool {
        matches!(self, Self::Position | Self::Settings | Self::Breakpoints | Self::Eval)
    }

    /// Whether it may take long.
    fn is_expensive(&self) -> bool {
        matches!(self, Self::CacheStats | Self::Cache(_))
    }
}

/// The latest answers.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// The position at hand.
    pub position: Option<PositionReport>,
    /// The board that is shown.
    pub board: Option<BoardReport>,
    /// The search stack.
    pub stack: Option<Where>,
    /// What the search has found.
    pub run: Option<Run>,
    /// How searches run.
    pub settings: Option<SettingsReport>,
    /// Breakpoints.
    pub breakpoints: Option<BreakpointList>,
    /// Expressions that are shown while stepping.
    pub displays: Option<DisplayList>,
    /// The cache in numbers.
    pub stats: Option<CacheStats>,
    /// The cache table: the part of it around the cursor.
    pub cache: Option<CacheList>,
    /// The statement that brought it.
    pub asked: Option<String>,
    /// Why there is none.
    pub cache_fault: Option<String>,
    /// The entry that is shown.
    pub entry: Option<CacheEdit>,
    /// The heuristic.
    pub eval: Option<Eval>,
    /// The named weights.
    pub sets: Option<WeightSets>,
    expensive: Throttle,
}

/// Keeps what takes long from being asked too often.
#[derive(Clone, Copy, Debug, Default)]
struct Throttle {
    cost: Duration,
    last: Option<Instant>,
}

/// While a search runs, a question may take so much of a slice.
const BEARABLE: Duration = Duration::from_millis(3);
/// And all of them so small a part of the time.
const SHARE: u32 = 20;

impl Throttle {
    fn allows(&self, searching: bool) -> bool {
        let waited = self.last.is_none_or(|last| last.elapsed() >= self.cost * SHARE);
        !searching || self.cost <= BEARABLE && waited
    }
}

impl Data {
    /// Looks up everything wanted, or only what a running search changes.
    pub fn refresh(&mut self, shell: &mut Shell, mut wants: Vec<Want>, all: bool) {
        // What a board belongs to goes before it.
        wants.sort();
        wants.dedup();
        let steady = all || self.position.is_none();
        let (expensive, cheap): (Vec<_>, Vec<_>) = wants.into_iter().partition(Want::is_expensive);
        for want in cheap {
            if steady || !want.is_steady() {
                self.look_up(shell, want);
            }
        }
        if !expensive.is_empty() && self.expensive.allows(shell.is_searching()) {
            let started = Instant::now();
            for want in expensive {
                self.look_up(shell, want);
            }
            self.expensive = Throttle { cost: started.elapsed(), last: Some(Instant::now()) };
        }
    }

    fn look_up(&mut self, shell: &mut Shell, want: Want) {
        match want {
            Want::Position => {
                self.position = shell.ask("position show").ok();
            }
            Want::Stack => self.stack = shell.ask("where").ok(),
            Want::Run => {
                self.run = shell.ask("search result").ok();
            }
            Want::Displays => self.displays = shell.ask("display").ok(),
            Want::Settings => self.settings = shell.ask("search show").ok(),
            Want::Breakpoints => self.breakpoints = shell.ask("break").ok(),
            Want::Eval => {
                self.eval = shell.ask("eval").ok();
                self.sets = shell.ask("weights list").ok();
            }
            Want::Board(shown) => self.look_at_board(shell, &shown),
            Want::CacheStats => self.stats = shell.ask("cache stats").ok(),
            Want::Cache(statement) => {
                (self.cache, self.cache_fault) = match shell.ask(&statement) {
                    Ok(list) => (Some(list), None),
                    Err(fault) => (None, Some(fault.to_string())),
                };
                self.asked = Some(statement);
            }
        }
    }

    /// Looks up the board of what is shown.
    pub fn look_at_board(&mut self, shell: &mut Shell, shown: &BoardOf) {
        if let BoardOf::Entry(key) = shown {
            let found = shell.ask::<CacheEdit>(&format!("cache get {key}"));
            // An entry just removed stays on the board.
            if let Some(edit) = found.ok().filter(|edit| edit.entry.is_some()) {
                self.entry = Some(edit);
            }
        }
        let state = match shown {
            BoardOf::Position => None,
            BoardOf::Frame => self.frame().map(|frame| frame.state.as_str()),
            BoardOf::Entry(key) => self.entry(key).and_then(|entry| entry.state.as_deref()),
        };
        let statement = format!("position board {}", state.unwrap_or_default());
        self.board = shell.ask(statement.trim_end()).ok();
    }

    /// The selected frame.
    pub fn frame(&self) -> Option<&FrameReport> {
        let stack = self.stack.as_ref()?;
        stack.frames.get(stack.selected)
    }

    /// The frames from the root to the node at hand; none where no search is under way.
    pub fn frames(&self) -> &[FrameReport] {
        self.stack.as_ref().map_or(&[], |stack| &stack.frames)
    }

    /// The entry of a key that was looked at last, as it is or as it was before it was removed.
    pub fn entry(&self, key: &str) -> Option<&EntryReport> {
        let edit = self.entry.as_ref().filter(|edit| edit.key == key)?;
        edit.entry.as_ref().or(edit.previous.as_ref())
    }

    /// The entry in a line of the cache table, if it has been looked up.
    pub fn entry_at(&self, line: usize) -> Option<&EntryReport> {
        let list = self.cache.as_ref()?;
        list.entries.get(line.checked_sub(list.offset)?)
    }

    /// How many lines the cache table has.
    pub fn matching(&self) -> usize {
        self.cache.as_ref().map_or(0, |list| list.matching)
    }

    /// Whether looking everything up takes so long that a worker should do it.
    pub fn is_slow(&self) -> bool {
        self.expensive.cost > 2 * BEARABLE
    }

    /// A setting's value.
    pub fn setting(&self, name: &str) -> Option<&str> {
        let settings = &self.settings.as_ref()?.settings;
        let (_, value) = settings.iter().find(|(known, _)| known == name)?;
        Some(value)
    }
}
