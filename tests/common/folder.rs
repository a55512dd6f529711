//! Temporary folders for tests that save often.

use tempfile::TempDir;

/// An empty folder, in memory where the system has one: every save is flushed to disk, which is slow on a busy one.
pub fn in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}
