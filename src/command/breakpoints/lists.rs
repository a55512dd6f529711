//! What can be done with breakpoints once they are set.

use crate::{
    command::{Args, Changes, Kind, LiveList, Param, Shell, Shows, Spec, block, lexer},
    engine::{
        game::Fault,
        reply::{Replied, boxed},
    },
};

static BREAKPOINTS: LiveList = LiveList {
    name: "breakpoint",
    list: |shell| {
        let points = shell.engine.bench().breakpoints().breakpoints;
        points.into_iter().map(|point| point.id.to_string()).collect()
    },
};

const NUMBER: Param = Param::word("N", Kind::Live(&BREAKPOINTS), "its number");

pub(super) const INFO: Spec = Spec {
    name: "info breakpoints",
    aliases: &["info break", "info watchpoints"],
    params: &[],
    summary: "lists breakpoints, watchpoints and traces with all that is known of them",
    details: "What each waits for, how often it happened, how often it is still to be ignored, and the commands run when it stops.",
    examples: &["info breakpoints"],
    run: Shows(|shell, _| Ok(boxed(shell.engine.bench().breakpoints()))),
};

pub(super) const CONDITION: Spec = Spec {
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

pub(super) const IGNORE: Spec = Spec {
    name: "ignore",
    aliases: &[],
    params: &[NUMBER, Param::word("COUNT", Kind::Count, "how many times; 0 for no more")],
    summary: "lets a breakpoint pass so many times before it stops again",
    details: "They count as hits all the same.",
    examples: &["ignore 1 10", "ignore 1 0"],
    run: Changes(|shell, args| {
        let times = args.count("COUNT")?.unwrap_or(0);
        let bench = shell.engine.bench_mut();
        let list = bench.ignore_breakpoint(number(args)?, times);
        list.map(boxed).map_err(|fault| args.blame("N", fault))
    }),
};

pub(super) const COMMANDS: Spec = Spec {
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
    let Some(id) = args.number("N")?.or_else(newest) else {
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
    let list = shell.engine.bench_mut().command_breakpoint(id, lines);
    list.map(boxed).map_err(|fault| args.blame("N", fault))
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

pub(super) const SILENT: Spec = Spec {
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

pub(super) const END: Spec = Spec {
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

pub(super) const DELETE: Spec = Spec {
    name: "delete",
    aliases: &[],
    params: &[Param::word("N", Kind::Live(&BREAKPOINTS), "its number, or `all`")],
    summary: "removes a breakpoint, or all",
    details: "",
    examples: &["delete 1", "delete all"],
    run: Changes(|shell, args| {
        let id = match args.required("N")? {
            "all" => None,
            _ => args.number("N")?,
        };
        let list = shell
            .engine
            .bench_mut()
            .remove_breakpoint(id)
            .map_err(|fault| args.blame("N", fault))?;
        Ok(boxed(list))
    }),
};

pub(super) const ENABLE: Spec = Spec {
    name: "enable",
    aliases: &[],
    params: &[NUMBER],
    summary: "switches a breakpoint on",
    details: "",
    examples: &["enable 1"],
    run: Changes(|shell, args| switch(shell, args, true)),
};

pub(super) const DISABLE: Spec = Spec {
    name: "disable",
    aliases: &[],
    params: &[NUMBER],
    summary: "switches a breakpoint off",
    details: "",
    examples: &["disable 1"],
    run: Changes(|shell, args| switch(shell, args, false)),
};

fn number(args: &Args<'_>) -> Result<u32, Fault> {
    Ok(args.number("N")?.unwrap_or(0))
}

fn switch(shell: &mut Shell, args: &Args<'_>, enabled: bool) -> Replied {
    let bench = shell.engine.bench_mut();
    let list = bench.enable_breakpoint(number(args)?, enabled);
    list.map(boxed).map_err(|fault| args.blame("N", fault))
}
