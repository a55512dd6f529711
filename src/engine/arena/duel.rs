//! Games between two players, for commands that compare them otherwise too.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use serde::Serialize;

use super::{Manner, Memories, Player, Tournament, TournamentSpec, statistics::Strength};
use crate::engine::{
    game::{Fault, Game},
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

/// What came of games between two players, from the first one's side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Duel {
    /// How many were played, half of them with either colour.
    pub games: u64,
    /// Won by the first player.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by it.
    pub losses: u64,
    /// Pairs of games from one opening by the first player's points: 0, ½, 1, 1½ and 2.
    pub pairs: [u64; 5],
    /// How many of the pairs are different from each other.
    pub distinct: u64,
    /// The difference in strength with its 95 % intervals.
    pub strength: Option<Strength>,
    /// States visited a move, by the first player and by the second.
    pub nodes_a_move: [f64; 2],
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
    let lines = players.iter().map(|player| player.line_for(game));
    let spec = TournamentSpec {
        rules: game.rules().into_iter().map(|rule| (rule.name, rule.value)).collect(),
        games: wish.games.div_ceil(2),
        openings: wish.opening,
        seed: wish.seed,
        ..TournamentSpec::of(G::NAME, lines.collect())
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
    let pairs = standings.pairs.first();
    Ok(Some(Duel {
        games: first.games,
        wins: first.wins,
        draws: first.draws,
        losses: first.losses,
        pairs: pairs.map_or([0; 5], |pairs| pairs.counts),
        distinct: pairs.map_or(0, |pairs| pairs.distinct),
        strength: first.strength,
        nodes_a_move: [first, second].map(|row| row.cost.nodes_a_move),
    }))
}
