//! Comparisons of variants over a list of positions: settings, memo policies, sets of weights, one weight over a range, the
//! heuristic without one of its terms.
//!
//! Every kind of comparison is a list of `Variant`s, the first of which is the base. Each position is searched under each
//! variant with an empty table, so results depend on position and variant only, whatever the number of threads. The current
//! position is a list of one.

mod reply;
mod solving;

use std::{sync::atomic::AtomicBool, time::Instant};

use super::{Pair, Session, cache::CacheCounters, tables};

use crate::engine::{
    cachefile::Monitor,
    game::{Fault, Game, MoveText, Result, Score, Weights},
    progress::Unit,
    search::Fidelity,
    searcher::Searcher,
    settings::{Budget, RootMoves, Settings},
    suite::{Posed, Suite, SuiteSource},
    table::Policy,
    workers::{self, interrupted, processors},
};
pub use reply::*;
pub use solving::*;

/// The variants that `search compare` runs by default, besides the settings in force.
const USUAL: [&str; 14] = [
    "algorithm=alphabeta memo=none order=none",
    "algorithm=alphabeta memo=none order=static",
    "algorithm=alphabeta memo=none order=captures+killers+history",
    "algorithm=alphabeta memo=interval order=none",
    "algorithm=alphabeta memo=interval order=memo",
    "algorithm=alphabeta memo=bound order=usual",
    "algorithm=pvs memo=none order=captures+killers+history",
    "algorithm=pvs memo=interval order=memo",
    "algorithm=pvs memo=bound order=memo",
    "algorithm=pvs memo=bound order=captures+killers+history",
    "algorithm=pvs memo=bound order=etc+captures+killers+history",
    "algorithm=pvs memo=bound order=memo+captures+killers+static+history",
    "algorithm=mtdf memo=bound order=memo",
    "algorithm=mtdf memo=bound order=usual",
];

/// The word that stands for the settings for play in a variant's text.
const PLAY: &str = "play";

const MINIMAX: &str = "algorithm=minimax memo=none order=none";

// The greatest depth in plies at which minimax takes seconds at most.
const MINIMAX_DEPTH: u8 = 4;

/// What `search compare`, `memo compare` or `weights compare` compares.
#[derive(Clone, Copy, Debug)]
pub enum Comparison<'a> {
    /// Nodes and times of searches with these settings, written as for `search set`. The first variant is the base; an empty
    /// list compares the settings in force with common alternatives.
    Searches(&'a [&'a str]),
    /// Cache probes, entries and memory of searches with each memo policy, in both fidelities.
    Memos,
    /// Values and best moves of searches with these sets of weights. The base is the first set, or else the weights in force.
    Weights {
        /// Names of sets, or sets written out as `name=value,name=value`.
        sets: &'a [&'a str],
        /// Further variants, derived from the base.
        vary: Vary<'a>,
        /// The number of threads (default: one for each processor); it affects the time only.
        workers: Option<usize>,
    },
}

/// Sets of weights derived from a base.
#[derive(Clone, Copy, Debug)]
pub enum Vary<'a> {
    /// No derived sets: only the given sets are compared.
    Nothing,
    /// The base with one weight, given by name, set to each of several values in turn.
    Sweep(&'a str, &'a [f64]),
    /// The base with each non-zero term in turn set to 0.
    Ablate,
}

#[derive(Clone, Debug)]
struct Variant {
    /// A short name for tables and JSON.
    name: String,
    /// Algorithm, memo policy, order and the settings that differ from the base, written as for `search set`.
    words: String,
    settings: Settings,
    weights: Weights,
    /// The value of the swept weight; `None` unless a weight is swept.
    value: Option<f64>,
}

impl Variant {
    /// The variant, changed to search to a fixed depth in plies.
    fn to(self, depth: u8) -> Self {
        Self { settings: settings_to(&self.settings, depth), ..self }
    }
}

struct Variants {
    all: Vec<Variant>,
    /// The heading of the first column, as in [`VariantTable`].
    varied: String,
    notes: Vec<String>,
}

