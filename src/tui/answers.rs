//! Keys for what is in front of the panes: the help, the filter, the question before leaving.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    app::{App, Effect, Overlay},
    help,
};

impl App {
    pub(super) fn overlay_key(&mut self, overlay: Overlay, event: KeyEvent) {
        match overlay {
            Overlay::Help { filter, from } => self.help_key(filter, from, event),
            Overlay::Filter(text) => self.filter_key(text, event),
            Overlay::Leave => match event.code {
                KeyCode::Char('y' | 'Y' | 'q') => self.effects.push(Effect::Leave),
                KeyCode::Char('s' | 'S' | 'w') => self.save(),
                KeyCode::Char('n' | 'N') | KeyCode::Esc => {}
                _ => self.overlay = Some(Overlay::Leave),
            },
        }
    }

    fn help_key(&mut self, mut filter: String, mut from: usize, event: KeyEvent) {
        match event.code {
            KeyCode::Esc | KeyCode::F(1) | KeyCode::Enter => return,
            KeyCode::Char('c') if event.modifiers.contains(KeyModifiers::CONTROL) => return,
            KeyCode::Up => from = from.saturating_sub(1),
            KeyCode::Down => from += 1,
            KeyCode::PageUp => from = from.saturating_sub(10),
            KeyCode::PageDown => from += 10,
            KeyCode::Home => from = 0,
            KeyCode::Backspace => {
                filter.pop();
                from = 0;
            }
            KeyCode::Char(c) => {
                filter.push(c);
                from = 0;
            }
            _ => {}
        }
        let from = from.min(help::length(self, &filter).saturating_sub(1));
        self.overlay = Some(Overlay::Help { filter, from });
    }

    fn filter_key(&mut self, mut text: String, event: KeyEvent) {
        match event.code {
            KeyCode::Esc => return,
            KeyCode::Enter => {
                self.table.set_filter(&text);
                return self.effects.push(Effect::Refresh);
            }
            KeyCode::Backspace => {
                text.pop();
            }
            KeyCode::Char(c) if !event.modifiers.contains(KeyModifiers::CONTROL) => text.push(c),
            _ => {}
        }
        self.overlay = Some(Overlay::Filter(text));
    }
}
