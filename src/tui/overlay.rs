//! What is in front of the panes: a sheet, the help, the questions before something is lost.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::{
    Frame,
    layout::{Constraint, Rect},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph},
};
use unicode_width::UnicodeWidthStr;

use super::{
    app::App,
    demo,
    keys::KeyPress,
    layout::Areas,
    pane::{Pane, shown},
    sheet,
    state::{Effect, Overlay},
};
use crate::command;

impl App {
    pub(super) fn overlay_key(&mut self, overlay: Overlay, event: KeyEvent) {
        match overlay {
            Overlay::Help { filter, from } => self.help_key(filter, from, event),
            Overlay::Leave => match event.code {
                KeyCode::Char('y' | 'Y' | 'q') => self.state.effects.push(Effect::Leave),
                KeyCode::Char('s' | 'S' | 'w') => self.save(),
                KeyCode::Char('n' | 'N') | KeyCode::Esc => {}
                _ => self.state.overlay = Some(Overlay::Leave),
            },
            Overlay::Sure { line, what } => match event.code {
                KeyCode::Char('y' | 'Y') | KeyCode::Enter => self.state.run(line),
                KeyCode::Char('n' | 'N') | KeyCode::Esc => {}
                _ => self.state.overlay = Some(Overlay::Sure { line, what }),
            },
            Overlay::Demo(at) => self.demo_key(at, event),
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
pub fn edit(text: &mut String, event: KeyEvent) -> bool {
    match event.code {
        KeyCode::Backspace => drop(text.pop()),
        KeyCode::Char(c) if !event.modifiers.contains(KeyModifiers::CONTROL) => text.push(c),
        _ => return false,
    }
    true
}

/// Draws what is in front.
pub fn draw(frame: &mut Frame<'_>, app: &App, areas: &Areas, screen: Rect) {
    if let Some(sheet) = &app.state.sheet {
        sheet.draw(frame, &app.state.look, areas);
    }
    if let (Some(command), Some(offers)) = (areas.of(app.command()), &app.state.offers) {
        sheet::draw_offers(frame, &app.state.look, offers, command);
    }
    match &app.state.overlay {
        Some(Overlay::Help { filter, from }) => draw_help(frame, app, screen, filter, *from),
        Some(Overlay::Leave) => {
            let text =
                "There is work that is not saved.\n\ny leave without saving   s save   n stay";
            ask(frame, app, screen, "Leave?", text);
        }
        Some(Overlay::Sure { what, .. }) => {
            ask(frame, app, screen, "Sure?", &format!("This {what}.\n\ny yes   n no"));
        }
        Some(Overlay::Demo(at)) => demo::draw(frame, &app.state.look, areas, *at),
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

fn ask(frame: &mut Frame<'_>, app: &App, screen: Rect, title: &str, text: &str) {
    let (width, height) = (48.min(screen.width), text.lines().count() as u16 + 2);
    let area = screen.centered(Constraint::Length(width), Constraint::Length(height));
    let inner = open(frame, app, area, &format!(" {title} "));
    frame.render_widget(shown(text), inner);
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
    let names = rows.iter().map(|row| row.name.width());
    let column = names.max().unwrap_or(0).min(26);
    let seen = rows.iter().skip(from).take(inner.height as usize);
    let mut lines: Vec<_> = seen.map(|row| row.line(app, column, inner.width)).collect();
    if lines.is_empty() {
        lines.push(Line::raw("Nothing matches; Backspace takes letters back."));
    }
    frame.render_widget(Paragraph::new(shown(lines)), inner);
}

/// A line of the help.
struct HelpRow {
    /// The keys, or the command.
    name: String,
    /// What they do; a heading has none.
    help: String,
    /// What else there is to know where there is room: the command line behind a key, and its name in the configuration.
    more: String,
}

impl HelpRow {
    fn new(name: impl Into<String>, help: impl Into<String>, more: impl Into<String>) -> Self {
        Self { name: name.into(), help: help.into(), more: more.into() }
    }

    fn line(&self, app: &App, column: usize, width: u16) -> Line<'static> {
        let look = &app.state.look;
        let Self { name, help, more } = self;
        if help.is_empty() {
            return Line::styled(name.clone(), look.head);
        }
        let gap = column.saturating_sub(name.width()) + 2;
        let used = 2 + name.width() + gap + help.width() + 2;
        let room = (width as usize).saturating_sub(used);
        let more = if more.width() <= room { more.as_str() } else { "" };
        Line::from(vec![
            Span::styled(format!("  {name}"), look.accent),
            Span::raw(format!("{}{help}  ", " ".repeat(gap))),
            Span::styled(more.to_owned(), look.quiet),
        ])
    }
}

/// The keys that work where the focus is, and all commands, as far as they match.
fn rows(app: &App, filter: &str) -> Vec<HelpRow> {
    let filter = filter.to_lowercase();
    let matches = |text: &str| text.to_lowercase().contains(&filter);
    let mut groups = app.focused().map_or_else(Vec::new, |pane| keys(app, pane));
    for family in command::table().families() {
        let commands = family.commands.iter().map(|spec| {
            let names = spec.names().collect::<Vec<_>>().join(", ");
            HelpRow::new(names, spec.summary, "")
        });
        groups.push((format!("Commands: {}", family.title), commands.collect()));
    }
    let mut rows = Vec::new();
    for (heading, mut group) in groups {
        group.retain(|row| [&row.name, &row.help, &row.more].into_iter().any(|text| matches(text)));
        if !group.is_empty() {
            rows.push(HelpRow::new(heading, "", ""));
            rows.append(&mut group);
        }
    }
    rows
}

/// The keys of the pane that has them, and those that work everywhere, under their headings.
fn keys(app: &App, pane: &dyn Pane) -> Vec<(String, Vec<HelpRow>)> {
    let fixed = pane.own_keys(&app.state).iter();
    let mut own: Vec<_> = fixed.map(|(keys, help)| HelpRow::new(*keys, *help, "")).collect();
    let mut others = Vec::new();
    for (row, keys) in app.state.keymap.rows(pane.key_place()) {
        let keys: Vec<_> = keys.iter().map(KeyPress::to_string).collect();
        let more = match row.line() {
            Some(line) => format!(":{line}  ({})", row.name),
            None => format!("({})", row.name),
        };
        let rows = if row.pane.is_some() { &mut own } else { &mut others };
        rows.push(HelpRow::new(keys.join(" "), row.help.as_str(), more));
    }
    let title = pane.tag().title();
    vec![(format!("Keys in the pane {title}"), own), ("Keys everywhere".to_owned(), others)]
}
