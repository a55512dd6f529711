//! The evaluation pane: every term under the weights in force and under each other named set of weights.

use ratatui::{Frame, layout::Rect, text::Line};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    engine::session::{
        position::Eval,
        reply::{Term, quotient},
        tuning::{WeightSets, WeightsReport},
    },
    text::{
        number::{difference, digits, score},
        or_empty,
    },
    tui::{
        data::BoardOf,
        pane::{Areas, Binding, Pane, Query, ScreenState, Scroll, cut, line, types, wrapped},
        state::Hint,
    },
};

/// The width of a term's name, the least width of its values, and that of a column with the weighted difference.
const NAME: usize = 14;
const VALUE: usize = 3;
const COLUMN: usize = 9;
const NO_HEURISTIC: &str = "No heuristic here: the game is over.";
const GAME_OVER: &str = "The game is over: its result counts, not the evaluation.";

#[derive(Debug, Default)]
pub struct EvalPane(Scroll);

impl Pane for EvalPane {
    fn wants(&self, state: &ScreenState) -> Vec<Query> {
        query(state).into_iter().chain([Query::WeightSets]).collect()
    }

    fn title(&self, state: &ScreenState) -> String {
        state.board_owner()
    }

    fn scrolled(&self) -> Option<&Scroll> {
        Some(&self.0)
    }

    fn rows_needed(&self, state: &ScreenState, columns: u16) -> usize {
        // The number of unequal terms changes from position to position. All have rows, so that no pane moves.
        table(state, columns, usize::MAX).len()
    }

    fn draw(&self, frame: &mut Frame<'_>, state: &ScreenState, _: &Areas, room: Rect) {
        self.0.draw(frame, table(state, room.width, room.height.into()), room);
    }

    fn bindings(&self) -> Vec<Binding> {
        [types("weights-edit", "e", "weights set ", "types `weights set`")].into()
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "weights-edit:edit position:game"
    }
}

/// The evaluation of the position shown, dimmed if the game is over there, or the reason why there is none.
fn table(state: &ScreenState, width: u16, height: usize) -> Vec<Line<'static>> {
    let Some(eval) = state.data.get::<Eval>() else {
        return wrapped(&unknown(state), width.into()).into_iter().map(Line::raw).collect();
    };
    if state.shown != BoardOf::Position || !state.is_game_over() {
        return evaluation(state, eval, width, height);
    }
    let over = wrapped(GAME_OVER, width.into());
    let rest = evaluation(state, eval, width, height.saturating_sub(over.len()));
    let over = over.into_iter().map(|text| Line::styled(text, state.look.title));
    over.chain(rest.into_iter().map(|line| line.style(state.look.quiet))).collect()
}

/// The value and the terms. Terms that are equal for both sides have rows only if all terms fit into `height` rows.
fn evaluation(state: &ScreenState, eval: &Eval, width: u16, height: usize) -> Vec<Line<'static>> {
    let values = eval.terms.iter().flat_map(|term| [term.white, term.black]);
    let wide = values.map(|value| digits(value).len()).fold(VALUE, usize::max);
    // A narrow pane has no room for the values of both sides.
    let has_sides = usize::from(width) >= NAME + 2 * (1 + wide) + COLUMN;
    let names = NAME.min(usize::from(width).saturating_sub(COLUMN));
    let terms_wide = if has_sides { NAME + 2 * (1 + wide) } else { names };
    let room = 1 + usize::from(width).saturating_sub(terms_wide + COLUMN) / COLUMN;
    let sets = state.data.get::<WeightSets>().map_or(&[][..], |sets| &sets.sets);
    let (columns, used) = columns(eval, sets, room);
    let name = |set: Option<&WeightsReport>| {
        set.map_or_else(|| "in force".to_owned(), |set| set.name.clone().unwrap_or_default())
    };
    let heads = columns.iter().map(|set| {
        let sign = if set.is_some() && *set == used { "▸" } else { "" };
        format!("{sign}{}", cut(&name(*set), COLUMN - 1 - sign.width()))
    });
    let term = |name: &str, [white, black]: [String; 2]| {
        let sides = format!(" {white:>wide$} {black:>wide$}");
        format!("{:<names$}{}", cut(name, names), or_empty(has_sides.then_some(sides)))
    };
    let sides = ["W", "B"].map(str::to_owned);
    let head =
        row(&term(if has_sides { "term       raw" } else { "term" }, sides), terms_wide, heads);
    let texts = |text: &str, style| -> Vec<_> {
        wrapped(text, width.into()).into_iter().map(|it| line(it, width).style(style)).collect()
    };
    let mut lines = texts(&headline(state, eval, &name(used)), state.look.title);
    let note = weights_for_play(state, &name(used)).into_iter();
    let note: Vec<_> = note.flat_map(|text| texts(&text, state.look.quiet)).collect();
    let totals = totals(eval, &columns);
    let is_whole = lines.len() + 1 + totals.len() + eval.terms.len() + note.len() <= height;
    let (even, uneven): (Vec<_>, Vec<_>) =
        eval.terms.iter().partition(|term| !is_whole && term.white == term.black);
    let terms = uneven.iter().map(|found| {
        let name = term(&found.name, [found.white, found.black].map(digits));
        let values = columns.iter().map(|set| difference(balance(found, *set)));
        let is_even = found.white == found.black;
        let style = if is_even { state.look.quiet } else { state.look.text };
        line(row(&name, terms_wide, values), width).style(style)
    });
    lines.push(line(head, width).style(state.look.head));
    lines.extend(totals.into_iter().map(|(name, totals)| {
        let text = row(&cut(name, terms_wide), terms_wide, totals.into_iter());
        line(text, width).style(state.look.title)
    }));
    lines.extend(terms);
    let even: Vec<_> = even.iter().map(|term| term.name.as_str()).collect();
    if !even.is_empty() {
        let text = format!("equal for both sides: {}", even.join(", "));
        lines.extend(texts(&text, state.look.quiet));
    }
    lines.extend(note);
    lines
}

