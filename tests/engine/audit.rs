//! Audits find nothing in sound fidelity, and every defect that corrupts values in seed fidelity.

use proptest::prelude::*;

use crate::common::{
    cases::cases,
    morris::{bounded_weights, position},
    running::engine,
};
use plyscope::engine::{
    Engine,
    audit::BoundedValue,
    morris::Position,
    session::{
        audit::{AuditReport, AuditRunReport, AuditScope},
        reply::Score,
    },
    table::Bound,
};

/// The wrong entries listed by an audit.
const LIMIT: usize = 20;

fn audit(engine: &mut Engine) -> AuditReport {
    engine.session_mut().audit(AuditScope::all(LIMIT)).unwrap()
}

fn audit_run(engine: &Engine, depth: &str, fresh: bool) -> AuditRunReport {
    let limits = [("depth", depth), ("budget", "off")];
    engine.session().audit_run(&limits, fresh).unwrap()
}

fn cause(report: &AuditRunReport) -> Option<&'static str> {
    report.departure.as_ref().map(|departure| departure.cause)
}

fn swap_colours(state: &str) -> String {
    state.parse::<Position>().unwrap().swap_colours().to_string()
}

const SIGNED: &str = "ww.wb.../b.b.w.bw/........ w 0 0";
const MIDDLE: &str = "b..w.w../.b.....w/bw..bw.. b 4 5";
const FLYING: &str = "w..w..bb/b.w...../........ w 0 0";

#[test]
fn d2_each_turned_entry_is_wrong_for_one_side() {
    let seed = [("fidelity", "seed"), ("keys", "colour"), ("symmetry", "off")];
    let mut engine = engine(SIGNED, &seed);
    engine.session_mut().run(&[("depth", "3")]).unwrap();
    let report = audit(&mut engine);
    assert!(report.wrong > 100 && report.read_twice, "{report:?}");
    assert_eq!(report.checked, report.right + report.wrong);
    let flaw = &report.flaws[0];
    assert_eq!(flaw.flaw.claim.value, -flaw.flaw.true_value);
    assert_eq!(flaw.flaw.cause, Some("negated"));
    let writer = flaw.writer.as_ref().unwrap();
    assert!(!writer.line.is_empty() && writer.event > 0, "{writer:?}");
    assert_eq!(cause(&audit_run(&engine, "3", false)), None, "White reads what White wrote");

    engine.session_mut().set_position(&swap_colours(SIGNED)).unwrap();
    let report = audit_run(&engine, "3", false);
    assert_eq!(cause(&report), Some("sign"));
    let departure = report.departure.unwrap();
    assert_eq!((departure.line.len(), departure.event.index), (1, 2));
    assert_eq!(departure.found.claim.value, -departure.found.true_value);
    assert_eq!(cause(&audit_run(&engine, "3", true)), None);
}

#[test]
fn d3_a_learned_zero_is_shown_as_such() {
    // The game continues after the replies to the only moves, and the root itself was learned.
    let state = "www...bb/.b..w.../........ w 0 0";
    let mut engine = engine(state, &[("memo", "rote"), ("fidelity", "seed")]);
    let moves = engine.session().moves().moves;
    let child = &moves[0].state;
    engine.session_mut().cache_set(child, &[("value", "0")]).unwrap();
    let report = audit(&mut engine);
    assert_eq!((report.ignored, report.wrong, report.checked), (1, 0, 0));
    engine.session_mut().set_settings(&[("deepening", "off")]).unwrap();
    let report = audit_run(&engine, "1", false);
    assert_eq!(cause(&report), Some("zero"));
    assert_eq!(report.departure.unwrap().found.true_value, Score::ZERO);
    engine.session_mut().set_settings(&[("zero", "sound")]).unwrap();
    assert_eq!(audit(&mut engine).ignored, 0);
    assert_eq!(cause(&audit_run(&engine, "1", false)), None);
}

#[test]
fn d5_a_leaf_where_the_game_is_over() {
    for policy in ["none", "exact", "interval", "bound"] {
        let mut engine = engine(FLYING, &[("fidelity", "seed"), ("memo", policy)]);
        let report = audit_run(&engine, "3", false);
        assert_eq!(cause(&report), Some("leaf"), "{policy}");
        let departure = report.departure.unwrap();
        assert_eq!(departure.found.true_value.get().abs(), 1.0);
        engine.session_mut().set_settings(&[("leaf", "sound")]).unwrap();
        assert_eq!(cause(&audit_run(&engine, "2", true)), None, "{policy}");
    }
    let mut engine = engine(FLYING, &[("fidelity", "seed")]);
    engine.session_mut().value(3, None, None).unwrap();
    let report = audit(&mut engine);
    assert!(report.over > 10 && report.wrong > report.over, "{report:?}");
    assert_eq!(report.flaws.len(), LIMIT);
}

