//! The real program in a pseudo-terminal.

// Clippy knows tests by their attribute and not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod prompt;
mod pty;
mod screen;
mod signals;
