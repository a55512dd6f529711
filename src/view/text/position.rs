//! Positions, their moves and what the heuristic says of them.

use super::{
    Style,
    layout::{self, beside, blank, grid, lines, width},
    number,
    table::{Align, Table},
};
use crate::engine::report::{
    Eval, GameFile, Moves, Perft, PerftMove, PositionReport, SymmetriesReport,
};

/// `White` or `Black`.
pub(super) fn side(letter: &str) -> &str {
    match letter {
        "w" => "White",
        "b" => "Black",
        other => other,
    }
}

/// The board with everything else at its right.
pub(super) fn position(report: &PositionReport, style: Style) -> String {
    let mut words = vec![report.words.clone()];
    words.extend(result(report));
    words.push(report.state.clone());
    words.push(format!("key {}", report.key));
    if let Some(mv) = &report.last_move {
        let san = report.last_san.as_ref();
        let san = san.map_or(String::new(), |san| format!(", {san}"));
        words.push(format!("last move {mv}{san}"));
    }
    if report.undo + report.redo > 0 {
        words.push(format!("undo {}  redo {}", report.undo, report.redo));
    }
    let board = style.board(&report.board, &report.board_ascii);
    lines([beside(board, words), layout::notes(&report.notes)])
}

/// What became of the file, and the position at hand.
pub(super) fn game_file(report: &GameFile, style: Style) -> String {
    let moves = number::counted(report.moves as u64, "move", "moves");
    let done = format!("{} {}: {moves}", report.action, report.file);
    lines([done, position(&report.position, style)])
}

fn result(report: &PositionReport) -> Option<String> {
    report.finished.then(|| match report.winner.as_deref() {
        Some("draw") | None => "game over: a draw".to_owned(),
        Some(winner) => format!("game over: {} wins", side(winner)),
    })
}

pub(super) fn moves(report: &Moves, style: Style) -> String {
    if report.finished {
        let utility = report.utility.map(|utility| number::exact(utility, style));
        let utility = utility.unwrap_or_else(|| style.none().to_owned());
        return format!("game over: utility {utility} for the side to move");
    }
    let mut moves: Vec<_> = report.moves.iter().map(|line| line.mv.clone()).collect();
    moves.sort();
    let title = number::counted(moves.len() as u64, "move", "moves");
    lines([title, grid(&moves)])
}

pub(super) fn symmetries(report: &SymmetriesReport) -> String {
    let count = report.states.len() as u64;
    let title = number::counted(count, "position equal", "positions equal");
    let title = format!("{title} by symmetry, this one included");
    lines([title, grid(&report.states)])
}

pub(super) fn perft(report: &Perft) -> String {
    let total = format!(
        "depth {}  leaves {}",
        report.depth,
        number::count(report.nodes)
    );
    let rate = number::rate(report.nodes, "leaves", report.ms);
    let pieces = [Some(total), report.ms.map(number::time), rate];
    lines([
        grid(&divide(&report.divide)),
        layout::flow("", pieces.into_iter().flatten()),
    ])
}

/// Move and count of every line, aligned.
fn divide(lines: &[PerftMove]) -> Vec<String> {
    let mut divide: Vec<_> = lines.iter().collect();
    divide.sort_by(|a, b| a.mv.cmp(&b.mv));
    let counts: Vec<_> = divide
        .iter()
        .map(|line| number::count(line.nodes))
        .collect();
    let widest = |texts: &mut dyn Iterator<Item = &String>| texts.map(|text| width(text)).max();
    let names = widest(&mut divide.iter().map(|line| &line.mv)).unwrap_or(0);
    let numbers = widest(&mut counts.iter()).unwrap_or(0);
    let cell = |(line, count): (&&PerftMove, &String)| {
        let gap = blank(numbers - width(count));
        // A wider gap than one space would read as a column of its own.
        format!("{} {gap}{count} ", layout::pad(&line.mv, names))
    };
    divide.iter().zip(&counts).map(cell).collect()
}

pub(super) fn eval(report: &Eval, style: Style) -> String {
    let mut table = Table::new([
        ("term", Align::Left),
        ("white", Align::Point),
        ("black", Align::Point),
        ("weight", Align::Point),
        ("for White", Align::Point),
    ]);
    let mut sum = 0.0;
    for term in &report.terms {
        let balance = term.balance().get();
        sum += balance;
        table.row([
            term.name.clone(),
            number::digits(term.white),
            number::digits(term.black),
            number::digits(term.weight),
            number::signed(balance),
        ]);
    }
    table.row(["sum", "", "", "", &number::signed(sum)]);
    let value = number::exact(report.value, style);
    let value = format!("value {value} for {}, the side to move", side(&report.side));
    lines([table.render(style), value])
}
