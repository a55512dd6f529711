//! Compares the values of a table with those of the successors, by the game's own rules.

use std::ops::Range;

use super::{
    Census, Store, Subspace, TableKind,
    board::Stones,
    build::census,
    file::BLOCK,
    probe::position_of,
    solve::{Table, Work},
    value_of,
};
use crate::engine::{
    cachefile::Monitor,
    game::{Fault, Game, Outcome, Result, TrueValue},
    random::splitmix_all,
    workers::{self, interrupted},
};

/// The result of verifying a table.
#[derive(Clone, Debug)]
pub struct Verified<P> {
    /// Statistics of the table, counted anew.
    pub census: Census,
    /// Whether `census` equals the statistics in the file's header.
    pub census_agrees: bool,
    /// The number of values compared; of positions equal by symmetry, nearly always only one.
    pub checked: u64,
    /// The number of wrong values among those compared.
    pub wrong: u64,
    /// The position of the first wrong value, the value in the table, and the correct value; `None` without wrong values.
    pub first: Option<(P, TrueValue, TrueValue)>,
}

/// A table and the tables that its moves lead to, in memory.
struct LoadedTables<'a, G: Game> {
    game: &'a G,
    table: Table,
    kind: TableKind,
    successors: Vec<Table>,
}

/// Verifies the table of a subspace: every block, the numbers of the header, and the values of all positions or of about
/// as many random ones as `sample` says (their number and a seed).
/// Errors: a file that cannot be used, a table that is missing, an interrupt.
pub fn verify<G: Game>(
    game: &G,
    store: &Store,
    subspace: Subspace,
    sample: Option<(u64, u64)>,
    threads: usize,
    monitor: &mut Monitor<'_>,
) -> Result<Verified<G::Position>> {
    store.close();
    let work = Work { threads, interrupt: monitor.interrupt };
    let others = [Some(subspace.mirror()), subspace.after_capture()].into_iter().flatten();
    let others = others.filter(|&other| other != subspace);
    let header = store.header(subspace)?;
    let loaded = LoadedTables {
        game,
        table: store.load(subspace, work)?,
        kind: header.kind,
        successors: others.map(|other| store.load(other, work)).collect::<Result<_>>()?,
    };
    let length = loaded.table.len();
    // On average, one value in `share` is compared.
    let (share, seed) = sample
        .map_or((1, 0), |(positions, seed)| ((length as u64).div_ceil(positions.max(1)), seed));
    let is_chosen = |index: usize| splitmix_all(&[seed, index as u64]).is_multiple_of(share);
    let starts: Vec<_> = (0..length).step_by(BLOCK).collect();
    let job =
        |&start: &usize, _: &_| loaded.verify_part(start..length.min(start + BLOCK), &is_chosen);
    let parts = workers::map(&starts, threads, monitor.interrupt, job, &mut |blocks| {
        (monitor.progress)(blocks, starts.len() as u64);
    })?;
    let mut verified = Verified::default();
    for part in parts.ok_or_else(interrupted)? {
        verified.census += part.census;
        verified.checked += part.checked;
        verified.wrong += part.wrong;
        verified.first = verified.first.or(part.first);
    }
    verified.census_agrees = verified.census == header.census;
    Ok(verified)
}

impl<P> Default for Verified<P> {
    fn default() -> Self {
        Self { census: Census::default(), census_agrees: false, checked: 0, wrong: 0, first: None }
    }
}

impl<G: Game> LoadedTables<'_, G> {
    fn verify_part(
        &self,
        range: Range<usize>,
        is_chosen: &impl Fn(usize) -> bool,
    ) -> Result<Verified<G::Position>> {
        let census = census(&self.table, range.clone(), self.kind);
        let mut verified = Verified { census, ..Verified::default() };
        for index in range.filter(|&index| is_chosen(index)) {
            self.check(index, &mut verified)?;
        }
        Ok(verified)
    }

    fn check(&self, index: usize, verified: &mut Verified<G::Position>) -> Result<()> {
        let position = position_of(self.game, self.table.index.stones(index))?;
        let stored = value_of(self.table.code_at(index), self.kind);
        let mut expected = self.expected(&position)?;
        if self.kind == TableKind::Wdl || expected.outcome == Outcome::Draw {
            expected.plies = None;
        }
        verified.checked += 1;
        if stored != expected {
            verified.wrong += 1;
            verified.first.get_or_insert((position, stored, expected));
        }
        Ok(())
    }

    /// The value of a position by its best move, or by the rules if the game is over.
    fn expected(&self, position: &G::Position) -> Result<TrueValue> {
        let mut moves = Vec::new();
        if let Some(score) = self.game.expand(position, &G::History::default(), &mut moves) {
            return Ok(TrueValue::finished(score));
        }
        let after = |&mv: &G::Move| {
            let value = self.value(&self.game.apply(position, mv));
            value.map(TrueValue::parent).ok_or_else(|| {
                Fault::new("a table that the moves lead to is missing")
                    .hint(format!("`tables build {}` builds it", self.table.subspace))
            })
        };
        let values = moves.iter().map(after).collect::<Result<Vec<_>>>()?;
        Ok(values.into_iter().max_by_key(|value| value.rank()).unwrap_or(TrueValue::LOST))
    }

    fn value(&self, position: &G::Position) -> Option<TrueValue> {
        let [own, other] = self.game.endgames()?.stones(position)?;
        let Some(subspace) = Subspace::of(Stones { own, other }) else {
            return self.game.terminal(position, &G::History::default()).map(TrueValue::finished);
        };
        let mut tables = std::iter::once(&self.table).chain(&self.successors);
        let table = tables.find(|table| table.subspace == subspace)?;
        Some(value_of(table.code(Stones { own, other }), self.kind))
    }
}
