//! README and guides are true: tours print what they show, links lead somewhere, and the command table is the program's
//! own.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::transcript::{mask, replace, updating};

/// The prompt is the name of the game.
const PROMPTS: [&str; 2] = ["morris> ", "chess> "];

/// The prompt and the command of a line that has a prompt.
fn typed(line: &str) -> Option<(&'static str, &str)> {
    let mut prompts = PROMPTS.into_iter();
    prompts.find_map(|prompt| Some((prompt, line.strip_prefix(prompt)?)))
}

/// The README and every guide.
pub fn documents() -> Vec<PathBuf> {
    let root = fs::canonicalize(env!("CARGO_MANIFEST_DIR")).unwrap();
    let guides = fs::read_dir(root.join("sessions")).unwrap().map(|entry| entry.unwrap().path());
    let guides = guides.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    guides.chain([root.join("README.md")]).collect()
}

/// The text between two marker lines.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(begin)?;
    Some(rest.split_once(end).unwrap_or_else(|| panic!("{begin} has its {end}")).0)
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

/// The transcript cut into pieces, each beginning with one of the commands.
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
fn tours_print_what_they_show() {
    for path in documents() {
        let document = fs::read_to_string(&path).unwrap();
        let tour = between(&document, "<!-- tour -->", "<!-- end of tour -->").unwrap_or_default();
        let prompts = |text: &str| text.lines().filter(|line| typed(line).is_some()).count();
        assert_eq!(prompts(&document), prompts(tour), "{}: some are in no tour", path.display());
        if !tour.is_empty() {
            check_tour(&path, tour);
        }
    }
}

fn check_tour(path: &Path, tour: &str) {
    let blocks = blocks(tour);
    let commands: Vec<_> =
        blocks.iter().flat_map(|block| block.lines()).filter_map(typed).collect();
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
        let fenced = |text: &str| format!("```text\n{text}```");
        let parts = blocks.iter().zip(&wanted).map(|(block, piece)| (fenced(block), fenced(piece)));
        return replace(path, &parts.collect::<Vec<_>>());
    }
    for (block, piece) in blocks.iter().zip(&wanted) {
        assert_eq!(block, piece, "{}", path.display());
    }
}

#[test]
fn the_command_table_is_the_programs_own() {
    let wanted = plyscope(&["-c", "help --markdown"], "");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sessions/commands.md");
    let document = fs::read_to_string(&path).unwrap();
    let table = between(&document, "<!-- commands -->\n", "<!-- end of commands -->").unwrap();
    if updating() {
        let with_markers =
            |table: &str| format!("<!-- commands -->\n{table}<!-- end of commands -->");
        return replace(&path, &[(with_markers(table), with_markers(&wanted))]);
    }
    assert_eq!(table, wanted);
}

/// The files, and chapters of files, that a document links to.
fn links(document: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let links = document.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let own = links.filter(|link| !link.starts_with("https://"));
    own.map(|link| link.split_once('#').map_or((link, None), |(file, part)| (file, Some(part))))
}

/// The anchor of a chapter.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_matches(['#', ' ']).to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.collect::<String>().replace(' ', "-")
}

#[test]
fn links_lead_somewhere_and_to_every_guide() {
    let root = fs::canonicalize(env!("CARGO_MANIFEST_DIR")).unwrap();
    let mut reached = BTreeSet::new();
    let mut open = vec![root.join("README.md")];
    while let Some(path) = open.pop() {
        let document = fs::read_to_string(&path).unwrap_or_default();
        for (file, part) in links(&document).filter(|_| path.extension().is_some_and(is_md)) {
            let target = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            let target = fs::canonicalize(&target)
                .unwrap_or_else(|_| panic!("{} links to {file}", path.display()));
            if let Some(part) = part {
                let text = fs::read_to_string(&target).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                assert!(headings.any(|line| anchor(line) == part), "{file} has no {part}");
            }
            if !reached.contains(&target) {
                open.push(target);
            }
        }
        reached.insert(path);
    }
    for path in documents() {
        assert!(reached.contains(&path), "no link leads to {}", path.display());
    }
}

fn is_md(ending: &std::ffi::OsStr) -> bool {
    ending == "md"
}

#[test]
fn the_readme_is_short() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= 1400, "{words} words");
}

/// Lines are added to programs of others, and none of theirs is in the repository.
#[test]
fn scripts_for_other_programs_are_in_the_guide_and_only_add_lines() {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    let guide = fs::read_to_string(sessions.join("bugs.md")).unwrap();
    let scripts = fs::read_dir(sessions.join("bugs")).unwrap().map(|entry| entry.unwrap().path());
    for path in scripts {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(guide.contains(&format!("](bugs/{name})")), "the guide has no link to {name}");
        if path.extension().is_some_and(|ending| ending == "patch") {
            let text = fs::read_to_string(&path).unwrap();
            let is_ours =
                |line: &str| ["+", "@@", "--- a/"].iter().any(|start| line.starts_with(start));
            assert!(text.lines().all(is_ours), "{name}");
        }
    }
}
