//! Rules, weights and settings.

use serde::Serialize;

use super::{Reply, Rule};
use crate::text::{
    Style,
    layout::{self, flow, lines, pad, width},
    number,
    table::TextTable,
};

/// The rules in force.
#[derive(Clone, Debug, Serialize)]
pub struct RulesReport {
    /// The game's name.
    pub game: String,
    /// Rule by rule.
    #[serde(serialize_with = "rules_by_name")]
    pub rules: Vec<Rule>,
    /// What changed besides.
    pub notes: Vec<String>,
}

impl Reply for RulesReport {
    fn text(&self, _: Style) -> String {
        if self.rules.is_empty() {
            return format!("{} has no rules to choose", self.game);
        }
        let mut table = TextTable::default().left(["rule", "value", "choices"]);
        for rule in &self.rules {
            table.row([&rule.name, &rule.value, &rule.choices.join(", ")]);
        }
        let help = self.rules.iter().map(|rule| {
            let lead = format!("{}: ", rule.name);
            layout::wrap(&lead, &rule.help)
        });
        let table = table.render(Style::default());
        lines([table, lines(help), layout::notes(&self.notes)])
    }
}

fn rules_by_name<S: serde::Serializer>(rules: &[Rule], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rules.iter().map(|rule| (&rule.name, &rule.value)))
}

/// The weights in force.
#[derive(Clone, Debug, Serialize)]
pub struct WeightsReport {
    /// Weight by weight.
    #[serde(serialize_with = "weights_by_name")]
    pub weights: Vec<(String, f64)>,
    /// The name of the set they are, where they are one.
    pub name: Option<String>,
    /// What changed besides.
    pub notes: Vec<String>,
}

impl Reply for WeightsReport {
    fn text(&self, _: Style) -> String {
        let mut pieces = vec![pairs(&self.weights)];
        pieces.extend(self.name.as_ref().map(|name| format!("({name})")));
        lines([flow("weights ", pieces), layout::notes(&self.notes)])
    }
}

/// The named weight sets.
#[derive(Clone, Debug, Serialize)]
pub struct WeightSets {
    /// Names and weights.
    pub sets: Vec<WeightsReport>,
}

impl Reply for WeightSets {
    fn text(&self, _: Style) -> String {
        let named = self.sets.iter().map(|set| {
            let name = set.name.as_deref().unwrap_or_default();
            (name, set.weights.as_slice())
        });
        sets(&named.collect::<Vec<_>>())
    }
}

/// How searches run.
#[derive(Clone, Debug, Serialize)]
pub struct SettingsReport {
    /// Setting by setting, as words and numbers.
    #[serde(flatten, serialize_with = "typed")]
    pub settings: Vec<(String, String)>,
    /// Those for people to see: name, value and meaning.
    #[serde(skip)]
    pub shown: Vec<[String; 3]>,
    /// Switches of defects that differ from the fidelity.
    #[serde(skip)]
    pub odd_defects: Vec<String>,
    /// The states that a search may visit, where they are limited.
    #[serde(skip)]
    pub limit: Option<u64>,
    /// What changed besides.
    pub notes: Vec<String>,
}

impl Reply for SettingsReport {
    fn text(&self, _: Style) -> String {
        let column = |at: usize| {
            let widths = self.shown.iter().map(|row: &[String; 3]| width(&row[at]));
            widths.max().unwrap_or(0)
        };
        let (names, values) = (column(0), column(1));
        let row = |[name, value, help]: &[String; 3]| {
            let lead = format!("{}  {}  ", pad(name, names), pad(value, values));
            layout::wrap(&lead, help)
        };
        let rows = if self.shown.iter().all(|[_, _, help]| help.is_empty()) {
            let pairs = self.shown.iter();
            flow("", pairs.map(|[name, value, _]| format!("{name}={value}")))
        } else {
            lines(self.shown.iter().map(row))
        };
        let odd = self.odd_defects.join(", ");
        let odd = if odd.is_empty() { odd } else { format!("defects switched: {odd}") };
        lines([rows, odd, layout::notes(&self.notes)])
    }

    fn line(&self, _: Style) -> String {
        let pairs = self.shown.iter();
        let pairs = pairs.map(|[name, value, _]| format!("{name}={value}"));
        let words: Vec<_> = self.notes.iter().cloned().chain(pairs).collect();
        words.join(" ")
    }
}

fn weights_by_name<S: serde::Serializer>(
    weights: &[(String, f64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(weights.iter().map(|(name, value)| (name, value)))
}

/// Numbers as numbers, `off` limits as null, the rest as words.
fn typed<S: serde::Serializer>(
    settings: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let value = |name: &str, text: &str| match (name, text.parse::<u64>()) {
        (_, Ok(number)) => serde_json::Value::from(number),
        ("depth" | "budget" | "time_ms", Err(_)) => serde_json::Value::Null,
        (_, Err(_)) => serde_json::Value::from(text),
    };
    // `random` was called `seed`, which programs may still look for.
    let old = |name: &String| if name == "random" { Some("seed") } else { None };
    let named = settings.iter().flat_map(|(name, text)| {
        let names = std::iter::once(name.as_str()).chain(old(name));
        names.map(move |name| (name, value(name, text)))
    });
    serializer.collect_map(named)
}

fn pairs(weights: &[(String, f64)]) -> String {
    let pair = |(name, value): &(String, f64)| format!("{name}={}", number::digits(*value));
    weights.iter().map(pair).collect::<Vec<_>>().join(" ")
}

/// Weight sets below each other: as a table, or one after the other where there are too many weights for that.
pub(super) fn sets(sets: &[(&str, &[(String, f64)])]) -> String {
    let Some((_, first)) = sets.first() else {
        return "no weight sets".to_owned();
    };
    let weights = first.iter().map(|(name, _)| name.as_str());
    let mut table = TextTable::default().left(["set"]).point(weights);
    for (name, weights) in sets {
        let weights = weights.iter().map(|(_, weight)| number::digits(*weight));
        table.row([(*name).to_owned()].into_iter().chain(weights));
    }
    if table.fits() {
        return table.render(Style::default());
    }
    let spelled =
        sets.iter().map(|(name, weights)| layout::wrap("", &format!("{name}: {}", pairs(weights))));
    lines(spelled)
}
