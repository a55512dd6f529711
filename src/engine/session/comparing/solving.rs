//! Test suites: how many positions searches with various settings solve, and at what cost.

use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde_json::Value;

use super::{
    Session, SuiteEntry, Variant, entry, numbered,
    reply::{folded, head},
    texts,
};

use crate::{
    engine::{
        game::{Fault, Game, MoveText, Result, Score},
        progress::Unit,
        search::RootMove,
        searcher::{Decision, Searcher},
        session::{
            Pair,
            plot::Plot,
            reply::{LAST, Reply, nth_line},
            review::limits_text,
        },
        settings::Settings,
        suite::{Attempt, Posed, Suite, SuiteHead, SuiteSource, WrongLine},
        workers::{self, interrupted},
    },
    text::{TextTable, counted, layout, lines, number, or_empty, style::Scale},
};

/// The command that runs test suites.
pub trait SolvingCommands {
    /// Searches every position of a suite under each variant (default: the settings in force), each with an empty cache and
    /// within `limits`. The reply lists lines that are not positions. A fault in a variant carries the variant's index, from 0.
    fn run_suite(
        &self,
        source: SuiteSource<'_>,
        variants: &[&str],
        limits: &[Pair<'_>],
        workers: usize,
    ) -> Result<SuiteRun>;
}

/// Names of the settings that limit a search.
const LIMITS: [&str; 3] = ["depth", "budget", "time_ms"];

impl<G: Game> SolvingCommands for Session<G> {
    fn run_suite(
        &self,
        source: SuiteSource<'_>,
        variants: &[&str],
        limits: &[Pair<'_>],
        workers: usize,
    ) -> Result<SuiteRun> {
        let limiting = self.settings_with(limits)?;
        let base = self.for_one_best_move();
        let variants = if variants.is_empty() { &["current"] } else { variants };
        let variants =
            numbered(variants, |words| self.settings_variant(&base, words)?.within(&limiting))?;
        let suite = self.watching("reading", Unit::Positions, 0, |watch| {
            Suite::with_wrong_lines(self.game(), source, watch)
        })?;
        let with_variants = |posed| variants.iter().map(move |variant| (variant, posed));
        let jobs: Vec<_> = suite.positions.iter().flat_map(with_variants).collect();
        let found = self.watching("solving", Unit::Searches, 0, |watch| {
            let job = |(variant, posed): &(&Variant, &Posed<G>), halt: &AtomicBool| {
                self.solve(variant, posed, halt)
            };
            let report = &mut |done| (watch.progress)(done, jobs.len() as u64);
            workers::map(&jobs, workers, watch.interrupt, job, report)
        })?;
        let mut found = found.ok_or_else(interrupted)?.into_iter();
        let mut solved = |(place, posed): (usize, &Posed<G>)| SuiteResult {
            at: entry(self.game(), &suite, place),
            bm: texts(self.game(), posed, &posed.task.best),
            am: texts(self.game(), posed, &posed.task.avoid),
            dm: posed.task.mate,
            found: found.by_ref().take(variants.len()).collect(),
        };
        let entries: Vec<_> = suite.positions.iter().enumerate().map(&mut solved).collect();
        let rows = variants.iter().enumerate().map(|(place, variant)| {
            SolvedRow::new(variant, entries.iter().map(|entry| &entry.found[place]))
        });
        Ok(SuiteRun {
            head: suite.head(),
            depth: limiting.depth,
            budget: limiting.budget(),
            time_ms: limiting.time_ms,
            variants: rows.collect(),
            entries,
            wrong: suite.wrong,
            listed: usize::MAX,
        })
    }
}

impl<G: Game> Session<G> {
    fn solve(&self, variant: &Variant, posed: &Posed<G>, halt: &AtomicBool) -> Result<Solution> {
        let mut searcher = Searcher::new(self.game(), &variant.settings, &variant.weights)?;
        let decision = searcher.choose((&posed.position, &posed.history), 0, halt)?;
        let decision = decision.ok_or_else(interrupted)?;
        let evaluator = searcher.evaluator(&posed.position)?;
        let scale = searcher.game.scale(searcher.game.full_window(&evaluator));
        let win = plies_to_win(scale, &decision);
        let attempt = Attempt { best: &decision.best, win };
        Ok(Solution {
            solved: (!posed.task.is_empty()).then(|| posed.task.is_solved(&attempt)),
            best: texts(self.game(), posed, &decision.best),
            value: decision.value,
            depth: decision.depth,
            nodes: decision.counters.nodes,
            ms: Some(decision.ms),
        })
    }
}

/// Plies until the best move wins the game; `None` if no win is proven.
fn plies_to_win<G: Game>(scale: Scale, decision: &Decision<G>) -> Option<f64> {
    let value = decision.value?.get();
    let is_win = value > 0.0 && scale.end(value).is_some();
    let decided = || {
        let is_best = |root: &&RootMove<G>| root.mv == decision.mv;
        decision.moves.iter().find(is_best)?.decided
    };
    is_win.then(|| match scale {
        Scale::Centipawns { mate: Some(mate), .. } => mate - value,
        // Values contain no distance: the win takes at most as many plies as the depth of the search that proves it.
        _ => f64::from(decided().unwrap_or(decision.depth)),
    })
}

impl Variant {
    /// The variant with depth, budget and time of `limits`.
    fn within(mut self, limits: &Settings) -> Result<Self> {
        for (name, value) in limits.list() {
            if LIMITS.contains(&name) {
                self.settings.set(name, &value)?;
            }
        }
        Ok(self)
    }
}

/// The reply of `suite run`: which positions each variant solves.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteRun {
    /// The name of the suite, its number of positions, and notes.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// The depth limit of each search in plies; `None`: no limit.
    pub(crate) depth: Option<u8>,
    /// The node limit of each search; `None`: no limit.
    pub(crate) budget: Option<u64>,
    /// The time limit of each search in milliseconds; `None`: no limit.
    pub(crate) time_ms: Option<u64>,
    /// One row per variant of the settings, in the order given.
    pub variants: Vec<SolvedRow>,
    /// Every position with its task and each variant's solution.
    pub entries: Vec<SuiteResult>,
    /// Lines of the file that are not positions, each with the reason.
    pub wrong: Vec<WrongLine>,
    /// The most unsolved positions to list in the text; JSON has all positions.
    #[serde(skip)]
    pub listed: usize,
}

/// The results of one variant, totalled over all positions.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedRow {
    /// A short name of the variant, for tables.
    pub name: String,
    /// Algorithm, memo policy, order and the settings that differ from the base, written as for `search set`.
    pub settings: String,
    /// Number of positions whose task the variant solves.
    pub solved: u64,
    /// Number of positions that have a task.
    pub tasks: u64,
    /// Nodes visited in all positions together.
    pub nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
}

