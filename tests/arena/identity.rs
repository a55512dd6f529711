//! A tournament has the same games whoever plays them, in whichever order, with whatever stops.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use plyscope::engine::{
    arena::{Bout, GameRecord, Tournament, TournamentPlan, TournamentSpec, opponents, play},
    chess::Chess,
    game::Game,
    morris::Morris,
    workers::Finish,
};

use crate::support::{plan, play_some, played, spec, state, unplayed};

fn fresh() -> TournamentSpec {
    spec(&["a: depth=1", "b: budget=60", "c: depth=2 memo=none mills=1"], 2, 3)
}

fn kept() -> TournamentSpec {
    spec(&["a: budget=80 cache=kept", "b: depth=2", "c: depth=2 memo=rote cache=kept"], 3, 0)
}

#[test]
fn games_do_not_depend_on_the_number_of_workers() {
    for spec in [fresh(), kept()] {
        let one = played(&spec, 1);
        assert_eq!(one.lines().count(), 1 + 6 * spec.games);
        for workers in [2, 3] {
            assert_eq!(played(&spec, workers), one, "{workers} workers");
        }
    }
}

#[test]
fn a_stop_after_any_game_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for spec in [fresh(), kept()] {
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
fn a_saved_game_that_does_not_come_out_again_is_told() {
    let spec = kept();
    let mut tournament = unplayed(&spec);
    play_some(&mut tournament, 1, 1);
    let mut saved = tournament.records.clone();
    saved.retain(|&game, _| game == 0);
    for record in saved.values_mut() {
        record.cost[0].nodes += 1;
    }
    let mut again = Tournament::new(plan(&spec), saved);
    let interrupt = std::sync::atomic::AtomicBool::new(false);
    let fault =
        again.play(&vec![None; 3], (2, &interrupt), &|_| {}, &mut |_, _| Ok(())).unwrap_err();
    assert!(fault.message.contains("game 1 came out otherwise"), "{fault}");
}

#[test]
fn who_else_takes_part_does_not_change_a_game() {
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

/// Every game of the pair of a player that keeps its cache, which goes first, and one that does not, played by hand.
fn by_hand<G: Game>(game: &G, plan: &TournamentPlan<G>, keeps: [bool; 2]) -> Vec<GameRecord> {
    let seat = |player: usize| plan.players[player].searcher(game).unwrap();
    let mut seats = [seat(0), seat(1)];
    let games = plan.fixtures.iter().enumerate();
    let games = games.filter(|(_, fixture)| fixture.white == 0);
    games
        .map(|(number, &fixture)| {
            for player in [0, 1].into_iter().filter(|&player| !keeps[player]) {
                seats[player] = seat(player);
            }
            let bout = Bout {
                game,
                rules: plan.rules,
                opening: &plan.openings[fixture.round],
                seed: plan.seed_of(&fixture),
            };
            let played = play(&bout, opponents(&mut seats, &AtomicBool::new(false)));
            let played = played.unwrap().unwrap();
            GameRecord::new(game, (number, fixture), bout.opening, played).timeless()
        })
        .collect()
}

fn a_fresh_cache_is_fresh<G: Game>(game: &G) {
    let players = ["k: depth=2 cache=kept", "f: depth=2"].map(str::to_owned);
    let mut spec = TournamentSpec { games: 3, ..TournamentSpec::of(game, players.to_vec()) };
    spec.draws.insert("max_turns".into(), "12".into());
    let mut tournament = Tournament::new(spec.plan(game).unwrap(), BTreeMap::new());
    play_some(&mut tournament, 2, usize::MAX);
    let lines = tournament.records.values().map(GameRecord::timeless);
    let found: Vec<_> = lines.filter(|line| line.white == 0).collect();
    let plan = &tournament.plan;
    assert_eq!(found, by_hand(game, plan, [true, false]));
    // It makes a difference.
    assert_ne!(found, by_hand(game, plan, [true, true]));
    assert_ne!(found, by_hand(game, plan, [false, false]));
}

#[test]
fn a_fresh_cache_is_fresh_in_every_game_though_the_opponent_keeps_its_own() {
    a_fresh_cache_is_fresh(&Morris::default());
    a_fresh_cache_is_fresh(&Chess::default());
}
