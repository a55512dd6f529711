//! The command pane: shows the screen of the line editor's pseudo-terminal.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::{buffer::Cell, prelude::*};

use crate::{
    engine::session::position::PositionReport,
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
        let (row, mut column) = screen.cursor_position();
        let typed = Rect { y: room.y + if room.height == 1 { 0 } else { row }, height: 1, ..room };
        if room.contains(typed.as_position()) && screen.scrollback() == 0 {
            column = column.saturating_add_signed(correct_prompt(buffer, state, typed));
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
            state.effects.push(Effect::Key(event));
        }
        typed
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "position:leave interrupt:cancel"
    }

    fn fixed_keys(&self, _: &ScreenState) -> &'static [(&'static str, &'static str)] {
        &[("Enter", "run"), ("Tab", "complete"), ("Up", "history")]
    }
}

/// Writes the name of the current game into the prompt of a line, because the line editor keeps its prompt until the line is
/// entered. Returns by how many columns this moves the text after the prompt.
fn correct_prompt(buffer: &mut Buffer, state: &ScreenState, room: Rect) -> i16 {
    let Some(position) = state.data.get::<PositionReport>() else { return 0 };
    let cells = (room.x..room.right()).map(|x| buffer[(x, room.y)].clone()).collect::<Vec<_>>();
    let text: String = cells.iter().map(Cell::symbol).collect();
    let Some((name, _)) = text.split_once("> ") else { return 0 };
    let is_name = !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric());
    if !is_name || name == position.game {
        return 0;
    }
    let moved = (position.game.len() as u16).cast_signed() - (name.len() as u16).cast_signed();
    let style = cells[0].style();
    let rest = cells.into_iter().skip(name.len());
    let prompt = position.game.chars().map(|sign| {
        let mut cell = Cell::default();
        cell.set_char(sign).set_style(style);
        cell
    });
    for (x, cell) in
        (room.x..room.right()).zip(prompt.chain(rest).chain(std::iter::repeat(Cell::default())))
    {
        buffer[(x, room.y)] = cell;
    }
    moved
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
        _ => return false,
    };
    state.offers = Some((offers, Some(next)));
    true
}

fn style(cell: &vt100::Cell, look: &Theme) -> Style {
    let mut style = match cell.fgcolor() {
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
    for (_, modifier) in modifiers.into_iter().filter(|(on, _)| *on) {
        style = style.add_modifier(modifier);
    }
    style
}
