//! Values of the search and of the heuristic against true ones.

use serde::Serialize;

use super::{Session, cache::Stored, reply::Reply};
use crate::{
    engine::{
        game::{Fault, Game, Result, Score, TrueValue},
        progress::Unit,
        table::Bound,
    },
    text::{TextTable, count, headline, layout, lines, number, or_empty},
};

/// Searches and heuristics against true values.
pub trait TruthCommands {
    /// Compares the cache entries whose true value is known, and the static values of their positions, with it. Lists at most
    /// `limit` of those with another sign. The first three arguments choose the entries as in an audit.
    fn audit_truth(
        &mut self,
        sample: Option<usize>,
        depth: Option<u8>,
        answered: bool,
        limit: usize,
    ) -> Result<TruthAudit>;
}

impl<G: Game> Session<G> {
    /// Errors: no endgame tables at hand.
    pub(super) fn needs_tables(&self) -> Result<()> {
        let fault = Fault::new("no endgame tables are at hand");
        let hint = "`tables use` puts those of a folder at hand, `tables build 3-3` makes some";
        self.game().tables_digest().map(|_| ()).ok_or_else(|| fault.hint(hint))
    }

    /// An entry with its static value against the true one; `None` where that is unknown.
    fn judged_by_truth(
        &self,
        evaluator: &G::Evaluator,
        (at, entry): Stored<G>,
    ) -> Option<JudgedEntry> {
        let game = self.game();
        let position = self.position_of(at)?;
        let truth = game.truth(&position)?;
        let static_value = game.evaluate(evaluator, &position);
        let bound = entry.bound.unwrap_or(Bound::Exact);
        Some(JudgedEntry {
            key: self.keyed_text(at),
            state: game.format_position(&position),
            depth: entry.depth,
            value: entry.value,
            bound: bound.name(),
            static_value,
            is_entry_wrong: truth.contradicts(entry.value, bound),
            is_static_wrong: truth.contradicts(static_value, Bound::Exact),
            truth,
        })
    }
}

impl<G: Game> TruthCommands for Session<G> {
    fn audit_truth(
        &mut self,
        sample: Option<usize>,
        depth: Option<u8>,
        answered: bool,
        limit: usize,
    ) -> Result<TruthAudit> {
        self.needs_tables()?;
        let entries = self.sampled_entries(sample, depth, answered)?;
        let evaluator = self.evaluator()?;
        let (all, mut report) = (entries.len() as u64, TruthAudit::default());
        report.entries = self.entries().len();
        self.watching("auditing", (Unit::Entries, 0), |watch| {
            for (stored, done) in entries.into_iter().zip(0..) {
                if watch.tick(done, all).is_err() {
                    report.interrupted = true;
                    break;
                }
                if let Some(judged) = self.judged_by_truth(&evaluator, stored) {
                    report.add(judged, limit);
                }
            }
        });
        report.notes.extend(self.table_fault());
        Ok(report)
    }
}

/// Cache entries and static values against true values.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TruthAudit {
    /// Entries in the cache.
    pub entries: usize,
    /// Entries compared: those whose true value is known.
    pub known: u64,
    /// Entries whose value or bound has another sign than the true value.
    pub wrong: u64,
    /// Positions among them whose static value has another sign.
    pub wrong_static: u64,
    /// Those with either, in the order of the table.
    pub contradicted: Vec<JudgedEntry>,
    /// Whether the user stopped it.
    pub interrupted: bool,
    pub(crate) notes: Vec<String>,
}

/// A cache entry and the static value of its position beside the true value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgedEntry {
    /// The key, with the depth if the policy keeps one entry per depth.
    pub key: String,
    /// The position.
    pub state: String,
    /// Remaining depth.
    pub depth: Option<u8>,
    /// The value of the entry, for the side to move.
    pub value: Score,
    /// `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// The static value.
    #[serde(rename = "static")]
    pub static_value: Score,
    /// Whether the entry has another sign than the true value.
    #[serde(rename = "entry_wrong")]
    pub is_entry_wrong: bool,
    /// Whether the static value has another sign.
    #[serde(rename = "static_wrong")]
    pub is_static_wrong: bool,
    /// The true value.
    #[serde(flatten)]
    pub truth: TrueValue,
}

impl TruthAudit {
    fn add(&mut self, judged: JudgedEntry, limit: usize) {
        self.known += 1;
        self.wrong += u64::from(judged.is_entry_wrong);
        self.wrong_static += u64::from(judged.is_static_wrong);
        let is_wrong = judged.is_entry_wrong || judged.is_static_wrong;
        if is_wrong && self.contradicted.len() < limit {
            self.contradicted.push(judged);
        }
    }
}

impl Reply for TruthAudit {
    fn text(&self) -> String {
        let share = |part: u64| {
            let percent = number::percent(part, self.known).map(|share| format!(" ({share})"));
            format!("{}{}", count(part), or_empty(percent))
        };
        let pieces = [
            format!("{} of {} entries have a true value", count(self.known), self.entries),
            format!("contradicted: entries {}", share(self.wrong)),
            format!("static values {}", share(self.wrong_static)),
        ];
        let mark = |is_wrong: bool, value: String| {
            if is_wrong { format!("≠ {value}") } else { value }
        };
        let table = TextTable::of(&self.contradicted)
            .left("key", |judged| &judged.key)
            .left("truth", |judged| judged.truth)
            .left("value", |judged| {
                let value = number::bound(judged.bound).to_owned() + &number::score(judged.value);
                mark(judged.is_entry_wrong, value)
            })
            .left("static", |judged| {
                mark(judged.is_static_wrong, number::score(judged.static_value))
            })
            .left("position", |judged| &judged.state);
        let stopped = self.interrupted.then_some("interrupted");
        lines([headline(pieces), table.render(), or_empty(stopped), layout::notes(&self.notes)])
    }
}
