//! Numbers for people.
//!
//! Scores have a sign. They are exact if four decimals suffice (`+1`, `-0.25`, `0`), else rounded to four (`+0.0476`): a won
//! game, `+1`, differs from a nearly won one, `+1.0000`. Counts are grouped by threes; times, rates and sizes have three
//! digits.

/// Decimals of a rounded score.
const DECIMALS: usize = 4;

/// A score for tables and lines.
pub fn score(value: impl Into<f64>) -> String {
    let value = value.into();
    if value.is_infinite() {
        let sign = if value > 0.0 { '+' } else { '-' };
        return format!("{sign}∞");
    }
    signed(value)
}

/// A score in at most `columns` columns, with up to three decimals, or four if they fit.
pub fn short(value: impl Into<f64>, columns: usize) -> String {
    let value = value.into();
    let decimals = [3, 2, 1, 0].map(|decimals| format!("{value:+.decimals$}"));
    let mut all = std::iter::once(score(value)).chain(decimals);
    all.find(|text| text.chars().count() <= columns).unwrap_or_else(|| format!("{value:+.0e}"))
}

/// The bounds of a window as texts. Those of a null window would round to the same text: one is marked as the next value
/// above (`+0.0476⁺`) or below (`0⁻`) the other.
pub fn window<T: Copy + Into<f64>>(ends: impl Into<[T; 2]>, write: fn(T) -> String) -> [String; 2] {
    let ends = ends.into();
    let [low, high] = ends.map(write);
    let [alpha, beta] = ends.map(Into::into);
    if alpha.next_up() != beta {
        [low, high]
    } else if digits(beta).len() < digits(alpha).len() {
        [high.clone() + "⁻", high]
    } else {
        [low.clone(), low + "⁺"]
    }
}

/// The sign before a value that is a `lower` or `upper` bound; empty for an exact one.
pub fn bound(bound: &str) -> &'static str {
    match bound {
        "lower" => "≥",
        "upper" => "≤",
        _ => "",
    }
}

/// A score, or `—`.
pub fn score_or_none(value: Option<impl Into<f64>>) -> String {
    value.map_or_else(|| "—".to_owned(), |value| score(value))
}

/// A score; if it is rounded, all digits follow in brackets.
pub fn exact(value: impl Into<f64>) -> String {
    let full = value.into();
    let short = score(full);
    if short.parse() == Ok(full) || full.is_infinite() {
        short
    } else {
        format!("{short} ({})", digits(full))
    }
}

/// A number with a sign, rounded like a score.
pub fn signed(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let (text, rounded) = if value.abs() >= LARGE {
        (format!("{value:+e}"), format!("{value:+.DECIMALS$e}"))
    } else {
        (format!("{value:+}"), format!("{value:+.DECIMALS$}"))
    };
    let behind = text.split_once('.').map_or("", |(_, behind)| behind);
    let decimals = behind.bytes().take_while(u8::is_ascii_digit).count();
    if decimals > DECIMALS { rounded } else { text }
}

/// From this magnitude on, numbers are written with an exponent.
const LARGE: f64 = 1e12;
/// Below this magnitude too.
const SMALL: f64 = 1e-9;

/// A number with the digits it takes to read the same one back.
pub fn digits(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= LARGE || (magnitude < SMALL && magnitude > 0.0) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// A count: `184 302`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(" ")
}

/// A count of things: `1 entry`, `12 345 entries`.
pub fn counted(value: u64, one: &str, several: &str) -> String {
    let name = if value == 1 { one } else { several };
    format!("{} {name}", count(value))
}

/// A duration given in milliseconds: `0.123 ms`, `15.3 ms`, `1.24 s`, `2 min 5 s`.
pub fn time(ms: f64) -> String {
    if ms < 999.5 {
        return format!("{} ms", three_digits(ms));
    }
    let seconds = ms / 1e3;
    if seconds < 99.95 {
        return format!("{} s", three_digits(seconds));
    }
    let whole = seconds.round();
    format!("{} min {} s", (whole / 60.0).floor(), whole % 60.0)
}

/// A rate: `12.1 M nodes/s`. `None` without a time, or if it is too short to measure.
pub fn rate(things: u64, name: &str, ms: Option<f64>) -> Option<String> {
    const MEASURABLE_MS: f64 = 0.01;
    let ms = ms.filter(|&ms| ms >= MEASURABLE_MS && things > 0)?;
    Some(format!("{}{name}/s", scaled(things as f64 / ms * 1e3, ["", "k ", "M ", "G "])))
}

/// A size: `312 bytes`, `12.3 kB`, `1.23 GB`.
pub fn bytes(size: u64) -> String {
    if size < 1000 {
        return counted(size, "byte", "bytes");
    }
    scaled(size as f64, ["bytes", "kB", "MB", "GB"])
}

/// A share: `36.8 %`; `0 %` and `100 %` only if exact. `None` if `whole` is 0.
pub fn percent(part: u64, whole: u64) -> Option<String> {
    const LEAST: f64 = 0.05;
    let percent = part as f64 * 100.0 / whole as f64;
    match (part, whole) {
        (_, 0) => None,
        (0, _) => Some("0 %".to_owned()),
        _ if part == whole => Some("100 %".to_owned()),
        _ if percent < LEAST => Some("<0.1 %".to_owned()),
        _ if percent > 100.0 - LEAST => Some(">99.9 %".to_owned()),
        _ => Some(format!("{percent:.1} %")),
    }
}

/// A value in three digits, with one of the units for 1, 10³, 10⁶ and 10⁹.
fn scaled(mut value: f64, units: [&str; 4]) -> String {
    let mut unit = 0;
    while unit < 3 && value >= 999.5 {
        value /= 1e3;
        unit += 1;
    }
    format!("{} {}", three_digits(value), units[unit])
}

/// A non-negative number in three digits: `0.123`, `1.24`, `15.3`, `120`.
pub fn three_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = match value {
        value if value < 0.9995 => 3,
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}
