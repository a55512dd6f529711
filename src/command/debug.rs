//! Commands that step a search and look at it.

use super::{Args, Family, Kind, Live, Param, Shell, Spec};
use crate::engine::{
    game::Fault,
    report::Report,
    search::EventKind,
    workbench::{Travel, event_kind},
};

/// The debugger.
pub(super) const FAMILY: Family = Family {
    title: "Debugger",
    commands: &[
        STEP, NEXT, FINISH, UNTIL, CONTINUE, GOTO, WHERE, FRAME, UP, DOWN, PRINT, BREAK, TBREAK,
        CATCH, DELETE, ENABLE, DISABLE,
    ],
};

static KINDS: Live = Live {
    name: "event",
    list: |_| {
        EventKind::ALL
            .iter()
            .map(|kind| kind.name().to_owned())
            .collect()
    },
};

static CONDITIONS: Live = Live {
    name: "condition",
    list: |_| {
        let kinds = EventKind::ALL
            .iter()
            .map(|kind| format!("kind={}", kind.name()));
        ["ply", "depth", "key", "position"]
            .into_iter()
            .map(str::to_owned)
            .chain(kinds)
            .collect()
    },
};

static BREAKPOINTS: Live = Live {
    name: "breakpoint",
    list: |shell| {
        let points = shell.engine.bench().breakpoints().breakpoints;
        points
            .into_iter()
            .map(|point| point.id.to_string())
            .collect()
    },
};

fn travel(shell: &mut Shell, travel: Travel) -> Result<Report, Fault> {
    shell
        .engine
        .bench_mut()
        .travel(travel)
        .map(|stop| Report::Stop(Box::new(stop)))
}

const STEP: Spec = Spec {
    name: "step",
    aliases: &["s", "search step"],
    params: &[Param::word(
        "N",
        Kind::Range(1, u64::MAX),
        "how many events; 1 where none is given",
    )
    .optional()],
    summary: "goes on by one event, or by N",
    details: "Starts a search with the settings in force where none is under way. Events are: iteration, descend (a child is entered), hit, invalid \
              and miss (what the memo said), expand, leaf and terminal (what the node is), store, return, raise and cutoff (a value came back), \
              budget, finish. Breakpoints stop it earlier.",
    examples: &["step", "step 100"],
    run: |shell, args| {
        let events = args.count("N")?.unwrap_or(1);
        travel(shell, Travel::Step(events))
    },
};

const NEXT: Spec = Spec {
    name: "next",
    aliases: &["n"],
    params: &[],
    summary: "goes on by one event, over the subtree it enters",
    details: "",
    examples: &["next"],
    run: |shell, _| travel(shell, Travel::Next),
};

const FINISH: Spec = Spec {
    name: "finish",
    aliases: &[],
    params: &[],
    summary: "goes on until the node at hand has its value and its parent has it",
    details: "",
    examples: &["finish"],
    run: |shell, _| travel(shell, Travel::Finish),
};

const UNTIL: Spec = Spec {
    name: "until",
    aliases: &[],
    params: &[Param::word("EVENT", Kind::Live(&KINDS), "a kind of event")],
    summary: "goes on to the next event of a kind",
    details: "",
    examples: &["until iteration", "until cutoff"],
    run: |shell, args| {
        let kind =
            event_kind(args.required("EVENT")?).map_err(|fault| args.blame("EVENT", fault))?;
        travel(shell, Travel::Until(kind))
    },
};

const CONTINUE: Spec = Spec {
    name: "continue",
    aliases: &["c"],
    params: &[],
    summary: "goes on to the next breakpoint, or the end",
    details: "Also goes on with a search that Ctrl-C or the time stopped, or the budget once it is raised.",
    examples: &["continue"],
    run: |shell, _| travel(shell, Travel::Continue),
};

const GOTO: Spec = Spec {
    name: "goto",
    aliases: &[],
    params: &[Param::word(
        "EVENT",
        Kind::Count,
        "the event's number, from 0",
    )],
    summary: "goes on to an event by its number",
    details: "",
    examples: &["goto 1000"],
    run: |shell, args| {
        let index = args.count("EVENT")?.unwrap_or(0);
        travel(shell, Travel::Goto(index)).map_err(|fault| args.blame("EVENT", fault))
    },
};

const WHERE: Spec = Spec {
    name: "where",
    aliases: &["bt", "search stack"],
    params: &[],
    summary: "shows the search stack, from the root to the node at hand",
    details: "For each frame the side to move, which of its moves is under way, α (its best so far), β, its best move and what the memo said.",
    examples: &["where"],
    run: |shell, _| shell.engine.bench().stack().map(Report::Where),
};

const FRAME: Spec = Spec {
    name: "frame",
    aliases: &["f"],
    params: &[Param::word(
        "PLY",
        Kind::Count,
        "its distance from the root; the selected one where none is given",
    )
    .optional()],
    summary: "selects a frame of the search stack and shows it",
    details: "",
    examples: &["frame", "frame 0"],
    run: |shell, args| {
        let ply = args.count("PLY")?;
        let frame = shell
            .engine
            .bench_mut()
            .frame(ply)
            .map_err(|fault| args.blame("PLY", fault))?;
        Ok(Report::Frame(Box::new(frame)))
    },
};

const UP: Spec = Spec {
    name: "up",
    aliases: &[],
    params: &[],
    summary: "selects the frame one ply nearer to the root",
    details: "",
    examples: &["up"],
    run: |shell, _| beside(shell, |ply| ply.checked_sub(1)),
};

const DOWN: Spec = Spec {
    name: "down",
    aliases: &[],
    params: &[],
    summary: "selects the frame one ply farther from the root",
    details: "",
    examples: &["down"],
    run: |shell, _| beside(shell, |ply| ply.checked_add(1)),
};

