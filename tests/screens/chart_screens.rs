//! The chart pane with comparisons and trainings.

use std::collections::BTreeSet;

use crossterm::event::{Event, KeyCode};
use insta::assert_snapshot;
use ratatui::style::Color;

use crate::stage::{Stage, ascii, plain};
use plyscope::{
    engine::session::search::Run,
    tui::{app::App, data::Query},
};

const SWEEP: &str = "weights compare --sweep mills=0..8:1 --depth 2";
const COMPARE: &str =
    "weights compare default stones=3,mills=1 --suite standard --depth 2 --limit 2";
const ABLATE: &str = "weights compare --ablate --depth 2";

fn after(app: App, columns: u16, rows: u16, line: &str) -> Stage {
    let mut stage = Stage::with(app, columns, rows);
    stage.lines(&[line]);
    stage
}

#[test]
fn the_chart_pane_before_there_is_a_chart() {
    let mut stage = Stage::new(80, 24);
    stage.keys("f6 9");
    assert_eq!(stage.state().focus, "chart");
    assert_snapshot!("chart_none", stage.text());
}

#[test]
fn a_chart_comes_to_the_front_with_its_answer() {
    let stage = after(App::usual(), 80, 24, SWEEP);
    assert_eq!((stage.state().tab, stage.state().focus), ("chart", "command"));
    assert_snapshot!("chart_sweep_80x24", stage.text());
    assert_snapshot!("chart_sweep_ascii", after(ascii(), 80, 24, SWEEP).text());
    assert_snapshot!("chart_sweep_60x20", after(App::usual(), 60, 20, SWEEP).text());
}

#[test]
fn on_a_large_screen_the_chart_replaces_stack_and_tree() {
    let mut stage = after(App::usual(), 140, 40, COMPARE);
    assert_snapshot!("chart_compare_140x40", stage.text());
    let shown = |stage: &Stage, pane| stage.state().areas().of(pane).is_some();
    stage.keys("f6 4");
    assert!(shown(&stage, "chart") && shown(&stage, "cache"));
    stage.keys("2");
    assert!(!shown(&stage, "chart") && shown(&stage, "stack") && shown(&stage, "tree"));
    stage.keys("9");
    assert!(shown(&stage, "chart") && !shown(&stage, "stack"));
    assert_snapshot!("chart_ablate_140x40", after(ascii(), 140, 40, ABLATE).text());
}

/// When a search ends with its game, the chart of the search leaves its place to the panes of the game.
#[test]
fn an_empty_chart_leaves_its_place() {
    for (game, moves) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        for size in [(80, 24), (140, 40)] {
            let mut stage = Stage::new(size.0, size.1);
            stage.lines(&[&format!("game {game}"), moves, "search run --depth 3"]);
            stage.keys("esc esc 9 1");
            assert_eq!(stage.state().tab, "chart", "{game} {size:?}");
            stage.keys("x y");
            let (tab, areas) = (stage.state().tab, stage.state().areas());
            assert_eq!(tab, "game", "{game} {size:?}: {}", stage.text());
            assert!(areas.of("game").is_some() && areas.of("chart").is_none());
        }
    }
}

#[test]
fn a_zoomed_chart_has_its_description_which_scrolls() {
    let mut stage = after(App::usual(), 100, 30, &COMPARE.replace("--limit 2", "--limit 9"));
    stage.keys("f6 9 z");
    let before = stage.text();
    assert!(before.contains("suite standard"), "{before}");
    stage.keys("pagedown");
    assert_ne!(stage.text(), before);
    stage.keys("home");
    assert_eq!(stage.text(), before);
}

#[test]
fn without_colour_lines_differ_by_their_signs() {
    let stage = after(plain(), 140, 40, SWEEP);
    for cell in &stage.buffer().content {
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
    }
    let text = stage.text();
    assert!(text.contains("* the same") && text.contains("o a common"), "{text}");
}

#[test]
fn no_size_is_too_small() {
    for (columns, rows) in [(20, 5), (40, 12), (41, 13), (60, 16), (76, 20), (200, 60)] {
        for line in [SWEEP, ABLATE] {
            let mut stage = after(App::usual(), columns, rows, line);
            stage.keys("f6 9 z z");
            assert!(!stage.text().is_empty());
        }
    }
}

#[test]
fn every_tab_is_found_where_it_is_drawn() {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let mut stage = after(App::usual(), 80, 24, SWEEP);
    let front = [
        ("stack", '2'),
        ("tree", '3'),
        ("cache", '4'),
        ("log", '5'),
        ("eval", '6'),
        ("chart", '9'),
    ];
    let mut clicked = BTreeSet::new();
    for (start, _) in front {
        for (wanted, number) in front {
            stage.driver.app.focus(start);
            let text = stage.text();
            // A pane below the tabs has a title of its own.
            if !stage.state().areas().tabs.contains(&wanted) {
                continue;
            }
            let row = text.lines().nth(1).unwrap();
            // `…` stands for tabs without room.
            let Some(byte) = row.rfind(&format!("{number} ")) else { continue };
            let column = row[..byte].chars().count() as u16;
            stage.event(&Event::Mouse(MouseEvent {
                kind: MouseEventKind::Down(MouseButton::Left),
                column,
                row: 1,
                modifiers: KeyModifiers::NONE,
            }));
            assert_eq!(stage.state().tab, wanted, "{row}");
            clicked.insert(wanted);
        }
    }
    assert!(clicked.len() >= 4, "{clicked:?}");
}

