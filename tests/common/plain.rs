//! The settings that many expectations are about.

/// Every leaf is in the cache, and windows are narrowed by α-β alone.
pub const PLAIN: [(&str, &str); 4] =
    [("algorithm", "alphabeta"), ("memo", "interval"), ("order", "memo"), ("leaves", "on")];

/// The same as a command.
pub fn set_plain() -> String {
    let words = PLAIN.map(|(name, value)| format!(" {name}={value}"));
    format!("search set{}", words.concat())
}
