//! Parses the lines that a client sends.

use std::{str::SplitWhitespace, time::Duration};

/// The number of characters of an unknown command that the error message repeats.
const SHOWN: usize = 60;

/// A command that a client sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UciCommand {
    /// `uci`: introduce the engine and its options.
    Uci,
    /// `isready`: reply when earlier commands are done.
    IsReady,
    /// `ucinewgame`: the next position belongs to another game.
    NewGame,
    /// `setoption name … value …`.
    SetOption {
        /// The name of the option, which may contain spaces.
        name: String,
        /// The value of the option; empty for a button.
        value: String,
    },
    /// `position startpos|fen … moves …`.
    Position {
        /// The first position as a FEN or in the game's notation; `None`: the start position.
        state: Option<String>,
        /// The moves played from the first position.
        moves: Vec<String>,
    },
    /// `go …`: search.
    Go(Go),
    /// `stop`: end the search.
    Stop,
    /// `ponderhit`: the opponent has played the expected move.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// An empty line, `debug` or `register`: no effect.
    Nothing,
    /// A line that cannot be read, with an error message.
    Wrong(String),
}

/// The parameters of the UCI command `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `searchmoves`: the moves to search; empty: all legal moves.
    pub moves: Vec<String>,
    /// `ponder`: whether to search until `ponderhit` or `stop`.
    pub ponder: bool,
    /// `infinite`: whether to search until `stop`.
    pub infinite: bool,
    /// `depth`: the greatest depth in plies.
    pub depth: Option<u8>,
    /// `nodes`: the greatest number of nodes.
    pub nodes: Option<u64>,
    /// `mate`: the number of moves within which to find a mate.
    pub mate: Option<u8>,
    /// `perft`: the depth at which to count leaf nodes instead of searching.
    pub perft: Option<u8>,
    /// `movetime`: the time for this move.
    pub move_time: Option<Duration>,
    /// `wtime` and `btime`: the remaining time of White and of Black.
    pub clock: [Option<Duration>; 2],
    /// `winc` and `binc`: the increment per move of White and of Black.
    pub increment: [Duration; 2],
    /// `movestogo`: the number of moves until the next time control.
    pub moves_to_time_control: Option<u64>,
    /// Error messages for parameters that are wrong or unknown.
    pub faults: Vec<String>,
}

impl UciCommand {
    /// Reads a line. Unknown words before a command are skipped, as the protocol requires.
    pub fn read(line: &str) -> Self {
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            return match word {
                "uci" => Self::Uci,
                "isready" => Self::IsReady,
                "ucinewgame" => Self::NewGame,
                "setoption" => set_option(words),
                "position" => position(words),
                "go" => Self::Go(Go::read(words)),
                "stop" => Self::Stop,
                "ponderhit" => Self::PonderHit,
                "quit" => Self::Quit,
                "debug" | "register" => Self::Nothing,
                _ => continue,
            };
        }
        let shown: String = line.trim().chars().take(SHOWN).collect();
        if shown.is_empty() {
            return Self::Nothing;
        }
        Self::Wrong(format!("no command is called `{shown}`"))
    }
}

fn set_option(words: SplitWhitespace<'_>) -> UciCommand {
    let (mut name, mut value, mut in_value) = (Vec::new(), Vec::new(), false);
    for word in words {
        match word {
            "name" if name.is_empty() && !in_value => {}
            "value" if !in_value => in_value = true,
            word if in_value => value.push(word),
            word => name.push(word),
        }
    }
    if name.is_empty() {
        let needs = "`setoption` needs `name` and the name of an option";
        return UciCommand::Wrong(needs.to_owned());
    }
    UciCommand::SetOption { name: name.join(" "), value: value.join(" ") }
}

fn position(mut words: SplitWhitespace<'_>) -> UciCommand {
    let state = match words.next() {
        Some("startpos") => None,
        Some("fen") => {
            let state = words.by_ref().take_while(|word| *word != "moves");
            Some(state.collect::<Vec<_>>().join(" "))
        }
        _ => {
            let needs = "`position` needs `startpos`, or `fen` and a position";
            return UciCommand::Wrong(needs.to_owned());
        }
    };
    let moves = words.filter(|word| *word != "moves").map(str::to_owned).collect();
    UciCommand::Position { state, moves }
}

impl Go {
    fn read(mut words: SplitWhitespace<'_>) -> Self {
        let mut go = Self::default();
        let mut in_moves = false;
        while let Some(word) = words.next() {
            let mut number = || go_number(word, words.next(), &mut go.faults);
            let was_in_moves = std::mem::take(&mut in_moves);
            match word {
                "searchmoves" => in_moves = true,
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "depth" => go.depth = number().map(small),
                "mate" => go.mate = number().map(small),
                "perft" => go.perft = number().map(small),
                "nodes" => go.nodes = number(),
                "movetime" => go.move_time = number().map(Duration::from_millis),
                "wtime" => go.clock[0] = number().map(Duration::from_millis),
                "btime" => go.clock[1] = number().map(Duration::from_millis),
                "winc" => go.increment[0] = Duration::from_millis(number().unwrap_or(0)),
                "binc" => go.increment[1] = Duration::from_millis(number().unwrap_or(0)),
                "movestogo" => go.moves_to_time_control = number(),
                word if was_in_moves => {
                    in_moves = true;
                    go.moves.push(word.to_owned());
                }
                word => go.faults.push(format!("`go` has no parameter `{word}`")),
            }
        }
        go
    }

    /// Whether only `stop` or `ponderhit` ends the search.
    pub fn waits(&self) -> bool {
        self.ponder || self.infinite
    }

    /// Whether nothing limits the search.
    pub fn is_unlimited(&self) -> bool {
        let Self { depth, nodes, mate, move_time, clock, .. } = self;
        (depth, nodes, mate, move_time, clock) == (&None, &None, &None, &None, &[None; 2])
    }
}

/// The whole number of a parameter. A negative number, such as an overdrawn clock, counts as 0.
fn go_number(name: &str, text: Option<&str>, faults: &mut Vec<String>) -> Option<u64> {
    let digits = text.map(|text| text.strip_prefix('-').map_or(text, |_| "0"));
    let number = digits.and_then(|digits| digits.parse().ok());
    if number.is_none() {
        faults.push(format!("`{name}` needs a whole number, not `{}`", text.unwrap_or_default()));
    }
    number
}

/// Limits a number to the range from 1 to 255.
fn small(number: u64) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX).max(1)
}
