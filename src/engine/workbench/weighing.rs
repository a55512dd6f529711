//! Weight sets against each other, and settings, over the same positions.

use std::{hash::BuildHasher, hint::black_box, time::Instant};

use rustc_hash::FxBuildHasher;

use super::{Answer, Desk, Pair};
use crate::engine::{
    arena::{Player, TournamentSpec},
    game::{Fault, Game, Key, Rules, Weights},
    memo::{AnyMemo, Policy},
    progress::Unit,
    reply::{
        CacheCounters, ComparedPosition, ComparedRow, ComparisonKind, SearchComparison, SuiteEntry,
        SuiteHead, SuiteReport,
    },
    search::Fidelity,
    searcher::Searcher,
    settings::{RootMoves, Settings},
    weighing::{self, Posed, Suite, SuiteSource, Variant, Variants, WeightTable, settings_to},
    workers::{interrupted, processors},
};

/// What `search compare` compares with the settings in force where nothing is said.
const USUAL: [&str; 13] = [
    "algorithm=alphabeta memo=none order=none",
    "algorithm=alphabeta memo=none order=static",
    "algorithm=alphabeta memo=none order=captures+killers+history",
    "algorithm=alphabeta memo=interval order=none",
    "algorithm=alphabeta memo=interval order=memo",
    "algorithm=alphabeta memo=bound order=memo",
    "algorithm=alphabeta memo=bound order=captures+static+killers+history",
    "algorithm=pvs memo=none order=captures+killers+history",
    "algorithm=pvs memo=interval order=memo",
    "algorithm=pvs memo=bound order=memo",
    "algorithm=pvs memo=bound order=memo+captures+static+killers+history",
    "algorithm=mtdf memo=bound order=memo",
    "algorithm=mtdf memo=bound order=captures+static+killers+history",
];

/// Another of them, as long as the depth does not exceed [`MINIMAX_DEPTH`].
const MINIMAX: &str = "algorithm=minimax memo=none order=none";

/// Up to here minimax takes seconds at most.
const MINIMAX_DEPTH: u8 = 4;

/// Which weights are held against which, on what, and how.
#[derive(Clone, Debug)]
pub struct WeighWish<'a> {
    /// The base, the weights in force where none is named, and sets to be held against it.
    pub sets: &'a [&'a str],
    /// In place of sets: a weight of which other values are held against the base, and the values.
    pub sweep: Option<(&'a str, &'a [f64])>,
    /// In place of sets: the base without each of its terms.
    pub ablate: bool,
    /// The positions; the current one where none are named.
    pub source: Option<SuiteSource<'a>>,
    /// Plies from the root of each search, at least 1.
    pub depth: u8,
    /// Threads, as many as there are processors where nothing is said. They change nothing but the time it takes.
    pub workers: Option<usize>,
    /// Disagreements that are listed for each variant.
    pub list: usize,
    /// The games that variants play against the base besides.
    pub games: Option<TournamentSpec>,
}

impl<G: Game> Desk<G> {
    /// A named set, or one spelled out: `stones=2,mills=5` changes the default.
    fn set_or_inline(&self, text: &str) -> Answer<Variant> {
        if !text.contains('=') {
            return Ok(Variant::named(text, self.weights_called(text)?));
        }
        let pairs = text.split(',').map(|part| {
            part.split_once('=').ok_or_else(|| {
                Fault::new(format!("`{part}` in `{text}` is not name=value"))
                    .hint("write stones=2,mills=5")
            })
        });
        let pairs = pairs.collect::<Answer<Vec<Pair<'_>>>>()?;
        let weights = self.changed(&self.game().default_weights(), &pairs)?;
        Ok(Variant::named(text, weights))
    }

    pub(super) fn suite_of(&self, source: Option<SuiteSource<'_>>) -> Answer<Suite<G>> {
        let Some(source) = source else {
            return Suite::one(self.game(), &self.now.position, &self.now.history);
        };
        let suite = self.watching("finding", (Unit::Positions, 0), |watch| {
            Suite::from_source(self.game(), source, watch)
        });
        suite.map_err(|fault| match source {
            SuiteSource::File(_) => fault.about("suite"),
            SuiteSource::Standard | SuiteSource::Random { .. } => fault,
        })
    }

