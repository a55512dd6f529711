//! Going back: at every event, search, counters and cache are the same, however it was reached.

use std::sync::atomic::{AtomicBool, Ordering};

use proptest::{prelude::*, sample::select};

use crate::common::{
    cases::cases,
    folder::in_memory,
    plain::PLAIN,
    roots::{root, selective},
    running::engine,
};
use plyscope::{
    command::Shell,
    engine::{
        Engine,
        cachefile::Document,
        debugger::Action,
        game::{Remedy, Score},
        morris::{Morris, Position},
        recording::{Backward, Checkpoint, MOST_CHECKPOINTS, Recorder, Resume},
        search::{Context, EventKind, NoWatcher, Plan},
        searcher::{RunLimits, Searcher},
        session::{Aliases, AnySession, cache::Sort, event::EventReport, search::StopReport},
    },
};

/// The saved session: search, counters, cache; without times and recording.
fn state(engine: &Engine) -> String {
    let folder = in_memory();
    let path = folder.path().join("state.ron");
    engine.session().save_session(&path, &Aliases::default(), true).unwrap();
    let Document { text, cache } = Document::read(&path).unwrap();
    let bytes = cache.unwrap_or_default();
    let parts = text.split_once("recording:").or(text.split_once("search_crc32:"));
    let (machine, _) = parts.unwrap_or((&text, ""));
    let end = |end: char| end.is_whitespace() || "),".contains(end);
    let lines = machine.trim_end_matches(end).lines();
    let lasting = lines.filter(|line| !line.trim_start().starts_with("ms:"));
    let cache = format!("cache of CRC-32 {:08x}", crc32fast::hash(&bytes));
    lasting.chain([&*cache]).collect::<Vec<_>>().join("\n")
}

/// [`state`] without settings, which stay as they are when a search goes back.
fn machine(engine: &Engine) -> String {
    let state = state(engine);
    let (_, machine) = state.split_once("    cache: ").unwrap();
    machine.to_owned()
}

fn resume(engine: &mut Engine, resume: Resume) -> StopReport {
    engine.session_mut().resume(resume).unwrap()
}

fn event(stop: &StopReport) -> &EventReport {
    stop.event.as_ref().unwrap()
}

/// The number of events of the whole search.
fn length(engine: &mut Engine) -> u64 {
    engine.session_mut().run(&[]).unwrap().events
}