/// A copy of the settings with a fixed depth in plies and no other limit.
fn settings_to(settings: &Settings, depth: u8) -> Settings {
    Settings { depth: Some(depth.max(1)), budget: Budget::Off, time_ms: None, ..settings.clone() }
}

impl<G: Game> Session<G> {
    fn search_variants(&self, named: &[&str], depth: u8) -> Result<Variants> {
        let base = self.for_one_best_move();
        let variant = |words: &str| Ok(self.settings_variant(&base, words)?.to(depth));
        let all = if named.is_empty() {
            usual_variants(depth).iter().map(|words| variant(words)).collect::<Result<_>>()?
        } else {
            numbered(named, variant)?
        };
        let forced = base.root() != self.usual().settings.root();
        let has_twin = |at: usize| all[..at].iter().any(|it| it.settings == all[at].settings);
        let notes = (forced && (0..all.len()).any(has_twin)).then(|| TWINS.to_owned());
        Ok(Variants { all, varied: "settings".to_owned(), notes: notes.into_iter().collect() })
    }

    fn memo_variants(&self, depth: u8) -> Result<Variants> {
        let mut all = Vec::new();
        for fidelity in ["sound", "seed"] {
            for policy in Policy::ALL {
                let words = format!("fidelity={fidelity} memo={policy}");
                let name = format!("{policy} {fidelity}");
                let variant = self.settings_variant(&self.usual().settings, &words)?.to(depth);
                all.push(Variant { name, ..variant });
            }
        }
        Ok(Variants { all, varied: "settings".to_owned(), notes: Vec::new() })
    }

    /// The settings in force with `root=best`, so that all searches do the same work: MTD(f) finds one best move only. In seed
    /// fidelity every root move is searched exactly, so `root` is not changed.
    fn for_one_best_move(&self) -> Settings {
        let settings = self.usual().settings.clone();
        match settings.fidelity {
            Fidelity::Sound => Settings { root: RootMoves::Best, ..settings },
            Fidelity::Seed => settings,
        }
    }

    /// The settings of `base` with changes as in `search set`; `play`: [`Settings::for_play`] with the weights for play.
    fn settings_variant(&self, base: &Settings, text: &str) -> Result<Variant> {
        let mut settings = base.clone();
        for word in text.split_whitespace().filter(|word| *word != "current") {
            if word == PLAY {
                settings = Settings::for_play::<G>();
                continue;
            }
            let (name, value) = word.split_once('=').ok_or_else(|| {
                Fault::word(word, "is not setting=value")
                    .hint("write \"algorithm=pvs memo=bound\", `current` or `play`")
            })?;
            if ["depth", "budget", "time_ms"].contains(&name) {
                return Err(Fault::word(name, "must be the same for all variants")
                    .hint("the limit of all searches is given by flags: --depth"));
            }
            settings.set(name, value)?;
        }
        let is_play = text.split_whitespace().any(|word| word == PLAY);
        let weights = if is_play { self.play_weights() } else { self.run.searcher.weights.clone() };
        Searcher::new(self.game(), &settings, &weights)?;
        let (main, changed) = (["algorithm", "memo", "order"], settings.differences(base));
        let mut name = main.map(|name| setting_text(&settings, name)).join(" ");
        let mut words = Vec::new();
        for (setting, value) in settings.list() {
            let pair = format!("{setting}={value}");
            if main.contains(&setting) {
                words.push(pair);
            } else if changed.iter().any(|(known, _)| *known == setting) {
                name = format!("{name} {pair}");
                words.push(pair);
            }
        }
        if is_play {
            text.clone_into(&mut name);
        }
        Ok(Variant { name, words: words.join(" "), settings, weights, value: None })
    }