    /// What is held against what.
    fn variants(&self, wish: &WeighWish<'_>) -> Answer<Variants> {
        let named = wish.sets.iter().enumerate().map(|(nth, text)| {
            self.set_or_inline(text).map_err(|fault| fault.about(&nth.to_string()))
        });
        let mut sets = named.collect::<Answer<Vec<_>>>()?;
        if sets.is_empty() {
            sets.push(self.set_or_inline("current")?);
        }
        let base = sets.remove(0);
        match (wish.sweep, wish.ablate) {
            (Some((weight, values)), _) => {
                Variants::sweep(base, weight, values).map_err(|fault| fault.about("sweep"))
            }
            (None, true) => Ok(Variants::ablation(self.game(), base)),
            (None, false) => Ok(Variants::sets(base, sets)),
        }
    }

    /// The games of every variant that is not the base itself, against the base.
    fn play_variants(
        &self,
        table: &mut WeightTable,
        settings: &Settings,
        wish: (&TournamentSpec, Option<usize>),
    ) -> Answer<()> {
        let player = |name, weights: &Weights| Player {
            settings: settings.clone(),
            weights: weights.clone(),
            ..Player::named(self.game(), name)
        };
        let base = player("base", &table.base.weights);
        for row in table.variants.iter_mut().filter(|row| !row.is_base) {
            let players = [player("variant", &row.set.weights), base.clone()];
            let met = self.play_two(&players, wish)?;
            let notes = met.notes.iter().map(|note| format!("{}: {note}", row.set.name));
            table.head.notes.extend(notes);
            row.games = met.standings.into_iter().find(|standing| standing.player == 0);
        }
        Ok(())
    }
}

