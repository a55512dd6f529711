//! Positions: setting them, playing, undoing, looking; and the engine as an opponent.

use std::{path::Path, sync::atomic::Ordering, time::Instant};

use serde::Serialize;
use serde_json::{Value, json};

use super::{
    Pair, PlayedPosition, Purpose, Session,
    reply::{LAST, PlainReply, Replied, Reply, boxed, nth_line},
    search::Run,
};

use crate::{
    engine::{
        self, files,
        game::{
            Board, Fault, Game, History, Imported, KeyScheme, LineOfPlay, Remedy, Result, Score,
            Side, Term,
        },
        progress::Unit,
        random::{fingerprint, one_of, splitmix},
        search::Stop,
        workers::interrupted,
    },
    text::{TextTable, beside, grid, layout, lines, number, or_empty, width},
};

const MOVED: &str = "the position changed";

impl<G: Game> Session<G> {
    /// Reads a position in the game's notation. For a position of another game the fault says so.
    pub(super) fn read_position(&self, text: &str) -> Result<G::Position> {
        self.game().parse_position(text).map_err(|fault| {
            engine::game_of(text).filter(|name| *name != G::NAME).map_or(fault, |name| {
                Fault::new(format!("this is a {name} position, and the game is {}", G::NAME))
                    .hint(format!("`game {name}` changes the game"))
            })
        })
    }

    fn report_position(&self, notes: impl IntoIterator<Item = String>) -> PositionReport {
        let PlayedPosition { position, history, mv } = &self.now;
        let game = self.game();
        let situation = game.situation(position, history);
        let winner = || situation.winner.map_or("draw".into(), |side| side.letter().to_string());
        let last = mv.zip(self.past.last());
        let state = game.format_position(position);
        PositionReport {
            game: G::NAME.into(),
            fen: G::STATE_IS_FEN.then(|| state.clone()),
            state,
            side: game.side(position),
            phase: situation.phase.into(),
            finished: situation.finished,
            winner: situation.finished.then(winner),
            key: game.format_key(game.key(position, KeyScheme::Colour)),
            board: game.draw(position),
            undo: self.past.len(),
            redo: self.future.len(),
            last_move: last.map(|(mv, before)| game.format_move(&before.position, mv)),
            last_san: last.and_then(|(mv, before)| game.name_move(&before.position, mv)),
            played: self.played(),
            words: situation.words,
            notes: notes.into_iter().collect(),
        }
    }

    /// The line of play since a position was last set by hand, that position first.
    fn line_of_play(&self) -> Vec<&PlayedPosition<G>> {
        let mut moments: Vec<_> = self.past.iter().chain([&self.now]).collect();
        let set = moments.iter().rposition(|moment| moment.mv.is_none());
        moments.split_off(set.unwrap_or(0))
    }

    /// The moves since a position was set.
    fn played(&self) -> Vec<String> {
        let game = self.game();
        let named = |step: &[&PlayedPosition<G>]| {
            let (before, mv) = (&step[0].position, step[1].mv?);
            Some(game.name_move(before, mv).unwrap_or_else(|| game.format_move(before, mv)))
        };
        self.line_of_play().windows(2).filter_map(named).collect()
    }

    fn report_board(
        &self,
        moment: &PlayedPosition<G>,
        before: Option<&G::Position>,
    ) -> Result<BoardReport> {
        let PlayedPosition { position, history, mv } = moment;
        let game = self.game();
        let board = game.board(position, history, *mv).ok_or_else(|| {
            Fault::new(format!("the board of {} cannot be described", G::NAME))
                .hint("`position show` draws it as text")
        })?;
        let situation = game.situation(position, history);
        Ok(BoardReport {
            game: G::NAME.into(),
            state: game.format_position(position),
            side: game.side(position),
            phase: situation.phase.into(),
            finished: situation.finished,
            words: situation.words,
            last_move: mv.zip(before).map(|(mv, before)| game.format_move(before, mv)),
            board,
        })
    }

    /// Puts a game on the board with `ply` of its moves played and the others to redo.
    pub(super) fn set_up_game(&mut self, start: G::Position, moves: &[G::Move], ply: usize) {
        self.begin_run(vec![PlayedPosition::set(start)]);
        self.begin_run(self.line_from_here(moves));
        self.retrace(true, moves.len().saturating_sub(ply));
    }

