//! Commands about traces: what the search of any program did, as JSON Lines.

use std::{io::Write, path::Path, sync::atomic::Ordering};

use serde_json::json;

use crate::{
    command::{Args, Chapter, Fault, Replied, Shell, boxed, files, search, shows},
    engine::{
        files::FileFailure,
        progress::Unit,
        rulebook,
        session::{
            reply::PlainReply,
            trace::{trace_check, trace_diff, trace_opened, trace_recorded},
        },
        trace::{
            Checker, Differ, LANDMARK_SPACING, TraceGame, TraceInput, TraceReader, emitter, pack,
            trace_input, wrong_landmarks,
        },
        workers::interrupted,
    },
    text::number,
};

/// So many events are read between two words about how many there were.
const GLANCE: u64 = 1 << 12;

const MANUAL: &str = "
* trace open
  opens the search of any program, to walk through it as through one of this program's own
  - FILE  file  a trace; `-` is standard input, so that a program can be watched while it runs
  - --follow  wait for more where the file ends: a program is still writing it
  - --salvage  walk through what stands before the first line that cannot be read
  `step`, `next`, `finish`, `until`, `continue`, `goto` and every `back`, `where`, `frame`, `print`, `break`, `watch`, `last`, `mark`, `explain tree`
  and the `cache` commands work on it, with the table as it was at each event. Events count from 0 at the line after the header. Values and windows
  are shown for the side to move. Conditions may use the fields that only the program knows by their names. The game waits until `trace close`.
  > trace open search.jsonl  > trace open running.jsonl --follow
* trace close
  puts the trace away and goes back to the game
