//! The start card: ways to begin, over the empty board.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::{prelude::*, widgets::Block};

use super::{
    app::App,
    layout::Areas,
    lines::in_front,
    state::{By, Effect, Overlay},
};
use crate::engine::session::reply::Side;

const CARD: [&str; 5] = [
    "chess against the engine",
    "nine men's morris against it",
    "a search, event by event",
    "the demo: two minutes",
    "a file: session, trace, PGN",
];
const WIDTH: u16 = 33;

impl App {
    /// Opens the card.
    pub fn show_start(&mut self) {
        self.state.overlay = Some(Overlay::Start(0));
    }

    /// Handles a key on the card. Any key without a meaning there closes the card and acts as usual.
    pub(super) fn start_key(&mut self, at: usize, event: KeyEvent) {
        let last = CARD.len() - 1;
        let to = match event.code {
            KeyCode::Up => at.checked_sub(1).unwrap_or(last),
            KeyCode::Down => (at + 1) % CARD.len(),
            KeyCode::Enter => return self.begin(at),
            KeyCode::Char(digit @ '1'..='5') => return self.begin(digit as usize - '1' as usize),
            KeyCode::Esc => return,
            _ => return self.key(event),
        };
        self.state.overlay = Some(Overlay::Start(to));
    }

    fn begin(&mut self, choice: usize) {
        let state = &mut self.state;
        match choice {
            0 | 1 => {
                state.engine = Some(Side::Black);
                state.run(if choice == 0 { "game chess" } else { "game morris" });
                state.submit("engine level 3", By::Key);
            }
            2 => state.run("step"),
            3 => self.begin_demo(),
            _ => {
                self.focus(self.command());
                self.state.effects.push(Effect::Type("open ".to_owned()));
            }
        }
    }
}

pub fn draw(frame: &mut Frame<'_>, app: &App, areas: &Areas, at: usize) {
    let look = &app.state.look;
    let over = app.panes.first().and_then(|board| areas.of(board.name)).unwrap_or(areas.upper);
    let height = Constraint::Length(CARD.len() as u16 + 2);
    let area = over.centered(Constraint::Length(WIDTH.min(over.width)), height);
    let block = Block::bordered().title(" Begin with ").title_bottom(" Esc an empty board ");
    let inner = in_front(frame, look, block, area);
    let lines = (0..).zip(CARD).map(|(place, text)| {
        let (sign, style) = if place == at { ('▸', look.selected) } else { (' ', look.text) };
        Line::styled(format!("{sign}{} {text}", place + 1), style)
    });
    frame.render_widget(lines.collect::<Text<'_>>(), inner);
}
