//! The current position: setting up, playing moves, undo and redo, perft.

use std::{cmp::Reverse, collections::BTreeMap, sync::atomic::Ordering, time::Instant};

use serde::{Serialize, Serializer};
use serde_json::json;

use super::{
    PlayedPosition, Session,
    game_head::YOU,
    game_tags::players_and_result,
    reply::{LAST, PlainReply, Reply, nth_line},
};

use crate::{
    engine::{
        self,
        core::game::is_default,
        game::{
            Board, Fault, Game, History, KeyScheme, MoveText, Remedy, Result, Score, Side, Term,
            TrueValue, pgn::sign_of, quotient, review::for_white,
        },
        progress::Unit,
        workers::interrupted,
    },
    text::{TextTable, beside, grid, layout, lines, number, or_empty, width},
};

pub(super) const MOVED: &str = "the position changed";

impl<G: Game> Session<G> {
    /// Reads a position in the game's notation. The fault for a position of another game names that game.
    pub(super) fn read_position(&self, text: &str) -> Result<G::Position> {
        self.game().parse_position(text).map_err(|fault| {
            engine::game_of(text).filter(|name| *name != G::NAME).map_or(fault, |name| {
                Fault::new(format!("this is a {name} position, and the game is {}", G::NAME))
                    .hint(format!("`game {name}` changes the game"))
            })
        })
    }

    pub(super) fn report_position(
        &self,
        notes: impl IntoIterator<Item = String>,
    ) -> PositionReport {
        let PlayedPosition { position, mv, end, .. } = &self.now;
        let game = self.game();
        let status = self.status_of(&self.now);
        let claim = self.claim().filter(|_| !status.finished);
        let winner = || status.winner.map_or("draw".into(), |side| side.letter().to_string());
        let last = mv.zip(self.past.last());
        let state = game.format_position(position);
        PositionReport {
            game: G::NAME.into(),
            fen: G::STATE_IS_FEN.then(|| state.clone()),
            state,
            side: game.side(position),
            phase: status.phase.into(),
            finished: status.finished,
            winner: status.finished.then(winner),
            result: status.result(),
            key: game.format_key(game.key(position, KeyScheme::Colour)),
            board: game.draw(position),
            move_number: self.move_number(),
            undo: self.past.len() + usize::from(end.is_some()),
            redo: self.future.len(),
            truth: game.truth(position),
            last_move: last.map(|(mv, before)| game.move_text(&before.position, mv)),
            last_san: last.and_then(|(mv, before)| game.san(&before.position, mv)),
            played: self.played(),
            ahead: self.moves_to_redo(),
            ended: end.is_some(),
            later_end: self.future.first().map(|last| self.status_of(last)).and_then(|status| {
                status.finished.then(|| format!("{}  {}", status.result(), status.description))
            }),
            claim: claim.map(|reason| reason.to_string()),
            words: status.description,
            comment: Some(self.now.notes.words()).filter(|words| !words.is_empty()),
            nags: self.now.notes.nags.iter().map(|nag| sign_of(*nag)).collect(),
            variations: self.future.last().map_or(0, |next| next.others.len()),
            since_branch: self.steps_to_branch().unwrap_or(0),
            replaced_move: self.replaced_move(),
            lines: self.first_moves(),
            marks: self.move_marks(),
            static_values: self.static_values(),
            players: players_and_result(&self.line_of_play()[0].head.tags),
            game_in_file: self.line_of_play()[0]
                .head
                .file
                .as_ref()
                .map(|(file, at)| [at + 1, file.spans.len()]),
            notes: notes.into_iter().collect(),
        }
    }

    /// The positions of the current game, beginning with the position that was set up last.
    pub(super) fn line_of_play(&self) -> Vec<&PlayedPosition<G>> {
        let mut line: Vec<_> = self.past.iter().chain([&self.now]).collect();
        let set = line.iter().rposition(|played| played.mv.is_none());
        line.split_off(set.unwrap_or(0))
    }

    /// The number of the next move.
    pub(super) fn move_number(&self) -> usize {
        let line = self.line_of_play();
        self.move_number_after(&line, line.len() - 1)
    }

