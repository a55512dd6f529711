//! Values that came back while somebody was stepping: the tree shows them beside the moves.

use std::collections::HashMap;

use crate::engine::report::{EventReport, Score};

/// More than anybody steps through by hand; then all are forgotten.
const KEPT: usize = 10_000;

/// By position, remaining depth and move.
#[derive(Debug, Default)]
pub struct Seen(HashMap<(String, u8, String), Score>);

impl Seen {
    /// Keeps the value that an event brought back to a node.
    pub fn note(&mut self, event: &EventReport) {
        if let ("return" | "raise" | "cutoff", Some(mv), Some(value)) =
            (event.kind.name(), &event.mv, event.value)
        {
            if self.0.len() >= KEPT {
                self.0.clear();
            }
            self.0
                .insert((event.state.clone(), event.depth, mv.clone()), value);
        }
    }

    /// The value that came back from a move.
    pub fn value(&self, state: &str, depth: u8, mv: &str) -> Option<Score> {
        self.0
            .get(&(state.to_owned(), depth, mv.to_owned()))
            .copied()
    }
}
