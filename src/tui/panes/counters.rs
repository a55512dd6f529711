//! The counters pane: numbers of the search, the budget, the cache and breakpoints.

use std::time::Duration;

use ratatui::text::{Line, Span};

use crate::{
    engine::session::{
        breakpoints::BreakpointList,
        cache::CacheStats,
        reply::Reply as _,
        search::{Run, Where},
        timelines::TimelineList,
    },
    text::{
        number::{self, bytes, count, percent, rate, score_or_none, time},
        or_empty, packed, words,
    },
    tui::pane::{Pane, Query, ScreenState, Scroll, cut},
};

pub(super) const WANTS: [Query; 4] =
    [Query::Stack, Query::SearchResult, Query::Breakpoints, Query::CacheStats];

#[derive(Debug, Default)]
pub struct CountersPane(Scroll);

impl Pane for CountersPane {
    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        WANTS.into()
    }

    fn lines(&self, state: &ScreenState, width: u16) -> Vec<Line<'static>> {
        let data = &state.data;
        let mut texts = Vec::new();
        if let Some(run) = data.get::<Run>() {
            texts.push(progress(state, run, width as usize));
            let [rate, spent] = [rate(run.nodes, "n", run.ms), run.ms.map(time)].map(or_empty);
            texts.push(format!("nodes {}  {rate}  {spent}", count(run.nodes)));
            let cache = &run.cache;
            let hits = percent(cache.hits, cache.probes()).unwrap_or_else(|| "—".to_owned());
            let [probes, stores] = [cache.probes(), cache.stores].map(count);
            let invalid = or_empty((cache.invalid > 0).then(|| cache.invalid_text()));
            texts.push(format!("hits {hits} of {probes} probes  {invalid}  stores {stores}"));
            // In a trace, the value is that of the root.
            let root = data.frames().first().filter(|_| state.is_trace());
            let best = score_or_none(run.value.or(root.and_then(|root| root.best)));
            let depth = or_empty((run.depth > 0).then(|| format!(" of depth {} ", run.depth)));
            texts.push(format!("best{depth} {best}  {}", words(&run.pv)));
        }
        if let Some(stats) = data.get::<CacheStats>() {
            // The cache's statistics are not looked up while a search runs, so the search's count of entries is shown.
            let run = data.get::<Run>().filter(|_| state.searching);
            let size = run.map_or_else(|| bytes(stats.bytes as u64), |_| String::new());
            let entries = run.map_or(stats.cache.entries, |run| run.cache.entries);
            let (policy, entries) = (&stats.policy, count(entries as u64));
            let recorded = data.get::<TimelineList>().map_or(0, |list| list.bytes as u64);
            let recorded =
                or_empty((recorded > 0).then(|| format!("recording {}", bytes(recorded))));
            texts.push(format!("cache memo={policy}  {entries} entries  {size}  {recorded}"));
        }
        let points = data.get::<BreakpointList>();
        if let Some(list) = points.filter(|list| !list.breakpoints.is_empty()) {
            texts.push(format!("break {}", list.line()));
        }
        let lines = texts.iter().flat_map(|text| {
            let parts = text.split("  ").filter(|part| !part.is_empty()).map(str::to_owned);
            packed(parts, width.into())
        });
        // Words are dimmed, so that the numbers stand out.
        let styled = |text: String| -> Line<'static> {
            let words = text.split_inclusive(' ').map(|word| {
                let is_word = !word.contains(|sign: char| sign.is_ascii_digit() || sign == '▓');
                let style = if is_word { state.look.quiet } else { state.look.text };
                Span::styled(word.to_owned(), style)
            });
            words.collect()
        };
        lines.map(|text| styled(cut(&text, width.into()))).collect()
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.0)
    }
}

fn progress(state: &ScreenState, run: &Run, width: usize) -> String {
    let stack = state.data.get::<Where>();
    let last = or_empty(run.last_depth.map(|last| format!("/{last}")));
    let depth = format!("depth {}{last}", stack.map_or(run.depth, |stack| stack.iteration));
    let spent = run.ms.unwrap_or_default();
    let whole = Duration::from_secs_f64(spent / 1e3).as_millis() as u64;
    let nodes = run.budget.map(|limit| (run.nodes, limit, format!(" of {}", count(limit))));
    let time = run.time_ms.map(|limit| (whole, limit, String::new()));
    let limits = nodes.into_iter().chain(time).filter(|(_, limit, _)| *limit > 0);
    let share = |(done, limit, _): &(u64, u64, String)| *done as f64 / *limit as f64;
    let nearest = limits.max_by(|a, b| share(a).total_cmp(&share(b)));
    let Some((done, limit, of)) = nearest else { return depth };
    let done = done.min(limit);
    let part = percent(done, limit).unwrap_or_default();
    let left = spent * (limit - done) as f64 / done.max(1) as f64;
    let left = or_empty(state.searching.then(|| format!("  {} left", number::time(left))));
    // Without enough room, the number of nodes is left out first, then the bar.
    let room = width.saturating_sub(depth.len() + part.len() + left.len() + 2);
    let (of, room) = if room < of.len() { ("", room) } else { (of.as_str(), room - of.len()) };
    let cells = if room < 5 { 0 } else { (room - 1).min(20) };
    let full = (done * cells as u64 / limit) as usize;
    let bar = format!("{}{}", "▓".repeat(full), "░".repeat(cells - full));
    let gap = if cells > 0 { " " } else { "" };
    format!("{depth} {bar}{gap}{part}{of}{left}")
}
