//! The cache: finding, reading and editing entries, filters over entries, statistics.

mod reply;

use std::{cell::OnceCell, cmp::Reverse, ops::Range};

use rustc_hash::FxHashMap;

use super::{
    AnySession as _, Pair, Session,
    entry_text::{key_text, split_depth},
};

use crate::{
    engine::{
        explain::{Provenance, writers},
        expression::{self, Condition, Facts, Type, Vocabulary},
        game::{
            Fault, Game, KeyScheme, Keyed, MoveText, Remedy, Result, Rules, Score, Side, TrueValue,
            Truth, Window,
        },
        search::hash_move_of,
        table::{Bound, CleanStep, Entries, Entry, Field, FieldSource, HashMove, Policy},
    },
    text::{number, or_empty, style::Scale},
};
pub use reply::*;

/// What the user has done with a cache entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandEdit {
    /// The entry before the first edit; `None`: none was stored.
    original: Option<Entry>,
    /// The entry as the user left it; `None`: removed.
    now: Option<Entry>,
}

pub(super) type Stored<G> = (Keyed<<G as Rules>::Key>, Entry);

/// A key as the user typed it, or the key of a position that the user named.
#[derive(Clone, Debug)]
pub(super) struct KeyInput<G: Game> {
    pub(super) key: G::Key,
    pub(super) depth: Option<u8>,
    /// The position, if the user named one instead of typing a key.
    position: Option<G::Position>,
}

/// The place in the table of the entry that the user named, whether or not the entry is stored.
#[derive(Clone, Debug)]
pub(super) struct EntryPlace<G: Game> {
    pub(super) at: Keyed<G::Key>,
    /// The keys of the position's entries at other depths; empty if an entry is stored at `at`.
    others: Vec<String>,
    input: KeyInput<G>,
    /// Whether defect D2 negates the stored values, because Black is to move in the user's position.
    negated: bool,
}

impl<G: Game> EntryPlace<G> {
    /// Converts an entry between its stored form and the point of view of the side to move in the user's position.
    fn convert(&self, entry: Entry) -> Entry {
        if self.negated { entry.negated() } else { entry }
    }
}

/// A position with its history and, if it belongs to a frame, its remaining depth.
type Node<G> = (<G as Rules>::Position, <G as Rules>::History, Option<u8>);

