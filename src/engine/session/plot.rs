//! Charts as data, drawn both in the terminal and as SVG.

use serde::Serialize;

/// A chart of lines or bars.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plot {
    /// The title above the chart.
    pub title: String,
    /// The label of the horizontal axis.
    pub x: String,
    /// The label of the vertical axis.
    pub y: String,
    /// Bar chart: the labels of the bars at x = 0, 1, 2 …; empty for a line chart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// Numbers that the axes, x and y, include besides the points.
    #[serde(skip)]
    pub includes: [&'static [f64]; 2],
    /// The lines, or the groups of bars.
    pub series: Vec<Series>,
}

/// A line of a line chart, or the bars of one colour in a bar chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// The name of the series in the legend.
    pub name: String,
    /// Points `[x, y]` with finite coordinates, in ascending order of x.
    pub points: Vec<[f64; 2]>,
    /// The ends of the error bars as points `[x, y]`; empty without error bars.
    #[serde(skip)]
    pub band: Vec<[f64; 2]>,
}

impl Plot {
    /// A chart with a title and axis labels, but without series.
    pub fn new(title: impl Into<String>, x: impl Into<String>, y: impl Into<String>) -> Self {
        Self { title: title.into(), x: x.into(), y: y.into(), ..Self::default() }
    }

    /// Adds a series. Points with infinite or undefined coordinates are dropped.
    #[must_use]
    pub fn with_series(
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

    /// Whether no series has a point.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.points.is_empty())
    }

    /// The least and greatest coordinate on axis 0 (x) or 1 (y), always different, because callers divide by the difference.
    pub fn extent(&self, axis: usize) -> [f64; 2] {
        let points = self.series.iter().flat_map(|series| series.points.iter().chain(&series.band));
        let zero: &[f64] = if axis == 1 && !self.places.is_empty() { &[0.0] } else { &[] };
        let others = self.includes[axis].iter().chain(zero).copied();
        let numbers = points.filter_map(|point| point.get(axis).copied()).chain(others);
        let bounds = numbers.fold(None, |bounds: Option<[f64; 2]>, number| {
            let [least, most] = bounds.unwrap_or([number, number]);
            Some([least.min(number), most.max(number)])
        });
        let [least, most] = bounds.unwrap_or([0.0, 1.0]);
        if most > least {
            [least, most]
        } else {
            let room = least.abs().max(1.0) / 2.0;
            [if self.includes[axis].is_empty() { least - room } else { least }, most + room]
        }
    }
}
