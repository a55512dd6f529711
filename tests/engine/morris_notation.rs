//! Texts of Nine Men's Morris: positions, moves, boards, rules and error messages.

use plyscope::engine::{
    game::{
        Board,
        DrawClock::{self, Advance, Hold, Reset},
        Fault, Game, Key as _, KeyScheme, LastMove, Rules, Score, SeedFiles as _, Side, Weights,
        Window,
    },
    morris::{DoubleMill, Flying, Key, Morris, Position},
};

/// Asserts a fault's place, and that its message contains each of the parts.
fn fault_says(fault: Option<Fault>, text: &str, place: &str, parts: &[&str]) {
    let fault = fault.unwrap_or_else(|| panic!("`{text}` was accepted"));
    let said = fault.to_string();
    for part in parts {
        assert!(said.contains(part), "`{text}`: `{part}` is not in `{said}`");
    }
    let at = fault.at.clone().map(|range| &text[range]);
    assert_eq!(at, Some(place), "`{text}`: {said}");
}

fn refused(text: &str, place: &str, parts: &[&str]) {
    fault_says(text.parse::<Position>().err(), text, place, parts);
}

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

#[test]
fn a_position_lists_every_fault() {
    refused(
        "ww.xww./........ q 12",
        "ww.xww./........",
        &[
            "6 faults",
            "the board has 2 rings, not 3",
            "outer ring, cell 3: `x` is not w, b or .",
            "the outer ring has 7 cells, not 8",
            "the side to move is `q`",
            "White has 12 stones in hand",
            "Black's hand is missing",
        ],
    );
}

#[test]
fn each_fault_of_a_position_has_its_place() {
    let empty = "......../......../........";
    refused("", "", &["the board is missing", "Black's hand is missing"]);
    refused(&format!("{empty} w 9"), "", &["Black's hand is missing"]);
    refused(&format!("{empty} w 9 -1"), "-1", &["Black's hand is `-1`"]);
    refused(&format!("{empty} w 9 9 extra words "), "extra words", &["`extra` follows"]);
    refused(&format!("{empty} w 99999999999 9"), "99999999999", &["stones in hand"]);
    refused("......../....é.../........ w 9 9", "é", &["middle ring, cell 4"]);
    refused("......../......../......... w 9 9", ".........", &["inner ring has 9 cells"]);
    refused(
        "wwwwwwww/......../........ b 2 0",
        "2",
        &["White has 10 stones, 8 on the board and 2 in hand"],
    );
    refused(
        "wwwwwwww/ww....../........ b 0 0",
        "wwwwwwww/ww....../........",
        &["White has 10 stones on the board"],
    );
}

const RINGS: &str = "((' ', 'w', ' ', ' ', ' ', ' ', ' ', ' '), \
                      (' ', ' ', ' ', 'b', ' ', ' ', ' ', 'b'), \
                      (' ', ' ', ' ', ' ', ' ', 'w', ' ', ' '))";

#[test]
fn the_side_to_move_of_a_python_state_is_given_inferred_or_required() {
    let with_hands = |hands: &str, side: &str| format!("(({hands}), {RINGS}){side}");
    let board = ".w....../...b...b/.....w..";
    let reads = |hands, side, state: &str| {
        assert_eq!(with_hands(hands, side).parse(), Ok(position(&format!("{board} {state}"))));
    };
    reads("7, 6", " b", "b 7 6");
    reads("7, 6", ", 'b'", "b 7 6");
    reads("7, 6", "  'w' ", "w 7 6");
    reads("6, 6", "", "w 6 6");
    reads("5, 6", "", "b 5 6");
    reads("0, 1", "", "b 0 1");
    refused(&with_hands("0, 0", ""), "", &["the side to move is missing", "write w or b"]);
    refused(&with_hands("7, 6", ""), "", &["the side to move is missing"]);
    refused(&with_hands("7, 6", " x"), "x", &["the side to move is `x`"]);
}

