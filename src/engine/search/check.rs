//! Whether a machine read from a file is one that a search could have left: people may have edited it.

use super::{Deepening, EventKind, Frame, Phase, Plan, RootMove, Search, Stage, Stop};
use crate::engine::game::{Fault, Game, History};

type Checked = Result<(), Fault>;

fn ensure(holds: bool, otherwise: &str) -> Checked {
    if holds {
        return Ok(());
    }
    Err(
        Fault::new(format!("the saved search is inconsistent: {otherwise}"))
            .hint("remove it (`search: None`) to load the rest of the session"),
    )
}

impl<G: Game> Deepening<G> {
    /// Checks every index and that every frame follows from the one above by its move.
    pub fn check(&self, game: &G) -> Checked {
        self.check_root(game)?;
        self.check_stage()?;
        self.check_depth()?;
        self.search.check(game)?;
        self.check_first(game)
    }

    fn check_root(&self, game: &G) -> Checked {
        let mut legal = Vec::new();
        if matches!(self.plan, Plan::Best(_)) {
            let mut history = self.search.history_at(0);
            history.pop();
            game.expand(&self.root, &history, &mut legal);
        }
        let listed = |moves: &[RootMove<G>]| moves.iter().map(|root| root.mv).eq(legal.clone());
        ensure(
            listed(&self.moves),
            "the root's moves are not the legal ones",
        )?;
        let complete = self.complete.as_ref().map(|complete| &complete.moves);
        ensure(
            complete.is_none_or(|moves| listed(moves)),
            "the complete iteration has other moves than the root",
        )?;
        let mut moves = self.moves.iter().chain(complete.into_iter().flatten());
        moves.try_for_each(|root| check_line(game, &self.root, &root.line))
    }

    fn check_stage(&self) -> Checked {
        let best = matches!(self.plan, Plan::Best(_));
        let under_way = self.child < self.moves.len();
        let fits = match self.stage {
            Stage::Iteration | Stage::Over => self.child <= self.moves.len(),
            Stage::Child => best && under_way,
            Stage::Inside => !best || under_way,
        };
        let inside = self.stage == Stage::Inside;
        let running = !self.search.frames.is_empty();
        // A value that came back to the root is that of the move before the one under way.
        let came_back = matches!(self.search.last, EventKind::Return | EventKind::Raise);
        ensure(
            fits && inside == running && (running || !came_back || self.child > 0),
            "the root move under way does not fit the stage",
        )?;
        let stopped = match self.stop {
            None => self.stage != Stage::Over,
            Some(Stop::Budget) => inside,
            Some(_) => self.stage == Stage::Over,
        };
        ensure(stopped, "`stop` does not fit the stage")
    }

    /// Iterations follow each other one ply apart.
    fn check_depth(&self) -> Checked {
        let Plan::Best(limits) = self.plan else {
            return Ok(());
        };
        let complete = self.complete.as_ref().map(|complete| complete.depth);
        let next = complete.map_or(Some(limits.first), |depth| depth.checked_add(1));
        let fits = match self.stage {
            Stage::Iteration => self.depth == complete.unwrap_or(0),
            Stage::Child | Stage::Inside => Some(self.depth) == next,
            Stage::Over => true,
        };
        ensure(
            fits && (1..=limits.last).contains(&limits.first),
            "the depth of the iteration does not fit the others",
        )
    }

    /// The first frame is the root, or the root move under way.
    fn check_first(&self, game: &G) -> Checked {
        let Some(first) = self.search.frames.first() else {
            return Ok(());
        };
        let (position, depth, base) = match (self.plan, self.moves.get(self.child)) {
            (Plan::Best(_), Some(root)) => (game.apply(&self.root, root.mv), self.depth - 1, 1),
            (Plan::Value { depth, .. }, _) => (self.root.clone(), depth, 0),
            (Plan::Best(_), None) => return ensure(false, "no root move is under way"),
        };
        let fits = first.position == position && first.depth == depth && self.search.base == base;
        ensure(fits, "the first frame does not follow from the root")
    }
}

