//! A tour of the program: a script whose paragraphs are shown and run one after the other.

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::{Frame, layout::Rect, text::Text, widgets::Block};

use super::{
    app::App,
    keys::KeyPress,
    layout::Areas,
    lines::{in_front, line},
    state::{By, DemoStep, Overlay},
};

/// What is shown where no other script is named.
const SCRIPT: &str = include_str!("../../sessions/demo.ply");

/// What the keys do.
pub const KEYS: &str = " Space goes on  q leaves the demo ";

/// What a line of keys begins with.
const PRESS: &str = "#! ";

/// The paragraphs of a script, or of the program's own. A first one without commands is about the file.
pub fn steps(script: Option<&str>) -> Vec<DemoStep> {
    let paragraphs = script.unwrap_or(SCRIPT).split("\n\n").map(|paragraph| {
        let mut step = DemoStep::default();
        for line in paragraph.lines().filter(|line| !line.is_empty()) {
            if let Some(pane) = line.strip_prefix("#: ") {
                step.pane = Some(pane.to_owned());
            } else if !line.starts_with('#') || line.starts_with(PRESS) {
                step.commands.push(line.to_owned());
            } else {
                step.words.push(line[1..].trim_start().to_owned());
            }
        }
        step
    });
    let mut steps: Vec<_> = paragraphs.filter(|step| *step != DemoStep::default()).collect();
    if steps.first().is_some_and(|step| step.commands.is_empty()) {
        steps.remove(0);
    }
    steps
}

impl App {
    /// Shows a step of the demo and runs its commands; ends the demo behind the last one.
    pub fn show_demo(&mut self, at: usize) {
        let Some(step) = self.demo.get(at).cloned() else {
            self.state.sheet = None;
            return self.end_demo();
        };
        self.set_scene(&step);
        for command in &step.commands {
            self.submit_scene(command, By::Key);
        }
        self.state.overlay = Some(Overlay::Demo(at, true));
    }

    /// Has a line of a demo run.
    pub(super) fn submit_scene(&mut self, line: &str, by: By) {
        match line.strip_prefix(PRESS) {
            Some(keys) => self.state.submit(keys, By::Demo),
            None => self.state.submit(line, by),
        }
    }

    /// Presses keys, which have names between blanks, as if nothing were in front of the panes.
    pub(super) fn press(&mut self, names: &str) {
        let overlay = self.state.overlay.take();
        for name in names.split_whitespace() {
            match name.parse::<KeyPress>() {
                Ok(key) => self.event(&Event::Key(key.into())),
                Err(what) => self.state.blame(what),
            }
        }
        self.state.overlay = overlay.or(self.state.overlay.take());
    }

    /// Shows the pane that a step is about.
    pub(super) fn set_scene(&mut self, step: &DemoStep) {
        self.state.sheet = None;
        let pane = self.panes.iter().map(|pane| pane.name);
        if let Some(pane) = pane.into_iter().find(|name| Some(*name) == step.pane.as_deref()) {
            self.go_to(pane);
        }
    }

    pub(super) fn demo_key(&mut self, at: usize, event: KeyEvent) {
        self.state.overlay = Some(Overlay::Demo(at, true));
        match event.code {
            KeyCode::Char(' ') | KeyCode::Enter => self.show_demo(at + 1),
            // A sheet first.
            KeyCode::Esc | KeyCode::PageUp | KeyCode::PageDown if self.sheet_key(event) => {}
            KeyCode::Esc | KeyCode::Char('q') => self.end_demo(),
            _ => self.state.say(KEYS.trim()),
        }
    }

    /// What the demo did is nobody's work, which would have to be saved.
    fn end_demo(&mut self) {
        let state = &mut self.state;
        (state.overlay, state.unsaved) = (None, false);
        state.queue.clear();
        let new = state.key("new");
        state.say(format!("the demo is over; {new} begins a game"));
    }
}

/// Draws the words of a step over the command pane.
pub(super) fn draw(frame: &mut Frame<'_>, app: &App, areas: &Areas, at: usize) {
    let Some(step) = app.demo.get(at) else {
        return;
    };
    let typed = step.commands.iter().filter(|line| !line.starts_with(PRESS));
    let typed = typed.map(String::as_str).collect::<Vec<_>>().join("; ");
    let has_keys = matches!(app.state.overlay, Some(Overlay::Demo(_, true)));
    let keys = if has_keys { format!(": {}", KEYS.trim()) } else { String::new() };
    let bottom = areas.upper.bottom();
    let area = Rect { y: bottom, height: areas.footer.y.saturating_sub(bottom), ..areas.footer };
    let title = format!(" {} of {}{keys} ", at + 1, app.demo.len());
    let block = Block::bordered().title(title);
    let block = if typed.is_empty() { block } else { block.title_bottom(format!(" > {typed} ")) };
    let inner = in_front(frame, &app.state.look, block, area);
    let lines: Vec<_> = step.words.iter().map(|words| line(words, inner.width)).collect();
    frame.render_widget(Text::from(lines), inner);
}
