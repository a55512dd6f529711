use super::{Answer, Desk, Running};
use crate::engine::{
    game::{Fault, Game, Keyed},
    reply::{EventReport, FrameReport, Where},
    search::{EventKind, Frame},
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
            nodes: running.search.counters.nodes,
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

    /// The stack from the root.
    fn frames(&self, running: &Running<G>) -> Vec<FrameReport> {
        let frames = running.search.frames().iter().enumerate();
        frames
            .map(|(ply, frame)| self.report_frame(running, frame, ply))
            .collect()
    }

    fn report_frame(&self, running: &Running<G>, frame: &Frame<G>, ply: usize) -> FrameReport {
        let machine = &running.search;
        let (position, depth) = (&frame.position, frame.depth);
        let history = machine.history_at(ply);
        let scheme = running.mode.scheme;
        let key = self.game.node_key(position, &history, scheme, depth);
        let open = frame.open();
        let words = |mv: G::Move| self.game.format_move(position, mv);
        FrameReport {
            ply: ply as u32,
            depth,
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

        if search.events() == 0 {
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
            state: game.format_position(&search.frames().last()?.position),
            mv: self.move_text_at(game, at),
            alpha: event.window.alpha,
            beta: event.window.beta,
            value: event.value,
        })
    }

    /// The move under way at a ply.
    pub(super) fn move_at(&self, ply: u32) -> Option<G::Move> {
        let frame = self.search.frames().get(ply as usize)?;
        self.search.current_move(frame)
    }

    /// The same in words.
    pub(super) fn move_text_at(&self, game: &G, ply: u32) -> Option<String> {
        let frame = self.search.frames().get(ply as usize)?;
        Some(game.format_move(&frame.position, self.move_at(ply)?))
    }
}
