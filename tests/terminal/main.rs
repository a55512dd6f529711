//! The real program in a pseudo-terminal.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod abilities;
mod engines;
mod prompt;
mod pty;
mod screen;
mod signals;
mod uci;
