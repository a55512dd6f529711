use super::{Answer, Desk, Running};
use crate::engine::{
    game::{Fault, Game},
    report::{EventReport, FrameReport, Printed, Where},
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
        let search = &running.search;
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
            state: self.game.format_position(
                machine
                    .frames()
                    .last()
                    .map_or(search.root(), |frame| &frame.position),
            ),
            mv: self.move_at(running, at),
            alpha: event.window.alpha,
            beta: event.window.beta,
            value: event.value,
        })
    }

    /// The move under way at a ply.
    fn move_at(&self, running: &Running<G>, ply: u32) -> Option<String> {
        let search = &running.search;
        let first = match search.plan() {
            Plan::Best(_) if ply == 0 => {
                let (moves, child) = search.root_moves();
                let entered = if search.stage() == Stage::Inside {
                    child + 1
                } else {
                    child
                };
                let mv = moves.get(entered.checked_sub(1)?)?.mv;
                return Some(self.game.format_move(search.root(), mv));
            }
            Plan::Best(_) => 1,
            Plan::Value { .. } => 0,
        };
        let machine = search.search();
        let frame = machine.frames().get(ply.checked_sub(first)? as usize)?;
        machine
            .current_move(frame)
            .map(|mv| self.game.format_move(&frame.position, mv))
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

    /// Values of the selected frame and of the search, by name; everything where none is named.
    pub(super) fn print_values(&self, names: &[&str]) -> Answer<Printed> {
        let stack = self.report_stack()?;
        let frame = serde_json::to_value(&stack.frames[stack.selected]).unwrap_or_default();
        let mut values = frame.as_object().cloned().unwrap_or_default();
        let event = stack.event.as_ref();
        values.insert(
            "value".into(),
            serde_json::json!(event.and_then(|event| event.value)),
        );
        values.insert(
            "event".into(),
            serde_json::json!(event.map(|event| event.kind.name())),
        );
        values.insert("nodes".into(), stack.nodes.into());
        values.insert("iteration".into(), stack.iteration.into());
        if !names.is_empty() {
            let chosen = names.iter().map(|&name| match values.get(name) {
                Some(value) => Ok((name.to_owned(), value.clone())),
                None => Err(Fault::new(format!("nothing here is called `{name}`"))),
            });
            values = chosen.collect::<Answer<_>>()?;
        }
        Ok(Printed { values })
    }

    /// The stack from the root; the root of a search for best moves is the outer machine's.
    fn frames(&self, running: &Running<G>) -> Vec<FrameReport> {
        let machine = running.search.search();
        let root = matches!(running.search.plan(), Plan::Best(_)).then(|| self.root_frame(running));
        let below = machine.frames().iter().zip(root.iter().len() as u32..);
        let below: Vec<_> = below
            .map(|(frame, ply)| self.inner_frame(running, frame, ply))
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
            mv: self.move_at(running, 0),
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

    fn inner_frame(&self, running: &Running<G>, frame: &Frame<G>, ply: u32) -> FrameReport {
        let machine = running.search.search();
        let position = &frame.position;
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
            key: self.key_text(position, running.mode.scheme, frame.depth),
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
