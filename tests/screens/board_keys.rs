//! Keys on a board: moves with their captures, both orientations, clicks.

use crate::{stage::Stage, support::Player};
use crossterm::event::KeyCode;
use plyscope::{
    picture::{Canvas, Paint, Spacing},
    tui::board::{BoardAction, BoardClick},
};
use proptest::prelude::*;
use ratatui::layout::Rect;

const START: &str = "......../......../........ w 9 9";
/// White closes a mill on g7; Black's stones on b6 d6 f6 are a mill, c3 can be taken.
const MILL: &str = "ww....../bbb...../......b. w 7 5";
/// White on g7 closes two mills; Black has c3 outside of the mill b6 d6 f6.
const DOUBLE: &str = "ww.ww.../bbb...../......b. w 5 5";

#[test]
fn a_typed_point_is_a_move() {
    let mut player = Player::at(START);
    assert_eq!(player.words(), "White: place a stone (9 in hand)");
    player.keys("d");
    assert_eq!(player.words(), "White: d_  d1 d2 d3 d5 d6 d7");
    player.keys("6");
    assert_eq!(player.commands, ["play d6"], "the move is complete");
    player.keys("↵");
    assert_eq!(player.words(), "Black: place a stone (9 in hand)", "Enter out of habit");
    assert_eq!(player.cursor(), "", "a typed move leaves no cursor");
    player.keys("d6↵");
    assert_eq!(player.words(), "d6 is taken");
    player.keys("a2");
    assert_eq!(player.words(), "Black: a2_  there is no point a2; Esc cancels");
    assert_eq!(player.cursor(), "d6");
    player.keys("⌫4");
    assert_eq!(player.commands, ["play d6", "play a4"]);
    player.keys("f⎋↵");
    assert_eq!(player.cursor(), "d5", "Esc cancels the text, Enter shows the cursor");
}

#[test]
fn a_knights_move_may_begin_with_a_small_letter() {
    let mut player = Player::at(START);
    player.run("game chess");
    player.keys("nf3nc6");
    assert_eq!(player.commands, ["play g1f3", "play b8c6"]);
    assert_eq!(player.cursor(), "", "a typed move leaves no cursor");
    player.keys("n");
    assert!(player.words().starts_with("White: N_  "), "{}", player.words());
    // The sign of a capture is kept only if there is one.
    player.keys("x");
    assert!(player.words().ends_with("; x continues no move, Esc cancels"), "{}", player.words());
    player.keys("Nx");
    assert!(!player.words().contains("Nx"), "{}", player.words());
    player.keys("⎋");
    player.run("play d4");
    player.keys("Nx");
    assert!(player.words().starts_with("Black: Nx_  Nxd4"), "{}", player.words());
    player.keys("+");
    assert!(!player.words().contains("Nx"), "{}", player.words());
    player.keys("⎋exd4");
    assert!(player.words().starts_with("Black: exd4_  "), "{}", player.words());
}

#[test]
fn an_enter_after_a_wrong_move_keeps_the_reason() {
    let mut player = Player::at(START);
    player.run("game chess");
    player.keys("e4e4");
    let why = player.words();
    assert!(!why.contains("no piece"), "{why}");
    player.keys("↵");
    assert_eq!(player.words(), why);
    player.keys("e5");
    assert_eq!(player.commands.last().unwrap(), "play e7e5");
}

/// A slip in a typed move runs no command.
#[test]
fn a_letter_that_continues_no_move_is_refused_until_esc() {
    for (game, keys, words) in [
        ("morris", "a 9", "no point a9"),
        ("morris", "h 9", "no point h9"),
        ("chess", "N d", "begins so"),
        ("morris", "a", "; L continues no move, Esc cancels"),
        ("chess", "N", "; L continues no move, Esc cancels"),
    ] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}")]).keys("esc 1").keys(keys).keys("L");
        assert!(stage.text().contains(words), "{}", stage.text());
        let is_level = |stage: &Stage| stage.text().contains("How well the engine plays");
        assert!(!is_level(&stage), "{game}: {}", stage.text());
        stage.keys("esc");
        assert!(!stage.text().contains(words), "{game}: {}", stage.text());
        assert!(is_level(stage.keys("L")), "{game}: {}", stage.text());
        stage.keys("esc");
        // A move half written is gone when another pane has the keys.
        stage.keys(keys).keys("f6");
        assert!(!stage.text().contains(words), "{game}: {}", stage.text());
    }
}

