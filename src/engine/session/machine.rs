//! Whether a machine read from a file is one that a search could have left: people may have edited it.

use crate::engine::{
    game::{Fault, Rules},
    search::{Frame, Mode, Phase, Plan, RootMove, Search, Selective, Stop, Treatment, left_below},
};

type Checked = Result<(), Fault>;

fn ensure(holds: bool, otherwise: &str) -> Checked {
    if holds {
        return Ok(());
    }
    Err(Fault::new(format!("the saved search is inconsistent: {otherwise}"))
        .hint("remove it (`search: None`) to load the rest of the session"))
}

impl<G: Rules> Search<G> {
    /// Checks every index and that every frame follows from the one above by its move.
    /// `mode` is what the settings come to.
    pub fn check(&self, game: &G, mode: &Mode) -> Checked {
        let Some((root, top)) = self.frames().first().zip(self.frames().last()) else {
            return ensure(false, "it has no root");
        };
        ensure(
            root.whole == (mode.whole_root && self.deepens()),
            "the root does not fit what is asked for",
        )?;
        self.check_ranges()?;
        self.check_root_moves(game, root)?;
        self.check_phase(top)?;
        self.check_depth(root)?;
        for (ply, frame) in self.frames().iter().enumerate() {
            ensure(ply == 0 || !frame.whole, "a frame below the root is a root")?;
            // What the root of a search for the best moves has to fulfil is in `check_root_moves`.
            if ply > 0 || !self.deepens() {
                self.check_frame(game, frame, &self.history_at(ply))?;
            }
            if let Some(choice) = frame.choice() {
                let line = self.lines.get(ply).map_or(&[][..], Vec::as_slice);
                let begins = line.first() == Some(&choice);
                ensure(begins, "a best line does not begin with the choice")?;
                check_line(game, &frame.position, line)?;
            }
        }
        let mut pairs = self.frames().windows(2);
        pairs.try_for_each(|pair| self.check_pair(game, mode.selective, &pair[0], &pair[1]))
    }

    /// The frames share the list of moves out among them; every other check may look moves up.
    fn check_ranges(&self) -> Checked {
        let mut end = 0;
        for frame in self.frames() {
            let range = &frame.moves;
            let ordered =
                range.start == end && range.start <= frame.next && frame.next <= range.end;
            ensure(ordered, "a frame's moves are out of range")?;
            end = range.end;
        }
        ensure(end as usize == self.moves.len(), "the moves are not those of the frames")
    }

    fn check_root_moves(&self, game: &G, root: &Frame<G>) -> Checked {
        let mut legal = Vec::new();
        if self.deepens() {
            game.expand(&root.position, &self.history_at(0), &mut legal);
        }
        let listed = |moves: &[RootMove<G>]| moves.iter().map(|root| root.mv).eq(legal.clone());
        let of_frame = !self.deepens() || same_moves(self.moves_of(root), &legal);
        ensure(listed(self.root_moves()) && of_frame, "the root's moves are not the legal ones")?;
        let complete = self.complete().map(|complete| &complete.moves);
        ensure(
            complete.is_none_or(|moves| listed(moves)),
            "the complete iteration has other moves than the root",
        )?;
        let mut moves = self.root_moves().iter().chain(complete.into_iter().flatten());
        moves.try_for_each(|known| {
            let begins = known.line.first().is_none_or(|first| *first == known.mv);
            ensure(begins, "a root move's line does not begin with it")?;
            check_line(game, &root.position, &known.line)
        })
    }

    /// The phase fits the node at hand, and what happened last.
    fn check_phase(&self, top: &Frame<G>) -> Checked {
        let (listed, more) = (!top.moves.is_empty(), top.next < top.moves.end);
        let at_root = self.frames().len() == 1;
        let deepens = at_root && self.deepens();
        let fits = match self.phase {
            Phase::Start => deepens || (at_root && self.events() == 0),
            Phase::Enter | Phase::Visit => !deepens && !listed,
            Phase::Pick => {
                if top.again || top.treatment != Treatment::Full {
                    top.entered() > 0
                } else {
                    more
                }
            }
            Phase::Store | Phase::Evict | Phase::Leave => !deepens,
            Phase::Over => at_root,
        };
        ensure(
            fits && (!self.last.came_back() || top.entered() > 0),
            "frames and phase do not fit",
        )?;
        let stopped = match self.stopped() {
            None => self.phase != Phase::Over,
            // Without a memo to ask, a node is visited as it is entered.
            Some(Stop::Budget) => matches!(self.phase, Phase::Enter | Phase::Visit),
            Some(Stop::Depth | Stop::Exhausted) => self.phase == Phase::Over,
            Some(_) => false,
        };
        ensure(stopped, "`stop` does not fit the phase")
    }

    /// Iterations follow each other one ply apart.
    fn check_depth(&self, root: &Frame<G>) -> Checked {
        let limits = match self.plan() {
            Plan::Best(limits) => limits,
            Plan::Value { depth, .. } => {
                return ensure(root.depth == depth, "the root's depth is not the plan's");
            }
        };
        let complete = self.complete().map(|complete| complete.depth);
        let next = complete.map_or(Some(limits.first), |depth| depth.checked_add(1));
        let fits = match self.phase {
            Phase::Start if !root.again => root.depth == complete.unwrap_or(0),
            Phase::Over => true,
            _ => Some(root.depth) == next,
        };
        ensure(
            fits && (1..=limits.last).contains(&limits.first),
            "the depth of the iteration does not fit the others",
        )
    }

    fn check_frame(&self, game: &G, frame: &Frame<G>, history: &G::History) -> Checked {
        let listed = self.moves_of(frame);
        let pass = listed.first().filter(|_| frame.passes).copied();
        ensure(
            !frame.passes || (pass.is_some() && pass == game.null_move(&frame.position)),
            "a pass is none of the game's",
        )?;
        let listed = &listed[usize::from(frame.passes)..];
        let chosen = frame.choice().is_none_or(|choice| listed.contains(&choice));
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
        ensure(same_moves(listed, &legal), "a frame's moves are not the legal ones")
    }

    fn check_pair(
        &self,
        game: &G,
        selective: Selective,
        parent: &Frame<G>,
        child: &Frame<G>,
    ) -> Checked {
        let led_here = self.current_move(parent).map(|mv| game.apply(&parent.position, mv));
        let nearer = if parent.depth > 0 {
            child.depth == selective.depth_below(parent) && child.beyond.is_none()
        } else {
            let allowed = parent.beyond != Some(0) && child.depth == 0;
            allowed && child.beyond == Some(left_below(parent.beyond))
        };
        let fits = led_here.as_ref() == Some(&child.position) && nearer;
        ensure(fits, "a frame does not follow from the one above it")
    }
}

fn same_moves<M: PartialEq>(some: &[M], others: &[M]) -> bool {
    some.len() == others.len() && some.iter().all(|mv| others.contains(mv))
}

fn check_line<G: Rules>(game: &G, from: &G::Position, line: &[G::Move]) -> Checked {
    let mut position = from.clone();
    for &mv in line {
        let mut legal = Vec::new();
        game.expand(&position, &G::History::default(), &mut legal);
        ensure(legal.contains(&mv), "a best line has an illegal move")?;
        position = game.apply(&position, mv);
    }
    Ok(())
}
