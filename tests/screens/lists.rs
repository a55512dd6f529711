//! Lists with a cursor: findings of traces, breakpoints and marks, sheets, and entries whose position is not kept.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::buffer::Cell;

use crate::stage::Stage;
use plyscope::{
    command::Shell,
    engine::session::{
        breakpoints::BreakpointList,
        cache::{CacheEdit, CacheList},
        position::{BoardReport, PositionReport},
        search::{Run, Where},
        timelines::TimelineList,
        trace::OpenTrace,
    },
    text::number::count,
    tui::{
        data::BoardOf,
        driver::Step,
        log::LogLine,
        state::{By, Effect},
    },
};

const GAMES: [(&str, &str); 2] = [("morris", "play a1 d1 b2"), ("chess", "play e4 e5 Nf3")];

/// The key that removes a mark says so, and a breakpoint set in the cache names no other position than that of its row.
#[test]
fn what_is_removed_or_set_in_a_list_is_named() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "step 400"]);
        stage.keys("esc + ! down");
        let said = |stage: &Stage| stage.state().status.clone().map_or(String::new(), |it| it.1);
        stage.keys("home d");
        assert!(said(&stage).contains("at-399"), "{game}: {}", said(&stage));
        stage.keys("4 B");
        assert!(said(&stage).contains(" is set: key="), "{game}: {}", said(&stage));
        assert!(!said(&stage).contains("position"), "{game}: {}", said(&stage));
    }
}

/// A stop at an event that two timelines share belongs to both.
#[test]
fn a_branch_has_the_stops_before_it() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3"]);
        stage.lines(&["break kind=store ply=1", "continue"]).keys("esc");
        let event = format!("     event {}", count(here(&stage).unwrap()));
        assert!(stage.text().contains(&event), "{game}: {}", stage.text());
        let key = stage.state().data.get::<CacheList>().unwrap().entries[0].key.clone();
        stage.lines(&["step 9", "back 9"]);
        stage.lines(&[&format!("cache set {key} value=0.5"), "step"]).keys("esc");
        let list = stage.state().data.get::<TimelineList>().unwrap();
        assert_eq!(list.timelines.len(), 2, "{game}");
        assert!(stage.text().contains(&event), "{game}: {}", stage.text());
    }
}

/// The current event.
fn here(stage: &Stage) -> Option<u64> {
    Some(stage.state().data.get::<Where>()?.event.as_ref()?.index)
}

fn nth_line(stage: &Stage, number: usize) -> String {
    stage.text().lines().nth(number).unwrap_or_default().to_owned()
}

/// A trace of a search in which some values came out of the table other than they went in, open on the screen.
fn wrong_trace(game: &str, moves: &str, file: &Path, columns: u16, rows: u16) -> Stage {
    let mut stage = Stage::new(columns, rows);
    let path = file.display();
    stage.lines(&[
        &format!("game {game}"),
        moves,
        &format!(
            "search set algorithm=alphabeta memo=bound depth={}",
            if game == "chess" { 4 } else { 3 }
        ),
    ]);
    stage.lines(&[&format!("trace record {path}")]);
    let text = fs::read_to_string(file).unwrap();
    let mut hits = 0;
    let lines = text.lines().map(|line| {
        let is_used = line.contains(r#""e":"hit""#) && line.contains(r#""u":true"#);
        hits += u64::from(is_used);
        let Some((before, rest)) =
            line.split_once(r#""v":"#).filter(|_| is_used && hits.is_multiple_of(3))
        else {
            return line.to_owned();
        };
        let end = rest.find([',', '}']).unwrap();
        format!("{before}\"v\":99{}", &rest[end..])
    });
    let text: Vec<_> = lines.collect();
    assert!(hits >= 6, "{game}: {hits} hits");
    fs::write(file, text.join("\n") + "\n").unwrap();
    stage.lines(&[&format!("trace open {path}")]);
    stage.keys("esc");
    stage
}

fn findings(stage: &Stage) -> Vec<u64> {
    let trace = stage.state().trace().unwrap();
    assert!(trace.done);
    let mut events: Vec<_> = trace.found.findings.iter().map(|finding| finding.event).collect();
    events.dedup();
    events
}

/// Where the first cell of the selected row is, right of the board.
fn cursor(stage: &Stage) -> (u16, u16) {
    let buffer = stage.buffer();
    let (left, right) = (stage.state().areas().side.x, buffer.area.width);
    let cells = (3..buffer.area.height - 4).flat_map(|y| (left..right).map(move |x| (x, y)));
    let selected = stage.state().look.selected.bg.unwrap();
    let is_selected = |at: &(u16, u16)| buffer[*at].bg == selected;
    cells.into_iter().find(is_selected).unwrap_or_else(|| panic!("no cursor: {}", stage.text()))
}

fn mouse(stage: &mut Stage, kind: MouseEventKind, (column, row): (u16, u16)) {
    stage.event(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
}

/// Goes to rows with keys and mouse, and through the last one with Enter, by a click on the cursor.
fn walk(stage: &mut Stage, pane: &str, wanted: &str) {
    let click = MouseEventKind::Down(MouseButton::Left);
    stage.keys(pane);
    let by_row = |(x, y): (u16, u16)| (y, x);
    let mut at = |keys: &str| by_row(cursor(stage.keys(keys)));
    let first = at("home");
    let second = at("down");
    assert!(second > first, "{pane}: {first:?} {second:?}");
    assert_eq!(at("up"), first, "{pane}");
    let last = at("end");
    assert!(last >= second, "{pane}: {last:?}");
    assert_eq!(
        (at("down"), at("home"), at("up")),
        (last, first, first),
        "{pane}: the ends stop it"
    );
    let (first, second) = ((first.1, first.0), (second.1, second.0));
    // The view may move with the cursor.
    let row = |stage: &Stage| (cursor(stage), nth_line(stage, cursor(stage).1.into()));
    let before = row(stage);
    assert_ne!(row(stage.keys("pagedown")), before, "{pane}: a page");
    assert_eq!(row(stage.keys("pageup")), before, "{pane}: a page back");
    mouse(stage, MouseEventKind::ScrollDown, first);
    assert_ne!(row(stage), before, "{pane}: the wheel");
    stage.keys("home");
    stage.keys("1");
    let shown = stage.state().shown.clone();
    mouse(stage, MouseEventKind::ScrollDown, first);
    assert_eq!(stage.state().shown, shown, "{pane}: without the focus, the wheel only scrolls");
    mouse(stage, MouseEventKind::ScrollUp, first);
    stage.keys(pane);
    mouse(stage, click, second);
    assert_eq!(cursor(stage), second, "{pane}: a click moves it");
    let (before, text) = (stage.state().log.lines().len(), stage.text());
    mouse(stage, click, second);
    let log = stage.state().log.lines();
    let ran = log.iter().skip(before).any(|(_, line)| line.starts_with(wanted));
    // In the tree, Enter opens a node or goes to its first child.
    let acts = if wanted.is_empty() { stage.text() != text } else { ran };
    assert!(acts, "{pane}: a click on the cursor acts as Enter: {log:?}");
}

#[test]
fn every_list_takes_the_same_keys_and_clicks() {
    for (game, moves) in GAMES {
        for (pane, wanted) in
            [("0", "undo"), ("2", "frame"), ("3", ""), ("4", "cache get"), ("!", "goto")]
        {
            let mut stage = Stage::new(80, 24);
            stage.lines(&[&format!("game {game}"), moves, "search set memo=bound depth=3"]);
            stage.lines(&["catch cutoff ply=2; continue; continue; mark here"]).keys("esc esc");
            // Colours that tell the selected row from all others.
            walk(&mut stage, pane, wanted);
        }
        let folder = tempfile::tempdir().unwrap();
        let mut stage = wrong_trace(game, moves, &folder.path().join("t.jsonl"), 80, 24);
        walk(&mut stage, "F", "goto");
        // What is wrong stands before the key, which is cut off.
        stage.keys("F");
        let text = stage.text();
        assert!(text.contains("stored"), "{text}");
    }
}

#[test]
fn the_node_at_the_cursor_of_the_tree_has_entry_writer_and_breakpoint() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set memo=bound depth=3"]);
        stage.lines(&["until cutoff; step 200; until cutoff"]).keys("esc esc 3");
        // A node that is finished, so not on the stack.
        stage.keys("home down");
        for _ in 0..20 {
            if matches!(stage.state().shown, BoardOf::Node(_)) {
                break;
            }
            stage.keys("down");
        }
        let BoardOf::Node(spot) = stage.state().shown.clone() else {
            panic!("{game}: {}", stage.text());
        };
        stage.keys("B");
        let set = format!("position=\"{}\"", spot.state);
        let list = stage.state().data.get::<BreakpointList>().unwrap();
        assert!(list.breakpoints.iter().any(|it| it.condition == set), "{game}: {set}");
        stage.keys("B");
        assert!(stage.state().data.get::<BreakpointList>().unwrap().breakpoints.is_empty());
        stage.keys(".");
        let log = stage.state().log.lines();
        let shown = format!("cache get \"{}\"", spot.state);
        assert!(log.iter().any(|(_, line)| *line == shown), "{game}: {log:?}");
    }
}

#[test]
fn the_counters_of_a_trace_have_the_value_of_its_root() {
    for (game, moves) in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let mut stage = wrong_trace(game, moves, &folder.path().join("t.jsonl"), 140, 40);
        let text = stage.keys(")").text();
        assert!(text.contains("│best ") && !text.contains("│best —"), "{game}: {text}");
    }
}

