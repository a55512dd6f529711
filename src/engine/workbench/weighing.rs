//! Weight sets against each other, at the workbench.

use std::time::Instant;

use super::{Answer, Desk, Pair};
use crate::engine::{
    arena::{Player, TournamentSpec},
    game::{Fault, Game, Weights},
    progress::Unit,
    reply::{SuiteEntry, SuiteReport},
    settings::Settings,
    weighing::{self, Posed, Suite, SuiteSource, Variant, Variants, WeightTable, settings_to},
    workers::processors,
};

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
        let weights = self.changed(&self.run.searcher.game.default_weights(), &pairs)?;
        Ok(Variant::named(text, weights))
    }

    pub(super) fn suite_of(&self, source: Option<SuiteSource<'_>>) -> Answer<Suite<G>> {
        let Some(source) = source else {
            return Suite::one(&self.run.searcher.game, &self.now.position, &self.now.history);
        };
        Suite::from_source(&self.run.searcher.game, source).map_err(|fault| match source {
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
            let met = self.play_two(self.game(), &players, &Vec::new(), wish)?;
            let notes = met.notes.iter().map(|note| format!("{}: {note}", row.set.name));
            table.head.notes.extend(notes);
            row.games = met.standings.into_iter().find(|standing| standing.player == 0);
        }
        Ok(())
    }
}

/// Weight sets against each other. Cache and search under way are not touched.
pub trait Weighing {
    /// The positions of a suite.
    fn suite(&self, source: SuiteSource<'_>) -> Answer<SuiteReport>;
    /// Holds variants of the weights against a base. Faults of a set are about its number, from 0.
    fn weigh(&self, wish: &WeighWish<'_>) -> Answer<WeightTable>;
    /// The seed that random choices start from where a command names none.
    fn seed(&self) -> u64;
}

impl<G: Game> Weighing for Desk<G> {
    fn seed(&self) -> u64 {
        self.run.searcher.settings.seed
    }

    fn suite(&self, source: SuiteSource<'_>) -> Answer<SuiteReport> {
        let suite = self.suite_of(Some(source))?;
        let entry = |(posed, position): (&Posed<G>, u64)| SuiteEntry {
            position,
            state: self.run.searcher.game.format_position(&posed.position),
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
}
