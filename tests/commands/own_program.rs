//! A program of somebody else's with a game of its own: the guide's file, compiled as it stands there and run.

use std::{env, fs, path::Path, process::Command};

#[test]
fn the_guide_has_the_file_that_is_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = fs::read_to_string(root.join("sessions/own-game.md")).unwrap();
    let file = fs::read_to_string(root.join("tests/own_game/noughts.rs")).unwrap();
    let code = guide.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(code, Some(file.as_str()));
    assert!(file.lines().count() <= 150);
}

#[test]
fn it_is_the_whole_program_for_that_game() {
    let tests = env::current_exe().unwrap();
    let program = tests.parent().unwrap().parent().unwrap().join("examples/noughts");
    let run = |commands: &str| {
        let mut noughts = Command::new(&program);
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
