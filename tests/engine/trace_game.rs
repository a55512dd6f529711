//! Traces opened as games: our own searches are replayed event for event, other programs' searches forwards, backwards
//! and while they run.

use std::{
    fs,
    io::{Read as _, Seek as _, Write as _},
    path::Path,
    process::{Command, Stdio},
    sync::atomic::AtomicBool,
    thread,
    time::Duration,
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use plyscope::{
    command::Shell,
    engine::{
        chess::Chess,
        game::{Game, Rules, Score, TraceAccess, Weights},
        morris::Morris,
        rulebook,
        search::{Context, Event, EventKind, Limits, NoWatcher, Plan, Search, Stop, Watcher},
        searcher::{RunLimits, Searcher},
        settings::Settings,
        table::Policy,
        trace::{TraceGame, TraceWriter, pack},
    },
};
use proptest::{prelude::*, sample::select};
use serde_json::Value;

use crate::common::{cases::cases, roots::root};

/// An event of a search or of a trace: kind, line of moves, depth of the node, value from the child's view.
type TracedEvent = (&'static str, Vec<String>, u8, Option<Score>);

struct TracedEvents(Vec<TracedEvent>);

impl TracedEvents {
    fn note<G: Game>(&mut self, game: &G, event: &Event, search: &Search<G>) {
        let frames = search.frames();
        let named = |frame| search.current_move(frame);
        let made = frames[..frames.len() - 1].iter();
        let mut line: Vec<_> =
            made.map(|frame| game.format_move(&frame.position, named(frame).unwrap())).collect();
        let below = event.value.map(|value| value.child(game));
        let name = match event.kind {
            EventKind::Descend if event.ply > 0 => "in",
            EventKind::Hit | EventKind::Invalid => "hit",
            EventKind::Miss => "miss",
            EventKind::Leaf | EventKind::StandPat | EventKind::Captures | EventKind::Static => {
                "eval"
            }
            EventKind::Prune => "skip",
            EventKind::Store => "put",
            EventKind::Return | EventKind::Raise | EventKind::Research => "out",
            EventKind::Cutoff => "cut",
            _ => return,
        };
        let value = match name {
            "out" => below,
            "put" | "eval" => event.value,
            _ => None,
        };
        if name == "cut" && !G::IS_TRACE {
            // In a trace these are two events: the value comes back, then the cutoff.
            self.0.push(("out", line.clone(), event.depth, below));
        }
        if name == "skip" {
            line.push(game.format_move(
                &frames.last().unwrap().position,
                named(frames.last().unwrap()).unwrap(),
            ));
        }
        self.0.push((name, line, event.depth, value));
    }
}

/// Stops at every event.
struct EachEvent(Option<Event>);

impl<S> Watcher<S> for EachEvent {
    fn see(&mut self, event: &Event, _: &S) -> bool {
        self.0 = Some(*event);
        true
    }
}

/// All events of a search, from its beginning to its end.
fn run<G: Game>(
    searcher: &mut Searcher<G>,
    (mut search, evaluator): (Search<G>, G::Evaluator),
    mut see: impl FnMut(&Event, &Search<G>, &Searcher<G>),
) -> Vec<TracedEvent> {
    let (mut traced, never) = (TracedEvents(Vec::new()), AtomicBool::new(false));
    loop {
        let mut each = EachEvent(None);
        let context =
            Context { game: &searcher.game, evaluator: &evaluator, mode: searcher.settings.mode() };
        let stop =
            search.drive(&context, &mut searcher.table, &mut each, &RunLimits::new(&never, None));
        if let Some(event) = each.0 {
            traced.note(&searcher.game, &event, &search);
            see(&event, &search, searcher);
        }
        if stop != Stop::Watched {
            return traced.0;
        }
    }
}

fn settings(pairs: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in pairs {
        settings.set(name, value).unwrap();
    }
    settings
}

/// The events of a search and of its trace, and the entries of both tables.
fn both<G: Game + Default>(
    root: &str,
    pairs: &[(&str, &str)],
) -> Option<[(Vec<TracedEvent>, Vec<String>); 2]> {
    let settings = settings(pairs);
    let game = G::default();
    let position = game.parse_position(root).ok()?;
    let mut own = Searcher::new(&game, &settings, &game.default_weights()).ok()?;
    let limits = Limits { last: 4, ..settings.limits() };
    let begun =
        own.search((&position, &G::History::default()), |_| Plan::Best(limits), Some(600)).ok()?;
    let mut text = Vec::new();
    let mut writer =
        TraceWriter::begin(&game, settings.mode(), &begun.0, false, &mut text).unwrap();
    let traced = run(&mut own, begun, |event, search, searcher| {
        writer.write(event, search, &searcher.table).unwrap();
    });
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), &text).unwrap();
    let shell = Shell::default();
    let rules = |name: &str| rulebook(shell.session(), name);
    let trace = TraceGame::open(file.path(), false, &AtomicBool::new(false), rules).unwrap();
    let settings_of_trace = self::settings(&[("memo", "bound"), ("max_size", "off")]);
    let mut again = Searcher::new(&trace, &settings_of_trace, &Weights::new([])).unwrap();
    let plan = |window| Plan::Value { depth: 0, window };
    let begun = again.search((&trace.start(), &()), plan, None).unwrap();
    let replayed = run(&mut again, begun, |_, _, _| ());
    Some([(traced, entries(&own)), (replayed, entries(&again))])
}

fn entries<G: Game>(searcher: &Searcher<G>) -> Vec<String> {
    let written = searcher.table.entries().iter().map(|(at, entry)| {
        let key = searcher.game.format_key(at.key);
        // Where history matters, a trace has the position before the key. A trace does not have a zero's sign.
        let key = key.split_once('@').map_or(key.as_str(), |(_, key)| key);
        format!("{key} {:?} {:?} {:?}", entry.depth, entry.bound, entry.value.get() + 0.0)
    });
    written.collect()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn the_trace_of_our_search_replays_its_events(
        root in root(),
        algorithm in select(vec!["minimax", "alphabeta", "pvs", "mtdf"]),
        policy in select(vec!["none", "interval", "bound"]),
        order in select(vec!["none", "killers+history", "memo", "static"]),
        selective in select(vec![("null", "off"), ("null", "1"), ("futility", "20"), ("quiescence", "on")]),
    ) {
        let policy = if algorithm == "mtdf" { "bound" } else { policy };
        let pairs = [("algorithm", algorithm), ("memo", policy), ("order", order)];
        let mut pairs = pairs.to_vec();
        let both = if root.contains('k') {
            pairs.push(selective);
            both::<Chess>(&root, &pairs)
        } else {
            both::<Morris>(&root, &pairs)
        };
        let Some([(own, table), (replayed, table_again)]) = both else {
            return Err(TestCaseError::reject("no such search"));
        };
        prop_assert_eq!(own.len(), replayed.len());
        for (place, (own, replayed)) in own.iter().zip(&replayed).enumerate() {
            prop_assert_eq!(own, replayed, "moment {}", place);
        }
        if policy == Policy::Bound.name() {
            prop_assert_eq!(table, table_again);
        } else {
            prop_assert_eq!(table.len(), table_again.len());
        }
    }
}

fn json(shell: &mut Shell, line: &str) -> Value {
    serde_json::to_value(&*shell.look_up(line).unwrap_or_else(|fault| panic!("{line}: {fault}")))
        .unwrap()
}

/// Stack, table and event of a trace's search.
fn state_at(shell: &mut Shell) -> [Value; 3] {
    assert!(shell.run_line("cache stats")[0].is_ok());
    ["where", "cache list --limit 1000", "print"].map(|line| {
        let mut answer = json(shell, line);
        if let Some(fields) = answer.as_object_mut() {
            fields.retain(|name, _| !name.contains("ms"));
        }
        answer
    })
}

