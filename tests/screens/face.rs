//! What is where on the screen: board, panes, mode, key bar, messages.

use crossterm::event::{Event, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::{layout::Rect, style::Color};

use crate::stage::Stage;
use plyscope::{
    command::Shell,
    engine::session::{
        cache::CacheList, position::PositionReport, search::Run, timelines::TimelineList,
    },
    text::number::count,
    tui::{
        data::BoardOf,
        keys::KeyPress,
        log::LogLine,
        state::{Busy, By, Card, Effect, EngineSides, Overlay},
    },
};

const SIZES: [(u16, u16); 4] = [(80, 24), (100, 30), (140, 40), (200, 60)];

fn mouse(stage: &mut Stage, kind: MouseEventKind, (column, row): (u16, u16)) {
    stage.event(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
}

fn drag(stage: &mut Stage, from: (u16, u16), to: (u16, u16)) {
    mouse(stage, MouseEventKind::Down(MouseButton::Left), from);
    mouse(stage, MouseEventKind::Drag(MouseButton::Left), to);
    mouse(stage, MouseEventKind::Up(MouseButton::Left), to);
}

fn moves(stage: &Stage) -> usize {
    stage.state().data.get::<PositionReport>().unwrap().undo
}

fn has(stage: &Stage, pane: &str) -> bool {
    stage.state().areas().panes.iter().any(|(name, _)| *name == pane)
}

#[test]
fn the_board_is_as_large_as_the_screen_allows() {
    for ((columns, rows), cells) in SIZES.into_iter().zip([32 * 16, 48 * 24, 64 * 32, 96 * 48]) {
        let mut stage = Stage::new(columns, rows);
        stage.lines(&["game chess"]).keys("esc");
        let buffer = stage.buffer();
        let look = &stage.state().look;
        let plain = [look.text.bg, look.selected.bg].map(Option::unwrap);
        let painted = buffer.content.iter().filter(|cell| !plain.contains(&cell.bg)).count();
        assert_eq!(painted, cells, "{columns}x{rows}\n{}", stage.text());
        let text = stage.text();
        let letters =
            |line: &str| line.chars().filter(char::is_ascii_lowercase).collect::<String>();
        let is_named = text.lines().any(|line| letters(line).starts_with("abcdefgh"));
        assert!(is_named, "the files have names\n{text}");
    }
}

#[test]
fn the_smallest_screens_have_a_board_with_the_names_of_its_squares_and_a_pane_beside_it() {
    for (game, cells, ranks) in [("chess", 16 * 8, "87654321"), ("morris", 15 * 7, "7654321")] {
        for (columns, rows) in [(40, 12), (41, 13), (45, 15), (50, 16), (60, 20)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}")]).keys("esc esc");
            let (buffer, text) = (stage.buffer(), stage.text());
            let painted = buffer.content.iter().filter(|cell| cell.bg != Color::Reset).count();
            assert!(painted >= cells, "{columns}x{rows}\n{text}");
            let inside = text.lines().filter(|line| line.starts_with('┃'));
            let names: String = inside.filter_map(|line| line.chars().nth(2)).collect();
            assert!(columns > 40 || names.trim() == ranks, "{columns}x{rows} {names}\n{text}");
            let areas = stage.state().areas();
            assert!(areas.of("game").is_some_and(|area| area.width >= 18), "{text}");
        }
    }
}

#[test]
fn on_a_narrow_high_screen_a_larger_board_is_above_the_panes() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(50, 30);
        stage.lines(&[&format!("game {game}")]).keys("esc esc");
        let areas = stage.state().areas();
        let (board, side) = (areas.of("board").unwrap(), areas.of("game").unwrap());
        assert!(board.width == 50 && side.width == 50 && board.bottom() == side.y);
    }
}

#[test]
fn room_below_a_board_belongs_to_the_log_and_stack_and_tree_are_wide() {
    for (game, line) in [("chess", "play e4 e5 Nf3"), ("morris", "play d6 f4 d2")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), line, "step 300"]).keys("esc esc");
        let areas = stage.state().areas();
        let of = |name| areas.of(name).unwrap();
        assert_eq!((of("log").x, of("log").y), (0, of("board").bottom()), "{}", stage.text());
        assert!(of("stack").width >= 43 && of("tree").width >= 43, "{}", stage.text());
    }
}

#[test]
fn the_last_line_says_where_keys_go_and_the_bar_begins_with_help_and_quit() {
    for (columns, rows) in SIZES.into_iter().chain([(60, 20), (40, 12)]) {
        let mut stage = Stage::new(columns, rows);
        stage.keys("esc");
        for (key, mode) in [("1", "BOARD"), ("4", "CACHE"), ("3", "TREE"), (":", "COMMAND")] {
            stage.keys(key);
            let text = stage.text();
            let last = text.lines().last().unwrap();
            assert!(last.starts_with(&format!(" {mode}")), "{columns}x{rows} {key}\n{text}");
            let text = text.replace(" F1 more ", " F1 help ");
            let first = text.lines().find(|line| line.contains(" F1 help ")).unwrap();
            assert!(mode == "COMMAND" || first.contains(" F1 help  q quit"), "{first}");
        }
        stage.keys("f1");
        assert!(stage.text().lines().last().unwrap().starts_with(" HELP "), "{}", stage.text());
    }
}

#[test]
fn the_command_line_is_one_row_until_it_is_called() {
    for (columns, rows) in SIZES {
        let mut stage = Stage::new(columns, rows);
        let height = |stage: &Stage| stage.state().areas().of("command").unwrap().height;
        stage.keys("esc");
        assert_eq!(height(&stage), 1);
        let board = stage.state().areas().of("board").unwrap();
        assert!(u32::from(board.width) * 100 >= u32::from(columns) * 26, "{board:?}");
        stage.keys(":");
        assert!(height(&stage) >= 2, "{}", stage.text());
        stage.keys("esc");
        assert_eq!((height(&stage), stage.state().focus), (1, "board"));
    }
}

