//! Entries of a file against searches without a cache.

use std::sync::Arc;

use super::{Answer, Desk};
use crate::engine::{
    cachefile::{CacheHeader, Convention, Filed, Loaded},
    game::{Fault, Game, Key, Score},
    memo::{AnyMemo, Bound, Entry, Policy},
    progress::Unit,
    random,
    report::{SampleReport, WrongEntry},
    search::{Fidelity, Plan},
    settings::{Settings, Switch},
};

/// States that the search for one entry may visit; those that need more are passed over.
const STATES: u64 = 300_000;
/// States that all searches of a check may visit: a few seconds.
const ALL_STATES: u64 = 30_000_000;
/// Wrong entries that the report shows.
const SHOWN: usize = 5;
/// Seed 001 searches so deep before it writes a learned value.
const ROTE_DEPTH: u8 = 3;

/// How an entry stands to the value that a search finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    AsStored,
    Turned,
    Either,
    Neither,
}

/// Finds values without a cache, as the file's own search would.
struct Oracle<G: Game> {
    desk: Desk<G>,
    left: u64,
}

impl<G: Game> Oracle<G> {
    /// An oracle under what a file states, or what holds in the session.
    fn new(desk: &Desk<G>, header: &CacheHeader, leaf: Switch) -> Answer<Self> {
        let mut game = desk.game.original();
        for (name, value) in &header.rules {
            game.set_rule(name, value)?;
        }
        let mut settings = Settings {
            fidelity: header.fidelity,
            ..Settings::default()
        };
        for (name, value) in &header.settings {
            // What has no setting of its own is told by its switch.
            settings.set(name, value).ok();
        }
        settings.memo = Policy::None;
        settings.switches.leaf = leaf;
        let mut oracle = Desk::new(game, Arc::clone(&desk.interrupt));
        oracle.memo = AnyMemo::new(Policy::None);
        oracle.settings = settings;
        oracle.configure_memo();
        oracle.weights = header.weights.clone();
        Ok(Self {
            desk: oracle,
            left: ALL_STATES,
        })
    }

    /// The value of a position at a depth; nothing where that takes too long.
    fn value(&mut self, position: &G::Position, depth: u8) -> Answer<Option<Score>> {
        let budget = STATES.min(self.left);
        self.desk.now.position = position.clone();
        let plan = |window| Plan::Value { depth, window };
        let mut running = self.desk.prepare(plan, Some(budget))?;
        let halt = self.desk.run_through(&mut running);
        if halt == crate::engine::search::Stop::Interrupt {
            return Err(Fault::new("interrupted: nothing was changed"));
        }
        self.left -= budget.min(running.search.counters.nodes);
        Ok(running.search.value())
    }
}

impl<G: Game> Desk<G> {
    /// Searches a sample of a file's entries again. The notes say what the numbers mean.
    pub(super) fn search_again(
        &self,
        loaded: &Loaded<G::Key>,
        sample: usize,
    ) -> Answer<(SampleReport, Vec<String>)> {
        let header = loaded.header.clone().unwrap_or_else(|| self.header());
        let as_seed = match &loaded.header {
            Some(header) => header.settings.iter().any(|(name, _)| name == "leaf"),
            None => true,
        };
        let switch = |seed| if seed { Switch::Seed } else { Switch::Sound };
        let mut oracle = Oracle::new(self, &header, switch(as_seed))?;
        let mut other = Oracle::new(self, &header, switch(!as_seed))?;
        let mut report = SampleReport::default();
        let mut otherwise = 0;
        let sample = chosen(loaded, sample, self.settings.seed);
        let total = sample.len() as u64;
        self.watching("searching", Unit::Searches, |watch| {
            for (done, filed) in sample.into_iter().enumerate() {
                watch.tick(done as u64, total)?;
                let found = self.standing(filed, loaded.policy, &mut oracle)?;
                let Some((mut standing, value)) = found else {
                    report.passed_over += 1;
                    continue;
                };
                if standing == Standing::Neither
                    && loaded.header.is_none()
                    && let Some((found, _)) = self.standing(filed, loaded.policy, &mut other)?
                    && found != Standing::Neither
                {
                    standing = found;
                    otherwise += 1;
                }
                self.count(&mut report, standing, filed, value, loaded.policy);
            }
            Ok(())
        })?;
        report.convention = convention(&report, loaded.policy).map(|found| found.name().to_owned());
        let notes = notes(&report, loaded, &header, otherwise);
        Ok((report, notes))
    }

    fn standing(
        &self,
        (at, entry): Filed<G::Key>,
        policy: Policy,
        oracle: &mut Oracle<G>,
    ) -> Answer<Option<(Standing, Score)>> {
        let Some(position) = self.game.decode(at.key) else {
            return Ok(None);
        };
        let depth = match policy {
            Policy::Rote => ROTE_DEPTH,
            _ => entry.depth.unwrap_or(at.depth),
        };
        let value = oracle.value(&position, depth)?;
        Ok(value.map(|value| (judge(&entry, value, policy), value)))
    }

