//! Comparisons of settings: the same numbers as single searches, and different values are marked.

use crate::{answer, failure, interrupted};
use plyscope::{
    command::Shell,
    engine::session::{
        comparing::{SearchedRow, SuiteReport, VariantTable},
        reply::Reply as _,
        search::Run,
    },
};

const PLACING: &str = "w.b...../.w....../....b... w 7 7";

fn compared(line: &str) -> VariantTable {
    answer(&mut Shell::default(), line).downcast_ref().cloned().unwrap()
}

fn searched(report: &VariantTable) -> Vec<&SearchedRow> {
    report.variants.iter().map(|row| row.search.as_ref().unwrap()).collect()
}

/// Every exact combination of algorithm, policy and order finds the same values.
#[test]
fn no_variant_finds_another_value_on_the_standard_suites() {
    for (game, depth) in [("morris", 3), ("chess", 2)] {
        let report =
            compared(&format!("game {game}; search compare --suite standard --depth {depth}"));
        assert_eq!((report.head.positions, report.agree), (50, true), "{game}");
        assert!((11..=16).contains(&report.variants.len()), "{}", report.variants.len());
        let minimax = searched(&report)[1];
        assert_eq!((minimax.algorithm.as_str(), minimax.memo.as_str()), ("minimax", "none"));
        let most = report.variants[1].nodes;
        assert!(report.variants[2..].iter().all(|row| row.nodes <= most), "{game}");
    }
    let deep = compared("position set b..bw.w./bbb.b.bw/.b...... w 0 0; search compare --depth 5");
    assert!(searched(&deep).iter().all(|row| row.algorithm != "minimax"));
    assert!(deep.agree);
}

#[test]
fn each_variant_equals_a_single_search() {
    let variants = [
        "algorithm=alphabeta order=none memo=none",
        "algorithm=pvs order=memo+killers memo=bound symmetry=off",
        "algorithm=mtdf order=static memo=interval",
    ];
    let quoted = variants.map(|words| format!("\"{words}\"")).join(" ");
    for (game, depth) in [("morris", 3), ("chess", 2)] {
        let report =
            compared(&format!("game {game}; search compare {quoted} --random 3 --depth {depth}"));
        let suite =
            answer(&mut Shell::default(), &format!("game {game}; weights suite --random 3"));
        let suite = suite.downcast_ref::<SuiteReport>().unwrap();
        assert!(report.agree, "{game}");
        let base = report.variants[0].nodes as f64;
        for ((row, found), words) in report.variants.iter().zip(searched(&report)).zip(variants) {
            assert_eq!(found.settings, words);
            let mut power = 1.0;
            let mut nodes = 0;
            for position in &suite.entries {
                let mut shell = Shell::default();
                let state = &position.state;
                let line = format!(
                    "game {game}; search set root=best {words}; position set {state}; search run --depth {depth}"
                );
                let run = answer(&mut shell, &line);
                let run = run.downcast_ref::<Run>().unwrap();
                nodes += run.nodes;
                power *= (run.nodes as f64).powf(1.0 / (3.0 * f64::from(depth)));
            }
            assert_eq!((row.nodes, found.ratio_nodes), (nodes, nodes as f64 / base), "{words}");
            assert!((found.branching - power).abs() < 1e-9, "{words}");
        }
    }
}

