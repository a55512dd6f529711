//! The meaning of an event, in a sentence or two.

use serde::Serialize;

use crate::{
    engine::{
        core::search::{Algorithm, EventKind, Frame, WindowChange},
        explain::{BoundSource, End, SetBy, Windows},
        game::{FieldValue, Game, Keyed, Score, Side, Window},
        recording::Running,
        session::{
            Session,
            cache::EntryReport,
            event::{EventReport, event_text},
            reply::{Reply, nth_line},
        },
        table::Reuse,
    },
    text::{
        counted, layout, lines,
        number::{self, worth},
        or_empty,
    },
};

/// The reply of `explain event`: the last event, its meaning, and the origin of its node's window.
#[derive(Clone, Debug, Serialize)]
pub struct EventExplained {
    /// The last event of the search.
    pub event: EventReport,
    /// The meaning of the event, in a sentence or two.
    pub why: String,
    /// The origin of β and, unless a move of the node raised α, the origin of α, a sentence each.
    pub origins: Vec<String>,
}

impl Reply for EventExplained {
    fn text(&self) -> String {
        let head = [
            event_text(&EventReport { trace_line: None, ..self.event.clone() }),
            format!("  {}", self.event.state),
        ];
        let sentences = std::iter::once(&self.why).chain(&self.origins);
        let sentences = sentences.map(|text| layout::wrap("  ", text));
        // The line of the trace comes last, because a screen has it already.
        let source = or_empty(self.event.trace_line.clone());
        lines(head.into_iter().chain(sentences).chain([source]))
    }

    fn position(&self) -> Option<&str> {
        Some(&self.event.state)
    }

    // The log shows the meaning, not the event and the position before it.
    fn line(&self) -> String {
        nth_line(&layout::wrap("  ", &self.why), 0)
    }
}

impl<G: Game> Session<G> {
    /// The meaning of the last event in sentences; `None` before the first event.
    pub(in crate::engine::session) fn why(&self, running: &Running<G>) -> Option<String> {
        let (event, frame) = (running.report_event(self.game())?, running.search.frames().last()?);
        let side = self.game().side(&frame.position);
        let (number, trace) = (event.index, self.game().trace());
        if let Some(thread) = trace.and_then(|trace| trace.other_thread(number)) {
            return Some(format!("An event of thread {thread}."));
        }
        let found = trace.map_or_else(Vec::new, |trace| trace.findings_at(number));
        let faults = format!("Error: {}.", found.join("; "));
        let why = || Explainer { session: self, running, frame, side, event: &event }.why();
        Some(match event.kind {
            _ if found.is_empty() => why(),
            // A hit found wrong is not explained: the program did not use the value that the table should have returned.
            EventKind::Hit => faults,
            _ => format!("{faults} {}", why()),
        })
    }
}

struct Explainer<'a, G: Game> {
    session: &'a Session<G>,
    running: &'a Running<G>,
    frame: &'a Frame<G>,
    side: Side,
    event: &'a EventReport,
}