    fn weight_variants(&self, sets: &[&str], vary: Vary<'_>, depth: u8) -> Result<Variants> {
        let settings = settings_to(&self.usual().settings, depth);
        let named = |name: String, weights| Variant {
            name,
            words: String::new(),
            settings: settings.clone(),
            weights,
            value: None,
        };
        let set = |text: &str| Ok(named(text.to_owned(), self.set_or_inline(text)?));
        let mut all = numbered(sets, set)?;
        if all.is_empty() {
            all.push(set("current")?);
        }
        let (base, mut notes) = (all[0].weights.clone(), Vec::new());
        let changed = |weight: &str, value| {
            let mut weights = base.clone();
            weights.set(weight, value).map(|()| weights)
        };
        let varied = match vary {
            Vary::Nothing => "set",
            Vary::Sweep(weight, values) => {
                for &value in values {
                    let weights = changed(weight, value).map_err(|fault| fault.about("sweep"))?;
                    let swept = named(format!("{weight}={value}"), weights);
                    all.push(Variant { value: Some(value), ..swept });
                }
                weight
            }
            Vary::Ablate => {
                for (term, weight) in base.iter().filter(|(_, weight)| *weight != 0.0) {
                    let weights = changed(term, 0.0)?;
                    match self.game().evaluator(&weights, &self.game().start()) {
                        Ok(_) => all.push(named(format!("{term} ({weight})"), weights)),
                        Err(fault) => {
                            notes.push(format!("{term} cannot be left out: {}", fault.message));
                        }
                    }
                }
                "without"
            }
        };
        Ok(Variants { all, varied: varied.to_owned(), notes })
    }

    /// The set of weights with this name, or the default set with changes such as `stones=2,mills=5`.
    pub(super) fn set_or_inline(&self, text: &str) -> Result<Weights> {
        if !text.contains('=') {
            return self.weights_named(text);
        }
        let pairs = text.split(',').map(|part| {
            part.split_once('=').ok_or_else(|| {
                Fault::word(part, format!("in `{text}` is not name=value"))
                    .hint("write stones=2,mills=5")
            })
        });
        let pairs = pairs.collect::<Result<Vec<Pair<'_>>>>()?;
        self.changed(&self.game().default_weights(), &pairs)
    }

    pub(super) fn suite_of(&self, source: Option<SuiteSource<'_>>) -> Result<Suite<G>> {
        let Some(source) = source else {
            return Suite::single(self.game(), &self.now.position, &self.now.history);
        };
        let suite = self.watching("finding", Unit::Positions, 0, |watch| {
            Suite::from_source(self.game(), source, watch)
        });
        suite.map_err(|fault| match source {
            // The fault's message contains the line in the file, so the fault needs no place.
            SuiteSource::File(_) => Fault { at: None, ..fault }.about("suite"),
            SuiteSource::BuiltIn(_) | SuiteSource::Random { .. } => fault,
        })
    }
}

const TWINS: &str = "`current` is run with root=best, as every search that is compared: rows of the same settings are the same search";

/// Reads a variant from each text. A fault carries the index of its text, from 0.
fn numbered(texts: &[&str], variant: impl Fn(&str) -> Result<Variant>) -> Result<Vec<Variant>> {
    let numbered = texts.iter().enumerate();
    numbered
        .map(|(nth, text)| {
            variant(text).map_err(|fault| Fault { at: None, ..fault }.about_nth(nth))
        })
        .collect()
}

/// Commands that compare settings or weights over the same positions. The cache and the current search stay unchanged.
pub trait ComparisonCommands {
    /// Lists the positions of a suite.
    fn suite(&self, source: SuiteSource<'_>) -> Result<SuiteReport>;
    /// Compares variants on the positions of `source` (default: the current position). Each search goes to `depth` plies
    /// (default: the setting `depth`, or else 4) with an empty cache. Lists up to `listed` disagreements per variant. A fault
    /// in a variant carries its index, from 0; a fault in a file is about `suite`.
    fn compare(
        &self,
        what: Comparison<'_>,
        source: Option<SuiteSource<'_>>,
        depth: Option<u8>,
        listed: usize,
    ) -> Result<VariantTable>;
}

impl<G: Game> ComparisonCommands for Session<G> {
    fn suite(&self, source: SuiteSource<'_>) -> Result<SuiteReport> {
        let suite = self.suite_of(Some(source))?;
        let entries = (0..suite.positions.len()).map(|place| entry(self.game(), &suite, place));
        Ok(SuiteReport { head: suite.head(), file: None, entries: entries.collect() })
    }