const POLICIES: [&str; 5] = ["none", "exact", "interval", "bound", "rote"];

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn every_event_is_the_same_from_both_directions(
        root in root(),
        policy in select(POLICIES.to_vec()),
        fidelity in select(vec!["sound", "seed"]),
        (algorithm, symmetry) in (select(vec!["minimax", "alphabeta", "auto"]), select(vec!["on", "off"])),
        (size, replace) in (select(vec!["30", "1000000"]), select(vec!["auto", "depth", "use", "clean"])),
        (selective, order) in (select(selective()), select(vec!["auto", "best+captures"])),
        places in proptest::collection::vec(0..1_000_u64, 2..6),
    ) {
        let settings = [
            ("memo", policy), ("fidelity", fidelity), ("algorithm", algorithm),
            ("symmetry", symmetry), ("depth", "3"), ("budget", "4000"),
            ("max_size", size), ("replace", replace), ("order", order),
        ];
        let engine = |root: &str| {
            let mut engine = engine(root, &settings);
            for setting in selective {
                let _ = engine.session_mut().set_settings(&[*setting]);
            }
            engine
        };
        let mut recorded = engine(&root);
        // A second search begins with the first one's entries.
        length(&mut recorded);
        let entries = recorded.session().cache_stats().cache.entries;
        let mut plain = engine(&root);
        plain.session_mut().set_settings(&[("record", "off")]).unwrap();
        length(&mut plain);
        prop_assert_eq!(plain.session().cache_stats().cache.entries, entries);
        let events = length(&mut recorded);
        let end = state(&recorded);
        let mut wanted: Vec<_> = places
            .iter()
            .map(|place| place * events / 1_000)
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        // The search without recording, forwards only.
        plain.session_mut().drop_search();
        let mut seen = Vec::new();
        for &index in &wanted {
            let stop = resume(&mut plain, Resume::Goto(index));
            seen.push((index, event(&stop).clone(), state(&plain).replace("record: false", "record: true")));
        }
        for (index, found, there) in seen.iter().rev().chain(&seen).chain(seen.iter().rev()) {
            let stop = resume(&mut recorded, Resume::Goto(*index));
            prop_assert_eq!(event(&stop), found);
            prop_assert_eq!(&state(&recorded), there);
        }
        let stop = resume(&mut recorded, Resume::Goto(events - 1));
        prop_assert_eq!(event(&stop).index, events - 1);
        prop_assert_eq!(state(&recorded), end);
    }

    #[test]
    fn going_back_reaches_the_same_states_as_going_forwards(
        root in root(),
        policy in select(POLICIES.to_vec()),
        steps in 2..400_u64,
    ) {
        let mut engine = engine(&root, &[("memo", policy), ("depth", "3")]);
        let mut seen = Vec::new();
        for _ in 0..steps {
            let stop = resume(&mut engine, Resume::Step(1));
            seen.push(event(&stop).clone());
            if stop.done {
                break;
            }
        }
        while let Some(last) = seen.pop() {
            let mut height = None;
            if let Some(before) = seen.last() {
                let stop = resume(&mut engine, Resume::Back(Backward::Step(1)));
                prop_assert_eq!(event(&stop), before);
                height = Some(before.ply);
            }
            prop_assert_eq!(last.index, seen.len() as u64);
            // At some events: `next` and `finish`.
            if let Some(ply) = height.filter(|_| seen.len() % 16 == 7) {
                let here = event(&resume(&mut engine, Resume::Goto(seen.len() as u64 - 1))).clone();
                let earlier = seen[..seen.len() - 1].iter().rev();
                for (back, wanted) in [
                    (Backward::Next, earlier.clone().find(|event| event.ply <= ply)),
                    (Backward::Until(EventKind::Leaf), earlier.clone().find(|event| event.kind == EventKind::Leaf)),
                ] {
                    let stop = resume(&mut engine, Resume::Back(back));
                    if let Some(wanted) = wanted {
                        prop_assert_eq!(event(&stop), wanted);
                    } else {
                        prop_assert_eq!(stop.stopped.as_str(), "start");
                    }
                    let stop = resume(&mut engine, Resume::Goto(here.index));
                    prop_assert_eq!(event(&stop), &here);
                }
            }
        }
    }

}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn an_edit_starts_a_branch_and_both_timelines_stay(
        root in root(),
        at in 40..200_u64,
    ) {
        let mut engine = engine(&root, &[("memo", "interval"), ("depth", "3")]);
        let events = length(&mut engine);
        prop_assume!(events > at + 1 && engine.session().cache_stats().cache.entries > 0);
        let end = state(&engine);
        resume(&mut engine, Resume::Goto(at));
        let list = engine.session().cache_list(&[], Sort::default(), 0..1).unwrap();
        prop_assume!(!list.entries.is_empty());
        let key = list.entries[0].key.clone();
        engine.session_mut().cache_set(&key, &[("value", "0.625")]).unwrap();
        let there = state(&engine);
        let stop = resume(&mut engine, Resume::Continue);
        prop_assert_eq!(stop.timeline.as_deref(), Some("2"));
        let other_end = state(&engine);
        // Back before the edit, forwards over it, and to the end of either timeline.
        resume(&mut engine, Resume::Goto(at / 2));
        prop_assert_ne!(&state(&engine), &there);
        resume(&mut engine, Resume::Goto(at));
        prop_assert_eq!(&state(&engine), &there);
        resume(&mut engine, Resume::Continue);
        prop_assert_eq!(&state(&engine), &other_end);
        engine.session_mut().use_timeline("1").unwrap();
        resume(&mut engine, Resume::Continue);
        prop_assert_eq!(&state(&engine), &end);
        engine.session_mut().use_timeline("2").unwrap();
        prop_assert_eq!(&state(&engine), &other_end);
        let diff = engine.session_mut().diff(Some(("1", "2"))).unwrap();
        if let Some(same) = diff.fields["divergence"]["same"].as_u64() {
            prop_assert!(same > at, "{same} events are the same");
        }
        prop_assert_eq!(&state(&engine), &other_end);
    }
}

/// Commands between steps of a search, with a number as argument. Those that fail change nothing.
const COMMANDS: [&str; 17] = [
    "step",
    "next",
    "finish",
    "leaf",
    "continue",
    "interrupt",
    "time",
    "budget",
    "no budget",
    "weights",
    "entry",
    "no entry",
    "clean",
    "window",
    "fork",
    "depth",
    "order",
];

