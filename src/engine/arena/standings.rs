//! Standings: the results of the games of a tournament, a round of matches or a log.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{Cost, Ending, Fixture, GameRecord};
use crate::engine::{
    game::{Board, Side},
    statistics::{Pairs, Sprt, SprtState, Strength},
};

/// The standings of a tournament, a round of matches or a log.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Standings {
    /// The name of the game, such as `chess`; empty if unknown.
    pub game: String,
    /// The players as text, in the order of their numbers; names only, if read from a file. As JSON: names and settings.
    #[serde(serialize_with = "as_players")]
    pub players: Vec<String>,
    /// The number of games played.
    pub played: usize,
    /// The number of games, played or not.
    pub total: usize,
    /// `complete`; `decided` by the SPRT; `open`; or `loaded` from a file of games.
    pub status: &'static str,
    /// The number of games of every ordered pair of players.
    pub games: usize,
    /// The number of random moves that begin a game.
    pub openings: usize,
    /// The random seed of openings and move choices.
    pub seed: u64,
    /// The draw rules with their values. As JSON an object.
    #[serde(serialize_with = "as_rules")]
    pub draws: Vec<(String, String)>,
    /// The players from best to worst; equal ones by number.
    pub standings: Vec<PlayerStanding>,
    /// Games won, drawn and lost by the first of two players when it had the first move: `cross[first][second]`.
    #[serde(skip)]
    pub cross: Vec<Vec<[u64; 3]>>,
    /// The entries of `cross` with the players' names, without pairings that have not been played.
    #[serde(rename = "cross")]
    pub pairings: Vec<Pairing>,
    /// The score of each pair of players.
    pub pairs: Vec<PairStanding>,
    /// The number of games by the reason they ended.
    pub endings: Vec<EndingCount>,
    /// The number of games that repeat another one of the same players with the same colours, move by move.
    pub duplicates: u64,
    /// The SPRT and its state, if the tournament has a test.
    pub sprt: Option<SprtStanding>,
    /// The parts of the tournament, if the standings add up several files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartStanding>,
    /// The name of the tournament file, if there is one.
    pub file: Option<String>,
    /// The time in milliseconds since the tournament was begun or resumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// The number of games played in the time [`Self::ms`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_in_ms: Option<usize>,
    /// Notes for the user, such as the number of repeated games.
    pub notes: Vec<String>,
}

/// The results of one player in a tournament or match.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerStanding {
    /// The number of the player, from 0.
    #[serde(skip)]
    pub player: usize,
    /// The player's name, from the text that defines the player.
    pub name: String,
    /// The number of games that the player has played.
    pub games: u64,
    /// The number of games that the player has won.
    pub wins: u64,
    /// The number of the player's games that were drawn.
    pub draws: u64,
    /// The number of games that the player has lost.
    pub losses: u64,
    /// The player's points: one for a win, a half for a draw.
    pub points: f64,
    /// The player's strength against all other players together; `None` without games.
    pub strength: Option<Strength>,
    /// The mean cost of the player's moves.
    pub cost: MeanCost,
}

/// The mean cost of a player's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MeanCost {
    pub(crate) moves: u64,
    pub(crate) nodes: u64,
    pub(crate) nodes_a_move: f64,
    /// The depth of the last complete iteration, in plies.
    pub(crate) depth: f64,
    /// The share of table probes that replaced searching a node; `None` without probes.
    pub(crate) hit_rate: Option<f64>,
    /// The mean time per move in milliseconds; `None` for games that were read from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms_a_move: Option<f64>,
}

/// The results of two players, one of whom always moves first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pairing {
    /// The name of the player who moves first.
    pub white: String,
    /// The name of the player who moves second.
    pub black: String,
    /// The number of games that White won.
    pub wins: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games that Black won.
    pub losses: u64,
}

/// The score of one player against another, in pairs of games.
#[derive(Clone, Debug, Serialize)]
pub struct PairStanding {
    /// The name of the player whose score this is.
    pub(crate) first: String,
    pub(crate) second: String,
    /// The numbers of pairs by score, from 0 to 2 points.
    #[serde(flatten)]
    pub pairs: Pairs,
    pub(crate) strength: Option<Strength>,
}

/// The number of games that ended for one reason, by winner.
#[derive(Clone, Debug, Serialize)]
pub struct EndingCount {
    /// Why these games ended, in a word or two: `mate`, `no mill`.
    pub ending: String,
    /// The number of games that White won.
    pub white: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games that Black won.
    pub black: u64,
}

/// A sequential test and its state.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtStanding {
    /// The test with its two hypotheses.
    pub test: Sprt,
    /// The log-likelihood ratio of the SPRT so far, and the verdict.
    pub state: SprtState,
}

