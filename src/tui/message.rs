//! What the event loop waits for.

use crossterm::event::Event;

/// Something happened.
#[derive(Debug)]
pub enum Message {
    /// A key, the mouse, a paste, another size.
    Terminal(Event),
    /// SIGTSTP: to the shell.
    Suspend,
    /// SIGCONT: the terminal is ours again.
    Continued,
    /// The terminal is gone.
    TerminalGone,
    /// The command pane shows something else.
    Output,
    /// A line was entered in the command pane; empty where it was cancelled.
    Line(String),
    /// Ctrl-D on an empty line.
    EndOfInput,
    /// The line editor cannot go on.
    EditorFailed(String),
    /// The command in the worker's hands is done.
    Done,
}
