//! The root of a search for the best moves is frame 0: its events, moving to it, stops at it, and saving it in a
//! session.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::common::folder::in_memory;
use crate::common::running::{self, engine};
use plyscope::engine::{
    Engine,
    debugger::{Action, FrameValue},
    recording::{Backward, Resume},
    search::{EventKind, ProbeOutcome, Stop},
    session::{
        Aliases,
        cache::Sort,
        event::EventReport,
        reply::Score,
        search::{FrameReport, StopReport},
        stop_details::ChangeReport,
    },
};

/// A root and its settings.
type Searched = (&'static str, &'static [(&'static str, &'static str)]);

/// Roots of both games, with and without a table; where every move loses; where one move mates; with quiescence search.
const SEARCHES: [Searched; 7] = [
    (
        "..b..wwb/.bwwbwb./b..w..w. b 2 3",
        &[("memo", "interval"), ("depth", "3"), ("max_size", "30")],
    ),
    (
        "..b..wwb/.bwwbwb./b..w..w. b 2 3",
        &[("memo", "none"), ("depth", "2"), ("algorithm", "minimax")],
    ),
    (LOST, &[("memo", "bound"), ("depth", "3")]),
    ("4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1", &[("memo", "bound"), ("depth", "3"), ("max_size", "30")]),
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", &[("memo", "interval"), ("depth", "3")]),
    (
        "6k1/8/2p5/3p4/4Q3/8/8/4K3 w - - 0 1",
        &[("memo", "exact"), ("depth", "1"), ("quiescence", "on")],
    ),
    // The fifty-move clock runs out: draws depend on the history, and are not stored.
    (
        "4k3/8/8/8/8/8/8/R3K3 w Q - 98 90",
        &[("memo", "bound"), ("history", "skip"), ("depth", "2"), ("algorithm", "minimax")],
    ),
];

/// White can close two mills; Black can stop one of them and has three stones: every move loses.
const LOST: &str = "ww.www.w/b...b.../..b..... b 0 0";

fn begin((state, settings): Searched) -> Engine {
    engine(state, settings)
}

fn resume(engine: &mut Engine, resume: Resume) -> StopReport {
    engine.session_mut().resume(resume).unwrap()
}

fn root(engine: &Engine) -> FrameReport {
    engine.session().stack().unwrap().frames.swap_remove(0)
}

/// Steps through a search and checks frame 0 at every event.
fn step_through(engine: &mut Engine, mut look: impl FnMut(&mut Engine, &EventReport)) {
    loop {
        let stop = resume(engine, Resume::Step(1));
        look(engine, stop.event.as_ref().unwrap());
        if stop.result.is_some() {
            return;
        }
    }
}

fn events(searched: Searched) -> Vec<EventReport> {
    running::events(&mut begin(searched))
}

#[test]
fn frame_0_is_the_root_at_every_event() {
    for searched in SEARCHES {
        let mut engine = begin(searched);
        let moves = engine.session().moves().moves;
        let legal: BTreeSet<_> = moves.into_iter().map(|moves| moves.mv).collect();
        let mut moves = Vec::new();
        let (mut full, mut searched_window) = (None, None);
        let (mut best, mut choice, mut child, mut iteration) = (None::<Score>, None, 0, 0);
        step_through(&mut engine, |engine, event| {
            if moves.is_empty() {
                moves = root(engine).moves;
                assert_eq!(moves.iter().cloned().collect::<BTreeSet<_>>(), legal);
            }
            let under_way = |child: usize| child.checked_sub(1).map(|at| moves[at].clone());
            match (event.kind, event.ply) {
                (EventKind::Iteration, _) => {
                    (best, choice, child, iteration) = (None, None, 0, iteration + 1);
                    full.get_or_insert((event.window.alpha, event.window.beta));
                }
                (EventKind::Descend, 1) => {
                    child += 1;
                    assert_eq!(event.mv, under_way(child));
                    let window = (event.window.alpha, event.window.beta);
                    assert_eq!(
                        *searched_window.get_or_insert(window),
                        window,
                        "every move: all of it"
                    );
                }
                (EventKind::Return | EventKind::Raise, 0) => {
                    assert_eq!(event.mv, under_way(child));
                    let better = best < event.value;
                    assert_eq!(better, event.kind == EventKind::Raise, "{event:?}");
                    if better {
                        (best, choice) = (event.value, under_way(child));
                    }
                }
                (kind, 0) => assert_eq!(kind, EventKind::Finish, "{event:?}"),
                _ => {}
            }
            let stack = engine.session().stack().unwrap();
            assert_eq!(stack.frames.len(), event.ply as usize + 1);
            assert_eq!(stack.iteration, iteration);
            let (alpha, beta) = full.unwrap();
            let root = &stack.frames[0];
            let seen = (root.ply, root.depth, root.state.as_str(), root.memo);
            assert_eq!(seen, (0, iteration, searched.0, ProbeOutcome::NotProbed));
            assert_eq!((root.window.alpha, root.window.beta), (best.unwrap_or(alpha), beta));
            assert_eq!((root.best, &root.best_move), (best, &choice), "{event:?}");
            assert_eq!((root.child, root.children), (child, moves.len()));
            assert_eq!((&root.mv, &root.moves), (&under_way(child), &moves));
            if event.ply == 0 {
                let fault = engine.session().explain_cutoff().unwrap_err();
                assert!(fault.message.contains("never cut off"), "{fault}");
            }
        });
        assert_eq!(child, moves.len(), "{searched:?}: the last iteration is whole");
        // At every event frame 0 can be selected and is not cut off.
        resume(&mut engine, Resume::Back(Backward::Until(EventKind::Descend)));
        engine.session_mut().frame(Some(0)).unwrap();
        assert!(engine.session().explain_cutoff().is_err());
    }
}

