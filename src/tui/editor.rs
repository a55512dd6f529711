//! The line editor of the command pane: the editor of the plain command line, on a pseudo-terminal in a thread of its
//! own.

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

use super::pty::Pty;
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

/// What the event loop waits for.
#[derive(Debug)]
pub enum Message {
    Terminal(Event),
    /// SIGTSTP.
    Suspend,
    /// SIGCONT.
    Continued,
    TerminalGone,
    Output,
    /// Completions of the line.
    Offers(Offers),
    /// A line entered in the command pane; empty if it was cancelled.
    Line(String),
    /// Ctrl-D on an empty line.
    EndOfInput,
    EditorFailed(String),
    /// The worker has returned.
    Done,
}

/// The editor, as the event loop sees it. Its output is on the screen of its [`Pty`].
pub struct Editor {
    pub pty: Pty,
    prompts: Sender<Prompt>,
    printer: Printer,
    completions: Arc<Mutex<Completions>>,
    colour: Colour,
    /// Whether a prompt has been sent and no line has come back.
    pub reading: bool,
}

impl Editor {
    /// Starts the editor. Descriptors 0 and 1 must lead to the pseudo-terminal's slave already.
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
        thread::Builder::new().spawn(move || edit(editor, &receiver, &lines))?;
        Ok(Self { pty, prompts, printer, completions, colour, reading: false })
    }

    pub fn prompt(&mut self, text: &str) {
        if !self.reading {
            let painted = self.colour.paint("1;38;5;75", text);
            self.reading = self.prompts.send((text.to_owned(), painted)).is_ok();
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
                cancel(&mut editor);
                Message::Line(String::new())
            }
            Err(ReadlineError::Eof) => Message::EndOfInput,
            Err(error) => Message::EditorFailed(error.to_string()),
        };
        if lines.send(message).is_err() {
            return;
        }
    }
}

/// Makes the text that was cancelled the newest line of the history, and clears its row for the next prompt.
fn cancel(editor: &mut rustyline::Editor<Helper, FileHistory>) {
    let text = editor.helper().map(|helper| helper.typed.take()).unwrap_or_default();
    repl::remember(editor, &text);
    let mut screen = io::stdout();
    let _ = screen.write_all(b"\x1b[A\x1b[2K").and_then(|()| screen.flush());
}
