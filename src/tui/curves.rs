//! How a search went in the course of its time: its rate, the hit rate, and how full the cache was.

use crate::engine::reply::{Plot, Run};

/// So many samples are kept; of a longer search every second, every fourth, and so on.
const MOST: usize = 256;
/// Fewer are no curve.
const LEAST: usize = 3;

/// What a search had counted at a moment.
#[derive(Clone, Copy, Debug)]
struct SearchSample {
    seconds: f64,
    nodes: u64,
    hits: u64,
    asked: u64,
    entries: usize,
}

/// The samples of the search that ran last, taken whenever its numbers are looked up.
#[derive(Clone, Debug, Default)]
pub struct SearchCurves {
    samples: Vec<SearchSample>,
    /// Seconds between two samples, at least.
    gap: f64,
    /// Entries that the cache can have, where that is limited.
    room: Option<usize>,
}

/// What a curve shows of the search between a sample and the next.
type Measure = fn(&SearchCurves, &SearchSample, &SearchSample) -> f64;

impl SearchCurves {
    /// Forgets them: another search begins.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes a sample; `room` is the number of entries that the cache can have. What a search that went back does again
    /// replaces what it did before.
    pub fn take(&mut self, run: &Run, room: Option<usize>, searching: bool) {
        let cache = &run.cache;
        let sample = SearchSample {
            seconds: run.ms.unwrap_or_default() / 1e3,
            nodes: run.nodes,
            hits: cache.hits,
            asked: cache.hits + cache.invalid + cache.misses,
            entries: cache.entries,
        };
        self.room = room.or(self.room);
        if searching {
            self.samples.retain(|before| before.nodes <= sample.nodes);
        }
        let last = self.samples.last();
        if last.is_some_and(|last| {
            last.nodes >= sample.nodes || sample.seconds < last.seconds + self.gap
        }) {
            return;
        }
        self.samples.push(sample);
        if self.samples.len() > MOST {
            let mut nth = 0;
            self.samples.retain(|_| {
                nth += 1;
                nth % 2 == 1
            });
            self.gap = sample.seconds / MOST as f64;
        }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.samples.len() < LEAST
    }

    fn points(&self, measure: Measure) -> Vec<(f64, f64)> {
        let pairs = self
            .samples
            .windows(2)
            .map(|pair| (pair[1].seconds, measure(self, &pair[0], &pair[1])));
        if self.is_empty() { Vec::new() } else { pairs.collect() }
    }

    /// Nodes a second, hits in percent, and entries in percent of those that there is room for, in thousands where that is
    /// not limited.
    const MEASURES: [Measure; 3] = [
        |_, from, to| (to.nodes - from.nodes) as f64 / (to.seconds - from.seconds).max(1e-6),
        |_, from, to| {
            percent(to.hits.saturating_sub(from.hits), to.asked.saturating_sub(from.asked))
        },
        |curves, _, to| match curves.room {
            Some(room) => percent(to.entries as u64, room as u64),
            None => to.entries as f64 / 1e3,
        },
    ];

    /// The three curves as charts.
    pub fn plots(&self) -> Vec<Plot> {
        let unit = if self.room.is_some() { "% of the cache full" } else { "k entries" };
        let [rate, hits, full] = Self::MEASURES.map(|measure| self.points(measure));
        let rate: Vec<_> = rate.into_iter().map(|(x, y)| (x, y / 1e3)).collect();
        let charts = [("Rate", "k nodes/s", rate), ("Hits", "% hits", hits), ("Cache", unit, full)];
        let plots = charts.map(|(title, y, points)| Plot {
            from_zero: true,
            ..Plot::new(title, "seconds", y).with(title, points)
        });
        plots.into()
    }

    /// One of the three curves in a line of so many characters: braille, or with ASCII only from `.` to `#`.
    pub fn spark(&self, curve: usize, columns: usize, ascii: bool) -> String {
        let points = Self::MEASURES.get(curve).map_or(Vec::new(), |measure| self.points(*measure));
        let values: Vec<_> = points.into_iter().map(|(_, y)| y).collect();
        spark(&values, columns, ascii)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

/// A curve of numbers from 0 on in a line of characters.
fn spark(values: &[f64], columns: usize, ascii: bool) -> String {
    const SIGNS: [char; 5] = [' ', '.', ':', '+', '#'];
    /// The dots of a braille character from below: those at the left and those at the right.
    const DOTS: [[u32; 5]; 2] = [[0, 0x40, 0x44, 0x46, 0x47], [0, 0x80, 0xa0, 0xb0, 0xb8]];
    let most = values.iter().copied().fold(0.0, f64::max);
    let places = if ascii { columns } else { columns * 2 };
    let levels: Vec<usize> = (0..places.min(values.len()))
        .map(|place| {
            let value = values[place * values.len() / places.min(values.len())];
            (0..4).filter(|step| value * 4.0 > most * f64::from(*step)).count()
        })
        .collect();
    if ascii {
        return levels.into_iter().map(|level| SIGNS[level]).collect();
    }
    let sign = |pair: &[usize]| {
        let dots = pair.iter().zip(DOTS).map(|(level, dots)| dots[*level]);
        char::from_u32(0x2800 + dots.sum::<u32>()).unwrap_or(' ')
    };
    levels.chunks(2).map(sign).collect()
}