    /// The moments after each of these legal moves, played one after the other from the position at hand.
    fn line_from_here(&self, moves: &[G::Move]) -> Vec<PlayedPosition<G>> {
        let mut moments = Vec::with_capacity(moves.len());
        for &mv in moves {
            let next = moments.last().unwrap_or(&self.now).after(self.game(), mv);
            moments.push(next);
        }
        moments
    }

    /// Moves on through these moments to the last one. Says so if that drops a search.
    fn begin_run(&mut self, moments: Vec<PlayedPosition<G>>) -> Option<String> {
        if moments.is_empty() {
            return None;
        }
        let note = self.discard_search(MOVED);
        for moment in moments {
            self.past.push(std::mem::replace(&mut self.now, moment));
        }
        self.future.clear();
        note
    }

    /// Goes back by so many changes of position, or forward again.
    fn retrace(&mut self, back: bool, steps: usize) {
        let (from, to) = if back {
            (&mut self.past, &mut self.future)
        } else {
            (&mut self.future, &mut self.past)
        };
        for moment in from.drain(from.len().saturating_sub(steps)..).rev() {
            to.push(std::mem::replace(&mut self.now, moment));
        }
    }

    /// Goes as [`Self::retrace`] does, or nowhere if there are fewer changes of position.
    fn retrace_all(&mut self, back: bool, steps: usize) -> Result<PositionReport> {
        let (there, what) =
            if back { (self.past.len(), "undo") } else { (self.future.len(), "redo") };
        match there {
            0 => return Err(Fault::new(format!("nothing to {what}"))),
            _ if steps > there => {
                return Err(Fault::new(format!("there are only {there} to {what}")).about("N"));
            }
            _ => {}
        }
        let note = self.discard_search(MOVED);
        self.retrace(back, steps);
        Ok(self.report_position(note))
    }

    /// Writes games in the game's own format, but not over a file that holds more than they do.
    pub(super) fn write_game_file(&self, path: &Path, text: &str) -> Result<()> {
        if !files::is_output(path) && path.exists() {
            let lost = self.game().lost(&files::read_text(path)?, text);
            if !lost.is_empty() {
                let name = path.display();
                return Err(Fault::new(format!("`{name}` would lose {}", lost.join(", ")))
                    .about_word(name)
                    .hint("give another name"));
            }
        }
        files::write_text(path, text)
    }

    /// The moves from the game's position to the selected frame; none if no frame is selected.
    fn moves_to_selection(&self) -> Vec<G::Move> {
        let Some(running) = &self.run.running else {
            return Vec::new();
        };
        let plies = 0..running.selected.unwrap_or(0) as u32;
        plies.map_while(|ply| running.move_at(ply)).collect()
    }

    /// Reads moves that follow others and gives the moment after each of them all. A fault comes with the index of its move.
    fn moments(
        &self,
        before: &[G::Move],
        moves: &[&str],
    ) -> Result<Vec<PlayedPosition<G>>, (usize, Fault)> {
        let mut moments = self.line_from_here(before);
        for (place, text) in moves.iter().enumerate() {
            if self.run.interrupt.load(Ordering::Relaxed) {
                return Err((place, interrupted()));
            }
            let last = moments.last().unwrap_or(&self.now);
            let next = self.moment_after(last, text, place > 0);
            moments.push(next.map_err(|fault| (place, fault))?);
        }
        Ok(moments)
    }

    /// Reads a move and plays it. Within a line it may continue after a draw by repetition or by the move count, as recorded
    /// games do, but not after any other end of the game.
    fn moment_after(
        &self,
        moment: &PlayedPosition<G>,
        text: &str,
        in_line: bool,
    ) -> Result<PlayedPosition<G>> {
        let PlayedPosition { position, history, .. } = moment;
        let game = self.game();
        let passes = in_line && game.depends_on_history(position, history);
        let mv = if passes {
            game.parse_move(position, history, text)
        } else {
            game.read_move(position, history, text)
        };
        Ok(moment.after(game, mv?))
    }

