//! Numbers for people.
//!
//! Values are written on the game's [`Scale`]. Counts are grouped by threes; times, rates and sizes have three digits.

use std::time::SystemTime;

use super::style::{Scale, style};

/// The value of a position: `+0.35`, `#3`, `win`. Written exactly if the decimals of the scale suffice (`+1`, `-0.25`), else
/// rounded to all of them (`+1.000`).
pub fn score(value: impl Into<f64>) -> String {
    // Adding zero turns -0 into 0.
    let value = value.into() + 0.0;
    if value.is_infinite() {
        return if value > 0.0 { "+∞" } else { "−∞" }.to_owned();
    }
    let scale = style().scale;
    scale.end(value).unwrap_or_else(|| scaled_value(value, scale.decimals()))
}

/// A note that a whole number, typed as a value, is in centipawns, since values are shown in pawns. `None` for other texts and on other
/// scales.
pub fn centipawns_note(text: &str) -> Option<String> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse::<f64>().ok().filter(|number| is_whole && *number != 0.0)?;
    let is_noted = style().scale.is_in_pawns() && !is_end(number);
    is_noted.then(|| format!("{text} is {} pawns; {text}.0 is {text} pawns", score(number)))
}

/// The difference of two values, in the unit that [`score`] writes.
pub fn difference(value: impl Into<f64>) -> String {
    scaled_value(value.into(), style().scale.decimals())
}

fn scaled_value(value: f64, decimals: usize) -> String {
    match style().scale {
        Scale::Centipawns { .. } => {
            let text = format!("{:+.decimals$}", value / 100.0);
            // A value that rounds to zero gets no sign.
            if text.trim_start_matches(['+', '-', '0', '.']).is_empty() {
                text[1..].to_owned()
            } else {
                text
            }
        }
        _ => rounded(value, decimals),
    }
}

/// A lower bound written by [`score`], but −∞ if no value of the game is less.
pub fn alpha(value: impl Into<f64>) -> String {
    let value = value.into();
    score(if value <= -style().scale.greatest() { f64::NEG_INFINITY } else { value })
}

/// An upper bound written by [`score`], but +∞ if no value of the game is greater.
pub fn beta(value: impl Into<f64>) -> String {
    let value = value.into();
    score(if value >= style().scale.greatest() { f64::INFINITY } else { value })
}

/// Whether a number is a value as people write it, such as 0.35 for 35 centipawns.
pub fn shows(number: f64, value: impl Into<f64>) -> bool {
    let scale = style().scale;
    let unit = if scale.is_in_pawns() { 100.0 } else { 1.0 };
    // Slightly more than half of the last decimal, to allow for rounding errors.
    let tolerance = (0..scale.decimals()).fold(0.51, |tolerance, _| tolerance / 10.0);
    (number - value.into() / unit).abs() <= tolerance
}

/// Whether a value is that of a game won or lost.
pub fn is_end(value: impl Into<f64>) -> bool {
    style().scale.end(value.into()).is_some()
}

/// A value as part of a sentence: `worth a win`, `worth #-0 (mated)`.
pub fn worth(value: impl Into<f64>) -> String {
    let text = score(value);
    if text.starts_with(['w', 'l']) { format!("a {text}") } else { with_mate(text) }
}

/// A value of a sentence, with a word for the mate on the board: `#-0 (mated)`.
pub fn with_mate(text: String) -> String {
    let word = match text.rsplit_once('#') {
        Some((_, "-0")) => " (mated)",
        Some((_, "0")) => " (mate)",
        _ => return text,
    };
    text + word
}

/// Whether a value, as text, is the least of the game: the side to move is mated, or has lost on the board.
pub fn is_least(text: &str) -> bool {
    text.starts_with("#-0") || text == "loss in 0"
}

