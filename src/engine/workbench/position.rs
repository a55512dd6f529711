use std::{path::Path, sync::atomic::Ordering, time::Instant};

use super::{Answer, Desk, Moment};
use crate::engine::{
    self, files,
    game::{Fault, Game, History, Imported, KeyScheme, LineOfPlay},
    reply::{MoveReport, Moves, Perft, PerftMove, PositionReport, SymmetriesReport},
};

impl<G: Game> Desk<G> {
    /// A position in the game's notation. A position of another game is named as that, not by what is wrong with it.
    pub(super) fn read_position(&self, text: &str) -> Answer<G::Position> {
        self.run.searcher.game.parse_position(text).map_err(|fault| {
            let other = engine::game_of(text).filter(|name| *name != G::NAME);
            other.map_or(fault, |name| {
                Fault::new(format!("this is a {name} position, and the game is {}", G::NAME))
                    .hint(format!("`game {name}` changes the game"))
            })
        })
    }

    fn report_position(&self, notes: Vec<String>) -> PositionReport {
        let Moment { position, history, mv } = &self.now;
        let situation = self.run.searcher.game.situation(position, history);
        let winner = situation
            .finished
            .then(|| situation.winner.map_or("draw".into(), |side| side.letter().to_string()));
        let last_move = mv
            .zip(self.past.last())
            .map(|(mv, before)| self.run.searcher.game.format_move(&before.position, mv));
        let last_san = mv
            .zip(self.past.last())
            .and_then(|(mv, before)| self.run.searcher.game.name_move(&before.position, mv));
        let state = self.run.searcher.game.format_position(position);
        PositionReport {
            game: G::NAME.into(),
            fen: G::STATE_IS_FEN.then(|| state.clone()),
            state,
            side: self.run.searcher.game.side(position).letter().into(),
            phase: situation.phase.into(),
            finished: situation.finished,
            winner,
            key: self
                .run
                .searcher
                .game
                .format_key(self.run.searcher.game.key(position, KeyScheme::Colour)),
            words: situation.words,
            board: self.run.searcher.game.draw(position, false),
            board_ascii: self.run.searcher.game.draw(position, true),
            undo: self.past.len(),
            redo: self.future.len(),
            last_move,
            last_san,
            notes,
        }
    }

    fn move_on(&mut self, next: Moment<G>) -> PositionReport {
        let notes = self.discard_search("the position changed").into_iter().collect();
        self.past.push(std::mem::replace(&mut self.now, next));
        self.future.clear();
        self.report_position(notes)
    }

    /// Puts a game on the board: so many of its moves played, the others to redo.
    pub(super) fn set_up_game(
        &mut self,
        start: G::Position,
        moves: &[G::Move],
        ply: usize,
    ) -> Answer<()> {
        self.jump(start);
        self.play_on_board(moves);
        for _ in ply..moves.len() {
            self.step_back()?;
        }
        Ok(())
    }

    fn step_back(&mut self) -> Answer<()> {
        let before = self.past.pop().ok_or_else(|| Fault::new("nothing to undo"))?;
        self.future.push(std::mem::replace(&mut self.now, before));
        Ok(())
    }

    /// Plays legal moves on from the position at hand. Says so where that drops a search.
    pub(super) fn play_on_board(&mut self, moves: &[G::Move]) -> Option<String> {
        let mut moments: Vec<Moment<G>> = Vec::with_capacity(moves.len());
        for &mv in moves {
            moments.push(self.after(moments.last().unwrap_or(&self.now), mv));
        }
        self.go_along(moments)
    }

    /// Goes on from moment to moment; the last is then at hand. Says so where that drops a search.
    fn go_along(&mut self, moments: Vec<Moment<G>>) -> Option<String> {
        if moments.is_empty() {
            return None;
        }
        let note = self.discard_search("the position changed");
        for moment in moments {
            self.past.push(std::mem::replace(&mut self.now, moment));
        }
        self.future.clear();
        note
    }

    /// Writes games in the game's own format, unless the file holds more than they say.
    pub(super) fn write_game_file(&self, path: &Path, text: &str) -> Answer<()> {
        if !files::is_output(path) && path.exists() {
            let lost = self.run.searcher.game.lost(&files::read_text(path)?, text);
            if !lost.is_empty() {
                let name = path.display();
                return Err(Fault::new(format!("`{name}` would lose {}", lost.join(", ")))
                    .hint("give another name"));
            }
        }
        files::write_text(path, text)
    }

    fn after(&self, moment: &Moment<G>, mv: G::Move) -> Moment<G> {
        let mut history = moment.history.clone();
        history.push(&moment.position);
        Moment {
            position: self.run.searcher.game.apply(&moment.position, mv),
            history,
            mv: Some(mv),
        }
    }

