//! What boards look like: pieces, marks and sizes, in Unicode, ASCII and without colour.

use crate::support::Player;
use plyscope::{picture::board_text, view::Colour};
use ratatui::style::Color;

const MILL: &str = "ww....../bbb...../......b. w 7 5";
const DOUBLE: &str = "ww.ww.../.bb...../......b. w 5 6";

fn mills() -> Player {
    Player::at("www.b.../bbb.w.../.w....b. w 0 0")
}

#[test]
fn the_start() {
    let mut player = Player::at("......../......../........ w 9 9");
    player.keys("d6");
    insta::assert_snapshot!(player.screen(31, 16, false));
}

#[test]
fn mills_and_the_last_move() {
    let mut player = Player::at("ww.w..../bb.w..../w.....bb w 1 1");
    player.run("play g7xc3");
    player.keys("g4");
    insta::assert_snapshot!("last_move", player.screen(31, 16, false));
    insta::assert_snapshot!("last_move_ascii", player.screen(31, 16, true));
}

#[test]
fn a_stone_taken_up() {
    let mut player = mills();
    player.keys("g7↵↓");
    insta::assert_snapshot!("taken_up", player.screen(40, 16, false));
    insta::assert_snapshot!("taken_up_ascii", player.screen(40, 16, true));
}

#[test]
fn a_capture_due() {
    let mut player = Player::at(DOUBLE);
    player.keys("g7↵f6");
    insta::assert_snapshot!("capture", player.screen(31, 16, false));
    player.keys("↵");
    insta::assert_snapshot!("second_capture_ascii", player.screen(31, 16, true));
}

#[test]
fn sizes() {
    for (width, height) in [(16, 9), (31, 14), (31, 15), (42, 22), (60, 30), (82, 42)] {
        for ascii in [false, true] {
            let mut player = mills();
            player.keys("g7↵");
            let name = format!("size_{width}x{height}{}", if ascii { "_ascii" } else { "" });
            insta::assert_snapshot!(name, player.screen(width, height, ascii));
        }
    }
}

#[test]
fn boards_as_text() {
    let mut player = Player::at("ww.w..../bb.w..../w.....bb w 1 1");
    player.run("play g7xc3");
    let board = player.board();
    insta::assert_snapshot!("text", board_text(&board, false));
    insta::assert_snapshot!("text_ascii", board_text(&board, true));
}

#[test]
fn too_small_for_a_board() {
    let mut player = mills();
    insta::assert_snapshot!(player.screen(38, 3, false));
}

#[test]
fn from_the_other_side() {
    let mut player = Player::at(MILL);
    player.input.flipped = true;
    insta::assert_snapshot!("flipped", player.screen(31, 16, false));
}

#[test]
fn without_colour_nothing_is_coloured_and_everything_is_told_apart() {
    let mut player = mills();
    player.keys("g7↵↓");
    let buffer = player.draw(40, 16, false, Colour::Off);
    for cell in &buffer.content {
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
    }
    let text = plyscope::picture::screen_text(&buffer);
    assert!(text.contains('●') && text.contains('○'), "{text}");
}

#[test]
fn ascii_is_ascii_at_every_size_and_no_size_panics() {
    let mut player = Player::at(DOUBLE);
    player.keys("g7↵");
    for width in (0..100).step_by(7) {
        for height in (0..50).step_by(3) {
            let buffer = player.draw(width.max(1), height.max(1), true, Colour::On);
            assert!(buffer.content.iter().all(|cell| cell.symbol().is_ascii()));
        }
    }
}