fn run_command(engine: &mut Engine, command: &str, number: u64) {
    let interrupt = engine.interrupt();
    interrupt.store(command == "interrupt", Ordering::Relaxed);
    let nodes = engine.session().stack().map_or(0, |stack| stack.nodes);
    let list = engine.session().cache_list(&[], Sort::default(), 0..1).unwrap();
    let key = list.entries.first().map_or_else(String::new, |entry| entry.key.clone());
    let session = engine.session_mut();
    let number = number.max(1);
    let value = number as f64 / 400.0;
    let weight = session.weights().weights.iter().next().unwrap().0.to_owned();
    let set = |session: &mut dyn AnySession, name, value: String| {
        let _ = session.set_settings(&[(name, &value)]);
    };
    match command {
        "next" => _ = session.resume(Resume::Next),
        "finish" => _ = session.resume(Resume::Finish),
        "leaf" => _ = session.resume(Resume::Until(EventKind::Leaf)),
        "continue" | "interrupt" => _ = session.resume(Resume::Continue),
        "time" => {
            set(session, "time", "1".into());
            let _ = session.resume(Resume::Continue);
            set(session, "time", "off".into());
        }
        "budget" => set(session, "budget", (nodes + number).to_string()),
        "no budget" => set(session, "budget", "off".into()),
        "weights" => _ = session.set_weights(&[(&weight, &value.to_string())]),
        "entry" => _ = session.cache_set(&key, &[("value", &value.to_string())]),
        "no entry" => _ = session.cache_remove(&key),
        "clean" => _ = session.cache_clean(Some(20)),
        "window" => _ = session.set_window(None, Score::new(value)),
        "fork" => _ = session.fork(None),
        "depth" => set(session, "depth", (2 + number % 2).to_string()),
        "order" => set(session, "order", ["auto", "captures"][number as usize % 2].into()),
        _ => _ = session.resume(Resume::Step(number)),
    }
    interrupt.store(false, Ordering::Relaxed);
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn going_back_and_forwards_reaches_the_same_event_whatever_came_between(
        root in root(),
        policy in select(POLICIES.to_vec()),
        algorithm in select(vec!["alphabeta", "pvs", "mtdf"]),
        short in select(vec!["seed", "sound"]),
        commands in proptest::collection::vec((select(COMMANDS.to_vec()), 0..400_u64), 4..14),
    ) {
        let settings = [("memo", policy), ("depth", "3"), ("budget", "12")];
        let mut engine = engine(&root, &settings);
        let _ = engine.session_mut().set_settings(&[("algorithm", algorithm)]);
        let _ = engine.session_mut().set_settings(&[("fidelity", short)]);
        let mut seen = Vec::new();
        for (place, (command, number)) in commands.iter().enumerate() {
            run_command(&mut engine, command, *number);
            // An edit after the end belongs to the last event; no event follows.
            let stop = engine.session_mut().resume(Resume::Step(1)).ok().filter(|stop| !stop.done);
            let Some(here) = stop.and_then(|stop| stop.event) else { continue };
            let name = format!("m{place}");
            engine.session_mut().mark(&name).unwrap();
            let there = machine(&engine);
            for steps in [1, 1 + number % 90] {
                let back = resume(&mut engine, Resume::Back(Backward::Step(steps)));
                let Some(before) = back.event.map(|event| event.index) else { continue };
                prop_assert_eq!(before, here.index.saturating_sub(steps), "{} back after {}", steps, command);
                let forth = engine.session_mut().resume(Resume::Step(here.index - before));
                let forth = forth.map_err(|fault| TestCaseError::fail(format!("{command}: {fault}")))?;
                prop_assert_eq!(event(&forth), &here, "{} back and forth after {}", steps, command);
                prop_assert!(machine(&engine) == there, "{steps} back and forth after {command}");
            }
            seen.push((name, here, there));
        }
        for (name, here, there) in seen.iter().rev().chain(&seen) {
            let Ok(stop) = engine.session_mut().go_to_named(name) else { continue };
            prop_assert_eq!(event(&stop), here, "{}", name);
            prop_assert!(machine(&engine) == *there, "{name}");
        }
    }
}

/// A position of each game with a long search.
const GAMES: [&str; 2] =
    ["www.wbb./w.b.b.../..bb.w.w w 0 0", "6k1/5pp1/7p/8/8/2R5/5PPP/6K1 w - - 0 1"];

