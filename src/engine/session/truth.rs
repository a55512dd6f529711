//! Comparing searches and the evaluation with the true values of endgame tables.

use std::{path::Path, sync::atomic::Ordering::Relaxed};

use serde::{Deserialize, Serialize};

use super::{
    Session, audit::AuditScope, cache::Stored, reply::Reply, tables::sum, tuning::by_name,
};
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

/// Commands that compare searches and the evaluation with true values.
pub trait TruthCommands {
    /// Compares cache entries and the static evaluation of their positions with true values, where these are known. Lists
    /// entries for which the sign differs.
    fn audit_truth(&mut self, scope: AuditScope) -> Result<TruthAudit>;
    /// Compares sets of weights by mistakes: how often the best moves of a search to a fixed depth give away a win or draw in
    /// positions of the endgame tables.
    fn compare_by_truth(&mut self, sets: &[&str], sample: TruthSample) -> Result<TruthComparison>;
    /// Tunes weights by coordinate descent on the mistake rate, and defines the best weights as a named set. The progress is
    /// saved in a file, and the same command continues from there.
    fn tune_by_truth(&mut self, tuning: Tuning<'_>) -> Result<TuneReport>;
}

/// The positions in which sets of weights are judged, and the depth of the searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthSample {
    /// Depth of the searches in plies.
    pub depth: u8,
    /// Number of random positions from each table; smaller tables contribute all of theirs.
    pub sample: usize,
    /// The random seed that selects the positions.
    pub seed: u64,
    /// The only table to take positions from; `None`: all tables.
    pub subspace: Option<Subspace>,
}

/// The parameters of `weights tune`.
#[derive(Clone, Copy, Debug)]
pub struct Tuning<'a> {
    /// The name under which the best weights are defined as a set.
    pub name: &'a str,
    /// The name of the set to start from.
    pub from: &'a str,
    /// The path of the file with the progress.
    pub file: &'a Path,
    /// The most rounds; in each round every weight is tried once.
    pub rounds: u32,
    /// The positions in which weights are judged, and the depth of the searches.
    pub sample: TruthSample,
}

/// The progress of tuning, as saved in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TuneState {
    sample: TruthSample,
    /// The checksum of the endgame tables, to detect other tables.
    tables: u32,
    /// The initial weights, the best weights so far, and for each weight the size of its next step.
    from: Weights,
    best: Weights,
    steps: Vec<f64>,
    /// Mistakes per position with the weights `from` and `best`.
    before: f64,
    after: f64,
    /// The number of complete rounds, and the index of the next weight in the current round.
    rounds: u32,
    next: usize,
    /// Number of sets of weights judged so far.
    judged: u64,
}

/// Tuning ends when all steps are below this share of the greatest weight, because they hardly change the evaluation.
const LEAST_STEP: f64 = 0.01;

impl<G: Game> Session<G> {
    /// Fails if no endgame tables are in use.
    pub(super) fn needs_tables(&self) -> Result<()> {
        let fault = Fault::new("no endgame tables are in use");
        let hint = "`tables use --dir FOLDER` uses those of a folder; `tables build 3-3` makes some of morris";
        self.game().tables_digest().map(|_| ()).ok_or_else(|| fault.hint(hint))
    }

    /// An entry with its static and true values; `None` if the true value is unknown.
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

/// An endgame table, and positions sampled from it.
type Ending<G> = (Subspace, Vec<<G as Rules>::Position>);

impl<G: Game> Session<G> {
    /// Samples won and drawn positions from each table.
    /// Fails if no tables are in use, or if they have no such position.
    fn endings(&mut self, sample: TruthSample) -> Result<Vec<Ending<G>>> {
        let store = self.store()?;
        if self.game().tables_digest().is_none() {
            self.use_store(Some(&store));
        }
        self.needs_tables()?;
        let TruthSample { sample, seed, subspace, .. } = sample;
        let of = |subspace| {
            let kept = |value: TrueValue| value.sign() >= 0.0;
            Ok((subspace, tables::sample(self.game(), &store, subspace, sample, seed, kept)?))
        };
        let all = store.wanted(subspace);
        let mut endings = all.into_iter().map(of).collect::<Result<Vec<_>>>()?;
        endings.retain(|(_, positions)| !positions.is_empty());
        if endings.is_empty() {
            return Err(Fault::new("the tables have no position that is won or drawn"));
        }
        Ok(endings)
    }

    /// The mistakes that a search with these weights makes in the positions of each table.
    fn mistakes(
        &self,
        weights: &Weights,
        sample: TruthSample,
        endings: &[Ending<G>],
    ) -> Result<Vec<(Subspace, Mistakes)>> {
        let settings = Settings {
            depth: Some(sample.depth),
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
            judged.push((*subspace, sum(found)));
        }
        Ok(judged)
    }

    /// Mistakes per position that a search with these weights makes, over all tables.
    fn mistake_rate(
        &self,
        weights: &Weights,
        sample: TruthSample,
        endings: &[Ending<G>],
    ) -> Result<f64> {
        let judged = self.mistakes(weights, sample, endings)?;
        let positions: u64 = judged.iter().map(|(_, found)| found.positions()).sum();
        Ok(judged.iter().map(|(_, found)| found.all()).sum::<f64>() / positions as f64)
    }

