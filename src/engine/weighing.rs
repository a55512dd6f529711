//! Heuristics weighed against each other: variants of the weights against a base, over a list of positions.
//!
//! Sets of weights side by side, one weight over a range and each term left out in turn are all lists of [`Variant`]s; the
//! current position is a list of one position. [`weigh`] searches every position under every variant and adds up how far
//! each agrees with the base. Every search has a table of its own, so what it finds depends on the position, the weights and
//! the settings alone, whatever the number of threads.

mod generate;
mod suite;

use std::sync::atomic::AtomicBool;

use serde::{Serialize, Serializer};

pub use generate::generate;
pub use suite::{PhaseCount, Posed, Suite, SuiteHead, SuiteSource};

use super::{
    arena::standings::PlayerStanding,
    game::{Fault, Game, History, Score, Side, Term, Weights},
    memo::Policy,
    searcher::{Decision, Searcher},
    settings::{Budget, Settings},
    workers,
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
    /// Why each prefers its own move; empty where one of the two has all the other's best moves among its own.
    pub why: Vec<Preference>,
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

/// Why a weight set prefers a move to one that the other set prefers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preference {
    /// The set.
    pub set: String,
    /// What the move it prefers leads to.
    pub prefers: Prospect,
    /// What the other move leads to.
    pub to: Prospect,
    /// The heuristic at the end of the one line against that at the end of the other, for the side to move at the root;
    /// empty where the game is over at an end.
    pub terms: Vec<TermGain>,
}

/// A move and what it leads to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prospect {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side to move.
    pub value: Score,
    /// The line that it begins.
    pub line: Vec<String>,
    /// Whether the game is over at its end.
    pub over: bool,
}

/// A term of the heuristic at the end of one line against the end of another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermGain {
    /// The term.
    pub name: String,
    /// How many more of it the side to move has.
    pub count: f64,
    /// That times its weight.
    pub gain: f64,
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

