//! What the games of a tournament add up to.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Cost, Ending, GameLine, statistics::Pairs};
use crate::engine::game::Side;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Score {
    /// Games in all.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: one for a win, half a one for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

/// One player's share.
#[derive(Clone, Debug, Default)]
pub struct Share {
    /// All its games.
    pub score: Score,
    /// Those in which it had the first move.
    pub as_white: Score,
    /// Its pairs of games with all others.
    pub pairs: Pairs,
    /// What its choices took.
    pub cost: Cost,
    /// Milliseconds, and the choices that are timed.
    pub timed: (f64, u64),
}

/// The sums over games.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By player.
    pub shares: Vec<Share>,
    /// By player with the first move and by player without it.
    pub cross: Vec<Vec<Score>>,
    /// Pairs of two players, the one with the lower number first, from its side.
    pub pairs: BTreeMap<(usize, usize), Pairs>,
    /// How games ended: won by the first player to move, drawn, lost by it.
    pub endings: BTreeMap<Ending, Score>,
    /// Games.
    pub games: u64,
    /// Games that equal another one of the same two players move by move, the colours being the same.
    pub duplicates: u64,
}

/// The moves of the two games of a pair.
type Moves<'a> = [&'a str; 2];

impl Tally {
    /// Adds up games of so many players.
    pub fn of<'a>(players: usize, lines: impl IntoIterator<Item = &'a GameLine>) -> Self {
        let mut tally = Self {
            shares: vec![Share::default(); players],
            cross: vec![vec![Score::default(); players]; players],
            ..Self::default()
        };
        let lines: Vec<_> = lines.into_iter().collect();
        let mut known = FxHashSet::default();
        let mut by_fixture = FxHashMap::default();
        for &line in &lines {
            tally.add(line);
            let start = line.start.as_deref().unwrap_or_default();
            let new = known.insert((line.white, line.black, start, line.moves.as_str()));
            tally.duplicates += u64::from(!new);
            by_fixture.insert((line.white, line.black, line.round), line);
        }
        let mut pairs_known: FxHashSet<(usize, usize, Moves<'_>)> = FxHashSet::default();
        // In the order of the games, so that the sums do not depend on the table's order.
        for &line in lines.iter().filter(|line| line.white < line.black) {
            let (one, other) = (line.white, line.black);
            let Some(back) = by_fixture.get(&(other, one, line.round)) else {
                continue;
            };
            let moves = [line.moves.as_str(), back.moves.as_str()];
            let new = pairs_known.insert((one, other, moves));
            tally.add_pair(
                (one, other),
                line.half_points() + 2 - back.half_points(),
                new,
            );
        }
        tally
    }

    fn add(&mut self, line: &GameLine) {
        let white = line.half_points();
        self.games += 1;
        self.endings
            .entry(line.ending.clone())
            .or_default()
            .add(white);
        if let Some(cell) = self
            .cross
            .get_mut(line.white)
            .and_then(|row| row.get_mut(line.black))
        {
            cell.add(white);
        }
        for (player, side, points) in [
            (line.white, Side::White, white),
            (line.black, Side::Black, 2 - white),
        ] {
            let Some(share) = self.shares.get_mut(player) else {
                continue;
            };
            share.score.add(points);
            if side == Side::White {
                share.as_white.add(points);
            }
            let cost = &line.cost[side.index()];
            share.cost.add(cost);
            if let Some(ms) = line.ms {
                share.timed.0 += ms[side.index()];
                share.timed.1 += cost.moves;
            }
        }
    }

    fn add_pair(&mut self, (one, other): (usize, usize), half_points: usize, new: bool) {
        self.pairs
            .entry((one, other))
            .or_default()
            .add(half_points, new);
        for (player, points) in [(one, half_points), (other, 4 - half_points)] {
            if let Some(share) = self.shares.get_mut(player) {
                share.pairs.add(points, new);
            }
        }
    }

    /// The players' numbers, the best first; of equals the one with the lower number.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<_> = (0..self.shares.len()).collect();
        let share = |player: usize| {
            let score = &self.shares[player].score;
            score.points() / score.games().max(1) as f64
        };
        ranking.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        ranking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(
        white: usize,
        black: usize,
        round: usize,
        winner: Option<Side>,
        moves: &str,
    ) -> GameLine {
        GameLine {
            game: 0,
            white,
            black,
            round,
            start: None,
            opening: 0,
            moves: moves.into(),
            winner,
            ending: Ending::Rules("mate".into()),
            cost: [Cost::default(); 2],
            ms: None,
        }
    }

    #[test]
    fn pairs_are_games_of_one_round_with_colours_swapped() {
        let lines = [
            line(0, 1, 0, Some(Side::White), "a"),
            line(1, 0, 0, Some(Side::Black), "b"),
            line(0, 1, 1, Some(Side::White), "a"),
            line(1, 0, 1, Some(Side::Black), "b"),
            line(0, 1, 2, None, "c"),
            line(1, 0, 2, Some(Side::White), "b"),
            line(0, 1, 3, None, "d"),
        ];
        let tally = Tally::of(2, &lines);
        assert_eq!(tally.pairs[&(0, 1)].counts, [0, 1, 0, 0, 2]);
        assert_eq!(tally.pairs[&(0, 1)].distinct, 2);
        assert_eq!(tally.shares[1].pairs.counts, [2, 0, 0, 1, 0]);
        assert_eq!((tally.games, tally.duplicates), (7, 3));
        assert_eq!(tally.shares[0].score.points(), 5.0);
        assert_eq!(tally.shares[0].as_white.games(), 4);
        assert_eq!(tally.ranking(), [0, 1]);
        assert_eq!(tally.cross[1][0].losses, 2);
        assert_eq!(tally.endings.values().next().map(Score::games), Some(7));
    }
}