#[test]
fn ways_lead_to_the_root_and_away_from_it() {
    for searched in SEARCHES {
        let events = events(searched);
        let mut engine = begin(searched);
        engine.session_mut().run(&[]).unwrap();
        let near = |index: &usize| events[*index].ply <= 1 || index.is_multiple_of(97);
        let places: Vec<_> = (0..events.len()).filter(near).collect();
        for &here in places.iter().step_by(places.len() / 25 + 1) {
            let ply = events[here].ply;
            let no_deeper = |event: &&EventReport| event.ply <= ply;
            let out = |event: &&EventReport| event.ply < ply.max(1);
            let raise = |event: &&EventReport| event.kind == EventKind::Raise;
            let (past, ahead) = (events[..here].iter().rev(), events[here + 1..].iter());
            let last = &events[events.len() - 1];
            let resumes = [
                (Resume::Next, ahead.clone().find(no_deeper).or(Some(last))),
                (Resume::Finish, ahead.clone().find(out).or(Some(last))),
                (Resume::Until(EventKind::Raise), ahead.clone().find(raise).or(Some(last))),
                (Resume::Goto(last.index), Some(last)),
                (Resume::Back(Backward::Next), past.clone().find(no_deeper)),
                (Resume::Back(Backward::Finish), past.clone().find(out)),
                (Resume::Back(Backward::Until(EventKind::Raise)), past.clone().find(raise)),
                (Resume::Back(Backward::Step(1)), past.clone().next()),
                (Resume::Goto(0), Some(&events[0])),
            ];
            for (resume_by, wanted) in resumes {
                resume(&mut engine, Resume::Goto(here as u64));
                let stop = resume(&mut engine, resume_by);
                assert_eq!(stop.event.as_ref(), wanted, "{searched:?}: {resume_by:?} from {here}");
                if wanted.is_none() {
                    assert_eq!(stop.stopped, "start");
                    let root = root(&engine);
                    assert_eq!((root.child, root.best, root.depth), (0, None, 0));
                }
            }
        }
    }
}

/// The events at which breakpoints stop, until the search ends.
fn stops(engine: &mut Engine) -> Vec<StopReport> {
    let on = std::iter::repeat_with(|| resume(engine, Resume::Continue));
    on.take_while(|stop| stop.breakpoint.is_some()).collect()
}

#[test]
fn breakpoints_hold_at_the_root_as_elsewhere() {
    type Case = (&'static str, &'static str, fn(&EventReport) -> bool);
    let cases: [Case; 4] = [
        ("iteration", "best == none", |_| true),
        ("raise", "value == best", |_| true),
        ("return", "depth > 1", |event| event.depth > 1),
        ("finish", "value == best", |_| true),
    ];
    for searched in SEARCHES {
        let events = events(searched);
        for (kind, condition, holds) in cases {
            let mut engine = begin(searched);
            let conditions = [("ply", "0"), ("kind", kind)];
            engine.session_mut().break_at(&conditions, Some(condition), Action::Stop).unwrap();
            let stops = stops(&mut engine).into_iter();
            let found: Vec<_> = stops.filter_map(|stop| stop.event).collect();
            let at_root = |event: &&EventReport| event.ply == 0 && event.kind.name() == kind;
            let wanted = events.iter().filter(at_root).filter(|event| holds(event));
            assert_eq!(found, wanted.cloned().collect::<Vec<_>>(), "{searched:?}: {kind}");
        }
        // The root fails neither low nor high, even where every move loses.
        for side in ["low", "high"] {
            let mut engine = begin(searched);
            let conditions = [("ply", "0"), ("fails", side)];
            engine.session_mut().break_at(&conditions, None, Action::Stop).unwrap();
            assert!(stops(&mut engine).is_empty(), "{searched:?}: fails {side}");
        }
    }
}

