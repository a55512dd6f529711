//! Editing of a filter, which is a line of text outside of the command pane.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Appends the key's character; Backspace deletes the last one, Ctrl-U all. Returns `false` for any other key.
pub fn edit(text: &mut String, event: KeyEvent) -> bool {
    match event.code {
        KeyCode::Char('u') if event.modifiers.contains(KeyModifiers::CONTROL) => text.clear(),
        KeyCode::Backspace => drop(text.pop()),
        KeyCode::Char(c) if !event.modifiers.contains(KeyModifiers::CONTROL) => text.push(c),
        _ => return false,
    }
    true
}
