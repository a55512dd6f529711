//! The options of the engine: all search settings, and the options of the protocol.

use std::path::PathBuf;

use crate::engine::session::{AnySession, analysis::SettingKind, analysis::SettingOption};

/// The greatest number in an option, because clients read options as 32-bit integers.
const GREATEST: u64 = i32::MAX as u64;
/// The range of the option `Hash` in MiB.
const HASH: [u64; 2] = [1, 1 << 16];
/// The default of the option `Move Overhead` in milliseconds.
pub const OVERHEAD: u64 = 10;
/// The greatest value of the option `Move Overhead` in milliseconds.
pub const MOST_OVERHEAD: u64 = 5000;
/// The value of the option `SyzygyPath` if there are no tables.
const NO_TABLES: &str = "<empty>";
/// The search setting that the option `Hash` sets.
const SIZE: &str = "max_size";

/// The change that a `setoption` line causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionChange {
    /// A new value of a search setting.
    Setting(&'static str, String),
    /// A rule of the game by name, and the new choice.
    Rule(String, String),
    /// `UCI_Variant`: the game with this name.
    Game(String),
    /// `Clear Hash`: empties the table.
    ClearCache,
    /// `Move Overhead`: the time lost between client and engine, in milliseconds.
    Overhead(u64),
    /// `SyzygyPath`: the folder of the endgame tables; `None`: no tables.
    Tables(Option<PathBuf>),
    /// An option that has no effect.
    Nothing,
}

/// The `option` lines that announce all options.
pub fn announcements(session: &dyn AnySession, games: &[&str]) -> Vec<String> {
    let settings = session.setting_options();
    let own = [
        format!("name Hash type spin default {} min {} max {}", hash(&settings), HASH[0], HASH[1]),
        "name Clear Hash type button".to_owned(),
        "name Threads type spin default 1 min 1 max 1".to_owned(),
        "name Ponder type check default false".to_owned(),
        format!("name Move Overhead type spin default {OVERHEAD} min 0 max {MOST_OVERHEAD}"),
        format!("name SyzygyPath type string default {NO_TABLES}"),
        format!("name UCI_Variant {}", combo(session.game(), games)),
    ];
    let rules = session.rules().rules.into_iter();
    let rules =
        rules.map(|rule| format!("name {} {}", rule.name, combo(&rule.value, &rule.choices)));
    let settings = settings.iter().map(option_line);
    own.into_iter().chain(rules).chain(settings).map(|option| format!("option {option}")).collect()
}

fn option_line(setting: &SettingOption) -> String {
    let SettingOption { name, value, .. } = setting;
    match setting.kind {
        SettingKind::Switch => format!("name {name} type check default {}", value == "on"),
        SettingKind::Choice => format!("name {name} {}", combo(value, &setting.choices)),
        SettingKind::Number(most) => {
            format!("name {name} type spin default {value} min 0 max {}", most.min(GREATEST))
        }
        SettingKind::Text => format!("name {name} type string default {value}"),
    }
}

fn combo<T: AsRef<str>>(value: &str, choices: &[T]) -> String {
    let words = choices.iter().flat_map(|choice| ["var", choice.as_ref()]);
    ["type", "combo", "default", value].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// The size of the table in MiB, for the option `Hash`.
fn hash(settings: &[SettingOption]) -> u64 {
    let size = settings.iter().find(|setting| setting.name == SIZE);
    let mib = size.and_then(|size| size.value.strip_suffix("MiB")?.parse().ok());
    mib.unwrap_or(HASH[0])
}

/// Reads a `setoption`; names of options are not case-sensitive.
/// Errors: a message for the client.
pub fn read(session: &dyn AnySession, name: &str, value: &str) -> Result<OptionChange, String> {
    let number = |least: u64, most: u64| {
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            format!("{name} needs a whole number from {least} to {most}, not `{value}`")
        })
    };
    match name.to_lowercase().as_str() {
        "hash" => Ok(OptionChange::Setting(SIZE, format!("{}MiB", number(HASH[0], HASH[1])?))),
        "clear hash" => Ok(OptionChange::ClearCache),
        "threads" => number(1, 1).map(|_| OptionChange::Nothing),
        "ponder" => Ok(OptionChange::Nothing),
        "move overhead" => number(0, MOST_OVERHEAD).map(OptionChange::Overhead),
        "syzygypath" => {
            let folder = Some(value).filter(|value| !matches!(*value, "" | NO_TABLES));
            Ok(OptionChange::Tables(folder.map(PathBuf::from)))
        }
        "uci_variant" => Ok(OptionChange::Game(value.to_lowercase())),
        lower if session.rules().rules.iter().any(|rule| rule.name == lower) => {
            Ok(OptionChange::Rule(lower.to_owned(), value.to_owned()))
        }
        lower => {
            let options = session.setting_options();
            let setting = options.into_iter().find(|setting| setting.name == lower);
            let setting = setting.ok_or_else(|| format!("there is no option `{name}`"))?;
            let value = match (setting.kind, value) {
                (SettingKind::Switch, "true") => "on",
                (SettingKind::Switch, "false") => "off",
                (_, value) => value,
            };
            Ok(OptionChange::Setting(setting.name, value.to_owned()))
        }
    }
}
