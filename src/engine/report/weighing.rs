//! Suites, and charts of weights against each other.

use serde::Serialize;

use super::{Plot, SuiteHead, WeighedVariant, WeightTable};

/// A suite position by position, or written to a file.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport {
    /// The suite.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// The file it was written to.
    pub file: Option<String>,
    /// Its positions.
    pub entries: Vec<SuiteEntry>,
}

/// A position of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteEntry {
    /// Its number, from 1.
    pub position: u64,
    /// The position.
    pub state: String,
    /// The phase of play.
    pub phase: String,
    /// What its line says of it.
    pub comment: Option<String>,
}

impl WeightTable {
    /// How far the variants agree with the base, by the weight that is varied or variant by variant; and how strong they
    /// are, where games were played. Nothing on a single position.
    pub fn plots(&self) -> Vec<Plot> {
        if self.head.positions < 2 {
            return Vec::new();
        }
        let swept = self.variants.iter().all(|variant| variant.value.is_some());
        let x = |(place, variant): (usize, &WeighedVariant)| variant.value.unwrap_or(place as f64);
        let points = |y: &dyn Fn(&WeighedVariant) -> Option<f64>| -> Vec<(f64, f64)> {
            let numbered = self.variants.iter().enumerate();
            numbered
                .filter_map(|row| Some((x(row), y(row.1)?)))
                .collect()
        };
        let plot = |title: String, y: &str| {
            let mut plot = Plot::new(title, self.varied.as_str(), y);
            if !swept {
                let names = self.variants.iter().map(|variant| variant.set.name.clone());
                plot.places = names.collect();
            }
            plot
        };
        let percent = |part: u64| Some(part as f64 * 100.0 / self.head.positions as f64);
        let title = format!("Agreement with {}, depth {}", self.base.name, self.depth);
        let mut agreement = plot(title, "% of positions").with(
            "the same best moves",
            points(&|variant| percent(variant.agreement.same)),
        );
        let elo = points(&|variant| Some(variant.games.as_ref()?.strength?.elo.value));
        let strength = plot(format!("Strength against {}", self.base.name), "Elo").with("Elo", elo);
        if swept {
            agreement = agreement.with(
                "a common best move",
                points(&|variant| percent(variant.agreement.shared)),
            );
        }
        let plots = [agreement, strength].into_iter();
        plots.filter(|plot| !plot.is_empty()).collect()
    }
}
