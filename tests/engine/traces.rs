//! Traces: our own searches have no findings, a program with a defect has that finding, and unreadable lines are
//! refused with their numbers.

use std::{collections::HashMap, fmt::Write as _, path::Path, process::Command};

use proptest::{option, prelude::*, sample::select};

use crate::common::{cases::cases, roots::root};
use plyscope::{
    command::Shell,
    engine::{
        Engine, rulebook,
        session::AnySession,
        trace::{
            CAUSES, CHECKS, Checker, LANGUAGES, TraceFindings, TraceReader, emitter, piped_trace,
        },
    },
};

fn check_with(session: &dyn AnySession, text: &str, history: bool) -> TraceFindings {
    let mut reader = TraceReader::new(text.as_bytes()).unwrap();
    let header = reader.header().clone();
    let rules = header.game.as_deref().and_then(|game| rulebook(session, game));
    let mut checker = Checker::new(&header, rules, history, 3);
    while let Some(event) = reader.next_event().unwrap() {
        checker.check(&event);
    }
    checker.finish(true)
}

fn check(text: &str) -> TraceFindings {
    check_with(Shell::default().session(), text, false)
}

fn found(text: &str, name: &str) -> u64 {
    check(text).counts.get(name).copied().unwrap_or(0)
}

/// Settings of searches, some of them incompatible.
fn any_settings() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let of = |name: &'static str, values: &'static [&'static str]| {
        option::of(select(values).prop_map(move |value| (name, value)))
    };
    let settings = vec![
        of("algorithm", &["minimax", "pvs", "mtdf"]),
        of("memo", &["none", "exact", "interval", "bound", "rote"]),
        of("order", &["none", "killers+history", "captures", "memo"]),
        of("fail", &["hard"]),
        of("root", &["best", "all"]),
        of("aspiration", &["0.05", "30"]),
        of("quiescence", &["on"]),
        of("symmetry", &["on", "off"]),
        of("null", &["1"]),
        of("lmr", &["1"]),
        of("futility", &["20"]),
        of("extend", &["on"]),
        of("max_size", &["40"]),
        of("replace", &["depth", "use"]),
    ];
    settings.prop_map(|settings| settings.into_iter().flatten().collect())
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn traces_of_our_own_searches_have_no_findings(root in root(), settings in any_settings(), twice in any::<bool>()) {
        let game = if root.contains('k') { "chess" } else { "morris" };
        let mut engine = Engine::default();
        engine.choose_game(game).unwrap();
        let session = engine.session_mut();
        session.set_position(&root).unwrap();
        for pair in settings {
            let _ = session.set_settings(&[pair]);
        }
        let limits = [("depth", "4"), ("budget", "2000")];
        if twice {
            let _ = session.run(&[("depth", "3"), ("budget", "500")]);
        }
        let mut text = Vec::new();
        prop_assume!(session.record_trace(&limits, false, &mut text).is_ok());
        let text = String::from_utf8(text).unwrap();
        let findings = check_with(session, &text, false);
        prop_assert!(findings.counts.is_empty(), "{findings:?}");
        prop_assert_eq!(findings.events + 1, text.lines().count() as u64);
    }

    #[test]
    fn a_correct_program_has_no_findings(seed in 0..10_000_u64, program in any_program()) {
        let text = program.traced(seed, "");
        let findings = check(&text);
        prop_assert!(findings.counts.is_empty(), "{program:?} {findings:?}");
        prop_assert!(findings.nodes >= 5);
    }
}

/// Numbers as programs write them, and texts that are nearly numbers.
fn any_number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<f64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| format!("{number:e}")),
        any::<i64>().prop_map(|number| number.to_string()),
        "-?[0-9]{0,3}[.]?[0-9]{0,20}([eE][-+]?[0-9]{0,3})?",
    ]
}

proptest! {
    #![proptest_config(cases(2000))]

    /// A number is read as `serde_json` reads it, or refused where `serde_json` refuses it.
    #[test]
    fn numbers_are_those_of_json(number in any_number()) {
        let trace = format!("{{\"plytrace\":1}}\n{{\"e\":\"eval\",\"v\":{number}}}\n");
        let mut reader = TraceReader::new(trace.as_bytes()).unwrap();
        let read = reader.next_event().map(|event| event.unwrap().v.unwrap().to_bits());
        let known = serde_json::from_str::<f64>(&number).map(f64::to_bits);
        prop_assert_eq!(read.ok(), known.ok());
    }
}

#[test]
fn each_defect_has_its_finding() {
    let node = Program { mates: Mates::Node, ..Program::default() };
    let root = Program { mates: Mates::Root, ..Program::default() };
    let defects = [
        ("nesting", "forgets to leave", node),
        ("hit-differs", "slot overwritten", node),
        ("key-clash", "short keys", node),
        ("key-split", "ply in key", Program { table: false, ..node }),
        ("value-parent", "sign", Program { table: false, ..node }),
        ("window-child", "window not turned", Program { table: false, ..node }),
        ("bound-side", "always exact", node),
        ("bound-side", "always lower", node),
        ("depth-short", "any depth", node),
        ("hit-window", "any bound", node),
        ("cut-wrong", "cuts at alpha", Program { table: false, ..node }),
        ("cut-wrong", "never cuts", Program { table: false, ..node }),
        ("mate-shift", "mates not shifted", Program { table: false, ..node }),
        ("mate-shift", "mates not moved", root),
        ("put-after-stop", "stores when stopped", Program { budget: Some(60), ..node }),
    ];
    for (name, defect, program) in defects {
        for program in [program, Program { first: true, ..program }] {
            let found = (0..40).map(|seed| found(&program.traced(seed, defect), name)).max();
            assert!(found > Some(0), "{defect} is not found by {name}: {program:?}");
        }
    }
    let covered: Vec<_> = defects.iter().map(|(name, ..)| *name).collect();
    let missing = CHECKS.iter().filter(|(name, ..)| !covered.contains(name));
    // Those have tests of their own.
    let others = ["eval-differs", "pv-wrong", "move-illegal", "landmark"];
    assert_eq!(missing.map(|(name, ..)| *name).collect::<Vec<_>>(), others);
}

#[test]
fn a_value_at_a_beta_that_the_table_lowered_needs_no_search_again() {
    let trace = |answer: &str| {
        format!(
            "{{\"plytrace\":1,\"table\":\"warm\"}}\n\
             {{\"e\":\"in\",\"a\":-100,\"b\":15,\"d\":3,\"k\":\"k\"}}\n{answer}\
             {{\"e\":\"in\",\"a\":-15,\"b\":100,\"d\":2,\"m\":\"a\"}}\n{{\"e\":\"out\",\"v\":0}}\n\
             {{\"e\":\"in\",\"a\":-1,\"b\":0,\"d\":2,\"m\":\"b\",\"t\":\"zero\"}}\n{{\"e\":\"out\",\"v\":-10}}\n\
             {{\"e\":\"cut\",\"m\":\"b\",\"v\":10}}\n{{\"e\":\"out\",\"v\":10}}\n"
        )
    };
    let lowered = r#"{"e":"hit","k":"k","v":10,"t":"upper","d":3,"u":false,"a":-100,"b":10}"#;
    assert_eq!(found(&trace(&format!("{lowered}\n")), "value-parent"), 0);
    assert_eq!(found(&trace(""), "value-parent"), 1);
}

#[test]
fn moves_are_checked_by_the_rules() {
    let chess = |mv: &str| {
        format!(
            "{{\"plytrace\":1,\"game\":\"chess\"}}\n{{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":1}}\n\
             {{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":0,\"m\":\"{mv}\"}}\n{{\"e\":\"out\",\"v\":1}}\n{{\"e\":\"out\",\"v\":-1}}\n"
        )
    };
    assert_eq!(found(&chess("e2e4"), "move-illegal"), 0);
    assert_eq!(found(&chess("Nf3"), "move-illegal"), 0);
    assert_eq!(found(&chess("e2e5"), "move-illegal"), 1);
    let morris = |mv| chess(mv).replace("chess", "morris");
    assert_eq!(found(&morris("d7"), "move-illegal"), 0);
    assert_eq!(found(&morris("a1-a4"), "move-illegal"), 1);
}

