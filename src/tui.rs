//! The full screen.
//!
//! ```text
//! terminal -> Message -> App (pure state) -> Effect -> Driver (shell) -> reports -> Data -> draw
//! command pane: keys -> pty -> rustyline in a thread -> Message::Line -> Driver -> printed above the line being typed
//! ```
//!
//! One thread owns the shell and draws; searches run in slices between two looks at the keyboard, everything else that
//! may take long in a worker that borrows the shell while keys are still answered.

mod answers;
pub mod app;
pub mod board;
mod changes;
pub mod clipboard;
pub mod config;
pub mod data;
pub mod draw;
pub mod driver;
mod events;
mod footer;
mod header;
pub mod health;
mod help;
pub mod keymap;
pub mod keys;
pub mod layout;
pub mod log;
pub mod look;
mod message;
mod mouse;
mod pane;
pub mod panes;
mod play;
mod prompt;
mod pty;
pub mod seen;
mod summary;
pub mod table;
mod terminal;
pub mod theme;
mod update;

use std::{io, path::PathBuf, sync::mpsc, thread};

use app::App;
use clap::Args;
use config::Config;
use crossterm::event::{self, Event};
use driver::{By, Driver};
use events::Screen;
use log::Line;
use look::Look;
use message::Message;
use pane::CommandPane;
use pty::Pty;
use signal_hook::consts::{SIGCONT, SIGTSTP};
use terminal::Terminal;
use theme::{Colours, Theme};

use crate::{
    command::{Shell, files, suggest},
    interrupt::{Front, Unused},
    script, view,
};

/// The exit status of a wrong configuration.
const USAGE: u8 = 2;

/// What the screen can be told on the command line.
#[derive(Clone, Debug, Default, Args)]
pub struct Options {
    /// Screen: load this session first
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// Screen: draw with ASCII only
    #[arg(long)]
    pub ascii: bool,
    /// Screen: the colours, dark or light
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Screen: leave the mouse to the terminal
    #[arg(long)]
    pub no_mouse: bool,
    /// Screen: read this configuration, not the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Screen: append what is run to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

impl Options {
    /// One that was given, for front ends that have no use for it.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            ("--load", self.load.is_some()),
            ("--ascii", self.ascii),
            ("--theme", self.theme.is_some()),
            ("--no-mouse", self.no_mouse),
            ("--config", self.config.is_some()),
            ("--log", self.log.is_some()),
        ];
        all.into_iter()
            .find_map(|(name, given)| given.then_some(name))
    }
}

/// Why the screen did not open.
#[derive(Debug)]
pub enum Refusal {
    /// There is no terminal to draw on: the plain command line will do.
    NoTerminal,
    /// Something is wrong with the arguments or the configuration; the exit status.
    Usage(u8),
}

/// Opens the screen and returns the exit status once it is left.
pub fn run(options: &Options, answers: script::Options) -> Result<u8, Refusal> {
    let refuse = |what: String| {
        complain(&what);
        Refusal::Usage(USAGE)
    };
    let config = config::load(options.config.as_deref()).map_err(refuse)?;
    let mut shell = Shell::default();
    answers.tell(&mut shell);
    shell.set_trusted_folders(Ok(config.trusted.clone()));
    let app = prepare(options, config).map_err(refuse)?;
    let mut driver = Driver::new(shell, app);
    if let Some(file) = &options.load {
        // As if it were typed: the commands that come with it are to be seen.
        driver.submit(&format!("session load '{}'", file.display()), By::Typing);
    }
    let terminal = Terminal::save().map_err(|_| Refusal::NoTerminal)?;
    files::keep_input();
    files::keep_output();
    let status = open(&terminal, driver);
    terminal.restore();
    Ok(status.unwrap_or_else(|error| {
        complain(&error.to_string());
        1
    }))
}

fn complain(what: &str) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{}", view::error(what));
}

/// The state that flags and configuration ask for.
pub fn prepare(options: &Options, config: Config) -> Result<App, String> {
    let colours = Colours::of_environment();
    let theme = match options.theme.as_ref().or(config.theme.as_ref()) {
        Some(name) => theme(name, colours)?,
        None => look::usual(colours),
    };
    let mut app = App {
        look: Look {
            ascii: options.ascii || config.ascii,
            colours,
            theme,
        },
        mouse: !options.no_mouse && config.mouse.unwrap_or(true),
        ..App::default()
    };
    let Config { keymap, log, .. } = config;
    app.keymap = keymap;
    if let Some(path) = options.log.as_ref().or(log.as_ref()) {
        app.log
            .write_to(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(app)
}

fn theme(name: &str, colours: Colours) -> Result<Theme, String> {
    Theme::named(name, colours).ok_or_else(|| {
        let hint = suggest::did_you_mean(name, Theme::names());
        let names: Vec<_> = Theme::names().collect();
        let hint = hint.unwrap_or_else(|| format!("there is {}", names.join(", ")));
        format!("no theme is called `{name}`; {hint}")
    })
}

fn open(terminal: &Terminal, mut driver: Driver) -> io::Result<u8> {
    terminal.restore_on_panic();
    let (sender, messages) = mpsc::channel();
    driver.interrupt.heed(Watch {
        terminal: terminal.clone(),
        messages: sender.clone(),
    });
    let (columns, rows) = terminal.size();
    driver.app.event(&Event::Resize(columns, rows));
    let (columns, rows) = events::command_size(&driver.app);
    let changed = sender.clone();
    let (pty, slave) = Pty::open(columns, rows, move || {
        let _ = changed.send(Message::Output);
    })?;
    terminal::redirect(&slave)?;
    drop(slave);
    terminal.enter()?;
    terminal.set_mouse(driver.app.mouse)?;
    let mut screen = Screen::new(
        terminal.clone(),
        driver.app.size,
        driver.interrupt.clone(),
        (messages, sender.clone()),
    )?;
    screen.draw(&mut driver.app, None)?;
    let colour = driver.app.look.colour();
    let mut pane = CommandPane::start(pty, driver.shell.completions(), colour, sender.clone())?;
    read_terminal(sender);
    greet(&mut pane);
    driver
        .app
        .log
        .add(Line::Note, concat!("plyscope ", env!("CARGO_PKG_VERSION")));
    screen.run(&mut driver, &mut pane)
}

/// The screen's part in signals.
struct Watch {
    terminal: Terminal,
    messages: mpsc::Sender<Message>,
}

impl Front for Watch {
    const MORE: &'static [i32] = &[SIGTSTP, SIGCONT];

    fn leave(&self) {
        self.terminal.restore();
    }

    fn ends_on(&self, unused: Unused) -> bool {
        unused == Unused::Idle
    }

    fn take(&self, signal: i32) {
        let message = if signal == SIGTSTP {
            Message::Suspend
        } else {
            Message::Continued
        };
        let _ = self.messages.send(message);
    }
}

fn greet(pane: &mut CommandPane) {
    pane.print(concat!(
        "plyscope ",
        env!("CARGO_PKG_VERSION"),
        ": `help` lists the commands, F1 the keys, F6 leaves this pane"
    ));
}

/// Passes the terminal's events on from a thread of its own: waiting there costs nothing.
fn read_terminal(messages: mpsc::Sender<Message>) {
    thread::spawn(move || {
        loop {
            let message = event::read().map_or(Message::TerminalGone, Message::Terminal);
            let gone = matches!(message, Message::TerminalGone);
            if messages.send(message).is_err() || gone {
                return;
            }
        }
    });
}