fn beside(shell: &mut Shell, step: impl Fn(usize) -> Option<usize>) -> Result<Report, Fault> {
    let bench = shell.engine.bench_mut();
    let selected = bench.stack()?.selected;
    let ply =
        step(selected).ok_or_else(|| Fault::new("this is the root: there is nothing above it"))?;
    bench
        .frame(Some(ply))
        .map(|frame| Report::Frame(Box::new(frame)))
}

const PRINT: Spec = Spec {
    name: "print",
    aliases: &["p"],
    params: &[Param::many(
        "NAME",
        Kind::Choice(PRINTABLE),
        "what to print; everything where nothing is given",
    )
    .optional()],
    summary: "prints values of the selected frame",
    details: "",
    examples: &["print alpha beta best", "print key", "print"],
    run: print,
};

const PRINTABLE: &[super::Choice] = &[
    super::choice("ply", "distance from the root"),
    super::choice("depth", "remaining depth"),
    super::choice("state", "the position"),
    super::choice("move", "the move under way"),
    super::choice("side", "the side to move"),
    super::choice("alpha", "the best so far, or the window's"),
    super::choice("beta", "the window's upper bound"),
    super::choice("best", "the best value so far"),
    super::choice("best_move", "the move that gave it"),
    super::choice("child", "how many moves have been entered"),
    super::choice("children", "how many moves there are"),
    super::choice("memo", "what the memo said"),
    super::choice("key", "the cache key"),
    super::choice("moves", "the moves in search order"),
    super::choice("value", "the value of the last event"),
    super::choice("event", "the last event"),
    super::choice("nodes", "states visited"),
    super::choice("iteration", "the iteration under way"),
];

fn print(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let names: Vec<_> = args.texts("NAME").collect();
    shell.engine.bench().print(&names).map(Report::Printed)
}

const BREAK: Spec = Spec {
    name: "break",
    aliases: &["b"],
    params: &[Param::any_pair(
        "CONDITION",
        &CONDITIONS,
        "ply=, depth=, kind=, key=, position=; all must hold",
    )
    .optional()],
    summary: "sets a breakpoint, or lists them",
    details: "Without a kind it stops where such a node is entered; with one, at that kind of event. position=here is the position at hand; \
              a position with blanks is quoted.",
    examples: &[
        "break ply=2",
        "break kind=cutoff depth=1",
        "break key=99000000000000",
        "break",
    ],
    run: |shell, args| set_breakpoint(shell, args, false),
};

const TBREAK: Spec = Spec {
    name: "tbreak",
    aliases: &[],
    params: &[Param::any_pair(
        "CONDITION",
        &CONDITIONS,
        "ply=, depth=, kind=, key=, position=; all must hold",
    )],
    summary: "sets a breakpoint that is removed when it stops",
    details: "",
    examples: &["tbreak kind=hit"],
    run: |shell, args| set_breakpoint(shell, args, true),
};

fn set_breakpoint(shell: &mut Shell, args: &Args<'_>, temporary: bool) -> Result<Report, Fault> {
    let conditions: Vec<_> = args.pairs().map(|pair| (pair.key, pair.value)).collect();
    let bench = shell.engine.bench_mut();
    if !conditions.is_empty() {
        bench
            .add_breakpoint(&conditions, temporary)
            .map_err(|fault| args.blame_pair(fault))?;
    }
    Ok(Report::Breakpoints(bench.breakpoints()))
}

const CATCH: Spec = Spec {
    name: "catch",
    aliases: &[],
    params: &[Param::word("EVENT", Kind::Live(&KINDS), "a kind of event")],
    summary: "sets a breakpoint on a kind of event",
    details: "",
    examples: &["catch cutoff", "catch invalid"],
    run: |shell, args| {
        let bench = shell.engine.bench_mut();
        let caught = bench.add_breakpoint(&[("kind", args.required("EVENT")?)], false);
        caught.map_err(|fault| args.blame("EVENT", fault))?;
        Ok(Report::Breakpoints(bench.breakpoints()))
    },
};

const DELETE: Spec = Spec {
    name: "delete",
    aliases: &[],
    params: &[Param::word(
        "N",
        Kind::Live(&BREAKPOINTS),
        "its number, or `all`",
    )],
    summary: "removes a breakpoint, or all",
    details: "",
    examples: &["delete 1", "delete all"],
    run: |shell, args| {
        let id = match args.required("N")? {
            "all" => None,
            _ => args.number("N")?,
        };
        let list = shell
            .engine
            .bench_mut()
            .remove_breakpoint(id)
            .map_err(|fault| args.blame("N", fault))?;
        Ok(Report::Breakpoints(list))
    },
};

const ENABLE: Spec = Spec {
    name: "enable",
    aliases: &[],
    params: &[Param::word("N", Kind::Live(&BREAKPOINTS), "its number")],
    summary: "switches a breakpoint on",
    details: "",
    examples: &["enable 1"],
    run: |shell, args| switch(shell, args, true),
};

const DISABLE: Spec = Spec {
    name: "disable",
    aliases: &[],
    params: &[Param::word("N", Kind::Live(&BREAKPOINTS), "its number")],
    summary: "switches a breakpoint off",
    details: "",
    examples: &["disable 1"],
    run: |shell, args| switch(shell, args, false),
};

fn switch(shell: &mut Shell, args: &Args<'_>, enabled: bool) -> Result<Report, Fault> {
    let id = args.number("N")?.unwrap_or(0);
    let list = shell.engine.bench_mut().enable_breakpoint(id, enabled);
    list.map(Report::Breakpoints)
        .map_err(|fault| args.blame("N", fault))
}
