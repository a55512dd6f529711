//! The time line under the header: its signs, clicks and keys on it, and that the header agrees with it.

use std::time::Duration;

use crossterm::event::{Event, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use insta::assert_snapshot;

use crate::stage::{Stage, ascii};
use plyscope::{
    engine::session::{breakpoints::BreakpointList, search::Where, timelines::TimelineList},
    text::number::count,
    tui::{
        app::App,
        driver::Step,
        keys::KeyPress,
        state::{By, Effect, Overlay},
    },
};

/// A finished search with a breakpoint hit, a bookmark and a branch.
fn eventful(game: &str, app: App, columns: u16) -> Stage {
    let mut stage = Stage::with(app, columns, 24);
    let moves = if game == "chess" { "play e4 e5 Nf3" } else { "play a1 d1 b2" };
    stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "catch cutoff ply=2"]);
    stage.lines(&["continue; continue; mark odd; ignore 1 40; continue; disable 1"]);
    stage.lines(&["step 2000; frame set beta=0.25; continue"]);
    stage.keys("esc esc esc");
    stage
}

fn above(stage: &Stage) -> String {
    stage.text().lines().take(2).collect::<Vec<_>>().join("\n")
}

fn line(stage: &Stage) -> String {
    stage.text().lines().nth(1).unwrap().to_owned()
}

/// The current event.
fn here(stage: &Stage) -> Option<u64> {
    Some(stage.state().data.get::<Where>()?.event.as_ref()?.index)
}

/// Clicks on the first of these signs in the time line.
fn click(stage: &mut Stage, sign: &str) {
    let column = line(stage).split(sign).next().unwrap().chars().count() as u16;
    stage.event(&Event::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row: 1,
        modifiers: KeyModifiers::NONE,
    }));
}

#[test]
fn the_time_line_fits_every_width_in_both_games() {
    let mut seen = Vec::new();
    for game in ["morris", "chess"] {
        let usual = App::usual as fn() -> App;
        for (app, columns) in [(usual, 40), (usual, 80), (ascii, 80), (usual, 140), (usual, 200)] {
            let stage = eventful(game, app(), columns);
            seen.push(above(&stage));
            assert!(line(&stage).chars().count() <= columns.into());
        }
    }
    assert_snapshot!("time_lines", seen.join("\n"));
}

#[test]
fn root_moves_after_the_current_event_stay() {
    for (game, moves) in [("morris", "play a1 d1 b2"), ("chess", "play e4 e5 Nf3")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.keys("esc esc");
        let marks = |stage: &Stage| line(stage).matches('╷').count();
        let all = marks(&stage);
        assert!(all > 3, "{}", line(&stage));
        stage.lines(&["back 200"]).keys("esc");
        assert!(marks(&stage) + 1 >= all, "{game}: {}", line(&stage));
        stage.lines(&["search drop", "search run --depth 1", "goto start"]).keys("esc");
        assert!(marks(&stage) < all, "{game}: {}", line(&stage));
    }
}

/// The sign of the current event moves along the line; the labels give way to it.
#[test]
fn the_current_event_covers_no_label() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(140, 40);
        let moves = if game == "chess" { "play e4 e5 Nf3" } else { "play a1 d1 b2" };
        stage.lines(&[&format!("game {game}"), moves, "search run --depth 3"]).keys("esc esc");
        let last = here(&stage).unwrap();
        for part in 0..=40 {
            stage.lines(&[&format!("goto {}", last * part / 40)]);
            let line = line(&stage);
            assert!(line.contains(" depth 3 ") && line.contains('◆'), "{game} {part}: {line}");
        }
    }
}

#[test]
fn the_time_line_needs_a_recording_and_room() {
    let has = |stage: &Stage| stage.state().areas().timeline.height == 1;
    let mut stage = Stage::new(80, 24);
    assert!(!has(&stage));
    stage.lines(&["step"]);
    assert!(has(&stage));
    stage.driver.app.state.size = (80, 17);
    assert!(!has(&stage));
    let mut stage = Stage::new(80, 24);
    stage.lines(&["search set record=off; step 20"]);
    assert!(!has(&stage));
}

