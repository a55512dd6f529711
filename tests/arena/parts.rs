//! Parts of a tournament that were played apart, as one.

use std::{fs, path::Path};

use plyscope::command::Shell;
use serde_json::Value;

use crate::support::{fails, run};

/// Plays a part and returns the name of its state file.
fn part(folder: &Path, name: &str, players: &str, seed: u64) -> String {
    let file = folder.join(name).display().to_string();
    let line = format!(
        "tournament play {players} --games 2 --openings 2 --random-seed {seed} --state {file}"
    );
    run(&mut Shell::default(), &line);
    file
}

const THREE: &str = "\"a: depth=1\" \"b: depth=2\" \"c: budget=40\"";

#[test]
fn parts_are_added_up_with_one_set_of_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> =
        (1..=3).map(|seed| part(folder.path(), &format!("{seed}.jsonl"), THREE, seed)).collect();
    let mut shell = Shell::default();
    let singles: Vec<_> =
        files.iter().map(|file| run(&mut shell, &format!("tournament show {file}"))).collect();
    let all = run(&mut shell, &format!("tournament show {}", files.join(" ")));
    assert_eq!(
        (&all["played"], &all["total"], &all["status"]),
        (&36.into(), &36.into(), &"complete".into())
    );
    assert_eq!((&all["games"], all["parts"].as_array().unwrap().len()), (&6.into(), 3));
    let sum = |of: &dyn Fn(&Value) -> f64| singles.iter().map(of).sum::<f64>();
    for row in all["standings"].as_array().unwrap() {
        let same = |part: &Value| {
            let rows = part["standings"].as_array().unwrap();
            let row = rows.iter().find(|it| it["name"] == row["name"]).unwrap();
            row["points"].as_f64().unwrap()
        };
        assert_eq!(row["points"].as_f64().unwrap(), sum(&same));
        assert_eq!(row["games"], 24);
    }
    for (place, pair) in all["pairs"].as_array().unwrap().iter().enumerate() {
        for count in 0..5 {
            let of = |part: &Value| part["pairs"][place]["counts"][count].as_f64().unwrap();
            assert_eq!(pair["counts"][count].as_f64().unwrap(), sum(&of));
        }
        let counted = pair["counts"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap());
        assert!(pair["strength"]["distinct"].as_u64().unwrap() <= counted.sum());
    }
    assert_eq!(run(&mut shell, "match show 36")["round"], 6);
    run(&mut shell, "match open 36 3");
    let saved = folder.path().join("all.json").display().to_string();
    run(&mut shell, &format!("tournament save {saved} {}", files.join(" ")));
    let read: Value = serde_json::from_str(&fs::read_to_string(&saved).unwrap()).unwrap();
    assert_eq!(read["pairs"], all["pairs"]);
    assert!(fails(&mut shell, "tournament save all.jsonl").contains("several parts"));
}

#[test]
fn a_part_can_have_some_of_the_players() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = [
        "\"a: depth=1\" \"b: depth=2\"",
        "\"c: budget=40\" \"a: depth=1\"",
        "\"b: depth=2\" \"c: budget=40\"",
    ];
    let files: Vec<_> = pairs
        .iter()
        .zip(1..)
        .map(|(pair, seed)| part(folder.path(), &format!("{seed}.jsonl"), pair, seed))
        .collect();
    let all = run(&mut Shell::default(), &format!("tournament show {}", files.join(" ")));
    assert_eq!(
        (all["players"].as_array().unwrap().len(), all["pairs"].as_array().unwrap().len()),
        (3, 3)
    );
    assert_eq!(all["played"], 12);
    for row in all["standings"].as_array().unwrap() {
        assert_eq!(row["games"], 8);
    }
}

#[test]
fn games_that_two_parts_have_count_once() {
    let folder = tempfile::tempdir().unwrap();
    let one = part(folder.path(), "one.jsonl", THREE, 1);
    let copy = folder.path().join("copy.jsonl");
    let text = fs::read_to_string(&one).unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    fs::write(&copy, lines[..8].concat()).unwrap();
    let all = run(&mut Shell::default(), &format!("tournament show {one} {}", copy.display()));
    assert_eq!((&all["played"], &all["games"]), (&12.into(), &2.into()));
    let notes = all["notes"].to_string();
    assert!(notes.contains("7 games are in several parts"), "{notes}");
    assert!(notes.contains("5 games are missing"), "{notes}");
}

#[test]
fn parts_that_do_not_fit_together_are_told_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let one = part(folder.path(), "one.jsonl", THREE, 1);
    let other = part(folder.path(), "other.jsonl", "\"a: depth=2\" \"b: depth=2\"", 2);
    let mut shell = Shell::default();
    run(&mut shell, &format!("tournament show {one}"));
    let told = fails(&mut shell, &format!("tournament show {one} {other}"));
    assert!(told.starts_with(&format!("{other}: does not fit {one}")), "{told}");
    assert!(told.contains("the player a (`a: depth=2`, not `a: depth=1`)"), "{told}");
    let drawn = folder.path().join("drawn.jsonl").display().to_string();
    run(
        &mut shell,
        &format!(
            "tournament play \"a: depth=1\" \"b: depth=2\" --draws no_mill=5 --random-seed 4 --state {drawn}"
        ),
    );
    run(&mut shell, &format!("tournament show {one}"));
    let told = fails(&mut shell, &format!("tournament show {one} {drawn}"));
    assert!(told.contains("draw rules") && told.contains("the length of the openings"), "{told}");
    // The same random seed with other moves.
    let text = fs::read_to_string(&one).unwrap();
    let again = part(folder.path(), "again.jsonl", "\"b: depth=2\" \"a: depth=1\"", 1);
    let told = fails(&mut shell, &format!("tournament show {one} {again}"));
    assert!(told.contains("--random-seed") && told.contains(&again), "{told}");
    let missing = fails(&mut shell, &format!("tournament show {one} no-such.jsonl"));
    assert!(missing.contains("no-such.jsonl"), "{missing}");
    // The tournament before stays.
    assert_eq!(run(&mut shell, "tournament show")["file"], one);
    assert_eq!(fs::read_to_string(&one).unwrap(), text);
}
