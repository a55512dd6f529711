//! What keys do: one table of actions, from which the keys, the help and the footer come.
//!
//! An action either is a command line, run as if it had been typed, or changes nothing but the view.

mod actions;

pub use actions::ACTIONS;

use Context::{Always, In, Panes};
use Does::{Command, Type};

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
