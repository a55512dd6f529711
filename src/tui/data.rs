//! Replies that the panes show, looked up with commands.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    command::Shell,
    engine::session::{
        cache::CacheEdit,
        explain::TreeExplained,
        position::BoardReport,
        reply::{MoveText, Reply},
        search::{FrameReport, Where},
        timelines::TimelineList,
        trace::OpenTrace,
    },
};

/// The most events that are replayed while a person waits for the reply to a key.
pub const REPLAYED: u64 = 1_000_000;

/// The owner of the position on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BoardOf {
    /// The game.
    #[default]
    Position,
    /// The selected frame.
    Frame,
    /// The cache entry with this key.
    Entry(String),
    /// A node of the tree outside the search stack.
    Node(TreeSpot),
}

/// A finished or unsearched node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeSpot {
    /// The moves from the search's root.
    pub line: Vec<MoveText>,
    /// The position after these moves.
    pub state: String,
    /// The best reply, or the refutation of the last move.
    pub reply: Option<MoveText>,
    /// Whether `reply` is a refutation.
    pub refuted: bool,
}

/// A reply that panes show, by the statement that looks it up.
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
    // Comes before the time line, which shows how much of the trace is read.
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

    /// Whether the reply is looked up again while a search runs. Other replies change by commands only; the cache would change
    /// too fast to be read.
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

/// The latest replies to the panes' queries.
#[derive(Clone, Debug, Default)]
pub struct Data {
    answers: BTreeMap<Query, Result<Arc<dyn Reply>, String>>,
    /// The board shown.
    pub board: Option<BoardReport>,
    /// The board shown before. If the position of an entry is unknown, the pane keeps the size of this one.
    pub last_board: Option<BoardReport>,
    /// The owner of the position shown, and the statement that returned the board.
    board_of: Option<(BoardOf, Option<String>)>,
    /// The cache entry that was looked up last.
    pub entry: Option<CacheEdit>,
}

impl Data {
    /// Looks up all queries, or only those without a reply and those that follow a running search.
    pub fn refresh(&mut self, shell: &mut Shell, wants: &[Query], shown: &BoardOf, all: bool) {
        let searching = shell.is_searching();
        let is_reading = wants.contains(&Query::Trace) && self.is_due(&Query::Trace);
        self.answers.retain(|query, _| wants.contains(query));
        for want in wants {
            let grows = is_reading && *want == Query::Timelines;
            if all || grows || searching && want.follows_search() || self.is_due(want) {
                let answer = shell.look_up(&want.statement()).map_err(|fault| fault.to_string());
                self.answers.insert(want.clone(), answer);
            }
        }
        self.look_at_board(shell, shown, all || searching);
    }

    /// Looks up the board of `shown`, if it has changed or `again` is set.
    pub fn look_at_board(&mut self, shell: &mut Shell, shown: &BoardOf, again: bool) {
        let is_new = self.board_of.as_ref().is_none_or(|(before, _)| before != shown);
        if let (BoardOf::Entry(key), true) = (shown, again || is_new) {
            let found = shell.ask::<CacheEdit>(&format!("cache get {key}"));
            // An entry that was removed stays on the board.
            if let Some(edit) = found.ok().filter(|edit| edit.entry.is_some()) {
                let now = self.get::<TimelineList>().and_then(TimelineList::current);
                // The writer of an entry whose position is stored is worth less time.
                let most = if edit.state().is_none() { REPLAYED } else { REPLAYED / 10 };
                let is_short = now.is_some_and(|now| now.events <= most);
                let is_replayed = is_short && !shell.is_searching();
                let writer = format!("cache get --writer {key}");
                let replayed = is_replayed.then(|| shell.ask::<CacheEdit>(&writer).ok());
                let known = self.entry.take().filter(|known| {
                    known.key == edit.key && known.entry == edit.entry && known.writer.is_some()
                });
                self.entry = replayed.flatten().or(known).or(Some(edit));
            }
        }
        if again || self.lacks_board(shown) {
            let statement = self.board_statement(shown);
            self.last_board = self.board.take().or(self.last_board.take());
            self.board = statement.as_ref().and_then(|statement| shell.ask(statement).ok());
            self.board_of = Some((shown.clone(), statement));
        }
    }

    /// The position shown, unless it is the game's.
    pub fn state_of<'a>(&'a self, shown: &'a BoardOf) -> Option<&'a str> {
        match shown {
            BoardOf::Position => None,
            BoardOf::Frame => self.frame().map(|frame| frame.state.as_str()),
            BoardOf::Entry(key) => {
                let entry = self.entry.as_ref().filter(|edit| edit.key == *key);
                let frame = || self.frames().iter().find(|frame| frame.key == *key);
                entry.and_then(CacheEdit::state).or_else(|| Some(&*frame()?.state))
            }
            BoardOf::Node(spot) => Some(&spot.state),
        }
    }

    /// The statement that returns the board of an owner; none if the position is not known.
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

    /// Whether a query or the board has no complete reply yet.
    pub fn lacks(&self, wants: &[Query], shown: &BoardOf) -> bool {
        wants.iter().any(|want| self.is_due(want)) || self.lacks_board(shown)
    }

    /// Whether there is no reply, or an unfinished one: a tree, or the findings of a trace.
    fn is_due(&self, want: &Query) -> bool {
        let is_part = |reply: &Arc<dyn Reply>| {
            let tree = reply.downcast_ref::<TreeExplained>();
            let trace = reply.downcast_ref::<OpenTrace>();
            tree.is_some_and(|tree| tree.replayed < tree.events)
                || trace.is_some_and(|trace| !trace.done)
        };
        self.answers.get(want).is_none_or(|answer| answer.as_ref().is_ok_and(is_part))
    }

    /// The latest reply of this type.
    pub fn get<R: Reply>(&self) -> Option<&R> {
        self.answers.values().flatten().find_map(|reply| reply.downcast_ref())
    }

    /// Replaces a reply.
    pub fn put(&mut self, query: Query, answer: impl Reply) {
        self.answers.insert(query, Ok(Arc::new(answer)));
    }

    /// Why a query failed.
    pub fn fault(&self, query: &Query) -> Option<&str> {
        self.answers.get(query)?.as_ref().err().map(String::as_str)
    }

    /// The selected frame.
    pub fn frame(&self) -> Option<&FrameReport> {
        let stack = self.get::<Where>()?;
        stack.frames.get(stack.selected)
    }

    /// The frames from the root to the current node; empty without a search.
    pub fn frames(&self) -> &[FrameReport] {
        self.get::<Where>().map_or(&[], |stack| &stack.frames)
    }
}
