//! The help: every action with its keys and its command, every command with its summary; typing filters.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph},
};
use unicode_width::UnicodeWidthStr;

use super::{
    app::App,
    draw,
    keymap::{ACTIONS, Context},
};
use crate::command;

/// A line: a heading, or a name and what it means.
enum Entry {
    Heading(String),
    Line(String, String),
}

/// Draws it in front of everything.
pub fn draw(frame: &mut Frame<'_>, app: &App, screen: Rect, filter: &str, from: usize) {
    let area = draw::centred(
        screen,
        92.min(screen.width),
        screen.height.saturating_sub(2),
    );
    let title = match filter {
        "" => " Help · type to filter, Esc closes ".to_owned(),
        filter => format!(" Help · {filter}_ "),
    };
    let block = Block::bordered()
        .title(title)
        .border_style(app.look.accent());
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.buffer_mut().set_style(area, app.look.theme.text);
    frame.render_widget(block, area);
    let entries = entries(app, filter);
    let column = entries.iter().map(Entry::width).max().unwrap_or(0).min(34);
    let lines: Vec<_> = entries
        .iter()
        .skip(from)
        .take(inner.height as usize)
        .map(|entry| entry.line(app, column))
        .collect();
    let lines = if lines.is_empty() {
        vec![Line::raw("Nothing matches; Backspace takes letters back.")]
    } else {
        lines
    };
    frame.render_widget(Paragraph::new(draw::shown(lines)), inner);
}

/// How many lines match.
pub fn length(app: &App, filter: &str) -> usize {
    entries(app, filter).len()
}

impl Entry {
    fn width(&self) -> usize {
        match self {
            Self::Heading(_) => 0,
            Self::Line(name, _) => name.width(),
        }
    }

    fn line(&self, app: &App, column: usize) -> Line<'static> {
        match self {
            Self::Heading(text) => Line::styled(text.clone(), app.look.head()),
            Self::Line(name, help) => {
                let gap = column.saturating_sub(name.width()) + 2;
                Line::from(vec![
                    Span::styled(format!("  {name}"), app.look.accent()),
                    Span::raw(format!("{}{help}", " ".repeat(gap))),
                ])
            }
        }
    }
}

fn entries(app: &App, filter: &str) -> Vec<Entry> {
    let filter = filter.to_lowercase();
    let matches = |texts: &[&str]| {
        texts
            .iter()
            .any(|text| text.to_lowercase().contains(&filter))
    };
    let mut entries = keys(app, &matches);
    for family in command::table().families() {
        let mut heading = Some(Entry::Heading(format!("Commands: {}", family.title)));
        for spec in family.commands {
            let names = spec.names().collect::<Vec<_>>().join(", ");
            if matches(&[&names, spec.summary]) {
                entries.extend(heading.take());
                entries.push(Entry::Line(names, spec.summary.to_owned()));
            }
        }
    }
    entries
}

/// The actions, by where their keys count.
fn keys(app: &App, matches: &dyn Fn(&[&str]) -> bool) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut place = None;
    for action in ACTIONS.iter().filter(|action| action.exists()) {
        let keys = app.keymap.keys(action).join(" ");
        let runs = match action.runs() {
            "" => String::new(),
            line => format!(" [{}]", line.trim_end()),
        };
        let help = format!("{}{runs}", action.help);
        if !matches(&[&keys, &help, action.name]) {
            continue;
        }
        if place != Some(heading(action.context)) {
            place = Some(heading(action.context));
            entries.push(Entry::Heading(format!("Keys {}", heading(action.context))));
        }
        entries.push(Entry::Line(format!("{keys:<12} {}", action.name), help));
    }
    entries
}

fn heading(context: Context) -> String {
    match context {
        Context::Always | Context::Panes => "(F keys also in the command pane)".to_owned(),
        Context::In(pane) => format!("in the pane {}", pane.title()),
    }
}
