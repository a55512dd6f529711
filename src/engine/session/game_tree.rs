//! The variations of the current game: navigation, comments and annotations.
//!
//! The line through which `undo` and `redo` go is one path of a tree. Each of its positions stores the alternatives to the move
//! that led there, and the rank of that move among them; rank 0 is the main line.

use std::collections::VecDeque;

use serde::Serialize;

use super::{
    PlayedPosition, Session,
    position::{MoveMark, PositionReport},
    reply::Reply,
};
use crate::{
    engine::game::{
        Fault, Game, GameMove, History, MoveText, Notes, Result, Rules, Score, Side, TaggedGame,
        pgn::{self, VALUE_COMMAND, nag_of, sign_of},
    },
    text::{TextTable, cut, layout, lines, number, style::Scale, wrap},
};

/// A line of moves; each move has the variations that replace it.
pub(super) type Line<G> = Vec<GameMove<<G as Rules>::Move>>;

/// The most columns of a variation's text that `variation` shows.
const SHOWN: usize = 60;

/// Commands for comments, annotations and variations of the current game.
pub trait GameTreeCommands {
    /// The comment and annotations of the last move, and the lines that continue from the current position.
    fn notes(&self) -> MoveNotes;
    /// Replaces the comment on the last move; at the first position, the comment before the first move.
    fn set_comment(&mut self, words: &str) -> Result<MoveNotes>;
    /// Replaces the annotations of the last move: signs such as `!?`, or PGN numbers such as `$14`.
    fn set_nags(&mut self, signs: &[&str]) -> Result<MoveNotes>;
    /// Plays the first move of a continuation, by its number from 1; `redo` then follows that line.
    fn enter_variation(&mut self, number: usize) -> Result<PositionReport>;
    /// Goes back to where the current variation begins. `redo` then follows the main continuation.
    fn leave_variation(&mut self) -> Result<PositionReport>;
    /// Deletes a continuation by its number from 1, or the current variation with `None`.
    fn delete_variation(&mut self, number: Option<usize>) -> Result<PositionReport>;
    /// Raises the current variation by one rank, or makes it the main line with `to_main`.
    fn promote(&mut self, to_main: bool) -> Result<PositionReport>;
    /// Plays moves from a text with comments, annotations and variations, starting at the selected frame's position, or with
    /// `from_game` at the current one. A fault has its place in the text.
    fn paste(&mut self, text: &str, from_game: bool) -> Result<PositionReport>;
}

impl<G: Game> GameTreeCommands for Session<G> {
    fn notes(&self) -> MoveNotes {
        let PlayedPosition { position, mv, notes, .. } = &self.now;
        let game = self.game();
        let last = mv.zip(self.past.last());
        let (_, number) = self.numbers();
        let chosen = self.future.last().map_or(0, |next| next.rank);
        let lines = self.continuations();
        let variation = |(place, line): (usize, &Line<G>)| VariationReport {
            number: place + 1,
            chosen: place == chosen,
            first: line
                .first()
                .map_or_else(Default::default, |first| game.move_text(position, first.mv)),
            moves: line.len(),
            text: pgn::moves_text(game, position, line, number),
        };
        MoveNotes {
            last: last.map(|(mv, before)| game.move_text(&before.position, mv)),
            comment: Some(notes.words()).filter(|words| !words.is_empty()),
            nags: notes.nags.iter().map(|nag| sign_of(*nag)).collect(),
            eval: notes.command(VALUE_COMMAND).map(str::to_owned),
            clock: notes.command("[%clk ").map(str::to_owned),
            variations: lines.iter().enumerate().map(variation).collect(),
        }
    }

    fn set_comment(&mut self, words: &str) -> Result<MoveNotes> {
        self.now.notes.set_words(words);
        Ok(self.notes())
    }

