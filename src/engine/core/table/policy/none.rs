use super::{Entry, Field, FieldSource, Policy, Probe, Record, Table};
use crate::engine::core::game::{Fault, Remedy, Result, Score, Window};

/// The record of the policy `none`, which cannot exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoRecord {}

/// The policy `none`: the table stays empty.
pub type NoTable<K> = Table<K, NoRecord>;

impl Record for NoRecord {
    const POLICY: Policy = Policy::None;
    const FIELDS: &'static [(Field, FieldSource)] = &[];
    const ACTIVE: bool = false;

    type Reuse = ();

    fn probe(self, (): (), _: u8, _: Window) -> Probe {
        match self {}
    }

    fn from_search(_: Score, _: u8, _: Window) -> Option<Self> {
        None
    }

    fn ordering_value(self, (): (), _: u8) -> Option<Score> {
        match self {}
    }

    fn negated(self) -> Self {
        self
    }

    fn entry(self, _: u8) -> Entry {
        match self {}
    }

    fn from_entry(_: &Entry) -> Result<Self> {
        Err(Fault::new("the memo policy `none` keeps no entries").needs(Remedy::Policy))
    }
}
