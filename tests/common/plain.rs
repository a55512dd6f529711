//! The plain settings that many tests use.

/// Alpha-beta with every leaf in the cache; only stored windows narrow the window.
pub const PLAIN: [(&str, &str); 4] =
    [("algorithm", "alphabeta"), ("memo", "interval"), ("order", "memo"), ("leaves", "on")];

/// [`PLAIN`] as a command.
pub fn set_plain() -> String {
    let words = PLAIN.map(|(name, value)| format!(" {name}={value}"));
    format!("search set{}", words.concat())
}
