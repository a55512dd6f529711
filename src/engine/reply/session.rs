//! Sessions saved and loaded.

use serde::Serialize;

use super::Reply;
use crate::text::{count, layout, lines, wrap};

/// A session saved or loaded.
#[derive(Clone, Debug, Serialize)]
pub struct SessionReport {
    /// Its path.
    pub file: String,
    /// `saved` or `loaded`.
    pub action: &'static str,
    /// What was saved or restored, in words.
    pub restored: Vec<String>,
    /// The commands that came with a session loaded.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub carried: Option<CarriedCommands>,
}

impl Reply for SessionReport {
    fn text(&self) -> String {
        let way = if self.action == "saved" { "to" } else { "from" };
        let title = format!("session {} {way} {}", self.action, self.file);
        let restored = self.restored.iter().map(|what| wrap("  ", what));
        let carried = self.carried.as_ref().map(carried);
        lines(std::iter::once(title).chain(restored).chain(carried))
    }
}

/// Commands that came with a session, and whether they run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CarriedCommands {
    /// Those of breakpoints, then the aliases.
    pub commands: Vec<CommandList>,
    /// Whether they run as they are; otherwise `trust` lets them.
    pub trusted: bool,
    /// Why no folder is trusted, where the configuration cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Commands of a breakpoint or an alias.
#[derive(Clone, Debug, Serialize)]
pub struct CommandList {
    /// Whose they are: `breakpoint 1`, `alias n`.
    pub(crate) of: String,
    pub(crate) commands: Vec<String>,
}

/// The commands that came with a session, one a line: what they do must be seen before they are trusted.
fn carried(carried: &CarriedCommands) -> String {
    let shown = carried.commands.iter().flat_map(|list| {
        let commands = list.commands.iter().flat_map(|command| command.lines());
        let commands = commands.map(|command| wrap("    > ", command));
        std::iter::once(format!("  {}", list.of)).chain(commands)
    });
    let whether = match (carried.commands.len(), carried.trusted) {
        (0, _) => return String::new(),
        (_, true) => "run, for the folder is trusted",
        (_, false) => "do not run before `trust`",
    };
    let what = count(carried.commands.len() as u64);
    let head = format!("commands that came with it ({what}) {whether}:");
    let notes = layout::notes(&carried.notes);
    lines(std::iter::once(head).chain(shown).chain([notes]))
}
