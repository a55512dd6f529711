//! Long replies on a sheet, and completions.

use crate::stage::Stage;
use crossterm::event::Event;
use insta::assert_snapshot;
use plyscope::{
    command::{Completions, Shell},
    engine::session::{cache::CacheList, search::Where},
    repl::helper::Helper,
    text::layout::on_page,
    tui::{
        demo,
        log::LogLine,
        state::{By, Effect, EngineSides},
    },
    view::Colour,
};
use ratatui::style::{Color, Modifier};
use rustyline::{Context, completion::Completer, history::MemHistory};
use std::sync::{Arc, Mutex};

#[test]
fn a_long_reply_stays_with_its_beginning_until_escape() {
    for (columns, rows) in [(80, 24), (140, 40)] {
        let mut stage = Stage::new(columns, rows);
        stage.lines(&["help cache set"]);
        assert_snapshot!(format!("sheet_{columns}x{rows}"), stage.text());
        assert_eq!(stage.driver.printed.drain(..).len(), 1);
        stage.keys("pagedown");
        stage.keys("esc");
        assert!(stage.state().sheet.is_none());
        assert_eq!(stage.state().focus, "board", "Esc also leaves an empty line");
    }
}

/// A sheet over the board begins at its upper edge or leaves several rows above.
#[test]
fn a_sheet_leaves_no_sliver_of_the_board_above_it() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}")]);
        let mut whole = 0;
        for spec in plyscope::command::table().specs() {
            stage.lines(&[&format!("help {}", spec.name)]);
            let areas = stage.state().areas();
            let over = stage.state().sheet.as_ref().filter(|sheet| sheet.covers_board(&areas));
            let Some(area) = over.map(|sheet| sheet.area(&areas)) else { continue };
            let left = areas.upper.height - area.height;
            assert!(left == 0 || left >= 6, "{game}: {}: {left}", spec.name);
            whole += u32::from(left == 0);
        }
        assert!(whole > 0, "{game}");
    }
}

#[test]
fn a_sheet_leaves_its_subject_in_sight() {
    for (game, line) in [("chess", "play e4 e5 Nf3"), ("morris", "play d6 f4 d2")] {
        for (pane, columns, rows) in
            [("2", 80, 24), ("3", 80, 24), ("2", 100, 30), ("2", 140, 40), ("3", 140, 40)]
        {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), line, "break kind=cutoff ply=3", "search run"]);
            stage.keys("esc esc");
            stage.keys(pane);
            stage.buffer();
            stage.keys("w");
            let (text, areas) = (stage.text(), stage.state().areas());
            assert!(stage.state().sheet.is_some(), "{text}");
            assert!(text.contains('▸'), "the row of the cursor\n{text}");
            let sheet = stage.state().sheet.as_ref().unwrap();
            let area = sheet.area(&areas);
            assert!(!sheet.covers_board(&areas) && area.height <= areas.side.height, "{text}");
            let inside = text.lines().skip(usize::from(area.y) + 1);
            let inside = inside.take(usize::from(area.height) - 2);
            let blank = inside.filter(|line| {
                let cells = line.chars().skip(usize::from(area.x) + 1);
                cells.take(usize::from(area.width) - 2).all(|sign| sign == ' ')
            });
            assert!(blank.count() <= 2, "as high as its text\n{text}");
        }
    }
}

#[test]
fn a_short_reply_that_the_command_pane_would_wrap_is_in_a_sheet() {
    // The table is wider in chess than in morris.
    let mut stage = Stage::new(100, 30);
    stage.lines(&["game chess", "play e4 e5 Bc4", "review --budget 50"]);
    assert!(stage.state().sheet.is_some(), "{}", stage.text());
    let text = stage.text();
    assert!(text.contains("White ") && text.contains("Black "), "{text}");
    assert!(text.contains("?!  ?  ??"), "{text}");
}

#[test]
fn short_replies_and_those_with_a_pane_open_no_sheet() {
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
fn a_sheet_wraps_its_lines_for_its_own_width() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["help cache list"]);
    for (columns, rows) in [(140, 40), (100, 30), (80, 24), (60, 20)] {
        stage.event(&Event::Resize(columns, rows));
        let text = stage.text();
        assert!(text.contains("A condition compares depth"), "{text}");
        assert!(!text.lines().next().unwrap().contains("help cache"), "the header stays");
    }
}

