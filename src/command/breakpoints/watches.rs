//! Watchpoints and displays.

use super::{Changes, ShowsOrChanges, after_if, blame};
use crate::{
    command::{Args, Kind, LiveList, Param, Shell, Spec, debug::PRINTABLE},
    engine::{
        debugger::{Access, Figure},
        game::Fault,
        reply::{Replied, boxed},
        workbench::Wish,
    },
};

/// Keys offered by completion.
const OFFERED: usize = 200;

static WATCHABLE: LiveList = LiveList {
    name: "watchable",
    list: |shell| {
        let figures = ["alpha", "beta", "best"].map(str::to_owned);
        let keys = shell.engine.bench().some_keys(OFFERED);
        figures.into_iter().chain(keys).collect()
    },
};

static ENTRIES: LiveList =
    LiveList { name: "entry", list: |shell| shell.engine.bench().some_keys(OFFERED) };

static DISPLAYS: LiveList = LiveList {
    name: "display",
    list: |shell| {
        let shown = shell.engine.bench().displays().displays;
        shown.into_iter().map(|shown| shown.id.to_string()).collect()
    },
};

const TAIL: &str = "PLY if EXPRESSION";

const PLY: Param = Param::rest(
    TAIL,
    Kind::Text,
    "the frame's ply, the selected one where none is given; a condition that must hold besides",
)
.optional();

const ENTRY: Param = Param::word("KEY", Kind::Live(&ENTRIES), super::super::cache::KEY_HELP);

const CLAUSE: Param =
    Param::rest(super::IF, Kind::Text, "a condition that must hold besides").optional();

pub(super) const WATCH: Spec = Spec {
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

pub(super) const RWATCH: Spec = Spec {
    name: "rwatch",
    aliases: &[],
    params: &[ENTRY, CLAUSE],
    summary: "stops when a search asks for a cache entry",
    details: "Whether the entry is there or not, and whether it answers or not. Looking up children to order moves does not count.",
    examples: &["rwatch here:2", "rwatch here:2 if memo == hit"],
    run: Changes(|shell, args| watch_entry(shell, args, "KEY", super::IF, Access::Read)),
};

pub(super) const AWATCH: Spec = Spec {
    name: "awatch",
    aliases: &[],
    params: &[ENTRY, CLAUSE],
    summary: "stops when a cache entry is written or asked for",
    details: "",
    examples: &["awatch here:2"],
    run: Changes(|shell, args| watch_entry(shell, args, "KEY", super::IF, Access::Any)),
};

fn watch_value(shell: &mut Shell, args: &Args<'_>, figure: Figure) -> Replied {
    let text = args.text(TAIL).unwrap_or_default();
    let digits = text.split_whitespace().next().unwrap_or_default();
    let is_ply = digits.starts_with(|c: char| c.is_ascii_digit());
    let (ply, rest) = if is_ply {
        let ply = digits.parse::<u32>().map_err(|_| {
            let fault = Fault::new(format!("`{digits}` is not a ply"));
            args.blame(TAIL, fault.hint("give a whole number").at(0..digits.len()))
        })?;
        (Some(ply), text[digits.len()..].trim_start())
    } else {
        (None, text)
    };
    let at = text.len() - rest.len();
    watch(shell, args, TAIL, (rest, at), &Wish::Value { figure, ply })
}

fn watch_entry(
    shell: &mut Shell,
    args: &Args<'_>,
    name: &str,
    tail: &'static str,
    access: Access,
) -> Replied {
    let key = args.required(name)?;
    let rest = args.text(tail).unwrap_or_default();
    watch(shell, args, tail, (rest, 0), &Wish::Entry { key, access }).map_err(|fault| {
        match fault.at {
            Some(_) if args.has(tail) => fault,
            _ => args.blame(name, fault),
        }
    })
}

/// Sets a watchpoint with the condition that `rest` of an argument holds, if any, `at` so far into it.
fn watch(
    shell: &mut Shell,
    args: &Args<'_>,
    name: &str,
    (rest, at): (&str, usize),
    wish: &Wish<'_>,
) -> Replied {
    let clause = if rest.is_empty() {
        None
    } else {
        Some(after_if(rest, at).map_err(|fault| args.blame(name, fault))?)
    };
    let bench = shell.engine.bench_mut();
    bench
        .watch_for(wish, clause.map(|(_, text)| text))
        .map_err(|fault| blame(args, name, clause, fault))?;
    Ok(boxed(bench.breakpoints()))
}

pub(super) const DISPLAY: Spec = Spec {
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
        list.map(boxed).map_err(|fault| args.blame("EXPRESSION", fault))
    }),
};

pub(super) const UNDISPLAY: Spec = Spec {
    name: "undisplay",
    aliases: &["delete display"],
    params: &[Param::word("N", Kind::Live(&DISPLAYS), "its number, or `all`")],
    summary: "shows a value no more",
    details: "",
    examples: &["undisplay 1", "undisplay all"],
    run: Changes(|shell, args| {
        let id = match args.required("N")? {
            "all" => None,
            _ => args.number("N")?,
        };
        let list = shell.engine.bench_mut().remove_display(id);
        list.map(boxed).map_err(|fault| args.blame("N", fault))
    }),
};
