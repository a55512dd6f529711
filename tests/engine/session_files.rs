//! Session files: what is saved comes back, mistakes are named and change nothing, and a failed save leaves the old
//! session as it was.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::common::cases::cases;
use plyscope::engine::{
    Engine,
    game::Fault,
    report::Score,
    workbench::{Aliases, Filter, Page, Sort, Travel},
};
use proptest::{collection::vec, prelude::*};
use tempfile::TempDir;

const STATE: &str = "b..w.w../.b.....w/bw..bw.. b 4 5";

/// Everything of an engine that a person can see, in words. Times are left out.
fn seen(engine: &Engine) -> String {
    let bench = engine.bench();
    let list = bench
        .cache_list(&Filter::default(), Sort::Table, Page::ALL)
        .unwrap();
    let bits: Vec<_> = list
        .entries
        .iter()
        .map(|entry| {
            let bits = |score: Score| score.get().to_bits();
            (
                &entry.key,
                bits(entry.value),
                entry.alpha.map(bits),
                entry.beta.map(bits),
                entry.bound,
                entry.depth,
            )
        })
        .collect();
    let mut position = bench.position();
    position.notes.clear();
    let result = bench.result().map(|run| plyscope::engine::report::Run {
        ms: None,
        breakpoint: None,
        ..run
    });
    let stack = bench.stack().map(|stack| stack.frames);
    format!(
        "{position:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{bits:?}\n{result:?}\n{stack:?}",
        bench.rules().rules,
        bench.weights(),
        bench.weight_sets(),
        bench.settings().settings,
        bench.breakpoints(),
    )
}

/// An engine with something of everything that a session keeps.
fn busy() -> (Engine, Aliases) {
    let mut engine = Engine::default();
    let bench = engine.bench_mut();
    bench
        .set_rules(&[("double_mill", "one"), ("flying", "off")])
        .unwrap();
    bench.set_position(STATE).unwrap();
    for turn in 0..3 {
        let mv = bench.moves().moves[turn].mv.clone();
        bench.play(&mv).unwrap();
    }
    bench.undo().unwrap();
    bench.undo().unwrap();
    bench
        .define_weights("bold", &[("mills", "5.5"), ("stash", "-0.25")])
        .unwrap();
    bench.define_weights("tenth", &[("stones", "0.1")]).unwrap();
    bench.set_weights(&[("possible_mills", "0.3")]).unwrap();
    bench
        .set_settings(&[
            ("order", "static"),
            ("max_size", "777"),
            ("seed", "9"),
            ("budget", "5000"),
        ])
        .unwrap();
    bench.travel(Travel::Step(150)).unwrap();
    let key = bench.complete_keys("", 1)[0].clone();
    bench
        .cache_set(&key, &[("value", "-0.0"), ("alpha", "-inf")])
        .unwrap();
    bench
        .add_breakpoint(&[("ply", "3"), ("kind", "cutoff")], false)
        .unwrap();
    bench.add_breakpoint(&[("position", STATE)], true).unwrap();
    bench.add_breakpoint(&[("depth", "1")], false).unwrap();
    bench.enable_breakpoint(3, false).unwrap();
    bench.remove_breakpoint(Some(2)).unwrap();
    let aliases = [("n", "step 1"), ("look", "where; frame 0")];
    let aliases = aliases.map(|(name, text)| (name.to_owned(), text.to_owned()));
    (engine, Aliases::from(aliases))
}

fn save(engine: &Engine, path: &Path) -> Option<String> {
    engine
        .bench()
        .save_session(path, &Aliases::new())
        .unwrap()
        .cache_file
}

fn load(path: &Path) -> Result<Engine, Fault> {
    let mut engine = Engine::default();
    engine.load_session(path).map(|_| engine)
}

/// A folder with the session of a busy engine in it.
fn saved() -> (TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.ron");
    let (engine, aliases) = busy();
    engine.bench().save_session(&path, &aliases).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    (folder, path, text)
}

