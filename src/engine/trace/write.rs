use std::io::Write;

use super::{TraceEvent, TraceHeader, TraceKind, TraceMates, TraceTable, TraceView};
use crate::engine::{
    files::FileFailure,
    game::{Game, Keyed, Score},
    search::{Algorithm, Event, EventKind, Frame, Mode, MoveTreatment, Search},
    table::{AnyTable, Bound, Entry},
};

/// Writes one of our own searches as a trace.
#[derive(Debug)]
pub struct TraceWriter<'a, G: Game, W> {
    game: &'a G,
    mode: Mode,
    out: W,
    written: u64,
    /// Whether the last `in` of the root has no `out` yet.
    root_open: bool,
    /// The root's value in this iteration, or in this pass of an aspiration window or of MTD(f).
    root_value: Score,
}

type Written = Result<(), FileFailure>;

impl<'a, G: Game, W: Write> TraceWriter<'a, G, W> {
    /// Writes the header of a search that has not begun; `warm`: the table has entries.
    /// Errors: those of writing.
    pub fn begin(
        game: &'a G,
        mode: Mode,
        search: &Search<G>,
        warm: bool,
        out: W,
    ) -> Result<Self, FileFailure> {
        let mate = game.mate_threshold();
        let header = TraceHeader {
            plytrace: 1,
            game: Some(G::NAME.to_owned()),
            root: Some(game.format_position(search.root())),
            program: Some(format!("plyscope {}", env!("CARGO_PKG_VERSION"))),
            view: TraceView::Side,
            mate: mate.map(Score::get),
            mates: mate.filter(|it| game.delay_mate(*it) != *it).map(|_| TraceMates::Node),
            table: if warm { TraceTable::Warm } else { TraceTable::Empty },
            soft: mode.fail_soft,
            ..TraceHeader::default()
        };
        let mut writer =
            Self { game, mode, out, written: 0, root_open: false, root_value: Score::ZERO };
        writer.line(&header)?;
        let p = header.root.as_deref().map(Into::into);
        writer.event(&TraceEvent { p, ..TraceEvent::of(TraceKind::Root) })?;
        Ok(writer)
    }

    /// The number of events written so far.
    pub fn event_count(&self) -> u64 {
        self.written
    }

    /// Writes an event of the search as none, one or several of the trace. `search` and `table` are those after the event.
    /// Errors: those of writing.
    pub fn write(
        &mut self,
        event: &Event,
        search: &Search<G>,
        table: &AnyTable<G::Key>,
    ) -> Written {
        let Some(frame) = search.frames().last() else {
            return Ok(());
        };
        match event.kind {
            EventKind::Iteration => {
                self.close_root()?;
                let depth = Some(f64::from(event.depth));
                self.event(&TraceEvent { d: depth, ..TraceEvent::of(TraceKind::Iter) })?;
                self.enter(search, frame, None)
            }
            EventKind::Pass => {
                self.close_root()?;
                self.enter(search, frame, Some("re"))
            }
            EventKind::Descend => self.enter(search, frame, None),
            EventKind::Hit | EventKind::Invalid => self.hit(event, search, frame, table),
            EventKind::Miss => self.event(&TraceEvent::of(TraceKind::Miss)),
            EventKind::Leaf | EventKind::StandPat | EventKind::Captures | EventKind::Tables => {
                self.value(TraceKind::Eval, event.value)
            }
            kind if kind.came_back() => self.leave(event, search, frame),
            EventKind::Prune => {
                let m = self.current_move(search, frame).map(Into::into);
                let r = Some("futility".into());
                self.event(&TraceEvent { m, r, ..TraceEvent::of(TraceKind::Skip) })
            }
            EventKind::Store => self.stored(event, frame, table),
            EventKind::Budget => self.stop("budget"),
            EventKind::Finish => self.close_root(),
            _ => Ok(()),
        }
    }

    /// Writes that the search was stopped from outside.
    /// Errors: those of writing.
    pub fn stop(&mut self, reason: &str) -> Written {
        self.event(&TraceEvent { r: Some(reason.into()), ..TraceEvent::of(TraceKind::Stop) })
    }

    fn enter(&mut self, search: &Search<G>, frame: &Frame<G>, kind: Option<&str>) -> Written {
        let parent = search.frames().iter().rev().nth(1);
        self.root_open = true;
        let window = search.searched_window(self.game, self.mode.algorithm);
        let [alpha, beta] = [window.alpha.get(), window.beta.get()];
        // In minimax and with exact root moves nothing is cut off: the window in the trace has ends that no value reaches.
        let margin = f64::from(u8::from(frame.exact_moves || !self.mode.algorithm.has_windows()));
        let is_null = parent.is_some_and(|parent| parent.treatment == MoveTreatment::Null);
        let kind = kind.or_else(|| node_kind(parent, frame, self.mode.algorithm));
        let event = TraceEvent {
            a: Some(alpha - margin),
            b: Some(beta + margin),
            d: Some(f64::from(frame.depth)),
            t: kind.map(Into::into),
            m: parent.and_then(|parent| self.current_move(search, parent)).map(Into::into),
            k: Some(self.key(&frame.position).into()),
            p: is_null.then(|| self.game.format_position(&frame.position).into()),
            s: Some(self.game.side(&frame.position).letter().to_string().into()),
            ..TraceEvent::of(TraceKind::In)
        };
        self.event(&event)
    }

    fn current_move(&self, search: &Search<G>, frame: &Frame<G>) -> Option<String> {
        Some(self.game.format_move(&frame.position, search.current_move(frame)?))
    }

