//! The heuristic term by term, under the weights in force and under every named set.

use std::fmt::Write as _;

use ratatui::{layout::Rect, text::Line};

use crate::{
    engine::report::{Term, WeightsReport},
    tui::{app::App, draw::cut},
    view::text::{
        Style,
        number::{digits, exact, signed},
    },
};

const STYLE: Style = Style { ascii: false };
/// The columns of one set.
const COLUMN: usize = 8;

/// The lines.
pub fn lines(app: &App, room: Rect) -> Vec<Line<'static>> {
    let Some(eval) = &app.data.eval else {
        return vec![Line::raw("No heuristic here: the game is over.")];
    };
    let width = room.width as usize;
    let sets: &[WeightsReport] = app.data.sets.as_ref().map_or(&[], |sets| &sets.sets);
    let mut head = format!(
        "{:<14} {:>3} {:>3} {:>COLUMN$}",
        "term", "W", "B", "in force"
    );
    for set in sets {
        let _ = write!(
            head,
            " {:>COLUMN$}",
            cut(set.name.as_deref().unwrap_or("—"), COLUMN)
        );
    }
    let mut lines = vec![Line::styled(cut(&head, width), app.look.head())];
    let rows = eval
        .terms
        .iter()
        .map(|term| Line::raw(cut(&row(term, sets), width)));
    lines.extend(rows);
    let total = |weight: &dyn Fn(&Term) -> f64| -> f64 {
        eval.terms
            .iter()
            .map(|term| weight(term) * (term.white - term.black))
            .sum()
    };
    let mut sum = format!(
        "{:<22} {:>COLUMN$}",
        "White minus Black",
        signed(total(&|term| term.weight))
    );
    for set in sets {
        let _ = write!(
            sum,
            " {:>COLUMN$}",
            signed(total(&|term| weight(set, term)))
        );
    }
    lines.push(Line::styled(cut(&sum, width), app.look.accent()));
    let side = if eval.side == "w" { "White" } else { "Black" };
    lines.push(Line::raw(cut(
        &format!("value for {side}: {}", exact(eval.value, STYLE)),
        width,
    )));
    lines
}

fn row(term: &Term, sets: &[WeightsReport]) -> String {
    let balance = |weight: f64| signed(weight * (term.white - term.black));
    let mut row = format!(
        "{:<14} {:>3} {:>3} {:>COLUMN$}",
        cut(&term.name, 14),
        digits(term.white),
        digits(term.black),
        balance(term.weight),
    );
    for set in sets {
        let _ = write!(row, " {:>COLUMN$}", balance(weight(set, term)));
    }
    row
}

fn weight(set: &WeightsReport, term: &Term) -> f64 {
    let found = set.weights.iter().find(|(name, _)| *name == term.name);
    found.map_or(0.0, |(_, weight)| *weight)
}
