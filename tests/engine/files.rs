//! Files are written completely or not at all, read without waiting, and refused with path and remedy.

use std::{
    fs::{self, Permissions},
    io::Write as _,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use plyscope::engine::{
    files::{append, in_file, open, read, read_script, read_text, write_atomically, write_text},
    game::Fault,
};

#[test]
fn a_missing_directory_is_named() {
    let path = Path::new("no/such/place/some.cache");
    let fault = write_atomically(path, |_| Ok(())).expect_err("no directory");
    assert!(fault.message.contains("`no/such/place`"), "{fault}");
    assert!(read(path).is_err_and(|fault| fault.message.contains("`no/such/place`")));
    assert!(read(Path::new("")).is_err_and(|fault| fault.message.contains("empty")));
    assert!(write_atomically(Path::new(""), |_| Ok(())).is_err());
    assert!(write_atomically(Path::new(".."), |_| Ok(())).is_err());
}

#[test]
fn text_that_is_not_utf8_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("latin");
    fs::write(&path, b"abc\xff").expect("written");
    assert!(read_text(&path).is_err_and(|fault| fault.message.contains("byte 3")));
}

#[test]
fn permissions_and_links_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&real, "old").expect("written");
    fs::set_permissions(&real, Permissions::from_mode(0o640)).expect("set");
    symlink(&real, &link).expect("linked");
    write_atomically(&link, |out| Ok(out.write_all(b"new")?)).expect("written");
    assert_eq!(read(&real).expect("read"), b"new");
    let mode = fs::metadata(&real).expect("found").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).expect("found").is_symlink());

    fs::set_permissions(&real, Permissions::from_mode(0o440)).expect("set");
    let fault = write_atomically(&real, |_| Ok(())).expect_err("protected");
    assert!(fault.message.contains("write-protected"), "{fault}");
}

#[test]
fn saving_to_a_dangling_link_creates_its_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("deep")).expect("made");
    symlink("deep/middle", at("link")).expect("linked");
    symlink("real", at("deep/middle")).expect("linked");
    write_text(&at("link"), "new").expect("written");
    for link in ["link", "deep/middle"] {
        let found = fs::symlink_metadata(at(link)).expect("found");
        assert!(found.is_symlink(), "{link}");
    }
    assert_eq!(read(&at("deep/real")).expect("read"), b"new");
    symlink("round", at("round")).expect("linked");
    let fault = write_text(&at("round"), "new").expect_err("a circle");
    assert!(!fault.message.contains("os error"), "{fault}");
}

#[test]
fn the_owner_is_kept() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("theirs");
    fs::write(&path, "old").expect("written");
    std::os::unix::fs::chown(&path, Some(1234), Some(4321)).expect("given away");
    write_text(&path, "new").expect("written");
    let found = fs::metadata(&path).expect("found");
    assert_eq!((found.uid(), found.gid()), (1234, 4321));
}

fn fifo(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("fifo");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).expect("made");
    path
}

#[test]
fn pipes_and_devices_are_no_documents_and_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in [fifo(&folder), "/dev/zero".into(), "/dev/null".into()] {
        for refused in [
            read(&path).map(drop),
            read_text(&path).map(drop),
            open(&path).map(drop),
            write_text(&path, "x"),
            append(&path).map(drop),
        ] {
            let fault = refused.expect_err("no document");
            assert!(fault.message.contains("cannot "), "{fault}");
            assert!(fault.hint.is_some(), "{fault}");
        }
    }
}

#[test]
fn scripts_are_read_from_pipes_until_the_user_has_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = fifo(&folder);
    let interrupt = AtomicBool::new(false);
    let writer = std::thread::spawn({
        let path = path.clone();
        move || {
            std::thread::sleep(std::time::Duration::from_millis(150));
            fs::write(path, "echo late")
        }
    });
    assert_eq!(read_script(&path, &interrupt).expect("read"), "echo late");
    writer.join().expect("ended").expect("written");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| read_script(&path, &interrupt));
        std::thread::sleep(std::time::Duration::from_millis(150));
        interrupt.store(true, Ordering::Relaxed);
        let fault = waiting.join().expect("ended").expect_err("stopped");
        assert!(fault.message.starts_with("interrupted"), "{fault}");
    });
    let endless = read_script(Path::new("/dev/zero"), &AtomicBool::new(false));
    assert!(endless.is_err_and(|fault| fault.message.contains("longer than 16 MiB")));
    let directory = read_script(folder.path(), &AtomicBool::new(false));
    assert!(directory.is_err_and(|fault| fault.message.contains("it is a directory")));
}

#[test]
fn one_process_at_a_time_adds_to_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cup.jsonl");
    fs::write(&path, "old\n").expect("written");
    let mut first = append(&path).expect("opened");
    let fault = append(&path).expect_err("held");
    assert!(fault.message.contains("another process is writing"), "{fault}");
    first.write_all(b"new\n").expect("added");
    drop(first);
    // A child process started by another test inherits all open files until it executes its program.
    let began = std::time::Instant::now();
    while let Err(fault) = append(&path) {
        assert!(began.elapsed().as_secs() < 60, "{fault}");
        std::thread::yield_now();
    }
    assert_eq!(read(&path).expect("read"), b"old\nnew\n");
}

#[test]
fn places_are_counted_in_characters() {
    let text = "eins\nzwei ♞é wrong\nvier";
    let at = text.find("wrong").expect("there");
    let fault = Fault::new("no").at(at..at + 5);
    let located = in_file(Path::new("f"), text, fault);
    assert_eq!(located.message, "f:2:9: no");
}

#[test]
fn a_failure_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, "old").expect("written");
    let failed: Result<(), Fault> = write_atomically(&path, |out| {
        out.write_all(b"half")?;
        Err(Fault::new("enough").into())
    });
    assert_eq!(failed.expect_err("refused").message, "enough");
    assert_eq!(read(&path).expect("read"), b"old");
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
    let fault = open(folder.path()).expect_err("a directory");
    assert!(fault.message.contains("it is a directory"), "{fault}");
}

#[test]
fn leftovers_of_killed_processes_are_removed_for_the_same_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let stays =
        [".other.cache.abc.plyscope-tmp", ".some.cache.abc.tmp", ".some.cache.held.plyscope-tmp"];
    for name in stays.iter().chain(&[".some.cache.1-0-abc.plyscope-tmp"]) {
        fs::write(at(name), "left").expect("written");
    }
    let held = fs::File::open(at(stays[2])).expect("opened");
    rustix::fs::flock(&held, rustix::fs::FlockOperation::LockExclusive).expect("locked");
    write_text(&at("some.cache"), "new").expect("written");
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .expect("listed")
        .map(|file| file.expect("a file").file_name().into_string().expect("text"))
        .collect();
    names.sort();
    assert_eq!(names, [&stays[..], &["some.cache"]].concat());
}

#[test]
fn a_temporary_file_is_as_private_as_its_target() {
    let folder = tempfile::tempdir().expect("a folder");
    // The longest name that a file can have.
    let target = folder.path().join("n".repeat(255));
    fs::write(&target, "").expect("written");
    fs::set_permissions(&target, Permissions::from_mode(0o600)).expect("set");
    write_atomically(&target, |_| {
        let files = fs::read_dir(folder.path())?.flatten();
        let drafts: Vec<_> = files.filter(|file| file.path() != target).collect();
        assert_eq!(drafts.len(), 1);
        assert_eq!(drafts[0].metadata()?.permissions().mode() & 0o777, 0o600);
        Ok(())
    })
    .expect("written");
}
