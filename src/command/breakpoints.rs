//! Commands about what stops a search, or is shown when it stops.

use super::{
    Args, Changes, Family, Kind, LiveList, Param, Shell, Shows, ShowsOrChanges, Spec, block,
    cache::{KEY_HELP, KEYS},
    debug::{KINDS, PRINTABLE},
    lexer,
};
use crate::engine::{
    debugger::{Access, Action, Figure},
    game::Fault,
    reply::{Replied, boxed},
    search::EventKind,
    workbench::{CONDITIONS, Wish},
};

/// Breakpoints, watchpoints, traces and displays.
pub(super) const FAMILY: Family = Family {
    title: "Breakpoints",
    commands: &[
        BREAK, TBREAK, CATCH, TRACE, WATCH, RWATCH, AWATCH, INFO, CONDITION, IGNORE, COMMANDS,
        SILENT, END, DELETE, ENABLE, DISABLE, DISPLAY, UNDISPLAY,
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
    run: ShowsOrChanges(|shell, args| set(shell, args, None, Action::Stop)),
};

const TBREAK: Spec = Spec {
    name: "tbreak",
    aliases: &[],
    params: &[PLACE, CLAUSE],
    summary: "sets a breakpoint that is removed when it stops",
    details: "Conditions are those of `break`.",
    examples: &["tbreak kind=hit", "tbreak if nodes >= 1000"],
    run: Changes(|shell, args| set(shell, args, None, Action::Once)),
};

const TRACE: Spec = Spec {
    name: "trace",
    aliases: &["tp"],
    params: &[PLACE, CLAUSE],
    summary: "prints a line wherever conditions hold, and does not stop",
    details: "Conditions are those of `break`. The lines are shown when the search stops, the first hundred of each run; the others are counted.",
    examples: &["trace kind=cutoff ply=1", "trace if event == raise and value > 0"],
    run: Changes(|shell, args| set(shell, args, None, Action::Trace)),
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

fn catch(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let name = args.required("EVENT")?;
    let failure = FAILURES.iter().find(|(known, _)| *known == name);
    let caught = failure.map_or(("kind", name), |(_, side)| ("fails", *side));
    set(shell, args, Some(caught), Action::Stop).map_err(|fault| match fault.about.as_deref() {
        Some("kind") if args.pairs().all(|pair| pair.key != "kind") => args.blame("EVENT", fault),
        _ => fault,
    })
}

/// Sets a breakpoint with the conditions given besides this one. Where there are none `break` lists all.
fn set(
    shell: &mut Shell,
    args: &Args<'_>,
    caught: Option<(&str, &str)>,
    action: Action,
) -> Replied {
    let pairs = args.pairs().map(|pair| (pair.key, pair.value));
    let conditions: Vec<_> = caught.into_iter().chain(pairs).collect();
    if conditions.is_empty() && !args.has(IF) {
        if action == Action::Stop {
            return Ok(boxed(shell.engine.bench().breakpoints()));
        }
        return Err(Fault::new(format!("`{}` needs a condition", args.spec().name))
            .hint(format!("usage: {}", args.spec().usage())));
    }
    watch_for(shell, args, &Wish::Place { conditions: &conditions, action }, (IF, 0))
}

/// Sets what a wish waits for, with the condition that stands in an argument from a byte on, if any. A fault points at the
/// pair it is about, or at its place in the condition.
fn watch_for(
    shell: &mut Shell,
    args: &Args<'_>,
    wish: &Wish<'_>,
    (name, from): (&str, usize),
) -> Replied {
    let text = args.text(name).unwrap_or_default();
    let start = after_if(text, from).map_err(|fault| args.blame(name, fault))?;
    let list = shell.engine.bench_mut().watch_for(wish, start.map(|start| &text[start..]));
    list.map(boxed).map_err(|fault| match start {
        _ if fault.about.is_some() => args.blame_pair(fault),
        None => fault,
        Some(start) => {
            let at = fault.at.clone().map(|at| at.start + start..at.end + start);
            args.blame(name, Fault { at, ..fault })
        }
    })
}

/// Where the expression behind `if` begins, which must be all there is from a byte on; nothing where there is nothing.
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

static WATCHABLE: LiveList = LiveList {
    name: "watchable",
    list: |shell| {
        let figures = ["alpha", "beta", "best"].map(str::to_owned);
        figures.into_iter().chain((KEYS.list)(shell)).collect()
    },
};

const TAIL: &str = "PLY if EXPRESSION";

const PLY: Param = Param::rest(
    TAIL,
    Kind::Text,
    "the frame's ply, the selected one where none is given; a condition that must hold besides",
)
.optional();

const ENTRY: Param = Param::word("KEY", Kind::Live(&KEYS), KEY_HELP);

const WATCH: Spec = Spec {
    name: "watch",
    aliases: &[],
    params: &[
        Param::word(
            "WHAT",
            Kind::Live(&WATCHABLE),
            "alpha, beta or best of a frame, or the KEY:DEPTH of a cache entry",
        ),
        PLY,
    ],
    summary: "stops when a cache entry is written, or a frame's alpha, beta or best changes",
    details: "Shows the old and the new. A frame's value is watched by ply: another node there begins anew, which is no change. The condition is as in `break`.",
    examples: &["watch best 0", "watch alpha", "watch here:2", "watch best 1 if value > 0"],
    run: Changes(|shell, args| {
        let what = args.required("WHAT")?;
        match Figure::called(what) {
            Some(figure) => watch_value(shell, args, figure),
            None => watch_entry(shell, args, "WHAT", TAIL, Access::Write),
        }
    }),
};

const RWATCH: Spec = Spec {
    name: "rwatch",
    aliases: &[],
    params: &[ENTRY, CLAUSE],
    summary: "stops when a search asks for a cache entry",
    details: "Whether the entry is there or not, and whether it answers or not. Looking up children to order moves does not count.",
    examples: &["rwatch here:2", "rwatch here:2 if memo == hit"],
    run: Changes(|shell, args| watch_entry(shell, args, "KEY", IF, Access::Read)),
};

const AWATCH: Spec = Spec {
    name: "awatch",
    aliases: &[],
    params: &[ENTRY, CLAUSE],
    summary: "stops when a cache entry is written or asked for",
    details: "",
    examples: &["awatch here:2"],
    run: Changes(|shell, args| watch_entry(shell, args, "KEY", IF, Access::Any)),
};

fn watch_value(shell: &mut Shell, args: &Args<'_>, figure: Figure) -> Replied {
    let text = args.text(TAIL).unwrap_or_default();
    let digits = text.split_whitespace().next().unwrap_or_default();
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return watch_for(shell, args, &Wish::Value { figure, ply: None }, (TAIL, 0));
    }
    let ply = digits.parse().map_err(|_| {
        let fault = Fault::new(format!("`{digits}` is not a ply"));
        args.blame(TAIL, fault.hint("give a whole number").at(0..digits.len()))
    })?;
    let from = text.len() - text[digits.len()..].trim_start().len();
    watch_for(shell, args, &Wish::Value { figure, ply: Some(ply) }, (TAIL, from))
}

fn watch_entry(
    shell: &mut Shell,
    args: &Args<'_>,
    name: &str,
    tail: &str,
    access: Access,
) -> Replied {
    let wish = Wish::Entry { key: args.required(name)?, access };
    watch_for(shell, args, &wish, (tail, 0)).map_err(|fault| match fault.at {
        Some(_) if args.has(tail) => fault,
        _ => args.blame(name, fault),
    })
}

static BREAKPOINTS: LiveList = LiveList {
    name: "breakpoint",
    list: |shell| {
        let points = shell.engine.bench().breakpoints().breakpoints;
        points.into_iter().map(|point| point.id.to_string()).collect()
    },
};

const NUMBER: Param = Param::word("N", Kind::Live(&BREAKPOINTS), "its number");

const INFO: Spec = Spec {
    name: "info breakpoints",
    aliases: &["info break", "info watchpoints"],
    params: &[],
    summary: "lists breakpoints, watchpoints and traces with all that is known of them",
    details: "What each waits for, how often it happened, how often it is still to be ignored, and the commands run when it stops.",
    examples: &["info breakpoints"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().breakpoints()))),
};

