//! Breakpoints, watchpoints, tracepoints and displays.

use crate::{
    command::{
        Args, Culprit, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, cache, changes,
        command_list, debug, lexer, shows, shows_or_changes,
    },
    engine::{
        debugger::{Access, Action, CONDITIONS, FrameValue},
        session::{breakpoints::BreakpointList, reply::message},
    },
    text::style::MoveNotation,
};

const MANUAL: &str = r#"
* break, b, info breakpoints, info break, info watchpoints
  sets a breakpoint, or lists them
  - [CONDITION=…]  @condition  conditions, all of which must hold
    ply: distance from the root in plies
    depth: remaining depth in plies
    kind: a kind of event; `catch` lists them
    fails: low or high: a value at or below, at or above the window
    key: a cache key
    position: a position, in quotes if it has blanks; `here`: the current one
    class: a position or a symmetric one
    line: moves from the root to the node; `*` at the end adds all nodes below
  - [if EXPRESSION…]  rest text  a comparison of names, with + - * /, sign(…), and, or, not, parentheses; a missing value is none
    numbers: alpha, beta, value, best, depth, ply, nodes, index, iteration, child, children
    words: event (or kind), move, side, memo, key, state
    truth, distance: 1, 0 or -1 for a win, draw or loss by the endgame tables in use, and plies to the end
  Without arguments: all breakpoints, watchpoints and tracepoints, with their hits. With kind= or fails= the search stops at such events, otherwise where a node
  is entered, or where a name gets its value: value when one is found or returns, best when it rises, memo after a probe, child and children with the node's moves.
  > break ply=2  > break kind=cutoff depth=1  > break key=99000000000000  > break line="d6 a4"  > break class=here if alpha > 0
  > break if ply == 2 and side == w and beta - alpha < 0.5  > break if truth != sign(value)  > break
* tbreak
  sets a breakpoint that is removed when it stops the search
  - [CONDITION=…], [if EXPRESSION…]  see break
  > tbreak kind=hit  > tbreak if nodes >= 1000
* catch
  sets a breakpoint on a kind of event
  - EVENT  @caught  a kind of event, fail-low or fail-high
    fail-low: a value at or below the window
    fail-high: a value at or above the window
  - [CONDITION=…], [if EXPRESSION…]  see break
  > catch cutoff  > catch invalid  > catch fail-low ply=1  > catch raise if value > 0.2
* tracepoint, tp
  prints a line at each event at which conditions hold, without stopping
  - [CONDITION=…], [if EXPRESSION…]  see break
  When the search stops, the first hundred lines of the run are shown, and the number of all others.
  > tracepoint kind=cutoff ply=1  > tracepoint if event == raise and value > 0
** watch
  stops when a cache entry is written, or alpha, beta or best of a frame changes
  - WHAT  @watchable  alpha, beta or best of a frame, or the KEY:DEPTH of a cache entry
  - [PLY if EXPRESSION…]  rest text  the ply of the frame (default: the selected one), and a condition
  Shows the old and the new value. A value is watched at a ply: another node entered there is no change. The condition is as in `break`.
  > watch best 0  > watch alpha  > watch here:2  > watch best 1 if value > 0
** rwatch
  stops when the search probes a cache entry
  - KEY  @key  KEY:DEPTH, here:DEPTH for the current position, or "STATE:DEPTH"
  - [if EXPRESSION…]  see break
  Misses count too, and so do entries that do not suffice. Probes of children to order moves do not count.
  > rwatch here:2  > rwatch here:2 if memo == hit
** awatch
  stops when a cache entry is written or probed
  - KEY  see rwatch
  - [if EXPRESSION…]  see break
  > awatch here:2
* condition
  changes the condition of a breakpoint
  - N  @breakpoint  its number
  - [EXPRESSION…]  rest text  the new condition (default: none)
  Expressions are those of `break … if`.
  > condition 1 value > 0 and ply < 3  > condition 1
* ignore
  ignores the next hits of a breakpoint
  - N  see condition
  - COUNT  count  how many; 0: stop at every hit again
  Ignored hits are counted.
  > ignore 1 10  > ignore 1 0
