//! The order of children.

use serde::{Deserialize, Serialize};

use super::{Context, Frame, Hints, Mode, Order, Search, hash_move_of, probe::collides, slot};
use crate::engine::core::{
    game::{History as _, Key as _, KeyScheme, Score, SearchRules},
    table::{HashMove, Probe, SearchTable},
};

/// Room for the sort, kept between nodes so that it is not asked for each time. Nothing in it is needed later.
#[derive(Debug)]
pub struct Scratch<M> {
    priorities: Vec<MovePriority>,
    moves: Vec<M>,
}

impl<M> Clone for Scratch<M> {
    /// An empty one: checkpoints need not carry what is written anew at the next node.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<M> Default for Scratch<M> {
    fn default() -> Self {
        Self { priorities: Vec::new(), moves: Vec::new() }
    }
}

/// What a move promises, packed into one number so that one comparison sorts; more comes earlier. From the top: the entry's
/// best move (1 bit), captures (16), killer (2), value (64), history (24), and the place in the game's order (21), which makes
/// each another; a value from the memo stands above the best move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct MovePriority(u128);

const HISTORY_BITS: u32 = 24;
const PLACE_BITS: u32 = 21;
/// Where what stands above the history begins.
const TOP: u32 = HISTORY_BITS + PLACE_BITS;
const LAST_PLACE: u32 = (1 << PLACE_BITS) - 1;

impl MovePriority {
    #[inline]
    fn at(self, place: u32) -> Self {
        Self(self.0 | u128::from(LAST_PLACE - place))
    }

    #[inline]
    fn place(self) -> usize {
        (LAST_PLACE - (self.0 as u32 & LAST_PLACE)) as usize
    }
}

/// The hints that are in force at a node.
pub(in crate::engine) struct NodeHints<M> {
    /// Those that count here.
    pub hints: Hints,
    /// The best move in the node's own entry.
    pub best: Option<HashMove>,
    /// The depth at which the iteration before has left something of the children: of leaves only where these are kept.
    /// What it has left stands above captures.
    pub earlier: Option<u8>,
    /// The last one first; none where they do not count.
    pub killers: [Option<M>; 2],
}

/// What tells the order of a node's moves.
pub(in crate::engine) struct MoveSorter<'a, G: SearchRules, M> {
    pub context: &'a Context<'a, G>,
    pub table: &'a M,
    pub frame: &'a Frame<G>,
    pub ply: usize,
    /// What lies before the node's children.
    pub history: &'a G::History,
    pub cutoffs: &'a CutoffTable<G::Move>,
}

impl<G: SearchRules> Search<G> {
    /// What tells the order at a ply now; `history` is that of its children. Killers and history may have changed since the moves
    /// were sorted.
    pub(in crate::engine) fn sorter<'a, M: SearchTable<G::Key>>(
        &'a self,
        context: &'a Context<'a, G>,
        table: &'a M,
        (ply, history): (usize, &'a G::History),
    ) -> MoveSorter<'a, G, M> {
        let (frame, cutoffs) = (&self.frames[ply], &self.cutoff_table);
        MoveSorter { context, table, frame, ply, history, cutoffs }
    }
}

