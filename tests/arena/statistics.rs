//! Numbers that other programs have computed: see the first line of the data.

use plyscope::engine::statistics::{Pairs, Sprt, SprtModel};
use serde_json::Value;

use crate::support::data;

fn pairs(case: &Value) -> Pairs {
    let counts: Vec<u64> =
        case["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect();
    Pairs { distinct: counts.iter().sum(), counts: counts.try_into().unwrap() }
}

/// Equal but for the last digits of what doubles can say.
#[track_caller]
fn close(found: f64, wanted: &Value, what: &str) {
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
            close(estimate.value, &wanted[0], &case.to_string());
            close(estimate.low, &wanted[1], &case.to_string());
            close(estimate.high, &wanted[2], &case.to_string());
        }
        close(strength.score, &case["score"], &case.to_string());
        close(strength.superiority, &case["los"], &case.to_string());
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
        close(state.llr, &case["llr"], &case.to_string());
        assert!((state.upper - 2.944_438_979_166_440_3).abs() < 1e-12);
        assert_eq!(state.lower, -state.upper);
        if let Some(published) = case.get("published").and_then(Value::as_f64) {
            assert!((state.llr - published).abs() < 0.006, "{case}");
        }
    }
}

/// Wald: H0 at ln(beta / (1 - alpha)), H1 at ln((1 - beta) / alpha).
#[test]
fn unequal_errors_give_walds_bounds() {
    let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.2, model: SprtModel::Logistic };
    let state = test.state(&Pairs::default());
    assert!((state.lower - -1.558_144_618_046_55).abs() < 1e-12);
    assert!((state.upper - 2.772_588_722_239_781).abs() < 1e-12);
}
