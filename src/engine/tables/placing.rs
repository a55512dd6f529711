//! The value of a position with stones in hand: an α-β search whose leaves are the tables, as Ralph Gasser did for the whole
//! game (Solving Nine Men's Morris, 1996).
//!
//! With three values, two searches suffice: whether the side to move reaches a draw, and whether it reaches a win. A side
//! reaches a draw if a move leads to a position in which the opponent does not reach a win, and so on in turns.

use std::{
    cell::Cell,
    cmp::Reverse,
    ops::ControlFlow,
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use super::{
    LEAST, Store, Subspace,
    board::{BOARD, Stones},
    outcomes::{Outcomes, outcomes_memory},
    proofs::{Bounds, DRAW, Proofs, Rank, WIN, outcome, rank},
    store::endgames,
};
use crate::engine::{
    cachefile::Monitor,
    game::{Endgames, Fault, Game, Outcome, Result, TrueValue},
    random::splitmix_all,
    workers::{self, Finish},
};

/// The least and the most memory for proofs, in bytes. The start with eight stones a side takes 6 million proofs, 48 MB.
const LEAST_PROOFS: u64 = 1 << 24;
const MOST_PROOFS: u64 = 1 << 29;
/// The greatest number of proofs in a file.
const SAVED: usize = 1 << 23;
/// The time between two saves of the proofs.
const SAVE_INTERVAL: Duration = Duration::from_secs(120);
/// The number of nodes between two reports of a thread to the main thread.
const REPORT: u64 = 1 << 18;

/// The solution of a position with stones in hand.
#[derive(Clone, Debug)]
pub struct Solved<G: Game> {
    /// The least and the greatest outcome for the side to move; equal unless the search was interrupted.
    pub bounds: [Outcome; 2],
    /// A line of moves that keep the outcome, as far as outcomes are proved.
    pub line: Vec<(G::Position, G::Move)>,
    /// The nodes searched, not counting earlier runs.
    pub nodes: u64,
}

/// Solves a position, with the proofs of earlier runs. The proofs are kept in a file of the tables' folder.
/// Errors: too little memory, a table that is missing, files that cannot be read or written.
pub fn solve<G: Game>(
    game: &G,
    store: &Store,
    position: &G::Position,
    threads: usize,
    memory: u64,
    monitor: &mut Monitor<'_>,
) -> Result<Solved<G>> {
    let search = Placing::new(game, store, position, threads, memory, monitor)?;
    let (mut nodes, mut saved, mut found) = (0, Instant::now(), Bounds::UNKNOWN);
    let path = proofs_path(game, store);
    let numbers: Vec<u64> = (0..threads as u64).collect();
    let finish = workers::work(
        &numbers,
        threads,
        monitor.interrupt,
        |&number, worker| {
            let thread = Thread { search: &search, number, nodes: Cell::new(0), worker };
            let solved = thread.solve(position);
            (worker.send)(Report::Nodes(thread.nodes.get() % REPORT));
            if let Some(bounds) = solved {
                (worker.send)(Report::Solved(bounds));
            }
            Ok(())
        },
        |report| match report {
            Report::Nodes(more) => {
                nodes += more;
                (monitor.progress)(nodes, 0);
                if saved.elapsed() > SAVE_INTERVAL {
                    search.proofs.save(&path, SAVED)?;
                    saved = Instant::now();
                }
                Ok(ControlFlow::Continue(()))
            }
            Report::Solved(bounds) => {
                found = bounds;
                Ok(ControlFlow::Break(()))
            }
        },
    )?;
    if finish == Finish::Interrupted {
        found = search.known(search.bits(position));
    }
    search.proofs.save(&path, SAVED)?;
    let bounds = [found.lower, found.upper].map(outcome);
    Ok(Solved { bounds, line: search.line(position), nodes })
}

/// The subspace whose tables must be built, and the least memory for tables and proofs in bytes.
/// Errors: a game without solvable endgames.
pub fn needs<G: Game>(game: &G, position: &G::Position) -> Result<(Subspace, u64)> {
    let bits = endgames(game)?.canonical_bits(position);
    let most = most_stones(bits);
    let [own, other] = most.map(|stones| stones.max(LEAST));
    Ok((Subspace { own, other }, outcomes_memory([own, other]) + LEAST_PROOFS))
}

fn proofs_path<G: Game>(game: &G, store: &Store) -> PathBuf {
    store.path_of("placing", "plyproofs", &game.rules_text())
}

/// The stones on the board of a position given by its canonical bits.
fn stones(bits: u64) -> Stones {
    Stones { own: (bits >> 24) as u32 & BOARD, other: bits as u32 & BOARD }
}

/// The numbers of stones in hand of the side to move and of the opponent.
fn hands(bits: u64) -> [u32; 2] {
    [(bits >> 52) as u32, (bits >> 48) as u32 & 15]
}

/// The greatest number of stones that each side can have on the board after placing.
fn most_stones(bits: u64) -> [u32; 2] {
    let ([own, other], stones) = (hands(bits), stones(bits));
    [stones.own.count_ones() + own, stones.other.count_ones() + other]
}

/// A message from a worker thread to the main thread.
enum Report {
    /// Nodes searched since the last report.
    Nodes(u64),
    Solved(Bounds),
}

/// The state that the threads share.
struct Placing<'a, G: Game> {
    game: &'a G,
    endgames: &'a dyn Endgames<G>,
    outcomes: Outcomes,
    proofs: Proofs,
}

