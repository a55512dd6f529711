//! One script with every command: its output is the same on every run, and its JSON has the fields of the snapshot.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    process::Command,
};

use serde_json::Value;

/// Commands not in the script: `bench` takes as long as all the others, and pictures of the screen need one.
const APART: [&str; 3] = ["bench", "picture screen", "picture film"];

/// Commands that are only allowed in breakpoints' command lists.
const PARTS: [&str; 2] = ["silent", "end"];

fn answers(switches: &[&str]) -> String {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("sourced.ply"), "echo sourced\n").unwrap();
    fs::write(home.path().join("every-command.ply"), include_str!("../data/every-command.ply"))
        .unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_plyscope"));
    let path = format!("{}:{}", program.parent().unwrap().display(), env::var("PATH").unwrap());
    let output = Command::new(program)
        .env("PATH", path)
        .arg("run")
        .arg("every-command.ply")
        .args(switches)
        .current_dir(home.path())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Every path of field names in a value; list elements share one path.
fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = format!("{path}.{name}");
                paths(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                paths(element, &format!("{path}[]"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn json_replies_have_the_fields_they_always_had() {
    let mut commands: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in answers(&["--json"]).lines() {
        let reply: Value = serde_json::from_str(line).unwrap();
        let command = reply["command"].as_str().unwrap().to_owned();
        paths(&reply, "", commands.entry(command).or_default());
    }
    for spec in plyscope::command::table().specs() {
        let elsewhere = APART.contains(&spec.name) || PARTS.contains(&spec.name);
        assert!(commands.contains_key(spec.name) != elsewhere, "{}", spec.name);
    }
    let listed = commands.iter().map(|(command, paths)| {
        let paths: Vec<_> = paths.iter().map(|path| format!("\n    {path}")).collect();
        format!("{command}{}\n", paths.concat())
    });
    let text: String = listed.collect();
    insta::assert_snapshot!("fields", text);
}

#[test]
fn without_times_two_runs_print_the_same_bytes() {
    for switches in [&["--json", "--no-times"][..], &["--echo", "--no-times"]] {
        let (one, two) = (answers(switches), answers(switches));
        for (one, two) in one.lines().zip(two.lines()) {
            assert_eq!(one, two);
        }
        assert_eq!(one, two);
    }
}
