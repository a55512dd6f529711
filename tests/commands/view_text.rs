//! What a person reads: every report as text, as snapshots and against the rules all of it follows.

use crate::plain::PLAIN;
use plyscope::{
    command::Shell,
    engine::{
        Engine,
        cachefile::LoadOptions,
        debugger::Action,
        recording::Resume,
        search::EventKind,
        session::{
            AnySession,
            breakpoints::BreakpointOptions,
            cache::{CacheEdit, CacheList, EntryReport, Sort},
            comparing::{CompareOptions, ComparisonKind},
            plot::Plot,
            position::Perft,
            reply::{PlainReply, Reply, Score, Window, boxed},
            search::{Bench, BenchCase, Run, StopReport, Value},
        },
    },
    text::ascii,
    view,
};

const PLACING: &str = "w.b...../.w....../....b... w 7 7";
const MOVING: &str = "wb.w.bw./.b.w..b./w..b.w.. w 0 0";
/// Weights matter here.
const UNEQUAL: &str = "w.wb..b./b.w.wb../.b.w.b.. w 3 3";
const FLYING: &str = "w...b..w/..b...../...w..b. b 0 0";
const LOST: &str = "wbwbwbwb/......../........ w 0 0";

fn break_at(bench: &mut dyn AnySession, conditions: &[(&str, &str)], temporary: bool) {
    let action = if temporary { Action::Once } else { Action::Stop };
    bench.watch_for(&BreakpointOptions::Place { conditions, action }, None).unwrap();
}

fn engine(state: &str, settings: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::default();
    engine.session_mut().set_settings(settings).unwrap();
    engine.session_mut().set_position(state).unwrap();
    engine
}

fn on<T>(state: &str, settings: &[(&str, &str)], work: impl FnOnce(&mut dyn AnySession) -> T) -> T {
    work(engine(state, &[&PLAIN, settings].concat()).session_mut())
}

/// Measured times are the same in every run of the tests.
fn steady(mut reply: Box<dyn Reply>) -> Box<dyn Reply> {
    const MS: f64 = 12.345;
    if let Some(perft) = reply.downcast_mut::<Perft>() {
        perft.ms = Some(MS);
    } else if let Some(value) = reply.downcast_mut::<Value>() {
        value.ms = Some(MS);
    } else if let Some(run) = reply.downcast_mut::<Run>() {
        run.ms = Some(MS);
    } else if let Some(stop) = reply.downcast_mut::<StopReport>() {
        stop.result.iter_mut().for_each(|run| run.ms = Some(MS));
    } else if let Some(bench) = reply.downcast_mut::<Bench>() {
        bench.ms = Some(1234.5);
        bench.cases.iter_mut().for_each(|case| case.ms = Some(MS));
    }
    reply
}