/// A successor that is not decided yet.
struct Child<P> {
    position: P,
    bits: u64,
    /// The score for move ordering: greater if the position is probably worse for the side to move, the opponent.
    score: i64,
}

impl<G: Game> Placing<'_, G> {
    fn bits(&self, position: &G::Position) -> u64 {
        self.endgames.canonical_bits(position)
    }

    /// The bounds of a position from the rules, the tables or the proofs.
    fn known(&self, bits: u64) -> Bounds {
        let ([own, other], stones) = (hands(bits), stones(bits));
        let lacks = |hand: u32, stones: u32| hand == 0 && stones.count_ones() < LEAST;
        if lacks(own, stones.own) {
            Bounds::exact(0)
        } else if lacks(other, stones.other) {
            Bounds::exact(WIN)
        } else if own + other == 0 {
            self.outcomes.get(stones).map_or(Bounds::UNKNOWN, |found| Bounds::exact(rank(found)))
        } else {
            self.proofs.get(bits)
        }
    }

    /// A line of moves that keep the value of a position, as far as values are proved.
    fn line(&self, position: &G::Position) -> Vec<(G::Position, G::Move)> {
        let (mut at, mut line) = (position.clone(), Vec::new());
        loop {
            let bits = self.bits(&at);
            let Bounds { lower, upper } = self.known(bits);
            if hands(bits) == [0; 2] || lower != upper {
                return line;
            }
            let moves = self.game.legal_moves(&at, &G::History::default());
            let keeps = |mv: &G::Move| {
                let after = self.bits(&self.game.apply(&at, *mv));
                self.known(after) == Bounds::exact(WIN - lower)
            };
            let Some(mv) = moves.into_iter().find(keeps) else {
                return line;
            };
            let next = self.game.apply(&at, mv);
            line.push((std::mem::replace(&mut at, next), mv));
        }
    }
}

/// A thread of the search. All threads search the same tree, each in its own order, and share their proofs.
struct Thread<'a, G: Game> {
    search: &'a Placing<'a, G>,
    number: u64,
    nodes: Cell<u64>,
    worker: &'a workers::Worker<'a, Report>,
}

