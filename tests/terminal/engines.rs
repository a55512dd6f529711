//! External engines: the program itself, scripts that behave badly, and real engines where they are
//! installed.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::pty::PROGRAM;

/// Runs commands; the replies as JSON.
fn run(commands: &str) -> Output {
    Command::new(PROGRAM).args(["--json", "-c", commands]).output().unwrap()
}

/// The last reply of commands that succeed.
#[track_caller]
fn last(commands: &str) -> Value {
    let output = run(commands);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{commands}: {text} {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// The message and the hint of the command that fails.
#[track_caller]
fn fault(commands: &str) -> String {
    let output = run(commands);
    assert_eq!(output.status.code(), Some(1), "{commands}: {output:?}");
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    format!(
        "{} ({})",
        error["error"]["message"].as_str().unwrap(),
        error["error"]["hint"].as_str().unwrap_or_default()
    )
}

/// A shell script as an engine: the command that starts it.
fn script(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    format!("sh {}", file.display())
}

/// The beginning of a script that introduces itself as an engine.
const POLITE: &str = "
while read -r line; do
    case $line in
    uci) echo 'id name Fake'; echo uciok ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
";

#[test]
fn the_program_counts_as_it_does_itself() {
    let own = format!("{PROGRAM} uci");
    let positions = [
        ("chess", "position start", 4),
        (
            "chess",
            "position set r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            3,
        ),
        ("morris", "position start", 3),
    ];
    for (game, position, depth) in positions {
        let found = last(&format!("game {game}; {position}; perft diff '{own}' {depth}"));
        assert_eq!(
            (&found["equal"], &found["move"]),
            (&Value::Bool(true), &Value::Null),
            "{found}"
        );
    }
}

#[test]
fn another_rule_is_found_at_its_position() {
    let folder = TempDir::new().unwrap();
    // An engine that takes one stone for two mills.
    let other = script(
        folder.path(),
        "one",
        &format!(
            "(echo 'setoption name double_mill value one'; cat) | {PROGRAM} uci --game morris"
        ),
    );
    let position = "position set w.w...../.w...b../.w...b.. b 5 6";
    let found = last(&format!("game morris; {position}; perft diff '{other}' 3"));
    assert_eq!(found["equal"], false);
    // After a black move that leaves d7 free, White closes two mills there.
    let [line, differing] = [&found["line"], &found["move"]].map(Value::to_string);
    assert_eq!(found["line"].as_array().unwrap().len(), 1, "{line}");
    assert!(differing.starts_with("\"d7x") && differing.matches('x').count() == 2, "{differing}");
    assert_eq!((found["ours"].as_u64(), found["theirs"].as_u64()), (Some(18), None), "{found}");
}

#[test]
fn wrong_counts_and_missing_moves_are_told_apart() {
    let folder = TempDir::new().unwrap();
    let filter = |name: &str, expression: &str| {
        script(folder.path(), name, &format!("{PROGRAM} uci | sed -u {expression}"))
    };
    let diff = |other: &str| last(&format!("game chess; perft diff '{other}' 2"));
    let found = diff(&filter("missing", "/^e2e4:/d"));
    assert_eq!(
        (found["move"].as_str(), found["ours"].as_u64(), found["theirs"].as_u64()),
        (Some("e2e4"), Some(20), None)
    );
    let found = diff(&filter("more", "'s/^e2e4: /e2e5: 7\\n&/'"));
    assert_eq!(
        (found["move"].as_str(), found["ours"].as_u64(), found["theirs"].as_u64()),
        (Some("e2e5"), None, Some(7))
    );
    // The counts below the move are equal.
    let found = diff(&filter("wrong", "'s/^e2e4: 20/e2e4: 21/'"));
    assert_eq!(
        (found["move"].as_str(), found["ours"].as_u64(), found["theirs"].as_u64()),
        (Some("e2e4"), Some(20), Some(21))
    );
    assert_eq!(found["line"].as_array().unwrap().len(), 0);
}

#[test]
fn an_engine_that_behaves_badly_is_a_fault_and_the_rest_stays() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let cases = [
        ("dies", "exit 3".to_owned(), "has ended (exit status: 3) after `uci`"),
        (
            "dies-later",
            format!("{POLITE}    go*) echo oops >&2; sleep 0.3; exit 4 ;;\n esac; done"),
            "the engine's last line was `oops`",
        ),
        (
            "moves",
            format!("{POLITE}    go*) echo bestmove e2e4 ;;\n esac; done"),
            "with a move, not with counts",
        ),
        (
            "hangs",
            format!("{POLITE}    go*) sleep 1000 ;;\n esac; done"),
            "within 1 s and was killed",
        ),
        (
            "chatters",
            format!("{POLITE}    go*) yes info string hello ;;\n esac; done"),
            "within 1 s and was killed",
        ),
    ];
    for (name, text, expected) in cases {
        let command = script(folder, name, &text);
        let since = Instant::now();
        let said = fault(&format!(
            "game chess; engine add {name} {command}; perft diff {name} 2 --patience 1"
        ));
        assert!(said.contains(expected), "{name}: {said}");
        assert!(since.elapsed() < Duration::from_secs(20), "{name}");
    }
    assert!(fault("game chess; perft diff nobody").contains("no engine is called `nobody`"));
    assert!(fault("game chess; perft diff '/no/such/engine --uci'").contains("cannot run"));
    assert!(fault("engine add bad name; engine play --with bad").contains("cannot run `name`"));
    // An engine without variants plays chess only.
    let chess_only = script(folder, "polite", &format!("{POLITE} esac; done"));
    assert!(fault(&format!("perft diff '{chess_only}'")).contains("does not play morris"));
}