#[test]
fn the_panes_follow_what_one_does_and_can_be_kept() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}")]).keys("esc");
        assert!(has(&stage, "game") && !has(&stage, "stack"), "{}", stage.text());
        stage.keys("s");
        assert!(!has(&stage, "game") && has(&stage, "stack") && has(&stage, "tree"));
        stage.keys("alt-1");
        assert!(has(&stage, "game") && !has(&stage, "stack"), "kept");
        stage.keys("2");
        assert!(has(&stage, "stack"), "a pane that is called is shown\n{}", stage.text());
        stage.keys("1 alt-0");
        assert!(has(&stage, "stack"));
        stage.lines(&["search drop"]).keys("esc");
        assert!(has(&stage, "game"), "{}", stage.text());
        let mut small = Stage::new(80, 24);
        small.lines(&[&format!("game {game}")]).keys("esc");
        assert_eq!(small.state().tab, "game");
        small.keys("s");
        assert_eq!((small.state().tab, small.state().focus), ("stack", "board"));
    }
}

#[test]
fn panes_grow_by_a_key() {
    let mut stage = Stage::new(140, 40);
    stage.lines(&["search set depth=3", "search run", "step 40"]).keys("esc 6");
    let height = |stage: &Stage| stage.state().areas().of("eval").unwrap().height;
    let before = height(&stage);
    stage.keys("= =");
    assert!(height(&stage) > before && stage.text().contains("eval: +3 rows"), "{}", stage.text());
    stage.keys("- - - -");
    assert!(height(&stage) <= before);
    for _ in 0..20 {
        stage.keys("=");
    }
    assert!(
        stage.text().contains("eval: the other panes leave no room for a change"),
        "{}",
        stage.text()
    );
    let most = height(&stage);
    stage.keys("-");
    assert_eq!(height(&stage), most - 3, "rows without room were not added");
    let mut stage = Stage::new(80, 24);
    stage.keys("esc 5 =");
    assert!(stage.text().contains("leave no room"), "{}", stage.text());
}

#[test]
fn a_screen_that_gets_wider_shows_a_pane_beside_the_board() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(60, 16);
        stage.lines(&[&format!("game {game}")]).keys("esc 1");
        assert!(has(&stage, "board") && has(&stage, "game"), "{}", stage.text());
        stage.event(&Event::Resize(120, 28));
        let areas = stage.state().areas();
        let game = areas.of("game").unwrap();
        assert_eq!((game.as_position(), game.width), (areas.side.as_position(), areas.side.width));
        assert!(areas.of("board").is_some_and(|area| area.x == 0), "{}", stage.text());
        stage.keys("s");
        assert!(has(&stage, "stack"), "{}", stage.text());
    }
}

#[test]
fn the_command_pane_leaves_the_board_as_it_is() {
    for game in ["morris", "chess"] {
        for (columns, rows) in SIZES.into_iter().chain([(60, 16)]) {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}")]).keys("esc 1");
            let size = |stage: &Stage| {
                let buffer = stage.buffer();
                buffer.content.iter().filter(|cell| cell.bg != Color::Reset).count()
            };
            let (before, painted) = (stage.state().areas(), size(&stage));
            stage.keys(":");
            let areas = stage.state().areas();
            assert_eq!(size(&stage), painted, "{}", stage.text());
            assert_eq!(areas.of("board").unwrap().width, before.of("board").unwrap().width);
            let command = areas.of("command").unwrap();
            // A pane without a frame covers the lower edges of others.
            let edge = u16::from(command.height == 2);
            let own = Rect { y: command.y + edge, height: command.height - edge, ..command };
            let overlaps = areas.panes.iter().filter(|(_, area)| area.intersects(own));
            assert_eq!(overlaps.count(), 1, "{}", stage.text());
        }
    }
}

#[test]
fn the_command_pane_moves_no_other_pane() {
    for game in ["morris", "chess"] {
        for (columns, rows) in [(80, 24), (100, 30), (140, 40), (200, 60)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), "search set depth=4", "step 2000"]);
            let before = stage.keys("esc esc 1").state().areas();
            let after = stage.keys(":").state().areas();
            for (name, area) in after.panes.iter().filter(|(name, _)| *name != "command") {
                let was = before.of(name).unwrap();
                let place = |area: Rect| (area.as_position(), area.width);
                assert_eq!(place(*area), place(was), "{game} {name}: {}", stage.text());
            }
        }
    }
}

#[test]
fn all_tabs_have_names_where_there_is_room() {
    for (columns, rows, tabs) in [
        (40, 12, "[0 Game] …─"),
        (80, 24, "[0 Game] 2 Stack 3 Tree 4 Cache 5 Log──"),
        (100, 30, "[0 Game] 2 Stack 3 Tree 4 Cache 9 Chart─"),
        (120, 30, "[0 Game] 2 Stack 3 Tree 4 Cache 9 Chart─"),
    ] {
        let mut stage = Stage::new(columns, rows);
        stage.lines(&["game chess"]).keys("esc esc");
        assert!(stage.text().contains(tabs), "whole names or digits\n{}", stage.text());
    }
}

/// If not all tabs have room, `…` stands for those far from the front one.
#[test]
fn tabs_have_whole_names() {
    for (game, moves) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), moves, "step 300", "break ply=2"]).keys("esc esc 2");
        let text = stage.text();
        let tabs = text.lines().find(|line| line.contains("[2 Stack]")).unwrap();
        let names = " 0 Game[2 Stack] 3 Tree 4 Cache 5 Log …━";
        assert!(tabs.contains(names), "{game}: {tabs}");
        let text = stage.keys("6").text();
        let tabs = text.lines().find(|line| line.contains("[6 Eval]")).unwrap();
        assert!(tabs.contains("┏… 3 Tree 4 Cache 5 Log ! Stops[6 Eval]━"), "{game}: {tabs}");
    }
}

