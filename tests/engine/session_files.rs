//! Session files: they load as they were saved, mistakes are named and change nothing, and a failed save keeps the old
//! file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use proptest::{collection::vec, prelude::*, sample::select};
use tempfile::TempDir;

use crate::common::{cases::cases, folder::in_memory, plain::PLAIN, roots::ROOTS, running};
use plyscope::engine::{
    Engine,
    cachefile::CACHE_MARKER,
    game::Fault,
    recording::Resume,
    session::{Aliases, cache::Sort, reply::Score},
};

const STATE: &str = "b..w.w../.b.....w/bw..bw.. b 4 5";

/// Everything that a person can see of an engine, as text, without times.
fn seen(engine: &Engine) -> String {
    let session = engine.session();
    let list = session.cache_list(&[], Sort::Table, 0..usize::MAX).unwrap();
    let bits: Vec<_> = list
        .entries
        .iter()
        .map(|entry| {
            let bits = |score: Score| score.get().to_bits();
            (
                &entry.key,
                bits(entry.value),
                entry.window.map(|window| [bits(window.alpha), bits(window.beta)]),
                entry.bound,
                entry.depth,
            )
        })
        .collect();
    let mut position = session.position();
    position.notes.clear();
    let result = session.result().map(|run| plyscope::engine::session::search::Run {
        ms: None,
        breakpoint: None,
        ..run
    });
    let stack = session.stack().map(|stack| stack.frames);
    let timelines = session.timelines();
    format!(
        "{position:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{bits:?}\n{result:?}\n{stack:?}",
        session.rules().rules,
        session.weights(),
        session.weight_sets(),
        session.settings(true).settings,
        session.breakpoints(),
        session.displays(),
        session.players(),
        timelines.timelines,
        timelines.bookmarks,
    )
}

/// For each game: rules to change, a position, a weight, and settings of its searches.
struct Setting {
    game: &'static str,
    rules: &'static [(&'static str, &'static str)],
    state: &'static str,
    weight: &'static str,
    settings: &'static [(&'static str, &'static str)],
}

const MORRIS: Setting = Setting {
    game: "morris",
    rules: &[("double_mill", "one"), ("flying", "off")],
    state: STATE,
    weight: "mills",
    settings: &[("order", "static"), ("max_size", "777")],
};

const CHESS: Setting = Setting {
    game: "chess",
    rules: &[],
    state: "r3k2r/pp1n1ppp/2p1b3/4p3/4P3/2N1B3/PPP2PPP/R3K2R w KQkq - 3 14",
    weight: "pawn",
    settings: &[("memo", "interval"), ("quiescence", "on"), ("order", "captures+killers+history")],
};

const GAMES: [Setting; 2] = [MORRIS, CHESS];

/// An engine with everything that a session keeps, stopped after an edit of an entry.
fn busy_at(setting: &Setting) -> (Engine, Aliases) {
    let mut engine = Engine::default();
    engine.choose_game(setting.game).unwrap();
    let session = engine.session_mut();
    session.set_rules(setting.rules).unwrap();
    session.set_position(setting.state).unwrap();
    for turn in 0..3 {
        let mv = session.moves().moves[turn].mv.clone();
        session.play(mv.plain()).unwrap();
    }
    session.undo(1).unwrap();
    session.undo(1).unwrap();
    session.define_weights("bold", &[(setting.weight, "5.5")]).unwrap();
    session.define_weights("tenth", &[(setting.weight, "0.1")]).unwrap();
    session.set_weights(&[(setting.weight, "4.25")]).unwrap();
    session.define_player("deep", &[("depth", "7")]).unwrap();
    session.set_settings(&[&PLAIN, setting.settings].concat()).unwrap();
    session.set_settings(&[("seed", "9"), ("budget", "5000")]).unwrap();
    session.resume(Resume::Step(100)).unwrap();
    session.mark("early").unwrap();
    session.resume(Resume::Step(50)).unwrap();
    let key = session.some_entries(1)[0].0.clone();
    session.cache_set(&key, &[("value", "-0.0"), ("alpha", "-inf")]).unwrap();
    session.committed_timelines();
    running::break_at(session, &[("ply", "3"), ("kind", "cutoff")], false).unwrap();
    running::break_at(session, &[("position", setting.state)], true).unwrap();
    running::break_at(session, &[("depth", "1")], false).unwrap();
    session.ignore_breakpoint(1, 3).unwrap();
    session.enable_breakpoint(3, false).unwrap();
    session.remove_breakpoint(Some(2)).unwrap();
    session.add_display("alpha + 1").unwrap();
    let aliases = [("n", "step 1"), ("look", "where; frame 0")];
    let aliases = aliases.map(|(name, text)| (name.to_owned(), text.to_owned()));
    (engine, Aliases::from(aliases))
}

