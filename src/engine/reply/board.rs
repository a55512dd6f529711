//! Boards, pictures of them, and moves the engine played.

use serde::Serialize;

use super::{PositionReport, Reply, Score, Side};
use crate::{
    engine::game::{Board, Game},
    text::Style,
};

/// A board drawn as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnBoard {
    /// With Unicode's signs.
    pub unicode: String,
    /// With nothing but ASCII.
    pub ascii: String,
}

impl DrawnBoard {
    /// Draws a position.
    pub fn of<G: Game>(game: &G, position: &G::Position) -> Self {
        Self { unicode: game.draw(position, false), ascii: game.draw(position, true) }
    }

    /// With the signs that may be used.
    pub fn text(&self, style: Style) -> &str {
        if style.ascii { &self.ascii } else { &self.unicode }
    }
}

/// A position as a front end needs it to draw a board and to enter moves on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardReport {
    /// The game's name.
    pub game: String,
    /// The position in the game's notation.
    pub state: String,
    /// The side to move.
    pub side: Side,
    /// The stage of play.
    pub phase: String,
    /// Whether the game is over.
    pub finished: bool,
    /// One line of prose: who is to do what, or who has won and why.
    pub words: String,
    /// The move that led here, where one did.
    pub last_move: Option<String>,
    /// The board.
    #[serde(flatten)]
    pub board: Board,
}

/// A picture drawn.
#[derive(Clone, Debug, Serialize)]
pub struct PictureReport {
    /// The file it was written to.
    pub file: Option<String>,
    /// `svg` or `text`.
    pub format: &'static str,
    /// Its size.
    pub bytes: usize,
    /// The picture itself where no file was named.
    pub picture: Option<String>,
}

impl Reply for PictureReport {
    fn text(&self, _: Style) -> String {
        match (&self.picture, &self.file) {
            (Some(picture), _) => picture.trim_end().to_owned(),
            (None, Some(file)) => format!("wrote `{file}` ({}, {} bytes)", self.format, self.bytes),
            (None, None) => String::new(),
        }
    }
}

/// A move the engine chose and played.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedReport {
    /// The move.
    pub played: String,
    /// The moves it was chosen from, all equally good.
    pub best: Vec<String>,
    /// Their value for the side that moved.
    pub value: Option<Score>,
    /// The last complete iteration: plies from the root.
    pub depth: u8,
    /// States visited.
    pub nodes: u64,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// The position now.
    #[serde(flatten)]
    pub position: PositionReport,
}

impl Reply for PlayedReport {
    fn text(&self, style: Style) -> String {
        let value = self.value.map_or(String::new(), |value| format!(" value {value}"));
        let others = match self.best.len() {
            0 | 1 => String::new(),
            equals => format!(", one of {equals} equals"),
        };
        format!(
            "played {}{others}{value} depth {} nodes {}\n{}",
            self.played,
            self.depth,
            self.nodes,
            self.position.board.text(style).trim_end()
        )
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }
}