#[test]
fn a_traces_events_are_the_same_from_both_directions() {
    let home = tempfile::tempdir().unwrap();
    for game in ["morris", "chess"] {
        let path = home.path().join(game);
        let path = path.to_str().unwrap();
        let mut shell = Shell::default();
        json(&mut shell, &format!("game {game}"));
        json(&mut shell, "search set algorithm=pvs memo=bound");
        json(&mut shell, &format!("trace record {path} --depth 3 --budget 700"));
        let opened = json(&mut shell, &format!("trace open {path}"));
        let events = opened["events"].as_u64().unwrap();
        assert!(events > 300, "{events}");
        let mut forwards = Vec::new();
        for event in (0..events).step_by(37) {
            json(&mut shell, &format!("goto {event}"));
            forwards.push((event, state_at(&mut shell)));
        }
        let packed = home.path().join(format!("{game}.gz"));
        let file = fs::File::open(path).unwrap();
        let trace = TraceGame::of_file(file, |game| rulebook(shell.session(), game)).unwrap();
        pack(&trace, 50, fs::File::create(&packed).unwrap(), &mut || Ok(())).unwrap();
        let mut direct = Shell::default();
        json(&mut direct, &format!("trace open {}", packed.display()));
        let places = forwards.len();
        for (way, shell) in [&mut shell, &mut direct].into_iter().enumerate() {
            for nth in 0..places {
                let (event, expected) = &forwards[nth * 7 % places];
                json(shell, &format!("goto {event}"));
                assert_eq!(&state_at(shell), expected, "{game} event {event}, {way}");
            }
            for verb in ["back 5", "back next", "back finish", "back until store"] {
                let reached = json(shell, verb)["event"]["index"].as_u64();
                if let Some(reached) = reached {
                    let expected = state_at(shell);
                    json(shell, "goto 0");
                    json(shell, &format!("goto {reached}"));
                    assert_eq!(state_at(shell), expected, "{game} {verb}, {way}");
                }
            }
        }
        // A part of a table must not be shown as the whole.
        json(&mut direct, "goto 0");
        let jump = json(&mut direct, &format!("goto {}", events - 1));
        assert!(jump["notes"][0].as_str().unwrap().contains("the cache is read by"), "{jump}");
        let fault = direct.look_up("cache list").err().unwrap();
        assert!(fault.message.contains("have not been read"), "{fault}");
        assert!(direct.run_line("cache stats")[0].is_ok());
        assert_eq!(state_at(&mut direct), {
            json(&mut shell, &format!("goto {}", events - 1));
            state_at(&mut shell)
        });
    }
}

const HEAD: &str = "{\"plytrace\":1,\"program\":\"toy 1\"}\n";

/// A small trace by hand: a move's value causes a cutoff, an entry is overwritten, and there are fields of the
/// program's own.
const TOY: &str = r#"{"e":"iter","d":2}
{"e":"in","a":-9,"b":9,"d":2,"k":"r","style":"open"}
{"e":"in","a":-9,"b":9,"d":1,"m":"x","k":"1","lmp":1}
{"e":"put","v":3,"t":"exact","d":1}
{"e":"out","v":3}
{"e":"in","a":-9,"b":3,"d":1,"m":"y","k":"2","lmp":2}
{"e":"hit","v":-5,"t":"lower","d":4,"u":false}
{"e":"put","v":4,"t":"upper","d":1,"k":"1"}
{"e":"mine","temperature":0.5}
{"e":"cut"}
{"e":"out","v":5}
{"e":"drop","k":"1"}
{"e":"out","v":-3}
"#;

fn opened(text: &str, flags: &str) -> (Shell, tempfile::NamedTempFile) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let mut shell = Shell::default();
    json(&mut shell, &format!("trace open {} {flags}", file.path().display()));
    (shell, file)
}

#[test]
fn a_trace_of_another_program_can_be_stepped_watched_and_inspected() {
    let (mut shell, _file) = opened(&[HEAD, TOY].concat(), "");
    let event = |shell: &mut Shell, line: &str| json(shell, line)["event"]["index"].as_u64();
    assert_eq!(event(&mut shell, "step"), Some(0));
    assert_eq!(event(&mut shell, "until raise"), Some(4));
    let root = &json(&mut shell, "where")["frames"][0];
    assert_eq!((&root["best"], &root["best_move"]), (&Value::from(-3.0), &Value::from("x")));
    json(&mut shell, "break if lmp >= 2");
    json(&mut shell, "watch 1");
    assert_eq!(event(&mut shell, "continue"), Some(5));
    assert_eq!(json(&mut shell, "print lmp")["lmp"], Value::from(2));
    let stop = json(&mut shell, "continue");
    assert_eq!(stop["event"]["index"], Value::from(7));
    assert_eq!(stop["watch"]["entry"]["value"], Value::from(4.0));
    assert_eq!(
        json(&mut shell, "print lmp")["lmp"],
        Value::from(2),
        "it lasts while the node is open"
    );
    assert_eq!(event(&mut shell, "last 1"), Some(7));
    assert_eq!(event(&mut shell, "step"), Some(8));
    assert_eq!(json(&mut shell, "print temperature")["temperature"], Value::from(0.5));
    assert_eq!(event(&mut shell, "back continue"), Some(7));
    assert_eq!(event(&mut shell, "last 1"), Some(7));
    assert_eq!(json(&mut shell, "cache list")["entries"].as_array().map(Vec::len), Some(1));
    json(&mut shell, "delete all");
    let end = json(&mut shell, "continue");
    assert_eq!((&end["stopped"], &end["done"]), (&Value::from("end"), &Value::from(true)));
    assert_eq!(json(&mut shell, "cache list")["entries"].as_array().map(Vec::len), Some(0));
    assert_eq!(event(&mut shell, "last 1"), Some(7), "to remove is not to write");
    let tree = json(&mut shell, "explain tree");
    let nodes = tree["nodes"].as_array().unwrap();
    let named: Vec<_> = nodes.iter().map(|node| node["moves"][0].clone()).collect();
    assert_eq!(named, [Value::Null, "x".into(), "y".into()]);
    json(&mut shell, "tbreak line=\"y\"");
    assert_eq!(event(&mut shell, "back continue"), Some(5));
    json(&mut shell, "break if style == open");
    assert_eq!(event(&mut shell, "back continue"), Some(1));
    for refused in [
        "play x",
        "cache set 1 value=2",
        "fork",
        "frame set alpha=1",
        "search run",
        "session save s.ron",
    ] {
        let fault = shell.look_up(refused).err().unwrap();
        assert!(fault.message.ends_with("does not work on a trace"), "{refused}: {fault}");
    }
    json(&mut shell, "trace close");
    json(&mut shell, "play d6");
}

/// The same search with values from the first player's view is replayed alike.
#[test]
fn values_are_those_of_the_side_to_move() {
    let first = [
        "{\"plytrace\":1,\"view\":\"first\"}\n",
        "{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":1}\n",
        "{\"e\":\"in\",\"a\":-9,\"b\":4,\"d\":0,\"m\":\"x\"}\n",
        "{\"e\":\"eval\",\"v\":2}\n{\"e\":\"out\",\"v\":2}\n{\"e\":\"out\",\"v\":2}\n",
    ];
    let (mut shell, _file) = opened(&first.concat(), "");
    let stop = json(&mut shell, "until leaf");
    assert_eq!(stop["event"]["value"], Value::from(-2.0));
    let child = &json(&mut shell, "where")["frames"][1];
    assert_eq!((&child["alpha"], &child["beta"]), (&Value::from(-4.0), &Value::from(9.0)));
    assert_eq!(json(&mut shell, "step")["event"]["value"], Value::from(2.0));
    assert_eq!(json(&mut shell, "step")["event"]["value"], Value::from(2.0));
}

#[test]
fn the_largest_numbers_are_open_windows() {
    let text = "{\"plytrace\":1}\n{\"e\":\"in\",\"a\":-1e300,\"b\":1e300,\"d\":1}\n{\"e\":\"out\",\"v\":1e299}\n";
    let (mut shell, _file) = opened(text, "");
    let seen = json(&mut shell, "step");
    let window = (&seen["event"]["alpha"], &seen["event"]["beta"]);
    assert_eq!(window, (&Value::from("-inf"), &Value::from("inf")));
    let returned = json(&mut shell, "finish");
    assert_eq!(returned["event"]["value"], 1e299, "{returned}");
}