    /// The progress saved in the file; if there is no file, the initial progress.
    fn tune_state(&self, tuning: Tuning<'_>, endings: &[Ending<G>]) -> Result<TuneState> {
        let tables = self.game().tables_digest().unwrap_or(0);
        if tuning.file.exists() {
            let text = files::read_text(tuning.file)?;
            let state: TuneState = files::from_ron(&text)
                .map_err(|fault| files::in_file(tuning.file, &text, fault))?;
            if state.sample != tuning.sample || state.tables != tables {
                let what = format!("`{}` is of other tables or options", tuning.file.display());
                let hint = "give the same options, or name another file";
                return Err(Fault::new(what).hint(hint));
            }
            self.checked_weights(&state.best)?;
            return Ok(state);
        }
        let from = self.weights_named(tuning.from)?;
        let rate = self.mistake_rate(&from, tuning.sample, endings)?;
        Ok(TuneState {
            sample: tuning.sample,
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

    /// Tries the next weight one step higher, then one step lower. If neither is better, the step is halved.
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
            let rate = self.mistake_rate(&weights, state.sample, endings)?;
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
    fn compare_by_truth(&mut self, sets: &[&str], sample: TruthSample) -> Result<TruthComparison> {
        let sets = if sets.is_empty() { &["current"] } else { sets };
        let weights = sets
            .iter()
            .enumerate()
            .map(|(nth, text)| self.set_or_inline(text).map_err(|fault| fault.about_nth(nth)));
        let weights = weights.collect::<Result<Vec<_>>>()?;
        let endings = self.endings(sample)?;
        let mut rows = Vec::new();
        for (set, weights) in sets.iter().zip(&weights) {
            let judged = self.mistakes(weights, sample, &endings)?;
            rows.push(JudgedSet::new(set, None, sum(judged.iter().map(|(_, found)| *found))));
            let each = judged.iter().filter(|_| judged.len() > 1);
            rows.extend(each.map(|(subspace, found)| JudgedSet::new(set, Some(*subspace), *found)));
        }
        Ok(TruthComparison { depth: sample.depth, rows })
    }

    fn tune_by_truth(&mut self, tuning: Tuning<'_>) -> Result<TuneReport> {
        check_name("weight set", tuning.name)?;
        let endings = self.endings(tuning.sample)?;
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

/// The reply of `weights compare --truth`: sets of weights compared by their mistakes.
#[derive(Clone, Debug, Serialize)]
pub struct TruthComparison {
    /// Depth of the searches in plies.
    pub depth: u8,
    /// One row per set for all tables together; with several tables, also one row per set and table.
    pub rows: Vec<JudgedSet>,
}

/// The mistakes of one set of weights, in one table or in all.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedSet {
    /// The name of the set of weights, or its weights written out.
    pub set: String,
    /// The table of the positions; `None`: all tables together.
    pub table: Option<Subspace>,
    /// Mistakes per position, from 0 to 1.
    pub rate: f64,
    /// The numbers of mistakes by kind.
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

/// The reply of `weights tune`.
#[derive(Clone, Debug, Serialize)]
pub struct TuneReport {
    /// The name under which the best weights were defined.
    pub name: String,
    /// Whether tuning is finished: every step is too small to change much.
    pub done: bool,
    /// Whether an interrupt stopped the tuning.
    pub interrupted: bool,
    /// Number of complete rounds.
    pub rounds: u32,
    /// Number of sets of weights judged so far.
    pub judged: u64,
    /// Mistakes per position with the initial weights, from 0 to 1.
    pub before: f64,
    /// Mistakes per position with the best weights, from 0 to 1.
    pub after: f64,
    /// The best weights found so far.
    #[serde(serialize_with = "by_name")]
    pub weights: Weights,
    /// The path of the file with the progress.
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

/// The reply of `audit --truth`: cache entries and static evaluations compared with true values.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TruthAudit {
    /// Number of entries in the cache.
    pub entries: usize,
    /// Number of entries compared, whose true value is known.
    pub known: u64,
    /// Number of entries whose value or bound contradicts the sign of the true value.
    pub wrong: u64,
    /// Number of entries whose position has a static value that contradicts the sign of the true value.
    pub wrong_static: u64,
    /// The entries counted in `wrong` or `wrong_static`, in the order of the table, up to the limit of the scope.
    pub contradicted: Vec<JudgedEntry>,
    /// Whether an interrupt ended the audit early.
    pub interrupted: bool,
    pub(crate) notes: Vec<String>,
}

/// A cache entry and the static value of its position, beside the true value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgedEntry {
    /// The key; ends in `:DEPTH` if the memo policy keeps one entry per depth.
    pub key: String,
    /// The position in the game's notation.
    pub state: String,
    /// Remaining depth of the entry in plies; `None` if the memo policy keeps no depth.
    pub depth: Option<u8>,
    /// The stored value, for the side to move.
    pub value: Score,
    /// The bound of the stored value: `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// The static evaluation of the position, for the side to move.
    #[serde(rename = "static")]
    pub static_value: Score,
    /// Whether the stored value and bound contradict the sign of the true value.
    #[serde(rename = "entry_wrong")]
    pub is_entry_wrong: bool,
    /// Whether the static value contradicts the sign of the true value.
    #[serde(rename = "static_wrong")]
    pub is_static_wrong: bool,
    /// The true value, for the side to move.
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