#[test]
fn clicks_go_where_they_point() {
    for game in ["morris", "chess"] {
        let mut stage = eventful(game, App::usual(), 140);
        let list = stage.state().data.get::<TimelineList>().unwrap().clone();
        let now = list.current().unwrap();
        click(&mut stage, "╷");
        let stack = stage.state().data.get::<Where>().unwrap();
        let event = stack.event.as_ref().unwrap();
        assert_eq!((event.kind.name(), event.ply), ("descend", 1), "{}", line(&stage));
        click(&mut stage, "◇");
        assert_eq!(here(&stage), Some(list.bookmarks[0].event), "{}", line(&stage));
        click(&mut stage, "┬");
        assert_eq!(here(&stage), now.branched, "{}", line(&stage));
        click(&mut stage, "┼");
        assert_eq!(here(&stage), Some(now.iterations[1].event));
        click(&mut stage, "├");
        assert_eq!(here(&stage), Some(0));
        click(&mut stage, "┤");
        assert_eq!(here(&stage), Some(now.reached - 1));
        let other = list.timelines.iter().find(|timeline| !timeline.current).unwrap();
        click(&mut stage, &format!("└─{}", other.name));
        let list = stage.state().data.get::<TimelineList>().unwrap();
        assert_eq!(list.current().unwrap().name, other.name);
        assert!(line(&stage).contains(&format!("└─{}─▸ window", now.name)), "{}", line(&stage));
    }
}

#[test]
fn keys_jump_from_event_to_event_on_the_time_line() {
    let mut stage = eventful("morris", App::usual(), 100);
    let before = here(&stage).unwrap();
    stage.keys("(");
    assert!(above(&stage).contains("‖ PAUSED at the start"), "{}", above(&stage));
    let back = format!("from event {}: `goto {before}` returns", count(before));
    assert!(before > 1_000 && stage.text().contains(&back), "{}", stage.text());
    for (keys, far) in [(")", false), ("[", true)] {
        stage.keys(keys);
        assert_eq!(stage.text().contains("` returns"), far, "{keys}: {}", stage.text());
    }
    let mut forwards = vec![None];
    loop {
        stage.keys("}");
        if forwards.last() == Some(&here(&stage)) {
            break;
        }
        forwards.push(here(&stage));
    }
    let list = stage.state().data.get::<TimelineList>().unwrap().clone();
    let now = list.current().unwrap();
    let iterations = now.iterations.iter().map(|it| it.event);
    for event in iterations.chain([list.bookmarks[0].event, now.reached - 1]) {
        assert!(forwards.contains(&Some(event)), "{event} in {forwards:?}");
    }
    assert!(stage.text().contains("no further landmark"), "{}", stage.text());
    for before in forwards[1..].iter().rev().skip(1) {
        stage.keys("{");
        assert_eq!(here(&stage), *before);
    }
    stage.keys("end");
    assert_eq!(here(&stage), Some(now.reached - 1));
    stage.keys("home");
    assert_eq!(here(&stage), None);
}

/// The header names the place of the time line's sign, and a breakpoint where one was hit.
#[test]
fn the_header_agrees_with_the_time_line_at_every_event() {
    for game in ["morris", "chess"] {
        let mut stage = eventful(game, App::usual(), 100);
        stage.lines(&["catch cutoff ply=2 depth=0", "goto start", "quiz on"]);
        for step in [
            "continue",
            "step",
            "back",
            "back 2",
            "back continue",
            "continue",
            "quiz pass",
            "quiz next",
            "quiz pass",
            "goto 9",
            "fork x",
            "step 30",
            "continue",
            "timeline use 1",
            "back continue",
            "goto end",
            "last value",
            "quiz off",
            "goto start",
            "continue",
        ] {
            stage.lines(&[step]);
            let (above, list) = (above(&stage), stage.state().data.get::<TimelineList>().unwrap());
            let now = list.current().unwrap();
            let place = here(&stage);
            let place =
                place.map_or("the start".to_owned(), |event| format!("event {}", count(event)));
            let says = [",", "  "].iter().any(|end| above.contains(&format!(" at {place}{end}")));
            assert!(says, "{place} after {step}\n{above}");
            assert_eq!(now.events.checked_sub(1), here(&stage), "{step}");
            let is_hit = list.timelines.iter().any(|timeline| {
                let shared = list.fork_event(&timeline.name);
                let hit = |hit: u64| Some(hit) == here(&stage) && Some(hit) <= shared;
                timeline.stops.iter().any(|stop| hit(stop.event))
            });
            assert_eq!(above.contains("BREAKPOINT"), is_hit, "{step}\n{above}");
        }
    }
}

