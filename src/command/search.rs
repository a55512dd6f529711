//! Commands that search at full speed, and how searches run.

pub(super) mod comparing;

use super::{Args, Changes, Choice, Family, Kind, LiveList, Param, Shell, Shows, Spec, choice};
use crate::engine::{
    game::Fault,
    reply::{Replied, boxed, message},
    settings::SETTINGS,
};

/// Searching.
pub(super) const FAMILY: Family = Family {
    title: "Search",
    commands: &[SET, SHOW, VALUE, RUN, comparing::SEARCHES, RESULT, DROP, BENCH],
};

pub(super) static SETTING_LIST: LiveList = LiveList {
    name: "setting",
    list: |_| {
        let spelled = SETTINGS.iter().flat_map(|setting| match setting.choices() {
            choices if choices.is_empty() => vec![setting.name.to_owned()],
            choices => choices.iter().map(|value| format!("{}={value}", setting.name)).collect(),
        });
        spelled.collect()
    },
};

const SET: Spec = Spec {
    name: "search set",
    aliases: &["set"],
    params: &[Param::any_pair("SETTING", &SETTING_LIST, "the settings to change")],
    summary: "changes how searches run",
    details: "`search show all` lists every setting with its meaning. algorithm: minimax, alphabeta, \
              pvs or mtdf; aspiration= begins iterations of alphabeta and pvs with a window around the value of the last one. order: by the cache \
              (memo), captures, killers, history, the heuristic (static), several of these joined by +, none, those that suit \
              the game (usual), or as the seeds; auto is usual in sound and seed in seed fidelity. root: every move of the root gets its value \
              (all), or a best one only (best), which is faster. memo: nothing, exact values, values with their window (interval), \
              bounds (bound), or learned values in place of the heuristic (rote). quiescence: captures, promotions and checks, four plies \
              at most, and a side may stand pat. Changes that give cache entries another meaning empty the cache, and say so. fidelity=seed \
              has searches run as the seed programs do, their defects included, and sets each defect's own switch (auto|seed|sound) back \
              to auto.",
    examples: &[
        "search set memo=interval depth=6",
        "search set fidelity=seed keys=colour",
        "search set budget=100000",
    ],
    run: Changes(|shell, args| {
        let pairs: Vec<_> = args.pairs().map(|pair| (pair.key, pair.value)).collect();
        let set = shell.engine.bench_mut().set_settings(&pairs);
        set.map(boxed).map_err(|fault| args.blame_pair(fault))
    }),
};

const SHOW: Spec = Spec {
    name: "search show",
    aliases: &["settings"],
    params: &[Param::word("WHICH", Kind::Choice(WHICH), "every setting").optional()],
    summary: "shows how searches run",
    details: "What is seldom changed is shown where it has been. The switches of the seeds' defects are one line: which of them differ from the \
              fidelity. JSON has every setting.",
    examples: &["search show", "search show all"],
    run: Shows(|shell, args| Ok(boxed(shell.engine.bench().settings(args.has("WHICH"))))),
};

const WHICH: &[Choice] = &[choice("all", "the rare ones, the other game's, and each defect")];

const VALUE: Spec = Spec {
    name: "search value",
    aliases: &["value"],
    params: &[
        Param::flag(
            "depth",
            Kind::Range(0, 255),
            "remaining depth at the root (the seeds' limit); the setting's where none is given",
        ),
        Param::flag(
            "alpha",
            Kind::Score,
            "lower bound of the window; the full window's where none is given",
        ),
        Param::flag("beta", Kind::Score, "upper bound of the window"),
    ],
    summary: "finds the value of the position at one depth",
    details: "One call of the search, with the settings in force and no budget. The value is for the side to move. Ctrl-C stops it.",
    examples: &["search value --depth 4", "search value --depth 3 --alpha -0.1 --beta 0.1"],
    run: Changes(value),
};

fn value(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let depth = args.count("depth")?;
    let bench = shell.engine.bench_mut();
    let depth = depth.or(bench.depth_setting()).ok_or_else(|| {
        Fault::new("which depth?")
            .hint("`search value --depth 4`, or `search set depth=4` for good")
    })?;
    bench.value(depth, args.score("alpha")?, args.score("beta")?).map(boxed)
}

/// Limits of one search, in place of the settings' own.
pub(super) const LIMITS: &[Param] = &[
    Param::flag("depth", Kind::Range(1, 255), "plies from the root, for this run"),
    Param::flag("budget", Kind::Range(1, u64::MAX), "states to visit, for this run"),
    Param::flag("time", Kind::Range(1, u64::MAX), "milliseconds, for this run"),
];

const RUN: Spec = Spec {
    name: "search run",
    aliases: &["run", "go"],
    params: LIMITS,
    summary: "searches for the best moves",
    details: "Iterative deepening with the settings in force: every root move with the full window, deeper and deeper, until the depth is reached \
              or the budget or the time is used up. Without any limit the budget is 25000 states. `depth` counts plies from the root, the \
              root's own move included. Breakpoints stop it; Ctrl-C stops it and keeps it for `continue`.",
    examples: &["search run", "search run --depth 6", "search run --time 2000"],
    run: Changes(run),
};

/// Runs with other limits, which are then as they were.
pub(super) fn run(shell: &mut Shell, args: &Args<'_>) -> Replied {
    with_limits(args, |limits| shell.engine.bench_mut().run(limits).map(boxed))
}

/// The limits given, as settings.
pub(super) fn with_limits<T>(
    args: &Args<'_>,
    search: impl FnOnce(&[(&str, &str)]) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let limits = [("depth", "depth"), ("budget", "budget"), ("time", "time_ms")];
    let given = |(flag, setting)| Some((setting, args.text(flag)?.replace('_', "")));
    let given: Vec<(&str, String)> = limits.into_iter().filter_map(given).collect();
    let pairs: Vec<_> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    search(&pairs)
}

const RESULT: Spec = Spec {
    name: "search result",
    aliases: &[],
    params: &[],
    summary: "shows what the search under way has found so far",
    details: "",
    examples: &["search result"],
    run: Shows(|shell, _| shell.engine.bench().result().map(boxed)),
};

const DROP: Spec = Spec {
    name: "search drop",
    aliases: &[],
    params: &[],
    summary: "forgets the search under way",
    details: "The cache keeps what it stored.",
    examples: &["search drop"],
    run: Changes(|shell, _| {
        let dropped = shell.engine.bench_mut().drop_search();
        Ok(message(if dropped {
            "the search is dropped: `step` and `search run` begin another"
        } else {
            "there is no search to drop"
        }))
    }),
};

const BENCH: Spec = Spec {
    name: "bench",
    aliases: &[],
    params: &[],
    summary: "prints the program's fingerprint: nodes over fixed positions and settings",
    details: "The same on every machine; a change of it is a change of behaviour.",
    examples: &["bench", "bench --json"],
    run: Shows(|shell, _| shell.engine.fingerprint().map(boxed)),
};
