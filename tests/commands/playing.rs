//! The engine as a player: settings and a cache of its own, in both games.

use plyscope::command::Shell;
use serde_json::Value;

fn run(shell: &mut Shell, line: &str) -> Value {
    let mut outcomes = shell.run_line(line);
    let response = outcomes.pop().unwrap();
    let response = response.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault));
    serde_json::to_value(&*response.reply).unwrap()
}

fn shell(set_up: &str) -> Shell {
    let mut shell = Shell::default();
    run(&mut shell, set_up);
    shell
}

/// A position of each game in which something is won.
const BOTH: [&str; 2] = [
    "game morris; position set ww....../bb.b..../......w. w 6 6",
    "game chess; position set r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
];

/// What a move of the engine must leave as it is: settings and number of entries.
fn own(shell: &mut Shell) -> [Value; 2] {
    let mut settings = run(shell, "search show all");
    settings["notes"].take();
    [settings, run(shell, "cache stats")["entries"].clone()]
}

#[test]
fn a_move_leaves_the_settings_and_the_cache_of_the_session_as_they_are() {
    for game in BOTH {
        let mut shell = shell(&format!("{game}; search run --depth 2"));
        let before = own(&mut shell);
        run(&mut shell, "engine play --depth 3; engine play --depth 3");
        assert_eq!(own(&mut shell), before);
        run(&mut shell, "game draw --depth 2");
        assert_eq!(own(&mut shell), before);
    }
}

#[test]
fn a_move_is_searched_as_with_the_preset_for_play() {
    for (game, root) in BOTH.into_iter().zip(["all", "best"]) {
        let played = run(&mut shell(game), "engine play --depth 4");
        let mut debugged = shell(&format!("{game}; search preset play; search set root={root}"));
        let found = run(&mut debugged, "search run --depth 4");
        assert_eq!(played["nodes"], found["nodes"]);
        assert_eq!((&played["best"], &played["value"]), (&found["best"], &found["value"]));
        let settings = run(&mut debugged, "search show");
        assert!(settings["for_play"].as_object().unwrap().len() <= 1, "{settings}");
    }
    let plain = run(&mut shell(BOTH[1]), "search show");
    assert_eq!(
        (&plain["quiescence"], &plain["for_play"]["quiescence"]),
        (&"off".into(), &"on".into())
    );
}

