//! Variants against a base over a list of positions: settings, memo policies, sets of weights, one weight over a range, each
//! term of the heuristic left out in turn.
//!
//! All of these are lists of [`Variant`]s, and the position at hand is a list of one position. Every position is searched
//! under every variant, each time with a table of its own, so that what is found depends on the position and the variant
//! alone, whatever the number of threads.

mod reply;

use std::{sync::atomic::AtomicBool, time::Instant};

use super::{Pair, Session, cache::CacheCounters};

use crate::engine::{
    cachefile::Watch,
    game::{Fault, Game, Result, Score, Weights},
    progress::Unit,
    search::Fidelity,
    searcher::Searcher,
    settings::{Budget, RootMoves, Settings},
    suite::{Posed, Suite, SuiteSource},
    table::Policy,
    workers::{self, interrupted, processors},
};
pub use reply::*;

/// What `search compare` compares with the settings in force where nothing is said.
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

/// Another of them, as long as the depth does not exceed [`MINIMAX_DEPTH`].
const MINIMAX: &str = "algorithm=minimax memo=none order=none";

/// Up to here minimax takes seconds at most.
const MINIMAX_DEPTH: u8 = 4;

/// What is held against what, on which positions, and how.
#[derive(Clone, Debug, Default)]
pub struct CompareOptions<'a> {
    /// What the comparison is about.
    pub kind: ComparisonKind,
    /// The base and what is held against it: settings as `search set` reads them, or sets of weights. Where none are named,
    /// the settings that such a comparison is usually about are held against those in force; the base of weights is in force.
    pub variants: &'a [&'a str],
    /// In place of sets: a weight of which other values are held against the base, and the values.
    pub sweep: Option<(&'a str, &'a [f64])>,
    /// In place of sets: the base without each of its terms.
    pub ablate: bool,
    /// The positions; the current one where none are named.
    pub source: Option<SuiteSource<'a>>,
    /// Plies from the root of each search, at least 1; the setting or 4 where nothing is said.
    pub depth: Option<u8>,
    /// Threads for a comparison of weights, as many as there are processors where nothing is said. They change nothing but
    /// the time it takes; where times are compared there is one.
    pub workers: Option<usize>,
    /// Disagreements that are listed for each variant.
    pub list: usize,
}

#[derive(Clone, Debug)]
struct Variant {
    /// What tells it from the others, in few words.
    name: String,
    /// The settings that tell it from the others, as `search set` reads them.
    words: String,
    settings: Settings,
    weights: Weights,
    /// The value of the weight in which it differs from the base, where a range of values is tried.
    value: Option<f64>,
}

struct Variants {
    all: Vec<Variant>,
    /// What they differ in.
    varied: String,
    /// What could not be varied, and why.
    notes: Vec<String>,
}

/// Searches that compare things go to a fixed depth, which nothing else limits.
fn settings_to(settings: &Settings, depth: u8) -> Settings {
    Settings { depth: Some(depth.max(1)), budget: Budget::Off, time_ms: None, ..settings.clone() }
}

impl<G: Game> Session<G> {
    /// Settings for `search compare` and `memo compare`.
    fn settings_compared(&self, wish: &CompareOptions<'_>, depth: u8) -> Result<Variants> {
        let base = match wish.kind {
            ComparisonKind::Searches => self.for_one_best_move(),
            _ => self.settings().clone(),
        };
        let variant = |words: &str| self.search_variant(wish.kind, &base, words, depth);
        let all = if wish.variants.is_empty() {
            usual_variants(wish.kind, depth).iter().map(|words| variant(words)).collect()
        } else {
            numbered(wish.variants, variant)
        };
        let all: Vec<Variant> = all?;
        let forced = base.root() != self.settings().root();
        let notes = if forced && has_twins(&all) { vec![TWINS.to_owned()] } else { Vec::new() };
        Ok(Variants { all, varied: "settings".to_owned(), notes })
    }

    /// The settings in force, but that of the root's moves a best one is enough: MTD(f) finds no more, and so all do the
    /// same work. The seeds know no such root.
    fn for_one_best_move(&self) -> Settings {
        let settings = self.settings().clone();
        match settings.fidelity {
            Fidelity::Sound => Settings { root: RootMoves::Best, ..settings },
            Fidelity::Seed => settings,
        }
    }

