//! Overlays in front of the panes: help, questions, cards, demo.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::{
    prelude::*,
    widgets::{Block, Borders},
};
use unicode_width::UnicodeWidthStr;

use super::{
    app::App,
    card,
    keymap::{Action, Binding},
    keys::KeyPress,
    layout::Areas,
    lines::{cut, in_front, shown, wrapped},
    pane::PlacedPane,
    panes, sheet,
    state::{Effect, Losing, Overlay},
    text_field,
};
use crate::{
    command::{self, HelpIndex, Topic},
    text::{
        layout::{named, on_page},
        lines, or_empty, pad, parts,
    },
};

impl App {
    pub(super) fn overlay_key(&mut self, overlay: Overlay, event: KeyEvent) {
        match (overlay, event.code) {
            (Overlay::Help(filter, from), _) => self.help_key(filter, from, event),
            (Overlay::Demo(at, _), _) => self.demo_key(at, event),
            (Overlay::Card(card, at), _) => self.card_key(card, at, event),
            (
                Overlay::Sure(..) | Overlay::Unsaved(Losing::Line(_)),
                KeyCode::Char('n' | 'N') | KeyCode::Esc,
            ) => {
                self.state.say("nothing was done");
            }
            (_, KeyCode::Char('n' | 'N') | KeyCode::Esc) => {}
            (Overlay::Unsaved(Losing::Leaving), KeyCode::Char('y' | 'Y' | 'q')) => {
                self.state.effects.push(Effect::Leave);
            }
            (Overlay::Unsaved(losing), KeyCode::Char('s' | 'S' | 'w')) => {
                if self.state.is_trace() {
                    // The work is that of the game, to which closing the trace returns.
                    self.state.run("trace close");
                }
                self.save();
                self.saved_then = Some(losing);
            }
            (
                Overlay::Sure(line, _) | Overlay::Unsaved(Losing::Line(line)),
                KeyCode::Char('y' | 'Y'),
            ) => {
                self.state.run_now(line);
            }
            (_, KeyCode::Char('c')) if event.modifiers.contains(KeyModifiers::CONTROL) => {
                self.interrupt();
            }
            (question, _) => {
                let key = KeyPress::from(event);
                let is_unsaved = matches!(question, Overlay::Unsaved(_));
                let keys = if is_unsaved { "y, s or n" } else { "y or n" };
                self.state.say(format!("{key} does not answer the question: {keys} does"));
                self.state.overlay = Some(question);
            }
        }
    }

    fn help_key(&mut self, mut filter: String, mut from: usize, event: KeyEvent) {
        let is_ctrl_c =
            event.code == KeyCode::Char('c') && event.modifiers.contains(KeyModifiers::CONTROL);
        if is_ctrl_c || matches!(event.code, KeyCode::Esc | KeyCode::F(1) | KeyCode::Enter) {
            self.state.overlay = self.covered.take();
            return;
        }
        // A page has one row less than the box, so that the last row of a page is the first one of the next.
        let page = usize::from(help_area(self).height).saturating_sub(3).max(1);
        match event.code {
            KeyCode::Up => from = from.saturating_sub(1),
            KeyCode::Down => from += 1,
            KeyCode::PageUp => from = from.saturating_sub(page),
            KeyCode::PageDown => from += page,
            KeyCode::Home => from = 0,
            KeyCode::End => from = usize::MAX,
            _ if text_field::edit(&mut filter, event) => from = 0,
            _ => {}
        }
        let from = from.min(help_lines(self, &filter).len().saturating_sub(page));
        self.state.overlay = Some(Overlay::Help(filter, from));
    }
}

pub fn draw(frame: &mut Frame<'_>, app: &App, areas: &Areas, screen: Rect) {
    if let Some(sheet) = &app.state.sheet {
        sheet.draw(frame, &app.state.look, areas, app.sheet_keys(), app.answers());
    }
    if let (Some(command), Some(offers)) = (areas.of(app.command()), &app.state.offers) {
        sheet::draw_offers(frame, &app.state.look, offers, (command, areas.upper.y));
    }
    match &app.state.overlay {
        Some(Overlay::Help(filter, from)) => draw_help(frame, app, screen, filter, *from),
        Some(Overlay::Unsaved(losing)) => {
            let question = match losing {
                Losing::Leaving => "There is work that is not saved. Leave?",
                Losing::Line(_) => "Drop the work that is not saved?",
            };
            ask(frame, app, areas, question, &losing.answers());
        }
        Some(Overlay::Sure(_, effect)) => {
            ask(frame, app, areas, &question(effect), &[("y", "yes"), ("n", "no")]);
        }
        Some(Overlay::Demo(at, _)) => draw_demo(frame, app, areas, *at),
        Some(Overlay::Card(shown, at)) => card::draw(frame, app, areas, *shown, *at),
        None => {}
    }
}

