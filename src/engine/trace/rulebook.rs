use std::{
    fmt::Debug,
    hash::{BuildHasher as _, Hash},
};

use rustc_hash::FxBuildHasher;

use crate::engine::game::{Board, Game, KeyScheme, Side};

/// Follows a trace by the rules of its game.
pub trait Rulebook: Debug + Send {
    /// A search begins at a position; at the usual start where none is told.
    fn begin(&mut self, root: Option<&str>);
    /// A node is entered by a move, or is the same position again.
    fn enter(&mut self, mv: Option<&str>, position: Option<&str>) -> Entered;
    /// A node is entered by a pass: its position is only known if it is told.
    fn enter_null(&mut self, position: Option<&str>) -> Entered;
    /// The last node entered is left.
    fn leave(&mut self);
    /// The position at hand in the game's notation, where it is known.
    fn position(&self) -> Option<String>;
    /// The side to move there.
    fn side(&self) -> Option<Side>;
    /// One line of prose about it.
    fn words(&self) -> Option<String>;
    /// Its board, after a move that led there.
    fn board(&self, last: Option<&str>) -> Option<Board>;
}

/// What the rules say of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entered {
    /// Whether the rules know no such move.
    pub illegal: bool,
    /// Whether black is to move.
    pub black: Option<bool>,
    /// What equal positions share and no others do.
    pub exact: Option<u64>,
    /// What positions share that are equal by symmetry and colour, and no others do.
    pub class: Option<u64>,
}

/// The rules of a game.
#[derive(Debug)]
pub struct Following<G: Game> {
    game: G,
    root: Option<G::Position>,
    line: Vec<Option<G::Position>>,
}

impl<G: Game> Following<G> {
    /// At the start of a game.
    pub fn new(game: G) -> Self {
        let root = Some(game.start());
        Self { game, root, line: Vec::new() }
    }

    fn push(
        &mut self,
        position: Option<G::Position>,
        told: Option<&str>,
        doubtful: bool,
    ) -> Entered {
        let hashed = |scheme, position: &G::Position| hash(self.game.key(position, scheme));
        let at = position.as_ref();
        let by_key = at.filter(|_| !doubtful).map(|position| hashed(KeyScheme::Plain, position));
        // Placement, side to move, castling and en passant: no clocks.
        let state = |fen: &str| fen.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        let by_fen = told.filter(|_| G::STATE_IS_FEN).map(|told| hash(state(told)));
        let entered = Entered {
            illegal: false,
            black: at.map(|position| self.game.side(position) == Side::Black),
            exact: by_fen.or(by_key),
            class: at.map(|position| hashed(KeyScheme::Canonical, position)),
        };
        self.line.push(position);
        entered
    }

    fn at_hand(&self) -> Option<&G::Position> {
        self.line.last().unwrap_or(&self.root).as_ref()
    }

    fn read(&self, text: &str) -> Option<G::Position> {
        self.game.parse_position(text).ok()
    }
}

/// The hash that stands for a text or for bytes.
pub(super) fn hash(text: impl Hash) -> u64 {
    FxBuildHasher.hash_one(text)
}

/// Whether a move may be a pawn's double step. Programs differ in whether the square behind it belongs to the position
/// where nobody can capture there.
fn may_be_double_step(mv: &str) -> bool {
    matches!(mv.as_bytes(), [from, b'2', to, b'4'] | [from, b'7', to, b'5'] if from == to)
        || matches!(mv.as_bytes(), [b'a'..=b'h', b'4' | b'5', ..])
}

impl<G: Game> Rulebook for Following<G> {
    fn begin(&mut self, root: Option<&str>) {
        self.line.clear();
        self.root = match root {
            Some(text) => self.read(text),
            None => Some(self.game.start()),
        };
    }

    fn enter(&mut self, mv: Option<&str>, told: Option<&str>) -> Entered {
        let before = self.at_hand();
        let none = G::History::default();
        let after = before.zip(mv).map(|(before, mv)| {
            let mv = self.game.parse_move(before, &none, mv).ok()?;
            Some(self.game.apply(before, mv))
        });
        let illegal = matches!(after, Some(None));
        let moved = if mv.is_some() { after.flatten() } else { before.cloned() };
        let position = told.and_then(|told| self.read(told)).or(moved);
        let doubtful = G::STATE_IS_FEN && mv.is_some_and(may_be_double_step);
        Entered { illegal, ..self.push(position, told, doubtful) }
    }

    fn enter_null(&mut self, told: Option<&str>) -> Entered {
        let position = told.and_then(|told| self.read(told));
        self.push(position, told, false)
    }

    fn leave(&mut self) {
        self.line.pop();
    }

    fn position(&self) -> Option<String> {
        self.at_hand().map(|position| self.game.format_position(position))
    }

    fn side(&self) -> Option<Side> {
        self.at_hand().map(|position| self.game.side(position))
    }

    fn words(&self) -> Option<String> {
        self.at_hand().map(|position| self.game.describe_position(position, &G::History::default()))
    }

    fn board(&self, last: Option<&str>) -> Option<Board> {
        let none = G::History::default();
        let before = match self.line.as_slice() {
            [.., before, _] => before,
            [_] => &self.root,
            [] => &None,
        };
        let last = before
            .as_ref()
            .zip(last)
            .and_then(|(before, mv)| self.game.parse_move(before, &none, mv).ok());
        self.game.board(self.at_hand()?, &none, last)
    }
}