    fn compare(
        &self,
        what: Comparison<'_>,
        source: Option<SuiteSource<'_>>,
        depth: Option<u8>,
        listed: usize,
    ) -> Result<VariantTable> {
        let start = Instant::now();
        let depth = depth.or(self.usual().settings.depth).unwrap_or(4);
        // Only one thread searches if times are compared, because parallel searches slow each other down.
        let (kind, workers, variants) = match what {
            Comparison::Searches(named) => {
                (ComparisonKind::Searches, 1, self.search_variants(named, depth)?)
            }
            Comparison::Memos => (ComparisonKind::Memos, 1, self.memo_variants(depth)?),
            Comparison::Weights { sets, vary, workers } => (
                ComparisonKind::Weights,
                workers.unwrap_or_else(processors),
                self.weight_variants(sets, vary, depth)?,
            ),
        };
        let suite = self.suite_of(source)?;
        let comparer =
            Comparer { game: self.game(), kind, suite: &suite, variants: &variants.all, listed };
        let mut rows =
            self.watching("comparing", Unit::Searches, 0, |watch| comparer.rows(workers, watch))?;
        let mut head = suite.head();
        head.notes.extend(variants.notes);
        let agree = rows.iter().all(|row| row.disagreements.is_empty() && row.omitted == 0);
        let weights = kind == ComparisonKind::Weights;
        Ok(VariantTable {
            kind,
            head,
            depth,
            varied: variants.varied,
            base: weights.then(|| rows.remove(0)),
            variants: rows,
            agree,
            ms: weights.then(|| start.elapsed().as_secs_f64() * 1e3),
        })
    }
}

/// What one variant's search finds in one position.
struct PositionResult<G: Game> {
    /// The root's value for the side to move.
    value: Score,
    static_eval: Score,
    /// The best moves, in the order in which the game generates moves.
    best: Vec<G::Move>,
    /// When weights are compared: every root move with its value, or the least possible value if it was not searched.
    moves: Vec<(G::Move, Score)>,
    nodes: u64,
    cutoffs: u64,
    cache: CacheCounters,
    bytes: u64,
    ms: f64,
}

impl<G: Game> PositionResult<G> {
    /// Whether `self` and `other` have a best move in common.
    fn shares_best_move(&self, other: &Self) -> bool {
        self.best.iter().any(|mv| other.best.contains(mv))
    }

    fn distance(&self, other: &Self) -> f64 {
        (self.value.get() - other.value.get()).abs()
    }

    /// How much the best moves in `self` lose by the move values of `judge`, as a mean over the best moves.
    fn cost_by(&self, judge: &Self) -> f64 {
        let worth = |mv: &G::Move| judge.moves.iter().find(|(known, _)| known == mv);
        let losses = self.best.iter().filter_map(worth);
        let losses = losses.map(|(_, worth)| judge.value.get() - worth.get());
        losses.sum::<f64>() / self.best.len().max(1) as f64
    }
}

struct Comparer<'a, G: Game> {
    game: &'a G,
    kind: ComparisonKind,
    suite: &'a Suite<G>,
    /// The variants to compare, the base first.
    variants: &'a [Variant],
    listed: usize,
}

/// A variant with its results, one for each position.
type Results<'a, G> = (&'a Variant, &'a [PositionResult<G>]);

