//! Helpers for matches and tournaments.

use std::{collections::BTreeMap, fs, path::Path};

use plyscope::{
    command::Shell,
    engine::{
        arena::{Cost, GameRecord, Tournament, TournamentPlan, TournamentSpec},
        game::Game,
        morris::Morris,
        workers::Finish,
    },
};
use serde_json::Value;

/// Runs a line and returns its last reply as JSON.
#[track_caller]
pub fn run(shell: &mut Shell, line: &str) -> Value {
    let response = shell.run_line(line).pop().unwrap();
    let response = response.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault));
    serde_json::to_value(&*response.reply).unwrap()
}

/// A tournament of these players: one game of every ordered pair, everything else at its default.
pub fn one_game_each<G: Game>(game: &G, players: Vec<String>) -> TournamentSpec {
    TournamentSpec { games: 1, ..TournamentSpec::default() }.with_players(game, players)
}

/// A game without its times.
pub fn without_times(record: &GameRecord) -> GameRecord {
    let cost = record.cost.map(|cost| Cost { ms: 0.0, ..cost });
    GameRecord { cost, ..record.clone() }
}

/// Runs a line that fails and returns the fault as text.
#[track_caller]
pub fn fails(shell: &mut Shell, line: &str) -> String {
    let response = shell.run_line(line).pop().unwrap();
    response.expect_err(line).fault.to_string()
}

/// A file of `tests/data` as lines of JSON.
pub fn data(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A small tournament of morris.
pub fn spec(players: &[&str], games: usize, openings: usize) -> TournamentSpec {
    let players = players.iter().map(|&line| line.to_owned()).collect();
    TournamentSpec { games, openings, seed: 5, ..one_game_each(&Morris::default(), players) }
}

/// The plan of a tournament of morris.
pub fn plan(spec: &TournamentSpec) -> TournamentPlan<Morris> {
    spec.plan(&Morris::default()).unwrap()
}

/// A tournament of morris without games.
pub fn unplayed(spec: &TournamentSpec) -> Tournament<Morris> {
    Tournament::new(plan(spec), BTreeMap::new())
}

/// Plays the remaining games, at most `games` of them.
pub fn play_some<G: Game>(tournament: &mut Tournament<G>, workers: usize, games: usize) -> Finish {
    let interrupt = std::sync::atomic::AtomicBool::new(false);
    let memories = vec![None; tournament.plan.players.len()];
    let mut played = 0;
    let ended = &mut |_: &Tournament<G>, _: &_| {
        played += 1;
        if played == games {
            interrupt.store(true, std::sync::atomic::Ordering::SeqCst);
        }
        Ok(())
    };
    tournament.play(&memories, workers, &interrupt, &|_| {}, ended).unwrap()
}

/// The text of the state file after all games.
pub fn played(spec: &TournamentSpec, workers: usize) -> String {
    let mut tournament = unplayed(spec);
    assert_eq!(play_some(&mut tournament, workers, usize::MAX), Finish::Complete);
    assert!(tournament.is_complete());
    tournament.text().unwrap()
}

/// Reads a tournament from a text.
pub fn state(folder: &Path, text: &str) -> Tournament<Morris> {
    let path = folder.join("state.jsonl");
    fs::write(&path, text).unwrap();
    Tournament::read(&Morris::default(), &path).unwrap().0
}
