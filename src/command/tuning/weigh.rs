//! Weight sets held against each other: on one position, on suites of them, one weight over a range, term by term.

use std::{ffi::OsStr, path::Path};

use super::{Args, Kind, NAMES, Param, SETS, Shell, Spec};
use crate::{
    engine::{
        arena, files,
        game::Fault,
        report::{Plot, Report, SuiteReport},
        weighing::Source,
        workbench::{DuelWish, SuiteWish},
    },
    picture,
};

/// Plies from the root where nothing is said.
const DEPTH: u8 = 3;

/// Disagreements listed where nothing is said.
const LISTED: usize = 5;

/// Random moves that begin a game where nothing is said.
const OPENING_PLIES: usize = 4;

/// What `--suite` calls the game's own suite.
const STANDARD: &str = "standard";

const SET_HELP: &str = "names, `current`, or changes to the default such as stones=2,mills=5";

const ON: Param = Param::flag(
    "suite",
    Kind::File,
    "positions: `standard`, or a file with one a line; # begins a comment",
);
const RANDOM: Param = Param::flag(
    "random",
    Kind::Range(1, 100_000),
    "so many positions from random play, spread over the phases",
);
const SEED: Param = Param::flag(
    "seed",
    Kind::Count,
    "the seed of random play and of games; the setting where none is given",
);
const TO: Param = Param::flag(
    "depth",
    Kind::Range(1, 255),
    "plies from the root; 3 where none is given",
);
const WORKERS: Param = Param::flag(
    "workers",
    Kind::Range(1, 1024),
    "threads; as many as there are cores where none is given",
);
const GAMES: Param = Param::flag(
    "games",
    Kind::Range(1, 1_000_000),
    "games that the sets play besides, in pairs with colours swapped",
);
const OPENING: Param = Param::flag(
    "openings",
    Kind::Range(0, 1000),
    "random moves that begin a game; 4 where nothing is said",
);
const SVG: Param = Param::flag("svg", Kind::File, "writes the chart to a file");

pub(super) const COMPARE: Spec = Spec {
    name: "weights compare",
    aliases: &["compare"],
    params: &[
        Param::many("SET", Kind::Live(&SETS), SET_HELP),
        TO,
        ON,
        RANDOM,
        SEED,
        Param::flag(
            "list",
            Kind::Range(0, 10_000),
            "disagreements listed with their reasons; 5 where none is given",
        ),
        GAMES,
        OPENING,
        WORKERS,
        SVG,
    ],
    summary: "compares sets of weights on the position, or on a suite of positions",
    details: "On the position, for each set: the terms, the heuristic value, the value and the best moves of a search of its own with the settings in \
              force; then the moves that are best for some sets and not for others. With --suite or --random every two sets are compared on many \
              positions: on how many they choose the same moves or have a best move in common, how far their values are apart, what the choice of the \
              one costs in the eyes of the other, and where they disagree and why: the lines they expect, and what the heuristic finds more of at \
              their ends. With --games every two sets play as well. Each search has an empty cache; the session's cache and the search under way are not touched.",
    examples: &[
        "weights compare default stones=3,mills=1",
        "weights compare default current --depth 4",
        "weights compare default mills=8 --suite standard",
        "weights compare default mills=8 current --random 100 --seed 7 --svg values.svg",
        "weights compare default stones=3 --suite standard --games 200",
    ],
    run: compare,
};

fn compare(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let sets: Vec<_> = args.texts("SET").collect();
    if !args.has("suite") && !args.has("random") {
        return compare_here(shell, args, &sets);
    }
    let svg = svg_file(args)?;
    let wish = wish(shell, args)?;
    let compared = shell.engine.bench().compare_on_suite(&sets, &wish);
    let mut report = compared.map_err(|fault| {
        let nth: Option<usize> = fault.about.as_deref().and_then(|nth| nth.parse().ok());
        match nth {
            Some(nth) => args.blame_nth("SET", nth, Fault { at: None, ..fault }),
            None => blame(args, "SET", fault),
        }
    })?;
    report.svg = save_plots(args, svg, &[report.plot()])?;
    Ok(Report::SuiteComparison(Box::new(report)))
}

fn compare_here(shell: &mut Shell, args: &Args<'_>, sets: &[&str]) -> Result<Report, Fault> {
    for name in ["seed", "list", "games", "openings", "workers", "svg"] {
        if args.has(name) {
            let fault = Fault::new(format!("--{name} is for many positions"))
                .hint("give --suite standard, --suite FILE or --random N as well");
            return Err(args.blame(name, fault));
        }
    }
    let depth = args.count("depth")?.unwrap_or(DEPTH);
    let compared = shell.engine.bench_mut().compare_weights(sets, depth);
    compared
        .map(Report::Comparison)
        .map_err(|fault| args.blame("SET", fault))
}

