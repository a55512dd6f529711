//! Results computed by other programs, one JSON object a line (`tests/data`).
//!
//! The long files hold a sample of what was computed: every Nth row (N from 3 to 15), and of every kind of row at least
//! the first two. A kind is a combination of side to move, phase of both sides, end of the game, number of stones taken,
//! mills of either side, number of distinct symmetric images, named special case, depth and, for the cache, bound, depth
//! and window of the stored entry against those of the call.

use serde_json::Value;

/// The facts of a file, which must have `rows` of them.
pub fn facts(name: &str, rows: usize) -> Vec<Value> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty());
    let facts: Vec<_> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(facts.len(), rows, "rows of {name}");
    facts
}
