//! Counts and rates of the search, its progress, the cache and the breakpoints.

use ratatui::{layout::Rect, text::Line};

use crate::{
    engine::report::Run,
    tui::{app::App, draw::cut, summary},
    view::text::{
        Style,
        number::{bytes, count, percent, rate, score_or_none, time, time_or_none},
    },
};

const STYLE: Style = Style { ascii: false };

/// The lines.
pub fn lines(app: &App, room: Rect) -> Vec<Line<'static>> {
    let width = room.width as usize;
    let mut lines = Vec::new();
    if let Some(run) = &app.data.run {
        lines.push(progress(app, run, width));
        let rate = rate(run.nodes, "n", run.ms).unwrap_or_default();
        lines.push(format!(
            "nodes {}  {rate}  {}",
            count(run.nodes),
            time_or_none(run.ms)
        ));
        let cache = &run.cache;
        let asked = cache.hits + cache.invalid + cache.misses;
        let hits = percent(cache.hits, asked).unwrap_or_else(|| "—".to_owned());
        lines.push(format!(
            "hits {hits} of {}  stores {}",
            count(asked),
            count(cache.stores)
        ));
        lines.push(format!(
            "best {}  {}",
            score_or_none(run.value, STYLE),
            run.pv.join(" ")
        ));
    }
    if let Some(stats) = &app.data.stats {
        // While a search runs the cache is asked for its numbers less often than the search.
        let entries = app.data.run.as_ref().filter(|_| app.searching);
        let entries = entries.map_or(stats.entries, |run| run.cache.entries);
        let size = (stats.bytes * entries)
            .checked_div(stats.entries)
            .unwrap_or(stats.bytes);
        lines.push(format!(
            "cache {}  {} entries  {}",
            stats.policy,
            count(entries as u64),
            bytes(size as u64)
        ));
    }
    if let Some(list) = app
        .data
        .breakpoints
        .as_ref()
        .filter(|list| !list.breakpoints.is_empty())
    {
        lines.push(format!("break {}", summary::breakpoints(list)));
    }
    lines
        .into_iter()
        .map(|line| Line::raw(cut(&line, width)))
        .collect()
}

/// Depth and the part of the budget that is used up, with the time left.
fn progress(app: &App, run: &Run, width: usize) -> String {
    let under_way = app
        .data
        .stack
        .as_ref()
        .map_or(run.depth, |stack| stack.iteration);
    let most = app.data.setting("depth").filter(|depth| *depth != "off");
    let depth = most.map_or_else(
        || format!("depth {under_way}"),
        |most| format!("depth {under_way}/{most}"),
    );
    let Some(budget) = app.data.budget().filter(|budget| *budget > 0) else {
        return depth;
    };
    let cells = width.saturating_sub(depth.len() + 34).clamp(4, 20);
    let full = (run.nodes.min(budget) * cells as u64 / budget) as usize;
    let bar = format!("{}{}", "▓".repeat(full), "░".repeat(cells - full));
    let part = percent(run.nodes.min(budget), budget).unwrap_or_default();
    let ms = run.ms.unwrap_or_default();
    let left = budget.saturating_sub(run.nodes) as f64 * ms / run.nodes.max(1) as f64;
    let left = if app.searching {
        format!("  {} left", time(left))
    } else {
        String::new()
    };
    format!("{depth} {bar} {part} of {}{left}", count(budget))
}
