//! Every key in the help does something where the help lists it.

use crate::stage::Stage;
use crossterm::event::{Event, KeyEvent};
use plyscope::tui::{
    keymap::Action,
    keys::KeyPress,
    log::LogLine,
    panes::{all, keymap},
    state::Effect,
};

/// A search in progress, with moves to take back and lines to scroll.
fn busy(game: &str) -> Stage {
    let mut stage = Stage::new(100, 24);
    let moves = if game == "chess" { "play e4 e5" } else { "play a1 d1" };
    stage.lines(&[&format!("game {game}"), moves]);
    stage.lines(&["search set depth=4 memo=bound", "break kind=cutoff ply=1", "step 900"]);
    stage.lines(&[["echo line"; 20].join(";").as_str()]);
    stage
}

/// The screen's text and state, and its requests to terminal and shell.
fn trace(stage: &Stage) -> String {
    let all = stage.state();
    let requested = (&all.effects, &all.queue, &all.overlay, &all.status);
    let view = (all.focus, all.tab, all.zoomed, &all.shown, all.look.name, all.mouse);
    format!("{requested:?} {view:?}\n{}", stage.text())
}

#[test]
fn every_key_of_the_help_does_something_where_it_says_so() {
    for game in ["morris", "chess"] {
        press_all(&mut busy(game), game);
    }
}

#[test]
fn every_key_says_something_in_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.jsonl");
    let mut stage = Stage::new(100, 24);
    stage.lines(&["game chess", "play e4 e5", "search set memo=bound"]);
    stage.lines(&[&format!("trace record '{}' --depth 2", file.display())]);
    stage.lines(&[&format!("trace open '{}'", file.display()), "step 90"]);
    stage.lines(&[["echo line"; 20].join(";").as_str()]);
    assert!(stage.text().starts_with(" TRACE"), "{}", stage.text());
    press_all(&mut stage, "a trace");
}

/// Presses every key of the help in every pane.
fn press_all(stage: &mut Stage, game: &str) {
    for pane in all() {
        let (name, place) = (pane.name, stage.driver.app.key_place(&pane));
        let map = keymap();
        for (row, keys) in map.rows(place) {
            // A pane that shows all its lines cannot be scrolled.
            let scrolls = matches!(row.action, Action::Scroll(_) | Action::Page(_));
            let is_trace = stage.state().is_trace();
            if scrolls && (is_trace || !["cache", "log"].contains(&name)) {
                continue;
            }
            for key in keys {
                let all = &mut stage.driver.app.state;
                (all.overlay, all.status, all.zoomed) = (None, None, false);
                all.queue.clear();
                all.effects.clear();
                // The counters are below the stack here.
                let there = [Action::Go(name), Action::Go("counters")].contains(&row.action);
                let other = if there { "eval" } else { name };
                stage.driver.app.focus(other);
                // The command begun by the key before.
                stage.driver.app.event(&Event::Key(crossterm::event::KeyCode::Esc.into()));
                stage.driver.app.state.queue.clear();
                stage.driver.app.focus(other);
                if is_trace && stage.state().focus != other {
                    // The pane has nothing to show in a trace.
                    continue;
                }
                if scrolls {
                    // The cache pane begins with its first line, the log with its last.
                    let (end, aside) = match name {
                        "cache" => ("home", "down"),
                        _ => ("end", "up"),
                    };
                    for aside in [end, aside, aside, aside] {
                        let aside: KeyPress = aside.parse().unwrap();
                        stage.driver.app.event(&Event::Key(KeyEvent::from(aside)));
                    }
                }
                stage.driver.app.state.status = None;
                let before = trace(stage);
                stage.driver.app.event(&Event::Key(KeyEvent::from(key)));
                let mut after = trace(stage);
                if before == after {
                    // The change may show only in the cache pane, after its refresh.
                    stage.driver.settle();
                    after = trace(stage);
                }
                let said = stage.state().status.as_ref();
                let dead = said.is_some_and(|(_, text)| text.contains("does nothing here"));
                assert!(
                    before != after && !dead,
                    "{key} ({}) does nothing in {name} of {game}",
                    row.name
                );
            }
        }
    }
}

/// A key of other panes names them.
#[test]
fn a_key_that_does_nothing_names_the_panes_where_it_acts() {
    for game in ["morris", "chess"] {
        let mut stage = busy(game);
        stage.keys("esc esc 1 t");
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert_eq!(
            said, "t does nothing here, but in 3 Tree, 4 Cache; F1 lists the keys",
            "{game}"
        );
    }
}