    fn set_nags(&mut self, signs: &[&str]) -> Result<MoveNotes> {
        if self.now.mv.is_none() {
            return Err(Fault::new("there is no move before this position to annotate")
                .hint("play a move, or go to one with `redo`"));
        }
        let nags = signs.iter().enumerate().map(|(nth, sign)| {
            let number = sign.strip_prefix('$').and_then(|number| number.parse().ok());
            number.or_else(|| nag_of(sign)).ok_or_else(|| {
                Fault::new(format!("`{sign}` is not an annotation"))
                    .about_nth(nth)
                    .hint("give ! ? !! ?? !? ?! or $0 to $255")
            })
        });
        self.now.notes.nags = nags.collect::<Result<_>>()?;
        Ok(self.notes())
    }

    fn enter_variation(&mut self, number: usize) -> Result<PositionReport> {
        let lines = self.continuations();
        let place = numbered_variation(&lines, number)?;
        let note = self.discard_search(super::position::MOVED);
        self.continue_with(lines, place);
        self.retrace(false, 1);
        Ok(self.report_position(note))
    }

    fn leave_variation(&mut self) -> Result<PositionReport> {
        let steps = self.steps_to_branch()?;
        let note = self.discard_search(super::position::MOVED);
        self.retrace(true, steps);
        let lines = self.continuations();
        self.continue_with(lines, 0);
        Ok(self.report_position(note))
    }

    fn delete_variation(&mut self, number: Option<usize>) -> Result<PositionReport> {
        let place = if let Some(number) = number {
            numbered_variation(&self.continuations(), number)?
        } else {
            let steps = self.steps_to_branch()?;
            self.retrace(true, steps);
            self.future.last().map_or(0, |next| next.rank)
        };
        let note = self.discard_search(super::position::MOVED);
        let (mut lines, chosen) =
            (self.continuations(), self.future.last().map_or(0, |next| next.rank));
        lines.remove(place);
        // If the line followed by `redo` is deleted, `redo` follows the main line.
        let kept = if chosen == place { 0 } else { chosen - usize::from(chosen > place) };
        self.future.clear();
        if !lines.is_empty() {
            self.continue_with(lines, kept);
        }
        Ok(self.report_position(note))
    }

    fn promote(&mut self, to_main: bool) -> Result<PositionReport> {
        self.steps_to_branch()?;
        let past = self.past.iter_mut().rev();
        let line =
            std::iter::once(&mut self.now).chain(past).take_while(|played| played.mv.is_some());
        for played in line.filter(|played| played.rank > 0) {
            if !to_main {
                played.rank -= 1;
                break;
            }
            played.rank = 0;
        }
        Ok(self.report_position(None))
    }

    fn paste(&mut self, text: &str, from_game: bool) -> Result<PositionReport> {
        let before = if from_game { Vec::new() } else { self.moves_to_selection() };
        let before = self.positions_after(&before);
        let PlayedPosition { position, history, .. } = before.last().unwrap_or(&self.now);
        let moves = pgn::read_moves(self.game(), (position, history), text)?;
        if moves.is_empty() {
            return Err(Fault::new("there is no move to play"));
        }
        if self.game().terminal(position, history).is_some() {
            let over = self.game().describe_position(position, history);
            return Err(Fault::new(format!("the game is over: {over}"))
                .needs(crate::engine::game::Remedy::NewGame));
        }
        let note = self.discard_search(super::position::MOVED);
        for next in before {
            self.advance(next);
        }
        for played in moves {
            let next = self.now.after(self.game(), played.mv);
            self.advance(PlayedPosition { by: Some(super::game_head::YOU.to_owned()), ..next });
            let notes = &mut self.now.notes;
            notes.before.extend(played.notes.before);
            notes.nags.extend(played.notes.nags);
            notes.after.extend(played.notes.after);
            let is_new = |line: &Line<G>| !self.now.others.contains(line);
            let others: Vec<_> = played.others.into_iter().filter(is_new).collect();
            self.now.others.extend(others);
        }
        Ok(self.report_position(note))
    }
}

/// Merges lines from one position into the first of them; the others become variations of its first move.
fn joined<M>(lines: Vec<Vec<GameMove<M>>>) -> Vec<GameMove<M>> {
    let mut lines = lines.into_iter();
    let mut main = lines.next().unwrap_or_default();
    if let Some(first) = main.first_mut() {
        first.others = lines.collect();
    }
    main
}

