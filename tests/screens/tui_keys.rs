//! Keys, clicks and pastes: their effects on the screen, and the commands that they run.

use crossterm::event::{Event, KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;

use ratatui::layout::Rect;

use crate::stage::Stage;
use plyscope::{
    engine::session::{
        cache::{CacheList, EntryReport},
        position::PositionReport,
        reply::Stop,
        search::Run,
    },
    tui::{
        data::BoardOf,
        driver::Step,
        log,
        state::{By, Effect, Losing, Overlay},
    },
};

/// The commands run by keys.
fn run_by_keys(stage: &Stage) -> Vec<String> {
    let lines = stage.state().log.lines().iter();
    lines.filter(|(kind, _)| *kind == log::LogLine::Key).map(|(_, text)| text.clone()).collect()
}

fn click(stage: &mut Stage, column: u16, row: u16) {
    stage.event(&Event::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }));
}

#[test]
fn panes_are_visited_in_turn() {
    let mut stage = Stage::new(80, 24);
    assert_eq!(stage.state().focus, "command");
    let mut seen = Vec::new();
    for _ in 0..8 {
        stage.keys("f6");
        seen.push(stage.state().focus);
    }
    assert_eq!(
        seen,
        ["board", "game", "stack", "tree", "cache", "log", "eval", "command"],
        "what has nothing to show covers nothing"
    );
    stage.keys("shift-f6");
    assert_eq!(stage.state().focus, "eval");
    stage.keys("8");
    assert_eq!(stage.state().focus, "counters");
    stage.keys("7");
    assert_eq!(
        stage.state().focus,
        "counters",
        "no digit goes to the command line, which takes digits as text"
    );
}

#[test]
fn keys_run_command_lines() {
    let mut stage = Stage::new(80, 24);
    stage.keys("f6 f6 s n o > ]");
    assert_eq!(run_by_keys(&stage), ["step", "next", "finish", "step 100", "continue"]);
    assert_eq!(stage.state().shown, BoardOf::Frame);
    stage.keys("[ > N O S");
    let back = ["back continue", "step 100", "back next", "back finish", "back"];
    assert_eq!(run_by_keys(&stage)[5..], back, "capitals and brackets go back");
    stage.keys("esc U");
    assert_eq!(stage.state().shown, BoardOf::Position);
}

#[test]
fn typed_text_goes_only_to_the_line_editor() {
    let mut stage = Stage::new(80, 24);
    stage.keys("s q ? 1 enter ctrl-c");
    assert_eq!(stage.effects.len(), 6);
    assert!(stage.effects.iter().all(|effect| matches!(effect, Effect::Key(_))));
    stage.keys("f11");
    assert_eq!(run_by_keys(&stage), ["step"]);
}

#[test]
fn a_mill_is_played_on_the_board() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["play a1 b2 a4 d2"]);
    stage.keys("f6 a 7 enter b 2 enter");
    assert_eq!(run_by_keys(&stage), ["play a7xb2"]);
    assert_eq!(stage.state().data.get::<PositionReport>().unwrap().undo, 5);
    stage.keys("U");
    assert_eq!(stage.state().data.get::<PositionReport>().unwrap().undo, 4);
}

#[test]
fn an_entry_is_shown_edited_and_removed() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["search run --depth 2"]);
    stage.keys("f6 4 j enter");
    let list = stage.state().data.get::<CacheList>().unwrap().clone();
    let key = list.entries[1].key.clone();
    assert_eq!(stage.state().shown, BoardOf::Entry(key.clone()));
    // The command waits for the value.
    stage.keys("e");
    let line = format!("cache set {key} value=");
    assert!(stage.effects.contains(&Effect::Type(line.clone())), "{:?}", stage.effects);
    stage.lines(&[&format!("{line}0.25")]);
    let entries = &stage.state().data.get::<CacheList>().unwrap().entries;
    assert_eq!(entries.iter().find(|it| it.key == key).map(|it| it.value.get()), Some(0.25));
    stage.keys("f6 4 d");
    assert_eq!(run_by_keys(&stage), [format!("cache get {key}"), format!("cache remove {key}")]);
    let entries = &stage.state().data.get::<CacheList>().unwrap().entries;
    assert!(entries.iter().all(|entry| entry.key != key));
}