#[test]
fn every_command_line_of_a_key_can_be_run() {
    for game in ["morris", "chess"] {
        let mut stage = busy(game);
        let map = keymap();
        let place = all()[0].key_place();
        let lines = map.rows(place).into_iter().filter_map(|(row, _)| match &row.action {
            // The game has no variation, and no file of games is open.
            Action::Run(line) => {
                Some(line.clone()).filter(|line| !["variation leave", "games"].contains(&&**line))
            }
            Action::Jump(line) => Some((*line).to_owned()),
            _ => None,
        });
        for line in lines.collect::<Vec<_>>() {
            let wanted = if line == "redo" { "undo" } else { "step 900" };
            stage.lines(&["search set depth=3", wanted, &line.replace("{event}", "899")]);
            let (kind, said) = stage.state().log.lines().back().unwrap();
            assert_ne!(*kind, LogLine::Failure, "{line} in {game}: {said}");
        }
    }
}

#[test]
fn another_position_is_set_up_by_changing_the_one_shown() {
    for game in ["morris", "chess"] {
        let mut stage = busy(game);
        stage.keys("esc esc P");
        let position = stage.state().position().unwrap();
        let typed = Effect::Type(format!("position set {position}"));
        assert_eq!((stage.effects.last(), stage.state().focus), (Some(&typed), "command"));
        stage.lines(&[&format!("position set {position}")]);
        assert!(stage.state().log.lines().iter().all(|(kind, _)| *kind != LogLine::Failure));
    }
}

#[test]
fn an_entry_removed_by_a_key_is_brought_back_by_a_key() {
    for game in ["morris", "chess"] {
        for policy in ["interval", "bound", "rote"] {
            let mut stage = Stage::new(100, 30);
            let moves = if game == "chess" { "play e4 e5" } else { "play a1 d1" };
            let game = format!("game {game}");
            stage.lines(&[
                &game,
                moves,
                &format!("search set memo={policy} depth=2"),
                "search run",
            ]);
            if policy == "rote" {
                stage.lines(&["cache set here value=-0.25"]);
            }
            stage.lines(&["search drop", "step 20"]);
            stage.keys("esc 4 down up");
            let list = |stage: &Stage| {
                let data = &stage.state().data;
                let list = data.get::<plyscope::engine::session::cache::CacheList>().unwrap();
                let mut entries = list.entries.clone();
                for entry in &mut entries {
                    (entry.uses, entry.edited) = (None, false);
                }
                entries.sort_by(|one, other| one.key.cmp(&other.key));
                entries
            };
            let before = list(&stage);
            let moves =
                stage.state().data.get::<plyscope::engine::session::position::PositionReport>();
            let moves = moves.unwrap().undo;
            assert!(!before.is_empty(), "{policy}");
            stage.keys("d");
            assert_eq!(list(&stage).len() + 1, before.len(), "{}", stage.text());
            stage.keys("U");
            assert!(list(&stage) == before, "{game} {policy}: {:?}", stage.state().log.lines());
            let position =
                stage.state().data.get::<plyscope::engine::session::position::PositionReport>();
            assert_eq!(position.unwrap().undo, moves, "no move is taken back");
            assert!(!stage.state().data.frames().is_empty(), "the search stands where it stood");
        }
    }
}

#[test]
fn escape_leaves_step_by_step_and_swallows_no_letter() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["step 20"]);
    stage.keys("esc 4 : esc");
    assert_eq!(stage.state().focus, "cache", "back to where the command line was called");
    stage.keys("esc esc");
    assert_eq!(stage.state().focus, "board");
    stage.keys(": alt-x");
    assert_eq!(stage.state().focus, "command", "the line editor has a use for Alt");
    stage.keys("esc 4 alt-z");
    assert!(stage.state().zoomed && stage.state().focus == "board", "Esc and z in a hurry");
}

#[test]
fn the_help_finds_the_words_of_the_key_bar() {
    let mut words = std::collections::BTreeSet::new();
    for game in ["morris", "chess"] {
        let mut stage = busy(game);
        stage.driver.app.state.size = (200, 60);
        for pane in all() {
            stage.driver.app.focus(pane.name);
            words.extend(bar_words(&stage.text()));
        }
        stage.lines(&["search drop"]).keys("esc esc");
        words.extend(bar_words(&stage.text()));
    }
    assert!(words.len() > 20, "{words:?}");
    let mut stage = Stage::new(100, 30);
    let mut is_unknown = |word: &String| {
        stage.driver.app.state.overlay = None;
        stage.keys("f1");
        for sign in word.chars() {
            stage.keys(&sign.to_string());
        }
        stage.text().contains("there is no help on")
    };
    words.retain(|word| is_unknown(word));
    assert!(words.is_empty(), "not found: {words:?}");
}

/// The words of the last row of a screen, which has the labels of keys.
fn bar_words(text: &str) -> Vec<String> {
    let bar = text.lines().last().unwrap_or_default();
    let is_word =
        |word: &&str| word.len() > 2 && word.chars().all(|sign| sign.is_ascii_lowercase());
    bar.split_whitespace().filter(is_word).map(str::to_owned).collect()
}
