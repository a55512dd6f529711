//! A session's commands run when its user trusts them, and not before.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use plyscope::{
    command::{Outcome, Shell},
    view,
};

const GAMES: [&str; 2] = [
    "position set b..w.w../.b.....w/bw..bw.. b 4 5",
    "game chess; position set r3k2r/pp1n1ppp/2p1b3/4p3/4P3/2N1B3/PPP2PPP/R3K2R w KQkq - 3 14",
];

/// What a line says, its failure included.
fn run(shell: &mut Shell, line: &str) -> String {
    let text = |outcome: Outcome| match outcome {
        Ok(reply) => view::response(&reply),
        Err(failure) => format!("error: {}", failure.fault),
    };
    let replies: Vec<_> = shell.run_line(line).into_iter().map(text).collect();
    replies.join("\n")
}

/// A session of somebody else's, with commands that say a word.
fn foreign(game: &str, folder: &Path) -> String {
    let path = folder.join("foreign.ron");
    let mut shell = Shell::default();
    for line in [
        game,
        "search set depth=3",
        "tbreak kind=leaf",
        "commands 1 \"silent; echo gone; where\"",
        "break kind=cutoff",
        "commands 2 \"echo stopped\"",
        "alias look = echo looked",
        &format!("session save '{}'", path.display()),
    ] {
        let said = run(&mut shell, line);
        assert!(!said.contains("error:"), "{line}: {said}");
    }
    format!("session load '{}'", path.display())
}

#[test]
fn commands_of_a_session_are_listed_and_wait_for_trust() {
    for game in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let load = foreign(game, folder.path());
        let mut shell = Shell::default();
        let said = run(&mut shell, &load);
        let listed = "\
commands that came with it (3) do not run before `trust`:
  breakpoint 1
    > silent
    > echo gone
    > where
  breakpoint 2
    > echo stopped
  alias look
    > echo looked";
        assert!(said.ends_with(listed), "{said}");
        assert!(run(&mut shell, "info breakpoints").contains("not run before `trust`"));

        for (breakpoint, line) in [(1, "continue"), (2, "continue")] {
            let said = run(&mut shell, line);
            let note = format!("the commands of breakpoint {breakpoint} came with the session");
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains(&note) && said.contains("`trust`"), "{said}");
            assert!(!said.contains("gone") && !said.contains("stopped\n"), "{said}");
        }
        let refused = run(&mut shell, "look");
        assert!(refused.starts_with("error:") && refused.contains("`trust`"), "{refused}");

        let trusted = run(&mut shell, "trust");
        assert_eq!(trusted, "trusted: breakpoint 2, alias look");
        assert!(run(&mut shell, "continue").ends_with("\nstopped"));
        assert_eq!(run(&mut shell, "look"), "looked");
        assert_eq!(run(&mut shell, "trust"), "there is nothing to trust");
    }
}

#[test]
fn what_the_user_writes_anew_needs_no_trust_and_the_rest_still_does() {
    let folder = tempfile::tempdir().unwrap();
    let load = foreign(GAMES[0], folder.path());
    let mut shell = Shell::default();
    run(&mut shell, &load);
    run(&mut shell, "commands 2 \"echo mine\"");
    run(&mut shell, "alias look = echo mine as well");
    assert_eq!(run(&mut shell, "look"), "mine as well");
    assert!(run(&mut shell, "continue").contains("were not run"));
    assert!(run(&mut shell, "continue").ends_with("\nmine"));
}

#[test]
fn trust_is_kept_in_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let load = foreign(GAMES[0], folder.path());
    let mut shell = Shell::default();
    run(&mut shell, &format!("{load}; trust"));
    run(&mut shell, &load.replace("load", "save"));
    assert!(run(&mut shell, &load).contains("do not run before `trust`"));
    assert!(run(&mut shell, "look").starts_with("error:"));
}

/// Runs the program's commands under a configuration.
fn program(home: &Path, configuration: &str, commands: &str) -> Output {
    let folder = home.join("plyscope");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.ron"), configuration).unwrap();
    Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(["-c", commands])
        .env("XDG_CONFIG_HOME", home)
        .env("HOME", home)
        .output()
        .unwrap()
}

#[test]
fn sessions_in_trusted_folders_run_their_commands() {
    let home = tempfile::tempdir().unwrap();
    let [good, other] = ["good", "other"].map(|name| home.path().join(name));
    let deep = good.join("deep");
    for folder in [&deep, &other] {
        fs::create_dir_all(folder).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(&other, good.join("link")).unwrap();
    for (folder, configuration, trusted) in [
        (&deep, "(trusted: [\"~/good\"])".to_owned(), true),
        (&deep, format!("(trusted: [\"{}\"])", good.display()), true),
        (&deep, "(trusted: [\"~/goo\", \"~/none\"])".to_owned(), false),
        (&other, "(trusted: [\"~/good\"])".to_owned(), false),
        (&good.join("link"), "(trusted: [\"~/good\"])".to_owned(), false),
        (&deep, "()".to_owned(), false),
    ] {
        let load = foreign(GAMES[0], folder);
        let reply = program(home.path(), &configuration, &format!("{load} --json; look"));
        let said = String::from_utf8(reply.stdout).unwrap();
        let json: serde_json::Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
        assert_eq!(json["trusted"], trusted, "{configuration}: {said}");
        assert_eq!(json["commands"][2]["of"], "alias look");
        assert_eq!(json["commands"][2]["commands"][0], "echo looked");
        assert_eq!(said.ends_with("looked\n"), trusted, "{said}");
        assert_eq!(reply.status.success(), trusted);
    }
}

#[test]
fn a_wrong_configuration_trusts_nothing_and_is_told_of() {
    let home = tempfile::tempdir().unwrap();
    let load = foreign(GAMES[0], home.path());
    for (configuration, words) in [
        ("(trusted: [\"\n", "config.ron:"),
        ("(trusted: [\"sessions\"])", "config.ron:1:12: the folder `sessions`"),
    ] {
        let reply = program(home.path(), configuration, &load);
        let said = String::from_utf8(reply.stdout).unwrap();
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("no folder is trusted"), "{said}");
        assert!(said.contains(words), "{said}");
        assert!(said.contains("do not run before `trust`"), "{said}");
    }
}

#[test]
fn an_alias_of_a_session_cannot_call_itself() {
    let folder = tempfile::tempdir().unwrap();
    let load = foreign(GAMES[0], folder.path());
    let path = folder.path().join("foreign.ron");
    let text = fs::read_to_string(&path).unwrap().replace("\"echo looked\"", "\"look\"");
    fs::write(&path, text).unwrap();
    let mut shell = Shell::default();
    run(&mut shell, &load);
    run(&mut shell, "trust");
    assert!(run(&mut shell, "look").contains("no command `look`"));
}