#[test]
fn an_entry_removed_or_edited_is_restored() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=2 memo=bound", "search run"]);
        stage.keys("esc esc 4");
        let entries =
            |stage: &Stage| stage.state().data.get::<CacheList>().unwrap().entries.clone();
        let first = entries(&stage)[0].clone();
        let value = |stage: &Stage| {
            let entries = entries(stage).into_iter();
            entries.filter(|it| it.key == first.key).map(|it| it.value.get()).next()
        };
        stage.lines(&[&format!("cache set {} value=5e-1", first.key)]).keys("esc esc 4");
        assert_eq!(value(&stage), Some(0.5), "{game}");
        stage.keys("U");
        assert_eq!(value(&stage), Some(first.value.get()), "{game}: the edit is undone");
        let restored = "the entry is restored";
        assert!(stage.text().contains(restored), "{game}: {}", stage.text());
        stage.keys("U");
        assert!(stage.text().contains("no entry is left to restore"), "{}", stage.text());
        // Edits and removals are undone one by one, the last first.
        for line in ["set KEY value=5e-1", "set KEY value=25e-2", "remove KEY"] {
            stage.lines(&[&format!("cache {}", line.replace("KEY", &first.key))]);
        }
        stage.keys("esc esc 4");
        for before in [None, Some(0.25), Some(0.5), Some(first.value.get())] {
            assert_eq!(value(&stage), before, "{game}");
            stage.keys("U");
        }
    }
}

/// The value of another event would be wrong there.
#[test]
fn an_entry_is_restored_at_the_event_of_its_change() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=3 memo=bound", "search run"]);
        stage.keys("esc esc 4");
        let total = |stage: &Stage| stage.state().data.get::<CacheList>().unwrap().total;
        let before = total(&stage);
        stage.keys("d");
        assert_eq!(total(&stage), before - 1, "{game}");
        let there = total(stage.keys("S S 4"));
        let text = stage.keys("U").text();
        assert!(text.contains("the last change was made at event "), "{game}: {text}");
        assert!(!text.contains("U restore "), "{game}: {text}");
        assert_eq!(total(&stage), there, "{game}: {text}");
        stage.keys(") 4 U");
        assert_eq!(total(&stage), before, "{game}: {}", stage.text());
    }
}

#[test]
fn the_table_is_sorted_and_filtered() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["search run --depth 3"]);
    stage.keys("esc f6 4 t t");
    assert!(stage.text().contains("by depth, deepest first"));
    let depths = |stage: &Stage| -> Vec<_> {
        stage
            .state()
            .data
            .get::<CacheList>()
            .unwrap()
            .entries
            .iter()
            .filter_map(|entry| entry.depth)
            .collect()
    };
    assert!(depths(&stage).is_sorted_by(|a, b| a >= b));
    stage.keys("/ d e p t h = 1 enter");
    assert!(depths(&stage).iter().all(|depth| *depth == 1));
    stage.keys("/ up space a n d space b o u n d = e x a c t enter");
    assert!(stage.text().contains("depth=1 and b"));
    let list = stage.state().data.get::<CacheList>().cloned().unwrap();
    assert!(list.matching > 0 && list.matching < list.total);
    let exact = |entry: &EntryReport| entry.bound == Some("exact") && entry.depth == Some(1);
    assert!(list.entries.iter().all(exact));
    stage.keys("/ x enter");
    assert!(stage.text().contains("show only: x_"), "{}", stage.text());
    assert!(stage.state().data.get::<CacheList>().unwrap().entries.iter().all(exact));
}

#[test]
fn leaving_with_unsaved_work_needs_confirmation() {
    let mut stage = Stage::new(80, 24);
    stage.keys("f6 q");
    assert_eq!(stage.effects.pop(), Some(Effect::Leave));
    stage.lines(&["play a1"]);
    stage.keys("q");
    assert_eq!(stage.state().overlay, Some(Overlay::Unsaved(Losing::Leaving)));
    stage.keys("x n");
    assert_eq!((&stage.state().overlay, stage.effects.len()), (&None, 0));
    stage.lines(&["quit"]);
    assert_eq!(stage.state().overlay, Some(Overlay::Unsaved(Losing::Leaving)));
    stage.keys("y");
    assert_eq!(stage.effects.pop(), Some(Effect::Leave));
}

