use std::{
    fmt::Debug,
    hash::{BuildHasher as _, Hash},
};

use rustc_hash::FxBuildHasher;

use crate::engine::game::{Board, Game, KeyScheme, Side};

/// The rules by which a trace is followed: its moves are played, so that the position of each open node is known.
pub trait Rulebook: Debug + Send {
    /// A new rulebook for another thread, at the same root.
    fn fresh(&self) -> Box<dyn Rulebook>;
    /// Begins a search of a position, by default of the game's start.
    fn begin(&mut self, root: Option<&str>);
    /// Enters a node by a move, or the same position again without a move. `position` is the text in the trace.
    fn enter(&mut self, mv: Option<&str>, position: Option<&str>) -> Entered;
    /// Enters a node by a null move.
    fn enter_null(&mut self, position: Option<&str>) -> Entered;
    /// The index of the first illegal move of a line from the root; `None` if all are legal.
    fn first_illegal(&self, line: &mut dyn Iterator<Item = &str>) -> Option<usize>;
    /// A move of the current position in standard algebraic notation; `None` for an illegal move, and in games without SAN.
    fn san(&self, mv: &str) -> Option<String>;
    /// Leaves the node that was entered last.
    fn leave(&mut self);
    /// The current position in the game's notation; `None` if it is unknown.
    fn position(&self) -> Option<String>;
    /// The side to move in the current position; `None` if the position is unknown.
    fn side(&self) -> Option<Side>;
    /// The number of legal moves, if the position is known.
    fn legal_moves(&self) -> Option<usize>;
    /// A sentence about the current position, for people; `None` if the position is unknown.
    fn description(&self) -> Option<String>;
    /// The board of the current position, with the last move marked; `None` if the position is unknown.
    fn board(&self, last: Option<&str>) -> Option<Board>;
}

/// The facts about an entered node by the rules of its game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entered {
    /// Whether the move to the node is illegal.
    pub illegal: bool,
    /// Whether Black is to move; `None` if the position is unknown.
    pub black_to_move: Option<bool>,
    /// A hash of the position; `None` if the position is unknown.
    pub exact: Option<u64>,
    /// A hash that is the same for positions equal by symmetry and exchange of colours.
    pub class: Option<u64>,
}

/// The [`Rulebook`] of a game that Plyscope has.
#[derive(Debug)]
pub struct GameRulebook<G: Game> {
    game: G,
    root: Option<G::Position>,
    line: Vec<Option<G::Position>>,
}

impl<G: Game> GameRulebook<G> {
    /// A rulebook at the start of the game.
    pub fn new(game: G) -> Self {
        let root = Some(game.start());
        Self { game, root, line: Vec::new() }
    }

    fn push(
        &mut self,
        position: Option<G::Position>,
        text: Option<&str>,
        maybe_en_passant: bool,
    ) -> Entered {
        let hashed = |scheme| Some(hash(self.game.key(position.as_ref()?, scheme)));
        // Compares placement, side to move, castling and en passant, but not the clocks.
        let state = |fen: &str| fen.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        let by_fen = text.filter(|_| G::STATE_IS_FEN).map(|fen| hash(state(fen)));
        let by_key = if maybe_en_passant { None } else { hashed(KeyScheme::Plain) };
        let side = position.as_ref().map(|position| self.game.side(position));
        let entered = Entered {
            illegal: false,
            black_to_move: side.map(|side| side == Side::Black),
            exact: by_fen.or(by_key),
            class: hashed(KeyScheme::Canonical),
        };
        self.line.push(position);
        entered
    }

    fn current(&self) -> Option<&G::Position> {
        self.line.last().unwrap_or(&self.root).as_ref()
    }

    fn parse(&self, text: &str) -> Option<G::Position> {
        self.game.parse_position(text).ok()
    }
}

pub(super) fn hash(value: impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Whether a move may be a pawn's double step. After a double step, the keys of programs differ: some always include the
/// en-passant square, some only if a capture is possible.
fn may_be_double_step(mv: &str) -> bool {
    matches!(mv.as_bytes(), [from, b'2', to, b'4'] | [from, b'7', to, b'5'] if from == to)
        || matches!(mv.as_bytes(), [b'a'..=b'h', b'4' | b'5', ..])
}

impl<G: Game> Rulebook for GameRulebook<G> {
    fn fresh(&self) -> Box<dyn Rulebook> {
        Box::new(Self { game: self.game.clone(), root: self.root.clone(), line: Vec::new() })
    }

    fn begin(&mut self, root: Option<&str>) {
        self.line.clear();
        self.root = match root {
            Some(text) => self.parse(text),
            None => Some(self.game.start()),
        };
    }

    fn enter(&mut self, mv: Option<&str>, text: Option<&str>) -> Entered {
        let before = self.current();
        let history = G::History::default();
        let after = before.zip(mv).map(|(before, mv)| {
            let mv = self.game.parse_move(before, &history, mv).ok()?;
            Some(self.game.apply(before, mv))
        });
        let illegal = matches!(after, Some(None));
        let after = if mv.is_some() { after.flatten() } else { before.cloned() };
        let position = text.and_then(|text| self.parse(text)).or(after);
        let maybe_en_passant = G::STATE_IS_FEN && mv.is_some_and(may_be_double_step);
        Entered { illegal, ..self.push(position, text, maybe_en_passant) }
    }

    fn enter_null(&mut self, text: Option<&str>) -> Entered {
        let after = self.current().and_then(|before| {
            let pass = self.game.null_move(before)?;
            Some(self.game.apply(before, pass))
        });
        let position = text.and_then(|text| self.parse(text)).or(after);
        self.push(position, text, false)
    }

    fn san(&self, mv: &str) -> Option<String> {
        let position = self.current()?;
        let mv = self.game.parse_move(position, &G::History::default(), mv).ok()?;
        self.game.san(position, mv)
    }

    fn first_illegal(&self, line: &mut dyn Iterator<Item = &str>) -> Option<usize> {
        let mut at = self.root.clone()?;
        for (place, mv) in line.enumerate() {
            match self.game.parse_move(&at, &G::History::default(), mv) {
                Ok(mv) => at = self.game.apply(&at, mv),
                Err(_) => return Some(place),
            }
        }
        None
    }

    fn leave(&mut self) {
        self.line.pop();
    }

    fn position(&self) -> Option<String> {
        self.current().map(|position| self.game.format_position(position))
    }

    fn side(&self) -> Option<Side> {
        self.current().map(|position| self.game.side(position))
    }

    fn legal_moves(&self) -> Option<usize> {
        Some(self.game.perft(self.current()?, &mut G::History::default(), 1) as usize)
    }

    fn description(&self) -> Option<String> {
        self.current().map(|position| self.game.describe_position(position, &G::History::default()))
    }

    fn board(&self, last: Option<&str>) -> Option<Board> {
        let history = G::History::default();
        let before = match self.line.as_slice() {
            [.., before, _] => before.as_ref(),
            [_] => self.root.as_ref(),
            [] => None,
        };
        let parse = |(before, mv)| self.game.parse_move(before, &history, mv).ok();
        self.game.board(self.current()?, &history, before.zip(last).and_then(parse))
    }
}
