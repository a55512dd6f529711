//! The commands of matches and tournaments, from command line to reply.

use std::{fs, path::Path};

use plyscope::{command::Shell, text::ascii, view};

use crate::support::{fails, run};

fn shell_in(folder: &Path) -> (Shell, impl Fn(&str) -> String) {
    let folder = folder.to_owned();
    (Shell::default(), move |name: &str| folder.join(name).display().to_string())
}

#[test]
fn players_have_names_and_sessions_keep_them() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shell, at) = shell_in(folder.path());
    run(&mut shell, "player define wide budget=500");
    let listed = run(&mut shell, "player define greedy depth=2 mills=6");
    assert_eq!(
        listed["players"],
        serde_json::json!([
            {"name": "greedy", "settings": {"depth": 2, "mills": 6}},
            {"name": "wide", "settings": {"budget": 500}},
        ])
    );
    run(&mut shell, &format!("session save {}", at("s.ron")));
    let mut other = Shell::default();
    run(&mut other, &format!("session load {}", at("s.ron")));
    assert_eq!(run(&mut other, "player list")["players"], listed["players"]);
    run(&mut other, "player remove wide");
    assert!(fails(&mut other, "player remove wide").contains("no player is called `wide`"));
    assert!(fails(&mut other, "player define default depth=1").contains("reserved name"));
    assert!(fails(&mut other, "player define x dept=1").contains("no `dept`"));
    assert!(fails(&mut other, "match run greedy nobody").contains("no player is called `nobody`"));
    assert_eq!(run(&mut other, "match run greedy \"g: depth=1\"")["played"], 1);
}

#[test]
fn games_open_at_any_move_with_the_others_to_redo() {
    let mut shell = Shell::default();
    run(&mut shell, "match run \"a: depth=1\" \"b: depth=2\" --games 2 --openings 2");
    let game = run(&mut shell, "match show 2");
    let moves: Vec<_> = game["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| mv.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(game["plies"], moves.len());
    let opened = run(&mut shell, "match open 2 7");
    assert_eq!(opened["position"]["last_move"], moves[6].as_str());
    assert_eq!(opened["position"]["redo"], moves.len() - 7);
    let next = run(&mut shell, "redo");
    assert_eq!(next["last_move"], moves[7].as_str());
    let last = run(&mut shell, &format!("match open 2 {}", moves.len()));
    assert_eq!(last["position"]["redo"], 0);
    assert!(fails(&mut shell, "match open 3").contains("no game 3"));
}

#[test]
fn tournaments_go_through_files() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shell, at) = shell_in(folder.path());
    let (cup, state) = (at("cup.ron"), at("cup.jsonl"));
    run(
        &mut shell,
        &format!(
            "tournament write {cup} \"a: depth=1\" \"b: depth=2\" \"c: budget=40\" --games 2 --openings 2 --random-seed 3"
        ),
    );
    let whole = run(&mut shell, &format!("tournament run {cup} --workers 2"));
    assert_eq!((&whole["played"], &whole["total"]), (&12.into(), &12.into()));
    assert_eq!(whole["status"], "complete");
    let points: f64 = whole["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["points"].as_f64().unwrap())
        .sum();
    assert_eq!(points, 12.0);
    let counted: u64 = whole["endings"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| ["white", "draws", "black"].map(|side| row[side].as_u64().unwrap()))
        .sum();
    assert_eq!(counted, 12);

    let saved = |shell: &mut Shell, name: &str| {
        run(shell, &format!("tournament save {}.json", at(name)));
        run(shell, &format!("match save {}.jsonl", at(name)));
        ["json", "jsonl"].map(|ending| fs::read(at(&format!("{name}.{ending}"))).unwrap())
    };
    let one = saved(&mut shell, "one");
    run(&mut shell, &format!("tournament load {state}"));
    assert_eq!(saved(&mut shell, "two"), one);
    assert_eq!(one[1], fs::read(&state).unwrap());
    assert!(fails(&mut shell, "tournament save x.doc").contains("no ending that names a format"));
}

