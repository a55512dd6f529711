use serde::Serialize;

use super::{Rule, Score, Term};

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
    /// The side to move: `w` or `b`.
    pub side: String,
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
    /// The board drawn with Unicode.
    #[serde(skip)]
    pub board: String,
    /// The board drawn in ASCII.
    #[serde(skip)]
    pub board_ascii: String,
    /// Moves that `undo` can take back.
    pub undo: usize,
    /// Moves that `redo` can bring back.
    pub redo: usize,
    /// The move that led here, where one did.
    pub last_move: Option<String>,
    /// The same as books write it, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_san: Option<String>,
    /// What changed besides the position.
    pub notes: Vec<String>,
}

/// The moves of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Moves {
    /// One for each successor, sorted by its notation; also where the game is over and none may be played, as the
    /// seeds' `nextStates` lists them.
    pub moves: Vec<MoveReport>,
    /// Whether the game is over.
    pub finished: bool,
    /// The value of a finished game for the side to move.
    pub utility: Option<Score>,
}

/// A move and where it leads.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move as books write it, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// The position after it.
    pub state: String,
}

/// A game written to a file or read from one.
#[derive(Clone, Debug, Serialize)]
pub struct GameFile {
    /// The file.
    pub file: String,
    /// `saved` or `loaded`.
    pub action: &'static str,
    /// How many moves it has.
    pub moves: usize,
    /// The position at hand.
    #[serde(flatten)]
    pub position: PositionReport,
}

/// The orbit of a position.
#[derive(Clone, Debug, Serialize)]
pub struct SymmetriesReport {
    /// Every position equal to it by symmetry, itself included, sorted.
    pub states: Vec<String>,
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

/// Lines of play that begin with one move.
#[derive(Clone, Debug, Serialize)]
pub struct PerftMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// How many.
    pub nodes: u64,
}

/// The heuristic of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Eval {
    /// For the side to move.
    pub value: Score,
    /// The terms.
    pub terms: Vec<Term>,
    /// The side to move.
    pub side: String,
    /// The position: the selected frame's, or the game's where none is selected.
    pub state: String,
}

/// The rules in force.
#[derive(Clone, Debug, Serialize)]
pub struct RulesReport {
    /// The game's name.
    pub game: String,
    /// Rule by rule.
    #[serde(serialize_with = "by_name")]
    pub rules: Vec<Rule>,
    /// What changed besides.
    pub notes: Vec<String>,
}

fn by_name<S: serde::Serializer>(rules: &[Rule], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rules.iter().map(|rule| (&rule.name, &rule.value)))
}
