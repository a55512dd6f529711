//! Debugging tools with mate scores in chess, which change by a ply from node to node, and with quiescence search.

// `Chess` is small, but every game is passed by reference.
#![allow(clippy::trivially_copy_pass_by_ref)]

use super::explain::answer;

use crate::common::{
    chess::chess,
    plain::PLAIN,
    reference::negamax,
    running::{self, events},
};
use plyscope::engine::{
    Engine,
    chess::{Chess, PlayedLine, Position},
    debugger::{Access, FrameValue},
    game::{GameOptions, Notation, Rules, Score},
    recording::Resume,
    session::{
        audit::AuditScope, explain::TreeExplained, reply::EventKind, stop_details::ChangeReport,
    },
};

const PLENTY: u64 = 5_000_000;

/// Mates by either side, near and far, and stalemates.
const MATES: [(&str, &str); 5] = [
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "3"),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "4"),
    ("6k1/8/6K1/8/8/8/8/R7 b - - 0 1", "4"),
    ("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1", "3"),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "3"),
];

fn engine(fen: &str, settings: &[(&str, &str)]) -> Engine {
    let mut engine = running::engine(fen, &[("budget", "off")]);
    engine.session_mut().set_settings(settings).unwrap();
    engine
}

fn searched(fen: &str, depth: &str, policy: &str) -> Engine {
    let mut engine = engine(fen, &[("memo", policy), ("depth", depth)]);
    engine.session_mut().run(&[]).unwrap();
    engine
}

fn truth(game: &Chess, position: &Position, depth: u8) -> Score {
    let evaluator = game.evaluator(&game.default_weights(), position).unwrap();
    negamax(game, &evaluator, position, &mut PlayedLine::default(), depth)
}

fn holds(bound: &str, value: Score, truth: Score) -> bool {
    match bound {
        "lower" => truth >= value,
        "upper" => truth <= value,
        _ => truth == value,
    }
}

#[test]
fn every_move_to_a_mate_is_explained_by_the_plain_search() {
    for (fen, depth) in MATES {
        for policy in ["none", "bound", "interval"] {
            let engine = searched(fen, depth, policy);
            let value = engine.session().explain_value(PLENTY).unwrap();
            assert_eq!(value.reasons.plain_value, Some(value.value), "{fen}");
            assert!(value.reasons.notes.is_empty(), "{:?}", value.reasons.notes);
            let end = value.reasons.end.expect("the line has an end");
            assert_eq!(end.root_value, value.value, "{fen}");
            for mv in &value.moves {
                let choice = engine.session().explain_move(mv.mv.plain(), PLENTY).unwrap();
                assert_eq!(choice.reasons.plain_value, mv.value, "{fen} {}", mv.mv);
                assert!(choice.reasons.notes.is_empty(), "{fen} {}", mv.mv);
            }
        }
    }
}

#[test]
fn a_tree_has_every_node_of_the_plain_search() {
    let game = chess(GameOptions::default());
    for (fen, depth) in MATES {
        let mut engine = searched(fen, depth, "none");
        let TreeExplained { depth, nodes, .. } = engine.session_mut().tree(2, 100_000).unwrap();
        assert!(nodes.iter().any(|node| node.ply == 2));
        for node in &nodes {
            let described = node.states.first().zip(node.value).zip(node.bound);
            let Some(((state, value), bound)) = described else {
                continue;
            };
            let position = game.parse_position(state).unwrap();
            let truth = truth(&game, &position, depth - node.ply as u8);
            assert!(holds(bound, value, truth), "{fen} {node:?}: {truth}");
            if let Some(parent) = node.parent.map(|parent| &nodes[parent]) {
                let window = parent.window;
                let child = node.window;
                assert!(window.child(&game).contains(child), "{node:?}");
            }
        }
    }
}

#[test]
fn a_watchpoint_on_beta_stops_only_where_the_cache_changes_it() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut engine = engine(start, &[("memo", "bound"), ("depth", "4")]);
    let session = engine.session_mut();
    for (figure, ply) in [(FrameValue::Beta, 2), (FrameValue::Beta, 3), (FrameValue::Alpha, 2)] {
        session.watch_value(figure, Some(ply), None).unwrap();
    }
    let mut stops = 0;
    loop {
        let stop = session.resume(Resume::Continue).unwrap();
        if stop.breakpoint.is_none() {
            break;
        }
        stops += 1;
        let ChangeReport::Value { previous, now } = stop.seen.watch.unwrap().change else {
            panic!("a value is watched");
        };
        assert_ne!(previous, now);
    }
    assert!(stops > 10);
}

