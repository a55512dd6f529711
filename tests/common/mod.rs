//! Helpers shared by tests and benchmarks.

// Every test binary compiles this module and uses a part of it.
#![allow(dead_code, unused_imports)]
// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod cases;
pub mod chess;
pub mod facts;
pub mod folder;
pub mod morris;
pub mod plain;
pub mod reference;
pub mod roots;
pub mod running;
