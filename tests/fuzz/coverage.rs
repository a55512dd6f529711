//! One target as a program that libFuzzer guides by what is covered: the one that the program is named after.

#![no_main]
#![allow(clippy::expect_used, clippy::panic)]

mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::run(env!("CARGO_BIN_NAME"), bytes));