#[test]
fn everything_comes_back_as_it_was() {
    let (_folder, path, text) = saved();
    let (mut before, aliases) = busy();
    let mut after = Engine::default();
    let (restored, report) = after.load_session(&path).unwrap();
    assert_eq!(restored, aliases);
    assert_eq!(report.cache_file, None);
    assert_eq!(seen(&after), seen(&before));

    // The line of play goes on in both directions, and the next breakpoint gets the next number.
    for engine in [&mut before, &mut after] {
        let bench = engine.bench_mut();
        assert_eq!(bench.position().redo, 2);
        assert_eq!(bench.add_breakpoint(&[("ply", "9")], false).unwrap().id, 4);
        bench.redo().unwrap();
        bench.redo().unwrap();
        for _ in 0..3 {
            bench.undo().unwrap();
        }
        bench.use_weights("tenth").unwrap();
    }
    assert_eq!(seen(&after), seen(&before));

    // Saved again, it is the same document but for the milliseconds.
    after.load_session(&path).unwrap();
    after.bench().save_session(&path, &restored).unwrap();
    let timeless = |text: &str| {
        text.lines()
            .filter(|line| !line.trim().starts_with("ms:"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(
        timeless(&fs::read_to_string(&path).unwrap()),
        timeless(&text)
    );
}

#[test]
fn a_search_goes_on_from_a_session_as_if_nothing_had_happened() {
    let (_folder, path, _) = saved();
    let (mut before, _) = busy();
    let mut after = load(&path).unwrap();
    for engine in [&mut before, &mut after] {
        engine.bench_mut().remove_breakpoint(None).unwrap();
    }
    for _ in 0..400 {
        let [one, other] = [&mut before, &mut after]
            .map(|engine| engine.bench_mut().travel(Travel::Step(1)).unwrap());
        assert_eq!((one.event, one.done), (other.event, other.done));
    }
    for engine in [&mut before, &mut after] {
        engine.bench_mut().travel(Travel::Continue).unwrap();
    }
    assert_eq!(seen(&after), seen(&before));
}

/// Loads an edited session into a busy engine and shows that nothing there has changed.
fn refusal(path: &Path, text: &str) -> Fault {
    fs::write(path, text).unwrap();
    let (mut engine, _) = busy();
    let before = seen(&engine);
    let fault = engine.load_session(path).expect_err("refused");
    assert_eq!(seen(&engine), before);
    assert!(
        fault.message.contains("my.ron"),
        "the file is named: {fault}"
    );
    fault
}

fn edited(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} in {text}");
    text.replacen(from, to, 1)
}

/// The line and column, counted from 1, where something begins.
fn place(text: &str, what: &str) -> String {
    let at = text.find(what).unwrap();
    let line = text[..at].lines().count();
    let column = at - text[..at].rfind('\n').unwrap();
    format!("line {line}, column {column}")
}

#[test]
fn mistakes_made_by_hand_are_named_and_change_nothing() {
    let (_folder, path, text) = saved();
    let first_move = {
        let at = text.find("played: Some(\"").unwrap() + "played: Some(\"".len();
        text[at..].split('"').next().unwrap().to_owned()
    };
    let played = format!("played: Some(\"{first_move}\")");
    for (from, to, words) in [
        ("version: 1", "version: 2", "session version 2 is unknown"),
        (
            "game: \"morris\"",
            "game: \"chequers\"",
            "no game is called `chequers`",
        ),
        ("rules: {", "rulez: {", "rulez"),
        ("settings: (", "settings: (colour: 1, ", "colour"),
        ("switches: (", "switches: (oops: seed, ", "oops"),
        ("aliases: {", "aliases: 3, nothing: {", "line "),
        ("machine: (", "machine: (depthh: 3, ", "depthh"),
        ("counters: (", "counters: (nods: 3, ", "nods"),
        (
            "flying\": \"off\"",
            "flying\": \"sideways\"",
            "flying cannot be `sideways`",
        ),
        (STATE, "b..w.w../.b.....w/bw..bw.. b 4 9", "Black has"),
        (STATE, "b..w.w../.b.....w/bw..b b 4 5", "inner ring"),
        (&played, "played: Some(\"a7-a9\")", "position 2 of the line"),
        (&played, "played: None, state: \"\"", "state"),
        (
            "played: None",
            "played: Some(\"d6\")",
            "position 0 of the line",
        ),
        ("at: 2", "at: 44", "`at` is 44"),
        ("(\"mills\", 4.0)", "(\"mills\", inf)", "mills"),
        ("(\"mills\", 4.0)", "(\"mills\", NaN)", "mills"),
        (
            "(\"mills\", 4.0)",
            "(\"wheels\", 4.0)",
            "no weight `wheels`",
        ),
        (
            "(\"mills\", 4.0)",
            "(\"stones\", 4.0)",
            "weight stones is given 2 times",
        ),
        ("(\"mills\", 5.5)", "(\"mills\", -1.8888)", "runs with"),
        ("memo: interval", "memo: imaginary", "imaginary"),
        ("depth: None", "depth: Some(0)", "depth"),
        ("quiescence: false", "quiescence: true", "quiescence"),
        (
            "(\"kind\", \"cutoff\")",
            "(\"kind\", \"takeoff\")",
            "breakpoint 1: no event is called `takeoff`",
        ),
        ("value: -0.0", "value: \"nought\"", "nought"),
        ("value: -0.0", "value: NaN", "NaN"),
        (":0\"", "\"", "the key has no depth"),
        (":0\"", ":256\"", "`256` is not a depth"),
        ("stage: Inside", "stage: Over", "inconsistent"),
        ("stage: Inside", "stage: Child", "inconsistent"),
        ("phase: ", "phase: Finished, fase: ", "fase"),
        ("child: 0", "child: 99", "inconsistent"),
        ("base: 1", "base: 7", "inconsistent"),
        ("stop: None", "stop: Some(depth)", "inconsistent"),
    ] {
        // The last of the weights is the search's own.
        let text = match words {
            "runs with" => {
                let (search, _) = text.split_once("recording:").unwrap();
                let at = search.rfind("(\"stones\", 1.0)").unwrap();
                format!(
                    "{}(\"stones\", 1.5){}",
                    &text[..at],
                    &text[at + "(\"stones\", 1.0)".len()..]
                )
            }
            _ => edited(&text, from, to),
        };
        let fault = refusal(&path, &text);
        let said = format!("{} {}", fault.message, fault.hint.unwrap_or_default());
        assert!(said.contains(words), "{from} -> {to}: {said}");
    }
}

#[test]
fn mistakes_in_the_notation_are_found_to_the_line_and_column() {
    let (_folder, path, text) = saved();
    for (from, to, culprit) in [
        ("settings: (", "settings: (colour: 1, ", "colour: 1"),
        ("next_breakpoint: 4", "next_breakpoint: four", "four"),
        ("memo: interval", "memo: imaginary", "imaginary"),
        ("weights: ([", "weights: (3, [", "3, ["),
    ] {
        let text = edited(&text, from, to);
        let fault = refusal(&path, &text);
        let place = place(&text, culprit);
        let line = place.split(',').next().unwrap();
        assert!(
            fault.message.contains(line),
            "{from} -> {to}: {fault} at {place}"
        );
        assert!(fault.message.contains(", column "), "{fault}");
    }
    let cut = &text[..text.len() / 2];
    assert!(refusal(&path, cut).message.contains("line "), "cut short");
    assert!(
        refusal(&path, "").message.contains("line 1, column 1"),
        "empty"
    );
    let fault = Engine::default()
        .load_session(Path::new("no/such/my.ron"))
        .unwrap_err();
    assert!(fault.message.contains("no/such"), "{fault}");
}

/// An engine with more entries than a session holds itself.
fn large() -> Engine {
    let mut engine = Engine::default();
    let bench = engine.bench_mut();
    bench.set_position(STATE).unwrap();
    bench.travel(Travel::Step(30_000)).unwrap();
    assert!(bench.cache_stats().entries > 1_000);
    engine
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_large_cache_goes_beside_the_session_and_is_replaced_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.ron");
    let mut engine = large();
    let first = save(&engine, &path).unwrap();
    assert_eq!(files(folder.path()), [first.clone(), "my.ron".into()]);
    let loaded = load(&path).unwrap();
    assert_eq!(seen(&loaded), seen(&engine));

    assert_eq!(
        save(&engine, &path).as_ref(),
        Some(&first),
        "the same cache has the same name"
    );
    assert_eq!(files(folder.path()).len(), 2);

    engine.bench_mut().travel(Travel::Step(5_000)).unwrap();
    let second = save(&engine, &path).unwrap();
    assert_ne!(first, second);
    assert_eq!(files(folder.path()), [second.clone(), "my.ron".into()]);
    assert_eq!(seen(&load(&path).unwrap()), seen(&engine));

    engine.bench_mut().cache_clear();
    assert_eq!(save(&engine, &path), None);
    assert_eq!(
        files(folder.path()),
        ["my.ron"],
        "an inline cache needs no file"
    );
}

#[test]
fn a_copied_session_does_not_take_the_cache_of_its_original_away() {
    let folder = tempfile::tempdir().unwrap();
    let [path, copy] = ["my.ron", "copy.ron"].map(|name| folder.path().join(name));
    let engine = large();
    save(&engine, &path).unwrap();
    fs::copy(&path, &copy).unwrap();
    assert_eq!(seen(&load(&copy).unwrap()), seen(&engine));

    let mut other = load(&copy).unwrap();
    other.bench_mut().cache_clear();
    assert_eq!(save(&other, &copy), None);
    assert_eq!(
        seen(&load(&path).unwrap()),
        seen(&engine),
        "the original still has its own"
    );
}

#[test]
fn nothing_but_the_sessions_own_cache_file_is_ever_removed_or_read() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let path = inner.join("my.ron");
    let name = save(&large(), &path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let precious = folder.path().join("precious.plycache");
    fs::copy(inner.join(&name), &precious).unwrap();
    for forged in ["../precious.plycache", precious.to_str().unwrap(), "..", ""] {
        let text = text.replace(&name, forged);
        let fault = refusal(&path, &text);
        assert!(
            fault.message.contains("is not a plain name"),
            "{forged}: {fault}"
        );
        fs::write(&path, &text).unwrap();
        save(&Engine::default(), &path);
        assert!(precious.exists() && inner.join(&name).exists(), "{forged}");
    }
}

#[test]
fn a_cache_file_that_is_missing_changed_or_cut_short_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.ron");
    let name = save(&large(), &path).unwrap();
    let cache = folder.path().join(&name);
    let whole = fs::read(&cache).unwrap();
    let text = fs::read_to_string(&path).unwrap();

    fs::remove_file(&cache).unwrap();
    let missing = refusal(&path, &text);
    assert!(missing.message.contains(&name), "{missing}");

    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for bytes in [&changed[..], &whole[..whole.len() / 2], &[]] {
        fs::write(&cache, bytes).unwrap();
        let fault = refusal(&path, &text);
        assert!(
            fault.message.contains(&name) && fault.message.contains("is not the one"),
            "{fault}"
        );
        assert!(fault.hint.unwrap().contains("Inline([])"));
    }
    fs::write(&cache, &whole).unwrap();
    fs::write(&path, &text).unwrap();
    assert!(load(&path).is_ok());
}

/// Writes that cannot succeed: the old session stays, and nothing else is left behind.
#[test]
fn a_failed_save_leaves_the_old_session_and_no_litter() {
    for engine in [busy().0, large()] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.ron");
        save(&large(), &path).unwrap();
        let before = (files(folder.path()), fs::read(&path).unwrap());

        // A directory in the way of the session.
        let blocked = folder.path().join("blocked.ron");
        fs::create_dir(&blocked).unwrap();
        let fault = engine
            .bench()
            .save_session(&blocked, &Aliases::new())
            .unwrap_err();
        assert!(fault.message.contains("blocked.ron"), "{fault}");
        assert_eq!(fs::read_dir(&blocked).unwrap().count(), 0);
        fs::remove_dir(&blocked).unwrap();
        assert_eq!(files(folder.path()), before.0);

        // No such folder, and a file where a folder should be.
        for impossible in ["no/such/my.ron", "my.ron/my.ron"] {
            let impossible = folder.path().join(impossible);
            let fault = engine
                .bench()
                .save_session(&impossible, &Aliases::new())
                .unwrap_err();
            let parent = impossible.parent().unwrap().display().to_string();
            assert!(fault.message.contains(&parent), "{fault}");
        }

        // A write-protected session keeps its cache as well.
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let fault = engine
            .bench()
            .save_session(&path, &Aliases::new())
            .unwrap_err();
        assert!(fault.message.contains("write-protected"), "{fault}");
        assert_eq!((files(folder.path()), fs::read(&path).unwrap()), before);
        assert_eq!(seen(&load(&path).unwrap()), seen(&large()));
    }
}

