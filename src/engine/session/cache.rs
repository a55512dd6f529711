//! The cache: how users name entries, reading and editing them, looking through them by conditions, and the cache as a whole.

mod reply;

use std::{cell::OnceCell, cmp::Reverse, ops::Range};

use super::{
    Pair, Session,
    entry_text::{key_text, split_depth},
};

use crate::engine::{
    cachefile::Convention,
    expression::{self, Condition, Facts, Type, Vocabulary},
    game::{Fault, Game, KeyScheme, Keyed, Result, Rules, Score, Side, Window},
    search::hash_move_of,
    table::{Bound, CleanStep, Entries, Entry, HashMove, Policy},
};
pub use reply::*;

pub(super) type Stored<G> = (Keyed<<G as Rules>::Key>, Entry);

/// The fields of an entry, as `cache set` names them.
pub const FIELDS: [&str; 6] = ["value", "alpha", "beta", "bound", "depth", "best"];

/// A key as a user gave it, or made of the position that a user gave.
#[derive(Clone, Debug)]
pub(super) struct Wanted<G: Game> {
    /// The key.
    pub(super) key: G::Key,
    /// The depth, where one was given.
    pub(super) depth: Option<u8>,
    /// The position, where one was given in place of a key.
    pub(super) position: Option<G::Position>,
}

/// The place in the table of the entry that a user asks for.
#[derive(Clone, Debug)]
pub(super) struct EntryPlace<G: Game> {
    pub(super) at: Keyed<G::Key>,
    /// If there is no entry here: the keys of other depths under which there is one.
    others: Vec<String>,
    wanted: Wanted<G>,
    /// Whether the table stores values negated for the position asked for (defect D2).
    turned: bool,
}

impl<G: Game> EntryPlace<G> {
    /// Converts between the entry as stored and as the user sees it, in either direction.
    fn turn(&self, entry: Entry) -> Entry {
        if self.turned { Convention::Seed.turn(entry) } else { entry }
    }
}

/// A position that has a name, what lies before it, and its remaining depth where it is that of a frame.
type Spot<G> = (<G as Rules>::Position, <G as Rules>::History, Option<u8>);

impl<G: Game> Session<G> {
    /// The position with this name, if it is one: `root` is the game's position, `frame` that of the selected frame (the
    /// current node if none is selected), and `here` means `frame` if a frame is selected, otherwise `root`.
    fn spot(&self, name: &str) -> Result<Option<Spot<G>>> {
        let selected = self.run.running.as_ref().and_then(|running| running.selected);
        let of_frame = match name {
            "root" => false,
            "frame" => true,
            "here" => selected.is_some(),
            _ => return Ok(None),
        };
        if !of_frame {
            return Ok(Some((self.now.position.clone(), self.now.history.clone(), None)));
        }
        let running = self.run.under_way()?;
        let ply = running.selected_ply();
        let frame = &running.search.frames()[ply];
        Ok(Some((frame.position.clone(), running.search.history_at(ply), Some(frame.depth))))
    }

    /// A position by its name, or in the game's notation.
    pub(super) fn position_called(&self, text: &str) -> Result<G::Position> {
        match self.spot(text)? {
            Some((position, ..)) => Ok(position),
            None => self.read_position(text),
        }
    }

    /// A key as users see it: followed by the depth if the memo policy keeps one per depth.
    pub(super) fn keyed_text(&self, at: Keyed<G::Key>) -> String {
        key_text(self.game(), self.settings().memo(), at)
    }