impl<G: Game> Session<G> {
    /// The node that a name stands for: `root` is the game's position, `frame` the selected frame (by default the current
    /// node), `here` is `frame` if a frame is selected, otherwise `root`. `None` for any other text.
    fn node_named(&self, name: &str) -> Result<Option<Node<G>>> {
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

    /// A position named `root`, `frame` or `here`, or written in the game's notation.
    pub(super) fn position_named(&self, text: &str) -> Result<G::Position> {
        match self.node_named(text)? {
            Some((position, ..)) => Ok(position),
            None => self.read_position(text),
        }
    }

    /// A key as text; ends in `:DEPTH` if the memo policy keeps one entry per depth.
    pub(super) fn keyed_text(&self, at: Keyed<G::Key>) -> String {
        key_text(self.game(), self.settings().memo(), at)
    }

    /// Reads a key, `here`, `frame`, `root` or a position, each with an optional `:DEPTH`.
    pub(super) fn read_key(&self, text: &str) -> Result<KeyInput<G>> {
        let (body, depth) = split_depth(text.trim())?;
        let node = match self.node_named(body)? {
            None if body.contains(['/', '(']) => {
                Some((self.read_position(body)?, G::History::default(), None))
            }
            node => node,
        };
        let Some((position, history, remaining)) = node else {
            let key = self.game().parse_key(body).map_err(|fault| self.explain_keys(fault))?;
            return Ok(KeyInput { key, depth, position: None });
        };
        let (depth, scheme) = (depth.or(remaining), self.settings().mode().scheme);
        let key = self.game().node_key(&position, &history, scheme, depth.unwrap_or(0));
        Ok(KeyInput { key, depth, position: Some(position) })
    }

    fn explain_keys(&self, fault: Fault) -> Fault {
        let hint = or_empty(fault.hint.as_ref().map(|hint| format!("{hint}; ")));
        let key = self.game().key(&self.now.position, KeyScheme::Colour);
        let sample = self.keyed_text(Keyed { key, depth: 3 });
        fault.hint(format!(
            "{hint}a key looks like `{sample}`, `here:3` is the current position, `frame` the selected frame"
        ))
    }

    /// The place of an entry in the table: the key as given if an entry is stored under it, otherwise the key under which
    /// searches store the same position.
    pub(super) fn place(&self, key: G::Key, depth: u8) -> Keyed<G::Key> {
        let exact = Keyed { key, depth };
        let is_stored = |at: &Keyed<G::Key>| self.entries().get(*at).is_some();
        if is_stored(&exact) {
            return exact;
        }
        let searched = self.searched_key(key).map(|key| Keyed { key, depth });
        searched.filter(is_stored).unwrap_or(exact)
    }

    /// The key under which searches store the position of `key`; `None` if they store it under `key`.
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

    /// Finds the entry that the user named. The depth may be omitted if only one depth is stored.
    pub(super) fn find_entry_place(&self, text: &str) -> Result<EntryPlace<G>> {
        let input = self.read_key(text)?;
        let keyed = self.settings().memo().keys_depth();
        let place = |depth: u8| self.place(input.key, depth);
        let is_stored = |depth: &u8| self.entries().get(place(*depth)).is_some();
        let stored: Vec<u8> =
            if keyed { (0..=u8::MAX).filter(is_stored).collect() } else { Vec::new() };
        let names = || stored.iter().map(|&depth| self.keyed_text(place(depth))).collect();
        let depth = match (input.depth.filter(|_| keyed), stored.as_slice()) {
            (Some(depth), _) | (None, &[depth]) => depth,
            (None, []) => 0,
            (None, several) => {
                let names: Vec<String> = names();
                return Err(Fault::word(text, format!("is stored at {} depths", several.len()))
                    .hint(format!("choose one: {}", names.join(", "))));
            }
        };
        let at = place(depth);
        let others = if stored.contains(&depth) { Vec::new() } else { names() };
        let is_black = |position| self.game().side(position) == Side::Black;
        let negated =
            self.settings().mode().negate_black && input.position.as_ref().is_some_and(is_black);
        Ok(EntryPlace { at, others, input, negated })
    }

    /// The error for a place without an entry; its hint lists the depths that are stored.
    pub(super) fn absent(&self, place: &EntryPlace<G>) -> Fault {
        let fault = Fault::new(format!("no entry {}", self.keyed_text(place.at)));
        match place.others.as_slice() {
            [] => fault.hint("`cache list` lists the stored entries"),
            others => fault.hint(format!("stored are {}", others.join(", "))),
        }
    }

    /// The position of an entry: decoded from its key, or stored with the entry.
    pub(super) fn position_of(&self, at: Keyed<G::Key>) -> Option<G::Position> {
        self.run.searcher.table.position(self.game(), at)
    }

    /// The position by which the user named the entry; if the user typed a key, the entry's own position.
    fn position_at(&self, place: &EntryPlace<G>) -> Option<G::Position> {
        place.input.position.clone().or_else(|| self.position_of(place.at))
    }

    /// Whether an entry may belong to a position; `false` if it was certainly stored for another one.
    pub(super) fn may_belong_to(&self, at: Keyed<G::Key>, position: &G::Position) -> bool {
        let Some(stored) = self.entries().state(at) else {
            return true;
        };
        let state = self.game().pack(position, self.settings().mode().scheme);
        state.is_none_or(|state| !stored.contradicts(&state))
    }

    /// Reports an entry with its value as stored.
    pub(super) fn report_entry(&self, stored: Stored<G>) -> EntryReport {
        self.report_entry_of(stored, self.position_of(stored.0).as_ref())
    }

    pub(super) fn report_entry_of(
        &self,
        (at, entry): Stored<G>,
        position: Option<&G::Position>,
    ) -> EntryReport {
        let best = position.zip(entry.best).map(|(position, best)| self.hash_moves(position, best));
        EntryReport {
            key: self.keyed_text(at),
            state: position.map(|position| self.game().format_position(position)),
            side: position.map(|position| self.game().side(position)),
            best: best.unwrap_or_default(),
            depth: entry.depth,
            value: entry.value,
            window: entry.window,
            bound: entry.bound.map(Bound::name),
            truth: Truth::beside(
                position.and_then(|position| self.game().truth(position)),
                Some((entry.value, entry.bound.unwrap_or(Bound::Exact))),
            ),
            uses: None,
            edited: false,
        }
    }

    /// Reports an entry with values for the side to move of the user's position, or as stored if the user gave a key.
    fn report_edit(
        &self,
        place: &EntryPlace<G>,
        previous: Option<Entry>,
        notes: Vec<String>,
    ) -> CacheEdit {
        let position = self.position_at(place);
        let report =
            |entry| self.report_entry_of((place.at, place.convert(entry)), position.as_ref());
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

    /// The entry with the values in `fields`. A new entry starts with the full window or an exact value.
    fn changed_entry(&self, place: &EntryPlace<G>, fields: &[Pair<'_>]) -> Result<Entry> {
        let policy = self.settings().memo();
        let full = self.game().full_window(&self.evaluator()?);
        if !policy.has_entries() {
            let message = format!("the memo policy `{policy}` keeps no entries");
            return Err(Fault::new(message).needs(Remedy::Policy));
        }
        let has = |field| policy.source(field).is_some();
        let old = self.entries().get(place.at);
        let mut entry = place.convert(old.unwrap_or(Entry {
            value: Score::ZERO,
            window: has(Field::Alpha).then_some(full),
            bound: has(Field::Bound).then_some(Bound::Exact),
            depth: has(Field::Depth).then_some(place.at.depth),
            best: None,
        }));
        for (name, text) in fields {
            let set = match editable_field(policy, name)? {
                Field::Best => self.read_best(place, text).map(|best| entry.best = best),
                field => set_field(&mut entry, field, text),
            };
            set.map_err(|fault| fault.about(name))?;
        }
        let Window { alpha, beta } = full;
        if !(alpha..=beta).contains(&entry.value) {
            return Err(Fault::new(format!("no position can have the value {}", entry.value))
                .hint(format!("values go from {alpha} to {beta}"))
                .about("value"));
        }
        if old.is_none() && !fields.iter().any(|(name, _)| *name == "value") {
            let key = self.keyed_text(place.at);
            return Err(
                Fault::new(format!("the new entry {key} needs a value")).hint("give value=…")
            );
        }
        Ok(place.convert(entry))
    }

    /// The moves that a hash move stands for; of several moves to the same position, only the first.
    fn hash_moves(&self, position: &G::Position, hash_move: HashMove) -> Vec<MoveText> {
        let (game, scheme) = (self.game(), self.settings().mode().scheme);
        let (mut moves, mut keys) = (game.legal_moves(position, &<_>::default()), Vec::new());
        moves.retain(|&mv| {
            let key = game.key(&game.apply(position, mv), scheme);
            let matches = HashMove::of(key) == hash_move && !keys.contains(&key);
            keys.push(key);
            matches
        });
        moves.into_iter().map(|mv| game.move_text(position, mv)).collect()
    }

    /// Reads the value of `best=`: a move, or `none`.
    fn read_best(&self, place: &EntryPlace<G>, text: &str) -> Result<Option<HashMove>> {
        if text == "none" {
            return Ok(None);
        }
        let position = self.position_at(place).ok_or_else(|| {
            Fault::new("the position of the move cannot be decoded from the key")
                .hint("name the entry by its position, such as `here`")
        })?;
        let mv = self.game().read_move(&position, &<_>::default(), text)?;
        Ok(Some(hash_move_of(self.game(), self.settings().mode().scheme, &position, mv)))
    }

    fn edit_notes(&self, at: Keyed<G::Key>, entry: &Entry) -> Vec<String> {
        let mut notes = Vec::new();
        let canonical = self.settings().mode().scheme == KeyScheme::Canonical;
        if let Some(key) = self.searched_key(at.key).filter(|_| canonical) {
            let searched = self.keyed_text(Keyed { key, ..at });
            notes.push(format!("with symmetry=on searches probe {searched}: this entry is used with symmetry=off only"));
        }
        if entry.window.is_some_and(|window| window.alpha >= window.beta) {
            notes.push("alpha is not below beta, so the entry never replaces a search and only widens its window".into());
        }
        notes
    }
}

/// The field with this name, if entries of this memo policy store it and a user may set it.
fn editable_field(policy: Policy, name: &str) -> Result<Field> {
    let is_editable = |field: Field| policy.source(field) == Some(FieldSource::Record);
    if let Some(field) = name.parse().ok().filter(|field| is_editable(*field)) {
        return Ok(field);
    }
    let editable = Field::ALL.iter().filter(|field| is_editable(**field));
    let names: Vec<_> = editable.map(|field| field.name()).collect();
    let message = format!("an entry of the memo policy `{policy}` has no field `{name}`");
    let fault = Fault::new(message).about_word(name);
    Err(match names.split_last() {
        Some((last, [])) => fault.hint(format!("the only field of its entries is {last}")),
        Some((last, others)) => {
            fault.hint(format!("the fields of its entries are {} and {last}", others.join(", ")))
        }
        None => fault,
    })
}

/// Sets a field of an entry. A value that is written as the stored one is shown, perhaps rounded, keeps the stored one.
fn set_field(entry: &mut Entry, field: Field, text: &str) -> Result<()> {
    let read =
        |stored: Score| if text == number::score(stored) { Ok(stored) } else { text.parse() };
    let window = entry.window.unwrap_or_default();
    match field {
        Field::Value => entry.value = read(entry.value)?,
        Field::Alpha => entry.window = Some(Window { alpha: read(window.alpha)?, ..window }),
        Field::Beta => entry.window = Some(Window { beta: read(window.beta)?, ..window }),
        Field::Bound => entry.bound = Some(Bound::by_name(text)?),
        Field::Depth | Field::Best => {
            let fault =
                || Fault::word(text, "is not a depth").hint("give a whole number from 0 to 255");
            entry.depth = Some(text.parse().map_err(|_| fault())?);
        }
    }
    Ok(())
}

impl Bound {
    /// Reads `exact`, `lower` or `upper`. Fails for any other text.
    pub(super) fn by_name(text: &str) -> Result<Self> {
        let fault = || Fault::word(text, "is not a bound").hint("exact, lower or upper");
        text.parse().map_err(|_| fault())
    }
}

impl CleanStep {
    /// The step as a sentence; with `seed`, worded as seed 000 prints it.
    pub(super) fn words(&self, seed: bool) -> String {
        let Self { depth, deleted, left } = self;
        if seed {
            format!(
                "Increased min_limit to {depth} and deleted {deleted} entries. Cache is now {left} entries big."
            )
        } else {
            format!("{deleted} entries of depth {depth} removed, {left} left")
        }
    }
}

/// In which order `cache list` shows entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Sort {
    /// In the order of the table, oldest first.
    #[default]
    Table,
    /// By key, ascending.
    Key,
    /// By remaining depth, deepest first.
    Depth,
    /// By value, highest first.
    Value,
    /// By number of hits, most used first; needs `uses=on`.
    Uses,
}

/// A field of an entry that filters can compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryField {
    Depth,
    Value,
    Alpha,
    Beta,
    Uses,
    /// The sign of the true value: 1 for a won position, 0 for a drawn one, −1 for a lost one.
    Truth,
    Distance,
    Bound,
    Key,
    State,
    /// A feature of the position, by its index in [`Game::features`].
    Fact(usize),
}

/// The word with which a filter compares a field, such as a bound or the beginning of a key.
#[derive(Clone, Debug)]
enum EntryWord<K> {
    Bound(Bound),
    KeyPrefix(String),
    /// Every key under which the position may be stored, one per key scheme.
    State([K; 3]),
}

const NAMES: [(&str, EntryField, Type); 10] = [
    ("depth", EntryField::Depth, Type::Number),
    ("value", EntryField::Value, Type::Number),
    ("alpha", EntryField::Alpha, Type::Number),
    ("beta", EntryField::Beta, Type::Number),
    ("uses", EntryField::Uses, Type::Number),
    ("truth", EntryField::Truth, Type::Number),
    ("distance", EntryField::Distance, Type::Number),
    ("bound", EntryField::Bound, Type::Word),
    ("key", EntryField::Key, Type::Word),
    ("state", EntryField::State, Type::Word),
];

impl EntryField {
    /// Whether entries of this memo policy store the field.
    fn is_kept(self, policy: Policy) -> bool {
        // The policy `none` has no entries: every condition is accepted and matches nothing.
        let has = |field| policy.source(field).is_some() || !policy.has_entries();
        match self {
            Self::Depth => has(Field::Depth),
            Self::Bound => has(Field::Bound),
            Self::Alpha => has(Field::Alpha),
            Self::Beta => has(Field::Beta),
            _ => true,
        }
    }
}

/// The names that filters can use. They depend on the game and the memo policy.
struct EntryNames<'a, G: Game>(&'a Session<G>);

