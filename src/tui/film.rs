//! A demo that is drawn and not shown: each command's screen for a while, as a picture that moves.

use ratatui::{Terminal, backend::TestBackend};

use super::{
    app::App,
    draw,
    driver::Driver,
    events::editor_size,
    log::LogLine,
    state::{By, DemoStep, Overlay},
};
use crate::{
    command::{Fault, Shell},
    engine::reply::Run,
    picture::Shot,
};

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
        for command in &step.commands {
            let is_typed = is_typed && !command.starts_with('#');
            if is_typed {
                self.write(&format!("{}{command}", crate::repl::prompt(&self.driver.shell)));
                self.shoot(GLANCE);
            }
            self.run(command, if is_typed { By::Typing } else { By::Key })?;
            let answers = std::mem::take(&mut self.driver.printed).join("\n");
            if is_typed {
                self.write(&format!("\n{answers}\n"));
            }
            self.shoot(GLANCE);
        }
        if step.commands.is_empty() {
            self.shoot(GLANCE);
        }
        let words = step.words.iter().flat_map(|line| line.split_whitespace()).count();
        if let Some(last) = self.shots.last_mut() {
            last.seconds += (words as f64).mul_add(WORD, GLANCE);
        }
        Ok(())
    }

    fn run(&mut self, command: &str, by: By) -> Result<(), Fault> {
        self.driver.app.submit_scene(command, by);
        self.driver.settle();
        let state = &mut self.driver.app.state;
        let said = state.status.take();
        let mut lines = state.log.lines().iter().chain(&said);
        if let Some(failed) = lines.find(|line| line.0 == LogLine::Failure) {
            return Err(Fault::new(format!("`{command}`: {}", failed.1)));
        }
        // How long a search took is another thing each time.
        if let Some(run) = state.data.get::<Run>().cloned() {
            state.data.put("search result", Run { ms: None, ..run });
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