#[test]
fn python_states_list_their_faults() {
    let state = |hands: &str, rings: &str| format!("(({hands}), {rings}) w");
    refused(
        &state("9, 12", &RINGS.replace("'b'", "'q'")),
        "((9, 12)",
        &["4 faults", "`q` is not w, b or .", "White has 11 stones", "Black has 12 stones in hand"],
    );
    for text in [
        state("7, 6, 5", RINGS),
        state("7, 6", "((' ', 'w'), (), ())"),
        state("7, 6", &RINGS.replace("'w'", "'white'")),
        "((9, 9), 3)".to_owned(),
        "((9, 9)".to_owned(),
        "((9, 9), (('w".to_owned(),
        "(".to_owned(),
    ] {
        let fault = text.parse::<Position>().expect_err(&text);
        assert!(fault.hint.is_some_and(|hint| hint.contains("Python")));
        assert!(fault.at.is_some_and(|at| text.get(at).is_some()), "{text}");
    }
    // Escapes are read as in RON; a place inside an escaped text may be off by the escapes.
    let escaped = state("7, 6", &RINGS.replacen("' '", r"'\''", 1).replace("'b'", "'é'"));
    assert!(escaped.parse::<Position>().is_err());
}

const KEY: &str = "5500050000001b";

#[test]
fn keys_are_read_with_precise_faults() {
    let key: Key = KEY.parse().unwrap();
    assert_eq!("5500050000001B".parse(), Ok(key));
    assert_eq!(format!("{KEY}b").parse(), Ok(key.for_black()));
    let start = Morris::default().key(&Position::START, KeyScheme::Plain);
    assert_eq!(start.for_black().to_string(), "99000000000000b");
    let refused = |text: &str, place: &str, part| {
        fault_says(text.parse::<Key>().err(), text, place, &[part]);
    };
    refused("990000", "990000", "a key has 14 hex digits, this has 6");
    refused("", "", "this has 0");
    refused("99000000000000bb", "99000000000000bb", "this has 16");
    refused("99000000000000a", "99000000000000a", "this has 15");
    refused("9900000000z000", "z", "digit 11 is `z`");
    refused("a9000000000000", "a", "White has 10 stones in hand");
    refused("9f000000000000", "f", "Black has 15 stones in hand");
    refused("00000001000001", "000001", "both sides have a stone on a7");
    refused("0000ffff000000", "00ffff", "White has 16 stones on the board");
    refused("3200007f000000", "3", "White has 10 stones, 7 on the board and 3 in hand");
}

#[test]
fn bytes_that_are_no_key_are_refused() {
    let said = |bytes: &[u8]| Key::read(bytes).unwrap_err().to_string();
    assert!(said(&[0; 6]).contains("7 bytes, not 6"));
    assert!(said(&[0x99, 0, 0, 1, 0, 0, 1]).contains("both sides have a stone on a7"));
    assert!(said(&[0xA9, 0, 0, 1, 0, 0, 1]).contains("both sides have a stone on a7"));
    let codes = (0..=255).filter(|&hands| Key::read(&[hands, 0, 0, 0, 0, 0, 0]).is_ok());
    assert_eq!(codes.count(), 200, "a hundred pairs of hands for each side to move");
    assert!(said(&[0x0E, 0, 0, 0, 0, 0, 0]).contains("15 stones in hand"));
}

/// A position of each kind, an illegal move in it, and the reason.
fn illegal(state: &str, text: &str, place: &str, parts: &[&str]) {
    let fault = Morris::default().parse_move(&position(state), &(), text).err();
    fault_says(fault, text, place, parts);
}

const SLIDING: &str = "ww.b..../ww....../bb.b.... w 0 0";
const PLACING: &str = "ww......./bbb...../b.......";

