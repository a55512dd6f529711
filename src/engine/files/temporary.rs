//! Temporary files beside their targets, and those that a killed process has left behind.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, Metadata, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::Path,
    process,
    sync::OnceLock,
    time::{SystemTime, UNIX_EPOCH},
};

use tempfile::NamedTempFile;

use super::folder;

/// How their names end.
const SUFFIX: &str = ".plyscope-tmp";

/// Names of targets longer than this many bytes are shortened to a check sum: a name has 255 at most.
const LONGEST: usize = 150;

/// A temporary file for a target, in its folder: `.NAME.PROCESS-…`, which nobody may read who may not read the old one.
pub(super) fn create(target: &Path, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let folder = folder(target);
    let mut prefix = prefix_for(target);
    sweep(folder, &prefix);
    prefix.push(format!("{}-{:x}-", process::id(), life()));
    // What a new file gets anywhere else: the process's mask decides, not the care due to secrets.
    let mode = old.map_or(0o666, |old| old.permissions().mode() & 0o666);
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(SUFFIX)
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)
}

/// How the names of all temporary files for a target begin.
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

/// Tells this process from an earlier one that had the same number.
fn life() -> u128 {
    static LIFE: OnceLock<u128> = OnceLock::new();
    *LIFE.get_or_init(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_nanos())
    })
}

/// Removes what dead processes have left behind. What cannot be read or removed stays: it is in nobody's way.
fn sweep(folder: &Path, prefix: &OsStr) {
    let Ok(files) = fs::read_dir(folder) else {
        return;
    };
    for file in files.flatten() {
        let name = file.file_name();
        let writer = name
            .as_encoded_bytes()
            .strip_prefix(prefix.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()))
            .and_then(Writer::read);
        if writer.is_some_and(|writer| writer.is_dead()) {
            fs::remove_file(file.path()).ok();
        }
    }
}

/// The process that wrote a temporary file.
struct Writer {
    process: u32,
    life: u128,
}

impl Writer {
    /// Reads `PROCESS-LIFE-…`.
    fn read(text: &[u8]) -> Option<Self> {
        let mut parts = std::str::from_utf8(text).ok()?.splitn(3, '-');
        let process = parts.next()?.parse().ok()?;
        let life = u128::from_str_radix(parts.next()?, 16).ok()?;
        parts.next().map(|_| Self { process, life })
    }

    fn is_dead(&self) -> bool {
        if self.process == process::id() { self.life != life() } else { !is_alive(self.process) }
    }
}

/// Whether there is a process of this number, as far as can be told.
fn is_alive(process: u32) -> bool {
    use rustix::{io::Errno, process::Pid};
    let number = i32::try_from(process).ok().and_then(Pid::from_raw);
    number.is_none_or(|number| rustix::process::test_kill_process(number) != Err(Errno::SRCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let files = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> = files
            .map(|file| file.expect("a file").file_name().into_string().expect("text"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn only_files_of_dead_processes_for_the_same_target_are_swept() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("some.cache");
        let mut child = process::Command::new("true").spawn().expect("started");
        let dead = child.id();
        child.wait().expect("ended");
        let own = process::id();
        let stays = [
            ".some.cache.1-0-abc.plyscope-tmp".to_owned(),
            format!(".some.cache.{own}-{:x}-abc.plyscope-tmp", life()),
            format!(".other.cache.{dead}-0-abc.plyscope-tmp"),
            format!(".some.cache.{dead}-0-abc.tmp"),
            ".some.cache.x-0-abc.plyscope-tmp".to_owned(),
            "some.cache".to_owned(),
        ];
        let goes = [
            format!(".some.cache.{dead}-0-abc.plyscope-tmp"),
            format!(".some.cache.{own}-0-abc.plyscope-tmp"),
        ];
        for name in stays.iter().chain(&goes) {
            fs::write(folder.path().join(name), "left").expect("written");
        }
        let file = create(&target, None).expect("created");
        let left = names(folder.path());
        for name in &stays {
            assert!(left.contains(name), "{name} of {left:?}");
        }
        assert_eq!(left.len(), stays.len() + 1, "{left:?}");
        drop(file);
        assert_eq!(names(folder.path()).len(), stays.len());
    }

    #[test]
    fn nobody_reads_a_draft_who_may_not_read_its_target() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("secret");
        fs::write(&target, "").expect("written");
        fs::set_permissions(&target, Permissions::from_mode(0o600)).expect("set");
        let old = fs::metadata(&target).expect("found");
        let draft = create(&target, Some(&old)).expect("created");
        let found = draft.as_file().metadata().expect("found");
        assert_eq!(found.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn long_names_are_shortened() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("n".repeat(255));
        let file = create(&target, None).expect("created");
        assert!(file.path().file_name().expect("a name").len() < 100);
    }
}
