//! Snapshots of every pane and box, at several sizes, in ASCII and without colour.

use crate::stage::{Stage, ascii, plain};
use insta::assert_snapshot;
use plyscope::tui::{app::App, data::BoardOf, log::Log};
use ratatui::style::{Color, Modifier};

/// A search stopped after this number of events.
fn searching(app: App, columns: u16, rows: u16, events: u32) -> Stage {
    let mut stage = Stage::with(app, columns, rows);
    stage.lines(&["play a1 d1 b2", "search set depth=4", "break kind=cutoff ply=1; disable 1"]);
    stage.lines(&[&format!("step {events}")]);
    stage
}

#[test]
fn the_screen_at_the_start() {
    assert_snapshot!("start_80x24", Stage::new(80, 24).text());
    assert_snapshot!("start_140x40", Stage::new(140, 40).text());
    assert_snapshot!("start_ascii", Stage::with(ascii(), 80, 24).text());
    assert_snapshot!("start_60x20", Stage::new(60, 20).text());
}

#[test]
fn every_tab_on_a_small_screen() {
    let mut stage = searching(App::usual(), 80, 24, 700);
    stage.keys("f6");
    for (key, name) in [("2", "stack"), ("3", "tree"), ("4", "cache"), ("5", "log"), ("6", "eval")]
    {
        stage.keys(key);
        assert_snapshot!(format!("tab_{name}"), stage.text());
    }
}

#[test]
fn every_pane_at_once() {
    let mut stage = searching(App::usual(), 140, 40, 700);
    assert_snapshot!("all_140x40", stage.text());
    stage.driver.app.state.size = (200, 60);
    assert_snapshot!("all_200x60", stage.text());
    assert_snapshot!("all_ascii", searching(ascii(), 140, 40, 700).text());
}

#[test]
fn the_screen_after_a_search() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["search run --depth 3"]);
    assert_snapshot!("finished", stage.text());
}

#[test]
fn boxes_drawn_in_front_of_the_panes() {
    let mut stage = searching(App::usual(), 80, 24, 50);
    stage.keys("f1");
    assert_snapshot!("help", stage.text());
    stage.keys("c a c h e space r");
    assert_snapshot!("help_filtered", stage.text());
    stage.keys("esc f6 4 /");
    assert_snapshot!("filter", stage.text());
    stage.keys("esc q");
    assert_snapshot!("leave", stage.text());
}

#[test]
fn a_zoomed_board_is_not_smaller() {
    for (game, moves) in [("morris", "play d6 f4"), ("chess", "play e4 e5")] {
        for (columns, rows) in [(80, 24), (100, 30), (140, 40), (200, 60)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), moves]).keys("esc esc 1");
            // The rows from the name of a rank to that of the next one.
            let rank = |stage: &mut Stage| {
                let text = stage.text();
                let row = |name: char| {
                    let is_rank = |line: &str| {
                        let line = line.trim_start_matches(['│', '┃', ' ']);
                        line.starts_with(name) && !line[1..].starts_with(char::is_alphanumeric)
                    };
                    text.lines().position(is_rank).unwrap()
                };
                row('6') - row('7')
            };
            let small = rank(&mut stage);
            stage.keys("z");
            let large = rank(&mut stage);
            assert!(large >= small, "{game} {columns}: {large} {small}\n{}", stage.text());
        }
    }
}

#[test]
fn zoomed_panes_fill_the_screen() {
    let mut stage = searching(App::usual(), 80, 24, 700);
    stage.keys("f6 4 z enter");
    assert_snapshot!("zoomed_cache", stage.text());
    stage.keys("1");
    assert_snapshot!("zoomed_board", stage.text());
}

/// The open command line leaves the zoomed pane in sight, and room for the list of completions; Esc ends the zoom first.
#[test]
fn a_line_is_typed_below_a_zoomed_pane() {
    for (game, moves) in [("morris", "play d6 f4"), ("chess", "play e4 e5")] {
        for (columns, rows) in [(80, 24), (140, 40)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), moves, "step 900"]).keys("esc esc 4 z");
            let zoomed = |stage: &Stage| stage.state().areas().of("cache").unwrap();
            let before = zoomed(&stage);
            stage.keys("e");
            let after = zoomed(&stage);
            assert!(stage.state().focus == "command" && after.width == before.width, "{game}");
            let entry = stage.state().data.entry.as_ref().unwrap().key.clone();
            assert!(after.height > rows / 2 && stage.text().contains(&entry), "{}", stage.text());
            stage.keys("esc");
            assert!(stage.state().zoomed && stage.state().focus == "cache");
            let shown = stage.state().shown.clone();
            assert!(shown != BoardOf::Position && stage.text().contains("Esc unzoom"));
            stage.keys("esc");
            assert!(!stage.state().zoomed && stage.state().shown == shown, "{game}");
        }
    }
}

