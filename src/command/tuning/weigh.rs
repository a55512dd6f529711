//! Weights held against a base: sets side by side, one weight over a range, each term left out in turn.

use std::path::Path;

use super::{Args, Kind, NAMES, Param, SETS, Shell, Shows, Spec};
use crate::{
    command::{
        duel::{self, OPENINGS, WORKERS},
        plots,
    },
    engine::{
        arena::DuelWish,
        files,
        game::Fault,
        reply::{Replied, Reply as _, Score, SuiteReport, boxed},
        weighing::SuiteSource,
        workbench::{Variants, WeighWish},
    },
};

/// Plies from the root where nothing is said.
const DEPTH: u8 = 3;

/// Disagreements that `weights compare` lists where nothing is said.
const LISTED: usize = 5;

/// What `--suite` calls the game's own suite.
const STANDARD: &str = "standard";

pub(in crate::command) const ON: Param = Param::flag(
    "suite",
    Kind::File,
    "positions: `standard`, or a file with one a line; # begins a comment",
);

pub(in crate::command) const RANDOM: Param = Param::flag(
    "random",
    Kind::Range(1, 100_000),
    "so many positions from random play, spread over the phases",
);

pub(in crate::command) const SEED: Param = Param::flag(
    "seed",
    Kind::Count,
    "the seed of random play and of games; the setting where none is given",
);

const TO: Param =
    Param::flag("depth", Kind::Range(1, 255), "plies from the root; 3 where none is given");

const GAMES: Param = Param::flag(
    "games",
    Kind::Range(1, 1_000_000),
    "games that the sets play besides, in pairs with colours swapped",
);

const LIST: Param = Param::flag(
    "list",
    Kind::Range(0, 10_000),
    "disagreements listed with their reasons, for each variant",
);

const SVG: Param = Param::flag("svg", Kind::File, "writes the chart to a file");

pub(super) const COMPARE: Spec = Spec {
    name: "weights compare",
    aliases: &["compare"],
    params: &[
        Param::many(
            "SET",
            Kind::Live(&SETS),
            "names, `current`, or changes to the default such as stones=2,mills=5; the first is the base",
        ),
        TO,
        ON,
        RANDOM,
        SEED,
        LIST,
        GAMES,
        OPENINGS,
        WORKERS,
        SVG,
    ],
    summary: "holds sets of weights against the first of them, on the position or on many",
    details: "For each set: on how many positions it has the base's best moves, or one of them; how far the searched values are from the base's; what its \
              choice costs in the eyes of the base; the mean heuristic and searched values; and where the two disagree and why: the lines they expect, \
              and what the heuristic finds more of at their ends (5 positions where --list does not say otherwise). The position at hand is searched, \
              or with --suite or --random many positions. With --games each set plays against the base as well. Each search has an empty cache; the \
              session's cache and the search under way are not touched.",
    examples: &[
        "weights compare default stones=3,mills=1",
        "weights compare default current --depth 4",
        "weights compare default mills=8 --suite standard",
        "weights compare default mills=8 current --random 100 --seed 7 --svg values.svg",
        "weights compare default stones=3 --suite standard --games 200",
    ],
    run: Shows(|shell, args| {
        let sets: Vec<_> = args.texts("SET").collect();
        let source = source(shell, args)?;
        weigh(shell, args, Variants::Sets(&sets), source)
    }),
};

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
        LIST,
        GAMES,
        OPENINGS,
        WORKERS,
        SVG,
    ],
    summary: "gives one weight a range of values and holds each against the base",
    details: "The table is that of `weights compare`, a row for each value; the other weights stay as they are in the base. The positions are the standard \
              suite's unless --suite or --random says otherwise.",
    examples: &[
        "weights sweep stones 0..3 --step 0.5",
        "weights sweep mills 0..8 --step 2 --base default --depth 4 --svg mills.svg",
        "sweep stash -1..1 --random 50",
    ],
    run: Shows(|shell, args| {
        let values = values(args)?;
        let variants = Variants::Sweep {
            weight: args.required("WEIGHT")?,
            values: &values,
            base: args.text("base").unwrap_or("current"),
        };
        let source = source(shell, args)?.unwrap_or(SuiteSource::Standard);
        weigh(shell, args, variants, Some(source))
    }),
};

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
        LIST,
        GAMES,
        OPENINGS,
        WORKERS,
        SVG,
    ],
    summary: "leaves out each term of the heuristic in turn and holds the rest against the whole",
    details: "The table is that of `weights compare`, a row for each term whose weight is not 0. The positions are the standard suite's unless --suite or \
              --random says otherwise.",
    examples: &["weights ablate", "weights ablate default --depth 4 --random 50"],
    run: Shows(|shell, args| {
        let base = args.text("SET").unwrap_or("current");
        let source = source(shell, args)?.unwrap_or(SuiteSource::Standard);
        weigh(shell, args, Variants::Ablate(base), Some(source))
    }),
};

