//! The real program on the full screen of a terminal.

use std::time::{Duration, Instant};

use crate::pty::{Terminal, home, processor_time, signal};
use tempfile::TempDir;

const F6: &str = "\x1b[17~";
const F9: &str = "\x1b[20~";

fn open(home: &TempDir, arguments: &[&str]) -> Terminal {
    let mut terminal = Terminal::plyscope(home.path(), arguments, 80, 24);
    terminal.wait_for("morris>");
    terminal.send(":");
    terminal.send(":");
    terminal
}

/// Types a command and waits for its reply.
#[track_caller]
fn command(terminal: &mut Terminal, line: &str, answer: &str) {
    terminal.send(&format!("{line}\r"));
    terminal.wait_for(answer);
}

#[test]
fn a_mill_with_a_capture_is_played_saved_and_reopened() {
    let home = home();
    let mut terminal = open(&home, &[]);
    command(&mut terminal, "play a1 b2 a4 d2", "move 3, White");
    terminal.send(F6);
    terminal.send("8");
    terminal.send("1");
    terminal.wait_for("m M L engine");
    terminal.send("a7\r");
    terminal.wait_for("apture");
    terminal.send("b2\r");
    terminal.wait_for("move 3, Black");
    terminal.send(":");
    command(&mut terminal, "session save mill.ron", "saved mill.ron");
    terminal.wait("the file without [+]", |screen| {
        let header = screen.contents();
        let header = header.lines().next().unwrap_or_default();
        header.contains("mill.ron") && !header.contains("[+]")
    });
    command(&mut terminal, "quit", "");
    assert!(terminal.end().success());
    terminal.assert_restored();

    let mut again = Terminal::plyscope(home.path(), &["--load", "mill.ron"], 80, 24);
    again.wait_for("move 3, Black");
    again.send("q");
    assert!(again.end().success());
}

