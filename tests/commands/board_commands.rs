//! Board commands: description, pictures, and the engine as an opponent.

use std::time::Duration;

use plyscope::command::Shell;
use serde_json::Value;

fn run(shell: &mut Shell, line: &str) -> Value {
    let mut outcomes = shell.run_line(line);
    let response = outcomes.pop().unwrap();
    let response = response.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault));
    serde_json::to_value(&*response.reply).unwrap()
}

fn fails(shell: &mut Shell, line: &str) -> String {
    shell.run_line(line).pop().unwrap().unwrap_err().fault.to_string()
}

#[test]
fn the_description_has_every_legal_move_step_by_step() {
    let mut shell = Shell::default();
    run(&mut shell, "position set ww.ww.../bbb...../......b. w 5 5");
    let board = run(&mut shell, "position board");
    let moves = run(&mut shell, "moves");
    let mut listed: Vec<_> =
        moves["moves"].as_array().unwrap().iter().map(|mv| &mv["move"]).collect();
    let mut described: Vec<_> =
        board["moves"].as_array().unwrap().iter().map(|mv| &mv["move"]).collect();
    listed.sort_by_key(ToString::to_string);
    described.sort_by_key(ToString::to_string);
    assert_eq!(described, listed);
    assert_eq!(board["kind"], "lines");
    assert_eq!(board["points"][0]["name"], "a7");
    assert_eq!(board["points"][0]["stone"], "w");
    assert_eq!(board["hands"], serde_json::json!([5, 5]));
    assert_eq!(board["lines"].as_array().unwrap().len(), 16);
    let other = run(&mut shell, "position board w......./......../........ b 8 9");
    assert_eq!(other["side"], "b");
    assert!(!fails(&mut shell, "position board nonsense").is_empty());
}

#[test]
fn the_last_move_is_described() {
    let mut shell = Shell::default();
    let board = run(&mut shell, "play d6; position board");
    assert_eq!(board["last_move"], "d6");
    assert_eq!(board["points"][9]["last"], "to");
}

#[test]
fn the_engine_plays_the_same_game_for_the_same_seed() {
    let game = |seed: u64| {
        let mut shell = Shell::default();
        run(&mut shell, &format!("search set depth=2 seed={seed}"));
        let plays = (0..6).map(|_| run(&mut shell, "engine play")["played"].clone());
        plays.collect::<Vec<_>>()
    };
    assert_eq!(game(1), game(1));
    assert!((2..12).any(|seed| game(seed) != game(1)), "the seed matters");
}

#[test]
fn the_engine_plays_one_of_the_best_moves_and_undo_takes_it_back() {
    let mut shell = Shell::default();
    let state = "ww....../bb....../......w. w 6 7";
    run(&mut shell, &format!("position set {state}"));
    let hint = run(&mut shell, "hint --depth 3");
    let played = run(&mut shell, "engine play --depth 3");
    assert!(hint["best"].as_array().unwrap().contains(&played["played"]));
    assert_eq!((&played["best"], &played["side"]), (&hint["best"], &Value::from("b")));
    assert_eq!(run(&mut shell, "undo")["state"], state);
    assert_eq!(run(&mut shell, "position show")["state"], state, "a hint plays nothing");
}

#[test]
fn the_engine_plays_at_the_level_chosen_unless_a_limit_is_given() {
    let mut shell = Shell::default();
    run(&mut shell, "search set depth=4 time_ms=3600000");
    assert_eq!(run(&mut shell, "engine level 2")["level"], 2);
    assert_eq!(run(&mut shell, "engine play")["depth"], 2);
    assert_eq!(run(&mut shell, "engine play --depth 3")["depth"], 3);
    run(&mut shell, "engine level 3");
    assert_eq!(run(&mut shell, "engine play")["nodes"], 2000);
    run(&mut shell, "engine level off");
    assert_eq!(run(&mut shell, "engine play")["depth"], 4);
    assert!(fails(&mut shell, "engine level 9").contains("`9`"));
    assert_eq!(run(&mut shell, "engine level")["level"], Value::Null);
}

#[test]
fn the_engine_has_no_move_in_a_finished_game() {
    let mut shell = Shell::default();
    run(&mut shell, "position set ww....../b.b.b.../........ w 0 0");
    assert!(fails(&mut shell, "engine play").contains("the game is over"));
    assert!(fails(&mut shell, "engine play --depth 0").contains('0'));
}

#[test]
fn in_slices_the_move_is_played_when_the_search_is_done() {
    let mut shell = Shell::default();
    shell.engine.set_slice(Some(Duration::from_micros(1)));
    let first = run(&mut shell, "engine play --depth 6");
    assert_eq!(first["stopped"], Value::Null, "under way");
    assert!(first.get("played").is_none());
    let response = loop {
        if let Some(response) = shell.advance_search(Duration::from_millis(5)) {
            break serde_json::to_value(&*response.reply).unwrap();
        }
    };
    assert!(response["played"].is_string(), "{response}");
    assert_eq!(run(&mut shell, "position show")["last_move"], response["played"]);
}

#[test]
fn an_interrupted_search_plays_nothing() {
    let mut shell = Shell::default();
    shell.engine.set_slice(Some(Duration::from_micros(1)));
    run(&mut shell, "engine play --depth 12");
    shell.interrupt().store(true, std::sync::atomic::Ordering::Relaxed);
    let response = loop {
        if let Some(response) = shell.advance_search(Duration::from_millis(5)) {
            break serde_json::to_value(&*response.reply).unwrap();
        }
    };
    assert_eq!(response["stopped"], "interrupt");
    assert!(response["notes"].to_string().contains("nothing was played"));
    assert_eq!(run(&mut shell, "position show")["last_move"], Value::Null);
}

#[test]
fn pictures_are_written_or_replied() {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Shell::default();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let text = run(&mut shell, "play d6; picture board");
    assert!(text["picture"].as_str().unwrap().contains("last move d6"));
    let written = run(&mut shell, &format!("picture board '{}'", path("b.txt")));
    assert_eq!((&written["format"], &written["picture"]), (&Value::from("text"), &Value::Null));
    let file = std::fs::read_to_string(path("b.txt")).unwrap();
    assert_eq!(file.trim_end(), text["picture"].as_str().unwrap());
    assert_eq!(written["bytes"], file.len());
    run(&mut shell, &format!("picture board '{}' --ascii", path("b.txt")));
    assert!(std::fs::read_to_string(path("b.txt")).unwrap().is_ascii());
    run(&mut shell, &format!("picture board '{}'", path("b.SVG")));
    assert!(std::fs::read_to_string(path("b.SVG")).unwrap().starts_with("<svg "));
}

#[test]
fn pictures_that_cannot_be_written_say_why() {
    let mut shell = Shell::default();
    assert!(fails(&mut shell, "picture board board.png").contains(".svg or .txt"));
    assert!(fails(&mut shell, "picture board board").contains("no ending that names a format"));
    assert!(fails(&mut shell, "picture board b.svg --ascii").contains("no ASCII"));
    assert!(fails(&mut shell, "picture board no/such/folder/b.svg").contains("no/such"));
}