/// A wide but low screen has two columns of panes.
#[test]
fn a_wide_low_screen_has_two_columns_of_panes() {
    for (game, moves) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        for size in [(200, 24), (140, 24), (180, 30)] {
            let mut stage = Stage::new(size.0, size.1);
            stage.lines(&[&format!("game {game}"), moves, "search set depth=4", "step 2000"]);
            let areas = stage.keys("esc esc 2").state().areas();
            let stack = areas.of("stack").unwrap();
            let beside = (stack.right(), stack.y);
            let has_two = areas.panes.iter().any(|(_, area)| (area.x, area.y) == beside);
            assert!(has_two && areas.of("tree").is_some(), "{game} {size:?}: {}", stage.text());
        }
    }
}

/// Keys that the key bar has no room for are not drawn over the command line, nor beside messages.
#[test]
fn the_rows_above_the_key_bar_have_no_keys() {
    for (game, moves) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        for size in [(42, 12), (80, 24), (100, 30)] {
            let mut stage = Stage::new(size.0, size.1);
            stage.lines(&[&format!("game {game}"), moves, "search set depth=4", "step 2000"]);
            for keys in ["esc esc 4", "d", "down", "3", "2", "1", "6"] {
                let text = stage.keys(keys).text();
                let is_above = |row: &&str| {
                    ["types a command", " to move", " entries"].iter().any(|it| row.contains(it))
                };
                let mut rows = text.lines().filter(is_above);
                assert!(rows.all(|row| !row.contains(" quit ")), "{game} {size:?}: {text}");
            }
        }
    }
}

/// The help's column of keys is as wide as the keys of the group.
#[test]
fn the_help_leaves_its_room_to_sentences() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(60, 16);
        let text = stage.lines(&[&format!("game {game}"), "step 30"]).keys("esc esc 1 f1").text();
        let row = text.lines().find(|line| line.contains("lists keys and commands")).unwrap();
        let at = row.chars().position(|sign| sign == 'l').unwrap();
        assert!(at < 16, "{text}");
    }
}

/// Numbers in the header are whole: the file's name and the side to move give way before them.
#[test]
fn the_header_cuts_no_number() {
    for game in ["chess", "morris"] {
        for (columns, rows) in [(60, 16), (80, 24)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), "search run --budget 25000"]);
            stage.keys("esc esc");
            let run: &Run = stage.state().data.get().unwrap();
            let event = format!(" at event {}", count(run.events - 1));
            for file in ["mine.ply", "a-session-with-a-long-name.ply"] {
                stage.driver.app.state.file = Some(file.into());
                let text = stage.text();
                let header = text.lines().next().unwrap();
                assert!(header.contains("■ DONE 25,000 nodes"), "{header}");
                assert!(header.contains(&event), "{header}");
                assert!(columns < 80 || header.contains(&file[..6]), "{header}");
            }
        }
    }
}

/// The end of the state gives way to the engine's side and the file, and the engine's level before it.
#[test]
fn the_header_keeps_the_engines_side_and_the_file() {
    for game in ["chess", "morris"] {
        for (columns, rows) in [(80, 24), (100, 30), (140, 40)] {
            let mut stage = Stage::new(columns, rows);
            stage.lines(&[&format!("game {game}"), "engine level 3", "search run --budget 25000"]);
            stage.keys("esc esc");
            stage.driver.app.state.engine = EngineSides::Black;
            stage.driver.app.state.file = Some("/tmp/mine.ply".into());
            let text = stage.text();
            let header = text.lines().next().unwrap();
            assert!(header.contains("(engine: Black"), "{header}");
            assert!(header.contains("  ■ DONE "), "{header}");
            assert!(header.contains("  mine.ply"), "{header}");
            assert!(columns < 140 || header.contains("level 3)"), "{header}");
        }
    }
}

#[test]
fn while_a_command_runs_keys_that_work_and_its_progress_are_shown() {
    for (columns, rows) in [(80, 24), (80, 14)] {
        let mut stage = Stage::new(columns, rows);
        stage.keys("esc 1");
        let screen = &mut stage.driver.app.state;
        screen.say("an old message");
        let command = "goto 29910929".to_owned();
        screen.busy = Some(Busy { command, seconds: Some(3), operation: None });
        let text = stage.text();
        assert!(text.contains(" goto 29,910,929  ^C stop") && !text.contains("an old"), "{text}");
        assert!(rows == 14 || text.contains("F1 help  q quit │ ^C stop │ : command  F6"), "{text}");
        let bar = text.lines().last().unwrap();
        assert!(!bar.contains("arrows") && !bar.contains("step"), "{text}");
    }
}

#[test]
fn keys_pressed_while_a_step_runs_wait() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["step 30"]).keys("esc esc 1");
    let press = |stage: &mut Stage, key: &str| {
        let key: plyscope::tui::keys::KeyPress = key.parse().unwrap();
        stage.driver.app.event(&Event::Key(key.into()));
    };
    let events =
        |stage: &Stage| stage.state().data.get::<TimelineList>().unwrap().current().unwrap().events;
    let before = events(&stage);
    press(&mut stage, "s");
    stage.driver.step();
    for _ in 0..20 {
        press(&mut stage, "s");
    }
    let waiting: Vec<_> = stage.state().queue.iter().map(|job| &*job.line).collect();
    assert_eq!(waiting, ["step 20"], "one command, so that going back replays the search once");
    stage.driver.settle();
    assert_eq!(events(&stage), before + 21);
    press(&mut stage, "S");
    stage.driver.step();
    "S S n n S { r".split(' ').for_each(|key| press(&mut stage, key));
    let waiting: Vec<_> = stage.state().queue.iter().map(|job| &*job.line).collect();
    assert_eq!(waiting, ["back 2", "next", "next", "back", "goto 0", "search run"]);
    // Only a search refuses them.
    stage.driver.settle();
    press(&mut stage, "r");
    stage.driver.app.state.searching = true;
    stage.driver.app.state.stepping = false;
    press(&mut stage, "r");
    let said = "a command is running: ^C stops it";
    assert_eq!(stage.state().refusal().as_deref(), Some(said));
    assert!(stage.text().contains(said), "{}", stage.text());
    stage.driver.app.state.searching = false;
    assert_eq!(stage.state().refusal(), None, "the message goes with the command");
}

