//! What keys do: one table of actions, from which the keys, the help and the footer come.
//!
//! An action either is a command line, run as if it had been typed, or changes nothing but the view.

use super::{app::Pane, keys::Key};
use crate::command;

/// Where an action's keys count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Everywhere, the command pane included.
    Always,
    /// In every pane in which nothing is typed.
    Panes,
    /// In one pane; these go before the others.
    In(Pane),
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Runs a command line; `{key}` is the selected cache entry, `{file}` the session's file.
    Command(&'static str),
    /// Puts the beginning of a command line into the command pane.
    Type(&'static str),
    /// Changes the view.
    View(View),
}

/// Actions that run no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The list of keys and commands.
    Help,
    /// The pane after this one.
    NextPane,
    /// The pane before this one.
    PreviousPane,
    /// One pane by its number.
    Focus(Pane),
    /// The focused pane alone, or all.
    Zoom,
    /// Stops what is running.
    Interrupt,
    /// Back to the shell.
    Suspend,
    /// The next colour theme.
    Theme,
    /// Mouse on or off.
    Mouse,
    /// Draws everything anew.
    Redraw,
    /// Position to the clipboard.
    CopyPosition,
    /// Cache key to the clipboard.
    CopyKey,
    /// The board shows the position at hand again.
    Back,
    /// Saves, or asks where.
    Save,
    /// Leaves.
    Quit,
    /// The line above.
    Up,
    /// The line below.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// The first line.
    Top,
    /// The last line.
    Bottom,
    /// The board mirrored, or from the other side.
    Flip,
    /// The board turned by a quarter.
    Turn,
    /// A position set up by hand.
    Setup,
    /// The next order of the cache table.
    Sort,
    /// Which entries the cache table shows.
    Filter,
}

/// An action.
#[derive(Debug)]
pub struct Action {
    /// Its name in the configuration.
    pub name: &'static str,
    /// Where its keys count.
    pub context: Context,
    /// The keys, unless the configuration says others.
    pub keys: &'static [&'static str],
    /// What it does.
    pub does: Does,
    /// One line for the help.
    pub help: &'static str,
}

const fn action(
    name: &'static str,
    context: Context,
    keys: &'static [&'static str],
    does: Does,
    help: &'static str,
) -> Action {
    Action {
        name,
        context,
        keys,
        does,
        help,
    }
}

use Context::{Always, In, Panes};
use Does::{Command, Type};

const fn view(
    name: &'static str,
    context: Context,
    keys: &'static [&'static str],
    does: View,
    help: &'static str,
) -> Action {
    action(name, context, keys, Does::View(does), help)
}

