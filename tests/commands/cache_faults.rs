//! Faults of cache files leave the cache in memory and the old file unchanged, and say what to do.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

use crate::{folder::in_memory, plain::set_plain};
use plyscope::{
    command::{Failure, Response, Shell},
    engine::{
        Engine,
        session::{
            cache::{CacheList, Sort},
            cachefiles::CacheCheck,
        },
    },
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plyscope");

fn run(shell: &mut Shell, line: &str) -> Result<Response, Box<Failure>> {
    shell.run_line(line).pop().expect("an outcome")
}

fn filled() -> Shell {
    let mut shell = Shell::default();
    run(&mut shell, &set_plain()).unwrap();
    run(&mut shell, "position set w.b...../.w....../....b... w 7 7").unwrap();
    run(&mut shell, "search value --depth 2").unwrap();
    shell
}

fn listed(engine: &Engine) -> CacheList {
    let session = engine.session();
    session.cache_list(&[], Sort::Table, 0..usize::MAX).unwrap()
}

/// Runs a line that must fail: the cache stays, and the fault has cause and remedy.
fn refused(shell: &mut Shell, line: &str) -> String {
    let before = listed(&shell.engine);
    let failure = run(shell, line).expect_err(line);
    let after = listed(&shell.engine);
    assert_eq!(before.total, after.total, "{line}");
    assert_eq!(before.entries, after.entries, "{line}");
    assert!(failure.fault.hint.is_some(), "{line}: {}", failure.fault);
    failure.fault.message.clone()
}

/// A folder with a good file in every format.
fn stocked() -> (tempfile::TempDir, Shell) {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = filled();
    for (name, format) in [("native", "native"), ("search", "seed-search")] {
        let path = folder.path().join(name);
        run(&mut shell, &format!("cache save \"{}\" --format {format}", path.display())).unwrap();
    }
    (folder, shell)
}

fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}

#[test]
fn damaged_files_leave_the_cache_alone() {
    let (folder, mut shell) = stocked();
    let bad = folder.path().join("bad");
    let native = fs::read(folder.path().join("native")).unwrap();
    let search = fs::read(folder.path().join("search")).unwrap();
    // One byte in each part of the file, and prefixes that end in each.
    for at in (0..native.len()).step_by(97) {
        let mut bytes = native.clone();
        bytes[at] ^= 0x11;
        fs::write(&bad, &bytes).unwrap();
        let message = refused(&mut shell, &format!("cache load {}", quoted(&bad)));
        assert!(message.contains("bad"), "{message}");
        fs::write(&bad, &native[..at]).unwrap();
        if at > 0 {
            refused(&mut shell, &format!("cache load {}", quoted(&bad)));
        }
        refused(&mut shell, &format!("cache load {} --format native", quoted(&bad)));
    }
    for end in [search.len() - 1, search.len() - 31, search.len() + 1] {
        let mut bytes = search.clone();
        bytes.resize(end, 0);
        fs::write(&bad, &bytes).unwrap();
        refused(&mut shell, &format!("cache load {} --format seed-search", quoted(&bad)));
    }
    let longer = [native.as_slice(), &[0; 100]].concat();
    fs::write(&bad, longer).unwrap();
    let message = refused(&mut shell, &format!("cache load {}", quoted(&bad)));
    assert!(message.contains("the end mark is missing"), "{message}");
}