#[test]
fn the_seeds_experiment_in_small() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shell, at) = shell_in(folder.path());
    let written = include_str!("../../sessions/seeds-tournament.ron");
    let small = |line: &str| match line.split_once(": ") {
        Some((name, weights)) if line.starts_with("        \"") => {
            format!("{name}: budget=40 {weights}")
        }
        _ => line.replace("games: 3", "games: 1"),
    };
    let small = written.lines().map(small).collect::<Vec<_>>().join("\n");
    fs::write(at("seeds.ron"), &small).unwrap();
    let line = format!("tournament run {} --workers 2", at("seeds.ron"));
    let played = run(&mut shell, &line);
    let names: Vec<_> = played["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["123", "132", "213", "231", "312", "321"]);
    let seed = small.replace("budget=40", "fidelity=seed budget=40");
    let seed = seed.replace("games: 1,", "games: 1, draws: {\"counting\": \"seed\"},");
    fs::write(at("s.ron"), seed).unwrap();
    let seed = run(&mut shell, &format!("tournament run {}", at("s.ron")));
    assert_eq!(seed["played"], 30);
    assert_eq!(seed["draws"]["counting"], "seed");
    run(&mut shell, "game chess");
    assert!(
        fails(&mut shell, &format!("tournament resume {}", at("s.jsonl")))
            .contains("of morris, not chess")
    );
}

#[test]
fn games_with_other_rules_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shell, at) = shell_in(folder.path());
    run(&mut shell, "rules set flying=off");
    run(
        &mut shell,
        &format!("tournament play \"a: depth=1\" \"b: depth=1\" --state {}", at("off.jsonl")),
    );
    run(&mut shell, "rules set flying=on");
    run(&mut shell, &format!("tournament load {}", at("off.jsonl")));
    assert!(fails(&mut shell, "match open 1").contains("rules set flying=off"));
    run(&mut shell, "rules set flying=off");
    run(&mut shell, "match open 1 5");
}

#[test]
fn reports_fit_the_screen_in_either_alphabet() {
    let mut shell = Shell::default();
    let lines = [
        "tournament play \"123: budget=30\" \"321: budget=30 stones=3\" --games 2",
        "tournament play \"a-rather-long-name: depth=1\" \"another-long-name: depth=1\" --games 3 --openings 3 --sprt 0,900",
        "match show",
        "match show 1",
        "match open 1 9",
        "player define some-long-name budget=1000 stones=1.25 stash=1.5 mills=3.75 possible_mills=2.125 order=static",
    ];
    for line in lines {
        for reply in shell.run_line(line) {
            let report = reply.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault)).reply;
            let text = view::text(&*report);
            assert!(!text.is_empty());
            for row in text.lines() {
                assert!(row.chars().count() <= 80, "{line}: {row}");
                assert_eq!(row, row.trim_end(), "{line}");
            }
            let is_shown = |sign: char| sign.is_ascii() || ascii(sign) != "?";
            assert!(text.chars().all(is_shown), "{line}: {text}");
            assert!(!text.contains("-0.0 ") && !text.contains("NaN"), "{line}: {text}");
        }
    }
}

#[test]
fn wrong_arguments_are_refused_with_a_remedy() {
    let mut shell = Shell::default();
    let two = "\"a: depth=1\" \"b: depth=1\"";
    for (line, words) in [
        ("tournament play \"a: depth=1\"", "only one"),
        (&format!("tournament play {two} --sprt 5"), "is not a test"),
        (&format!("tournament play {two} --sprt 9,5"), "elo0"),
        (&format!("match run {two} --draws quiet"), "is not a draw rule"),
        (&format!("match run {two} --draws quiet=3"), "no draw rule `quiet`"),
        (
            &format!("match run {two} --draws no_mill=off,max_turns=off,occurrences=off"),
            "may never end",
        ),
        ("tournament resume nowhere.jsonl", "no such file"),
        ("tournament resume", "no games are loaded"),
        ("match show", "no games are loaded"),
        ("match run \"a: mils=3 depth=x\" \"b b:\"", "3 faults"),
    ] {
        let fault = fails(&mut shell, line);
        assert!(fault.contains(words), "{line}: {fault}");
    }
}

#[test]
fn saved_results_are_the_same_bytes_on_every_run() {
    for game in ["morris", "chess"] {
        let results = || {
            let folder = tempfile::tempdir().unwrap();
            let (mut shell, at) = shell_in(folder.path());
            let play =
                "tournament play \"a: depth=1\" \"b: depth=1 memo=none\" --draws max_turns=6";
            run(&mut shell, &format!("game {game}; {play}"));
            let played = run(&mut shell, "tournament show");
            assert!(played["ms"].is_number() && played["played_in_ms"] == 2);
            [("tournament", "cup.json"), ("match", "cup.jsonl")].map(|(noun, name)| {
                run(&mut shell, &format!("{noun} save {}", at(name)));
                let text = fs::read_to_string(at(name)).unwrap();
                assert!(!text.contains("ms\"") && !text.contains("ms:"), "{name}: {text}");
                text
            })
        };
        assert_eq!(results(), results());
    }
}
