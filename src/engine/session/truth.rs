//! Values of the search and of the heuristic compared with true values.

use std::{path::Path, sync::atomic::Ordering::Relaxed};

use serde::{Deserialize, Serialize};

use super::{Session, audit::AuditScope, cache::Stored, reply::Reply, tuning::by_name};
use crate::{
    engine::{
        files,
        game::{Fault, Game, Result, Rules, Score, TableUse, TrueValue, Weights},
        progress::Unit,
        settings::{Budget, Settings},
        suggest::check_name,
        table::Bound,
        tables::{self, Mistakes, Subspace},
        workers::processors,
    },
    text::{TextTable, count, counted, headline, layout, lines, number, or_empty},
};

/// Searches and heuristics against true values.
pub trait TruthCommands {
    /// Compares the cache entries whose true value is known, and the static values of their positions, with the true values.
    /// Lists those whose sign differs.
    fn audit_truth(&mut self, scope: AuditScope) -> Result<TruthAudit>;
    /// Judges sets of weights by true values: how often the best moves of a search to `depth` give a won or drawn position of
    /// the tables away.
    fn compare_by_truth(&mut self, sets: &[&str], judging: Judging) -> Result<TruthComparison>;
    /// Looks for better weights by coordinate descent, and defines the best ones as a set. The state is kept in a file, from
    /// which the same command continues.
    fn tune_by_truth(&mut self, tuning: Tuning<'_>) -> Result<TuneReport>;
}

/// The positions on which weights are judged, and how deep they are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judging {
    /// Depth of the searches in plies from the root.
    pub depth: u8,
    /// Positions sampled from each table; all if the table has no more.
    pub sample: usize,
    /// The random seed of the sample.
    pub seed: u64,
    /// The only table to sample; `None`: all tables.
    pub subspace: Option<Subspace>,
}

/// A search for better weights.
#[derive(Clone, Copy, Debug)]
pub struct Tuning<'a> {
    /// The name of the set.
    pub name: &'a str,
    /// The set to begin with.
    pub from: &'a str,
    /// The file of the state.
    pub file: &'a Path,
    /// The most rounds, in each of which every weight is tried.
    pub rounds: u32,
    /// The positions.
    pub judging: Judging,
}

/// The state of a search for better weights, as the file has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TuneState {
    judging: Judging,
    /// The checksum of the endgame tables.
    tables: u32,
    /// The weights to begin with, then the best ones so far, each with its step.
    from: Weights,
    best: Weights,
    steps: Vec<f64>,
    /// Mistakes per position with `from` and with `best`.
    before: f64,
    after: f64,
    /// Complete rounds, and the next weight of the round under way.
    rounds: u32,
    next: usize,
    /// Sets of weights judged.
    judged: u64,
}

/// Steps below this share of the greatest weight end the search: the heuristic hardly changes.
const LEAST_STEP: f64 = 0.01;

