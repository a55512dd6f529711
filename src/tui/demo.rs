//! The demo: a script whose paragraphs are shown and run one by one, or drawn as an animated SVG.

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::{Terminal, backend::TestBackend};

use crate::{
    command::{Fault, Shell},
    engine::session::search::Run,
    picture::Shot,
    tui::{
        app::App,
        data::Query,
        draw,
        driver::Driver,
        keys::KeyPress,
        log::LogLine,
        state::{By, DemoLine, DemoStep, Job, Overlay},
    },
};

const SCRIPT: &str = include_str!("../../sessions/demo.ply");

/// The steps of a script, or of the built-in demo; each paragraph is a step. If the first paragraph has no commands, it
/// describes the file and is skipped.
pub fn steps(script: Option<&str>) -> Vec<DemoStep> {
    let paragraphs = script.unwrap_or(SCRIPT).split("\n\n").map(|paragraph| {
        let mut step = DemoStep::default();
        for line in paragraph.lines().filter(|line| !line.is_empty()) {
            if let Some(pane) = line.strip_prefix("#: ") {
                step.pane = Some(pane.to_owned());
            } else if let Some(keys) = line.strip_prefix("#! ") {
                step.lines.push(DemoLine::Keys(keys.to_owned()));
            } else if let Some(words) = line.strip_prefix('#') {
                step.words.push(words.trim_start().to_owned());
            } else {
                step.lines.push(DemoLine::Command(line.to_owned()));
            }
        }
        step
    });
    let mut steps: Vec<_> = paragraphs.filter(|step| *step != DemoStep::default()).collect();
    if steps.first().is_some_and(|step| step.lines.is_empty()) {
        steps.remove(0);
    }
    steps
}

impl App {
    pub(super) fn begin_demo(&mut self) {
        self.state.demo = steps(None);
        self.show_demo(0);
    }

    /// Shows a step of the demo and runs its commands. After the last step, ends the demo.
    pub fn show_demo(&mut self, at: usize) {
        let Some(step) = self.state.demo.get(at).cloned() else {
            self.state.sheet = None;
            return self.end_demo();
        };
        self.show_pane_of(&step);
        for line in &step.lines {
            self.submit_line(line, By::Key);
        }
        self.state.overlay = Some(Overlay::Demo(at, true));
        if self.state.queue.is_empty() {
            self.continue_demo();
        }
    }

    /// Shows the next page while the demo goes back, which it does from its beginning.
    pub(super) fn continue_demo(&mut self) {
        if let Some(Overlay::Demo(at, true)) = self.state.overlay
            && at < self.page_wanted
        {
            self.show_demo(at + 1);
        }
    }

    pub(super) fn submit_line(&mut self, line: &DemoLine, by: By) {
        match line {
            DemoLine::Keys(keys) => self.state.submit(keys, By::Demo),
            DemoLine::Command(line) => self.state.submit(line, by),
        }
    }

    /// Presses keys, given by their names, as if nothing were in front of the panes. No names: the demo has ended.
    pub(super) fn press(&mut self, names: &str) {
        self.state.unsaved &= !names.is_empty();
        let overlay = self.state.overlay.take();
        for name in names.split_whitespace() {
            match name.parse::<KeyPress>() {
                Ok(key) => self.event(&Event::Key(key.into())),
                Err(what) => self.state.blame(what),
            }
        }
        self.state.overlay = overlay.or(self.state.overlay.take());
    }

    pub(super) fn show_pane_of(&mut self, step: &DemoStep) {
        self.state.sheet = None;
        let pane = self.panes.iter().map(|pane| pane.name);
        if let Some(pane) = pane.into_iter().find(|name| Some(*name) == step.pane.as_deref()) {
            self.focus(pane);
        }
    }

    pub(super) fn demo_key(&mut self, at: usize, event: KeyEvent) {
        self.state.overlay = Some(Overlay::Demo(at, true));
        let is_last = at + 1 >= self.state.demo.len();
        match event.code {
            // Otherwise the key would end the demo and choose a point on the board.
            KeyCode::Char(' ') | KeyCode::Right if is_last => {}
            KeyCode::Char(' ') | KeyCode::Right | KeyCode::Enter if !is_last => {
                self.show_demo(at + 1);
            }
            KeyCode::Backspace | KeyCode::Left if at > 0 => {
                self.page_wanted = at - 1;
                self.show_demo(0);
            }
            // The keys of an open sheet.
            KeyCode::Esc | KeyCode::PageUp | KeyCode::PageDown if self.sheet_key(event) => {}
            KeyCode::Esc | KeyCode::Char('q') => self.end_demo(),
            _ if is_last => {
                self.end_demo();
                self.key(event);
            }
            _ => self.state.say("Space goes on; other keys work once q has left the demo"),
        }
    }

