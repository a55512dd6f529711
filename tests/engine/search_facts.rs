//! Values, counters and best moves compared with the results of the seeds' own Python.

use serde_json::Value;

use crate::common::{facts::facts, running::engine};
use plyscope::engine::{Engine, session::reply::Score};

fn number(value: &Value) -> Score {
    Score::new(value.as_f64().unwrap()).unwrap()
}

#[test]
fn minimax_values_equal_the_facts_with_and_without_a_table() {
    for fact in facts("morris-minimax.jsonl", 139) {
        let state = fact["state"].as_str().unwrap();
        for (depth, wanted) in fact["values"].as_object().unwrap() {
            for policy in ["none", "exact", "interval"] {
                for fidelity in ["seed", "sound"] {
                    let settings =
                        [("algorithm", "minimax"), ("memo", policy), ("fidelity", fidelity)];
                    let mut engine = engine(state, &settings);
                    let value = engine
                        .session_mut()
                        .value(depth.parse().unwrap(), None, None)
                        .unwrap()
                        .value
                        .unwrap();
                    assert_eq!(value, number(wanted), "{state} depth {depth} {policy} {fidelity}");
                }
            }
        }
    }
}

/// `dict` or `cache`, `sym` or `nosym`, and the limit.
fn seed_engine(state: &str, run: &[&str]) -> Engine {
    let keys = if run[0] == "dict" { "plain" } else { "colour" };
    let symmetry = if run[1] == "sym" { "on" } else { "off" };
    engine(
        state,
        &[("fidelity", "seed"), ("memo", "interval"), ("keys", keys), ("symmetry", symmetry)],
    )
}

#[test]
fn seed_alpha_beta_equals_the_facts() {
    for fact in facts("morris-alphabeta.jsonl", 56).iter().skip(1) {
        let state = fact["state"].as_str().unwrap();
        for (run, wanted) in fact["runs"].as_object().unwrap() {
            let parts: Vec<_> = run.split('/').collect();
            let found = seed_engine(state, &parts)
                .session_mut()
                .value(parts[2].parse().unwrap(), None, None)
                .unwrap();
            assert_eq!(found.value.unwrap(), number(&wanted["value"]), "{state} {run}");
            // At depth 1 every child is searched, whatever the order.
            if parts[2] == "1" {
                let cache = found.cache;
                let counters =
                    [found.nodes, cache.hits, cache.invalid, cache.misses, cache.entries as u64];
                let wanted = ["visited", "hit", "invalid", "miss", "entries"]
                    .map(|name| wanted[name].as_u64());
                assert_eq!(wanted, counters.map(Some), "{state} {run}");
            }
        }
    }
}

#[test]
fn best_moves_equal_the_facts() {
    for fact in facts("morris-bestmoves.jsonl", 14) {
        let state = fact["state"].as_str().unwrap();
        for (limit, wanted) in fact["by_limit"].as_object().unwrap() {
            let depth = (limit.parse::<u8>().unwrap() + 1).to_string();
            let mut engine = engine(state, &[("fidelity", "seed"), ("depth", &depth)]);
            let run = engine.session_mut().run(&[]).unwrap();
            assert_eq!(run.value.unwrap(), number(&wanted["max"]), "{state} limit {limit}");
            let mut best = run.best_states;
            best.sort();
            let wanted: Vec<_> = wanted["best"]
                .as_array()
                .unwrap()
                .iter()
                .map(|state| state.as_str().unwrap())
                .collect();
            assert_eq!(best, wanted, "{state} limit {limit}");
        }
    }
}

/// Counters for our own move order, from a Python port of seeds 000 and 002 that sorts successors by the CRC-32 of
/// their plain keys.
#[test]
fn seed_counters_equal_those_of_the_reference_in_our_order() {
    for fact in facts("morris-counters.jsonl", 326) {
        let parts: Vec<_> = fact["run"].as_str().unwrap().split('/').collect();
        let mut engine = seed_engine(fact["state"].as_str().unwrap(), &parts);
        let found = engine.session_mut().value(parts[2].parse().unwrap(), None, None).unwrap();
        let cache = found.cache;
        let counters = [found.nodes, cache.hits, cache.invalid, cache.misses, cache.entries as u64];
        let wanted = ["nodes", "hits", "invalid", "misses", "entries"]
            .map(|name| fact[name].as_u64().unwrap());
        assert_eq!(counters, wanted, "{fact}");
        assert_eq!(found.value.unwrap(), number(&fact["value"]), "{fact}");
    }
}
