//! Ends of a game by the players: resignation, a draw by agreement, or a claimed draw.

use serde::Serialize;

use super::{
    Pair, PlayedPosition, Purpose, Session,
    game_head::GameEnd,
    position::PositionReport,
    reply::{Replied, Reply, boxed},
};
use crate::{
    engine::{
        arena::{DrawRules, Ending, Referee},
        game::{Fault, Game, GameStatus, Remedy, Result, Score, Side},
        search::Stop,
    },
    text::{counted, layout, lines, number},
};

/// Commands that end the game by resignation or draw. All fail if the game is over or moves follow the current position.
pub trait EndingCommands {
    /// Resigns for a side (default: the side to move).
    fn resign(&mut self, side: Option<Side>) -> Result<PositionReport>;
    /// Claims a draw. Fails if the draw rules do not allow a claim in the current position.
    fn claim_draw(&mut self) -> Result<PositionReport>;
    /// Draws the game, because both sides agree.
    fn agree_draw(&mut self) -> Result<PositionReport>;
    /// Offers a draw on behalf of a side (default: the side to move). The engine searches with the settings for play, and
    /// accepts if the value is 0 or less for the other side.
    fn offer_draw(&mut self, side: Option<Side>, limits: &[Pair<'_>]) -> Replied;
}

impl<G: Game> EndingCommands for Session<G> {
    fn resign(&mut self, side: Option<Side>) -> Result<PositionReport> {
        let side = side.unwrap_or_else(|| self.game().side(&self.now.position));
        self.end_game(GameEnd::Resigned(side))
    }

    fn claim_draw(&mut self) -> Result<PositionReport> {
        self.check_going_on()?;
        let reason = self.claim().ok_or_else(|| {
            let rules = DrawRules::usual::<G>();
            let limits = rules.list::<G>().into_iter().filter(|(name, _)| name != "counting");
            let limits = limits.map(|(name, value)| format!("{name}={value}"));
            let hint = if rules == DrawRules::NONE {
                "the rules of the game end drawn games by themselves; `game draw` offers a draw"
                    .to_owned()
            } else {
                let limits = limits.collect::<Vec<_>>().join(", ");
                format!("a draw can be claimed as in matches: {limits}")
            };
            Fault::new("no draw can be claimed in this position").hint(hint)
        })?;
        self.end_game(GameEnd::Claimed(reason))
    }

    fn agree_draw(&mut self) -> Result<PositionReport> {
        self.end_game(GameEnd::Agreed)
    }

    fn offer_draw(&mut self, side: Option<Side>, limits: &[Pair<'_>]) -> Replied {
        self.check_going_on()?;
        self.check_nothing_follows()?;
        let by = side.unwrap_or_else(|| self.game().side(&self.now.position));
        self.begin(limits, Purpose::Offer(by))?;
        match self.pump(self.slice) {
            Some(_) => self.reply_to_offer(by),
            None => Ok(boxed(self.report_run(self.run.under_way()?))),
        }
    }
}

impl<G: Game> Session<G> {
    /// Phase, winner and description of a position; a resignation or draw by the players counts as the end of the game.
    pub(super) fn status_of(&self, played: &PlayedPosition<G>) -> GameStatus {
        let status = self.game().status(&played.position, &played.history);
        match &played.end {
            Some(end) if !status.finished => GameStatus {
                finished: true,
                winner: end.winner(),
                description: end.words(),
                ..status
            },
            _ => status,
        }
    }

    /// Fails if the game is over, by the rules or by the players.
    pub(super) fn check_going_on(&self) -> Result<()> {
        let status = self.status_of(&self.now);
        if !status.finished {
            return Ok(());
        }
        let fault = Fault::new(format!("the game is over: {}", status.description));
        let hint =
            self.now.end.as_ref().map(|_| "`undo` takes back the resignation or draw".into());
        Err(Fault { hint, ..fault.needs(Remedy::NewGame) })
    }

    /// Why a draw can be claimed in the current position; `None` if it cannot.
    pub(super) fn claim(&self) -> Option<Ending> {
        let (game, line, rules) = (self.game(), self.line_of_play(), DrawRules::usual::<G>());
        if G::IS_TRACE || rules == DrawRules::NONE {
            return None;
        }
        let mut referee = Referee::new(game, rules, &line[0].position);
        for pair in line.windows(2) {
            referee.count_move(game, &pair[0].position, &pair[1].position);
        }
        let PlayedPosition { position, history, .. } = &self.now;
        let ending = referee.verdict(game, position, history)?.ending;
        (!matches!(ending, Ending::Rules(_))).then_some(ending)
    }

    /// Fails if moves follow the current position: the end of the game here would drop them.
    fn check_nothing_follows(&self) -> Result<()> {
        let ahead = self.future.len();
        if ahead == 0 {
            return Ok(());
        }
        let moves = counted(ahead as u64, "move", "moves");
        Err(Fault::new(format!("the game goes on: {moves} after this position"))
            .hint(format!("`redo {ahead}` goes to its end, `variation delete 1` drops the moves")))
    }

    fn end_game(&mut self, end: GameEnd) -> Result<PositionReport> {
        self.check_going_on()?;
        self.check_nothing_follows()?;
        self.now.end = Some(end);
        Ok(self.report_position(None))
    }

    /// Accepts `by`'s draw offer if the other side's value is at most 0. Fails if an interrupt or breakpoint ended the search.
    pub(super) fn reply_to_offer(&mut self, by: Side) -> Replied {
        let run = self.report_run(self.run.under_way()?);
        let was_stopped = matches!(run.stopped, Some(Stop::Interrupt | Stop::Breakpoint(_)));
        let Some(value) = run.value.filter(|_| !was_stopped) else {
            return Err(Fault::new("the draw offer has no reply: the search was stopped"));
        };
        let side = by.other();
        let is_to_move = self.game().side(&self.now.position) == side;
        let value = if is_to_move { value } else { -value };
        let accepted = value <= Score::ZERO;
        // The search was run only to decide on the draw, so it is dropped without a note.
        self.discard_search("");
        let position = if accepted { self.agree_draw()? } else { self.report_position(None) };
        let (depth, nodes, ms) = (run.depth, run.nodes, run.ms);
        Ok(boxed(OfferReport { accepted, by: side, value, depth, nodes, ms, position }))
    }
}

/// The reply of `game draw`: whether the engine accepts the draw.
#[derive(Clone, Debug, Serialize)]
pub struct OfferReport {
    /// Whether the engine accepted, so that the game is drawn.
    pub accepted: bool,
    /// The side to which the draw was offered, and for which the engine accepts or declines.
    by: Side,
    /// The root's value for the side to which the draw was offered.
    value: Score,
    depth: u8,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
    #[serde(flatten)]
    position: PositionReport,
}

impl Reply for OfferReport {
    fn text(&self) -> String {
        let replied = layout::headline([
            self.line(),
            format!("depth {}", self.depth),
            format!("nodes {}", number::count(self.nodes)),
        ]);
        if self.accepted { lines([replied, self.position.text()]) } else { replied }
    }

    fn line(&self) -> String {
        let does = if self.accepted { "accepts" } else { "declines" };
        let Self { by, value, .. } = self;
        let value = number::worth(*value);
        format!("{by} {does} the draw: its search of {} plies finds {value} for {by}", self.depth)
    }

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }
}
