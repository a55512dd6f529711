//! Commands that step a search and look at it.

use super::{Args, Changes, Family, Kind, LiveList, Param, Shell, Shows, Spec};
use crate::engine::{
    game::Fault,
    reply::{Replied, boxed},
    search::EventKind,
    workbench::{NAMES, PRINTED, Travel, event_kind},
};

/// The debugger.
pub(super) const FAMILY: Family = Family {
    title: "Debugger",
    commands: &[STEP, NEXT, FINISH, UNTIL, ADVANCE, CONTINUE, GOTO, WHERE, FRAME, UP, DOWN, PRINT],
};

pub(super) static KINDS: LiveList = LiveList {
    name: "event",
    list: |_| EventKind::ALL.iter().map(|kind| kind.name().to_owned()).collect(),
};

/// The kind of event that is named.
pub(super) fn kind_named(args: &Args<'_>) -> Result<EventKind, Fault> {
    event_kind(args.required("EVENT")?).map_err(|fault| args.blame("EVENT", fault))
}

fn travel(shell: &mut Shell, travel: Travel) -> Replied {
    let bench = shell.engine.bench_mut();
    let question = if travel == Travel::Step(1) { bench.quiz_before_step() } else { None };
    question.map_or_else(|| bench.travel(travel).map(boxed), |question| Ok(boxed(question)))
}

const STEP: Spec = Spec {
    name: "step",
    aliases: &["s", "search step"],
    params: &[Param::word("N", Kind::Range(1, u64::MAX), "how many events; 1 where none is given")
        .optional()],
    summary: "goes on by one event, or by N",
    details: "Starts a search with the settings in force where none is under way. Events are: iteration, descend (a child is entered), hit, invalid \
              and miss (what the memo said), expand, leaf and terminal (what the node is), stand-pat and captures (the same beyond the horizon, with quiescence=on), store, return, raise and cutoff (a value came back), \
              research and pass (searched again), null, reduce, extend and prune (what selective search decides of a move), \
              budget, finish. Breakpoints stop it earlier.",
    examples: &["step", "step 100"],
    run: Changes(|shell, args| travel(shell, Travel::Step(args.count("N")?.unwrap_or(1)))),
};

const NEXT: Spec = Spec {
    name: "next",
    aliases: &["n"],
    params: &[],
    summary: "goes on by one event, over the subtree it enters",
    details: "",
    examples: &["next"],
    run: Changes(|shell, _| travel(shell, Travel::Next)),
};

const FINISH: Spec = Spec {
    name: "finish",
    aliases: &[],
    params: &[],
    summary: "goes on until the node at hand has its value and its parent has it",
    details: "",
    examples: &["finish"],
    run: Changes(|shell, _| travel(shell, Travel::Finish)),
};

const UNTIL: Spec = Spec {
    name: "until",
    aliases: &[],
    params: &[Param::word("EVENT", Kind::Live(&KINDS), "a kind of event")],
    summary: "goes on to the next event of a kind",
    details: "",
    examples: &["until iteration", "until cutoff"],
    run: Changes(|shell, args| travel(shell, Travel::Until(kind_named(args)?))),
};

const ADVANCE: Spec = Spec {
    name: "advance",
    aliases: &[],
    params: &[Param::rest("LINE", Kind::Text, "moves from the search's root")],
    summary: "goes on to the node that a line of moves leads to",
    details: "Stops where that node is entered next; with `*` at the end of the line, where it or a node below it is.",
    examples: &["advance d6", "advance d6 a4"],
    run: Changes(|shell, args| {
        args.reply("LINE", shell.engine.bench_mut().advance_to(args.required("LINE")?))
    }),
};

const CONTINUE: Spec = Spec {
    name: "continue",
    aliases: &["c"],
    params: &[],
    summary: "goes on to the next breakpoint, or the end",
    details: "Also goes on with a search that Ctrl-C or the time stopped, or the budget once it is raised.",
    examples: &["continue"],
    run: Changes(|shell, _| travel(shell, Travel::Continue)),
};

const GOTO: Spec = Spec {
    name: "goto",
    aliases: &[],
    params: &[Param::word(
        "EVENT",
        Kind::Text,
        "the event's number, from 0, or the name of a mark",
    )],
    summary: "goes to an event by its number, or to a mark, forwards or back",
    details: "",
    examples: &["goto 1000", "goto before"],
    run: Changes(|shell, args| {
        let target = args.required("EVENT")?;
        let bench = shell.engine.bench_mut();
        let stop = match target.parse() {
            Ok(index) => bench.travel(Travel::Goto(index)),
            Err(_) => bench.go_to_named(target),
        };
        args.reply("EVENT", stop)
    }),
};

const WHERE: Spec = Spec {
    name: "where",
    aliases: &["bt", "search stack"],
    params: &[],
    summary: "shows the search stack, from the root to the node at hand",
    details: "For each frame the side to move, which of its moves is under way, α (its best so far), β, its best move and what the memo said.",
    examples: &["where"],
    run: Shows(|shell, _| shell.engine.bench().stack().map(boxed)),
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
    run: Shows(|shell, args| {
        let ply = args.count("PLY")?;
        args.reply("PLY", shell.engine.bench_mut().frame(ply))
    }),
};

const UP: Spec = Spec {
    name: "up",
    aliases: &[],
    params: &[],
    summary: "selects the frame one ply nearer to the root",
    details: "",
    examples: &["up"],
    run: Shows(|shell, _| beside(shell, |ply| ply.checked_sub(1))),
};

const DOWN: Spec = Spec {
    name: "down",
    aliases: &[],
    params: &[],
    summary: "selects the frame one ply farther from the root",
    details: "",
    examples: &["down"],
    run: Shows(|shell, _| beside(shell, |ply| ply.checked_add(1))),
};

fn beside(shell: &mut Shell, step: impl Fn(usize) -> Option<usize>) -> Replied {
    let bench = shell.engine.bench_mut();
    let selected = bench.stack()?.selected;
    let ply =
        step(selected).ok_or_else(|| Fault::new("this is the root: there is nothing above it"))?;
    bench.frame(Some(ply)).map(boxed)
}

const PRINT: Spec = Spec {
    name: "print",
    aliases: &["p"],
    params: &[Param::rest(
        "NAME or EXPRESSION",
        Kind::Live(&PRINTABLE),
        "what to print; everything where nothing is given",
    )
    .optional()],
    summary: "prints values of the selected frame, or what an expression is worth",
    details: "Several names print several values. An expression is made of names, numbers, + - * /, comparisons, and, or, not and \
              parentheses. A value that is not there equals none. `help break` lists the names.",
    examples: &[
        "print alpha beta best",
        "print beta - alpha",
        "print best == none or best < 0",
        "print",
    ],
    run: Shows(|shell, args| {
        let text = args.text("NAME or EXPRESSION").unwrap_or_default();
        args.reply("NAME or EXPRESSION", shell.engine.bench().print(text))
    }),
};

/// What `print` and `display` know by name.
pub(super) static PRINTABLE: LiveList = LiveList {
    name: "value",
    list: |_| {
        let names = NAMES.into_iter();
        let others = PRINTED.iter().map(|(name, _)| *name);
        names.chain(others).map(str::to_owned).collect()
    },
};
