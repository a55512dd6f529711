use std::io::Write;

use super::{TraceEvent, TraceHeader, TraceKind, TraceTable, TraceView};
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
    /// Whether the root is open.
    open: bool,
    /// What the root is worth in this pass over its moves.
    root_value: Score,
}

type Written = Result<(), FileFailure>;

impl<'a, G: Game, W: Write> TraceWriter<'a, G, W> {
    /// Writes the header of a search that has not begun.
    /// Errors: what the system refuses.
    pub fn begin(
        (game, mode): (&'a G, Mode),
        (search, warm): (&Search<G>, bool),
        out: W,
    ) -> Result<Self, FileFailure> {
        let header = TraceHeader {
            plytrace: 1,
            game: Some(G::NAME.to_owned()),
            root: Some(game.format_position(search.root())),
            program: Some(format!("plyscope {}", env!("CARGO_PKG_VERSION"))),
            view: TraceView::Side,
            mate: game.mate_threshold().map(Score::get),
            table: if warm { TraceTable::Warm } else { TraceTable::Empty },
            soft: mode.fail_soft,
        };
        let mut writer = Self { game, mode, out, written: 0, open: false, root_value: Score::ZERO };
        writer.line(&header)?;
        writer.event(&TraceEvent {
            p: header.root.as_deref().map(Into::into),
            ..TraceEvent::of(TraceKind::Root)
        })?;
        Ok(writer)
    }

    /// Events written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Writes what an event of the search means; the machine and its table are as the event left them.
    /// Errors: what the system refuses.
    pub fn see(&mut self, event: &Event, search: &Search<G>, table: &AnyTable<G::Key>) -> Written {
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
            EventKind::Hit | EventKind::Invalid => self.hit(event, (search, frame), table),
            EventKind::Miss => self.event(&TraceEvent::of(TraceKind::Miss)),
            EventKind::Leaf | EventKind::StandPat | EventKind::Captures => {
                self.value(TraceKind::Eval, event.value)
            }
            kind if kind.came_back() => self.back(event, search),
            EventKind::Prune => {
                let m = self.current(search, frame).map(Into::into);
                let r = Some("futility".into());
                self.event(&TraceEvent { m, r, ..TraceEvent::of(TraceKind::Skip) })
            }
            EventKind::Store => self.stored(event, frame, table),
            EventKind::Budget => self.stop("budget"),
            EventKind::Finish => self.close_root(),
            _ => Ok(()),
        }
    }

    /// The search was stopped from outside.
    /// Errors: what the system refuses.
    pub fn stop(&mut self, reason: &str) -> Written {
        self.event(&TraceEvent { r: Some(reason.into()), ..TraceEvent::of(TraceKind::Stop) })
    }

    fn enter(&mut self, search: &Search<G>, frame: &Frame<G>, again: Option<&str>) -> Written {
        let parent = search.frames().iter().rev().nth(1);
        self.open = true;
        let asked = search.searched_window(self.game, self.mode.algorithm);
        let [alpha, beta] = [asked.alpha.get(), asked.beta.get()];
        // Where nothing is ever cut off, no value reaches the window's ends.
        let margin = f64::from(u8::from(frame.exact_moves || !self.mode.algorithm.has_windows()));
        let passes = parent.is_some_and(|parent| parent.treatment == MoveTreatment::Null);
        let kind = again.or_else(|| kind(parent, frame, self.mode.algorithm));
        let event = TraceEvent {
            a: Some(alpha - margin),
            b: Some(beta + margin),
            d: Some(f64::from(frame.depth)),
            t: kind.map(Into::into),
            m: parent.and_then(|parent| self.current(search, parent)).map(Into::into),
            k: Some(self.key(&frame.position).into()),
            p: passes.then(|| self.game.format_position(&frame.position).into()),
            s: Some(self.game.side(&frame.position).letter().to_string().into()),
            ..TraceEvent::of(TraceKind::In)
        };
        self.event(&event)
    }

    fn current(&self, search: &Search<G>, frame: &Frame<G>) -> Option<String> {
        Some(self.game.format_move(&frame.position, search.current_move(frame)?))
    }

    /// The key of a position whatever lies before it.
    fn key(&self, position: &G::Position) -> String {
        self.game.format_key(self.game.key(position, self.mode.scheme))
    }

    fn hit(
        &mut self,
        event: &Event,
        (search, frame): (&Search<G>, &Frame<G>),
        table: &AnyTable<G::Key>,
    ) -> Written {
        let answers = event.kind == EventKind::Hit;
        let Some((at, negated, entry)) = entry_of(event, frame, table) else {
            return Ok(());
        };
        let asked = search.searched_window(self.game, self.mode.algorithm);
        let changed = (frame.window != asked && !answers).then_some(frame.window);
        self.event(&TraceEvent {
            k: Some(self.entry_key(&frame.position, at, negated).into()),
            u: Some(answers),
            a: changed.map(|window| window.alpha.get()),
            b: changed.map(|window| window.beta.get()),
            ..entry_event(TraceKind::Hit, &entry, event.depth)
        })
    }

    fn stored(&mut self, event: &Event, frame: &Frame<G>, table: &AnyTable<G::Key>) -> Written {
        let found = entry_of(event, frame, table);
        let found = found.filter(|(.., entry)| Some(entry.value) == event.value);
        let Some((at, negated, entry)) = found else {
            return Ok(());
        };
        let twins = if self.mode.write_orbit {
            self.game.orbit(&frame.position)
        } else {
            vec![frame.position.clone()]
        };
        for twin in &twins {
            let at = match twins.len() {
                1 => at,
                _ => Keyed { key: self.game.key(twin, self.mode.scheme), ..at },
            };
            let key = Some(self.entry_key(twin, at, negated).into());
            self.event(&TraceEvent { k: key, ..entry_event(TraceKind::Put, &entry, event.depth) })?;
        }
        Ok(())
    }

    /// The name of an entry: its position's key, and what else it is kept under.
    fn entry_key(&self, position: &G::Position, at: Keyed<G::Key>, negated: bool) -> String {
        let (position, entry) = (self.key(position), self.game.format_key(at.key));
        let past = if entry == position { String::new() } else { entry };
        let depth = if at.depth > 0 { format!("/{}", at.depth) } else { String::new() };
        let beside = [if negated { "-" } else { "" }, &past, &depth].concat();
        if beside.is_empty() { position } else { format!("{position}@{beside}") }
    }

    /// A value came back to the frame at hand: the one below it has been left.
    fn back(&mut self, event: &Event, search: &Search<G>) -> Written {
        let Some(value) = event.value else {
            return Ok(());
        };
        self.value(TraceKind::Out, Some(value.child(self.game)))?;
        let Some(frame) = search.frames().last() else {
            return Ok(());
        };
        if search.ply() == 0 {
            let first = frame.entered() <= 1;
            let low = if first { value } else { value.max(self.root_value) };
            self.root_value = if frame.best > frame.window.alpha { frame.best } else { low };
        }
        if event.kind != EventKind::Cutoff {
            return Ok(());
        }
        let mv = self.current(search, frame).map(Into::into);
        self.event(&TraceEvent { v: Some(value.get()), m: mv, ..TraceEvent::of(TraceKind::Cut) })
    }

    fn close_root(&mut self) -> Written {
        if !std::mem::take(&mut self.open) {
            return Ok(());
        }
        self.value(TraceKind::Out, Some(self.root_value))
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

fn kind<G: Game>(
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

/// The entry that an event at a node is about: where it stands, whether its sign is turned, and what the node reads.
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