#[test]
fn a_screen_without_room() {
    assert_snapshot!(Stage::new(20, 5).text(), @"
    plyscope needs 40x12
    this is 20x5.
    Make the window
    larger, or leave
    with q.
    ");
}

#[test]
fn the_screen_after_a_failure() {
    let mut stage = Stage::new(80, 24);
    stage.keys("f6 f6 U");
    let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
    assert!(said.starts_with("nothing to undo; "), "what and why, not the hint alone: {said}");
    stage.keys("5");
    assert_snapshot!("failure", stage.text());
}

#[test]
fn ascii_is_ascii() {
    for (columns, rows) in [(80, 24), (140, 40), (60, 20), (200, 60)] {
        let mut stage = searching(ascii(), columns, rows, 700);
        for keys in ["f6", "2", "3", "4", "enter", "5", "6", "f1"] {
            stage.keys(keys);
            let buffer = stage.buffer();
            let foreign: Vec<_> = buffer
                .content
                .iter()
                .map(ratatui::buffer::Cell::symbol)
                .filter(|symbol| !symbol.is_ascii())
                .collect();
            assert!(foreign.is_empty(), "{foreign:?}");
        }
    }
}

#[test]
fn without_colour_nothing_is_coloured_and_the_focus_is_seen() {
    for (columns, rows) in [(80, 24), (140, 40)] {
        let mut stage = searching(plain(), columns, rows, 700);
        stage.keys("f6");
        let mut screens = Vec::new();
        for pane in ["board", "stack", "cache", "log"] {
            stage.driver.app.focus(pane);
            stage.keys("f20");
            for cell in &stage.buffer().content {
                assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
            }
            screens.push(stage.text());
        }
        let before = screens.len();
        screens.dedup();
        assert_eq!(screens.len(), before);
    }
}

#[test]
fn the_selected_frame_has_a_sign_as_well_as_a_colour() {
    let stage = searching(plain(), 80, 24, 700);
    let text = stage.text();
    let row = text.lines().position(|line| line.contains("│▸")).unwrap();
    let buffer = stage.buffer();
    let cell = &buffer[(40, row as u16)];
    assert!(cell.modifier.contains(Modifier::REVERSED));
}

#[test]
fn the_title_names_the_timeline_where_there_are_several() {
    let mut stage = searching(App::usual(), 80, 24, 700);
    stage.lines(&["fork what-if"]);
    let text = stage.text();
    let title = text.lines().next().unwrap();
    assert!(title.contains("PAUSED at event 699, timeline what-if"), "{title}");
}

#[test]
fn chess_has_the_same_screens() {
    let searching = |app, columns, rows| {
        let mut stage = Stage::with(app, columns, rows);
        stage.lines(&["game chess", "play e4 e5 Nf3", "search set depth=3 memo=bound", "step 400"]);
        stage.text()
    };
    assert_snapshot!("chess_80x24", searching(App::usual(), 80, 24));
    assert_snapshot!("chess_140x40", searching(App::usual(), 140, 40));
    assert_snapshot!("chess_ascii", searching(ascii(), 80, 24));
    assert_snapshot!("chess_140x40_ascii", searching(ascii(), 140, 40));
}

/// The text of the board's frame, of the lines above its lower edge, without line breaks, and the row of messages.
fn caption(stage: &Stage) -> String {
    let areas = stage.state().areas();
    let board = areas.of("board").unwrap();
    let buffer = stage.buffer();
    let row = |(area, y): (ratatui::layout::Rect, u16)| {
        let cells = (area.x + 1..area.right() - 1).map(|x| buffer[(x, y)].symbol());
        cells.collect::<String>().trim_matches(['━', '─', ' ']).to_owned()
    };
    let rows = (board.y..board.bottom()).map(|y| (board, y));
    rows.chain([(areas.messages, areas.messages.y)]).map(row).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_caption_is_drawn_completely() {
    let ended = "ww....../b.b.b.../........ w 0 0";
    let morris = [
        ("......../......../........ w 9 9", ""),
        ("ww.ww.../.bb...../......b. w 5 6", "g 7 enter"),
        ("w.w.w.../b.b.b.../w....... w 0 0", "b 6 enter"),
        ("w.w.w.../b.b.b.../w....... w 0 0", "a 7 enter"),
        ("ww....../b.b.b.../....w..b w 0 0", "e 3 enter c 1 enter"),
        ("ww....../bbb...../......b. w 7 5", "P w a"),
        (ended, ""),
        (ended, "a 7 enter"),
    ];
    let chess = [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", ""),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""),
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", ""),
        ("8/8/4k3/7R/8/4K3/8/8 w - - 100 90", ""),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e 7 enter d 8 enter"),
        ("4k3/8/8/8/8/8/8/4K2R b K - 0 1", "a 1 enter"),
    ];
    for size in [(80, 24), (100, 30), (140, 40)] {
        for (game, states) in [("morris", &morris[..]), ("chess", &chess[..])] {
            for (state, keys) in states {
                let mut stage = Stage::new(size.0, size.1);
                stage.lines(&[&format!("game {game}"), &format!("position set {state}")]);
                stage.keys("esc");
                if !keys.is_empty() {
                    stage.keys(keys);
                }
                let app = &stage.driver.app;
                let words = app.panes[0].pane.says(&app.state).unwrap();
                let caption = caption(&stage);
                assert!(caption.contains(&words), "{words:?} of {state}\n{}", stage.text());
            }
        }
    }
}

#[test]
fn the_best_moves_are_marked_on_the_board_until_a_move_is_played() {
    for (game, moves, best) in
        [("morris", "play a1 d1 b2 d2", "hint: 1 d3"), ("chess", "play e4 d5", "hint: 1 Nc3")]
    {
        for (columns, rows) in [(80, 24), (140, 40)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), moves, "hint --depth 2"]);
            // The speed differs at every run.
            stage.driver.app.state.log = Log::default();
            stage.keys("esc");
            assert!(stage.text().contains(best), "{}", stage.text());
            assert_snapshot!(format!("hints_{game}_{columns}x{rows}"), stage.text());
            stage.keys(if game == "chess" { "e 4 enter d 5" } else { "d 3 enter" });
            assert!(!stage.text().contains(best), "{}", stage.text());
        }
    }
}