#[test]
fn the_root_of_a_trace_has_the_full_window_and_moves_are_read_as_in_the_game() {
    let home = tempfile::tempdir().unwrap();
    for (game, mv, san) in [("morris", "a1", None), ("chess", "g1f3", Some("Nf3"))] {
        let path = home.path().join(game);
        let mut shell = Shell::default();
        for line in [
            format!("game {game}"),
            format!("trace record {} --depth 2", path.display()),
            format!("trace open {}", path.display()),
            format!("break line={mv}"),
            "continue".to_owned(),
        ] {
            json(&mut shell, &line);
        }
        let root = &json(&mut shell, "where")["frames"][0];
        let by = |end: usize| root["sources"][end]["by"].as_str().unwrap();
        assert_eq!((by(1), root["san"].as_str()), ("search", san), "{root}");
        let text =
            plyscope::view::response(shell.run_line("where").last().unwrap().as_ref().unwrap());
        assert!(text.contains("+∞") && text.contains(san.unwrap_or(mv)), "{text}");
    }
}

#[test]
fn at_a_finding_the_explanation_begins_with_it() {
    let lines = [
        r#"{"plytrace":1}"#,
        r#"{"e":"in","a":-9,"b":9,"d":2,"k":"r"}"#,
        r#"{"e":"in","a":-9,"b":9,"d":1,"m":"x","k":"1"}"#,
        r#"{"e":"eval","v":3}"#,
        r#"{"e":"put","v":3,"t":"exact","d":1}"#,
        r#"{"e":"out","v":3}"#,
        r#"{"e":"in","a":-9,"b":3,"d":1,"m":"y","k":"1"}"#,
        r#"{"e":"hit","v":5,"t":"exact","d":1,"u":true}"#,
        r#"{"e":"out","v":5}"#,
        r#"{"e":"out","v":-3}"#,
    ];
    let (mut shell, _file) = opened(&(lines.join("\n") + "\n"), "");
    let found = json(&mut shell, "trace findings");
    let finding = &found["findings"][0];
    assert_eq!(finding["check"], "hit-differs", "{found}");
    json(&mut shell, &format!("goto {}", finding["event"]));
    let why = json(&mut shell, "explain")["why"].clone();
    assert_eq!(finding["text"], "5 came back, stored was 3 (exact depth 1)");
    let begin = "Error: +5 came back, stored was +3 (exact depth 1).";
    assert!(why.as_str().unwrap().starts_with(begin), "{why}");
    json(&mut shell, "goto 1");
    assert!(!json(&mut shell, "explain")["why"].as_str().unwrap().contains("Error"));
}

#[test]
fn unreadable_traces_are_refused_or_lines_skipped() {
    let refused = |text: &[u8], flags: &str| {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let mut shell = Shell::default();
        let opened = shell.look_up(&format!("trace open {} {flags}", file.path().display()));
        opened.err().map(|fault| fault.to_string()).unwrap_or_default()
    };
    let cut = [HEAD, TOY, "{\"e\":\"in\",\"a\":"].concat();
    assert!(refused(b"", "").contains("the trace is empty"));
    assert!(refused(b"{\"plytrace\":7}\n", "").contains("line 1: the trace has version 7"));
    assert!(
        refused(cut.as_bytes(), "")
            .contains("line 15 is cut off; `trace open FILE --salvage` reads")
    );
    let bytes = [HEAD.as_bytes(), b"{\"e\":\"note\",\"x\":\"\xff\"}\n"].concat();
    assert!(refused(&bytes, "").contains("line 2 is not UTF-8"));
    let long = [HEAD, &"x".repeat(2 << 20)].concat();
    assert!(refused(long.as_bytes(), "").contains("line 2 is longer than"));
    let (mut shell, _file) = opened(&cut, "--salvage");
    let end = json(&mut shell, "continue");
    assert_eq!(end["event"]["index"], Value::from(12));
    assert!(end["notes"][0].as_str().unwrap().contains("line 15 is cut off"), "{end}");
    assert_eq!(end["event"]["told"].as_str(), TOY.lines().last());
    assert_eq!(json(&mut shell, "back 3")["event"]["index"], Value::from(9));
    let torn = [HEAD, TOY, "garbage {\n", TOY].concat();
    let fault = refused(torn.as_bytes(), "");
    let rest = "; the 13 lines after it are not read";
    assert!(fault.contains("line 15 is not an event") && fault.contains(rest), "{fault}");
    let (mut shell, file) = opened(&torn, "--salvage");
    let end = json(&mut shell, "continue");
    assert_eq!(end["event"]["told"].as_str(), TOY.lines().last());
    assert!(end["notes"][0].as_str().unwrap().contains(rest), "{end}");
    assert_eq!(json(&mut shell, "back 3")["event"]["told"].as_str(), TOY.lines().nth(9));
    let check = format!("trace check {} --salvage", file.path().display());
    assert!(json(&mut shell, &check)["unread"].as_str().unwrap().ends_with(rest));
    // The rest of a long trace is not read only to count its lines.
    let torn = [HEAD, TOY, "garbage {\n", &"{}\n".repeat(150_000)].concat();
    let fault = refused(torn.as_bytes(), "");
    assert!(fault.contains("; at least 100,000 lines after it are not read"), "{fault}");
    let never_returned =
        HEAD.to_owned() + &"{\"e\":\"in\",\"a\":-1,\"b\":1,\"d\":1,\"m\":\"x\"}\n".repeat(9_000);
    let (mut shell, _file) = opened(&never_returned, "");
    let end = json(&mut shell, "continue");
    assert_eq!(end["event"]["ply"], Value::from(4096));
    assert!(end["notes"][0].as_str().unwrap().contains("nested 4096 plies deep"), "{end}");
    assert_eq!(json(&mut shell, "back 7")["event"]["ply"], Value::from(4089));
    json(&mut shell, "break line=\"x x x *\"");
    json(&mut shell, "back continue");
    json(&mut shell, "trace close");
    // Events that are not nested correctly are replayed nevertheless.
    let odd = [
        HEAD,
        "{\"e\":\"out\",\"v\":1}\n{\"e\":\"hit\",\"v\":1,\"t\":\"exact\",\"d\":1}\n",
        TOY,
        TOY,
    ]
    .concat();
    let (mut shell, _file) = opened(&odd, "");
    assert_eq!(json(&mut shell, "continue")["event"]["index"], Value::from(27));
    for event in 0..28 {
        assert_eq!(
            json(&mut shell, &format!("goto {event}"))["event"]["index"],
            Value::from(event)
        );
        json(&mut shell, "where");
        let _ = shell.look_up("explain tree");
        let _ = shell.look_up("explain cutoff");
    }
    let none = [
        HEAD,
        "{\"e\":\"cut\"}\n{\"e\":\"put\",\"v\":1,\"t\":\"exact\",\"d\":1}\n{\"e\":\"skip\",\"r\":\"x\"}\n",
    ];
    let (mut shell, _file) = opened(&none.concat(), "");
    assert_eq!(json(&mut shell, "continue")["event"]["kind"], Value::from("note"));
}

