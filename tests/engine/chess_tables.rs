//! Syzygy tables in the search of chess and beside it.

use std::{fs, path::Path};

use plyscope::engine::{
    Engine,
    chess::{Chess, Position},
    game::{Game, Outcome, SearchRules},
    settings::Settings,
};
use proptest::prelude::*;

use crate::{
    common::cases::cases,
    search_properties::sound,
    syzygy::DATA,
    truth::{compare_with_negamax, with_leaf},
};

/// Chess with the tables of the test data, as the settings configure it.
fn game(settings: &Settings) -> Chess {
    let mut game = Chess::default();
    game.use_published_tables(Some(Path::new(DATA))).unwrap();
    game.configure(settings.configure());
    game
}

fn engine(state: &str, settings: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::default();
    engine.choose_game("chess").unwrap();
    let session = engine.session_mut();
    session.tables_use(Some(Path::new(DATA)), false).unwrap();
    session.set_settings(settings).unwrap();
    session.set_position(state).unwrap();
    engine
}

/// Kings, a white queen, rook or pawn, and perhaps a black piece, at any clock.
fn ending() -> impl Strategy<Value = Position> {
    let pieces = prop_oneof![Just("Q"), Just("R"), Just("P"), Just("Qq"), Just("Pp")];
    (pieces, any::<u64>(), any::<bool>(), 0..=99_u16).prop_filter_map(
        "a legal position",
        |(pieces, order, black, clock)| {
            let mut board = [['1'; 8]; 8];
            for (at, piece) in "Kk".chars().chain(pieces.chars()).enumerate() {
                let square = (order >> (at * 6) & 63) as usize;
                board[square / 8][square % 8] = piece;
            }
            let rows = board.map(|row| row.into_iter().collect::<String>()).join("/");
            let side = if black { 'b' } else { 'w' };
            format!("{rows} {side} - - {clock} 1").parse().ok()
        },
    )
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn with_tables_a_chess_search_finds_the_values_of_plain_negamax_with_them(
        (root, words, depth) in (ending(), sound(), 0..=2_u8)
    ) {
        // Chess has no symmetry.
        let settings = with_leaf(words.into_iter().filter(|(name, _)| *name != "symmetry").collect());
        compare_with_negamax(&game(&settings), &settings, &root, depth);
    }
}

#[test]
fn at_the_root_a_won_ending_is_won_within_the_distance_to_zeroing() {
    // The longest win of a queen: mate in ten, 19 plies.
    let mut engine = engine("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", &[("tables", "root"), ("depth", "2")]);
    let session = engine.session_mut();
    let mut left = session.tables_probe(None, None).unwrap().dtz.unwrap();
    assert!((11..=19).contains(&left), "{left}");
    while !session.position().finished {
        assert!(left > 0);
        let found = session.run(&[]).unwrap();
        session.play(&found.best[0].to_string()).unwrap();
        left -= 1;
    }
    assert_eq!(session.position().winner.as_deref(), Some("w"));
}

#[test]
fn a_win_that_comes_too_late_is_a_draw() {
    let game = game(&Settings::default());
    let truth = |fen: &str| game.truth(&fen.parse().unwrap()).map(|value| value.outcome);
    assert_eq!(truth("8/8/8/4k3/8/8/8/KQ6 w - - 0 1"), Some(Outcome::Win));
    assert_eq!(truth("8/8/8/4k3/8/8/8/KQ6 w - - 95 80"), Some(Outcome::Draw));
    assert_eq!(truth("8/8/8/4k3/8/8/8/KQ6 b - - 95 80"), Some(Outcome::Draw));
    // Mate in one is in time.
    assert_eq!(truth("k7/8/1K6/8/8/8/7Q/8 w - - 99 80"), Some(Outcome::Win));
    assert_eq!(truth("8/8/8/4k3/8/8/8/KQB5 w - - 0 1"), None, "no table");
    assert_eq!(truth("8/8/8/8/8/1k6/8/K6N w - - 0 1"), Some(Outcome::Draw));
}

#[test]
fn truth_stands_beside_moves_and_stops_a_search() {
    let mut engine = engine("8/8/4k3/8/8/8/1P6/K7 w - - 0 1", &[("depth", "3")]);
    let session = engine.session_mut();
    let moves = session.run(&[]).unwrap().moves;
    let truth = |san: &str| {
        let found = moves.iter().find(|found| found.mv.san() == Some(san)).unwrap();
        let truth = found.truth.unwrap();
        (truth.value.outcome, truth.contradicts)
    };
    assert_eq!(truth("Kb1"), (Outcome::Win, false));
    assert_eq!(truth("b4"), (Outcome::Draw, true));
    let probed = session.tables_probe(None, None).unwrap();
    assert_eq!(probed.value, Some(Outcome::Win));
    let outcomes: Vec<_> = probed.moves.iter().map(|found| found.value.unwrap()).collect();
    assert_eq!(outcomes, [Outcome::Win, Outcome::Win, Outcome::Draw, Outcome::Draw]);
}

#[test]
fn folders_without_tables_are_refused_and_damaged_files_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = engine("8/8/4k3/8/8/8/1P6/K7 w - - 0 1", &[("depth", "2")]);
    let session = engine.session_mut();
    let fault = session.tables_use(Some(folder.path()), false).unwrap_err();
    assert!(fault.message.contains("has no Syzygy tables"), "{fault}");
    assert!(session.tables_use(Some(&folder.path().join("none")), false).is_err());
    // The tables in use stay.
    assert!(session.position().truth.is_some());
    let bytes = fs::read(Path::new(DATA).join("KPvK.rtbw")).unwrap();
    fs::write(folder.path().join("KPvK.rtbw"), &bytes[..bytes.len() / 64 * 32 + 16]).unwrap();
    session.tables_use(Some(folder.path()), false).unwrap();
    let probed = session.tables_probe(None, None).unwrap();
    assert_eq!(probed.value, None);
    let note = probed.note.unwrap();
    assert!(note.contains("KPvK.rtbw` cannot be used"), "{note}");
    session.tables_use(None, true).unwrap();
    assert!(session.tables_probe(None, None).unwrap_err().message.contains("no endgame tables"));
    let mut other = Engine::default();
    other.choose_game("chess").unwrap();
    let fault = other.session_mut().tables_use(None, false).unwrap_err();
    assert!(fault.message.contains("no folder of endgame tables"), "{fault}");
}
