//! Players, and the games of matches.

use serde::Serialize;

use super::{PositionReport, Reply, Side};
use crate::{
    engine::arena::result_token,
    text::{
        Style,
        layout::{self, headline, lines, wrap},
        number::counted,
        table::TextTable,
    },
};

/// The players that have names.
#[derive(Clone, Debug, Serialize)]
pub struct PlayersReport {
    /// Each as its line of text.
    pub players: Vec<String>,
    /// What a person should know.
    pub notes: Vec<String>,
}

impl Reply for PlayersReport {
    fn text(&self, _: Style) -> String {
        let players = if self.players.is_empty() {
            "no player has a name; there are default and current".to_owned()
        } else {
            lines(self.players.iter().map(|player| wrap("", player)))
        };
        lines([players, layout::notes(&self.notes)])
    }
}

/// The games of a tournament, a round or a log.
#[derive(Clone, Debug, Serialize)]
pub struct GamesReport {
    /// The games.
    pub games: Vec<GameReport>,
    /// Games that are not listed.
    pub more: usize,
}

impl Reply for GamesReport {
    fn text(&self, style: Style) -> String {
        if self.games.is_empty() {
            return "no games".to_owned();
        }
        let mut table = TextTable::default()
            .right(["game"])
            .left(["white", "black"])
            .right(["round", "moves"])
            .left(["result", "ended by"]);
        for game in &self.games {
            table.row([
                game.game.to_string(),
                game.white.clone(),
                game.black.clone(),
                game.round.to_string(),
                game.plies.to_string(),
                result_token(game.winner, &game.ending).to_owned(),
                game.ending.clone(),
            ]);
        }
        let more = if self.more > 0 { layout::and_more(self.more, style) } else { String::new() };
        lines([table.render(style), more])
    }
}

/// A game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// Its number, from 1.
    pub game: usize,
    /// Who had the first move.
    pub white: String,
    /// Who had not.
    pub black: String,
    /// Which game of the pairing it is, from 1.
    pub round: usize,
    /// Moves, those of the opening included.
    pub plies: usize,
    /// How many of them are the opening.
    pub opening: usize,
    /// Who has won.
    pub winner: Option<Side>,
    /// Why it ended.
    pub ending: String,
    /// States visited by white and black.
    pub nodes: [u64; 2],
    /// The moves, where one game is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

impl Reply for GameReport {
    fn text(&self, _: Style) -> String {
        let pieces = [
            format!("game {}", self.game),
            format!("{} - {}", self.white, self.black),
            format!("round {}", self.round),
            result_token(self.winner, &self.ending).to_owned(),
            format!("({})", self.ending),
            counted(self.plies as u64, "move", "moves"),
            match self.opening {
                0 => String::new(),
                plies => format!("opening of {plies}"),
            },
        ];
        lines([headline(pieces), wrap("", &self.moves.join(" "))])
    }
}

/// A game taken over by the workbench.
#[derive(Clone, Debug, Serialize)]
pub struct OpenedGame {
    /// The game.
    pub game: GameReport,
    /// Moves that have been played in the current position.
    pub ply: usize,
    /// The position.
    pub position: PositionReport,
}

impl Reply for OpenedGame {
    fn text(&self, style: Style) -> String {
        let GameReport { game, white, black, plies, .. } = &self.game;
        let title = format!("game {game}, {white} - {black}: after {} of {plies} moves", self.ply);
        lines([title, self.position.text(style)])
    }
}

/// A file of results or games that was written or read.
#[derive(Clone, Debug, Serialize)]
pub struct ArenaFile {
    /// Its path.
    pub file: String,
    /// `saved`, `loaded` or `merged`.
    pub action: &'static str,
    /// Its format.
    pub format: &'static str,
    /// Games in it.
    pub games: usize,
    /// What a person should know.
    pub notes: Vec<String>,
}

impl Reply for ArenaFile {
    fn text(&self, _: Style) -> String {
        let games = counted(self.games as u64, "game", "games");
        let title = format!("{} {}: {games} ({})", self.action, self.file, self.format);
        lines([title, layout::notes(&self.notes)])
    }
}