impl<G: SearchRules, M: SearchTable<G::Key>> MoveSorter<'_, G, M> {
    /// Sorts those of a node's moves that are not in order yet, best first for the mover; equal ones stay in the game's
    /// order, or in the scattered one that stands for the seeds' sets. What most likely cuts the node off is put first alone:
    /// a move after which the memo says so, or else captures and killers. Gives how many are left to sort when one is wanted.
    #[inline]
    pub fn sort(&self, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) -> u32 {
        let all = self.frame.children() - usize::from(self.frame.passes);
        let Some(hints) = self.hints() else {
            self.in_reference_order(moves, scratch);
            return 0;
        };
        let first = moves.len() == all;
        let node_hints = self.node_hints(Hints { best: hints.best && first, ..hints });
        if first
            && node_hints.hints.etc
            && let Some(place) = moves.iter().position(|&mv| self.is_known_cutoff(mv))
        {
            moves[..=place].rotate_right(1);
            return all as u32 - 1;
        }
        let mut move_class = 0;
        if first && node_hints.earlier.is_none() {
            for place in 0..all {
                if self.move_class(&node_hints, moves[place]) > 0 {
                    moves[move_class..=place].rotate_right(1);
                    move_class += 1;
                }
            }
        }
        let sorted = if move_class == 0 { moves.len() } else { move_class };
        by(&mut moves[..sorted], scratch, |mv| self.priority(&node_hints, mv));
        (moves.len() - sorted) as u32
    }

    /// Sorts all of them, for whoever wants to see the order beforehand.
    pub fn sort_all(&self, moves: &mut [G::Move]) {
        let (mut left, mut scratch) = (self.frame.unsorted as usize, Scratch::default());
        while left > 0 && orders_moves(&self.context.mode, self.frame) {
            let first = moves.len() - left;
            left = self.sort(&mut moves[first..], &mut scratch) as usize;
        }
    }

    /// The hints that are asked for here; nothing where the seeds' order is.
    #[inline]
    pub fn hints(&self) -> Option<Hints> {
        let Context { game, mode, .. } = self.context;
        mode.hints(*game, &self.frame.position, self.frame.depth)
    }

    /// What these hints come to at the node.
    #[inline]
    pub fn node_hints(&self, hints: Hints) -> NodeHints<G::Move> {
        let kept = |left: &u8| M::ACTIVE && (*left > 0 || self.context.mode.leaves);
        let below = |plies| self.frame.depth.checked_sub(plies).filter(kept);
        NodeHints {
            hints: Hints {
                etc: hints.etc && below(1).is_some(),
                captures: hints.captures || (hints.table && G::SCORES_CAPTURES),
                ..hints
            },
            best: if M::HAS_HASH_MOVE && hints.best { self.best() } else { None },
            earlier: below(2).filter(|_| hints.table),
            killers: if hints.killers { self.cutoffs.killers(self.ply) } else { [None; 2] },
        }
    }

    #[inline]
    fn priority(&self, node_hints: &NodeHints<G::Move>, mv: G::Move) -> MovePriority {
        let unknown = if G::SCORES_CAPTURES { Score::NEG_INFINITY } else { Score::ZERO };
        let recalls = node_hints.earlier.is_some();
        let (value_at, urgent_at) = if recalls { (TOP + 19, TOP) } else { (TOP, TOP + 64) };
        let mut priority = u128::from(self.move_class(node_hints, mv)) << urgent_at;
        if recalls || node_hints.hints.static_eval {
            let value = self.known(node_hints, mv).or_else(|| self.static_eval(node_hints, mv));
            priority |= u128::from(rank(value.unwrap_or(unknown))) << value_at;
        }
        if node_hints.hints.history {
            priority |= u128::from(self.count(mv).min((1 << HISTORY_BITS) - 1)) << PLACE_BITS;
        }
        MovePriority(priority)
    }

    /// The part of the promise that needs no look at the child's value: best move, capture, killer.
    #[inline]
    fn move_class(&self, node_hints: &NodeHints<G::Move>, mv: G::Move) -> u32 {
        let captures = if node_hints.hints.captures { self.capture_score(mv) } else { 0 };
        let [last, before] = node_hints.killers.map(|killer| killer == Some(mv));
        let killer = if last { 2 } else { u32::from(before) };
        u32::from(self.is_best(node_hints, mv)) << 18 | u32::from(captures) << 2 | killer
    }

    /// The best move in the node's own entry.
    fn best(&self) -> Option<HashMove> {
        let Self { context, table, frame, history, .. } = *self;
        let Frame { position, depth, .. } = frame;
        if !frame.uses_table(&context.mode) {
            return None;
        }
        let slot = frame.slot.unwrap_or_else(|| {
            let mut before = history.clone();
            before.pop();
            slot(context, position, &before, *depth)
        });
        let strange = collides(context, table, position, slot, *depth);
        if strange { None } else { table.best(slot, *depth) }
    }

    /// Whether the memo answers with a cutoff after a move.
    #[inline]
    pub fn is_known_cutoff(&self, mv: G::Move) -> bool {
        let Self { context, table, frame, history, .. } = *self;
        let (game, depth) = (context.game, frame.depth.saturating_sub(1));
        let child = game.apply(&frame.position, mv);
        let slot = slot(context, &child, history, depth);
        let answer = table.probe(slot, depth, frame.current_window().child(game));
        let cuts = |value: Score| frame.window.fails_high(value.parent(game));
        matches!(answer, Probe::Answer(value) if cuts(value))
            && !collides(context, table, &child, slot, depth)
    }

    /// Whether a move fits the mark of the best one in the node's own entry.
    #[inline]
    pub fn is_best(&self, node_hints: &NodeHints<G::Move>, mv: G::Move) -> bool {
        let Context { game, mode, .. } = self.context;
        let marked = |best| hash_move_of(*game, mode.scheme, &self.frame.position, mv) == best;
        node_hints.best.is_some_and(marked)
    }

    /// The value of the child that the iteration before left in the memo.
    #[inline]
    pub fn known(&self, node_hints: &NodeHints<G::Move>, mv: G::Move) -> Option<Score> {
        let depth = node_hints.earlier?;
        let child = self.context.game.apply(&self.frame.position, mv);
        self.recall(&child, depth).map(|value| -value)
    }

    /// The child's static value, where that counts.
    #[inline]
    pub fn static_eval(&self, node_hints: &NodeHints<G::Move>, mv: G::Move) -> Option<Score> {
        let Context { game, evaluator, .. } = *self.context;
        let value = || -game.evaluate(evaluator, &game.apply(&self.frame.position, mv));
        node_hints.hints.static_eval.then(value)
    }

    /// How urgent the game takes a move to be.
    #[inline]
    pub fn capture_score(&self, mv: G::Move) -> u16 {
        self.context.game.capture_score(&self.frame.position, mv)
    }

    /// The cutoffs of moves like it, each counted as the square of its depth.
    #[inline]
    pub fn count(&self, mv: G::Move) -> u32 {
        self.cutoffs.count(self.context.game.history_index(&self.frame.position, mv))
    }

    /// As seed 002, with its defect D1. The seeds walk through Python sets, in an order that has nothing to do with the
    /// board. A systematic order would give counters that theirs never shows, so here equal moves go by the CRC-32 of the
    /// child's key: as arbitrary, but the same everywhere.
    fn in_reference_order(&self, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) {
        let mut key = Vec::with_capacity(16);
        by(moves, scratch, |mv| self.reference_priority(mv, &mut key));
    }

    fn reference_priority(&self, mv: G::Move, key: &mut Vec<u8>) -> MovePriority {
        let game = self.context.game;
        key.clear();
        game.key(&game.apply(&self.frame.position, mv), KeyScheme::Plain).write(key);
        let known = rank(self.reference_value(mv).unwrap_or(Score::ZERO));
        MovePriority(u128::from(known) << 64 | u128::from(!crc32fast::hash(key)) << PLACE_BITS)
    }

    /// What seed 002 takes the memo to know of a child (defect D1).
    #[inline]
    pub fn reference_value(&self, mv: G::Move) -> Option<Score> {
        let game = self.context.game;
        let passed = || game.opponent_to_move(&game.apply(&self.frame.position, mv));
        if M::ACTIVE { self.recall(&passed(), self.frame.depth - 1) } else { None }
    }

    /// What the memo knows of a position.
    #[inline]
    fn recall(&self, position: &G::Position, depth: u8) -> Option<Score> {
        let Self { context, table, history, .. } = *self;
        let slot = slot(context, position, history, depth);
        if collides(context, table, position, slot, depth) {
            None
        } else {
            table.recall(slot, depth)
        }
    }
}