#[test]
fn values_of_the_root_are_watched() {
    const FIGURES: [FrameValue; 3] = [FrameValue::Alpha, FrameValue::Best, FrameValue::Beta];
    for searched in SEARCHES {
        let (mut changes, mut before) = ([const { Vec::new() }; 3], [None; 3]);
        step_through(&mut begin(searched), |engine, event| {
            let root = root(engine);
            let now = [Some(root.window.alpha), root.best, Some(root.window.beta)];
            for (changes, (before, now)) in changes.iter_mut().zip(before.into_iter().zip(now)) {
                if event.kind != EventKind::Iteration && now != before {
                    changes.push((event.index, before, now));
                }
            }
            before = now;
        });
        for (figure, wanted) in FIGURES.into_iter().zip(changes) {
            let mut engine = begin(searched);
            engine.session_mut().watch_value(figure, Some(0), None).unwrap();
            let change = |stop: StopReport| match stop.seen.watch.unwrap().change {
                ChangeReport::Value { previous, now } => (stop.event.unwrap().index, previous, now),
                ChangeReport::Entry { .. } => panic!("a value was watched"),
            };
            let found: Vec<_> = stops(&mut engine).into_iter().map(change).collect();
            assert_eq!(found, wanted, "{searched:?}: {figure:?}");
            assert!(figure != FrameValue::Best || !wanted.is_empty());
        }
    }
}

/// A report without times and memory.
fn without_times(mut report: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for passing in ["ms", "bytes", "bytes_per_entry"] {
                    fields.remove(passing);
                }
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut report);
    report
}

/// Resumes, without a budget once it is used up.
fn resume_beyond_budget(engine: &mut Engine, way: Resume) -> StopReport {
    let session = engine.session_mut();
    if session.result().is_ok_and(|run| run.stopped == Some(Stop::Budget)) {
        session.set_settings(&[("budget", "off")]).unwrap();
    }
    resume(engine, way)
}

/// A stop, the stack and the cache's statistics.
fn at_stop(engine: &Engine, stop: &StopReport) -> Value {
    let session = engine.session();
    without_times(json!([stop, session.stack().unwrap(), session.cache_stats()]))
}

/// Result and entries at the end.
fn end_state(engine: &Engine) -> Value {
    let session = engine.session();
    let list = session.cache_list(&[], Sort::Table, 0..usize::MAX);
    without_times(json!([session.result().unwrap(), list.unwrap()]))
}

/// Searches that do not give every root move the full window, and selective ones.
const ZERO_WINDOWS: [Searched; 9] = [
    ("......../.w.b.w../........ b 7 8", &[("depth", "3"), ("root", "best")]),
    (
        "..b..wwb/.bwwbwb./b..w..w. b 2 3",
        &[("memo", "interval"), ("depth", "3"), ("algorithm", "pvs"), ("aspiration", "0.01")],
    ),
    ("..b..wwb/.bwwbwb./b..w..w. b 2 3", &[("depth", "3"), ("algorithm", "mtdf")]),
    (
        "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1",
        &[("order", "memo"), ("depth", "4"), ("algorithm", "pvs"), ("aspiration", "5")],
    ),
    (
        "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1",
        &[("memo", "bound"), ("depth", "3"), ("algorithm", "mtdf")],
    ),
    ("..b..wwb/.bwwbwb./b..w..w. b 2 3", &[("depth", "4"), ("lmr", "1")]),
    ("..b..wwb/.bwwbwb./b..w..w. b 2 3", &[("depth", "4"), ("futility", "0.05")]),
    (
        "kb6/8/K7/8/8/8/8/2R5 w - - 0 1",
        &[("depth", "4"), ("null", "1"), ("lmr", "2"), ("extend", "on")],
    ),
    ("kb6/8/K7/8/8/8/8/2R5 w - - 0 1", &[("depth", "4"), ("futility", "20")]),
];

/// The number of events after the saved one that are compared one by one.
const COMPARED: usize = 8;

