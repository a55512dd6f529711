//! Temporary folders for tests that save very often.

use tempfile::TempDir;

/// An empty folder, in memory where the system has one: every save is flushed, and a busy disk takes its time for that.
pub fn in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}
