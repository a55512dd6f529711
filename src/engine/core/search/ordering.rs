//! Move ordering: in which order the moves of a node are tried.

use serde::{Deserialize, Serialize};

use super::{
    Context, Frame, Heuristic, Heuristics, Mode, Order, Search, hash_move_of, probe::collides, slot,
};
use crate::engine::core::{
    game::{History as _, Key as _, KeyScheme, Score, SearchRules},
    table::{HashMove, Probe, SearchTable},
};

/// Buffers of the sort, kept between nodes so that no node allocates.
#[derive(Debug)]
pub struct Scratch<M> {
    priorities: Vec<MovePriority>,
    moves: Vec<M>,
}

impl<M> Clone for Scratch<M> {
    // The clone is empty: the next node overwrites the buffers anyway, so checkpoints need not carry them.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<M> Default for Scratch<M> {
    fn default() -> Self {
        Self { priorities: Vec::new(), moves: Vec::new() }
    }
}

/// The place of a move in the order, packed into one number so that one comparison sorts: the greatest comes first. From the
/// top: hash move (1 bit), capture (16), killer (2), value of the child (64), history (24), and the place in the game's own
/// order (21), which makes all priorities different. A value from the table goes above the hash move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct MovePriority(u128);

const PLACE_BITS: u32 = 21;
const HISTORY_BITS: u32 = 24;
const VALUE_BITS: u32 = 64;
/// Hash move, capture and killer: see [`MoveSorter::move_class`].
const CLASS_BITS: u32 = 1 + 16 + 2;
const ABOVE_HISTORY: u32 = PLACE_BITS + HISTORY_BITS;
const LAST_PLACE: u32 = (1 << PLACE_BITS) - 1;

impl MovePriority {
    #[inline]
    fn with_place(self, place: u32) -> Self {
        Self(self.0 | u128::from(LAST_PLACE - place))
    }

    #[inline]
    fn place(self) -> usize {
        (LAST_PLACE - (self.0 as u32 & LAST_PLACE)) as usize
    }
}

/// The heuristics in force at a node, with the data that they read from the node's entry and the killers of its ply.
pub(in crate::engine) struct NodeHeuristics<M> {
    pub heuristics: Heuristics,
    pub hash_move: Option<HashMove>,
    /// The depth at which the previous iteration stored the children; `None` if it stored none or `memo` is off. Values stored
    /// there precede hash move, captures and killers.
    pub stored_depth: Option<u8>,
    /// The killers of the ply, the latest first.
    pub killers: [Option<M>; 2],
}

/// Everything that the order of a node's moves depends on.
pub(in crate::engine) struct MoveSorter<'a, G: SearchRules, M> {
    pub context: &'a Context<'a, G>,
    pub table: &'a M,
    pub frame: &'a Frame<G>,
    pub ply: usize,
    /// The history of the node's children.
    pub history: &'a G::History,
    pub cutoffs: &'a CutoffTable<G::Move>,
}

impl<G: SearchRules> Search<G> {
    /// The sorter of the node at a ply, with the current killers and history, which may have changed since the moves were
    /// sorted. `history` is that of the node's children.
    pub(in crate::engine) fn sorter<'a, M: SearchTable<G::Key>>(
        &'a self,
        context: &'a Context<'a, G>,
        table: &'a M,
        ply: usize,
        history: &'a G::History,
    ) -> MoveSorter<'a, G, M> {
        let (frame, cutoffs) = (&self.frames[ply], &self.cutoff_table);
        MoveSorter { context, table, frame, ply, history, cutoffs }
    }
}

