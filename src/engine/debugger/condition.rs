//! Conditions of breakpoints, and the kinds and plies of events at which they can hold.

use super::{Clause, ComparedWord, Name};
use crate::engine::{
    game::{Fault, Game, History, KeyScheme, Result, move_in},
    search::{Event, EventKind, Frame, Search},
};

/// The names of conditions in `break NAME=VALUE`.
pub const CONDITIONS: [&str; 8] =
    ["ply", "depth", "kind", "key", "position", "class", "line", "fails"];

/// On which side of its window a node fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Fails {
    /// The value is at or below α.
    Low,
    /// The value is at or above β.
    High,
}

impl Fails {
    /// The events at which a node gets a value without searching moves.
    pub(super) const FOUND: Kinds = Kinds::of(&[
        EventKind::Hit,
        EventKind::Leaf,
        EventKind::StandPat,
        EventKind::Terminal,
        EventKind::Tables,
    ]);

    pub(super) const fn kinds(self) -> Kinds {
        Self::FOUND.or(match self {
            Self::Low => Kinds::of(&[EventKind::Return]),
            Self::High => Kinds::of(&[EventKind::Cutoff]),
        })
    }

    /// Whether an event gives a node its final value, on this side of the window.
    pub(super) fn holds<G: Game>(self, event: &Event, frame: &Frame<G>) -> bool {
        let Some(value) = event.value else {
            return false;
        };
        match (event.kind, self) {
            (EventKind::Return, Self::Low) => {
                let is_last = frame.entered() == frame.children();
                is_last && !frame.exact_moves && frame.window.fails_low(frame.best)
            }
            (EventKind::Cutoff, Self::High) => true,
            (kind, Self::Low) => Self::FOUND.contains(kind) && frame.window.fails_low(value),
            (kind, Self::High) => Self::FOUND.contains(kind) && frame.window.fails_high(value),
        }
    }
}

/// A key, ready to be compared with the keys of positions, under any key scheme.
#[derive(Clone, Debug)]
pub struct KeyMatch<G: Game> {
    key: G::Key,
    /// The [`KeyScheme::Colour`] keys of the positions with this key: a canonical key stands for several positions.
    colours: Vec<G::Key>,
    /// Whether the key cannot be decoded: then the canonical key of every position must be computed.
    opaque: bool,
}

impl<G: Game> KeyMatch<G> {
    pub fn new(game: &G, key: G::Key) -> Self {
        let position = game.decode(key);
        let colours = match &position {
            Some(position) if game.key(position, KeyScheme::Canonical) == key => {
                game.orbit(position).iter().map(|twin| game.key(twin, KeyScheme::Colour)).collect()
            }
            _ => vec![key],
        };
        Self { key, colours, opaque: position.is_none() }
    }

    #[inline]
    pub fn holds(&self, game: &G, position: &G::Position) -> bool {
        self.colours.contains(&game.key(position, KeyScheme::Colour))
            || game.key(position, KeyScheme::Plain) == self.key
            || self.opaque && game.key(position, KeyScheme::Canonical) == self.key
    }
}

/// A line of moves from the root of a search.
#[derive(Clone, Debug)]
pub struct Line<G: Game> {
    /// The moves as typed.
    words: Vec<String>,
    /// Whether the line ends in `*`, and so includes the nodes below its end.
    below: bool,
    /// The root, and the position after each move; `None` before the moves are read.
    read: Option<(G::Position, Vec<G::Position>)>,
}

impl<G: Game> Line<G> {
    /// Splits a line: moves with blanks between them, and `*` at the end for all nodes below.
    pub fn new(text: &str) -> Result<Self> {
        let mut words: Vec<_> = text.split_whitespace().collect();
        let below = words.pop_if(|word| *word == "*").is_some();
        let words: Vec<_> = words.into_iter().filter_map(move_in).map(str::to_owned).collect();
        if words.is_empty() {
            return Err(Fault::new("the line has no moves").hint(
                "write moves from the root, such as \"d6 a4\"; `*` at the end adds all nodes below",
            ));
        }
        Ok(Self { words, below, read: None })
    }

    /// Reads the moves from a root. Errors: moves that are not legal.
    pub fn read(&mut self, game: &G, root: &G::Position, history: &G::History) -> Result<()> {
        if self.read.as_ref().is_some_and(|(known, _)| known == root) {
            return Ok(());
        }
        self.read = None;
        let (mut position, mut history) = (root.clone(), history.clone());
        let mut positions = Vec::with_capacity(self.words.len());
        for (place, word) in self.words.iter().enumerate() {
            let mv = game.read_move(&position, &history, word).map_err(|fault| Fault {
                message: format!("move {} of the line: {}", place + 1, fault.message),
                at: None,
                ..fault
            })?;
            history.push(&position);
            position = game.apply(&position, mv);
            positions.push(position.clone());
        }
        self.read = Some((root.clone(), positions));
        Ok(())
    }

    /// Whether these moves lead to the node at a ply of the search.
    pub(super) fn holds(&self, search: &Search<G>, ply: u32) -> bool {
        let Some((_, positions)) = &self.read else {
            return false;
        };
        let (length, ply) = (positions.len(), ply as usize);
        if ply < length || ply > length && !self.below {
            return false;
        }
        let frames = search.frames().get(1..).unwrap_or_default();
        let is_there = |place| {
            frames.get(place).is_some_and(|frame: &Frame<G>| frame.position == positions[place])
        };
        // Compares from the end, because lines of a tree share their first moves.
        (0..length).rev().all(is_there)
    }

    pub(super) fn plies(&self) -> Plies {
        let end = single_ply(self.words.len() as u32);
        if self.below { !(end - 1) } else { end }
    }

    pub fn text(&self) -> String {
        let end = if self.below { " *" } else { "" };
        self.words.join(" ") + end
    }
}

/// A set of kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u32);

impl Kinds {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(u32::MAX);

    pub const fn of(kinds: &[EventKind]) -> Self {
        let mut set = 0;
        let mut at = 0;
        while at < kinds.len() {
            set |= 1 << kinds[at] as u32;
            at += 1;
        }
        Self(set)
    }

    #[inline]
    pub const fn contains(self, kind: EventKind) -> bool {
        self.0 & 1 << kind as u32 != 0
    }

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn others(self) -> Self {
        Self(!self.0)
    }

    pub fn is_empty(self) -> bool {
        !EventKind::ALL.iter().any(|kind| self.contains(*kind))
    }
}

/// A set of plies, one bit each; the last bit stands for all deeper plies. The set rules out most events with one test.
pub(super) type Plies = u64;

const LAST: u32 = Plies::BITS - 1;

#[inline]
pub(super) const fn single_ply(ply: u32) -> Plies {
    1 << if ply < LAST { ply } else { LAST }
}

pub(super) fn plies_of<G: Game>(clause: &Clause<G>) -> Plies {
    match clause {
        Clause::All(parts) => parts.iter().fold(Plies::MAX, |plies, part| plies & plies_of(part)),
        Clause::Test(Name::Ply, comparison, constant) => (0..LAST)
            .filter(|ply| comparison.holds(f64::from(*ply), *constant))
            .fold(single_ply(LAST), |plies, ply| plies | single_ply(ply)),
        Clause::Is(_, ComparedWord::Line(line), true) => line.plies(),
        _ => Plies::MAX,
    }
}