#[test]
fn saving_asks_for_a_file_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a b.ron");
    let mut stage = Stage::new(80, 24);
    stage.keys("f6 ctrl-s");
    assert_eq!(stage.effects.pop(), Some(Effect::Type("session save ".to_owned())));
    stage.lines(&["play a1", &format!("session save '{}'", file.display())]);
    assert!(!stage.state().unsaved);
    stage.lines(&["play d1"]);
    stage.keys("f6 ctrl-s");
    assert!(!stage.state().unsaved && stage.text().contains("saved"));
}

#[test]
fn clicks_choose_tabs_entries_and_points() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["search run --depth 2"]);
    stage.keys("esc");
    let tabs = stage.text().lines().nth(2).unwrap().to_owned();
    let column = tabs.split('4').next().unwrap().chars().count() as u16;
    click(&mut stage, column, 2);
    assert_eq!((stage.state().focus, stage.state().tab), ("cache", "cache"));
    click(&mut stage, 45, 6);
    let entries = &stage.state().data.get::<CacheList>().unwrap().entries;
    assert_eq!(stage.state().shown, BoardOf::Entry(entries[2].key.clone()));
    click(&mut stage, 10, 10);
    stage.keys("esc");
    let before = stage.state().data.get::<PositionReport>().unwrap().undo;
    click(&mut stage, 6, 3);
    assert_eq!(stage.state().data.get::<PositionReport>().unwrap().undo, before + 1);
}

#[test]
fn a_paste_goes_to_the_command_pane() {
    let mut stage = Stage::new(80, 24);
    stage.keys("f6");
    stage.event(&Event::Paste("play a1".to_owned()));
    assert_eq!(stage.state().focus, "command");
    assert_eq!(stage.effects.pop(), Some(Effect::Paste("play a1".to_owned())));
    stage.event(&Event::Paste("play a1\nplay d1\n".to_owned()));
    let said = "2 lines pasted: Enter runs them in order, ^C drops them";
    assert!(stage.text().contains(said), "{}", stage.text());
    // Some terminals send line ends as CR.
    stage.event(&Event::Paste("play a1\rplay d1\rundo\r".to_owned()));
    assert!(stage.text().contains("3 lines pasted"), "{}", stage.text());
    stage.keys("esc").lines(&["play a1; play a1; play d1"]);
    assert!(stage.text().contains("what follows it in the line was not run"), "{}", stage.text());
}

#[test]
fn a_running_search_is_not_disturbed() {
    let mut stage = Stage::new(80, 24);
    stage.driver.app.state.searching = true;
    let key: plyscope::tui::keys::KeyPress = "f11".parse().unwrap();
    stage.driver.app.event(&Event::Key(key.into()));
    assert!(stage.state().effects.is_empty() && stage.state().queue.is_empty());
    let refusal = stage.state().refusal();
    assert_eq!(refusal.as_deref(), Some("a command is running: ^C stops it"));
}

#[test]
fn positions_and_keys_are_copied() {
    let mut stage = Stage::new(80, 24);
    stage.keys("f6 y Y");
    let copied: Vec<_> =
        stage.effects.iter().filter(|effect| matches!(effect, Effect::Copy(_))).collect();
    let position = Effect::Copy("......../......../........ w 9 9".to_owned());
    assert_eq!(copied, [&position, &Effect::Copy("99000000000000".to_owned())]);
}

const KEYS: &[&str] = &[
    "f1",
    "f2",
    "f3",
    "f4",
    "f6",
    "shift-f6",
    "tab",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "z",
    "s",
    "S",
    "o",
    "u",
    "c",
    "x",
    "U",
    "R",
    "N",
    "p",
    "esc",
    "y",
    "Y",
    "w",
    "q",
    "up",
    "down",
    "pageup",
    "pagedown",
    "home",
    "end",
    "enter",
    "e",
    "d",
    "t",
    "/",
    "F",
    "T",
    "E",
    "a",
    "7",
    "space",
    "backspace",
    "left",
    "right",
    "?",
    "n",
    "f10",
    "f11",
    "f5",
    "ctrl-c",
    "ctrl-l",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn no_sequence_of_keys_and_sizes_panics(
        steps in prop::collection::vec((0..KEYS.len(), prop::option::of((1..=200_u16, 1..=60_u16))), 1..40),
    ) {
        let mut stage = Stage::new(80, 24);
        stage.lines(&["search set depth=2"]);
        for (key, size) in steps {
            if let Some((columns, rows)) = size {
                stage.event(&Event::Resize(columns, rows));
            }
            stage.keys(KEYS[key]);
            stage.buffer();
        }
    }
}

