//! Snapshots of boards: pieces, marks and sizes, in Unicode, ASCII and without colour.

use crate::support::Player;
use insta::assert_snapshot;
use plyscope::{picture::board_text, view::Colour};
use ratatui::style::Color;

const MILL: &str = "ww....../bbb...../......b. w 7 5";
const DOUBLE: &str = "ww.ww.../.bb...../......b. w 5 6";

fn mills() -> Player {
    Player::at("www.b.../bbb.w.../.w....b. w 0 0")
}

#[test]
fn the_screen_at_the_start() {
    let mut player = Player::at("......../......../........ w 9 9");
    player.keys("→↓");
    assert_snapshot!(player.screen(31, 16, false), @"
    White: place a stone (9 in hand)
     7 ·───────────·───────────·
       │           │           │
     6 │   ·───────·───────·   │
       │   │       │       │   │
     5 │   │   ·───·───·   │   │
       │   │   │       │   │   │
     4 ·───·───·       ·───·───·
       │   │   │       │   │   │
     3 │   │   ·──[+]──·   │   │
       │   │       │       │   │
     2 │   ·───────·───────·   │
       │           │           │
     1 ·───────────·───────────·
       a   b   c   d   e   f   g
     in hand: White 9, Black 9
    ");
}

#[test]
fn a_narrow_board_counts_the_stones_of_both_sides() {
    let text = Player::at("......../......../........ w 9 8").screen(18, 11, false);
    assert!(text.contains("in hand: 9, 8"), "{text}");
}

#[test]
fn a_board_with_mills_and_the_last_move() {
    let mut player = Player::at("ww.w..../bb.w..../w.....bb w 1 1");
    player.run("play g7xc3");
    player.keys("→→↓");
    assert_snapshot!(player.screen(31, 16, false), @"
    Black: place a stone (1 in hand)
     7 ●━━━━━━━━━━━●━━━━━━━━━━━◉
       │           │           │
     6 │   ○───────○───────·   │
       │   │       │       │   │
     5 │   │   ●───·───·   │   │
       │   │   │       │   │   │
     4 ·───·───○      [+]──●───●
       │   │   │       │   │   │
     3 │   │   ·───·───·   │   │
       │   │       │       │   │
     2 │   ·───────·───────·   │
       │           │           │
     1 ·───────────·───────────·
       a   b   c   d   e   f   g
     in hand: White 0, Black 1
    ");
    assert_snapshot!(player.screen(31, 16, true), @"
    Black: place a stone (1 in hand)
     7 W===========W===========w
       |           |           |
     6 |   B-------B-------.   |
       |   |       |       |   |
     5 |   |   W---.---.   |   |
       |   |   |       |   |   |
     4 .---.---B      [+]--W---W
       |   |   |       |   |   |
     3 |   |   .---.---.   |   |
       |   |       |       |   |
     2 |   .-------.-------.   |
       |           |           |
     1 .-----------.-----------.
       a   b   c   d   e   f   g
     in hand: White 0, Black 1
    ");
}

#[test]
fn a_board_with_a_stone_picked_up() {
    let mut player = mills();
    player.keys("g7↵↓");
    assert_snapshot!(player.screen(40, 16, false), @"
    White: g7 to g4
          7 ●━━━━━━━━━━━●━━━━━━━━━━(●)
            │           │           │
          6 │   ○━━━━━━━○━━━━━━━○   │
            │   │       │       │   │
          5 │   │   ·───●───·   │   │
            │   │   │       │   │   │
          4 ·───·───·       ·───·──[+]
            │   │   │       │   │   │
          3 │   │   ○───·───·   │   │
            │   │       │       │   │
          2 │   ·───────·───────●   │
            │           │           │
          1 ·───────────·───────────○
            a   b   c   d   e   f   g
     stones: White 5, Black 5
    ");
    assert_snapshot!(player.screen(40, 16, true), @"
    White: g7 to g4
          7 W===========W==========(W)
            |           |           |
          6 |   B=======B=======B   |
            |   |       |       |   |
          5 |   |   .---W---.   |   |
            |   |   |       |   |   |
          4 .---.---.       .---.--[+]
            |   |   |       |   |   |
          3 |   |   B---.---.   |   |
            |   |       |       |   |
          2 |   .-------.-------W   |
            |           |           |
          1 .-----------.-----------B
            a   b   c   d   e   f   g
     stones: White 5, Black 5
    ");
}

#[test]
fn a_board_that_waits_for_a_capture() {
    let mut player = Player::at(DOUBLE);
    player.keys("g7↵f6⎋");
    assert_snapshot!(player.screen(31, 16, false), @"
    White: capture one of 3 stones (1 of 2)
     7 ●━━━━━━━━━━━●━━━━━━━━━━(●)
       │           │           ┃
     6 │   ·───────x──────[x]  ┃
       │   │       │       │   ┃
     5 │   │   ·───·───·   │   ┃
       │   │   │       │   │   ┃
     4 ·───·───·       ·───·───●
       │   │   │       │   │   ┃
     3 │   │   x───·───·   │   ┃
       │   │       │       │   ┃
     2 │   ·───────·───────·   ┃
       │           │           ┃
     1 ·───────────·───────────●
       a   b   c   d   e   f   g
     in hand: White 4, Black 6
    ");
    player.keys("↵");
    assert_snapshot!(player.screen(31, 16, true), @"
    White: capture one of 2 stones (2 of 2)
     7 W===========W==========(W)
       |           |           #
     6 |   .-------x------[.]  #
       |   |       |       |   #
     5 |   |   .---.---.   |   #
       |   |   |       |   |   #
     4 .---.---.       .---.---W
       |   |   |       |   |   #
     3 |   |   x---.---.   |   #
       |   |       |       |   #
     2 |   .-------.-------.   #
       |           |           #
     1 .-----------.-----------W
       a   b   c   d   e   f   g
     in hand: White 4, Black 6
    ");
}

/// The board with a stone picked up.
fn screen(width: u16, height: u16, ascii: bool) -> String {
    let mut player = mills();
    player.keys("g7↵");
    player.screen(width, height, ascii)
}

#[test]
fn boards_of_small_sizes() {
    assert_snapshot!(screen(16, 9, false), @"
    White: g7 to g4
    7 ●━━━━━●━━━━[●]
    6 │ ○━━━○━━━○ │
    5 │ │ ·─●─· │ │
    4 ·─·─·   ·─·─+
    3 │ │ ○─·─· │ │
    2 │ ·───·───● │
    1 ·─────·─────○
      a b c d e f g
     stones: 5, 5
    ");
    assert_snapshot!(screen(16, 9, true), @"
    White: g7 to g4
    7 W=====W====[W]
    6 | B===B===B |
    5 | | .-W-. | |
    4 .-.-.   .-.-+
    3 | | B-.-. | |
    2 | .---.---W |
    1 .-----.-----B
      a b c d e f g
     stones: 5, 5
    ");
    assert_snapshot!(screen(31, 14, false), @"
    White: g7 to g4
     7 ●━━━━━━━━━━━●━━━━━━━━━━[●]
       │           │           │
     6 │   ○━━━━━━━○━━━━━━━○   │
       │   │       │       │   │
     5 │   │   ·───●───·   │   │
       │   │   │       │   │   │
     4 ·───·───·       ·───·───+
       │   │   │       │   │   │
     3 │   │   ○───·───·   │   │
       │   │       │       │   │
     2 │   ·───────·───────●   │
       │           │           │
     1 ·───────────·───────────○
       a   b   c   d   e   f   g
    ");
    assert_snapshot!(screen(31, 14, true), @"
    White: g7 to g4
     7 W===========W==========[W]
       |           |           |
     6 |   B=======B=======B   |
       |   |       |       |   |
     5 |   |   .---W---.   |   |
       |   |   |       |   |   |
     4 .---.---.       .---.---+
       |   |   |       |   |   |
     3 |   |   B---.---.   |   |
       |   |       |       |   |
     2 |   .-------.-------W   |
       |           |           |
     1 .-----------.-----------B
       a   b   c   d   e   f   g
    ");
    assert_snapshot!(screen(31, 15, false), @"
    White: g7 to g4
     7 ●━━━━━━━━━━━●━━━━━━━━━━[●]
       │           │           │
     6 │   ○━━━━━━━○━━━━━━━○   │
       │   │       │       │   │
     5 │   │   ·───●───·   │   │
       │   │   │       │   │   │
     4 ·───·───·       ·───·───+
       │   │   │       │   │   │
     3 │   │   ○───·───·   │   │
       │   │       │       │   │
     2 │   ·───────·───────●   │
       │           │           │
     1 ·───────────·───────────○
       a   b   c   d   e   f   g
     stones: White 5, Black 5
    ");
    assert_snapshot!(screen(31, 15, true), @"
    White: g7 to g4
     7 W===========W==========[W]
       |           |           |
     6 |   B=======B=======B   |
       |   |       |       |   |
     5 |   |   .---W---.   |   |
       |   |   |       |   |   |
     4 .---.---.       .---.---+
       |   |   |       |   |   |
     3 |   |   B---.---.   |   |
       |   |       |       |   |
     2 |   .-------.-------W   |
       |           |           |
     1 .-----------.-----------B
       a   b   c   d   e   f   g
     stones: White 5, Black 5
    ");
}

#[test]
fn boards_of_every_size() {
    for (width, height) in [(42, 22), (60, 30), (82, 42)] {
        for ascii in [false, true] {
            let name = format!("size_{width}x{height}{}", if ascii { "_ascii" } else { "" });
            assert_snapshot!(name, screen(width, height, ascii));
        }
    }
}

#[test]
fn boards_in_plain_text() {
    let mut player = Player::at("ww.w..../bb.w..../w.....bb w 1 1");
    player.run("play g7xc3");
    let board = player.board();
    assert_snapshot!(board_text(&board, false), @"
    7 ●━━━━━━━━━━━●━━━━━━━━━━━◉
      │           │           │
    6 │   ○───────○───────·   │
      │   │       │       │   │
    5 │   │   ●───·───·   │   │
      │   │   │       │   │   │
    4 ·───·───○       ·───●───●
      │   │   │       │   │   │
    3 │   │   ·───·───·   │   │
      │   │       │       │   │
    2 │   ·───────·───────·   │
      │           │           │
    1 ·───────────·───────────·
      a   b   c   d   e   f   g
      ● White, 0 in hand   ○ Black, 1 in hand
      Black to place (1 in hand, White 0); last move g7xc3
    ");
    assert_snapshot!(board_text(&board, true), @"
    7 W===========W===========w
      |           |           |
    6 |   B-------B-------.   |
      |   |       |       |   |
    5 |   |   W---.---.   |   |
      |   |   |       |   |   |
    4 .---.---B       .---W---W
      |   |   |       |   |   |
    3 |   |   .---.---.   |   |
      |   |       |       |   |
    2 |   .-------.-------.   |
      |           |           |
    1 .-----------.-----------.
      a   b   c   d   e   f   g
      W White, 0 in hand   B Black, 1 in hand
      Black to place (1 in hand, White 0); last move g7xc3
    ");
}

#[test]
fn a_pane_too_small_for_a_board() {
    let mut player = mills();
    assert_snapshot!(player.screen(38, 3, false), @"
    White: choose a stone to move

    www.b.../bbb.w.../.w....b. w 0 0
    ");
}

#[test]
fn a_board_seen_from_the_other_side() {
    let mut player = Player::at(MILL);
    player.input.flipped = true;
    assert_snapshot!(player.screen(31, 16, false), @"
    White: place a stone (7 in hand)
     1 ·───────────·───────────·
       │           │           │
     2 │   ·───────·───────·   │
       │   │       │       │   │
     3 │   │   ·───·───○   │   │
       │   │   │       │   │   │
     4 ·───·───·       ·───·───·
       │   │   │       │   │   │
     5 │   │   ·───·───·   │   │
       │   │       │       │   │
     6 │   ○━━━━━━━○━━━━━━━○   │
       │           │           │
     7 ·───────────●───────────●
       g   f   e   d   c   b   a
     in hand: White 7, Black 5
    ");
}

#[test]
fn without_colour_nothing_is_coloured_and_pieces_still_differ() {
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

#[test]
fn a_small_stone_is_round_and_apart_from_its_neighbours() {
    let text = plyscope::picture::screen_text(&mills().draw(31, 17, false, Colour::On));
    // The texts of backgrounds: a blank for white, `░` for black.
    for parts in [&["▗▄▖"][..], &["▜ ▛", "▜░▛"]] {
        let stones: usize = parts.iter().map(|part| text.matches(part).count()).sum();
        assert_eq!(stones, 10, "{text}");
    }
}