/// In morris, most first moves lead to the position of another one by symmetry, whose entry replaces their searches.
#[test]
fn a_hint_has_a_line_for_every_move() {
    for (game, count) in [("morris", 24), ("chess; play e4 e5", 29)] {
        let hint = run(&mut shell(&format!("game {game}")), "hint --depth 4");
        let moves = hint["moves"].as_array().unwrap();
        assert_eq!(moves.len(), count, "{game}");
        for found in moves {
            assert!(found["pv"].as_array().unwrap().len() > 1, "{game}: {found}");
        }
    }
    let hint = run(&mut shell("game morris"), "hint --depth 4");
    let line = |mv: &str| {
        let found = hint["moves"].as_array().unwrap().iter().find(|found| found["move"] == mv);
        let line = found.unwrap()["pv"].as_array().unwrap().iter();
        line.map(|it| it.as_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("d6").len(), line("f4").len(), "lines of the same length");
    run(&mut shell("game morris"), &format!("play {}", line("f4")));
}

#[test]
fn a_setting_that_was_changed_holds_for_play_too() {
    for game in BOTH {
        let nodes = |changes: &str| {
            run(&mut shell(&format!("{game}; {changes}")), "engine play --depth 4")["nodes"].clone()
        };
        assert_ne!(nodes("search set order=none"), nodes(""));
        assert_eq!(nodes("search set order=none; search preset plain"), nodes(""));
    }
    let mut limited = shell("game chess; search set budget=500");
    assert_eq!(run(&mut limited, "engine play")["nodes"], 500);
}

#[test]
fn in_seed_fidelity_the_session_itself_plays() {
    for game in BOTH {
        let mut shell = shell(&format!("{game}; search set fidelity=seed depth=2"));
        let played = run(&mut shell, "engine play");
        assert_ne!(run(&mut shell, "cache stats")["entries"], 0);
        assert_eq!(run(&mut shell, "search show")["for_play"], serde_json::json!({}));
        let found = run(&mut shell, "undo; cache clear; search run");
        assert_eq!(played["best"], found["best"]);
    }
}

#[test]
fn a_hint_is_a_search_for_play_that_can_be_stepped_back_in() {
    for game in BOTH {
        let mut shell = shell(game);
        let before = own(&mut shell);
        let hint = run(&mut shell, "hint --depth 3");
        let valued = hint["moves"].as_array().unwrap().iter().filter(|mv| mv["bound"].is_null());
        assert!(valued.count() >= 3, "every move has its exact value: {hint}");
        let play = &before[0]["for_play"];
        let play = play.get("reuse").unwrap_or(&before[0]["reuse"]);
        assert_eq!(run(&mut shell, "search show")["reuse"], *play);
        assert_eq!(
            run(&mut shell, "back 5; where")["nodes"].as_u64().map(|nodes| nodes > 0),
            Some(true)
        );
        assert_eq!(run(&mut shell, "continue")["stopped"], "depth");
        run(&mut shell, "search drop");
        assert_eq!(own(&mut shell), before);
    }
}

/// Without a limit of its own; a weak level does not weaken the hint.
#[test]
fn a_hint_searches_about_as_far_as_a_strong_level() {
    let nodes = |level: &str, hint: &str| {
        let mut shell = shell(&format!("game morris; engine level {level}"));
        run(&mut shell, hint)["nodes"].as_u64().unwrap()
    };
    assert_eq!([nodes("1", "hint"), nodes("off", "hint")], [25_000; 2]);
    assert_eq!(nodes("5", "hint"), 250_000);
    assert_eq!(nodes("5", "hint --budget 1000"), 1000);
}

#[test]
fn a_step_after_a_hint_begins_a_search_of_the_users_own() {
    for game in BOTH {
        let mut shell = shell(game);
        let before = own(&mut shell);
        for hint in ["hint --budget 500", "hint --depth 2", "hint --depth 2; back 5; continue"] {
            run(&mut shell, hint);
            assert_eq!(run(&mut shell, "step")["event"]["index"], 0, "{hint}");
            assert_eq!(own(&mut shell), before, "{hint}");
        }
    }
}

/// A session in which a breakpoint has stopped the engine's search for a move.
fn stopped(game: &str) -> Shell {
    let mut shell = shell(&format!("{game}; break depth=0; engine play --depth 4; delete all"));
    assert_eq!(run(&mut shell, "search show")["record"], "off", "its settings are shown");
    shell
}

#[test]
fn a_breakpoint_stops_in_the_search_for_play_and_changes_of_the_session_end_it() {
    for game in BOTH {
        let weight = if game.contains("morris") { "mills=2" } else { "pawn=101" };
        let changes = ["search set order=static", "search preset plain", "search run --depth 1"];
        let others = ["undo", "search drop", "position start"].map(str::to_owned);
        let changes = changes.map(str::to_owned).into_iter().chain(others);
        for change in changes.chain([format!("weights set {weight}")]) {
            let mut shell = stopped(game);
            assert!(run(&mut shell, "step")["event"].is_object());
            run(&mut shell, &change);
            assert_eq!(run(&mut shell, "search show")["record"], "on", "{change}");
        }
    }
}

#[test]
fn a_session_is_saved_without_the_engines_search() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved.ron");
    for game in BOTH {
        for search in ["break depth=0; engine play --depth 4", "hint --depth 3"] {
            let mut shell = shell(&format!("{game}; search run --depth 2"));
            let before = own(&mut shell);
            run(&mut shell, search);
            let found = run(&mut shell, "search result");
            run(&mut shell, &format!("session save {}", file.display()));
            let after = run(&mut shell, "search result");
            assert_eq!((&after["nodes"], &after["best"]), (&found["nodes"], &found["best"]));
            let mut loaded = Shell::default();
            run(&mut loaded, &format!("session load {}", file.display()));
            assert_eq!(own(&mut loaded), before);
            assert!(loaded.run_line("search result").pop().unwrap().is_err());
            assert_eq!(run(&mut loaded, "timeline list")["timelines"].as_array().unwrap().len(), 1);
            run(&mut shell, "search drop");
            assert_eq!(own(&mut shell), before);
        }
    }
}
