//! Players, and the games of matches.

use super::{
    Style,
    layout::{self, headline, lines, wrap},
    number::counted,
    position,
    table::{Align, Table},
};
use crate::engine::report::{ArenaFile, GameReport, GamesReport, OpenedGame, PlayersReport, Side};

pub(super) fn players(report: &PlayersReport) -> String {
    let players = if report.players.is_empty() {
        "no player has a name; there are default and current".to_owned()
    } else {
        lines(report.players.iter().map(|player| wrap("", player)))
    };
    lines([players, layout::notes(&report.notes)])
}

pub(super) fn games(report: &GamesReport, style: Style) -> String {
    if report.games.is_empty() {
        return "no games".to_owned();
    }
    let mut table = Table::new([
        ("game", Align::Right),
        ("white", Align::Left),
        ("black", Align::Left),
        ("round", Align::Right),
        ("moves", Align::Right),
        ("result", Align::Left),
        ("ended by", Align::Left),
    ]);
    for game in &report.games {
        table.row([
            game.game.to_string(),
            game.white.clone(),
            game.black.clone(),
            game.round.to_string(),
            game.plies.to_string(),
            result(game).to_owned(),
            game.ending.clone(),
        ]);
    }
    let more = if report.more > 0 {
        layout::and_more(report.more, style)
    } else {
        String::new()
    };
    lines([table.render(style), more])
}

fn result(game: &GameReport) -> &'static str {
    match (game.winner, game.ending.as_str()) {
        (Some(Side::White), _) => "1-0",
        (Some(Side::Black), _) => "0-1",
        (None, "unfinished") => "*",
        (None, _) => "1/2-1/2",
    }
}

pub(super) fn game(report: &GameReport) -> String {
    let pieces = [
        format!("game {}", report.game),
        format!("{} - {}", report.white, report.black),
        format!("round {}", report.round),
        result(report).to_owned(),
        format!("({})", report.ending),
        counted(report.plies as u64, "move", "moves"),
        match report.opening {
            0 => String::new(),
            plies => format!("opening of {plies}"),
        },
    ];
    lines([headline(pieces), wrap("", &report.moves.join(" "))])
}

pub(super) fn opened(report: &OpenedGame, style: Style) -> String {
    let GameReport {
        game,
        white,
        black,
        plies,
        ..
    } = &report.game;
    let title = format!(
        "game {game}, {white} - {black}: after {} of {plies} moves",
        report.ply
    );
    lines([title, position::position(&report.position, style)])
}

pub(super) fn file(report: &ArenaFile) -> String {
    let games = counted(report.games as u64, "game", "games");
    let title = format!(
        "{} {}: {games} ({})",
        report.action, report.file, report.format
    );
    lines([title, layout::notes(&report.notes)])
}
