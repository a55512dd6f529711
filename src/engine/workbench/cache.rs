use std::{collections::BTreeMap, path::Path};

use super::{Answer, Caching, Desk, Filter, Page, Pair, Sort, browse::census};
use crate::engine::{
    cachefile::{Convention, Format},
    game::{Fault, Game, KeyScheme, Keyed, Score},
    memo::{Bound, CleanStep, Entry, Policy, clean},
    report::{
        CacheCleaned, CacheCount, CacheEdit, CacheFile, CacheList, CacheStats, EntryReport,
        Histogram, KeyReport, MemoComparison,
    },
};

/// Where an entry stands, and how the user sees it.
#[derive(Clone, Debug)]
pub(super) struct Place<G: Game> {
    pub(super) at: Keyed<G::Key>,
    /// The keys of other depths, where this one is absent.
    pub(super) others: Vec<String>,
    /// The position it was asked for by, if it was.
    position: Option<G::Position>,
    /// Whether it stands with the sign turned from how that position sees it.
    turned: bool,
}

impl<G: Game> Place<G> {
    /// From how it stands to how the user sees it, and back.
    fn turn(&self, entry: Entry) -> Entry {
        if self.turned {
            Convention::Seed.turn(entry)
        } else {
            entry
        }
    }
}

pub(super) type Stored<G> = (Keyed<<G as Game>::Key>, Entry);

impl<G: Game> Desk<G> {
    /// The position of an entry: what its key stands for, or else what it was written for.
    pub(super) fn position_of(&self, at: Keyed<G::Key>) -> Option<G::Position> {
        self.memo.position(&self.game, at)
    }

    /// Whether an entry is not known to have been written for another position.
    pub(super) fn may_answer(&self, at: Keyed<G::Key>, position: &G::Position) -> bool {
        let told = self.memo.entries().state(at);
        let pack = || self.game.pack(position, self.settings.mode().scheme);
        let other = told.is_some_and(|told| pack().is_some_and(|state| told.contradicts(&state)));
        !other
    }

    pub(super) fn report_entry(&self, (at, entry): Stored<G>) -> EntryReport {
        EntryReport {
            key: self.keyed_text(at),
            state: self
                .position_of(at)
                .map(|position| self.game.format_position(&position)),
            depth: entry.depth,
            value: entry.value,
            alpha: entry.window.map(|window| window.alpha),
            beta: entry.window.map(|window| window.beta),
            bound: entry.bound.map(Bound::name),
            uses: None,
        }
    }

    /// An entry as the user asked for it: by its key, or by a position, whose point of view its values then take.
    fn report_edit(
        &self,
        place: &Place<G>,
        previous: Option<Entry>,
        notes: Vec<String>,
    ) -> CacheEdit {
        let position = place
            .position
            .clone()
            .or_else(|| self.position_of(place.at));
        let state = position
            .as_ref()
            .map(|position| self.game.format_position(position));
        let report = |entry| EntryReport {
            state: state.clone(),
            ..self.report_entry((place.at, place.turn(entry)))
        };
        let board = |ascii| {
            position
                .as_ref()
                .map(|position| self.game.draw(position, ascii))
        };
        CacheEdit {
            key: self.keyed_text(place.at),
            entry: self.memo.entries().get(place.at).map(report),
            previous: previous.map(report),
            board: board(false),
            board_ascii: board(true),
            notes,
            other_keys: place.others.clone(),
            writer: None,
        }
    }

    /// Where the entry a user asks for stands: the depth may be left out where only one is stored.
    pub(super) fn placed(&self, text: &str) -> Answer<Place<G>> {
        let wanted = self.wanted(text)?;
        let turned = self.is_turned(&wanted);
        let place = |at, others| {
            Ok(Place {
                at,
                others,
                turned,
                position: wanted.position.clone(),
            })
        };
        if !self.settings.memo.keys_depth() {
            return place(self.place(wanted.key, 0), Vec::new());
        }
        let stored = self.depths_of(wanted.key);
        let keys = |depths: &[u8]| {
            depths
                .iter()
                .map(|&depth| self.keyed_text(self.place(wanted.key, depth)))
                .collect()
        };
        match (wanted.depth, stored.as_slice()) {
            (Some(depth), _) => {
                let at = self.place(wanted.key, depth);
                let found = self.memo.entries().get(at).is_some();
                place(at, if found { Vec::new() } else { keys(&stored) })
            }
            (None, [depth]) => place(self.place(wanted.key, *depth), Vec::new()),
            (None, []) => place(self.place(wanted.key, 0), Vec::new()),
            (None, several) => {
                let keys: Vec<String> = keys(several);
                Err(
                    Fault::new(format!("`{text}` is stored at {} depths", several.len()))
                        .hint(format!("say which: {}", keys.join(", "))),
                )
            }
        }
    }

