//! `plyscope FILE` and `open FILE` recognise the kind of a file.

use std::{fs, path::Path, process::Command};

fn plyscope(folder: &Path, args: &[&str]) -> (i32, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_plyscope"));
    let done = program.args(args).current_dir(folder).output().unwrap();
    let said = [done.stdout, done.stderr].concat();
    (done.status.code().unwrap(), String::from_utf8(said).unwrap())
}

#[test]
fn each_kind_of_file_is_recognised() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let prepare = r#"game chess; play e4 e5; session save s.ron; pgn save g.pgn; search run --depth 3; cache save c.cache; trace record t.jsonl --depth 2; trace pack t.jsonl t.gz; tournament play "a: depth=1" "b: depth=1" --draws max_turns=6 --state cup.jsonl; train run --out tr.ron --depth 1 --games 1; tournament write w.ron "a:" "b:"; tournament save cup.json; picture board b.svg"#;
    assert_eq!(plyscope(folder, &["-c", prepare]).0, 0);
    fs::write(folder.join("script"), "echo from a script\n").unwrap();
    for (file, line, answer) in [
        ("script", "echo after it", "from a script\nafter it\n"),
        ("s.ron", "position show", "last move e5\nundo 2  redo 0\n"),
        ("g.pgn", "redo", "last move e4\n"),
        ("c.cache", "cache stats", "depth  entries"),
        ("t.jsonl", "until descend", "event 2: descend"),
        ("t.gz", "until descend", "event 2: descend"),
        ("cup.jsonl", "echo chess", "chess"),
        ("tr.ron", "echo chess", "chess"),
    ] {
        for args in [vec![file, "-c", line], vec!["-c", &*format!("open {file}"), "-c", line]] {
            let (status, said) = plyscope(folder, &args);
            assert!(status == 0 && said.contains(answer), "{args:?}: {said}");
        }
    }
    for (file, answer) in [("cup.jsonl", "2 games"), ("tr.ron", "1 game played")] {
        let (status, said) = plyscope(folder, &["-c", &format!("game morris; open {file}")]);
        assert!(status == 0 && said.contains(answer), "{file}: {said}");
    }
    for (before, depth) in [("game chess; search set depth=2", "2"), ("search set depth=2", "null")]
    {
        let line = format!("{before}; open g.pgn; search show all --json");
        let (_, said) = plyscope(folder, &["-c", &line]);
        assert!(
            said.contains(&format!(r#""depth":{depth}"#)),
            "a session of the game stays: {said}"
        );
    }
    for (file, what) in [
        ("w.ron", "a tournament that has not been played"),
        ("cup.json", "a document of results"),
        ("b.svg", "a picture"),
    ] {
        let (status, said) = plyscope(folder, &[file, "-c", "version"]);
        assert!(status == 2 && said.contains(what), "{file}: {said}");
    }
    for (file, answer) in [("s.ron", "session loaded"), ("g.pgn", "2 plies"), ("t.gz", "chess")] {
        let (status, said) = plyscope(folder, &["-c", &format!("open t.jsonl; step; open {file}")]);
        assert!(status == 0 && said.contains(answer), "an open trace is closed: {said}");
    }
    for (line, hint) in [
        ("pgn load t.jsonl", r#"`trace open "t.jsonl"` opens this file"#),
        ("trace open g.pgn", r#"`pgn load "g.pgn"` opens this file"#),
        ("cache load s.ron", r#"`session load "s.ron"` opens this file"#),
        ("session load c.cache", r#"`cache load "c.cache"` opens this file"#),
    ] {
        let (status, said) = plyscope(folder, &["-c", line]);
        assert!(status == 1 && said.contains(hint), "{line}: {said}");
    }
    fs::write(folder.join("empty"), "").unwrap();
    let (status, said) = plyscope(folder, &["-c", "open empty"]);
    assert!(status == 1 && said.contains("`empty` is empty"), "{said}");
    let (status, said) = plyscope(folder, &["t.jsonl", "-c", "step", "-c", "step; where"]);
    assert!(status == 0 && said.contains("iteration"), "{said}");
}

#[test]
fn commands_may_be_called_as_subcommands_are() {
    let home = tempfile::tempdir().unwrap();
    for (command, answer) in [("help", "Position"), ("demo", "no command `demo`")] {
        let (_, said) = plyscope(home.path(), &["-c", command]);
        assert!(said.contains(answer), "{command}: {said}");
    }
}

/// A file of another game that cannot be read leaves the session as it is.
#[test]
fn a_file_that_cannot_be_read_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let games = [("morris", "play d6 f4", "1. d6 d6"), ("chess", "play e4 e5", "1. e4 e5 2. Ke4")];
    for (game, _, moves) in games {
        let variant = if game == "chess" { "" } else { "[Variant \"Nine Men's Morris\"]\n" };
        let text = format!("[Event \"x\"]\n{variant}\n{moves} *\n");
        fs::write(folder.join(format!("{game}.pgn")), text).unwrap();
        let search = format!("game {game}; search run --depth 2; cache save {game}.bin");
        plyscope(folder, &["-c", &search]);
        let cache = fs::read(folder.join(format!("{game}.bin"))).unwrap();
        fs::write(folder.join(format!("{game}.bin")), &cache[..cache.len() - 9]).unwrap();
    }
    for ((game, moves, _), (other, ..)) in games.into_iter().zip(games.into_iter().rev()) {
        for end in ["pgn", "bin"] {
            let failing = format!("expect error \"{other}.{end}\" open {other}.{end}");
            let lines = format!("game {game}; {moves}; {failing}; position show --json");
            let (status, said) = plyscope(folder, &["-c", &lines]);
            let last: serde_json::Value =
                serde_json::from_str(said.lines().last().unwrap()).unwrap();
            assert_eq!(
                (status, &last["game"], &last["undo"]),
                (0, &game.into(), &2.into()),
                "{said}"
            );
        }
    }
}

#[test]
fn an_open_trace_stays_open_if_a_file_cannot_be_read() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("wrong.pgn"), "[Event \"x\"]\n\n1. e4 e5 2. Ke4 *\n").unwrap();
    fs::write(home.path().join("wrong.ron"), "(version: 1, nonsense\n").unwrap();
    let lines = "trace record t.jsonl --depth 1; open t.jsonl; step 3; expect error open wrong.pgn; expect error open wrong.ron";
    let (status, said) = plyscope(home.path(), &["-c", lines, "-c", "position show --json; where"]);
    assert!(status == 0 && said.contains(r#""game":"trace""#), "{said}");
}

/// The error names the place in the file, not in the commands that open the file, which nobody has typed.
#[test]
fn a_fault_in_a_file_has_its_place_in_the_file() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("wrong.pgn"), "[Event \"x\"]\n\n1. e4 e5 2. Ke4 *\n").unwrap();
    let (status, said) = plyscope(home.path(), &["wrong.pgn", "-c", "version"]);
    assert!(status == 1 && said.starts_with("error: wrong.pgn:3:13: move 2: "), "{said}");
    for game in ["chess", "morris"] {
        let (_, said) = plyscope(home.path(), &["-c", &format!("game {game}; open wrong.pgn")]);
        assert!(said.contains("\n-c:1:") && said.contains("error: wrong.pgn:3:13:"), "{said}");
        assert!(!said.contains("pgn load") && !said.contains("sourced at"), "{said}");
        assert!(said.contains(" open wrong.pgn\n") && said.contains("  ^^^^^^^^^\n"), "{said}");
    }
}

#[test]
fn files_that_cannot_be_opened_are_named_with_the_remedy() {
    let home = tempfile::tempdir().unwrap();
    let (status, said) = plyscope(home.path(), &["runn"]);
    assert_eq!(status, 2);
    assert_eq!(
        said,
        "error: cannot read `runn`: there is no such file; check the name; `plyscope --help` lists the subcommands\n"
    );
    fs::write(home.path().join("club.pgn"), "").unwrap();
    let (_, said) = plyscope(home.path(), &["-c", "open ./club"]);
    assert!(
        said.contains("there is no such file") && said.contains("did you mean `./club.pgn`?"),
        "{said}"
    );
    fs::write(home.path().join("odd"), b"\xff\xfe\x00").unwrap();
    let (status, said) = plyscope(home.path(), &["odd"]);
    assert!(status == 2 && said.contains("`odd` is binary, not a file that this"), "{said}");
    for (name, text, what) in [
        ("x.pgn", &b""[..], "`x.pgn` is empty, not a game in PGN; give a script, a session"),
        ("x.ply", b"\x01\x02\xff", "`x.ply` is binary, not a script; give"),
        ("x.ron", b"\x00", "`x.ron` is binary, not a session; give"),
        ("x.jsonl", b"hello\n", "x.jsonl: line 1 is not the header of a trace"),
        ("y.jsonl", b"", "y.jsonl: the trace is empty; a trace begins with a line such as"),
    ] {
        fs::write(home.path().join(name), text).unwrap();
        let (status, said) = plyscope(home.path(), &[name]);
        let said = said.replace("\nhelp: ", "; ");
        assert!(status == 2 && said.contains(what) && !said.contains("--help"), "{said}");
        let (status, said) = plyscope(home.path(), &["-c", &format!("open {name}")]);
        let what = what.split(';').next().unwrap();
        assert!(status == 1 && said.contains(what), "{said}");
    }
    fs::write(home.path().join("x.jsonl"), "hello\n").unwrap();
    let (_, said) = plyscope(home.path(), &["-c", "open x.jsonl"]);
    assert!(said.contains("a trace begins with a line such as"), "{said}");
    assert!(said.contains("open x.jsonl\n") && said.contains("    ^^^^^^^"), "{said}");
    fs::create_dir(home.path().join("folder")).unwrap();
    let (_, said) = plyscope(home.path(), &["folder"]);
    assert!(said.contains("it is a directory") && !said.contains("--help"), "{said}");
}
