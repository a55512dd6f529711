//! Where two players part.

use crate::engine::{
    arena::{Choice, Contender, Player},
    game::{Fault, Game, History},
    progress::Unit,
    report::{ChoiceReport, DifferReport},
    workbench::{Answer, Desk, Moment, Positions},
};

/// So many moves are played on from the position at hand at most.
const FAR: usize = 250;

/// A position with what lies before it.
type At<G> = (<G as Game>::Position, <G as Game>::History);

impl<G: Game> Desk<G> {
    /// Goes to the first position in which two players would not choose from the same best moves.
    pub(super) fn find_difference(
        &mut self,
        names: [&str; 2],
        game: Option<usize>,
    ) -> Answer<DifferReport> {
        let players = [self.player_called(names[0])?, self.player_called(names[1])?];
        let mut minds = Vec::new();
        for player in &players {
            let mut mind = Contender::new(&self.game, player)?;
            let memory = self.memory_of(&self.game, player)?;
            mind.reset(memory.as_ref());
            minds.push(mind);
        }
        let (start, mut moves, first) = match game {
            Some(number) => {
                let record = self.record_numbered(number)?;
                self.game.admits(&record.opening.start)?;
                let first = record.opening.moves.len();
                (
                    (record.opening.start, G::History::default()),
                    record.moves,
                    first,
                )
            }
            None => {
                let Moment {
                    position, history, ..
                } = &self.now;
                ((position.clone(), history.clone()), Vec::new(), 0)
            }
        };
        let found = self.watching("asking", Unit::Searches, |watch| {
            let mut asked = 0_u64;
            let most = if game.is_some() { moves.len() } else { FAR };
            let mut at: At<G> = start.clone();
            for ply in 0..most {
                if ply >= first {
                    if self.game.terminal(&at.0, &at.1).is_some() {
                        break;
                    }
                    watch.tick(asked, (most - first) as u64)?;
                    let Some(pair) = ask(&mut minds, &at, watch.interrupt)? else {
                        return Err(Fault::new("interrupted: the position is as it was"));
                    };
                    asked += 1;
                    if !same(&pair) {
                        return Ok((asked, Some((ply, at, pair))));
                    }
                    if game.is_none() {
                        moves.push(pair[0].mv);
                    }
                }
                let Some(&mv) = moves.get(ply) else { break };
                at.1.push(&at.0);
                at.0 = self.game.apply(&at.0, mv);
            }
            Ok((asked, None))
        });
        let (asked, parting) = found?;
        let ply = parting.as_ref().map_or(moves.len(), |(ply, ..)| *ply);
        if game.is_some() {
            self.set_up_game(start.0, &moves, ply)?;
        } else {
            self.play_on_board(&moves[..ply]);
        }
        Ok(DifferReport {
            game,
            asked: asked as usize,
            choices: parting.map(|(_, at, pair)| self.report_choices(&players, &at, &pair)),
            ply,
            position: self.position(),
        })
    }

    fn report_choices(
        &self,
        players: &[Player; 2],
        (position, _): &At<G>,
        pair: &[Choice<G>; 2],
    ) -> [ChoiceReport; 2] {
        [0, 1].map(|one| {
            let (player, choice) = (&players[one], &pair[one]);
            let best = choice.best.iter();
            ChoiceReport {
                name: player.name.clone(),
                best: best
                    .map(|&mv| self.game.format_move(position, mv))
                    .collect(),
                value: choice.value,
                depth: choice.depth,
                nodes: choice.counters.nodes,
            }
        })
    }
}

fn ask<G: Game>(
    minds: &mut [Contender<G>],
    (position, history): &At<G>,
    interrupt: &std::sync::atomic::AtomicBool,
) -> Answer<Option<[Choice<G>; 2]>> {
    let [one, other] = minds else {
        return Ok(None);
    };
    let Some(first) = one.choose((position, history), 0, interrupt)? else {
        return Ok(None);
    };
    let second = other.choose((position, history), 0, interrupt)?;
    Ok(second.map(|second| [first, second]))
}

/// Whether both would choose from the same moves.
fn same<G: Game>(pair: &[Choice<G>; 2]) -> bool {
    let [one, other] = pair;
    one.best.len() == other.best.len() && one.best.iter().all(|mv| other.best.contains(mv))
}