/// Whether the moves of a node are put in order.
#[inline]
pub(in crate::engine) fn orders_moves<G: SearchRules>(mode: &Mode, frame: &Frame<G>) -> bool {
    let Mode { algorithm, order, quiescence, .. } = *mode;
    let moves = frame.children() - usize::from(frame.passes);
    // To look at a few leaves more costs less than to put them in order.
    let leaves = frame.depth == 1 && !quiescence && order != Order::Seed;
    let listed =
        order == Order::By(Hints::default()) || (order == Order::Seed && !G::REFERENCE_HAS_SETS);
    algorithm.has_windows() && (2..LAST_PLACE as usize).contains(&moves) && !leaves && !listed
}

/// A number for each score, in the order of the scores.
#[inline]
fn rank(score: Score) -> u64 {
    const SIGN: u64 = 1 << 63;
    // Zeros of either sign are one score.
    let bits = (score.get() + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// What cutoffs have taught: moves that did well elsewhere are tried early.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CutoffTable<M> {
    /// By ply, the last one first.
    killers: Vec<[Option<M>; 2]>,
    /// By the place that the game gives a move.
    history: Vec<u32>,
}

impl<M> Default for CutoffTable<M> {
    fn default() -> Self {
        Self { killers: Vec::new(), history: Vec::new() }
    }
}

impl<M: Copy + PartialEq> CutoffTable<M> {
    /// Nothing yet.
    pub(super) fn is_empty(&self) -> bool {
        self.killers.is_empty() && self.history.is_empty()
    }

    /// Memory beside itself, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.killers.as_slice()) + size_of_val(self.history.as_slice())
    }

    fn count(&self, place: usize) -> u32 {
        self.history.get(place).copied().unwrap_or(0)
    }

    fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers.get(ply).copied().unwrap_or([None; 2])
    }

    /// A move has cut a node off. What captures is tried early anyway.
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
        let place = game.history_index(&node.position, mv);
        if self.history.len() <= place {
            self.history.resize(place + 1, 0);
        }
        let depth = u32::from(node.depth);
        self.history[place] = self.history[place].saturating_add(depth * depth);
    }
}

/// Puts moves into the order of what they promise.
#[inline]
fn by<M: Copy>(
    moves: &mut [M],
    scratch: &mut Scratch<M>,
    mut priority: impl FnMut(M) -> MovePriority,
) {
    if moves.len() < 2 {
        return;
    }
    let Scratch { priorities, moves: copy } = scratch;
    priorities.clear();
    priorities.extend(moves.iter().zip(0..).map(|(&mv, place)| priority(mv).at(place)));
    priorities.sort_unstable_by(|a, b| b.cmp(a));
    copy.clear();
    copy.extend_from_slice(moves);
    for (slot, priority) in moves.iter_mut().zip(priorities) {
        *slot = copy[priority.place()];
    }
}