impl<G: Game> Comparer<'_, G> {
    /// Searches each position under each variant, and compares every variant's results with the base's.
    fn rows(&self, workers: usize, watch: &mut Monitor) -> Result<Vec<ComparedRow>> {
        let positions = &self.suite.positions;
        for variant in self.variants {
            let evaluator = self.game.evaluator(&variant.weights, &positions[0].position);
            evaluator.map_err(|fault| fault.within(&variant.name))?;
        }
        // All variants of a position are searched in succession, so that a temporary load on the machine slows them equally.
        let variants = self.variants.iter();
        let at = |posed| variants.clone().map(move |variant| (variant, posed));
        let jobs: Vec<_> = positions.iter().flat_map(at).collect();
        let findings = workers::map(
            &jobs,
            workers,
            watch.interrupt,
            |(variant, posed), halt| self.search(variant, posed, halt),
            &mut |done| (watch.progress)(done, jobs.len() as u64),
        )?;
        let mut by_variant: Vec<_> = variants.clone().map(|_| Vec::new()).collect();
        let mut findings = findings.ok_or_else(interrupted)?.into_iter();
        for _ in positions {
            for (known, finding) in by_variant.iter_mut().zip(&mut findings) {
                known.push(finding);
            }
        }
        let results: Vec<Results<'_, G>> =
            variants.zip(by_variant.iter().map(Vec::as_slice)).collect();
        Ok(results.iter().map(|variant| self.row(*variant, results[0])).collect())
    }

    fn search(
        &self,
        variant: &Variant,
        posed: &Posed<G>,
        interrupt: &AtomicBool,
    ) -> Result<PositionResult<G>> {
        let mut searcher = Searcher::new(self.game, &variant.settings, &variant.weights)?;
        let decision = searcher.choose((&posed.position, &posed.history), 0, interrupt)?;
        let decision = decision.ok_or_else(interrupted)?;
        let evaluator = searcher.evaluator(&posed.position)?;
        let worst = self.game.full_window(&evaluator).alpha;
        let moves = decision.moves.iter().map(|root| (root.mv, root.value.unwrap_or(worst)));
        let is_best = |mv: &G::Move| decision.best.contains(mv);
        Ok(PositionResult {
            value: decision
                .value
                .ok_or_else(|| Fault::new("there is no move to choose in the position"))?,
            static_eval: searcher.game.evaluate(&evaluator, &posed.position),
            best: moves.clone().map(|(mv, _)| mv).filter(is_best).collect(),
            moves: moves.filter(|_| self.kind == ComparisonKind::Weights).collect(),
            nodes: decision.counters.nodes,
            cutoffs: decision.counters.cutoffs,
            cache: CacheCounters::new(&decision.counters, searcher.table.entries().len()),
            bytes: searcher.table.entries().bytes() as u64,
            ms: decision.ms,
        })
    }

    /// Whether two results agree: the same best moves when weights are compared, the same value otherwise.
    fn agrees(&self, one: &PositionResult<G>, other: &PositionResult<G>) -> bool {
        match self.kind {
            ComparisonKind::Weights => one.best == other.best,
            _ => one.value == other.value,
        }
    }

    fn row(&self, results: Results<'_, G>, base: Results<'_, G>) -> ComparedRow {
        let (variant, found) = results;
        let (disagreements, omitted) = self.disagreements([results, base]);
        let differing = disagreements.len() as u64 + omitted;
        let weights = self.kind == ComparisonKind::Weights;
        ComparedRow {
            name: variant.name.clone(),
            nodes: nodes(found),
            search: (!weights).then(|| searched(results, base, differing)),
            heuristic: weights.then(|| self.row_against_base(results, base)),
            disagreements,
            omitted,
        }
    }

    fn row_against_base(
        &self,
        (variant, found): Results<'_, G>,
        (base, base_found): Results<'_, G>,
    ) -> WeighedRow {
        let mean = |value: fn(&PositionResult<G>) -> Score| {
            found.iter().map(|found| value(found).get()).sum::<f64>() / found.len() as f64
        };
        let best = match (found, self.suite.positions.as_slice()) {
            ([only], [posed]) => texts(self.game, posed, &only.best),
            _ => Vec::new(),
        };
        WeighedRow {
            weights: variant.weights.clone(),
            mean_static: mean(|found| found.static_eval),
            mean_value: mean(|found| found.value),
            best,
            value: variant.value,
            is_base: variant.weights == base.weights,
            agreement: (!std::ptr::eq(variant, base)).then(|| agreement(found, base_found)),
        }
    }

    /// The disagreements to list, the largest first, and the number of disagreements not listed.
    fn disagreements(&self, both: [Results<'_, G>; 2]) -> (Vec<Disagreement>, u64) {
        let [(_, first), (_, second)] = both;
        let pairs = first.iter().zip(second).enumerate();
        let mut pairs: Vec<_> =
            pairs.filter(|(_, (one, other))| !self.agrees(one, other)).collect();
        pairs.sort_by(|(_, one), (_, other)| {
            let common = |(one, other): &(&PositionResult<G>, &PositionResult<G>)| {
                self.kind == ComparisonKind::Weights && one.shares_best_move(other)
            };
            let distance =
                |(one, other): &(&PositionResult<G>, &PositionResult<G>)| one.distance(other);
            common(one).cmp(&common(other)).then(distance(other).total_cmp(&distance(one)))
        });
        let omitted = pairs.len().saturating_sub(self.listed) as u64;
        let listed = pairs.iter().take(self.listed).map(|&(place, _)| Disagreement {
            at: entry(self.game, self.suite, place),
            choices: both.map(|(variant, found)| VariantChoice {
                set: variant.name.clone(),
                value: found[place].value,
                best: texts(self.game, &self.suite.positions[place], &found[place].best),
            }),
        });
        (listed.collect(), omitted)
    }
}

