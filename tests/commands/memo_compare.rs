//! All policies side by side: the same numbers as each alone, and differing values flagged.

use std::fs;

use plyscope::{
    command::Shell,
    engine::{
        morris::Morris,
        reply::MemoComparison,
        workbench::{Desk, Workbench},
    },
};

const PLACING: &str = "w.b...../.w....../....b... w 7 7";
/// The game is over and the heuristic does not say so (defect D5).
const OVER: &str = "www...bb/......../........ w 0 0";

fn compared(line: &str) -> MemoComparison {
    let mut shell = Shell::default();
    let outcome = shell.run_line(line).pop().unwrap();
    outcome.unwrap().reply.downcast_ref().cloned().unwrap()
}

#[test]
fn each_row_is_the_search_that_one_would_run_oneself() {
    let comparison = compared(&format!("memo compare {PLACING} --depth 3"));
    assert_eq!(comparison.positions.len(), 1);
    assert_eq!(comparison.totals.len(), 10);
    for row in &comparison.positions[0].rows {
        let mut bench: Box<dyn Workbench> = Box::new(Desk::new(Morris::default(), <_>::default()));
        bench.set_position(PLACING).unwrap();
        let settings = [("fidelity", row.fidelity), ("memo", row.memo)];
        bench.set_settings(&settings).unwrap();
        let value = bench.value(3, None, None).unwrap();
        let found = (value.value, value.nodes, value.cache.hits, value.cache.entries);
        let row_has = (row.value, row.nodes, row.cache.hits, row.cache.entries);
        assert_eq!(row_has, found, "{settings:?}");
        let stats = bench.cache_stats();
        assert_eq!((row.bytes as usize, row.cache.stores), (stats.bytes, stats.cache.stores));
    }
    let none = &comparison.totals[0];
    assert_eq!((none.memo, none.fidelity, none.cache.entries), ("none", "sound", 0));
    assert!(comparison.agree && none.cutoffs > 0);
}

#[test]
fn differing_values_are_flagged_position_by_position() {
    let comparison = compared(&format!("memo compare {PLACING} \"{OVER}\" --depth 0"));
    let states: Vec<_> = comparison.positions.iter().map(|position| &position.state).collect();
    assert_eq!(states, [PLACING, OVER]);
    assert!(!comparison.agree);
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
    fs::write(&path, format!("# two\n\n{PLACING} # placing\n{OVER}\n")).unwrap();
    let line = format!("memo compare --depth 1 --file \"{}\"", path.display());
    assert_eq!(compared(&line).positions.len(), 2);
    for (text, words) in [
        (format!("{PLACING}\nnonsense\n"), "positions.txt:2: "),
        ("# nothing\n".to_owned(), "holds no positions"),
    ] {
        fs::write(&path, text).unwrap();
        let failure = Shell::default().run_line(&line).pop().unwrap().unwrap_err();
        assert!(failure.fault.message.contains(words), "{}", failure.fault);
    }
    let mut shell = Shell::default();
    let failure = shell.run_line("memo compare nonsense/ w").pop().unwrap();
    assert_eq!(failure.unwrap_err().place.unwrap().column, 14);
}

#[test]
fn the_sessions_own_cache_and_search_stay() {
    let mut shell = Shell::default();
    shell.run_line("search run --depth 3");
    let before = shell.engine.bench().cache_stats();
    shell.run_line("memo compare --depth 2");
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