/// While a search goes back, the screen stays as it is: other events between would be taken for the current one.
#[test]
fn the_screen_stays_until_a_step_back_has_arrived() {
    for (game, moves) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), moves, "search run --budget 20000"]).keys("esc esc");
        let header = |stage: &Stage| stage.text().lines().next().unwrap().to_owned();
        let before = header(&stage);
        stage.driver.shell.engine.set_slice(Some(std::time::Duration::ZERO));
        let key: plyscope::tui::keys::KeyPress = "S".parse().unwrap();
        stage.driver.app.event(&Event::Key(key.into()));
        stage.driver.step();
        let outcome = stage.driver.shell.advance();
        stage.driver.ran(outcome.as_ref());
        let mut slices = 0;
        while stage.state().searching {
            assert_eq!(header(&stage), before, "{game}");
            stage.driver.search(std::time::Duration::from_micros(1));
            slices += 1;
        }
        assert!(slices > 0, "{game}: the search was replayed in slices");
        stage.driver.settle();
        assert_ne!(header(&stage), before, "{game}");
    }
}

#[test]
fn a_piece_is_dragged_and_typed_moves_stand_in_the_row_of_messages() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["game chess"]).keys("esc");
    let board = stage.state().areas().of("board").unwrap();
    let text = stage.text();
    // The column of a file and the row of a rank, by their names beside the board.
    let files = text.lines().find(|line| line.contains("a   b   c   d")).unwrap();
    let column = |file: char| files.chars().position(|sign| sign == file).unwrap() as u16;
    let row = |rank: char| {
        let is_rank = |line: &&str| line.chars().nth(usize::from(column('a')) - 2) == Some(rank);
        text.lines().position(|line| is_rank(&line)).unwrap() as u16
    };
    drag(&mut stage, (column('e'), row('2')), (column('e'), row('4')));
    assert_eq!(moves(&stage), 1, "{}", stage.text());
    drag(&mut stage, (column('e'), row('7')), (board.right() + 3, row('4')));
    assert_eq!(moves(&stage), 1, "dropped beside the board");
    stage.keys("esc N f");
    assert!(stage.text().contains(" Black: Nf_  Nf6"), "{}", stage.text());
    stage.keys("6");
    assert_eq!(moves(&stage), 2);
}

#[test]
fn nothing_is_undone_dropped_or_begun_by_keys_of_the_line_editor() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        let played = if game == "chess" { "play e4 e5" } else { "play a1 d1" };
        stage.lines(&[&format!("game {game}"), played, "step 20"]).keys("esc esc 1");
        stage.effects.clear();
        for key in ["ctrl-u", "ctrl-r", "ctrl-n", "ctrl-d", "ctrl-k", "ctrl-w"] {
            stage.keys(key);
            let (kind, said) = stage.state().status.clone().unwrap();
            assert!(kind == LogLine::Note && said.contains("does nothing here"), "{key}: {said}");
        }
        assert_eq!((moves(&stage), &stage.state().overlay, stage.effects.len()), (2, &None, 0));
        assert!(!stage.state().data.frames().is_empty());
        // A letter that begins a move is refused with the way to the board.
        stage.keys("5 d");
        let said = stage.state().status.clone().map(|(_, text)| text);
        assert_eq!(said.as_deref(), Some("d begins a move only on the board: 1 goes there"));
    }
}

#[test]
fn a_click_on_a_line_of_a_card_chooses_it() {
    let press = |stage: &mut Stage, text: &str, kind: MouseEventKind| {
        let screen = stage.text();
        let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        let column = line[..line.find(text).unwrap()].chars().count() as u16;
        mouse(stage, kind, (column, row as u16));
        stage.driver.settle();
    };
    let [down, up] = [MouseEventKind::Down, MouseEventKind::Up].map(|kind| kind(MouseButton::Left));
    for (columns, rows) in SIZES {
        for (choice, game) in [("chess against", "CHESS"), ("morris against", "MORRIS")] {
            let mut stage = Stage::new(columns, rows);
            stage.keys("esc esc").driver.app.show_start();
            press(&mut stage, choice, up);
            assert!(stage.state().overlay.is_some(), "a release of the button chooses nothing");
            press(&mut stage, choice, down);
            let text = stage.text();
            assert!(text.starts_with(&format!(" {game}")) && text.contains("level 3"), "{text}");
            stage.keys("L");
            press(&mut stage, "10,000 nodes", down);
            assert_eq!((stage.state().level, &stage.state().overlay), (Some(4), &None));
            stage.keys("L");
            press(&mut stage, "1 Board", down);
            assert_eq!(stage.state().overlay, None, "a click beside a card closes it");
        }
    }
}

#[test]
fn a_start_card_with_room_says_what_each_choice_leads_to() {
    for (columns, rows) in SIZES {
        let mut stage = Stage::new(columns, rows);
        stage.keys("esc esc").driver.app.show_start();
        let text = stage.text();
        assert!(text.contains("L and M change level and sides"), "{text}");
        let name = if columns >= 140 {
            "████    █       █   █"
        } else {
            "▛▀▖ ▌   ▌ ▌"
        };
        assert!(text.contains(name), "the name of the program: {text}");
        assert!(!text.contains("Eval"), "no pane beside the card: {text}");
        assert!(text.starts_with(" PLYSCOPE "), "no game has begun: {text}");
    }
}

#[test]
fn the_start_card_is_shown_again_after_the_help() {
    let mut stage = Stage::new(80, 24);
    stage.driver.app.show_start();
    stage.keys("down f1 a b esc");
    assert_eq!(stage.state().overlay, Some(Overlay::Card(Card::Start, 1)));
    stage.keys("esc f1 esc");
    assert_eq!(stage.state().overlay, None, "but not once it is closed");
    stage.driver.app.show_start();
    stage.keys("f1 ctrl-c");
    assert_eq!(stage.state().overlay, Some(Overlay::Card(Card::Start, 0)));
}

