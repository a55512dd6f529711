//! The chess board under a person's hands: what it looks like, and what keys and clicks do on it.

use crate::support::Player;
use plyscope::{
    command::Shell,
    picture::{board_svg, board_text},
    tui::board::BoardInput,
};

fn player(fen: &str) -> Player {
    let mut player =
        Player { shell: Shell::default(), input: BoardInput::default(), commands: Vec::new() };
    player.run("game chess");
    player.run(&format!("position set {fen}"));
    player
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PROMOTION: &str = "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn a_move_by_coordinates_and_by_clicks() {
    let mut player = player(START);
    player.keys("e2↵e4↵");
    assert_eq!(player.commands, ["play e2e4"]);
    for name in ["e7", "e5"] {
        let points = player.board().board.points;
        player.click(points.iter().position(|point| point.name == name).unwrap());
    }
    assert_eq!(player.commands, ["play e2e4", "play e7e5"]);
}

#[test]
fn steps_are_taken_back_and_wrong_ones_explained() {
    let mut player = player(START);
    player.keys("e2↵⎋");
    assert_eq!(player.words(), "White to move");
    player.keys("e4↵");
    assert!(player.words().starts_with("there is no piece on e4"));
    player.keys("g1↵g3↵");
    assert!(player.words().starts_with("g1 cannot go to g3"), "{}", player.words());
    player.keys("f3↵");
    assert_eq!(player.commands, ["play g1f3"]);
}

#[test]
fn castling_is_the_kings_move_of_two_squares() {
    let mut player = player("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    player.keys("e1↵g1↵");
    assert_eq!(player.commands, ["play e1g1"]);
}

#[test]
fn a_pawn_that_promotes_asks_what_it_becomes() {
    let mut asked = player(PROMOTION);
    asked.keys("e7↵d8↵");
    let board = asked.board();
    assert_eq!(asked.input.promotions(&board), ['Q', 'R', 'B', 'N']);
    assert_eq!(asked.input.words(&board), "White: choose what the pawn becomes");
    insta::assert_snapshot!("promotion", asked.screen(40, 16, false));
    insta::assert_snapshot!("promotion_ascii", asked.screen(40, 16, true));
    // A piece's letter is no coordinate here.
    asked.keys("b");
    assert_eq!(asked.commands, ["play e7d8b"]);
    let mut usual = player(PROMOTION);
    usual.keys("e7↵d8↵↵");
    assert_eq!(usual.commands, ["play e7d8q"]);
    let mut back = player(PROMOTION);
    back.keys("e7↵d8↵⎋");
    let board = back.board();
    assert!(back.input.promotions(&board).is_empty());
    assert!(back.commands.is_empty());
}

#[test]
fn screens() {
    let mut start = player(START);
    start.keys("e2↵");
    for (width, height) in [(27, 9), (45, 18), (80, 28)] {
        for ascii in [false, true] {
            let name = format!("size_{width}x{height}{}", if ascii { "_ascii" } else { "" });
            insta::assert_snapshot!(name, start.screen(width, height, ascii));
        }
    }
}

#[test]
fn check_the_last_move_and_the_other_side() {
    let mut player = player("rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    player.run("play d1h5");
    insta::assert_snapshot!("check", player.screen(40, 12, false));
    insta::assert_snapshot!("check_ascii", player.screen(40, 12, true));
    let board = player.board();
    player.input.flipped = true;
    insta::assert_snapshot!("flipped", player.screen(40, 12, false));
    insta::assert_snapshot!("text", board_text(&board, false));
    insta::assert_snapshot!("text_ascii", board_text(&board, true));
    insta::assert_snapshot!("svg", board_svg(&board));
}

#[test]
fn no_size_panics_and_ascii_is_ascii() {
    let mut player = player(PROMOTION);
    player.keys("e7↵d8↵");
    for width in (1..100).step_by(7) {
        for height in (1..50).step_by(3) {
            let colours = plyscope::view::Colour::On;
            let buffer = player.draw(width, height, true, colours);
            assert!(buffer.content.iter().all(|cell| cell.symbol().is_ascii()));
        }
    }
}