impl<G: Game> Session<G> {
    /// Checks that endgame tables are in use. Errors: none are.
    pub(super) fn needs_tables(&self) -> Result<()> {
        let fault = Fault::new("no endgame tables are in use");
        let hint = "`tables use --dir FOLDER` uses those of a folder; `tables build 3-3` makes some of morris";
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

/// The positions of a table.
type Ending<G> = (Subspace, Vec<<G as Rules>::Position>);

impl<G: Game> Session<G> {
    /// The positions that are not lost, by table.
    /// Errors: no tables, or no such position.
    fn endings(&mut self, judging: Judging) -> Result<Vec<Ending<G>>> {
        let store = self.store()?;
        if self.game().tables_digest().is_none() {
            self.put_at_hand(Some(&store));
        }
        self.needs_tables()?;
        let Judging { sample, seed, .. } = judging;
        let of = |subspace| {
            let kept = |value: TrueValue| value.sign() >= 0.0;
            Ok((subspace, tables::sample(self.game(), &store, subspace, sample, seed, kept)?))
        };
        let all = store.wanted(judging.subspace);
        let mut endings = all.into_iter().map(of).collect::<Result<Vec<_>>>()?;
        endings.retain(|(_, positions)| !positions.is_empty());
        if endings.is_empty() {
            return Err(Fault::new("the tables have no position that is won or drawn"));
        }
        Ok(endings)
    }

    /// The mistakes that these weights make, by table.
    fn mistakes(
        &self,
        weights: &Weights,
        judging: Judging,
        endings: &[Ending<G>],
    ) -> Result<Vec<(Subspace, Mistakes)>> {
        let settings = Settings {
            depth: Some(judging.depth),
            budget: Budget::Off,
            time_ms: None,
            tables: TableUse::Off,
            ..self.settings().clone()
        };
        let mut judged = Vec::new();
        for (subspace, positions) in endings {
            let found = self.watching("judging", Unit::Positions, 0, |watch| {
                tables::mistakes(self.game(), &settings, weights, positions, processors(), watch)
            })?;
            let mut sum = Mistakes::default();
            for found in found {
                sum += found;
            }
            judged.push((*subspace, sum));
        }
        Ok(judged)
    }

    /// Mistakes per position.
    fn mistake_rate(
        &self,
        weights: &Weights,
        judging: Judging,
        endings: &[Ending<G>],
    ) -> Result<f64> {
        let judged = self.mistakes(weights, judging, endings)?;
        let positions: u64 = judged.iter().map(|(_, found)| found.positions()).sum();
        Ok(judged.iter().map(|(_, found)| found.all()).sum::<f64>() / positions as f64)
    }

    /// The state in the file, or that of a new search.
    fn tune_state(&self, tuning: Tuning<'_>, endings: &[Ending<G>]) -> Result<TuneState> {
        let tables = self.game().tables_digest().unwrap_or(0);
        if tuning.file.exists() {
            let text = files::read_text(tuning.file)?;
            let state: TuneState = files::from_ron(&text)
                .map_err(|fault| files::in_file(tuning.file, &text, fault))?;
            if state.judging != tuning.judging || state.tables != tables {
                let what = format!("`{}` is of other tables or options", tuning.file.display());
                let hint = "give the same options, or name another file";
                return Err(Fault::new(what).hint(hint));
            }
            self.checked_weights(&state.best)?;
            return Ok(state);
        }
        let from = self.weights_named(tuning.from)?;
        let rate = self.mistake_rate(&from, tuning.judging, endings)?;
        Ok(TuneState {
            judging: tuning.judging,
            tables,
            steps: from.iter().map(|(_, weight)| (weight.abs() / 2.0).max(0.5)).collect(),
            best: from.clone(),
            from,
            before: rate,
            after: rate,
            rounds: 0,
            next: 0,
            judged: 1,
        })
    }

    /// Tries the next weight a step higher and a step lower. The step is halved if neither is better.
    fn tune_next(&self, state: &mut TuneState, endings: &[Ending<G>]) -> Result<()> {
        let named: Vec<_> =
            state.best.iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let (name, value) = &named[state.next];
        let step = state.steps[state.next];
        let mut is_better = false;
        for changed in [value + step, (value - step).max(0.0)] {
            let mut weights = state.best.clone();
            weights.set(name, changed)?;
            if changed == *value || self.game().evaluator(&weights, &self.now.position).is_err() {
                continue;
            }
            let rate = self.mistake_rate(&weights, state.judging, endings)?;
            state.judged += 1;
            if rate < state.after {
                (state.best, state.after, is_better) = (weights, rate, true);
                break;
            }
        }
        if !is_better {
            state.steps[state.next] /= 2.0;
        }
        state.next = (state.next + 1) % named.len();
        state.rounds += u32::from(state.next == 0);
        Ok(())
    }
}

impl TuneState {
    fn is_done(&self) -> bool {
        let greatest = self.best.iter().map(|(_, weight)| weight.abs()).fold(0.0, f64::max);
        self.steps.iter().all(|step| *step < LEAST_STEP * greatest)
    }
}

impl<G: Game> TruthCommands for Session<G> {
    fn compare_by_truth(&mut self, sets: &[&str], judging: Judging) -> Result<TruthComparison> {
        let sets = if sets.is_empty() { &["current"] } else { sets };
        let weights = sets
            .iter()
            .enumerate()
            .map(|(nth, text)| self.set_or_inline(text).map_err(|fault| fault.about_nth(nth)));
        let weights = weights.collect::<Result<Vec<_>>>()?;
        let endings = self.endings(judging)?;
        let mut rows = Vec::new();
        for (set, weights) in sets.iter().zip(&weights) {
            let judged = self.mistakes(weights, judging, &endings)?;
            let mut all = Mistakes::default();
            for (_, found) in &judged {
                all += *found;
            }
            rows.push(JudgedSet::new(set, None, all));
            let each = judged.iter().filter(|_| judged.len() > 1);
            rows.extend(each.map(|(subspace, found)| JudgedSet::new(set, Some(*subspace), *found)));
        }
        Ok(TruthComparison { depth: judging.depth, rows })
    }

    fn tune_by_truth(&mut self, tuning: Tuning<'_>) -> Result<TuneReport> {
        check_name("weight set", tuning.name)?;
        let endings = self.endings(tuning.judging)?;
        let mut state = self.tune_state(tuning, &endings)?;
        let mut is_interrupted = false;
        while state.rounds < tuning.rounds && !state.is_done() {
            let mut next = state.clone();
            if let Err(fault) = self.tune_next(&mut next, &endings) {
                if !self.run.interrupt.load(Relaxed) {
                    return Err(fault);
                }
                is_interrupted = true;
                break;
            }
            state = next;
            files::write_text(tuning.file, &files::to_ron(&state)?)?;
        }
        self.sets.insert(tuning.name.to_owned(), state.best.clone());
        Ok(TuneReport {
            name: tuning.name.to_owned(),
            done: state.is_done(),
            interrupted: is_interrupted,
            rounds: state.rounds,
            judged: state.judged,
            before: state.before,
            after: state.after,
            weights: state.best,
            file: tuning.file.display().to_string(),
        })
    }

    fn audit_truth(&mut self, scope: AuditScope) -> Result<TruthAudit> {
        self.needs_tables()?;
        let entries = self.sampled_entries(scope)?;
        let evaluator = self.evaluator()?;
        let (all, mut report) = (entries.len() as u64, TruthAudit::default());
        report.entries = self.entries().len();
        self.watching("auditing", Unit::Entries, 0, |watch| {
            for (stored, done) in entries.into_iter().zip(0..) {
                if watch.tick(done, all).is_err() {
                    report.interrupted = true;
                    break;
                }
                if let Some(judged) = self.judged_by_truth(&evaluator, stored) {
                    report.add(judged, scope.limit);
                }
            }
        });
        report.notes.extend(self.table_fault());
        Ok(report)
    }
}

/// Sets of weights judged by true values.
#[derive(Clone, Debug, Serialize)]
pub struct TruthComparison {
    /// Depth of the searches in plies from the root.
    pub depth: u8,
    /// Each set over all tables, and by table if there are several.
    pub rows: Vec<JudgedSet>,
}

/// A set of weights on the positions of one table, or of all.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedSet {
    /// The set.
    pub set: String,
    /// The table; `None`: all.
    pub table: Option<Subspace>,
    /// Mistakes per position.
    pub rate: f64,
    /// The mistakes by kind.
    #[serde(flatten)]
    pub mistakes: Mistakes,
}

impl JudgedSet {
    fn new(set: &str, table: Option<Subspace>, mistakes: Mistakes) -> Self {
        let rate = mistakes.all() / mistakes.positions().max(1) as f64;
        Self { set: set.to_owned(), table, rate, mistakes }
    }
}

impl Reply for TruthComparison {
    fn text(&self) -> String {
        let share = |part: f64, whole: u64| {
            if whole == 0 { String::new() } else { format!("{:.1} %", part * 100.0 / whole as f64) }
        };
        let table = TextTable::of(&self.rows)
            .left("set", |row| &row.set)
            .left("table", |row| row.table.map_or_else(|| "all".to_owned(), |at| at.to_string()))
            .right("positions", |row| count(row.mistakes.positions()))
            .right("mistakes", |row| share(row.mistakes.all(), row.mistakes.positions()))
            .right("win to draw", |row| share(row.mistakes.win_to_draw, row.mistakes.won))
            .right("win to loss", |row| share(row.mistakes.win_to_loss, row.mistakes.won))
            .right("draw to loss", |row| share(row.mistakes.draw_to_loss, row.mistakes.drawn));
        lines([format!("best moves at depth {} against the tables", self.depth), table.render()])
    }
}

/// A search for better weights.
#[derive(Clone, Debug, Serialize)]
pub struct TuneReport {
    /// The set that was defined.
    pub name: String,
    /// Whether no step is left that could change much.
    pub done: bool,
    /// Whether the user stopped the search.
    pub interrupted: bool,
    /// Complete rounds.
    pub rounds: u32,
    /// Sets of weights judged.
    pub judged: u64,
    /// Mistakes per position with the weights to begin with.
    pub before: f64,
    /// Mistakes per position with the best weights.
    pub after: f64,
    /// The best weights.
    #[serde(serialize_with = "by_name")]
    pub weights: Weights,
    /// The file of the state.
    pub file: String,
}

impl Reply for TuneReport {
    fn text(&self) -> String {
        let Self { name, file, weights, .. } = self;
        let [before, after] =
            [self.before, self.after].map(|rate| format!("{:.1} %", rate * 100.0));
        let rounds = counted(u64::from(self.rounds), "round", "rounds");
        let state = match (self.done, self.interrupted) {
            (true, _) => format!("{rounds}, {} sets judged: done", count(self.judged)),
            (_, true) => format!("{rounds}: interrupted, the same command goes on from {file}"),
            _ => format!("{rounds}: with more --rounds the same command goes on from {file}"),
        };
        let set = format!("weight set {name}: {weights}");
        lines([set, format!("mistakes {before} before, {after} after"), state])
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
    /// Positions of these entries whose static value has another sign than the true value.
    pub wrong_static: u64,
    /// Entries in which the entry or the static value has another sign, in the order of the table.
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
