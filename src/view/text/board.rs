//! Boards, pictures of them, and moves the engine played.

use crate::{
    engine::report::{BoardReport, PictureReport, PlayedReport},
    picture::{View, board_text},
};

pub(super) fn board(report: &BoardReport) -> String {
    board_text(report, View::default(), false)
}

pub(super) fn picture(report: &PictureReport) -> String {
    match (&report.picture, &report.file) {
        (Some(picture), _) => picture.trim_end().to_owned(),
        (None, Some(file)) => format!("wrote `{file}` ({}, {} bytes)", report.format, report.bytes),
        (None, None) => String::new(),
    }
}

pub(super) fn played(report: &PlayedReport) -> String {
    let value = report
        .value
        .map_or(String::new(), |value| format!(" value {value}"));
    let others = match report.best.len() {
        0 | 1 => String::new(),
        equals => format!(", one of {equals} equals"),
    };
    format!(
        "played {}{others}{value} depth {} nodes {}\n{}",
        report.played,
        report.depth,
        report.nodes,
        report.position.board.trim_end()
    )
}
