//! What tests that compare printed replies share.

/// Replaces what is different at every run: lines with times.
pub fn mask(text: &str) -> String {
    let line = |line: &str| {
        if line.starts_with("time ") { "time …\n".to_owned() } else { format!("{line}\n") }
    };
    text.lines().map(line).collect()
}

/// Whether expectations are to be written anew rather than compared.
pub fn updating() -> bool {
    std::env::var_os("UPDATE_TRANSCRIPTS").is_some()
}
