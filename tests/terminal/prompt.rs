//! The plain command line in a terminal.

use std::fs;

use crate::pty::{Terminal, home};
use tempfile::TempDir;

fn open(home: &TempDir) -> Terminal {
    let terminal = Terminal::plyscope(home.path(), &["repl"], 80, 24);
    terminal.wait_for("morris>");
    terminal
}

/// The cursor is on the board at first.
fn to_the_command_line(terminal: &mut Terminal, arguments: &[&str]) {
    if arguments.is_empty() {
        terminal.send(":");
    }
}

/// Waits for a line that is exactly this text.
#[track_caller]
fn wait_for_line(terminal: &Terminal, line: &str) {
    terminal.wait(line, |screen| screen.contents().lines().any(|seen| seen.trim_end() == line));
}

#[test]
fn ctrl_c_stops_the_command_and_keeps_the_session() {
    for (game, command) in [
        ("morris", "search run --depth 60"),
        ("morris", "perft 30"),
        ("chess", "search run --depth 60"),
        ("chess", "perft 30"),
        ("morris", "foreach standard { search run --depth 60 }"),
        ("chess", "foreach standard { search run --depth 60 }"),
    ] {
        let home = home();
        let mut terminal = open(&home);
        terminal.send(&format!(
            "game {game}; alias kept = echo so; echo begun; {command}; echo never\r"
        ));
        wait_for_line(&terminal, "begun");
        terminal.send("\x03");
        let prompt = format!("{game}>");
        terminal.wait("the prompt", |screen| {
            let last = screen.contents();
            last.trim_end().lines().last().is_some_and(|line| line.trim_end() == prompt)
        });
        // At the prompt Ctrl-C is a key, and the interrupt of one command does not stop the next.
        terminal.send("half\x03");
        terminal.wait("another prompt", |screen| {
            let seen = screen.contents();
            seen.contains("half") && seen.trim_end().ends_with(&prompt)
        });
        terminal.send("search run --depth 1; perft 2; kept kept\r");
        wait_for_line(&terminal, "so kept");
        let screen = terminal.screen();
        assert!(!screen.lines().any(|line| line.trim_end() == "never"), "{screen}");
        assert!(!screen.lines().any(|line| line.starts_with("2 of ")), "{screen}");
        terminal.send("quit\r");
        assert!(terminal.end().success());
    }
}

#[test]
fn a_byte_that_is_not_utf8_is_reported_and_the_session_continues() {
    let home = home();
    let mut terminal = open(&home);
    terminal.send("alias kept = echo so\r");
    terminal.send("kept\r");
    wait_for_line(&terminal, "so");
    for bytes in [&b"\xff"[..], b"echo caf\xe9 x", b"\xc3\x28", b"echo \xed\xa0\x80 x"] {
        terminal.send_bytes(bytes);
        terminal.wait("the error and a prompt", |screen| {
            let seen = screen.contents();
            let rest = seen.rsplit("not UTF-8").next().unwrap_or_default();
            seen.contains("not UTF-8") && rest.trim_end().ends_with("\nmorris>")
        });
        terminal.send("\x0c");
        terminal.wait("a clear screen", |screen| !screen.contents().contains("not UTF-8"));
    }
    terminal.send("kept again\r");
    // Before the prompt Ctrl-D is the terminal's own.
    terminal.wait("an answer and a prompt", |screen| {
        screen.contents().trim_end().ends_with("\nso again\nmorris>")
    });
    terminal.send("\x04");
    assert!(terminal.end().success());
}

#[test]
fn bytes_that_are_no_text_do_not_end_the_screen() {
    let home = home();
    let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
    terminal.wait_for("morris>");
    terminal.send(":");
    terminal.send_bytes(b"\xff\xe9\xed\xa0\x80");
    terminal.send("\x15echo alive; quit\r");
    assert!(terminal.end().success());
}

#[test]
fn lines_that_begin_with_a_blank_stay_out_of_the_history() {
    for arguments in [&["repl"][..], &[]] {
        let home = home();
        let mut terminal = Terminal::plyscope(home.path(), arguments, 80, 24);
        terminal.wait_for("morris>");
        to_the_command_line(&mut terminal, arguments);
        for line in [" echo secret", "echo open", "quit"] {
            terminal.send(&format!("{line}\r"));
            let said = line.trim().trim_start_matches("echo ");
            if said != "quit" {
                terminal.wait(said, |screen| {
                    let mut lines = screen.contents();
                    lines.retain(|character| character != '┃');
                    lines.lines().any(|line| line.rsplit('│').next().map(str::trim) == Some(said))
                });
            }
        }
        assert!(terminal.end().success());
        let history = fs::read_to_string(home.path().join("plyscope/history")).unwrap();
        assert!(history.contains("echo open") && !history.contains("secret"), "{history}");
    }
}

#[test]
fn any_value_of_no_color_switches_colours_off() {
    let painted = |variable: &str| {
        let home = home();
        let command = ["env", variable, crate::pty::PROGRAM, "repl"];
        let mut terminal = Terminal::run(home.path(), &command, 80, 24);
        terminal.wait_for("morris>");
        terminal.send("nonsense\r");
        terminal.wait_for("no command");
        terminal.has_colour()
    };
    assert!(painted("NO_COLOR="));
    for value in ["0", "1", "no", "true"] {
        assert!(!painted(&format!("NO_COLOR={value}")), "{value}");
    }
}

#[test]
fn text_in_the_line_editor_does_not_control_the_terminal() {
    for arguments in [&["repl"][..], &[]] {
        let home = home();
        let folder = home.path().join("plyscope");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("history"), "#V2\necho \u{1b}c\u{202e}\u{9b}2J hidden\n").unwrap();
        let mut terminal = Terminal::plyscope(home.path(), arguments, 80, 24);
        terminal.wait_for("morris>");
        to_the_command_line(&mut terminal, arguments);
        // The hint, then the line itself, then the reply.
        terminal.send("ec");
        terminal.wait_for("␦c␦␦2J hidden");
        terminal.send("\x1b[A");
        terminal.send("\r");
        terminal.wait_for(r"\u{1b}c\u{202e}\u{9b}2J hidden");
        let written = String::from_utf8(terminal.written()).unwrap();
        assert!(!written.contains(['\u{202e}', '\u{9b}']) && !written.contains("\x1bc"));
        if arguments == ["repl"] {
            // Input before the next prompt would be lost.
            terminal.wait_for("2J hidden\nmorris>");
        }
        terminal.send("\x04");
        terminal.end();
    }
}
