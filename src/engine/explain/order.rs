//! The order in which the moves of a node are searched, and why.

use std::cmp::Ordering;

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::engine::{
    game::{Fault, Game, History as _, MoveText, Score, Side},
    search::{
        Context, HEURISTICS, Heuristic, HeuristicInfo, MoveSorter, NodeHeuristics, Search, Shows,
        sorts_moves,
    },
    table::{AnyTable, SearchTable, with_table},
};

/// The moves of a node in search order, with the heuristics that determine the order.
#[derive(Clone, Debug, Serialize)]
pub struct OrderExplained {
    /// The distance of the node from the root, in plies.
    pub ply: u32,
    /// The position of the node, in the game's notation.
    pub state: String,
    /// The side to move at the node.
    pub side: Side,
    /// The move order of the search, as in `search set order=`.
    pub order: String,
    /// The basis of the order: `hints`, `iteration` (the values of the root's moves in the previous iteration) or `game` (the
    /// order in which the game lists the moves).
    pub by: &'static str,
    /// The moves in search order.
    pub moves: Vec<OrderedMove>,
}

/// A move, and the reason for its place.
#[derive(Clone, Debug, Serialize)]
pub struct OrderedMove {
    /// The move, in the game's notation.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: MoveText,
    /// The place of the move in the search order, from 1.
    pub place: u64,
    /// The current evidence for the move by each heuristic.
    pub hints: MoveEvidence,
    /// The reason why the move comes before the next one: the name of a heuristic; `pass` for a null move, which always comes
    /// first; `game` where all heuristics are equal; `changed` where their evidence has changed since the moves were sorted.
    pub by: Option<&'static str>,
    /// What the move captures, in the words of the game; `None` for a quiet move.
    pub does: Option<String>,
}

/// The evidence of a heuristic that a move should be searched early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evidence {
    /// The heuristic chooses the move, and gives no number.
    Yes,
    /// The rank of a killer: 1 for the latest, 2 for the one before.
    Rank(u8),
    /// A number, such as a history count: the move with the higher number comes first.
    Count(u32),
    /// The value of the move, for the side that makes it.
    Value(Score),
}

/// The evidence for a move by each heuristic, in the order of [`HEURISTICS`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveEvidence([Option<Evidence>; HEURISTICS.len()]);

impl MoveEvidence {
    /// The evidence of one heuristic; `None` if that heuristic has none.
    pub const fn of(&self, heuristic: Heuristic) -> Option<Evidence> {
        self.0[heuristic as usize]
    }

    /// The value by which a heuristic sorts the move; `None` if the heuristic does not sort by values.
    pub const fn value(&self, heuristic: Heuristic) -> Option<Score> {
        match self.of(heuristic) {
            Some(Evidence::Value(value)) => Some(value),
            _ => None,
        }
    }
}

impl Serialize for MoveEvidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for HeuristicInfo { heuristic, column, shows, .. } in &HEURISTICS {
            match self.of(*heuristic) {
                None if matches!(shows, Shows::Word(_)) => {}
                None => map.serialize_entry(column, &())?,
                Some(Evidence::Yes) => map.serialize_entry(column, &true)?,
                Some(Evidence::Rank(rank)) => map.serialize_entry(column, &rank)?,
                Some(Evidence::Count(count)) => map.serialize_entry(column, &count)?,
                Some(Evidence::Value(value)) => map.serialize_entry(column, &value)?,
            }
        }
        map.end()
    }
}

