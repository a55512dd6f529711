//! Players as one line of text, and openings.

use plyscope::engine::game::Rules;
use plyscope::engine::{
    arena::{Opening, Player, random_openings},
    chess::Chess,
    morris::Morris,
};

#[test]
fn a_line_says_what_differs_and_reads_back() {
    for line in [
        "plain:",
        "seed-002: fidelity=seed keys=plain",
        "b.3: algorithm=minimax memo=none depth=3 stones=2 stash=-0.5",
        "quick: time_ms=20",
        "x+y: memo=rote cache_file=a.cache",
    ] {
        let player = Player::read(&Morris::default(), line).unwrap();
        let written = player.line(&Morris::default());
        assert_eq!(Player::read(&Morris::default(), &written).unwrap(), player, "{written}");
    }
    let seed = Player::read(&Morris::default(), "s: order=memo fidelity=seed sign=sound").unwrap();
    let line = seed.line(&Morris::default());
    assert_eq!(Player::read(&Morris::default(), &line).unwrap(), seed, "{line}");
}

#[test]
fn a_number_alone_is_read_as_a_weight() {
    let player = Player::read(&Chess::default(), "q: queen=850 king=seed").unwrap();
    assert_eq!(player.weights.get("queen"), 850.0);
    assert_eq!(Player::read(&Chess::default(), &player.line(&Chess::default())).unwrap(), player);
}

#[test]
fn every_fault_is_reported() {
    let fault =
        Player::read(&Morris::default(), "a b: mills=x dept=3 cache=odd quiescence=on word")
            .unwrap_err();
    for part in ["`a b`", "mills=`x`", "no `dept`", "cache starts empty", "quiescence", "`word`"] {
        assert!(fault.message.contains(part), "{part}: {fault}");
    }
    assert!(fault.hint.as_deref().is_some_and(|hint| hint.contains("`depth`")), "{fault}");
    assert!(Player::read(&Morris::default(), "no name").is_err());
    // The divisor would be zero.
    let line = "a: stones=-1 stash=-1 mills=2 possible_mills=0";
    assert!(Player::read(&Morris::default(), line).is_err());
}

#[test]
fn openings_differ_by_more_than_symmetry() {
    let game = Morris::default();
    let openings = |plies, count| random_openings(&game, &game.start(), plies, count, 7);
    // A first stone stands on a corner or a midpoint, of the middle ring or of another.
    assert_eq!(openings(1, 4).unwrap().len(), 4);
    let fault = openings(1, 5).unwrap_err();
    assert!(fault.message.contains("only 4 different"), "{fault}");
    assert_eq!(openings(4, 100).unwrap(), openings(4, 100).unwrap());
    assert_eq!(openings(0, 1).unwrap(), [Opening::of(&game)]);
}