/// A position of a test suite, its task (as in EPD), and each variant's solution.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteResult {
    /// The position with its number and name in the suite.
    #[serde(flatten)]
    pub at: SuiteEntry,
    /// EPD `bm`: best moves, one of which must be found; empty without this operation.
    pub bm: Vec<MoveText>,
    /// EPD `am`: moves that must be avoided; empty without this operation.
    pub am: Vec<MoveText>,
    /// EPD `dm`: the side to move must win within this number of moves; `None` without this operation.
    pub dm: Option<u32>,
    /// What the search of each variant finds, in the order of the variants.
    pub found: Vec<Solution>,
}

/// What one variant's search finds in a position of a test suite.
#[derive(Clone, Debug, Serialize)]
pub struct Solution {
    /// Whether the task is solved; `None` if the position has no task.
    pub solved: Option<bool>,
    /// The best moves, all of the same value.
    pub best: Vec<MoveText>,
    /// The root's value for the side to move; `None` if the search found none.
    pub value: Option<Score>,
    /// Depth of the last complete iteration in plies.
    pub depth: u8,
    /// Nodes visited in this position.
    pub nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
}

impl SolvedRow {
    fn new<'a>(variant: &Variant, found: impl Iterator<Item = &'a Solution>) -> Self {
        let (name, settings) = (variant.name.clone(), variant.words.clone());
        let empty = Self { name, settings, solved: 0, tasks: 0, nodes: 0, ms: Some(0.0) };
        found.fold(empty, |row, found| Self {
            solved: row.solved + u64::from(found.solved == Some(true)),
            tasks: row.tasks + u64::from(found.solved.is_some()),
            nodes: row.nodes + found.nodes,
            ms: row.ms.zip(found.ms).map(|(sum, ms)| sum + ms),
            ..row
        })
    }

    fn score(&self) -> String {
        let share = number::percent(self.solved, self.tasks);
        format!("{} of {}  {}", self.solved, self.tasks, or_empty(share))
    }
}