#[test]
fn d9_a_cache_of_other_weights() {
    let mut engine = engine(MIDDLE, &[("stale", "seed"), ("record", "off")]);
    engine.session_mut().run(&[("depth", "3")]).unwrap();
    assert_eq!(audit(&mut engine).wrong, 0);
    engine.session_mut().set_weights(&[("stones", "2.5")]).unwrap();
    let report = audit(&mut engine);
    assert!(report.wrong > 0 && report.flaws[0].writer.is_none());
    let report = audit_run(&engine, "3", false);
    assert_eq!(cause(&report), Some("before"));
    assert!(report.departure.unwrap().entry.is_some());
    assert_eq!(cause(&audit_run(&engine, "3", true)), None);
}

#[test]
fn d13_and_d14_deeper_entries_serve_and_narrow() {
    let mut causes = Vec::new();
    let games = [MIDDLE, FLYING, SIGNED, "..b..wwb/.bwwbwb./b..w..w. b 2 3"];
    for state in games {
        let settings = [("memo", "bound"), ("reuse", "deeper")];
        let mut engine = engine(state, &settings);
        for depth in ["2", "3", "4", "5"] {
            engine.session_mut().run(&[("depth", depth), ("budget", "off")]).unwrap();
            engine.session_mut().drop_search();
            causes.extend(cause(&audit_run(&engine, "3", false)));
        }
        engine.session_mut().set_settings(&[("reuse", "exact")]).unwrap();
        assert_eq!(cause(&audit_run(&engine, "4", false)), None, "{state}");
    }
    assert!(causes.contains(&"depth"), "{causes:?}");
    assert!(causes.iter().all(|cause| ["depth", "window", "before"].contains(cause)), "{causes:?}");
}

#[test]
fn d14_a_window_narrowed_by_a_deeper_entry() {
    let mut engine =
        engine(MIDDLE, &[("memo", "bound"), ("reuse", "deeper"), ("deepening", "off")]);
    let first = engine.session().moves().moves[0].state.clone();
    let true_value = {
        let mut plain = self::engine(&first, &[("memo", "none")]);
        plain.session_mut().value(1, None, None).unwrap().value.unwrap()
    };
    let promised = "-0.9";
    let fields = [("value", promised), ("bound", "upper"), ("depth", "9")];
    engine.session_mut().cache_set(&first, &fields).unwrap();
    let report = audit_run(&engine, "2", false);
    assert_eq!(cause(&report), Some("window"));
    let departure = report.departure.unwrap();
    assert_eq!(departure.found.true_value, true_value);
    assert!(departure.window[1] < departure.found.searched_window.beta, "{departure:?}");
}

#[test]
fn an_edited_entry_is_found_with_the_amount() {
    let mut engine = engine(MIDDLE, &[("record", "off")]);
    engine.session_mut().run(&[("depth", "3")]).unwrap();
    let mv = engine.session().moves().moves[0].mv.clone();
    engine.session_mut().play(mv.plain()).unwrap();
    let edit = engine.session_mut().cache_set("here:2", &[("value", "0.875")]).unwrap();
    let report = audit(&mut engine);
    assert_eq!(report.wrong, 1);
    let flaw = &report.flaws[0];
    assert_eq!((&flaw.key, flaw.flaw.claim.value.get()), (&edit.key, 0.875));
    let was = edit.previous.unwrap().value;
    assert_eq!(flaw.flaw.true_value, was);
    assert!((flaw.amount.get() - (0.875 - was.get())).abs() < 1e-15);
}

#[test]
fn a_sample_has_the_given_size_and_is_the_same_each_time() {
    let mut engine = engine(FLYING, &[("fidelity", "seed")]);
    engine.session_mut().value(3, None, None).unwrap();
    let all = audit(&mut engine);
    let mut sample = |seed: &str, size| {
        engine.session_mut().set_settings(&[("seed", seed)]).unwrap();
        engine
            .session_mut()
            .audit(AuditScope { sample: Some(size), ..AuditScope::all(1000) })
            .unwrap()
    };
    let (one, again, other) = (sample("1", 3000), sample("1", 3000), sample("2", 3000));
    assert_eq!((one.checked, other.checked), (3000, 3000));
    assert_eq!(one.flaws, again.flaws);
    assert_ne!(one.flaws, other.flaws);
    assert!((20..60).contains(&one.wrong), "{} of {}", one.wrong, all.wrong);
    assert_eq!(sample("1", 1_000_000).checked, all.entries);
}

#[test]
fn an_audit_is_limited_to_used_entries_or_to_one_depth() {
    let mut engine = engine(MIDDLE, &[("fidelity", "seed")]);
    engine.session_mut().run(&[("depth", "3"), ("budget", "off")]).unwrap();
    let mut with = |depth, hits_only| {
        engine
            .session_mut()
            .audit(AuditScope { depth, hits_only, ..AuditScope::all(LIMIT) })
            .unwrap()
    };
    let all = with(None, false);
    let answered = with(None, true);
    assert!(0 < answered.checked && answered.checked < all.checked);
    let by_depth: usize = (0..3).map(|depth| with(Some(depth), false).checked).sum();
    assert_eq!(by_depth, all.checked);
    assert!(with(Some(0), true).checked < answered.checked);
}

