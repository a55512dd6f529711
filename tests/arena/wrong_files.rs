//! Files that are damaged, of another kind or of another tournament.

use std::fs;

use plyscope::{
    command::Shell,
    engine::arena::{Shard, Spec, State},
    engine::files,
    engine::morris::Morris,
};

use crate::support::{fails, played, run, spec};

fn small() -> Spec {
    spec(&["a: depth=1", "b: depth=1 mills=0"], 2, 1)
}

#[test]
fn everything_wrong_with_a_tournament_is_told_at_once() {
    let text = r#"(
        version: 7,
        game: "morris",
        rules: {"flyin": "on"},
        players: ["a: dept=3", "a: depth=3", "b", "a:"],
        games: 0,
        draws: {"no_mill": "x"},
        sprt: (elo0: 5.0, elo1: 1.0),
        start: "nonsense",
    )"#;
    let fault = Spec::read(text)
        .unwrap()
        .plan(&Morris::default())
        .unwrap_err();
    for part in [
        "version: 7",
        "rules.flyin",
        "players[0]: a player has no `dept`",
        "players[2]",
        "players[3]: a second player is called a",
        "games: 0",
        "draws.no_mill",
        "sprt: the test has elo0=5 and elo1=1",
        "start:",
    ] {
        assert!(fault.message.contains(part), "{part}: {fault}");
    }
    let fault = Spec::read("(game: \"morris\", players: [], colour: 1)").unwrap_err();
    assert!(fault.message.contains("colour"), "{fault}");
    let fault = Spec::read("(game: ").unwrap_err();
    assert!(fault.message.starts_with("line 1"), "{fault}");
    let one = Spec::of("morris", vec!["a: depth=1".into()]);
    assert!(
        one.plan(&Morris::default())
            .is_err_and(|fault| fault.message.contains("only one"))
    );
    let chess = Spec::of("chess", vec!["a:".into(), "b:".into()]);
    assert!(
        chess
            .plan(&Morris::default())
            .is_err_and(|fault| fault.message.contains("of chess"))
    );
}

#[test]
fn documents_read_back() {
    let mut spec = small();
    spec.draws.insert("counting".into(), "seed".into());
    assert_eq!(Spec::read(&spec.write().unwrap()).unwrap(), spec);
}

#[test]
fn a_state_that_was_cut_off_anywhere_is_read_or_refused_and_never_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.jsonl");
    let text = played(&small(), 1, Shard::WHOLE);
    let head = text.find('\n').unwrap();
    for end in (0..text.len())
        .step_by(7)
        .chain([head, head + 1, text.len() - 1])
    {
        fs::write(&path, &text[..end]).unwrap();
        match State::read(&path) {
            Ok((state, notes)) => {
                assert!(end >= head, "{end}");
                let whole = text[..end].matches('\n').count();
                let torn = !text[..end].ends_with('\n');
                assert!(state.lines.len() + 1 >= whole);
                assert!(torn || notes.is_empty());
                // What was read is a beginning of the whole.
                assert!(text.starts_with(&state.text().unwrap()) || end < head + 1);
            }
            Err(fault) => {
                assert!(end <= head, "{end}: {fault}");
                assert!(fault.message.contains("cut.jsonl"), "{fault}");
            }
        }
    }
}

#[test]
fn a_state_that_another_process_writes_is_left_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.jsonl");
    let text = played(&small(), 1, Shard::WHOLE);
    let begun = text.split_inclusive('\n').take(2).collect::<String>();
    fs::write(&path, &begun).unwrap();
    let mut shell = Shell::default();
    let held = files::append(&path).unwrap();
    let resume = format!("tournament resume {}", path.display());
    let fault = fails(&mut shell, &resume);
    assert!(fault.contains("another process is writing"), "{fault}");
    assert_eq!(fs::read_to_string(&path).unwrap(), begun);
    drop(held);
    run(&mut shell, &resume);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn wrong_lines_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.jsonl");
    let text = played(&small(), 1, Shard::WHOLE);
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        State::read(&path).unwrap_err().message
    };
    let second = text.lines().nth(1).unwrap();
    assert!(read("").contains("empty"));
    assert!(read("{}\n").contains(":1: no tournament"));
    assert!(read(&text.replace("\"tournament\"", "\"cache\"")).contains("another kind"));
    assert!(read(&text.replacen(second, "{\"game\":0}", 1)).contains(":2: no game"));
    let twice = format!("{text}{}\n", second.replace("\"winner\":", "\"winner\": "));
    fs::write(&path, &twice).unwrap();
    assert_eq!(State::read(&path).unwrap().0.lines.len(), 4);
    let other = second.replacen("\"moves\":\"", "\"moves\":\"d7 ", 1);
    assert!(read(&format!("{text}{other}\n")).contains("game 1 is there twice"));
}

#[test]
fn parts_of_different_tournaments_do_not_merge() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("1.jsonl"), played(&small(), 1, Shard { part: 1, of: 2 })).unwrap();
    let other = Spec { seed: 6, ..small() };
    fs::write(at("2.jsonl"), played(&other, 1, Shard { part: 2, of: 2 })).unwrap();
    let mut shell = Shell::default();
    let merge = format!(
        "tournament merge {} {} {}",
        at("whole.jsonl").display(),
        at("1.jsonl").display(),
        at("2.jsonl").display()
    );
    let fault = fails(&mut shell, &merge);
    assert!(fault.contains("different tournaments"), "{fault}");
    assert!(!at("whole.jsonl").exists());
    let fault = fails(&mut shell, "tournament show");
    assert!(fault.contains("no games are at hand"), "{fault}");
}

#[test]
fn an_existing_state_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.jsonl");
    let mut shell = Shell::default();
    let play = format!(
        "tournament play \"a: depth=1\" \"b: depth=1\" --state {}",
        path.display()
    );
    run(&mut shell, &play);
    let before = fs::read_to_string(&path).unwrap();
    let fault = fails(&mut shell, &play);
    assert!(
        fault.contains("is there already") && fault.contains("tournament resume"),
        "{fault}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
}

#[test]
fn caches_of_other_weights_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.cache");
    let mut shell = Shell::default();
    run(&mut shell, "search run --depth 2");
    run(&mut shell, &format!("cache save {}", path.display()));
    let player = |weights: &str| format!("\"a: depth=2 {weights} cache_file={}\"", path.display());
    let play = |player: String| format!("match run {player} \"b: depth=1\"");
    let round = run(&mut shell, &play(player("")));
    assert_eq!(round["played"], 1);
    let fault = fails(&mut shell, &play(player("mills=3")));
    assert!(
        fault.contains("player a") && fault.contains("would be wrong here"),
        "{fault}"
    );
    let fault = fails(&mut shell, &play(player("memo=bound")));
    assert!(fault.contains("memo=interval"), "{fault}");
}
