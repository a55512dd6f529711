//! Statistics compared with other programs; see the first line of the data.

use plyscope::engine::statistics::{Estimate, FEW, Pairs, Sprt, SprtModel, Strength};
use serde_json::Value;

use crate::support::data;

fn pairs(case: &Value) -> Pairs {
    let counts: Vec<u64> =
        case["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect();
    Pairs { distinct: counts.iter().sum(), counts: counts.try_into().unwrap() }
}

/// Equal up to the rounding of doubles.
#[track_caller]
fn nearly_equal(found: f64, wanted: &Value, what: &str) {
    let wanted = wanted.as_f64().unwrap();
    let error = (found - wanted).abs() / wanted.abs().max(1.0);
    assert!(error < 1e-9, "{what}: {found} for {wanted}");
}

#[test]
fn strengths_are_those_of_independent_programs() {
    let cases = data("arena-statistics.jsonl");
    let strengths: Vec<_> = cases.iter().filter(|case| case["kind"] == "strength").collect();
    assert_eq!(strengths.len(), 9);
    for case in strengths {
        let strength = pairs(case).strength().unwrap();
        for (estimate, wanted) in
            [(strength.elo, &case["elo"]), (strength.normalised, &case["nelo"])]
        {
            nearly_equal(estimate.value, &wanted[0], &case.to_string());
            nearly_equal(estimate.low, &wanted[1], &case.to_string());
            nearly_equal(estimate.high, &wanted[2], &case.to_string());
        }
        nearly_equal(strength.score, &case["score"], &case.to_string());
        nearly_equal(strength.superiority, &case["los"], &case.to_string());
        let Some(published) = case.get("published") else {
            continue;
        };
        let near = |found: f64, name: &str| {
            let wanted = published[name].as_f64().unwrap();
            assert!((found - wanted).abs() < 0.006, "{name}: {found} for {wanted}");
        };
        near(strength.elo.value, "elo");
        near(strength.elo.error(), "error");
        near(strength.normalised.value, "nelo");
        near(strength.normalised.error(), "nelo_error");
    }
}

#[test]
fn likelihood_ratios_are_those_of_independent_programs() {
    let cases = data("arena-statistics.jsonl");
    let ratios: Vec<_> = cases.iter().filter(|case| case["kind"] == "llr").collect();
    assert_eq!(ratios.len(), 12);
    for case in ratios {
        let model = match case["model"].as_str().unwrap() {
            "logistic" => SprtModel::Logistic,
            _ => SprtModel::Normalized,
        };
        let test = Sprt {
            elo0: case["elo0"].as_f64().unwrap(),
            elo1: case["elo1"].as_f64().unwrap(),
            alpha: 0.05,
            beta: 0.05,
            model,
        };
        let state = test.state(&pairs(case));
        nearly_equal(state.llr, &case["llr"], &case.to_string());
        assert!((state.upper - 2.944_438_979_166_440_3).abs() < 1e-12);
        assert_eq!(state.lower, -state.upper);
        if let Some(published) = case.get("published").and_then(Value::as_f64) {
            assert!((state.llr - published).abs() < 0.006, "{case}");
        }
    }
}

/// The bounds of Wald's test: H0 at ln(beta / (1 - alpha)), H1 at ln((1 - beta) / alpha).
#[test]
fn unequal_errors_give_walds_bounds() {
    let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.2, model: SprtModel::Logistic };
    let state = test.state(&Pairs::default());
    assert!((state.lower - -1.558_144_618_046_55).abs() < 1e-12);
    assert!((state.upper - 2.772_588_722_239_781).abs() < 1e-12);
}

/// Pairs of games, all different, counted by the first player's points.
fn distinct_pairs(counts: [u64; 5]) -> Strength {
    Pairs { counts, distinct: counts.iter().sum() }.strength().unwrap()
}

#[test]
fn few_pairs_give_bounds_that_hold() {
    // All won: there is no upper bound, and two pairs give hardly a lower one.
    for pairs in 1..2 * FEW {
        let strength = distinct_pairs([0, 0, 0, 0, pairs]);
        let Estimate { value, low, high } = strength.elo_interval();
        assert_eq!((value, high), (f64::INFINITY, f64::INFINITY), "{pairs}");
        let exact = 0.05_f64.powf(1.0 / pairs as f64);
        let score = strength.expected_score().low;
        assert!(low.is_finite() && score < exact + 0.06, "{pairs}: {score} for {exact}");
        assert!(strength.likelihood() < 1.0 && strength.likelihood() >= 0.5);
        let lost = distinct_pairs([pairs, 0, 0, 0, 0]);
        assert!((lost.expected_score().high - (1.0 - score)).abs() < 1e-12, "{pairs}");
        assert!((lost.likelihood() - 1.0 + strength.likelihood()).abs() < 1e-12, "{pairs}");
    }
    let even = distinct_pairs([0, 0, 2, 0, 0]);
    assert!((even.likelihood() - 0.5).abs() < 1e-12);
    // Equal results look certain to the normal approximation; the bounds are never narrower than its bounds.
    for counts in [[0, 2, 0, 0, 0], [1, 3, 4, 3, 1], [0, 0, 5, 1, 0]] {
        let strength = distinct_pairs(counts);
        let bounds = strength.elo_interval();
        assert!(bounds.low <= strength.elo.low && bounds.high >= strength.elo.high, "{counts:?}");
    }
    // More different pairs do not widen the bounds; from `FEW` pairs on the variance is measured.
    let width = |times: u64| {
        let Estimate { low, high, .. } = distinct_pairs([0, 0, times, times, 0]).expected_score();
        high - low
    };
    assert!((1..40).all(|times| width(times + 1) < width(times)));
    let many = distinct_pairs([0, 10, 10, 10, 10]);
    assert!(many.measured && many.elo_interval().low > many.elo.low - 1e-6);
    assert_eq!(many.likelihood(), many.superiority);
}
