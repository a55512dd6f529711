//! A program with a game of its own: the guide's example, compiled and run.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn the_guide_links_the_file_that_is_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = fs::read_to_string(root.join("sessions/own-game.md")).unwrap();
    assert!(guide.contains("(../tests/own_game/noughts.rs)"), "{guide}");
    let file = fs::read_to_string(root.join("tests/own_game/noughts.rs")).unwrap();
    assert!(file.lines().count() <= 150, "a newcomer reads it in one go");
}

fn program() -> PathBuf {
    let tests = env::current_exe().unwrap();
    tests.parent().unwrap().parent().unwrap().join("examples/noughts")
}

#[test]
fn a_custom_program_has_every_feature_for_its_game() {
    let run = |commands: &str| {
        let mut noughts = Command::new(program());
        let done = noughts.args(["--json", "--no-times", "-c", commands]).output().unwrap();
        let said = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
        assert!(done.status.success(), "{commands}: {said}");
        let last = said.lines().last().unwrap();
        serde_json::from_str::<serde_json::Value>(last).unwrap()
    };
    assert_eq!(run("play 5; search run")["value"], 0.0);
    assert_eq!(run("position set xx.oo....; search run")["best"], serde_json::json!(["3"]));
    assert_eq!(run("perft 4")["nodes"], 3024);
    assert_eq!(run("break kind=cutoff ply=2; continue; where")["frames"][2]["ply"], 2);
    assert_eq!(run("search set depth=6; search run; audit --sample 100")["wrong"], 0);
    assert_eq!(run("step 300; back 20; last here")["command"], "last");
    assert_eq!(
        run("match run \"a: depth=2\" \"b: depth=6\" --games 2 --swap")["command"],
        "match run"
    );
    assert_eq!(run("game chess; play e4")["side"], "b");
}

#[test]
fn a_custom_programs_board_is_drawn_and_takes_moves() {
    let run = |args: &[&str]| {
        let done = Command::new(program()).args(args).output().unwrap();
        let said = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
        assert!(done.status.success(), "{args:?}: {said}");
        said
    };
    let shown = run(&["-c", "play 1 5; position show"]);
    for row in ["3 x · ·", "2 · o ·", "1 · · ·", "  a b c"] {
        assert!(shown.contains(row), "{row}: {shown}");
    }
    let board: serde_json::Value = serde_json::from_str(
        run(&["--json", "-c", "position set xo.......; position board"]).lines().last().unwrap(),
    )
    .unwrap();
    assert_eq!(board["kind"], "squares");
    assert_eq!(
        (board["points"].as_array().unwrap().len(), board["moves"].as_array().unwrap().len()),
        (9, 7)
    );
    assert_eq!(
        board["moves"][0],
        serde_json::json!({"move": "3", "from": null, "to": 2, "captures": [], "any_order": false})
    );
    // On the screen: with coordinates, and with arrows.
    let folder = tempfile::tempdir().unwrap();
    let (script, picture) = (folder.path().join("keys.ply"), folder.path().join("screen.svg"));
    fs::write(&script, "# keys\n#: board\n#! a 3 enter b 2 enter down down enter\n").unwrap();
    let [script, picture] = [script, picture].map(|path| path.to_str().unwrap().to_owned());
    run(&["demo", &script, "--picture", &picture]);
    let drawn = fs::read_to_string(&picture).unwrap();
    for part in ["move 2, Black to move", ">5</text>", ">8</text>"] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
}

#[test]
fn no_search_goes_deeper_than_the_game_lasts() {
    let depth = |commands: &str| {
        let done = Command::new(program()).args(["--json", "-c", commands]).output().unwrap();
        let said = String::from_utf8(done.stdout).unwrap();
        serde_json::from_str::<serde_json::Value>(said.lines().last().unwrap()).unwrap()["depth"]
            .clone()
    };
    assert_eq!(depth("search set budget=1000000; search run"), 9);
    assert_eq!(depth("play 5 1; search set budget=1000000; search run"), 7);
    assert_eq!(depth("play 5 1; search set depth=15; search run"), 7);
    assert_eq!(depth("play 5 1; search set depth=15 deepening=off; search run"), 7);
    assert_eq!(depth("play 5 1; search set depth=3; search run"), 3);
}