    /// Reads `KEY`, `here`, `frame`, `root` or a position, optionally followed by `:DEPTH`.
    pub(super) fn wanted(&self, text: &str) -> Result<Wanted<G>> {
        let (body, depth) = split_depth(text.trim())?;
        let spot = match self.spot(body)? {
            None if body.contains(['/', '(']) => {
                Some((self.read_position(body)?, G::History::default(), None))
            }
            spot => spot,
        };
        let Some((position, history, own)) = spot else {
            let key = self.game().parse_key(body).map_err(|fault| self.explain_keys(fault))?;
            return Ok(Wanted { key, depth, position: None });
        };
        let (depth, scheme) = (depth.or(own), self.settings().mode().scheme);
        let key = self.game().node_key(&position, &history, scheme, depth.unwrap_or(0));
        Ok(Wanted { key, depth, position: Some(position) })
    }

    fn explain_keys(&self, fault: Fault) -> Fault {
        let before = fault.hint.as_ref().map_or(String::new(), |hint| format!("{hint}; "));
        let key = self.game().key(&self.now.position, KeyScheme::Colour);
        let sample = self.keyed_text(Keyed { key, depth: 3 });
        fault.hint(format!(
            "{before}a key looks like `{sample}`, `here:3` is the position at hand, `frame` the selected frame"
        ))
    }

    /// The place of a key's entry: under this very key, or else under the key that searches use for its position.
    pub(super) fn place(&self, key: G::Key, depth: u8) -> Keyed<G::Key> {
        let exact = Keyed { key, depth };
        let known = |at: &Keyed<G::Key>| self.entries().get(*at).is_some();
        if known(&exact) {
            return exact;
        }
        let searched = self.searched_key(key).map(|key| Keyed { key, depth });
        searched.filter(known).unwrap_or(exact)
    }

    /// The key that searches use for the position of a key, if it is a different one.
    pub(super) fn searched_key(&self, key: G::Key) -> Option<G::Key> {
        let (game, here) = (self.game(), &self.now.position);
        let scheme = self.settings().mode().scheme;
        let searched = if game.key(here, KeyScheme::Colour) == key {
            game.key(here, scheme)
        } else if scheme == KeyScheme::Canonical {
            game.key(&game.decode(key)?, scheme)
        } else {
            return None;
        };
        (searched != key).then_some(searched)
    }

    /// Finds the entry a user asks for. The depth may be omitted if only one is stored.
    pub(super) fn placed(&self, text: &str) -> Result<EntryPlace<G>> {
        let wanted = self.wanted(text)?;
        let keyed = self.settings().memo().keys_depth();
        let place = |depth: u8| self.place(wanted.key, depth);
        let is_stored = |depth: &u8| self.entries().get(place(*depth)).is_some();
        let stored: Vec<u8> =
            if keyed { (0..=u8::MAX).filter(is_stored).collect() } else { Vec::new() };
        let names = || stored.iter().map(|&depth| self.keyed_text(place(depth))).collect();
        let depth = match (wanted.depth.filter(|_| keyed), stored.as_slice()) {
            (Some(depth), _) | (None, &[depth]) => depth,
            (None, []) => 0,
            (None, several) => {
                let names: Vec<String> = names();
                return Err(Fault::new(format!("`{text}` is stored at {} depths", several.len()))
                    .about_word(text)
                    .hint(format!("say which: {}", names.join(", "))));
            }
        };
        let at = place(depth);
        let others = if stored.contains(&depth) { Vec::new() } else { names() };
        let is_black = |position| self.game().side(position) == Side::Black;
        let turned =
            self.settings().mode().negate_black && wanted.position.as_ref().is_some_and(is_black);
        Ok(EntryPlace { at, others, wanted, turned })
    }

    /// That there is no entry at a place.
    pub(super) fn absent(&self, place: &EntryPlace<G>) -> Fault {
        let fault = Fault::new(format!("no entry {}", self.keyed_text(place.at)));
        match place.others.as_slice() {
            [] => fault.hint("`cache list` shows what there is"),
            others => fault.hint(format!("stored are {}", others.join(", "))),
        }
    }

    /// The position of an entry: decoded from its key, or else the one kept beside it.
    pub(super) fn position_of(&self, at: Keyed<G::Key>) -> Option<G::Position> {
        self.run.searcher.table.position(self.game(), at)
    }