const CONDITION: Spec = Spec {
    name: "condition",
    aliases: &[],
    params: &[
        NUMBER,
        Param::rest("EXPRESSION", Kind::Text, "the new condition; none where nothing is given")
            .optional(),
    ],
    summary: "changes the condition of a breakpoint",
    details: "Expressions are those of `break … if`.",
    examples: &["condition 1 value > 0 and ply < 3", "condition 1"],
    run: Changes(|shell, args| {
        let text = args.text("EXPRESSION");
        let list = shell.engine.bench_mut().condition_breakpoint(number(args)?, text);
        list.map(boxed).map_err(|fault| match fault.at {
            Some(_) => args.blame("EXPRESSION", fault),
            None => args.blame("N", fault),
        })
    }),
};

const IGNORE: Spec = Spec {
    name: "ignore",
    aliases: &[],
    params: &[NUMBER, Param::word("COUNT", Kind::Count, "how many times; 0 for no more")],
    summary: "lets a breakpoint pass so many times before it stops again",
    details: "They count as hits all the same.",
    examples: &["ignore 1 10", "ignore 1 0"],
    run: Changes(|shell, args| {
        let times = args.count("COUNT")?.unwrap_or(0);
        args.reply("N", shell.engine.bench_mut().ignore_breakpoint(number(args)?, times))
    }),
};

