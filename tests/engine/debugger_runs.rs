//! Breakpoints, watchpoints and tracepoints stop exactly where their conditions hold, and change nothing.

use proptest::{collection::vec, prelude::*, sample::select};

use crate::common::{
    cases::cases,
    folder::in_memory,
    plain::PLAIN,
    roots::{ROOTS, root},
    running::{self, engine, events, outcome},
};
use plyscope::engine::{
    Engine,
    debugger::{Access, Action, FrameValue},
    recording::{Backward, Resume},
    session::{
        Aliases, AnySession, Pair,
        cache::EntryReport,
        event::EventReport,
        reply::{EventKind, MoveText, Score, Window},
        search::StopReport,
        stop_details::ChangeReport,
    },
};

fn set(
    session: &mut dyn AnySession,
    conditions: &[Pair<'_>],
    condition: Option<&str>,
    action: Action,
) {
    session.break_at(conditions, condition, action).unwrap();
}

fn go(session: &mut dyn AnySession, resume: Resume) -> StopReport {
    session.resume(resume).unwrap()
}

/// The stops at breakpoints until a search ends.
fn stops(engine: &mut Engine) -> Vec<StopReport> {
    let mut stops = Vec::new();
    loop {
        let stop = go(engine.session_mut(), Resume::Continue);
        let over = stop.done || stop.stopped == "budget";
        if stop.breakpoint.is_some() {
            stops.push(stop);
        }
        if over {
            return stops;
        }
    }
}

/// The event numbers of stops.
fn indices(stops: &[StopReport]) -> Vec<u64> {
    let event = |stop: &StopReport| stop.event.as_ref().unwrap().index;
    stops.iter().map(event).collect()
}

/// A breakpoint's conditions and expression, and the same condition tested on an event's report.
type Case = (&'static [Pair<'static>], Option<&'static str>, fn(&EventReport, &str) -> bool);

fn has_value(event: &EventReport) -> bool {
    event.value.is_some() && !matches!(event.kind, EventKind::Store | EventKind::Finish)
}

const CASES: [Case; 16] = [
    (&[("ply", "1")], None, |event, _| event.kind == EventKind::Descend && event.ply == 1),
    (&[("depth", "1"), ("kind", "cutoff")], None, |event, _| {
        event.kind == EventKind::Cutoff && event.depth == 1
    }),
    (&[], Some("alpha > -2e-1 and ply < 3"), |event, _| {
        event.kind == EventKind::Descend && event.window.alpha.get() > -0.2 && event.ply < 3
    }),
    (&[], Some("beta - alpha < 1 or depth = 0"), |event, _| {
        let width = event.window.beta.get() - event.window.alpha.get();
        event.kind == EventKind::Descend && (width < 1.0 || event.depth == 0)
    }),
    (&[], Some("value >= 1e-1"), |event, _| has_value(event) && event.value.unwrap().get() >= 0.1),
    (&[], Some("event == raise && !(value <= 0)"), |event, _| {
        event.kind == EventKind::Raise && event.value.unwrap().get() > 0.0
    }),
    (&[("kind", "leaf")], Some("index / 2 > 100"), |event, _| {
        event.kind == EventKind::Leaf && event.index > 200
    }),
    (&[], Some("side == w and ply <= 2"), |event, _| {
        let white = event.state.contains(" w ");
        event.kind == EventKind::Descend && white && event.ply <= 2
    }),
    (&[], Some("kind == store or kind == hit"), |event, _| {
        matches!(event.kind, EventKind::Store | EventKind::Hit)
    }),
    (&[("position", "here")], Some("event != descend"), |event, root| {
        event.state == root && event.kind != EventKind::Descend
    }),
    (&[], Some("iteration == 2 and depth == 0"), |event, _| {
        event.kind == EventKind::Descend && event.ply == 2 && event.depth == 0
    }),
    (&[], Some("move == d6 or move == a1 or move == e1d1"), |event, _| {
        let written = |mv: &MoveText, text| {
            mv.plain() == text || mv.to_string().trim_end_matches(['+', '#']) == text
        };
        let named = |mv: &MoveText| ["d6", "a1", "e1d1"].into_iter().any(|text| written(mv, text));
        event.kind == EventKind::Descend && event.mv.as_ref().is_some_and(named)
    }),
    (&[], Some("2 >= ply and ply != 1 and not depth < 1"), |event, _| {
        event.kind == EventKind::Descend && matches!(event.ply, 0 | 2) && event.depth > 0
    }),
    (&[], Some("not ply == 2 and (ply == 1 or depth < 1)"), |event, _| {
        let there = event.ply != 2 && (event.ply == 1 || event.depth == 0);
        event.kind == EventKind::Descend && there
    }),
    (&[("ply", "0"), ("kind", "raise")], None, |event, _| {
        event.ply == 0 && event.kind == EventKind::Raise
    }),
    (&[("ply", "0")], Some("kind == return or kind == finish"), |event, _| {
        event.ply == 0 && matches!(event.kind, EventKind::Return | EventKind::Finish)
    }),
];

proptest! {
    #![proptest_config(cases(150))]

    /// A search with stops has the events, counters and cache of one without; each breakpoint stops at exactly the
    /// events at which its condition holds.
    #[test]
    fn breakpoints_stop_where_they_should_and_change_nothing(
        root in root(),
        (fidelity, policy) in (select(vec!["sound", "seed"]), select(vec!["none", "exact", "interval", "bound", "rote"])),
        (algorithm, symmetry) in (select(vec!["minimax", "alphabeta"]), select(vec!["on", "off"])),
        budget in 1..400_u64,
        chosen in vec(0..CASES.len(), 0..6),
    ) {
        let budget = budget.to_string();
        let settings = [("fidelity", fidelity), ("memo", policy), ("algorithm", algorithm), ("symmetry", symmetry), ("budget", budget.as_str())];
        let mut stepped = engine(&root, &settings);
        let all = events(&mut stepped);
        let mut through = engine(&root, &settings);
        through.session_mut().run(&[]).unwrap();
        let mut stopped = engine(&root, &settings);
        for &place in &chosen {
            let (conditions, condition, _) = CASES[place];
            set(stopped.session_mut(), conditions, condition, Action::Stop);
        }
        let stops = stops(&mut stopped);
        prop_assert_eq!(outcome(&stopped), outcome(&through));
        prop_assert_eq!(outcome(&stepped), outcome(&through));
        let holds = |event: &&EventReport| chosen.iter().any(|&place| CASES[place].2(event, &root));
        let wanted: Vec<_> = all.iter().filter(holds).cloned().collect();
        let found: Vec<_> = stops.into_iter().filter_map(|stop| stop.event).collect();
        prop_assert_eq!(found, wanted);
        // A hit counts also where another breakpoint stops the search.
        for (point, &place) in stopped.session().breakpoints().breakpoints.iter().zip(&chosen) {
            let hits = all.iter().filter(|event| CASES[place].2(event, &root)).count();
            prop_assert_eq!(point.hits, hits as u64);
        }
    }
}

/// A number of conditions by its name, and its value at an event.
type Number = (&'static str, fn(&EventReport) -> Option<Score>);

const NUMBERS: [Number; 3] = [
    ("alpha", |event| (event.kind == EventKind::Descend).then_some(event.window.alpha)),
    ("beta", |event| (event.kind == EventKind::Descend).then_some(event.window.beta)),
    ("value", |event| event.value.filter(|_| has_value(event))),
];

/// A comparison by its sign.
type Comparison = (&'static str, fn(f64, f64) -> bool);

const COMPARISONS: [Comparison; 5] = [
    ("<", |a, b| a < b),
    ("<=", |a, b| a <= b),
    (">", |a, b| a > b),
    (">=", |a, b| a >= b),
    ("==", |a, b| a == b),
];

proptest! {
    #![proptest_config(cases(60))]

    /// Breakpoints that compare one number with different limits do not influence each other.
    #[test]
    fn breakpoints_with_different_limits_on_one_number_are_independent(
        state in select(ROOTS.to_vec()),
        (name, number) in select(NUMBERS.to_vec()),
        limits in vec((select(COMPARISONS.to_vec()), any::<prop::sample::Index>()), 2..5),
    ) {
        let settings = [("memo", "interval"), ("depth", "3"), ("budget", "300")];
        let mut stepped = engine(state, &settings);
        let all = events(&mut stepped);
        let numbers: Vec<_> = all.iter().filter_map(number).map(Score::get).collect();
        let limits: Vec<_> = limits.iter().map(|((sign, holds), at)| (sign, holds, *at.get(&numbers))).collect();
        let mut stopped = engine(state, &settings);
        for (sign, _, limit) in &limits {
            let condition = format!("{name} {sign} {limit:e}");
            set(stopped.session_mut(), &[], Some(&condition), Action::Stop);
        }
        let holds = |event: &&EventReport| {
            let number = number(event).map(Score::get);
            number.is_some_and(|number| limits.iter().any(|(_, holds, limit)| holds(number, *limit)))
        };
        let wanted: Vec<_> = all.iter().filter(holds).map(|event| event.index).collect();
        prop_assert_eq!(indices(&stops(&mut stopped)), wanted, "{} {:?}", name, limits);
    }
}

const INTERVAL: [Pair<'static>; 2] = [("memo", "interval"), ("depth", "3")];

#[test]
fn ignored_hits_count_and_do_not_stop() {
    for state in ROOTS {
        let conditions: &[Pair<'_>] = &[("kind", "cutoff")];
        let mut every = engine(state, &INTERVAL);
        set(every.session_mut(), conditions, None, Action::Stop);
        let every = indices(&stops(&mut every));
        let mut some = engine(state, &INTERVAL);
        set(some.session_mut(), conditions, None, Action::Stop);
        some.session_mut().ignore_breakpoint(1, 5).unwrap();
        assert_eq!(indices(&stops(&mut some)), every[5..]);
        let point = &some.session().breakpoints().breakpoints[0];
        assert_eq!((point.hits, point.ignore), (every.len() as u64, 0));
    }
}

/// However often and from which side a search comes to an event, a stop there is one hit.
#[test]
fn an_event_reached_again_is_no_new_hit() {
    for state in ROOTS {
        let mut engine = engine(state, &INTERVAL);
        set(engine.session_mut(), &[("kind", "cutoff")], None, Action::Stop);
        let back = Resume::Back(Backward::Continue);
        let ways = [Resume::Continue, Resume::Continue, back, Resume::Continue, Resume::Goto(0)];
        let stops = ways.map(|way| go(engine.session_mut(), way));
        assert_eq!((&stops[2].event, &stops[3].event), (&stops[0].event, &stops[1].event));
        let hits = |engine: &Engine| engine.session().breakpoints().breakpoints[0].hits;
        assert_eq!(hits(&engine), 2, "{state}");
        for hit in [2, 2, 3] {
            go(engine.session_mut(), Resume::Continue);
            assert_eq!(hits(&engine), hit, "{state}");
        }
        // A stop of a run backwards is a hit, too, if the event is a new one.
        let mut late = running::engine(state, &INTERVAL);
        go(late.session_mut(), Resume::Continue);
        set(late.session_mut(), &[("kind", "cutoff")], None, Action::Stop);
        for hit in [1, 2] {
            go(late.session_mut(), back);
            assert_eq!(hits(&late), hit, "{state}");
        }
    }
}

#[test]
fn a_breakpoint_on_a_class_stops_at_every_symmetric_position() {
    let state = "......../......../........ w 9 9";
    let settings = [("memo", "none"), ("depth", "2")];
    let class = "w......./......../........ b 8 9";
    let mut met = engine(state, &settings);
    set(met.session_mut(), &[("class", class)], None, Action::Stop);
    let stops = stops(&mut met);
    let states: Vec<_> = stops.into_iter().map(|stop| stop.event.unwrap().state).collect();
    // Four corners of the outer and of the inner ring, in each of two iterations.
    assert_eq!(states.len(), 16);
    assert!(states.iter().all(|state| state.ends_with("b 8 9")), "{states:?}");
}

#[test]
fn lines_lead_to_one_node_or_to_all_below() {
    for state in ROOTS {
        let mut root = engine(state, &INTERVAL);
        let first = root.session().moves().moves[1].mv.clone();
        root.session_mut().play(first.plain()).unwrap();
        let second = root.session().moves().moves[0].mv.clone();
        let after = root.session_mut().play(second.plain()).unwrap().state;
        let line = format!("{first} {second}");
        let mut exact = engine(state, &INTERVAL);
        set(exact.session_mut(), &[("line", &line)], None, Action::Stop);
        for stop in stops(&mut exact) {
            let event = stop.event.unwrap();
            assert_eq!((event.ply, event.state.as_str()), (2, after.as_str()));
        }
        let mut below = engine(state, &INTERVAL);
        let all = format!("{line} *");
        set(below.session_mut(), &[("line", &all)], None, Action::Stop);
        let mut deeper = 0;
        loop {
            let stop = go(below.session_mut(), Resume::Continue);
            if stop.breakpoint.is_none() {
                break;
            }
            let frames = below.session().stack().unwrap().frames;
            let moves: Vec<_> = frames[..2].iter().map(|frame| frame.mv.clone().unwrap()).collect();
            assert_eq!(moves, [first.clone(), second.clone()]);
            deeper += usize::from(frames.len() > 3);
        }
        assert!(deeper > 0);
        let mut advanced = engine(state, &INTERVAL);
        let stop = advanced.session_mut().advance_to(&line).unwrap();
        let event = stop.event.unwrap();
        assert_eq!((stop.stopped.as_str(), event.state), ("advance", after));
    }
}

#[test]
fn a_condition_on_a_line_counts_from_the_root_of_its_search() {
    for state in ROOTS {
        let mut engine = engine(state, &INTERVAL);
        let moves = engine.session().moves().moves;
        let line = moves[0].mv.clone();
        set(engine.session_mut(), &[("line", line.plain())], None, Action::Stop);
        // From another position the same line is not legal.
        engine.session_mut().play(line.plain()).unwrap();
        assert!(stops(&mut engine).is_empty());
        engine.session_mut().undo(1).unwrap();
        assert!(!stops(&mut engine).is_empty());
        let fault =
            running::break_at(engine.session_mut(), &[("line", "a1 a1")], false).unwrap_err();
        assert!(fault.message.contains("of the line"), "{fault}");
    }
}

/// Whether an event has the node's value, and that is outside the window it was searched with.
fn fails(engine: &Engine, event: &EventReport, low: bool) -> bool {
    let stack = engine.session().stack().unwrap();
    let frame = stack.frames.last().unwrap();
    let done = frame.child == frame.children;
    match event.kind {
        EventKind::Cutoff => !low,
        EventKind::Return => low && done && frame.best.is_none() && event.ply > 0,
        EventKind::Hit | EventKind::Leaf | EventKind::Terminal => {
            let value = event.value.unwrap();
            if low { value <= event.window.alpha } else { value >= event.window.beta }
        }
        _ => false,
    }
}

#[test]
fn failing_low_and_high_is_caught() {
    for state in ROOTS {
        for (side, low) in [("low", true), ("high", false)] {
            let mut stepped = engine(state, &INTERVAL);
            let mut wanted = Vec::new();
            loop {
                let stop = go(stepped.session_mut(), Resume::Step(1));
                let event = stop.event.unwrap();
                if fails(&stepped, &event, low) {
                    wanted.push(event.index);
                }
                if stop.done {
                    break;
                }
            }
            let mut caught = engine(state, &INTERVAL);
            set(caught.session_mut(), &[("fails", side)], None, Action::Stop);
            assert_eq!(indices(&stops(&mut caught)), wanted, "{side}");
            assert!(wanted.len() > 50, "{state}: {}", wanted.len());
        }
    }
}

/// An entry's fields without its position and key.
fn facts(entry: Option<&EntryReport>) -> Option<(Score, Option<Window>)> {
    entry.map(|entry| (entry.value, entry.window))
}

#[test]
fn a_watched_entry_is_seen_before_and_after() {
    for state in ROOTS {
        for (policy, keys, symmetry, fidelity) in [
            ("interval", "plain", "on", "sound"),
            ("interval", "plain", "on", "seed"),
            ("interval", "colour", "off", "seed"),
            ("exact", "plain", "off", "sound"),
            ("bound", "plain", "on", "sound"),
        ] {
            let settings = [
                ("memo", policy),
                ("keys", keys),
                ("symmetry", symmetry),
                ("fidelity", fidelity),
                ("depth", if state == ROOTS[0] { "3" } else { "2" }),
            ];
            let mut first = engine(state, &settings);
            first.session_mut().run(&[]).unwrap();
            let keys = first.session().some_entries(200).into_iter().step_by(97);
            let keys: Vec<_> = keys.map(|(key, _)| key).collect();
            let mut stepped = engine(state, &settings);
            let entries = |stepped: &Engine| {
                let entry =
                    |key: &String| facts(stepped.session().cache_get(key).unwrap().entry.as_ref());
                keys.iter().map(entry).collect::<Vec<_>>()
            };
            let mut before = entries(&stepped);
            let mut changes = vec![Vec::new(); keys.len()];
            loop {
                let stop = go(stepped.session_mut(), Resume::Step(1));
                let event = stop.event.unwrap();
                let now = entries(&stepped);
                for (changes, (before, now)) in changes.iter_mut().zip(before.iter().zip(&now)) {
                    if now != before {
                        changes.push((event.index, *before, *now));
                    }
                }
                before = now;
                if stop.done {
                    break;
                }
            }
            for (key, wanted) in keys.iter().zip(changes) {
                let mut watched = engine(state, &settings);
                watched.session_mut().watch_entry(key, Access::Write, None).unwrap();
                let mut found = Vec::new();
                for stop in stops(&mut watched) {
                    let watch = stop.seen.watch.unwrap();
                    assert_eq!(watch.access, "write");
                    let ChangeReport::Entry { previous, entry } = watch.change else {
                        panic!("an entry was watched");
                    };
                    let change = (
                        stop.event.unwrap().index,
                        facts(previous.as_deref()),
                        facts(entry.as_deref()),
                    );
                    // A write of the same fields is a write, but no change.
                    if change.1 != change.2 {
                        found.push(change);
                    }
                }
                assert_eq!(
                    found,
                    wanted,
                    "{policy} {keys} {symmetry} {fidelity}: {key}",
                    keys = settings[1].1
                );
                assert!(!wanted.is_empty());
            }
        }
    }
}

/// An entry may be evicted between two of its writes; then the second has nothing before it.
#[test]
fn a_watched_entry_that_was_evicted_is_gone() {
    for state in ROOTS {
        let settings =
            [&PLAIN[..], &[("symmetry", "off"), ("depth", "3"), ("max_size", "12")]].concat();
        let mut roomy = engine(state, &settings[..6]);
        roomy.session_mut().run(&[]).unwrap();
        let mut came_back = 0;
        for (key, _) in roomy.session().some_entries(400).iter().step_by(9) {
            let mut watched = engine(state, &settings);
            watched.session_mut().watch_entry(key, Access::Write, None).unwrap();
            let mut stepped = engine(state, &settings);
            for (earlier, stop) in stops(&mut watched).into_iter().enumerate() {
                let written = stop.event.unwrap().index;
                go(stepped.session_mut(), Resume::Goto(written - 1));
                let before = stepped.session().cache_get(key).unwrap().entry;
                let ChangeReport::Entry { previous, .. } = stop.seen.watch.unwrap().change else {
                    panic!("an entry was watched");
                };
                assert_eq!(
                    facts(previous.as_deref()),
                    facts(before.as_ref()),
                    "{key} at {written}"
                );
                came_back += usize::from(earlier > 0 && previous.is_none());
            }
        }
        assert!(came_back > 0, "{state}: no entry was written again after it gave way");
    }
}

#[test]
fn reads_of_an_entry_are_distinguished_from_writes() {
    for state in ROOTS {
        let mut first = engine(state, &INTERVAL);
        first.session_mut().run(&[]).unwrap();
        let key = first.session().some_entries(50)[40].0.clone();
        let kinds = |access| {
            let mut watched = engine(state, &INTERVAL);
            watched.session_mut().watch_entry(&key, access, None).unwrap();
            let stops = stops(&mut watched);
            let kind = |stop: &StopReport| stop.event.as_ref().unwrap().kind;
            (indices(&stops), stops.iter().map(kind).collect::<Vec<_>>())
        };
        let (reads, read_kinds) = kinds(Access::Read);
        let (writes, write_kinds) = kinds(Access::Write);
        assert!(
            read_kinds
                .iter()
                .all(|kind| matches!(kind, EventKind::Hit | EventKind::Miss | EventKind::Invalid))
        );
        assert!(write_kinds.iter().all(|kind| *kind == EventKind::Store));
        let mut both = [reads.clone(), writes.clone()].concat();
        both.sort_unstable();
        assert_eq!(kinds(Access::Any).0, both);
        assert!(!reads.is_empty() && !writes.is_empty());
    }
}

#[test]
fn a_watched_value_is_seen_before_and_after() {
    const WATCHED: [(FrameValue, u32); 5] = [
        (FrameValue::Alpha, 1),
        (FrameValue::Best, 1),
        (FrameValue::Best, 0),
        (FrameValue::Alpha, 2),
        (FrameValue::Beta, 2),
    ];
    for state in ROOTS {
        let mut stepped = engine(state, &INTERVAL);
        let (mut changes, mut before) =
            ([const { Vec::new() }; WATCHED.len()], [None; WATCHED.len()]);
        loop {
            let stop = go(stepped.session_mut(), Resume::Step(1));
            let event = stop.event.unwrap();
            let stack = stepped.session().stack().unwrap();
            let now = WATCHED.map(|(figure, ply)| {
                let frame = stack.frames.get(ply as usize)?;
                match figure {
                    FrameValue::Alpha => Some(frame.window.alpha),
                    FrameValue::Beta => Some(frame.window.beta),
                    FrameValue::Best => frame.best,
                }
            });
            let anew =
                matches!(event.kind, EventKind::Descend | EventKind::Iteration | EventKind::Finish);
            for (at, (_, ply)) in WATCHED.into_iter().enumerate() {
                if event.ply == ply && !anew && now[at] != before[at] {
                    changes[at].push((event.index, before[at], now[at]));
                }
            }
            before = now;
            if stop.done {
                break;
            }
        }
        for ((figure, ply), wanted) in WATCHED.into_iter().zip(changes) {
            let mut watched = engine(state, &INTERVAL);
            watched.session_mut().watch_value(figure, Some(ply), None).unwrap();
            let change = |stop: StopReport| {
                let ChangeReport::Value { previous, now } = stop.seen.watch.unwrap().change else {
                    panic!("a value was watched");
                };
                (stop.event.unwrap().index, previous, now)
            };
            let found: Vec<_> = stops(&mut watched).into_iter().map(change).collect();
            assert_eq!(found, wanted, "{figure:?} at ply {ply}");
            assert!(!wanted.is_empty() || figure == FrameValue::Beta);
        }
    }
}

#[test]
fn traces_keep_the_first_lines_and_count_the_others() {
    for state in ROOTS {
        let mut stepped = engine(state, &[("memo", "interval"), ("depth", "4")]);
        let all = events(&mut stepped);
        let cutoffs: Vec<_> =
            all.into_iter().filter(|event| event.kind == EventKind::Cutoff).collect();
        let mut traced = engine(state, &[("memo", "interval"), ("depth", "4")]);
        set(traced.session_mut(), &[("kind", "cutoff")], None, Action::Trace);
        let run = traced.session_mut().run(&[]).unwrap();
        let trace = run.seen.trace.unwrap();
        let lines: Vec<_> = trace.lines.into_iter().map(|line| line.event).collect();
        assert_eq!(lines, cutoffs[..100]);
        assert_eq!(trace.omitted, cutoffs.len() as u64 - 100);
        assert_eq!(run.breakpoint, None);
    }
}

#[test]
fn a_session_keeps_breakpoints_and_displays_with_their_counts() {
    for state in ROOTS {
        let folder = in_memory();
        let path = folder.path().join("points.ron");
        let mut before = engine(state, &INTERVAL);
        let session = before.session_mut();
        let line = session.moves().moves[0].mv.clone();
        set(session, &[("kind", "cutoff")], Some("value > 0.1 and ply == 2"), Action::Stop);
        set(session, &[("class", "here"), ("line", line.plain())], None, Action::Once);
        set(session, &[], Some("event == raise"), Action::Trace);
        session.watch_entry("here:2", Access::Any, Some("depth == 2")).unwrap();
        session.watch_value(FrameValue::Best, Some(1), None).unwrap();
        session.ignore_breakpoint(1, 3).unwrap();
        session.ignore_breakpoint(5, 2).unwrap();
        session.command_breakpoint(1, vec!["silent".into(), "where".into()]).unwrap();
        session.enable_breakpoint(4, false).unwrap();
        session.add_display("beta - alpha").unwrap();
        session.add_display("best_move").unwrap();
        session.remove_display(Some(1)).unwrap();
        go(session, Resume::Continue);
        before.session().save_session(&path, &Aliases::new(), true).unwrap();
        let mut after = Engine::default();
        after.load_session(&path).unwrap();
        assert_eq!(after.session_mut().trust_commands(), [1]);
        let list = |engine: &Engine| {
            let session = engine.session();
            (format!("{:?}", session.breakpoints()), format!("{:?}", session.displays()))
        };
        assert_eq!(list(&after), list(&before));
        loop {
            let [one, other] =
                [&mut before, &mut after].map(|engine| go(engine.session_mut(), Resume::Continue));
            assert_eq!((&one.event, one.breakpoint), (&other.event, other.breakpoint));
            assert_eq!(format!("{:?}", one.seen), format!("{:?}", other.seen));
            if one.done {
                break;
            }
        }
        assert_eq!(list(&after), list(&before));
    }
}

#[test]
fn a_session_with_a_line_of_another_root_loads() {
    for state in ROOTS {
        let folder = in_memory();
        let path = folder.path().join("points.ron");
        let mut before = engine(state, &INTERVAL);
        let line = before.session().moves().moves[0].mv.clone();
        set(before.session_mut(), &[("line", line.plain())], None, Action::Stop);
        before.session_mut().play(line.plain()).unwrap();
        before.session().save_session(&path, &Aliases::new(), true).unwrap();
        let mut after = Engine::default();
        after.load_session(&path).unwrap();
        after.session_mut().undo(1).unwrap();
        assert!(!stops(&mut after).is_empty());
    }
}

#[test]
fn impossible_breakpoints_are_refused_and_change_nothing() {
    let mut engine = engine(ROOTS[0], &INTERVAL);
    let session = engine.session_mut();
    set(session, &[("ply", "2")], Some("alpha > 0"), Action::Stop);
    let before = format!("{:?}", session.breakpoints());
    let faults = [
        session.break_at(&[], None, Action::Stop).unwrap_err(),
        session.break_at(&[("kind", "leaf")], Some("event == hit"), Action::Stop).unwrap_err(),
        session.break_at(&[("plie", "2")], None, Action::Stop).unwrap_err(),
        session.break_at(&[("fails", "sideways")], None, Action::Stop).unwrap_err(),
        session.watch_entry("here", Access::Write, None).unwrap_err(),
        session.watch_value(FrameValue::Best, None, None).unwrap_err(),
        session.condition_breakpoint(1, Some("alhpa > 0")).unwrap_err(),
        session.condition_breakpoint(9, None).unwrap_err(),
        session.ignore_breakpoint(9, 1).unwrap_err(),
        session.command_breakpoint(9, Vec::new()).unwrap_err(),
        session.add_display("alhpa").unwrap_err(),
        session.remove_display(Some(1)).unwrap_err(),
        session.advance_to("").unwrap_err(),
    ];
    for fault in faults {
        assert!(fault.hint.is_some(), "{fault}");
    }
    assert_eq!(format!("{:?}", session.breakpoints()), before);
    assert!(session.displays().displays.is_empty());
}
