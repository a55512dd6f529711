//! `--health`: what the program finds around it, for people whose screen does not look right.

use std::{
    env,
    fmt::Write as _,
    io::{self, IsTerminal},
    path::Path,
};

use super::{Options, config, theme::Colours};

/// The report, and whether all is well.
pub fn report(options: &Options) -> (String, bool) {
    let mut text = format!("plyscope {}\n", env!("CARGO_PKG_VERSION"));
    let mut well = true;
    for (name, ok, found) in checks(options) {
        let mark = if ok { "ok " } else { "NO " };
        well &= ok;
        let _ = writeln!(text, "{mark} {name:<14} {found}");
    }
    (text, well)
}

type Check = (&'static str, bool, String);

fn checks(options: &Options) -> Vec<Check> {
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
                if unicode {
                    ""
                } else {
                    ": not UTF-8; --ascii draws without it"
                }
            ),
        ),
        size(),
        configuration(options),
        theme(options),
        (
            "history",
            true,
            crate::repl::history_file().map_or_else(|| "nowhere".to_owned(), |path| shown(&path)),
        ),
    ]
}

fn tty() -> String {
    let opened = std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/tty");
    opened.map_or_else(
        |error| format!("cannot be opened ({error}): the plain command line is used"),
        |_| "can be opened".to_owned(),
    )
}

fn size() -> Check {
    let (columns, rows) = crossterm::terminal::size().unwrap_or((0, 0));
    let (least_columns, least_rows) = super::layout::LEAST;
    let found = match (columns, rows) {
        (0, _) | (_, 0) => "unknown".to_owned(),
        _ if columns < least_columns || rows < least_rows => {
            format!("{columns}x{rows}: too small, {least_columns}x{least_rows} at least")
        }
        _ if columns < 140 || rows < 36 => {
            format!("{columns}x{rows}: side panes are tabs; all are seen from 140x36")
        }
        _ => format!("{columns}x{rows}: all panes are seen"),
    };
    ("size", true, found)
}

fn theme(options: &Options) -> Check {
    let configured = config::load(options.config.as_deref()).unwrap_or_default();
    let named = options.theme.clone().or(configured.theme);
    let found = named.map_or(Ok("the usual one".to_owned()), |name| {
        super::theme(&name, Colours::of_environment()).map(|_| name)
    });
    ("theme", found.is_ok(), found.unwrap_or_else(|what| what))
}

fn configuration(options: &Options) -> Check {
    let Some(path) = options.config.clone().or_else(config::path) else {
        return ("configuration", true, "nowhere to look for one".to_owned());
    };
    match config::load(options.config.as_deref()) {
        Err(what) => ("configuration", false, what),
        Ok(_) if path.exists() => ("configuration", true, shown(&path)),
        Ok(_) => (
            "configuration",
            true,
            format!("none; {} would be read", shown(&path)),
        ),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