#[test]
fn a_packed_trace_opens_as_the_same_trace() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let mut shell = Shell::default();
    json(&mut shell, "game chess");
    json(&mut shell, &format!("trace record {} --depth 4 --budget 20000", path("own")));
    json(&mut shell, &format!("trace pack {} {}", path("own"), path("packed")));
    json(&mut shell, &format!("trace unpack {} {}", path("packed"), path("again")));
    let own = fs::read(path("own")).unwrap();
    let packed = fs::read(path("packed")).unwrap();
    assert!(own.len() > 2 << 20, "several blocks");
    assert!(fs::read(path("again")).unwrap() == own);
    let checked = ["own", "packed"].map(|name| {
        let mut found = json(&mut shell, &format!("trace check {}", path(name)));
        found["file"] = Value::Null;
        found
    });
    assert_eq!(checked[0], checked[1]);
    let events = checked[0]["events"].as_u64().unwrap();
    assert!((packed.len() as u64) < 8 * events);
    let file = fs::File::open(path("own")).unwrap();
    let trace = TraceGame::of_file(file, |game| rulebook(shell.session(), game)).unwrap();
    let mut out = fs::File::create(path("landmarks")).unwrap();
    pack(&trace, 1000, &mut out, &mut || Ok(())).unwrap();
    let mut shells = ["own", "packed", "landmarks"].map(|name| {
        let mut shell = Shell::default();
        let opened = json(&mut shell, &format!("trace open {}", path(name)));
        assert_eq!(opened["events"].as_u64(), Some(events));
        // Without a file, the open one is checked.
        assert_eq!(json(&mut shell, "trace check")["file"], Value::from(path(name)));
        shell
    });
    for event in [events - 1, 40_000, 40_003, 7, events / 2, 0] {
        let [own, packed, landmarks] = shells.each_mut().map(|shell| {
            json(shell, &format!("goto {event}"));
            state_at(shell)
        });
        assert_eq!(own, packed, "event {event}");
        assert_eq!(own, landmarks, "event {event}");
    }
    // Damage is reported, and the events before it can be used.
    let mut damaged = packed.clone();
    let late = packed.len() - 100;
    damaged[late] ^= 0x55;
    fs::write(path("damaged"), &damaged).unwrap();
    let fault = shell.look_up(&format!("trace check {}", path("damaged"))).err().unwrap();
    assert!(fault.message.contains("cannot be read"), "{fault}");
    json(&mut shell, &format!("trace open {}", path("damaged")));
    let end = json(&mut shell, "continue");
    assert!(end["event"]["index"].as_u64() > Some(1000), "{end}");
    assert!(end["notes"][0].as_str().unwrap().contains("can be read up to here"), "{end}");
    for cut in [1, 20, 200, packed.len() - 2] {
        fs::write(path("cut"), &packed[..packed.len() - cut]).unwrap();
        let fault = shell.look_up(&format!("trace open {}", path("cut"))).err();
        assert!(fault.is_some_and(|fault| fault.message.contains("block")), "{cut}");
    }
}

/// The search of a trace and its last event, without remains of earlier nodes.
fn state(search: &Search<TraceGame>) -> Value {
    let mut state = serde_json::to_value(search).unwrap();
    state["pv_table"] = format!("{:?}", search.line()).into();
    for field in ["value", "returned", "before"] {
        state[field] = Value::Null;
    }
    state["last"] = format!("{:?}", search.describe()).into();
    state
}

/// At each landmark of a trace, and thirty events later, a search restored from it equals the replayed one.
fn landmarks_lead_to_the_same(text: &[u8]) -> Result<(), TestCaseError> {
    let [mut own, mut packed] = [(); 2].map(|()| tempfile::tempfile().unwrap());
    own.write_all(text).unwrap();
    own.rewind().unwrap();
    let shell = Shell::default();
    let rules = |name: &str| rulebook(shell.session(), name);
    pack(&TraceGame::of_file(own, rules).unwrap(), 7, &mut packed, &mut || Ok(())).unwrap();
    packed.rewind().unwrap();
    let trace = TraceGame::of_file(packed, rules).unwrap();
    let settings = settings(&[("memo", "none")]);
    let mut searcher = Searcher::new(&trace, &settings, &Weights::new([])).unwrap();
    let plan = |window| Plan::Value { depth: 0, window };
    let begin = searcher.search((&trace.start(), &()), plan, None).unwrap();
    let mut states = vec![state(&begin.0)];
    run(&mut searcher, begin.clone(), |_, search, _| states.push(state(search)));
    let mut landmarks = 0;
    for to in 0..states.len() {
        let jumped = trace.jump(&begin.0, [0, to as u64]);
        let Some(mut search) = jumped.filter(|search| search.events() == to as u64) else {
            continue;
        };
        landmarks += 1;
        // Beyond the next landmark.
        let end = search.events() + 30;
        let mut again = vec![state(&search)];
        let context = Context { game: &trace, evaluator: &(), mode: settings.mode() };
        while search.events() < end {
            let never = AtomicBool::new(false);
            let limits = RunLimits { until: search.events() + 1, ..RunLimits::new(&never, None) };
            if search.drive(&context, &mut searcher.table, &mut NoWatcher, &limits) != Stop::Limit {
                break;
            }
            again.push(state(&search));
        }
        for (run, again) in states[to..].iter().zip(&again) {
            for (name, run) in run.as_object().unwrap() {
                prop_assert_eq!(run, &again[name], "{}", name);
            }
        }
    }
    prop_assert!(landmarks > 0 || states.len() < 30, "{} states", states.len());
    Ok(())
}

/// Malformed landmarks, in a file with correct check sums, are ignored.
#[test]
fn malformed_landmarks_are_ignored() {
    let member = |landmark: Option<&str>, lines: &str, events: u32| {
        let packed = |text: &str| {
            let mut packing = GzEncoder::new(Vec::new(), Compression::default());
            packing.write_all(text.as_bytes()).unwrap();
            packing.finish().unwrap()
        };
        let extra = landmark.map_or(Vec::new(), |landmark| {
            let landmark = packed(landmark);
            [b"PL", &(landmark.len() as u16).to_le_bytes()[..], &landmark].concat()
        });
        let deflated = packed(lines).split_off(10);
        let length = 10 + 2 + 16 + extra.len() + deflated.len();
        let numbers = [length as u32, lines.len() as u32, events].map(u32::to_le_bytes).concat();
        let head = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255];
        let size = (16 + extra.len() as u16).to_le_bytes();
        [&head[..], &size, b"PT", &[12, 0], &numbers, &extra, &deflated].concat()
    };
    let head = r#"{"counters":{"nodes":1,"hits":0,"invalid":0,"misses":0,"stores":0,"cutoffs":0,"leaves":0},"iterations":[]}"#;
    let entered = r#"{"e":"in","a":-9,"b":9,"d":2,"k":"r"}"#;
    for landmark in [
        format!("{head}\n2 {entered}"),
        format!("{head}\n18446744073709551615 {entered}"),
        format!("{head}\n1 {{\"e\":\"in\""),
        format!("{head}\nx {entered}"),
        format!("{head} {entered}"),
        String::new(),
    ] {
        let file = tempfile::NamedTempFile::new().unwrap();
        let members = [
            member(None, HEAD, 0),
            member(
                None,
                &TOY.lines().take(3).fold(String::new(), |all, line| all + line + "\n"),
                3,
            ),
            member(Some(&landmark), "", 0),
            member(
                None,
                &TOY.lines().skip(3).fold(String::new(), |all, line| all + line + "\n"),
                10,
            ),
        ];
        fs::write(file.path(), members.concat()).unwrap();
        let mut shell = Shell::default();
        json(&mut shell, &format!("trace open {}", file.path().display()));
        json(&mut shell, "goto 7");
        let frames = json(&mut shell, "where")["frames"].as_array().map(Vec::len);
        assert_eq!(frames, Some(2), "{landmark}");
        let cut = member(Some(&landmark), "", 0);
        fs::write(file.path(), &cut[..cut.len() - 1]).unwrap();
        let fault = shell.look_up(&format!("trace open {}", file.path().display())).err();
        assert!(fault.unwrap().message.contains("block 0 of the packed trace"));
    }
}