#[test]
fn unreadable_lines_are_reported_with_their_numbers() {
    let fault = |text: &[u8]| {
        let mut reader = match TraceReader::new(text) {
            Ok(reader) => reader,
            Err(fault) => return fault.message,
        };
        loop {
            match reader.next_event() {
                Ok(Some(_)) => {}
                Ok(None) => return "none".to_owned(),
                Err(fault) => return fault.message,
            }
        }
    };
    let head = "{\"plytrace\":1}\n";
    let after = |line: &str| fault(format!("{head}{{\"e\":\"miss\"}}\n\n{line}").as_bytes());
    assert_eq!(fault(b""), "the trace is empty");
    assert_eq!(fault(b"{}\n"), "line 1 is not the header of a trace");
    assert_eq!(fault(b"{\"plytrace\":2}\n"), "line 1: the trace has version 2");
    assert!(
        fault(b"hello\n")
            .starts_with("line 1 is not the header of a trace (column 1: expected value")
    );
    assert_eq!(after("{\"e\":\"in\",\"a\":"), "line 4 is cut off");
    assert!(
        after("{\"e\":\"eval\",\"v\":Infinity}\n")
            .starts_with("line 4 is not an event (column 17: ")
    );
    assert!(after("{\"e\":\"eval\",\"v\":1e999}\n").contains("out of range"));
    assert_eq!(
        after("{\"e\":\"in\",\"a\":1,\"b\":2}\n"),
        "line 4: the event `in` has no valid `d`"
    );
    assert_eq!(
        after("{\"e\":\"put\",\"v\":1,\"t\":\"x\",\"d\":1}\n"),
        "line 4: the event `put` has no valid `t`"
    );
    assert_eq!(after("{\"e\":\"mine\",\"x\":[1]}\n"), "none");
    let bytes = [head.as_bytes(), b"{\"e\":\"mi\xffss\"}\n"].concat();
    assert_eq!(fault(&bytes), "line 2 is not UTF-8 at byte 9");
    let long = format!("{head}{}", "x".repeat(3 << 20));
    assert_eq!(fault(long.as_bytes()), "line 2 is longer than 1048576 bytes");
}

#[test]
fn wrong_nesting_is_reported_with_its_line() {
    let head = "{\"plytrace\":1}\n";
    let node = "{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":1}\n";
    let out = "{\"e\":\"out\",\"v\":1}\n";
    assert_eq!(found(&[head, node, out].concat(), "nesting"), 0);
    assert_eq!(found(&[head, node, out, out].concat(), "nesting"), 1);
    assert_eq!(found(&[head, node, node, out].concat(), "nesting"), 1);
    assert_eq!(found(&[head, node, "{\"e\":\"stop\"}\n"].concat(), "nesting"), 0);
    assert_eq!(found(&[head, "{\"e\":\"miss\"}\n"].concat(), "nesting"), 1);
    assert_eq!(found(&[head, "{\"e\":\"note\"}\n"].concat(), "nesting"), 0);
}

/// Every emitter is used by a small program in its language: its trace has no findings; with a trigger it is a part of
/// the whole trace.
#[test]
fn emitters_write_traces() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/emitters");
    for (language, file, text) in LANGUAGES {
        assert!(text.lines().count() <= 485, "{file}");
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(file), text).unwrap();
        for sample in std::fs::read_dir(&folder).unwrap().flatten() {
            std::fs::copy(sample.path(), home.path().join(sample.file_name())).unwrap();
        }
        let build = match language {
            "c" => {
                "gcc -std=c99 -Wall -Werror -DPLYTRACE sample.c -o sample && gcc -std=c99 -Wall -Werror sample.c -o off"
            }
            "cpp" => "cp sample.c sample.cpp && g++ -Wall -Werror -DPLYTRACE sample.cpp -o sample",
            "rust" => "rustc --edition 2021 -O --cfg plytrace sample.rs",
            "java" => "javac Sample.java Plytrace.java",
            "javascript" => "node --check sample.js",
            "go" => "go build -o sample sample.go plytrace.go",
            "csharp" => "mcs Sample.cs Plytrace.cs",
            _ => "true",
        };
        let tool = build.split(' ').next().unwrap().replace("true", "python3").replace("cp", "g++");
        let there = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output();
        if !there.is_ok_and(|there| there.status.success()) {
            eprintln!("{language}: {tool} is not at hand");
            continue;
        }
        let run = match language {
            "python" => "python3 sample.py",
            "java" => "java -Dplytrace=true Sample",
            "javascript" => "node sample.js",
            "csharp" => "mono Sample.exe",
            _ => "./sample",
        };
        let shell = |line: &str| {
            let done =
                Command::new("sh").args(["-c", line]).current_dir(home.path()).output().unwrap();
            assert!(done.status.success(), "{language}: {}", String::from_utf8_lossy(&done.stderr));
        };
        shell(build);
        let traced = |trigger: &str| {
            shell(&format!("{run} {trigger}"));
            let text = std::fs::read_to_string(home.path().join("trace.jsonl")).unwrap();
            let found = check(&text);
            assert!(found.counts.is_empty(), "{language} {trigger}: {found:?}");
            found.nodes
        };
        let all = traced("all");
        assert!(all > 200, "{language}");
        for trigger in ["key", "line", "depth", "nodes", "ring"] {
            let some = traced(trigger);
            assert!(0 < some && some < all, "{language} {trigger}: {some} of {all}");
        }
        if ["c", "cpp", "rust"].contains(&language) {
            assert_binary_is_the_same(home.path(), &shell, run);
        }
    }
}

/// A binary trace has the same lines as one of lines, whole and cut off, and each of its events can be reached.
fn assert_binary_is_the_same(home: &Path, shell: &dyn Fn(&str), run: &str) {
    let path = home.join("trace.jsonl");
    let read = || std::fs::read(&path).unwrap();
    for trigger in ["all", "key", "ring"] {
        shell(&format!("{run} {trigger}"));
        let lines = String::from_utf8(read()).unwrap();
        shell(&format!("{run} {trigger} binary"));
        let binary = read();
        assert!(binary.starts_with(b"PLYB") && binary.len() * 2 < lines.len());
        let (decoded, fault) = lines_of(&binary);
        let written = decoded.join("\n") == lines.replace("e300", "e+300").trim_end();
        assert!(written && fault.is_none(), "{trigger} {fault:?}");
        let lines = decoded.join("\n") + "\n";
        for cut in [binary.len() - 3, binary.len() / 2] {
            let (some, fault) = lines_of(&binary[..cut]);
            assert!(lines.starts_with(&some.join("\n")));
            let fault = fault.unwrap_or_default();
            assert!(fault.is_empty() || fault.ends_with("is cut off"), "{fault}");
        }
        let mut wrong = binary.clone();
        let end = wrong.iter().position(|byte| *byte == b'\n').unwrap();
        wrong[end + 1] = 99;
        let (_, fault) = lines_of(&wrong);
        assert!(fault.unwrap().contains(&format!("byte {} of the binary trace", end + 1)));
        let mut shell = Shell::default();
        let reply = |shell: &mut Shell, line: &str| shell.look_up(line).unwrap().text();
        reply(&mut shell, &format!("trace open {}", path.display()));
        let [last, first] = [lines.lines().count() - 2, 1].map(|event| {
            let shown = reply(&mut shell, &format!("goto {event}"));
            assert!(shown.contains(lines.lines().nth(event + 1).unwrap()), "{shown}");
            shown
        });
        assert_ne!(last, first);
    }
}

/// Runs a program with the emitter of a language; its trace, or `None` if the language is not at hand.
fn trace_of_program(language: &str, program: &str, commands: &[&str]) -> Option<Vec<u8>> {
    let home = tempfile::tempdir().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/emitters").join(program);
    let (file, text) = emitter(language).unwrap();
    std::fs::write(home.path().join(file), text).unwrap();
    std::fs::copy(data, home.path().join(program)).unwrap();
    for command in commands {
        let done = Command::new("sh").args(["-c", command]).current_dir(home.path()).output();
        if !done.is_ok_and(|done| done.status.success()) {
            eprintln!("cannot run `{command}`");
            return None;
        }
    }
    std::fs::read(home.path().join("trace.jsonl")).ok()
}

#[test]
fn threads_of_a_c_program_have_no_findings() {
    let compile =
        "gcc -std=gnu99 -Wall -Werror -DPLYTRACE -DPLYTRACE_THREADS -pthread threads.c -o threads";
    for run in ["./threads", "./threads binary"] {
        let Some(trace) = trace_of_program("c", "threads.c", &[compile, run]) else { return };
        let (lines, fault) = lines_of(&trace);
        assert_eq!(fault, None);
        let found = check(&lines.join("\n"));
        assert!(found.counts.is_empty() && found.nodes > 10_000, "{found:?}");
        assert!(
            (1..4)
                .all(|thread| lines.iter().any(|line| line.contains(&format!("\"th\":{thread}"))))
        );
    }
}