#[test]
fn engines_play_at_the_board() {
    let folder = TempDir::new().unwrap();
    let own = format!("{PROGRAM} uci");
    for game in ["morris", "chess"] {
        let played = last(&format!(
            "game {game}; engine add own {own}; engine play --with own --depth 2; engine play --with own --time 50"
        ));
        assert_eq!(played["undo"], 2, "{played}");
    }
    let log = last(&format!(
        "game chess; engine add own {own}; engine play --with own --depth 1; engine log own"
    ));
    let lines = log["lines"].as_array().unwrap();
    assert!(
        lines.contains(&"> go depth 1".into())
            && lines.iter().any(|line| line.as_str().unwrap().starts_with("< bestmove ")),
        "{log}"
    );
    let list = last(&format!(
        "engine add own {own}; engine add sf stockfish; engine remove sf; engine list"
    ));
    assert_eq!(list["engines"][0]["name"], "own");
    assert_eq!(list["engines"].as_array().unwrap().len(), 1);
    // A mate that the engine announces is a value of ours.
    let mate = last(&format!(
        "game chess; engine add own {own}; position set 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1; engine play --with own --depth 3"
    ));
    assert_eq!(
        (mate["played"].as_str(), mate["value"].as_f64(), mate["finished"].as_bool()),
        (Some("a1a8"), Some(99_998.0), Some(true)),
        "{mate}"
    );
    let asked = last(&format!("game chess; engine add own {own}; engine analyse own --depth 3"));
    assert_eq!((asked["depth"].as_u64(), &asked["pv"][0]), (Some(3), &asked["best"]), "{asked}");
    let cheat = script(
        folder.path(),
        "cheat",
        &format!("{POLITE}    go*) echo bestmove e2e5 ;;\n esac; done"),
    );
    let said = fault(&format!("game chess; engine add cheat {cheat}; engine play --with cheat"));
    assert!(said.contains("the engine `cheat` has chosen an illegal move"), "{said}");
    let output = run(&format!(
        "game chess; engine add cheat {cheat}; engine play --with cheat --time 10; position show"
    ));
    assert!(String::from_utf8(output.stdout).unwrap().lines().count() == 2, "nothing is played");
}

#[test]
fn engines_are_players_and_lose_by_their_faults() {
    let folder = TempDir::new().unwrap();
    let own = format!("{PROGRAM} uci");
    let game = "game morris; rules show";
    let players = "'us: depth=2' 'guest: engine=own depth=2'";
    let standings =
        last(&format!("{game}; engine add own {own}; match run {players} --swap; match show"));
    let games = standings["games"].as_array().unwrap();
    assert_eq!(games.len(), 2, "{standings}");
    for (name, text, expected) in [
        ("cheat", "go*) echo bestmove e2e5 ;;", "illegal move e2e5"),
        ("dies", "go*) exit 4 ;;", "has ended (exit status: 4)"),
    ] {
        let command = script(folder.path(), name, &format!("{POLITE}    {text}\n esac; done"));
        let players = format!("'us: depth=1' '{name}: engine={name} movetime=20'");
        let shown = last(&format!(
            "game chess; engine add {name} {command}; match run {players} --swap; match show"
        ));
        for game in shown["games"].as_array().unwrap() {
            let white = game["white"].as_str().unwrap();
            let winner = if white == "us" { "w" } else { "b" };
            assert_eq!(game["winner"], winner, "{game}");
            assert!(game.to_string().contains(expected), "{game}");
        }
    }
    // The command of a player that is kept has no blanks.
    let list = last(&format!(
        "engine add own {own}; player define guest engine=own movetime=50; player list"
    ));
    let settings = &list["players"][0]["settings"];
    assert_eq!(settings["engine"], format!("{PROGRAM}%20uci"), "{list}");
    assert_eq!(settings["time_ms"], 50, "{list}");
}

