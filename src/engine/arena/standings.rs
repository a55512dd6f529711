//! What the games of a tournament, a round of matches or a log add up to.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::{Cost, Ending, Fixture, GameRecord};
use crate::engine::{
    game::{Board, Side},
    statistics::{Pairs, Sprt, SprtState, Strength},
};

/// How a tournament, a round of matches or a log stands.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Standings {
    /// The game.
    pub game: String,
    /// The players as they are numbered, each as its line of text; the name alone where no more is known.
    pub players: Vec<String>,
    /// Games that have been played.
    pub played: usize,
    /// Games in all.
    pub total: usize,
    /// `complete`, `decided` by its test, `open`, or `loaded` from a log.
    pub status: &'static str,
    /// Games of every ordered pair.
    pub games: usize,
    /// Random moves that begin a game.
    pub openings: usize,
    /// What decides among equal moves.
    pub seed: u64,
    /// The draw rules with their values.
    pub draws: Vec<(String, String)>,
    /// The players, the best first; of equals the one with the lower number.
    pub standings: Vec<PlayerStanding>,
    /// By player with the first move and by player without it: games won, drawn and lost by the first.
    pub cross: Vec<Vec<[u64; 3]>>,
    /// What pairs of players scored in pairs of games.
    pub pairs: Vec<PairStanding>,
    /// How games ended.
    pub endings: Vec<EndingCount>,
    /// Games that equal another one of the same players, the colours being the same, move by move.
    pub duplicates: u64,
    /// The test, where there is one.
    pub sprt: Option<SprtStanding>,
    /// Where the games are kept.
    pub file: Option<String>,
    /// Milliseconds since it was begun or resumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Games played in that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_in_ms: Option<usize>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// How one player stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerStanding {
    /// Its number, from 0.
    pub player: usize,
    /// Its name.
    pub name: String,
    /// Games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points: one for a win, half a one for a draw.
    pub points: f64,
    /// Strength against all others together, by pairs of games.
    pub strength: Option<Strength>,
    /// What its choices took.
    pub cost: MeanCost,
}

/// What choices took, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MeanCost {
    pub(crate) moves: u64,
    pub(crate) nodes: u64,
    pub(crate) nodes_a_move: f64,
    /// Plies of the last complete iteration.
    pub(crate) depth: f64,
    /// The share of the table's answers among what it was asked; nothing where it was not.
    pub(crate) hit_rate: Option<f64>,
    /// Milliseconds for a choice, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms_a_move: Option<f64>,
}

/// What two players scored in pairs of games.
#[derive(Clone, Debug, Serialize)]
pub struct PairStanding {
    /// The number of the player from whose side it is.
    pub first: usize,
    /// The other one's.
    pub second: usize,
    /// The pairs of games.
    #[serde(flatten)]
    pub pairs: Pairs,
    /// What they say.
    pub strength: Option<Strength>,
}

/// How often games ended in one way.
#[derive(Clone, Debug, Serialize)]
pub struct EndingCount {
    /// The way.
    pub ending: String,
    /// Games won by the side with the first move.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won by the other side.
    pub black: u64,
}

/// A test and how it stands.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtStanding {
    /// The test.
    pub test: Sprt,
    /// How it stands.
    pub state: SprtState,
}

/// A game under way, for whoever looks on.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// Its number, from 1.
    pub game: usize,
    /// Who has the first move.
    pub white: String,
    /// Who has not.
    pub black: String,
    /// Moves that have been played.
    pub ply: usize,
    /// The side to move.
    pub side: Side,
    /// The position in the game's notation.
    pub state: String,
    /// The board, where the game can describe it.
    pub board: Option<Board>,
}

/// The pairs of games that two players have played, the lower number first: two of one round with colours exchanged.
pub fn pairs<'a>(
    records: impl IntoIterator<Item = &'a GameRecord>,
) -> BTreeMap<(usize, usize), Pairs> {
    let by_fixture: FxHashMap<_, _> =
        records.into_iter().map(|record| (record.fixture, record)).collect();
    let mut games: Vec<_> =
        by_fixture.values().filter(|record| record.fixture.white < record.fixture.black).collect();
    games.sort_by_key(|record| record.game);
    let mut known = FxHashSet::default();
    let mut pairs: BTreeMap<_, Pairs> = BTreeMap::new();
    for record in games {
        let Fixture { white: one, black: other, round } = record.fixture;
        let back = Fixture { white: other, black: one, round };
        if let Some(back) = by_fixture.get(&back) {
            let new = known.insert((one, other, &record.moves, &back.moves));
            let half_points = record.half_points() + 2 - back.half_points();
            pairs.entry((one, other)).or_default().add(half_points, new);
        }
    }
    pairs
}

