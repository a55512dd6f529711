//! Why the moves of a node are searched in the order they are.

use std::cmp::Ordering;

use serde::Serialize;

use crate::engine::{
    core::game::is_default,
    game::{Fault, Game, History as _, Score, Side},
    search::{Context, MoveSorter, NodeHints, Search, orders_moves},
    table::{AnyTable, SearchTable, with_table},
};

/// The moves of a node in the order they are searched, with the hints that place them.
#[derive(Clone, Debug, Serialize)]
pub struct OrderExplained {
    /// Distance from the root.
    pub ply: u32,
    /// The position.
    pub state: String,
    /// The side to move.
    pub side: Side,
    /// The order in force, as `search set order=` has it.
    pub order: String,
    /// What places the moves: `hints`, `iteration` (the values of the root's moves in the iteration before) or `game`: the
    /// order in which the game lists them.
    pub by: &'static str,
    /// The moves, the first one first.
    pub moves: Vec<OrderedMove>,
}

/// A move and what places it.
#[derive(Clone, Debug, Serialize)]
pub struct OrderedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its place, from 1.
    pub place: u64,
    /// What each hint in force says of it now.
    pub hints: MoveHints,
    /// What puts it before the next move: the name of a hint; `pass` for a null move, which always comes first; `game` where
    /// all hints are equal; `changed` where what they say has changed since the moves were sorted.
    pub by: Option<&'static str>,
    /// What it captures and the like, where the game takes it for urgent.
    pub does: Option<String>,
}

/// What each hint in force says of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MoveHints {
    /// Whether the memo answers with a cutoff after it.
    #[serde(skip_serializing_if = "is_default")]
    pub etc: bool,
    /// Whether it is the best move in the node's own entry.
    #[serde(skip_serializing_if = "is_default")]
    pub best: bool,
    /// The value of the child that the iteration before left in the memo, for the mover.
    pub memo: Option<Score>,
    /// How urgent the game takes it to be; nothing for a quiet one.
    pub captures: Option<u16>,
    /// 1 for the move that last cut off a node at this ply, 2 for the one before it.
    pub killer: Option<u8>,
    /// The cutoffs of moves like it, each counted as the square of its depth.
    pub history: Option<u32>,
    /// The child's static value, for the mover.
    #[serde(rename = "static")]
    pub static_eval: Option<Score>,
}

impl OrderExplained {
    /// The order at a ply of the stack, or at the nearest node above it that has its moves already.
    pub fn of<G: Game>(
        context: &Context<'_, G>,
        (search, memo): (&Search<G>, &AnyTable<G::Key>),
        ply: usize,
    ) -> Result<Self, Fault> {
        let frames = search.frames();
        let ply = (0..=ply).rev().find(|&ply| frames[ply].children() > 0).ok_or_else(|| {
            Fault::new("no node of the stack has its moves yet").hint("`step` goes on")
        })?;
        let (game, frame) = (context.game, &frames[ply]);
        let best_moves = ply == 0 && !search.root_moves().is_empty();
        let moves = search_order(context, (search, memo), ply);
        let history = history_below(search, ply);
        let at = (ply, &history);
        let sorted = &moves[usize::from(frame.passes)..];
        let told = || with_table!(memo, memo => told(&search.sorter(context, memo, at), sorted));
        let hints = if best_moves { None } else { told() };
        let by = match &hints {
            Some(_) => "hints",
            None if best_moves && !frame.whole => "iteration",
            None => "game",
        };
        let moves = moves.iter().zip(1_u64..);
        let pass = frame.passes.then_some((MoveHints::default(), Some("pass")));
        let mut hints = pass.into_iter().chain(hints.into_iter().flatten());
        let moves = moves.map(|(&mv, place)| {
            let (hints, by) = hints.next().unwrap_or_default();
            let does = hints.captures.map(|_| game.describe_capture(&frame.position, mv));
            OrderedMove { mv: game.format_move(&frame.position, mv), place, hints, by, does }
        });
        let moves = moves.collect();
        Ok(Self {
            ply: ply as u32,
            state: game.format_position(&frame.position),
            side: game.side(&frame.position),
            order: context.mode.order.to_string(),
            by,
            moves,
        })
    }
}

