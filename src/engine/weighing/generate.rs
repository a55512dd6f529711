//! Positions from seeded random play.

use super::Posed;
use crate::engine::{
    game::{Game, History, KeyScheme},
    random,
};

/// Plies of a random game at most: long enough to see the end of most.
const LONGEST: usize = 250;
/// Games that are played at most for each position wanted: phases that random play does not reach are gone without.
const PATIENCE: usize = 4;

/// Different positions that seeded random play leads to, as evenly spread over the phases of play as it can be, phase by
/// phase; each has at least two moves. The same seed gives the same positions.
pub fn generate<G: Game>(game: &G, wanted: usize, seed: u64) -> Vec<Posed<G>> {
    let mut phases: Vec<PhaseBucket<G>> = Vec::new();
    for round in 0..wanted.saturating_mul(PATIENCE).max(PATIENCE) {
        let mut dice = Dice::new(seed, round as u64);
        for posed in one_of_each_phase(game, &mut dice) {
            keep(game, &mut phases, posed, wanted);
        }
        // The phases that come late are only known after some games.
        let share = wanted.div_ceil(phases.len().max(1));
        if round >= wanted && phases.iter().all(|phase| phase.positions.len() >= share) {
            break;
        }
    }
    // In turn one of each phase that has any left; then phase by phase.
    let numbered = phases.into_iter().enumerate().flat_map(|(phase, bucket)| {
        let positions = bucket.positions.into_iter().enumerate();
        positions.map(move |(nth, posed)| (nth, phase, posed))
    });
    let mut taken: Vec<_> = numbered.collect();
    taken.sort_by_key(|(nth, phase, _)| (*nth, *phase));
    taken.truncate(wanted);
    taken.sort_by_key(|(nth, phase, _)| (*phase, *nth));
    taken.into_iter().map(|(_, _, posed)| posed).collect()
}

struct PhaseBucket<G: Game> {
    name: &'static str,
    positions: Vec<Posed<G>>,
    keys: Vec<G::Key>,
}

fn keep<G: Game>(game: &G, phases: &mut Vec<PhaseBucket<G>>, posed: Posed<G>, most: usize) {
    let place = phases.iter().position(|phase| phase.name == posed.phase);
    let place = place.unwrap_or_else(|| {
        phases.push(PhaseBucket { name: posed.phase, positions: Vec::new(), keys: Vec::new() });
        phases.len() - 1
    });
    let phase = &mut phases[place];
    let key = game.key(&posed.position, KeyScheme::Canonical);
    if phase.positions.len() < most && !phase.keys.contains(&key) {
        phase.keys.push(key);
        phase.positions.push(posed);
    }
}

/// Plays a random game, and takes one of its positions from each phase.
fn one_of_each_phase<G: Game>(game: &G, dice: &mut Dice) -> Vec<Posed<G>> {
    let mut seen: Vec<(Posed<G>, u64)> = Vec::new();
    let (mut position, mut history) = (game.start(), G::History::default());
    for _ in 0..LONGEST {
        let mut moves = Vec::new();
        if game.expand(&position, &history, &mut moves).is_some() || moves.is_empty() {
            break;
        }
        // Positions of a suite have no past, and the game may be over only because of it.
        let alone = game.terminal(&position, &G::History::default());
        if moves.len() > 1 && alone.is_none() {
            offer(game, &mut seen, &position, dice);
        }
        let chosen = moves[dice.below(moves.len())];
        history.push(&position);
        position = game.apply(&position, chosen);
    }
    seen.into_iter().map(|(posed, _)| posed).collect()
}

/// Reservoir sampling of one: of the n-th position of a phase the chance to be kept is one in n.
fn offer<G: Game>(
    game: &G,
    seen: &mut Vec<(Posed<G>, u64)>,
    position: &G::Position,
    dice: &mut Dice,
) {
    let phase = game.situation(position, &G::History::default()).phase;
    let posed = || Posed {
        position: position.clone(),
        history: G::History::default(),
        phase,
        comment: None,
    };
    match seen.iter_mut().find(|(kept, _)| kept.phase == phase) {
        None => seen.push((posed(), 1)),
        Some((kept, count)) => {
            *count += 1;
            if dice.below(*count as usize) == 0 {
                *kept = posed();
            }
        }
    }
}

/// A stream of random numbers.
struct Dice(u64);

impl Dice {
    fn new(seed: u64, round: u64) -> Self {
        Self(random::mixed(&[seed, round]))
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = random::splitmix(self.0);
        random::one_of(self.0, bound)
    }
}