    /// The key of a position without its history.
    fn key(&self, position: &G::Position) -> String {
        self.game.format_key(self.game.key(position, self.mode.scheme))
    }

    fn hit(
        &mut self,
        event: &Event,
        search: &Search<G>,
        frame: &Frame<G>,
        table: &AnyTable<G::Key>,
    ) -> Written {
        let used = event.kind == EventKind::Hit;
        let Some((at, negated, entry)) = entry_of(event, frame, table) else {
            return Ok(());
        };
        let window = search.searched_window(self.game, self.mode.algorithm);
        let changed = (frame.window != window && !used).then_some(frame.window);
        self.event(&TraceEvent {
            k: Some(self.entry_key(&frame.position, at, negated).into()),
            u: Some(used),
            a: changed.map(|window| window.alpha.get()),
            b: changed.map(|window| window.beta.get()),
            ..entry_event(TraceKind::Hit, &entry, event.depth)
        })
    }

    fn stored(&mut self, event: &Event, frame: &Frame<G>, table: &AnyTable<G::Key>) -> Written {
        let found = entry_of(event, frame, table);
        // The replacement scheme may have kept the older entry.
        let found = found.filter(|(.., entry)| Some(entry.value) == event.value);
        let Some((at, negated, entry)) = found else {
            return Ok(());
        };
        let orbit = if self.mode.write_orbit {
            self.game.orbit(&frame.position)
        } else {
            vec![frame.position.clone()]
        };
        for position in &orbit {
            let at = match orbit.len() {
                1 => at,
                _ => Keyed { key: self.game.key(position, self.mode.scheme), ..at },
            };
            let key = Some(self.entry_key(position, at, negated).into());
            self.event(&TraceEvent { k: key, ..entry_event(TraceKind::Put, &entry, event.depth) })?;
        }
        Ok(())
    }

    /// The key of an entry in the trace: the position's, then, after `@`, the sign, the key with history and the depth, if the
    /// table's key has them.
    fn entry_key(&self, position: &G::Position, at: Keyed<G::Key>, negated: bool) -> String {
        let (position, entry) = (self.key(position), self.game.format_key(at.key));
        let with_history = if entry == position { String::new() } else { entry };
        let depth = if at.depth > 0 { format!("/{}", at.depth) } else { String::new() };
        let suffix = [if negated { "-" } else { "" }, &with_history, &depth].concat();
        if suffix.is_empty() { position } else { format!("{position}@{suffix}") }
    }

    /// Writes that a child of the current frame has returned a value.
    fn leave(&mut self, event: &Event, search: &Search<G>, frame: &Frame<G>) -> Written {
        let Some(value) = event.value else {
            return Ok(());
        };
        self.value(TraceKind::Out, Some(value.child(self.game)))?;
        if search.ply() == 0 {
            let first = frame.entered() <= 1;
            let low = if first { value } else { value.max(self.root_value) };
            self.root_value = if frame.best > frame.window.alpha { frame.best } else { low };
        }
        if event.kind != EventKind::Cutoff {
            return Ok(());
        }
        let m = self.current_move(search, frame).map(Into::into);
        self.event(&TraceEvent { v: Some(value.get()), m, ..TraceEvent::of(TraceKind::Cut) })
    }

    fn close_root(&mut self) -> Written {
        if std::mem::take(&mut self.root_open) {
            self.value(TraceKind::Out, Some(self.root_value))?;
        }
        Ok(())
    }

    fn value(&mut self, kind: TraceKind, value: Option<Score>) -> Written {
        self.event(&TraceEvent { v: value.map(Score::get), ..TraceEvent::of(kind) })
    }

    fn event(&mut self, event: &TraceEvent<'_>) -> Written {
        self.written += 1;
        self.line(event)
    }

    fn line(&mut self, line: &impl serde::Serialize) -> Written {
        serde_json::to_writer(&mut self.out, line).map_err(std::io::Error::from)?;
        self.out.write_all(b"\n")?;
        Ok(())
    }
}

fn node_kind<G: Game>(
    parent: Option<&Frame<G>>,
    frame: &Frame<G>,
    algorithm: Algorithm,
) -> Option<&'static str> {
    let parent = parent?;
    if parent.treatment == MoveTreatment::Null {
        Some("null")
    } else if frame.quiescence_depth.is_some() {
        Some("qs")
    } else if parent.research {
        Some("re")
    } else {
        parent.is_scout(algorithm).then_some("zero")
    }
}

/// The entry of an event: its key, whether the table stores the value negated, and the entry as the node reads it.
fn entry_of<G: Game>(
    event: &Event,
    frame: &Frame<G>,
    table: &AnyTable<G::Key>,
) -> Option<(Keyed<G::Key>, bool, Entry)> {
    let (slot, entries) = (frame.slot?, table.entries());
    let depth = if entries.policy().keys_depth() { event.depth } else { 0 };
    let at = Keyed { key: slot.key, depth };
    let entry = entries.get(at)?;
    Some((at, slot.negated, if slot.negated { entry.negated() } else { entry }))
}

fn entry_event<'a>(kind: TraceKind, entry: &Entry, depth: u8) -> TraceEvent<'a> {
    TraceEvent {
        v: Some(entry.value.get()),
        t: Some(entry.bound.unwrap_or(Bound::Exact).name().into()),
        d: Some(f64::from(entry.depth.unwrap_or(depth))),
        ..TraceEvent::of(kind)
    }
}
