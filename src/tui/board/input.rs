//! Keys and clicks on a board.

use super::{
    arrows,
    entry::{MoveEntry, MoveStep},
    setup::{self, BoardSetup},
};
use crate::{
    engine::reply::{BoardPoint, BoardReport},
    picture::{BoardScene, View},
};

/// A key or a click, as the board knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardKey {
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Chooses the point under the cursor; accepts a setup.
    Enter,
    /// Takes back the last step of a move; gives up a setup.
    Esc,
    /// As `Esc` while a move is entered; removes a stone in a setup.
    Backspace,
    /// A coordinate's letter or digit, a blank (as `Enter`), or a key of a setup.
    Char(char),
    /// A click on the point at this place of the lattice, as [`hit`](super::BoardWidget::hit) finds it.
    Click {
        /// Its column.
        x: u8,
        /// Its row.
        y: u8,
    },
}

/// What a key led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardAction {
    /// The key means nothing here.
    None,
    /// The board looks different, or the words about it.
    Redraw,
    /// A command line is to be run: `play …` or `position set …`.
    Command(String),
}

/// What a person is doing on a board: the cursor, the move or the setup under way, and how the board is looked at.
///
/// It belongs to no position: each call is given the board, and a move that was being entered on another position is
/// forgotten.
#[derive(Clone, Debug, Default)]
pub struct BoardInput {
    view: View,
    cursor: usize,
    /// The letter of a coordinate that is being typed.
    typed: Option<char>,
    entry: MoveEntry,
    setup: Option<BoardSetup>,
    /// Why the last key did nothing.
    notice: Option<String>,
    /// The position that the entry belongs to.
    state: String,
}

impl BoardInput {
    /// How the board is looked at.
    pub const fn view(&self) -> View {
        self.view
    }

    /// Mirrors the board, or shows squares from the other side.
    pub fn flip(&mut self, report: &BoardReport) {
        self.view.flip(&report.board);
    }

    /// Turns the board by a quarter.
    pub fn turn(&mut self, report: &BoardReport) {
        self.view.turn(&report.board);
    }

    /// Shows the outer ring in place of the inner one.
    pub fn exchange(&mut self, report: &BoardReport) {
        self.view.exchange(&report.board);
    }

    /// Begins to set up a position by hand, from the one at hand; false where the game cannot be set up so.
    pub fn begin_setup(&mut self, report: &BoardReport) -> bool {
        self.settle(report);
        self.entry = MoveEntry::default();
        self.notice = None;
        self.typed = None;
        self.setup = BoardSetup::new(report);
        self.setup.is_some()
    }

    /// Whether a position is being set up.
    pub const fn is_setup(&self) -> bool {
        self.setup.is_some()
    }

    /// Gives up what is being entered or set up.
    pub fn cancel(&mut self) {
        self.entry = MoveEntry::default();
        self.setup = None;
        self.typed = None;
        self.notice = None;
    }

    /// Takes note of the position at hand; to be called when a command has been run.
    ///
    /// What was being entered on another position is forgotten, and a setup ends that the engine has accepted.
    pub fn settle(&mut self, report: &BoardReport) {
        if self.setup.as_ref().is_some_and(|setup| setup.is_done(report)) {
            self.setup = None;
        }
        if self.state != report.state {
            self.state.clone_from(&report.state);
            self.entry = MoveEntry::default();
            self.notice = None;
        }
        let last = report.board.points.len().saturating_sub(1);
        self.cursor = self.cursor.min(last);
    }

    /// Takes a key.
    pub fn key(&mut self, report: &BoardReport, key: BoardKey) -> BoardAction {
        self.settle(report);
        if report.board.points.is_empty() {
            return BoardAction::None;
        }
        if let Some(action) = self.promote(report, key) {
            return action;
        }
        let typed = self.typed.take();
        let noticed = self.notice.take().is_some();
        if self.moves_cursor(report, typed, key) {
            return BoardAction::Redraw;
        }
        if let BoardKey::Click { x, y } = key {
            let at = |point: &BoardPoint| (point.x, point.y) == (x, y);
            match report.board.points.iter().position(at) {
                Some(point) => self.cursor = point,
                None => return BoardAction::None,
            }
        }
        match self.act(report, key) {
            BoardAction::None if noticed || typed.is_some() => BoardAction::Redraw,
            action => action,
        }
    }

    /// The letters of the pieces that a pawn may become, while that is the question; the usual one first.
    pub fn promotions(&self, report: &BoardReport) -> Vec<char> {
        if self.state == report.state { self.entry.promotions(report) } else { Vec::new() }
    }