impl<G: Game> EntryNames<'_, G> {
    fn all(&self) -> impl Iterator<Item = (&'static str, EntryField, Type)> {
        let policy = self.0.settings().memo();
        let kept = NAMES.into_iter().filter(move |(_, field, _)| field.is_kept(policy));
        let facts = G::features().iter().enumerate();
        kept.chain(facts.map(|(nth, (name, _))| (*name, EntryField::Fact(nth), Type::Number)))
    }
}

impl<G: Game> Vocabulary for EntryNames<'_, G> {
    type Name = EntryField;
    type Word = EntryWord<G::Key>;

    fn names(&self) -> Vec<&'static str> {
        self.all().map(|(name, ..)| name).collect()
    }

    fn find(&self, text: &str) -> Option<(EntryField, Type)> {
        self.all().find(|(name, ..)| *name == text).map(|(_, field, of)| (field, of))
    }

    fn scale(&self) -> Scale {
        self.0.scale()
    }

    fn is_value(&self, name: EntryField) -> bool {
        matches!(name, EntryField::Value | EntryField::Alpha | EntryField::Beta)
    }

    fn word(&self, name: EntryField, text: &str) -> Result<EntryWord<G::Key>> {
        Ok(match name {
            EntryField::Bound => EntryWord::Bound(Bound::by_name(text)?),
            EntryField::State => {
                let position = self.0.position_named(text)?;
                let schemes = [KeyScheme::Plain, KeyScheme::Colour, KeyScheme::Canonical];
                EntryWord::State(schemes.map(|scheme| self.0.game().key(&position, scheme)))
            }
            _ => EntryWord::KeyPrefix(text.to_owned()),
        })
    }

    fn cost(&self, name: EntryField) -> u32 {
        // Relative costs of testing a field: a feature needs the position, and a key must be written as text.
        match name {
            EntryField::Uses | EntryField::State => 2,
            EntryField::Fact(_) => 20,
            EntryField::Truth | EntryField::Distance => 50,
            EntryField::Key => 100,
            _ => 1,
        }
    }
}

