//! What the screen takes note of in the replies of commands.

use crate::{
    engine::reply::{
        CacheEdit, EventReport, FrameReport, Plot, PositionReport, Quit, Reply, Run, SessionReport,
        Standings, StopReport,
    },
    text::Style,
    view,
};

/// Whose board is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoardOf {
    /// The position's.
    #[default]
    Position,
    /// The selected frame's.
    Frame,
    /// That of the cache entry with this key.
    Entry(String),
}

/// What the screen takes note of in a reply.
#[derive(Debug, Default)]
pub struct News<'a> {
    /// The event at which a search stands.
    pub event: Option<&'a EventReport>,
    /// A search has come to a stop: why, where it was a breakpoint or Ctrl-C.
    pub halted: Option<Option<String>>,
    /// Whose board is to be shown.
    pub shown: Option<BoardOf>,
    /// A cache entry that was read or changed.
    pub entry: Option<&'a CacheEdit>,
    /// How a tournament stands.
    pub tournament: Option<&'a Standings>,
    /// Charts, and the reply in words.
    pub charts: Option<(Vec<Plot>, Vec<String>)>,
    /// A session was saved or loaded.
    pub session: Option<&'a SessionReport>,
    /// The end was asked for.
    pub quit: bool,
}

impl<'a> News<'a> {
    /// What a reply has.
    pub fn of(reply: &'a dyn Reply) -> Self {
        let mut news = Self {
            entry: reply.downcast_ref(),
            tournament: reply.downcast_ref(),
            session: reply.downcast_ref(),
            quit: reply.is::<Quit>(),
            ..Self::default()
        };
        if let Some(stop) = reply.downcast_ref::<StopReport>() {
            news.event = stop.event.as_ref();
            news.halted = Some(halted(&stop.stopped, stop.breakpoint));
            news.shown = Some(BoardOf::Frame);
        } else if let Some(run) = reply.downcast_ref::<Run>() {
            let why = run.stopped.as_ref().map_or("", |stop| stop.name());
            news.halted = Some(halted(why, run.breakpoint));
        } else if let Some(edit) = news.entry {
            news.shown = Some(BoardOf::Entry(edit.key.clone()));
        } else if reply.is::<FrameReport>() {
            news.shown = Some(BoardOf::Frame);
        } else if reply.is::<PositionReport>() {
            news.shown = Some(BoardOf::Position);
        }
        let mut plots = reply.plots();
        plots.retain(|plot| !plot.is_empty());
        if !plots.is_empty() {
            // How long it took is nobody's question here.
            let text = view::text(reply, Style::default());
            let lines = text.lines().filter(|line| !line.starts_with("time "));
            news.charts = Some((plots, lines.map(str::to_owned).collect()));
        }
        news
    }
}

fn halted(why: &str, breakpoint: Option<u32>) -> Option<String> {
    match (why, breakpoint) {
        (_, Some(id)) => Some(format!("BREAKPOINT {id}")),
        ("interrupt", None) => Some("INTERRUPTED".to_owned()),
        _ => None,
    }
}
