//! Evaluation, keys, values and counters of chess compared with the seeds' own Python (004) and a Python port of the
//! Julia search (003).

// Clippy exempts only functions marked `#[test]` from these lints, not their helpers.
// `Chess` is small, but every game is passed by reference.
#![allow(clippy::trivially_copy_pass_by_ref)]

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{
    chess::{chess, reached, words},
    facts::facts,
    running::settings,
};
use plyscope::engine::{
    Engine,
    chess::{Chess, PlayedLine, Position},
    game::{Game, History, KeyScheme, Notation, Rules, Score, SearchRules, Side, Window},
    session::search::{Run, Value as Found},
    table::{AnyTable, Bound, Entry, Policy, Probe, Reuse, SearchTable, Slot},
};

/// A score from White's view.
fn white(position: &Position, value: Score) -> f64 {
    match position.side() {
        Side::White => value.get(),
        Side::Black => -value.get(),
    }
}

/// Seed 004's evaluation, with the king table chosen at the root.
fn seed_004(fidelity: &str) -> Chess {
    chess(settings([("algorithm", "minimax"), ("fidelity", fidelity)]).configure())
}

/// The evaluation from White's view, with the king table of one root for all positions.
fn evaluate(game: &Chess, root: &Position, position: &Position) -> f64 {
    let evaluator = game.evaluator(&game.default_weights(), root).unwrap();
    white(position, game.evaluate(&evaluator, position))
}

/// Roots with the middlegame's and the endgame's king table.
fn roots() -> [Position; 2] {
    ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]
        .map(|fen| fen.parse().unwrap())
}

#[test]
fn evaluations_and_their_changes_equal_the_facts() {
    let game = seed_004("seed");
    let roots = roots();
    for fact in facts("chess-evaluation.jsonl", 96) {
        let (position, line) = reached(&game, &fact);
        let before = roots.each_ref().map(|root| evaluate(&game, root, &position));
        let full = ["full_mid", "full_end"].map(|name| fact[name].as_f64().unwrap());
        assert_eq!(before, full, "{fact}");
        let mut listed = Vec::new();
        game.list_moves(&position, &line, &mut listed);
        let legal = fact["legal"].as_array().unwrap();
        assert_eq!(listed.len(), legal.len(), "{fact}");
        for case in legal {
            let text = case[0].as_str().unwrap();
            let mv = game.parse_move(&position, &line, text).unwrap();
            let next = game.apply(&position, mv);
            assert_eq!(*next.balance(), next.counted(), "{text} in {position}");
            let after = roots.each_ref().map(|root| evaluate(&game, root, &next));
            let change = [after[0] - before[0], after[1] - before[1]];
            let wanted = [case[1].as_f64().unwrap(), case[2].as_f64().unwrap()];
            assert_eq!(change, wanted, "{text} in {position}");
            let mut next_line = line.clone();
            next_line.push(&position);
            let endgame = game.status(&next, &next_line).phase == "endgame";
            assert_eq!(endgame, case[4] == 1, "{text} in {position}");
        }
        let endgame = game.status(&position, &line).phase == "endgame";
        assert_eq!(endgame, fact["king_endgame"].as_bool().unwrap(), "{fact}");
    }
}

#[test]
fn the_queens_of_sound_fidelity_go_by_the_published_table() {
    let (seed, sound) = (seed_004("seed"), seed_004("sound"));
    // c7 is worth 5 for Black's queen and f7 nothing; in the seed it is the reverse.
    let value = |game: &Chess, fen: &str| {
        let queen: Position = fen.parse().unwrap();
        evaluate(game, &queen, &queen)
    };
    for (fen, more) in [
        ("4k3/2q5/8/8/8/8/8/4K3 w - - 0 1", -5.0),
        ("4k3/5q2/8/8/8/8/8/4K3 w - - 0 1", 5.0),
        ("4k3/8/8/8/8/8/2Q5/4K3 w - - 0 1", 5.0),
    ] {
        assert_eq!(value(&sound, fen) - value(&seed, fen), more, "{fen}");
    }
}

