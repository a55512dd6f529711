//! The game pane: moves, value by move, the best moves known now, and the engine.

use std::{cmp::Ordering, collections::BTreeMap, ops::Range};

use ratatui::prelude::*;

use crate::{
    engine::session::{
        guests::Followed,
        playing::PlayedReport,
        position::{MoveMark, PositionReport},
        reply::{MoveText, Reply, Score, Side},
        search::Run,
    },
    text::{cut, number::score_or_none, packed},
    tui::{
        board::{material, share_of_white},
        data::BoardOf,
        keymap::GamePaneAction,
        opponent,
        pane::{
            Areas, Binding, ListCursor, Pane, PaneAction, Places, Query, ScreenState, line, own,
            shown, wrapped,
        },
    },
};

/// Columns of a pair of moves with its number, of the number, and of a move.
const PAIR: usize = NUMBER + 2 * MOVE;
const NUMBER: usize = 4;
const MOVE: usize = 9;
/// Rows of the graph above and below its axis, and the number of values below which each has a column of its own.
const HALF: isize = 2;
const MANY: usize = 6;
const BEST: usize = 3;
/// Actions that are named below the engine's side, because the key bar of a narrow screen has no room for them.
const KEYS: &str =
    "engine-side:side engine-level:level engine:move hint:hint undo:undo draw:draw resign:resign";

#[derive(Debug, Default)]
pub struct GamePane {
    /// The move chosen in the list, counted from 1; 0: the first position.
    cursor: ListCursor,
    /// Values for White by the number of moves played.
    values: BTreeMap<usize, Score>,
    /// The numbers of moves played and of all moves, to detect a change.
    seen: (usize, usize),
}

impl Pane for GamePane {
    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        [Query::Analyst, Query::Position, Query::SearchResult, Query::Stack].into()
    }

    fn title(&self, state: &ScreenState) -> String {
        let Some(position) = state.data.get::<PositionReport>() else {
            return String::new();
        };
        match (position.played.len(), position.ahead.len()) {
            (0, 0) => "no move yet".to_owned(),
            (played, 0) => format!("{played} moves"),
            (played, ahead) => format!("after {played} of {} moves", played + ahead),
        }
    }

    fn need(&self, state: &ScreenState, width: u16) -> usize {
        let moves = MoveList::of(state).map_or(0, |list| list.rows());
        moves.div_ceil(columns(width)) + self.below(state, width, usize::MAX).len()
    }

    fn cursor(&self) -> Option<&ListCursor> {
        Some(&self.cursor)
    }

    fn places(&self, state: &ScreenState) -> Places {
        Places::All(MoveList::of(state).map_or(0, |list| list.moves.len() + 1))
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let Some(list) = MoveList::of(state) else {
            return;
        };
        let (rows, columns) = (list.rows(), columns(room.width));
        let lines = rows.div_ceil(columns);
        let least = lines.min(usize::from(room.height / 2));
        let below = self.below(state, room.width, usize::from(room.height) - least);
        let height = Constraint::Length(below.len() as u16);
        let [above, rest] = Layout::vertical([Constraint::Fill(1), height]).areas(room);
        let at = self.at(state);
        let line = list.row(at) / columns;
        let chosen = (state.focus == "game").then_some(at);
        self.cursor.draw_parts(frame, above, lines, line..line + 1, |line| {
            let pairs = (0..columns).map(|column| (column * PAIR, line * columns + column));
            let pairs: Vec<_> = pairs.filter(|(_, row)| *row < rows).collect();
            let spans = pairs.iter().flat_map(|(_, row)| list.pair(*row, chosen, state));
            let moves = pairs.iter().flat_map(|(from, row)| list.places(*row, *from));
            (spans.collect(), moves.collect())
        });
        frame.render_widget(shown(below), rest);
    }

    fn bindings(&self) -> Vec<Binding> {
        let go = "goes to the position after the selected move; later moves are kept";
        [own(GamePaneAction::GameGo, "enter space", go)].into()
    }

    fn act(&mut self, state: &mut ScreenState, action: PaneAction) {
        let PaneAction::Game(GamePaneAction::GameGo) = action else {
            return;
        };
        let Some(position) = state.data.get::<PositionReport>() else {
            return;
        };
        let now = position.played.len();
        let to = self.at(state);
        match to.cmp(&now) {
            Ordering::Less => {
                state.run(format!("undo {}", now - to + usize::from(position.ended)));
            }
            Ordering::Equal => {
                state.say("this position is on the board: up and down choose another move");
            }
            Ordering::Greater => state.run(format!("redo {}", to - now)),
        }
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "game-go:go undo+redo:undo,redo hint engine engine-side:side engine-level:level draw resign new"
    }

    fn on_reply(&mut self, reply: Option<&dyn Reply>) -> bool {
        if let Some(played) = reply.and_then(|reply| reply.downcast_ref::<PlayedReport>())
            && let Some(value) = played.value
        {
            // The value is for the side that moved.
            let is_white = played.position.side == Side::Black;
            let value = if is_white { value } else { -value };
            self.values.insert(played.position.undo, value);
        }
        false
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        let Some(position) = state.data.get::<PositionReport>() else {
            return;
        };
        let at = position.undo - usize::from(position.ended);
        let last = at + position.redo;
        self.values.retain(|moves, _| *moves <= last && last > 0);
        let reviewed = position.marks.iter().filter_map(|mark| Some((mark.at, mark.value?)));
        self.values.extend(reviewed);
        if let Some(value) = searched(state).and_then(|run| run.value) {
            let value = if position.side == Side::White { value } else { -value };
            self.values.insert(at, value);
        }
        let played = position.played.len();
        let now = (played, played + position.ahead.len());
        if now != std::mem::replace(&mut self.seen, now) {
            self.cursor.select(played);
        }
    }
}

