//! Audits of chess caches with `verify=on`.

use proptest::prelude::*;

use crate::common::{cases::cases, running};
use plyscope::engine::{
    Engine,
    session::audit::{AuditReport, AuditRunReport, AuditScope},
};

fn engine(fen: &str, pairs: &[(&str, &str)]) -> Engine {
    let mut engine = running::engine(fen, pairs);
    engine.session_mut().set_settings(&[("verify", "on")]).unwrap();
    engine
}

fn value(engine: &mut Engine, depth: u8) -> f64 {
    let found = engine.session_mut().value(depth, None, None).unwrap();
    found.value.unwrap().get()
}

fn audit(engine: &mut Engine) -> AuditReport {
    engine.session_mut().audit(AuditScope::all(10_000)).unwrap()
}

fn audit_run(engine: &Engine, depth: &str) -> AuditRunReport {
    let limits = [("depth", depth), ("deepening", "off"), ("budget", "off")];
    engine.session().audit_run(&limits, false).unwrap()
}

/// The wrong entry of a position: its value and the true one.
fn flaw(report: &AuditReport, fen: &str) -> Option<(f64, f64)> {
    let flaw = report.flaws.iter().find(|flaw| flaw.state == fen)?;
    Some((flaw.flaw.claim.value.get(), flaw.flaw.true_value.get()))
}

const D13: &str = "8/K1k4P/8/8/8/8/8/8 w - - 0 1";

#[test]
fn d13_entries_that_deeper_ones_had_a_part_in() {
    let mut seed = engine(D13, &[("fidelity", "seed"), ("memo", "bound")]);
    assert_eq!(value(&mut seed, 5), 865.0);
    let report = audit(&mut seed);
    assert!(report.unchecked.is_empty(), "{:?}", report.unchecked);
    assert_eq!(flaw(&report, D13), Some((865.0, 855.0)), "{report:?}");
    assert_eq!(value(&mut seed, 5), 865.0, "an audit changes nothing");
    seed.session_mut().cache_clear();
    let departure = audit_run(&seed, "6").departure.expect("a departure");
    assert_eq!(departure.cause, "depth");

    let mut sound = engine(D13, &[("memo", "bound")]);
    assert_eq!(value(&mut sound, 5), 855.0);
    let report = audit(&mut sound);
    assert!(report.wrong == 0 && report.right > 100, "{report:?}");
    assert!(audit_run(&sound, "6").departure.is_none());
}

const D16: &str = "4k3/8/3p4/4p3/8/8/8/4QK2 w - - 0 1";

#[test]
fn d16_entries_from_before_quiescence() {
    for (fidelity, wrong) in [("seed", true), ("sound", false)] {
        let mut engine = engine(D16, &[("fidelity", fidelity), ("memo", "bound")]);
        assert_eq!(value(&mut engine, 1), 805.0);
        assert_eq!(audit(&mut engine).wrong, 0, "{fidelity}, without quiescence");
        let quiet = [("quiescence", "on")];
        engine.session_mut().set_settings(&quiet).unwrap();
        let report = audit(&mut engine);
        let expected = wrong.then_some((805.0, 705.0));
        assert_eq!(flaw(&report, D16), expected, "{fidelity}: {report:?}");
        assert_eq!(report.entries > 0, wrong, "sound has emptied the cache");
        // One ply earlier, so that the search reaches the entry.
        let before = "3k4/8/3p4/4p3/8/8/8/4QK2 b - - 0 1";
        engine.session_mut().set_position(before).unwrap();
        let departure = audit_run(&engine, "2").departure;
        let found = departure.map(|it| (it.found.claim.value.get(), it.found.true_value.get()));
        assert_eq!(found, wrong.then_some((805.0, 705.0)), "{fidelity}");
    }
}

const BEFORE: &str = "6k1/5pp1/8/8/8/8/5PPP/N4BK1 w - - 0 1";

/// A game in which the knight has been on b3 four times, with Black to move, before it comes to a1 for the first time.
fn shuffle(engine: &mut Engine) {
    nearly_shuffle(engine);
    engine.session_mut().play("f8g8").unwrap();
}

