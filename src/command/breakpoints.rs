//! Commands about what stops a search, or is shown when it stops.

mod lists;
mod watches;

use super::{
    Args, Changes, Family, Kind, LiveList, Param, Shell, ShowsOrChanges, Spec, debug::KINDS,
};
use crate::engine::search::EventKind;
use crate::engine::{
    debugger::Action,
    game::Fault,
    reply::{Replied, boxed},
    workbench::{CONDITIONS, Wish},
};

/// Breakpoints, watchpoints, traces and displays.
pub(super) const FAMILY: Family = Family {
    title: "Breakpoints",
    commands: &[
        BREAK,
        TBREAK,
        CATCH,
        TRACE,
        watches::WATCH,
        watches::RWATCH,
        watches::AWATCH,
        lists::INFO,
        lists::CONDITION,
        lists::IGNORE,
        lists::COMMANDS,
        lists::SILENT,
        lists::END,
        lists::DELETE,
        lists::ENABLE,
        lists::DISABLE,
        watches::DISPLAY,
        watches::UNDISPLAY,
    ],
};

static PLACES: LiveList = LiveList {
    name: "condition",
    list: |_| {
        let kinds = EventKind::ALL.iter().map(|kind| format!("kind={}", kind.name()));
        let fails = ["fails=low", "fails=high"].map(str::to_owned);
        CONDITIONS
            .into_iter()
            .filter(|name| !matches!(*name, "kind" | "fails"))
            .map(str::to_owned)
            .chain(kinds)
            .chain(fails)
            .collect()
    },
};

static CAUGHT: LiveList = LiveList {
    name: "caught",
    list: |shell| {
        let mut names = (KINDS.list)(shell);
        names.extend(FAILURES.map(|(name, _)| name.to_owned()));
        names
    },
};

/// A node's value outside its window, as `catch` calls it.
const FAILURES: [(&str, &str); 2] = [("fail-low", "low"), ("fail-high", "high")];

const IF: &str = "if EXPRESSION";

const PLACE: Param = Param::any_pair(
    "CONDITION",
    &PLACES,
    "ply=, depth=, kind=, fails=, key=, position=, class=, line=; all must hold",
)
.optional();

const CLAUSE: Param = Param::rest(IF, Kind::Text, "a condition that must hold besides").optional();

const BREAK: Spec = Spec {
    name: "break",
    aliases: &["b"],
    params: &[PLACE, CLAUSE],
    summary: "sets a breakpoint, or lists them",
    details: "All conditions must hold. key= is a cache key, position= a position (quoted where it has blanks; `here` is the one at hand), class= \
              any of its symmetric twins, line= the moves from the root that lead to the node (`*` at the end: and all below), fails= a node whose value \
              is at or below (low) or at or above (high) its window. EXPRESSION compares alpha, beta, value, best, depth, ply, nodes, index, iteration, \
              child and children with numbers, and event (or kind), move, side, memo, key and state with words; it may hold + - * /, and, or, not and \
              parentheses, and a value that is not there equals none. Without kind= or fails= it stops where such a node is entered, or, where the \
              expression asks for more, at the events that tell: value where a value is found or comes back, best where it rises, memo where the memo was \
              asked, child and children once the moves are listed.",
    examples: &[
        "break ply=2",
        "break kind=cutoff depth=1",
        "break key=99000000000000",
        "break line=\"d6 a4\"",
        "break class=here if alpha > 0",
        "break if ply == 2 and side == w and beta - alpha < 0.5",
        "break",
    ],
    run: ShowsOrChanges(|shell, args| set(shell, args, &[], Action::Stop)),
};

const TBREAK: Spec = Spec {
    name: "tbreak",
    aliases: &[],
    params: &[PLACE, CLAUSE],
    summary: "sets a breakpoint that is removed when it stops",
    details: "Conditions are those of `break`.",
    examples: &["tbreak kind=hit", "tbreak if nodes >= 1000"],
    run: Changes(|shell, args| {
        given(args)?;
        set(shell, args, &[], Action::Once)
    }),
};

