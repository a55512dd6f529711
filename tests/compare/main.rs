//! Searches and heuristics compared over many positions, and rote training.

// Clippy knows tests by their attribute and not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod searches;
mod suites;
mod training;
mod weights;

use std::sync::Arc;

use plyscope::{
    command::{Failure, Shell},
    engine::session::reply::Reply,
};

/// The answer to the last statement of a line.
fn answer(shell: &mut Shell, line: &str) -> Arc<dyn Reply> {
    let mut answers = shell.run_line(line);
    match answers.pop().unwrap() {
        Ok(response) => response.reply,
        Err(failure) => panic!("{line}: {}", failure.fault),
    }
}

/// Why the last statement of a line failed.
fn failure(shell: &mut Shell, line: &str) -> Box<Failure> {
    let mut answers = shell.run_line(line);
    match answers.pop().unwrap() {
        Ok(response) => panic!("{line}: {:?}", response.reply),
        Err(failure) => failure,
    }
}

/// A report as JSON, without how long it took.
fn timeless(report: &dyn Reply) -> serde_json::Value {
    let mut json = serde_json::to_value(report).unwrap();
    json.as_object_mut().unwrap().remove("ms");
    json
}
