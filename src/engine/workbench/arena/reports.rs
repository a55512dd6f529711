//! Games and tournaments as reports.

use super::Hall;
use crate::engine::{
    arena::{DrawRules, GameLine, Score, Shard, Share, Tally, Tournament, statistics::Pairs},
    game::Game,
    report::{
        CostReport, EndingReport, GameReport, PairReport, SprtReport, StandingReport,
        TournamentReport,
    },
};

/// How the games at hand stand.
pub(super) fn report_hall<G: Game>(hall: &Hall<G>, mut notes: Vec<String>) -> TournamentReport {
    let mut report = match hall {
        Hall::Tournament {
            tournament,
            file,
            ms,
            before,
            interrupted,
        } => {
            if *interrupted {
                notes.push("stopped; `tournament resume` goes on".to_owned());
            }
            TournamentReport {
                file: file.as_ref().map(|file| file.display().to_string()),
                ms: (*ms > 0.0).then_some(*ms),
                played_in_ms: (*ms > 0.0)
                    .then(|| tournament.state.lines.len().saturating_sub(*before)),
                ..report_tournament(tournament)
            }
        }
        Hall::Log { names, lines } => report_log::<G>(names, lines),
    };
    notes.append(&mut report.notes);
    report.notes = notes;
    report
}

/// How a tournament stands.
pub(super) fn report_tournament<G: Game>(tournament: &Tournament<G>) -> TournamentReport {
    let plan = &tournament.plan;
    let (spec, shard) = (&plan.spec, tournament.state.shard);
    let tally = tournament.tally();
    let names: Vec<_> = plan
        .players
        .iter()
        .map(|player| player.name.clone())
        .collect();
    let status = if tournament.decided.is_some() {
        "decided"
    } else if tournament.is_complete() {
        "complete"
    } else {
        "open"
    };
    let timed = plan.players.iter().filter(|player| player.is_timed());
    let mut notes: Vec<_> = timed
        .map(|player| {
            format!(
                "{} is limited by time: other runs may have other results",
                player.name
            )
        })
        .collect();
    if tally.duplicates > 0 {
        notes.push(format!(
                "{} of {} games repeat another one move by move; intervals count pairs that are different",
                tally.duplicates, tally.games
            ));
    }
    TournamentReport {
        players: spec.players.clone(),
        played: tournament.state.lines.len(),
        total: tournament.total(),
        status,
        shard: (shard != Shard::WHOLE).then(|| shard.to_string()),
        games: spec.games,
        openings: spec.openings,
        seed: spec.seed,
        draws: named(&plan.rules),
        sprt: spec
            .sprt
            .zip(tournament.sprt())
            .map(|(test, state)| SprtReport { test, state }),
        notes,
        ..summed::<G>(&names, &tally)
    }
}

/// A game at hand.
pub(super) fn report_game<G: Game>(hall: &Hall<G>, line: &GameLine, moves: bool) -> GameReport {
    GameReport {
        game: line.game + 1,
        white: hall.name(line.white).to_owned(),
        black: hall.name(line.black).to_owned(),
        round: line.round + 1,
        plies: line.plies(),
        opening: line.opening,
        winner: line.winner,
        ending: line.ending.to_string(),
        nodes: line.cost.map(|cost| cost.nodes),
        moves: if moves {
            line.moves.split_whitespace().map(str::to_owned).collect()
        } else {
            Vec::new()
        },
    }
}
fn named(rules: &DrawRules) -> Vec<(String, String)> {
    rules
        .list()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn report_log<G: Game>(names: &[String], lines: &[GameLine]) -> TournamentReport {
    TournamentReport {
        status: "loaded",
        played: lines.len(),
        total: lines.len(),
        ..summed::<G>(names, &Tally::of(names.len(), lines))
    }
}

/// The sums, and nothing of how they came about.
fn summed<G: Game>(names: &[String], tally: &Tally) -> TournamentReport {
    let cell = |score: &Score| [score.wins, score.draws, score.losses];
    TournamentReport {
        game: G::NAME.into(),
        players: names.to_vec(),
        played: 0,
        total: 0,
        status: "open",
        shard: None,
        games: 0,
        openings: 0,
        seed: 0,
        draws: Vec::new(),
        standings: tally
            .ranking()
            .into_iter()
            .filter_map(|player| {
                Some(standing(
                    player,
                    names.get(player)?,
                    tally.shares.get(player)?,
                ))
            })
            .collect(),
        cross: tally
            .cross
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect(),
        pairs: tally
            .pairs
            .iter()
            .map(|(&players, pairs)| report_pairs(players, pairs))
            .collect(),
        endings: tally
            .endings
            .iter()
            .map(|(ending, score)| EndingReport {
                ending: ending.to_string(),
                white: score.wins,
                draws: score.draws,
                black: score.losses,
            })
            .collect(),
        duplicates: tally.duplicates,
        sprt: None,
        file: None,
        ms: None,
        played_in_ms: None,
        notes: Vec::new(),
    }
}

fn standing(player: usize, name: &str, share: &Share) -> StandingReport {
    let Share {
        score,
        as_white,
        pairs,
        cost,
        timed,
    } = share;
    let mean = |sum: u64| sum as f64 / cost.moves.max(1) as f64;
    StandingReport {
        player,
        name: name.to_owned(),
        games: score.games(),
        wins: score.wins,
        draws: score.draws,
        losses: score.losses,
        points: score.points(),
        white_points: as_white.points(),
        white_games: as_white.games(),
        strength: pairs.strength(),
        cost: CostReport {
            moves: cost.moves,
            nodes: cost.nodes,
            nodes_a_move: mean(cost.nodes),
            depth: mean(cost.depth),
            hit_rate: (cost.probes > 0).then(|| cost.hits as f64 / cost.probes as f64),
            ms_a_move: (timed.1 > 0).then(|| timed.0 / timed.1 as f64),
        },
    }
}

fn report_pairs((first, second): (usize, usize), pairs: &Pairs) -> PairReport {
    PairReport {
        first,
        second,
        counts: pairs.counts,
        distinct: pairs.distinct,
        strength: pairs.strength(),
    }
}