/// The program's own fields of open nodes are known after a jump too.
#[test]
fn a_landmark_has_the_programs_fields_of_open_nodes() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), [HEAD, TOY].concat()).unwrap();
    let trace = TraceGame::of_file(file.reopen().unwrap(), |_| None).unwrap();
    let packed = tempfile::NamedTempFile::new().unwrap();
    pack(&trace, 6, packed.reopen().unwrap(), &mut || Ok(())).unwrap();
    let mut shell = Shell::default();
    json(&mut shell, &format!("trace open {}", packed.path().display()));
    json(&mut shell, "goto 7");
    assert!(shell.session().lacks_entries());
    assert_eq!(json(&mut shell, "print lmp")["lmp"], Value::from(2));
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn a_search_restored_from_a_landmark_equals_the_replayed_one(
        root in root(),
        algorithm in select(vec!["minimax", "alphabeta", "pvs", "mtdf"]),
        selective in select(vec![("null", "off"), ("null", "1"), ("futility", "20"), ("quiescence", "on")]),
        depth in 1_u8..4,
    ) {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("trace");
        let mut shell = Shell::default();
        if root.contains('k') {
            json(&mut shell, "game chess");
            let _ = shell.look_up(&format!("search set {}={}", selective.0, selective.1));
        }
        json(&mut shell, &format!("position set {root}"));
        let set = shell.look_up(&format!("search set algorithm={algorithm} memo=bound"));
        prop_assume!(set.is_ok());
        let record = format!("trace record {} --depth {depth} --budget 150", path.display());
        prop_assume!(shell.look_up(&record).is_ok());
        landmarks_lead_to_the_same(&fs::read(path).unwrap())?;
    }
}

/// Every landmark of a long search that changes windows (by entries, PVS) is confirmed by the events since the one before it,
/// so that a jump to the end reads only the last events.
#[test]
fn every_landmark_of_a_long_search_is_used() {
    for (game, budget) in [("chess", 60_000), ("morris", 30_000)] {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("own");
        let mut shell = Shell::default();
        json(&mut shell, &format!("game {game}"));
        json(&mut shell, "search set memo=bound");
        json(&mut shell, "search set algorithm=pvs");
        json(&mut shell, &format!("trace record {} --depth 9 --budget {budget}", path.display()));
        let rules = |name: &str| rulebook(shell.session(), name);
        let trace = TraceGame::of_file(fs::File::open(&path).unwrap(), rules).unwrap();
        let mut packed = tempfile::tempfile().unwrap();
        pack(&trace, 2_000, &mut packed, &mut || Ok(())).unwrap();
        packed.rewind().unwrap();
        let trace = TraceGame::of_file(packed, rules).unwrap();
        let events = trace.event_count().unwrap();
        let settings = settings(&[("memo", "none")]);
        let searcher = Searcher::new(&trace, &settings, &Weights::new([])).unwrap();
        let plan = |window| Plan::Value { depth: 0, window };
        let (begin, ()) = searcher.search((&trace.start(), &()), plan, None).unwrap();
        for to in (20_000..events).step_by(2_000).chain([events]) {
            let jumped = trace.jump(&begin, [0, to]).map_or(0, |search| search.events());
            assert!(jumped + 4_000 > to, "{game}: to {to} by way of {jumped}");
        }
    }
}

#[test]
fn landmarks_work_with_several_searches_and_lines_between_them() {
    let root = |state: &str| format!("{{\"e\":\"root\",\"p\":\"{state}\"}}\n");
    let rows = [HEAD, TOY, &root("one"), TOY, TOY, "{\"e\":\"note\"}\n", &root("two"), TOY];
    landmarks_lead_to_the_same(rows.concat().as_bytes()).unwrap();
}

/// A trace is read while its program writes it: the debugger stops at a breakpoint and continues with further lines.
#[test]
fn a_program_is_followed_while_it_runs() {
    let commands = "trace open -; break if lmp == 2; continue; print lmp; delete all; continue";
    let mut debugger = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(["--json", "-c", commands])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = debugger.stdin.take().unwrap();
    let program = thread::spawn(move || {
        for line in [HEAD, TOY].concat().lines() {
            thread::sleep(Duration::from_millis(5));
            writeln!(pipe, "{line}").unwrap();
        }
    });
    let done = debugger.wait_with_output().unwrap();
    program.join().unwrap();
    let answers: Vec<Value> = String::from_utf8(done.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers[0]["events"], Value::Null);
    assert_eq!(answers[2]["event"]["index"], Value::from(5));
    assert_eq!(answers[3]["lmp"], Value::from(2));
    assert_eq!(answers[5]["event"]["index"], Value::from(12));
    assert_eq!(answers[5]["stopped"], Value::from("end"));
}

#[test]
fn a_file_is_followed_while_it_grows() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), HEAD).unwrap();
    let path = file.path().to_owned();
    let program = thread::spawn(move || {
        let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
        for part in TOY.as_bytes().chunks(7) {
            file.write_all(part).unwrap();
            thread::sleep(Duration::from_millis(1));
        }
    });
    let mut shell = Shell::default();
    json(&mut shell, &format!("trace open {} --follow", file.path().display()));
    assert_eq!(json(&mut shell, "until cutoff")["event"]["index"], Value::from(9));
    assert_eq!(json(&mut shell, "goto 12")["event"]["index"], Value::from(12));
    assert_eq!(json(&mut shell, "goto 3")["event"]["index"], Value::from(3));
    program.join().unwrap();
}

/// The sign defect of the first seed (D2) in a trace: a hit differs from the stored entry, and the event that stored it
/// is one command away.
#[test]
fn the_sign_defect_of_the_seed_is_reached_in_its_trace() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/emitters/seed_search.py");
    let home = tempfile::tempdir().unwrap();
    let (file, text) = plyscope::engine::trace::emitter("python").unwrap();
    fs::write(home.path().join(file), text).unwrap();
    let mut python = Command::new("python3");
    python.arg(&data).arg("defect").env("PYTHONPATH", home.path()).current_dir(home.path());
    if !python.output().is_ok_and(|done| done.status.success()) {
        eprintln!("python3 is not at hand");
        return;
    }
    let path = home.path().join("trace.jsonl");
    let mut shell = Shell::default();
    let checked = json(&mut shell, &format!("trace check {} --limit 1", path.display()));
    let finding = &checked["findings"][0];
    let (event, key) = (finding["event"].as_u64().unwrap(), finding["key"].as_str().unwrap());
    json(&mut shell, &format!("trace open {}", path.display()));
    let hit = json(&mut shell, &format!("goto {event}"));
    let wrote = json(&mut shell, &format!("last {key}"));
    assert!(hit["event"]["told"].as_str().unwrap().contains("\"hit\""), "{hit}");
    assert!(wrote["event"]["told"].as_str().unwrap().contains("\"put\""), "{wrote}");
    assert!(wrote["event"]["index"].as_u64() < Some(event));
}

/// Quiescence that begins at a leaf searches the same position: its value keeps the sign, and standing pat is no null move.
#[test]
fn a_quiescence_search_of_the_same_position_has_the_side_of_its_parent() {
    let events = r#"{"e":"in","a":-10,"b":10,"d":1,"k":"1"}
{"e":"in","a":-10,"b":10,"d":0,"m":"x","k":"2"}
{"e":"in","a":-10,"b":10,"d":0,"k":"2","t":"qs"}
{"e":"eval","v":12}
{"e":"cut","v":12}
{"e":"out","v":12}
{"e":"out","v":12}
{"e":"out","v":-12}
"#;
    let (mut shell, _file) = opened(&[HEAD, events].concat(), "");
    let stood = &json(&mut shell, "goto 4")["event"];
    assert_eq!((&stood["kind"], &stood["value"]), (&Value::from("stand-pat"), &Value::from(12.0)));
    assert_eq!(json(&mut shell, "explain cutoff")["by"], "stand-pat");
    let returned = &json(&mut shell, "step")["event"];
    assert_eq!((&returned["kind"], &returned["value"]), (&"return".into(), &Value::from(12.0)));
    assert_eq!(json(&mut shell, "step")["event"]["value"], Value::from(-12.0));
}

