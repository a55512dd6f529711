//! Which commands leave something to save.

use crate::command;

/// Commands after which there is something to save.
const CHANGING: &[&str] = &[
    "position set",
    "position start",
    "play",
    "engine play",
    "hint",
    "undo",
    "redo",
    "rules set",
    "search set",
    "search run",
    "search value",
    "step",
    "next",
    "finish",
    "until",
    "continue",
    "goto",
    "advance",
    "quiz next",
    "quiz answer",
    "quiz pass",
    "break",
    "tbreak",
    "catch",
    "trace",
    "watch",
    "rwatch",
    "awatch",
    "condition",
    "ignore",
    "commands",
    "delete",
    "enable",
    "disable",
    "display",
    "undisplay",
    "cache set",
    "cache remove",
    "cache clear",
    "cache clean",
    "cache load",
    "pgn load",
    "weights set",
    "weights define",
    "weights use",
    "weights remove",
    "player define",
    "player remove",
    "match open",
    "alias",
    "unalias",
    "game",
];

/// Whether a command line changes what a session file holds.
pub(super) fn is_changing(line: &str) -> bool {
    let words: Vec<_> = line.trim_start_matches(':').split_whitespace().collect();
    // An abbreviation or a name of the user's own may stand for anything.
    let Some((spec, length)) = command::table().exact(&words) else {
        return true;
    };
    CHANGING.contains(&spec.name)
        && (words.len() > length || !matches!(spec.name, "break" | "display" | "alias" | "game"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changing_commands_exist() {
        let names: Vec<_> = command::table().specs().map(|spec| spec.name).collect();
        for name in CHANGING {
            assert!(names.contains(name), "{name}");
        }
        assert!(is_changing("play a1") && is_changing(": s 5") && is_changing("break ply=2"));
        assert!(!is_changing("break") && !is_changing("where") && !is_changing("board"));
    }
}