#[test]
fn files_for_something_else_are_refused() {
    let (folder, mut shell) = stocked();
    let native = folder.path().join("native");
    for (setting, words) in [
        ("weights set mills=5", "weight mills is 4 in the file, 5 here"),
        ("rules set flying=off", "rule flying is on in the file, off here"),
        ("search set fidelity=seed stale=sound", "fidelity is sound in the file, seed here"),
    ] {
        let mut other = filled();
        run(&mut other, setting).unwrap();
        let message = refused(&mut other, &format!("cache load {}", quoted(&native)));
        assert!(message.contains(words), "{message}");
        let info = run(&mut other, &format!("cache check {}", quoted(&native))).unwrap();
        let info: &CacheCheck = info.reply.downcast_ref().unwrap();
        let differences = &info.differences;
        assert!(differences.iter().any(|difference| difference == words), "{differences:?}");
    }
    run(&mut shell, "search set memo=bound").unwrap();
    run(&mut shell, "search value --depth 2").unwrap();
    let message = refused(&mut shell, &format!("cache load {}", quoted(&native)));
    assert!(message.contains("memo policy `interval`"), "{message}");
    let message = refused(
        &mut shell,
        &format!("cache load {} --convention seed", quoted(&folder.path().join("native"))),
    );
    assert!(message.contains("convention `relative`"), "{message}");
}

