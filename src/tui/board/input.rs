//! Keys and clicks on a board.

use crossterm::event::KeyCode;

use super::entry::MoveEntry;
use crate::{
    engine::reply::{Board, BoardMove, BoardReport},
    picture::BoardScene,
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
    /// A command line is to be run: `play …`.
    Command(String),
}

/// What a person is doing on a board: the cursor, the move under way, and from which side the board is seen.
///
/// It belongs to no position: each call is given the board, and a move begun on another one is forgotten.
#[derive(Clone, Debug, Default)]
pub struct BoardInput {
    /// From the other side.
    pub flipped: bool,
    cursor: usize,
    /// The letter of a coordinate that is being typed.
    typed: Option<char>,
    entry: MoveEntry,
    /// Why the last key did nothing.
    notice: Option<String>,
    /// The position that the entry belongs to.
    state: String,
}

impl BoardInput {
    /// Whether nothing is being entered.
    pub fn is_idle(&self) -> bool {
        self.entry == MoveEntry::default()
    }

    /// Takes note of the position at hand when a command has been run: what was being entered on another one is forgotten.
    pub fn settle(&mut self, report: &BoardReport) {
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

    /// Takes a key: arrows and coordinates move the cursor, Enter or a blank chooses, Esc and Backspace take back a step.
    pub fn key(&mut self, report: &BoardReport, key: KeyCode) -> BoardAction {
        self.settle(report);
        if report.board.points.is_empty() {
            return BoardAction::None;
        }
        if let Some(action) = self.promote(report, key) {
            return action;
        }
        let typed = self.typed.take();
        self.notice = None;
        if self.moves_cursor(report, typed, key) {
            return BoardAction::Redraw;
        }
        match key {
            KeyCode::Enter | KeyCode::Char(' ') => {
                let chosen = self.entry.choose(report, self.cursor);
                let mv = chosen.unwrap_or_else(|why| {
                    self.notice = Some(why);
                    None
                });
                mv.map_or(BoardAction::Redraw, |mv| BoardAction::Command(format!("play {mv}")))
            }
            KeyCode::Esc | KeyCode::Backspace if self.entry.back() => BoardAction::Redraw,
            _ => BoardAction::None,
        }
    }

    /// The letters of the pieces that a pawn may become, while that is the question; the usual one first.
    pub fn promotions(&self, report: &BoardReport) -> Vec<char> {
        if self.state == report.state { self.entry.promotions(report) } else { Vec::new() }
    }

    /// The answer to what a pawn becomes, a letter or Enter for the usual one; nothing where that is not asked.
    fn promote(&mut self, report: &BoardReport, key: KeyCode) -> Option<BoardAction> {
        let usual = *self.promotions(report).first()?;
        let letter = match key {
            KeyCode::Enter | KeyCode::Char(' ') => usual,
            KeyCode::Char(letter) => letter,
            KeyCode::Esc | KeyCode::Backspace => return None,
            _ => return Some(BoardAction::None),
        };
        let mv = self.entry.promote(report, letter);
        Some(mv.map_or(BoardAction::None, |mv| BoardAction::Command(format!("play {mv}"))))
    }

    /// Whether the key was an arrow or belonged to a coordinate.
    fn moves_cursor(&mut self, report: &BoardReport, typed: Option<char>, key: KeyCode) -> bool {
        match key {
            KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right => {
                let next = neighbour(&report.board, self.flipped, self.cursor, key);
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

    /// The move that goes to the cursor, if there is one only; of the pieces that a pawn may become the usual one.
    pub fn move_to_cursor(&self, report: &BoardReport) -> Option<String> {
        let usual = |mv: &BoardMove| mv.promotion.is_none_or(|letter| letter == 'Q');
        let moves = self.entry.moves(report).map(|(mv, _)| mv);
        let there = moves.filter(|mv| mv.to == self.cursor && usual(mv));
        let mut names: Vec<_> = there.map(|mv| mv.mv.as_str()).collect();
        names.dedup();
        if let [only] = names.as_slice() { Some((*only).to_owned()) } else { None }
    }

    /// What is to be done next, or why the last key did nothing.
    pub fn words(&self, report: &BoardReport) -> String {
        let is_same = self.state == report.state;
        let words =
            if is_same { self.entry.words(report) } else { MoveEntry::default().words(report) };
        match (&self.notice, self.typed) {
            (Some(notice), _) => notice.clone(),
            (None, Some(file)) => format!("{words}; go to {file}_"),
            (None, None) => words,
        }
    }

    /// The board as it is to be drawn.
    pub fn scene<'a>(&self, report: &'a BoardReport) -> BoardScene<'a> {
        let mut scene = BoardScene::new(report, self.flipped);
        scene.cursor = Some(self.cursor);
        if self.state == report.state {
            self.entry.mark(&mut scene);
        }
        scene
    }
}

/// The keys that enter moves, and what they do.
pub const KEYS: &[(&str, &str)] =
    &[("arrows a4", "move"), ("Enter Space", "choose"), ("Esc", "back")];

/// The next point along a line in the direction of an arrow as the board is seen, or else the nearest one that way.
fn neighbour(board: &Board, flipped: bool, cursor: usize, key: KeyCode) -> Option<usize> {
    let place = |point: usize| board.points.get(point).map(|at| (at.x, at.y));
    let from = place(cursor)?;
    // How far along the arrow and how far beside it a point lies.
    let ahead = |point: usize| {
        let to = place(point)?;
        let ((x0, y0), (x, y)) = if flipped { (to, from) } else { (from, to) };
        let (along, beside) = match key {
            KeyCode::Left => (x0.checked_sub(x)?, y.abs_diff(y0)),
            KeyCode::Right => (x.checked_sub(x0)?, y.abs_diff(y0)),
            KeyCode::Up => (y0.checked_sub(y)?, x.abs_diff(x0)),
            _ => (y.checked_sub(y0)?, x.abs_diff(x0)),
        };
        (along > 0).then_some((usize::from(along), usize::from(beside)))
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
