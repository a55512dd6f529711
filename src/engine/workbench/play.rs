//! Boards to play on, and the engine as an opponent.

use super::{Answer, Desk, Moment, Pair, Positions, Purpose};
use crate::engine::{
    game::{Fault, Game},
    random::{fingerprint, one_of, splitmix},
    reply::{BoardReport, PlayedReport, Replied, Reply, Run, boxed},
    search::Stop,
};

impl<G: Game> Desk<G> {
    fn report_board(
        &self,
        moment: &Moment<G>,
        before: Option<&G::Position>,
    ) -> Answer<BoardReport> {
        let Moment { position, history, mv } = moment;
        let board = self.run.searcher.game.board(position, history, *mv).ok_or_else(|| {
            Fault::new(format!("the board of {} cannot be described", G::NAME))
                .hint("`position show` draws it as text")
        })?;
        let situation = self.run.searcher.game.situation(position, history);
        let last = mv.zip(before);
        Ok(BoardReport {
            game: G::NAME.into(),
            state: self.run.searcher.game.format_position(position),
            side: self.run.searcher.game.side(position),
            phase: situation.phase.into(),
            finished: situation.finished,
            words: situation.words,
            last_move: last.map(|(mv, before)| self.run.searcher.game.format_move(before, mv)),
            board,
        })
    }

    /// Plays one of the best moves, unless the user or a breakpoint stopped the search.
    pub(super) fn play_found(&mut self, halt: Stop) -> Replied {
        let run = self.report_run(self.run.under_way()?, Some(halt));
        let stopped = matches!(run.stopped, Some(Stop::Interrupt | Stop::Breakpoint(_)));
        if stopped || run.best.is_empty() {
            return Ok(unplayed(run, stopped));
        }
        let state = self.run.searcher.game.format_position(&self.now.position);
        let chosen = choose(self.run.searcher.settings.seed, &state, run.best.len());
        let played = run.best[chosen].clone();
        let position = self.play(&played)?;
        Ok(boxed(PlayedReport {
            played,
            best: run.best,
            value: run.value,
            depth: run.depth,
            nodes: run.nodes,
            ms: run.ms,
            position,
        }))
    }
}

/// Playing: the board to enter moves on, and the engine as an opponent.
pub trait Playing {
    /// The board of the position at hand, or of another one, for front ends that draw it themselves.
    fn board(&self, state: Option<&str>) -> Answer<BoardReport>;
    /// Searches as `run` does and plays one of the best moves; which of several, the settings' seed decides.
    fn play_best(&mut self, limits: &[Pair<'_>]) -> Replied;
}

impl<G: Game> Playing for Desk<G> {
    fn board(&self, state: Option<&str>) -> Answer<BoardReport> {
        let Some(text) = state else {
            let before = self.past.last().map(|moment| &moment.position);
            return self.report_board(&self.now, before);
        };
        let moment = Moment {
            position: self.read_position(text)?,
            history: G::History::default(),
            mv: None,
        };
        self.report_board(&moment, None)
    }

    fn play_best(&mut self, limits: &[Pair<'_>]) -> Replied {
        if self.run.searcher.game.terminal(&self.now.position, &self.now.history).is_some() {
            return Err(Fault::new("the game is over: there is no move to play")
                .hint("`undo` takes a move back, `position start` begins a new game"));
        }
        self.begin(limits, Purpose::Play)?;
        match self.run.pump(self.slice) {
            Some((halt, _)) => self.play_found(halt),
            None => Ok(boxed(self.report_run(self.run.under_way()?, None))),
        }
    }
}

/// The search as it stands, and why nothing was played.
fn unplayed(mut run: Run, stopped: bool) -> Box<dyn Reply> {
    let why = if stopped {
        "nothing was played: the search was stopped; `play` the move you like, or `continue`"
    } else {
        "nothing was played: no move was looked at before the search was over"
    };
    run.notes.push(why.to_owned());
    boxed(run)
}

/// One of so many equals: the same seed and position always choose the same.
fn choose(seed: u64, state: &str, equals: usize) -> usize {
    one_of(splitmix(splitmix(seed) ^ fingerprint(state)), equals)
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn equals_are_chosen_evenly_and_repeatably() {
        let mut counts = [0; 3];
        for seed in 0..3000 {
            let chosen = choose(seed, "......../......../........ w 9 9", 3);
            assert_eq!(chosen, choose(seed, "......../......../........ w 9 9", 3));
            counts[chosen] += 1;
        }
        assert!(counts.iter().all(|&count| count > 900), "{counts:?}");
        assert_eq!(choose(0, "", 0), 0);
    }
}