fn searched<G: Game>(
    (variant, found): Results<'_, G>,
    (_, base): Results<'_, G>,
    differing: u64,
) -> SearchedRow {
    let sum = |of: fn(&PositionResult<G>) -> f64| {
        move |found: &[PositionResult<G>]| found.iter().map(of).sum::<f64>()
    };
    let (ms, settings) = (sum(|found| found.ms), &variant.settings);
    let depth = f64::from(settings.depth.unwrap_or(1));
    let logarithms = sum(|found| (found.nodes as f64).ln());
    SearchedRow {
        settings: variant.words.clone(),
        algorithm: setting_text(settings, "algorithm"),
        memo: setting_text(settings, "memo"),
        order: setting_text(settings, "order"),
        fidelity: setting_text(settings, "fidelity"),
        value: if let [only] = found { Some(only.value) } else { None },
        differing,
        cutoffs: found.iter().map(|found| found.cutoffs).sum(),
        cache: tables::sum(found.iter().map(|found| found.cache)),
        bytes: found.iter().map(|found| found.bytes).sum(),
        ms: Some(ms(found)),
        branching: (logarithms(found) / depth / found.len() as f64).exp(),
        ratio_nodes: nodes(found) as f64 / nodes(base) as f64,
        ratio_ms: Some(ms(found) / ms(base)),
    }
}

pub(super) fn entry<G: Game>(game: &G, suite: &Suite<G>, place: usize) -> SuiteEntry {
    let Posed { position, phase, comment, id, line, .. } = &suite.positions[place];
    SuiteEntry {
        position: place as u64 + 1,
        id: id.clone(),
        line: Some(*line).filter(|line| *line > 0),
        state: game.format_position(position),
        phase: (*phase).to_owned(),
        comment: comment.clone(),
    }
}

fn texts<G: Game>(game: &G, posed: &Posed<G>, moves: &[G::Move]) -> Vec<MoveText> {
    moves.iter().map(|mv| game.move_text(&posed.position, *mv)).collect()
}

fn nodes<G: Game>(found: &[PositionResult<G>]) -> u64 {
    found.iter().map(|found| found.nodes).sum()
}

fn agreement<G: Game>(variant: &[PositionResult<G>], base: &[PositionResult<G>]) -> Agreement {
    let mut sum = Agreement::default();
    for (one, other) in variant.iter().zip(base) {
        sum.same += u64::from(one.best == other.best);
        sum.shared += u64::from(one.shares_best_move(other));
        sum.mean_difference += one.distance(other);
        sum.max_difference = sum.max_difference.max(one.distance(other));
        sum.cost += one.cost_by(other);
    }
    sum.mean_difference /= base.len() as f64;
    sum.cost /= base.len() as f64;
    sum
}

fn usual_variants(depth: u8) -> Vec<String> {
    let minimax = (depth <= MINIMAX_DEPTH).then_some(MINIMAX);
    let usual = minimax.into_iter().chain(USUAL);
    // `fidelity=sound` also resets the switches of all defects.
    let usual = usual.map(|words| format!("fidelity=sound root=best {words}"));
    std::iter::once("current".to_owned()).chain(usual).collect()
}

fn setting_text(settings: &Settings, name: &str) -> String {
    let found = settings.list().into_iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| value).unwrap_or_default()
}
