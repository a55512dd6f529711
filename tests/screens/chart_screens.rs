//! The chart pane: what comparisons and trainings look like.

use insta::assert_snapshot;
use plyscope::tui::app::App;
use ratatui::style::Color;

use crate::stage::{Stage, ascii, plain};

const SWEEP: &str = "weights compare --sweep mills=0..8:1 --depth 2";
const COMPARE: &str =
    "weights compare default stones=3,mills=1 --suite standard --depth 2 --list 2";
const ABLATE: &str = "weights compare --ablate --depth 2";

fn after(app: App, columns: u16, rows: u16, line: &str) -> Stage {
    let mut stage = Stage::with(app, columns, rows);
    stage.lines(&[line]);
    stage
}

#[test]
fn before_there_is_a_chart() {
    let mut stage = Stage::new(80, 24);
    stage.keys("f6 9");
    assert_eq!(stage.state().focus, "chart");
    assert_snapshot!("chart_none", stage.text());
}

#[test]
fn a_chart_comes_to_the_front_with_its_answer() {
    let stage = after(App::default(), 80, 24, SWEEP);
    assert_eq!((stage.state().tab, stage.state().focus), ("chart", "command"));
    assert_snapshot!("chart_sweep_80x24", stage.text());
    assert_snapshot!("chart_sweep_ascii", after(ascii(), 80, 24, SWEEP).text());
    assert_snapshot!("chart_sweep_60x20", after(App::default(), 60, 20, SWEEP).text());
}

#[test]
fn on_a_large_screen_it_takes_the_place_of_stack_and_tree() {
    let mut stage = after(App::default(), 140, 40, COMPARE);
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

#[test]
fn alone_it_has_its_words_too_and_they_scroll() {
    let mut stage = after(App::default(), 100, 30, &COMPARE.replace("--list 2", "--list 9"));
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
            let mut stage = after(App::default(), columns, rows, line);
            stage.keys("f6 9 z z");
            assert!(!stage.text().is_empty());
        }
    }
}

#[test]
fn every_tab_is_found_where_it_is_drawn() {
    use crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let mut stage = after(App::default(), 80, 24, SWEEP);
    let front = [
        ("stack", '2'),
        ("tree", '3'),
        ("cache", '4'),
        ("log", '5'),
        ("eval", '6'),
        ("chart", '9'),
    ];
    for (start, _) in front {
        for (wanted, number) in front {
            stage.driver.app.go_to(start);
            let text = stage.text();
            let row = text.lines().nth(1).unwrap();
            let byte = row.rfind(number).unwrap();
            let column = row[..byte].chars().count() as u16;
            stage.event(&Event::Mouse(MouseEvent {
                kind: MouseEventKind::Down(MouseButton::Left),
                column,
                row: 1,
                modifiers: KeyModifiers::NONE,
            }));
            assert_eq!(stage.state().tab, wanted, "{row}");
        }
    }
}
