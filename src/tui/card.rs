//! Cards: a few choices beside the board, each with a digit: how to begin, the engine's level, the sides that it plays.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::{
    prelude::*,
    widgets::{Block, Padding},
};
use unicode_width::UnicodeWidthStr;

use super::{
    app::App,
    keymap::{Action, ScreenAction},
    keys::KeyPress,
    layout::{Areas, inner},
    lines::in_front,
    opponent::SIDE_LETTERS,
    start,
    state::{By, Card, EngineSides, Overlay},
};
use crate::{command::levels, picture::QUADRANTS, text::or_empty};

/// The digits of the choices; `NO_LEVEL`: the digit of the level `off`, which is the last choice.
const DIGITS: &str = "123456789";
const NO_LEVEL: char = '0';

/// The name of the program in large letters, and the rows that it takes above the start card; then the rows of the name at twice
/// the size.
const NAME: [&str; 3] = [
    "▛▀▖ ▌   ▌ ▌ ▞▀▘ ▞▀▖ ▞▀▖ ▛▀▖ ▛▀▘",
    "▙▄▘ ▌   ▝▞  ▝▀▖ ▌   ▌ ▌ ▙▄▘ ▛▀ ",
    "▌   ▙▄▖  ▌  ▄▄▘ ▚▄▘ ▚▄▘ ▌   ▙▄▖",
];
const HEAD: u16 = 4;
const TWICE_HEAD: u16 = 8;

impl Card {
    /// The title of the card, and what Esc does.
    const fn titles(self) -> [&'static str; 2] {
        match self {
            Self::Start => ["Plyscope debugs game-tree search", "Esc empty board"],
            Self::Level => ["How well the engine plays", "Esc closes"],
            Self::Side => ["The engine plays", "Esc no change"],
        }
    }

    /// What the choices of the card lead to.
    const fn notes(self) -> &'static [&'static str] {
        match self {
            Self::Start => &start::NOTES,
            Self::Level | Self::Side => &[],
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

    /// Handles a key that chooses nothing on the card. Keys for the command line and for other cards close it; those for help, theme,
    /// pictures and the terminal leave it open; others are refused, because the card would hide their effect.
    fn key_beside_card(&mut self, card: Card, at: usize, event: KeyEvent) {
        use ScreenAction::{
            EngineLevel, EngineSide, Help, Mouse, Picture, Quit, Redraw, Suspend, Theme,
        };
        const STAYING: [ScreenAction; 7] = [Help, Mouse, Picture, Quit, Redraw, Suspend, Theme];
        let key = KeyPress::from(event);
        let place = self.focused().map(|pane| self.key_place(pane));
        let action = place.and_then(|place| self.state.keymap.action(key, place));
        if let Some(letter) = key.after_escape().filter(|_| action.is_none()) {
            // Esc has closed the card.
            return self.key(letter.into());
        }
        let (acts, closes) = match action.map(|row| &row.action) {
            // Only the start card is a place to leave the program from.
            Some(Action::Screen(Quit)) if card != Card::Start => return,
            Some(Action::Go(pane)) if *pane == self.command() => (true, true),
            Some(Action::Screen(EngineLevel | EngineSide)) => (true, true),
            Some(Action::Screen(action)) => (STAYING.contains(action), false),
            _ => (false, false),
        };
        let shown = Overlay::Card(card, at);
        if acts {
            self.key(event);
        } else {
            let [.., esc] = card.titles();
            self.state.say(format!("{key} chooses nothing here; {esc}"));
        }
        match self.state.overlay {
            None if !closes => self.state.overlay = Some(shown),
            Some(Overlay::Help(..)) => self.covered = Some(shown),
            _ => {}
        }
    }

    /// Handles the mouse on a card: a click on a line chooses it, a click beside the card closes it.
    pub(super) fn card_mouse(&mut self, card: Card, event: MouseEvent) {
        if event.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        let CardPlace { area, padding, each, .. } = place(self, &self.state.areas(), card);
        let at = Position::new(event.column, event.row);
        let row = event.row.checked_sub(inner(area).y + padding.top);
        let row = row.map(|row| usize::from(row / each));
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
            Card::Level => {
                let first = self.play_settings().map(|line| format!("{line}; "));
                self.state.run(format!("{}engine level {}", or_empty(first), levels()[at].0));
            }
            Card::Side => {
                let sides = EngineSides::ALL[at];
                let settings = self.play_settings().filter(|_| sides != EngineSides::None);
                self.let_engine_play(sides);
                if let Some(line) = settings {
                    self.state.submit(line, By::Key);
                }
            }
        }
    }
}