#[test]
fn digits_on_the_board_are_plies_of_a_line_and_each_move_has_both_its_ends() {
    /// The signs on the board, without the names of files and ranks.
    fn signs(stage: &Stage) -> String {
        let areas = stage.state().areas();
        let board = areas.of("board").unwrap();
        let buffer = stage.buffer();
        let inside = |(x, y): (u16, u16)| buffer[(x, y)].symbol().to_owned();
        let cells = (board.y + 1..board.bottom() - 1)
            .flat_map(|y| (board.x + 1..board.right() - 1).map(move |x| (x, y)))
            .filter(|(x, y)| buffer[(*x, *y)].bg != stage.state().look.text.bg.unwrap());
        cells.map(inside).collect()
    }
    let count = |text: &str, sign: char| text.chars().filter(|it| *it == sign).count();
    let morris = "position set w.w.w.../b.b.b.../w....... w 0 0";
    for (game, position) in [("chess", "play e4 d5"), ("morris", morris)] {
        for (columns, rows) in [(40, 12), (80, 24), (140, 40)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), position, "search run --depth 3"]);
            stage.keys("esc esc esc");
            let text = signs(&stage);
            let ends = ['1', '2', '&'].map(|sign| count(&text, sign)).iter().sum::<usize>();
            assert!(count(&text, '1') == 2 && ends >= 4, "{text}\n{}", stage.text());
            stage.lines(&["hint --depth 2"]).keys("esc esc");
            let text = signs(&stage);
            assert!(count(&text, '1') >= 2, "{text}\n{}", stage.text());
            assert!(columns < 80 || stage.text().contains("hint: 1 "), "{}", stage.text());
        }
    }
}

#[test]
fn the_value_is_beside_the_board_of_the_searched_position_only() {
    for (game, moves) in [("morris", "play a1 d1 b2"), ("chess", "play e4 e5 Nf3")] {
        for (columns, rows) in [(80, 24), (140, 40)] {
            for (app, look) in [(App::usual(), ""), (ascii(), "_ascii"), (plain(), "_plain")] {
                let mut stage = Stage::with(app, columns, rows);
                stage.lines(&[&format!("game {game}"), moves, "search run --depth 3"]);
                // The speed differs at every run.
                stage.driver.app.state.log = Log::default();
                stage.keys("f6");
                let name = format!("found_{game}_{columns}x{rows}{look}");
                // The sheet tells the duration of the search, which differs at every run.
                let masked = |line: &str| {
                    let is_time = line.contains("time ") && line.contains("nodes/s");
                    if is_time { "(time)".to_owned() } else { line.to_owned() }
                };
                let text: Vec<_> = stage.text().lines().map(masked).collect();
                assert_snapshot!(name, text.join("\n"));
                assert!(stage.text().contains("White "), "{}", stage.text());
            }
        }
    }
}

#[test]
fn results_are_not_shown_on_another_position() {
    for game in ["morris", "chess"] {
        let found = |stage: &Stage| stage.text().contains("│ search: White ");
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), "play e4", "search set depth=3", "step 400"]);
        assert!(!found(&stage), "a frame is another position\n{}", stage.text());
        stage.lines(&["frame 0"]);
        assert!(found(&stage), "the root is the position searched\n{}", stage.text());
        stage.lines(&["continue; undo"]);
        assert!(!found(&stage), "{}", stage.text());
    }
}
