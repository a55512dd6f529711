//! The evaluation pane: every term under the weights in force and under each other named set of weights.

use ratatui::text::Line;

use crate::{
    engine::session::{
        position::Eval,
        reply::Term,
        tuning::{WeightSets, WeightsReport},
    },
    text::{
        number::{difference, digits},
        or_empty,
    },
    tui::pane::{Binding, Pane, Query, ScreenState, Scroll, cut, line, types, wrapped},
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

    fn bindings(&self) -> Vec<Binding> {
        [types("weights-edit", "e", "weights set ", "types `weights set`")].into()
    }

    fn footer(&self, _: &ScreenState) -> &'static str {
        "weights-edit:edit"
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
        // A narrow pane has no room for the values of both sides.
        let has_sides = usize::from(width) >= NAME + 2 * (1 + wide) + COLUMN;
        let names = NAME.min(usize::from(width).saturating_sub(COLUMN));
        let terms_wide = if has_sides { NAME + 2 * (1 + wide) } else { names };
        // A set of weights whose column would not fit is left out.
        let room = usize::from(width).saturating_sub(terms_wide + COLUMN) / COLUMN;
        let sets: &[WeightsReport] = state.data.get::<WeightSets>().map_or(&[], |sets| &sets.sets);
        // A search for play has weights of its own, so the weights in force have their name, if any.
        let is_used = |term: &Term, set: &WeightsReport| set.weights.get(&term.name) == term.weight;
        let (used, mut sets): (Vec<_>, Vec<_>) =
            sets.iter().partition(|set| eval.terms.iter().all(|term| is_used(term, set)));
        sets.truncate(room);
        let name = |set: &&'_ WeightsReport| set.name.clone().unwrap_or_default();
        let used = used.first().map_or_else(|| "in force".to_owned(), name);
        let columns = std::iter::once(used.clone()).chain(sets.iter().map(name));
        let term = |name: &str, [white, black]: [String; 2]| {
            let sides = format!(" {white:>wide$} {black:>wide$}");
            format!("{:<names$}{}", cut(name, names), or_empty(has_sides.then_some(sides)))
        };
        let sides = ["W", "B"].map(str::to_owned);
        let head = row(&term("term", sides), terms_wide, columns.map(|name| cut(&name, 8)));
        let terms = eval.terms.iter().map(|found| {
            let name = term(&found.name, [found.white, found.black].map(digits));
            line(row(&name, terms_wide, balances(found, &sets).map(difference)), width)
        });
        let totals = (0..=sets.len()).map(|place| {
            let balance = |term| balances(term, &sets).nth(place).unwrap_or_default();
            difference(eval.terms.iter().map(balance).sum::<f64>())
        });
        let value = format!("value {} for {}, weights {used}", eval.value_text(), eval.side);
        let value = wrapped(&value, width.into()).into_iter();
        let mut lines: Vec<_> =
            value.map(|text| line(text, width).style(state.look.accent)).collect();
        lines.push(line(head, width).style(state.look.head));
        lines.push(
            line(row(&cut("White minus Black", terms_wide), terms_wide, totals), width)
                .style(state.look.accent),
        );
        lines.extend(terms);
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

/// White's value minus Black's under the weights in force, then under each set.
fn balances(term: &Term, sets: &[&WeightsReport]) -> impl Iterator<Item = f64> {
    let named = sets.iter().map(|set| set.weights.get(&term.name));
    let weights = std::iter::once(term.weight).chain(named);
    weights.map(|weight| weight * (term.white - term.black))
}