/// The completions of the line editor, and those sent to the screen.
fn completed(line: &str) -> (Vec<String>, Option<plyscope::repl::helper::Offers>) {
    let shown = Arc::new(Mutex::new(None));
    let sender = Arc::clone(&shown);
    let helper = Helper::new(Arc::new(Mutex::new(Completions::default())), Colour::Off)
        .showing(move |offers| *sender.lock().unwrap() = Some(offers));
    let history = MemHistory::new();
    let (_, found) = helper.complete(line, line.len(), &Context::new(&history)).unwrap();
    let shown = shown.lock().unwrap().take();
    let texts = found.iter().map(|offer| {
        use rustyline::completion::Candidate;
        offer.replacement().to_owned()
    });
    (texts.collect(), shown)
}

#[test]
fn several_completions_are_listed_with_explanations_and_no_pager() {
    let (texts, offers) = completed("cache c");
    assert_eq!(texts, ["c"], "as far as all agree");
    let offers = offers.unwrap();
    assert!(offers.list.iter().all(|offer| !offer.help.is_empty()), "{offers:?}");
    let (texts, offers) = completed("cache cle");
    assert_eq!((texts, offers), (vec!["clea".to_owned()], completed("cache cle").1));
    // After a whole word, one Tab lists what can follow it.
    for word in ["search", "cache"] {
        let (texts, offers) = completed(word);
        assert!(matches!(&*texts, [text] if text.ends_with(' ')), "{word}: {texts:?}");
        assert_eq!(offers, completed(&format!("{word} ")).1, "{word}");
    }
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

/// The names of actions in the configuration are in `help KEY`.
#[test]
fn the_help_has_keys_and_commands_but_no_names_of_actions() {
    let mut stage = Stage::new(140, 40);
    let mut text = stage.keys("esc f1").text();
    for _ in 0..4 {
        text += &stage.keys("pagedown").text();
    }
    assert!(text.contains("  `back next`") && text.contains("types `play`"), "{text}");
    for wrong in ["(back-over)", ":back next", "(help)", "`play`  `play`", "{event}"] {
        assert!(!text.contains(wrong), "{wrong}: {text}");
    }
}

#[test]
fn the_help_scrolls_by_pages_and_to_its_end() {
    let mut stage = Stage::new(140, 40);
    let first = stage.keys("f1").text();
    let row = |stage: &Stage, nth: u16| {
        let buffer = stage.buffer();
        (70..130).map(|x| buffer[(x, nth)].symbol().to_owned()).collect::<String>()
    };
    let last = row(&stage, 36);
    stage.keys("pagedown");
    assert_eq!(row(&stage, 2), last, "a page is all rows but the last ones: {}", stage.text());
    let end = stage.keys("end").text();
    assert_eq!(stage.keys("pagedown").text(), end, "there is nothing below the end");
    assert_eq!(stage.keys("home").text(), first);
}

/// The command pane of a small screen has one row above the prompt.
#[test]
fn the_first_line_of_a_reply_is_in_sight_on_a_small_screen() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "step 20"]);
        for (line, begins) in
            [("quiz on", "quiz on"), ("quiz off", "quiz off"), ("goto 9", "event 9:")]
        {
            stage.driver.printed.clear();
            stage.lines(&[line]);
            let printed = stage.driver.printed.concat();
            assert!(printed.starts_with(begins) && printed.lines().count() == 1, "{printed}");
        }
        assert_eq!(stage.driver.printed.len(), 1);
        stage.lines(&["goto 999999"]);
        let text = stage.text() + &stage.driver.printed.concat();
        assert!(text.contains("there is no event 999,999"), "{game}: {text}");
        let here = stage.state().data.event().map(|event| event.index);
        assert_eq!(here, Some(9), "{game}: the search is where it was");
    }
}