#[test]
fn an_audit_changes_nothing() {
    let mut engine = engine(SIGNED, &[("fidelity", "seed"), ("keys", "colour")]);
    engine.session_mut().resume(plyscope::engine::recording::Resume::Step(2000)).unwrap();
    let seen = |engine: &Engine| {
        let session = engine.session();
        let stack = serde_json::to_value(session.stack().unwrap()).unwrap();
        (stack, serde_json::to_value(session.cache_stats()).unwrap())
    };
    let before = seen(&engine);
    assert!(
        engine
            .session_mut()
            .audit(AuditScope { hits_only: true, ..AuditScope::all(LIMIT) })
            .unwrap()
            .wrong
            > 0
    );
    audit_run(&engine, "3", false);
    assert_eq!(seen(&engine), before);
}

#[test]
fn a_stop_from_outside_keeps_what_was_found() {
    use std::{sync::atomic::Ordering, thread};
    let mut engine = engine(FLYING, &[("fidelity", "seed")]);
    engine.session_mut().value(4, None, None).unwrap();
    let (progress, interrupt) = (engine.progress(), engine.interrupt());
    let report = thread::scope(|scope| {
        let audit = scope.spawn(|| audit(&mut engine));
        let has_begun = || progress.operation().is_some_and(|progress| progress.done > 0);
        while !has_begun() && !audit.is_finished() {
            thread::yield_now();
        }
        interrupt.store(true, Ordering::Relaxed);
        audit.join().unwrap()
    });
    let seen = report.checked;
    assert!(report.interrupted == (seen < report.chosen), "{seen} of {}", report.chosen);
    assert_eq!(report.checked, report.right + report.wrong);
}

#[test]
fn games_that_are_over_and_empty_caches() {
    let mut engine = engine("www...bb/......../........ w 0 0", &[]);
    let fault = engine.session().audit_run(&[], false).unwrap_err();
    assert!(fault.message.contains("the game is over"));
    assert_eq!(audit(&mut engine).entries, 0);
    let fault =
        engine.session_mut().audit(AuditScope { hits_only: true, ..AuditScope::all(LIMIT) });
    assert!(fault.is_err(), "no search is under way");
}

fn policies() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    use proptest::sample::select;
    (
        select(vec!["exact", "interval", "bound", "rote", "none"]),
        select(vec!["alphabeta", "minimax"]),
        select(vec!["on", "off"]),
        select(vec!["none", "memo", "static"]),
    )
        .prop_map(|(policy, algorithm, symmetry, order)| {
            vec![
                ("memo", policy),
                ("algorithm", algorithm),
                ("symmetry", symmetry),
                ("order", order),
            ]
        })
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn sound_searches_leave_nothing_to_find(
        root in position(),
        other in position(),
        weights in bounded_weights(),
        settings in policies(),
        depth in 1..=3_u8,
    ) {
        let mut engine = engine(&root.to_string(), &settings);
        let weights: Vec<_> = weights.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect();
        let pairs: Vec<_> = weights.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        engine.session_mut().set_weights(&pairs).unwrap();
        for state in [&root, &other] {
            engine.session_mut().set_position(&state.to_string()).unwrap();
            let depth = depth.to_string();
            let limits = [("depth", depth.as_str()), ("budget", "4000")];
            engine.session_mut().run(&limits).unwrap();
            let report = audit(&mut engine);
            prop_assert_eq!(report.wrong, 0, "{:?}", report.flaws);
            if !engine.session().position().finished {
                let report = engine.session().audit_run(&limits, false).unwrap();
                prop_assert!(report.departure.is_none(), "{:?}", report);
            }
        }
    }
}

#[test]
fn the_test_window_of_a_claim_is_the_narrowest() {
    for value in [0.0, -0.0, 0.25, -1.0, 1e300] {
        let value = Score::new(value).unwrap();
        let ask = |bound| BoundedValue { bound, value }.test_window().unwrap();
        assert!(ask(Bound::Exact).holds(value));
        assert!(ask(Bound::Lower).fails_high(value));
        assert!(!ask(Bound::Lower).fails_high(ask(Bound::Exact).alpha));
        assert!(ask(Bound::Upper).fails_low(value));
        assert!(!ask(Bound::Upper).fails_low(ask(Bound::Exact).beta));
    }
}

#[test]
fn claims_bounded_by_infinity_have_no_test_window() {
    let claim = |bound, value| BoundedValue { bound, value }.test_window();
    assert_eq!(claim(Bound::Upper, Score::INFINITY), None);
    assert_eq!(claim(Bound::Lower, Score::NEG_INFINITY), None);
    assert!(claim(Bound::Lower, Score::INFINITY).is_some());
}