/// Why there is no evaluation.
fn unknown(state: &ScreenState) -> String {
    match query(state) {
        None => format!("The position of {} is not known.", state.board_owner()),
        Some(query) => state.data.fault(&query).unwrap_or(NO_HEURISTIC).to_owned(),
    }
}

/// The sum of the terms for each set of weights and, if the game divides the sum, the divisor and the value.
fn totals(eval: &Eval, columns: &[Option<&WeightsReport>]) -> Vec<(&'static str, Vec<String>)> {
    let sum = |set: Option<&WeightsReport>| -> f64 {
        eval.terms.iter().map(|term| balance(term, set)).sum()
    };
    let divisor = |set: Option<&WeightsReport>| set.map_or(eval.divisor, |set| set.divisor);
    let all = |text: &dyn Fn(Option<&WeightsReport>) -> String| {
        columns.iter().map(|set| text(*set)).collect()
    };
    let mut totals = vec![("White minus Black", all(&|set| difference(sum(set))))];
    if eval.divisor != 1.0 {
        totals.push(("divided by", all(&|set| digits((divisor(set) * 1e3).round() / 1e3))));
        totals.push(("value for White", all(&|set| score(sum(set) / divisor(set)))));
    }
    totals
}

/// The value and the weights in force.
fn headline(state: &ScreenState, eval: &Eval, used: &str) -> String {
    let whose = match (eval.for_play, state.hint) {
        (false, _) => "",
        (true, Hint::Shown | Hint::Over) => " of this hint",
        (true, _) => " of the engine's search",
    };
    let value = quotient(&eval.terms, eval.divisor, eval.value);
    format!("value {value} for {}, weights{whose} ▸{used}", eval.side)
}

/// For the game's position, the weights of hints, reviews and the engine, if they are others than those `used`.
fn weights_for_play(state: &ScreenState, used: &str) -> Option<String> {
    let sets = state.data.get::<WeightSets>().filter(|_| state.shown == BoardOf::Position);
    let play = sets.and_then(|sets| sets.play.as_deref()).filter(|play| *play != used);
    play.map(|play| format!("hints, reviews and the engine use `{play}`"))
}

/// The sets of weights with a column, at most `room`, and the set in force, which has one; `None`: the weights of no set.
fn columns<'a>(
    eval: &Eval,
    sets: &'a [WeightsReport],
    room: usize,
) -> (Vec<Option<&'a WeightsReport>>, Option<&'a WeightsReport>) {
    let is_used = |set: &&WeightsReport| {
        eval.terms.iter().all(|term| set.weights.get(&term.name) == term.weight)
    };
    let used = sets.iter().find(is_used);
    let unnamed = used.is_none().then_some(None);
    let mut columns: Vec<_> = unnamed.into_iter().chain(sets.iter().map(Some)).collect();
    while columns.len() > room.max(1) {
        let last = columns.iter().rposition(|set| *set != used).unwrap_or(0);
        columns.remove(last);
    }
    (columns, used)
}

/// A name in `wide` columns, followed by values.
fn row(name: &str, wide: usize, values: impl Iterator<Item = String>) -> String {
    values.fold(format!("{name:<wide$}"), |row, value| format!("{row} {value:>8}"))
}

fn query(state: &ScreenState) -> Option<Query> {
    state.position().map(|position| Query::Eval(position.to_owned()))
}

/// White's value minus Black's under a set of weights; `None`: under the weights in force.
fn balance(term: &Term, set: Option<&WeightsReport>) -> f64 {
    let weight = set.map_or(term.weight, |set| set.weights.get(&term.name));
    weight * (term.white - term.black)
}