    /// The depths at which a key, or the one searches use in its place, is stored.
    fn depths_of(&self, key: G::Key) -> Vec<u8> {
        (0..=u8::MAX)
            .filter(|&depth| self.memo.entries().get(self.place(key, depth)).is_some())
            .collect()
    }

    fn changed_entry(&self, place: &Place<G>, fields: &[Pair<'_>]) -> Answer<Entry> {
        let old = self.memo.entries().get(place.at);
        let policy = self.settings.memo;
        let mut entry = place.turn(old.unwrap_or(self.blank(place.at, policy)?));
        for (name, text) in fields {
            set_field(&mut entry, policy, name, text).map_err(|fault| fault.about(name))?;
        }
        if old.is_none() && !fields.iter().any(|(name, _)| *name == "value") {
            let key = self.keyed_text(place.at);
            return Err(
                Fault::new(format!("there is no entry {key} yet, so it needs a value"))
                    .hint("give value=…"),
            );
        }
        Ok(place.turn(entry))
    }

    /// What a new entry has where nothing is said: the full window, an exact value.
    fn blank(&self, at: Keyed<G::Key>, policy: Policy) -> Answer<Entry> {
        let window = self.full_window(&self.evaluator()?);
        Ok(Entry {
            value: Score::ZERO,
            window: (policy == Policy::Interval).then_some(window),
            bound: matches!(policy, Policy::Bound | Policy::Exact).then_some(Bound::Exact),
            depth: (policy != Policy::Rote).then_some(at.depth),
        })
    }

    /// What a reader of an edited entry should know.
    fn edit_notes(&self, at: Keyed<G::Key>, entry: &Entry) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(key) = self
            .searched_key(at.key)
            .filter(|_| self.settings.mode().scheme == KeyScheme::Canonical)
        {
            let searched = self.keyed_text(Keyed { key, ..at });
            notes.push(format!("with symmetry=on searches look under {searched}: this entry answers only with symmetry=off"));
        }
        if entry
            .window
            .is_some_and(|window| window.alpha >= window.beta)
        {
            notes.push("alpha is not below beta: no window lies inside, so the entry can only widen searches".into());
        }
        notes
    }
}

/// The fields of an entry, as `cache set` names them.
pub const FIELDS: [&str; 5] = ["value", "alpha", "beta", "bound", "depth"];

fn set_field(entry: &mut Entry, policy: Policy, name: &str, text: &str) -> Answer<()> {
    let absent = || {
        Err(Fault::new(format!(
            "an entry of the memo policy `{policy}` has no field `{name}`"
        )))
    };
    match (name, &mut entry.window, policy) {
        ("value", ..) => entry.value = text.parse()?,
        ("alpha", Some(window), _) => window.alpha = text.parse()?,
        ("beta", Some(window), _) => window.beta = text.parse()?,
        ("bound", _, Policy::Bound) => entry.bound = Some(Bound::called(text)?),
        ("depth", _, Policy::Bound) => {
            let fault = || {
                Fault::new(format!("`{text}` is not a depth"))
                    .hint("give a whole number from 0 to 255")
            };
            entry.depth = Some(text.parse().map_err(|_| fault())?);
        }
        _ => return absent(),
    }
    Ok(())
}

