//! Suites: the games' own, from files, and from random play.

use plyscope::engine::{
    chess::Chess,
    game::Game as _,
    morris::Morris,
    weighing::{Suite, SuiteSource, generate},
};

#[test]
fn the_standard_suites_are_read_and_spread_over_the_phases() {
    let morris = Suite::from_source(&Morris::default(), SuiteSource::Standard).unwrap();
    let of = |phase: &str| {
        let found = morris.positions.iter().filter(|posed| posed.phase == phase);
        found.count()
    };
    assert_eq!((morris.positions.len(), morris.notes.len()), (50, 0));
    assert!(["placing", "moving", "flying"].into_iter().all(|phase| of(phase) >= 16));
    let chess = Suite::from_source(&Chess::default(), SuiteSource::Standard).unwrap();
    assert_eq!((chess.positions.len(), chess.notes.len()), (50, 0));
    assert!(chess.positions.iter().all(|posed| posed.comment.is_some()));
}

#[test]
fn positions_that_are_equal_by_symmetry_count_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.txt");
    let text = "w......./......../........ b 8 9\n..w...../......../........ b 8 9 # turned\n";
    std::fs::write(&file, text).unwrap();
    let suite = Suite::from_source(&Morris::default(), SuiteSource::File(&file)).unwrap();
    assert_eq!((suite.positions.len(), suite.notes.len()), (1, 1));
}

#[test]
fn positions_are_different_repeatable_and_spread() {
    let game = Morris::default();
    let states = |seed| {
        let found = generate(&game, 30, seed);
        let phases: Vec<_> = found.iter().map(|posed| posed.phase).collect();
        let states: Vec<_> =
            found.iter().map(|posed| game.format_position(&posed.position)).collect();
        (phases, states)
    };
    let (phases, first) = states(7);
    assert_eq!((phases.clone(), first.clone()), states(7));
    assert_ne!(first, states(8).1);
    assert_eq!(first.len(), 30);
    for phase in ["placing", "moving", "flying"] {
        let count = phases.iter().filter(|found| **found == phase).count();
        assert_eq!(count, 10, "{phase}");
    }
}
