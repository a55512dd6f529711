//! Trees as icicles, in the collapsed form of flame graphs, and two searches against each other.

use std::{collections::BTreeMap, fs, path::Path};

use plyscope::{
    command::Shell,
    engine::session::{
        explain::{NodeEnd, Slice, TreeExplained},
        reply::MoveText,
    },
    view,
};

fn run(shell: &mut Shell, line: &str) -> String {
    let mut last = String::new();
    for outcome in shell.run_line(line) {
        last = match outcome {
            Ok(response) => view::response(&response),
            Err(failure) => failure.fault.to_string(),
        };
    }
    last
}

fn folded(shell: &mut Shell, file: &Path) -> String {
    let said = run(shell, &format!("export tree {}", file.display()));
    assert!(said.contains("folded"), "{said}");
    fs::read_to_string(file).unwrap()
}

/// The nodes of a line of the collapsed form, all below it included.
fn nodes(folded: &str, line: &str) -> u64 {
    let below = format!("{line};");
    let rows = folded.lines().filter_map(|row| row.rsplit_once(' '));
    let rows = rows.filter(|(path, _)| *path == line || path.starts_with(&below));
    rows.map(|(_, count)| count.parse::<u64>().unwrap()).sum()
}

const GAMES: [(&str, &str); 2] = [("morris", "play d6 f4"), ("chess", "play e4 e5")];

/// A search has as many nodes as itself, also where nodes were searched twice.
#[test]
fn a_search_does_not_differ_from_itself() {
    for (game, moves) in [("morris", "play d6 f4 d2"), ("chess", "play e4 e5 Bc4 Nc6 Qh5")] {
        let mut shell = Shell::default();
        run(
            &mut shell,
            &format!("game {game}; {moves}; search set depth=5; step 31111; tree base"),
        );
        let tree: TreeExplained = shell.look_up_as("explain tree --share 1").unwrap();
        let again = tree.nodes.iter().filter(|node| node.earlier > 0).count();
        assert!(again > 0, "{game}");
        let compared: Vec<_> = tree.nodes.iter().filter(|node| node.base.is_some()).collect();
        assert!(compared.len() > 100, "{game}: {}", compared.len());
        for node in compared {
            assert_eq!(node.base, Some(node.nodes), "{game}: {node:?}");
        }
    }
}

#[test]
fn the_collapsed_form_adds_up_to_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.folded");
    for (game, moves) in GAMES {
        let mut shell = Shell::default();
        let set = if game == "chess" { "search set quiescence=on; " } else { "" };
        run(&mut shell, &format!("game {game}; {moves}; {set}search run --depth 3"));
        let text = folded(&mut shell, &file);
        let tree: TreeExplained = shell.look_up_as("explain tree").unwrap();
        assert_eq!(nodes(&text, "root"), tree.nodes[0].nodes, "{game}: {text}");
        let mut checked = 0;
        for (place, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.is_searched()) {
            let line = tree.line(place);
            let path: Vec<_> =
                ["root"].into_iter().chain(line.iter().map(MoveText::standard)).collect();
            assert_eq!(nodes(&text, &path.join(";")), node.nodes, "{game}: {path:?}");
            checked += 1;
        }
        assert!(checked > 20, "{game}: {checked} nodes");
        let read = Slice::read_folded(&text).unwrap();
        assert_eq!(read.folded().lines().count(), text.lines().count(), "{game}");
        assert_eq!(read.nodes, tree.nodes[0].nodes);
    }
}

#[test]
fn files_that_are_not_collapsed_are_refused_with_their_line() {
    for (text, fault) in [
        ("root;e4 12\nroot;e5\n", "line 2 has no count at its end"),
        ("", "the file has no line of moves"),
        ("root;e4 12\nmain;a 3\n", "some lines do not begin with `root`"),
        ("root;e4 -3\n", "line 1 has no count at its end"),
    ] {
        assert_eq!(Slice::read_folded(text).unwrap_err().message, fault);
    }
    let deep = format!("{} 1", vec!["a"; 100_000].join(";"));
    assert!(Slice::read_folded(&deep).unwrap_err().message.contains("deeper"));
    let huge = format!("a {0}\na;b {0}\n", u64::MAX);
    assert_eq!(Slice::read_folded(&huge).unwrap().nodes, u64::MAX, "sums do not overflow");
}

