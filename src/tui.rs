//! The full screen.
//!
//! ```text
//! terminal -> Message -> App -> effects -> terminal, line editor
//!                         |  ^
//!           queued lines  v  | Data, replies
//!                        Driver -> shell
//! command pane: keys -> pty -> rustyline in a thread -> Message::Line -> queue; replies are printed above the prompt
//! ```
//!
//! **`App`** is the screen without a terminal and a shell: keys change its state. The lowest modules are `keys`, `look`,
//! `layout` and `pty`; panes use `keymap`, `data`, `log` and `state`; `pane` is the trait of panes, `panes` their table; `draw`
//! and `overlay` draw the screen; `driver` connects the shell, `events` the terminal.
//!
//! One thread owns the shell and draws. Searches run in slices, between which keys are handled. Other commands run in a worker
//! thread that borrows the shell, and keys are handled meanwhile.

pub mod app;
pub mod board;
mod card;
mod curves;
pub mod data;
pub mod demo;
pub mod draw;
pub mod driver;
mod editor;
mod events;
pub mod film;
pub mod keymap;
pub mod keys;
mod layout;
mod lines;
mod list;
pub mod log;
pub mod look;
mod opponent;
mod overlay;
mod pane;
pub mod panes;
pub mod pty;
mod sheet;
mod start;
pub mod state;
mod terminal;
mod text_field;
mod timeline;

pub(crate) use layout::{FULL_SIZE, MIN_SIZE};

use std::{
    io::{self, Write as _},
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::{Arc, mpsc},
    thread,
};

use app::App;
use clap::Args;
use crossterm::event::{self, Event};
use driver::Driver;
use editor::{Editor, Message};
use events::EventLoop;
use log::LogLine;
use look::Theme;
use pty::Pty;
use signal_hook::consts::{SIGCONT, SIGTSTP};
use state::{By, ScreenState};
use terminal::{PANICKED, Terminal, run_or_exit};

use crate::{
    command::{files, lexer::quoted, suggest},
    config::Config,
    interrupt::{Front, NothingToStop},
    picture, repl, script,
    text::number,
    view::{
        Abilities, Colour,
        background::{self, Background, LateReplies},
    },
};

/// Command-line options of the full screen.
#[derive(Clone, Debug, Default, Args)]
pub struct ScreenOptions {
    /// Screen: load this session first
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// Screen: draw with ASCII only
    #[arg(long)]
    pub ascii: bool,
    /// Screen: the colours: default, dark, light, basic or mono
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Screen: leave the mouse to the terminal
    #[arg(long)]
    pub no_mouse: bool,
    /// Screen: append what is run to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// The demo to show at the start.
    #[arg(skip)]
    pub demo: Option<DemoOptions>,
    /// The first command line to run: it opens the file that was named as an argument.
    #[arg(skip)]
    pub opens: Option<String>,
}

impl ScreenOptions {
    /// The name of the first option that was given, for front ends that refuse these options.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            ("--load", self.load.is_some()),
            ("--ascii", self.ascii),
            ("--theme", self.theme.is_some()),
            ("--no-mouse", self.no_mouse),
            ("--log", self.log.is_some()),
            ("demo", self.demo.is_some()),
        ];
        all.into_iter().find_map(|(name, given)| given.then_some(name))
    }
}

/// A demo and how it is shown or drawn.
#[derive(Clone, Debug, Default, Args)]
pub struct DemoOptions {
    /// Show this script, a paragraph at a time: the comments, and what the commands do
    #[arg(value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Draw all screens of the demo into this file, as an SVG that moves
    #[arg(long, value_name = "FILE")]
    pub film: Option<PathBuf>,
    /// Draw the demo's last screen into this file, as an SVG
    #[arg(long, value_name = "FILE", conflicts_with = "film")]
    pub picture: Option<PathBuf>,
    /// Columns and rows of the drawing
    #[arg(long, value_name = "SIZE", default_value = "96x28", value_parser = size)]
    pub size: (u16, u16),
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let parts = text
        .split_once('x')
        .and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    let largest = (layout::MIN_SIZE.0..=400, layout::MIN_SIZE.1..=200);
    parts
        .filter(|(columns, rows)| largest.0.contains(columns) && largest.1.contains(rows))
        .ok_or_else(|| {
            let (columns, rows) = layout::MIN_SIZE;
            format!("columns and rows like 100x30, from {columns}x{rows} to 400x200")
        })
}