#[test]
fn a_fork_inherits_the_edits_at_its_event() {
    for root in GAMES {
        let mut engine = engine(root, &[("memo", "interval"), ("depth", "3")]);
        resume(&mut engine, Resume::Goto(150));
        let list = engine.session().cache_list(&[], Sort::default(), 0..1).unwrap();
        let key = &list.entries[0].key;
        engine.session_mut().cache_set(key, &[("value", "0.625")]).unwrap();
        engine.session_mut().set_settings(&[("budget", "3000")]).unwrap();
        engine.session_mut().fork(Some("bolder")).unwrap();
        let there = state(&engine);
        let mut ends = Vec::new();
        for name in ["bolder", "2"] {
            if name == "2" {
                engine.session_mut().use_timeline(name).unwrap();
            }
            resume(&mut engine, Resume::Goto(70));
            resume(&mut engine, Resume::Goto(150));
            assert_eq!(state(&engine), there, "{root}: {name}");
            resume(&mut engine, Resume::Continue);
            ends.push(state(&engine));
        }
        assert_eq!(ends[0], ends[1], "{root}");
    }
}

#[test]
fn another_searchs_timeline_is_restored_with_uses_and_positions() {
    for root in GAMES {
        let settings = [
            ("memo", "bound"),
            ("depth", "3"),
            ("uses", "on"),
            ("verify", "on"),
            ("max_size", "200"),
            ("replace", "use"),
        ];
        let mut engine = engine(root, &settings);
        // The second search begins with the first one's entries, the third with the second one's.
        let ends = [1, 2, 3].map(|_| {
            length(&mut engine);
            state(&engine)
        });
        for (name, end) in [("2", &ends[1]), ("3", &ends[2])] {
            engine.session_mut().use_timeline(name).unwrap();
            assert_eq!(&state(&engine), end, "{root}: {name}");
        }
    }
}

/// A search long enough for several checkpoints, with a cache whose entries are overwritten often.
fn long() -> Engine {
    engine(GAMES[0], &[&PLAIN[..], &[("memo", "bound"), ("depth", "6")]].concat())
}

#[test]
fn a_long_search_goes_back_over_many_checkpoints() {
    let chess = engine(GAMES[1], &[&PLAIN[..], &[("memo", "bound"), ("depth", "5")]].concat());
    for mut engine in [long(), chess] {
        let events = length(&mut engine);
        assert!(events > 6 << 15, "{events}");
        let end = state(&engine);
        let mut reached = Vec::new();
        for part in [7, 5, 6, 2, 1, 3] {
            let index = events / 8 * part;
            let stop = resume(&mut engine, Resume::Goto(index));
            assert_eq!(event(&stop).index, index);
            reached.push((index, state(&engine)));
        }
        for (index, expected) in reached.iter().rev() {
            resume(&mut engine, Resume::Goto(*index));
            assert_eq!(state(&engine), *expected, "event {index}");
        }
        resume(&mut engine, Resume::Goto(events - 1));
        assert_eq!(state(&engine), end);
    }
}

/// The first checkpoint is after 32,768 events; no event around it is missed.
#[test]
fn going_back_stops_at_every_event_around_a_checkpoint() {
    let near = 1 << 15;
    for root in GAMES {
        let mut engine = engine(root, &[("memo", "bound"), ("budget", "off")]);
        for index in [near, near - 1] {
            let found = event(&resume(&mut engine, Resume::Goto(index))).clone();
            for stop in back_from(&mut engine, near + 100, &found) {
                assert_eq!(event(&stop), &found, "{root}");
            }
        }
    }
}

/// Goes back to an event that is the last of its kind, by a breakpoint and by its kind.
fn back_from(engine: &mut Engine, later: u64, to: &EventReport) -> [StopReport; 2] {
    resume(engine, Resume::Goto(later));
    let condition = format!("index == {}", to.index);
    let session = engine.session_mut();
    session.break_at(&[("kind", to.kind.name())], Some(&condition), Action::Stop).unwrap();
    let stop = resume(engine, Resume::Back(Backward::Continue));
    engine.session_mut().remove_breakpoint(None).unwrap();
    resume(engine, Resume::Goto(later));
    resume(engine, Resume::Back(Backward::Step(later - to.index - 1)));
    let again = resume(engine, Resume::Back(Backward::Until(to.kind)));
    [stop, again]
}

