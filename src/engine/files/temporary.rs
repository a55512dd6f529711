//! Temporary files beside their targets, and those that a killed process has left behind.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, Metadata, Permissions},
    io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use rustix::fs::{FlockOperation, flock};
use tempfile::NamedTempFile;

use super::folder;

/// How their names end.
const SUFFIX: &str = ".plyscope-tmp";

/// Names of targets longer than this many bytes are shortened to a check sum: a name has 255 at most.
const LONGEST: usize = 150;

/// A temporary file for a target, in its folder, which nobody may read who may not read the old one. It is locked as long
/// as it is open: without a lock it is one that a killed process has left behind.
pub(super) fn create(target: &Path, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let folder = folder(target);
    let prefix = prefix_for(target);
    sweep(folder, &prefix);
    // What a new file gets anywhere else: the process's mask decides, not the care due to secrets.
    let mode = old.map_or(0o666, |old| old.permissions().mode() & 0o666);
    loop {
        let file = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(SUFFIX)
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)?;
        // Some file systems know no locks; nothing is swept there.
        flock(file.as_file(), FlockOperation::LockExclusive).ok();
        // Another process may have swept it before the lock.
        if file.as_file().metadata()?.nlink() > 0 {
            return Ok(file);
        }
    }
}

/// How the names of all temporary files for a target begin: `.NAME.`
fn prefix_for(target: &Path) -> OsString {
    let name = target.file_name().unwrap_or(OsStr::new("file"));
    let mut prefix = OsString::from(".");
    if name.len() <= LONGEST {
        prefix.push(name);
    } else {
        prefix.push(format!("{:08x}", crc32fast::hash(name.as_encoded_bytes())));
    }
    prefix.push(".");
    prefix
}

/// Removes what killed processes have left behind. What cannot be read or removed stays: it is in nobody's way.
fn sweep(folder: &Path, prefix: &OsStr) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name();
        let name = name.as_encoded_bytes();
        let is_ours =
            name.starts_with(prefix.as_encoded_bytes()) && name.ends_with(SUFFIX.as_bytes());
        let path = file.path();
        let is_left = |file: File| flock(file, FlockOperation::NonBlockingLockExclusive).is_ok();
        if is_ours && File::open(&path).is_ok_and(is_left) {
            fs::remove_file(path).ok();
        }
    }
}