/// The search for a hint has no time line; what is opened after it has one.
#[test]
fn what_is_opened_after_a_hint_has_its_time_line() {
    for (game, moves) in [("morris", "play d6 f4"), ("chess", "play e4 e5")] {
        let folder = tempfile::tempdir().unwrap();
        let [saved, trace] =
            ["s.ply", "t.jsonl"].map(|name| folder.path().join(name).display().to_string());
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "step 300"]);
        stage.lines(&[&format!("session save '{saved}'"), &format!("trace record '{trace}'")]);
        for open in [format!("session load '{saved}'"), format!("trace open '{trace}'")] {
            stage.keys("esc esc esc 1 i");
            assert_eq!(stage.state().areas().timeline.height, 0, "{game}: {}", stage.text());
            stage.lines(&[&open]);
            assert_eq!(stage.state().areas().timeline.height, 1, "{open}: {}", stage.text());
        }
    }
}

fn conditions(stage: &Stage) -> Vec<String> {
    let list = stage.state().data.get::<BreakpointList>().unwrap();
    list.breakpoints.iter().map(|point| point.condition.clone()).collect()
}

#[test]
fn a_breakpoint_is_set_and_removed_at_what_is_selected() {
    for policy in ["interval", "bound"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("search set memo={policy} depth=3"), "play a1; step 400"]);
        stage.keys("esc esc");
        let frame = stage.state().data.frame().unwrap().key.clone();
        let frame = format!("key={}", frame.split(':').next().unwrap());
        for pane in ["2", "3"] {
            stage.keys(&format!("{pane} B"));
            assert_eq!(conditions(&stage), [frame.as_str()]);
            assert!(stage.text().contains(" is set: key="), "{}", stage.text());
            stage.keys("B");
            assert!(stage.text().contains("the breakpoint is deleted"), "{}", stage.text());
            assert!(conditions(&stage).is_empty());
        }
        stage.keys("esc esc B");
        assert_eq!(conditions(&stage), ["key=98000000000040"], "the board's");
        stage.keys("4 B");
        assert_eq!(conditions(&stage).len(), 2, "the selected entry's");
        stage.keys("W");
        assert_eq!(conditions(&stage).len(), 3, "{}", stage.text());
        stage.keys("! space");
        assert!(!stage.text().contains(" is set: "), "it is switched off\n{}", stage.text());
    }
}

#[test]
fn why_in_the_stops_is_about_the_selected_event() {
    for (game, moves) in [("morris", "play a1 d1 b2"), ("chess", "play e4 e5 Nf3")] {
        let mut stage = Stage::new(100, 30);
        let start = [&*format!("game {game}"), moves, "search set depth=3", "catch cutoff ply=2"];
        stage.lines(&start);
        stage.lines(&["continue; continue", "mark odd", "step 90"]);
        stage.keys("esc esc ! home down");
        let list = stage.state().data.get::<TimelineList>().unwrap();
        let first = list.current().unwrap().stops[0].event;
        stage.keys("w");
        assert_eq!(here(&stage), Some(first), "{}", stage.text());
        let said = format!("event {}: ", count(first));
        assert!(stage.text().contains(&said), "{game}: {}", stage.text());
        stage.keys("esc down down w");
        assert!(here(&stage) > Some(first), "the mark: {}", stage.text());
    }
}

/// A long way back shows how far it is, a short one does not flicker; at the beginning it says that no breakpoint was hit.
#[test]
fn a_way_back_shows_its_progress_and_says_what_it_missed() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=5", "step 90000", "break ply=77"]);
        stage.keys("esc");
        let before = above(&stage);
        let key = Event::Key(KeyEvent::from("[".parse::<KeyPress>().unwrap()));
        begin_jump(&mut stage, &key, game);
        stage.driver.search(Duration::ZERO);
        assert_eq!(above(&stage), before, "{game}: not at once");
        std::thread::sleep(Duration::from_millis(450));
        stage.driver.search(Duration::ZERO);
        assert!(above(&stage).contains("▸ REPLAYING "), "{game}: {}", stage.text());
        stage.driver.shell.engine.set_slice(None);
        stage.driver.settle();
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert!(said.contains("there was no stop on the way back"), "{game}: {said}");
        stage.keys("[");
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert_eq!(said, "the recording begins here", "{game}");
    }
}

/// The message after a far jump names the event where it began, although the replay has shown others.
#[test]
fn a_far_jump_names_the_event_to_return_to() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=5", "step 90000"]).keys("esc");
        let from = here(&stage).unwrap();
        let key = Event::Key(KeyEvent::from("{".parse::<KeyPress>().unwrap()));
        begin_jump(&mut stage, &key, game);
        while stage.driver.step() == Step::Search {
            stage.driver.search(Duration::ZERO);
            stage.driver.look_up(false);
        }
        stage.driver.settle();
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        let returns = format!("from event {}: `goto {from}` returns", count(from));
        assert_eq!(said, returns, "{game}: {}", stage.text());
    }
}