#[test]
fn with_little_memory_the_oldest_events_are_forgotten_or_replayed() {
    let mut engine = long();
    engine.session_mut().set_settings(&[("record_mib", "1")]).unwrap();
    let events = length(&mut engine);
    let list = engine.session().timelines();
    assert!(list.bytes <= 1 << 20, "{} bytes", list.bytes);
    // The cache was empty at the beginning, so that the search can be replayed from there.
    let stop = resume(&mut engine, Resume::Goto(10));
    assert_eq!(event(&stop).index, 10);
    // A deeper search begins with a cache that is too large to keep: forgotten events cannot be replayed.
    resume(&mut engine, Resume::Goto(events - 1));
    engine.session_mut().set_settings(&[("depth", "7"), ("record_mib", "1")]).unwrap();
    assert!(length(&mut engine) > events);
    let stop = resume(&mut engine, Resume::Goto(10));
    assert_eq!(stop.stopped, "start");
    assert!(event(&stop).index > 10, "{}", event(&stop).index);
    let notes = stop.notes.join(" ");
    assert!(notes.contains("the recording begins at event"), "{notes}");
}

/// The table with which a search begins is kept, so that forgotten events are replayed from the beginning.
#[test]
fn a_search_that_begins_with_a_table_can_go_back_to_its_beginning() {
    for (game, first, depth) in [("chess", "4", "7"), ("morris", "6", "10")] {
        let mut engine = Engine::default();
        engine.choose_game(game).unwrap();
        let session = engine.session_mut();
        session.set_settings(&[("budget", "off"), ("record_mib", "1")]).unwrap();
        session.run(&[("depth", first)]).unwrap();
        assert!(session.run(&[("depth", depth)]).unwrap().cache.hits > 0, "{game}");
        let stop = resume(&mut engine, Resume::Goto(5));
        assert_eq!((event(&stop).index, stop.notes.join(" ").as_str()), (5, ""), "{game}");
    }
}

#[test]
fn slices_of_a_run_change_nothing() {
    let mut through = long();
    let events = length(&mut through);
    resume(&mut through, Resume::Goto(events / 3));
    let wanted = state(&through);
    let mut sliced = long();
    length(&mut sliced);
    sliced.session_mut().set_slice(Some(std::time::Duration::from_micros(200)));
    let first = resume(&mut sliced, Resume::Goto(events / 3));
    let mut rounds = 0;
    while sliced.session().is_running() {
        rounds += 1;
        let report = sliced.session_mut().advance(std::time::Duration::from_micros(200));
        if let Some(stop) = report.as_ref().and_then(|report| report.downcast_ref()) {
            assert_eq!(event(stop).index, events / 3);
        }
    }
    assert!(rounds > 0 || first.stopped != "running");
    assert_eq!(state(&sliced), wanted);
}

#[test]
fn an_entry_has_its_last_write_and_its_uses() {
    let mut engine =
        engine("......../......../........ w 9 9", &[("memo", "interval"), ("depth", "4")]);
    let events = length(&mut engine);
    let list = engine.session().cache_list(&[], Sort::default(), 0..usize::MAX).unwrap();
    let (mut answers, end) = (0, state(&engine));
    let hits = engine.session().result().unwrap().cache.hits;
    for entry in list.entries.iter().step_by(9) {
        let writer = engine.session_mut().writer(&entry.key).unwrap().unwrap();
        assert!(writer.event < events);
        answers += writer.hits;
        let stop = engine.session_mut().last(&entry.key, None).unwrap();
        assert_eq!(event(&stop).index, writer.event);
        assert_eq!(event(&stop).kind, EventKind::Store);
        assert_eq!(event(&stop).value, Some(writer.value));
        resume(&mut engine, Resume::Goto(events - 1));
        assert_eq!(state(&engine), end);
    }
    assert!(answers > 0 && answers <= hits, "{answers} of {hits}");
}

#[test]
fn an_event_that_cannot_be_reached_has_a_reason() {
    let mut engine = Engine::default();
    let back = |engine: &mut Engine| engine.session_mut().resume(Resume::Back(Backward::Step(1)));
    let fault = back(&mut engine).unwrap_err();
    assert!(fault.message.contains("no search"), "{fault}");
    engine.session_mut().set_settings(&[("record", "off"), ("depth", "2")]).unwrap();
    resume(&mut engine, Resume::Step(10));
    let fault = back(&mut engine).unwrap_err();
    assert!(fault.message.contains("not recorded"), "{fault}");
    assert_eq!(fault.remedy, Some(Remedy::Recording));
    let fault = engine.session_mut().go_to_named("nowhere").unwrap_err();
    assert!(fault.message.contains("nowhere"), "{fault}");
    let fault = engine.session_mut().use_timeline("9").unwrap_err();
    assert!(fault.message.contains('9'), "{fault}");
    let fault = engine.session_mut().diff(None).unwrap_err();
    assert!(fault.message.contains("two timelines"), "{fault}");
}