* commands
  sets the commands to run when a breakpoint stops the search
  - [N]  @breakpoint  its number (default: the newest one)
  - [COMMANDS…]  verbatim line  the commands, in quotes (default: the lines up to `end`)
  The commands stand on the same line, or on the lines that follow, up to `end`. If the first one is `silent`, the stop is not printed. If one of them
  continues the search and it stops at a breakpoint with commands, the rest of the list is not run. An empty list removes the commands.
  > commands 1 "where; print best"  > commands 1 "silent; print beta - alpha; continue"  > commands 1 ""
* silent
  if a breakpoint's commands start with it, its stop is not printed
  With --json every stop is printed.
* end
  ends the list that `commands` began
* delete
  removes a breakpoint, or all
  - N  @breakpoint  its number, or `all`
  > delete 1  > delete all
* enable
  switches a breakpoint on
  - N  see condition
  > enable 1
* disable
  switches a breakpoint off
  - N  see condition
  > disable 1
* display
  shows a value after every stop, or lists the displays
  Chess moves are shown in standard notation (Nf6). `display moves=uci` shows origin and destination (g8f6), `display moves=san` goes back.
  - [EXPRESSION…]  rest @value  a name or an expression, as `print` reads it
  > display best  > display beta - alpha  > display  > display moves=uci
* undisplay, delete display
  removes a display, or all
  - N  @display  its number, or `all`
  > undisplay 1  > undisplay all
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Breakpoints",
    manual: MANUAL,
    lists: &[
        LiveList::new("condition", |_| {
            let kinds = debug::event_names().into_iter().map(|kind| format!("kind={kind}"));
            let names = CONDITIONS.into_iter().chain(["fails=low", "fails=high"]);
            let names = names.map(str::to_owned);
            names.chain(kinds).collect()
        }),
        LiveList::new("caught", |_| {
            let mut names = debug::event_names();
            names.extend(FAILURES.map(|(name, _)| name.to_owned()));
            names
        }),
        LiveList::new("watchable", |shell| {
            let figures = ["alpha", "beta", "best"].map(str::to_owned);
            figures.into_iter().chain(cache::keys(shell)).collect()
        }),
        LiveList::new("breakpoint", |shell| {
            let points = shell.session().breakpoints().breakpoints;
            points.into_iter().map(|point| point.id.to_string()).collect()
        }),
        LiveList::new("display", |shell| {
            let displays = shell.session().displays().displays;
            displays.into_iter().map(|display| display.id.to_string()).collect()
        }),
    ],
    run: &[
        shows_or_changes("break", |shell, args| set(shell, args, None, Action::Stop)),
        changes("tbreak", |shell, args| set(shell, args, None, Action::Once)),
        changes("catch", catch),
        changes("tracepoint", |shell, args| set(shell, args, None, Action::Trace)),
        changes("watch", |shell, args| {
            let what = args.required("WHAT")?;
            match FrameValue::by_name(what) {
                Some(figure) => watch_value(shell, args, figure),
                None => watch_entry(shell, args, "WHAT", TAIL, Access::Write),
            }
        }),
        changes("rwatch", |shell, args| watch_entry(shell, args, "KEY", IF, Access::Read)),
        changes("awatch", |shell, args| watch_entry(shell, args, "KEY", IF, Access::Any)),
        changes("condition", |shell, args| {
            let text = args.text("EXPRESSION");
            let list = shell.session_mut().condition_breakpoint(number(args)?, text);
            list.map(boxed).map_err(|fault| match fault.at {
                Some(_) => args.blame("EXPRESSION", fault),
                None => args.blame("N", fault),
            })
        }),
        changes("ignore", |shell, args| {
            let times = args.count("COUNT")?.unwrap_or(0);
            args.reply("N", shell.session_mut().ignore_breakpoint(number(args)?, times))
        }),
        changes("commands", commands),
        shows("silent", |_, _| {
            Err(Fault::new("`silent` stands only at the start of a breakpoint's list of commands")
                .hint("`commands N` begins the list of breakpoint N"))
        }),
        shows("end", |_, _| {
            Err(Fault::new("there is no list of commands to end")
                .hint("`commands N` begins the list of breakpoint N"))
        }),
        changes("delete", |shell, args| {
            args.reply("N", shell.session_mut().remove_breakpoint(number_or_all(args)?))
        }),
        changes("enable", |shell, args| switch(shell, args, true)),
        changes("disable", |shell, args| switch(shell, args, false)),
        shows_or_changes("display", |shell, args| {
            let text = args.text("EXPRESSION");
            if let Some(notation) = text.and_then(|text| text.strip_prefix("moves=")) {
                return set_notation(shell, notation)
                    .map_err(|fault| args.blame("EXPRESSION", fault));
            }
            let session = shell.session_mut();
            let list = match text {
                None => Ok(session.displays()),
                Some(text) => session.add_display(text),
            };
            args.reply("EXPRESSION", list)
        }),
        changes("undisplay", |shell, args| {
            args.reply("N", shell.session_mut().remove_display(number_or_all(args)?))
        }),
    ],
};

