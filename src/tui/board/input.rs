//! Keys and clicks on a board.

use crossterm::event::KeyCode;

use super::{
    entry::MoveEntry,
    setup::{self, BoardSetup},
};
use crate::{
    engine::reply::{Board, BoardReport},
    picture::{BoardScene, View},
};

/// What a click on a board means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardClick {
    /// The nearest point, by its index.
    Point(usize),
    /// The letter of a piece that a pawn may become.
    Piece(char),
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
    /// How the board is looked at.
    pub view: View,
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

    /// Whether nothing is being entered or set up.
    pub fn is_idle(&self) -> bool {
        self.setup.is_none() && self.entry == MoveEntry::default()
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

    /// Takes a click: as the blank on the point, or as the letter of the piece.
    pub fn click(&mut self, report: &BoardReport, click: BoardClick) -> BoardAction {
        match click {
            BoardClick::Piece(letter) => self.key(report, KeyCode::Char(letter)),
            BoardClick::Point(point) if point < report.board.points.len() => {
                self.cursor = point;
                self.key(report, KeyCode::Char(' '))
            }
            BoardClick::Point(_) => BoardAction::None,
        }
    }

    /// Takes a key: arrows and coordinates move the cursor, Enter or a blank chooses the point under it, Esc and
    /// Backspace take back the last step; in a setup as [`setup::KEYS`] says.
    pub fn key(&mut self, report: &BoardReport, key: KeyCode) -> BoardAction {
        let is_known = matches!(
            key,
            KeyCode::Up
                | KeyCode::Down
                | KeyCode::Left
                | KeyCode::Right
                | KeyCode::Enter
                | KeyCode::Esc
                | KeyCode::Backspace
                | KeyCode::Char(_)
        );
        self.settle(report);
        if !is_known || report.board.points.is_empty() {
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
    fn promote(&mut self, report: &BoardReport, key: KeyCode) -> Option<BoardAction> {
        let usual = *self.promotions(report).first()?;
        let letter = match key {
            KeyCode::Enter | KeyCode::Char(' ') => usual,
            KeyCode::Char(letter) => letter,
            KeyCode::Esc | KeyCode::Backspace => return None,
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
    fn moves_cursor(&mut self, report: &BoardReport, typed: Option<char>, key: KeyCode) -> bool {
        match key {
            KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right => {
                let next = neighbour(&report.board, self.view, self.cursor, key);
                self.cursor = next.unwrap_or(self.cursor);
                true
            }
            KeyCode::Esc | KeyCode::Backspace => typed.is_some(),
            KeyCode::Char(sign) => self.coordinate(report, typed, sign),
            _ => false,
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
        let is_file = begins(&board.files, sign);
        if is_file {
            self.typed = Some(sign);
        }
        is_file
    }

    fn act(&mut self, report: &BoardReport, key: KeyCode) -> BoardAction {
        if let Some(setup) = &mut self.setup {
            return match key {
                KeyCode::Enter => BoardAction::Command(setup.accept(report)),
                KeyCode::Esc => {
                    self.setup = None;
                    BoardAction::Redraw
                }
                key if setup.key(key, self.cursor) => BoardAction::Redraw,
                _ => BoardAction::None,
            };
        }
        match key {
            KeyCode::Enter | KeyCode::Char(' ') => self.choose(report),
            KeyCode::Esc | KeyCode::Backspace if self.entry.back() => BoardAction::Redraw,
            _ => BoardAction::None,
        }
    }

    fn choose(&mut self, report: &BoardReport) -> BoardAction {
        match self.entry.choose(report, self.cursor) {
            Ok(Some(mv)) => {
                self.entry = MoveEntry::default();
                BoardAction::Command(format!("play {mv}"))
            }
            Ok(None) => BoardAction::Redraw,
            Err(why) => {
                self.notice = Some(why);
                BoardAction::Redraw
            }
        }
    }

    /// What is to be done next, or why the last key did nothing.
    pub fn words(&self, report: &BoardReport) -> String {
        let words = match &self.setup {
            Some(setup) => setup.words(),
            None if self.state == report.state => self.entry.words(report),
            None => MoveEntry::default().words(report),
        };
        match (&self.notice, self.typed) {
            (Some(notice), _) => notice.clone(),
            (None, Some(file)) => format!("{words}; go to {file}_"),
            (None, None) => words,
        }
    }

    /// The keys that matter now, and what they do.
    pub fn keys(&self) -> &'static [(&'static str, &'static str)] {
        const KEYS: &[(&str, &str)] =
            &[("arrows a4", "move"), ("Enter Space", "choose"), ("Esc", "back")];
        if self.setup.is_some() { setup::KEYS } else { KEYS }
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

/// The next point along a line in the direction of an arrow as the board is seen, or else the nearest one that way.
fn neighbour(board: &Board, view: View, cursor: usize, key: KeyCode) -> Option<usize> {
    let place = |point: usize| {
        let at = board.points.get(point)?;
        Some(view.place(board, (at.x, at.y)))
    };
    let (x0, y0) = place(cursor)?;
    // How far along the arrow and how far beside it a point lies.
    let ahead = |point: usize| {
        let (x, y) = place(point)?;
        let (along, beside) = match key {
            KeyCode::Left => (x0.checked_sub(x)?, y.abs_diff(y0)),
            KeyCode::Right => (x.checked_sub(x0)?, y.abs_diff(y0)),
            KeyCode::Up => (y0.checked_sub(y)?, x.abs_diff(x0)),
            _ => (y.checked_sub(y0)?, x.abs_diff(x0)),
        };
        (along > 0).then_some((along, beside))
    };
    let mut steps = board.lines.iter().flat_map(|line| line.windows(2));
    let on_line = steps.find_map(|step| {
        let other = match *step {
            [from, to] if from == cursor => to,
            [from, to] if to == cursor => from,
            _ => return None,
        };
        matches!(ahead(other), Some((_, 0))).then_some(other)
    });
    on_line.or_else(|| {
        let distance = |point| ahead(point).map(|(along, beside)| along.pow(2) + 4 * beside.pow(2));
        let points = 0..board.points.len();
        points.filter_map(|point| Some((distance(point)?, point))).min().map(|(_, point)| point)
    })
}
