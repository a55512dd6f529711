//! Settings side by side: the same numbers as each alone, and differing values flagged.

use std::{fs, sync::atomic::Ordering::SeqCst};

use plyscope::{
    command::Shell,
    engine::{
        morris::Morris,
        reply::{Reply as _, Run, SearchComparison},
        workbench::{Desk, Workbench},
    },
};

use crate::{answer, failure};

const PLACING: &str = "w.b...../.w....../....b... w 7 7";
/// The game is over and the heuristic does not say so (defect D5).
const OVER: &str = "www...bb/......../........ w 0 0";

fn compared(line: &str) -> SearchComparison {
    answer(&mut Shell::default(), line).downcast_ref().cloned().unwrap()
}

/// Every exact combination of algorithm, memo and order finds the same values.
#[test]
fn no_variant_finds_another_value_on_the_standard_suites() {
    for (game, depth) in [("morris", 3), ("chess", 2)] {
        let report =
            compared(&format!("game {game}; search compare --suite standard --depth {depth}"));
        assert_eq!((report.positions.len(), report.differing()), (50, 0), "{game}");
        assert!((11..=16).contains(&report.totals.len()), "{}", report.totals.len());
        let minimax = &report.totals[1];
        assert_eq!((minimax.algorithm.as_str(), minimax.memo.as_str()), ("minimax", "none"));
        assert!(report.totals[2..].iter().all(|row| row.nodes <= minimax.nodes), "{game}");
    }
    let deep = compared("position set b..bw.w./bbb.b.bw/.b...... w 0 0; search compare --depth 5");
    assert!(deep.totals.iter().all(|row| row.algorithm != "minimax"));
    assert_eq!(deep.differing(), 0);
}

#[test]
fn each_variant_is_the_search_that_one_would_run_oneself() {
    let variants = [
        "algorithm=alphabeta order=none memo=none",
        "algorithm=pvs order=memo+killers memo=bound symmetry=off",
        "algorithm=mtdf order=static memo=interval",
    ];
    let quoted = variants.map(|words| format!("\"{words}\"")).join(" ");
    for (game, depth) in [("morris", 3), ("chess", 2)] {
        let report =
            compared(&format!("game {game}; search compare {quoted} --random 3 --depth {depth}"));
        let base = report.totals[0].nodes as f64;
        for (row, words) in report.totals.iter().zip(variants) {
            assert_eq!(row.settings, words);
            let mut power = 1.0;
            let mut nodes = 0;
            for position in &report.positions {
                let mut shell = Shell::default();
                let state = &position.state;
                let line = format!(
                    "game {game}; search set root=best {words}; position set {state}; search run --depth {depth}"
                );
                let run = answer(&mut shell, &line);
                let run = run.downcast_ref::<Run>().unwrap();
                assert_eq!(run.value, position.value, "{line}");
                nodes += run.nodes;
                power *= (run.nodes as f64).powf(1.0 / (3.0 * f64::from(depth)));
            }
            assert_eq!((row.nodes, row.ratio_nodes), (nodes, nodes as f64 / base), "{words}");
            assert!((row.branching.unwrap() - power).abs() < 1e-9, "{words}");
        }
    }
}

#[test]
fn a_value_that_differs_is_marked() {
    let set = "position set b..b.ww./w..w..w./w.b..www b 0 0";
    let variants = "\"fidelity=sound algorithm=alphabeta memo=interval\" \"fidelity=seed algorithm=alphabeta memo=interval\" current";
    let report = compared(&format!("{set}; search compare {variants} --depth 2"));
    let differing: Vec<_> = report.totals.iter().map(|row| row.differing).collect();
    assert_eq!(differing, [0, 1, 0]);
    let text = report.text(<_>::default());
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
fn what_cannot_be_compared_is_said() {
    for (line, words, column) in [
        ("search compare current algorithm=best", "`best` is not a value", 24),
        ("search compare current pvs", "`pvs` is not setting=value", 24),
        ("search compare memo=none \"order=none depth=4\"", "`depth` is the same", 26),
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
    let mut shell = Shell::default();
    let interrupt = shell.interrupt();
    let presser = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        interrupt.store(true, SeqCst);
    });
    let failure = failure(&mut shell, "search compare --random 50 --depth 12");
    assert!(failure.fault.message.contains("interrupted"), "{}", failure.fault);
    presser.join().unwrap();
}