/// Both values of a finding have columns of their own, on a small screen and on a large one.
#[test]
fn the_sides_of_findings_are_columns() {
    for (game, moves) in GAMES {
        for (columns, rows) in [(80, 24), (140, 40)] {
            let folder = tempfile::tempdir().unwrap();
            let mut stage = wrong_trace(game, moves, &folder.path().join("t.jsonl"), columns, rows);
            let (text, buffer) = (stage.keys("F").text(), stage.buffer());
            let rows = buffer.content.chunks(columns.into());
            let lines: Vec<Vec<&str>> =
                rows.map(|row| row.iter().map(Cell::symbol).collect()).collect();
            let column = |line: &[&str], word: &str| {
                line.windows(word.len()).position(|part| part.concat() == word)
            };
            let is_head = |line: &&Vec<&str>| column(line, "trace  ") < column(line, "against");
            let head = lines.iter().filter(is_head).find(|line| column(line, "trace  ").is_some());
            let head = head.unwrap_or_else(|| panic!("{game}: no headings: {text}"));
            let [left, right] = ["trace  ", "against"].map(|word| column(head, word).unwrap());
            let below = lines.iter().skip_while(|line| *line != head).skip(1).take(6);
            let cells = below.map(|line| {
                let cells = [&line[left..right], &line[right..line.len() - 1]];
                cells.map(|cell| cell.concat().trim().to_owned())
            });
            let cells: Vec<_> = cells.collect();
            let trace = stage.state().trace().unwrap();
            let mut sides = trace.found.findings.iter().filter_map(|it| it.brief().1);
            for (at, due) in sides.next().unwrap().iter().enumerate() {
                let shown: Vec<_> = cells.iter().map(|cells| cells[at].as_str()).collect();
                let shown = shown.join(" ");
                assert!(shown.trim_start().starts_with(due), "{game}: {due}: {shown}: {text}");
            }
        }
    }
}

/// Without room for both values, the one of the trace is left out.
#[test]
fn the_bound_that_should_have_been_stored_is_whole_on_the_smallest_screens() {
    for (game, moves) in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let mut stage = wrong_trace(game, moves, &folder.path().join("t.jsonl"), 60, 16);
        let text = stage.keys("F").text();
        let sides = stage.state().trace().unwrap().found.findings.iter();
        let mut due = sides.filter_map(|it| Some(it.brief().1?[1].clone()));
        let first = due.next().unwrap();
        assert!(text.contains(&first) && !text.contains("tra…"), "{game}: {first}: {text}");
    }
}

/// Other columns are shortened before the bound that should have been stored.
#[test]
fn the_bound_of_a_finding_is_whole_on_a_small_screen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    let mut stage = Stage::new(80, 24);
    stage.lines(&["game chess", "play e4 e5 Bc4 Nc6 Qh5"]);
    stage.lines(&[&format!("trace record {} --depth 3", file.display())]);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(r#""t":"lower""#, r#""t":"exact""#)).unwrap();
    stage.lines(&[&format!("trace open {}", file.display())]).keys("esc F");
    let text = stage.text();
    let rows: Vec<_> = text.lines().filter(|line| line.contains("  is lower: ")).collect();
    let is_whole = |row: &&str| row.contains(" exact") && row.contains(" ≥ β");
    assert!(!rows.is_empty() && rows.iter().all(is_whole), "{text}");
}

/// The diagnosis stays in sight above the findings, the cursor of the cache is on the entry of the finding, and the stack has the
/// finding in full. A window that every value reaches is described without its bounds.
#[test]
fn a_finding_is_in_list_cache_and_stack() {
    for (columns, rows) in [(80, 24), (140, 40)] {
        for (game, moves) in [("morris", "play a1"), ("chess", "play e4 e5 Bc4 Nc6 Qh5")] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("t.jsonl");
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), moves]);
            stage.lines(&[&format!("trace record {} --depth 3", file.display())]);
            let text = fs::read_to_string(&file).unwrap();
            fs::write(&file, text.replace(r#""t":"lower""#, r#""t":"exact""#)).unwrap();
            stage.lines(&[&format!("trace open {}", file.display())]).keys("esc F } } }");
            let text = stage.text();
            assert!(text.contains("findings: `exact` is "), "{game}: {text}");
            if rows == 24 {
                continue;
            }
            let listed = text.lines().filter(|line| line.contains("  is lower: ")).count();
            assert!(listed > 5, "{game}: {text}");
            let event = here(&stage).unwrap();
            let trace = stage.state().trace().unwrap();
            let finding = trace.found.findings.iter().find(|it| it.event == event).unwrap();
            assert_eq!(Some(chosen_entry(&stage)), finding.key, "{game}: {text}");
            let error = text.lines().skip_while(|line| !line.contains("Error: exact ")).take(2);
            assert!(error.last().unwrap().contains("≥ β "), "{game}: {text}");
            if game == "chess" {
                let entered = stage.state().data.frames().last().unwrap().entered.unwrap();
                stage.lines(&[&format!("goto {entered}")]).keys("esc esc");
                assert!(stage.text().contains("suffices: none is"), "{}", stage.text());
            }
        }
    }
}

#[test]
fn an_entry_of_a_trace_is_explained_without_a_search() {
    for (game, moves) in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let mut stage = wrong_trace(game, moves, &folder.path().join("t.jsonl"), 100, 30);
        stage.keys("4 w");
        let text = stage.text();
        assert!(
            text.contains("The entry says: this position") && text.contains("It was not checked")
        );
        assert!(!text.contains("It replaces") && !text.contains("a probe"), "{game}: {text}");
    }
}

#[test]
fn findings_of_a_trace_are_places_to_go_to() {
    for (game, moves) in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let mut stage = wrong_trace(game, moves, &folder.path().join("t.jsonl"), 100, 30);
        let found = findings(&stage);
        assert!(found.len() > 1, "{found:?}");
        let header = nth_line(&stage, 0);
        assert!(header.contains("TRACE  t.jsonl") && header.contains("✗"), "{header}");
        // Where many findings share columns, bars show how many; the highest is full.
        assert!(nth_line(&stage, 1).contains(['✗', '█']), "{}", stage.text());
        let last = stage.state().trace().unwrap().found.events - 1;
        let timelines = stage.state().data.get::<TimelineList>().unwrap();
        assert_eq!(
            timelines.current().unwrap().reached,
            last + 1,
            "the time line has the whole file"
        );
        // It opens at the first finding; there and back, from finding to finding.
        assert_eq!(here(&stage), Some(found[0]), "{}", stage.text());
        for event in &found[1..] {
            stage.keys("}");
            assert_eq!(here(&stage), Some(*event), "{}", stage.text());
        }
        for event in found.iter().rev().skip(1) {
            stage.keys("{");
            assert_eq!(here(&stage), Some(*event));
        }
        stage.keys("{");
        assert_eq!(here(&stage), Some(found[0]));
        assert!(stage.text().contains("has no finding before this event"), "{}", stage.text());
        // At the end of a long list, the cursor is on a finding, so that its explanation is not that of another page.
        stage.keys(") F");
        let rows = &stage.text().lines().map(str::to_owned).collect::<Vec<_>>();
        let at = usize::from(cursor(&stage).1);
        assert!(!rows[at].contains(" before"), "{}", stage.text());
        stage.keys("home").lines(&[&format!("goto {}", found[0])]).keys("esc");
        // The board's title and the row of messages agree on the side to move, in each frame.
        for frame in 0..stage.state().data.frames().len() {
            stage.lines(&[&format!("frame {frame}")]).keys("esc");
            let text = stage.text();
            let side = text.lines().find_map(|line| line.split_once(&format!("frame {frame}: ")));
            let side = side.unwrap_or_else(|| panic!("{text}")).1.split(' ').next().unwrap();
            assert_eq!(side, ["White", "Black"][(frame + 1) % 2]);
            assert!(nth_line(&stage, 2).contains(&format!("frame {frame}, {side}")), "{text}");
        }
        // The list: its cursor is at the current event, and goes to the next one.
        stage.keys("F");
        let text = stage.text();
        let shared = stage.state().trace().unwrap().shared("hit-differs");
        let is_shown = |shared: &String| text.contains(&shared[.."all have".len()]);
        assert!(shared.as_ref().is_none_or(is_shown), "{shared:?}: {text}");
        assert!(text.contains("hit-differs") && text.contains("\"e\":\"hit\""), "{text}");
        assert!(text.contains(&format!(", line {} ", count(found[0] + 2))), "{text}");
        stage.keys("down");
        // The text below the list is that of the selected finding.
        let there = format!("─ event {}: Enter goes there ", count(found[1]));
        assert!(stage.text().contains(&there), "{}", stage.text());
        stage.keys("enter");
        assert_eq!(here(&stage), Some(found[1]), "{}", stage.text());
        // The explanation is of the selected finding.
        stage.keys("up w");
        assert_eq!(here(&stage), Some(found[0]), "{}", stage.text());
        assert!(
            stage.text().contains(&format!("event {}: hit", count(found[0]))),
            "{}",
            stage.text()
        );
        stage.keys("esc down enter");
        assert_eq!(here(&stage), Some(found[1]), "{}", stage.text());
        // The event that the finding contradicts.
        let trace = stage.state().trace().unwrap();
        let finding =
            trace.found.findings.iter().find(|it| it.event == found[1] && it.other.is_some());
        let other = finding.unwrap().other;
        stage.keys("g");
        assert_eq!(here(&stage), other);
        stage.keys("g");
        assert_eq!(here(&stage), Some(found[1]), "and back");
        stage.keys("g");
        stage.keys("} 2");
        assert!(stage.text().contains("✗"), "{}", stage.text());
        let is_marked = |stage: &Stage, rows: std::ops::Range<usize>| {
            let text = stage.text();
            let mut rows = text.lines().skip(rows.start).take(rows.len());
            rows.any(|row| row.contains('✗'))
        };
        assert!(is_marked(&stage, 2..26), "in the stack: {}", stage.text());
        stage.keys("3");
        assert!(is_marked(&stage, 2..26), "in the tree: {}", stage.text());
        // Away from all findings, the selected one stays, and the text is that of the current event.
        stage.keys("F");
        let before = here(&stage).filter(|event| found.contains(event)).unwrap();
        let text = stage.keys(") F").text();
        let row = text.lines().find_map(|line| line.split_once("▸ ").map(|(_, row)| row.trim()));
        assert!(row.is_some_and(|row| row.starts_with(&count(before))), "{text}");
        assert!(text.contains("\"e\":\"") && !text.contains("Enter goes there"), "{text}");
        assert!(text.contains(": no finding"), "{text}");
    }
}