pub(super) const SUITE: Spec = Spec {
    name: "weights suite",
    aliases: &["suite"],
    params: &[Param::word("FILE", Kind::File, "the file to write").optional(), ON, RANDOM, SEED],
    summary: "shows a suite of positions, or writes it to a file",
    details: "The standard suite unless --suite or --random says otherwise. The file has one position a line, with its phase or its comment behind a #; \
              `weights compare`, `weights sweep` and `weights ablate` read it with --suite. The file is written whole or not at all.",
    examples: &["weights suite", "weights suite positions.txt --random 200 --seed 1"],
    run: Shows(suite),
};

fn suite(shell: &mut Shell, args: &Args<'_>) -> Replied {
    let bench = shell.engine.bench();
    let source = source(shell, args)?.unwrap_or(SuiteSource::Standard);
    let mut report = bench.suite(source).map_err(|fault| blame(args, "suite", fault))?;
    if let Some(file) = args.text("FILE") {
        files::write_text(Path::new(file), &listing(bench.game(), &report))
            .map_err(|fault| args.blame("FILE", fault))?;
        report.file = Some(file.to_owned());
    }
    Ok(boxed(report))
}

/// A suite as a file has it.
fn listing(game: &str, report: &SuiteReport) -> String {
    let lines = report.entries.iter().map(|entry| {
        let words = entry.comment.as_ref().unwrap_or(&entry.phase);
        format!("{} # {words}\n", entry.state)
    });
    let head = format!("# {game}: {} positions ({})\n", report.head.positions, report.head.suite);
    head + &lines.collect::<String>()
}

/// Holds variants against a base on these positions, or on the current one, as the flags say.
fn weigh(
    shell: &Shell,
    args: &Args<'_>,
    variants: Variants<'_>,
    source: Option<SuiteSource<'_>>,
) -> Replied {
    let svg = plots::file(args, "svg")?;
    if svg.is_some() && source.is_none() {
        let fault = Fault::new("--svg is for many positions")
            .hint("give --suite standard, --suite FILE or --random N as well");
        return Err(args.blame("svg", fault));
    }
    let usual = match variants {
        Variants::Sets(_) => LISTED,
        Variants::Sweep { .. } | Variants::Ablate(_) => 0,
    };
    let wish = WeighWish {
        source,
        depth: args.count("depth")?.unwrap_or(DEPTH),
        workers: duel::workers(args)?,
        list: args.count("list")?.unwrap_or(usual),
        games: games(shell, args)?,
    };
    let weighed = shell.engine.bench().weigh(variants, &wish);
    let mut table = weighed.map_err(|fault| {
        let nth: Option<usize> = fault.about.as_deref().and_then(|nth| nth.parse().ok());
        let usual = match variants {
            Variants::Sweep { .. } => "RANGE",
            Variants::Sets(_) | Variants::Ablate(_) => "SET",
        };
        match nth {
            Some(nth) => args.blame_nth("SET", nth, Fault { at: None, ..fault }),
            None => blame(args, usual, fault),
        }
    })?;
    table.svg = plots::save(args, svg, &table.plots())?;
    Ok(boxed(table))
}

/// The values of a range, the first and, where the step leads there, the last included.
fn values(args: &Args<'_>) -> Result<Vec<f64>, Fault> {
    /// More of them than can be looked at.
    const MOST: u32 = 1000;
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
    let step = args.score("step")?.map_or(tenth, Score::get);
    let steps = ((last - first) / step + 1e-9).floor();
    if step <= 0.0 || !step.is_finite() || !steps.is_finite() || steps >= f64::from(MOST) {
        let fault = Fault::new(format!("a step of {step} does not lead from {first} to {last}"))
            .hint(format!("give a step above 0 that makes at most {MOST} values"));
        return Err(args.blame("step", fault));
    }
    let value = |nth: u32| ((first + f64::from(nth) * step) * DECIMALS).round() / DECIMALS;
    let within = |nth: &u32| f64::from(*nth) <= steps;
    Ok((0..MOST).take_while(within).map(value).collect())
}

/// The positions asked for, if any are.
pub(in crate::command) fn source<'a>(
    shell: &Shell,
    args: &'a Args<'_>,
) -> Result<Option<SuiteSource<'a>>, Fault> {
    if let (Some(_), true) = (args.text("suite"), args.has("random")) {
        let fault = Fault::new("positions come from --suite or from --random, not from both");
        return Err(args.blame("random", fault.hint("leave one of them out")));
    }
    let playing = args.spec().params.iter().any(|param| param.name == "games") && args.has("games");
    if args.has("seed") && !args.has("random") && !playing {
        let fault = Fault::new("--seed is for random play");
        return Err(args.blame("seed", fault.hint("give --random N as well")));
    }
    let seed = duel::seed(shell, args)?;
    Ok(match (args.count("random")?, args.text("suite")) {
        (Some(positions), _) => Some(SuiteSource::Random { positions, seed }),
        (None, Some(STANDARD)) => Some(SuiteSource::Standard),
        (None, Some(file)) => Some(SuiteSource::File(Path::new(file))),
        (None, None) => None,
    })
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
    duel::wish(shell, args, games).map(Some)
}

/// Points a fault at what it says it is about, or else at a parameter. Faults of files name their place themselves.
fn blame(args: &Args<'_>, usual: &str, fault: Fault) -> Fault {
    let about = fault.about.clone();
    args.blame(about.as_deref().unwrap_or(usual), Fault { at: None, ..fault })
}
