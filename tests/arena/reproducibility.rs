//! A tournament has the same games for any number of workers, order and interruption.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use plyscope::engine::{
    arena::{GameRecord, GameSetup, Tournament, TournamentSpec, choose, play},
    chess::Chess,
    game::{Game, Side},
    morris::Morris,
    random::splitmix_all,
    workers::Finish,
};

use crate::support::{one_game_each, play_some, played, spec, state, unplayed, without_times};

fn fresh() -> TournamentSpec {
    spec(&["a: depth=1", "b: budget=60", "c: depth=2 memo=none mills=1"], 2, 3)
}

#[test]
fn games_do_not_depend_on_the_number_of_workers() {
    let spec = fresh();
    let one = played(&spec, 1);
    assert_eq!(one.lines().count(), 1 + 6 * spec.games);
    for workers in [2, 3] {
        assert_eq!(played(&spec, workers), one, "{workers} workers");
    }
}

#[test]
fn a_stop_after_any_game_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    {
        let spec = fresh();
        let whole = played(&spec, 1);
        let games = whole.lines().count() - 1;
        for stop in 1..games {
            let mut tournament = unplayed(&spec);
            let finish = play_some(&mut tournament, 1 + stop % 3, stop);
            assert!(tournament.records.len() >= stop);
            if finish == Finish::Interrupted {
                assert!(!tournament.is_complete() || tournament.records.len() == games);
            }
            let saved = state(folder.path(), &tournament.text().unwrap());
            let mut again = saved;
            play_some(&mut again, 2, usize::MAX);
            assert_eq!(again.text().unwrap(), whole, "stopped after {stop}");
        }
    }
}

#[test]
fn other_players_do_not_change_a_game() {
    let two = played(&spec(&["a: depth=1", "b: budget=60"], 2, 3), 1);
    let three = played(&fresh(), 1);
    let moves = |text: &str| {
        let lines = text.lines().skip(1);
        let games = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let of_two = games.filter(|game| game["white"] != 2 && game["black"] != 2);
        let mut moves: Vec<_> = of_two.map(|game| game["moves"].to_string()).collect();
        moves.sort();
        moves
    };
    assert_eq!(moves(&two), moves(&three));
}

#[test]
fn the_two_games_of_a_pair_begin_alike() {
    let text = played(&fresh(), 2);
    let games: Vec<serde_json::Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let opening = |game: &serde_json::Value| {
        let moves = game["moves"].as_str().unwrap().split(' ').take(3);
        moves.collect::<Vec<_>>().join(" ")
    };
    for game in &games {
        assert_eq!(game["opening"], 3);
        let same_round = games.iter().filter(|other| other["round"] == game["round"]);
        assert!(same_round.clone().count() == 6);
        same_round.for_each(|other| assert_eq!(opening(other), opening(game)));
        games
            .iter()
            .filter(|other| other["round"] != game["round"])
            .for_each(|other| assert_ne!(opening(other), opening(game)));
    }
}

/// A game depends only on its two players with empty tables, not on the games before it.
fn games_begin_with_empty_caches<G: Game>(game: &G) {
    let players = ["a: depth=2", "b: depth=2 memo=interval"].map(str::to_owned);
    let mut spec = TournamentSpec { games: 2, ..one_game_each(game, players.to_vec()) };
    spec.draws.insert("max_turns".into(), "12".into());
    let mut tournament = Tournament::new(spec.plan(game).unwrap(), BTreeMap::new());
    play_some(&mut tournament, 1, usize::MAX);
    let plan = &tournament.plan;
    for (number, &fixture) in plan.fixtures.iter().enumerate() {
        let seat = |player: usize| plan.players[player].searcher(game).unwrap();
        let mut seats = [seat(fixture.white), seat(fixture.black)];
        let opening = &plan.openings[fixture.round];
        let setup = GameSetup { game, rules: plan.rules, opening, seed: plan.seed_of(&fixture) };
        let never = AtomicBool::new(false);
        let played = play(&setup, |side: Side, root, number| {
            let seat = &mut seats[side.index()];
            let number = splitmix_all(&[number, seat.settings.seed]);
            choose(seat, root, number, &never)
        });
        let by_hand = GameRecord::new(game, (number, fixture), opening, played.unwrap().unwrap());
        assert_eq!(without_times(&by_hand), without_times(&tournament.records[&number]));
    }
}

#[test]
fn every_game_begins_with_empty_caches() {
    games_begin_with_empty_caches(&Morris::default());
    games_begin_with_empty_caches(&Chess::default());
}