/// The header names what has stopped the search.
#[test]
fn a_watchpoint_is_one_in_the_header() {
    for (game, moves) in GAMES {
        for (stop, named) in [("watch best 0", "WATCHPOINT 1"), ("break ply=1", "BREAKPOINT 1")] {
            let mut stage = Stage::new(100, 30);
            let set = "search set depth=3 memo=bound";
            stage.lines(&[&format!("game {game}"), moves, set, stop, "continue"]).keys("esc esc");
            let text = stage.text();
            assert!(text.lines().next().unwrap().contains(named), "{game}: {text}");
        }
    }
}

/// Among the stops, the key that takes back a move elsewhere sets a removed breakpoint again.
#[test]
fn a_removed_breakpoint_is_restored_among_the_stops() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        let played = |stage: &Stage| stage.state().data.get::<PositionReport>().unwrap().undo;
        let before = played(&stage);
        stage.lines(&["break if ply == 2 and event == cutoff", "watch best 0"]).keys("esc esc !");
        let all = |stage: &Stage| {
            let list: &BreakpointList = stage.state().data.get().unwrap();
            list.breakpoints.iter().map(|it| it.condition.clone()).collect::<BTreeSet<_>>()
        };
        let conditions = all(&stage);
        assert_eq!(conditions.len(), 2, "{game}");
        assert!(stage.keys("home d").text().contains("U sets it again"), "{}", stage.text());
        stage.keys("home d");
        assert!(all(&stage).is_empty(), "{game}: {}", stage.text());
        stage.keys("U U");
        assert_eq!(all(&stage), conditions, "{game}: {}", stage.text());
        assert!(
            stage.keys("U").text().contains("no removed breakpoint is left"),
            "{}",
            stage.text()
        );
        assert_eq!(played(&stage), before, "{game}: {}", stage.text());
        assert_eq!(played(stage.keys("1 U")), before - 1, "{game}: {}", stage.text());
    }
}

/// The board of an entry is that of the node that wrote it, not another position with the same key.
#[test]
fn an_entry_shows_the_position_of_its_writer() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3 memo=bound"]);
        stage.lines(&["search run"]).keys("esc esc 4 enter");
        let mut sides = BTreeSet::new();
        for _ in 0..40 {
            let data = &stage.state().data;
            let entry = data.entry.as_ref().unwrap();
            let writer = entry.writer.as_ref().unwrap();
            let line: Vec<_> = writer.line.iter().map(ToString::to_string).collect();
            let mut shell = Shell::default();
            let played = [&format!("game {game}"), moves].map(|line| shell.run_line(line));
            assert!(played.iter().flatten().all(Result::is_ok));
            if !line.is_empty() {
                shell.run_line(&format!("play {}", line.join(" "))).pop().unwrap().unwrap();
            }
            let there: BoardReport = shell.look_up_as("position board").unwrap();
            let shown = data.board.as_ref().unwrap();
            let stones = |report: &BoardReport| -> Vec<_> {
                report.board.points.iter().map(|point| (point.stone, point.piece)).collect()
            };
            assert_eq!(stones(shown), stones(&there), "{game} {}", entry.key);
            let side = |report: &BoardReport| report.state.split(' ').nth(1).map(str::to_owned);
            assert_eq!(side(shown), side(&there), "{game} {}", entry.key);
            sides.insert(side(shown));
            stage.keys("down");
        }
        assert_eq!(sides.len(), 2, "{game}: entries of both sides were compared");
    }
}

#[test]
fn keys_and_panes_of_games_are_not_offered_in_a_trace() {
    for (game, moves) in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let mut stage = wrong_trace(game, moves, &folder.path().join("t.jsonl"), 140, 40);
        for pane in ["1", "2", "3", "4", "5", "F", "!"] {
            stage.keys(pane);
            let text = stage.text();
            let rows: Vec<_> = text.lines().rev().take(2).collect();
            for label in [" undo", " hint", " engine", " run", " save", " level", " new "] {
                assert!(!rows.iter().any(|row| row.contains(label)), "{label} in {pane}: {rows:?}");
            }
        }
        stage.keys("0");
        assert!(stage.text().contains("0 does nothing here"), "{}", stage.text());
        let text = stage.text();
        assert!(!text.contains(" Game") && !text.contains(" Eval"), "{text}");
        stage.lines(&["trace close"]);
        stage.keys("esc esc esc 0");
        assert!(stage.text().contains("0 Game"), "{}", stage.text());
    }
}

/// A file that takes longer to read than keys may wait.
#[test]
fn a_long_trace_is_read_in_slices() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.jsonl");
    let mut text = "{\"plytrace\":1,\"program\":\"slow 1\"}\n{\"e\":\"iter\",\"d\":1}\n".to_owned();
    for number in 0..200_000 {
        let _ = write!(
            text,
            "{{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":1,\"k\":\"{number:x}\"}}\n{{\"e\":\"out\",\"v\":0}}\n"
        );
    }
    text += "{\"e\":\"out\",\"v\":0}\n";
    fs::write(&file, text).unwrap();
    let mut stage = Stage::new(100, 30);
    let line = format!("trace open {}", file.display());
    let response = stage.driver.shell.run_line(&line).remove(0);
    stage.driver.app.replied(plyscope::tui::state::By::Typing, &response);
    stage.driver.look_up(true);
    stage.driver.look_up(false);
    let trace = stage.state().trace().unwrap();
    assert!(!trace.done && trace.found.events < 400_002, "{}", trace.found.events);
    assert!(stage.driver.app.is_stale());
    let header = nth_line(&stage, 0);
    assert!(header.contains("long.jsonl · slow 1") && header.contains("checking"), "{header}");
    stage.driver.settle();
    let header = nth_line(&stage, 0);
    assert!(header.contains("✗ 1 finding") && !header.contains("checking"), "{header}");
    stage.keys("esc }");
    assert_eq!(here(&stage), Some(400_001));
    let list = stage.state().data.get::<TimelineList>().unwrap();
    assert_eq!(list.current().unwrap().reached, 400_002);
}

#[test]
fn a_trace_that_breaks_off_is_shown_up_to_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.jsonl");
    let lines = [
        r#"{"plytrace":1}"#,
        r#"{"e":"in","a":-1,"b":1,"d":0}"#,
        r#"{"e":"out","v":0}"#,
        r#"{"e":"in","a":-1,"#,
    ];
    fs::write(&file, lines.join("\n")).unwrap();
    let mut stage = Stage::new(100, 30);
    stage.lines(&[&format!("trace open {}", file.display())]);
    stage.keys("esc F");
    let text = stage.text();
    assert!(text.contains("Read up to here: line 4 is cut off"), "{text}");
    assert!(text.contains("incomplete  no findings"), "{text}");
    stage.keys(")");
    assert_eq!(here(&stage), Some(1));
}