    /// The number of the move after the first `plies` moves of a line. In games whose positions have no move number, moves are
    /// counted from the position set up.
    pub(super) fn move_number_after(&self, line: &[&PlayedPosition<G>], plies: usize) -> usize {
        let begins_black = usize::from(self.game().side(&line[0].position) == Side::Black);
        let counted = usize::midpoint(plies, begins_black) + 1;
        self.game().move_number(&line[plies].position).unwrap_or(counted)
    }

    /// The moves of the current game, in SAN or the game's notation.
    fn played(&self) -> Vec<MoveText> {
        let game = self.game();
        let named = |pair: &[&PlayedPosition<G>]| {
            let (before, mv) = (&pair[0].position, pair[1].mv?);
            Some(game.move_text(before, mv))
        };
        self.line_of_play().windows(2).filter_map(named).collect()
    }

    /// The moves that `redo` would play, up to the next position that was set up.
    fn moves_to_redo(&self) -> Vec<MoveText> {
        let mut before = &self.now.position;
        let ahead = self.future.iter().rev().map_while(|next| {
            let text = self.game().move_text(before, next.mv?);
            before = &next.position;
            Some(text)
        });
        ahead.collect()
    }

    /// The static values for White of the positions of the game, by the weights for play; its result at the end of the game.
    fn static_values(&self) -> Vec<Score> {
        let (game, line) = (self.game(), self.line_of_play());
        let Ok(evaluator) = game.evaluator(&self.play_weights(), &line[0].position) else {
            return Vec::new();
        };
        let ahead = self.future.iter().rev().take_while(|next| next.mv.is_some());
        let value = |PlayedPosition { position, history, .. }: &PlayedPosition<G>| {
            let result = game.terminal(position, history);
            let value = result.unwrap_or_else(|| game.evaluate(&evaluator, position));
            for_white(game.side(position), value)
        };
        line.into_iter().chain(ahead).map(value).collect()
    }

    fn report_board(
        &self,
        played: &PlayedPosition<G>,
        before: Option<&G::Position>,
    ) -> Result<BoardReport> {
        let PlayedPosition { position, history, mv, .. } = played;
        let game = self.game();
        let mut board = game.board(position, history, *mv).ok_or_else(|| {
            Fault::new(format!("the board of {} cannot be described", G::NAME))
                .hint("`position show` draws it as text")
        })?;
        if game.tables_digest().is_some() {
            for mv in game.legal_moves(position, history) {
                let name = game.format_move(position, mv);
                if let Some(listed) = board.moves.iter_mut().find(|listed| listed.mv == name) {
                    listed.truth = game.truth(&game.apply(position, mv)).map(TrueValue::parent);
                }
            }
        }
        let status = self.status_of(played);
        Ok(BoardReport {
            game: G::NAME.into(),
            state: game.format_position(position),
            side: game.side(position),
            phase: status.phase.into(),
            finished: status.finished,
            words: status.description,
            lost: status.winner.map(Side::other),
            from_start: self.line_of_play()[0].position == game.start(),
            last_move: mv.zip(before).map(|(mv, before)| game.move_text(before, mv)),
            board,
        })
    }

    /// The positions after each of `moves`, played in turn from the current position.
    pub(super) fn positions_after(&self, moves: &[G::Move]) -> Vec<PlayedPosition<G>> {
        let mut line = Vec::with_capacity(moves.len());
        for &mv in moves {
            let next = line.last().unwrap_or(&self.now).after(self.game(), mv);
            line.push(next);
        }
        line
    }

    /// Plays through the positions of `line`, so that the last one is current. Returns a note if a search is dropped.
    fn advance_through(&mut self, line: Vec<PlayedPosition<G>>) -> Option<String> {
        if line.is_empty() {
            return None;
        }
        let note = self.discard_search(MOVED);
        for next in line {
            self.advance(next);
        }
        note
    }

    /// Goes back (`back`) or forward by up to `steps` positions in the history of `undo`.
    pub(super) fn retrace(&mut self, back: bool, steps: usize) {
        let (from, to) = if back {
            (&mut self.past, &mut self.future)
        } else {
            (&mut self.future, &mut self.past)
        };
        for next in from.drain(from.len().saturating_sub(steps)..).rev() {
            to.push(std::mem::replace(&mut self.now, next));
        }
    }

