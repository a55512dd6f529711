//! Front ends talk to the commands, the views and the replies, never to the engine's insides.

use std::{fs, path::Path};

/// The front ends' files that exist; folders stand for all in them.
const FRONT_ENDS: [&str; 13] = [
    "main.rs",
    "config.rs",
    "ticker.rs",
    "interrupt.rs",
    "script.rs",
    "repl.rs",
    "repl",
    "picture.rs",
    "picture",
    "view.rs",
    "view",
    "tui.rs",
    "tui",
];

#[test]
fn front_ends_do_not_reach_into_the_engine() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for name in FRONT_ENDS {
        visit(&source.join(name), &mut |path, text| {
            seen += 1;
            let rest = text.replace("engine::reply", "");
            let rest = rest.replace("engine::progress", "");
            assert!(!rest.contains("engine::"), "{} uses the engine", path.display());
        });
    }
    assert!(seen > 5, "the files have moved: {seen}");
}

/// The core knows no command, report, file format, terminal or game; the tests in its files may take a game.
#[test]
fn the_core_stands_alone() {
    const UPWARDS: [&str; 16] = [
        "game",
        "settings",
        "debugger",
        "expression",
        "workbench",
        "reply",
        "session",
        "cachefile",
        "arena",
        "audit",
        "explain",
        "suite",
        "files",
        "progress",
        "morris",
        "chess",
    ];
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/core");
    let mut seen = 0;
    visit(&core, &mut |path, text| {
        seen += 1;
        let source = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in lines {
            for room in UPWARDS {
                let found = line.contains(&format!("engine::{room}"));
                assert!(!found, "{}: {line}", path.display());
            }
            let door = line.contains("crate::engine::{") || line.contains("crate::command");
            assert!(!door, "{}: {line}", path.display());
        }
    });
    assert!(seen > 30, "the files have moved: {seen}");
}

fn visit(path: &Path, look: &mut impl FnMut(&Path, &str)) {
    if let Ok(text) = fs::read_to_string(path) {
        look(path, &text);
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        visit(&entry.path(), look);
    }
}
