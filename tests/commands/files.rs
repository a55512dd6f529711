//! Files and streams of the program: pipes as input, refused files, standard output.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
    sync::atomic::Ordering::Relaxed,
    thread,
    time::Duration,
};

use plyscope::{command::Shell, text::CsvTable};

/// Runs a line of the shell, in which `plyscope` is the program.
fn sh(folder: &Path, line: &str) -> Output {
    let function = format!("plyscope() {{ '{}' \"$@\"; }}\n", env!("CARGO_BIN_EXE_plyscope"));
    Command::new("timeout")
        .args(["--kill-after=1", "60", "bash", "-c"])
        .arg(function + line)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The output of a line that succeeds.
#[track_caller]
fn printed(folder: &Path, line: &str) -> String {
    let output = sh(folder, line);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The error text of a line that fails with exit status 1.
#[track_caller]
fn refused(folder: &Path, line: &str) -> String {
    let output = sh(folder, line);
    assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn scripts_come_from_any_stream() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "plyscope run <(echo 'echo here')",
        "echo 'echo here' | plyscope run /dev/stdin",
        "echo 'echo here' | plyscope run -",
        "echo 'echo here' | plyscope -c 'source -'",
        "mkfifo f; (sleep 0.2; echo 'echo here' > f) & plyscope run f",
    ] {
        assert_eq!(printed(folder.path(), line), "here\n", "{line}");
    }
    for line in ["plyscope run /dev/zero", "plyscope run - < /dev/zero"] {
        let output = sh(folder.path(), line);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains("is longer than 16 MiB"), "{line}: {said}");
    }
}

#[test]
fn documents_must_be_files_and_reading_never_waits() {
    let folder = tempfile::tempdir().unwrap();
    printed(folder.path(), "mkfifo f");
    for command in [
        "session load",
        "cache load",
        "cache check",
        "cache save",
        "match load",
        "tournament load",
        "tournament run",
        "position show; picture board x.svg; weights compare default current --suite",
    ] {
        for name in ["f", "/dev/zero"] {
            let said = refused(folder.path(), &format!("plyscope -c '{command} {name}'"));
            let words = format!("`{name}`: it is not a regular file");
            assert!(said.contains(&words), "{command} {name}: {said}");
            assert!(said.contains("or `-` for standard"), "{command} {name}: {said}");
        }
    }
    let said = refused(folder.path(), "plyscope -c 'game chess; pgn load f'");
    assert!(said.contains("it is not a regular file"), "{said}");
    let said = refused(folder.path(), "plyscope -c 'game chess; pgn save f'");
    assert!(said.contains("it is not a regular file"), "{said}");
}

#[test]
fn a_document_may_be_standard_input_or_output() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    printed(folder, "plyscope -c 'game chess; play e4 e5; pgn save game.pgn'");
    let game = fs::read_to_string(folder.join("game.pgn")).unwrap();
    for line in [
        "plyscope -c 'game chess; play e4 e5; pgn save -' | sed -n '/^\\[Event/,$p'",
        "plyscope --json -c 'game chess; play e4 e5; pgn save -' | tail -n +3",
        "plyscope --json -c 'game chess; play e4 e5; pgn save /dev/stdout' | tail -n +3",
    ] {
        assert_eq!(printed(folder, line), game, "{line}");
    }
    let line = "cat game.pgn | plyscope -c 'game chess; pgn load -; pgn load -; redo'";
    assert!(printed(folder, line).contains("last move e4"));
    let said = refused(folder, "printf 'game chess\npgn load -\n' | plyscope");
    assert!(said.contains("the commands are read from standard input"), "{said}");

    let line = "plyscope -c 'run --depth 3; cache save a.plycache; cache clear'; \
                plyscope -c 'cache load -; cache stats' < a.plycache; \
                plyscope -c 'cache load -; cache stats' < <(cat a.plycache)";
    let said = printed(folder, line);
    let loaded: Vec<_> = said.lines().filter(|line| line.contains(" from -")).collect();
    assert_eq!(loaded.len(), 2, "{said}");
    assert_eq!(loaded[0], loaded[1]);
}