#[test]
fn the_keys_of_the_configuration_are_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.ron");
    std::fs::write(
        &file,
        "(keys: {\"step\": [\"ctrl-t\"], \"zoom\": []}, ascii: true, mouse: false)",
    )
    .unwrap();
    let config = plyscope::config::load(Some(&file)).unwrap();
    let prepare = || {
        plyscope::tui::prepare(
            &plyscope::tui::ScreenOptions::default(),
            &config,
            plyscope::view::Colour::On,
        )
        .unwrap()
    };
    let prepared = prepare().state;
    assert!(prepared.look.ascii && !prepared.mouse);
    for game in ["morris", "chess"] {
        let mut stage = Stage::with(prepare(), 80, 24);
        stage.lines(&[&format!("game {game}")]);
        stage.keys("f6 2 ctrl-t");
        assert_eq!(run_by_keys(&stage), ["step"]);
        stage.keys("s z");
        assert_eq!(run_by_keys(&stage), ["step"], "the usual keys are released");
        assert!(!stage.state().zoomed);
    }
}

#[test]
fn a_screen_too_narrow_or_too_low_says_so() {
    for (columns, rows, fits) in
        [(40, 12, true), (39, 60, false), (200, 11, false), (20, 5, false), (41, 13, true)]
    {
        let stage = Stage::new(columns, rows);
        let said = stage.text().contains("plyscope needs");
        assert_eq!(said, !fits, "{columns}x{rows}:\n{}", stage.text());
    }
}

#[test]
fn only_a_corner_of_an_enormous_screen_is_drawn() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "step"]);
        stage.event(&Event::Resize(u16::MAX, u16::MAX));
        let (columns, rows) = stage.state().size;
        assert!(columns >= 400 && rows >= 200, "{columns}x{rows}");
        assert!(u32::from(columns) * u32::from(rows) <= 1 << 20);
        // The counters are in the pane of the stack, and have one of their own once it is chosen.
        assert!(stage.text().contains("2 Stack") && stage.text().contains("│nodes "));
        assert!(stage.keys("esc esc 8").text().contains("Counters"));
    }
}

#[test]
fn the_selected_entry_is_always_in_sight() {
    for game in ["morris", "chess"] {
        for size in [(80, 24), (140, 40)] {
            let mut stage = Stage::new(size.0, size.1);
            stage.lines(&[&format!("game {game}"), "search run --depth 2"]);
            stage.keys("f6 4");
            let list = stage.state().data.get::<CacheList>().cloned().unwrap();
            let seen = |stage: &Stage, key: &str| {
                let has_sign = |line: &str| line.contains('▸') && line.contains(key);
                stage.text().lines().any(has_sign)
            };
            let most = list.entries.len().min(45);
            for (place, entry) in list.entries[..most].iter().enumerate() {
                let key: String = entry.key.chars().take(12).collect();
                assert!(seen(&stage, &key), "entry {place} of {game}\n{}", stage.text());
                stage.keys("down");
            }
        }
    }
}

#[test]
fn lines_that_fail_are_kept_from_the_suggestions() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["open /nowhere", "echo well", "game chess", "play e5"]);
    let failed = |stage: &Stage| stage.driver.shell.completions().failed;
    assert_eq!(failed(&stage), ["open /nowhere", "play e5"]);
    // What works later is suggested again.
    stage.lines(&["play e4", "play e5"]);
    assert_eq!(failed(&stage), ["open /nowhere"]);
}

