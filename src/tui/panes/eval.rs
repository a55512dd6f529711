//! The evaluation pane: every term under the current weights and under each named set of weights.

use ratatui::text::Line;

use crate::{
    engine::session::{
        position::Eval,
        reply::Term,
        tuning::{WeightSets, WeightsReport},
    },
    text::number::{difference, digits, score},
    tui::pane::{Pane, Query, ScreenState, Scroll, cut, line, wrapped},
};

/// The width of a term's name, the least width of its values, and that of a column with the weighted difference.
const NAME: usize = 14;
const VALUE: usize = 3;
const COLUMN: usize = 9;
const NO_HEURISTIC: &str = "No heuristic here: the game is over.";

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

    fn lines(&self, state: &ScreenState, width: u16) -> Vec<Line<'static>> {
        let Some(eval) = state.data.get::<Eval>() else {
            let why = match query(state) {
                None => format!("The position of {} is not known.", state.board_owner()),
                Some(query) => state.data.fault(&query).unwrap_or(NO_HEURISTIC).to_owned(),
            };
            return wrapped(&why, width.into()).into_iter().map(Line::raw).collect();
        };
        let values = eval.terms.iter().flat_map(|term| [term.white, term.black]);
        let wide = values.map(|value| digits(value).len()).fold(VALUE, usize::max);
        let terms_wide = NAME + 2 * (1 + wide);
        // A set of weights whose column would not fit is left out.
        let room = usize::from(width).saturating_sub(terms_wide + COLUMN) / COLUMN;
        let sets: &[WeightsReport] = state.data.get::<WeightSets>().map_or(&[], |sets| &sets.sets);
        let sets = &sets[..sets.len().min(room)];
        let named = sets.iter().map(|set| set.name.as_deref().unwrap_or("—"));
        let columns = std::iter::once("in force").chain(named);
        let term = |name: &str, [white, black]: [String; 2]| {
            format!("{:<NAME$} {white:>wide$} {black:>wide$}", cut(name, NAME))
        };
        let sides = ["W", "B"].map(str::to_owned);
        let head = row(&term("term", sides), terms_wide, columns.map(|name| cut(name, 8)));
        let terms = eval.terms.iter().map(|found| {
            let name = term(&found.name, [found.white, found.black].map(digits));
            line(row(&name, terms_wide, balances(found, sets).map(difference)), width)
        });
        let totals = (0..=sets.len()).map(|place| {
            let balance = |term| balances(term, sets).nth(place).unwrap_or_default();
            difference(eval.terms.iter().map(balance).sum::<f64>())
        });
        let value = format!("value for {}: {}", eval.side, score(eval.value));
        let mut lines = vec![line(head, width).style(state.look.head)];
        lines.push(
            line(row("White minus Black", terms_wide, totals), width).style(state.look.accent),
        );
        lines.extend(terms);
        lines.extend(wrapped(&value, width.into()).into_iter().map(Line::raw));
        lines
    }
}

/// A name in `wide` columns, followed by values.
fn row(name: &str, wide: usize, values: impl Iterator<Item = String>) -> String {
    values.fold(format!("{name:<wide$}"), |row, value| format!("{row} {value:>8}"))
}

fn query(state: &ScreenState) -> Option<Query> {
    state.position().map(|position| Query::Eval(position.to_owned()))
}

/// White's value minus Black's under the current weights, then under each set.
fn balances(term: &Term, sets: &[WeightsReport]) -> impl Iterator<Item = f64> {
    let named = sets.iter().map(|set| set.weights.get(&term.name));
    let weights = std::iter::once(term.weight).chain(named);
    weights.map(|weight| weight * (term.white - term.black))
}