/// Every action, in the order of the help.
pub static ACTIONS: &[Action] = &[
    view(
        "help",
        Always,
        &["f1"],
        View::Help,
        "lists keys and commands; type to filter",
    ),
    view("help-key", Panes, &["?"], View::Help, "the same"),
    view(
        "command",
        Panes,
        &[":"],
        View::Focus(Pane::Command),
        "goes to the command pane",
    ),
    view(
        "next-pane",
        Always,
        &["f6"],
        View::NextPane,
        "goes to the next pane",
    ),
    view(
        "previous-pane",
        Always,
        &["shift-f6"],
        View::PreviousPane,
        "goes to the pane before",
    ),
    view(
        "tab",
        Panes,
        &["tab"],
        View::NextPane,
        "goes to the next pane",
    ),
    view(
        "back-tab",
        Panes,
        &["shift-tab"],
        View::PreviousPane,
        "goes to the pane before",
    ),
    view(
        "board",
        Panes,
        &["1"],
        View::Focus(Pane::Board),
        "goes to the board",
    ),
    view(
        "stack",
        Panes,
        &["2"],
        View::Focus(Pane::Stack),
        "goes to the search stack",
    ),
    view(
        "tree",
        Panes,
        &["3"],
        View::Focus(Pane::Tree),
        "goes to the search tree",
    ),
    view(
        "cache",
        Panes,
        &["4"],
        View::Focus(Pane::Cache),
        "goes to the cache table",
    ),
    view(
        "log",
        Panes,
        &["5"],
        View::Focus(Pane::Log),
        "goes to the log",
    ),
    view(
        "eval",
        Panes,
        &["6"],
        View::Focus(Pane::Eval),
        "goes to the evaluation",
    ),
    view(
        "prompt",
        Panes,
        &["7"],
        View::Focus(Pane::Command),
        "goes to the command pane",
    ),
    view(
        "counters",
        Panes,
        &["8"],
        View::Focus(Pane::Counters),
        "goes to the counters",
    ),
    view(
        "zoom",
        Panes,
        &["z"],
        View::Zoom,
        "shows the focused pane alone, or all",
    ),
    view(
        "zoom-any",
        Always,
        &["f4"],
        View::Zoom,
        "the same, also in the command pane",
    ),
    action("step", Panes, &["s"], Command("step"), "one event on"),
    action(
        "step-any",
        Always,
        &["f11"],
        Command("step"),
        "the same, also in the command pane",
    ),
    action(
        "step-100",
        Panes,
        &["S"],
        Command("step 100"),
        "a hundred events on",
    ),
    action(
        "over",
        Panes,
        &["o"],
        Command("next"),
        "over the subtree entered next",
    ),
    action(
        "over-any",
        Always,
        &["f10"],
        Command("next"),
        "the same, also in the command pane",
    ),
    action(
        "out",
        Panes,
        &["u"],
        Command("finish"),
        "out of the node at hand",
    ),
    action(
        "out-any",
        Always,
        &["shift-f11", "f12"],
        Command("finish"),
        "the same, also in the command pane",
    ),
    action(
        "continue",
        Panes,
        &["c"],
        Command("continue"),
        "to the next breakpoint, or the end",
    ),
    action(
        "continue-any",
        Always,
        &["f5"],
        Command("continue"),
        "the same, also in the command pane",
    ),
    action("back", Panes, &["b"], Command("back"), "one event back"),
    action(
        "run",
        Panes,
        &["r"],
        Command("search run"),
        "searches with the settings in force",
    ),
    action(
        "drop",
        Panes,
        &["x"],
        Command("search drop"),
        "forgets the search under way",
    ),
    view(
        "interrupt",
        Always,
        &["ctrl-c"],
        View::Interrupt,
        "stops what is running",
    ),
    action(
        "undo",
        Panes,
        &["U", "ctrl-u"],
        Command("undo"),
        "takes back a move",
    ),
    action(
        "redo",
        Panes,
        &["R", "ctrl-r"],
        Command("redo"),
        "brings it back",
    ),
    action(
        "new",
        Panes,
        &["N"],
        Command("position start"),
        "sets up the start of a game",
    ),
    action(
        "play",
        Panes,
        &["p"],
        Type("play "),
        "begins a move in the command pane",
    ),
    view(
        "position",
        Panes,
        &["esc"],
        View::Back,
        "the board shows the position at hand again",
    ),
    view(
        "copy-position",
        Panes,
        &["y"],
        View::CopyPosition,
        "copies the position shown",
    ),
    view(
        "copy-key",
        Panes,
        &["Y"],
        View::CopyKey,
        "copies the cache key shown",
    ),
    view(
        "save",
        Panes,
        &["w", "ctrl-s"],
        View::Save,
        "saves the session",
    ),
    view(
        "theme",
        Always,
        &["f2"],
        View::Theme,
        "the next colour theme",
    ),
    view("mouse", Always, &["f3"], View::Mouse, "mouse on or off"),
    view(
        "redraw",
        Panes,
        &["ctrl-l"],
        View::Redraw,
        "draws the screen anew",
    ),
    view(
        "suspend",
        Always,
        &["ctrl-z"],
        View::Suspend,
        "back to the shell; `fg` returns",
    ),
    view(
        "quit",
        Panes,
        &["q", "ctrl-q"],
        View::Quit,
        "leaves; asks if something is not saved",
    ),
    view("up", Panes, &["up", "k"], View::Up, "the line above"),
    view("down", Panes, &["down", "j"], View::Down, "the line below"),
    view("page-up", Always, &["pageup"], View::PageUp, "a page up"),
    view(
        "page-down",
        Always,
        &["pagedown"],
        View::PageDown,
        "a page down",
    ),
    view("top", Panes, &["home", "g"], View::Top, "the first line"),
    view(
        "bottom",
        Panes,
        &["end", "G"],
        View::Bottom,
        "the last line",
    ),
    view(
        "board-flip",
        In(Pane::Board),
        &["F"],
        View::Flip,
        "mirrors the board",
    ),
    view(
        "board-turn",
        In(Pane::Board),
        &["T"],
        View::Turn,
        "turns the board",
    ),
    view(
        "board-setup",
        In(Pane::Board),
        &["E"],
        View::Setup,
        "sets a position up by hand",
    ),
    action(
        "frame-up",
        In(Pane::Stack),
        &["up", "k"],
        Command("up"),
        "selects the frame nearer to the root",
    ),
    action(
        "frame-down",
        In(Pane::Stack),
        &["down", "j"],
        Command("down"),
        "selects the frame farther from the root",
    ),
    action(
        "frame-root",
        In(Pane::Stack),
        &["home", "g"],
        Command("frame 0"),
        "selects the root",
    ),
    action(
        "frame-show",
        In(Pane::Stack),
        &["enter"],
        Command("frame"),
        "shows the selected frame on the board",
    ),
    action(
        "entry-show",
        In(Pane::Cache),
        &["enter"],
        Command("cache get {key}"),
        "shows the selected entry on the board",
    ),
    action(
        "entry-edit",
        In(Pane::Cache),
        &["e"],
        Type("cache set {key} value="),
        "edits the selected entry",
    ),
    action(
        "entry-remove",
        In(Pane::Cache),
        &["d", "delete"],
        Command("cache remove {key}"),
        "removes the selected entry",
    ),
    view(
        "entry-sort",
        In(Pane::Cache),
        &["t"],
        View::Sort,
        "the next order",
    ),
    view(
        "entry-filter",
        In(Pane::Cache),
        &["/"],
        View::Filter,
        "shows only some: depth=2 bound=exact key=99…",
    ),
];

