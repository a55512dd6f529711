//! The start card: ways to begin, over the empty board.

use crossterm::event::KeyEvent;
use ratatui::prelude::*;

use super::{
    app::App,
    card::{self, CardKey},
    layout::Areas,
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
const DIGITS: &str = "12345";

impl App {
    /// Opens the card.
    pub fn show_start(&mut self) {
        self.state.overlay = Some(Overlay::Start(0));
    }

    /// Handles a key on the card. Any key without a meaning there closes the card and acts as usual.
    pub(super) fn start_key(&mut self, at: usize, event: KeyEvent) {
        match card::key(DIGITS, at, event) {
            CardKey::Choose(to) => self.state.overlay = Some(Overlay::Start(to)),
            CardKey::Take(at) => self.begin(at),
            CardKey::Close => {}
            CardKey::Other => self.key(event),
        }
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
    let title = ["Begin with", "Esc an empty board"];
    card::draw(frame, app, areas, title, DIGITS.chars().zip(CARD), at);
}
