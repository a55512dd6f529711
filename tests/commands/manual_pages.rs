//! Manual pages, and completions for shells.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Output},
};

use plyscope::command::table;

fn plyscope(folder: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_plyscope"));
    program.current_dir(folder);
    program
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn manual_pages_name_only_pages_that_are_there() {
    let home = tempfile::tempdir().unwrap();
    text(&plyscope(home.path()).args(["man", "man/man1"]).output().unwrap());
    let folder = home.path().join("man/man1");
    let pages: BTreeSet<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(pages.contains("plyscope.1") && pages.contains("plyscope-repl.1"), "{pages:?}");
    for page in &pages {
        let roff = fs::read_to_string(folder.join(page)).unwrap();
        assert!(roff.is_ascii(), "{page}");
        let words =
            roff.split(|c: char| c.is_whitespace() || "\\[]".contains(c)).collect::<String>();
        for (at, _) in words.match_indices("(1)") {
            let name = words[..at].rsplit(|c: char| !c.is_ascii_lowercase() && c != '-').next();
            let name = format!("{}.1", name.unwrap());
            assert!(pages.contains(&name), "{page}: {name}");
        }
        let Ok(checked) = Command::new("groff")
            .args(["-man", "-ww", "-z", "-Tutf8"])
            .arg(folder.join(page))
            .output()
        else {
            eprintln!("there is no groff: {page} is not checked");
            continue;
        };
        assert!(checked.stderr.is_empty(), "{page}: {}", String::from_utf8_lossy(&checked.stderr));
    }
    let whole = fs::read_to_string(folder.join("plyscope.1")).unwrap();
    assert_eq!(text(&plyscope(home.path()).arg("man").output().unwrap()), whole);
    for section in ["COMMANDS", "FILES", "ENVIRONMENT", "EXIT STATUS", "SUBCOMMANDS"] {
        assert!(
            whole.contains(&format!(".SH {section}\n"))
                || whole.contains(&format!(".SH \"{section}\"\n")),
            "{section}"
        );
    }
    for spec in table().specs() {
        assert!(whole.contains(&spec.name.replace('-', "\\-")), "{}", spec.name);
    }
    fs::write(home.path().join("file"), "").unwrap();
    let refused = plyscope(home.path()).args(["man", "file"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("error: file: "), "{refused:?}");
}

/// Bash's completions for the last of these arguments.
fn offered(folder: &Path, args: &[&str]) -> Vec<String> {
    let mut program = plyscope(folder);
    program.env("PLYSCOPE_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", args.len().to_string());
    let output =
        program.env("_CLAP_IFS", "\n").args(["--", "plyscope"]).args(args).output().unwrap();
    text(&output).lines().map(str::to_owned).collect()
}

#[test]
fn shell_completions_include_files_themes_and_commands() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = text(&plyscope(folder).args(["completions", shell]).output().unwrap());
        assert!(
            script.contains("PLYSCOPE_COMPLETE") && script.contains("plyscope"),
            "{shell}: {script}"
        );
    }
    for file in ["a.ply", "b.ron", "c.pgn", "d.txt"] {
        fs::write(folder.join(file), "").unwrap();
    }
    let offers = |args: &[&str], wanted: &[&str], unwanted: &[&str]| {
        let found = offered(folder, args);
        let is_there = |offer: &&str| found.iter().any(|found| found == offer);
        assert!(wanted.iter().all(&is_there), "{args:?}: {found:?}");
        assert!(!unwanted.iter().any(is_there), "{args:?}: {found:?}");
    };
    offers(&[""], &["repl", "a.ply", "b.ron", "c.pgn"], &["d.txt"]);
    offers(&["run", ""], &["a.ply"], &["b.ron", "d.txt"]);
    offers(&["--config", ""], &["b.ron"], &["a.ply"]);
    offers(&["--theme", ""], &["dark", "light"], &["a.ply"]);
    offers(&["-c", "game "], &["game chess", "game morris"], &[]);
    offers(&["-c", "search set memo=b"], &["search set memo=bound"], &["search set memo=none"]);
}