#[test]
fn moves_along_lines_and_captures_are_typed() {
    const MOVING: &str = "w.w.w.../b.b.b.../w....... w 0 0";
    let mut player = Player::at(MOVING);
    player.keys("a7");
    assert_eq!(player.words(), "White: a7_  a7-a4 a7-d7");
    assert_eq!(player.cursor(), "a7");
    player.keys("-d7");
    assert_eq!(player.commands, ["play a7-d7"]);
    let mut player = Player::at(MOVING);
    player.keys("a7↵d7");
    assert_eq!(player.commands, ["play a7-d7"], "the stone is chosen, then its target is typed");
    let mut player = Player::at(MOVING);
    player.keys("a7g7");
    assert_eq!(player.words(), "White: a7g7_  a stone of White is on g7; Esc cancels");
    // The next letter begins another move.
    player.keys("a7d7");
    assert_eq!(player.commands, ["play a7-d7"]);
    let mut player = Player::at(MILL);
    player.keys("g7");
    assert_eq!(player.words(), "White: g7_  a mill takes a stone: g7xc3");
    let board = player.board();
    let scene = player.input.scene(&board);
    let drawn =
        Canvas::draw(&scene, Spacing::usual(board.board.kind), Paint::Plain).lines().concat();
    assert_eq!(drawn.matches('x').count(), 1, "the stone is marked: {drawn}");
    player.keys("xc3");
    assert_eq!(player.commands, ["play g7xc3"]);
    let mut player = Player::at("ww.ww.../.bb...../......b. w 5 6");
    player.keys("g7xf6xd6");
    assert_eq!(player.commands, ["play g7xd6xf6"], "captures may be typed in either order");
}

#[test]
fn a_stone_is_dragged_to_its_target() {
    let mut player = Player::at("w.w.w.../b.b.b.../w....... w 0 0");
    let point = |player: &mut Player, name: &str| {
        player.board().board.points.iter().position(|point| point.name == name).unwrap()
    };
    let drag = |player: &mut Player, from: &str, over: &str, to: &str| {
        let [from, over, to] = [from, over, to].map(|name| point(player, name));
        let board = player.board();
        let at = |point| Some(BoardClick::Point(point));
        player.input.press(&board, BoardClick::Point(from));
        player.input.drag(&board, at(over));
        player.input.release(&board, at(to))
    };
    assert_eq!(drag(&mut player, "a7", "d7", "d7"), BoardAction::Command("play a7-d7".into()));
    assert_eq!(drag(&mut player, "g7", "d7", "c3"), BoardAction::Redraw);
    assert_eq!(player.words(), "g7 cannot go to c3");
    assert_eq!(drag(&mut player, "g7", "d7", "g7"), BoardAction::Redraw, "put back");
    assert_eq!(player.words(), "White: choose a stone to move");
    assert_eq!(drag(&mut player, "b6", "b4", "b4"), BoardAction::None, "that is Black's stone");
}

#[test]
fn the_cursor_appears_in_the_middle_with_the_first_arrow_or_enter_and_goes_with_esc() {
    for (game, middle) in [("morris", "d5"), ("chess", "d4")] {
        for key in ["↓", "→", "↵"] {
            let mut player = Player::at(START);
            player.run(&format!("game {game}"));
            assert_eq!(player.cursor(), "", "{game}");
            player.keys(key);
            assert_eq!((player.cursor().as_str(), player.commands.len()), (middle, 0), "{game}");
            player.keys("⎋");
            assert_eq!(player.cursor(), "", "{game}");
        }
    }
    let mut player = Player::at(START);
    player.run("play d6");
    player.keys("d");
    assert_eq!(player.cursor(), "", "no point is typed yet");
    player.keys("6");
    assert_eq!(player.cursor(), "d6");
}