impl OrderExplained {
    /// Explains the order at the node of `ply`; if its moves are not listed, at the nearest node above whose moves are listed.
    pub fn of<G: Game>(
        context: &Context<'_, G>,
        search: &Search<G>,
        memo: &AnyTable<G::Key>,
        ply: usize,
    ) -> Result<Self, Fault> {
        let frames = search.frames();
        let ply = (0..=ply).rev().find(|&ply| frames[ply].children() > 0).ok_or_else(|| {
            Fault::new("no node of the stack has a list of moves yet").hint("`step` goes on")
        })?;
        let (game, frame) = (context.game, &frames[ply]);
        let best_moves = ply == 0 && !search.root_moves().is_empty();
        let moves = search_order(context, search, memo, ply);
        let history = history_below(search, ply);
        let sorted = &moves[usize::from(frame.has_null_move)..];
        let evidence = || with_table!(memo, memo => evidence(&search.sorter(context, memo, ply, &history), sorted));
        let hints = if best_moves { None } else { evidence() };
        let by = match &hints {
            Some(_) => "hints",
            None if best_moves && !frame.exact_moves => "iteration",
            None => "game",
        };
        let moves = moves.iter().zip(1_u64..);
        let pass = frame.has_null_move.then_some((MoveEvidence::default(), Some("pass")));
        let mut hints = pass.into_iter().chain(hints.into_iter().flatten());
        let moves = moves.map(|(&mv, place)| {
            let (hints, by) = hints.next().unwrap_or_default();
            let does =
                hints.of(Heuristic::Captures).map(|_| game.describe_capture(&frame.position, mv));
            OrderedMove { mv: game.move_text(&frame.position, mv), place, hints, by, does }
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

/// The history of the children of the node at a ply.
fn history_below<G: Game>(search: &Search<G>, ply: usize) -> G::History {
    let mut history = search.history_at(ply);
    history.push(&search.frames()[ply].position);
    history
}

/// The moves of the node at a ply in the order they are searched: moves not sorted yet in the order they would have now.
pub fn search_order<G: Game>(
    context: &Context<'_, G>,
    search: &Search<G>,
    memo: &AnyTable<G::Key>,
    ply: usize,
) -> Vec<G::Move> {
    let mut moves = search.moves_of(&search.frames()[ply]).to_vec();
    let history = history_below(search, ply);
    with_table!(memo, memo => search.sorter(context, memo, ply, &history).sort_all(&mut moves));
    moves
}

/// The current evidence of the heuristics for the node's moves, in search order, each with the heuristic that places it before
/// the next move; `None` if the node does not sort its moves.
fn evidence<G: Game, M: SearchTable<G::Key>>(
    sorter: &MoveSorter<'_, G, M>,
    moves: &[G::Move],
) -> Option<Vec<(MoveEvidence, Option<&'static str>)>> {
    if !sorts_moves(&sorter.context.mode, sorter.frame) {
        return None;
    }
    let node = sorter.in_force();
    let of_move = |mv: &G::Move| {
        let says = |info: HeuristicInfo| evidence_of(sorter, node.as_ref(), info.heuristic, *mv);
        MoveEvidence(HEURISTICS.map(says))
    };
    let evidence: Vec<_> = moves.iter().map(of_move).collect();
    let values_first = node.is_none_or(|node| node.stored_depth.is_some());
    let unknown = if G::SCORES_CAPTURES { Score::NEG_INFINITY } else { Score::ZERO };
    let next = evidence.iter().skip(1).map(Some).chain([None]);
    let by = |one, next: Option<&_>| next.map(|next| decides(one, next, values_first, unknown));
    let mut placed: Vec<_> =
        evidence.iter().zip(next).map(|(one, next)| (*one, by(one, next))).collect();
    // Only one move with a known cutoff is taken before the others.
    if let Some((_, by)) = placed.first_mut().filter(|(one, _)| one.of(Heuristic::Etc).is_some()) {
        *by = Some("etc");
    }
    Some(placed)
}

/// The evidence of a heuristic for a move. In the order of the seeds (`node` is `None`) only the table gives evidence.
fn evidence_of<G: Game, M: SearchTable<G::Key>>(
    sorter: &MoveSorter<'_, G, M>,
    node: Option<&NodeHeuristics<G::Move>>,
    heuristic: Heuristic,
    mv: G::Move,
) -> Option<Evidence> {
    let Some(node) = node else {
        let is_memo = heuristic == Heuristic::Memo;
        return is_memo.then(|| sorter.reference_value(mv))?.map(Evidence::Value);
    };
    let is_on = node.heuristics.has(heuristic);
    let yes = |says: bool| says.then_some(Evidence::Yes);
    let rank = |place: usize| Evidence::Rank(place as u8 + 1);
    let count = |count: u32| (is_on && count > 0).then_some(Evidence::Count(count));
    match heuristic {
        Heuristic::Etc => yes(is_on && sorter.is_known_cutoff(mv)),
        Heuristic::Memo => sorter.stored_value(node, mv).map(Evidence::Value),
        Heuristic::HashMove => yes(sorter.is_hash_move(node, mv)),
        Heuristic::Captures => count(sorter.capture_score(mv).into()),
        Heuristic::Killers => node.killers.iter().position(|killer| *killer == Some(mv)).map(rank),
        Heuristic::StaticEval => sorter.static_eval(node, mv).map(Evidence::Value),
        Heuristic::History => count(sorter.history_count(mv)),
    }
}

/// The reason why a move comes before another one: the strongest heuristic whose evidence differs.
fn decides(
    one: &MoveEvidence,
    other: &MoveEvidence,
    values_first: bool,
    unknown: Score,
) -> &'static str {
    let [memo, static_eval] = [Heuristic::Memo, Heuristic::StaticEval];
    // Moves are sorted by the static value where the table has no value.
    let value =
        |says: &MoveEvidence| says.value(memo).or(says.value(static_eval)).unwrap_or(unknown);
    let by_memo = one.value(memo).is_some() || one.value(static_eval).is_none();
    for HeuristicInfo { heuristic, name, .. } in &HEURISTICS {
        let (name, order) = match heuristic {
            Heuristic::Etc => continue,
            Heuristic::Memo | Heuristic::StaticEval => {
                if (*heuristic == memo) != values_first {
                    continue;
                }
                (if by_memo { "memo" } else { "static" }, value(one).order(value(other)))
            }
            _ => (*name, strength(one.of(*heuristic)).cmp(&strength(other.of(*heuristic)))),
        };
        match order {
            Ordering::Greater => return name,
            Ordering::Less => return "changed",
            Ordering::Equal => {}
        }
    }
    "game"
}

/// The amount of evidence for a move, for heuristics that do not sort by a value.
fn strength(evidence: Option<Evidence>) -> u32 {
    match evidence {
        None | Some(Evidence::Value(_)) => 0,
        Some(Evidence::Yes) => 1,
        Some(Evidence::Rank(rank)) => u32::from(u8::MAX - rank),
        Some(Evidence::Count(count)) => count,
    }
}