/// Two threads that write in turn: the file has each event once, in the order in which they were written. A program that is
/// killed loses what its buffers hold, at most 64 KiB of each thread and of the file.
#[test]
fn events_of_threads_are_in_order() {
    let c = "gcc -std=gnu99 -Wall -Werror -DPLYTRACE -DPLYTRACE_THREADS -pthread turns.c -o turns";
    let rust = "rustc --edition 2021 -O --cfg plytrace turns.rs";
    for (language, program, build) in [("c", "turns.c", c), ("rust", "turns.rs", rust)] {
        for end in ["close", "exit", "kill", "dump"] {
            for form in ["text", "binary"] {
                let run = format!("./turns {form} {end} || test {end} = kill");
                let Some(trace) = trace_of_program(language, program, &[build, &run]) else {
                    break;
                };
                let (lines, fault) = lines_of(&trace);
                let case = format!("{language} {form} {end}");
                let counts: Vec<u64> = lines.iter().filter_map(|line| count_of(line)).collect();
                if end == "dump" {
                    let written = counts.windows(2).all(|pair| pair[0] + 2 == pair[1]);
                    assert!(written && counts.last() == Some(&29_998), "{case}: {counts:?}");
                    continue;
                }
                let wrong = counts.iter().zip(0..).find(|(count, place)| *count != place);
                assert_eq!(wrong, None, "{case}");
                if end == "kill" {
                    assert!(counts.len() > 27_000, "{case}: {}", counts.len());
                } else {
                    let found = check(&lines.join("\n"));
                    let all = counts.len() == 30_000 && fault.is_none() && found.nodes == 2;
                    assert!(all && found.counts.is_empty(), "{case}: {fault:?} {found:?}");
                }
            }
        }
    }
}

/// The ring of a thread has the events of this thread alone.
#[test]
fn each_thread_has_a_ring_of_its_own() {
    let Some(trace) = trace_of_program("python", "rings.py", &["python3 rings.py"]) else { return };
    let (lines, _) = lines_of(&trace);
    let events: Vec<serde_json::Value> =
        lines[1..].iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let written: Vec<_> =
        events.iter().map(|event| (event["e"].as_str().unwrap(), event["th"].as_u64())).collect();
    let of_thread = ["in", "in", "in", "eval", "out", "stop"].map(|kind| (kind, Some(1)));
    assert_eq!((&written[1..], &events[0]["p"]), (&of_thread[..], &"start".into()));
    assert!(check(&lines.join("\n")).counts.is_empty());
}

fn count_of(line: &str) -> Option<u64> {
    let event: serde_json::Value = serde_json::from_str(line).ok()?;
    event["count"].as_u64()
}

/// A search with a branch for each side, from 50 positions: correct, and with a defect in the branch of one side.
#[test]
fn a_minimax_with_two_sides_has_the_findings_of_its_defects() {
    for (defect, check_name) in [
        ("none", ""),
        ("key", "key-clash"),
        ("depth", "depth-short"),
        ("bound", "hit-window"),
        ("sign", "hit-differs"),
        ("eval", "eval-differs"),
        ("side", "value-parent"),
        ("cut", "cut-wrong"),
        ("turned", "bound-side"),
        ("mate", "mate-shift"),
    ] {
        let run = format!("python3 minimax.py {defect}");
        let Some(trace) = trace_of_program("python", "minimax.py", &[&run]) else { return };
        let found = check(&String::from_utf8(trace).unwrap());
        let first = found.findings.first().map_or("", |first| first.check);
        assert_eq!(first, check_name, "{defect}: {found:?}");
    }
}

/// The lines of a trace up to one that cannot be read, and why not.
fn lines_of(trace: &[u8]) -> (Vec<String>, Option<String>) {
    let mut lines = Vec::new();
    let mut reader = TraceReader::new(piped_trace(trace).unwrap()).unwrap();
    loop {
        let line = String::from_utf8(reader.line().to_vec()).unwrap();
        lines.push(line.trim_end().to_owned());
        match reader.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => return (lines, None),
            Err(fault) => return (lines, Some(fault.message)),
        }
    }
}

/// Seed 000's search in small: with the sign of defect D2 repaired there are no findings.
#[test]
fn the_sign_defect_of_the_seed_is_found() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/emitters/seed_search.py");
    let home = tempfile::tempdir().unwrap();
    let (file, text) = emitter("python").unwrap();
    std::fs::write(home.path().join(file), text).unwrap();
    let traced = |word: &str| {
        let mut python = Command::new("python3");
        python.arg(&data).args([word]).env("PYTHONPATH", home.path()).current_dir(home.path());
        let done = python.output().ok()?.status.success();
        done.then(|| std::fs::read_to_string(home.path().join("trace.jsonl")).unwrap())
    };
    let (Some(mended), Some(defect)) = (traced("mended"), traced("defect")) else {
        eprintln!("python3 is not at hand");
        return;
    };
    assert!(check(&mended).counts.is_empty());
    let found = check(&defect);
    let first = &found.findings[0];
    assert_eq!((first.check, first.ply), ("hit-differs", 3));
    assert_eq!(first.words(), "+0.1 came back, stored was -0.1 (exact depth 0)");
}

