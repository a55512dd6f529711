//! Tournament files that are damaged, of another kind or of another tournament.

use std::{collections::BTreeMap, fs};

use plyscope::{
    command::Shell,
    engine::{
        arena::{GameRecord, Tournament, TournamentSpec},
        chess::Chess,
        files,
        game::{Fault, Game},
        morris::Morris,
    },
};

use crate::support::{fails, one_game_each, play_some, played, run, spec, without_times};

fn small() -> TournamentSpec {
    spec(&["a: depth=1", "b: depth=1 mills=0"], 2, 1)
}

#[test]
fn every_fault_of_a_tournament_is_reported_at_once() {
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
    let fault = TournamentSpec::read(text).unwrap().plan(&Morris::default()).unwrap_err();
    for part in [
        "version: 7",
        "rules.flyin",
        "players[0]: a player has no `dept`",
        "players[2]",
        "players[3]: another player is called a",
        "games: 0",
        "draws.no_mill",
        "sprt: the test has elo0=5 and elo1=1",
        "start:",
    ] {
        assert!(fault.message.contains(part), "{part}: {fault}");
    }
    let fault = TournamentSpec::read("(game: \"morris\", players: [], colour: 1)").unwrap_err();
    assert!(fault.message.contains("colour"), "{fault}");
    let fault = TournamentSpec::read("(game: ").unwrap_err();
    assert!(fault.message.starts_with("line 1"), "{fault}");
    for (text, words) in [
        ("", "a `(` is missing"),
        ("(game: \"morris\"", "a comma or a closing bracket is missing"),
        ("(game: \"morris\")", "the field `players` is missing"),
        ("(game: \"morris\", game: \"chess\")", "the field `game` occurs twice"),
        ("(colour: 1)", "nothing is called `colour` here; the fields are version, game"),
        ("(game: \"morris\", players: []) x", "there is more text after the end"),
    ] {
        let fault = TournamentSpec::read(text).unwrap_err();
        assert!(fault.message.contains(words), "{text}: {fault}");
    }
    let one = one_game_each(&Morris::default(), vec!["a: depth=1".into()]);
    assert!(one.plan(&Morris::default()).is_err_and(|fault| fault.message.contains("only one")));
    let chess = one_game_each(&Chess::default(), vec!["a:".into(), "b:".into()]);
    assert!(chess.plan(&Morris::default()).is_err_and(|fault| fault.message.contains("of chess")));
}

#[test]
fn documents_read_back() {
    let mut spec = small();
    spec.draws.insert("counting".into(), "seed".into());
    assert_eq!(TournamentSpec::read(&spec.write().unwrap()).unwrap(), spec);
}

/// The file of a tournament with short games, and its games.
fn short<G: Game>(game: &G, deep: &str) -> (String, BTreeMap<usize, GameRecord>) {
    let players = vec!["a: depth=1".to_owned(), format!("b: {deep}")];
    let mut spec = TournamentSpec { openings: 1, ..one_game_each(game, players) };
    spec.draws.insert("max_turns".into(), "6".into());
    let mut tournament = Tournament::new(spec.plan(game).unwrap(), BTreeMap::new());
    play_some(&mut tournament, 1, usize::MAX);
    let games = tournament.records.values();
    let games = games.map(|line| (line.game, without_times(line))).collect();
    (tournament.text().unwrap(), games)
}

/// Reads bytes as a tournament's file: its games and the notes.
fn read<G: Game>(
    game: &G,
    bytes: &[u8],
) -> Result<(BTreeMap<usize, GameRecord>, Vec<String>), Fault> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.jsonl");
    fs::write(&path, bytes).unwrap();
    Tournament::read(game, &path).map(|(tournament, notes)| (tournament.records, notes))
}

fn damage_is_seen<G: Game>(game: &G, deep: &str) {
    let (text, games) = short(game, deep);
    assert_eq!(games.len(), 2);
    assert_eq!(read(game, text.as_bytes()), Ok((games.clone(), vec![])));
    let last = text.len() - 1;
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            match read(game, &bytes) {
                Ok((_, notes)) => assert!(at == last && notes[0].contains("cut off"), "{at} {bit}"),
                Err(fault) => {
                    assert!(fault.message.contains("cup.jsonl:"), "{fault}");
                    assert!(fault.hint.is_some(), "{fault}");
                }
            }
        }
        let whole = text[..at].matches('\n').count();
        match read(game, &text.as_bytes()[..at]) {
            Ok((found, notes)) => {
                assert!(games.iter().take(found.len()).eq(&found), "{at}");
                let torn = !text[..at].ends_with('\n') && found.len() < whole;
                assert!(found.len() + 1 >= whole && notes.is_empty() != torn, "{at}");
            }
            Err(fault) => assert!(whole == 0, "{at}: {fault}"),
        }
    }
}