    /// Like [`Self::retrace`], but fails if there are fewer than `steps` positions.
    fn retrace_all(&mut self, back: bool, steps: usize, keeps_end: bool) -> Result<PositionReport> {
        // A resignation or draw by the players is taken back first, and counts as a step, unless it is kept.
        let ends = usize::from(back && self.now.end.is_some() && !keeps_end);
        let (available, what) =
            if back { (self.past.len() + ends, "undo") } else { (self.future.len(), "redo") };
        if available == 0 {
            return Err(Fault::new(format!("nothing to {what}")).needs(Remedy::Moves));
        }
        if steps > available {
            return Err(Fault::new(format!("there are only {available} to {what}")).about("N"));
        }
        if ends > 0 {
            self.now.end = None;
        }
        let moves = steps - ends.min(steps);
        let note = if moves > 0 { self.discard_search(MOVED) } else { None };
        self.retrace(back, moves);
        Ok(self.report_position(note))
    }

    /// The moves from the current position to the selected frame; empty if no frame is selected.
    pub(super) fn moves_to_selection(&self) -> Vec<G::Move> {
        let Some(running) = &self.run.running else { return Vec::new() };
        let plies = 0..running.selected.unwrap_or(0) as u32;
        plies.map_while(|ply| running.move_at(ply)).collect()
    }

    /// The positions after the moves `before`, then `moves`. A fault comes with the index of its move in `moves`.
    fn read_line_of_play(
        &self,
        before: &[G::Move],
        moves: &[&str],
    ) -> Result<Vec<PlayedPosition<G>>, (usize, Fault)> {
        let mut line = self.positions_after(before);
        for (index, text) in moves.iter().enumerate() {
            if self.run.interrupt.load(Ordering::Relaxed) {
                return Err((index, interrupted()));
            }
            let next = self.read_next(line.last().unwrap_or(&self.now), text, index > 0);
            line.push(next.map_err(|fault| (index, fault))?);
        }
        Ok(line)
    }

    /// Plays a move given as text. Within a line, play continues after a draw by repetition or move count, as in recorded
    /// games, but not after any other end of the game.
    fn read_next(
        &self,
        played: &PlayedPosition<G>,
        text: &str,
        in_line: bool,
    ) -> Result<PlayedPosition<G>> {
        let PlayedPosition { position, history, .. } = played;
        let game = self.game();
        let may_go_on = in_line && game.depends_on_history(position, history);
        let mv = if may_go_on {
            game.parse_move(position, history, text)
        } else {
            game.read_move(position, history, text)
        };
        Ok(played.after(game, mv?))
    }

    /// Adds the number of leaves `depth` plies below a position to `leaves`, which is shown as progress.
    fn perft_below(
        &self,
        position: &G::Position,
        history: &mut G::History,
        depth: u32,
        leaves: &mut u64,
    ) -> Result<()> {
        let game = self.game();
        if depth <= UNINTERRUPTED {
            if self.run.interrupt.load(Ordering::Relaxed) {
                return Err(interrupted());
            }
            *leaves += game.perft(position, history, depth);
            self.progress.set_note(number::counted(*leaves, "node", "nodes"));
            return Ok(());
        }
        let moves = game.legal_moves(position, history);
        history.push(position);
        for mv in moves {
            self.perft_below(&game.apply(position, mv), history, depth - 1, leaves)?;
        }
        history.pop();
        Ok(())
    }

    /// Perft: counts the lines of play of `depth` plies from a position, by first move.
    pub(super) fn divide(&self, from: &PlayedPosition<G>, depth: u32) -> Result<Perft> {
        let start = Instant::now();
        let PlayedPosition { position, history, .. } = from;
        let game = self.game();
        let mut moves = Vec::new();
        if depth > 0 {
            game.expand(position, history, &mut moves);
        }
        let (mut history, mut leaves) = (history.clone(), 0);
        history.push(position);
        let divide = self.watching("counting", Unit::Subtrees, 0, |watch| {
            let total = moves.len() as u64;
            let divide = moves.into_iter().zip(1..).map(|(mv, done)| {
                let before = leaves;
                let child = game.apply(position, mv);
                self.perft_below(&child, &mut history, depth - 1, &mut leaves)?;
                (watch.progress)(done, total);
                Ok(PerftMove { mv: game.move_text(position, mv), nodes: leaves - before })
            });
            divide.collect::<Result<Vec<_>>>()
        })?;
        let nodes = if depth == 0 { 1 } else { leaves };
        Ok(Perft { depth, nodes, divide, ms: Some(start.elapsed().as_secs_f64() * 1e3) })
    }
}