/// A cache entry, whose fields the conditions of filters read.
struct EntryFacts<'a, G: Game> {
    session: &'a Session<G>,
    /// The entry's index in the table.
    index: usize,
    at: Keyed<G::Key>,
    entry: Entry,
    /// The entry's position, decoded when a condition first needs it.
    position: OnceCell<Option<G::Position>>,
}

impl<G: Game> EntryFacts<'_, G> {
    fn position(&self) -> Option<&G::Position> {
        self.position.get_or_init(|| self.session.position_of(self.at)).as_ref()
    }

    fn truth(&self) -> Option<TrueValue> {
        self.session.game().truth(self.position()?)
    }
}

impl<G: Game> Facts<EntryField, EntryWord<G::Key>> for EntryFacts<'_, G> {
    #[inline]
    fn number(&self, name: EntryField) -> Option<f64> {
        let score = match name {
            EntryField::Depth => return self.entry.depth.map(f64::from),
            EntryField::Uses => return self.session.entries().uses(self.index).map(f64::from),
            EntryField::Fact(nth) => return Some((G::features().get(nth)?.1)(self.position()?)),
            EntryField::Truth => return self.truth().map(TrueValue::sign),
            EntryField::Distance => return self.truth()?.plies.map(f64::from),
            EntryField::Value => self.entry.value,
            EntryField::Alpha => self.entry.window?.alpha,
            EntryField::Beta => self.entry.window?.beta,
            EntryField::Bound | EntryField::Key | EntryField::State => return None,
        };
        Some(score.get())
    }

    fn is(&self, _: EntryField, word: &EntryWord<G::Key>) -> bool {
        match word {
            EntryWord::Bound(bound) => self.entry.bound == Some(*bound),
            EntryWord::KeyPrefix(prefix) => self.session.keyed_text(self.at).starts_with(prefix),
            EntryWord::State(keys) => keys.contains(&self.at.key),
        }
    }

    fn is_known(&self, name: EntryField) -> bool {
        match name {
            EntryField::Bound => self.entry.bound.is_some(),
            EntryField::Key => true,
            EntryField::State => self.position().is_some(),
            number => self.number(number).is_some(),
        }
    }
}

