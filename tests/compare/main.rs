//! Comparisons of searches and weights over many positions, and rote training.

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/folder.rs"]
mod folder;
mod searches;
mod solving;
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

/// The reply to the last statement of a line.
fn answer(shell: &mut Shell, line: &str) -> Arc<dyn Reply> {
    let mut answers = shell.run_line(line);
    match answers.pop().unwrap() {
        Ok(response) => response.reply,
        Err(failure) => panic!("{line}: {}", failure.fault),
    }
}

/// The failure of the last statement of a line.
fn failure(shell: &mut Shell, line: &str) -> Box<Failure> {
    let mut answers = shell.run_line(line);
    match answers.pop().unwrap() {
        Ok(response) => panic!("{line}: {:?}", response.reply),
        Err(failure) => failure,
    }
}

/// The failure of a long command that is interrupted.
fn interrupted(shell: &mut Shell, line: &str) -> Box<Failure> {
    let (progress, interrupt) = (shell.engine.progress(), shell.interrupt());
    thread::scope(|scope| {
        let command = scope.spawn(|| failure(shell, line));
        // A command clears the interrupt flag when it begins: an earlier interrupt would be lost.
        while progress.operation().is_none() && !command.is_finished() {
            thread::yield_now();
        }
        interrupt.store(true, SeqCst);
        command.join().unwrap()
    })
}

/// A report as JSON, without its time.
fn timeless(report: &dyn Reply) -> serde_json::Value {
    let mut json = serde_json::to_value(report).unwrap();
    json.as_object_mut().unwrap().remove("ms");
    json
}
