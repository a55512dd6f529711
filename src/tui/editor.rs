//! The line editor of the command pane: the editor of the plain prompt, which runs on a pseudo-terminal in a separate thread.

use std::{
    io::{self, Write as _},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use crossterm::event::Event;
use rustyline::{ExternalPrinter, error::ReadlineError, history::FileHistory};

use super::{pty::Pty, terminal::run_or_exit};
use crate::{
    command::Completions,
    repl::{
        self,
        helper::{Helper, Offers},
    },
    view::Colour,
};

type Prompt = (String, String);
type Printer = Box<dyn ExternalPrinter + Send>;

/// A message for the event loop.
#[derive(Debug)]
pub enum Message {
    Terminal(Event),
    /// The signal SIGTSTP has arrived: the process is to stop.
    Suspend,
    /// The signal SIGCONT has arrived: the process goes on.
    Continued,
    /// A signal with this number ends the process.
    End(i32),
    TerminalGone,
    Output,
    /// The completions of the line being typed.
    Offers(Offers),
    /// A line that was entered in the command pane.
    Line(String),
    /// The text of a line that was cancelled.
    Cancelled(String),
    /// Ctrl-D was pressed on an empty line.
    EndOfInput,
    EditorFailed(String),
    /// The worker thread has returned the shell.
    Done,
}

/// The line editor, seen from the event loop. Its output appears on the screen of a [`Pty`].
pub struct Editor {
    pub pty: Pty,
    prompts: Sender<Prompt>,
    printer: Printer,
    completions: Arc<Mutex<Completions>>,
    colour: Colour,
    /// The prompt before the line that is being read, or was read last.
    prompt: String,
    /// Whether the editor is reading a line: a prompt has been sent, and no line has come back.
    reading: bool,
    /// The keys typed since a line was cancelled for another prompt, until it comes back: the editor would lose them.
    held: Option<Vec<u8>>,
}

impl Editor {
    /// Starts the editor. Descriptors 0 and 1 must already refer to the slave of the pseudo-terminal.
    pub fn start(
        pty: Pty,
        completions: Completions,
        colour: Colour,
        lines: Sender<Message>,
    ) -> io::Result<Self> {
        let completions = Arc::new(Mutex::new(completions));
        let (prompts, receiver) = mpsc::channel();
        let offers = lines.clone();
        let helper = Helper::new(Arc::clone(&completions), colour).showing(move |found| {
            let _ = offers.send(Message::Offers(found));
        });
        let mut editor = repl::editor(helper).map_err(io::Error::other)?;
        let printer = editor.create_external_printer().map_err(io::Error::other)?;
        let printer: Printer = Box::new(printer);
        let body = move || edit(editor, &receiver, &lines);
        thread::Builder::new().spawn(|| run_or_exit(body))?;
        let prompt = String::new();
        Ok(Self { pty, prompts, printer, completions, colour, prompt, reading: false, held: None })
    }

    /// Asks for a line. A line that is being read keeps its prompt, so for another prompt it is cancelled and typed again.
    pub fn prompt(&mut self, text: &str) {
        let is_new = std::mem::replace(&mut self.prompt, text.to_owned()) != text;
        if !self.reading {
            let painted = self.colour.paint("1;38;5;75", text);
            self.reading = self.prompts.send((text.to_owned(), painted)).is_ok();
        } else if is_new && self.held.is_none() {
            self.pty.send(b"\x03");
            self.held = Some(Vec::new());
        }
    }

    /// Sends keys to the editor. Ctrl-C is not held, in case the editor has taken the one that cancels the line as text.
    pub fn send(&mut self, keys: impl Into<Vec<u8>>) {
        let keys = keys.into();
        match &mut self.held {
            Some(held) if keys != b"\x03" => held.extend(keys),
            _ => self.pty.send(keys),
        }
    }

    /// Notes that a line has come back. `text`: its text if it was cancelled.
    pub fn returned(&mut self, text: String) {
        self.reading = false;
        if let Some(held) = self.held.take() {
            self.pty.send([text.into_bytes(), held].concat());
        }
    }

    pub fn print(&mut self, text: &str) {
        if !text.is_empty() {
            let _ = self.printer.print(format!("{text}\n"));
        }
    }

    pub fn set_completions(&self, completions: Completions) {
        *self.completions.lock().unwrap_or_else(PoisonError::into_inner) = completions;
    }
}

fn edit(
    mut editor: rustyline::Editor<Helper, FileHistory>,
    prompts: &Receiver<Prompt>,
    lines: &Sender<Message>,
) {
    for prompt in prompts {
        let message = match editor.readline(&prompt) {
            Ok(line) => {
                repl::remember(&mut editor, &line);
                Message::Line(line)
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {
                Message::Cancelled(cancel(&mut editor))
            }
            Err(ReadlineError::Eof) => Message::EndOfInput,
            Err(error) => Message::EditorFailed(error.to_string()),
        };
        if lines.send(message).is_err() {
            return;
        }
    }
}

/// Adds the cancelled text to the history as its newest line, clears its row for the next prompt, and returns it.
fn cancel(editor: &mut rustyline::Editor<Helper, FileHistory>) -> String {
    let text = editor.helper().map(|helper| helper.typed.take()).unwrap_or_default();
    repl::remember(editor, &text);
    let mut screen = io::stdout();
    let _ = screen.write_all(b"\x1b[A\x1b[2K").and_then(|()| screen.flush());
    text
}