/// The line that cannot be read stays in view above the findings, and is in the log.
#[test]
fn a_bad_line_in_a_trace_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.jsonl");
    let node = |key: u32| {
        format!(
            "{{\"e\":\"in\",\"a\":-1,\"b\":0,\"d\":1,\"k\":\"{key}\"}}\n{{\"e\":\"in\",\"a\":0,\"b\":1,\"d\":0,\"m\":\"x\"}}\n\
             {{\"e\":\"out\",\"v\":-300}}\n{{\"e\":\"put\",\"v\":300,\"t\":\"exact\",\"d\":1,\"k\":\"{key}\"}}\n\
             {{\"e\":\"out\",\"v\":300}}\n"
        )
    };
    let nodes: String = (1..30).map(node).collect();
    let text = format!("{{\"plytrace\":1}}\n{nodes}garbage {{\n{}{}", node(40), node(41));
    fs::write(&file, text).unwrap();
    let mut stage = Stage::new(80, 24);
    stage.lines(&[&format!("trace open {}", file.display())]);
    let fault =
        "line 147 is not an event (column 1: expected value); the 10 lines after it are not read";
    let log = stage.state().log.lines();
    assert!(log.iter().any(|(_, line)| line.ends_with(fault)), "{log:?}");
    stage.keys("esc F end");
    let text = stage.text();
    assert!(text.contains("Read up to here: line 147"), "{text}");
    // Each finding has one row, without the depth that all findings have.
    let is_row =
        |line: &&str| line.contains("  exact +300   ") && line.contains("  is lower: +300 ≥ β");
    let rows = text.lines().filter(is_row).count();
    assert!(rows > 1, "{text}");
    stage.keys("z home");
    let text = stage.text();
    assert!(text.contains("29 of 29 findings: `exact` is"), "{text}");
    stage.keys("enter enter");
    assert_eq!(said(&stage), "the search is already at this event");
    assert_eq!(text.matches("✗ bound-side 29: ").count(), 1, "{text}");
}

#[test]
fn breakpoints_marks_and_timelines_are_listed_with_their_events() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3"]);
        stage.keys("esc esc");
        assert!(!stage.text().contains("! Stops"), "{}", stage.text());
        stage.lines(&["catch cutoff ply=2; continue; continue; mark odd; continue"]);
        let stops: Vec<_> = {
            let list = stage.state().data.get::<TimelineList>().unwrap();
            list.current().unwrap().stops.iter().map(|stop| stop.event).collect()
        };
        assert_eq!(stops.len(), 3);
        stage.keys("esc !");
        let text = stage.text();
        assert!(
            text.contains("● 1  kind=cutoff ply=2")
                && text.contains("◇ odd")
                && text.contains("◆ timeline 1  to event "),
            "{text}"
        );
        stage.keys("down enter");
        assert_eq!(here(&stage), Some(stops[0]), "the first event below the breakpoint");
        stage.keys("up enter");
        assert_eq!(here(&stage), Some(stops[1]), "the breakpoint goes to its next event");
        stage.keys("down down down down enter");
        assert_eq!(here(&stage), Some(stops[1]), "the mark");
        stage.keys("up up up up space");
        let is_on = |stage: &Stage| {
            let text = stage.text();
            text.contains("● 1 ") && !text.contains("○ 1 ")
        };
        assert!(!is_on(&stage), "{}", stage.text());
        stage.keys("space");
        assert!(is_on(&stage), "{}", stage.text());
        stage.keys("down space");
        assert!(!is_on(&stage), "an event stands for its breakpoint: {}", stage.text());
        stage.keys("space up delete");
        assert!(stage.state().data.get::<BreakpointList>().unwrap().breakpoints.is_empty());
        stage.keys("delete");
        let list = stage.state().data.get::<TimelineList>().unwrap();
        assert!(list.bookmarks.is_empty(), "the mark comes next");
    }
}

/// Beside a short list of stops, a screen of middle height has room for the stack.
#[test]
fn a_short_list_of_stops_leaves_room_for_the_stack() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "break kind=cutoff", "continue"]);
        stage.keys("esc esc !");
        let of = |pane| stage.state().areas().of(pane);
        assert!(of("stops").is_some() && of("stack").is_some(), "{game}: {}", stage.text());
        assert_eq!(stage.state().focus, "stops");
    }
}

#[test]
fn a_search_that_another_one_replaces_stays_and_the_screen_says_so() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.keys("esc esc r");
        let text = stage.text();
        assert!(text.contains("the last search is kept: `timeline use 1`"), "{text}");
        assert!(nth_line(&stage, 1).contains("▸ timeline 1"), "{text}");
        assert!(nth_line(&stage, 0).contains(", timeline 2"), "{text}");
        // A hint ignores breakpoints.
        let text = stage.lines(&["break kind=store"]).keys("esc esc 1 i").text();
        assert!(text.contains("best moves for "), "{game}: {text}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("the last search is kept: `timeline use 2`"), "{game}: {text}");
        stage.keys("! end");
        stage.lines(&["timeline use 1"]).keys("esc");
        assert!(nth_line(&stage, 0).contains(", timeline 1"), "{game}: {}", stage.text());
    }
}

#[test]
fn rows_of_a_sheet_lead_to_events() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[
            &format!("game {game}"),
            moves,
            "search set memo=bound depth=3",
            "search run",
        ]);
        stage.keys("esc esc 4 down w");
        let sheet = stage.text();
        assert!(sheet.contains("written by event"), "{sheet}");
        if !sheet.contains("Enter goes there") {
            stage.keys("tab");
        }
        // The cursor stands on the first row with a place; the writer's row is below it.
        for _ in 0..40 {
            let is_writer = |row: &str| row.contains('▸') && row.contains("written by event");
            if stage.text().lines().any(is_writer) {
                break;
            }
            stage.keys("down");
        }
        stage.keys("enter");
        let event = count(here(&stage).unwrap());
        assert!(sheet.contains(&format!("written by event {event}")), "{event}: {sheet}");
    }
}

/// Hashed keys do not tell positions: the node that wrote the entry does.
#[test]
fn an_entry_without_a_position_is_shown_by_the_node_that_wrote_it() {
    for (game, moves) in GAMES {
        for policy in ["bound", "interval"] {
            let mut stage = Stage::new(140, 40);
            let set = format!("search set memo={policy} depth=3");
            stage.lines(&[&format!("game {game}"), moves, &set, "search run"]);
            stage.keys("esc esc 4 down down");
            let key = stage.state().data.get::<CacheList>().unwrap().entries[2].key.clone();
            assert_eq!(stage.state().shown, BoardOf::Entry(key.clone()));
            let shown = stage.state().position().map(str::to_owned);
            let shown = shown.unwrap_or_else(|| panic!("{game} {policy}: {}", stage.text()));
            let depth = key.split(':').nth(1).map_or(String::new(), |depth| format!(":{depth}"));
            let line = format!("cache get \"{shown}{depth}\"");
            let found = stage.driver.shell.look_up_as::<CacheEdit>(&line);
            assert_eq!(found.unwrap().key, key, "{game} {policy}");
            let board = stage.state().data.board.as_ref().unwrap();
            assert_eq!(board.state, shown);
        }
    }
}

#[test]
fn why_entry_and_writer_are_asked_at_frames_and_rows() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set memo=bound depth=4"]);
        stage.lines(&["until hit; step 30; until hit"]);
        stage.keys("esc esc 2 up w");
        assert!(stage.state().sheet.is_some(), "{}", stage.text());
        stage.keys("esc .");
        let frame = stage.state().data.frame().unwrap().key.clone();
        let log = stage.state().log.lines();
        assert!(log.iter().any(|(_, line)| *line == format!("cache get {frame}")), "{log:?}");
        stage.keys("3 home w");
        assert!(stage.state().sheet.is_some(), "{}", stage.text());
        stage.keys("esc down w");
        assert!(stage.state().sheet.is_some(), "{}", stage.text());
        let before = here(&stage);
        stage.keys("esc 4 g");
        assert!(here(&stage) < before, "{}", stage.text());
    }
}

/// In the command line, Tab completes and Enter runs the line, whatever list a sheet shows.
#[test]
fn a_typed_line_keeps_its_keys_beside_a_list() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves, "step 50", "where"]);
        let is_entered = |stage: &Stage| stage.text().contains("Enter goes there");
        stage.keys("tab");
        assert!(stage.state().sheet.is_some() && !is_entered(&stage), "{game}: {}", stage.text());
        stage.keys("f6");
        assert!(is_entered(&stage), "{game}: {}", stage.text());
        stage.keys("s");
        assert!(!is_entered(&stage), "{game}: {}", stage.text());
    }
}

#[test]
fn rows_of_a_list_of_games_open_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three.pgn");
    let games = ["1. e4 *", "1. d4 d5 *", "1. c4 e5 2. Nc3 *"];
    let games = games.map(|moves| format!("[Event \"x\"]\n\n{moves}\n\n"));
    fs::write(&file, games.concat()).unwrap();
    let load = format!("pgn load {}", file.display());
    let run = "match run \"a: depth=1\" \"b: depth=1\" --games 16 --draws max_turns=8";
    for (game, begin, list, opened) in [
        ("chess", load.as_str(), "games", "games open 3"),
        ("morris", run, "match show", "match open 3"),
    ] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), begin, list]);
        let text = stage.text();
        assert!(text.contains("F6 to its lines"), "{text}");
        stage.keys("f6 down down");
        assert!(stage.text().contains("▸"), "{}", stage.text());
        stage.keys("enter");
        let log: Vec<_> = stage.state().log.lines().iter().collect();
        assert!(log.iter().any(|(_, line)| line == opened), "{log:?}");
        assert_ne!(log.last().unwrap().0, LogLine::Failure, "{log:?}");
        assert!(stage.state().sheet.is_some(), "the list stays for the next game");
    }
}

