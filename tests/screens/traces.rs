//! A trace of another program on the full screen: the same panes and keys.

use std::fs;

use insta::assert_snapshot;

use crate::stage::Stage;
use plyscope::{engine::session::search::Where, tui::app::App};

/// A trace of a search, opened and run to a cutoff.
fn opened(game: &str, columns: u16, rows: u16) -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t").display().to_string();
    let mut stage = Stage::with(App::usual(), columns, rows);
    let moves = if game == "chess" { "play e4 e5 Nf3" } else { "play a1 d1 b2" };
    stage.lines(&[&format!("game {game}"), moves, "search set algorithm=pvs depth=3"]);
    stage.lines(&[&format!("trace record {path}"), &format!("trace open {path}")]);
    // A trace without findings opens at its end; the root moves of the whole search are counted there.
    stage.driver.settle();
    stage.lines(&["goto start", "until cutoff", "step 20", "until cutoff", "where"]);
    stage.keys("esc esc esc");
    stage
}

#[test]
fn the_panes_are_those_of_any_search() {
    for game in ["morris", "chess"] {
        for (columns, rows) in [(80, 24), (140, 40)] {
            let stage = opened(game, columns, rows);
            let text = stage.text();
            let lines = text.lines().filter(|line| !line.contains("/t "));
            assert_snapshot!(
                format!("trace_{game}_{columns}x{rows}"),
                lines.collect::<Vec<_>>().join("\n")
            );
        }
    }
}

#[test]
fn keys_step_through_a_trace_and_back() {
    let mut stage = opened("chess", 100, 30);
    let here = |stage: &Stage| stage.state().data.get::<Where>()?.event.as_ref().map(|it| it.index);
    let before = here(&stage).unwrap();
    stage.keys("f11");
    assert_eq!(here(&stage), Some(before + 1));
    stage.keys("shift-f11 shift-f11");
    assert_eq!(here(&stage), Some(before - 1));
    stage.keys("f5");
    assert!(here(&stage) > Some(before));
    assert!(stage.text().lines().next().unwrap().contains("END OF THE TRACE"));
    stage.lines(&["trace close"]);
    assert!(stage.text().lines().next().unwrap().contains("CHESS  move 2, Black"));
}

/// A node of a trace's tree is opened by its moves as the program wrote them, whatever notation is shown.
#[test]
fn nodes_of_a_traces_tree_are_opened() {
    for game in ["morris", "chess"] {
        for keys in ["3 home down enter", "3 t home down enter"] {
            let mut stage = opened(game, 140, 40);
            stage.keys(")");
            stage.driver.settle();
            stage.keys(keys);
            stage.driver.settle();
            let text = stage.text();
            assert!(!text.contains("no event of the trace"), "{game} {keys}: {text}");
            let before = text.matches('✓').count();
            assert!(before > 5 || keys.contains(" t "), "{game} {keys}: {text}");
        }
    }
}

/// At the start, where there is little to see, the screen names the keys that go on.
#[test]
fn the_start_of_a_trace_names_the_keys_to_begin_with() {
    const KEYS: &str = "before the first event: s steps, ) goes to the end";
    for game in ["morris", "chess"] {
        let mut stage = opened(game, 140, 40);
        stage.keys("(");
        let text = stage.text();
        assert!(text.contains("before the first event"), "{text}");
        for pane in ["1", "2", "F"] {
            stage.keys(&format!("{pane} w"));
            let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
            assert_eq!(said, KEYS, "{game} {pane}: {}", stage.text());
        }
        stage.keys("s");
        assert!(!stage.text().contains("before the first event"), "{}", stage.text());
    }
}

#[test]
fn the_board_of_an_unknown_game_is_the_programs_own_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let events = [
        r#"{"plytrace":1}"#,
        r#"{"e":"in","a":-1,"b":1,"d":1,"p":"x.o\n.x.\n..o"}"#,
        r#"{"e":"in","a":-1,"b":1,"d":0,"m":"8","p":"x.o\n.x.\n..x"}"#,
        r#"{"e":"out","v":1}"#,
        r#"{"e":"out","v":-1}"#,
    ];
    fs::write(&path, events.join("\n")).unwrap();
    let mut stage = Stage::with(App::usual(), 80, 24);
    stage.lines(&[&format!("trace open {}", path.display()), "goto start", "step 2"]);
    let text = stage.text();
    assert!(text.contains("│x.o ") && text.contains("│..x "), "{text}");
    // A finished node is not current, nor is the root; no moves are made on such a board.
    stage.lines(&["continue"]);
    stage.keys("esc esc 3");
    let text = stage.text();
    assert!(text.contains("root") && !text.contains("under way"), "{text}");
    stage.keys("1 esc v");
    let text = stage.text();
    assert!(text.contains(" S step back ") && !text.contains(" engine "), "{text}");
}

/// A trace is looked at: nothing of it can be saved, so nothing is asked; a picture of its screen can be drawn.
#[test]
fn a_trace_that_was_looked_at_leaves_nothing_to_save() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for game in ["morris", "chess"] {
        let mut stage = Stage::with(App::usual(), 80, 24);
        let file = path(game);
        let record = format!("trace record {file} --depth 2");
        stage.lines(&[&format!("game {game}"), &record, &format!("trace open {file}")]);
        stage.keys("esc esc ( s s ]");
        stage.lines(&["picture screen"]).keys("esc esc");
        let log = format!("{:?}", stage.state().log.lines());
        assert!(log.contains("`picture screen` needs FILE"), "it works on a trace: {log}");
        assert!(!stage.state().unsaved, "{game}: {}", stage.text());
        stage.keys("alt-1");
        assert!(stage.text().contains("a trace has panes of its own"), "{}", stage.text());
    }
}