/// A checkpoint after every event exceeds the limit soon.
#[test]
fn too_many_checkpoints_keep_the_oldest_and_the_newest() {
    let mut searcher = Searcher::usual(Morris::default());
    let plan = |window| Plan::Value { depth: 6, window };
    let (mut search, evaluator) = searcher.search((&Position::START, &()), plan, None).unwrap();
    let mode = searcher.mode();
    let Searcher { game, table, .. } = &mut searcher;
    let context = Context { game, evaluator: &evaluator, mode };
    let mut recorder = Recorder::begin(&search, 0.0, table);
    recorder.spacing = 1;
    let mut entries = vec![0];
    let (last, interrupt) = (3 * MOST_CHECKPOINTS as u64, AtomicBool::new(false));
    for until in 1..=last {
        let limits = RunLimits { until, ..RunLimits::new(&interrupt, None) };
        search.drive(&context, table, &mut NoWatcher, &limits);
        entries.push(table.entries().len());
        recorder.save_if_due(&search, 0.0, table, usize::MAX);
        assert!(recorder.checkpoints().len() <= MOST_CHECKPOINTS);
        assert_eq!(recorder.base(), 0, "after {until} events");
    }
    assert_eq!(recorder.checkpoints().last().map(Checkpoint::events), Some(last));
    assert!(recorder.checkpoints().len() > MOST_CHECKPOINTS / 2);
    for place in (0..recorder.checkpoints().len()).rev() {
        let events = recorder.restore(place, table).map(Checkpoint::events);
        assert_eq!(table.entries().len(), entries[events.unwrap() as usize]);
    }
}

/// A note about one way back is not repeated for the next.
#[test]
fn notes_are_shown_once() {
    for (game, key) in [("morris", "98000000000001"), ("chess", "0123456789abcdef")] {
        let mut shell = Shell::default();
        let mut notes = |line: &str| {
            let reply = shell.run_line(line).pop().unwrap().unwrap();
            serde_json::to_value(&*reply.reply).unwrap()["notes"].clone()
        };
        notes(&format!("game {game}; step 2"));
        let none = notes(&format!("last {key}"));
        assert!(none[0].as_str().unwrap().contains("no event of this recording"), "{none}");
        assert_eq!(notes("step"), serde_json::json!([]), "{game}");
    }
}

/// An edit that the search overwrites later changes nothing from there on: a note says so for such edits only.
#[test]
fn a_note_says_that_the_search_overwrote_an_edited_entry() {
    for (game, value) in [("morris", 0.25), ("chess", 25.0)] {
        let mut seen = [0, 0];
        for (steps, policy) in [(60, "bound"), (300, "bound"), (900, "bound"), (300, "interval")] {
            let mut shell = Shell::default();
            let mut text = |line: &str| {
                let answer = shell.run_line(line).pop().unwrap();
                answer.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault)).reply.text()
            };
            text(&format!("game {game}"));
            text(&format!("search set memo={policy} depth=3 budget=off"));
            text(&format!("step {steps}"));
            let list = shell.look_up("cache list --limit 4").unwrap();
            let list = serde_json::to_value(&*list).unwrap();
            for entry in list["entries"].as_array().unwrap() {
                let key = entry["key"].as_str().unwrap();
                let mut text = |line: &str| {
                    let answer = shell.run_line(line).pop().unwrap();
                    answer.unwrap_or_else(|fault| panic!("{line}: {}", fault.fault)).reply.text()
                };
                text(&format!("goto {steps}"));
                text(&format!("cache set {key} value={value}"));
                let set = text(&format!("cache get {key}"));
                let text_of_stop = text("continue").replace("\n      ", " ");
                let has_note = text_of_stop
                    .contains(&format!("has written over the entry {key} that was set by hand"));
                assert_eq!(has_note, text_of_stop.contains("(event "), "{text_of_stop}");
                let holds = text(&format!("cache get {key}")) == set;
                assert_eq!(has_note, !holds, "{game} {policy} {steps} {key}: {text_of_stop}");
                seen[usize::from(has_note)] += 1;
            }
        }
        assert!(seen.iter().all(|times| *times > 0), "{game}: {seen:?}");
    }
}