#[test]
fn sound_entries_of_mates_are_right_and_so_are_searches() {
    for (fen, depth) in MATES {
        for policy in ["exact", "interval", "bound"] {
            let mut engine = engine(fen, &[("memo", policy), ("verify", "on"), ("depth", depth)]);
            engine.session_mut().run(&[]).unwrap();
            let audit = engine.session_mut().audit(AuditScope::all(20)).unwrap();
            assert!(audit.wrong == 0 && audit.right > 0, "{fen} {policy} {audit:?}");
            let run = engine.session().audit_run(&[], true).unwrap();
            assert!(run.departure.is_none(), "{fen} {policy} {run:?}");
        }
    }
}

#[test]
fn the_quiz_knows_how_far_a_mate_is() {
    let game = chess(GameOptions::default());
    let mut mates = 0;
    for (fen, _) in &MATES[..3] {
        let mut engine = engine(fen, &[("memo", "none"), ("depth", "3")]);
        for _ in 0..40 {
            let report = engine.session_mut().quiz_next().unwrap();
            if report.over {
                break;
            }
            let found = report.question.as_ref().unwrap().found;
            let value = found.map(|found| found.parent(&game));
            let text = answer(&game, &report);
            let reply = engine.session_mut().quiz_answer(Some(&text)).unwrap();
            let verdict = reply.verdict.unwrap();
            assert!(verdict.right, "{fen} {verdict:?} {text}");
            mates += u32::from(value.is_some_and(|value| value.get().abs() > 90_000.0));
        }
    }
    assert!(mates > 0, "no question was about a mate");
}

#[test]
fn a_watched_entry_with_a_mate_is_read_and_written_under_one_key() {
    let (fen, depth) = MATES[0];
    let settings = [&PLAIN[..], &[("memo", "exact"), ("depth", depth)]].concat();
    let mut engine = engine(fen, &settings);
    engine.session_mut().resume(Resume::Until(EventKind::Terminal)).unwrap();
    let mate = engine.session().stack().unwrap();
    let key = mate.frames.last().unwrap().key.clone();
    engine.session_mut().watch_entry(&key, Access::Any, None).unwrap();
    let stop = engine.session_mut().resume(Resume::Continue).unwrap();
    let event = stop.event.unwrap();
    assert_eq!((event.kind, event.value.map(Score::get)), (EventKind::Store, Some(-99_999.0)));
}

const LOOSE_PAWN: &str = "6k1/8/2p5/3p4/4Q3/8/8/4K3 w - - 0 1";

#[test]
fn quiescence_has_its_events() {
    let mut engine = engine(LOOSE_PAWN, &[("memo", "none"), ("depth", "1"), ("quiescence", "on")]);
    let events = events(&mut engine);
    let kinds = |kind| events.iter().filter(move |event| event.kind == kind);
    assert!(kinds(EventKind::StandPat).count() > 20);
    assert_eq!(kinds(EventKind::Leaf).count(), 0, "no capture goes on for four plies here");
    // After e4d5 Black is to move, a pawn down for a queen: it may stand pat at -815 or recapture.
    let taken =
        kinds(EventKind::Captures).find(|event| event.mv.as_ref().is_some_and(|mv| *mv == "e4d5"));
    assert_eq!(taken.unwrap().value.map(Score::get), Some(-815.0));
    for event in kinds(EventKind::StandPat) {
        assert!(event.depth == 0 && event.value.is_some());
    }
}

#[test]
fn an_explanation_includes_the_quiescence_search() {
    let mut engine = engine(LOOSE_PAWN, &[("memo", "none"), ("quiescence", "on")]);
    engine.session_mut().run(&[("depth", "1")]).unwrap();
    let choice = engine.session().explain_move("e4d5", PLENTY).unwrap();
    assert_eq!(choice.reasons.line, ["e4d5", "c6d5"]);
    assert_eq!(choice.reasons.plies[0].stand_pat.map(Score::get), Some(-815.0));
    let end = choice.reasons.end.unwrap();
    assert_eq!((end.by, end.root_value), ("stand-pat", choice.value));
    let value = engine.session().explain_value(PLENTY).unwrap();
    for mv in &value.moves {
        let choice = engine.session().explain_move(mv.mv.plain(), PLENTY).unwrap();
        assert_eq!(choice.reasons.plain_value, mv.value, "{}", mv.mv);
    }
}
