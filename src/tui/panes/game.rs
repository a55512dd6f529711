//! The game pane: moves, value by move, the best moves known now, and the engine.

use std::{cmp::Ordering, collections::BTreeMap};

use ratatui::prelude::*;

use crate::{
    engine::session::{
        guests::Followed,
        position::{MoveMark, PlayedReport, PositionReport},
        reply::{MoveText, Reply, Score, Side},
        search::Run,
    },
    text::{cut, number::score_or_none},
    tui::{
        board::{missing, share_of_white},
        data::BoardOf,
        keymap::GamePaneAction,
        pane::{
            Areas, Binding, Pane, PaneAction, Query, ScreenState, Scroll, line, own, shown, wrapped,
        },
    },
};

/// Columns of a pair of moves with its number, of the number, and of a move.
const PAIR: usize = NUMBER + 2 * MOVE;
const NUMBER: usize = 4;
const MOVE: usize = 9;
/// Rows of the graph above and below its axis.
const HALF: isize = 2;
const BEST: usize = 3;

#[derive(Debug, Default)]
pub struct GamePane {
    scroll: Scroll,
    /// Values for White by the number of moves played.
    values: BTreeMap<usize, Score>,
    /// The move chosen in the list, counted from 1; 0: the first position. None: the last move played.
    cursor: Option<usize>,
    /// Moves of the whole game, to tell a new one.
    listed: usize,
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