/// A file with several games says which one is open, and how to get to the others, at every size.
#[test]
fn a_key_leads_to_the_other_games_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three.pgn");
    let games = ["A", "B", "C"].map(|white| {
        format!("[White \"{white}\"]\n[Black \"Z\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n")
    });
    fs::write(&file, games.concat()).unwrap();
    for (columns, rows) in [(80, 24), (100, 30), (140, 40)] {
        let mut stage = Stage::new(columns, rows);
        stage.lines(&[&format!("open '{}'", file.display())]).keys("esc esc 0");
        let text = stage.text();
        assert!(text.contains("A - Z") && text.contains("game 1 of 3"), "{text}");
        let bar: String = text.lines().rev().take(2).collect();
        assert!(bar.contains("T games"), "{text}");
        stage.keys("T j j k enter");
        assert!(stage.text().contains("game 2 of 3"), "{}", stage.text());
        // At its beginning there is no move to take back, and no way into the game before it.
        stage.keys("esc esc U");
        assert!(stage.text().contains("game 2 of 3"), "{}", stage.text());
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert!(said.starts_with("the game begins here"), "{said}");
    }
}

#[test]
fn the_writer_of_an_edited_entry_is_missing_and_the_screen_says_so() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves, "search set memo=bound depth=4", "step 3"]);
        stage.keys("esc esc 2");
        let key = stage.state().data.frame().unwrap().key.clone();
        stage.lines(&[&format!("cache set {key} value=0 depth=1")]).keys("esc 2 g");
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert!(said.starts_with("no event of this recording wrote"), "{game}: {}", stage.text());
        let text = stage.lines(&[&format!("cache get {key}")]).keys("esc esc 4").text();
        assert!(text.contains("0 exact at depth 1"), "{game}: {text}");
        assert!(text.contains("edited by hand"), "{game}: {text}");
    }
}

/// A key that has nothing to do with the selected entry does not name its fields.
#[test]
fn a_mark_from_the_cache_pane_is_not_an_edit() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.keys("esc esc 4 down +");
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert!(said.starts_with("mark at-"), "{game}: {said}");
    }
}

/// The reply to an edit is a line of its own where the entry's board has no room.
#[test]
fn an_edit_in_a_low_pane_is_reported_in_a_line() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.keys("esc esc 4 down");
        let key = stage.state().data.get::<CacheList>().unwrap().entries[1].key.clone();
        stage.keys(":").driver.printed.clear();
        stage.lines(&[&format!("cache set {key} value=0.25")]);
        let printed = stage.driver.printed.join("\n");
        assert!(printed.contains(&key) && printed.contains("was "), "{game}: {printed}");
        assert!(!printed.contains("in hand"), "{game}: {printed}");
    }
}

/// An entry that is restored is not marked as edited, in the list, in its writer and after a removal.
#[test]
fn a_restored_entry_is_not_an_edited_one() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.keys("esc esc 4 down");
        let entry =
            |stage: &Stage| stage.state().data.get::<CacheList>().unwrap().entries[1].clone();
        let (before, key) = (entry(&stage), entry(&stage).key);
        stage.lines(&[&format!("cache set {key} value=0.25")]).keys("esc 4");
        assert!(entry(&stage).edited, "{game}");
        let writer = |stage: &mut Stage| {
            let found =
                stage.driver.shell.look_up_as::<CacheEdit>(&format!("cache get --writer {key}"));
            found.unwrap().writer.unwrap().edited
        };
        assert!(writer(&mut stage).is_some(), "{game}");
        stage.keys("U");
        assert_eq!(entry(&stage), before, "{game}: {}", stage.text());
        assert_eq!(writer(&mut stage), None, "{game}");
        stage.keys("d U");
        assert!(!entry(&stage).edited, "{game}: {}", stage.text());
    }
}

/// The board keeps the position of an entry that a search stores again.
#[test]
fn an_entry_that_is_stored_again_keeps_its_board() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[
            &format!("game {game}"),
            moves,
            "search set depth=2 memo=bound",
            "search run",
        ]);
        stage.keys("esc esc 4 down enter");
        let shown = stage.state().position().map(str::to_owned);
        assert!(shown.is_some(), "{game}: {}", stage.text());
        let key = stage.state().position_key().unwrap().to_owned();
        stage.lines(&[&format!("cache set {key} depth=7")]).keys("esc 4");
        stage.driver.app.state.data.entry = None;
        stage.driver.app.state.shown = BoardOf::Entry(key);
        stage.driver.look_up(true);
        assert_eq!(stage.state().position().map(str::to_owned), shown, "{game}: {}", stage.text());
    }
}

/// The position of an edited entry is looked up before the edit, as no event tells it afterwards. An edit that fails is typed
/// again, with the cursor after the fault; the focus returns once it succeeds.
#[test]
fn an_entry_that_is_edited_is_on_the_board() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.keys("esc esc 4 down e");
        let key = stage.state().data.get::<CacheList>().unwrap().entries[1].key.clone();
        assert_eq!(stage.state().shown, BoardOf::Entry(key.clone()), "{game}");
        let failing = format!("cache set {key} valeu=0");
        stage.driver.app.state.effects.clear();
        stage.lines(&[&failing]);
        assert_eq!(stage.state().focus, "command", "{game}: {}", stage.text());
        let effects = &stage.state().effects;
        assert!(effects.contains(&Effect::Type(failing.clone())), "{game}: {effects:?}");
        let left = Effect::Key(KeyEvent::from(KeyCode::Left));
        let moves = effects.iter().filter(|effect| **effect == left).count();
        assert_eq!(moves, "=0".len(), "{game}: the cursor is after the fault");
        stage.lines(&[&format!("cache set {key} value=0.25")]);
        assert_eq!(stage.state().focus, "cache", "{game}: {}", stage.text());
        assert!(stage.state().position().is_some(), "{game}: {}", stage.text());
    }
}

/// A jump says where it began, also after other jumps.
#[test]
fn a_jump_says_where_it_began() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=4", "step 5000"]);
        stage.keys("esc esc {");
        let said = |stage: &Stage| stage.state().status.clone().map(|(_, text)| text);
        assert_eq!(said(&stage).unwrap(), "from event 4,999: `goto 4999` returns", "{game}");
        let here = stage.state().data.event().unwrap().index;
        stage.keys(")");
        let returns = format!("from event {}: `goto {here}` returns", count(here));
        assert_eq!(said(&stage).unwrap(), returns, "{game}: {}", stage.text());
    }
}

/// A timeline cannot be restored, so its removal needs confirmation.
#[test]
fn a_timeline_is_removed_after_a_question() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.keys("esc esc r ! home d");
        let count = |stage: &Stage| {
            stage.state().data.get::<TimelineList>().map_or(0, |list| list.timelines.len())
        };
        assert!(
            stage.text().contains("Remove timeline 1, which cannot be"),
            "{game}: {}",
            stage.text()
        );
        assert_eq!((count(&stage), count(stage.keys("y"))), (2, 1), "{game}");
    }
}

/// A move that is typed in the command pane but illegal gets the error of a move.
#[test]
fn an_illegal_move_is_no_unknown_command() {
    for (game, moves, illegal) in
        [("chess", "play e4 e5", "e2e5"), ("chess", "play e4", "Nf99"), ("morris", "play d6", "d6")]
    {
        let mut stage = Stage::new(100, 30);
        stage.driver.shell.interactive = true;
        stage.lines(&[&format!("game {game}"), moves, illegal]);
        let log = stage.state().log.lines();
        let said = &log.iter().last().unwrap().1;
        assert!(!said.contains("there is no command"), "{game} {illegal}: {said}");
        assert_eq!(stage.driver.shell.session().position().redo, 0);
    }
}

/// Esc leaves a line that a key has begun before it closes the sheet.
#[test]
fn escape_leaves_an_answer_before_its_question() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "quiz on"]);
        stage.keys("esc esc").lines(&["quiz next"]);
        // Questions about cutoffs are answered without a line.
        while stage.keys("a").state().focus != "command" {
            stage.keys("p space");
        }
        stage.keys("esc");
        let screen = stage.state();
        assert!(screen.sheet.is_some() && screen.focus != "command", "{game}: {}", stage.text());
        assert!(stage.keys("esc").state().sheet.is_none(), "{game}: {}", stage.text());
    }
}