impl<G: Game> Search<G> {
    fn check(&self, game: &G) -> Checked {
        let Some(top) = self.frames.last() else {
            return ensure(
                self.phase == Phase::Finished && self.moves.is_empty(),
                "a finished search has neither phase nor moves",
            );
        };
        let (listed, more) = (!top.moves.is_empty(), top.next < top.moves.end);
        let fits = match self.phase {
            Phase::Enter | Phase::Visit => !listed,
            Phase::Pick => more,
            Phase::Store | Phase::Evict | Phase::Leave => true,
            Phase::Finished => false,
        };
        ensure(fits, "frames and phase do not fit")?;
        let mut end = 0;
        for (place, frame) in self.frames.iter().enumerate() {
            ensure(frame.moves.start == end, "a frame's moves are out of range")?;
            end = frame.moves.end;
            self.check_frame(game, frame, &self.history_at(place))?;
            if let Some(choice) = frame.choice {
                let line = self.lines.get(place).map_or(&[][..], Vec::as_slice);
                let begins = line.first() == Some(&choice);
                ensure(begins, "a best line does not begin with the choice")?;
                check_line(game, &frame.position, line)?;
            }
        }
        ensure(end as usize == self.moves.len(), "moves are left over")?;
        let mut pairs = self.frames.windows(2);
        pairs.try_for_each(|pair| self.check_pair(game, &pair[0], &pair[1]))
    }

    /// The history as it was when the frame at `place` was expanded: without what was pushed since.
    pub fn history_at(&self, place: usize) -> G::History {
        let mut history = self.history.clone();
        for _ in place + 1..self.frames.len() {
            history.pop();
        }
        history
    }

    fn check_frame(&self, game: &G, frame: &Frame<G>, history: &G::History) -> Checked {
        let range = &frame.moves;
        let ordered = range.start <= frame.next
            && frame.next <= range.end
            && range.end as usize <= self.moves.len();
        ensure(ordered, "a frame's moves are out of range")?;
        let listed = self.moves_of(frame);
        let chosen = frame.choice.is_none_or(|choice| listed.contains(&choice));
        ensure(chosen, "a frame's choice is none of its moves")?;
        if listed.is_empty() {
            return Ok(());
        }
        let mut legal = Vec::new();
        if frame.depth > 0 {
            game.expand(&frame.position, history, &mut legal);
        } else {
            game.forcing(&frame.position, history, &mut legal);
        }
        let same = legal.len() == listed.len() && legal.iter().all(|mv| listed.contains(mv));
        ensure(same, "a frame's moves are not the legal ones")
    }

    fn check_pair(&self, game: &G, parent: &Frame<G>, child: &Frame<G>) -> Checked {
        let led_here = self
            .current_move(parent)
            .map(|mv| game.apply(&parent.position, mv));
        let nearer = match parent.depth.checked_sub(1) {
            Some(depth) => child.depth == depth && child.beyond.is_none(),
            None => child.depth == 0 && child.beyond == left_beyond(parent),
        };
        let fits = led_here.as_ref() == Some(&child.position) && nearer;
        ensure(fits, "a frame does not follow from the one above it")
    }
}

/// The plies that a child of a node at or beyond the horizon may go on.
fn left_beyond<G: Game>(parent: &Frame<G>) -> Option<u8> {
    let left = parent.beyond.unwrap_or(super::QUIESCENCE_PLIES);
    left.checked_sub(1)
}

fn check_line<G: Game>(game: &G, from: &G::Position, line: &[G::Move]) -> Checked {
    let mut position = from.clone();
    for &mv in line {
        let mut legal = Vec::new();
        game.expand(&position, &G::History::default(), &mut legal);
        ensure(legal.contains(&mv), "a best line has an illegal move")?;
        position = game.apply(&position, mv);
    }
    Ok(())
}