/// Whoever decides against a file is back where the file was offered; after another command, nothing comes back.
#[test]
fn the_start_card_is_shown_again_after_its_line_is_left() {
    let mut stage = Stage::new(80, 24);
    stage.driver.app.show_start();
    stage.keys("5 esc");
    assert_eq!(stage.state().overlay, Some(Overlay::Card(Card::Start, 4)), "{}", stage.text());
    stage.keys("5");
    stage.lines(&["game chess"]).keys("esc");
    assert_eq!(stage.state().overlay, None, "{}", stage.text());
    stage.keys("f1 esc");
    assert_eq!(stage.state().overlay, None, "{}", stage.text());
}

#[test]
fn the_start_card_offers_what_one_can_begin_with_and_refuses_other_keys() {
    let mut stage = Stage::new(80, 24);
    stage.keys("esc");
    stage.driver.app.show_start();
    assert!(stage.text().contains("debugs game-tree search") && stage.text().contains(" START "));
    stage.keys("d r f2");
    let text = stage.text();
    assert_eq!(stage.state().overlay, Some(Overlay::Card(Card::Start, 0)), "{text}");
    assert!(text.contains("no search"), "a slip begins nothing: {text}");
    stage.keys("r");
    assert!(stage.text().contains("r chooses nothing here; Esc empty board"), "{}", stage.text());
    stage.keys(":");
    assert_eq!(stage.state().overlay, None, "the command line is in sight");
    stage.keys("esc");
    stage.driver.app.show_start();
    stage.keys("alt-d 6");
    assert_eq!((&stage.state().overlay, moves(&stage)), (&None, 1), "Esc and a move at once");
    stage.lines(&["position start"]).keys("esc");
    stage.driver.app.show_start();
    let text = stage.text();
    assert!(text.contains("F1 help  q quit") && !text.contains("U u undo"), "{text}");
    stage.keys("up down space");
    assert_eq!(stage.state().overlay, None);
    let position = stage.state().data.get::<PositionReport>().unwrap();
    assert!(position.state.starts_with("rnbqkbnr"), "{}", stage.text());
    stage.keys("e 4");
    stage.driver.settle();
    assert_eq!(moves(&stage), 2, "the engine answers");
    stage.driver.app.show_start();
    stage.keys("4");
    assert_eq!(stage.state().overlay, Some(Overlay::Demo(0, true)));
}

/// In a menu, the key that leaves the program elsewhere closes the menu.
#[test]
fn the_key_to_quit_closes_a_menu() {
    for game in ["morris", "chess"] {
        for menu in ["L", "M"] {
            let mut stage = Stage::new(80, 24);
            stage.lines(&[&format!("game {game}")]).keys(&format!("esc {menu} q"));
            assert_eq!(stage.state().overlay, None, "{game} {menu}: {}", stage.text());
            assert!(!stage.effects.contains(&Effect::Leave), "{game} {menu}");
        }
    }
}

/// The key for a new game leads to the start card where nothing could be lost, otherwise to a question.
#[test]
fn the_key_for_a_new_game_leads_back_to_the_start_card() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}")]).keys("esc X");
        assert_eq!(stage.state().overlay, Some(Overlay::Card(Card::Start, 0)), "{game}");
        let first = if game == "morris" { "play d6" } else { "play e4" };
        stage.keys("esc").lines(&[first]).keys("esc X");
        assert!(stage.text().contains("Start a new game?"), "{game}: {}", stage.text());
        stage.keys("n");
        assert!(stage.text().contains("nothing was done"), "{game}: {}", stage.text());
        assert_eq!(moves(&stage), 1, "{game}");
    }
}

#[test]
fn an_entry_without_its_position_gets_it_from_its_writer() {
    let mut stage = Stage::new(100, 30);
    stage.lines(&["game chess", "search set memo=bound depth=2", "search run"]);
    stage.keys("esc esc 4 enter");
    let entries = &stage.state().data.get::<CacheList>().unwrap().entries;
    assert_eq!(stage.state().shown, BoardOf::Entry(entries[0].key.clone()));
    let text = stage.text();
    assert!(entries[0].state.is_none() && !text.contains("is not kept"), "{text}");
    let mut shell = Shell::default();
    let shown = stage.state().position().unwrap();
    shell.run_line(&format!("game chess; position set {shown}"));
    let key = shell.look_up_as::<PositionReport>("position show").unwrap().key;
    assert_eq!(key, entries[0].key, "{text}");
}

#[test]
fn a_frame_shows_the_move_that_led_to_it() {
    let mut stage = Stage::new(100, 30);
    stage.lines(&["game chess", "search set depth=3", "step 100", "frame 1"]).keys("esc");
    assert_eq!(stage.state().data.frame().unwrap().ply, 1);
    let moved = stage
        .buffer()
        .content
        .iter()
        .filter(|cell| cell.bg == Color::Rgb(0x90, 0x72, 0x0a))
        .count();
    assert!(moved > 0, "both ends are tinted\n{}", stage.text());
}

#[test]
fn the_time_line_can_be_dragged() {
    let mut stage = Stage::new(100, 30);
    stage.lines(&["search set depth=3", "search run"]).keys("esc");
    let line = stage.state().areas().timeline;
    let event = |stage: &Stage| {
        let list = stage.state().data.get::<TimelineList>().unwrap();
        list.current().unwrap().events
    };
    let last = event(&stage);
    drag(&mut stage, (line.x + 40, line.y), (line.x + 20, line.y));
    let early = event(&stage);
    assert!(early > 0 && early < last, "{early} of {last}");
    drag(&mut stage, (line.x + 20, line.y), (line.x + 40, line.y + 5));
    assert!(event(&stage) > early, "the mouse may leave the line");
}

#[test]
fn a_promotion_says_its_keys_and_takes_all_others() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["game chess", "position set \"8/3P1k2/8/8/8/8/8/4K3 w - - 0 1\""]);
    stage.keys("esc d 8 enter");
    let text = stage.text();
    let last = text.lines().next_back().unwrap();
    assert!(text.contains(" Promotion ") && last.contains(" PROMOTION "), "{text}");
    for words in ["q Enter queen", "r rook", "b bishop", "n knight", "Esc back"] {
        assert!(last.contains(words), "{last}");
    }
    stage.keys("s x c");
    assert_eq!(stage.text(), text);
    stage.keys("r");
    assert_eq!(stage.state().data.get::<PositionReport>().unwrap().played[0].to_string(), "d8=R");
}

