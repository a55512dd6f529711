//! Chess positions with what led to them.

// The game is small today and passed as every game is.
#![allow(clippy::trivially_copy_pass_by_ref)]

use plyscope::engine::{
    chess::{Chess, Line, Position},
    game::{Conduct, Game, History},
};
use serde_json::Value;

/// The facts of a file, a line each.
pub fn facts(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The words of a list in a fact.
pub fn words(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap();
    list.iter().map(|word| word.as_str().unwrap()).collect()
}

/// Chess as the settings of a search want it.
pub fn chess(conduct: Conduct) -> Chess {
    let mut chess = Chess::default();
    chess.conduct(conduct);
    chess
}

/// The position after some moves, and the line that led there.
pub fn after(chess: &Chess, fen: &str, moves: &[&str]) -> (Position, Line) {
    let mut position = chess.parse_position(fen).unwrap();
    let mut line = Line::default();
    for text in moves {
        let mv = chess.parse_move(&position, &line, text).unwrap();
        line.push(&position);
        position = chess.apply(&position, mv);
    }
    (position, line)
}

/// The position that a fact is about, reached as it says.
pub fn reached(chess: &Chess, fact: &Value) -> (Position, Line) {
    let moves = words(&fact["moves"]);
    let (position, line) = after(chess, fact["root_fen"].as_str().unwrap(), &moves);
    assert_eq!(
        position.to_string(),
        fact["fen"].as_str().unwrap(),
        "{fact}"
    );
    (position, line)
}
