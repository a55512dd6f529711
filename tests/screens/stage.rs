//! The screen without a terminal: keys in, characters out.

use crossterm::event::{Event, KeyEvent};
use plyscope::{
    command::Shell,
    tui::{
        app::{App, Effect},
        draw,
        driver::{By, Driver},
        keys::Key,
        look::Look,
        theme::{Colours, Theme},
    },
};
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer};

/// The program's insides with a screen of memory.
pub struct Stage {
    pub driver: Driver,
    /// Effects that only a terminal or a line editor can have.
    pub effects: Vec<Effect>,
}

impl Stage {
    pub fn new(columns: u16, rows: u16) -> Self {
        Self::with(App::default(), columns, rows)
    }

    pub fn with(mut app: App, columns: u16, rows: u16) -> Self {
        app.size = (columns, rows);
        let mut driver = Driver::new(Shell::default(), app);
        driver.settle();
        Self {
            driver,
            effects: Vec::new(),
        }
    }

    /// Types lines in the command pane.
    pub fn lines(&mut self, lines: &[&str]) -> &mut Self {
        for line in lines {
            self.driver.submit(line, By::Typing);
            self.driver.settle();
        }
        self.freeze();
        self
    }

    /// Presses keys by their names in the key map, separated by blanks.
    pub fn keys(&mut self, names: &str) -> &mut Self {
        for name in names.split(' ') {
            let key: Key = name.parse().unwrap();
            self.event(&Event::Key(KeyEvent::from(key)));
        }
        self
    }

    pub fn event(&mut self, event: &Event) {
        self.driver.app.event(event);
        let effects = self.driver.effects();
        self.effects.extend(effects);
        self.driver.settle();
        // An effect may want what a command has changed.
        let effects = self.driver.effects();
        self.effects.extend(effects);
        self.freeze();
    }

    /// Searches take as long as they take: pictures show this.
    fn freeze(&mut self) {
        if let Some(run) = &mut self.driver.app.data.run {
            run.ms = Some(12.5);
        }
    }

    pub fn app(&self) -> &App {
        &self.driver.app
    }

    /// What is drawn.
    pub fn buffer(&self) -> Buffer {
        let (columns, rows) = self.driver.app.size;
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let mut command = vt100::Parser::default();
        command.process(b"morris> step 3\x1b[2m  a hint\x1b[0m\r\n");
        let screen = command.screen();
        terminal
            .draw(|frame| draw::draw(frame, &self.driver.app, Some(screen)))
            .unwrap();
        terminal.backend().buffer().clone()
    }

    /// What is drawn, as text.
    pub fn text(&self) -> String {
        let buffer = self.buffer();
        let width = buffer.area.width as usize;
        let row = |cells: &[ratatui::buffer::Cell]| {
            let row: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
            row.trim_end().to_owned()
        };
        let rows: Vec<_> = buffer.content.chunks(width).map(row).collect();
        rows.join("\n")
    }
}

/// A screen of bytes below 0x80 only.
pub fn ascii() -> App {
    App {
        look: Look {
            ascii: true,
            ..Look::default()
        },
        ..App::default()
    }
}

/// A screen without colour.
pub fn plain() -> App {
    let colours = Colours::None;
    App {
        look: Look {
            ascii: false,
            colours,
            theme: Theme::named("default", colours).unwrap(),
        },
        ..App::default()
    }
}
