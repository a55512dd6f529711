//! Positions and their boards, their moves, and what the heuristic says of them.

use serde::Serialize;
use serde_json::{Value, json};

use super::{LAST, PlainReply, Reply, Score, Side, Term, nth_line};
use crate::{
    engine::game::Board,
    text::{TextTable, beside, grid, layout, lines, number, told, width},
};

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
    /// The move that led here, if one did.
    pub last_move: Option<String>,
    /// The board.
    #[serde(flatten)]
    pub board: Board,
}

/// A position.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReport {
    /// The game's name.
    pub game: String,
    /// The position in the game's notation.
    pub state: String,
    /// The same under the name of its notation, for games that use Forsyth-Edwards notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The side to move.
    pub side: Side,
    /// The stage of play.
    pub phase: String,
    /// Whether the game is over.
    pub finished: bool,
    /// `w`, `b`, `draw`, or nothing while the game goes on.
    pub winner: Option<String>,
    /// Its key, colours normalised, without depth.
    pub key: String,
    /// One line of prose.
    pub words: String,
    /// The board.
    #[serde(skip)]
    pub board: String,
    /// Moves that `undo` can take back.
    pub undo: usize,
    /// Moves that `redo` can bring back.
    pub redo: usize,
    /// The move that led here, if one did.
    pub last_move: Option<String>,
    /// The same in the notation of books, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_san: Option<String>,
    /// The moves since a position was set, in the notation of books where the game has one.
    #[serde(skip)]
    pub played: Vec<String>,
    /// What changed besides the position.
    pub notes: Vec<String>,
}

impl Reply for PositionReport {
    // The board with everything else at its right.
    fn text(&self) -> String {
        let ending = match self.winner.as_deref() {
            Some("w") => "White wins",
            Some("b") => "Black wins",
            _ => "a draw",
        };
        let san = told(self.last_san.as_ref().map(|san| format!(", {san}")));
        let words = [
            Some(self.words.clone()),
            self.finished.then(|| format!("game over: {ending}")),
            Some(self.state.clone()),
            Some(format!("key {}", self.key)),
            self.last_move.as_ref().map(|mv| format!("last move {mv}{san}")),
            (self.undo + self.redo > 0).then(|| format!("undo {}  redo {}", self.undo, self.redo)),
        ];
        let words = words.into_iter().flatten();
        lines([beside(&self.board, words), layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        match &self.last_move {
            Some(mv) => format!("{mv}: {}", self.words),
            None => self.words.clone(),
        }
    }
}

/// The moves of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Moves {
    /// One for each successor, sorted by its notation; also where the game is over and none may be played.
    pub moves: Vec<MoveReport>,
    /// Whether the game is over.
    pub finished: bool,
    /// The value of a finished game for the side to move.
    pub utility: Option<Score>,
}

impl Reply for Moves {
    fn text(&self) -> String {
        if self.finished {
            let utility = self.utility.map(number::exact);
            let utility = utility.as_deref().unwrap_or("—");
            return format!("game over: utility {utility} for the side to move");
        }
        let mut moves: Vec<_> = self.moves.iter().map(|line| line.mv.clone()).collect();
        moves.sort();
        let title = number::counted(moves.len() as u64, "move", "moves");
        lines([title, grid(&moves)])
    }
}

/// A move and where it leads.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move in the notation of books, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// The position after it.
    pub state: String,
}

/// A game that was `saved` to a file or `loaded` from one, with so many moves, and the position at hand.
pub fn game_file(file: &str, action: &str, moves: usize, position: &PositionReport) -> PlainReply {
    let done = format!("{action} {file}: {}", number::counted(moves as u64, "move", "moves"));
    let mut fields = json!({"file": file, "action": action, "moves": moves});
    if let (Some(fields), Ok(Value::Object(more))) =
        (fields.as_object_mut(), serde_json::to_value(position))
    {
        fields.extend(more);
    }
    PlainReply::new(lines([done, position.text()]), fields)
}