    /// The position that the user named an entry by, or else the one that the entry tells.
    fn position_at(&self, place: &EntryPlace<G>) -> Option<G::Position> {
        place.wanted.position.clone().or_else(|| self.position_of(place.at))
    }

    /// Whether an entry may belong to a position: `false` if it is known to have been stored for another one.
    pub(super) fn may_answer(&self, at: Keyed<G::Key>, position: &G::Position) -> bool {
        let Some(told) = self.entries().state(at) else {
            return true;
        };
        let state = self.game().pack(position, self.settings().mode().scheme);
        state.is_none_or(|state| !told.contradicts(&state))
    }

    /// An entry as it is stored.
    pub(super) fn report_entry(&self, stored: Stored<G>) -> EntryReport {
        self.report_entry_of(stored, self.position_of(stored.0).as_ref())
    }

    fn report_entry_of(
        &self,
        (at, entry): Stored<G>,
        position: Option<&G::Position>,
    ) -> EntryReport {
        let best = position.zip(entry.best).map(|(position, best)| self.marked(position, best));
        EntryReport {
            key: self.keyed_text(at),
            state: position.map(|position| self.game().format_position(position)),
            best: best.unwrap_or_default(),
            depth: entry.depth,
            value: entry.value,
            window: entry.window,
            bound: entry.bound.map(Bound::name),
            uses: None,
        }
    }

    /// An entry as the user asked for it: asked for by a position, its values are from that position's point of view.
    fn report_edit(
        &self,
        place: &EntryPlace<G>,
        previous: Option<Entry>,
        notes: Vec<String>,
    ) -> CacheEdit {
        let position = self.position_at(place);
        let report = |entry| self.report_entry_of((place.at, place.turn(entry)), position.as_ref());
        let entry = self.entries().get(place.at).map(report);
        CacheEdit {
            key: self.keyed_text(place.at),
            other_keys: if entry.is_none() { place.others.clone() } else { Vec::new() },
            entry,
            previous: previous.map(report),
            board: position.map(|position| self.game().draw(&position)),
            notes,
            writer: None,
        }
    }

