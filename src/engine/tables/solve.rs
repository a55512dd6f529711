//! Retrograde analysis of a subspace together with its mirror.
//!
//! A first pass over all positions finds those that are blocked and those that a capture decides. Then level `n` takes all
//! positions decided in `n` plies and looks at their predecessors: before a loss there is a win, and before a win there is a
//! loss if every other move leads to a win too. Values that captures decide may belong to much later levels; they are stored
//! at once, and a shorter win found later replaces them. The remaining positions are drawn.
//!
//! A thread writes only values of later levels, and a position's value does not depend on the order of the writes: the result
//! is the same with any number of threads.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use super::{Subspace, board::Stones, code, file::BLOCK, index::Index};
use crate::engine::{
    game::{Fault, Result},
    workers::{self, interrupted},
};

/// The number of positions that are looked up in a table together.
const BATCH: usize = 1 << 11;
/// The number of quiet moves of each position that are looked up first; the positions left need all their moves looked up.
const FIRST_MOVES: usize = 3;

/// The values of a subspace in memory.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) subspace: Subspace,
    pub(super) index: Index,
    /// Eight values in a word, the first one in the lowest byte, so that a pass tests eight values at once.
    words: Vec<AtomicU64>,
}

/// A word with this byte in all eight places.
const fn repeat_byte(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// Whether any byte of a word equals `byte` (Hacker's Delight, 6-1).
const fn has_byte(word: u64, byte: u8) -> bool {
    let zero = word ^ repeat_byte(byte);
    zero.wrapping_sub(repeat_byte(1)) & !zero & repeat_byte(0x80) != 0
}

impl Table {
    /// A table in which all positions are draws.
    pub(super) fn new(subspace: Subspace) -> Result<Self> {
        let index = Index::new(subspace.own, subspace.other);
        let mut words = Vec::new();
        let length = index.len().div_ceil(8) as usize;
        words.try_reserve_exact(length).map_err(|_| {
            Fault::new(format!("not enough memory for {subspace}: {} bytes", index.len()))
                .hint("close other programs, or solve tables of fewer stones")
        })?;
        words.resize_with(length, AtomicU64::default);
        Ok(Self { subspace, index, words })
    }

    pub(super) fn len(&self) -> usize {
        self.index.len() as usize
    }

    #[inline]
    pub(super) fn code_at(&self, index: usize) -> u8 {
        (self.words[index / 8].load(Relaxed) >> (index % 8 * 8)) as u8
    }

    pub(super) fn set(&self, index: usize, code: u8) {
        let (word, shift) = (&self.words[index / 8], index % 8 * 8);
        let set = |old: u64| Some(old & !(0xFF << shift) | u64::from(code) << shift);
        // Another thread may set another byte of the word. The update always succeeds.
        let _ = word.fetch_update(Relaxed, Relaxed, set);
    }

    /// The indices in `range` of the positions whose stored byte is `code`. The range begins at a multiple of eight.
    fn with_code(&self, range: Range<usize>, code: u8) -> impl Iterator<Item = usize> {
        let words =
            self.words[range.start / 8..range.end.div_ceil(8)].iter().zip(range.start / 8..);
        let found = words.filter(move |(word, _)| has_byte(word.load(Relaxed), code));
        let indices = found.flat_map(|(_, at)| at * 8..at * 8 + 8);
        indices.filter(move |&index| index < range.end && self.code_at(index) == code)
    }

    #[inline]
    pub(super) fn code(&self, stones: Stones) -> u8 {
        self.code_at(self.index.of(stones))
    }

    /// Keeps the positions for which `holds` accepts the value at the index that `place` returns, and those without an index.
    ///
    /// Nearly all the time of a solver goes into reading values at random indices. All indices are computed first, so
    /// that the reads overlap instead of waiting for each other.
    fn retain(
        &self,
        positions: &mut Vec<Stones>,
        place: impl Fn(&Stones) -> Option<usize>,
        holds: impl Fn(u8) -> bool,
    ) {
        let places: Vec<_> = positions.iter().map(place).collect();
        let code = |place: &Option<usize>| place.map(|place| self.code_at(place));
        let mut codes = places.iter().map(code).collect::<Vec<_>>().into_iter();
        positions.retain(|_| codes.next().flatten().is_none_or(&holds));
    }
}

/// How a solver runs: the number of threads, and the flag that interrupts them.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) threads: usize,
    pub(super) interrupt: &'a AtomicBool,
}

/// The retrograde analysis of a subspace and its mirror.
pub(super) struct Solver<'a> {
    /// The tables of a subspace and its mirror; one table if the subspace is its own mirror.
    pub(super) tables: Vec<Table>,
    /// For each table, the table after a capture; `None` if the capture wins.
    pub(super) after_capture: Vec<Option<&'a Table>>,
    pub(super) flying: bool,
    pub(super) work: Work<'a>,
}