#[test]
fn exports_go_to_standard_output_in_a_format_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["morris", "chess"] {
        for (command, begins) in
            [("export tree - --depth 1", "digraph"), ("picture board -", "<svg")]
        {
            let line = format!(
                "plyscope -c 'game {game}; run --depth 2; echo cut here; {command}' | sed '1,/^cut here/d'"
            );
            let said = printed(folder.path(), &line);
            assert!(said.starts_with(begins), "{line}: {said}");
            assert!(!said.contains("to -"), "{line}: {said}");
        }
    }
    let play = "match run default \"b: depth=1\" --games 1";
    let line =
        format!("plyscope -c '{play}; echo cut here; tournament save -' | sed '1,/^cut here/d'");
    let json: serde_json::Value = serde_json::from_str(&printed(folder.path(), &line)).unwrap();
    assert!(json["standings"].is_array());
    printed(folder.path(), "plyscope -c 'run --depth 2; export tree -' | head -c 1");
}

#[test]
fn new_files_obey_the_mask_and_old_ones_keep_their_mode() {
    let folder = tempfile::tempdir().unwrap();
    let mode = |name: &str| {
        let found = fs::metadata(folder.path().join(name)).unwrap();
        found.permissions().mode() & 0o777
    };
    for (mask, wanted) in [("022", 0o644), ("077", 0o600)] {
        let line = format!("umask {mask}; plyscope -c 'run --depth 1; cache save {mask}'");
        printed(folder.path(), &line);
        assert_eq!(mode(mask), wanted);
    }
    printed(folder.path(), "umask 077; plyscope -c 'run --depth 1; cache save 022'");
    assert_eq!(mode("022"), 0o644);
}

#[test]
fn a_damaged_cache_file_is_reported_and_fails_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    printed(folder, "plyscope -c 'run --depth 3; cache save good; cache check good'");
    let mut bytes = fs::read(folder.join("good")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(folder.join("bad"), bytes).unwrap();
    let output = sh(folder, "plyscope -c 'cache check bad; echo after'");
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("bad: not sound") && !stdout.contains("after"), "{stdout}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("-c:1:1: error: `bad` is damaged")
            && said.contains("cache load FILE --salvage"),
        "{said}"
    );

    let rest = printed(
        folder,
        "plyscope -c 'cache load bad --salvage; cache save rest; cache check rest'",
    );
    assert!(rest.contains("1 damaged place left out") && rest.contains("rest: sound"), "{rest}");

    let output = sh(folder, "plyscope --json --keep-going -c 'cache check bad; echo after'");
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("\"sound\":false") && stdout.contains("after"), "{stdout}");
}

#[test]
fn empty_files_are_not_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("empty"), "").unwrap();
    fs::write(folder.join("empty.pgn"), "\n\n").unwrap();
    fs::write(folder.join("empty.ron"), "").unwrap();
    for (game, command) in [
        ("morris", "cache load empty"),
        ("chess", "cache load empty"),
        ("morris", "match load empty"),
        ("chess", "match load empty.pgn"),
        ("chess", "pgn load empty.pgn"),
        ("morris", "session load empty"),
        ("morris", "tournament load empty"),
        ("morris", "tournament run empty.ron"),
        ("morris", "train resume empty.ron"),
        ("morris", "weights compare default current --suite empty"),
    ] {
        let mv = if game == "chess" { "e4" } else { "d6" };
        let before = format!("game {game}; play {mv}; undo; run --depth 2");
        let state = "cache stats --json; position show; search show; match show";
        let line = format!(
            "plyscope --keep-going -c '{before}; echo cut; {state}; echo cut; {command}; echo cut; {state}'"
        );
        let output = sh(folder, &line);
        assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
        let stdout = String::from_utf8(output.stdout).unwrap();
        let parts: Vec<_> = stdout.split("cut\n").collect();
        assert_eq!(parts[1], parts[3], "{line}");
        assert_eq!(parts[2], "", "{line}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("empty"), "{line}: {said}");
        assert!(!said.contains("struct"), "{line}: {said}");
    }
    // An empty seed cache, whose format the user gives, and one of ours.
    let line =
        "plyscope -c 'cache load empty --format seed-search; cache save none; cache load none'";
    assert_eq!(printed(folder, line).matches("loaded 0 entries").count(), 2);
}

