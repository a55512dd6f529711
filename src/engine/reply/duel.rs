//! Games between two players.

use super::{Duel, Strength};
use crate::text::{
    Style,
    layout::{self, lines},
    number::{self, count},
    table::TextTable,
};

/// Games of players against one other, a row each, below a title; `column` says what the rows are.
pub(super) fn duels<'a>(
    title: &str,
    column: &str,
    rows: impl IntoIterator<Item = (String, &'a Duel)>,
    style: Style,
) -> String {
    let mut table = TextTable::default()
        .left([column])
        .right(["games", "won", "drawn", "lost", "score", "Elo"])
        .left(["95 %"])
        .right(["LOS"]);
    let mut repeated = 0;
    let mut any = false;
    for (name, duel) in rows {
        any = true;
        repeated += duel.pairs.iter().sum::<u64>() - duel.distinct;
        let strength = duel.strength.as_ref();
        let known = |text: &dyn Fn(&Strength) -> String| {
            strength.map_or_else(|| style.none().to_owned(), text)
        };
        table.row([
            name,
            count(duel.games),
            count(duel.wins),
            count(duel.draws),
            count(duel.losses),
            known(&|strength| format!("{:.1} %", strength.score * 100.0)),
            known(&|strength| elo(strength.elo.value)),
            known(&|strength| format!("{} to {}", elo(strength.elo.low), elo(strength.elo.high))),
            known(&|strength| format!("{:.1} %", strength.superiority * 100.0)),
        ]);
    }
    if !any {
        return String::new();
    }
    let note = (repeated > 0).then(|| {
        let pairs = number::counted(repeated, "pair", "pairs");
        layout::wrap("note: ", &format!("{pairs} of games repeat others and count for nothing new"))
    });
    lines([title.to_owned(), table.render(style), note.unwrap_or_default()])
}

/// A difference in Elo to a whole number.
fn elo(elo: f64) -> String {
    let whole = elo.round();
    if whole == 0.0 { "0".to_owned() } else { format!("{whole:+}") }
}
