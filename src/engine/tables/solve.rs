//! Retrograde analysis of a subspace together with its mirror.
//!
//! A first pass over all positions finds those that are blocked and those that a capture decides. Then level `n` takes all
//! positions decided in `n` plies and looks at their predecessors: before a loss there is a win, and before a win there is a loss
//! if every other move leads to a win too. Values that captures decide can lie levels ahead; they are stored at once, and a win
//! found later on a shorter way replaces one of a later level. What is left over is drawn.
//!
//! A thread writes only values of later levels, and a position's value does not depend on the order of the writes: the result is the
//! same with any number of threads.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed},
};

use super::{Subspace, board::Stones, code, file::BLOCK, index::Index};
use crate::engine::{
    game::{Fault, Result},
    workers::{self, interrupted},
};

/// The values of a subspace in memory.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) subspace: Subspace,
    pub(super) index: Index,
    values: Vec<AtomicU8>,
}

impl Table {
    /// A table of draws.
    pub(super) fn new(subspace: Subspace) -> Result<Self> {
        let index = Index::new(subspace.own, subspace.other);
        let mut values = Vec::new();
        values.try_reserve_exact(index.len() as usize).map_err(|_| {
            Fault::new(format!("not enough memory for {subspace}: {} bytes", index.len()))
                .hint("close other programs, or solve fewer stones")
        })?;
        values.resize_with(index.len() as usize, AtomicU8::default);
        Ok(Self { subspace, index, values })
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    #[inline]
    pub(super) fn code_at(&self, index: usize) -> u8 {
        self.values[index].load(Relaxed)
    }

    pub(super) fn set(&self, index: usize, code: u8) {
        self.values[index].store(code, Relaxed);
    }

    #[inline]
    pub(super) fn code(&self, stones: Stones) -> u8 {
        self.code_at(self.index.of(stones))
    }

    #[inline]
    fn set_all(&self, stones: Stones, code: u8) {
        self.index.each_of(stones, |index| self.set(index, code));
    }
}

/// How a solver runs.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) threads: usize,
    pub(super) interrupt: &'a AtomicBool,
}

/// A subspace and its mirror while they are solved.
pub(super) struct Solver<'a> {
    /// A subspace and its mirror; only one table if they are the same.
    pub(super) tables: Vec<Table>,
    /// For each of them the table after a capture; `None` if that wins.
    pub(super) after_capture: Vec<Option<&'a Table>>,
    pub(super) flying: bool,
    pub(super) work: Work<'a>,
}

impl Solver<'_> {
    /// Solves. `progress` gets the number of positions that the first pass has seen, then the level.
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
        let jobs: Vec<_> = self.tables.iter().enumerate().flat_map(starts).collect();
        let job = |&(which, start): &(usize, usize), _: &_| {
            let length = self.tables[which].len();
            Ok(job(which, start..length.min(start + BLOCK)))
        };
        let Work { threads, interrupt } = self.work;
        let stored = workers::map(&jobs, threads, interrupt, job, &mut |jobs| {
            progress(jobs * BLOCK as u64);
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

    /// The value where captures decide: the quickest win, or a loss if there is no move or only captures that lose.
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

    /// Stores what follows, for the predecessors, from the values of a level. Returns the greatest value stored.
    fn step_back(&self, which: usize, range: Range<usize>, level: u8) -> u8 {
        let (table, mirror) = (&self.tables[which], self.mirror(which));
        let before = &self.tables[mirror];
        let mut greatest = 0;
        for index in range.filter(|&index| table.code_at(index) == level) {
            table.index.stones(index).quiet_predecessors(self.flying, |stones| {
                let known = before.code(stones);
                let found = if code::is_loss(level) {
                    let win = code::before(level);
                    (known == code::DRAW || known > win).then_some(win)
                } else if known == code::DRAW {
                    self.loss(mirror, stones, level)
                } else {
                    None
                };
                if let Some(code) = found {
                    before.set_all(stones, code);
                    greatest = greatest.max(code);
                }
            });
        }
        greatest
    }

    /// The value of a position all of whose moves lose: quiet moves to wins of this level or an earlier one, captures to any.
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
