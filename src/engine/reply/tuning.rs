//! Rules, weights and settings.

use serde::Serialize;

use super::{Reply, Rule};
use crate::{
    engine::game::Weights,
    text::{TextTable, flow, layout, lines, number, told, width},
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
    fn text(&self) -> String {
        if self.rules.is_empty() {
            return format!("{} has no rules to choose", self.game);
        }
        let table = TextTable::of(&self.rules)
            .left("rule", |rule| &rule.name)
            .left("value", |rule| &rule.value)
            .left("choices", |rule| rule.choices.join(", "));
        let help =
            self.rules.iter().map(|rule| layout::wrap(&format!("{}: ", rule.name), &rule.help));
        lines([table.render(), lines(help), layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        let rules = self.rules.iter().map(|rule| format!("{}={}", rule.name, rule.value));
        layout::noted(rules.collect::<Vec<_>>().join(" "), &self.notes)
    }
}

pub(super) fn by_name<S: serde::Serializer>(
    weights: &Weights,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(weights.iter())
}

fn rules_by_name<S: serde::Serializer>(rules: &[Rule], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rules.iter().map(|rule| (&rule.name, &rule.value)))
}

/// The weights in force.
#[derive(Clone, Debug, Serialize)]
pub struct WeightsReport {
    /// Weight by weight.
    #[serde(serialize_with = "by_name")]
    pub weights: Weights,
    /// The name of the set they are equal to, if any.
    pub name: Option<String>,
    /// What changed besides.
    pub notes: Vec<String>,
}

impl Reply for WeightsReport {
    fn text(&self) -> String {
        let mut pieces = vec![pairs(&self.weights)];
        pieces.extend(self.name.as_ref().map(|name| format!("({name})")));
        lines([flow("weights ", pieces), layout::notes(&self.notes)])
    }
}

/// The named weight sets.
#[derive(Clone, Debug, Serialize)]
pub struct WeightSets {
    pub(crate) sets: Vec<WeightsReport>,
}

impl Reply for WeightSets {
    fn text(&self) -> String {
        sets(self.sets.iter().map(|set| (set.name.as_deref().unwrap_or_default(), &set.weights)))
    }

    fn line(&self) -> String {
        let names = self.sets.iter().filter_map(|set| set.name.as_deref());
        format!("weight sets {}", names.collect::<Vec<_>>().join(", "))
    }
}

/// How searches run.
#[derive(Clone, Debug, Serialize)]
pub struct SettingsReport {
    /// Setting by setting, as words and numbers.
    #[serde(flatten, serialize_with = "typed")]
    pub settings: Vec<(String, String)>,
    /// Those shown to people: name, value and meaning.
    #[serde(skip)]
    pub shown: Vec<[String; 3]>,
    /// Switches of defects that differ from the fidelity.
    #[serde(skip)]
    pub odd_defects: Vec<String>,
    /// What changed besides.
    pub notes: Vec<String>,
}

impl Reply for SettingsReport {
    fn text(&self) -> String {
        let rows = if self.shown.iter().all(|[_, _, help]| help.is_empty()) {
            flow("", self.pairs())
        } else {
            let widest = self.shown.iter().map(|[name, ..]| width(name)).max().unwrap_or(0);
            let row = |[name, value, help]: &[String; 3]| {
                (format!("{name:widest$}  {value}"), help.clone())
            };
            layout::named("", self.shown.iter().map(row))
        };
        let odd = match self.odd_defects.as_slice() {
            [] => String::new(),
            odd => format!("defects switched: {}", odd.join(", ")),
        };
        lines([rows, odd, layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        let words: Vec<_> = self.notes.iter().cloned().chain(self.pairs()).collect();
        words.join(" ")
    }
}

impl SettingsReport {
    fn pairs(&self) -> impl Iterator<Item = String> {
        self.shown.iter().map(|[name, value, _]| format!("{name}={value}"))
    }
}

/// Writes numbers as numbers, limits that are `off` as null, the rest as words.
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
    let renamed = settings.iter().filter(|(name, _)| name == "random");
    let named = settings.iter().map(|(name, text)| (name.as_str(), text));
    let named = named.chain(renamed.map(|(_, text)| ("seed", text)));
    serializer.collect_map(named.map(|(name, text)| (name, value(name, text))))
}

fn pairs(weights: &Weights) -> String {
    let pairs = weights.iter().map(|(name, value)| format!("{name}={}", number::digits(value)));
    pairs.collect::<Vec<_>>().join(" ")
}

/// Weight sets as a table, or a paragraph each if there are too many weights for a table.
pub(super) fn sets<'a>(sets: impl Iterator<Item = (&'a str, &'a Weights)> + Clone) -> String {
    let Some((_, first)) = sets.clone().next() else {
        return "no weight sets".to_owned();
    };
    let mut table = TextTable::of(sets.clone()).left("set", |(name, _)| (*name).to_owned());
    for (place, (name, _)) in first.iter().enumerate() {
        table = table.point(name, |(_, weights)| {
            told(weights.iter().nth(place).map(|(_, weight)| number::digits(weight)))
        });
    }
    if table.fits() {
        return table.render();
    }
    lines(sets.map(|(name, weights)| layout::wrap("", &format!("{name}: {}", pairs(weights)))))
}