// Counting a subtree of this depth takes a fraction of a second, so it is not interrupted.
const UNINTERRUPTED: u32 = 4;

/// Commands for the current position: setting up, playing moves, undo and redo, perft.
pub trait PositionCommands {
    /// Describes the current position.
    fn position(&self) -> PositionReport;
    /// Sets up a position, given in any notation of the game. `undo` returns to the previous position.
    fn set_position(&mut self, text: &str) -> Result<PositionReport>;
    /// Sets up the start position of a game.
    fn start(&mut self) -> PositionReport;
    /// Plays a line of moves, or none if one is illegal; the fault comes with its index. The line starts at the selected
    /// frame's position, or with `from_game` at the current one.
    fn play_all(
        &mut self,
        moves: &[&str],
        from_game: bool,
    ) -> Result<PositionReport, (usize, Fault)>;
    /// Takes back `steps` moves or other changes of position. Fails without any change if there are fewer.
    fn undo(&mut self, steps: usize) -> Result<PositionReport>;
    /// Goes back by this number of moves. Unlike [`PositionCommands::undo`], it does not take back a resignation or draw.
    fn browse_back(&mut self, steps: usize) -> Result<PositionReport>;
    /// Replays `steps` changes that `undo` took back. Fails without any change if there are fewer.
    fn redo(&mut self, steps: usize) -> Result<PositionReport>;
    /// Describes the board of a position (default: the current one), for front ends that draw it.
    fn board(&self, state: Option<&str>) -> Result<BoardReport>;
    /// Lists the legal moves of the current position, with the position after each.
    fn moves(&self) -> Moves;
    /// Lists the positions that are symmetric to the current one.
    fn symmetries(&self) -> PlainReply;
    /// Perft: counts the lines of play of `depth` plies, by first move. Fails on an interrupt.
    fn perft(&self, depth: u32) -> Result<Perft>;
    /// Plays a legal move, in any notation of the game.
    fn play(&mut self, text: &str) -> Result<PositionReport>;
}

impl<G: Game> PositionCommands for Session<G> {
    fn position(&self) -> PositionReport {
        self.report_position(None)
    }

    fn set_position(&mut self, text: &str) -> Result<PositionReport> {
        let position = self.read_position(text)?;
        let remarks = self.game().remarks(text, &position);
        let note = self.advance_through(vec![PlayedPosition::begin(position)]);
        Ok(self.report_position(note.into_iter().chain(remarks)))
    }

    fn start(&mut self) -> PositionReport {
        let note = self.advance_through(vec![PlayedPosition::begin(self.game().start())]);
        self.report_position(note)
    }

    fn play_all(
        &mut self,
        moves: &[&str],
        from_game: bool,
    ) -> Result<PositionReport, (usize, Fault)> {
        let before = if from_game { Vec::new() } else { self.moves_to_selection() };
        if before.is_empty() && self.now.end.is_some() {
            self.check_going_on().map_err(|fault| (0, fault))?;
        }
        let mut line = self.read_line_of_play(&before, moves)?;
        for played in &mut line {
            played.by = Some(YOU.to_owned());
        }
        let note = self.advance_through(line);
        Ok(self.report_position(note))
    }

    fn undo(&mut self, steps: usize) -> Result<PositionReport> {
        self.retrace_all(true, steps, false)
    }

    fn browse_back(&mut self, steps: usize) -> Result<PositionReport> {
        self.retrace_all(true, steps, true)
    }

    fn redo(&mut self, steps: usize) -> Result<PositionReport> {
        self.retrace_all(false, steps, false)
    }

    fn board(&self, state: Option<&str>) -> Result<BoardReport> {
        match state {
            Some(text) => self.report_board(&PlayedPosition::set(self.read_position(text)?), None),
            None => self.report_board(&self.now, self.past.last().map(|before| &before.position)),
        }
    }

