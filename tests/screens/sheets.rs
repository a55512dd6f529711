//! Long answers on a sheet, and the ways to go on with a line.

use crate::stage::Stage;
use crossterm::event::Event;
use insta::assert_snapshot;
use plyscope::{
    command::Completions,
    repl::helper::Helper,
    tui::{demo, log::LogLine, state::Effect},
    view::Colour,
};
use rustyline::{Context, completion::Completer, history::MemHistory};
use std::sync::{Arc, Mutex};

#[test]
fn a_long_answer_stays_with_its_head_until_escape() {
    for (columns, rows) in [(80, 24), (140, 40)] {
        let mut stage = Stage::new(columns, rows);
        stage.lines(&["help cache set"]);
        assert_snapshot!(format!("sheet_{columns}x{rows}"), stage.text());
        assert_eq!(stage.driver.printed.drain(..).len(), 1);
        stage.keys("pagedown");
        stage.keys("esc");
        assert!(stage.state().sheet.is_none());
        assert_eq!(stage.state().focus, "command", "Esc closes the sheet first");
    }
}

#[test]
fn short_answers_and_what_panes_show_need_no_sheet() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        let moves = if game == "chess" { "play e4 e5" } else { "play a1 d1" };
        stage.lines(&[&format!("game {game}"), "search run --depth 1"]);
        assert!(stage.state().sheet.is_some(), "{game}");
        stage.lines(&[moves]);
        assert!(stage.state().sheet.is_none(), "the next command closes it");
        let printed = std::mem::take(&mut stage.driver.printed);
        assert_eq!(printed.last().unwrap().lines().count(), 1, "no board below the board");
        stage.lines(&["position show"]);
        assert!(stage.state().sheet.is_some(), "asked for, it is shown");
        stage.keys("esc esc i");
        assert!(stage.state().sheet.is_none(), "a hint is on the board");
    }
}

#[test]
fn a_sheet_breaks_its_lines_anew() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["help cache list"]);
    for (columns, rows) in [(140, 40), (100, 30), (80, 24), (60, 20)] {
        stage.event(&Event::Resize(columns, rows));
        let text = stage.text();
        assert!(text.contains("A condition compares depth"), "{text}");
        assert!(!text.lines().next().unwrap().contains("help cache"), "the header stays");
    }
}

/// What the line editor is offered, and what the screen is told.
fn completed(line: &str) -> (Vec<String>, Option<plyscope::repl::helper::Offers>) {
    let told = Arc::new(Mutex::new(None));
    let tell = Arc::clone(&told);
    let helper = Helper::new(Arc::new(Mutex::new(Completions::default())), Colour::Off)
        .showing(move |offers| *tell.lock().unwrap() = Some(offers));
    let history = MemHistory::new();
    let (_, found) = helper.complete(line, line.len(), &Context::new(&history)).unwrap();
    let told = told.lock().unwrap().take();
    let texts = found.iter().map(|offer| {
        use rustyline::completion::Candidate;
        offer.replacement().to_owned()
    });
    (texts.collect(), told)
}

#[test]
fn several_ways_are_listed_with_explanations_and_no_pager() {
    let (texts, offers) = completed("cache c");
    assert_eq!(texts, ["c"], "as far as all agree");
    let offers = offers.unwrap();
    assert!(offers.list.iter().all(|offer| !offer.help.is_empty()), "{offers:?}");
    let (texts, offers) = completed("cache cle");
    assert_eq!((texts, offers), (vec!["clea".to_owned()], completed("cache cle").1));
    let mut stage = Stage::new(80, 24);
    stage.driver.app.state.offers = completed("cache c").1.map(|offers| (offers, None));
    assert_snapshot!("offers_80x24", stage.text());
    stage.keys("tab down enter");
    let inserted = stage.effects.iter().any(|effect| matches!(effect, Effect::Insert(1, _)));
    assert!(inserted, "{:?}", stage.effects);
    assert!(stage.state().offers.is_none());
    stage.driver.app.state.offers = completed("cache c").1.map(|offers| (offers, None));
    stage.keys("x");
    assert!(stage.state().offers.is_none(), "what is typed goes to the line");
    assert!(matches!(stage.effects.last(), Some(Effect::Key(_))));
}

#[test]
fn what_was_printed_breaks_anew_when_the_window_changes() {
    let mut terminal = plyscope::tui::pty::Emulator::new(60, 6);
    let words = "one two three four five six seven eight nine ten eleven twelve";
    terminal.process(words.as_bytes());
    for columns in [20, 11, 60] {
        terminal.resize(columns, 6);
    }
    let seen = terminal.screen().contents().replace('\n', "");
    assert!(seen.contains("ten eleven twelve"), "{seen}");
}

#[test]
fn the_demo_shows_its_words_and_runs_its_commands() {
    for (columns, rows) in [(80, 24), (140, 40)] {
        let mut stage = Stage::new(columns, rows);
        stage.driver.app.demo = demo::steps(None);
        stage.driver.app.show_demo(0);
        stage.driver.settle();
        for step in demo::steps(None) {
            let text = stage.text();
            for words in &step.words {
                assert!(text.contains(words), "{words}\n{text}");
            }
            let commands = step.commands().collect::<Vec<_>>().join("; ");
            assert!(text.contains(&format!("> {commands}")), "{commands}\n{text}");
            assert!(text.contains(demo::DEMO_KEYS.trim()) && step.words.len() <= 2, "{text}");
            let failed = stage.state().log.lines().iter().find(|line| line.0 == LogLine::Failure);
            assert_eq!(failed, None);
            stage.keys("space");
        }
        assert!(stage.state().overlay.is_none() && !stage.state().unsaved);
    }
    let mut stage = Stage::new(80, 24);
    for keys in ["q", "space space esc esc"] {
        stage.driver.app.demo = demo::steps(None);
        stage.driver.app.show_demo(0);
        stage.driver.settle();
        stage.keys(keys);
        assert!(stage.state().overlay.is_none(), "{keys}");
    }
}

#[test]
fn what_a_demo_still_does_when_it_ends_need_not_be_saved() {
    let steps = demo::steps(None);
    let mut stage = Stage::new(80, 24);
    stage.driver.app.demo.clone_from(&steps);
    for at in 0..steps.len() {
        stage.driver.app.show_demo(at);
        stage.driver.step();
        stage.driver.app.show_demo(steps.len());
        stage.driver.settle();
        assert!(!stage.state().unsaved, "{:?}", steps[at].lines);
    }
    stage.lines(&["position start"]);
    assert!(stage.state().unsaved);
}