impl<G: SearchRules, M: SearchTable<G::Key>> MoveSorter<'_, G, M> {
    /// Sorts the next stage of a node's unsorted moves, the best for the mover first, and returns how many are still unsorted.
    /// Equal moves stay in the game's order.
    ///
    /// Stages, because most nodes are cut off by their first moves and never need the rest: a move with a known cutoff (ETC)
    /// alone; else hash move, captures and killers; else all the others.
    #[inline]
    pub fn sort(&self, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) -> u32 {
        let all = self.frame.children() - usize::from(self.frame.has_null_move);
        let Some(heuristics) = self.heuristics() else {
            self.sort_as_reference(moves, scratch);
            return 0;
        };
        let is_first_stage = moves.len() == all;
        // The hash move is among the moves of the first stage; later stages need not search for it.
        let hash_move = heuristics.has(Heuristic::HashMove) && is_first_stage;
        let node = self.node_heuristics(heuristics.with(Heuristic::HashMove, hash_move));
        if is_first_stage
            && node.heuristics.has(Heuristic::Etc)
            && let Some(place) = moves.iter().position(|&mv| self.is_known_cutoff(mv))
        {
            moves[..=place].rotate_right(1);
            return all as u32 - 1;
        }
        let mut urgent = 0;
        if is_first_stage && node.stored_depth.is_none() {
            for place in 0..all {
                if self.move_class(&node, moves[place]) > 0 {
                    moves[urgent..=place].rotate_right(1);
                    urgent += 1;
                }
            }
        }
        let sorted = if urgent == 0 { moves.len() } else { urgent };
        sort_by_priority(&mut moves[..sorted], scratch, |mv| self.priority(&node, mv));
        (moves.len() - sorted) as u32
    }

    /// Sorts all stages, to show the order before the search needs it.
    pub fn sort_all(&self, moves: &mut [G::Move]) {
        let (mut unsorted, mut scratch) = (self.frame.unsorted as usize, Scratch::default());
        while unsorted > 0 && sorts_moves(&self.context.mode, self.frame) {
            let first = moves.len() - unsorted;
            unsorted = self.sort(&mut moves[first..], &mut scratch) as usize;
        }
    }

    /// The heuristics that the settings choose; `None` for the order of the seeds.
    #[inline]
    fn heuristics(&self) -> Option<Heuristics> {
        let Context { game, mode, .. } = self.context;
        mode.heuristics(*game, &self.frame.position, self.frame.depth)
    }

    /// The heuristics in force at the node, with their data; `None` for the order of the seeds.
    pub fn in_force(&self) -> Option<NodeHeuristics<G::Move>> {
        self.heuristics().map(|heuristics| self.node_heuristics(heuristics))
    }

    #[inline]
    fn node_heuristics(&self, heuristics: Heuristics) -> NodeHeuristics<G::Move> {
        let is_stored = |depth: &u8| M::ACTIVE && (*depth > 0 || self.context.mode.leaves);
        let depth_below = |plies| self.frame.depth.checked_sub(plies).filter(is_stored);
        let memo = heuristics.has(Heuristic::Memo);
        let captures = heuristics.has(Heuristic::Captures) || (memo && G::SCORES_CAPTURES);
        let etc = heuristics.has(Heuristic::Etc) && depth_below(1).is_some();
        let hash_move = M::HAS_HASH_MOVE && heuristics.has(Heuristic::HashMove);
        let killers = heuristics.has(Heuristic::Killers);
        NodeHeuristics {
            heuristics: heuristics.with(Heuristic::Etc, etc).with(Heuristic::Captures, captures),
            hash_move: if hash_move { self.hash_move() } else { None },
            // The child is one ply away, and the previous iteration was one ply shallower.
            stored_depth: depth_below(2).filter(|_| memo),
            killers: if killers { self.cutoffs.killers(self.ply) } else { [None; 2] },
        }
    }

    #[inline]
    fn priority(&self, node: &NodeHeuristics<G::Move>, mv: G::Move) -> MovePriority {
        let unknown = if G::SCORES_CAPTURES { Score::NEG_INFINITY } else { Score::ZERO };
        let values_first = node.stored_depth.is_some();
        let (value_at, class_at) = if values_first {
            (ABOVE_HISTORY + CLASS_BITS, ABOVE_HISTORY)
        } else {
            (ABOVE_HISTORY, ABOVE_HISTORY + VALUE_BITS)
        };
        let mut priority = u128::from(self.move_class(node, mv)) << class_at;
        if values_first || node.heuristics.has(Heuristic::StaticEval) {
            let value = self.stored_value(node, mv).or_else(|| self.static_eval(node, mv));
            priority |= u128::from(order_bits(value.unwrap_or(unknown))) << value_at;
        }
        if node.heuristics.has(Heuristic::History) {
            let count = self.history_count(mv).min((1 << HISTORY_BITS) - 1);
            priority |= u128::from(count) << PLACE_BITS;
        }
        MovePriority(priority)
    }

    /// Hash move, capture and killer class as one number, 0 for other quiet moves: the part of the priority that does not
    /// depend on the child's value.
    #[inline]
    fn move_class(&self, node: &NodeHeuristics<G::Move>, mv: G::Move) -> u32 {
        let captures = node.heuristics.has(Heuristic::Captures);
        let capture = if captures { self.capture_score(mv) } else { 0 };
        let [last, before] = node.killers.map(|killer| killer == Some(mv));
        let killer = if last { 2 } else { u32::from(before) };
        u32::from(self.is_hash_move(node, mv)) << 18 | u32::from(capture) << 2 | killer
    }

    /// The hash move in the node's own entry.
    fn hash_move(&self) -> Option<HashMove> {
        let Self { context, table, frame, history, .. } = *self;
        let Frame { position, depth, .. } = frame;
        if !frame.uses_table(&context.mode) {
            return None;
        }
        let slot = frame.slot.unwrap_or_else(|| {
            // The history of a child includes the node itself; the history of the node does not.
            let mut before = history.clone();
            before.pop();
            slot(context, position, &before, *depth)
        });
        let collides = collides(context, table, position, slot, *depth);
        if collides { None } else { table.hash_move(slot, *depth) }
    }

    /// ETC: whether the table shows that the move causes a cutoff.
    #[inline]
    pub fn is_known_cutoff(&self, mv: G::Move) -> bool {
        let Self { context, table, frame, history, .. } = *self;
        let (game, depth) = (context.game, frame.depth.saturating_sub(1));
        let child = game.apply(&frame.position, mv);
        let slot = slot(context, &child, history, depth);
        let probe = table.probe(slot, depth, frame.current_window().child(game));
        let cuts = |value: Score| frame.window.fails_high(value.parent(game));
        matches!(probe, Probe::Hit(value) if cuts(value))
            && !collides(context, table, &child, slot, depth)
    }

    #[inline]
    pub fn is_hash_move(&self, node: &NodeHeuristics<G::Move>, mv: G::Move) -> bool {
        let Context { game, mode, .. } = self.context;
        let is_it = |stored| hash_move_of(*game, mode.scheme, &self.frame.position, mv) == stored;
        node.hash_move.is_some_and(is_it)
    }

    /// The value that the previous iteration stored for the child.
    #[inline]
    pub fn stored_value(&self, node: &NodeHeuristics<G::Move>, mv: G::Move) -> Option<Score> {
        let depth = node.stored_depth?;
        let child = self.context.game.apply(&self.frame.position, mv);
        self.value_in_table(&child, depth).map(|value| -value)
    }

    #[inline]
    pub fn static_eval(&self, node: &NodeHeuristics<G::Move>, mv: G::Move) -> Option<Score> {
        let Context { game, evaluator, .. } = *self.context;
        let value = || -game.evaluate(evaluator, &game.apply(&self.frame.position, mv));
        node.heuristics.has(Heuristic::StaticEval).then(value)
    }

    /// [`SearchRules::capture_score`]; with `see=on`, 0 for a move that loses material, which is ordered as a quiet move.
    #[inline]
    pub fn capture_score(&self, mv: G::Move) -> u16 {
        let (Context { game, mode, .. }, position) = (self.context, &self.frame.position);
        let score = game.capture_score(position, mv);
        if score > 0 && mode.see && game.loses_material(position, mv) { 0 } else { score }
    }

    #[inline]
    pub fn history_count(&self, mv: G::Move) -> u32 {
        self.cutoffs.count(self.context.game.history_index(&self.frame.position, mv))
    }

    /// Sorts as seed 002, with its defect D1. The seeds iterate a Python set, in an order that has nothing to do with the
    /// board. A systematic order would lead to counters that the seeds never have, so equal moves are ordered by the CRC-32 of
    /// the child's key: arbitrary too, but the same on every machine.
    fn sort_as_reference(&self, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) {
        let mut key = Vec::with_capacity(16);
        sort_by_priority(moves, scratch, |mv| self.reference_priority(mv, &mut key));
    }

    fn reference_priority(&self, mv: G::Move, key: &mut Vec<u8>) -> MovePriority {
        let game = self.context.game;
        key.clear();
        game.key(&game.apply(&self.frame.position, mv), KeyScheme::Plain).write(key);
        let value = order_bits(self.reference_value(mv).unwrap_or(Score::ZERO));
        MovePriority(u128::from(value) << 64 | u128::from(!crc32fast::hash(key)) << PLACE_BITS)
    }

    /// The value that seed 002 looks up for a child: under the mover's key and a depth that was not searched (defect D1).
    #[inline]
    pub fn reference_value(&self, mv: G::Move) -> Option<Score> {
        let game = self.context.game;
        let passed = || game.opponent_to_move(&game.apply(&self.frame.position, mv));
        if M::ACTIVE { self.value_in_table(&passed(), self.frame.depth - 1) } else { None }
    }

    #[inline]
    fn value_in_table(&self, position: &G::Position, depth: u8) -> Option<Score> {
        let Self { context, table, history, .. } = *self;
        let slot = slot(context, position, history, depth);
        if collides(context, table, position, slot, depth) {
            None
        } else {
            table.stored_value(slot, depth)
        }
    }
}

