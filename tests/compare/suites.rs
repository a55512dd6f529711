//! Suites of positions: the standard ones, from files, and from random games.

use plyscope::engine::{
    cachefile::unmonitored,
    chess::Chess,
    game::Notation as _,
    morris::Morris,
    suite::{Suite, SuiteSource},
};

#[test]
fn the_standard_suites_are_read_and_spread_over_the_phases() {
    let morris =
        unmonitored(|watch| Suite::from_source(&Morris::default(), SuiteSource::STANDARD, watch))
            .unwrap();
    let of = |phase: &str| {
        let found = morris.positions.iter().filter(|posed| posed.phase == phase);
        found.count()
    };
    assert_eq!((morris.positions.len(), morris.head().notes.len()), (50, 0));
    assert!(["placing", "moving", "flying"].into_iter().all(|phase| of(phase) >= 16));
    let chess =
        unmonitored(|watch| Suite::from_source(&Chess::default(), SuiteSource::STANDARD, watch))
            .unwrap();
    assert_eq!((chess.positions.len(), chess.head().notes.len()), (50, 0));
    assert!(chess.positions.iter().all(|posed| posed.comment.is_some()));
}

#[test]
fn positions_that_are_equal_by_symmetry_count_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.txt");
    let text = "w......./......../........ b 8 9\n..w...../......../........ b 8 9 # turned\n";
    std::fs::write(&file, text).unwrap();
    let suite = unmonitored(|watch| {
        Suite::from_source(&Morris::default(), SuiteSource::File(&file), watch)
    })
    .unwrap();
    assert_eq!((suite.positions.len(), suite.head().notes.len()), (1, 1));
}

#[test]
fn random_positions_are_different_repeatable_and_of_every_phase() {
    let game = Morris::default();
    let random = |seed| {
        unmonitored(|watch| {
            Suite::from_source(&game, SuiteSource::Random { positions: 60, seed }, watch)
        })
        .unwrap()
    };
    let states = |suite: &Suite<Morris>| -> Vec<_> {
        suite.positions.iter().map(|posed| game.format_position(&posed.position)).collect()
    };
    let suite = random(7);
    assert_eq!(states(&suite).len(), 60);
    assert_eq!(states(&suite), states(&random(7)));
    assert_ne!(states(&suite), states(&random(8)));
    for phase in ["placing", "moving", "flying"] {
        let count = suite.positions.iter().filter(|posed| posed.phase == phase).count();
        println!("{phase} {count}");
        assert!(count >= 5, "{phase} {count}");
    }
}
