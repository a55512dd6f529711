//! The order of children.

use serde::{Deserialize, Serialize};

use super::{Context, Frame, Hints, Order, Search, recall::collides, slot};
use crate::engine::core::{
    game::{Key as _, KeyScheme, Rules, Score},
    memo::{AnyMemo, Memo},
};

/// Room for the sort, kept between nodes so that it is not asked for each time. Nothing in it is needed later.
#[derive(Debug)]
pub struct Scratch<M> {
    worths: Vec<(Score, u32)>,
    scattered: Vec<(u32, u32)>,
    urgent: Vec<(i32, u32)>,
    key: Vec<u8>,
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
        Self {
            worths: Vec::new(),
            scattered: Vec::new(),
            urgent: Vec::new(),
            key: Vec::new(),
            moves: Vec::new(),
        }
    }
}

/// The hints that are in force at a node.
struct Advice<M> {
    /// The depth at which the iteration before has left something of the children in the memo.
    earlier: Option<u8>,
    captures: bool,
    killers: [Option<M>; 2],
    history: bool,
    standing: bool,
}

/// What each hint in force says of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MoveHints {
    /// The value of the child that the iteration before left in the memo, for the mover.
    pub memo: Option<Score>,
    /// How urgent the game takes it to be; nothing for a quiet one.
    pub captures: Option<i32>,
    /// 1 for the move that last cut off a node at this ply, 2 for the one before it.
    pub killer: Option<u8>,
    /// The cutoffs of moves like it, each counted as the square of its depth.
    pub history: Option<u32>,
    /// The child's static value, for the mover.
    #[serde(rename = "static")]
    pub standing: Option<Score>,
}

impl<G: Rules> Search<G> {
    /// What the hints in force now say of the moves of the node at a ply, in search order, each with the hint that puts it
    /// before the next one (`game` where no hint does, `changed` where hints no longer do); nothing where the node does not sort. Killers and history may have changed since.
    pub fn hints_at(
        &self,
        context: &Context<'_, G>,
        memo: &AnyMemo<G::Key>,
        ply: usize,
    ) -> Option<Vec<(MoveHints, Option<&'static str>)>> {
        match memo {
            AnyMemo::None(memo) => self.hints_with(context, memo, ply),
            AnyMemo::Exact(memo) => self.hints_with(context, memo, ply),
            AnyMemo::Interval(memo) => self.hints_with(context, memo, ply),
            AnyMemo::Bound(memo) => self.hints_with(context, memo, ply),
            AnyMemo::Rote(memo) => self.hints_with(context, memo, ply),
        }
    }

    fn hints_with<M: Memo<G::Key>>(
        &self,
        context: &Context<'_, G>,
        memo: &M,
        ply: usize,
    ) -> Option<Vec<(MoveHints, Option<&'static str>)>> {
        let (frame, history) = (&self.frames[ply], &self.history_at(ply));
        let cutoffs = &self.cutoff_table;
        Sorter { context, memo, frame, ply, history, cutoffs }.explain(self.moves_of(frame))
    }
}

/// What tells the order of a node's moves.
pub(super) struct Sorter<'a, G: Rules, M> {
    pub context: &'a Context<'a, G>,
    pub memo: &'a M,
    pub frame: &'a Frame<G>,
    pub ply: usize,
    pub history: &'a G::History,
    pub cutoffs: &'a CutoffTable<G::Move>,
}