/// A fault at the end of a line that a key has begun is not typed again.
#[test]
fn an_answer_that_is_refused_leaves_its_place() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.keys("esc esc 4 e");
        let key = stage.state().data.get::<CacheList>().unwrap().entries[0].key.clone();
        let line = format!("cache set {key} depth=1 value=");
        stage.driver.app.state.effects.clear();
        stage.lines(&[&format!("{line}much")]);
        let effects = &stage.state().effects;
        assert!(effects.contains(&Effect::Type(line)), "{game}: {effects:?}");
    }
}

/// The line for an edit waits for the new value; the row of messages has the stored fields that can be set. If the memo policy
/// implies the bound, it has none.
#[test]
fn the_fields_of_an_entry_are_listed_while_it_is_edited() {
    for (game, moves) in GAMES {
        for (memo, fields) in
            [("bound", " bound=exact depth="), ("interval", " alpha="), ("exact", ";")]
        {
            let mut stage = Stage::new(80, 24);
            let set = format!("search set algorithm=minimax memo={memo} depth=2");
            stage.lines(&[&format!("game {game}"), moves, &set, "search run"]);
            stage.keys("esc esc 4 e");
            let entry = stage.state().data.get::<CacheList>().unwrap().entries[0].clone();
            let stored = "stored: value=";
            for key in ["a", "b"] {
                let text = stage.keys(key).text();
                assert!(text.contains(stored) && text.contains(fields), "{game} {memo}: {text}");
                assert_eq!(text.contains(" bound="), memo == "bound", "{text}");
            }
            assert!(!stage.keys("esc").text().contains(stored), "{game} {memo}");
            let typed = stage.effects.iter().find_map(|it| match it {
                Effect::Type(line) => Some(line.clone()),
                _ => None,
            });
            assert_eq!(typed, Some(format!("cache set {} value=", entry.key)), "{game} {memo}");
            stage.lines(&[&format!("{}0.5", typed.unwrap())]);
            let mut log = stage.state().log.lines().iter();
            assert!(!log.any(|(kind, _)| *kind == LogLine::Failure), "{memo}: {}", stage.text());
        }
    }
}

/// On a large screen, the zoomed cache has the board beside it, and the list has the positions of its entries if they are known.
#[test]
fn a_zoomed_cache_has_positions_and_the_board() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(200, 60);
        let set = "search set memo=bound verify=on depth=2";
        stage.lines(&[&format!("game {game}"), moves, set, "search run"]);
        stage.keys("esc esc alt-2 4 z down");
        let text = stage.text();
        let data = &stage.state().data;
        let entry = &data.get::<CacheList>().unwrap().entries[1];
        // The position is that of the node that wrote the entry, not that with colours normalised.
        let position = &data.writers[&entry.key].0.state;
        assert!(text.contains(&position[..position.len().min(40)]), "{game}: {text}");
        assert!(text.contains(" side "), "{game}: {text}");
        assert!(text.contains(&format!("1 Board · entry {}", entry.key)), "{game}: {text}");
    }
}

/// The key for the event that a finding contradicts belongs to the selected finding, not to the one at the current event.
#[test]
fn the_event_that_the_selected_finding_contradicts_is_one_key_away() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves) in GAMES {
        let mut stage = wrong_trace(game, moves, &folder.path().join(game), 100, 30);
        stage.keys("( F }");
        let at = here(&stage).unwrap();
        let other = |stage: &Stage, event: u64| {
            let trace = stage.state().data.get::<OpenTrace>().unwrap();
            trace.found.findings.iter().find(|it| it.event == event).and_then(|it| it.other)
        };
        let findings = |stage: &Stage| -> Vec<_> {
            let trace = stage.state().data.get::<OpenTrace>().unwrap();
            trace.found.findings.iter().map(|it| it.event).filter(|event| *event > at).collect()
        };
        let next = findings(&stage)[0];
        assert!(other(&stage, at).is_some() && other(&stage, next) != other(&stage, at), "{game}");
        stage.keys("down g");
        assert_eq!(here(&stage), other(&stage, next), "{game}: {}", stage.text());
        stage.keys("g");
        assert_eq!(here(&stage), Some(next), "{game}: and back");
    }
}

/// During a search the list is the one from before the search, and says so in the narrowest pane, too.
#[test]
fn during_a_search_the_list_says_how_old_it_is() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        let set = "search set memo=bound depth=3";
        stage.lines(&[&format!("game {game}"), moves, set, "search run"]).keys("esc esc alt-2 4");
        let total = count(stage.state().data.get::<CacheList>().unwrap().total as u64);
        let driver = &mut stage.driver;
        driver.app.state.submit("search run --depth 40", By::Key);
        while driver.step() != Step::Search {
            let outcome = driver.shell.advance();
            driver.ran(outcome.as_ref());
        }
        let text = stage.text();
        let now = stage.state().data.get::<Run>().unwrap().cache.entries;
        assert!(text.contains(&format!("{} now; older list", count(now as u64))), "{text}");
        assert!(count(now as u64) != total, "{text}");
    }
}

/// The message of an edit has the value as the screen shows it, and `cache set` with that value stores the same one. An edit that
/// is undone restores all digits.
#[test]
fn a_value_that_is_not_edited_keeps_its_digits() {
    let chess = [("99998", "#1"), ("90", "+0.90"), ("9.04e1", "+0.90"), ("-9.04e1", "-0.90")];
    let morris = [("0.25", "+0.25"), ("0.047619047619047616", "+0.048"), ("-0.0476", "-0.048")];
    for ((game, moves), values) in GAMES.into_iter().zip([&morris[..], &chess]) {
        let mut stage = Stage::new(100, 30);
        let set = "search set memo=bound depth=3";
        stage.lines(&[&format!("game {game}"), moves, set, "search run"]).keys("esc esc 4");
        let first =
            |stage: &Stage| stage.state().data.get::<CacheList>().unwrap().entries[0].clone();
        for (value, typed) in values {
            let key = first(&stage).key;
            stage.lines(&[&format!("cache set {key} value={value} bound=exact depth=3")]);
            let fields = format!("value={typed} bound=exact depth=3");
            let text = stage.keys("esc esc 4 e").text();
            assert!(text.contains(&format!("stored: {fields}")), "{game} {fields}: {text}");
            let exact = value.parse::<f64>().unwrap();
            stage.lines(&[&format!("cache set {key} {fields}")]);
            assert_eq!(first(&stage).value.get(), exact, "{game}");
            stage.lines(&[&format!("cache set {key} value=0")]).keys("esc esc 4 U");
            assert_eq!(first(&stage).value.get(), exact, "{game}: {}", stage.text());
        }
    }
}

/// In the pane of the game, the arrows go through its moves.
#[test]
fn arrows_step_through_a_game() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves]).keys("esc esc 0");
        let place = |stage: &Stage| {
            let position = stage.state().data.get::<PositionReport>().unwrap();
            (position.undo, position.redo)
        };
        let (undo, _) = place(&stage);
        stage.keys("left");
        assert_eq!(place(&stage), (undo - 1, 1), "{game}");
        stage.keys("right");
        assert_eq!(place(&stage), (undo, 0), "{game}");
    }
}

/// A look for a writer that finds none leaves the frame selected.
#[test]
fn a_frame_stays_selected_if_no_writer_is_found() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=4", "step 40"]);
        stage.keys("esc esc 2 up");
        let selected = |stage: &Stage| stage.state().data.get::<Where>().unwrap().selected;
        let before = selected(&stage);
        stage.keys("g");
        assert!(said(&stage).starts_with("no event of this recording wrote"), "{}", stage.text());
        assert_eq!(selected(&stage), before, "{game}");
    }
}

/// At the ends of the recording, the keys that go on say that there is nothing further.
#[test]
fn the_keys_say_where_the_recording_ends() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        let over = "the search is over: S goes back, r searches again";
        let begin = "the recording begins here";
        let landmark = "the recording has no further landmark";
        for (keys, end) in
            [("esc esc ]", over), ("s", over), ("}", landmark), ("( S", begin), ("( [", begin)]
        {
            stage.keys(keys);
            assert_eq!(said(&stage), end, "{game} {keys}: {}", stage.text());
        }
        stage.lines(&["search drop", "step 20"]).keys("esc esc }");
        assert_eq!(said(&stage), landmark.to_owned() + ": ] searches on", "{game}");
        stage.keys("( {");
        assert_eq!(said(&stage), "the recording has no landmark before this event", "{game}");
    }
}

/// The time of an earlier event is not recorded, so the counters have none.
#[test]
fn an_earlier_event_has_no_time() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "step 500"]);
        stage.keys("esc esc 8");
        assert!(stage.text().contains("12.5 ms"), "{game}: {}", stage.text());
        stage.keys("S");
        assert!(!stage.text().contains(" ms"), "{game}: {}", stage.text());
    }
}

#[test]
fn board_and_cursor_agree_after_an_entry_is_removed() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=2", "search run"]);
        stage.keys("esc esc 4 down d");
        let next = stage.state().data.get::<CacheList>().unwrap().entries[1].key.clone();
        assert_eq!(stage.state().shown, BoardOf::Entry(next), "{game}");
    }
}

