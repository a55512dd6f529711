//! How keys, the mouse and pastes change the screen's state.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind};

use super::{
    app::{App, Effect, Overlay, Pane, Shown},
    draw,
    keymap::{Action, Does, View},
    keys::Key,
    layout::{self, COVERING, LEAST, TABS},
    log::Line,
};

/// The panes in the order in which they are gone through.
const ROUND: [Pane; Pane::ALL.len()] = [
    Pane::Board,
    Pane::Stack,
    Pane::Tree,
    Pane::Cache,
    Pane::Log,
    Pane::Eval,
    Pane::Chart,
    Pane::Arena,
    Pane::Command,
    Pane::Counters,
];

impl App {
    /// Takes an event of the terminal.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse_event(*mouse),
            Event::Paste(text) if self.overlay.is_none() => {
                self.go_to(Pane::Command);
                self.effects.push(Effect::Paste(text.clone()));
            }
            Event::Resize(columns, rows) => self.size = layout::drawn((*columns, *rows)),
            _ => {}
        }
    }

    fn key(&mut self, event: KeyEvent) {
        self.status = None;
        let tiny = self.size.0 < LEAST.0 || self.size.1 < LEAST.1;
        if tiny && self.overlay.is_none() && event.code == KeyCode::Char('q') {
            return self.leave();
        }
        if let Some(overlay) = self.overlay.take() {
            return self.overlay_key(overlay, event);
        }
        if self.focus == Pane::Board && self.board_key(event) {
            return;
        }
        match self.keymap.action(Key::from(event), self.focus) {
            Some(action) => self.act(action, event),
            None if self.focus == Pane::Command => self.effects.push(Effect::Key(event)),
            None => self.say(
                Line::Note,
                format!("{} does nothing here; F1 lists the keys", Key::from(event)),
            ),
        }
    }

    fn act(&mut self, action: &'static Action, event: KeyEvent) {
        match action.does {
            Does::Command(line) => {
                if let Some(line) = self.filled(line) {
                    self.run(line);
                }
            }
            Does::Type(line) => {
                if let Some(line) = self.filled(line) {
                    self.go_to(Pane::Command);
                    self.effects.push(Effect::Type(line));
                }
            }
            Does::View(view) => self.view(view, event),
        }
    }

    /// Runs a command that a key stands for, unless another one is running.
    pub(super) fn run(&mut self, line: String) {
        if self.searching || self.busy.is_some() {
            let stop = self.keymap.key("interrupt").unwrap_or_default();
            self.say(Line::Note, format!("a command is running: {stop} stops it"));
        } else {
            self.effects.push(Effect::Run(line));
        }
    }

    /// The command line with what is selected in place of the braces.
    fn filled(&mut self, line: &str) -> Option<String> {
        if !line.contains("{key}") {
            return Some(line.to_owned());
        }
        let Some(key) = self.selected_key() else {
            self.say(Line::Note, "no entry is selected");
            return None;
        };
        Some(line.replace("{key}", &key))
    }

    fn selected_key(&self) -> Option<String> {
        Some(self.data.entry_at(self.table.selected)?.key.clone())
    }

    fn view(&mut self, view: View, event: KeyEvent) {
        match view {
            View::Help => {
                let (filter, from) = (String::new(), 0);
                self.overlay = Some(Overlay::Help { filter, from });
            }
            View::NextPane => self.cycle(1),
            View::PreviousPane => self.cycle(-1),
            View::Focus(pane) => self.go_to(pane),
            View::Zoom => {
                self.zoomed = !self.zoomed;
                self.effects.push(Effect::Refresh);
            }
            View::Interrupt => self.interrupt(event),
            View::Suspend => self.effects.push(Effect::Suspend),
            View::Theme => {
                let name = self.look.next_theme();
                self.say(Line::Note, format!("theme {name}"));
            }
            View::Mouse => {
                self.mouse = !self.mouse;
                let state = if self.mouse {
                    "on"
                } else {
                    "off: the terminal selects text"
                };
                self.say(Line::Note, format!("mouse {state}"));
                self.effects.push(Effect::Mouse(self.mouse));
            }
            View::Redraw => self.effects.push(Effect::Redraw),
            View::CopyPosition | View::CopyKey => self.copy(view == View::CopyKey),
            View::Back => {
                self.shown = Shown::Position;
                self.effects.push(Effect::Refresh);
            }
            View::Save => self.save(),
            View::Quit => self.leave(),
            View::Up => self.scroll(-1),
            View::Down => self.scroll(1),
            View::PageUp => self.scroll(-self.page()),
            View::PageDown => self.scroll(self.page()),
            View::Top => self.scroll(isize::MIN / 2),
            View::Bottom => self.scroll(isize::MAX / 2),
            View::Flip | View::Turn | View::Setup => self.turn_board(view),
            View::Sort => {
                self.table.next_order();
                self.effects.push(Effect::Refresh);
            }
            View::Filter => self.overlay = Some(Overlay::Filter(self.table.filter().to_owned())),
        }
    }

    fn interrupt(&mut self, event: KeyEvent) {
        if self.searching || self.busy.is_some() {
            self.effects.push(Effect::Interrupt);
        } else if self.focus == Pane::Command {
            self.effects.push(Effect::Key(event));
        } else {
            let quit = self.keymap.key("quit").unwrap_or_default();
            self.say(Line::Note, format!("nothing is running; {quit} quits"));
        }
    }

    fn copy(&mut self, key: bool) {
        let Some((state, cache_key)) = self.position_and_key() else {
            return;
        };
        let text = if key { cache_key } else { state };
        self.say(Line::Note, format!("copied {text}"));
        self.effects.push(Effect::Copy(text));
    }

    pub(super) fn save(&mut self) {
        if let Some(file) = &self.file {
            let line = format!("session save '{}'", file.display());
            self.run(line);
        } else {
            self.go_to(Pane::Command);
            self.effects.push(Effect::Type("session save ".to_owned()));
        }
    }

    /// Puts a pane in front and gives it the keys.
    pub fn go_to(&mut self, pane: Pane) {
        self.focus = pane;
        let areas = self.areas();
        if areas.tabs.is_some() && areas.of(pane).is_none() {
            // Where there is no room for counters they stand below the stack.
            self.tab = if pane == Pane::Counters {
                Pane::Stack
            } else {
                pane
            };
            self.focus = self.tab;
        } else if TABS.contains(&pane)
            && !(areas.of(pane).is_some() && COVERING.contains(&self.tab))
        {
            // What covers others on a large screen stays until one of those is wanted.
            self.tab = pane;
        }
        self.effects.push(Effect::Refresh);
    }

    fn cycle(&mut self, step: isize) {
        let areas = self.areas();
        let order: Vec<Pane> = ROUND
            .into_iter()
            .filter(|pane| self.zoomed || areas.tabs.is_none() || *pane != Pane::Counters)
            .collect();
        let at = order
            .iter()
            .position(|pane| *pane == self.focus)
            .unwrap_or(0);
        let next = (at + order.len()).saturating_add_signed(step) % order.len();
        self.go_to(order[next]);
    }

    fn page(&self) -> isize {
        let height = self.areas().of(self.focus).map_or(10, |area| area.height);
        isize::try_from(height.saturating_sub(3))
            .unwrap_or(1)
            .max(1)
    }

    pub(super) fn scroll(&mut self, by: isize) {
        match self.focus {
            Pane::Command => self.effects.push(Effect::Scroll(-by)),
            Pane::Cache => {
                let last = self.data.matching().saturating_sub(1);
                self.table.selected = self.table.selected.saturating_add_signed(by).min(last);
                if self.data.entry_at(self.table.selected).is_none() {
                    // It is looked at when it has come.
                    (self.table.moved, self.shown) = (true, Shown::Entry);
                }
                if self.wanted(false).cache != self.data.asked {
                    self.effects.push(Effect::Refresh);
                }
                self.look_at_entry();
            }
            Pane::Log => {
                let most = self.log.lines().len().saturating_sub(1);
                let back = &mut self.scrolled[Pane::Log as usize];
                *back = back.saturating_add_signed(-by).min(most);
            }
            pane => {
                let most = draw::length(self, pane).saturating_sub(1);
                let line = &mut self.scrolled[pane as usize];
                *line = line.saturating_add_signed(by).min(most);
            }
        }
    }

    pub(super) fn look_at_entry(&mut self) {
        if let Some(key) = self.selected_key() {
            self.shown = Shown::Entry;
            self.effects.push(Effect::Entry(key));
        }
    }
}