#[test]
fn printed_text_rewraps_when_the_window_changes() {
    let mut terminal = plyscope::tui::pty::Emulator::new(60, 6);
    let words = "one two three four five six seven eight nine ten eleven twelve";
    terminal.process(format!("{words}\r\nx> {words}").as_bytes());
    for columns in [20, 11, 60] {
        terminal.resize(columns, 6);
        // The editor draws a line of several rows itself.
        assert!(!terminal.screen().contents().contains("x>"));
    }
    terminal.process(b"\rx> two");
    for (columns, rows) in [(60, 3), (30, 6), (8, 6), (60, 6)] {
        terminal.resize(columns, rows);
        let (row, column) = terminal.screen().cursor_position();
        let seen = terminal.screen().rows(0, columns).nth(row.into()).unwrap();
        assert_eq!((seen.as_str(), column), ("x> two", 6), "{columns}x{rows}");
    }
    let seen = terminal.screen().contents().replace('\n', "");
    assert!(seen.contains("ten eleven twelve"), "{seen}");
}

#[test]
fn the_demo_shows_its_words_and_runs_its_commands() {
    for (columns, rows) in [(80, 24), (140, 40)] {
        let mut stage = Stage::new(columns, rows);
        stage.driver.app.state.demo = demo::steps(None);
        stage.driver.app.show_demo(0);
        stage.driver.settle();
        for (at, step) in demo::steps(None).into_iter().enumerate() {
            let text = stage.text();
            let is_last = at + 1 == demo::steps(None).len();
            for words in &step.text(columns) {
                assert!(text.contains(words), "{words}\n{text}");
            }
            let commands = step.commands().collect::<Vec<_>>().join("; ");
            let title = if commands.is_empty() { String::new() } else { format!("> {commands}") };
            assert!(text.contains(&title), "{title}\n{text}");
            assert_eq!(text.contains("Space go on"), !is_last, "{text}");
            assert!(text.contains("q leave the demo"), "{text}");
            assert!(step.words.len() <= 2, "{text}");
            let (panes, sheet) = (stage.state().areas(), stage.state().sheet.as_ref());
            let covers = sheet.is_some_and(|sheet| sheet.covers_board(&panes));
            assert!(!commands.contains("--writer") || text.contains("written by event"), "{text}");
            // Only the table of entries is too wide for a place beside the board.
            assert!(!covers || commands.starts_with("cache list"), "{text}");
            assert!(!text.contains("F6 to its lines") && !text.contains("Enter goes"), "{text}");
            let failed = stage.state().log.lines().iter().find(|line| line.0 == LogLine::Failure);
            assert_eq!(failed, None);
            stage.keys("space");
        }
        assert_eq!(stage.state().engine, EngineSides::Black, "{}", stage.text());
        // One Space too many does nothing; another key ends the demo and acts, here on the board of morris.
        let before = stage.state().data.board.clone().unwrap().state;
        assert!(stage.state().overlay.is_some());
        stage.keys("q");
        assert!(stage.state().overlay.is_none() && !stage.state().unsaved);
        assert_eq!(stage.state().data.board.as_ref().unwrap().state, before);
        stage.driver.app.show_demo(demo::steps(None).len() - 1);
        stage.driver.settle();
        stage.keys("enter enter");
        assert!(stage.state().overlay.is_none() && stage.state().unsaved, "{}", stage.text());
    }
    let mut stage = Stage::new(80, 24);
    for keys in ["q", "space space esc esc"] {
        stage.driver.app.state.demo = demo::steps(None);
        stage.driver.app.show_demo(0);
        stage.driver.settle();
        stage.keys(keys);
        assert!(stage.state().overlay.is_none(), "{keys}");
    }
}

/// Backspace and ← show the page before, as it was: its commands have run on what those before them left.
#[test]
fn the_demo_goes_back() {
    let mut stage = Stage::new(80, 24);
    stage.driver.app.state.demo = demo::steps(None);
    stage.driver.app.show_demo(0);
    stage.driver.settle();
    let mut pages = Vec::new();
    for _ in 0..demo::steps(None).len() - 1 {
        let rows: Vec<_> = stage.text().lines().map(str::to_owned).collect();
        pages.push((stage.state().data.board.clone().unwrap().state, rows[19..].join("\n")));
        stage.keys(["space", "right"][pages.len() % 2]);
    }
    stage.keys("right");
    for (at, (board, words)) in pages.iter().enumerate().rev() {
        stage.keys(["backspace", "left"][at % 2]);
        for _ in 0..at {
            stage.driver.settle();
        }
        assert_eq!(stage.state().data.board.as_ref().unwrap().state, *board, "page {at}");
        assert!(stage.text().contains(words), "page {at}: {}", stage.text());
    }
    stage.keys("backspace");
    assert!(stage.text().contains(" 1 of "), "{}", stage.text());
}

