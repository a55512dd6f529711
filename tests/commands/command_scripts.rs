//! The program run by scripts: output, errors and exit status.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;

fn plyscope() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plyscope"));
    command.env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

/// What came of a run: exit status, standard output, standard error.
type Result = (i32, String, String);

fn result(output: &Output) -> Result {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_owned()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn run(args: &[&str]) -> Result {
    result(&plyscope().args(args).output().unwrap())
}

fn run_in(folder: &Path, args: &[&str]) -> Result {
    result(&plyscope().args(args).current_dir(folder).output().unwrap())
}

fn spawn(args: &[&str]) -> Child {
    plyscope()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn pipe(args: &[&str], input: &str) -> Result {
    let mut child = spawn(args);
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    result(&child.wait_with_output().unwrap())
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn commands_from_the_arguments() {
    let (status, out, err) = run(&["-c", "echo one; echo 'two; three' # four"]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "one\ntwo; three\n", ""));
    let (_, out, _) = run(&["-c", "version"]);
    assert_eq!(out, format!("plyscope {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_first_error_stops_a_script() {
    let (status, out, err) = run(&["-c", "echo one; unalias x; echo two"]);
    assert_eq!((status, out.as_str()), (1, "one\n"));
    let carets = format!("{}^", " ".repeat(22));
    let expected = format!(
        "-c:1:19: error: there is no alias `x`\n    echo one; unalias x; echo two\n{carets}\n\
         help: `alias` lists them, `alias NAME = COMMAND` makes one\n"
    );
    assert_eq!(err, expected);
}

#[test]
fn exit_status_tells_failing_from_not_understanding() {
    for (commands, expected) in [
        ("", 0),
        ("# nothing", 0),
        ("expect version program == plyscope", 0),
        ("quit; frobnicate", 0),
        ("expect version program == x", 1),
        ("source no-such-file", 1),
        ("frobnicate", 2),
        ("version x", 2),
        ("echo 'open", 2),
        ("ver", 2),
    ] {
        let (status, _, err) = run(&["-c", commands]);
        assert_eq!(status, expected, "{commands}: {err}");
        assert_eq!(err.is_empty(), expected == 0, "{commands}: {err}");
    }
    assert_eq!(run(&["run"]).0, 2);
    assert_eq!(run(&["run", "no-such-file"]).0, 2);
    assert_eq!(run(&["-c", "version", "repl"]).0, 2);
    assert_eq!(run(&["--frobnicate"]).0, 2);
    assert_eq!(run(&["--help"]).0, 0);
}

#[test]
fn keeping_going_runs_everything_and_still_fails() {
    let (status, out, err) =
        run(&["--keep-going", "-c", "echo one; unalias x; frobnicate; echo two"]);
    assert_eq!((status, out.as_str()), (2, "one\ntwo\n"));
    assert_eq!(err.matches("error:").count(), 2);
    for commands in ["frobnicate; unalias x", "unalias x; frobnicate; unalias x"] {
        assert_eq!(run(&["--keep-going", "-c", commands]).0, 2, "the worst failure counts");
    }
    let (status, out, _) = run(&["run", "no-such-file", "-", "--keep-going"]);
    assert_eq!((status, out.as_str()), (2, ""));
}

#[test]
fn errors_in_files_have_a_place() {
    let folder = folder(&[("a.ply", "echo one\n\n  version ü frob # two\n")]);
    let (status, out, err) = run_in(folder.path(), &["run", "a.ply"]);
    assert_eq!((status, out.as_str()), (2, "one\n"));
    assert!(err.starts_with("a.ply:3:11: error: `version` cannot take `ü`\n"), "{err}");
    assert!(err.contains("\n      version ü frob # two\n              ^\n"), "{err}");
}

#[test]
fn an_open_quote_stops_a_file_before_it_runs() {
    let folder = folder(&[("a.ply", "echo one\necho 'two\n")]);
    let (status, out, err) = run_in(folder.path(), &["run", "a.ply"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.starts_with("a.ply:2:6: error: this quote is never closed"), "{err}");
}

#[test]
fn json_is_one_object_a_line() {
    let (status, out, err) =
        run(&["--json", "-c", "version; alias a = version; a; echo x; source no; help"]);
    assert_eq!(status, 1);
    let replies: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(replies.len(), 4, "{out}");
    assert_eq!(replies[2]["program"], "plyscope");
    assert_eq!(err.lines().count(), 1);
    let error: Value = serde_json::from_str(&err).unwrap();
    let error = &error["error"];
    assert!(error["message"].as_str().unwrap().contains("no such file"), "{error}");
    assert_eq!((error["line"].as_u64(), error["column"].as_u64()), (Some(1), Some(47)));
    assert_eq!(error["hint"], "check the name");
}

#[test]
fn json_for_one_command() {
    let (_, out, _) =
        run(&["-c", "version --json; echo x --json; expect version program == plyscope --json"]);
    let replies: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(replies[1]["echo"], "x");
    assert_eq!(replies[2]["passed"], true);
}

#[test]
fn echo_prints_statements_before_replies() {
    let folder = folder(&[("a.ply", "echo one \\\n  two\nalias v = echo\nv three # no\n")]);
    let (_, out, _) = run_in(folder.path(), &["run", "--echo", "a.ply"]);
    let expected =
        "> echo one \\\n>   two\none     two\n> alias v = echo\nalias v = echo\n> v three\nthree\n";
    assert_eq!(out, expected);
    let (_, out, err) = run_in(folder.path(), &["run", "--echo", "--json", "a.ply"]);
    assert!(
        out.lines().all(|line| line.starts_with('{')) && err.starts_with("> echo one"),
        "{out}{err}"
    );
}

#[test]
fn scripts_source_others_from_their_own_folder() {
    let folder = folder(&[
        ("main.ply", "source lib/a.ply\necho end"),
        ("lib/a.ply", "echo a; source b.ply"),
        ("lib/b.ply", "echo b"),
    ]);
    let (status, out, err) = run(&["run", folder.path().join("main.ply").to_str().unwrap()]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "a\nb\nend\n", ""));
}

#[test]
fn errors_show_who_sourced_the_script() {
    let folder = folder(&[("main.ply", "echo main\nsource a.ply"), ("a.ply", "\n unalias x")]);
    let (status, out, err) = run_in(folder.path(), &["run", "main.ply"]);
    assert_eq!((status, out.as_str()), (1, "main\n"));
    assert!(
        err.contains("a.ply:2:10: error: no alias") && err.contains("\nsourced at main.ply:2:1\n"),
        "{err}"
    );
}

#[test]
fn a_script_cannot_run_itself() {
    let folder = folder(&[
        ("a.ply", "echo a\nsource b.ply"),
        ("b.ply", "source ./a.ply"),
        ("c.ply", "source c.ply"),
    ]);
    let (status, out, err) = run_in(folder.path(), &["run", "a.ply"]);
    assert_eq!((status, out.as_str()), (1, "a\n"));
    assert!(err.contains("already running: a.ply -> b.ply -> a.ply"), "{err}");
    assert_eq!(run_in(folder.path(), &["run", "c.ply"]).0, 1);
    let (status, out, _) = run_in(folder.path(), &["run", "--keep-going", "a.ply"]);
    assert_eq!((status, out.as_str()), (1, "a\n"));
}

#[test]
fn a_sourced_script_that_cannot_be_read_says_where() {
    let folder = folder(&[("main.ply", "source a.ply"), ("a.ply", "echo a\necho (")]);
    let (status, out, err) = run_in(folder.path(), &["run", "main.ply"]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.starts_with("main.ply:1:8: error: a.ply:2:6: this `(` is never closed"), "{err}");
    fs::write(folder.path().join("a.ply"), [0xff, 0xfe]).unwrap();
    assert!(
        run_in(folder.path(), &["run", "main.ply"])
            .2
            .contains("`a.ply` is not a text file: byte 0 is not UTF-8")
    );
}

#[test]
fn scripts_from_standard_input() {
    let script = "echo 'one\ntwo'\r\necho (a\nb)\n";
    for args in [&["run", "-"][..], &[], &["repl"]] {
        let (status, out, err) = pipe(args, script);
        assert_eq!((status, out.as_str(), err.as_str()), (0, "one\ntwo\n(a\nb)\n", ""), "{args:?}");
    }
    let (status, out, err) = pipe(&[], "echo one\nfrobnicate\necho two\n");
    assert_eq!((status, out.as_str()), (2, "one\n"));
    assert!(err.starts_with("-:2:1: error: there is no command `frobnicate`"), "{err}");
    let (status, out, err) = pipe(&["--keep-going"], "x (]\necho two\necho \"three");
    assert_eq!((status, out.as_str()), (2, "two\n"));
    assert!(err.contains("-:1:4:") && err.contains("-:3:6:"), "{err}");
}

#[test]
fn standard_input_is_answered_line_by_line() {
    let mut child = spawn(&["--json"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for number in 0..3 {
        writeln!(input, "echo {number}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{{\"command\":\"echo\",\"echo\":\"{number}\"}}\n"));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = spawn(&["run", "-"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    writeln!(input, "echo first").unwrap();
    output.read_line(&mut String::new()).unwrap();
    drop(output);
    // The program may be gone before it has read everything.
    let _ = input.write_all("echo more\n".repeat(1000).as_bytes());
    drop(input);
    let (status, _, err) = result(&child.wait_with_output().unwrap());
    assert_eq!((status, err.as_str()), (0, ""));
}

#[test]
fn output_that_is_no_terminal_has_no_colour() {
    for commands in ["help", "frobnicate"] {
        let (_, out, err) = run(&["-c", commands]);
        assert!(!out.contains('\x1b') && !err.contains('\x1b'));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_script_that_waits_for_input() {
    // A program that was started with the signal ignored, as `nohup` or a shell's `&` does, ignores it too: these tests may
    // run so. What this process handles itself begins at its default in the child.
    let handled = std::sync::Arc::default();
    signal_hook::flag::register(signal_hook::consts::SIGINT, handled).unwrap();
    let mut child = spawn(&[]);
    // Waiting for the child would close its input.
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "echo ready").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    // The reply comes before the program waits again; until then the signal counts as one for the running command,
    // which ends the script just as well.
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn ten_thousand_commands_run_to_the_end() {
    let four = "echo line; version --json\nv # alias\nexpect program == plyscope\n";
    let script = format!("alias v = version\n{}", four.repeat(2500));
    let folder = folder(&[("long.ply", &script)]);
    let (status, out, _) = run_in(folder.path(), &["run", "long.ply"]);
    assert_eq!((status, out.lines().count()), (0, 10_001));
}

#[test]
fn json_replies_name_their_command_failed_ones_too() {
    let commands = "game chess; board; unalias x; frobnicate; e4 e5; version 1; version";
    let (status, out, err) = run(&["--json", "--keep-going", "-c", commands]);
    assert_eq!(status, 2);
    let replies: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let named: Vec<_> = replies.iter().map(|reply| reply["command"].as_str()).collect();
    assert_eq!(
        named,
        [
            Some("game"),
            Some("position show"),
            Some("unalias"),
            None,
            None,
            Some("version"),
            Some("version")
        ]
    );
    let failed: Vec<_> = replies.iter().filter(|reply| !reply["error"].is_null()).collect();
    assert_eq!(failed.len(), 4);
    for (reply, error) in failed.iter().zip(err.lines()) {
        let error: Value = serde_json::from_str(error).unwrap();
        assert_eq!(reply["error"], error["error"]);
        assert!(error.get("command").is_none());
    }
    let (_, out, _) = run(&["--json", "-c", "unalias x"]);
    assert_eq!(out, "", "without --keep-going only replies are printed");
    let (status, ..) =
        run(&["-c", "version; expect command == version; expect eval command == eval"]);
    assert_eq!(status, 0);
}

#[test]
fn options_of_the_screen_are_refused_where_none_opens() {
    for (args, flag) in [
        (&["--load", "x.ron", "-c", "version"][..], "--load"),
        (&["--theme", "dark", "-c", "version"], "--theme"),
        (&["--ascii", "repl"], "--ascii"),
        (&["--log", "x.log"], "--log"),
        (&["--no-mouse", "man"], "--no-mouse"),
    ] {
        let (status, out, err) = run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(&format!("{flag} is for the screen")), "{args:?}: {err}");
    }
}

#[test]
fn health_looks_at_the_theme_and_the_configuration_given() {
    let folder = tempfile::tempdir().unwrap();
    let (status, out, _) = run_in(folder.path(), &["--health", "--theme", "neon"]);
    assert_eq!(status, 1);
    assert!(out.contains("NO  theme") && out.contains("no theme is called `neon`"), "{out}");
    fs::write(folder.path().join("mine.ron"), "(colour: true)").unwrap();
    let (status, out, _) = run_in(folder.path(), &["--health", "--config", "mine.ron"]);
    assert_eq!(status, 1);
    assert!(out.contains("mine.ron:1:2: nothing is called `colour` here"), "{out}");
    fs::write(folder.path().join("mine.ron"), "(keys: {\"zoom\": [\"s\"]})").unwrap();
    let (status, out, _) = run_in(folder.path(), &["--health", "--config", "mine.ron"]);
    assert!(status == 1 && out.contains("NO  configuration"), "{out}");
}
