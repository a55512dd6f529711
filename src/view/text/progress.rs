//! How far a long operation is.

use std::time::Duration;

use super::number;
use crate::engine::progress::{Stand, Unit};

/// Shorter ones need no telling.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is done, how much of it, how fast and how long it will take; nothing in the first second.
pub fn progress(stand: &Stand) -> Option<String> {
    if stand.elapsed < PATIENCE {
        return None;
    }
    let amount = |number: u64| match stand.unit {
        Unit::Bytes => number::bytes(number),
        Unit::Entries => number::counted(number, "entry", "entries"),
        Unit::Searches => number::counted(number, "search", "searches"),
        Unit::Games => number::counted(number, "game", "games"),
    };
    let milliseconds = u64::try_from(stand.elapsed.as_millis()).unwrap_or(u64::MAX);
    let rate = stand.done.saturating_mul(1000) / milliseconds.max(1);
    let parts = [
        Some(stand.what.to_owned()),
        number::percent(stand.done.min(stand.total), stand.total),
        (stand.total > 0).then(|| format!("of {}", amount(stand.total))),
        (rate > 0).then(|| format!("{}/s", amount(rate))),
        stand.left().map(|left| {
            // The next second's worth is not known better than to the second.
            let seconds = left.as_secs_f64().ceil();
            format!("{} left", number::time(seconds.max(1.0) * 1e3))
        }),
        (!stand.news.is_empty()).then(|| stand.news.clone()),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    Some(parts.join("  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_time_left_are_told_after_a_second() {
        let stand = |elapsed, done, total| Stand {
            what: "loading",
            unit: Unit::Bytes,
            done,
            total,
            elapsed: Duration::from_millis(elapsed),
            news: String::new(),
        };
        assert_eq!(progress(&stand(900, 10, 20)), None);
        assert_eq!(
            progress(&stand(2000, 50_000_000, 200_000_000)).as_deref(),
            Some("loading  25.0 %  of 200 MB  25.0 MB/s  6.00 s left")
        );
        assert_eq!(progress(&stand(2000, 0, 0)).as_deref(), Some("loading"));
        let playing = Stand {
            what: "playing",
            unit: Unit::Games,
            news: "a 3.5/5, b 1.5/5".to_owned(),
            ..stand(10_000, 5, 10)
        };
        assert_eq!(
            progress(&playing).as_deref(),
            Some("playing  50.0 %  of 10 games  10.0 s left  a 3.5/5, b 1.5/5")
        );
    }
}