/// Runs the full screen until the user leaves. Returns the exit status; `None` if there is no terminal to draw on.
pub fn run(
    options: &ScreenOptions,
    answers: script::Options,
    config: Result<Config, String>,
) -> Option<u8> {
    let abilities = Abilities::of_environment();
    let colour = Colour::for_terminal(true);
    let prepared = config.and_then(|config| Ok((prepare(options, &config, colour)?, config)));
    let (mut app, config) = match prepared {
        Ok(prepared) => prepared,
        Err(what) => {
            script::complain(what);
            return Some(script::USAGE);
        }
    };
    app.state.look.ascii |= abilities.ascii;
    let shell = answers.shell(Ok(config));
    if let Some(file) = &options.load {
        // The line is run as if typed, so that the commands that come with the session are shown.
        let line = format!("session load {}", quoted(&file.to_string_lossy()));
        app.state.submit(line, By::Typing);
    }
    if let Some(line) = &options.opens {
        app.state.submit(line.clone(), By::Typing);
    }
    if options.demo.is_some() {
        app.show_demo(0);
    } else if options.load.is_none() && options.opens.is_none() {
        let history = repl::history_file().and_then(|file| std::fs::read_to_string(file).ok());
        app.last_session = history.and_then(|history| start::last_session(&history));
        app.show_start();
    }
    let driver = Driver::new(shell, app);
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let terminal = if is_dumb { None } else { Terminal::save().ok() }?;
    files::reserve_input();
    files::reserve_output();
    let status = open(&terminal, driver);
    terminal.restore();
    Some(status.unwrap_or_else(|error| {
        script::complain(&error);
        1
    }))
}

/// Draws the demo into the file that the options name; returns a line about the file, or `None` if they name no file. Errors:
/// an unreadable script, a command that fails, a file that cannot be written.
pub fn film(options: &ScreenOptions, answers: script::Options) -> Option<Result<String, String>> {
    let demo = options.demo.as_ref()?;
    let file = demo.film.as_ref().or(demo.picture.as_ref())?;
    let draw = || {
        let mut app = prepare(options, &Config::default(), Colour::On)?;
        app.state.size = demo.size;
        let mut shell = answers.shell(Ok(Config::default()));
        shell.times = false;
        let mut shots = demo::film(app, shell).map_err(|fault| fault.to_string())?;
        if demo.picture.is_some() {
            shots.drain(..shots.len().saturating_sub(1));
        }
        let drawing = picture::screen_svg(&shots, "Plyscope");
        files::write_text(file, &drawing).map_err(|fault| fault.to_string())?;
        let (screens, bytes) = (shots.len(), number::bytes(drawing.len() as u64));
        let line = format!("wrote `{}` ({screens} screens, {bytes})\n", file.display());
        Ok(if files::is_output(file) { String::new() } else { line })
    };
    Some(draw())
}