    fn moves(&self) -> Moves {
        let PlayedPosition { position, history, .. } = &self.now;
        let game = self.game();
        let mut moves = Vec::new();
        game.list_moves(position, history, &mut moves);
        let report = |mv: &G::Move| {
            let after = game.apply(position, *mv);
            MoveReport {
                mv: game.move_text(position, *mv),
                state: game.format_position(&after),
                truth: game.truth(&after).map(TrueValue::parent),
            }
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
        let title = number::counted(states.len() as u64, "position equal", "positions equal");
        let title = format!("{title} by symmetry, this one included");
        PlainReply::new(lines([title, grid(&states)]), json!({"states": states}))
    }

    fn perft(&self, depth: u32) -> Result<Perft> {
        self.divide(&self.now, depth)
    }

    fn play(&mut self, text: &str) -> Result<PositionReport> {
        self.play_all(&[text], false).map_err(|(_, fault)| fault)
    }
}

/// The reply of `position board`: the board as data, for front ends that draw it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardReport {
    pub(crate) game: String,
    /// The position in the game's notation (FEN in chess).
    pub state: String,
    pub(crate) side: Side,
    pub(crate) phase: String,
    pub(crate) finished: bool,
    /// The state of the game as a sentence: who is to move, or who has won and why.
    pub(crate) words: String,
    /// The side that has lost the game; `None` in a draw or while the game goes on.
    #[serde(skip)]
    pub lost: Option<Side>,
    /// Whether the game began at the start position, so that the missing pieces were captured.
    #[serde(skip)]
    pub from_start: bool,
    pub(crate) last_move: Option<MoveText>,
    /// Points, pieces and moves of the board.
    #[serde(flatten)]
    pub board: Board,
}

impl BoardReport {
    /// The beginning of a sentence that says why a move is illegal: that the side to move is in check; else empty.
    pub fn in_check(&self) -> String {
        or_empty(self.board.check.map(|_| format!("{} is in check: ", self.side)))
    }
}

/// The reply of commands that show or change the position.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReport {
    pub(crate) game: String,
    /// The position in the game's notation (FEN in chess).
    pub state: String,
    /// The position as FEN; `None` unless that is the game's notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fen: Option<String>,
    /// The side to move in the position.
    pub side: Side,
    pub(crate) phase: String,
    /// Whether the game is over, by the rules or by the players.
    pub finished: bool,
    /// `w`, `b` or `draw`; `None` while the game is not over.
    pub winner: Option<String>,
    /// The result as in PGN: `1-0`, `0-1`, `1/2-1/2`, or `*` while the game is not over.
    #[serde(skip)]
    pub result: &'static str,
    /// The position's key with colours normalised, so that colour-swapped positions share it.
    pub key: String,
    /// The state of the game as a sentence: who is to move, or who has won and why.
    pub words: String,
    #[serde(skip)]
    pub(crate) board: String,
    /// The number of the next move; as on a score sheet, White and Black share a number.
    pub move_number: usize,
    /// How many steps `undo` can go back.
    pub undo: usize,
    /// How many steps `redo` can go forward.
    pub redo: usize,
    /// The true value for the side to move; `None` unless an endgame table in use has it.
    #[serde(flatten)]
    pub truth: Option<TrueValue>,
    /// The move that led to the position; `None` if the position was set up.
    pub last_move: Option<MoveText>,
    /// `last_move` in SAN; `None` if the game has no other notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_san: Option<String>,
    /// The moves since a position was last set up, in SAN or the game's notation.
    #[serde(skip)]
    pub played: Vec<MoveText>,
    /// The comment on the last move; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The annotations (NAG) of the last move, as signs such as `!?`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<String>,
    /// The number of lines from this position besides the one that `redo` follows.
    #[serde(skip_serializing_if = "is_default")]
    pub variations: usize,
    /// The number of moves since the variation began; 0 in the main line. JSON has only whether the position is in a variation.
    #[serde(
        rename = "in_variation",
        skip_serializing_if = "is_default",
        serialize_with = "as_true"
    )]
    pub since_branch: usize,
    /// The move that the variation replaces, with its number, such as `7. Bxd5+`; `None` in the main line.
    #[serde(skip)]
    pub replaced_move: Option<String>,
    /// The first moves of the lines from this position, the main line first.
    #[serde(skip)]
    pub lines: Vec<MoveText>,
    /// The moves of the current line that have a value or an annotation.
    #[serde(skip)]
    pub marks: Vec<MoveMark>,
    /// The static values for White, by the weights for play, before the first move and after each of `played` and `ahead`.
    #[serde(skip)]
    pub static_values: Vec<Score>,
    /// The moves that `redo` would play, up to the next position that was set up.
    #[serde(skip)]
    pub ahead: Vec<MoveText>,
    /// The players of a game from a file as `White - Black`, and the result or an empty text; `None` if no player is known.
    #[serde(skip)]
    pub players: Option<[String; 2]>,
    /// The number of the game in its PGN file, from 1, and the number of games there; `None` if it is not from a file.
    #[serde(skip)]
    pub game_in_file: Option<[usize; 2]>,
    /// Whether the game ended by resignation or by a draw, which `undo` takes back first.
    #[serde(skip)]
    pub ended: bool,
    /// The result and reason of the end to which `redo` leads; `None` if the game does not end there.
    #[serde(skip)]
    pub later_end: Option<String>,
    /// Why a draw can be claimed in this position; `None` if it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// Notes on side effects, for example that a search was dropped.
    pub notes: Vec<String>,
}

