//! Cards: a few choices beside the board, each with a digit: how to begin, the engine's level, the sides that it plays.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::{
    prelude::*,
    widgets::{Block, Padding},
};
use unicode_width::UnicodeWidthStr;

use super::{
    app::App,
    keys::KeyPress,
    layout::{Areas, inner},
    lines::in_front,
    opponent::SIDE_LETTERS,
    start,
    state::{Card, EngineSides, Overlay},
};
use crate::command::levels;

/// The digits of the choices; `NO_LEVEL`: the digit of the level `off`, which is the last choice.
const DIGITS: &str = "123456789";
const NO_LEVEL: char = '0';

impl Card {
    /// The title of the card, and what Esc does.
    const fn titles(self) -> [&'static str; 2] {
        match self {
            Self::Start => ["Plyscope debugs game-tree search", "Esc empty board"],
            Self::Level => ["How well the engine plays", "Esc closes"],
            Self::Side => ["The engine plays", "Esc no change"],
        }
    }

    /// The lines of the card, each with the characters that choose the line.
    fn lines(self, app: &App) -> Vec<(Vec<char>, String)> {
        let texts: Vec<String> = match self {
            Self::Start => start::lines(app),
            Self::Level => levels().into_iter().map(|(_, help)| help.to_owned()).collect(),
            Self::Side => EngineSides::ALL.iter().map(|sides| sides.name().to_owned()).collect(),
        };
        let last = texts.len().saturating_sub(1);
        let lines = DIGITS.chars().zip(texts).enumerate().map(|(at, (digit, text))| match self {
            Self::Level if at == last => (vec![NO_LEVEL], text),
            Self::Side => (vec![digit, SIDE_LETTERS[at]], format!("{}  {text}", SIDE_LETTERS[at])),
            _ => (vec![digit], text),
        });
        lines.collect()
    }
}

impl App {
    /// Handles a key on a card.
    pub(super) fn card_key(&mut self, card: Card, at: usize, event: KeyEvent) {
        let lines = card.lines(self);
        let count = lines.len().max(1);
        let to = match event.code {
            KeyCode::Up => (at + count - 1) % count,
            KeyCode::Down => (at + 1) % count,
            KeyCode::Enter | KeyCode::Char(' ') => return self.take_from_card(card, at),
            KeyCode::Esc => return,
            KeyCode::Char(sign) => {
                let sign = sign.to_ascii_lowercase();
                return match lines.iter().position(|(signs, _)| signs.contains(&sign)) {
                    Some(at) => self.take_from_card(card, at),
                    None => self.key_beside_card(card, at, event),
                };
            }
            _ => return self.key_beside_card(card, at, event),
        };
        self.state.overlay = Some(Overlay::Card(card, to));
    }

    /// Handles a key that the card does not use: it closes the start card and has its usual effect; other cards stay. If the
    /// key opens the help, the card is shown again after it.
    fn key_beside_card(&mut self, card: Card, at: usize, event: KeyEvent) {
        let key = KeyPress::from(event);
        let place = self.focused().map(|pane| self.key_place(pane));
        let action = place.and_then(|place| self.state.keymap.action(key, place));
        if card != Card::Start && action.is_none_or(|row| row.name != "help") {
            self.state.overlay = Some(Overlay::Card(card, at));
            return self.state.say(format!("{key} chooses nothing here; Esc closes the card"));
        }
        self.key(event);
        if matches!(self.state.overlay, Some(Overlay::Help(..))) {
            self.covered = Some(Overlay::Card(card, at));
        }
    }

    /// Handles the mouse on a card: a click on a line chooses it, a click beside the card closes it.
    pub(super) fn card_mouse(&mut self, card: Card, event: MouseEvent) {
        if event.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        let (_, area, air) = place(self, &self.state.areas(), card);
        let at = Position::new(event.column, event.row);
        let row = event.row.checked_sub(inner(area).y + air.top).map(usize::from);
        let row = row.filter(|row| inner(area).contains(at) && *row < card.lines(self).len());
        if row.is_some() || !area.contains(at) {
            self.state.overlay = None;
        }
        if let Some(row) = row {
            self.take_from_card(card, row);
        }
    }

    fn take_from_card(&mut self, card: Card, at: usize) {
        match card {
            Card::Start => self.begin(at),
            Card::Level => self.state.run(format!("engine level {}", levels()[at].0)),
            Card::Side => self.let_engine_play(EngineSides::ALL[at]),
        }
    }
}

/// The area of the pane under a card (the one beside the board, or the board if that is too small), the card's area and padding.
fn place(app: &App, areas: &Areas, card: Card) -> (Rect, Rect, Padding) {
    let lines = card.lines(app);
    let widths = lines.iter().map(|(_, text)| text.width() + 6);
    let width = widths.chain(card.titles().map(|text| text.len() + 4)).max().unwrap_or(0) as u16;
    let height = lines.len() as u16 + 2;
    let first = areas.at(areas.side.x, areas.side.y).map_or(areas.side, |(_, area)| area);
    let is_beside = first.width > width && first.height > height;
    let over = if is_beside { first } else { areas.upper };
    let air = if over.height > 4 * height { Padding::symmetric(4, 2) } else { Padding::ZERO };
    let (width, height) = (width + air.left + air.right, height + air.top + air.bottom);
    let width = Constraint::Length(width.min(over.width));
    (over, over.centered(width, Constraint::Length(height)), air)
}

/// Draws a card: in each line a digit and a choice.
pub fn draw(frame: &mut Frame<'_>, app: &App, areas: &Areas, card: Card, at: usize) {
    let (look, [title, bottom]) = (&app.state.look, card.titles());
    let (over, area, air) = place(app, areas, card);
    if over != areas.upper && card == Card::Start {
        // On the start card, nothing else in the pane matters yet.
        in_front(frame, look, Block::new(), inner(over));
    }
    let lines = card.lines(app).into_iter().enumerate().map(|(place, (signs, text))| {
        let (sign, style) = if place == at { ('▸', look.selected) } else { (' ', look.text) };
        Line::styled(format!("{sign}{}  {text}", signs[0]), style)
    });
    let block = Block::bordered().title(format!(" {title} ")).title_bottom(format!(" {bottom} "));
    let room = in_front(frame, look, block.padding(air), area);
    frame.render_widget(lines.collect::<Text<'_>>(), room);
}