#[test]
fn the_key_bar_has_the_answers_of_a_question() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["play d6"]).keys("esc q");
    let last = |stage: &Stage| stage.text().lines().next_back().unwrap().to_owned();
    assert_eq!(last(&stage), " QUESTION  y leave without saving  s save  n stay");
    stage.keys("n");
    stage.lines(&["review"]);
    stage.keys("esc #");
    assert_eq!(last(&stage), " QUESTION  y yes  n no");
}

#[test]
fn a_session_is_opened_on_the_board_of_its_search() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.ply").display().to_string();
    for (game, search, shown) in [
        ("chess", "step 300", BoardOf::Frame),
        ("morris", "step 300", BoardOf::Frame),
        ("chess", "search run --depth 2", BoardOf::Position),
        ("morris", "search run --depth 2", BoardOf::Position),
    ] {
        let mut shell = Shell::default();
        let lines = [&format!("game {game}"), search, &format!("session save {file}")];
        assert!(lines.iter().flat_map(|line| shell.run_line(line)).all(|outcome| outcome.is_ok()));
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("session load {file}")]);
        assert_eq!(stage.state().shown, shown, "{game} {search}");
    }
}

/// The panes have the same heights after the command pane was open, and after a change of the size and back.
#[test]
fn panes_have_their_heights_by_what_they_contain_now() {
    for (game, moves) in [("morris", "play d6 f4"), ("chess", "play e4 e5")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), moves, "search set depth=3", "step 2000"]);
        let heights = |stage: &mut Stage| {
            stage.keys("esc esc 4 4");
            ["stack", "cache", "tree", "eval"].map(|pane| stage.state().areas().of(pane))
        };
        let before = heights(&mut stage);
        stage.keys(":").lines(&["where"]);
        assert_eq!(heights(&mut stage), before, "{game}: {}", stage.text());
        for columns in [100, 140] {
            stage.event(&Event::Resize(columns, 40));
        }
        assert_eq!(heights(&mut stage), before, "{game}: {}", stage.text());
    }
}

#[test]
fn a_line_that_fails_while_the_command_pane_is_closed_is_said() {
    for (columns, rows) in SIZES {
        let mut stage = Stage::new(columns, rows);
        stage.keys("esc").lines(&["session load missing.ply"]);
        let text = stage.text();
        assert!(text.contains("cannot read `missing.ply`"), "{text}");
        assert!(stage.state().status.is_none(), "it is said once: {text}");
        assert!(text.contains(" error ") && text.contains("help: check the name"), "{text}");
    }
}

#[test]
fn the_carets_of_a_sheet_are_below_the_fault_of_a_long_line() {
    let line = format!("{}nonsense{}", "step 1; ".repeat(20), "; step 1".repeat(20));
    for (columns, rows) in [(40, 40), (80, 24), (140, 40)] {
        let mut stage = Stage::new(columns, rows);
        stage.keys("esc").lines(&[&line]);
        let text = stage.text();
        let column = |row: &str, part| Some(row.split_once(part)?.0.chars().count());
        let rows: Vec<_> = text.lines().collect();
        let carets = rows.iter().position(|row| row.contains("^^^^^^^^"));
        let carets = carets.unwrap_or_else(|| panic!("{text}"));
        let fault = column(rows[carets - 1], "nonsense");
        assert!(fault.is_some() && fault == column(rows[carets], "^^^^^^^^"), "{text}");
    }
}

#[test]
fn the_start_card_stands_alone_beside_the_board_and_begins_a_search() {
    for (columns, rows) in SIZES {
        let mut stage = Stage::new(columns, rows);
        stage.keys("esc");
        stage.driver.app.show_start();
        let text = stage.text();
        assert!(!text.contains("The engine plays no side"), "{text}");
        stage.keys("3");
        let frames = stage.state().data.frames().len();
        assert!(frames > 1 && stage.state().shown == BoardOf::Frame, "{}", stage.text());
    }
}

#[test]
fn stepping_does_not_move_the_panes() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), "step 2000"]).keys("esc");
        let heights = |stage: &Stage| {
            let areas = stage.state().areas();
            ["stack", "cache", "eval"].map(|pane| areas.of(pane).unwrap())
        };
        stage.keys("s s s s s s S S S S s s s s");
        let settled = heights(&stage);
        for key in ["S", "S", "S", "S", "s", "s", "s", "s", "s", "s", "s", "s"] {
            stage.keys(key);
            assert_eq!(heights(&stage), settled, "{game} {key}\n{}", stage.text());
        }
    }
}

#[test]
fn the_question_before_leaving_saves_and_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.ply").display().to_string();
    let mut stage = Stage::new(80, 24);
    stage.lines(&["play d6", &format!("session save {file}"), "play f4"]).keys("esc q s");
    assert_eq!(stage.effects.last(), Some(&Effect::Leave));
    let mut stage = Stage::new(80, 24);
    stage.lines(&["play d6"]).keys("esc q s");
    stage.lines(&[&format!("session save {file}")]);
    stage.keys("y esc");
    assert!(stage.effects.contains(&Effect::Leave));
    // After Esc, saving does not leave.
    let mut stage = Stage::new(80, 24);
    stage.lines(&["play d6"]).keys("esc q s esc");
    stage.lines(&[&format!("session save {file}")]);
    stage.keys("y esc");
    assert!(!stage.effects.contains(&Effect::Leave));
}

#[test]
fn the_entry_of_a_frame_is_seen_on_a_small_screen() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "break kind=store", "continue"]).keys("esc 2 .");
        let text = stage.text();
        assert!(has(&stage, "cache") && text.contains("[4 Cache]"), "{text}");
        stage.keys("g");
        assert!(stage.text().contains("this event wrote the entry"), "{}", stage.text());
    }
}

