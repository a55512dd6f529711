//! The event loop: handles messages, draws frames, and runs the search in between.

use std::{
    io::{self, BufWriter, Write},
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use crossterm::{Command, clipboard::CopyToClipboard, event::Event};
use ratatui::{TerminalOptions, Viewport, backend::CrosstermBackend, layout::Rect};

use super::{
    app::App,
    draw,
    driver::{Driver, SLICE, Step},
    editor::{Editor, Message},
    film::Film,
    keys, log,
    sheet::fitted_lines,
    state::{By, Effect},
    terminal::{self, Terminal},
};
use crate::{
    command::Shell,
    engine::progress::Live,
    interrupt::Interrupt,
    view::{Colour, FewColours},
};

const FRAME: Duration = Duration::from_millis(8);
/// The interval between frames while a search runs. Numbers that change faster cannot be read.
const PROGRESS: Duration = Duration::from_millis(60);
/// The interval between look-ups of the lines that an engine in the background finds.
const ANALYSIS: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_millis(100);
/// The least time between two moves of an engine that plays both sides: faster games cannot be followed.
const PACE: Duration = Duration::from_millis(700);

pub(super) struct EventLoop {
    terminal: Arc<Terminal>,
    drawing: ratatui::Terminal<CrosstermBackend<BufWriter<Box<dyn Write>>>>,
    interrupt: Interrupt,
    messages: Receiver<Message>,
    sender: Sender<Message>,
    drawn: Option<Instant>,
    /// When the engine last moved in a game in which it plays both sides.
    moved: Option<Instant>,
    film: Film,
    /// Whether the screen is out of date; `urgent`: whether the user waits for the change.
    dirty: bool,
    urgent: bool,
    leaving: Option<u8>,
}

impl EventLoop {
    pub(super) fn new(
        terminal: Arc<Terminal>,
        driver: &Driver,
        messages: Receiver<Message>,
        sender: Sender<Message>,
    ) -> io::Result<Self> {
        let (columns, rows) = driver.app.state.size;
        let drawing: Box<dyn Write> = match driver.app.state.look.colour {
            Colour::Eight | Colour::Sixteen => Box::new(FewColours::new(terminal.drawing())),
            Colour::On | Colour::Palette | Colour::Off => Box::new(terminal.drawing()),
        };
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, drawing));
        let viewport = Viewport::Fixed(Rect::new(0, 0, columns, rows));
        Ok(Self {
            drawing: ratatui::Terminal::with_options(backend, TerminalOptions { viewport })?,
            terminal,
            interrupt: driver.interrupt.clone(),
            messages,
            sender,
            drawn: None,
            moved: None,
            film: Film::default(),
            dirty: true,
            urgent: true,
            leaving: None,
        })
    }

    pub(super) fn run(&mut self, driver: &mut Driver, editor: &mut Editor) -> io::Result<u8> {
        loop {
            self.perform(&mut driver.app, editor)?;
            let step = driver.step();
            if step != Step::Search && driver.app.is_stale() {
                self.look_up(driver, editor)?;
                // A statement that waits is run between the parts of a slow look-up.
                if step == Step::Idle && !driver.app.state.queue.is_empty() {
                    continue;
                }
            }
            if let Some(status) = self.leaving {
                return Ok(status);
            }
            show(driver, editor, step);
            self.draw_when_due(&mut driver.app)?;
            match step {
                Step::Statement => self.statement(driver, editor)?,
                Step::Search => {
                    driver.search(SLICE);
                    self.dirty = true;
                    self.urgent |= !driver.app.state.searching;
                }
                Step::Idle => {
                    // Slow look-ups are split into parts, each of which ends after a few milliseconds.
                    let is_stale = driver.app.is_stale();
                    let is_followed = driver.app.state.is_followed();
                    let due = if is_stale { Duration::ZERO } else { self.until_due() };
                    let longest = if is_followed { due.min(ANALYSIS) } else { due };
                    if let Some(message) = self.wait(longest) {
                        self.take(message, &mut driver.app, editor)?;
                    } else if is_followed && driver.look_at_analyst() {
                        self.dirty = true;
                    }
                }
            }
            while let Ok(message) = self.messages.try_recv() {
                self.take(message, &mut driver.app, editor)?;
            }
        }
    }

    /// Waits until the previous move has been on the board long enough. Keys are handled meanwhile.
    fn keep_pace(&mut self, app: &mut App, editor: &mut Editor) -> io::Result<()> {
        let due = self.moved.map_or_else(Instant::now, |moved| moved + PACE);
        while self.leaving.is_none() && !self.interrupt.stop_requested() {
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            self.draw_when_due(app)?;
            if let Some(message) = self.wait(left.min(PROGRESS)) {
                self.take(message, app, editor)?;
                self.perform(app, editor)?;
            }
        }
        self.moved = Some(Instant::now());
        Ok(())
    }

    fn statement(&mut self, driver: &mut Driver, editor: &mut Editor) -> io::Result<()> {
        if driver.plays_itself() {
            self.keep_pace(&mut driver.app, editor)?;
        }
        let draws_screen = driver.draws_screen();
        if draws_screen {
            // A picture shows the result of the previous statement, without a running command.
            let busy = driver.app.state.busy.take();
            self.draw(&mut driver.app)?;
            driver.app.state.busy = busy;
        }
        driver.shell.screens =
            if draws_screen { self.film.shots(Instant::now()) } else { Vec::new() };
        let (outcome, completions) =
            self.work(&mut driver.shell, &mut driver.app, editor, |shell| {
                let outcome = shell.advance();
                (outcome, shell.completions())
            })?;
        editor.set_completions(completions);
        driver.ran(outcome.as_ref());
        self.changed();
        Ok(())
    }

    fn look_up(&mut self, driver: &mut Driver, editor: &mut Editor) -> io::Result<()> {
        let (wants, state) = (driver.app.wants(), &driver.app.state);
        let (all, shown, mut data) = (state.stale, state.shown.clone(), state.data.clone());
        driver.app.state.data = self.work(&mut driver.shell, &mut driver.app, editor, |shell| {
            data.refresh(shell, &wants, &shown, all);
            data
        })?;
        driver.looked_up(all);
        // While a trace is read, its progress is drawn no more often than that of a search.
        let is_reading = driver.app.state.trace().is_some_and(|trace| !trace.done);
        self.dirty = true;
        self.urgent |= all || !is_reading;
        Ok(())
    }

    /// Lends the shell to a worker thread and handles keys in the meantime.
    fn work<T: Send>(
        &mut self,
        shell: &mut Shell,
        app: &mut App,
        editor: &mut Editor,
        job: impl FnOnce(&mut Shell) -> T + Send,
    ) -> io::Result<T> {
        let progress = shell.engine.progress();
        progress.update_live(|games| *games = Live::default());
        let done = self.sender.clone();
        let began = Instant::now();
        thread::scope(|scope| {
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                let result = panic::catch_unwind(AssertUnwindSafe(|| job(shell)));
                let _ = done.send(Message::Done);
                result
            })?;
            loop {
                let message = self.wait(PATIENCE);
                if matches!(message, Some(Message::Done)) {
                    break;
                }
                if let Some(message) = message {
                    self.take(message, app, editor)?;
                }
                self.perform(app, editor)?;
                if began.elapsed() >= PATIENCE {
                    app.show_progress(&progress.live());
                    if let Some(busy) = &mut app.state.busy {
                        busy.seconds = Some(began.elapsed().as_secs());
                        busy.operation = progress.operation();
                    }
                    self.dirty = true;
                    self.draw_when_due(app)?;
                }
                if self.leaving.is_some() {
                    let _ = self.interrupt.request_stop();
                }
            }
            let result = worker.join().and_then(|result| result);
            Ok(result.unwrap_or_else(|panic| panic::resume_unwind(panic)))
        })
    }

    fn wait(&self, longest: Duration) -> Option<Message> {
        match self.messages.recv_timeout(longest) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Message::TerminalGone),
        }
    }

    fn take(&mut self, message: Message, app: &mut App, editor: &mut Editor) -> io::Result<()> {
        match message {
            Message::Terminal(event) => {
                #[cfg(debug_assertions)]
                panic_on_demand(&event);
                let size = app.state.size;
                app.event(&event);
                let (columns, rows) = app.state.size;
                if app.state.size != size {
                    self.drawing.resize(Rect::new(0, 0, columns, rows))?;
                } else if matches!(event, Event::Resize(..)) {
                    return Ok(());
                }
                fit(app, editor)?;
                // The editor's echo of the key follows; a frame drawn before would only delay it.
                if matches!(app.state.effects.as_slice(), [Effect::Key(_)]) {
                    return Ok(());
                }
            }
            Message::Offers(offers) => {
                let first = std::mem::take(&mut app.state.offers_first).then_some(0);
                if offers.list.is_empty() {
                    app.state.say("nothing completes this word");
                } else {
                    app.state.offers = Some((offers, first));
                }
            }
            Message::Line(line) => {
                editor.returned(String::new());
                app.state.submit(line, By::Typing);
            }
            Message::Cancelled(text) => {
                editor.returned(text);
                app.state.submit(String::new(), By::Typing);
            }
            Message::EndOfInput => {
                editor.returned(String::new());
                app.leave();
            }
            Message::EditorFailed(error) => {
                app.state.log.add(log::LogLine::Failure, format!("the command line: {error}"));
                app.state.blame(format!("the line editor failed: {error}"));
            }
            Message::Suspend => self.terminal.suspend()?,
            Message::Continued => {
                self.terminal.enter()?;
                self.resume()?;
            }
            Message::TerminalGone => self.leaving = Some(1),
            Message::End(signal) => self.leaving = u8::try_from(128 + signal).ok(),
            Message::Output => editor.pty.notify_again()?,
            Message::Done => {}
        }
        self.changed();
        Ok(())
    }

    fn perform(&mut self, app: &mut App, editor: &mut Editor) -> io::Result<()> {
        for effect in std::mem::take(&mut app.state.effects) {
            self.effect(effect, app, editor)?;
        }
        fit(app, editor)
    }

    fn effect(&mut self, effect: Effect, app: &mut App, editor: &mut Editor) -> io::Result<()> {
        match effect {
            Effect::Key(key) => {
                app.state.emulator().scroll(0);
                editor.send(keys::bytes(key));
                return Ok(());
            }
            Effect::Paste(text) => editor.send(format!("\x1b[200~{text}\x1b[201~")),
            Effect::Type(text) => editor.send(format!("\x01\x0b{text}")),
            Effect::Insert(letters, text) => {
                editor.send(format!("{}{text}", "\x7f".repeat(letters)));
            }
            Effect::Interrupt => drop(self.interrupt.request_stop()),
            Effect::Suspend => {
                if !terminal::stop_job()? {
                    app.state.say("there is no shell to go to");
                }
            }
            Effect::Copy(text) => {
                let mut bytes = String::new();
                let copied = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut bytes);
                copied.map_err(io::Error::other)?;
                self.terminal.write(&bytes)?;
            }
            Effect::Mouse(on) => self.terminal.set_mouse(on)?,
            Effect::Redraw => self.resume()?,
            Effect::Leave => self.leaving = Some(0),
        }
        self.changed();
        Ok(())
    }

    /// Redraws everything after a suspension, in which the terminal's size may have changed.
    fn resume(&mut self) -> io::Result<()> {
        let (columns, rows) = self.terminal.size();
        let _ = self.sender.send(Message::Terminal(Event::Resize(columns, rows)));
        let area = self.drawing.get_frame().area();
        self.drawing.resize(area)
    }

    fn changed(&mut self) {
        self.dirty = true;
        self.urgent = true;
    }

    fn until_due(&self) -> Duration {
        if !self.dirty {
            return Duration::MAX;
        }
        let gap = if self.urgent { FRAME } else { PROGRESS };
        self.drawn.map_or(Duration::ZERO, |drawn| gap.saturating_sub(drawn.elapsed()))
    }

    fn draw_when_due(&mut self, app: &mut App) -> io::Result<()> {
        if self.until_due().is_zero() {
            self.draw(app)?;
        }
        Ok(())
    }

    pub(super) fn draw(&mut self, app: &mut App) -> io::Result<()> {
        (self.dirty, self.urgent) = (false, false);
        let drawn = self.drawing.draw(|frame| draw::draw(frame, app))?;
        app.screen.clone_from(drawn.buffer);
        let now = Instant::now();
        self.film.add(&app.screen, now);
        self.drawn = Some(now);
        Ok(())
    }
}

fn fit(app: &App, editor: &mut Editor) -> io::Result<()> {
    if app.state.areas().of(app.command()).is_some() {
        let (columns, rows) = app.editor_size();
        editor.pty.resize(columns, rows)?;
    }
    Ok(())
}

fn show(driver: &mut Driver, editor: &mut Editor, step: Step) {
    driver.shell.set_style();
    let columns = usize::from(driver.app.editor_size().0);
    for text in driver.take_printed() {
        editor.print(&fitted_lines(&text, columns).join("\n"));
    }
    if step != Step::Statement {
        editor.prompt(&crate::repl::prompt(&driver.shell));
    }
}

/// Panics at F9 if `PLYSCOPE_PANIC` is set, so that tests can check that a panic restores the terminal.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "this is what it is for")]
fn panic_on_demand(event: &Event) {
    use crossterm::event::KeyCode;
    let is_key = |key: &crossterm::event::KeyEvent| key.code == KeyCode::F(9);
    if event.as_key_press_event().as_ref().is_some_and(is_key)
        && std::env::var_os("PLYSCOPE_PANIC").is_some()
    {
        panic!("asked for by F9");
    }
}