fn engine(fact: &Value, pairs: &[(&str, &str)]) -> Engine {
    let mut engine = Engine::default();
    engine.choose_game("chess").unwrap();
    let session = engine.session_mut();
    session.set_settings(pairs).unwrap();
    session.set_position(fact["root_fen"].as_str().unwrap()).unwrap();
    session.play_all(&words(&fact["moves"]), false).unwrap();
    engine
}

fn value(engine: &mut Engine, depth: u64) -> Found {
    engine.session_mut().value(depth as u8, None, None).unwrap()
}

fn from_white(engine: &Engine, value: Option<Score>) -> f64 {
    let value = value.unwrap().get();
    if engine.session().position().side == Side::White { value } else { -value }
}

const SEED_004: [(&str, &str); 2] = [("fidelity", "seed"), ("algorithm", "minimax")];

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    SEED_004.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn minimax_equals_the_facts_with_and_without_a_table() {
    for fact in facts("chess-minimax.jsonl", 265) {
        let depth = fact["depth"].as_u64().unwrap();
        let mut plain = engine(&fact, &with(&[("memo", "none")]));
        let found = value(&mut plain, depth);
        let wanted = fact["minimax"]["value"].as_f64().unwrap();
        assert_eq!(from_white(&plain, found.value), wanted, "{fact}");
        assert_eq!(found.nodes, fact["minimax"]["calls"].as_u64().unwrap(), "{fact}");
        let mut cached = engine(&fact, &with(&[("memo", "exact")]));
        let found = value(&mut cached, depth);
        assert_eq!(from_white(&cached, found.value), fact["memo"]["value"].as_f64().unwrap());
        assert_eq!(found.cache.hits, fact["memo"]["hits"].as_u64().unwrap(), "{fact}");
        assert_eq!(found.cache.entries as u64, fact["memo"]["size"].as_u64().unwrap(), "{fact}");
    }
}

#[test]
fn the_best_moves_equal_the_facts() {
    for fact in facts("chess-minimax.jsonl", 265) {
        let depth = fact["depth"].to_string();
        let pairs = [("memo", "exact"), ("deepening", "off"), ("depth", &depth)];
        let mut engine = engine(&fact, &with(&pairs));
        let Run { value, mut best, .. } = engine.session_mut().run(&[]).unwrap();
        assert_eq!(
            from_white(&engine, value),
            fact["minimax"]["value"].as_f64().unwrap(),
            "{fact}"
        );
        let mut wanted = words(&fact["minimax"]["best"]);
        best.sort();
        wanted.sort_unstable();
        assert_eq!(best, wanted, "{fact}");
    }
}

#[test]
fn the_unit_position_of_seed_004() {
    let unit = serde_json::json!({"root_fen": "5rk1/1b3p2/8/3p4/3p2P1/2Q4B/5P1K/R3R3 b - - 0 36", "moves": []});
    let mut unit = engine(&unit, &with(&[("memo", "exact")]));
    assert_eq!(unit.session().eval(None).unwrap().value.get(), -1240.0);
    let first = value(&mut unit, 2);
    assert_eq!((first.value.unwrap().get(), first.nodes), (-355.0, 797));
    assert_eq!((first.pv[0].plain(), first.cache.entries, first.cache.hits), ("d4c3", 797, 0));
    let again = value(&mut unit, 2);
    assert_eq!((again.value, again.nodes, again.cache.hits), (first.value, 0, 1));
    unit.session_mut().set_settings(&[("memo", "none")]).unwrap();
    let deeper = value(&mut unit, 3);
    assert_eq!((deeper.value.unwrap().get(), deeper.nodes), (-325.0, 14_377));
    assert_eq!(deeper.pv[0], "d4c3");
}

