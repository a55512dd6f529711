//! Control characters in files and user input are shown on the screen and never reach the terminal.

use plyscope::{
    text::{controls_terminal, cut, visible},
    tui::app::App,
};
use unicode_width::UnicodeWidthStr as _;

use crate::stage::{Stage, ascii};

const HOSTILE: &str = "a\x1b]52;c;eA==\x07\x1b[2J\u{9b}\u{202e}b";

#[track_caller]
fn assert_seen(stage: &mut Stage) {
    for pane in ["1", "2", "3", "4", "5", "6", "8", "9", "0"] {
        stage.keys(pane);
        let buffer = stage.buffer();
        let steering = buffer.content.iter().find(|cell| cell.symbol().contains(controls_terminal));
        assert!(steering.is_none(), "{steering:?} on\n{}", stage.text());
    }
}

#[test]
fn control_characters_never_reach_the_terminal_from_the_screen() {
    for game in ["morris", "chess"] {
        for (app, size) in [(App::usual(), (160, 48)), (ascii(), (80, 24))] {
            let mut stage = Stage::with(app, size.0, size.1);
            let lines = [
                "game #",
                "step 3",
                "mark '@'",
                "alias @ = echo",
                "weights define '@'",
                "display '@'",
                "player define '@' depth=1",
                "player define q depth=1",
                "match run '@' q --games 2",
                "search set depth='@'",
                "weights compare '@' default --depth 1",
                "session load 'no/@'",
                "echo '@'",
            ];
            let lines = lines.map(|line| line.replace('#', game).replace('@', HOSTILE));
            stage.lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
            for printed in stage.driver.printed.drain(..) {
                let printed =
                    printed.replace("\x1b[1;38;5;208m", "").replace("\x1b[1;38;5;75m", "");
                let printed = printed.replace("\x1b[0m", "");
                assert!(!printed.contains(controls_terminal), "{printed:?}");
            }
            stage.driver.app.state.file = Some(HOSTILE.into());
            stage.keys("f6");
            stage.driver.app.state.say(HOSTILE);
            assert!(stage.text().contains(r"\u{1b}]52"), "{}", stage.text());
            assert_seen(&mut stage);
        }
    }
}

#[test]
fn the_log_shows_what_is_hidden_in_a_text() {
    let mut stage = Stage::new(160, 48);
    stage.lines(&[&format!("echo '{HOSTILE}'")]).keys("esc");
    assert!(stage.text().contains(visible(HOSTILE).as_ref()), "{}", stage.text());
}

#[test]
fn texts_are_measured_in_columns() {
    for (text, columns, fits) in [
        ("weights", 7, "weights"),
        ("weights", 6, "weigh…"),
        ("九格棋", 6, "九格棋"),
        ("九格棋", 5, "九格…"),
        ("九格棋", 4, "九…"),
        ("♟️👩‍💻x", 3, "…"),
    ] {
        let cut = cut(text, columns);
        assert!(cut.width() <= columns, "{text} in {columns}: {cut}");
        if text.is_ascii() || text == "九格棋" {
            assert_eq!(cut, fits);
        }
    }
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        let name = "九路棋👍".repeat(30);
        stage.lines(&[&format!("game {game}"), &format!("echo {name}")]);
        stage.keys("f6 5");
        // A wide character takes two cells, the second of them empty: every line still ends with the frame.
        let buffer = stage.buffer();
        for row in 1..15 {
            let symbol = buffer[(79, row)].symbol();
            assert!("┃┓┛│┐┘█".contains(symbol), "row {row} ends with {symbol:?}\n{}", stage.text());
        }
        assert!(stage.text().contains("九"), "{}", stage.text());
    }
}