#[test]
fn a_sessions_commands_wait_for_trust_on_the_screen_and_at_the_prompt() {
    let home = home();
    let save = "alias look = echo looked; session save foreign.ron";
    let saved = Terminal::plyscope(home.path(), &["-c", save], 80, 24).end();
    assert!(saved.success());

    let mut screen = Terminal::plyscope(home.path(), &["--load", "foreign.ron"], 80, 24);
    screen.wait_for("before `trust`");
    screen.wait_for("> echo looked");
    screen.send(":");
    command(&mut screen, "look", "is not trusted");
    command(&mut screen, "quit", "");
    assert!(screen.end().success());

    let folder = home.path().join("plyscope");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.ron"), "(trusted: [\"~/\"])").unwrap();
    let mut prompt = open(&home, &["repl"]);
    command(&mut prompt, "session load foreign.ron", "the folder is trusted");
    command(&mut prompt, "look", "\nlooked");
    command(&mut prompt, "quit", "");
    assert!(prompt.end().success());
}

#[test]
fn a_search_is_stepped_and_an_entry_edited() {
    let home = home();
    let mut terminal = open(&home, &[]);
    command(&mut terminal, "search set depth=3", "\ndepth=3");
    terminal.send(F6);
    for (event, kind) in ["event 0: iteration", "event 1: descend"].into_iter().enumerate() {
        terminal.send("s");
        terminal.wait_for(kind);
        terminal.wait_for(&format!("PAUSED at event {event}"));
    }
    terminal.send("S");
    terminal.wait_for("PAUSED at event 0");
    terminal.send(">");
    terminal.wait_for("event 100");
    terminal.send("]");
    terminal.wait_for("DONE depth");
    terminal.send("4");
    terminal.wait_for("by first store");
    terminal.send("e");
    terminal.wait_for("value=");
    terminal.send("0.5\r");
    terminal.wait_for("+0.5");
    terminal.send(":");
    terminal.send("\x04");
    terminal.wait_for("Leave?");
    terminal.send("n");
    terminal.wait("the question's end", |screen| !screen.contents().contains("Leave?"));
    terminal.send("\x04");
    terminal.wait_for("Leave?");
    terminal.send("y");
    let status = terminal.end();
    assert!(status.success(), "{status:?}\n{}", terminal.screen());
    terminal.assert_restored();
}

#[test]
fn keys_are_answered_while_a_search_runs_and_ctrl_c_stops_it() {
    let home = home();
    let mut terminal = open(&home, &[]);
    command(&mut terminal, "search set depth=30", "\ndepth=30");
    terminal.send("search run\r");
    terminal.wait("a million entries", |screen| {
        let header = screen.contents();
        let header = header.lines().next().unwrap_or_default();
        let nodes = header.split_once(" nodes").and_then(|(before, _)| before.rsplit("  ").next());
        let nodes = nodes.map(|nodes| nodes.replace(',', "").parse::<u64>());
        nodes.is_some_and(|nodes| nodes.is_ok_and(|nodes| nodes > 1_500_000))
    });
    terminal.send("echo half");
    terminal.wait_for("> echo half");
    let mut slowest = Duration::ZERO;
    // As many as fit beside the board in one row.
    for length in 1..=20 {
        let before = processor_time(terminal.id());
        terminal.send("!");
        terminal.wait_for(&"!".repeat(length));
        slowest = slowest.max(processor_time(terminal.id()).saturating_sub(before));
    }
    println!(
        "while a search runs a key is on the screen after {slowest:?} of processor time at most"
    );
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    terminal.send("\x03");
    terminal.wait_for("INTERRUPTED");
    terminal.wait_for("(interrupted)");
    terminal.send(" done\r");
    terminal.wait("the echo", |screen| {
        screen.contents().lines().any(|line| line.contains("half!") && !line.contains("echo"))
    });
}

#[test]
fn a_long_command_can_be_stopped() {
    let home = home();
    let mut terminal = open(&home, &[]);
    command(&mut terminal, "perft 30", "BUSY");
    terminal.send("\x03");
    terminal.wait_for("error");
    command(&mut terminal, "echo alive", "alive");
}

#[test]
fn many_changes_of_size_leave_a_complete_screen() {
    let home = home();
    let mut terminal = open(&home, &[]);
    for round in 0..60_u16 {
        terminal.resize(5 + (round * 37) % 196, 2 + (round * 17) % 59);
        if round % 7 == 0 {
            terminal.send("x");
        }
    }
    terminal.resize(20, 5);
    terminal.wait_for("plyscope needs");
    terminal.resize(160, 48);
    terminal.wait_for("0 Game");
    terminal.resize(80, 24);
    terminal.wait_for("[0 Game]");
    terminal.send("\x15");
    command(&mut terminal, "echo after the storm", "after the storm");
}

/// The line being typed is not repeated when the window becomes narrower or wider than the line.
#[test]
fn a_typed_line_is_drawn_once_after_the_window_changes() {
    let home = home();
    let mut terminal = open(&home, &[]);
    terminal.send("echo one two three four five six seven eight nine ten eleven twelve");
    terminal.wait_for("twelve");
    for columns in [60, 50, 100, 80] {
        terminal.resize(columns, 24);
        terminal.wait("the whole line, once", |screen| {
            let text = screen.contents().replace(['\n', '│', '┃'], "");
            let is_drawn = screen.size().1.get() == columns && text.contains("COMMAND");
            is_drawn && text.matches("echo one").count() == 1 && text.contains("twelve")
        });
    }
    terminal.send("\r");
    terminal.wait("the output", |screen| screen.contents().contains("\none two three"));
}

#[test]
fn a_tiny_terminal_shows_a_note_and_can_be_left() {
    let home = home();
    let mut terminal = Terminal::plyscope(home.path(), &[], 20, 5);
    terminal.wait_for("plyscope needs");
    terminal.send(F6);
    terminal.send("\x11");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn a_panic_gives_the_terminal_back() {
    let home = home();
    let mut terminal = open(&home, &[]);
    assert!(terminal.is_alternate());
    terminal.send(F9);
    let status = terminal.end();
    assert_eq!(status.exit_code(), 101);
    terminal.assert_restored();
    assert!(terminal.screen().contains("asked for by F9"), "{}", terminal.screen());
}

#[test]
fn a_panic_saves_the_session_first() {
    let home = home();
    let mut terminal = open(&home, &[]);
    command(&mut terminal, "play d6", "no file [+]");
    terminal.send(F9);
    assert_eq!(terminal.end().exit_code(), 101);
    terminal.assert_restored();
    let said = "`plyscope plyscope-rescued-1.ply` continues it";
    assert!(terminal.screen().contains(said), "{}", terminal.screen());
    let mut again = Terminal::plyscope(home.path(), &["plyscope-rescued-1.ply"], 80, 24);
    again.wait_for(" plyscope-rescued-1.ply");
    assert!(again.screen().contains("Black to move"), "{}", again.screen());
    again.send("q");
    assert!(again.end().success());
}

#[test]
fn a_signal_saves_the_session_first() {
    for (name, status, line, shown) in [
        ("-TERM", 143, "play d6", "Black to move"),
        ("-HUP", 129, "game chess; play e4; search run --depth 60", "RUNNING"),
    ] {
        let home = home();
        let mut terminal = open(&home, &[]);
        command(&mut terminal, line, shown);
        signal(terminal.id(), name);
        assert_eq!(terminal.end().exit_code(), status, "{name}");
        terminal.assert_restored();
        let said = "`plyscope plyscope-rescued-1.ply` continues it";
        assert!(terminal.screen().contains(said), "{name}: {}", terminal.screen());
        let mut again = Terminal::plyscope(home.path(), &["plyscope-rescued-1.ply"], 80, 24);
        again.wait_for(" plyscope-rescued-1.ply");
        // A search stopped in its middle shows the position of its frame: Esc shows the game's.
        again.send("\x1b");
        again.wait_for("Black to move");
        again.send("q");
        assert!(again.end().success());
    }
}

#[test]
fn signals_give_the_terminal_back() {
    let home = home();
    for (name, status) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let mut terminal = open(&home, &[]);
        signal(terminal.id(), name);
        assert_eq!(terminal.end().exit_code(), status, "{name}");
        terminal.assert_restored();
    }
}

#[test]
fn a_paste_of_several_lines_runs_as_one() {
    let home = home();
    let mut terminal = Terminal::plyscope(home.path(), &[], 140, 40);
    terminal.wait_for("morris>");
    terminal.send(":");
    terminal.send("\x1b[200~echo one\necho two\x1b[201~");
    terminal.wait_for("echo two");
    terminal.send("\r");
    terminal.wait("both echoes", |screen| {
        let contents = screen.contents();
        // The pane may be beside the board.
        let inside = |line: &str, wanted: &str| {
            line.trim_end_matches(['┃', ' ']).rsplit('┃').next() == Some(wanted)
        };
        let is = |wanted: &str| contents.lines().any(|line| inside(line, wanted));
        is("one") && is("two")
    });
}

#[test]
fn ctrl_z_and_fg() {
    let home = home();
    let program = env!("CARGO_BIN_EXE_plyscope");
    let mut terminal = Terminal::run(home.path(), &["bash", "--norc", "-i"], 80, 24);
    terminal.wait_for("shell> ");
    terminal.send(&format!("{program}\r"));
    terminal.wait_for("morris>");
    terminal.send(":");
    terminal.send("echo half");
    terminal.wait_for("> echo half");
    terminal.send("\x1a");
    terminal.wait("the shell", |screen| {
        !screen.alternate_screen() && screen.contents().contains("Stopped")
    });
    terminal.send("fg\r");
    terminal.wait("the screen", |screen| {
        screen.alternate_screen() && screen.contents().contains("> echo half")
    });
    terminal.send(" and whole\r");
    terminal.wait_for("half and whole");
    terminal.send("\x04");
    terminal.wait("the shell", |screen| {
        let contents = screen.contents();
        !screen.alternate_screen()
            && contents.trim_end().lines().last().is_some_and(|line| line.trim_end() == "shell>")
    });
    terminal.send("echo status $?\r");
    terminal.wait_for("status 0");
    terminal.send("exit\r");
    terminal.end();
}

#[test]
fn without_a_terminal_of_its_own_the_plain_command_line_appears() {
    let home = home();
    let program = env!("CARGO_BIN_EXE_plyscope");
    let mut terminal = Terminal::run(home.path(), &["setsid", "--wait", program], 80, 24);
    terminal.wait_for("morris>");
    terminal.send(":");
    assert!(!terminal.is_alternate());
    terminal.send("echo plain\r");
    terminal.wait("the echo", |screen| screen.contents().lines().any(|line| line == "plain"));
    terminal.send("quit\r");
    assert!(terminal.end().success());
}

#[test]
fn a_dumb_terminal_gets_the_plain_command_line() {
    let home = home();
    let program = env!("CARGO_BIN_EXE_plyscope");
    let mut terminal = Terminal::run(home.path(), &["env", "TERM=dumb", program], 80, 24);
    terminal.wait_for("morris>");
    terminal.send("echo plain\r");
    terminal.wait_for("\nplain");
    terminal.send("quit\r");
    assert!(terminal.end().success());
}

#[test]
fn the_first_frame_is_there_soon() {
    let home = home();
    let terminal = Terminal::plyscope(home.path(), &[], 80, 24);
    terminal.wait_for(" PLYSCOPE ");
    let taken = processor_time(terminal.id());
    assert!(taken < Duration::from_secs(1), "{taken:?}");
    println!("first frame after {taken:?} of processor time");
}

#[test]
fn the_screen_is_written_as_text() {
    let home = home();
    let mut terminal = open(&home, &[]);
    command(&mut terminal, "play d6 f4; picture screen shot.txt", "wrote `shot.txt`");
    let text = std::fs::read_to_string(home.path().join("shot.txt")).unwrap();
    assert!(
        text.contains(" MORRIS ") && text.contains("move 2") && !text.contains("BUSY"),
        "{text}"
    );
}

#[test]
fn an_open_quote_is_shown_and_an_empty_line_or_ctrl_c_ends_it() {
    let home = home();
    let mut terminal = Terminal::plyscope(home.path(), &["repl"], 100, 30);
    terminal.wait_for("morris>");
    terminal.send(":");
    terminal.send("echo 'half\r");
    terminal.wait_for("this quote is never closed; Enter gives up");
    terminal.send("\r");
    terminal.wait("an error and a prompt", |screen| {
        let contents = screen.contents();
        let below = contents.split("error: this quote").nth(1);
        below.is_some_and(|below| below.contains("morris>"))
    });
    terminal.send("echo 'other\r");
    terminal.wait("the second hint", |screen| {
        let contents = screen.contents();
        let below = contents.split("'other").nth(1).unwrap_or_default();
        below.contains("Enter gives up")
    });
    terminal.send("\x03");
    terminal.wait("a fresh prompt", |screen| screen.contents().matches("morris>").count() == 3);
    terminal.send("echo still alive\r");
    terminal.wait_for("\nstill alive");
    // Between two lines the terminal is in the system's line mode, which would read Ctrl-D as end of input.
    terminal.wait("the next prompt", |screen| screen.contents().matches("morris>").count() == 4);
    terminal.send("\x04");
    assert!(terminal.end().success());
}

#[test]
fn the_demo_is_stepped_to_its_end() {
    let home = home();
    let steps = plyscope::tui::demo::steps(None).len();
    let mut terminal = Terminal::plyscope(home.path(), &["demo"], 80, 24);
    for step in 1..=steps {
        terminal.wait_for(&format!(" {step} of {steps}  "));
        terminal.wait("the end of its commands", |screen| {
            let text = screen.contents();
            !["BUSY", "RUNNING", "error"].iter().any(|word| text.contains(word))
        });
        terminal.send(" ");
    }
    // The last page has set up a game and begun to play.
    terminal.wait_for("(engine: Black");
    // Another Space does nothing: it must not choose a point on the board.
    terminal.send(" q");
    terminal.wait_for("the demo is over");
    terminal.send("q");
    assert!(terminal.end().success(), "there is nothing to be saved");
    terminal.assert_restored();
}

/// The line editor has begun its first line before the card chooses a game.
#[test]
fn the_prompt_has_the_game_that_a_key_has_chosen() {
    let home = home();
    let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
    terminal.wait_for("5  a file");
    terminal.send("1");
    terminal.wait_for("CHESS");
    terminal.send(":");
    terminal.wait_for("COMMAND");
    terminal.send("echo well");
    terminal.wait_for("chess> echo well");
}

/// The line is begun before the game changes, and with it the prompt.
#[test]
fn a_line_being_typed_outlives_a_change_of_the_prompt() {
    for (digit, game) in [("1", "chess"), ("2", "morris")] {
        let home = home();
        let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
        terminal.wait_for("5  a file");
        terminal.send(&format!("{digit}:echo well"));
        // The game takes the focus; the line waits in the closed command pane.
        terminal.wait_for("the engine plays at level");
        terminal.send(":");
        terminal.wait_for(&format!("{game}> echo well"));
    }
}

#[test]
fn the_start_card_goes_on_with_the_last_session() {
    let home = home();
    let mut terminal = open(&home, &[]);
    command(&mut terminal, "play d6 f4; session save 'my lesson.ron'", "saved my lesson.ron");
    terminal.send("quit\r");
    assert!(terminal.end().success());
    let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
    terminal.wait_for("6  the last session: my lesson.ron");
    terminal.send("6");
    terminal.wait_for("move 2, White to move");
    terminal.send("\x1b");
    // A session that is gone is not offered.
    std::fs::remove_file(home.path().join("my lesson.ron")).unwrap();
    let terminal = Terminal::plyscope(home.path(), &[], 80, 24);
    terminal.wait_for("5  a file");
    assert!(!terminal.screen().contains("last session"));
}

#[test]
fn a_film_of_the_last_seconds_is_written_by_two_presses() {
    let home = home();
    let mut terminal = open(&home, &[]);
    // A film has ten screens a second at most: the engine's time makes it longer than one.
    command(&mut terminal, "play d6; engine play --time 400", "move 2, White");
    terminal.send("\x1b");
    terminal.wait_for(" BOARD ");
    terminal.send("**");
    terminal.wait_for("drawn into ./plyscope-film-1.svg");
    let film = home.path().join("plyscope-film-1.svg");
    crate::pty::wait_until("the film", || film.exists());
    let svg = std::fs::read_to_string(&film).unwrap();
    // Screens one after the other, and a loop through them.
    assert!(svg.contains("@keyframes") && svg.contains("infinite"), "{svg}");
    // The first press has drawn the screen, of which the film is the end.
    let still = home.path().join("plyscope-1.svg");
    crate::pty::wait_until("the film alone", || !still.exists());
    terminal.send("*");
    crate::pty::wait_until("a picture", || still.exists());
}

#[test]
fn an_abandoned_command_leaves_an_empty_prompt_and_is_the_newest_of_the_history() {
    let home = home();
    let mut terminal = open(&home, &[]);
    let is_empty = |screen: &vt100::Screen| {
        let text = screen.contents();
        text.contains(" BOARD ") && text.contains(": command") && !text.contains("play d6")
    };
    terminal.send("play d6");
    terminal.wait_for("play d6");
    terminal.send("\x1b");
    terminal.wait("an empty prompt", is_empty);
    // An empty line leaves no second prompt.
    terminal.send(":");
    terminal.wait_for("COMMAND  F1");
    terminal.send("\x1b");
    terminal.wait("an empty prompt", is_empty);
    terminal.send(":\x1b[A");
    terminal.wait_for("play d6");
    assert_eq!(terminal.screen().matches("morris>").count(), 1, "{}", terminal.screen());
    terminal.send("\r");
    terminal.wait_for("move 1, Black to move");
}

#[test]
fn an_engine_that_plays_both_sides_can_be_followed_and_stopped() {
    for game in ["chess", "morris"] {
        let home = home();
        let mut terminal = open(&home, &[]);
        command(&mut terminal, &format!("game {game}"), "move 1, White");
        command(&mut terminal, "engine level 1", "level 1");
        terminal.send(F6);
        terminal.send("1");
        terminal.send("M");
        terminal.wait_for("both sides");
        let begun = Instant::now();
        terminal.send("3");
        terminal.wait_for("move 3, White");
        assert!(begun.elapsed() > Duration::from_secs(2), "{game}: three pauses between moves");
        terminal.send("\x03");
        terminal.wait_for("stopped: the engine plays no side");
        terminal.send("q");
        terminal.send("y");
        terminal.end();
    }
}