/// A search saved and loaded continues unchanged: at the first event of every kind in each search, and at a later one
/// of every kind in each game.
#[test]
fn a_session_keeps_a_search_at_every_kind_of_event() {
    let folder = in_memory();
    let file = |index: usize| folder.path().join(format!("{index}.ron"));
    let (mut kinds, mut late) = ([BTreeSet::new(), BTreeSet::new()], BTreeSet::new());
    for searched in SEARCHES.into_iter().chain(ZERO_WINDOWS) {
        let is_chess = searched.0.contains('k');
        let states = begin(searched).session_mut().run(&[]).unwrap().nodes;
        let mut engine = begin(searched);
        let budget = (states / 2).to_string();
        engine.session_mut().set_settings(&[("budget", &budget)]).unwrap();
        let (mut steps, mut saved, mut times) = (Vec::new(), Vec::new(), BTreeMap::new());
        loop {
            let stop = resume_beyond_budget(&mut engine, Resume::Step(1));
            let is_compared = saved.last().is_some_and(|last| steps.len() <= last + COMPARED);
            steps.push(is_compared.then(|| at_stop(&engine, &stop)));
            let kind = stop.event.unwrap().kind.name();
            let times = times.entry(kind).or_insert(0);
            *times += 1;
            if *times == 1 || *times == 9 && late.insert((is_chess, kind)) {
                let place = steps.len() - 1;
                engine.session().save_session(&file(place), &Aliases::new(), true).unwrap();
                saved.push(place);
            }
            if stop.done {
                break;
            }
        }
        kinds[usize::from(is_chess)].extend(times.into_keys());
        let end = end_state(&engine);
        for place in saved {
            let mut engine = Engine::default();
            engine.load_session(&file(place)).unwrap();
            let ahead = &steps[place + 1..];
            for step in ahead.iter().take(COMPARED) {
                let stop = resume_beyond_budget(&mut engine, Resume::Step(1));
                let report = at_stop(&engine, &stop);
                assert_eq!(Some(&report), step.as_ref(), "{searched:?}: saved at event {place}");
            }
            while ahead.len() > COMPARED
                && !resume_beyond_budget(&mut engine, Resume::Continue).done
            {}
            assert_eq!(end_state(&engine), end, "{searched:?}: saved at event {place}");
        }
    }
    // Of traces; `tables` has tests of its own, with tables.
    let others = [EventKind::Static, EventKind::Leave, EventKind::Note, EventKind::Tables];
    for &kind in EventKind::ALL.iter().filter(|kind| !others.contains(kind)) {
        let not_in_morris = [
            EventKind::StandPat,
            EventKind::Captures,
            EventKind::Skip,
            EventKind::Null,
            EventKind::Extend,
        ];
        let in_morris = kinds[0].contains(kind.name());
        assert!(in_morris || not_in_morris.contains(&kind), "morris: {kind:?}");
        assert!(kinds[1].contains(kind.name()), "chess: {kind:?}");
    }
}

/// With `root=best`, a search stopped in an iteration has its best move so far, which may be better than that of the last
/// complete iteration.
#[test]
fn a_stopped_iteration_keeps_its_better_move() {
    for state in [
        "..b..wwb/.bwwbwb./b..w..w. b 2 3",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    ] {
        let mut engine = engine(state, &[("root", "best"), ("depth", "4")]);
        let (mut complete, mut replaced) = (Vec::new(), 0);
        while let Ok(stop) = engine.session_mut().resume(Resume::Step(1)) {
            let event = stop.event.unwrap();
            let result = engine.session().result().unwrap();
            match event.kind {
                EventKind::Iteration => complete = result.best,
                EventKind::Raise if event.ply == 0 && event.depth > 1 => {
                    assert_eq!(result.best, Vec::from_iter(event.mv), "{state}");
                    assert_eq!(result.value, event.value, "{state}");
                    assert!(result.depth < event.depth && result.notes[0].contains("next depth"));
                    replaced += usize::from(!complete.contains(&result.best[0]));
                }
                _ => {}
            }
            if stop.done {
                break;
            }
        }
        assert!(replaced > 0, "{state}: every iteration agrees with the one before");
    }
}

#[test]
fn every_root_search_finds_the_values_of_plain_minimax() {
    let settings: [&[(&str, &str)]; 7] = [
        &[("root", "all")],
        &[("root", "best")],
        &[("aspiration", "1e-30")],
        &[("aspiration", "0.05")],
        &[("aspiration", "50"), ("leaves", "on")],
        &[("algorithm", "alphabeta"), ("root", "best")],
        &[("algorithm", "mtdf")],
    ];
    for (state, depth) in [
        ("......../.w.b.w../........ b 7 8", "3"),
        ("..b..wwb/.bwwbwb./b..w..w. b 2 3", "4"),
        ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "3"),
        ("4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1", "4"),
    ] {
        let run = |pairs: &[(&str, &str)]| {
            let pairs = [pairs, &[("depth", depth)]].concat();
            engine(state, &pairs).session_mut().run(&[]).unwrap()
        };
        let plain = run(&[("algorithm", "minimax"), ("memo", "none")]);
        for pairs in settings {
            let found = run(pairs);
            assert_eq!(found.value, plain.value, "{state} {pairs:?}");
            assert!(!found.best.is_empty());
            assert!(found.best.iter().all(|mv| plain.best.contains(mv)), "{state} {pairs:?}");
            for known in found.moves.iter().filter(|known| known.bound.is_none()) {
                let truth = plain.moves.iter().find(|plain| plain.mv == known.mv).unwrap();
                assert!(known.value.is_none() || known.value == truth.value, "{state} {pairs:?}");
            }
        }
    }
}