    fn search_variant(
        &self,
        kind: ComparisonKind,
        base: &Settings,
        text: &str,
        depth: u8,
    ) -> Result<Variant> {
        let mut settings = base.clone();
        for word in text.split_whitespace().filter(|word| *word != "current") {
            let (name, value) = word.split_once('=').ok_or_else(|| {
                Fault::new(format!("`{word}` is not setting=value"))
                    .about_word(word)
                    .hint("write \"algorithm=pvs memo=bound\", or `current`")
            })?;
            if ["depth", "budget", "time_ms"].contains(&name) {
                return Err(Fault::new(format!("`{name}` is the same for all that is compared"))
                    .about_word(name)
                    .hint("every search goes as deep as --depth says"));
            }
            settings.set(name, value)?;
        }
        let weights = self.run.searcher.weights.clone();
        Searcher::new(self.game(), &settings, &weights)?;
        let (main, changed) = (["algorithm", "memo", "order"], settings.differences(base));
        let mut told = settings.list();
        told.retain(|(name, _)| {
            main.contains(name) || changed.iter().any(|(known, _)| known == name)
        });
        let words: Vec<_> = told.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let name = if kind == ComparisonKind::Memos {
            ["memo", "fidelity"].map(|name| word(&settings, name)).join(" ")
        } else {
            let others = words.iter().zip(&told).filter(|(_, (name, _))| !main.contains(name));
            let others = others.map(|(word, _)| word.clone());
            let words = main.map(|name| word(&settings, name)).into_iter().chain(others);
            words.collect::<Vec<_>>().join(" ")
        };
        let settings = settings_to(&settings, depth);
        Ok(Variant { name, words: words.join(" "), settings, weights, value: None })
    }

    /// Weights for `weights compare`.
    fn weights_compared(&self, wish: &CompareOptions<'_>, depth: u8) -> Result<Variants> {
        let settings = settings_to(self.settings(), depth);
        let named = |name: String, weights| Variant {
            name,
            words: String::new(),
            settings: settings.clone(),
            weights,
            value: None,
        };
        let set = |text: &str| Ok(named(text.to_owned(), self.set_or_inline(text)?));
        let mut all = numbered(wish.variants, set)?;
        if all.is_empty() {
            all.push(set("current")?);
        }
        let (base, mut notes) = (all[0].weights.clone(), Vec::new());
        let changed = |weight: &str, value| {
            let mut weights = base.clone();
            weights.set(weight, value).map(|()| weights)
        };
        let mut varied = "set";
        if let Some((weight, values)) = wish.sweep {
            varied = weight;
            for &value in values {
                let weights = changed(weight, value).map_err(|fault| fault.about("sweep"))?;
                let swept = named(format!("{weight}={value}"), weights);
                all.push(Variant { value: Some(value), ..swept });
            }
        } else if wish.ablate {
            varied = "without";
            for (term, weight) in base.iter().filter(|(_, weight)| *weight != 0.0) {
                let weights = changed(term, 0.0)?;
                match self.game().evaluator(&weights, &self.game().start()) {
                    Ok(_) => all.push(named(format!("{term} ({weight})"), weights)),
                    Err(fault) => {
                        notes.push(format!("{term} cannot be left out: {}", fault.message));
                    }
                }
            }
        }
        Ok(Variants { all, varied: varied.to_owned(), notes })
    }

    /// A named set, or one spelled out: `stones=2,mills=5` changes the default.
    fn set_or_inline(&self, text: &str) -> Result<Weights> {
        if !text.contains('=') {
            return self.weights_called(text);
        }
        let pairs = text.split(',').map(|part| {
            part.split_once('=').ok_or_else(|| {
                Fault::new(format!("`{part}` in `{text}` is not name=value"))
                    .about_word(part)
                    .hint("write stones=2,mills=5")
            })
        });
        let pairs = pairs.collect::<Result<Vec<Pair<'_>>>>()?;
        self.changed(&self.game().default_weights(), &pairs)
    }

    fn suite_of(&self, source: Option<SuiteSource<'_>>) -> Result<Suite<G>> {
        let Some(source) = source else {
            return Suite::one(self.game(), &self.now.position, &self.now.history);
        };
        let suite = self.watching("finding", (Unit::PositionCommands, 0), |watch| {
            Suite::from_source(self.game(), source, watch)
        });
        suite.map_err(|fault| match source {
            // The message has the place in the file.
            SuiteSource::File(_) => Fault { at: None, ..fault }.about("suite"),
            SuiteSource::Standard | SuiteSource::Random { .. } => fault,
        })
    }
}

