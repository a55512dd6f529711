//! Properties that all findings of a check share.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{CHECKS, Finding};
use crate::text::{count, counted};

/// The most different values of a property that are counted; a property with more values does not count as shared.
const MAX_VALUES: usize = 1_000;

/// A property that findings can share: a name and a value, such as the side to move.
pub(super) type Fact = (&'static str, String);

/// The name of the property that a value has the wrong sign.
pub(super) const NEGATED: &str = "sign turned";

/// The usual causes of findings whose texts contain certain words: the check, the words, the cause, and what to look at.
/// [`CHECKS`] has the cause of all other findings.
#[rustfmt::skip] // one cause a line: it is read as a table
pub const CAUSES: [(&str, &[&str], &str); 11] = [
    ("hit-differs", &["torn"], "two threads write one entry: look whether key and data are checked together"),
    ("hit-differs", &["nothing"], "an entry came back that was never stored: look how many bits of the key are compared, and at the header's `table`"),
    ("value-parent", &["not again"], "a move that raised α in a reduced search or a zero window was not searched again: look at the condition for that"),
    ("window-child", &["a re-search"], "a re-search has a window wider than its parent's: look at its α and β"),
    ("bound-side", &["repeats"], "the value of a repetition is stored, but depends on the moves before: look for the store after a repetition"),
    ("bound-side", &["exact ", "is lower"], "`exact` is stored where only a lower bound is known (value ≥ β): look at the comparison with β where the bound is chosen"),
    ("bound-side", &["exact ", "is upper"], "`exact` is stored where only an upper bound is known (value ≤ α): look at the comparison with the α at the node's start"),
    ("bound-side", &["between α and β"], "a bound is stored where the value is exact (between α and β): look where the bound is chosen; α may be raised already"),
    ("depth-short", &["was used"], "an entry of less depth replaces a search: look at the comparison of depths at the probe"),
    ("cut-wrong", &["is searched after"], "moves are searched after a value ≥ β: look at the condition of the cutoff"),
    ("mate-shift", &["from the cache"], "a mate is stored or read without its ply: look where the distance from the root is added and subtracted"),
];

/// The usual cause of a finding, and what to look at.
fn cause_of(Finding { check, text, .. }: &Finding) -> &'static str {
    let special = CAUSES
        .iter()
        .find(|(name, words, _)| name == check && words.iter().all(|words| text.contains(words)));
    let general = || CHECKS.iter().find(|(name, ..)| name == check).map(|(.., cause)| *cause);
    special.map(|(.., cause)| *cause).or_else(general).unwrap_or_default()
}

/// The cause that more than half of all findings have, with their number; `None` if there is none.
pub(super) fn diagnosis(tallies: &BTreeMap<&'static str, FindingTally>) -> Option<String> {
    let total: u64 = tallies.values().map(|tally| tally.count).sum();
    let causes = tallies.values().flat_map(|tally| &tally.causes);
    let (cause, times) = causes.max_by_key(|(_, times)| **times)?;
    let findings = counted(total, "finding", "findings");
    (*times * 2 > total).then(|| format!("{} of {findings}: {cause}", count(*times)))
}

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
    /// The number of findings with each cause.
    causes: BTreeMap<&'static str, u64>,
}

impl FindingTally {
    pub(super) fn add(&mut self, finding: &Finding) {
        if self.count == 0 {
            (self.event, self.other) = (finding.event, finding.other);
        }
        self.count += 1;
        *self.causes.entry(cause_of(finding)).or_default() += 1;
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
        for (cause, times) in more.causes {
            *self.causes.entry(cause).or_default() += times;
        }
        for (name, values) in more.facts {
            for (value, times) in values {
                self.add_fact(name, &value, times);
            }
        }
    }

    /// The group; `None` for a single finding, or if the findings share no property.
    pub(super) fn group(&self, check: &'static str) -> Option<FindingGroup> {
        let Self { count, event, other, ref facts, .. } = *self;
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
        "hit-differs" if has(NEGATED) => Some("look where values are stored and read"),
        "value-parent" if has(NEGATED) => Some("look where a move's value is negated"),
        "eval-differs" if has(NEGATED) => Some("look where the evaluation turns its sign"),
        "move-illegal" if has("move") => Some("look how this move is generated"),
        "key-clash" | "key-split" if has("move") => Some("look how this move changes the key"),
        _ => None,
    }
}
