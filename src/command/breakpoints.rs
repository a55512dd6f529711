//! Commands about what stops a search, or is shown when it stops.

use crate::{
    command::{
        Args, Culprit, FamilyDefinition, Fault, LiveList, Replied, Shell, boxed, cache, changes,
        command_list, debug, lexer, shows, shows_or_changes,
    },
    engine::{
        debugger::{Access, Action, CONDITIONS, FrameValue},
        session::breakpoints::BreakpointOptions,
    },
};

const MANUAL: &str = r#"
* break, b, info breakpoints, info break, info watchpoints
  sets a breakpoint, or lists them
  - [CONDITION=…]  @condition  ply=, depth=, kind=, fails=, key=, position=, class=, line=; all must hold
  - [if EXPRESSION…]  rest text  a condition that must hold besides
  All conditions must hold. key= is a cache key, position= a position (quoted where it has blanks; `here` is the one at hand), class= any of its
  symmetric twins, line= the moves from the root that lead to the node (`*` at the end: and all below), fails= a node whose value is at or below
  (low) or at or above (high) its window. EXPRESSION compares alpha, beta, value, best, depth, ply, nodes, index, iteration, child and children with
  numbers, and event (or kind), move, side, memo, key and state with words; it may hold + - * /, and, or, not and parentheses, and a value that is
  not there equals none. Without kind= or fails= it stops where such a node is entered, or, where the expression asks for more, at the events that
  tell: value where a value is found or comes back, best where it rises, memo where the memo was asked, child and children once the moves are
  listed. Without any it lists what each breakpoint, watchpoint and tracepoint waits for, how often that happened, how often it is still to be ignored, and
  the commands run when it stops.
  > break ply=2  > break kind=cutoff depth=1  > break key=99000000000000  > break line="d6 a4"  > break class=here if alpha > 0
  > break if ply == 2 and side == w and beta - alpha < 0.5  > break
* tbreak
  sets a breakpoint that is removed when it stops
  - [CONDITION=…], [if EXPRESSION…]  see break
  Conditions are those of `break`.
  > tbreak kind=hit  > tbreak if nodes >= 1000
* catch
  sets a breakpoint on a kind of event
  - EVENT  @caught  a kind of event, fail-low or fail-high
  - [CONDITION=…], [if EXPRESSION…]  see break
  fail-low and fail-high are nodes whose value is at or below, or at or above, the window they were searched with. Further conditions are those of
  `break`.
  > catch cutoff  > catch invalid  > catch fail-low ply=1  > catch raise if value > 0.2
* tracepoint, tp
  prints a line wherever conditions hold, and does not stop
  - [CONDITION=…], [if EXPRESSION…]  see break
  Conditions are those of `break`. The lines are shown when the search stops, the first hundred of each run; the others are counted.
  > tracepoint kind=cutoff ply=1  > tracepoint if event == raise and value > 0
** watch
  stops when a cache entry is written, or a frame's alpha, beta or best changes
  - WHAT  @watchable  alpha, beta or best of a frame, or the KEY:DEPTH of a cache entry
  - [PLY if EXPRESSION…]  rest text  the frame's ply, the selected one where none is given; a condition that must hold besides
  Shows the old and the new. A frame's value is watched by ply: another node there begins anew, which is no change. The condition is as in `break`.
  > watch best 0  > watch alpha  > watch here:2  > watch best 1 if value > 0
** rwatch
  stops when a search asks for a cache entry
  - KEY  @key  KEY:DEPTH, here:DEPTH for the position at hand, or "STATE:DEPTH"
  - [if EXPRESSION…]  see break
  Whether the entry is there or not, and whether it answers or not. Looking up children to order moves does not count.
  > rwatch here:2  > rwatch here:2 if memo == hit
** awatch
  stops when a cache entry is written or asked for
  - KEY  see rwatch
  - [if EXPRESSION…]  see break
  > awatch here:2
* condition
  changes the condition of a breakpoint
  - N  @breakpoint  its number
  - [EXPRESSION…]  rest text  the new condition; none where nothing is given
  Expressions are those of `break … if`.
  > condition 1 value > 0 and ply < 3  > condition 1
* ignore
  lets a breakpoint pass so many times before it stops again
  - N  see condition
  - COUNT  count  how many times; 0 for no more
  They count as hits all the same.
  > ignore 1 10  > ignore 1 0
* commands
  commands to run whenever a breakpoint stops the search
  - [N]  @breakpoint  the breakpoint's number; the newest where none is given
  - [COMMANDS…]  verbatim line  the commands, in quotes; the lines up to `end` where nothing is given
  Either on the same line or on the lines that follow, up to `end`. `silent` as the first one keeps the stop itself from being printed. Where one of
  them goes on with the search and that stops at a breakpoint with commands, the rest of these is not run. An empty list takes the commands away.
  > commands 1 "where; print best"  > commands 1 "silent; print beta - alpha; continue"  > commands 1 ""
* silent
  as the first of a breakpoint's commands: the stop is not printed
  Programs that read JSON are told of every stop all the same.
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
  shows a value after every stop, or lists those shown
  - [EXPRESSION…]  rest @value  a name or an expression, as `print` reads it
  > display best  > display beta - alpha  > display
* undisplay, delete display
  shows a value no more
  - N  @display  its number, or `all`
  > undisplay 1  > undisplay all
"#;