/// Whether the moves of a node are sorted at all.
#[inline]
pub(in crate::engine) fn sorts_moves<G: SearchRules>(mode: &Mode, frame: &Frame<G>) -> bool {
    let Mode { algorithm, order, quiescence, .. } = *mode;
    let moves = frame.children() - usize::from(frame.has_null_move);
    // Evaluating a few leaves more costs less than sorting them.
    let leaves = frame.depth == 1 && !quiescence && order != Order::Seed;
    let in_game_order =
        order == Order::By(Heuristics::NONE) || (order == Order::Seed && !G::REFERENCE_HAS_SETS);
    // Minimax searches every move, in whichever order.
    algorithm.has_windows()
        && (2..LAST_PLACE as usize).contains(&moves)
        && !leaves
        && !in_game_order
}

/// The score as bits that sort in the same order.
#[inline]
fn order_bits(score: Score) -> u64 {
    const SIGN: u64 = 1 << 63;
    // Adding 0.0 turns -0.0 into 0.0.
    let bits = (score.get() + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// Killers and history: the moves that caused cutoffs elsewhere in the tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CutoffTable<M> {
    /// The killers by ply, the latest first.
    killers: Vec<[Option<M>; 2]>,
    /// The history counts by [`SearchRules::history_index`].
    history: Vec<u32>,
}

impl<M> Default for CutoffTable<M> {
    fn default() -> Self {
        Self { killers: Vec::new(), history: Vec::new() }
    }
}

impl<M: Copy + PartialEq> CutoffTable<M> {
    pub(super) fn is_empty(&self) -> bool {
        self.killers.is_empty() && self.history.is_empty()
    }

    /// Heap memory of killers and history in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.killers.as_slice()) + size_of_val(self.history.as_slice())
    }

    fn count(&self, index: usize) -> u32 {
        self.history.get(index).copied().unwrap_or(0)
    }

    fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers.get(ply).copied().unwrap_or([None; 2])
    }

    /// Stores a quiet move that has cut a node off. Captures are tried early anyway.
    #[cold]
    pub(super) fn record<G: SearchRules<Move = M>>(
        &mut self,
        game: &G,
        ply: usize,
        node: &Frame<G>,
        mv: M,
    ) {
        if game.capture_score(&node.position, mv) > 0 {
            return;
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            (*first, *second) = (Some(mv), *first);
        }
        let index = game.history_index(&node.position, mv);
        if self.history.len() <= index {
            self.history.resize(index + 1, 0);
        }
        let depth = u32::from(node.depth);
        self.history[index] = self.history[index].saturating_add(depth * depth);
    }
}

#[inline]
fn sort_by_priority<M: Copy>(
    moves: &mut [M],
    scratch: &mut Scratch<M>,
    mut priority: impl FnMut(M) -> MovePriority,
) {
    if moves.len() < 2 {
        return;
    }
    let Scratch { priorities, moves: copy } = scratch;
    priorities.clear();
    priorities.extend(moves.iter().zip(0..).map(|(&mv, place)| priority(mv).with_place(place)));
    priorities.sort_unstable_by(|a, b| b.cmp(a));
    copy.clear();
    copy.extend_from_slice(moves);
    for (slot, priority) in moves.iter_mut().zip(priorities) {
        *slot = copy[priority.place()];
    }
}