fn busy() -> (Engine, Aliases) {
    busy_at(&MORRIS)
}

fn save(engine: &Engine, path: &Path) {
    engine.session().save_session(path, &Aliases::new(), true).unwrap();
}

fn load(path: &Path) -> Result<Engine, Fault> {
    let mut engine = Engine::default();
    engine.load_session(path).map(|_| engine)
}

/// A folder with the session of that engine.
fn saved() -> (TempDir, PathBuf, String) {
    saved_at(&MORRIS)
}

fn saved_at(setting: &Setting) -> (TempDir, PathBuf, String) {
    let folder = in_memory();
    let path = folder.path().join("my.ron");
    let (engine, aliases) = busy_at(setting);
    engine.session().save_session(&path, &aliases, true).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    (folder, path, text)
}

#[test]
fn a_session_loads_as_it_was_saved() {
    for setting in &GAMES {
        let (_folder, path, text) = saved_at(setting);
        let (mut before, aliases) = busy_at(setting);
        let mut after = Engine::default();
        let (restored, _) = after.load_session(&path).unwrap();
        assert_eq!(restored, aliases);
        assert_eq!(seen(&after), seen(&before));

        // The edit is restored when the search goes back and forth; moves to redo keep their order, and the next
        // breakpoint has the next number.
        for engine in [&mut before, &mut after] {
            let session = engine.session_mut();
            session.resume(Resume::Goto(120)).unwrap();
            session.resume(Resume::Goto(170)).unwrap();
        }
        assert_eq!(seen(&after), seen(&before));
        for engine in [&mut before, &mut after] {
            let session = engine.session_mut();
            assert_eq!(session.position().redo, 2);
            let list = running::break_at(session, &[("ply", "9")], false).unwrap();
            assert_eq!(list.breakpoints.last().unwrap().id, 4);
            session.redo(1).unwrap();
            session.redo(1).unwrap();
            for _ in 0..3 {
                session.undo(1).unwrap();
            }
            session.use_weights("tenth").unwrap();
        }
        assert_eq!(seen(&after), seen(&before));

        // Saved again, the document is the same, except for the milliseconds.
        after.load_session(&path).unwrap();
        after.session().save_session(&path, &restored, true).unwrap();
        let timeless = |text: &str| {
            text.lines()
                .filter(|line| !line.trim().starts_with("ms:") && !line.contains("search_crc32"))
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_eq!(timeless(&fs::read_to_string(&path).unwrap()), timeless(&text));
    }
}

#[test]
fn a_search_loaded_from_a_session_continues_unchanged() {
    for setting in &GAMES {
        let (_folder, path, _) = saved_at(setting);
        let (mut before, _) = busy_at(setting);
        let mut after = load(&path).unwrap();
        for engine in [&mut before, &mut after] {
            engine.session_mut().remove_breakpoint(None).unwrap();
        }
        for _ in 0..400 {
            let [one, other] = [&mut before, &mut after]
                .map(|engine| engine.session_mut().resume(Resume::Step(1)).unwrap());
            assert_eq!((one.event, one.done), (other.event, other.done));
        }
        for engine in [&mut before, &mut after] {
            engine.session_mut().resume(Resume::Continue).unwrap();
        }
        assert_eq!(seen(&after), seen(&before));
    }
}

/// Loads an edited session into an engine with a session and asserts that nothing there has changed.
fn refusal(path: &Path, text: impl AsRef<[u8]>) -> Fault {
    fs::write(path, text).unwrap();
    let (mut engine, _) = busy();
    let before = seen(&engine);
    let fault = engine.load_session(path).expect_err("refused");
    assert_eq!(seen(&engine), before);
    assert!(fault.message.contains("my.ron"), "the file is named: {fault}");
    fault
}

fn edited(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} in {text}");
    text.replacen(from, to, 1)
}

/// The line and column, from 1, of a text's place.
fn place(text: &str, what: &str) -> String {
    let at = text.find(what).unwrap();
    let line = text[..at].lines().count();
    let column = at - text[..at].rfind('\n').unwrap();
    format!("line {line}, column {column}")
}

