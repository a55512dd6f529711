//! What the panes show, asked of the shell as any command would be.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::app::Shown;
use crate::{
    command::Shell,
    engine::report::{
        BoardReport, BreakpointList, CacheEdit, CacheList, CacheStats, DisplayList, EntryReport,
        Eval, PositionReport, Report, Run, SettingsReport, WeightSets, Where,
    },
};

/// What is looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Whose board.
    pub shown: Shown,
    /// Position, settings and breakpoints too: what only commands change.
    pub all: bool,
    /// The statement that lists cache entries, where the table is seen.
    pub cache: Option<String>,
    /// The heuristic, where it is seen.
    pub eval: bool,
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
    /// The entry selected there.
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
        let waited = self
            .last
            .is_none_or(|last| last.elapsed() >= self.cost * SHARE);
        !searching || self.cost <= BEARABLE && waited
    }
}

macro_rules! ask {
    ($shell:expr, $statement:expr, $kind:ident) => {
        match $shell.ask($statement).map(Arc::unwrap_or_clone) {
            Ok(Report::$kind(report)) => Some(report),
            _ => None,
        }
    };
}

impl Data {
    /// Looks everything wanted up again.
    pub fn refresh(&mut self, shell: &mut Shell, wanted: &Wanted) {
        let searching = shell.is_searching();
        self.stack = ask!(shell, "where", Where);
        self.displays = ask!(shell, "display", Displays);
        self.run = ask!(shell, "search result", Run).map(|run| *run);
        if wanted.all || self.position.is_none() {
            self.position = ask!(shell, "position show", Position).map(|position| *position);
            self.settings = ask!(shell, "search show", Settings);
            self.breakpoints = ask!(shell, "break", Breakpoints);
        }
        self.look_at_board(shell, wanted.shown);
        if wanted.eval && wanted.all {
            self.eval = ask!(shell, "eval", Eval);
            self.sets = ask!(shell, "weights list", WeightSets);
        }
        if self.expensive.allows(searching) {
            self.look_into_cache(shell, wanted.cache.as_deref());
        }
    }

    /// Looks up the board of what is shown.
    pub fn look_at_board(&mut self, shell: &mut Shell, shown: Shown) {
        let frame = || {
            let stack = self.stack.as_ref()?;
            Some(stack.frames.get(stack.selected)?.state.as_str())
        };
        let entry = || {
            let edit = self.entry.as_ref()?;
            edit.entry
                .as_ref()
                .or(edit.previous.as_ref())?
                .state
                .as_deref()
        };
        let state = match shown {
            Shown::Position => None,
            Shown::Frame => frame(),
            Shown::Entry => entry(),
        };
        let statement = format!("position board {}", state.unwrap_or_default());
        self.board = ask!(shell, statement.trim_end(), Board).map(|board| *board);
    }

    fn look_into_cache(&mut self, shell: &mut Shell, list: Option<&str>) {
        let started = Instant::now();
        self.stats = ask!(shell, "cache stats", CacheStats);
        if let Some(list) = list {
            self.asked = Some(list.to_owned());
            (self.cache, self.cache_fault) = match shell.ask(list).map(Arc::unwrap_or_clone) {
                Ok(Report::CacheList(list)) => (Some(list), None),
                Ok(_) => (None, None),
                Err(fault) => (None, Some(fault.to_string())),
            };
        }
        self.expensive = Throttle {
            cost: started.elapsed(),
            last: Some(Instant::now()),
        };
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

    /// Looks one entry up.
    pub fn look_at_entry(&mut self, shell: &mut Shell, key: &str) {
        self.entry = ask!(shell, &format!("cache get {key}"), CacheEdit).map(|edit| *edit);
        self.look_at_board(shell, Shown::Entry);
    }

    /// Whether looking everything up takes so long that a worker should do it.
    pub fn is_slow(&self) -> bool {
        self.expensive.cost > 2 * BEARABLE
    }

    /// The states that a search may visit, where there is a limit.
    pub fn budget(&self) -> Option<u64> {
        /// What `auto` means where no other limit is set.
        const AUTO: u64 = 25_000;
        let setting = |name: &str| self.setting(name).unwrap_or("off");
        match setting("budget") {
            "auto" if setting("depth") == "off" && setting("time_ms") == "off" => Some(AUTO),
            number => number.replace(['_', ' '], "").parse().ok(),
        }
    }

    /// A setting's value.
    pub fn setting(&self, name: &str) -> Option<&str> {
        let settings = &self.settings.as_ref()?.settings;
        settings
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}