impl Standings {
    /// The sums over games of these players; what is not a sum is left empty.
    pub fn of<'a>(players: Vec<String>, records: impl IntoIterator<Item = &'a GameRecord>) -> Self {
        let records: Vec<_> = records.into_iter().collect();
        let mut sums = Self {
            cross: vec![vec![[0; 3]; players.len()]; players.len()],
            played: records.len(),
            players,
            ..Self::default()
        };
        let mut seen = FxHashSet::default();
        let mut endings: BTreeMap<&Ending, [u64; 3]> = BTreeMap::new();
        for record in &records {
            let result = 2 - record.half_points();
            endings.entry(&record.outcome.ending).or_default()[result] += 1;
            let Fixture { white, black, .. } = record.fixture;
            sums.cross[white][black][result] += 1;
            let new = seen.insert((white, black, &record.start, &record.moves));
            sums.duplicates += u64::from(!new);
        }
        let endings = endings.into_iter().map(|(ending, [white, draws, black])| EndingCount {
            ending: ending.to_string(),
            white,
            draws,
            black,
        });
        sums.endings = endings.collect();
        let pairs = pairs(records.iter().copied());
        let players = 0..sums.players.len();
        sums.standings = players.map(|player| sums.player(player, &pairs, &records)).collect();
        let share = |row: &PlayerStanding| row.points / row.games.max(1) as f64;
        sums.standings.sort_by(|a, b| share(b).total_cmp(&share(a)));
        let pairs = pairs.into_iter().map(|((first, second), pairs)| {
            let strength = pairs.strength();
            PairStanding { first, second, pairs, strength }
        });
        sums.pairs = pairs.collect();
        sums
    }

    fn player(
        &self,
        player: usize,
        pairs: &BTreeMap<(usize, usize), Pairs>,
        records: &[&GameRecord],
    ) -> PlayerStanding {
        let mut row =
            PlayerStanding { player, name: self.name(player).to_owned(), ..Default::default() };
        for (other, cells) in self.cross.iter().enumerate() {
            let [[wins, draws, losses], black] = [self.cross[player][other], cells[player]];
            row.wins += wins + black[2];
            row.draws += draws + black[1];
            row.losses += losses + black[0];
        }
        row.games = row.wins + row.draws + row.losses;
        row.points = row.wins as f64 + row.draws as f64 / 2.0;
        let mut met = Pairs::default();
        for ((one, other), pairs) in pairs {
            if *one == player {
                met.extend(pairs);
            } else if *other == player {
                met.extend(&pairs.turned());
            }
        }
        row.strength = met.strength();
        row.cost = MeanCost::of(player, records);
        row
    }

    /// A player's name.
    pub fn name(&self, player: usize) -> &str {
        let line = self.players.get(player).map_or("?", String::as_str);
        line.split_once(':').map_or(line, |(name, _)| name)
    }

    /// The names of the players as they are numbered.
    pub fn names(&self) -> Vec<&str> {
        (0..self.players.len()).map(|player| self.name(player)).collect()
    }
}

impl PlayerStanding {
    /// The part of the points that it has, in percent; 0 without games.
    pub fn percentage(&self) -> f64 {
        self.points * 100.0 / self.games.max(1) as f64
    }
}

impl MeanCost {
    fn of(player: usize, records: &[&GameRecord]) -> Self {
        let (mut cost, mut timed) = (Cost::default(), 0);
        for record in records {
            let sides = [record.fixture.white, record.fixture.black].into_iter().zip(&record.cost);
            for (_, own) in sides.filter(|(side, _)| *side == player) {
                cost.add(own);
                timed += if own.ms > 0.0 { own.moves } else { 0 };
            }
        }
        let each = |sum: u64| sum as f64 / cost.moves.max(1) as f64;
        Self {
            moves: cost.moves,
            nodes: cost.nodes,
            nodes_a_move: each(cost.nodes),
            depth: each(cost.depth),
            hit_rate: (cost.probes > 0).then(|| cost.hits as f64 / cost.probes as f64),
            ms_a_move: (timed > 0).then(|| cost.ms / timed as f64),
        }
    }
}
