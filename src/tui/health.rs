//! `--health`: what the program finds around it, for people whose screen does not look right.

use std::{
    env,
    fmt::Write as _,
    io::{self, IsTerminal},
    path::Path,
};

use super::{ScreenOptions, layout, look::Colours};
use crate::config::{self, Config};

/// The report, and whether all is well. `given` is the configuration's path where a flag says it.
pub fn report(
    options: &ScreenOptions,
    given: Option<&Path>,
    config: Result<Config, String>,
) -> (String, bool) {
    let mut text = format!("plyscope {}\n", env!("CARGO_PKG_VERSION"));
    let mut well = true;
    for (name, ok, found) in checks(options, given, config) {
        let mark = if ok { "ok " } else { "NO " };
        well &= ok;
        let _ = writeln!(text, "{mark} {name:<14} {found}");
    }
    (text, well)
}

type Check = (&'static str, bool, String);

fn checks(
    options: &ScreenOptions,
    given: Option<&Path>,
    config: Result<Config, String>,
) -> Vec<Check> {
    let variable = |name: &str| env::var(name).unwrap_or_else(|_| "not set".to_owned());
    let term = variable("TERM");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    let locale = locale.unwrap_or_else(|| "not set".to_owned());
    let unicode = locale.to_lowercase().replace('-', "").contains("utf8");
    let is_terminal = |is: bool| (if is { "a terminal" } else { "no terminal" }).to_owned();
    vec![
        ("input", true, is_terminal(io::stdin().is_terminal())),
        ("output", true, is_terminal(io::stdout().is_terminal())),
        ("/dev/tty", true, tty()),
        ("TERM", !matches!(term.as_str(), "not set" | "dumb"), term),
        ("COLORTERM", true, variable("COLORTERM")),
        ("NO_COLOR", true, variable("NO_COLOR")),
        (
            "locale",
            true,
            format!(
                "{locale}{}",
                if unicode { "" } else { ": not UTF-8; --ascii draws without it" }
            ),
        ),
        size(),
        configuration(given, config.as_ref().err()),
        theme(options, &config.unwrap_or_default()),
        (
            "history",
            true,
            crate::repl::history_file().map_or_else(|| "nowhere".to_owned(), |path| shown(&path)),
        ),
    ]
}

fn tty() -> String {
    let opened = std::fs::File::options().read(true).write(true).open("/dev/tty");
    opened.map_or_else(
        |error| format!("cannot be opened ({error}): the plain command line is used"),
        |_| "can be opened".to_owned(),
    )
}

fn size() -> Check {
    let (columns, rows) = crossterm::terminal::size().unwrap_or((0, 0));
    let (least_columns, least_rows) = layout::LEAST;
    let (wide_columns, wide_rows) = layout::WIDE;
    let found = match (columns, rows) {
        (0, _) | (_, 0) => "unknown".to_owned(),
        _ if columns < least_columns || rows < least_rows => {
            format!("{columns}x{rows}: too small, {least_columns}x{least_rows} at least")
        }
        _ if columns < wide_columns || rows < wide_rows => {
            format!(
                "{columns}x{rows}: side panes are tabs; all are seen from {wide_columns}x{wide_rows}"
            )
        }
        _ => format!("{columns}x{rows}: all panes are seen"),
    };
    ("size", true, found)
}

fn theme(options: &ScreenOptions, config: &Config) -> Check {
    let found = super::theme(options, config, Colours::of_environment());
    let name = options.theme.as_ref().or(config.theme.as_ref());
    let name = name.map_or("the usual one", String::as_str).to_owned();
    let well = found.is_ok();
    ("theme", well, found.map_or_else(|what| what, |_| name))
}

fn configuration(given: Option<&Path>, fault: Option<&String>) -> Check {
    let path = given.map(Path::to_owned).or_else(config::path);
    let found = match (path, fault) {
        (_, Some(what)) => what.clone(),
        (None, None) => "nowhere to look for one".to_owned(),
        (Some(path), None) if path.exists() => shown(&path),
        (Some(path), None) => format!("none; {} would be read", shown(&path)),
    };
    ("configuration", fault.is_none(), found)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
