//! Searches judged by true values: how often they give a won or drawn position away.

use std::{ops::AddAssign, sync::atomic::AtomicBool};

use serde::{Deserialize, Serialize};

use crate::engine::{
    cachefile::Monitor,
    game::{Game, Outcome, Result, TrueValue, Weights},
    searcher::Searcher,
    settings::Settings,
    workers::{self, interrupted},
};

/// How often a search plays a move that gives up a won or drawn position. Several best moves count as chosen equally often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mistakes {
    /// The number of won positions that were judged.
    pub won: u64,
    /// The number of drawn positions that were judged.
    pub drawn: u64,
    /// The number of won positions that are only drawn after the move.
    pub win_to_draw: f64,
    /// The number of won positions that are lost after the move.
    pub win_to_loss: f64,
    /// The number of drawn positions that are lost after the move.
    pub draw_to_loss: f64,
}

impl Mistakes {
    /// The number of positions judged, won and drawn.
    pub fn positions(&self) -> u64 {
        self.won + self.drawn
    }

    /// The number of mistakes of all kinds.
    pub fn all(&self) -> f64 {
        self.win_to_draw + self.win_to_loss + self.draw_to_loss
    }
}

impl AddAssign for Mistakes {
    fn add_assign(&mut self, more: Self) {
        self.won += more.won;
        self.drawn += more.drawn;
        self.win_to_draw += more.win_to_draw;
        self.win_to_loss += more.win_to_loss;
        self.draw_to_loss += more.draw_to_loss;
    }
}

/// Judges the moves of a search with these settings and weights by the endgame tables, in each position. Positions that are
/// lost or of unknown value are not counted. Errors: settings or weights that the game cannot use, an interrupt.
pub fn mistakes<G: Game>(
    game: &G,
    settings: &Settings,
    weights: &Weights,
    positions: &[G::Position],
    threads: usize,
    monitor: &mut Monitor<'_>,
) -> Result<Vec<Mistakes>> {
    /// The number of positions in one job of a thread.
    const CHUNK: usize = 16;
    let chunks: Vec<_> = positions.chunks(CHUNK).collect();
    let job = |chunk: &&[G::Position], interrupt: &AtomicBool| {
        let mut searcher = Searcher::new(game, settings, weights)?;
        let judge = |position: &G::Position| {
            searcher.reset(None);
            judge(&mut searcher, position, interrupt)
        };
        chunk.iter().map(judge).collect::<Result<Vec<_>>>()
    };
    let judged = workers::map(&chunks, threads, monitor.interrupt, job, &mut |done| {
        (monitor.progress)(done * CHUNK as u64, positions.len() as u64);
    })?;
    Ok(judged.ok_or_else(interrupted)?.concat())
}

fn judge<G: Game>(
    searcher: &mut Searcher<G>,
    position: &G::Position,
    interrupt: &AtomicBool,
) -> Result<Mistakes> {
    let mut found = Mistakes::default();
    let Some(before) = searcher.game.truth(position).filter(|truth| truth.sign() >= 0.0) else {
        return Ok(found);
    };
    let root = (position, &G::History::default());
    let decision = searcher.choose(root, 0, interrupt)?.ok_or_else(interrupted)?;
    let share = 1.0 / decision.best.len() as f64;
    let is_won = before.outcome == Outcome::Win;
    (found.won, found.drawn) = (is_won.into(), (!is_won).into());
    for mv in decision.best {
        let after = searcher.game.truth(&searcher.game.apply(position, mv));
        match after.map(|after| (is_won, TrueValue::parent(after).outcome)) {
            Some((true, Outcome::Draw)) => found.win_to_draw += share,
            Some((true, Outcome::Loss)) => found.win_to_loss += share,
            Some((false, Outcome::Loss)) => found.draw_to_loss += share,
            _ => {}
        }
    }
    Ok(found)
}