#[test]
fn moves_are_refused_with_the_reason() {
    let placing = "ww....../bbb...../b....... w 7 5";
    assert_eq!(PLACING.len(), placing.len() - 5);
    illegal(placing, "h9", "h9", &["`h9` is not a point"]);
    illegal(placing, "a1-", "", &["a point is missing"]);
    illegal(placing, "a1-a4-a7", "a1-a4-a7", &["names 3 points"]);
    illegal(placing, "z1xy2", "z1", &["`z1` is not", "`y2` is not"]);
    illegal(
        placing,
        "a7-a4",
        "a7",
        &["White still has 7 in hand and must place one", "write a4 alone"],
    );
    illegal(placing, "b6", "b6", &["b6 is not empty: it holds a stone of Black's"]);
    illegal(placing, "a1xc5", "c5", &["a1 closes no mill, so nothing is taken"]);
    illegal(placing, "g7", "g7", &["g7 closes a mill: name the stone to take", "one of c5"]);
    illegal(placing, "g7xb6", "b6", &["b6 is in a mill", "take one of c5"]);
    illegal(placing, "g7xa7", "a7", &["Black has no stone on a7: it holds a stone of White's"]);
    illegal(placing, "g7xe3", "e3", &["Black has no stone on e3: it is empty"]);
    illegal(placing, "g7xc5xc5", "c5", &["c5 is taken twice"]);
    illegal(placing, "g7xc5xb6", "b6", &["closes mills for one capture, not 2"]);
    illegal(placing, "g7xc5xb6xd6", "d6", &["3 stones are taken"]);
    illegal("ww....../......../........ w 7 9", "g7", "g7", &["Black has too few stones"]);
    illegal(SLIDING, "a4", "a4", &["White has no stone in hand"]);
    illegal(SLIDING, "a7-a7", "a7", &["a7 to a7 is not a move"]);
    illegal(SLIDING, "a1-a4", "a1", &["White has no stone on a1: it is empty", "a7 d7 b6 d6"]);
    illegal(SLIDING, "d7-g4", "g4", &["g4 is not empty"]);
    illegal(SLIDING, "d7-a4", "a4", &["a4 is not next to d7", "can slide to g7"]);
    illegal("wwww..../.b.b..../b....... w 0 0", "d7-a1", "a1", &["the stone on d7 is blocked"]);
}

#[test]
fn double_mills_ask_for_each_stone() {
    let state = "ww.ww.../b.b.b.b./........ w 5 5";
    illegal(state, "g7", "g7", &["g7 closes two mills: name the stone to take"]);
    illegal(state, "g7xb6", "g7", &["name the second stone", "f6 f2 b2"]);
    illegal(state, "g7xb6xa1", "a1", &["Black has no stone on a1"]);
    illegal(state, "g7xa1", "a1", &["Black has no stone on a1"]);
    illegal("ww.ww.../b......./........ w 5 5", "g7xb6", "g7", &["too few stones"]);
    let morris = Morris::default();
    let read = |text| morris.parse_move(&position(state), &(), text).unwrap().to_string();
    assert_eq!(read(" G7 x b2 X f6 "), "g7xf6xb2");
    let single = Morris { double_mill: DoubleMill::One, ..morris };
    let fault = single.parse_move(&position(state), &(), "g7xb6xf6").unwrap_err();
    assert!(fault.to_string().contains("double_mill=one"), "{fault}");
    assert!(single.parse_move(&position(state), &(), "g7xb6").is_ok());
}

#[test]
fn a_finished_game_says_why() {
    let words = |state: &str| Morris::default().status(&position(state), &()).description;
    assert_eq!(
        words("ww....../bbb...../........ w 0 0"),
        "White has 2 stones left, so Black has won"
    );
    assert_eq!(
        words("www...../b......./........ w 0 0"),
        "Black has 1 stone left, so White has won"
    );
    assert_eq!(words("wwwb..bw/.b.....b/........ w 0 0"), "White cannot move, so Black has won");
    let fault =
        Morris::default().parse_move(&position("ww....../bbb...../........ w 0 0"), &(), "a7-g4");
    assert!(fault.unwrap_err().message.contains("Black has won"));
}

