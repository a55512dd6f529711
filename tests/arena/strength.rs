//! Points of games, and the strength computed from them.

use plyscope::engine::{
    arena::{Cost, Ending, Fixture, GameRecord, MatchOutcome, Standings},
    game::Side,
    statistics::{Pairs, Sprt, SprtModel, elo, expected_score},
};

#[test]
fn pairs_are_games_of_one_round_with_colours_swapped() {
    let record = |game, white, round, winner, moves: &str| GameRecord {
        game,
        fixture: Fixture { white, black: 1 - white, round },
        start: None,
        opening: 0,
        moves: moves.into(),
        outcome: MatchOutcome { winner, ending: Ending::Rules("mate".into()) },
        cost: [Cost::default(); 2],
    };
    let records = [
        record(0, 0, 0, Some(Side::White), "a"),
        record(1, 1, 0, Some(Side::Black), "b"),
        record(2, 0, 1, Some(Side::White), "a"),
        record(3, 1, 1, Some(Side::Black), "b"),
        record(4, 0, 2, None, "c"),
        record(5, 1, 2, Some(Side::White), "b"),
        // With colours exchanged the same moves are a different game.
        record(6, 0, 3, None, "b"),
    ];
    let sums = Standings::of(vec!["one: depth=1".into(), "two".into()], &records);
    assert_eq!(sums.pairs[0].pairs.counts, [0, 1, 0, 0, 2]);
    assert_eq!((sums.pairs[0].pairs.distinct, sums.duplicates), (2, 3));
    let one = &sums.standings[0];
    assert_eq!((one.name.as_str(), one.points, one.games), ("one", 5.0, 7));
    assert_eq!(sums.cross[1][0], [1, 0, 2]);
    let ending = &sums.endings[0];
    assert_eq!((ending.white, ending.draws, ending.black), (3, 2, 2));
}

#[test]
fn statistics_are_finite_at_both_ends() {
    for counts in
        [[0, 0, 0, 0, 1], [0, 0, 0, 0, 50_000], [7, 0, 0, 0, 0], [0, 0, 9, 0, 0], [1, 1, 1, 1, 1]]
    {
        let pairs = Pairs { counts, distinct: counts.iter().sum() };
        let strength = pairs.strength().unwrap();
        let mut numbers = vec![strength.score, strength.superiority];
        for estimate in [strength.elo, strength.normalised] {
            assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
            numbers.extend([estimate.low, estimate.high]);
        }
        for (elo0, elo1) in [(0.0, 10.0), (0.0, 900.0), (-5000.0, 5000.0), (800.0, 900.0)] {
            for model in [SprtModel::Normalized, SprtModel::Logistic] {
                let test = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
                test.check().unwrap();
                numbers.push(test.state(&pairs).llr);
                assert!(Sprt { elo1: elo0, ..test }.check().is_err());
                assert!(Sprt { alpha: 0.97, ..test }.check().is_err());
            }
        }
        let finite = numbers.iter().all(|number| number.is_finite());
        assert!(finite, "{counts:?} {numbers:?}");
    }
    assert_eq!(Pairs::default().strength(), None);
    assert!((expected_score(elo(0.7)) - 0.7).abs() < 1e-12);
}