    /// The entry with some fields changed. A new one starts with the full window and an exact value.
    fn changed_entry(&self, place: &EntryPlace<G>, fields: &[Pair<'_>]) -> Result<Entry> {
        let policy = self.settings().memo();
        let full = self.game().full_window(&self.evaluator()?);
        let old = self.entries().get(place.at);
        let mut entry = place.turn(old.unwrap_or(Entry {
            value: Score::ZERO,
            window: (policy == Policy::Interval).then_some(full),
            bound: matches!(policy, Policy::Bound | Policy::Exact).then_some(Bound::Exact),
            depth: (policy != Policy::Rote).then_some(place.at.depth),
            best: None,
        }));
        for (name, text) in fields {
            let set = match (*name, policy) {
                ("best", Policy::Bound) => {
                    self.best_called(place, text).map(|best| entry.best = best)
                }
                _ => set_field(&mut entry, policy, name, text),
            };
            set.map_err(|fault| fault.about(name))?;
        }
        let Window { alpha, beta } = full;
        if !(alpha..=beta).contains(&entry.value) {
            return Err(Fault::new(format!("no position is worth {}", entry.value))
                .hint(format!("values go from {alpha} to {beta}"))
                .about("value"));
        }
        if old.is_none() && !fields.iter().any(|(name, _)| *name == "value") {
            let key = self.keyed_text(place.at);
            return Err(Fault::new(format!("there is no entry {key} yet, so it needs a value"))
                .hint("give value=…"));
        }
        Ok(place.turn(entry))
    }

    /// The moves that a mark fits, of those that lead to equal positions the first.
    fn marked(&self, position: &G::Position, mark: HashMove) -> Vec<String> {
        let (game, scheme) = (self.game(), self.settings().mode().scheme);
        let (mut moves, mut keys) = (Vec::new(), Vec::new());
        game.expand(position, &<_>::default(), &mut moves);
        moves.retain(|&mv| {
            let key = game.key(&game.apply(position, mv), scheme);
            let fits = HashMove::of(key) == mark && !keys.contains(&key);
            keys.push(key);
            fits
        });
        moves.into_iter().map(|mv| game.format_move(position, mv)).collect()
    }

    /// The best move that a user gives an entry, `none` for none.
    fn best_called(&self, place: &EntryPlace<G>, text: &str) -> Result<Option<HashMove>> {
        if text == "none" {
            return Ok(None);
        }
        let position = self.position_at(place).ok_or_else(|| {
            Fault::new("the key does not tell the position of the move")
                .hint("name the entry by its position, such as `here`")
        })?;
        let mv = self.game().read_move(&position, &<_>::default(), text)?;
        Ok(Some(hash_move_of(self.game(), self.settings().mode().scheme, &position, mv)))
    }

    /// Warnings about an edited entry.
    fn edit_notes(&self, at: Keyed<G::Key>, entry: &Entry) -> Vec<String> {
        let mut notes = Vec::new();
        let canonical = self.settings().mode().scheme == KeyScheme::Canonical;
        if let Some(key) = self.searched_key(at.key).filter(|_| canonical) {
            let searched = self.keyed_text(Keyed { key, ..at });
            notes.push(format!("with symmetry=on searches look under {searched}: this entry answers only with symmetry=off"));
        }
        if entry.window.is_some_and(|window| window.alpha >= window.beta) {
            notes.push("alpha is not below beta: no window lies inside, so the entry can only widen searches".into());
        }
        notes
    }
}

fn set_field(entry: &mut Entry, policy: Policy, name: &str, text: &str) -> Result<()> {
    match (name, &mut entry.window, policy) {
        ("value", ..) => entry.value = text.parse()?,
        ("alpha", Some(window), _) => window.alpha = text.parse()?,
        ("beta", Some(window), _) => window.beta = text.parse()?,
        ("bound", _, Policy::Bound) => entry.bound = Some(Bound::called(text)?),
        ("depth", _, Policy::Bound) => {
            let fault = || {
                Fault::new(format!("`{text}` is not a depth"))
                    .about_word(text)
                    .hint("give a whole number from 0 to 255")
            };
            entry.depth = Some(text.parse().map_err(|_| fault())?);
        }
        _ => {
            let message = format!("an entry of the memo policy `{policy}` has no field `{name}`");
            let fields = match policy {
                Policy::Bound => "its fields are value, bound, depth and best",
                Policy::Interval => "its fields are value, alpha and beta",
                _ => "its only field is value",
            };
            return Err(Fault::new(message).hint(fields));
        }
    }
    Ok(())
}

impl Bound {
    /// A bound by its name.
    pub(super) fn called(text: &str) -> Result<Self> {
        let fault = || {
            Fault::new(format!("`{text}` is not a bound"))
                .about_word(text)
                .hint("exact, lower or upper")
        };
        text.parse().map_err(|_| fault())
    }
}

impl CleanStep {
    pub(super) fn words(&self, seed: bool) -> String {
        let Self { depth, deleted, left } = self;
        if seed {
            format!(
                "Increased min_limit to {depth} and deleted {deleted} entries. Cache is now {left} entries big."
            )
        } else {
            format!("{deleted} entries of depth {depth} went, {left} are left")
        }
    }
}

/// The order of a list of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Sort {
    /// The order of the table: oldest first.
    #[default]
    Table,
    /// By key.
    Key,
    /// Deepest first.
    Depth,
    /// Highest value first.
    Value,
    /// Most used first.
    Uses,
}

