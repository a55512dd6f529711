//! Matches of chess: the ends of games, and PGN.

use std::fs;

use plyscope::command::Shell;

use crate::support::{fails, run};

#[test]
fn chess_is_played_to_its_own_ends_and_written_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut shell = Shell::default();
    run(&mut shell, "game chess");
    run(&mut shell, "position set \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"");
    let round =
        run(&mut shell, "match run \"two: depth=2\" \"one: depth=1\" --games 2 --swap --here");
    assert_eq!(round["played"], 4);
    assert!(round["endings"].as_array().unwrap().iter().all(|row| {
        let ending = row["ending"].as_str().unwrap();
        ["mate", "stalemate", "too little material", "fifty moves", "repetition"].contains(&ending)
    }));
    run(&mut shell, &format!("match save {}", path.display()));
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("[Event ").count(), 4);
    assert!(text.contains("[White \"two\"]") && text.contains("[White \"one\"]"));
    assert!(text.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]"), "{text}");
    assert!(text.contains("[Termination \""));

    let games = run(&mut shell, "match show");
    let before: Vec<_> =
        (1..=4).map(|game| run(&mut shell, &format!("match show {game}"))).collect();
    let loaded = run(&mut shell, &format!("match load {}", path.display()));
    assert_eq!(loaded["games"], 4);
    for (number, before) in (1..=4).zip(&before) {
        let after = run(&mut shell, &format!("match show {number}"));
        for field in ["moves", "white", "black", "winner", "ending"] {
            assert_eq!(after[field], before[field], "game {number}, {field}");
        }
    }
    assert_eq!(games["games"].as_array().unwrap().len(), 4);
    let opened = run(&mut shell, "match open 2 3");
    assert_eq!(opened["ply"], 3);
    let to_come = opened["position"]["redo"].as_u64().unwrap();
    assert_eq!(to_come + 3, before[1]["plies"].as_u64().unwrap());
    let fault = fails(&mut shell, "match open 2 9999");
    assert!(fault.contains("ends before ply 9999"), "{fault}");
}

#[test]
fn matches_of_morris_are_written_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut shell = Shell::default();
    run(&mut shell, "match run \"a: depth=1\" \"b: depth=1\" --draws max_turns=12");
    let before = run(&mut shell, "match show 1");
    run(&mut shell, &format!("match save {}", path.display()));
    run(&mut shell, &format!("match load {}", path.display()));
    assert_eq!(run(&mut shell, "match show 1")["moves"], before["moves"]);
}