/// A search is loaded as it was saved or refused, whichever part of it was changed; without the search the rest of the
/// session loads.
#[test]
fn a_search_changed_by_hand_is_refused() {
    for state in ROOTS {
        let folder = in_memory();
        let path = folder.path().join("my.ron");
        let mut engine = running::engine(state, &[("memo", "interval")]);
        engine.session_mut().resume(Resume::Step(500)).unwrap();
        save(&engine, &path);
        let text = fs::read_to_string(&path).unwrap();
        let (before, search) = text.split_once("\n    search: ").unwrap();
        for (from, to) in [
            ("start: 0", "start: 1"),
            ("depth: 2", "depth: 3"),
            ("phase: ", "phase: Over, was: "),
            ("stop: None", "stop: Some(\"depth\")"),
            ("machine: (", "machine: (depthh: 3, "),
            ("nodes: ", "nodes: 1"),
            ("last_is_current: true", "last_is_current: false"),
        ] {
            let changed = edited(search, from, to);
            let fault = refusal(&path, format!("{before}\n    search: {changed}"));
            assert!(fault.message.contains("changed by hand"), "{from}: {fault}");
            assert!(fault.hint.is_some_and(|hint| hint.contains("search: None")));
        }
        fs::write(&path, format!("{before}\n    search: None,\n)\n")).unwrap();
        assert!(load(&path).unwrap().session().stack().is_err());
    }
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
        ("game: \"morris\"", "game: \"chequers\"", "no game is called `chequers`"),
        ("rules: {", "rulez: {", "rulez"),
        ("settings: (", "settings: (colour: 1, ", "colour"),
        ("switches: (", "switches: (oops: seed, ", "oops"),
        ("aliases: {", "aliases: 3, nothing: {", "line "),
        ("flying\": \"off\"", "flying\": \"sideways\"", "flying cannot be `sideways`"),
        (STATE, "b..w.w../.b.....w/bw..bw.. b 4 9", "Black has"),
        (STATE, "b..w.w../.b.....w/bw..b b 4 5", "inner ring"),
        (&played, "played: Some(\"a7-a9\")", "position 2 of the line"),
        (&played, "played: None, state: \"\"", "state"),
        ("played: None", "played: Some(\"d6\")", "position 0 of the line"),
        ("at: 2", "at: 44", "`at` is 44"),
        ("(\"mills\", 4.25)", "(\"mills\", inf)", "mills"),
        ("(\"mills\", 4.25)", "(\"mills\", NaN)", "mills"),
        ("(\"mills\", 4.25)", "(\"wheels\", 4.0)", "no weight `wheels`"),
        ("(\"mills\", 4.25)", "(\"stones\", 4.0)", "weight stones is given 2 times"),
        ("memo: Some(interval)", "memo: Some(imaginary)", "imaginary"),
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
    ] {
        let text = edited(&text, from, to);
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
        ("memo: Some(interval)", "memo: Some(imaginary)", "imaginary"),
        ("weights: ([", "weights: (3, [", "3, ["),
    ] {
        let text = edited(&text, from, to);
        let fault = refusal(&path, &text);
        let place = place(&text, culprit);
        let line = place.split(',').next().unwrap();
        assert!(fault.message.contains(line), "{from} -> {to}: {fault} at {place}");
        assert!(fault.message.contains(", column "), "{fault}");
    }
    let cut = &text[..text.len() / 2];
    assert!(refusal(&path, cut).message.contains("line "), "cut short");
    assert!(refusal(&path, "").message.contains("line 1, column 1"), "empty");
    let fault = Engine::default().load_session(Path::new("no/such/my.ron")).unwrap_err();
    assert!(fault.message.contains("no/such"), "{fault}");
}

/// An engine with more entries than a session's document can hold.
fn large() -> Engine {
    large_at(&MORRIS)
}

fn large_at(setting: &Setting) -> Engine {
    let mut engine = Engine::default();
    engine.choose_game(setting.game).unwrap();
    let session = engine.session_mut();
    session.set_settings(&PLAIN).unwrap();
    session.set_position(setting.state).unwrap();
    session.resume(Resume::Step(30_000)).unwrap();
    assert!(session.cache_stats().cache.entries > 1_000);
    engine
}