/// Stopping at every event, the time limit still applies.
#[test]
fn a_recording_ends_when_its_time_is_up() {
    let home = tempfile::tempdir().unwrap();
    for game in ["morris", "chess"] {
        let path = home.path().join(game);
        let mut shell = Shell::default();
        json(&mut shell, &format!("game {game}"));
        let record = format!("trace record {} --depth 20 --time 50", path.display());
        assert_eq!(json(&mut shell, &record)["stopped"], Value::from("time"));
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(text.lines().last(), Some(r#"{"e":"stop","r":"time"}"#));
    }
}

/// A packed trace with changed landmarks, its lengths and check sums corrected; and the number of changes.
fn with_landmarks(packed: &[u8], change: impl Fn(&str) -> String) -> (Vec<u8>, usize) {
    let number = |at: usize, size: usize| {
        packed[at..at + size].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte))
    };
    let (mut at, mut written, mut changed) = (0, Vec::new(), 0);
    while at < packed.len() {
        let length = number(at + 16, 4);
        let member = &packed[at..at + length];
        let field = number(at + 10, 2);
        if number(at + 20, 4) > 0 {
            written.extend(member);
        } else {
            let mut text = String::new();
            GzDecoder::new(&member[32..12 + field]).read_to_string(&mut text).unwrap();
            let other = change(&text);
            changed += usize::from(other != text);
            let mut packing = GzEncoder::new(Vec::new(), Compression::default());
            packing.write_all(other.as_bytes()).unwrap();
            let landmark = packing.finish().unwrap();
            let size = (20 + landmark.len() as u16).to_le_bytes();
            let all = (length - field + 20 + landmark.len()) as u32;
            let deflated = &member[12 + field..];
            let with_landmark = [&all.to_le_bytes()[..], &member[20..28], b"PL"].concat();
            let landmark = [&(landmark.len() as u16).to_le_bytes()[..], &landmark].concat();
            written.extend(
                [&member[..10], &size, &member[12..16], &with_landmark, &landmark, deflated]
                    .concat(),
            );
        }
        at += length;
    }
    (written, changed)
}

/// A text with the digits of a number reversed.
fn with_digits_turned(text: &str, name: &str) -> String {
    let (before, after) = text.split_once(name).unwrap();
    let digits = after.find(|sign: char| !sign.is_ascii_digit()).unwrap();
    let turned: String = after[..digits].chars().rev().collect();
    format!("{before}{name}1{turned}{}", &after[digits..])
}

/// A text with a number increased by 1000.
fn with_number_raised(text: &str, name: &str) -> String {
    let (before, after) = text.split_once(name).unwrap();
    let digits = after.find(|sign: char| !sign.is_ascii_digit()).unwrap();
    let raised = after[..digits].parse::<u64>().unwrap() + 1000;
    format!("{before}{name}{raised}{}", &after[digits..])
}

/// Landmarks whose counts, values or windows differ from the events are ignored, and `trace check` finds them.
#[test]
fn landmarks_with_wrong_values_are_ignored() {
    let home = tempfile::tempdir().unwrap();
    for game in ["morris", "chess"] {
        let [own, packed, wrong] =
            ["own", "packed", "wrong"].map(|name| home.path().join(format!("{game}-{name}")));
        let mut shell = Shell::default();
        json(&mut shell, &format!("game {game}"));
        json(&mut shell, "search set memo=bound");
        json(&mut shell, &format!("trace record {} --depth 3 --budget 400", own.display()));
        let rules = |game: &str| rulebook(shell.session(), game);
        let trace = TraceGame::of_file(fs::File::open(&own).unwrap(), rules).unwrap();
        pack(&trace, 50, fs::File::create(&packed).unwrap(), &mut || Ok(())).unwrap();
        let check = |shell: &mut Shell, path: &Path| {
            json(shell, &format!("trace check {}", path.display()))["counts"]["landmark"].clone()
        };
        assert_eq!(check(&mut shell, &packed), Value::Null);
        let mut unchanged = Shell::default();
        json(&mut unchanged, &format!("trace open {}", own.display()));
        let falsifications: [fn(&str) -> String; 5] = [
            |text| with_digits_turned(text, "\"nodes\":"),
            |text| text.replace("\"v\":", "\"v\":1"),
            |text| text.replace("\"d\":", "\"d\":1"),
            |text| text.lines().next().unwrap().to_owned(),
            // Each is consistent with the one before it.
            |text| with_number_raised(text, "\"nodes\":"),
        ];
        for (nth, falsify) in falsifications.into_iter().enumerate() {
            let (bytes, changed) = with_landmarks(&fs::read(&packed).unwrap(), falsify);
            assert!(changed > 1, "{game} {nth}");
            fs::write(&wrong, bytes).unwrap();
            assert_eq!(check(&mut shell, &wrong), changed, "{game} {nth}");
            let mut altered = Shell::default();
            let opened = json(&mut altered, &format!("trace open {}", wrong.display()));
            let events = opened["events"].as_u64().unwrap();
            let near = [420, 260, 90];
            let anywhere = [events - 2, events / 2, events - 40, 90];
            for event in if nth < 4 { anywhere.to_vec() } else { near.to_vec() } {
                for shell in [&mut unchanged, &mut altered] {
                    json(shell, &format!("goto {event}"));
                }
                assert_eq!(
                    json(&mut altered, "where"),
                    json(&mut unchanged, "where"),
                    "{game} {nth}"
                );
            }
        }
    }
}

/// A member whose stated length is much greater than its data can be is damaged: no memory is reserved for it.
#[test]
fn a_packed_member_with_an_impossible_length_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.gz");
    let numbers = [u32::MAX - 8, 300, 1].map(u32::to_le_bytes).concat();
    let head = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 16, 0];
    let file = fs::File::create(&path).unwrap();
    (&file).write_all(&[&head[..], b"PT", &[12, 0], &numbers].concat()).unwrap();
    // The file has that length without taking room on the disk: nothing is written there.
    file.set_len(u64::from(u32::MAX)).unwrap();
    for command in ["trace open", "trace check"] {
        let fault = Shell::default().look_up(&format!("{command} {}", path.display())).err();
        assert!(fault.unwrap().message.contains("block 0 of the packed trace"), "{command}");
    }
}

/// The lines of a packed trace have the numbers of the original file.
#[test]
fn lines_of_a_packed_trace_keep_their_numbers() {
    let home = tempfile::tempdir().unwrap();
    for game in ["morris", "chess"] {
        let [own, packed] = ["own", "packed"].map(|name| home.path().join(name));
        let mut shell = Shell::default();
        json(&mut shell, &format!("game {game}"));
        json(&mut shell, &format!("trace record {} --depth 2", own.display()));
        let text = fs::read_to_string(&own).unwrap();
        let lines: Vec<_> = text.lines().collect();
        for wrong in [1, lines.len() / 2, lines.len() - 1] {
            let mut lines = lines.clone();
            lines.insert(wrong, "{\"e\":\"out\"}");
            let head = format!("{}\n", lines[0]);
            let halves = [&lines[1..lines.len() / 2], &lines[lines.len() / 2..]];
            let halves = halves.map(|half| (half.join("\n") + "\n", half.len() as u32));
            let bytes: Vec<u8> = std::iter::once(&(head, 0))
                .chain(&halves)
                .flat_map(|(text, events)| {
                    let mut packing = GzEncoder::new(Vec::new(), Compression::default());
                    packing.write_all(text.as_bytes()).unwrap();
                    let deflated = packing.finish().unwrap().split_off(10);
                    let length = (28 + deflated.len()) as u32;
                    let numbers =
                        [length, text.len() as u32, *events].map(u32::to_le_bytes).concat();
                    let head = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 16, 0];
                    [&head[..], b"PT", &[12, 0], &numbers, &deflated].concat()
                })
                .collect();
            fs::write(&packed, bytes).unwrap();
            fs::write(&own, lines.join("\n")).unwrap();
            let there = shell.look_up(&format!("trace check {}", own.display())).err().unwrap();
            assert!(there.message.contains(&format!("line {}", wrong + 1)), "{}", there.message);
            // Read from the beginning, and jumped to.
            let mut stepped = Shell::default();
            json(&mut stepped, &format!("trace open {}", packed.display()));
            let run = json(&mut stepped, &format!("goto {}", lines.len() - 2)).to_string();
            assert!(run.contains(&format!("line {}", wrong + 1)), "{wrong}: {run}");
        }
    }
}

/// The stack after an event of a trace.
fn stack_at(text: &str, event: u64) -> Value {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("trace");
    fs::write(&path, text).unwrap();
    let mut shell = Shell::default();
    json(&mut shell, &format!("trace open {}", path.display()));
    json(&mut shell, &format!("goto {event}"));
    json(&mut shell, "where")["frames"].take()
}