#[test]
fn dropping_a_paused_search_by_a_key_needs_confirmation() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["step 20"]);
    stage.keys("esc esc x");
    assert!(matches!(stage.state().overlay, Some(Overlay::Sure(..))));
    assert!(stage.text().contains("Drop the search?"), "{}", stage.text());
    stage.keys("s esc");
    assert_eq!((here(&stage), &stage.state().overlay), (Some(19), &None));
    stage.keys("x y");
    assert_eq!(here(&stage), None);
    assert!(above(&stage).contains("no search"));
}

/// The screen runs the search in slices: the reason of a stop must survive them.
#[test]
fn a_breakpoint_far_back_is_reported() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["search set memo=none depth=5 budget=60000; search run", "catch descend ply=1"]);
    stage.driver.app.state.submit("back continue", By::Key);
    stage.driver.settle();
    assert!(above(&stage).contains("‖ BREAKPOINT"), "{}", above(&stage));
}

/// Breakpoints stop runs, not ways to an event that was named.
#[test]
fn clicks_keys_and_goto_pass_breakpoints() {
    for game in ["morris", "chess", "trace"] {
        let mut stage = Stage::new(140, 40);
        let moves = if game == "morris" { "play a1 d1 b2" } else { "play e4 e5 Nf3" };
        let rules = if game == "morris" { "morris" } else { "chess" };
        stage.lines(&[&format!("game {rules}"), moves, "search set depth=3"]);
        let folder = tempfile::tempdir().unwrap();
        if game == "trace" {
            let path = folder.path().join("t").display().to_string();
            stage.lines(&[&format!("trace record {path}"), &format!("trace open {path}")]);
        } else {
            stage.lines(&["search run"]);
        }
        stage.lines(&["goto 100; mark early", "break ply=1; catch descend"]);
        stage.keys("esc esc esc");
        let list = stage.state().data.get::<TimelineList>().unwrap().clone();
        let now = list.current().unwrap().clone();
        stage.lines(&["goto 700"]);
        assert_eq!(here(&stage), Some(700), "{game}");
        stage.lines(&["goto early"]);
        assert_eq!(here(&stage), Some(100), "{game}");
        stage.keys("esc esc )");
        assert_eq!(here(&stage), Some(now.reached - 1), "{game}");
        stage.keys("(");
        assert_eq!(here(&stage), None, "{game}");
        click(&mut stage, "┤");
        assert_eq!(here(&stage), Some(now.reached - 1), "{game}");
        stage.keys("{");
        let before = here(&stage);
        let stands = [100].into_iter().chain(now.iterations.iter().map(|it| it.event));
        let places = list.bookmarks.iter().map(|mark| mark.event).chain(stands);
        let known: Vec<_> = places.filter(|event| *event < now.reached - 1).collect();
        assert_eq!(before, known.iter().max().copied(), "{game}");
        let hits = stage.state().data.get::<TimelineList>().unwrap().current().unwrap().stops.len();
        assert_eq!(hits, 0, "{game}: nothing stopped on the way");
    }
}

/// While the button is held, the screen shows the search at each event under the mouse.
#[test]
fn dragging_along_the_time_line_shows_the_search_at_each_place() {
    for game in ["morris", "chess"] {
        let mut stage = eventful(game, App::usual(), 140);
        stage.lines(&["enable 1; catch descend"]);
        stage.keys("esc esc esc");
        let mouse = |kind, column| {
            Event::Mouse(MouseEvent { kind, column, row: 1, modifiers: KeyModifiers::NONE })
        };
        let left = MouseButton::Left;
        stage.event(&mouse(MouseEventKind::Down(left), 40));
        let mut seen = vec![here(&stage)];
        for column in [50, 60, 70, 60, 30] {
            stage.event(&mouse(MouseEventKind::Drag(left), column));
            seen.push(here(&stage));
            let board = stage.state().data.board.as_ref().unwrap();
            assert_eq!(Some(board.state.as_str()), stage.state().position(), "the board follows");
        }
        assert!(seen.windows(2).take(3).all(|pair| pair[0] < pair[1]), "{seen:?}");
        assert!(seen[4] == seen[2] && seen[5] < seen[0], "{seen:?}");
        stage.event(&mouse(MouseEventKind::Up(left), 30));
        stage.event(&mouse(MouseEventKind::Drag(left), 60));
        assert_eq!(here(&stage), seen[5], "the button is up");
    }
}