#[test]
fn a_search_has_curves_while_it_runs_and_afterwards() {
    for (app, (columns, rows), name) in [
        (App::usual(), (80, 24), "curves"),
        (ascii(), (80, 24), "curves_ascii"),
        (App::usual(), (140, 40), ""),
    ] {
        let mut stage = Stage::with(app, columns, rows);
        stage.lines(&[SWEEP, "search run --depth 2"]);
        stage.keys("esc esc 9");
        let app = &mut stage.driver.app;
        let run = app.state.data.get::<Run>().unwrap().clone();
        for slice in 1..=600_u64 {
            let ms = Some(slice as f64 * 60.0);
            let mut run = Run { nodes: slice * slice * 30, ms, ..run.clone() };
            (run.cache.hits, run.cache.misses) = (slice * 10, slice * slice / 10);
            run.cache.entries = slice as usize * 1200;
            app.state.curves.take(&run, Some(1_000_000), true);
        }
        app.looked_up();
        if name.is_empty() {
            let text = stage.text();
            assert_eq!(text.matches("by seconds").count(), 3, "{text}");
            assert!(text.contains("600 k│"), "{text}");
            continue;
        }
        assert_snapshot!(name, stage.text());
    }
}

/// Samples of one moment, as of a replay, would give rates of millions of nodes in no time.
#[test]
fn without_time_there_is_no_rate() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "search run --depth 2"]);
        let app = &mut stage.driver.app;
        let run = app.state.data.get::<Run>().unwrap().clone();
        for nodes in 0..20 {
            for ms in [None, Some(5.0)] {
                let run = Run { nodes: nodes * 10_000, ms, ..run.clone() };
                app.state.curves.take(&run, None, true);
            }
        }
        assert!(app.state.curves.is_empty(), "{game}");
    }
}

#[test]
fn the_time_left_is_that_of_the_nearest_limit() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), "search run --depth 2"]).keys("esc esc 8 z");
        let run = stage.state().data.get::<Run>().unwrap().clone();
        let limits = Run { time_ms: Some(8_000), budget: Some(900_000), ..run };
        stage.driver.app.state.searching = true;
        let now = Run { ms: Some(6_000.0), nodes: 1_000, ..limits.clone() };
        stage.driver.app.state.data.put(Query::SearchResult, now);
        let text = stage.text();
        assert!(text.contains("75.0 %") && text.contains("2.00 s left"), "{text}");
        let now = Run { ms: Some(1_000.0), nodes: 450_000, ..limits };
        stage.driver.app.state.data.put(Query::SearchResult, now);
        let text = stage.text();
        assert!(text.contains("50.0 % of 900,000") && text.contains("1.00 s left"), "{text}");
    }
}

#[test]
fn a_short_search_has_a_bar_for_each_iteration() {
    for game in ["morris", "chess"] {
        for (columns, rows) in [(80, 24), (140, 40)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), "search run --depth 3"]).keys("esc esc 9");
            let text = stage.text();
            assert!(text.contains("events by depth"), "{game}: {text}");
            let bars_of = |stage: &Stage| {
                let text = stage.text();
                [1, 2, 3].map(|depth| {
                    let depth = format!("depth {depth}  ");
                    let line = text.lines().find(|line| line.contains(&depth)).unwrap();
                    line.split(&depth).nth(1).unwrap().matches(['█', '▇']).count()
                })
            };
            let bars = bars_of(&stage);
            assert!(bars[0] < bars[1] && bars[1] < bars[2], "{game}: {bars:?}");
            // The bars are those of the recording, wherever the search stands in it.
            stage.lines(&["goto 20"]).keys("esc esc esc 9");
            assert!(bars == bars_of(&stage), "{game}: {bars:?}\n{}", stage.text());
            // With few rows, the chart leaves room for the panes that a higher one covers.
            let shown = |stage: &Stage, pane| stage.state().areas().of(pane).is_some();
            assert_eq!(shown(&stage, "stack") && shown(&stage, "tree"), columns == 140, "{text}");
            stage.keys("2");
            assert!(shown(&stage, "stack") && !shown(&stage, "chart"), "{game}");
        }
    }
}

#[test]
fn the_comparison_is_a_key_away() {
    let mut stage = Stage::new(100, 30);
    stage.lines(&["search run --depth 1", SWEEP]);
    stage.keys("esc 9");
    let run = stage.state().data.get::<Run>().unwrap().clone();
    for nodes in 1_000..1_010 {
        let ms = Some(nodes as f64);
        stage.driver.app.state.curves.take(&Run { nodes, ms, ..run.clone() }, None, true);
    }
    stage.driver.app.looked_up();
    assert!(stage.text().contains("% hits"), "{}", stage.text());
    stage.driver.app.event(&Event::Key(KeyCode::Char('c').into()));
    assert!(!stage.text().contains("% hits"), "{}", stage.text());
}

/// An entry that does not replace a search may still change its window: the screen says how many did.
#[test]
fn entries_that_change_the_window_are_counted() {
    for (game, memo, depth) in
        [("morris", "bound", 5), ("morris", "interval", 5), ("chess", "bound", 3)]
    {
        for (columns, rows) in [(80, 24), (140, 40)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), &format!("search set memo={memo}")]);
            stage.lines(&[&format!("search run --depth {depth}")]);
            let cache = stage.state().data.get::<Run>().unwrap().cache;
            let changed = cache.changed_window;
            assert!(0 < changed && changed <= cache.invalid, "{game} {memo} {cache:?}");
            stage.keys("esc esc");
            stage.driver.app.focus("counters");
            let words = format!("invalid {} ({changed} changed the window)", cache.invalid);
            assert!(stage.text().contains(&words), "{words}\n{}", stage.text());
        }
    }
}