/// Weight sets, and settings, against each other over the same positions. Cache and search under way are not touched.
pub trait Weighing {
    /// The positions of a suite.
    fn suite(&self, source: SuiteSource<'_>) -> Answer<SuiteReport>;
    /// Holds variants of the weights against a base. Faults of a set are about its number, from 0.
    fn weigh(&self, wish: &WeighWish<'_>) -> Answer<WeightTable>;
    /// The seed that random choices start from where a command names none.
    fn seed(&self) -> u64;
    /// Searches each position of a suite, or the one at hand, under several lists of settings, each search with an empty
    /// cache of its own. Without variants those that the kind of comparison is usually about are compared with the settings
    /// in force. The depth defaults to the setting, then to 4. Faults of a variant are about its number, from 0, those of a
    /// file about "suite".
    fn compare_searches(
        &self,
        kind: ComparisonKind,
        variants: &[&str],
        source: Option<SuiteSource<'_>>,
        depth: Option<u8>,
    ) -> Answer<SearchComparison>;
}

impl<G: Game> Weighing for Desk<G> {
    fn seed(&self) -> u64 {
        self.settings().seed
    }

    fn suite(&self, source: SuiteSource<'_>) -> Answer<SuiteReport> {
        let suite = self.suite_of(Some(source))?;
        let entry = |(posed, position): (&Posed<G>, u64)| SuiteEntry {
            position,
            state: self.game().format_position(&posed.position),
            phase: posed.phase.to_owned(),
            comment: posed.comment.clone(),
        };
        Ok(SuiteReport {
            head: suite.head(),
            file: None,
            entries: suite.positions.iter().zip(1..).map(entry).collect(),
        })
    }

    fn weigh(&self, wish: &WeighWish<'_>) -> Answer<WeightTable> {
        let since = Instant::now();
        let variants = self.variants(wish)?;
        let suite = self.suite_of(wish.source)?;
        let settings = settings_to(self.settings(), wish.depth);
        let weighing = weighing::Weigher {
            game: self.game(),
            settings: &settings,
            suite: &suite,
            variants: &variants,
            list: wish.list,
            workers: wish.workers.unwrap_or_else(processors),
            interrupt: &self.run.interrupt,
        };
        let mut table = self.watching("comparing", (Unit::Searches, 0), |watch| {
            weighing::weigh(&weighing, watch.progress)
        })?;
        if let Some(games) = &wish.games {
            self.play_variants(&mut table, &settings, (games, wish.workers))?;
        }
        table.ms = Some(since.elapsed().as_secs_f64() * 1e3);
        Ok(table)
    }

    fn compare_searches(
        &self,
        kind: ComparisonKind,
        variants: &[&str],
        source: Option<SuiteSource<'_>>,
        depth: Option<u8>,
    ) -> Answer<SearchComparison> {
        let depth = depth.or(self.settings().depth).unwrap_or(4);
        let base = match kind {
            ComparisonKind::Searches => self.for_one_best_move(),
            ComparisonKind::Memos => self.settings().clone(),
        };
        let numbered = variants.iter().zip(0_usize..).map(|(words, nth)| {
            self.search_variant(&base, words).map_err(|fault| fault.about(&nth.to_string()))
        });
        let mut variants = numbered.collect::<Answer<Vec<_>>>()?;
        if variants.is_empty() {
            let usual = usual_variants(kind, depth);
            let usual = usual.iter().map(|words| self.search_variant(&base, words));
            variants = usual.collect::<Answer<_>>()?;
        }
        let suite = self.suite_of(source)?;
        let head = suite.head();
        let posed = suite.positions.into_iter();
        let roots = posed.map(|posed| (posed.position, posed.history)).collect();
        self.compare(kind, head, depth, (&variants, roots))
    }
}

/// Settings that are compared with others.
struct SearchVariant {
    /// What tells them from the others.
    words: String,
    settings: Settings,
}

/// Positions with what was played before them.
type Roots<G> = Vec<(<G as Rules>::Position, <G as Rules>::History)>;

impl<G: Game> Desk<G> {
    /// The settings in force, but that of the root's moves a best one is enough: MTD(f) finds no more, and so all do the
    /// same work. The seeds know no such root.
    fn for_one_best_move(&self) -> Settings {
        let settings = self.settings().clone();
        match settings.fidelity {
            Fidelity::Sound => Settings { root: RootMoves::Best, ..settings },
            Fidelity::Seed => settings,
        }
    }

    /// Settings changed as a variant's words say.
    fn search_variant(&self, base: &Settings, text: &str) -> Answer<SearchVariant> {
        let mut settings = base.clone();
        for word in text.split_whitespace().filter(|word| *word != "current") {
            let (name, value) = word.split_once('=').ok_or_else(|| {
                Fault::new(format!("`{word}` is not setting=value"))
                    .hint("write \"algorithm=pvs memo=bound\", or `current`")
            })?;
            if ["depth", "budget", "time_ms"].contains(&name) {
                return Err(Fault::new(format!("`{name}` is the same for all that is compared"))
                    .hint("every search goes as deep as --depth says"));
            }
            settings.set(name, value)?;
        }
        Searcher::new(self.game(), &settings, &self.run.searcher.weights)?;
        let changed = settings.differences(base);
        let told = |name| {
            ["algorithm", "order", "memo"].contains(&name)
                || changed.iter().any(|(known, _)| *known == name)
        };
        let list = settings.list().into_iter().filter(|(name, _)| told(*name));
        let words = list.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        let words = words.join(" ");
        Ok(SearchVariant { words, settings })
    }

    /// Searches every position under every variant.
    fn compare(
        &self,
        kind: ComparisonKind,
        head: SuiteHead,
        depth: u8,
        (variants, roots): (&[SearchVariant], Roots<G>),
    ) -> Answer<SearchComparison> {
        let total = (roots.len() * variants.len()) as u64;
        let mut done = 0;
        let positions = self.watching("comparing", (Unit::Searches, 0), |watch| {
            let mut compared = Vec::new();
            for root in &roots {
                let mut rows = Vec::new();
                for variant in variants {
                    rows.push(self.compared_row(kind, variant, root, depth)?);
                    done += 1;
                    watch.tick(done, total)?;
                }
                compared.push(ComparedPosition::new(self.game().format_position(&root.0), rows));
            }
            Ok(compared)
        })?;
        Ok(SearchComparison::new(kind, head, depth, positions))
    }

    fn compared_row(
        &self,
        kind: ComparisonKind,
        variant: &SearchVariant,
        (position, history): &(G::Position, G::History),
        depth: u8,
    ) -> Answer<ComparedRow> {
        let settings = settings_to(&variant.settings, depth);
        let mut searcher = Searcher::new(self.game(), &settings, &self.run.searcher.weights)?;
        let root = (position, history);
        let found = searcher.choose(root, 0, &self.run.interrupt)?.ok_or_else(interrupted)?;
        let counters = found.counters;
        let cache = CacheCounters::new(&counters, searcher.memo.entries().len());
        let bytes = searcher.memo.entries().bytes() as u64;
        let timed = kind == ComparisonKind::Memos
            && !matches!(settings.memo(), Policy::None | Policy::Rote);
        let named = |name| word(&settings, name);
        Ok(ComparedRow {
            settings: variant.words.clone(),
            algorithm: named("algorithm"),
            memo: named("memo"),
            order: named("order"),
            fidelity: named("fidelity"),
            value: found.value,
            nodes: counters.nodes,
            cutoffs: counters.cutoffs,
            cache,
            bytes,
            ms: Some(found.ms),
            table_ms: timed.then(|| table_ms(&mut searcher.memo, cache.probes(), cache.stores)),
            branching: (counters.nodes as f64).powf(1.0 / f64::from(depth)),
            ..ComparedRow::default()
        })
    }
}

/// What is compared where nothing is said.
fn usual_variants(kind: ComparisonKind, depth: u8) -> Vec<String> {
    if kind == ComparisonKind::Memos {
        let fidelities = ["sound", "seed"].into_iter();
        let each = |fidelity| Policy::ALL.map(|memo| format!("fidelity={fidelity} memo={memo}"));
        return fidelities.flat_map(each).collect();
    }
    let minimax = (depth <= MINIMAX_DEPTH).then_some(MINIMAX);
    // What is not exact of the settings in force is set back with the fidelity.
    let usual = minimax.into_iter().chain(USUAL);
    let usual = usual.map(|words| format!("fidelity=sound root=best {words}"));
    std::iter::once("current".to_owned()).chain(usual).collect()
}

/// The value of a setting, as `search show` has it.
fn word(settings: &Settings, name: &str) -> String {
    let found = settings.list().into_iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| value).unwrap_or_default()
}

/// Estimates how long the table takes for so many look-ups and stores, in milliseconds: looks up and rewrites a sample of
/// its entries in random order and scales the time.
fn table_ms<K: Key>(memo: &mut AnyMemo<K>, probes: u64, stores: u64) -> f64 {
    const SAMPLE: usize = 1 << 15;
    /// Accesses that are timed at least, so that the clock resolves them.
    const LEAST: usize = 1 << 13;
    let step = memo.entries().len().div_ceil(SAMPLE).max(1);
    let mut entries: Vec<_> = memo.entries().iter().step_by(step).collect();
    if entries.is_empty() {
        return 0.0;
    }
    entries.sort_by_key(|(at, _)| FxBuildHasher.hash_one(at));
    let passes = LEAST.div_ceil(entries.len());
    let times = (passes * entries.len()) as f64;
    let each = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..passes).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e3 / times
    };
    let probe = each(&mut || {
        for (at, _) in &entries {
            black_box(memo.entries().get(*at));
        }
    });
    let store = each(&mut || {
        for (at, entry) in &entries {
            // An entry that the table gave is never refused.
            let _ = black_box(memo.entries_mut().set(*at, *entry));
        }
    });
    probe * probes as f64 + store * stores as f64
}
