//! Signals in each front end: one stops a command, others end the program, and none is lost.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    os::unix::process::ExitStatusExt,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

use plyscope::interrupt::{Interrupt, NothingToStop};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::pty::{PROGRAM, Terminal, home, signal, sleeps, wait_until};

const ENDLESS: [&str; 4] = [
    "bench",
    "weights compare default mills=1 --random 500 --depth 12",
    "search run --depth 60",
    "game chess; weights compare default pawn=2 --random 500 --depth 12",
];

fn start(commands: &str) -> Child {
    start_with(commands, Stdio::null())
}

/// Starts the program with commands, and waits until the first of them runs.
fn start_with(commands: &str, input: Stdio) -> Child {
    // The test may run with the signals ignored, as under `nohup`, and the child would inherit that. Signals with a
    // handler in this process are reset to their default in the child.
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::default()).unwrap();
    }
    let mut command = Command::new(PROGRAM);
    command.args(["-c", "echo begun", "-c", commands]).stdin(input);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut begun = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"begun\n");
    child
}

/// The exit status as a shell reports it.
fn status(child: &mut Child) -> i32 {
    let status = child.wait().unwrap();
    let signal = status.signal().map(|signal| 128 + signal);
    signal.or(status.code()).unwrap()
}

/// After different delays: a signal may come between two searches of one command.
#[test]
fn a_signal_ends_a_long_command_whenever_it_comes() {
    for command in ENDLESS {
        for delay in [0, 3, 9] {
            let mut child = start(command);
            let began = Instant::now();
            wait_until("the moment", || began.elapsed() >= Duration::from_millis(11 * delay));
            assert_eq!(child.try_wait().unwrap(), None, "{command} is not long");
            signal(child.id(), "-TERM");
            assert_eq!(status(&mut child), 143, "{command} after {delay}");
        }
    }
}

#[test]
fn each_signal_has_its_status() {
    for (name, expected) in [("-HUP", 129), ("-INT", 130), ("-QUIT", 131), ("-TERM", 143)] {
        let mut child = start(ENDLESS[2]);
        signal(child.id(), name);
        assert_eq!(status(&mut child), expected, "{name}");
    }
}

