//! The replies that the panes show, which are looked up by commands.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    command::Shell,
    engine::session::{
        cache::{CacheEdit, CacheList, Writers},
        event::EventReport,
        explain::TreeExplained,
        position::BoardReport,
        reply::{MoveText, Reply},
        search::{FrameReport, Where},
        timelines::TimelineList,
        trace::OpenTrace,
    },
};

/// The greatest number of events that a look-up for the screen replays, because the user is waiting for the reply.
pub const REPLAYED: u64 = 1_000_000;

/// The greatest number of events that are replayed for the writers of listed cache entries: each takes time and memory.
const REPLAYED_FOR_LIST: u64 = 10_000_000;

/// The time in milliseconds after which a slow look-up pauses, so that keys are handled.
const SLICE_MS: u64 = 5;

/// What the position on the board belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BoardOf {
    /// The current position of the game.
    #[default]
    Position,
    /// The selected frame of the search stack.
    Frame,
    /// The cache entry with this key.
    Entry(String),
    /// A node of the tree that is not on the search stack.
    Node(TreeSpot),
}

/// A node of the tree that is not on the search stack, finished or not searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeSpot {
    /// The moves that lead from the search's root to the node.
    pub line: Vec<MoveText>,
    /// The position of the node, in the game's notation.
    pub state: String,
    /// The best reply in the node, or the reply that refutes the last move.
    pub reply: Option<MoveText>,
    /// Whether `reply` is a refutation.
    pub refuted: bool,
}

/// A query of the panes: the statement that looks up a reply.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[expect(missing_docs, reason = "each is a command")]
pub enum Query {
    #[strum(serialize = "engine follow")]
    Analyst,
    #[strum(serialize = "break")]
    Breakpoints,
    #[strum(serialize = "cache list")]
    CacheList(String),
    #[strum(serialize = "cache stats")]
    CacheStats,
    #[strum(serialize = "display")]
    Displays,
    #[strum(serialize = "eval")]
    Eval(String),
    #[strum(serialize = "explain tree")]
    Tree(String),
    #[strum(serialize = "position show")]
    Position,
    #[strum(serialize = "search result")]
    SearchResult,
    // Looked up before the time line's query, because the time line shows how much of the trace has been read.
    #[strum(serialize = "trace findings --time 5")]
    Trace,
    #[strum(serialize = "timeline")]
    Timelines,
    #[strum(serialize = "weights list")]
    WeightSets,
    #[strum(serialize = "where")]
    Stack,
}

impl Query {
    fn statement(&self) -> String {
        let command: &str = self.into();
        match self {
            Self::CacheList(arguments) | Self::Eval(arguments) | Self::Tree(arguments) => {
                format!("{command} {arguments}")
            }
            _ => command.to_owned(),
        }
    }

    /// Whether the reply is looked up again while a search runs. Replies about the cache would change too fast to be read.
    const fn follows_search(&self) -> bool {
        matches!(
            self,
            Self::Analyst
                | Self::Displays
                | Self::Tree(_)
                | Self::SearchResult
                | Self::Timelines
                | Self::Stack
        )
    }
}

/// The latest reply to each of the panes' queries.
#[derive(Clone, Debug, Default)]
pub struct Data {
    answers: BTreeMap<Query, Result<Arc<dyn Reply>, String>>,
    /// The board that is shown.
    pub board: Option<BoardReport>,
    /// The board shown before. If an entry's position is unknown, the pane keeps the size of this board.
    pub last_board: Option<BoardReport>,
    /// What the shown position belongs to, and the statement that returned the board.
    board_of: Option<(BoardOf, Option<String>)>,
    /// The last cache entry that was looked up, and the timeline on which it was.
    pub entry: Option<CacheEdit>,
    entry_timeline: Option<String>,
    /// The key and the position of the entry shown last. When a search replaces the entry, its position is still this one.
    entry_state: Option<(String, String)>,
    /// The writers of the listed cache entries, as far as they are known, and whether they are still being looked up.
    pub writers: Arc<Writers>,
    writers_due: bool,
    /// Whether a search was running at the last look-up.
    searched: bool,
}

