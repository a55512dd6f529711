//! Which games a tournament has, in which order, and which of them belong together.

use std::ops::Range;

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fixture {
    /// The player with the first move, by number.
    pub white: usize,
    /// The other one.
    pub black: usize,
    /// Which game of the pairing it is, from 0; it decides the opening.
    pub round: usize,
}

/// The games of a tournament by number, and the units of work they are cut into.
///
/// A unit of work is what one worker does alone: what happens in it depends on nothing else. That is one game where every
/// player begins each game anew, and all games of an ordered pair where a player keeps its cache from game to game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    games: Vec<Fixture>,
    units: Vec<Range<usize>>,
}

impl Schedule {
    /// Every ordered pair of so many players, so many games each; or those alone in which the one with the lower number has
    /// the first move. Single games go round by round, so that a tournament that
    /// is stopped early has played all pairings about as often.
    pub fn new(players: usize, rounds: usize, first_is_white: bool, kept: bool) -> Self {
        let pairs = (0..players).flat_map(|one| (one + 1..players).map(move |other| (one, other)));
        let orders = pairs
            .flat_map(|(one, other)| [(one, other), (other, one)])
            .filter(|(white, black)| !first_is_white || white < black);
        let fixture = |(white, black), round| Fixture {
            white,
            black,
            round,
        };
        let games: Vec<_> = if kept {
            orders
                .flat_map(|pair| (0..rounds).map(move |round| fixture(pair, round)))
                .collect()
        } else {
            let orders: Vec<_> = orders.collect();
            (0..rounds)
                .flat_map(|round| orders.iter().map(move |&pair| fixture(pair, round)))
                .collect()
        };
        let length = if kept { rounds.max(1) } else { 1 };
        let units = (0..games.len())
            .step_by(length)
            .map(|first| first..(first + length).min(games.len()))
            .collect();
        Self { games, units }
    }

    /// The games by number.
    pub fn games(&self) -> &[Fixture] {
        &self.games
    }

    /// The units of work, each the numbers of its games.
    pub fn units(&self) -> &[Range<usize>] {
        &self.units
    }
}

/// A part of a tournament: every n-th two units of work, so that the games of a pair are in one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part, from 1.
    pub part: usize,
    /// Of how many.
    pub of: usize,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    /// Whether a unit belongs to it.
    pub const fn holds(self, unit: usize) -> bool {
        (unit / 2) % self.of == self.part - 1
    }

    /// Whether there is such a part.
    pub const fn is_sound(self) -> bool {
        self.part >= 1 && self.part <= self.of
    }
}

impl std::str::FromStr for Shard {
    type Err = crate::engine::game::Fault;

    /// Reads `I/N`, the first part being 1.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').and_then(|(part, of)| {
            Some(Self {
                part: part.parse().ok()?,
                of: of.parse().ok()?,
            })
        });
        numbers.filter(|shard| shard.is_sound()).ok_or_else(|| {
            crate::engine::game::Fault::new(format!("`{text}` is no part of a tournament"))
                .hint("write I/N, such as 1/4 to 4/4")
        })
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ordered_pair_plays_every_round() {
        for kept in [false, true] {
            let schedule = Schedule::new(6, 3, false, kept);
            assert_eq!(schedule.games().len(), 90);
            let mut seen: Vec<_> = schedule
                .games()
                .iter()
                .map(|game| (game.white, game.black, game.round))
                .collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), 90);
            assert!(
                seen.iter()
                    .all(|(white, black, round)| white != black && *round < 3)
            );
            assert_eq!(schedule.units().len(), if kept { 30 } else { 90 });
            let covered: Vec<_> = schedule.units().iter().cloned().flatten().collect();
            assert_eq!(covered, (0..90).collect::<Vec<_>>());
        }
    }

    #[test]
    fn shards_cover_everything_once() {
        let shards: Vec<Shard> = (1..=4).map(|part| Shard { part, of: 4 }).collect();
        for unit in 0..50 {
            assert_eq!(shards.iter().filter(|shard| shard.holds(unit)).count(), 1);
        }
        assert_eq!("2/3".parse(), Ok(Shard { part: 2, of: 3 }));
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
