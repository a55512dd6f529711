//! Charts as data: drawn in the terminal and as SVG from the same numbers.

use serde::Serialize;

/// A chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// What goes from left to right.
    pub x: String,
    /// What goes upwards.
    pub y: String,
    /// Names of the places 0, 1, 2 … from left to right, where those are not numbers: then values are bars.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// Both axes begin at 0.
    #[serde(skip)]
    pub from_zero: bool,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// One line of a chart, or one bar at each place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points from left to right, finite: `[x, y]`.
    pub points: Vec<[f64; 2]>,
    /// Points of the ends of its error band, where that is shown.
    #[serde(skip)]
    pub band: Vec<[f64; 2]>,
}

impl Plot {
    /// A chart with nothing drawn on it.
    pub fn new(title: impl Into<String>, x: impl Into<String>, y: impl Into<String>) -> Self {
        Self { title: title.into(), x: x.into(), y: y.into(), ..Self::default() }
    }

    /// Adds a line; points that are not finite are left out.
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

    /// Whether there is anything to see.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.points.is_empty())
    }

    /// The least and the greatest coordinate along an axis, 0 for x and 1 for y; wide enough to divide by.
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
