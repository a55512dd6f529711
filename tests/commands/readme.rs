//! The README keeps its promises: the tour prints what it shows, and the command table is the program's own.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test --test commands -- readme` writes both anew: read the difference before committing it.

use std::{fs, path::PathBuf, process::Command};

use crate::transcript::{mask, updating};

/// The prompt is the name of the game.
const PROMPTS: [&str; 2] = ["morris> ", "chess> "];

/// The prompt of a line that has one, and the command after it.
fn typed(line: &str) -> Option<(&'static str, &str)> {
    let mut prompts = PROMPTS.into_iter();
    prompts.find_map(|prompt| Some((prompt, line.strip_prefix(prompt)?)))
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

/// The text between two marks, the marks' own lines excepted.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("README has {begin}"));
    rest.split_once(end).unwrap_or_else(|| panic!("README has {end}")).0
}

fn plyscope(args: &[&str], input: &str) -> String {
    use std::io::Write as _;
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(args)
        .current_dir(home.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The fenced blocks of the tour, one after the other.
fn blocks(tour: &str) -> Vec<&str> {
    tour.split("```text\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect()
}

/// The transcript cut into the pieces that begin with the given commands.
fn pieces(transcript: &str, blocks: &[&str]) -> Vec<String> {
    let counts = blocks.iter().map(|block| {
        let typed = block.lines().filter(|line| typed(line).is_some());
        typed.count()
    });
    let mut lines = transcript.lines().peekable();
    let piece = |count: usize| {
        let mut text = String::new();
        let mut seen = 0;
        while let Some(line) = lines.peek() {
            seen += usize::from(typed(line).is_some());
            if seen > count {
                break;
            }
            text.push_str(line);
            text.push('\n');
            lines.next();
        }
        text
    };
    counts.map(piece).collect()
}

#[test]
fn the_tour_prints_what_it_shows() {
    let readme = fs::read_to_string(path()).unwrap();
    let tour = between(&readme, "<!-- tour -->", "<!-- end of tour -->");
    let blocks = blocks(tour);
    let commands: Vec<_> =
        blocks.iter().flat_map(|block| block.lines()).filter_map(typed).collect();
    assert!(commands.len() >= 15, "{commands:?}");
    let lines: Vec<_> = commands.iter().map(|(_, command)| *command).collect();
    let script = lines.join("\n") + "\n";
    let printed = mask(&plyscope(&["run", "--echo", "-"], &script));
    let mut prompts = commands.iter().map(|(prompt, _)| prompt);
    let printed = printed.lines().map(|line| match line.strip_prefix("> ") {
        Some(command) => format!("{}{command}\n", prompts.next().unwrap()),
        None => format!("{line}\n"),
    });
    let wanted = pieces(&printed.collect::<String>(), &blocks);
    if updating() {
        let mut updated = readme.clone();
        for (block, piece) in blocks.iter().zip(&wanted) {
            updated = updated.replacen(*block, piece, 1);
        }
        fs::write(path(), updated).unwrap();
        return;
    }
    for (block, piece) in blocks.iter().zip(&wanted) {
        assert_eq!(block, piece);
    }
}

#[test]
fn the_command_table_is_the_programs_own() {
    let readme = fs::read_to_string(path()).unwrap();
    let table = between(&readme, "<!-- commands -->\n", "<!-- end of commands -->");
    let wanted = plyscope(&["-c", "help --markdown"], "");
    if updating() {
        let marked = |table: &str| format!("<!-- commands -->\n{table}<!-- end of commands -->");
        fs::write(path(), readme.replacen(&marked(table), &marked(&wanted), 1)).unwrap();
        return;
    }
    assert_eq!(table, wanted);
}