/// A move the engine chose and played.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedReport {
    pub(crate) played: String,
    pub(crate) best: Vec<String>,
    /// Their value for the side that moved.
    pub(crate) value: Option<Score>,
    /// The last complete iteration: plies from the root.
    pub(crate) depth: u8,
    pub(crate) nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    #[serde(flatten)]
    pub(crate) position: PositionReport,
}

impl Reply for PlayedReport {
    fn text(&self) -> String {
        let others = match self.best.len() {
            0 | 1 => String::new(),
            equals => format!(", one of {equals} equals"),
        };
        let value = self.value.map(|value| format!("value {}", number::score(value)));
        let played = layout::headline([
            format!("played {}{others}", self.played),
            value.unwrap_or_default(),
            format!("depth {}", self.depth),
            format!("nodes {}", number::count(self.nodes)),
        ]);
        lines([played, self.position.text()])
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }
}

/// The orbit of a position: all that are equal to it by symmetry, itself included, sorted.
pub fn orbit(states: &[String]) -> PlainReply {
    let title = number::counted(states.len() as u64, "position equal", "positions equal");
    let title = format!("{title} by symmetry, this one included");
    PlainReply::new(lines([title, grid(states)]), json!({"states": states}))
}

/// Lines of play of one length.
#[derive(Clone, Debug, Serialize)]
pub struct Perft {
    /// Their length in plies.
    pub depth: u32,
    /// How many.
    pub nodes: u64,
    /// How many begin with each move.
    pub divide: Vec<PerftMove>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl Reply for Perft {
    fn text(&self) -> String {
        let total = format!("depth {}  leaves {}", self.depth, number::count(self.nodes));
        let rate = number::rate(self.nodes, "leaves", self.ms);
        let pieces = [Some(total), self.ms.map(number::time), rate];
        lines([grid(&divide(&self.divide)), layout::flow("", pieces.into_iter().flatten())])
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }

    // Below the table.
    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

/// Lines of play that begin with one move.
#[derive(Clone, Debug, Serialize)]
pub struct PerftMove {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) nodes: u64,
}

/// The heuristic of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Eval {
    /// For the side to move.
    pub value: Score,
    /// The terms.
    pub terms: Vec<Term>,
    /// The side to move.
    pub side: Side,
    /// The position: the selected frame's, or the game's where none is selected.
    pub state: String,
}

impl Reply for Eval {
    fn text(&self) -> String {
        let sum: f64 = self.terms.iter().map(|term| term.balance().get()).sum();
        let digits = |term: Option<&Term>, of: fn(&Term) -> f64| {
            told(term.map(|term| number::digits(of(term))))
        };
        let table = TextTable::of(self.terms.iter().map(Some).chain([None]))
            .left("term", |term| term.map_or("sum", |term| &term.name))
            .point("white", |term| digits(*term, |term| term.white))
            .point("black", |term| digits(*term, |term| term.black))
            .point("weight", |term| digits(*term, |term| term.weight))
            .point("for White", |term| number::signed(term.map_or(sum, |it| it.balance().get())));
        let value = number::exact(self.value);
        let value = format!("value {value} for {}, the side to move", self.side);
        lines([table.render(), value])
    }

    // Below the table.
    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

fn divide(lines: &[PerftMove]) -> Vec<String> {
    let mut divide: Vec<_> =
        lines.iter().map(|line| (line.mv.as_str(), number::count(line.nodes))).collect();
    divide.sort();
    let names = divide.iter().map(|(mv, _)| width(mv)).max().unwrap_or(0);
    let counts = divide.iter().map(|(_, count)| width(count)).max().unwrap_or(0);
    // A wider gap than one space would read as a column of its own.
    divide.iter().map(|(mv, count)| format!("{mv:names$} {count:>counts$} ")).collect()
}
