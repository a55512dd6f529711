//! The screen without a terminal: keys as input, text as output.

use crossterm::event::{Event, KeyEvent};
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer};

use plyscope::{
    command::Shell,
    engine::session::search::Run,
    picture::screen_text,
    tui::{
        app::App,
        data::Query,
        draw,
        driver::Driver,
        keys::KeyPress,
        look::Theme,
        state::{By, Effect, ScreenState},
    },
    view::Colour,
};

/// The full screen, drawn to memory.
pub struct Stage {
    pub driver: Driver,
    /// Effects for a terminal or a line editor.
    pub effects: Vec<Effect>,
}

impl Stage {
    pub fn new(columns: u16, rows: u16) -> Self {
        Self::with(App::usual(), columns, rows)
    }

    pub fn with(mut app: App, columns: u16, rows: u16) -> Self {
        app.state.size = (columns, rows);
        app.focus("command");
        let mut driver = Driver::new(Shell::default(), app);
        driver.settle();
        Self { driver, effects: Vec::new() }
    }

    /// Runs lines in the command pane.
    pub fn lines(&mut self, lines: &[&str]) -> &mut Self {
        for line in lines {
            self.driver.app.state.submit(*line, By::Typing);
            self.driver.settle();
        }
        self.freeze();
        self
    }

    /// Presses keys by their names in the key map, separated by spaces.
    pub fn keys(&mut self, names: &str) -> &mut Self {
        for name in names.split(' ') {
            let key: KeyPress = name.parse().unwrap();
            self.event(&Event::Key(KeyEvent::from(key)));
        }
        self
    }

    pub fn event(&mut self, event: &Event) {
        if matches!(event, Event::Mouse(_)) {
            // Lists know their rows by what was drawn.
            self.buffer();
        }
        self.driver.app.event(event);
        self.driver.settle();
        self.effects.append(&mut self.driver.app.state.effects);
        self.freeze();
    }

    /// Shows real times of searches, as pictures do.
    fn freeze(&mut self) {
        let data = &mut self.driver.app.state.data;
        if let Some(run) = data.get::<Run>().cloned() {
            data.put(Query::SearchResult, Run { ms: run.ms.map(|_| 12.5), ..run });
        }
        self.driver.app.state.curves.clear();
    }

    pub fn state(&self) -> &ScreenState {
        &self.driver.app.state
    }

    pub fn buffer(&self) -> Buffer {
        let app = &self.driver.app;
        let (columns, rows) = app.state.size;
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let prompt = plyscope::repl::prompt(&self.driver.shell);
        let echo = format!("\x1bc{prompt}step 3\x1b[2m  a hint\x1b[0m\r\n");
        app.state.emulator.lock().unwrap().process(echo.as_bytes());
        terminal.draw(|frame| draw::draw(frame, app)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        screen_text(&self.buffer()).trim_end_matches('\n').to_owned()
    }
}

pub fn with_theme(ascii: bool, colour: Colour) -> App {
    let mut app = App::usual();
    app.state.look = Theme { ascii, ..Theme::usual(colour) };
    app
}

/// A screen in ASCII.
pub fn ascii() -> App {
    with_theme(true, Colour::On)
}

pub fn plain() -> App {
    with_theme(false, Colour::Off)
}