const COMMANDS: Spec = Spec {
    name: "commands",
    aliases: &[],
    params: &[
        Param::word(
            "N",
            Kind::Live(&BREAKPOINTS),
            "the breakpoint's number; the newest where none is given",
        )
        .optional(),
        Param::verbatim(
            "COMMANDS",
            Kind::CommandLine,
            "the commands, in quotes; the lines up to `end` where nothing is given",
        )
        .optional(),
    ],
    summary: "commands to run whenever a breakpoint stops the search",
    details: "Either on the same line or on the lines that follow, up to `end`. `silent` as the first one keeps the stop itself from being printed. \
              Where one of them goes on with the search and that stops at a breakpoint with commands, the rest of these is not run. \
              An empty list takes the commands away.",
    examples: &[
        "commands 1 \"where; print best\"",
        "commands 1 \"silent; print beta - alpha; continue\"",
        "commands 1\nsilent\nprint best\nend",
        "commands 1 \"\"",
    ],
    run: Changes(commands),
};

fn commands(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let list = shell.engine.bench().breakpoints().breakpoints;
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
            shell.take_block()?;
        }
        return Err(args.blame("N", fault.hint("`info breakpoints` lists them")));
    }
    let lines = if let Some(text) = args.text("COMMANDS") {
        statements(shell, text).map_err(|fault| args.blame("COMMANDS", fault))?
    } else {
        let block = shell.take_block()?;
        statements(shell, &block).map_err(|fault| Fault { at: None, ..fault })?
    };
    args.reply("N", shell.engine.bench_mut().command_breakpoint(id, lines))
}

/// The statements of a list of commands; those of a list within it stay together. Each must name a command.
fn statements(shell: &Shell, text: &str) -> Result<Vec<String>, Fault> {
    if let Some(problem) = block::check(text) {
        return Err(Fault::new(problem.message).at(problem.at));
    }
    let mut lines = Vec::new();
    let mut from = 0;
    while let Some(lexed) = lexer::next_statement(text, from) {
        shell.check_name(&lexed.statement.words)?;
        let end = block::end_of(text, &lexed).map_or(lexed.end, |block| block.after);
        let whole = text[lexed.statement.span.start..end].trim_end();
        lines.push(whole.trim_end_matches(';').trim_end().to_owned());
        from = end;
    }
    Ok(lines)
}

