//! Terminals that show little, and terminals that tell their background.

use crate::pty::{PROGRAM, Terminal, home};

/// The program in a terminal described by these variables, with the empty board in front.
fn screen(variables: &[(&str, &str)], arguments: &[&str]) -> (tempfile::TempDir, Terminal) {
    let home = home();
    let command: Vec<_> = [PROGRAM].iter().chain(arguments).copied().collect();
    let terminal = Terminal::run_with(home.path(), &command, (80, 24), variables);
    (home, terminal)
}

#[test]
fn poor_terminals_get_ascii_and_letters() {
    for (variables, has_colour) in [
        (&[("TERM", "linux")][..], true),
        (&[("TERM", "vt100")], false),
        (&[("LC_ALL", "C")], true),
        (&[("LC_CTYPE", "de_DE.ISO-8859-1")], true),
    ] {
        let (_home, mut terminal) = screen(variables, &[]);
        terminal.wait_for("debugs game-tree search");
        terminal.send("1");
        terminal.wait_for("CHESS");
        terminal.send("\x1b");
        terminal.wait("letters for pieces", |screen| {
            let text = screen.contents();
            ["8", "r", "n", "b", "q", "k", "R", "Q"].iter().all(|sign| text.contains(sign))
        });
        assert!(terminal.written().is_ascii(), "{variables:?}");
        assert_eq!(terminal.has_colour(), has_colour, "{variables:?}");
        // A game without a move leaves nothing to save, so nothing is asked.
        terminal.send("q");
        assert!(terminal.end().success());
        terminal.assert_restored();
    }
}

/// Whether a text has a sequence of 256 colours, and one of the eight.
fn colours(written: &[u8]) -> (bool, bool) {
    let text = String::from_utf8_lossy(written).into_owned();
    let sequences = text.split("\x1b[").skip(1).filter_map(|part| part.split_once('m'));
    let numbers = sequences.map(|(numbers, _)| numbers.split(';').collect::<Vec<_>>());
    let numbers: Vec<_> =
        numbers.filter(|all| all.iter().all(|it| it.parse::<u8>().is_ok())).collect();
    let has = |known: &dyn Fn(&str) -> bool| numbers.iter().flatten().any(|number| known(number));
    let is_ansi = |number: &str| number.parse().is_ok_and(|number: u8| (30..38).contains(&number));
    (has(&|number| ["38", "48"].contains(&number)), has(&is_ansi))
}

#[test]
fn terminals_with_eight_colours_get_the_codes_of_ansi() {
    for term in ["linux", "ansi"] {
        let (_home, mut terminal) = screen(&[("TERM", term)], &["--theme", "dark"]);
        terminal.wait_for("debugs game-tree search");
        terminal.send("1");
        terminal.wait_for("CHESS");
        terminal.send(":play e4");
        terminal.wait_for("play e4");
        assert_eq!(colours(&terminal.written()), (false, true), "{term}");
        terminal.send("\x03\x1b");
        terminal.wait_for("BOARD");
        terminal.send("q");
        assert!(terminal.end().success());
        let (_home, mut terminal) = screen(&[("TERM", term)], &["repl"]);
        terminal.wait_for("morris>");
        terminal.send("plai d6\r");
        terminal.wait_for("error:");
        assert_eq!(colours(&terminal.written()), (false, true), "{term}, at the prompt");
        terminal.send("quit\r");
        assert!(terminal.end().success());
    }
}

#[test]
fn the_prompt_writes_ascii_where_the_locale_is_not_utf8() {
    for (variables, is_ascii) in [(&[("LANG", "C")], true), (&[("LANG", "C.UTF-8")], false)] {
        let (_home, mut terminal) = screen(variables, &["repl"]);
        terminal.wait_for("morris>");
        terminal.send("position show\r");
        terminal.wait_for("White to place");
        assert_eq!(terminal.written().is_ascii(), is_ascii, "{}", terminal.screen());
        terminal.send("quit\r");
        assert!(terminal.end().success());
    }
}

const ASKED: &str = "\x1b]11;?\x1b\\\x1b[c";

#[test]
fn the_terminal_tells_whether_it_is_dark_or_light() {
    // Less important text in the colours of the default theme; without a reply, the background of `dark`.
    for (reply, colour) in [
        ("\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;22c", "38;5;247"),
        ("\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?6c", "38;5;59"),
        ("\x1b[?6c", "48;5;234"),
        ("", "48;5;234"),
    ] {
        let (_home, mut terminal) = screen(&[], &[]);
        terminal.wait_written(ASKED);
        if !reply.is_empty() {
            terminal.send(reply);
        }
        terminal.wait_written(colour);
        terminal.wait_for("debugs game-tree search");
        terminal.send("\x1b");
        terminal.send("q");
        assert!(terminal.end().success(), "{reply:?}");
        terminal.assert_restored();
    }
    let (_home, mut terminal) = screen(&[], &["--theme", "light"]);
    terminal.wait_for("debugs game-tree search");
    let written = String::from_utf8_lossy(&terminal.written()).into_owned();
    assert!(!written.contains(ASKED), "a theme that was named needs no question");
    terminal.send("\x1bq");
    terminal.end();
}

#[test]
fn a_late_reply_of_the_terminal_is_no_key() {
    let (_home, mut terminal) = screen(&[], &[]);
    terminal.wait_for("debugs game-tree search");
    terminal.send("\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?62;22c");
    terminal.send("4");
    // On the card, 4 begins the demo: nothing else has closed it.
    terminal.wait_for("1 of ");
    terminal.send("q");
    terminal.wait("the board", |screen| screen.contents().contains("BOARD"));
    assert!(!terminal.screen().contains("does nothing here"), "{}", terminal.screen());
}

#[test]
fn keys_typed_while_the_terminal_replies_are_kept() {
    let (_home, mut terminal) = screen(&[], &[]);
    terminal.wait_written(ASKED);
    terminal.send("\x1b]11;rgb:0000/0000/0000\x1b\\4\x1b[?62;22c");
    terminal.wait_for("1 of ");
}
