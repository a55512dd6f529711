//! Heuristics weighed against each other: variants of the weights against a base, over a list of positions.
//!
//! Sets of weights side by side, one weight over a range and each term left out in turn are all lists of [`Variant`]s; the
//! current position is a list of one position. [`weigh`] searches every position under every variant and adds up how far
//! each agrees with the base. Every search has a table of its own, so what it finds depends on the position, the weights and
//! the settings alone, whatever the number of threads.

mod suite;

use std::sync::atomic::AtomicBool;

use serde::{Serialize, Serializer};

pub use suite::{PhaseCount, Posed, Suite, SuiteHead, SuiteSource};

use super::{
    arena::standings::PlayerStanding,
    game::{Fault, Game, Score, Weights},
    searcher::{Decision, Searcher},
    settings::{Budget, Settings},
    workers::{self, interrupted},
};

/// A set of weights to be held against a base.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its weights.
    pub weights: Weights,
    /// The value of the weight in which it differs from the base, where a range of values is tried.
    pub value: Option<f64>,
}

impl Variant {
    /// A set of weights by name.
    pub fn named(name: impl Into<String>, weights: Weights) -> Self {
        Self { name: name.into(), weights, value: None }
    }
}

/// A base and what is held against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variants {
    /// The base.
    pub base: Variant,
    /// What is held against it.
    pub others: Vec<Variant>,
    /// What they differ in: `set`, `without`, or the name of a weight.
    pub varied: String,
    /// What could not be varied, and why.
    pub notes: Vec<String>,
}

impl Variants {
    /// Other sets.
    pub fn sets(base: Variant, others: Vec<Variant>) -> Self {
        Self { base, others, varied: "set".to_owned(), notes: Vec::new() }
    }

    /// The base with other values of one weight.
    ///
    /// # Errors
    /// A weight that does not exist.
    pub fn sweep(base: Variant, weight: &str, values: &[f64]) -> Result<Self, Fault> {
        let with = |&value: &f64| {
            let mut weights = base.weights.clone();
            weights.set(weight, value)?;
            let named = Variant::named(format!("{weight}={value}"), weights);
            Ok(Variant { value: Some(value), ..named })
        };
        let others = values.iter().map(with).collect::<Result<Vec<_>, Fault>>()?;
        Ok(Self { varied: weight.to_owned(), ..Self::sets(base, others) })
    }

    /// The base without each of its terms in turn.
    pub fn ablation<G: Game>(game: &G, base: Variant) -> Self {
        let (mut others, mut notes) = (Vec::new(), Vec::new());
        for (term, weight) in base.weights.iter().filter(|(_, weight)| *weight != 0.0) {
            let mut weights = base.weights.clone();
            let without =
                weights.set(term, 0.0).and_then(|()| game.evaluator(&weights, &game.start()));
            match without {
                Ok(_) => others.push(Variant::named(format!("{term} ({weight})"), weights)),
                Err(fault) => notes.push(format!("{term} cannot be left out: {}", fault.message)),
            }
        }
        Self { varied: "without".to_owned(), notes, ..Self::sets(base, others) }
    }
}

/// Variants of a heuristic against a base.
#[derive(Clone, Debug, Serialize)]
pub struct WeightTable {
    /// The positions.
    #[serde(flatten)]
    pub head: SuiteHead,
    /// Plies from the root of each search.
    pub depth: u8,
    /// What the variants differ in: `set`, `without`, or the name of a weight.
    pub varied: String,
    /// What they are held against.
    pub base: WeighedSet,
    /// The variants.
    pub variants: Vec<WeighedVariant>,
    /// Whether all choose the same moves everywhere.
    pub agree: bool,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// What one set of weights makes of the positions. Values are for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeighedSet {
    /// Its name.
    pub name: String,
    /// Its weights.
    #[serde(serialize_with = "by_name")]
    pub weights: Weights,
    /// The mean heuristic value.
    pub mean_static: f64,
    /// The mean searched value.
    pub mean_value: f64,
    /// States visited.
    pub nodes: u64,
    /// The best moves, where there is one position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
}

/// What a variant makes of the positions, and how far it agrees with the base.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeighedVariant {
    /// The variant by itself.
    #[serde(flatten)]
    pub set: WeighedSet,
    /// The value of the weight that is varied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Whether it has the weights of the base.
    pub is_base: bool,
    /// How far it agrees with the base.
    #[serde(flatten)]
    pub agreement: Agreement,
    /// Positions where the best moves are not the same: those without a common one first, then by the distance of values.
    pub disagreements: Vec<Disagreement>,
    /// How many more of them there are.
    pub omitted: u64,
    /// Games against the base, from the variant's side, where they were asked for.
    pub games: Option<PlayerStanding>,
}