/// The result of the search of the game's position.
fn searched(state: &ScreenState) -> Option<&Run> {
    let position = state.data.get::<PositionReport>()?;
    let root = state.data.frames().first()?;
    state.data.get::<Run>().filter(|_| root.state == position.state)
}

/// The number of columns of move pairs in a pane of this width.
fn columns(width: u16) -> usize {
    (usize::from(width) / PAIR).max(1)
}

/// The moves of the whole game, those to redo included.
struct MoveList<'a> {
    moves: Vec<&'a MoveText>,
    played: usize,
    /// 1 if Black has made the first move of the list, else 0.
    begins_black: usize,
    /// The number of the first pair.
    first: usize,
    marks: &'a [MoveMark],
    /// The number of positions before the first move of the list.
    before: usize,
}

impl<'a> MoveList<'a> {
    fn of(state: &'a ScreenState) -> Option<Self> {
        let position = state.data.get::<PositionReport>()?;
        let played = position.played.len();
        let mover = if played.is_multiple_of(2) { position.side } else { position.side.other() };
        let begins_black = usize::from(mover == Side::Black);
        Some(Self {
            moves: position.played.iter().chain(&position.ahead).collect(),
            played,
            begins_black,
            first: position.move_number.saturating_sub(usize::midpoint(played, begins_black)),
            marks: &position.marks,
            before: (position.undo - usize::from(position.ended)).saturating_sub(played),
        })
    }

    /// The pair of a move counted from 1.
    const fn row(&self, chosen: usize) -> usize {
        (chosen + self.begins_black).saturating_sub(1) / 2
    }

    /// The moves of a pair, each with its columns, where the pair begins in column `from`.
    fn places(&self, row: usize, from: usize) -> impl Iterator<Item = (Range<usize>, usize)> {
        let half = move |half: usize| {
            let at = (2 * row + half + 1).checked_sub(self.begins_black)?;
            let begin = from + NUMBER + half * MOVE;
            (1..=self.moves.len()).contains(&at).then_some((begin..begin + MOVE, at))
        };
        [0, 1].into_iter().filter_map(half)
    }

    fn rows(&self) -> usize {
        if self.moves.is_empty() { 0 } else { self.row(self.moves.len()) + 1 }
    }