#[test]
fn two_traces_differ_at_the_first_different_event() {
    let home = tempfile::tempdir().unwrap();
    let program = Program::default();
    let paths = [("a", ""), ("b", "sign")].map(|(name, defect)| {
        let path = home.path().join(name);
        std::fs::write(&path, program.traced(3, defect)).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let mut shell = Shell::default();
    let mut compare = |first: &str, second: &str| {
        shell.look_up(&format!("trace diff {first} {second}")).unwrap().text()
    };
    assert!(compare(&paths[0], &paths[0]).starts_with("the same events"));
    let [first, second] = ["", "sign"].map(|defect| program.traced(3, defect));
    let parted =
        first.lines().zip(second.lines()).position(|(first, second)| first != second).unwrap();
    assert!(
        compare(&paths[0], &paths[1]).starts_with(&format!("they part at event {}: ", parted - 1))
    );
}

/// Values in findings are written as on the stack of the trace, whatever the game of the session; JSON has the numbers.
#[test]
fn findings_write_values_on_the_scale_of_the_trace() {
    for (game, moves) in [("chess", "e4 e5 Bc4 Nc6 Qh5"), ("morris", "d6 f4 d2")] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.jsonl");
        let mut own = Shell::default();
        for line in [format!("game {game}"), format!("play {moves}")] {
            own.look_up(&line).unwrap();
        }
        own.look_up(&format!("trace record {} --depth 3", file.display())).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace(r#""t":"lower""#, r#""t":"exact""#)).unwrap();
        let check = format!("trace check {} --limit 1000", file.display());
        let reply = Shell::default().look_up(&check).unwrap();
        let words = reply.text().split_whitespace().collect::<Vec<_>>().join(" ");
        let fields = serde_json::to_value(&*reply).unwrap();
        let findings = fields["findings"].as_array().unwrap();
        assert!(!findings.is_empty());
        for finding in findings {
            let text = finding["text"].as_str().unwrap();
            let value: f64 = text.split(' ').nth(1).unwrap().parse().unwrap();
            let value = if value == 0.0 { "0".to_owned() } else { format!("{value:+}") };
            let due = format!("exact {value} depth 1 was stored; the bound is lower: {value} ≥ β");
            assert!(words.contains(&due), "{due}: {words}");
        }
        let beta = if game == "chess" { "≥ β #-0 (mated)" } else { "≥ β 0" };
        assert!(words.contains(beta), "{words}");
    }
}

/// How a program scores mates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Mates {
    /// No mates.
    #[default]
    None,
    /// Distance from the node: grows on the way up.
    Node,
    /// Distance from the root: table entries have to be shifted.
    Root,
}

/// A small search of an arbitrary game: alpha-beta with a table, as many programs have it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
struct Program {
    mates: Mates,
    table: bool,
    soft: bool,
    /// Values are from the first player's view.
    first: bool,
    pvs: bool,
    /// No moves in the trace.
    silent: bool,
    budget: Option<u64>,
    /// The table's bounds narrow the window.
    narrow: bool,
    /// Quiescence search at the leaves.
    quiet: bool,
    /// Null moves and futility.
    selective: bool,
}

impl Default for Program {
    fn default() -> Self {
        Self {
            mates: Mates::None,
            table: true,
            soft: true,
            first: false,
            pvs: false,
            silent: false,
            budget: None,
            narrow: false,
            quiet: false,
            selective: false,
        }
    }
}

fn any_program() -> impl Strategy<Value = Program> {
    let mates = select(vec![Mates::None, Mates::Node, Mates::Root]);
    (mates, any::<[bool; 8]>(), option::of(30..80_u64)).prop_map(|(mates, flags, budget)| {
        let [table, soft, first, pvs, silent, narrow, quiet, selective] = flags;
        Program { mates, table, soft, first, pvs, silent, budget, narrow, quiet, selective }
    })
}

const MATE: f64 = 9999.0;

#[derive(Default)]
struct Run {
    text: String,
    table: HashMap<u64, (f64, &'static str, i32)>,
    nodes: u64,
    stopped: bool,
    defect: &'static str,
    seed: u64,
    /// The number of times that the defect applied.
    occasions: u64,
}

fn mixed(seed: u64, number: u64) -> u64 {
    let mut mixed =
        (seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x2545_F491_4F6C_DD1D);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 27)
}

impl Program {
    fn traced(self, seed: u64, defect: &'static str) -> String {
        let mut run = Run { defect, seed, ..Run::default() };
        let view = if self.first { "first" } else { "side" };
        let mate = if self.mates == Mates::None { "" } else { ",\"mate\":9000" };
        writeln!(run.text, "{{\"plytrace\":1,\"view\":\"{view}\",\"soft\":{}{mate}}}", self.soft)
            .unwrap();
        run.text += "{\"e\":\"root\"}\n";
        for depth in 1..=5 {
            if !run.stopped {
                writeln!(run.text, "{{\"e\":\"iter\",\"d\":{depth}}}").unwrap();
                self.search(&mut run, 0, (-10_000.0, 10_000.0), depth, 0, ("", ""));
            }
        }
        run.text
    }

    fn sign(self, position: u64) -> f64 {
        if self.first && position % 2 == 1 { -1.0 } else { 1.0 }
    }

    fn key(run: &Run, position: u64, ply: i32) -> u64 {
        match run.defect {
            "short keys" => position % 24,
            "ply in key" => position + 1000 * u64::from(ply.unsigned_abs() / 2),
            _ => position,
        }
    }

    fn write(run: &mut Run, line: &str) {
        writeln!(run.text, "{{\"e\":{line}}}").unwrap();
    }

    fn entry(
        self,
        run: &mut Run,
        name: &str,
        position: u64,
        (value, bound, depth): (f64, &str, i32),
        more: &str,
    ) {
        let sign = self.sign(position);
        let bound = match (sign < 0.0, bound) {
            (true, "lower") => "upper",
            (true, "upper") => "lower",
            _ => bound,
        };
        let line =
            format!("\"{name}\",\"v\":{},\"t\":\"{bound}\",\"d\":{depth}{more}", sign * value);
        Self::write(run, &line);
    }

    /// A mate score one ply nearer or farther, if distances count from the node.
    fn shifted(self, value: f64, plies: f64) -> f64 {
        if self.mates == Mates::Node && value.abs() > 9000.0 {
            value + plies * value.signum()
        } else {
            value
        }
    }

    fn moved(self, value: f64, plies: i32, run: &Run) -> f64 {
        let moves =
            self.mates == Mates::Root && run.defect != "mates not moved" && value.abs() > 9000.0;
        if moves { value + f64::from(plies) * value.signum() } else { value }
    }

    fn search(
        self,
        run: &mut Run,
        position: u64,
        (mut a, b): (f64, f64),
        d: i32,
        ply: i32,
        (mv, kind): (&str, &str),
    ) -> f64 {
        let (sign, alpha) = (self.sign(position), a);
        let (low, high) = if sign < 0.0 { (-b, -a) } else { (a, b) };
        let key = Self::key(run, position, ply);
        let side = if position % 2 == 1 { "b" } else { "w" };
        let mut line = format!(
            "\"in\",\"a\":{low},\"b\":{high},\"d\":{d},\"k\":\"{key:x}\",\"p\":\"{position}\",\"s\":\"{side}\""
        );
        if !mv.is_empty() && !self.silent {
            write!(line, ",\"m\":\"{mv}\"").unwrap();
        }
        if kind == "null" || !kind.is_empty() && !self.silent {
            write!(line, ",\"t\":\"{kind}\"").unwrap();
        }
        Self::write(run, &line);
        run.nodes += 1;
        if !run.stopped && self.budget.is_some_and(|budget| run.nodes > budget) {
            run.stopped = true;
            Self::write(run, "\"stop\",\"r\":\"nodes\"");
        }
        let value = self.value(run, position, (&mut a, b), d, ply);
        let value = if self.soft || run.stopped { value } else { value.clamp(alpha, b) };
        if run.defect == "forgets to leave" && run.nodes % 50 == 49 {
            run.nodes += 1;
            return value;
        }
        Self::write(run, &format!("\"out\",\"v\":{}", sign * value));
        value
    }

    /// The same position or one below it, below the horizon.
    fn score_terminal(
        self,
        run: &mut Run,
        position: u64,
        (mut a, b): (f64, f64),
        ply: i32,
        mv: &str,
    ) -> f64 {
        let (sign, alpha, dice) = (self.sign(position), a, mixed(run.seed, position));
        let (low, high) = if sign < 0.0 { (-b, -a) } else { (a, b) };
        let mv =
            if mv.is_empty() || self.silent { String::new() } else { format!(",\"m\":\"{mv}\"") };
        let line = format!(
            "\"in\",\"a\":{low},\"b\":{high},\"d\":{},\"t\":\"qs\",\"k\":\"{position:x}\"{mv}",
            -ply
        );
        let side = if position % 2 == 1 { "b" } else { "w" };
        Self::write(run, &format!("{line},\"s\":\"{side}\""));
        let mut best = (dice % 41) as f64 - 20.0;
        Self::write(run, &format!("\"eval\",\"v\":{}", sign * best));
        a = a.max(best);
        for number in (0..2).filter(|_| ply < 3) {
            if best >= b {
                Self::write(run, "\"cut\"");
                break;
            }
            let child = mixed(dice, number) % 30 * 2 + (1 - position % 2);
            let value = -self.score_terminal(run, child, (-b, -a), ply + 1, &format!("{number}"));
            best = best.max(value);
            a = a.max(value);
        }
        let best = if self.soft { best } else { best.clamp(alpha, b) };
        Self::write(run, &format!("\"out\",\"v\":{}", sign * best));
        best
    }

    fn value(
        self,
        run: &mut Run,
        position: u64,
        (a, mut b): (&mut f64, f64),
        d: i32,
        ply: i32,
    ) -> f64 {
        if run.stopped {
            return 0.0;
        }
        let (alpha, key) = (*a, Self::key(run, position, ply));
        if self.table
            && d > 0
            && let Some(value) = self.probe(run, (position, key), (a, &mut b), d, ply)
        {
            return value;
        }
        let dice = mixed(run.seed, position);
        if self.mates != Mates::None && ply > 0 && dice.is_multiple_of(9) {
            return match self.mates {
                Mates::Root => f64::from(ply) - MATE,
                _ => -MATE,
            };
        }
        if d == 0 {
            if self.quiet {
                return self.score_terminal(run, position, (*a, b), 0, "");
            }
            let value = (dice % 41) as f64 - 20.0;
            Self::write(run, &format!("\"eval\",\"v\":{}", self.sign(position) * value));
            return value;
        }
        if self.selective
            && let Some(value) = self.null_move(run, position, b, d, ply)
        {
            return value;
        }
        let Some(best) = self.moves(run, position, (*a, b, alpha), d, ply) else {
            return 0.0;
        };
        let best = if self.soft { best } else { best.clamp(alpha, b) };
        if self.table {
            let bound = match run.defect {
                "always exact" => "exact",
                "always lower" => "lower",
                _ if best <= alpha => "upper",
                _ if best >= b => "lower",
                _ => "exact",
            };
            let entry = (self.moved(best, ply, run), bound, d);
            run.table.insert(key, entry);
            self.entry(run, "put", position, entry, "");
        }
        best
    }

    /// The table's value, if it suffices; otherwise its bounds may narrow the window.
    fn probe(
        self,
        run: &mut Run,
        (position, key): (u64, u64),
        (a, b): (&mut f64, &mut f64),
        d: i32,
        ply: i32,
    ) -> Option<f64> {
        let Some((mut stored, bound, depth)) = run.table.get(&key).copied() else {
            Self::write(run, "\"miss\"");
            return None;
        };
        run.occasions += 1;
        if run.defect == "slot overwritten" && run.occasions.is_multiple_of(7) {
            stored += 1.0;
        }
        let value = self.moved(stored, -ply, run);
        let fits = match bound {
            "exact" => true,
            "lower" => value >= *b,
            _ => value <= *a,
        } || run.defect == "any bound";
        let answers = fits && (depth >= d || run.defect == "any depth");
        let used = format!(",\"u\":{answers}");
        self.entry(run, "hit", position, (stored, bound, depth), &used);
        if self.narrow && depth >= d && !answers {
            match bound {
                "lower" => *a = a.max(value),
                _ => *b = b.min(value),
            }
        }
        answers.then_some(value)
    }

    /// The value of a null move that causes a cutoff; 0 if the search was stopped.
    fn null_move(self, run: &mut Run, position: u64, b: f64, d: i32, ply: i32) -> Option<f64> {
        let static_eval = (mixed(run.seed, position) % 41) as f64 - 20.0;
        Self::write(run, &format!("\"eval\",\"v\":{}", self.sign(position) * static_eval));
        if d < 2 || static_eval < b || ply == 0 {
            return None;
        }
        let window = (-self.shifted(b, 1.0), -self.shifted(b - 1.0, 1.0));
        let value = -self.search(run, position ^ 1, window, d - 2, ply + 1, ("", "null"));
        let value = self.shifted(value, -1.0);
        if run.stopped {
            return Some(0.0);
        }
        if value < b {
            return None;
        }
        Self::write(run, &format!("\"cut\",\"v\":{}", self.sign(position) * value));
        Some(if self.soft { value } else { b })
    }

    /// The best move's value; none if the search was stopped.
    fn moves(
        self,
        run: &mut Run,
        position: u64,
        (mut a, b, alpha): (f64, f64, f64),
        d: i32,
        ply: i32,
    ) -> Option<f64> {
        let dice = mixed(run.seed, position);
        let static_eval = (dice % 41) as f64 - 20.0;
        let mut best = f64::NEG_INFINITY;
        for number in 0..2 + dice % 3 {
            let child = mixed(dice, number) % 30 * 2 + (1 - position % 2);
            let mv = format!("{number}");
            let optimistic = static_eval + 15.0;
            if self.selective && d == 1 && number > 0 && optimistic <= a {
                Self::write(run, "\"skip\",\"r\":\"futility\"");
                best = best.max(optimistic);
                continue;
            }
            let whole = (-self.shifted(b, 1.0), -self.shifted(a, 1.0));
            let zero = (-self.shifted(a + 1.0, 1.0), -self.shifted(a, 1.0));
            let ask = |run: &mut Run, window, kind| {
                let value = self.search(run, child, window, d - 1, ply + 1, (&mv, kind));
                let turned =
                    if run.defect == "sign" && number == 1 && d == 2 { value } else { -value };
                if run.defect == "mates not shifted" { turned } else { self.shifted(turned, -1.0) }
            };
            let whole = if run.defect == "window not turned" { (a, b) } else { whole };
            let value = if self.pvs && number > 0 && b - a > 1.0 {
                let value = ask(run, zero, "zero");
                if value > a && value < b { ask(run, whole, "re") } else { value }
            } else {
                ask(run, whole, "")
            };
            if run.stopped && run.defect != "stores when stopped" {
                return None;
            }
            best = best.max(value);
            a = a.max(value);
            let cuts = match run.defect {
                "never cuts" => false,
                "cuts at alpha" => best > alpha,
                _ => best >= b,
            };
            if cuts {
                let line = if self.silent {
                    "\"cut\"".to_owned()
                } else {
                    format!("\"cut\",\"m\":\"{mv}\",\"v\":{}", self.sign(position) * value)
                };
                Self::write(run, &line);
                break;
            }
        }
        Some(best)
    }
}

/// A trace of these lines, each without `{"e":` and `}`, with further fields of the header.
fn trace_of(header: &str, lines: &[&str]) -> String {
    let lines = lines.iter().map(|line| format!("{{\"e\":\"{line}}}\n"));
    format!("{{\"plytrace\":1{header}}}\n{}", lines.collect::<String>())
}

/// The names of all findings.
fn names(header: &str, lines: &[&str]) -> Vec<&'static str> {
    check(&trace_of(header, lines)).findings.iter().map(|finding| finding.check).collect()
}