impl Data {
    /// Looks up all queries; with `all` false, only those without a reply and those that follow a search, once more after its end.
    pub fn refresh(&mut self, shell: &mut Shell, wants: &[Query], shown: &BoardOf, all: bool) {
        let searching = shell.is_searching();
        let searching = std::mem::replace(&mut self.searched, searching) || searching;
        let is_reading = wants.contains(&Query::Trace) && self.is_due(&Query::Trace);
        self.answers.retain(|query, _| wants.contains(query));
        for want in wants {
            let grows = is_reading && *want == Query::Timelines;
            if all || grows || searching && want.follows_search() || self.is_due(want) {
                self.look_up_again(shell, std::slice::from_ref(want));
                self.writers_due |= matches!(want, Query::CacheList(_));
            }
        }
        self.look_at_board(shell, shown, all || searching);
        if !searching {
            self.find_writers(shell);
        }
    }

    /// Looks up these queries anew; the replies to all other queries are kept.
    pub fn look_up_again(&mut self, shell: &mut Shell, wants: &[Query]) {
        for want in wants {
            let answer = shell.look_up(&want.statement()).map_err(|fault| fault.to_string());
            self.answers.insert(want.clone(), answer);
        }
    }

    /// Looks up the writers of the listed cache entries, or continues to.
    fn find_writers(&mut self, shell: &mut Shell) {
        if let Some(list) = self.get::<CacheList>().filter(|_| self.writers_due) {
            let keys: Vec<_> = list.entries.iter().map(|entry| entry.key.as_str()).collect();
            let found = self.finds_writers().then(|| shell.session_mut().writers(&keys, SLICE_MS));
            // Without a recorded search, or in a long one, no writer is known.
            let found = found.and_then(Result::ok).unwrap_or_else(|| Some(Writers::new()));
            self.writers_due = found.is_none();
            self.writers = found.map_or_else(|| Arc::clone(&self.writers), Arc::new);
        }
    }

    /// Looks up the board of `shown`, if `shown` has changed or `again` is set.
    pub fn look_at_board(&mut self, shell: &mut Shell, shown: &BoardOf, again: bool) {
        let is_new = self.board_of.as_ref().is_none_or(|(before, _)| before != shown);
        if let (BoardOf::Entry(key), true) = (shown, again || is_new) {
            let found = shell.look_up_as::<CacheEdit>(&format!("cache get {key}"));
            // The position of an entry that was removed from the cache stays on the board.
            if let Some(edit) = found.ok().filter(|edit| edit.entry.is_some()) {
                let now = self.get::<TimelineList>().and_then(TimelineList::current);
                // If the entry stores its position, the board is known without the writer, so fewer events are replayed.
                let most = if edit.state().is_none() { REPLAYED } else { REPLAYED / 10 };
                let is_replayed = now.is_some_and(|it| it.events <= most) && !shell.is_searching();
                let writer = format!("cache get --writer {key}");
                let own = edit.entry.as_ref().filter(|it| !self.writers_due && !it.edited);
                let listed = own.and_then(|_| Some(self.writers.get(key)?.0.clone()));
                let listed = listed.map(|it| CacheEdit { writer: Some(it), ..edit.clone() });
                let mut replay = || shell.look_up_as::<CacheEdit>(&writer).ok();
                let found = listed.or_else(|| if is_replayed { replay() } else { None });
                let known = self.looked_up().cloned().filter(|known| {
                    known.key == edit.key && known.entry == edit.entry && known.writer.is_some()
                });
                self.look_at(found.or(known).unwrap_or(edit));
            }
        }
        if let (BoardOf::Entry(key), Some(state)) = (shown, self.state_of(shown)) {
            self.entry_state = Some((key.clone(), state.to_owned()));
        }
        if again || self.lacks_board(shown) {
            let statement = self.board_statement(shown);
            self.last_board = self.board.take().or(self.last_board.take());
            self.board = statement.as_ref().and_then(|statement| shell.look_up_as(statement).ok());
            self.board_of = Some((shown.clone(), statement));
        }
    }

    fn timeline(&self) -> Option<String> {
        let now = self.get::<TimelineList>().and_then(TimelineList::current)?;
        Some(now.name.clone())
    }

    /// Keeps an entry that was looked up on the current timeline.
    pub fn look_at(&mut self, entry: CacheEdit) {
        (self.entry, self.entry_timeline) = (Some(entry), self.timeline());
    }