#[test]
fn the_root_frame_is_explained_by_its_value() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=5", "step 3000"]).keys("esc 2");
        stage.keys("home w");
        let log = stage.state().log.lines();
        assert!(log.iter().any(|line| line.1 == "explain value"), "{game}: {}", stage.text());
    }
}

#[test]
fn the_root_frame_of_a_trace_is_explained_by_its_window() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl").display().to_string();
    for game in ["chess", "morris"] {
        let mut shell = Shell::default();
        for line in [&format!("game {game}"), &format!("trace record {file} --depth 3")] {
            assert!(shell.run_line(line).iter().all(Result::is_ok), "{line}");
        }
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("trace open {file}"), "goto 400"]).keys("esc esc 2 home w");
        let log: Vec<_> = stage.state().log.lines().iter().map(|line| line.1.as_str()).collect();
        assert!(log.contains(&"explain cutoff"), "{game}: {log:?}");
        assert!(stage.text().contains("The node is not cut"), "{}", stage.text());
        assert!(!stage.text().contains("of depth 0"), "{}", stage.text());
        std::fs::remove_file(&file).unwrap();
    }
}

#[test]
fn esc_is_said_to_close_an_open_sheet() {
    let mut stage = Stage::new(80, 24);
    stage.lines(&["help step"]);
    let last = |stage: &Stage| stage.text().lines().next_back().unwrap().to_owned();
    assert!(last(&stage).contains("Esc close "), "{}", stage.text());
    stage.keys("esc");
    assert!(last(&stage).starts_with(" BOARD "), "{}", stage.text());
    // A line that has been begun is not left with the sheet.
    let mut stage = Stage::new(80, 24);
    stage.lines(&["help step"]).keys("x esc");
    assert!(last(&stage).ends_with("Esc leave"), "{}", stage.text());
}

#[test]
fn a_press_of_the_mouse_clears_the_last_message() {
    let mut stage = Stage::new(80, 24);
    stage.keys("esc +");
    stage.driver.app.state.say("a message");
    mouse(&mut stage, MouseEventKind::Down(MouseButton::Left), (40, 4));
    assert!(!stage.text().contains("a message"), "{}", stage.text());
}

#[test]
fn after_a_hint_the_games_board_explains_the_value() {
    for game in ["chess", "morris"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), "search set budget=500"]).keys("esc i w");
        let log = stage.state().log.lines();
        assert!(log.iter().any(|line| line.1 == "explain value"), "{game}: {}", stage.text());
        assert!(stage.text().contains("is to move, and"), "{game}: {}", stage.text());
    }
}

#[test]
fn a_run_that_a_breakpoint_stops_shows_the_frame_where_it_is() {
    for (game, mv) in [("chess", "play e4"), ("morris", "play a7")] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "search set depth=4", "break kind=cutoff ply=2"]);
        let text = stage.keys("esc esc r").text();
        assert!(text.contains("BREAKPOINT 1") && text.contains("1 Board · frame 2"), "{text}");
        assert!(stage.state().sheet.is_none(), "{text}");
        // Without a move to take back, nothing is asked.
        stage.lines(&["delete all", &format!("game {game}"), "step 3"]).keys("esc esc esc U");
        assert!(stage.state().overlay.is_none(), "{}", stage.text());
        // Taking back a move drops the search, after a question, and says so. Enter does not answer it.
        stage.lines(&["delete all", "search drop", mv, "step 3"]).keys("esc esc esc U enter");
        assert!(stage.text().contains("Take back a move, dropping"), "{}", stage.text());
        stage.keys("y");
        let text = stage.text();
        assert!(text.contains("the search under way was dropped"), "{game}: {text}");
    }
}

#[test]
fn a_trace_is_opened_at_its_findings() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["chess", "morris"] {
        let file = folder.path().join(game).display().to_string();
        let mut shell = Shell::default();
        let line = format!("game {game}; trace record {file} --depth 2");
        assert!(shell.run_line(&line).iter().all(Result::is_ok));
        let mut stage = Stage::new(100, 30);
        stage.keys("esc 1").driver.app.state.submit(format!("trace open {file}"), By::Key);
        stage.driver.settle();
        assert_eq!(stage.state().focus, "findings", "{}", stage.text());
    }
}

/// On a high screen the panes have room for their text though the board beside them is large.
#[test]
fn on_a_high_screen_the_board_is_larger() {
    for (game, usual) in [("chess", 32), ("morris", 29)] {
        let mut stage = Stage::new(90, 50);
        stage.lines(&[&format!("game {game}")]).keys("esc esc");
        let board = stage.state().areas().of("board").unwrap();
        let painted = |y| (0..90).filter(|x| stage.buffer()[(*x, y)].bg != Color::Reset).count();
        assert!(painted(board.y + 4) > usual, "{}", stage.text());
    }
}

/// On a small screen a typed command has the width of the screen, and the board stays as it is.
#[test]
fn a_command_has_the_width_of_a_small_screen() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}")]).keys("esc esc :");
        let command = stage.state().areas().of("command").unwrap();
        assert_eq!((command.x, command.width), (0, 80), "{}", stage.text());
        stage.lines(&["help step"]);
        let sheet = stage.state().sheet.as_ref().unwrap().area(&stage.state().areas());
        assert!(!sheet.intersects(command), "{}", stage.text());
    }
}

/// A typed move that is given up leaves no cursor on the board.
#[test]
fn a_move_that_is_not_played_leaves_no_cursor() {
    for (game, play, typed) in [("morris", "play d6 f4", "d 6"), ("chess", "play e4 e5", "e 5")] {
        for key in ["esc", "]"] {
            let mut stage = Stage::new(80, 24);
            stage.lines(&[&format!("game {game}"), play]).keys("esc esc 1").keys(typed);
            assert!(stage.text().contains("Esc cancels"), "{game}: {}", stage.text());
            let marks = |stage: &Stage| {
                let board = stage.state().areas().of("board").unwrap();
                let cells = board.positions();
                cells.filter(|at| ["[", "]"].contains(&stage.buffer()[*at].symbol())).count()
            };
            assert_eq!(marks(&stage), 2, "{game}: {}", stage.text());
            stage.keys(key);
            assert_eq!(marks(&stage), 0, "{game} {key}: {}", stage.text());
        }
    }
}

