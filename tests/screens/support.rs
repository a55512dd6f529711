//! A board with keys and clicks, and the engine behind it.

#![allow(dead_code)]

use crossterm::event::KeyCode;
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer, layout::Rect};

use plyscope::{
    command::Shell,
    engine::session::position::BoardReport,
    tui::{
        board::{BoardAction, BoardClick, BoardInput, BoardWidget},
        look::{Theme, fold},
    },
    view::Colour,
};

pub struct Player {
    pub shell: Shell,
    pub input: BoardInput,
    /// The command lines entered by keys.
    pub commands: Vec<String>,
}

impl Player {
    pub fn at(state: &str) -> Self {
        let mut player =
            Self { shell: Shell::default(), input: BoardInput::default(), commands: Vec::new() };
        player.run(&format!("position set {state}"));
        player
    }

    pub fn run(&mut self, line: &str) {
        for outcome in self.shell.run_line(line) {
            outcome.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault));
        }
    }

    pub fn board(&mut self) -> BoardReport {
        self.shell.look_up_as("position board").unwrap()
    }

    /// Presses one key on the board and runs its command; false if the engine refuses the command.
    pub fn press(&mut self, key: KeyCode) -> bool {
        let board = self.board();
        let action = self.input.key(&board, key);
        self.perform(action)
    }

    /// Clicks on a point and runs its command.
    pub fn click(&mut self, point: usize) -> bool {
        let board = self.board();
        let action = self.input.click(&board, BoardClick::Point(point));
        self.perform(action)
    }

    fn perform(&mut self, action: BoardAction) -> bool {
        let BoardAction::Command(line) = action else {
            return true;
        };
        let fine = self.shell.run_line(&line).iter().all(Result::is_ok);
        self.commands.push(line);
        let board = self.board();
        self.input.settle(&board);
        fine
    }

    /// Types characters; `↵` is Enter, `⎋` Esc, `⌫` Backspace and arrows are arrows.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        for sign in keys.chars() {
            self.press(match sign {
                '↵' => KeyCode::Enter,
                '⎋' => KeyCode::Esc,
                '⌫' => KeyCode::Backspace,
                '←' => KeyCode::Left,
                '→' => KeyCode::Right,
                '↑' => KeyCode::Up,
                '↓' => KeyCode::Down,
                sign => KeyCode::Char(sign),
            });
        }
        self
    }

    pub fn words(&mut self) -> String {
        let board = self.board();
        self.input.words(&board)
    }

    pub fn cursor(&mut self) -> String {
        let board = self.board();
        let scene = self.input.scene(&board);
        scene.cursor.map_or_else(String::new, |at| board.board.points[at].name.clone())
    }

    fn widget<'a>(&'a self, report: &'a BoardReport, look: &'a Theme) -> BoardWidget<'a> {
        BoardWidget {
            reviewed: None,
            report,
            input: Some(&self.input),
            flipped: self.input.flipped,
            last: None,
            found: None,
            best: None,
            refutation: None,
            hinted: false,
            look,
            framed: false,
            material: true,
        }
    }

    pub fn draw(&mut self, width: u16, height: u16, ascii: bool, colour: Colour) -> Buffer {
        let board = self.board();
        let look = Theme { ascii, ..Theme::named("dark", colour).unwrap() };
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let widget = self.widget(&board, &look);
        terminal.draw(|frame| frame.render_widget(widget, frame.area())).unwrap();
        let mut buffer = terminal.backend().buffer().clone();
        if ascii {
            fold(&mut buffer);
        }
        buffer
    }

    /// The board as text.
    pub fn screen(&mut self, width: u16, height: u16, ascii: bool) -> String {
        let buffer = self.draw(width, height, ascii, Colour::Off);
        let words = self.words();
        let text = plyscope::picture::screen_text(&buffer);
        format!("{words}\n{text}")
    }

    /// The effect of a click on a cell.
    pub fn hit(&mut self, area: Rect, column: u16, row: u16) -> Option<BoardClick> {
        let board = self.board();
        let look = Theme::usual(Colour::On);
        self.widget(&board, &look).hit(area, column, row)
    }
}