/// A value or annotation of a move, for charts of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveMark {
    /// How many steps of `undo` lead from the position after the move to the first one.
    pub at: usize,
    /// The value after the move, for White; `None` if the move has none.
    pub value: Option<Score>,
    /// The annotations of the move, such as `?!`; empty if the move has none.
    pub signs: String,
    /// Whether the move is annotated `?`, `??` or `?!`.
    pub is_mistake: bool,
}

/// Writes a number that is not left out as the flag that there is one.
fn as_true<N, S: Serializer>(_: &N, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_bool(true)
}

impl PositionReport {
    /// Whether the game is one to go through: it has been reviewed or annotated, or comes from a file.
    pub fn is_studied(&self) -> bool {
        !self.marks.is_empty() || self.players.is_some() || self.game_in_file.is_some()
    }

    /// The number of moves and other changes of position before this one; a resignation or draw does not count.
    pub fn place(&self) -> usize {
        self.undo - usize::from(self.ended)
    }

    /// The number of changes of position before the first position of the game.
    pub fn first_place(&self) -> usize {
        self.place().saturating_sub(self.played.len())
    }

    /// The number of the game in its file, from 1, and the number of games there, if there are others.
    pub fn among_games(&self) -> Option<[usize; 2]> {
        self.game_in_file.filter(|[_, games]| *games > 1)
    }

    /// The next move of the game with its mark, if the annotations call it a mistake.
    pub fn mistake(&self) -> Option<(&MoveText, &MoveMark)> {
        let mark = self.marks.iter().find(|mark| mark.at == self.undo + 1 && mark.is_mistake)?;
        Some((self.ahead.first()?, mark))
    }

    /// The value for White that a review has found for the position.
    pub fn reviewed_value(&self) -> Option<Score> {
        self.marks.iter().find(|mark| mark.at == self.undo)?.value
    }

    /// The first moves of the variations in place of the next move of the game, if the annotations call that a mistake.
    pub fn better(&self) -> &[MoveText] {
        self.mistake().and_then(|_| self.lines.get(1..)).unwrap_or_default()
    }
}

impl Reply for PositionReport {
    fn text(&self) -> String {
        let ending = match self.winner.as_deref() {
            Some("w") => "White wins",
            Some("b") => "Black wins",
            _ => "a draw",
        };
        let words = [
            Some(self.words.clone()),
            self.finished.then(|| format!("game over: {ending}")),
            Some(self.state.clone()),
            Some(format!("key {}", self.key)),
            self.truth.map(|truth| format!("truth {truth}")),
            self.last_move.as_ref().map(|mv| format!("last move {mv}{}", self.nags.concat())),
            self.claim.as_ref().map(|why| format!("a draw can be claimed: {why}")),
            (self.since_branch > 0).then(|| "in a variation".to_owned()),
            (self.variations > 0).then(|| {
                number::counted(self.variations as u64, "other line", "other lines") + " from here"
            }),
            (self.undo + self.redo > 0).then(|| format!("undo {}  redo {}", self.undo, self.redo)),
        ];
        let comment = self.comment.as_ref().map(|words| layout::wrap("", words));
        let board = beside(&self.board, words.into_iter().flatten());
        lines([board, or_empty(comment), layout::notes(&self.notes)])
    }

    fn line(&self) -> String {
        or_empty(self.last_move.as_ref().map(|mv| format!("{mv}: "))) + &self.words
    }
}

/// The reply of `moves`: the legal moves of the current position.
#[derive(Clone, Debug, Serialize)]
pub struct Moves {
    /// One move for each successor, sorted by notation; listed even if the game is over.
    pub moves: Vec<MoveReport>,
    pub(crate) finished: bool,
    /// The value of a finished game, for the side to move; `None` while it is not over.
    pub(crate) utility: Option<Score>,
}