pub(super) const SWEEP: Spec = Spec {
    name: "weights sweep",
    aliases: &["sweep"],
    params: &[
        Param::word("WEIGHT", Kind::Live(&NAMES), "the weight that changes"),
        Param::word("RANGE", Kind::Text, "A..B, its first and its last value"),
        Param::flag(
            "step",
            Kind::Score,
            "from one value to the next; a tenth of the range where none is given",
        ),
        Param::flag(
            "base",
            Kind::Live(&SETS),
            "the set that the other weights come from; `current` where none is given",
        ),
        TO,
        ON,
        RANDOM,
        SEED,
        GAMES,
        OPENING,
        WORKERS,
        SVG,
    ],
    summary: "gives one weight a range of values and compares each with the base",
    details: "For each value: on how many positions the best moves are those of the base set, the mean searched value, how far the values are from \
              the base's, and what the choice costs in the eyes of the base. The positions are the standard suite's unless --suite or --random says \
              otherwise. The other weights stay as they are in the base. With --games each value plays against the base.",
    examples: &[
        "weights sweep stones 0..3 --step 0.5",
        "weights sweep mills 0..8 --step 2 --base default --depth 4 --svg mills.svg",
        "sweep stash -1..1 --random 50",
    ],
    run: sweep,
};

fn sweep(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let svg = svg_file(args)?;
    let values = values(args)?;
    let wish = wish(shell, args)?;
    let weight = args.required("WEIGHT")?;
    let base = args.text("base").unwrap_or("current");
    let swept = shell.engine.bench().sweep(weight, &values, base, &wish);
    let mut report = swept.map_err(|fault| blame(args, "RANGE", fault))?;
    report.svg = save_plots(args, svg, &report.plots())?;
    Ok(Report::Sweep(Box::new(report)))
}

/// The values of a range, the first and, where the step leads there, the last included.
fn values(args: &Args<'_>) -> Result<Vec<f64>, Fault> {
    /// More of them than can be looked at.
    const MOST: f64 = 1000.0;
    /// Decimals kept, so that steps of a tenth give tenths.
    const DECIMALS: f64 = 1e9;
    let text = args.required("RANGE")?;
    let wrong = || {
        let fault = Fault::new(format!("`{text}` is not a range")).hint("write 0..3 or -1..0.5");
        args.blame("RANGE", fault)
    };
    let (first, last) = text.split_once("..").ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let (Some(first), Some(last)) = (number(first), number(last)) else {
        return Err(wrong());
    };
    if first >= last {
        return Err(wrong());
    }
    let tenth = (last - first) / 10.0;
    let step = args.score("step")?.map_or(tenth, |step| step.get());
    let steps = ((last - first) / step + 1e-9).floor();
    if step <= 0.0 || !step.is_finite() || !steps.is_finite() || steps >= MOST {
        let fault = Fault::new(format!(
            "a step of {step} does not lead from {first} to {last}"
        ))
        .hint(format!(
            "give a step above 0 that makes at most {MOST} values"
        ));
        return Err(args.blame("step", fault));
    }
    let value = |nth: u32| ((first + f64::from(nth) * step) * DECIMALS).round() / DECIMALS;
    Ok((0..=steps as u32).map(value).collect())
}

pub(super) const ABLATE: Spec = Spec {
    name: "weights ablate",
    aliases: &["ablate"],
    params: &[
        Param::word(
            "SET",
            Kind::Live(&SETS),
            "the set whose terms are left out; `current` where none is given",
        )
        .optional(),
        TO,
        ON,
        RANDOM,
        SEED,
        GAMES,
        OPENING,
        WORKERS,
        SVG,
    ],
    summary: "leaves out each term of the heuristic in turn",
    details: "Each weight in turn is 0, the others are as they are: on how many positions the best moves stay the same, how far the values move, and \
              what the choice without the term costs in the eyes of the whole heuristic. The positions are the standard suite's unless --suite or \
              --random says otherwise. Terms whose weight is 0 already are not listed.",
    examples: &[
        "weights ablate",
        "weights ablate default --depth 4 --random 50",
    ],
    run: ablate,
};

fn ablate(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let svg = svg_file(args)?;
    let wish = wish(shell, args)?;
    let base = args.text("SET").unwrap_or("current");
    let ablated = shell.engine.bench().ablate(base, &wish);
    let mut report = ablated.map_err(|fault| blame(args, "SET", fault))?;
    report.svg = save_plots(args, svg, &[report.plot()])?;
    Ok(Report::Ablation(Box::new(report)))
}

pub(super) const SUITE: Spec = Spec {
    name: "weights suite",
    aliases: &["suite"],
    params: &[
        Param::word("FILE", Kind::File, "the file to write").optional(),
        ON,
        RANDOM,
        SEED,
    ],
    summary: "shows a suite of positions, or writes it to a file",
    details: "The standard suite unless --suite or --random says otherwise. The file has one position a line, with its phase or its comment behind a #; \
              `weights compare`, `weights sweep` and `weights ablate` read it with --suite. A file is written whole or not at all.",
    examples: &[
        "weights suite",
        "weights suite positions.txt --random 200 --seed 1",
    ],
    run: suite,
};

