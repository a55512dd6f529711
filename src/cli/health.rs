//! `plyscope --health`: terminal, configuration and theme, for bug reports.

use std::{
    env,
    fmt::Write as _,
    io::{self, IsTerminal},
    path::Path,
};

use crate::{
    config::{self, Config},
    script,
    tui::{self, ScreenOptions, panes},
    view::{Abilities, Colour},
};

/// The report, and whether all checks passed. `given` is the configuration file named by a flag.
pub fn report(
    options: &ScreenOptions,
    given: Option<&Path>,
    config: Result<Config, String>,
) -> (String, bool) {
    let variable = |name: &str| env::var(name).unwrap_or_else(|_| "not set".to_owned());
    let is_terminal = |is: bool| (if is { "a terminal" } else { "no terminal" }).to_owned();
    let term = variable("TERM");
    let history = crate::repl::history_file();
    let keys = config.as_ref().ok().and_then(|config| panes::keymap().configured(config).err());
    let checks = [
        ("input", true, is_terminal(io::stdin().is_terminal())),
        ("output", true, is_terminal(io::stdout().is_terminal())),
        ("/dev/tty", true, tty()),
        ("TERM", !matches!(term.as_str(), "not set" | "dumb"), term),
        ("NO_COLOR", true, variable("NO_COLOR")),
        ("locale", true, locale()),
        ("size", true, size()),
        configuration(given, config.as_ref().err().or(keys.as_ref())),
        theme(options, &config.unwrap_or_default()),
        ("history", true, history.map_or_else(|| "nowhere".to_owned(), |path| shown(&path))),
    ];
    let mut text = format!("{}\n", script::PROGRAM);
    for (name, ok, found) in &checks {
        let mark = if *ok { "ok " } else { "NO " };
        let _ = writeln!(text, "{mark} {name:<14} {found}");
    }
    (text, checks.iter().all(|(_, ok, _)| *ok))
}

type Check = (&'static str, bool, String);

fn locale() -> String {
    let mut set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| env::var(name).ok());
    let locale = set.find(|value| !value.is_empty()).unwrap_or_else(|| "not set".to_owned());
    let is_ascii = Abilities::of_environment().ascii;
    let more = if is_ascii { ": screen and prompt write ASCII" } else { "" };
    format!("{locale}{more}")
}

fn tty() -> String {
    let opened = std::fs::File::options().read(true).write(true).open("/dev/tty");
    opened.map_or_else(
        |error| format!("cannot be opened ({error}): the plain command line is used"),
        |_| "can be opened".to_owned(),
    )
}

fn size() -> String {
    let (columns, rows) = crossterm::terminal::size().unwrap_or((0, 0));
    let below = |(least_columns, least_rows)| columns < least_columns || rows < least_rows;
    let (least, wide) = (tui::MIN_SIZE, tui::FULL_SIZE);
    let words = if columns == 0 || rows == 0 {
        return "unknown".to_owned();
    } else if below(least) {
        format!("too small, {}x{} at least", least.0, least.1)
    } else if below(wide) {
        format!("side panes are tabs; all are seen from {}x{}", wide.0, wide.1)
    } else {
        "all panes are seen".to_owned()
    };
    format!("{columns}x{rows}: {words}")
}

fn theme(options: &ScreenOptions, config: &Config) -> Check {
    let found = tui::theme(options, config, Colour::for_terminal(true));
    let name = options.theme.as_ref().or(config.theme.as_ref());
    let shown = name.map_or("the usual one", String::as_str);
    ("theme", found.is_ok(), found.map_or_else(|what| what, |_| shown.to_owned()))
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