/// A session's document and, from the line before it, its cache.
fn parted(session: &[u8]) -> (String, Vec<u8>) {
    let marker = CACHE_MARKER.as_bytes();
    let at = session.windows(marker.len()).position(|part| part == marker);
    let (text, cache) = session.split_at(at.unwrap());
    (String::from_utf8(text.to_vec()).unwrap(), cache.to_vec())
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_session_is_one_file_and_a_copy_of_it_is_whole() {
    for setting in &GAMES {
        let folder = in_memory();
        let [path, copy] = ["my.ron", "copy.ron"].map(|name| folder.path().join(name));
        let mut engine = large_at(setting);
        save(&engine, &path);
        assert_eq!(files(folder.path()), ["my.ron"]);
        assert_eq!(seen(&load(&path).unwrap()), seen(&engine));

        fs::copy(&path, &copy).unwrap();
        let before = seen(&engine);
        engine.session_mut().resume(Resume::Step(5_000)).unwrap();
        save(&engine, &path);
        assert_eq!(files(folder.path()), ["copy.ron", "my.ron"]);
        assert_eq!(seen(&load(&path).unwrap()), seen(&engine));
        assert_eq!(seen(&load(&copy).unwrap()), before, "the copy has its own");

        engine.session_mut().cache_clear();
        save(&engine, &path);
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains(CACHE_MARKER), "nothing follows the document");
        assert_eq!(seen(&load(&path).unwrap()), seen(&engine));
    }
}

#[test]
fn the_document_before_a_large_cache_can_be_edited_by_hand() {
    let folder = in_memory();
    let path = folder.path().join("my.ron");
    save(&large(), &path);
    let (text, cache) = parted(&fs::read(&path).unwrap());
    let text = edited(&text, "next_breakpoint: 1", "// seven\n    next_breakpoint: 7");
    fs::write(&path, [text.as_bytes(), &cache].concat()).unwrap();
    let mut loaded = load(&path).unwrap();
    assert_eq!(seen(&loaded), seen(&large()));
    let added = running::break_at(loaded.session_mut(), &[("ply", "9")], false);
    assert_eq!(added.unwrap().breakpoints.last().unwrap().id, 7);
}

#[test]
fn a_damaged_cache_in_a_session_is_refused_with_place_and_remedy() {
    for setting in &GAMES {
        let folder = in_memory();
        let path = folder.path().join("my.ron");
        save(&large_at(setting), &path);
        let (text, cache) = parted(&fs::read(&path).unwrap());
        let line = text.lines().count() + 1;
        let bytes = CACHE_MARKER.len() + 1..cache.len() - 1;
        let flipped = bytes.clone().step_by(bytes.len() / 20).map(|at| {
            let mut cache = cache.clone();
            cache[at] ^= 1;
            cache
        });
        let cut = [bytes.start, bytes.start + 40, bytes.len() / 2, bytes.end - 1];
        let cut = cut.map(|at| cache[..at].to_vec());
        let longer = [cache.clone(), b"more\n".to_vec()].concat();
        for cache in flipped.chain(cut).chain([longer]) {
            let fault = refusal(&path, [text.as_bytes(), &cache].concat());
            let place = format!("the cache after line {line}: ");
            assert!(fault.message.contains(&place), "{fault}");
            assert!(fault.hint.unwrap().contains("`cache: Inline([])`"));
        }

        let fault = refusal(&path, &text);
        assert!(fault.message.contains("the cache is missing"), "{fault}");
        let fault = refusal(&path, [text.as_bytes(), &cache[9..]].concat());
        assert!(fault.message.contains("is not UTF-8"), "{fault}");
        assert!(fault.hint.unwrap().contains(CACHE_MARKER));

        // The remedy.
        let rest = edited(&text, "cache: Below", "cache: Inline([])");
        fs::write(&path, [rest.as_bytes(), &cache[..99]].concat()).unwrap();
        let loaded = load(&path).unwrap();
        assert_eq!(loaded.session().cache_stats().cache.entries, 0);
        assert!(loaded.session().result().is_ok());
    }
}