impl<G: Game> Session<G> {
    /// The indices in the table of the entries that match all filters.
    fn matching(&self, conditions: &[&str]) -> Result<Vec<usize>> {
        if conditions.is_empty() {
            // The cache pane often lists large tables: without conditions no entry need be read.
            return Ok((0..self.entries().len()).collect());
        }
        let names = EntryNames(self);
        let conditions = conditions.iter().enumerate().map(|(nth, text)| {
            expression::condition(text, &names).map_err(|fault| fault.about_nth(nth))
        });
        let conditions: Vec<Condition<_, _>> = conditions.collect::<Result<_>>()?;
        let matches = |(index, (at, entry))| {
            let facts = EntryFacts { session: self, index, at, entry, position: OnceCell::new() };
            conditions.iter().all(|condition| condition.holds(&facts)).then_some(index)
        };
        Ok(self.entries().iter().enumerate().filter_map(matches).collect())
    }

    /// The indices of the entries that match all filters, in this order.
    fn in_order(&self, conditions: &[&str], sort: Sort) -> Result<Vec<usize>> {
        let entries = self.entries();
        let mut found = self.matching(conditions)?;
        let entry = |index: &usize| entries.nth(*index).map(|(_, entry)| entry);
        let depth = |index: &usize| entry(index).map(|entry| entry.depth);
        let value = |index: &usize| entry(index).map_or(Score::NEG_INFINITY, |entry| entry.value);
        match sort {
            Sort::Table => {}
            Sort::Key => found.sort_by_cached_key(|index| entries.nth(*index).map(|(at, _)| at)),
            Sort::Depth => found.sort_by_cached_key(|index| Reverse(depth(index))),
            Sort::Value => found.sort_by(|one, other| value(other).order(value(one))),
            Sort::Uses => found.sort_by_cached_key(|&index| Reverse(entries.uses(index))),
        }
        Ok(found)
    }