#[test]
fn keys_contain_occurrences_and_clock_as_in_seed_004() {
    let game = seed_004("seed");
    for fact in facts("chess-history.jsonl", 12) {
        let (position, line) = reached(&game, &fact);
        assert_eq!(u64::from(position.clock()), fact["halfmove_clock"].as_u64().unwrap());
        assert_eq!(u64::from(line.occurrences(&position)), fact["table_count"].as_u64().unwrap());
        for wanted in fact["keys"].as_array().unwrap() {
            let depth = wanted["depth"].as_u64().unwrap() as u8;
            let key = game.node_key(&position, &line, KeyScheme::Plain, depth);
            assert_eq!(u64::from(key.past), wanted["count"].as_u64().unwrap(), "{fact}");
            let clock = key.clock().map_or(-42, i64::from);
            assert_eq!(clock, wanted["clock_part"].as_i64().unwrap(), "{fact} depth {depth}");
        }
    }
}

#[test]
fn values_with_a_history_equal_the_facts() {
    for fact in facts("chess-history.jsonl", 12) {
        for depth in [1, 2] {
            let wanted = &fact[format!("d{depth}")];
            let mut plain = engine(&fact, &with(&[("memo", "none")]));
            let found = value(&mut plain, depth);
            assert_eq!(
                from_white(&plain, found.value),
                wanted["ex03"]["value"].as_f64().unwrap(),
                "{fact}"
            );
            assert_eq!(found.nodes, wanted["ex03"]["calls"].as_u64().unwrap(), "{fact}");
            let mut cached = engine(&fact, &with(&[("memo", "exact")]));
            let found = value(&mut cached, depth);
            assert_eq!(
                from_white(&cached, found.value),
                wanted["ex04"]["value"].as_f64().unwrap(),
                "{fact}"
            );
            assert_eq!(
                found.nodes + found.cache.hits,
                wanted["ex04"]["calls"].as_u64().unwrap(),
                "{fact}"
            );
            assert_eq!(
                found.cache.entries as u64,
                wanted["ex04"]["size"].as_u64().unwrap(),
                "{fact}"
            );
            assert_eq!(found.cache.hits, wanted["ex04"]["hits"].as_u64().unwrap(), "{fact}");
        }
    }
}

fn bound(sign: &str) -> Bound {
    match sign {
        "=" => Bound::Exact,
        "<=" => Bound::Upper,
        ">=" => Bound::Lower,
        _ => panic!("{sign}"),
    }
}

fn score(value: &Value) -> Score {
    Score::new(value.as_f64().unwrap()).unwrap()
}

/// Seed 003's `evaluate` as a pure function: probe, search, store.
#[test]
fn the_bound_policy_probes_and_stores_as_seed_003() {
    let slot = Slot { key: 0_u64, negated: false };
    for fact in facts("chess-bound-memo-unit.jsonl", 431) {
        let AnyTable::Bound(mut table) = AnyTable::new(Policy::Bound) else {
            panic!("bound");
        };
        table.reuse = Reuse::Deeper;
        let at = plyscope::engine::game::Keyed { key: 0, depth: 0 };
        let entries: &mut dyn plyscope::engine::table::Entries<u64> = &mut table;
        if let Some(entry) = fact["entry"].as_array() {
            let entry = Entry {
                value: score(&entry[1]),
                window: None,
                bound: Some(bound(entry[0].as_str().unwrap())),
                depth: Some(entry[2].as_u64().unwrap() as u8),
                best: None,
            };
            entries.set(at, entry).unwrap();
        }
        let depth = fact["depth"].as_u64().unwrap() as u8;
        let searched_window = Window { alpha: score(&fact["alpha"]), beta: score(&fact["beta"]) };
        let returned = match table.probe(slot, depth, searched_window) {
            Probe::Hit(value) => {
                assert_eq!(fact["called"], false, "{fact}");
                value
            }
            Probe::Search { window, .. } => {
                assert_eq!(fact["called"], true, "{fact}");
                let wanted = [&fact["window"][0], &fact["window"][1]].map(score);
                assert_eq!([window.alpha, window.beta], wanted, "{fact}");
                let truth = score(&fact["T"]);
                let value = if fact["style"] == "hard" {
                    truth.max(window.alpha).min(window.beta)
                } else {
                    truth
                };
                table.store(slot, depth, window, value);
                value
            }
        };
        assert_eq!(returned, score(&fact["returned"]), "{fact}");
        let entries: &dyn plyscope::engine::table::Entries<u64> = &table;
        let stored = entries.get(at).unwrap();
        let wanted = &fact["stored"];
        assert_eq!(stored.bound, Some(bound(wanted[0].as_str().unwrap())), "{fact}");
        assert_eq!(stored.value, score(&wanted[1]), "{fact}");
        assert_eq!(stored.depth.map(u64::from), wanted[2].as_u64(), "{fact}");
    }
}