impl<G: Game> Caching for Desk<G> {
    fn cache_stats(&self) -> CacheStats {
        let entries = self.memo.entries();
        let mut by_depth: BTreeMap<u8, usize> = BTreeMap::new();
        let mut by_bound: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, entry) in entries.iter() {
            entry
                .depth
                .into_iter()
                .for_each(|depth| *by_depth.entry(depth).or_default() += 1);
            entry
                .bound
                .into_iter()
                .for_each(|bound| *by_bound.entry(bound.name()).or_default() += 1);
        }
        let count = entries.len();
        CacheStats {
            policy: entries.policy().name().into(),
            entries: count,
            bytes: entries.bytes(),
            bytes_per_entry: (count > 0).then(|| entries.bytes() as f64 / count as f64),
            max_size: Some(entries.target()).filter(|&most| most < usize::MAX),
            size: self.settings.max_size.to_string(),
            replace: self.settings.replace().name(),
            evictions: self.counters.evictions,
            collisions: self.settings.verify.then_some(self.counters.collisions),
            hits: self.counters.hits,
            invalid: self.counters.invalid,
            misses: self.counters.misses,
            stores: self.counters.stores,
            by_depth: census(by_depth),
            by_bound: census(by_bound),
            keys: scheme_name(self.settings.mode().scheme),
            weights: self.weights.to_string(),
        }
    }

    fn cache_list(&self, filter: &Filter<'_>, sort: Sort, page: Page) -> Answer<CacheList> {
        self.list_entries(filter, sort, page)
    }

    fn cache_count(&self, filter: &Filter<'_>) -> Answer<CacheCount> {
        self.count_entries(filter)
    }

    fn cache_histogram(&self, filter: &Filter<'_>, buckets: usize) -> Answer<Histogram> {
        self.histogram_of(filter, buckets)
    }

    fn cache_remove_where(&mut self, filter: &Filter<'_>) -> Answer<CacheCleaned> {
        self.remove_entries(filter)
    }

    fn filter_names(&self) -> Vec<&'static str> {
        Self::filter_names()
    }

    fn cache_get(&self, key: &str) -> Answer<CacheEdit> {
        let place = self.placed(key)?;
        let mut report = self.report_edit(&place, None, Vec::new());
        if report.entry.is_some() && self.wanted(key)?.key != place.at.key {
            let shared = self.keyed_text(place.at);
            report.notes.push(format!(
                "stored for its symmetric twins together, under {shared}"
            ));
        }
        Ok(report)
    }

    fn cache_set(&mut self, key: &str, fields: &[Pair<'_>]) -> Answer<CacheEdit> {
        let wanted = self.wanted(key)?;
        if self.settings.memo.keys_depth()
            && wanted.depth.is_none()
            && self.depths_of(wanted.key).len() != 1
        {
            return Err(Fault::new(format!("`{key}` does not say which depth"))
                .hint(format!("write {key}:3 for the entry of depth 3")));
        }
        let place = self.placed(key)?;
        let entry = self.changed_entry(&place, fields)?;
        let previous = self.memo.entries_mut().set(place.at, entry)?;
        let mut notes = self.edit_notes(place.at, &entry);
        notes.extend(self.edited_by_hand());
        Ok(self.report_edit(
            &Place {
                others: Vec::new(),
                ..place
            },
            previous,
            notes,
        ))
    }

    fn cache_remove(&mut self, key: &str) -> Answer<CacheEdit> {
        let place = self.placed(key)?;
        let Some(previous) = self.memo.entries_mut().remove(place.at) else {
            let fault = Fault::new(format!("no entry {}", self.keyed_text(place.at)));
            return Err(match place.others.as_slice() {
                [] => fault,
                others => fault.hint(format!("stored are {}", others.join(", "))),
            });
        };
        let notes = self.edited_by_hand().into_iter().collect();
        Ok(self.report_edit(&place, Some(previous), notes))
    }

    fn cache_clear(&mut self) -> CacheCleaned {
        let removed = self.memo.entries().len();
        self.memo.entries_mut().clear();
        CacheCleaned {
            removed,
            entries: 0,
            steps: Vec::new(),
        }
    }

    fn cache_clean(&mut self, max_size: Option<usize>) -> CacheCleaned {
        let seed = self.settings.as_seed(self.settings.switches.clean);
        let max_size = max_size.unwrap_or(self.memo.entries().target());
        let before = self.memo.entries().len();
        let steps = clean(self.memo.entries_mut(), max_size, seed);
        let words = |step: &CleanStep| step.words(seed);
        let entries = self.memo.entries().len();
        CacheCleaned {
            removed: before - entries,
            entries,
            steps: steps.iter().map(words).collect(),
        }
    }

    fn key(&self, text: Option<&str>) -> Answer<KeyReport> {
        self.report_key(text)
    }

    fn cache_save(
        &self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile> {
        self.save_cache_file(path, format, convention)
    }

    fn cache_load(
        &mut self,
        path: &Path,
        format: Option<Format>,
        convention: Option<Convention>,
    ) -> Answer<CacheFile> {
        self.load_cache_file(path, format, convention)
    }

    fn compare_memos(&self, states: &[&str], depth: u8) -> Answer<MemoComparison> {
        self.memos_compared(states, depth)
    }

    fn complete_keys(&self, prefix: &str, limit: usize) -> Vec<String> {
        /// Completion must not be felt, however large the cache.
        const LOOKED_AT: usize = 100_000;
        let keys = self
            .memo
            .entries()
            .iter()
            .take(LOOKED_AT)
            .map(|(at, _)| self.keyed_text(at));
        keys.filter(|key| key.starts_with(prefix))
            .take(limit)
            .collect()
    }
}

impl CleanStep {
    pub(super) fn words(&self, seed: bool) -> String {
        let Self {
            depth,
            deleted,
            left,
        } = self;
        if seed {
            format!(
                "Increased min_limit to {depth} and deleted {deleted} entries. Cache is now {left} entries big."
            )
        } else {
            format!("{deleted} entries of depth {depth} went, {left} are left")
        }
    }
}

/// The name of a scheme in reports and files.
pub(super) const fn scheme_name(scheme: KeyScheme) -> &'static str {
    match scheme {
        KeyScheme::Plain => "plain",
        KeyScheme::Colour => "colour",
        KeyScheme::Canonical => "canonical",
    }
}
