use super::{Answer, Desk, Running};
use crate::engine::{
    game::{Fault, Game, Keyed},
    report::{EventReport, FrameReport, Where},
    search::{EventKind, Frame, Outcome, Plan, Stage},
};

impl<G: Game> Desk<G> {
    pub(super) fn under_way(&self) -> Answer<&Running<G>> {
        self.running.as_ref().ok_or_else(|| {
            Fault::new("no search is under way").hint("`step` or `search run` starts one")
        })
    }

    /// The last event; none before the first.
    pub(super) fn report_event(&self, running: &Running<G>) -> Option<EventReport> {
        running.report_event(&self.game)
    }

    pub(super) fn report_stack(&self) -> Answer<Where> {
        let running = self.under_way()?;
        let frames = self.frames(running);
        Ok(Where {
            selected: running
                .selected
                .unwrap_or(frames.len() - 1)
                .min(frames.len() - 1),
            frames,
            event: self.report_event(running),
            iteration: running.search.depth(),
            nodes: running.search.search().counters.nodes,
        })
    }

    pub(super) fn select_frame(&mut self, ply: Option<usize>) -> Answer<FrameReport> {
        let running = self.under_way()?;
        let mut frames = self.frames(running);
        let last = frames.len() - 1;
        let ply = ply.or(running.selected).unwrap_or(last);
        if ply > last {
            return Err(
                Fault::new(format!("no frame {ply}: the stack goes from 0 to {last}"))
                    .hint("`where` shows it"),
            );
        }
        if let Some(running) = &mut self.running {
            running.selected = Some(ply);
        }
        Ok(frames.swap_remove(ply))
    }

    /// The stack from the root; the root of a search for best moves is the outer machine's.
    fn frames(&self, running: &Running<G>) -> Vec<FrameReport> {
        let machine = running.search.search();
        let root = matches!(running.search.plan(), Plan::Best(_)).then(|| self.root_frame(running));
        let below = machine.frames().iter().zip(root.iter().len() as u32..);
        let below: Vec<_> = below
            .enumerate()
            .map(|(place, (frame, ply))| self.inner_frame(running, frame, ply, place))
            .collect();
        let frames: Vec<_> = root.into_iter().chain(below).collect();
        if frames.is_empty() {
            vec![self.root_frame(running)]
        } else {
            frames
        }
    }

    fn root_frame(&self, running: &Running<G>) -> FrameReport {
        let search = &running.search;
        let root = search.root();
        let (moves, child) = search.root_moves();
        let best = search.best();
        let full = search.full_window();
        let best_move = moves.iter().find(|mv| best.is_some() && mv.value == best);
        FrameReport {
            ply: 0,
            depth: search.depth(),
            state: self.game.format_position(root),
            mv: running.move_text_at(&self.game, 0),
            side: self.game.side(root).letter().into(),
            alpha: best.unwrap_or(full.alpha),
            beta: full.beta,
            best,
            best_move: best_move.map(|chosen| self.game.format_move(root, chosen.mv)),
            child: if search.stage() == Stage::Inside {
                child + 1
            } else {
                child
            },
            children: moves.len(),
            memo: Outcome::Unasked,
            key: self.key_text(root, running.mode.scheme, search.depth()),
            moves: moves
                .iter()
                .map(|root_move| self.game.format_move(root, root_move.mv))
                .collect(),
            board: self.game.draw(root, false),
            board_ascii: self.game.draw(root, true),
        }
    }

    /// The frame at a place of the inner machine's stack.
    fn inner_frame(
        &self,
        running: &Running<G>,
        frame: &Frame<G>,
        ply: u32,
        place: usize,
    ) -> FrameReport {
        let machine = running.search.search();
        let (position, depth) = (&frame.position, frame.depth);
        let history = machine.history_at(place);
        let scheme = running.mode.scheme;
        let key = self.game.node_key(position, &history, scheme, depth);
        let open = frame.open();
        let words = |mv: G::Move| self.game.format_move(position, mv);
        FrameReport {
            ply,
            depth: frame.depth,
            state: self.game.format_position(position),
            mv: machine.current_move(frame).map(words),
            side: self.game.side(position).letter().into(),
            alpha: open.alpha,
            beta: open.beta,
            best: frame.choice().map(|_| frame.best),
            best_move: frame.choice().map(words),
            child: frame.entered(),
            children: frame.children(),
            memo: frame.outcome,
            key: self.keyed_text(Keyed { key, depth }),
            moves: machine
                .moves_of(frame)
                .iter()
                .map(|&mv| words(mv))
                .collect(),
            board: self.game.draw(position, false),
            board_ascii: self.game.draw(position, true),
        }
    }
}

impl<G: Game> Running<G> {
    /// The last event; none before the first.
    pub(super) fn report_event(&self, game: &G) -> Option<EventReport> {
        let search = &self.search;
        let machine = search.search();
        if machine.events() == 0 {
            return None;
        }
        let event = search.describe();
        let came_back = matches!(
            event.kind,
            EventKind::Return | EventKind::Raise | EventKind::Cutoff
        );
        let at = if came_back {
            event.ply
        } else {
            event.ply.wrapping_sub(1)
        };
        Some(EventReport {
            index: event.index,
            kind: event.kind,
            ply: event.ply,
            depth: event.depth,
            state: game.format_position(
                machine
                    .frames()
                    .last()
                    .map_or(search.root(), |frame| &frame.position),
            ),
            mv: self.move_text_at(game, at),
            alpha: event.window.alpha,
            beta: event.window.beta,
            value: event.value,
        })
    }

    /// The move under way at a ply.
    pub(super) fn move_at(&self, ply: u32) -> Option<G::Move> {
        let search = &self.search;
        let first = match search.plan() {
            Plan::Best(_) if ply == 0 => {
                let (moves, child) = search.root_moves();
                let entered = if search.stage() == Stage::Inside {
                    child + 1
                } else {
                    child
                };
                return Some(moves.get(entered.checked_sub(1)?)?.mv);
            }
            Plan::Best(_) => 1,
            Plan::Value { .. } => 0,
        };
        let machine = search.search();
        let frame = machine.frames().get(ply.checked_sub(first)? as usize)?;
        machine.current_move(frame)
    }

    /// The same in words.
    pub(super) fn move_text_at(&self, game: &G, ply: u32) -> Option<String> {
        let (position, ..) = self.search.node(ply as usize)?;
        Some(game.format_move(position, self.move_at(ply)?))
    }
}