/// How far two sets of weights agree on some positions. Differences are in the game's units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// On how many positions the best moves are the very same.
    pub same: u64,
    /// On how many some move is best for both.
    pub shared: u64,
    /// The mean distance between the two values.
    pub mean_difference: f64,
    /// The greatest distance.
    pub max_difference: f64,
    /// What the variant's choice loses in the eyes of the base, on average; of several best moves each is as likely.
    pub cost: f64,
}

/// Weights as an object.
pub(super) fn by_name<S: Serializer>(weights: &Weights, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(weights.iter())
}

/// A position where two weight sets choose differently.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// Its number in the suite, from 1.
    pub position: u64,
    /// The position.
    pub state: String,
    /// The phase of play.
    pub phase: String,
    /// What the suite says of it.
    pub comment: Option<String>,
    /// What each of the two sets finds.
    pub choices: [SetChoice; 2],
}

/// What a weight set finds in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetChoice {
    /// The set.
    pub set: String,
    /// The value for the side to move.
    pub value: Score,
    /// The best moves.
    pub best: Vec<String>,
}

/// What a search under one set of weights makes of a position.
struct Opinion<G: Game> {
    decision: Decision<G>,
    /// The value for the side to move.
    value: Score,
    /// The heuristic value of the position itself.
    static_value: Score,
    /// Below any value, for moves that were not searched.
    worst: Score,
}

impl<G: Game> Opinion<G> {
    fn of(
        (game, settings): (&G, &Settings),
        weights: &Weights,
        posed: &Posed<G>,
        interrupt: &AtomicBool,
    ) -> Result<Self, Fault> {
        let mut searcher = Searcher::new(game, settings, weights)?;
        let decision = searcher.choose((&posed.position, &posed.history), 0, interrupt)?;
        let decision = decision.ok_or_else(interrupted)?;
        let value = decision.value;
        Ok(Self {
            decision,
            value: value.ok_or_else(|| Fault::new("there is no move to choose in the position"))?,
            static_value: searcher.evaluate(&posed.position)?,
            worst: searcher.full_window(&posed.position)?.alpha,
        })
    }

    fn is_best(&self, mv: &G::Move) -> bool {
        self.decision.best.contains(mv)
    }

    /// The best moves, in the game's order.
    fn best(&self) -> impl Iterator<Item = G::Move> {
        self.decision.moves.iter().map(|root| root.mv).filter(|mv| self.is_best(mv))
    }

    fn worth(&self, mv: &G::Move) -> Score {
        let found = self.decision.moves.iter().find(|root| root.mv == *mv);
        found.and_then(|root| root.value).unwrap_or(self.worst)
    }

    fn same_best(&self, other: &Self) -> bool {
        self.best().eq(other.best())
    }

    /// Whether some move is best for both.
    fn shares(&self, other: &Self) -> bool {
        self.best().any(|mv| other.is_best(&mv))
    }

    fn distance(&self, other: &Self) -> f64 {
        (self.value.get() - other.value.get()).abs()
    }

    /// What this choice, any of its best moves being as likely, loses in the eyes of another set.
    fn cost_for(&self, judge: &Self) -> f64 {
        let losses = self.best().map(|mv| judge.value.get() - judge.worth(&mv).get());
        losses.sum::<f64>() / self.decision.best.len().max(1) as f64
    }
}

impl Agreement {
    fn of<G: Game>(variant: &[Opinion<G>], base: &[Opinion<G>]) -> Self {
        let positions = base.len().max(1) as f64;
        let mut sum = Self::default();
        for (one, other) in variant.iter().zip(base) {
            sum.same += u64::from(one.same_best(other));
            sum.shared += u64::from(one.shares(other));
            sum.mean_difference += one.distance(other);
            sum.max_difference = sum.max_difference.max(one.distance(other));
            sum.cost += one.cost_for(other);
        }
        sum.mean_difference /= positions;
        sum.cost /= positions;
        sum
    }
}

/// How positions are searched to compare heuristics: to a fixed depth, which nothing else limits.
pub fn settings_to(settings: &Settings, depth: u8) -> Settings {
    Settings { depth: Some(depth.max(1)), budget: Budget::Off, time_ms: None, ..settings.clone() }
}

/// Who is weighed on what, and how.
#[derive(Clone, Copy, Debug)]
pub struct Weigher<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// How positions are searched: see [`settings_to`].
    pub settings: &'a Settings,
    /// The positions.
    pub suite: &'a Suite<G>,
    /// What is held against what.
    pub variants: &'a Variants,
    /// Disagreements that are listed for each variant.
    pub list: usize,
    /// Threads. They change nothing but the time it takes.
    pub workers: usize,
    /// Set by the user to stop.
    pub interrupt: &'a AtomicBool,
}

