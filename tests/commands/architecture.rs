//! The map in `src/lib.rs` is true: it names every room; rooms use only those below them and are within their numbers
//! of lines.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// A row of the map.
struct Room {
    name: String,
    most_lines: usize,
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The rows of the map, the top floor first.
fn map() -> Vec<Room> {
    let text = fs::read_to_string(source().join("lib.rs")).unwrap();
    let table = text.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let rows = table.lines().skip(1).filter_map(|line| {
        let mut words = line.trim_start_matches("//!").split_whitespace();
        let name = words.next()?.to_owned();
        Some(Room { name, most_lines: words.next()?.replace(',', "").parse().unwrap() })
    });
    rows.collect()
}

/// Every source file, as the path of its module: `engine/core/search` for `engine/core/search.rs`.
fn modules() -> BTreeMap<String, String> {
    fn visit(folder: &Path, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                visit(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(source()).unwrap().with_extension("");
                let name = name.to_string_lossy().into_owned();
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    visit(&source(), &mut found);
    found
}

/// The room of a module: the longest name on the map that begins the module's path.
fn room_of<'m>(map: &'m [Room], module: &str) -> Option<(usize, &'m Room)> {
    let lies_in = |name: &str| module == name || module.starts_with(&format!("{name}/"));
    let rooms = map.iter().enumerate().filter(|(_, room)| lies_in(&room.name));
    rooms.max_by_key(|(_, room)| room.name.len())
}

/// The paths that the `use` statements of a file name, braces resolved.
fn used_paths(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for statement in text.split("use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        resolve("", statement, &mut paths);
    }
    paths
}

fn resolve(before: &str, tree: &str, paths: &mut Vec<String>) {
    let (mut depth, mut begin) = (0, 0);
    let mut branch = |branch: &str| match branch.split_once('{') {
        Some((path, rest)) => {
            let inner = rest.rsplit_once('}').map_or("", |(inner, _)| inner);
            resolve(&format!("{before}{}", path.trim()), inner, paths);
        }
        None if branch.trim().is_empty() => {}
        None => paths.push(format!("{before}{}", branch.trim())),
    };
    for (at, sign) in tree.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branch(&tree[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    branch(&tree[begin..]);
}

/// A used path as a module path from the crate's root; none for another crate's.
fn absolute(module: &str, path: &str) -> Option<String> {
    let mut parts: Vec<_> = path.split("::").map(str::trim).collect();
    let mut base: Vec<_> = match parts.first() {
        Some(&"crate") => Vec::new(),
        Some(&("super" | "self")) => module.split('/').collect(),
        _ => return None,
    };
    while let Some(&("crate" | "super" | "self")) = parts.first() {
        if parts.remove(0) == "super" {
            base.pop();
        }
    }
    base.extend(parts);
    Some(base.join("/"))
}

#[test]
fn every_file_is_in_a_room_within_its_number_of_lines() {
    let map = map();
    let mut lines = vec![0; map.len()];
    for (module, text) in modules() {
        if !matches!(module.as_str(), "lib" | "main") {
            let (place, _) =
                room_of(&map, &module).unwrap_or_else(|| panic!("{module} is in no room"));
            lines[place] += text.lines().count();
        }
    }
    for (room, lines) in map.iter().zip(lines) {
        assert!(lines > 0, "there is no room {}", room.name);
        assert!(
            lines <= room.most_lines,
            "{} has {lines} lines, {} at most",
            room.name,
            room.most_lines
        );
    }
}

#[test]
fn rooms_use_only_rooms_below_them() {
    let map = map();
    let mut arrows = 0;
    for (module, text) in modules() {
        let Some((from, room)) = room_of(&map, &module) else {
            continue;
        };
        let source = text.split("#[cfg(test)]").next().unwrap_or_default();
        for path in used_paths(source) {
            let Some((to, used)) = absolute(&module, &path).and_then(|path| room_of(&map, &path))
            else {
                continue;
            };
            // `engine` re-exports modules of the core under shorter names.
            if used.name != "engine" {
                assert!(to >= from, "{module} ({}) uses {path}, which is above it", room.name);
                arrows += usize::from(to > from);
            }
        }
    }
    assert!(arrows > 500, "the `use` statements were not found: {arrows}");
}

/// Front ends use commands, views and replies, never the inside of the engine.
#[test]
fn front_ends_do_not_reach_into_the_engine() {
    const FRONT_ENDS: [&str; 9] =
        ["config", "ticker", "interrupt", "script", "uci", "repl", "picture", "view", "tui"];
    let mut seen = 0;
    for (module, text) in modules() {
        if !FRONT_ENDS.iter().any(|name| module == *name || module.starts_with(&format!("{name}/")))
        {
            continue;
        }
        seen += 1;
        for path in used_paths(&text) {
            let inside = path.strip_prefix("crate::engine::");
            let allowed = |path: &str| path.starts_with("session") || path.starts_with("progress");
            assert!(inside.is_none_or(allowed), "{module} uses {path}");
        }
    }
    assert!(seen > 20, "the files have moved: {seen}");
}

/// Uses of a module's own parents and children are left out.
#[test]
fn modules_do_not_use_each_other_in_a_circle() {
    let modules = modules();
    let lies_in = |inner: &str, outer: &str| inner.starts_with(&format!("{outer}/"));
    let used = |module: &String, text: &String| {
        let source = text.split("#[cfg(test)]").next().unwrap_or_default();
        let paths = used_paths(source).into_iter().filter_map(|path| absolute(module, &path));
        let targets = paths.filter_map(|path| {
            let known = modules.keys().filter(|name| path == **name || lies_in(&path, name));
            known.max_by_key(|name| name.len()).cloned()
        });
        targets
            .filter(|to| to != module && !lies_in(to, module) && !lies_in(module, to))
            .collect::<Vec<_>>()
    };
    let mut open: BTreeMap<_, _> =
        modules.iter().map(|(module, text)| (module.clone(), used(module, text))).collect();
    assert!(open.values().flatten().count() > 500);
    // What uses nothing that is open is in no circle.
    while let Some(done) = open
        .iter()
        .find(|(_, used)| !used.iter().any(|to| open.contains_key(to)))
        .map(|(module, _)| module.clone())
    {
        open.remove(&done);
    }
    assert!(open.is_empty(), "in a circle, or above one: {:?}", open.keys().collect::<Vec<_>>());
}