/// The index of the continuation with this number, which counts from 1.
fn numbered_variation<L>(lines: &[L], number: usize) -> Result<usize> {
    number.checked_sub(1).filter(|place| *place < lines.len()).ok_or_else(|| {
        let fault = Fault::new(format!("no variation {number} begins here")).about("N");
        match lines.len() {
            0 => fault.hint("`undo` and another move begin one"),
            count => fault.hint(format!("give a number from 1 to {count}")),
        }
    })
}

/// Splits a line into itself and the variations of its first move: the inverse of [`joined`].
fn separated<M>(mut line: Vec<GameMove<M>>) -> Vec<Vec<GameMove<M>>> {
    let others = line.first_mut().map(|first| std::mem::take(&mut first.others));
    let lines = std::iter::once(line).chain(others.unwrap_or_default());
    lines.filter(|line| !line.is_empty()).collect()
}

/// The moves along a path of positions as one line, with the variations of all moves but the first.
fn line_of<'p, G: Game>(path: impl DoubleEndedIterator<Item = &'p PlayedPosition<G>>) -> Line<G> {
    let mut line = VecDeque::new();
    let mut path = path.rev().peekable();
    while let Some(played) = path.next() {
        let Some(mv) = played.mv else { continue };
        let (by, notes) = (played.by.clone(), played.notes.clone());
        line.push_front(GameMove { by, notes, ..GameMove::new(mv) });
        if path.peek().is_some() && !played.others.is_empty() {
            line = joined(beside(played, line.into())).into();
        }
    }
    line.into()
}

/// The alternatives to the move of `played`, with `line`, which begins with that move, inserted at the rank of the move.
fn beside<G: Game>(played: &PlayedPosition<G>, line: Line<G>) -> Vec<Line<G>> {
    let mut lines = played.others.clone();
    lines.insert(played.rank.min(lines.len()), line);
    lines
}

impl<G: Game> Session<G> {
    /// The lines that continue from the current position, the main line first.
    fn continuations(&self) -> Vec<Line<G>> {
        let Some(next) = self.future.last() else { return Vec::new() };
        let ahead = self.future.iter().rev().take_while(|next| next.mv.is_some());
        let line = line_of(ahead.collect::<Vec<_>>().into_iter());
        if line.is_empty() { next.others.clone() } else { beside(next, line) }
    }

    /// Makes the line with the index `place` the one that `redo` follows; the others become its alternatives.
    pub(super) fn continue_with(&mut self, mut lines: Vec<Line<G>>, place: usize) {
        if place >= lines.len() {
            return;
        }
        let line = lines.remove(place);
        let mut path: Vec<PlayedPosition<G>> = Vec::with_capacity(line.len());
        for GameMove { mv, by, notes, others } in line {
            let next = path.last().unwrap_or(&self.now).after(self.game(), mv);
            let is_first = path.is_empty();
            let others = if is_first { std::mem::take(&mut lines) } else { others };
            let rank = if is_first { place } else { 0 };
            path.push(PlayedPosition { by, notes, others, rank, ..next });
        }
        path.reverse();
        self.future = path;
    }

    /// Makes the moves of a game, with their variations, the continuation from the current position.
    pub(super) fn continue_with_game(&mut self, moves: Line<G>) {
        self.future.clear();
        self.continue_with(separated(moves), 0);
    }

    /// Moves to a new position, reached by a move or set up by hand. The line that `redo` followed becomes a variation; if some
    /// line already begins with the same move, that line is followed instead.
    pub(super) fn advance(&mut self, next: PlayedPosition<G>) {
        let lines = self.continuations();
        let begins = |line: &Line<G>| line.first().map(|first| first.mv) == next.mv;
        let known = next.mv.and_then(|_| lines.iter().position(begins));
        if let Some(place) = known {
            self.continue_with(lines, place);
            self.retrace(false, 1);
            return;
        }
        self.future.clear();
        let next = PlayedPosition { rank: lines.len(), others: lines, ..next };
        self.past.push(std::mem::replace(&mut self.now, next));
    }