impl Solver<'_> {
    /// Solves the subspaces. `progress` receives the number of positions that the first pass has processed, then the level.
    /// Errors: an interrupt, a distance that a byte cannot hold.
    pub(super) fn solve(&self, progress: &mut dyn FnMut(u64, Option<u8>)) -> Result<()> {
        let first = |which, range| self.first_pass(which, range);
        let mut last = self.pass(first, &mut |seen| progress(seen, None))?;
        let seen = self.tables.iter().map(|table| table.len() as u64).sum();
        let mut level = code::LOST;
        while level <= last {
            if last == code::MOST {
                let fault = Fault::new("an ending is longer than a table can hold: 253 plies");
                return Err(fault.hint("leave distances out: --wdl"));
            }
            progress(seen, Some(level));
            let stored =
                self.pass(|which, range| self.step_back(which, range, level), &mut |_| {})?;
            last = last.max(stored);
            level += 1;
        }
        Ok(())
    }

    /// Runs a job for every range of every table. Returns the greatest of their results.
    fn pass(
        &self,
        job: impl Fn(usize, Range<usize>) -> u8 + Sync,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u8> {
        let starts = |(which, table): (usize, &Table)| {
            (0..table.len()).step_by(BLOCK).map(move |start| (which, start))
        };
        let blocks: Vec<_> = self.tables.iter().enumerate().flat_map(starts).collect();
        let run_block = |&(which, start): &(usize, usize), _: &_| {
            let length = self.tables[which].len();
            Ok(job(which, start..length.min(start + BLOCK)))
        };
        let Work { threads, interrupt } = self.work;
        let stored = workers::map(&blocks, threads, interrupt, run_block, &mut |done| {
            progress(done * BLOCK as u64);
        })?;
        Ok(stored.ok_or_else(interrupted)?.into_iter().max().unwrap_or(0))
    }

    fn mirror(&self, which: usize) -> usize {
        self.tables.len() - 1 - which
    }

    fn code_after_capture(&self, which: usize, stones: Stones) -> u8 {
        self.after_capture[which].map_or(code::LOST, |table| table.code(stones))
    }

    fn first_pass(&self, which: usize, range: Range<usize>) -> u8 {
        let table = &self.tables[which];
        let mut greatest = 0;
        table.index.each_in(range, |index, stones| {
            let code = self.code_by_captures(which, stones);
            if code != code::DRAW {
                table.set(index, code);
                greatest = greatest.max(code);
            }
        });
        greatest
    }

    /// The value by captures alone: the quickest win, or a loss if there is no move or only losing captures, else a draw.
    fn code_by_captures(&self, which: usize, stones: Stones) -> u8 {
        let (mut win, mut loss, mut all_win) = (None, code::LOST, true);
        let has_quiet = stones.captures(self.flying, |after| {
            let code = self.code_after_capture(which, after);
            if code::is_loss(code) {
                let before = code::before(code);
                win = Some(win.map_or(before, |win: u8| win.min(before)));
            }
            all_win &= code::is_win(code);
            loss = loss.max(code::before(code));
        });
        let otherwise = if !has_quiet && all_win { loss } else { code::DRAW };
        win.unwrap_or(otherwise)
    }

    /// One level of retrograde analysis: stores the values of predecessors that follow from the values of this level. Returns
    /// the greatest value stored.
    fn step_back(&self, which: usize, range: Range<usize>, level: u8) -> u8 {
        let (table, mirror) = (&self.tables[which], self.mirror(which));
        let (mut greatest, mut found) = (0, Vec::with_capacity(2 * BATCH));
        for index in table.with_code(range, level) {
            table.index.stones(index).quiet_predecessors(self.flying, |stones| found.push(stones));
            if found.len() >= BATCH {
                greatest = greatest.max(self.decide(mirror, &mut found, level));
            }
        }
        greatest.max(self.decide(mirror, &mut found, level))
    }

    /// Decides the positions `found`, which have a quiet move to this level, and empties the list. Returns the greatest value.
    fn decide(&self, which: usize, found: &mut Vec<Stones>, level: u8) -> u8 {
        let (table, next) = (&self.tables[which], &self.tables[self.mirror(which)]);
        let (is_win, win) = (code::is_loss(level), code::before(level));
        table.retain(
            found,
            |stones| Some(table.index.of(*stones)),
            |known| known == code::DRAW || is_win && known > win,
        );
        if !is_win {
            // Most candidates for a loss have another move that does not lose, nearly always among the first ones.
            for nth in 0..FIRST_MOVES {
                let place =
                    |stones: &Stones| Some(next.index.of(stones.quiet_move(self.flying, nth)?));
                next.retain(found, place, |code| code::is_win(code) && code <= level);
            }
        }
        let mut greatest = 0;
        for stones in found.drain(..) {
            let code = if is_win { Some(win) } else { self.loss(which, stones, level) };
            if let Some(code) = code {
                table.index.each_of(stones, |index| table.set(index, code));
                greatest = greatest.max(code);
            }
        }
        greatest
    }

    /// The value of a position if all its moves lose: quiet moves to wins up to this level, captures to any win.
    fn loss(&self, which: usize, stones: Stones, level: u8) -> Option<u8> {
        let next = &self.tables[self.mirror(which)];
        let quiet_lose = stones.quiet_moves(self.flying, |after| {
            let code = next.code(after);
            code::is_win(code) && code <= level
        });
        if !quiet_lose {
            return None;
        }
        let (mut loss, mut all_win) = (code::before(level), true);
        stones.captures(self.flying, |after| {
            let code = self.code_after_capture(which, after);
            all_win &= code::is_win(code);
            loss = loss.max(code::before(code));
        });
        all_win.then_some(loss)
    }
}