    fn end_demo(&mut self) {
        let state = &mut self.state;
        (state.overlay, state.unsaved) = (None, false);
        state.queue.clear();
        // A job without keys runs after the commands that still run: then their changes need no saving either.
        state.queue.push_back(Job { line: String::new(), by: By::Demo });
        state.say(format!("the demo is over; {} starts a new game", state.key("new")));
    }
}

/// The seconds for which a screen is shown before the next command; `WORD`: the seconds for reading a word.
const GLANCE: f64 = 0.8;
const WORD: f64 = 0.25;

/// Plays the demo of an app and returns its screens. Errors: a command that fails.
pub fn film(app: App, shell: Shell) -> Result<Vec<Shot>, Fault> {
    let steps = app.state.demo.clone();
    let mut film = Film { driver: Driver::new(shell, app), shots: Vec::new() };
    film.driver.settle();
    for (at, step) in steps.iter().enumerate() {
        film.play(at, step)?;
    }
    Ok(film.shots)
}

struct Film {
    driver: Driver,
    shots: Vec<Shot>,
}

impl Film {
    /// Shows the words of a step in front of the panes, as the demo does. If a step has no words, its commands are typed.
    fn play(&mut self, at: usize, step: &DemoStep) -> Result<(), Fault> {
        let is_typed = step.words.is_empty();
        let app = &mut self.driver.app;
        app.show_pane_of(step);
        app.state.overlay = (!is_typed).then_some(Overlay::Demo(at, false));
        for line in &step.lines {
            match line {
                DemoLine::Command(command) if is_typed => {
                    // The command pane is opened, so that command and reply are visible.
                    let app = &mut self.driver.app;
                    app.focus(app.command());
                    self.write(&format!("{}{command}", crate::repl::prompt(&self.driver.shell)));
                    self.shoot(GLANCE);
                    self.run(line, By::Typing)?;
                    let answers = self.driver.take_printed().join("\n");
                    self.write(&format!("\n{answers}\n"));
                }
                _ => {
                    self.close_command();
                    self.run(line, By::Key)?;
                }
            }
            self.shoot(GLANCE);
        }
        // The pane is closed only after the last command; otherwise the board would grow and shrink between commands.
        self.close_command();
        if step.lines.is_empty() {
            self.shoot(GLANCE);
        }
        let words = step.words.iter().flat_map(|line| line.split_whitespace()).count();
        if let Some(last) = self.shots.last_mut() {
            last.seconds += (words as f64).mul_add(WORD, GLANCE);
        }
        Ok(())
    }

    fn close_command(&mut self) {
        let app = &mut self.driver.app;
        if app.state.focus == app.command() {
            app.focus(app.state.came_from);
        }
    }

    fn run(&mut self, line: &DemoLine, by: By) -> Result<(), Fault> {
        self.driver.app.submit_line(line, by);
        self.driver.settle();
        let state = &mut self.driver.app.state;
        let said = state.status.take();
        let mut lines = state.log.lines().iter().chain(&said);
        if let Some(failed) = lines.find(|line| line.0 == LogLine::Failure) {
            let (DemoLine::Command(line) | DemoLine::Keys(line)) = line;
            return Err(Fault::new(format!("`{line}`: {}", failed.1)));
        }
        // The time of a search is left out, because it differs from run to run.
        if let Some(run) = state.data.get::<Run>().cloned() {
            state.data.put(Query::SearchResult, Run { ms: None, ..run });
        }
        state.curves.clear();
        Ok(())
    }

    fn write(&self, text: &str) {
        let (columns, rows) = self.driver.app.editor_size();
        let mut emulator = self.driver.app.state.emulator();
        emulator.resize(columns, rows);
        emulator.process(text.replace('\n', "\r\n").as_bytes());
    }

    fn shoot(&mut self, seconds: f64) {
        let app = &self.driver.app;
        let (columns, rows) = app.state.size;
        // Drawing into memory cannot fail.
        let Ok(mut terminal) = Terminal::new(TestBackend::new(columns, rows));
        let Ok(drawn) = terminal.draw(|frame| draw::draw(frame, app));
        self.shots.push(Shot { screen: drawn.buffer.clone(), seconds });
    }
}