fn set_notation(shell: &mut Shell, notation: &str) -> Replied {
    shell.moves = notation.parse().map_err(|_| {
        Fault::new(format!("moves cannot be written as `{notation}`"))
            .hint("write moves=san for Nf6, moves=uci for g8f6")
    })?;
    let example = if shell.moves == MoveNotation::San { "Nf6" } else { "g8f6" };
    Ok(message(format!("chess moves are shown like {example}")))
}

/// The names in `catch` for the values of `fails=`.
const FAILURES: [(&str, &str); 2] = [("fail-low", "low"), ("fail-high", "high")];

const IF: &str = "if EXPRESSION";

fn catch(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let name = args.required("EVENT")?;
    let failure = FAILURES.iter().find(|(known, _)| *known == name);
    let caught = failure.map_or(("kind", name), |(_, side)| ("fails", *side));
    let set = set(shell, args, Some(caught), Action::Stop);
    set.map_err(|fault| if is_of_pair(&fault) { args.blame("EVENT", fault) } else { fault })
}

/// Whether a fault concerns one of the `KEY=VALUE` pairs, not the expression.
fn is_of_pair(fault: &Fault) -> bool {
    matches!(fault.culprit, Some(Culprit::Named(_)))
}

/// Sets a breakpoint with the condition `caught` and the given ones. `break` without any condition lists all breakpoints.
fn set(
    shell: &mut Shell,
    args: &Args<'_>,
    caught: Option<(&str, &str)>,
    action: Action,
) -> Replied {
    let conditions: Vec<_> = caught.into_iter().chain(args.pairs()).collect();
    if conditions.is_empty() && !args.has(IF) {
        if action == Action::Stop {
            return Ok(boxed(shell.session().breakpoints()));
        }
        return Err(Fault::new(format!("`{}` needs a condition", args.spec().name))
            .hint(format!("usage: {}", args.spec().usage())));
    }
    let session = shell.session_mut();
    with_expression(args, IF, 0, |expression| session.break_at(&conditions, expression, action))
}

/// Sets a breakpoint whose expression begins at a byte of an argument. A fault is placed at the pair that it is about, or at
/// its place in the expression.
fn with_expression(
    args: &Args<'_>,
    name: &str,
    from: usize,
    set: impl FnOnce(Option<&str>) -> Result<BreakpointList, Fault>,
) -> Replied {
    let text = args.text(name).unwrap_or_default();
    let start = after_if(text, from).map_err(|fault| args.blame(name, fault))?;
    set(start.map(|start| &text[start..])).map(boxed).map_err(|fault| match start {
        Some(start) if !is_of_pair(&fault) => {
            let at = fault.at.clone().map(|at| at.start + start..at.end + start);
            args.blame(name, Fault { at, ..fault })
        }
        _ => fault,
    })
}

/// The byte at which the expression after `if` begins. The text from byte `from` on must be an `if` clause, or empty (`None`).
fn after_if(text: &str, from: usize) -> Result<Option<usize>, Fault> {
    let clause = &text[from..];
    if clause.is_empty() {
        return Ok(None);
    }
    let ends =
        |rest: &str| rest.chars().next().is_none_or(|c| c.is_whitespace() || "(!".contains(c));
    if clause.strip_prefix("if").is_some_and(ends) {
        return Ok(Some(from + 2));
    }
    let word = clause.split_whitespace().next().unwrap_or_default();
    let remedy = if word == "list" {
        "`break` without a condition lists the breakpoints"
    } else {
        "write NAME=VALUE such as kind=cutoff, or an expression such as `if value > 0`"
    };
    Err(Fault::new(format!("`{word}` is not a condition")).hint(remedy).at(from..from + word.len()))
}