#[test]
fn the_help_is_beside_the_board_on_a_wide_screen() {
    for game in ["chess", "morris"] {
        for (columns, rows) in [(140, 40), (200, 60)] {
            let mut stage = Stage::new(columns, rows);
            let text = stage.lines(&[&format!("game {game}")]).keys("esc esc f1").text();
            let board = stage.state().areas().of("board").unwrap();
            let before = text.split("┌ Help").next().unwrap().lines().last().unwrap();
            assert!(before.chars().count() >= board.right().into(), "{text}");
        }
    }
}

#[test]
fn the_help_behind_f1_names_each_key_once() {
    for game in ["chess", "morris"] {
        for search in ["search drop", "step 20"] {
            let mut stage = Stage::new(100, 200);
            stage.lines(&[&format!("game {game}"), "play a4", search]).keys("esc f1");
            let text = stage.text();
            // The effect of a key follows the column of the keys.
            let keys = text.lines().take_while(|row| !row.contains("Commands: "));
            let is_key = |part: &&str| part.starts_with("  ") && !part.starts_with("   ");
            let names = keys.filter_map(|row| row.split('│').find(is_key)?.trim().split_once("  "));
            let mut names: Vec<_> = names.map(|(_, name)| name.trim()).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert!(names.len() == count && count > 30, "{text}");
            assert!(text.contains("│  s F11 "), "{text}");
        }
    }
}

#[test]
fn the_keys_below_a_sheet_are_whole() {
    for game in ["chess", "morris"] {
        for columns in (40..100).step_by(3) {
            let mut stage = Stage::new(columns, 16);
            stage.lines(&[&format!("game {game}"), "step 900"]).keys("esc esc 3 w");
            let text = stage.text();
            let row = text.lines().find_map(|row| row.split_once("Esc closes"));
            let keys = row.unwrap_or_else(|| panic!("{text}")).1.trim_end_matches(['━', '┛', ' ']);
            let whole = ["", "  ↑↓ choose", "  ↑↓ choose  Enter goes there", "  PgUp PgDn scroll"];
            assert!(whole.contains(&keys), "{game} {columns}: {keys}");
        }
    }
}

/// An explanation of a few lines would have room in the log of a large screen, but it is the subject of its page.
#[test]
fn the_demo_has_the_same_sheets_on_every_screen() {
    let steps = demo::steps(None);
    let page = steps.iter().position(|it| format!("{:?}", it.lines).contains("explain cutoff"));
    for (columns, rows) in [(80, 24), (140, 40)] {
        let mut stage = Stage::new(columns, rows);
        stage.driver.app.state.demo.clone_from(&steps);
        for at in 0..=page.unwrap() {
            stage.driver.app.show_demo(at);
            stage.driver.settle();
        }
        assert!(stage.state().sheet.is_some(), "{columns}x{rows}: {}", stage.text());
    }
}

