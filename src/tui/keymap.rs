//! The key map: one row for each action. Keys, help and footer are made from the rows. The rows that work in every pane are in
//! this file; those of a pane are in the pane's file.

use unicode_width::UnicodeWidthStr as _;

use super::{keys::KeyPress, layout::Name};
use crate::{
    command::{self, KeyHelp, suggest},
    config::{Config, KeySetting},
    text::or_empty,
};

/// The effect of an action in the key map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Runs a command line, with the pane's selection in place of `{}`.
    Run(String),
    /// Runs a command line that goes to an event, in place of such a command that is running.
    Jump(&'static str),
    /// Runs a command line after the user has confirmed it.
    Ask(String),
    /// Types the beginning of a command line into the command pane.
    Type(String),
    /// Runs `undo` or `redo`: in a game against the engine for two moves, the user's and the engine's.
    Moves(&'static str),
    /// Gives the focus to a pane.
    Go(Name),
    /// Scrolls the focused pane, or moves its cursor, by a number of lines; negative: up.
    Scroll(isize),
    /// Scrolls the focused pane by a number of pages; negative: up.
    Page(isize),
    /// An action of the whole screen that is not a command.
    Screen(ScreenAction),
    /// An action of the row's own pane that is not a command.
    Pane(PaneAction),
}

/// The actions of the whole screen. The configuration names them in kebab case: `next-pane`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "the rows of the key map say what each does")]
#[rustfmt::skip] // a list of names
pub enum ScreenAction {
    Help, NextPane, PreviousPane, Zoom, Position, Entry, Why, Landmark, BackLandmark, BreakHere, Interrupt, EngineSide, EngineLevel,
    EngineFollow, Draw, Resign, Grow, Shrink, Arrange, ArrangePlay, ArrangeDebug, ArrangeTrace, CopyPosition, CopyKey, Save, Picture, Theme, Mouse, Redraw, Suspend, Quit,
}

/// Defines [`PaneAction`], and for each pane an enum of its actions, so that the pane's `match` must handle all of them.
macro_rules! pane_actions {
    ($($pane:ident($actions:ident) { $($action:ident),+ })+) => {
        /// The actions of the panes that are not commands. The configuration names them in kebab case: `board-flip`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each is a pane")]
        pub enum PaneAction { $($pane($actions)),+ }

        impl From<PaneAction> for &'static str {
            fn from(action: PaneAction) -> Self {
                match action { $(PaneAction::$pane(action) => action.into()),+ }
            }
        }

        $(
            #[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
            #[strum(serialize_all = "kebab-case")]
            #[expect(missing_docs, reason = "the rows of the pane say what each does")]
            pub enum $actions { $($action),+ }

            impl From<$actions> for PaneAction {
                fn from(action: $actions) -> Self {
                    Self::$pane(action)
                }
            }
        )+
    };
}

pane_actions! {
    Board(BoardPaneAction) { BoardFlip }
    Cache(CachePaneAction) { EntryFilter, EntryRestore, EntrySort }
    Chart(ChartPaneAction) { ChartOther }
    Findings(FindingsPaneAction) { FindingGo, FindingOther }
    Game(GamePaneAction) { GameGo }
    Stack(StackPaneAction) { FrameWhy }
    Stops(StopsPaneAction) { StopGo, StopSwitch, StopRemove, StopRestore }
    Tree(TreePaneAction) { TreeOpen, TreeClose, TreeShape, TreeWhy }
}

/// A number of lines that exceeds the length of every pane.
pub const ALL_LINES: isize = isize::MAX / 2;

/// The state of the screen that determines what a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPlace {
    /// The pane that has the focus.
    pub pane: Name,
    /// Whether text is typed in the pane, so that keys that write a character are not actions.
    pub typing: bool,
    /// Whether the pane has lines to scroll.
    pub scrolls: bool,
    /// The characters that begin a move, which the pane takes before any action.
    pub letters: &'static str,
    /// Whether a trace is open, so that keys that work only on games are not actions.
    pub trace: bool,
}

/// A row of the key map: an action and its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The name of the action, as in the configuration.
    pub name: String,
    /// The pane in which the action works; `None`: every pane.
    pub pane: Option<Name>,
    /// The effect of the row's keys.
    pub action: Action,
    /// The keys of the action, of which the footer shows the first.
    pub keys: Vec<KeyPress>,
    /// The effect of the action in words, for the help.
    pub help: String,
}

