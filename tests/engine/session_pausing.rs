//! A search paused at any event, saved, and loaded into a new engine continues unchanged.

use std::sync::atomic::Ordering::SeqCst;

use proptest::{prelude::*, sample::select};
use serde_json::Value;

use crate::common::{
    cases::cases,
    folder::in_memory,
    morris,
    roots::{root, selective},
    running::{engine, events, outcome},
};
use plyscope::{
    command::Shell,
    engine::{Engine, recording::Resume, session::Aliases},
};

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_paused_search_survives_a_session(
        root in root(),
        weights in morris::weights(),
        (fidelity, keys, policy) in (select(vec!["sound", "seed"]), select(vec!["plain", "colour"]), select(vec!["none", "exact", "interval", "bound", "rote"])),
        (algorithm, symmetry, order) in (select(vec!["minimax", "alphabeta", "auto"]), select(vec!["on", "off"]), select(vec!["auto", "none", "memo", "seed", "static"])),
        (double_mill, flying) in (select(vec!["one", "two"]), select(vec!["on", "off"])),
        (before, budget) in (0..800_u64, 1..400_u64),
        (max_size, replace, uses) in (select(vec!["1000000", "20", "150", "6KiB"]), select(vec!["auto", "depth", "use", "clean"]), select(vec!["on", "off"])),
        selective in select(selective()),
        verify in select(vec!["on", "off", "off"]),
        (quiescence, history) in (select(vec!["on", "off"]), select(vec!["auto", "exact", "count", "ignore", "skip"])),
        twice in any::<bool>(),
    ) {
        let folder = in_memory();
        let path = folder.path().join("paused.ron");
        let chess = root.contains('k');
        let mut engine = engine(&root, &[]);
        let session = engine.session_mut();
        if chess {
            session.set_settings(&[("quiescence", quiescence), ("history", history)]).unwrap();
        } else {
            session.set_rules(&[("double_mill", double_mill), ("flying", flying)]).unwrap();
            let weights: Vec<_> = weights.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect();
            let weights: Vec<_> = weights.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            session.set_weights(&weights).unwrap();
        }
        let budget = budget.to_string();
        session.set_settings(&[
            ("fidelity", fidelity), ("keys", keys), ("memo", policy), ("algorithm", algorithm),
            ("symmetry", symmetry), ("order", order), ("budget", &budget), ("max_size", max_size),
            ("replace", replace), ("uses", uses), ("verify", verify),
        ]).unwrap();
        // Incompatible settings are refused, and change nothing.
        for setting in selective {
            let _ = session.set_settings(&[*setting]);
        }
        if twice {
            // With a cache filled by an earlier search.
            session.run(&[]).unwrap();
            session.drop_search();
        }
        session.resume(Resume::Step(before)).unwrap();
        engine.session().save_session(&path, &Aliases::new(), true).unwrap();
        let mut loaded = Engine::default();
        loaded.load_session(&path).unwrap();
        prop_assert_eq!(outcome(&loaded), outcome(&engine));
        prop_assert_eq!(events(&mut loaded), events(&mut engine));
        prop_assert_eq!(outcome(&loaded), outcome(&engine));
    }
}

fn reply(shell: &mut Shell, line: &str) -> Value {
    let replied = shell.run_line(line).pop().unwrap();
    let reply = replied.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault)).reply;
    let mut value = serde_json::to_value(&*reply).unwrap();
    value.as_object_mut().unwrap().remove("ms");
    value
}

/// A shell in the middle of its second search, whose table was filled by one of this depth.
fn stopped(game: &str, depth: u8) -> Shell {
    let mut shell = Shell::default();
    reply(&mut shell, &format!("game {game}; search run --depth {depth}; search drop"));
    reply(&mut shell, "search set depth=5; step 3000");
    shell
}

/// Commands that name the event that wrote an entry, for some entries.
fn writers(shell: &mut Shell) -> Vec<String> {
    let list = reply(shell, "cache list --sort depth --limit 5");
    let entries = list["entries"].as_array().unwrap().iter();
    entries.map(|entry| format!("cache get --writer {}", entry["key"].as_str().unwrap())).collect()
}

