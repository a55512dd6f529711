//! The guides are complete and true: their shell lines run, the commands and settings they name exist, and every
//! setting, configuration key and environment variable is in one of them.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use plyscope::{
    command,
    config::{self, Config},
    engine::settings::{SETTINGS, Setting, SettingShown, Settings},
    tui::{look::Theme, panes},
};

use crate::{
    readme::documents,
    transcript::{replace, updating},
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn guide(name: &str) -> String {
    fs::read_to_string(root().join("sessions").join(name)).unwrap()
}

/// The name of a document, and its text.
fn texts() -> Vec<(String, String)> {
    let named = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    documents().into_iter().map(named).collect()
}

/// The fenced blocks of a language, each with the line before it.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<(&'a str, &'a str)> {
    let fence = format!("```{language}\n");
    let mut found = Vec::new();
    for (at, _) in document.match_indices(&fence) {
        let before = document[..at].trim_end().lines().last().unwrap_or_default();
        let block = document[at + fence.len()..].split("```").next().unwrap();
        found.push((before, block));
    }
    found
}

/// The code spans in running text.
fn spans(document: &str) -> Vec<String> {
    let prose = document.split("```").step_by(2).collect::<String>();
    let spans = prose.split('`').skip(1).step_by(2);
    spans.map(|span| span.replace('\n', " ")).collect()
}

/// The lines with less work: in a guide they run for a night, not for a test.
fn with_less_work(block: &str) -> String {
    let less = [
        ("--games ", "4"),
        ("--random ", "2"),
        ("--save-interval ", "2"),
        ("--depth ", "2"),
        ("depth=", "2"),
        ("budget=", "300"),
    ];
    let mut text = block.replace("--suite standard", "--random 2");
    for (lead, number) in less {
        let mut parts = text.split(lead);
        let first = parts.next().unwrap_or_default().to_owned();
        text = parts.fold(first, |text, part| {
            let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
            let number = if rest.len() < part.len() { number } else { "" };
            text + lead + number + rest
        });
    }
    text
}

/// Runs the shell blocks of a document in one folder, one after the other, and returns their output.
struct GuideFolder {
    home: tempfile::TempDir,
    path: String,
}