    /// The last cache entry that was looked up; `None` on another timeline, where it may have another writer.
    pub fn looked_up(&self) -> Option<&CacheEdit> {
        self.entry.as_ref().filter(|_| self.entry_timeline == self.timeline())
    }

    /// The position that is shown, unless it is the game's.
    pub fn state_of<'a>(&'a self, shown: &'a BoardOf) -> Option<&'a str> {
        match shown {
            BoardOf::Position => None,
            BoardOf::Frame => self.frame().map(|frame| frame.state.as_str()),
            BoardOf::Entry(key) => {
                let entry = self.entry.as_ref().filter(|edit| edit.key == *key);
                let frame = || self.frames().iter().find(|frame| frame.key == *key);
                // The key of symmetric positions is that of one of them, so the stored position need not be that of the node.
                let node = entry.and_then(|edit| Some(&*edit.writer.as_ref()?.state));
                let listed = || Some(&*self.writers.get(key)?.0.state);
                let before = || {
                    let known = self.entry_state.as_ref().filter(|(before, _)| before == key);
                    Some(&*known?.1)
                };
                let stored = || entry.and_then(CacheEdit::state);
                let known = node.or_else(listed).or_else(|| Some(&*frame()?.state));
                known.or_else(stored).or_else(before)
            }
            BoardOf::Node(spot) => Some(&spot.state),
        }
    }

    /// The statement that returns the board; `None` if the position is not known.
    fn board_statement(&self, shown: &BoardOf) -> Option<String> {
        match (shown, self.state_of(shown)) {
            (_, Some(state)) => Some(format!("position board {state}")),
            (BoardOf::Entry(_), None) => None,
            _ => Some("position board".to_owned()),
        }
    }

    fn lacks_board(&self, shown: &BoardOf) -> bool {
        let known = self.board_of.as_ref();
        known.is_none_or(|(of, statement)| of != shown || *statement != self.board_statement(shown))
    }

    /// Whether a query, or the board, has no complete reply yet.
    pub fn lacks(&self, wants: &[Query], shown: &BoardOf) -> bool {
        wants.iter().any(|want| self.is_due(want))
            || self.lacks_board(shown)
            || self.lacks_writers()
    }

    /// Whether the writers of listed cache entries are looked up: not without a recorded search, nor in a long one.
    pub fn finds_writers(&self) -> bool {
        self.event().is_some_and(|event| event.index < REPLAYED_FOR_LIST)
    }

    /// Whether writers of listed cache entries are still being looked up.
    pub fn lacks_writers(&self) -> bool {
        self.writers_due && self.get::<CacheList>().is_some()
    }

    /// Whether a query has no reply or an unfinished one, as the tree and the findings of a trace can be.
    pub fn is_due(&self, want: &Query) -> bool {
        let is_part = |reply: &Arc<dyn Reply>| {
            let tree = reply.downcast_ref::<TreeExplained>();
            let trace = reply.downcast_ref::<OpenTrace>();
            tree.is_some_and(|tree| tree.replayed < tree.events)
                || trace.is_some_and(|trace| !trace.done)
        };
        self.answers.get(want).is_none_or(|answer| answer.as_ref().is_ok_and(is_part))
    }

    /// The latest reply of type `R`.
    pub fn get<R: Reply>(&self) -> Option<&R> {
        self.answers.values().flatten().find_map(|reply| reply.downcast_ref())
    }

    /// Replaces the reply to a query.
    pub fn put(&mut self, query: Query, answer: impl Reply) {
        self.answers.insert(query, Ok(Arc::new(answer)));
    }

    /// The error message of a query that failed.
    pub fn fault(&self, query: &Query) -> Option<&str> {
        self.answers.get(query)?.as_ref().err().map(String::as_str)
    }

    /// The event at which the search stands; `None` before the first event.
    pub fn event(&self) -> Option<&EventReport> {
        self.get::<Where>()?.event.as_ref()
    }

    /// The selected frame; `None` without a search.
    pub fn frame(&self) -> Option<&FrameReport> {
        let stack = self.get::<Where>()?;
        stack.frames.get(stack.selected)
    }

    /// The frames from the root to the current node; empty without a search.
    pub fn frames(&self) -> &[FrameReport] {
        self.get::<Where>().map_or(&[], |stack| &stack.frames)
    }
}
