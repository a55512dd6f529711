//! Commands for traces: the searches of any program, as JSON Lines.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    command::{
        Args, FamilyDefinition, Fault, Replied, Shell, boxed, changes, files, search, shows,
    },
    engine::{
        engines::EngineTrace,
        files::{FileFailure, Stream},
        progress::Unit,
        recording::Resume,
        rulebook,
        session::{
            reply::PlainReply,
            trace::{OpenTrace, trace_check, trace_diff, trace_opened, trace_recorded},
        },
        trace::{
            Checker, DiffRules, Differ, LANDMARK_SPACING, TraceGame, TraceInput, TraceReader,
            emitter, pack, piped_trace, trace_input, wrong_landmarks,
        },
        workers::interrupted,
    },
    text::{
        number,
        style::{Style, set_style, style},
    },
};

/// The number of events between two reports of progress.
const EVENTS_PER_REPORT: u64 = 1 << 12;

const MANUAL: &str = "
* trace open
  opens the search of any program, for the same commands as a search of this program
  - FILE  file  a trace; `-` is standard input, to watch a program while it runs
  - --follow  wait for more lines at the end of the file, which a program is still writing
  - --salvage  use the part before the first line that cannot be read
  `step`, `next`, `finish`, `until`, `continue`, `goto` and every `back`, `where`, `frame`, `print`, `break`, `watch`, `last`, `mark`, `explain tree`
  and the `cache` commands work on it, with the table as it was at each event. Events count from 0, at the line after the header. Values and windows
  are for the side to move. Conditions can use all fields of the trace by their names, such as `break if r == \"see\"`. `trace close` returns to the game.
  > trace open search.jsonl  > trace open running.jsonl --follow
* trace close
  closes the trace and returns to the game
* trace thread
  shows the stack and tree of another thread of the trace
  - N  count  the number of the thread, from 0
  The current event stays. Events of the other threads are passed over, except in the table, which is common to all. A trace begins with thread 0.
  > trace thread 1
* trace findings
  lists the defects in the open trace
  - --time  1..  maximum time in milliseconds: then the findings so far are listed, and the same command continues
  The checks are those of `trace check`. The full screen runs them while a trace is open, and shows the findings on the time line.
  > trace findings
