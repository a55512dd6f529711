//! The chess board with keys and clicks.

use crate::{stage::Stage, support::Player};
use insta::assert_snapshot;
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
    player.keys("e2↵e4");
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
    player.keys("e5");
    assert_eq!(player.words(), "White: e5_  no pawn of White can go to e5; Esc cancels");
    player.keys("⎋g1↵g3");
    assert_eq!(player.words(), "White: g1 g3_  g1 cannot go to g3; Esc cancels");
    player.keys("⌫⌫f3");
    assert_eq!(player.commands, ["play g1f3"]);
}

#[test]
fn moves_are_typed_as_players_write_them() {
    for (fen, typed, mv) in [
        (START, "e4", "e2e4"),
        (START, "Nf3↵", "g1f3"),
        (START, "b1c3", "b1c3"),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "exd5", "e4d5"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nbd2", "b1d2"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2⌫⌫fd2", "f3d2"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O↵", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O", "e1c1"),
        (PROMOTION, "e8⌫xd8=q", "e7d8q"),
        (PROMOTION, "exd8↵n", "e7d8n"),
    ] {
        let mut player = player(fen);
        player.keys(typed);
        assert_eq!(player.commands, [format!("play {mv}")], "{typed}");
    }
    let mut player = player(START);
    for (typed, words) in [
        ("N", "White: N_  Na3 Nc3 Nf3 Nh3"),
        ("d", "White: Nd_  no legal move begins so; Esc cancels"),
        ("4", "White: Nd4_  no knight of White can go to d4; Esc cancels"),
        ("⌫⌫⌫", "White to move"),
        ("O", "White: O_  White cannot castle so now; Esc cancels"),
        ("⎋Ke2", "White: Ke2_  a piece of White is on e2; Esc cancels"),
    ] {
        player.keys(typed);
        assert_eq!(player.words(), words);
    }
    assert!(player.commands.is_empty());
    // The listed moves continue the text as it was typed.
    let mut player = self::player("4k3/7r/8/8/8/8/5N2/4K3 w - - 0 1");
    player.keys("Nf");
    assert!(player.words().starts_with("White: Nf_  Nfd1 Nfd3 "), "{}", player.words());
}