#[test]
fn signals_ignored_by_nohup_stay_ignored() {
    let home = home();
    let script = format!("trap '' HUP; exec '{PROGRAM}'");
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .current_dir(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for word in ["before", "after"] {
        writeln!(input, "echo {word}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end(), word);
        signal(child.id(), "-HUP");
    }
    drop(input);
    assert_eq!(status(&mut child), 0);
}

#[test]
fn a_file_beyond_the_limit_is_an_error_and_not_the_end() {
    let home = home();
    let script = format!(
        "ulimit -f 1; exec '{PROGRAM}' --keep-going -c 'search run --depth 4; cache save big.cache; echo alive'"
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir(home.path()).output();
    let output = output.unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("error: ") && text.contains("\nalive\n"), "{text}");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{text}");
}

#[test]
fn a_busy_prompt_heeds_the_first_signal() {
    let home = home();
    for (name, expected) in [("-TERM", 143), ("-HUP", 129)] {
        for command in ["perft 30", "search run --depth 60", "game chess; perft 30"] {
            let mut terminal = Terminal::plyscope(home.path(), &["repl"], 80, 24);
            terminal.wait_for("morris>");
            terminal.send(":");
            terminal.send(&format!("echo begun; {command}\r"));
            terminal.wait("the command", |screen| {
                screen.contents().lines().any(|line| line == "begun")
            });
            signal(terminal.id(), name);
            assert_eq!(terminal.end().exit_code(), expected, "{name} during {command}");
            terminal.assert_restored();
        }
    }
}

#[test]
fn a_busy_screen_heeds_the_first_signal() {
    let home = home();
    for (name, expected) in [("-TERM", 143), ("-HUP", 129)] {
        for (command, sign) in [("perft 30", "BUSY"), ("search run --depth 60", "RUNNING")] {
            let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
            terminal.wait_for("morris>");
            terminal.send(":");
            terminal.send(&format!("{command}\r"));
            terminal.wait_for(sign);
            signal(terminal.id(), name);
            assert_eq!(terminal.end().exit_code(), expected, "{name} during {command}");
            terminal.assert_restored();
        }
    }
}

#[test]
fn sigint_stops_the_command_on_the_screen_and_not_the_program() {
    let home = home();
    let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
    terminal.wait_for("morris>");
    terminal.send(":");
    for _ in 0..2 {
        terminal.send("search run --depth 60\r");
        terminal.wait_for("RUNNING");
        signal(terminal.id(), "-INT");
        terminal.wait_for("INTERRUPTED");
        terminal.send("search run --depth 1\r");
        terminal.wait_for("DONE depth");
    }
    signal(terminal.id(), "-INT");
    assert_eq!(terminal.end().exit_code(), 130);
    terminal.assert_restored();
}

#[test]
fn a_terminal_that_reads_nothing_delays_no_signal() {
    let home = home();
    for (name, expected) in [("-TERM", 143), ("-HUP", 129)] {
        let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
        terminal.wait_for("morris>");
        terminal.send(":");
        let status = terminal.end_unread(400, 200, |id| signal(id, name));
        assert_eq!(status.exit_code(), expected, "{name}");
    }
}

#[test]
fn sigquit_gives_the_terminal_back_first() {
    let home = home();
    let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
    terminal.wait_for("morris>");
    terminal.send(":");
    signal(terminal.id(), "-QUIT");
    let status = terminal.end();
    assert!(status.signal().is_some(), "{status:?}");
    terminal.assert_restored();
}

#[test]
fn sigtstp_restores_the_terminal_and_fg_takes_it_again() {
    let home = home();
    let mut terminal = Terminal::run(home.path(), &["bash", "--norc", "-i"], 80, 24);
    terminal.wait_for("shell> ");
    terminal.send(&format!("(echo $BASHPID > id; exec '{PROGRAM}')\r"));
    terminal.wait_for("morris>");
    terminal.send(":");
    let id = fs::read_to_string(home.path().join("id")).unwrap();
    terminal.send("echo half");
    terminal.wait_for("> echo half");
    signal(id.trim().parse().unwrap(), "-TSTP");
    terminal.wait("the shell", |screen| {
        let free = screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None;
        free && !screen.alternate_screen() && screen.contents().contains("Stopped")
    });
    terminal.send("fg\r");
    terminal.wait("the screen", |screen| {
        screen.alternate_screen() && screen.contents().contains("> echo half")
    });
    terminal.send(" and whole\r");
    terminal.wait_for("half and whole");
    terminal.send("\x04");
    terminal.wait("the shell's prompt", |screen| {
        !screen.alternate_screen() && screen.contents().trim_end().ends_with("shell>")
    });
    terminal.send("exit\r");
    terminal.end();
}

#[test]
fn sigtstp_at_the_prompt_restores_the_terminal_and_fg_takes_it_again() {
    let home = home();
    let mut terminal = Terminal::run(home.path(), &["bash", "--norc", "-i"], 80, 24);
    terminal.wait_for("shell> ");
    terminal.send(&format!("(echo $BASHPID > id; exec '{PROGRAM}' repl)\r"));
    terminal.wait_for("morris>");
    let id = fs::read_to_string(home.path().join("id")).unwrap();
    for (round, stop) in ["-TSTP", "\x1a"].into_iter().enumerate() {
        terminal.send(&format!("echo half{round}"));
        terminal.wait_for(&format!("> echo half{round}"));
        match stop.strip_prefix('-') {
            Some(_) => signal(id.trim().parse().unwrap(), stop),
            None => terminal.send(stop),
        }
        let stopped = round + 1;
        terminal.wait("the shell", |screen| {
            screen.contents().matches("Stopped").count() == stopped
                && screen.contents().trim_end().ends_with("shell>")
        });
        terminal.send(&format!("echo she''ll{round}\r"));
        terminal.wait_for(&format!("\nshell{round}"));
        terminal.send("fg\r");
        terminal.wait("the line", |screen| {
            screen.contents().trim_end().ends_with(&format!("> echo half{round}"))
        });
        terminal.send(" and whole\r");
        terminal.wait("the answer and the next prompt", |screen| {
            let contents = screen.contents();
            contents.contains(&format!("\nhalf{round} and whole"))
                && contents.trim_end().ends_with("morris>")
        });
    }
    terminal.send("\x04");
    terminal.wait("the shell's prompt", |screen| screen.contents().trim_end().ends_with("shell>"));
    terminal.send("exit\r");
    terminal.end();
}

#[test]
fn a_screen_without_a_parent_shell_is_not_stopped() {
    let home = home();
    let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
    terminal.wait_for("morris>");
    terminal.send(":");
    terminal.send("\x1a");
    terminal.wait_for("there is no shell");
    terminal.send("\x04");
    assert!(terminal.end().success());
}

#[test]
fn the_flag_of_one_command_does_not_stop_the_next() {
    let stop = Arc::new(AtomicBool::default());
    let interrupt = Interrupt::new(Arc::clone(&stop));
    assert_eq!(interrupt.request_stop(), Err(NothingToStop::Idle));
    interrupt.begin();
    assert!(!interrupt.stop_requested());
    assert_eq!(interrupt.request_stop(), Ok(()));
    assert_eq!(interrupt.request_stop(), Err(NothingToStop::Repeated));
    interrupt.end();
    assert!(interrupt.stop_requested() && !stop.load(SeqCst));
    interrupt.begin();
    assert!(!interrupt.stop_requested() && !stop.load(SeqCst));
}

/// Waiting for another program ends with the first signal, and with its status.
#[test]
fn a_signal_ends_a_wait_for_a_pipe() {
    let home = home();
    let pipe = home.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.display();
    for command in [
        format!("trace open {pipe}"),
        format!("source {pipe}"),
        "trace open -; continue".to_owned(),
        "trace check -".to_owned(),
        "cache load -".to_owned(),
    ] {
        for (name, expected) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
            let mut child = start_with(&command, Stdio::piped());
            // `wait` would close the child's input.
            let _input = child.stdin.take();
            wait_until("the waiting", || sleeps(child.id()));
            signal(child.id(), name);
            assert_eq!(status(&mut child), expected, "{name} during {command}");
        }
    }
}

/// An interrupt also stops within a training's game; that game's values are taken back.
#[test]
fn an_interrupt_stops_a_training_within_a_game() {
    let home = home();
    let out = home.path().join("t.ron");
    for game in ["morris", "chess"] {
        let commands = format!("game {game}; train run --out {} --depth 12", out.display());
        let mut child = start(&commands);
        wait_until("the training", || out.exists());
        thread::sleep(Duration::from_millis(200));
        signal(child.id(), "-INT");
        // A game at this depth takes hours.
        wait_until("the end", || child.try_wait().unwrap().is_some());
        assert_eq!(status(&mut child), 130, "{game}");
        let files = fs::read_dir(home.path()).unwrap().flatten();
        for file in files {
            assert!(!file.file_name().to_string_lossy().starts_with('.'), "{file:?}");
            fs::remove_file(file.path()).unwrap();
        }
    }
}

/// Before the first prompt the signal ends the program as it does at the prompt.
#[test]
fn an_interrupt_while_the_program_starts_is_not_lost() {
    let home = home();
    for arguments in [&["repl"][..], &[]] {
        for delay in [1, 2, 3, 4, 6, 8, 12] {
            let mut terminal = Terminal::plyscope(home.path(), arguments, 80, 24);
            thread::sleep(Duration::from_millis(delay));
            signal(terminal.id(), "-INT");
            let code = terminal.end().exit_code();
            assert!(matches!(code, 1 | 130), "{arguments:?} after {delay}: {code}");
        }
    }
}

/// Ctrl-S is a key also between a line and the next prompt, and does not stop the output.
#[test]
fn ctrl_s_between_two_prompts_does_not_hold_up_the_screen() {
    let home = home();
    let mut terminal = Terminal::plyscope(home.path(), &[], 80, 24);
    terminal.wait_for("morris>");
    terminal.send(":");
    for word in ["one", "two", "three"] {
        terminal.send(&format!("echo {word}\r\x13\x07"));
        terminal.wait(word, |screen| {
            let text = screen.contents();
            let mut lines =
                text.lines().filter_map(|line| line.trim_end_matches('┃').rsplit('┃').next());
            lines.any(|line| line.trim() == word)
        });
    }
}