#[test]
fn arrows_follow_lines_and_then_the_nearest_point() {
    let mut player = Player::at("w.w.w.../b.b.b.../w....... w 0 0");
    for (keys, at) in [
        ("a7→", "d7"),
        ("→", "g7"),
        ("→", "g7"),
        ("↓", "g4"),
        ("←", "f4"),
        ("←", "e4"),
        ("←", "c4"),
        ("↑", "c5"),
        ("↑", "b6"),
        ("↑", "a7"),
        ("d7↓↓↓", "d3"),
    ] {
        player.keys(keys);
        assert_eq!(player.cursor(), at, "after {keys}");
    }
    player.input.flipped = true;
    player.keys("a7↑");
    assert_eq!(player.cursor(), "a4", "arrows go as the board is seen");
    player.keys("a7←");
    assert_eq!(player.cursor(), "d7");
}

#[test]
fn a_mill_takes_a_stone_that_is_in_none() {
    let mut player = Player::at(MILL);
    player.keys("g7↵");
    assert_eq!(player.words(), "White: capture the stone on c3");
    assert!(player.commands.is_empty(), "the move is not complete");
    player.keys("d6↵");
    assert!(player.words().starts_with("the stone on d6 is in a mill"));
    player.keys("a7↵");
    assert!(player.words().starts_with("the stone on a7 is White's"));
    player.keys("c3↵");
    assert_eq!(player.commands, ["play g7xc3"]);
}

#[test]
fn a_double_mill_takes_two_in_a_possible_order() {
    let mut player = Player::at(DOUBLE);
    player.keys("g7↵");
    assert_eq!(player.words(), "White: capture the stone on c3 (1 of 2)");
    player.keys("c3↵");
    assert_eq!(player.words(), "White: capture one of 3 stones (2 of 2)");
    player.keys("f6↵");
    assert_eq!(player.commands, ["play g7xf6xc3"]);
}

#[test]
fn two_free_stones_are_taken_in_either_order() {
    for (keys, first) in [("d6↵f6↵", 3), ("f6↵d6↵", 3)] {
        let mut player = Player::at("ww.ww.../.bb...../......b. w 5 6");
        player.keys("g7↵");
        let words = format!("White: capture one of {first} stones (1 of 2)");
        assert_eq!(player.words(), words);
        player.keys(keys);
        assert_eq!(player.commands, ["play g7xd6xf6"]);
    }
}

#[test]
fn every_step_can_be_taken_back() {
    let mut player = Player::at(DOUBLE);
    player.keys("g7↵c3↵⎋");
    assert_eq!(player.words(), "White: capture the stone on c3 (1 of 2)");
    player.keys("⌫");
    assert_eq!(player.words(), "White: place a stone (5 in hand)");
    player.keys("⎋⎋g4⎋↵");
    assert_eq!(player.commands, [] as [&str; 0], "g4 is White's own");
    player.keys("c4↵");
    assert_eq!(player.commands, ["play c4"]);
}

#[test]
fn a_stone_is_picked_up_put_back_and_exchanged() {
    let mut player = Player::at("w.w.w.../b.b.b.../w....... w 0 0");
    assert_eq!(player.words(), "White: choose a stone to move");
    player.keys("b6↵");
    assert!(player.words().starts_with("the stone on b6 is Black's"));
    player.keys("d7↵");
    assert!(player.words().starts_with("there is no stone on d7"));
    player.keys("a7↵");
    assert_eq!(player.words(), "White: a7 to d7, a4");
    player.keys("↵");
    assert_eq!(player.words(), "White: choose a stone to move");
    player.keys("a7↵g7↵");
    assert_eq!(player.words(), "White: g7 to d7, g4");
    player.keys("c3↵");
    assert!(player.words().starts_with("g7 cannot go to c3"));
    player.keys("g4↵");
    assert_eq!(player.commands, ["play g7-g4"]);
}

#[test]
fn three_stones_fly_and_capture() {
    let mut player = Player::at("ww....../b.b.b.../....w..b w 0 0");
    player.keys("e3↵");
    assert_eq!(player.words(), "White: e3 to one of 17 points");
    player.keys("g7↵");
    assert_eq!(player.words(), "White: capture one of 4 stones");
    player.keys("c4↵");
    assert_eq!(player.commands, ["play e3-g7xc4"]);
}

