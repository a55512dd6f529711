//! What keys do: one row for each action, from which the keys, the help and the footer come.
//!
//! The rows for all panes are here; a pane's own rows are in its file.

use super::{keys::KeyPress, layout::Name};
use crate::{command::suggest, config::Config};

/// What an action does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    /// Runs a command line; `{}` is what is selected in the pane.
    Run(String),
    /// Puts the beginning of a command line into the command pane.
    Type(String),
    /// Goes to a pane.
    Go(Name),
    /// What the pane does that the row belongs to, or the screen where it belongs to none.
    Own,
}

/// A row: an action with its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its name in the configuration.
    pub name: String,
    /// The pane in which it works; everywhere if none is named.
    pub pane: Option<Name>,
    /// What it does.
    pub does: Does,
    /// Its keys, the first for the footer.
    pub keys: Vec<KeyPress>,
    /// What it does in words.
    pub help: String,
}

impl Binding {
    /// An action that works everywhere. Its keys are separated by blanks.
    pub fn new(name: &str, keys: &str, does: Does, help: &str) -> Self {
        Self {
            name: name.to_owned(),
            pane: None,
            does,
            keys: keys.split(' ').filter_map(|key| key.parse().ok()).collect(),
            help: help.to_owned(),
        }
    }

    /// An action of one pane.
    #[must_use]
    pub fn of(self, pane: Name) -> Self {
        Self { pane: Some(pane), ..self }
    }

    /// The command line that it runs or begins.
    pub fn line(&self) -> Option<&str> {
        match &self.does {
            Does::Run(line) | Does::Type(line) => Some(line.trim_end()),
            _ => None,
        }
    }
}

/// An action that runs a command line.
pub fn run(name: &str, keys: &str, line: &str, help: &str) -> Binding {
    Binding::new(name, keys, Does::Run(line.to_owned()), help)
}

/// An action that types the beginning of a command line.
pub fn types(name: &str, keys: &str, line: &str, help: &str) -> Binding {
    Binding::new(name, keys, Does::Type(line.to_owned()), help)
}

/// An action of a pane or of the screen that is no command.
pub fn own(name: &str, keys: &str, help: &str) -> Binding {
    Binding::new(name, keys, Does::Own, help)
}

/// The actions that work everywhere, in the order of the help.
#[rustfmt::skip] // one action a line: it is read as a table
fn everywhere() -> Vec<Binding> {
    vec![
        own("help", "f1 ?", "lists keys and commands; type to filter"),
        own("next-pane", "f6 tab", "goes to the next pane"),
        own("previous-pane", "shift-f6 shift-tab", "goes to the pane before"),
        own("zoom", "z f4", "shows the focused pane alone, or all"),
        run("step", "s f11", "step", "one event on"),
        run("step-100", "S", "step 100", "a hundred events on"),
        run("over", "o f10", "next", "over the subtree entered next"),
        run("out", "u shift-f11 f12", "finish", "out of the node at hand"),
        run("continue", "c f5", "continue", "to the next breakpoint, or the end"),
        run("back", "b", "back", "one event back"),
        run("run", "r", "search run", "searches with the settings in force"),
        run("drop", "x", "search drop", "forgets the search under way"),
        own("interrupt", "ctrl-c", "stops what is running"),
        run("undo", "U ctrl-u", "undo", "takes back a move"),
        run("redo", "R ctrl-r", "redo", "brings it back"),
        run("new", "N", "position start", "sets up the start of a game"),
        types("play", "p", "play ", "begins a move in the command pane"),
        run("engine", "m", "engine play", "the engine chooses a move and plays it"),
        run("hint", "h", "hint", "shows the best moves and plays none"),
        own("position", "esc", "the board shows the position at hand again"),
        own("copy-position", "y", "copies the position shown"),
        own("copy-key", "Y", "copies the cache key shown"),
        own("save", "w ctrl-s", "saves the session"),
        own("theme", "f2", "the next colour theme"),
        own("mouse", "f3", "mouse on or off"),
        own("redraw", "ctrl-l", "draws the screen anew"),
        own("suspend", "ctrl-z", "back to the shell; `fg` returns"),
        own("quit", "q ctrl-q", "leaves; asks if something is not saved"),
        own("up", "up k", "the line above"),
        own("down", "down j", "the line below"),
        own("page-up", "pageup", "a page up"),
        own("page-down", "pagedown", "a page down"),
        own("top", "home g", "the first line"),
        own("bottom", "end G", "the last line"),
    ]
}

/// All rows: first those of the panes, which go before the others.
#[derive(Clone, Debug, Default)]
pub struct Keymap {
    rows: Vec<Binding>,
}

impl Keymap {
    /// The panes' rows and those that work everywhere.
    pub fn new(panes: impl IntoIterator<Item = Binding>) -> Self {
        let mut rows: Vec<_> = panes.into_iter().chain(everywhere()).collect();
        rows.sort_by_key(|row| row.pane.is_none());
        Self { rows }
    }

    /// The rows that work in a pane, its own first. Where text is typed, only keys that write nothing do.
    pub fn rows(
        &self,
        pane: Name,
        typing: bool,
    ) -> impl Iterator<Item = (&Binding, Vec<KeyPress>)> {
        let here = move |row: &&Binding| row.pane.is_none_or(|own| own == pane);
        self.rows.iter().filter(here).filter_map(move |row| {
            let works = |key: &KeyPress| !typing || key.writes_nothing();
            let keys: Vec<_> = row.keys.iter().copied().filter(works).collect();
            (!keys.is_empty()).then_some((row, keys))
        })
    }

    /// What a key does in a pane.
    pub fn action(&self, key: KeyPress, pane: Name, typing: bool) -> Option<&Binding> {
        let mut rows = self.rows(pane, typing);
        let (row, _) = rows.find(|(_, keys)| keys.contains(&key))?;
        Some(row)
    }

    /// The first key of an action that works in a pane.
    pub fn key(&self, name: &str, pane: Name, typing: bool) -> Option<String> {
        let mut rows = self.rows(pane, typing);
        let (_, keys) = rows.find(|(row, _)| row.name == name)?;
        keys.first().map(KeyPress::to_string)
    }

    /// The keys that a configuration asks for. An error names file, line and column.
    pub fn configured(mut self, config: &Config) -> Result<Self, String> {
        // First all are released, so that two actions can exchange their keys.
        for name in config.keys.keys() {
            match self.rows.iter_mut().find(|row| row.name == *name) {
                Some(row) => row.keys.clear(),
                None => return Err(self.unknown(config, name)),
            }
        }
        for (name, keys) in &config.keys {
            for text in keys {
                let fault = |what: &str| config.fault(&format!("\"{name}\""), text, what);
                let key: KeyPress = text.parse().map_err(|what: String| fault(&what))?;
                self.bind(name, key).map_err(|what| fault(&what))?;
            }
        }
        Ok(self)
    }

    fn unknown(&self, config: &Config, name: &str) -> String {
        let known = suggest::did_you_mean(name, self.rows.iter().map(|row| row.name.as_str()));
        let hint = known.unwrap_or_else(|| "F1 lists the actions".to_owned());
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
            let other = &other.name;
            return Err(format!(
                "the key {key} is taken by the action `{other}`: give that one other keys"
            ));
        }
        self.rows[at].keys.push(key);
        Ok(())
    }
}