/// The screen with options and configuration applied. An error in the configuration names its file and line.
pub fn prepare(options: &ScreenOptions, config: &Config, colour: Colour) -> Result<App, String> {
    let mut state = ScreenState {
        look: Theme { ascii: options.ascii || config.ascii, ..theme(options, config, colour)? },
        mouse: !options.no_mouse && config.mouse.unwrap_or(true),
        keymap: panes::keymap().configured(config)?,
        ..ScreenState::default()
    };
    if let Some(path) = options.log.as_ref().or(config.log.as_ref()) {
        let opened = state.log.write_to(path);
        opened.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let mut app = App::new(state);
    if let Some(demo) = &options.demo {
        let script = demo.script.as_deref().map(files::read_text).transpose();
        app.state.demo = demo::steps(script.map_err(|fault| fault.to_string())?.as_deref());
        if let (true, Some(script)) = (app.state.demo.is_empty(), &demo.script) {
            let script = script.display();
            return Err(format!("`{script}` has no commands to show; `help start` has some"));
        }
    }
    Ok(app)
}

/// The theme in the options, else in the configuration, else the default one. Errors: an unknown theme, by name.
pub(crate) fn theme(
    options: &ScreenOptions,
    config: &Config,
    colour: Colour,
) -> Result<Theme, String> {
    let named = |name: &str| {
        Theme::named(name, colour).ok_or_else(|| {
            let hint = suggest::did_you_mean(name, Theme::names());
            let names: Vec<_> = Theme::names().collect();
            let hint = hint.unwrap_or_else(|| format!("the themes are {}", names.join(", ")));
            format!("no theme is called `{name}`; {hint}")
        })
    };
    match (&options.theme, &config.theme) {
        (Some(name), _) => named(name),
        (None, Some(name)) => named(name).map_err(|what| config.fault("theme", name, &what)),
        (None, None) => Ok(Theme::usual(colour)),
    }
}

fn open(terminal: &Arc<Terminal>, mut driver: Driver) -> io::Result<u8> {
    terminal.restore_on_panic();
    let (sender, messages) = mpsc::channel();
    let watch = SignalWatch { terminal: Arc::clone(terminal), messages: sender.clone() };
    driver.interrupt.handle_signals(watch);
    let (columns, rows) = terminal.size();
    driver.app.event(&Event::Resize(columns, rows));
    let changed = sender.clone();
    let emulator = Arc::clone(&driver.app.state.emulator);
    let (pty, slave) = Pty::open(emulator, driver.app.editor_size(), move || {
        let _ = changed.send(Message::Output);
    })?;
    terminal::redirect(&slave)?;
    drop(slave);
    terminal.enter()?;
    ask_for_background(terminal, &mut driver.app)?;
    terminal.set_mouse(driver.app.state.mouse)?;
    let mut screen = EventLoop::new(Arc::clone(terminal), &driver, messages, sender.clone())?;
    screen.draw(&mut driver.app)?;
    let colour = driver.app.state.look.colour;
    let mut editor = Editor::start(pty, driver.shell.completions(), colour, sender.clone())?;
    read_terminal(sender)?;
    let keys = "F1 keys, `help` commands";
    editor.print(&format!("{}: {keys}", script::PROGRAM));
    driver.app.state.log.add(LogLine::Note, script::PROGRAM);
    let ended = panic::catch_unwind(AssertUnwindSafe(|| screen.run(&mut driver, &mut editor)));
    let status = ended.unwrap_or(Ok(PANICKED));
    if !matches!(status, Ok(0)) {
        terminal.restore();
        rescue(&mut driver);
    }
    status
}

/// After a panic, a signal or the loss of the terminal, saves unsaved changes to a new file in the current directory, and prints
/// its name.
fn rescue(driver: &mut Driver) {
    if !driver.app.state.unsaved {
        return;
    }
    let file = files::unused_name("plyscope-rescued-", "ply");
    driver.shell.abandon();
    let save = || driver.shell.run_line(&format!("session save {file}"));
    let saved = panic::catch_unwind(AssertUnwindSafe(save));
    let is_saved = saved.is_ok_and(|outcomes| outcomes.iter().all(Result::is_ok));
    // A terminal that is gone takes no text.
    let _ = if is_saved {
        writeln!(io::stderr(), "the session was saved first: `plyscope {file}` continues it")
    } else {
        writeln!(io::stderr(), "the session could not be saved to {file}")
    };
}

/// Asks the terminal for its background and fits the default theme to the reply. Keys typed meanwhile are handled afterwards.
fn ask_for_background(terminal: &Terminal, app: &mut App) -> io::Result<()> {
    if !app.state.look.depends_on_background() {
        return Ok(());
    }
    terminal.write(background::QUESTION)?;
    let replies = background::read(terminal.input());
    let variable = || background::of_variable(&std::env::var("COLORFGBG").ok()?);
    let found = replies.background.or_else(variable);
    app.state.look.fit(found.unwrap_or(Background::Unknown));
    for event in &replies.typed {
        app.event(event);
    }
    Ok(())
}

struct SignalWatch {
    terminal: Arc<Terminal>,
    messages: mpsc::Sender<Message>,
}

impl Front for SignalWatch {
    const MORE: &'static [i32] = &[SIGTSTP, SIGCONT];

    fn leave(&self) {
        self.terminal.restore();
    }

    fn ends_on(&self, reason: NothingToStop) -> bool {
        reason == NothingToStop::Idle
    }

    fn saves(&self, signal: i32) -> bool {
        self.messages.send(Message::End(signal)).is_ok()
    }

    fn take(&self, signal: i32) {
        let message = if signal == SIGTSTP { Message::Suspend } else { Message::Continued };
        let _ = self.messages.send(message);
    }
}

/// Forwards terminal events from a separate thread, because reading them blocks.
fn read_terminal(messages: mpsc::Sender<Message>) -> io::Result<()> {
    let mut late = LateReplies::default();
    let body = move || {
        loop {
            let message = event::read().map_or(Message::TerminalGone, Message::Terminal);
            if matches!(&message, Message::Terminal(event) if late.takes(event)) {
                continue;
            }
            let gone = matches!(message, Message::TerminalGone);
            if messages.send(message).is_err() || gone {
                return;
            }
        }
    };
    thread::Builder::new().spawn(|| run_or_exit(body)).map(drop)
}