const TRACE: Spec = Spec {
    name: "trace",
    aliases: &["tp"],
    params: &[PLACE, CLAUSE],
    summary: "prints a line wherever conditions hold, and does not stop",
    details: "Conditions are those of `break`. The lines are shown when the search stops, the first hundred of each run; the others are counted.",
    examples: &["trace kind=cutoff ply=1", "trace if event == raise and value > 0"],
    run: Changes(|shell, args| {
        given(args)?;
        set(shell, args, &[], Action::Trace)
    }),
};

const CATCH: Spec = Spec {
    name: "catch",
    aliases: &[],
    params: &[
        Param::word("EVENT", Kind::Live(&CAUGHT), "a kind of event, fail-low or fail-high"),
        PLACE,
        CLAUSE,
    ],
    summary: "sets a breakpoint on a kind of event",
    details: "fail-low and fail-high are nodes whose value is at or below, or at or above, the window they were searched with. Further conditions are \
              those of `break`.",
    examples: &[
        "catch cutoff",
        "catch invalid",
        "catch fail-low ply=1",
        "catch raise if value > 0.2",
    ],
    run: Changes(catch),
};

/// Refuses a breakpoint without conditions where that does not ask for the list.
fn given(args: &Args<'_>) -> Result<(), Fault> {
    if args.pairs().next().is_some() || args.has(IF) {
        return Ok(());
    }
    Err(Fault::new(format!("`{}` needs a condition", args.spec().name))
        .hint(format!("usage: {}", args.spec().usage())))
}

fn catch(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let name = args.required("EVENT")?;
    let failure = FAILURES.iter().find(|(known, _)| *known == name);
    let caught = failure.map_or(("kind", name), |(_, side)| ("fails", *side));
    set(shell, args, &[caught], Action::Stop).map_err(|fault| match fault.about.as_deref() {
        Some("kind") if args.pairs().all(|pair| pair.key != "kind") => args.blame("EVENT", fault),
        _ => fault,
    })
}

/// Sets a breakpoint with the conditions given besides these; lists all where there are none.
fn set(shell: &mut Shell, args: &Args<'_>, besides: &[(&str, &str)], action: Action) -> Replied {
    let pairs = args.pairs().map(|pair| (pair.key, pair.value));
    let conditions: Vec<_> = besides.iter().copied().chain(pairs).collect();
    let clause = clause(args, IF)?;
    let bench = shell.engine.bench_mut();
    if !conditions.is_empty() || clause.is_some() {
        let wish = Wish::Place { conditions: &conditions, action };
        let text = clause.as_ref().map(|(_, text)| *text);
        bench.watch_for(&wish, text).map_err(|fault| blame(args, IF, clause, fault))?;
    }
    Ok(boxed(bench.breakpoints()))
}

/// The expression behind `if`, and where it begins in the argument.
fn clause<'a>(args: &'a Args<'_>, name: &str) -> Result<Option<(usize, &'a str)>, Fault> {
    args.text(name)
        .map(|text| after_if(text, 0).map_err(|fault| args.blame(name, fault)))
        .transpose()
}

/// What stands behind `if`, `at` so many bytes into the argument.
fn after_if(text: &str, at: usize) -> Result<(usize, &str), Fault> {
    let rest = text.strip_prefix("if").filter(|rest| {
        let next = rest.chars().next();
        next.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '!'))
    });
    if let Some(rest) = rest {
        return Ok((at + 2, rest));
    }
    let word = text.split_whitespace().next().unwrap_or_default();
    Err(Fault::new(format!("`{word}` is no condition"))
        .hint("write NAME=VALUE, or `if` and an expression")
        .at(at..at + word.len()))
}

/// Points a fault at the condition it is about, or at its place in the expression.
fn blame(args: &Args<'_>, name: &str, clause: Option<(usize, &str)>, fault: Fault) -> Fault {
    if fault.about.is_some() {
        return args.blame_pair(fault);
    }
    let Some((start, _)) = clause else {
        return fault;
    };
    let at = fault.at.clone().map(|at| at.start + start..at.end + start);
    args.blame(name, Fault { at, ..fault })
}
