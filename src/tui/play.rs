//! Keys on the board: moves and setups become command lines.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    app::{App, Shown},
    board::{BoardAction, BoardKey},
    keymap::View,
    log::Line,
};

impl App {
    /// Gives a key to the board; false where it means nothing there.
    pub(super) fn board_key(&mut self, event: KeyEvent) -> bool {
        let plain = event.modifiers - KeyModifiers::SHIFT;
        let key = match event.code {
            _ if !plain.is_empty() => return false,
            KeyCode::Up => BoardKey::Up,
            KeyCode::Down => BoardKey::Down,
            KeyCode::Left => BoardKey::Left,
            KeyCode::Right => BoardKey::Right,
            KeyCode::Enter => BoardKey::Enter,
            KeyCode::Esc => BoardKey::Esc,
            KeyCode::Backspace => BoardKey::Backspace,
            KeyCode::Char(sign) => BoardKey::Char(sign),
            _ => return false,
        };
        self.board_does(key)
    }

    pub(super) fn board_does(&mut self, key: BoardKey) -> bool {
        let Some(report) = self
            .data
            .board
            .as_ref()
            .filter(|_| self.shown == Shown::Position)
        else {
            return false;
        };
        match self.board.key(report, key) {
            BoardAction::None => false,
            BoardAction::Redraw => true,
            BoardAction::Command(line) => {
                self.run(line);
                true
            }
        }
    }

    pub(super) fn turn_board(&mut self, view: View) {
        let Some(report) = self.data.board.as_ref() else {
            return;
        };
        match view {
            View::Flip => self.board.flip(report),
            View::Turn => self.board.turn(report),
            _ if self.shown == Shown::Position && self.board.begin_setup(report) => {}
            _ => self.say(Line::Note, "this position cannot be set up by hand"),
        }
    }
}
