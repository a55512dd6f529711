//! Games between two players, for commands that compare them otherwise too.

use super::{Answer, Desk};
use crate::engine::{
    arena::{Finish, Manner, Memories, Player, Shard, Spec, Tally, Tournament, VERSION},
    game::{Game, Weights},
    progress::Unit,
    report::DuelReport,
    settings::Settings,
    weighing::interrupted,
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

/// How far a series of duels is, for who watches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Series {
    /// Games of the duels before.
    done: u64,
    /// Games of all duels.
    total: u64,
}

impl Series {
    /// So many duels.
    pub(super) fn of(duels: usize, wish: &DuelWish) -> Self {
        let games = 2 * wish.games.div_ceil(2) as u64;
        Self {
            done: 0,
            total: games * duels as u64,
        }
    }
}

impl<G: Game> Desk<G> {
    /// A player of a duel.
    pub(super) fn duellist(game: &G, name: &str, settings: &Settings, weights: &Weights) -> Player {
        Player {
            settings: settings.clone(),
            weights: weights.clone(),
            ..Player::named(game, name)
        }
    }

    /// Lets two players of different names play, each game with the memory given, if one is.
    pub(super) fn duel(
        &self,
        game: &G,
        (players, memories): (&[Player; 2], &Memories<G::Key>),
        wish: &DuelWish,
        series: &mut Series,
    ) -> Answer<DuelReport> {
        let rules = game.rules().into_iter();
        let spec = Spec {
            version: VERSION,
            game: G::NAME.to_owned(),
            rules: rules.map(|rule| (rule.name, rule.value)).collect(),
            players: players.iter().map(|player| player.line_for(game)).collect(),
            games: wish.games.div_ceil(2),
            first_is_white: false,
            openings: wish.opening,
            start: None,
            seed: wish.seed,
            draws: <_>::default(),
            sprt: None,
            times: false,
        };
        let mut tournament = Tournament::new(spec.plan(game)?, Shard::WHOLE);
        let progress = &self.progress;
        progress.begin("playing", Unit::Games);
        progress.tell(series.done, series.total);
        let played = tournament.play(
            memories,
            Manner {
                workers: wish.workers,
                interrupt: &self.interrupt,
                watch: &|_| {},
                ended: &mut |_, _| {
                    series.done += 1;
                    progress.tell(series.done, series.total);
                    Ok(())
                },
            },
        );
        progress.end();
        if played? != Finish::Complete {
            return Err(interrupted());
        }
        Ok(report(&tournament.tally()))
    }
}

/// What came of it, from the first player's side.
fn report(tally: &Tally) -> DuelReport {
    let share = |player: usize| tally.shares.get(player).cloned().unwrap_or_default();
    let (first, second) = (share(0), share(1));
    let nodes = [first.cost, second.cost].map(|cost| cost.nodes as f64 / cost.moves.max(1) as f64);
    DuelReport {
        games: tally.games,
        wins: first.score.wins,
        draws: first.score.draws,
        losses: first.score.losses,
        pairs: first.pairs.counts,
        distinct: first.pairs.distinct,
        strength: first.pairs.strength(),
        nodes_a_move: nodes,
    }
}
