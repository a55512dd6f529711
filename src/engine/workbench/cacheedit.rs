//! Entries by key: where they stand, how the user sees them, and what becomes of them by an edit.

use super::{Answer, Desk, Pair};
use crate::engine::{
    cachefile::Convention,
    game::{Fault, Game, KeyScheme, Keyed, Score, Window},
    memo::{Bound, Entry, Policy},
    reply::{CacheEdit, EntryReport},
};

/// Where an entry stands, and how the user sees it.
#[derive(Clone, Debug)]
pub(super) struct EntryPlace<G: Game> {
    pub(super) at: Keyed<G::Key>,
    /// The keys of other depths, where this one is absent.
    pub(super) others: Vec<String>,
    /// The position it was asked for by, if it was.
    pub(super) position: Option<G::Position>,
    /// Whether it stands with the sign turned from how that position sees it.
    pub(super) turned: bool,
}

impl<G: Game> EntryPlace<G> {
    /// From how it stands to how the user sees it, and back.
    pub(super) fn turn(&self, entry: Entry) -> Entry {
        if self.turned { Convention::Seed.turn(entry) } else { entry }
    }
}

impl<G: Game> Desk<G> {
    /// An entry as the user asked for it: by its key, or by a position, whose point of view its values then take.
    pub(super) fn report_edit(
        &self,
        place: &EntryPlace<G>,
        previous: Option<Entry>,
        notes: Vec<String>,
    ) -> CacheEdit {
        let position = place.position.clone().or_else(|| self.position_of(place.at));
        let state =
            position.as_ref().map(|position| self.run.searcher.game.format_position(position));
        let report = |entry| EntryReport {
            state: state.clone(),
            ..self.report_entry((place.at, place.turn(entry)))
        };
        let board =
            |ascii| position.as_ref().map(|position| self.run.searcher.game.draw(position, ascii));
        CacheEdit {
            key: self.keyed_text(place.at),
            entry: self.run.searcher.memo.entries().get(place.at).map(report),
            previous: previous.map(report),
            board: board(false),
            board_ascii: board(true),
            notes,
            other_keys: place.others.clone(),
            writer: None,
        }
    }

    /// Where the entry a user asks for stands: the depth may be left out where only one is stored.
    pub(super) fn placed(&self, text: &str) -> Answer<EntryPlace<G>> {
        let wanted = self.wanted(text)?;
        let turned = self.is_turned(&wanted);
        let place =
            |at, others| Ok(EntryPlace { at, others, turned, position: wanted.position.clone() });
        if !self.run.searcher.settings.memo.keys_depth() {
            return place(self.place(wanted.key, 0), Vec::new());
        }
        let stored = self.depths_of(wanted.key);
        let keys = |depths: &[u8]| {
            depths.iter().map(|&depth| self.keyed_text(self.place(wanted.key, depth))).collect()
        };
        match (wanted.depth, stored.as_slice()) {
            (Some(depth), _) => {
                let at = self.place(wanted.key, depth);
                let found = self.run.searcher.memo.entries().get(at).is_some();
                place(at, if found { Vec::new() } else { keys(&stored) })
            }
            (None, [depth]) => place(self.place(wanted.key, *depth), Vec::new()),
            (None, []) => place(self.place(wanted.key, 0), Vec::new()),
            (None, several) => {
                let keys: Vec<String> = keys(several);
                Err(Fault::new(format!("`{text}` is stored at {} depths", several.len()))
                    .hint(format!("say which: {}", keys.join(", "))))
            }
        }
    }

    /// The depths at which a key, or the one searches use in its place, is stored.
    pub(super) fn depths_of(&self, key: G::Key) -> Vec<u8> {
        (0..=u8::MAX)
            .filter(|&depth| self.run.searcher.memo.entries().get(self.place(key, depth)).is_some())
            .collect()
    }

    pub(super) fn changed_entry(
        &self,
        place: &EntryPlace<G>,
        fields: &[Pair<'_>],
    ) -> Answer<Entry> {
        let old = self.run.searcher.memo.entries().get(place.at);
        let policy = self.run.searcher.settings.memo;
        let mut entry = place.turn(old.unwrap_or(self.blank(place.at, policy)?));
        for (name, text) in fields {
            set_field(&mut entry, policy, name, text).map_err(|fault| fault.about(name))?;
        }
        let Window { alpha, beta } = self.run.searcher.game.full_window(&self.evaluator()?);
        if !(alpha..=beta).contains(&entry.value) {
            let message = format!("no position is worth {}", entry.value);
            let hint = format!("values go from {alpha} to {beta}");
            return Err(Fault::new(message).hint(hint).about("value"));
        }
        if old.is_none() && !fields.iter().any(|(name, _)| *name == "value") {
            let key = self.keyed_text(place.at);
            return Err(Fault::new(format!("there is no entry {key} yet, so it needs a value"))
                .hint("give value=…"));
        }
        Ok(place.turn(entry))
    }

    /// What a new entry has where nothing is said: the full window, an exact value.
    fn blank(&self, at: Keyed<G::Key>, policy: Policy) -> Answer<Entry> {
        let window = self.run.searcher.game.full_window(&self.evaluator()?);
        Ok(Entry {
            value: Score::ZERO,
            window: (policy == Policy::Interval).then_some(window),
            bound: matches!(policy, Policy::Bound | Policy::Exact).then_some(Bound::Exact),
            depth: (policy != Policy::Rote).then_some(at.depth),
        })
    }

    /// What a reader of an edited entry should know.
    pub(super) fn edit_notes(&self, at: Keyed<G::Key>, entry: &Entry) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(key) = self
            .searched_key(at.key)
            .filter(|_| self.run.searcher.settings.mode().scheme == KeyScheme::Canonical)
        {
            let searched = self.keyed_text(Keyed { key, ..at });
            notes.push(format!("with symmetry=on searches look under {searched}: this entry answers only with symmetry=off"));
        }
        if entry.window.is_some_and(|window| window.alpha >= window.beta) {
            notes.push("alpha is not below beta: no window lies inside, so the entry can only widen searches".into());
        }
        notes
    }
}

/// The fields of an entry, as `cache set` names them.
pub const FIELDS: [&str; 5] = ["value", "alpha", "beta", "bound", "depth"];

fn set_field(entry: &mut Entry, policy: Policy, name: &str, text: &str) -> Answer<()> {
    let absent = || {
        let message = format!("an entry of the memo policy `{policy}` has no field `{name}`");
        Err(Fault::new(message).hint(format!("the fields are {}", FIELDS.join(", "))))
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
