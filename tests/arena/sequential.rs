//! Tournaments that end by a sequential probability ratio test.

use plyscope::engine::{
    arena::{Tournament, TournamentSpec},
    statistics::{Sprt, SprtModel, SprtVerdict},
};

use crate::support::{plan, play_some, spec, unplayed};

fn tested() -> TournamentSpec {
    TournamentSpec {
        sprt: Some(Sprt {
            elo0: 0.0,
            elo1: 200.0,
            alpha: 0.1,
            beta: 0.1,
            model: SprtModel::Logistic,
        }),
        ..spec(&["deep: depth=3", "shallow: depth=1 mills=0 possible_mills=0"], 40, 4)
    }
}

#[test]
fn the_test_ends_the_tournament_at_the_same_game_for_any_number_of_workers() {
    let spec = tested();
    let text = |workers| {
        let mut tournament = unplayed(&spec);
        play_some(&mut tournament, workers, usize::MAX);
        let rounds = tournament.decided.expect("decided");
        assert!(rounds < spec.games, "{rounds} rounds");
        assert_eq!(tournament.records.len(), 2 * rounds);
        assert!(tournament.is_complete());
        assert_eq!(tournament.standings().sprt.unwrap().state.verdict, SprtVerdict::H1);
        tournament.text().unwrap()
    };
    let one = text(1);
    assert_eq!(text(2), one);
    assert_eq!(text(3), one);
}

#[test]
fn a_decided_tournament_stays_decided_when_it_is_resumed() {
    let spec = tested();
    let mut tournament = unplayed(&spec);
    play_some(&mut tournament, 2, usize::MAX);
    let (decided, text) = (tournament.decided, tournament.text().unwrap());
    let mut again = Tournament::new(plan(&spec), tournament.records);
    assert_eq!(again.decided, decided);
    play_some(&mut again, 2, usize::MAX);
    assert_eq!(again.text().unwrap(), text);
}