#[test]
fn castling_is_the_kings_move_of_two_squares() {
    let mut player = player("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    player.keys("e1↵g1");
    assert_eq!(player.commands, ["play e1g1"]);
}

#[test]
fn a_pawn_that_promotes_asks_what_it_becomes() {
    let mut promoting = player(PROMOTION);
    promoting.keys("e7↵d8↵");
    let board = promoting.board();
    assert_eq!(promoting.input.promotions(&board), ['Q', 'R', 'B', 'N']);
    assert_eq!(promoting.input.words(&board), "White: choose what the pawn becomes");
    assert_snapshot!(promoting.screen(40, 16, false), @"
    White: choose what the pawn becomes

           8         [♜︎] ♚︎
           7            (♙︎)
           6
           5
           4    ┌ Promotion ───┐
           3    │q Enter queen │
           2    │r rook        │
           1    │b bishop      │
             a  │n knight      │  h
                │Esc back      │
     material: B└──────────────┘
    ");
    assert_snapshot!(promoting.screen(40, 16, true), @"
    White: choose what the pawn becomes

           8         [r] k
           7            (P)
           6
           5
           4    + Promotion ---+
           3    |q Enter queen |
           2    |r rook        |
           1    |b bishop      |
             a  |n knight      |  h
                |Esc back      |
     material: B+--------------+
    ");
    // The letter of a piece is no coordinate while a promotion is chosen.
    promoting.keys("b");
    assert_eq!(promoting.commands, ["play e7d8b"]);
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
    assert_snapshot!(start.screen(27, 9, false), @"
    White: e2 to e3, e4
     8 ♜︎  ♞︎  ♝︎  ♛︎  ♚︎  ♝︎  ♞︎  ♜︎
     7 ♟︎  ♟︎  ♟︎  ♟︎  ♟︎  ♟︎  ♟︎  ♟︎
     6
     5
     4             +
     3             +
     2 ♙︎  ♙︎  ♙︎  ♙︎ [♙︎] ♙︎  ♙︎  ♙︎
     1 ♖︎  ♘︎  ♗︎  ♕︎  ♔︎  ♗︎  ♘︎  ♖︎
       a  b  c  d  e  f  g  h
    ");
    assert_snapshot!(start.screen(27, 9, true), @"
    White: e2 to e3, e4
     8 r  n  b  q  k  b  n  r
     7 p  p  p  p  p  p  p  p
     6
     5
     4             +
     3             +
     2 P  P  P  P [P] P  P  P
     1 R  N  B  Q  K  B  N  R
       a  b  c  d  e  f  g  h
    ");
    assert_snapshot!(start.screen(45, 18, false), @"
    White: e2 to e3, e4

          8 ♜︎   ♞︎   ♝︎   ♛︎   ♚︎   ♝︎   ♞︎   ♜︎

          7 ♟︎   ♟︎   ♟︎   ♟︎   ♟︎   ♟︎   ♟︎   ♟︎

          6

          5

          4                 +

          3                 +
                           [  ]
          2 ♙︎   ♙︎   ♙︎   ♙︎   ♙︎   ♙︎   ♙︎   ♙︎

          1 ♖︎   ♘︎   ♗︎   ♕︎   ♔︎   ♗︎   ♘︎   ♖︎
            a   b   c   d   e   f   g   h
    ");
    assert_snapshot!(start.screen(45, 18, true), @"
    White: e2 to e3, e4

          8 r   n   b   q   k   b   n   r

          7 p   p   p   p   p   p   p   p

          6

          5

          4                 +

          3                 +
                           [  ]
          2 P   P   P   P   P   P   P   P

          1 R   N   B   Q   K   B   N   R
            a   b   c   d   e   f   g   h
    ");
    assert_snapshot!("size_80x28", start.screen(80, 28, false));
    assert_snapshot!("size_80x28_ascii", start.screen(80, 28, true));
}

#[test]
fn check_the_last_move_and_the_other_side() {
    let mut player = player("rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    player.run("play d1h5");
    assert_snapshot!(player.screen(40, 12, false), @"
    Black to move, in check
           8 ♜︎  ♞︎  ♝︎  ♛︎ !♚︎! ♝︎  ♞︎  ♜︎
           7 ♟︎  ♟︎  ♟︎  ♟︎  ♟︎     ♟︎  ♟︎
           6
           5                ♟︎    <♕︎>
           4             ♙︎
           3
           2 ♙︎  ♙︎  ♙︎  ♙︎     ♙︎  ♙︎  ♙︎
           1 ♖︎  ♘︎  ♗︎ < > ♔︎  ♗︎  ♘︎  ♖︎
             a  b  c  d  e  f  g  h
    ");
    assert_snapshot!(player.screen(40, 12, true), @"
    Black to move, in check
           8 r  n  b  q !k! b  n  r
           7 p  p  p  p  p     p  p
           6
           5                p    <Q>
           4             P
           3
           2 P  P  P  P     P  P  P
           1 R  N  B < > K  B  N  R
             a  b  c  d  e  f  g  h
    ");
    let board = player.board();
    player.input.flipped = true;
    assert_snapshot!(player.screen(40, 12, false), @"
    Black to move, in check
           1 ♖︎  ♘︎  ♗︎  ♔︎ < > ♗︎  ♘︎  ♖︎
           2 ♙︎  ♙︎  ♙︎     ♙︎  ♙︎  ♙︎  ♙︎
           3
           4          ♙︎
           5<♕︎>    ♟︎
           6
           7 ♟︎  ♟︎     ♟︎  ♟︎  ♟︎  ♟︎  ♟︎
           8 ♜︎  ♞︎  ♝︎ !♚︎! ♛︎  ♝︎  ♞︎  ♜︎
             h  g  f  e  d  c  b  a
    ");
    assert_snapshot!(board_text(&board, false), @"
    8 ♜  ♞  ♝  ♛ !♚! ♝  ♞  ♜
    7 ♟  ♟  ♟  ♟  ♟     ♟  ♟
    6    ·     ·     ·     ·
    5 ·     ·     ·  ♟  · <♕>
    4    ·     ·  ♙  ·     ·
    3 ·     ·     ·     ·
    2 ♙  ♙  ♙  ♙     ♙  ♙  ♙
    1 ♖  ♘  ♗ < > ♔  ♗  ♘  ♖
      a  b  c  d  e  f  g  h
      Black to move, in check; last move Qh5+
    ");
    assert_snapshot!(board_text(&board, true), @"
    8 r  n  b  q !k! b  n  r
    7 p  p  p  p  p     p  p
    6    .     .     .     .
    5 .     .     .  p  . <Q>
    4    .     .  P  .     .
    3 .     .     .     .
    2 P  P  P  P     P  P  P
    1 R  N  B < > K  B  N  R
      a  b  c  d  e  f  g  h
      Black to move, in check; last move Qh5+
    ");
    assert_snapshot!("svg", board_svg(&board));
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

/// In the smallest drawn squares, a piece with several marked moves has the sign of the best one: more would cover the piece.
#[test]
fn one_sign_stands_on_a_small_piece() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["game chess", "play e4 e5 Bc4 Nc6 Qh5"]).keys("esc esc 1 i");
    let text = stage.text();
    assert!(text.contains("hint: 1 g6  2 Qe7  3 Qf6"), "{text}");
    let board: String =
        text.lines().skip(2).take(16).flat_map(|row| row.chars().take(34)).collect();
    // Each number is also that of a rank.
    assert_eq!([board.matches('2').count(), board.matches('3').count()], [3, 2], "{text}");
}
