//! Where two players part.

use std::sync::atomic::AtomicBool;

use crate::engine::{
    arena::{Choice, Contender, Player},
    cachefile::Watch,
    game::{Fault, Game, History},
    progress::Unit,
    report::{ChoiceReport, DifferReport},
    workbench::{Answer, Desk, Moment, Positions},
};

/// So many moves are played on from the position at hand at most.
const FAR: usize = 250;

/// A position with what lies before it.
type At<G> = (<G as Game>::Position, <G as Game>::History);

/// The positions to ask about.
struct Path<G: Game> {
    start: At<G>,
    moves: Vec<G::Move>,
    /// Moves that are not asked about.
    first: usize,
    /// Whether the players make the moves themselves.
    open: bool,
}

/// Where the players part.
struct Parting<G: Game> {
    ply: usize,
    at: At<G>,
    choices: [Choice<G>; 2],
}

impl<G: Game> Desk<G> {
    /// Goes to the first position in which two players would not choose from the same best moves.
    pub(super) fn find_difference(
        &mut self,
        names: [&str; 2],
        game: Option<usize>,
    ) -> Answer<DifferReport> {
        let players = [self.player_called(names[0])?, self.player_called(names[1])?];
        let mut minds = [self.mind(&players[0])?, self.mind(&players[1])?];
        let mut path = self.path(game)?;
        let mut asked = 0;
        let parting = self.watching("asking", Unit::Searches, |watch| {
            follow(&self.game, &mut path, &mut minds, &mut asked, watch)
        })?;
        let ply = parting.as_ref().map_or(path.moves.len(), |found| found.ply);
        if path.open {
            self.play_on_board(&path.moves[..ply]);
        } else {
            self.set_up_game(path.start.0, &path.moves, ply)?;
        }
        Ok(DifferReport {
            game,
            asked,
            choices: parting.map(|found| self.report_choices(&players, &found)),
            ply,
            position: self.position(),
        })
    }

    fn mind(&self, player: &Player) -> Answer<Contender<G>> {
        let mut mind = Contender::new(&self.game, player)?;
        mind.reset(self.memory_of(&self.game, player)?.as_ref());
        Ok(mind)
    }

    fn path(&self, game: Option<usize>) -> Answer<Path<G>> {
        let Some(number) = game else {
            let Moment {
                position, history, ..
            } = &self.now;
            return Ok(Path {
                start: (position.clone(), history.clone()),
                moves: Vec::new(),
                first: 0,
                open: true,
            });
        };
        let record = self.record_numbered(number)?;
        self.game.admits(&record.opening.start)?;
        Ok(Path {
            start: (record.opening.start, G::History::default()),
            moves: record.moves,
            first: record.opening.moves.len(),
            open: false,
        })
    }

    fn report_choices(&self, players: &[Player; 2], parting: &Parting<G>) -> [ChoiceReport; 2] {
        let (position, _) = &parting.at;
        [0, 1].map(|one| {
            let choice = &parting.choices[one];
            let best = choice.best.iter();
            ChoiceReport {
                name: players[one].name.clone(),
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

/// Asks both players in position after position until they part, or the path or the game ends.
fn follow<G: Game>(
    game: &G,
    path: &mut Path<G>,
    minds: &mut [Contender<G>; 2],
    asked: &mut usize,
    watch: &mut Watch<'_>,
) -> Answer<Option<Parting<G>>> {
    let most = if path.open { FAR } else { path.moves.len() };
    let mut at = path.start.clone();
    for ply in 0..most {
        if ply >= path.first {
            if game.terminal(&at.0, &at.1).is_some() {
                break;
            }
            watch.tick(*asked as u64, (most - path.first) as u64)?;
            let choices = ask(minds, &at, watch.interrupt)?;
            *asked += 1;
            if !agree(&choices) {
                return Ok(Some(Parting { ply, at, choices }));
            }
            if path.open {
                path.moves.push(choices[0].mv);
            }
        }
        let Some(&mv) = path.moves.get(ply) else {
            break;
        };
        at.1.push(&at.0);
        at.0 = game.apply(&at.0, mv);
    }
    Ok(None)
}

fn ask<G: Game>(
    minds: &mut [Contender<G>; 2],
    (position, history): &At<G>,
    interrupt: &AtomicBool,
) -> Answer<[Choice<G>; 2]> {
    let stopped = || Fault::new("interrupted: the position is as it was");
    let [one, other] = minds;
    let at = (position, history);
    let first = one.choose(at, 0, interrupt)?.ok_or_else(stopped)?;
    let second = other.choose(at, 0, interrupt)?.ok_or_else(stopped)?;
    Ok([first, second])
}

/// Whether both would choose from the same moves.
fn agree<G: Game>([one, other]: &[Choice<G>; 2]) -> bool {
    one.best.len() == other.best.len() && one.best.iter().all(|mv| other.best.contains(mv))
}