#[test]
fn a_game_that_is_over_takes_no_move() {
    let mut player = Player::at("ww....../b.b.b.../........ w 0 0");
    player.keys("d6↵");
    assert!(player.commands.is_empty());
    assert!(player.words().contains("Black has won"), "{}", player.words());
}

#[test]
fn a_change_of_position_cancels_the_move_being_entered() {
    let mut player = Player::at(MILL);
    player.keys("g7↵");
    player.run("play d3");
    player.keys("a4↵");
    assert_eq!(player.commands, ["play a4"], "black places; nothing is captured");
}

#[test]
fn clicks_find_the_nearest_point_from_both_sides_and_in_every_size() {
    let mut player = Player::at(START);
    for (width, height) in [(16, 8), (31, 15), (44, 21), (60, 30), (90, 45)] {
        let area = Rect::new(3, 2, width, height);
        for flipped in [false, true] {
            player.input.flipped = flipped;
            let mut found = std::collections::HashSet::new();
            for row in 0..height + 4 {
                for column in 0..width + 6 {
                    if let Some(BoardClick::Point(point)) = player.hit(area, column, row) {
                        found.insert(point);
                    }
                }
            }
            assert_eq!(found.len(), 24, "{width}x{height}");
        }
    }
    assert_eq!(player.hit(Rect::new(0, 0, 10, 5), 2, 2), None);
    assert_eq!(player.hit(Rect::new(0, 0, 80, 15), 2, 2), None);
}

#[test]
fn a_click_places_a_stone() {
    let mut player = Player::at(START);
    let area = Rect::new(0, 0, 31, 15);
    let Some(BoardClick::Point(point)) = player.hit(area, 3, 0) else { panic!("no point there") };
    player.click(point);
    assert_eq!(player.commands, ["play a7"]);
}

/// A key, or a click on a point.
fn any_key() -> impl Strategy<Value = Result<KeyCode, usize>> {
    prop_oneof![
        5 => (0usize..30).prop_map(Err),
        2 => proptest::sample::select(vec![
            KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right, KeyCode::Enter,
            KeyCode::Esc, KeyCode::Backspace, KeyCode::F(1), KeyCode::Tab,
        ]).prop_map(Ok),
        1 => proptest::char::range('\u{20}', '\u{ff}').prop_map(|sign| Ok(KeyCode::Char(sign))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn whatever_is_pressed_moves_are_legal_and_nothing_breaks(
        state in proptest::sample::select(vec![
            START, MILL, DOUBLE, "w.w.w.../b.b.b.../w....... w 0 0", "ww....../b.b.b.../....w..b w 0 0",
            "ww.ww.../......../b....bbb w 5 5",
        ]),
        keys in proptest::collection::vec(any_key(), 1..120),
    ) {
        let mut player = Player::at(state);
        for (step, key) in keys.into_iter().enumerate() {
            player.input.flipped ^= step % 7 == 0;
            let before = player.commands.len();
            let fine = match key {
                Ok(key) => player.press(key),
                Err(point) => player.click(point),
            };
            let played = player.commands[before..].iter().any(|line| line.starts_with("play "));
            prop_assert!(fine || !played, "{:?}", player.commands.last());
            player.words();
        }
        player.screen(40, 16, true);
    }
}

/// A refused move keeps the characters that belong to moves: none of them runs an action.
#[test]
fn a_dash_after_a_refused_move_runs_nothing() {
    let mut player = Player::at(START);
    player.run("play a1 d1");
    player.keys("a1-");
    let words = player.words();
    assert_eq!(words, "White: a1_  a1 is taken; - continues no move, Esc cancels");
}

/// What follows a refused move at once is a part of it; after a pause, a letter begins another move.
#[test]
fn after_a_pause_a_letter_begins_another_move_than_the_refused_one() {
    let mut player = Player::at(START);
    player.run("play a1 d1");
    player.keys("a1g");
    assert!(player.words().starts_with("White: a1g_"), "{}", player.words());
    std::thread::sleep(std::time::Duration::from_millis(1100));
    player.keys("g7");
    assert_eq!(player.commands.last().unwrap(), "play g7");
}
