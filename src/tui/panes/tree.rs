//! The tree along the line being searched: what has been searched, what is being searched, what is to come, and what
//! has been pruned.

use std::collections::HashMap;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    engine::reply::{EventReport, FrameReport, Reply, Run, Score, StopReport, Where},
    text::number::{score, score_or_none},
    tui::{
        layout::PaneSlot,
        pane::{Pane, STYLE, Scroll, Tag, cut, wrapped},
        state::ScreenState,
    },
};

static TAG: Tag = Tag { name: "tree", keys: "3", about: "the search tree", place: PaneSlot::Top };

/// The tree.
#[derive(Debug, Default)]
pub struct TreePane {
    scroll: Scroll,
    seen: SeenValues,
}

impl Pane for TreePane {
    fn tag(&self) -> &'static Tag {
        &TAG
    }

    fn wants(&self, _: &ScreenState) -> Vec<String> {
        ["where", "search result"].map(str::to_owned).into()
    }

    fn lines(&self, state: &ScreenState, width: u16) -> Vec<Line<'static>> {
        lines(state, &self.seen, width as usize)
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.scroll)
    }

    fn hear(&mut self, reply: Option<&dyn Reply>) -> bool {
        let stop = reply.and_then(|reply| reply.downcast_ref::<StopReport>());
        if let Some(event) = stop.and_then(|stop| stop.event.as_ref()) {
            self.seen.note(event);
        }
        false
    }
}

/// The lines: each frame with its children.
fn lines(state: &ScreenState, seen: &SeenValues, width: usize) -> Vec<Line<'static>> {
    let frames = state.data.frames();
    if frames.is_empty() {
        return vec![Line::raw("No search is under way.")];
    }
    let selected = state.data.get::<Where>().map(|stack| stack.selected);
    let mut drawing = TreeLines { state, seen, selected, width, lines: Vec::new() };
    for (place, frame) in frames.iter().enumerate() {
        let is_last = place + 1 == frames.len();
        drawing.frame(frame, Some(place) == selected, is_last);
    }
    for frame in frames.iter().rev() {
        drawing.rest(frame);
    }
    drawing.lines
}

struct TreeLines<'a> {
    state: &'a ScreenState,
    seen: &'a SeenValues,
    /// The frame whose moves are written out, and not only as far as a line goes.
    selected: Option<usize>,
    width: usize,
    lines: Vec<Line<'static>>,
}

impl TreeLines<'_> {
    /// The node, and its children that have a value.
    fn frame(&mut self, frame: &FrameReport, selected: bool, is_last: bool) {
        let branch =
            if frame.ply == 0 { String::new() } else { format!("{}└▸", indent(frame.ply - 1)) };
        let name = self.parent_move(frame).unwrap_or_else(|| "root".to_owned());
        let text = format!(
            "{branch}{name} d{} [{}, {}] best {}{}",
            frame.depth,
            score(frame.alpha, STYLE),
            score(frame.beta, STYLE),
            score_or_none(frame.best, STYLE),
            frame.best_move.as_ref().map_or_else(String::new, |best| format!(" by {best}")),
        );
        let style = if selected { self.state.look.selected } else { self.state.look.accent };
        self.lines.push(Line::styled(cut(&text, self.width), style));
        let under_way = usize::from(frame.mv.is_some() && !is_last);
        let done = frame.child.saturating_sub(under_way).min(frame.moves.len());
        if done > 0 {
            let text = self.searched(frame, done);
            self.row(frame.ply, "✓", &text, false);
        }
    }

    fn parent_move(&self, frame: &FrameReport) -> Option<String> {
        let parent = frame.ply.checked_sub(1)? as usize;
        self.state.data.frames().get(parent)?.mv.clone()
    }

    /// The children searched, with their values where they are known: the root's, and those that were stepped through.
    fn searched(&self, frame: &FrameReport, done: usize) -> String {
        let root = self.state.data.get::<Run>().filter(|_| frame.ply == 0);
        let known = |mv: &String| {
            let moves = root.map_or(&[][..], |run| &run.moves);
            let at_root = moves.iter().find(|known| known.mv == *mv).and_then(|known| known.value);
            at_root.or_else(|| self.seen.value(&frame.state, frame.depth, mv))
        };
        let spelled = frame.moves[..done].iter().map(|mv| match known(mv) {
            Some(value) => format!("{mv} {}", score(value, STYLE)),
            None => mv.clone(),
        });
        // The last ones are what somebody who steps wants to see.
        let spelled: Vec<_> = spelled.rev().collect();
        format!("{done} searched: {}", spelled.join(", "))
    }

    /// The children that are to come, or that a cutoff has made superfluous.
    fn rest(&mut self, frame: &FrameReport) {
        let rest = frame.moves.get(frame.child..).unwrap_or_default();
        if rest.is_empty() {
            return;
        }
        let is_cut = frame.best.is_some_and(|best| best.get() >= frame.beta.get());
        let (mark, what) = if is_cut { ("✂", "pruned") } else { ("·", "to come") };
        let text = format!("{} {what}: {}", rest.len(), rest.join(" "));
        self.row(frame.ply, mark, &text, is_cut);
    }

    fn row(&mut self, ply: u32, mark: &str, text: &str, is_cut: bool) {
        let look = &self.state.look;
        let lead = format!("{}├{mark} ", indent(ply));
        let room = self.width.saturating_sub(lead.width());
        let style = if is_cut { look.warning } else { look.quiet };
        let texts = if self.selected == Some(ply as usize) {
            wrapped(text, room)
        } else {
            vec![cut(text, room)]
        };
        for (place, text) in texts.into_iter().enumerate() {
            let lead = if place == 0 { lead.clone() } else { format!("{}│  ", indent(ply)) };
            self.lines.push(Line::from(vec![Span::raw(lead), Span::styled(text, style)]));
        }
    }
}

/// Deep trees stay in sight.
fn indent(ply: u32) -> String {
    const DEEPEST: u32 = 8;
    "│ ".repeat(ply.min(DEEPEST) as usize)
}

/// More than anybody steps through by hand; then all are forgotten.
const KEPT: usize = 10_000;

/// Values that came back while somebody was stepping, by position, remaining depth and move.
#[derive(Debug, Default)]
struct SeenValues(HashMap<(String, u8, String), Score>);

impl SeenValues {
    /// Keeps the value that an event brought back to a node.
    fn note(&mut self, event: &EventReport) {
        if let ("return" | "raise" | "cutoff", Some(mv), Some(value)) =
            (event.kind.name(), &event.mv, event.value)
        {
            if self.0.len() >= KEPT {
                self.0.clear();
            }
            self.0.insert((event.state.clone(), event.depth, mv.clone()), value);
        }
    }

    /// The value that came back from a move.
    fn value(&self, state: &str, depth: u8, mv: &str) -> Option<Score> {
        self.0.get(&(state.to_owned(), depth, mv.to_owned())).copied()
    }
}
