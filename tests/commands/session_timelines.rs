//! A saved session resumes with its timelines, bookmarks and quiz.

use plyscope::{
    command::{Outcome, Shell},
    engine::session::timelines::TimelineList,
    view,
};

/// Runs a line and returns its printed reply, without times.
fn run(shell: &mut Shell, line: &str) -> Vec<String> {
    let text = |outcome: Outcome| match outcome {
        Ok(reply) => view::response(&reply),
        Err(failure) => format!("error: {}", failure.fault),
    };
    let replies = shell.run_line(line).into_iter().map(text);
    replies.map(|reply| crate::transcript::mask(&reply)).collect()
}

/// A shell that has run some lines, and another that has loaded its session.
fn both(lines: &[&str]) -> (Shell, Shell) {
    let mut shell = Shell::default();
    for line in lines {
        for reply in run(&mut shell, line) {
            assert!(!reply.starts_with("error"), "{line}: {reply}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.ron");
    let said = run(&mut shell, &format!("session save {}", path.display()));
    assert!(!said[0].starts_with("error"), "{said:?}");
    let mut resumed = Shell::default();
    let said = run(&mut resumed, &format!("session load {}; trust", path.display()));
    assert!(!said[0].starts_with("error"), "{said:?}");
    (shell, resumed)
}

fn go_on_alike((mut one, mut other): (Shell, Shell), lines: &[&str]) {
    for line in lines {
        let replies = run(&mut one, line);
        assert!(!replies.iter().any(|reply| reply.starts_with("error")), "{line}: {replies:?}");
        assert_eq!(run(&mut other, line), replies, "{line}");
    }
}

/// A position of either game.
const POSITIONS: [&str; 2] = [
    "position set www.wbb./w.b.b.../..bb.w.w w 0 0",
    "game chess; position set r3k2r/pp1n1ppp/2p1b3/4p3/4P3/2N1B3/PPP2PPP/R3K2R w KQkq - 3 14",
];

#[test]
fn every_timeline_and_bookmark_is_loaded() {
    for position in POSITIONS {
        let branched = [
            position,
            "search set depth=4 memo=interval",
            "step 900",
            "mark early",
            "fork other",
            "step 50",
            "cache set here:1 value=0.5 alpha=-1 beta=1",
            "step 100",
            "mark late",
            "search set budget=5000",
            "step 40",
        ];
        go_on_alike(
            both(&branched),
            &[
                "back 30",
                "goto late",
                "where",
                "diff 1 other",
                "timeline use 1",
                "where",
                "goto early",
                "step 7",
                "cache stats",
                "timeline use other",
                "where",
                "last best",
            ],
        );
    }
}

#[test]
fn a_search_that_began_with_a_filled_cache_goes_back() {
    for position in POSITIONS {
        for policy in ["interval", "bound", "exact", "rote"] {
            let policy = format!("search set memo={policy}");
            let warm =
                [position, &policy, "search value --depth 2", "search set depth=3", "step 400"];
            go_on_alike(
                both(&warm),
                &[
                    "goto 10",
                    "cache list --limit 200",
                    "step 200",
                    "where",
                    "cache list --limit 200",
                ],
            );
        }
    }
}

#[test]
fn timelines_with_other_settings_and_rules_are_loaded() {
    let changed = [
        POSITIONS[0],
        "search set depth=3 memo=bound",
        "step 300",
        "search set memo=exact",
        "rules set flying=off",
        "step 100",
    ];
    go_on_alike(
        both(&changed),
        &["back 20", "where", "timeline use 1", "where", "rules show", "back 5"],
    );
}

#[test]
fn a_quiz_goes_on() {
    for position in POSITIONS {
        let lines = [position, "search set depth=3", "quiz next", "quiz pass", "quiz next"];
        let (mut shell, resumed) = both(&lines);
        let question = run(&mut shell, "quiz score");
        assert!(question[0].contains('?'), "{question:?}");
        go_on_alike((shell, resumed), &["quiz score", "quiz pass", "quiz next", "quiz score"]);
    }
}

/// The depth and first event of each iteration in the current timeline.
fn iterations(shell: &mut Shell) -> Vec<(u8, u64)> {
    let list: TimelineList = shell.look_up_as("timeline").unwrap();
    list.current().unwrap().iterations.iter().map(|it| (it.depth, it.event)).collect()
}

#[test]
fn iterations_are_known_at_every_event() {
    for position in POSITIONS {
        let (mut shell, mut resumed) = both(&[position, "search set depth=3", "search run"]);
        let known = iterations(&mut shell);
        assert_eq!(known.iter().map(|(depth, _)| *depth).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(iterations(&mut resumed), known);
        for place in ["goto start", "back 10", "goto 5", "goto end"] {
            run(&mut shell, place);
            assert_eq!(iterations(&mut shell), known, "{place}");
        }
        for (_, event) in &known {
            let at = run(&mut shell, &format!("goto {event}"));
            assert!(at[0].contains("iteration"), "{at:?}");
        }
        run(&mut shell, &format!("goto {}; fork", known[2].1 - 1));
        assert_eq!(iterations(&mut shell), known[..2], "the branch has not come to the last one");
        run(&mut shell, "continue");
        assert_eq!(iterations(&mut shell), known);
    }
}

/// The value that an edited entry has is not that of the event that wrote the entry, and both are told.
#[test]
fn an_edited_entry_is_told_from_the_event_that_wrote_it() {
    for position in POSITIONS {
        let mut shell = Shell::default();
        let lines = [position, "search set depth=3 memo=bound", "step 900", "cache list --limit 1"];
        let list = lines.map(|line| run(&mut shell, line)).concat().join("\n");
        let row = list
            .lines()
            .find(|line| line.starts_with("key "))
            .and_then(|_| list.lines().rev().nth(1));
        let key = row.and_then(|row| row.split_whitespace().next()).unwrap().to_owned();
        let said = |shell: &mut Shell, line: &str| run(shell, &format!("{line} {key}")).join("\n");
        assert!(!said(&mut shell, "explain entry").contains("edited"), "{list}");
        run(&mut shell, &format!("cache set {key} value=0.5"));
        for line in ["explain entry", "cache get --writer"] {
            let text = said(&mut shell, line);
            assert!(
                text.contains("edited by hand after event 899; before that written by event "),
                "{line}: {text}"
            );
        }
        run(&mut shell, "back 1");
        assert!(!said(&mut shell, "explain entry").contains("edited"), "{position}");
    }
}

/// A comparison runs both timelines to their ends, and says so if more events were needed than had been recorded.
#[test]
fn a_comparison_names_the_recorded_events() {
    for position in POSITIONS {
        let lines = [position, "search set depth=2", "step 50", "fork other", "step 20"];
        let mut shell = both(&lines).0;
        let text = run(&mut shell, "diff 1 other").concat();
        assert!(text.contains("run to its end: 50 and 70 events had been recorded"), "{text}");
        let text = run(&mut shell, "continue; timeline use 1; continue; diff 1 other").concat();
        assert!(!text.contains("had been recorded"), "{text}");
    }
}

/// A `goto` past the end of the search returns to the event where it was given, also far before the end of the recording.
#[test]
fn a_goto_past_the_end_of_the_search_changes_nothing() {
    for game in ["morris; play d6 f4", "chess; play e4 e5"] {
        let mut shell = Shell::default();
        let there = "goto 4000; where";
        run(&mut shell, &format!("game {game}; search set depth=9 budget=600000; step 1300000"));
        let before = run(&mut shell, there);
        let said = run(&mut shell, "goto 99999999999");
        assert!(said[0].contains("there is no event 99,999,999,999: the search ends"), "{said:?}");
        assert_eq!(run(&mut shell, "where"), before[1..], "{game}");
        let end = run(&mut shell, "goto end");
        assert!(end[0].starts_with("event 1,299,999"), "{game}: {end:?}");
    }
}
