//! What is in front of the panes: the help, a pane's question, the question before leaving.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::{
    Frame,
    layout::{Constraint, Position, Rect},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph},
};
use unicode_width::UnicodeWidthStr;

use super::{
    app::App,
    keys::KeyPress,
    pane::{Pane, shown},
    state::{Effect, Overlay},
};
use crate::command;

impl App {
    pub(super) fn overlay_key(&mut self, overlay: Overlay, event: KeyEvent) {
        match overlay {
            Overlay::Help { filter, from } => self.help_key(filter, from, event),
            Overlay::Question { pane, text, .. } if event.code == KeyCode::Enter => {
                if let Some((pane, state)) = self.pane(pane) {
                    pane.answer(state, &text);
                }
            }
            Overlay::Question { .. } if event.code == KeyCode::Esc => {}
            Overlay::Question { pane, title, help, mut text } => {
                edit(&mut text, event);
                self.state.overlay = Some(Overlay::Question { pane, title, help, text });
            }
            Overlay::Leave => match event.code {
                KeyCode::Char('y' | 'Y' | 'q') => self.state.effects.push(Effect::Leave),
                KeyCode::Char('s' | 'S' | 'w') => self.save(),
                KeyCode::Char('n' | 'N') | KeyCode::Esc => {}
                _ => self.state.overlay = Some(Overlay::Leave),
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
            _ if edit(&mut filter, event) => from = 0,
            _ => {}
        }
        let from = from.min(rows(self, &filter).len().saturating_sub(1));
        self.state.overlay = Some(Overlay::Help { filter, from });
    }
}

/// Types into a text; false where the key is of no use for that.
fn edit(text: &mut String, event: KeyEvent) -> bool {
    match event.code {
        KeyCode::Backspace => drop(text.pop()),
        KeyCode::Char(c) if !event.modifiers.contains(KeyModifiers::CONTROL) => text.push(c),
        _ => return false,
    }
    true
}

/// Draws what is in front.
pub fn draw(frame: &mut Frame<'_>, app: &App, screen: Rect) {
    match &app.state.overlay {
        Some(Overlay::Help { filter, from }) => draw_help(frame, app, screen, filter, *from),
        Some(Overlay::Question { title, help, text, .. }) => {
            let mut lines = vec![format!("> {text}"), String::new()];
            lines.extend(help.iter().map(|line| (*line).to_owned()));
            let inner = ask(frame, app, screen, title, lines);
            let column = inner.x + 2 + text.width() as u16;
            frame.set_cursor_position(Position::new(column.min(inner.right()), inner.y));
        }
        Some(Overlay::Leave) => {
            let lines = [
                "There is work that is not saved.",
                "",
                "y leave without saving   s save   n stay",
            ];
            let lines = lines.map(str::to_owned).into();
            ask(frame, app, screen, "Leave?", lines);
        }
        None => {}
    }
}

/// A box in the middle of the screen, and the room in it.
fn open(frame: &mut Frame<'_>, app: &App, area: Rect, title: &str) -> Rect {
    let look = &app.state.look;
    let block = Block::bordered().title(title.to_owned()).border_style(look.accent);
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.buffer_mut().set_style(area, look.text);
    frame.render_widget(block, area);
    inner
}

fn ask(frame: &mut Frame<'_>, app: &App, screen: Rect, title: &str, lines: Vec<String>) -> Rect {
    let (width, height) = (48.min(screen.width), lines.len() as u16 + 2);
    let area = screen.centered(Constraint::Length(width), Constraint::Length(height));
    let inner = open(frame, app, area, &format!(" {title} "));
    let lines: Vec<_> = lines.into_iter().map(Line::raw).collect();
    frame.render_widget(Paragraph::new(shown(lines)), inner);
    inner
}

fn draw_help(frame: &mut Frame<'_>, app: &App, screen: Rect, filter: &str, from: usize) {
    let (width, height) = (92.min(screen.width), screen.height.saturating_sub(2));
    let area = screen.centered(Constraint::Length(width), Constraint::Length(height));
    let title = match filter {
        "" => " Help · type to filter, Esc closes ".to_owned(),
        filter => format!(" Help · {filter}_ "),
    };
    let inner = open(frame, app, area, &title);
    let rows = rows(app, filter);
    let names = rows.iter().filter(|(_, help)| !help.is_empty()).map(|(name, _)| name.width());
    let column = names.max().unwrap_or(0).min(34);
    let seen = rows.iter().skip(from).take(inner.height as usize);
    let mut lines: Vec<_> = seen.map(|(name, help)| row(app, name, help, column)).collect();
    if lines.is_empty() {
        lines.push(Line::raw("Nothing matches; Backspace takes letters back."));
    }
    frame.render_widget(Paragraph::new(shown(lines)), inner);
}

fn row(app: &App, name: &str, help: &str, column: usize) -> Line<'static> {
    let look = &app.state.look;
    if help.is_empty() {
        return Line::styled(name.to_owned(), look.head);
    }
    let gap = column.saturating_sub(name.width()) + 2;
    Line::from(vec![
        Span::styled(format!("  {name}"), look.accent),
        Span::raw(format!("{}{help}", " ".repeat(gap))),
    ])
}

/// Names and what they mean; what means nothing is a heading.
type HelpRows = Vec<(String, String)>;

/// The keys that work where the focus is, and all commands, as far as they match.
fn rows(app: &App, filter: &str) -> HelpRows {
    let filter = filter.to_lowercase();
    let matches = |text: &str| text.to_lowercase().contains(&filter);
    let mut groups = app.focused().map_or_else(Vec::new, |pane| keys(app, pane));
    for family in command::table().families() {
        let commands = family.commands.iter().map(|spec| {
            let names = spec.names().collect::<Vec<_>>().join(", ");
            (names, spec.summary.to_owned())
        });
        groups.push((format!("Commands: {}", family.title), commands.collect()));
    }
    let mut rows = HelpRows::new();
    for (heading, mut group) in groups {
        group.retain(|(name, help)| matches(name) || matches(help));
        if !group.is_empty() {
            rows.push((heading, String::new()));
            rows.append(&mut group);
        }
    }
    rows
}

/// The actions of the pane that has the keys, and those that work everywhere, under their headings.
fn keys(app: &App, pane: &dyn Pane) -> Vec<(String, HelpRows)> {
    let tag = pane.tag();
    let mut own = HelpRows::new();
    let mut others = HelpRows::new();
    let hint = pane.hint(&app.state);
    if !hint.is_empty() {
        own.push((String::new(), hint.to_owned()));
    }
    for (row, keys) in app.state.keymap.rows(tag.name, pane.is_typed_in()) {
        let keys: Vec<_> = keys.iter().map(KeyPress::to_string).collect();
        let runs = row.line().map_or(String::new(), |line| format!(" [{line}]"));
        let name = format!("{:<12} {}", keys.join(" "), row.name);
        let rows = if row.pane.is_some() { &mut own } else { &mut others };
        rows.push((name, format!("{}{runs}", row.help)));
    }
    vec![(format!("Keys in the pane {}", tag.title()), own), ("Keys everywhere".to_owned(), others)]
}
