//! A tour of the program: a script whose paragraphs are shown and run one after the other, or drawn as a picture that moves.

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
        events::editor_size,
        keys::KeyPress,
        log::LogLine,
        state::{By, DemoLine, DemoStep, Job, Overlay},
    },
};

pub use crate::tui::overlay::DEMO_KEYS;

/// What is shown where no other script is named.
const SCRIPT: &str = include_str!("../../sessions/demo.ply");

/// The paragraphs of a script, or of the program's own. A first one without commands is about the file.
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
    /// Shows a step of the demo and runs its commands; ends the demo behind the last one.
    pub fn show_demo(&mut self, at: usize) {
        let Some(step) = self.demo.get(at).cloned() else {
            self.state.sheet = None;
            return self.end_demo();
        };
        self.set_scene(&step);
        for line in &step.lines {
            self.submit_scene(line, By::Key);
        }
        self.state.overlay = Some(Overlay::Demo(at, true));
    }

    /// Has a line of a demo run.
    pub(super) fn submit_scene(&mut self, line: &DemoLine, by: By) {
        match line {
            DemoLine::Keys(keys) => self.state.submit(keys, By::Demo),
            DemoLine::Command(line) => self.state.submit(line, by),
        }
    }

    /// Presses keys by their names as if nothing were in front of the panes; without any, all was done by the demo.
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

    /// Shows the pane that a step is about.
    pub(super) fn set_scene(&mut self, step: &DemoStep) {
        self.state.sheet = None;
        let pane = self.panes.iter().map(|pane| pane.name);
        if let Some(pane) = pane.into_iter().find(|name| Some(*name) == step.pane.as_deref()) {
            self.seek(pane);
        }
    }

    pub(super) fn demo_key(&mut self, at: usize, event: KeyEvent) {
        self.state.overlay = Some(Overlay::Demo(at, true));
        match event.code {
            KeyCode::Char(' ') | KeyCode::Enter => self.show_demo(at + 1),
            // A sheet first.
            KeyCode::Esc | KeyCode::PageUp | KeyCode::PageDown if self.sheet_key(event) => {}
            KeyCode::Esc | KeyCode::Char('q') => self.end_demo(),
            _ => self.state.say(DEMO_KEYS.trim()),
        }
    }

    fn end_demo(&mut self) {
        let state = &mut self.state;
        (state.overlay, state.unsaved) = (None, false);
        state.queue.clear();
        // Behind what is still running, which need not be saved either.
        state.queue.push_back(Job { line: String::new(), by: By::Demo });
        state.say(format!("the demo is over; {} begins a game", state.key("new")));
    }
}

/// Seconds that a screen is seen before the next command is run, and that a word takes to be read.
const GLANCE: f64 = 0.8;
const WORD: f64 = 0.25;

/// Plays the app's demo, and returns what was seen.
/// Errors: a command that fails: there is nothing to be shown.
pub fn film(app: App, shell: Shell) -> Result<Vec<Shot>, Fault> {
    let steps = app.demo.clone();
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
    /// A step with words has them in front, as in the demo; without words its commands are typed.
    fn play(&mut self, at: usize, step: &DemoStep) -> Result<(), Fault> {
        let is_typed = step.words.is_empty();
        let app = &mut self.driver.app;
        app.set_scene(step);
        app.state.overlay = (!is_typed).then_some(Overlay::Demo(at, false));
        for line in &step.lines {
            match line {
                DemoLine::Command(command) if is_typed => {
                    self.write(&format!("{}{command}", crate::repl::prompt(&self.driver.shell)));
                    self.shoot(GLANCE);
                    self.run(line, By::Typing)?;
                    let answers = std::mem::take(&mut self.driver.printed).join("\n");
                    self.write(&format!("\n{answers}\n"));
                }
                _ => self.run(line, By::Key)?,
            }
            self.shoot(GLANCE);
        }
        if step.lines.is_empty() {
            self.shoot(GLANCE);
        }
        let words = step.words.iter().flat_map(|line| line.split_whitespace()).count();
        if let Some(last) = self.shots.last_mut() {
            last.seconds += (words as f64).mul_add(WORD, GLANCE);
        }
        Ok(())
    }

    fn run(&mut self, line: &DemoLine, by: By) -> Result<(), Fault> {
        self.driver.app.submit_scene(line, by);
        self.driver.settle();
        let state = &mut self.driver.app.state;
        let said = state.status.take();
        let mut lines = state.log.lines().iter().chain(&said);
        if let Some(failed) = lines.find(|line| line.0 == LogLine::Failure) {
            let (DemoLine::Command(line) | DemoLine::Keys(line)) = line;
            return Err(Fault::new(format!("`{line}`: {}", failed.1)));
        }
        // How long a search took is another thing each time.
        if let Some(run) = state.data.get::<Run>().cloned() {
            state.data.put(Query::SearchResult, Run { ms: None, ..run });
        }
        state.curves.clear();
        Ok(())
    }

    /// Writes to the command pane.
    fn write(&self, text: &str) {
        let (columns, rows) = editor_size(&self.driver.app);
        let mut emulator = self.driver.app.state.emulator();
        emulator.resize(columns, rows);
        emulator.process(text.replace('\n', "\r\n").as_bytes());
    }

    fn shoot(&mut self, seconds: f64) {
        let app = &self.driver.app;
        let (columns, rows) = app.state.size;
        // Memory refuses nothing.
        let Ok(mut terminal) = Terminal::new(TestBackend::new(columns, rows));
        let Ok(drawn) = terminal.draw(|frame| draw::draw(frame, app));
        self.shots.push(Shot { screen: drawn.buffer.clone(), seconds });
    }
}