impl SuiteResult {
    /// The task in words, such as `Qd1+`, `not h3` or `a win in 3 moves`.
    fn task(&self) -> String {
        let win = self.dm.map(|moves| counted(moves.into(), "move", "moves"));
        let parts = [
            (!self.bm.is_empty()).then(|| layout::words(&self.bm)),
            (!self.am.is_empty()).then(|| format!("not {}", layout::words(&self.am))),
            win.map(|moves| format!("a win in {moves}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl SuiteRun {
    fn limit(&self) -> String {
        limits_text(self.depth, self.budget, self.time_ms)
    }

    /// The table of variants; several variants are numbered, as in the list of unsolved positions.
    fn table(&self) -> String {
        let rows = self.variants.iter().zip(1..);
        let rows = rows.flat_map(|(row, number)| folded(&row.name, (number, row)));
        let several = self.variants.len() > 1;
        let cell = |of: fn(&SolvedRow) -> Option<String>| {
            move |(_, row): &(String, Option<(u32, &SolvedRow)>)| {
                or_empty(row.and_then(|(_, row)| of(row)))
            }
        };
        TextTable::of(rows)
            .right("", |(_, row)| or_empty(row.filter(|_| several).map(|(number, _)| number)))
            .left("settings", |(name, _)| name.clone())
            .right("solved", cell(|row| Some(row.score())))
            .right("nodes", cell(|row| Some(number::count(row.nodes))))
            .right("time", cell(|row| row.ms.map(number::time)))
            .render()
    }

    /// A table of the positions that some variant does not solve: the task, and each variant's move, or `✓` if solved.
    fn unsolved_table(&self) -> String {
        let is_missed = |it: &&SuiteResult| it.found.iter().any(|it| it.solved == Some(false));
        let missed = || self.entries.iter().filter(is_missed);
        let shown = layout::shown(missed().count(), self.listed);
        let mut table = TextTable::of(missed().take(shown))
            .right("", |entry| entry.at.position)
            .left("unsolved", |entry| or_empty(entry.at.id.as_ref()))
            .left("to find", |entry| entry.task());
        for place in 0..self.variants.len() {
            let head =
                if self.variants.len() > 1 { (place + 1).to_string() } else { "found".into() };
            table = table.left(head, |entry| match &entry.found[place] {
                Solution { solved: Some(true), .. } => "✓".to_owned(),
                found => layout::some(&found.best, 2),
            });
        }
        let more = missed().count() - shown;
        let more = (more > 0).then(|| format!("{more} more: --limit shows them"));
        if shown == 0 { or_empty(more) } else { lines([table.render(), or_empty(more)]) }
    }
}

impl Reply for SuiteRun {
    fn text(&self) -> String {
        let wrong = self.wrong.iter().map(|line| layout::wrap("wrong: ", &line.message));
        let head = head(&self.head, Some(self.limit()));
        layout::parts([lines([head, self.table()]), self.unsolved_table(), lines(wrong)])
    }

    fn line(&self) -> String {
        let scores = self.variants.iter().map(SolvedRow::score).collect::<Vec<_>>().join(", ");
        nth_line(&format!("{}: {scores} solved", self.head.suite), LAST)
    }

    /// The rows for CSV, one per variant.
    fn table_rows(&self) -> Option<Value> {
        serde_json::to_value(&self.variants).ok()
    }

    fn fault(&self) -> Option<Fault> {
        let lines = self.wrong.len() as u64;
        let first = self.wrong.first()?;
        let what = counted(lines, "line holds no position", "lines hold no position");
        Some(Fault::new(format!("{what}: {}", first.message)))
    }

    fn forget_times(&mut self) {
        let found = self.entries.iter_mut().flat_map(|entry| &mut entry.found);
        found.for_each(|found| found.ms = None);
        self.variants.iter_mut().for_each(|row| row.ms = None);
    }

    /// A chart of the percentage of positions that each variant solves.
    fn plots(&self) -> Vec<Plot> {
        let share = |(place, row): (usize, &SolvedRow)| {
            (place as f64, row.solved as f64 * 100.0 / row.tasks.max(1) as f64)
        };
        let points: Vec<_> = self.variants.iter().enumerate().map(share).collect();
        let places = self.variants.iter().map(|row| row.name.clone()).collect();
        let plot = Plot::new(format!("Solved, {}", self.limit()), "settings", "% of positions");
        vec![Plot { places, ..plot }.with_series("solved", points)]
    }
}
