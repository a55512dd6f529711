//! Tournaments in the chart pane: in progress, finished, and the game on the board.

use std::sync::Arc;

use insta::assert_snapshot;
use ratatui::style::Color;

use crate::stage::{Stage, with_theme};
use plyscope::{
    engine::{
        progress::Live,
        session::{
            position::BoardReport,
            reply::{LiveGame, Side, Standings},
        },
    },
    tui::app::App,
    view::Colour,
};

const CUP: &str = "tournament play \"shallow: depth=1 memo=none\" \"deep: depth=3\" \"odd: depth=1 mills=0\" --games 2 --openings 3 --random-seed 5";

fn played(app: App, columns: u16, rows: u16) -> Stage {
    let mut stage = Stage::with(app, columns, rows);
    stage.lines(&[CUP]);
    stage
}

/// The tournament's live state after `played` games.
fn after(report: &Standings, played: usize) -> Live {
    let mut standings = report.standings.clone();
    for standing in &mut standings {
        standing.games = (played as u64 * 2) / 3;
        standing.points = standing.games as f64 * (standing.player as f64 + 1.0) / 6.0;
    }
    let report = Standings { played, status: "open", standings, ..report.clone() };
    Live { tournament: Some(Arc::new(report)), game: None }
}

fn cup() -> Standings {
    let mut shell = plyscope::command::Shell::default();
    let response = shell.run_line(CUP).pop().unwrap().unwrap();
    response.reply.downcast_ref().cloned().unwrap()
}

#[test]
fn the_chart_pane_before_there_is_a_tournament() {
    let mut stage = Stage::new(80, 24);
    stage.keys("f6 9");
    assert_eq!(stage.state().focus, "chart");
    assert_snapshot!("arena_none", stage.text());
}

#[test]
fn a_tournament_comes_to_the_front() {
    let stage = played(App::usual(), 80, 24);
    assert_eq!((stage.state().tab, stage.state().focus), ("chart", "command"));
    assert_snapshot!("arena_80x24", stage.text());
    let stage = played(with_theme(true, Colour::On), 140, 40);
    assert_snapshot!("arena_ascii_140x40", stage.text());
    let mut stage = played(App::usual(), 80, 24);
    stage.keys("f6 0 z");
    assert_snapshot!("arena_zoomed", stage.text());
}

#[test]
fn a_tournament_under_way_is_watched() {
    let report = cup();
    let mut stage = Stage::with(with_theme(false, Colour::Off), 140, 40);
    for games in 1..=9 {
        let live = after(&report, games);
        stage.driver.app.show_progress(&live);
        assert_eq!(stage.state().tab, "chart");
    }
    let position = "w..b..../......../........ w 8 8";
    let mut shell = plyscope::command::Shell::default();
    let response = shell.run_line(&format!("position board {position}")).pop().unwrap().unwrap();
    let Some(board) = response.reply.downcast_ref::<BoardReport>() else { panic!("no board") };
    let game = LiveGame {
        game: 10,
        white: "deep".to_owned(),
        black: "odd".to_owned(),
        ply: 2,
        side: Side::White,
        state: position.to_owned(),
        board: Some(board.board.clone()),
    };
    let live = Live { game: Some(Arc::new(game)), ..after(&report, 10) };
    stage.driver.app.show_progress(&live);
    stage.driver.app.focus("chart");
    let screen = stage.text();
    assert_snapshot!("arena_live_140x40", screen);
    for words in ["10 of 12 games", "deep against odd, move 2", "* ", "game 10", "% of points ±"] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    for cell in &stage.buffer().content {
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
    }
    // The command has ended: the board shows the user's game again.
    stage.driver.app.command_returned();
    assert!(!stage.text().contains("deep against odd"));
    stage.driver.app.show_progress(&Live::default());
    assert!(stage.state().live.is_none());
}

#[test]
fn no_size_is_too_small() {
    for (columns, rows) in [(20, 5), (40, 12), (41, 13), (60, 16), (76, 20), (200, 60)] {
        let mut stage = played(App::usual(), columns, rows);
        stage.keys("f6 0 z pagedown z");
        assert!(!stage.text().is_empty());
    }
}