impl GuideFolder {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let program = Path::new(env!("CARGO_BIN_EXE_plyscope")).parent().unwrap();
        let path = format!("{}:{}", program.display(), env::var("PATH").unwrap());
        Self { home, path }
    }

    fn run(&self, lines: &str) -> String {
        let mut shell = Command::new("sh");
        shell.args(["-eu", "-c", lines]).env("PATH", &self.path).current_dir(&self.home);
        let done = shell.output().unwrap();
        assert!(done.status.success(), "{lines}{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    /// A block in which each command, after `$ `, is followed by its output.
    fn console(&self, block: &str) -> String {
        let commands = block.lines().filter_map(|line| line.strip_prefix("$ "));
        let printed = commands.map(|command| format!("$ {command}\n{}", self.run(command)));
        printed.collect::<Vec<_>>().concat()
    }
}

#[test]
fn shell_lines_run() {
    let has_jq = Command::new("jq").arg("--version").output().is_ok();
    for path in documents() {
        let document = fs::read_to_string(&path).unwrap();
        let mut parts = Vec::new();
        let folder = GuideFolder::new();
        let runs = |(before, block): &(&str, &str)| {
            let lacks = block.contains("cargo ") || block.contains("jq ") && !has_jq;
            !lacks && !before.starts_with("<!-- not run: ")
        };
        for (_, block) in blocks(&document, "sh").into_iter().filter(runs) {
            folder.run(&with_less_work(block));
        }
        for (_, block) in blocks(&document, "console").into_iter().filter(runs) {
            let printed = folder.console(block);
            if !updating() {
                assert_eq!(block, printed, "{}", path.display());
            }
            parts.push((block.to_owned(), printed));
        }
        if updating() {
            replace(&path, &parts);
        }
    }
}

/// The words of a command at the beginning of a text, and the rest; none if it is no command.
fn check_command(span: &str) -> Result<(), String> {
    let words: Vec<_> = span.split_whitespace().collect();
    let table = command::table();
    let Some((spec, length)) = table.exact(&words) else {
        let begins = |(name, _): (&str, _)| name.split(' ').next() == words.first().copied();
        let names_two = words.len() > 1 && words[1].chars().all(|c| c.is_ascii_lowercase());
        let is_wrong = names_two && table.names().any(begins) && table.exact(&words[..1]).is_none();
        return if is_wrong { Err("is no command".to_owned()) } else { Ok(()) };
    };
    let flags = words[length..].iter().filter_map(|word| word.strip_prefix("--"));
    let unknown = |flag: &&str| {
        let name = flag.split('=').next().unwrap_or_default();
        name != "json" && !spec.params.iter().any(|param| param.name == name)
    };
    if spec.name == "search set" {
        let mut settings = Settings::default();
        let pairs = words[length..].iter().filter_map(|word| word.split_once('='));
        for (setting, value) in pairs.filter(|(_, value)| value.is_ascii()) {
            settings.set(setting, value).map_err(|fault| fault.to_string())?;
        }
    }
    flags.into_iter().find(unknown).map_or(Ok(()), |flag| Err(format!("has no --{flag}")))
}

#[test]
fn commands_in_running_text_exist() {
    // `commands.md` is generated.
    for (name, document) in texts().into_iter().filter(|(name, _)| name != "commands.md") {
        for span in spans(&document) {
            for statement in span.split("; ") {
                let checked = check_command(statement);
                assert!(checked.is_ok(), "{name}: `{statement}` {}", checked.unwrap_err());
            }
        }
    }
}

#[test]
fn every_setting_is_in_a_guide() {
    let guides = ["searches.md", "memo-policies.md", "caches.md", "seeds.md", "endgames.md"];
    let spans: Vec<_> = guides.iter().flat_map(|name| spans(&guide(name))).collect();
    let says = |name: &str, value: &str| {
        let pair = format!("{name}={value}");
        spans.iter().any(|span| span == value || span.split([' ', '|']).any(|word| word == pair))
    };
    for Setting { name, .. } in SETTINGS {
        let named = spans.iter().any(|span| span == name || span.starts_with(&format!("{name}=")));
        assert!(named, "no guide has the setting {name}");
    }
    for setting in SETTINGS.iter().filter(|setting| setting.name != "max_size") {
        for value in (setting.choices)() {
            assert!(says(setting.name, value), "no guide has {}={value}", setting.name);
        }
    }
}

#[test]
fn the_guide_to_the_seeds_has_every_defect_with_its_switch() {
    let guide = guide("seeds.md");
    let row = |number: &str| {
        let lead = format!("| {number} |");
        guide.lines().find(|line| line.starts_with(&lead)).unwrap_or_else(|| panic!("no {number}"))
    };
    for setting in SETTINGS {
        if let SettingShown::Defect(number) | SettingShown::QuiescentDefect(number) = setting.shown
        {
            assert!(row(number).contains(&format!("`{}=seed`", setting.name)), "{number}");
        }
    }
    (1..=23).for_each(|number| assert!(!row(&format!("D{number}")).is_empty()));
}

#[test]
fn the_guide_to_the_configuration_has_every_key() {
    let guide = guide("configuration.md");
    let Err(wrong) = ron::from_str::<Config>("(no_such_key: 1)") else {
        panic!("a key is taken that does not exist");
    };
    let ron::Error::NoSuchStructField { expected, .. } = wrong.code else {
        panic!("{wrong}");
    };
    for key in expected {
        assert!(guide.contains(&format!("`{key}`")), "{key}");
    }
    let home = tempfile::tempdir().unwrap();
    for (_, block) in blocks(&guide, "ron") {
        for key in expected {
            assert!(block.contains(&format!("{key}:")), "{key}");
        }
        let file = home.path().join("config.ron");
        fs::write(&file, block).unwrap();
        let config = config::load(Some(&file)).unwrap();
        panes::keymap().configured(&config).unwrap();
        assert!(Theme::names().any(|theme| config.theme.as_deref() == Some(theme)));
    }
    for theme in Theme::names() {
        assert!(guide.contains(&format!("`{theme}`")), "{theme}");
    }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_guide_to_the_configuration_has_every_variable() {
    let guide = guide("configuration.md");
    let is_variable =
        |word: &&str| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let mut found = Vec::new();
    for path in files(&root().join("src")) {
        let source = fs::read_to_string(&path).unwrap();
        let reads = |text: &&str| text.contains("env::var") || text.contains("variable(");
        let literals = source.split(';').filter(reads).flat_map(|text| text.split('"'));
        found.extend(literals.filter(is_variable).map(str::to_owned));
    }
    // With this variable test builds panic on demand.
    found.retain(|name| name != "PLYSCOPE_PANIC");
    assert!(found.iter().any(|name| name == "NO_COLOR"), "{found:?}");
    // The variables of the XDG folders are read by a library.
    for name in found.iter().map(String::as_str).chain([
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
    ]) {
        assert!(guide.contains(&format!("`{name}`")), "{name}");
    }
}

/// Numbers and their units in running text: `62 nodes`, `thirteen entries`; and values: `+0.048`.
fn told(prose: &str) -> Vec<String> {
    const UNITS: [&str; 9] =
        ["node", "nodes", "entry", "entries", "event", "events", "states", "hits", "stores"];
    const NAMED: [&str; 21] = [
        "no",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let marks = |sign: char| "()`,.:;*".contains(sign);
    let words: Vec<_> = prose.split_whitespace().map(|word| word.trim_matches(marks)).collect();
    let is_value = |word: &&&str| {
        let number = word.strip_prefix(['+', '-']);
        number.is_some_and(|number| number.contains('.') && number.parse::<f64>().is_ok())
    };
    let counts = words.windows(2).filter(|pair| UNITS.contains(&pair[1])).filter_map(|pair| {
        let named = NAMED.iter().position(|name| *name == pair[0].to_lowercase());
        let digits = pair[0].parse::<u32>().is_ok() && !pair[0].starts_with('0');
        named
            .filter(|number| *number > 1)
            .map(|number| number.to_string())
            .or(digits.then(|| pair[0].to_owned()))
    });
    counts.chain(words.iter().filter(is_value).map(|word| (*word).to_owned())).collect()
}

/// In a guide that shows what the program prints, numbers in the text are those of the transcripts in it or linked from it.
#[test]
fn numbers_in_the_text_of_a_guide_are_those_of_its_transcripts() {
    let mut compared = 0;
    for (name, text) in texts() {
        let parts = |from: usize| text.split("```").skip(from).step_by(2).collect::<String>();
        let (prose, mut shown) = (parts(0), parts(1));
        if !shown.contains("\nmorris> ") && !shown.contains("\nchess> ") {
            continue;
        }
        let is_script = |link: &&str| {
            let end = Path::new(link).extension().and_then(OsStr::to_str);
            matches!(end, Some("out" | "ply"))
        };
        for link in prose.split(['(', ')']).filter(is_script) {
            let transcript = root()
                .join("sessions")
                .join(link.trim_start_matches("sessions/"))
                .with_extension("out");
            shown += &fs::read_to_string(transcript).unwrap();
        }
        // `1,234` is one number.
        let numbers: Vec<_> = shown
            .split(|sign: char| !(sign.is_ascii_digit() || "+-., ".contains(sign)))
            .flat_map(|run| run.split("  "))
            .collect();
        let has = |number: &str| {
            numbers.iter().any(|run| {
                let words = run.split(' ').map(|word| word.trim_end_matches(['.', ',']));
                words.map(|word| word.replace(',', "")).any(|word| word == number)
            })
        };
        for number in told(&prose) {
            assert!(has(&number), "{name}: {number} is in no transcript");
            compared += 1;
        }
    }
    assert!(compared > 8, "{compared}");
}
