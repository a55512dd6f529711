//! The tree along the line being searched: what has been searched, what is being searched, what is to come, and what
//! has been pruned.

use ratatui::{
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    engine::report::FrameReport,
    tui::{app::App, draw::cut},
    view::text::{
        Style,
        number::{score, score_or_none},
    },
};

const STYLE: Style = Style { ascii: false };

/// The lines: each frame with its children.
pub fn lines(app: &App, room: Rect) -> Vec<Line<'static>> {
    let Some(stack) = app
        .data
        .stack
        .as_ref()
        .filter(|stack| !stack.frames.is_empty())
    else {
        return vec![Line::raw("No search is under way.")];
    };
    let mut tree = Tree {
        app,
        width: room.width as usize,
        lines: Vec::new(),
    };
    for (place, frame) in stack.frames.iter().enumerate() {
        let is_last = place + 1 == stack.frames.len();
        tree.frame(frame, place == stack.selected, is_last);
    }
    for frame in stack.frames.iter().rev() {
        tree.rest(frame);
    }
    tree.lines
}

struct Tree<'a> {
    app: &'a App,
    width: usize,
    lines: Vec<Line<'static>>,
}

impl Tree<'_> {
    /// The node, and its children that have a value.
    fn frame(&mut self, frame: &FrameReport, selected: bool, is_last: bool) {
        let branch = if frame.ply == 0 {
            String::new()
        } else {
            format!("{}└▸", indent(frame.ply - 1))
        };
        let name = self.parent_move(frame).unwrap_or_else(|| "root".to_owned());
        let text = format!(
            "{branch}{name} d{} [{}, {}] best {}{}",
            frame.depth,
            score(frame.alpha, STYLE),
            score(frame.beta, STYLE),
            score_or_none(frame.best, STYLE),
            frame
                .best_move
                .as_ref()
                .map_or_else(String::new, |best| format!(" by {best}")),
        );
        let style = if selected {
            self.app.look.selected()
        } else {
            self.app.look.accent()
        };
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
        self.app.data.stack.as_ref()?.frames.get(parent)?.mv.clone()
    }

    /// The children searched, with their values where they are known: the root's, and those that were stepped through.
    fn searched(&self, frame: &FrameReport, done: usize) -> String {
        let root = self.app.data.run.as_ref().filter(|_| frame.ply == 0);
        let known = |mv: &String| {
            let moves = root.map_or(&[][..], |run| &run.moves);
            let at_root = moves
                .iter()
                .find(|known| known.mv == *mv)
                .and_then(|known| known.value);
            at_root.or_else(|| self.app.seen.value(&frame.state, frame.depth, mv))
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
        let is_cut = frame
            .best
            .is_some_and(|best| best.get() >= frame.beta.get());
        let (mark, what) = if is_cut {
            ("✂", "pruned")
        } else {
            ("·", "to come")
        };
        let text = format!("{} {what}: {}", rest.len(), rest.join(" "));
        self.row(frame.ply, mark, &text, is_cut);
    }

    fn row(&mut self, ply: u32, mark: &str, text: &str, is_cut: bool) {
        let look = &self.app.look;
        let indent = format!("{}├{mark} ", indent(ply));
        let text = cut(text, self.width.saturating_sub(indent.chars().count()));
        let style = if is_cut { look.warning() } else { look.quiet() };
        self.lines.push(Line::from(vec![
            Span::raw(indent),
            Span::styled(text, style),
        ]));
    }
}

/// Deep trees stay in sight.
fn indent(ply: u32) -> String {
    const DEEPEST: u32 = 8;
    "│ ".repeat(ply.min(DEEPEST) as usize)
}