/// The squares of the best move of a hint have a colour of their own.
#[test]
fn the_best_move_of_a_hint_tints_its_squares() {
    for (columns, rows) in SIZES {
        let mut stage = Stage::new(columns, rows);
        stage.lines(&["game chess", "play e4 e5", "search set depth=2"]).keys("esc esc i");
        let tint = Color::Rgb(0x20, 0x84, 0x58);
        let count = stage.buffer().content.iter().filter(|cell| cell.bg == tint).count();
        assert!(count > 3, "{columns}x{rows}: {}", stage.text());
    }
}

/// The chart of a reviewed game has signs at its mistakes and at the current move.
#[test]
fn the_chart_of_a_review_shows_its_mistakes() {
    for (game, play) in [
        ("chess", "play e4 e5 Nf3 f6 Nxe5 fxe5 Qh5+ Ke7 Qxe5+ Kf7"),
        ("morris", "play d7 g1 d6 a1 d5xa1 a4 g4 b4 f4 a7 b6 g7"),
    ] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), play, "review --depth 3"]).keys("esc esc 9");
        let (area, text) = (stage.state().areas().of("chart").unwrap(), stage.text());
        let signs = |sign: &str| {
            let buffer = stage.buffer();
            area.positions().filter(|at| at.y > area.y + 1 && buffer[*at].symbol() == sign).count()
        };
        assert!(text.contains("White's winning chances"), "{game}: {text}");
        assert!(signs("?") > 0 && signs("◆") == 1, "{game}: {text}");
    }
}

/// Before the nodes of the tree are counted, its windows are not cut for bars that do not exist yet.
#[test]
fn the_tree_of_a_running_search_has_room_for_windows() {
    for (game, play) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        let mut stage = Stage::new(140, 40);
        stage.lines(&[&format!("game {game}"), play, "search set depth=4", "step 3000"]);
        stage.keys("esc esc 3");
        stage.driver.app.state.searching = true;
        stage.driver.look_up(true);
        let area = stage.state().areas().of("tree").unwrap();
        let rows = (area.y..area.bottom()).map(|y| {
            let cells = (area.x..area.right()).map(|x| stage.buffer()[(x, y)].symbol().to_owned());
            cells.collect::<String>()
        });
        let open: Vec<_> = rows.filter(|row| row.contains('›') && row.contains('[')).collect();
        assert!(!open.is_empty() && open.iter().all(|row| row.contains("]  depth ")), "{open:?}");
    }
}

/// While the quiz is on, the header counts the right answers.
#[test]
fn the_header_says_that_the_quiz_is_on() {
    for (game, play) in [("chess", "play e4 e5"), ("morris", "play d6 f4")] {
        let mut stage = Stage::new(80, 24);
        stage.lines(&[&format!("game {game}"), play, "search set depth=3", "quiz on"]);
        let header = |stage: &Stage| stage.text().lines().next().unwrap().to_owned();
        assert!(header(&stage).contains("  QUIZ  "), "{game}: {}", stage.text());
        stage.lines(&["quiz next", "quiz answer 1"]);
        assert!(header(&stage).contains("QUIZ 0 of 1 right"), "{game}: {}", stage.text());
        stage.lines(&["quiz off"]);
        assert!(!header(&stage).contains("QUIZ"), "{game}: {}", stage.text());
    }
}

/// Of two moves typed at once against the engine, the second is refused, because the engine's reply comes first.
#[test]
fn a_second_move_typed_at_once_is_refused() {
    for (game, first, second, last) in
        [("morris", "a 1", "d 1", "a1"), ("chess", "e 4", "d 4", "e4")]
    {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}"), "engine level 1"]).keys("esc esc 1");
        stage.driver.app.state.engine = EngineSides::Black;
        for key in [first, second].join(" ").split(' ') {
            let key: KeyPress = key.parse().unwrap();
            stage.driver.app.event(&Event::Key(KeyEvent::from(key)));
        }
        let said = stage.state().status.as_ref().map_or("", |(_, text)| text).to_owned();
        assert!(said.contains("only the first move is played"), "{game}: {said}");
        stage.driver.settle();
        let played = &stage.state().data.get::<PositionReport>().unwrap().played;
        assert_eq!(played.first().map(ToString::to_string).as_deref(), Some(last), "{game}");
    }
}

/// During a search, a letter that begins a move on the board says what it does in other panes.
#[test]
fn a_letter_that_begins_a_move_says_what_it_does_elsewhere() {
    for (game, play, key) in [("chess", "play e4 e5", "B"), ("morris", "play d6 f4", "g")] {
        let mut stage = Stage::new(140, 40);
        let typed = format!("esc esc esc 1 {key}");
        stage.lines(&[&format!("game {game}"), play]).keys(&typed);
        assert!(!stage.text().contains("in other panes"), "{game}: {}", stage.text());
        stage.keys("esc").lines(&["step 30"]).keys(&typed);
        assert!(
            stage.text().contains(&format!("in other panes {key} ")),
            "{game}: {}",
            stage.text()
        );
    }
}

/// The help in front of the start card begins with the keys of the card.
#[test]
fn the_help_on_the_start_card_has_its_keys() {
    for game in ["morris", "chess"] {
        let mut stage = Stage::new(100, 30);
        stage.lines(&[&format!("game {game}")]).keys("esc").driver.app.show_start();
        let text = stage.keys("f1").text();
        let now = text.split("Keys that matter now").nth(1).unwrap();
        let now = now.split("More keys").next().unwrap();
        assert!(now.contains("digits ↑↓ Enter") && now.contains("empty board"), "{game}: {text}");
        assert!(!now.contains("makes the engine play"), "{game}: {text}");
    }
}
