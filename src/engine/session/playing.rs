//! The engine as a player: its moves, hints and replies to draw offers, searched with the settings for play.

use serde::Serialize;

use super::{
    Pair, PlayedPosition, Purpose, Session,
    game_head::engine_name,
    position::{PositionCommands as _, PositionReport},
    reply::{Replied, Reply, boxed},
    search::Run,
};

use crate::{
    engine::{
        game::{Game, MoveText, Result, Score},
        random::{fingerprint, index_of, splitmix},
        search::Stop,
    },
    text::{layout, lines, number, or_empty},
};

/// Commands that let the engine play or give a hint.
pub trait PlayCommands {
    /// Searches with the settings for play and plays one of the best moves, chosen by the random seed if several are equal.
    /// `limits` are settings for this search only; `level` becomes part of the player's name.
    fn play_best(&mut self, limits: &[Pair<'_>], level: Option<u8>) -> Replied;
    /// Searches every root move to its exact value with the settings for play; recorded if searches are recorded.
    fn hint(&mut self, limits: &[Pair<'_>]) -> Result<Run>;
}

impl<G: Game> PlayCommands for Session<G> {
    fn play_best(&mut self, limits: &[Pair<'_>], level: Option<u8>) -> Replied {
        self.check_going_on()?;
        self.begin(limits, Purpose::Play(level))?;
        match self.pump(self.slice) {
            Some(_) => self.play_found(level),
            None => Ok(boxed(self.report_run(self.run.under_way()?))),
        }
    }

    fn hint(&mut self, limits: &[Pair<'_>]) -> Result<Run> {
        self.check_going_on()?;
        let record = if self.usual().settings.record { "on" } else { "off" };
        let whole = [("root", "all"), ("aspiration", "off"), ("record", record)];
        let limits: Vec<_> = whole.iter().chain(limits).copied().collect();
        self.begin(&limits, Purpose::Hint)?;
        self.pump(self.slice);
        self.report_watched_run()
    }
}

impl<G: Game> Session<G> {
    /// Plays one of the best moves. If the user or a breakpoint stopped the search, no move is played and a note says so.
    pub(super) fn play_found(&mut self, level: Option<u8>) -> Replied {
        let run = self.report_run(self.run.under_way()?);
        let stopped = matches!(run.stopped, Some(Stop::Interrupt | Stop::Breakpoint(_)));
        if stopped || run.best.is_empty() {
            return Ok(report_without_move(run, stopped));
        }
        let played = run.best[index_of(self.choice(), run.best.len())].clone();
        // The search was run only to choose this move, so it is dropped without a note.
        self.discard_search("");
        let position = self.play(played.plain())?;
        self.now.by = Some(engine_name(level));
        let Run { best, value, depth, nodes, ms, .. } = run;
        Ok(boxed(PlayedReport { played, best, value, depth, nodes, ms, position }))
    }

    /// A pseudo-random number to choose among equal moves; it depends on the random seed and the position only.
    fn choice(&self) -> u64 {
        let PlayedPosition { position, .. } = &self.now;
        let state = self.game().format_position(position);
        splitmix(splitmix(self.settings().seed) ^ fingerprint(&state))
    }
}

/// The report of the search, with a note on why no move was played.
fn report_without_move(mut run: Run, stopped: bool) -> Box<dyn Reply> {
    let by = or_empty(run.breakpoint.map(|id| format!(" by breakpoint {id}")));
    run.notes.push(if stopped {
        format!("nothing was played: the search was stopped{by}; `engine play` begins again, `continue` goes on with it")
    } else {
        "nothing was played: no move was searched before the search was over".to_owned()
    });
    boxed(run)
}

/// The reply of `engine play`: the move played, and the result of its search.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedReport {
    pub(crate) played: MoveText,
    pub(crate) best: Vec<MoveText>,
    /// The value of the move, for the side that moved.
    pub(crate) value: Option<Score>,
    /// Depth of the last complete iteration in plies.
    pub(crate) depth: u8,
    pub(crate) nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    #[serde(flatten)]
    pub(crate) position: PositionReport,
}

impl PlayedReport {
    fn headline(&self) -> String {
        let others = match self.best.len() {
            0 | 1 => String::new(),
            equals => format!(", one of {equals} equals"),
        };
        let side = self.position.side.other();
        let value = self.value.map(|value| format!("value {} for {side}", number::score(value)));
        layout::headline([
            format!("played {}{others}", self.played),
            value.unwrap_or_default(),
            format!("depth {}", self.depth),
            format!("nodes {}", number::count(self.nodes)),
        ])
    }
}

impl Reply for PlayedReport {
    fn text(&self) -> String {
        lines([self.headline(), self.position.text()])
    }

    fn line(&self) -> String {
        self.headline()
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}