    /// Counts the positions so many plies below one, and adds them to `leaves`, of which whoever watches is told.
    fn perft_below(
        &self,
        position: &G::Position,
        history: &mut G::History,
        depth: u32,
        leaves: &mut u64,
    ) -> Result<()> {
        let game = self.game();
        if depth <= LEAP {
            if self.run.interrupt.load(Ordering::Relaxed) {
                return Err(interrupted());
            }
            *leaves += game.perft(position, history, depth);
            self.progress.report(number::counted(*leaves, "node", "nodes"));
            return Ok(());
        }
        let mut moves = Vec::new();
        game.expand(position, history, &mut moves);
        history.push(position);
        for mv in moves {
            self.perft_below(&game.apply(position, mv), history, depth - 1, leaves)?;
        }
        history.pop();
        Ok(())
    }

    /// Plays one of the best moves, unless the user or a breakpoint stopped the search.
    pub(super) fn play_found(&mut self) -> Replied {
        let run = self.report_run(self.run.under_way()?);
        let stopped = matches!(run.stopped, Some(Stop::Interrupt | Stop::Breakpoint(_)));
        if stopped || run.best.is_empty() {
            return Ok(unplayed(run, stopped));
        }
        // Among equal moves the same seed and position always choose the same one.
        let state = self.game().format_position(&self.now.position);
        let number = splitmix(splitmix(self.settings().seed) ^ fingerprint(&state));
        let played = run.best[one_of(number, run.best.len())].clone();
        // That the engine's own search is dropped for its move is no news.
        self.discard_search("");
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

/// Subtrees of this depth are counted without looking for an interrupt: they are quick.
const LEAP: u32 = 4;

/// Adds to a search's report why nothing was played.
fn unplayed(mut run: Run, stopped: bool) -> Box<dyn Reply> {
    let why = if stopped {
        "nothing was played: the search was stopped; `play` the move you like, or `continue`"
    } else {
        "nothing was played: no move was looked at before the search was over"
    };
    run.notes.push(why.to_owned());
    boxed(run)
}

/// A note on what was not taken over from a file of games.
pub(super) fn left_out(lost: &[String]) -> Option<String> {
    (!lost.is_empty()).then(|| format!("left out: {}", lost.join(", ")))
}

/// Positions: setting, playing, looking.
pub trait PositionCommands {
    /// The position at hand.
    fn position(&self) -> PositionReport;
    /// Sets a position from any notation of the game.
    fn set_position(&mut self, text: &str) -> Result<PositionReport>;
    /// Sets up the start of a game.
    fn start(&mut self) -> PositionReport;
    /// Plays all of these moves, or none: a fault comes with the index of its move. They begin at the selected frame's
    /// position, or at the game's with `from_game`.
    fn play_all(
        &mut self,
        moves: &[&str],
        from_game: bool,
    ) -> Result<PositionReport, (usize, Fault)>;
    /// Takes back so many changes of position, or none if there are fewer.
    fn undo(&mut self, steps: usize) -> Result<PositionReport>;
    /// Brings back so many of those that `undo` took, or none if there are fewer.
    fn redo(&mut self, steps: usize) -> Result<PositionReport>;
    /// Searches as `run` does and plays one of the best moves; the settings' seed chooses among equals.
    fn play_best(&mut self, limits: &[Pair<'_>]) -> Replied;
    /// Writes the moves played since a position was last set, in the game's file format, and gives their number. Refuses
    /// to replace a file that holds more.
    fn save_game(&self, path: &Path) -> Result<usize>;
    /// Loads the first game of a file, stands at its first position with all its moves to redo, and gives their number.
    /// The notes say what of the file is left out.
    fn load_game(&mut self, path: &Path) -> Result<(PositionReport, usize)>;
    /// Describes the board of a position (the one at hand if none is given) for front ends that draw it themselves.
    fn board(&self, state: Option<&str>) -> Result<BoardReport>;
    /// The legal moves.
    fn moves(&self) -> Moves;
    /// The symmetric positions.
    fn symmetries(&self) -> PlainReply;
    /// Counts the lines of play of `depth` plies, by first move. An interrupt is a fault.
    fn perft(&self, depth: u32) -> Result<Perft>;
    /// Plays a legal move.
    fn play(&mut self, text: &str) -> Result<PositionReport>;
}

impl<G: Game> PositionCommands for Session<G> {
    fn position(&self) -> PositionReport {
        self.report_position(None)
    }

    fn set_position(&mut self, text: &str) -> Result<PositionReport> {
        let position = self.read_position(text)?;
        self.game().admits(&position)?;
        let remarks = self.game().remarks(text, &position);
        let note = self.begin_run(vec![PlayedPosition::set(position)]);
        Ok(self.report_position(note.into_iter().chain(remarks)))
    }

    fn start(&mut self) -> PositionReport {
        let note = self.begin_run(vec![PlayedPosition::set(self.game().start())]);
        self.report_position(note)
    }

    fn play_all(
        &mut self,
        moves: &[&str],
        from_game: bool,
    ) -> Result<PositionReport, (usize, Fault)> {
        let before = if from_game { Vec::new() } else { self.moves_to_selection() };
        let note = self.moments(&before, moves).map(|moments| self.begin_run(moments))?;
        Ok(self.report_position(note))
    }

    fn undo(&mut self, steps: usize) -> Result<PositionReport> {
        self.retrace_all(true, steps)
    }

    fn redo(&mut self, steps: usize) -> Result<PositionReport> {
        self.retrace_all(false, steps)
    }

    fn play_best(&mut self, limits: &[Pair<'_>]) -> Replied {
        if self.game().terminal(&self.now.position, &self.now.history).is_some() {
            let over = self.game().words(&self.now.position, &self.now.history);
            return Err(Fault::new(format!("the game is over: {over}")).needs(Remedy::NewGame));
        }
        self.begin(limits, Purpose::Play)?;
        match self.pump(self.slice) {
            Some(_) => self.play_found(),
            None => Ok(boxed(self.report_run(self.run.under_way()?))),
        }
    }

    fn save_game(&self, path: &Path) -> Result<usize> {
        let game = self.line_of_play();
        let moves: Vec<_> = game.iter().filter_map(|moment| moment.mv).collect();
        let record = LineOfPlay { start: &game[0].position, moves: &moves, tags: &[] };
        let text = self.game().export(&record).ok_or_else(|| {
            Fault::new(format!("{} has no file format for games", G::NAME))
                .hint("`session save` keeps the line of play, `picture board` the position")
        })?;
        self.write_game_file(path, &text)?;
        Ok(moves.len())
    }

    fn load_game(&mut self, path: &Path) -> Result<(PositionReport, usize)> {
        let text = files::read_text(path)?;
        let read = self.game().import(&text, 1);
        let games = read.map_err(|fault| files::in_file(path, &text, fault))?;
        let mut notes = Vec::new();
        let mut count = 0;
        for Imported { start, moves, .. } in games {
            let record = LineOfPlay { start: &start, moves: &moves, tags: &[] };
            let taken = self.game().export(&record).unwrap_or_default();
            notes.extend(left_out(&self.game().lost(&text, &taken)));
            notes.extend(self.discard_search(MOVED));
            self.set_up_game(start, &moves, 0);
            count = moves.len();
        }
        Ok((self.report_position(notes), count))
    }

    fn board(&self, state: Option<&str>) -> Result<BoardReport> {
        match state {
            Some(text) => self.report_board(&PlayedPosition::set(self.read_position(text)?), None),
            None => self.report_board(&self.now, self.past.last().map(|moment| &moment.position)),
        }
    }

    fn moves(&self) -> Moves {
        let PlayedPosition { position, history, .. } = &self.now;
        let game = self.game();
        let mut moves = Vec::new();
        game.list_moves(position, history, &mut moves);
        let report = |mv: &G::Move| MoveReport {
            mv: game.format_move(position, *mv),
            san: game.name_move(position, *mv),
            state: game.format_position(&game.apply(position, *mv)),
        };
        let mut moves: Vec<_> = moves.iter().map(report).collect();
        moves.sort_by(|a, b| a.state.cmp(&b.state));
        let utility = game.terminal(position, history);
        Moves { moves, finished: utility.is_some(), utility }
    }

    fn symmetries(&self) -> PlainReply {
        let twins = self.game().orbit(&self.now.position);
        let mut states: Vec<_> =
            twins.iter().map(|twin| self.game().format_position(twin)).collect();
        states.sort();
        orbit(&states)
    }

    fn perft(&self, depth: u32) -> Result<Perft> {
        let start = Instant::now();
        let PlayedPosition { position, history, .. } = &self.now;
        let game = self.game();
        let mut moves = Vec::new();
        if depth > 0 {
            game.expand(position, history, &mut moves);
        }
        let (mut history, mut leaves) = (history.clone(), 0);
        history.push(position);
        let divide = self.watching("counting", (Unit::Subtrees, 0), |watch| {
            let total = moves.len() as u64;
            let divide = moves.into_iter().zip(1..).map(|(mv, done)| {
                let before = leaves;
                let child = game.apply(position, mv);
                self.perft_below(&child, &mut history, depth - 1, &mut leaves)?;
                (watch.progress)(done, total);
                Ok(PerftMove { mv: game.format_move(position, mv), nodes: leaves - before })
            });
            divide.collect::<Result<Vec<_>>>()
        })?;
        let nodes = if depth == 0 { 1 } else { leaves };
        Ok(Perft { depth, nodes, divide, ms: Some(start.elapsed().as_secs_f64() * 1e3) })
    }

    fn play(&mut self, text: &str) -> Result<PositionReport> {
        self.play_all(&[text], false).map_err(|(_, fault)| fault)
    }
}

/// A position as a front end needs it to draw a board and to enter moves on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardReport {
    /// The game's name.
    pub game: String,
    /// The position in the game's notation.
    pub state: String,
    /// The side to move.
    pub side: Side,
    /// The stage of play.
    pub phase: String,
    /// Whether the game is over.
    pub finished: bool,
    /// One line of prose: who is to do what, or who has won and why.
    pub words: String,
    /// The move that led here, if one did.
    pub last_move: Option<String>,
    /// The board.
    #[serde(flatten)]
    pub board: Board,
}

/// A position.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReport {
    /// The game's name.
    pub game: String,
    /// The position in the game's notation.
    pub state: String,
    /// The same under the name of its notation, for games that use Forsyth-Edwards notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The side to move.
    pub side: Side,
    /// The stage of play.
    pub phase: String,
    /// Whether the game is over.
    pub finished: bool,
    /// `w`, `b`, `draw`, or nothing while the game goes on.
    pub winner: Option<String>,
    /// Its key, colours normalised, without depth.
    pub key: String,
    /// One line of prose.
    pub words: String,
    /// The board.
    #[serde(skip)]
    pub board: String,
    /// Moves that `undo` can take back.
    pub undo: usize,
    /// Moves that `redo` can bring back.
    pub redo: usize,
    /// The move that led here, if one did.
    pub last_move: Option<String>,
    /// The same in the notation of books, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_san: Option<String>,
    /// The moves since a position was set, in the notation of books where the game has one.
    #[serde(skip)]
    pub played: Vec<String>,
    /// What changed besides the position.
    pub notes: Vec<String>,
}

impl Reply for PositionReport {
    // The board with everything else at its right.
    fn text(&self) -> String {
        let ending = match self.winner.as_deref() {
            Some("w") => "White wins",
            Some("b") => "Black wins",
            _ => "a draw",
        };
        let san = or_empty(self.last_san.as_ref().map(|san| format!(", {san}")));
        let words = [
            Some(self.words.clone()),
            self.finished.then(|| format!("game over: {ending}")),
            Some(self.state.clone()),
            Some(format!("key {}", self.key)),
            self.last_move.as_ref().map(|mv| format!("last move {mv}{san}")),
            (self.undo + self.redo > 0).then(|| format!("undo {}  redo {}", self.undo, self.redo)),
        ];
        let words = words.into_iter().flatten();
        lines([beside(&self.board, words), layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        match &self.last_move {
            Some(mv) => format!("{mv}: {}", self.words),
            None => self.words.clone(),
        }
    }
}

/// The moves of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Moves {
    /// One for each successor, sorted by its notation; also where the game is over and none may be played.
    pub moves: Vec<MoveReport>,
    /// Whether the game is over.
    pub finished: bool,
    /// The value of a finished game for the side to move.
    pub utility: Option<Score>,
}

impl Reply for Moves {
    fn text(&self) -> String {
        if self.finished {
            let utility = self.utility.map(number::exact);
            let utility = utility.as_deref().unwrap_or("—");
            return format!("game over: utility {utility} for the side to move");
        }
        let mut moves: Vec<_> = self.moves.iter().map(|line| line.mv.clone()).collect();
        moves.sort();
        let title = number::counted(moves.len() as u64, "move", "moves");
        lines([title, grid(&moves)])
    }
}

/// A move and where it leads.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move in the notation of books, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// The position after it.
    pub state: String,
}

/// A game that was `saved` to a file or `loaded` from one, with so many moves, and the position at hand.
pub fn game_file(file: &str, action: &str, moves: usize, position: &PositionReport) -> PlainReply {
    let done = format!("{action} {file}: {}", number::counted(moves as u64, "move", "moves"));
    let mut fields = json!({"file": file, "action": action, "moves": moves});
    if let (Some(fields), Ok(Value::Object(more))) =
        (fields.as_object_mut(), serde_json::to_value(position))
    {
        fields.extend(more);
    }
    PlainReply::new(lines([done, position.text()]), fields)
}

/// A move the engine chose and played.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedReport {
    pub(crate) played: String,
    pub(crate) best: Vec<String>,
    /// Their value for the side that moved.
    pub(crate) value: Option<Score>,
    /// The last complete iteration: plies from the root.
    pub(crate) depth: u8,
    pub(crate) nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    #[serde(flatten)]
    pub(crate) position: PositionReport,
}

impl Reply for PlayedReport {
    fn text(&self) -> String {
        let others = match self.best.len() {
            0 | 1 => String::new(),
            equals => format!(", one of {equals} equals"),
        };
        let value = self.value.map(|value| format!("value {}", number::score(value)));
        let played = layout::headline([
            format!("played {}{others}", self.played),
            value.unwrap_or_default(),
            format!("depth {}", self.depth),
            format!("nodes {}", number::count(self.nodes)),
        ]);
        lines([played, self.position.text()])
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }
}

/// The orbit of a position: all that are equal to it by symmetry, itself included, sorted.
pub fn orbit(states: &[String]) -> PlainReply {
    let title = number::counted(states.len() as u64, "position equal", "positions equal");
    let title = format!("{title} by symmetry, this one included");
    PlainReply::new(lines([title, grid(states)]), json!({"states": states}))
}

/// Lines of play of one length.
#[derive(Clone, Debug, Serialize)]
pub struct Perft {
    /// Their length in plies.
    pub depth: u32,
    /// How many.
    pub nodes: u64,
    /// How many begin with each move.
    pub divide: Vec<PerftMove>,
    /// Wall time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl Reply for Perft {
    fn text(&self) -> String {
        let total = format!("depth {}  leaves {}", self.depth, number::count(self.nodes));
        let rate = number::rate(self.nodes, "leaves", self.ms);
        let pieces = [Some(total), self.ms.map(number::time), rate];
        lines([grid(&divide(&self.divide)), layout::flow("", pieces.into_iter().flatten())])
    }

    fn forget_times(&mut self) {
        self.ms = None;
    }

    fn has_times(&self) -> bool {
        self.ms.is_some()
    }

    // Below the table.
    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

/// Lines of play that begin with one move.
#[derive(Clone, Debug, Serialize)]
pub struct PerftMove {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) nodes: u64,
}

/// The heuristic of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Eval {
    /// For the side to move.
    pub value: Score,
    /// The terms.
    pub terms: Vec<Term>,
    /// The side to move.
    pub side: Side,
    /// The position: the selected frame's, or the game's where none is selected.
    pub state: String,
}

impl Reply for Eval {
    fn text(&self) -> String {
        let sum: f64 = self.terms.iter().map(|term| term.balance().get()).sum();
        let digits = |term: Option<&Term>, of: fn(&Term) -> f64| {
            or_empty(term.map(|term| number::digits(of(term))))
        };
        let table = TextTable::of(self.terms.iter().map(Some).chain([None]))
            .left("term", |term| term.map_or("sum", |term| &term.name))
            .point("white", |term| digits(*term, |term| term.white))
            .point("black", |term| digits(*term, |term| term.black))
            .point("weight", |term| digits(*term, |term| term.weight))
            .point("for White", |term| number::signed(term.map_or(sum, |it| it.balance().get())));
        let value = number::exact(self.value);
        let value = format!("value {value} for {}, the side to move", self.side);
        lines([table.render(), value])
    }

    // Below the table.
    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

fn divide(lines: &[PerftMove]) -> Vec<String> {
    let mut divide: Vec<_> =
        lines.iter().map(|line| (line.mv.as_str(), number::count(line.nodes))).collect();
    divide.sort();
    let names = divide.iter().map(|(mv, _)| width(mv)).max().unwrap_or(0);
    let counts = divide.iter().map(|(_, count)| width(count)).max().unwrap_or(0);
    // A wider gap than one space would read as a column of its own.
    divide.iter().map(|(mv, count)| format!("{mv:names$} {count:>counts$} ")).collect()
}
