//! Weight sets against each other, at the workbench.

use std::time::Instant;

use super::{Answer, Desk, Pair};
use crate::engine::{
    arena::{self, DuelWish, Player},
    game::{Fault, Game, Weights},
    progress::Unit,
    reply::{SuiteEntry, SuiteReport},
    weighing::{
        self, Posed, Suite, SuiteSource, Variant, WeighedVariant, WeightTable, interrupted,
        settings_to,
    },
};

/// Which weights are held against which.
#[derive(Clone, Copy, Debug)]
pub enum Variants<'a> {
    /// Sets against the first of them.
    Sets(&'a [&'a str]),
    /// Other values of one weight against the set they change.
    Sweep {
        /// The weight.
        weight: &'a str,
        /// Its values.
        values: &'a [f64],
        /// The set.
        base: &'a str,
    },
    /// A set without each of its terms in turn, against the whole.
    Ablate(&'a str),
}

/// What weight sets are compared on, and how.
#[derive(Clone, Copy, Debug)]
pub struct WeighWish<'a> {
    /// The positions; the current one where none are named.
    pub source: Option<SuiteSource<'a>>,
    /// Plies from the root of each search, at least 1.
    pub depth: u8,
    /// Threads. They change nothing but the time it takes.
    pub workers: usize,
    /// Disagreements that are listed with their reasons, for each variant.
    pub list: usize,
    /// The games that variants play against the base besides.
    pub games: Option<DuelWish>,
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

    /// The base, the variants, and what they differ in; notes on what could not be varied.
    fn variants(
        &self,
        variants: Variants<'_>,
    ) -> Answer<(Variant, Vec<Variant>, String, Vec<String>)> {
        let set = |text, what: &str| self.set_or_inline(text).map_err(|fault| fault.about(what));
        Ok(match variants {
            Variants::Sets(names) => {
                let sets = names.iter().zip(0_usize..);
                let sets = sets.map(|(name, nth)| set(name, &nth.to_string()));
                let mut sets = sets.collect::<Answer<Vec<_>>>()?.into_iter();
                let base = sets.next();
                let base = base.ok_or_else(|| Fault::new("there are no sets to compare"))?;
                (base, sets.collect(), "set".to_owned(), Vec::new())
            }
            Variants::Sweep { weight, values, base } => {
                let base = set(base, "base")?;
                let swept = base.sweep(weight, values);
                let swept = swept.map_err(|fault| fault.about("WEIGHT"))?;
                (base, swept, weight.to_owned(), Vec::new())
            }
            Variants::Ablate(base) => {
                let base = set(base, "SET")?;
                let (ablated, notes) = base.ablations(&self.run.searcher.game);
                (base, ablated, "without".to_owned(), notes)
            }
        })
    }

    /// The games of every variant that is not the base itself, against the base.
    fn play_variants(
        &self,
        rows: &mut [WeighedVariant],
        base: &Variant,
        depth: u8,
        wish: &DuelWish,
    ) -> Answer<()> {
        let game = &self.run.searcher.game;
        let settings = settings_to(&self.run.searcher.settings, depth);
        let player = |name, weights: &Weights| Player {
            settings: settings.clone(),
            weights: weights.clone(),
            ..Player::named(game, name)
        };
        let sets: Vec<_> = rows.iter_mut().filter(|row| !row.is_base).collect();
        let total = (sets.len() * 2 * wish.games.div_ceil(2)) as u64;
        let mut done = 0;
        let mut tell = || {
            done += 1;
            self.progress.tell(done, total);
        };
        for row in sets {
            let players = [player("variant", &row.set.weights), player("base", &base.weights)];
            let interrupt = &self.run.interrupt;
            let games = arena::duel(game, &players, &Vec::new(), wish, interrupt, &mut tell)?;
            row.games = Some(games.ok_or_else(interrupted)?);
        }
        Ok(())
    }
}

/// Weight sets against each other. Cache and search under way are not touched.
pub trait Weighing {
    /// The positions of a suite.
    fn suite(&self, source: SuiteSource<'_>) -> Answer<SuiteReport>;
    /// Holds variants of the weights against a base. Faults of a set are about its number, from 0.
    fn weigh(&self, variants: Variants<'_>, wish: &WeighWish<'_>) -> Answer<WeightTable>;
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

    fn weigh(&self, variants: Variants<'_>, wish: &WeighWish<'_>) -> Answer<WeightTable> {
        let since = Instant::now();
        let (base, variants, varied, notes) = self.variants(variants)?;
        let suite = self.suite_of(wish.source)?;
        let settings = settings_to(&self.run.searcher.settings, wish.depth);
        let weighing = weighing::Weigher {
            game: &self.run.searcher.game,
            settings: &settings,
            suite: &suite,
            base: &base,
            variants: &variants,
            varied: &varied,
            list: wish.list,
            workers: wish.workers,
            interrupt: &self.run.interrupt,
        };
        self.progress.begin("comparing", Unit::Searches);
        let weighed = weighing::weigh(&weighing, &mut |done, total| {
            self.progress.tell(done, total);
        });
        self.progress.end();
        let mut table = weighed?;
        if let Some(games) = &wish.games {
            self.progress.begin("playing", Unit::Games);
            let played = self.play_variants(&mut table.variants, &base, wish.depth, games);
            self.progress.end();
            played?;
        }
        table.head.notes.extend(notes);
        table.ms = Some(since.elapsed().as_secs_f64() * 1e3);
        Ok(table)
    }
}