#[test]
fn a_position_without_an_entry_leaves_the_board_and_one_of_the_stack_is_known() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set memo=bound depth=4"]);
        stage.keys("esc esc s s s 2");
        let shown = stage.state().shown.clone();
        stage.keys(".");
        assert_eq!(stage.state().shown, shown, "{game}");
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert_eq!(said, "the cache has no entry for this position", "{game}");
        let frame = stage.state().data.frame().unwrap().clone();
        stage.lines(&[&format!("cache set {} value=0 depth=1", frame.key)]).keys("esc 2 .");
        assert_eq!(stage.state().shown, BoardOf::Entry(frame.key.clone()), "{game}");
        assert!(stage.state().position().is_some(), "{game}: {}", stage.text());
    }
}

#[test]
fn a_landmark_of_a_trace_is_the_row_of_its_finding_with_the_keys_for_it() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves) in GAMES {
        let mut stage = wrong_trace(game, moves, &folder.path().join(game), 80, 24);
        let words = |stage: &Stage| {
            let text = stage.text();
            text.lines().rev().nth(1).unwrap().to_owned()
        };
        assert!(!words(&stage).contains("place a stone"), "{}", stage.text());
        stage.keys("( 1 }");
        assert_eq!(stage.state().focus, "board", "{game}: the focus stays");
        let (_, row) = cursor(&stage);
        let (text, event) = (stage.text(), count(here(&stage).unwrap()));
        let line = text.lines().nth(row.into()).unwrap();
        let marked = line.split_once('▸').map(|(_, row)| row.trim_start());
        assert!(
            marked.is_some_and(|row| row.starts_with(&format!("{event}  "))),
            "{event}: {text}"
        );
        let above = text.lines().take(row.into()).skip(2);
        let heads = above.filter(|line| line.contains('✗')).count();
        assert_eq!(heads, 1, "a row of the first group, below its head: {text}");
        stage.keys("4 e");
        assert!(stage.state().sheet.is_none(), "{}", stage.text());
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text);
        assert_eq!(said, "e does nothing here in a trace; F1 lists the keys");
    }
}

/// From a node of the tree to the cache, the board shows the entry of the cursor; from the board of the game, that board stays.
#[test]
fn from_the_tree_to_the_cache_the_board_shows_the_selected_entry() {
    for (game, moves) in GAMES {
        let mut stage = stopped(game, moves, 140, 40);
        assert_eq!(stage.keys("4").state().shown, BoardOf::Position, "{game}");
        stage.keys("3 up up");
        assert!(matches!(stage.state().shown, BoardOf::Node(_)), "{game}: {}", stage.text());
        let key = stage.state().data.get::<CacheList>().unwrap().entries[0].key.clone();
        assert_eq!(stage.keys("4").state().shown, BoardOf::Entry(key), "{game}");
    }
}

/// The selected finding stays selected in a pane of another width, also after a jump to the event that it is held against.
#[test]
fn a_finding_stays_selected_when_the_screen_changes_its_size() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves) in GAMES {
        let mut stage = wrong_trace(game, moves, &folder.path().join(game), 140, 40);
        let selected = |stage: &Stage| {
            let line = nth_line(stage, cursor(stage).1.into());
            line.split('▸').nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
        };
        stage.keys("F } g");
        let before = selected(&stage);
        for (columns, rows) in [(80, 24), (140, 40), (100, 30)] {
            stage.event(&Event::Resize(columns, rows));
            assert_eq!(selected(&stage), before, "{game} {columns}: {}", stage.text());
        }
    }
}

/// The heads of the findings' columns stay in sight while the list is scrolled, and never cover the cursor.
#[test]
fn the_heads_of_findings_stay_in_sight() {
    let folder = tempfile::tempdir().unwrap();
    for (game, moves) in GAMES {
        let mut stage = wrong_trace(game, moves, &folder.path().join(game), 80, 20);
        stage.keys("F");
        let mut is_scrolled = false;
        for key in ["down"; 30].into_iter().chain(["up"; 30]) {
            let text = stage.keys(key).text();
            is_scrolled |= !text.contains("✗ hit-differs");
            let is_head = |row: &str| row.contains("event ") && row.contains("  against");
            assert!(text.lines().any(is_head), "{game}: {text}");
            let row = nth_line(&stage, cursor(&stage).1.into());
            assert!(row.contains('▸') && !row.contains("against"), "{game}: {row}\n{text}");
        }
        assert!(is_scrolled, "{game}: {}", stage.text());
    }
}

/// A search of a game that is stopped in the middle, with the focus on the stack.
fn stopped(game: &str, moves: &str, columns: u16, rows: u16) -> Stage {
    let mut stage = Stage::new(columns, rows);
    stage.lines(&[&format!("game {game}"), moves, "search set memo=bound depth=4", "step 3000"]);
    stage.keys("esc esc 2");
    stage
}

fn said(stage: &Stage) -> &str {
    stage.state().status.as_ref().map_or("", |(_, text)| text)
}

#[test]
fn tab_enters_an_answer_in_every_layout_and_the_last_line_says_so() {
    for (game, moves) in GAMES {
        for (columns, rows) in [(80, 24), (100, 30), (140, 40)] {
            let mut stage = stopped(game, moves, columns, rows);
            stage.keys("w tab");
            let text = stage.text();
            assert!(stage.state().sheet.is_some(), "{game} {columns}: {text}");
            assert_eq!(stage.state().focus, "stack", "{game} {columns}");
            assert!(text.lines().last().unwrap().starts_with(" ANSWER "), "{text}");
            assert!(text.contains("┏ why "), "a thick frame: {text}");
        }
    }
}

#[test]
fn the_findings_need_a_trace() {
    for (game, moves) in GAMES {
        let mut stage = stopped(game, moves, 140, 40);
        stage.keys("F");
        assert_eq!(stage.state().focus, "stack", "{game}");
        assert_eq!(said(&stage), "no trace is open: `trace open FILE` opens one", "{game}");
    }
}

#[test]
fn the_cursor_of_the_cache_goes_to_the_entry_that_another_pane_shows() {
    for (game, moves) in GAMES {
        let mut stage = stopped(game, moves, 140, 40);
        let list = stage.state().data.get::<CacheList>().unwrap();
        let key = list.entries[list.entries.len() / 2].key.clone();
        stage.lines(&[&format!("cache get {key}")]).keys("esc esc 4 d");
        assert!(said(&stage).starts_with(&format!("{key} removed, was ")), "{}", said(&stage));
        assert!(said(&stage).ends_with("; U restores it"), "{}", said(&stage));
    }
}

#[test]
fn the_frames_of_the_stack_come_before_the_counters() {
    for (game, moves) in GAMES {
        let stage = stopped(game, moves, 80, 24);
        let frames = stage.state().data.frames().len();
        let text = stage.text();
        assert!(frames > 3 && text.contains("  0"), "{game}: {text}");
        let shown = text.lines().filter(|line| {
            let side = line.chars().skip(34).collect::<String>();
            side.contains("w ") && side.contains('/') || side.contains("b ") && side.contains('/')
        });
        assert!(shown.count() >= frames - 1, "{game}: {frames} frames\n{text}");
    }
}

/// Value with bound, depth, best move and details are in sight on a small screen; a key that is too long is cut, not the value.
#[test]
fn the_entries_of_the_cache_have_their_values_at_any_width() {
    for (game, moves) in GAMES {
        let mut stage = stopped(game, moves, 80, 24);
        let text =
            stage.lines(&["search set order=best uses=on", "search run"]).keys("esc esc 4").text();
        let head = text.lines().find(|line| line.contains(" key ")).unwrap();
        let words = ["key", "value", "depth", "best"];
        assert!(words.iter().all(|word| head.contains(word)), "{game}: {text}");
        assert!(text.contains(" at depth "), "{game}: {text}");
        assert!(text.contains("  used "), "{game}: {text}");
        let text = stopped(game, moves, 40, 12).keys("4").text();
        let row = text.lines().find(|line| line.contains('▸')).unwrap();
        assert!(row.contains('…') && (row.contains('=') || row.contains('≥')), "{game}: {text}");
    }
}

/// On a high screen of few columns, several panes share the rows beside the board.
#[test]
fn a_high_screen_has_panes_below_each_other() {
    for (game, moves) in GAMES {
        let mut stage = stopped(game, moves, 100, 50);
        let places = |stage: &Stage| {
            let areas = stage.state().areas();
            ["stack", "tree", "cache"].map(|pane| areas.of(pane).unwrap_or_default())
        };
        let seen = places(&stage);
        let side = stage.state().areas().side;
        assert_eq!(seen.map(|area| area.height).iter().sum::<u16>(), side.height, "{game}");
        assert!(seen.iter().all(|area| area.height > 9), "{game}: {}", stage.text());
        // A pane in sight is focused where it is; another one comes in place of the tabs.
        let grown = places(stage.keys("3 4"))[2];
        assert_eq!((stage.state().focus, grown.bottom()), ("cache", seen[2].bottom()), "{game}");
        assert!(grown.height > seen[2].height, "the focused pane gets its rows first: {game}");
        stage.keys("e");
        assert!(places(&stage)[2].height > 5, "the entry to be edited is in sight: {game}");
        stage.keys("esc");
        let text = stage.keys("6").text();
        let eval = stage.state().areas().of("eval").unwrap();
        assert_eq!((eval.x, eval.y), (side.x, side.y), "{game}: {text}");
        assert!(text.contains("[6 Eval]") && text.contains(" 2 Stack "), "{game}: {text}");
        // In the pane of the stack is room for the counters, which can still be chosen.
        let mut stage = stopped(game, moves, 200, 60);
        let whole = stage.state().areas();
        assert!(whole.of("counters").is_none() && stage.text().contains("┃nodes "), "{game}");
        stage.keys("8");
        assert_eq!(stage.state().focus, "counters", "{game}");
        assert!(stage.state().areas().of("counters").is_some(), "{game}");
    }
}