/// A program killed between its writes leaves a cache that no session names, or a draft: neither is in the way.
#[test]
fn what_a_killed_program_left_behind_is_in_nobodys_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.ron");
    let mut engine = large();
    let name = save(&engine, &path).unwrap();
    let before = seen(&engine);
    for litter in [
        "my.plycache.new",
        "my-00000000.plycache",
        ".plyscope-abc.tmp",
    ] {
        fs::write(folder.path().join(litter), "half").unwrap();
    }
    assert_eq!(seen(&load(&path).unwrap()), before);
    engine.bench_mut().travel(Travel::Step(2_000)).unwrap();
    assert_ne!(save(&engine, &path).unwrap(), name);
    assert_eq!(seen(&load(&path).unwrap()), seen(&engine));
}

#[test]
fn sessions_of_every_policy_and_fidelity_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.ron");
    for memo in ["none", "exact", "interval", "bound", "rote"] {
        for (fidelity, keys) in [("sound", "plain"), ("seed", "plain"), ("seed", "colour")] {
            for algorithm in ["minimax", "alphabeta"] {
                let mut engine = Engine::default();
                let bench = engine.bench_mut();
                bench.set_position(STATE).unwrap();
                bench
                    .set_settings(&[
                        ("fidelity", fidelity),
                        ("keys", keys),
                        ("memo", memo),
                        ("algorithm", algorithm),
                    ])
                    .unwrap();
                if memo == "rote" {
                    bench.cache_set("here", &[("value", "-0.0")]).unwrap();
                }
                bench.travel(Travel::Step(900)).unwrap();
                save(&engine, &path);
                let mut loaded = load(&path).unwrap();
                assert_eq!(
                    seen(&loaded),
                    seen(&engine),
                    "{memo} {fidelity} {keys} {algorithm}"
                );
                for engine in [&mut engine, &mut loaded] {
                    engine.bench_mut().travel(Travel::Step(3_000)).unwrap();
                }
                assert_eq!(
                    seen(&loaded),
                    seen(&engine),
                    "{memo} {fidelity} {keys} {algorithm}"
                );
            }
        }
    }
}

