//! Suites, sweeps and ablation: equal to single searches, and equal for any number of threads.

use std::fs;

use proptest::prelude::*;

use crate::{answer, failure, interrupted, timeless};
use plyscope::{
    command::Shell,
    engine::session::{
        comparing::{Agreement, ComparedRow, SuiteReport, VariantTable, WeighedRow},
        search::{Run, StopReport},
    },
};

fn weighed(shell: &mut Shell, line: &str) -> VariantTable {
    answer(shell, line).downcast_ref().cloned().unwrap()
}

fn set(row: &ComparedRow) -> &WeighedRow {
    row.heuristic.as_ref().unwrap()
}

fn agreement(row: &ComparedRow) -> &Agreement {
    set(row).agreement.as_ref().unwrap()
}

fn base(report: &VariantTable) -> &ComparedRow {
    report.base.as_ref().unwrap()
}

fn chess() -> Shell {
    let mut shell = Shell::default();
    answer(&mut shell, "game chess");
    shell
}

#[test]
fn each_position_is_searched_as_by_a_single_search() {
    let line = "weights compare default mills=1,stones=2 --random 30 --random-seed 3 --depth 2 --limit 100";
    let report = weighed(&mut Shell::default(), line);
    let pair = &report.variants[0];
    assert_eq!(pair.disagreements.len() as u64 + agreement(pair).same, 30);
    assert!(!pair.disagreements.is_empty() && pair.omitted == 0);
    for disagreement in &pair.disagreements {
        let mut shell = Shell::default();
        answer(&mut shell, &format!("position set {}", disagreement.at.state));
        for choice in &disagreement.choices {
            let set = match choice.set.as_str() {
                "default" => "mills=4 stones=1".to_owned(),
                other => other.replace(',', " "),
            };
            answer(&mut shell, &format!("weights set {set}; cache clear"));
            let Some(run) =
                answer(&mut shell, "search run --depth 2").downcast_ref::<Run>().cloned()
            else {
                panic!("no run")
            };
            assert_eq!(run.value, Some(choice.value), "{}", disagreement.at.state);
            assert_eq!(run.best, choice.best, "{}", disagreement.at.state);
        }
    }
}