const ROOT: &str = r#"in","a":-10,"b":10,"d":4,"k":"r","s":"w""#;

#[test]
fn a_move_searched_again_counts_by_its_last_value() {
    let lines = |last: &str, value: &str| {
        let again = format!("out\",\"v\":{last}");
        let out = format!("out\",\"v\":{value}");
        let zero = r#"in","a":-1,"b":0,"d":2,"m":"x","k":"1""#;
        names(
            "",
            &[
                ROOT,
                r#"in","a":-10,"b":10,"d":3,"m":"w","k":"0""#,
                r#"out","v":0"#,
                r#"reduce","m":"x","n":1,"r":"lmr""#,
                zero,
                r#"out","v":-6"#,
                r#"in","a":-10,"b":0,"d":3,"m":"x","k":"1""#,
                &again,
                &out,
            ],
        )
    };
    assert_eq!(lines("-2", "2"), [""; 0]);
    assert_eq!(lines("2", "0"), [""; 0]);
    assert_eq!(lines("2", "6"), ["value-parent"]);
    // A reduced search above α is not the move's value.
    let reduced = |again: bool| {
        let more = [r#"in","a":-10,"b":0,"d":3,"m":"x","k":"1""#, r#"out","v":-6"#];
        let mut lines = vec![
            ROOT,
            r#"in","a":-10,"b":10,"d":3,"m":"w","k":"0""#,
            r#"out","v":0"#,
            r#"reduce","m":"x","n":1"#,
            r#"in","a":-10,"b":0,"d":2,"m":"x","k":"1""#,
            r#"out","v":-6"#,
            r#"out","v":6"#,
        ];
        if again {
            lines.splice(6..6, more);
        }
        names("", &lines)
    };
    assert_eq!((reduced(true), reduced(false)), (vec![], vec!["value-parent"]));
}

/// Quiescence, internal deepening and singular searches of the same position are no plies.
#[test]
fn searches_of_the_same_position_are_no_plies() {
    let mated = |ply: i32| format!("out\",\"v\":{}", ply - 100);
    let mate = |ply: i32| format!("out\",\"v\":{}", 100 - ply);
    let at = |first: i32, second: i32| {
        let (first, second) = (mated(first), mated(second));
        let value = mate(2);
        names(
            r#","mate":90,"mates":"root""#,
            &[
                r#"in","a":-100,"b":100,"d":4,"k":"r","s":"w""#,
                r#"in","a":-100,"b":100,"d":3,"m":"a","k":"1","s":"b""#,
                r#"in","a":-100,"b":100,"d":2,"m":"b","k":"2","s":"w""#,
                r#"in","a":-100,"b":100,"d":0,"t":"qs","k":"2","s":"w""#,
                &first,
                &first,
                r#"out","v":98"#,
                r#"in","a":98,"b":99,"d":2,"t":"singular","k":"r@a","s":"w""#,
                r#"in","a":-99,"b":-98,"d":1,"m":"c","k":"3","s":"b""#,
                &second,
                r#"out","v":99"#,
                r#"in","a":-100,"b":100,"d":1,"m":"c","k":"3","s":"b""#,
                &second,
                &value.replace("98", "99"),
            ],
        )
    };
    assert_eq!(at(2, 1), [""; 0]);
    assert!(at(2, 2).contains(&"mate-shift"));
}

/// `mate` in the header is the least value of a mate, not the greatest.
#[test]
fn a_header_whose_mate_no_value_reaches_is_noted() {
    let near = |header: &str, value: i32| {
        let out = format!("out\",\"v\":{value}");
        check(&trace_of(header, &[r#"in","a":-32000,"b":32000,"d":1,"k":"r""#, &out])).near_mate
    };
    assert_eq!(near(r#","mate":30000"#, -29995), Some([30000.0, 29995.0]));
    assert_eq!(near(r#","mate":30000"#, 30000), None);
    assert_eq!(near(r#","mate":29000"#, 29995), None);
    assert_eq!(near(r#","mate":30000"#, 900), None);
    assert_eq!(near("", 29995), None);
}

/// The classic defect: a mate is stored as it is counted from the root, and read as if counted from the node.
#[test]
fn a_mate_stored_without_its_ply_is_found() {
    let stored_as = |stored: i32, other: i32| {
        let put = format!("put\",\"v\":{stored},\"t\":\"exact\",\"d\":2");
        let hit = format!("hit\",\"v\":{stored},\"t\":\"exact\",\"d\":2,\"u\":true");
        let out = format!("out\",\"v\":{other}");
        names(
            r#","mate":900,"mates":"root""#,
            &[
                r#"in","a":-1000,"b":1000,"d":4,"k":"r","s":"w""#,
                r#"in","a":-1000,"b":1000,"d":3,"m":"a","k":"1","s":"b""#,
                r#"in","a":-1000,"b":1000,"d":2,"m":"b","k":"2","s":"w""#,
                r#"in","a":-1000,"b":1000,"d":1,"m":"c","k":"3","s":"b""#,
                r#"out","v":-997"#,
                &put,
                r#"out","v":997"#,
                r#"out","v":-997"#,
                r#"in","a":-1000,"b":1000,"d":3,"t":"null","k":"n","s":"b""#,
                r#"in","a":-1000,"b":1000,"d":2,"m":"d","k":"4","s":"w""#,
                r#"in","a":-1000,"b":1000,"d":2,"m":"e","k":"5","s":"b""#,
                r#"in","a":-1000,"b":1000,"d":2,"m":"f","k":"2","s":"w""#,
                &hit,
                &out,
                &format!("out\",\"v\":{}", -other),
                &out,
                &format!("out\",\"v\":{}", -other),
                r#"out","v":997"#,
            ],
        )
    };
    assert_eq!(stored_as(999, 995), [""; 0]);
    assert_eq!(stored_as(997, 993), ["mate-shift"]);
    assert_eq!(stored_as(997, 997), ["mate-shift"]);
}

#[test]
fn a_window_that_the_node_changes_is_its_window() {
    let lines = |window: bool, bound: &str| {
        let put = format!("put\",\"v\":2,\"t\":\"{bound}\",\"d\":4");
        let mut lines = vec![
            ROOT,
            r#"window","a":3,"b":10,"r":"cycle""#,
            r#"in","a":-10,"b":-3,"d":3,"m":"x","k":"1""#,
            r#"out","v":-2"#,
            &put,
            r#"out","v":2"#,
        ];
        if !window {
            lines.remove(1);
        }
        names("", &lines)
    };
    assert_eq!(lines(true, "upper"), [""; 0]);
    assert_eq!(lines(false, "upper"), ["bound-side"]);
}

#[test]
fn static_values_of_a_position_are_compared() {
    let lines = |evals: [i32; 3]| {
        let [first, corrected, second] = evals.map(|value| format!("eval\",\"v\":{value}"));
        let child = r#"in","a":-10,"b":10,"d":3,"m":"x","k":"1""#;
        names(
            "",
            &[
                ROOT,
                child,
                &first,
                &corrected,
                r#"out","v":3"#,
                r#"in","a":-10,"b":10,"d":2,"m":"x","k":"1""#,
                &second,
                r#"out","v":3"#,
                r#"out","v":-3"#,
            ],
        )
    };
    assert_eq!(lines([5, 3, 5]), [""; 0], "a second value is a corrected one");
    assert_eq!(lines([5, 5, 6]), ["eval-differs"]);
}

#[test]
fn reported_lines_are_checked() {
    let lines = |line: &str| {
        let pv = format!("pv\",{line}");
        let chess = r#","game":"chess""#;
        names(
            chess,
            &[
                ROOT,
                r#"in","a":-10,"b":10,"d":3,"m":"e2e4","k":"1""#,
                r#"out","v":3"#,
                r#"out","v":-3"#,
                &pv,
            ],
        )
    };
    assert_eq!(lines(r#""m":["e2e4","e7e5"]"#), [""; 0]);
    assert_eq!(lines(r#""m":"e2e4 e7e5""#), [""; 0]);
    assert_eq!(lines(r#""m":["e2e4","e7e4"]"#), ["pv-wrong"]);
    assert_eq!(lines(r#""m":["e2e4"],"k":["1"]"#), [""; 0]);
    assert_eq!(lines(r#""m":["e2e4"],"k":["2"]"#), ["pv-wrong"]);
}

/// A program that captures the king enters illegal moves on purpose.
#[test]
fn pseudo_legal_programs_may_leave_the_king_to_be_captured() {
    let root = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    let lines = |legal: &str| {
        let header = format!(",\"game\":\"chess\",\"root\":\"{root}\"{legal}");
        names(
            &header,
            &[
                ROOT,
                r#"in","a":-10,"b":10,"d":3,"m":"e1d1","k":"1""#,
                r#"in","a":-10,"b":10,"d":2,"m":"e2e1","k":"2""#,
                r#"out","v":3"#,
                r#"out","v":-3"#,
                r#"out","v":3"#,
            ],
        )
    };
    assert_eq!(lines(""), [""; 0]);
    let into_check = |legal: &str| {
        let header = format!(",\"game\":\"chess\",\"root\":\"{root}\"{legal}");
        names(
            &header,
            &[
                ROOT,
                r#"in","a":-10,"b":10,"d":3,"m":"e1f2","k":"1""#,
                r#"out","v":-3"#,
                r#"out","v":3"#,
            ],
        )
    };
    assert_eq!(into_check(""), ["move-illegal"]);
    assert_eq!(into_check(r#","legal":"pseudo""#), [""; 0]);
}

/// The position below a null move is known by the rules: its side to move, and its key.
#[test]
fn null_moves_are_followed_by_the_rules() {
    let lines = |side: &str, key: &str| {
        let null = format!(
            "in\",\"a\":-10,\"b\":-9,\"d\":1,\"t\":\"null\",\"k\":\"{key}\",\"s\":\"{side}\""
        );
        names(r#","game":"chess""#, &[ROOT, &null, r#"out","v":3"#, r#"out","v":-3"#])
    };
    assert_eq!(lines("b", "n"), [""; 0]);
    assert_eq!(lines("w", "n"), ["move-illegal"]);
    assert_eq!(lines("b", "r"), ["key-clash"]);
}

/// What begins in the middle has its root and its open nodes first.
#[test]
fn a_part_of_a_search_has_no_findings() {
    let part = [
        r#"root","p":"start""#,
        r#"in","a":-10,"b":10,"d":4,"k":"r","s":"w","open":true"#,
        r#"in","a":-10,"b":10,"d":3,"m":"x","k":"1","s":"b","open":true"#,
        r#"in","a":-10,"b":10,"d":2,"m":"y","k":"2","s":"w""#,
        r#"hit","v":1,"t":"exact","d":1,"u":false"#,
        r#"out","v":7"#,
        r#"out","v":2"#,
    ];
    assert_eq!(names(r#","table":"warm""#, &[part, part].concat()), [""; 0]);
    let whole = part.map(|line| line.replace(r#","open":true"#, ""));
    let whole: Vec<_> = whole.iter().map(String::as_str).collect();
    assert_eq!(names(r#","table":"warm""#, &whole), ["value-parent", "nesting"]);
}

/// Own fields may have the names that the format gives to other events.
#[test]
fn fields_of_other_events_may_be_of_any_kind() {
    for field in [r#""n":"many""#, r#""th":[1]"#, r#""open":"wide""#, r#""m":["a","b"]"#] {
        let text = trace_of("", &[&format!("note\",{field}")]);
        assert!(check(&text).counts.is_empty(), "{field}");
    }
    let headers = [
        r#","mates":"node","legal":"strict","shape":[3,3],"threads":2"#,
        r#","table":"part","later":1"#,
    ];
    for header in headers {
        assert!(check(&trace_of(header, &[ROOT, r#"out","v":0"#])).counts.is_empty(), "{header}");
    }
}

/// The full window, a narrower one and zero windows at a root with the window [-10, 10]: only values outside are found.
#[test]
fn a_window_is_inside_its_parents_however_narrow() {
    for game in ["morris", "chess"] {
        let mv = if game == "chess" { "e2e4" } else { "d7" };
        for (low, high, outside) in [
            (-10, 10, 0),
            (-3, 4, 0),
            (-10, -9, 0),
            (9, 10, 0),
            (3, 4, 0),
            (10, 11, 1),
            (12, 13, 1),
            (40, 41, 1),
            (-11, -10, 1),
            (-41, -40, 1),
            (-10, 12, 1),
        ] {
            let (alpha, beta) = (-high, -low);
            let text = format!(
                "{{\"plytrace\":1,\"game\":\"{game}\"}}\n{{\"e\":\"in\",\"a\":-10,\"b\":10,\"d\":1}}\n\
                 {{\"e\":\"in\",\"a\":{alpha},\"b\":{beta},\"d\":0,\"m\":\"{mv}\"}}\n{{\"e\":\"out\",\"v\":1}}\n{{\"e\":\"out\",\"v\":-1}}\n"
            );
            assert_eq!(found(&text, "window-child"), outside, "{game} [{low}, {high}]");
        }
    }
}

/// A hit has the value, bound and depth that were stored: each is checked alone.
#[test]
fn a_hit_that_differs_from_the_stored_entry_is_found_whatever_differs() {
    let text = |[value, bound, depth]: [&str; 3]| {
        format!(
            "{{\"plytrace\":1}}\n{{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":3,\"k\":\"1\"}}\n\
             {{\"e\":\"put\",\"v\":2,\"t\":\"exact\",\"d\":3}}\n{{\"e\":\"hit\",\"v\":{value},\"t\":\"{bound}\",\"d\":{depth}}}\n{{\"e\":\"out\",\"v\":2}}\n"
        )
    };
    assert_eq!(found(&text(["2", "exact", "3"]), "hit-differs"), 0);
    for other in [
        ["3", "exact", "3"],
        ["1", "exact", "3"],
        ["2", "lower", "3"],
        ["2", "upper", "3"],
        ["2", "exact", "2"],
        ["2", "exact", "4"],
    ] {
        assert_eq!(found(&text(other), "hit-differs"), 1, "{other:?}");
    }
}

/// The lines compared are those of the current search; nodes of an abandoned search are in none.
#[test]
fn the_difference_of_two_traces_names_the_current_iterations_line() {
    let home = tempfile::tempdir().unwrap();
    for (begins, game) in [("iter", "morris"), ("iter", "chess"), ("root", "morris")] {
        let paths = [1, 2].map(|value| {
            let head = format!("{{\"plytrace\":1,\"game\":\"{game}\"}}");
            let entered = "{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":2}";
            let text = format!(
                "{head}\n{entered}\n{{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":1,\"m\":\"given-up\"}}\n{{\"e\":\"stop\"}}\n\
                 {{\"e\":\"{begins}\",\"d\":2}}\n{entered}\n{{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":1,\"m\":\"now\"}}\n{{\"e\":\"out\",\"v\":{value}}}\n"
            );
            let path = home.path().join(format!("{game}{value}"));
            std::fs::write(&path, text).unwrap();
            path.display().to_string()
        });
        let reply = Shell::default().look_up(&format!("trace diff {} {}", paths[0], paths[1]));
        let reply = serde_json::to_value(&*reply.unwrap()).unwrap();
        assert_eq!(reply["parting"]["first_line"], serde_json::json!(["-", "now"]), "{begins}");
        assert_eq!(reply["parting"]["event"], 6);
    }
}

#[test]
fn traces_of_two_games_are_not_compared() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name).display().to_string();
    for name in ["morris", "chess"] {
        let text = format!("{{\"plytrace\":1,\"game\":\"{name}\"}}\n{{\"e\":\"iter\",\"d\":1}}\n");
        std::fs::write(at(name), text).unwrap();
    }
    std::fs::write(at("any"), "{\"plytrace\":1}\n{\"e\":\"iter\",\"d\":1}\n").unwrap();
    let mut shell = Shell::default();
    let mut diff = |one: &str, two: &str| {
        let compared = shell.look_up(&format!("trace diff {} {}", at(one), at(two)));
        compared.map(|_| ()).map_err(|fault| fault.message)
    };
    let refused = diff("morris", "chess").unwrap_err();
    assert!(
        refused.contains("is a search of morris") && refused.contains("one of chess"),
        "{refused}"
    );
    assert_eq!((diff("morris", "any"), diff("chess", "chess")), (Ok(()), Ok(())));
}

fn json(shell: &mut Shell, line: &str) -> serde_json::Value {
    serde_json::to_value(&*shell.look_up(line).unwrap()).unwrap()
}

/// The text of a node with its children, each of them a leaf: move, α and value.
fn node_with(moves: &[(&str, i32, i32)]) -> String {
    let mut text = "{\"e\":\"in\",\"a\":-90,\"b\":90,\"d\":2}\n".to_owned();
    for (mv, alpha, value) in moves {
        let _ = write!(
            text,
            "{{\"e\":\"in\",\"a\":{alpha},\"b\":90,\"d\":1,\"m\":\"{mv}\",\"k\":\"1{mv}\"}}\n{{\"e\":\"eval\",\"v\":{value}}}\n{{\"e\":\"out\",\"v\":{value}}}\n"
        );
    }
    text + "{\"e\":\"out\",\"v\":0}\n"
}

fn diff_of(texts: [&str; 2], options: &str) -> serde_json::Value {
    let home = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| home.path().join(name).display().to_string());
    for (path, text) in paths.iter().zip(texts) {
        std::fs::write(path, format!("{{\"plytrace\":1}}\n{{\"e\":\"iter\",\"d\":2}}\n{text}"))
            .unwrap();
    }
    json(&mut Shell::default(), &format!("trace diff {} {} {options}", paths[0], paths[1]))
}

#[test]
fn a_comparison_goes_on_where_two_traces_meet_again() {
    let one =
        node_with(&[("a", -90, 1), ("b", -90, 2), ("c", -90, 3), ("d", -90, 4), ("e", -90, 5)]);
    let two =
        node_with(&[("a", -90, 1), ("c", -90, 3), ("b", -90, 2), ("d", -80, 4), ("e", -90, 6)]);
    let found = diff_of([&one, &two], "");
    let parts = |found: &serde_json::Value| -> Vec<_> {
        let partings = found["partings"].as_array().unwrap();
        partings
            .iter()
            .map(|parting| {
                (
                    parting["event"].as_u64().unwrap(),
                    parting["cause"].clone(),
                    parting["met"].clone(),
                )
            })
            .collect()
    };
    let met = |one: u64, two: u64| serde_json::json!([one, two]);
    // b is passed over in the first trace, then c and b are in another order; d has another window, and e another value.
    let expected = vec![
        (5, "order of moves".into(), met(8, 5)),
        (11, "order of moves".into(), met(14, 14)),
        (15, "static value".into(), serde_json::Value::Null),
    ];
    assert_eq!(parts(&found), expected, "{found}");
    let ignored = diff_of([&one, &two], "--ignore eval,v");
    assert!(parts(&ignored).iter().all(|(_, cause, _)| cause != "static value"), "{ignored}");
    let same = diff_of([&one, &one], "");
    assert_eq!(
        (&same["parting"], &same["causes"]),
        (&serde_json::Value::Null, &serde_json::json!({}))
    );
}

#[test]
fn differences_have_causes() {
    let entered = |more: &str| format!("{{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":2{more}}}\n");
    let root = entered("");
    let cause = |one: &str, two: &str| {
        diff_of([&format!("{root}{one}"), &format!("{root}{two}")], "")["parting"]["cause"].clone()
    };
    let node = |field: &str| entered(&format!(",\"m\":\"x\"{field}"));
    let line = |text: &str| format!("{text}\n");
    let (hit, miss) =
        (line("{\"e\":\"hit\",\"v\":1,\"t\":\"exact\",\"d\":1}"), line("{\"e\":\"miss\"}"));
    let out = |value: &str| line(&format!("{{\"e\":\"out\",{value}}}"));
    for (one, two, expected) in [
        (node(""), node(",\"t\":\"qs\""), "kind of node"),
        (node(""), node("").replace("\"a\":-9", "\"a\":-8"), "window"),
        (node(""), node("").replace("\"d\":2", "\"d\":3"), "depth"),
        (node(",\"k\":\"1\""), node(",\"k\":\"2\""), "key"),
        (node(""), hit.clone(), "table answer"),
        (hit, miss, "table answer"),
        (node(""), line("{\"e\":\"skip\",\"r\":\"see\"}"), "pruning"),
        (node(""), line("{\"e\":\"cut\"}"), "cutoff"),
        (node(""), out("\"v\":1"), "number of moves"),
        (out("\"v\":1"), out("\"v\":2"), "value"),
        (out("\"v\":1"), out("\"v\":1,\"m\":\"x\""), "best move"),
        (out("\"v\":1"), String::new(), "end"),
    ] {
        assert_eq!(cause(&one, &two), expected, "{one}{two}");
    }
}

#[test]
fn several_searches_are_compared_one_by_one() {
    let search = |position: &str, value: i32| {
        let nodes = node_with(&[("a", -90, 1), ("b", -90, value)]);
        format!("{{\"e\":\"root\",\"p\":\"{position}\"}}\n{{\"e\":\"iter\",\"d\":1}}\n{nodes}")
    };
    let two = |value| [search("one", 1), search("two", value), search("three", 1)].concat();
    let found = diff_of([&two(1), &two(2)], "");
    let causes: Vec<_> =
        found["searches"].as_array().unwrap().iter().map(|row| row["cause"].clone()).collect();
    assert_eq!(causes, [serde_json::Value::Null, "static value".into(), serde_json::Value::Null]);
    assert_eq!(found["searches"][2]["first"], 3);
}

#[test]
fn searches_of_two_engines_are_compared() {
    let home = tempfile::tempdir().unwrap();
    let engine = |name: &str, value: i32| {
        let path = home.path().join(name);
        let nodes = node_with(&[("e2e4", -90, value)]).replace('{', "info string ply {");
        let script = format!(
            "while read -r word rest; do case $word in\nuci) echo 'info string ply {{\"plytrace\":1}}'; echo uciok;;\nisready) echo readyok;;\n\
             setoption) [ \"$rest\" = 'name Own Book value true' ] && exit;;\n\
             position) echo \"info string ply {{\\\"e\\\":\\\"root\\\",\\\"p\\\":\\\"$rest\\\"}}\";;\n\
             go) echo 'info depth 1'; cat <<'.'\n{nodes}.\necho bestmove e2e4;;\nquit) exit;;\nesac; done\n"
        );
        std::fs::write(&path, script).unwrap();
        format!("'sh {}'", path.display())
    };
    let (old, new, list) = (engine("old", 1), engine("new", 2), home.path().join("list"));
    std::fs::write(
        &list,
        "8/8/8/8/8/8/8/K1k5 w - - 0 1\n# the second\n8/8/8/8/8/8/8/K2k4 w - - 0 1\n",
    )
    .unwrap();
    let mut shell = Shell::default();
    let same = json(
        &mut shell,
        &format!("trace diff --uci {old} {old} --commands 'position startpos; go depth 1'"),
    );
    assert_eq!(
        (&same["parting"], &same["nodes"][0]["first"]),
        (&serde_json::Value::Null, &1.into())
    );
    let line = format!(
        "trace diff --uci {old} {new} --commands 'go depth 1' --positions {}",
        list.display()
    );
    let found = json(&mut shell, &line);
    assert_eq!(found["causes"], serde_json::json!({"static value": 2}), "{found}");
    assert_eq!(found["searches"][1]["position"], "fen 8/8/8/8/8/8/8/K2k4 w - - 0 1");
    let wrong = shell.look_up(&line).unwrap().fault().unwrap();
    assert!(wrong.message.ends_with("differ: 2 partings"), "{wrong:?}");
    let mut refused = |line: &str| shell.look_up(line).unwrap_err().message;
    assert!(refused("trace diff --uci false false --commands go").contains("the engine has ended"));
    // An engine is given the options of its command: this one ends when it gets them.
    let with_option = old.replace("old'", "old -- Own+Book=true'");
    let line = format!("trace diff --uci {with_option} {old} --commands 'go depth 1'");
    assert!(refused(&line).contains("the engine has ended"));
    assert!(refused("trace diff a b --commands go").contains("--commands is for engines"));
    assert!(refused("trace diff a b --ignore hue").contains("no field or event `hue`"));
}

/// Two threads whose events alternate; `second` are further lines of thread 1, `last` of thread 0.
fn two_threads(second: &str, last: &str) -> String {
    format!(
        r#"{{"plytrace":1,"threads":2}}
{{"e":"iter","d":2}}
{{"e":"in","a":-9,"b":9,"d":1,"k":"1"}}
{{"e":"in","a":-9,"b":9,"d":1,"k":"1","th":1}}
{{"e":"in","a":-9,"b":9,"d":0,"m":"a","k":"2"}}
{{"e":"in","a":-9,"b":9,"d":0,"m":"b","k":"3","th":1}}
{{"e":"put","v":3,"t":"exact","d":4,"k":"2"}}
{{"e":"put","v":5,"t":"lower","d":2,"k":"2","th":1}}
{second}{{"e":"out","v":1}}
{{"e":"out","v":1,"th":1}}
{{"e":"out","v":-1}}
{last}{{"e":"out","v":-1,"th":1}}
"#
    )
}

#[test]
fn each_thread_has_its_stack() {
    assert!(check(&two_threads("", "")).counts.is_empty());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), two_threads("", "")).unwrap();
    let mut shell = Shell::default();
    let mut reply = |line: &str| shell.look_up(line).unwrap().text();
    reply(&format!("trace open {}", file.path().display()));
    reply("goto 4");
    let stack = reply("where");
    assert!(stack.contains("  a 1  ") && !stack.contains("  b 1  "), "{stack}");
    assert!(reply("trace thread 1").starts_with("event 4: descend"));
    let stack = reply("where");
    assert!(stack.contains("  b 1  ") && !stack.contains("  a 1  "), "{stack}");
    assert!(reply("step").contains("An event of thread 0."));
    assert!(reply("cache list").contains("+3"));
    reply("step");
    assert!(reply("cache list").contains("≥     +5"));
}

#[test]
fn a_race_of_two_threads_is_no_finding() {
    let hit = |value: i32, bound: &str, depth: i32| {
        format!(
            "{{\"e\":\"hit\",\"v\":{value},\"t\":\"{bound}\",\"d\":{depth},\"k\":\"2\",\"th\":1}}\n"
        )
    };
    let put = "{\"e\":\"put\",\"v\":7,\"t\":\"exact\",\"d\":6,\"k\":\"2\",\"th\":1}\n";
    // As it was before the last store, and as it is after the next one.
    assert!(check(&two_threads(&hit(3, "exact", 4), "")).counts.is_empty());
    assert!(check(&two_threads(&hit(7, "exact", 6), put)).counts.is_empty());
    assert_eq!(check(&two_threads(&hit(7, "exact", 6), "")).counts["hit-differs"], 1);
    let torn = check(&two_threads(&hit(3, "lower", 2), ""));
    assert!(
        torn.findings[0].text.ends_with("torn, a mixture of what events 5 and 6 stored"),
        "{torn:?}"
    );
    assert_eq!(torn.findings[0].thread, Some(1));
}

#[test]
fn findings_that_share_something_are_one_group() {
    let program = Program { first: true, mates: Mates::Node, ..Program::default() };
    let groups = (0..40).flat_map(|seed| check(&program.traced(seed, "any depth")).groups);
    assert!(groups.into_iter().any(|group| group.check == "depth-short" && group.count > 1));
    let node = |event: u32, side: &str, value: i32| {
        format!(
            "{{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":0,\"k\":\"{event}\",\"s\":\"{side}\"}}\n{{\"e\":\"hit\",\"v\":{value},\"t\":\"exact\",\"d\":0}}\n{{\"e\":\"out\",\"v\":{value}}}\n"
        )
    };
    let put = |event: u32| {
        format!(
            "{{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":0,\"k\":\"{event}\",\"s\":\"w\"}}\n{{\"e\":\"put\",\"v\":4,\"t\":\"exact\",\"d\":0}}\n{{\"e\":\"out\",\"v\":4}}\n"
        )
    };
    let text =
        format!("{{\"plytrace\":1}}\n{}{}{}{}", put(1), put(2), node(1, "b", -4), node(2, "b", -4));
    let groups = check(&text).groups;
    let [group] = groups.as_slice() else { panic!("{groups:?}") };
    assert_eq!(
        (group.check, group.count, group.event, group.other),
        ("hit-differs", 2, 7, Some(1))
    );
    assert_eq!(group.hint, Some("look where values are read"));
    assert_eq!(group.shared["side"], "Black");
}

#[test]
fn a_pruned_move_has_the_reason_that_the_program_gives() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let text = "{\"plytrace\":1}\n{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":1}\n\
        {\"e\":\"skip\",\"m\":\"x\",\"r\":\"see\"}\n{\"e\":\"skip\",\"r\":\"lmp\"}\n{\"e\":\"out\",\"v\":1}\n";
    std::fs::write(file.path(), text).unwrap();
    let mut shell = Shell::default();
    let mut reply = |line: &str| shell.look_up(line).unwrap().text();
    reply(&format!("trace open {}", file.path().display()));
    assert!(reply("goto 1").contains("x is not searched: see."));
    assert!(reply("step").contains("The other moves are not searched: lmp."));
}

/// A window outside the parent's is a finding whose text names the cause where the trace shows it.
#[test]
fn a_wide_window_has_its_cause() {
    for (game, mv) in [("chess", "e2e4"), ("morris", "d7"), ("none", "x")] {
        let header = format!(",\"game\":\"{game}\"");
        let node = |alpha: i32, beta: i32, kind: &str| {
            format!("in\",\"a\":{alpha},\"b\":{beta},\"d\":1,\"m\":\"{mv}\"{kind}")
        };
        let cause = |second: &str| {
            let first = node(-1, 0, "");
            let lines = [r#"in","a":-10,"b":20,"d":2"#, &first, r#"out","v":0"#, second];
            let findings = check(&trace_of(&header, &lines)).findings;
            let wide = findings.into_iter().find(|finding| finding.check == "window-child");
            wide.map(|wide| wide.words().rsplit_once("20").unwrap().1.to_owned())
        };
        assert_eq!(cause(&node(-20, 10, "")), None, "{game}");
        assert_eq!(cause(&node(-90, 10, "")).as_deref(), Some(": a re-search"), "{game}");
        assert_eq!(
            cause(&node(-10, 20, "")).as_deref(),
            Some(": passed on without turning α and β"),
            "{game}"
        );
        let other = node(-90, 10, "").replace(mv, "other");
        assert_eq!(cause(&other).as_deref(), Some(""), "{game}");
    }
}

#[test]
fn the_cause_of_most_findings_is_named() {
    let node = |key: u32, value: i32| {
        format!(
            "{{\"e\":\"in\",\"a\":-1,\"b\":0,\"d\":1,\"k\":\"{key}\"}}\n{{\"e\":\"in\",\"a\":0,\"b\":1,\"d\":0,\"m\":\"x\"}}\n\
             {{\"e\":\"out\",\"v\":{}}}\n{{\"e\":\"put\",\"v\":{value},\"t\":\"exact\",\"d\":1,\"k\":\"{key}\"}}\n\
             {{\"e\":\"out\",\"v\":{value}}}\n",
            -value
        )
    };
    let head = "{\"plytrace\":1}\n".to_owned();
    let diagnosis = |values: &[i32]| {
        let nodes = (1..).zip(values).map(|(key, value)| node(key, *value));
        check(&nodes.fold(head.clone(), |text, node| text + &node)).diagnosis
    };
    let most = diagnosis(&[5, 7, -5]).unwrap();
    let cause = "2 of 3 findings: `exact` is stored where only a lower bound is known (value ≥ β)";
    assert!(most.starts_with(cause), "{most}");
    assert_eq!(diagnosis(&[5, -5]), None, "no cause has more than half");
    assert_eq!(diagnosis(&[]), None);
}

#[test]
fn the_guide_has_the_usual_causes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = std::fs::read_to_string(folder.join("sessions/attach.md")).unwrap();
    let causes = CHECKS.iter().map(|(.., cause)| cause);
    for cause in causes.chain(CAUSES.iter().map(|(.., cause)| cause)) {
        assert!(guide.contains(cause), "{cause}");
    }
    let code = std::fs::read_to_string(folder.join("src/engine/trace/check.rs")).unwrap();
    for (check, words, _) in CAUSES {
        assert!(CHECKS.iter().any(|(name, ..)| *name == check) && !words.is_empty(), "{check}");
        assert!(words.iter().all(|word| code.contains(word)), "no text has all of {words:?}");
    }
}