#[test]
fn recording_may_begin_in_the_middle_of_a_search() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        let mut run = |line: &str| {
            let reply = shell.run_line(line).pop().unwrap();
            reply.map(|response| serde_json::to_value(&*response.reply).unwrap())
        };
        run(&format!("game {game}; search set record=off; step 40")).unwrap();
        assert!(run("back").is_err(), "{game}: nothing is recorded");
        let notes = run("search set record=on").unwrap()["notes"].to_string();
        assert!(notes.contains("recorded from here on"), "{game}: {notes}");
        let there = run("step 20").unwrap()["event"].clone();
        assert_eq!(run("step 20; back 20").unwrap()["event"], there, "{game}");
        let stop = run("back 1000").unwrap();
        assert_eq!(stop["event"]["index"], 39, "{game}: {stop}");
    }
}

/// The last reply to a line, as JSON.
fn last_reply(shell: &mut Shell, line: &str) -> serde_json::Value {
    let response = shell.run_line(line).pop().unwrap().unwrap();
    serde_json::to_value(&*response.reply).unwrap()
}

#[test]
fn bookmarks_of_a_removed_timeline_are_removed_with_it() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        let before = "step 20; mark left; fork x; step 5; mark kept; timeline";
        let list = last_reply(&mut shell, &format!("game {game}; {before}"));
        assert_eq!(list["marks"].as_array().map(Vec::len), Some(2), "{game}: {list}");
        let list = last_reply(&mut shell, "timeline remove 1; timeline");
        assert_eq!(list["marks"].as_array().map(Vec::len), Some(1), "{game}: {list}");
        assert_eq!(list["marks"][0]["name"], "kept", "{game}");
        assert!(shell.run_line("goto left")[0].is_err(), "{game}");
    }
}

#[test]
fn going_back_over_an_edit_finds_the_last_event_of_a_kind() {
    for game in ["morris", "chess"] {
        for kind in ["leaf", "return", "descend"] {
            let mut shell = Shell::default();
            last_reply(&mut shell, &format!("game {game}; search set depth=3; step 40"));
            last_reply(&mut shell, "cache set root:1 value=0.25");
            let mut last = None;
            for _ in 40..90 {
                let event = last_reply(&mut shell, "step")["event"].clone();
                if event["kind"] == kind && event["index"] != 89 {
                    last = Some(event);
                }
            }
            let last = last.expect("the kind occurs after the edit");
            assert!(last["index"].as_u64() >= Some(40), "{game} {kind}: {last}");
            let stop = last_reply(&mut shell, &format!("back until {kind}"));
            assert_eq!(stop["event"], last, "{game} {kind}");
        }
    }
}

#[test]
fn an_edit_that_changes_nothing_begins_no_timeline() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        last_reply(&mut shell, &format!("game {game}; search set memo=bound depth=3; step 400"));
        let entry = last_reply(&mut shell, "cache list --limit 1")["entries"][0].clone();
        let [key, bound] = ["key", "bound"].map(|name| entry[name].as_str().unwrap());
        let line = format!("cache set {key} depth={} bound={bound}", entry["depth"]);
        let same = last_reply(&mut shell, &line);
        assert_eq!(same["entry"], same["previous"], "{game}: {same}");
        let replies = shell.run_line(&line);
        let response = replies[0].as_ref().unwrap();
        assert!(!response.changed() && response.reply.line().contains("unchanged"), "{game}");
        assert_eq!(last_reply(&mut shell, "timeline")["timelines"].as_array().unwrap().len(), 1);
        last_reply(&mut shell, &format!("cache set {key} value=0.25"));
        assert_eq!(last_reply(&mut shell, "timeline")["timelines"].as_array().unwrap().len(), 2);
    }
}