#[test]
fn a_weight_set_agrees_with_itself() {
    for mut shell in [Shell::default(), chess()] {
        let line = "weights compare default default current --suite standard --depth 2";
        let report = weighed(&mut shell, line);
        assert!(report.agree && report.variants.len() == 2);
        for variant in &report.variants {
            let agreement = agreement(variant);
            assert_eq!(agreement.same, report.head.positions);
            assert_eq!(agreement.max_difference, 0.0);
            assert_eq!(agreement.cost, 0.0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn any_number_of_workers_finds_the_same(
        seed in 0..1000_u64,
        depth in 1..4_u8,
        policy in prop::sample::select(vec!["none", "exact", "interval", "bound"]),
    ) {
        let lines = [
            format!("weights compare default stones=3,mills=1 mills=0 --random 9 --random-seed {seed} --depth {depth}"),
            format!("weights compare --sweep stash=-1..2:1 --random 6 --random-seed {seed} --depth {depth}"),
            format!("weights compare --ablate --random 6 --random-seed {seed} --depth {depth}"),
        ];
        for line in lines {
            let mut shell = Shell::default();
            answer(&mut shell, &format!("search set memo={policy}"));
            let mut on = |workers: usize| timeless(&*answer(&mut shell, &format!("{line} --workers {workers}")));
            let one = on(1);
            prop_assert_eq!(&one, &on(2));
            prop_assert_eq!(&one, &on(3));
        }
    }

    #[test]
    fn the_memo_policy_does_not_change_the_result(seed in 0..1000_u64) {
        let found = |policy: &str| {
            let mut shell = Shell::default();
            answer(&mut shell, &format!("search set memo={policy}"));
            let line = format!("weights compare default mills=1 --random 6 --random-seed {seed} --depth 3");
            let mut report = weighed(&mut shell, &line);
            report.base.as_mut().unwrap().nodes = 0;
            report.variants[0].nodes = 0;
            report.ms = None;
            serde_json::to_value(report).unwrap()
        };
        prop_assert_eq!(found("none"), found("interval"));
    }
}

#[test]
fn a_sweep_at_the_base_weight_equals_the_base() {
    let mut shell = Shell::default();
    let report = weighed(&mut shell, "weights compare --sweep mills=0..8:2 --depth 2");
    let values: Vec<_> = report.variants.iter().filter_map(|point| set(point).value).collect();
    assert_eq!(values, [0.0, 2.0, 4.0, 6.0, 8.0]);
    for point in &report.variants {
        assert_eq!(set(point).is_base, set(point).value == Some(4.0));
        if set(point).is_base {
            assert_eq!(agreement(point).same, report.head.positions);
            assert_eq!(set(point).mean_value, set(base(&report)).mean_value);
        }
        // The comparison of the two sets of weights gives the same.
        let line = format!("weights compare default {} --suite standard --depth 2", point.name);
        let pair = weighed(&mut shell, &line).variants.remove(0);
        assert_eq!(agreement(&pair), agreement(point));
    }
    let tenths =
        weighed(&mut shell, "weights compare --sweep stash=0..0.3:0.1 --depth 1 --random 3");
    let values: Vec<_> = tenths.variants.iter().filter_map(|point| set(point).value).collect();
    assert_eq!(values, [0.0, 0.1, 0.2, 0.3]);
}

#[test]
fn ablation_leaves_out_each_term_in_turn() {
    let mut shell = Shell::default();
    let report = weighed(&mut shell, "weights compare stash=0 --ablate --depth 2");
    let terms: Vec<_> = report.variants.iter().map(|term| term.name.as_str()).collect();
    assert_eq!(terms, ["stones (1)", "mills (4)", "possible_mills (2)"]);
    let line = "weights compare stash=0 stash=0,mills=0 --suite standard --depth 2";
    let pair = weighed(&mut shell, line).variants.remove(0);
    assert_eq!(agreement(&pair), agreement(&report.variants[1]));
    let chess = weighed(&mut chess(), "weights compare --ablate --depth 1");
    assert_eq!(chess.variants.len(), 7);
    let table = chess.variants.iter().find(|term| term.name.starts_with("table ")).unwrap();
    assert!(agreement(table).same < chess.head.positions);
}

#[test]
fn suites_are_written_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("suite.txt");
    let chart = folder.path().join("chart.svg");
    for mut shell in [Shell::default(), chess()] {
        let made = answer(&mut shell, "weights suite --random 15 --random-seed 4");
        let line = format!("weights suite '{}' --random 15 --random-seed 4", file.display());
        answer(&mut shell, &line);
        let read = answer(&mut shell, &format!("weights suite --suite '{}'", file.display()));
        let [made, read] =
            [made, read].map(|suite| suite.downcast_ref::<SuiteReport>().cloned().unwrap());
        let states = |suite: &SuiteReport| -> Vec<_> {
            suite.entries.iter().map(|entry| entry.state.clone()).collect()
        };
        assert_eq!(states(&made), states(&read));
        assert_eq!(made.head.phases, read.head.phases);
        let line =
            format!("weights compare default default --suite '{}' --depth 1", file.display());
        let report = weighed(&mut shell, &line);
        assert_eq!(report.head.positions, 15);
        answer(&mut shell, &format!("picture chart '{}'", chart.display()));
        let svg = fs::read_to_string(&chart).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("default"));
    }
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("suite.txt");
    fs::write(&file, "......../......../........ w 9 9\n\n  nonsense here\n").unwrap();
    let mut shell = Shell::default();
    let suite = format!("--suite '{}'", file.display());
    let cases = [
        (format!("weights compare default current {suite}"), "suite.txt:3:3: "),
        (format!("weights compare --sweep mills=0..1 {suite}"), "suite.txt:3:3: "),
        ("weights compare --sweep mill=0..1".to_owned(), "no weight `mill`"),
        ("weights compare --sweep mills=0-1".to_owned(), "is not a weight and a range"),
        ("weights compare --sweep mills=2..1".to_owned(), "is not a weight and a range"),
        ("weights compare --sweep mills=0..1:0".to_owned(), "does not lead"),
        ("weights compare --sweep mills=0..1:0.0001".to_owned(), "does not lead"),
        ("weights compare --sweep mills=0..1:inf".to_owned(), "does not lead"),
        ("weights compare nobody --sweep mills=0..1".to_owned(), "no weight set"),
        ("weights compare nobody --ablate".to_owned(), "no weight set"),
        ("weights compare default mils=1 --random 3".to_owned(), "no weight `mils`"),
        ("weights compare".to_owned(), "nothing to compare"),
        ("weights compare --ablate --sweep mills=0..1".to_owned(), "exclude each other"),
        ("weights compare default current --ablate".to_owned(), "exclude each other"),
        ("weights compare default current; picture chart x.svg".to_owned(), "has no chart"),
        ("weights compare default current --suite standard --random 3".to_owned(), "not from both"),
        (
            "weights compare default current --suite standard --random-seed 3".to_owned(),
            "for random play",
        ),
        (
            "weights compare default current --random 3; picture chart chart.png".to_owned(),
            "no ending that names a format",
        ),
        (
            "weights compare stones=0,stash=0,possible_mills=0 --sweep mills=-1..0:0.25".to_owned(),
            "mills=-0.25: ",
        ),
    ];
    for (line, words) in cases {
        let failure = failure(&mut shell, &line);
        assert!(failure.fault.message.contains(words), "{line}: {}", failure.fault);
        assert!(failure.place.is_some(), "{line}");
    }
    let line = "weights compare default mils=1 --random 3";
    assert_eq!(failure(&mut shell, line).place.unwrap().column, 25);
}

#[test]
fn cache_and_paused_search_stay() {
    let mut shell = Shell::default();
    answer(&mut shell, "search set depth=3; step 200");
    let before = shell.engine.session().cache_stats();
    answer(&mut shell, "weights compare default mills=1 --random 4 --depth 2");
    answer(&mut shell, "weights compare --ablate --random 4 --depth 2");
    let after = shell.engine.session().cache_stats();
    assert_eq!(before.cache, after.cache);
    let Some(stop) = answer(&mut shell, "step").downcast_ref::<StopReport>().cloned() else {
        panic!("no stop")
    };
    assert_eq!(stop.event.as_ref().unwrap().index, 200);
}

#[test]
fn an_interrupt_stops_a_long_comparison() {
    let line = "weights compare default mills=1 --random 50 --depth 12";
    let failure = interrupted(&mut Shell::default(), line);
    assert!(failure.fault.message.contains("interrupted"), "{}", failure.fault);
}

/// Without a suite the current position is compared, with its history.
#[test]
fn the_current_position_is_compared_like_any_other() {
    let mut shell = Shell::default();
    answer(&mut shell, "play a7 d7 g7; weights define odd stones=3 mills=0");
    let table = weighed(&mut shell, "weights compare default odd --depth 3");
    assert_eq!(table.head.positions, 1);
    for (row, weights) in [(base(&table), "default"), (&table.variants[0], "odd")] {
        answer(&mut shell, &format!("weights use {weights}; cache clear"));
        let Some(run) = answer(&mut shell, "search run --depth 3").downcast_ref::<Run>().cloned()
        else {
            panic!("no run")
        };
        assert_eq!(run.best, set(row).best);
        assert_eq!(run.value.map(plyscope::engine::game::Score::get), Some(set(row).mean_value));
    }
    let over = "position set www...bb/......../........ w 0 0; weights compare default odd";
    assert!(failure(&mut shell, over).fault.message.contains("over"));
}

/// A variant's numbers are the sums over searches of every position.
#[test]
fn agreement_is_the_sum_over_single_searches() {
    let mut shell = Shell::default();
    let line = "weights compare default mills=1,stones=2 --random 12 --random-seed 3 --depth 2";
    let found = *agreement(&weighed(&mut shell, line).variants[0]);
    let suite = answer(&mut shell, "weights suite --random 12 --random-seed 3");
    let suite = suite.downcast_ref::<SuiteReport>().unwrap();
    let value = |run: &Run| run.value.unwrap().get();
    // The loss of one search's best moves by the other search's values.
    let cost = |chosen: &Run, other: &Run| {
        let losses = chosen.best.iter().map(|best| {
            let of = other.moves.iter().find(|root| root.mv == *best).unwrap();
            value(other) - of.value.unwrap().get()
        });
        losses.sum::<f64>() / chosen.best.len() as f64
    };
    let (mut same, mut shared, mut distance, mut most, mut costs) = (0, 0, 0.0, 0.0_f64, 0.0);
    for entry in &suite.entries {
        let [base, variant] = ["mills=4", "mills=1 stones=2"].map(|weights| {
            let mut shell = Shell::default();
            let line = format!("position set {}; weights set {weights}", entry.state);
            answer(&mut shell, &line);
            answer(&mut shell, "search run --depth 2").downcast_ref::<Run>().cloned().unwrap()
        });
        same += u64::from(base.best == variant.best);
        shared += u64::from(base.best.iter().any(|best| variant.best.contains(best)));
        let apart = (value(&base) - value(&variant)).abs();
        (distance, most) = (distance + apart, most.max(apart));
        costs += cost(&variant, &base);
    }
    assert_eq!((found.same, found.shared), (same, shared));
    assert!(same < 12 && shared > 0 && costs > 0.0);
    assert_eq!((found.mean_difference, found.max_difference), (distance / 12.0, most));
    assert_eq!(found.cost, costs / 12.0);
}
