//! The configuration file: RON, every part optional; what it says wrongly is an error with file and line.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use serde::Deserialize;

use super::{
    keymap::{ACTIONS, Action, Keymap},
    keys::Key,
};
use crate::command::{files, suggest};

/// What the file may say.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
struct Document {
    theme: Option<String>,
    ascii: Option<bool>,
    mouse: Option<bool>,
    log: Option<PathBuf>,
    keys: BTreeMap<String, Vec<String>>,
    trusted: Vec<String>,
}

/// What holds where no flag says otherwise.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The theme's name.
    pub theme: Option<String>,
    /// Only ASCII on the screen.
    pub ascii: bool,
    /// Whether the mouse is ours at the start.
    pub mouse: Option<bool>,
    /// Where the log goes.
    pub log: Option<PathBuf>,
    /// What keys do.
    pub keymap: Keymap,
    /// Folders whose sessions may run their commands.
    pub trusted: Vec<PathBuf>,
}

/// Where the file is looked for.
pub fn path() -> Option<PathBuf> {
    let folder = etcetera::base_strategy::Xdg::new().ok()?.config_dir();
    Some(folder.join("plyscope").join("config.ron"))
}

/// Reads the file given, or the usual one where it exists. A fault names file and line.
pub fn load(given: Option<&Path>) -> Result<Config, String> {
    let Some(path) = given.map(Path::to_owned).or_else(path) else {
        return Ok(Config::default());
    };
    if given.is_none() && !path.exists() {
        return Ok(Config::default());
    }
    let text = files::read_text(&path).map_err(|fault| fault.to_string())?;
    let shown = path.display();
    parse(&text).map_err(|(line, column, what)| format!("{shown}:{line}:{column}: {what}"))
}

/// Line, column and what is wrong there.
type Wrong = (usize, usize, String);

fn parse(text: &str) -> Result<Config, Wrong> {
    let options =
        ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    let document: Document = options.from_str(text).map_err(|error| {
        let at = error.span.start;
        (at.line, at.col, files::of_ron(&error.code))
    })?;
    Ok(Config {
        keymap: keymap(text, &document.keys)?,
        trusted: trusted(text, &document.trusted)?,
        theme: document.theme,
        ascii: document.ascii.unwrap_or_default(),
        mouse: document.mouse,
        log: document.log,
    })
}

/// The folders trusted; each is named from the root or from the user's own folder, so that it is the same everywhere.
fn trusted(text: &str, folders: &[String]) -> Result<Vec<PathBuf>, Wrong> {
    let home = etcetera::home_dir();
    let whole = |folder: &String| match (folder.strip_prefix("~/"), &home) {
        (Some(within), Ok(home)) => Ok(home.join(within)),
        _ if Path::new(folder).is_absolute() => Ok(folder.into()),
        _ => Err(wrong(
            place(text, "trusted", folder),
            format!("the folder `{folder}` does not begin with / or ~/"),
        )),
    };
    folders.iter().map(whole).collect()
}

fn keymap(text: &str, overrides: &BTreeMap<String, Vec<String>>) -> Result<Keymap, Wrong> {
    let mut keymap = Keymap::default();
    for name in overrides.keys() {
        let action = action(text, name)?;
        // First all are released, so that two actions can exchange their keys.
        let _ = keymap.bind(action, &[]);
    }
    for (name, keys) in overrides {
        let action = action(text, name)?;
        let place = |quoted: &str| place(text, name, quoted);
        let mut read = Vec::with_capacity(keys.len());
        for key in keys {
            read.push(key.parse::<Key>().map_err(|what| wrong(place(key), what))?);
        }
        keymap.bind(action, &read).map_err(|(key, other)| {
            let what =
                format!("the key {key} is taken by the action `{other}`: give that one other keys");
            wrong(place(name), what)
        })?;
    }
    Ok(keymap)
}

fn action(text: &str, name: &str) -> Result<&'static Action, Wrong> {
    Action::called(name).ok_or_else(|| {
        let known = suggest::did_you_mean(name, ACTIONS.iter().map(|action| action.name));
        let hint = known.unwrap_or_else(|| "F1 lists the actions".to_owned());
        wrong(
            place(text, name, name),
            format!("no action is called `{name}`; {hint}"),
        )
    })
}

fn wrong((line, column): (usize, usize), what: String) -> Wrong {
    (line, column, what)
}

/// Where a quoted text stands, at an action or behind it.
fn place(text: &str, action: &str, quoted: &str) -> (usize, usize) {
    let after = text.find(&format!("\"{action}\"")).unwrap_or(0);
    let at = text[after..]
        .find(&format!("\"{quoted}\""))
        .map_or(after, |at| after + at);
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::app::Pane;

    fn fault(text: &str) -> String {
        let (line, column, what) = parse(text).unwrap_err();
        format!("{line}:{column}: {what}")
    }

    #[test]
    fn parts_may_be_left_out() {
        let config =
            parse("(ascii: true, theme: \"light\", keys: {\"step\": [\"n\", \"ctrl-t\"]})")
                .unwrap();
        assert_eq!(
            (config.ascii, config.theme.as_deref()),
            (true, Some("light"))
        );
        let action = |key: &str| {
            config
                .keymap
                .action(key.parse().unwrap(), Pane::Board)
                .map(|action| action.name)
        };
        assert_eq!(
            (action("n"), action("s"), action("o")),
            (Some("step"), None, Some("over"))
        );
        assert!(parse("()").is_ok());
    }

    #[test]
    fn actions_can_exchange_their_keys() {
        let config = parse("(keys: {\"over\": [\"s\"], \"step\": [\"o\"]})").unwrap();
        let action = config
            .keymap
            .action("s".parse().unwrap(), Pane::Board)
            .unwrap();
        assert_eq!(action.name, "over");
    }

    #[test]
    fn faults_say_where() {
        assert_eq!(
            fault("(\n  keys: {\"setp\": [\"n\"]},\n)"),
            "2:10: no action is called `setp`; did you mean `step`?"
        );
        assert!(fault("(keys: {\n\"step\": [\"pgup\"]})").starts_with("2:10: `pgup` is no key"));
        assert!(
            fault("(keys: {\"step\": [\"o\"]})")
                .contains("the key o is taken by the action `over`")
        );
        let said = fault("(\n  colour: true,\n)");
        assert!(
            said.starts_with("2:") && said.contains("nothing is called `colour` here"),
            "{said}"
        );
        assert!(fault("(ascii: maybe)").contains("`true` or `false` belongs here"));
        for text in ["ascii", "[]", "(theme: 3)", "(keys: 3)", "Other()", "("] {
            let said = fault(text);
            assert!(
                !said.contains("struct") && !said.contains("Document"),
                "{said}"
            );
        }
    }
}
