use crate::engine::{
    game::{Game, Window},
    memo::Policy,
    search::{Deepening, Event, EventKind, Frame, Mode, Search, Stage},
};

/// What an event is seen against: what stays the same while a search runs, and the root move it is at.
#[derive(Clone, Debug)]
pub struct Backdrop<G: Game> {
    /// How the search runs.
    pub mode: Mode,
    /// What its memo keeps.
    pub policy: Policy,
    /// The window the first frame was asked for.
    asked: Window,
    /// The root.
    pub root: G::Position,
    /// Its moves, where they are searched one by one.
    moves: Vec<G::Move>,
    /// The last of them entered in this iteration.
    at: Option<usize>,
}

impl<G: Game> Backdrop<G> {
    /// The backdrop of a search where it stands.
    pub fn new(game: &G, search: &Deepening<G>, mode: Mode, policy: Policy) -> Self {
        let (moves, child) = search.root_moves();
        let at = match search.stage() {
            Stage::Inside => Some(child),
            _ => child.checked_sub(1),
        };
        Self {
            mode,
            policy,
            asked: search.first_window(game),
            root: search.root().clone(),
            moves: moves.iter().map(|root| root.mv).collect(),
            at,
        }
    }

    /// Keeps up with an event: each must be shown, in order, for the root move to be known.
    #[inline]
    pub fn follow(&mut self, event: &Event) {
        match event.kind {
            EventKind::Iteration => self.at = None,
            EventKind::Descend if event.ply == 1 && !self.moves.is_empty() => {
                self.at = Some(self.at.map_or(0, |at| at + 1));
            }
            _ => {}
        }
    }

    fn root_move(&self) -> Option<G::Move> {
        self.moves.get(self.at?).copied()
    }
}

/// An event with all that may be asked about it.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The event.
    pub event: &'a Event,
    /// The machine as the event left it.
    pub search: &'a Search<G>,
    /// What is around it.
    pub backdrop: &'a Backdrop<G>,
}

impl<'a, G: Game> Scene<'a, G> {
    /// The frame it happened at; none at the root of a search for best moves.
    #[inline]
    pub fn frame(&self) -> Option<&'a Frame<G>> {
        self.search.frames().last()
    }

    /// The window that the node was asked for, before the memo changed it.
    pub fn asked(&self) -> Window {
        let Backdrop { mode, asked, .. } = self.backdrop;
        self.search.asked(self.game, mode.algorithm, *asked)
    }

    /// The position it happened at.
    #[inline]
    pub fn position(&self) -> &'a G::Position {
        self.frame()
            .map_or(&self.backdrop.root, |frame| &frame.position)
    }

    /// The move that led to the node, or from which a value came back, with the position it is made in.
    pub fn mv(&self) -> Option<(&'a G::Position, G::Move)> {
        let frames = self.search.frames();
        let came_back = matches!(
            self.event.kind,
            EventKind::Return | EventKind::Raise | EventKind::Cutoff
        );
        let maker = if came_back {
            frames.last()
        } else {
            frames.iter().rev().nth(1)
        };
        match maker {
            Some(frame) => self
                .search
                .current_move(frame)
                .map(|mv| (&frame.position, mv)),
            None if came_back || self.event.ply == 1 => {
                let mv = self.backdrop.root_move()?;
                Some((&self.backdrop.root, mv))
            }
            None => None,
        }
    }
}