impl Binding {
    /// An action that works in every pane; `keys` are names of keys, separated by blanks.
    pub fn new(name: &str, keys: &str, action: Action, help: &str) -> Self {
        Self {
            name: name.to_owned(),
            pane: None,
            action,
            keys: keys.split(' ').filter_map(|key| key.parse().ok()).collect(),
            help: help.to_owned(),
        }
    }

    /// Whether the action works while a trace is open.
    fn works_on_trace(&self) -> bool {
        use ScreenAction::{Draw, EngineFollow, EngineLevel, EngineSide, Resign, Save};
        let only_on_games = match self.action {
            Action::Go(pane) => ["game", "eval", "chart"].contains(&pane),
            Action::Screen(action) => {
                matches!(action, Draw | EngineFollow | EngineLevel | EngineSide | Resign | Save)
            }
            Action::Pane(PaneAction::Cache(action)) => action == CachePaneAction::EntryRestore,
            _ => false,
        };
        let words: Vec<_> = self.line().unwrap_or_default().split_whitespace().collect();
        let command = command::table().exact(&words);
        !only_on_games && command.is_none_or(|(spec, _)| spec.works_on_trace)
    }

    /// A row of the help: `keys`, the effect, and the command without its arguments unless the effect names it.
    pub fn described(&self, keys: &[KeyPress]) -> [String; 3] {
        let keys: Vec<_> = keys.iter().map(KeyPress::to_string).collect();
        let words = self.line().unwrap_or_default().split_whitespace();
        let command = words.take_while(|word| !word.contains('{')).collect::<Vec<_>>().join(" ");
        let quoted = format!("`{command}`");
        let is_new = !command.is_empty() && !self.help.contains(&quoted);
        [keys.join(" "), self.help.clone(), or_empty(is_new.then_some(quoted))]
    }

    /// The command line that the action runs or begins to type, if any.
    pub fn line(&self) -> Option<&str> {
        match &self.action {
            Action::Moves(line) | Action::Jump(line) => Some(line),
            Action::Run(line) | Action::Ask(line) | Action::Type(line) => Some(line.trim_end()),
            _ => None,
        }
    }
}

/// The actions shown in the key bar by their groups and places. Those that are not listed, which are of one pane, are in
/// [`PANE_GROUP`].
const GROUPS: [&str; 5] = [
    "help quit",
    "",
    "step back over continue out landmark back-landmark why break-here mark run drop start",
    "board-back game-back undo engine hint games draw resign new",
    "position command next-pane zoom save theme",
];
/// The group of the labels of a pane.
pub const PANE_GROUP: usize = 1;

/// A label of the key bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyLabel {
    /// What the keys do, in a word.
    pub text: String,
    /// The keys, as in [`Binding::described`].
    pub rows: Vec<[String; 3]>,
    /// The group of actions, and the place in the group: lower ones are at the left.
    pub place: (usize, usize),
}

impl KeyLabel {
    /// A label of keys that are in no row of the key map: the keys, what they do in a word, and in a sentence.
    pub fn fixed([keys, text, help]: [&str; 3]) -> Self {
        let rows = vec![[keys, help, ""].map(str::to_owned)];
        Self { text: text.to_owned(), rows, place: (PANE_GROUP, 0) }
    }

    /// A label of an action of the key map and of the actions that belong with it, of which each has a row in `rows`.
    pub fn of(action: &str, text: &str, rows: Vec<[String; 3]>) -> Self {
        let within = |names: &str| names.split_whitespace().position(|name| name == action);
        let mut groups = GROUPS.iter().enumerate();
        let place = groups.find_map(|(group, names)| Some((group, within(names)?)));
        Self { text: text.to_owned(), rows, place: place.unwrap_or((PANE_GROUP, 0)) }
    }