pub(super) const FAMILY: FamilyDefinition = FamilyDefinition {
    title: "Breakpoints",
    manual: MANUAL,
    lists: &[
        LiveList::new("condition", |_| {
            let kinds = debug::event_names().into_iter().map(|kind| format!("kind={kind}"));
            let names = CONDITIONS.into_iter().filter(|name| !["kind", "fails"].contains(name));
            let names = names.chain(["fails=low", "fails=high"]).map(str::to_owned);
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
            let shown = shell.session().displays().displays;
            shown.into_iter().map(|shown| shown.id.to_string()).collect()
        }),
    ],
    run: &[
        shows_or_changes("break", |shell, args| set(shell, args, None, Action::Stop)),
        changes("tbreak", |shell, args| set(shell, args, None, Action::Once)),
        changes("catch", catch),
        changes("tracepoint", |shell, args| set(shell, args, None, Action::Trace)),
        changes("watch", |shell, args| {
            let what = args.required("WHAT")?;
            match FrameValue::called(what) {
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
            Err(Fault::new("`silent` says something as the first of a breakpoint's commands only")
                .hint("`commands N` begins a list of them"))
        }),
        shows("end", |_, _| {
            Err(Fault::new("`end` ends nothing here").hint("`commands N` begins what it ends"))
        }),
        changes("delete", |shell, args| {
            args.reply("N", shell.session_mut().remove_breakpoint(number_or_all(args)?))
        }),
        changes("enable", |shell, args| switch(shell, args, true)),
        changes("disable", |shell, args| switch(shell, args, false)),
        shows_or_changes("display", |shell, args| {
            let session = shell.session_mut();
            let list = match args.text("EXPRESSION") {
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

/// A node's value outside its window, as `catch` calls it.
const FAILURES: [(&str, &str); 2] = [("fail-low", "low"), ("fail-high", "high")];

const IF: &str = "if EXPRESSION";

fn catch(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let name = args.required("EVENT")?;
    let failure = FAILURES.iter().find(|(known, _)| *known == name);
    let caught = failure.map_or(("kind", name), |(_, side)| ("fails", *side));
    let set = set(shell, args, Some(caught), Action::Stop);
    set.map_err(|fault| if is_of_pair(&fault) { args.blame("EVENT", fault) } else { fault })
}

/// Whether a fault is about one of the pairs, and not about the expression.
fn is_of_pair(fault: &Fault) -> bool {
    matches!(fault.culprit, Some(Culprit::Named(_)))
}

/// Sets a breakpoint with the conditions given besides this one. Where there are none `break` lists all.
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
    watch_for(shell, args, &BreakpointOptions::Place { conditions: &conditions, action }, (IF, 0))
}

/// Sets what a wish waits for, with the condition that stands in an argument from a byte on. A fault points at the pair it
/// is about, or at its place in the condition.
fn watch_for(
    shell: &mut Shell,
    args: &Args<'_>,
    wish: &BreakpointOptions<'_>,
    (name, from): (&str, usize),
) -> Replied {
    let text = args.text(name).unwrap_or_default();
    let start = after_if(text, from).map_err(|fault| args.blame(name, fault))?;
    let list = shell.session_mut().watch_for(wish, start.map(|start| &text[start..]));
    list.map(boxed).map_err(|fault| match start {
        Some(start) if !is_of_pair(&fault) => {
            let at = fault.at.clone().map(|at| at.start + start..at.end + start);
            args.blame(name, Fault { at, ..fault })
        }
        _ => fault,
    })
}

/// Where the expression behind `if` replaces_game, which must be all there is from a byte on; nothing where there is nothing.
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
    Err(Fault::new(format!("`{word}` is no condition"))
        .hint("write NAME=VALUE, or `if` and an expression")
        .at(from..from + word.len()))
}

const TAIL: &str = "PLY if EXPRESSION";

fn watch_value(shell: &mut Shell, args: &Args<'_>, figure: FrameValue) -> Replied {
    let text = args.text(TAIL).unwrap_or_default();
    let digits = text.split_whitespace().next().unwrap_or_default();
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return watch_for(shell, args, &BreakpointOptions::Value { figure, ply: None }, (TAIL, 0));
    }
    let ply = digits.parse().map_err(|_| {
        let fault = Fault::new(format!("`{digits}` is not a ply"));
        args.blame(TAIL, fault.hint("give a whole number").at(0..digits.len()))
    })?;
    let from = text.len() - text[digits.len()..].trim_start().len();
    let wish = BreakpointOptions::Value { figure, ply: Some(ply) };
    watch_for(shell, args, &wish, (TAIL, from)).map_err(|fault| match fault.at {
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
    let wish = BreakpointOptions::Entry { key: args.required(name)?, access };
    watch_for(shell, args, &wish, (tail, 0)).map_err(|fault| match fault.at {
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
        // The lines of its commands are not to be run as if they stood alone.
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

/// The statements of a list of commands; those of a list within it stay together. Each must name a command.
fn statements(shell: &Shell, text: &str) -> Result<Vec<String>, Fault> {
    if let Some(problem) = command_list::check(text) {
        return Err(Fault::new(problem.message).at(problem.at));
    }
    let mut lines = Vec::new();
    let mut from = 0;
    while let Some(statement) = lexer::next_statement(text, from) {
        shell.check_name(&statement.words)?;
        let end = command_list::end_of(text, &statement).map_or(statement.end, |list| list.after);
        let whole = text[statement.span.start..end].trim_end();
        lines.push(whole.trim_end_matches(';').trim_end().to_owned());
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