impl<G: Rules, M: Memo<G::Key>> Sorter<'_, G, M> {
    /// Sorts the moves, best first for the mover; equal ones stay in the game's order, or in the scattered one that stands
    /// for the seeds' sets.
    #[inline]
    pub fn sort(&self, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) {
        if !self.sorts(moves.len()) {
            return;
        }
        match self.context.mode.order {
            Order::By(hints) => self.by_hints(hints, moves, scratch),
            Order::Seed => self.as_seed(moves, scratch),
        }
    }

    /// Whether so many moves are put in order.
    #[inline]
    fn sorts(&self, moves: usize) -> bool {
        let (algorithm, order) = (self.context.mode.algorithm, self.context.mode.order);
        let listed = order == Order::NONE || (order == Order::Seed && !G::LISTS_SETS);
        algorithm.has_windows() && moves >= 2 && !listed
    }

    /// One stable sort after the other, the strongest hint last.
    #[inline]
    fn by_hints(&self, hints: Hints, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) {
        let advice = self.advice(hints);
        let by_memo = advice.earlier.is_some();
        if advice.standing && !by_memo {
            by(moves, scratch, Score::ZERO, |mv| self.standing(&advice, mv));
        }
        if advice.history {
            by(moves, scratch, Score::ZERO, |mv| self.count(mv).map(score));
        }
        for killer in advice.killers.into_iter().rev().flatten() {
            if let Some(place) = moves.iter().position(|mv| *mv == killer) {
                moves[..=place].rotate_right(1);
            }
        }
        if advice.captures {
            by_urgency(|mv| self.urgency(mv), moves, scratch);
        }
        if by_memo {
            by(moves, scratch, unknown::<G>(), |mv| {
                self.known(&advice, mv).or_else(|| self.standing(&advice, mv))
            });
        }
    }

    /// What these hints come to at the node.
    #[inline]
    fn advice(&self, hints: Hints) -> Advice<G::Move> {
        Advice {
            earlier: self.frame.depth.checked_sub(2).filter(|_| hints.memo && M::ACTIVE),
            captures: hints.captures || (hints.memo && G::URGENT),
            killers: if hints.killers { self.cutoffs.killers(self.ply) } else { [None; 2] },
            history: hints.history,
            standing: hints.standing,
        }
    }

    /// The value of the child that the iteration before left in the memo.
    #[inline]
    fn known(&self, advice: &Advice<G::Move>, mv: G::Move) -> Option<Score> {
        let depth = advice.earlier?;
        let child = self.context.game.apply(&self.frame.position, mv);
        self.recall(&child, depth).map(|value| -value)
    }

    #[inline]
    fn standing(&self, advice: &Advice<G::Move>, mv: G::Move) -> Option<Score> {
        let Context { game, evaluator, .. } = *self.context;
        advice.standing.then(|| -game.evaluate(evaluator, &game.apply(&self.frame.position, mv)))
    }

    #[inline]
    fn urgency(&self, mv: G::Move) -> i32 {
        self.context.game.urgency(&self.frame.position, mv)
    }

    #[inline]
    fn count(&self, mv: G::Move) -> Option<u32> {
        self.cutoffs.count(self.context.game.history_place(&self.frame.position, mv))
    }

    /// As seed 002, with its defect D1.
    fn as_seed(&self, moves: &mut [G::Move], scratch: &mut Scratch<G::Move>) {
        scatter(self.context.game, self.frame, moves, scratch);
        if M::ACTIVE {
            by(moves, scratch, Score::ZERO, |mv| self.known_to_seed(mv));
        }
    }

    fn known_to_seed(&self, mv: G::Move) -> Option<Score> {
        let game = self.context.game;
        let passed = || game.pass(&game.apply(&self.frame.position, mv));
        if M::ACTIVE { self.recall(&passed(), self.frame.depth - 1) } else { None }
    }

    /// What the memo knows of a position.
    #[inline]
    fn recall(&self, position: &G::Position, depth: u8) -> Option<Score> {
        let Self { context, memo, history, .. } = *self;
        let slot = slot(context, position, history, depth);
        if collides(context, memo, position, slot, depth) { None } else { memo.recall(slot, depth) }
    }

    /// What the hints say of each move, and what puts it before the next one; nothing where the moves are not sorted.
    fn explain(&self, moves: &[G::Move]) -> Option<Vec<(MoveHints, Option<&'static str>)>> {
        if !self.sorts(moves.len()) {
            return None;
        }
        let told: Vec<_> = moves.iter().map(|&mv| self.hints(mv)).collect();
        let next = told.iter().skip(1).map(Some).chain([None]);
        let decided = told.iter().zip(next);
        Some(decided.map(|(one, next)| (*one, next.map(|next| self.decides(one, next)))).collect())
    }

    fn hints(&self, mv: G::Move) -> MoveHints {
        let Order::By(hints) = self.context.mode.order else {
            return MoveHints { memo: self.known_to_seed(mv), ..MoveHints::default() };
        };
        let advice = self.advice(hints);
        let killer = (1..).zip(advice.killers).find(|(_, killer)| *killer == Some(mv));
        MoveHints {
            memo: self.known(&advice, mv),
            captures: Some(self.urgency(mv)).filter(|urgency| advice.captures && *urgency > 0),
            killer: killer.map(|(rank, _)| rank),
            history: self.count(mv).filter(|_| advice.history),
            standing: self.standing(&advice, mv),
        }
    }

    /// What puts a move before another one: the strongest of the hints that differ.
    fn decides(&self, one: &MoveHints, other: &MoveHints) -> &'static str {
        let (by_memo, unknown) = match self.context.mode.order {
            Order::By(hints) => (self.advice(hints).earlier.is_some(), unknown::<G>()),
            Order::Seed => (true, Score::ZERO),
        };
        let value = |hints: &MoveHints| hints.memo.or(hints.standing).unwrap_or(unknown);
        let name = if one.memo.is_none() && one.standing.is_some() { "static" } else { "memo" };
        let urgency = |hints: &MoveHints| score(hints.captures.unwrap_or(0).unsigned_abs());
        let killer = |hints: &MoveHints| score(3 - u32::from(hints.killer.unwrap_or(3)));
        let history = |hints: &MoveHints| score(hints.history.unwrap_or(0));
        let mut strongest = vec![
            ("captures", urgency(one), urgency(other)),
            ("killers", killer(one), killer(other)),
            ("history", history(one), history(other)),
        ];
        let at = if by_memo { 0 } else { strongest.len() };
        strongest.insert(at, (name, value(one), value(other)));
        match strongest.iter().find(|(_, one, other)| one != other) {
            Some((name, one, other)) if one > other => name,
            Some(_) => "changed",
            None => "game",
        }
    }
}