    /// The names of the keys.
    pub fn keys(&self) -> String {
        self.rows.iter().map(|[key, ..]| key.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The width with the blanks around it, in columns.
    pub fn width(&self) -> usize {
        self.keys().width() + self.text.width() + 3
    }
}

/// A row whose action runs a command line.
pub fn run(name: &str, keys: &str, line: &str, help: &str) -> Binding {
    Binding::new(name, keys, Action::Run(line.to_owned()), help)
}

/// A row whose action types the beginning of a command line.
pub fn types(name: &str, keys: &str, line: &str, help: &str) -> Binding {
    Binding::new(name, keys, Action::Type(line.to_owned()), help)
}

/// A row whose action belongs to a pane and is not a command.
pub fn own(action: impl Into<PaneAction>, keys: &str, help: &str) -> Binding {
    let action = action.into();
    Binding::new(action.into(), keys, Action::Pane(action), help)
}

fn screen(action: ScreenAction, keys: &str, help: &str) -> Binding {
    Binding::new(action.into(), keys, Action::Screen(action), help)
}

/// The actions that work in every pane, in the order of the help. The letters a to h are kept free for coordinates.
fn everywhere() -> impl Iterator<Item = Binding> {
    let groups = [pane_keys(), search_keys(), game_keys(), terminal_keys(), list_keys()];
    groups.into_iter().flatten()
}

/// The keys for panes and their arrangement.
#[rustfmt::skip] // one action a line: it is read as a table
fn pane_keys() -> Vec<Binding> {
    vec![
        screen(ScreenAction::Help, "f1 ?", "lists keys and commands; type to search"),
        screen(ScreenAction::NextPane, "f6 tab", "goes to the next pane"),
        screen(ScreenAction::PreviousPane, "shift-f6 shift-tab", "goes to the previous pane"),
        screen(ScreenAction::Zoom, "z f4", "zooms the focused pane, or shows all panes"),
        screen(ScreenAction::Grow, "=", "gives the focused pane three rows more"),
        screen(ScreenAction::Shrink, "-", "takes three rows from the focused pane"),
        screen(ScreenAction::ArrangePlay, "alt-1", "keeps the panes of a game: large board, moves"),
        screen(ScreenAction::ArrangeDebug, "alt-2", "keeps the panes of a search: stack, tree, cache"),
        screen(ScreenAction::ArrangeTrace, "alt-3", "keeps the panes of a trace: findings, stack, tree, cache"),
        screen(ScreenAction::Arrange, "alt-0", "lets the search under way choose the panes again"),
        screen(ScreenAction::Position, "esc", "back to the game's board, step by step"),
    ]
}

/// The keys for the search and its recording.
#[rustfmt::skip] // one action a line: it is read as a table
fn search_keys() -> Vec<Binding> {
    vec![
        run("step", "s f11", "step", "one event forwards"),
        run("back", "S shift-f11", "back", "one event back"),
        run("over", "n f10", "next", "steps over the subtree that is entered next"),
        run("back-over", "N shift-f10", "back next", "steps back over the subtree that was left last"),
        run("out", "o f12", "finish", "runs to the return from the current node"),
        run("back-out", "O shift-f12", "back finish", "goes back to before the current node"),
        run("continue", "] f5", "continue", "runs to the next breakpoint, or the end"),
        run("back-continue", "[ shift-f5", "back continue", "goes back to the previous breakpoint, or the start"),
        run("step-100", ">", "step 100", "a hundred events forwards"),
        run("back-100", "<", "back 100", "a hundred events back"),
        screen(ScreenAction::Landmark, "}", "goes to the next landmark: iteration, breakpoint hit, mark, branch; in a trace, finding; in a game, mistake"),
        screen(ScreenAction::BackLandmark, "{", "goes to the previous landmark"),
        run("mark", "+", "mark at-{event}", "marks the current event, for `goto at-N`; `mark NAME` gives it a name"),
        screen(ScreenAction::BreakHere, "B", "sets or deletes a breakpoint at the selected frame, node or entry, or the position shown"),
        screen(ScreenAction::Why, "w W", "explains the last event, in a list of events the selected one; on the game's board, the best move that a search has found, or else a hint"),
        screen(ScreenAction::Entry, ".", "shows the cache entry of the selected frame or node, or of the position shown"),
        run("run", "r", "search run", "searches with the current settings; restarts a search under way"),
        Binding::new("drop", "x", Action::Ask("search drop".to_owned()), "drops the search"),
        screen(ScreenAction::Interrupt, "ctrl-c", "stops what is running; in the command line, cancels the line"),
    ]
}

/// The keys for the game and the engine.
#[rustfmt::skip] // one action a line: it is read as a table
fn game_keys() -> Vec<Binding> {
    vec![
        Binding::new("undo", "U", Action::Moves("undo"), "takes back a move (takeback)"),
        Binding::new("redo", "u R", Action::Moves("redo"), "plays a move that was taken back again"),
        run("variation-leave", "V", "variation leave", "goes back to where the variation begins"),
        Binding::new("new", "X", Action::Ask("position start".to_owned()), "starts a new game"),
        types("play", "p", "play ", "types `play` in the command pane"),
        run("engine", "m", "engine play", "makes the engine play a move"),
        screen(ScreenAction::EngineSide, "M", "chooses the side that the engine plays by itself: White, Black, both or none"),
        screen(ScreenAction::EngineLevel, "L", "chooses the level of the engine"),
        screen(ScreenAction::EngineFollow, "A", "starts or stops the analysis by an external engine"),
        screen(ScreenAction::Draw, "%", "claims a draw where the draw rules allow it, else offers one to the other side, after asking"),
        screen(ScreenAction::Resign, "#", "resigns the game, after asking"),
        run("hint", "i", "hint", "shows the best moves on the board"),
        run("games", "T", "games", "lists the games of the open PGN file; Enter opens one"),
    ]
}

/// The keys for the screen, the clipboard and the program.
#[rustfmt::skip] // one action a line: it is read as a table
fn terminal_keys() -> Vec<Binding> {
    vec![
        screen(ScreenAction::CopyPosition, "y", "copies the position shown"),
        screen(ScreenAction::CopyKey, "Y", "copies the cache key shown"),
        screen(ScreenAction::Save, "ctrl-s", "saves the session"),
        screen(ScreenAction::Picture, "*", "saves the screen as an SVG file (screenshot); pressed twice at once, the last ten seconds as a film"),
        screen(ScreenAction::Theme, "f2", "switches to the next colour theme"),
        screen(ScreenAction::Mouse, "f3", "switches the mouse on or off: clicks and drags play moves, choose rows, and go to events of the time line"),
        screen(ScreenAction::Redraw, "ctrl-l", "redraws the screen"),
        screen(ScreenAction::Suspend, "ctrl-z", "suspends the program; `fg` in the shell continues it"),
        screen(ScreenAction::Quit, "q ctrl-q", "quits; asks first if there are unsaved changes"),
    ]
}

/// The keys for cursors and scrolling; without a list, the keys for the ends of the recording.
#[rustfmt::skip] // one action a line: it is read as a table
fn list_keys() -> Vec<Binding> {
    vec![
        Binding::new("up", "up k", Action::Scroll(-1), "moves the cursor a row up, or scrolls"),
        Binding::new("down", "down j", Action::Scroll(1), "moves the cursor a row down, or scrolls"),
        Binding::new("page-up", "pageup", Action::Page(-1), "a page up"),
        Binding::new("page-down", "pagedown", Action::Page(1), "a page down"),
        Binding::new("top", "home g", Action::Scroll(-ALL_LINES), "the first line"),
        Binding::new("bottom", "end G", Action::Scroll(ALL_LINES), "the last line"),
        Binding::new("start", "( home", Action::Jump("goto start"), "goes to the start of the recording; without one, of a game that is gone through"),
        Binding::new("end", ") end", Action::Jump("goto end"), "goes to its end"),
    ]
}

/// All rows of the key map; those of panes come first and take precedence.
#[derive(Clone, Debug, Default)]
pub struct Keymap {
    rows: Vec<Binding>,
}

impl Keymap {
    /// A key map with the rows of the panes and those that work in every pane.
    pub fn new(panes: impl IntoIterator<Item = Binding>) -> Self {
        let mut rows: Vec<_> = panes.into_iter().chain(everywhere()).collect();
        rows.sort_by_key(|row| row.pane.is_none());
        Self { rows }
    }

    /// The rows that work in the screen state `place`, those of the pane first. Each has its keys, except keys that belong to
    /// an earlier row. If text is typed in the pane, only keys that write no character are included.
    pub fn rows(&self, place: KeyPlace) -> Vec<(&Binding, Vec<KeyPress>)> {
        let mut taken = Vec::new();
        let mut rows = Vec::new();
        for row in &self.rows {
            let here = row.pane.is_none_or(|own| own == place.pane);
            let moves = matches!(row.action, Action::Scroll(_) | Action::Page(_));
            if !here || moves && !place.scrolls {
                continue;
            }
            if place.trace && !row.works_on_trace() {
                // In a trace, a key of the pane whose action does not work on traces must not run the action of another row.
                taken.extend(row.pane.map_or(&[][..], |_| &row.keys));
                continue;
            }
            let works = |key: &KeyPress| {
                let is_free = !key.letter().is_some_and(|letter| place.letters.contains(letter));
                is_free && (!place.typing || key.is_control()) && !taken.contains(key)
            };
            let keys: Vec<_> = row.keys.iter().copied().filter(works).collect();
            taken.extend(&keys);
            if !keys.is_empty() {
                rows.push((row, keys));
            }
        }
        rows
    }

    /// The rows of the key map, as `help` shows them.
    pub fn help(&self) -> impl Iterator<Item = KeyHelp> {
        self.rows.iter().map(|row| KeyHelp {
            keys: row.keys.iter().map(KeyPress::spelled).collect(),
            action: row.name.clone(),
            pane: row.pane,
            command: row.line().map(str::to_owned),
            help: row.help.clone(),
        })
    }

    /// The action of a key in the screen state `place`, if the key has one.
    pub fn action(&self, key: KeyPress, place: KeyPlace) -> Option<&Binding> {
        self.rows(place).into_iter().find(|(_, keys)| keys.contains(&key)).map(|(row, _)| row)
    }

    /// The first key of the action with this name, in the screen state `place`.
    pub fn key(&self, name: &str, place: KeyPlace) -> Option<String> {
        let (_, keys) = self.rows(place).into_iter().find(|(row, _)| row.name == name)?;
        keys.first().map(KeyPress::to_string)
    }

    /// A text in which the first keys of actions replace the command lines, in backquotes, that they run.
    pub fn in_place_of_lines(&self, text: &str, place: KeyPlace) -> String {
        let rows = self.rows(place).into_iter();
        // The keys that work in every pane are known best.
        let runs = |row: &Binding| row.pane.is_none() && !matches!(row.action, Action::Type(_));
        let rows = rows.filter(|(row, _)| runs(row));
        rows.fold(text.to_owned(), |text, (row, keys)| match (row.line(), keys.first()) {
            (Some(line), Some(key)) => text.replace(&format!("`{line}`"), &key.to_string()),
            _ => text,
        })
    }

    /// The key map with the configuration applied. Errors name file, line and column.
    pub fn configured(mut self, config: &Config) -> Result<Self, String> {
        // The keys of all configured actions are unbound first, so that two actions can exchange keys.
        let is_list = |(_, setting): &(_, &KeySetting)| matches!(setting, KeySetting::Keys(_));
        for (name, _) in config.keys.iter().filter(is_list) {
            match self.rows.iter_mut().find(|row| row.name == *name) {
                Some(row) => row.keys.clear(),
                None => return Err(self.unknown(config, name)),
            }
        }
        for (name, setting) in &config.keys {
            let place = format!("\"{name}\"");
            let keys = match setting {
                KeySetting::Keys(keys) => keys.as_slice(),
                KeySetting::Line(line) => {
                    let fault = |what: String| config.fault(&place, name, &what);
                    self.rows.insert(0, line_of_a_key(name, line).map_err(fault)?);
                    &[]
                }
            };
            for text in keys {
                let fault = |what: &str| config.fault(&place, text, what);
                let key: KeyPress = text.parse().map_err(|what: String| fault(&what))?;
                self.bind(name, key).map_err(|what| fault(&what))?;
            }
        }
        Ok(self)
    }

    fn unknown(&self, config: &Config, name: &str) -> String {
        let known = suggest::did_you_mean(name, self.rows.iter().map(|row| row.name.as_str()));
        let hint = known.unwrap_or_else(|| "`help KEY` names the action of a key".to_owned());
        let what = format!("no action is called `{name}`; {hint}");
        config.fault(&format!("\"{name}\""), name, &what)
    }

    fn bind(&mut self, name: &str, key: KeyPress) -> Result<(), String> {
        let Some(at) = self.rows.iter().position(|row| row.name == name) else {
            return Ok(());
        };
        let pane = self.rows[at].pane;
        let taken = |row: &&Binding| row.pane == pane && row.keys.contains(&key);
        if let Some(other) = self.rows.iter().find(taken) {
            let taken = format!("the key {key} is taken by the action `{}`", other.name);
            return Err(format!("{taken}: give that one other keys"));
        }
        self.rows[at].keys.push(key);
        Ok(())
    }
}

/// The row of a configured key that runs a command line in every pane.
fn line_of_a_key(name: &str, line: &str) -> Result<Binding, String> {
    let key: KeyPress = name.parse()?;
    let Some(line) = line.strip_prefix(':').filter(|line| !line.trim().is_empty()) else {
        return Err(format!(
            "`{name}` stands for a command line, such as \":step 10\", or an action for a list of keys"
        ));
    };
    let first: Vec<_> = line.split_whitespace().collect();
    let help =
        command::table().exact(&first).map_or("a command of your own", |(spec, _)| spec.summary);
    Ok(Binding { keys: vec![key], ..run(name, "", line, help) })
}