/// The place of a card.
struct CardPlace {
    /// The area around the card: the pane beside the board if it is wide enough; all panes for the start card.
    around: Rect,
    area: Rect,
    padding: Padding,
    /// The rows of a choice: two if there is room for its notes, three if there is also room for a blank row.
    each: u16,
}

fn place(app: &App, areas: &Areas, card: Card) -> CardPlace {
    let (lines, notes) = (card.lines(app), card.notes());
    let widths = lines.iter().map(|(_, text)| text.width() + 6);
    let widths = widths.chain(card.titles().map(|text| text.len() + 4));
    let remarks = notes.iter().map(|text| text.len() + 7);
    let [width, with_notes] = [widths.max(), remarks.max()].map(|most| most.unwrap_or(0) as u16);
    let count = lines.len() as u16;
    let first = areas.at(areas.side.x, areas.side.y).map_or(areas.side, |(_, area)| area);
    let is_beside = card != Card::Start && first.width > width && first.height > count + 2;
    let around = if is_beside { first } else { areas.upper };
    let has_notes =
        with_notes > 0 && around.width > with_notes && around.height >= 2 * count + 2 + HEAD;
    let (each, width) = if has_notes { (2, width.max(with_notes)) } else { (1, width) };
    let has_room = if has_notes {
        around.height >= TWICE_HEAD + 3 * count + 6
    } else {
        around.height > 4 * (count + 2)
    };
    let (each, height, head, padding) = match (has_room, has_notes) {
        (true, true) => (3, 3 * count - 1, TWICE_HEAD, Padding::symmetric(8, 2)),
        (true, false) => (each, count * each, 0, Padding::symmetric(4, 2)),
        (false, true) => (each, count * each, HEAD, Padding::ZERO),
        (false, false) => (each, count * each, 0, Padding::ZERO),
    };
    let (wide, high) = (padding.left + padding.right, padding.top + padding.bottom + 2);
    let width = Constraint::Length((width + wide).min(around.width));
    let below = Rect { y: around.y + head, height: around.height - head, ..around };
    let area = below.centered(width, Constraint::Length(height + high));
    CardPlace { around, area, padding, each }
}

/// Draws a card: for each choice a line with a digit, and a line of notes if there is room.
pub fn draw(frame: &mut Frame<'_>, app: &App, areas: &Areas, card: Card, at: usize) {
    let (look, [title, bottom]) = (&app.state.look, card.titles());
    let CardPlace { around, area, padding, each } = place(app, areas, card);
    if card == Card::Start {
        // The panes do not matter yet.
        in_front(frame, look, Block::new(), around);
        let name = NAME.map(str::to_owned).to_vec();
        let (name, head) = if each > 2 { (twice(&name), TWICE_HEAD) } else { (name, HEAD) };
        let has_room = area.y - around.y >= head && around.width > name[0].width() as u16;
        if has_room && !look.ascii {
            let name = name.into_iter().map(|row| Line::styled(row, look.accent).centered());
            let above = Rect { y: area.y - head, height: head, ..around };
            frame.render_widget(name.collect::<Text<'_>>(), above);
        }
    }
    let notes = card.notes().iter().map(Some).chain(std::iter::repeat(None));
    let lines = card.lines(app).into_iter().zip(notes).enumerate();
    let lines = lines.flat_map(|(place, ((signs, text), notes))| {
        let (sign, style) = if place == at { ('▸', look.selected) } else { (' ', look.text) };
        let notes = notes.map_or_else(String::new, |notes| format!("    {notes}"));
        let choice = Line::styled(format!("{sign}{}  {text}", signs[0]), style);
        let notes = Line::styled(notes, look.quiet);
        [choice, notes, Line::default()].into_iter().take(each.into())
    });
    let block = Block::bordered().title(format!(" {title} ")).title_bottom(format!(" {bottom} "));
    let room = in_front(frame, look, block.padding(padding), area);
    frame.render_widget(lines.collect::<Text<'_>>(), room);
}

/// A drawing in quarters of cells at twice its size.
fn twice(drawing: &[String]) -> Vec<String> {
    let half = |row: &String, bits: [usize; 2]| -> String {
        let cells = row.chars().map(|sign| QUADRANTS.iter().position(|it| *it == sign));
        let cells = cells.flat_map(|at| bits.map(|bit| at.unwrap_or(0) >> bit & 1 == 1));
        cells.map(|is_inked| if is_inked { '█' } else { ' ' }).collect()
    };
    drawing.iter().flat_map(|row| [half(row, [0, 1]), half(row, [2, 3])]).collect()
}