/// A game record with a correct check sum but a fixture that the tournament does not have at this number: other
/// colours, round or opponent.
fn other_fixtures_are_refused<G: Game>(game: &G) {
    let (text, games) = short(game, "depth=1");
    let sealed = |line: &str| {
        let (content, _) = line.rsplit_once(",\"crc\":\"").unwrap();
        format!("{content},\"crc\":\"{:08x}\"}}", crc32fast::hash(content.as_bytes()))
    };
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((lines.len(), games.len(), sealed(lines[1]).as_str()), (3, 2, lines[1]));
    for (now, then) in [
        ("\"white\":0,\"black\":1", "\"white\":1,\"black\":0"),
        ("\"round\":0", "\"round\":1"),
        ("\"black\":1", "\"black\":0"),
        ("\"game\":0,", "\"game\":1,"),
        ("\"game\":0,", "\"game\":7,"),
    ] {
        assert!(lines[1].contains(now), "{now}: {}", lines[1]);
        let bytes = [lines[0], &sealed(&lines[1].replacen(now, then, 1))].join("\n") + "\n";
        let fault = read(game, bytes.as_bytes()).expect_err(then);
        assert!(fault.message.contains("is not of this tournament"), "{then}: {fault}");
        assert!(fault.message.contains(":2: "), "{then}: {fault}");
    }
}

#[test]
fn games_of_other_fixtures_are_refused() {
    other_fixtures_are_refused(&Morris::default());
    other_fixtures_are_refused(&Chess::default());
}

#[test]
fn any_flipped_bit_and_any_truncation_is_detected() {
    damage_is_seen(&Morris::default(), "depth=2");
    damage_is_seen(&Chess::default(), "depth=1 memo=none");
}

#[test]
fn a_state_file_locked_by_another_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.jsonl");
    let text = played(&small(), 1);
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
    let (text, games) = short(&Morris::default(), "depth=2");
    let read = |text: &str| read(&Morris::default(), text.as_bytes());
    let why = |text: &str| read(text).unwrap_err().message;
    assert!(why("").contains(":1: the file is empty"));
    assert!(why("{}\n").contains(":1: this is not a tournament"));
    let bare = |line: &str| line.split_once(",\"crc\"").unwrap().0.to_owned() + "}\n";
    let unsealed: String = text.lines().map(bare).collect();
    assert!(why(&unsealed).contains(":1: this is not a tournament, or it is damaged"));
    assert!(why(&text.replacen("\n{", "\n{}\n{", 1)).contains(":2: no game"));
    let second = text.lines().nth(1).unwrap();
    assert_eq!(read(&format!("{text}{second}\n")), Ok((games, vec![])));
    let second = unsealed.lines().nth(1).unwrap();
    assert!(why(&format!("{text}{second}\n")).contains(":4: no game"));
    let (four, _) = short(&Morris::default(), "depth=3");
    let other = four.lines().nth(1).unwrap();
    assert!(why(&format!("{text}{other}\n")).contains("game 1 is there twice"));
    let third = played(&small(), 1);
    let third = third.lines().nth(3).unwrap();
    assert!(why(&format!("{text}{third}\n")).contains("game 3 is not of this tournament"));
}

#[test]
fn an_existing_state_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.jsonl");
    let mut shell = Shell::default();
    let play = format!("tournament play \"a: depth=1\" \"b: depth=1\" --state {}", path.display());
    run(&mut shell, &play);
    let before = fs::read_to_string(&path).unwrap();
    let fault = fails(&mut shell, &play);
    assert!(fault.contains("already exists") && fault.contains("tournament resume"), "{fault}");
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
    assert!(fault.contains("player a") && fault.contains("would be wrong here"), "{fault}");
    let fault = fails(&mut shell, &play(player("memo=interval")));
    assert!(fault.contains("memo=bound"), "{fault}");
}