/// Variants from their texts. Faults are about their number, from 0.
/// What is said where two rows are one search.
const TWINS: &str = "`current` is run with root=best, as every search that is compared: rows of the same settings are the same search";

/// Whether two variants have the same settings.
fn has_twins(all: &[Variant]) -> bool {
    all.iter().enumerate().any(|(at, one)| all[..at].iter().any(|it| it.settings == one.settings))
}

fn numbered(texts: &[&str], variant: impl Fn(&str) -> Result<Variant>) -> Result<Vec<Variant>> {
    let numbered = texts.iter().enumerate();
    numbered
        .map(|(nth, text)| {
            variant(text).map_err(|fault| Fault { at: None, ..fault }.about_nth(nth))
        })
        .collect()
}

/// Settings and weight sets against each other over the same positions. Cache and search under way are not touched.
pub trait ComparisonCommands {
    /// The positions of a suite.
    fn suite(&self, source: SuiteSource<'_>) -> Result<SuiteReport>;
    /// Holds variants against a base, each search with an empty cache of its own. Faults of a variant are about its number,
    /// from 0, those of a file about "suite".
    fn compare(&self, wish: &CompareOptions<'_>) -> Result<VariantTable>;
}

impl<G: Game> ComparisonCommands for Session<G> {
    fn suite(&self, source: SuiteSource<'_>) -> Result<SuiteReport> {
        let suite = self.suite_of(Some(source))?;
        let entries = (0..suite.positions.len()).map(|place| entry(self.game(), &suite, place));
        Ok(SuiteReport { head: suite.head(), file: None, entries: entries.collect() })
    }

    fn compare(&self, wish: &CompareOptions<'_>) -> Result<VariantTable> {
        let since = Instant::now();
        let depth = wish.depth.or(self.settings().depth).unwrap_or(4);
        let of_weights = wish.kind == ComparisonKind::Weights;
        let variants = if of_weights {
            self.weights_compared(wish, depth)?
        } else {
            self.settings_compared(wish, depth)?
        };
        let suite = self.suite_of(wish.source)?;
        let comparer = Comparer {
            game: self.game(),
            kind: wish.kind,
            suite: &suite,
            variants: &variants.all,
            list: wish.list,
        };
        let workers = if of_weights { wish.workers.unwrap_or_else(processors) } else { 1 };
        let mut rows =
            self.watching("comparing", (Unit::Searches, 0), |watch| comparer.rows(workers, watch))?;
        let mut head = suite.head();
        head.notes.extend(variants.notes);
        let agree = rows.iter().all(|row| row.disagreements.is_empty() && row.omitted == 0);
        Ok(VariantTable {
            kind: wish.kind,
            head,
            depth,
            varied: variants.varied,
            base: of_weights.then(|| rows.remove(0)),
            variants: rows,
            agree,
            ms: of_weights.then(|| since.elapsed().as_secs_f64() * 1e3),
        })
    }
}

struct Opinion<G: Game> {
    /// The value for the side to move.
    value: Score,
    /// The heuristic value of the position itself.
    static_value: Score,
    /// The best moves, in the game's order.
    best: Vec<G::Move>,
    /// Where weights are compared: every move with its value, those that were not searched with the least there is.
    moves: Vec<(G::Move, Score)>,
    nodes: u64,
    cutoffs: u64,
    cache: CacheCounters,
    bytes: u64,
    ms: f64,
}

impl<G: Game> Opinion<G> {
    /// Whether some move is best for both.
    fn shares(&self, other: &Self) -> bool {
        self.best.iter().any(|mv| other.best.contains(mv))
    }

    fn distance(&self, other: &Self) -> f64 {
        (self.value.get() - other.value.get()).abs()
    }

    /// What this choice, any of its best moves being as likely, loses in the eyes of another set.
    fn cost_for(&self, judge: &Self) -> f64 {
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
    /// The base first.
    variants: &'a [Variant],
    /// Disagreements that are listed for each variant.
    list: usize,
}

/// A variant with what it makes of every position.
type Party<'a, G> = (&'a Variant, &'a [Opinion<G>]);

impl<G: Game> Comparer<'_, G> {
    /// Searches every position under every variant, and holds what each finds against what the base finds.
    fn rows(&self, workers: usize, watch: &mut Watch) -> Result<Vec<ComparedRow>> {
        let positions = &self.suite.positions;
        for variant in self.variants {
            let evaluator = self.game.evaluator(&variant.weights, &positions[0].position);
            evaluator.map_err(|fault| fault.within(&variant.name))?;
        }
        // Position by position: what slows the machine down for a while slows all of the variants.
        let variants = self.variants.iter();
        let at = |posed| variants.clone().map(move |variant| (variant, posed));
        let jobs: Vec<_> = positions.iter().flat_map(at).collect();
        let found = workers::map(
            &jobs,
            workers,
            watch.interrupt,
            |(variant, posed), halt| self.search(variant, posed, halt),
            &mut |done| (watch.progress)(done, jobs.len() as u64),
        )?;
        let mut of_variants: Vec<_> = variants.clone().map(|_| Vec::new()).collect();
        let mut found = found.ok_or_else(interrupted)?.into_iter();
        for _ in positions {
            for (known, found) in of_variants.iter_mut().zip(&mut found) {
                known.push(found);
            }
        }
        let parties: Vec<Party<'_, G>> =
            variants.zip(of_variants.iter().map(Vec::as_slice)).collect();
        Ok(parties.iter().map(|party| self.row(*party, parties[0])).collect())
    }

    fn search(
        &self,
        variant: &Variant,
        posed: &Posed<G>,
        interrupt: &AtomicBool,
    ) -> Result<Opinion<G>> {
        let mut searcher = Searcher::new(self.game, &variant.settings, &variant.weights)?;
        let decision = searcher.choose((&posed.position, &posed.history), 0, interrupt)?;
        let decision = decision.ok_or_else(interrupted)?;
        let evaluator = searcher.evaluator(&posed.position)?;
        let worst = self.game.full_window(&evaluator).alpha;
        let moves = decision.moves.iter().map(|root| (root.mv, root.value.unwrap_or(worst)));
        let is_best = |mv: &G::Move| decision.best.contains(mv);
        Ok(Opinion {
            value: decision
                .value
                .ok_or_else(|| Fault::new("there is no move to choose in the position"))?,
            static_value: searcher.game.evaluate(&evaluator, &posed.position),
            best: moves.clone().map(|(mv, _)| mv).filter(is_best).collect(),
            moves: moves.filter(|_| self.kind == ComparisonKind::Weights).collect(),
            nodes: decision.counters.nodes,
            cutoffs: decision.counters.cutoffs,
            cache: CacheCounters::new(&decision.counters, searcher.table.entries().len()),
            bytes: searcher.table.entries().bytes() as u64,
            ms: decision.ms,
        })
    }

    /// Whether a variant finds what the base finds: the best moves under weights, the value under settings.
    fn agrees(&self, one: &Opinion<G>, other: &Opinion<G>) -> bool {
        match self.kind {
            ComparisonKind::Weights => one.best == other.best,
            _ => one.value == other.value,
        }
    }

    fn row(&self, party: Party<'_, G>, base: Party<'_, G>) -> ComparedRow {
        let (variant, found) = party;
        let (disagreements, omitted) = self.disagreements([party, base]);
        let differing = disagreements.len() as u64 + omitted;
        let of_weights = self.kind == ComparisonKind::Weights;
        ComparedRow {
            name: variant.name.clone(),
            nodes: nodes(found),
            search: (!of_weights).then(|| searched(party, base, differing)),
            heuristic: of_weights.then(|| self.weighed(party, base)),
            disagreements,
            omitted,
        }
    }

    /// What a set of weights makes of the positions, beside what the base makes of them.
    fn weighed(&self, (variant, found): Party<'_, G>, (base, of_base): Party<'_, G>) -> WeighedRow {
        let mean = |value: fn(&Opinion<G>) -> Score| {
            found.iter().map(|found| value(found).get()).sum::<f64>() / found.len() as f64
        };
        let best = match (found, self.suite.positions.as_slice()) {
            ([only], [posed]) => self.moves(posed, only),
            _ => Vec::new(),
        };
        WeighedRow {
            weights: variant.weights.clone(),
            mean_static: mean(|found| found.static_value),
            mean_value: mean(|found| found.value),
            best,
            value: variant.value,
            is_base: variant.weights == base.weights,
            agreement: (!std::ptr::eq(variant, base)).then(|| agreement(found, of_base)),
        }
    }

    /// The disagreements of two variants that are listed, and how many more there are.
    fn disagreements(&self, parties: [Party<'_, G>; 2]) -> (Vec<Disagreement>, u64) {
        let [(_, first), (_, second)] = parties;
        let pairs = first.iter().zip(second).enumerate();
        let mut pairs: Vec<_> =
            pairs.filter(|(_, (one, other))| !self.agrees(one, other)).collect();
        pairs.sort_by(|(_, one), (_, other)| {
            let common = |(one, other): &(&Opinion<G>, &Opinion<G>)| {
                self.kind == ComparisonKind::Weights && one.shares(other)
            };
            let distance = |(one, other): &(&Opinion<G>, &Opinion<G>)| one.distance(other);
            common(one).cmp(&common(other)).then(distance(other).total_cmp(&distance(one)))
        });
        let omitted = pairs.len().saturating_sub(self.list) as u64;
        let listed = pairs.iter().take(self.list).map(|&(place, _)| Disagreement {
            at: entry(self.game, self.suite, place),
            choices: parties.map(|(variant, found)| VariantChoice {
                set: variant.name.clone(),
                value: found[place].value,
                best: self.moves(&self.suite.positions[place], &found[place]),
            }),
        });
        (listed.collect(), omitted)
    }

    fn moves(&self, posed: &Posed<G>, found: &Opinion<G>) -> Vec<String> {
        found.best.iter().map(|mv| self.game.format_move(&posed.position, *mv)).collect()
    }
}

fn searched<G: Game>(
    (variant, found): Party<'_, G>,
    (_, base): Party<'_, G>,
    differing: u64,
) -> SearchedRow {
    let sum =
        |of: fn(&Opinion<G>) -> f64| move |found: &[Opinion<G>]| found.iter().map(of).sum::<f64>();
    let (ms, settings) = (sum(|found| found.ms), &variant.settings);
    let depth = f64::from(settings.depth.unwrap_or(1));
    let logarithms = sum(|found| (found.nodes as f64).ln());
    let mut cache = CacheCounters::default();
    for found in found {
        cache += found.cache;
    }
    SearchedRow {
        settings: variant.words.clone(),
        algorithm: word(settings, "algorithm"),
        memo: word(settings, "memo"),
        order: word(settings, "order"),
        fidelity: word(settings, "fidelity"),
        value: if let [only] = found { Some(only.value) } else { None },
        differing,
        cutoffs: found.iter().map(|found| found.cutoffs).sum(),
        cache,
        bytes: found.iter().map(|found| found.bytes).sum(),
        ms: Some(ms(found)),
        branching: (logarithms(found) / depth / found.len() as f64).exp(),
        ratio_nodes: nodes(found) as f64 / nodes(base) as f64,
        ratio_ms: Some(ms(found) / ms(base)),
    }
}

fn entry<G: Game>(game: &G, suite: &Suite<G>, place: usize) -> SuiteEntry {
    let Posed { position, phase, comment, .. } = &suite.positions[place];
    SuiteEntry {
        position: place as u64 + 1,
        state: game.format_position(position),
        phase: (*phase).to_owned(),
        comment: comment.clone(),
    }
}

fn nodes<G: Game>(found: &[Opinion<G>]) -> u64 {
    found.iter().map(|found| found.nodes).sum()
}

fn agreement<G: Game>(variant: &[Opinion<G>], base: &[Opinion<G>]) -> Agreement {
    let mut sum = Agreement::default();
    for (one, other) in variant.iter().zip(base) {
        sum.same += u64::from(one.best == other.best);
        sum.shared += u64::from(one.shares(other));
        sum.mean_difference += one.distance(other);
        sum.max_difference = sum.max_difference.max(one.distance(other));
        sum.cost += one.cost_for(other);
    }
    sum.mean_difference /= base.len() as f64;
    sum.cost /= base.len() as f64;
    sum
}

fn usual_variants(kind: ComparisonKind, depth: u8) -> Vec<String> {
    if kind == ComparisonKind::Memos {
        let fidelities = ["sound", "seed"].into_iter();
        let each = |fidelity| Policy::ALL.map(|table| format!("fidelity={fidelity} memo={table}"));
        return fidelities.flat_map(each).collect();
    }
    let minimax = (depth <= MINIMAX_DEPTH).then_some(MINIMAX);
    // What is not exact of the settings in force is set back with the fidelity.
    let usual = minimax.into_iter().chain(USUAL);
    let usual = usual.map(|words| format!("fidelity=sound root=best {words}"));
    std::iter::once("current".to_owned()).chain(usual).collect()
}

fn word(settings: &Settings, name: &str) -> String {
    let found = settings.list().into_iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| value).unwrap_or_default()
}
