//! Charts as data, drawn both in the terminal and as SVG.

use serde::Serialize;

/// A chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plot {
    /// The chart's title.
    pub title: String,
    /// The label of the horizontal axis.
    pub x: String,
    /// The label of the vertical axis.
    pub y: String,
    /// The labels of x = 0, 1, 2 … in a bar chart; empty in a line chart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// Whether both axes begin at 0.
    #[serde(skip)]
    pub from_zero: bool,
    /// The lines, or the bars' heights.
    pub series: Vec<Series>,
}

/// One line of a chart, or one bar at each place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// `[x, y]`, finite, by ascending x.
    pub points: Vec<[f64; 2]>,
    /// The upper and lower ends of the error bars as points; empty if there are none.
    #[serde(skip)]
    pub band: Vec<[f64; 2]>,
}

impl Plot {
    /// An empty chart.
    pub fn new(title: impl Into<String>, x: impl Into<String>, y: impl Into<String>) -> Self {
        Self { title: title.into(), x: x.into(), y: y.into(), ..Self::default() }
    }

    /// Adds a line, without points that are not finite.
    #[must_use]
    pub fn with(
        mut self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        let points = points.into_iter().filter(finite).map(|(x, y)| [x, y]);
        let series = Series { name: name.into(), points: points.collect(), band: Vec::new() };
        self.series.push(series);
        self
    }

    /// Whether the chart has no points.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.points.is_empty())
    }

    /// The least and the greatest coordinate along axis 0 (x) or 1 (y). The two always differ, so that callers can divide by
    /// their difference.
    pub fn extent(&self, axis: usize) -> [f64; 2] {
        let points = self.series.iter().flat_map(|series| series.points.iter().chain(&series.band));
        let numbers = points.filter_map(|point| point.get(axis).copied());
        let bounds = numbers.fold(None, |bounds: Option<[f64; 2]>, number| {
            let [least, most] = bounds.unwrap_or([number, number]);
            Some([least.min(number), most.max(number)])
        });
        let [mut least, mut most] = bounds.unwrap_or([0.0, 1.0]);
        if self.from_zero || axis == 1 && !self.places.is_empty() {
            least = least.min(0.0);
            most = most.max(0.0);
        }
        if most > least {
            [least, most]
        } else {
            let room = least.abs().max(1.0) / 2.0;
            [least - room, most + room]
        }
    }
}