/// The question whether to do what an effect says: `Drop the search under way?` for `drops the search under way`.
fn question(effect: &str) -> String {
    let (verb, rest) = effect.split_once(' ').unwrap_or((effect, ""));
    let mut letters = verb.strip_suffix('s').unwrap_or(verb).chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    format!("{} {rest}?", first.chain(letters).collect::<String>())
}

/// Asks a question in front of the lower end of a pane beside the board, or of the board.
fn ask(frame: &mut Frame<'_>, app: &App, areas: &Areas, question: &str, keys: &[(&str, &str)]) {
    let (look, side, upper) = (&app.state.look, areas.side, areas.upper);
    let pane = areas.at(side.x, side.bottom().saturating_sub(1)).map(|(_, area)| area);
    let room = pane.filter(|area| area.width >= QUESTION).unwrap_or(upper);
    let columns = usize::from(room.width.saturating_sub(2));
    let mut text: Vec<_> = wrapped(question, columns).into_iter().map(Line::raw).collect();
    let keys = keys.iter().flat_map(|(key, answer)| {
        [Span::styled((*key).to_owned(), look.accent), Span::raw(format!(" {answer}   "))]
    });
    text.extend([Line::default(), keys.collect()]);
    let height = (text.len() as u16 + 2).min(room.height);
    let area = Rect { y: room.bottom() - height, height, ..room };
    let inner = in_front(frame, look, Block::bordered().title(" Question "), area);
    frame.render_widget(shown(text), inner);
}

/// The least width of a question, in columns.
const QUESTION: u16 = 36;
/// The least width of the help beside the board, in columns.
const HELP: u16 = 69;
/// The number of labels of the key bar whose keys come first in the help.
const FIRST: usize = 10;
fn draw_help(frame: &mut Frame<'_>, app: &App, screen: Rect, filter: &str, from: usize) {
    let area = help_area(app).intersection(screen);
    let title = match filter {
        "" => " Help · type to search, Esc closes ".to_owned(),
        filter => format!(" Help · {}_ ", cut(filter, usize::from(area.width).saturating_sub(14))),
    };
    let inner = in_front(frame, &app.state.look, Block::bordered().title(title), area);
    let lines = help_lines(app, filter).into_iter().skip(from).take(inner.height.into());
    frame.render_widget(shown(lines.collect::<Vec<_>>()), inner);
}

/// The area of the help: all panes beside the board, or all panes if those are too narrow.
fn help_area(app: &App) -> Rect {
    let ((columns, rows), Areas { side, footer, .. }) = (app.state.size, app.state.areas());
    if side.width < HELP {
        Rect::new(0, 1, columns, rows.saturating_sub(2))
    } else {
        Rect { height: footer.y.saturating_sub(side.y), ..side }
    }
}

/// The keys that fit the filter, then the reply to `help FILTER`; without a filter, the focused pane's keys and all commands.
fn help_lines(app: &App, filter: &str) -> Vec<Line<'static>> {
    let (look, table) = (&app.state.look, command::table());
    let columns = usize::from(help_area(app).width.saturating_sub(2));
    // Those who are used to pagers begin a search with a slash.
    let phrase = filter.trim_start_matches('/');
    let phrase = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
    if phrase.is_empty() {
        return rows(app, columns);
    }
    let index = HelpIndex::new(table, &panes::keys_of(&app.panes, &app.state.keymap), &[]);
    let keys = index.keys_on(&phrase);
    let text = on_page(columns, || match HelpIndex::new(table, &[], &[]).about(&phrase) {
        Err(fault) if keys.is_empty() => {
            let near = or_empty(index.did_you_mean(&phrase).map(|hint| format!("; {hint}")));
            let message = fault.message;
            format!("{message}{near}\n\nBackspace shortens the search, Esc closes the help.")
        }
        others => {
            let heading = if keys.is_empty() { "" } else { "Keys" };
            let keys = lines([heading.to_owned(), named("  ", keys.into_iter().map(described))]);
            parts([keys, others.map_or_else(|_| String::new(), |found| found.text())])
        }
    });
    let mut begins = true;
    let styled = |line: String| {
        let begins = std::mem::replace(&mut begins, line.is_empty());
        let (name, rest) = line.split_at(name_end(&line, begins));
        let [name, rest] = [(name, look.title), (rest, look.text)]
            .map(|(text, style)| Span::styled(text.to_owned(), style));
        Line::from_iter([name, rest])
    };
    sheet::fitted_lines(&text, columns).into_iter().map(styled).collect()
}

/// A row of the help on a key: its names, and what it does.
fn described(key: &Topic) -> (String, String) {
    let shown = |name: &String| name.parse().map_or(name.clone(), |key: KeyPress| key.to_string());
    let names: Vec<_> = key.names.iter().map(shown).collect();
    let place = key.fact("pane").map_or(String::new(), |pane| format!(" (in the pane {pane})"));
    (names.join(" "), format!("{}{place}", key.help))
}