impl Reply for Moves {
    fn text(&self) -> String {
        if self.finished {
            let utility = number::score_or_none(self.utility);
            return format!("game over: utility {utility} for the side to move");
        }
        let mut moves: Vec<_> = self.moves.iter().map(|line| line.mv.to_string()).collect();
        moves.sort();
        let title = number::counted(moves.len() as u64, "move", "moves");
        if self.moves.iter().any(|line| line.truth.is_some()) {
            let known = self.moves.iter().map(|line| (line.mv.clone(), line.truth));
            return lines([title, moves_by_truth(known)]);
        }
        lines([title, grid(&moves)])
    }
}

/// Moves grouped by true value as text, the best first.
pub(super) fn moves_by_truth(
    moves: impl IntoIterator<Item = (MoveText, Option<TrueValue>)>,
) -> String {
    /// The most moves of equal value to list in the text; JSON has all.
    const SHOWN: usize = 12;
    let mut groups: BTreeMap<_, (String, Vec<String>)> = BTreeMap::new();
    for (mv, truth) in moves {
        let rank = Reverse(truth.map_or(i64::MIN, TrueValue::rank));
        let value = truth.map_or_else(|| "unknown".to_owned(), |truth| truth.to_string());
        groups.entry(rank).or_insert((value, Vec::new())).1.push(mv.to_string());
    }
    let groups = groups.into_values().map(|(value, moves)| (value, layout::some(&moves, SHOWN)));
    layout::named("", groups)
}

/// A legal move, the position after it, and its true value.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move in the game's notation (coordinates in chess) and in SAN.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub mv: MoveText,
    /// The position after the move, in the game's notation.
    pub state: String,
    /// The true value of the move, for the side that moves; `None` if unknown.
    #[serde(flatten)]
    pub truth: Option<TrueValue>,
}

/// The reply of `perft`: the number of lines of play of a given length.
#[derive(Clone, Debug, Serialize)]
pub struct Perft {
    pub(crate) depth: u32,
    /// The number of lines of play of `depth` plies: the leaves of the tree.
    pub(crate) nodes: u64,
    /// The count for each first move, as `divide` in other programs.
    pub(crate) divide: Vec<PerftMove>,
    /// Wall-clock time in milliseconds; `None` if times are hidden.
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

    fn times_mut(&mut self) -> Vec<&mut Option<f64>> {
        vec![&mut self.ms]
    }

    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

/// The perft count below one first move.
#[derive(Clone, Debug, Serialize)]
pub struct PerftMove {
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub(crate) mv: MoveText,
    pub(crate) nodes: u64,
}

/// The reply of `eval`: the static evaluation of a position by terms.
#[derive(Clone, Debug, Serialize)]
pub struct Eval {
    /// The static evaluation, for the side to move.
    pub value: Score,
    pub(crate) terms: Vec<Term>,
    /// The number by which the game divides the sum of the terms.
    #[serde(skip)]
    pub(crate) divisor: f64,
    /// Whether the weights are those of a search for play, such as a hint.
    #[serde(skip)]
    pub(crate) for_play: bool,
    pub(crate) side: Side,
    /// The position evaluated, in the game's notation.
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
            .point("for White", |term| {
                number::difference(term.map_or(sum, |it| it.balance().get()))
            });
        let by = if self.for_play { ", by the weights of the engine's search" } else { "" };
        let value = quotient(&self.terms, self.divisor, self.value);
        let value = format!("value {value} for {}, the side to move{by}", self.side);
        lines([table.render(), value])
    }

    fn line(&self) -> String {
        nth_line(&self.text(), LAST)
    }
}

fn divide(lines: &[PerftMove]) -> Vec<String> {
    let mut divide: Vec<_> =
        lines.iter().map(|line| (line.mv.to_string(), number::count(line.nodes))).collect();
    divide.sort();
    let names = divide.iter().map(|(mv, _)| width(mv)).max().unwrap_or(0);
    let counts = divide.iter().map(|(_, count)| width(count)).max().unwrap_or(0);
    // One space between move and count, and a wider gap after the pair, so that a pair reads as one column.
    divide.iter().map(|(mv, count)| format!("{mv:names$} {count:>counts$} ")).collect()
}