    /// A pair with its number. The last move played is marked; those to redo are quiet.
    fn pair(&self, row: usize, chosen: Option<usize>, state: &ScreenState) -> Vec<Span<'static>> {
        let look = &state.look;
        let is_first = chosen == Some(0) && row == 0;
        let number = format!("{:>3} ", self.first + row);
        let number = Span::styled(number, if is_first { look.selected } else { look.quiet });
        let halves = [2 * row + 1, 2 * row + 2].map(|half| half.checked_sub(self.begins_black));
        let moves = halves.into_iter().map(|at| {
            let at = at.unwrap_or(0);
            let mark = self.marks.iter().find(|mark| at > 0 && mark.at == self.before + at);
            let name = match at.checked_sub(1).map(|at| self.moves.get(at)) {
                Some(mv) => {
                    let signs = mark.map_or("", |mark| &mark.signs);
                    mv.map(|mv| format!("{mv}{signs}")).unwrap_or_default()
                }
                None => "…".to_owned(),
            };
            let name = cut(&name, MOVE - 1);
            let style = match at {
                0 => look.quiet,
                _ if chosen == Some(at) => look.selected,
                _ if at == self.played => look.accent,
                _ if mark.is_some_and(|mark| mark.is_mistake) => look.warning,
                _ if at > self.played => look.quiet,
                _ => look.text,
            };
            let blanks = " ".repeat(MOVE - name.chars().count());
            [Span::styled(name, style), Span::raw(blanks)]
        });
        std::iter::once(number).chain(moves.flatten()).collect()
    }
}

impl GamePane {
    fn at(&self, state: &ScreenState) -> usize {
        self.cursor.at(&self.places(state)).unwrap_or(0)
    }

    /// The sections below the moves in `rows` rows, the most important first. No section is reduced to its heading, and the
    /// graph is shown whole or not at all.
    fn below(&self, state: &ScreenState, width: u16, rows: usize) -> Vec<Line<'static>> {
        let columns = usize::from(width);
        let board = state.data.board.as_ref().filter(|_| state.shown == BoardOf::Position);
        let material = board.and_then(|report| material(report, &state.look, columns));
        let graph = self.graph(state, columns);
        let (few, whole) = (2, graph.len());
        let sections = [
            (material.into_iter().collect(), 1),
            (continuations(state, columns), 1),
            (engine(state, width), few),
            (best(state, width), few),
            (analyst(state, width), few),
            (graph, whole),
        ];
        let mut lines = Vec::new();
        for (section, least) in sections {
            let room = rows - lines.len();
            lines.extend(section.into_iter().take(if room >= least { room } else { 0 }));
        }
        lines
    }

    /// The graph of values, a column per move: White's lead above the axis, Black's below.
    fn graph(&self, state: &ScreenState, width: usize) -> Vec<Line<'static>> {
        let Some(report) = state.data.board.as_ref().filter(|_| self.values.len() > 1) else {
            return Vec::new();
        };
        let last = self.values.keys().next_back().copied().unwrap_or(0);
        let columns = (last + 1).min(width.saturating_sub(2));
        let half = if self.values.len() < MANY { 1 } else { HALF };
        let height = |column: usize| {
            let value = self.values.get(&(last + 1 - columns + column))?;
            let lead = 2.0 * share_of_white(report, *value) - 1.0;
            // The height is in half rows; an equal position is drawn as a line.
            Some((lead * (2 * half) as f64).round() as isize)
        };
        let row = |from: isize, up: bool| {
            let cells = (0..columns).map(|column| {
                let lead = height(column).unwrap_or(0) * if up { 1 } else { -1 };
                match lead - from {
                    ..=0 => ' ',
                    1 if up => '▄',
                    1 => '▀',
                    _ => '█',
                }
            });
            let style = if up { state.look.white } else { state.look.black };
            Line::styled(format!(" {}", cells.collect::<String>()), style)
        };
        let marks = state.data.get::<PositionReport>().map_or(&[][..], |position| &position.marks);
        let is_mistake = |at: usize| {
            marks.iter().any(|mark| mark.is_mistake && mark.at == last + 1 - columns + at)
        };
        let axis = |at: usize| match height(at) {
            _ if is_mistake(at) => '?',
            Some(_) => '─',
            None => '·',
        };
        let axis: String = (0..columns).map(axis).collect();
        let mut lines = vec![rule("value by move, White above", width, state)];
        lines.extend((0..half).rev().map(|step| row(2 * step, true)));
        lines.push(Line::styled(format!(" {axis}"), state.look.quiet));
        lines.extend((0..half).map(|step| row(2 * step, false)));
        lines
    }
}