#[test]
fn an_engine_analyses_in_the_background() {
    let folder = TempDir::new().unwrap();
    // It searches on until it is told to stop, and names the position by its number of moves.
    let endless = script(
        folder.path(),
        "endless",
        &format!(
            "{POLITE}    position*) case $line in *moves*) mv=e7e5 ;; *) mv=e2e4 ;; esac ;;
    go*) echo \"info depth 7 multipv 1 score cp 31 nodes 100 pv $mv\"
         echo \"info depth 7 multipv 2 score mate 2 nodes 100 pv a2a3 a7a6 x\" ;;
    stop) echo bestmove $mv ;;
    esac; done"
        ),
    );
    // The thread needs a while to read the lines.
    let wait = "search run --time 700";
    let followed = last(&format!(
        "game chess; engine add e {endless}; engine follow e; {wait}; engine follow"
    ));
    assert_eq!(
        (&followed["engine"], followed["fault"].is_null()),
        (&"e".into(), true),
        "{followed}"
    );
    let lines = followed["lines"].as_array().unwrap();
    assert_eq!(
        (lines.len(), &lines[0]["pv"][0], &lines[0]["value"]),
        (2, &"e2e4".into(), &31.0.into())
    );
    assert_eq!(lines[1]["pv"].as_array().unwrap().len(), 2, "{followed}");
    let moved = last(&format!(
        "game chess; engine add e {endless}; engine follow on; play e4; engine follow; {wait}; engine follow"
    ));
    assert_eq!(moved["lines"][0]["pv"][0], "e7e5", "{moved}");
    let off =
        last(&format!("game chess; engine add e {endless}; engine follow e; engine follow off"));
    assert_eq!(off["engine"], Value::Null);
    let dead = script(folder.path(), "dead", "exit 3");
    let told =
        last(&format!("game chess; engine add e {dead}; engine follow e; {wait}; engine follow"));
    assert!(told["fault"].as_str().unwrap().contains("has ended (exit status: 3)"), "{told}");
    let other =
        last(&format!("game chess; engine follow 'x {endless}'; game morris; engine follow"));
    assert!(other["fault"].as_str().unwrap().contains("started for chess"), "{other}");
    assert!(fault("engine follow nobody").contains("no engine is called `nobody`"));
}

#[test]
fn another_engine_is_the_opponent_at_the_board() {
    let own = format!("{PROGRAM} uci");
    let played = last(&format!(
        "game chess; engine add own {own}; engine opponent own; engine level 1; engine play; engine play"
    ));
    assert_eq!((&played["undo"], &played["depth"]), (&2.into(), &1.into()), "{played}");
    let log = last(&format!(
        "game chess; engine add own {own}; engine opponent own; engine level 3; engine play; engine log own"
    ));
    assert!(log["lines"].as_array().unwrap().contains(&"> go nodes 2000".into()), "{log}");
    let gone = last(&format!(
        "engine add own {own}; engine opponent own; engine remove own; engine opponent"
    ));
    assert_eq!(gone["opponent"], Value::Null);
    assert!(fault("engine opponent nobody").contains("no engine is called `nobody`"));
}

#[test]
fn two_engines_are_compared_position_by_position() {
    let folder = TempDir::new().unwrap();
    let own = format!("{PROGRAM} uci");
    let equal = last(&format!("game chess; engine diff '{own}' '{own}' tactics --depth 2"));
    assert_eq!((&equal["equal"], &equal["positions"]), (&true.into(), &59.into()), "{equal}");
    for game in ["chess", "morris"] {
        let other = script(
            folder.path(),
            "other",
            &format!(
                "{PROGRAM} uci --game {game} | sed -u 's/ depth 3 \\(.*\\) nodes [0-9]*/ depth 3 \\1 nodes 7/'"
            ),
        );
        let found = last(&format!(
            "game {game}; engine diff '{own} --game {game}' '{other}' standard --depth 4"
        ));
        let differing = &found["differing"];
        assert_eq!(
            (&differing["depth"], &differing["position"]),
            (&3.into(), &1.into()),
            "{found}"
        );
        assert_eq!(differing["found"][1]["nodes"], 7, "{found}");
        let trace = differing["trace"].as_str().unwrap();
        assert!(trace.starts_with("trace diff --uci ") && trace.contains("go depth 3"), "{trace}");
    }
    assert!(fault("engine diff 'no such' 'x y'").contains("cannot run"));
}

