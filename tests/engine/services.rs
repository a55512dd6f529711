//! Random numbers, hints, threads and progress.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering::SeqCst},
    thread,
    time::Duration,
};

use plyscope::{
    command::Shell,
    engine::{
        game::Fault,
        progress::{Operation, Progress, Unit},
        random::{fingerprint, index_of, splitmix, splitmix_all},
        session::position::PositionReport,
        suggest::{did_you_mean, similar},
        workers::{Finish, Worker, map, work},
    },
};

#[test]
fn numbers_are_spread_and_repeatable() {
    // The first numbers of the reference implementation with seed 0.
    assert_eq!(splitmix(0), 0xE220_A839_7B1D_CDAF);
    // The published test values of FNV-1a.
    assert_eq!(fingerprint(""), 0xCBF2_9CE4_8422_2325);
    assert_eq!(fingerprint("a"), 0xAF63_DC4C_8601_EC8C);
    let mut counts = [0; 3];
    for ply in 0..3000 {
        counts[index_of(splitmix_all(&[7, 1, ply]), 3)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 900), "{counts:?}");
    assert_eq!(index_of(5, 0), 0);
}

const NAMES: [&str; 5] = ["cache get", "cache set", "continue", "step", "quit"];

#[test]
fn common_slips_are_recognised() {
    assert_eq!(similar("cache gte", NAMES)[0], "cache get");
    assert_eq!(similar("setp", NAMES), ["step"]);
    assert_eq!(similar("Quit", NAMES), ["quit"]);
    assert_eq!(similar("cont", NAMES), ["continue"]);
}

#[test]
fn names_too_different_are_not_suggested() {
    assert_eq!(did_you_mean("weights", NAMES), None);
    assert_eq!(did_you_mean("", NAMES), None);
    assert_eq!(did_you_mean(&"x".repeat(10_000), NAMES), None);
}

#[test]
fn a_suggestion_is_a_question() {
    let hint = did_you_mean("cache et", NAMES).unwrap();
    assert_eq!(hint, "did you mean `cache get` or `cache set`?");
}

#[test]
fn results_are_in_order_whatever_the_number_of_threads() {
    let items: Vec<usize> = (0..50).collect();
    for threads in [0, 1, 2, 9] {
        let square = |item: &usize, _: &AtomicBool| Ok(item * item);
        let squares = map(&items, threads, &AtomicBool::new(false), square, &mut |_| {});
        assert!(squares.unwrap().unwrap().iter().is_sorted());
    }
    let stopped = map(
        &items,
        2,
        &AtomicBool::new(true),
        |_, halt| {
            while !halt.load(SeqCst) {}
            Ok(())
        },
        &mut |_| {},
    );
    assert_eq!(stopped, Ok(None));
}

#[test]
fn parallel_work_ends_with_enough_results_or_a_fault() {
    let items: Vec<usize> = (0..1000).collect();
    let on = AtomicBool::new(false);
    let job = |item: &usize, worker: &Worker<'_, usize>| {
        (worker.send)(*item);
        if *item == 77 { Err(Fault::new("seventy-seven")) } else { Ok(()) }
    };
    let mut taken = 0;
    let finish = work(&items, 2, &on, job, |_| {
        taken += 1;
        Ok(if taken == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    assert_eq!((finish, taken), (Ok(Finish::Enough), 5));
    let fault = work(&items, 2, &on, job, |_| Ok(ControlFlow::Continue(()))).unwrap_err();
    assert_eq!(fault.message, "seventy-seven");
}

#[test]
fn the_time_left_follows_from_the_rate() {
    let progress = Progress::default();
    assert_eq!(progress.operation(), None);
    progress.begin("loading", Unit::Bytes, 0);
    assert_eq!(progress.operation().and_then(|operation| operation.time_left()), None);
    progress.update(25, 100);
    let operation = progress.operation().expect("at work");
    assert_eq!((operation.done, operation.total, operation.name), (25, 100, "loading"));
    let operation = Operation { elapsed: Duration::from_secs(2), ..operation };
    assert_eq!(operation.time_left(), Some(Duration::from_secs(6)));
    progress.end();
    assert_eq!(progress.operation(), None);
}

#[test]
fn rate_and_time_left_are_shown_after_a_second() {
    let operation = |elapsed, done, total| Operation {
        name: "loading",
        unit: Unit::Bytes,
        done,
        before: 0,
        total,
        elapsed: Duration::from_millis(elapsed),
        note: String::new(),
    };
    assert_eq!(operation(900, 10, 20).line(80), None);
    assert_eq!(
        operation(2000, 50_000_000, 200_000_000).line(80).as_deref(),
        Some("loading  25.0 %  of 200 MB  25.0 MB/s  6 s left")
    );
    assert_eq!(operation(2000, 0, 0).line(80).as_deref(), Some("loading"));
    let playing = Operation {
        name: "playing",
        unit: Unit::Games,
        note: "a 3.5/5, b 1.5/5".to_owned(),
        ..operation(10_000, 5, 10)
    };
    assert_eq!(
        playing.line(80).as_deref(),
        Some("playing  50.0 %  of 10 games  0.500 games/s  10 s left  a 3.5/5, b 1.5/5")
    );
    for (columns, text) in [
        (70, "playing  50.0 %  of 10 games  0.500 games/s  10 s left"),
        (50, "playing  50.0 %  0.500 games/s  10 s left"),
        (40, "playing  50.0 %  10 s left"),
    ] {
        assert_eq!(playing.line(columns).as_deref(), Some(text));
    }
    let resumed = Operation { before: 4, ..playing };
    assert_eq!(resumed.time_left(), Some(Duration::from_secs(50)), "one game in ten seconds");
}

/// Runs a command until it has reported progress, then interrupts it.
fn watched(line: &str, unit: Unit) {
    let mut shell = Shell::default();
    let (progress, interrupt) = (shell.engine.progress(), shell.interrupt());
    let key = |shell: &mut Shell| shell.look_up_as::<PositionReport>("position show").unwrap().key;
    let before = key(&mut shell);
    thread::scope(|scope| {
        let worker = scope.spawn(|| shell.run_line(line).pop());
        loop {
            let operation = progress.operation();
            if operation.is_some_and(|operation| {
                operation.unit == unit && operation.done > 0 && operation.total > 0
            }) {
                break interrupt.store(true, SeqCst);
            }
            assert!(!worker.is_finished(), "{line} told nothing");
            thread::sleep(Duration::from_millis(1));
        }
    });
    assert_eq!(progress.operation(), None, "{line}");
    interrupt.store(false, SeqCst);
    assert_eq!(key(&mut shell), before, "{line}");
}

#[test]
fn long_commands_report_progress_and_can_be_interrupted() {
    watched("perft 6", Unit::Subtrees);
    watched("bench", Unit::Searches);
    watched("search run --budget 100000000", Unit::Nodes);
    watched("search compare --random 500 --depth 3", Unit::Searches);
    watched("search run --depth 6; audit", Unit::Entries);
}