    /// The moves that lead from the game's position to the selected frame; none where no frame is selected.
    fn moves_to_selection(&self) -> Vec<G::Move> {
        let Some(running) = &self.run.running else {
            return Vec::new();
        };
        let plies = 0..running.selected.unwrap_or(0) as u32;
        plies.map_while(|ply| running.move_at(ply)).collect()
    }

    /// The position after these moves in words, with those on the way. Says which of them cannot be played.
    fn moments(&self, moves: &[&str]) -> Result<Vec<Moment<G>>, (usize, Fault)> {
        let mut moments: Vec<Moment<G>> = Vec::with_capacity(moves.len());
        for mv in self.moves_to_selection() {
            moments.push(self.after(moments.last().unwrap_or(&self.now), mv));
        }
        for (place, text) in moves.iter().enumerate() {
            if self.run.interrupt.load(Ordering::Relaxed) {
                return Err((place, Fault::new("interrupted: nothing was played")));
            }
            let last = moments.last().unwrap_or(&self.now);
            let next = self.moment_after(last, text, place > 0);
            moments.push(next.map_err(|fault| (place, fault))?);
        }
        Ok(moments)
    }

    /// A line played at once may pass through draws that rest on the past, as recorded games do; nothing is played after any
    /// other end of the game.
    fn moment_after(&self, moment: &Moment<G>, text: &str, in_line: bool) -> Answer<Moment<G>> {
        let Moment { position, history, .. } = moment;
        let mv = self.run.searcher.game.parse_move(position, history, text)?;
        let passes = in_line && self.run.searcher.game.rests_on_past(position, history);
        if !passes && self.run.searcher.game.terminal(position, history).is_some() {
            let over = self.run.searcher.game.situation(position, history).words;
            return Err(Fault::new(format!("the game is over: {over}"))
                .hint("`undo` takes a move back, `position start` begins a new game"));
        }
        Ok(self.after(moment, mv))
    }

    fn jump(&mut self, position: G::Position) -> PositionReport {
        self.move_on(Moment { position, history: G::History::default(), mv: None })
    }
}

/// Positions: setting, playing, looking.
pub trait Positions {
    /// The position at hand.
    fn position(&self) -> PositionReport;
    /// Sets a position from any notation of the game.
    fn set_position(&mut self, text: &str) -> Answer<PositionReport>;
    /// Back to the start of a game.
    fn start(&mut self) -> PositionReport;
    /// Plays legal moves one after the other, from the selected frame's position where a frame is selected. All are played
    /// or none: an error comes with the place of the move that cannot be.
    fn play_all(&mut self, moves: &[&str]) -> Result<PositionReport, (usize, Fault)>;
    /// Plays a legal move.
    fn play(&mut self, text: &str) -> Answer<PositionReport> {
        self.play_all(&[text]).map_err(|(_, fault)| fault)
    }
    /// Takes back the last change of position.
    fn undo(&mut self) -> Answer<PositionReport>;
    /// Brings back what `undo` took.
    fn redo(&mut self) -> Answer<PositionReport>;
    /// Writes what was played since a position was set, in the game's file format; how many moves that are. Refuses to
    /// replace a file that holds more.
    fn save_game(&self, path: &Path) -> Answer<usize>;
    /// Takes over a file's first game, at its first position with all its moves to redo, and how many those are. The notes
    /// say what of the file is left out.
    fn load_game(&mut self, path: &Path) -> Answer<(PositionReport, usize)>;
    /// The legal moves.
    fn moves(&self) -> Moves;
    /// The symmetric positions.
    fn symmetries(&self) -> SymmetriesReport;
    /// Lines of play of `depth` plies. Stops with a fault when interrupted.
    fn perft(&self, depth: u32) -> Answer<Perft>;
}

impl<G: Game> Positions for Desk<G> {
    fn position(&self) -> PositionReport {
        self.report_position(Vec::new())
    }

    fn set_position(&mut self, text: &str) -> Answer<PositionReport> {
        let position = self.read_position(text)?;
        self.run.searcher.game.admits(&position)?;
        let remarks = self.run.searcher.game.remarks(text, &position);
        let mut report = self.jump(position);
        report.notes.extend(remarks);
        Ok(report)
    }

    fn start(&mut self) -> PositionReport {
        self.jump(self.run.searcher.game.start())
    }

    fn play_all(&mut self, moves: &[&str]) -> Result<PositionReport, (usize, Fault)> {
        let note = self.moments(moves).map(|moments| self.go_along(moments))?;
        Ok(self.report_position(note.into_iter().collect()))
    }

    fn undo(&mut self) -> Answer<PositionReport> {
        self.step_back()?;
        let note = self.discard_search("the position changed");
        Ok(self.report_position(note.into_iter().collect()))
    }

    fn redo(&mut self) -> Answer<PositionReport> {
        let after = self.future.pop().ok_or_else(|| Fault::new("nothing to redo"))?;
        let notes = self.discard_search("the position changed").into_iter().collect();
        self.past.push(std::mem::replace(&mut self.now, after));
        Ok(self.report_position(notes))
    }

