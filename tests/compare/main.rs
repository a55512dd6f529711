//! Searches and heuristics compared over many positions, and rote training.

// Clippy knows tests by their attribute and not the functions they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/folder.rs"]
mod folder;
mod searches;
mod suites;
mod training;
mod weights;

use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    thread,
};

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

/// Why a long command fails that is interrupted while it runs.
fn interrupted(shell: &mut Shell, line: &str) -> Box<Failure> {
    let (progress, interrupt) = (shell.engine.progress(), shell.interrupt());
    thread::scope(|scope| {
        let command = scope.spawn(|| failure(shell, line));
        // A command clears the flag when it begins: an earlier interrupt would be lost, and the command would not end.
        while progress.operation().is_none() && !command.is_finished() {
            thread::yield_now();
        }
        interrupt.store(true, SeqCst);
        command.join().unwrap()
    })
}

/// A report as JSON, without how long it took.
fn timeless(report: &dyn Reply) -> serde_json::Value {
    let mut json = serde_json::to_value(report).unwrap();
    json.as_object_mut().unwrap().remove("ms");
    json
}
