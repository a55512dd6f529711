//! The configuration file, in RON. Errors have file, line and column.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use serde::Deserialize;

use crate::command::{KeyHelp, files};

/// The configuration. Flags override it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The name of the full screen's theme.
    pub theme: Option<String>,
    /// Whether the full screen is drawn in ASCII.
    pub ascii: bool,
    /// Whether the full screen uses the mouse (default: yes).
    pub mouse: Option<bool>,
    /// The file that the full screen appends its log to.
    pub log: Option<PathBuf>,
    /// Keys of the full screen by the name of their action, or a command line by its key.
    pub keys: BTreeMap<String, KeySetting>,
    /// Whether tips are shown after a search has stopped (default: yes).
    pub tips: Option<bool>,
    /// Folders whose sessions may run their commands.
    pub trusted: Vec<PathBuf>,
    /// The keys of the full screen, for `help`.
    #[serde(skip)]
    pub key_help: Vec<KeyHelp>,
    #[serde(skip)]
    source: Source,
}

/// A value in the map of keys.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum KeySetting {
    /// The keys of the action of this name: `"step": ["s", "f11"]`.
    Keys(Vec<String>),
    /// The command line that the key of this name runs: `"f8": ":back continue"`.
    Line(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Source {
    path: PathBuf,
    text: String,
}

/// Where the file is looked for.
pub fn path() -> Option<PathBuf> {
    let folder = etcetera::base_strategy::Xdg::new().ok()?.config_dir();
    Some(folder.join("plyscope").join("config.ron"))
}

/// Reads the given file, or the default one if it exists. Errors have file, line and column.
pub fn load(given: Option<&Path>) -> Result<Config, String> {
    let Some(path) = given.map(Path::to_owned).or_else(path) else {
        return Ok(Config::default());
    };
    if given.is_none() && !path.exists() {
        return Ok(Config::default());
    }
    let text = files::read_text(&path).map_err(|fault| fault.to_string())?;
    parse(Source { path, text })
}

fn parse(source: Source) -> Result<Config, String> {
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
    /// The trusted folders. Relative ones are errors: they would depend on where the program starts.
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

    /// An error with the place of a quoted text, the first one after `after`.
    pub fn fault(&self, after: &str, quoted: &str, what: &str) -> String {
        let text = &self.source.text;
        let found = |from: usize, quoted: &str| Some(from + text.get(from..)?.find(quoted)?);
        let from = found(0, after).unwrap_or(0);
        let at = found(from, &format!("\"{quoted}\"")).unwrap_or(from);
        let (line, column) = files::position(text, at);
        self.source.at(line, column, what)
    }
}

impl Source {
    fn at(&self, line: usize, column: usize, what: &str) -> String {
        format!("{}:{line}:{column}: {what}", self.path.display())
    }
}