/// The length in bytes of the name or heading at the start of a line of help; 0 if the line starts with a sentence. `begins`:
/// whether an empty line comes before it.
fn name_end(line: &str, begins: bool) -> usize {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    // The kind of a topic is in parentheses after its name, as in `cutoff (event): a value …`.
    let topic = line.split_once("): ").and_then(|(head, _)| head.rfind(" ("));
    let is_sentence =
        line.contains('`') || line.ends_with(['.', ':']) || line.starts_with("see also ");
    match text.find("  ") {
        Some(gap) => indent + gap,
        None if indent > 0 || !begins => 0,
        None => topic.unwrap_or(if is_sentence { 0 } else { line.len() }),
    }
}

/// Keys and commands with their effects, under headings: first the keys of the first labels of the key bar, and that of the command line. The effect of a key is
/// followed by its command.
fn rows(app: &App, columns: usize) -> Vec<Line<'static>> {
    let look = &app.state.look;
    let mut groups: Vec<_> = app.focused().into_iter().flat_map(|pane| keys(app, pane)).collect();
    let taken = |label: [String; 3]| {
        let found = groups.iter_mut().find_map(|(_, rows)| {
            let at = rows.iter().position(|row| row[1..] == label[1..])?;
            Some(rows.remove(at))
        });
        found.unwrap_or(label)
    };
    let labels = app.labels_of(app.covered.as_ref()).into_iter().enumerate();
    let now = labels.filter(|(at, label)| *at < FIRST || label.text == "command");
    let now = now.flat_map(|(_, label)| label.rows).map(taken).collect();
    groups.insert(0, ("Keys that matter now".to_owned(), now));
    for family in command::table().families {
        let commands = family.commands.iter().map(|spec| {
            let names = spec.names().collect::<Vec<_>>().join(", ");
            [names, spec.summary.to_owned(), String::new()]
        });
        groups.push((format!("Commands: {}", family.title), commands.collect()));
    }
    let mut lines = Vec::new();
    for (heading, group) in groups.into_iter().filter(|(_, group)| !group.is_empty()) {
        lines.push(Line::styled(heading, look.head));
        let column = group.iter().map(|[name, ..]| name.width()).max().unwrap_or(0).min(18);
        for [name, help, more] in group {
            let name = format!("  {}  ", pad(&name, column));
            let used = name.width();
            let room = columns.saturating_sub(used);
            let mut texts: Vec<_> = wrapped(&help, room).into_iter().map(Line::raw).collect();
            let more = Span::styled(more, look.quiet);
            match texts.last_mut().filter(|last| last.width() + 2 + more.width() <= room) {
                _ if more.content.is_empty() => {}
                Some(last) => last.extend([Span::raw("  "), more]),
                None => texts.push(more.into()),
            }
            for (nth, text) in texts.into_iter().enumerate() {
                let lead = if nth == 0 { name.clone() } else { " ".repeat(used) };
                let spans = std::iter::once(Span::styled(lead, look.accent)).chain(text);
                lines.push(spans.collect());
            }
        }
    }
    lines
}

fn keys(app: &App, pane: &PlacedPane) -> [(String, Vec<[String; 3]>); 2] {
    let row = |[keys, _, help]: &[&str; 3]| [*keys, *help, ""].map(str::to_owned);
    let mut own: Vec<_> = pane.pane.fixed_keys(&app.state).iter().map(row).collect();
    let mut others = Vec::new();
    let is_useless =
        |row: &Binding| matches!(row.action, Action::Go(panes::FINDINGS)) && !app.state.is_trace();
    let rows = app.state.keymap.rows(app.key_place(pane)).into_iter();
    for (row, keys) in rows.filter(|(row, _)| !is_useless(row)) {
        let rows = if row.pane.is_some() { &mut own } else { &mut others };
        rows.push(row.described(&keys));
    }
    let title = pane.heading();
    [(format!("More keys of the pane {title}"), own), ("More keys".to_owned(), others)]
}

fn draw_demo(frame: &mut Frame<'_>, app: &App, areas: &Areas, at: usize) {
    let Some(step) = app.state.demo.get(at) else { return };
    let typed = step.commands().collect::<Vec<_>>().join("; ");
    let typed = if typed.is_empty() { typed } else { format!("> {typed} ") };
    let bottom = areas.upper.bottom();
    let area = Rect { y: bottom, height: areas.footer.y.saturating_sub(bottom), ..areas.footer };
    let title = format!(" {} of {}  {typed}", at + 1, app.state.demo.len());
    let title = cut(&title, usize::from(area.width).saturating_sub(2));
    let block = Block::new().borders(Borders::TOP).title(format!("─{title}"));
    let inner = in_front(frame, &app.state.look, block, area);
    let text: Vec<_> = step.text(inner.width).into_iter().map(Line::raw).collect();
    frame.render_widget(shown(text), inner);
}