const SEED_003: [(&str, &str); 2] = [("fidelity", "seed"), ("algorithm", "alphabeta")];

#[test]
fn seed_003_equals_its_port() {
    let mut apart = BTreeSet::new();
    for fact in facts("chess-alphabeta-port.jsonl", 250) {
        let depth = fact["depth"].as_u64().unwrap();
        let settings = |policy| [SEED_003[0], SEED_003[1], ("memo", policy), ("keys", "colour")];
        let mut plain = engine(&fact, &settings("none"));
        let found = value(&mut plain, depth);
        let wanted = &fact["plain"];
        assert_eq!(from_white(&plain, found.value), wanted["value"].as_f64().unwrap(), "{fact}");
        let mut cached = engine(&fact, &settings("bound"));
        let found_cached = value(&mut cached, depth);
        assert_eq!(
            from_white(&cached, found_cached.value),
            fact["memo"]["value"].as_f64().unwrap(),
            "{fact}"
        );
        // Moves in UCI order, as ours: counters and entries are equal too.
        if fact["order"] == "uci" {
            assert_eq!(found.nodes, wanted["nodes"].as_u64().unwrap(), "{fact}");
            let stats = cached.session().cache_stats();
            for (sign, count) in fact["memo"]["flags"].as_object().unwrap() {
                let known =
                    stats.breakdown.by_bound.iter().find(|line| line.of == bound(sign).name());
                let entries = known.map_or(0, |line| line.entries as u64);
                if entries != count.as_u64().unwrap() {
                    apart.insert((fact["id"].as_str().unwrap().to_owned(), depth));
                }
            }
        }
    }
    // The seed's incremental hash is wrong after some castling and en-passant moves (defect D18), so there it keeps the
    // same position more than once. We do not reproduce its hash; values and visited nodes are the same all the same.
    let known = [
        ("black_king_to_c1", 3),
        ("black_king_to_c1", 4),
        ("jl_queenblunder", 3),
        ("kiwipete", 3),
        ("rp139_18", 3),
        ("rp13_20", 3),
        ("wac2", 3),
        ("wac2", 4),
    ];
    let apart: Vec<_> = apart.iter().map(|(id, depth)| (id.as_str(), *depth)).collect();
    assert_eq!(apart, known);
}

#[test]
fn perft_equals_the_published_counts() {
    let game = Chess::default();
    // From the Chess Programming Wiki's page of perft results.
    let counts: [(&str, &[u64]); 6] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[1, 20, 400, 8_902, 197_281, 4_865_609],
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[1, 48, 2_039, 97_862, 4_085_603],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[1, 14, 191, 2_812, 43_238, 674_624]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[1, 6, 264, 9_467, 422_333],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[1, 44, 1_486, 62_379, 2_103_487],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[1, 46, 2_079, 89_890, 3_894_594],
        ),
    ];
    for (fen, counts) in counts {
        let position = game.parse_position(fen).unwrap();
        for (depth, count) in (0..).zip(counts) {
            let leaves = game.perft(&position, &mut PlayedLine::default(), depth);
            assert_eq!(leaves, *count, "{fen} depth {depth}");
        }
    }
}
