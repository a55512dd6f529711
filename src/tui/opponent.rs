//! Playing against the engine: its level, draws, resigning, the end of the game.

use crossterm::event::KeyEvent;
use ratatui::prelude::*;

use super::{
    app::App,
    card::{self, CardKey},
    layout::Areas,
    sheet::{Content, Sheet},
    state::{Overlay, ScreenState},
};
use crate::{
    command,
    engine::session::{position::PositionReport, reply::Side},
};

/// The digits of the levels; the last one chooses none.
const DIGITS: &str = "123456780";

/// The levels of `engine level`: as typed, and what each is.
fn levels() -> Vec<(&'static str, &'static str)> {
    let found = command::table().exact(&["engine", "level"]);
    let choices = found.into_iter().flat_map(|(spec, _)| &spec.params).flat_map(|it| &it.choices);
    choices.map(|choice| (choice.name, choice.help)).collect()
}

impl App {
    /// Opens the card of levels, with the one in force chosen.
    pub(super) fn show_levels(&mut self) {
        let none = DIGITS.len() - 1;
        let at = self.state.level.and_then(|level| usize::try_from(level).ok());
        self.state.overlay = Some(Overlay::Level(at.map_or(none, |level| level - 1)));
    }

    pub(super) fn level_key(&mut self, at: usize, event: KeyEvent) {
        match card::key(DIGITS, at, event) {
            CardKey::Choose(to) => self.state.overlay = Some(Overlay::Level(to)),
            CardKey::Take(at) => {
                if let Some((level, _)) = levels().get(at) {
                    self.state.run(format!("engine level {level}"));
                }
            }
            CardKey::Close => {}
            CardKey::Other => self.key(event),
        }
    }

    /// Asks whether the user's side resigns.
    pub(super) fn resign(&mut self) {
        if let Some(side) = self.state.side_at_the_board() {
            let line = format!("game resign {}", side.name().to_lowercase());
            self.state.overlay = Some(Overlay::Sure(line, format!("resigns the game for {side}")));
        }
    }

    /// Claims a draw where the draw rules allow it, else offers one to the engine.
    pub(super) fn ask_for_draw(&mut self) {
        let position = self.state.data.get::<PositionReport>();
        if position.is_some_and(|position| position.claim.is_some()) {
            self.state.run("game claim");
        } else if let Some(side) = self.state.side_at_the_board() {
            self.state.run(format!("game draw {}", side.name().to_lowercase()));
        }
    }

    /// Announces the end of the game, with what can be done next.
    pub(super) fn announce_end(&mut self) {
        let state = &mut self.state;
        let Some(position) = state.data.get::<PositionReport>() else {
            return;
        };
        let [undo, new, save, hint, game] =
            ["undo", "new", "save", "hint", "game"].map(|action| state.key(action));
        let result = match position.winner.as_deref() {
            Some("w") => "1-0",
            Some("b") => "0-1",
            _ => "1/2-1/2",
        };
        let text = format!(
            "{result}  {}\n\n{game} lists the moves: Enter goes to one\n{undo} takes back   {hint} shows better moves\n{save} saves   {new} begins a new game",
            position.words
        );
        state.sheet = Some(Sheet::new("The game is over", Content::Words(text)));
    }
}

impl ScreenState {
    /// The side that the user plays: the one that the engine does not play, else the one to move. None if the game is over.
    fn side_at_the_board(&mut self) -> Option<Side> {
        let position = self.data.get::<PositionReport>()?;
        let side = self.engine.map_or(position.side, Side::other);
        if position.finished {
            self.say("the game is over");
            return None;
        }
        Some(side)
    }
}

pub fn draw_levels(frame: &mut Frame<'_>, app: &App, areas: &Areas, at: usize) {
    let lines = DIGITS.chars().zip(levels().into_iter().map(|(_, help)| help));
    card::draw(frame, app, areas, ["How well the engine plays", "Esc closes"], lines, at);
}