#[test]
fn long_lines_of_moves_are_played_in_time_and_can_be_stopped() {
    let mut shell = Shell::default();
    let set = "position set w.w...../.w....../b.b..b.. w 0 0";
    shell.run_line(set).pop().unwrap().unwrap();
    let line = format!("play {}", "a7-a4 c5-c4 a4-a7 c4-c5 ".repeat(25_000));
    let interrupt = shell.interrupt();
    let pressing = thread::spawn(move || {
        // Repeatedly: a command that begins clears an earlier interrupt.
        while std::sync::Arc::strong_count(&interrupt) > 1 {
            interrupt.store(true, Relaxed);
            thread::sleep(Duration::from_millis(1));
        }
    });
    let failure = shell.run_line(&line).pop().unwrap().unwrap_err();
    assert!(failure.fault.message.starts_with("interrupted"), "{}", failure.fault);
    assert_eq!(shell.engine.session().position().undo, 1);
    drop(shell);
    pressing.join().unwrap();

    let mut shell = Shell::default();
    shell.run_line(set).pop().unwrap().unwrap();
    shell.run_line(&line).pop().unwrap().unwrap();
    assert_eq!(shell.engine.session().position().undo, 100_001);
}

/// The cells of a file of comma-separated values without quoted cells.
fn cells(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn tables_are_exported_with_all_rows_and_exact_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let table = |commands: &str| {
        let line = format!("plyscope --no-times -c '{commands}; export table t.csv'");
        printed(folder, &line);
        cells(folder, "t.csv")
    };
    let heads = [&["move", "nodes"][..], &["move", "san", "nodes"]];
    for ((game, moves, first), head) in
        [("morris", 24, "a7"), ("chess", 20, "a2a3")].into_iter().zip(heads)
    {
        let rows = table(&format!("game {game}; perft 2"));
        assert_eq!(rows[0], head, "{game}");
        assert_eq!(rows.len(), 1 + moves, "{game}");
        assert!(rows.iter().any(|row| row[0] == first), "{game}: {rows:?}");
        let rows = table(&format!("game {game}; search set depth=2; search run"));
        let place = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
        let (mv, value) = (place("move"), place("value"));
        assert!(rows[0].iter().any(|column| column == "pv"), "{:?}", rows[0]);
        assert_eq!(rows.len(), 1 + moves, "{game}");
        assert!(rows[1..].iter().all(|row| row[value].parse::<f64>().is_ok()), "{game}: {rows:?}");
        assert!(rows[1..].iter().any(|row| row[mv] == first), "{game}: {rows:?}");
        let rows = table(&format!("game {game}; search run --depth 3; cache list --limit 40"));
        assert_eq!(rows.len(), 41, "{game}: more rows than fit on a screen");
        assert!(rows[0].iter().any(|column| column == "bound"), "{game}: {:?}", rows[0]);
        let rows = table(&format!(
            "game {game}; tournament play \"a: depth=1\" \"b: depth=1\" \"c: depth=1\" --draws max_turns=6"
        ));
        let head = rows[0].join(",");
        assert!(head.starts_with("name,games,wins,draws,losses,points,strength"), "{game}: {head}");
        assert!(head.contains(",cost.nodes_a_move,"), "{game}: {head}");
        assert_eq!(rows.len(), 4, "{game}");
    }
    let rows = table("weights compare default \"mills=6\" \"mills=8\" --random 3 --depth 1");
    assert_eq!(
        rows[1..].iter().map(|row| row[0].as_str()).collect::<Vec<_>>(),
        ["default", "mills=6", "mills=8"]
    );
    assert!(rows[0].contains(&"weights.mills".to_owned()), "{:?}", rows[0]);
    let rows = table("train run --out t.ron --depth 1 --games 2");
    assert_eq!(
        rows,
        [
            ["games", "white", "black", "draws", "plies", "nodes", "entries"].map(str::to_owned),
            ["2", "2", "0", "0", "112", "1574", "98"].map(str::to_owned),
        ]
    );
}