#[test]
fn situations_name_phase_and_task() {
    let morris = Morris::default();
    let phase_and_task = |morris: Morris, state: &str| {
        let status = morris.status(&position(state), &());
        (status.phase, status.description)
    };
    let placing = ".w....../...b...b/.....w.. b 7 6";
    assert_eq!(
        phase_and_task(morris, placing),
        ("placing", "Black to place (6 in hand, White 7)".to_owned())
    );
    assert_eq!(
        phase_and_task(morris, SLIDING),
        ("moving", "White to move (4 stones, Black 4)".to_owned())
    );
    let three = "www...../bbbb..../........ w 0 0";
    assert_eq!(
        phase_and_task(morris, three),
        ("flying", "White to fly (3 stones, Black 4)".to_owned())
    );
    let grounded = Morris { flying: Flying::Off, ..morris };
    assert_eq!(
        phase_and_task(grounded, three),
        ("moving", "White to move (3 stones, Black 4)".to_owned())
    );
}

#[test]
fn boards_are_drawn() {
    let position = position("ww....b./...b..../.......w b 6 7");
    let board = Morris::default().draw(&position);
    insta::assert_snapshot!(board, @r"
    7 ●───────────●───────────·
      │           │           │
    6 │   ·───────·───────·   │
      │   │       │       │   │
    5 │   │   ·───·───·   │   │
      │   │   │       │   │   │
    4 ·───·───●       ·───○───·
      │   │   │       │   │   │
    3 │   │   ·───·───·   │   │
      │   │       │       │   │
    2 │   ·───────·───────·   │
      │           │           │
    1 ○───────────·───────────·
      a   b   c   d   e   f   g
      ● White, 6 in hand   ○ Black, 7 in hand
    ");
}

#[test]
fn rules_can_be_chosen() {
    let mut morris = Morris::default();
    morris.set_rule("double_mill", "one").unwrap();
    morris.set_rule("flying", "off").unwrap();
    let values: Vec<_> = morris.rules().into_iter().map(|rule| rule.value).collect();
    assert_eq!(values, ["one", "off"]);
    let said = |fault: Result<(), Fault>| fault.unwrap_err().to_string();
    assert!(said(morris.set_rule("flying", "maybe")).contains("it is on or off"));
    assert!(said(morris.set_rule("jumping", "on")).contains("double_mill and flying"));
}

#[test]
fn weights_that_cannot_serve_are_refused() {
    let names = ["stones", "stash", "mills", "possible_mills"];
    let evaluator = |values: [f64; 4]| {
        let weights = Weights::new(names.into_iter().zip(values));
        Morris::default().evaluator(&weights, &Position::START)
    };
    let said = |values| evaluator(values).unwrap_err().to_string();
    assert!(said([-1.0, -1.0, 2.0, 0.0]).contains("divisor"));
    assert!(said([0.0, 0.0, -0.25, 0.0]).contains("divisor"));
    assert!(said([1e308, 1.0, 1.0, 1.0]).contains("overflow"));
    assert!(said([1.0, 1.0, 1e307, -1e307]).contains("overflow"));
    let window = |values| Morris::default().full_window(&evaluator(values).unwrap());
    let unit = Window::new(-Score::ONE, Score::ONE).unwrap();
    assert_eq!(window([1.0, 1.0, 4.0, 2.0]), unit);
    assert_eq!(window([0.0; 4]), unit);
    assert_eq!(window([1.0, 1.0, -4.0, 2.0]), Window::INFINITE);
}

#[test]
fn terms_add_up_to_the_value() {
    let morris = Morris::default();
    let position = position("ww.ww.../b.b.b.b./........ w 5 5");
    let terms = morris.terms(&morris.default_weights(), &position);
    let counts: Vec<_> =
        terms.iter().map(|term| (term.name.as_str(), term.white, term.black)).collect();
    assert_eq!(
        counts,
        [
            ("stones", 4.0, 4.0),
            ("stash", 5.0, 5.0),
            ("mills", 0.0, 0.0),
            ("possible_mills", 2.0, 4.0),
            // a4, g7, d6, f4, d1; d6, f4, d2, b4.
            ("mobility", 5.0, 4.0)
        ]
    );
    let balance: f64 = terms.iter().map(|term| term.balance().get()).sum();
    let evaluator = morris.evaluator(&morris.default_weights(), &position).unwrap();
    assert_eq!(morris.evaluate(&evaluator, &position).get(), balance / 42.0);
}

#[test]
fn files_with_impossible_positions_or_moves_are_refused() {
    let position = serde_json::from_str::<Position>(r#""......../......../........ w 9 10""#);
    assert!(position.unwrap_err().to_string().contains("Black has 10 stones in hand"));
    let mv = serde_json::from_str::<plyscope::engine::morris::Move>(r#""a1-a1""#);
    assert!(mv.unwrap_err().to_string().contains("a1 to a1 is not a move"));
}

fn plan(state: &str, last: Option<&str>) -> Board {
    let last = last.map(|text| text.parse().unwrap());
    Morris::default().board(&position(state), &(), last).unwrap()
}

#[test]
fn every_point_is_where_its_name_says() {
    let plan = plan("......../......../........ w 9 9", None);
    for point in &plan.points {
        let (file, rank) = (&plan.files[point.x as usize], &plan.ranks[point.y as usize]);
        assert_eq!(point.name, format!("{file}{rank}"));
    }
    assert_eq!((plan.points.len(), plan.lines.len()), (24, 16));
    assert_eq!(plan.moves.len(), 24);
}

#[test]
fn mills_and_the_last_move_are_marked() {
    let plan = plan("www...../......../b....... b 6 7", Some("d7xb6"));
    let of = |name: &str| plan.points.iter().find(|point| point.name == name).unwrap();
    assert!(of("a7").in_mill && !of("c5").in_mill);
    assert_eq!(of("d7").last, Some(LastMove::To));
    assert_eq!(of("b6").last, Some(LastMove::Taken));
}

#[test]
fn two_captures_come_in_an_order_that_is_possible() {
    // g7 closes two mills; d3 is black's only stone outside the mill on c5 c4 c3, so it goes first.
    let plan = plan("ww.ww.../......../b....bbb w 5 5", None);
    let double = plan.moves.iter().find(|mv| mv.mv == "g7xc5xd3").unwrap();
    let names: Vec<_> = double.captures.iter().map(|&at| &plan.points[at].name).collect();
    assert_eq!(names, ["d3", "c5"]);
    assert!(!double.any_order);
}

#[test]
fn a_finished_game_has_no_moves() {
    assert!(plan("ww....../......../b.b.b... w 0 0", None).moves.is_empty());
}

fn clocks(states: &[&str], as_seed: bool) -> Vec<DrawClock> {
    let states: Vec<Position> = states.iter().map(|state| position(state)).collect();
    states
        .windows(2)
        .map(|pair| Morris::default().draw_clock(&pair[0], &pair[1], as_seed))
        .collect()
}

#[test]
fn a_mill_resets_the_draw_clock_and_placements_do_not_count() {
    let states = [
        "ww....../bb....../........ w 1 1",
        "www...../b......./........ b 0 1",
        "www...../b......./.......b w 0 0",
        "ww.w..../b......./.......b b 0 0",
    ];
    assert_eq!(clocks(&states, false), [Reset, Hold, Advance]);
    // White's open mill counts at Black's move, and Black's last placement counts as a move.
    assert_eq!(clocks(&states, true), [Hold, Reset, Advance]);
}

#[test]
fn logged_states_read_back() {
    let morris = Morris::default();
    let position = position(".w....../...b...b/.....w.. b 7 6");
    let text = "((7, 6), ((' ', 'w', ' ', ' ', ' ', ' ', ' ', ' '), (' ', ' ', ' ', 'b', ' ', ' ', ' ', 'b'), (' ', ' ', ' ', ' ', ' ', 'w', ' ', ' ')))";
    assert_eq!(morris.parse_logged(text, Side::Black).unwrap(), position);
    let own = position.to_string();
    assert_eq!(morris.parse_logged(&own, Side::White).unwrap(), position);
}