    fn count(
        &self,
        report: &mut SampleReport,
        standing: Standing,
        filed: Filed<G::Key>,
        searched: Score,
        policy: Policy,
    ) {
        report.searched += 1;
        *match standing {
            Standing::AsStored => &mut report.as_stored,
            Standing::Turned => &mut report.turned,
            Standing::Either => &mut report.either,
            Standing::Neither => &mut report.neither,
        } += 1;
        let wrong = matches!(standing, Standing::Turned | Standing::Neither);
        if wrong && policy != Policy::Rote && report.wrong.len() < SHOWN {
            report.wrong.push(WrongEntry {
                entry: self.filed(filed, policy),
                searched,
            });
        }
    }
}

/// So many entries of a file, one out of each of as many parts of equal length; the seed decides which.
fn chosen<K: Key>(loaded: &Loaded<K>, wanted: usize, seed: u64) -> Vec<Filed<K>> {
    let entries = loaded.memo.entries();
    let parts = wanted.min(entries.len());
    let start = |part: usize| (part as u128 * entries.len() as u128 / parts as u128) as usize;
    let places = (0..parts).map(|part| {
        let number = random::mixed(&[seed, part as u64]);
        start(part) + random::one_of(number, start(part + 1) - start(part))
    });
    places.filter_map(|place| entries.nth(place)).collect()
}

fn judge(entry: &Entry, value: Score, policy: Policy) -> Standing {
    let turned = Convention::Seed.turn(*entry);
    let (as_stored, turned) = if policy == Policy::Rote {
        // A learned value rests on others that were learned before: only its sign can be compared.
        let sign = entry.value.get() * value.get();
        (sign >= 0.0, sign <= 0.0)
    } else {
        (agrees(entry, value), agrees(&turned, value))
    };
    match (as_stored, turned) {
        (true, true) => Standing::Either,
        (true, false) => Standing::AsStored,
        (false, true) => Standing::Turned,
        (false, false) => Standing::Neither,
    }
}

/// Whether an entry is true of a position with this value.
fn agrees(entry: &Entry, value: Score) -> bool {
    match entry.bound {
        None | Some(Bound::Exact) => value == entry.value,
        Some(Bound::Lower) => value >= entry.value,
        Some(Bound::Upper) => value <= entry.value,
    }
}

/// Which convention the numbers speak for; nothing where they do not tell.
fn convention(report: &SampleReport, policy: Policy) -> Option<Convention> {
    let decided = report.as_stored + report.turned;
    let doubtful = report.neither * 2 > report.searched;
    // A rote value's sign may differ for other reasons too.
    let tolerated = if policy == Policy::Rote {
        decided / 10
    } else {
        0
    };
    match (report.as_stored, report.turned) {
        _ if decided == 0 || doubtful => None,
        (_, turned) if turned <= tolerated => Some(Convention::Relative),
        _ => Some(Convention::Seed),
    }
}

fn notes<K: Key>(
    report: &SampleReport,
    loaded: &Loaded<K>,
    header: &CacheHeader,
    otherwise: u64,
) -> Vec<String> {
    let mut notes = Vec::new();
    if loaded.header.is_none() && report.searched > 0 {
        notes.push(format!(
            "the file states neither weights nor rules: searched with those of the session, weights {}",
            header.weights
        ));
    }
    if otherwise > 0 {
        notes.push(format!(
            "{otherwise} of them are right only where the end of the game goes before the heuristic (defect D5 mended)"
        ));
    }
    if loaded.policy == Policy::Rote && report.searched > 0 {
        notes.push(format!(
            "learned values rest on others that were learned before: only signs are compared, with searches of depth {ROTE_DEPTH}"
        ));
    }
    if report.neither > 0 && loaded.policy != Policy::Rote {
        notes.push(
            "entries that are wrong either way come of other weights, rules or settings, of damage or of an edit"
                .to_owned(),
        );
    }
    match report.convention.as_deref() {
        Some("seed") if loaded.header.is_none() => notes.push(
            "values of positions that black was to move in are negated (defect D2): the convention `seed`".to_owned(),
        ),
        Some("relative") if loaded.header.is_none() => notes.push(
            "all values are those of the side to move: the convention `relative`, or a file of searches for white only"
                .to_owned(),
        ),
        _ => {}
    }
    if header.fidelity == Fidelity::Seed && loaded.policy == Policy::Bound && report.neither > 0 {
        notes.push(
            "with reuse=deeper an entry may stem from a deeper one (defects D13 and D14)"
                .to_owned(),
        );
    }
    notes
}
