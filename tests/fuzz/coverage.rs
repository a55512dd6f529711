//! One fuzz target as a program for libFuzzer; the program's name selects the target.

#![no_main]
#![allow(clippy::expect_used, clippy::panic)]

mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::run(env!("CARGO_BIN_NAME"), bytes));