/// What a child counts of which the memo knows nothing: 0, as in seed 002, or less than all others where moves had an order
/// before.
fn unknown<G: Rules>() -> Score {
    if G::URGENT { Score::NEG_INFINITY } else { Score::ZERO }
}

fn score(count: u32) -> Score {
    Score::from_finite(f64::from(count))
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

    /// The cutoffs of a place in the history; nothing where there are none.
    fn count(&self, place: usize) -> Option<u32> {
        self.history.get(place).copied().filter(|cutoffs| *cutoffs > 0)
    }

    fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers.get(ply).copied().unwrap_or([None; 2])
    }

    /// A move has cut a node off. What captures is tried early anyway.
    #[cold]
    pub(super) fn learn<G: Rules<Move = M>>(
        &mut self,
        game: &G,
        ply: usize,
        node: &Frame<G>,
        mv: M,
    ) {
        if game.urgency(&node.position, mv) > 0 {
            return;
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            (*first, *second) = (Some(mv), *first);
        }
        let place = game.history_place(&node.position, mv);
        if self.history.len() <= place {
            self.history.resize(place + 1, 0);
        }
        let depth = u32::from(node.depth);
        self.history[place] = self.history[place].saturating_add(depth * depth);
    }
}

/// Stable sort by what moves promise; those that promise nothing stay behind the others.
#[inline]
fn by_urgency<M: Copy>(urgency: impl Fn(M) -> i32, moves: &mut [M], scratch: &mut Scratch<M>) {
    let urgent = &mut scratch.urgent;
    urgent.clear();
    urgent.extend(moves.iter().zip(0..).filter_map(|(&mv, place)| {
        let urgency = urgency(mv);
        (urgency > 0).then_some((-urgency, place))
    }));
    if urgent.is_empty() {
        return;
    }
    urgent.sort_unstable();
    let copy = &mut scratch.moves;
    copy.clear();
    copy.extend(urgent.iter().map(|&(_, place)| moves[place as usize]));
    // From the end, the moves that promise nothing close up behind.
    urgent.sort_unstable_by_key(|&(_, place)| place);
    let mut free = moves.len();
    for place in (0..moves.len()).rev() {
        match urgent.last() {
            Some(&(_, known)) if known as usize == place => {
                urgent.pop();
            }
            _ => {
                free -= 1;
                moves[free] = moves[place];
            }
        }
    }
    moves[..copy.len()].copy_from_slice(copy);
}

/// Stable sort by descending worth.
#[inline]
fn by<M: Copy>(
    moves: &mut [M],
    scratch: &mut Scratch<M>,
    unknown: Score,
    mut worth: impl FnMut(M) -> Option<Score>,
) {
    let mut known = false;
    scratch.worths.clear();
    scratch.worths.extend(moves.iter().zip(0..).map(|(&mv, place)| {
        let value = worth(mv);
        known |= value.is_some();
        (value.unwrap_or(unknown), place)
    }));
    if known {
        scratch.worths.sort_by(|a, b| b.0.order(a.0));
        permute(moves, &mut scratch.moves, scratch.worths.iter().map(|&(_, place)| place));
    }
}

/// The seeds walk through Python sets, in an order that has nothing to do with the board. A systematic order would give
/// counters that theirs never shows, so `seed` fidelity goes by the CRC-32 of the child's key: as arbitrary, but the
/// same everywhere.
#[inline]
fn scatter<G: Rules>(
    game: &G,
    frame: &Frame<G>,
    moves: &mut [G::Move],
    scratch: &mut Scratch<G::Move>,
) {
    let Scratch { scattered, key, moves: copy, .. } = scratch;
    scattered.clear();
    scattered.extend(moves.iter().zip(0..).map(|(&mv, place)| {
        let child = game.apply(&frame.position, mv);
        key.clear();
        game.key(&child, KeyScheme::Plain).write(key);
        (crc32fast::hash(key), place)
    }));
    scattered.sort_unstable();
    permute(moves, copy, scattered.iter().map(|&(_, place)| place));
}

fn permute<M: Copy>(moves: &mut [M], copy: &mut Vec<M>, places: impl Iterator<Item = u32>) {
    copy.clear();
    copy.extend_from_slice(moves);
    for (slot, from) in moves.iter_mut().zip(places) {
        *slot = copy[from as usize];
    }
}
