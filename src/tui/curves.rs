//! Curves of the last search over time: nodes per second, hit rate, fill of the cache.

use crate::engine::session::{cache::CacheCounters, plot::Plot, search::Run};

/// The greatest number of samples; beyond it every second one is dropped, and the interval is doubled.
const MAX_SAMPLES: usize = 256;
const MIN_SAMPLES: usize = 8;
/// The least time between two samples, in seconds; over less, a rate has no meaning.
const MIN_GAP: f64 = 1e-3;

#[derive(Clone, Copy, Debug)]
struct SearchSample {
    seconds: f64,
    nodes: u64,
    cache: CacheCounters,
}

#[derive(Clone, Debug, Default)]
pub struct SearchCurves {
    samples: Vec<SearchSample>,
    /// The least time between two samples if there are many, in seconds.
    gap: f64,
    /// The capacity of the cache in entries; `None` if unlimited.
    room: Option<usize>,
}

type Measure = fn(&SearchCurves, &SearchSample, &SearchSample) -> f64;

impl SearchCurves {
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a sample; `room` is the cache's capacity in entries. If the search has gone back, later samples are replaced.
    pub fn take(&mut self, run: &Run, room: Option<usize>, searching: bool) {
        let Some(seconds) = run.ms.map(|ms| ms / 1e3) else { return };
        let sample = SearchSample { seconds, nodes: run.nodes, cache: run.cache };
        self.room = room.or(self.room);
        if searching {
            self.samples.retain(|before| before.nodes <= sample.nodes);
        }
        let last = self.samples.last();
        if last.is_some_and(|last| {
            last.nodes >= sample.nodes || sample.seconds < last.seconds + self.gap.max(MIN_GAP)
        }) {
            return;
        }
        self.samples.push(sample);
        if self.samples.len() > MAX_SAMPLES {
            self.samples = self.samples.iter().copied().step_by(2).collect();
            self.gap = sample.seconds / MAX_SAMPLES as f64;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.samples.len() < MIN_SAMPLES
    }

    fn points(&self, measure: Measure) -> Vec<(f64, f64)> {
        let pairs = self.samples.windows(2);
        let pairs = pairs.map(|pair| (pair[1].seconds, measure(self, &pair[0], &pair[1])));
        if self.is_empty() { Vec::new() } else { pairs.collect() }
    }

    /// The curves: nodes per second; hit rate in percent; fill of the cache in percent, or in entries if it is unlimited.
    const MEASURES: [Measure; 3] = [
        |_, from, to| (to.nodes - from.nodes) as f64 / (to.seconds - from.seconds),
        |_, SearchSample { cache: from, .. }, SearchSample { cache: to, .. }| {
            percent(to.hits.saturating_sub(from.hits), to.probes().saturating_sub(from.probes()))
        },
        |curves, _, to| match curves.room {
            Some(room) => percent(to.cache.entries as u64, room as u64),
            None => to.cache.entries as f64,
        },
    ];

    pub fn plots(&self) -> Vec<Plot> {
        let unit = if self.room.is_some() { "% of the cache" } else { "entries" };
        let [rate, hits, full] = Self::MEASURES.map(|measure| self.points(measure));
        let charts = [("Rate", "nodes/s", rate), ("Hits", "% hits", hits), ("Cache", unit, full)];
        let plots = charts.map(|(title, y, points)| Plot {
            includes: [&[0.0]; 2],
            ..Plot::new(title, "seconds", y).with_series(title, points)
        });
        plots.into()
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}
