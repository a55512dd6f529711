//! A tour of the program: a script whose paragraphs are shown and run one after the other.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::{Frame, layout::Rect, text::Text, widgets::Block};

use super::{
    app::App,
    layout::Areas,
    lines::{in_front, line},
    look::Theme,
    state::{By, Overlay},
};

/// Its first paragraph is about the file.
const SCRIPT: &str = include_str!("../../sessions/demo.ply");

/// What the keys do.
pub const KEYS: &str = " Space goes on  q leaves the demo ";

/// A paragraph: the words that are shown, the pane that comes to the front, the commands that are run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DemoStep {
    /// Lines of text.
    pub words: Vec<&'static str>,
    /// A pane's name.
    pub pane: Option<&'static str>,
    /// Command lines.
    pub commands: Vec<&'static str>,
}

/// All of it.
pub fn steps() -> Vec<DemoStep> {
    let paragraphs = SCRIPT.split("\n\n").skip(1).map(|paragraph| {
        let mut step = DemoStep::default();
        for line in paragraph.lines() {
            match (line.strip_prefix("#: "), line.strip_prefix("# ")) {
                (Some(pane), _) => step.pane = Some(pane),
                (None, Some(words)) => step.words.push(words),
                (None, None) => step.commands.push(line),
            }
        }
        step
    });
    paragraphs.collect()
}

impl App {
    /// Shows a step of the demo and runs its commands; ends the demo behind the last one.
    pub fn show_demo(&mut self, at: usize) {
        self.state.sheet = None;
        let Some(step) = steps().into_iter().nth(at) else {
            return self.end_demo();
        };
        let pane = self.panes.iter().map(|pane| pane.name);
        if let Some(pane) = pane.into_iter().find(|name| Some(*name) == step.pane) {
            self.go_to(pane);
        }
        for command in step.commands {
            self.state.submit(command, By::Key);
        }
        self.state.overlay = Some(Overlay::Demo(at));
    }

    pub(super) fn demo_key(&mut self, at: usize, event: KeyEvent) {
        self.state.overlay = Some(Overlay::Demo(at));
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
        let new = state.key("new");
        state.say(format!("the demo is over; {new} begins a game"));
    }
}

/// Draws the words of a step over the command pane.
pub(super) fn draw(frame: &mut Frame<'_>, look: &Theme, areas: &Areas, at: usize) {
    let steps = steps();
    let Some(step) = steps.get(at) else {
        return;
    };
    let bottom = areas.upper.bottom();
    let area = Rect { y: bottom, height: areas.footer.y.saturating_sub(bottom), ..areas.footer };
    let block = Block::bordered()
        .title(format!(" Demo {} of {}: {} ", at + 1, steps.len(), KEYS.trim()))
        .title_bottom(format!(" > {} ", step.commands.join("; ")));
    let inner = in_front(frame, look, block, area);
    let lines: Vec<_> = step.words.iter().map(|words| line(words, inner.width)).collect();
    frame.render_widget(Text::from(lines), inner);
}
