//! Selective search: it changes nothing where it does not prune, its decisions are events, and incompatible settings
//! are refused.

use proptest::prelude::*;

use crate::common::{
    cases::cases,
    chess,
    roots::root,
    running::{engine, events},
};
use plyscope::engine::{
    chess::{Chess, PlayedLine, Position},
    fault::Culprit,
    game::{Rules, SearchRules},
    search::EventKind,
    session::{
        audit::AuditRunReport,
        reply::{MoveText, Score},
    },
    table::Bound,
};

/// Zugzwang: White must lose a tempo. Every black reply loses the bishop; only passing would save it.
const ZUGZWANG: &str = "kb6/8/K7/8/8/8/8/2R5 w - - 0 1";

fn audit(state: &str, settings: &[(&str, &str)]) -> AuditRunReport {
    engine(state, settings).session().audit_run(&[], true).unwrap()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn selective_search_that_never_prunes_changes_nothing(root in root()) {
        let full = [("depth", "4"), ("root", "best"), ("budget", "3000")];
        let idle = [("null", "250"), ("futility", "1e300")];
        let chess = root.contains('k');
        let idle = &idle[usize::from(!chess)..];
        let selective: Vec<_> = full.iter().chain(idle).copied().collect();
        prop_assert_eq!(events(&mut engine(&root, &selective)), events(&mut engine(&root, &full)));
    }

    #[test]
    fn an_audit_counts_every_decision(root in root()) {
        let chess = root.contains('k');
        let futility = if chess { "30" } else { "0.02" };
        let mut settings = vec![("depth", "4"), ("budget", "1500"), ("lmr", "1"), ("futility", futility)];
        if chess {
            settings.extend([("null", "1"), ("extend", "on")]);
        }
        let events = events(&mut engine(&root, &settings));
        prop_assume!(events.len() > 1, "the game is not over");
        let selective = audit(&root, &settings).selective.unwrap();
        for (kind, setting) in [
            (EventKind::Null, "null"),
            (EventKind::Reduce, "lmr"),
            (EventKind::Prune, "futility"),
            (EventKind::Extend, "extend"),
        ] {
            let taken = events.iter().filter(|event| {
                // Reverse futility: a static value above the horizon.
                let is_futile = event.kind == EventKind::StandPat && event.depth > 0;
                event.kind == kind || setting == "futility" && is_futile
            });
            let taken = taken.count() as u64;
            let counted = selective.decisions.iter().find(|decision| decision.setting == setting);
            prop_assert_eq!(counted.map_or(0, |decision| decision.taken), taken);
            let wrong = counted.map_or(0, |decision| decision.wrong);
            prop_assert!(wrong <= taken);
            prop_assert_eq!(wrong > 0, counted.is_some_and(|decision| decision.first.is_some()));
        }
    }
}

#[test]
fn a_null_move_misses_a_zugzwang_and_the_audit_finds_it() {
    let depth = ("depth", "5");
    let settings = [depth, ("null", "2"), ("root", "best")];
    let selective = audit(ZUGZWANG, &settings).selective.unwrap();
    assert!(selective.value < selective.full_value, "{selective:?}");
    let [null] = selective.decisions.as_slice() else { panic!("{selective:?}") };
    let first = null.first.as_ref().unwrap();
    let event = events(&mut engine(ZUGZWANG, &settings)).swap_remove(first.event as usize);
    assert_eq!((null.setting, event.index, event.kind), ("null", first.event, EventKind::Cutoff));
    assert_eq!(first.line.last().map(MoveText::plain), Some("0000"));
    assert!(first.claim.bound == Bound::Lower && first.true_value < first.claim.value);
    // Side to move and value agree with a full search of that node: the bishop is lost.
    assert_eq!(event.state, first.state);
    let mut node = engine(&first.state, &[depth]);
    let value = node.session_mut().value(event.depth, None, None).unwrap();
    assert_eq!(value.value, Some(first.true_value));
}

#[test]
fn passing_is_not_tried_in_check_nor_with_king_and_pawns_alone() {
    for (state, passes) in [
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", false),
        ("rn2k3/pppp4/8/8/8/8/PPPP4/RN2K3 w - - 0 1", true),
    ] {
        let events = events(&mut engine(state, &[("depth", "4"), ("null", "1")]));
        let null: Vec<_> = events.iter().filter(|event| event.kind == EventKind::Null).collect();
        assert_eq!(!null.is_empty(), passes, "{state}");
    }
}

