//! What commands that let players play are told.

use super::{Args, Kind, Param, Shell};
use crate::engine::{arena::DuelWish, game::Fault, workers};

/// Random moves that begin a game where nothing is said.
const USUAL: usize = 4;

pub(super) const OPENINGS: Param = Param::flag(
    "openings",
    Kind::Range(0, 1000),
    "random moves that begin a game; 4 where nothing is said",
);

pub(super) const WORKERS: Param = Param::flag(
    "workers",
    Kind::Range(1, 1024),
    "threads; as many as there are cores where none is given",
);

/// So many games.
pub(super) fn wish(shell: &Shell, args: &Args<'_>, games: usize) -> Result<DuelWish, Fault> {
    Ok(DuelWish {
        games,
        opening: args.count("openings")?.unwrap_or(USUAL),
        seed: seed(shell, args)?,
        workers: workers(args)?,
    })
}

/// What random choices start from: the setting where nothing is said.
pub(super) fn seed(shell: &Shell, args: &Args<'_>) -> Result<u64, Fault> {
    Ok(args.count("seed")?.unwrap_or(shell.engine.bench().seed()))
}

/// How many threads to use.
pub(super) fn workers(args: &Args<'_>) -> Result<usize, Fault> {
    Ok(args.count("workers")?.unwrap_or_else(workers::processors))
}
