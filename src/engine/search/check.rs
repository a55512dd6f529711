//! Whether a machine read from a file is one that a search could have left: people may have edited it.

use super::{Deepening, Frame, Phase, Plan, Search, Stage};
use crate::engine::game::{Fault, Game};

fn broken(what: impl Into<String>) -> Fault {
    Fault::new(format!("the saved search is inconsistent: {}", what.into()))
        .hint("remove it (`search: None`) to load the rest of the session")
}

impl<G: Game> Deepening<G> {
    /// Checks every index and that every frame follows from the one above by its move.
    pub fn check(&self, game: &G) -> Result<(), Fault> {
        let (moves, child) = self.root_moves();
        let mut legal = Vec::new();
        if matches!(self.plan(), Plan::Best(_)) {
            game.expand(self.root(), self.search().bare_history(), &mut legal);
        }
        let listed: Vec<_> = moves.iter().map(|root| root.mv).collect();
        if listed != legal {
            return Err(broken("the root's moves are not the legal ones"));
        }
        let complete = self.complete().map_or(&[][..], |complete| &complete.moves);
        if !complete.is_empty() && complete.len() != moves.len() {
            return Err(broken(
                "the complete iteration has other moves than the root",
            ));
        }
        if complete.iter().zip(moves).any(|(a, b)| a.mv != b.mv) {
            return Err(broken(
                "the complete iteration has other moves than the root",
            ));
        }
        for root in moves.iter().chain(complete) {
            check_line(game, self.root(), &root.line)?;
        }
        self.check_stage(child, moves.len())?;
        self.search().check(game)?;
        self.check_first(game)
    }

    fn check_stage(&self, child: usize, moves: usize) -> Result<(), Fault> {
        let best = matches!(self.plan(), Plan::Best(_));
        let fits = match self.stage() {
            Stage::Iteration | Stage::Over => child <= moves,
            Stage::Child => best && child < moves && self.depth() > 0,
            Stage::Inside => (!best || child < moves) && !self.search().frames().is_empty(),
        };
        if fits {
            Ok(())
        } else {
            Err(broken(format!(
                "root move {child} of {moves} does not fit the stage"
            )))
        }
    }

    /// The first frame is the root, or the root move under way.
    fn check_first(&self, game: &G) -> Result<(), Fault> {
        let Some(first) = self.search().frames().first() else {
            return Ok(());
        };
        let (moves, child) = self.root_moves();
        let (wanted, depth) = match (self.plan(), moves.get(child)) {
            (Plan::Value { depth, .. }, _) => (self.root().clone(), depth),
            (Plan::Best(_), Some(root)) => (
                game.apply(self.root(), root.mv),
                self.depth().wrapping_sub(1),
            ),
            (Plan::Best(_), None) => return Err(broken("no root move is under way")),
        };
        let fits = first.position == wanted && first.depth == depth;
        if fits {
            Ok(())
        } else {
            Err(broken("the first frame does not follow from the root"))
        }
    }
}

impl<G: Game> Search<G> {
    fn check(&self, game: &G) -> Result<(), Fault> {
        if self.frames.is_empty() != (self.phase == Phase::Finished) {
            return Err(broken("frames and phase do not fit"));
        }
        if self.lines.len() < self.frames.len() {
            return Err(broken("lines are missing"));
        }
        let mut end = 0;
        for (place, frame) in self.frames.iter().enumerate() {
            self.check_moves(game, frame, &mut end, place + 1 == self.frames.len())?;
            check_line(game, &frame.position, &self.lines[place])?;
        }
        if end as usize != self.moves.len() {
            return Err(broken("moves are left over"));
        }
        self.frames
            .windows(2)
            .try_for_each(|pair| self.check_pair(game, &pair[0], &pair[1]))
    }

    fn check_moves(
        &self,
        game: &G,
        frame: &Frame<G>,
        end: &mut u32,
        top: bool,
    ) -> Result<(), Fault> {
        let range = &frame.moves;
        let in_order = range.start == *end
            && range.start <= range.end
            && range.end as usize <= self.moves.len();
        let unfinished = !top || self.phase == Phase::Pick;
        let next_fits = range.start <= frame.next && frame.next <= range.end;
        let more = self.phase != Phase::Pick || !top || frame.next < range.end;
        if !in_order
            || !next_fits
            || !more
            || (unfinished && (range.is_empty() || frame.depth == 0))
        {
            return Err(broken("a frame's moves are out of range"));
        }
        *end = range.end;
        if range.is_empty() {
            return Ok(());
        }
        let mut legal = Vec::new();
        game.expand(&frame.position, &self.history, &mut legal);
        let listed = self.moves_of(frame);
        let same = legal.len() == listed.len() && legal.iter().all(|mv| listed.contains(mv));
        if same {
            Ok(())
        } else {
            Err(broken("a frame's moves are not the legal ones"))
        }
    }

    fn check_pair(&self, game: &G, parent: &Frame<G>, child: &Frame<G>) -> Result<(), Fault> {
        let led_here = self
            .current_move(parent)
            .map(|mv| game.apply(&parent.position, mv));
        let fits = led_here.as_ref() == Some(&child.position)
            && parent.depth.checked_sub(1) == Some(child.depth);
        if fits {
            Ok(())
        } else {
            Err(broken("a frame does not follow from the one above it"))
        }
    }

    /// The history as it is at the root of the game tree shown to the user, as far as legality goes.
    fn bare_history(&self) -> &G::History {
        &self.history
    }
}

fn check_line<G: Game>(game: &G, from: &G::Position, line: &[G::Move]) -> Result<(), Fault> {
    let mut position = from.clone();
    for &mv in line {
        let mut legal = Vec::new();
        game.expand(&position, &G::History::default(), &mut legal);
        if !legal.contains(&mv) {
            return Err(broken("a best line has an illegal move"));
        }
        position = game.apply(&position, mv);
    }
    Ok(())
}