/// The two values of a finding have as many decimals as it takes to tell one from the other.
#[test]
fn a_finding_shows_a_small_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let events = [
        r#"{"plytrace":1,"table":"empty"}"#,
        r#"{"e":"in","a":-1,"b":1,"d":1,"k":"a","s":"w"}"#,
        r#"{"e":"put","d":1,"v":0.1234567892,"t":"exact","k":"b"}"#,
        r#"{"e":"hit","d":1,"v":0.1234567891,"t":"exact","k":"b"}"#,
        r#"{"e":"hit","d":2,"v":0.1234567891,"t":"upper","k":"b"}"#,
        r#"{"e":"out","v":0.5}"#,
    ];
    fs::write(&path, events.join("\n")).unwrap();
    let mut stage = Stage::with(App::usual(), 80, 24);
    stage.lines(&[&format!("trace open {}", path.display())]);
    let text = stage.keys("esc F").text();
    assert!(text.contains("+0.1234567…  +0.1234567892 "), "{text}");
    // If the sides do not fit beside each other, that of the trace is cut.
    assert!(text.contains("upper +0.1…  exact +0.123 depth 1"), "{text}");
}

/// Of many findings, those around the current event are listed; a row leads to those before and after.
#[test]
fn the_list_of_findings_follows_the_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let mut events = vec![
        r#"{"plytrace":1,"table":"empty"}"#,
        r#"{"e":"in","a":-1,"b":1,"d":1,"k":"a","s":"w"}"#,
        r#"{"e":"put","d":1,"v":0.25,"t":"exact","k":"b"}"#,
    ];
    events.extend([r#"{"e":"hit","d":1,"v":0.75,"t":"exact","k":"b"}"#; 450]);
    events.push(r#"{"e":"out","v":0.5}"#);
    fs::write(&path, events.join("\n")).unwrap();
    let mut stage = Stage::with(App::usual(), 100, 30);
    stage.lines(&[&format!("trace open {}", path.display())]).keys("esc F");
    assert!(stage.text().contains("✗ 450 findings"), "{}", stage.text());
    stage.keys("end");
    assert!(stage.text().contains("and 250 more"), "{}", stage.text());
    stage.keys("enter");
    let here = |stage: &Stage| stage.state().data.event().unwrap().index;
    let first = here(&stage);
    assert!(stage.text().contains(&format!("event {first}, line ")), "{}", stage.text());
    stage.keys("}");
    assert_eq!(here(&stage), first + 1);
    assert!(!stage.text().contains("now at event"), "the list follows: {}", stage.text());
    stage.keys("end");
    assert!(stage.text().contains("and 150 more"), "{}", stage.text());
    stage.keys("home down");
    assert!(stage.keys("home").text().contains("and 100 before"), "{}", stage.text());
    // A jump that leaves the page of the selected finding selects the finding nearest to it.
    let events = stage.state().trace().unwrap().found.findings.iter().map(|it| it.event);
    let (first, last) = (events.clone().min().unwrap(), events.max().unwrap());
    for (key, nearest) in [(")", last), ("(", first), (")", last), ("(", first)] {
        let text = stage.keys(key).text();
        let row = text.lines().find_map(|line| line.split("┃▸").nth(1)).unwrap();
        let event = row.split_whitespace().next().unwrap();
        assert_eq!(event, nearest.to_string(), "{key}: {text}");
    }
}

/// A game that the program does not know is drawn by the shape in the header, or by the rows of its positions.
#[test]
fn the_board_of_an_unknown_game_is_drawn_by_its_shape_or_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let keyed = (r#","shape":[3,3]"#, r#""k":"X_O_X___O""#, r#""k":"X_O_X__OO""#);
    let rows = ("", r#""p":"X_O/_X_/__O""#, r#""p":"X_O/_X_/_OO""#);
    for (shape, above, below) in [keyed, rows] {
        let path = folder.path().join("t.jsonl");
        let events = [
            format!(r#"{{"plytrace":1{shape}}}"#),
            format!(r#"{{"e":"in","a":-1,"b":1,"d":1,{above}}}"#),
            format!(r#"{{"e":"in","a":-1,"b":1,"d":0,"m":"7",{below}}}"#),
            r#"{"e":"out","v":1}"#.to_owned(),
            r#"{"e":"out","v":-1}"#.to_owned(),
        ];
        fs::write(&path, events.join("\n")).unwrap();
        let mut stage = Stage::with(App::usual(), 80, 24);
        stage.lines(&[&format!("trace open {}", path.display()), "goto start", "step"]);
        let stones = |stage: &Stage| -> Vec<_> {
            let board = &stage.state().data.board.as_ref().unwrap().board;
            board.points.iter().map(|point| point.piece).collect()
        };
        let [x, o] = [Some('X'), Some('O')];
        assert_eq!(stones(&stage), [x, None, o, None, x, None, None, None, o]);
        stage.lines(&["step"]);
        assert_eq!(stones(&stage), [x, None, o, None, x, None, None, o, o]);
    }
}

/// A key that goes to an event before a trace is read whole is not followed by the pane's own way to the end.
#[test]
fn the_users_way_in_a_trace_comes_before_the_panes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl").display().to_string();
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}; trace record '{file}' --depth 2")]);
        // `trace check` returns when the whole trace is checked.
        let ways = [("", true), ("; goto start", false), ("; trace check; goto start", false)];
        for (way, is_at_end) in ways {
            stage.lines(&[&format!("trace open '{file}'{way}")]);
            stage.driver.settle();
            assert_eq!(stage.state().is_at_end_of_trace(), is_at_end, "{game}: {}", stage.text());
            stage.lines(&["trace close"]);
        }
    }
}