* trace check
  finds what is wrong with the search of any program, from its trace
  - FILE  file  a trace; `-` is standard input
  - --history  one position may have several keys, because its past is in them
  - --salvage  check what stands before the first line that cannot be read
  - --limit  count  findings of a check to list at most; 20 where none is given
  A trace is a file of JSON Lines that any program can write: `trace emitter` prints what it takes. The first line is {\"plytrace\":1}, each other
  line an event, such as {\"e\":\"in\",\"a\":-10,\"b\":10,\"d\":3,\"m\":\"e2e4\",\"k\":\"1f\"} for a node entered with a window, a depth, a move and a key, and
  {\"e\":\"out\",\"v\":4} for a node left with a value. hit, miss and put tell of the table, eval, skip and cut of the node, root, iter and stop of the
  search. Thirteen checks need nothing else; where the header names a game that is known here, moves are checked too; of a packed trace the landmarks
  are held against the events. A correct search has no findings. Where there are any, a script ends with status 1. The guide `sessions/attach.md` tells all of it.
  > trace check search.jsonl  > trace check search.jsonl --history --limit 3
* trace diff
  finds the first event at which two traces part
  - A  file  a trace
  - B  file  another one
  With the moves to the node in each, and how many events of each kind there are in all.
  > trace diff before.jsonl after.jsonl
trace record
  writes a search as a trace
  - FILE  file  the file; `-` for standard output
  - --depth, --budget, --time  see search run
  - --fresh  begin with an empty cache
  Runs the search that `search run` would run, on a copy of the cache. Cache, counters and the search under way stay as they are.
  > trace record search.jsonl --depth 3  > trace record search.jsonl --fresh
* trace pack
  packs a trace, so that it takes little room and its events are found without reading those before
  - FILE  file  a trace
  - OUT  file  the file to write; gzip unpacks it too
  Every command that reads traces reads packed ones. `goto` needs no time to reach an event of one; the table as it
  was then is read when a `cache` command first asks for it.
  > trace pack search.jsonl search.jsonl.gz
* trace unpack
  writes the lines of a packed trace
  - FILE  file  a packed trace
  - OUT  file  the file to write; `-` for standard output
  > trace unpack search.jsonl.gz search.jsonl
* trace emitter
  prints a file to put into a program of one's own, so that it writes traces
  - LANGUAGE  one of  the language
    c: plytrace.h
    cpp: plytrace.h
    python: plytrace.py
    rust: plytrace.rs
    java: Plytrace.java
  One file, no dependencies, in the public domain. Its head tells how it is used: a switch that costs nothing when it is off, and triggers that keep
  a trace small: below a key, below a line of moves, down to a depth, from a node count on, or the last events before an assertion fails.
  > trace emitter python  > trace emitter c
";

pub(super) const CHAPTER: Chapter = Chapter {
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
        shows("trace check", check),
        shows("trace diff", diff),
        shows("trace record", record),
        shows("trace pack", |shell, args| {
            let file = args.required("FILE")?;
            let trace = retold(shell, file)?;
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
            let (file, text) = emitter(language).ok_or_else(|| Fault::new("no such language"))?;
            let fields = json!({"language": language, "file": file, "text": text});
            Ok(boxed(PlainReply::new(text.trim_end(), fields)))
        }),
    ],
};

type AnyTrace = TraceReader<Box<dyn TraceInput>>;

fn open(file: &str) -> Result<AnyTrace, Fault> {
    let (opened, _) = files::open(Path::new(file))?;
    trace_input(opened).and_then(TraceReader::new).map_err(|fault| fault.within(file))
}

/// The search that a file tells of.
fn retold(shell: &Shell, file: &str) -> Result<TraceGame, Fault> {
    let (opened, _) = files::open(Path::new(file))?;
    let rules = |game: &str| rulebook(shell.session(), game);
    TraceGame::of_file(opened, rules).map_err(|fault| fault.within(file))
}

/// How far reading is: to be told after each event, and a fault once the user wants it to stop.
type Reading<'a> = dyn FnMut() -> Result<(), Fault> + 'a;

/// Reads traces while the user sees how far that is.
fn reading<T>(shell: &Shell, work: impl FnOnce(&mut Reading<'_>) -> T) -> T {
    let (progress, interrupt) = (shell.engine.progress(), shell.interrupt());
    progress.begin("reading", Unit::Events, 0);
    let mut events = 0_u64;
    let read = work(&mut || {
        events += 1;
        if events.is_multiple_of(GLANCE) {
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
    let mut unread = None;
    if !trace.is_live() && trace.events().is_none() {
        unread = reading(shell, |next| trace.read_through(next))?;
    }
    if let Some(fault) = unread.take_if(|_| !args.has("salvage")) {
        return Err(fault.within(file));
    }
    let unread = unread.as_ref().map(|fault| fault.message.as_str());
    let opened = trace_opened(file, trace.header(), trace.events(), unread);
    shell.engine.open_trace(trace)?;
    Ok(boxed(opened))
}

/// Writes a trace in another form: `write` says how many bytes it took.
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

fn check(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    let mut reader = open(file)?;
    let header = reader.header().clone();
    let rules = header.game.as_deref().and_then(|game| rulebook(shell.session(), game));
    let limit = args.count("limit")?.unwrap_or(20);
    let mut checker = Checker::new(&header, rules, args.has("history"), limit);
    let unread = reading(shell, |next| {
        loop {
            match reader.next_event() {
                Ok(Some(event)) => checker.check(&event),
                Ok(None) => return Ok(None),
                Err(fault) if args.has("salvage") => return Ok(Some(fault.message)),
                Err(fault) => return Err(fault.within(file)),
            }
            next()?;
        }
    })?;
    if unread.is_none() && reader.has_landmarks() {
        let trace = retold(shell, file)?;
        checker.add_wrong_landmarks(&reading(shell, |next| wrong_landmarks(&trace, next))?);
    }
    let found = checker.finish(unread.is_none());
    Ok(boxed(trace_check(file, header.program.as_deref(), &found, unread.as_deref())))
}

fn diff(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let names = [args.required("A")?, args.required("B")?];
    let [mut first, mut second] = [open(names[0])?, open(names[1])?];
    let game = |trace: &AnyTrace| trace.header().game.clone();
    if let (Some(one), Some(two)) = (game(&first), game(&second))
        && one != two
    {
        let what = format!("`{}` is a search of {one}, `{}` one of {two}", names[0], names[1]);
        return Err(Fault::new(what).hint("compare two runs of the same game"));
    }
    let mut differ = Differ::default();
    reading(shell, |next| {
        while differ.advance([&mut first, &mut second])? {
            next()?;
        }
        Ok::<_, Fault>(())
    })?;
    let (parting, totals) = differ.finish();
    Ok(boxed(trace_diff(names, parting.as_ref(), &totals)))
}

fn record(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let file = args.required("FILE")?;
    let (events, stop) = files::write_atomically(Path::new(file), |out| {
        shell.session().record_trace(&search::limits(args), args.has("fresh"), out)
    })?;
    Ok(boxed(trace_recorded(file, events, stop.name())))
}