#[test]
fn an_icicle_shows_how_nodes_ended_by_letter_and_colour() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.svg");
    let mut seen = BTreeMap::<char, usize>::new();
    for (game, moves) in GAMES {
        let mut shell = Shell::default();
        run(
            &mut shell,
            &format!("game {game}; {moves}; search set memo=none root=best; search run --depth 3"),
        );
        let said = run(&mut shell, &format!("picture tree {}", file.display()));
        assert!(said.contains("svg"), "{said}");
        let svg = fs::read_to_string(&file).unwrap();
        let tree: TreeExplained = shell.look_up_as("explain tree").unwrap();
        // Widths of the root's children by their names: shares of the nodes.
        let width = |name: &str| {
            let node =
                svg.split("<g><title>").find(|node| node.starts_with(&format!("{name}: ")))?;
            node.split("width=\"").nth(1)?.split('"').next()?.parse::<f64>().ok()
        };
        let whole = width("root").unwrap();
        for place in tree.children(0).filter(|place| tree.nodes[*place].is_searched()) {
            let (node, name) = (&tree.nodes[place], tree.nodes[place].moves[0].standard());
            let share = node.nodes as f64 / tree.nodes[0].nodes as f64;
            let found = width(name).unwrap_or(0.0) / whole;
            assert!((found - share).abs() < 0.02, "{game} {name}: {found} for {share}");
        }
        // Each node: its class, and the letter that its text begins with.
        for node in svg.split("<g><title>").skip(1) {
            let class = node.split("<rect class=\"").nth(1).and_then(|rest| rest.chars().next());
            let text = node.split("<text class=\"\"").nth(1);
            let letter = text.and_then(|text| text.split('>').nth(1)?.chars().next());
            if let Some(letter) = letter {
                assert_eq!(class, Some(letter), "{game}: {node}");
                *seen.entry(letter).or_default() += 1;
            }
        }
        for end in NodeEnd::LEGEND {
            assert!(svg.contains(&format!("{} {}", end.letter(), end.words())), "in the legend");
        }
        assert!(svg.contains("role=\"img\"") && svg.contains("prefers-color-scheme: dark"));
    }
    for end in [NodeEnd::Searched, NodeEnd::Cut, NodeEnd::LeftOut] {
        assert!(seen.contains_key(&end.letter()), "{end:?}: {seen:?}");
    }
}

#[test]
fn two_searches_are_compared_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    let (file, picture) = (folder.path().join("base.folded"), folder.path().join("diff.svg"));
    for (game, moves) in GAMES {
        let mut shell = Shell::default();
        let set = "search set memo=none order=none algorithm=minimax";
        run(&mut shell, &format!("game {game}; {moves}; {set}; search run --depth 3"));
        folded(&mut shell, &file);
        let base: TreeExplained = shell.look_up_as("explain tree").unwrap();
        let said = run(&mut shell, &format!("picture tree {} --base", picture.display()));
        assert!(said.contains("no search has been kept for comparison"), "{said}");
        let said = run(&mut shell, "tree base");
        assert!(said.contains("is kept to compare with"), "{said}");
        run(&mut shell, "search set algorithm=alphabeta; search run --depth 3");
        let kept: TreeExplained = shell.look_up_as("explain tree").unwrap();
        // The same from the file.
        run(&mut shell, &format!("tree base --off; tree base {}", file.display()));
        let read: TreeExplained = shell.look_up_as("explain tree").unwrap();
        let bases =
            |tree: &TreeExplained| tree.nodes.iter().map(|node| node.base).collect::<Vec<_>>();
        assert_eq!(bases(&kept), bases(&read), "{game}");
        assert_eq!(kept.nodes[0].base, Some(base.nodes[0].nodes), "{game}");
        assert!(kept.nodes[0].nodes < base.nodes[0].nodes, "{game}: cutoffs save nodes");
        for place in 0..kept.nodes.len() {
            let other = (0..base.nodes.len()).find(|at| base.line(*at) == kept.line(place));
            let (Some(other), Some(nodes)) = (other, kept.nodes[place].base) else { continue };
            if base.nodes[other].is_searched() {
                assert_eq!(nodes, base.nodes[other].nodes, "{game}: {:?}", kept.line(place));
            }
        }
        run(&mut shell, &format!("picture tree {} --base", picture.display()));
        let svg = fs::read_to_string(&picture).unwrap();
        assert!(svg.contains("fewer") && svg.contains("class=\"f2\""), "{game}");
        run(&mut shell, "tree base --off");
        let none: TreeExplained = shell.look_up_as("explain tree").unwrap();
        assert!(none.nodes.iter().all(|node| node.base.is_none()));
    }
}

#[test]
fn searches_of_other_programs_are_compared_from_traces() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (one, two, base) = (path("one.jsonl"), path("two.jsonl"), path("one.folded"));
    let mut shell = Shell::default();
    run(&mut shell, "game chess; play e4 e5; search set memo=none order=none");
    run(&mut shell, &format!("trace record {one} --depth 3"));
    run(&mut shell, &format!("search set order=usual; trace record {two} --depth 3"));
    run(&mut shell, &format!("trace open {one}; continue"));
    folded(&mut shell, Path::new(&base));
    run(&mut shell, &format!("trace open {two}; continue; tree base {base}"));
    let tree: TreeExplained = shell.look_up_as("explain tree").unwrap();
    let root = &tree.nodes[0];
    assert!(root.base.is_some_and(|nodes| nodes > root.nodes && root.nodes > 0), "{root:?}");
}
