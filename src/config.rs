//! The configuration file, in RON. Error messages give file, line and column.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use serde::Deserialize;

use crate::command::{KeyHelp, files};

/// The contents of the configuration file. Command-line flags override them.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The theme of the full screen, by name; `None`: the default theme.
    pub theme: Option<String>,
    /// Whether the full screen is drawn in ASCII.
    pub ascii: bool,
    /// Whether the full screen uses the mouse (default: yes).
    pub mouse: Option<bool>,
    /// The file to which the full screen appends its log.
    pub log: Option<PathBuf>,
    /// The keys of each action of the full screen, by the action's name; or a command line, by its key.
    pub keys: BTreeMap<String, KeySetting>,
    /// Whether tips are shown after a search has stopped; `None`: yes.
    pub tips: Option<bool>,
    /// Folders with sessions whose commands may run without `trust`.
    pub trusted: Vec<PathBuf>,
    /// The keys of the full screen with the configuration applied, for `help`.
    #[serde(skip)]
    pub key_help: Vec<KeyHelp>,
    #[serde(skip)]
    source: ConfigFile,
}

/// A value in the map of keys: keys of an action, or a command line of a key.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum KeySetting {
    /// The keyboard keys of an action, whose name is the map's key: `"step": ["s", "f11"]`.
    Keys(Vec<String>),
    /// The command line of a keyboard key, whose name is the map's key: `"f8": ":back continue"`.
    Line(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ConfigFile {
    path: PathBuf,
    text: String,
}

/// The default path of the configuration file; `None` without a home directory.
pub fn path() -> Option<PathBuf> {
    let folder = etcetera::base_strategy::Xdg::new().ok()?.config_dir();
    Some(folder.join("plyscope").join("config.ron"))
}

/// Reads the given file, or the default one if it exists. Error messages give file, line and column.
pub fn load(given: Option<&Path>) -> Result<Config, String> {
    let Some(path) = given.map(Path::to_owned).or_else(path) else {
        return Ok(Config::default());
    };
    if given.is_none() && !path.exists() {
        return Ok(Config::default());
    }
    let text = files::read_text(&path).map_err(|fault| fault.to_string())?;
    parse(ConfigFile { path, text })
}

fn parse(source: ConfigFile) -> Result<Config, String> {
    let options =
        ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    let mut config: Config = options.from_str(&source.text).map_err(|error| {
        let at = error.span.start;
        source.at(at.line, at.col, &files::ron_message(&error.code))
    })?;
    config.source = source;
    config.trusted = config.absolute_folders()?;
    Ok(config)
}

impl Config {
    /// The trusted folders. A relative path is an error, because its meaning would depend on the current directory.
    fn absolute_folders(&self) -> Result<Vec<PathBuf>, String> {
        let home = etcetera::home_dir();
        let absolute = |folder: &PathBuf| match (folder.strip_prefix("~"), &home) {
            (Ok(within), Ok(home)) => Ok(home.join(within)),
            _ if folder.is_absolute() => Ok(folder.clone()),
            _ => {
                let folder = folder.display().to_string();
                let what = format!("the folder `{folder}` does not begin with / or ~/");
                Err(self.fault("trusted", &folder, &what))
            }
        };
        self.trusted.iter().map(absolute).collect()
    }

    /// An error message with the place of `quoted` in the file, the first occurrence after the text `after`.
    pub fn fault(&self, after: &str, quoted: &str, what: &str) -> String {
        let text = &self.source.text;
        let found = |from: usize, quoted: &str| Some(from + text.get(from..)?.find(quoted)?);
        let from = found(0, after).unwrap_or(0);
        let at = found(from, &format!("\"{quoted}\"")).unwrap_or(from);
        let (line, column) = files::position(text, at);
        self.source.at(line, column, what)
    }
}

impl ConfigFile {
    fn at(&self, line: usize, column: usize, what: &str) -> String {
        format!("{}:{line}:{column}: {what}", self.path.display())
    }
}