/// The beginning and the end of a long search are both at hand; an edit at the beginning leads to another end.
#[test]
fn the_end_of_a_long_search_is_kept_while_the_search_is_at_its_beginning() {
    fn json(shell: &mut Shell, line: &str) -> serde_json::Value {
        let answer = shell.run_line(line).pop().unwrap();
        let answer = answer.unwrap_or_else(|failure| panic!("{line}: {}", failure.fault));
        serde_json::to_value(&*answer.reply).unwrap()
    }
    /// Stack, counters and cache, without times.
    fn machine(shell: &mut Shell) -> Vec<serde_json::Value> {
        let lines = ["where", "search result", "cache stats", "cache list --limit 300"];
        let mut replies = lines.map(|line| json(shell, line)).to_vec();
        for reply in &mut replies {
            for field in ["ms", "nps", "bytes", "halt"] {
                reply.as_object_mut().unwrap().remove(field);
            }
        }
        replies
    }
    const FAR: u64 = 1_200_000;
    // With one MiB, the recording begins long after the search.
    for (game, mib) in [("morris", 64), ("chess", 64), ("morris", 1), ("chess", 1)] {
        let begun = || {
            let mut shell = Shell::default();
            json(&mut shell, &format!("game {game}"));
            json(&mut shell, &format!("search set depth=20 budget=600000 record_mib={mib}"));
            shell
        };
        let mut shell = begun();
        json(&mut shell, "search run");
        let end = machine(&mut shell);
        let bytes = |shell: &mut Shell| json(shell, "timeline")["bytes"].as_u64();
        let recorded = bytes(&mut shell);
        json(&mut shell, "goto 0");
        let kept = bytes(&mut shell).unwrap() * if mib == 1 { 8 } else { 1 };
        assert!(kept >= recorded.unwrap(), "{game} {mib}: what leads back from the end is kept");
        json(&mut shell, "step 10");
        json(&mut shell, "goto end");
        assert_eq!(machine(&mut shell), end, "{game}");
        json(&mut shell, &format!("goto {FAR}"));
        let middle = machine(&mut shell);
        json(&mut shell, "goto 0");
        json(&mut shell, &format!("goto {FAR}"));
        assert_eq!(machine(&mut shell), middle, "{game}");

        let mut other = begun();
        for (shell, line) in [(&mut shell, "goto 20"), (&mut other, "step 21")] {
            json(shell, line);
            json(shell, "cache clear");
            json(shell, &format!("goto {FAR}"));
        }
        assert_eq!(machine(&mut shell)[1..], machine(&mut other)[1..], "{game}: after an edit");
    }
}

/// With little memory, an event whose checkpoints were dropped is replayed from a keyframe, not from the beginning.
#[test]
fn a_long_search_with_little_memory_goes_back_by_keyframes() {
    let searched = |game: &str, mib: &str| {
        let mut engine = Engine::default();
        engine.choose_game(game).unwrap();
        let settings =
            [("depth", "30"), ("budget", "5000000"), ("max_size", "5000"), ("record_mib", mib)];
        engine.session_mut().set_settings(&settings).unwrap();
        let events = length(&mut engine);
        (engine, events)
    };
    for game in ["morris", "chess"] {
        let (mut little, events) = searched(game, "4");
        let (mut ample, _) = searched(game, "2000");
        assert!(little.session().timelines().bytes <= 4 << 20, "{game}");
        for share in [60, 40, 55, 90, 30] {
            let index = events * share / 100;
            little.session_mut().set_slice(Some(std::time::Duration::ZERO));
            let first = resume(&mut little, Resume::Goto(index));
            let begun = event(&first).index;
            assert!(begun > index / 4, "{game}: {index} is replayed from {begun}");
            little.session_mut().set_slice(None);
            let both = [&mut little, &mut ample].map(|engine| {
                resume(engine, Resume::Goto(index));
                machine(engine)
            });
            assert!(both[0] == both[1], "{game}: event {index} differs");
        }
        // The tree, too, begins and goes back by the keyframes of the recording.
        resume(&mut little, Resume::Goto(events - 1));
        let begun = little.session_mut().explain_tree("", Some(1), Some(0)).unwrap().replayed;
        assert!(begun > events / 8, "{game}: the last of {events} events begin at {begun}");
        for share in [60, 40] {
            let trees = [&mut little, &mut ample].map(|engine| {
                resume(engine, Resume::Goto(events * share / 100));
                let tree = engine.session_mut().explain_tree("", Some(1), None).unwrap();
                format!("{:?}", tree.nodes)
            });
            assert!(trees[0] == trees[1], "{game}: the tree at {share} % differs");
        }
        let both = [&mut little, &mut ample].map(|engine| {
            resume(engine, Resume::Step(5));
            engine.session_mut().cache_clear();
            resume(engine, Resume::Continue);
            resume(engine, Resume::Back(Backward::Step(2_000_000)));
            machine(engine)
        });
        assert!(both[0] == both[1], "{game}: another end after an edit");
    }
}