/// A value in at most `columns` columns, if necessary with fewer decimals.
pub fn short(value: impl Into<f64>, columns: usize) -> String {
    let value = value.into();
    let full = score(value);
    if full.chars().count() <= columns {
        return full;
    }
    let texts = (0..style().scale.decimals()).rev().map(|decimals| scaled_value(value, decimals));
    let fits = |text: &String| text.chars().count() <= columns;
    texts.into_iter().find(fits).unwrap_or_else(|| format!("{value:+.0e}"))
}

/// The bounds of a window as texts. One bound of a zero window is marked as just above (`>+0.0476`) or just below (`<0`) the
/// other.
pub fn window<T: Copy + Into<f64>>(ends: impl Into<[T; 2]>, write: fn(T) -> String) -> [String; 2] {
    let ends = ends.into();
    let [alpha, beta] = ends.map(Into::into);
    let greatest = if alpha.next_up() == beta { f64::INFINITY } else { style().scale.greatest() };
    let low = if alpha <= -greatest { self::alpha(alpha) } else { write(ends[0]) };
    let high = if beta >= greatest { self::beta(beta) } else { write(ends[1]) };
    if alpha.next_up() != beta {
        [low, high]
    } else if digits(beta).len() < digits(alpha).len() {
        ["<".to_owned() + &high, high]
    } else {
        [low.clone(), ">".to_owned() + &low]
    }
}

/// A window as part of a sentence: `window −∞ to +0.35`, `zero window just below 0`.
pub fn window_words<T: Copy + Into<f64>>(ends: impl Into<[T; 2]>) -> String {
    window_text(window(ends, |value| score(value)))
}

/// The bounds written by [`window`] as part of a sentence.
pub fn window_text([alpha, beta]: [String; 2]) -> String {
    match (alpha.strip_prefix('<'), beta.strip_prefix('>')) {
        (Some(end), _) if is_least(end) => {
            format!("zero window at {}", with_mate(end.to_owned()))
        }
        (Some(end), _) => format!("zero window just below {end}"),
        (_, Some(end)) => with_mate(format!("zero window just above {end}")),
        _ => format!("window {} to {}", with_mate(alpha), with_mate(beta)),
    }
}

/// α of a window as part of a sentence: `+0.35`, `just below 0`.
pub fn alpha_words<T: Copy + Into<f64>>(ends: impl Into<[T; 2]>) -> String {
    with_mate(window(ends, |value| score(value))[0].replace('<', "just below "))
}

/// The sign before a value that is a bound, `lower` or `upper`; empty for an exact value.
pub fn bound(bound: &str) -> &'static str {
    match bound {
        "lower" => "≥",
        "upper" => "≤",
        _ => "",
    }
}

/// A value as text, after `≥` or `≤` if the bound is lower or upper.
pub fn bounded(bound: &str, value: &str) -> String {
    match self::bound(bound) {
        "" => value.to_owned(),
        sign => format!("{sign} {value}"),
    }
}

/// A value as part of a sentence, after `at least` or `at most` if it is only a bound.
pub fn at_bound(bound: Option<&str>, value: impl Into<f64>) -> String {
    let how = bound.map_or("", |it| if it == "lower" { "at least " } else { "at most " });
    how.to_owned() + &worth(value)
}

/// A value written by [`score`]; `—` for `None`.
pub fn score_or_none(value: Option<impl Into<f64>>) -> String {
    value.map_or_else(|| "—".to_owned(), |value| score(value))
}

/// A value with all its digits, for places where values that differ little must not look the same.
pub fn exact(value: impl Into<f64>) -> String {
    let value = value.into();
    let text = score(value);
    match style().scale {
        Scale::Centipawns { .. } if value.fract() == 0.0 => text,
        Scale::Centipawns { .. } => signed_digits(value / 100.0),
        _ if value.is_infinite() || text.parse::<f64>().is_err() => text,
        _ => signed_digits(value),
    }
}

fn signed_digits(value: f64) -> String {
    let sign = if value > 0.0 { "+" } else { "" };
    sign.to_owned() + &digits(value)
}