/// A value is negated for the parent unless the same side moves again, as after a mill with a later capture, or in
/// games with several moves a turn.
#[test]
fn a_value_is_negated_only_if_the_side_to_move_changed() {
    for (view, black, same, best) in [
        ("side", "w", "w", 5.0),
        ("side", "w", "b", -5.0),
        ("side", "b", "b", 5.0),
        ("side", "b", "w", -5.0),
        ("first", "w", "w", 5.0),
        ("first", "w", "b", 5.0),
        ("first", "b", "b", -5.0),
        ("first", "b", "w", -5.0),
    ] {
        for game in ["", "\"game\":\"morris\",", "\"game\":\"chess\","] {
            let text = format!(
                "{{\"plytrace\":1,{game}\"view\":\"{view}\"}}\n{{\"e\":\"in\",\"a\":-30,\"b\":30,\"d\":2,\"s\":\"{black}\"}}\n\
                 {{\"e\":\"in\",\"a\":-30,\"b\":30,\"d\":1,\"m\":\"x\",\"s\":\"{same}\"}}\n{{\"e\":\"out\",\"v\":5}}\n{{\"e\":\"out\",\"v\":5}}\n"
            );
            assert_eq!(stack_at(&text, 2)[0]["best"], best, "{view} {black}{same} {game}");
        }
    }
}

/// A window changed by an entry is shown for the side to move, as the node's own.
#[test]
fn a_window_changed_by_an_entry_is_that_of_the_side_to_move() {
    for (view, side, window) in [
        ("side", "w", [-7.0, 4.0]),
        ("side", "b", [-7.0, 4.0]),
        ("first", "w", [-7.0, 4.0]),
        ("first", "b", [-4.0, 7.0]),
    ] {
        for game in ["", "\"game\":\"morris\",", "\"game\":\"chess\","] {
            let text = format!(
                "{{\"plytrace\":1,{game}\"view\":\"{view}\"}}\n{{\"e\":\"in\",\"a\":-30,\"b\":30,\"d\":2,\"k\":\"r\",\"s\":\"{side}\"}}\n\
                 {{\"e\":\"hit\",\"v\":4,\"t\":\"upper\",\"d\":1,\"a\":-7,\"b\":4}}\n{{\"e\":\"out\",\"v\":1}}\n"
            );
            let frame = stack_at(&text, 1)[0].clone();
            let shown = [&frame["alpha"], &frame["beta"]].map(|value| value.as_f64().unwrap());
            assert_eq!(shown, window, "{view} {side} {game}");
        }
    }
}

/// In a trace only moves named by it are legal.
#[test]
fn a_move_that_the_trace_never_names_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("t");
    for (game, mv) in [("morris", "d7"), ("chess", "e2e4")] {
        let mut shell = Shell::default();
        json(&mut shell, &format!("game {game}"));
        json(&mut shell, &format!("trace record {} --depth 2", path.display()));
        json(&mut shell, &format!("trace open {}", path.display()));
        json(&mut shell, "step 3");
        for command in ["advance z9", "explain tree zz"] {
            let failure = shell.run_line(command).pop().unwrap().expect_err(command);
            assert!(
                failure.fault.message.contains("no event of the trace has the move"),
                "{command}"
            );
        }
        assert!(fs::read_to_string(&path).unwrap().contains(&format!("\"{mv}\"")), "{game}");
        let known = shell.run_line(&format!("advance {mv}")).pop().unwrap();
        assert!(known.is_ok(), "{game} {mv}: {}", known.err().unwrap().fault);
    }
}

const AGAIN: &str = r#"{"plytrace":1}
{"e":"in","a":-99,"b":99,"d":4,"k":"r"}
{"e":"in","a":-99,"b":99,"d":3,"m":"x","k":"1"}
{"e":"out","v":-10}
{"e":"skip","m":"s","r":"see","v":-3}
{"e":"skip","m":"t","r":"see"}
{"e":"skip","m":"u","r":"lmp"}
{"e":"in","a":-11,"b":-10,"d":2,"m":"y","k":"2","t":"zero"}
{"e":"out","v":-63}
{"e":"in","a":-99,"b":-10,"d":3,"m":"y","k":"2"}
{"e":"out","v":-5}
{"e":"window","a":12,"b":50,"r":"cycle"}
{"e":"out","v":10,"m":"x"}
"#;

/// A search again replaces the value of the first search, also by a lower one: in the stack, the line and the tree.
#[test]
fn the_last_value_of_a_move_counts() {
    let (mut shell, _file) = opened(AGAIN, "");
    json(&mut shell, "goto 7");
    let root = json(&mut shell, "where")["frames"][0].clone();
    assert_eq!((&root["best"], &root["best_move"]), (&Value::from(10.0), &Value::from("x")));
    json(&mut shell, "goto 9");
    let root = json(&mut shell, "where")["frames"][0].clone();
    assert_eq!((&root["best"], &root["best_move"]), (&Value::from(10.0), &Value::from("x")));
    json(&mut shell, "goto 10");
    let changed = json(&mut shell, "where")["frames"][0].clone();
    assert_eq!((&changed["beta"], &changed["best"]), (&Value::from(50.0), &Value::from(10.0)));
    // Back and forth, the values are those of the moment.
    json(&mut shell, "goto 8");
    json(&mut shell, "goto 9");
    assert_eq!(json(&mut shell, "where")["frames"][0]["best"], Value::from(10.0));
    let lower = AGAIN.replace("\"m\":\"x\",\"k\":\"1\"", "\"m\":\"y\",\"k\":\"2\"");
    let (mut shell, _file) = opened(&lower, "");
    json(&mut shell, "goto 9");
    assert_eq!(json(&mut shell, "where")["frames"][0]["best"], Value::from(5.0));
}