    fn moves(&self) -> Moves {
        let Moment { position, history, .. } = &self.now;
        let utility = self.run.searcher.game.terminal(position, history);
        let mut moves = Vec::new();
        self.run.searcher.game.list_moves(position, history, &mut moves);
        let report = |mv: &G::Move| MoveReport {
            mv: self.run.searcher.game.format_move(position, *mv),
            san: self.run.searcher.game.name_move(position, *mv),
            state: self
                .run
                .searcher
                .game
                .format_position(&self.run.searcher.game.apply(position, *mv)),
        };
        let mut moves: Vec<_> = moves.iter().map(report).collect();
        moves.sort_by(|a, b| a.state.cmp(&b.state));
        Moves { moves, finished: utility.is_some(), utility }
    }

    fn save_game(&self, path: &Path) -> Answer<usize> {
        // Moves since a position was last set by hand.
        let moments: Vec<_> = self.past.iter().chain([&self.now]).collect();
        let set = moments.iter().rposition(|moment| moment.mv.is_none());
        let game = &moments[set.unwrap_or(0)..];
        let moves: Vec<_> = game.iter().filter_map(|moment| moment.mv).collect();
        let record = LineOfPlay { start: &game[0].position, moves: &moves, tags: &[] };
        let text = self.run.searcher.game.export(&record).ok_or_else(|| {
            Fault::new(format!("{} has no file format for games", G::NAME))
                .hint("`session save` keeps the line of play, `picture board` the position")
        })?;
        self.write_game_file(path, &text)?;
        Ok(moves.len())
    }

    fn load_game(&mut self, path: &Path) -> Answer<(PositionReport, usize)> {
        let text = files::read_text(path)?;
        let read = self.run.searcher.game.import(&text, 1);
        let games = read.map_err(|fault| files::in_file(path, &text, fault))?;
        let mut notes = Vec::new();
        let mut count = 0;
        for Imported { start, moves, .. } in games {
            let record = LineOfPlay { start: &start, moves: &moves, tags: &[] };
            let taken = self.run.searcher.game.export(&record).unwrap_or_default();
            notes.extend(left_out(&self.run.searcher.game.lost(&text, &taken)));
            notes.extend(self.discard_search("the position changed"));
            // The game stands at its beginning, and `redo` walks through it.
            self.set_up_game(start, &moves, 0)?;
            count = moves.len();
        }
        Ok((self.report_position(notes), count))
    }

    fn symmetries(&self) -> SymmetriesReport {
        let orbit = self.run.searcher.game.orbit(&self.now.position);
        let mut states: Vec<_> =
            orbit.iter().map(|twin| self.run.searcher.game.format_position(twin)).collect();
        states.sort();
        SymmetriesReport { states }
    }

    fn perft(&self, depth: u32) -> Answer<Perft> {
        let start = Instant::now();
        let Moment { position, history, .. } = &self.now;
        let mut moves = Vec::new();
        if depth > 0 {
            self.run.searcher.game.expand(position, history, &mut moves);
        }
        let mut history = history.clone();
        history.push(position);
        let mut divide = Vec::new();
        for mv in moves {
            let nodes = self.perft_below(
                &self.run.searcher.game.apply(position, mv),
                &mut history,
                depth - 1,
            )?;
            divide.push(PerftMove { mv: self.run.searcher.game.format_move(position, mv), nodes });
        }
        let nodes = if depth == 0 { 1 } else { divide.iter().map(|line| line.nodes).sum() };
        Ok(Perft { depth, nodes, divide, ms: Some(start.elapsed().as_secs_f64() * 1e3) })
    }
}

/// What was not taken over from a file of games, for its reader.
pub(super) fn left_out(lost: &[String]) -> Option<String> {
    (!lost.is_empty()).then(|| format!("left out: {}", lost.join(", ")))
}

/// Below this many plies perft is quick enough not to look whether the user wants it to stop.
const PERFT_LEAP: u32 = 4;

impl<G: Game> Desk<G> {
    fn perft_below(
        &self,
        position: &G::Position,
        history: &mut G::History,
        depth: u32,
    ) -> Answer<u64> {
        if depth <= PERFT_LEAP {
            if self.run.interrupt.load(Ordering::Relaxed) {
                return Err(Fault::new("perft was interrupted"));
            }
            return Ok(self.run.searcher.game.perft(position, history, depth));
        }
        let mut moves = Vec::new();
        self.run.searcher.game.expand(position, history, &mut moves);
        history.push(position);
        let mut nodes = 0;
        for mv in moves {
            nodes +=
                self.perft_below(&self.run.searcher.game.apply(position, mv), history, depth - 1)?;
        }
        history.pop();
        Ok(nodes)
    }
}
