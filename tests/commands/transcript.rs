//! Printed replies in files: transcripts (`sessions/*.out`, blocks in the guides and in README.md), the command table
//! (`sessions/commands.md`), pictures (`sessions/pictures/*.svg`).
//!
//! One command writes all of them and all snapshots anew, those in the sources of the tests as well:
//!
//! ```sh
//! UPDATE=1 cargo insta test --accept --unreferenced=delete   # once: cargo install cargo-insta
//! ```
//!
//! Read the difference before committing it. Without `cargo-insta`, `UPDATE=1 INSTA_UPDATE=always cargo test` writes
//! everything but the snapshots inside of sources.

use std::{
    fs::{self, File},
    path::Path,
};

use plyscope::engine::files::write_text;
use rustix::fs::{FlockOperation, flock};

/// Masks lines with times, which differ at every run.
pub fn mask(text: &str) -> String {
    let line = |line: &str| {
        if line.starts_with("time ") { "time …\n".to_owned() } else { format!("{line}\n") }
    };
    text.lines().map(line).collect()
}

/// Whether files are to be rewritten rather than compared.
pub fn updating() -> bool {
    std::env::var_os("UPDATE").is_some()
}

/// Replaces parts of a document, each at its first occurrence. Several tests write to one document at the same time.
pub fn replace(document: &Path, parts: &[(String, String)]) {
    let all = File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    flock(&all, FlockOperation::LockExclusive).unwrap();
    let before = fs::read_to_string(document).unwrap();
    let replaced = parts.iter().fold(before.clone(), |text, (old, new)| text.replacen(old, new, 1));
    if replaced != before {
        write_text(document, &replaced).unwrap();
    }
}
