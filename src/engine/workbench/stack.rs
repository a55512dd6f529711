use super::{Answer, Desk, Running};
use crate::engine::{
    game::{Fault, Game, Keyed},
    reply::{DrawnBoard, EventReport, FrameReport, Where},
    search::{Event, Frame},
};

impl<G: Game> Desk<G> {
    /// The last event; none before the first.
    pub(super) fn report_event(&self, running: &Running<G>) -> Option<EventReport> {
        running.report_event(&self.run.searcher.game)
    }

    pub(super) fn report_stack(&self) -> Answer<Where> {
        let running = self.run.under_way()?;
        let frames = self.frames(running);
        Ok(Where {
            selected: running.selected_ply(),
            frames,
            event: self.report_event(running),
            iteration: running.search.depth(),
            nodes: running.search.counters.nodes,
        })
    }

    pub(super) fn select_frame(&mut self, ply: Option<usize>) -> Answer<FrameReport> {
        let running = self.run.under_way()?;
        let mut frames = self.frames(running);
        let last = frames.len() - 1;
        let ply = ply.or(running.selected).unwrap_or(last);
        if ply > last {
            return Err(Fault::new(format!("no frame {ply}: the stack goes from 0 to {last}"))
                .hint("`where` shows it"));
        }
        if let Some(running) = &mut self.run.running {
            running.selected = Some(ply);
        }
        Ok(frames.swap_remove(ply))
    }

    /// The stack from the root.
    fn frames(&self, running: &Running<G>) -> Vec<FrameReport> {
        let frames = running.search.frames().iter().enumerate();
        frames.map(|(ply, frame)| self.report_frame(running, frame, ply)).collect()
    }

    fn report_frame(&self, running: &Running<G>, frame: &Frame<G>, ply: usize) -> FrameReport {
        let machine = &running.search;
        let (position, depth) = (&frame.position, frame.depth);
        let history = machine.history_at(ply);
        let scheme = running.mode.scheme;
        let key = self.run.searcher.game.node_key(position, &history, scheme, depth);
        let open = frame.open();
        let words = |mv: G::Move| self.run.searcher.game.format_move(position, mv);
        FrameReport {
            ply: ply as u32,
            depth,
            state: self.run.searcher.game.format_position(position),
            mv: machine.current_move(frame).map(words),
            side: self.run.searcher.game.side(position).letter().into(),
            alpha: open.alpha,
            beta: open.beta,
            best: frame.choice().map(|_| frame.best),
            best_move: frame.choice().map(words),
            child: frame.entered(),
            children: frame.children(),
            memo: frame.outcome,
            again: frame.again,
            scouts: ply < machine.ply() as usize && frame.scouts(running.mode.algorithm),
            key: self.keyed_text(Keyed { key, depth }),
            moves: machine.moves_of(frame).iter().map(|&mv| words(mv)).collect(),
            board: DrawnBoard::of(self.game(), position),
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
        let at = event.ply.wrapping_sub(u32::from(!event.kind.came_back()));
        let position = &search.frames().last()?.position;
        Some(EventReport::new(game, &event, position, self.move_text_at(game, at)))
    }

    /// The move under way at a ply, in words.
    pub(super) fn move_text_at(&self, game: &G, ply: u32) -> Option<String> {
        let frame = self.search.frames().get(ply as usize)?;
        Some(game.format_move(&frame.position, self.move_at(ply)?))
    }
}

impl EventReport {
    /// An event at a position, after or from a move.
    pub(super) fn new<G: Game>(
        game: &G,
        event: &Event,
        position: &G::Position,
        mv: Option<String>,
    ) -> Self {
        Self {
            index: event.index,
            kind: event.kind,
            ply: event.ply,
            depth: event.depth,
            state: game.format_position(position),
            mv,
            alpha: event.window.alpha,
            beta: event.window.beta,
            value: event.value,
        }
    }
}
