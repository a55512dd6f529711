//! The command pane: shows the screen of the line editor's pseudo-terminal.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::prelude::*;

use crate::{
    repl::helper::Offers,
    tui::{
        keys::KeyPress,
        look::Theme,
        pane::{Areas, KeyPlace, Pane, ScreenState},
        state::Effect,
    },
};

#[derive(Debug, Default)]
pub struct CommandPane;

impl Pane for CommandPane {
    fn title(&self, state: &ScreenState) -> String {
        let waiting = state.queue.len();
        if waiting > 0 { format!("{waiting} waiting") } else { String::new() }
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let emulator = state.emulator();
        let screen = emulator.screen();
        // The closed pane shows only the line being typed.
        let from = if room.height == 1 { screen.cursor_position().0 } else { 0 };
        let buffer = frame.buffer_mut();
        for row in 0..room.height {
            for column in 0..room.width {
                if let Some(cell) = screen.cell(from + row, column)
                    && let Some(target) = buffer.cell_mut((room.x + column, room.y + row))
                {
                    let fits = !cell.is_wide() || column + 1 < room.width;
                    let seen = cell.has_contents() && !cell.is_wide_continuation() && fits;
                    target.set_symbol(if seen { cell.contents() } else { " " });
                    target.set_style(style(cell, &state.look));
                }
            }
        }
        let (row, column) = screen.cursor_position();
        if room.height == 1 && state.focus != "command" && !state.has_text {
            let hint = format!("{} types a command", state.key("command"));
            let from = room.x + column.min(room.width);
            let left = usize::from(room.right().saturating_sub(from + 1));
            buffer.set_stringn(from + 1, room.y, hint, left, state.look.quiet);
        }
        let seen = row < room.height && column < room.width && screen.scrollback() == 0;
        let focused = state.focus == "command" && state.overlay.is_none();
        if focused && seen && !screen.hide_cursor() {
            frame.set_cursor_position(Position::new(room.x + column, room.y + row));
        }
    }

    fn scroll(&mut self, state: &mut ScreenState, by: isize) {
        let mut emulator = state.emulator();
        let now = emulator.screen().scrollback();
        emulator.scroll(now.saturating_add_signed(-by));
    }

    fn is_typed_in(&self) -> bool {
        true
    }

    fn scrolls(&self) -> bool {
        true
    }

    fn key(&mut self, state: &mut ScreenState, event: KeyEvent) -> bool {
        if choose(state, event) {
            return true;
        }
        let here =
            KeyPlace { pane: "command", typing: true, scrolls: true, letters: "", trace: false };
        let typed = state.keymap.action(KeyPress::from(event), here).is_none();
        if typed {
            state.has_text = event.code != KeyCode::Enter;
            state.effects.push(Effect::Key(event));
        }
        typed
    }

    fn footer(&self, state: &ScreenState) -> &'static str {
        if state.offers.is_some() {
            ""
        } else if state.is_command_zoomed {
            "position:leave zoom:unzoom interrupt:cancel"
        } else {
            "position:leave interrupt:cancel"
        }
    }

    fn fixed_keys(&self, state: &ScreenState) -> &'static [[&'static str; 3]] {
        if state.offers.is_some() {
            return &[
                ["Enter", "take", "takes the chosen word"],
                ["Tab", "next", "chooses the next word; Up and Down choose, too"],
                ["Esc", "close", "closes the list"],
            ];
        }
        &[
            ["Enter", "run", "runs the line"],
            ["Tab", "complete", "completes the word, or lists what can be typed here"],
            ["Up", "history", "recalls earlier lines"],
        ]
    }
}

/// Handles a key for the list of completions. Returns `false` if the key is for the line editor; the list is then closed.
fn choose(state: &mut ScreenState, event: KeyEvent) -> bool {
    let Some((offers, chosen)) = state.offers.take() else { return false };
    let last = offers.list.len() - 1;
    let next = match (event.code, chosen) {
        // If a key has begun the line, Esc leaves the line at once.
        (KeyCode::Esc, _) => return !state.returns,
        (KeyCode::Enter, Some(chosen)) => {
            let text = offers.list[chosen].replacement.clone();
            state.effects.push(Effect::Insert(offers.typed.chars().count(), text));
            return true;
        }
        (KeyCode::Tab | KeyCode::Down, Some(chosen)) if chosen < last => chosen + 1,
        (KeyCode::Tab | KeyCode::Down, _) => 0,
        (KeyCode::BackTab | KeyCode::Up, Some(chosen @ 1..)) => chosen - 1,
        (KeyCode::BackTab | KeyCode::Up, _) => last,
        // The list goes on with the completions that begin with what is typed.
        (KeyCode::Char(sign), _) if KeyPress::from(event).letter() == Some(sign) => {
            let typed = format!("{}{sign}", offers.typed);
            let mut offers = Offers { typed, ..offers };
            offers.list.retain(|offer| offer.replacement.starts_with(&offers.typed));
            let chosen = chosen.map(|_| 0);
            state.offers = Some((offers, chosen)).filter(|(offers, _)| !offers.list.is_empty());
            return false;
        }
        _ => return false,
    };
    state.offers = Some((offers, Some(next)));
    true
}

fn style(cell: &vt100::Cell, look: &Theme) -> Style {
    let style = match cell.fgcolor() {
        _ if cell.dim() => look.quiet,
        vt100::Color::Idx(index) => look.of_editor(index),
        _ => look.text,
    };
    let modifiers = [
        (cell.bold(), Modifier::BOLD),
        (cell.italic(), Modifier::ITALIC),
        (cell.underline(), Modifier::UNDERLINED),
        (cell.inverse(), Modifier::REVERSED),
    ];
    let on = modifiers.into_iter().filter(|(on, _)| *on);
    on.fold(style, |style, (_, modifier)| style.add_modifier(modifier))
}
