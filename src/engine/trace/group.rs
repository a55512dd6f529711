//! Properties that all findings of a check share.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::Finding;

/// The most different values of a property that are counted; a property with more values does not count as shared.
const MAX_VALUES: usize = 1_000;

/// A property that findings can share: a name and a value, such as the side to move.
pub(super) type Fact = (&'static str, String);

/// The name of the property that a value has the wrong sign.
pub(super) const NEGATED: &str = "sign turned";

/// Several findings of one check, and the properties that they share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FindingGroup {
    /// The name of the check, such as `hit-differs`.
    pub check: &'static str,
    /// The number of findings of the check.
    pub count: u64,
    /// The event of the first finding.
    pub event: u64,
    /// The event that the first finding contradicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<u64>,
    /// The properties that all findings of the check share.
    pub shared: BTreeMap<&'static str, String>,
    /// The part of the program to look at, if the shared properties suggest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

/// Counts the properties of the findings of one check.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FindingTally {
    count: u64,
    event: u64,
    other: Option<u64>,
    facts: BTreeMap<&'static str, FxHashMap<String, u64>>,
}

impl FindingTally {
    pub(super) fn add(&mut self, finding: &Finding) {
        if self.count == 0 {
            (self.event, self.other) = (finding.event, finding.other);
        }
        self.count += 1;
        for (name, value) in &finding.facts {
            self.add_fact(name, value, 1);
        }
    }

    fn add_fact(&mut self, name: &'static str, value: &str, times: u64) {
        let values = self.facts.entry(name).or_default();
        if let Some(known) = values.get_mut(value) {
            *known += times;
        } else if values.len() < MAX_VALUES {
            values.insert(value.to_owned(), times);
        }
    }

    pub(super) fn merge(&mut self, more: Self) {
        if self.count == 0 || more.count > 0 && more.event < self.event {
            (self.event, self.other) = (more.event, more.other);
        }
        self.count += more.count;
        for (name, values) in more.facts {
            for (value, times) in values {
                self.add_fact(name, &value, times);
            }
        }
    }

    /// The group; `None` for a single finding, or if the findings share no property.
    pub(super) fn group(&self, check: &'static str) -> Option<FindingGroup> {
        let Self { count, event, other, ref facts } = *self;
        let common = |values: &FxHashMap<String, u64>| {
            let (value, _) = values.iter().find(|(_, times)| **times == count)?;
            Some(value.clone())
        };
        let shared = facts.iter().filter_map(|(name, values)| Some((*name, common(values)?)));
        let shared: BTreeMap<_, _> = shared.collect();
        let hint = hint(check, &shared);
        let group = FindingGroup { check, count, event, other, shared, hint };
        (count > 1 && !group.shared.is_empty()).then_some(group)
    }
}

fn hint(check: &str, shared: &BTreeMap<&'static str, String>) -> Option<&'static str> {
    let has = |name: &str| shared.contains_key(name);
    match check {
        "hit-differs" if has(NEGATED) && has("side") => Some("look where values are read"),
        "window-child" => Some("look where α and β are turned, and where a window is widened"),
        "hit-differs" if has(NEGATED) => Some("look where values are stored and read"),
        "value-parent" if has(NEGATED) => Some("look where a move's value is negated"),
        "eval-differs" if has(NEGATED) => Some("look where the evaluation turns its sign"),
        "move-illegal" if has("move") => Some("look how this move is generated"),
        "key-clash" | "key-split" if has("move") => Some("look how this move changes the key"),
        _ => None,
    }
}