/// The command that `engine diff` prints chooses the game and sets the options as the comparison did.
#[test]
fn the_suggested_comparison_of_traces_chooses_the_game() {
    let folder = TempDir::new().unwrap();
    let log = |name: &str| folder.path().join(format!("{name}.log"));
    // The engines write what they are sent into a file, and the header of a trace for each search.
    let engine = |name, filter| {
        let file = log(name);
        let trace = r#"s/^bestmove/info string ply {"plytrace":1}\n&/"#;
        let text = format!(
            "tee -a '{}' | {PROGRAM} uci | sed -u -e '{trace}' -e '{filter}'",
            file.display()
        );
        script(folder.path(), name, &text)
    };
    let first = engine("first", "");
    let second = format!("{} -- Move+Overhead=20", engine("second", "s/ nodes [0-9]*/ nodes 7/"));
    let found = last(&format!("game morris; engine diff '{first}' '{second}' standard --depth 1"));
    for name in ["first", "second"] {
        fs::remove_file(log(name)).unwrap();
    }
    let command = found["differing"]["trace"].as_str().unwrap();
    run(command);
    let variant = "uci\nsetoption name UCI_Variant value morris\n";
    for (name, begin) in [
        ("first", format!("{variant}position fen ")),
        ("second", format!("{variant}setoption name Move Overhead value 20\nposition fen ")),
    ] {
        let sent = fs::read_to_string(log(name)).unwrap();
        assert!(sent.starts_with(&begin), "{command}: {sent}");
    }
}

#[test]
fn a_morris_engine_with_the_dialect_of_sanmill_is_a_guest() {
    let folder = TempDir::new().unwrap();
    // As Sanmill: no variants, a move and each stone that it takes are words, and the move stands behind the data.
    let engine = script(
        folder.path(),
        "sanmill",
        "
while read -r line; do
    case $line in
    uci) echo 'id name Mill'; echo 'option name flyPieceCount type spin default 3'; echo uciok ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
    position*) asked=$line ;;
    go*)
        case $asked in
        'position startpos moves d6 f4 f6 b4') best=b6 ;;
        *' b4 b6') best=xf4 ;;
        'position fen ********/*******@/OO*O@*@* w m s 3 0 3 0 0 0 0 0 0 0 0 0 1') best=d7-a7 ;;
        *) best=none ;;
        esac
        echo \"info depth 7 score cp 5 nodes 1177 bestmove $best\" ;;
    esac
done",
    );
    let play = |line: &str| last(&format!("{line}; engine analyse '{engine}' --time 10"));
    let mill = play("play d6 f4 f6 b4");
    assert_eq!(mill["best"], "b6xf4");
    assert_eq!((&mill["depth"], &mill["nodes"]), (&Value::from(7), &Value::from(1177)));
    let placed = play("position set .ww.wb.b/b......./........ w 0 0");
    assert_eq!(placed["best"], "d7-a7");
    let refused = fault(&format!("game chess; engine analyse '{engine}' --time 10"));
    assert!(refused.contains("does not play chess"), "{refused}");
}

#[test]
fn options_of_an_engine_follow_its_command() {
    let own = format!("{PROGRAM} uci -- depth=1 Move+Overhead=20");
    let log = last(&format!(
        "game chess; engine add own {own}; engine analyse own --depth 4; engine log own"
    ));
    let lines = log["lines"].as_array().unwrap();
    for option in ["depth value 1", "Move Overhead value 20"] {
        assert!(lines.contains(&format!("> setoption name {option}").into()), "{log}");
    }
    assert!(lines.contains(&"< readyok".into()), "{log}");
}

#[test]
fn a_player_is_rated_against_engines_of_known_strength() {
    let own = format!("{PROGRAM} uci");
    let rated = last(&format!(
        "game chess; engine add own {own}; match rate 'me: depth=1' own=1500 --games 2 --budget 60"
    ));
    let row = &rated["references"][0];
    let games: u64 = row["games"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!((games, &row["name"]), (4, &"own".into()), "{rated}");
    assert!(fault("match rate default own").contains("NAME=ELO"));
    let gone = fault("game chess; engine add gone /no/such/engine; match rate default gone=1500");
    assert!(gone.contains("cannot run"), "{gone}");
    assert!(fault("match rate nobody own=1500").contains("own"));
}

/// Whether a program is installed.
fn is_installed(program: &str) -> bool {
    let found = Path::new("/usr/games").join(program).exists()
        || Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn real_engines_count_and_play() {
    for name in ["stockfish", "fairy-stockfish"].into_iter().filter(|name| is_installed(name)) {
        let path = Path::new("/usr/games").join(name);
        let program = if path.exists() { path.display().to_string() } else { name.to_owned() };
        let position =
            "position set r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let found =
            last(&format!("game chess; engine add sf {program}; {position}; perft diff sf 3"));
        assert_eq!(found["equal"], true, "{found}");
        let played =
            last(&format!("game chess; engine add sf {program}; engine play --with sf --time 50"));
        assert_eq!(played["undo"], 1, "{played}");
    }
}