#[test]
fn an_interrupt_stops_the_running_and_queued_commands_and_no_later_ones() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "search set memo=none"]);
        let driver = &mut stage.driver;
        for line in ["search run --depth 40; echo late", "echo later"] {
            driver.app.state.submit(line, By::Typing);
        }
        while driver.step() != Step::Search {
            let outcome = driver.shell.advance();
            driver.ran(outcome.as_ref());
        }
        assert!(driver.interrupt.request_stop().is_ok());
        driver.settle();
        assert!(stage.text().contains("‖ INTERRUPTED at event "), "{}", stage.text());
        // Long enough for the interrupt to be noticed.
        stage.lines(&["search run --depth 4", "echo now"]);
        let run = stage.state().data.get::<Run>().cloned().unwrap();
        assert_eq!((run.depth, run.stopped.map(Stop::name)), (4, Some("depth")));
        assert!(run.events > 10_000, "{}", run.events);
        let log = stage.state().log.lines();
        let has = |text: &str| log.iter().any(|(_, line)| line.contains(text));
        assert!(has("now") && !has("late"), "{log:?}");
    }
}

#[test]
fn the_cache_pane_loads_pages_as_the_cursor_moves() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["search set memo=interval leaves=on", "search run --depth 5"]);
    stage.keys("f6 4 end");
    let list = stage.state().data.get::<CacheList>().cloned().unwrap();
    assert!(list.offset > 0 && list.offset.is_multiple_of(500), "{}", list.offset);
    assert_eq!(list.offset + list.entries.len(), list.matching);
    stage.keys("up");
    assert_eq!(stage.state().data.get::<CacheList>().unwrap().offset, list.offset);
    stage.keys("home");
    assert_eq!(stage.state().data.get::<CacheList>().unwrap().offset, 0);
}

#[test]
fn a_filter_may_contain_quotes() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["search run --depth 2"]);
    stage.keys("f6 4");
    let list = stage.state().data.get::<CacheList>().cloned().unwrap();
    let position = list.entries[0].state.clone().unwrap();
    stage.keys("/");
    for sign in format!("state=\"{position}\"").chars() {
        stage.event(&Event::Key(KeyCode::Char(sign).into()));
    }
    stage.keys("enter");
    let list = stage.state().data.get::<CacheList>().cloned().unwrap();
    assert!(list.matching > 0 && list.matching < list.total, "{}", stage.text());
}

#[test]
fn a_filter_with_a_fault_stays_in_its_prompt_and_the_list_stays() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "search run --depth 2"]).keys("esc esc 4");
        let total = stage.state().data.get::<CacheList>().unwrap().total;
        stage.keys("/ d e p t h < enter");
        let text = stage.text();
        assert!(text.contains("show only: depth<_") && text.contains(" ! "), "{text}");
        let list = stage.state().data.get::<CacheList>().unwrap();
        assert_eq!((list.matching, list.total), (total, total));
        stage.keys("9 enter");
        let text = stage.text();
        assert!(text.contains(&format!("{total} of {total} by first store where")), "{text}");
    }
}

/// The filter stands below the list, and the numbers in the frame.
#[test]
fn a_filter_is_shown_once_and_whole() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), "search run --depth 3"]).keys("esc esc 4 /");
        let example = if game == "chess" { "value<-0.5," } else { "value<0," };
        assert!(stage.text().contains(example), "{game}: {}", stage.text());
        for key in "depth>=1 and value<9 and depth<12 and value>-9".chars() {
            let key = if key == ' ' { "space".to_owned() } else { key.to_string() };
            stage.keys(&key);
        }
        let text = stage.keys("enter").text();
        let title = text.lines().find(|line| line.contains(" 4 Cache · ")).unwrap();
        assert!(title.contains(" by first store ━"), "{title}");
        let (_, below) = text.split_once("where depth>=1 and ").unwrap();
        assert!(below.contains("value>-9") && !below.contains("where"), "{text}");
        // Values are shown in pawns, so a whole number is explained.
        let words = stage.keys("z").text().replace(['│', '┃'], " ");
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_explained = words.contains("-9 is -0.09 pawns; -9.0 is -9 pawns");
        assert_eq!(is_explained, game == "chess", "{words}");
    }
}

#[test]
fn a_filter_that_another_game_does_not_know_opens_no_prompt() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["play a1 b2", "search run --depth 2"]).keys("esc esc 4 / m i l l s = 0 enter");
    assert!(stage.text().contains(" where mills=0 "), "{}", stage.text());
    stage.lines(&["game chess", "search run --depth 2"]);
    assert!(!stage.text().contains("show only:"), "{}", stage.text());
}