/// What a condition asks of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Depth,
    Value,
    Alpha,
    Beta,
    Uses,
    Bound,
    Key,
    State,
    /// One of the game's numbers, by its index in [`Game::facts`].
    Fact(usize),
}

/// A word that a name is compared with.
#[derive(Clone, Debug)]
enum EntryWord<K> {
    Bound(Bound),
    /// The beginning of the key.
    Prefix(String),
    /// Every key under which the position may be stored.
    State([K; 3]),
}

const NAMES: [(&str, Asked, Type); 8] = [
    ("depth", Asked::Depth, Type::Number),
    ("value", Asked::Value, Type::Number),
    ("alpha", Asked::Alpha, Type::Number),
    ("beta", Asked::Beta, Type::Number),
    ("uses", Asked::Uses, Type::Number),
    ("bound", Asked::Bound, Type::Word),
    ("key", Asked::Key, Type::Word),
    ("state", Asked::State, Type::Word),
];

impl Asked {
    /// Whether entries have it under this policy.
    fn is_kept(self, policy: Policy) -> bool {
        match self {
            Self::Depth | Self::Bound => policy != Policy::Rote,
            Self::Alpha | Self::Beta => policy == Policy::Interval,
            Self::Value | Self::Uses | Self::Key | Self::State | Self::Fact(_) => true,
        }
    }
}

/// The names that conditions may use, which depend on the game and the memo policy.
struct EntryNames<'a, G: Game>(&'a Session<G>);

impl<G: Game> EntryNames<'_, G> {
    fn all(&self) -> impl Iterator<Item = (&'static str, Asked, Type)> {
        let policy = self.0.settings().memo();
        let kept = NAMES.into_iter().filter(move |(_, asked, _)| asked.is_kept(policy));
        let facts = G::facts().iter().enumerate();
        kept.chain(facts.map(|(nth, (name, _))| (*name, Asked::Fact(nth), Type::Number)))
    }
}

impl<G: Game> Vocabulary for EntryNames<'_, G> {
    type Name = Asked;
    type Word = EntryWord<G::Key>;

    fn names(&self) -> Vec<&'static str> {
        self.all().map(|(name, ..)| name).collect()
    }

    fn find(&self, text: &str) -> Option<(Asked, Type)> {
        self.all().find(|(name, ..)| *name == text).map(|(_, asked, of)| (asked, of))
    }

    fn word(&self, name: Asked, text: &str) -> Result<EntryWord<G::Key>> {
        Ok(match name {
            Asked::Bound => EntryWord::Bound(Bound::called(text)?),
            Asked::State => {
                let position = self.0.position_called(text)?;
                let schemes = [KeyScheme::Plain, KeyScheme::Colour, KeyScheme::Canonical];
                EntryWord::State(schemes.map(|scheme| self.0.game().key(&position, scheme)))
            }
            _ => EntryWord::Prefix(text.to_owned()),
        })
    }

    fn cost(&self, name: Asked) -> u32 {
        match name {
            Asked::Uses | Asked::State => 2,
            Asked::Fact(_) => 20,
            Asked::Key => 100,
            _ => 1,
        }
    }
}

/// An entry as conditions see it.
struct SeenEntry<'a, G: Game> {
    desk: &'a Session<G>,
    /// Its index in the order of the table.
    place: usize,
    at: Keyed<G::Key>,
    entry: Entry,
    position: OnceCell<Option<G::Position>>,
}

impl<G: Game> SeenEntry<'_, G> {
    fn position(&self) -> Option<&G::Position> {
        self.position.get_or_init(|| self.desk.position_of(self.at)).as_ref()
    }
}