/// Searches every position under the base and every variant and holds them against each other. `tell` hears how many of
/// how many searches are done.
///
/// # Errors
/// Weights that the game cannot do with; and an interrupt.
pub fn weigh<G: Game>(
    weighing: &Weigher<'_, G>,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<WeightTable, Fault> {
    let Weigher { game, settings, suite, variants, workers, interrupt, .. } = *weighing;
    let positions = &suite.positions;
    let Variants { base, others, varied, notes } = variants;
    let sets: Vec<_> = std::iter::once(base).chain(others).collect();
    for set in &sets {
        let evaluator = game.evaluator(&set.weights, &positions[0].position);
        evaluator.map_err(|fault| fault.within(&set.name))?;
    }
    let jobs = sets.iter().flat_map(|set| positions.iter().map(move |posed| (set, posed)));
    let jobs: Vec<_> = jobs.collect();
    let opinions = workers::map(
        &jobs,
        workers,
        interrupt,
        |(set, posed), halt| Opinion::of((game, settings), &set.weights, posed, halt),
        &mut |done| tell(done, jobs.len() as u64),
    )?;
    let opinions = opinions.ok_or_else(interrupted)?;
    let columns: Vec<_> = opinions.chunks(positions.len()).collect();
    let rows = others.iter().zip(&columns[1..]);
    let rows = rows.map(|(variant, column)| weighing.row((variant, column), columns[0]));
    let rows: Vec<_> = rows.collect();
    let same = |row: &WeighedVariant| row.agreement.same == positions.len() as u64;
    let mut head = suite.head();
    head.notes.extend(notes.iter().cloned());
    Ok(WeightTable {
        head,
        depth: settings.depth.unwrap_or_default(),
        varied: varied.clone(),
        base: weighing.set(base, columns[0]),
        agree: rows.iter().all(same),
        variants: rows,
        ms: None,
    })
}

/// A set of weights with what it makes of every position.
type Party<'a, G> = (&'a Variant, &'a [Opinion<G>]);

impl<G: Game> Weigher<'_, G> {
    /// What a variant makes of the positions, beside what the base makes of them.
    fn row(&self, (variant, column): Party<'_, G>, of_base: &[Opinion<G>]) -> WeighedVariant {
        let (disagreements, omitted) =
            self.disagreements([(variant, column), (&self.variants.base, of_base)]);
        WeighedVariant {
            set: self.set(variant, column),
            value: variant.value,
            is_base: variant.weights == self.variants.base.weights,
            agreement: Agreement::of(column, of_base),
            disagreements,
            omitted,
            games: None,
        }
    }

    fn set(&self, set: &Variant, column: &[Opinion<G>]) -> WeighedSet {
        let mean = |value: fn(&Opinion<G>) -> Score| {
            let sum: f64 = column.iter().map(|opinion| value(opinion).get()).sum();
            sum / column.len().max(1) as f64
        };
        let best = match (column, self.suite.positions.as_slice()) {
            ([opinion], [posed]) => self.best(posed, opinion),
            _ => Vec::new(),
        };
        WeighedSet {
            name: set.name.clone(),
            weights: set.weights.clone(),
            mean_static: mean(|opinion| opinion.static_value),
            mean_value: mean(|opinion| opinion.value),
            nodes: column.iter().map(|opinion| opinion.decision.counters.nodes).sum(),
            best,
        }
    }

    /// The disagreements of two sets that are listed, and how many more there are.
    fn disagreements(&self, parties: [Party<'_, G>; 2]) -> (Vec<Disagreement>, u64) {
        let [(_, first), (_, second)] = parties;
        let mut places: Vec<_> =
            (0..first.len()).filter(|&place| !first[place].same_best(&second[place])).collect();
        places.sort_by(|&a, &b| {
            let common = |place: usize| first[place].shares(&second[place]);
            let distance = |place: usize| first[place].distance(&second[place]);
            common(a).cmp(&common(b)).then(distance(b).total_cmp(&distance(a)))
        });
        let omitted = places.len().saturating_sub(self.list) as u64;
        places.truncate(self.list);
        let listed = places.into_iter().map(|place| self.disagreement(place, parties));
        (listed.collect(), omitted)
    }

    fn disagreement(&self, place: usize, parties: [Party<'_, G>; 2]) -> Disagreement {
        let posed = &self.suite.positions[place];
        Disagreement {
            position: place as u64 + 1,
            state: self.game.format_position(&posed.position),
            phase: posed.phase.to_owned(),
            comment: posed.comment.clone(),
            choices: parties.map(|(set, opinions)| SetChoice {
                set: set.name.clone(),
                value: opinions[place].value,
                best: self.best(posed, &opinions[place]),
            }),
        }
    }

    fn best(&self, posed: &Posed<G>, opinion: &Opinion<G>) -> Vec<String> {
        opinion.best().map(|mv| self.game.format_move(&posed.position, mv)).collect()
    }
}
