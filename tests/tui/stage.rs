//! The screen without a terminal: keys in, characters out.

use crossterm::event::{Event, KeyEvent};
use plyscope::{
    command::Shell,
    tui::{
        app::{App, Effect},
        draw,
        driver::{By, Driver},
        keys::Key,
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

    /// What is drawn, as text, with times and rates made out.
    pub fn text(&self) -> String {
        let buffer = self.buffer();
        let width = buffer.area.width as usize;
        let row = |cells: &[ratatui::buffer::Cell]| {
            let row: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
            mask(row.trim_end())
        };
        let rows: Vec<_> = buffer.content.chunks(width).map(row).collect();
        rows.join("\n")
    }
}

/// Times and rates differ from run to run; they are as wide as before.
fn mask(row: &str) -> String {
    let mut masked = row.to_owned();
    for unit in [
        " ms",
        " n/s",
        " k n/s",
        " M n/s",
        " nodes/s",
        " k nodes/s",
        " M nodes/s",
        " s ",
    ] {
        let Some(end) = masked.find(unit) else {
            continue;
        };
        let start = masked[..end]
            .rfind(|c: char| !c.is_ascii_digit() && c != '.')
            .map_or(0, |at| {
                at + masked[at..].chars().next().map_or(1, char::len_utf8)
            });
        masked.replace_range(start..end, &"#".repeat(end - start));
    }
    masked
}
