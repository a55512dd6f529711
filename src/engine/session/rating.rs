//! Rating a player in Elo by matches against engines with known ratings.

use std::time::Instant;

use serde::Serialize;

use super::{
    Session,
    reply::{Reply, Standings},
    tournament::TournamentCommands as _,
};

use crate::{
    engine::{
        arena::{TournamentSpec, standings::player_name},
        engines::Guest,
        game::{Fault, Game, Result},
        statistics::Estimate,
    },
    text::{TextTable, count, counted, layout, lines, number, timing},
};

/// An engine with a known rating.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The engine, written like a player in a tournament.
    pub player: String,
    /// The engine's known rating in Elo.
    pub elo: f64,
}

/// The conditions under which a player is rated: openings, limits, number of games.
#[derive(Clone, Debug)]
pub struct RatingSpec {
    /// Openings, random seed, draw rules and number of games of each match; `players` is ignored.
    pub games: TournamentSpec,
    /// The limit of each move for both players: the setting `time_ms` or `budget`, and its value.
    pub limit: (&'static str, u64),
    /// How many games are played at the same time.
    pub workers: usize,
}

/// The command that rates a player.
pub trait RatingCommands {
    /// Plays a match against each reference, and rates the player by the results.
    fn rate(
        &mut self,
        player: &str,
        references: &[Reference],
        spec: &RatingSpec,
    ) -> Result<RatingReport>;
}

impl<G: Game> RatingCommands for Session<G> {
    fn rate(
        &mut self,
        player: &str,
        references: &[Reference],
        spec: &RatingSpec,
    ) -> Result<RatingReport> {
        let start = Instant::now();
        let mut rated = self.player(player).map_err(merged)?;
        let (kind, number) = spec.limit;
        rated.settings.time_ms = None;
        rated.settings.set(kind, &number.to_string())?;
        let line = rated.line(self.game());
        let mut rows = Vec::new();
        for reference in references {
            let player = self.player(&reference.player).map_err(merged)?;
            let mut guest = Guest::new(&player.name, player.engine.as_deref().unwrap_or_default());
            // An engine that cannot be started would forfeit every game, so it is checked before the match.
            guest.prepare(G::NAME, &self.run.interrupt)?;
            let players = vec![line.clone(), format!("{} {kind}={number}", reference.player)];
            let games = TournamentSpec { players, ..spec.games.clone() };
            let games = self.tournament_spec(games, false)?;
            let standings = self.play_tournament(&games, None, Some(spec.workers))?;
            rows.push(ReferenceRow::new(reference.elo, &standings));
        }
        let rating = RatingReport::mean(&rows);
        let ms = Some(start.elapsed().as_secs_f64() * 1e3);
        let limit = match kind {
            "budget" => counted(number, "node", "nodes"),
            _ => number::time(number as f64),
        };
        Ok(RatingReport { player: line, limit, references: rows, rating, ms })
    }
}

fn merged(faults: Vec<Fault>) -> Fault {
    Fault::merge(faults).unwrap_or_else(|| Fault::new("there is no player"))
}

/// The reply of `match rate`: the rating of a player with its confidence interval.
#[derive(Clone, Debug, Serialize)]
pub struct RatingReport {
    /// The player, written as in a tournament.
    player: String,
    /// The limit of each move in words: a time or a number of nodes.
    limit: String,
    /// The result against each reference, in the order given.
    pub references: Vec<ReferenceRow>,
    /// The rating in Elo with its 95 % interval; `None` if every match was won or lost completely.
    pub rating: Option<Estimate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
}

/// The result of the match against one reference.
#[derive(Clone, Debug, Serialize)]
pub struct ReferenceRow {
    /// The name of the reference engine.
    name: String,
    /// The known rating of the reference engine in Elo.
    elo: f64,
    /// Games that the rated player won, drew and lost.
    pub games: [u64; 3],
    /// The rating in Elo by this match alone, with its 95 % interval; infinite ends are null in JSON.
    rating: Option<Estimate>,
}

impl ReferenceRow {
    /// The result of a match, from the standings of two players, the rated player first.
    fn new(elo: f64, standings: &Standings) -> Self {
        let row = standings.standings.iter().find(|row| row.player == 0);
        let pair = standings.pairs.first();
        let strength = pair.and_then(|pair| pair.strength.as_ref());
        let rating = strength.map(|strength| {
            let Estimate { value, low, high } = strength.elo_interval();
            Estimate { value: elo + value, low: elo + low, high: elo + high }
        });
        Self {
            name: standings.name(1).to_owned(),
            elo,
            games: row.map_or([0; 3], |row| [row.wins, row.draws, row.losses]),
            rating,
        }
    }
}

impl RatingReport {
    /// The mean of the ratings, weighted by inverse variance. Matches with an infinite interval do not count.
    fn mean(rows: &[ReferenceRow]) -> Option<Estimate> {
        // Half the width of a 95 % interval, in standard deviations.
        const HALF: f64 = 1.96;
        let finite = rows.iter().filter_map(|row| row.rating).filter(|rating| {
            [rating.value, rating.low, rating.high].into_iter().all(f64::is_finite)
        });
        let weighed = finite.map(|rating| (rating.value, (HALF / rating.error()).powi(2)));
        let (sum, weights) = weighed.fold((0.0, 0.0), |(sum, weights), (value, weight)| {
            (sum + value * weight, weights + weight)
        });
        (weights > 0.0).then(|| {
            let (value, error) = (sum / weights, HALF / weights.sqrt());
            Estimate { value, low: value - error, high: value + error }
        })
    }
}

/// A rating and its interval as whole numbers; `—` for both if there is no rating.
fn rating_cells(rating: Option<Estimate>) -> [String; 2] {
    let whole = |value: f64| match value {
        value if value.is_finite() => format!("{value:.0}"),
        value if value > 0.0 => "+∞".to_owned(),
        _ => "−∞".to_owned(),
    };
    match rating {
        Some(Estimate { value, low, high }) => {
            [whole(value), format!("{} … {}", whole(low), whole(high))]
        }
        None => [(); 2].map(|()| "—".to_owned()),
    }
}

impl Reply for RatingReport {
    fn text(&self) -> String {
        let [value, interval] = rating_cells(self.rating);
        let name = player_name(&self.player);
        let head = match self.rating {
            Some(_) => format!("{name}: {value} Elo, 95 % {interval}, at {} a move", self.limit),
            None => format!("{name}: no rating, as every match was won or lost whole"),
        };
        let table = TextTable::of(&self.references)
            .left("against", |row| row.name.clone())
            .right("Elo", |row| format!("{:.0}", row.elo))
            .right("won", |row| count(row.games[0]))
            .right("drawn", |row| count(row.games[1]))
            .right("lost", |row| count(row.games[2]))
            .right("rating", |row| rating_cells(row.rating)[0].clone())
            .right("95 %", |row| rating_cells(row.rating)[1].clone())
            .render();
        lines([layout::wrap("", &head), table, timing(self.ms, None)])
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}