/// Checks the rules for all text, then takes the snapshot.
#[track_caller]
fn shown(name: &str, reply: impl Reply) {
    let report = steady(boxed(reply));
    let text = view::text(&*report);
    assert!(!text.ends_with('\n'), "{name}: a newline at the end");
    for line in text.lines() {
        assert_eq!(line, line.trim_end(), "{name}: a space at the end");
        assert!(line.chars().count() <= 80, "{name}: too long: {line}");
    }
    let has_ascii = |sign: char| {
        sign.is_ascii() || sign.is_alphanumeric() || sign == '\u{FE0E}' || ascii(sign) != "?"
    };
    assert!(text.chars().all(has_ascii), "{name}: nothing stands for a sign: {text}");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn positions() {
    let mut engine = engine(PLACING, &[]);
    let bench = engine.session_mut();
    shown("position", bench.position());
    bench.resume(Resume::Step(5)).unwrap();
    let played = bench.play("a1").unwrap();
    shown("position_played", played);
    let lost = on(LOST, &[], |bench| bench.position());
    shown("position_finished", lost);
}

#[test]
fn moves_symmetries_and_perft() {
    on(PLACING, &[], |bench| {
        shown("moves", bench.moves());
        shown("symmetries", bench.symmetries());
        shown("perft", bench.perft(3).unwrap());
        shown("perft_zero", bench.perft(0).unwrap());
    });
    on(LOST, &[], |bench| {
        shown("moves_finished", bench.moves());
        shown("perft_finished", bench.perft(2).unwrap());
    });
    on(FLYING, &[], |bench| {
        shown("moves_flying", bench.moves());
    });
}

#[test]
fn evaluations_rules_and_settings() {
    on(MOVING, &[], |bench| {
        shown("eval", bench.eval(None).unwrap());
        bench.set_weights(&[("mills", "0.1"), ("stash", "0.7")]).unwrap();
        shown("eval_fractions", bench.eval(None).unwrap());
        shown("rules", bench.rules());
        bench.value(2, None, None).unwrap();
        let settings = bench.set_settings(&[("depth", "5"), ("memo", "bound")]).unwrap();
        shown("settings", settings);
    });
}

#[test]
fn weights() {
    on(UNEQUAL, &[], |bench| {
        shown("weights", bench.weights());
        bench.run(&[]).unwrap();
        let changed = bench.set_weights(&[("mills", "0.5")]).unwrap();
        shown("weights_changed", changed);
        bench.define_weights("greedy", &[("mills", "12")]).unwrap();
        bench.define_weights("hoarder", &[("stash", "2.25")]).unwrap();
        shown("weight_sets", bench.weight_sets());
        let weighed = |sets: &[&str], depth| {
            let wish = CompareOptions {
                kind: ComparisonKind::Weights,
                variants: sets,
                depth: Some(depth),
                list: 5,
                ..CompareOptions::default()
            };
            let mut report = bench.compare(&wish).unwrap();
            report.forget_times();
            report
        };
        shown("comparison", weighed(&["default", "greedy"], 3));
        let sets = ["default", "greedy", "hoarder", "stones=0,possible_mills=9", "current"];
        shown("comparison_of_many", weighed(&sets, 2));
        shown("comparison_agreed", weighed(&["default", "default"], 1));
    });
}

#[test]
fn values() {
    on(PLACING, &[], |bench| {
        shown("value", bench.value(3, None, None).unwrap());
        let window = [0.5, 0.75].map(Score::new);
        let value = bench.value(2, window[0], window[1]).unwrap();
        shown("value_upper", value);
        let value = bench.value(0, Some(Score::NEG_INFINITY), Some(Score::INFINITY)).unwrap();
        shown("value_static", value);
    });
    let value = on(MOVING, &[("memo", "none")], |bench| bench.value(2, None, None).unwrap());
    shown("value_without_memo", value);
}

#[test]
fn runs() {
    let run = |state: &str, settings: &[(&str, &str)]| {
        on(state, settings, |bench| bench.run(&[]).unwrap())
    };
    shown("run", run(PLACING, &[]));
    shown("run_start", run("......../......../........ w 9 9", &[("depth", "2")]));
    shown("run_without_iteration", run(PLACING, &[("budget", "5")]));
    let seed = [("budget", "5"), ("fidelity", "seed")];
    shown("run_seed_without_iteration", run(PLACING, &seed));
    shown("run_finished", run(LOST, &[]));
}

#[test]
fn stepping() {
    on(PLACING, &[("depth", "3")], |bench| {
        let stop = |bench: &mut dyn AnySession, name: &str, resume| {
            let report = bench.resume(resume).unwrap();
            shown(name, report);
        };
        stop(bench, "stop_first", Resume::Step(1));
        shown("where_at_first", bench.stack().unwrap());
        stop(bench, "stop_step", Resume::Step(200));
        stop(bench, "stop_until", Resume::Until(EventKind::Raise));
        stop(bench, "stop_goto", Resume::Goto(700));
        shown("where", bench.stack().unwrap());
        let frame = bench.frame(Some(1)).unwrap();
        shown("frame", frame);
        shown("where_selected", bench.stack().unwrap());
        let frame = bench.frame(Some(0)).unwrap();
        shown("frame_root", frame);
        break_at(bench, &[("kind", "cutoff"), ("ply", "2")], false);
        stop(bench, "stop_breakpoint", Resume::Continue);
        bench.remove_breakpoint(None).unwrap();
        stop(bench, "stop_done", Resume::Continue);
        shown("where_done", bench.stack().unwrap());
    });
}

#[test]
fn a_frame_of_many_moves() {
    on(FLYING, &[("depth", "2")], |bench| {
        bench.resume(Resume::Goto(5000)).unwrap();
        let frame = bench.frame(Some(0)).unwrap();
        shown("frame_of_many_moves", frame);
    });
}

#[test]
fn long_positions_and_strange_numbers() {
    let entry = |value| EntryReport {
        uses: None,
        key: "463b96181691fc9c:12".into(),
        state: Some("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".into()),
        depth: Some(12),
        value: Score::new(value).unwrap(),
        window: Window::new(Score::NEG_INFINITY, Score::new(1e-12).unwrap()),
        bound: Some("upper"),
        best: Vec::new(),
    };
    let entries = [0.1, -1e300, 1234.5, f64::INFINITY].map(entry).to_vec();
    let edit = CacheEdit {
        key: entries[1].key.clone(),
        entry: Some(entries[1].clone()),
        previous: Some(entries[0].clone()),
        board: Some("r n b\n. . .".into()),
        notes: vec![],
        other_keys: vec![],
        writer: None,
    };
    let list = CacheList { offset: 0, entries, matching: 4, total: 5 };
    shown("cache_list_long", list);
    shown("cache_set_long", edit);
}

#[test]
fn stepping_to_the_end_of_the_budget() {
    on(PLACING, &[("budget", "300")], |bench| {
        let report = bench.resume(Resume::Continue).unwrap();
        shown("stop_budget", report);
    });
}

#[test]
fn breakpoints() {
    on(PLACING, &[], |bench| {
        shown("breakpoints_none", bench.breakpoints());
        break_at(bench, &[("ply", "2"), ("kind", "cutoff")], false);
        break_at(bench, &[("position", "here")], true);
        bench.run(&[]).unwrap();
        shown("breakpoints", bench.enable_breakpoint(1, false).unwrap());
    });
}

#[test]
fn the_cache_as_a_whole() {
    on(PLACING, &[], |bench| {
        let all = |bench: &dyn AnySession| bench.cache_list(&[], Sort::Value, 0..6).unwrap();
        shown("cache_list_empty", all(bench));
        shown("cache_stats_empty", bench.cache_stats());
        bench.run(&[]).unwrap();
        let mut stats = bench.cache_stats();
        (stats.bytes, stats.bytes_per_entry) = (1_234_567, Some(61.73));
        shown("cache_stats", stats);
        shown("cache_list", all(bench));
        let filter = ["depth=9"];
        let none = bench.cache_list(&filter, Sort::Key, 0..6).unwrap();
        shown("cache_list_no_match", none);
        shown("cache_cleaned", bench.cache_clean(Some(2000)));
        shown("cache_cleared", bench.cache_clear());
    });
}

#[test]
fn the_lists_of_other_policies() {
    for policy in ["exact", "bound", "rote"] {
        on(MOVING, &[("memo", policy), ("depth", "2")], |bench| {
            bench.run(&[]).unwrap();
            let list = bench.cache_list(&[], Sort::Table, 0..4).unwrap();
            shown(&format!("cache_list_{policy}"), list);
        });
    }
}

#[test]
fn cache_entries() {
    let edit = |name: &str, report| shown(name, report);
    on(PLACING, &[("symmetry", "off")], |bench| {
        bench.value(3, None, None).unwrap();
        edit("cache_get", bench.cache_get("here:3").unwrap());
        edit("cache_absent", bench.cache_get("here:2").unwrap());
        let fields = [("value", "0.25"), ("alpha", "0.1"), ("beta", "inf")];
        edit("cache_set", bench.cache_set("here:3", &fields).unwrap());
        edit("cache_set_unchanged", bench.cache_set("here:3", &fields).unwrap());
        let narrow = [("value", "0.5"), ("alpha", "1"), ("beta", "0")];
        edit("cache_set_new", bench.cache_set("here:7", &narrow).unwrap());
        edit("cache_remove", bench.cache_remove("here:3").unwrap());
    });
}

#[test]
fn keys() {
    on(MOVING, &[], |bench| {
        shown("key", bench.key(None).unwrap());
        let canonical = bench.key(None).unwrap().canonical;
        let key = bench.key(Some(&canonical)).unwrap();
        shown("key_canonical", key);
    });
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    on(PLACING, &[], |bench| {
        bench.value(3, None, None).unwrap();
        let mut saved = bench.cache_save(&at("a.plyc"), None, None).unwrap();
        "caché.plyc".clone_into(&mut saved.file);
        saved.saved.merged = 3;
        shown("cache_saved", saved);
        let mut loaded = bench.cache_load(&at("a.plyc"), LoadOptions::default()).unwrap();
        "a.plyc".clone_into(&mut loaded.file);
        shown("cache_loaded", loaded);
        let mut session = bench.save_session(&at("s.ron"), &[].into(), true).unwrap();
        "s.ron".clone_into(&mut session.file);
        shown("session", session);
    });
}

#[test]
fn the_bench() {
    let [placing, moving] = [PLACING, MOVING].map(|state| format!("morris {state}"));
    let chess = "chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let cases = vec![
        BenchCase::new(&placing, "minimax none depth 3", 12_345, 1.0),
        BenchCase::new(&placing, "alphabeta interval nosym depth 5", 1_234_567, 1.0),
        BenchCase::new(&placing, "best sound", 25_000, 1.0),
        BenchCase::new(&moving, "minimax none depth 3", 345, 1.0),
        BenchCase::new(&moving, "minimax exact depth 3", 299, 1.0),
        BenchCase::new(chess, "best seed", 1, 1.0),
    ];
    let nodes = cases.iter().map(|case| case.nodes).sum();
    let mut bench = Bench { nodes, cases, ms: None };
    bench.forget_times();
    shown("bench", bench.clone());
    let mut timed = steady(boxed(bench.clone()));
    timed.forget_times();
    assert_eq!(view::text(&*timed), view::text(&bench));
    assert!(!view::text(&*timed).contains(" ms"));
    assert!(!serde_json::to_string(&timed).unwrap().contains("\"ms\""));
}