#[test]
fn places_that_cannot_be_read_or_written_are_named() {
    let (folder, mut shell) = stocked();
    let name = |name: &str| folder.path().join(name);
    fs::write(name("protected"), "old").unwrap();
    let mut permissions = fs::metadata(name("protected")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(name("protected"), permissions).unwrap();
    let paths = [
        (name("protected"), "write-protected"),
        (folder.path().to_owned(), "it is a directory"),
        (name("no/such/file"), "there is no directory"),
        (name("native/file"), "a part of the path is a file"),
        (PathBuf::from("/dev/full"), "it is not a regular file"),
        (name(&"x".repeat(300)), "the system refuses the name"),
    ];
    for (path, words) in paths {
        if !cfg!(unix) && path.starts_with("/dev") {
            continue;
        }
        let message = refused(&mut shell, &format!("cache save {}", quoted(&path)));
        assert!(message.contains(words), "{path:?}: {message}");
    }
    assert_eq!(fs::read(name("protected")).unwrap(), b"old");
    for command in ["load", "info", "check"] {
        for (path, words) in [
            (name("missing"), "there is no such file"),
            (folder.path().to_owned(), "it is a directory"),
            (PathBuf::from("/dev/null"), "it is not a regular file"),
        ] {
            let message = refused(&mut shell, &format!("cache {command} {}", quoted(&path)));
            assert!(message.contains(words), "{command}: {message}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// Root may read every file: nothing is refused then.
#[test]
#[cfg(unix)]
fn files_without_permission_are_refused_with_the_reason() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, mut shell) = stocked();
    let path = folder.path().join("native");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&path).is_ok() {
        return;
    }
    for command in ["load", "info", "check"] {
        let message = refused(&mut shell, &format!("cache {command} {}", quoted(&path)));
        assert!(message.contains("permission denied"), "{message}");
    }
}

/// Runs the program with a limit on file sizes, in units of 512 bytes, which acts like a full disk.
#[cfg(unix)]
fn on_a_full_disk(folder: &Path, blocks: u32, commands: &str) -> Output {
    Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f \"$1\"; exec \"$2\" -c \"$3\"", "sh"])
        .arg(blocks.to_string())
        .arg(PROGRAM)
        .arg(commands)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .output()
        .unwrap()
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_the_old_file_and_nothing_else() {
    let (folder, mut shell) = stocked();
    let big = folder.path().join("big");
    run(&mut shell, "search value --depth 4").unwrap();
    run(&mut shell, &format!("cache save {}", quoted(&big))).unwrap();
    let size = fs::metadata(&big).unwrap().len();
    assert!(size > 100_000, "{size}");
    let target = folder.path().join("target");
    for blocks in [0, 1, 16, 100] {
        for command in [
            "position set w.b...../.w....../....b... w 7 7; search value --depth 4; cache save target",
            "position set w.b...../.w....../....b... w 7 7; cache load big; cache save target --format seed-search",
            "position set w.b...../.w....../....b... w 7 7; search value --depth 4; session save target",
        ] {
            fs::write(&target, "old").unwrap();
            let command = format!("{}; {command}", set_plain());
            let output = on_a_full_disk(folder.path(), blocks, &command);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{blocks} {command}: {errors}");
            assert!(errors.contains("no room on the disk"), "{command}: {errors}");
            assert_eq!(fs::read(&target).unwrap(), b"old", "{command}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "{command}");
        }
    }
}

/// The commands that save to `target` and load from it, each with a cache that fits a session's document and with one
/// that does not.
const SAVED: [&str; 2] = ["cache", "session"];

/// The search before each save.
const SETUP: &str = "position set w.b...../.w....../....b... w 7 7; search value --depth 3;";

/// Starts the program with commands, its files in a folder.
fn begin(folder: &Path, commands: &str) -> Child {
    let mut command = Command::new(PROGRAM);
    let command = command.args(["-c", commands]).current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The number of entries in the file saved as `target`, which must be complete.
fn entries_in(target: &Path, what: &str) -> usize {
    let mut shell = Shell::default();
    run(&mut shell, &format!("{what} load {}", quoted(target)))
        .unwrap_or_else(|failure| panic!("{what}: {}", failure.fault));
    listed(&shell.engine).total
}

#[test]
fn killed_while_saving_the_old_file_or_the_new_one_is_there() {
    for what in SAVED {
        killed_while_saving(what);
    }
}

fn killed_while_saving(what: &str) {
    let folder = in_memory();
    let target = folder.path().join("target");
    let saves = format!(
        "{what} save target; search value --depth 4; {what} save target; cache clear; search value --depth 3;"
    );
    let mut first = begin(folder.path(), &format!("{SETUP} {what} save target"));
    assert!(first.wait().unwrap().success());
    let script = format!("{SETUP} {}", saves.repeat(400));
    let mut sizes = BTreeSet::new();
    for round in 0..25_u64 {
        let mut child = begin(folder.path(), &script);
        thread::sleep(Duration::from_millis(15 + round * 7 % 60));
        child.kill().unwrap();
        child.wait().unwrap();
        sizes.insert(entries_in(&target, what));
        // Leftovers of the last process only: each save removes those of earlier ones.
        assert!(names_in(folder.path()).len() <= 2);
    }
    // Every file seen is one of the two that were saved.
    assert!(sizes.len() <= 2, "{sizes:?}");
    let mut shell = Shell::default();
    run(&mut shell, &format!("{what} save {}", quoted(&target))).unwrap();
    assert_eq!(names_in(folder.path()), ["target"]);
}

#[test]
fn two_processes_that_save_to_one_name_leave_the_file_of_one_of_them() {
    for what in SAVED {
        let folder = in_memory();
        let target = folder.path().join("target");
        let mut writers = ["", "search value --depth 4;"].map(|search| {
            let save = format!("{what} save target;");
            begin(folder.path(), &format!("{SETUP} {search} {}", save.repeat(60)))
        });
        let mut sizes = BTreeSet::new();
        while writers.iter_mut().any(|writer| writer.try_wait().unwrap().is_none()) {
            if target.exists() {
                sizes.insert(entries_in(&target, what));
            }
        }
        for writer in writers {
            let done = writer.wait_with_output().unwrap();
            assert!(done.status.success(), "{what}: {}", String::from_utf8_lossy(&done.stderr));
        }
        sizes.insert(entries_in(&target, what));
        let both = BTreeSet::from([101, 480]);
        assert!(sizes.is_subset(&both), "{what}: {sizes:?}");
        assert_eq!(names_in(folder.path()), ["target"]);
    }
}

/// Between the creation of a temporary file and its lock another process may take it for a leftover and remove it; then
/// the save retries with another file.
#[test]
fn saves_to_one_name_at_once_all_succeed() {
    let folder = in_memory();
    let target = folder.path().join("target");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..400 {
                    plyscope::engine::files::write_text(&target, "whole").unwrap();
                }
            });
        }
    });
    assert_eq!(fs::read(&target).unwrap(), b"whole");
    assert_eq!(names_in(folder.path()), ["target"]);
}

fn names_in(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}
