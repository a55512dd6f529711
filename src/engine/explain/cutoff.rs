//! Why a node is cut off: which value reaches β, and where β comes from.

use serde::Serialize;

use super::{BoundSource, End, Windows};
use crate::engine::{
    game::{Game, MoveText, Score, Side},
    search::{Algorithm, EventKind, Search},
};

/// Why a node is cut off, or which value would cut it off.
#[derive(Clone, Debug, Serialize)]
pub struct CutoffExplained {
    pub(crate) ply: u32,
    pub(crate) state: String,
    pub(crate) side: Side,
    /// Whether the node's value reaches β.
    pub(crate) cut: bool,
    /// What cuts the node off: a `move`, an `entry` of the cache, a `pass` (null-move pruning), or `stand-pat`, the
    /// static value in quiescence.
    pub(crate) by: Option<&'static str>,
    /// The best move so far, if any.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub(crate) mv: Option<MoveText>,
    /// The best value so far, if any.
    pub(crate) value: Option<Score>,
    pub(crate) beta: Score,
    /// Whether the node's moves are listed.
    pub(crate) expanded: bool,
    /// The moves that the cutoff saves; without a cutoff, the moves still to be searched.
    pub(crate) spared: Vec<MoveText>,
    /// Where β comes from: the node and the reason that set it.
    pub(crate) source: BoundSource,
}

impl CutoffExplained {
    pub(crate) fn of<G: Game>(
        game: &G,
        search: &Search<G>,
        algorithm: Algorithm,
        ply: usize,
    ) -> Self {
        let frame = &search.frames()[ply];
        let is_current = ply == search.ply() as usize;
        let by = match search.describe().kind {
            EventKind::Hit if is_current => "entry",
            EventKind::StandPat if is_current => "stand-pat",
            EventKind::Cutoff if is_current && frame.best_move().is_none() => "pass",
            _ => "move",
        };
        let found = (by != "move").then(|| search.node_value());
        let value = found.or(frame.best_move().map(|_| frame.best));
        let cut = algorithm.has_windows() && value.is_some_and(|it| frame.window.fails_high(it));
        let name = |mv: G::Move| game.move_text(&frame.position, mv);
        let unsearched = &search.moves_of(frame)[frame.entered()..];
        Self {
            ply: ply as u32,
            state: game.format_position(&frame.position),
            side: game.side(&frame.position),
            cut,
            by: cut.then_some(by),
            mv: frame.best_move().map(name),
            value,
            beta: frame.window.beta,
            expanded: frame.children() > 0,
            spared: unsearched.iter().map(|&mv| name(mv)).collect(),
            source: Windows { game, search, algorithm }.source(ply, End::Beta),
        }
    }
}