impl Action {
    /// Whether the command it runs exists.
    pub fn exists(&self) -> bool {
        match self.does {
            Command(line) | Type(line) => {
                let words: Vec<_> = line.split_whitespace().collect();
                command::table().exact(&words).is_some()
            }
            Does::View(_) => true,
        }
    }

    /// The action of a name.
    pub fn called(name: &str) -> Option<&'static Self> {
        ACTIONS.iter().find(|action| action.name == name)
    }

    /// What it runs, for the help.
    pub fn runs(&self) -> &'static str {
        match self.does {
            Command(line) | Type(line) => line,
            Does::View(_) => "",
        }
    }
}

/// Keys and what they do.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: Vec<(Key, &'static Action)>,
}

impl Default for Keymap {
    fn default() -> Self {
        let mut map = Self {
            bindings: Vec::new(),
        };
        for action in ACTIONS.iter().filter(|action| action.exists()) {
            let keys = action.keys.iter().filter_map(|key| key.parse().ok());
            map.bindings.extend(keys.map(|key| (key, action)));
        }
        map
    }
}

impl Keymap {
    /// Gives an action other keys. Where a key is taken, names the action that has it.
    pub fn bind(
        &mut self,
        action: &'static Action,
        keys: &[Key],
    ) -> Result<(), (Key, &'static str)> {
        self.bindings
            .retain(|(_, bound)| !std::ptr::eq(*bound, action));
        for key in keys {
            let same_place =
                |(bound, other): &&(Key, &Action)| bound == key && other.context == action.context;
            if let Some((key, other)) = self.bindings.iter().find(same_place) {
                return Err((*key, other.name));
            }
            self.bindings.push((*key, action));
        }
        Ok(())
    }

    /// What a key does in a pane.
    pub fn action(&self, key: Key, pane: Pane) -> Option<&'static Action> {
        let contexts: &[Context] = match pane {
            Pane::Command => &[In(Pane::Command), Always],
            pane => &[In(pane), Panes, Always],
        };
        contexts.iter().find_map(|context| {
            let bound = |(bound, action): &&(Key, &'static Action)| {
                *bound == key && action.context == *context
            };
            self.bindings.iter().find(bound).map(|(_, action)| *action)
        })
    }

    /// The keys of an action.
    pub fn keys(&self, action: &Action) -> Vec<String> {
        let bound = self
            .bindings
            .iter()
            .filter(|(_, bound)| std::ptr::eq(*bound, action));
        bound.map(|(key, _)| key.to_string()).collect()
    }

    /// The first key of an action by its name, for the footer.
    pub fn key(&self, name: &str) -> Option<String> {
        let (key, _) = self
            .bindings
            .iter()
            .find(|(_, action)| action.name == name)?;
        Some(key.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_readable_and_unique_in_its_place() {
        let mut seen = Vec::new();
        for action in ACTIONS {
            for key in action.keys {
                let key: Key = key.parse().unwrap();
                assert!(!seen.contains(&(key, action.context)), "{}", action.name);
                seen.push((key, action.context));
            }
        }
    }

    #[test]
    fn every_command_exists_but_those_to_come() {
        let missing: Vec<_> = ACTIONS
            .iter()
            .filter(|action| !action.exists())
            .map(|action| action.name)
            .collect();
        assert!(missing.iter().all(|name| *name == "back"), "{missing:?}");
    }

    #[test]
    fn a_pane_goes_before_the_rest() {
        let map = Keymap::default();
        let key = "up".parse().unwrap();
        assert_eq!(map.action(key, Pane::Stack).unwrap().name, "frame-up");
        assert_eq!(map.action(key, Pane::Log).unwrap().name, "up");
        assert!(map.action(key, Pane::Command).is_none());
        assert!(map.action("s".parse().unwrap(), Pane::Command).is_none());
    }
}
