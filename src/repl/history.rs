//! The lines typed before: one file for the plain command line and the full screen's pane.

use std::{
    fs::{self, DirBuilder},
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use rustyline::{Editor, history::FileHistory};

use super::Helper;

/// So many lines are kept.
pub(super) const SIZE: usize = 10_000;

/// The file in the user's folder for such things, if there is one.
pub(super) fn file() -> Option<PathBuf> {
    let folder = etcetera::base_strategy::Xdg::new().ok()?.state_dir()?;
    Some(folder.join("plyscope").join("history"))
}

/// Keeps a line; a history that cannot be written is no reason to disturb anybody's work.
pub(super) fn add(editor: &mut Editor<Helper, FileHistory>, line: &str) {
    let added = editor.add_history_entry(line).unwrap_or(false);
    let Some(file) = file().filter(|_| added) else {
        return;
    };
    if let Some(folder) = file.parent() {
        let _ = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    }
    let _ = editor.append_history(&file);
    keep_private(&file);
}

/// What somebody typed is theirs, also in a file that another program has made.
fn keep_private(file: &Path) {
    let Ok(metadata) = fs::metadata(file) else {
        return;
    };
    if metadata.permissions().mode() & 0o077 != 0 {
        let _ = fs::set_permissions(file, fs::Permissions::from_mode(0o600));
    }
}
