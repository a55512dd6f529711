use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Convention;
use crate::engine::{
    game::{Game, KeyScheme, TableUse, Weights},
    search::Fidelity,
    searcher::Searcher,
    table::Policy,
};

/// Everything that the values of a cache depend on, which must agree with a search that uses them.
///
/// Native files have this header, the seeds' files do not (defects D9 and D11).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheHeader {
    /// The name of the game, such as `morris`.
    pub game: String,
    /// The rules of the game, by name.
    pub rules: BTreeMap<String, String>,
    /// The memo policy of the entries.
    pub policy: Policy,
    /// The key scheme: which positions share a key.
    pub keys: KeyScheme,
    /// The point of view of values with black to move.
    pub convention: Convention,
    /// Whether the search had the seeds' defects.
    pub fidelity: Fidelity,
    /// The weights of the evaluation, by name.
    #[serde(with = "weights")]
    pub weights: Weights,
    /// Other settings that values depend on, by name, such as quiescence in chess (defects D16 and D22).
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
}

impl CacheHeader {
    /// The header for a game with its current rules.
    pub fn new<G: Game>(game: &G, policy: Policy, keys: KeyScheme, weights: &Weights) -> Self {
        Self {
            game: G::NAME.to_owned(),
            rules: game.rules().into_iter().map(|rule| (rule.name, rule.value)).collect(),
            policy,
            keys,
            convention: Convention::Relative,
            fidelity: Fidelity::Sound,
            weights: weights.clone(),
            settings: BTreeMap::new(),
        }
    }

    /// The header for a searcher's table.
    pub fn of<G: Game>(searcher: &Searcher<G>) -> Self {
        let mode = searcher.mode();
        let Searcher { game, settings, weights, .. } = searcher;
        let mut header = Self::new(game, settings.memo(), mode.scheme, weights);
        if mode.negate_black {
            header.convention = Convention::Seed;
        }
        header.fidelity = settings.fidelity;
        if mode.leaf_before_end {
            header.settings.insert("leaf".into(), "before the end of the game".into());
        }
        if settings.tables != TableUse::Off {
            let digest = game.tables_digest().unwrap_or(0);
            let tables = format!("{} {digest:08x}", settings.tables.name());
            header.settings.insert("tables".into(), tables);
        }
        header
    }

    /// The differences between a file and a searcher, in sentences. Two differences do not count: the policy, which loading
    /// adopts, and canonical instead of colour-normalised keys, because canonical keys are colour-normalised too.
    pub fn differences_to<G: Game>(&self, searcher: &Searcher<G>) -> Vec<String> {
        let mut here = Self { policy: self.policy, ..Self::of(searcher) };
        let normalised = |scheme| scheme != KeyScheme::Plain;
        if normalised(here.keys) && normalised(self.keys) {
            here.keys = self.keys;
        }
        self.differences(&here)
    }

    /// The header as pairs of name and value.
    pub fn fields(&self) -> Vec<(String, String)> {
        let one = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        let each = |what: &str, pairs: &BTreeMap<String, String>| {
            let named = pairs.iter().map(|(name, value)| (format!("{what} {name}"), value.clone()));
            named.collect::<Vec<_>>()
        };
        let weights = weights::texts(&self.weights);
        [
            one("game", &self.game),
            each("rule", &self.rules),
            one("memo", self.policy.name()),
            one("keys", self.keys.into()),
            one("convention", &self.convention.to_string()),
            one("fidelity", self.fidelity.name()),
            weights.map(|(name, value)| (format!("weight {name}"), value)).collect(),
            each("setting", &self.settings),
        ]
        .concat()
    }

    /// The differences between a file (`self`) and the session (`other`), in sentences that begin with the name of the field.
    /// Without differences, the file's values are valid in the session.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        self.compare(other, "in the file", "here")
    }

    /// [`Self::differences`] of any two headers, which the sentences call `one` and `another`.
    pub(super) fn compare(&self, other: &Self, one: &str, another: &str) -> Vec<String> {
        let (own, others) = (self.fields(), other.fields());
        let value = |list: &[(String, String)], name: &str| {
            let found = list.iter().find(|(known, _)| known == name);
            found.map_or_else(|| "unset".to_owned(), |(_, value)| value.clone())
        };
        let missing = others.iter().filter(|(name, _)| !own.iter().any(|(known, _)| known == name));
        let names = own.iter().chain(missing).map(|(name, _)| name);
        names
            .map(|name| (name, value(&own, name), value(&others, name)))
            .filter(|(_, this, that)| this != that)
            .map(|(name, this, that)| format!("{name} is {this} {one}, {that} {another}"))
            .collect()
    }
}

/// The header of a file, with the layout of the records: readers without the game's rules can still find the blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FileHeader {
    /// The program that wrote the file, and its version.
    pub writer: String,
    #[serde(flatten)]
    pub header: CacheHeader,
    /// The length of a key in bytes.
    pub key_bytes: usize,
    /// The length of a record in bytes, including the key.
    pub record_bytes: usize,
    /// The number of records in the file.
    pub entries: u64,
}

/// Weights as decimals in quotes: some JSON readers get the last bit of a number wrong.
mod weights {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use serde_json::{Map, Value};

    use super::Weights;

    pub fn texts(weights: &Weights) -> impl Iterator<Item = (&str, String)> {
        weights.iter().map(|(name, value)| (name, value.to_string()))
    }

    pub fn serialize<S: Serializer>(weights: &Weights, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(texts(weights))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Weights, D::Error> {
        let texts = Map::<String, Value>::deserialize(deserializer)?;
        let number = |(name, text): (&'_ String, &Value)| {
            let value = text.as_str().and_then(|text| text.parse().ok());
            let value = value.filter(|value: &f64| value.is_finite()).ok_or_else(|| {
                D::Error::custom(format!("weight {name}={text} is not a finite number"))
            })?;
            Ok((name.clone(), value))
        };
        let numbers: Vec<(String, f64)> = texts.iter().map(number).collect::<Result<_, _>>()?;
        Ok(Weights::new(numbers.iter().map(|(name, value)| (name.as_str(), *value))))
    }
}