#[test]
fn a_value_that_differs_is_marked() {
    let set = "position set b..b.ww./w..w..w./w.b..www b 0 0";
    let variants = "\"fidelity=sound algorithm=alphabeta memo=interval\" \"fidelity=seed algorithm=alphabeta memo=interval\" current";
    let report = compared(&format!("{set}; search compare {variants} --depth 2"));
    let differing: Vec<_> = searched(&report).iter().map(|row| row.differing).collect();
    assert_eq!(differing, [0, 1, 0]);
    let values = report.variants[1].disagreements[0].choices.each_ref().map(|choice| choice.value);
    for (value, fidelity) in values.into_iter().zip(["seed", "sound"]) {
        let settings = format!("fidelity={fidelity} algorithm=alphabeta memo=interval");
        let line = format!("{set}; search set {settings}; search run --depth 2");
        let run = answer(&mut Shell::default(), &line);
        assert_eq!(run.downcast_ref::<Run>().unwrap().value, Some(value), "{line}");
    }
    let text = report.text();
    assert!(text.contains("* 1 of 2 values"), "{text}");
    let mut timeless = report;
    timeless.forget_times();
    let json = serde_json::to_value(&timeless).unwrap();
    assert_eq!((&json["positions"], &json["agree"]), (&1.into(), &false.into()));
    assert!(
        json["variants"][1].get("ms").is_none() && json["variants"][1].get("ratio_ms").is_none()
    );
}

#[test]
fn comparisons_that_cannot_be_made_are_refused() {
    for (line, words, column) in [
        ("search compare current algorithm=best", "`best` is not a value", 24),
        ("search compare current pvs", "`pvs` is not setting=value", 24),
        ("search compare memo=none \"order=none depth=4\"", "`depth` must be the same", 26),
        ("search compare quiescence=on", "morris has no quiescence", 16),
        ("search compare --suite no.txt", "cannot read `no.txt`", 24),
        ("search compare --suite standard --random 3", "not from both", 42),
        ("position set www...bb/......../........ w 0 0; search compare", "the game is over", 48),
    ] {
        let failure = failure(&mut Shell::default(), line);
        assert!(failure.fault.message.contains(words), "{line}: {}", failure.fault);
        assert_eq!(failure.place.unwrap().column, column, "{line}");
    }
}

#[test]
fn an_interrupt_stops_it() {
    let failure = interrupted(&mut Shell::default(), "search compare --random 50 --depth 12");
    assert!(failure.fault.message.contains("interrupted"), "{}", failure.fault);
}

#[test]
fn memo_policies_are_compared_in_both_fidelities() {
    let comparison = compared(&format!("position set {PLACING}; memo compare --depth 3"));
    let rows = searched(&comparison);
    assert_eq!((comparison.head.positions, rows.len()), (1, 10));
    let none = rows[0];
    let row = (none.memo.as_str(), none.fidelity.as_str(), none.cache.entries);
    assert_eq!(row, ("none", "sound", 0));
    assert!(comparison.agree && none.cutoffs > 0);
    for (row, whole) in rows.into_iter().zip(&comparison.variants) {
        let mut shell = Shell::default();
        let settings = format!("search set fidelity={} memo={}", row.fidelity, row.memo);
        let line = format!("{settings}; position set {PLACING}; search run --depth 3");
        let run = answer(&mut shell, &line);
        let run = run.downcast_ref::<Run>().unwrap();
        assert_eq!(
            (row.value, whole.nodes, row.cache),
            (run.value, run.nodes, run.cache),
            "{line}"
        );
    }
}

#[test]
fn the_sessions_own_cache_and_search_stay() {
    let mut shell = Shell::default();
    shell.run_line("search run --depth 3");
    let before = shell.engine.session().cache_stats();
    answer(&mut shell, "memo compare --depth 2; search compare --depth 2");
    let after = shell.engine.session().cache_stats();
    assert_eq!(before.cache, after.cache);
    assert!(shell.engine.session().result().is_ok());
}

#[test]
fn entries_from_deeper_reuse_are_dropped_for_exact_reuse() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        let mut entries = |line: &str| {
            for outcome in shell.run_line(line) {
                outcome.unwrap();
            }
            shell.engine.session().cache_stats().cache.entries
        };
        let filled = entries(&format!("game {game}; search set memo=bound; search run --depth 2"));
        assert!(filled > 0, "{game}");
        assert_eq!(entries("search set reuse=deeper"), filled, "{game}");
        assert_eq!(entries("search set reuse=exact"), 0, "{game}");
    }
}