    fn note_hand_edit(&mut self, at: Keyed<G::Key>, before: Option<Entry>, now: Option<Entry>) {
        let known = self.hand_edits.get(&at).filter(|it| it.now == before);
        let original = known.map_or(before, |it| it.original);
        self.hand_edits.insert(at, HandEdit { original, now });
    }

    /// Whether an entry is again as it was before the user edited or removed it.
    pub(super) fn is_restored(&self, at: Keyed<G::Key>, entry: Entry) -> bool {
        let edit = self.hand_edits.get(&at).filter(|it| it.now == Some(entry));
        edit.is_some_and(|edit| edit.original == Some(entry))
    }

    /// Who wrote these entries, as far as the recorded search did; see [`writers`].
    pub(super) fn provenance(
        &mut self,
        places: &[Keyed<G::Key>],
    ) -> Result<FxHashMap<Keyed<G::Key>, Provenance>> {
        let mut found = writers(&mut self.run, places)?;
        for (at, writer) in &mut found {
            let entry = self.entries().get(*at);
            writer.edited =
                writer.edited.filter(|_| !entry.is_some_and(|it| self.is_restored(*at, it)));
        }
        Ok(found)
    }

    /// Runs `clean` on the cache and counts the entries that it removed.
    fn cleaned(&mut self, clean: impl FnOnce(&mut dyn Entries<G::Key>)) -> CacheCleaned {
        let before = self.entries().len();
        clean(self.entries_mut());
        let notes = self.run.note_table_edits().into_iter().collect();
        let entries = self.entries().len();
        CacheCleaned { removed: before - entries, entries, steps: Vec::new(), notes }
    }
}