/// The same game without its last move.
fn nearly_shuffle(engine: &mut Engine) {
    let session = engine.session_mut();
    session.set_position("6k1/5pp1/8/8/8/1N6/5PPP/5BK1 b - - 0 1").unwrap();
    let there_and_back = ["g8f8", "b3c1", "f8g8", "c1b3"].repeat(3);
    for mv in there_and_back.into_iter().chain(["g8f8", "b3a1"]) {
        session.play(mv).unwrap();
    }
}

#[test]
fn d17_draws_by_repetition_in_the_entries() {
    for history in ["ignore", "count", "exact"] {
        let pairs = [("memo", "exact"), ("algorithm", "minimax"), ("history", history)];
        let mut engine = engine(BEFORE, &pairs);
        shuffle(&mut engine);
        value(&mut engine, 2);
        let report = audit(&mut engine);
        let drawn = report.flaws.iter().filter(|flaw| flaw.flaw.claim.value.get() == 0.0);
        assert_eq!(drawn.count() > 0, history == "ignore", "{history}: {report:?}");
        assert_eq!(report.wrong > 0, history != "exact", "{history}: {report:?}");
        assert_eq!(report.unchecked.is_empty(), history == "ignore", "{history}");
    }
}

#[test]
fn d17_and_d21_values_from_before_a_repetition() {
    // Seed 003's keys contain no history, seed 004's only the number of occurrences and the clock.
    for (history, found) in [("ignore", true), ("count", true), ("exact", false)] {
        for (fidelity, policy) in [("seed", "exact"), ("sound", "exact"), ("sound", "bound")] {
            let pairs = [
                ("fidelity", fidelity),
                ("algorithm", "minimax"),
                ("memo", policy),
                ("history", history),
                ("leaves", "on"),
            ];
            let mut engine = engine(BEFORE, &pairs);
            assert_eq!(value(&mut engine, 2), 750.0, "{pairs:?}");
            assert_eq!(audit(&mut engine).wrong, 0, "nothing is behind it yet");
            nearly_shuffle(&mut engine);
            let report = audit_run(&engine, "3");
            assert_eq!(report.departure.is_some(), found, "{pairs:?}");
            if let Some(departure) = report.departure {
                assert_eq!(departure.cause, "before", "{pairs:?}");
                let found = (departure.found.claim.value.get(), departure.found.true_value.get());
                // With keys without occurrences even the repeating position's entry is used.
                let draw = if history == "count" { 745.0 } else { 0.0 };
                assert_eq!(found, (750.0, draw), "{pairs:?}");
            }
        }
    }
}

const GAMES: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 97 60",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 5",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    BEFORE,
];

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn sound_searches_leave_nothing_to_find(
        game in 0..GAMES.len(),
        policy in prop::sample::select(vec!["exact", "interval", "bound"]),
        algorithm in prop::sample::select(vec!["alphabeta", "minimax"]),
        quiescence in prop::sample::select(vec!["on", "off"]),
        depth in 1..=2_u8,
    ) {
        // With many pieces, depths above two have thousands of captures and checks.
        let deepest = if game == 0 && quiescence == "on" { 1 } else { 2 };
        let depth = depth.min(deepest);
        let pairs = [("memo", policy), ("algorithm", algorithm), ("quiescence", quiescence)];
        let mut engine = engine(GAMES[game], &pairs);
        value(&mut engine, depth);
        let report = audit(&mut engine);
        prop_assert_eq!(report.wrong, 0, "{:?}", report.flaws);
        prop_assert!(report.checked > 0);
        if game == 4 {
            shuffle(&mut engine);
            value(&mut engine, depth);
            let report = audit(&mut engine);
            prop_assert_eq!(report.wrong, 0, "{:?}", report.flaws);
        }
        let report = audit_run(&engine, &deepest.to_string());
        prop_assert!(report.departure.is_none(), "{:?}", report);
    }
}
