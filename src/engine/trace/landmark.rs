//! Landmarks of a trace: moments that a reader can be put to without reading all that came before.
//!
//! A landmark is the shortest trace that leads to the same stack. Of a node that is open everything is told; of one that has
//! been left only how it was entered and left, and, where it is its parent's best so far, the same of its own best: that
//! is the line it stands for. Counts stand at the head. The table is not in it.

use std::fmt::Write as _;

use super::{
    Retold, TraceEvent, TraceKind,
    retold::{DEEPEST, LandmarkHead, TracedKey},
};
use crate::engine::{
    game::{Answer, Rules, Told},
    memo::Unmemoized,
    search::{EventKind, Plan, Search},
    searcher::Searcher,
};

/// Lines of an open node at most: a trace in which one has more gets no more landmarks.
const MOST: usize = 1 << 14;

/// The line of an event, with its number.
type KeptLine = (u64, String);

/// What must be told of an open node.
#[derive(Debug)]
struct OpenNode {
    lines: Vec<KeptLine>,
    /// Those of its best move, which are among them.
    best: Vec<KeptLine>,
}

/// Follows a trace and keeps what a landmark needs.
#[derive(Debug)]
pub(super) struct Landmarks<'a> {
    trace: &'a Retold,
    search: Search<Retold>,
    memo: Unmemoized<TracedKey>,
    /// The position that the search at hand began with.
    root: Option<KeptLine>,
    open: Vec<OpenNode>,
    /// It is clear what to tell of the last event.
    fits: bool,
    /// There are no more landmarks.
    over: bool,
}

impl<'a> Landmarks<'a> {
    /// At the beginning.
    /// Errors: as a search that begins.
    pub(super) fn new(trace: &'a Retold) -> Answer<Self> {
        let searcher = Searcher::usual(trace.clone());
        let plan = |window| Plan::Value { depth: 0, window };
        let (search, ()) = searcher.search((&trace.start(), &()), plan, None)?;
        Ok(Self {
            trace,
            search,
            memo: Unmemoized::default(),
            root: None,
            open: Vec::new(),
            fits: false,
            over: false,
        })
    }

    pub(super) fn see(&mut self, number: u64, event: &TraceEvent<'_>, line: &[u8]) {
        self.over |= self.search.ply() == DEEPEST;
        if self.over {
            return;
        }
        let told = self.trace.tell_of(number, event, self.search.open_node());
        self.fits = !matches!(told, Told::Remark | Told::Dropped(_));
        let leaves = matches!(told, Told::Left { .. });
        self.search.retell(&mut self.memo, number, told);
        let kept = || (number, String::from_utf8_lossy(line).trim().to_owned());
        if event.e == TraceKind::Root {
            self.root = Some(kept());
        } else if self.fits {
            self.keep(kept(), leaves);
        }
    }

    fn keep(&mut self, line: KeptLine, leaves: bool) {
        let kind = self.search.last_kind();
        match kind {
            EventKind::Descend => {
                self.open.truncate(self.search.frames().len() - 1);
                self.open.push(OpenNode { lines: vec![line], best: Vec::new() });
                return;
            }
            EventKind::Iteration => {
                self.open.truncate(1);
                for root in &mut self.open {
                    root.lines.truncate(1);
                    root.best.clear();
                }
            }
            EventKind::Leave => {}
            _ if leaves => return self.leave(line, kind == EventKind::Raise),
            _ => {}
        }
        match self.open.last_mut() {
            Some(node) => {
                node.lines.push(line);
                self.over |= node.lines.len() > MOST;
            }
            None => self.open.push(OpenNode { lines: vec![line], best: Vec::new() }),
        }
    }

    /// A node below another is left.
    fn leave(&mut self, line: KeptLine, is_best: bool) {
        let Some(OpenNode { mut lines, best }) = self.open.pop() else {
            return;
        };
        let Some(parent) = self.open.last_mut() else {
            return;
        };
        lines.truncate(1);
        if is_best {
            lines.extend(best);
        }
        lines.push(line);
        parent.lines.extend(lines.iter().cloned());
        self.over |= parent.lines.len() > MOST;
        if is_best {
            parent.best = lines;
        }
    }

    /// The landmark after the last event, where there can be one.
    pub(super) fn here(&self) -> Option<String> {
        if self.over || !self.fits {
            return None;
        }
        let (counters, iterations) = (self.search.counters, self.search.iterations.clone());
        let mut text = serde_json::to_string(&LandmarkHead { counters, iterations }).ok()?;
        let open = self.open.iter().flat_map(|node| &node.lines);
        for (number, line) in self.root.iter().chain(open) {
            let _ = write!(text, "\n{number} {line}");
        }
        Some(text)
    }
}