/// The key in the row of the cache pane's cursor.
fn chosen_entry(stage: &Stage) -> String {
    let area = stage.state().areas().of("cache").unwrap();
    let (text, left) = (stage.text(), usize::from(area.x));
    let rows = text.lines().skip(area.y.into()).take(area.height.into());
    // A selector of text style takes no column.
    let signs = |row: &str| row.chars().filter(|sign| *sign != '\u{FE0E}').skip(left + 1).collect();
    let mut rows = rows.map(|row| -> String { signs(row) });
    let row = rows.find_map(|row| Some(row.strip_prefix('▸')?.to_owned())).unwrap();
    row.split(' ').next().unwrap().to_owned()
}

#[test]
fn the_cursor_of_the_cache_stays_on_the_entry_whose_writer_is_shown() {
    for (game, moves) in GAMES {
        let mut stage = stopped(game, moves, 140, 40);
        stage.keys("4 down down down");
        let (key, event) = (chosen_entry(&stage), here(&stage));
        stage.keys("g");
        assert_ne!(here(&stage), event, "{game}");
        assert_eq!(chosen_entry(&stage), key, "{game}: {}", stage.text());
    }
}

/// An entry whose row is beyond the page looked up is found again, after a change of the order and after many new entries.
#[test]
fn the_cursor_of_the_cache_stays_on_its_entry_in_a_long_list() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=5"]);
        stage.lines(&["until iteration; until iteration; until iteration"]).keys("esc 4 t");
        stage.keys("end up up");
        let (key, mut pages) = (chosen_entry(&stage), Vec::new());
        for keys in ["t", "t", "t t", "esc ] 4"] {
            stage.keys(keys);
            assert_eq!(chosen_entry(&stage), key, "{game} {keys}: {}", stage.text());
            pages.push(stage.state().data.get::<CacheList>().unwrap().offset / 500);
        }
        assert_eq!((pages[0], pages[3] > 0), (0, true), "{game}: {pages:?}");
    }
}

#[test]
fn after_the_last_entry_is_removed_the_board_shows_the_game() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        let set = "cache set here value=0 depth=1 bound=exact";
        stage.lines(&[&format!("game {game}"), moves, set]).keys("esc 4 enter");
        assert!(matches!(stage.state().shown, BoardOf::Entry(_)), "{game}: {}", stage.text());
        stage.keys("d");
        assert_eq!(stage.state().shown, BoardOf::Position, "{game}: {}", stage.text());
    }
}

#[test]
fn a_mate_in_a_sheet_is_no_event_to_go_to() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["game chess", "play e4 e5 Bc4 Nc6 Qh5", "search set depth=4"]);
    stage.lines(&["break kind=cutoff ply=2 if value<-90000"]).keys("esc ] w");
    let event = here(&stage);
    assert!(stage.text().contains("is worth at least #-1 to Black"), "{}", stage.text());
    stage.keys("tab down down enter");
    assert_eq!(here(&stage), event, "{}", stage.text());
}

/// On the smallest screen, the stack has fewer columns, and a move without its place. The best value is on every screen.
#[test]
fn the_columns_of_the_stack_are_whole() {
    for (game, moves) in GAMES {
        for (columns, rows) in [(40, 12), (60, 16), (80, 24)] {
            let stage = stopped(game, moves, columns, rows);
            let (text, buffer) = (stage.text(), stage.buffer());
            let area = stage.state().areas().of("stack").unwrap();
            let cells = |y| (area.x + 1..area.right() - 1).map(move |x| (x, y));
            let row = |y| cells(y).map(|at| buffer[at].symbol()).collect::<String>();
            let rows = (area.y + 1..area.bottom() - 1).map(row);
            let rows: Vec<_> = rows.take_while(|row| !row.starts_with("event ")).collect();
            assert!(
                rows.len() > 3 && ["ply ", "move"].iter().all(|head| rows[0].contains(head)),
                "{game}: {text}"
            );
            // The window comes before the best value, which is α unless it is lower.
            let [alpha, best] = ["α", "best"].map(|head| rows[0].contains(head));
            let wide = area.width - 2;
            let due = (wide >= 26, !(26..36).contains(&wide));
            assert_eq!((alpha, best), due, "{game} {columns}: {text}");
            assert!(rows.iter().all(|row| !row.contains('…')), "{game} {columns}: {text}");
        }
    }
}

#[test]
fn a_filter_is_emptied_by_its_key() {
    for (game, moves) in GAMES {
        let mut stage = stopped(game, moves, 140, 40);
        stage.keys("4 / d e p t h = 3 ctrl-u d e p t h = 2");
        assert!(stage.text().contains("show only: depth=2_"), "{game}: {}", stage.text());
    }
}

/// At a watchpoint, the filter says that it hides the watched entry; without the filter, the entry is selected.
#[test]
fn a_filter_names_the_watched_entry_that_it_hides() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(140, 40);
        let set = "search set memo=bound depth=3";
        stage.lines(&[&format!("game {game}"), moves, set, "step 3000"]).keys("esc esc 4 end");
        let entries = &stage.state().data.get::<CacheList>().unwrap().entries;
        let key = entries.last().unwrap().key.clone();
        stage.lines(&[&format!("watch {key}")]).keys("esc esc 4 / d e p t h = 9 enter ( ]");
        assert!(stage.text().contains("this hides"), "{game}: {}", stage.text());
        stage.keys("/ ctrl-u enter ( ]");
        let text = stage.text();
        assert!(text.contains(&format!("▸{key}")) && !text.contains("hides"), "{game}: {text}");
    }
}

/// The list has the event that wrote each entry, its side to move and the line from the root, also after going back.
#[test]
fn the_entries_of_the_cache_have_their_writers() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(200, 60);
        let set = "search set memo=bound depth=4";
        stage.lines(&[&format!("game {game}"), moves, set, "step 30000"]);
        for back in ["back 20000", "step 5000"] {
            stage.lines(&[back]).keys("esc esc 4 z");
            let text = stage.text();
            let words = ["written", "side", "line"];
            assert!(words.iter().all(|word| text.contains(word)), "{game}: {text}");
            let list = stage.state().data.get::<CacheList>().unwrap();
            let keys: Vec<_> = list.entries.iter().map(|entry| entry.key.clone()).collect();
            assert!(keys.len() > 100, "{game}");
            for key in keys.iter().step_by(keys.len() / 5) {
                let get = format!("cache get --writer {key}");
                let found = stage.driver.shell.look_up_as::<CacheEdit>(&get).unwrap();
                let (writer, entry) = &stage.state().data.writers[key];
                let single = found.writer.as_ref().unwrap();
                assert_eq!((writer.event, &writer.line), (single.event, &single.line), "{game}");
                assert_eq!(entry.value, writer.value, "{game} {key}");
            }
        }
        // A second search finds the entries of the first one.
        stage.lines(&["search run", "goto start", "step 50"]).keys("esc esc 4");
        assert!(stage.text().contains(" earlier "), "{game}: {}", stage.text());
        stage.lines(&["search drop"]).keys("esc esc 4");
        assert!(stage.state().data.writers.is_empty(), "{game}");
    }
}

/// Without a search and within one.
#[test]
fn an_entry_set_by_hand_is_marked() {
    for (game, moves) in GAMES {
        let mut stage = Stage::new(80, 24);
        let set = "cache set here value=0.5 depth=1 bound=exact";
        stage.lines(&[&format!("game {game}"), moves, "search set memo=bound", set]);
        assert!(stage.keys("esc esc 4").text().contains("▸* "), "{game}: {}", stage.text());
        stage.lines(&["cache clear", "search set depth=3", "step 2000"]).keys("esc esc 4");
        assert!(!stage.text().contains("▸* "), "{game}: {}", stage.text());
        let key = chosen_entry(&stage);
        stage.lines(&[&format!("cache set {key} value=0.25")]).keys("esc esc 4");
        let text = stage.text();
        let row = text.lines().find(|line| line.contains(&format!("▸{}", &key[..8])));
        assert!(row.is_some_and(|row| row.contains(" by hand")), "{game}: {text}");
        let text = stage.driver.shell.look_up("cache list").unwrap().text();
        assert!(text.lines().any(|line| line.starts_with(&format!("*  {key}"))), "{text}");
    }
}