impl<G: Game> Explainer<'_, G> {
    fn why(&self) -> String {
        let Self { session, running, frame, side, event } = self;
        let (game, search) = (session.game(), &running.search);
        let mv = or_empty(event.mv.as_ref());
        let value = or_empty(event.value.map(|value| number::at_bound(event.bound, value)));
        let alpha = number::alpha_words(event.window);
        let beta = number::with_mate(number::beta(event.window.beta));
        let plies = counted(u64::from(event.depth), "ply", "plies");
        match event.kind {
            EventKind::Iteration => format!("Every move of {side} is searched {plies} deep now."),
            EventKind::Pass => self.pass(),
            EventKind::Null => format!(
                "{side} passes. If the value is {beta} or more even then, the node is cut off."
            ),
            EventKind::Reduce => format!(
                "{mv} is quiet and comes late: a search with less depth shows first whether it is worth more than {alpha}."
            ),
            EventKind::Extend => format!("{mv} gives check, so it is searched one ply deeper."),
            EventKind::Prune => self.pruned(&mv, &alpha),
            EventKind::Descend => self.descend(&mv, event.window),
            EventKind::Expand => {
                format!("{side} has {} here.", counted(frame.children() as u64, "move", "moves"))
            }
            EventKind::Leaf => {
                format!("No depth is left: the static value, {value} for {side}, is the value.")
            }
            EventKind::StandPat => self.stand_pat(&value),
            EventKind::Captures => {
                let moves = counted(frame.children() as u64, "forcing move", "forcing moves");
                format!("{side} has {value} without moving, and {moves} to do better.")
            }
            EventKind::Terminal => {
                let end = game.describe_position(&frame.position, search.history());
                format!("The game is over: {end}. The value for {side} is {value}.")
            }
            EventKind::Tables => {
                format!("The tables have the true value, {value} for {side}: no search here.")
            }
            EventKind::Return => self.describe_no_improvement(&mv, &value),
            EventKind::Raise => self.raise(&mv, &value),
            EventKind::Cutoff => self.cutoff(&mv, &value, &beta),
            EventKind::Research => format!(
                "{mv} is worth {value}, better than {alpha}: it is searched again, in full."
            ),
            EventKind::Budget => {
                let nodes = counted(search.counters.nodes, "node", "nodes");
                format!("Done: {nodes}, the budget of the search.")
            }
            EventKind::Finish => self.finish(event.value),
            EventKind::Static => format!("The static value is {value}."),
            EventKind::Leave => format!("The search leaves the root with {value}."),
            EventKind::Note => self.note().to_owned(),
            EventKind::Hit | EventKind::Invalid | EventKind::Miss => self.probed(event.kind),
            EventKind::Store | EventKind::Eviction | EventKind::Skip => {
                self.stores(event.kind, &value)
            }
        }
    }

    /// The meaning of an event of a trace that has no other kind.
    fn note(&self) -> &'static str {
        if self.running.search.ply() == 0 && self.frame.entered() == 0 {
            "Before the first node: the root of a search, or a remark of the program."
        } else {
            "A remark of the program."
        }
    }

    fn probed(&self, kind: EventKind) -> String {
        match kind {
            EventKind::Hit => {
                format!("The cache has {}, which suffices: no search here.", self.stored())
            }
            EventKind::Invalid => self.insufficient(),
            _ => "The cache has no entry for this node, so it is searched.".to_owned(),
        }
    }

    fn stores(&self, kind: EventKind, value: &str) -> String {
        match kind {
            EventKind::Store => format!("The cache now has {}.", self.stored()),
            EventKind::Skip => format!(
                "{value} is not stored: it depends on a draw by repetition, which another line to this position may not have."
            ),
            _ => "The cache was full: other entries were removed for the new one.".to_owned(),
        }
    }

    fn pruned(&self, mv: &str, alpha: &str) -> String {
        match self.stated_reason() {
            Some(reason) if mv == "-" => format!("The other moves are not searched: {reason}."),
            Some(reason) => format!("{mv} is not searched: {reason}."),
            None => format!(
                "{mv} is quiet, and the static value is so far below α {alpha} that it is not searched."
            ),
        }
    }

    /// The reason that the trace gives for the event; `None` without one.
    fn stated_reason(&self) -> Option<String> {
        let trace = self.session.game().trace()?;
        match trace.field_at(trace.field("r", false)?, self.event.index)? {
            FieldValue::Text(reason) => Some(reason),
            FieldValue::Number(_) => None,
        }
    }

    fn descend(&self, mv: &str, window: Window) -> String {
        let (side, sought) = (self.side, sought(window));
        match mv {
            "" => format!("At the root {side} is to move; {sought}"),
            // In a trace, `-` is a null move or a search of the same position.
            "-" => format!("A node without a move is entered. {side} is to move; {sought}"),
            _ => format!("{mv} is tried. {side} is to move; {sought}"),
        }
    }

    fn stand_pat(&self, value: &str) -> String {
        let (side, event) = (self.side, self.event);
        let beta = number::with_mate(number::beta(event.window.beta));
        match event.depth {
            _ if event.value < Some(event.window.beta) => {
                format!("{side} has no forcing move: the static value, {value}, is the value.")
            }
            0 => format!(
                "The static value, {value} for {side}, is at least β {beta}: no move is needed."
            ),
            _ => format!(
                "The static value, {value} for {side}, exceeds β {beta} by more than the futility margin: no move is searched."
            ),
        }
    }

    fn raise(&self, mv: &str, value: &str) -> String {
        let Self { running, frame, side, .. } = self;
        if !running.mode.algorithm.has_windows() {
            return format!("{mv} is worth {value} to {side}, the best so far.");
        }
        let alphas = [running.search.best_before(), frame.current_window().alpha];
        let [before, after] = alphas.map(|alpha| number::with_mate(number::alpha(alpha)));
        format!(
            "{mv} is worth {value} to {side}, better than before: α rises from {before} to {after}."
        )
    }

    fn finish(&self, value: Option<Score>) -> String {
        let (game, search) = (self.session.game(), &self.running.search);
        let best = search.best_moves();
        let best = best.first().map(|root| game.move_text(search.root(), root.mv));
        let best = or_empty(best.map(|best| format!(": best is {best}")));
        let value = or_empty(value.map(|value| format!(", worth {}", worth(value))));
        format!("The search is over{best}{value}.")
    }

    fn pass(&self) -> String {
        let window = number::window_words(self.frame.window);
        let reason = if self.running.mode.algorithm == Algorithm::Mtdf {
            "MTD(f) tests on which side of the window the value lies"
        } else {
            "the value lay outside the window before"
        };
        format!("The root is searched with the {window}: {reason}.")
    }

    /// The cache entry of the node; `None` if none is stored.
    fn entry(&self) -> Option<EntryReport> {
        let Self { session, running, frame, .. } = self;
        let (search, scheme) = (&running.search, running.mode.scheme);
        let history = search.history_at(search.ply() as usize);
        let key = session.game().node_key(&frame.position, &history, scheme, frame.depth);
        let depth = if session.settings().memo().keys_depth() { frame.depth } else { 0 };
        let at = Keyed { key, depth };
        Some(session.report_entry((at, session.entries().get(at)?)))
    }

    /// The cache entry of the node in words, such as `at most +0.35 for White from depth 4`.
    fn stored(&self) -> String {
        let Some(entry) = self.entry() else { return "an entry".to_owned() };
        let value = number::bounded(entry.bound.unwrap_or_default(), &worth(entry.value));
        let depth = or_empty(entry.depth.map(|depth| format!(" from depth {depth}")));
        format!("{value} for {}{depth}", self.side)
    }

    fn insufficient(&self) -> String {
        let frame = self.frame;
        let is_exact = !G::IS_TRACE && self.session.settings().reuse() == Reuse::Exact;
        let why = match self.entry().and_then(|entry| entry.depth) {
            Some(depth) if depth < frame.depth || is_exact && depth > frame.depth => {
                let exactly = if is_exact { "exactly " } else { "" };
                format!("but {exactly}depth {} is needed", frame.depth)
            }
            _ => "but its bound or window does not suffice".to_owned(),
        };
        let changed = (frame.changed == Some(WindowChange::Entry))
            .then(|| format!(" with the changed {}", number::window_words(frame.window)));
        format!(
            "The cache has {}, {why}: the node is searched{}.",
            self.stored(),
            or_empty(changed)
        )
    }

    fn describe_no_improvement(&self, mv: &str, value: &str) -> String {
        let Self { session, running, frame, side, event } = self;
        let name = |best| session.game().move_text(&frame.position, best);
        let best = frame.best_move().map(name);
        match best {
            _ if mv == "-" => format!("The node is worth {value} to {side}."),
            Some(best) if event.value == Some(frame.best) => {
                let value = worth(frame.best);
                format!("{mv} is no better than {best}: {side} has {value} already.")
            }
            Some(best) => format!(
                "{mv} is worth {value} to {side}, no better than {best}, worth {}.",
                worth(frame.best)
            ),
            None if running.mode.algorithm.has_windows() => format!(
                "{mv} is worth {value} to {side}, not more than α {}: nothing changes.",
                number::alpha_words(frame.window)
            ),
            None => format!("{mv} is worth {value} to {side}."),
        }
    }

    fn cutoff(&self, mv: &str, value: &str, beta: &str) -> String {
        let (frame, side) = (self.frame, self.side);
        if frame.best_move().is_none() {
            return format!(
                "Even after a pass {side} has {value}, which reaches β {beta}: no move is searched."
            );
        }
        let rest = match frame.children() - frame.entered() {
            0 => String::new(),
            1 => ", and the last move is not searched".to_owned(),
            rest => format!(", and the other {rest} moves are not searched"),
        };
        let reason = self.reason_of_beta();
        format!("{mv} is worth {value} to {side}, which reaches β {beta}: {reason}{rest}.")
    }

    /// Why a value of β or more cuts the node off, as a clause.
    fn reason_of_beta(&self) -> String {
        let Self { session, running, side, .. } = self;
        let (search, algorithm) = (&running.search, running.mode.algorithm);
        let windows = Windows { game: session.game(), search, algorithm };
        let BoundSource { ply, by, .. } = windows.open_source(search.ply() as usize, End::Beta);
        let other = side.other();
        match by {
            SetBy::Move { mv } => {
                format!("{other} already has that with {mv} and does not come here")
            }
            SetBy::StandPat => format!("{other} already has that and does not come here"),
            SetBy::Entry if ply == search.ply() => {
                "the entry found here lowered β to its upper bound, so the move suffices".to_owned()
            }
            SetBy::Entry => {
                format!("the entry found at ply {ply} set β to its bound, so the move suffices")
            }
            _ => "no more is needed in this window".to_owned(),
        }
    }
}

/// The clause for a window without bounds.
pub(super) const EVERY_VALUE: &str = "every value matters.";

/// Which values matter to a search with this window, as a clause.
pub(super) fn sought(window: Window) -> String {
    let [low, high] = number::window(window, number::score).map(number::with_mate);
    if window.alpha.get().next_up() == window.beta.get() {
        if let Some(beta) = low.strip_prefix('<').filter(|beta| number::is_least(beta)) {
            return format!("every value suffices: none is below {beta}.");
        }
        let zero = low.strip_prefix('<').map(|beta| format!("at least {beta}"));
        let zero = zero.unwrap_or_else(|| format!("more than {low}"));
        return format!("only whether the value is {zero} matters.");
    }
    match (low.as_str(), high.as_str()) {
        ("−∞", "+∞") => EVERY_VALUE.to_owned(),
        ("−∞", _) => format!("only a value below {high} matters."),
        (_, "+∞") => format!("only a value above {low} matters."),
        _ => format!("only a value between {low} and {high} matters."),
    }
}
