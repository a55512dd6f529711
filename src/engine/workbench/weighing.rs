//! Weight sets over suites of positions.

mod reasons;
mod sums;

use std::{ops::ControlFlow, sync::atomic::AtomicBool, time::Instant};

use sums::{head, mean_value, ms, nodes, pairs_of, side_by_side, suite_set};

use super::{Answer, Desk, DuelWish, Weighing, duel::Series};
use crate::engine::{
    arena::{self, Finish},
    game::{Fault, Game, Weights},
    progress::Unit,
    report::{
        AblatedTerm, Ablation, DuelReport, PhaseAgreement, SuiteComparison, SuiteEntry, SuitePair,
        SuiteReport, Sweep, SweepPoint,
    },
    settings::Settings,
    weighing::{Examiner, Opinion, Posed, Source, Suite, interrupted},
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
    /// The games that sets play besides.
    pub games: Option<DuelWish>,
}

/// A weight set with its name.
type Named = (String, Weights);

/// The opinions of one weight set, position by position.
type Column<G> = Vec<Opinion<G>>;

/// A weight set with its opinions.
type Weighed<'a, G> = (&'a Named, &'a Column<G>);

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
        let mut opinions = self.all(&jobs, workers, &|(weights, position), interrupt| {
            examiner.opinion(weights, position, interrupt)
        })?;
        let mut columns = Vec::with_capacity(sets.len());
        while !opinions.is_empty() {
            let rest = opinions.split_off(suite.positions.len().min(opinions.len()));
            columns.push(std::mem::replace(&mut opinions, rest));
        }
        Ok(columns)
    }

    /// Does something to all of them on several cores, and says how far it is; the results in the order of the items.
    fn all<T: Sync, R: Send>(
        &self,
        items: &[T],
        workers: usize,
        work: &(dyn Fn(&T, &AtomicBool) -> Answer<R> + Sync),
    ) -> Answer<Vec<R>> {
        let units: Vec<_> = (0..items.len()).collect();
        let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
        let mut done = 0;
        self.progress.begin("comparing", Unit::Searches);
        let finish = arena::work(
            &units,
            workers,
            &self.interrupt,
            |unit, worker| {
                worker.hand_in(work(&items[unit], worker.interrupt)?);
                Ok(())
            },
            |unit, result| {
                results[unit] = Some(result);
                done += 1;
                self.progress.tell(done, units.len() as u64);
                Ok(ControlFlow::Continue(()))
            },
        );
        self.progress.end();
        if finish? != Finish::Complete {
            return Err(interrupted());
        }
        Ok(results.into_iter().flatten().collect())
    }

    fn examining<T>(
        &self,
        depth: u8,
        work: impl FnOnce(&Examiner<'_, G>) -> Answer<T>,
    ) -> Answer<T> {
        let settings = self.settings_to(depth);
        work(&Examiner {
            game: &self.game,
            settings: &settings,
        })
    }

    /// The games of every two sets, if games are wanted.
    fn games(
        &self,
        examiner: &Examiner<'_, G>,
        parties: &[(&Named, &Named)],
        wish: &SuiteWish<'_>,
    ) -> Answer<Vec<DuelReport>> {
        let Some(wish) = &wish.games else {
            return Ok(Vec::new());
        };
        let mut series = Series::of(parties.len(), wish);
        let duels = parties.iter().map(|((_, first), (_, second))| {
            let players = [
                Self::duellist(examiner.game, "first", examiner.settings, first),
                Self::duellist(examiner.game, "second", examiner.settings, second),
            ];
            self.duel(examiner.game, (&players, &Vec::new()), wish, &mut series)
        });
        duels.collect()
    }

    fn pair(
        &self,
        examiner: &Examiner<'_, G>,
        [first, second]: [Weighed<'_, G>; 2],
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
            self.disagreements(examiner, [first, second], suite, wish)?;
        Ok(SuitePair {
            games: None,
            first: first.0.0.clone(),
            second: second.0.0.clone(),
            agreement: side_by_side(first.1, second.1, |_| true),
            phases,
            disagreements,
            omitted,
        })
    }
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
                    pairs.push(self.pair(examiner, [first, second], &suite, wish)?);
                }
            }
            let parties = pairs_of(&sets);
            for (pair, games) in pairs.iter_mut().zip(self.games(examiner, &parties, wish)?) {
                pair.games = Some(games);
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
                ms: Some(ms(since)),
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
                    games: None,
                    value,
                    is_base: value == own,
                    mean_value: mean_value(column),
                    nodes: nodes(column),
                    agreement: side_by_side(column, &columns[0], |_| true),
                });
            let mut points: Vec<_> = points.collect();
            let others = sets[1..]
                .iter()
                .zip(&points)
                .filter(|(_, point)| !point.is_base);
            let parties: Vec<_> = others.map(|(set, _)| (set, &base)).collect();
            let games = self.games(examiner, &parties, wish)?;
            let others = points.iter_mut().filter(|point| !point.is_base);
            others
                .zip(games)
                .for_each(|(point, games)| point.games = Some(games));
            Ok(Sweep {
                head: head(&suite),
                depth: examiner.settings.depth.unwrap_or(wish.depth),
                weight: weight.to_owned(),
                base: suite_set(&base, &columns[0]),
                points,
                svg: None,
                ms: Some(ms(since)),
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
                    games: None,
                    term: term.clone(),
                    weight: base.1.get(term),
                    mean_value: mean_value(column),
                    nodes: nodes(column),
                    agreement: side_by_side(column, &columns[0], |_| true),
                });
            let mut terms: Vec<_> = terms.collect();
            let parties: Vec<_> = sets[1..].iter().map(|set| (set, &base)).collect();
            for (term, games) in terms.iter_mut().zip(self.games(examiner, &parties, wish)?) {
                term.games = Some(games);
            }
            Ok(Ablation {
                head: head(&suite),
                depth: examiner.settings.depth.unwrap_or(wish.depth),
                base: suite_set(&base, &columns[0]),
                terms,
                svg: None,
                ms: Some(ms(since)),
            })
        })
    }
}