/// What lies before the children of the node at a ply.
fn history_below<G: Game>(search: &Search<G>, ply: usize) -> G::History {
    let mut history = search.history_at(ply);
    history.push(&search.frames()[ply].position);
    history
}

/// The moves of the node at a ply in the order they are searched: those that are not in order yet as they would be now.
pub fn search_order<G: Game>(
    context: &Context<'_, G>,
    (search, memo): (&Search<G>, &AnyTable<G::Key>),
    ply: usize,
) -> Vec<G::Move> {
    let mut moves = search.moves_of(&search.frames()[ply]).to_vec();
    let at = (ply, &history_below(search, ply));
    with_table!(memo, memo => search.sorter(context, memo, at).sort_all(&mut moves));
    moves
}

/// What the hints in force now say of the node's moves, in search order, each with what puts it before the next one; nothing
/// where the node does not sort.
fn told<G: Game, M: SearchTable<G::Key>>(
    sorter: &MoveSorter<'_, G, M>,
    moves: &[G::Move],
) -> Option<Vec<(MoveHints, Option<&'static str>)>> {
    if !orders_moves(&sorter.context.mode, sorter.frame) {
        return None;
    }
    let node_hints = sorter.hints().map(|hints| sorter.node_hints(hints));
    let hints: Vec<_> = moves.iter().map(|&mv| hints(sorter, node_hints.as_ref(), mv)).collect();
    let value_first = node_hints.is_none_or(|node_hints| node_hints.earlier.is_some());
    let unknown = if G::SCORES_CAPTURES { Score::NEG_INFINITY } else { Score::ZERO };
    let next = hints.iter().skip(1).map(Some).chain([None]);
    let decides = |one: &MoveHints, next: &MoveHints| decides(one, next, value_first, unknown);
    let mut placed: Vec<_> = hints
        .iter()
        .zip(next)
        .map(|(one, next)| (*one, next.map(|next| decides(one, next))))
        .collect();
    // Of the moves after which a cutoff is known only one is taken before the others.
    if let Some((_, by)) = placed.first_mut().filter(|(first, _)| first.etc) {
        *by = Some("etc");
    }
    Some(placed)
}

/// What the hints say of a move; the seeds' order knows the memo alone.
fn hints<G: Game, M: SearchTable<G::Key>>(
    sorter: &MoveSorter<'_, G, M>,
    node_hints: Option<&NodeHints<G::Move>>,
    mv: G::Move,
) -> MoveHints {
    let Some(node_hints) = node_hints else {
        return MoveHints { memo: sorter.reference_value(mv), ..MoveHints::default() };
    };
    let killer = node_hints.killers.iter().position(|killer| *killer == Some(mv));
    MoveHints {
        etc: node_hints.hints.etc && sorter.is_known_cutoff(mv),
        best: sorter.is_best(node_hints, mv),
        memo: sorter.known(node_hints, mv),
        captures: Some(sorter.capture_score(mv))
            .filter(|most| node_hints.hints.captures && *most > 0),
        killer: killer.map(|place| place as u8 + 1),
        history: Some(sorter.count(mv)).filter(|count| node_hints.hints.history && *count > 0),
        static_eval: sorter.static_eval(node_hints, mv),
    }
}

/// What puts a move before another one: the strongest hint that tells them apart.
fn decides(one: &MoveHints, other: &MoveHints, value_first: bool, unknown: Score) -> &'static str {
    let value = |hints: &MoveHints| hints.memo.or(hints.static_eval).unwrap_or(unknown);
    let by_value = if one.memo.is_some() || one.static_eval.is_none() { "memo" } else { "static" };
    let rank = |hints: &MoveHints| hints.killer.map_or(0, |killer| 3 - killer);
    let value = (by_value, value(one).order(value(other)));
    let best = ("best", one.best.cmp(&other.best));
    let captures = ("captures", one.captures.cmp(&other.captures));
    let killers = ("killers", rank(one).cmp(&rank(other)));
    let history = ("history", one.history.cmp(&other.history));
    let mut order = [best, captures, killers, value, history];
    if value_first {
        order[..4].rotate_right(1);
    }
    let told = order.into_iter().find(|(_, order)| order.is_ne());
    match told {
        Some((hint, Ordering::Greater)) => hint,
        Some(_) => "changed",
        None => "game",
    }
}
