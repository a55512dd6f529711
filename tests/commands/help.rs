//! `help` finds everything that has a name, and reads well.

use std::{collections::BTreeSet, fs, path::Path};

use plyscope::{
    command::{Form, Shell, table},
    config::Config,
    engine::{
        search::EventKind,
        settings::{SETTINGS, Setting},
    },
    text::{WIDTH, width},
    tui::panes,
};
use serde_json::Value;

fn shell() -> Shell {
    let mut shell = Shell::default();
    shell.keys = panes::key_help(&Config::default());
    shell
}

fn quoted(word: &str) -> String {
    format!("help \"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Help on a word, as JSON.
fn help(shell: &mut Shell, word: &str) -> Value {
    let help = shell.look_up(&quoted(word));
    serde_json::to_value(&*help.unwrap_or_else(|fault| panic!("{word}: {fault}"))).unwrap()
}

fn text(word: &str) -> String {
    shell().look_up(&quoted(word)).unwrap_or_else(|fault| panic!("{word}: {fault}")).text()
}

/// The topics of a kind that the help on a word shows.
fn topics(shell: &mut Shell, word: &str, kind: &str) -> Vec<Value> {
    let found = help(shell, word);
    let topics = found["topics"].as_array().unwrap();
    topics.iter().filter(|topic| topic["kind"] == kind).cloned().collect()
}

/// Whether the help on a word shows a topic of a kind with this name.
fn has(shell: &mut Shell, word: &str, kind: &str, name: &str) -> bool {
    let names = |topic: &Value| topic["names"].as_array().unwrap().contains(&name.into());
    topics(shell, word, kind).iter().any(names)
}

/// The names in bold of a section of the glossary.
fn glossary(title: &str) -> Vec<String> {
    let text = fs::read_to_string("sessions/glossary.md").unwrap();
    let section = text.split(&format!("\n## {title}\n")).nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let heads = section.split("\n- ").skip(1).map(|entry| entry.split(": ").next().unwrap());
    heads.flat_map(|head| head.split("**").skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_command_has_its_page() {
    let mut shell = shell();
    for (name, spec) in table().names() {
        let found = help(&mut shell, name);
        assert_eq!((&found["name"], &found["usage"]), (&spec.name.into(), &spec.usage().into()));
    }
}

/// Mates, with any number of moves, are found without quotes.
#[test]
fn every_mate_has_the_help_of_its_sign() {
    let mut shell = shell();
    for mate in ["#-0", "#3", "#-12"] {
        let found = shell.look_up(&format!("help {mate}")).unwrap().text();
        assert!(found.contains("#, #-0 (sign): mate"), "{mate}: {found}");
    }
}

/// The error for a term, event or sign names its help; that for a setting or a typing error a command.
#[test]
fn a_word_that_is_no_command_has_its_help_in_the_error() {
    for game in ["morris", "chess"] {
        let mut shell = shell();
        shell.look_up(&format!("game {game}")).unwrap();
        let mut fault = |line: &str| shell.run_line(line).pop().unwrap().unwrap_err().fault;
        for word in ["icicle", "cutoff"] {
            let found = fault(word);
            assert_eq!(found.message, format!("`{word}` is not a command"));
            assert_eq!(found.hint, Some(format!("`help {word}` explains it")));
        }
        for (word, other) in [("depth", "search set depth=…"), ("serch", "search")] {
            assert_eq!(fault(word).hint, Some(format!("did you mean `{other}`?")));
        }
    }
}

#[test]
fn every_option_is_found_with_its_commands() {
    let mut shell = shell();
    for spec in table().specs() {
        for param in spec.params.iter().filter(|param| param.form == Form::Flag) {
            let name = format!("--{}", param.name);
            let found = topics(&mut shell, &name, "option");
            let is_of =
                |topic: &&Value| topic["commands"].as_array().unwrap().contains(&spec.name.into());
            let topic = found.iter().find(is_of).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(topic["help"], param.help, "{name} of {}", spec.name);
            assert!(has(&mut shell, param.name, "option", &name), "{name}");
        }
    }
}

#[test]
fn every_setting_is_found_with_its_values() {
    let mut shell = shell();
    for Setting { name, help, choices, .. } in SETTINGS {
        let found = topics(&mut shell, name, "setting");
        let setting = found.iter().find(|topic| topic["names"][0] == *name).unwrap();
        assert_eq!(setting["help"], *help);
        for value in choices().into_iter().filter(|value| *value != "size") {
            let refused = shell.look_up(&format!("search set {name}={value}")).err();
            let why = refused.map(|fault| fault.to_string());
            assert!(why.is_none_or(|why| !why.contains("is not a value")), "{value}");
        }
        assert!(setting["takes"] != "" && setting["value"] != "" && !help.is_empty());
        let default = setting["default"].as_str().unwrap();
        shell.look_up(&format!("search set {name}={default}")).unwrap();
    }
    assert!(has(&mut shell, "seed", "setting", "random"));
    assert!(has(&mut shell, "mtdf", "setting", "algorithm"), "a value finds its setting");
    shell.look_up("search set depth=5").unwrap();
    assert!(shell.look_up("help depth").unwrap().text().starts_with("depth=5 (setting): "));
}

#[test]
fn every_kind_of_event_is_in_the_glossary_and_nothing_else() {
    let kinds: BTreeSet<_> = EventKind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
    assert_eq!(glossary("Events").into_iter().collect::<BTreeSet<_>>(), kinds);
    let mut shell = shell();
    for kind in &kinds {
        assert!(has(&mut shell, kind, "event", kind), "{kind}");
    }
    assert_eq!(topics(&mut shell, "events", "event").len(), kinds.len());
}

#[test]
fn every_term_and_sign_of_the_glossary_is_found() {
    let mut shell = shell();
    let (terms, signs) = (glossary("Terms"), glossary("Signs"));
    assert!(terms.len() > 40 && signs.len() > 50, "{} {}", terms.len(), signs.len());
    for (kind, names) in [("term", terms), ("sign", signs)] {
        for name in names {
            assert!(has(&mut shell, &name, kind, &name), "{name}");
        }
    }
    assert!(has(&mut shell, "pv", "term", "PV"));
    assert!(has(&mut shell, "transposition table", "term", "cache"), "other names count");
}

/// Every source file below a folder.
fn sources(folder: &Path) -> Vec<String> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| match path.is_dir() {
        true => sources(&path),
        // There, characters are only replaced.
        false if path.ends_with("text/visible.rs") => Vec::new(),
        false => vec![fs::read_to_string(path).unwrap()],
    };
    paths.flat_map(read).collect()
}

#[test]
fn every_sign_that_texts_print_is_found() {
    let sources = sources(Path::new("src"));
    let lines = sources.iter().flat_map(|source| source.lines());
    let code = lines.map(|line| line.split("//").next().unwrap());
    // Lines and blocks of drawings are no signs.
    let is_sign = |c: &char| !c.is_ascii() && !('\u{2500}'..='\u{259f}').contains(c);
    let signs: BTreeSet<char> = code.flat_map(str::chars).filter(is_sign).collect();
    assert!(signs.len() > 30, "{signs:?}");
    let mut shell = shell();
    for sign in signs.into_iter().map(String::from) {
        assert!(has(&mut shell, &sign, "sign", &sign), "{sign}");
    }
}

#[test]
fn every_key_is_found() {
    let mut shell = shell();
    for row in shell.keys.clone() {
        for key in &row.keys {
            let found = topics(&mut shell, key, "key");
            assert!(found.iter().any(|topic| topic["help"] == row.help), "{key}: {found:?}");
        }
    }
    assert_eq!(topics(&mut shell, "v", "key")[0]["pane"], "board");
    for (key, command) in [("F11", "step"), ("shift-f11", "back"), ("S-F11", "back")] {
        assert_eq!(topics(&mut shell, key, "key")[0]["command"], command, "{key}");
    }
    assert_eq!(topics(&mut shell, "finish", "key")[0]["names"][0], "o");
    assert_eq!(topics(&mut shell, "landmark", "key").len(), 2);
}

#[test]
fn keys_of_the_configuration_and_variables_are_found() {
    let mut shell = shell();
    assert!(has(&mut shell, "trusted", "configuration", "trusted"));
    assert!(
        has(&mut shell, "--no-mouse", "configuration", "mouse")
            || text("--no-mouse").contains("mouse")
    );
    assert!(has(&mut shell, "no_color", "variable", "NO_COLOR"));
}

#[test]
fn capital_letters_decide_nothing() {
    for word in ["Cache", "Play", "Search", "Break", "Step", "RAISE", "Cutoff", "Pvs", "LMR", "PLY"]
    {
        assert_eq!(text(word), text(&word.to_lowercase()), "{word}");
        assert_eq!(text(word), text(&word.to_uppercase()), "{word}");
    }
    let both = text("cache");
    assert!(both.contains("cache stats\n") && both.contains("cache histogram"), "{both}");
}

#[test]
fn words_that_name_nothing_are_looked_for_in_names_and_texts() {
    for (word, found) in [("kill", "killer"), ("script", "source"), ("fork bolder", "fork")] {
        assert!(text(word).contains(found), "{word}: {}", text(word));
    }
    let kill = text("kill");
    assert!(kill.find("killer") < kill.find("explain order"), "names first: {kill}");
    assert!(text("csv").contains("export table"), "{}", text("csv"));
    let plot = text("plot");
    assert!(plot.starts_with("There is no help on") && plot.contains("picture chart"), "{plot}");
    let mut shell = shell();
    for (word, hint) in
        [("cache gte", "did you mean `cache get`"), ("zzqq", "`help` lists the commands")]
    {
        let fault = shell.look_up(&quoted(word)).unwrap_err();
        assert!(fault.to_string().contains(hint), "{word}: {fault}");
    }
}

#[test]
fn topics_that_mention_a_term_have_a_row_each() {
    let text = text("cutoff");
    let (_, others) = text.split_once("see also\n").unwrap_or_else(|| panic!("{text}"));
    assert!(others.lines().any(|row| row.starts_with("  explain cutoff")), "{text}");
    assert!(help(&mut shell(), "cutoff")["mentioned"][0].is_string());
}

#[test]
fn no_line_is_wider_than_the_page() {
    let mut words: Vec<String> = table().names().map(|(name, _)| name.to_owned()).collect();
    words.extend(SETTINGS.iter().map(|setting| setting.name.to_owned()));
    words.extend(["Terms", "Events", "Signs"].into_iter().flat_map(glossary));
    words.extend(["all", "keys", "options", "events", "signs", "value", "kill"].map(str::to_owned));
    for word in words {
        // Examples can be copied as they are.
        let lines = text(&word);
        let lines =
            lines.lines().filter(|line| !line.starts_with("    ") || line.trim().contains("  "));
        for line in lines.filter(|line| line.split_whitespace().count() > 1) {
            assert!(width(line) <= WIDTH, "{word}: {line}");
        }
    }
}

/// The help on a word begins with the sign or term of that name, not with an option.
#[test]
fn signs_and_terms_come_before_options() {
    let mut shell = Shell::default();
    for (word, kind) in [("alpha", "sign"), ("beta", "sign"), ("castle", "term")] {
        let found = help(&mut shell, word);
        let kinds: Vec<_> =
            found["topics"].as_array().unwrap().iter().map(|it| &it["kind"]).collect();
        assert_eq!(kinds[0], kind, "{word}: {kinds:?}");
    }
}

/// A mistyped beginning of command names gets a suggestion too.
#[test]
fn help_suggests_the_first_words_of_commands() {
    let fault = shell().look_up("help searhc").unwrap_err();
    assert!(fault.to_string().contains("did you mean `search`?"), "{fault}");
}