impl<G: Game> Facts<Asked, EntryWord<G::Key>> for SeenEntry<'_, G> {
    #[inline]
    fn number(&self, name: Asked) -> Option<f64> {
        let score = match name {
            Asked::Depth => return self.entry.depth.map(f64::from),
            Asked::Uses => return self.desk.entries().uses(self.place).map(f64::from),
            Asked::Fact(place) => return Some((G::facts().get(place)?.1)(self.position()?)),
            Asked::Value => self.entry.value,
            Asked::Alpha => self.entry.window?.alpha,
            Asked::Beta => self.entry.window?.beta,
            Asked::Bound | Asked::Key | Asked::State => return None,
        };
        Some(score.get())
    }

    fn is(&self, _: Asked, word: &EntryWord<G::Key>) -> bool {
        match word {
            EntryWord::Bound(bound) => self.entry.bound == Some(*bound),
            EntryWord::Prefix(prefix) => self.desk.keyed_text(self.at).starts_with(prefix),
            EntryWord::State(keys) => keys.contains(&self.at.key),
        }
    }

    fn is_known(&self, name: Asked) -> bool {
        match name {
            Asked::Bound => self.entry.bound.is_some(),
            Asked::Key => true,
            Asked::State => self.position().is_some(),
            number => self.number(number).is_some(),
        }
    }
}

impl<G: Game> Session<G> {
    /// The places in the table of the entries that meet all conditions.
    fn places_where(&self, conditions: &[&str]) -> Result<Vec<usize>> {
        if conditions.is_empty() {
            // A pane of a large table need not wait for each of its entries.
            return Ok((0..self.entries().len()).collect());
        }
        let names = EntryNames(self);
        let conditions = conditions.iter().enumerate().map(|(nth, text)| {
            expression::condition(text, &names).map_err(|fault| fault.about_nth(nth))
        });
        let conditions: Vec<Condition<_, _>> = conditions.collect::<Result<_>>()?;
        let entries = self.entries().iter().enumerate();
        let seen = entries.map(|(place, (at, entry))| SeenEntry {
            desk: self,
            place,
            at,
            entry,
            position: OnceCell::new(),
        });
        let met = seen.filter(|seen| conditions.iter().all(|condition| condition.holds(seen)));
        Ok(met.map(|seen| seen.place).collect())
    }

    /// Removes entries, and says how many have gone.
    fn cleaned(&mut self, clean: impl FnOnce(&mut dyn Entries<G::Key>)) -> CacheCleaned {
        let before = self.entries().len();
        clean(self.entries_mut());
        self.run.edited_by_hand();
        let entries = self.entries().len();
        CacheCleaned { removed: before - entries, entries, steps: Vec::new() }
    }
}