/// Two values that differ, written exactly if they would look the same when rounded.
pub fn distinct<T: Copy + Into<f64>>(values: [T; 2]) -> [String; 2] {
    let rounded = values.map(score);
    let [one, other] = rounded.each_ref().map(|text| text.parse::<f64>());
    let is_alike = rounded[0] == rounded[1] || one.is_ok() && one == other;
    if is_alike { values.map(exact) } else { rounded }
}

/// A number with its sign, exact if it has at most this number of decimals, otherwise rounded.
fn rounded(value: f64, decimals: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let (text, rounded) = if value.abs() >= LARGE {
        (format!("{value:+e}"), format!("{value:+.decimals$e}"))
    } else {
        (format!("{value:+}"), format!("{value:+.decimals$}"))
    };
    let behind = text.split_once('.').map_or("", |(_, behind)| behind);
    let exact = behind.bytes().take_while(u8::is_ascii_digit).count();
    if exact > decimals { rounded } else { text }
}

/// Numbers of at least this size are written with an exponent.
const LARGE: f64 = 1e12;
/// Numbers smaller than this are written with an exponent.
const SMALL: f64 = 1e-9;

/// A number with just enough digits to be read back exactly.
pub fn digits(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= LARGE || (magnitude < SMALL && magnitude > 0.0) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// A sentence whose numbers are rounded to three decimals, for rows that stand beside the exact text.
pub fn round_decimals(text: &str) -> String {
    let is_part = |sign: char| sign.is_ascii_digit() || sign == '.';
    let round = |word: &str| {
        let number = word.trim_end_matches(|sign: char| !sign.is_ascii_digit());
        let decimals = number.split_once('.').map_or(0, |(_, behind)| behind.len());
        match number.parse::<f64>() {
            Ok(value) if decimals > 3 => {
                format!("{}{}", (value * 1e3).round() / 1e3, &word[number.len()..])
            }
            _ => word.to_owned(),
        }
    };
    text.split_inclusive(|sign| !is_part(sign)).map(round).collect()
}

/// A count with its digits in groups of three: `184,302`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// A count with its noun: `1 entry`, `12,345 entries`.
pub fn counted(value: u64, one: &str, several: &str) -> String {
    let name = if value == 1 { one } else { several };
    format!("{} {name}", count(value))
}

/// A duration, given in milliseconds: `0.123 ms`, `15.3 ms`, `1.24 s`, `2 min 5 s`.
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

/// A rate: `12.1 M nodes/s`; `None` without a time, or if the time is too short to measure.
pub fn rate(things: u64, name: &str, ms: Option<f64>) -> Option<String> {
    const MEASURABLE_MS: f64 = 0.01;
    let ms = ms.filter(|&ms| ms >= MEASURABLE_MS && things > 0)?;
    Some(format!("{}{name}/s", scaled(things as f64 / ms * 1e3, ["", "k ", "M ", "G "])))
}

/// A size in bytes: `312 bytes`, `12.3 kB`, `1.23 GB`.
pub fn bytes(size: u64) -> String {
    if size < 1000 {
        return counted(size, "byte", "bytes");
    }
    scaled(size as f64, ["bytes", "kB", "MB", "GB"])
}

/// A percentage: `36.8 %`; `0 %` and `100 %` only if exact; `None` if `whole` is 0.
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

/// A value with three digits and the unit that suits it: `units` are for 1, 10³, 10⁶ and 10⁹.
pub fn scaled(mut value: f64, units: [&str; 4]) -> String {
    let mut unit = 0;
    while unit < 3 && value >= 999.5 {
        value /= 1e3;
        unit += 1;
    }
    format!("{} {}", three_digits(value), units[unit])
}

/// A non-negative number with three significant digits: `0.123`, `1.24`, `15.3`, `120`.
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

/// The date of a time in UTC, as in PGN: `2026.11.25`.
pub fn date(time: SystemTime) -> String {
    let days =
        time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
    // Years begin in March, so that the leap day is the last day of a year: Hinnant's `civil_from_days`.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day:02}", era * 400 + year + next)
}
