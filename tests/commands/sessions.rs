//! Every script under `sessions/` runs, with the output in its transcript.

use std::{fs, path::PathBuf, process::Command};

use crate::transcript::{mask, updating};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sessions")
}

fn scripts() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut scripts: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ext| ext == "ply")).collect();
    scripts.sort();
    scripts
}

#[test]
fn every_script_says_what_its_transcript_says() {
    let scripts = scripts();
    assert!(scripts.len() >= 8, "{} scripts", scripts.len());
    for script in scripts {
        let home = tempfile::tempdir().unwrap();
        // Times in rows of tables cannot be masked.
        let text = fs::read_to_string(&script).unwrap();
        let rows =
            ["\nsearch compare ", "\nsuite run "].iter().any(|command| text.contains(command));
        let output = Command::new(env!("CARGO_BIN_EXE_plyscope"))
            .args(["run", "--echo"])
            .args(rows.then_some("--no-times"))
            .arg(&script)
            .current_dir(home.path())
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{}: {errors}", script.display());
        let found = mask(&String::from_utf8(output.stdout).unwrap());
        let transcript = script.with_extension("out");
        if updating() {
            fs::write(&transcript, &found).unwrap();
        }
        let wanted = fs::read_to_string(&transcript).unwrap_or_default();
        assert_eq!(found, wanted, "{} differs from {}", script.display(), transcript.display());
    }
}

#[test]
fn every_script_runs_with_json_as_well() {
    for script in scripts() {
        let home = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_plyscope"))
            .args(["run", "--json"])
            .arg(&script)
            .current_dir(home.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", script.display());
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let reply: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(reply.is_object(), "{line}");
        }
    }
}