    fn need(&self, state: &ScreenState) -> usize {
        let moves = MoveList::of(state).map_or(0, |list| list.rows());
        moves + self.below(state, PAIR as u16 * 2).len()
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.scroll)
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let (above, [list, rest], below) = self.parts(state, room);
        match (self.cursor, MoveList::of(state)) {
            (Some(chosen), Some(moves)) => {
                let line = moves.row(chosen) / columns(list.width);
                self.scroll.show(line..line + 1, list.height.into());
            }
            _ => self.scroll.follow(),
        }
        self.scroll.draw(frame, above, list);
        frame.render_widget(shown(below), rest);
    }

    fn scroll(&mut self, state: &mut ScreenState, by: isize) {
        if let Some(list) = MoveList::of(state) {
            let from = self.cursor.unwrap_or(list.played);
            self.cursor = Some(from.saturating_add_signed(by).min(list.moves.len()));
        }
    }

    fn bindings(&self) -> Vec<Binding> {
        let go = "goes to the position after the move chosen; the moves after it stay";
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
        let to = self.cursor.unwrap_or(now);
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

    fn click(&mut self, state: &mut ScreenState, room: Rect, at: Position) {
        let (_, [area, _], _) = self.parts(state, room);
        let Some(list) = MoveList::of(state).filter(|_| area.contains(at)) else {
            return;
        };
        let line = self.scroll.first() + usize::from(at.y - area.y);
        let column = usize::from(at.x - area.x);
        let row = line * columns(area.width) + column / PAIR;
        let half = (column % PAIR).saturating_sub(NUMBER) / MOVE;
        let chosen = (2 * row + half + 1).saturating_sub(list.begins_black);
        if (1..=list.moves.len()).contains(&chosen) {
            let again = self.cursor == Some(chosen);
            self.cursor = Some(chosen);
            if again {
                self.act(state, GamePaneAction::GameGo.into());
            }
        }
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "game-go:go undo redo hint engine engine-side:side engine-level:level draw resign new"
    }

    fn on_reply(&mut self, reply: Option<&dyn Reply>) -> bool {
        if let Some(played) = reply.and_then(|reply| reply.downcast_ref::<PlayedReport>())
            && let Some(value) = played.value
        {
            // The value is that of the side that moved.
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
        let listed = position.played.len() + position.ahead.len();
        if listed != std::mem::replace(&mut self.listed, listed) {
            self.cursor = None;
            self.scroll.to_bottom();
        }
    }
}

/// The result of the search of the game's position.
fn searched(state: &ScreenState) -> Option<&Run> {
    let position = state.data.get::<PositionReport>()?;
    let root = state.data.frames().first()?;
    state.data.get::<Run>().filter(|_| root.state == position.state)
}

/// Moves side by side in a pane of this width, in pairs.
fn columns(width: u16) -> usize {
    (usize::from(width) / PAIR).max(1)
}

/// The moves of the whole game, those to redo included.
struct MoveList<'a> {
    moves: Vec<&'a MoveText>,
    played: usize,
    /// 1 if Black has made the first of them, else 0.
    begins_black: usize,
    /// The number of the first pair.
    first: usize,
    marks: &'a [MoveMark],
    /// Positions before the first of the moves.
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
    /// The lines of the list with its place, and the lines below with theirs.
    fn parts(
        &self,
        state: &ScreenState,
        room: Rect,
    ) -> (Vec<Line<'static>>, [Rect; 2], Vec<Line<'static>>) {
        let list = MoveList::of(state);
        let rows: Vec<_> = (0..list.as_ref().map_or(0, MoveList::rows)).collect();
        let chosen = self.cursor.filter(|_| state.focus == "game");
        let line = |rows: &[usize]| {
            let pairs = rows.iter().zip(list.iter().cycle());
            let spans = pairs.flat_map(|(row, list)| list.pair(*row, chosen, state));
            Line::from(spans.collect::<Vec<_>>())
        };
        let above: Vec<_> = rows.chunks(columns(room.width)).map(line).collect();
        let mut below = self.below(state, room.width);
        let least = above.len().min(usize::from(room.height / 2));
        below.truncate(usize::from(room.height).saturating_sub(least));
        let rows = Constraint::Length(below.len() as u16);
        let areas = Layout::vertical([Constraint::Fill(1), rows]).areas(room);
        (above, areas, below)
    }

    fn below(&self, state: &ScreenState, width: u16) -> Vec<Line<'static>> {
        let columns = usize::from(width);
        let board = state.data.board.as_ref().filter(|_| state.shown == BoardOf::Position);
        let missing = |report| {
            Side::ALL
                .into_iter()
                .filter_map(move |side| missing(report, &state.look, side, columns))
        };
        let mut lines: Vec<_> = board.into_iter().flat_map(missing).collect();
        lines.extend(continuations(state, columns));
        lines.extend(self.graph(state, columns));
        lines.extend(best(state, width));
        lines.extend(analyst(state, width));
        lines.extend(engine(state, width));
        lines
    }

    /// A column a move: White's lead above the axis, Black's below.
    fn graph(&self, state: &ScreenState, width: usize) -> Vec<Line<'static>> {
        let Some(report) = state.data.board.as_ref().filter(|_| self.values.len() > 1) else {
            return Vec::new();
        };
        let last = self.values.keys().next_back().copied().unwrap_or(0);
        let columns = (last + 1).min(width.saturating_sub(2));
        let height = |column: usize| {
            let value = self.values.get(&(last + 1 - columns + column))?;
            let lead = 2.0 * share_of_white(report, *value) - 1.0;
            // In half rows; an equal position has a line of its own.
            Some((lead * (2 * HALF) as f64).round() as isize)
        };
        let row = |from: isize, up: bool| {
            let cells = (0..columns).map(|column| {
                let lead = height(column).unwrap_or(0) * if up { 1 } else { -1 };
                match lead - from {
                    ..=0 => ' ',
                    1 => {
                        if up {
                            '▄'
                        } else {
                            '▀'
                        }
                    }
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
        lines.extend((0..HALF).rev().map(|step| row(2 * step, true)));
        lines.push(Line::styled(format!(" {axis}"), state.look.quiet));
        lines.extend((0..HALF).map(|step| row(2 * step, false)));
        lines
    }
}

/// The lines that go on from here, where there are several, and the mistake that comes next.
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
    let mut lines = vec![rule(&format!("best now, depth {}", run.depth), width.into(), state)];
    let known = run.moves.iter().filter(|mv| mv.value.is_some() && mv.bound.is_none());
    lines.extend((1..).zip(known.take(BEST)).map(|(place, mv)| {
        let replies: Vec<_> = mv.pv.iter().skip(1).map(ToString::to_string).collect();
        let (name, value) = (mv.mv.to_string(), score_or_none(mv.value));
        line(format!("{place} {name:<8} {value:>8}  {}", replies.join(" ")), width)
    }));
    lines
}

/// What the engine that follows the game has found.
fn analyst(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let followed = state.data.get::<Followed>().filter(|followed| followed.engine.is_some());
    let Some(followed) = followed else {
        return Vec::new();
    };
    let mut lines = vec![rule(&followed.title(), width.into(), state)];
    lines.extend(followed.lines.iter().take(BEST).map(|found| {
        let moves: Vec<_> = found.pv.iter().map(ToString::to_string).collect();
        line(format!("{:>8}  {}", score_or_none(found.value), moves.join(" ")), width)
    }));
    let fault = followed.fault.iter().flat_map(|fault| wrapped(fault, width.into()));
    lines.extend(fault.map(Line::raw));
    lines
}

fn engine(state: &ScreenState, width: u16) -> Vec<Line<'static>> {
    let [side, hint, undo] = ["engine-side", "hint", "undo"].map(|action| state.key(action));
    let level = state.level.map_or_else(String::new, |level| format!(", level {level}"));
    let name = state.opponent.as_deref().filter(|name| *name != "play").unwrap_or("The engine");
    let text = match state.engine {
        Some(engine) => format!("{name} plays {engine}{level}. {side} ends that."),
        None => format!("The engine plays no side. {side} makes it play the other one."),
    };
    let is_empty = state.data.get::<PositionReport>().is_some_and(|it| it.played.is_empty());
    let start = format!(
        "Type a move, or use the arrows and Enter, or drag. {hint} hints, {undo} takes back."
    );
    let mut lines = vec![rule("engine", width.into(), state)];
    let [draw, resign] = ["draw", "resign"].map(|action| state.key(action));
    let position = state.data.get::<PositionReport>();
    let claim = position.and_then(|position| position.claim.as_ref());
    let claim = claim.map(|why| format!("A draw can be claimed ({why}): {draw}."));
    let offer = state.engine.filter(|_| !is_empty && claim.is_none());
    let offer = offer.map(|_| format!("{draw} offers a draw, {resign} resigns."));
    let words = [Some(text), is_empty.then_some(start), claim, offer].into_iter().flatten();
    lines.extend(words.flat_map(|text| wrapped(&text, width.into())).map(Line::raw));
    lines
}
