//! Where weight sets disagree, and why.

use super::super::{
    Style,
    layout::{self, lines, pad, width},
    number::{self, counted, signed},
    search,
};
use crate::engine::report::{Choice, Disagreement, Preference, Prospect, SuitePair, TermGain};

pub(super) fn disagreements(pair: &SuitePair, style: Style) -> String {
    let listed = pair
        .disagreements
        .iter()
        .map(|disagreement| self::disagreement(disagreement, style));
    let omitted = (pair.omitted > 0 && !pair.disagreements.is_empty()).then(|| {
        let more = counted(pair.omitted, "disagreement", "disagreements");
        format!("{more} more: --list shows them")
    });
    lines(listed.chain(omitted))
}

fn disagreement(disagreement: &Disagreement, style: Style) -> String {
    let Disagreement {
        position,
        state,
        phase,
        comment,
        choices,
        why,
    } = disagreement;
    let words = comment.as_ref().unwrap_or(phase);
    let lead = format!("{position:>4}  ");
    let names = choices.iter().map(|choice| width(&choice.set)).max();
    let choice = |choice: &Choice| {
        let name = pad(&choice.set, names.unwrap_or(0));
        let value = number::score(choice.value, style);
        let best = layout::some(&choice.best, search::SHOWN, style);
        layout::wrap(&format!("      {name}  "), &format!("{value}  {best}"))
    };
    lines([
        layout::wrap(&lead, &format!("{state}  {words}")),
        lines(choices.iter().map(choice)),
        lines(why.iter().map(|why| preference(why, style))),
    ])
}

/// Why a set prefers its move, in a sentence.
fn preference(why: &Preference, style: Style) -> String {
    let Preference {
        set,
        prefers,
        to,
        terms,
    } = why;
    let line = |prospect: &Prospect| {
        let ending = if prospect.over { ", the end" } else { "" };
        format!("{}{ending}", prospect.line.join(" "))
    };
    let values = [prefers, to].map(|prospect| number::score(prospect.value, style));
    let gains: Vec<_> = terms.iter().map(gain).collect();
    let reason = match (prefers.value == to.value, gains.is_empty()) {
        (true, _) => "both are worth the same, but not as soon or as late".to_owned(),
        (false, true) => "the game is over at the end of a line".to_owned(),
        (false, false) => format!("at its end {}", gains.join(", ")),
    };
    layout::wrap(
        "      ",
        &format!(
            "{set} expects {} ({}), not {} ({}): {reason}",
            line(prefers),
            values[0],
            line(to),
            values[1]
        ),
    )
}

fn gain(term: &TermGain) -> String {
    format!(
        "{} {} ({})",
        term.name,
        signed(term.count),
        signed(term.gain)
    )
}