#[test]
fn another_order_keeps_the_selected_entry() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["search run --depth 2"]).keys("esc esc 4 down down down");
    let before = stage.state().shown.clone();
    assert!(matches!(before, BoardOf::Entry(_)));
    for _ in 0..3 {
        stage.keys("t");
        assert_eq!(stage.state().shown, before, "{}", stage.text());
    }
}

#[test]
fn weights_are_edited_from_their_pane() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}")]).keys("esc 6 e");
        assert_eq!(stage.effects.last(), Some(&Effect::Type("weights set ".to_owned())));
    }
}

#[test]
fn the_log_shows_what_came_last_until_it_is_scrolled() {
    let mut stage = Stage::new(80, 24);
    let lines: Vec<String> = (0..40).map(|place| format!("echo line-{place}")).collect();
    stage.lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    stage.keys("f6 5");
    assert!(stage.text().contains("line-39"), "{}", stage.text());
    stage.driver.app.state.log.add(log::LogLine::Note, "a note");
    assert!(stage.text().contains("a note"), "{}", stage.text());
    stage.keys("up up");
    stage.driver.app.state.log.add(log::LogLine::Note, "another");
    assert!(!stage.text().contains("another"), "{}", stage.text());
    stage.lines(&["echo back"]);
    assert!(stage.text().contains("echo back"), "{}", stage.text());
}

#[test]
fn the_engine_takes_a_side_and_answers() {
    for (game, first, other) in [
        ("morris", "a 1 enter", "g 7 enter"),
        ("chess", "e 2 enter e 4 enter", "a 2 enter a 3 enter"),
    ] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=1"]);
        stage.keys("esc M enter");
        let undo = |stage: &Stage| stage.state().data.get::<PositionReport>().unwrap().undo;
        stage.keys(first);
        stage.driver.settle();
        assert_eq!(undo(&stage), 2, "{game}: the engine has answered");
        assert!(stage.text().contains("engine: Black"), "{}", stage.text());
        stage.keys("U");
        assert_eq!(undo(&stage), 0, "{game}: both plies are taken back");
        stage.keys("M 4");
        stage.keys(other);
        stage.driver.settle();
        assert_eq!(undo(&stage), 1, "{game}: it plays no side any more");
    }
}

#[test]
fn the_engine_plays_at_a_level_that_stays() {
    let mut stage = Stage::new(100, 30);
    stage.keys("esc M enter L 2");
    assert!(stage.text().contains("(engine: Black, level 2)"), "{}", stage.text());
    let (_, said) = stage.state().status.clone().unwrap();
    assert_eq!(said, "the engine plays at level 2: two plies");
    stage.keys("a 1 enter");
    stage.driver.settle();
    let run = stage.state().log.lines().back().unwrap().1.clone();
    assert!(run.contains("depth 2"), "{run}");
    stage.lines(&["engine level off"]);
    assert!(stage.text().contains("(engine: Black)"), "{}", stage.text());
}

#[test]
fn the_end_of_a_game_is_announced_beside_the_board() {
    for (lines, words) in [
        (["game chess", "play f3 e5 g4", "play Qh4"], "mated"),
        (["game chess", "position set 7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "play Qg6"], "stalemate"),
        (
            [
                "game chess; rules set repetition=three",
                "play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1",
                "play Ng8",
            ],
            "draw",
        ),
        (
            ["game morris", "position set ww.w..b./....bb../........ w 0 0", "play g4-g7xa1"],
            "2 stones",
        ),
    ] {
        for (columns, rows) in [(80, 24), (140, 40)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&lines);
            let text = stage.text();
            let announced = text.contains("begins a new one") && text.contains("takes back");
            assert!(announced && text.to_lowercase().contains(words), "{text}");
            let areas = stage.state().areas();
            let sheet = stage.state().sheet.as_ref().map(|sheet| sheet.area(&areas));
            let covers = |sheet: Rect| sheet.intersects(areas.of("board").unwrap());
            assert!(!sheet.is_some_and(covers), "{text}");
            assert!(sheet.is_none(), "the game's pane has the same words\n{text}");
            // Behind another tab the pane is not seen.
            stage.lines(&["undo"]).keys("esc 4");
            stage.lines(&["redo"]);
            assert!(stage.state().sheet.is_some(), "{}", stage.text());
            stage.keys("esc");
            assert!(stage.state().sheet.is_none());
        }
    }
}

#[test]
fn a_hint_is_drawn_on_the_board_and_hides_nothing() {
    for (game, best) in [("morris", "best d7 and 11 equal"), ("chess", "best e4")] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set record=off"]);
        stage.keys("f6 1 i");
        let text = stage.text();
        assert!(stage.state().sheet.is_none() && text.contains(best), "{text}");
        assert!(text.contains("1 Board"), "{text}");
        stage.keys("r");
        assert!(stage.state().sheet.is_some(), "{game}");
    }
}