/// The program's own reason of a skipped move is in the tree, and conditions can name any field of any event.
#[test]
fn reasons_and_fields_of_the_format_can_be_named() {
    let (mut shell, _file) = opened(AGAIN, "");
    json(&mut shell, "goto 9");
    let tree = json(&mut shell, "explain tree");
    let skipped: Vec<_> = tree["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|node| node["kind"] == "spared")
        .map(|node| (node["moves"].to_string(), node["reason"].to_string()))
        .collect();
    let expected = [("[\"s\",\"t\"]", "\"see\""), ("[\"u\"]", "\"lmp\"")];
    assert_eq!(skipped, expected.map(|(moves, why)| (moves.to_owned(), why.to_owned())));
    assert!(shell.look_up("explain tree").unwrap().text().contains("not searched: see"));
    for (condition, event) in [
        ("r == \"lmp\"", 5),
        ("t == \"zero\"", 6),
        ("a > 11", 10),
        ("m == \"y\" and d < 3", 6),
        ("v < -20", 7),
    ] {
        json(&mut shell, "goto 0");
        json(&mut shell, &format!("break if {condition}"));
        assert_eq!(json(&mut shell, "continue")["event"]["index"], event, "{condition}");
        json(&mut shell, "delete all");
    }
}

/// A game that is not known has a board of the shape in the header.
#[test]
fn an_unknown_game_has_a_board_of_its_shape() {
    let text = "{\"plytrace\":1,\"shape\":[2,3]}\n{\"e\":\"in\",\"a\":-1,\"b\":1,\"d\":1,\"k\":\"Xo./..X\"}\n{\"e\":\"out\",\"v\":0}\n";
    let (mut shell, _file) = opened(text, "");
    json(&mut shell, "step");
    let board = shell.look_up("frame").unwrap().text();
    assert!(board.contains('X') && board.lines().count() >= 3, "{board}");
}

/// The board below a null move is known by the rules.
#[test]
fn a_board_is_drawn_below_a_null_move() {
    let text = [
        "{\"plytrace\":1,\"game\":\"chess\"}\n{\"e\":\"in\",\"a\":-9,\"b\":9,\"d\":3,\"k\":\"r\"}\n",
        "{\"e\":\"in\",\"a\":-9,\"b\":-8,\"d\":1,\"t\":\"null\",\"k\":\"n\"}\n",
        "{\"e\":\"in\",\"a\":8,\"b\":9,\"d\":0,\"m\":\"e7e5\",\"k\":\"2\"}\n{\"e\":\"in\",\"a\":8,\"b\":9,\"d\":0,\"t\":\"qs\",\"k\":\"2@q\"}\n",
    ];
    let (mut shell, _file) = opened(&text.concat(), "");
    for event in [2, 3] {
        json(&mut shell, &format!("goto {event}"));
        let state = json(&mut shell, "where")["frames"][event]["state"].clone();
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq";
        assert!(state.as_str().unwrap().starts_with(fen), "{state}");
    }
}

/// What a node did with a move, in the words of the program.
#[test]
fn a_move_of_a_trace_is_explained() {
    let text = r#"{"plytrace":1}
{"e":"in","a":-99,"b":99,"d":4,"k":"r"}
{"e":"reduce","m":"y","n":1,"r":"lmr"}
{"e":"in","a":-11,"b":-10,"d":2,"m":"y","k":"2","t":"zero"}
{"e":"in","a":9,"b":11,"d":1,"m":"y","k":"3"}
{"e":"out","v":7}
{"e":"out","v":-63}
{"e":"in","a":-99,"b":-10,"d":3,"m":"y","k":"2"}
{"e":"hit","v":-5,"t":"exact","d":3,"u":true}
{"e":"out","v":-5}
{"e":"skip","m":"z","r":"see"}
{"e":"note"}
"#;
    for view in ["side", "first"] {
        let text = text.replace("\"plytrace\":1", &format!("\"plytrace\":1,\"view\":\"{view}\""));
        let (mut shell, _file) = opened(&text, "");
        json(&mut shell, "goto 10");
        let sign = if view == "side" { 1.0 } else { -1.0 };
        let tries = json(&mut shell, "explain move y")["tries"].clone();
        let kinds: Vec<_> = tries.as_array().unwrap().iter().map(|tried| &tried["kind"]).collect();
        assert_eq!(kinds, ["reduce", "search", "search"]);
        assert_eq!((&tries[0]["plies"], &tries[0]["reason"]), (&1.0.into(), &"lmr".into()));
        assert_eq!((&tries[1]["value"], &tries[1]["depth"]), (&(sign * 63.0).into(), &2.0.into()));
        assert_eq!((&tries[2]["value"], &tries[2]["until"]), (&(sign * 5.0).into(), &8.into()));
        assert_eq!(tries[2]["entry"], "");
        let text = shell.look_up("explain move y").unwrap().text();
        assert!(text.contains("reduced by 1") && text.contains("from the cache"), "{text}");
        assert_eq!(json(&mut shell, "explain move z")["tries"][0]["reason"], "see");
        assert!(shell.look_up("explain move x").is_err());
    }
}

/// A bound that the program itself has set: outside the parent's window it is never explained by pruning.
#[test]
fn a_window_wider_than_the_parents_is_not_explained_by_pruning() {
    let games = [("chess", "e2e4"), ("morris", "d7"), ("none", "x")];
    for (game, mv) in games {
        let head = format!(
            "{{\"plytrace\":1,\"game\":\"{game}\"}}\n{{\"e\":\"in\",\"a\":-10,\"b\":20,\"d\":3}}\n"
        );
        let origins = |window: [i32; 2], changed: Option<[i32; 2]>| {
            let [alpha, beta] = window;
            let node =
                format!("{{\"e\":\"in\",\"a\":{alpha},\"b\":{beta},\"d\":2,\"m\":\"{mv}\"}}\n");
            let change = changed.map(|[alpha, beta]| {
                format!("{{\"e\":\"window\",\"a\":{alpha},\"b\":{beta},\"r\":\"mate distance\"}}\n")
            });
            let text = [&head, &node, change.as_deref().unwrap_or_default()].concat();
            let (mut shell, _file) = opened(&text, "");
            json(&mut shell, &format!("goto {}", 1 + u32::from(changed.is_some())));
            json(&mut shell, "explain")["origins"].to_string()
        };
        for wide in [origins([-50, 60], None), origins([-20, 10], Some([-50, 60]))] {
            // Both bounds have the same reason, which is said once.
            assert_eq!(wide.matches("wider window, or a bug").count(), 1, "{game} {wide}");
            assert!(wide.contains("α and β were set"), "{game} {wide}");
            assert!(!wide.contains("mate distance") && !wide.contains("zero window of"), "{wide}");
        }
        let narrow = origins([-20, 10], Some([-9, 8]));
        assert_eq!(narrow.matches("mate distance pruning").count(), 1, "{game} {narrow}");
        assert!(narrow.contains("α and β were set") && !narrow.contains("bug"), "{narrow}");
        // A zero window anywhere inside is a test of the parent's.
        let scout = origins([4, 5], None);
        assert_eq!(scout.matches("zero window of ply 0").count(), 2, "{game} {scout}");
    }
}

/// With the header's `mate`, mates are shown in moves: here the root is mated in one, by a move and its reply.
#[test]
fn mates_of_a_trace_are_shown_in_moves() {
    let head = r#"{"plytrace":1,"mate":28000,"mates":"#;
    for (mates, [mated, mates_now, root]) in
        [("node", [-29000, 28999, -28998]), ("root", [-28998, 28998, -28998])]
    {
        let text = format!(
            r#"{head}"{mates}"}}
{{"e":"in","a":-30000,"b":30000,"d":2}}
{{"e":"in","a":-30000,"b":30000,"d":1,"m":"x"}}
{{"e":"in","a":-30000,"b":30000,"d":0,"m":"y"}}
{{"e":"out","v":{mated}}}
{{"e":"out","v":{mates_now},"m":"y"}}
{{"e":"out","v":{root},"m":"x"}}
"#
        );
        let (mut shell, _file) = opened(&text, "");
        let [reply, best] = [3, 4].map(|event| {
            let outcomes = shell.run_line(&format!("goto {event}"));
            plyscope::view::response(outcomes.last().unwrap().as_ref().unwrap())
        });
        assert!(reply.contains("value #1"), "{mates}: {reply}");
        assert!(best.contains("value #-1"), "{mates}: {best}");
    }
}

/// The moves of a node by their numbers; how many there are is known only by the rules of the game.
#[test]
fn a_move_has_its_number_and_that_of_the_legal_moves_where_it_is_known() {
    let games =
        [("chess", ["e2e4", "d2d4"], 20), ("morris", ["d7", "g7"], 24), ("none", ["x", "y"], 0)];
    for (game, [first, second], legal) in games {
        let node =
            |mv: &str| format!("{{\"e\":\"in\",\"a\":-30,\"b\":30,\"d\":1,\"m\":\"{mv}\"}}\n");
        let out = "{\"e\":\"out\",\"v\":0}\n";
        let text = [
            &format!("{{\"plytrace\":1,\"game\":\"{game}\"}}\n"),
            "{\"e\":\"in\",\"a\":-30,\"b\":30,\"d\":2}\n",
            &node("null"),
            out,
            &node(first),
            out,
            &node(second),
            out,
            &node(second),
        ]
        .concat();
        let (mut shell, _file) = opened(&text, "");
        let mut place_at = |event: u32| {
            json(&mut shell, &format!("goto {event}"));
            let frame = json(&mut shell, "where")["frames"][0].take();
            assert_eq!(frame["children"], legal, "{game}");
            let row = shell.look_up("where").unwrap().text().lines().nth(1).unwrap().to_owned();
            let of = format!("/{legal}");
            let number = frame["child"].as_u64().unwrap();
            let place = if legal == 0 { number.to_string() } else { format!("{number}{of}") };
            assert!(number == 0 || row.contains(&format!(" {place} ")), "{row}");
            assert!(legal > 0 || !row.contains('/'), "{row}");
            let moves =
                json(&mut shell, "frame 0").to_string() + &shell.look_up("frame 0").unwrap().text();
            assert!(
                !moves.contains("/0")
                    && (number == 0 || moves.contains(&format!("moves {place}: "))),
                "{moves}"
            );
            number
        };
        assert_eq!([1, 3, 5, 7].map(&mut place_at), [0, 1, 2, 2], "{game}");
    }
}