/// The newest key or place of the mouse counts: it stops a jump that is running, and drops those that wait.
#[test]
fn a_jump_gives_way_to_the_next_one() {
    let mouse = |kind, column| {
        Event::Mouse(MouseEvent { kind, column, row: 1, modifiers: KeyModifiers::NONE })
    };
    let left = MouseButton::Left;
    let key = |name: &str| Event::Key(KeyEvent::from(name.parse::<KeyPress>().unwrap()));
    for (game, depth) in [("morris", 6), ("chess", 4)] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), &format!("search set depth={depth}"), "search run"]);
        stage.keys("esc esc esc");
        let end = here(&stage);
        for (events, target) in [
            (vec![mouse(MouseEventKind::Drag(left), 20), mouse(MouseEventKind::Drag(left), 1)], 0),
            (vec![mouse(MouseEventKind::Up(left), 9), mouse(MouseEventKind::Down(left), 1)], 0),
            (vec![key("("), key(")")], end.unwrap()),
        ] {
            stage.keys("(");
            stage.event(&mouse(MouseEventKind::Down(left), 1));
            begin_jump(&mut stage, &mouse(MouseEventKind::Drag(left), 40), game);
            for event in events {
                stage.driver.app.event(&event);
            }
            let effects = std::mem::take(&mut stage.driver.app.state.effects);
            assert!(effects.contains(&Effect::Interrupt), "{game}: {effects:?}");
            stage.driver.interrupt.request_stop().unwrap();
            stage.driver.search(Duration::ZERO);
            assert!(!stage.state().searching, "{game}: the first jump has stopped");
            stage.driver.settle();
            assert_eq!(here(&stage), Some(target), "{game}");
            assert_eq!(stage.state().status, None, "{game}: nothing is said of the first jump");
            stage.event(&mouse(MouseEventKind::Up(left), 40));
        }
        // Ctrl-C stops a jump where it is.
        stage.keys("(");
        begin_jump(&mut stage, &key(")"), game);
        stage.driver.interrupt.request_stop().unwrap();
        stage.driver.settle();
        assert!(here(&stage) < end, "{game}");
        stage.keys(")");
        assert_eq!(here(&stage), end, "{game}");
    }
}

/// A jump that was stopped is not the end of a trace, of which more has been read than the debugger has reached.
#[test]
fn the_end_of_a_trace_can_be_reached_after_a_jump_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t").display().to_string();
    for (game, depth) in [("morris", 5), ("chess", 4)] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), &format!("trace record {path} --depth {depth}")]);
        stage.lines(&[&format!("trace open {path}")]).keys("esc esc (");
        let end = stage.state().trace().unwrap().found.events - 1;
        let key = Event::Key(KeyEvent::from(")".parse::<KeyPress>().unwrap()));
        begin_jump(&mut stage, &key, game);
        stage.driver.interrupt.request_stop().unwrap();
        stage.driver.settle();
        assert!(here(&stage) < Some(end), "{game}");
        stage.keys("( )");
        assert_eq!(here(&stage), Some(end), "{game}");
    }
}

/// Handles a key or the mouse up to the first slice of the jump that follows.
fn begin_jump(stage: &mut Stage, event: &Event, game: &str) {
    stage.driver.shell.engine.set_slice(Some(Duration::ZERO));
    stage.driver.app.event(event);
    assert_eq!(stage.driver.step(), Step::Statement);
    let outcome = stage.driver.shell.advance();
    stage.driver.ran(outcome.as_ref());
    assert!(stage.state().searching, "{game}: the jump takes longer than a slice");
}

/// After a jump to a mark on another timeline, a message says where the search is now and how to return.
#[test]
fn a_change_of_timeline_is_announced() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(140, 40);
        let lines = [&format!("game {game}"), "search set depth=3", "step 300", "mark here"];
        stage.lines(&lines).lines(&["step 9; frame set beta=0.25; step 9"]).keys("esc esc");
        assert!(above(&stage).contains(", timeline 2"), "{game}: {}", stage.text());
        stage.lines(&["goto here"]);
        let (_, said) = stage.state().status.clone().unwrap();
        assert_eq!(said, "now on timeline 1: `timeline use 2` returns", "{game}");
        // A move drops the search, which is kept, and says so.
        let mv = if game == "chess" { "play e4" } else { "play d6" };
        stage.keys("esc").lines(&[mv]);
        assert!(stage.text().contains("timeline use 1"), "{game}: {}", stage.text());
    }
}