/// The fault of a comparison that the user stopped.
pub fn interrupted() -> Fault {
    Fault::new("the comparison was interrupted").hint("give the command again to start over")
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
    /// Disagreements that are listed with their reasons, for each variant.
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
    let rows = rows.collect::<Result<Vec<_>, Fault>>()?;
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

impl<G: Game> Weigher<'_, G> {
    /// What a variant makes of the positions, beside what the base makes of them.
    fn row(
        &self,
        (variant, column): (&Variant, &[Opinion<G>]),
        of_base: &[Opinion<G>],
    ) -> Result<WeighedVariant, Fault> {
        let parties = [(variant, column), (&self.variants.base, of_base)];
        let (disagreements, omitted) = self.disagreements(parties)?;
        Ok(WeighedVariant {
            set: self.set(variant, column),
            value: variant.value,
            is_base: variant.weights == self.variants.base.weights,
            agreement: Agreement::of(column, of_base),
            disagreements,
            omitted,
            games: None,
        })
    }

    fn set(&self, set: &Variant, column: &[Opinion<G>]) -> WeighedSet {
        let mean = |value: fn(&Opinion<G>) -> Score| {
            let sum: f64 = column.iter().map(|opinion| value(opinion).get()).sum();
            sum / column.len().max(1) as f64
        };
        let best = match (column, self.suite.positions.as_slice()) {
            ([opinion], [posed]) => {
                opinion.best().map(|mv| self.game.format_move(&posed.position, mv)).collect()
            }
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
}

/// A set of weights with what it makes of every position.
type Party<'a, G> = (&'a Variant, &'a [Opinion<G>]);

impl<G: Game> Weigher<'_, G> {
    /// The disagreements of two sets that are listed, and how many more there are.
    fn disagreements(&self, parties: [Party<'_, G>; 2]) -> Result<(Vec<Disagreement>, u64), Fault> {
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
        let job = |&place: &usize, _: &_| self.disagreement(place, parties);
        let listed = workers::map(&places, self.workers, self.interrupt, job, &mut |_| {})?;
        Ok((listed.ok_or_else(interrupted)?, omitted))
    }

    fn disagreement(
        &self,
        place: usize,
        parties: [Party<'_, G>; 2],
    ) -> Result<Disagreement, Fault> {
        let posed = &self.suite.positions[place];
        let format = |mv| self.game.format_move(&posed.position, mv);
        let parties = parties.map(|(set, opinions)| (set, &opinions[place]));
        let [one, two] = parties;
        let mut why = Vec::new();
        for parties in [[one, two], [two, one]] {
            why.extend(self.preference(posed, parties)?);
        }
        Ok(Disagreement {
            position: place as u64 + 1,
            state: self.game.format_position(&posed.position),
            phase: posed.phase.to_owned(),
            comment: posed.comment.clone(),
            choices: parties.map(|(set, opinion)| SetChoice {
                set: set.name.clone(),
                value: opinion.value,
                best: opinion.best().map(format).collect(),
            }),
            why,
        })
    }

    /// Why the first of two sets does not choose what the second chooses, if it does not.
    fn preference(
        &self,
        posed: &Posed<G>,
        [(set, own), (_, others)]: [(&Variant, &Opinion<G>); 2],
    ) -> Result<Option<Preference>, Fault> {
        let Some(refused) = others.best().find(|mv| !own.is_best(mv)) else {
            return Ok(None);
        };
        let chosen = own.best().find(|mv| !others.is_best(mv)).or_else(|| own.best().next());
        let Some(chosen) = chosen else {
            return Ok(None);
        };
        let [chosen, refused] = [chosen, refused].map(|mv| (mv, own.worth(&mv)));
        let (prefers, end) = self.prospect(&set.weights, posed, chosen)?;
        let (to, other_end) = self.prospect(&set.weights, posed, refused)?;
        let terms = if prefers.over || to.over {
            Vec::new()
        } else {
            self.gains(&set.weights, posed, [&end, &other_end])
        };
        Ok(Some(Preference { set: set.name.clone(), prefers, to, terms }))
    }

    /// The line behind a move's value, found without a table, so that nothing cuts it short; and the position at its end.
    fn prospect(
        &self,
        weights: &Weights,
        posed: &Posed<G>,
        (mv, value): (G::Move, Score),
    ) -> Result<(Prospect, G::Position), Fault> {
        let settings = Settings { memo: Some(Policy::None), ..self.settings.clone() };
        let mut searcher = Searcher::new(self.game, &settings, weights)?;
        let (root, mut history) = (&posed.position, posed.history.clone());
        let window = searcher.full_window(root)?.child(self.game);
        let depth = settings.depth.unwrap_or(1).saturating_sub(1);
        history.push(root);
        let mut end = self.game.apply(root, mv);
        let mut words = vec![self.game.format_move(root, mv)];
        let found = searcher.value((&end, &history), depth, Some(window), self.interrupt)?;
        for mv in found.ok_or_else(interrupted)?.line {
            words.push(self.game.format_move(&end, mv));
            history.push(&end);
            end = self.game.apply(&end, mv);
        }
        let prospect = Prospect {
            mv: words[0].clone(),
            value,
            line: words,
            over: self.game.terminal(&end, &history).is_some(),
        };
        Ok((prospect, end))
    }

    /// What the heuristic finds more of at the end of one line than at the end of another.
    fn gains(&self, weights: &Weights, posed: &Posed<G>, ends: [&G::Position; 2]) -> Vec<TermGain> {
        let sign = match self.game.side(&posed.position) {
            Side::White => 1.0,
            Side::Black => -1.0,
        };
        let balance = |term: &Term| sign * (term.white - term.black);
        let [terms, others] = ends.map(|end| self.game.terms(weights, end));
        let gains = terms.into_iter().zip(others).map(|(one, two)| {
            let count = balance(&one) - balance(&two);
            TermGain { count, gain: count * one.weight, name: one.name }
        });
        gains.filter(|term| term.count != 0.0).collect()
    }
}