const SILENT: Spec = Spec {
    name: block::SILENT,
    aliases: &[],
    params: &[],
    summary: "as the first of a breakpoint's commands: the stop is not printed",
    details: "Programs that read JSON are told of every stop all the same.",
    examples: &["silent"],
    run: Shows(|_, _| {
        Err(Fault::new("`silent` says something as the first of a breakpoint's commands only")
            .hint("`commands N` begins a list of them"))
    }),
};

const END: Spec = Spec {
    name: block::END,
    aliases: &[],
    params: &[],
    summary: "ends the list that `commands` began",
    details: "",
    examples: &["end"],
    run: Shows(|_, _| {
        Err(Fault::new("`end` ends nothing here").hint("`commands N` begins what it ends"))
    }),
};

const DELETE: Spec = Spec {
    name: "delete",
    aliases: &[],
    params: &[Param::word("N", Kind::Live(&BREAKPOINTS), "its number, or `all`")],
    summary: "removes a breakpoint, or all",
    details: "",
    examples: &["delete 1", "delete all"],
    run: Changes(|shell, args| {
        args.reply("N", shell.engine.bench_mut().remove_breakpoint(number_or_all(args)?))
    }),
};

const ENABLE: Spec = Spec {
    name: "enable",
    aliases: &[],
    params: &[NUMBER],
    summary: "switches a breakpoint on",
    details: "",
    examples: &["enable 1"],
    run: Changes(|shell, args| switch(shell, args, true)),
};

const DISABLE: Spec = Spec {
    name: "disable",
    aliases: &[],
    params: &[NUMBER],
    summary: "switches a breakpoint off",
    details: "",
    examples: &["disable 1"],
    run: Changes(|shell, args| switch(shell, args, false)),
};

static DISPLAYS: LiveList = LiveList {
    name: "display",
    list: |shell| {
        let shown = shell.engine.bench().displays().displays;
        shown.into_iter().map(|shown| shown.id.to_string()).collect()
    },
};

const DISPLAY: Spec = Spec {
    name: "display",
    aliases: &[],
    params: &[Param::rest(
        "EXPRESSION",
        Kind::Live(&PRINTABLE),
        "a name or an expression, as `print` reads it",
    )
    .optional()],
    summary: "shows a value after every stop, or lists those shown",
    details: "",
    examples: &["display best", "display beta - alpha", "display"],
    run: ShowsOrChanges(|shell, args| {
        let bench = shell.engine.bench_mut();
        let list = match args.text("EXPRESSION") {
            None => Ok(bench.displays()),
            Some(text) => bench.add_display(text),
        };
        args.reply("EXPRESSION", list)
    }),
};

const UNDISPLAY: Spec = Spec {
    name: "undisplay",
    aliases: &["delete display"],
    params: &[Param::word("N", Kind::Live(&DISPLAYS), "its number, or `all`")],
    summary: "shows a value no more",
    details: "",
    examples: &["undisplay 1", "undisplay all"],
    run: Changes(|shell, args| {
        args.reply("N", shell.engine.bench_mut().remove_display(number_or_all(args)?))
    }),
};

fn number(args: &Args<'_>) -> Result<u32, Fault> {
    Ok(args.count("N")?.unwrap_or(0))
}

/// A number, or nothing for `all`.
fn number_or_all(args: &Args<'_>) -> Result<Option<u32>, Fault> {
    if args.required("N")? == "all" { Ok(None) } else { args.count("N") }
}

fn switch(shell: &mut Shell, args: &Args<'_>, enabled: bool) -> Replied {
    args.reply("N", shell.engine.bench_mut().enable_breakpoint(number(args)?, enabled))
}