    /// The answer to what a pawn becomes: a piece's letter, or Enter for the usual one. Nothing while that is not asked,
    /// and for keys that take the step back.
    fn promote(&mut self, report: &BoardReport, key: BoardKey) -> Option<BoardAction> {
        let letters = self.promotions(report);
        let usual = *letters.first()?;
        let letter = match key {
            BoardKey::Enter | BoardKey::Char(' ') => usual,
            BoardKey::Char(letter) => letter,
            BoardKey::Esc | BoardKey::Backspace => return None,
            _ => return Some(BoardAction::None),
        };
        let Some(mv) = self.entry.promote(report, letter) else {
            return Some(BoardAction::None);
        };
        self.entry = MoveEntry::default();
        self.notice = None;
        Some(BoardAction::Command(format!("play {mv}")))
    }

    /// Whether the key was an arrow or belonged to a coordinate.
    fn moves_cursor(&mut self, report: &BoardReport, typed: Option<char>, key: BoardKey) -> bool {
        match key {
            BoardKey::Up | BoardKey::Down | BoardKey::Left | BoardKey::Right => {
                let next = arrows::next(&report.board, self.view, self.cursor, key);
                self.cursor = next.unwrap_or(self.cursor);
                true
            }
            BoardKey::Esc | BoardKey::Backspace => typed.is_some(),
            BoardKey::Char(sign) => self.coordinate(report, typed, sign),
            BoardKey::Enter | BoardKey::Click { .. } => false,
        }
    }

    /// Reads a coordinate letter by letter; false where the key is none.
    fn coordinate(&mut self, report: &BoardReport, typed: Option<char>, sign: char) -> bool {
        let board = &report.board;
        let begins = |names: &[String], sign: char| names.iter().any(|name| name.starts_with(sign));
        if let Some(file) = typed
            && begins(&board.ranks, sign)
        {
            let name = format!("{file}{sign}");
            match board.points.iter().position(|point| point.name == name) {
                Some(point) => self.cursor = point,
                None => self.notice = Some(format!("there is no point {name}")),
            }
            return true;
        }
        let capital = sign.is_ascii_uppercase() && self.setup.is_some();
        let file = sign.to_ascii_lowercase();
        if capital || !begins(&board.files, file) {
            return false;
        }
        self.typed = Some(file);
        true
    }

    fn act(&mut self, report: &BoardReport, key: BoardKey) -> BoardAction {
        if let Some(setup) = &mut self.setup {
            return match key {
                BoardKey::Enter => BoardAction::Command(setup.accept(report)),
                BoardKey::Esc => {
                    self.setup = None;
                    BoardAction::Redraw
                }
                key if setup.key(key, self.cursor) => BoardAction::Redraw,
                _ => BoardAction::None,
            };
        }
        match key {
            BoardKey::Enter | BoardKey::Char(' ') | BoardKey::Click { .. } => self.choose(report),
            BoardKey::Esc | BoardKey::Backspace if self.entry.back() => BoardAction::Redraw,
            _ => BoardAction::None,
        }
    }

    fn choose(&mut self, report: &BoardReport) -> BoardAction {
        match self.entry.choose(report, self.cursor) {
            MoveStep::Move(mv) => {
                self.entry = MoveEntry::default();
                BoardAction::Command(format!("play {mv}"))
            }
            MoveStep::Step => BoardAction::Redraw,
            MoveStep::Refused(why) => {
                self.notice = Some(why);
                BoardAction::Redraw
            }
        }
    }

    /// What is to be done next, or why the last key did nothing: one line for the status.
    pub fn words(&self, report: &BoardReport) -> String {
        let words = match &self.setup {
            Some(setup) => setup.words(),
            None if self.state == report.state => self.entry.words(report),
            None => MoveEntry::default().words(report),
        };
        match (&self.notice, self.typed) {
            (Some(notice), _) => format!("{notice}. {words}"),
            (None, Some(file)) => format!("{words}; go to {file}_"),
            (None, None) => words,
        }
    }

    /// The keys that matter now, for a line of hints.
    pub fn keys(&self) -> &'static str {
        if self.setup.is_some() { setup::KEYS } else { "arrows or a4 move, Enter choose, Esc back" }
    }

    /// The board as it is to be drawn.
    pub fn scene<'a>(&self, report: &'a BoardReport) -> BoardScene<'a> {
        let mut scene = BoardScene::new(report, self.view);
        scene.cursor = Some(self.cursor);
        match &self.setup {
            Some(setup) => setup.mark(&mut scene),
            None if self.state == report.state => self.entry.mark(&mut scene),
            None => {}
        }
        scene
    }
}