/// Saves that fail keep the old session, and leave no other file.
#[test]
fn a_failed_save_leaves_the_old_session_and_no_other_file() {
    for engine in [busy().0, large()] {
        let folder = in_memory();
        let path = folder.path().join("my.ron");
        save(&large(), &path);
        let before = (files(folder.path()), fs::read(&path).unwrap());

        // A directory of the session's name.
        let blocked = folder.path().join("blocked.ron");
        fs::create_dir(&blocked).unwrap();
        let fault = engine.session().save_session(&blocked, &Aliases::new(), true).unwrap_err();
        assert!(fault.message.contains("blocked.ron"), "{fault}");
        assert_eq!(fs::read_dir(&blocked).unwrap().count(), 0);
        fs::remove_dir(&blocked).unwrap();
        assert_eq!(files(folder.path()), before.0);

        // No such folder, and a file where a folder should be.
        for impossible in ["no/such/my.ron", "my.ron/my.ron"] {
            let impossible = folder.path().join(impossible);
            let fault =
                engine.session().save_session(&impossible, &Aliases::new(), true).unwrap_err();
            let parent = impossible.parent().unwrap().display().to_string();
            assert!(fault.message.contains(&parent), "{fault}");
        }

        // A write-protected session.
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let fault = engine.session().save_session(&path, &Aliases::new(), true).unwrap_err();
        assert!(fault.message.contains("write-protected"), "{fault}");
        assert_eq!((files(folder.path()), fs::read(&path).unwrap()), before);
        assert_eq!(seen(&load(&path).unwrap()), seen(&large()));
    }
}

#[test]
fn sessions_of_every_policy_and_fidelity_come_back() {
    let folder = in_memory();
    let path = folder.path().join("my.ron");
    for state in [MORRIS.state, CHESS.state] {
        for policy in ["none", "exact", "interval", "bound", "rote"] {
            for (fidelity, keys) in [("sound", "plain"), ("seed", "plain"), ("seed", "colour")] {
                for algorithm in ["minimax", "alphabeta"] {
                    let settings = [
                        ("fidelity", fidelity),
                        ("keys", keys),
                        ("memo", policy),
                        ("algorithm", algorithm),
                    ];
                    let mut engine = running::engine(state, &settings);
                    let session = engine.session_mut();
                    if policy == "rote" {
                        session.cache_set("here", &[("value", "-0.0")]).unwrap();
                    }
                    session.resume(Resume::Step(300)).unwrap();
                    save(&engine, &path);
                    let mut loaded = load(&path).unwrap();
                    assert_eq!(seen(&loaded), seen(&engine), "{state} {settings:?}");
                    for engine in [&mut engine, &mut loaded] {
                        engine.session_mut().resume(Resume::Step(600)).unwrap();
                    }
                    assert_eq!(seen(&loaded), seen(&engine), "{state} {settings:?}");
                }
            }
        }
    }
}

/// Changes words and numbers of a document at random.
fn mangle(text: &str, changes: &[(usize, usize)]) -> String {
    let mut words: Vec<String> =
        text.split_inclusive([' ', '(', ')', ',', ':', '\n']).map(str::to_owned).collect();
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
    #![proptest_config(cases(200))]

    /// An edited session is refused, or every command works without a panic.
    #[test]
    fn no_edited_session_brings_the_engine_down(
        state in select(vec![MORRIS.state, CHESS.state]),
        (algorithm, order) in select(vec![("alphabeta", "auto"), ("pvs", "killers+history"), ("mtdf", "memo+static")]),
        events in 0..300_u64,
        changes in vec((any::<usize>(), any::<usize>()), 1..4),
        machine_only in any::<bool>()
    ) {
        let folder = in_memory();
        let path = folder.path().join("my.ron");
        let mut engine = running::engine(state, &[("algorithm", algorithm), ("order", order)]);
        engine.session_mut().resume(Resume::Step(events)).unwrap();
        save(&engine, &path);
        let text = fs::read_to_string(&path).unwrap();
        let from = if machine_only { text.find("machine:").unwrap_or(0) } else { 0 };
        fs::write(&path, format!("{}{}", &text[..from], mangle(&text[from..], &changes))).unwrap();
        if let Ok(mut engine) = load(&path) {
            let session = engine.session_mut();
            session.frame(None).ok();
            session.result().ok();
            session.set_settings(&[("budget", "300")]).unwrap();
            for resume in [Resume::Step(1), Resume::Next, Resume::Finish, Resume::Step(200), Resume::Continue] {
                session.resume(resume).ok();
                session.stack().ok();
            }
            session.run(&[]).ok();
            seen(&engine);
            save(&engine, &path);
            prop_assert!(load(&path).is_ok());
        }
    }
}