/// The continuations from the current position, if there are several, and the next mistake.
fn continuations(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    let Some(position) = state.data.get::<PositionReport>() else {
        return Vec::new();
    };
    let comment = position.comment.iter().flat_map(|words| wrapped(words, width)).map(Line::raw);
    let next = position.marks.iter().find(|mark| mark.at == position.undo + 1 && mark.is_mistake);
    let numbered = position.lines.iter().zip(1..).map(|(mv, number)| format!("{number} {mv}"));
    let several = (position.lines.len() > 1 || position.in_variation).then(|| {
        let lines: Vec<_> = numbered.collect();
        let what = if position.in_variation { "in a variation" } else { "lines from here" };
        [rule(what, width, state), Line::raw(cut(&lines.join("  "), width))]
    });
    let mistake = next.map(|mark| {
        let value = score_or_none(mark.value);
        Line::styled(
            cut(&format!("the move played is {}  {value}", mark.signs), width),
            state.look.warning,
        )
    });
    comment.chain(several.into_iter().flatten()).chain(mistake).collect()
}

/// A line across the pane with a heading.
fn rule(text: &str, width: usize, state: &ScreenState) -> Line<'static> {
    let text = format!("─ {} ", cut(text, width.saturating_sub(4)));
    let rest = "─".repeat(width.saturating_sub(text.chars().count()));
    Line::styled(format!("{text}{rest}"), state.look.quiet)
}

fn best(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let Some(run) = searched(state).filter(|run| run.value.is_some()) else {
        return Vec::new();
    };
    let known = run.moves.iter().filter(|mv| mv.value.is_some() && mv.bound.is_none());
    let moves = (1..).zip(known.take(BEST)).map(|(place, mv)| {
        let replies: Vec<_> = mv.pv.iter().skip(1).map(ToString::to_string).collect();
        let (name, value) = (mv.mv.to_string(), score_or_none(mv.value));
        line(format!("{place} {name:<8} {value:>8}  {}", replies.join(" ")), width)
    });
    headed(&format!("best now, depth {}", run.depth), moves.collect(), width, state)
}

/// Lines below a heading; nothing if there are none.
fn headed(
    heading: &str,
    lines: Vec<Line<'static>>,
    width: u16,
    state: &ScreenState,
) -> Vec<Line<'static>> {
    let rule = (!lines.is_empty()).then(|| rule(heading, width.into(), state));
    rule.into_iter().chain(lines).collect()
}

/// The lines found by the engine that follows the game.
fn analyst(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let followed = state.data.get::<Followed>().filter(|followed| followed.engine.is_some());
    let Some(followed) = followed else {
        return Vec::new();
    };
    let lines = followed.lines.iter().take(BEST).map(|found| {
        let moves: Vec<_> = found.pv.iter().map(ToString::to_string).collect();
        line(format!("{:>8}  {}", score_or_none(found.value), moves.join(" ")), width)
    });
    let fault = followed.fault.iter().flat_map(|fault| wrapped(fault, width.into()));
    headed(&followed.title(), lines.chain(fault.map(Line::raw)).collect(), width, state)
}

/// The side that the engine plays, and the user's possible actions; after a game, the result and the possible next steps.
fn engine(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let position = state.data.get::<PositionReport>();
    let lines = |heading: &str, words: &[String]| {
        let words = words.iter().flat_map(|text| wrapped(text, width.into())).map(Line::raw);
        std::iter::once(rule(heading, width.into(), state)).chain(words).collect()
    };
    if let Some(over) = position.filter(|position| position.finished) {
        let result = format!("{}  {}", over.result, over.words);
        let [after, now] = opponent::what_next(state);
        return lines("the game is over", &[result, after, now]);
    }
    let level = state.level.map_or_else(String::new, |level| format!(", level {level}"));
    let name = state.opponent.as_deref().unwrap_or("The engine");
    let text = format!("{name} plays {}{level}.", state.engine.name());
    let is_empty = position.is_some_and(|it| it.played.is_empty());
    let start = is_empty.then(|| "Type a move, or use the arrows and Enter, or drag.".to_owned());
    let claim = position.and_then(|position| position.claim.as_ref());
    let claim = claim.map(|why| format!("A draw can be claimed ({why}): {}.", state.key("draw")));
    let keys = KEYS.split(' ').filter_map(|key| key.split_once(':'));
    let keys = keys.map(|(action, text)| format!("{} {text}", state.key(action)));
    let keys = packed(keys, width.into());
    let words: Vec<_> = [Some(text), start, claim].into_iter().flatten().chain(keys).collect();
    lines("engine", &words)
}