/// Entries by key and by condition, and the cache as a whole.
pub trait CacheCommands {
    /// The cache in numbers.
    fn cache_stats(&self) -> CacheStats;
    /// One entry.
    fn cache_get(&self, key: &str) -> Result<CacheEdit>;
    /// Writes the given fields of an entry and leaves the others as they are.
    fn cache_set(&mut self, key: &str, fields: &[Pair<'_>]) -> Result<CacheEdit>;
    /// Removes an entry.
    fn cache_remove(&mut self, key: &str) -> Result<CacheEdit>;
    /// Removes every entry.
    fn cache_clear(&mut self) -> CacheCleaned;
    /// Removes shallow entries until the cache fits its size.
    fn cache_clean(&mut self, max_size: Option<usize>) -> CacheCleaned;
    /// What a key stands for; without one, the key of the position at hand.
    fn key(&self, text: Option<&str>) -> Result<KeyReport>;
    /// The first keys in the cache, for completion.
    fn some_keys(&self, most: usize) -> Vec<String>;
    /// The entries that meet all conditions over their fields and the numbers of their positions, such as `depth>=3 and
    /// value<0`: a page of them. A fault in a condition is `about` its index.
    fn cache_list(&self, conditions: &[&str], sort: Sort, page: Range<usize>) -> Result<CacheList>;
    /// Counts the entries that meet conditions by depth, by bound and by value, the values in so many buckets.
    fn cache_histogram(&self, conditions: &[&str], buckets: usize) -> Result<Histogram>;
    /// Removes the entries that meet conditions.
    fn cache_remove_where(&mut self, conditions: &[&str]) -> Result<CacheCleaned>;
    /// The names that conditions over entries may use.
    fn filter_names(&self) -> Vec<&'static str>;
}

impl<G: Game> CacheCommands for Session<G> {
    fn cache_stats(&self) -> CacheStats {
        let (entries, settings) = (self.entries(), self.settings());
        let cache = CacheCounters::new(&self.run.counters, entries.len());
        CacheStats {
            policy: entries.policy().name().into(),
            bytes: entries.bytes(),
            bytes_per_entry: (!entries.is_empty())
                .then(|| entries.bytes() as f64 / cache.entries as f64),
            cache,
            max_size: Some(entries.target()).filter(|&most| most < usize::MAX),
            size: settings.max_size.to_string(),
            replace: settings.replace().name(),
            evictions: self.run.counters.evictions,
            collisions: settings.verify.then_some(self.run.counters.collisions),
            held: Breakdown::of(entries.iter().map(|(_, entry)| entry)),
            keys: settings.mode().scheme.into(),
            weights: self.run.searcher.weights.to_string(),
        }
    }

    fn cache_get(&self, key: &str) -> Result<CacheEdit> {
        let place = self.placed(key)?;
        let mut report = self.report_edit(&place, None, Vec::new());
        if report.entry.is_some() && place.wanted.key != place.at.key {
            report
                .notes
                .push(format!("stored for its symmetric twins together, under {}", report.key));
        }
        Ok(report)
    }

    fn cache_set(&mut self, key: &str, fields: &[Pair<'_>]) -> Result<CacheEdit> {
        let place = self.placed(key)?;
        let unsaid = self.settings().memo().keys_depth() && place.wanted.depth.is_none();
        if unsaid && self.entries().get(place.at).is_none() {
            return Err(Fault::new(format!("`{key}` does not say which depth"))
                .about_word(key)
                .hint(format!("write {key}:3 for the entry of depth 3")));
        }
        let entry = self.changed_entry(&place, fields)?;
        let previous = self.entries_mut().set(place.at, entry)?;
        let mut notes = self.edit_notes(place.at, &entry);
        notes.extend(self.run.edited_by_hand());
        Ok(self.report_edit(&place, previous, notes))
    }

    fn cache_remove(&mut self, key: &str) -> Result<CacheEdit> {
        let place = self.placed(key)?;
        let previous = self.entries_mut().remove(place.at).ok_or_else(|| self.absent(&place))?;
        let notes = self.run.edited_by_hand().into_iter().collect();
        Ok(self.report_edit(&place, Some(previous), notes))
    }

    fn cache_clear(&mut self) -> CacheCleaned {
        self.cleaned(|entries| entries.clear())
    }

    fn cache_clean(&mut self, max_size: Option<usize>) -> CacheCleaned {
        let seed = self.settings().as_seed(self.settings().switches.clean);
        let mut steps = Vec::new();
        let cleaned = self.cleaned(|entries| {
            steps = entries.clean(max_size.unwrap_or(entries.target()), seed);
        });
        CacheCleaned { steps: steps.iter().map(|step| step.words(seed)).collect(), ..cleaned }
    }

    fn key(&self, text: Option<&str>) -> Result<KeyReport> {
        let game = self.game();
        let key = match text {
            Some(text) => self.wanted(text)?.key,
            None => game.key(&self.position_called("here")?, KeyScheme::Colour),
        };
        let position = game.decode(key);
        let position = position.as_ref();
        let canonical = position.map_or(key, |position| game.key(position, KeyScheme::Canonical));
        Ok(KeyReport {
            key: game.format_key(key),
            canonical: game.format_key(canonical),
            state: position.map(|position| game.format_position(position)),
            board: position.map(|position| game.draw(position)),
        })
    }

    fn some_keys(&self, most: usize) -> Vec<String> {
        self.entries().iter().take(most).map(|(at, _)| self.keyed_text(at)).collect()
    }

    fn cache_list(&self, conditions: &[&str], sort: Sort, page: Range<usize>) -> Result<CacheList> {
        let entries = self.entries();
        let mut places = self.places_where(conditions)?;
        let at = |place: &usize| entries.nth(*place).map(|(at, _)| at);
        let entry = |place: &usize| entries.nth(*place).map(|(_, entry)| entry);
        let value = |place: &usize| entry(place).map_or(Score::NEG_INFINITY, |entry| entry.value);
        match sort {
            Sort::Table => {}
            Sort::Key => places.sort_by_cached_key(at),
            Sort::Depth => {
                places.sort_by_cached_key(|place| Reverse(entry(place).map(|it| it.depth)));
            }
            Sort::Value => places.sort_by(|one, other| value(other).order(value(one))),
            Sort::Uses => places.sort_by_cached_key(|&place| Reverse(entries.uses(place))),
        }
        let report = |place: &usize| {
            let entry = self.report_entry(entries.nth(*place)?);
            Some(EntryReport { uses: entries.uses(*place), ..entry })
        };
        Ok(CacheList {
            entries: places.iter().skip(page.start).take(page.len()).filter_map(report).collect(),
            offset: page.start,
            matching: places.len(),
            total: entries.len(),
        })
    }

    fn cache_histogram(&self, conditions: &[&str], buckets: usize) -> Result<Histogram> {
        let (entries, places) = (self.entries(), self.places_where(conditions)?);
        let found = places.iter().filter_map(|&place| Some(entries.nth(place)?.1));
        Ok(Histogram {
            matching: places.len(),
            total: entries.len(),
            held: Breakdown::of(found.clone()),
            by_value: value_buckets(&found.map(|entry| entry.value), buckets),
        })
    }

    fn cache_remove_where(&mut self, conditions: &[&str]) -> Result<CacheCleaned> {
        let places = self.places_where(conditions)?;
        let (mut going, mut seen) = (places.into_iter().peekable(), 0);
        Ok(self.cleaned(|entries| {
            entries.retain(&mut |_, _| {
                seen += 1;
                going.next_if_eq(&(seen - 1)).is_none()
            });
        }))
    }

    fn filter_names(&self) -> Vec<&'static str> {
        EntryNames(self).names()
    }
}

/// Counts values in `count` ranges of equal width; infinite values get buckets of their own.
#[expect(clippy::cast_sign_loss, reason = "no value is below the lowest")]
fn value_buckets(values: &(impl Iterator<Item = Score> + Clone), count: usize) -> Vec<ValueBucket> {
    let finite = values.clone().map(Score::get).filter(|value| value.is_finite());
    let low = finite.clone().fold(f64::INFINITY, f64::min);
    let high = finite.clone().fold(f64::NEG_INFINITY, f64::max);
    let count = if low < high { count.max(1) } else { 1 };
    let width = (high - low) / count as f64;
    let mut counts = vec![0; count];
    for value in finite {
        counts[(((value - low) / width) as usize).min(count - 1)] += 1;
    }
    let edge =
        |nth: usize| Score::from_finite(if nth == count { high } else { low + width * nth as f64 });
    let ranges = counts.into_iter().enumerate().filter(|_| low <= high);
    let ranges =
        ranges.map(|(nth, entries)| ValueBucket { from: edge(nth), to: edge(nth + 1), entries });
    let infinite = |end: Score| {
        let entries = values.clone().filter(|value| *value == end).count();
        (entries > 0).then_some(ValueBucket { from: end, to: end, entries })
    };
    let (below, above) = (infinite(Score::NEG_INFINITY), infinite(Score::INFINITY));
    below.into_iter().chain(ranges).chain(above).collect()
}