/// Changes words and numbers of a document at random, as a careless hand would.
fn mangle(text: &str, changes: &[(usize, usize)]) -> String {
    let mut words: Vec<String> = text
        .split_inclusive([' ', '(', ')', ',', ':', '\n'])
        .map(str::to_owned)
        .collect();
    for &(at, how) in changes {
        let (at, other) = (at % words.len(), how / 8 % words.len());
        match how % 8 {
            0 => {
                let word = words[other].clone();
                words[at] = word;
            }
            1 => words.swap(at, other),
            2 => words[at] = words[at].replace(|c: char| c.is_ascii_digit(), "0"),
            3 => words[at] = words[at].replace(|c: char| c.is_ascii_digit(), "9"),
            4 => words[at] = words[at].replace("None", "Some(0)"),
            5 => words[at] = words[at].replace("Some", "None; "),
            6 => words[at] = String::new(),
            _ => {
                let word = words[at].replace("true", "false");
                words[at] = word.replace('.', "w").replace('1', "2");
            }
        }
    }
    words.concat()
}

proptest! {
    #![proptest_config(cases(250))]

    /// Whatever a hand has done to a session: it is refused, or everything goes on without a panic.
    #[test]
    fn no_edited_session_brings_the_engine_down(
        events in 0..700_u64,
        changes in vec((any::<usize>(), any::<usize>()), 1..4),
        machine_only in any::<bool>()
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.ron");
        let mut engine = Engine::default();
        engine.bench_mut().set_position(STATE).unwrap();
        engine.bench_mut().travel(Travel::Step(events)).unwrap();
        save(&engine, &path);
        let text = fs::read_to_string(&path).unwrap();
        let from = if machine_only { text.find("machine:").unwrap_or(0) } else { 0 };
        fs::write(&path, format!("{}{}", &text[..from], mangle(&text[from..], &changes))).unwrap();
        if let Ok(mut engine) = load(&path) {
            let bench = engine.bench_mut();
            bench.frame(None).ok();
            bench.result().ok();
            bench.set_settings(&[("budget", "3000")]).unwrap();
            for travel in [Travel::Step(1), Travel::Next, Travel::Finish, Travel::Step(200), Travel::Continue] {
                bench.travel(travel).ok();
                bench.stack().ok();
            }
            bench.run(&[]).ok();
            seen(&engine);
            save(&engine, &path);
            prop_assert!(load(&path).is_ok());
        }
    }
}
