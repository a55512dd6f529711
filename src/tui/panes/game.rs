//! The game pane: moves, value by move, the best moves known now, and the engine.

use std::collections::BTreeMap;

use ratatui::prelude::*;

use crate::{
    engine::session::{
        guests::Followed,
        position::{PlayedReport, PositionReport},
        reply::{Reply, Score, Side},
        search::Run,
    },
    text::{cut, number::score_or_none, pad},
    tui::{
        board::{missing, share_of_white},
        data::BoardOf,
        pane::{Areas, Pane, Query, ScreenState, Scroll, line, shown, wrapped},
    },
};

/// Columns of a pair of moves with its number.
const PAIR: usize = 22;
/// Rows of the graph above and below its axis.
const HALF: isize = 2;
const BEST: usize = 3;

#[derive(Debug, Default)]
pub struct GamePane {
    scroll: Scroll,
    /// Values for White by the number of moves played.
    values: BTreeMap<usize, Score>,
}

impl Pane for GamePane {
    fn wants(&self, _: &ScreenState) -> Vec<Query> {
        [Query::Analyst, Query::Position, Query::SearchResult, Query::Stack].into()
    }

    fn title(&self, state: &ScreenState) -> String {
        let Some(position) = state.data.get::<PositionReport>() else {
            return String::new();
        };
        match position.played.len() {
            0 => "no move yet".to_owned(),
            moves => format!("{moves} moves"),
        }
    }

    fn need(&self, state: &ScreenState) -> usize {
        let played = state.data.get::<PositionReport>().map_or(0, |position| position.played.len());
        played.div_ceil(2) + self.below(state, PAIR as u16 * 2).len()
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.scroll)
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        let moves = moves(state, room.width.into());
        let mut below = self.below(state, room.width);
        let least = moves.len().min(usize::from(room.height / 2));
        below.truncate(usize::from(room.height).saturating_sub(least));
        let rows = Constraint::Length(below.len() as u16);
        let [above, rest] = Layout::vertical([Constraint::Fill(1), rows]).areas(room);
        self.scroll.follow();
        self.scroll.draw(frame, moves, above);
        frame.render_widget(shown(below), rest);
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
        self.scroll.to_bottom();
        false
    }

    fn on_data(&mut self, state: &mut ScreenState) {
        let Some(position) = state.data.get::<PositionReport>() else {
            return;
        };
        let last = position.undo + position.redo;
        self.values.retain(|moves, _| *moves <= last && last > 0);
        let reviewed = position.marks.iter().filter_map(|mark| Some((mark.at, mark.value?)));
        self.values.extend(reviewed);
        if let Some(value) = searched(state).and_then(|run| run.value) {
            let value = if position.side == Side::White { value } else { -value };
            self.values.insert(position.undo, value);
        }
    }
}

/// The result of the search of the game's position.
fn searched(state: &ScreenState) -> Option<&Run> {
    let position = state.data.get::<PositionReport>()?;
    let root = state.data.frames().first()?;
    state.data.get::<Run>().filter(|_| root.state == position.state)
}

impl GamePane {
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

/// The moves in numbered pairs, as many a line as fit; the last one is marked.
fn moves(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    let Some(position) = state.data.get::<PositionReport>() else {
        return Vec::new();
    };
    let played = &position.played;
    let pairs: Vec<_> = played.chunks(2).enumerate().collect();
    let columns = (width / PAIR).max(1);
    let lines = pairs.chunks(columns).map(|pairs| {
        let spans = pairs.iter().flat_map(|(place, pair)| {
            let number = Span::styled(format!("{:>3} ", place + 1), state.look.quiet);
            let moves = pair.iter().enumerate().map(move |(half, mv)| {
                let is_last = 2 * place + half + 1 == played.len();
                let at = position.undo + 2 * place + half + 1 - played.len();
                let mark = position.marks.iter().find(|mark| mark.at == at);
                let style = match mark {
                    _ if is_last => state.look.accent,
                    Some(mark) if mark.is_mistake => state.look.warning,
                    _ => state.look.text,
                };
                let signs = mark.map_or("", |mark| &mark.signs);
                Span::styled(pad(&cut(&format!("{mv}{signs}"), 8), 9), style)
            });
            std::iter::once(number).chain(moves)
        });
        Line::from(spans.collect::<Vec<_>>())
    });
    lines.collect()
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
    let name = state.opponent.as_deref().unwrap_or("The engine");
    let text = match state.engine {
        Some(engine) => format!("{name} plays {engine}{level}. {side} ends that."),
        None => format!("The engine plays no side. {side} makes it play the other one."),
    };
    let is_empty = state.data.get::<PositionReport>().is_some_and(|it| it.played.is_empty());
    let start = format!(
        "Type a move, or use the arrows and Enter, or drag. {hint} hints, {undo} takes back."
    );
    let mut lines = vec![rule("engine", width.into(), state)];
    let words = [Some(text), is_empty.then_some(start)].into_iter().flatten();
    lines.extend(words.flat_map(|text| wrapped(&text, width.into())).map(Line::raw));
    lines
}