    /// How many moves to take back to leave the current variation. Fails in the main line.
    pub(super) fn steps_to_branch(&self) -> Result<usize> {
        let line = std::iter::once(&self.now).chain(self.past.iter().rev());
        let mut line = line.take_while(|played| played.mv.is_some());
        let found = line.position(|played| played.rank > 0);
        found.map(|steps| steps + 1).ok_or_else(|| {
            Fault::new("this is the main line, not a variation")
                .hint("`variation` lists those from here")
        })
    }

    /// Whether the current position belongs to a variation, not to the main line.
    pub(super) fn in_variation(&self) -> bool {
        self.steps_to_branch().is_ok()
    }

    /// The move that the current variation replaces, with its number; `None` in the main line.
    pub(super) fn replaced_move(&self) -> Option<String> {
        let line = self.line_of_play();
        let branch = line.len() - self.steps_to_branch().ok()?;
        let replaced = line[branch].others.first()?.first()?.mv;
        let (before, number) = (line[branch - 1], self.move_number_after(&line, branch - 1));
        let moves = [GameMove::new(replaced)];
        Some(pgn::moves_text(self.game(), &before.position, &moves, number))
    }

    /// The number of the last move and of the next one, as on a score sheet.
    fn numbers(&self) -> (usize, usize) {
        let next = self.move_number();
        let is_black = self.game().side(&self.now.position) == Side::Black;
        (if is_black { next } else { next.saturating_sub(1) }, next)
    }

    /// The current game from its first position, with all moves and variations but without tags.
    pub(super) fn whole_game(&self) -> TaggedGame<G> {
        let line = self.line_of_play();
        let root = line[0];
        let future = self.future.iter().rev().take_while(|next| next.mv.is_some());
        let path: Vec<_> = line[1..].iter().copied().chain(future).collect();
        let moves = path.first().map(|first| joined(beside(first, line_of(path.iter().copied()))));
        TaggedGame {
            start: root.position.clone(),
            moves: moves.unwrap_or_default(),
            tags: Vec::new(),
            comments: root.notes.after.clone(),
        }
    }

    /// Sets up a game and plays its first `ply` moves; `redo` plays the rest. Returns a note if a search is dropped.
    pub(super) fn set_up_game(&mut self, game: TaggedGame<G>, ply: usize) -> Option<String> {
        let TaggedGame { start, moves, tags, comments } = game;
        let head = super::game_head::GameHead { tags, ..Default::default() };
        let notes = Notes { after: comments, ..Notes::default() };
        let note = self.discard_search(super::position::MOVED);
        self.advance(PlayedPosition { head, notes, ..PlayedPosition::set(start) });
        self.continue_with_game(moves);
        self.retrace(false, ply);
        note
    }

    /// The last position of a game's main line, with its history.
    pub(super) fn end_of(&self, game: &TaggedGame<G>) -> (G::Position, G::History) {
        let (mut position, mut history) = (game.start.clone(), G::History::default());
        for played in &game.moves {
            history.push(&position);
            position = self.game().apply(&position, played.mv);
        }
        (position, history)
    }
}

impl<G: Game> Session<G> {
    /// The first moves of the lines that continue from the current position, the main line first.
    pub(super) fn first_moves(&self) -> Vec<MoveText> {
        let Some(next) = self.future.last() else { return Vec::new() };
        let mut moves: Vec<_> =
            next.others.iter().filter_map(|line| Some(line.first()?.mv)).collect();
        if let Some(mv) = next.mv {
            moves.insert(next.rank.min(moves.len()), mv);
        }
        moves.iter().map(|mv| self.game().move_text(&self.now.position, *mv)).collect()
    }

    /// The moves that have a value or an annotation, along the line of `undo` and `redo`.
    pub(super) fn move_marks(&self) -> Vec<MoveMark> {
        let begin = self.past.len() + 1 - self.line_of_play().len();
        let future = self.future.iter().rev().take_while(|next| next.mv.is_some());
        let line = self.past[begin..].iter().chain([&self.now]).chain(future);
        let scale = super::AnySession::scale(self);
        let mark = |(played, at): (&PlayedPosition<G>, usize)| {
            played.mv?;
            let notes = &played.notes;
            let value = notes.command(VALUE_COMMAND).and_then(|text| score_of_eval(scale, text));
            let is_mistake = notes.nags.iter().any(|nag| [2, 4, 6].contains(nag));
            let signs = notes.nags.iter().map(|nag| sign_of(*nag)).collect();
            let says = value.is_some() || !notes.nags.is_empty();
            says.then_some(MoveMark { at, value, signs, is_mistake })
        };
        line.zip(begin..).filter_map(mark).collect()
    }

