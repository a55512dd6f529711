use super::{Ablation, Agreement, SuiteComparison, Sweep, SweepPoint};
use crate::engine::{arena::statistics::Estimate, report::Plot};

impl SuiteComparison {
    /// The value of each position under each set.
    pub fn plot(&self) -> Plot {
        let title = format!("Value for the side to move, depth {}", self.depth);
        let plot = Plot::new(title, format!("position of {}", self.head.suite), "value");
        self.sets
            .iter()
            .enumerate()
            .fold(plot, |plot, (place, set)| {
                let points = self.values.iter().zip(1..).filter_map(|(values, number)| {
                    let value = values.get(place).copied().flatten()?;
                    Some((f64::from(number), value.get()))
                });
                plot.with(set.name.as_str(), points)
            })
    }
}

impl Sweep {
    /// How far the heuristic agrees with the base, by weight; and how strong it is, where games were played.
    pub fn plots(&self) -> Vec<Plot> {
        let strengths = self.points.iter().filter_map(|point| {
            let strength = point.games.as_ref()?.strength?;
            Some((point.value, strength.elo))
        });
        let strengths: Vec<_> = strengths.collect();
        let line = |of: fn(&Estimate) -> f64| strengths.iter().map(move |(x, elo)| (*x, of(elo)));
        let title = format!("Strength against {}", self.base.name);
        let games = Plot::new(title, self.weight.as_str(), "Elo")
            .with("Elo", line(|elo| elo.value))
            .with("95 % at least", line(|elo| elo.low))
            .with("95 % at most", line(|elo| elo.high));
        let mut plots = vec![self.agreement_plot()];
        plots.extend((!games.is_empty()).then_some(games));
        plots
    }

    fn agreement_plot(&self) -> Plot {
        let title = format!("Agreement with {}, depth {}", self.base.name, self.depth);
        let points = |of: fn(&Agreement) -> f64| {
            let point = move |point: &SweepPoint| (point.value, of(&point.agreement));
            self.points.iter().map(point)
        };
        Plot::new(title, self.weight.as_str(), "% of positions")
            .with("the same best moves", points(Agreement::percent_same))
            .with("a common best move", points(Agreement::percent_shared))
    }
}

impl Ablation {
    /// How often the best moves stay the same without a term.
    pub fn plot(&self) -> Plot {
        let title = format!("{} without a term, depth {}", self.base.name, self.depth);
        let places = self.terms.iter().map(|term| term.term.clone()).collect();
        let bars = self.terms.iter().enumerate();
        let plot = Plot {
            places,
            ..Plot::new(title, "term left out", "% with the same best moves")
        };
        plot.with(
            "the same best moves",
            bars.map(|(place, term)| (place as f64, term.agreement.percent_same())),
        )
    }
}
