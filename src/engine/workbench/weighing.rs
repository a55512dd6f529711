//! Weight sets over suites of positions.

use std::{sync::atomic::Ordering::Relaxed, time::Instant};

use super::{Answer, Desk, Weighing};
use crate::engine::{
    game::{Fault, Game, Score, Term, Weights},
    parallel,
    progress::Unit,
    report::{
        AblatedTerm, Ablation, Agreement, Choice, Disagreement, PhaseAgreement, PhaseCount,
        Preference, Prospect, SuiteComparison, SuiteEntry, SuiteHead, SuitePair, SuiteReport,
        SuiteSet, Sweep, SweepPoint, TermGain,
    },
    settings::Settings,
    weighing::{Examiner, Opinion, Posed, Source, Suite, Variation, agreement, share},
};

/// What weight sets are compared on, and how.
#[derive(Clone, Copy, Debug)]
pub struct SuiteWish<'a> {
    /// The positions.
    pub source: Source<'a>,
    /// Plies from the root of each search, at least 1.
    pub depth: u8,
    /// Threads. They change nothing but the time it takes.
    pub workers: usize,
    /// Disagreements that are listed with their reasons, for each two sets.
    pub list: usize,
}

/// A weight set with its name.
type Named = (String, Weights);

/// The opinions of one weight set, position by position.
type Column<G> = Vec<Opinion<G>>;

/// Two weight sets with what they make of a position.
type Parties<'a, G> = [(&'a Named, &'a Opinion<G>); 2];

impl<G: Game> Desk<G> {
    fn suite_of(&self, source: Source<'_>) -> Answer<Suite<G>> {
        Suite::from_source(&self.game, source).map_err(|fault| match source {
            Source::File(_) => fault.about("suite"),
            Source::Standard | Source::Random { .. } => fault,
        })
    }

    /// The settings for searches of so many plies, which nothing else limits.
    fn settings_to(&self, depth: u8) -> Settings {
        Settings {
            depth: Some(depth.max(1)),
            time_ms: None,
            ..self.settings.clone()
        }
    }

    /// What each of the weight sets makes of each position.
    fn columns(
        &self,
        examiner: &Examiner<'_, G>,
        sets: &[Named],
        suite: &Suite<G>,
        workers: usize,
    ) -> Answer<Vec<Column<G>>> {
        for (name, weights) in sets {
            let first = &suite.positions[0].position;
            let checked = self.game.evaluator(weights, first);
            checked.map_err(|fault| Fault {
                message: format!("{name}: {}", fault.message),
                ..fault
            })?;
        }
        let jobs = sets.iter().flat_map(|(_, weights)| {
            let positions = suite.positions.iter();
            positions.map(move |posed| (weights, &posed.position))
        });
        let jobs: Vec<_> = jobs.collect();
        let mut opinions = self.all(&jobs, workers, &|(weights, position)| {
            examiner.opinion(weights, position)
        })?;
        let mut columns = Vec::with_capacity(sets.len());
        while !opinions.is_empty() {
            let rest = opinions.split_off(suite.positions.len().min(opinions.len()));
            columns.push(std::mem::replace(&mut opinions, rest));
        }
        Ok(columns)
    }

    /// Does something to all of them on several cores, and says how far it is.
    fn all<T: Sync, R: Send>(
        &self,
        items: &[T],
        workers: usize,
        work: &(dyn Fn(&T) -> Answer<R> + Sync),
    ) -> Answer<Vec<R>> {
        let (progress, total) = (&self.progress, items.len() as u64);
        progress.begin("comparing", Unit::Searches);
        let results = parallel::map(items, workers, &|done| progress.tell(done, total), work);
        progress.end();
        results
    }