    /// The mark of the move that is the `count`th to be replayed by `redo`.
    pub(super) fn mark_after(&self, count: usize) -> Option<MoveMark> {
        self.move_marks().into_iter().find(|mark| mark.at == self.past.len() + count)
    }
}

/// The value in an `[%eval …]` comment, in the game's unit and for White; `None` if it is not a number.
fn score_of_eval(scale: Scale, text: &str) -> Option<Score> {
    let text = text.split(',').next()?.trim();
    let value: f64 = match (scale, text.strip_prefix('#')) {
        (Scale::Centipawns { mate, greatest, .. }, Some(moves)) => {
            let moves: f64 = moves.parse().ok()?;
            // The mating side makes the last move, so a mate in n moves takes 2n − 1 plies.
            let plies = (2.0 * moves.abs() - f64::from(u8::from(moves > 0.0))).max(0.0);
            let value = mate.unwrap_or(greatest) - plies;
            if text.contains('-') { -value } else { value }
        }
        (Scale::Centipawns { .. }, None) => 100.0 * text.parse::<f64>().ok()?,
        _ => text.parse().ok()?,
    };
    value.is_finite().then(|| Score::from_finite(value))
}

/// A line that continues from the current position.
#[derive(Clone, Debug, Serialize)]
pub struct VariationReport {
    /// The number of the line, from 1; line 1 is the main line.
    pub number: usize,
    /// Whether `redo` follows this line.
    pub chosen: bool,
    /// The first move of the line.
    #[serde(flatten, serialize_with = "MoveText::with_san")]
    pub first: MoveText,
    /// Length of the line in plies, without its variations.
    pub moves: usize,
    /// The moves of the line with comments and variations, as in PGN.
    pub text: String,
}

/// The reply of `variation` and of the commands for comments and annotations.
#[derive(Clone, Debug, Serialize)]
pub struct MoveNotes {
    /// The move that led to the current position; `None` at the first position.
    #[serde(rename = "last_move")]
    pub last: Option<MoveText>,
    /// The comment on the last move, without commands such as `[%clk …]`; `None` if there is none.
    pub comment: Option<String>,
    /// The annotations (NAG) of the last move, as signs such as `!?`.
    pub nags: Vec<String>,
    /// The value in `[%eval …]` after the last move, for White; `None` without one.
    pub eval: Option<String>,
    /// The clock in `[%clk …]` after the last move; `None` without one.
    pub clock: Option<String>,
    /// The lines that continue from the current position, the main line first.
    pub variations: Vec<VariationReport>,
}

impl Reply for MoveNotes {
    fn text(&self) -> String {
        let name =
            self.last.as_ref().map_or_else(|| "the first position".to_owned(), ToString::to_string);
        let name = format!("{name}{}", self.nags.concat());
        let facts = [("value", &self.eval), ("clock", &self.clock)];
        let facts = facts
            .into_iter()
            .filter_map(|(what, value)| Some(format!("{what} {}", value.as_ref()?)));
        let comment = self.comment.as_ref().map(|words| wrap("", words));
        let table = TextTable::of(&self.variations)
            .left("", |line| if line.chosen { "▸" } else { "" })
            .right("", |line| line.number)
            .left("moves", |line| cut(&line.text, SHOWN));
        let lines_here = (!self.variations.is_empty()).then(|| {
            let count = number::counted(self.variations.len() as u64, "line goes", "lines go");
            lines([format!("{count} on from here"), table.render()])
        });
        let head = layout::headline(std::iter::once(name).chain(facts));
        lines([Some(head), comment, lines_here].into_iter().flatten())
    }
}