* trace check
  finds defects in the search of any program, from its trace
  - [FILE]  file  a trace; `-` is standard input (default: the one that is open)
  - --history  a position can have several keys or static values, because the past is part of them
  - --salvage  check the part before the first line that cannot be read
  - --limit  count  maximum number of findings listed of each check (default: 20)
  A trace is a file of JSON Lines that any program can write: `trace emitter` prints the code for it. The first line is {\"plytrace\":1}, each other
  line an event, such as {\"e\":\"in\",\"a\":-10,\"b\":10,\"d\":3,\"m\":\"e2e4\",\"k\":\"1f\"} for a node entered with a window, a depth, a move and a key, and
  {\"e\":\"out\",\"v\":4} for a node left with a value. hit, miss and put are events of the table, eval, window, skip, reduce, extend and cut of the node,
  root, iter, pv and stop of the search. Most checks need nothing else. If the header names a game of this program, moves are checked too; of a packed
  trace, landmarks are compared with the events. A finding names the event that it contradicts. A correct search has no findings. With findings, a script ends with status 1. The guide is `sessions/attach.md`.
  > trace check search.jsonl  > trace check search.jsonl --history --limit 3
* trace diff
  compares two traces, or the searches of two UCI engines
  - A  file  a trace, or a pipe from which it comes; with --uci, the command that starts an engine
  - B  file  another one
  - --ignore  text  fields and kinds of events that do not count, such as k,eval
  - --thread  count  compare the events of this thread (default: 0)
  - --limit  1..  maximum number of partings listed (default: 10)
  - --uci  A and B are engines, which write their traces as lines `info string ply {…}`
  - --commands  text  with --uci: what both engines are told, separated by `;`
  - --positions  file  with --uci: positions, one on a line; the commands are given after each
  Where the traces part, both are read ahead up to the next node that they have in common, or to the next iteration. Each parting has a cause, such as
  window, value, order of moves, table answer or pruning; the table has the numbers of nodes that differ, by depth and kind. A `root` event begins
  another search: several are compared one by one. If the traces differ, a script ends with status 1.
  > trace diff before.jsonl after.jsonl --ignore k,eval  > trace diff --uci './old' './new' --commands 'position startpos; go depth 9'
trace record
  writes a search as a trace
  - FILE  file  the file; `-` for standard output
  - --depth, --budget, --time  see search run
  - --fresh  begin with an empty cache
  Runs the search that `search run` would run, on a copy of the cache. Cache, counters and the search under way stay as they are.
  > trace record search.jsonl --depth 3  > trace record search.jsonl --fresh
* trace pack
  packs a trace: a smaller file, in which `goto` finds events at once
  - FILE  file  a trace
  - OUT  file  the file to write; gzip unpacks it too
  Every command that reads traces reads packed ones. After `goto`, the table at that event is read when a `cache` command first needs it.
  > trace pack search.jsonl search.jsonl.gz
* trace unpack
  writes the lines of a packed or binary trace
  - FILE  file  the trace
  - OUT  file  the file to write; `-` for standard output
  > trace unpack search.jsonl.gz search.jsonl
* trace emitter
  prints a source file to add to your program, so that it writes traces
  - LANGUAGE  one of  the language
    c: plytrace.h
    cpp: plytrace.h
    python: plytrace.py
    rust: plytrace.rs
    java: Plytrace.java
    javascript: plytrace.js
    go: plytrace.go
    csharp: Plytrace.cs
  One file, no dependencies, in the public domain. Its first comment describes the use: a switch that costs nothing when it is off, and triggers that
  keep a trace small: below a key, below a line of moves, down to a depth, from a node count on, or the last events before an assertion fails. A part
  begins with the root and the open nodes, so that checks and boards work on it. The emitters for C, C++ and Rust can write a binary form, which takes
  less time; all commands read it, and `trace unpack` writes its lines.
  > trace emitter python  > trace emitter c
";

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Traces",
    manual: MANUAL,
    lists: &[],
    run: &[
        shows("trace open", open_trace),
        shows("trace close", |shell, _| {
            let closed = shell.engine.close_trace();
            let text = if closed { "closed" } else { "no trace is open" };
            Ok(boxed(PlainReply::new(text, json!({"closed": closed}))))
        }),
        changes("trace thread", |shell, args| {
            let thread =
                args.required("N").and_then(|_| Ok(args.count("N")?.unwrap_or_default()))?;
            let event = shell.session_mut().choose_thread(thread)?;
            args.reply("N", shell.session_mut().resume(Resume::Goto(event.saturating_sub(1))))
        }),
        shows("trace findings", findings),
        shows("trace check", check),
        shows("trace diff", diff),
        shows("trace record", record),
        shows("trace pack", |shell, args| {
            let file = args.required("FILE")?;
            let trace = indexed(shell, file)?;
            rewrite(shell, args, |out, next| pack(&trace, LANDMARK_SPACING, out, next))
        }),
        shows("trace unpack", |shell, args| {
            let mut reader = open(args.required("FILE")?)?;
            rewrite(shell, args, |out, next| {
                let mut written = 0;
                loop {
                    out.write_all(reader.line())?;
                    written += reader.line().len() as u64;
                    next()?;
                    if !reader.next_line()? {
                        return Ok(written);
                    }
                }
            })
        }),
        shows("trace emitter", |_, args| {
            let language = args.required("LANGUAGE")?;
            let (file, text) =
                emitter(language).ok_or_else(|| Fault::new("there is no such language"))?;
            let fields = json!({"language": language, "file": file, "text": text});
            Ok(boxed(PlainReply::new(text.trim_end(), fields)))
        }),
    ],
};

fn open(file: &str) -> Result<TraceReader<Box<dyn TraceInput>>, Fault> {
    let (opened, _) = files::open(Path::new(file))?;
    trace_input(opened).and_then(TraceReader::new).map_err(|fault| fault.within(file))
}

/// Opens a packed trace with random access to its events.
fn indexed(shell: &Shell, file: &str) -> Result<TraceGame, Fault> {
    let (opened, _) = files::open(Path::new(file))?;
    let rules = |game: &str| rulebook(shell.session(), game);
    TraceGame::of_file(opened, rules).map_err(|fault| fault.within(file))
}

/// Called after each event that was read. Errors: an interrupt.
type Reading<'a> = dyn FnMut() -> Result<(), Fault> + 'a;

fn reading<T>(shell: &Shell, work: impl FnOnce(&mut Reading<'_>) -> T) -> T {
    let (progress, interrupt) = (shell.engine.progress(), shell.interrupt());
    progress.begin("reading", Unit::Events, 0);
    let mut events = 0_u64;
    let read = work(&mut || {
        events += 1;
        if events.is_multiple_of(EVENTS_PER_REPORT) {
            progress.update(events, 0);
            if interrupt.load(Ordering::Relaxed) {
                return Err(interrupted());
            }
        }
        Ok(())
    });
    progress.end();
    read
}

fn open_trace(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let (file, follow) = (args.required("FILE")?, args.has("follow"));
    let rules = |game: &str| rulebook(shell.session(), game);
    let trace = TraceGame::open(Path::new(file), follow, &shell.interrupt(), rules)?;
    // The full screen reads and checks the trace while showing it, so the command only opens it.
    let only_opens = trace.is_live() || trace.is_packed() || shell.engine.is_sliced();
    let read = || reading(shell, |next| trace.read_through(next));
    let fault = if only_opens { None } else { read()? };
    let (unread, events) = (salvaged(args, file, fault)?, trace.event_count());
    let opened = trace_opened(file, trace.header(), events, trace.is_live(), unread.as_deref());
    shell.engine.open_trace(trace)?;
    Ok(boxed(opened))
}

/// Why reading ended early, if it did. Errors: without --salvage, the fault that ended it.
fn salvaged(args: &Args<'_>, file: &str, fault: Option<Fault>) -> Result<Option<String>, Fault> {
    match fault {
        Some(fault) if !args.has("salvage") => Err(fault.within(file)),
        fault => Ok(fault.map(|fault| fault.message)),
    }
}

/// Writes a trace in another form. `write` returns the number of bytes written.
fn rewrite(
    shell: &Shell,
    args: &Args<'_>,
    write: impl FnOnce(&mut dyn Write, &mut Reading<'_>) -> Result<u64, FileFailure>,
) -> Replied {
    let (file, out) = (args.required("FILE")?, args.required("OUT")?);
    let bytes = files::write_atomically(Path::new(out), |out| {
        reading(shell, |next| write(out, next)).map_err(|failure| match failure {
            FileFailure::Fault(fault) => FileFailure::Fault(fault.within(file)),
            failure @ FileFailure::Io(_) => failure,
        })
    })?;
    let text = format!("{} in {out}", number::bytes(bytes));
    Ok(boxed(PlainReply::new(&text, json!({"file": out, "bytes": bytes}))))
}

fn findings(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let end = args.count("time")?.map(|ms| Instant::now() + Duration::from_millis(ms));
    let (progress, interrupt) = (shell.engine.progress(), shell.interrupt());
    let trace = shell.engine.trace().ok_or_else(|| {
        Fault::new("no trace is open")
            .hint("`trace open FILE` opens one, `trace check FILE` checks one")
    })?;
    if end.is_none() {
        progress.begin("checking", Unit::Events, 0);
    }
    let found = OpenTrace::check_on(trace, &mut |events| {
        let is_over = end.is_some_and(|end| Instant::now() >= end);
        if end.is_none() {
            progress.update(events, 0);
        }
        is_over || interrupt.load(Ordering::Relaxed)
    });
    if end.is_none() {
        progress.end();
        if !found.done && interrupt.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
    }
    Ok(boxed(found))
}

fn check(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let open_one = shell.engine.trace().map(|trace| trace.file().to_owned());
    let file = args.text("FILE").or(open_one.as_deref());
    let file = file.map_or_else(|| args.required("FILE"), Ok)?;
    let mut reader = open(file)?;
    let header = reader.header().clone();
    let rules = header.game.as_deref().and_then(|game| rulebook(shell.session(), game));
    let limit = args.count("limit")?.unwrap_or(20);
    let mut checker = Checker::new(&header, rules, args.has("history"), limit);
    let fault = reading(shell, |next| {
        loop {
            match reader.next_event() {
                Ok(Some(event)) => checker.check(&event),
                Ok(None) => return Ok(None),
                Err(fault) => return Ok(Some(fault)),
            }
            next()?;
        }
    })?;
    let unread = salvaged(args, file, fault.map(|fault| reader.count_unread(fault)))?;
    if unread.is_none() && reader.has_landmarks() {
        let trace = indexed(shell, file)?;
        checker.add_wrong_landmarks(&reading(shell, |next| wrong_landmarks(&trace, next))?);
    }
    let found = checker.finish(unread.is_none());
    // Values are written on the scale of the trace, not on that of the session.
    set_style(Style { scale: found.scale, ..style() });
    let reply = trace_check(file, header.program.as_deref(), &found, unread.as_deref());
    shell.set_style();
    Ok(boxed(reply))
}

type AnyInput<'a> = Box<dyn BufRead + 'a>;

/// The trace in a file or pipe, or from an engine that runs these UCI commands.
fn any_trace<'a>(
    name: &str,
    commands: Option<&[String]>,
    interrupt: &'a AtomicBool,
) -> Result<TraceReader<AnyInput<'a>>, Fault> {
    let input: AnyInput<'_> = match commands {
        Some(commands) => {
            let engine = EngineTrace::start(name, commands.iter().cloned(), interrupt)?;
            Box::new(BufReader::new(engine))
        }
        None => match files::stream(Path::new(name))? {
            Stream::Document(file) => trace_input(file).map_err(|fault| fault.within(name))?,
            Stream::Pipe(pipe) => piped_trace(files::polled(pipe, interrupt))
                .map_err(|error| Fault::word(name, format!("cannot be read: {error}")))?,
        },
    };
    TraceReader::new(input).map_err(|fault| fault.within(name))
}

/// The UCI commands for both engines, from `--commands` and `--positions`; `None` without `--uci`.
fn uci_commands(args: &Args<'_>) -> Result<Option<Vec<String>>, Fault> {
    if !args.has("uci") {
        let other = ["commands", "positions"].into_iter().find(|name| args.has(name));
        return other.map_or(Ok(None), |name| {
            let fault = Fault::new(format!("--{name} is for engines"));
            Err(args.blame(name, fault.hint("add --uci, and give the commands that start both")))
        });
    }
    let commands = args.required("commands")?.split(';').map(|command| command.trim().to_owned());
    let commands: Vec<_> = commands.filter(|command| !command.is_empty()).collect();
    let Some(path) = args.path("positions") else {
        return Ok(Some(commands));
    };
    let text = files::read_text(path)?;
    let positions = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let each = positions.filter(|position| !position.is_empty()).flat_map(|position| {
        let begin = ["ucinewgame".to_owned(), format!("position fen {position}")];
        begin.into_iter().chain(commands.iter().cloned())
    });
    Ok(Some(each.collect()))
}

fn diff(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let names = [args.required("A")?, args.required("B")?];
    let rules = DiffRules::new(
        args.text("ignore").unwrap_or_default(),
        args.count("thread")?.unwrap_or_default(),
    )?;
    let (commands, interrupt) = (uci_commands(args)?, shell.interrupt());
    let open = |name| any_trace(name, commands.as_deref(), &interrupt);
    let [mut first, mut second] = [open(names[0])?, open(names[1])?];
    let games = [&first, &second].map(|trace| trace.header().game.clone());
    if let [Some(one), Some(two)] = &games
        && one != two
    {
        let what = format!("`{}` is a search of {one}, `{}` one of {two}", names[0], names[1]);
        let fault = Fault::new(what).about_word(names[0]);
        return Err(fault.hint("compare two runs of the same game"));
    }
    let mut differ = Differ::new(rules, args.count("limit")?.unwrap_or(10));
    reading(shell, |next| {
        while differ.advance([&mut first, &mut second])? {
            next()?;
        }
        Ok::<_, Fault>(())
    })?;
    Ok(boxed(trace_diff(names, &differ.finish())))
}

fn record(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    let (events, stop) = files::write_atomically(Path::new(file), |out| {
        shell.session().record_trace(&search::limits(args), args.has("fresh"), out)
    })?;
    Ok(boxed(trace_recorded(file, events, stop.name())))
}