fn suite(shell: &mut Shell, args: &Args<'_>) -> Result<Report, Fault> {
    let bench = shell.engine.bench();
    let source = source(shell, args)?;
    let mut report = bench
        .suite(source)
        .map_err(|fault| blame(args, "suite", fault))?;
    if let Some(file) = args.text("FILE") {
        files::write_text(Path::new(file), &listing(bench.game(), &report))
            .map_err(|fault| args.blame("FILE", fault))?;
        report.file = Some(file.to_owned());
    }
    Ok(Report::Suite(Box::new(report)))
}

/// A suite as a file has it.
fn listing(game: &str, report: &SuiteReport) -> String {
    let lines = report.entries.iter().map(|entry| {
        let words = entry.comment.as_ref().unwrap_or(&entry.phase);
        format!("{} # {words}\n", entry.state)
    });
    let head = format!(
        "# {game}: {} positions ({})\n",
        report.head.positions, report.head.suite
    );
    head + &lines.collect::<String>()
}

/// The positions asked for.
fn source<'a>(shell: &Shell, args: &'a Args<'_>) -> Result<Source<'a>, Fault> {
    if let (Some(_), true) = (args.text("suite"), args.has("random")) {
        let fault = Fault::new("positions come from --suite or from --random, not from both");
        return Err(args.blame("random", fault.hint("leave one of them out")));
    }
    let playing = args.spec().params.iter().any(|param| param.name == "games") && args.has("games");
    if args.has("seed") && !args.has("random") && !playing {
        let fault = Fault::new("--seed is for random play");
        return Err(args.blame("seed", fault.hint("give --random N as well")));
    }
    let seed = seed(shell, args)?;
    Ok(match (args.count("random")?, args.text("suite")) {
        (Some(positions), _) => Source::Random { positions, seed },
        (None, None | Some(STANDARD)) => Source::Standard,
        (None, Some(file)) => Source::File(Path::new(file)),
    })
}

fn seed(shell: &Shell, args: &Args<'_>) -> Result<u64, Fault> {
    Ok(args.count("seed")?.unwrap_or(shell.engine.bench().seed()))
}

/// The games asked for.
fn games(shell: &Shell, args: &Args<'_>) -> Result<Option<DuelWish>, Fault> {
    let Some(games) = args.count("games")? else {
        if args.has("openings") {
            let fault = Fault::new("--openings is for games").hint("give --games N as well");
            return Err(args.blame("openings", fault));
        }
        return Ok(None);
    };
    Ok(Some(DuelWish {
        games,
        opening: args.count("openings")?.unwrap_or(OPENING_PLIES),
        seed: seed(shell, args)?,
        workers: workers(args)?,
    }))
}

fn workers(args: &Args<'_>) -> Result<usize, Fault> {
    Ok(args.count("workers")?.unwrap_or_else(arena::processors))
}

fn wish<'a>(shell: &Shell, args: &'a Args<'_>) -> Result<SuiteWish<'a>, Fault> {
    let listed = args.spec().params.iter().any(|param| param.name == "list");
    let list = if listed { args.count("list")? } else { None };
    Ok(SuiteWish {
        source: source(shell, args)?,
        depth: args.count("depth")?.unwrap_or(DEPTH),
        workers: workers(args)?,
        list: list.unwrap_or(LISTED),
        games: games(shell, args)?,
    })
}

/// Points a fault at what it says it is about, or else at a parameter. Faults of files name their place themselves.
fn blame(args: &Args<'_>, usual: &str, fault: Fault) -> Fault {
    let about = fault.about.clone();
    args.blame(
        about.as_deref().unwrap_or(usual),
        Fault { at: None, ..fault },
    )
}

/// The file of the chart, which must end in `.svg`.
fn svg_file<'a>(args: &'a Args<'_>) -> Result<Option<&'a Path>, Fault> {
    let Some(file) = args.text("svg").map(Path::new) else {
        return Ok(None);
    };
    if file.extension() == Some(OsStr::new("svg")) {
        return Ok(Some(file));
    }
    let fault = Fault::new(format!("`{}` is no name of an SVG file", file.display()));
    Err(args.blame("svg", fault.hint("name a file that ends in .svg")))
}

/// Writes charts, if they are wanted; their file.
fn save_plots(
    args: &Args<'_>,
    file: Option<&Path>,
    plots: &[Plot],
) -> Result<Option<String>, Fault> {
    let Some(file) = file else {
        return Ok(None);
    };
    files::write_text(file, &picture::plot::svg(plots))
        .map_err(|fault| args.blame("svg", fault))?;
    Ok(Some(file.display().to_string()))
}
