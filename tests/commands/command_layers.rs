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
            assert!(
                !rest.contains("engine::"),
                "{} uses the engine",
                path.display()
            );
        });
    }
    assert!(seen > 5, "the files have moved: {seen}");
}

fn visit(path: &Path, look: &mut impl FnMut(&Path, &str)) {
    if let Ok(text) = fs::read_to_string(path) {
        look(path, &text);
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        visit(&entry.path(), look);
    }
}