/// A part of a tournament, as one row of the standings over all parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartStanding {
    /// The name of the part's tournament file.
    pub file: String,
    /// The random seed of the part.
    pub seed: u64,
    /// The number of games that have been played in the part.
    pub played: usize,
    /// The number of games in the part, played or not.
    pub total: usize,
}

/// A game that is being played, for the screen.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// The number of the game, from 1.
    pub game: usize,
    /// The name of the player who moves first.
    pub white: String,
    /// The name of the player who moves second.
    pub black: String,
    /// The number of moves played.
    pub ply: usize,
    /// The side to move in [`Self::state`].
    pub side: Side,
    /// The position in the game's notation.
    pub state: String,
    /// The board, if the game has one.
    pub board: Option<Board>,
}

/// The pairs of games (one round, colours exchanged) of any two players, from the view of the one with the lower number.
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
        let reversed = Fixture { white: other, black: one, round };
        if let Some(reversed) = by_fixture.get(&reversed) {
            let new = known.insert((one, other, &record.moves, &reversed.moves));
            let half_points = record.half_points() + 2 - reversed.half_points();
            pairs.entry((one, other)).or_default().add(half_points, new);
        }
    }
    pairs
}

impl Standings {
    /// The standings after these games. Fields that the games do not determine are empty.
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
            let [first, second] = [first, second].map(|player| sums.name(player).to_owned());
            let strength = pairs.strength();
            PairStanding { first, second, pairs, strength }
        });
        sums.pairs = pairs.collect();
        sums.pairings = sums.pairings();
        sums
    }

    fn pairings(&self) -> Vec<Pairing> {
        let players = 0..self.players.len();
        let pairs =
            players.clone().flat_map(|white| players.clone().map(move |black| (white, black)));
        let pairing = |(white, black): (usize, usize)| {
            let [wins, draws, losses] = self.cross[white][black];
            let [white, black] = [white, black].map(|player| self.name(player).to_owned());
            (wins + draws + losses > 0).then_some(Pairing { white, black, wins, draws, losses })
        };
        pairs.filter_map(pairing).collect()
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
        let mut all_pairs = Pairs::default();
        for ((one, other), pairs) in pairs {
            if *one == player {
                all_pairs.extend(pairs);
            } else if *other == player {
                all_pairs.extend(&pairs.reversed());
            }
        }
        row.strength = all_pairs.strength();
        row.cost = MeanCost::of(player, records);
        row
    }

    /// A note on the number of games that repeat another one; `None` if there are none.
    pub(super) fn repetitions(&self) -> Option<String> {
        let Self { duplicates, played, .. } = self;
        (*duplicates > 0).then(|| {
            format!(
                "{duplicates} of {played} games repeat another one move by move; intervals count different pairs only"
            )
        })
    }

    /// The name of a player by number; `?` for a number that no player has.
    pub fn name(&self, player: usize) -> &str {
        self.players.get(player).map_or("?", |line| player_name(line))
    }

    /// The names of the players, in the order of their numbers.
    pub fn names(&self) -> Vec<&str> {
        (0..self.players.len()).map(|player| self.name(player)).collect()
    }
}

/// The name in a player's line of text.
pub fn player_name(line: &str) -> &str {
    line.split_once(':').map_or(line, |(name, _)| name)
}

/// A player's line of text as JSON: its name, and its settings and weights by name.
pub fn player_json(line: &str) -> Value {
    let (name, settings) = line.split_once(':').unwrap_or((line, ""));
    let settings = settings.split_whitespace().filter_map(|word| word.split_once('='));
    let settings: Map<_, _> =
        settings.map(|(key, value)| (key.to_owned(), number(value))).collect();
    json!({"name": name, "settings": settings})
}

/// A number as a JSON number, any other text as a string.
fn number(text: &str) -> Value {
    serde_json::from_str(text).map_or_else(|_| text.into(), Value::Number)
}

fn as_players<S: Serializer>(lines: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(lines.iter().map(|line| player_json(line)))
}

/// Writes draw rules as a JSON object, with null for `off`.
fn as_rules<S: Serializer>(rules: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    let value = |text: &str| if text == "off" { Value::Null } else { number(text) };
    serializer.collect_map(rules.iter().map(|(name, text)| (name, value(text))))
}

impl SprtStanding {
    /// The state of the test of the first two players, given these standings.
    pub fn of(test: Sprt, standings: &Standings) -> Self {
        let pairs = standings.pairs.first().map(|pair| pair.pairs).unwrap_or_default();
        Self { test, state: test.state(&pairs) }
    }
}

impl PlayerStanding {
    /// The score in percent of the points possible; 0 without games.
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
