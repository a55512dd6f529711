//! Games between two players, for commands that compare them otherwise too.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use super::{Manner, Memories, Player, Tournament, TournamentSpec};
use crate::engine::{
    game::{Fault, Game},
    statistics::Duel,
    workers::Finish,
};

/// How many games two players play, and how they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuelWish {
    /// Games; of an odd number one more, as each opening is played with both colours.
    pub games: usize,
    /// Random moves that begin a game.
    pub opening: usize,
    /// What the openings and the choices among equal moves start from.
    pub seed: u64,
    /// Games played side by side. They change nothing but the time it takes.
    pub workers: usize,
}

/// Lets two players of different names play, each game with the memory given, if one is; `tell` hears of every game that
/// has ended. Nothing where the user stopped it.
///
/// # Errors
/// Too few openings, and what keeps a player from searching.
pub fn duel<G: Game>(
    game: &G,
    players: &[Player; 2],
    memories: &Memories<G::Key>,
    wish: &DuelWish,
    interrupt: &AtomicBool,
    tell: &mut dyn FnMut(),
) -> Result<Option<Duel>, Fault> {
    let lines = players.iter().map(|player| player.line(game));
    let spec = TournamentSpec {
        games: wish.games.div_ceil(2),
        openings: wish.opening,
        seed: wish.seed,
        ..TournamentSpec::of(game, lines.collect())
    };
    let mut tournament = Tournament::new(spec.plan(game)?, BTreeMap::new());
    let manner = Manner {
        workers: wish.workers,
        interrupt,
        watch: &|_| {},
        ended: &mut |_, _| {
            tell();
            Ok(())
        },
    };
    if tournament.play(memories, manner)? != Finish::Complete {
        return Ok(None);
    }
    let standings = tournament.standings();
    let row = |player| standings.standings.iter().find(|row| row.player == player);
    let (Some(first), Some(second)) = (row(0), row(1)) else {
        return Ok(None);
    };
    let pairs = standings.pairs.first().map(|pair| pair.pairs).unwrap_or_default();
    Ok(Some(Duel {
        games: first.games,
        wins: first.wins,
        draws: first.draws,
        losses: first.losses,
        pairs: pairs.counts,
        distinct: pairs.distinct,
        strength: first.strength,
        nodes_a_move: [first, second].map(|row| row.cost.nodes_a_move),
    }))
}