/// Commands for single entries, for filtered entries, and for the whole cache.
pub trait CacheCommands {
    /// Size, hit counts and breakdown of the cache.
    fn cache_stats(&self) -> CacheStats;
    /// Looks up one entry, by key or position. If none is stored, `entry` in the reply is `None`.
    fn cache_get(&self, key: &str) -> Result<CacheEdit>;
    /// Stores an entry, or changes the given fields of an existing one.
    fn cache_set(&mut self, key: &str, fields: &[Pair<'_>]) -> Result<CacheEdit>;
    /// Removes one entry, by key or position. Fails if it is not stored.
    fn cache_remove(&mut self, key: &str) -> Result<CacheEdit>;
    /// Removes all entries.
    fn cache_clear(&mut self) -> CacheCleaned;
    /// Removes the shallowest entries until at most `max_size` are left (default: the setting `max_size`).
    fn cache_clean(&mut self, max_size: Option<usize>) -> CacheCleaned;
    /// Decodes a key into its position (default: the key of the current position).
    fn key(&self, text: Option<&str>) -> Result<KeyReport>;
    /// The keys of the first `most` entries, each with the entry in words, for completion.
    fn some_entries(&self, most: usize) -> Vec<(String, String)>;
    /// Lists the entries that match all filters, such as `depth>=3 and value<0`; `page` is a range of their indices. A fault in
    /// a filter carries the filter's index.
    fn cache_list(&self, conditions: &[&str], sort: Sort, page: Range<usize>) -> Result<CacheList>;
    /// The index of an entry among those that match; `None` if it is not among them.
    fn cache_place(&self, conditions: &[&str], sort: Sort, key: &str) -> Result<Option<usize>>;
    /// Counts the entries that match all filters by depth, by bound, and by value in `buckets` equal ranges.
    fn cache_histogram(&self, conditions: &[&str], buckets: usize) -> Result<Histogram>;
    /// Removes all entries that match all filters.
    fn cache_remove_where(&mut self, conditions: &[&str]) -> Result<CacheCleaned>;
    /// The names that filters may use, for completion and help.
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
            breakdown: Breakdown::of(entries.iter().map(|(_, entry)| entry)),
            keys: settings.mode().scheme.into(),
            weights: self.run.searcher.weights.to_string(),
        }
    }

    fn cache_get(&self, key: &str) -> Result<CacheEdit> {
        let place = self.find_entry_place(key)?;
        let mut report = self.report_edit(&place, None, Vec::new());
        if report.entry.is_some() && place.input.key != place.at.key {
            let note = format!("symmetric positions share this entry, under {}", report.key);
            report.notes.push(note);
        }
        Ok(report)
    }