#[test]
fn a_sentence() {
    let message = |text: &str| PlainReply::new(text, serde_json::json!({"message": text}));
    shown("message", message("the search was dropped: 3 → 2"));
    assert_eq!(view::text(&message("")), "");
}

#[test]
fn extents_of_charts_are_never_empty() {
    let plot = Plot::new("t", "x", "y");
    assert!(plot.is_empty());
    assert_eq!(plot.extent(0), [0.0, 1.0]);
    let one = plot.clone().with("a", [(3.0, 4.0), (f64::NAN, 1.0), (5.0, f64::INFINITY)]);
    assert_eq!(one.series[0].points, [[3.0, 4.0]]);
    assert_eq!(one.extent(1), [2.0, 6.0]);
    let two = plot.with("a", [(0.0, -1.0), (2.0, 5.0)]);
    assert_eq!((two.extent(0), two.extent(1)), ([0.0, 2.0], [-1.0, 5.0]));
}

#[test]
fn one_line_of_an_answer_is_the_one_that_says_something() {
    let mut shell = Shell::default();
    for (statement, wanted) in [
        ("perft 2", "depth 2  leaves 552"),
        ("rules show", "double_mill=two flying=on"),
        ("eval", "value 0 for White, the side to move …"),
        ("key", "key 99000000000000"),
        ("weights list", "weight sets default"),
        ("delete all", "no breakpoints"),
        ("undisplay all", "nothing is displayed"),
        (
            "search run --depth 2; explain value",
            "White is to move, and 24 moves were searched 2 plies",
        ),
        ("search drop; step 5; where", "#4 descend"),
        ("back continue", "the recording begins here, 5 events back"),
        ("goto 3; timeline", "2 timelines, on 2 at event 3"),
        ("search compare --depth 1", "every search finds 0"),
    ] {
        let response = shell.run_line(statement).pop().unwrap().unwrap();
        let line = view::line(&*response.reply);
        assert!(line.starts_with(wanted), "{statement}: {line}");
    }
}
