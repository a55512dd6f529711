//! The Syzygy tables in use: true values of chess positions with few pieces.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use super::{FIFTY_MOVES, Position};
use crate::engine::{
    files::{FileAccess, io_fault},
    game::{Fault, Outcome, Result, Score, TrueValue},
    syzygy::{Syzygy, SyzygyError, Wdl},
};

/// The value of a win by the tables, in centipawns: above all evaluations, below all mates.
const TABLE_WIN: f64 = 80_000.0;

/// All tables that were opened, by folder and checksum: a folder that is used again is not opened again. They stay open until
/// the program ends, so that games with tables can be copied.
static OPENED: Mutex<BTreeMap<(PathBuf, u32), &'static OpenTables>> = Mutex::new(BTreeMap::new());

#[derive(Debug)]
struct OpenTables {
    syzygy: Syzygy,
    digest: u32,
    /// The fault of the first probe that failed, until [`Tables::take_fault`] takes it.
    fault: Mutex<Option<SyzygyError>>,
}

/// The Syzygy tables in use. Equal if they have the same files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tables(&'static OpenTables);

impl PartialEq for Tables {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl Eq for Tables {}

impl Tables {
    /// Opens the Syzygy tables of a folder.
    /// Errors: a folder that cannot be read, or has none.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let syzygy =
            Syzygy::open(folder).map_err(|error| io_fault(folder, FileAccess::Read, &error))?;
        if syzygy.most_pieces() == 0 {
            return Err(Fault::word(folder.display(), "has no Syzygy tables")
                .hint("name the folder of the files that end in .rtbw and .rtbz"));
        }
        let digest = syzygy.digest();
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        let known = opened.entry((folder.to_owned(), digest)).or_insert_with(|| {
            Box::leak(Box::new(OpenTables { syzygy, digest, fault: Mutex::default() }))
        });
        Ok(Self(known))
    }

    pub(super) fn digest(self) -> u32 {
        self.0.digest
    }

    pub(super) fn names(self) -> Vec<String> {
        self.0.syzygy.tables().map(str::to_owned).collect()
    }

    /// The fault of a failed probe since the last call, if any.
    pub(super) fn take_fault(self) -> Option<Fault> {
        let fault = self.0.fault.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(Fault::new(format!("`{}` cannot be used: {}", fault.file.display(), fault.reason)))
    }

    /// The result of a probe; `None` if no table covers the position, or the file is damaged, which is noted as a fault.
    fn or_note_fault<T>(self, probed: Result<Option<T>, SyzygyError>) -> Option<T> {
        probed.unwrap_or_else(|error| {
            let mut first = self.0.fault.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
            None
        })
    }

    fn wdl(self, position: &Position) -> Option<Wdl> {
        self.or_note_fault(self.0.syzygy.wdl(position.board()))
    }

    /// DTZ: plies to the next capture or pawn move; positive if the side to move wins, negative if it loses, 0 for a draw.
    pub(super) fn dtz(self, position: &Position) -> Option<i32> {
        self.or_note_fault(self.0.syzygy.dtz(position.board()))
    }

    /// The true outcome under the fifty-move rule, given the position's halfmove clock.
    pub(super) fn truth(self, position: &Position) -> Option<TrueValue> {
        let outcome = match self.wdl(position)? {
            Wdl::Win => Outcome::Win,
            Wdl::Loss => Outcome::Loss,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Outcome::Draw,
        };
        let in_time = position.clock() == 0
            || outcome == Outcome::Draw
            || self.dtz(position).is_none_or(|dtz| is_in_time(dtz, position.clock()));
        Some(TrueValue { outcome: if in_time { outcome } else { Outcome::Draw }, plies: None })
    }

    /// The value for the search, as if the halfmove clock were 0, so that it does not depend on earlier positions.
    pub(super) fn value(self, position: &Position) -> Option<Score> {
        let truth = (position.clock() == 0).then(|| self.truth(position))??;
        Some(Score::from_finite(truth.sign() * TABLE_WIN))
    }

    /// The value for choosing a move, in the position after the move: a win is worth less the longer the next capture or pawn
    /// move takes, so that play makes progress; wins too late for the fifty-move rule are better than other draws.
    pub(super) fn progress(self, position: &Position) -> Option<Score> {
        let dtz = match position.clock() {
            // The move to this position was a capture or pawn move.
            0 => match self.wdl(position)? {
                Wdl::Win => 1,
                Wdl::CursedWin => 101,
                Wdl::Draw => 0,
                Wdl::BlessedLoss => -101,
                Wdl::Loss => -1,
            },
            _ => self.dtz(position)?,
        };
        let value = match dtz {
            0 => 0.0,
            dtz if is_in_time(dtz, position.clock()) => TABLE_WIN - f64::from(dtz.abs()),
            _ => 1.0,
        };
        Some(Score::from_finite(value * f64::from(dtz.signum())))
    }
}

/// Whether the next capture or pawn move comes before a draw by the fifty-move rule.
fn is_in_time(dtz: i32, clock: u16) -> bool {
    dtz.unsigned_abs() + u32::from(clock) <= u32::from(FIFTY_MOVES)
}