/// Step keys that arrive together become one command with as many steps. Ctrl-C drops what waits.
#[test]
fn a_burst_of_steps_is_one_command() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=3", "step 100"]).keys("esc 1");
        let press = |stage: &mut Stage, name: &str| {
            let key: plyscope::tui::keys::KeyPress = name.parse().unwrap();
            stage.driver.app.event(&Event::Key(key.into()));
        };
        // On the chess board, `N` and `O` begin moves, but `S` steps back.
        (0..100).for_each(|_| press(&mut stage, "S"));
        let waiting: Vec<_> = stage.state().queue.iter().map(|job| job.line.clone()).collect();
        assert_eq!(waiting, ["back 100"], "{game}");
        press(&mut stage, "ctrl-c");
        assert!(stage.state().queue.is_empty(), "{game}");
    }
}

/// On a screen too small for the panes, only the key that leaves acts: the effects of others would be unseen.
#[test]
fn keys_do_nothing_unseen() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}")]).keys("esc 1");
        stage.event(&Event::Resize(30, 10));
        stage.keys("r s m 2");
        assert!(stage.state().data.get::<Run>().is_none(), "{game}: no search has begun");
        stage.event(&Event::Resize(80, 24));
        assert_eq!(stage.state().focus, "board", "{game}");
    }
}

/// The zoomed command pane is as high as all panes together, and prints replies as a terminal does.
#[test]
fn the_command_pane_is_zoomed_too() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}")]).keys("esc : f4");
        let height = |stage: &Stage| stage.state().areas().of("command").unwrap().height;
        assert!(height(&stage) > 20, "{game}: {}", stage.text());
        stage.lines(&["help step"]);
        assert!(stage.state().sheet.is_none(), "{game}: {}", stage.text());
        assert!(stage.driver.printed.concat().lines().count() > 8, "{game}");
        stage.keys("f4");
        assert!(height(&stage) < 20, "{game}: {}", stage.text());
    }
}

/// A filter keeps the selected entry if it shows that entry; one with a fault changes nothing.
#[test]
fn a_filter_keeps_the_selected_entry() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=3 memo=bound", "search run"]);
        stage.keys("esc esc 4 down down down enter");
        let shown = |stage: &Stage| stage.state().shown.clone();
        let before = shown(&stage);
        assert!(matches!(before, BoardOf::Entry(_)), "{game}: {before:?}");
        stage.keys("/ f o o enter");
        assert!(stage.text().contains("nothing is called `foo`"), "{game}: {}", stage.text());
        assert_eq!(shown(&stage), before, "{game}: {}", stage.text());
        stage.keys("esc / d e p t h > = 1 enter");
        assert_eq!(shown(&stage), before, "{game}: {}", stage.text());
        // Esc goes back to the game's board, then clears the filter, then leaves the pane.
        stage.keys("4 esc");
        assert!(stage.text().contains("where depth>=1"), "{game}: {}", stage.text());
        assert!(stage.text().contains("Esc all entries"), "{game}: {}", stage.text());
        stage.keys("esc");
        assert!(!stage.text().contains("where depth"), "{game}: {}", stage.text());
        assert_eq!(stage.state().focus, "cache", "{game}");
        assert_eq!(stage.keys("esc").state().focus, "board", "{game}");
    }
}

/// A move typed alone in the command pane is played.
#[test]
fn a_move_in_the_command_pane_is_played() {
    for (game, moves) in [("morris", ["d6", "f4"]), ("chess", ["e4", "Nf6"])] {
        let mut stage = Stage::new(100, 30);
        stage.driver.shell.interactive = true;
        stage.lines(&[&format!("game {game}")]).keys("esc :").lines(&moves);
        let position: &PositionReport = stage.state().data.get().unwrap();
        assert_eq!(position.played.len(), 2, "{game}: {}", stage.text());
    }
}