/// A loaded session has no checkpoint before the event at which it was saved, and replays its recording from the beginning.
#[test]
fn a_loaded_session_goes_back_as_the_saved_one_does() {
    for game in ["morris", "chess"] {
        let folder = in_memory();
        let path = folder.path().join("stopped.ron");
        // A larger table would not be saved with its beginning.
        let mut shell = stopped(game, 2);
        reply(&mut shell, &format!("session save {}", path.display()));
        let back = ["back next", "back finish", "back until store", "back until cutoff"];
        let lines = back.map(str::to_owned).into_iter().chain(writers(&mut shell));
        for line in lines {
            let mut loaded = Shell::default();
            reply(&mut loaded, &format!("session load {}", path.display()));
            let stack = reply(&mut loaded, "where");
            assert_eq!(reply(&mut loaded, &line), reply(&mut shell, &line), "{game}: {line}");
            reply(&mut shell, "goto end");
            if !line.starts_with("back") {
                assert_eq!(reply(&mut loaded, "where"), stack, "{game}: {line}");
            }
        }
    }
}

/// A session with a stopped search, the same session loaded from its file, and the commands that name the writers of its entries.
fn saved_and_loaded(game: &str) -> ([Shell; 2], Vec<String>) {
    let folder = in_memory();
    let path = folder.path().join("stopped.ron");
    let mut shell = stopped(game, 2);
    reply(&mut shell, &format!("session save {}", path.display()));
    let mut loaded = Shell::default();
    reply(&mut loaded, &format!("session load {}", path.display()));
    let lines = writers(&mut shell);
    ([shell, loaded], lines)
}

/// An entry that is removed by hand does not hide which events wrote the others.
#[test]
fn the_writers_of_other_entries_are_known_after_one_is_removed() {
    for game in ["morris", "chess"] {
        let (both, lines) = saved_and_loaded(game);
        for mut shell in both {
            let written =
                |shell: &mut Shell| lines[1..].iter().map(|line| reply(shell, line)).collect();
            let before: Vec<Value> = written(&mut shell);
            assert!(before.iter().any(|entry| entry["writer"]["event"].is_u64()), "{before:?}");
            reply(&mut shell, &lines[0].replace("get --writer", "remove"));
            let after: Vec<Value> = written(&mut shell);
            assert_eq!(after, before, "{game}");
        }
    }
}

/// An entry that was edited still has its writer, also in a loaded session, whose journal begins after the event that wrote it.
#[test]
fn the_writer_of_an_entry_is_known_after_an_edit() {
    for game in ["morris", "chess"] {
        let (both, lines) = saved_and_loaded(game);
        for mut shell in both {
            let mut known =
                lines.iter().map(|line| (line, reply(&mut shell, line)["writer"].clone()));
            let (line, before) = known.find(|(_, writer)| writer["event"].is_u64()).unwrap();
            reply(&mut shell, &format!("{} value=0.37", line.replace("get --writer", "set")));
            let after = &reply(&mut shell, line)["writer"];
            assert_eq!(after["event"], before["event"], "{game}: {line}");
            assert!(after["edited"].is_u64(), "{game}: {after}");
        }
    }
}

/// Replies that replay the search leave it at its event, even if they are interrupted.
#[test]
fn an_interrupted_replay_does_not_lose_the_place() {
    for game in ["morris", "chess"] {
        let mut shell = stopped(game, 4);
        reply(&mut shell, "search set budget=off");
        reply(&mut shell, "step 40000");
        let stack = reply(&mut shell, "where");
        let lines = writers(&mut shell).into_iter().chain(["explain tree".to_owned()]);
        for line in lines {
            let interrupt = shell.interrupt();
            interrupt.store(true, SeqCst);
            drop(shell.look_up(&line));
            interrupt.store(false, SeqCst);
            assert_eq!(reply(&mut shell, "where"), stack, "{game}: {line}");
        }
    }
}