const TAIL: &str = "PLY if EXPRESSION";

fn watch_value(shell: &mut Shell, args: &Args<'_>, figure: FrameValue) -> Replied {
    let session = shell.session_mut();
    let text = args.text(TAIL).unwrap_or_default();
    let digits = text.split_whitespace().next().unwrap_or_default();
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        let set = |expression: Option<&str>| session.watch_value(figure, None, expression);
        return with_expression(args, TAIL, 0, set);
    }
    let ply = digits.parse().map_err(|_| {
        let fault = Fault::new(format!("`{digits}` is not a ply"));
        args.blame(TAIL, fault.hint("give a whole number").at(0..digits.len()))
    })?;
    let from = text.len() - text[digits.len()..].trim_start().len();
    let set = |expression: Option<&str>| session.watch_value(figure, Some(ply), expression);
    with_expression(args, TAIL, from, set).map_err(|fault| match fault.at {
        Some(_) => fault,
        None => args.blame(TAIL, fault.at(0..digits.len())),
    })
}

fn watch_entry(
    shell: &mut Shell,
    args: &Args<'_>,
    name: &str,
    tail: &str,
    access: Access,
) -> Replied {
    let (session, key) = (shell.session_mut(), args.required(name)?);
    let set = |expression: Option<&str>| session.watch_entry(key, access, expression);
    with_expression(args, tail, 0, set).map_err(|fault| match fault.at {
        Some(_) if args.has(tail) => fault,
        _ => args.blame(name, fault),
    })
}

fn commands(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let list = shell.session().breakpoints().breakpoints;
    let newest = || list.last().map(|point| point.id);
    let Some(id) = args.count("N")?.or_else(newest) else {
        return Err(
            Fault::new("there is no breakpoint to give commands to").hint("`break` sets one")
        );
    };
    if !list.iter().any(|point| point.id == id) {
        let fault = Fault::new(format!("no breakpoint {id}"));
        // If the list were not taken from the script, its lines would be run as statements.
        if !args.has("COMMANDS") {
            shell.take_command_list()?;
        }
        return Err(args.blame("N", fault.hint("`info breakpoints` lists them")));
    }
    let lines = if let Some(text) = args.text("COMMANDS") {
        statements(shell, text).map_err(|fault| args.blame("COMMANDS", fault))?
    } else {
        let list = shell.take_command_list()?;
        statements(shell, &list).map_err(|fault| Fault { at: None, ..fault })?
    };
    args.reply("N", shell.session_mut().command_breakpoint(id, lines))
}

/// Splits a command list into statements; a list within it is one statement. Errors: a statement that names no command.
pub(super) fn statements(shell: &Shell, text: &str) -> Result<Vec<String>, Fault> {
    if let Some(problem) = command_list::check(text) {
        return Err(Fault::new(problem.message).at(problem.at));
    }
    let mut lines = Vec::new();
    let mut from = 0;
    while let Some(statement) = lexer::next_statement(text, from) {
        shell.check_name(&statement.words)?;
        let end = command_list::end_of(text, &statement).map_or(statement.end, |list| list.after);
        let line = text[statement.span.start..end].trim_end();
        lines.push(line.trim_end_matches(';').trim_end().to_owned());
        from = end;
    }
    Ok(lines)
}

fn number(args: &Args<'_>) -> Result<u32, Fault> {
    Ok(args.count("N")?.unwrap_or(0))
}

fn number_or_all(args: &Args<'_>) -> Result<Option<u32>, Fault> {
    if args.required("N")? == "all" { Ok(None) } else { args.count("N") }
}

fn switch(shell: &mut Shell, args: &Args<'_>, enabled: bool) -> Replied {
    args.reply("N", shell.session_mut().enable_breakpoint(number(args)?, enabled))
}