    fn examining<T>(
        &self,
        depth: u8,
        work: impl FnOnce(&Examiner<'_, G>) -> Answer<T>,
    ) -> Answer<T> {
        self.interrupt.store(false, Relaxed);
        let settings = self.settings_to(depth);
        work(&Examiner {
            game: &self.game,
            settings: &settings,
            stop: &self.interrupt,
        })
    }

    /// The disagreements of two sets that are listed, and how many more there are.
    fn disagreements(
        &self,
        examiner: &Examiner<'_, G>,
        (first, second): ((&Named, &Column<G>), (&Named, &Column<G>)),
        suite: &Suite<G>,
        wish: &SuiteWish<'_>,
    ) -> Answer<(Vec<Disagreement>, u64)> {
        let distance = |place: usize| {
            let (one, two) = (&first.1[place], &second.1[place]);
            (one.value.get() - two.value.get()).abs()
        };
        let differing = |place: &usize| first.1[*place].best != second.1[*place].best;
        let mut places: Vec<_> = (0..suite.positions.len()).filter(differing).collect();
        places.sort_by(|&a, &b| {
            let common = |place: usize| share(&first.1[place], &second.1[place]);
            let order = common(a).cmp(&common(b));
            order.then(distance(b).total_cmp(&distance(a)))
        });
        let omitted = places.len().saturating_sub(wish.list);
        places.truncate(wish.list);
        let listed = self.all(&places, wish.workers, &|&place| {
            let parties = [(first.0, &first.1[place]), (second.0, &second.1[place])];
            self.disagreement(examiner, &suite.positions[place], place, parties)
        })?;
        Ok((listed, omitted as u64))
    }

    fn disagreement(
        &self,
        examiner: &Examiner<'_, G>,
        posed: &Posed<G>,
        place: usize,
        parties: Parties<'_, G>,
    ) -> Answer<Disagreement> {
        let name = |mv| self.game.format_move(&posed.position, mv);
        let choices = parties.map(|((set, _), opinion)| Choice {
            set: set.clone(),
            value: opinion.value,
            best: opinion.best_moves().map(name).collect(),
        });
        let [one, two] = parties;
        let why = [[one, two], [two, one]].map(|parties| self.preference(examiner, posed, parties));
        let why = why.into_iter().filter_map(Result::transpose);
        Ok(Disagreement {
            position: place as u64 + 1,
            state: self.game.format_position(&posed.position),
            phase: posed.phase.to_owned(),
            comment: posed.comment.clone(),
            choices: choices.into(),
            why: why.collect::<Answer<_>>()?,
        })
    }

    /// Why the first of two sets does not choose what the second chooses, if it does not.
    fn preference(
        &self,
        examiner: &Examiner<'_, G>,
        posed: &Posed<G>,
        [((set, weights), own), (_, others)]: Parties<'_, G>,
    ) -> Answer<Option<Preference>> {
        let moves = || own.moves.iter().zip(own.best.iter().zip(&others.best));
        let is = |wanted: [bool; 2]| {
            moves().find_map(|(mv, best)| (best == (&wanted[0], &wanted[1])).then_some(*mv))
        };
        let Some(refused) = is([false, true]) else {
            return Ok(None);
        };
        let Some(chosen) = is([true, false]).or_else(|| is([true, true])) else {
            return Ok(None);
        };
        let root = &posed.position;
        let lines = [chosen, refused].map(|(mv, _)| examiner.variation(weights, root, mv));
        let [chosen_line, refused_line] = lines;
        let (chosen_line, refused_line) = (chosen_line?, refused_line?);
        let prospect = |(mv, value): (G::Move, Score), line: &Variation<G>| Prospect {
            mv: self.game.format_move(root, mv),
            value,
            line: self.line(root, &line.moves),
            over: line.over,
        };
        Ok(Some(Preference {
            set: set.clone(),
            prefers: prospect(chosen, &chosen_line),
            to: prospect(refused, &refused_line),
            terms: self.gains(weights, root, &chosen_line, &refused_line),
        }))
    }

    /// What the heuristic finds more of at the end of one line than at the end of another.
    fn gains(
        &self,
        weights: &Weights,
        root: &G::Position,
        line: &Variation<G>,
        other: &Variation<G>,
    ) -> Vec<TermGain> {
        if line.over || other.over {
            return Vec::new();
        }
        let sign = match self.game.side(root) {
            crate::engine::game::Side::White => 1.0,
            crate::engine::game::Side::Black => -1.0,
        };
        let balance = |term: &Term| sign * (term.white - term.black);
        let terms = |line: &Variation<G>| self.game.terms(weights, &line.end);
        let gains = terms(line).into_iter().zip(terms(other)).map(|(one, two)| {
            let count = balance(&one) - balance(&two);
            TermGain {
                count,
                gain: count * one.weight,
                name: one.name,
            }
        });
        gains.filter(|term| term.count != 0.0).collect()
    }

    fn pair(
        &self,
        examiner: &Examiner<'_, G>,
        (first, second): ((&Named, &Column<G>), (&Named, &Column<G>)),
        suite: &Suite<G>,
        wish: &SuiteWish<'_>,
    ) -> Answer<SuitePair> {
        let phases = head(suite).phases.into_iter().map(|phase| {
            let of_phase = |place: usize| suite.positions[place].phase == phase.phase;
            PhaseAgreement {
                agreement: side_by_side(first.1, second.1, of_phase),
                phase: phase.phase,
            }
        });
        let phases = phases.collect();
        let (disagreements, omitted) =
            self.disagreements(examiner, (first, second), suite, wish)?;
        Ok(SuitePair {
            first: first.0.0.clone(),
            second: second.0.0.clone(),
            agreement: side_by_side(first.1, second.1, |_| true),
            phases,
            disagreements,
            omitted,
        })
    }
}

/// How far two sets agree on the positions at the places that count.
fn side_by_side<G: Game>(
    first: &Column<G>,
    second: &Column<G>,
    counts: impl Fn(usize) -> bool,
) -> Agreement {
    let both = first.iter().zip(second).enumerate();
    let counted = both.filter(|(place, _)| counts(*place));
    agreement(counted.map(|(place, (one, two))| (place as u64 + 1, one, two)))
}

fn head<G: Game>(suite: &Suite<G>) -> SuiteHead {
    let mut phases: Vec<PhaseCount> = Vec::new();
    for posed in &suite.positions {
        match phases.iter_mut().find(|known| known.phase == posed.phase) {
            Some(known) => known.positions += 1,
            None => phases.push(PhaseCount {
                phase: posed.phase.to_owned(),
                positions: 1,
            }),
        }
    }
    SuiteHead {
        suite: suite.name.clone(),
        positions: suite.positions.len() as u64,
        phases,
        notes: suite.notes.clone(),
    }
}

fn mean_value<G: Game>(column: &Column<G>) -> f64 {
    let sum: f64 = column.iter().map(|opinion| opinion.value.get()).sum();
    sum / column.len().max(1) as f64
}

fn nodes<G: Game>(column: &Column<G>) -> u64 {
    column.iter().map(|opinion| opinion.nodes).sum()
}

fn suite_set<G: Game>((name, weights): &Named, column: &Column<G>) -> SuiteSet {
    SuiteSet {
        name: name.clone(),
        weights: weights
            .iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        mean_value: mean_value(column),
        nodes: nodes(column),
    }
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

impl<G: Game> Weighing for Desk<G> {
    fn seed(&self) -> u64 {
        self.settings.seed
    }

    fn suite(&self, source: Source<'_>) -> Answer<SuiteReport> {
        let suite = self.suite_of(source)?;
        let entry = |(posed, position): (&Posed<G>, u64)| SuiteEntry {
            position,
            state: self.game.format_position(&posed.position),
            phase: posed.phase.to_owned(),
            comment: posed.comment.clone(),
        };
        Ok(SuiteReport {
            head: head(&suite),
            file: None,
            entries: suite.positions.iter().zip(1..).map(entry).collect(),
        })
    }

    fn compare_on_suite(&self, sets: &[&str], wish: &SuiteWish<'_>) -> Answer<SuiteComparison> {
        let since = Instant::now();
        let read = |(nth, set): (usize, &&str)| {
            let named = self.set_or_inline(set);
            named.map_err(|fault| fault.about(&nth.to_string()))
        };
        let sets: Vec<_> = sets.iter().enumerate().map(read).collect::<Answer<_>>()?;
        let suite = self.suite_of(wish.source)?;
        self.examining(wish.depth, |examiner| {
            let columns = self.columns(examiner, &sets, &suite, wish.workers)?;
            let all: Vec<_> = sets.iter().zip(&columns).collect();
            let mut pairs = Vec::new();
            for (place, &first) in all.iter().enumerate() {
                for &second in &all[place + 1..] {
                    pairs.push(self.pair(examiner, (first, second), &suite, wish)?);
                }
            }
            let value = |opinion: &Opinion<G>| (!opinion.decided).then_some(opinion.value);
            let values =
                |place: usize| columns.iter().map(|column| value(&column[place])).collect();
            Ok(SuiteComparison {
                head: head(&suite),
                depth: examiner.settings.depth.unwrap_or(wish.depth),
                sets: all
                    .iter()
                    .map(|(set, column)| suite_set(set, column))
                    .collect(),
                pairs,
                values: (0..suite.positions.len()).map(values).collect(),
                svg: None,
                ms: ms(since),
            })
        })
    }

    fn sweep(
        &self,
        weight: &str,
        values: &[f64],
        base: &str,
        wish: &SuiteWish<'_>,
    ) -> Answer<Sweep> {
        let since = Instant::now();
        let base = self
            .set_or_inline(base)
            .map_err(|fault| fault.about("base"))?;
        let suite = self.suite_of(wish.source)?;
        let mut sets = vec![base.clone()];
        for &value in values {
            let mut weights = base.1.clone();
            weights
                .set(weight, value)
                .map_err(|fault| fault.about("WEIGHT"))?;
            sets.push((format!("{weight}={value}"), weights));
        }
        let own = base.1.get(weight);
        self.examining(wish.depth, |examiner| {
            let columns = self.columns(examiner, &sets, &suite, wish.workers)?;
            let points = values
                .iter()
                .zip(&columns[1..])
                .map(|(&value, column)| SweepPoint {
                    value,
                    is_base: value == own,
                    mean_value: mean_value(column),
                    nodes: nodes(column),
                    agreement: side_by_side(column, &columns[0], |_| true),
                });
            Ok(Sweep {
                head: head(&suite),
                depth: examiner.settings.depth.unwrap_or(wish.depth),
                weight: weight.to_owned(),
                base: suite_set(&base, &columns[0]),
                points: points.collect(),
                svg: None,
                ms: ms(since),
            })
        })
    }

    fn ablate(&self, base: &str, wish: &SuiteWish<'_>) -> Answer<Ablation> {
        let since = Instant::now();
        let base = self
            .set_or_inline(base)
            .map_err(|fault| fault.about("SET"))?;
        let mut suite = self.suite_of(wish.source)?;
        let first = suite.positions[0].position.clone();
        let mut sets = vec![base.clone()];
        for (term, _) in base.1.iter().filter(|(_, weight)| *weight != 0.0) {
            let mut weights = base.1.clone();
            weights.set(term, 0.0)?;
            match self.game.evaluator(&weights, &first) {
                Ok(_) => sets.push((term.to_owned(), weights)),
                Err(fault) => suite
                    .notes
                    .push(format!("{term} cannot be left out: {}", fault.message)),
            }
        }
        self.examining(wish.depth, |examiner| {
            let columns = self.columns(examiner, &sets, &suite, wish.workers)?;
            let terms = sets[1..]
                .iter()
                .zip(&columns[1..])
                .map(|((term, _), column)| AblatedTerm {
                    term: term.clone(),
                    weight: base.1.get(term),
                    mean_value: mean_value(column),
                    nodes: nodes(column),
                    agreement: side_by_side(column, &columns[0], |_| true),
                });
            Ok(Ablation {
                head: head(&suite),
                depth: examiner.settings.depth.unwrap_or(wish.depth),
                base: suite_set(&base, &columns[0]),
                terms: terms.collect(),
                svg: None,
                ms: ms(since),
            })
        })
    }
}
