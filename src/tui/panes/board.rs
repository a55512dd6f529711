//! The position at hand, or that of the selected frame or cache entry; a game of a tournament while one is played.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::{
    Frame,
    layout::{Position, Rect},
};

use crate::tui::{
    board::{BoardAction, BoardInput, BoardKey, BoardWidget},
    data::Want,
    keymap::{Binding, Does},
    layout::{Areas, PaneSlot},
    log::LogLine,
    news::BoardOf,
    pane::{Pane, Tag},
    state::ScreenState,
};

static TAG: Tag = Tag { name: "board", keys: "1", about: "the board", place: PaneSlot::Board };

/// The board, with the cursor and the move under way.
#[derive(Debug, Default)]
pub struct BoardPane(BoardInput);

impl BoardPane {
    fn press(&mut self, state: &mut ScreenState, key: BoardKey) -> bool {
        let Some(report) = state.data.board.as_ref() else {
            return false;
        };
        if state.shown != BoardOf::Position {
            return false;
        }
        match self.0.key(report, key) {
            BoardAction::None => false,
            BoardAction::Redraw => true,
            BoardAction::Command(line) => {
                state.run(line);
                true
            }
        }
    }
}

/// Whether moves are entered on the board, and not only looked at.
fn is_open(state: &ScreenState) -> bool {
    state.shown == BoardOf::Position && state.live.is_none()
}

impl Pane for BoardPane {
    fn tag(&self) -> &'static Tag {
        &TAG
    }

    fn wants(&self, state: &ScreenState) -> Vec<Want> {
        vec![Want::Stack, Want::Board(state.shown.clone())]
    }

    fn title(&self, state: &ScreenState) -> String {
        if let Some(live) = &state.live {
            return live.phase.clone();
        }
        match (&state.shown, state.data.frame(), &state.data.board) {
            (BoardOf::Frame, Some(frame), _) => format!("frame {} of the search", frame.ply),
            (BoardOf::Entry(_), ..) => "cache entry".to_owned(),
            (_, _, Some(board)) => board.phase.clone(),
            _ => String::new(),
        }
    }

    fn words(&self, state: &ScreenState) -> Option<String> {
        let board = state.live.as_ref().or(state.data.board.as_ref());
        board.map(|board| if is_open(state) { self.0.words(board) } else { board.words.clone() })
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let Some(board) = state.live.as_ref().or(state.data.board.as_ref()) else {
            return;
        };
        let mut widget = BoardWidget::new(board, &state.look.theme).ascii(state.look.ascii);
        if is_open(state) {
            widget = widget.input(&self.0);
        }
        frame.render_widget(widget, room);
    }

    fn bindings(&self) -> Vec<Binding> {
        [
            ("board-flip", "F", "mirrors the board"),
            ("board-turn", "T", "turns the board"),
            ("board-setup", "E", "sets a position up by hand"),
        ]
        .map(|(name, keys, help)| Binding::new(name, keys, Does::Own, help).of(TAG.name))
        .into()
    }

    fn act(&mut self, state: &mut ScreenState, action: &str) {
        let Some(report) = state.data.board.as_ref() else {
            return;
        };
        match action {
            "board-flip" => self.0.flip(report),
            "board-turn" => self.0.turn(report),
            _ if state.shown == BoardOf::Position && self.0.begin_setup(report) => {}
            _ => state.say(LogLine::Note, "this position cannot be set up by hand"),
        }
    }

    fn key(&mut self, state: &mut ScreenState, event: KeyEvent) -> bool {
        if !(event.modifiers - KeyModifiers::SHIFT).is_empty() {
            return false;
        }
        let key = match event.code {
            KeyCode::Up => BoardKey::Up,
            KeyCode::Down => BoardKey::Down,
            KeyCode::Left => BoardKey::Left,
            KeyCode::Right => BoardKey::Right,
            KeyCode::Enter => BoardKey::Enter,
            KeyCode::Esc => BoardKey::Esc,
            KeyCode::Backspace => BoardKey::Backspace,
            KeyCode::Char(sign) => BoardKey::Char(sign),
            _ => return false,
        };
        self.press(state, key)
    }

    fn click(&mut self, state: &mut ScreenState, room: Rect, at: Position) {
        let hit = state.data.board.as_ref().and_then(|report| {
            let widget = BoardWidget::new(report, &state.look.theme).input(&self.0);
            widget.hit(room, at.x, at.y)
        });
        if let Some(key) = hit {
            self.press(state, key);
        }
    }

    fn hint(&self, state: &ScreenState) -> &'static str {
        if self.0.is_setup() || state.shown == BoardOf::Position { self.0.keys() } else { "" }
    }

    fn footer(&self, state: &ScreenState) -> Option<&'static [(&'static str, &'static str)]> {
        (!self.hint(state).is_empty()).then_some(&[
            ("help", "help"),
            ("next-pane", "pane"),
            ("undo", "undo"),
            ("step", "step"),
            ("quit", "quit"),
        ])
    }

    fn looked_up(&mut self, state: &mut ScreenState) {
        if let Some(board) = state.data.board.as_ref()
            && state.shown == BoardOf::Position
        {
            self.0.settle(board);
        }
    }
}