#[test]
fn incompatible_settings_are_refused() {
    let chess = "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1";
    let morris = "..b..wwb/.bwwbwb./b..w..w. b 2 3";
    for (state, settings, about) in [
        (morris, &[("null", "2")][..], "null"),
        (morris, &[("extend", "on")], "extend"),
        (morris, &[("see", "on")], "see"),
        (chess, &[("algorithm", "minimax"), ("null", "2")], "null"),
        (chess, &[("algorithm", "minimax"), ("lmr", "1")], "lmr"),
        (morris, &[("algorithm", "minimax"), ("futility", "0.1")], "futility"),
        (chess, &[("fidelity", "seed"), ("extend", "on")], "extend"),
        (chess, &[("fidelity", "seed"), ("see", "on")], "see"),
        (morris, &[("fidelity", "seed"), ("lmr", "1")], "lmr"),
    ] {
        let mut engine = engine(state, &[]);
        let fault = engine.session_mut().set_settings(settings).unwrap_err();
        assert_eq!(fault.culprit, Some(Culprit::Named(about.to_owned())), "{fault:?}");
        assert!(fault.hint.is_some(), "{fault:?}");
    }
    // `fidelity=seed` resets these settings.
    let mut engine =
        engine(chess, &[("null", "2"), ("lmr", "1"), ("futility", "9"), ("extend", "on")]);
    engine.session_mut().set_settings(&[("fidelity", "seed")]).unwrap();
}

#[test]
fn entries_of_a_selective_search_do_not_serve_a_full_one() {
    let mut engine = engine(ZUGZWANG, &[("depth", "5"), ("null", "2"), ("root", "best")]);
    engine.session_mut().run(&[]).unwrap();
    engine.session_mut().set_settings(&[("null", "off")]).unwrap();
    assert_eq!(engine.session().cache_stats().cache.entries, 0);
    let run = engine.session_mut().run(&[]).unwrap();
    assert_eq!(run.value, Score::new(520.0));
}

/// A mate found after a null move is no proven mate: the side had to move. After a3 Black must take the rook, and is
/// mated.
#[test]
fn a_mate_found_after_a_null_move_is_not_returned() {
    for (algorithm, fail) in [("alphabeta", "hard"), ("alphabeta", "soft"), ("pvs", "soft")] {
        let value = |null| {
            let settings =
                [("null", null), ("algorithm", algorithm), ("memo", "none"), ("fail", fail)];
            let mut engine = engine("7k/5K1p/7P/8/p7/8/PR6/3Q4 b - - 0 1", &settings);
            let [alpha, beta] = [-1210.0, -1200.0].map(Score::new);
            engine.session_mut().value(5, alpha, beta).unwrap().value
        };
        assert_eq!(value("1"), Score::new(-1210.0), "{algorithm} {fail}");
        let mated = Score::new(if fail == "soft" { -99_997.0 } else { -1210.0 });
        assert_eq!(value("off"), mated, "{algorithm} {fail}");
    }
}

#[test]
fn static_exchange_evaluation_counts_the_captures_on_a_square() {
    let listed = |position: &Position, see| {
        let mut moves = Vec::new();
        Chess::default().quiescence_moves(position, see, Score::NEG_INFINITY, &mut moves);
        moves
    };
    for (state, mv, loses) in [
        // A pawn that is not protected; one that is, by a bishop behind which a queen stands.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", false),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", true),
        // A rook takes a protected pawn, supported by the queen behind it; a pawn may take anything.
        ("4k3/3p4/4p3/8/8/8/4R3/4QK2 w - - 0 1", "e2e6", true),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", false),
        // A king cannot take what is protected by a second piece.
        ("4k3/8/8/8/8/8/3r4/R3K3 w Q - 0 1", "e1d2", false),
        ("3rk3/8/8/8/8/8/3Q4/3RK3 b - - 0 1", "d8d2", false),
        ("3rk3/8/8/8/8/8/3P4/3RK3 b - - 0 1", "d8d2", true),
        // Checks: onto a square that a pawn attacks, and a free one; by castling. A promotion that is taken; en passant.
        ("4k3/8/3p4/8/8/8/8/R3K3 w - - 0 1", "a1a8", false),
        ("4k3/8/3p4/R7/8/8/8/4K3 w - - 0 1", "a5e5", true),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false),
        ("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", true),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", false),
    ] {
        let (position, mv) = (state.parse().unwrap(), mv.parse().unwrap());
        assert!(listed(&position, false).contains(&mv), "{state} {mv} is forcing");
        assert_eq!(listed(&position, true).contains(&mv), !loses, "{state} {mv}");
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_move_gives_check_if_the_opponent_is_in_check_after_it(position in chess::position()) {
        let game = Chess::default();
        let mut moves = Vec::new();
        game.expand(&position, &PlayedLine::default(), &mut moves);
        for mv in moves {
            let expected = game.in_check(&game.apply(&position, mv));
            prop_assert_eq!(game.gives_check(&position, mv), expected, "{} {}", position, mv);
        }
    }
}
