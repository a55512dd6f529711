//! Chess positions with their history.

// `Chess` is small, but every game is passed by reference.
#![allow(clippy::trivially_copy_pass_by_ref)]

use plyscope::engine::{
    chess::{Chess, Move, PlayedLine, Position},
    game::{Game, GameOptions, History, Notation, Rules, SearchRules},
};
use proptest::{collection::vec, prelude::*};
use serde_json::Value;

/// The strings of a JSON list.
pub fn words(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap();
    list.iter().map(|word| word.as_str().unwrap()).collect()
}

pub fn chess(configure: GameOptions) -> Chess {
    let mut chess = Chess::default();
    chess.configure(configure);
    chess
}

/// The position after some moves, and the moves as history.
pub fn after(chess: &Chess, fen: &str, moves: &[&str]) -> (Position, PlayedLine) {
    let mut position = chess.parse_position(fen).unwrap();
    let mut line = PlayedLine::default();
    for text in moves {
        let mv = chess.parse_move(&position, &line, text).unwrap();
        line.push(&position);
        position = chess.apply(&position, mv);
    }
    (position, line)
}

/// The position of a fact, reached by its moves.
pub fn reached(chess: &Chess, fact: &Value) -> (Position, PlayedLine) {
    let moves = words(&fact["moves"]);
    let (position, line) = after(chess, fact["root_fen"].as_str().unwrap(), &moves);
    assert_eq!(position.to_string(), fact["fen"].as_str().unwrap(), "{fact}");
    (position, line)
}

/// Roots of random games: much material, little, mates near, draw clocks that run out, promotions.
pub const ROOTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5pp1/7p/8/8/2R5/5PPP/6K1 w - - 96 80",
    "k7/7K/8/8/6r1/8/8/5r2 b - - 97 60",
    "8/P1k5/K7/8/8/8/8/8 w - - 0 1",
    "6k1/5pp1/8/8/8/8/5PPP/N4BK1 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 93 90",
];

/// A position reached by random moves, with its history. A piece often moves back, so that positions repeat.
pub fn random_game(game: &Chess, root: usize, choices: &[u8]) -> (Position, PlayedLine) {
    let (mut position, mut line) = after(game, ROOTS[root % ROOTS.len()], &[]);
    let mut played = Vec::new();
    for &choice in choices {
        let mut moves = Vec::new();
        if game.expand(&position, &line, &mut moves).is_some() {
            break;
        }
        let back = played.len().checked_sub(2).map(|at| played[at]);
        let back = back.map(|mv: Move| Move { from: mv.to, to: mv.from, promotion: None });
        let returning = back.filter(|mv| choice % 4 != 0 && moves.contains(mv));
        let mv = returning.unwrap_or(moves[usize::from(choice) % moves.len()]);
        played.push(mv);
        line.push(&position);
        position = game.apply(&position, mv);
    }
    (position, line)
}

/// Positions reached by random games.
pub fn position() -> impl Strategy<Value = Position> {
    (0..ROOTS.len(), vec(any::<u8>(), 0..24))
        .prop_map(|(root, choices)| random_game(&Chess::default(), root, &choices).0)
}