#[test]
fn every_list_of_a_reply_can_be_exported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let play = "match run \"a: depth=1\" \"b: depth=1\" --swap --draws max_turns=6";
    let line = format!(
        "plyscope --json --no-times -c '{play}; export table s.csv; export table c.csv cross; export table d.csv draws; expect played == 2'"
    );
    let replies = printed(folder, &line);
    let reply = replies.lines().nth(2).unwrap();
    let reply: serde_json::Value = serde_json::from_str(reply).unwrap();
    assert_eq!(reply["file"], "c.csv");
    assert_eq!(reply["rows"], 2);
    assert_eq!(reply["columns"], serde_json::json!(["white", "black", "wins", "draws", "losses"]));
    assert_eq!(
        fs::read_to_string(folder.join("c.csv")).unwrap(),
        "white,black,wins,draws,losses\na,b,0,1,0\nb,a,0,1,0\n"
    );
    assert_eq!(
        fs::read_to_string(folder.join("d.csv")).unwrap(),
        "max_turns,occurrences,no_mill,counting\n6,5,30,sound\n"
    );
    // A document on standard output is not mixed with the reply.
    let document =
        printed(folder, "plyscope -c 'help expect; export table - examples' 2>&1 || true");
    assert!(document.contains("`examples` is not a list of objects"), "{document}");
    let document = printed(folder, "plyscope -q -c 'moves; export table -'");
    assert!(document.starts_with("move,state\n"), "{document}");
    assert_eq!(document.lines().count(), 25, "{document}");
    for (commands, why) in [
        ("export table x.csv", "the last reply has no table"),
        ("position show; export table x.csv", "the last reply has no table"),
        ("cache list; export table x.csv", "the last reply has no table"),
        ("moves; export table x.txt", "name a file that ends in .csv"),
        ("moves; export table x.csv movs", "did you mean `moves`?"),
        ("moves; export table x.csv finished", "`finished` is not a list of objects"),
    ] {
        let said = refused(folder, &format!("plyscope -c '{commands}'"));
        assert!(said.contains(why), "{commands}: {said}");
        assert!(!folder.join("x.csv").exists(), "{commands}");
    }
}

#[test]
fn cells_are_quoted_where_they_must_be() {
    let rows = serde_json::json!([
        {"a": "x, y", "b": {"c": 1.5, "d": null}, "e": ["p", 1], "f": [{"g": 1}], "h": []},
        {"a": "say \"hi\"\nthere", "z": true, "h": [2]},
    ]);
    let table = CsvTable::of(&rows).unwrap();
    assert_eq!(table.columns, ["a", "b.c", "b.d", "e", "z", "h"]);
    assert_eq!(
        table.text(),
        "a,b.c,b.d,e,z,h\n\"x, y\",1.5,,p 1,,\n\"say \"\"hi\"\"\nthere\",,,,true,2\n"
    );
    assert_eq!(CsvTable::of(&serde_json::json!([])), None);
    assert_eq!(CsvTable::of(&serde_json::json!(["a"])), None);
}

#[test]
fn quiet_leaves_expectations_and_errors() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for game in ["morris", "chess"] {
        let commands = format!("game {game}; echo note; search run --depth 2; expect depth == 2");
        let line = format!("plyscope --quiet -c '{commands}; moves'");
        assert_eq!(printed(folder, &line), "ok: depth == 2\n", "{game}");
        let line = format!("plyscope -q --json -c '{commands}; moves'");
        let said = printed(folder, &line);
        assert_eq!(said.lines().count(), 1, "{game}: {said}");
        assert!(said.starts_with(r#"{"command":"expect","expect":"depth == 2""#), "{game}: {said}");
        let output = sh(folder, &format!("plyscope -q -c '{commands}; expect depth == 3; moves'"));
        assert_eq!(output.status.code(), Some(1), "{game}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("expected depth == 3, found 2"), "{game}: {said}");
        let output =
            sh(folder, &format!("plyscope -q --keep-going -c 'game {game}; play zz; moves'"));
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{game}");
    }
    let output = sh(folder, "plyscope -q --echo -c moves");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