#[test]
fn each_memo_row_is_the_call_that_one_would_make_oneself() {
    let comparison = compared(&format!("memo compare {PLACING} --depth 3"));
    assert_eq!(comparison.positions.len(), 1);
    assert_eq!(comparison.totals.len(), 10);
    for row in &comparison.positions[0].rows {
        let mut bench: Box<dyn Workbench> = Box::new(Desk::new(Morris::default(), <_>::default()));
        bench.set_position(PLACING).unwrap();
        let settings = [("fidelity", row.fidelity.as_str()), ("memo", row.memo.as_str())];
        bench.set_settings(&settings).unwrap();
        let value = bench.value(3, None, None).unwrap();
        let found = (value.value, value.nodes, value.cache.hits, value.cache.entries);
        let row_has = (row.value, row.nodes, row.cache.hits, row.cache.entries);
        assert_eq!(row_has, found, "{settings:?}");
        let stats = bench.cache_stats();
        assert_eq!((row.bytes as usize, row.cache.stores), (stats.bytes, stats.cache.stores));
    }
    let none = &comparison.totals[0];
    let row = (none.memo.as_str(), none.fidelity.as_str(), none.cache.entries);
    assert_eq!(row, ("none", "sound", 0));
    assert!(comparison.differing() == 0 && none.cutoffs > 0);
}

#[test]
fn differing_values_are_flagged_position_by_position() {
    let comparison = compared(&format!("memo compare {PLACING} \"{OVER}\" --depth 0"));
    let states: Vec<_> = comparison.positions.iter().map(|position| &position.state).collect();
    assert_eq!(states, [PLACING, OVER]);
    assert_eq!(comparison.differing(), 5);
    for position in &comparison.positions {
        for row in &position.rows {
            let differs = position.state == OVER && row.fidelity == "seed";
            assert_eq!(row.differing, u64::from(differs), "{row:?}");
        }
    }
    let seed = comparison.totals.iter().filter(|row| row.fidelity == "seed");
    assert!(seed.into_iter().all(|row| row.differing == 1 && row.value.is_none()));
    for (total, row) in comparison.totals.iter().zip(&comparison.positions[0].rows) {
        assert_eq!(total.nodes, row.nodes + 1);
    }
}

#[test]
fn a_file_of_positions_is_read_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.txt");
    fs::write(&path, format!("# two\n\n{PLACING} # placing\nwww...bb/..b...../........ w 0 0\n"))
        .unwrap();
    let line = format!("memo compare --depth 1 --file \"{}\"", path.display());
    assert_eq!(compared(&line).positions.len(), 2);
    for (text, words) in [
        (format!("{PLACING}\nnonsense\n"), "positions.txt:2:"),
        ("# nothing\n".to_owned(), "there are no positions"),
    ] {
        fs::write(&path, text).unwrap();
        let failure = failure(&mut Shell::default(), &line);
        assert!(failure.fault.message.contains(words), "{}", failure.fault);
    }
    let failure = failure(&mut Shell::default(), "memo compare nonsense/ w");
    assert_eq!(failure.place.unwrap().column, 14);
}

#[test]
fn the_sessions_own_cache_and_search_stay() {
    let mut shell = Shell::default();
    shell.run_line("search run --depth 3");
    let before = shell.engine.bench().cache_stats();
    answer(&mut shell, "memo compare --depth 2; search compare --depth 2");
    let after = shell.engine.bench().cache_stats();
    assert_eq!(before.cache, after.cache);
    assert!(shell.engine.bench().result().is_ok());
}

#[test]
fn a_cache_in_which_deeper_entries_served_is_not_kept_for_exact_reuse() {
    for game in ["morris", "chess"] {
        let mut shell = Shell::default();
        let mut entries = |line: &str| {
            for outcome in shell.run_line(line) {
                outcome.unwrap();
            }
            shell.engine.bench().cache_stats().cache.entries
        };
        let filled = entries(&format!("game {game}; search set memo=bound; search run --depth 2"));
        assert!(filled > 0, "{game}");
        assert_eq!(entries("search set reuse=deeper"), filled, "{game}");
        assert_eq!(entries("search set reuse=exact"), 0, "{game}");
    }
}