#[test]
fn what_a_demo_still_does_when_it_ends_need_not_be_saved() {
    let steps = demo::steps(None);
    let mut stage = Stage::new(80, 24);
    stage.driver.app.state.demo.clone_from(&steps);
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

#[test]
fn the_help_behind_f1_is_the_search_of_the_help_command() {
    for (typed, word) in [("R A I s e", "raise"), ("k i l l", "kill")] {
        let mut stage = Stage::new(100, 40);
        stage.keys("f1");
        stage.keys(typed);
        let screen = stage.text();
        let text =
            on_page(98, || Shell::default().look_up(&format!("help {word}")).unwrap().text());
        for line in text.lines().take(20).filter(|line| !line.contains('=')) {
            assert!(screen.contains(line.trim_end()), "{word}: {line}\n{screen}");
        }
    }
    let mut stage = Stage::new(60, 24);
    stage.keys("f1");
    let screen = stage.text();
    assert!(screen.contains("type to search"), "{screen}");
    stage.keys("end");
    for (from, key) in [(0, "down"), (1, "pagedown")] {
        stage.keys(key);
        assert!(stage.text() != screen, "{from}");
    }
    stage.keys("z z q q");
    assert!(stage.text().contains("there is no help on `zzqq`"), "{}", stage.text());
}

#[test]
fn the_search_behind_f1_begins_with_the_keys() {
    for (word, key) in [
        ("breakpoint", "B"),
        ("why", "w W"),
        ("cache", "4"),
        ("undo", "U"),
        ("takeback", "U"),
        ("step", "s F11"),
        ("back", "S S-F11"),
        ("c", "] F5"),
        ("shift-f11", "S S-F11"),
    ] {
        let mut stage = Stage::new(100, 40);
        let typed: Vec<_> = word.chars().map(String::from).collect();
        let text = stage.keys("f1").keys(&typed.join(" ")).text();
        assert!(text.lines().nth(2).unwrap().contains("│Keys "), "{word}\n{text}");
        let page = text.split("│Keys ").nth(1).unwrap();
        let row = page.find(&format!("│  {key}  "));
        let rest = page.find("│                  ").unwrap_or(page.len());
        assert!(row.is_some_and(|row| row < rest), "{word}\n{text}");
    }
}

/// A sentence has one weight, also where it fills several lines.
#[test]
fn names_and_headings_of_the_help_are_bold_and_sentences_are_not() {
    for (typed, bold, plain) in [
        ("w h y", "explain value [", "It does not work on an opened trace"),
        ("c u t o f f", "cutoff (event)", "a child's value reaches"),
        ("w h y", "--budget N", "maximum number of nodes"),
    ] {
        let mut stage = Stage::new(100, 40);
        let text = stage.keys("f1").keys(typed).text();
        let is_bold = |words: &str| {
            let mut lines = text.lines().enumerate();
            let (y, line) = lines.find(|(_, line)| line.contains(words)).unwrap();
            let x = line[..line.find(words).unwrap()].chars().count();
            stage.buffer()[(x as u16, y as u16)].modifier.contains(Modifier::BOLD)
        };
        assert!(is_bold(bold) && !is_bold(plain), "{bold}, {plain}\n{text}");
    }
}

#[test]
fn at_80x24_the_demo_leaves_the_board_its_size() {
    let mut stage = Stage::new(80, 24);
    stage.driver.app.state.demo = demo::steps(None);
    for at in 0..stage.state().demo.len() {
        stage.driver.app.show_demo(at);
        stage.driver.settle();
        let buffer = stage.buffer();
        let painted = buffer.content.iter().filter(|cell| cell.bg != Color::Reset).count();
        let is_chess = stage.text().contains(" CHESS ");
        let is_covered = stage.text().contains("cache list");
        let size = if is_chess { 32 * 16 } else { 29 * 15 };
        assert!(painted >= size || is_covered, "{painted}\n{}", stage.text());
    }
}

#[test]
fn a_reply_of_two_pages_at_80x24_is_beside_the_board_and_scrolls() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "search run --depth 3"]).keys("esc");
        stage.lines(&["search run --depth 3"]);
        let areas = stage.state().areas();
        let sheet = stage.state().sheet.as_ref().unwrap();
        assert!(!sheet.covers_board(&areas), "{}", stage.text());
        let before = stage.text();
        stage.keys("pagedown");
        assert_ne!(before, stage.text());
    }
}

/// A pane that a sheet covers in part ends above the sheet, with its frame, and keeps its selected row in sight.
#[test]
fn a_pane_ends_above_a_sheet() {
    for (game, moves) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        let mut stage = Stage::new(80, 24);
        let lines = [&format!("game {game}"), moves, "search set depth=3", "search run"];
        stage.lines(&lines).keys("esc esc 4 down down").text();
        let text = stage.keys("w").text();
        let rows: Vec<_> = text.lines().collect();
        let top = rows.iter().position(|row| row.contains("why entry")).unwrap();
        assert!(rows[top - 1].ends_with(['┘', '┛']), "{game}: {text}");
        assert!(rows[..top].iter().any(|row| row.contains('▸')), "{game}: {text}");
    }
}

/// The lower frame of a question has the keys that answer it.
#[test]
fn a_question_names_its_keys() {
    for (game, moves) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "quiz on"]);
        let text = stage.keys("esc esc").lines(&["quiz next"]).text();
        let keys =
            ["└ Esc closes  y yes  n no  p pass", "└ Esc closes  a types the answer  p pass"];
        assert!(keys.iter().any(|keys| text.contains(keys)), "{game}: {text}");
    }
}