    fn cache_set(&mut self, key: &str, fields: &[Pair<'_>]) -> Result<CacheEdit> {
        let place = self.find_entry_place(key)?;
        let lacks_depth = self.settings().memo().keys_depth() && place.input.depth.is_none();
        if lacks_depth && self.entries().get(place.at).is_none() {
            return Err(Fault::word(key, "has no depth")
                .hint(format!("write {key}:3 for the entry of depth 3")));
        }
        let entry = self.changed_entry(&place, fields)?;
        let stored = self.entries().get(place.at);
        if stored == Some(entry) {
            return Ok(self.report_edit(&place, stored, Vec::new()));
        }
        let previous = self.entries_mut().set(place.at, entry)?;
        self.note_hand_edit(place.at, stored, Some(entry));
        let values = fields.iter().filter(|(field, _)| ["value", "alpha", "beta"].contains(field));
        let mut notes: Vec<_> =
            values.filter_map(|(_, text)| number::centipawns_note(text)).collect();
        let is_restored = self.is_restored(place.at, entry);
        let is_last = or_empty(stored.is_none().then_some(", as the newest one"));
        notes.extend(is_restored.then(|| format!("the entry is restored{is_last}")));
        notes.extend(self.edit_notes(place.at, &entry));
        notes.extend(self.run.note_table_edits());
        Ok(self.report_edit(&place, previous, notes))
    }

    fn cache_remove(&mut self, key: &str) -> Result<CacheEdit> {
        let place = self.find_entry_place(key)?;
        let previous = self.entries_mut().remove(place.at).ok_or_else(|| self.absent(&place))?;
        self.note_hand_edit(place.at, Some(previous), None);
        let notes = self.run.note_table_edits().into_iter().collect();
        Ok(self.report_edit(&place, Some(previous), notes))
    }

    fn cache_clear(&mut self) -> CacheCleaned {
        self.hand_edits.clear();
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
            Some(text) => self.read_key(text)?.key,
            None => game.key(&self.position_named("here")?, KeyScheme::Colour),
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

    fn some_entries(&self, most: usize) -> Vec<(String, String)> {
        let reports =
            self.entries().iter().take(most).map(|stored| self.report_entry_of(stored, None));
        reports.map(|report| (report.key.clone(), report.brief())).collect()
    }

    fn cache_list(&self, conditions: &[&str], sort: Sort, page: Range<usize>) -> Result<CacheList> {
        let (entries, found) = (self.entries(), self.in_order(conditions, sort)?);
        // A session file stores the entries set by hand only as edits of its timelines.
        let edits = self.run.edits_in_force().into_iter().map(|(at, _, entry)| (at, entry));
        let edits: FxHashMap<_, _> = edits.collect();
        let report = |index: &usize| {
            let (at, entry) = entries.nth(*index)?;
            let restored = self.is_restored(at, entry);
            let is_set = self.hand_edits.get(&at).is_some_and(|it| it.now == Some(entry));
            let edited = !restored && (is_set || edits.get(&at) == Some(&entry));
            let report = self.report_entry((at, entry));
            Some(EntryReport { uses: entries.uses(*index), edited, ..report })
        };
        Ok(CacheList {
            entries: found.iter().skip(page.start).take(page.len()).filter_map(report).collect(),
            offset: page.start,
            matching: found.len(),
            total: entries.len(),
            notes: conditions
                .iter()
                .flat_map(|it| expression::notes(it, &EntryNames(self)))
                .collect(),
        })
    }

    fn cache_place(&self, conditions: &[&str], sort: Sort, key: &str) -> Result<Option<usize>> {
        let at = self.find_entry_place(key)?.at;
        let is_there =
            |index: &usize| self.entries().nth(*index).is_some_and(|found| found.0 == at);
        Ok(self.in_order(conditions, sort)?.iter().position(is_there))
    }

    fn cache_histogram(&self, conditions: &[&str], buckets: usize) -> Result<Histogram> {
        let (all, found) = (self.entries(), self.matching(conditions)?);
        let entries = found.iter().filter_map(|&index| Some(all.nth(index)?.1));
        Ok(Histogram {
            matching: found.len(),
            total: all.len(),
            breakdown: Breakdown::of(entries.clone()),
            by_value: value_buckets(&entries.map(|entry| entry.value), buckets),
        })
    }

    fn cache_remove_where(&mut self, conditions: &[&str]) -> Result<CacheCleaned> {
        let mut found = self.matching(conditions)?.into_iter().peekable();
        let mut indices = 0..;
        Ok(self.cleaned(|entries| {
            entries.retain(&mut |_, _| {
                let index = indices.next();
                found.next_if(|found| Some(*found) == index).is_none()
            });
        }))
    }

    fn filter_names(&self) -> Vec<&'static str> {
        EntryNames(self).names()
    }
}

/// Counts values in `count` ranges of equal width; infinite values have buckets of their own.
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