impl<G: Game> Thread<'_, G> {
    /// The bounds found by the two searches; `None` after an interrupt.
    fn solve(&self, position: &G::Position) -> Option<Bounds> {
        if !self.reaches(position, DRAW)? {
            return Some(Bounds::exact(0));
        }
        Some(Bounds::exact(if self.reaches(position, WIN)? { WIN } else { DRAW }))
    }

    /// Whether the side to move reaches the goal, a draw or a win; `None` after an interrupt.
    fn reaches(&self, position: &G::Position, goal: Rank) -> Option<bool> {
        let (search, before) = (self.search, self.nodes.get());
        let bits = search.bits(position);
        let known = search.known(bits);
        if known.lower >= goal || known.upper < goal {
            return Some(known.lower >= goal);
        }
        self.count()?;
        // The side to move reaches `goal` with a move after which the opponent does not reach the complementary goal.
        let opponents = WIN + 1 - goal;
        let reached = match self.children(position, opponents) {
            Expansion::Decided(reached) => reached,
            Expansion::Children(children) => self.any_fails(&children, opponents)?,
        };
        let found = if reached {
            Bounds { lower: goal, upper: WIN }
        } else {
            Bounds { lower: 0, upper: goal - 1 }
        };
        search.proofs.put(bits, found, self.nodes.get() - before);
        Some(reached)
    }

    /// Whether the side to move fails to reach `goal` in one of the positions `children`; `None` after an interrupt.
    fn any_fails(&self, children: &[Child<G::Position>], goal: Rank) -> Option<bool> {
        for child in children {
            if !self.reaches(&child.position, goal)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Counts a node; `None` after an interrupt.
    fn count(&self) -> Option<()> {
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get().is_multiple_of(REPORT) {
            (self.worker.send)(Report::Nodes(REPORT));
        }
        (!self.worker.interrupt.load(Relaxed)).then_some(())
    }

    /// The successors, in search order, whose known bounds do not show whether the opponent reaches `goal`; or, if known bounds
    /// decide the position, the result for the side to move.
    fn children(&self, position: &G::Position, goal: Rank) -> Expansion<G> {
        let (search, mut moves) = (self.search, Vec::new());
        if let Some(score) = search.game.expand(position, &G::History::default(), &mut moves) {
            return Expansion::Decided(rank(TrueValue::finished(score).outcome) > WIN - goal);
        }
        let mut children = Vec::with_capacity(moves.len());
        // A move that closes a mill is illegal if no stone can be taken; without other moves, the game is drawn.
        let has_move = !moves.is_empty();
        for mv in moves {
            let position = search.game.apply(position, mv);
            let bits = search.bits(&position);
            let known = search.known(bits);
            if known.upper < goal {
                return Expansion::Decided(true);
            }
            if known.lower < goal {
                children.push(Child { position, bits, score: self.score(bits) });
            }
        }
        if !has_move {
            return Expansion::Decided(DRAW > WIN - goal);
        }
        children.sort_by_key(|child| (Reverse(child.score), child.bits));
        // Positions equal by symmetry are searched once.
        children.dedup_by_key(|child| child.bits);
        Expansion::Children(children)
    }

    /// The score for move ordering of a position, for the side that has just moved.
    fn score(&self, bits: u64) -> i64 {
        let stones = stones(bits);
        let [theirs, ours] = most_stones(bits).map(i64::from);
        let [their_threats, our_threats] = stones.threats().map(i64::from);
        let [their_freedom, our_freedom] = stones.freedoms().map(i64::from);
        // The first thread keeps the order of the scores; the other threads add noise to the scores.
        let noise = match self.number {
            0 => 0,
            number => (splitmix_all(&[number, bits]) % 8).cast_signed(),
        };
        100 * (ours - theirs) - 40 * their_threats.min(2)
            + 15 * our_threats.min(3)
            + 2 * (our_freedom - their_freedom)
            + noise
    }
}

/// The undecided successors of a position, or the position's result if known bounds decide the position.
enum Expansion<G: Game> {
    Decided(bool),
    Children(Vec<Child<G::Position>>),
}

impl<'a, G: Game> Placing<'a, G> {
    fn new(
        game: &'a G,
        store: &Store,
        position: &G::Position,
        threads: usize,
        memory: u64,
        monitor: &mut Monitor<'_>,
    ) -> Result<Self> {
        let (subspace, needed) = needs(game, position)?;
        let spare = memory.checked_sub(needed).ok_or_else(|| {
            Fault::new(format!("{needed} bytes of memory are needed, only {memory} are allowed"))
                .about("memory")
                .hint("allow more with --memory")
        })?;
        let most = [subspace.own, subspace.other];
        let outcomes = Outcomes::load(store, most, threads, monitor.interrupt)?;
        let proofs = Proofs::new((spare + LEAST_PROOFS).min(MOST_PROOFS))?;
        let path = proofs_path(game, store);
        if path.exists() {
            proofs.load(&path)?;
        }
        Ok(Self { game, endgames: endgames(game)?, outcomes, proofs })
    }
}