/// An error that the open command pane has no room for is on a sheet, also where the pane has just become lower.
#[test]
fn a_long_error_is_on_a_sheet() {
    for (game, mv) in [("chess", "e 4"), ("morris", "d 6")] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}")]).keys("esc L 3 M b").keys(mv).driver.settle();
        stage.driver.app.focus("command");
        stage.driver.app.state.submit("play Nf9", By::Typing);
        stage.driver.settle();
        let printed = stage.driver.take_printed().pop().unwrap();
        let room = usize::from(stage.driver.app.editor_size().1);
        let is_seen = printed.lines().count() < room && !printed.is_empty();
        assert!(stage.state().sheet.is_some() || is_seen, "{game} {printed}: {}", stage.text());
    }
}

/// Esc on the sheet of a failed line closes the sheet only, so that the line can be typed again; on another reply, the prompt is left too.
#[test]
fn the_prompt_stays_after_a_failure() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        let fails = |stage: &mut Stage, line: &str| {
            stage.driver.app.state.submit(line, By::Typing);
            stage.driver.settle();
            stage.driver.take_printed();
            assert!(stage.state().sheet.is_some(), "{game}: {}", stage.text());
            stage.keys("esc");
            assert!(stage.state().sheet.is_none(), "{game}: {}", stage.text());
            assert_eq!(stage.state().focus, "command", "{game}: {}", stage.text());
        };
        stage.lines(&[&format!("game {game}")]).driver.app.focus("command");
        fails(&mut stage, "session load none.ron");
        stage.lines(&["help search"]).keys("esc");
        assert_eq!(stage.state().focus, "board", "{game}: {}", stage.text());
        // A line that a key has begun stays, too.
        stage.lines(&["search run --depth 2"]).keys("esc esc 4 e");
        let key = stage.state().data.get::<CacheList>().unwrap().entries[0].key.clone();
        fails(&mut stage, &format!("cache set {key} value=x"));
    }
}

/// A move typed while the board shows a frame is refused whole: its characters do not act as keys.
#[test]
fn a_move_typed_on_the_board_of_a_frame_does_nothing() {
    for (game, mv) in [("chess", "e 4 e 5 enter"), ("morris", "d 6 x a 4 enter")] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=3", "step 500"]).keys("esc 1");
        let before = stage.state().data.get::<CacheList>().map(|list| list.total);
        stage.keys(mv);
        let shown = stage.state();
        let said = shown.status.as_ref().map_or("", |(_, text)| text);
        let typed = mv.replace(' ', "").replace("enter", "");
        let refused = format!("`{typed}`: moves are typed on the game's board; Esc shows it");
        assert_eq!((said, shown.focus), (&*refused, "board"), "{game}: {}", stage.text());
        assert_eq!(shown.data.get::<CacheList>().map(|list| list.total), before, "{game}");
        stage.keys("4");
        assert_eq!(stage.state().focus, "cache", "{game}: {}", stage.text());
    }
}

/// Beside the stack, which has the event and its meaning, `w` shows only where the window comes from.
#[test]
fn why_does_not_repeat_what_the_stack_says() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), "search set memo=none", "until cutoff"]);
        let why = stage.state().data.get::<Where>().and_then(|stack| stack.why.clone()).unwrap();
        let text = stage.keys("esc w").text();
        let area = stage.state().sheet.as_ref().unwrap().area(&stage.state().areas());
        let lines = text.lines().skip(area.y.into()).take(area.height.into());
        let sheet = lines.map(|line| line.chars().skip(area.x.into()).collect::<String>());
        let sheet = sheet.collect::<Vec<_>>().join(" ");
        assert!(sheet.contains(" why ") && sheet.contains(": cutoff "), "{game}: {text}");
        assert!(sheet.contains("α ") && sheet.contains("β "), "{game}: {text}");
        let beginning = why.split(' ').take(3).collect::<Vec<_>>().join(" ");
        assert!(text.contains(&beginning) && !sheet.contains(&beginning), "{game}: {text}");
        // Enter goes to the frame that a line names.
        let frame = stage.state().data.frame().unwrap().ply;
        stage.keys("tab down enter");
        assert!(stage.state().data.frame().unwrap().ply < frame, "{game}: {}", stage.text());
    }
}
